/* tests/plan/build_test.c - what a table becomes: order, headers, places, structs inside, unions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <frugal/frugal.h>

#include "plan/ask.h"
#include "support/probe.h"

/* ---- order and headers ----------------------------------------------------------------------- */

struct disorder {
    int8_t three, lowest, minus, highest, zero;
};
FRUGAL_STRUCT(disorder,
    FRUGAL_FIELD(disorder, three,   3),
    FRUGAL_FIELD(disorder, lowest,  -32768),
    FRUGAL_FIELD(disorder, minus,   -5),
    FRUGAL_FIELD(disorder, highest, 32767),
    FRUGAL_FIELD(disorder, zero,    0));

static void steps_follow_the_signed_order_of_ids(void **state)
{
    (void)state;
    const struct plan *plan  = build(FRUGAL_TYPE(disorder));
    const int16_t      ids[] = { -32768, -5, 0, 3, 32767 };
    assert_int_equal(plan->scope_count, 1);
    assert_int_equal(plan->scopes[0].count, 5);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(plan->origins[i].field->id, ids[i]);
        assert_int_equal(plan->scopes[0].ids[i], ids[i]);
        assert_int_equal(plan->scopes[0].step_of[i], i);
        assert_int_equal(plan->steps[i].index, i);
    }
    ASSERT_OPS(plan, &plan->routines[0], PLAN_I8, PLAN_I8, PLAN_I8, PLAN_I8, PLAN_I8, PLAN_STOP,
               PLAN_END);
    plan_free(plan);
}

static void every_id_may_be_taken_in_any_order(void **state)
{
    (void)state;
    made              *it   = make_numbers(65536, 32767, -1);
    const struct plan *plan = build(&it->type);
    assert_int_equal(plan->scopes[0].count, 65536);
    assert_non_null(plan->scopes[0].by_id);
    for (int id = -32768; id <= 32767; id++) {
        const plan_step *step = plan_find(plan, &plan->scopes[0], (int16_t)id);
        assert_non_null(step);
        assert_int_equal(plan->origins[step->number].field->id, id);
    }
    plan_free(plan);
    free(it);
}

enum color { RED = 1 };
FRUGAL_ENUM(color, FRUGAL_ITEM(RED));

struct kinds {
    bool                      a;
    int8_t                    b;
    int16_t                   c;
    int32_t                   d;
    int64_t                   e;
    double                    f;
    frugal_str                g;
    frugal_bytes              h;
    enum color                i;
    struct point             *j;
    FRUGAL_LIST(int16_t)      k;
    FRUGAL_SET(bool)          l;
    FRUGAL_LIST(frugal_str)   m;
    FRUGAL_MAP(int64_t, bool) n;
    FRUGAL_SET(struct point)  o;
};
FRUGAL_STRUCT(kinds,
    FRUGAL_FIELD(kinds, a, -2),
    FRUGAL_FIELD(kinds, b, 0),
    FRUGAL_FIELD(kinds, c, 1),
    FRUGAL_FIELD(kinds, d, 255),
    FRUGAL_FIELD(kinds, e, 256),
    FRUGAL_FIELD(kinds, f, 0x1234),
    FRUGAL_FIELD(kinds, g, 0x1235),
    FRUGAL_FIELD(kinds, h, 0x1236),
    FRUGAL_FIELD(kinds, i, 0x1237, default, enum(color)),
    FRUGAL_FIELD(kinds, j, 0x1238, struct(point)),
    FRUGAL_FIELD(kinds, k, 0x1239, list(i16)),
    FRUGAL_FIELD(kinds, l, 0x123a, set(bool)),
    FRUGAL_FIELD(kinds, m, 0x123b, list(string)),
    FRUGAL_FIELD(kinds, n, 0x123c, map(i64, bool)),
    FRUGAL_FIELD(kinds, o, 0x7fff, set(struct(point))));

/* What a field of the Binary protocol begins with: type, id, and what the value begins with where
 * the format fixes that. */
