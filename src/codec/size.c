/* codec/size.c - how many bytes a record will take.
 *
 * Constant parts were folded when the plan was built; what is left to walk are texts, containers,
 * optional fields and unions. There are two walks. The quick one adds up in whatever order is fast
 * and only notes that something is wrong. Then, and under skip_defaults, the careful one goes
 * record by record in the order of the encoder, and its answer stands: it fails where encoding
 * would, with the same words. */
#include "codec/encode.h"
#include "codec/machine.h"
#include "codec/run.h"

static const schema_span *span_at(const void *record, uint32_t offset)
{
    return (const schema_span *)(const void *)((const uint8_t *)record + offset);
}

/* ---- the quick walk ------------------------------------------------------------------------- */

/* What is wrong gathers in `odd`; nothing is decided until the end. */
typedef struct tally {
    const struct plan *plan;
    uint64_t           sum;
    uint64_t           odd;
} tally;

static void add_records(tally *t, const plan_routine *routine, const uint8_t *record, size_t count,
                        uint32_t left);
static void add_one(tally *t, const plan_routine *routine, const uint8_t *record, uint32_t left);

/* A span as it should not be: NULL with a length, or more than 2^31-1. */
ALWAYS_INLINE uint64_t span_is_odd(const schema_span *span)
{
    return (uint64_t)((span->ptr == NULL) & (span->len != 0)) | (uint64_t)span->len >> 31;
}

static void add_container(tally *t, const plan_size *z, const uint8_t *record, uint32_t left)
{
    const schema_span *span = span_at(record, z->offset);
    t->odd |= span_is_odd(span) | (z->depth > left);
    t->sum += z->fixed + (uint64_t)span->len * z->each;
    if (z->op == PLAN_SIZE_SPAN || span->len == 0)
        return;
    const plan_routine *body = &t->plan->routines[z->body];
    t->odd |= t->sum >> 31 | (body->depth + (uint64_t)z->depth > left);
    if (body->size_count && !t->odd)
        add_records(t, body, span->ptr, span->len, left - z->depth - body->depth);
}

static void add_record(tally *t, const plan_size *z, const uint8_t *record, uint32_t left)
{
    const plan_routine *body  = &t->plan->routines[z->body];
    const uint8_t      *inner = record + z->offset;
    if (z->flags & PLAN_INDIRECT)
        memcpy(&inner, record + z->offset, sizeof inner);
    t->odd |= z->depth > left;
    t->sum += z->fixed + (inner ? body->size_fixed : 1);
    if (inner && body->size_count && !t->odd)
        add_one(t, body, inner, left - z->depth);
}

static void add_kept(tally *t, const schema_span *kept)
{
    t->odd |= span_is_odd(kept);
    t->sum += kept->len;
}

static void add_union(tally *t, const plan_step *step, const uint8_t *record, uint32_t left)
{
    const plan_scope *scope = &t->plan->scopes[step->scope];
    int32_t           which = (int32_t)load_u32(record + step->has);
    t->sum += 1;
    if (which == 0) {
        if (scope->keeper != PLAN_NONE)
            add_kept(t, span_at(record, scope->keeper));
        return;
    }
    const plan_step *arm =
        which == (int16_t)which ? plan_find(t->plan, scope, (int16_t)which) : NULL;
    if (arm == NULL) {
        t->odd = 1;
        return;
    }
    const plan_routine *routine = &t->plan->routines[scope->arms[arm->index]];
    t->sum += BINARY_FIELD_SIZE + routine->size_fixed;
    add_one(t, routine, record, left);
}

/* Whether an optional field is not there. NULL with a length is not absent, it is wrong. */
ALWAYS_INLINE bool is_missing(const plan_size *z, const uint8_t *record)
{
    if (z->place == PLAN_BY_HAS)
        return !record[z->has];
    const schema_span *span = span_at(record, z->offset);
    return span->ptr == NULL && (z->op == PLAN_SIZE_RECORD || span->len == 0);
}

static void add_parts(tally *t, const plan_size *z, const plan_size *end, const uint8_t *record,
                      uint32_t left);

/* The sizes of those bytes of a word that are not 0. */
ALWAYS_INLINE uint64_t sizes_of(uint64_t word, const uint8_t sizes[8])
{
    const uint64_t low   = UINT64_C(0x7f7f7f7f7f7f7f7f);
    uint64_t       there = (((word & low) + low) | word) & ~low;
    uint64_t       mask  = (there >> 7) * 0xff;
    return ((load_u64(sizes) & mask) * UINT64_C(0x0101010101010101)) >> 56;
}

