/* json/scan.c - walking values that were checked. */
#include "json/scan.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "core/arena.h"
#include "core/number.h"
#include "schema/schema.h"
#include "json/escape.h"
#include "json/hex.h"
#include "json/json.h"
#include "json/token.h"

/* ---- checking ------------------------------------------------------------------------------- */

frugal_status json_check(frugal_str text, json_place place, uint32_t depth_max, json_value *value,
                         size_t *used, frugal_error *error)
{
    if (depth_max > FRUGAL_DEPTH_MAX)
        return error_set(error, FRUGAL_INVALID, "depth_max %u is above %d", depth_max,
                         FRUGAL_DEPTH_MAX);
    json_scan   scan   = json_scan_of(text, place, depth_max, error);
    const char *at     = json_space(scan.start, scan.end);
    const char *behind = json_skip(&scan, at);
    if (behind == NULL)
        return scan.status;
    const char *rest = json_space(behind, scan.end);
    if (used == NULL && rest < scan.end) {
        json_fail_word(&scan, rest, "the end of the text");
        return scan.status;
    }
    value->text  = (frugal_str){ at, (size_t)(behind - at) };
    value->place = json_place_behind(place, (frugal_str){ scan.start, (size_t)(at - scan.start) });
    if (used)
        *used = (size_t)(rest - scan.start);
    return FRUGAL_OK;
}

json_kind json_kind_of(const json_value *value)
{
    switch (*value->text.ptr) {
    case 'n': return JSON_NULL;
    case 't':
    case 'f': return JSON_BOOL;
    case '"': return JSON_STRING;
    case '[': return JSON_ARRAY;
    case '{': return JSON_OBJECT;
    default: return JSON_NUMBER;
    }
}

/* ---- walking -------------------------------------------------------------------------------- */

/* The deepest that was checked; it was counted then. */
static json_scan scan_checked(const char *at, const char *end)
{
    return json_scan_of((frugal_str){ at, (size_t)(end - at) }, JSON_PLACE_FIRST, FRUGAL_DEPTH_MAX,
                        NULL);
}

json_walk json_enter(const json_value *whole)
{
    json_kind kind = json_kind_of(whole);
    json_walk walk = { .is_object = kind == JSON_OBJECT,
                       .at        = whole->text.ptr,
                       .end       = whole->text.ptr + whole->text.len,
                       .place     = whole->place };
    if (kind != JSON_OBJECT && kind != JSON_ARRAY)
        walk.at = walk.end;
    return walk;
}

static void move_to(json_walk *walk, const char *to)
{
    walk->place = json_place_behind(walk->place, (frugal_str){ walk->at, (size_t)(to - walk->at) });
    walk->at    = to;
}

/* What lies between `at` and `to`, without the white space in front. */
static json_value take(json_walk *walk, const char *to)
{
    json_value value = { { walk->at, (size_t)(to - walk->at) }, walk->place };
    move_to(walk, to);
    return value;
}

bool json_next(json_walk *walk)
{
    json_scan scan = scan_checked(walk->at, walk->end);
    if (walk->at == walk->end)
        return false;
    /* Over the bracket or the comma. */
    const char *at = json_space(walk->at, walk->end) + 1;
    if (at > walk->end)
        return false;
    at = json_space(at, walk->end);
    if (at == walk->end || *at == ']' || *at == '}') {
        walk->at = walk->end;
        return false;
    }
    move_to(walk, at);
    if (walk->is_object) {
        walk->key = take(walk, json_skip(&scan, walk->at));
        move_to(walk, json_space(json_space(walk->at, walk->end) + 1, walk->end));
    }
    walk->value = take(walk, json_skip(&scan, walk->at));
    walk->index += walk->is_started;
    walk->is_started = true;
    return true;
}

bool json_member(const json_value *object, const char *name, json_value *value)
{
    if (json_kind_of(object) != JSON_OBJECT)
        return false;
    for (json_walk walk = json_enter(object); json_next(&walk);) {
        if (json_string_is(&walk.key, name)) {
            *value = walk.value;
            return true;
        }
    }
    return false;
}

/* ---- single values -------------------------------------------------------------------------- */

frugal_status json_blame(const json_value *value, frugal_status status, frugal_error *error,
                         const char *format, ...)
{
    if (error == NULL)
        return status;
    va_list arguments;
    error_set(error, status, "%s", "");
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    error->offset = value->place.offset;
    error->line   = value->place.line;
    error->column = value->place.column;
    return status;
}