static void headers_are_the_bytes_on_the_wire(void **state)
{
    static const struct {
        plan_op  op;
        unsigned size;
        uint8_t  head[4];
    } wanted[] = {
        { PLAN_BOOL, 3, { 2, 0xff, 0xfe, 0 } },    { PLAN_I8, 3, { 3, 0, 0, 0 } },
        { PLAN_I16, 3, { 6, 0, 1, 0 } },           { PLAN_I32, 3, { 8, 0, 0xff, 0 } },
        { PLAN_I64, 3, { 10, 1, 0, 0 } },          { PLAN_I64, 3, { 4, 0x12, 0x34, 0 } },
        { PLAN_TEXT, 4, { 11, 0x12, 0x35, 0 } },   { PLAN_TEXT, 4, { 11, 0x12, 0x36, 0 } },
        { PLAN_I32, 3, { 8, 0x12, 0x37, 0 } },     { PLAN_RECORD, 3, { 12, 0x12, 0x38, 0 } },
        { PLAN_VECTOR, 4, { 15, 0x12, 0x39, 6 } }, { PLAN_BOOLS, 4, { 14, 0x12, 0x3a, 2 } },
        { PLAN_LIST, 4, { 15, 0x12, 0x3b, 11 } },  { PLAN_MAP, 4, { 13, 0x12, 0x3c, 10 } },
        { PLAN_LIST, 4, { 14, 0x7f, 0xff, 12 } },
    };
    (void)state;
    const struct plan *plan = build(FRUGAL_TYPE(kinds));
    for (uint32_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        const plan_step *step = &plan->steps[i];
        assert_int_equal(step->op, wanted[i].op);
        assert_int_equal(step->wire, wanted[i].head[0]);
        assert_int_equal(plan_head_size(step), wanted[i].size);
        assert_memory_equal(&step->head, wanted[i].head, 4);
        assert_int_equal(step->code, PLAN_CODE(wanted[i].op, PLAN_FIELD));
    }
    plan_free(plan);
}

/* The writer stores what the reader expects. */
static void an_encoded_field_begins_with_its_header(void **state)
{
    (void)state;
    struct kinds value;
    uint8_t      wire[512];
    size_t       size = 0, at = 0;
    memset(&value, 0, sizeof value);
    assert_int_equal(
        frugal_encode_to(FRUGAL_VIEW(kinds, &value), NULL, wire, sizeof wire, &size, NULL),
        FRUGAL_OK);
    const struct plan *plan = build(FRUGAL_TYPE(kinds));
    for (uint32_t i = 0; i < plan->scopes[0].count; i++) {
        size_t used;
        assert_memory_equal(wire + at, &plan->steps[i].head, plan_head_size(&plan->steps[i]));
        frugal_bytes rest = { wire + at + 3, size - at - 3 };
        assert_int_equal(frugal_skip(rest, (frugal_wire_type)wire[at], NULL, &used, NULL),
                         FRUGAL_OK);
        at += 3 + used;
    }
    assert_int_equal(at + 1, size);
    plan_free(plan);
    frugal_plan_drop(FRUGAL_TYPE(kinds));
}

/* ---- places ---------------------------------------------------------------------------------- */

static void a_step_knows_how_its_field_is_absent(void **state)
{
    static const plan_place places[] = { PLAN_FIELD,      PLAN_BY_HAS,     PLAN_BY_POINTER,
                                         PLAN_BY_POINTER, PLAN_BY_POINTER, PLAN_FIELD,
                                         PLAN_FIELD,      PLAN_FIELD };
    (void)state;
    const struct plan *plan = build(FRUGAL_TYPE(presence));
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(plan->steps[i].code / PLAN_OPS, places[i]);
    const plan_step *number = root_step(plan, 2);
    assert_int_equal(number->offset, offsetof(struct presence, number.value));
    assert_int_equal(number->has, offsetof(struct presence, number.has));
    plan_free(plan);
}

