/* cli/why.c - why the bytes of a struct are not what encode makes of its JSON.
 *
 * A walk over bytes that were decoded before, with the table beside them, which ends at the first
 * thing that JSON cannot say or encode writes in another way. It decides nothing (decode has
 * compared); when it finds no reason it says that. What does not read as it should ends the walk:
 * bytes are never trusted because somebody has read them already. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/convert.h"
#include "core/status.h"

#define DEPTH_MAX FRUGAL_DEPTH_MAX

typedef struct walk {
    const convert *c;
    const uint8_t *start, *end, *at;
    size_t         offset; /* of start in the input */
    uint32_t       depth;
    bool           found;
    bool           lost; /* the bytes do not read as they should */
    char          *why;
    char           path[96]; /* of the innermost struct, cut at its end */
} walk;

static void walk_struct(walk *w, const frugal_struct *type);

/* ---- telling -------------------------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static void tell(walk *w, const uint8_t *at,
                                                       const char *format, ...)
{
    if (w->found)
        return;
    w->found = true;
    int len =
        snprintf(w->why, CONVERT_WHY_MAX, "byte %zu: %s%s%s", w->offset + (size_t)(at - w->start),
                 w->path[0] ? "at " : "", w->path, w->path[0] ? ": " : "");
    va_list list;
    va_start(list, format);
    if (len > 0 && len < CONVERT_WHY_MAX)
        vsnprintf(w->why + len, (size_t)(CONVERT_WHY_MAX - len), format, list);
    va_end(list);
}

static bool is_over(const walk *w)
{
    return w->found || w->lost;
}

static bool has(walk *w, size_t size)
{
    if (!is_over(w) && (size_t)(w->end - w->at) < size)
        w->lost = true;
    return !is_over(w);
}

/* ---- values --------------------------------------------------------------------------------- */

static uint8_t wire_type(const frugal_type *type)
{
    static const uint8_t types[] = {
        [FRUGAL_KIND_BOOL] = FRUGAL_WIRE_BOOL,     [FRUGAL_KIND_I8] = FRUGAL_WIRE_I8,
        [FRUGAL_KIND_I16] = FRUGAL_WIRE_I16,       [FRUGAL_KIND_I32] = FRUGAL_WIRE_I32,
        [FRUGAL_KIND_I64] = FRUGAL_WIRE_I64,       [FRUGAL_KIND_DOUBLE] = FRUGAL_WIRE_DOUBLE,
        [FRUGAL_KIND_STRING] = FRUGAL_WIRE_STRING, [FRUGAL_KIND_BINARY] = FRUGAL_WIRE_STRING,
        [FRUGAL_KIND_ENUM] = FRUGAL_WIRE_I32,      [FRUGAL_KIND_STRUCT] = FRUGAL_WIRE_STRUCT,
        [FRUGAL_KIND_LIST] = FRUGAL_WIRE_LIST,     [FRUGAL_KIND_SET] = FRUGAL_WIRE_SET,
        [FRUGAL_KIND_MAP] = FRUGAL_WIRE_MAP,
    };
    return types[type->kind];
}

static void skip(walk *w, uint8_t type)
{
    size_t used;
    if (is_over(w))
        return;
    frugal_decode_options options = { .depth_max = DEPTH_MAX };
    if (frugal_skip((frugal_bytes){ w->at, (size_t)(w->end - w->at) }, (frugal_wire_type)type,
                    &options, &used, NULL))
        w->lost = true;
    else
        w->at += used;
}

static void walk_bool(walk *w)
{
    if (!has(w, 1))
        return;
    if (*w->at > 1)
        tell(w, w->at, "the bool is the byte %u", *w->at);
    w->at++;
}

/* JSON has one NaN, and reading it gives the quiet one without a sign. */
static void walk_double(walk *w)
{
    if (!has(w, 8))
        return;
    uint64_t bits = load_be64(w->at);
    if ((bits & 0x7FFFFFFFFFFFFFFF) > 0x7FF0000000000000 && bits != 0x7FF8000000000000)
        tell(w, w->at, "the NaN has bits of its own, 0x%016llx", (unsigned long long)bits);
    w->at += 8;
}

