/* json/read_text.c - strings and binaries, in all the forms they may have. */
#include "core/utf8.h"
#include "schema/text.h"
#include "json/base64.h"
#include "json/escape.h"
#include "json/hex.h"
#include "json/json.h"
#include "json/reader.h"

static void store(schema_span span, uint8_t *place)
{
    if (span.len == 0)
        span.ptr = (const uint8_t *)schema_empty;
    memcpy(place, &span, sizeof span);
}

/* Copies up to 15 bytes more than `len`: the arena has room for them (ARENA_SLACK), and `left` are
 * there to read. */
ALWAYS_INLINE void copy_loose(uint8_t *to, const char *from, size_t len, size_t left)
{
    if (LIKELY(len <= 64) && LIKELY(left >= len + 16)) {
        for (size_t done = 0; done < len; done += 16)
            memcpy(to + done, from + done, 16);
    } else {
        memcpy(to, from, len);
    }
}

/* The text as it is. */
ALWAYS_INLINE bool store_plain(json_reader *r, const char *at, const json_text *text,
                               uint8_t *place)
{
    uint8_t *copy = json_read_alloc(r, text->len, 1, at);
    if (UNLIKELY(copy == NULL))
        return false;
    copy_loose(copy, text->ptr, text->len, (size_t)(r->scan.end - text->ptr));
    store((schema_span){ copy, text->len }, place);
    return true;
}

/* What the text means, in new memory; its length to `*len`. NULL after a failure. */
static char *unescape(json_reader *r, const char *at, const json_text *text, size_t *len)
{
    bool   high = false;
    size_t bad  = 0;
    char  *copy = json_read_alloc(r, json_unescape_room(text->len), 1, at);
    if (copy == NULL)
        return NULL;
    char *end = json_unescape(copy, text->ptr, text->len, &high, &bad);
    if (end == NULL) {
        json_fail_text(&r->scan, at);
        return NULL;
    }
    *len = (size_t)(end - copy);
    json_read_shrink(r, copy, json_unescape_room(text->len), *len);
    return copy;
}

bool json_read_unescaped(json_reader *r, const char *at, json_text *text)
{
    size_t budget = r->budget, len;
    char  *copy   = unescape(r, at, text, &len);
    if (copy == NULL)
        return false;
    *text     = (json_text){ copy, len, false, true };
    r->budget = budget;
    return true;
}

static NEVER_INLINE bool store_escaped(json_reader *r, const char *at, const json_text *text,
                                       uint8_t *place)
{
    size_t len;
    char  *copy = unescape(r, at, text, &len);
    if (copy)
        store((schema_span){ (const uint8_t *)copy, len }, place);
    return copy != NULL;
}

/* ---- base64 --------------------------------------------------------------------------------- */

static void fail_base64(json_reader *r, const char *at, const json_text *text, bool escaped,
                        size_t bad)
{
    const uint8_t *where = (const uint8_t *)text->ptr + bad;
    if (bad >= text->len) {
        json_fail(&r->scan, escaped ? at : text->ptr + text->len, FRUGAL_SYNTAX,
                  "base64 ends in the middle");
        return;
    }
    size_t len = text_utf8(where, (const uint8_t *)text->ptr + text->len);
    if (len && *where > 0x20 && *where != 0x7f)
        json_fail(&r->scan, escaped ? at : (const char *)where, FRUGAL_SYNTAX,
                  "no base64: '%.*s', byte %zu of the text", (int)len, (const char *)where, bad);
    else
        json_fail(&r->scan, escaped ? at : (const char *)where, FRUGAL_SYNTAX,
                  "no base64: 0x%02x, byte %zu of the text", (unsigned)*where, bad);
}

/* A text with escapes (\/ is one that some write) is unescaped behind the room for the bytes, and
 * forgotten. */
static bool store_base64(json_reader *r, const char *at, const json_text *text, uint8_t *place)
{
    json_text         plain   = *text;
    bool              escaped = text->escaped;
    size_t            room = json_base64_room(text->len), size, bad = 0;
    uint8_t          *bytes = json_read_alloc(r, room, 1, at);
    frugal_arena_mark mark  = arena_get_mark(r->arena);
    if (bytes == NULL || (escaped && !json_read_unescaped(r, at, &plain)))
        return false;
    if (!json_base64_read(bytes, plain.ptr, plain.len, &size, &bad)) {
        fail_base64(r, at, &plain, escaped, bad);
        return false;
    }
    if (escaped)
        frugal_arena_rewind(r->arena, mark);
    json_read_shrink(r, bytes, room, size);
    store((schema_span){ bytes, size }, place);
    return true;
}

