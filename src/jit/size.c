/* jit/size.c - how many bytes a record takes, without a word about the CPU.
 *
 * p is the sum. What is wrong either fails at once or makes a length that is too large: those
 * gather in one word, which is looked at when the outermost routine returns. */
#include "jit/encode.h"

typedef struct size_code {
    const plan_size *size;
    jit_label        null, done;
    jit_label        present; /* sparse: what is there is added here, beside the straight code */
    bool             sparse;
    bool             used;   /* `null` is where a length must be 0 */
    bool             stands; /* `null` is where an empty struct is written */
} size_code;

static void put_span(jit_compiler *c, size_code *mark)
{
    const plan_size *z = mark->size;
    mark->used         = true;
    target_absent_pointer(c, z->offset, mark->null);
    target_size_length(c, z->offset, z->op == PLAN_SIZE_TEXT ? 1 : z->each);
    target_advance(c, (int32_t)z->fixed); /* 0 where it is in the constant part */
}

/* A struct: its constant part, and its routine. */
static void put_record(jit_compiler *c, size_code *mark)
{
    const plan_size    *z       = mark->size;
    const plan_routine *body    = &c->plan->routines[z->body];
    jit_label           routine = c->routines[z->body];
    if (z->flags & PLAN_INDIRECT) {
        bool optional = z->place >= PLAN_BY_POINTER;
        mark->stands  = !optional;
        target_record_behind(c, z->offset, z->depth, routine, optional ? mark->done : mark->null);
    } else if (body->size_count) {
        target_record(c, z->offset, z->depth, routine);
    }
    target_advance(c, (int32_t)(z->fixed + body->size_fixed));
}

/* What a part adds when its field is there, or is always there. */
static void put_part(jit_compiler *c, size_code *mark)
{
    const plan_size *z = mark->size;
    switch (z->op) {
    case PLAN_SIZE_FIXED:
        if (!mark->sparse && z->place == PLAN_BY_HAS)
            target_absent_has(c, z->has, mark->done);
        target_advance(c, (int32_t)z->fixed);
        break;
    case PLAN_SIZE_TEXT:
    case PLAN_SIZE_SPAN: put_span(c, mark); break;
    case PLAN_SIZE_LIST:
        mark->used = true;
        target_size_items(c, z, mark->null, mark->done);
        break;
    case PLAN_SIZE_RECORD: put_record(c, mark); break;
    case PLAN_SIZE_UNION:
    case PLAN_SIZE_KEEP: target_call(c, JIT_SIZE_PART, z); break;
    default: break;
    }
}

static void put_straight(jit_compiler *c, size_code *mark)
{
    const plan_size *z = mark->size;
    code_mark(&c->code, JIT_PART_STEP, z->step);
    if (!mark->sparse)
        put_part(c, mark);
    else if (z->place == PLAN_BY_HAS)
        target_present_has(c, z->has, mark->present);
    else
        target_present_pointer(c, z->offset, z->op != PLAN_SIZE_RECORD, mark->present);
    code_bind(&c->code, mark->done);
}

static void put_beside(jit_compiler *c, size_code *mark)
{
    code_mark(&c->code, JIT_PART_SLOW, mark->size->step);
    if (mark->sparse) {
        code_bind(&c->code, mark->present);
        put_part(c, mark);
        target_jump(c, mark->done);
    }
    if (mark->used || mark->stands)
        code_bind(&c->code, mark->null);
    if (mark->used)
        target_null_length(c, mark->size->offset, mark->done);
    if (mark->stands) {
        target_advance(c, (int32_t)mark->size->fixed + 1);
        target_jump(c, mark->done);
    }
}

/* ---- routines ------------------------------------------------------------------------------- */

/* The parts of a routine, those of its runs one by one; `marks` NULL: only counted. */
static uint32_t list_parts(jit_compiler *c, const plan_routine *routine, size_code *marks)
{
    const plan_size *sizes = c->plan->sizes;
    uint32_t         count = 0;
    for (uint32_t i = 0; i < routine->size_count; i++) {
        const plan_size *z     = &sizes[routine->size_first + i];
        const plan_run  *run   = z->op == PLAN_SIZE_RUN ? &c->plan->runs[z->body] : NULL;
        uint32_t         parts = run ? run->count : 1;
        for (uint32_t k = 0; k < parts; k++, count++)
            if (marks)
                marks[count] = (size_code){ .size    = run ? &sizes[run->sizes + k] : z,
                                            .null    = code_label(&c->code),
                                            .done    = code_label(&c->code),
                                            .present = code_label(&c->code),
                                            .sparse  = run != NULL };
    }
    return count;
}

static void put_routine(jit_compiler *c, const plan_routine *routine, jit_label entry)
{
    uint32_t   count = list_parts(c, routine, NULL), depth = 0;
    size_t     memory = (count + 1) * sizeof(size_code);
    size_code *marks  = code_scratch(&c->code, memory);
    jit_label  again  = code_label(&c->code);
    if (marks == NULL)
        return;
    list_parts(c, routine, marks);
    for (uint32_t i = 0; i < count; i++) {
        const plan_size *z      = marks[i].size;
        uint32_t         needed = z->depth;
        if (z->op == PLAN_SIZE_LIST)
            needed += c->plan->routines[z->body].depth;
        depth = needed > depth ? needed : depth;
    }
    code_bind(&c->code, entry);
    code_mark(&c->code, JIT_PART_ROUTINE, (uint32_t)(routine - c->plan->routines));
    target_begin(c, depth);
    code_bind(&c->code, again);
    for (uint32_t i = 0; i < count; i++)
        put_straight(c, &marks[i]);
    target_end(c, routine->stride, again);
    for (uint32_t i = 0; i < count; i++)
        put_beside(c, &marks[i]);
    code_scratch_free(&c->code, marks, memory);
}

void jit_put_measurer(jit_compiler *c)
{
    target_enter(c, UINT64_MAX);
    for (uint32_t i = 0; i < c->plan->routine_count; i++)
        put_routine(c, &c->plan->routines[i], c->routines[i]);
}
