/* bench/mallocs.h - how often this process asked the heap for memory, and for how much. */
#ifndef BENCH_MALLOCS_H
#define BENCH_MALLOCS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Since the start: malloc, calloc, realloc and the aligned ones, in all shared objects, and with
 * them operator new. For one thread; others may be missed. */
uint64_t mallocs_count(void);

/* The bytes that those calls asked for; a realloc counts with its whole new size. */
uint64_t mallocs_bytes(void);

#ifdef __cplusplus
}
#endif
#endif /* BENCH_MALLOCS_H */
