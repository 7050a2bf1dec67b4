/* bench/json_objects.c - tables and messages of the records that json_bench measures. */
#include "json_objects.h"

#include "messages.h"
#include "writer.h"

FRUGAL_ENUM(json_color, FRUGAL_ITEM(JSON_RED), FRUGAL_ITEM(JSON_GREEN), FRUGAL_ITEM(JSON_BLUE));

FRUGAL_STRUCT(plain,
    FRUGAL_FIELD(plain, byte_field,   1),
    FRUGAL_FIELD(plain, i64_field,    2),
    FRUGAL_FIELD(plain, double_field, 3),
    FRUGAL_FIELD(plain, i32_field,    4),
    FRUGAL_FIELD(plain, string_field, 5),
    FRUGAL_FIELD(plain, binary_field, 6),
    FRUGAL_FIELD(plain, enum_field,   7, enum(json_color)));

FRUGAL_STRUCT(nested,
    FRUGAL_FIELD(nested, string_field,       1),
    FRUGAL_FIELD(nested, list_plain,         2, list(struct(plain))),
    FRUGAL_FIELD(nested, double_field,       3),
    FRUGAL_FIELD(nested, i32_field,          4),
    FRUGAL_FIELD(nested, list_i32,           5, list(i32)),
    FRUGAL_FIELD(nested, i64_field,          6),
    FRUGAL_FIELD(nested, map_string_string,  7, map(string, string)),
    FRUGAL_FIELD(nested, plain_struct,       8, struct(plain)),
    FRUGAL_FIELD(nested, map_i32_i64,        9, map(i32, i64)),
    FRUGAL_FIELD(nested, list_string,       10, list(string)),
    FRUGAL_FIELD(nested, binary_field,      11),
    FRUGAL_FIELD(nested, map_i64_string,    12, map(i64, string)),
    FRUGAL_FIELD(nested, list_i64,          13, list(i64)),
    FRUGAL_FIELD(nested, byte_field,        14),
    FRUGAL_FIELD(nested, map_string_plain,  15, map(string, struct(plain))));

FRUGAL_STRUCT(figures,
    FRUGAL_FIELD(figures, ints,    1, list(i64)),
    FRUGAL_FIELD(figures, doubles, 2, list(double)));

/* ---- messages ------------------------------------------------------------------------------- */

#define FIGURES 1000

/* 16 bytes each: a line of a log, five Chinese characters and a point, each fourth byte escaped. */
static const char ascii_words[]   = "GET /index.html ";
static const char chinese_words[] = "\xe4\xbb\x8a\xe6\x97\xa5\xe3\x81\xaf\xe6\x99\xb4\xe3\x82\x8c.";
static const char escaped_words[] = "abc\"def\\ghi\njkl\t";

static void put_ascii(frugal_buf *out)
{
    put_medium_of(out, ascii_words);
}

static void put_chinese(frugal_buf *out)
{
    put_medium_of(out, chinese_words);
}

static void put_escaped(frugal_buf *out)
{
    put_medium_of(out, escaped_words);
}

static uint64_t random_bits(uint64_t *state, unsigned count)
{
    uint64_t upper = next_random(state);
    return (upper << 32 | next_random(state)) >> (64 - count);
}

/* Integers of every length and sign; doubles of all digits between 10^-5 and 10^15. */
static void put_numbers(frugal_buf *out)
{
    uint64_t random = 7;

    put_field(out, FRUGAL_WIRE_LIST, 1);
    put_list(out, FRUGAL_WIRE_I64, FIGURES);
    for (size_t i = 0; i < FIGURES; i++) {
        uint64_t bits = random_bits(&random, 1 + next_random(&random) % 63);
        put_int(out, next_random(&random) & 1 ? bits : 0 - bits, 8);
    }
    put_field(out, FRUGAL_WIRE_LIST, 2);
    put_list(out, FRUGAL_WIRE_DOUBLE, FIGURES);
    for (size_t i = 0; i < FIGURES; i++) {
        double value = (double)random_bits(&random, 53) * 0x1p-52 - 1;
        int    power = (int)(next_random(&random) % 21) - 5;
        for (; power > 0; power--)
            value *= 10;
        for (; power < 0; power++)
            value /= 10;
        put_double(out, value);
    }
    put_stop(out);
}

/* Integers up to 99,999, and doubles up to 10,000 with two decimals. */
static void put_prices(frugal_buf *out)
{
    uint64_t random = 8;

    put_field(out, FRUGAL_WIRE_LIST, 1);
    put_list(out, FRUGAL_WIRE_I64, FIGURES);
    for (size_t i = 0; i < FIGURES; i++)
        put_int(out, next_random(&random) % 100000, 8);
    put_field(out, FRUGAL_WIRE_LIST, 2);
    put_list(out, FRUGAL_WIRE_DOUBLE, FIGURES);
    for (size_t i = 0; i < FIGURES; i++)
        put_double(out, next_random(&random) % 1000000 / 100.0);
    put_stop(out);
}

void json_objects_init(json_object objects[JSON_OBJECT_COUNT])
{
    static const struct {
        const char          *name, *method;
        const frugal_struct *type;
        void (*put)(frugal_buf *out);
    } all[JSON_OBJECT_COUNT] = {
        { "short", "nested", FRUGAL_TYPE(nested), put_short },
        { "ascii", "nested", FRUGAL_TYPE(nested), put_ascii },
        { "chinese", "nested", FRUGAL_TYPE(nested), put_chinese },
        { "escaped", "nested", FRUGAL_TYPE(nested), put_escaped },
        { "numbers", "figures", FRUGAL_TYPE(figures), put_numbers },
        { "prices", "figures", FRUGAL_TYPE(figures), put_prices },
    };

    for (size_t i = 0; i < JSON_OBJECT_COUNT; i++) {
        frugal_buf out;
        frugal_buf_init(&out, NULL, 0, NULL);
        all[i].put(&out);
        objects[i].name    = all[i].name;
        objects[i].method  = all[i].method;
        objects[i].type    = all[i].type;
        objects[i].message = (frugal_bytes){ out.data, out.size };
    }
}
