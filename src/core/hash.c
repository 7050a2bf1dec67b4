/* core/hash.c - SipHash-1-3.
 *
 * Source: Aumasson and Bernstein, "SipHash: a fast short-input PRF". One round a word and three at
 * the end is what Python and Rust use for their tables. A hash by 64 x 64 multiplication is about
 * twice as fast on short keys, but its collisions can be found without the seed. */
#include "core/hash.h"

#include "core/bytes.h"

typedef struct sip_state {
    uint64_t a, b, c, d;
} sip_state;

ALWAYS_INLINE uint64_t rotate(uint64_t value, unsigned bits)
{
    return value << bits | value >> (64 - bits);
}

ALWAYS_INLINE void sip_round(sip_state *s)
{
    s->a += s->b;
    s->c += s->d;
    s->b = rotate(s->b, 13) ^ s->a;
    s->d = rotate(s->d, 16) ^ s->c;
    s->a = rotate(s->a, 32) + s->d;
    s->c += s->b;
    s->d = rotate(s->d, 21) ^ s->a;
    s->b = rotate(s->b, 17) ^ s->c;
    s->c = rotate(s->c, 32);
}

ALWAYS_INLINE void sip_word(sip_state *s, uint64_t word)
{
    s->d ^= word;
    sip_round(s);
    s->a ^= word;
}

ALWAYS_INLINE uint64_t load_le64(const uint8_t *from)
{
    return __builtin_bswap64(load_be64(from));
}

/* The bytes that fill no word, and in the highest byte the length. */
static uint64_t last_word(const uint8_t *p, size_t len)
{
    uint64_t word = (uint64_t)(len & 0xff) << 56;
    for (size_t i = 0; i < (len & 7); i++)
        word |= (uint64_t)p[i] << (8 * i);
    return word;
}

uint64_t hash_bytes(const void *bytes, size_t len, uint64_t seed)
{
    /* SipHash wants a key of 128 bits; 64 that nobody knows are plenty for a table. */
    uint64_t       other = rotate(seed, 29) * UINT64_C(0x9e3779b97f4a7c15);
    const uint8_t *p     = bytes;
    sip_state state = { seed ^ UINT64_C(0x736f6d6570736575), other ^ UINT64_C(0x646f72616e646f6d),
                        seed ^ UINT64_C(0x6c7967656e657261), other ^ UINT64_C(0x7465646279746573) };
    for (size_t words = len / 8; words; words--, p += 8)
        sip_word(&state, load_le64(p));
    sip_word(&state, last_word(p, len));
    state.c ^= 0xff;
    for (int i = 0; i < 3; i++)
        sip_round(&state);
    return state.a ^ state.b ^ state.c ^ state.d;
}
