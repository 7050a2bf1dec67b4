/* json/write_test.c - what each kind of value is in JSON, and what stops the writer. */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <frugal/frugal.h>

#include "schema/sample.h"
#include "support/probe.h"
#include "json/scan.h"

static char text[1 << 20];

static const char *written(frugal_view value, const frugal_json_write_options *options)
{
    frugal_buf   out;
    frugal_error error;
    frugal_buf_init(&out, text, sizeof text - 1, NULL);
    frugal_status status = frugal_json_write(value, options, &out, &error);
    if (status)
        print_message("%s: %s\n", error.path, error.message);
    assert_int_equal(status, FRUGAL_OK);
    assert_ptr_equal(out.data, text);
    text[out.size] = '\0';
    return text;
}

/* The status, with the path and sentence in `error`; the buffer must be as it was. */
static frugal_status refused(frugal_view value, const frugal_json_write_options *options,
                             frugal_error *error)
{
    frugal_buf out;
    frugal_buf_init(&out, NULL, 0, NULL);
    assert_int_equal(frugal_buf_append(&out, "before", 6), FRUGAL_OK);
    frugal_status status = frugal_json_write(value, options, &out, error);
    assert_int_equal(out.size, 6);
    assert_memory_equal(out.data, "before", 6);
    frugal_buf_release(&out);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static void a_record_is_an_object_of_its_present_fields(void **state)
{
    struct user user = sample_user();
    (void)state;
    assert_string_equal(
        written(FRUGAL_VIEW(user, &user), NULL),
        "{\"id\":42,\"name\":\"Ada\",\"admin\":false,\"age\":36,\"score\":1.5,\"color\":\"GREEN\","
        "\"friends\":[2,3,5],\"flags\":[true,false],\"levels\":[-1,7],"
        "\"scores\":[[\"x\",1.5],[\"y\",2],[\"x\",3]],"
        "\"home\":{\"street\":\"Elm St\",\"zip\":99},\"work\":{\"street\":\"Main St\",\"zip\":10},"
        "\"extra\":{},\"places\":[{\"street\":\"A\",\"zip\":1},{\"street\":\"B\",\"zip\":2}],"
        "\"extras\":[{\"note\":\"n\"},{}],\"words\":{\"7\":[\"x\",\"yz\"],\"-7\":[]},"
        "\"cells\":[[{\"x\":1,\"y\":2},\"one\"],[{\"x\":3,\"y\":4},\"two\"]],"
        "\"shape\":{\"name\":\"round\"},\"$unknown\":{\"$hex\":\"08006300000001\"}}");
}

static void a_pretty_text_has_a_line_for_each_part(void **state)
{
    frugal_json_write_options options = { .pretty = true };
    struct user               user    = { .id = 1 };
    struct user               whole   = sample_user();
    (void)state;
    user.words  = whole.words;
    user.cells  = whole.cells;
    user.photo  = (frugal_bytes){ (const uint8_t *)"\x01", 1 };
    user.kept   = whole.kept;
    user.places = whole.places, user.places.len = 0;
    assert_string_equal(written(FRUGAL_VIEW(user, &user), &options), "{\n"
                                                                     "  \"id\": 1,\n"
                                                                     "  \"name\": \"\",\n"
                                                                     "  \"photo\": \"AQ==\",\n"
                                                                     "  \"admin\": false,\n"
                                                                     "  \"score\": 0,\n"
                                                                     "  \"color\": 0,\n"
                                                                     "  \"friends\": [],\n"
                                                                     "  \"home\": {\n"
                                                                     "    \"street\": \"\",\n"
                                                                     "    \"zip\": 0\n"
                                                                     "  },\n"
                                                                     "  \"extra\": {},\n"
                                                                     "  \"places\": [],\n"
                                                                     "  \"words\": {\n"
                                                                     "    \"7\": [\n"
                                                                     "      \"x\",\n"
                                                                     "      \"yz\"\n"
                                                                     "    ],\n"
                                                                     "    \"-7\": []\n"
                                                                     "  },\n"
                                                                     "  \"cells\": [\n"
                                                                     "    [\n"
                                                                     "      {\n"
                                                                     "        \"x\": 1,\n"
                                                                     "        \"y\": 2\n"
                                                                     "      },\n"
                                                                     "      \"one\"\n"
                                                                     "    ],\n"
                                                                     "    [\n"
                                                                     "      {\n"
                                                                     "        \"x\": 3,\n"
                                                                     "        \"y\": 4\n"
                                                                     "      },\n"
                                                                     "      \"two\"\n"
                                                                     "    ]\n"
                                                                     "  ],\n"
                                                                     "  \"shape\": {},\n"
                                                                     "  \"$unknown\": {\"$hex\": "
                                                                     "\"08006300000001\"}\n"
                                                                     "}");
}

static void a_record_inside_a_pretty_text_is_indented_with_it(void **state)
{
    frugal_json_write_options options = { .pretty = true };
    struct point              point   = { 1, 2 };
    frugal_buf                out;
    (void)state;
    frugal_buf_init(&out, NULL, 0, NULL);
    assert_int_equal(json_put_record(FRUGAL_VIEW(point, &point), &options, 2, &out, NULL),
                     FRUGAL_OK);
    assert_int_equal(frugal_buf_append(&out, "", 1), FRUGAL_OK);
    assert_string_equal((char *)out.data, "{\n      \"x\": 1,\n      \"y\": 2\n    }");
    frugal_buf_release(&out);
}

/* ---- fields --------------------------------------------------------------------------------- */

struct swapped {
    int32_t b, a;
    int32_t minus;
};
FRUGAL_STRUCT_LOCAL(swapped, FRUGAL_FIELD(swapped, b, 2), FRUGAL_FIELD(swapped, minus, -1),
                    FRUGAL_FIELD(swapped, a, 1));

static void fields_come_in_the_order_of_their_signed_ids(void **state)
{
    struct swapped it = { 2, 1, -1 };
    (void)state;
    assert_string_equal(written(FRUGAL_VIEW(swapped, &it), NULL), "{\"minus\":-1,\"a\":1,\"b\":2}");
}

static const int32_t    start_n    = 7;
static const frugal_str start_text = { "seven", 5 };
struct seven {
    FRUGAL_OPT(int32_t) n;
    frugal_str          text;
    FRUGAL_OPT(bool)    none;
};
FRUGAL_STRUCT_LOCAL(seven, FRUGAL_FIELD_WITH(seven, n, 1, optional, i32, .initial = &start_n),
                    FRUGAL_FIELD_WITH(seven, text, 2, optional, string, .initial = &start_text),
                    FRUGAL_FIELD(seven, none, 3, optional));

static void absent_fields_show_their_defaults_when_told(void **state)
{
    frugal_json_write_options options = { .defaults = true };
    struct seven              it      = { .n = { 0 } };
    (void)state;
    assert_string_equal(written(FRUGAL_VIEW(seven, &it), NULL), "{}");
    assert_string_equal(written(FRUGAL_VIEW(seven, &it), &options), "{\"n\":7,\"text\":\"seven\"}");
    it.n.has = true;
    assert_string_equal(written(FRUGAL_VIEW(seven, &it), &options), "{\"n\":0,\"text\":\"seven\"}");
}

static const char *written_shape(struct shape shape)
{
    return written(FRUGAL_VIEW(shape, &shape), NULL);
}

static void a_union_is_the_object_of_its_arm(void **state)
{
    static struct point  corner = { 3, -4 };
    static const uint8_t kept[] = { 2, 0, 50, 1 };
    (void)state;
    assert_string_equal(written_shape((struct shape){ .which = 0 }), "{}");
    assert_string_equal(written_shape((struct shape){ .which = 1, .radius = 0.25 }),
                        "{\"radius\":0.25}");
    assert_string_equal(written_shape((struct shape){ .which = 3, .corner = &corner }),
                        "{\"corner\":{\"x\":3,\"y\":-4}}");
    assert_string_equal(written_shape((struct shape){ .which = 3 }), "{\"corner\":{}}");
    assert_string_equal(written_shape((struct shape){ .kept = { kept, sizeof kept } }),
                        "{\"$unknown\":{\"$hex\":\"02003201\"}}");
    assert_string_equal(written_shape((struct shape){ .which = 5, .kept = { kept, sizeof kept } }),
                        "{\"round\":false}");
}

/* ---- scalars -------------------------------------------------------------------------------- */

struct scalars {
    int8_t              i8;
    int16_t             i16;
    int32_t             i32;
    int64_t             i64;
    double              real;
    enum color          color;
    FRUGAL_OPT(int64_t) opt;
    frugal_str          text;
    frugal_bytes        data;
};
FRUGAL_STRUCT_LOCAL(scalars, FRUGAL_FIELD(scalars, i8, 1), FRUGAL_FIELD(scalars, i16, 2),
                    FRUGAL_FIELD(scalars, i32, 3), FRUGAL_FIELD(scalars, i64, 4),
                    FRUGAL_FIELD(scalars, real, 5), FRUGAL_FIELD(scalars, color, 6, enum(color)),
                    FRUGAL_FIELD(scalars, opt, 7, optional), FRUGAL_FIELD(scalars, text, 8),
                    FRUGAL_FIELD(scalars, data, 9));

static void integers_are_exact(void **state)
{
    struct scalars it = { .i8  = INT8_MIN,
                          .i16 = INT16_MIN,
                          .i32 = INT32_MIN,
                          .i64 = INT64_MIN,
                          .opt = FRUGAL_SOME(INT64_C(9007199254740993)) };
    (void)state;
    assert_string_equal(written(FRUGAL_VIEW(scalars, &it), NULL),
                        "{\"i8\":-128,\"i16\":-32768,\"i32\":-2147483648,"
                        "\"i64\":-9223372036854775808,\"real\":0,\"color\":0,"
                        "\"opt\":9007199254740993,\"text\":\"\",\"data\":\"\"}");
}

static void i64_is_quoted_when_told_and_the_smaller_ones_are_not(void **state)
{
    frugal_json_write_options options = { .i64_strings = true };
    struct scalars            it      = { .i32 = 1, .i64 = -2, .opt = FRUGAL_SOME(3) };
    (void)state;
    assert_string_equal(written(FRUGAL_VIEW(scalars, &it), &options),
                        "{\"i8\":0,\"i16\":0,\"i32\":1,\"i64\":\"-2\",\"real\":0,\"color\":0,"
                        "\"opt\":\"3\",\"text\":\"\",\"data\":\"\"}");
}

struct only_real {
    double value;
};
FRUGAL_STRUCT_LOCAL(only_real, FRUGAL_FIELD(only_real, value, 1));

static void assert_real(double value, const char *expected)
{
    struct only_real it = { value };
    assert_string_equal(written(FRUGAL_VIEW(only_real, &it), NULL), expected);
}

static void doubles_are_the_shortest_text_whatever_the_locale(void **state)
{
    (void)state;
    /* Where it is not installed, the loop runs twice the same. */
    for (int round = 0; round < 2; round++) {
        assert_real(0.1, "{\"value\":0.1}");
        assert_real(-0.0, "{\"value\":-0}");
        assert_real(1e21, "{\"value\":1e+21}");
        assert_real(5e-324, "{\"value\":5e-324}");
        assert_real(NAN, "{\"value\":\"NaN\"}");
        assert_real(INFINITY, "{\"value\":\"Infinity\"}");
        assert_real(-INFINITY, "{\"value\":\"-Infinity\"}");
        if (!setlocale(LC_ALL, "de_DE.UTF-8"))
            setlocale(LC_ALL, "de_DE");
    }
    setlocale(LC_ALL, "C");
}

struct paint {
    enum color                     color;
    FRUGAL_MAP(enum color, int8_t) map;
};
FRUGAL_STRUCT_LOCAL(paint, FRUGAL_FIELD(paint, color, 1, enum(color)),
                    FRUGAL_FIELD(paint, map, 2, map(enum(color), i8)));

static void enums_are_names_and_numbers_where_they_have_none(void **state)
{
    frugal_json_write_options options = { .enum_numbers = true };
    struct {
        enum color key;
        int8_t     value;
    } entries[]     = { { GREEN, 1 }, { (enum color)77, 2 } };
    struct paint it = { .color = RED };
    (void)state;
    it.map.ptr = (void *)entries, it.map.len = 2;
    assert_string_equal(written(FRUGAL_VIEW(paint, &it), NULL),
                        "{\"color\":\"RED\",\"map\":{\"GREEN\":1,\"77\":2}}");
    assert_string_equal(written(FRUGAL_VIEW(paint, &it), &options),
                        "{\"color\":1,\"map\":{\"2\":1,\"77\":2}}");
    it.color   = (enum color) - 5;
    it.map.len = 0;
    assert_string_equal(written(FRUGAL_VIEW(paint, &it), NULL), "{\"color\":-5,\"map\":{}}");
}

/* ---- text ----------------------------------------------------------------------------------- */

struct words_of {
    frugal_str   word;
    frugal_bytes data;
};
FRUGAL_STRUCT_LOCAL(words_of, FRUGAL_FIELD(words_of, word, 1), FRUGAL_FIELD(words_of, data, 2));

static const char *written_words(frugal_str word, frugal_bytes data, bool utf8)
{
    frugal_json_write_options options = { .binary_utf8 = utf8 };
    struct words_of           it      = { word, data };
    return written(FRUGAL_VIEW(words_of, &it), &options);
}

static void strings_are_escaped_as_little_as_possible(void **state)
{
    (void)state;
    assert_string_equal(
        written_words(FRUGAL_STR("\"\\/\b\f\n\r\t\x01\x1f\x7f \xc3\xa9\xf0\x9f\x90\xa2<>&"),
                      (frugal_bytes){ NULL, 0 }, false),
        "{\"word\":\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7f \xc3\xa9\xf0\x9f\x90\xa2<>&\","
        "\"data\":\"\"}");
    assert_string_equal(written_words(FRUGAL_STR("a\0b"), (frugal_bytes){ NULL, 0 }, false),
                        "{\"word\":\"a\\u0000b\",\"data\":\"\"}");
}

static void what_is_not_utf8_is_hexadecimal(void **state)
{
    (void)state;
    assert_string_equal(written_words(FRUGAL_STR("a\xff"), (frugal_bytes){ NULL, 0 }, false),
                        "{\"word\":{\"$hex\":\"61ff\"},\"data\":\"\"}");
    assert_string_equal(written_words(FRUGAL_STR("\xed\xa0\x80"), (frugal_bytes){ NULL, 0 }, false),
                        "{\"word\":{\"$hex\":\"eda080\"},\"data\":\"\"}");
}

static void binary_is_base64_or_text_when_told(void **state)
{
    frugal_bytes data = { (const uint8_t *)"\xfb\xef", 2 };
    frugal_bytes word = { (const uint8_t *)"hi\n", 3 };
    (void)state;
    assert_string_equal(written_words(FRUGAL_STR(""), data, false),
                        "{\"word\":\"\",\"data\":\"++8=\"}");
    assert_string_equal(written_words(FRUGAL_STR(""), data, true),
                        "{\"word\":\"\",\"data\":{\"$hex\":\"fbef\"}}");
    assert_string_equal(written_words(FRUGAL_STR(""), word, true),
                        "{\"word\":\"\",\"data\":\"hi\\n\"}");
}

/* Escapes at every place of pieces and blocks, and across them. */
static void long_strings_are_written_in_pieces(void **state)
{
    static char word[5000];
    (void)state;
    memset(word, 'x', sizeof word);
    for (size_t at = 1000; at < 1060; at++) {
        word[at] = '\n';
        const char *found =
            written_words((frugal_str){ word, sizeof word }, (frugal_bytes){ 0 }, 0);
        assert_int_equal(strlen(found), sizeof word + 1 + strlen("{\"word\":\"\",\"data\":\"\"}"));
        assert_int_equal(strstr(found, "x\\nx") - found, strlen("{\"word\":\"") + at - 1);
        word[at] = 'x';
    }
    word[4999] = '\xff';
    assert_non_null(strstr(written_words((frugal_str){ word, sizeof word }, (frugal_bytes){ 0 }, 0),
                           "{\"word\":{\"$hex\":\"7878"));
}

/* ---- maps ----------------------------------------------------------------------------------- */

struct texts {
    FRUGAL_MAP(frugal_str, int32_t) map;
};
FRUGAL_STRUCT_LOCAL(texts, FRUGAL_FIELD(texts, map, 1, map(string, i32)));

struct text_entry {
    frugal_str key;
    int32_t    value;
};

static const char *written_texts(struct text_entry *entries, size_t count)
{
    struct texts it;
    it.map.ptr = (void *)entries, it.map.len = count;
    return written(FRUGAL_VIEW(texts, &it), NULL);
}

static void a_key_that_is_not_utf8_makes_pairs(void **state)
{
    struct text_entry entries[] = { { { "a", 1 }, 1 }, { { "\xff", 1 }, 2 } };
    (void)state;
    assert_string_equal(written_texts(entries, 1), "{\"map\":{\"a\":1}}");
    assert_string_equal(written_texts(entries, 2), "{\"map\":[[\"a\",1],[{\"$hex\":\"ff\"},2]]}");
}

/* Few keys are compared, more are hashed on the stack, many in memory. */
static void a_repeated_key_makes_pairs(void **state)
{
    static const size_t      counts[] = { 2, 8, 9, 100, 128, 129, 3000 };
    static char              names[3000][8];
    static struct text_entry entries[3000];
    (void)state;
    for (size_t i = 0; i < 3000; i++) {
        int len    = snprintf(names[i], sizeof names[i], "k%zu", i);
        entries[i] = (struct text_entry){ { names[i], (size_t)len }, (int32_t)i };
    }
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct text_entry last = entries[counts[i] - 1];
        assert_int_equal(written_texts(entries, counts[i])[7], '{');
        entries[counts[i] - 1].key = entries[counts[i] / 2 - 1].key;
        assert_int_equal(written_texts(entries, counts[i])[7], '[');
        entries[counts[i] - 1] = last;
    }
}

