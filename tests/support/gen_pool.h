/* support/gen_pool.h - memory of one case: every piece is a malloc of its own, so that a sanitizer
 * sees a read one byte past any of them, and all pieces are freed together. No memory ends the run.
 */
#ifndef SUPPORT_GEN_POOL_H
#define SUPPORT_GEN_POOL_H

#include <stddef.h>
#include <stdint.h>

typedef struct gen_pool {
    void **pieces;
    size_t count, capacity;
    size_t size; /* bytes of all pieces */
} gen_pool;

/* Zeroed. Size 0 gives a pointer that must not be read, never NULL. */
void *gen_alloc(gen_pool *pool, size_t size, size_t align);

/* Frees the pieces that were made when `count` pieces were there; 0: all. */
void gen_pool_rewind(gen_pool *pool, size_t count);

/* As above, with 0, and frees the pool's own memory. */
void gen_pool_release(gen_pool *pool);

/* Bytes that grow. All zeroes is empty. */
typedef struct gen_bytes {
    uint8_t *data;
    size_t   len, capacity;
} gen_bytes;

void gen_bytes_append(gen_bytes *bytes, const void *data, size_t len);
void gen_bytes_put(gen_bytes *bytes, uint8_t byte);
void gen_bytes_put_be(gen_bytes *bytes, uint64_t value, unsigned size);
void gen_bytes_release(gen_bytes *bytes);

#endif /* SUPPORT_GEN_POOL_H */
