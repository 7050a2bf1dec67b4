/* support/probe.h - an allocator that counts, checks the sizes it is told, and fails on demand. */
#ifndef SUPPORT_PROBE_H
#define SUPPORT_PROBE_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <frugal/memory.h>

typedef struct probe {
    frugal_allocator allocator;
    size_t           calls;     /* that allocate or grow, also those that failed */
    size_t           live;      /* bytes */
    size_t           blocks;    /* live */
    size_t           fail_from; /* the first call, from 0, that fails; SIZE_MAX: none */
    size_t           shift;     /* 8: blocks are not aligned to 16 */
} probe;

#define PROBE_HEAD 32 /* before each block: its size, to compare with what is told */

static inline void *probe_resize(void *context, void *ptr, size_t old_size, size_t size)
{
    probe   *it   = context;
    uint8_t *base = ptr ? (uint8_t *)ptr - PROBE_HEAD - it->shift : NULL;
    assert(ptr || old_size == 0);
    if (base)
        assert(memcmp(base, &old_size, sizeof old_size) == 0);
    if (size && it->calls++ >= it->fail_from)
        return NULL;
    if (base == NULL && size == 0)
        return NULL;
    it->live += size - old_size;
    it->blocks += (size_t)(ptr == NULL) - (size_t)(size == 0);
    if (size == 0) {
        free(base);
        return NULL;
    }
    uint8_t *fresh = malloc(size + PROBE_HEAD + it->shift); /* always moves */
    assert(fresh);
    memcpy(fresh, &size, sizeof size);
    fresh += PROBE_HEAD + it->shift;
    memset(fresh, 0xa5, size);
    if (ptr) {
        memcpy(fresh, ptr, old_size < size ? old_size : size);
        free(base);
    }
    return fresh;
}

static inline void probe_init(probe *it)
{
    *it = (probe){ .allocator = { probe_resize, it }, .fail_from = SIZE_MAX };
}

#endif /* SUPPORT_PROBE_H */
