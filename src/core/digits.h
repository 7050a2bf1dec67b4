/* core/digits.h - eight decimal digits in one word, as text and as a number.
 *
 * In the word the first digit has the lowest byte, on every machine. */
#ifndef CORE_DIGITS_H
#define CORE_DIGITS_H

#include "core/bytes.h"

#if defined(__x86_64__)
#    include <emmintrin.h>
#endif

#define DIGITS_ZEROS UINT64_C(0x3030303030303030)

ALWAYS_INLINE uint64_t digits_load(const char *from)
{
    uint64_t word = load_u64(from);
    return BYTES_LITTLE_ENDIAN ? word : __builtin_bswap64(word);
}

ALWAYS_INLINE void digits_store(char *to, uint64_t word)
{
    store_u64(to, BYTES_LITTLE_ENDIAN ? word : __builtin_bswap64(word));
}

/* The digits of a value below 10^8, each 0 to 9: add DIGITS_ZEROS for text. Three times all numbers
 * are divided at once: into two of four digits, four of two, eight of one. A product by a rounded
 * reciprocal and a shift is exact for numbers as small as these. */
ALWAYS_INLINE uint64_t digits_split(uint32_t value)
{
    uint64_t upper = value / 10000;
    uint64_t fours = upper | (uint64_t)(value - (uint32_t)upper * 10000) << 32;
    uint64_t over  = ((fours * 5243) >> 19) & UINT64_C(0x0000007f0000007f); /* 1/100 */
    uint64_t twos  = over | (fours - over * 100) << 16;
    uint64_t tens  = ((twos * 103) >> 10) & UINT64_C(0x000f000f000f000f); /* 1/10 */
    return tens | (twos - tens * 10) << 8;
}

/* Writes all 16 digits of upper * 10^8 + lower, both below 10^8, and returns how many of them are
 * zeros at the end. With SSE2 it takes a third of the instructions. */
ALWAYS_INLINE unsigned digits_write_sixteen(char *out, uint32_t upper, uint32_t lower)
{
#if defined(__x86_64__)
    __m128i eights = _mm_set_epi64x(lower, upper);
    __m128i over   = _mm_srli_epi64(_mm_mul_epu32(eights, _mm_set1_epi32((int)3518437209u)), 45);
    __m128i under  = _mm_sub_epi32(eights, _mm_mul_epu32(over, _mm_set1_epi32(10000)));
    __m128i fours  = _mm_or_si128(over, _mm_slli_epi64(under, 32));
    over           = _mm_srli_epi16(_mm_mulhi_epu16(fours, _mm_set1_epi16(5243)), 3);
    under          = _mm_sub_epi16(fours, _mm_mullo_epi16(over, _mm_set1_epi16(100)));
    __m128i twos   = _mm_or_si128(over, _mm_slli_epi32(under, 16));
    over           = _mm_mulhi_epu16(twos, _mm_set1_epi16(6554));
    under          = _mm_sub_epi16(twos, _mm_mullo_epi16(over, _mm_set1_epi16(10)));
    __m128i ones   = _mm_or_si128(over, _mm_slli_epi16(under, 8));
    int     zeros  = _mm_movemask_epi8(_mm_cmpeq_epi8(ones, _mm_setzero_si128()));
    _mm_storeu_si128((__m128i *)(void *)out, _mm_or_si128(ones, _mm_set1_epi8('0')));
    return (unsigned)__builtin_clz(((unsigned)~zeros & 0xffff) << 1 | 1) - 15;
#else
    uint64_t first = digits_split(upper), second = digits_split(lower);
    digits_store(out, first + DIGITS_ZEROS);
    digits_store(out + 8, second + DIGITS_ZEROS);
    if (second)
        return (unsigned)__builtin_clzll(second) >> 3;
    return first ? 8 + ((unsigned)__builtin_clzll(first) >> 3) : 16;
#endif
}

/* The value of eight digits, each 0 to 9. */
ALWAYS_INLINE uint64_t digits_join(uint64_t word)
{
    word           = word * 10 + (word >> 8);
    uint64_t outer = (word & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x000f424000000064);
    uint64_t inner = ((word >> 16) & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x0000271000000001);
    return (outer + inner) >> 32;
}

/* How many of the eight characters, whose DIGITS_ZEROS were taken away by exclusive or, are digits
 * from the first on. A byte of 10 or more gets its high bit from the sum, or has it. A carry out of
 * a byte disturbs only those behind it, which no longer matter. */
ALWAYS_INLINE unsigned digits_leading(uint64_t word)
{
    uint64_t other = ((word + UINT64_C(0x7676767676767676)) | word) & UINT64_C(0x8080808080808080);
    return other ? (unsigned)__builtin_ctzll(other) >> 3 : 8;
}

/* Below 10^8, no zeros in front: all eight digits are made, and moved down. Returns the end. */
ALWAYS_INLINE char *digits_write_front(char *out, uint32_t value)
{
    uint64_t word  = digits_split(value);
    unsigned zeros = (unsigned)__builtin_ctzll(word | UINT64_C(1) << 56) >> 3;
    digits_store(out, (word + DIGITS_ZEROS) >> (8 * zeros));
    return out + (8 - zeros);
}

ALWAYS_INLINE char *digits_write_eight(char *out, uint32_t value)
{
    digits_store(out, digits_split(value) + DIGITS_ZEROS);
    return out + 8;
}

/* upper * 10^8 + lower, both below 10^8 and `upper` not 0, without zeros in front; returns the end.
 * With SSE2 all sixteen digits are made, and moved down; 23 bytes are touched at most. */
ALWAYS_INLINE char *digits_write_some(char *out, uint32_t upper, uint32_t lower)
{
#if defined(__x86_64__)
    digits_write_sixteen(out, upper, lower);
    __m128i  all   = _mm_loadu_si128((const __m128i *)(const void *)out);
    int      after = _mm_movemask_epi8(_mm_cmpgt_epi8(all, _mm_set1_epi8('0')));
    unsigned zeros = (unsigned)__builtin_ctz((unsigned)after);
    memmove(out, out + zeros, 16);
    return out + (16 - zeros);
#else
    return digits_write_eight(digits_write_front(out, upper), lower);
#endif
}

/* An integer without zeros in front; returns the end. Up to 20 bytes are the text, up to 24 are
 * written. */
ALWAYS_INLINE char *digits_write(char *out, uint64_t value)
{
    const uint64_t eight = 100000000;
    if (value < eight)
        return digits_write_front(out, (uint32_t)value);
    uint64_t upper = value / eight;
    uint32_t lower = (uint32_t)(value - upper * eight);
    if (LIKELY(upper < eight))
        return digits_write_some(out, (uint32_t)upper, lower);
    uint32_t top = (uint32_t)(upper / eight);
    out          = digits_write_front(out, top);
    digits_write_sixteen(out, (uint32_t)(upper - top * eight), lower);
    return out + 16;
}

#endif /* CORE_DIGITS_H */