/* The common one has nothing but base64 before the next quote; no need to look for anything else
 * first. NULL is no failure: then it takes the long way. */
static const char *read_base64(json_reader *r, const char *at, uint8_t *place)
{
    const char *begin = at + 1;
    const char *close = memchr(begin, '"', (size_t)(r->scan.end - begin));
    size_t      size, bad;
    if (close == NULL)
        return NULL;
    size_t            len   = (size_t)(close - begin);
    size_t            room  = json_base64_room(len);
    frugal_arena_mark mark  = arena_get_mark(r->arena);
    uint8_t          *bytes = room <= r->budget ? arena_alloc(r->arena, room, 1) : NULL;
    if (bytes == NULL)
        return NULL;
    if (!json_base64_read(bytes, begin, len, &size, &bad)) {
        frugal_arena_rewind(r->arena, mark);
        return NULL;
    }
    r->budget -= room;
    json_read_shrink(r, bytes, room, size);
    store((schema_span){ bytes, size }, place);
    return close + 1;
}

/* ---- {"$hex": "…"} -------------------------------------------------------------------------- */

static bool store_hex(json_reader *r, const char *at, const json_text *text, schema_span *bytes)
{
    json_text plain = *text;
    char      word[JSON_WORD_MAX];
    uint8_t  *out = json_read_alloc(r, text->len / 2 + 1, 1, at);
    if (out == NULL)
        return false;
    frugal_arena_mark mark = arena_get_mark(r->arena);
    if (text->escaped && !json_read_unescaped(r, at, &plain))
        return false;
    size_t bad = json_hex_read(out, plain.ptr, plain.len);
    if (bad != plain.len) {
        const char *where = text->escaped || bad > plain.len ? at : plain.ptr + bad;
        json_fail(&r->scan, where, FRUGAL_SYNTAX, "no pairs of hexadecimal digits: %s",
                  json_word(&r->scan, where, word));
        return false;
    }
    frugal_arena_rewind(r->arena, mark);
    json_read_shrink(r, out, text->len / 2 + 1, plain.len / 2);
    *bytes = (schema_span){ plain.len ? out : (const uint8_t *)schema_empty, plain.len / 2 };
    return true;
}

const char *json_read_hex(json_reader *r, const char *at, const char *expected, schema_span *bytes)
{
    json_scan  *scan = &r->scan;
    const char *end  = scan->end;
    json_text   key, text;
    if (at == end || *at != '{')
        return json_fail_kind(scan, at, expected);
    const char *digits = json_space(at + 1, end);
    if (digits < end && *digits == '}')
        return json_fail_kind(scan, at, expected);
    digits = json_key(scan, digits, &key);
    if (digits == NULL)
        return NULL;
    if (!json_text_is(&key, JSON_HEX_KEY, sizeof JSON_HEX_KEY - 1))
        return json_fail_kind(scan, at, expected);
    if (digits == end || *digits != '"')
        return json_fail_kind(scan, digits, "a string of hexadecimal digits");
    const char *behind = json_quoted(scan, digits, &text);
    if (behind == NULL || !store_hex(r, digits, &text, bytes))
        return NULL;
    behind = json_space(behind, end);
    if (behind < end && *behind == ',')
        return json_fail_kind(scan, at, expected);
    if (behind == end || *behind != '}')
        return json_fail_word(scan, behind, "}");
    return behind + 1;
}

/* ---- either --------------------------------------------------------------------------------- */

bool json_read_key_text(json_reader *r, const json_type *type, const char *at,
                        const json_text *text, uint8_t *place)
{
    if (type->kind == FRUGAL_KIND_BINARY && !r->binary_utf8)
        return store_base64(r, at, text, place);
    return text->escaped ? store_escaped(r, at, text, place) : store_plain(r, at, text, place);
}

const char *json_read_text(json_reader *r, const json_type *type, const char *at, uint8_t *place)
{
    const char *end = r->scan.end;
    json_text   text;
    if (UNLIKELY(at == end) || UNLIKELY(*at != '"')) {
        bool        is_string = type->kind == FRUGAL_KIND_STRING;
        schema_span bytes;
        at = json_read_hex(r, at, is_string ? "a string" : "a string (binary)", &bytes);
        if (at)
            store(bytes, place);
        return at;
    }
    bool        is_text = type->kind == FRUGAL_KIND_STRING || r->binary_utf8;
    const char *behind  = is_text ? json_read_string(r, at, place) : read_base64(r, at, place);
    if (LIKELY(behind != NULL))
        return behind;
    behind = json_quoted(&r->scan, at, &text);
    if (UNLIKELY(behind == NULL))
        return NULL;
    return json_read_key_text(r, type, at, &text, place) ? behind : NULL;
}
