/* plan/size.c - how the bytes of a record are counted: what is constant is added up, what is not is
 * listed. */
#include "plan/builder.h"

static const uint8_t scalar_size[] = {
    [PLAN_BOOL] = 1, [PLAN_I8] = 1, [PLAN_I16] = 2, [PLAN_I32] = 4, [PLAN_I64] = 8
};

uint32_t fixed_part(const plan_step *step)
{
    switch (step->op) {
    case PLAN_BOOL:
    case PLAN_I8:
    case PLAN_I16:
    case PLAN_I32:
    case PLAN_I64: return scalar_size[step->op];
    case PLAN_TEXT: return BINARY_TEXT_SIZE;
    case PLAN_VECTOR:
    case PLAN_BOOLS:
    case PLAN_LIST: return BINARY_LIST_SIZE;
    case PLAN_MAP: return BINARY_MAP_SIZE;
    case PLAN_STOP: return 1;
    default: return 0;
    }
}

static plan_size_op size_op(const builder *b, const plan_step *step)
{
    switch (step->op) {
    case PLAN_TEXT: return PLAN_SIZE_TEXT;
    case PLAN_VECTOR:
    case PLAN_BOOLS: return PLAN_SIZE_SPAN;
    case PLAN_LIST:
    case PLAN_MAP: /* an element that is a level of its own must be looked at: depth */
        return routine_at(b, step->body)->size_count || routine_at(b, step->body)->depth
                   ? PLAN_SIZE_LIST
                   : PLAN_SIZE_SPAN;
    case PLAN_RECORD: return PLAN_SIZE_RECORD;
    case PLAN_ENTER: return PLAN_SIZE_ENTER;
    case PLAN_UNION: return PLAN_SIZE_UNION;
    case PLAN_KEEP: return PLAN_SIZE_KEEP;
    default: return PLAN_SIZE_FIXED;
    }
}

static uint32_t each_part(const builder *b, const plan_step *step)
{
    switch (step->op) {
    case PLAN_VECTOR: return 1u << step->shift;
    case PLAN_BOOLS: return 1;
    case PLAN_LIST:
    case PLAN_MAP: return routine_at(b, step->body)->size_fixed;
    default: return 0;
    }
}

static void add_size(builder *b, uint32_t index)
{
    const plan_step *step  = step_at(b, index);
    plan_place       place = place_of_code(step->code);
    plan_size       *size  = vector_push(b, &b->sizes);
    if (size == NULL)
        return;
    *size = (plan_size){ .op     = (uint8_t)size_op(b, step),
                         .place  = (uint8_t)place,
                         .flags  = step->flags,
                         .depth  = step->depth,
                         .offset = step->offset,
                         .has    = step->has,
                         .each   = each_part(b, step),
                         .body   = step->body,
                         .step   = index };
    if (place >= PLAN_BY_POINTER)
        size->fixed = BINARY_FIELD_SIZE + fixed_part(step);
}

/* Whether any value of the step takes the same bytes and can be folded. */
static bool is_constant(const plan_step *step)
{
    return (step->op <= PLAN_I64 || step->op == PLAN_STOP || step->op == PLAN_END)
           && place_of_code(step->code) < PLAN_BY_POINTER;
}

/* A first pass over all routines sets the constant parts, a second lists the variable ones: a list
 * of elements of constant size needs to know that they are. */
static void measure_fixed(builder *b, uint32_t routine)
{
    plan_routine *r = routine_at(b, routine);
    for (uint32_t i = r->first; i < r->first + r->count; i++) {
        const plan_step *step  = step_at(b, i);
        plan_place       place = place_of_code(step->code);
        if (place == PLAN_FIELD)
            r->size_fixed += BINARY_FIELD_SIZE;
        if (place < PLAN_BY_POINTER)
            r->size_fixed += fixed_part(step);
        r->size_count += !is_constant(step);
    }
}

/* The fields of a run are one part of their routine. */
static uint32_t add_run_size(builder *b, uint32_t index)
{
    plan_size *size = vector_push(b, &b->sizes);
    if (size == NULL)
        return 1;
    *size = (plan_size){ .op = PLAN_SIZE_RUN, .body = step_at(b, index)->run - 1, .step = index };
    return ((const plan_run *)b->runs.items)[size->body].count;
}

static bool is_text(const plan_size *size)
{
    return size->op == PLAN_SIZE_TEXT && size->place < PLAN_BY_POINTER;
}

static void list_sizes(builder *b, uint32_t routine)
{
    uint32_t first = routine_at(b, routine)->first, end = first + routine_at(b, routine)->count;
    uint32_t before = (uint32_t)b->sizes.count;
    for (uint32_t i = first; i < end && !b->out_of_memory;) {
        if (step_at(b, i)->run) {
            i += add_run_size(b, i);
            continue;
        }
        if (!is_constant(step_at(b, i)))
            add_size(b, i);
        i++;
    }
    plan_routine *r = routine_at(b, routine);
    r->size_first   = before;
    r->size_count   = (uint32_t)b->sizes.count - before;
    r->only_texts   = true;
    for (uint32_t i = before; i < b->sizes.count; i++)
        r->only_texts = r->only_texts && is_text((const plan_size *)b->sizes.items + i);
}

/* What each field of each run adds, behind the parts of all routines. */
static void list_run_sizes(builder *b)
{
    for (uint32_t i = 0; i < b->steps.count; i++) {
        if (step_at(b, i)->run == 0)
            continue;
        plan_run *run = (plan_run *)b->runs.items + step_at(b, i)->run - 1;
        run->sizes    = (uint32_t)b->sizes.count;
        for (uint32_t k = 0; k < run->count && !b->out_of_memory; k++)
            add_size(b, i + k);
    }
}

void build_sizes(builder *b)
{
    for (uint32_t i = 0; i < b->routines.count && !b->out_of_memory; i++)
        measure_fixed(b, i);
    for (uint32_t i = 0; i < b->routines.count && !b->out_of_memory; i++)
        list_sizes(b, i);
    list_run_sizes(b);
}