static void flags_say_what_the_field_says(void **state)
{
    static const unsigned flags[] = {
        PLAN_REQUIRED, PLAN_INITIAL,  PLAN_ANY_TEXT | PLAN_STRING, 0, PLAN_INDIRECT,
        PLAN_INDIRECT, PLAN_REQUIRED, PLAN_ANY_TEXT | PLAN_NO_COPY
    };
    (void)state;
    const struct plan *plan = build(FRUGAL_TYPE(presence));
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(plan->steps[i].flags, flags[i]);
    assert_true(plan->mixes_views);
    plan_free(plan);

    plan = build(FRUGAL_TYPE(kinds));
    assert_int_equal(root_step(plan, 0x123a)->flags, PLAN_SET);
    assert_int_equal(root_step(plan, 0x123b)->flags, 0);
    assert_int_equal(root_step(plan, 0x7fff)->flags, PLAN_SET);
    assert_false(plan->mixes_views);
    plan_free(plan);
}

static void the_keeper_is_no_field_and_stands_before_the_stop(void **state)
{
    (void)state;
    const struct plan *plan = build(FRUGAL_TYPE(presence));
    assert_int_equal(plan->scopes[0].count, 8);
    assert_int_equal(plan->scopes[0].keeper, offsetof(struct presence, kept));
    assert_int_equal(plan->steps[8].op, PLAN_KEEP);
    assert_int_equal(plan->steps[8].offset, offsetof(struct presence, kept));
    assert_int_equal(plan->steps[9].op, PLAN_STOP);
    assert_int_equal(plan->scopes[0].step_of[8], 9);
    plan_free(plan);

    plan = build(FRUGAL_TYPE(point));
    assert_int_equal(plan->scopes[0].keeper, PLAN_NONE);
    plan_free(plan);
}

/* ---- structs by value ------------------------------------------------------------------------ */

static void structs_by_value_are_flattened_four_deep(void **state)
{
    (void)state;
    const struct plan *plan = build(FRUGAL_TYPE(level_0));
    ASSERT_OPS(plan, &plan->routines[0], PLAN_I8, PLAN_ENTER, PLAN_I8, PLAN_ENTER, PLAN_I8,
               PLAN_ENTER, PLAN_I8, PLAN_ENTER, PLAN_I8, PLAN_RECORD, PLAN_STOP, PLAN_STOP,
               PLAN_STOP, PLAN_STOP, PLAN_STOP, PLAN_END);
    const plan_step *last = &plan->steps[9];
    assert_int_equal(last->offset, 5);
    assert_int_equal(last->depth, 5);
    assert_ptr_equal(body_of(plan, last)->type, FRUGAL_TYPE(level_5));
    plan_free(plan);
}

static void a_flattened_struct_has_a_scope_inside_the_one_around(void **state)
{
    (void)state;
    const struct plan *plan  = build(FRUGAL_TYPE(level_3));
    const plan_step   *enter = root_step(plan, 2);
    assert_int_equal(enter->op, PLAN_ENTER);
    assert_int_equal(enter->wire, FRUGAL_WIRE_STRUCT);
    const plan_scope *inner = &plan->scopes[enter[1].scope];
    assert_ptr_equal(inner->type, FRUGAL_TYPE(level_4));
    assert_int_equal(inner->parent_step, enter->number);
    assert_int_equal(inner->base, offsetof(struct level_3, inside));
    assert_int_equal(plan->scopes[0].parent_step, PLAN_NONE);
    assert_int_equal(plan->scopes[0].base, 0);
    assert_true(stop_of(plan, inner) < stop_of(plan, &plan->scopes[0]));
    plan_free(plan);
}

static void a_flattened_struct_has_a_routine_all_the_same(void **state)
{
    (void)state;
    const struct plan  *plan    = build(FRUGAL_TYPE(level_3));
    const plan_routine *routine = body_of(plan, root_step(plan, 2));
    assert_ptr_equal(routine->type, FRUGAL_TYPE(level_4));
    ASSERT_OPS(plan, routine, PLAN_I8, PLAN_ENTER, PLAN_I8, PLAN_STOP, PLAN_STOP, PLAN_END);
    plan_free(plan);
}

