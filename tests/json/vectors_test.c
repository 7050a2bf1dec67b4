/* json/vectors_test.c - recorded values as JSON and back, and the JSON of two peers.
 *
 * Values: what Apache Thrift wrote is decoded, written as JSON in several styles, read and encoded:
 * the same bytes; and the JSON says what the vector's `value` says, under the documented mapping.
 *
 * Peers: for each recorded pair of Kitex's generic JSON and of dynamicgo, we do what one of the two
 * does, or the row is one of those that `reasons` tells apart; docs/guide/json.md has them in
 * words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <frugal/frugal.h>

#include "support/vectors.h"

/* What the committed selection holds; fewer means that a run did not test it. */
enum { VALUES_MIN = 500, PAIRS_MIN = 150 };

/* ---- schemas -------------------------------------------------------------------------------- */

enum { DECLARED, PRESENCE, FLAVOURS, SCHEMAS_MAX = 32 };

static struct {
    char           name[64];
    frugal_schema *flavours[FLAVOURS];
} schemas[SCHEMAS_MAX];
static size_t schema_count;

static frugal_schema *load(const char *name, bool presence)
{
    char                  path[1000];
    frugal_error          error;
    frugal_schema        *schema  = NULL;
    const char           *root    = getenv("FRUGAL_SHARED");
    frugal_schema_options options = { .presence = presence };
    if (root == NULL || *root == '\0') {
        const char *data = getenv("FRUGAL_TEST_DATA");
        snprintf(path, sizeof path, "%s/peers/vectors/idl/%s.thrift", data ? data : "tests/data",
                 name);
    } else {
        snprintf(path, sizeof path, "%s/vectors/idl/%s.thrift", root, name);
    }
    frugal_status status = frugal_schema_load(path, &options, &schema, &error);
    if (status)
        fail_msg("%s:%u:%u: %s", error.path, error.line, error.column, error.message);
    return schema;
}

static const frugal_struct *type_of(const json_t *row, int flavour)
{
    char name[64];
    vectors_schema_name(vectors_text(row, "schema"), name, sizeof name);
    size_t i = 0;
    while (i < schema_count && strcmp(schemas[i].name, name) != 0)
        i++;
    if (i == schema_count) {
        assert_true(schema_count < SCHEMAS_MAX);
        strcpy(schemas[i].name, name);
        schemas[i].flavours[DECLARED] = load(name, false);
        schemas[i].flavours[PRESENCE] = load(name, true);
        schema_count++;
    }
    const frugal_struct *type =
        frugal_schema_struct(schemas[i].flavours[flavour], vectors_text(row, "type"));
    if (type == NULL)
        fail_msg("%s has no %s", name, vectors_text(row, "type"));
    return type;
}

static int free_schemas(void **state)
{
    (void)state;
    for (size_t i = 0; i < schema_count; i++) {
        frugal_schema_free(schemas[i].flavours[DECLARED]);
        frugal_schema_free(schemas[i].flavours[PRESENCE]);
    }
    schema_count = 0;
    return 0;
}

/* ---- comparing ------------------------------------------------------------------------------ */

static bool same(const json_t *expected, const json_t *got);

/* Whether the text of a key means the key of a pair. */
static bool same_key(const json_t *expected, const char *key)
{
    char text[64];
    if (json_is_string(expected))
        return strcmp(json_string_value(expected), key) == 0;
    if (json_is_integer(expected)) {
        snprintf(text, sizeof text, "%lld", (long long)json_integer_value(expected));
        return strcmp(text, key) == 0;
    }
    return strcmp(key, json_is_true(expected) ? "true" : "false") == 0;
}

/* A map: pairs in the vectors, an object with the members in that order in our text. */
static bool same_map(const json_t *pairs, json_t *object)
{
    size_t index = 0;
    void  *at    = json_object_iter(object);
    for (; at; at = json_object_iter_next(object, at), index++) {
        const json_t *pair = json_array_get(pairs, index);
        if (json_array_size(pair) != 2
            || !same_key(json_array_get(pair, 0), json_object_iter_key(at))
            || !same(json_array_get(pair, 1), json_object_iter_value(at)))
            return false;
    }
    return index == json_array_size(pairs);
}

