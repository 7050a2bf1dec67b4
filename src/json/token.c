/* json/token.c - the words of JSON. */
#include "json/token.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "core/number.h"
#include "core/utf8.h"
#include "schema/text.h"
#include "json/escape.h"
#include "json/json.h"

json_scan json_scan_of(frugal_str text, json_place place, uint32_t depth_max, frugal_error *error)
{
    static const char nothing[1];
    const char       *start = text.ptr ? text.ptr : nothing;
    uint32_t          most  = json_depth_max(depth_max);
    return (json_scan){ start, start + text.len, place, most, most, FRUGAL_OK, error };
}

json_place json_place_behind(json_place place, frugal_str text)
{
    const char *at = text.ptr, *end = at + text.len;
    place.offset += text.len;
    for (const char *line; at < end && (line = memchr(at, '\n', (size_t)(end - at))) != NULL;) {
        at           = line + 1;
        place.column = 1;
        place.line++;
    }
    place.column += (uint32_t)(end - at);
    return place;
}

/* ---- failures ------------------------------------------------------------------------------- */

const char *json_fail(json_scan *scan, const char *at, frugal_status status, const char *format,
                      ...)
{
    scan->status = status;
    if (scan->error == NULL)
        return NULL;
    json_place place =
        json_place_behind(scan->place, (frugal_str){ scan->start, (size_t)(at - scan->start) });
    va_list arguments;
    error_set(scan->error, status, "%s", "");
    va_start(arguments, format);
    vsnprintf(scan->error->message, sizeof scan->error->message, format, arguments);
    va_end(arguments);
    scan->error->offset = place.offset;
    scan->error->line   = place.line;
    scan->error->column = place.column;
    return NULL;
}

/* Bytes of the word at `at`: a string with its quotes, else up to something that ends a word. */
static size_t word_len(const char *at, const char *end)
{
    static const char ends[] = " \t\r\n,:[]{}\"";
    const char       *behind = at + 1;
    if (*at == '"') {
        bool escaped = false;
        behind       = json_string_end(at + 1, end, &escaped);
        return (size_t)(behind - at) + (behind < end);
    }
    if (memchr(ends, *at, sizeof ends - 1) == NULL)
        while (behind < end && memchr(ends, *behind, sizeof ends - 1) == NULL)
            behind++;
    return (size_t)(behind - at);
}

