/* codec/entries.c - containers as sorted wire bytes. */
#include "codec/entries.h"

#include <stdlib.h>

#include "codec/encode.h"
#include "core/allocator.h"

/* What the comparison of two entries needs; qsort has no room for a context, so a merge sort of our
 * own: stable, no worst case, and its only allocation can fail cleanly. */
static int compare_keys(const entries *all, const entry *a, const entry *b)
{
    size_t shorter = a->key_size < b->key_size ? a->key_size : b->key_size;
    int    order   = memcmp(all->wire.data + a->start, all->wire.data + b->start, shorter);
    if (order)
        return order;
    return (a->key_size > b->key_size) - (a->key_size < b->key_size);
}

static void merge(const entries *all, const entry *from, entry *to, size_t left, size_t middle,
                  size_t right)
{
    size_t a = left, b = middle;
    for (size_t i = left; i < right; i++) {
        bool take_a = b == right || (a < middle && compare_keys(all, &from[a], &from[b]) <= 0);
        to[i]       = from[take_a ? a++ : b++];
    }
}

static bool sort(entries *all)
{
    size_t size  = all->count * sizeof(entry);
    entry *other = allocator_resize(all->allocator, NULL, 0, size);
    if (other == NULL)
        return false;
    for (size_t width = 1; width < all->count; width *= 2) {
        for (size_t left = 0; left < all->count; left += 2 * width) {
            size_t middle = left + width < all->count ? left + width : all->count;
            size_t right  = left + 2 * width < all->count ? left + 2 * width : all->count;
            merge(all, all->items, other, left, middle, right);
        }
        entry *swap = all->items;
        all->items  = other;
        other       = swap;
    }
    allocator_resize(all->allocator, other, size, 0);
    return true;
}

/* The elements of a vector or of bools: all of one size. */
static frugal_status write_scalars(entries *all, const plan_step *step, const schema_span *span)
{
    uint32_t      width  = step->op == PLAN_VECTOR ? 1u << step->shift : 1;
    frugal_status status = frugal_buf_reserve(&all->wire, span->len * width);
    if (status != FRUGAL_OK)
        return status;
    for (uint32_t i = 0; i < span->len; i++) {
        const uint8_t *value = span->ptr + (size_t)i * width;
        uint8_t       *to    = all->wire.data + (size_t)i * width;
        for (uint32_t k = 0; k < width; k++)
            to[k] = value[BYTES_LITTLE_ENDIAN ? width - 1 - k : k];
        if (step->op == PLAN_BOOLS)
            *to = *value != 0;
        all->items[i] = (entry){ i * width, width, width, i };
    }
    all->wire.size = span->len * width;
    return FRUGAL_OK;
}

/* The steps that write the first value of an entry and nothing else, in an element place: its key.
 */
static void key_steps(const struct plan *plan, const plan_routine *pair, plan_step one[2])
{
    one[0] = plan->steps[pair->first];
    if (one[0].op == PLAN_ENTER) {
        one[0].op   = PLAN_RECORD;
        one[0].code = PLAN_CODE(PLAN_RECORD, PLAN_ELEMENT);
    }
    one[1] = (plan_step){ .op    = PLAN_END,
                          .code  = PLAN_CODE(PLAN_END, PLAN_ELEMENT),
                          .scope = PLAN_NONE };
    codec_prepare(one, 2);
}

static size_t key_size(const plan_step *step, const uint8_t *wire, size_t size)
{
    wire_fault fault;
    if (step->op != PLAN_MAP)
        return size;
    return (size_t)(binary_skip(wire, wire + size, step->key_tag, FRUGAL_DEPTH_MAX,
                                FRUGAL_DEPTH_MAX, &fault)
                    - wire);
}

static frugal_status write_entries(entries *all, const struct plan *plan, const plan_step *step,
                                   const schema_span *span, entries_part part, uint32_t left)
{
    const plan_routine *routine = &plan->routines[step->body];
    const plan_step    *first   = &plan->steps[routine->first];
    plan_step           key[2];
    if (part == ENTRIES_KEYS && step->op == PLAN_MAP) {
        key_steps(plan, routine, key);
        first = key;
    }
    for (uint32_t i = 0; i < span->len; i++) {
        size_t        start  = all->wire.size;
        frugal_status status = encode_part(plan, first, span->ptr + (size_t)i * routine->stride,
                                           part, left, &all->wire);
        if (status != FRUGAL_OK)
            return status;
        if (all->wire.size > all->limit)
            return FRUGAL_BUDGET;
        if (all->wire.size
            > INT32_MAX) /* more than a message may have; an entry counts in 32 bits */
            return FRUGAL_SIZE;
        size_t size   = all->wire.size - start;
        size_t used   = part == ENTRIES_KEYS ? size : key_size(step, all->wire.data + start, size);
        all->items[i] = (entry){ (uint32_t)start, (uint32_t)used, (uint32_t)size, i };
    }
    return FRUGAL_OK;
}

frugal_status entries_sorted(entries *sorted, const struct plan *plan, const plan_step *step,
                             const schema_span *span, entries_part part, uint32_t left,
                             const frugal_allocator *allocator, size_t limit)
{
    *sorted = (entries){ .allocator = allocator_or_malloc(allocator), .limit = limit };
    frugal_buf_init(&sorted->wire, NULL, 0, sorted->allocator);
    if (span->len == 0)
        return FRUGAL_OK;
    if (span->len > sorted->limit / (2 * sizeof(entry)))
        return FRUGAL_BUDGET;
    sorted->items = allocator_resize(sorted->allocator, NULL, 0, span->len * sizeof(entry));
    if (sorted->items == NULL)
        return FRUGAL_NOMEM;
    sorted->count        = span->len;
    uint32_t      levels = step->depth;
    frugal_status status;
    if (step->body == PLAN_NONE) {
        status = write_scalars(sorted, step, span);
    } else {
        levels += plan->routines[step->body].depth;
        status = levels > left ? FRUGAL_DEPTH
                               : write_entries(sorted, plan, step, span, part, left - levels);
    }
    if (status != FRUGAL_OK)
        return status;
    return sort(sorted) ? FRUGAL_OK : FRUGAL_NOMEM;
}

void entries_release(entries *sorted)
{
    frugal_buf_release(&sorted->wire);
    if (sorted->items)
        allocator_resize(sorted->allocator, sorted->items, sorted->count * sizeof(entry), 0);
    sorted->items = NULL;
}

bool entries_find_repeat(const entries *sorted, size_t *index)
{
    bool found = false;
    for (size_t i = 1; i < sorted->count; i++) {
        if (compare_keys(sorted, &sorted->items[i - 1], &sorted->items[i]) != 0)
            continue;
        if (!found || sorted->items[i].index < *index)
            *index = sorted->items[i].index;
        found = true;
    }
    return found;
}
