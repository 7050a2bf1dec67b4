/* jit/miss.h - the tables by which a scope's miss finds where to go on; the same on every CPU. */
#ifndef JIT_MISS_H
#define JIT_MISS_H

#include "jit/target.h"

/* Eight bytes a field, by id, so that one load has them all: four, how far its code is from the
 * table; one, its wire type (0: there is no such field, and no field has that type); then the least
 * index of a step from which it may be gone to, and how many indices there are from that to its
 * own.
 */
#define MISS_FIELD_BITS 12u
#define MISS_FIELDS_MAX (1u << MISS_FIELD_BITS)
void miss_put_fields(jit_compiler *c, const jit_scope *s, uint8_t table_kind);

/* Distances of the code of each field from the table, by index, and of the stop byte. */
void miss_put_indices(jit_compiler *c, const jit_scope *s, uint8_t table_kind);

#endif /* JIT_MISS_H */
