/* plan/dump.c - a plan as text, one line a step. */
#include <stdarg.h>
#include <stdio.h>

#include "plan/plan.h"
#include "wire/fault.h"

static const char *const op_names[PLAN_OPS] = {
    [PLAN_BOOL] = "bool",   [PLAN_I8] = "i8",     [PLAN_I16] = "i16",       [PLAN_I32] = "i32",
    [PLAN_I64] = "i64",     [PLAN_TEXT] = "text", [PLAN_VECTOR] = "vector", [PLAN_BOOLS] = "bools",
    [PLAN_LIST] = "list",   [PLAN_MAP] = "map",   [PLAN_RECORD] = "record", [PLAN_ENTER] = "enter",
    [PLAN_UNION] = "union", [PLAN_KEEP] = "keep", [PLAN_STOP] = "stop",     [PLAN_END] = "end",
};

typedef struct dump {
    const struct plan *plan;
    frugal_buf        *text;
    frugal_status      status; /* sticky */
} dump;

__attribute__((format(printf, 2, 3))) static void put(dump *d, const char *format, ...)
{
    char    line[256];
    va_list arguments;
    va_start(arguments, format);
    int len = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    size_t size = len < 0 ? 0 : (size_t)len < sizeof line ? (size_t)len : sizeof line - 1;
    if (d->status == FRUGAL_OK)
        d->status = frugal_buf_append(d->text, line, size);
}

/* "struct user", "element string", "entry string: i64". */
static void put_title(dump *d, uint32_t index)
{
    const plan_routine *r = &d->plan->routines[index];
    put(d, "routine %u: ", index);
    const frugal_field *arm = d->plan->origins[r->first].field;
    if (r->type)
        put(d, "%s %s", r->type->is_union ? "union" : "struct", r->type->name);
    else if (arm)
        put(d, "arm %s", arm->name);
    else
        put(d, r->value_offset ? "entry" : "element");
    put(d, ", %u bytes in C, at least %u on the wire%s\n", r->stride, r->wire_min,
        r->initial ? ", starts from defaults" : "");
}

static unsigned nesting_of(const struct plan *plan, const plan_step *step)
{
    unsigned nesting = 0;
    uint32_t scope   = step->scope;
    while (scope != PLAN_NONE && plan->scopes[scope].parent_step != PLAN_NONE) {
        nesting++;
        scope = plan->steps[plan->scopes[scope].parent_step].scope;
    }
    return nesting;
}

static void put_header(dump *d, const plan_step *step)
{
    static const char *const places[PLAN_PLACES] = { "", "", " if not NULL", " if .has" };
    if (d->plan->origins[step->number].field == NULL || step->wire == 0)
        return;
    uint8_t head[4];
    memcpy(head, &step->head, sizeof head);
    put(d, " head %02x%02x%02x", head[0], head[1], head[2]);
    if (plan_head_size(step) == 4)
        put(d, "%02x", head[3]);
    put(d, "%s", places[step->code / PLAN_OPS]);
}

static void put_step(dump *d, const plan_step *step)
{
    const plan_origin *from = &d->plan->origins[step->number];
    put(d, "  %4u %*s%s", step->number, (int)(2 * nesting_of(d->plan, step)), "",
        op_names[step->op]);
    if (from->field && step->wire)
        put(d, " %d:%s", from->field->id, from->field->name);
    if (from->type) {
        char text[96];
        schema_type_text(from->type, text, sizeof text);
        put(d, " %s @%u", text, step->offset);
    }
    put_header(d, step);
    if (step->code / PLAN_OPS == PLAN_BY_HAS)
        put(d, " @%u", step->has);
    if (step->depth)
        put(d, " depth %u", step->depth);
    if (step->flags & PLAN_REQUIRED)
        put(d, " required");
    if (step->flags & PLAN_INDIRECT)
        put(d, " pointer");
    if (step->flags & PLAN_INIT)
        put(d, " init");
    if (step->flags & PLAN_NO_COPY)
        put(d, " no_copy");
    if (step->body != PLAN_NONE)
        put(d, " -> routine %u", step->body);
    if (step->run)
        put(d, " run of %u", d->plan->runs[step->run - 1].count);
    put(d, "\n");
}

static void put_arms(dump *d, const plan_step *step)
{
    const plan_scope *scope = &d->plan->scopes[step->scope];
    for (uint32_t i = 0; i < scope->count; i++)
        put(d, "         arm %d -> routine %u\n", scope->ids[i], scope->arms[i]);
}

frugal_status plan_dump(const struct plan *plan, frugal_buf *text)
{
    dump   d      = { plan, text, FRUGAL_OK };
    size_t before = text->size;
    for (uint32_t i = 0; i < plan->routine_count; i++) {
        const plan_routine *r = &plan->routines[i];
        put_title(&d, i);
        for (uint32_t k = r->first; k < r->first + r->count; k++) {
            put_step(&d, &plan->steps[k]);
            if (plan->steps[k].op == PLAN_UNION)
                put_arms(&d, &plan->steps[k]);
        }
        put(&d, "  size %u constant, %u variable parts\n", r->size_fixed, r->size_count);
    }
    if (d.status != FRUGAL_OK)
        text->size = before;
    return d.status;
}
