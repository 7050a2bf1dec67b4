/* codec/decode_loop.h - the interpreter's decoder: the definition of what bytes mean.
 *
 * A template: decode_base.c and decode_avx2.c include it, each with DECODE_RUN the name of its
 * function.
 *
 * The loop predicts. A field's step holds the header that it expects, and one compare of four bytes
 * covers type, id and, where the format has one, the element's type or the top byte of a length. A
 * hit goes on with the value and then the next step. A miss looks for the step that the header
 * belongs to, here for absent fields, in decode_resync for all else; it is never an error in
 * itself.
 *
 * Every label begins with the check of the bytes that it reads. F_ labels stand at a header, A_
 * labels after it (and in element places, where there is none); H_ and B_ are the same for fields
 * with a .has. */
#include "codec/decode.h"
#include "wire/vector.h"

/* Computed goto and the address of a label are GNU C. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#ifndef __clang__ /* what is kept of a scope is read only after it was set */
#    pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#define READ_RECORDS(routine, p, records, count, left)                                     \
    DECODE_RUN(ctx, ctx->plan->steps + ctx->plan->routines[routine].first, (p), (records), \
               (count), (left))
#define BLAME(call) (call)
#include "codec/decode_items.h"

/* Addresses near the top of memory are never given to a process: the sum does not wrap. */
#define NEED(bytes) ((uintptr_t)p + (bytes) <= (uintptr_t)end)
#define NEXT()          \
    do {                \
        s++;            \
        goto * s->read; \
    } while (0)

#define READ_BOOL(to, from) (*(to) = *(from) != 0)
#define READ_I8(to, from)   (*(to) = *(from))
#define READ_I16(to, from)  store_u16((to), load_be16(from))
#define READ_I32(to, from)  store_u32((to), load_be32(from))
#define READ_I64(to, from)  store_u64((to), load_be64(from))

/* The header is checked without its fourth byte, which belongs to the value. */
#define SCALAR(op, width)                                                   \
    H_##op : if (UNLIKELY(!NEED(3 + (width)))                               \
                 || UNLIKELY((load_u32(p) & head_3) != s->head)) goto miss; \
    record[s->has] = 1;                                                     \
    READ_##op(record + s->offset, p + 3);                                   \
    p += 3 + (width);                                                       \
    NEXT();                                                                 \
    F_##op : if (UNLIKELY(!NEED(3 + (width)))                               \
                 || UNLIKELY((load_u32(p) & head_3) != s->head)) goto miss; \
    READ_##op(record + s->offset, p + 3);                                   \
    p += 3 + (width);                                                       \
    NEXT();                                                                 \
    B_##op : if (UNLIKELY(!NEED(width)))                                    \
    {                                                                       \
        need = (width);                                                     \
        goto too_short;                                                     \
    }                                                                       \
    record[s->has] = 1;                                                     \
    READ_##op(record + s->offset, p);                                       \
    p += (width);                                                           \
    NEXT();                                                                 \
    A_##op : if (UNLIKELY(!NEED(width)))                                    \
    {                                                                       \
        need = (width);                                                     \
        goto too_short;                                                     \
    }                                                                       \
    READ_##op(record + s->offset, p);                                       \
    p += (width);                                                           \
    NEXT()

/* A header with its fourth byte, and the rest of the fixed part of the value. */
#define HEADED(op, size)                                                                     \
    F_##op : if (UNLIKELY(!NEED(3 + (size))) || UNLIKELY(load_u32(p) != s->head)) goto miss; \
    p += 3;                                                                                  \
    goto L_##op;                                                                             \
    A_##op : if (UNLIKELY(!NEED(size)))                                                      \
    {                                                                                        \
        need = (size);                                                                       \
        goto too_short;                                                                      \
    }                                                                                        \
    L_##op:

#define VALUE_LABELS(prefix, place)                                            \
    [PLAN_CODE(PLAN_TEXT, place)]                         = &&prefix##_TEXT,   \
                          [PLAN_CODE(PLAN_VECTOR, place)] = &&prefix##_VECTOR, \
                          [PLAN_CODE(PLAN_BOOLS, place)]  = &&prefix##_BOOLS,  \
                          [PLAN_CODE(PLAN_LIST, place)]   = &&prefix##_LIST,   \
                          [PLAN_CODE(PLAN_MAP, place)]    = &&prefix##_MAP,    \
                          [PLAN_CODE(PLAN_RECORD, place)] = &&prefix##_RECORD, \
                          [PLAN_CODE(PLAN_ENTER, place)]  = &&prefix##_ENTER
#define SCALAR_LABELS(prefix, place)                                                              \
    [PLAN_CODE(PLAN_BOOL, place)] = &&prefix##_BOOL, [PLAN_CODE(PLAN_I8, place)] = &&prefix##_I8, \
                          [PLAN_CODE(PLAN_I16, place)] = &&prefix##_I16,                          \
                          [PLAN_CODE(PLAN_I32, place)] = &&prefix##_I32,                          \
                          [PLAN_CODE(PLAN_I64, place)] = &&prefix##_I64