struct bools {
    FRUGAL_MAP(bool, int8_t) map;
};
FRUGAL_STRUCT_LOCAL(bools, FRUGAL_FIELD(bools, map, 1, map(bool, i8)));

/* true is true, whatever the byte. */
static void repeated_means_the_same_text(void **state)
{
    uint8_t      entries[] = { 1, 5, 0, 6, 2, 7 };
    struct bools it;
    (void)state;
    it.map.ptr = (void *)entries, it.map.len = 2;
    assert_string_equal(written(FRUGAL_VIEW(bools, &it), NULL),
                        "{\"map\":{\"true\":5,\"false\":6}}");
    it.map.len = 3;
    assert_string_equal(written(FRUGAL_VIEW(bools, &it), NULL),
                        "{\"map\":[[true,5],[false,6],[true,7]]}");
}

struct longs {
    FRUGAL_MAP(int64_t, int8_t) map;
};
FRUGAL_STRUCT_LOCAL(longs, FRUGAL_FIELD(longs, map, 1, map(i64, i8)));

/* The hash of a number keeps its upper bits: these all have the same. Whether it is an object or
 * pairs, it takes no longer than a few steps for each key. */
static void keys_that_collide_end_in_pairs(void **state)
{
    enum { COUNT = 20000 };
    struct long_entry {
        int64_t key;
        int8_t  value;
    } *entries = calloc(COUNT, sizeof *entries);
    struct longs it;
    (void)state;
    assert_non_null(entries);
    uint64_t inverse = UINT64_C(0x9e3779b97f4a7c15); /* Newton: its inverse modulo 2^64 */
    for (int i = 0; i < 6; i++)
        inverse *= 2 - UINT64_C(0x9e3779b97f4a7c15) * inverse;
    for (size_t i = 0; i < COUNT; i++)
        entries[i].key = (int64_t)((UINT64_C(5) << 32 | i) * inverse);
    it.map.ptr = (void *)entries, it.map.len = COUNT;
    assert_int_equal(written(FRUGAL_VIEW(longs, &it), NULL)[7], '[');
    free(entries);
}

