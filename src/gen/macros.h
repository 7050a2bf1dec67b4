/* gen/macros.h - names that are macros in headers of C and POSIX. */
#ifndef GEN_MACROS_H
#define GEN_MACROS_H

#include <stddef.h>

/* Sorted as strcmp sorts, each once. */
extern const char *const gen_macros[];
extern const size_t      gen_macro_count;

#endif /* GEN_MACROS_H */
