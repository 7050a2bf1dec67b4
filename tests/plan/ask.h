/* plan/ask.h - tables for the tests of plans, and questions to a plan. */
#ifndef PLAN_ASK_H
#define PLAN_ASK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <frugal/frugal.h>

#include "plan/plan.h"

#define STEP sizeof(plan_step)

/* ---- questions ------------------------------------------------------------------------------- */

/* A plan that is in no slot. */
static inline const struct plan *build(const frugal_struct *type)
{
    const struct plan *plan = NULL;
    assert_int_equal(frugal_struct_check(type, NULL), FRUGAL_OK);
    assert_int_equal(plan_build(type, FRUGAL_PROTOCOL_BINARY, NULL, NULL, &plan, NULL), FRUGAL_OK);
    return plan;
}

/* The routine of a struct or union; it must be there once. */
static inline const plan_routine *routine_of(const struct plan *plan, const frugal_struct *type)
{
    const plan_routine *found = NULL;
    for (uint32_t i = 0; i < plan->routine_count; i++) {
        if (plan->routines[i].type != type)
            continue;
        assert_null(found);
        found = &plan->routines[i];
    }
    assert_non_null(found);
    return found;
}

/* The step of a field in the scope that begins the routine. */
static inline const plan_step *step_of(const struct plan *plan, const plan_routine *routine,
                                       int16_t id)
{
    const plan_scope *scope = &plan->scopes[plan->steps[routine->first].scope];
    const plan_step  *step  = plan_find(plan, scope, id);
    assert_non_null(step);
    return step;
}

static inline const plan_step *root_step(const struct plan *plan, int16_t id)
{
    return step_of(plan, &plan->routines[0], id);
}

static inline const plan_step *stop_of(const struct plan *plan, const plan_scope *scope)
{
    const plan_step *stop = &plan->steps[scope->step_of[scope->count]];
    assert_int_equal(stop->op, PLAN_STOP);
    return stop;
}

static inline const plan_routine *body_of(const struct plan *plan, const plan_step *step)
{
    assert_true(step->body < plan->routine_count);
    return &plan->routines[step->body];
}

static inline void assert_ops(const struct plan *plan, const plan_routine *routine,
                              const plan_op *ops, uint32_t count)
{
    assert_int_equal(routine->count, count);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(plan->steps[routine->first + i].op, ops[i]);
}
#define ASSERT_OPS(plan, routine, ...)                              \
    assert_ops((plan), (routine), (const plan_op[]){ __VA_ARGS__ }, \
               sizeof((const plan_op[]){ __VA_ARGS__ }) / sizeof(plan_op))

/* ---- tables ---------------------------------------------------------------------------------- */

struct point {
    int32_t x, y;
};
FRUGAL_STRUCT(point,
    FRUGAL_FIELD(point, x, 1),
    FRUGAL_FIELD(point, y, 2));

struct choice {
    int32_t which;
    union {
        int64_t       number;
        frugal_str    text;
        struct point *far;
        struct point  near;
    };
    frugal_bytes kept;
};
FRUGAL_UNION(choice, which,
    FRUGAL_ARM(choice, number, 1),
    FRUGAL_ARM(choice, text,   -7),
    FRUGAL_ARM(choice, far,    4, struct(point)),
    FRUGAL_ARM(choice, near,   5, struct(point)),
    FRUGAL_UNKNOWN(choice, kept));

struct tree_entry;
struct tree {
    struct tree                      *left, *right;
    FRUGAL_LIST(struct tree)          list;
    FRUGAL_LIST(struct tree *)        pointers;
    FRUGAL_LIST(struct tree_entry)    map;
    FRUGAL_MAP(struct tree *, int8_t) keys;
};
struct tree_entry {
    frugal_str  key;
    struct tree value;
};
FRUGAL_STRUCT(tree,
    FRUGAL_FIELD(tree, left,     1, optional, struct(tree)),
    FRUGAL_FIELD(tree, right,    2, struct(tree)),
    FRUGAL_FIELD(tree, list,     3, list(struct(tree))),
    FRUGAL_FIELD(tree, pointers, 4, list(struct(tree))),
    FRUGAL_FIELD(tree, map,      5, map(string, struct(tree))),
    FRUGAL_FIELD(tree, keys,     6, map(struct(tree), i8)));

/* Six structs by value, each inside the one before. */
struct level_5 {
    int8_t n;
};
FRUGAL_STRUCT(level_5, FRUGAL_FIELD(level_5, n, 1));
#define LEVEL(this, below)   \
    struct this              \
    {                        \
        int8_t       before; \
        struct below inside; \
    };                       \
    FRUGAL_STRUCT(this, FRUGAL_FIELD(this, before, 1),                  \
                  FRUGAL_FIELD(this, inside, 2, struct(below)))
LEVEL(level_4, level_5);
LEVEL(level_3, level_4);
LEVEL(level_2, level_3);
LEVEL(level_1, level_2);
LEVEL(level_0, level_1);

struct presence {
    int32_t                   plain;
    FRUGAL_OPT(int32_t)       number;
    frugal_str                text;
    FRUGAL_LIST(int32_t)      list;
    struct point             *near, *far;
    FRUGAL_LIST(frugal_bytes) always;
    frugal_bytes              view;
    frugal_bytes              kept;
};
static const int32_t presence_number = 7;
FRUGAL_STRUCT(presence,
    FRUGAL_FIELD(presence, plain,  1, required),
    FRUGAL_FIELD_WITH(presence, number, 2, optional, i32, .initial = &presence_number),
    FRUGAL_FIELD(presence, text,   3, optional, string),
    FRUGAL_FIELD(presence, list,   4, optional, list(i32)),
    FRUGAL_FIELD(presence, near,   5, optional, struct(point)),
    FRUGAL_FIELD(presence, far,    6, struct(point)),
    FRUGAL_FIELD(presence, always, 7, required, list(binary)),
    FRUGAL_FIELD_WITH(presence, view, 8, default, binary, .no_copy = true),
    FRUGAL_UNKNOWN(presence, kept));

struct empty {
    char nothing;
};
FRUGAL_STRUCT_EMPTY(empty);

/* `count` default fields of i32, with the ids from `id` on by `step`. Freed with free. */
typedef struct made {
    frugal_struct type;
    frugal_slot   slot;
    frugal_field  fields[];
} made;

static inline made *make_numbers(uint32_t count, int id, int step)
{
    made *it = calloc(1, sizeof *it + ((size_t)count + 1) * (sizeof(frugal_field) + 16));
    assert_non_null(it);
    char *names = (char *)&it->fields[count + 1];
    for (uint32_t i = 0; i < count; i++) {
        frugal_field *field = &it->fields[i];
        snprintf(names + 16 * (size_t)i, 16, "f%u", i);
        field->name   = names + 16 * (size_t)i;
        field->type   = (frugal_type){ .kind = FRUGAL_KIND_I32, .size = 4 };
        field->offset = 4 * i;
        field->id     = (int16_t)(id + (int)i * step);
    }
    it->type = (frugal_struct){ .abi         = FRUGAL_TABLE_ABI,
                                .field_count = count,
                                .name        = "made",
                                .fields      = it->fields,
                                .size        = 4 * count,
                                .align       = 4,
                                .slot        = &it->slot };
    return it;
}

#endif /* PLAN_ASK_H */