/* ---- faults --------------------------------------------------------------------------------- */

static void broken_records_are_faults_with_a_path(void **state)
{
    struct user  user = sample_user();
    struct shape shape;
    frugal_error error;
    (void)state;
    user.nick = (frugal_str){ NULL, 3 };
    assert_int_equal(refused(FRUGAL_VIEW(user, &user), NULL, &error), FRUGAL_INVALID);
    assert_string_equal(error.path, "nick");
    assert_string_equal(error.message, "ptr is NULL and len is 3");

    user               = sample_user();
    user.places.ptr[1] = (struct address){ { NULL, 1 }, 0 };
    assert_int_equal(refused(FRUGAL_VIEW(user, &user), NULL, &error), FRUGAL_INVALID);
    assert_string_equal(error.path, "places[1].street");
    user.places.ptr[1] = (struct address){ { "B", 1 }, 2 };

    user.cells.ptr[1].value = (frugal_str){ NULL, 1 };
    assert_int_equal(refused(FRUGAL_VIEW(user, &user), NULL, &error), FRUGAL_INVALID);
    assert_string_equal(error.path, "cells{1}");
    user.cells.ptr[1].value = (frugal_str){ "two", 3 };

    user            = sample_user();
    user.scores.ptr = NULL;
    assert_int_equal(refused(FRUGAL_VIEW(user, &user), NULL, &error), FRUGAL_INVALID);
    assert_string_equal(error.path, "scores");

    user.scores.len = 0;
    user.kept       = (frugal_bytes){ NULL, 2 };
    assert_int_equal(refused(FRUGAL_VIEW(user, &user), NULL, &error), FRUGAL_INVALID);

    shape = (struct shape){ .which = 99 };
    assert_int_equal(refused(FRUGAL_VIEW(shape, &shape), NULL, &error), FRUGAL_INVALID);
    assert_string_equal(error.message, "union shape has no arm 99");
}

