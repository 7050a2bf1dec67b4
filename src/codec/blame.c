/* codec/blame.c - the path of a fault: `user.home.zip`, `friends[3]`, `m{7}[1].t`.
 *
 * Nothing is kept while all goes well. On a failure each routine that returns puts what it knows in
 * front. */
#include <inttypes.h>
#include <stdio.h>

#include "codec/codec.h"

void codec_blame(path_builder *path, const struct plan *plan, const plan_step *step)
{
    for (;;) {
        const frugal_field *field = plan->origins[step->number].field;
        if (field)
            path_prepend_name(path, field->name);
        uint32_t enter =
            step->scope == PLAN_NONE ? PLAN_NONE : plan->scopes[step->scope].parent_step;
        if (enter == PLAN_NONE)
            return;
        step = &plan->steps[enter];
    }
}

/* A key as it may stand in a path; false when it is of a kind that may not. */
static bool key_text(const frugal_type *type, const uint8_t *key, char *text, size_t size, int *len)
{
    switch (type->kind) {
    case FRUGAL_KIND_BOOL:
        *len = snprintf(text, size, "{%s}", *key ? "true" : "false");
        return true;
    case FRUGAL_KIND_I8: *len = snprintf(text, size, "{%d}", (int8_t)*key); return true;
    case FRUGAL_KIND_I16: *len = snprintf(text, size, "{%d}", (int16_t)load_u16(key)); return true;
    case FRUGAL_KIND_I32:
    case FRUGAL_KIND_ENUM:
        *len = snprintf(text, size, "{%" PRId32 "}", (int32_t)load_u32(key));
        return true;
    case FRUGAL_KIND_I64:
        *len = snprintf(text, size, "{%" PRId64 "}", (int64_t)load_u64(key));
        return true;
    case FRUGAL_KIND_STRING: {
        const schema_span *span = (const schema_span *)(const void *)key;
        bool               all  = span->len <= 24;
        *len                    = snprintf(text, size, "{%.*s%s}", all ? (int)span->len : 24,
                        span->ptr ? (const char *)span->ptr : "", all ? "" : "\xe2\x80\xa6");
        return true;
    }
    default: return false;
    }
}

/* Keys come from strangers: what cannot be printed is shown as a dot. */
static void make_printable(char *text, int len)
{
    for (int i = 0; i < len; i++)
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
            text[i] = '.';
}

void codec_blame_element(path_builder *path, const struct plan *plan, const plan_step *step,
                         size_t index, const codec_place *place)
{
    char text[48];
    int  len = 0;
    if (step->op == PLAN_MAP && place && place->offset >= plan->routines[step->body].value_offset
        && key_text(plan->origins[step->number].type->key, place->record, text, sizeof text,
                    &len)) {
        make_printable(text, len);
        char next = path->text[path->start];
        if (next != '\0' && next != '[' && next != '{')
            path_prepend(path, ".", 1);
        path_prepend(path, text, (size_t)len);
    } else {
        path_prepend_index(path, index);
    }
    codec_blame(path, plan, step);
}
