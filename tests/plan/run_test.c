/* tests/plan/run_test.c - which optional fields are a run, and where the record says so. */
#include "ask.h"

#define TEN(X, n) X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7) X(n##8) X(n##9)
#define FORTY(X)  TEN(X, 1) TEN(X, 2) TEN(X, 3) TEN(X, 4)

/* ---- what is a run --------------------------------------------------------------------------- */

#define OPTIONAL_NUMBER(n) FRUGAL_OPT(int64_t) f##n;
struct numbers {
    int32_t first;
    FORTY(OPTIONAL_NUMBER)
    int32_t last;
};

/* The fields of `numbers`: all are optional between the two, up to `optional` of them. */
static frugal_struct numbers_with(frugal_field fields[42], frugal_slot *slot, uint32_t optional)
{
    static char names[42][8];
    for (uint32_t i = 0; i < 42; i++) {
        snprintf(names[i], sizeof names[i], "f%u", i);
        uint32_t offset = (uint32_t)offsetof(struct numbers, f10) + 16 * (i - 1);
        bool     there  = i >= 1 && i <= optional;
        fields[i]       = (frugal_field){ .name   = names[i],
                                          .id     = (int16_t)(i + 1),
                                          .need   = there ? FRUGAL_NEED_OPTIONAL : FRUGAL_NEED_DEFAULT,
                                          .offset = offset,
                                          .has    = there ? offset + 8 : 0,
                                          .type   = { .kind = FRUGAL_KIND_I64, .size = 8 } };
    }
    fields[0].offset  = offsetof(struct numbers, first);
    fields[0].type    = (frugal_type){ .kind = FRUGAL_KIND_I32, .size = 4 };
    fields[41].offset = offsetof(struct numbers, last);
    fields[41].type   = (frugal_type){ .kind = FRUGAL_KIND_I32, .size = 4 };
    return (frugal_struct){ .abi         = FRUGAL_TABLE_ABI,
                            .name        = "numbers",
                            .field_count = 42,
                            .fields      = fields,
                            .size        = sizeof(struct numbers),
                            .align       = 8,
                            .slot        = slot };
}

static void fields_in_a_row_are_a_run_from_some_number_on(void **state)
{
    (void)state;
    frugal_field fields[42];
    frugal_slot  slot = { NULL };
    for (uint32_t optional = PLAN_RUN_LEAST - 2; optional <= 40; optional++) {
        frugal_struct      type = numbers_with(fields, &slot, optional);
        const struct plan *plan = build(&type);
        assert_int_equal(plan->run_count, optional >= PLAN_RUN_LEAST);
        for (uint32_t i = 0; i < plan->step_count; i++)
            assert_int_equal(plan->steps[i].run, plan->run_count && i == 1);
        if (plan->run_count) {
            assert_int_equal(plan->runs[0].step, 1);
            assert_int_equal(plan->runs[0].words, PLAN_RUN_WORDS - 1); /* a .has in every second */
            assert_int_equal(plan->runs[0].count, PLAN_RUN_WORDS / 2);
        }
        plan_free(plan);
    }
}

/* Where fields change places in memory, one run ends. */
static void a_run_ends_where_memory_has_another_order(void **state)
{
    (void)state;
    frugal_field       fields[42];
    frugal_slot        slot = { NULL };
    frugal_struct      type = numbers_with(fields, &slot, 40);
    const frugal_field kept = fields[20];
    fields[20].offset       = fields[21].offset;
    fields[20].has          = fields[21].has;
    fields[21].offset       = kept.offset;
    fields[21].has          = kept.has;
    const struct plan *plan = build(&type);
    assert_int_equal(plan->run_count, 0); /* 20 and 20 are too few */
    plan_free(plan);
}

/* ---- what its words say ---------------------------------------------------------------------- */

struct corner {
    int32_t x;
};
FRUGAL_STRUCT(corner, FRUGAL_FIELD(corner, x, 1));

#define MIXED_MEMBERS(n)      \
    FRUGAL_OPT(bool)    a##n; \
    FRUGAL_OPT(int16_t) b##n; \
    FRUGAL_OPT(int32_t) c##n; \
    frugal_str          d##n; \
    struct corner      *e##n; \
    FRUGAL_LIST(int8_t) f##n; \
    FRUGAL_OPT(bool)    g##n;
