/* codec/decode_items.h - the elements of lists and maps, whoever reads them.
 *
 * A template, not compiled alone: READ_RECORDS(routine, p, records, count, left) reads some records
 * of a routine, and BLAME(call) makes a call that builds the path of a fault, or does not. */
#include "codec/copy.h"
#include "codec/decode.h"

/* More elements than fit: the array grows as elements really arrive. The old one is left in the
 * arena unless it was the newest thing there; nobody holds pointers into it. */
static uint8_t *grow_items(decode_context *ctx, uint8_t *items, size_t old_size, uint64_t size,
                           size_t align, const uint8_t *at)
{
    if (size <= ctx->budget && arena_resize(ctx->arena, items, old_size, (size_t)size)) {
        ctx->budget -= (size_t)size;
        return items;
    }
    uint8_t *larger = decode_alloc(ctx, size, align, at);
    if (larger)
        memcpy(larger, items, old_size);
    return larger;
}

/* The elements or entries behind a container's header. `count` is not negative; it may be larger
 * than what the input holds: room is made at once for what the bytes that are left could plausibly
 * be, else for the first of them. */
FOR_CPU static NEVER_INLINE const uint8_t *read_items(decode_context *ctx, const plan_step *step,
                                                      const uint8_t *p, size_t count,
                                                      schema_span *span, uint32_t left)
{
    const plan_routine *routine = &ctx->plan->routines[step->body];
    size_t              rest    = (size_t)(ctx->end - p);
    uint32_t            inner   = left - step->depth;
    span->ptr                   = (const uint8_t *)schema_empty;
    span->len                   = count;
    if (count == 0)
        return p;
    if (UNLIKELY((uint64_t)count * routine->wire_min > rest)) {
        decode_fault(ctx, WIRE_FAULT_COUNT, p - 4, count, (uint64_t)count * routine->wire_min,
                     rest);
        BLAME(codec_blame(&ctx->path, ctx->plan, step));
        return NULL;
    }
    if (UNLIKELY(routine->depth > inner)) {
        decode_fault(ctx, WIRE_FAULT_DEPTH, p, decode_depth_max(ctx), 0, 0);
        BLAME(codec_blame_element(&ctx->path, ctx->plan, step, 0, NULL));
        return NULL;
    }
    inner -= routine->depth;

    size_t stride   = routine->stride;
    size_t capacity = count;
    if ((uint64_t)count * stride > 4096 + 16 * (uint64_t)rest)
        capacity = rest / 64 + 1 < count ? rest / 64 + 1 : count;
    uint8_t *items = decode_alloc(ctx, (uint64_t)capacity * stride, routine->align, p);
    for (size_t done = 0; items;) {
        /* A few at a time: initialised all at once, a long list would be out of the cache again
         * before its first record is read. */
        size_t batch = capacity - done;
        if (routine->initialise) {
            batch = batch < routine->batch ? batch : routine->batch;
            copy_initial(routine, items + done * stride, batch);
        }
        p = READ_RECORDS(step->body, p, items + done * stride, batch, inner);
        if (UNLIKELY(p == NULL)) {
            BLAME(codec_blame_element(&ctx->path, ctx->plan, step, done + batch - ctx->place.left,
                                      &ctx->place));
            return NULL;
        }
        done += batch;
        if (LIKELY(done == count)) {
            span->ptr = items;
            return p;
        }
        if (done < capacity)
            continue;
        capacity = capacity > count / 2 ? count : capacity * 2;
        items =
            grow_items(ctx, items, done * stride, (uint64_t)capacity * stride, routine->align, p);
    }
    BLAME(codec_blame(&ctx->path, ctx->plan, step));
    return NULL;
}
