/* core/allocator.h - the allocator hook: NULL means malloc, everywhere. */
#ifndef CORE_ALLOCATOR_H
#define CORE_ALLOCATOR_H

#include <frugal/memory.h>

/* malloc, realloc and free as an allocator. */
extern const frugal_allocator allocator_malloc;

static inline const frugal_allocator *allocator_or_malloc(const frugal_allocator *allocator)
{
    return allocator ? allocator : &allocator_malloc;
}

static inline void *allocator_resize(const frugal_allocator *allocator, void *ptr, size_t old_size,
                                     size_t size)
{
    return allocator->resize(allocator->context, ptr, old_size, size);
}

#endif /* CORE_ALLOCATOR_H */
