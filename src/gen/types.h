/* gen/types.h - what a value is in C, and the typedefs of containers. */
#ifndef GEN_TYPES_H
#define GEN_TYPES_H

#include "gen/unit.h"

/* Writes what must stand before a declaration of the type: typedefs of containers, and the entries
 * of maps, or remembers them until gen_write_waiting. */
void gen_declare(gen *g, const frugal_type *type);

/* The entries of maps whose structs were not complete; now they are. */
void gen_write_waiting(gen *g);

/* "int32_t ", "struct calls_work *", "calls_list_i32 ": a name can follow. What `written` (may be
 * NULL) calls it by a typedef that is there is called so. gen_declare was called for it. NULL: has
 * failed. */
const char *gen_c_type(gen *g, const idl_type *written, const frugal_type *type);

/* The container of that shape; NULL: has failed. */
gen_container *gen_container_of(gen *g, const frugal_type *type);

/* "FRUGAL_KIND_I32". */
const char *gen_kind(uint8_t kind);

static inline bool gen_is_container(const frugal_type *type)
{
    return type->kind == FRUGAL_KIND_LIST || type->kind == FRUGAL_KIND_SET
           || type->kind == FRUGAL_KIND_MAP;
}

#endif /* GEN_TYPES_H */