/* Of a run only what is there. */
static NEVER_INLINE void add_run(tally *t, const plan_size *z, const uint8_t *record, uint32_t left)
{
    const plan_run  *run   = &t->plan->runs[z->body];
    const plan_size *parts = &t->plan->sizes[run->sizes];
    if (run->only_texts && run_is_dense(run, record)) { /* texts are as fast one by one */
        add_parts(t, parts, parts + run->count, record, left);
        return;
    }
    uint64_t there = codec_engine_of(t->plan)->look(run, record);
    uint64_t sum = 0, lengths = 0;
    for (; there; there &= there - 1) {
        unsigned         word = (unsigned)__builtin_ctzll(there);
        const plan_spot *spot = &run->spots[word];
        sum += spot->size;
        if (LIKELY(spot->kind == PLAN_SPOT_NUMBER))
            continue;
        if (LIKELY(spot->kind == PLAN_SPOT_TEXT)) {
            const schema_span *span = span_at(record, spot->offset);
            if (UNLIKELY(span->ptr == NULL))
                t->odd = 1;
            lengths |= span->len;
            sum += span->len;
        } else if (spot->kind == PLAN_SPOT_FLAGS) {
            sum += sizes_of(run_word(run, record, word), spot->sizes);
        } else {
            const plan_size *part = &parts[spot->step - run->step];
            add_parts(t, part, part + 1, record, left);
        }
    }
    t->sum += sum;
    t->odd |= lengths >> 31;
}

static void add_part(tally *t, const plan_size *z, const uint8_t *record, uint32_t left)
{
    switch (z->op) {
    case PLAN_SIZE_SPAN:
    case PLAN_SIZE_LIST: add_container(t, z, record, left); break;
    case PLAN_SIZE_RECORD: add_record(t, z, record, left); break;
    case PLAN_SIZE_ENTER: t->odd |= z->depth > left; break;
    case PLAN_SIZE_UNION: add_union(t, &t->plan->steps[z->step], record, left); break;
    case PLAN_SIZE_KEEP: add_kept(t, span_at(record, z->offset)); break;
    case PLAN_SIZE_RUN: add_run(t, z, record, left); break;
    default: /* PLAN_SIZE_FIXED */ t->sum += z->fixed; break;
    }
}

static void add_parts(tally *t, const plan_size *z, const plan_size *end, const uint8_t *record,
                      uint32_t left)
{
    uint64_t sum = 0, odd = 0; /* of the texts, in registers */
    for (; z < end; z++) {
        if (z->place >= PLAN_BY_POINTER && is_missing(z, record))
            continue;
        if (LIKELY(z->op == PLAN_SIZE_TEXT)) {
            const schema_span *span = span_at(record, z->offset);
            odd |= span_is_odd(span);
            sum += z->fixed + span->len;
        } else {
            add_part(t, z, record, left);
        }
    }
    t->sum += sum;
    t->odd |= odd;
}

static void add_one(tally *t, const plan_routine *routine, const uint8_t *record, uint32_t left)
{
    const plan_size *first = &t->plan->sizes[routine->size_first];
    add_parts(t, first, first + routine->size_count, record, left);
}

/* Many records: part by part where a part is a text, for texts are what there is most of. */
static void add_texts(tally *t, const plan_size *z, const uint8_t *record, size_t count,
                      size_t stride)
{
    uint64_t sum = 0, odd = 0;
    record += z->offset;
    for (; count; count--, record += stride) {
        const schema_span *span = (const schema_span *)(const void *)record;
        sum += span->len;
        odd |= span_is_odd(span);
    }
    t->sum += sum;
    t->odd |= odd;
}

static void add_records(tally *t, const plan_routine *routine, const uint8_t *record, size_t count,
                        uint32_t left)
{
    const plan_size *z = &t->plan->sizes[routine->size_first], *end = z + routine->size_count;
    const plan_size *rest = z;
    while (rest < end
           && (rest->op == PLAN_SIZE_ENTER
               || (rest->op == PLAN_SIZE_TEXT && rest->place < PLAN_BY_POINTER)))
        rest++;
    if (rest < end) {
        for (; count && !t->odd; count--, record += routine->stride)
            add_one(t, routine, record, left);
        return;
    }
    for (; z < end; z++) {
        if (z->op == PLAN_SIZE_TEXT)
            add_texts(t, z, record, count, routine->stride);
        else
            t->odd |= z->depth > left;
    }
}

uint64_t encode_measure_part(const struct plan *plan, const plan_size *size, uint64_t sum,
                             const uint8_t *record, uint32_t left)
{
    tally t = { plan, sum, 0 };
    add_part(&t, size, record, left);
    return t.odd | t.sum >> 31 ? 0 : t.sum;
}

/* ---- the careful walk ----------------------------------------------------------------------- */

