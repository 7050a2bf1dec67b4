/* json/base64_avx2.c - base64_wide.c with lanes twice as wide: 24 bytes against 32 characters. What
 * is done is explained there. */
#include "json/base64.h"

#if BASE64_AVX2

#    include <immintrin.h>

#    define AVX2 __attribute__((target("avx2")))
typedef __m256i lane;

/* 16 bytes for each half of a lane. */
AVX2 static inline lane twice(__m128i half)
{
    return _mm256_broadcastsi128_si256(half);
}

AVX2 static inline lane split(lane bytes)
{
    lane order = twice(_mm_setr_epi8(1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10));
    bytes      = _mm256_shuffle_epi8(bytes, order);
    lane outer = _mm256_and_si256(bytes, _mm256_set1_epi32(0x0fc0fc00));
    lane inner = _mm256_and_si256(bytes, _mm256_set1_epi32(0x003f03f0));
    return _mm256_or_si256(_mm256_mulhi_epu16(outer, _mm256_set1_epi32(0x04000040)),
                           _mm256_mullo_epi16(inner, _mm256_set1_epi32(0x01000010)));
}

AVX2 static inline lane to_letters(lane numbers)
{
    lane offsets =
        twice(_mm_setr_epi8('a' - 26, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52,
                            '0' - 52, '0' - 52, '0' - 52, '0' - 52, '+' - 62, '/' - 63, 'A', 0, 0));
    lane upper = _mm256_cmpgt_epi8(_mm256_set1_epi8(26), numbers);
    lane range = _mm256_or_si256(_mm256_subs_epu8(numbers, _mm256_set1_epi8(51)),
                                 _mm256_and_si256(upper, _mm256_set1_epi8(13)));
    return _mm256_add_epi8(_mm256_shuffle_epi8(offsets, range), numbers);
}

AVX2 static inline bool to_numbers(lane *letters)
{
    lane mask   = _mm256_set1_epi8(0x2f);
    lane upper  = _mm256_and_si256(_mm256_srli_epi32(*letters, 4), mask);
    lane lower  = _mm256_and_si256(*letters, mask);
    lane no_low = twice(_mm_setr_epi8(0x15, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11,
                                      0x13, 0x1a, 0x1b, 0x1b, 0x1b, 0x1a));
    lane no_up  = twice(_mm_setr_epi8(0x10, 0x10, 0x01, 0x02, 0x04, 0x08, 0x04, 0x08, 0x10, 0x10,
                                      0x10, 0x10, 0x10, 0x10, 0x10, 0x10));
    if (!_mm256_testz_si256(_mm256_shuffle_epi8(no_low, lower), _mm256_shuffle_epi8(no_up, upper)))
        return false;
    lane offsets = twice(_mm_setr_epi8(0, 63 - '/', 62 - '+', 52 - '0', -'A', -'A', 26 - 'a',
                                       26 - 'a', 0, 0, 0, 0, 0, 0, 0, 0));
    lane slash   = _mm256_cmpeq_epi8(*letters, mask);
    lane range   = _mm256_add_epi8(slash, upper);
    *letters     = _mm256_add_epi8(*letters, _mm256_shuffle_epi8(offsets, range));
    return true;
}

AVX2 static inline lane join(lane numbers)
{
    lane pairs = _mm256_maddubs_epi16(numbers, _mm256_set1_epi32(0x01400140));
    lane fours = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x00011000));
    lane order = twice(_mm_setr_epi8(2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1));
    return _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(fours, order),
                                       _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7));
}

/* Two loads of 16 bytes, of which 12 are meant. */
AVX2 size_t base64_write_avx2(char *out, const uint8_t *in, size_t size)
{
    size_t done = 0;
    for (; size - done >= 28; done += 24, out += 32) {
        __m128i low  = _mm_loadu_si128((const __m128i *)(const void *)(in + done));
        __m128i high = _mm_loadu_si128((const __m128i *)(const void *)(in + done + 12));
        lane    all  = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
        _mm256_storeu_si256((__m256i *)(void *)out, to_letters(split(all)));
    }
    return done;
}

/* 32 bytes are written of which 24 are meant: for the eight others twelve more characters must
 * follow, as in base64_read_wide. */
AVX2 size_t base64_read_avx2(uint8_t *out, const char *in, size_t len)
{
    size_t done = 0;
    for (; len - done >= 44; done += 32, out += 24) {
        lane letters = _mm256_loadu_si256((const __m256i *)(const void *)(in + done));
        if (!to_numbers(&letters))
            break;
        _mm256_storeu_si256((__m256i *)(void *)out, join(letters));
    }
    return done;
}

#endif
