/* schema/path.c - finding one value by a path of names, indexes and keys.
 *
 * A path is a name and then steps: .name, [index] or {key}. There is no recursion: a cursor stands
 * on one value and each step moves it. What stops the cursor is told with the path up to there. */
#include <stdio.h>

#include "core/allocator.h"
#include "core/status.h"
#include "schema/text.h"
#include "schema/walk.h"

typedef struct cursor {
    const char        *path;
    const char        *step; /* where the step that is being read begins */
    const char        *at;   /* behind what was read */
    const frugal_type *type; /* of the value, which is at ptr */
    const uint8_t     *ptr;  /* of an indirect struct: the struct itself */
    frugal_error      *error;
} cursor;

static frugal_status step(cursor *c);
static frugal_status step_name(cursor *c);

frugal_status frugal_get(frugal_view value, const char *path, frugal_value *found,
                         frugal_error *error)
{
    if (!value.type || !value.ptr || !path || !found)
        return error_set(error, FRUGAL_INVALID, "the record, its table, the path or found is NULL");
    frugal_status status = walk_ready(value.type, &allocator_malloc, error);
    if (status)
        return status;

    frugal_type root = { .kind = FRUGAL_KIND_STRUCT, .size = value.type->size };
    root.record      = value.type;
    cursor c         = { path, path, path, &root, value.ptr, error };
    status           = step_name(&c);
    while (status == FRUGAL_OK && *c.at)
        status = step(&c);
    if (status == FRUGAL_OK)
        *found = (frugal_value){ c.type, c.ptr };
    return status;
}

/* ---- failures ------------------------------------------------------------------------------- */

#define STOP_PATH_MAX                                                          \
    (sizeof((path_builder *)0)->text - 4) /* leaves room for the mark of a cut \
                                           */

/* Fails with `message` where the cursor is. A path that is too long loses its front. */
static frugal_status stop(const cursor *c, frugal_status status, const char *message)
{
    path_builder path;
    size_t       len = (size_t)(c->at - c->path), cut = 0;
    if (len > STOP_PATH_MAX) {
        cut = len - STOP_PATH_MAX;
        while (cut < len && (c->path[cut] & 0xC0) == 0x80)
            cut++;
    }
    path_init(&path);
    path_prepend(&path, c->path + cut, len - cut);
    if (cut)
        path_prepend(&path, c->path, sizeof path.text);
    error_set(c->error, status, "%s", message);
    path_finish(&path, c->error);
    if (c->error)
        c->error->offset = (size_t)(c->step - c->path);
    return status;
}

