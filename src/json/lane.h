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

/* Places in a lane: bit LANE_STEP * i stands for byte i. */
typedef uint64_t lane_places;

#    if defined(__x86_64__)

#        define LANE_STEP 1
typedef __m128i lane;

ALWAYS_INLINE lane lane_load(const char *from)
{
    return _mm_loadu_si128((const __m128i *)(const void *)from);
}

ALWAYS_INLINE void lane_store(char *to, lane value)
{
    _mm_storeu_si128((__m128i *)(void *)to, value);
}

ALWAYS_INLINE lane lane_of(uint64_t low, uint64_t high)
{
    return _mm_set_epi64x((int64_t)high, (int64_t)low);
}

ALWAYS_INLINE lane lane_quotes(lane value)
{
    return _mm_or_si128(_mm_cmpeq_epi8(value, _mm_set1_epi8('"')),
                        _mm_cmpeq_epi8(value, _mm_set1_epi8('\\')));
}

/* Quotes, backslashes and control characters. */
ALWAYS_INLINE lane lane_special(lane value)
{
    lane control = _mm_cmpeq_epi8(_mm_min_epu8(value, _mm_set1_epi8(0x1f)), value);
    return _mm_or_si128(lane_quotes(value), control);
}

ALWAYS_INLINE lane_places lane_find(lane found)
{
    return (unsigned)_mm_movemask_epi8(found);
}

/* Where bytes of 0x80 and more are. */
ALWAYS_INLINE lane_places lane_high(lane value)
{
    return (unsigned)_mm_movemask_epi8(value);
}

#    else

#        define LANE_STEP 4
typedef uint8x16_t lane;

ALWAYS_INLINE lane lane_load(const char *from)
{
    return vld1q_u8((const uint8_t *)from);
}

ALWAYS_INLINE void lane_store(char *to, lane value)
{
    vst1q_u8((uint8_t *)to, value);
}

ALWAYS_INLINE lane lane_of(uint64_t low, uint64_t high)
{
    return vcombine_u8(vcreate_u8(low), vcreate_u8(high));
}

ALWAYS_INLINE lane lane_quotes(lane value)
{
    return vorrq_u8(vceqq_u8(value, vdupq_n_u8('"')), vceqq_u8(value, vdupq_n_u8('\\')));
}

ALWAYS_INLINE lane lane_special(lane value)
{
    return vorrq_u8(lane_quotes(value), vcltq_u8(value, vdupq_n_u8(0x20)));
}

/* Four bits of each byte, of which one is kept. */
ALWAYS_INLINE lane_places lane_find(lane found)
{
    uint8x8_t nibbles = vshrn_n_u16(vreinterpretq_u16_u8(found), 4);
    return vget_lane_u64(vreinterpret_u64_u8(nibbles), 0) & UINT64_C(0x1111111111111111);
}

ALWAYS_INLINE lane_places lane_high(lane value)
{
    return lane_find(vcgeq_u8(value, vdupq_n_u8(0x80)));
}

#    endif

/* Of places that are not empty. */
ALWAYS_INLINE unsigned lane_first(lane_places places)
{
    return (unsigned)__builtin_ctzll(places) / LANE_STEP;
}

/* Without those before `index`, which is at most 17. */
ALWAYS_INLINE lane_places lane_from(lane_places places, unsigned index)
{
    return LANE_STEP * index < 64 ? places & (~UINT64_C(0) << (LANE_STEP * index)) : 0;
}

/* Only those before `index`, which is less than 16. */
ALWAYS_INLINE lane_places lane_before(lane_places places, unsigned index)
{
    return places & ((UINT64_C(1) << (LANE_STEP * index)) - 1);
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