static bool same(const json_t *expected, const json_t *got)
{
    if (json_is_array(expected) && json_is_object(got))
        return same_map(expected, (json_t *)(uintptr_t)got);
    if (json_is_number(expected) && json_is_number(got)
        && (json_is_real(expected) || json_is_real(got)))
        return json_number_value(expected) == json_number_value(got);
    if (json_typeof(expected) != json_typeof(got))
        return false;
    if (json_is_array(expected)) {
        for (size_t i = 0; i < json_array_size(expected); i++)
            if (!json_array_get(got, i)
                || !same(json_array_get(expected, i), json_array_get(got, i)))
                return false;
        return json_array_size(expected) == json_array_size(got);
    }
    if (!json_is_object(expected))
        return json_equal(expected, got);
    const char *key;
    json_t     *value;
    json_object_foreach((json_t *)(uintptr_t)expected, key, value)
    {
        const json_t *mine = json_object_get(got, key);
        if (mine == NULL || !same(value, mine))
            return false;
    }
    return json_object_size(expected) == json_object_size(got);
}

/* ---- values --------------------------------------------------------------------------------- */

static size_t value_count;

/* Parsed by Jansson, which takes no object with a NUL in a key: each becomes another character. A
 * whole double may have more digits than its integers: then all numbers are read as doubles. */
static json_t *parsed(const char *text, size_t len)
{
    json_error_t error;
    char        *copy = malloc(len + 1);
    json_t      *value;
    assert_non_null(copy);
    if (len)
        memcpy(copy, text, len);
    copy[len] = '\0';
    for (char *at = copy; (at = strstr(at, "\\u0000")) != NULL; at += 6)
        memcpy(at, "\\u2400", 6);
    value = json_loadb(copy, len, 0, &error);
    if (value == NULL && json_error_code(&error) == json_error_numeric_overflow)
        value = json_loadb(copy, len, JSON_DECODE_INT_AS_REAL, &error);
    free(copy);
    return value;
}

static bool says(const frugal_buf *text, const json_t *value)
{
    char   *expected = json_dumps(value, JSON_ENSURE_ASCII | JSON_REAL_PRECISION(17));
    json_t *meant    = parsed(expected, strlen(expected));
    json_t *got      = parsed((char *)text->data, text->size);
    bool    ok       = meant && got && same(meant, got);
    json_decref(meant);
    json_decref(got);
    free(expected);
    return ok;
}

