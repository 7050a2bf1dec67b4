/* plan/builder.h - what the files that build a plan share: growing arrays, and which routine stands
 * for what. */
#ifndef PLAN_BUILDER_H
#define PLAN_BUILDER_H

#include "core/arena.h"
#include "plan/plan.h"
#include "wire/binary.h"

/* What a routine is made from. */
typedef enum source_kind {
    SOURCE_STRUCT,
    SOURCE_UNION,
    SOURCE_ELEMENT, /* `type` in an element place */
    SOURCE_ENTRY,   /* key and value of the map `type` */
    SOURCE_ARM      /* the arm `field` of the union with scope `scope` */
} source_kind;

typedef struct source {
    source_kind          kind;
    const frugal_struct *record;
    const frugal_type   *type;
    const frugal_field  *field;
    uint32_t             scope, index;
} source;

/* A growing array of one kind of thing. */
typedef struct vector {
    void  *items;
    size_t count, capacity, item_size;
} vector;

typedef struct builder {
    const frugal_allocator *allocator;
    frugal_arena           *arena; /* the plan's */
    vector                  steps, origins, scopes, routines, sizes, runs, sources;
    /* hash table: routine + 1 of a struct or node, by its address; 0 = free */
    vector memo;
    bool   out_of_memory; /* sticky */
} builder;

/* A new zeroed item at the end; its place is valid until the next one. NULL: no memory. */
void *vector_push(builder *b, vector *v);
void  vector_release(builder *b, vector *v);

/* Memory of the plan. NULL: there is none, and b->out_of_memory. */
void       *arena_zeroed(builder *b, size_t count, size_t size);
const void *arena_copy(builder *b, const vector *v);

static inline plan_step *step_at(const builder *b, uint32_t index)
{
    return (plan_step *)b->steps.items + index;
}

static inline plan_scope *scope_at(const builder *b, uint32_t index)
{
    return (plan_scope *)b->scopes.items + index;
}

static inline plan_routine *routine_at(const builder *b, uint32_t index)
{
    return (plan_routine *)b->routines.items + index;
}

static inline plan_place place_of_code(uint8_t code)
{
    return (plan_place)(code / PLAN_OPS);
}

/* The number of a routine, which is built later. One for each struct and each node of a type; an
 * arm has its own each time. */
uint32_t new_routine(builder *b, const source *from);
uint32_t routine_of_struct(builder *b, const frugal_struct *type);
uint32_t routine_of_element(builder *b, const frugal_type *type);
uint32_t routine_of_entry(builder *b, const frugal_type *map);

/* Which optional fields of a routine are runs, once its steps are there (run.c). */
void build_runs(builder *b, uint32_t routine);

/* Bytes of the value on the wire that do not depend on it (size.c). */
uint32_t fixed_part(const plan_step *step);

/* How the bytes of records are counted, once all steps are there (size.c). */
void build_sizes(builder *b);

#endif /* PLAN_BUILDER_H */
