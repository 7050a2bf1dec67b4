/* json/base64.h - bytes as text, by RFC 4648 with the standard alphabet. */
#ifndef JSON_BASE64_H
#define JSON_BASE64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/bytes.h"

/* How many characters json_base64_write writes for `size` bytes. `size` at most SIZE_MAX / 2. */
ALWAYS_INLINE size_t json_base64_size(size_t size)
{
    return (size + 2) / 3 * 4;
}

/* How much room json_base64_read needs for `len` characters; what they mean is at most as large. */
ALWAYS_INLINE size_t json_base64_room(size_t len)
{
    return len / 4 * 3 + (len % 4 ? len % 4 - 1 : 0);
}

/* Writes json_base64_size(size) characters, padded, and returns the end of them. Nothing behind is
 * touched, and nothing read outside of `in`, which may be NULL when `size` is 0. */
char *json_base64_write(char *out, const uint8_t *in, size_t size);

/* The bytes that `len` characters mean go to `out`, which has json_base64_room(len) bytes, and
 * their number to `*size`. Padding may be missing, but not half of it; bits that are left over must
 * be zero; nothing else may stand there, no white space either. On failure false, `*bad` is the
 * offset of the first wrong character (`len`: one is missing) and `out` has garbage. `in` may be
 * NULL when `len` is 0. */
bool json_base64_read(uint8_t *out, const char *in, size_t len, size_t *size, size_t *bad);

/* ---- the ways of doing it, for base64.c and its tests -----------------------------------------
 */

#if defined(__x86_64__) || (defined(__aarch64__) && BYTES_LITTLE_ENDIAN)
#    define BASE64_WIDE 1
#else
#    define BASE64_WIDE 0
#endif

/* The same as above, on every machine. */
char *json_base64_write_scalar(char *out, const uint8_t *in, size_t size);
bool  json_base64_read_scalar(uint8_t *out, const char *in, size_t len, size_t *size, size_t *bad);

#if BASE64_WIDE
/* What can be done 12 bytes or 16 characters at once, SSSE3 or NEON: returns how many bytes
 * (characters) of `in` were taken, a multiple of 12 (16). Reading stops before 16 characters of
 * which one is none of the alphabet. Nothing outside of `in`, nor of the room for all of it, is
 * touched. */
size_t base64_write_wide(char *out, const uint8_t *in, size_t size);
size_t base64_read_wide(uint8_t *out, const char *in, size_t len);

/* Does this CPU have it? */
bool base64_has_wide(void);
#endif

/* The same, 24 bytes or 32 characters at once, where the CPU has AVX2. */
#if defined(__x86_64__)
#    define BASE64_AVX2 1
size_t base64_write_avx2(char *out, const uint8_t *in, size_t size);
size_t base64_read_avx2(uint8_t *out, const char *in, size_t len);
#else
#    define BASE64_AVX2 0
#endif

#endif /* JSON_BASE64_H */
