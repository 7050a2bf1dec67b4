/* cli/raw.c - Binary fields as a tree, without an IDL.
 *
 * The hard part is to print what makes sense up to the very byte where it stops to, and to say the
 * same of that byte as the decoder: so pieces are checked in wire's order and with its faults. A
 * count that is larger than what is left is such a fault, but the elements that are there are shown
 * all the same: most broken inputs are cut ones. What is not shown, because of a bound, is skipped,
 * so that a fault in it is found. */
#include "cli/raw.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <frugal/codec.h>

#include "core/number.h"
#include "core/status.h"
#include "core/utf8.h"
#include "schema/text.h"
#include "wire/binary.h"

#define TEXT_MAX_DEFAULT  96
#define ITEMS_MAX_DEFAULT 32
#define LINES_MAX_DEFAULT 2000

void raw_init(raw_printer *printer, const raw_options *options, raw_put *put, void *context)
{
    raw_options o  = options ? *options : (raw_options){ 0 };
    o.text_max     = o.all ? SIZE_MAX : o.text_max ? o.text_max : TEXT_MAX_DEFAULT;
    o.items_max    = o.all ? SIZE_MAX : o.items_max ? o.items_max : ITEMS_MAX_DEFAULT;
    o.lines_max    = o.all ? SIZE_MAX : o.lines_max ? o.lines_max : LINES_MAX_DEFAULT;
    o.depth_max    = o.depth_max ? o.depth_max : FRUGAL_DEPTH_DEFAULT;
    *printer       = (raw_printer){ .options = o, .put = put, .context = context };
    printer->lines = o.lines_max;
}

/* ---- pieces --------------------------------------------------------------------------------- */

static void put(raw_printer *p, const void *bytes, size_t size)
{
    if (!p->failed && size && !p->put(p->context, bytes, size))
        p->failed = true;
}

void raw_text(raw_printer *p, const char *text)
{
    put(p, text, strlen(text));
}

void raw_format(raw_printer *p, const char *format, ...)
{
    char    text[256];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    raw_text(p, text);
}

static void put_indent(raw_printer *p, unsigned indent)
{
    for (unsigned i = 0; i < indent; i++)
        put(p, "    ", 4);
}

bool raw_line(raw_printer *p, unsigned indent)
{
    if (p->lines == 0) {
        p->hidden = true;
        return false;
    }
    p->lines--;
    put_indent(p, indent);
    return true;
}

/* " (1024 bytes)", behind what was cut. */
static void put_cut(raw_printer *p, size_t len)
{
    p->hidden = true;
    raw_format(p, "... (%zu bytes)", len);
}

void raw_hex(raw_printer *p, frugal_bytes bytes)
{
    static const char digits[] = "0123456789abcdef";
    size_t            shown    = bytes.len < p->options.text_max ? bytes.len : p->options.text_max;
    raw_text(p, "0x");
    for (size_t i = 0; i < shown && !p->failed; i++) {
        char pair[2] = { digits[bytes.ptr[i] >> 4], digits[bytes.ptr[i] & 15] };
        put(p, pair, 2);
    }
    if (shown < bytes.len)
        put_cut(p, bytes.len);
}

/* Bytes of the character at `at` that may be shown as it is; 0: it has to be escaped, whose bytes
 * are `*step`. Controls, C1 too, and what turns the direction of text. */
static size_t shown_len(const uint8_t *at, const uint8_t *end, size_t *step)
{
    size_t len   = text_utf8(at, end);
    *step        = len ? len : 1;
    bool quoted  = *at == '"' || *at == '\\';
    bool control = *at < 0x20 || *at == 0x7F || (len == 2 && at[0] == 0xC2 && at[1] < 0xA0);
    bool turns   = len == 3 && at[0] == 0xE2
                 && ((at[1] == 0x80 && at[2] >= 0xA8 && at[2] <= 0xAE)
                     || (at[1] == 0x81 && at[2] >= 0xA6 && at[2] <= 0xA9));
    return len == 0 || quoted || control || turns ? 0 : len;
}

