/* gen/compare.c - a walk through two graphs of tables at once. What was met before is not walked
 * again: tables refer to each other in circles, and types may be lattices. */
#include "gen/compare.h"

#include <stdio.h>
#include <string.h>

#include <frugal/memory.h>
#include <frugal/value.h>

#define PAIRS_MAX 16384u

static struct {
    const void *mine, *other;
} pairs[PAIRS_MAX];
static unsigned pair_count, field_count;
static bool     fields_are_same(const frugal_struct *mine, const frugal_struct *other);

unsigned compare_count(void)
{
    return field_count;
}

static bool was_met(const void *mine, const void *other)
{
    for (unsigned i = 0; i < pair_count; i++)
        if (pairs[i].mine == mine && pairs[i].other == other)
            return true;
    if (pair_count == PAIRS_MAX) {
        printf("more than %u pairs\n", PAIRS_MAX);
        return false;
    }
    pairs[pair_count].mine    = mine;
    pairs[pair_count++].other = other;
    return false;
}

static bool numbers(const char *where, const char *what, long long mine, long long other)
{
    if (mine != other)
        printf("%s: %s is %lld, loaded %lld\n", where, what, mine, other);
    return mine == other;
}

static bool texts(const char *where, const char *what, const char *mine, const char *other)
{
    bool same = mine && other && strcmp(mine, other) == 0;
    if (!same)
        printf("%s: %s is %s, loaded %s\n", where, what, mine ? mine : "NULL",
               other ? other : "NULL");
    return same;
}

/* ---- values --------------------------------------------------------------------------------- */

/* Where an entry has its value, as C lays it out. */
static size_t value_offset(const frugal_type *map)
{
    const frugal_type *elem  = map->elem;
    size_t             align = elem->size < sizeof(void *) ? elem->size : sizeof(void *);
    if (elem->kind == FRUGAL_KIND_STRUCT && !elem->indirect)
        align = elem->record->align;
    return (map->key->size + align - 1) / align * align;
}

/* Both as text, which shows every member that is there. */
static bool records(const frugal_struct *mine, const void *a, const frugal_struct *other,
                    const void *b)
{
    frugal_buf first, second;
    frugal_buf_init(&first, NULL, 0, NULL);
    frugal_buf_init(&second, NULL, 0, NULL);
    bool same = frugal_print((frugal_view){ mine, a }, NULL, &first, NULL) == FRUGAL_OK
                && frugal_print((frugal_view){ other, b }, NULL, &second, NULL) == FRUGAL_OK
                && first.size == second.size && memcmp(first.data, second.data, first.size) == 0;
    if (!same)
        printf("%s: the record is\n%.*s\nloaded\n%.*s\n", mine->name, (int)first.size,
               (char *)first.data, (int)second.size, (char *)second.data);
    frugal_buf_release(&first);
    frugal_buf_release(&second);
    return same;
}

static bool values(const frugal_type *type, const frugal_type *loaded, const uint8_t *mine,
                   const uint8_t *other)
{
    frugal_bytes a, b;
    switch (type->kind) {
    case FRUGAL_KIND_STRUCT:
        if (type->indirect) {
            mine  = *(const uint8_t *const *)(const void *)mine;
            other = *(const uint8_t *const *)(const void *)other;
        }
        return records(type->record, mine, loaded->record, other);
    case FRUGAL_KIND_STRING:
    case FRUGAL_KIND_BINARY:
    case FRUGAL_KIND_LIST:
    case FRUGAL_KIND_SET:
    case FRUGAL_KIND_MAP: break;
    default: return memcmp(mine, other, type->size) == 0;
    }
    memcpy(&a, mine, sizeof a);
    memcpy(&b, other, sizeof b);
    if (a.len != b.len || !a.ptr != !b.ptr)
        return false;
    if (type->kind == FRUGAL_KIND_STRING || type->kind == FRUGAL_KIND_BINARY)
        return a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0;
    size_t value_at = type->key ? value_offset(type) : 0;
    for (size_t i = 0; i < a.len; i++) {
        const uint8_t *x = a.ptr + i * type->stride, *y = b.ptr + i * type->stride;
        if (type->key && !values(type->key, loaded->key, x, y))
            return false;
        if (!values(type->elem, loaded->elem, x + value_at, y + value_at))
            return false;
    }
    return true;
}

bool compare_values(const frugal_type *type, const void *mine, const void *other)
{
    return values(type, type, mine, other);
}

/* ---- types ---------------------------------------------------------------------------------- */

