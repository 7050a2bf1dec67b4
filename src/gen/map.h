/* gen/map.h - finds things by a few bytes: a C name, a pointer, a container's parts. */
#ifndef GEN_MAP_H
#define GEN_MAP_H

#include <frugal/memory.h>

typedef struct gen_map_entry {
    const void *key;
    size_t      size;
    void       *value;
} gen_map_entry;

/* All zeroes is an empty map. It lives in the arena it is given. */
typedef struct gen_map {
    gen_map_entry *entries;
    size_t         count, capacity; /* capacity: 0 or a power of two */
} gen_map;

/* NULL when there is none. */
void *gen_map_get(const gen_map *map, const void *key, size_t size);

/* The place of the value, NULL in it when the key is new (its bytes are copied). A view until the
 * next add. NULL: no memory. */
void **gen_map_add(gen_map *map, frugal_arena *arena, const void *key, size_t size);

#endif /* GEN_MAP_H */
