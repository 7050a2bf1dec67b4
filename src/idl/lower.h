/* idl/lower.h - what the files that make tables share. */
#ifndef IDL_LOWER_H
#define IDL_LOWER_H

#include "idl/idl.h"
#include "schema/schema.h"

/* A struct of at most so many bytes lies inside the one that has it; a larger one, and one on a
 * cycle, behind a pointer. */
#define LOWER_INLINE_SIZE_MAX SCHEMA_INLINE_SIZE_MAX

/* Bytes of values and initial records: so many for each byte of text, and so many anyway. A list of
 * [{}, {}, ...] of a wide struct would take thousands of times its text. */
#define LOWER_VALUE_RATIO_MAX 64u
#define LOWER_VALUE_SIZE_MIN  ((size_t)64 << 20)

typedef struct lowering {
    idl_load        *load;
    frugal_arena    *scratch;
    idl_definition **nodes;      /* records, and typedefs of containers: [number - 1] */
    uint32_t        *components; /* [number - 1]: those in one are on a cycle */
    uint32_t        *order;      /* indexes of nodes, the needed ones first */
    uint8_t         *heights;    /* [number - 1]: structs by value inside each other, itself too */
    uint32_t         count;
    frugal_slot     *slots; /* the next free one */
    uint32_t         steps;
    size_t           value_size;
} lowering;

/* components.c: fills `components` and `order`. */
void lower_components(lowering *l);

/* lower.c: a type with all below it. `owner`: the number of the record or typedef it is written in;
 * 0: one that nothing can refer to. Structs by value. */
void lower_type(lowering *l, const idl_type *type, uint32_t owner, frugal_type *out);

/* value.c: constants, the records that decoding starts from, and defaults of optional fields. */
void lower_values(lowering *l);

/* The lowered struct of a type; NULL when it is none. */
static inline idl_definition *lower_record_of(const idl_type *type)
{
    type = idl_strip(type);
    return type->kind == IDL_TYPE_NAME && type->definition->record ? type->definition : NULL;
}

#endif /* IDL_LOWER_H */