#define MIXED_FIELDS(n)                                                  \
    FRUGAL_FIELD(mixed, a##n, 10 * n + 1, optional),                     \
        FRUGAL_FIELD(mixed, b##n, 10 * n + 2, optional),                 \
        FRUGAL_FIELD(mixed, c##n, 10 * n + 3, optional),                 \
        FRUGAL_FIELD(mixed, d##n, 10 * n + 4, optional, string),         \
        FRUGAL_FIELD(mixed, e##n, 10 * n + 5, optional, struct(corner)), \
        FRUGAL_FIELD(mixed, f##n, 10 * n + 6, optional, list(i8)),       \
        FRUGAL_FIELD(mixed, g##n, 10 * n + 7, optional)
struct mixed {
    MIXED_MEMBERS(0) MIXED_MEMBERS(1) MIXED_MEMBERS(2) MIXED_MEMBERS(3) MIXED_MEMBERS(4)
};
FRUGAL_STRUCT(mixed, MIXED_FIELDS(0), MIXED_FIELDS(1), MIXED_FIELDS(2), MIXED_FIELDS(3),
    MIXED_FIELDS(4));

static void a_word_knows_its_fields(void **state)
{
    (void)state;
    const struct plan *plan = build(FRUGAL_TYPE(mixed));
    assert_int_equal(plan->run_count, 1);
    const plan_run *run = &plan->runs[0];
    assert_int_equal(run->offset, 0);
    assert_int_equal(run->count, 35);
    assert_false(run->only_texts);

    const plan_spot *spots = run->spots;
    assert_int_equal(spots[0].kind, PLAN_SPOT_FLAGS); /* a and b */
    assert_int_equal(spots[0].count, 2);
    assert_int_equal(spots[0].step, 0);
    assert_int_equal(spots[0].sizes[offsetof(struct mixed, a0.has)], 4);
    assert_int_equal(spots[0].sizes[offsetof(struct mixed, b0.has)], 5);
    assert_int_equal(spots[1].kind, PLAN_SPOT_NUMBER); /* c */
    assert_int_equal(spots[1].size, 7);
    assert_int_equal(spots[1].shift, 32);
    assert_int_equal(spots[1].offset, offsetof(struct mixed, c0));
    assert_int_equal(spots[2].kind, PLAN_SPOT_TEXT); /* d */
    assert_int_equal(spots[2].size, 7);
    assert_int_equal(spots[4].kind, PLAN_SPOT_OTHER); /* e */
    assert_int_equal(spots[4].step, 4);
    assert_int_equal(spots[5].kind, PLAN_SPOT_OTHER); /* f */
    assert_int_equal(run->seconds & 0xff, 1 << 3 | 1 << 6);
    plan_free(plan);
}

static void the_mask_has_the_bytes_that_say_that_a_field_is_there(void **state)
{
    (void)state;
    const struct plan *plan           = build(FRUGAL_TYPE(mixed));
    const plan_run    *run            = &plan->runs[0];
    uint8_t            wanted[64 * 8] = { 0 };
    for (uint32_t i = 0; i < run->count; i++) {
        const plan_step *step = &plan->steps[run->step + i];
        if (step->code / PLAN_OPS == PLAN_BY_HAS)
            wanted[step->has] = 0xff;
        else
            memset(wanted + step->offset, 0xff, step->op == PLAN_RECORD ? 8 : 16);
    }
    assert_memory_equal(run->mask, wanted, sizeof wanted);
    plan_free(plan);
}

static void all_words_are_in_the_record(void **state)
{
    (void)state;
    const struct plan *plan = build(FRUGAL_TYPE(mixed));
    for (uint32_t i = 0; i < plan->run_count; i++) {
        const plan_run *run = &plan->runs[i];
        assert_true(run->words >= PLAN_RUN_BLOCK);
        assert_true(run->words <= PLAN_RUN_WORDS);
        assert_true(run->offset + 8 * run->words <= sizeof(struct mixed));
    }
    plan_free(plan);
}

static void its_fields_are_one_part_of_the_size(void **state)
{
    (void)state;
    const struct plan *plan = build(FRUGAL_TYPE(mixed));
    assert_int_equal(plan->routines[0].size_count, 1);
    const plan_size *part = &plan->sizes[plan->routines[0].size_first];
    assert_int_equal(part->op, PLAN_SIZE_RUN);
    for (uint32_t i = 0; i < plan->runs[part->body].count; i++)
        assert_int_equal(plan->sizes[plan->runs[part->body].sizes + i].step, i);
    plan_free(plan);
}

/* bool after bool: a record that is too small to be looked at in blocks. */
#define FLAG_MEMBER(n) FRUGAL_OPT(bool) f##n;
#define FLAG_FIELD(n)  FRUGAL_FIELD(flags, f##n, n, optional),
struct flags {
    FORTY(FLAG_MEMBER)
    int32_t last;
};
FRUGAL_STRUCT(flags, FORTY(FLAG_FIELD) FRUGAL_FIELD(flags, last, 99));

static void a_small_record_has_no_run(void **state)
{
    (void)state;
    assert_true(sizeof(struct flags) < 8 * PLAN_RUN_BLOCK);
    const struct plan *plan = build(FRUGAL_TYPE(flags));
    assert_int_equal(plan->run_count, 0);
    plan_free(plan);
}

static void a_run_is_shown(void **state)
{
    (void)state;
    frugal_buf text;
    frugal_buf_init(&text, NULL, 0, NULL);
    assert_int_equal(frugal_describe_plan(FRUGAL_TYPE(mixed), NULL, &text, NULL), FRUGAL_OK);
    assert_int_equal(frugal_buf_append(&text, "", 1), FRUGAL_OK);
    assert_non_null(strstr((const char *)text.data,
                           "     0 bool 1:a0 bool @0 head 020001 if .has @1 run of 35\n"));
    frugal_buf_release(&text);
    frugal_plan_drop(FRUGAL_TYPE(mixed));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_in_a_row_are_a_run_from_some_number_on),
        cmocka_unit_test(a_run_ends_where_memory_has_another_order),
        cmocka_unit_test(a_word_knows_its_fields),
        cmocka_unit_test(the_mask_has_the_bytes_that_say_that_a_field_is_there),
        cmocka_unit_test(all_words_are_in_the_record),
        cmocka_unit_test(its_fields_are_one_part_of_the_size),
        cmocka_unit_test(a_small_record_has_no_run),
        cmocka_unit_test(a_run_is_shown),
    };
    return cmocka_run_group_tests_name("plan: run", tests, NULL, NULL);
}
