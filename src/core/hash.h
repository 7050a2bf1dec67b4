/* core/hash.h - a hash for tables whose keys come from strangers. */
#ifndef CORE_HASH_H
#define CORE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* SipHash-1-3 of the bytes, keyed by `seed`: who does not know the seed cannot choose keys that
 * collide. The same on every machine. `bytes` may be NULL when `len` is 0. */
uint64_t hash_bytes(const void *bytes, size_t len, uint64_t seed);

#endif /* CORE_HASH_H */
