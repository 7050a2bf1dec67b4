/* jit/decode.c - the decoder of a plan, without a word about the CPU.
 *
 * A routine is straight code. Steps of known size form runs: one look whether the bytes of all of
 * them are there, then each header compared and each value moved at a static distance from p. A
 * header that differs, and a run that the input is too short for, leave the straight code for the
 * scope's miss (fields that are absent) and come back behind some later header; each of those ways
 * back looks at the room again. What the miss cannot settle, the interpreter reads: the rest of
 * this one record. */
#include "jit/decode.h"

#include <assert.h>

#include "jit/step.h"

/* What is known of a step while its routine is made. */
typedef struct step_code {
    jit_label miss;  /* here another header was found */
    jit_label value; /* in the straight code: behind the header */
    jit_label after; /* where a miss goes on with this step */
    jit_label slow;  /* text, containers: the uncommon ways; `done` is behind it */
    jit_label empty; /* containers: no elements */
    jit_label done;
    uint32_t  value_at; /* where p is to be for the helper, from p */
    uint32_t  done_at;  /* where the value ends behind `done`, from p */
    jit_label lacking;  /* sparse: the input is too short for it, or elements are of another type */
    bool      has_slow, has_empty, sparse;
    uint32_t  at;   /* where it begins, from p */
    uint32_t  tail; /* bytes of the run behind its header (STOP: behind it) */
} step_code;

typedef struct routine_code {
    jit_compiler       *c;
    const plan_routine *routine;
    const plan_step    *steps; /* of the routine */
    step_code          *marks; /* one for each of them */
    uint32_t            count;
    jit_label           again, end, rest;
    uint32_t            at; /* from p, here in the straight code */
} routine_code;

/* Bytes that are read at once when the step is as expected: its header and what has a fixed size.
 */
static uint32_t fixed_size(const plan_step *step)
{
    /* a struct has a stop byte at least; four bytes are read to compare three of them */
    if (step->op == PLAN_RECORD)
        return is_field(step) ? 4 : 0;
    return header_size(step) + value_size(step);
}

/* Whether p is somewhere else behind this step than its fixed size says. */
static bool ends_run(const plan_step *step)
{
    return (step->op >= PLAN_TEXT && step->op <= PLAN_RECORD) || step->op == PLAN_UNION
           || step->op == PLAN_END || may_be_absent(step);
}

/* ---- the straight code ---------------------------------------------------------------------- */

static void put_initial(routine_code *r, const plan_step *step)
{
    const plan_routine *inner = &r->c->plan->routines[step->body];
    if (inner->initial == NULL && inner->stride <= JIT_ZERO_MAX)
        target_decode_zero(r->c, step->offset, inner->stride);
    else
        target_call(r->c, JIT_DECODE_INIT, step);
}

/* Has elements, or a struct, in C where the straight code cannot: p at `at` for the helper. */
static void mark_slow(routine_code *r, step_code *mark, uint32_t at)
{
    mark->value_at = at;
    mark->done_at  = r->at;
    mark->has_slow = true;
    code_bind(&r->c->code, mark->done);
}

static void put_container(routine_code *r, const plan_step *step, step_code *mark)
{
    jit_compiler *c      = r->c;
    uint32_t      begin  = r->at;
    bool          is_map = step->op == PLAN_MAP;
    if (is_map) {
        if (!is_field(step))
            target_decode_byte(c, begin, step->key_tag, mark->slow);
        target_decode_byte(c, begin + 1, step->tag, mark->slow);
    } else if (!is_field(step)) {
        target_decode_byte(c, begin, step->tag, mark->slow);
    }
    uint32_t count_at = begin + (is_map ? 2 : 1);
    mark->has_empty   = true;
    if (step->op == PLAN_VECTOR || step->op == PLAN_BOOLS) {
        target_decode_span(c, step, count_at, mark->slow, mark->empty);
        r->at = count_at + 4;
    } else {
        target_decode_items(c, step, count_at, mark->slow, mark->empty);
        r->at = 0;
    }
    mark_slow(r, mark, begin);
}

static void put_record(routine_code *r, const plan_step *step, step_code *mark)
{
    jit_compiler *c = r->c;
    target_advance(c, (int32_t)r->at);
    r->at = 0;
    if (step->flags & PLAN_INDIRECT) {
        target_decode_behind(c, step, mark->slow);
        mark_slow(r, mark, 0);
        return;
    }
    if (step->flags & PLAN_INIT)
        put_initial(r, step);
    target_record(c, step->offset, step->depth, c->routines[step->body]);
}

