/* bench/messages_shapes.c - the bytes of the objects that are mostly one thing: lists of numbers,
 * short strings, a map, a feature vector, nodes in nodes. Written by hand as those in messages.c.
 */
#include "messages.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "writer.h"

/* ---- lists ---------------------------------------------------------------------------------- */

/* Field `id`: `count` random integers of `size` bytes. */
static void put_randoms(frugal_buf *out, int id, frugal_wire_type elem, size_t size, size_t count)
{
    uint64_t random = 1;

    put_field(out, FRUGAL_WIRE_LIST, id);
    put_list(out, elem, count);
    for (size_t i = 0; i < count; i++) {
        uint64_t high = next_random(&random);

        put_int(out, size == 8 ? high << 32 | next_random(&random) : high, size);
    }
}

void put_i16s(frugal_buf *out, size_t count)
{
    put_randoms(out, 1, FRUGAL_WIRE_I16, 2, count);
    put_stop(out);
}

void put_i32s(frugal_buf *out, size_t count)
{
    put_randoms(out, 1, FRUGAL_WIRE_I32, 4, count);
    put_stop(out);
}

void put_i64s(frugal_buf *out, size_t count)
{
    put_randoms(out, 1, FRUGAL_WIRE_I64, 8, count);
    put_stop(out);
}

/* Not random bits, of which some are no numbers: those equal nothing, and peers are compared. */
static void put_double_list(frugal_buf *out, int id, size_t count)
{
    uint64_t random = 1;

    put_field(out, FRUGAL_WIRE_LIST, id);
    put_list(out, FRUGAL_WIRE_DOUBLE, count);
    for (size_t i = 0; i < count; i++)
        put_double(out, next_random(&random) / 3.0);
}

static void put_bool_list(frugal_buf *out, int id, size_t count)
{
    uint64_t random = 1;

    put_field(out, FRUGAL_WIRE_LIST, id);
    put_list(out, FRUGAL_WIRE_BOOL, count);
    for (size_t i = 0; i < count; i++)
        put_int(out, next_random(&random) & 1, 1);
}

void put_doubles(frugal_buf *out, size_t count)
{
    put_double_list(out, 1, count);
    put_stop(out);
}

void put_bools(frugal_buf *out, size_t count)
{
    put_bool_list(out, 1, count);
    put_stop(out);
}

/* Lengths come at random, so that no branch on them is learnt by heart at once. */
void put_strings(frugal_buf *out, size_t count)
{
    static const char words[] = "abcdefghijklmno";
    uint64_t          random  = 1;

    put_field(out, FRUGAL_WIRE_LIST, 1);
    put_list(out, FRUGAL_WIRE_STRING, count);
    for (size_t i = 0; i < count; i++)
        put_string(out, words, next_random(&random) % 16);
    put_stop(out);
}

/* Keys ascend; see messages.c. */
void put_totals(frugal_buf *out, size_t count)
{
    uint64_t random = 1;

    put_field(out, FRUGAL_WIRE_MAP, 1);
    put_map(out, FRUGAL_WIRE_I64, FRUGAL_WIRE_I64, count);
    for (size_t i = 0; i < count; i++) {
        put_int(out, 1000003 * i, 8);
        put_int(out, next_random(&random), 8);
    }
    put_stop(out);
}

/* ---- a feature vector ----------------------------------------------------------------------- */

void put_features(frugal_buf *out)
{
    static const char model[] = "ranking/2026-11-30";

    put_field(out, FRUGAL_WIRE_STRING, 1);
    put_string(out, model, strlen(model));
    put_field(out, FRUGAL_WIRE_I64, 2);
    put_int(out, 81700000017, 8);
    put_double_list(out, 3, 256);
    put_randoms(out, 4, FRUGAL_WIRE_I64, 8, 64);
    put_field(out, FRUGAL_WIRE_MAP, 5);
    put_map(out, FRUGAL_WIRE_I32, FRUGAL_WIRE_DOUBLE, 32);
    for (size_t i = 0; i < 32; i++) {
        put_int(out, 17 * i, 4);
        put_double(out, 0.125 * (double)i);
    }
    put_bool_list(out, 6, 64);
    put_stop(out);
}

/* ---- nodes in nodes ------------------------------------------------------------------------- */

/* A struct and a list for each level: four less than the 64 that codecs allow. */
#define LEVELS 30

static void put_node_front(frugal_buf *out, size_t id, size_t children)
{
    put_field(out, FRUGAL_WIRE_I32, 1);
    put_int(out, id, 4);
    put_field(out, FRUGAL_WIRE_STRING, 2);
    put_string(out, "node", 4);
    put_field(out, FRUGAL_WIRE_LIST, 3);
    put_list(out, FRUGAL_WIRE_STRUCT, children);
}

/* Each node but the last has two children; the first of them has children again. */
void put_deep(frugal_buf *out)
{
    for (size_t level = 0; level < LEVELS; level++)
        put_node_front(out, level, level + 1 < LEVELS ? 2 : 0);
    put_stop(out);
    for (size_t level = LEVELS - 1; level > 0; level--) {
        put_node_front(out, LEVELS + level, 0);
        put_stop(out); /* of the second child */
        put_stop(out); /* of the node that has both */
    }
}
