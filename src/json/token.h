/* json/token.h - the words of JSON, by RFC 8259 and nothing more, and what is said when one is
 * wrong.
 *
 * A scan goes over one text. All functions take where they stand and return where they end, or NULL
 * after a failure, of which the scan keeps the status and fills the error. Nothing is read at `end`
 * or behind it. */
#ifndef JSON_TOKEN_H
#define JSON_TOKEN_H

#include "core/bytes.h"
#include "json/scan.h"

typedef struct json_scan {
    const char   *start, *end;
    json_place    place;     /* of `start` */
    uint32_t      left;      /* levels that may still be entered */
    uint32_t      depth_max; /* for the sentence alone */
    frugal_status status;    /* of the failure */
    frugal_error *error;     /* may be NULL */
} json_scan;

/* `depth_max` 0: the default. */
json_scan json_scan_of(frugal_str text, json_place place, uint32_t depth_max, frugal_error *error);

/* ---- failures ------------------------------------------------------------------------------- */

/* Each returns NULL. */
__attribute__((format(printf, 4, 5))) const char *json_fail(json_scan *scan, const char *at,
                                                            frugal_status status,
                                                            const char   *format, ...);

/* What stands at `at` cannot be there: "expected a value, found x", FRUGAL_SYNTAX; TRUNCATED at the
 * end. */
const char *json_fail_word(json_scan *scan, const char *at, const char *expected);

/* A value stands at `at`, but of another kind: FRUGAL_MISMATCH, in the same words. When it is not
 * well formed, that is the failure. */
const char *json_fail_kind(json_scan *scan, const char *at, const char *expected);

const char *json_fail_depth(json_scan *scan, const char *at);

/* The string that begins at `at` and has an end could not be unescaped. */
const char *json_fail_text(json_scan *scan, const char *at);

/* The number that begins at `number` cannot go on so at `at`. */
const char *json_fail_number(json_scan *scan, const char *number, const char *at);

/* The word at `at` for a sentence: cut, and without what a terminal might act on. */
#define JSON_WORD_MAX 48
const char *json_word(const json_scan *scan, const char *at, char word[JSON_WORD_MAX]);

/* ---- words ---------------------------------------------------------------------------------- */

ALWAYS_INLINE const char *json_space(const char *at, const char *end)
{
    while (at < end && UNLIKELY((uint8_t)*at <= ' ')
           && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
        at++;
    return at;
}

/* Behind any value at `at`. */
const char *json_skip(json_scan *scan, const char *at);

/* What stands between two quotes. */
typedef struct json_text {
    const char *ptr;
    size_t      len;
    bool        escaped; /* there is a backslash in it */
    bool        high;    /* a byte of 0x80 or more may be in it; it is UTF-8 */
} json_text;

/* Behind the string at `at`, which begins with a quote. Of a text with escapes only the end is
 * found: json_skip checks more, and so does who unescapes. */
const char *json_quoted(json_scan *scan, const char *at, json_text *text);

/* Behind the key at `at`, the colon and white space: where the value begins. All of the key is
 * checked. */
const char *json_key(json_scan *scan, const char *at, json_text *text);

/* The same behind a key: over the colon. */
const char *json_colon(json_scan *scan, const char *at);

/* Whether the text, unescaped, is this one. The text was checked. */
bool json_text_is(const json_text *text, const char *wanted, size_t len);

/* The literal at `at`: "true", "false", "null". */
const char *json_literal(json_scan *scan, const char *at, const char *literal);

/* Behind an element or member: at the next one, or behind `close`, where `*more` is false. */
ALWAYS_INLINE const char *json_next_item(json_scan *scan, const char *at, char close, bool *more);
const char               *json_fail_item(json_scan *scan, const char *at, char close);

ALWAYS_INLINE const char *json_next_item(json_scan *scan, const char *at, char close, bool *more)
{
    const char *end = scan->end;
    if (UNLIKELY(at == end) || (*at != ',' && *at != close))
        at = json_space(at, end);
    if (UNLIKELY(at == end) || (*at != ',' && *at != close))
        return json_fail_item(scan, at, close);
    *more = *at++ == ',';
    return *more ? json_space(at, end) : at;
}

#endif /* JSON_TOKEN_H */