/* The value of a step, behind its header if it has one; r->at is moved behind it. */
static void put_value(routine_code *r, const plan_step *step, step_code *mark)
{
    jit_compiler *c     = r->c;
    uint32_t      begin = r->at;
    code_mark(&c->code, JIT_PART_STEP, step->number);
    switch (step->op) {
    case PLAN_BOOL:
    case PLAN_I8:
    case PLAN_I16:
    case PLAN_I32:
    case PLAN_I64:
        if (step->code == PLAN_CODE(step->op, PLAN_BY_HAS))
            target_decode_present(c, step->has);
        target_decode_scalar(c, step->op, begin, step->offset);
        r->at += fixed_size(step) - header_size(step);
        break;
    case PLAN_TEXT:
        target_decode_text(c, begin, step->offset, mark->slow);
        r->at += 4;
        mark_slow(r, mark, begin);
        break;
    case PLAN_VECTOR:
    case PLAN_BOOLS:
    case PLAN_LIST:
    case PLAN_MAP: put_container(r, step, mark); break;
    case PLAN_RECORD: put_record(r, step, mark); break;
    case PLAN_ENTER:
        if (step->flags & PLAN_INIT)
            put_initial(r, step);
        break;
    default: r->at += step->op == PLAN_STOP; break;
    }
}

/* The bytes from step `first` to the end of its run, and how many steps it has. */
static uint32_t run_size(const routine_code *r, uint32_t first, uint32_t *count)
{
    uint32_t size = 0, i = first;
    for (; i < r->count; i++) {
        if (i > first
            && (may_be_absent(&r->steps[i]) || r->steps[i].op == PLAN_UNION
                || r->steps[i].op == PLAN_END))
            break;
        size += fixed_size(&r->steps[i]);
        if (ends_run(&r->steps[i])) {
            i++;
            break;
        }
    }
    *count = i - first;
    return size;
}

static void put_run(routine_code *r, uint32_t first, uint32_t count, uint32_t size)
{
    jit_compiler    *c    = r->c;
    const plan_step *last = &r->steps[first + count - 1];
    if (may_be_absent(&r->steps[first])) { /* its ways in and out need no correction of p then */
        target_advance(c, (int32_t)r->at);
        r->at = 0;
    }
    code_mark(&c->code, JIT_PART_STEP, r->steps[first].number);
    uint32_t begin = r->at;
    /* four bytes are read to compare three; behind ENTER there is a stop byte at least */
    uint32_t more = last->op == PLAN_ENTER;
    if (size)
        target_room(c, begin + size + more, r->marks[first].miss);
    for (uint32_t i = first; i < first + count; i++) {
        const plan_step *step = &r->steps[i];
        step_code       *mark = &r->marks[i];
        mark->at              = r->at;
        code_mark(&c->code, JIT_PART_STEP, step->number);
        if (is_field(step))
            target_decode_head(c, r->at, step->head, plan_head_size(step), mark->miss);
        else if (step->op == PLAN_STOP)
            target_decode_stop(c, r->at, mark->miss);
        mark->tail = begin + size - r->at - (step->op == PLAN_STOP ? 1 : header_size(step));
        mark->tail += mark->tail ? more : 0;
        code_bind(&c->code, mark->value);
        r->at += header_size(step);
        put_value(r, step, mark);
    }
}

static uint32_t sparse_count(const routine_code *r, uint32_t first)
{
    uint32_t i = first;
    while (i < r->count && may_be_absent(&r->steps[i])
           && r->steps[i].scope == r->steps[first].scope)
        i++;
    return i - first >= SPARSE_LEAST ? i - first : 0;
}

/* Nothing is predicted here but by the CPU: behind each field, its id says where to go on. */
static void put_sparse(routine_code *r, uint32_t first, uint32_t count)
{
    jit_compiler *c = r->c;
    code_mark(&c->code, JIT_PART_STEP, r->steps[first].number);
    target_advance(c, (int32_t)r->at);
    target_decode_dispatch(c, &r->steps[first]);
    for (uint32_t i = first; i < first + count; i++) {
        const plan_step *step = &r->steps[i];
        step_code       *mark = &r->marks[i];
        mark->sparse          = true;
        code_mark(&c->code, JIT_PART_STEP, step->number);
        code_bind(&c->code, mark->after);
        target_room(c, fixed_size(step), mark->lacking);
        /* what the comparison of a header would cover */
        if (step->op >= PLAN_VECTOR && step->op <= PLAN_LIST)
            target_decode_byte(c, 3, step->tag, mark->lacking);
        if (step->op == PLAN_MAP)
            target_decode_byte(c, 3, step->key_tag, mark->lacking);
        r->at = 3;
        put_value(r, step, mark);
        target_advance(c, (int32_t)r->at);
        r->at = 0;
        if (i + 1 < first + count)
            target_decode_dispatch(c, step + 1);
    }
}