static void check_value(const json_t *row, int flavour)
{
    const frugal_struct *type   = type_of(row, flavour);
    frugal_bytes         bytes  = vectors_binary(row);
    frugal_arena        *arena  = frugal_arena_new(NULL);
    void                *record = calloc(1, type->size), *again = calloc(1, type->size);
    json_t              *value = vectors_value(row);
    frugal_error         error;
    frugal_buf           text, out, expected;
    assert_true(record && again && arena);
    assert_int_equal(frugal_decode((frugal_ref){ type, record }, bytes, arena, NULL, NULL, &error),
                     FRUGAL_OK);
    frugal_buf_init(&text, NULL, 0, NULL);
    frugal_buf_init(&out, NULL, 0, NULL);
    frugal_buf_init(&expected, NULL, 0, NULL);
    assert_int_equal(frugal_encode((frugal_view){ type, record }, NULL, &expected, NULL),
                     FRUGAL_OK);
    if (flavour == PRESENCE
        && (expected.size != bytes.len || memcmp(expected.data, bytes.ptr, bytes.len) != 0))
        fail_msg("%s is not what was encoded", vectors_text(row, "id"));
    for (unsigned style = 0; style < 8; style++) {
        frugal_json_write_options write = { .pretty       = style & 1,
                                            .i64_strings  = style & 2,
                                            .enum_numbers = style == 0 || style & 4,
                                            .binary_utf8  = style & 4 };
        frugal_json_read_options  read  = { .strict = true, .binary_utf8 = style & 4 };
        text.size = out.size = 0;
        if (frugal_json_write((frugal_view){ type, record }, &write, &text, &error))
            fail_msg("%s: %s: %s", vectors_text(row, "id"), error.path, error.message);
        if (style == 0 && flavour == PRESENCE && !says(&text, value))
            fail_msg("%s: another value: %.*s", vectors_text(row, "id"),
                     (int)(text.size < 3000 ? text.size : 3000), (char *)text.data);
        if (frugal_json_read((frugal_ref){ type, again },
                             (frugal_str){ (char *)text.data, text.size }, arena, &read, NULL,
                             &error))
            fail_msg("%s: %s: %s", vectors_text(row, "id"), error.path, error.message);
        assert_int_equal(frugal_encode((frugal_view){ type, again }, NULL, &out, NULL), FRUGAL_OK);
        if (out.size != expected.size || memcmp(out.data, expected.data, out.size) != 0)
            fail_msg("%s: other bytes after JSON in style %u", vectors_text(row, "id"), style);
    }
    frugal_buf_release(&text);
    frugal_buf_release(&out);
    frugal_buf_release(&expected);
    json_decref(value);
    vectors_free(bytes);
    frugal_arena_free(arena);
    free(record);
    free(again);
    value_count++;
}

static void every_recorded_value_survives_json(void **state)
{
    json_t *files = vectors_files("vectors/values", ".jsonl");
    (void)state;
    for (size_t i = 0; i < json_array_size(files); i++) {
        char file[200];
        snprintf(file, sizeof file, "vectors/values/%s",
                 json_string_value(json_array_get(files, i)));
        json_t *rows = vectors_rows(file);
        for (size_t k = 0; k < json_array_size(rows); k++) {
            const json_t *row = json_array_get(rows, k);
            vectors_watch(vectors_text(row, "id"));
            check_value(row, PRESENCE);
            check_value(row, DECLARED);
        }
        json_decref(rows);
    }
    json_decref(files);
    vectors_watch(NULL);
    print_message("%zu values as JSON\n", value_count / 2);
    assert_true(value_count / 2 >= VALUES_MIN);
}

/* ---- peers ---------------------------------------------------------------------------------- */

static bool conv(const json_t *row, const char *name)
{
    return json_is_true(
        json_object_get(json_object_get(json_object_get(row, "options"), "conv"), name));
}

static bool is_raw_binary(const json_t *row)
{
    const json_t *base64 = json_object_get(json_object_get(row, "options"), "base64");
    return conv(row, "NoBase64Binary") || json_is_false(base64);
}

static bool to_json_agrees(const json_t *row, int flavour)
{
    const frugal_struct      *type    = type_of(row, flavour);
    frugal_bytes              bytes   = vectors_hex(row, "binary_hex");
    frugal_arena             *arena   = frugal_arena_new(NULL);
    void                     *record  = calloc(1, type->size);
    frugal_json_write_options options = { .enum_numbers = true,
                                          .i64_strings  = conv(row, "Int642String"),
                                          .defaults     = conv(row, "WriteOptionalField"),
                                          .binary_utf8  = is_raw_binary(row) };
    frugal_buf                text;
    frugal_buf_init(&text, NULL, 0, NULL);
    bool ok =
        frugal_decode((frugal_ref){ type, record }, bytes, arena, NULL, NULL, NULL) == FRUGAL_OK
        && frugal_json_write((frugal_view){ type, record }, &options, &text, NULL) == FRUGAL_OK;
    const char *theirs = vectors_text(row, "json");
    json_t     *mine   = parsed((char *)text.data, text.size);
    json_t     *other  = parsed(theirs, strlen(theirs));
    bool        agrees = strcmp(vectors_text(row, "result"), "ok") == 0
                             ? ok && mine && other && same(other, mine)
                             : !ok;
    json_decref(mine);
    json_decref(other);
    frugal_buf_release(&text);
    frugal_arena_free(arena);
    vectors_free(bytes);
    free(record);
    return agrees;
}

