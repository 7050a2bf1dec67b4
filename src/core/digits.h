/* core/digits.h - eight decimal digits in one word, as text and as a number.
 *
 * In the word the first digit has the lowest byte, on every machine. */
#ifndef CORE_DIGITS_H
#define CORE_DIGITS_H

#include "core/bytes.h"

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

#endif /* CORE_DIGITS_H */
