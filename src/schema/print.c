/* schema/print.c - a record as text for people.
 *
 *   user {
 *       id: 42
 *       friends: [2, 3, 5]
 *       home: address {
 *           street: "Elm St"
 *       }
 *   }
 *
 * What holds structs, directly or in a container inside, has a line for each part; all else stays
 * on its line. The error is sticky: after a failure nothing more is written, and the calls
 * return. */
#include <stdio.h>

#include "core/allocator.h"
#include "core/status.h"
#include "schema/text.h"
#include "schema/walk.h"

typedef struct printer {
    frugal_buf          *out;
    frugal_print_options options;
    frugal_error        *error;
    frugal_status        status;
    path_builder         path; /* grows on the way back from a failure */
    uint32_t             depth;
    uint32_t             indent; /* of the line, in steps of four */
} printer;

static void print_record(printer *p, const frugal_struct *type, const uint8_t *record);
static void print_place(printer *p, const frugal_type *type, const uint8_t *place);

frugal_status frugal_print(frugal_view value, const frugal_print_options *options, frugal_buf *out,
                           frugal_error *error)
{
    if (!value.type || !value.ptr || !out)
        return error_set(error, FRUGAL_INVALID, "the record, its table or the buffer is NULL");
    if (options && options->struct_size && options->struct_size < sizeof *options)
        return error_set(error, FRUGAL_INVALID, "options of an unknown size: %zu",
                         options->struct_size);
    frugal_status status = walk_ready(value.type, allocator_or_malloc(out->allocator), error);
    if (status)
        return status;

    size_t  size = out->size;
    printer p    = { .out = out, .error = error };
    if (options)
        p.options = *options;
    path_init(&p.path);
    print_record(&p, value.type, value.ptr);
    if (p.status) {
        path_finish(&p.path, error);
        out->size = size;
    }
    return p.status;
}

/* ---- output and failures -------------------------------------------------------------------- */

static void put(printer *p, const void *bytes, size_t size)
{
    if (p->status)
        return;
    frugal_status status = frugal_buf_append(p->out, bytes, size);
    if (status)
        p->status = error_set(p->error, status, "%s", frugal_status_text(status));
}

static void put_text(printer *p, const char *text)
{
    put(p, text, strlen(text));
}

static NEVER_INLINE void put_count(printer *p, const char *before, size_t count, const char *after)
{
    char text[64];
    int  len = snprintf(text, sizeof text, "%s%zu%s", before, count, after);
    put(p, text, (size_t)len);
}

static void put_more(printer *p, size_t count)
{
    put_count(p, "\xe2\x80\xa6 ", count, " more"); /* … */
}

static void start_line(printer *p)
{
    put(p, "\n", 1);
    for (uint32_t i = 0; i < p->indent && p->status == FRUGAL_OK; i++)
        put(p, "    ", 4);
}

/* ---- single values -------------------------------------------------------------------------- */

static NEVER_INLINE void print_scalar(printer *p, const frugal_type *type, const uint8_t *place)
{
    char       buffer[TEXT_SCALAR_MAX];
    frugal_str text = text_scalar(type, place, buffer);
    put(p, text.ptr, text.len);
}

/* Bytes at the start that stand for themselves. Controls do not, nor those that UTF-8 has of its
 * own. */
static size_t clean_len(const uint8_t *text, const uint8_t *end)
{
    const uint8_t *at = text;
    while (at < end) {
        size_t step = text_utf8(at, end);
        bool   show = step > 2 || (step == 2 && !(at[0] == 0xC2 && at[1] < 0xA0))
                    || (step == 1 && *at >= 0x20 && *at != 0x7F && *at != '"' && *at != '\\');
        if (!show)
            break;
        at += step;
    }
    return (size_t)(at - text);
}

static void put_escaped(printer *p, uint8_t byte)
{
    static const char hex[]   = "0123456789abcdef";
    char              text[4] = { '\\', 'x', hex[byte >> 4], hex[byte & 15] };
    static const char names[] = "n\nr\rt\t\"\"\\\\";
    for (const char *name = names; *name; name += 2) {
        if ((uint8_t)name[1] == byte) {
            text[1] = name[0];
            put(p, text, 2);
            return;
        }
    }
    put(p, text, 4);
}