static void depth_counts_structs_and_containers_since_the_routine_began(void **state)
{
    (void)state;
    const struct plan *plan = build(FRUGAL_TYPE(level_0));
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(plan->steps[2 * i].depth, i); /* a number is no level */
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(plan->steps[2 * i + 1].depth, i + 1);
    plan_free(plan);

    plan = build(FRUGAL_TYPE(kinds));
    assert_int_equal(root_step(plan, 0x1235)->depth, 0);
    for (int16_t id = 0x1238; id <= 0x123c; id++)
        assert_int_equal(root_step(plan, id)->depth, 1);
    plan_free(plan);
}

/* Behind `before` numbers a struct by value of one number. */
static plan_op op_behind(uint32_t before)
{
    made         *inner = make_numbers(1, 1, 1), *outer = make_numbers(before + 1, 1, 1);
    frugal_field *field = &outer->fields[before];
    field->type = (frugal_type){ .kind = FRUGAL_KIND_STRUCT, .size = 4, .record = &inner->type };
    const struct plan *plan = build(&outer->type);
    plan_op            op   = (plan_op)plan->steps[before].op;
    plan_free(plan);
    free(inner);
    free(outer);
    return op;
}

/* The steps so far, ENTER and the fields inside must be fewer than PLAN_FLATTEN_STEPS. */
static void structs_are_flattened_while_the_routine_is_short(void **state)
{
    (void)state;
    assert_int_equal(op_behind(0), PLAN_ENTER);
    assert_int_equal(op_behind(PLAN_FLATTEN_STEPS - 3), PLAN_ENTER);
    assert_int_equal(op_behind(PLAN_FLATTEN_STEPS - 2), PLAN_RECORD);
    assert_int_equal(op_behind(PLAN_FLATTEN_STEPS + 100), PLAN_RECORD);
}

struct holder {
    struct choice choice;
    struct point *point;
};
FRUGAL_STRUCT(holder,
    FRUGAL_FIELD(holder, choice, 1, struct(choice)),
    FRUGAL_FIELD(holder, point,  2, struct(point)));

static void unions_and_what_is_behind_a_pointer_stay_routines(void **state)
{
    (void)state;
    const struct plan *plan = build(FRUGAL_TYPE(holder));
    ASSERT_OPS(plan, &plan->routines[0], PLAN_RECORD, PLAN_RECORD, PLAN_STOP, PLAN_END);
    assert_ptr_equal(body_of(plan, root_step(plan, 1))->type, FRUGAL_TYPE(choice));
    assert_ptr_equal(body_of(plan, root_step(plan, 2))->type, FRUGAL_TYPE(point));
    plan_free(plan);
}

/* ---- unions ---------------------------------------------------------------------------------- */

static void every_arm_is_a_routine_of_one_element(void **state)
{
    static const int16_t ids[] = { -7, 1, 4, 5 };
    static const plan_op ops[] = { PLAN_TEXT, PLAN_I64, PLAN_RECORD, PLAN_RECORD };
    (void)state;
    const struct plan *plan = build(FRUGAL_TYPE(choice));
    ASSERT_OPS(plan, &plan->routines[0], PLAN_UNION, PLAN_END);
    const plan_scope *scope = &plan->scopes[0];
    assert_int_equal(scope->count, 4);
    assert_int_equal(scope->keeper, offsetof(struct choice, kept));
    assert_int_equal(scope->step_of[4], 0);
    assert_int_equal(plan->steps[0].has, offsetof(struct choice, which));
    for (uint32_t i = 0; i < 4; i++) {
        const plan_routine *arm  = &plan->routines[scope->arms[i]];
        const plan_step    *step = plan_find(plan, scope, ids[i]);
        ASSERT_OPS(plan, arm, ops[i], PLAN_END);
        assert_ptr_equal(step, &plan->steps[arm->first]);
        assert_int_equal(step->code, PLAN_CODE(ops[i], PLAN_ELEMENT));
        assert_int_equal(step->index, i);
        assert_int_equal(((const uint8_t *)&step->head)[0], step->wire);
        assert_int_equal(((const uint8_t *)&step->head)[2], (uint8_t)ids[i]);
        assert_int_equal(plan->origins[step->number].field->id, ids[i]);
        assert_null(arm->type);
    }
    assert_null(plan_find(plan, scope, 0));
    assert_null(plan_find(plan, scope, 2));
    assert_null(plan_find(plan, scope, 6));
    plan_free(plan);
}

