/* codec/copy.h - copies of text, where most of the time goes.
 *
 * Included by the loops, once for each CPU they are compiled for; CODEC_AVX2 says that it is x86-64
 * with AVX2, where 32 bytes are one move instead of two. FOR_CPU stands before each function so
 * compiled, which runs only where codec_prepare chose it. */
#ifndef CODEC_COPY_H
#define CODEC_COPY_H

#include "core/bytes.h"
#include "plan/plan.h"

#ifdef CODEC_AVX2
#    include <immintrin.h>
#    define FOR_CPU __attribute__((target("avx2,bmi,bmi2")))
#else
#    define FOR_CPU
#endif

FOR_CPU ALWAYS_INLINE void copy_32(uint8_t *to, const uint8_t *from)
{
#ifdef CODEC_AVX2
    /* gcc 12 splits memcpy of 32 bytes into two moves of 16 even when it may use AVX2. */
    _mm256_storeu_si256((__m256i *)(void *)to,
                        _mm256_loadu_si256((const __m256i *)(const void *)from));
#else
    memcpy(to, from, 32);
#endif
}

/* Bytes from `to` on to the next address that is a multiple of 32, 1 to 32: behind a first move of
 * 32 bytes, stores from there on are aligned. Else every second one crosses a cache line, which
 * cost a sixth of the time of decoding and encoding strings of some hundred bytes. */
ALWAYS_INLINE size_t to_aligned(const uint8_t *to)
{
    return 32 - ((uintptr_t)to & 31);
}

/* Copies `size` bytes and up to 63 more: the caller vouches that 64 bytes behind the end may be
 * read from `from` and written at `to`. Two moves a turn were 20 % faster on strings of some
 * hundred bytes than one. */
FOR_CPU ALWAYS_INLINE void copy_loose(uint8_t *to, const uint8_t *from, size_t size)
{
    copy_32(to, from);
    if (size <= 32)
        return;
    size_t done = to_aligned(to);
    copy_32(to + done, from + done);
    for (done += 32; done < size; done += 64) {
        copy_32(to + done, from + done);
        copy_32(to + done + 32, from + done + 32);
    }
}

/* Copies exactly `size` bytes by moves that overlap in the middle; nothing outside is touched. */
FOR_CPU ALWAYS_INLINE void copy_exact(uint8_t *to, const uint8_t *from, size_t size)
{
    if (size >= 32) {
        if (UNLIKELY(size > 1024)) {
            memcpy(to, from, size);
            return;
        }
        size_t last = size - 32, done = to_aligned(to);
        copy_32(to, from);
        for (; done + 32 <= last; done += 64) {
            copy_32(to + done, from + done);
            copy_32(to + done + 32, from + done + 32);
        }
        if (done < last)
            copy_32(to + done, from + done);
        copy_32(to + last, from + last);
    } else if (size >= 16) {
        memcpy(to, from, 16);
        memcpy(to + size - 16, from + size - 16, 16);
    } else if (size >= 8) {
        store_u64(to, load_u64(from));
        store_u64(to + size - 8, load_u64(from + size - 8));
    } else if (size >= 4) {
        store_u32(to, load_u32(from));
        store_u32(to + size - 4, load_u32(from + size - 4));
    } else if (size) {
        to[0]         = from[0];
        to[size >> 1] = from[size >> 1];
        to[size - 1]  = from[size - 1];
    }
}

/* 16 bytes in a register, and how to hide from the compiler what is in it. */
typedef uint64_t copy_lane __attribute__((vector_size(16)));
#if defined(__x86_64__)
#    define COPY_OPAQUE(lane) "+x"(lane)
#elif defined(__aarch64__)
#    define COPY_OPAQUE(lane) "+w"(lane)
#else
#    define COPY_OPAQUE(lane) "+m"(lane)
#endif

/* Zeroes exactly `size` bytes. Most records are too small to be worth a call of memset, and the
 * `rep stos` that gcc makes of a loop it recognises costs more than the call: it must not know that
 * these are zeroes. */
FOR_CPU ALWAYS_INLINE void zero_exact(uint8_t *to, size_t size)
{
    if (UNLIKELY(size < 32) || UNLIKELY(size > 1024)) {
        memset(to, 0, size);
        return;
    }
    size_t last = size - 32;
#ifdef CODEC_AVX2
    __m256i zero = _mm256_setzero_si256();
    __asm__("" : "+x"(zero));
    for (size_t done = 0; done < last; done += 32)
        _mm256_storeu_si256((__m256i *)(void *)(to + done), zero);
    _mm256_storeu_si256((__m256i *)(void *)(to + last), zero);
#else
    copy_lane zero = { 0 };
    __asm__("" : COPY_OPAQUE(zero));
    for (size_t done = 0; done < last; done += 32) {
        memcpy(to + done, &zero, 16);
        memcpy(to + done + 16, &zero, 16);
    }
    memcpy(to + last, &zero, 16);
    memcpy(to + last + 16, &zero, 16);
#endif
}

/* Gives `count` records of a routine their initial value. */
FOR_CPU ALWAYS_INLINE void copy_initial(const plan_routine *routine, uint8_t *record, size_t count)
{
    if (LIKELY(routine->initial == NULL)) {
        zero_exact(record, count * routine->stride);
        return;
    }
    for (; count; count--, record += routine->stride)
        memcpy(record, routine->initial, routine->stride);
}

#endif /* CODEC_COPY_H */