bool compare_enums(const frugal_enum *mine, const frugal_enum *other)
{
    if (was_met(mine, other))
        return true;
    if (!texts("an enum", "name", mine->name, other->name)
        || !numbers(mine->name, "count", mine->count, other->count))
        return false;
    for (uint32_t i = 0; i < mine->count; i++)
        if (!texts(mine->name, "an item", mine->items[i].name, other->items[i].name)
            || !numbers(mine->name, mine->items[i].name, mine->items[i].value,
                        other->items[i].value))
            return false;
    return true;
}

static bool types(const char *where, const frugal_type *mine, const frugal_type *other)
{
    if (was_met(mine, other))
        return true;
    if (!numbers(where, "kind", mine->kind, other->kind)
        || !numbers(where, "indirect", mine->indirect, other->indirect)
        || !numbers(where, "size", mine->size, other->size)
        || !numbers(where, "stride", mine->stride, other->stride)
        || !numbers(where, "elem", mine->elem != NULL, other->elem != NULL)
        || !numbers(where, "key", mine->key != NULL, other->key != NULL))
        return false;
    if (mine->elem && !types(where, mine->elem, other->elem))
        return false;
    if (mine->key && !types(where, mine->key, other->key))
        return false;
    if (mine->kind == FRUGAL_KIND_STRUCT)
        return fields_are_same(mine->record, other->record);
    if (mine->kind == FRUGAL_KIND_ENUM)
        return numbers(where, "names", mine->names != NULL, other->names != NULL)
               && compare_enums(mine->names, other->names);
    return true;
}

static bool field_is_same(const frugal_struct *type, const frugal_field *mine,
                          const frugal_field *other)
{
    char where[256];
    snprintf(where, sizeof where, "%s.%s", type->name, mine->name);
    field_count++;
    if (!texts(where, "name", mine->name, other->name) || !numbers(where, "id", mine->id, other->id)
        || !numbers(where, "offset", mine->offset, other->offset)
        || !numbers(where, "has", mine->has, other->has)
        || !numbers(where, "need", mine->need, other->need)
        || !numbers(where, "no_copy", mine->no_copy, other->no_copy)
        || !numbers(where, "initial", mine->initial != NULL, other->initial != NULL)
        || !types(where, &mine->type, &other->type))
        return false;
    if (mine->initial && !values(&mine->type, &other->type, mine->initial, other->initial)) {
        printf("%s: another default\n", where);
        return false;
    }
    return true;
}

static const frugal_field *field_with_id(const frugal_struct *type, const frugal_field *like)
{
    for (uint32_t i = 0; i < type->field_count; i++)
        if (type->fields[i].id == like->id && type->fields[i].need == like->need)
            return &type->fields[i];
    return NULL;
}

static bool fields_are_same(const frugal_struct *mine, const frugal_struct *other)
{
    if (was_met(mine, other))
        return true;
    if (!texts("a struct", "name", mine->name, other->name)
        || !numbers(mine->name, "abi", mine->abi, other->abi)
        || !numbers(mine->name, "field_count", mine->field_count, other->field_count)
        || !numbers(mine->name, "size", mine->size, other->size)
        || !numbers(mine->name, "align", mine->align, other->align)
        || !numbers(mine->name, "which", mine->which, other->which)
        || !numbers(mine->name, "is_union", mine->is_union, other->is_union)
        || !numbers(mine->name, "slot", mine->slot != NULL, true)
        || !numbers(mine->name, "defaults", mine->defaults != NULL, other->defaults != NULL))
        return false;
    for (uint32_t i = 0; i < mine->field_count; i++) {
        const frugal_field *same = field_with_id(other, &mine->fields[i]);
        if (!same) {
            printf("%s.%s: not loaded\n", mine->name, mine->fields[i].name);
            return false;
        }
        if (!field_is_same(mine, &mine->fields[i], same))
            return false;
    }
    return !mine->defaults || records(mine, mine->defaults, other, other->defaults);
}

bool compare_structs(const frugal_struct *mine, const frugal_struct *other)
{
    return fields_are_same(mine, other);
}

bool compare_services(const frugal_service *mine, const frugal_service *other)
{
    if (!texts("a service", "name", mine->name, other->name)
        || !numbers(mine->name, "abi", mine->abi, other->abi)
        || !numbers(mine->name, "method_count", mine->method_count, other->method_count)
        || !numbers(mine->name, "base", mine->base != NULL, other->base != NULL))
        return false;
    for (uint32_t i = 0; i < mine->method_count; i++) {
        const frugal_method *a = &mine->methods[i], *b = &other->methods[i];
        if (!texts(mine->name, "a method", a->name, b->name)
            || !numbers(a->name, "result", a->result != NULL, b->result != NULL)
            || !fields_are_same(a->args, b->args)
            || (a->result && !fields_are_same(a->result, b->result)))
            return false;
    }
    return !mine->base || compare_services(mine->base, other->base);
}
