/* schema/walk.c - reading a record through its table. */
#include "schema/walk.h"

frugal_status walk_ready(const frugal_struct *type, const frugal_allocator *allocator,
                         frugal_error *error)
{
    if (type->slot && __atomic_load_n(&type->slot->plans, __ATOMIC_RELAXED))
        return FRUGAL_OK;
    return schema_check(type, allocator, error);
}

bool walk_present(const frugal_field *field, const uint8_t *record)
{
    schema_span span;
    switch (schema_presence_of(field)) {
    case SCHEMA_HAS_BYTE: return record[field->has] != 0;
    case SCHEMA_POINTER:
        if (field->type.kind == FRUGAL_KIND_STRUCT)
            return walk_pointer(record + field->offset) != NULL;
        span = walk_span(record + field->offset);
        return span.ptr != NULL || span.len != 0;
    case SCHEMA_ALWAYS: break;
    }
    return true;
}

const frugal_field *walk_arm(const frugal_struct *type, const uint8_t *record)
{
    int32_t which = walk_which(type, record);
    return which ? frugal_field_by_id(type, which) : NULL;
}

int64_t walk_number(const frugal_type *type, const void *place)
{
    switch (type->kind) {
    case FRUGAL_KIND_BOOL: return *(const uint8_t *)place != 0;
    case FRUGAL_KIND_I8: return *(const int8_t *)place;
    case FRUGAL_KIND_I16: return (int16_t)load_u16(place);
    case FRUGAL_KIND_I32:
    case FRUGAL_KIND_ENUM: return (int32_t)load_u32(place);
    case FRUGAL_KIND_I64: return (int64_t)load_u64(place);
    default: return 0;
    }
}