static bool from_json_agrees(const json_t *row, int flavour)
{
    const frugal_struct     *type    = type_of(row, flavour);
    frugal_arena            *arena   = frugal_arena_new(NULL);
    void                    *record  = calloc(1, type->size);
    frugal_json_read_options options = { .strict      = conv(row, "DisallowUnknownField"),
                                         .binary_utf8 = is_raw_binary(row) };
    const char              *text    = vectors_text(row, "json");
    frugal_buf               out;
    frugal_buf_init(&out, NULL, 0, NULL);
    bool ok = frugal_json_read((frugal_ref){ type, record }, (frugal_str){ text, strlen(text) },
                               arena, &options, NULL, NULL)
                  == FRUGAL_OK
              && frugal_encode((frugal_view){ type, record }, NULL, &out, NULL) == FRUGAL_OK;
    bool agrees = !ok;
    if (strcmp(vectors_text(row, "result"), "ok") == 0) {
        const char *key =
            json_object_get(row, "binary_hex_sorted") ? "binary_hex_sorted" : "binary_hex";
        frugal_bytes bytes = vectors_hex(row, key);
        agrees = ok && out.size == bytes.len && memcmp(out.data, bytes.ptr, bytes.len) == 0;
        vectors_free(bytes);
    }
    frugal_buf_release(&out);
    frugal_arena_free(arena);
    free(record);
    return agrees;
}

static bool agrees_with(const json_t *row)
{
    bool to_json = strcmp(vectors_text(row, "direction"), "t2j") == 0;
    for (int flavour = 0; flavour < FLAVOURS; flavour++)
        if (to_json ? to_json_agrees(row, flavour) : from_json_agrees(row, flavour))
            return true;
    return false;
}

/* Rows of one source under options of one name are what the peers say to the same question. */
static bool same_question(const json_t *a, const json_t *b)
{
    static const char *const keys[] = { "source", "options_name", "type", "json" };
    size_t                   count  = strcmp(vectors_text(a, "direction"), "t2j") == 0 ? 3 : 4;
    for (size_t i = 0; i < count; i++)
        if (strcmp(vectors_text(a, keys[i]), vectors_text(b, keys[i])) != 0)
            return false;
    return true;
}

/* Why we do as neither of them. NULL: any. */
static struct reason {
    const char *options_name, *source, *why;
    bool        used;
} reasons[] = {
    { "write-default", NULL, "what is absent is not made up", false },
    { "write-optional", NULL, "what is absent is not made up", false },
    { "write-all", NULL, "what is absent is not made up", false },
    { "idl-defaults-write-default", NULL, "what is absent is not made up", false },
    { "idl-defaults-write-optional", NULL, "what is absent is not made up", false },
    { "idl-defaults-write-all", NULL, "what is absent is not made up", false },
    { "nan-as-null", NULL, "NaN and infinities have names", false },
    { NULL, "jsonmap.Doc/nan", "NaN and infinities have names", false },
    { NULL, "jsonmap.Doc/edges2", "NaN and infinities have names", false },
    { NULL, "jsonmap.OptDoc/nan", "NaN and infinities have names", false },
    { NULL, "jsonmap.OptDoc/edges", "NaN and infinities have names", false },
    { NULL, "handmade/double-nan-string", "NaN and infinities have names", false },
    { "no-base64", NULL, "bytes that are not UTF-8 are {\"$hex\": ..}", false },
    { NULL, "handmade/bad-utf8", "bytes that are not UTF-8 are {\"$hex\": ..}", false },
    { "byte-as-uint8", "jsonmap.Doc/min", "i8 has a sign", false },
    { "disallow-unknown", "handmade/unknown-field", "the field is skipped, as when decoding",
      false },
    { NULL, "handmade/wrong-wire-type", "the field is skipped, as when decoding", false },
    { "int64-in-quotes-without-option", NULL, "numbers in quotes are numbers", false },
    { NULL, "handmade/string-for-int", "numbers in quotes are numbers", false },
    { NULL, "handmade/double-string", "numbers in quotes are numbers", false },
    { NULL, "handmade/enum-number-in-quotes", "numbers in quotes are numbers", false },
    { NULL, "handmade/enum-by-name", "enums have names", false },
    { NULL, "handmade/int-overflow-i8", "numbers are exact, or errors", false },
    { NULL, "handmade/int-overflow-i64", "numbers are exact, or errors", false },
    { NULL, "handmade/float-frac-for-int", "numbers are exact, or errors", false },
    { NULL, "handmade/raw-control", "the grammar is RFC 8259", false },
    { NULL, "handmade/trailing-text", "the grammar is RFC 8259", false },
    { NULL, "handmade/empty-text", "the grammar is RFC 8259", false },
    { NULL, "handmade/null", "a record is an object", false },
    { NULL, "handmade/duplicate-key", "the last one wins", false },
    { NULL, "handmade/base64-no-pad", "padding may be missing", false },
    { NULL, "handmade/list-for-map", "any map may be an array of pairs", false },
    { NULL, "handmade/nested-100", "64 levels, unless told otherwise", false },
};

