/* tests/plan/find_test.c - how the step of a header is found: reach, by_id, the search. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <frugal/frugal.h>

#include "plan/ask.h"

struct needs {
    int8_t       a, b, c, d;
    struct point inside;
    int8_t       e;
};
FRUGAL_STRUCT(needs,
    FRUGAL_FIELD(needs, a,      1),
    FRUGAL_FIELD(needs, b,      2, required),
    FRUGAL_FIELD(needs, c,      3),
    FRUGAL_FIELD(needs, inside, 4, struct(point)),
    FRUGAL_FIELD(needs, d,      5, required),
    FRUGAL_FIELD(needs, e,      6));

/* a 0, b 1, c 2, inside 3 (x 4, y 5, stop 6), d 7, e 8, stop 9. */
static void reach_goes_back_to_the_last_required_field(void **state)
{
    static const size_t reach[] = { 0, 1, 0, 1, 0, 1, 2, 5, 0, 1 };
    (void)state;
    const struct plan *plan = build(FRUGAL_TYPE(needs));
    assert_int_equal(plan->steps[9].op, PLAN_STOP);
    for (uint32_t i = 0; i < 10; i++)
        assert_int_equal(plan->steps[i].reach, reach[i] * STEP);
    plan_free(plan);
}

static void reach_is_the_whole_scope_when_nothing_is_required(void **state)
{
    (void)state;
    made              *it   = make_numbers(300, 1, 1);
    const struct plan *plan = build(&it->type);
    for (uint32_t i = 0; i <= 300; i++)
        assert_int_equal(plan->steps[i].reach, i * STEP);
    plan_free(plan);
    free(it);
}

static void by_id_leads_from_every_id_to_its_step(void **state)
{
    (void)state;
    made              *it      = make_numbers(3, -2, 3); /* -2, 1, 4 */
    const struct plan *plan    = build(&it->type);
    const plan_scope  *scope   = &plan->scopes[0];
    const uint32_t     steps[] = { 0, 3, 3, 1, 3, 3, 2 };
    assert_int_equal(scope->low, -2);
    assert_int_equal(scope->span, 7);
    assert_memory_equal(scope->by_id, steps, sizeof steps);
    for (int id = -32768; id <= 32767; id++) {
        const plan_step *step   = plan_find(plan, scope, (int16_t)id);
        const plan_step *wanted = id == -2  ? &plan->steps[0]
                                  : id == 1 ? &plan->steps[1]
                                  : id == 4 ? &plan->steps[2]
                                            : NULL;
        assert_ptr_equal(step, wanted);
    }
    plan_free(plan);
    free(it);
}

/* Two ids `span` - 1 apart. */
static void check_wide(int span, bool has_table)
{
    made              *it    = make_numbers(2, -100, span - 1);
    const struct plan *plan  = build(&it->type);
    const plan_scope  *scope = &plan->scopes[0];
    assert_int_equal(scope->by_id != NULL, has_table);
    assert_int_equal(scope->span, has_table ? span : 0);
    assert_ptr_equal(plan_find(plan, scope, -100), &plan->steps[0]);
    assert_ptr_equal(plan_find(plan, scope, (int16_t)(span - 101)), &plan->steps[1]);
    assert_null(plan_find(plan, scope, -101));
    assert_null(plan_find(plan, scope, -99));
    assert_null(plan_find(plan, scope, (int16_t)(span - 100)));
    plan_free(plan);
    free(it);
}

static void ids_far_apart_are_searched(void **state)
{
    (void)state;
    check_wide(256 + 4 * 2, true);
    check_wide(256 + 4 * 2 + 1, false);
    check_wide(30000, false);
}

static void a_struct_without_fields_finds_nothing(void **state)
{
    (void)state;
    const struct plan *plan = build(FRUGAL_TYPE(empty));
    ASSERT_OPS(plan, &plan->routines[0], PLAN_STOP, PLAN_END);
    assert_null(plan_find(plan, &plan->scopes[0], 0));
    assert_null(plan_find(plan, &plan->scopes[0], 1));
    assert_int_equal(plan->routines[0].size_fixed, 1);
    plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reach_goes_back_to_the_last_required_field),
        cmocka_unit_test(reach_is_the_whole_scope_when_nothing_is_required),
        cmocka_unit_test(by_id_leads_from_every_id_to_its_step),
        cmocka_unit_test(ids_far_apart_are_searched),
        cmocka_unit_test(a_struct_without_fields_finds_nothing),
    };
    return cmocka_run_group_tests_name("plan: find", tests, NULL, NULL);
}