static void depth_is_counted_and_a_cycle_ends(void **state)
{
    struct node               nodes[65];
    frugal_json_write_options options = { .depth_max = 3 };
    frugal_error              error;
    (void)state;
    sample_chain(nodes, 64);
    written(FRUGAL_VIEW(node, nodes), NULL);
    sample_chain(nodes, 65);
    assert_int_equal(refused(FRUGAL_VIEW(node, nodes), NULL, &error), FRUGAL_DEPTH);
    assert_string_equal(error.message, "nested deeper than 64 levels (depth_max)");
    sample_chain(nodes, 3);
    written(FRUGAL_VIEW(node, nodes), &options);
    sample_chain(nodes, 4);
    assert_int_equal(refused(FRUGAL_VIEW(node, nodes), &options, &error), FRUGAL_DEPTH);
    assert_string_equal(error.path, "next.next.next");
    nodes[3].next     = nodes;
    options.depth_max = 1024;
    assert_int_equal(refused(FRUGAL_VIEW(node, nodes), &options, &error), FRUGAL_DEPTH);
    options.depth_max = 1025;
    assert_int_equal(refused(FRUGAL_VIEW(node, nodes), &options, &error), FRUGAL_INVALID);
}

static void arguments_are_checked(void **state)
{
    struct point              point   = { 0, 0 };
    frugal_json_write_options options = { .struct_size = 4 };
    frugal_struct             strange = *FRUGAL_TYPE(point);
    frugal_error              error;
    (void)state;
    strange.abi = 99;
    assert_int_equal(frugal_json_write(FRUGAL_VIEW(point, &point), NULL, NULL, &error),
                     FRUGAL_INVALID);
    assert_int_equal(refused((frugal_view){ NULL, &point }, NULL, &error), FRUGAL_INVALID);
    assert_int_equal(refused((frugal_view){ FRUGAL_TYPE(point), NULL }, NULL, &error),
                     FRUGAL_INVALID);
    assert_int_equal(refused(FRUGAL_VIEW(point, &point), &options, &error), FRUGAL_INVALID);
    assert_int_equal(refused((frugal_view){ &strange, &point }, NULL, &error), FRUGAL_DESCRIPTOR);
}

