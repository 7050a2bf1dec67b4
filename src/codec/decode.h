/* codec/decode.h - the state of one decode call, shared by the loop and its helpers. */
#ifndef CODEC_DECODE_H
#define CODEC_DECODE_H

#include "codec/codec.h"
#include "core/arena.h"
#include "core/bytes.h"
#include "core/status.h"
#include "plan/plan.h"
#include "wire/binary.h"

typedef struct decode_context decode_context;

/* Reads `count` records of the routine whose first step is `first`, lying one after the other at
 * `record`, from `p`. `left`: structs and containers that may still be entered inside. One past
 * what was read, or NULL with the fault recorded and the path built up to this routine. */
typedef const uint8_t *decode_run(decode_context *ctx, const plan_step *first, const uint8_t *p,
                                  uint8_t *record, size_t count, uint32_t left);

/* What becomes of strings and binaries. */
typedef enum decode_texts {
    DECODE_COPIED, /* all of them; the budget was charged for the whole input before */
    DECODE_VIEWED, /* none */
    DECODE_SOME,   /* as the step and the options say, checked and charged one by one */
    DECODE_TEXTS
} decode_texts;

struct decode_context {
    const uint8_t               *start, *end; /* of the input */
    const struct plan           *plan;
    frugal_arena                *arena;
    size_t                       budget; /* arena bytes that may still be taken */
    const frugal_decode_options *options;
    frugal_arena_mark            mark;   /* of the arena before the call */
    uint8_t                      texts;  /* decode_texts */
    const struct jit_unit       *unit;   /* the machine code that runs, if any */
    void                        *unwind; /* its own */

    /* Of a failure only. */
    wire_fault   fault;
    codec_place  place; /* what the routine that failed last leaves to the container around it */
    path_builder path;
};

decode_run decode_run_base;
#ifdef __x86_64__
decode_run decode_run_avx2;
#endif

/* The limits of the call, with their defaults. */
static inline uint32_t decode_depth_max(const decode_context *ctx)
{
    return ctx->options->depth_max ? ctx->options->depth_max : FRUGAL_DEPTH_DEFAULT;
}

static inline size_t decode_size_max(const decode_context *ctx)
{
    if (ctx->options->size_max)
        return ctx->options->size_max;
    uint64_t size  = 64 * (uint64_t)(ctx->end - ctx->start); /* below 2^31 bytes of input */
    uint64_t least = (uint64_t)64 << 20;
    size           = size > least ? size : least;
    return size > SIZE_MAX ? SIZE_MAX : (size_t)size;
}

/* Records what is wrong; the path is empty. Returns NULL, for `return decode_fault(…)`. */
const void *decode_fault(decode_context *ctx, wire_fault_kind kind, const uint8_t *at, uint64_t a,
                         uint64_t b, uint64_t c);

/* Arena memory, charged to the budget; NULL with the fault. `size` may be more than a size_t holds.
 */
ALWAYS_INLINE void *decode_alloc(decode_context *ctx, uint64_t size, size_t align,
                                 const uint8_t *at)
{
    if (LIKELY(size <= ctx->budget)) {
        void *memory = arena_alloc(ctx->arena, (size_t)size, align);
        if (LIKELY(memory != NULL)) {
            ctx->budget -= (size_t)size;
            return memory;
        }
        return (void *)(uintptr_t)decode_fault(ctx, WIRE_FAULT_NOMEM, at, size, 0, 0);
    }
    return (void *)(uintptr_t)decode_fault(ctx, WIRE_FAULT_BUDGET, at, size, decode_size_max(ctx),
                                           0);
}

/* A text in any of the less common ways: views, UTF-8 checked, a full block, a fault. `p` is at the
 * length, of which all four bytes are there. */
const uint8_t *decode_text(decode_context *ctx, const plan_step *step, const uint8_t *p,
                           schema_span *span);

/* The fault of a container whose header was found wanting, NULL; `header` bytes of it are there. */
const uint8_t *decode_bad_container(decode_context *ctx, const plan_step *step, const uint8_t *p,
                                    uint32_t left);

/* Where to go on after a header that was not the expected one: at the value of `step`, or behind
 * the stop byte when `step` is STOP. `step` NULL: failed, and the path is complete up to the
 * routine. */
typedef struct decode_resume {
    const plan_step *step;
    const uint8_t   *p;
} decode_resume;

/* Reads from the header at `p`, where `step` was expected, to the next value that the loop can go
 * on with. */
decode_resume decode_resync(decode_context *ctx, const plan_step *step, const uint8_t *p,
                            uint8_t *record, uint32_t left);

/* Reads the rest of the scope of `step`, whose fields before `step` have been read, field by field
 * in any order. The result is its STOP. */
decode_resume decode_careful(decode_context *ctx, const plan_step *step, const uint8_t *p,
                             uint8_t *record, uint32_t left);

/* The whole union of the UNION step, its stop byte included. */
const uint8_t *decode_union(decode_context *ctx, const plan_step *step, const uint8_t *p,
                            uint8_t *record, uint32_t left);

/* The value of one step, and nothing after it, whatever stands around it. */
const uint8_t *decode_one(decode_context *ctx, const plan_step *step, const uint8_t *p,
                          uint8_t *record, uint32_t left);

/* Under reject_duplicates: whether the map or set that was read is free of them. */
bool decode_is_distinct(decode_context *ctx, const plan_step *step, const schema_span *span,
                        const uint8_t *at);

#endif /* CODEC_DECODE_H */
