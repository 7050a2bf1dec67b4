/* json/calm.c - takes the payload of every NaN out of a record. */
#include "json/calm.h"

#include <stdint.h>
#include <string.h>

#include "support/gen_table.h"

static void calm_place(const frugal_type *type, void *place)
{
    struct {
        uint8_t *ptr;
        size_t   len;
    } span;
    uint64_t bits, nan = UINT64_C(0x7ff8000000000000);
    void    *inner;
    switch (type->kind) {
    case FRUGAL_KIND_DOUBLE:
        memcpy(&bits, place, sizeof bits);
        if ((bits & ~(UINT64_C(1) << 63)) > UINT64_C(0x7ff0000000000000))
            memcpy(place, &nan, sizeof nan);
        return;
    case FRUGAL_KIND_STRUCT:
        inner = place;
        if (type->indirect)
            memcpy(&inner, place, sizeof inner);
        calm_record(type->record, inner);
        return;
    case FRUGAL_KIND_LIST:
    case FRUGAL_KIND_SET:
    case FRUGAL_KIND_MAP:
        memcpy(&span, place, sizeof span);
        for (size_t i = 0; i < span.len; i++) {
            uint8_t *entry = span.ptr + i * type->stride;
            if (type->key)
                calm_place(type->key, entry);
            calm_place(type->elem, entry + (type->key ? gen_value_offset(type) : 0));
        }
        return;
    default: return;
    }
}

void calm_record(const frugal_struct *type, void *record)
{
    int32_t which = 0;
    if (record == NULL)
        return;
    if (type->is_union)
        memcpy(&which, (uint8_t *)record + type->which, sizeof which);
    for (uint32_t i = 0; i < type->field_count; i++) {
        const frugal_field *field = &type->fields[i];
        if (field->need != FRUGAL_NEED_UNKNOWN && (!type->is_union || which == field->id))
            calm_place(&field->type, (uint8_t *)record + field->offset);
    }
}