static bool measure(encode_context *ctx, const plan_routine *routine, const uint8_t *record,
                    size_t count, uint32_t left, size_t *sum);

static bool blame(encode_context *ctx, const plan_step *step)
{
    codec_blame(&ctx->path, ctx->plan, step);
    return false;
}

static bool blame_name(encode_context *ctx, const char *name)
{
    path_prepend_name(&ctx->path, name);
    return false;
}

/* Whether a field is left out: it is not there, or it is what readers would show anyway. */
static bool is_absent(const encode_context *ctx, const plan_step *step, const uint8_t *record)
{
    switch (step->code / PLAN_OPS) {
    case PLAN_BY_HAS:
        if (!record[step->has])
            return true;
        break;
    case PLAN_BY_POINTER:
        if (encode_pointee(step, record) == NULL)
            return true;
        break;
    default: return false;
    }
    return (step->flags & ctx->skip_flags) && encode_is_default(ctx->plan, step, record);
}

static bool check_span(encode_context *ctx, const plan_step *step, const schema_span *span,
                       uint32_t left)
{
    if (span->ptr == NULL && span->len)
        encode_fail_null(ctx, NULL, span->len);
    else if (step->depth > left)
        encode_fail_depth(ctx, NULL);
    else if (span->len > INT32_MAX)
        encode_fail_size(ctx, NULL, step->op == PLAN_TEXT ? "bytes" : "elements", span->len);
    else
        return true;
    return blame(ctx, step);
}

static bool measure_items(encode_context *ctx, const plan_size *z, const schema_span *span,
                          uint32_t left, size_t *sum)
{
    const plan_routine *body  = &ctx->plan->routines[z->body];
    const plan_step    *step  = &ctx->plan->steps[z->step];
    uint32_t            inner = left - z->depth;
    if (*sum > INT32_MAX) {
        encode_fail_size(ctx, NULL, "bytes", *sum);
        return blame(ctx, step);
    }
    if (body->depth > inner) {
        encode_fail_depth(ctx, NULL);
        codec_blame_element(&ctx->path, ctx->plan, step, 0, NULL);
        return false;
    }
    if (measure(ctx, body, span->ptr, span->len, inner - body->depth, sum))
        return true;
    codec_blame_element(&ctx->path, ctx->plan, step, span->len - ctx->place.left, &ctx->place);
    return false;
}

static bool measure_span(encode_context *ctx, const plan_size *z, const uint8_t *record,
                         uint32_t left, size_t *sum)
{
    const plan_step   *step = &ctx->plan->steps[z->step];
    const schema_span *span = span_at(record, z->offset);
    if (span->len == 0 && is_absent(ctx, step, record))
        return true;
    if (!check_span(ctx, step, span, left))
        return false;
    if (is_absent(ctx, step, record))
        return true;
    uint64_t size = (uint64_t)span->len * (z->op == PLAN_SIZE_TEXT ? 1 : z->each);
    if (size > INT32_MAX) {
        encode_fail_size(ctx, NULL, "bytes", (size_t)size);
        return blame(ctx, step);
    }
    *sum += z->fixed + (size_t)size;
    return z->op != PLAN_SIZE_LIST || span->len == 0 || measure_items(ctx, z, span, left, sum);
}

static bool measure_record(encode_context *ctx, const plan_size *z, const uint8_t *record,
                           uint32_t left, size_t *sum)
{
    const plan_routine *body  = &ctx->plan->routines[z->body];
    const plan_step    *step  = &ctx->plan->steps[z->step];
    const uint8_t      *inner = record + z->offset;
    if (is_absent(ctx, step, record))
        return true;
    if (z->depth > left) {
        encode_fail_depth(ctx, NULL);
        return blame(ctx, step);
    }
    if (z->flags & PLAN_INDIRECT)
        inner = encode_pointee(step, record);
    *sum += z->fixed + (inner ? body->size_fixed : 1);
    if (inner == NULL || measure(ctx, body, inner, 1, left - z->depth, sum))
        return true;
    return blame(ctx, step);
}