static void a_union_without_arms_is_a_plan_too(void **state)
{
    (void)state;
    static frugal_slot  slot;
    const frugal_struct nothing = { .abi      = FRUGAL_TABLE_ABI,
                                    .name     = "nothing",
                                    .size     = 4,
                                    .align    = 4,
                                    .is_union = true,
                                    .slot     = &slot };
    const struct plan  *plan    = build(&nothing);
    ASSERT_OPS(plan, &plan->routines[0], PLAN_UNION, PLAN_END);
    assert_null(plan_find(plan, &plan->scopes[0], 1));
    plan_free(plan);
}

/* ---- initial values -------------------------------------------------------------------------- */

struct server {
    frugal_str host;
    int32_t    port;
};
static const char          localhost[]    = "localhost";
static const struct server server_initial = { { localhost, 9 }, 80 };
FRUGAL_STRUCT_WITH(server, &server_initial,
    FRUGAL_FIELD(server, host, 1),
    FRUGAL_FIELD(server, port, 2));

/* No defaults of its own: it starts from those inside. */
struct site {
    int32_t                            n;
    struct server                      server;
    struct server                     *backup;
    FRUGAL_LIST(struct server)         more;
    FRUGAL_MAP(int32_t, struct server) by_id;
};
FRUGAL_STRUCT(site,
    FRUGAL_FIELD(site, n,      1),
    FRUGAL_FIELD(site, server, 2, struct(server)),
    FRUGAL_FIELD(site, backup, 3, struct(server)),
    FRUGAL_FIELD(site, more,   4, list(struct(server))),
    FRUGAL_FIELD(site, by_id,  5, map(i32, struct(server))));

/* Defaults of its own, which are those inside in some places. */
struct special {
    struct server same, other;
    struct point  zero, point;
};
static const struct special special_initial = {
    { { localhost, 9 }, 80 }, { { localhost, 9 }, 81 }, { 0, 0 }, { 0, 1 }
};

FRUGAL_STRUCT_WITH(special, &special_initial,
    FRUGAL_FIELD(special, same,  1, struct(server)),
    FRUGAL_FIELD(special, other, 2, struct(server)),
    FRUGAL_FIELD(special, zero,  3, struct(point)),
    FRUGAL_FIELD(special, point, 4, struct(point)));

static void records_start_from_defaults_or_from_zeroes(void **state)
{
    (void)state;
    const struct plan *plan = build(FRUGAL_TYPE(site));
    struct site        site;
    frugal_init(FRUGAL_REF(site, &site));
    assert_memory_equal(plan->routines[0].initial, &site, sizeof site);
    assert_memory_equal(routine_of(plan, FRUGAL_TYPE(server))->initial, &server_initial,
                        sizeof server_initial);
    plan_free(plan);

    plan = build(FRUGAL_TYPE(presence));
    assert_null(plan->routines[0].initial);
    plan_free(plan);
}

static void what_surrounds_a_struct_initialises_it_when_it_can(void **state)
{
    (void)state;
    const struct plan *plan = build(FRUGAL_TYPE(site));
    assert_int_equal(root_step(plan, 2)->flags, 0);
    assert_int_equal(root_step(plan, 3)->flags, PLAN_INDIRECT);
    /* Nothing initialises an entry in one piece. */
    const plan_routine *entry = body_of(plan, root_step(plan, 5));
    assert_int_equal(plan->steps[entry->first + 1].op, PLAN_ENTER);
    assert_int_equal(plan->steps[entry->first + 1].flags, PLAN_INIT);
    plan_free(plan);
}

static void a_struct_inside_is_initialised_where_defaults_differ(void **state)
{
    (void)state;
    const struct plan *plan = build(FRUGAL_TYPE(special));
    assert_int_equal(root_step(plan, 1)->flags, 0);
    assert_int_equal(root_step(plan, 2)->flags, PLAN_INIT);
    assert_int_equal(root_step(plan, 3)->flags, 0);
    assert_int_equal(root_step(plan, 4)->flags, PLAN_INIT);
    plan_free(plan);
}

