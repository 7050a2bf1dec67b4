/* jit/encode.c - the encoder of a plan, without a word about the CPU.
 *
 * Steps whose value is always there and of known size form runs: room for all of them is asked for
 * once, and each is stored at a static distance from p. */
#include "jit/encode.h"
#include "jit/step.h"

typedef struct step_code {
    jit_label again; /* room was made: look again */
    jit_label more;  /* there is no room */
    jit_label null, done;
    jit_label text_more;
    uint32_t  bytes; /* of the run that begins here */
    uint32_t  at;    /* text: of its length */
    bool      begins, is_text;
    bool      sparse; /* written at `present`, beside the straight code */
    jit_label present;
    uint32_t  size;
    bool      has_slow; /* a span: by its helper, which writes the header, too */
    jit_label slow;
    uint32_t  slow_at;
} step_code;

typedef struct routine_code {
    jit_compiler    *c;
    const plan_step *steps;
    step_code       *marks;
    uint32_t         count;
    jit_label        again;
} routine_code;

/* What is written by straight code, header and fixed part; 0: by a helper. */
static uint32_t fixed_size(const plan_step *step)
{
    if (step->op == PLAN_RECORD || step->op == PLAN_ENTER || value_size(step))
        return header_size(step) + value_size(step);
    return 0;
}

static bool is_straight(const plan_step *step)
{
    return step->op <= PLAN_RECORD || step->op == PLAN_ENTER || step->op == PLAN_STOP;
}

static bool ends_run(const plan_step *step)
{
    return (step->op >= PLAN_TEXT && step->op <= PLAN_RECORD) || may_be_absent(step);
}

static uint32_t run_size(const routine_code *r, uint32_t first, uint32_t *count)
{
    uint32_t size = 0, i = first;
    for (; i < r->count; i++) {
        const plan_step *step = &r->steps[i];
        if (!is_straight(step) || (i > first && may_be_absent(step)))
            break;
        size += fixed_size(step);
        if (ends_run(step)) {
            i++;
            break;
        }
    }
    *count = i - first;
    return size;
}

static void put_value(routine_code *r, const plan_step *step, step_code *mark, uint32_t at)
{
    jit_compiler *c = r->c;
    code_mark(&c->code, JIT_PART_STEP, step->number);
    if (is_field(step))
        target_encode_head(c, at, step->head);
    at += header_size(step);
    switch (step->op) {
    case PLAN_ENTER: break;
    case PLAN_STOP: target_encode_stop(c, at); break;
    case PLAN_TEXT:
        mark->at      = at;
        mark->is_text = true;
        target_encode_text(c, at, step->offset, mark->null, mark->text_more);
        break;
    case PLAN_VECTOR:
    case PLAN_BOOLS:
    case PLAN_LIST:
    case PLAN_MAP:
        if (step->op == PLAN_MAP) {
            target_encode_byte(c, at++, step->key_tag);
            target_encode_byte(c, at++, step->tag);
        } else {
            target_encode_byte(c, at++, step->tag);
        }
        mark->at = at;
        if (step->op == PLAN_LIST || step->op == PLAN_MAP) {
            target_encode_items(c, step, at, mark->null, mark->done);
        } else {
            mark->has_slow = true;
            mark->slow_at  = at - 1 - header_size(step);
            target_encode_span(c, step, at, mark->null, mark->slow);
        }
        break;
    case PLAN_RECORD:
        target_advance(c, (int32_t)at);
        if (step->flags & PLAN_INDIRECT)
            target_record_behind(c, step->offset, step->depth, c->routines[step->body], mark->null);
        else
            target_record(c, step->offset, step->depth, c->routines[step->body]);
        break;
    default: target_encode_scalar(c, step->op, at, step->offset); break;
    }
}

/* Room once, then value after value. */
static void put_straight(routine_code *r, uint32_t first, uint32_t count, uint32_t size)
{
    jit_compiler    *c    = r->c;
    const plan_step *last = &r->steps[first + count - 1];
    step_code       *mark = &r->marks[first];
    uint32_t         at   = 0;
    /* a header is stored as four bytes, and a struct without fields has one behind it */
    mark->bytes  = size + (last->op == PLAN_ENTER || last->op == PLAN_RECORD);
    mark->begins = true;
    code_bind(&c->code, mark->again);
    target_room(c, mark->bytes, mark->more);
    for (uint32_t i = first; i < first + count; i++) {
        put_value(r, &r->steps[i], &r->marks[i], at);
        at += fixed_size(&r->steps[i]);
    }
    if (last->op < PLAN_TEXT || last->op > PLAN_RECORD)
        target_advance(c, (int32_t)size);
}

static void put_run(routine_code *r, uint32_t first, uint32_t count, uint32_t size)
{
    jit_compiler    *c      = r->c;
    const plan_step *begin  = &r->steps[first];
    step_code       *mark   = &r->marks[first];
    jit_label        next   = r->marks[first + count - 1].done;
    bool             by_has = begin->code >= PLAN_CODE(0, PLAN_BY_HAS);
    code_mark(&c->code, JIT_PART_STEP, begin->number);
    if (mark->sparse) { /* what is there is written elsewhere: an absent field is a jump not taken
                         */
        mark->size = size;
        if (by_has)
            target_present_has(c, begin->has, mark->present);
        else
            target_present_pointer(c, begin->offset, begin->op != PLAN_RECORD, mark->present);
    } else {
        if (by_has)
            target_absent_has(c, begin->has, next);
        else if (may_be_absent(begin))
            target_absent_pointer(c, begin->offset, begin->op == PLAN_RECORD ? next : mark->null);
        put_straight(r, first, count, size);
    }
    code_bind(&c->code, next);
}

