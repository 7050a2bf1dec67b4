/* schema/init.c - the value that a record has before anything is known about it.
 *
 * A table's defaults are one record, complete with the structs inside by value, and copied whole.
 * Only without them does the walk go inside. schema_check bounds how deep structs lie inside by
 * value. */
#include <string.h>

#include "schema/schema.h"

static bool is_inside(const frugal_field *field)
{
    return field->type.kind == FRUGAL_KIND_STRUCT && !field->type.indirect
           && field->need != FRUGAL_NEED_OPTIONAL;
}

/* The record is zero already. */
static void init_zeroed(const frugal_struct *type, uint8_t *record)
{
    if (type->defaults) {
        memcpy(record, type->defaults, type->size);
        return;
    }
    if (type->is_union)
        return;
    for (uint32_t i = 0; i < type->field_count; i++) {
        const frugal_field *field = &type->fields[i];
        if (is_inside(field))
            init_zeroed(field->type.record, record + field->offset);
    }
}

void schema_init(const frugal_struct *type, void *record)
{
    if (type->defaults == NULL)
        memset(record, 0, type->size);
    init_zeroed(type, record);
}

void frugal_init(frugal_ref value)
{
    if (value.type && value.ptr)
        schema_init(value.type, value.ptr);
}
