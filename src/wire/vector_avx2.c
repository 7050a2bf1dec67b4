/* wire/vector_avx2.c - byte swap of long lists, 32 bytes at once.
 *
 * In a file of its own so that only these functions are compiled for AVX2; vector.c asks the CPU
 * before it calls one. The overlapping last step is explained there. */
#include "wire/vector.h"

#if VECTOR_AVX2

#    include <assert.h>
#    include <immintrin.h>

#    define AVX2 __attribute__((target("avx2")))

/* The place of each byte of 16 in the reversed numbers. */
static const uint8_t orders[3][16] = {
    { 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14 },
    { 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12 },
    { 7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8 },
};

AVX2 static inline __m256i load_lane(const uint8_t *from)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)from);
}

AVX2 static inline void store_lane(uint8_t *to, __m256i value)
{
    _mm256_storeu_si256((__m256i *)(void *)to, value);
}

AVX2 static inline void swap_lane(uint8_t *to, const uint8_t *from, __m256i order)
{
    store_lane(to, _mm256_shuffle_epi8(load_lane(from), order));
}

/* All widths are the same loop with another order. `size` is at least 32. */
AVX2 static void swap_lanes(uint8_t *to, const uint8_t *from, size_t size, const uint8_t *order_of)
{
    __m128i half  = _mm_loadu_si128((const __m128i *)(const void *)order_of);
    __m256i order = _mm256_broadcastsi128_si256(half);
    size_t  i     = 0;
    for (; size - i >= 128; i += 128) {
        swap_lane(to + i, from + i, order);
        swap_lane(to + i + 32, from + i + 32, order);
        swap_lane(to + i + 64, from + i + 64, order);
        swap_lane(to + i + 96, from + i + 96, order);
    }
    for (; size - i >= 32; i += 32)
        swap_lane(to + i, from + i, order);
    if (i < size)
        swap_lane(to + size - 32, from + size - 32, order);
}

void vector_swap_avx2(void *to, const void *from, size_t count, unsigned width)
{
    size_t size = count * width;
    if (size < 32 || width == 1) {
        vector_swap_wide(to, from, count, width);
        return;
    }
    assert(width == 2 || width == 4 || width == 8);
    swap_lanes(to, from, size, orders[width / 4]);
}

AVX2 static void bools_lanes(uint8_t *to, const uint8_t *from, size_t count)
{
    __m256i one = _mm256_set1_epi8(1);
    size_t  i   = 0;
    for (; count - i >= 32; i += 32)
        store_lane(to + i, _mm256_min_epu8(load_lane(from + i), one));
    if (i < count)
        store_lane(to + count - 32, _mm256_min_epu8(load_lane(from + count - 32), one));
}

void vector_bools_avx2(void *to, const void *from, size_t count)
{
    if (count < 32)
        vector_bools_wide(to, from, count);
    else
        bools_lanes(to, from, count);
}

#else

/* ISO C wants a declaration in every file. */
typedef int vector_avx2_is_not_for_this_machine;

#endif