/* `inner` has defaults of its own, `outer` others for it. What lies in `inner` starts from what
 * `inner` starts from, not from what the outermost record has at that place. */
struct inner {
    int32_t      n;
    struct point point;
};
static const struct inner inner_initial = { 1, { 2, 0 } };
FRUGAL_STRUCT_WITH(inner, &inner_initial,
    FRUGAL_FIELD(inner, n,     1),
    FRUGAL_FIELD(inner, point, 2, struct(point)));
struct outer {
    struct inner inner;
};
static const struct outer outer_initial = { { 1, { 0, 0 } } };
FRUGAL_STRUCT_WITH(outer, &outer_initial,
    FRUGAL_FIELD(outer, inner, 1, struct(inner)));

static void a_struct_is_compared_with_what_lies_directly_around_it(void **state)
{
    (void)state;
    const struct plan *plan  = build(FRUGAL_TYPE(outer));
    const plan_step   *inner = root_step(plan, 1);
    assert_int_equal(inner->op, PLAN_ENTER);
    assert_int_equal(inner->flags, PLAN_INIT);
    const plan_step *point = plan_find(plan, &plan->scopes[inner[1].scope], 2);
    assert_int_equal(point->op, PLAN_ENTER);
    assert_int_equal(point->flags, PLAN_INIT);
    plan_free(plan);
}

static void an_arm_by_value_is_always_initialised(void **state)
{
    (void)state;
    const struct plan *plan = build(FRUGAL_TYPE(choice));
    assert_int_equal(plan_find(plan, &plan->scopes[0], 4)->flags, PLAN_INDIRECT);
    assert_int_equal(plan_find(plan, &plan->scopes[0], 5)->flags, PLAN_INIT);
    plan_free(plan);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void every_step_knows_its_number_and_its_scope(void **state)
{
    const frugal_struct *types[] = { FRUGAL_TYPE(tree), FRUGAL_TYPE(level_0), FRUGAL_TYPE(choice),
                                     FRUGAL_TYPE(site), FRUGAL_TYPE(presence) };
    (void)state;
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        const struct plan *plan = build(types[t]);
        uint32_t           next = 0;
        assert_ptr_equal(plan->type, types[t]);
        for (uint32_t i = 0; i < plan->step_count; i++)
            assert_int_equal(plan->steps[i].number, i);
        for (uint32_t i = 0; i < plan->routine_count; i++) {
            const plan_routine *r = &plan->routines[i];
            assert_int_equal(r->first, next);
            next += r->count;
            assert_int_equal(plan->steps[next - 1].op, PLAN_END);
        }
        assert_int_equal(next, plan->step_count);
        for (uint32_t i = 0; i < plan->scope_count; i++)
            for (uint32_t k = 0; k <= plan->scopes[i].count; k++)
                assert_int_equal(plan->steps[plan->scopes[i].step_of[k]].scope, i);
        plan_free(plan);
    }
}

static plan_step      *prepared;
static uint32_t        prepared_count;
static const char      the_engine;
static const plan_step mark;

static const void *prepare(plan_step *steps, uint32_t count)
{
    prepared       = steps;
    prepared_count = count;
    for (uint32_t i = 0; i < count; i++)
        steps[i].read = &mark;
    return &the_engine;
}

static void steps_are_prepared_before_the_plan_is_handed_out(void **state)
{
    (void)state;
    const struct plan *plan;
    assert_int_equal(
        plan_build(FRUGAL_TYPE(point), FRUGAL_PROTOCOL_BINARY, prepare, NULL, &plan, NULL),
        FRUGAL_OK);
    assert_non_null(prepared);
    assert_int_equal(prepared_count, plan->step_count);
    assert_ptr_equal(plan->engine, &the_engine);
    for (uint32_t i = 0; i < plan->step_count; i++)
        assert_ptr_equal(plan->steps[i].read, &mark);
    plan_free(plan);
}