static void put_string(printer *p, const uint8_t *text, size_t len)
{
    const uint8_t *end = text + len;
    put(p, "\"", 1);
    while (text < end && p->status == FRUGAL_OK) {
        size_t clean = clean_len(text, end);
        put(p, text, clean);
        text += clean;
        if (text < end)
            put_escaped(p, *text++);
    }
    put(p, "\"", 1);
}

static void put_binary(printer *p, const uint8_t *bytes, size_t len)
{
    static const char hex[] = "0123456789abcdef";
    put(p, "<", 1);
    for (size_t i = 0; i < len && p->status == FRUGAL_OK; i++) {
        char digits[2] = { hex[bytes[i] >> 4], hex[bytes[i] & 15] };
        put(p, digits, sizeof digits);
    }
    put(p, ">", 1);
}

static NEVER_INLINE void print_text(printer *p, const frugal_type *type, const uint8_t *place)
{
    static const uint8_t nothing[1];
    schema_span          span = walk_span(place);
    if (walk_span_is_broken(span)) {
        p->status = error_set(p->error, FRUGAL_INVALID, WALK_NO_PTR, span.len);
        return;
    }
    bool           is_string = type->kind == FRUGAL_KIND_STRING;
    const uint8_t *text      = span.ptr ? span.ptr : nothing;
    size_t         shown     = span.len;
    if (p->options.string_max && shown > p->options.string_max) {
        shown = p->options.string_max;
        if (is_string)
            shown = text_cut(text, span.len, shown);
    }
    if (is_string)
        put_string(p, text, shown);
    else
        put_binary(p, text, shown);
    if (shown < span.len) {
        put(p, " ", 1);
        put_more(p, span.len - shown);
    }
}

/* ---- lists, sets, maps ---------------------------------------------------------------------- */

/* A type may be a lattice with more paths than can be walked (a map of two like maps, and so on),
 * so it is not looked at further than `*left` nodes; one as wide as that deserves lines. */
static bool holds_structs(const frugal_type *type, uint32_t *left)
{
    while (type->kind == FRUGAL_KIND_LIST || type->kind == FRUGAL_KIND_SET
           || type->kind == FRUGAL_KIND_MAP) {
        if (*left == 0)
            return true;
        --*left;
        if (type->key && holds_structs(type->key, left))
            return true;
        type = type->elem;
    }
    return type->kind == FRUGAL_KIND_STRUCT;
}

static NEVER_INLINE bool needs_lines(const printer *p, const frugal_type *type, schema_span span)
{
    uint32_t left = SCHEMA_NESTING_MAX;
    return !p->options.one_line && span.len && holds_structs(type, &left);
}

/* Before each part, and before what closes them. */
static void start_part(printer *p, size_t index, bool lines)
{
    if (lines)
        start_line(p);
    else if (index)
        put(p, ", ", 2);
}

static void print_entry(printer *p, const frugal_type *type, const uint8_t *place, size_t index)
{
    if (type->key) {
        print_place(p, type->key, place);
        put(p, ": ", 2);
        print_place(p, type->elem, place + schema_value_offset(type));
        if (p->status)
            text_prepend_key(&p->path, type->key, place, index);
        return;
    }
    print_place(p, type->elem, place);
    if (p->status)
        path_prepend_index(&p->path, index);
}

static void print_entries(printer *p, const frugal_type *type, schema_span span, bool lines)
{
    size_t shown = span.len;
    if (p->options.element_max && shown > p->options.element_max)
        shown = p->options.element_max;
    for (size_t i = 0; i < shown && p->status == FRUGAL_OK; i++) {
        start_part(p, i, lines);
        print_entry(p, type, span.ptr + i * type->stride, i);
    }
    if (shown < span.len && p->status == FRUGAL_OK) {
        start_part(p, shown, lines);
        put_more(p, span.len - shown);
    }
}

