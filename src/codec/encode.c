/* codec/encode.c - the doors of encoding, and what the loop calls when something is out of the
 * ordinary. */
#include "codec/encode.h"
#include "codec/machine.h"

#include <stdarg.h>
#include <stdio.h>

#include "codec/entries.h"

/* ---- failures ------------------------------------------------------------------------------- */

void encode_fail(encode_context *ctx, frugal_status status, const uint8_t *p, const char *format,
                 ...)
{
    ctx->status = status;
    path_init(&ctx->path);
    if (ctx->error == NULL)
        return;
    char    text[sizeof ctx->error->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    error_set(ctx->error, status, "%s", text);
    ctx->error->offset = p ? (size_t)(p - ctx->start) : 0;
}

void encode_fail_null(encode_context *ctx, const uint8_t *p, size_t len)
{
    encode_fail(ctx, FRUGAL_INVALID, p, "NULL with a length of %zu", len);
}

void encode_fail_arm(encode_context *ctx, const uint8_t *p, const plan_step *step, int32_t which)
{
    encode_fail(ctx, FRUGAL_INVALID, p, "union %s has no arm %d",
                ctx->plan->scopes[step->scope].type->name, (int)which);
}

void encode_fail_depth(encode_context *ctx, const uint8_t *p)
{
    encode_fail(ctx, FRUGAL_DEPTH, p, "nested deeper than %u levels (depth_max)", ctx->depth_max);
}

void encode_fail_size(encode_context *ctx, const uint8_t *p, const char *what, size_t size)
{
    encode_fail(ctx, FRUGAL_SIZE, p, "%zu %s, more than %d", size, what, INT32_MAX);
}

/* ---- room ----------------------------------------------------------------------------------- */

/* What lies behind `before` in a growing buffer, and not more than a message may have. */
static void set_output(encode_context *ctx, frugal_buf *buf)
{
    size_t room  = buf->capacity - ctx->before;
    ctx->growing = buf;
    ctx->start   = buf->data + ctx->before;
    ctx->end     = ctx->start + (room > INT32_MAX ? (size_t)INT32_MAX : room);
}

uint8_t *encode_more(encode_context *ctx, uint8_t *p, size_t fixed, size_t size)
{
    size_t done = (size_t)(p - ctx->start);
    if (size > INT32_MAX || done + fixed + size > INT32_MAX) {
        encode_fail_size(ctx, p, "bytes", size > INT32_MAX ? size : done + fixed + size);
        return NULL;
    }
    frugal_buf *buf = ctx->growing;
    if (buf == NULL) {
        encode_fail(ctx, FRUGAL_NOSPACE, p, "output buffer too small");
        return NULL;
    }
    buf->size            = ctx->before + done;
    frugal_status status = frugal_buf_reserve(buf, fixed + size);
    if (status != FRUGAL_OK) {
        encode_fail(ctx, status, p, "no memory for %zu bytes of output", done + fixed + size);
        return NULL;
    }
    set_output(ctx, buf);
    return ctx->start + done;
}

/* ---- fields --------------------------------------------------------------------------------- */

bool encode_is_default(const struct plan *plan, const plan_step *step, const uint8_t *record)
{
    const uint8_t *value   = record + step->offset;
    const void    *initial = plan->origins[step->number].field->initial;
    switch (step->op) {
    case PLAN_BOOL: return (*value != 0) == (*(const uint8_t *)initial != 0);
    case PLAN_I8: return *value == *(const uint8_t *)initial;
    case PLAN_I16: return load_u16(value) == load_u16(initial);
    case PLAN_I32: return load_u32(value) == load_u32(initial);
    case PLAN_I64: return load_u64(value) == load_u64(initial);
    case PLAN_TEXT: {
        const schema_span *a = (const schema_span *)(const void *)value, *b = initial;
        return a->len == b->len && (a->len == 0 || (a->ptr && memcmp(a->ptr, b->ptr, a->len) == 0));
    }
    default: return false;
    }
}

const plan_step *encode_find_arm(encode_context *ctx, const plan_step *step, const uint8_t *p,
                                 int32_t which, uint32_t *routine)
{
    const plan_scope *scope = &ctx->plan->scopes[step->scope];
    const plan_step  *arm =
        which == (int16_t)which ? plan_find(ctx->plan, scope, (int16_t)which) : NULL;
    if (arm == NULL)
        encode_fail_arm(ctx, p, step, which);
    else
        *routine = scope->arms[arm->index];
    return arm;
}

uint8_t *encode_sorted(encode_context *ctx, const plan_step *step, uint8_t *p,
                       const schema_span *span, uint32_t left)
{
    entries       sorted;
    frugal_status status = entries_sorted(
        &sorted, ctx->plan, step, span, ctx->skip_flags ? ENTRIES_WITHOUT_DEFAULTS : ENTRIES_WHOLE,
        left, ctx->growing ? ctx->growing->allocator : NULL, SIZE_MAX);
    if (status != FRUGAL_OK) {
        encode_fail(ctx, status, p, "entries cannot be sorted: %s", frugal_status_text(status));
    } else if ((size_t)(ctx->end - p) < sorted.wire.size
               && (p = encode_more(ctx, p, 0, sorted.wire.size)) == NULL) {
        status = ctx->status;
    } else {
        for (size_t i = 0; i < sorted.count; i++) {
            memcpy(p, sorted.wire.data + sorted.items[i].start, sorted.items[i].size);
            p += sorted.items[i].size;
        }
    }
    entries_release(&sorted);
    return status == FRUGAL_OK ? p : NULL;
}

/* ---- the doors ------------------------------------------------------------------------------ */

static frugal_status refuse(const void *record, const frugal_encode_options *options,
                            frugal_error *error)
{
    if (record == NULL)
        return error_set(error, FRUGAL_INVALID, "no record to encode");
    if (options->depth_max > FRUGAL_DEPTH_MAX)
        return error_set(error, FRUGAL_INVALID, "depth_max %u is above %d", options->depth_max,
                         FRUGAL_DEPTH_MAX);
    return error_set(error, FRUGAL_INVALID, "options of an unknown size: %zu",
                     options->struct_size);
}

const frugal_encode_options encode_defaults;

static NEVER_INLINE frugal_status find_plan(const frugal_struct *type, const void *record,
                                            const frugal_encode_options *options,
                                            const struct plan **plan, frugal_error *error)
{
    if (!encode_arguments_fit(record, options))
        return refuse(record, options, error);
    return plan_get_slow(type, options->protocol, codec_prepare, NULL, plan, error);
}

ALWAYS_INLINE frugal_status begin(encode_context *ctx, const frugal_struct *type,
                                  const void *record, const frugal_encode_options *options,
                                  frugal_error *error)
{
    if (options == NULL)
        options = &encode_defaults;
    ctx->plan = encode_ready(type, record, options);
    if (UNLIKELY(ctx->plan == NULL)) {
        frugal_status status = find_plan(type, record, options, &ctx->plan, error);
        if (status != FRUGAL_OK)
            return status;
    }
    ctx->depth_max   = encode_depth_max(options);
    ctx->skip_flags  = options->skip_defaults ? PLAN_INITIAL : 0;
    ctx->canonical   = options->canonical;
    ctx->interpreted = options->interpreter_only | options->skip_defaults | options->canonical;
    ctx->error       = error;
    return FRUGAL_OK;
}

ALWAYS_INLINE uint8_t *write_root(encode_context *ctx, const void *record)
{
    const plan_step *first = &ctx->plan->steps[ctx->plan->routines[0].first];
    if (LIKELY(!ctx->interpreted)) {
        const jit_unit *unit = machine_unit(ctx->plan, JIT_ENCODE);
        uint8_t        *end  = unit ? machine_encode(ctx, unit, record) : NULL;
        if (LIKELY(end != NULL))
            return end;
        if (ctx->growing) /* it may have moved */
            set_output(ctx, ctx->growing);
    }
    return codec_engine_of(ctx->plan)->encode(ctx, first, ctx->start, record, 1,
                                              ctx->depth_max - 1);
}

/* The sentence of a buffer that is too small says by how much. */
static void count_short(encode_context *ctx, const void *record, size_t capacity)
{
    frugal_error *error = ctx->error;
    size_t        size;
    ctx->error = NULL;
    if (error && encode_measure(ctx, record, &size) && size > capacity)
        snprintf(error->message, sizeof error->message,
                 "output buffer too small: %zu byte%s short of %zu", size - capacity,
                 size - capacity == 1 ? "" : "s", size);
    ctx->status = FRUGAL_NOSPACE;
}

static NEVER_INLINE frugal_status give_up(encode_context *ctx, const void *record, size_t capacity)
{
    path_finish(&ctx->path, ctx->error);
    if (ctx->status == FRUGAL_NOSPACE)
        count_short(ctx, record, capacity);
    return ctx->status;
}

frugal_status encode_measure_slowly(frugal_view value, const frugal_encode_options *options,
                                    size_t *size, frugal_error *error)
{
    encode_context ctx;
    frugal_status  status = begin(&ctx, value.type, value.ptr, options, error);
    if (status != FRUGAL_OK)
        return status;
    return encode_measure(&ctx, value.ptr, size) ? FRUGAL_OK : give_up(&ctx, value.ptr, 0);
}

frugal_status frugal_encode_to(frugal_view value, const frugal_encode_options *options, void *out,
                               size_t capacity, size_t *size, frugal_error *error)
{
    static uint8_t nowhere[1];
    encode_context ctx;
    frugal_status  status = begin(&ctx, value.type, value.ptr, options, error);
    if (status != FRUGAL_OK)
        return status;
    if (UNLIKELY(out == NULL)) {
        if (capacity)
            return error_set(error, FRUGAL_INVALID, "NULL output of %zu bytes", capacity);
        out = nowhere;
    }
    ctx.growing = NULL;
    ctx.start   = out;
    ctx.end     = ctx.start + (capacity > INT32_MAX ? (size_t)INT32_MAX : capacity);

    uint8_t *end = write_root(&ctx, value.ptr);
    if (UNLIKELY(end == NULL))
        return give_up(&ctx, value.ptr, capacity);
    if (size)
        *size = (size_t)(end - ctx.start);
    return FRUGAL_OK;
}

frugal_status frugal_encode(frugal_view value, const frugal_encode_options *options,
                            frugal_buf *out, frugal_error *error)
{
    encode_context ctx;
    frugal_status  status = begin(&ctx, value.type, value.ptr, options, error);
    if (status != FRUGAL_OK)
        return status;
    if (out == NULL)
        return error_set(error, FRUGAL_INVALID, "no output buffer");
    /* The least message is one byte; with it there is always memory to point at. */
    size_t before = out->size;
    status        = frugal_buf_reserve(out, 1);
    if (status != FRUGAL_OK) {
        encode_fail(&ctx, status, NULL, "no room for any output");
        return give_up(&ctx, value.ptr, out->capacity - before);
    }
    ctx.before = before;
    set_output(&ctx, out);

    uint8_t *end = write_root(&ctx, value.ptr);
    if (UNLIKELY(end == NULL)) {
        out->size = before;
        return give_up(&ctx, value.ptr, out->capacity - before);
    }
    out->size = before + (size_t)(end - ctx.start);
    return FRUGAL_OK;
}

frugal_status encode_part(const struct plan *plan, const plan_step *first, const uint8_t *record,
                          entries_part part, uint32_t left, frugal_buf *wire)
{
    frugal_status status = frugal_buf_reserve(wire, 1);
    if (status != FRUGAL_OK)
        return status;
    encode_context ctx = { .plan       = plan,
                           .before     = wire->size,
                           .depth_max  = FRUGAL_DEPTH_MAX,
                           .skip_flags = part == ENTRIES_WITHOUT_DEFAULTS ? PLAN_INITIAL : 0,
                           .canonical  = part != ENTRIES_KEYS };
    set_output(&ctx, wire);
    const uint8_t *end = codec_engine_of(plan)->encode(&ctx, first, ctx.start, record, 1, left);
    if (end == NULL) {
        wire->size = ctx.before;
        return ctx.status;
    }
    wire->size = ctx.before + (size_t)(end - ctx.start);
    return FRUGAL_OK;
}
