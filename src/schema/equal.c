/* schema/equal.c - whether two records would be the same bytes on the wire.
 *
 * What C can say in several ways and the wire in one is equal: any byte but 0 is true in a bool,
 * NULL is an empty text, list or map where it does not mean absent, and a NULL struct is written as
 * one without fields. What cannot be written at all equals nothing, itself included; hence no short
 * cut for equal pointers. */
#include "schema/walk.h"

static bool equal_records(const frugal_struct *type, const uint8_t *a, const uint8_t *b,
                          uint32_t depth);
static bool equal_places(const frugal_type *type, const uint8_t *a, const uint8_t *b,
                         uint32_t depth);

bool frugal_equal(frugal_view a, frugal_view b)
{
    if (a.type != b.type)
        return false;
    if (a.ptr == NULL || b.ptr == NULL)
        return a.ptr == b.ptr;
    return a.type && a.type->abi == FRUGAL_TABLE_ABI && equal_records(a.type, a.ptr, b.ptr, 0);
}

/* Both are spans of one length that can be read. */
static bool comparable(schema_span a, schema_span b)
{
    return a.len == b.len && !walk_span_is_broken(a) && !walk_span_is_broken(b);
}

static bool equal_texts(const uint8_t *place_a, const uint8_t *place_b)
{
    schema_span a = walk_span(place_a), b = walk_span(place_b);
    return comparable(a, b) && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

/* ---- lists, sets, maps ---------------------------------------------------------------------- */

static bool equal_entries(const frugal_type *map, schema_span a, schema_span b, uint32_t depth)
{
    uint32_t value = schema_value_offset(map);
    for (size_t i = 0; i < a.len; i++) {
        const uint8_t *in_a = a.ptr + i * map->stride;
        const uint8_t *in_b = b.ptr + i * map->stride;
        if (!equal_places(map->key, in_a, in_b, depth)
            || !equal_places(map->elem, in_a + value, in_b + value, depth))
            return false;
    }
    return true;
}

static bool equal_elements(const frugal_type *list, schema_span a, schema_span b, uint32_t depth)
{
    for (size_t i = 0; i < a.len; i++) {
        if (!equal_places(list->elem, a.ptr + i * list->stride, b.ptr + i * list->stride, depth))
            return false;
    }
    return true;
}

static bool equal_containers(const frugal_type *type, const uint8_t *place_a,
                             const uint8_t *place_b, uint32_t depth)
{
    schema_span a = walk_span(place_a), b = walk_span(place_b);
    if (depth == WALK_DEPTH_MAX || !comparable(a, b))
        return false;
    if (a.len == 0)
        return true;
    if (type->key)
        return equal_entries(type, a, b, depth + 1);
    if (walk_is_plain(type->elem) && type->stride == type->elem->size)
        return memcmp(a.ptr, b.ptr, a.len * type->stride) == 0;
    return equal_elements(type, a, b, depth + 1);
}

/* ---- structs -------------------------------------------------------------------------------- */

/* Whether a record has nothing to write but its end. */
static bool is_blank(const frugal_struct *type, const uint8_t *record)
{
    if (type->is_union) {
        const frugal_field *keeper = schema_keeper(type);
        return walk_which(type, record) == 0
               && (keeper == NULL || walk_span(record + keeper->offset).len == 0);
    }
    for (uint32_t i = 0; i < type->field_count; i++) {
        const frugal_field *field = &type->fields[i];
        if (field->need == FRUGAL_NEED_UNKNOWN ? walk_span(record + field->offset).len != 0
                                               : walk_present(field, record))
            return false;
    }
    return true;
}

static bool equal_structs(const frugal_type *type, const uint8_t *place_a, const uint8_t *place_b,
                          uint32_t depth)
{
    const uint8_t *a = walk_record(type, place_a);
    const uint8_t *b = walk_record(type, place_b);
    if (depth == WALK_DEPTH_MAX)
        return false;
    if (a && b)
        return equal_records(type->record, a, b, depth);
    if (a || b)
        return is_blank(type->record, a ? a : b);
    return true;
}

static bool equal_places(const frugal_type *type, const uint8_t *a, const uint8_t *b,
                         uint32_t depth)
{
    switch (type->kind) {
    case FRUGAL_KIND_BOOL: return (*a != 0) == (*b != 0);
    case FRUGAL_KIND_STRING:
    case FRUGAL_KIND_BINARY: return equal_texts(a, b);
    case FRUGAL_KIND_LIST:
    case FRUGAL_KIND_SET:
    case FRUGAL_KIND_MAP: return equal_containers(type, a, b, depth);
    case FRUGAL_KIND_STRUCT: return equal_structs(type, a, b, depth);
    default: return memcmp(a, b, type->size) == 0;
    }
}

static bool equal_fields(const frugal_struct *type, const uint8_t *a, const uint8_t *b,
                         uint32_t depth)
{
    for (uint32_t i = 0; i < type->field_count; i++) {
        const frugal_field *field = &type->fields[i];
        if (field->need != FRUGAL_NEED_UNKNOWN) {
            bool present = walk_present(field, a);
            if (present != walk_present(field, b))
                return false;
            if (!present)
                continue;
        }
        if (!equal_places(&field->type, a + field->offset, b + field->offset, depth))
            return false;
    }
    return true;
}

/* What a union keeps is not written beside an arm. */
static bool equal_arms(const frugal_struct *type, const uint8_t *a, const uint8_t *b,
                       uint32_t depth)
{
    if (walk_which(type, a) != walk_which(type, b))
        return false;
    const frugal_field *part = walk_which(type, a) ? walk_arm(type, a) : schema_keeper(type);
    if (part == NULL)
        return walk_which(type, a) == 0;
    return equal_places(&part->type, a + part->offset, b + part->offset, depth);
}

static bool equal_records(const frugal_struct *type, const uint8_t *a, const uint8_t *b,
                          uint32_t depth)
{
    if (depth == WALK_DEPTH_MAX)
        return false;
    return type->is_union ? equal_arms(type, a, b, depth + 1) : equal_fields(type, a, b, depth + 1);
}
