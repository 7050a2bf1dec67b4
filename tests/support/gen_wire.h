/* support/gen_wire.h - bytes by chance: well formed values without a table, rewritten messages that
 * mean the same, and broken ones. */
#ifndef SUPPORT_GEN_WIRE_H
#define SUPPORT_GEN_WIRE_H

#include <frugal/describe.h>

#include "support/gen_pool.h"
#include "support/gen_random.h"

/* The wire type of a described kind. */
uint8_t gen_wire_type(uint8_t kind);

/* A wire type that exists, other than `but` (0: any). */
uint8_t gen_any_wire_type(gen_random *random, uint8_t but);

/* A well formed value, at most `depth` levels deep. */
void gen_wire_value(gen_random *random, gen_bytes *out, uint8_t wire_type, unsigned depth);

/* A field that `type` does not know: another id, or a known one with another wire type. */
void gen_unknown_field(gen_random *random, const frugal_struct *type, gen_bytes *out);

/* What a rewrite may do, in every struct of the message; as per cent of structs. */
typedef struct gen_rewrite {
    unsigned shuffle; /* fields in another order; those with one id keep theirs */
    unsigned repeat;  /* a field is preceded by others with its id; a union's arm by other arms */
    unsigned unknown; /* fields that nobody described are put in */
    unsigned drop;    /* fields are left out */
} gen_rewrite;

/* Rewrites the well formed struct `type` at the front of `in` into `out`; `pool` is for values.
 * Returns the bytes read. */
size_t gen_rewrite_record(gen_random *random, gen_pool *pool, const gen_rewrite *rewrite,
                          const frugal_struct *type, const uint8_t *in, size_t size,
                          gen_bytes *out);

/* Changes some bytes, takes some out, puts some in. `bytes` is not empty, and may be afterwards. */
void gen_mutate(gen_random *random, gen_bytes *bytes);

#endif /* SUPPORT_GEN_WIRE_H */
