/* core/arena.h - the inside of an arena, for those who allocate in a hot loop.
 *
 * An arena is a list of blocks and a cursor in one of them. `limit` lies ARENA_SLACK bytes before
 * the real end of the block: whoever writes a value that was allocated here may write up to
 * ARENA_SLACK bytes past its end (a copy in wide steps) without leaving the block. */
#ifndef CORE_ARENA_H
#define CORE_ARENA_H

#include <frugal/memory.h>

#include "core/bytes.h"

#define ARENA_SLACK      64
#define ARENA_ALIGN_MAX  4096
#define ARENA_BLOCK_SIZE 4096
#define ARENA_BLOCK_MAX  ((size_t)1 << 20)

typedef struct arena_block arena_block;

struct frugal_arena {
    uint8_t                *cursor; /* NULL, as is limit, while there is no block */
    uint8_t                *limit;
    arena_block            *current;
    arena_block            *first;
    const frugal_allocator *allocator;
    size_t                  next_size; /* of the next block */
    size_t                  reserved;
    size_t                  reserved_max;
    bool                    fixed;
    bool                    on_heap; /* made by frugal_arena_new */
};

/* As frugal_arena_alloc, when the current block is full. */
void *arena_alloc_slow(frugal_arena *arena, size_t size, size_t align);

/* Whether the room left in the current block suffices; `align` is a power of two. */
ALWAYS_INLINE void *arena_alloc(frugal_arena *arena, size_t size, size_t align)
{
    uintptr_t start = ((uintptr_t)arena->cursor + (align - 1)) & ~(uintptr_t)(align - 1);
    uintptr_t limit = (uintptr_t)arena->limit;
    if (UNLIKELY(start > limit || limit - start < size || start == 0))
        return arena_alloc_slow(arena, size, align);
    arena->cursor = (uint8_t *)(start + size);
    return (uint8_t *)start;
}

/* Text needs no alignment. */
ALWAYS_INLINE uint8_t *arena_alloc_bytes(frugal_arena *arena, size_t size)
{
    uint8_t *start = arena->cursor;
    if (UNLIKELY((size_t)(arena->limit - start) < size || start == NULL))
        return arena_alloc_slow(arena, size, 1);
    arena->cursor = start + size;
    return start;
}

ALWAYS_INLINE frugal_arena_mark arena_get_mark(const frugal_arena *arena)
{
    return (frugal_arena_mark){ arena->current, arena->cursor };
}

/* Makes the newest allocation larger or smaller in place; false when it is not the newest or the
 * block is full. */
ALWAYS_INLINE bool arena_resize(frugal_arena *arena, void *ptr, size_t old_size, size_t size)
{
    uint8_t *start = ptr;
    if (start + old_size != arena->cursor || (size_t)(arena->limit - start) < size)
        return false;
    arena->cursor = start + size;
    return true;
}

#endif /* CORE_ARENA_H */
