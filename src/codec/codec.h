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

/* Puts the names of the step's field and of the flattened structs around it in front of the
 * path. */
void codec_blame(path_builder *path, const struct plan *plan, const plan_step *step);

/* Puts in front which element of the container `step` failed: [index], or {key} when it was in the
 * value of an entry; `place` NULL: [index]. The other does the same and puts the container's own
 * name before it. */
void codec_blame_index(path_builder *path, const struct plan *plan, const plan_step *step,
                       size_t index, const codec_place *place);
void codec_blame_element(path_builder *path, const struct plan *plan, const plan_step *step,
                         size_t index, const codec_place *place);

/* The loops of one CPU; see decode.h and encode.h. */
struct decode_context;
struct encode_context;
typedef struct codec_engine {
    const uint8_t *(*decode)(struct decode_context *ctx, const plan_step *first, const uint8_t *p,
                             uint8_t *record, size_t count, uint32_t left);
    uint8_t *(*encode)(struct encode_context *ctx, const plan_step *first, uint8_t *p,
                       const uint8_t *record, size_t count, uint32_t left);
    /* A bit for each word of a run that says that a field is there; see run.h. */
    uint64_t (*look)(const plan_run *run, const uint8_t *record);
} codec_engine;

/* Makes steps ready for the loops of this CPU, which are returned: what every plan_get is given. */
plan_prepare codec_prepare;

static inline const codec_engine *codec_engine_of(const struct plan *plan)
{
    return (const codec_engine *)plan->engine;
}

#endif /* CODEC_CODEC_H */
