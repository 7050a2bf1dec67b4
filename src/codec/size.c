/* codec/size.c - how many bytes a record will take.
 *
 * Constant parts were folded when the plan was built; what is left to walk are texts, containers, optional fields and
 * unions. It fails where encoding would. */
#include "codec/encode.h"

static bool measure(encode_context *ctx, const plan_routine *routine, const uint8_t *record,
                    size_t count, uint32_t left, size_t *sum);

static const schema_span *span_of(const plan_size *z, const uint8_t *record)
{
    return (const schema_span *)(const void *)(record + z->offset);
}

/* Whether a field is left out: it is not there, or it is what readers would show anyway. */
ALWAYS_INLINE bool is_absent(const encode_context *ctx, const plan_size *z, const uint8_t *record)
{
    if (z->place == PLAN_BY_HAS ? !record[z->has]
                                : z->place == PLAN_BY_POINTER
                                      && encode_pointee(&ctx->plan->steps[z->step], record) == NULL)
        return true;
    return UNLIKELY(z->flags & ctx->skip_flags)
           && encode_is_default(&ctx->plan->steps[z->step], record);
}

/* A span that may not be as it is: the error, false. */
static NEVER_INLINE bool check_span(encode_context *ctx, const plan_size *z, const schema_span *span,
                                    uint32_t left)
{
    if (span->ptr == NULL && span->len)
        encode_fail_null(ctx, NULL, span->len);
    else if (z->depth > left)
        encode_fail_depth(ctx, NULL);
    else if (span->len > INT32_MAX)
        encode_fail_size(ctx, NULL, z->op == PLAN_SIZE_TEXT ? "bytes" : "elements", span->len);
    else
        return true;
    codec_blame(&ctx->path, ctx->plan, &ctx->plan->steps[z->step]);
    return false;
}

ALWAYS_INLINE bool is_odd(const plan_size *z, const schema_span *span, uint32_t left)
{
    return UNLIKELY(span->ptr == NULL) || UNLIKELY(span->len > INT32_MAX) || UNLIKELY(z->depth > left);
}

static bool measure_list(encode_context *ctx, const plan_size *z, const schema_span *span,
                         uint32_t left, size_t *sum)
{
    const plan_routine *body  = &ctx->plan->routines[z->body];
    const plan_step    *step  = &ctx->plan->steps[z->step];
    uint32_t            inner = left - z->depth;
    if (span->len == 0)
        return true;
    *sum += span->len * z->each;
    if (*sum > INT32_MAX) {
        encode_fail_size(ctx, NULL, "bytes", *sum);
        codec_blame(&ctx->path, ctx->plan, step);
        return false;
    }
    if (body->depth > inner) {
        encode_fail_depth(ctx, NULL);
        codec_blame_element(&ctx->path, ctx->plan, step, 0, NULL);
        return false;
    }
    if (body->size_count == 0 || measure(ctx, body, span->ptr, span->len, inner - body->depth, sum))
        return true;
    codec_blame_element(&ctx->path, ctx->plan, step, span->len - ctx->place.left, &ctx->place);
    return false;
}

static bool measure_record(encode_context *ctx, const plan_size *z, const uint8_t *record,
                           uint32_t left, size_t *sum)
{
    const plan_routine *body  = &ctx->plan->routines[z->body];
    const plan_step    *step  = &ctx->plan->steps[z->step];
    const uint8_t      *inner = record + z->offset;
    if (z->depth > left) {
        encode_fail_depth(ctx, NULL);
        codec_blame(&ctx->path, ctx->plan, step);
        return false;
    }
    if (z->flags & PLAN_INDIRECT)
        inner = encode_pointee(step, record);
    *sum += inner ? body->size_fixed : 1;
    if (inner == NULL || body->size_count == 0
        || measure(ctx, body, inner, 1, left - z->depth, sum))
        return true;
    codec_blame(&ctx->path, ctx->plan, step);
    return false;
}

static bool measure_kept(encode_context *ctx, const schema_span *kept, size_t *sum)
{
    if (kept->len > INT32_MAX) {
        encode_fail_size(ctx, NULL, "bytes", kept->len);
        return false;
    }
    if (kept->ptr == NULL && kept->len) {
        encode_fail_null(ctx, NULL, kept->len);
        return false;
    }
    *sum += kept->len;
    return true;
}

