/* tests/schema/spoilt.h - good tables, and copies of them that are spoilt in one place. */
#ifndef TESTS_SCHEMA_SPOILT_H
#define TESTS_SCHEMA_SPOILT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <frugal/frugal.h>

#include "schema/schema.h"

/* ---- good tables ---------------------------------------------------------------------------- */

enum color { RED = 1, GREEN = 2, CRIMSON = 1 };
FRUGAL_ENUM(color, FRUGAL_ITEM(RED), FRUGAL_ITEM(GREEN), FRUGAL_ITEM(CRIMSON));

struct point {
    int32_t x, y;
};
FRUGAL_STRUCT(point, FRUGAL_FIELD(point, x, 1), FRUGAL_FIELD(point, y, 2));

struct user {
    int64_t                              id;
    frugal_str                           name;
    FRUGAL_OPT(int32_t)                  age;
    bool                                 active;
    enum color                           color;
    FRUGAL_LIST(int64_t)                 friends;
    FRUGAL_MAP(frugal_str, struct point) places;
    struct point                         home;
    struct point                        *away;
    struct user                         *boss;
    frugal_bytes                         rest;
};
FRUGAL_STRUCT(user,
    FRUGAL_FIELD(user, id, 1, required),
    FRUGAL_FIELD(user, name, 2, optional, string),
    FRUGAL_FIELD(user, age, 3, optional),
    FRUGAL_FIELD(user, active, 4),
    FRUGAL_FIELD(user, color, 5, enum(color)),
    FRUGAL_FIELD(user, friends, 6, optional, list(i64)),
    FRUGAL_FIELD(user, places, -7, map(string, struct(point))),
    FRUGAL_FIELD(user, home, 8, struct(point)),
    FRUGAL_FIELD(user, away, 9, optional, struct(point)),
    FRUGAL_FIELD(user, boss, 10, optional, struct(user)),
    FRUGAL_UNKNOWN(user, rest));

struct shape {
    int32_t which;
    union {
        double        radius;
        frugal_str    label;
        struct point  corner;
        struct point *far;
    };
    frugal_bytes rest;
};
FRUGAL_UNION(shape, which,
    FRUGAL_ARM(shape, radius, 1),
    FRUGAL_ARM(shape, label, 2),
    FRUGAL_ARM(shape, corner, 3, struct(point)),
    FRUGAL_ARM(shape, far, -4, struct(point)),
    FRUGAL_UNKNOWN(shape, rest));

struct holder {
    struct shape     shape;
    bool             flag;
    FRUGAL_OPT(bool) maybe;
    frugal_str       text;
};
FRUGAL_STRUCT(holder,
    FRUGAL_FIELD(holder, shape, 1, struct(shape)),
    FRUGAL_FIELD(holder, flag, 2),
    FRUGAL_FIELD(holder, maybe, 3, optional),
    FRUGAL_FIELD(holder, text, 4));

struct nothing {
    char unused;
};
FRUGAL_STRUCT_EMPTY(nothing);

/* ---- a copy that may be spoiled -------------------------------------------------------------- */

typedef struct copy {
    frugal_struct table;
    frugal_field  fields[16];
    frugal_slot   slot;
} copy;

static inline copy spoilt(const frugal_struct *good)
{
    copy made = { .table = *good };
    assert_in_range(good->field_count, 0, 16);
    for (uint32_t i = 0; i < good->field_count; i++)
        made.fields[i] = good->fields[i];
    return made;
}

static inline frugal_field *field_of(copy *made, const char *name)
{
    for (uint32_t i = 0; i < made->table.field_count; i++)
        if (strcmp(made->fields[i].name, name) == 0)
            return &made->fields[i];
    fail_msg("no field %s", name);
    return NULL;
}

/* Counts what is allocated, so that every check is also a test for leaks. */
typedef struct counter {
    size_t bytes;
    int    calls, fail_at; /* the call that fails, from 1; 0 = none */
} counter;

static inline void *resize_counted(void *context, void *ptr, size_t old_size, size_t size)
{
    counter *count = context;
    if (size > 0 && ++count->calls == count->fail_at)
        return NULL;
    count->bytes += size - old_size;
    if (size == 0) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, size);
}

static inline frugal_status check(const frugal_struct *table, frugal_error *error)
{
    counter          count     = { 0 };
    frugal_allocator allocator = { resize_counted, &count };
    frugal_status    status    = schema_check(table, &allocator, error);
    assert_int_equal(count.bytes, 0);
    assert_int_equal(schema_check(table, NULL, NULL), status);
    return status;
}

static inline void assert_good(const frugal_struct *table)
{
    frugal_error error = { 0 };
    if (check(table, &error) != FRUGAL_OK)
        fail_msg("%s: %s", error.path, error.message);
}

static inline void assert_fault(const frugal_struct *table, const char *path, const char *message)
{
    frugal_error error = { 0 };
    assert_int_equal(check(table, &error), FRUGAL_DESCRIPTOR);
    assert_int_equal(error.status, FRUGAL_DESCRIPTOR);
    assert_string_equal(error.path, path);
    assert_string_equal(error.message, message);
}

/* With the copy's own fields and slot, which move when the copy is returned. */
static inline void assert_spoilt(copy *made, const char *path, const char *message)
{
    if (made->table.fields)
        made->table.fields = made->fields;
    if (made->table.slot)
        made->table.slot = &made->slot;
    assert_fault(&made->table, path, message);
}

/* The same, where numbers depend on the machine. */
static inline void assert_spoilt_saying(copy *made, const char *path, const char *part)
{
    frugal_error error = { 0 };
    made->table.fields = made->fields;
    made->table.slot   = &made->slot;
    assert_int_equal(check(&made->table, &error), FRUGAL_DESCRIPTOR);
    assert_string_equal(error.path, path);
    if (strstr(error.message, part) == NULL)
        fail_msg("'%s' is not in '%s'", part, error.message);
}

static inline void assert_spoilt_good(copy *made)
{
    made->table.fields = made->fields;
    made->table.slot   = &made->slot;
    assert_good(&made->table);
}

#define SPOIL(good) copy made = spoilt(&frugal_struct_##good)
#define FIELD(name) (*field_of(&made, #name))

#endif /* TESTS_SCHEMA_SPOILT_H */