static bool has_reason(const json_t *row)
{
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        struct reason *it = &reasons[i];
        if ((it->options_name == NULL
             || strcmp(it->options_name, vectors_text(row, "options_name")) == 0)
            && (it->source == NULL || strcmp(it->source, vectors_text(row, "source")) == 0)) {
            it->used = true;
            return true;
        }
    }
    return false;
}

static size_t pair_count, agreed_count;

static void check_pairs(const char *file)
{
    json_t *rows  = vectors_rows(file);
    size_t  count = json_array_size(rows), strange = 0;
    for (size_t i = 0; i < count; i++) {
        const json_t *row = json_array_get(rows, i);
        bool          ok  = agrees_with(row);
        vectors_watch(vectors_text(row, "id"));
        for (size_t k = 0; k < count && !ok; k++)
            ok =
                same_question(row, json_array_get(rows, k)) && agrees_with(json_array_get(rows, k));
        agreed_count += ok;
        if (!ok && !has_reason(row)) {
            print_error("%s of %s, %s: as neither peer\n", vectors_text(row, "id"),
                        vectors_text(row, "source"), vectors_text(row, "options_name"));
            strange++;
        }
    }
    vectors_watch(NULL);
    json_decref(rows);
    pair_count += count;
    assert_int_equal(strange, 0);
}

static void text_is_what_one_of_the_peers_writes(void **state)
{
    (void)state;
    check_pairs("vectors/json-mapping/t2j.jsonl");
}

static void bytes_are_what_one_of_the_peers_makes_of_text(void **state)
{
    (void)state;
    check_pairs("vectors/json-mapping/j2t.jsonl");
}

static void most_pairs_agree_and_every_reason_is_needed(void **state)
{
    (void)state;
    print_message("%zu of %zu pairs as one of the peers\n", agreed_count, pair_count);
    assert_true(pair_count >= PAIRS_MIN);
    assert_true(agreed_count * 100 >= pair_count * 75);
    for (size_t i = 0; vectors_full() && i < sizeof reasons / sizeof *reasons; i++)
        if (!reasons[i].used)
            fail_msg("%s %s: %s: nothing needs this reason",
                     reasons[i].options_name ? reasons[i].options_name : "",
                     reasons[i].source ? reasons[i].source : "", reasons[i].why);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_recorded_value_survives_json),
        cmocka_unit_test(text_is_what_one_of_the_peers_writes),
        cmocka_unit_test(bytes_are_what_one_of_the_peers_makes_of_text),
        cmocka_unit_test(most_pairs_agree_and_every_reason_is_needed),
    };
    return cmocka_run_group_tests(tests, NULL, free_schemas);
}
