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

/* ---- laying out what no compiler has seen ---------------------------------------------------- */

bool schema_is_opt(const frugal_field *field)
{
    return field->need == FRUGAL_NEED_OPTIONAL
           && ((field->type.kind >= FRUGAL_KIND_BOOL && field->type.kind <= FRUGAL_KIND_DOUBLE)
               || field->type.kind == FRUGAL_KIND_ENUM);
}

/* Sizes are at most SCHEMA_SIZE_MAX and counts SCHEMA_FIELDS_MAX, so 64 bits hold every sum. */
typedef struct extent {
    uint64_t size;
    uint32_t align;
} extent;

static void place_member(extent *whole, frugal_field *field)
{
    uint32_t align = schema_align(&field->type);
    uint64_t size  = field->type.size;
    if (schema_is_opt(field))
        size = align_up(size + sizeof(bool), align);
    whole->size   = align_up(whole->size, align);
    field->offset = (uint32_t)whole->size;
    field->has    = schema_is_opt(field) ? field->offset + field->type.size : 0;
    whole->size += size;
    if (align > whole->align)
        whole->align = align;
}

/* An unnamed C union behind `which`. */
static void place_arms(extent *whole, frugal_field *fields, uint32_t count)
{
    extent arms = { 0, 1 };
    for (uint32_t i = 0; i < count; i++) {
        uint32_t align = schema_align(&fields[i].type);
        if (align > arms.align)
            arms.align = align;
        if (fields[i].type.size > arms.size)
            arms.size = fields[i].type.size;
    }
    uint64_t start = align_up(whole->size, arms.align);
    for (uint32_t i = 0; i < count; i++) {
        fields[i].offset = (uint32_t)start;
        fields[i].has    = 0;
    }
    if (count)
        whole->size = start + align_up(arms.size, arms.align);
    if (arms.align > whole->align)
        whole->align = arms.align;
}

bool schema_layout_fields(frugal_struct *record, frugal_field *fields, uint32_t count)
{
    extent whole = { 0, 1 };
    if (record->is_union) {
        record->which = 0;
        whole         = (extent){ layouts[FRUGAL_KIND_I32].size, layouts[FRUGAL_KIND_I32].align };
        place_arms(&whole, fields, count);
    } else {
        for (uint32_t i = 0; i < count; i++) {
            place_member(&whole, &fields[i]);
            if (whole.size > SCHEMA_SIZE_MAX)
                return false;
        }
    }
    if (whole.size == 0)
        whole.size = 1; /* C has no empty struct: a char that nobody uses */
    whole.size          = align_up(whole.size, whole.align);
    record->fields      = count ? fields : NULL;
    record->field_count = count;
    record->size        = (uint32_t)whole.size;
    record->align       = whole.align;
    return whole.size <= SCHEMA_SIZE_MAX;
}

uint32_t schema_stride(const frugal_type *key, const frugal_type *elem)
{
    uint32_t align = schema_align(elem);
    uint64_t size  = elem->size;
    if (key) {
        uint32_t key_align = schema_align(key);
        size += align_up(key->size, align);
        align = key_align > align ? key_align : align;
    }
    size = align_up(size, align);
    return size <= SCHEMA_SIZE_MAX ? (uint32_t)size : 0;
}
