/* tests/plan/size_test.c - what a record takes on the wire: constant and variable parts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <frugal/frugal.h>

#include "plan/ask.h"

static const plan_size *size_of(const struct plan *plan, const plan_routine *routine, uint32_t step)
{
    for (uint32_t i = 0; i < routine->size_count; i++)
        if (plan->sizes[routine->size_first + i].step == step)
            return &plan->sizes[routine->size_first + i];
    return NULL;
}

static void what_is_always_there_is_folded(void **state)
{
    (void)state;
    const struct plan *plan = build(FRUGAL_TYPE(level_3));
    assert_int_equal(plan->routines[0].size_fixed, 3 * (3 + 1) + 2 * 3 + 3 * 1);
    /* ENTER adds nothing, but is a level. */
    assert_int_equal(plan->routines[0].size_count, 2);
    assert_int_equal(plan->sizes[plan->routines[0].size_first].op, PLAN_SIZE_ENTER);
    plan_free(plan);

    plan = build(FRUGAL_TYPE(point));
    assert_int_equal(plan->routines[0].size_fixed, 2 * (3 + 4) + 1);
    assert_int_equal(plan->routines[0].size_count, 0);
    plan_free(plan);
}

static void optional_parts_carry_their_header(void **state)
{
    static const struct {
        plan_size_op op;
        uint32_t     fixed, each;
    } wanted[] = {
        { PLAN_SIZE_FIXED, 3 + 4, 0 }, /* number */
        { PLAN_SIZE_TEXT, 3 + 4, 0 },  /* text */
        { PLAN_SIZE_SPAN, 3 + 5, 4 },  /* list */
        { PLAN_SIZE_RECORD, 3, 0 },    /* near */
        { PLAN_SIZE_RECORD, 0, 0 },    /* far: header and all are in the constant part */
        { PLAN_SIZE_LIST, 0, 4 },      /* always */
        { PLAN_SIZE_TEXT, 0, 0 },      /* view */
        { PLAN_SIZE_KEEP, 0, 0 },
    };
    (void)state;
    const struct plan  *plan = build(FRUGAL_TYPE(presence));
    const plan_routine *root = &plan->routines[0];
    assert_int_equal(root->size_fixed, (3 + 4) + 3 + (3 + 5) + (3 + 4) + 1);
    assert_int_equal(root->size_count, 8);
    for (uint32_t i = 0; i < 8; i++) {
        const plan_size *size = size_of(plan, root, i + 1);
        assert_non_null(size);
        assert_int_equal(size->op, wanted[i].op);
        assert_int_equal(size->fixed, wanted[i].fixed);
        assert_int_equal(size->each, wanted[i].each);
    }
    plan_free(plan);
}

struct lists {
    FRUGAL_LIST(int64_t)             numbers;
    FRUGAL_SET(bool)                 bools;
    FRUGAL_MAP(int32_t, double)      plain;
    FRUGAL_LIST(struct point)        points;
    FRUGAL_LIST(frugal_str)          texts;
    FRUGAL_LIST(FRUGAL_LIST(int8_t)) nested;
};
FRUGAL_STRUCT(lists,
    FRUGAL_FIELD(lists, numbers, 1, list(i64)),
    FRUGAL_FIELD(lists, bools,   2, set(bool)),
    FRUGAL_FIELD(lists, plain,   3, map(i32, double)),
    FRUGAL_FIELD(lists, points,  4, list(struct(point))),
    FRUGAL_FIELD(lists, texts,   5, list(string)),
    FRUGAL_FIELD(lists, nested,  6, list(list(i8))));

/* Elements that are levels are looked at one by one, for the depth. */
static void elements_of_one_size_are_not_looked_at(void **state)
{
    static const struct {
        plan_size_op op;
        uint32_t     each;
    } wanted[] = { { PLAN_SIZE_SPAN, 8 },  { PLAN_SIZE_SPAN, 1 }, { PLAN_SIZE_SPAN, 12 },
                   { PLAN_SIZE_LIST, 15 }, { PLAN_SIZE_LIST, 4 }, { PLAN_SIZE_LIST, 5 } };
    (void)state;
    const struct plan *plan = build(FRUGAL_TYPE(lists));
    for (uint32_t i = 0; i < 6; i++) {
        const plan_size *size = size_of(plan, &plan->routines[0], i);
        assert_int_equal(size->op, wanted[i].op);
        assert_int_equal(size->each, wanted[i].each);
    }
    plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_always_there_is_folded),
        cmocka_unit_test(optional_parts_carry_their_header),
        cmocka_unit_test(elements_of_one_size_are_not_looked_at),
    };
    return cmocka_run_group_tests_name("plan: size", tests, NULL, NULL);
}