static bool measure_kept(encode_context *ctx, const schema_span *kept, size_t *sum)
{
    if (kept->ptr == NULL && kept->len) {
        encode_fail_null(ctx, NULL, kept->len);
        return false;
    }
    if (kept->len > INT32_MAX) {
        encode_fail_size(ctx, NULL, "bytes", kept->len);
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
        return scope->keeper == PLAN_NONE || measure_kept(ctx, span_at(record, scope->keeper), sum)
               || blame_name(ctx, schema_keeper(scope->type)->name);
    if (encode_find_arm(ctx, step, NULL, which, &routine) == NULL)
        return false;
    *sum += BINARY_FIELD_SIZE + ctx->plan->routines[routine].size_fixed;
    return measure(ctx, &ctx->plan->routines[routine], record, 1, left, sum);
}

static bool measure_part(encode_context *ctx, const plan_size *z, const uint8_t *record,
                         uint32_t left, size_t *sum);

static bool measure_run(encode_context *ctx, const plan_run *run, const uint8_t *record,
                        uint32_t left, size_t *sum)
{
    const plan_size *z = &ctx->plan->sizes[run->sizes], *end = z + run->count;
    while (z < end && measure_part(ctx, z, record, left, sum))
        z++;
    return z == end;
}

static bool measure_part(encode_context *ctx, const plan_size *z, const uint8_t *record,
                         uint32_t left, size_t *sum)
{
    const plan_step *step = &ctx->plan->steps[z->step];
    switch (z->op) {
    case PLAN_SIZE_FIXED: *sum += is_absent(ctx, step, record) ? 0 : z->fixed; return true;
    case PLAN_SIZE_TEXT:
    case PLAN_SIZE_SPAN:
    case PLAN_SIZE_LIST: return measure_span(ctx, z, record, left, sum);
    case PLAN_SIZE_RECORD: return measure_record(ctx, z, record, left, sum);
    case PLAN_SIZE_ENTER:
        if (z->depth <= left)
            return true;
        encode_fail_depth(ctx, NULL);
        return blame(ctx, step);
    case PLAN_SIZE_UNION: return measure_union(ctx, step, record, left, sum);
    case PLAN_SIZE_RUN: return measure_run(ctx, &ctx->plan->runs[z->body], record, left, sum);
    default: /* PLAN_SIZE_KEEP */
        return measure_kept(ctx, span_at(record, z->offset), sum) || blame(ctx, step);
    }
}

/* Adds the variable parts of `count` records; the constant ones are the caller's. */
static bool measure(encode_context *ctx, const plan_routine *routine, const uint8_t *record,
                    size_t count, uint32_t left, size_t *sum)
{
    const plan_size *first = &ctx->plan->sizes[routine->size_first];
    const plan_size *end   = first + routine->size_count;
    for (; count; count--, record += routine->stride) {
        const plan_size *z = first;
        while (z < end && measure_part(ctx, z, record, left, sum))
            z++;
        if (z == end && *sum <= INT32_MAX)
            continue;
        if (z == end)
            encode_fail_size(ctx, NULL, "bytes", *sum);
        const plan_step *step = &ctx->plan->steps[z < end ? z->step : routine->first];
        ctx->place            = codec_place_at(ctx->plan, step, record, count);
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

/* ---- the door ------------------------------------------------------------------------------- */

static NEVER_INLINE frugal_status measure_parts(const frugal_struct *type, const void *record,
                                                const frugal_encode_options *options, size_t *size,
                                                frugal_error *error, const struct plan *plan)
{
    const plan_routine *root = &plan->routines[0];
    tally               t    = { plan, root->size_fixed, 0 };
    const jit_unit     *unit = options->interpreter_only ? NULL : machine_unit(plan, JIT_SIZE);
    if (LIKELY(unit != NULL)) {
        uint64_t sum = machine_measure(plan, unit, record, encode_depth_max(options));
        if (LIKELY(sum <= INT32_MAX)) {
            *size = (size_t)sum;
            return FRUGAL_OK;
        }
    }
    add_one(&t, root, record, encode_depth_max(options) - 1);
    if (UNLIKELY(t.odd | t.sum >> 31))
        return encode_measure_slowly((frugal_view){ type, record }, options, size, error);
    *size = (size_t)t.sum;
    return FRUGAL_OK;
}

frugal_status frugal_encoded_size(frugal_view value, const frugal_encode_options *options,
                                  size_t *size, frugal_error *error)
{
    if (options == NULL)
        options = &encode_defaults;
    const struct plan *plan = encode_ready(value.type, value.ptr, options);
    if (UNLIKELY(plan == NULL) || UNLIKELY(options->skip_defaults))
        return encode_measure_slowly(value, options, size, error);
    const plan_routine *root = &plan->routines[0];
    if (!root->only_texts)
        return measure_parts(value.type, value.ptr, options, size, error, plan);
    /* Here no call is worth its while. */
    const plan_size *z = &plan->sizes[root->size_first], *end = z + root->size_count;
    uint64_t         sum = root->size_fixed, odd = 0;
    for (; z < end; z++) {
        const schema_span *span = span_at(value.ptr, z->offset);
        odd |= span_is_odd(span);
        sum += span->len;
    }
    if (UNLIKELY(odd | sum >> 31))
        return encode_measure_slowly(value, options, size, error);
    *size = (size_t)sum;
    return FRUGAL_OK;
}