static void mark_sparse(routine_code *r)
{
    for (uint32_t i = 0, end; i < r->count; i = end + (end == i)) {
        for (end = i; end < r->count && may_be_absent(&r->steps[end]);)
            end++;
        for (uint32_t k = i; end - i >= SPARSE_LEAST && k < end; k++)
            r->marks[k].sparse = true;
    }
}

static void put_steps(routine_code *r)
{
    jit_compiler *c = r->c;
    for (uint32_t i = 0, count; i < r->count; i += count) {
        const plan_step *step = &r->steps[i];
        uint32_t         size = run_size(r, i, &count);
        if (count) {
            put_run(r, i, count, size);
        } else if (step->op == PLAN_END) {
            code_mark(&c->code, JIT_PART_STEP, step->number);
            target_end(c, step->stride, r->again);
            count = 1;
        } else {
            code_mark(&c->code, JIT_PART_STEP, step->number);
            if (may_be_absent(step))
                target_absent_pointer(c, step->offset, r->marks[i].null);
            target_call(c, step->op == PLAN_UNION ? JIT_ENCODE_UNION : JIT_ENCODE_KEEP, step);
            code_bind(&c->code, r->marks[i].done);
            count = 1;
        }
    }
}

static void put_cold(routine_code *r)
{
    jit_compiler *c = r->c;
    for (uint32_t i = 0; i < r->count; i++) {
        const plan_step *step = &r->steps[i];
        step_code       *mark = &r->marks[i];
        if (mark->sparse) {
            code_bind(&c->code, mark->present);
            put_straight(r, i, 1, mark->size);
            target_jump(c, mark->done);
        }
        code_mark(&c->code, JIT_PART_SLOW, step->number);
        if (mark->begins) {
            code_bind(&c->code, mark->more);
            target_encode_more(c, JIT_ENCODE_MORE, mark->bytes);
            target_jump(c, mark->again);
        }
        bool pointer =
            step->code >= PLAN_CODE(0, PLAN_BY_POINTER) && step->code < PLAN_CODE(0, PLAN_BY_HAS);
        if (step->op == PLAN_RECORD) {
            if ((step->flags & PLAN_INDIRECT) && !pointer) {
                code_bind(&c->code, mark->null); /* there is room for one byte */
                target_encode_stop(c, 0);
                target_advance(c, 1);
                target_jump(c, mark->done);
            } else if (step->flags & PLAN_INDIRECT) {
                code_bind(&c->code, mark->null); /* looked at before */
                target_jump(c, c->fail);
            }
        } else if (pointer) {
            code_bind(&c->code, mark->null);
            target_null_length(c, step->offset, mark->done);
        } else if (mark->is_text) {
            code_bind(&c->code, mark->null);
            target_encode_text_null(c, mark->at, mark->done);
        } else if (step->op >= PLAN_VECTOR && step->op <= PLAN_MAP) {
            jit_label none = code_label(&c->code);
            code_bind(&c->code, mark->null);
            target_null_length(c, step->offset, none);
            code_bind(&c->code, none);
            target_encode_count(c, mark->at, 0);
            target_advance(c, (int32_t)mark->at + 4);
            target_jump(c, mark->done);
        }
        if (mark->has_slow) {
            code_bind(&c->code, mark->slow);
            target_advance(c, (int32_t)mark->slow_at);
            target_call(c, JIT_ENCODE_SPAN, step);
            target_jump(c, mark->done);
        }
        if (mark->is_text) {
            code_bind(&c->code, mark->text_more);
            /* the whole run once more: its first bytes are written again */
            uint32_t first = i;
            while (!r->marks[first].begins)
                first--;
            target_encode_text_more(c, mark->at, JIT_ENCODE_MORE, r->marks[first].again);
        }
    }
}

static void put_routine(jit_compiler *c, const plan_routine *routine, jit_label entry)
{
    routine_code r = { .c = c, .steps = c->plan->steps + routine->first, .count = routine->count };
    size_t       memory = r.count * sizeof *r.marks;
    uint32_t     depth  = 0;
    r.marks             = code_scratch(&c->code, memory);
    if (r.marks == NULL)
        return;
    for (uint32_t i = 0; i < r.count; i++) {
        r.marks[i]      = (step_code){ .again     = code_label(&c->code),
                                       .more      = code_label(&c->code),
                                       .null      = code_label(&c->code),
                                       .done      = code_label(&c->code),
                                       .text_more = code_label(&c->code),
                                       .slow      = code_label(&c->code),
                                       .present   = code_label(&c->code) };
        uint32_t needed = needed_depth(c->plan, &r.steps[i]);
        depth           = needed > depth ? needed : depth;
    }
    r.again = code_label(&c->code);
    code_bind(&c->code, entry);
    code_mark(&c->code, JIT_PART_ROUTINE, (uint32_t)(routine - c->plan->routines));
    target_begin(c, depth);
    code_bind(&c->code, r.again);
    mark_sparse(&r);
    put_steps(&r);
    put_cold(&r);
    code_scratch_free(&c->code, r.marks, memory);
}

void jit_put_encoder(jit_compiler *c)
{
    target_enter(c, 0);
    code_mark(&c->code, JIT_PART_COPY, 0);
    target_encode_copy(c);
    for (uint32_t i = 0; i < c->plan->routine_count; i++)
        put_routine(c, &c->plan->routines[i], c->routines[i]);
}