static void put_escaped(raw_printer *p, const uint8_t *at, size_t len)
{
    switch (*at) {
    case '"': raw_text(p, "\\\""); return;
    case '\\': raw_text(p, "\\\\"); return;
    case '\n': raw_text(p, "\\n"); return;
    case '\r': raw_text(p, "\\r"); return;
    case '\t': raw_text(p, "\\t"); return;
    }
    for (size_t i = 0; i < len; i++)
        raw_format(p, "\\x%02x", at[i]);
}

/* UTF-8 without what no text has: controls other than those that lay it out. */
static bool is_text(frugal_bytes bytes)
{
    for (size_t i = 0; i < bytes.len; i++)
        if (bytes.ptr[i] < 0x20 && bytes.ptr[i] != '\n' && bytes.ptr[i] != '\r'
            && bytes.ptr[i] != '\t' && bytes.ptr[i] != 0x1B)
            return false;
    return utf8_valid_prefix(bytes.ptr, bytes.len) == bytes.len;
}

static void put_quoted(raw_printer *p, const uint8_t *at, const uint8_t *end)
{
    put(p, "\"", 1);
    while (at < end && !p->failed) {
        const uint8_t *plain = at;
        size_t         step  = 0;
        while (at < end && shown_len(at, end, &step))
            at += step;
        put(p, plain, (size_t)(at - plain));
        if (at < end) {
            put_escaped(p, at, step);
            at += step;
        }
    }
    put(p, "\"", 1);
}

void raw_string(raw_printer *p, frugal_bytes bytes)
{
    size_t max = p->options.text_max;
    if (!is_text(bytes)) {
        raw_hex(p, bytes);
    } else if (bytes.len <= max) {
        put_quoted(p, bytes.ptr, bytes.ptr + bytes.len);
    } else {
        put_quoted(p, bytes.ptr, bytes.ptr + text_cut(bytes.ptr, bytes.len, max));
        put_cut(p, bytes.len);
    }
}

/* ---- the walk ------------------------------------------------------------------------------- */

typedef struct walk {
    raw_printer   *printer;
    const uint8_t *end;
    const uint8_t *reached; /* all before it made sense */
    wire_fault     fault;   /* the first one */
    bool           silent;  /* there was no line left at the start: nothing is printed */
    path_builder   path;    /* grows on the way back */
} walk;

static const uint8_t *print_value(walk *w, const uint8_t *p, uint8_t type, uint32_t left,
                                  unsigned indent);
static const uint8_t *print_fields(walk *w, const uint8_t *p, uint32_t left, unsigned indent);

static const uint8_t *fail(walk *w, wire_fault_kind kind, const uint8_t *at, uint64_t a)
{
    wire_fault_set(&w->fault, kind, at, a, 0, 0);
    return NULL;
}

static bool has(walk *w, const uint8_t *p, size_t need)
{
    size_t have = (size_t)(w->end - p);
    if (have < need)
        fail(w, WIRE_FAULT_EOF, p, need - have);
    return have >= need;
}

/* What stands for a value that cannot be read. */
static const uint8_t *print_lost(walk *w)
{
    raw_text(w->printer, "?");
    return NULL;
}

/* Over a value that is not shown. */
static const uint8_t *skip_value(walk *w, const uint8_t *p, uint8_t type, uint32_t left)
{
    const uint8_t *after =
        binary_skip(p, w->end, type, left, w->printer->options.depth_max, &w->fault);
    if (after)
        w->reached = after;
    return after;
}

/* ---- values --------------------------------------------------------------------------------- */

static void put_integer(raw_printer *p, int64_t value)
{
    char text[NUMBER_INTEGER_MAX];
    put(p, text, number_write_i64(text, value));
}

static void put_double(raw_printer *p, uint64_t bits)
{
    char   text[NUMBER_DOUBLE_MAX];
    double value;
    memcpy(&value, &bits, sizeof value);
    if (isnan(value))
        raw_text(p, "NaN");
    else if (isinf(value))
        raw_text(p, value < 0 ? "-Infinity" : "Infinity");
    else
        put(p, text, number_write_double(text, value));
}

