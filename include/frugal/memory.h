/* frugal/memory.h - who owns what: allocators, arenas, buffers.
 *
 * Five words are used the same way everywhere:
 *   new / free       the library allocates, the caller frees; free takes NULL
 *   init / release   the caller has the storage, the library only what hangs below it
 *   arena            lives until the arena is reset or rewound; nobody frees it alone
 *   view             borrowed and const; the comment says from whom and until when
 *   take             the callee owns it from now on, also when it fails
 *
 * None of these objects may be used by two threads at once; two objects never share anything. */
#ifndef FRUGAL_MEMORY_H
#define FRUGAL_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <frugal/shapes.h>
#include <frugal/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- allocator ------------------------------------------------------------------------------ */

/* One function allocates (ptr NULL, old_size 0), grows, shrinks and frees (size 0, returns NULL).
 * Sizes are always told, so that pools need no headers. Memory is aligned for any type
 * (max_align_t). NULL: there is none, and what `ptr` was stays as it was. `context` is the
 * allocator's own. The allocator must outlive everything made with it, and be safe for the threads
 * that use the objects made with it. */
typedef struct frugal_allocator {
    void *(*resize)(void *context, void *ptr, size_t old_size, size_t size);
    void *context;
} frugal_allocator;

/* ---- arena ---------------------------------------------------------------------------------- */

typedef struct frugal_arena frugal_arena;

/* All zeroes is a good default. */
typedef struct frugal_arena_options {
    size_t                  struct_size; /* sizeof, or 0 for the members of version 0 */
    const frugal_allocator *allocator;   /* NULL: malloc and free */
    /* bytes of the first block; 0 = 4096; later blocks double up to 1 MiB */
    size_t block_size;
    /* bytes that all blocks together may have; 0 = no limit */
    size_t reserved_max;
    /* frugal_arena_init: never more than the caller's memory */
    bool fixed;
} frugal_arena_options;

/* An arena without any block yet. `options` NULL: defaults. NULL when there is no memory. */
FRUGAL_API frugal_arena *frugal_arena_new(const frugal_arena_options *options);

/* Frees the arena of frugal_arena_new and all its blocks. NULL is nothing to do. */
FRUGAL_API void frugal_arena_free(frugal_arena *arena);

/* An arena inside the caller's memory, whose rest is its first block; further blocks come from the
 * allocator unless `options->fixed`. `memory` need not be aligned; it must live as long as the
 * arena. NULL when `size` is below FRUGAL_ARENA_SIZE_MIN. */
#define FRUGAL_ARENA_SIZE_MIN 512
FRUGAL_API frugal_arena *frugal_arena_init(void *memory, size_t size,
                                           const frugal_arena_options *options);

/* Frees the further blocks of an arena of frugal_arena_init. NULL is nothing to do. */
FRUGAL_API void frugal_arena_release(frugal_arena *arena);

/* `size` bytes, not zeroed, aligned to `align` (a power of two, at most 4096). Size 0 gives a
 * pointer that must not be read. NULL: no memory, or `reserved_max` would be passed; the arena is
 * as it was. */
FRUGAL_API void *frugal_arena_alloc(frugal_arena *arena, size_t size, size_t align);

/* `count` zeroed items of `size` bytes, aligned for any type. NULL as above, or when count × size
 * overflows. */
FRUGAL_API void *frugal_arena_items(frugal_arena *arena, size_t count, size_t size);

/* A copy of `text` in the arena, with a NUL behind it that `len` does not count. `ptr` is NULL when
 * there is no memory. */
FRUGAL_API frugal_str frugal_arena_str(frugal_arena *arena, frugal_str text);

/* Forgets all that was allocated and keeps the blocks for what comes: an arena that is reset after
 * every message allocates nothing once it is warm. */
FRUGAL_API void frugal_arena_reset(frugal_arena *arena);

/* Forgets what was allocated after the mark was taken; keeps the blocks. Marks nest: rewinding to
 * one makes the later ones invalid, and so does a reset. */
typedef struct frugal_arena_mark {
    void *block;
    void *cursor;
} frugal_arena_mark;
FRUGAL_API frugal_arena_mark frugal_arena_get_mark(const frugal_arena *arena);
FRUGAL_API void              frugal_arena_rewind(frugal_arena *arena, frugal_arena_mark mark);

/* Bytes allocated since the last reset, with padding and what blocks lost at their ends; bytes of
 * all blocks. */
FRUGAL_API size_t frugal_arena_used(const frugal_arena *arena);
FRUGAL_API size_t frugal_arena_reserved(const frugal_arena *arena);

/* Room for n (evaluated twice) zeroed items of a list, set or map in the arena; false: no
 * memory. */
#ifdef __cplusplus
#    define FRUGAL_ALLOC_ITEMS(arena, list, n)                       \
        (((list).ptr = static_cast<decltype((list).ptr)>(            \
              frugal_arena_items((arena), (n), sizeof *(list).ptr))) \
             != nullptr                                              \
         && ((list).len = (n), true))
#else
#    define FRUGAL_ALLOC_ITEMS(arena, list, n)                                       \
        (((list).ptr = frugal_arena_items((arena), (n), sizeof *(list).ptr)) != NULL \
         && ((list).len = (n), true))
#endif

/* ---- buffer --------------------------------------------------------------------------------- */

/* Growable output that may begin on the caller's storage. Members may be read, and `size`
 * lowered. */
typedef struct frugal_buf {
    uint8_t                *data;
    size_t                  size;      /* bytes written */
    size_t                  capacity;  /* bytes at data */
    const frugal_allocator *allocator; /* NULL: malloc and free */
    bool                    fixed;     /* never grows: FRUGAL_NOSPACE instead */
    bool                    owned;     /* data came from the allocator */
} frugal_buf;

/* Empty, growing. `storage` (may be NULL when `capacity` is 0) must live as long as the buffer,
 * which leaves it for the allocator's memory when it is full. `allocator` NULL: malloc and free. */
FRUGAL_API void frugal_buf_init(frugal_buf *buf, void *storage, size_t capacity,
                                const frugal_allocator *allocator);

/* Empty, on the caller's storage alone. */
FRUGAL_API void frugal_buf_init_fixed(frugal_buf *buf, void *storage, size_t capacity);

/* Frees what the buffer owns and leaves it empty, without storage. NULL is nothing to do. */
FRUGAL_API void frugal_buf_release(frugal_buf *buf);

/* Makes room for `more` bytes behind `size`. FRUGAL_NOSPACE (fixed) and FRUGAL_NOMEM leave the
 * buffer as it was. Grows by doubling. */
FRUGAL_API frugal_status frugal_buf_reserve(frugal_buf *buf, size_t more);

/* Appends; fails as frugal_buf_reserve does. `bytes` may be NULL when `size` is 0. */
FRUGAL_API frugal_status frugal_buf_append(frugal_buf *buf, const void *bytes, size_t size);

/* What was written. A view until the buffer grows, is released, or is written to. */
FRUGAL_API frugal_bytes frugal_buf_bytes(const frugal_buf *buf);

#ifdef __cplusplus
}
#endif
#endif /* FRUGAL_MEMORY_H */
