/* codec/decode.c - the door of decoding, and what the loop calls when something is out of the
 * ordinary. */
#include "codec/decode.h"

#include "codec/copy.h"
#include "codec/entries.h"
#include "codec/machine.h"
#include "core/utf8.h"

/* ---- faults --------------------------------------------------------------------------------- */

const void *decode_fault(decode_context *ctx, wire_fault_kind kind, const uint8_t *at, uint64_t a,
                         uint64_t b, uint64_t c)
{
    wire_fault_set(&ctx->fault, kind, at, a, b, c);
    path_init(&ctx->path);
    return NULL;
}

const uint8_t *decode_bad_container(decode_context *ctx, const plan_step *step, const uint8_t *p,
                                    uint32_t left)
{
    size_t  header = step->op == PLAN_MAP ? BINARY_MAP_SIZE : BINARY_LIST_SIZE;
    int32_t count  = (int32_t)load_be32(p + header - 4);
    size_t  rest   = (size_t)(ctx->end - p) - header;
    if (step->depth > left)
        return decode_fault(ctx, WIRE_FAULT_DEPTH, p, decode_depth_max(ctx), 0, 0);
    if (count < 0)
        return decode_fault(ctx, WIRE_FAULT_NEGATIVE, p + header - 4, (uint64_t)(int64_t)count, 0,
                            0);
    if (step->op == PLAN_MAP && p[0] != step->key_tag)
        return decode_fault(ctx, WIRE_FAULT_ELEMENT, p, step->key_tag, p[0], 0);
    if (p[header - 5] != step->tag)
        return decode_fault(ctx, WIRE_FAULT_ELEMENT, p + header - 5, step->tag, p[header - 5], 0);
    uint64_t least = (uint64_t)count << (step->op == PLAN_VECTOR ? step->shift : 0);
    return decode_fault(ctx, WIRE_FAULT_COUNT, p + header - 4, (uint64_t)count, least, rest);
}

/* ---- text ----------------------------------------------------------------------------------- */

const uint8_t *decode_text(decode_context *ctx, const plan_step *step, const uint8_t *p,
                           schema_span *span)
{
    int32_t len  = (int32_t)load_be32(p);
    size_t  rest = (size_t)(ctx->end - p) - BINARY_TEXT_SIZE;
    if (len < 0)
        return decode_fault(ctx, WIRE_FAULT_NEGATIVE, p, (uint64_t)(int64_t)len, 0, 0);
    size_t size = (size_t)len;
    if (size > rest)
        return decode_fault(ctx, WIRE_FAULT_LENGTH, p, size - rest, 0, 0);
    const uint8_t *text = p + BINARY_TEXT_SIZE;
    if (ctx->options->check_utf8 && (step->flags & PLAN_STRING)) {
        size_t valid = utf8_valid_prefix(text, size);
        if (valid < size)
            return decode_fault(ctx, WIRE_FAULT_UTF8, text + valid, valid, 0, 0);
    }
    const uint8_t *kept = (const uint8_t *)schema_empty;
    if (size && (ctx->options->no_copy || (step->flags & PLAN_NO_COPY))) {
        kept = text;
    } else if (size) {
        uint8_t *copy = decode_alloc(ctx, size, 1, p);
        if (copy == NULL)
            return NULL;
        memcpy(copy, text, size);
        kept = copy;
    }
    span->ptr = kept;
    span->len = size;
    return text + size;
}

/* ---- duplicates ----------------------------------------------------------------------------- */

/* Of one byte there are 256: no need to sort. The index of the first repeat, or `len`. */
static size_t find_repeated_byte(const schema_span *span)
{
    bool   seen[256] = { false };
    size_t i         = 0;
    while (i < span->len && !seen[span->ptr[i]])
        seen[span->ptr[i++]] = true;
    return i;
}

/* The index of the first entry that repeats an earlier one, or the count. The memory that this
 * takes is the allocator's for a moment, and not more than the budget. */
static frugal_status find_repeated(decode_context *ctx, const plan_step *step,
                                   const schema_span *span, size_t *repeated)
{
    entries sorted;
    *repeated = span->len;
    if (step->op == PLAN_BOOLS || (step->op == PLAN_VECTOR && step->shift == 0)) {
        *repeated = find_repeated_byte(span);
        return FRUGAL_OK;
    }
    frugal_status status = entries_sorted(&sorted, ctx->plan, step, span, ENTRIES_KEYS,
                                          FRUGAL_DEPTH_MAX, ctx->arena->allocator, ctx->budget);
    if (status == FRUGAL_OK && !entries_find_repeat(&sorted, repeated))
        *repeated = span->len;
    entries_release(&sorted);
    return status;
}