static void walk_value(walk *w, const frugal_type *type);

/* An empty container says what it would hold; ours is always what the IDL says. */
static bool same_types(walk *w, const uint8_t *at, uint8_t got, const frugal_type *want,
                       size_t count, const char *what)
{
    if (got == wire_type(want))
        return true;
    if (count == 0)
        tell(w, at, "the empty %s is of type %u, and of %u in the IDL", what, got, wire_type(want));
    else
        w->lost = true;
    return false;
}

static void walk_list(walk *w, const frugal_type *type)
{
    if (!has(w, 5))
        return;
    const uint8_t *at    = w->at;
    size_t         count = load_be32(at + 1);
    w->at += 5;
    if (!same_types(w, at, at[0], type->elem, count, "list"))
        return;
    for (size_t i = 0; i < count && !is_over(w); i++)
        walk_value(w, type->elem);
}

static void walk_map(walk *w, const frugal_type *type)
{
    if (!has(w, 6))
        return;
    const uint8_t *at    = w->at;
    size_t         count = load_be32(at + 2);
    w->at += 6;
    if (!same_types(w, at, at[0], type->key, count, "map's key")
        || !same_types(w, at + 1, at[1], type->elem, count, "map's value"))
        return;
    for (size_t i = 0; i < count && !is_over(w); i++) {
        walk_value(w, type->key);
        walk_value(w, type->elem);
    }
}

static void walk_value(walk *w, const frugal_type *type)
{
    if (w->depth == DEPTH_MAX)
        w->lost = true;
    if (is_over(w))
        return;
    w->depth++;
    switch (type->kind) {
    case FRUGAL_KIND_BOOL: walk_bool(w); break;
    case FRUGAL_KIND_DOUBLE: walk_double(w); break;
    case FRUGAL_KIND_STRUCT: walk_struct(w, type->record); break;
    case FRUGAL_KIND_LIST:
    case FRUGAL_KIND_SET: walk_list(w, type); break;
    case FRUGAL_KIND_MAP: walk_map(w, type); break;
    default: skip(w, wire_type(type));
    }
    w->depth--;
}

/* ---- structs -------------------------------------------------------------------------------- */

/* What has been seen of a struct's fields. */
typedef struct seen {
    const frugal_struct *type;
    bool                *fields; /* by their index in the table */
    int                  last;   /* id of the last known field */
    uint32_t             known;
    const uint8_t       *unknown; /* where one was that is kept */
    int                  unknown_id;
} seen;

static void walk_unknown(walk *w, seen *s, int id, uint8_t type, bool mistyped)
{
    const uint8_t *at   = w->at - 3;
    bool           keep = false;
    for (uint32_t i = 0; i < s->type->field_count; i++)
        keep |= s->type->fields[i].need == FRUGAL_NEED_UNKNOWN;
    if (s->type->is_union)
        keep = false;
    if (mistyped && !keep)
        tell(w, at,
             "field %d has wire type %u, not that of the IDL, and was skipped; "
             "--keep-unknown keeps it",
             id, type);
    else if (!keep)
        tell(w, at, "the IDL has no field %d in %s%s", id, s->type->name,
             s->type->is_union ? ", a union" : "; --keep-unknown keeps it");
    if (s->unknown == NULL) {
        s->unknown    = at;
        s->unknown_id = id;
    }
    skip(w, type);
}

static void walk_known(walk *w, seen *s, const frugal_field *field)
{
    const uint8_t *at    = w->at - 3;
    size_t         index = (size_t)(field - s->type->fields);
    if (s->fields[index])
        tell(w, at, "field %d (%s) is there twice", field->id, field->name);
    else if (s->type->is_union && s->known)
        tell(w, at, "the union has a second arm, field %d (%s)", field->id, field->name);
    else if (s->known && field->id < s->last)
        tell(w, at, "field %d (%s) stands behind field %d", field->id, field->name, s->last);
    else if (s->unknown)
        tell(w, s->unknown, "the unknown field %d stands before field %d (%s)", s->unknown_id,
             field->id, field->name);
    s->fields[index] = true;
    s->last          = field->id;
    s->known++;

    size_t len = strlen(w->path);
    snprintf(w->path + len, sizeof w->path - len, "%s%s", len ? "." : "", field->name);
    walk_value(w, &field->type);
    w->path[len] = 0;
}

