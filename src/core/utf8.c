/* core/utf8.c - well-formed UTF-8, by Unicode's table 3-7.
 *
 * The second byte of a character carries all that is hard: its range depends on the first byte, and
 * excludes overlong forms (after E0, F0), surrogates (ED) and what lies above U+10FFFF (F4).
 * utf8_wide.c knows the same by other tables, and says yes or no faster. */
#include "core/utf8.h"

#include "core/bytes.h"

#define HIGH_BITS UINT64_C(0x8080808080808080)

static bool in_range(uint8_t byte, uint8_t low, uint8_t high)
{
    return byte >= low && byte <= high;
}

static bool is_tail(uint8_t byte)
{
    return (byte & 0xc0) == 0x80;
}

static bool valid_second(uint8_t first, uint8_t second)
{
    switch (first) {
    case 0xe0: return in_range(second, 0xa0, 0xbf);
    case 0xed: return in_range(second, 0x80, 0x9f);
    case 0xf0: return in_range(second, 0x90, 0xbf);
    case 0xf4: return in_range(second, 0x80, 0x8f);
    default: return is_tail(second);
    }
}

/* Bytes of the character at `p`, whose first byte is not ASCII; 0: it is not well formed. */
static size_t character_size(const uint8_t *p, const uint8_t *end)
{
    size_t size = in_range(*p, 0xc2, 0xdf)   ? 2
                  : in_range(*p, 0xe0, 0xef) ? 3
                  : in_range(*p, 0xf0, 0xf4) ? 4
                                             : 0;
    if (size == 0 || (size_t)(end - p) < size || !valid_second(p[0], p[1]))
        return 0;
    if (size > 2 && !is_tail(p[2]))
        return 0;
    if (size > 3 && !is_tail(p[3]))
        return 0;
    return size;
}

/* Most text is ASCII, most of the rest is ASCII with a few words between: 16 bytes at once. */
static const uint8_t *skip_ascii(const uint8_t *p, const uint8_t *end)
{
    while (end - p >= 16 && ((load_u64(p) | load_u64(p + 8)) & HIGH_BITS) == 0)
        p += 16;
    if (end - p >= 8 && (load_u64(p) & HIGH_BITS) == 0)
        p += 8;
    while (p < end && *p < 0x80)
        p++;
    return p;
}

size_t utf8_valid_prefix_scalar(const void *text, size_t len)
{
    if (len == 0)
        return 0;
    const uint8_t *start = text;
    const uint8_t *end   = start + len;
    const uint8_t *p     = skip_ascii(start, end);
    while (p < end) {
        size_t size = character_size(p, end);
        if (size == 0)
            break;
        p += size;
        if (p < end && *p < 0x80)
            p = skip_ascii(p, end);
    }
    return (size_t)(p - start);
}

/* Nearly all text is right, and then this is fast. Where it is wrong is found byte by byte. */
size_t utf8_valid_prefix(const void *text, size_t len)
{
#if UTF8_WIDE
    if (len && utf8_has_wide() && utf8_wide_is_valid(text, len))
        return len;
#endif
    return utf8_valid_prefix_scalar(text, len);
}
