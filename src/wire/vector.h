/* wire/vector.h - lists of numbers between the order of the wire and the order of this machine. */
#ifndef WIRE_VECTOR_H
#define WIRE_VECTOR_H

#include "core/bytes.h"

/* Up to this many are done where they are; more are worth a call. */
#define VECTOR_TINY 8

/* As vector_swap and vector_bools, for any count. */
void vector_swap_many(void *to, const void *from, size_t count, unsigned width);
void vector_bools_many(void *to, const void *from, size_t count);

/* `count` numbers of `width` bytes (1, 2, 4, 8) from big-endian to this machine's order, or back.
 * The two places must not overlap; neither needs to be aligned; nothing outside them is touched. */
ALWAYS_INLINE void vector_swap(void *to, const void *from, size_t count, unsigned width)
{
    uint8_t       *t = to;
    const uint8_t *f = from;
    if (count > VECTOR_TINY || width < 4) {
        vector_swap_many(to, from, count, width);
    } else if (width == 4) {
        for (size_t i = 0; i < count; i++)
            store_u32(t + 4 * i, load_be32(f + 4 * i));
    } else {
        for (size_t i = 0; i < count; i++)
            store_u64(t + 8 * i, load_be64(f + 8 * i));
    }
}

/* `count` bools, one byte each: any byte but 0 becomes 1. As above. */
ALWAYS_INLINE void vector_bools(void *to, const void *from, size_t count)
{
    uint8_t       *t = to;
    const uint8_t *f = from;
    if (count > VECTOR_TINY) {
        vector_bools_many(to, from, count);
    } else {
        for (size_t i = 0; i < count; i++)
            t[i] = f[i] != 0;
    }
}

/* ---- the ways of doing it, for vector.c and its tests ---------------------------------------- */

/* Every machine. */
void vector_swap_scalar(void *to, const void *from, size_t count, unsigned width);
void vector_bools_scalar(void *to, const void *from, size_t count);

/* 16 bytes at once: SSE2 and NEON, which every x86-64 and AArch64 has. */
#if defined(__x86_64__) || (defined(__aarch64__) && BYTES_LITTLE_ENDIAN)
#    define VECTOR_WIDE 1
void vector_swap_wide(void *to, const void *from, size_t count, unsigned width);
void vector_bools_wide(void *to, const void *from, size_t count);
#else
#    define VECTOR_WIDE 0
#endif

/* 32 bytes at once, where the CPU has AVX2. */
#if defined(__x86_64__)
#    define VECTOR_AVX2 1
void vector_swap_avx2(void *to, const void *from, size_t count, unsigned width);
void vector_bools_avx2(void *to, const void *from, size_t count);
#else
#    define VECTOR_AVX2 0
#endif

#endif /* WIRE_VECTOR_H */
