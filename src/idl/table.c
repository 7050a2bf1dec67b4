/* idl/table.c - names to what they name. Open addressing, at most half full. */
#include "idl/table.h"

#include <assert.h>
#include <string.h>
#include <time.h>

#include "core/hash.h"

typedef struct entry {
    const char *ptr;
    uint32_t    len;
    uint32_t    hash;
    void       *value; /* NULL: free */
} entry;

struct idl_map {
    uint64_t seed;
    size_t   mask; /* entries - 1 */
    size_t   count;
    entry    entries[];
};

/* Nobody can choose names that collide without knowing where this program lies and when it ran. */
static uint64_t make_seed(const idl_load *load)
{
    uint64_t place = (uint64_t)(uintptr_t)load ^ ((uint64_t)(uintptr_t)load->arena << 24);
    return place ^ ((uint64_t)time(NULL) << 32) ^ (uint64_t)clock()
           ^ (uint64_t)(uintptr_t)&make_seed;
}

idl_map *idl_map_new(idl_load *load, size_t count)
{
    size_t capacity = 4;
    while (capacity / 2 < count) {
        assert(capacity <= SIZE_MAX / 2 / sizeof(entry));
        capacity *= 2;
    }
    idl_map *map = idl_alloc(load, sizeof *map + capacity * sizeof(entry));
    if (map) {
        map->seed = make_seed(load);
        map->mask = capacity - 1;
    }
    return map;
}

/* Its entry, or the free one where it belongs. */
static const entry *find(const idl_map *map, frugal_str key, uint32_t hash)
{
    for (size_t i = hash;; i++) {
        const entry *e = &map->entries[i & map->mask];
        if (e->value == NULL
            || (e->hash == hash && e->len == key.len && memcmp(e->ptr, key.ptr, key.len) == 0))
            return e;
    }
}

static uint32_t hash_of(const idl_map *map, frugal_str key)
{
    uint64_t hash = hash_bytes(key.ptr, key.len, map->seed);
    return (uint32_t)(hash ^ (hash >> 32));
}

void *idl_map_add(idl_map *map, frugal_str key, void *value)
{
    uint32_t hash = hash_of(map, key);
    entry   *e    = &map->entries[find(map, key, hash) - map->entries];
    if (e->value)
        return e->value;
    assert(value && map->count <= map->mask / 2);
    *e = (entry){ key.ptr, (uint32_t)key.len, hash, value };
    map->count++;
    return NULL;
}

void *idl_map_find(const idl_map *map, frugal_str key)
{
    return find(map, key, hash_of(map, key))->value;
}

/* ---- members -------------------------------------------------------------------------------- */

idl_field *idl_find_field(const idl_definition *record, frugal_str name)
{
    if (record->members)
        return idl_map_find(record->members, name);
    for (idl_field *field = record->fields; field; field = field->next)
        if (idl_same_text(field->name.text, name))
            return field;
    return NULL;
}

const idl_enum_item *idl_find_item(const idl_definition *names, frugal_str name)
{
    if (names->members)
        return idl_map_find(names->members, name);
    for (const idl_enum_item *item = names->items; item; item = item->next)
        if (idl_same_text(item->name.text, name))
            return item;
    return NULL;
}

const idl_enum_item *idl_find_number(const idl_definition *names, int64_t value)
{
    if (names->numbers)
        return idl_map_find(names->numbers, (frugal_str){ (const char *)&value, sizeof value });
    for (const idl_enum_item *item = names->items; item; item = item->next)
        if (item->value == value)
            return item;
    return NULL;
}

idl_function *idl_find_function(const idl_definition *service, frugal_str name)
{
    if (service->members)
        return idl_map_find(service->members, name);
    for (idl_function *function = service->functions; function; function = function->next)
        if (idl_same_text(function->name.text, name))
            return function;
    return NULL;
}

bool idl_split(frugal_str name, frugal_str *prefix, frugal_str *last)
{
    size_t dot = name.len;
    while (dot > 0 && name.ptr[dot - 1] != '.')
        dot--;
    if (dot == 0)
        return false;
    *prefix = (frugal_str){ name.ptr, dot - 1 };
    *last   = (frugal_str){ name.ptr + dot, name.len - dot };
    return true;
}
