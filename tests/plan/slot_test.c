/* tests/plan/slot_test.c - plans in the slots of their tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <frugal/frugal.h>

#include "codec/codec.h"
#include "plan/plan.h"
#include "support/probe.h"

struct point {
    int32_t x, y;
};
FRUGAL_STRUCT(point, FRUGAL_FIELD(point, x, 1), FRUGAL_FIELD(point, y, 2));

struct line {
    struct point               from, to;
    FRUGAL_LIST(struct point)  others;
    FRUGAL_LIST(struct line *) lines;
};
FRUGAL_STRUCT(line,
    FRUGAL_FIELD(line, from,   1, struct(point)),
    FRUGAL_FIELD(line, to,     2, required, struct(point)),
    FRUGAL_FIELD(line, others, 3, list(struct(point))),
    FRUGAL_FIELD(line, lines,  4, list(struct(line))));

/* What is in a table's slot. */
static plan_cell *slot_of(const frugal_struct *type)
{
    return type->slot->plans;
}

static int drop_all(void **state)
{
    (void)state;
    frugal_plan_drop(FRUGAL_TYPE(point));
    frugal_plan_drop(FRUGAL_TYPE(line));
    assert_null(slot_of(FRUGAL_TYPE(point)));
    assert_null(slot_of(FRUGAL_TYPE(line)));
    return 0;
}

static const struct plan *get(const frugal_struct *type)
{
    const struct plan *plan = NULL;
    assert_int_equal(plan_get(type, FRUGAL_PROTOCOL_BINARY, codec_prepare, &plan, NULL), FRUGAL_OK);
    return plan;
}

/* ---- one plan ---------------------------------------------------------------------------------
 */

static void a_second_pretouch_finds_the_plan(void **state)
{
    (void)state;
    probe it;
    probe_init(&it);
    frugal_pretouch_options options = { sizeof options, .allocator = &it.allocator };
    assert_int_equal(frugal_pretouch(FRUGAL_TYPE(line), &options, NULL), FRUGAL_OK);
    const plan_cell *cell  = slot_of(FRUGAL_TYPE(line));
    size_t           calls = it.calls;
    assert_non_null(cell);
    assert_ptr_equal(cell->instance, &plan_instance);
    assert_int_equal(cell->protocol, FRUGAL_PROTOCOL_BINARY);
    assert_ptr_equal(cell->plan->type, FRUGAL_TYPE(line));

    assert_int_equal(frugal_pretouch(FRUGAL_TYPE(line), &options, NULL), FRUGAL_OK);
    assert_int_equal(frugal_pretouch(FRUGAL_TYPE(line), NULL, NULL), FRUGAL_OK);
    assert_ptr_equal(slot_of(FRUGAL_TYPE(line)), cell);
    assert_null(cell->next);
    assert_int_equal(it.calls, calls);
    assert_ptr_equal(get(FRUGAL_TYPE(line)), cell->plan);
    frugal_plan_drop(FRUGAL_TYPE(line));
}

static void encode_and_decode_use_the_plan_that_is_there(void **state)
{
    (void)state;
    probe it;
    probe_init(&it);
    frugal_pretouch_options options = { .allocator = &it.allocator };
    assert_int_equal(frugal_pretouch(FRUGAL_TYPE(line), &options, NULL), FRUGAL_OK);
    const plan_cell *cell  = slot_of(FRUGAL_TYPE(line));
    size_t           calls = it.calls, size;
    struct line      value = { .to = { 3, 4 } }, back;
    uint8_t          wire[100];
    unsigned char    memory[1000];
    frugal_arena    *arena = frugal_arena_init(memory, sizeof memory, NULL);
    assert_int_equal(
        frugal_encode_to(FRUGAL_VIEW(line, &value), NULL, wire, sizeof wire, &size, NULL),
        FRUGAL_OK);
    assert_int_equal(frugal_decode(FRUGAL_REF(line, &back), (frugal_bytes){ wire, size }, arena,
                                   NULL, NULL, NULL),
                     FRUGAL_OK);
    assert_int_equal(back.to.y, 4);
    assert_ptr_equal(slot_of(FRUGAL_TYPE(line)), cell);
    assert_int_equal(it.calls, calls);
    frugal_arena_release(arena);
    frugal_plan_drop(FRUGAL_TYPE(line));
}

