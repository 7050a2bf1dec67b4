/* tests/plan/builder_test.c - which routines there are: types are recursive, plans are not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <frugal/frugal.h>

#include "plan/ask.h"

static void recursion_through_pointers_lists_and_maps_ends(void **state)
{
    (void)state;
    const struct plan  *plan = build(FRUGAL_TYPE(tree));
    const plan_routine *root = routine_of(plan, FRUGAL_TYPE(tree));
    assert_ptr_equal(root, &plan->routines[0]);
    assert_int_equal(plan->routine_count, 4); /* tree, pointer element, two entries */
    for (int16_t id = 1; id <= 3; id++)
        assert_int_equal(root_step(plan, id)->body, 0);
    const plan_routine *pointer = body_of(plan, root_step(plan, 4));
    ASSERT_OPS(plan, pointer, PLAN_RECORD, PLAN_END);
    assert_int_equal(plan->steps[pointer->first].body, 0);
    assert_int_equal(plan->steps[pointer->first].flags, PLAN_INDIRECT);
    /* A tree by value as a map's value is flattened once, and its own fields refer to routines. */
    const plan_routine *entry = body_of(plan, root_step(plan, 5));
    ASSERT_OPS(plan, entry, PLAN_TEXT, PLAN_ENTER, PLAN_RECORD, PLAN_RECORD, PLAN_LIST, PLAN_LIST,
               PLAN_MAP, PLAN_MAP, PLAN_STOP, PLAN_END);
    assert_int_equal(plan->steps[entry->first + 6].body, root_step(plan, 5)->body);
    plan_free(plan);
}

struct ping;
struct pong {
    FRUGAL_LIST(struct ping) pings;
};
struct ping {
    struct pong pong;
};
FRUGAL_DECLARE(ping);
FRUGAL_STRUCT(pong, FRUGAL_FIELD(pong, pings, 1, list(struct(ping))));
FRUGAL_STRUCT(ping, FRUGAL_FIELD(ping, pong, 1, struct(pong)));

static void structs_may_contain_each_other(void **state)
{
    (void)state;
    const struct plan *plan = build(FRUGAL_TYPE(pong));
    assert_int_equal(plan->routine_count, 2);
    assert_ptr_equal(routine_of(plan, FRUGAL_TYPE(ping)), &plan->routines[1]);
    ASSERT_OPS(plan, &plan->routines[1], PLAN_ENTER, PLAN_LIST, PLAN_STOP, PLAN_STOP, PLAN_END);
    plan_free(plan);
}

struct many {
    struct point                           a, b;
    struct point                          *c, *d;
    FRUGAL_LIST(struct point)              e;
    FRUGAL_SET(struct point)               f;
    FRUGAL_LIST(FRUGAL_LIST(struct point)) g;
};
FRUGAL_STRUCT(many,
    FRUGAL_FIELD(many, a, 1, struct(point)),
    FRUGAL_FIELD(many, b, 2, struct(point)),
    FRUGAL_FIELD(many, c, 3, struct(point)),
    FRUGAL_FIELD(many, d, 4, struct(point)),
    FRUGAL_FIELD(many, e, 5, list(struct(point))),
    FRUGAL_FIELD(many, f, 6, set(struct(point))),
    FRUGAL_FIELD(many, g, 7, list(list(struct(point)))));

static void one_struct_is_one_routine(void **state)
{
    (void)state;
    const struct plan *plan  = build(FRUGAL_TYPE(many));
    uint32_t           point = (uint32_t)(routine_of(plan, FRUGAL_TYPE(point)) - plan->routines);
    for (int16_t id = 1; id <= 6; id++)
        assert_int_equal(root_step(plan, id)->body, point);
    const plan_routine *inner = body_of(plan, root_step(plan, 7));
    ASSERT_OPS(plan, inner, PLAN_LIST, PLAN_END);
    assert_int_equal(plan->steps[inner->first].body, point);
    assert_int_equal(plan->routine_count, 3);
    plan_free(plan);
}