static void put_scalar(raw_printer *p, const uint8_t *at, uint8_t type)
{
    switch (type) {
    case FRUGAL_WIRE_BOOL:
        raw_text(p, *at ? "true" : "false");
        if (*at > 1)
            raw_format(p, " (0x%02x)", *at);
        break;
    case FRUGAL_WIRE_I8: put_integer(p, (int8_t)*at); break;
    case FRUGAL_WIRE_I16: put_integer(p, (int16_t)load_be16(at)); break;
    case FRUGAL_WIRE_I32: put_integer(p, (int32_t)load_be32(at)); break;
    case FRUGAL_WIRE_I64: put_integer(p, (int64_t)load_be64(at)); break;
    default: put_double(p, load_be64(at)); break;
    }
}

static const uint8_t *print_string(walk *w, const uint8_t *p)
{
    const uint8_t *after = skip_value(w, p, FRUGAL_WIRE_STRING, 1);
    if (after) {
        raw_string(w->printer, (frugal_bytes){ p + 4, (size_t)(after - p) - 4 });
    } else if (w->fault.kind == WIRE_FAULT_LENGTH) {
        /* What is there of it. */
        raw_string(w->printer, (frugal_bytes){ p + 4, (size_t)(w->end - p) - 4 });
        raw_format(w->printer, " (of %u bytes)", load_be32(p));
    } else {
        return print_lost(w);
    }
    return after;
}

static const uint8_t *print_struct(walk *w, const uint8_t *p, uint32_t left, unsigned indent)
{
    if (left == 0) {
        fail(w, WIRE_FAULT_DEPTH, p, w->printer->options.depth_max);
        return print_lost(w);
    }
    if (p < w->end && *p == FRUGAL_WIRE_STOP) {
        raw_text(w->printer, "{}");
        w->reached = p + 1;
        return p + 1;
    }
    raw_text(w->printer, "{\n");
    const uint8_t *after = print_fields(w, p, left, indent + 1);
    put_indent(w->printer, indent);
    raw_text(w->printer, "}");
    return after;
}

/* ---- containers ----------------------------------------------------------------------------- */

typedef struct container {
    bool     map;
    uint8_t  key, value; /* of a list both are its element */
    uint32_t count, shown;
    bool     lines; /* each item on lines of its own */
} container;

static bool nests(uint8_t type)
{
    return type >= FRUGAL_WIRE_STRUCT;
}

/* The header of a container, checked as wire checks it. A count that does not fit is a fault with
 * the container read all the same: `*lies`. */
static const uint8_t *read_container(walk *w, const uint8_t *p, uint8_t type, uint32_t left,
                                     container *c, bool *lies)
{
    unsigned types = type == FRUGAL_WIRE_MAP ? 2 : 1;
    *lies          = false;
    if (left == 0)
        return fail(w, WIRE_FAULT_DEPTH, p, w->printer->options.depth_max);
    if (!has(w, p, types + 4))
        return NULL;
    *c = (container){ types == 2, p[0], p[types - 1], load_be32(p + types), 0, false };
    if (c->count == 0)
        return p + types + 4;
    if (c->count > INT32_MAX)
        return fail(w, WIRE_FAULT_NEGATIVE, p + types, c->count);
    for (unsigned i = 0; i < types; i++)
        if (p[i] > FRUGAL_WIRE_LIST || binary_least_size[p[i]] == 0)
            return fail(w, WIRE_FAULT_TYPE, p + i, p[i]);
    uint64_t need = (uint64_t)c->count
                    * (binary_least_size[p[0]] + (types == 2 ? binary_least_size[p[1]] : 0u));
    size_t have = (size_t)(w->end - p) - types - 4;
    if (need > have) {
        wire_fault_set(&w->fault, WIRE_FAULT_COUNT, p + types, c->count, need, have);
        *lies = true;
    }
    c->lines = nests(c->key) || nests(c->value);
    return p + types + 4;
}