static void the_first_use_compiles(void **state)
{
    (void)state;
    struct point value = { 1, 2 };
    size_t       size;
    assert_null(slot_of(FRUGAL_TYPE(point)));
    assert_int_equal(frugal_encoded_size(FRUGAL_VIEW(point, &value), NULL, &size, NULL), FRUGAL_OK);
    assert_non_null(slot_of(FRUGAL_TYPE(point)));
}

static void a_plan_belongs_to_one_table_alone(void **state)
{
    (void)state;
    const struct plan *line = get(FRUGAL_TYPE(line));
    assert_null(slot_of(FRUGAL_TYPE(point)));
    const struct plan *point = get(FRUGAL_TYPE(point));
    frugal_plan_drop(FRUGAL_TYPE(point));
    assert_null(slot_of(FRUGAL_TYPE(point)));
    assert_ptr_equal(get(FRUGAL_TYPE(line)), line);
    assert_ptr_not_equal(point, line);
}

static void pretouch_all_stops_at_the_first_failure(void **state)
{
    (void)state;
    frugal_error        error;
    frugal_slot         slot = { NULL };
    const frugal_struct bad = { .abi = FRUGAL_TABLE_ABI, .name = "bad", .align = 1, .slot = &slot };
    const frugal_struct *const types[] = { FRUGAL_TYPE(point), &bad, FRUGAL_TYPE(line) };
    assert_int_equal(frugal_pretouch_all(types, 3, NULL, &error), FRUGAL_DESCRIPTOR);
    assert_string_equal(error.path, "bad");
    assert_non_null(slot_of(FRUGAL_TYPE(point)));
    assert_null(slot.plans);
    assert_null(slot_of(FRUGAL_TYPE(line)));
    assert_int_equal(frugal_pretouch_all(NULL, 0, NULL, &error), FRUGAL_OK);
    assert_int_equal(frugal_pretouch_all(NULL, 1, NULL, &error), FRUGAL_INVALID);
}

/* ---- letting go -------------------------------------------------------------------------------
 */

static void drop_frees_and_the_next_use_compiles_again(void **state)
{
    (void)state;
    probe it;
    probe_init(&it);
    frugal_pretouch_options options = { .allocator = &it.allocator };
    for (int i = 0; i < 3; i++) {
        assert_int_equal(frugal_pretouch(FRUGAL_TYPE(line), &options, NULL), FRUGAL_OK);
        assert_true(it.live > 0);
        frugal_plan_drop(FRUGAL_TYPE(line));
        assert_int_equal(it.live, 0);
        assert_int_equal(it.blocks, 0);
        assert_null(slot_of(FRUGAL_TYPE(line)));
    }
}

static void drop_of_nothing_is_nothing_to_do(void **state)
{
    (void)state;
    const frugal_struct no_slot = { .abi = FRUGAL_TABLE_ABI, .name = "no slot" };
    frugal_plan_drop(NULL);
    frugal_plan_drop(&no_slot);
    frugal_plan_drop(FRUGAL_TYPE(point));
    frugal_plan_drop(FRUGAL_TYPE(point));
    assert_null(slot_of(FRUGAL_TYPE(point)));
}

/* ---- other copies of the library --------------------------------------------------------------
 */

static const char other_instance, third_instance;

static plan_cell foreign(const void *instance)
{
    return (plan_cell){ .instance = instance, .protocol = FRUGAL_PROTOCOL_BINARY };
}

static void plans_of_another_copy_are_not_ours(void **state)
{
    (void)state;
    plan_cell theirs                = foreign(&other_instance);
    FRUGAL_TYPE(point)->slot->plans = &theirs;
    const struct plan *plan         = get(FRUGAL_TYPE(point));
    assert_non_null(plan);
    assert_ptr_equal(plan->type, FRUGAL_TYPE(point));
    assert_ptr_equal(slot_of(FRUGAL_TYPE(point))->instance, &plan_instance);
    assert_ptr_equal(slot_of(FRUGAL_TYPE(point))->next, &theirs);

    frugal_plan_drop(FRUGAL_TYPE(point));
    assert_ptr_equal(slot_of(FRUGAL_TYPE(point)), &theirs);
    assert_null(theirs.next);
    FRUGAL_TYPE(point)->slot->plans = NULL;
}

