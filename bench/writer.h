/* bench/writer.h - Thrift Binary, one value at a time: what the messages are made with. Out of
 * memory is the end of the program. */
#ifndef BENCH_WRITER_H
#define BENCH_WRITER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <frugal/codec.h>
#include <frugal/memory.h>

static inline void put_bytes(frugal_buf *out, const void *bytes, size_t size)
{
    if (frugal_buf_append(out, bytes, size) != FRUGAL_OK) {
        fprintf(stderr, "bench: no memory for a message\n");
        abort();
    }
}

/* The low `size` bytes of an integer, big-endian. */
static inline void put_int(frugal_buf *out, uint64_t value, size_t size)
{
    uint8_t bytes[8];

    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(value >> 8 * (size - 1 - i));
    put_bytes(out, bytes, size);
}

static inline void put_double(frugal_buf *out, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    put_int(out, bits, 8);
}

static inline void put_string(frugal_buf *out, const void *bytes, size_t size)
{
    put_int(out, size, 4);
    put_bytes(out, bytes, size);
}

static inline void put_field(frugal_buf *out, frugal_wire_type type, int id)
{
    put_int(out, type, 1);
    put_int(out, (uint64_t)id, 2);
}

static inline void put_stop(frugal_buf *out)
{
    put_int(out, FRUGAL_WIRE_STOP, 1);
}

static inline void put_list(frugal_buf *out, frugal_wire_type elem, size_t count)
{
    put_int(out, elem, 1);
    put_int(out, count, 4);
}

static inline void put_map(frugal_buf *out, frugal_wire_type key, frugal_wire_type value,
                           size_t count)
{
    put_int(out, key, 1);
    put_int(out, value, 1);
    put_int(out, count, 4);
}

/* The same numbers everywhere (Knuth's MMIX generator, upper half). */
static inline uint32_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

#endif /* BENCH_WRITER_H */