/* "list<i32>", "map<string, struct>", from the bytes at `p`; "list" when they are not there. */
static void put_type(walk *w, const uint8_t *p, uint8_t type)
{
    raw_printer *out = w->printer;
    raw_text(out, wire_type_name(type));
    size_t have = (size_t)(w->end - p);
    if ((type == FRUGAL_WIRE_LIST || type == FRUGAL_WIRE_SET) && have >= BINARY_LIST_SIZE)
        raw_format(out, "<%s>", load_be32(p + 1) || p[0] ? wire_type_name(p[0]) : "");
    else if (type == FRUGAL_WIRE_MAP && have >= BINARY_MAP_SIZE && (load_be32(p + 2) || p[0]))
        raw_format(out, "<%s, %s>", wire_type_name(p[0]), wire_type_name(p[1]));
    else if (type == FRUGAL_WIRE_MAP && have >= BINARY_MAP_SIZE)
        raw_text(out, "<>");
}

/* An element, key or value; a container in a container says its type. */
static const uint8_t *print_part(walk *w, const uint8_t *p, uint8_t type, uint32_t left,
                                 unsigned indent)
{
    if (nests(type) && type != FRUGAL_WIRE_STRUCT) {
        put_type(w, p, type);
        raw_text(w->printer, " ");
    }
    return print_value(w, p, type, left, indent);
}

/* "[7]" in front of the path; of a map "{#7}" and "{#7}key", since a key may be anything. */
static void prepend_item(walk *w, const container *c, uint32_t index, bool at_key)
{
    char next = w->path.text[w->path.start];
    char text[32];
    if (!c->map) {
        path_prepend_index(&w->path, index);
        return;
    }
    int len = snprintf(text, sizeof text, "{#%u}%s%s", (unsigned)index, at_key ? "key" : "",
                       next && next != '[' && next != '{' ? "." : "");
    path_prepend(&w->path, text, (size_t)len);
}

static void prepend_id(walk *w, int id)
{
    char text[16];
    snprintf(text, sizeof text, "%d", id);
    path_prepend_name(&w->path, text);
}

static const uint8_t *print_item(walk *w, const uint8_t *p, const container *c, uint32_t index,
                                 uint32_t left, unsigned indent)
{
    bool at_key = c->map;
    if (c->map) {
        p = print_part(w, p, c->key, left, indent);
        if (p) {
            raw_text(w->printer, ": ");
            at_key = false;
        }
    }
    if (p)
        p = print_part(w, p, c->value, left, indent);
    if (p == NULL)
        prepend_item(w, c, index, at_key);
    return p;
}

/* Over the items that are not shown. */
static const uint8_t *skip_items(walk *w, const uint8_t *p, const container *c, uint32_t index,
                                 uint32_t left)
{
    for (; p && index < c->count; index++) {
        const uint8_t *value = c->map ? skip_value(w, p, c->key, left) : p;
        p                    = value ? skip_value(w, value, c->value, left) : NULL;
        if (p == NULL)
            prepend_item(w, c, index, value == NULL);
    }
    return p;
}

static const uint8_t *print_items(walk *w, const uint8_t *p, container *c, uint32_t left,
                                  unsigned indent)
{
    raw_printer *out = w->printer;
    uint32_t     i   = 0;
    for (; p && i < c->count && i < out->options.items_max && !out->failed; i++) {
        if (c->lines) {
            if (!raw_line(out, indent + 1))
                break;
        } else if (i) {
            raw_text(out, ", ");
        }
        p = print_item(w, p, c, i, left, indent + 1);
        if (c->lines)
            raw_text(out, "\n");
    }
    if (p && i < c->count) {
        out->hidden = true;
        if (c->lines)
            put_indent(out, indent + 1);
        raw_format(out, "%s... %u more%s", !c->lines && i ? ", " : "", (unsigned)(c->count - i),
                   c->lines ? "\n" : "");
        p = skip_items(w, p, c, i, left);
    }
    return p;
}

static const uint8_t *print_container(walk *w, const uint8_t *p, uint8_t type, uint32_t left,
                                      unsigned indent)
{
    raw_printer *out = w->printer;
    container    c;
    bool         lies;
    const char  *brackets = type == FRUGAL_WIRE_LIST ? "[]" : "{}";
    p                     = read_container(w, p, type, left, &c, &lies);
    if (p == NULL)
        return print_lost(w);
    wire_fault fault = w->fault;
    w->reached       = p;
    put(out, brackets, 1);
    if (c.count && c.lines)
        raw_text(out, "\n");
    if (c.count)
        p = print_items(w, p, &c, left - 1, indent);
    if (c.count && c.lines)
        put_indent(out, indent);
    put(out, brackets + 1, 1);
    if (lies) {
        /* The count is what is wrong, whatever was found behind it. */
        w->fault = fault;
        path_init(&w->path);
        raw_format(out, " (of %u)", (unsigned)c.count);
        return NULL;
    }
    return p;
}

