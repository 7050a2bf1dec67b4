/* codec/machine.h - machine code of a plan: when it is made, and how the doors run it.
 *
 * It is made on first use or by pretouch, one direction at a time, by whoever comes first; others
 * interpret meanwhile. It runs the plain path alone. When it gives up, for whatever reason, nothing
 * is said: the interpreter does all of it once more, and its answer stands. */
#ifndef CODEC_MACHINE_H
#define CODEC_MACHINE_H

#include "codec/copy.h"
#include "codec/decode.h"
#include "codec/encode.h"
#include "jit/jit.h"

enum machine_state {
    MACHINE_UNTRIED,
    MACHINE_MAKING, /* by some thread, which a fork may have left behind in the parent */
    MACHINE_MADE,
    MACHINE_DECLINED
};

/* Makes it when nobody has tried yet. NULL: not there, and not here. */
const jit_unit *machine_make(const struct plan *plan, jit_kind kind);

/* The machine code of one direction, made when it is not there yet; NULL: interpret. */
ALWAYS_INLINE const jit_unit *machine_unit(const struct plan *plan, jit_kind kind)
{
    const plan_machine *machine = plan->machine;
    const jit_unit     *unit    = __atomic_load_n(&machine->units[kind], __ATOMIC_ACQUIRE);
    if (LIKELY(unit != NULL))
        return unit;
    if (__atomic_load_n(&machine->states[kind], __ATOMIC_RELAXED) == MACHINE_UNTRIED)
        return machine_make(plan, kind);
    return NULL;
}

/* The directions that pretouch makes. */
void machine_pretouch(const struct plan *plan);

/* Appends a line on what runs for this plan, and why. */
frugal_status machine_describe(const struct plan *plan, frugal_buf *text);

extern const jit_context machine_decoding, machine_encoding, machine_measuring;

/* The root, its initial value included, by a unit that is there. One past the end; NULL: interpret.
 */
static inline const uint8_t *machine_decode(decode_context *ctx, const jit_unit *unit,
                                            uint8_t *record)
{
    jit_decode_enter *enter;
    memcpy(&enter, &unit->enter, sizeof enter);
    ctx->unit = unit;
    if (UNLIKELY(!unit->initialises))
        copy_initial(&ctx->plan->routines[0], record, 1);
    return enter(ctx, ctx->start, record, 1, decode_depth_max(ctx) - 1, unit->root);
}

static inline uint8_t *machine_encode(encode_context *ctx, const jit_unit *unit,
                                      const uint8_t *record)
{
    jit_encode_enter *enter;
    memcpy(&enter, &unit->enter, sizeof enter);
    return enter(ctx, ctx->start, record, 1, ctx->depth_max - 1, unit->routines[0]);
}

typedef struct machine_size_context {
    const struct plan *plan;
    void              *unwind;
} machine_size_context;

/* Above 2^31-1: measure again, with care. */
static inline uint64_t machine_measure(const struct plan *plan, const jit_unit *unit,
                                       const uint8_t *record, uint32_t depth_max)
{
    machine_size_context ctx = { plan, NULL };
    jit_size_enter      *enter;
    memcpy(&enter, &unit->enter, sizeof enter);
    return enter(&ctx, plan->routines[0].size_fixed, record, 1, depth_max - 1, unit->routines[0]);
}

#endif /* CODEC_MACHINE_H */
