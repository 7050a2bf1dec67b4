/* core/arena.c - arenas: blocks that are kept, a cursor that moves.
 *
 * The hard part is what a reset keeps. Blocks stay in one list in the order of their first use;
 * after a reset the same sequence of requests walks the same list, and nothing is allocated. Kept
 * blocks that cannot hold the next request are freed on the way to one that can. Keeping them as
 * well would let a peer grow an arena for ever with requests that are each a little larger than the
 * last. */
#include "core/arena.h"

#include <assert.h>

#include "core/allocator.h"

struct arena_block {
    arena_block *next;
    uint8_t     *start; /* first usable byte */
    uint8_t     *limit; /* ARENA_SLACK before the end */
    size_t       size;  /* of the whole block, this header included; 0: the caller's memory */
};

static void start_in(frugal_arena *arena, arena_block *block)
{
    arena->current = block;
    arena->cursor  = block ? block->start : NULL;
    arena->limit   = block ? block->limit : NULL;
}

static void set_options(frugal_arena *arena, const frugal_arena_options *options)
{
    static const frugal_arena_options defaults;
    if (options == NULL)
        options = &defaults;
    memset(arena, 0, sizeof *arena);
    arena->allocator    = allocator_or_malloc(options->allocator);
    arena->next_size    = options->block_size ? options->block_size : ARENA_BLOCK_SIZE;
    arena->reserved_max = options->reserved_max ? options->reserved_max : SIZE_MAX;
    arena->fixed        = options->fixed;
}

frugal_arena *frugal_arena_new(const frugal_arena_options *options)
{
    const frugal_allocator *allocator = allocator_or_malloc(options ? options->allocator : NULL);
    frugal_arena           *arena     = allocator_resize(allocator, NULL, 0, sizeof *arena);
    if (arena == NULL)
        return NULL;
    set_options(arena, options);
    arena->on_heap = true;
    arena->fixed   = false;
    return arena;
}

static void free_blocks(frugal_arena *arena)
{
    arena_block *block = arena->first;
    while (block) {
        arena_block *next = block->next;
        if (block->size)
            allocator_resize(arena->allocator, block, block->size, 0);
        block = next;
    }
    arena->first = NULL;
    start_in(arena, NULL);
}

void frugal_arena_free(frugal_arena *arena)
{
    if (arena == NULL)
        return;
    assert(arena->on_heap);
    free_blocks(arena);
    allocator_resize(arena->allocator, arena, sizeof *arena, 0);
}

frugal_arena *frugal_arena_init(void *memory, size_t size, const frugal_arena_options *options)
{
    uint8_t *start = memory;
    if (start == NULL || size < FRUGAL_ARENA_SIZE_MIN)
        return NULL;
    uint8_t *end = start + size;
    start += align_up((uintptr_t)start, 16) - (uintptr_t)start;

    frugal_arena *arena = (frugal_arena *)start;
    set_options(arena, options);
    start += align_up(sizeof *arena, 16);

    arena_block *block = (arena_block *)start;
    block->next        = NULL;
    block->size        = 0;
    block->start       = start + align_up(sizeof *block, 16);
    block->limit       = end - ARENA_SLACK;
    arena->first       = block;
    arena->reserved    = size;
    start_in(arena, block);
    return arena;
}

void frugal_arena_release(frugal_arena *arena)
{
    if (arena == NULL)
        return;
    assert(!arena->on_heap);
    free_blocks(arena);
}

/* The link to the first block that holds nothing now. No valid mark points at or behind it. */
static arena_block **first_kept(frugal_arena *arena)
{
    return arena->current ? &arena->current->next : &arena->first;
}

/* The next kept block with room for `size` bytes, NULL when there is none left. */
static arena_block *find_kept(frugal_arena *arena, size_t size)
{
    arena_block **link = first_kept(arena);
    while (*link && (size_t)((*link)->limit - (*link)->start) < size) {
        arena_block *small = *link;
        *link              = small->next;
        arena->reserved -= small->size;
        allocator_resize(arena->allocator, small, small->size, 0);
    }
    return *link;
}