static bool measure_union(encode_context *ctx, const plan_step *step, const uint8_t *record,
                          uint32_t left, size_t *sum)
{
    const plan_scope *scope = &ctx->plan->scopes[step->scope];
    int32_t           which = (int32_t)load_u32(record + step->has);
    uint32_t          routine;
    *sum += 1;
    if (which == 0)
        return scope->keeper == PLAN_NONE
               || measure_kept(ctx, (const schema_span *)(const void *)(record + scope->keeper), sum);
    if (encode_find_arm(ctx, step, NULL, which, &routine) == NULL)
        return false;
    *sum += BINARY_FIELD_SIZE + ctx->plan->routines[routine].size_fixed;
    return measure(ctx, &ctx->plan->routines[routine], record, 1, left, sum);
}

/* Adds the variable parts of one record. One switch over operations: hence its length. */
static bool measure_one(encode_context *ctx, const plan_size *z, const plan_size *end,
                        const uint8_t *record, uint32_t left, size_t *sum)
{
    const schema_span *span;
    for (; z < end; z++) {
        switch (z->op) {
        case PLAN_SIZE_FIXED:
            if (UNLIKELY(z->flags & ctx->skip_flags))
                *sum += is_absent(ctx, z, record) ? 0 : z->fixed;
            else
                *sum += record[z->has] ? z->fixed : 0;
            break;
        case PLAN_SIZE_TEXT:
            span = span_of(z, record);
            if (is_odd(z, span, left) && !check_span(ctx, z, span, left))
                return false;
            if (z->place >= PLAN_BY_POINTER && is_absent(ctx, z, record))
                break;
            *sum += z->fixed + span->len;
            break;
        case PLAN_SIZE_SPAN:
        case PLAN_SIZE_LIST:
            span = span_of(z, record);
            if (z->place >= PLAN_BY_POINTER && span->len == 0 && is_absent(ctx, z, record))
                break;
            if (is_odd(z, span, left) && !check_span(ctx, z, span, left))
                return false;
            if (z->place >= PLAN_BY_POINTER && is_absent(ctx, z, record))
                break;
            *sum += z->fixed;
            if (z->op == PLAN_SIZE_SPAN)
                *sum += span->len * z->each;
            else if (!measure_list(ctx, z, span, left, sum))
                return false;
            break;
        case PLAN_SIZE_RECORD:
            if (z->place >= PLAN_BY_POINTER && is_absent(ctx, z, record))
                break;
            *sum += z->fixed;
            if (!measure_record(ctx, z, record, left, sum))
                return false;
            break;
        case PLAN_SIZE_ENTER:
            if (UNLIKELY(z->depth > left)) {
                encode_fail_depth(ctx, NULL);
                codec_blame(&ctx->path, ctx->plan, &ctx->plan->steps[z->step]);
                return false;
            }
            break;
        case PLAN_SIZE_UNION:
            if (!measure_union(ctx, &ctx->plan->steps[z->step], record, left, sum))
                return false;
            break;
        default: /* PLAN_SIZE_KEEP */
            if (!measure_kept(ctx, span_of(z, record), sum)) {
                codec_blame(&ctx->path, ctx->plan, &ctx->plan->steps[z->step]);
                return false;
            }
            break;
        }
    }
    return true;
}

/* Adds the variable parts of `count` records; the constant ones are the caller's. */
static bool measure(encode_context *ctx, const plan_routine *routine, const uint8_t *record,
                    size_t count, uint32_t left, size_t *sum)
{
    const plan_size *first = &ctx->plan->sizes[routine->size_first];
    const plan_size *end   = first + routine->size_count;
    for (; count; count--, record += routine->stride) {
        if (LIKELY(measure_one(ctx, first, end, record, left, sum)) && LIKELY(*sum <= INT32_MAX))
            continue;
        if (*sum > INT32_MAX && ctx->status == FRUGAL_OK)
            encode_fail_size(ctx, NULL, "bytes", *sum);
        const plan_step *step = &ctx->plan->steps[routine->first];
        ctx->place            = codec_place_at(ctx->plan, step, record, count);
        /* The size pass does not know which half of an entry it was in: say the value, which has a key to show. */
        ctx->place.offset = routine->value_offset;
        return false;
    }
    return true;
}

bool encode_measure(encode_context *ctx, const uint8_t *record, size_t *size)
{
    const plan_routine *root = &ctx->plan->routines[0];
    size_t              sum  = root->size_fixed;
    if (!measure(ctx, root, record, 1, ctx->depth_max - 1, &sum))
        return false;
    *size = sum;
    return true;
}
