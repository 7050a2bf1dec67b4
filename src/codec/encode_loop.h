/* codec/encode_loop.h - the interpreter's encoder: the definition of what a record is on the wire.
 *
 * A template: encode_base.c and encode_avx2.c include it, each with ENCODE_RUN and LOOK_RUN the
 * names of its functions.
 *
 * Whatever was measured before, each step checks the room that it needs: a record that changed in
 * between cannot make it write past the end. F_ labels write a header, P_ and H_ ask first whether
 * the field is there (by its pointer, by its .has), A_ labels stand in element places. RUN stands
 * where a run of optional fields begins and passes over those that are not there. A header is
 * stored as four bytes; where it has three, the fourth is overwritten by the value, of which there
 * is always one byte at least. */
#include "codec/copy.h"
#include "codec/encode.h"
#include "codec/run.h"
#include "wire/vector.h"

/* Computed goto and the address of a label are GNU C. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#ifndef __clang__ /* what is left of a run is read only inside one */
#    pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

FOR_CPU static NEVER_INLINE uint8_t *write_union(encode_context *ctx, const plan_step *step,
                                                 uint8_t *p, const uint8_t *record, uint32_t left);

#define DISPATCH() goto * s->write
#define NEXT()      \
    do {            \
        s++;        \
        DISPATCH(); \
    } while (0)
/* After a container or struct, of which a run may be waiting. */
#define NEXT_PART()                \
    do {                           \
        if (UNLIKELY(run != NULL)) \
            goto resume;           \
        NEXT();                    \
    } while (0)

/* Room for `fixed` bytes, for `fixed` and `size` more, of which `size` may be anything. */
#define MAKE_ROOM(fixed, size)                    \
    do {                                          \
        p = encode_more(ctx, p, (fixed), (size)); \
        if (UNLIKELY(p == NULL))                  \
            goto failed;                          \
        end = ctx->end;                           \
    } while (0)
#define ROOM(fixed)                                            \
    do {                                                       \
        if (UNLIKELY((uintptr_t)p + (fixed) > (uintptr_t)end)) \
            MAKE_ROOM(fixed, 0);                               \
    } while (0)
#define ROOM_FOR(fixed, size)                                                  \
    do {                                                                       \
        if (UNLIKELY((size_t)(end - p) < (size_t)(fixed))                      \
            || UNLIKELY((size_t)(end - p) - (size_t)(fixed) < (size_t)(size))) \
            MAKE_ROOM(fixed, size);                                            \
    } while (0)

#define WRITE_BOOL(to, from) (*(to) = *(from) != 0)
#define WRITE_I8(to, from)   (*(to) = *(from))
#define WRITE_I16(to, from)  store_be16((to), load_u16(from))
#define WRITE_I32(to, from)  store_be32((to), load_u32(from))
#define WRITE_I64(to, from)  store_be64((to), load_u64(from))

#define SCALAR(op, width)                                                      \
    H_##op : if (!record[s->has]) goto absent;                                 \
    if (UNLIKELY(s->flags & skip_flags) && encode_is_default(plan, s, record)) \
        NEXT();                                                                \
    F_##op : ROOM(3 + (width));                                                \
    store_u32(p, s->head);                                                     \
    WRITE_##op(p + 3, record + s->offset);                                     \
    p += 3 + (width);                                                          \
    NEXT();                                                                    \
    A_##op : ROOM(width);                                                      \
    WRITE_##op(p, record + s->offset);                                         \
    p += (width);                                                              \
    NEXT()

#define SPAN() ((const schema_span *)(const void *)(record + s->offset))

/* A text or container that is absent when its pointer is NULL. */
#define IF_PRESENT(op)                                                         \
    P_##op : if (SPAN()->ptr == NULL && SPAN()->len == 0) goto absent;         \
    if (UNLIKELY(s->flags & skip_flags) && encode_is_default(plan, s, record)) \
        NEXT();