/* Fails every allocation of a build once. */
static void check_scarcity(const frugal_struct *type)
{
    probe        it;
    frugal_error error;
    probe_init(&it);
    for (size_t nth = 0;; nth++) {
        const struct plan *plan = NULL;
        it.calls                = 0;
        it.fail_from            = nth;
        frugal_status status =
            plan_build(type, FRUGAL_PROTOCOL_BINARY, NULL, &it.allocator, &plan, &error);
        if (status == FRUGAL_OK) {
            assert_true(nth > 4);
            plan_free(plan);
            assert_int_equal(it.live, 0);
            return;
        }
        assert_int_equal(status, FRUGAL_NOMEM);
        assert_int_equal(error.status, FRUGAL_NOMEM);
        assert_null(plan);
        assert_int_equal(it.live, 0);
        assert_int_equal(it.blocks, 0);
    }
}

static void every_allocation_may_fail_and_nothing_is_lost(void **state)
{
    (void)state;
    made *wide = make_numbers(600, 1, 1), *disorderly = make_numbers(200, 200, -1);
    check_scarcity(FRUGAL_TYPE(point));
    check_scarcity(FRUGAL_TYPE(empty));
    check_scarcity(FRUGAL_TYPE(disorder));
    check_scarcity(FRUGAL_TYPE(tree));
    check_scarcity(FRUGAL_TYPE(level_0));
    check_scarcity(FRUGAL_TYPE(choice));
    check_scarcity(FRUGAL_TYPE(special));
    check_scarcity(FRUGAL_TYPE(presence));
    check_scarcity(&wide->type);
    check_scarcity(&disorderly->type);
    free(wide);
    free(disorderly);
}

static void a_plan_takes_all_its_memory_from_its_allocator(void **state)
{
    (void)state;
    probe it;
    probe_init(&it);
    it.shift = 8; /* blocks that are not aligned to 16 */
    const struct plan *plan;
    assert_int_equal(
        plan_build(FRUGAL_TYPE(tree), FRUGAL_PROTOCOL_BINARY, NULL, &it.allocator, &plan, NULL),
        FRUGAL_OK);
    assert_true(it.live > sizeof(plan_step) * plan->step_count);
    plan_free(plan);
    assert_int_equal(it.live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_follow_the_signed_order_of_ids),
        cmocka_unit_test(every_id_may_be_taken_in_any_order),
        cmocka_unit_test(headers_are_the_bytes_on_the_wire),
        cmocka_unit_test(an_encoded_field_begins_with_its_header),
        cmocka_unit_test(a_step_knows_how_its_field_is_absent),
        cmocka_unit_test(flags_say_what_the_field_says),
        cmocka_unit_test(the_keeper_is_no_field_and_stands_before_the_stop),
        cmocka_unit_test(structs_by_value_are_flattened_four_deep),
        cmocka_unit_test(a_flattened_struct_has_a_scope_inside_the_one_around),
        cmocka_unit_test(a_flattened_struct_has_a_routine_all_the_same),
        cmocka_unit_test(depth_counts_structs_and_containers_since_the_routine_began),
        cmocka_unit_test(structs_are_flattened_while_the_routine_is_short),
        cmocka_unit_test(unions_and_what_is_behind_a_pointer_stay_routines),
        cmocka_unit_test(every_arm_is_a_routine_of_one_element),
        cmocka_unit_test(a_union_without_arms_is_a_plan_too),
        cmocka_unit_test(records_start_from_defaults_or_from_zeroes),
        cmocka_unit_test(what_surrounds_a_struct_initialises_it_when_it_can),
        cmocka_unit_test(a_struct_inside_is_initialised_where_defaults_differ),
        cmocka_unit_test(a_struct_is_compared_with_what_lies_directly_around_it),
        cmocka_unit_test(an_arm_by_value_is_always_initialised),
        cmocka_unit_test(every_step_knows_its_number_and_its_scope),
        cmocka_unit_test(steps_are_prepared_before_the_plan_is_handed_out),
        cmocka_unit_test(every_allocation_may_fail_and_nothing_is_lost),
        cmocka_unit_test(a_plan_takes_all_its_memory_from_its_allocator),
    };
    return cmocka_run_group_tests_name("plan: build", tests, NULL, NULL);
}