/* One switch over operations, in the form of labels: hence its length. */
FOR_CPU const uint8_t *DECODE_RUN(decode_context *ctx, const plan_step *first, const uint8_t *p,
                                  uint8_t *record, size_t count, uint32_t left)
{
    static const void *const at_step[PLAN_CODES] = {
        SCALAR_LABELS(A, PLAN_ELEMENT),
        VALUE_LABELS(A, PLAN_ELEMENT),
        SCALAR_LABELS(F, PLAN_FIELD),
        VALUE_LABELS(F, PLAN_FIELD),
        VALUE_LABELS(F, PLAN_BY_POINTER),
        SCALAR_LABELS(H, PLAN_BY_HAS),
        [PLAN_CODE(PLAN_UNION, PLAN_ELEMENT)] = &&UNION,
        [PLAN_CODE(PLAN_KEEP, PLAN_ELEMENT)]  = &&KEEP,
        [PLAN_CODE(PLAN_STOP, PLAN_ELEMENT)]  = &&STOP,
        [PLAN_CODE(PLAN_END, PLAN_ELEMENT)]   = &&END,
    };
    static const void *const after_header[PLAN_CODES] = {
        SCALAR_LABELS(A, PLAN_FIELD),
        VALUE_LABELS(A, PLAN_FIELD),
        VALUE_LABELS(A, PLAN_BY_POINTER),
        SCALAR_LABELS(B, PLAN_BY_HAS),
        [PLAN_CODE(PLAN_STOP, PLAN_ELEMENT)] = &&KEEP, /* behind it: just go on */
    };
    if (UNLIKELY(ctx == NULL)) {
        for (plan_step *step = (plan_step *)(uintptr_t)first; count; count--, step++)
            step->read = at_step[step->code];
        return NULL;
    }
    const uint32_t       head_3 = pack_u32(0xff, 0xff, 0xff, 0);
    const uint8_t *const end    = ctx->end;
    frugal_arena *const  arena  = ctx->arena;
    const struct plan   *plan   = ctx->plan;
    const plan_step     *s      = first;
    size_t               need;

    /* What a miss needs of its scope, kept from the last one: loading it again each time made a
     * chain of loads that took a third of the time of a sparse record. */
    const plan_step *const steps = plan->steps;
    const plan_scope      *scope;
    const uint32_t        *by_id;
    /* no scope yet: the others are not read before */
    uint32_t known = PLAN_NONE, span;
    int32_t  low;

    goto * s->read;

    SCALAR(BOOL, 1);
    SCALAR(I8, 1);
    SCALAR(I16, 2);
    SCALAR(I32, 4);
    SCALAR(I64, 8);

    /* Copied text, mostly: nothing to ask but whether it is there and fits the block. What all
     * texts together may take was charged before (see choose_texts). */
    HEADED(TEXT, 4)
    {
        schema_span *value = (schema_span *)(void *)(record + s->offset);
        size_t       len   = load_be_size(p);
        size_t       rest  = (size_t)(end - p) - 4;
        uint8_t     *copy  = arena->cursor;
        if (UNLIKELY(len > rest))
            goto any_text;
        if (UNLIKELY(ctx->texts != DECODE_COPIED))
            goto view;
        if (UNLIKELY((size_t)(arena->limit - copy) < len))
            goto any_text;
        p += 4;
        arena->cursor = copy + len;
        value->ptr    = copy;
        value->len    = len;
        if (LIKELY(rest - len >= 64)) /* the arena has as much behind its limit */
            copy_loose(copy, p, len);
        else
            copy_exact(copy, p, len);
        p += len;
        NEXT();
    view:
        if (UNLIKELY(ctx->texts != DECODE_VIEWED))
            goto any_text;
        value->ptr = p + 4;
        value->len = len;
        p += 4 + len;
        NEXT();
    any_text: /* checked, charged, both kinds mixed, or wrong */
        p = decode_text(ctx, s, p, value);
        if (UNLIKELY(p == NULL))
            goto failed;
        NEXT();
    }

    HEADED(VECTOR, 5)
    {
        schema_span *value = (schema_span *)(void *)(record + s->offset);
        size_t       len   = load_be_size(p + 1);
        size_t       rest  = (size_t)(end - p) - 5;
        if (UNLIKELY(s->depth > left) || UNLIKELY(len > rest >> s->shift)
            || (UNLIKELY(p[0] != s->tag) && len)) {
            p = decode_bad_container(ctx, s, p, left);
            goto failed;
        }
        value->len = len;
        value->ptr = (const uint8_t *)schema_empty;
        if (len) {
            void *items = decode_alloc(ctx, len << s->shift, 8, p);
            if (UNLIKELY(items == NULL))
                goto failed;
            vector_swap(items, p + 5, len, 1u << s->shift);
            value->ptr = items;
        }
        if (UNLIKELY(ctx->options->reject_duplicates) && !decode_is_distinct(ctx, s, value, p))
            goto failed;
        p += 5 + (len << s->shift);
        NEXT();
    }

    HEADED(BOOLS, 5)
    {
        schema_span *value = (schema_span *)(void *)(record + s->offset);
        size_t       len   = load_be_size(p + 1);
        size_t       rest  = (size_t)(end - p) - 5;
        if (UNLIKELY(s->depth > left) || UNLIKELY(len > rest)
            || (UNLIKELY(p[0] != s->tag) && len)) {
            p = decode_bad_container(ctx, s, p, left);
            goto failed;
        }
        value->len = len;
        value->ptr = (const uint8_t *)schema_empty;
        if (len) {
            void *items = decode_alloc(ctx, len, 1, p);
            if (UNLIKELY(items == NULL))
                goto failed;
            vector_bools(items, p + 5, len);
            value->ptr = items;
        }
        if (UNLIKELY(ctx->options->reject_duplicates) && !decode_is_distinct(ctx, s, value, p))
            goto failed;
        p += 5 + len;
        NEXT();
    }

    HEADED(LIST, 5)
    {
        schema_span   *value = (schema_span *)(void *)(record + s->offset);
        const uint8_t *begin = p;
        size_t         len   = load_be_size(p + 1);
        if (UNLIKELY(s->depth > left) || UNLIKELY(len > INT32_MAX)
            || (UNLIKELY(p[0] != s->tag) && len)) {
            p = decode_bad_container(ctx, s, p, left);
            goto failed;
        }
        p = read_items(ctx, s, p + 5, len, value, left);
        if (UNLIKELY(p == NULL))
            goto lost;
        if (UNLIKELY(ctx->options->reject_duplicates) && !decode_is_distinct(ctx, s, value, begin))
            goto failed;
        NEXT();
    }

    HEADED(MAP, 6)
    {
        schema_span   *value = (schema_span *)(void *)(record + s->offset);
        const uint8_t *begin = p;
        size_t         len   = load_be_size(p + 2);
        if (UNLIKELY(s->depth > left) || UNLIKELY(len > INT32_MAX)
            || (UNLIKELY(p[0] != s->key_tag || p[1] != s->tag) && len)) {
            p = decode_bad_container(ctx, s, p, left);
            goto failed;
        }
        p = read_items(ctx, s, p + 6, len, value, left);
        if (UNLIKELY(p == NULL))
            goto lost;
        if (UNLIKELY(ctx->options->reject_duplicates) && !decode_is_distinct(ctx, s, value, begin))
            goto failed;
        NEXT();
    }

F_RECORD:
    if (UNLIKELY(!NEED(4)) || UNLIKELY((load_u32(p) & head_3) != s->head))
        goto miss;
    p += 3;
A_RECORD : {
    const plan_routine *routine = &plan->routines[s->body];
    uint8_t            *inner   = record + s->offset;
    if (UNLIKELY(s->depth > left))
        goto too_deep;
    if (s->flags & PLAN_INDIRECT) {
        inner = decode_alloc(ctx, routine->stride, routine->align, p);
        if (UNLIKELY(inner == NULL))
            goto failed;
        memcpy(record + s->offset, &inner, sizeof inner);
    }
    if (s->flags & (PLAN_INDIRECT | PLAN_INIT))
        copy_initial(routine, inner, 1);
    p = DECODE_RUN(ctx, plan->steps + routine->first, p, inner, 1, left - s->depth);
    if (UNLIKELY(p == NULL))
        goto failed;
    NEXT();
}

F_ENTER:
    if (UNLIKELY(!NEED(4)) || UNLIKELY((load_u32(p) & head_3) != s->head))
        goto miss;
    p += 3;
A_ENTER:
    if (UNLIKELY(s->depth > left))
        goto too_deep;
    if (s->flags & PLAN_INIT)
        copy_initial(&plan->routines[s->body], record + s->offset, 1);
    NEXT();

UNION:
    p = decode_union(ctx, s, p, record, left);
    if (UNLIKELY(p == NULL))
        goto lost;
    NEXT();

KEEP:
    NEXT();

STOP:
    if (UNLIKELY(p == end) || UNLIKELY(*p != 0))
        goto miss;
    p++;
    NEXT();

END:
    if (--count == 0)
        return p;
    record += s->stride;
    s = first;
    goto * s->read;

    /* The header is not the expected one. What lies before the field that it names is absent; as
     * long as none of that is required, go on there. */
miss : {
    if (UNLIKELY(s->scope != known)) {
        known = s->scope;
        scope = &plan->scopes[known];
        by_id = scope->by_id;
        low   = scope->low;
        span  = scope->span;
    }
    if (UNLIKELY(!NEED(4))) { /* the stop byte of the root, mostly */
        if (p == end || *p != 0)
            goto resync;
        goto stop_byte;
    }
    uint32_t head = load_u32(p);
    if (*p == 0)
        goto stop_byte;
    uint32_t slot = (uint32_t)((int16_t)load_be16(p + 1) - low);
    if (UNLIKELY(slot >= span))
        goto resync;
    const plan_step *hit = steps + by_id[slot];
    if (UNLIKELY((head ^ hit->head) & head_3)
        || UNLIKELY((uintptr_t)hit - (uintptr_t)s > hit->reach))
        goto resync;
    s = hit;
    p += 3;
    goto *after_header[s->code];

stop_byte:;
    const plan_step *stop = steps + scope->step_of[scope->count];
    if (UNLIKELY((uintptr_t)stop - (uintptr_t)s > stop->reach))
        goto resync;
    p++;
    s = stop;
    NEXT();

resync:;
    decode_resume resume = decode_resync(ctx, s, p, record, left);
    if (UNLIKELY(resume.step == NULL))
        goto lost;
    s = resume.step;
    p = resume.p;
    goto *after_header[s->code];
}

too_short:
    if (s->depth > left)
        goto too_deep;
    decode_fault(ctx, WIRE_FAULT_EOF, p, need - (size_t)(end - p), 0, 0);
    goto failed;
too_deep:
    decode_fault(ctx, WIRE_FAULT_DEPTH, p, decode_depth_max(ctx), 0, 0);
failed:
    codec_blame(&ctx->path, plan, s);
lost:
    ctx->place = codec_place_at(plan, s, record, count);
    return NULL;
}

#pragma GCC diagnostic pop
