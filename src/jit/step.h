/* jit/step.h - what both directions ask of a step. */
#ifndef JIT_STEP_H
#define JIT_STEP_H

#include "plan/plan.h"

static inline bool is_field(const plan_step *step)
{
    return step->wire != 0 && step->code >= PLAN_CODE(0, PLAN_FIELD);
}

static inline bool may_be_absent(const plan_step *step)
{
    return step->code >= PLAN_CODE(0, PLAN_BY_POINTER);
}

static inline uint32_t header_size(const plan_step *step)
{
    return is_field(step) ? 3 : 0;
}

/* Bytes of the value that do not depend on it: all of a scalar, a length, a container's header. */
static inline uint32_t value_size(const plan_step *step)
{
    static const uint8_t sizes[PLAN_OPS] = {
        [PLAN_BOOL] = 1, [PLAN_I8] = 1,   [PLAN_I16] = 2,    [PLAN_I32] = 4,
        [PLAN_I64] = 8,  [PLAN_TEXT] = 4, [PLAN_VECTOR] = 5, [PLAN_BOOLS] = 5,
        [PLAN_LIST] = 5, [PLAN_MAP] = 6,  [PLAN_STOP] = 1
    };
    return sizes[step->op];
}

/* Levels from the routine's entry to the value, or to the elements of a container. */
static inline uint32_t needed_depth(const struct plan *plan, const plan_step *step)
{
    bool items = step->op == PLAN_LIST || step->op == PLAN_MAP;
    return step->depth + (items ? (uint32_t)plan->routines[step->body].depth : 0);
}

/* Optional fields in a row, so many that most will be absent. */
#define SPARSE_LEAST 8

#endif /* JIT_STEP_H */
