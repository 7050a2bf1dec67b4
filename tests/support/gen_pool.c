/* support/gen_pool.c - memory of one case. */
#include "support/gen_pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *no_memory_unless(void *memory)
{
    if (memory == NULL) {
        fputs("tests: out of memory\n", stderr);
        abort();
    }
    return memory;
}

void *gen_alloc(gen_pool *pool, size_t size, size_t align)
{
    if (pool->count == pool->capacity) {
        pool->capacity = pool->capacity ? 2 * pool->capacity : 64;
        pool->pieces =
            no_memory_unless(realloc(pool->pieces, pool->capacity * sizeof *pool->pieces));
    }
    void *piece = NULL;
    if (align <= 16)
        piece = calloc(1, size ? size : 1);
    else if (posix_memalign(&piece, align, size ? size : 1) == 0)
        memset(piece, 0, size);
    pool->pieces[pool->count++] = no_memory_unless(piece);
    pool->size += size;
    return piece;
}

void gen_pool_rewind(gen_pool *pool, size_t count)
{
    while (pool->count > count)
        free(pool->pieces[--pool->count]);
}

void gen_pool_release(gen_pool *pool)
{
    gen_pool_rewind(pool, 0);
    free(pool->pieces);
    *pool = (gen_pool){ 0 };
}

void gen_bytes_append(gen_bytes *bytes, const void *data, size_t len)
{
    if (bytes->capacity - bytes->len < len) {
        size_t capacity = bytes->capacity ? bytes->capacity : 64;
        while (capacity - bytes->len < len)
            capacity *= 2;
        bytes->data     = no_memory_unless(realloc(bytes->data, capacity));
        bytes->capacity = capacity;
    }
    if (len)
        memcpy(bytes->data + bytes->len, data, len);
    bytes->len += len;
}

void gen_bytes_put(gen_bytes *bytes, uint8_t byte)
{
    gen_bytes_append(bytes, &byte, 1);
}

void gen_bytes_put_be(gen_bytes *bytes, uint64_t value, unsigned size)
{
    while (size--)
        gen_bytes_put(bytes, (uint8_t)(value >> (8 * size)));
}

void gen_bytes_release(gen_bytes *bytes)
{
    free(bytes->data);
    *bytes = (gen_bytes){ 0 };
}
