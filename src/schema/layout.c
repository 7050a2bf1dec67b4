/* schema/layout.c - where C puts the values of a type. */
#include <stddef.h>

#include "core/bytes.h"
#include "schema/schema.h"

/* Aligned for any element that a compiler aligns by itself, vectors included. */
_Alignas(64) const uint64_t schema_empty[2] = { 0, 0 };

/* What a member of a struct gets, which on some machines is less than _Alignof says. */
#define PROBE(name, T)    \
    struct probe_##name { \
        char c;           \
        T    v;           \
    }
PROBE(bool, bool);
PROBE(i8, int8_t);
PROBE(i16, int16_t);
PROBE(i32, int32_t);
PROBE(i64, int64_t);
PROBE(double, double);
PROBE(span, schema_span);
PROBE(pointer, void *);
#define ALIGN_OF(name) offsetof(struct probe_##name, v)

typedef struct kind_layout {
    uint8_t size, align;
} kind_layout;

static const kind_layout layouts[] = {
    [FRUGAL_KIND_NONE]   = { 0, 1 },
    [FRUGAL_KIND_BOOL]   = { sizeof(bool), ALIGN_OF(bool) },
    [FRUGAL_KIND_I8]     = { sizeof(int8_t), ALIGN_OF(i8) },
    [FRUGAL_KIND_I16]    = { sizeof(int16_t), ALIGN_OF(i16) },
    [FRUGAL_KIND_I32]    = { sizeof(int32_t), ALIGN_OF(i32) },
    [FRUGAL_KIND_I64]    = { sizeof(int64_t), ALIGN_OF(i64) },
    [FRUGAL_KIND_DOUBLE] = { sizeof(double), ALIGN_OF(double) },
    [FRUGAL_KIND_STRING] = { sizeof(schema_span), ALIGN_OF(span) },
    [FRUGAL_KIND_BINARY] = { sizeof(schema_span), ALIGN_OF(span) },
    [FRUGAL_KIND_ENUM]   = { sizeof(int32_t), ALIGN_OF(i32) },
    [FRUGAL_KIND_STRUCT] = { 0, ALIGN_OF(pointer) },
    [FRUGAL_KIND_LIST]   = { sizeof(schema_span), ALIGN_OF(span) },
    [FRUGAL_KIND_SET]    = { sizeof(schema_span), ALIGN_OF(span) },
    [FRUGAL_KIND_MAP]    = { sizeof(schema_span), ALIGN_OF(span) },
};

_Static_assert(sizeof(bool) == 1, "a bool is one byte, as on the wire");
_Static_assert(sizeof(frugal_str) == sizeof(schema_span)
                   && sizeof(frugal_bytes) == sizeof(schema_span),
               "text and containers have one layout");

uint32_t schema_kind_size(uint8_t kind)
{
    return kind <= FRUGAL_KIND_MAP ? layouts[kind].size : 0;
}

uint32_t schema_align(const frugal_type *type)
{
    if (type->kind == FRUGAL_KIND_STRUCT && !type->indirect)
        return type->record->align;
    return type->kind <= FRUGAL_KIND_MAP ? layouts[type->kind].align : 1;
}

uint32_t schema_value_offset(const frugal_type *map)
{
    return (uint32_t)align_up(map->key->size, schema_align(map->elem));
}
