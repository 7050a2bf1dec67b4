/* tests/codec/run_test.c - runs of optional fields are written and measured as one by one. */
#include "codec_check.h"

#include "codec/encode.h"
#include "support/gen_random.h"
#include "support/law_reference.h"

struct corner {
    int32_t x;
};
FRUGAL_STRUCT(corner, FRUGAL_FIELD(corner, x, 1));

#define MEMBERS(n)            \
    FRUGAL_OPT(bool)    a##n; \
    FRUGAL_OPT(int8_t)  b##n; \
    FRUGAL_OPT(int16_t) c##n; \
    FRUGAL_OPT(int32_t) d##n; \
    FRUGAL_OPT(int64_t) e##n; \
    frugal_str          f##n; \
    struct corner      *g##n; \
    FRUGAL_LIST(int8_t) h##n; \
    FRUGAL_OPT(double)  i##n;
#define FIELDS(n)                                                        \
    FRUGAL_FIELD(mixed, a##n, 10 * n + 1, optional),                     \
        FRUGAL_FIELD(mixed, b##n, 10 * n + 2, optional),                 \
        FRUGAL_FIELD(mixed, c##n, 10 * n + 3, optional),                 \
        FRUGAL_FIELD(mixed, d##n, 10 * n + 4, optional),                 \
        FRUGAL_FIELD(mixed, e##n, 10 * n + 5, optional),                 \
        FRUGAL_FIELD(mixed, f##n, 10 * n + 6, optional, string),         \
        FRUGAL_FIELD(mixed, g##n, 10 * n + 7, optional, struct(corner)), \
        FRUGAL_FIELD(mixed, h##n, 10 * n + 8, optional, list(i8)),       \
        FRUGAL_FIELD(mixed, i##n, 10 * n + 9, optional)
struct mixed {
    int32_t before;
    MEMBERS(1) MEMBERS(2) MEMBERS(3) MEMBERS(4) MEMBERS(5) MEMBERS(6)
};
FRUGAL_STRUCT(mixed, FRUGAL_FIELD(mixed, before, 1), FIELDS(1), FIELDS(2), FIELDS(3), FIELDS(4),
    FIELDS(5), FIELDS(6));

#define MIXED_MAX 4096 /* bytes of one on the wire */

static const char    letters[]   = "a text that is longer than 32 bytes";
static const int8_t  items[]     = { 1, -2, 3 };
static struct corner some_corner = { 7 };

static const struct plan *plan_of_mixed(void)
{
    const struct plan *plan = NULL;
    assert_int_equal(
        plan_get(FRUGAL_TYPE(mixed), FRUGAL_PROTOCOL_BINARY, codec_prepare, &plan, NULL),
        FRUGAL_OK);
    assert_true(plan->run_count > 0);
    return plan;
}

static void set_field(gen_random *random, uint8_t *record, const frugal_field *field)
{
    uint8_t *value = record + field->offset;
    if (field->has) {
        uint64_t number =
            field->type.kind == FRUGAL_KIND_BOOL ? gen_next(random) & 1 : gen_next(random);
        for (uint32_t i = 0; i < field->type.size; i++)
            value[i] = (uint8_t)(number >> 8 * i);
        record[field->has] = (uint8_t)gen_range(random, 1, 255);
    } else if (field->type.kind == FRUGAL_KIND_STRUCT) {
        struct corner *pointer = &some_corner;
        memcpy(value, &pointer, sizeof pointer);
    } else {
        bool        text = field->type.kind == FRUGAL_KIND_STRING;
        const void *ptr  = text ? (const void *)letters : items;
        size_t      len  = gen_below(random, text ? sizeof letters : sizeof items + 1);
        memcpy(value, &(frugal_bytes){ ptr, len }, sizeof(frugal_bytes));
    }
}

/* Each optional field is there with a chance of `percent`. What is not has a value all the same,
 * where it can. */
static void fill(gen_random *random, struct mixed *record, unsigned percent)
{
    memset(record, 0, sizeof *record);
    record->before = -1;
    for (uint32_t i = 1; i < FRUGAL_TYPE(mixed)->field_count; i++) {
        const frugal_field *field = &FRUGAL_TYPE(mixed)->fields[i];
        bool                there = gen_chance(random, percent);
        if (there || field->has)
            set_field(random, (uint8_t *)record, field);
        if (!there && field->has)
            ((uint8_t *)record)[field->has] = 0;
    }
}

/* Size, bytes, and every output that is too small. The record lies before a guard page. */
static void check_record(const struct mixed *record, const frugal_encode_options *options)
{
    static uint8_t out[MIXED_MAX];
    gen_bytes      want = { 0 };
    size_t         size = 0, written = 0;
    law_reference_encode(FRUGAL_TYPE(mixed), record,
                         &(law_write_options){ options->canonical, options->skip_defaults }, &want);
    frugal_view view = { FRUGAL_TYPE(mixed), guard_put(&check.pages, record, sizeof *record) };
    assert_int_equal(frugal_encoded_size(view, options, &size, NULL), FRUGAL_OK);
    assert_int_equal(size, want.len);
    for (size_t room = size < 40 ? 0 : size - 40; room <= size; room++) {
        memset(out, 0xee, sizeof out);
        frugal_status status = frugal_encode_to(view, options, out, room, &written, NULL);
        assert_int_equal(status, room < size ? FRUGAL_NOSPACE : FRUGAL_OK);
        assert_int_equal(out[room], 0xee);
    }
    assert_int_equal(written, want.len);
    assert_memory_equal(out, want.data, written);
    gen_bytes_release(&want);
}

/* What a run may meet, and how often the law below has met it. */
static struct {
    uint32_t spots[PLAN_SPOT_OTHER + 1];
    uint32_t dense, sparse, shared;
} seen;

static void count_seen(const struct mixed *record)
{
    const struct plan *plan = plan_of_mixed();
    for (uint32_t i = 0; i < plan->run_count; i++) {
        const plan_run *run   = &plan->runs[i];
        uint64_t        there = codec_engine_of(plan)->look(run, (const uint8_t *)record);
        bool            dense = there >> run->probes[0] & there >> run->probes[1] & 1;
        seen.dense += dense;
        seen.sparse += !dense;
        for (; there && !dense; there &= there - 1) {
            const plan_spot *spot = &run->spots[__builtin_ctzll(there)];
            seen.spots[spot->kind]++;
            seen.shared += spot->count > 1;
        }
    }
}

static void a_run_is_written_as_its_fields(void **state)
{
    (void)state;
    static const unsigned chances[] = { 0, 2, 10, 50, 90, 100 };
    static struct mixed   record;
    for (uint32_t i = 0; i < 3000; i++) {
        gen_random random = gen_random_for(gen_seed(), "run", i);
        fill(&random, &record, chances[i % 6]);
        count_seen(&record);
        check_record(&record, &(frugal_encode_options){
                                  .canonical     = gen_chance(&random, 20),
                                  .skip_defaults = gen_chance(&random, 20),
                              });
    }
    for (unsigned kind = 0; kind <= PLAN_SPOT_OTHER; kind++)
        assert_true(seen.spots[kind] > 1000);
    assert_true(seen.dense > 1000 && seen.sparse > 1000 && seen.shared > 1000);
}

static void each_field_alone_is_found(void **state)
{
    (void)state;
    static struct mixed record;
    gen_random          random = gen_random_for(gen_seed(), "run alone", 0);
    for (uint32_t i = 1; i < FRUGAL_TYPE(mixed)->field_count; i++) {
        memset(&record, 0, sizeof record);
        set_field(&random, (uint8_t *)&record, &FRUGAL_TYPE(mixed)->fields[i]);
        check_record(&record, &(frugal_encode_options){ 0 });
    }
}

/* NULL with a length is not absent: in a run it is found by its length. */
static void a_null_with_a_length_fails_where_it_is(void **state)
{
    (void)state;
    struct mixed  record = { .before = 1 };
    frugal_view   view   = { FRUGAL_TYPE(mixed), &record };
    frugal_error  error;
    uint8_t       out[MIXED_MAX];
    size_t        size;
    frugal_status status;
    record.d2.value = 5, record.d2.has = true;
    record.f3.len = 1;
    status        = frugal_encode_to(view, NULL, out, sizeof out, &size, &error);
    assert_int_equal(status, FRUGAL_INVALID);
    assert_string_equal(error.path, "f3");
    assert_int_equal(error.offset, 7 + 7);
    status = frugal_encoded_size(view, NULL, &size, &error);
    assert_int_equal(status, FRUGAL_INVALID);
    assert_string_equal(error.path, "f3");

    record.f3.len = 0;
    record.h4.len = 2;
    status        = frugal_encode_to(view, NULL, out, sizeof out, &size, &error);
    assert_int_equal(status, FRUGAL_INVALID);
    assert_string_equal(error.path, "h4");
    status = frugal_encoded_size(view, NULL, &size, &error);
    assert_int_equal(status, FRUGAL_INVALID);
    assert_string_equal(error.path, "h4");
}

static void what_is_inside_a_run_counts_as_a_level(void **state)
{
    (void)state;
    struct mixed          record  = { .g3 = &some_corner };
    frugal_view           view    = { FRUGAL_TYPE(mixed), &record };
    frugal_encode_options options = { .depth_max = 1 };
    frugal_error          error;
    uint8_t               out[MIXED_MAX];
    size_t                size;
    assert_int_equal(frugal_encode_to(view, &options, out, sizeof out, &size, &error),
                     FRUGAL_DEPTH);
    assert_string_equal(error.path, "g3");
    assert_int_equal(frugal_encoded_size(view, &options, &size, &error), FRUGAL_DEPTH);
    assert_string_equal(error.path, "g3");
    options.depth_max = 2;
    assert_int_equal(frugal_encode_to(view, &options, out, sizeof out, &size, &error), FRUGAL_OK);
}

/* Every CPU's way to look against the obvious one. */
static void looking_finds_the_words_that_are_not_zero(void **state)
{
    (void)state;
    const struct plan  *plan = plan_of_mixed();
    static struct mixed record;
    for (uint32_t i = 0; i < 1000; i++) {
        gen_random random = gen_random_for(gen_seed(), "look", i);
        fill(&random, &record, gen_below(&random, 101));
        for (uint32_t k = 0; k < plan->run_count; k++) {
            const plan_run *run  = &plan->runs[k];
            const uint8_t  *at   = (const uint8_t *)&record + run->offset;
            uint64_t        want = 0;
            for (uint32_t n = 0; n < 8 * run->words; n++)
                if (at[n] & run->mask[n])
                    want |= UINT64_C(1) << (run->seconds >> n / 8 & 1 ? n / 8 - 1 : n / 8);
            assert_true(codec_engine_of(plan)->look(run, (const uint8_t *)&record) == want);
            assert_true(look_run_base(run, (const uint8_t *)&record) == want);
        }
    }
}

static int tear_down(void **state)
{
    frugal_plan_drop(FRUGAL_TYPE(mixed));
    frugal_plan_drop(FRUGAL_TYPE(corner));
    return check_tear_down(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_is_written_as_its_fields),
        cmocka_unit_test(each_field_alone_is_found),
        cmocka_unit_test(a_null_with_a_length_fails_where_it_is),
        cmocka_unit_test(what_is_inside_a_run_counts_as_a_level),
        cmocka_unit_test(looking_finds_the_words_that_are_not_zero),
    };
    return cmocka_run_group_tests_name("codec: run", tests, check_set_up, tear_down);
}