static void our_plan_is_found_behind_those_of_others(void **state)
{
    (void)state;
    plan_cell first = foreign(&other_instance), last = foreign(&third_instance);
    FRUGAL_TYPE(point)->slot->plans = &last;
    const struct plan *plan         = get(FRUGAL_TYPE(point));
    first.next                      = slot_of(FRUGAL_TYPE(point));
    FRUGAL_TYPE(point)->slot->plans = &first;
    assert_ptr_equal(get(FRUGAL_TYPE(point)), plan);
    assert_ptr_equal(slot_of(FRUGAL_TYPE(point)), &first);

    frugal_plan_drop(FRUGAL_TYPE(point));
    plan_cell *kept = slot_of(FRUGAL_TYPE(point));
    assert_true((kept == &first && first.next == &last && last.next == NULL)
                || (kept == &last && last.next == &first && first.next == NULL));
    FRUGAL_TYPE(point)->slot->plans = NULL;
}

/* Stands for another thread that is faster: it compiles while we do. */
static const struct plan *faster;

static const void *prepare_late(plan_step *steps, uint32_t count)
{
    if (faster == NULL)
        assert_int_equal(plan_get_slow(FRUGAL_TYPE(line), FRUGAL_PROTOCOL_BINARY, codec_prepare,
                                       NULL, &faster, NULL),
                         FRUGAL_OK);
    return codec_prepare(steps, count);
}

static void of_two_that_compile_the_first_to_finish_is_kept(void **state)
{
    (void)state;
    probe              it;
    const struct plan *found = NULL;
    probe_init(&it);
    faster = NULL;
    assert_int_equal(plan_get_slow(FRUGAL_TYPE(line), FRUGAL_PROTOCOL_BINARY, prepare_late,
                                   &it.allocator, &found, NULL),
                     FRUGAL_OK);
    assert_non_null(faster);
    assert_ptr_equal(found, faster);
    assert_ptr_equal(slot_of(FRUGAL_TYPE(line))->plan, faster);
    assert_null(slot_of(FRUGAL_TYPE(line))->next);
    assert_true(it.calls > 0);
    assert_int_equal(it.live, 0); /* what was compiled in vain is freed again */
}

/* ---- refusals ---------------------------------------------------------------------------------
 */

static void unknown_protocols_are_refused(void **state)
{
    (void)state;
    frugal_error error;
    for (int protocol = 1; protocol < 300; protocol += 7) {
        const struct plan      *plan    = NULL;
        frugal_pretouch_options options = { .protocol = (frugal_protocol)protocol };
        assert_int_equal(frugal_pretouch(FRUGAL_TYPE(point), &options, &error), FRUGAL_INVALID);
        assert_int_equal(
            plan_get(FRUGAL_TYPE(point), options.protocol, codec_prepare, &plan, &error),
            FRUGAL_INVALID);
        assert_null(plan);
        assert_null(slot_of(FRUGAL_TYPE(point)));
    }
    assert_string_equal(error.message, "unknown protocol 295");
}

/* Also when there is a plan for the protocol that is known. */
static void a_plan_is_for_one_protocol(void **state)
{
    (void)state;
    const struct plan *plan = NULL;
    get(FRUGAL_TYPE(point));
    assert_int_equal(plan_get(FRUGAL_TYPE(point), (frugal_protocol)1, codec_prepare, &plan, NULL),
                     FRUGAL_INVALID);
    assert_null(plan);
}

static void a_copy_of_a_table_has_its_own_plan_in_the_shared_slot(void **state)
{
    (void)state;
    const frugal_struct copy = *FRUGAL_TYPE(point);
    const struct plan  *of_table, *of_copy, *again;
    assert_int_equal(plan_get(FRUGAL_TYPE(point), FRUGAL_PROTOCOL_BINARY, NULL, &of_table, NULL),
                     FRUGAL_OK);
    assert_int_equal(plan_get(&copy, FRUGAL_PROTOCOL_BINARY, NULL, &of_copy, NULL), FRUGAL_OK);
    assert_int_equal(plan_get(FRUGAL_TYPE(point), FRUGAL_PROTOCOL_BINARY, NULL, &again, NULL),
                     FRUGAL_OK);
    assert_ptr_not_equal(of_table, of_copy);
    assert_ptr_equal(of_table, again);
    assert_ptr_equal(of_copy->type, &copy);
}

