/* fuzz/fuzz_tables.h - the tables that strangers' bytes are read with. All of them keep unknown
 * fields wherever they can, and have no struct behind a pointer that may be NULL and is written all
 * the same, so what was read and written again reads as the same. */
#ifndef FUZZ_TABLES_H
#define FUZZ_TABLES_H

#include <frugal/describe.h>

#define FUZZ_TABLES 7
extern const frugal_struct *const fuzz_tables[FUZZ_TABLES];

#define FUZZ_RECORD_SIZE_MAX 4096 /* bytes of the largest of them in C */

/* What the first two bytes of an input say; false when there are none. `input` is the rest. */
typedef struct fuzz_case {
    const frugal_struct *type;
    uint8_t              bits;
    frugal_bytes         input;
} fuzz_case;
bool fuzz_case_start(fuzz_case *to, const uint8_t *data, size_t size);

#endif /* FUZZ_TABLES_H */
