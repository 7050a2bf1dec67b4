/* gen/value.h - values that the IDL has (constants, defaults) as initialisers. */
#ifndef GEN_VALUE_H
#define GEN_VALUE_H

#include "gen/unit.h"

/* An integer of a kind, as C takes it everywhere. */
void gen_put_integer(gen_text *out, uint8_t kind, int64_t value);

/* A bool, number or enum: "true", "INT64_C(5)", "1.5", "CALLS_OP_ADD". */
void gen_put_scalar(gen *g, const frugal_type *type, const void *place);

/* "BEFORE TYPE NAME = { ... };". What it points at is written before it,
 * as static objects of its own. `place` is a value of the type, as in memory; of an indirect struct
 * the struct itself. */
void gen_write_object(gen *g, const char *before, const char *type_text, const char *name,
                      const frugal_type *type, const void *place);

/* A static object of its own, frugal_value_N; returns N. */
uint32_t gen_write_value(gen *g, const char *type_text, const frugal_type *type, const void *place);

#endif /* GEN_VALUE_H */