static frugal_status mismatch(const json_value *value, const char *expected, frugal_error *error)
{
    char      word[JSON_WORD_MAX];
    json_scan scan = scan_checked(value->text.ptr, value->text.ptr + value->text.len);
    return json_blame(value, FRUGAL_MISMATCH, error, "expected %s, found %s", expected,
                      json_word(&scan, scan.start, word));
}

/* What stands between the quotes; false for another kind of value. */
static bool text_of(const json_value *value, json_text *text)
{
    json_scan scan = scan_checked(value->text.ptr, value->text.ptr + value->text.len);
    return json_kind_of(value) == JSON_STRING && json_quoted(&scan, scan.start, text);
}

bool json_string_is(const json_value *value, const char *text)
{
    json_text found;
    return text_of(value, &found) && json_text_is(&found, text, strlen(text));
}

frugal_status json_get_bool(const json_value *value, bool *truth, frugal_error *error)
{
    if (json_kind_of(value) != JSON_BOOL)
        return mismatch(value, "true or false", error);
    *truth = *value->text.ptr == 't';
    return FRUGAL_OK;
}

frugal_status json_get_integer(const json_value *value, int64_t least, int64_t most,
                               int64_t *integer, frugal_error *error)
{
    json_text text = { value->text.ptr, value->text.len, false, false };
    bool      ok   = json_kind_of(value) == JSON_NUMBER || text_of(value, &text);
    int64_t   number;
    if (!ok || text.escaped)
        return mismatch(value, "an integer", error);
    const char   *at   = text.ptr;
    number_status read = number_read_i64(&at, text.ptr + text.len, &number);
    if (at != text.ptr + text.len || read == NUMBER_SYNTAX || read == NUMBER_FRACTION)
        return mismatch(value, "an integer", error);
    if (read != NUMBER_OK || number < least || number > most)
        return json_blame(value, FRUGAL_SIZE, error, "%.*s is not from %lld to %lld",
                          (int)(text.len < 40 ? text.len : 40), text.ptr, (long long)least,
                          (long long)most);
    *integer = number;
    return FRUGAL_OK;
}

frugal_status json_get_string(const json_value *value, frugal_arena *arena, frugal_str *string,
                              frugal_error *error)
{
    json_text text;
    bool      high = false;
    size_t    bad;
    if (!text_of(value, &text))
        return mismatch(value, "a string", error);
    char *copy = frugal_arena_alloc(arena, json_unescape_room(text.len) + 1, 1);
    if (copy == NULL)
        return json_blame(value, FRUGAL_NOMEM, error, "no memory for a string");
    char *end = json_unescape(copy, text.ptr, text.len, &high, &bad);
    assert(end); /* it was checked */
    *end    = '\0';
    *string = (frugal_str){ copy, (size_t)(end - copy) };
    return FRUGAL_OK;
}

/* The digits of {"$hex": "…"}; false when it is something else. */
static bool hex_of(const json_value *value, json_value *digits)
{
    json_walk walk = json_enter(value);
    if (json_kind_of(value) != JSON_OBJECT || !json_next(&walk)
        || !json_string_is(&walk.key, JSON_HEX_KEY) || json_kind_of(&walk.value) != JSON_STRING)
        return false;
    *digits = walk.value;
    return !json_next(&walk);
}

frugal_status json_get_bytes(const json_value *value, frugal_arena *arena, frugal_bytes *bytes,
                             frugal_error *error)
{
    json_value digits = *value;
    frugal_str text;
    bool       hex = hex_of(value, &digits);
    if (!hex && json_kind_of(value) != JSON_STRING)
        return mismatch(value, "a string or {\"$hex\": \"\"}", error);
    frugal_status status = json_get_string(&digits, arena, &text, error);
    if (status)
        return status;
    uint8_t *out = (uint8_t *)(uintptr_t)text.ptr; /* ours, made above */
    if (hex && json_hex_read(out, text.ptr, text.len) != text.len)
        return json_blame(&digits, FRUGAL_SYNTAX, error, "no pairs of hexadecimal digits");
    *bytes = (frugal_bytes){ out, hex ? text.len / 2 : text.len };
    return FRUGAL_OK;
}
