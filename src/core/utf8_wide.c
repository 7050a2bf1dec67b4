/* core/utf8_wide.c - is this text UTF-8, 16 bytes at a time, with the byte shuffle of SSSE3 or
 * NEON. In a file of its own, as wire/vector_avx2.c is; utf8.c asks the CPU first.
 *
 * Source: Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte". Every fault
 * but one shows in two neighbours: in the upper half of the first, its lower half, and the upper
 * half of the second. Each half says by a table which faults it allows; what all three allow is
 * there. The one that is left is a third or fourth byte that is missing, or has no character: those
 * must be exactly where a byte two or three places before calls for them. */
#include "core/utf8.h"

#include "core/bytes.h"

#if UTF8_WIDE

/* The first byte calls for a second, and that is none; the second one is, and nobody called. */
#    define SHORT     0x01u
#    define STRAY     0x02u
#    define OVER_2    0x20u /* C0, C1 */
#    define OVER_3    0x04u /* E0, and then less than A0 */
#    define HALF      0x10u /* ED, and then A0 and more: surrogates */
#    define OVER_4    0x40u /* F0, and then less than 90; and F5 to FF, then 80 to 8F */
#    define LARGE     0x08u /* F4, and then 90 and more; and F5 to FF */
#    define FOLLOWS   0x80u /* two that follow: right where a third is called for */
#    define ANY_LOW   (SHORT | STRAY | FOLLOWS)
#    define TOO_LARGE (LARGE | OVER_4)

/* clang-format off */

/* By the upper half of the first byte. */
static const uint8_t first_upper[16] = {
    /* 0 */ STRAY,   STRAY,   STRAY,   STRAY,
    /* 4 */ STRAY,   STRAY,   STRAY,   STRAY,
    /* 8 */ FOLLOWS, FOLLOWS, FOLLOWS, FOLLOWS,
    /* C */ SHORT | OVER_2, SHORT, SHORT | OVER_3 | HALF, SHORT | TOO_LARGE,
};

/* By the lower half of the first byte. */
static const uint8_t first_lower[16] = {
    /* 0 */ ANY_LOW | OVER_2 | OVER_3 | OVER_4, ANY_LOW | OVER_2, ANY_LOW, ANY_LOW,
    /* 4 */ ANY_LOW | LARGE,     ANY_LOW | TOO_LARGE,        ANY_LOW | TOO_LARGE, ANY_LOW | TOO_LARGE,
    /* 8 */ ANY_LOW | TOO_LARGE, ANY_LOW | TOO_LARGE,        ANY_LOW | TOO_LARGE, ANY_LOW | TOO_LARGE,
    /* C */ ANY_LOW | TOO_LARGE, ANY_LOW | TOO_LARGE | HALF, ANY_LOW | TOO_LARGE, ANY_LOW | TOO_LARGE,
};

/* By the upper half of the second byte. */
static const uint8_t second_upper[16] = {
    /* 0 */ SHORT, SHORT, SHORT, SHORT,
    /* 4 */ SHORT, SHORT, SHORT, SHORT,
    /* 8 */ STRAY | FOLLOWS | OVER_2 | OVER_3 | OVER_4, STRAY | FOLLOWS | OVER_2 | OVER_3 | LARGE,
    /* A */ STRAY | FOLLOWS | OVER_2 | HALF | LARGE,    STRAY | FOLLOWS | OVER_2 | HALF | LARGE,
    /* C */ SHORT, SHORT, SHORT, SHORT,
};

/* clang-format on */

/* ---- SSSE3 ---------------------------------------------------------------------------------- */

#    if defined(__x86_64__)

#        include <tmmintrin.h>

#        define TARGET __attribute__((target("ssse3")))
typedef __m128i lane;

bool utf8_has_wide(void)
{
    return __builtin_cpu_supports("ssse3");
}

TARGET static inline lane load_lane(const uint8_t *from)
{
    return _mm_loadu_si128((const __m128i *)(const void *)from);
}

TARGET static inline lane no_lane(void)
{
    return _mm_setzero_si128();
}

TARGET static inline lane join_faults(lane a, lane b)
{
    return _mm_or_si128(a, b);
}

TARGET static inline bool has_high(lane value)
{
    return _mm_movemask_epi8(value) != 0;
}

TARGET static inline bool is_faultless(lane faults)
{
    return _mm_movemask_epi8(_mm_cmpeq_epi8(faults, _mm_setzero_si128())) == 0xffff;
}

TARGET static inline lane upper_half(lane value)
{
    return _mm_and_si128(_mm_srli_epi16(value, 4), _mm_set1_epi8(0x0f));
}

