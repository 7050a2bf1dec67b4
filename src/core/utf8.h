/* core/utf8.h - is this text UTF-8? */
#ifndef CORE_UTF8_H
#define CORE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/bytes.h"

/* How many bytes at the front of `text` are whole, well-formed characters: `len` when all is UTF-8,
 * else the offset of the first wrong or cut one. Strict, as Unicode's table 3-7: no overlong forms,
 * no surrogates, nothing above U+10FFFF. `text` may be NULL when `len` is 0. */
size_t utf8_valid_prefix(const void *text, size_t len);

/* ---- the ways of doing it, for utf8.c and its tests --------------------------------------------
 */

/* The same on every machine. */
size_t utf8_valid_prefix_scalar(const void *text, size_t len);

#if defined(__x86_64__) || (defined(__aarch64__) && BYTES_LITTLE_ENDIAN)
#    define UTF8_WIDE 1
/* Whether all of it is UTF-8, 16 bytes at once with SSSE3 or NEON. */
bool utf8_wide_is_valid(const uint8_t *text, size_t len);

/* Does this CPU have it? */
bool utf8_has_wide(void);
#else
#    define UTF8_WIDE 0
#endif

#endif /* CORE_UTF8_H */
