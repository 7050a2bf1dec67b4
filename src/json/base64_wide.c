/* json/base64_wide.c - base64, 12 bytes against 16 characters at once, with the byte shuffle of
 * SSSE3 or NEON. In a file of its own, as wire/vector_avx2.c is; base64.c asks the CPU first.
 *
 * Source: Mula and Lemire, "Faster base64 encoding and decoding using AVX2 instructions". The four
 * places of six bits are moved to bytes of their own by multiplying, and from and to characters by
 * adding what the range of each calls for, looked up by a number of the range. */
#include "json/base64.h"

#if BASE64_WIDE

/* ---- SSSE3 ---------------------------------------------------------------------------------- */

#    if defined(__x86_64__)

#        include <tmmintrin.h>

#        define TARGET __attribute__((target("ssse3")))
typedef __m128i lane;

bool base64_has_wide(void)
{
    return __builtin_cpu_supports("ssse3");
}

TARGET static inline lane load_lane(const void *from)
{
    return _mm_loadu_si128((const __m128i *)from);
}

TARGET static inline void store_lane(void *to, lane value)
{
    _mm_storeu_si128((__m128i *)to, value);
}

/* Bytes 0 to 11 become 16 numbers of six bits. */
TARGET static inline lane split(lane bytes)
{
    lane order = _mm_setr_epi8(1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10);
    bytes      = _mm_shuffle_epi8(bytes, order);
    lane outer = _mm_and_si128(bytes, _mm_set1_epi32(0x0fc0fc00));
    lane inner = _mm_and_si128(bytes, _mm_set1_epi32(0x003f03f0));
    return _mm_or_si128(_mm_mulhi_epu16(outer, _mm_set1_epi32(0x04000040)),
                        _mm_mullo_epi16(inner, _mm_set1_epi32(0x01000010)));
}

/* Range 13 is A to Z, 0 is a to z, 1 to 10 are the digits, then come + and /. */
TARGET static inline lane to_letters(lane numbers)
{
    lane offsets =
        _mm_setr_epi8('a' - 26, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52,
                      '0' - 52, '0' - 52, '0' - 52, '0' - 52, '+' - 62, '/' - 63, 'A', 0, 0);
    lane upper = _mm_cmpgt_epi8(_mm_set1_epi8(26), numbers);
    lane range = _mm_or_si128(_mm_subs_epu8(numbers, _mm_set1_epi8(51)),
                              _mm_and_si128(upper, _mm_set1_epi8(13)));
    return _mm_add_epi8(_mm_shuffle_epi8(offsets, range), numbers);
}

/* False: some character is not in the alphabet. Each of its halves excludes some of the other:
 * a bit that both tables have says no. */
TARGET static inline bool to_numbers(lane *letters)
{
    lane mask   = _mm_set1_epi8(0x2f); /* bit 5 does not matter in a shuffle */
    lane upper  = _mm_and_si128(_mm_srli_epi32(*letters, 4), mask);
    lane lower  = _mm_and_si128(*letters, mask);
    lane no_low = _mm_setr_epi8(0x15, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x13,
                                0x1a, 0x1b, 0x1b, 0x1b, 0x1a);
    lane no_up  = _mm_setr_epi8(0x10, 0x10, 0x01, 0x02, 0x04, 0x08, 0x04, 0x08, 0x10, 0x10, 0x10,
                                0x10, 0x10, 0x10, 0x10, 0x10);
    lane wrong  = _mm_and_si128(_mm_shuffle_epi8(no_low, lower), _mm_shuffle_epi8(no_up, upper));
    if (_mm_movemask_epi8(_mm_cmpgt_epi8(wrong, _mm_setzero_si128())))
        return false;
    lane offsets = _mm_setr_epi8(0, 63 - '/', 62 - '+', 52 - '0', -'A', -'A', 26 - 'a', 26 - 'a', 0,
                                 0, 0, 0, 0, 0, 0, 0);
    lane slash   = _mm_cmpeq_epi8(*letters, mask);
    *letters     = _mm_add_epi8(*letters, _mm_shuffle_epi8(offsets, _mm_add_epi8(slash, upper)));
    return true;
}

/* 16 numbers of six bits become bytes 0 to 11, zeros behind them. */
TARGET static inline lane join(lane numbers)
{
    lane pairs = _mm_maddubs_epi16(numbers, _mm_set1_epi32(0x01400140));
    lane fours = _mm_madd_epi16(pairs, _mm_set1_epi32(0x00011000));
    return _mm_shuffle_epi8(fours,
                            _mm_setr_epi8(2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1));
}