static void no_type_is_refused(void **state)
{
    (void)state;
    frugal_error error;
    assert_int_equal(frugal_pretouch(NULL, NULL, &error), FRUGAL_INVALID);
    assert_int_equal(error.status, FRUGAL_INVALID);
}

static void a_table_that_contradicts_itself_has_no_plan(void **state)
{
    (void)state;
    frugal_error  error;
    frugal_field  fields[2] = { FRUGAL_TYPE(point)->fields[0], FRUGAL_TYPE(point)->fields[1] };
    frugal_slot   slot      = { NULL };
    frugal_struct bad       = *FRUGAL_TYPE(point);
    fields[1].id            = 1;
    bad.fields              = fields;
    bad.slot                = &slot;
    assert_int_equal(frugal_pretouch(&bad, NULL, &error), FRUGAL_DESCRIPTOR);
    assert_string_equal(error.path, "point.y");
    assert_null(slot.plans);

    /* Of another abi nothing is read, not even the slot. */
    bad.abi  = FRUGAL_TABLE_ABI + 1;
    bad.slot = (frugal_slot *)(uintptr_t)8;
    assert_int_equal(frugal_pretouch(&bad, NULL, &error), FRUGAL_DESCRIPTOR);
    bad.abi  = FRUGAL_TABLE_ABI;
    bad.slot = NULL;
    assert_int_equal(frugal_pretouch(&bad, NULL, &error), FRUGAL_DESCRIPTOR);
}

static void every_allocation_may_fail_and_the_next_try_succeeds(void **state)
{
    (void)state;
    probe        it;
    frugal_error error;
    probe_init(&it);
    frugal_pretouch_options options = { .allocator = &it.allocator };
    for (size_t nth = 0;; nth++) {
        it.calls             = 0;
        it.fail_from         = nth;
        frugal_status status = frugal_pretouch(FRUGAL_TYPE(line), &options, &error);
        bool          failed = status != FRUGAL_OK;
        if (failed) {
            assert_int_equal(status, FRUGAL_NOMEM);
            assert_int_equal(error.status, FRUGAL_NOMEM);
            assert_null(slot_of(FRUGAL_TYPE(line)));
            assert_int_equal(it.live, 0);
            it.fail_from = SIZE_MAX;
            assert_int_equal(frugal_pretouch(FRUGAL_TYPE(line), &options, &error), FRUGAL_OK);
        }
        assert_non_null(slot_of(FRUGAL_TYPE(line)));
        frugal_plan_drop(FRUGAL_TYPE(line));
        assert_int_equal(it.live, 0);
        if (!failed) {
            assert_true(nth > 5);
            break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_second_pretouch_finds_the_plan, drop_all),
        cmocka_unit_test_teardown(encode_and_decode_use_the_plan_that_is_there, drop_all),
        cmocka_unit_test_teardown(the_first_use_compiles, drop_all),
        cmocka_unit_test_teardown(a_plan_belongs_to_one_table_alone, drop_all),
        cmocka_unit_test_teardown(pretouch_all_stops_at_the_first_failure, drop_all),
        cmocka_unit_test_teardown(drop_frees_and_the_next_use_compiles_again, drop_all),
        cmocka_unit_test_teardown(drop_of_nothing_is_nothing_to_do, drop_all),
        cmocka_unit_test_teardown(plans_of_another_copy_are_not_ours, drop_all),
        cmocka_unit_test_teardown(our_plan_is_found_behind_those_of_others, drop_all),
        cmocka_unit_test_teardown(of_two_that_compile_the_first_to_finish_is_kept, drop_all),
        cmocka_unit_test_teardown(unknown_protocols_are_refused, drop_all),
        cmocka_unit_test_teardown(a_plan_is_for_one_protocol, drop_all),
        cmocka_unit_test_teardown(a_copy_of_a_table_has_its_own_plan_in_the_shared_slot, drop_all),
        cmocka_unit_test_teardown(no_type_is_refused, drop_all),
        cmocka_unit_test_teardown(a_table_that_contradicts_itself_has_no_plan, drop_all),
        cmocka_unit_test_teardown(every_allocation_may_fail_and_the_next_try_succeeds, drop_all),
    };
    return cmocka_run_group_tests_name("plan: slot", tests, NULL, NULL);
}
