/* gen/map.c - open addressing, at most half full. Nothing iterates over it, so that the order of
 * what is written never depends on where things lie in memory. */
#include "gen/map.h"

#include <stdint.h>
#include <string.h>

#include "core/hash.h"

#define SEED       UINT64_C(0x67656e2f6d61702e) /* who writes IDL is the one who waits for it */
#define SIZE_LEAST 64u

static gen_map_entry *find(const gen_map *map, const void *key, size_t size)
{
    size_t mask = map->capacity - 1;
    for (size_t at = (size_t)hash_bytes(key, size, SEED) & mask;; at = (at + 1) & mask) {
        gen_map_entry *entry = &map->entries[at];
        if (!entry->key || (entry->size == size && memcmp(entry->key, key, size) == 0))
            return entry;
    }
}

void *gen_map_get(const gen_map *map, const void *key, size_t size)
{
    return map->capacity ? find(map, key, size)->value : NULL;
}

static bool grow(gen_map *map, frugal_arena *arena)
{
    gen_map larger = { .count    = map->count,
                       .capacity = map->capacity ? map->capacity * 2 : SIZE_LEAST };
    larger.entries = frugal_arena_items(arena, larger.capacity, sizeof *larger.entries);
    if (!larger.entries)
        return false;
    for (size_t i = 0; i < map->capacity; i++) {
        const gen_map_entry *entry = &map->entries[i];
        if (entry->key)
            *find(&larger, entry->key, entry->size) = *entry;
    }
    *map = larger;
    return true;
}

void **gen_map_add(gen_map *map, frugal_arena *arena, const void *key, size_t size)
{
    if (map->count >= map->capacity / 2 && !grow(map, arena))
        return NULL;
    gen_map_entry *entry = find(map, key, size);
    if (!entry->key) {
        void *copy = frugal_arena_alloc(arena, size, 1);
        if (!copy)
            return NULL;
        memcpy(copy, key, size);
        *entry = (gen_map_entry){ .key = copy, .size = size };
        map->count++;
    }
    return &entry->value;
}