/* ---- NEON ----------------------------------------------------------------------------------- */

#    else

#        include <arm_neon.h>

#        define TARGET
typedef uint8x16_t lane;

bool base64_has_wide(void)
{
    return true;
}

static inline lane load_lane(const void *from)
{
    return vld1q_u8(from);
}

static inline void store_lane(void *to, lane value)
{
    vst1q_u8(to, value);
}

/* As above, with shifts in place of products. */
static inline lane split(lane bytes)
{
    static const uint8_t order[16] = { 1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10 };
    static const int16_t right[8]  = { -10, -6, -10, -6, -10, -6, -10, -6 };
    static const int16_t left[8]   = { 4, 8, 4, 8, 4, 8, 4, 8 };
    bytes                          = vqtbl1q_u8(bytes, vld1q_u8(order));
    uint16x8_t outer =
        vreinterpretq_u16_u8(vandq_u8(bytes, vreinterpretq_u8_u32(vdupq_n_u32(0x0fc0fc00))));
    uint16x8_t inner =
        vreinterpretq_u16_u8(vandq_u8(bytes, vreinterpretq_u8_u32(vdupq_n_u32(0x003f03f0))));
    return vreinterpretq_u8_u16(
        vorrq_u16(vshlq_u16(outer, vld1q_s16(right)), vshlq_u16(inner, vld1q_s16(left))));
}

static inline lane to_letters(lane numbers)
{
    static const char alphabet[64] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    return vqtbl4q_u8(vld1q_u8_x4((const uint8_t *)alphabet), numbers);
}

static inline bool to_numbers(lane *letters)
{
    static const uint8_t no_low[16]  = { 0x15, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11,
                                         0x11, 0x11, 0x13, 0x1a, 0x1b, 0x1b, 0x1b, 0x1a };
    static const uint8_t no_up[16]   = { 0x10, 0x10, 0x01, 0x02, 0x04, 0x08, 0x04, 0x08,
                                         0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10 };
    static const int8_t  offsets[16] = { 0,    63 - '/', 62 - '+', 52 - '0',
                                         -'A', -'A',     26 - 'a', 26 - 'a' };
    lane                 upper       = vshrq_n_u8(*letters, 4);
    lane                 lower       = vandq_u8(*letters, vdupq_n_u8(0x0f));
    lane wrong = vandq_u8(vqtbl1q_u8(vld1q_u8(no_low), lower), vqtbl1q_u8(vld1q_u8(no_up), upper));
    if (vmaxvq_u8(wrong))
        return false;
    lane slash = vceqq_u8(*letters, vdupq_n_u8('/'));
    lane range = vaddq_u8(slash, upper);
    *letters   = vaddq_u8(*letters, vqtbl1q_u8(vreinterpretq_u8_s8(vld1q_s8(offsets)), range));
    return true;
}

static inline lane join(lane numbers)
{
    static const uint8_t order[16] = { 2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, 255, 255, 255, 255 };
    uint16x8_t           sixes     = vreinterpretq_u16_u8(numbers);
    uint16x8_t           pairs =
        vorrq_u16(vshlq_n_u16(vandq_u16(sixes, vdupq_n_u16(0xff)), 6), vshrq_n_u16(sixes, 8));
    uint32x4_t twelves = vreinterpretq_u32_u16(pairs);
    uint32x4_t fours   = vorrq_u32(vshlq_n_u32(vandq_u32(twelves, vdupq_n_u32(0xffff)), 12),
                                   vshrq_n_u32(twelves, 16));
    return vqtbl1q_u8(vreinterpretq_u8_u32(fours), vld1q_u8(order));
}

#    endif

/* ---- the loops ------------------------------------------------------------------------------ */

/* 16 bytes are read of which 12 are meant. */
TARGET size_t base64_write_wide(char *out, const uint8_t *in, size_t size)
{
    size_t done = 0;
    for (; size - done >= 16; done += 12, out += 16)
        store_lane(out, to_letters(split(load_lane(in + done))));
    return done;
}

/* 16 bytes are written of which 12 are meant. That the four others are in the room, too, take six
 * more characters care of: a room has at least three bytes for four of them, and one for two. */
TARGET size_t base64_read_wide(uint8_t *out, const char *in, size_t len)
{
    size_t done = 0;
    for (; len - done >= 22; done += 16, out += 12) {
        lane letters = load_lane(in + done);
        if (!to_numbers(&letters))
            break;
        store_lane(out, join(letters));
    }
    return done;
}

#endif
