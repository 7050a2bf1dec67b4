/* core/allocator.c - what stands behind a NULL allocator. */
#include "core/allocator.h"

#include <stdlib.h>

static void *resize_malloc(void *context, void *ptr, size_t old_size, size_t size)
{
    (void)context;
    (void)old_size;
    if (size == 0) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, size);
}

const frugal_allocator allocator_malloc = { resize_malloc, NULL };
