/* json/write.c - a record as JSON text.
 *
 * Text is written through a bare pointer. Who writes asks once for the most that a piece can take
 * (ROOM) and then just writes; the buffer's size is set at the end. A failure is NULL, with status
 * and path in the writer. Where the buffer may have moved, places in it are offsets.
 *
 * The hard part is what an object cannot hold: a map with a repeated key, or with one that is not
 * UTF-8, is an array of pairs. That is found out before the first entry is written. To find it on
 * the way and begin again would take twice the time for each level of nesting. */

#include "core/allocator.h"
#include "core/number.h"
#include "core/status.h"
#include "core/utf8.h"
#include "schema/text.h"
#include "schema/walk.h"
#include "json/base64.h"
#include "json/escape.h"
#include "json/form.h"
#include "json/hex.h"
#include "json/json.h"
#include "json/repeats.h"
#include "json/scan.h"

typedef struct writer {
    frugal_buf               *out;
    char                     *end; /* of the room in the buffer */
    frugal_json_write_options options;
    uint32_t                  left;   /* levels that may still be entered */
    uint32_t                  indent; /* of the line, in steps of two */
    frugal_status             status;
    frugal_error             *error;
    path_builder              path; /* grows on the way back from a failure */
} writer;

static char *write_value(writer *w, const json_type *type, const uint8_t *place, char *o);

/* ---- room and failures ---------------------------------------------------------------------- */

/* What a scalar, a comma and a closing bracket take at most. */
#define ROOM_SCALAR 64

#define ROOM(o, size)                                            \
    do {                                                         \
        if (UNLIKELY((size_t)(w->end - (o)) < (size_t)(size))) { \
            (o) = make_room(w, (o), (size));                     \
            if (UNLIKELY((o) == NULL))                           \
                return NULL;                                     \
        }                                                        \
    } while (0)

static size_t offset_of(const writer *w, const char *o)
{
    return (size_t)(o - (char *)w->out->data);
}

static NEVER_INLINE char *fail(writer *w, frugal_status status, const char *o)
{
    w->status = status;
    if (w->error)
        w->error->offset = o ? offset_of(w, o) : 0;
    return NULL;
}

static NEVER_INLINE char *make_room(writer *w, char *o, size_t size)
{
    size_t        before = w->out->size;
    size_t        used   = offset_of(w, o);
    frugal_status status = size > SIZE_MAX / 16 ? FRUGAL_NOMEM : FRUGAL_OK;
    w->out->size         = used;
    if (status == FRUGAL_OK)
        status = frugal_buf_reserve(w->out, size);
    w->out->size = before;
    if (status)
        return fail(w, error_set(w->error, status, "%s", frugal_status_text(status)), o);
    w->end = (char *)w->out->data + w->out->capacity;
    return (char *)w->out->data + used;
}

static char *fail_span(writer *w, schema_span span, const char *o)
{
    return fail(w, error_set(w->error, FRUGAL_INVALID, WALK_NO_PTR, span.len), o);
}

