/* json/escape.h - the text between two quotes, and the escapes in it. */
#ifndef JSON_ESCAPE_H
#define JSON_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/bytes.h"

/* ---- writing -------------------------------------------------------------------------------- */

/* The room that json_escape_write needs for `len` bytes; `len` at most SIZE_MAX / 8. A caller who
 * has less can write in pieces, with json_escape_part and the same room for each piece. */
ALWAYS_INLINE size_t json_escape_room(size_t len)
{
    return 6 * len + 32;
}

/* Writes the text with its quotes and returns the end of it: \" \\ \b \f \n \r \t, \u00XX for the
 * other control characters, all else as it is. What lies behind, within the room, may be changed.
 * `*high` is set when a byte of 0x80 or more was seen, and else left as it was: only then can the
 * text not be UTF-8, which nobody checks here. `in` may be NULL when `len` is 0. */
char *json_escape_write(char *out, const char *in, size_t len, bool *high);

/* The same without quotes. */
char *json_escape_part(char *out, const char *in, size_t len, bool *high);

/* ---- reading -------------------------------------------------------------------------------- */

/* The first byte that ends plain text: a quote, a backslash, a control character (below 0x20), or
 * `end`. `*high` as above, for the bytes before it. Nothing at `end` or behind it is read. */
const char *json_plain_end(const char *text, const char *end, bool *high);

/* The quote that closes the string of which `text` is the first character, or `end` when there is
 * none. Looks at nothing but quotes and backslashes. `*escaped` is set when there is a backslash
 * before it, else left. */
const char *json_string_end(const char *text, const char *end, bool *escaped);

/* Writes what the `len` bytes between two quotes mean, at most `len` bytes, and returns the end of
 * it. `out` has room for json_unescape_room(len); what lies behind within it may be changed. It
 * must not overlap `in`. \u of a surrogate is taken only as half of a pair. Whether bytes of 0x80
 * and more are UTF-8 is not checked here; `*high` is set when one was seen, and it is then enough
 * to check what was written. NULL: `*bad` is the offset of the byte that cannot be there, `len`
 * when the text ends inside an escape. */
char *json_unescape(char *out, const char *in, size_t len, bool *high, size_t *bad);

ALWAYS_INLINE size_t json_unescape_room(size_t len)
{
    return len + 16;
}

/* ---- the ways of doing it, for escape.c and its tests -----------------------------------------
 */

/* The same as above, on every machine; else SSE2 or NEON, which every x86-64 and AArch64 has. */
char       *json_escape_part_scalar(char *out, const char *in, size_t len, bool *high);
const char *json_plain_end_scalar(const char *text, const char *end, bool *high);
const char *json_string_end_scalar(const char *text, const char *end, bool *escaped);
char       *json_unescape_scalar(char *out, const char *in, size_t len, bool *high, size_t *bad);

#endif /* JSON_ESCAPE_H */
