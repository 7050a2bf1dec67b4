/* codec/codec.h - what both directions share: naming the place of a fault. */
#ifndef CODEC_CODEC_H
#define CODEC_CODEC_H

#include "core/status.h"
#include "plan/plan.h"

/* Which record of which routine failed, as the routine leaves it for the container around it. */
typedef struct codec_place {
    size_t         left;   /* records that were not done, this one included */
    const uint8_t *record; /* in C */
    uint32_t       offset; /* of the value in it: tells key from value in an entry */
} codec_place;

/* What a routine leaves that failed at `step`. */
static inline codec_place codec_place_at(const struct plan *plan, const plan_step *step,
                                         const uint8_t *record, size_t left)
{
    uint32_t offset = step->offset;
    if (step->wire == 0 && step->scope != PLAN_NONE)
        offset = plan->scopes[step->scope].base;
    return (codec_place){ left, record, offset };
}

/* Puts the names of the step's field and of the flattened structs around it in front of the path. */
void codec_blame(path_builder *path, const struct plan *plan, const plan_step *step);

/* Puts in front what element of the container `step` failed, of which `done` and those in `place` were tried: [index],
 * or {key} when the value of an entry failed; then the container's own name. */
void codec_blame_element(path_builder *path, const struct plan *plan, const plan_step *step, size_t index,
                         const codec_place *place);

/* Makes steps ready for both loops of this CPU: what every plan_get is given. */
void codec_prepare(plan_step *steps, uint32_t count);

/* Whether this process may run code for AVX2 and BMI2. */
static inline bool cpu_has_avx2(void)
{
#ifdef __x86_64__
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
#else
    return false;
#endif
}

#endif /* CODEC_CODEC_H */