static void walk_field(walk *w, seen *s)
{
    if (!has(w, 3))
        return;
    uint8_t             type  = w->at[0];
    int                 id    = (int16_t)load_be16(w->at + 1);
    const frugal_field *field = frugal_field_by_id(s->type, id);
    w->at += 3;
    if (field == NULL || wire_type(&field->type) != type)
        walk_unknown(w, s, id, type, field != NULL);
    else
        walk_known(w, s, field);
}

/* --defaults has shown what is not in the bytes. */
static void check_shown(walk *w, const seen *s)
{
    for (uint32_t i = 0; i < s->type->field_count && w->c->write.defaults && !is_over(w); i++) {
        const frugal_field *field = &s->type->fields[i];
        if (!s->fields[i] && field->initial)
            tell(w, w->at, "field %d (%s) is absent, and --defaults shows it", field->id,
                 field->name);
    }
}

static void walk_struct(walk *w, const frugal_struct *type)
{
    seen s   = { .type = type };
    s.fields = calloc(type->field_count + 1, sizeof(bool));
    if (s.fields == NULL)
        w->lost = true;
    while (has(w, 1) && *w->at != FRUGAL_WIRE_STOP)
        walk_field(w, &s);
    check_shown(w, &s);
    if (!is_over(w))
        w->at++;
    free(s.fields);
}

/* ---- what encode said ----------------------------------------------------------------------- */

static bool is_short_of_memory(const frugal_error *refused)
{
    return refused->status == FRUGAL_BUDGET || refused->status == FRUGAL_NOMEM;
}

/* `what` is what encode was to make. */
static void tell_refusal(const frugal_error *refused, const char *what, char why[CONVERT_WHY_MAX])
{
    frugal_error error = *refused;
    convert_add_limit(&error);
    if (refused->status == FRUGAL_OK)
        snprintf(why, CONVERT_WHY_MAX, "encode writes other bytes for this %s", what);
    else
        snprintf(why, CONVERT_WHY_MAX, "encode refuses it: %s%s%s%s", error.path[0] ? "at " : "",
                 error.path, error.path[0] ? ": " : "", error.message);
}

/* ---- doors ---------------------------------------------------------------------------------- */

void convert_struct_why(const convert *c, const frugal_struct *type, frugal_bytes bytes,
                        size_t offset, const frugal_error *refused, char why[CONVERT_WHY_MAX])
{
    tell_refusal(refused, type->name, why);
    if (is_short_of_memory(refused))
        return;
    walk w = { .c      = c,
               .start  = bytes.ptr,
               .at     = bytes.ptr,
               .end    = bytes.ptr + bytes.len,
               .offset = offset,
               .why    = why };
    walk_struct(&w, type);
}

void convert_message_why(const convert *c, const frame_message *frame, const frugal_error *refused,
                         char why[CONVERT_WHY_MAX])
{
    frugal_message       message;
    const frugal_struct *type = NULL;
    size_t               head;
    tell_refusal(refused, "message", why);
    if (frame->framing == FRAME_MESH || frame->framing == FRAME_MESH_FRAMED)
        snprintf(why, CONVERT_WHY_MAX, "byte %zu: a mesh header is read, never written",
                 frame->offset);
    else if (frugal_message_read(frame->payload, NULL, &message, &head, NULL) == FRUGAL_OK
             && convert_body(c, &message, &frame->header, &type, NULL) == FRUGAL_OK && type)
        convert_struct_why(c, type,
                           (frugal_bytes){ frame->payload.ptr + head, frame->payload.len - head },
                           frame->payload_offset + head, refused, why);
}