static void put_steps(routine_code *r)
{
    jit_compiler *c = r->c;
    for (uint32_t i = 0, count; i < r->count; i += count) {
        const plan_step *step   = &r->steps[i];
        uint32_t         sparse = sparse_count(r, i);
        code_mark(&c->code, JIT_PART_STEP, step->number);
        count = 1;
        if (sparse) {
            put_sparse(r, i, sparse);
            count = sparse;
        } else if (step->op == PLAN_END) {
            target_advance(c, (int32_t)r->at);
            r->at = 0;
            code_bind(&c->code, r->end);
            target_end(c, step->stride, r->again);
        } else if (step->op == PLAN_UNION) {
            target_advance(c, (int32_t)r->at);
            r->at = 0;
            target_call(c, JIT_DECODE_UNION, step);
        } else {
            uint32_t size = run_size(r, i, &count);
            put_run(r, i, count, size);
        }
    }
}

/* ---- beside it ------------------------------------------------------------------------------ */

/* Where a miss comes back, p at the header of a field, or at a stop byte. */
static void put_after(routine_code *r, uint32_t i)
{
    jit_compiler    *c      = r->c;
    const plan_step *step   = &r->steps[i];
    step_code       *mark   = &r->marks[i];
    uint32_t         header = step->op == PLAN_STOP ? 1 : 3;
    jit_label        short_ = code_label(&c->code);
    code_mark(&c->code, JIT_PART_AFTER, step->number);
    code_bind(&c->code, mark->after);
    if (mark->tail)
        target_room(c, header + mark->tail, short_);
    /* what the header's comparison had covered */
    if (step->op >= PLAN_VECTOR && step->op <= PLAN_LIST)
        target_decode_byte(c, 3, step->tag, short_);
    if (step->op == PLAN_MAP)
        target_decode_byte(c, 3, step->key_tag, short_);
    target_advance(c, -(int32_t)mark->at);
    target_jump(c, mark->value);
    code_bind(&c->code, short_);
    target_decode_rest_from(c, step, r->rest);
}

static jit_decode_call helper_of(const plan_step *step)
{
    switch (step->op) {
    case PLAN_TEXT: return JIT_DECODE_TEXT;
    case PLAN_VECTOR:
    case PLAN_BOOLS: return JIT_DECODE_SPAN;
    case PLAN_RECORD: return JIT_DECODE_RECORD;
    default: return JIT_DECODE_ITEMS;
    }
}

static void put_slow(routine_code *r, uint32_t i)
{
    jit_compiler    *c    = r->c;
    const plan_step *step = &r->steps[i];
    step_code       *mark = &r->marks[i];
    code_mark(&c->code, JIT_PART_SLOW, step->number);
    code_bind(&c->code, mark->slow);
    target_advance(c, (int32_t)mark->value_at);
    target_call(c, helper_of(step), step);
    target_advance(c, -(int32_t)mark->done_at);
    target_jump(c, mark->done);
    if (mark->has_empty) {
        uint32_t header = step->op == PLAN_MAP ? 6 : 5;
        code_mark(&c->code, JIT_PART_EMPTY, step->number);
        code_bind(&c->code, mark->empty);
        target_decode_empty(c, step->offset);
        target_advance(c, (int32_t)(mark->value_at + header) - (int32_t)mark->done_at);
        target_jump(c, mark->done);
    }
}