#define VALUE_LABELS(prefix, place)                                            \
    [PLAN_CODE(PLAN_TEXT, place)]                         = &&prefix##_TEXT,   \
                          [PLAN_CODE(PLAN_VECTOR, place)] = &&prefix##_VECTOR, \
                          [PLAN_CODE(PLAN_BOOLS, place)]  = &&prefix##_BOOLS,  \
                          [PLAN_CODE(PLAN_LIST, place)]   = &&prefix##_LIST,   \
                          [PLAN_CODE(PLAN_MAP, place)]    = &&prefix##_MAP,    \
                          [PLAN_CODE(PLAN_RECORD, place)] = &&prefix##_RECORD
#define SCALAR_LABELS(prefix, place)                                                              \
    [PLAN_CODE(PLAN_BOOL, place)] = &&prefix##_BOOL, [PLAN_CODE(PLAN_I8, place)] = &&prefix##_I8, \
                          [PLAN_CODE(PLAN_I16, place)] = &&prefix##_I16,                          \
                          [PLAN_CODE(PLAN_I32, place)] = &&prefix##_I32,                          \
                          [PLAN_CODE(PLAN_I64, place)] = &&prefix##_I64

/* The most that a scalar field takes, with its header. */
#define SCALAR_MAX 11

/* Header and value, where there is room for SCALAR_MAX bytes. */
FOR_CPU ALWAYS_INLINE uint8_t *write_scalar(uint8_t *p, const plan_step *step, const uint8_t *value)
{
    store_u32(p, step->head);
    switch (step->op) {
    case PLAN_BOOL: WRITE_BOOL(p + 3, value); return p + 4;
    case PLAN_I8: WRITE_I8(p + 3, value); return p + 4;
    case PLAN_I16: WRITE_I16(p + 3, value); return p + 5;
    case PLAN_I32: WRITE_I32(p + 3, value); return p + 7;
    default: WRITE_I64(p + 3, value); return p + 11;
    }
}

/* Of some fields by .has those that are there. Apart, so that the loop keeps its registers. */
FOR_CPU static NEVER_INLINE uint8_t *write_flags(uint8_t *p, const plan_step *step, unsigned count,
                                                 const uint8_t *record)
{
    for (; count; count--, step++)
        if (record[step->has])
            p = write_scalar(p, step, record + step->offset);
    return p;
}

FOR_CPU uint64_t LOOK_RUN(const plan_run *run, const uint8_t *record)
{
    return run_look(run, record);
}