/* ---- forms and plans ------------------------------------------------------------------------ */

static void encoding_still_finds_its_plan_beside_the_form(void **state)
{
    struct point point = { 1, 2 };
    uint8_t      bytes[32];
    (void)state;
    for (int round = 0; round < 2; round++) {
        frugal_plan_drop(FRUGAL_TYPE(point));
        if (round)
            written(FRUGAL_VIEW(point, &point), NULL);
        assert_int_equal(
            frugal_encode_to(FRUGAL_VIEW(point, &point), NULL, bytes, sizeof bytes, NULL, NULL),
            FRUGAL_OK);
        assert_string_equal(written(FRUGAL_VIEW(point, &point), NULL), "{\"x\":1,\"y\":2}");
    }
    frugal_plan_drop(FRUGAL_TYPE(point));
    assert_null(FRUGAL_TYPE(point)->slot->plans);
}

/* A copy of a table shares its slot, and has a form of its own. */
static void a_copied_table_is_not_taken_for_the_first(void **state)
{
    frugal_struct copy     = *FRUGAL_TYPE(point);
    frugal_field  fields[] = { copy.fields[0], copy.fields[1] };
    struct point  point    = { 1, 2 };
    (void)state;
    fields[0].name = "left";
    copy.fields    = fields;
    assert_string_equal(written(FRUGAL_VIEW(point, &point), NULL), "{\"x\":1,\"y\":2}");
    assert_string_equal(written((frugal_view){ &copy, &point }, NULL), "{\"left\":1,\"y\":2}");
    assert_string_equal(written(FRUGAL_VIEW(point, &point), NULL), "{\"x\":1,\"y\":2}");
    frugal_plan_drop(&copy);
}