const char *json_word(const json_scan *scan, const char *at, char word[JSON_WORD_MAX])
{
    static const char ellipsis[] = "\xe2\x80\xa6"; /* … */
    if (at == scan->end)
        return "the end of the text";
    const uint8_t *text = (const uint8_t *)at, *end = (const uint8_t *)scan->end;
    size_t         len = word_len(at, scan->end), shown = 0;
    if (len > 2 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
        return "a byte order mark";
    while (shown < len && shown < JSON_WORD_MAX - 8) {
        size_t step = text_utf8(text + shown, end);
        bool   show = step && text[shown] >= 0x20 && text[shown] != 0x7f
                    && !(text[shown] == 0xc2 && text[shown + 1] < 0xa0);
        if (show)
            memcpy(word + shown, text + shown, step);
        else
            word[shown] = '?';
        shown += show ? step : 1;
    }
    memcpy(word + shown, shown < len ? ellipsis : "", shown < len ? sizeof ellipsis : 1);
    return word;
}

const char *json_fail_word(json_scan *scan, const char *at, const char *expected)
{
    char          word[JSON_WORD_MAX];
    frugal_status status = at == scan->end ? FRUGAL_TRUNCATED : FRUGAL_SYNTAX;
    return json_fail(scan, at, status, "expected %s, found %s", expected,
                     json_word(scan, at, word));
}

const char *json_fail_kind(json_scan *scan, const char *at, const char *expected)
{
    char word[JSON_WORD_MAX];
    if (at == scan->end)
        return json_fail_word(scan, at, expected);
    if (json_skip(scan, at) == NULL)
        return NULL;
    return json_fail(scan, at, FRUGAL_MISMATCH, "expected %s, found %s", expected,
                     json_word(scan, at, word));
}

const char *json_fail_depth(json_scan *scan, const char *at)
{
    return json_fail(scan, at, FRUGAL_DEPTH, JSON_TOO_DEEP, (unsigned)scan->depth_max);
}

/* Something else stands at `at`; a bracket that closes behind a comma is the common mistake. */
static const char *fail_behind_comma(json_scan *scan, const char *at, char close,
                                     const char *expected)
{
    const char *before = at;
    if (at == scan->end || *at != close)
        return json_fail_word(scan, at, expected);
    while (before > scan->start && memchr(" \t\r\n", before[-1], 4))
        before--;
    if (before == scan->start || before[-1] != ',')
        return json_fail_word(scan, at, expected);
    return json_fail(scan, at, FRUGAL_SYNTAX, "no comma before %c", close);
}

const char *json_fail_item(json_scan *scan, const char *at, char close)
{
    return json_fail_word(scan, at, close == '}' ? "a comma or }" : "a comma or ]");
}

/* ---- strings -------------------------------------------------------------------------------- */

static const char *fail_unfinished(json_scan *scan, const char *at)
{
    return json_fail(scan, at, FRUGAL_TRUNCATED, "the text ends inside a string");
}

static const char *fail_control(json_scan *scan, const char *at)
{
    return json_fail(scan, at, FRUGAL_SYNTAX, "the control character 0x%02x inside a string",
                     (unsigned)(uint8_t)*at);
}

static bool check_utf8(json_scan *scan, const char *text, size_t len)
{
    size_t valid = utf8_valid_prefix(text, len);
    if (valid < len)
        json_fail(scan, text + valid, FRUGAL_UTF8, "the byte 0x%02x is not UTF-8",
                  (unsigned)(uint8_t)text[valid]);
    return valid == len;
}

const char *json_quoted(json_scan *scan, const char *at, json_text *text)
{
    const char *begin = at + 1, *end = scan->end;
    bool        high = false, escaped = false;
    const char *close = json_plain_end(begin, end, &high);
    if (UNLIKELY(close == end))
        return fail_unfinished(scan, at);
    if (UNLIKELY(*close != '"')) {
        if (*close != '\\')
            return fail_control(scan, close);
        close = json_string_end(close, end, &escaped);
        high  = true; /* nobody looked behind the backslash */
        if (close == end)
            return fail_unfinished(scan, at);
    }
    if (UNLIKELY(high) && !check_utf8(scan, begin, (size_t)(close - begin)))
        return NULL;
    *text = (json_text){ begin, (size_t)(close - begin), escaped, high };
    return close + 1;
}

/* Bytes of the escape at `at`, 0 when it is none: \n, \u00e9, or two halves of a pair. */
static size_t escape_len(const char *at, const char *end, size_t *bad)
{
    char   meaning[16];
    bool   high = false;
    size_t left = (size_t)(end - at), len = 2;
    if (left >= 2 && at[1] == 'u') {
        len = 6;
        if (left >= 7 && (at[2] | 0x20) == 'd' && memchr("89abAB", at[3], 6) && at[6] == '\\')
            len = 12;
    }
    len = len < left ? len : left;
    return json_unescape(meaning, at, len, &high, bad) ? len : 0;
}

/* In the string that begins at `string`, the byte escape[bad] cannot be there. */
static const char *fail_escape(json_scan *scan, const char *string, const char *escape, size_t bad)
{
    char word[JSON_WORD_MAX];
    bool escaped = false;
    if (json_string_end(string + 1, scan->end, &escaped) == scan->end)
        return fail_unfinished(scan, string);
    if ((uint8_t)escape[bad] < 0x20)
        return fail_control(scan, escape + bad);
    return json_fail(scan, escape, FRUGAL_SYNTAX, "no escape: %s", json_word(scan, escape, word));
}

static const char *skip_string(json_scan *scan, const char *at)
{
    const char *begin = at + 1, *end = scan->end, *p = begin;
    bool        high = false;
    for (;;) {
        p = json_plain_end(p, end, &high);
        if (p == end)
            return fail_unfinished(scan, at);
        if (*p == '"')
            break;
        if (*p != '\\')
            return fail_control(scan, p);
        size_t bad = 0, len = escape_len(p, end, &bad);
        if (len == 0)
            return fail_escape(scan, at, p, bad);
        p += len;
    }
    if (UNLIKELY(high) && !check_utf8(scan, begin, (size_t)(p - begin)))
        return NULL;
    return p + 1;
}

/* Skipping looks at the same escapes, and finds the place. */
const char *json_fail_text(json_scan *scan, const char *at)
{
    const char *behind = skip_string(scan, at);
    assert(behind == NULL);
    (void)behind;
    return NULL;
}

const char *json_key(json_scan *scan, const char *at, json_text *text)
{
    const char *end = scan->end;
    if (at == end || *at != '"')
        return fail_behind_comma(scan, at, '}', "a key");
    const char *behind = json_quoted(scan, at, text);
    if (behind && text->escaped)
        behind = skip_string(scan, at);
    return behind ? json_colon(scan, behind) : NULL;
}

const char *json_colon(json_scan *scan, const char *at)
{
    at = json_space(at, scan->end);
    if (at == scan->end || *at != ':')
        return json_fail_word(scan, at, "a colon");
    return json_space(at + 1, scan->end);
}

bool json_text_is(const json_text *text, const char *wanted, size_t len)
{
    if (!text->escaped)
        return text->len == len && memcmp(text->ptr, wanted, len) == 0;
    const char *at = text->ptr, *end = at + text->len;
    while (at < end && len) {
        char   meaning[16];
        bool   high = false;
        size_t bad, step = *at == '\\' ? escape_len(at, end, &bad) : 1;
        assert(step);
        char  *behind = json_unescape(meaning, at, step, &high, &bad);
        size_t size   = (size_t)(behind - meaning);
        if (size > len || memcmp(meaning, wanted, size) != 0)
            return false;
        at += step;
        wanted += size;
        len -= size;
    }
    return at == end && len == 0;
}

/* ---- any value ------------------------------------------------------------------------------ */

const char *json_literal(json_scan *scan, const char *at, const char *literal)
{
    size_t len = strlen(literal), left = (size_t)(scan->end - at);
    size_t same = 0;
    while (same < len && same < left && at[same] == literal[same])
        same++;
    if (same == len)
        return at + len;
    if (same == left)
        return json_fail(scan, at, FRUGAL_TRUNCATED, "the text ends inside %s", literal);
    return json_fail_word(scan, at, literal);
}

const char *json_fail_number(json_scan *scan, const char *number, const char *at)
{
    char word[JSON_WORD_MAX];
    if (at == scan->end)
        return json_fail(scan, number, FRUGAL_TRUNCATED, "the text ends inside a number");
    return json_fail(scan, at, FRUGAL_SYNTAX, "no number: %s", json_word(scan, number, word));
}

static const char *skip_number(json_scan *scan, const char *at)
{
    const char *behind = at;
    if (*at != '-' && (*at < '0' || *at > '9'))
        return fail_behind_comma(scan, at, ']', "a value");
    return number_skip(&behind, scan->end) == NUMBER_OK ? behind
                                                        : json_fail_number(scan, at, behind);
}

static const char *skip_members(json_scan *scan, const char *at)
{
    json_text key;
    bool      more = true;
    at             = json_space(at + 1, scan->end);
    if (at < scan->end && *at == '}')
        return at + 1;
    while (at && more) {
        at = json_key(scan, at, &key);
        if (at)
            at = json_skip(scan, at);
        if (at)
            at = json_next_item(scan, at, '}', &more);
    }
    return at;
}

static const char *skip_elements(json_scan *scan, const char *at)
{
    bool more = true;
    at        = json_space(at + 1, scan->end);
    if (at < scan->end && *at == ']')
        return at + 1;
    while (at && more) {
        at = json_skip(scan, at);
        if (at)
            at = json_next_item(scan, at, ']', &more);
    }
    return at;
}

static const char *skip_nested(json_scan *scan, const char *at)
{
    if (scan->left == 0)
        return json_fail_depth(scan, at);
    scan->left--;
    at = *at == '{' ? skip_members(scan, at) : skip_elements(scan, at);
    scan->left++;
    return at;
}

const char *json_skip(json_scan *scan, const char *at)
{
    if (at == scan->end)
        return json_fail_word(scan, at, "a value");
    switch (*at) {
    case '"': return skip_string(scan, at);
    case '{':
    case '[': return skip_nested(scan, at);
    case 't': return json_literal(scan, at, "true");
    case 'f': return json_literal(scan, at, "false");
    case 'n': return json_literal(scan, at, "null");
    default: return skip_number(scan, at);
    }
}