/* "i64 has no fields" */
static frugal_status stop_at_kind(const cursor *c, const char *lacks)
{
    char type[64], message[128];
    schema_type_text(c->type, type, sizeof type);
    snprintf(message, sizeof message, "%s has no %s", type, lacks);
    return stop(c, FRUGAL_NOTFOUND, message);
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* The cursor goes to the value in a place. */
static frugal_status enter(cursor *c, const frugal_type *type, const uint8_t *place)
{
    c->type = type;
    c->ptr  = type->kind == FRUGAL_KIND_STRUCT ? walk_record(type, place) : place;
    if (c->ptr == NULL)
        return stop(c, FRUGAL_NOTFOUND, "the pointer to the struct is NULL");
    if (walk_is_span(type) && walk_span_is_broken(walk_span(place)))
        return stop(c, FRUGAL_INVALID, "ptr is NULL and len is not 0");
    return FRUGAL_OK;
}

/* Reads up to `close`, and over it. */
static bool read_up_to(cursor *c, char close, frugal_str *text)
{
    const char *start = c->at;
    const char *end   = strchr(start, close);
    if (end == NULL)
        return false;
    *text = (frugal_str){ start, (size_t)(end - start) };
    c->at = end + 1;
    return true;
}

static frugal_status step_name(cursor *c)
{
    frugal_str name = { c->at, strcspn(c->at, ".[{") };
    if (name.len == 0)
        return stop(c, FRUGAL_INVALID, "the path needs the name of a field here");
    c->at += name.len;
    if (c->type->kind != FRUGAL_KIND_STRUCT)
        return stop_at_kind(c, "fields");
    const frugal_struct *type  = c->type->record;
    const frugal_field  *field = frugal_field_by_name(type, name);
    if (field == NULL)
        return stop(c, FRUGAL_NOTFOUND, "the struct has no field of this name");
    if (type->is_union) {
        if (walk_arm(type, c->ptr) != field)
            return stop(c, FRUGAL_NOTFOUND, "the union holds another arm, or none");
    } else if (!walk_present(field, c->ptr)) {
        if (field->initial == NULL)
            return stop(c, FRUGAL_NOTFOUND, "the optional field is absent");
        return enter(c, &field->type, field->initial);
    }
    return enter(c, &field->type, c->ptr + field->offset);
}

typedef enum number_read { NUMBER_OK, NUMBER_MALFORMED, NUMBER_TOO_LARGE } number_read;

static number_read read_number(frugal_str text, int64_t *number)
{
    bool   negative = text.len && text.ptr[0] == '-';
    size_t i        = negative;
    bool   fits     = true;
    *number         = 0;
    if (i == text.len)
        return NUMBER_MALFORMED;
    for (; i < text.len; i++) {
        int digit = text.ptr[i] - '0';
        if (digit < 0 || digit > 9)
            return NUMBER_MALFORMED;
        /* Counted below zero, where there is one number more. */
        fits = fits && !__builtin_mul_overflow(*number, 10, number)
               && !__builtin_sub_overflow(*number, digit, number);
    }
    if (!negative)
        fits = fits && !__builtin_sub_overflow(0, *number, number);
    return fits ? NUMBER_OK : NUMBER_TOO_LARGE;
}

static frugal_status enter_element(cursor *c, schema_span span, int64_t index)
{
    if ((uint64_t)index >= span.len)
        return stop(c, FRUGAL_NOTFOUND, "the index is not below the count of elements");
    return enter(c, c->type->elem, span.ptr + (size_t)index * c->type->stride);
}

static frugal_status step_index(cursor *c)
{
    frugal_str text;
    int64_t    index;
    if (!read_up_to(c, ']', &text))
        return stop(c, FRUGAL_INVALID, "the path lacks a ] behind this");
    number_read read = read_number(text, &index);
    if (read == NUMBER_MALFORMED || text.ptr[0] == '-')
        return stop(c, FRUGAL_INVALID, "an index is digits");
    if (c->type->kind != FRUGAL_KIND_LIST && c->type->kind != FRUGAL_KIND_SET)
        return stop_at_kind(c, "elements");
    return enter_element(c, walk_span(c->ptr), read == NUMBER_OK ? index : INT64_MAX);
}

/* ---- keys ----------------------------------------------------------------------------------- */

/* How to recognise an entry. */
typedef struct wanted {
    enum { BY_INDEX, BY_NUMBER, BY_TEXT, BY_NUMBER_TEXT } by;
    int64_t    number;
    frugal_str text;
} wanted;

static bool same_text(frugal_str a, const void *b, size_t len)
{
    return a.len == len && (len == 0 || memcmp(a.ptr, b, len) == 0);
}

static bool is_wanted(const wanted *want, const frugal_type *key, const uint8_t *place,
                      size_t index)
{
    char        buffer[TEXT_SCALAR_MAX];
    frugal_str  text;
    schema_span span;
    switch (want->by) {
    case BY_INDEX: return (uint64_t)want->number == index;
    case BY_NUMBER: return walk_number(key, place) == want->number;
    case BY_TEXT:
        span = walk_span(place);
        return !walk_span_is_broken(span) && same_text(want->text, span.ptr, span.len);
    case BY_NUMBER_TEXT:
        text = text_scalar(key, place, buffer);
        return same_text(want->text, text.ptr, text.len);
    }
    return false;
}

static number_read read_bool(frugal_str text, int64_t *number)
{
    *number = same_text(text, "true", 4);
    return *number || same_text(text, "false", 5) ? NUMBER_OK : NUMBER_MALFORMED;
}

/* A word that is no name of the enum is well formed, and found nowhere: as a number too large. */
static number_read read_enum(const frugal_enum *names, frugal_str text, int64_t *number)
{
    int32_t     value;
    number_read read = read_number(text, number);
    if (read != NUMBER_MALFORMED || text.len == 0)
        return read;
    if (names == NULL || !frugal_enum_value(names, text, &value))
        return NUMBER_TOO_LARGE;
    *number = value;
    return NUMBER_OK;
}

static number_read read_key(const frugal_type *key, frugal_str text, wanted *want)
{
    *want = (wanted){ .by = BY_NUMBER, .text = text };
    switch (key->kind) {
    case FRUGAL_KIND_BOOL: return read_bool(text, &want->number);
    case FRUGAL_KIND_ENUM: return read_enum(key->names, text, &want->number);
    case FRUGAL_KIND_STRING:
    case FRUGAL_KIND_BINARY: want->by = BY_TEXT; return NUMBER_OK;
    case FRUGAL_KIND_DOUBLE:
        want->by = BY_NUMBER_TEXT;
        return text.len ? NUMBER_OK : NUMBER_MALFORMED;
    case FRUGAL_KIND_STRUCT:
    case FRUGAL_KIND_LIST:
    case FRUGAL_KIND_SET:
    case FRUGAL_KIND_MAP: want->by = BY_INDEX; break;
    default: break;
    }
    return read_number(text, &want->number);
}

/* From the end, so that the last of equal keys is found. */
static frugal_status enter_entry(cursor *c, schema_span span, const wanted *want)
{
    for (size_t i = span.len; i-- > 0;) {
        const uint8_t *entry = span.ptr + i * c->type->stride;
        if (is_wanted(want, c->type->key, entry, i))
            return enter(c, c->type->elem, entry + schema_value_offset(c->type));
    }
    return stop(c, FRUGAL_NOTFOUND, "the map has no entry of this key");
}

static frugal_status step_key(cursor *c)
{
    frugal_str text;
    wanted     want;
    if (!read_up_to(c, '}', &text))
        return stop(c, FRUGAL_INVALID, "the path lacks a } behind this");
    if (c->type->kind != FRUGAL_KIND_MAP)
        return stop_at_kind(c, "keys");
    number_read read = read_key(c->type->key, text, &want);
    if (read == NUMBER_MALFORMED)
        return stop(c, FRUGAL_INVALID, "this cannot be a key of the map");
    schema_span span = walk_span(c->ptr);
    if (read == NUMBER_TOO_LARGE)
        span.len = 0;
    return enter_entry(c, span, &want);
}

static frugal_status step(cursor *c)
{
    c->step = c->at++;
    switch (*c->step) {
    case '.': return step_name(c);
    case '[': return step_index(c);
    case '{': return step_key(c);
    default: return stop(c, FRUGAL_INVALID, "a step of a path begins with a dot, [ or {");
    }
}
