/* core/bytes.h - numbers in bytes, in one place: unaligned loads and stores, native and big-endian,
 * and copies of known shape. Everything is memcpy underneath, so alignment and aliasing never
 * matter. */
#ifndef CORE_BYTES_H
#define CORE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define LIKELY(condition)   __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define ALWAYS_INLINE       static inline __attribute__((always_inline))
#define NEVER_INLINE        __attribute__((noinline))

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#    define BYTES_LITTLE_ENDIAN 1
#else
#    define BYTES_LITTLE_ENDIAN 0
#endif

ALWAYS_INLINE uint16_t load_u16(const void *from)
{
    uint16_t value;
    memcpy(&value, from, sizeof value);
    return value;
}

ALWAYS_INLINE uint32_t load_u32(const void *from)
{
    uint32_t value;
    memcpy(&value, from, sizeof value);
    return value;
}

ALWAYS_INLINE uint64_t load_u64(const void *from)
{
    uint64_t value;
    memcpy(&value, from, sizeof value);
    return value;
}

ALWAYS_INLINE void store_u16(void *to, uint16_t value)
{
    memcpy(to, &value, sizeof value);
}

ALWAYS_INLINE void store_u32(void *to, uint32_t value)
{
    memcpy(to, &value, sizeof value);
}

ALWAYS_INLINE void store_u64(void *to, uint64_t value)
{
    memcpy(to, &value, sizeof value);
}

/* Between this machine's order and big-endian, either way. */
ALWAYS_INLINE uint16_t swap_be16(uint16_t value)
{
    return BYTES_LITTLE_ENDIAN ? __builtin_bswap16(value) : value;
}

ALWAYS_INLINE uint32_t swap_be32(uint32_t value)
{
    return BYTES_LITTLE_ENDIAN ? __builtin_bswap32(value) : value;
}

ALWAYS_INLINE uint64_t swap_be64(uint64_t value)
{
    return BYTES_LITTLE_ENDIAN ? __builtin_bswap64(value) : value;
}

ALWAYS_INLINE uint16_t load_be16(const void *from)
{
    return swap_be16(load_u16(from));
}

ALWAYS_INLINE uint32_t load_be32(const void *from)
{
    return swap_be32(load_u32(from));
}

ALWAYS_INLINE uint64_t load_be64(const void *from)
{
    return swap_be64(load_u64(from));
}

ALWAYS_INLINE void store_be16(void *to, uint16_t value)
{
    store_u16(to, swap_be16(value));
}

ALWAYS_INLINE void store_be32(void *to, uint32_t value)
{
    store_u32(to, swap_be32(value));
}

ALWAYS_INLINE void store_be64(void *to, uint64_t value)
{
    store_u64(to, swap_be64(value));
}

/* A 32-bit size from the wire, sign-extended: a negative one becomes larger than any buffer. */
ALWAYS_INLINE size_t load_be_size(const void *from)
{
    return (size_t)(int64_t)(int32_t)load_be32(from);
}

/* The four bytes at a field's start as load_u32 sees them on this machine: `a` first in memory. */
ALWAYS_INLINE uint32_t pack_u32(uint8_t a, uint8_t b, uint8_t c, uint8_t d)
{
    uint8_t bytes[4] = { a, b, c, d };
    return load_u32(bytes);
}

/* Rounds up to a power of two. */
ALWAYS_INLINE size_t align_up(size_t value, size_t align)
{
    return (value + (align - 1)) & ~(align - 1);
}

#endif /* CORE_BYTES_H */
