/* schema/text.c - single values as text. The hard one is the double: the locale of the process must
 * not show in it. */
#include "schema/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/utf8.h"
#include "schema/walk.h"

static frugal_str literal(const char *text)
{
    return (frugal_str){ text, strlen(text) };
}

/* Whatever the locale puts between the digits, of one byte or several, becomes one point. */
static size_t make_decimal_point(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        if (strchr("0123456789+-e", *from))
            *to++ = *from;
        else if (to == text || to[-1] != '.')
            *to++ = '.';
    }
    *to = '\0';
    return (size_t)(to - text);
}

static frugal_str double_text(const void *place, char buffer[TEXT_SCALAR_MAX])
{
    double value;
    memcpy(&value, place, sizeof value);
    if (isnan(value))
        return literal("NaN");
    if (isinf(value))
        return literal(value < 0 ? "-Infinity" : "Infinity");
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(buffer, TEXT_SCALAR_MAX, "%.*g", precision, value);
        if (strtod(buffer, NULL) == value)
            break;
    }
    return (frugal_str){ buffer, make_decimal_point(buffer) };
}

frugal_str text_scalar(const frugal_type *type, const void *place, char buffer[TEXT_SCALAR_MAX])
{
    const char *name;
    switch (type->kind) {
    case FRUGAL_KIND_BOOL: return literal(walk_number(type, place) ? "true" : "false");
    case FRUGAL_KIND_DOUBLE: return double_text(place, buffer);
    case FRUGAL_KIND_ENUM:
        name = frugal_enum_name(type->names, (int32_t)walk_number(type, place));
        if (name)
            return literal(name);
        break;
    case FRUGAL_KIND_I8:
    case FRUGAL_KIND_I16:
    case FRUGAL_KIND_I32:
    case FRUGAL_KIND_I64: break;
    default: return literal("");
    }
    int len = snprintf(buffer, TEXT_SCALAR_MAX, "%" PRId64, walk_number(type, place));
    return (frugal_str){ buffer, (size_t)len };
}

/* ---- UTF-8 ---------------------------------------------------------------------------------- */

static bool is_tail(uint8_t byte)
{
    return (byte & 0xC0) == 0x80;
}

size_t text_utf8(const uint8_t *at, const uint8_t *end)
{
    if (*at < 0x80)
        return 1;
    size_t len = *at >= 0xF0 ? 4 : *at >= 0xE0 ? 3 : 2;
    return (size_t)(end - at) >= len && utf8_valid_prefix(at, len) == len ? len : 0;
}

size_t text_cut(const uint8_t *text, size_t len, size_t size)
{
    for (size_t back = 0; back < 4 && back <= size; back++) {
        const uint8_t *at = text + size - back;
        if (!is_tail(*at))
            return text_utf8(at, text + len) ? size - back : size;
    }
    return size; /* no UTF-8 here, nothing to tear */
}

/* ---- keys in paths -------------------------------------------------------------------------- */

#define KEY_TEXT_MAX 24

/* C0, DEL and C1: what a terminal might act on. `at` begins a UTF-8 sequence. */
static bool is_control(const uint8_t *at)
{
    return at[0] < 0x20 || at[0] == 0x7F || (at[0] == 0xC2 && at[1] < 0xA0);
}

static void prepend_visible(path_builder *path, const uint8_t *text, size_t len)
{
    char           visible[KEY_TEXT_MAX];
    const uint8_t *end = len ? text + len : text;
    size_t         at  = 0;
    while (at < len) {
        size_t step = text_utf8(text + at, end);
        bool   show = step > 0 && !is_control(text + at);
        if (show)
            memcpy(visible + at, text + at, step);
        else
            visible[at] = '?';
        at += show ? step : 1;
    }
    path_prepend(path, visible, len);
}

static void prepend_text(path_builder *path, schema_span span)
{
    static const char ellipsis[] = "\xe2\x80\xa6"; /* … */
    size_t            len        = span.len;
    if (len > KEY_TEXT_MAX) {
        len = text_cut(span.ptr, len, KEY_TEXT_MAX);
        path_prepend(path, ellipsis, sizeof ellipsis - 1);
    }
    prepend_visible(path, span.ptr, len);
}

static bool is_text(const frugal_type *type)
{
    return type->kind == FRUGAL_KIND_STRING || type->kind == FRUGAL_KIND_BINARY;
}

void text_prepend_key(path_builder *path, const frugal_type *key, const void *place, size_t index)
{
    char buffer[TEXT_SCALAR_MAX];
    char next = path->text[path->start];
    if (next != '\0' && next != '[' && next != '{')
        path_prepend(path, ".", 1);
    path_prepend(path, "}", 1);
    if (is_text(key) && !walk_span_is_broken(walk_span(place))) {
        prepend_text(path, walk_span(place));
    } else {
        frugal_str text = text_scalar(key, place, buffer);
        if (text.len == 0) {
            text.len = (size_t)snprintf(buffer, sizeof buffer, "%zu", index);
            text.ptr = buffer;
        }
        path_prepend(path, text.ptr, text.len);
    }
    path_prepend(path, "{", 1);
}
