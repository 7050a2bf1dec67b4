/* codec/run.h - which fields of a run are there (see plan.h).
 *
 * Whole words of the record are loaded, the bytes between its fields too, and masked. All of them
 * are in the record. What takes the time is the number of instructions: for 64 words it is 77 with
 * AVX2 and 142 with SSE2. */
#ifndef CODEC_RUN_H
#define CODEC_RUN_H

#include "codec/copy.h"

#if defined(__x86_64__)
#    include <emmintrin.h>
#elif defined(__aarch64__) && BYTES_LITTLE_ENDIAN
#    include <arm_neon.h>
#endif

#if defined(CODEC_AVX2)

FOR_CPU ALWAYS_INLINE __m256i run_masked(const uint8_t *at, const uint8_t *mask)
{
    return _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(const void *)at),
                            _mm256_loadu_si256((const __m256i *)(const void *)mask));
}

/* 16 words to two bytes each. Saturation never makes a 0 of what was not one. */
FOR_CPU ALWAYS_INLINE __m256i run_half(const uint8_t *at, const uint8_t *mask)
{
    return _mm256_packs_epi32(
        _mm256_packs_epi32(run_masked(at, mask), run_masked(at + 32, mask + 32)),
        _mm256_packs_epi32(run_masked(at + 64, mask + 64), run_masked(at + 96, mask + 96)));
}

/* A bit for each of 32 words that is not 0 under its mask. Packing leaves the first two of each
 * four words in the lower lane, the others in the upper. */
FOR_CPU ALWAYS_INLINE uint32_t run_block(const uint8_t *at, const uint8_t *mask)
{
    const __m256i order = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15));
    __m256i words = _mm256_packs_epi16(run_half(at, mask), run_half(at + 128, mask + 128));
    words         = _mm256_shuffle_epi8(_mm256_permute4x64_epi64(words, 0xd8), order);
    return ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(words, _mm256_setzero_si256()));
}

#elif defined(__x86_64__)

FOR_CPU ALWAYS_INLINE __m128i run_masked(const uint8_t *at, const uint8_t *mask)
{
    return _mm_and_si128(_mm_loadu_si128((const __m128i *)(const void *)at),
                         _mm_loadu_si128((const __m128i *)(const void *)mask));
}

/* Four words to one number each. Saturation never makes a 0 of what was not one. */
FOR_CPU ALWAYS_INLINE __m128i run_four(const uint8_t *at, const uint8_t *mask)
{
    return _mm_packs_epi32(run_masked(at, mask), run_masked(at + 16, mask + 16));
}

/* A bit for each of 16 words that is 0 under its mask. */
FOR_CPU ALWAYS_INLINE uint32_t run_zeroes(const uint8_t *at, const uint8_t *mask)
{
    __m128i low  = _mm_packs_epi32(run_four(at, mask), run_four(at + 32, mask + 32));
    __m128i high = _mm_packs_epi32(run_four(at + 64, mask + 64), run_four(at + 96, mask + 96));
    return (uint32_t)_mm_movemask_epi8(
        _mm_cmpeq_epi8(_mm_packs_epi16(low, high), _mm_setzero_si128()));
}

#elif defined(__aarch64__) && BYTES_LITTLE_ENDIAN

ALWAYS_INLINE uint32x4_t run_four(const uint8_t *at, const uint8_t *mask)
{
    uint64x2_t a = vreinterpretq_u64_u8(vandq_u8(vld1q_u8(at), vld1q_u8(mask)));
    uint64x2_t b = vreinterpretq_u64_u8(vandq_u8(vld1q_u8(at + 16), vld1q_u8(mask + 16)));
    return vqmovn_high_u64(vqmovn_u64(a), b);
}

ALWAYS_INLINE uint32_t run_zeroes(const uint8_t *at, const uint8_t *mask)
{
    static const uint8_t weights[16] = { 1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128 };
    uint16x8_t low = vqmovn_high_u32(vqmovn_u32(run_four(at, mask)), run_four(at + 32, mask + 32));
    uint16x8_t high =
        vqmovn_high_u32(vqmovn_u32(run_four(at + 64, mask + 64)), run_four(at + 96, mask + 96));
    uint8x16_t zero = vceqzq_u8(vqmovn_high_u16(vqmovn_u16(low), high));
    uint8x16_t bits = vandq_u8(zero, vld1q_u8(weights));
    return vaddv_u8(vget_low_u8(bits)) | (uint32_t)vaddv_u8(vget_high_u8(bits)) << 8;
}

#else

FOR_CPU ALWAYS_INLINE uint32_t run_zeroes(const uint8_t *at, const uint8_t *mask)
{
    uint32_t zeroes = 0;
    for (unsigned i = 0; i < 16; i++)
        zeroes |= (uint32_t)((load_u64(at + 8 * i) & load_u64(mask + 8 * i)) == 0) << i;
    return zeroes;
}

#endif

#ifndef CODEC_AVX2
ALWAYS_INLINE uint32_t run_block(const uint8_t *at, const uint8_t *mask)
{
    return ~(run_zeroes(at, mask) | run_zeroes(at + 128, mask + 128) << 16);
}
#endif

/* A bit for each word of the run that says that a field is there. The second block may overlap the
 * first, and then finds some of its bits again. */
FOR_CPU ALWAYS_INLINE uint64_t run_look(const plan_run *run, const uint8_t *record)
{
    const uint8_t *at    = record + run->offset;
    uint32_t       last  = run->words - PLAN_RUN_BLOCK;
    uint64_t       there = (uint64_t)run_block(at + 8 * last, run->mask + 8 * last) << last;
    there |= run_block(at, run->mask);
    return (there | (there & run->seconds) >> 1) & ~run->seconds;
}

/* A word, under its mask. */
ALWAYS_INLINE uint64_t run_word(const plan_run *run, const uint8_t *record, uint32_t word)
{
    return load_u64(record + run->offset + 8 * word) & load_u64(run->mask + 8 * word);
}

/* Whether most fields are probably there: then looking for them is not worth while. */
ALWAYS_INLINE bool run_is_dense(const plan_run *run, const uint8_t *record)
{
    return run_word(run, record, run->probes[0]) && run_word(run, record, run->probes[1]);
}

#endif /* CODEC_RUN_H */
