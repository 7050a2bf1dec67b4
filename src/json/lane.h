/* json/lane.h - 16 bytes of text at once, and sets of places in them. SSE2 and NEON, which every
 * x86-64 and AArch64 has; elsewhere LANE_WIDE is 0 and the functions have scalar twins. */
#ifndef JSON_LANE_H
#define JSON_LANE_H

#include <stdbool.h>

#include "core/bytes.h"

#if defined(__x86_64__)
#    include <emmintrin.h>
#    define LANE_WIDE 1
#elif defined(__aarch64__) && BYTES_LITTLE_ENDIAN
#    include <arm_neon.h>
#    define LANE_WIDE 1
#else
#    define LANE_WIDE 0
#endif

#if LANE_WIDE

/* Places in a lane: bit i stands for byte i, those from 16 on are free. */
typedef uint32_t lane_places;

#    if defined(__x86_64__)

typedef __m128i lane;

ALWAYS_INLINE lane lane_load(const char *from)
{
    return _mm_loadu_si128((const __m128i *)(const void *)from);
}

ALWAYS_INLINE void lane_store(char *to, lane value)
{
    _mm_storeu_si128((__m128i *)(void *)to, value);
}

ALWAYS_INLINE lane lane_or(lane a, lane b)
{
    return _mm_or_si128(a, b);
}

ALWAYS_INLINE lane lane_of(uint64_t low, uint64_t high)
{
    return _mm_set_epi64x((int64_t)high, (int64_t)low);
}

ALWAYS_INLINE lane lane_same(lane a, lane b)
{
    return _mm_cmpeq_epi8(a, b);
}

ALWAYS_INLINE lane lane_equal(lane value, char c)
{
    return _mm_cmpeq_epi8(value, _mm_set1_epi8(c));
}

/* Quotes, backslashes and control characters. */
ALWAYS_INLINE lane lane_special(lane value)
{
    lane control = _mm_cmpeq_epi8(_mm_min_epu8(value, _mm_set1_epi8(0x1f)), value);
    return _mm_or_si128(_mm_or_si128(lane_equal(value, '"'), lane_equal(value, '\\')), control);
}

ALWAYS_INLINE lane_places lane_find(lane found)
{
    return (lane_places)_mm_movemask_epi8(found);
}

/* Where bytes of 0x80 and more are. */
ALWAYS_INLINE lane_places lane_high(lane value)
{
    return (lane_places)_mm_movemask_epi8(value);
}

#    else

typedef uint8x16_t lane;

ALWAYS_INLINE lane lane_load(const char *from)
{
    return vld1q_u8((const uint8_t *)from);
}

ALWAYS_INLINE void lane_store(char *to, lane value)
{
    vst1q_u8((uint8_t *)to, value);
}

ALWAYS_INLINE lane lane_or(lane a, lane b)
{
    return vorrq_u8(a, b);
}

ALWAYS_INLINE lane lane_of(uint64_t low, uint64_t high)
{
    return vcombine_u8(vcreate_u8(low), vcreate_u8(high));
}

ALWAYS_INLINE lane lane_same(lane a, lane b)
{
    return vceqq_u8(a, b);
}

ALWAYS_INLINE lane lane_equal(lane value, char c)
{
    return vceqq_u8(value, vdupq_n_u8((uint8_t)c));
}

ALWAYS_INLINE lane lane_special(lane value)
{
    return vorrq_u8(vorrq_u8(lane_equal(value, '"'), lane_equal(value, '\\')),
                    vcltq_u8(value, vdupq_n_u8(0x20)));
}

/* One bit of each byte, and their sum. */
ALWAYS_INLINE lane_places lane_find(lane found)
{
    static const uint8_t bits[16] = { 1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128 };
    lane                 all      = vandq_u8(found, vld1q_u8(bits));
    return vaddv_u8(vget_low_u8(all)) | (lane_places)vaddv_u8(vget_high_u8(all)) << 8;
}

ALWAYS_INLINE lane_places lane_high(lane value)
{
    return lane_find(vcgeq_u8(value, vdupq_n_u8(0x80)));
}

#    endif

/* Of places that are not empty. */
ALWAYS_INLINE unsigned lane_first(lane_places places)
{
    return (unsigned)__builtin_ctz(places);
}

/* Without those before `index`, which is at most 17. */
ALWAYS_INLINE lane_places lane_from(lane_places places, unsigned index)
{
    return places & (UINT32_MAX << index);
}

/* Only those before `index`, which is less than 16. */
ALWAYS_INLINE lane_places lane_before(lane_places places, unsigned index)
{
    return places & ((UINT32_C(1) << index) - 1);
}

/* Fewer than 16 bytes, zeros behind them, without touching what lies behind. */
ALWAYS_INLINE lane lane_load_part(const char *from, size_t size)
{
    uint64_t low = 0, high = 0;
    if (size >= 8) {
        low  = load_u64(from);
        high = load_u64(from + size - 8) >> 8 >> (8 * (15 - size));
    } else if (size >= 4) {
        low = load_u32(from) | (uint64_t)load_u32(from + size - 4) << (8 * (size - 4));
    } else if (size > 0) {
        const uint8_t *bytes = (const uint8_t *)from;
        low                  = bytes[0] | (uint64_t)bytes[size / 2] << (8 * (size / 2))
              | (uint64_t)bytes[size - 1] << (8 * (size - 1));
    }
    return lane_of(low, high);
}

#endif
#endif /* JSON_LANE_H */