bool decode_is_distinct(decode_context *ctx, const plan_step *step, const schema_span *span,
                        const uint8_t *at)
{
    size_t repeated;
    if (span->len < 2 || (step->op != PLAN_MAP && !(step->flags & PLAN_SET)))
        return true;
    frugal_status status = find_repeated(ctx, step, span, &repeated);
    if (status != FRUGAL_OK) {
        bool budget = status == FRUGAL_BUDGET;
        decode_fault(ctx, budget ? WIRE_FAULT_BUDGET : WIRE_FAULT_NOMEM, at,
                     span->len * sizeof(entry), decode_size_max(ctx), 0);
        return false;
    }
    if (repeated == span->len)
        return true;
    decode_fault(ctx, WIRE_FAULT_DUPLICATE, at, repeated, 0, 0);
    const plan_routine *routine = step->body == PLAN_NONE ? NULL : &ctx->plan->routines[step->body];
    codec_place         place   = { 0 };
    if (routine)
        place = (codec_place){ 1, span->ptr + repeated * routine->stride, routine->value_offset };
    codec_blame_index(&ctx->path, ctx->plan, step, repeated, routine ? &place : NULL);
    return false;
}

/* ---- the door ------------------------------------------------------------------------------- */

/* All texts of a message together take no more than the message. Charged once for all of it, they
 * need not be counted one by one; when that is too much, read_again counts them. */
static decode_texts choose_texts(decode_context *ctx)
{
    size_t input = (size_t)(ctx->end - ctx->start);
    if (UNLIKELY(ctx->options->check_utf8 | ctx->options->keep_existing | ctx->plan->mixes_views))
        return DECODE_SOME;
    if (ctx->options->no_copy)
        return DECODE_VIEWED;
    if (UNLIKELY(ctx->budget < input))
        return DECODE_SOME;
    ctx->budget -= input;
    return DECODE_COPIED;
}

/* The root under keep_existing. The loop relies on a root that was initialised in one piece; here
 * it was not, so each of its fields is read with care. */
static const uint8_t *read_into_existing(decode_context *ctx, uint8_t *record)
{
    const plan_step  *first = &ctx->plan->steps[ctx->plan->routines[0].first];
    const plan_scope *scope = &ctx->plan->scopes[first->scope];
    uint32_t          left  = decode_depth_max(ctx) - 1;
    if (scope->keeper != PLAN_NONE)
        memset(record + scope->keeper, 0, sizeof(schema_span));
    if (first->op == PLAN_UNION)
        return decode_union(ctx, first, ctx->start, record, left);
    return decode_careful(ctx, &ctx->plan->steps[scope->step_of[0]], ctx->start, record, left).p;
}

/* Machine code is for the plain path. */
ALWAYS_INLINE bool is_plain(const decode_context *ctx)
{
    const frugal_decode_options *o = ctx->options;
    return ctx->texts < DECODE_SOME && !(o->interpreter_only | o->strict | o->reject_duplicates);
}

/* Whether machine code has read the root; else all is as it was before. */
ALWAYS_INLINE const uint8_t *read_by_machine(decode_context *ctx, uint8_t *record)
{
    jit_kind        kind = ctx->texts == DECODE_VIEWED ? JIT_DECODE_VIEWS : JIT_DECODE;
    const jit_unit *unit = machine_unit(ctx->plan, kind);
    size_t          left = ctx->budget;
    if (UNLIKELY(unit == NULL))
        return NULL;
    const uint8_t *end = machine_decode(ctx, unit, record);
    if (UNLIKELY(end == NULL)) {
        frugal_arena_rewind(ctx->arena, ctx->mark);
        ctx->budget = left;
    }
    return end;
}

ALWAYS_INLINE const uint8_t *read_root(decode_context *ctx, void *record)
{
    const plan_routine *root = &ctx->plan->routines[0];
    /* The loop copies text to the cursor before it looks whether there is a block: let there be
     * one. */
    if (UNLIKELY(ctx->arena->cursor == NULL) && arena_alloc_slow(ctx->arena, 0, 1) == NULL)
        return decode_fault(ctx, WIRE_FAULT_NOMEM, ctx->start, 0, 0, 0);
    if (UNLIKELY(ctx->options->keep_existing))
        return read_into_existing(ctx, record);
    if (LIKELY(is_plain(ctx))) {
        const uint8_t *end = read_by_machine(ctx, record);
        if (LIKELY(end != NULL))
            return end;
        if (UNLIKELY(ctx->arena->cursor == NULL) && arena_alloc_slow(ctx->arena, 0, 1) == NULL)
            return decode_fault(ctx, WIRE_FAULT_NOMEM, ctx->start, 0, 0, 0);
    }
    copy_initial(root, record, 1);
    return codec_engine_of(ctx->plan)->decode(ctx, ctx->plan->steps + root->first, ctx->start,
                                              record, 1, decode_depth_max(ctx) - 1);
}