/* A chain of types in which each refers to the next one twice has 2^30 ways through it. */
static void one_node_is_one_routine(void **state)
{
    enum { DEPTH = 30 };
    (void)state;
    frugal_type nodes[DEPTH];
    made       *it = make_numbers(1, 1, 1);
    nodes[0]       = (frugal_type){ .kind = FRUGAL_KIND_STRING, .size = sizeof(frugal_str) };
    for (int i = 1; i < DEPTH; i++)
        nodes[i] = (frugal_type){ .kind   = FRUGAL_KIND_MAP,
                                  .size   = sizeof(frugal_str),
                                  .stride = 2 * sizeof(frugal_str),
                                  .key    = &nodes[i - 1],
                                  .elem   = &nodes[i - 1] };
    it->fields[0].type      = nodes[DEPTH - 1];
    it->type.size           = sizeof(frugal_str);
    it->type.align          = _Alignof(frugal_str);
    const struct plan *plan = build(&it->type);
    assert_int_equal(plan->routine_count, DEPTH); /* the struct, and the entries of each map */
    plan_free(plan);
    free(it);
}

struct atlas {
    FRUGAL_LIST(FRUGAL_MAP(int8_t, int8_t)) maps;
};
FRUGAL_STRUCT(atlas, FRUGAL_FIELD(atlas, maps, 1, list(map(i8, i8))));

/* Both are made from one node of the type. */
static void a_map_as_an_element_and_its_entries_are_two_routines(void **state)
{
    (void)state;
    const struct plan  *plan    = build(FRUGAL_TYPE(atlas));
    const plan_routine *element = body_of(plan, root_step(plan, 1));
    ASSERT_OPS(plan, element, PLAN_MAP, PLAN_END);
    const plan_routine *entry = body_of(plan, &plan->steps[element->first]);
    ASSERT_OPS(plan, entry, PLAN_I8, PLAN_I8, PLAN_END);
    assert_int_equal(plan->routine_count, 3);
    plan_free(plan);
}

static void more_types_than_the_table_of_routines_begins_with(void **state)
{
    enum { COUNT = 500 };
    (void)state;
    made *outer = make_numbers(COUNT, 1, 1), *inner[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        inner[i]                = make_numbers(2, 1, 1);
        outer->fields[i].type   = (frugal_type){ .kind     = FRUGAL_KIND_STRUCT,
                                                 .indirect = true,
                                                 .size     = sizeof(void *),
                                                 .record   = &inner[i]->type };
        outer->fields[i].offset = (uint32_t)sizeof(void *) * i;
    }
    outer->type.size        = (uint32_t)sizeof(void *) * COUNT;
    outer->type.align       = _Alignof(void *);
    const struct plan *plan = build(&outer->type);
    assert_int_equal(plan->routine_count, COUNT + 1);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_ptr_equal(body_of(plan, &plan->steps[i])->type, &inner[i]->type);
        free(inner[i]);
    }
    plan_free(plan);
    free(outer);
}

static void elements_and_entries_know_their_place_and_least_size(void **state)
{
    (void)state;
    const struct plan  *plan  = build(FRUGAL_TYPE(tree));
    const plan_routine *entry = body_of(plan, root_step(plan, 5));
    assert_int_equal(entry->value_offset, sizeof(frugal_str));
    assert_int_equal(entry->stride, sizeof(frugal_str) + sizeof(struct tree));
    assert_int_equal(entry->align, _Alignof(struct tree));
    assert_int_equal(entry->wire_min, 4 + 1);
    assert_int_equal(entry->depth, 0);
    assert_false(entry->initialise);
    assert_int_equal(plan->steps[entry->first + entry->count - 1].stride, entry->stride);
    const plan_routine *pointer = body_of(plan, root_step(plan, 4));
    assert_int_equal(pointer->stride, sizeof(void *));
    assert_int_equal(pointer->wire_min, 1);
    assert_int_equal(pointer->value_offset, 0);
    const plan_routine *root = &plan->routines[0];
    assert_int_equal(root->stride, sizeof(struct tree));
    assert_int_equal(root->wire_min, 1);
    assert_int_equal(root->depth, 1);
    assert_true(root->initialise);
    plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recursion_through_pointers_lists_and_maps_ends),
        cmocka_unit_test(structs_may_contain_each_other),
        cmocka_unit_test(one_struct_is_one_routine),
        cmocka_unit_test(one_node_is_one_routine),
        cmocka_unit_test(a_map_as_an_element_and_its_entries_are_two_routines),
        cmocka_unit_test(more_types_than_the_table_of_routines_begins_with),
        cmocka_unit_test(elements_and_entries_know_their_place_and_least_size),
    };
    return cmocka_run_group_tests_name("plan: builder", tests, NULL, NULL);
}
