/* support/gen_table.h - descriptors made by chance: a graph of tables laid out as a C compiler
 * would.
 *
 * The root is records[0]. Structs by value lie only inside records with a smaller index, so that no
 * record contains itself; through pointers, lists, sets and maps any record may refer to any other.
 * Alignment and offsets are computed here and not by the library's schema room, on purpose. */
#ifndef SUPPORT_GEN_TABLE_H
#define SUPPORT_GEN_TABLE_H

#include <stdio.h>

#include <frugal/describe.h>

#include "support/gen_pool.h"
#include "support/gen_random.h"

/* What a value is for the codec: the kinds of steps of a plan, seen from the table. */
#define GEN_STEP_MAP(X)                              \
    X(BOOL, "bool")                                  \
    X(I8, "i8")                                      \
    X(I16, "i16")                                    \
    X(I32, "i32")                                    \
    X(I64, "i64")                                    \
    X(DOUBLE, "double")                              \
    X(STRING, "string")                              \
    X(BINARY, "binary")                              \
    X(ENUM, "enum")                                  \
    X(VECTOR, "vector") /* list or set of numbers */ \
    X(BOOLS, "bool list")                            \
    X(LIST, "list") /* of anything else */           \
    X(SET, "set")                                    \
    X(MAP, "map")                                    \
    X(RECORD_VALUE, "record by value")               \
    X(RECORD_POINTER, "record by pointer")           \
    X(UNION, "union")                                \
    X(KEEPER, "keeper") /* of unknown fields */

typedef enum gen_step {
#define GEN_STEP_ITEM(name, text) GEN_STEP_##name,
    GEN_STEP_MAP(GEN_STEP_ITEM)
#undef GEN_STEP_ITEM
        GEN_STEP_COUNT
} gen_step;

/* Where a value is. By value and by pointer: in a record that the outer record holds so. The nested
 * ones: directly in that container or arm; for a keeper, in a record there. */
#define GEN_PLACE_MAP(X)      \
    X(REQUIRED, "required")   \
    X(DEFAULT, "default")     \
    X(OPTIONAL, "optional")   \
    X(BY_VALUE, "by value")   \
    X(BY_POINTER, "pointer")  \
    X(IN_LIST, "in list")     \
    X(IN_SET, "in set")       \
    X(MAP_KEY, "map key")     \
    X(MAP_VALUE, "map value") \
    X(UNION_ARM, "union arm")

typedef enum gen_place {
#define GEN_PLACE_ITEM(name, text) GEN_PLACE_##name,
    GEN_PLACE_MAP(GEN_PLACE_ITEM)
#undef GEN_PLACE_ITEM
        GEN_PLACE_COUNT
} gen_place;

typedef enum gen_shape {
    GEN_SHAPE_SMALL,     /* one or two records of a few fields */
    GEN_SHAPE_MIXED,     /* up to six records of everything */
    GEN_SHAPE_WIDE,      /* up to 300 fields, mostly optional */
    GEN_SHAPE_CHAIN,     /* structs by value in structs by value, up to ten deep */
    GEN_SHAPE_HUGE,      /* more fields by value than a plan flattens */
    GEN_SHAPE_RECURSIVE, /* cycles through pointers, lists and maps */
    GEN_SHAPE_COUNT
} gen_shape;

typedef struct gen_graph {
    frugal_struct *records;
    uint32_t       count;
    bool           has_keeper;  /* a record keeps unknown fields */
    bool           has_no_copy; /* a field is a view into the input whatever the options say */
    bool           has_required;
} gen_graph;

/* A graph of a shape by chance. */
gen_graph gen_graph_make(gen_random *random, gen_pool *pool);

/* A graph with several values of `step` at `place`; the cell must be one that can exist. */
gen_graph gen_graph_for(gen_random *random, gen_pool *pool, gen_step step, gen_place place);

bool gen_cell_exists(gen_step step, gen_place place);

gen_step gen_step_of(const frugal_type *type);

/* C alignment of a place, and where the value lies in a map's entry. */
uint32_t gen_align(const frugal_type *type);
uint32_t gen_value_offset(const frugal_type *map);

/* The fields by ascending signed id, the keeper left out; allocated from the pool. */
const frugal_field **gen_fields_by_id(gen_pool *pool, const frugal_struct *type, uint32_t *count);

const frugal_field *gen_keeper(const frugal_struct *type);

/* An empty struct on the wire and a NULL pointer mean the same: no field is required or default,
 * and no arm of a union is alive at first. */
bool gen_is_bare(const frugal_struct *type);

/* The tables as text, for reports. */
void gen_graph_print(const gen_graph *graph, FILE *file);

#endif /* SUPPORT_GEN_TABLE_H */
