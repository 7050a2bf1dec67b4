/* schema/walk.h - reading a record through its table, for those who walk whole records.
 *
 * Every place is read with memcpy, or as bytes: a C bool may hold any byte, and to load such a one
 * as bool is undefined. */
#ifndef SCHEMA_WALK_H
#define SCHEMA_WALK_H

#include "core/bytes.h"
#include "schema/schema.h"

/* Nested structs and containers, the root is 1; as FRUGAL_DEPTH_MAX of codec.h. It keeps a cycle
 * from eating the stack. A NULL struct that is
 * written as an empty one is a level, too. */
#define WALK_DEPTH_MAX 1024u

/* The sentences of what may be wrong with a record, the same for all who walk it. */
#define WALK_TOO_DEEP "more than 1024 structs and containers inside each other, or a cycle"
#define WALK_NO_PTR   "ptr is NULL and len is %zu"
#define WALK_NO_ARM   "union %s has no arm %d"

/* Checks a table as frugal_struct_check does, unless a plan was made of it, which checks as
 * well. */
frugal_status walk_ready(const frugal_struct *type, const frugal_allocator *allocator,
                         frugal_error *error);

/* Whether a field of a struct (not an arm, not the keeper) has a value. NULL with a length is not
 * absent but wrong, and counts as a value, so that whoever reads it finds the fault. */
bool walk_present(const frugal_field *field, const uint8_t *record);

/* The arm that the union's `which` names; NULL when it is 0 or names none. */
const frugal_field *walk_arm(const frugal_struct *type, const uint8_t *record);

/* The number in a place of bool, an integer or an enum; 0 for other kinds. */
int64_t walk_number(const frugal_type *type, const void *place);

/* Kinds whose places can be copied and compared as bytes. */
ALWAYS_INLINE bool walk_is_plain(const frugal_type *type)
{
    return (type->kind >= FRUGAL_KIND_I8 && type->kind <= FRUGAL_KIND_DOUBLE)
           || type->kind == FRUGAL_KIND_ENUM;
}

/* Text and containers. */
ALWAYS_INLINE bool walk_is_span(const frugal_type *type)
{
    return type->kind == FRUGAL_KIND_STRING || type->kind == FRUGAL_KIND_BINARY
           || type->kind >= FRUGAL_KIND_LIST;
}

ALWAYS_INLINE schema_span walk_span(const void *place)
{
    schema_span span;
    memcpy(&span, place, sizeof span);
    return span;
}

ALWAYS_INLINE bool walk_span_is_broken(schema_span span)
{
    return span.ptr == NULL && span.len != 0;
}

ALWAYS_INLINE const uint8_t *walk_pointer(const void *place)
{
    const uint8_t *pointer;
    memcpy(&pointer, place, sizeof pointer);
    return pointer;
}

/* The record in a place of a struct; NULL when the place is a pointer and NULL. */
ALWAYS_INLINE const uint8_t *walk_record(const frugal_type *type, const void *place)
{
    return type->indirect ? walk_pointer(place) : place;
}

ALWAYS_INLINE int32_t walk_which(const frugal_struct *type, const uint8_t *record)
{
    return (int32_t)load_u32(record + type->which);
}

#endif /* SCHEMA_WALK_H */
