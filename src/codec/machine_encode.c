/* codec/machine_encode.c - what machine code that encodes or measures leaves to C.
 *
 * NULL, or 0, is enough said: the interpreter will find out what was wrong. */
#include "codec/copy.h"
#include "codec/machine.h"
#include "wire/vector.h"

static const schema_span *span_at(const uint8_t *record, uint32_t offset)
{
    return (const schema_span *)(const void *)(record + offset);
}

static uint8_t *make_room(encode_context *ctx, uint8_t *p, size_t fixed, size_t size)
{
    size_t room = (size_t)(ctx->end - p);
    return room < fixed || room - fixed < size ? encode_more(ctx, p, fixed, size) : p;
}

/* VECTOR, BOOLS, with the header. */
static uint8_t *write_span(encode_context *ctx, const plan_step *step, uint8_t *p,
                           const uint8_t *record, uint32_t left)
{
    const schema_span *span   = span_at(record, step->offset);
    unsigned           shift  = step->op == PLAN_VECTOR ? step->shift : 0;
    size_t             header = step->code >= PLAN_CODE(0, PLAN_FIELD) ? BINARY_FIELD_SIZE : 0;
    if ((span->ptr == NULL && span->len) || step->depth > left
        || span->len > (size_t)INT32_MAX >> shift)
        return NULL;
    p = make_room(ctx, p, header + BINARY_LIST_SIZE, span->len << shift);
    if (p == NULL)
        return NULL;
    if (header)
        store_u32(p, step->head);
    p += header;
    p[0] = step->tag;
    store_be32(p + 1, (uint32_t)span->len);
    p += BINARY_LIST_SIZE;
    if (step->op == PLAN_VECTOR)
        vector_swap(p, span->ptr, span->len, 1u << shift);
    else
        vector_bools(p, span->ptr, span->len);
    return p + (span->len << shift);
}

static uint8_t *write_by_interpreter(encode_context *ctx, const plan_step *step, uint8_t *p,
                                     const uint8_t *record, uint32_t left)
{
    return codec_engine_of(ctx->plan)->encode(ctx, step, p, record, 1, left);
}

static uint8_t *write_kept(encode_context *ctx, const plan_step *step, uint8_t *p,
                           const uint8_t *record, uint32_t left)
{
    const schema_span *span = span_at(record, step->offset);
    (void)left;
    if (span->ptr == NULL && span->len)
        return NULL;
    p = make_room(ctx, p, 0, span->len);
    if (p == NULL)
        return NULL;
    copy_exact(p, span->ptr, span->len);
    return p + span->len;
}

const jit_context machine_encoding = {
    .unwind       = offsetof(encode_context, unwind),
    .end          = offsetof(encode_context, end),
    .arena        = JIT_NO_OFFSET,
    .budget       = JIT_NO_OFFSET,
    .helper_count = JIT_ENCODE_CALLS,
    .helpers      = { [JIT_ENCODE_MORE]  = (jit_helper *)encode_more,
                      [JIT_ENCODE_SPAN]  = (jit_helper *)write_span,
                      [JIT_ENCODE_UNION] = (jit_helper *)write_by_interpreter,
                      [JIT_ENCODE_KEEP]  = (jit_helper *)write_kept },
};

/* ---- measuring ------------------------------------------------------------------------------ */

static uint64_t measure_part(machine_size_context *ctx, const plan_size *size, uint64_t sum,
                             const uint8_t *record, uint32_t left)
{
    return encode_measure_part(ctx->plan, size, sum, record, left);
}

const jit_context machine_measuring = {
    .unwind       = offsetof(machine_size_context, unwind),
    .end          = JIT_NO_OFFSET,
    .arena        = JIT_NO_OFFSET,
    .budget       = JIT_NO_OFFSET,
    .helper_count = JIT_SIZE_CALLS,
    .helpers      = { [JIT_SIZE_PART] = (jit_helper *)measure_part },
};
