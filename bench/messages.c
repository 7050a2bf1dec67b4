/* bench/messages.c - the bytes of each object, written by hand.
 *
 * Keys of maps ascend: a peer whose maps are sorted writes the same bytes again, and everything
 * that is measured can be compared byte for byte before. */
#include "messages.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "writer.h"

/* ---- strings -------------------------------------------------------------------------------- */

/* 16 bytes, of which the first 8 are UTF-8, too: "Grüße, 世界!". */
static const char phrase[] = "Gr\xc3\xbc\xc3\x9f"
                             "e, \xe4\xb8\x96\xe7\x95\x8c!";

/* What strings repeat, and how long they and binaries are: the difference between medium, short and
 * the objects of json_bench. */
struct lengths {
    size_t      text, data;
    const char *phrase;
};
static const struct lengths long_strings  = { 272, 256, phrase };
static const struct lengths short_strings = { 8, 8, phrase };

static void put_text(frugal_buf *out, const char *words, size_t size)
{
    put_int(out, size, 4);
    for (size_t done = 0; done < size; done += 16)
        put_bytes(out, words, size - done < 16 ? size - done : 16);
}

static void put_phrases(frugal_buf *out, const struct lengths *lengths)
{
    put_text(out, lengths->phrase, lengths->text);
}

static void put_binary(frugal_buf *out, size_t size)
{
    put_int(out, size, 4);
    for (size_t i = 0; i < size; i++)
        put_int(out, i, 1);
}

/* "0" to "7". */
static void put_digit(frugal_buf *out, size_t i)
{
    char digit = (char)('0' + i);

    put_string(out, &digit, 1);
}

static void put_cstring(frugal_buf *out, const char *text)
{
    put_string(out, text, strlen(text));
}

/* ---- small, medium, large, short ------------------------------------------------------------ */

#define ELEMENTS 8

static void put_simple(frugal_buf *out, const struct lengths *lengths, uint64_t id)
{
    put_field(out, FRUGAL_WIRE_I8, 1);
    put_int(out, 127, 1);
    put_field(out, FRUGAL_WIRE_I64, 2);
    put_int(out, id, 8);
    put_field(out, FRUGAL_WIRE_DOUBLE, 3);
    put_double(out, 0.62);
    put_field(out, FRUGAL_WIRE_I32, 4);
    put_int(out, 2147483647, 4);
    put_field(out, FRUGAL_WIRE_STRING, 5);
    put_phrases(out, lengths);
    put_field(out, FRUGAL_WIRE_STRING, 6);
    put_binary(out, lengths->data);
    put_field(out, FRUGAL_WIRE_I32, 7);
    put_int(out, 2, 4);
    put_stop(out);
}

/* Fields 1 to 8 of a nesting. */
static void put_nesting_front(frugal_buf *out, const struct lengths *lengths)
{
    put_field(out, FRUGAL_WIRE_STRING, 1);
    put_phrases(out, lengths);
    put_field(out, FRUGAL_WIRE_LIST, 2);
    put_list(out, FRUGAL_WIRE_STRUCT, ELEMENTS);
    for (size_t i = 0; i < ELEMENTS; i++)
        put_simple(out, lengths, i);
    put_field(out, FRUGAL_WIRE_DOUBLE, 3);
    put_double(out, 2.718281828);
    put_field(out, FRUGAL_WIRE_I32, 4);
    put_int(out, 20401, 4);
    put_field(out, FRUGAL_WIRE_LIST, 5);
    put_list(out, FRUGAL_WIRE_I32, ELEMENTS);
    for (size_t i = 0; i < ELEMENTS; i++)
        put_int(out, 1000 * i, 4);
    put_field(out, FRUGAL_WIRE_I64, 6);
    put_int(out, 1u << 30, 8);
    put_field(out, FRUGAL_WIRE_MAP, 7);
    put_map(out, FRUGAL_WIRE_STRING, FRUGAL_WIRE_STRING, ELEMENTS);
    for (size_t i = 0; i < ELEMENTS; i++) {
        put_digit(out, i);
        put_phrases(out, lengths);
    }
    put_field(out, FRUGAL_WIRE_STRUCT, 8);
    put_simple(out, lengths, 8);
}

