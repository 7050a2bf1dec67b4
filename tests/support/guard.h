/* support/guard.h - memory with a page before and a page behind that nobody may touch. */
#ifndef SUPPORT_GUARD_H
#define SUPPORT_GUARD_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <sys/mman.h>
#include <unistd.h>

typedef struct guard {
    uint8_t *first; /* the first byte that may be touched */
    uint8_t *end;   /* the first byte that may not */
    uint8_t *map;
    size_t   map_size;
} guard;

/* At least `size` bytes between two guard pages. */
static inline guard guard_new(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t room = (size + page) / page * page;
    guard  it;
    it.map_size = room + 2 * page;
    it.map      = mmap(NULL, it.map_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(it.map != MAP_FAILED);
    it.first   = it.map + page;
    it.end     = it.first + room;
    int failed = mprotect(it.first, room, PROT_READ | PROT_WRITE);
    assert(!failed);
    (void)failed;
    return it;
}

static inline void guard_free(guard *it)
{
    munmap(it->map, it->map_size);
}

/* A copy of the bytes that ends where the memory ends. */
static inline uint8_t *guard_put(const guard *it, const void *bytes, size_t size)
{
    assert(size <= (size_t)(it->end - it->first));
    if (size)
        memcpy(it->end - size, bytes, size);
    return it->end - size;
}

#endif /* SUPPORT_GUARD_H */
