/* order.c - sorts the fields of encoded structs; see order.h.
 *
 * frugal_skip says how many bytes a value takes, and refuses one that is not well formed or nested
 * too deep. What is inside of a value that it has passed may be walked without fear: every count,
 * size and type in there is known to be good, and the recursion has an end. */
#include "order.h"

#include <frugal/frugal.h>

enum { FIELD_HEAD = 3 }; /* type, and two bytes of id */

static size_t order_value(frugal_wire_type type, uint8_t *bytes, size_t size);
static void   order_struct(uint8_t *bytes, size_t size);
static void   place(uint8_t *bytes, size_t at, size_t field_size);

bool order_fields(uint8_t *bytes, size_t size)
{
    return order_value(FRUGAL_WIRE_STRUCT, bytes, size) != 0;
}

/* 0: not well formed; no value is that short. */
static size_t value_size(frugal_wire_type type, const uint8_t *bytes, size_t size)
{
    size_t used = 0;
    return frugal_skip((frugal_bytes){ bytes, size }, type, NULL, &used, NULL) == FRUGAL_OK ? used
                                                                                            : 0;
}

static size_t load_count(const uint8_t *at)
{
    return (size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];
}

/* The size of the value at the front of `bytes`, and everything in it in order. */
static size_t order_value(frugal_wire_type type, uint8_t *bytes, size_t size)
{
    size_t whole = value_size(type, bytes, size), at = 0;
    if (whole == 0)
        return 0;
    if (type == FRUGAL_WIRE_STRUCT)
        order_struct(bytes, whole);
    if (type == FRUGAL_WIRE_LIST || type == FRUGAL_WIRE_SET) { /* type, count, elements */
        size_t count = load_count(bytes + 1);
        for (at = 5; count > 0; count--)
            at += order_value(bytes[0], bytes + at, whole - at);
    }
    if (type == FRUGAL_WIRE_MAP) { /* two types, count, keys and values */
        size_t count = load_count(bytes + 2);
        for (at = 6; count > 0; count--) {
            at += order_value(bytes[0], bytes + at, whole - at);
            at += order_value(bytes[1], bytes + at, whole - at);
        }
    }
    return whole;
}

static void order_struct(uint8_t *bytes, size_t size)
{
    size_t at = 0;
    while (bytes[at] != FRUGAL_WIRE_STOP) {
        size_t value_at   = at + FIELD_HEAD;
        size_t field_size = FIELD_HEAD + order_value(bytes[at], bytes + value_at, size - value_at);
        place(bytes, at, field_size);
        at += field_size;
    }
}

static int field_id(const uint8_t *field)
{
    return (int16_t)(field[1] << 8 | field[2]);
}

static void reverse(uint8_t *from, uint8_t *to)
{
    for (; from < to; from++) {
        uint8_t byte = *from;
        *from        = *--to;
        *to          = byte;
    }
}

/* Moves the field at `at` before the first one that has a higher id; those up to `at` are in order.
 * Two neighbours change places when each is reversed, and then both together. */
static void place(uint8_t *bytes, size_t at, size_t field_size)
{
    size_t to = 0;
    while (to < at && field_id(bytes + to) <= field_id(bytes + at))
        to += FIELD_HEAD + value_size(bytes[to], bytes + to + FIELD_HEAD, at - to - FIELD_HEAD);
    reverse(bytes + to, bytes + at);
    reverse(bytes + at, bytes + at + field_size);
    reverse(bytes + to, bytes + at + field_size);
}