/* Fields 9 to 15 of a nesting. */
static void put_nesting_back(frugal_buf *out, const struct lengths *lengths)
{
    put_field(out, FRUGAL_WIRE_MAP, 9);
    put_map(out, FRUGAL_WIRE_I32, FRUGAL_WIRE_I64, ELEMENTS);
    for (size_t i = 0; i < ELEMENTS; i++) {
        put_int(out, i, 4);
        put_int(out, i * i, 8);
    }
    put_field(out, FRUGAL_WIRE_LIST, 10);
    put_list(out, FRUGAL_WIRE_STRING, ELEMENTS);
    for (size_t i = 0; i < ELEMENTS; i++)
        put_phrases(out, lengths);
    put_field(out, FRUGAL_WIRE_STRING, 11);
    put_binary(out, lengths->data);
    put_field(out, FRUGAL_WIRE_MAP, 12);
    put_map(out, FRUGAL_WIRE_I64, FRUGAL_WIRE_STRING, ELEMENTS);
    for (size_t i = 0; i < ELEMENTS; i++) {
        put_int(out, i, 8);
        put_phrases(out, lengths);
    }
    put_field(out, FRUGAL_WIRE_LIST, 13);
    put_list(out, FRUGAL_WIRE_I64, ELEMENTS);
    for (size_t i = 0; i < ELEMENTS; i++)
        put_int(out, 1000000007 * i, 8);
    put_field(out, FRUGAL_WIRE_I8, 14);
    put_int(out, 14, 1);
    put_field(out, FRUGAL_WIRE_MAP, 15);
    put_map(out, FRUGAL_WIRE_STRING, FRUGAL_WIRE_STRUCT, ELEMENTS);
    for (size_t i = 0; i < ELEMENTS; i++) {
        put_digit(out, i);
        put_simple(out, lengths, i);
    }
}

static void put_nesting(frugal_buf *out, const struct lengths *lengths)
{
    put_nesting_front(out, lengths);
    put_nesting_back(out, lengths);
    put_stop(out);
}

void put_small(frugal_buf *out)
{
    put_simple(out, &long_strings, 9223372036854775807);
}

void put_medium(frugal_buf *out)
{
    put_nesting(out, &long_strings);
}

void put_short(frugal_buf *out)
{
    put_nesting(out, &short_strings);
}

void put_medium_of(frugal_buf *out, const char words[16])
{
    struct lengths lengths = { long_strings.text, long_strings.data, words };

    put_nesting(out, &lengths);
}

void put_large(frugal_buf *out)
{
    put_field(out, FRUGAL_WIRE_MAP, 1);
    put_map(out, FRUGAL_WIRE_STRUCT, FRUGAL_WIRE_STRUCT, ELEMENTS);
    for (size_t i = 0; i < ELEMENTS; i++) {
        put_simple(out, &long_strings, i);
        put_nesting(out, &long_strings);
    }
    put_field(out, FRUGAL_WIRE_STRUCT, 2);
    put_simple(out, &long_strings, 2);
    put_field(out, FRUGAL_WIRE_I8, 3);
    put_int(out, 3, 1);
    put_field(out, FRUGAL_WIRE_DOUBLE, 4);
    put_double(out, 4.5);
    put_field(out, FRUGAL_WIRE_LIST, 5);
    put_list(out, FRUGAL_WIRE_STRUCT, ELEMENTS);
    for (size_t i = 0; i < ELEMENTS; i++)
        put_nesting(out, &long_strings);
    put_field(out, FRUGAL_WIRE_I64, 6);
    put_int(out, 6, 8);
    put_field(out, FRUGAL_WIRE_STRUCT, 7);
    put_nesting(out, &long_strings);
    put_field(out, FRUGAL_WIRE_STRING, 8);
    put_binary(out, long_strings.data);
    put_field(out, FRUGAL_WIRE_STRING, 9);
    put_phrases(out, &long_strings);
    put_field(out, FRUGAL_WIRE_I32, 11);
    put_int(out, 11, 4);
    put_stop(out);
}

/* ---- wide ----------------------------------------------------------------------------------- */

/* The field with this id: ten kinds in turn, as the rows of `wide`. */
static void put_wide_field(frugal_buf *out, int id)
{
    static const struct {
        frugal_wire_type type;
        size_t           size;
    } kinds[10] = {
        { FRUGAL_WIRE_BOOL, 1 },   { FRUGAL_WIRE_I8, 1 },     { FRUGAL_WIRE_I16, 2 },
        { FRUGAL_WIRE_I32, 4 },    { FRUGAL_WIRE_I64, 8 },    { FRUGAL_WIRE_DOUBLE, 8 },
        { FRUGAL_WIRE_STRING, 0 }, { FRUGAL_WIRE_STRING, 0 }, { FRUGAL_WIRE_STRING, 0 },
        { FRUGAL_WIRE_I32, 4 },
    };
    frugal_wire_type type = kinds[(id - 1) % 10].type;

    put_field(out, type, id);
    if (type == FRUGAL_WIRE_STRING)
        put_text(out, phrase, 16);
    else if (type == FRUGAL_WIRE_DOUBLE)
        put_double(out, id + 0.5);
    else
        put_int(out, type == FRUGAL_WIRE_BOOL ? 1 : (uint64_t)id, kinds[(id - 1) % 10].size);
}

/* One field of each row, each in another column; so gaps differ, and every kind is there once. */
void put_wide(frugal_buf *out)
{
    for (int row = 0; row < 10; row++)
        put_wide_field(out, 10 * row + (3 * row + 1) % 10 + 1);
    put_stop(out);
}

/* ---- event, unknown, shuffled --------------------------------------------------------------- */

#define EVENTS       32
#define EVENT_FIELDS 20