/* The faults of each byte with those before it, the last of which are in `before`. */
TARGET static inline lane faults_of(lane value, lane before)
{
    lane first  = _mm_alignr_epi8(value, before, 15);
    lane second = _mm_alignr_epi8(value, before, 14), third = _mm_alignr_epi8(value, before, 13);
    lane lower = _mm_and_si128(first, _mm_set1_epi8(0x0f));
    lane pairs = _mm_and_si128(_mm_shuffle_epi8(load_lane(first_upper), upper_half(first)),
                               _mm_shuffle_epi8(load_lane(first_lower), lower));
    pairs      = _mm_and_si128(pairs, _mm_shuffle_epi8(load_lane(second_upper), upper_half(value)));
    /* From E0 two more follow, from F0 three: the differences have their highest bit then. */
    lane called = _mm_or_si128(_mm_subs_epu8(second, _mm_set1_epi8(0xe0 - 0x80)),
                               _mm_subs_epu8(third, _mm_set1_epi8(0xf0 - 0x80)));
    return _mm_xor_si128(_mm_and_si128(called, _mm_set1_epi8((char)0x80)), pairs);
}

/* ---- NEON ----------------------------------------------------------------------------------- */

#    else

#        include <arm_neon.h>

#        define TARGET
typedef uint8x16_t lane;

bool utf8_has_wide(void)
{
    return true;
}

static inline lane load_lane(const uint8_t *from)
{
    return vld1q_u8(from);
}

static inline lane no_lane(void)
{
    return vdupq_n_u8(0);
}

static inline lane join_faults(lane a, lane b)
{
    return vorrq_u8(a, b);
}

static inline bool has_high(lane value)
{
    return vmaxvq_u8(value) >= 0x80;
}

static inline bool is_faultless(lane faults)
{
    return vmaxvq_u8(faults) == 0;
}

static inline lane faults_of(lane value, lane before)
{
    lane first  = vextq_u8(before, value, 15);
    lane second = vextq_u8(before, value, 14), third = vextq_u8(before, value, 13);
    lane lower  = vandq_u8(first, vdupq_n_u8(0x0f));
    lane pairs  = vandq_u8(vqtbl1q_u8(load_lane(first_upper), vshrq_n_u8(first, 4)),
                           vqtbl1q_u8(load_lane(first_lower), lower));
    pairs       = vandq_u8(pairs, vqtbl1q_u8(load_lane(second_upper), vshrq_n_u8(value, 4)));
    lane called = vorrq_u8(vqsubq_u8(second, vdupq_n_u8(0xe0 - 0x80)),
                           vqsubq_u8(third, vdupq_n_u8(0xf0 - 0x80)));
    return veorq_u8(vandq_u8(called, vdupq_n_u8(0x80)), pairs);
}

#    endif

/* ---- the loop ------------------------------------------------------------------------------- */

/* Fewer than 16 bytes, zeros behind them, in two halves. Nothing behind them is read. */
static inline void load_part(uint64_t part[2], const uint8_t *from, size_t size)
{
    part[0] = part[1] = 0;
    if (size >= 8) {
        part[0] = load_u64(from);
        part[1] = load_u64(from + size - 8) >> 8 >> (8 * (15 - size));
    } else if (size >= 4) {
        part[0] = load_u32(from) | (uint64_t)load_u32(from + size - 4) << (8 * (size - 4));
    } else if (size > 0) {
        part[0] = from[0] | (uint64_t)from[size / 2] << (8 * (size / 2))
                  | (uint64_t)from[size - 1] << (8 * (size - 1));
    }
}

/* Faults are gathered and looked at once, at the end: wrong text is seldom, and slower then. A
 * block of ASCII behind one that is not may still show what is missing; so does the last one, in
 * which at least one zero stands behind the text. */
TARGET bool utf8_wide_is_valid(const uint8_t *text, size_t len)
{
    lane     before = no_lane(), faults = no_lane();
    size_t   done     = 0;
    bool     was_high = false;
    uint64_t part[2];
    for (; len - done >= 16; done += 16) {
        lane value   = load_lane(text + done);
        bool is_high = has_high(value);
        if (is_high || was_high)
            faults = join_faults(faults, faults_of(value, before));
        before   = value;
        was_high = is_high;
    }
    load_part(part, text + done, len - done);
    lane value = load_lane((const uint8_t *)part);
    faults     = join_faults(faults, faults_of(value, before));
    return is_faultless(faults);
}

#endif
