/* codec/encode.h - the state of one encode call and what its doors ask first, shared by the loop,
 * the size pass and their helpers. */
#ifndef CODEC_ENCODE_H
#define CODEC_ENCODE_H

#include "codec/codec.h"
#include "codec/entries.h"
#include "core/bytes.h"
#include "core/status.h"
#include "plan/plan.h"
#include "wire/binary.h"

typedef struct encode_context encode_context;

/* Writes `count` records of the routine whose first step is `first`, lying one after the other at
 * `record`, at `p`. `left`: structs and containers that may still be entered inside. One past what
 * was written, or NULL with the error filled in. The output may move: ctx->end is then another. */
typedef uint8_t *encode_run(encode_context *ctx, const plan_step *first, uint8_t *p,
                            const uint8_t *record, size_t count, uint32_t left);

struct encode_context {
    uint8_t           *start, *end; /* of the output */
    const struct plan *plan;
    frugal_buf        *growing; /* NULL: the output is the caller's memory and stays as it is */
    size_t             before;  /* bytes in `growing` that were there before */
    uint32_t           depth_max;
    uint8_t            skip_flags; /* PLAN_INITIAL under skip_defaults */
    bool               canonical;
    bool               interpreted; /* no machine code */
    void              *unwind;      /* machine code's own */
    frugal_error      *error;       /* may be NULL */

    /* Of a failure only. */
    frugal_status status;
    codec_place   place;
    path_builder  path;
};

/* Which words of a run say that a field is there; of two that belong together the first. */
typedef uint64_t look_run(const plan_run *run, const uint8_t *record);

encode_run encode_run_base;
look_run   look_run_base;
#ifdef __x86_64__
encode_run encode_run_avx2;
look_run   look_run_avx2;
#endif

/* Fills in status and error, empties the path; `p` is where the output has come to, NULL in the
 * size pass. */
__attribute__((format(printf, 4, 5))) void encode_fail(encode_context *ctx, frugal_status status,
                                                       const uint8_t *p, const char *format, ...);

/* The common failures. */
void encode_fail_null(encode_context *ctx, const uint8_t *p, size_t len);
void encode_fail_arm(encode_context *ctx, const uint8_t *p, const plan_step *step, int32_t which);
void encode_fail_depth(encode_context *ctx, const uint8_t *p);
void encode_fail_size(encode_context *ctx, const uint8_t *p, const char *what, size_t size);

/* Room for `fixed` and `size` more bytes at `p`; the new `p`, or NULL with the error. */
uint8_t *encode_more(encode_context *ctx, uint8_t *p, size_t fixed, size_t size);

/* Under skip_defaults, for a present field with a default: whether it is equal to that. Structs and
 * containers never are. */
bool encode_is_default(const struct plan *plan, const plan_step *step, const uint8_t *record);

/* The arm of a union that is alive; NULL with the error when it does not exist. `which` is not
 * 0. */
const plan_step *encode_find_arm(encode_context *ctx, const plan_step *step, const uint8_t *p,
                                 int32_t which, uint32_t *routine);

/* The entries of a map or set, sorted, behind its header. */
uint8_t *encode_sorted(encode_context *ctx, const plan_step *step, uint8_t *p,
                       const schema_span *span, uint32_t left);

/* Appends one record of the routine at `first` to `wire`, canonical unless only keys are asked for.
 */
frugal_status encode_part(const struct plan *plan, const plan_step *first, const uint8_t *record,
                          entries_part part, uint32_t left, frugal_buf *wire);

/* The exact bytes of the root; false with the error. */
bool encode_measure(encode_context *ctx, const uint8_t *record, size_t *size);

/* What one variable part adds to a sum, with what lies below it; 0 when anything is wrong. */
uint64_t encode_measure_part(const struct plan *plan, const plan_size *size, uint64_t sum,
                             const uint8_t *record, uint32_t left);

/* As frugal_encoded_size: record by record, with care. */
frugal_status encode_measure_slowly(frugal_view value, const frugal_encode_options *options,
                                    size_t *size, frugal_error *error);

/* ---- arguments ------------------------------------------------------------------------------ */

extern const frugal_encode_options encode_defaults;

/* Struct sizes are unsigned: 0 becomes the largest. */
ALWAYS_INLINE bool encode_arguments_fit(const void *record, const frugal_encode_options *options)
{
    return LIKELY(record != NULL) && LIKELY(options->depth_max <= FRUGAL_DEPTH_MAX)
           && LIKELY(options->struct_size - 1 >= sizeof *options - 1);
}

/* The plan, when it is there and all arguments are in order; else NULL, and nothing is said. (Given
 * a frugal_view, gcc 12 put it together in memory and took it apart again, which cost 14 ns.) */
ALWAYS_INLINE const struct plan *encode_ready(const frugal_struct *type, const void *record,
                                              const frugal_encode_options *options)
{
    return encode_arguments_fit(record, options) ? plan_ready(type, options->protocol) : NULL;
}

static inline uint32_t encode_depth_max(const frugal_encode_options *options)
{
    return options->depth_max ? options->depth_max : FRUGAL_DEPTH_DEFAULT;
}

static inline const uint8_t *encode_pointee(const plan_step *step, const uint8_t *record)
{
    const uint8_t *pointee;
    memcpy(&pointee, record + step->offset, sizeof pointee);
    return pointee;
}

#endif /* CODEC_ENCODE_H */
