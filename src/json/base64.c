/* json/base64.c - base64, the parts that every machine does; base64_wide.c does the bulk. */
#include "json/base64.h"

static const char alphabet[64] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* From so many bytes or characters on the widest lanes are worth it. */
#define AVX2_MIN 64

/* ---- writing -------------------------------------------------------------------------------- */

ALWAYS_INLINE void put_four(char *out, uint32_t bits)
{
    out[0] = alphabet[bits >> 18];
    out[1] = alphabet[bits >> 12 & 63];
    out[2] = alphabet[bits >> 6 & 63];
    out[3] = alphabet[bits & 63];
}

char *json_base64_write_scalar(char *out, const uint8_t *in, size_t size)
{
    for (; size >= 3; size -= 3, in += 3, out += 4)
        put_four(out, (uint32_t)in[0] << 16 | (uint32_t)in[1] << 8 | in[2]);
    if (size == 0)
        return out;
    put_four(out, (uint32_t)in[0] << 16 | (size == 2 ? (uint32_t)in[1] << 8 : 0));
    out[3] = '=';
    if (size == 1)
        out[2] = '=';
    return out + 4;
}

char *json_base64_write(char *out, const uint8_t *in, size_t size)
{
    size_t done = 0;
#if BASE64_AVX2
    if (size >= AVX2_MIN && __builtin_cpu_supports("avx2"))
        done = base64_write_avx2(out, in, size);
#endif
#if BASE64_WIDE
    if (size - done >= 16 && base64_has_wide())
        done += base64_write_wide(out + done / 3 * 4, in + done, size - done);
#endif
    return json_base64_write_scalar(out + done / 3 * 4, size ? in + done : in, size - done);
}

/* ---- reading -------------------------------------------------------------------------------- */

/* The place in the alphabet, from 1; 0: not in it. */
static const uint8_t letters[256] = {
    ['A'] = 1,  ['B'] = 2,  ['C'] = 3,  ['D'] = 4,  ['E'] = 5,  ['F'] = 6,  ['G'] = 7,  ['H'] = 8,
    ['I'] = 9,  ['J'] = 10, ['K'] = 11, ['L'] = 12, ['M'] = 13, ['N'] = 14, ['O'] = 15, ['P'] = 16,
    ['Q'] = 17, ['R'] = 18, ['S'] = 19, ['T'] = 20, ['U'] = 21, ['V'] = 22, ['W'] = 23, ['X'] = 24,
    ['Y'] = 25, ['Z'] = 26, ['a'] = 27, ['b'] = 28, ['c'] = 29, ['d'] = 30, ['e'] = 31, ['f'] = 32,
    ['g'] = 33, ['h'] = 34, ['i'] = 35, ['j'] = 36, ['k'] = 37, ['l'] = 38, ['m'] = 39, ['n'] = 40,
    ['o'] = 41, ['p'] = 42, ['q'] = 43, ['r'] = 44, ['s'] = 45, ['t'] = 46, ['u'] = 47, ['v'] = 48,
    ['w'] = 49, ['x'] = 50, ['y'] = 51, ['z'] = 52, ['0'] = 53, ['1'] = 54, ['2'] = 55, ['3'] = 56,
    ['4'] = 57, ['5'] = 58, ['6'] = 59, ['7'] = 60, ['8'] = 61, ['9'] = 62, ['+'] = 63, ['/'] = 64,
};

/* The bits of four letters; more than 24 of them when one is no letter. */
ALWAYS_INLINE uint32_t take_four(const char *in)
{
    uint32_t a = letters[(uint8_t)in[0]] - 1u, b = letters[(uint8_t)in[1]] - 1u;
    uint32_t c = letters[(uint8_t)in[2]] - 1u, d = letters[(uint8_t)in[3]] - 1u;
    return (a | b | c | d) > 63 ? UINT32_MAX : a << 18 | b << 12 | c << 6 | d;
}

/* Behind `count` letters of a group that has no fourth: nothing, or all of the padding. Else the
 * offset of what is wrong, from the first letter; `len` when something is missing. */
static bool check_padding(const char *in, size_t len, size_t count, size_t *bad)
{
    *bad = count;
    if (count == len)
        return count != 1;
    if (count < 2)
        return false;
    for (; *bad < 4; (*bad)++) {
        if (*bad == len || in[*bad] != '=')
            return false;
    }
    return len == 4;
}

/* The last letters, three at most, with their padding. */
static bool read_last(uint8_t *out, const char *in, size_t len, size_t *size, size_t *bad)
{
    uint32_t bits  = 0;
    size_t   count = 0;
    for (; count < len && letters[(uint8_t)in[count]]; count++)
        bits = bits << 6 | (letters[(uint8_t)in[count]] - 1u);
    if (!check_padding(in, len, count, bad))
        return false;
    *size = count ? count - 1 : 0;
    if (count == 0)
        return true;
    bits <<= 6 * (4 - count);
    *bad = count - 1; /* the letter whose last bits are no part of a byte */
    if (bits & (count == 2 ? 0xffff : 0xff))
        return false;
    out[0] = (uint8_t)(bits >> 16);
    if (count == 3)
        out[1] = (uint8_t)(bits >> 8);
    return true;
}

/* From the offset `done` on, a multiple of four. */
static bool read_from(uint8_t *out, const char *in, size_t len, size_t done, size_t *size,
                      size_t *bad)
{
    size_t made = done / 4 * 3;
    for (; len - done >= 4; done += 4, made += 3) {
        uint32_t bits = take_four(in + done);
        if (UNLIKELY(bits == UINT32_MAX))
            break;
        out[made]     = (uint8_t)(bits >> 16);
        out[made + 1] = (uint8_t)(bits >> 8);
        out[made + 2] = (uint8_t)bits;
    }
    size_t more = 0, wrong = 0;
    if (len != done && !read_last(out + made, in + done, len - done, &more, &wrong)) {
        *bad = done + wrong;
        return false;
    }
    *size = made + more;
    return true;
}

bool json_base64_read_scalar(uint8_t *out, const char *in, size_t len, size_t *size, size_t *bad)
{
    return read_from(out, in, len, 0, size, bad);
}

/* The bulk, in steps of sixteen characters. What ends before a lane does is not worth a call. */
ALWAYS_INLINE size_t read_bulk(uint8_t *out, const char *in, size_t len)
{
    size_t done = 0;
#if BASE64_AVX2
    if (len >= AVX2_MIN && letters[(uint8_t)in[31]] && __builtin_cpu_supports("avx2"))
        done = base64_read_avx2(out, in, len);
#endif
#if BASE64_WIDE
    if (len - done >= 16 && letters[(uint8_t)in[done + 15]] && base64_has_wide())
        done += base64_read_wide(out + done / 4 * 3, in + done, len - done);
#endif
    return done;
}

bool json_base64_read(uint8_t *out, const char *in, size_t len, size_t *size, size_t *bad)
{
    size_t done = read_bulk(out, in, len);
    return read_from(out, in, len, done, size, bad);
}