static NEVER_INLINE frugal_status give_up(decode_context *ctx, frugal_ref value,
                                          frugal_error *error)
{
    frugal_arena_rewind(ctx->arena, ctx->mark);
    schema_init(value.type, value.ptr);
    frugal_status status = wire_fault_report(&ctx->fault, ctx->start, error);
    path_finish(&ctx->path, error);
    return status;
}

/* The first reading failed. When that was for the budget, with all of the input charged as text:
 * what is really text? */
static NEVER_INLINE frugal_status read_again(decode_context *ctx, frugal_ref value, size_t *used,
                                             frugal_error *error)
{
    if (ctx->texts != DECODE_COPIED || ctx->fault.kind != WIRE_FAULT_BUDGET)
        return give_up(ctx, value, error);
    frugal_arena_rewind(ctx->arena, ctx->mark);
    ctx->texts         = DECODE_SOME;
    ctx->budget        = decode_size_max(ctx);
    const uint8_t *end = read_root(ctx, value.ptr);
    if (end == NULL)
        return give_up(ctx, value, error);
    if (used)
        *used = (size_t)(end - ctx->start);
    return FRUGAL_OK;
}

static NEVER_INLINE frugal_status refuse(frugal_ref value, frugal_bytes input,
                                         const frugal_arena          *arena,
                                         const frugal_decode_options *options, frugal_error *error)
{
    if (value.ptr == NULL)
        return error_set(error, FRUGAL_INVALID, "no record to decode into");
    if (arena == NULL)
        return error_set(error, FRUGAL_INVALID, "no arena");
    if (input.ptr == NULL)
        return error_set(error, FRUGAL_INVALID, "NULL input of %zu bytes", input.len);
    if (options->depth_max > FRUGAL_DEPTH_MAX)
        return error_set(error, FRUGAL_INVALID, "depth_max %u is above %d", options->depth_max,
                         FRUGAL_DEPTH_MAX);
    return error_set(error, FRUGAL_INVALID, "options of an unknown size: %zu",
                     options->struct_size);
}

/* Struct sizes are unsigned: 0 becomes the largest. */
static bool arguments_fit(frugal_ref value, frugal_bytes input, const frugal_arena *arena,
                          const frugal_decode_options *options)
{
    return LIKELY(value.ptr != NULL) && LIKELY(arena != NULL) && LIKELY(input.ptr != NULL)
           && LIKELY(options->depth_max <= FRUGAL_DEPTH_MAX)
           && LIKELY(options->struct_size - 1 >= sizeof *options - 1);
}

frugal_status frugal_decode(frugal_ref value, frugal_bytes input, frugal_arena *arena,
                            const frugal_decode_options *options, size_t *used, frugal_error *error)
{
    static const frugal_decode_options defaults;
    static const uint8_t               nothing[1];
    decode_context                     ctx;
    if (options == NULL)
        options = &defaults;
    if (UNLIKELY(input.len == 0) && input.ptr == NULL)
        input.ptr = nothing;
    if (!arguments_fit(value, input, arena, options))
        return refuse(value, input, arena, options, error);
    frugal_status status = plan_get(value.type, options->protocol, codec_prepare, &ctx.plan, error);
    if (UNLIKELY(status != FRUGAL_OK))
        return status;

    ctx.start   = input.ptr;
    ctx.end     = input.ptr + input.len;
    ctx.arena   = arena;
    ctx.options = options;
    ctx.mark    = arena_get_mark(arena);
    if (UNLIKELY(input.len > INT32_MAX)) {
        decode_fault(&ctx, WIRE_FAULT_INPUT, ctx.start, input.len, 0, 0);
        return give_up(&ctx, value, error);
    }
    ctx.budget         = decode_size_max(&ctx);
    ctx.texts          = choose_texts(&ctx);
    const uint8_t *end = read_root(&ctx, value.ptr);
    if (UNLIKELY(end == NULL))
        return read_again(&ctx, value, used, error);
    if (used)
        *used = (size_t)(end - ctx.start);
    return FRUGAL_OK;
}