static void a_name_that_is_no_word_is_escaped_or_refused(void **state)
{
    frugal_struct copy     = *FRUGAL_TYPE(point);
    frugal_field  fields[] = { copy.fields[0], copy.fields[1] };
    frugal_slot   slot     = { NULL };
    struct point  point    = { 1, 2 };
    frugal_error  error;
    (void)state;
    copy.slot      = &slot;
    copy.fields    = fields;
    fields[0].name = "a\"b";
    assert_string_equal(written((frugal_view){ &copy, &point }, NULL), "{\"a\\\"b\":1,\"y\":2}");
    frugal_plan_drop(&copy);
    fields[0].name = "\xff";
    assert_int_equal(refused((frugal_view){ &copy, &point }, NULL, &error), FRUGAL_DESCRIPTOR);
    frugal_plan_drop(&copy);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_record_is_an_object_of_its_present_fields),
        cmocka_unit_test(a_pretty_text_has_a_line_for_each_part),
        cmocka_unit_test(a_record_inside_a_pretty_text_is_indented_with_it),
        cmocka_unit_test(fields_come_in_the_order_of_their_signed_ids),
        cmocka_unit_test(absent_fields_show_their_defaults_when_told),
        cmocka_unit_test(a_union_is_the_object_of_its_arm),
        cmocka_unit_test(integers_are_exact),
        cmocka_unit_test(i64_is_quoted_when_told_and_the_smaller_ones_are_not),
        cmocka_unit_test(doubles_are_the_shortest_text_whatever_the_locale),
        cmocka_unit_test(enums_are_names_and_numbers_where_they_have_none),
        cmocka_unit_test(strings_are_escaped_as_little_as_possible),
        cmocka_unit_test(what_is_not_utf8_is_hexadecimal),
        cmocka_unit_test(binary_is_base64_or_text_when_told),
        cmocka_unit_test(long_strings_are_written_in_pieces),
        cmocka_unit_test(a_key_that_is_not_utf8_makes_pairs),
        cmocka_unit_test(a_repeated_key_makes_pairs),
        cmocka_unit_test(repeated_means_the_same_text),
        cmocka_unit_test(keys_that_collide_end_in_pairs),
        cmocka_unit_test(broken_records_are_faults_with_a_path),
        cmocka_unit_test(depth_is_counted_and_a_cycle_ends),
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(encoding_still_finds_its_plan_beside_the_form),
        cmocka_unit_test(a_copied_table_is_not_taken_for_the_first),
        cmocka_unit_test(a_name_that_is_no_word_is_escaped_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
