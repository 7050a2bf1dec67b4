/* support/law_memory.c - two records side by side, byte for byte. */
#include <stdlib.h>
#include <string.h>

#include "support/law.h"

/* Where a pointer points to is one thing, whether it does the other. */
static void forget_pointer(uint8_t *place)
{
    const void *pointer;
    memcpy(&pointer, place, sizeof pointer);
    uintptr_t is_there = pointer != NULL;
    memcpy(place, &is_there, sizeof is_there);
}

static void forget_pointers(const frugal_struct *type, uint8_t *record)
{
    int32_t which = 0;
    if (type->is_union)
        memcpy(&which, record + type->which, sizeof which);
    for (uint32_t i = 0; i < type->field_count; i++) {
        const frugal_field *field = &type->fields[i];
        const frugal_type  *of    = &field->type;
        uint8_t            *place = record + field->offset;
        if (field->need != FRUGAL_NEED_UNKNOWN && type->is_union && field->id != which)
            continue;
        if (of->kind == FRUGAL_KIND_STRUCT && !of->indirect)
            forget_pointers(of->record, place);
        else if (of->kind == FRUGAL_KIND_STRUCT || of->kind == FRUGAL_KIND_STRING
                 || of->kind == FRUGAL_KIND_BINARY || of->elem
                 || field->need == FRUGAL_NEED_UNKNOWN)
            forget_pointer(place);
    }
}

static bool same_behind(const frugal_struct *type, const uint8_t *a, const uint8_t *b)
{
    bool    same  = true;
    int32_t which = 0;
    if (type->is_union)
        memcpy(&which, a + type->which, sizeof which);
    for (uint32_t i = 0; same && i < type->field_count; i++) {
        const frugal_field *field = &type->fields[i];
        const uint8_t      *x = a + field->offset, *y = b + field->offset;
        if (field->type.kind != FRUGAL_KIND_STRUCT || (type->is_union && field->id != which))
            continue;
        if (!field->type.indirect) {
            same = same_behind(field->type.record, x, y);
            continue;
        }
        const void *behind_x, *behind_y;
        memcpy(&behind_x, x, sizeof behind_x);
        memcpy(&behind_y, y, sizeof behind_y);
        same = (behind_x == NULL) == (behind_y == NULL)
               && (behind_x == NULL || law_same_memory(field->type.record, behind_x, behind_y));
    }
    return same;
}

bool law_same_memory(const frugal_struct *type, const void *a, const void *b)
{
    uint8_t *x = malloc(type->size + 1), *y = malloc(type->size + 1);
    bool     same = x && y;
    if (same) {
        memcpy(x, a, type->size);
        memcpy(y, b, type->size);
        forget_pointers(type, x);
        forget_pointers(type, y);
        same = memcmp(x, y, type->size) == 0;
    }
    free(x);
    free(y);
    return same && same_behind(type, a, b);
}
