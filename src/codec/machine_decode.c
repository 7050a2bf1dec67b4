/* codec/machine_decode.c - what machine code that decodes leaves to C.
 *
 * NULL is enough said: the interpreter will find out what was wrong. */
#include "codec/machine.h"
#include "wire/vector.h"

static const uint8_t *read_records(decode_context *ctx, uint32_t routine, const uint8_t *p,
                                   uint8_t *record, size_t count, uint32_t left)
{
    jit_decode_enter *enter;
    memcpy(&enter, &ctx->unit->enter, sizeof enter);
    return enter(ctx, p, record, count, left, ctx->unit->routines[routine]);
}

#define READ_RECORDS(routine, p, records, count, left) \
    read_records(ctx, (routine), (p), (records), (count), (left))
#define BLAME(call) ((void)0)
#include "codec/decode_items.h"

static schema_span *span_of(const plan_step *step, uint8_t *record)
{
    return (schema_span *)(void *)(record + step->offset);
}

static const uint8_t *read_rest(decode_context *ctx, const plan_step *step, const uint8_t *p,
                                uint8_t *record, uint32_t left)
{
    return codec_engine_of(ctx->plan)->decode(ctx, step, p, record, 1, left);
}

static const uint8_t *read_text(decode_context *ctx, const plan_step *step, const uint8_t *p,
                                uint8_t *record, uint32_t left)
{
    (void)left;
    return decode_text(ctx, step, p, span_of(step, record));
}

/* VECTOR, BOOLS; `p` is at the element type. */
static const uint8_t *read_span(decode_context *ctx, const plan_step *step, const uint8_t *p,
                                uint8_t *record, uint32_t left)
{
    schema_span *value = span_of(step, record);
    unsigned     shift = step->op == PLAN_VECTOR ? step->shift : 0;
    size_t       len   = load_be_size(p + 1);
    size_t       rest  = (size_t)(ctx->end - p) - BINARY_LIST_SIZE;
    if (step->depth > left || len > rest >> shift || (p[0] != step->tag && len))
        return NULL;
    p += BINARY_LIST_SIZE;
    value->len = len;
    value->ptr = (const uint8_t *)schema_empty;
    if (len == 0)
        return p;
    void *items = decode_alloc(ctx, len << shift, step->op == PLAN_VECTOR ? 8 : 1, p);
    if (items == NULL)
        return NULL;
    if (step->op == PLAN_VECTOR)
        vector_swap(items, p, len, 1u << shift);
    else
        vector_bools(items, p, len);
    value->ptr = items;
    return p + (len << shift);
}

/* LIST, MAP; `p` is at the element type, or that of the key. */
static const uint8_t *read_list(decode_context *ctx, const plan_step *step, const uint8_t *p,
                                uint8_t *record, uint32_t left)
{
    bool   is_map = step->op == PLAN_MAP;
    size_t header = is_map ? BINARY_MAP_SIZE : BINARY_LIST_SIZE;
    size_t len    = load_be_size(p + header - 4);
    if (step->depth > left || len > INT32_MAX)
        return NULL;
    if (len && (p[header - 5] != step->tag || (is_map && p[0] != step->key_tag)))
        return NULL;
    return read_items(ctx, step, p + header, len, span_of(step, record), left);
}

static const uint8_t *read_behind(decode_context *ctx, const plan_step *step, const uint8_t *p,
                                  uint8_t *record, uint32_t left)
{
    const plan_routine *routine = &ctx->plan->routines[step->body];
    uint8_t            *inner   = decode_alloc(ctx, routine->stride, routine->align, p);
    if (inner == NULL)
        return NULL;
    memcpy(record + step->offset, &inner, sizeof inner);
    copy_initial(routine, inner, 1);
    return read_records(ctx, step->body, p, inner, 1, left - step->depth);
}

static const uint8_t *give_initial(decode_context *ctx, const plan_step *step, const uint8_t *p,
                                   uint8_t *record, uint32_t left)
{
    (void)left;
    copy_initial(&ctx->plan->routines[step->body], record + step->offset, 1);
    return p;
}

const jit_context machine_decoding = {
    .unwind       = offsetof(decode_context, unwind),
    .end          = offsetof(decode_context, end),
    .arena        = offsetof(decode_context, arena),
    .budget       = offsetof(decode_context, budget),
    .helper_count = JIT_DECODE_CALLS,
    .helpers      = { [JIT_DECODE_REST]   = (jit_helper *)read_rest,
                      [JIT_DECODE_RESYNC] = (jit_helper *)decode_resync,
                      [JIT_DECODE_TEXT]   = (jit_helper *)read_text,
                      [JIT_DECODE_SPAN]   = (jit_helper *)read_span,
                      [JIT_DECODE_ITEMS]  = (jit_helper *)read_list,
                      [JIT_DECODE_RECORD] = (jit_helper *)read_behind,
                      [JIT_DECODE_INIT]   = (jit_helper *)give_initial,
                      [JIT_DECODE_UNION]  = (jit_helper *)decode_union },
};