static void put_cold(routine_code *r)
{
    jit_compiler *c = r->c;
    for (uint32_t i = 0; i < r->count; i++) {
        const plan_step *step = &r->steps[i];
        step_code       *mark = &r->marks[i];
        if (step->op == PLAN_END || step->op == PLAN_UNION)
            continue;
        if (mark->sparse) {
            code_bind(&c->code, mark->lacking);
            code_mark(&c->code, JIT_PART_MISS, step->number);
            target_decode_rest_from(c, step, r->rest);
            if (mark->has_slow)
                put_slow(r, i);
            continue;
        }
        code_mark(&c->code, JIT_PART_MISS, step->number);
        code_bind(&c->code, mark->miss);
        target_advance(c, (int32_t)mark->at);
        if (is_field(step) || step->op == PLAN_STOP) {
            target_decode_missed(c, step, c->scopes[step->scope].miss);
            put_after(r, i);
        } else {
            target_decode_rest_from(c, step, r->rest);
        }
        if (mark->has_slow)
            put_slow(r, i);
    }
    code_mark(&c->code, JIT_PART_REST, (uint32_t)(r->routine - c->plan->routines));
    code_bind(&c->code, r->rest);
    target_decode_rest(c, r->end);
}

/* From which index on each field of a scope, and its stop byte, may be gone to: no required one
 * lies between. */
static void find_least(const routine_code *r, const plan_scope *scope, uint32_t *least)
{
    uint32_t from = 0;
    for (uint32_t i = 0; i <= scope->count; i++) {
        least[i] = from;
        if (i < scope->count && (r->c->plan->steps[scope->step_of[i]].flags & PLAN_REQUIRED))
            from = i + 1;
    }
}

static void put_miss(routine_code *r, uint32_t index)
{
    jit_compiler     *c     = r->c;
    const plan_scope *scope = &c->plan->scopes[index];
    size_t            size  = (scope->count + 1) * (sizeof(jit_label) + sizeof(uint32_t));
    jit_label        *after = code_scratch(&c->code, size);
    uint32_t         *least = after + scope->count + 1;
    if (after == NULL)
        return;
    for (uint32_t field = 0; field <= scope->count; field++)
        after[field] = r->marks[scope->step_of[field] - r->routine->first].after;
    find_least(r, scope, least);
    code_mark(&c->code, JIT_PART_SCOPE, index);
    target_decode_miss(c, &(jit_scope){ scope, after, least });
    code_scratch_free(&c->code, after, size);
}

/* The misses of all structs of this routine, told by their stop bytes. */
static void put_misses(routine_code *r)
{
    for (uint32_t i = 0; i < r->count; i++)
        if (r->steps[i].op == PLAN_STOP)
            put_miss(r, r->steps[i].scope);
}

/* ---- routines ------------------------------------------------------------------------------- */

static void put_routine(jit_compiler *c, const plan_routine *routine, jit_label entry)
{
    routine_code r      = { .c       = c,
                            .routine = routine,
                            .steps   = c->plan->steps + routine->first,
                            .count   = routine->count };
    size_t       memory = r.count * sizeof *r.marks;
    uint32_t     depth  = 0;
    r.marks             = code_scratch(&c->code, memory);
    if (r.marks == NULL)
        return;
    for (uint32_t i = 0; i < r.count; i++) {
        step_code *mark = &r.marks[i];
        *mark           = (step_code){ .miss    = code_label(&c->code),
                                       .value   = code_label(&c->code),
                                       .after   = code_label(&c->code),
                                       .slow    = code_label(&c->code),
                                       .empty   = code_label(&c->code),
                                       .done    = code_label(&c->code),
                                       .lacking = code_label(&c->code) };
        depth =
            needed_depth(c->plan, &r.steps[i]) > depth ? needed_depth(c->plan, &r.steps[i]) : depth;
    }
    r.again = code_label(&c->code);
    r.end   = code_label(&c->code);
    r.rest  = code_label(&c->code);
    code_bind(&c->code, entry);
    code_mark(&c->code, JIT_PART_ROUTINE, (uint32_t)(routine - c->plan->routines));
    target_begin(c, depth);
    code_bind(&c->code, r.again);
    put_steps(&r);
    put_cold(&r);
    put_misses(&r);
    code_scratch_free(&c->code, r.marks, memory);
}

void jit_put_decoder(jit_compiler *c)
{
    const plan_routine *root = &c->plan->routines[0];
    target_enter(c, 0);
    code_bind(&c->code, c->root);
    c->initialises = root->initial == NULL && root->stride <= JIT_ZERO_MAX;
    if (c->initialises)
        target_decode_zero_root(c, root->stride);
    target_jump(c, c->routines[0]);
    for (uint32_t i = 0; i < c->plan->routine_count; i++)
        put_routine(c, &c->plan->routines[i], c->routines[i]);
}
