/* plan/run.c - optional fields in a row, and where the record says which of them are there.
 *
 * A run ends where the order of ids is not the order in memory, where a text or a pointer is not by
 * itself in its words, and where the words are used up. What then follows may begin another. */
#include "plan/builder.h"

/* The bytes of the record of which one is not 0 when the field is there. */
typedef struct extent {
    uint32_t start, end;
} extent;

static bool is_flag(const plan_step *step)
{
    return place_of_code(step->code) == PLAN_BY_HAS;
}

static extent extent_of(const plan_step *step)
{
    if (is_flag(step))
        return (extent){ step->has, step->has + 1 };
    /* NULL with a length is not absent, it is a mistake that the encoder must see. */
    size_t size = step->op == PLAN_RECORD ? sizeof(void *) : sizeof(schema_span);
    return (extent){ step->offset, step->offset + (uint32_t)size };
}

static plan_spot_kind kind_of(const plan_step *step, uint32_t stride)
{
    if (step->op == PLAN_TEXT)
        return PLAN_SPOT_TEXT;
    if (!is_flag(step))
        return PLAN_SPOT_OTHER;
    return step->op != PLAN_BOOL && step->offset + 8 <= stride ? PLAN_SPOT_NUMBER : PLAN_SPOT_FLAGS;
}

/* The first field of a word. */
static plan_spot spot_of(const plan_step *step, uint32_t stride)
{
    plan_spot spot = { .kind = (uint8_t)kind_of(step, stride), .step = step->number };
    if (spot.kind <= PLAN_SPOT_TEXT) {
        spot.size   = (uint8_t)(BINARY_FIELD_SIZE + fixed_part(step));
        spot.shift  = (uint8_t)(64 - 8 * fixed_part(step));
        spot.head   = step->head;
        spot.offset = step->offset;
    }
    return spot;
}

/* All fields of a word by their .has, to the last. */
static plan_spot flags_of(const plan_run *run, const plan_step *first, const plan_step *last)
{
    plan_spot spot = { .kind = PLAN_SPOT_FLAGS, .step = first->number };
    for (; first <= last; first++, spot.count++)
        spot.sizes[(first->has - run->offset) % 8] =
            (uint8_t)(BINARY_FIELD_SIZE + fixed_part(first));
    return spot;
}

/* Adds the field behind those that the run has, which end at `end`; `head` is the step of the
 * first. */
static bool add_field(plan_run *run, const plan_step *head, uint32_t *end, uint32_t stride)
{
    const plan_step *step = head + run->count;
    extent           at   = extent_of(step);
    if (run->count == 0) {
        run->step   = step->number;
        run->offset = *end = at.start & ~7u;
        run->only_texts    = true;
    }
    if (at.start < *end)
        return false;
    uint32_t first = (at.start - run->offset) / 8, last = (at.end - 1 - run->offset) / 8;
    bool     shares = first < run->words;
    if (last > first + 1 || last >= PLAN_RUN_WORDS || run->offset + 8 * last + 8 > stride)
        return false;
    if (shares && !(is_flag(step) && is_flag(step - 1)))
        return false;

    memset(run->mask + (at.start - run->offset), 0xff, at.end - at.start);
    plan_spot *spot = &run->spots[first];
    if (!shares)
        *spot = spot_of(step, stride);
    if (shares || spot->kind == PLAN_SPOT_FLAGS)
        *spot = flags_of(run, step - (step->number - spot->step), step);
    run->only_texts = run->only_texts && step->op == PLAN_TEXT;
    run->count++;
    if (last > first)
        run->seconds |= (uint64_t)1 << last;
    run->words = last + 1;
    *end       = at.end;
    return true;
}

/* Looks for the words of the field in the middle and of the last one. */
static void set_probes(plan_run *run)
{
    static const uint8_t nothing[8];
    for (uint32_t i = 0; i < run->words; i++) {
        if (run->seconds >> i & 1 || memcmp(run->mask + 8 * i, nothing, 8) == 0)
            continue;
        if (run->spots[i].step <= run->step + run->count / 2)
            run->probes[0] = i;
        run->probes[1] = i;
    }
}

/* The longest run from a step on. */
static plan_run run_from(const plan_step *head, uint32_t stride)
{
    plan_run run = { .count = 0 };
    uint32_t end = 0;
    while (place_of_code(head[run.count].code) >= PLAN_BY_POINTER
           && add_field(&run, head, &end, stride))
        ;
    set_probes(&run);
    if (run.words < PLAN_RUN_BLOCK)
        run.words = PLAN_RUN_BLOCK;
    return run;
}

void build_runs(builder *b, uint32_t routine)
{
    const plan_routine *r = routine_at(b, routine);
    for (uint32_t i = r->first, next; i < r->first + r->count; i = next) {
        plan_run run = run_from(step_at(b, i), r->stride);
        next         = i + (run.count ? run.count : 1);
        if (run.count < PLAN_RUN_LEAST || run.offset + 8 * run.words > r->stride)
            continue;
        plan_run *made = vector_push(b, &b->runs);
        if (made == NULL)
            return;
        *made              = run;
        step_at(b, i)->run = (uint32_t)b->runs.count;
    }
}