static char *fail_depth(writer *w, const char *o)
{
    return fail(w,
                error_set(w->error, FRUGAL_DEPTH, JSON_TOO_DEEP,
                          (unsigned)json_depth_max(w->options.depth_max)),
                o);
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* A new line of a pretty text, behind a comma unless it is the first in its brackets. */
static NEVER_INLINE char *start_line(writer *w, char *o, bool comma)
{
    ROOM(o, 2 * (size_t)w->indent + ROOM_SCALAR);
    *o = ',';
    o += comma;
    *o++ = '\n';
    memset(o, ' ', 2 * (size_t)w->indent);
    return o + 2 * (size_t)w->indent;
}

/* Before an element: the comma, and the line of a pretty text. */
ALWAYS_INLINE char *start_item(writer *w, char *o, bool comma)
{
    if (UNLIKELY(w->options.pretty))
        return start_line(w, o, comma);
    ROOM(o, ROOM_SCALAR);
    *o = ',';
    return o + comma;
}

static char *open_bracket(writer *w, char *o, char bracket)
{
    if (UNLIKELY(w->left == 0))
        return fail_depth(w, o);
    w->left--;
    w->indent++;
    ROOM(o, ROOM_SCALAR);
    *o = bracket;
    return o + 1;
}

static char *close_bracket(writer *w, char *o, char bracket, bool empty)
{
    w->left++;
    w->indent--;
    if (UNLIKELY(w->options.pretty) && !empty) {
        o = start_line(w, o, false);
        if (o == NULL)
            return NULL;
    }
    ROOM(o, ROOM_SCALAR);
    *o = bracket;
    return o + 1;
}

/* ---- texts ---------------------------------------------------------------------------------- */

/* So many bytes of a text are escaped at once; the room for that is six times as much. */
#define PIECE 1024

static NEVER_INLINE char *write_hex(writer *w, const uint8_t *bytes, size_t len, char *o)
{
    if (len > SIZE_MAX / 32)
        return make_room(w, o, len);
    ROOM(o, json_hex_room(len));
    return json_hex_write(o, bytes, len, w->options.pretty);
}

static NEVER_INLINE char *write_long_string(writer *w, schema_span span, bool *high, char *o)
{
    ROOM(o, ROOM_SCALAR);
    *o++ = '"';
    for (size_t done = 0; done < span.len; done += PIECE) {
        size_t len = span.len - done < PIECE ? span.len - done : PIECE;
        ROOM(o, json_escape_room(len) + ROOM_SCALAR);
        o = json_escape_part(o, (const char *)span.ptr + done, len, high);
    }
    *o = '"';
    return o + 1;
}

ALWAYS_INLINE char *write_string(writer *w, const uint8_t *place, char *o)
{
    schema_span span  = walk_span(place);
    size_t      start = offset_of(w, o);
    bool        high  = false;
    if (UNLIKELY(walk_span_is_broken(span)))
        return fail_span(w, span, o);
    if (LIKELY(span.len <= PIECE)) {
        ROOM(o, json_escape_room(span.len) + ROOM_SCALAR);
        o = json_escape_write(o, (const char *)span.ptr, span.len, &high);
    } else {
        o = write_long_string(w, span, &high, o);
        if (UNLIKELY(o == NULL))
            return NULL;
    }
    if (UNLIKELY(high) && utf8_valid_prefix(span.ptr, span.len) < span.len)
        return write_hex(w, span.ptr, span.len, (char *)w->out->data + start);
    return o;
}

static NEVER_INLINE char *write_binary(writer *w, const uint8_t *place, char *o)
{
    schema_span span = walk_span(place);
    if (UNLIKELY(walk_span_is_broken(span)))
        return fail_span(w, span, o);
    if (w->options.binary_utf8)
        return write_string(w, place, o);
    if (span.len > SIZE_MAX / 4)
        return make_room(w, o, span.len);
    ROOM(o, json_base64_size(span.len) + ROOM_SCALAR);
    *o++ = '"';
    o    = json_base64_write(o, span.ptr, span.len);
    *o   = '"';
    return o + 1;
}

/* ---- numbers -------------------------------------------------------------------------------- */

ALWAYS_INLINE char *write_integer(int64_t value, char *o)
{
    return o + number_write_i64(o, value);
}

static NEVER_INLINE char *write_quoted(int64_t value, char *o)
{
    *o++ = '"';
    o    = write_integer(value, o);
    *o   = '"';
    return o + 1;
}

ALWAYS_INLINE char *write_i64(const writer *w, const uint8_t *place, char *o)
{
    int64_t value = (int64_t)load_u64(place);
    return UNLIKELY(w->options.i64_strings) ? write_quoted(value, o) : write_integer(value, o);
}

static char *write_double(const uint8_t *place, char *o)
{
    uint64_t bits = load_u64(place);
    double   value;
    if (UNLIKELY((bits >> 52 & 0x7ff) == 0x7ff)) {
        bool        nan  = bits << 12 != 0;
        const char *text = nan ? "\"NaN\"" : bits >> 63 ? "\"-Infinity\"" : "\"Infinity\"";
        size_t      len  = strlen(text);
        memcpy(o, text, len);
        return o + len;
    }
    memcpy(&value, &bits, sizeof value);
    return o + number_write_double(o, value);
}

static char *write_bool(const uint8_t *place, char *o)
{
    bool truth = *place != 0;
    memcpy(o, truth ? "true\0" : "false", 5);
    return o + 5 - truth;
}

static char *write_enum(writer *w, const json_names *names, int32_t value, char *o)
{
    const json_name *name = w->options.enum_numbers ? NULL : json_find_name(names, value);
    if (name == NULL)
        return write_integer(value, o);
    ROOM(o, name->text.len + ROOM_SCALAR);
    json_copy_ready(o, name->text.ptr, name->text.len);
    return o + name->text.len;
}

/* ---- maps ----------------------------------------------------------------------------------- */

/* A key that stands before a colon: a string in any case. */
static char *write_key(writer *w, const json_type *type, const uint8_t *place, char *o)
{
    ROOM(o, ROOM_SCALAR);
    if (type->kind == FRUGAL_KIND_STRING)
        return write_string(w, place, o);
    int64_t number = walk_number(type->type, place);
    if (type->kind == FRUGAL_KIND_ENUM && !w->options.enum_numbers
        && json_find_name(type->names, (int32_t)number))
        return write_enum(w, type->names, (int32_t)number, o);
    if (type->kind != FRUGAL_KIND_BOOL)
        return write_quoted(number, o);
    *o++ = '"';
    o    = write_bool(place, o);
    *o   = '"';
    return o + 1;
}

static char *write_member(writer *w, const json_type *type, const uint8_t *entry, char *o)
{
    o = write_key(w, type->key, entry, o);
    if (UNLIKELY(o == NULL))
        return NULL;
    ROOM(o, ROOM_SCALAR);
    *o++ = ':';
    *o   = ' ';
    o += w->options.pretty;
    return write_value(w, type->elem, entry + type->value_offset, o);
}

/* The pair's brackets are no level of their own. */
static char *write_pair(writer *w, const json_type *type, const uint8_t *entry, char *o)
{
    *o++ = '[';
    w->indent++;
    o = start_item(w, o, false);
    if (o)
        o = write_value(w, type->key, entry, o);
    if (o)
        o = start_item(w, o, true);
    if (o)
        o = write_value(w, type->elem, entry + type->value_offset, o);
    w->indent--;
    if (o && w->options.pretty)
        o = start_line(w, o, false);
    if (o == NULL)
        return NULL;
    ROOM(o, ROOM_SCALAR);
    *o = ']';
    return o + 1;
}

/* Repeated, not UTF-8, or of a kind that is no text: not the keys of an object. */
static frugal_status choose_form(writer *w, const json_type *type, schema_span span, bool *object)
{
    *object = false;
    if (!type->keys_are_text)
        return FRUGAL_OK;
    *object = true;
    return json_find_repeats(type, span, w->out->allocator, object);
}

static NEVER_INLINE char *write_map(writer *w, const json_type *type, const uint8_t *place, char *o)
{
    bool        object;
    schema_span span = walk_span(place);
    if (UNLIKELY(walk_span_is_broken(span)))
        return fail_span(w, span, o);
    frugal_status status = choose_form(w, type, span, &object);
    if (status)
        return fail(w, error_set(w->error, status, "no memory to look for repeated keys"), o);
    o = open_bracket(w, o, object ? '{' : '[');
    if (UNLIKELY(o == NULL))
        return NULL;
    for (size_t i = 0; i < span.len; i++) {
        const uint8_t *entry = span.ptr + i * type->stride;
        o                    = start_item(w, o, i > 0);
        if (o)
            o = object ? write_member(w, type, entry, o) : write_pair(w, type, entry, o);
        if (UNLIKELY(o == NULL)) {
            text_prepend_key(&w->path, type->type->key, entry, i);
            return NULL;
        }
    }
    return close_bracket(w, o, object ? '}' : ']', span.len == 0);
}

/* ---- lists ---------------------------------------------------------------------------------- */

/* Numbers in one line, without a call for each. */
static char *write_numbers(writer *w, const json_type *type, schema_span span, char *o)
{
    const uint8_t *place = span.ptr, *end = place + span.len * type->stride;
    for (; place < end; place += type->stride) {
        ROOM(o, ROOM_SCALAR);
        switch (type->elem->kind) {
        case FRUGAL_KIND_I8: o = write_integer(*(const int8_t *)place, o); break;
        case FRUGAL_KIND_I16: o = write_integer((int16_t)load_u16(place), o); break;
        case FRUGAL_KIND_I32: o = write_integer((int32_t)load_u32(place), o); break;
        case FRUGAL_KIND_I64: o = write_i64(w, place, o); break;
        default: o = write_double(place, o); break;
        }
        *o++ = ',';
    }
    return o - 1;
}

static char *write_elements(writer *w, const json_type *type, schema_span span, char *o)
{
    for (size_t i = 0; i < span.len; i++) {
        o = start_item(w, o, i > 0);
        if (LIKELY(o != NULL))
            o = write_value(w, type->elem, span.ptr + i * type->stride, o);
        if (UNLIKELY(o == NULL)) {
            path_prepend_index(&w->path, i);
            return NULL;
        }
    }
    return o;
}

static NEVER_INLINE char *write_list(writer *w, const json_type *type, const uint8_t *place,
                                     char *o)
{
    schema_span span = walk_span(place);
    if (UNLIKELY(walk_span_is_broken(span)))
        return fail_span(w, span, o);
    o = open_bracket(w, o, '[');
    if (UNLIKELY(o == NULL))
        return NULL;
    bool numbers = type->elem->kind >= FRUGAL_KIND_I8 && type->elem->kind <= FRUGAL_KIND_DOUBLE;
    if (span.len && numbers && !w->options.pretty)
        o = write_numbers(w, type, span, o);
    else
        o = write_elements(w, type, span, o);
    return o ? close_bracket(w, o, ']', span.len == 0) : NULL;
}

/* ---- structs -------------------------------------------------------------------------------- */

/* NULL with a length is not absent but wrong: whoever writes it finds the fault. */
ALWAYS_INLINE bool is_present(const json_field *member, const uint8_t *record)
{
    if (member->presence == SCHEMA_ALWAYS)
        return true;
    if (member->presence == SCHEMA_HAS_BYTE)
        return record[member->has] != 0;
    if (walk_pointer(record + member->offset))
        return true;
    return member->type.kind != FRUGAL_KIND_STRUCT && walk_span(record + member->offset).len;
}

/* `,"name":`, or what a pretty text has for it. */
ALWAYS_INLINE char *write_name(writer *w, const json_ready *key, bool first, char *o)
{
    ROOM(o, key->len + ROOM_SCALAR);
    if (UNLIKELY(w->options.pretty)) {
        o = start_line(w, o, !first);
        if (UNLIKELY(o == NULL))
            return NULL;
        ROOM(o, key->len + ROOM_SCALAR);
        first = true;
    }
    json_copy_ready(o, key->ptr + first, key->len - first);
    o += key->len - first;
    *o = ' ';
    return o + w->options.pretty;
}

static NEVER_INLINE char *write_unknown(writer *w, schema_span kept, bool first, char *o)
{
    static const char text[64] = ",\"" JSON_UNKNOWN_KEY "\":";
    json_ready        key      = { text, sizeof JSON_UNKNOWN_KEY + 3 };
    if (walk_span_is_broken(kept))
        return fail_span(w, kept, o);
    o = write_name(w, &key, first, o);
    return o ? write_hex(w, kept.ptr, kept.len, o) : NULL;
}

ALWAYS_INLINE char *write_field(writer *w, const json_field *member, const uint8_t *place,
                                bool first, char *o)
{
    o = write_name(w, &member->key, first, o);
    if (LIKELY(o != NULL))
        o = write_value(w, &member->type, place, o);
    if (UNLIKELY(o == NULL))
        path_prepend_name(&w->path, member->field->name);
    return o;
}

static char *write_fields(writer *w, const json_record *type, const uint8_t *record, bool *first,
                          char *o)
{
    const json_field *member = type->members, *end = member + type->count;
    for (; member < end && LIKELY(o != NULL); member++) {
        const uint8_t *place = record + member->offset;
        if (!is_present(member, record)) {
            place = w->options.defaults ? member->field->initial : NULL;
            if (place == NULL)
                continue;
        }
        o      = write_field(w, member, place, *first, o);
        *first = false;
    }
    return o;
}

static char *write_arm(writer *w, const json_record *type, const uint8_t *record, bool *first,
                       char *o)
{
    int32_t which = walk_which(type->type, record);
    if (which == 0)
        return o;
    *first = false;
    for (uint32_t i = 0; i < type->count; i++)
        if (type->members[i].field->id == which)
            return write_field(w, &type->members[i], record + type->members[i].offset, true, o);
    return fail(w, error_set(w->error, FRUGAL_INVALID, WALK_NO_ARM, type->type->name, (int)which),
                o);
}

/* `record` NULL: as what is written for it, a struct without fields. */
static NEVER_INLINE char *write_record(writer *w, const json_record *type, const uint8_t *record,
                                       char *o)
{
    bool first = true;
    o          = open_bracket(w, o, '{');
    if (UNLIKELY(o == NULL))
        return NULL;
    if (LIKELY(record != NULL)) {
        if (UNLIKELY(type->type->is_union))
            o = write_arm(w, type, record, &first, o);
        else
            o = write_fields(w, type, record, &first, o);
        if (UNLIKELY(type->keeper != JSON_NONE) && o && (first || !type->type->is_union)) {
            schema_span kept = walk_span(record + type->keeper);
            if (kept.len) {
                o     = write_unknown(w, kept, first, o);
                first = false;
            }
        }
        if (UNLIKELY(o == NULL))
            return NULL;
    }
    return close_bracket(w, o, '}', first);
}

/* At `o` there is ROOM_SCALAR. */
static char *write_value(writer *w, const json_type *type, const uint8_t *place, char *o)
{
    switch (type->kind) {
    case FRUGAL_KIND_BOOL: return write_bool(place, o);
    case FRUGAL_KIND_I8: return write_integer(*(const int8_t *)place, o);
    case FRUGAL_KIND_I16: return write_integer((int16_t)load_u16(place), o);
    case FRUGAL_KIND_I32: return write_integer((int32_t)load_u32(place), o);
    case FRUGAL_KIND_I64: return write_i64(w, place, o);
    case FRUGAL_KIND_DOUBLE: return write_double(place, o);
    case FRUGAL_KIND_ENUM: return write_enum(w, type->names, (int32_t)load_u32(place), o);
    case FRUGAL_KIND_STRING: return write_string(w, place, o);
    case FRUGAL_KIND_BINARY: return write_binary(w, place, o);
    case FRUGAL_KIND_MAP: return write_map(w, type, place, o);
    case FRUGAL_KIND_STRUCT:
        return write_record(w, type->record, type->indirect ? walk_pointer(place) : place, o);
    default: return write_list(w, type, place, o);
    }
}

/* ---- the door ------------------------------------------------------------------------------- */

static frugal_status write_once(const json_record *root, const void *record,
                                const frugal_json_write_options *options, uint32_t indent,
                                frugal_buf *out, frugal_error *error)
{
    writer w = { .out = out, .indent = indent, .error = error };
    if (options)
        w.options = *options;
    w.left = json_depth_max(w.options.depth_max);
    path_init(&w.path);
    frugal_status status = frugal_buf_reserve(out, ROOM_SCALAR);
    if (status)
        return error_set(error, status, "%s", frugal_status_text(status));
    w.end   = (char *)out->data + out->capacity;
    char *o = write_record(&w, root, record, (char *)out->data + out->size);
    if (o == NULL) {
        path_finish(&w.path, error);
        return w.status;
    }
    out->size = offset_of(&w, o);
    return FRUGAL_OK;
}

/* The room that is asked for is more than what is used in the end. So a fixed buffer that was too
 * small for that may still be large enough for the text. */
static NEVER_INLINE frugal_status write_aside(const json_record *root, const void *record,
                                              const frugal_json_write_options *options,
                                              uint32_t indent, frugal_buf *out, frugal_error *error)
{
    frugal_buf whole;
    frugal_buf_init(&whole, NULL, 0, out->allocator);
    frugal_status status = write_once(root, record, options, indent, &whole, error);
    if (status == FRUGAL_OK) {
        size_t room = out->capacity - out->size;
        if (whole.size > room)
            status = error_set(error, FRUGAL_NOSPACE, "output buffer too small: %zu byte%s short",
                               whole.size - room, plural_s(whole.size - room));
        else
            status = frugal_buf_append(out, whole.data, whole.size);
    }
    frugal_buf_release(&whole);
    return status;
}

frugal_status json_put_record(frugal_view value, const frugal_json_write_options *options,
                              uint32_t indent, frugal_buf *out, frugal_error *error)
{
    const json_form *form;
    if (!value.type || !value.ptr || !out)
        return error_set(error, FRUGAL_INVALID, "the record, its table or the buffer is NULL");
    if (options && options->struct_size && options->struct_size < sizeof *options)
        return error_set(error, FRUGAL_INVALID, "options of an unknown size: %zu",
                         options->struct_size);
    if (options && options->depth_max > FRUGAL_DEPTH_MAX)
        return error_set(error, FRUGAL_INVALID, "depth_max %u is above %d", options->depth_max,
                         FRUGAL_DEPTH_MAX);
    frugal_status status = json_form_get(value.type, &form, error);
    if (status)
        return status;
    status = write_once(form->root, value.ptr, options, indent, out, error);
    if (status == FRUGAL_NOSPACE)
        status = write_aside(form->root, value.ptr, options, indent, out, error);
    return status;
}

frugal_status frugal_json_write(frugal_view value, const frugal_json_write_options *options,
                                frugal_buf *out, frugal_error *error)
{
    return json_put_record(value, options, 0, out, error);
}