/* A new block with room for `size` bytes, the only one behind the current; NULL: no memory. */
static arena_block *new_block(frugal_arena *arena, size_t size)
{
    size_t whole = size + sizeof(arena_block) + 16 + ARENA_SLACK;
    size_t left = arena->reserved_max > arena->reserved ? arena->reserved_max - arena->reserved : 0;
    if (whole > left || arena->fixed)
        return NULL;
    if (whole < arena->next_size)
        whole = arena->next_size < left ? arena->next_size : left;
    arena_block *block = allocator_resize(arena->allocator, NULL, 0, whole);
    if (block == NULL)
        return NULL;
    /* Not all allocators give 16 bytes of alignment; the 16 above pay for that. */
    uint8_t *start = (uint8_t *)block + sizeof *block;
    start += align_up((uintptr_t)start, 16) - (uintptr_t)start;
    *block = (arena_block){ .start = start,
                            .limit = (uint8_t *)block + whole - ARENA_SLACK,
                            .size  = whole };
    arena->reserved += whole;
    if (arena->next_size < ARENA_BLOCK_MAX)
        arena->next_size *= 2;
    *first_kept(arena) = block;
    return block;
}

void *arena_alloc_slow(frugal_arena *arena, size_t size, size_t align)
{
    assert(align && (align & (align - 1)) == 0 && align <= ARENA_ALIGN_MAX);
    if (size > SIZE_MAX / 2)
        return NULL;
    size_t       padded = size + (align > 16 ? align : 0);
    arena_block *next   = find_kept(arena, padded);
    if (next == NULL)
        next = new_block(arena, padded);
    if (next == NULL)
        return NULL;
    start_in(arena, next);
    uint8_t *start =
        arena->cursor + (align_up((uintptr_t)arena->cursor, align) - (uintptr_t)arena->cursor);
    assert((size_t)(arena->limit - start) >= size);
    arena->cursor = start + size;
    return start;
}

void *frugal_arena_alloc(frugal_arena *arena, size_t size, size_t align)
{
    if (align == 0 || (align & (align - 1)) != 0 || align > ARENA_ALIGN_MAX)
        return NULL;
    return arena_alloc(arena, size, align);
}

void *frugal_arena_items(frugal_arena *arena, size_t count, size_t size)
{
    size_t whole;
    if (__builtin_mul_overflow(count, size, &whole))
        return NULL;
    void *items = arena_alloc(arena, whole, 16);
    if (items)
        memset(items, 0, whole);
    return items;
}

frugal_str frugal_arena_str(frugal_arena *arena, frugal_str text)
{
    frugal_str copy = { NULL, 0 };
    if (text.len == SIZE_MAX)
        return copy;
    char *bytes = (char *)arena_alloc_bytes(arena, text.len + 1);
    if (bytes == NULL)
        return copy;
    if (text.len)
        memcpy(bytes, text.ptr, text.len);
    bytes[text.len] = '\0';
    return (frugal_str){ bytes, text.len };
}

void frugal_arena_reset(frugal_arena *arena)
{
    start_in(arena, arena->first);
}

frugal_arena_mark frugal_arena_get_mark(const frugal_arena *arena)
{
    return arena_get_mark(arena);
}

void frugal_arena_rewind(frugal_arena *arena, frugal_arena_mark mark)
{
    if (mark.block == NULL) {
        /* Taken before there was a block: all that exists now is empty again. */
        start_in(arena, arena->first);
        return;
    }
    start_in(arena, mark.block);
    arena->cursor = mark.cursor;
}

size_t frugal_arena_used(const frugal_arena *arena)
{
    size_t used = 0;
    for (const arena_block *block = arena->first; block && arena->current; block = block->next) {
        if (block == arena->current)
            return used + (size_t)(arena->cursor - block->start);
        used += (size_t)(block->limit - block->start);
    }
    return used;
}

size_t frugal_arena_reserved(const frugal_arena *arena)
{
    return arena->reserved;
}
