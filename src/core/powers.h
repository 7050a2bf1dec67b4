/* core/powers.h - powers of ten in 128 bits, for reading and writing doubles. */
#ifndef CORE_POWERS_H
#define CORE_POWERS_H

#include "core/bytes.h"

#define POWERS_MIN (-342)
#define POWERS_MAX 324

/* 10^k is powers_of_ten[k - POWERS_MIN], upper half first, times 2^(powers_log2(k) - 127), rounded
 * up. The highest bit is set. Exact are those from 10^0, and up to 10^27 the lower half is 0. */
#define POWERS_EXACT_MAX 55
#define POWERS_SHORT_MAX 27
extern const uint64_t powers_of_ten[POWERS_MAX - POWERS_MIN + 1][2];

/* The largest n with 2^n <= 10^k. The quotient is log2(10) to six digits, enough for the table. */
ALWAYS_INLINE int powers_log2(int k)
{
    return (k * 217706) >> 16;
}

/* a * b = *high * 2^64 + the result. */
ALWAYS_INLINE uint64_t powers_multiply(uint64_t a, uint64_t b, uint64_t *high)
{
#if defined(__SIZEOF_INT128__)
    __extension__ typedef unsigned __int128 wide;
    wide                                    product = (wide)a * b;
    *high                                           = (uint64_t)(product >> 64);
    return (uint64_t)product;
#else
    uint64_t a1 = a >> 32, a0 = (uint32_t)a, b1 = b >> 32, b0 = (uint32_t)b;
    uint64_t low    = a0 * b0;
    uint64_t middle = a1 * b0 + (low >> 32);
    uint64_t other  = a0 * b1 + (uint32_t)middle;
    *high           = a1 * b1 + (middle >> 32) + (other >> 32);
    return other << 32 | (uint32_t)low;
#endif
}

#endif /* CORE_POWERS_H */