/* One switch over operations, in the form of labels: hence its length. */
FOR_CPU uint8_t *ENCODE_RUN(encode_context *ctx, const plan_step *first, uint8_t *p,
                            const uint8_t *record, size_t count, uint32_t left)
{
    static const void *const at_step[PLAN_CODES] = {
        SCALAR_LABELS(A, PLAN_ELEMENT),
        VALUE_LABELS(A, PLAN_ELEMENT),
        SCALAR_LABELS(F, PLAN_FIELD),
        VALUE_LABELS(F, PLAN_FIELD),
        VALUE_LABELS(P, PLAN_BY_POINTER),
        SCALAR_LABELS(H, PLAN_BY_HAS),
        [PLAN_CODE(PLAN_ENTER, PLAN_ELEMENT)] = &&A_ENTER,
        [PLAN_CODE(PLAN_ENTER, PLAN_FIELD)]   = &&F_ENTER,
        [PLAN_CODE(PLAN_UNION, PLAN_ELEMENT)] = &&UNION,
        [PLAN_CODE(PLAN_KEEP, PLAN_ELEMENT)]  = &&KEEP,
        [PLAN_CODE(PLAN_STOP, PLAN_ELEMENT)]  = &&STOP,
        [PLAN_CODE(PLAN_END, PLAN_ELEMENT)]   = &&END,
    };
    if (UNLIKELY(ctx == NULL)) {
        for (plan_step *step = (plan_step *)(uintptr_t)first; count; count--, step++)
            step->write = step->run ? &&RUN : at_step[step->code];
        return NULL;
    }
    const struct plan *const plan       = ctx->plan;
    const uint8_t            skip_flags = ctx->skip_flags;
    uint8_t                 *end        = ctx->end;
    const plan_step         *s          = first;
    const schema_span       *span;
    const uint8_t           *text;
    size_t                   len;
    const plan_run          *run = NULL; /* that we are in */
    uint64_t                 there;      /* what is left of it */

    DISPATCH();

    SCALAR(BOOL, 1);
    SCALAR(I8, 1);
    SCALAR(I16, 2);
    SCALAR(I32, 4);
    SCALAR(I64, 8);

    /* Optional fields are often absent, many in a row. */
absent:
    do
        s++;
    while (s->code >= PLAN_CODE(0, PLAN_BY_HAS) && !record[s->has]);
    DISPATCH();

    IF_PRESENT(TEXT)
F_TEXT:
    len  = SPAN()->len;
    text = SPAN()->ptr;
    if (UNLIKELY(text == NULL) && len)
        goto null_with_len;
    ROOM_FOR(7, len);
    store_u32(p, s->head);
    store_be32(p + 3, (uint32_t)len);
    copy_exact(p + 7, text, len);
    p += 7 + len;
    NEXT();
A_TEXT:
    len  = SPAN()->len;
    text = SPAN()->ptr;
    if (UNLIKELY(text == NULL) && len)
        goto null_with_len;
    ROOM_FOR(4, len);
    store_be32(p, (uint32_t)len);
    copy_exact(p + 4, text, len);
    p += 4 + len;
    NEXT();

    IF_PRESENT(VECTOR)
F_VECTOR:
    ROOM(8);
    store_u32(p, s->head);
    p += 3;
A_VECTOR:
    span = SPAN();
    if (UNLIKELY(span->ptr == NULL) && span->len)
        goto null_with_len;
    if (UNLIKELY(s->depth > left))
        goto too_deep;
    if (UNLIKELY(span->len > (size_t)INT32_MAX >> s->shift))
        goto too_many;
    ROOM_FOR(5, span->len << s->shift);
    p[0] = s->tag;
    store_be32(p + 1, (uint32_t)span->len);
    p += 5;
    if (UNLIKELY(ctx->canonical) && (s->flags & PLAN_SET))
        goto sorted;
    vector_swap(p, span->ptr, span->len, 1u << s->shift);
    p += span->len << s->shift;
    NEXT_PART();

    IF_PRESENT(BOOLS)
F_BOOLS:
    ROOM(8);
    store_u32(p, s->head);
    p += 3;
A_BOOLS:
    span = SPAN();
    if (UNLIKELY(span->ptr == NULL) && span->len)
        goto null_with_len;
    if (UNLIKELY(s->depth > left))
        goto too_deep;
    if (UNLIKELY(span->len > INT32_MAX))
        goto too_many;
    ROOM_FOR(5, span->len);
    p[0] = s->tag;
    store_be32(p + 1, (uint32_t)span->len);
    p += 5;
    if (UNLIKELY(ctx->canonical) && (s->flags & PLAN_SET))
        goto sorted;
    vector_bools(p, span->ptr, span->len);
    p += span->len;
    NEXT_PART();

    IF_PRESENT(LIST)
F_LIST:
    ROOM(8);
    store_u32(p, s->head);
    p += 3;
A_LIST:
    span = SPAN();
    ROOM(5);
    p[0] = s->tag;
    store_be32(p + 1, (uint32_t)span->len);
    p += 5;
    if (UNLIKELY(ctx->canonical) && (s->flags & PLAN_SET) && span->len)
        goto sorted;
    goto items;

    IF_PRESENT(MAP)
F_MAP:
    ROOM(9);
    store_u32(p, s->head);
    p += 3;
A_MAP:
    span = SPAN();
    ROOM(6);
    p[0] = s->key_tag;
    p[1] = s->tag;
    store_be32(p + 2, (uint32_t)span->len);
    p += 6;
    if (UNLIKELY(ctx->canonical) && span->len)
        goto sorted;

items : {
    const plan_routine *routine = &plan->routines[s->body];
    if (UNLIKELY(span->ptr == NULL) && span->len)
        goto null_with_len;
    if (UNLIKELY(s->depth > left))
        goto too_deep;
    if (span->len == 0)
        NEXT_PART();
    if (UNLIKELY(span->len > INT32_MAX))
        goto too_many;
    if (UNLIKELY(routine->depth > left - s->depth))
        goto first_too_deep;
    p = ENCODE_RUN(ctx, plan->steps + routine->first, p, span->ptr, span->len,
                   left - s->depth - routine->depth);
    if (UNLIKELY(p == NULL)) {
        codec_blame_element(&ctx->path, plan, s, span->len - ctx->place.left, &ctx->place);
        goto lost;
    }
    end = ctx->end;
    NEXT_PART();
}

sorted:
    if (UNLIKELY(span->ptr == NULL) && span->len)
        goto null_with_len;
    if (UNLIKELY(s->depth > left))
        goto too_deep;
    if (UNLIKELY(span->len > INT32_MAX))
        goto too_many;
    p = encode_sorted(ctx, s, p, span, left);
    if (UNLIKELY(p == NULL))
        goto failed;
    end = ctx->end;
    NEXT_PART();

P_RECORD:
    if (encode_pointee(s, record) == NULL)
        goto absent;
F_RECORD:
    ROOM(4);
    store_u32(p, s->head);
    p += 3;
A_RECORD : {
    const plan_routine *routine = &plan->routines[s->body];
    const uint8_t      *inner   = record + s->offset;
    if (UNLIKELY(s->depth > left))
        goto too_deep;
    if (s->flags & PLAN_INDIRECT)
        inner = encode_pointee(s, record);
    if (UNLIKELY(inner == NULL)) { /* as Frugal does: a struct that is not there is an empty one */
        ROOM(1);
        *p++ = FRUGAL_WIRE_STOP;
        NEXT_PART();
    }
    p = ENCODE_RUN(ctx, plan->steps + routine->first, p, inner, 1, left - s->depth);
    if (UNLIKELY(p == NULL))
        goto failed;
    end = ctx->end;
    NEXT_PART();
}

F_ENTER:
    ROOM(4);
    store_u32(p, s->head);
    p += 3;
A_ENTER:
    if (UNLIKELY(s->depth > left))
        goto too_deep;
    NEXT();

UNION:
    p = write_union(ctx, s, p, record, left);
    if (UNLIKELY(p == NULL))
        goto lost;
    end = ctx->end;
    NEXT();

    /* Of a run only the fields that are there. Numbers and texts are written here; a container goes
     * its ordinary way and comes back (NEXT_PART); and whatever else is in the way, like too little
     * room, makes the rest of the run ordinary fields. */
RUN:
    run = &plan->runs[s->run - 1];
    if (UNLIKELY(ctx->canonical | skip_flags) || run_is_dense(run, record))
        goto ordinary;
    there = run_look(run, record);
resume:
    for (; there; there &= there - 1) {
        const plan_spot *spot = &run->spots[__builtin_ctzll(there)];
        if (UNLIKELY((size_t)(end - p) < SCALAR_MAX))
            goto rest;
        if (LIKELY(spot->kind == PLAN_SPOT_NUMBER)) {
            uint64_t value = load_be64(record + spot->offset);
            store_u32(p, spot->head);
            store_u64(p + 3, BYTES_LITTLE_ENDIAN ? value >> spot->shift : value);
            p += spot->size;
        } else if (LIKELY(spot->kind == PLAN_SPOT_TEXT)) {
            span = (const schema_span *)(const void *)(record + spot->offset);
            len  = span->len;
            if (UNLIKELY(span->ptr == NULL) || UNLIKELY((size_t)(end - p) - 7 < len))
                goto rest;
            store_u32(p, spot->head);
            store_be32(p + 3, (uint32_t)len);
            copy_exact(p + 7, span->ptr, len);
            p += 7 + len;
        } else if (spot->kind == PLAN_SPOT_FLAGS) {
            if (UNLIKELY((size_t)(end - p) < (size_t)SCALAR_MAX * spot->count))
                goto rest;
            p = write_flags(p, plan->steps + spot->step, spot->count, record);
        } else {
            s = plan->steps + spot->step;
            there &= there - 1;
            goto *at_step[s->code];
        }
    }
    s   = plan->steps + run->step + run->count;
    run = NULL;
    DISPATCH();
rest:
    s = plan->steps + run->spots[__builtin_ctzll(there)].step;
ordinary:
    run = NULL;
    goto *at_step[s->code];

KEEP:
    span = SPAN();
    if (UNLIKELY(span->ptr == NULL) && span->len)
        goto null_with_len;
    ROOM_FOR(1, span->len);
    copy_exact(p, span->ptr, span->len);
    p += span->len;
    NEXT();

STOP:
    ROOM(1);
    *p++ = FRUGAL_WIRE_STOP;
    NEXT();

END:
    if (--count == 0)
        return p;
    record += s->stride;
    s = first;
    DISPATCH();

null_with_len:
    encode_fail_null(ctx, p, SPAN()->len);
    goto failed;
too_many:
    if (span->len > INT32_MAX)
        encode_fail_size(ctx, p, "elements", span->len);
    else
        encode_fail_size(ctx, p, "bytes", span->len << s->shift);
    goto failed;
first_too_deep:
    encode_fail_depth(ctx, p);
    codec_blame_element(&ctx->path, plan, s, 0, NULL);
    goto lost;
too_deep:
    encode_fail_depth(ctx, p);
failed:
    codec_blame(&ctx->path, plan, s);
lost:
    ctx->place = codec_place_at(plan, s, record, count);
    return NULL;
}

