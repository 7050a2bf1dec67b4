/* bench/mallocs.c - stands before glibc's allocator and counts.
 *
 * A program's own malloc is found before that of the C library, by every shared object. glibc keeps
 * its functions reachable under a second name. `free` stays glibc's. The counter costs a peer that
 * allocates well under a nanosecond for each call (see README.md), and nobody else anything. */
#include "mallocs.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *ptr, size_t size);
extern void *__libc_memalign(size_t align, size_t size);

void *memalign(size_t align, size_t size);
int   posix_memalign(void **ptr, size_t align, size_t size);

static uint64_t count, bytes;

uint64_t mallocs_count(void)
{
    return count;
}

uint64_t mallocs_bytes(void)
{
    return bytes;
}

void *malloc(size_t size)
{
    count++;
    bytes += size;
    return __libc_malloc(size);
}

void *calloc(size_t items, size_t size)
{
    count++;
    bytes += items * size;
    return __libc_calloc(items, size);
}

void *realloc(void *ptr, size_t size)
{
    count++;
    bytes += size;
    return __libc_realloc(ptr, size);
}

void *memalign(size_t align, size_t size)
{
    count++;
    bytes += size;
    return __libc_memalign(align, size);
}

void *aligned_alloc(size_t align, size_t size)
{
    return memalign(align, size);
}

int posix_memalign(void **ptr, size_t align, size_t size)
{
    void *memory = memalign(align, size);

    if (memory == NULL)
        return ENOMEM;
    *ptr = memory;
    return 0;
}