static void print_container(printer *p, const frugal_type *type, const uint8_t *place)
{
    schema_span span  = walk_span(place);
    bool        list  = type->kind == FRUGAL_KIND_LIST;
    bool        lines = needs_lines(p, type, span);
    if (walk_span_is_broken(span)) {
        p->status = error_set(p->error, FRUGAL_INVALID, WALK_NO_PTR, span.len);
        return;
    }
    if (p->depth == WALK_DEPTH_MAX) {
        p->status = error_set(p->error, FRUGAL_DEPTH, WALK_TOO_DEEP);
        return;
    }
    p->depth++;
    put_text(p, list ? "[" : "{");
    p->indent += lines;
    print_entries(p, type, span, lines);
    p->indent -= lines;
    if (lines)
        start_line(p);
    put_text(p, list ? "]" : "}");
    p->depth--;
}

/* ---- structs -------------------------------------------------------------------------------- */

static void start_member(printer *p, const char *name, bool first)
{
    if (p->options.one_line)
        put_text(p, first ? " " : ", ");
    else
        start_line(p);
    put_text(p, name);
    put(p, ": ", 2);
}

static void print_kept(printer *p, const frugal_field *keeper, const uint8_t *record, bool *first)
{
    schema_span span = walk_span(record + keeper->offset);
    if (span.len == 0)
        return;
    start_member(p, "$unknown", *first);
    put_count(p, "", span.len, span.len == 1 ? " byte" : " bytes");
    *first = false;
}

static void print_field(printer *p, const frugal_field *field, const uint8_t *record, bool *first)
{
    start_member(p, field->name, *first);
    print_place(p, &field->type, record + field->offset);
    if (p->status)
        path_prepend_name(&p->path, field->name);
    *first = false;
}

static void print_fields(printer *p, const frugal_struct *type, const uint8_t *record, bool *first)
{
    for (uint32_t i = 0; i < type->field_count && p->status == FRUGAL_OK; i++) {
        const frugal_field *field = &type->fields[i];
        if (field->need != FRUGAL_NEED_UNKNOWN && walk_present(field, record))
            print_field(p, field, record, first);
    }
}

static void print_arm(printer *p, const frugal_struct *type, const uint8_t *record, bool *first)
{
    const frugal_field *arm = walk_arm(type, record);
    if (arm)
        print_field(p, arm, record, first);
    else if (walk_which(type, record))
        p->status = error_set(p->error, FRUGAL_INVALID, WALK_NO_ARM, type->name,
                              (int)walk_which(type, record));
}

static void print_members(printer *p, const frugal_struct *type, const uint8_t *record, bool *first)
{
    if (type->is_union)
        print_arm(p, type, record, first);
    else
        print_fields(p, type, record, first);
    const frugal_field *keeper = schema_keeper(type);
    if (keeper && p->status == FRUGAL_OK && !(type->is_union && !*first))
        print_kept(p, keeper, record, first);
}

/* `record` NULL: as what is written for it, a struct without fields. */
static void print_record(printer *p, const frugal_struct *type, const uint8_t *record)
{
    bool first = true;
    if (p->depth == WALK_DEPTH_MAX) {
        p->status = error_set(p->error, FRUGAL_DEPTH, WALK_TOO_DEEP);
        return;
    }
    put_text(p, type->name);
    put(p, " {", 2);
    if (record) {
        p->depth++;
        p->indent++;
        print_members(p, type, record, &first);
        p->indent--;
        p->depth--;
    }
    if (!first && p->options.one_line)
        put(p, " ", 1);
    else if (!first)
        start_line(p);
    put(p, "}", 1);
}

static void print_place(printer *p, const frugal_type *type, const uint8_t *place)
{
    switch (type->kind) {
    case FRUGAL_KIND_STRING:
    case FRUGAL_KIND_BINARY: print_text(p, type, place); return;
    case FRUGAL_KIND_LIST:
    case FRUGAL_KIND_SET:
    case FRUGAL_KIND_MAP: print_container(p, type, place); return;
    case FRUGAL_KIND_STRUCT: print_record(p, type->record, walk_record(type, place)); return;
    default: print_scalar(p, type, place);
    }
}