/* One past the value at `p`, of a type that exists, printed. */
static const uint8_t *print_value(walk *w, const uint8_t *p, uint8_t type, uint32_t left,
                                  unsigned indent)
{
    size_t size = binary_fixed_size[type];
    if (size) {
        if (!has(w, p, size))
            return print_lost(w);
        put_scalar(w->printer, p, type);
        w->reached = p + size;
        return p + size;
    }
    if (type == FRUGAL_WIRE_STRING)
        return print_string(w, p);
    if (type == FRUGAL_WIRE_STRUCT)
        return print_struct(w, p, left, indent);
    return print_container(w, p, type, left, indent);
}

/* ---- structs -------------------------------------------------------------------------------- */

/* Over all fields that have no line any more. */
static const uint8_t *skip_fields(walk *w, const uint8_t *p, uint32_t left, unsigned indent)
{
    size_t count = 0;
    while (p < w->end && *p != FRUGAL_WIRE_STOP) {
        if (!has(w, p, BINARY_FIELD_SIZE))
            return NULL;
        uint8_t type = *p;
        int     id   = (int16_t)load_be16(p + 1);
        if (type > FRUGAL_WIRE_LIST || binary_least_size[type] == 0)
            return fail(w, WIRE_FAULT_TYPE, p, type);
        p = skip_value(w, p + BINARY_FIELD_SIZE, type, left - 1);
        if (p == NULL) {
            prepend_id(w, id);
            return NULL;
        }
        count++;
    }
    if (!has(w, p, 1))
        return NULL;
    if (!w->silent) {
        put_indent(w->printer, indent);
        raw_format(w->printer, "... %zu more field%s\n", count, plural_s(count));
    }
    w->reached = p + 1;
    return p + 1;
}

static const uint8_t *print_field(walk *w, const uint8_t *p, uint32_t left, unsigned indent)
{
    uint8_t type = *p;
    int     id   = (int16_t)load_be16(p + 1);
    raw_format(w->printer, "%d: ", id);
    put_type(w, p + BINARY_FIELD_SIZE, type);
    raw_text(w->printer, " = ");
    w->reached           = p + BINARY_FIELD_SIZE;
    const uint8_t *after = print_value(w, p + BINARY_FIELD_SIZE, type, left - 1, indent);
    raw_text(w->printer, "\n");
    if (after == NULL)
        prepend_id(w, id);
    return after;
}

/* Up to and over the stop byte. */
static const uint8_t *print_fields(walk *w, const uint8_t *p, uint32_t left, unsigned indent)
{
    for (;;) {
        if (!has(w, p, 1))
            return NULL;
        if (*p == FRUGAL_WIRE_STOP) {
            w->reached = p + 1;
            return p + 1;
        }
        if (!has(w, p, BINARY_FIELD_SIZE))
            return NULL;
        if (*p > FRUGAL_WIRE_LIST || binary_least_size[*p] == 0)
            return fail(w, WIRE_FAULT_TYPE, p, *p);
        if (!raw_line(w->printer, indent))
            return skip_fields(w, p, left, indent);
        p = print_field(w, p, left, indent);
        if (p == NULL)
            return NULL;
    }
}

frugal_status raw_print(raw_printer *printer, frugal_bytes input, unsigned indent, size_t *used,
                        frugal_error *error)
{
    const uint8_t *start = input.ptr ? input.ptr : (const uint8_t *)"";
    walk           w     = { .printer = printer,
                             .end     = start + input.len,
                             .reached = start,
                             .silent  = printer->lines == 0 };
    path_init(&w.path);
    const uint8_t *after = print_fields(&w, start, printer->options.depth_max, indent);
    if (used)
        *used = (size_t)(w.reached - start);
    if (after)
        return FRUGAL_OK;
    frugal_status status = wire_fault_report(&w.fault, start, error);
    path_finish(&w.path, error);
    return status;
}
