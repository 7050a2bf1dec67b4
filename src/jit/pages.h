/* jit/pages.h - memory that may be executed. The only room that maps any.
 *
 * A region is written once, while only its maker knows it, then made executable and never written
 * again: at no time is a page both, and none that is executed can be opened for writing, not even
 * by a child of fork. So many units as are compiled together share a region; none costs a page of
 * its own then.
 *
 * Hardened kernels refuse to make executable what was writable. Then the bytes go into a file that
 * only memory holds (memfd), are sealed there, and mapped from it. When that is refused, too,
 * nothing is tried again in this process. All functions may be called by any number of threads. */
#ifndef JIT_PAGES_H
#define JIT_PAGES_H

#include <frugal/memory.h>

/* Bytes of position-independent machine code. */
typedef struct pages_unit {
    const void *bytes;
    size_t      size;
    void       *code; /* where it is executed: out */
} pages_unit;

typedef struct pages_region {
    uint8_t                *base;
    size_t                  size; /* whole pages */
    uint32_t                references;
    const frugal_allocator *allocator;
} pages_region;

/* Units begin at multiples of this. */
#define PAGES_ALIGN 64u

/* One region with all units; it has `count` references, one for each. NULL: no memory, or refused,
 * and pages_refusal says why. `allocator` NULL: malloc; it must live until the region is freed. */
pages_region *pages_new(pages_unit *units, size_t count, const frugal_allocator *allocator);

/* One reference less; with the last, the pages are gone. NULL is nothing to do. */
void pages_free(pages_region *region);

/* Whether there is executable memory in this process. Tries it, when nobody has yet. */
bool pages_allowed(void);

/* Why not, with the calls that were refused; NULL as long as none was. */
const char *pages_refusal(void);

#endif /* JIT_PAGES_H */