static const frugal_wire_type event_types[EVENT_FIELDS + 1] = {
    [1] = FRUGAL_WIRE_I64,     [2] = FRUGAL_WIRE_STRING,  [3] = FRUGAL_WIRE_I32,
    [4] = FRUGAL_WIRE_STRING,  [5] = FRUGAL_WIRE_STRING,  [6] = FRUGAL_WIRE_I64,
    [7] = FRUGAL_WIRE_I64,     [8] = FRUGAL_WIRE_BOOL,    [9] = FRUGAL_WIRE_DOUBLE,
    [10] = FRUGAL_WIRE_I32,    [11] = FRUGAL_WIRE_MAP,    [12] = FRUGAL_WIRE_LIST,
    [13] = FRUGAL_WIRE_STRING, [14] = FRUGAL_WIRE_I16,    [15] = FRUGAL_WIRE_I8,
    [16] = FRUGAL_WIRE_STRUCT, [17] = FRUGAL_WIRE_STRING, [18] = FRUGAL_WIRE_I64,
    [19] = FRUGAL_WIRE_I64,    [20] = FRUGAL_WIRE_LIST,
};

static void put_tags(frugal_buf *out)
{
    put_map(out, FRUGAL_WIRE_STRING, FRUGAL_WIRE_STRING, 3);
    put_cstring(out, "cluster");
    put_cstring(out, "blue");
    put_cstring(out, "release");
    put_cstring(out, "2026-11-30");
    put_cstring(out, "zone");
    put_cstring(out, "eu-north-1a");
}

static void put_place(frugal_buf *out)
{
    put_field(out, FRUGAL_WIRE_DOUBLE, 1);
    put_double(out, 59.3293);
    put_field(out, FRUGAL_WIRE_DOUBLE, 2);
    put_double(out, 18.0686);
    put_field(out, FRUGAL_WIRE_STRING, 3);
    put_cstring(out, "Stockholm");
    put_stop(out);
}

static void put_event_container(frugal_buf *out, int id, size_t event)
{
    switch (id) {
    case 11: put_tags(out); break;
    case 12:
        put_list(out, FRUGAL_WIRE_I64, 4);
        for (size_t i = 0; i < 4; i++)
            put_int(out, event * 1000 + i, 8);
        break;
    case 16: put_place(out); break;
    default:
        put_list(out, FRUGAL_WIRE_STRING, 2);
        put_cstring(out, "retried once");
        put_cstring(out, "cache miss");
        break;
    }
}

static void put_event_string(frugal_buf *out, int id, size_t event)
{
    char host[32];

    switch (id) {
    case 2:
        snprintf(host, sizeof host, "host-%02zu.example.org", event);
        put_cstring(out, host);
        break;
    case 4: put_cstring(out, "checkout"); break;
    case 5:
        put_cstring(out, "payment accepted after the second attempt of the customer's bank");
        break;
    case 13: put_cstring(out, "customer-000817"); break;
    default: put_cstring(out, "frugal-bench/1.0 (linux; x86_64)"); break;
    }
}

static void put_event_field(frugal_buf *out, int id, size_t event)
{
    put_field(out, event_types[id], id);
    switch (event_types[id]) {
    case FRUGAL_WIRE_BOOL:
    case FRUGAL_WIRE_I8: put_int(out, 1, 1); break;
    case FRUGAL_WIRE_I16: put_int(out, event, 2); break;
    case FRUGAL_WIRE_I32: put_int(out, 200 + event, 4); break;
    case FRUGAL_WIRE_I64: put_int(out, 1764500000000 + event, 8); break;
    case FRUGAL_WIRE_DOUBLE: put_double(out, 0.25 * (double)event); break;
    case FRUGAL_WIRE_STRING: put_event_string(out, id, event); break;
    default: put_event_container(out, id, event); break;
    }
}

static void put_events(frugal_buf *out, const int order[EVENT_FIELDS])
{
    put_field(out, FRUGAL_WIRE_LIST, 1);
    put_list(out, FRUGAL_WIRE_STRUCT, EVENTS);
    for (size_t event = 0; event < EVENTS; event++) {
        for (size_t i = 0; i < EVENT_FIELDS; i++)
            put_event_field(out, order[i], event);
        put_stop(out);
    }
    put_stop(out);
}

void put_event(frugal_buf *out)
{
    for (int id = 1; id <= EVENT_FIELDS; id++)
        put_event_field(out, id, 7);
    put_stop(out);
}

void put_journal(frugal_buf *out)
{
    int order[EVENT_FIELDS];

    for (int i = 0; i < EVENT_FIELDS; i++)
        order[i] = i + 1;
    put_events(out, order);
}

/* One permutation for all events, as a program has one that writes fields as they are declared. */
void put_shuffled(frugal_buf *out)
{
    int      order[EVENT_FIELDS];
    uint64_t random = 1;

    for (int i = 0; i < EVENT_FIELDS; i++) {
        int j = (int)(next_random(&random) % (uint32_t)(i + 1));

        order[i] = order[j];
        order[j] = i + 1;
    }
    put_events(out, order);
}