/* Header and value of the arm that is alive, or what was kept when there is none; the stop byte. */
FOR_CPU static NEVER_INLINE uint8_t *write_union(encode_context *ctx, const plan_step *step,
                                                 uint8_t *p, const uint8_t *record, uint32_t left)
{
    const plan_scope *scope = &ctx->plan->scopes[step->scope];
    int32_t           which = (int32_t)load_u32(record + step->has);
    if (which) {
        uint32_t         routine;
        const plan_step *arm = encode_find_arm(ctx, step, p, which, &routine);
        if (arm == NULL)
            return NULL;
        if ((size_t)(ctx->end - p) < 4 && (p = encode_more(ctx, p, 4, 0)) == NULL)
            return NULL;
        store_u32(p, arm->head);
        p = ENCODE_RUN(ctx, arm, p + 3, record, 1, left);
        if (p == NULL)
            return NULL;
    } else if (scope->keeper != PLAN_NONE) {
        const schema_span *kept = (const schema_span *)(const void *)(record + scope->keeper);
        if (kept->ptr == NULL && kept->len) {
            encode_fail_null(ctx, p, kept->len);
            path_prepend_name(&ctx->path, schema_keeper(scope->type)->name);
            return NULL;
        }
        if ((size_t)(ctx->end - p) < kept->len && (p = encode_more(ctx, p, 0, kept->len)) == NULL)
            return NULL;
        copy_exact(p, kept->ptr, kept->len);
        p += kept->len;
    }
    if (ctx->end == p && (p = encode_more(ctx, p, 1, 0)) == NULL)
        return NULL;
    *p++ = FRUGAL_WIRE_STOP;
    return p;
}

#pragma GCC diagnostic pop
