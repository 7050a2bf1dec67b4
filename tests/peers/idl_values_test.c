/* peers/idl_values_test.c - every recorded value, read and written with tables of its own .thrift
 * file, and of no other source.
 *
 * values_test.c says the same of tables written by hand, and more; here it is all schemas. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <frugal/frugal.h>

#include "peers/idl_tables.h"
#include "support/json_value.h"

/* What the committed selection holds. */
enum { VALUES_MIN = 776, SCHEMAS_MIN = 15, BY_HAND_MIN = 30 };

static size_t value_count, schema_count, by_hand_count, complaints;

static bool complain(const json_t *row, const char *what, const char *detail)
{
    if (complaints++ < 20)
        print_error("%s: %s: %s\n", vectors_text(row, "id"), what, detail);
    return false;
}

static bool decode(const json_t *row, const frugal_struct *type, frugal_bytes bytes,
                   frugal_arena *arena, void *record)
{
    frugal_bytes input = vectors_copy(bytes.ptr, bytes.len); /* gone when the record is looked at */
    frugal_error error;
    size_t       used = 0;
    frugal_status status =
        frugal_decode((frugal_ref){ type, record }, input, arena, NULL, &used, &error);
    vectors_free(input);
    if (status != FRUGAL_OK)
        return complain(row, "decode", error.message);
    return used == bytes.len || complain(row, "decode", "did not use all bytes");
}

static void shows(const json_t *row, const frugal_struct *type, const void *record,
                  const json_t *expected)
{
    json_value_difference difference;
    json_t               *got = json_value_of_record(type, record);
    if (!json_value_same(expected, got, &difference)) {
        char text[700];
        snprintf(text, sizeof text, "%s: expected %s, got %s", difference.path, difference.expected,
                 difference.got);
        complain(row, "another value", text);
    }
    json_decref(got);
}

static void encodes_to(const json_t *row, const frugal_struct *type, const void *record,
                       frugal_bytes expected)
{
    frugal_buf   out;
    frugal_error error;
    frugal_buf_init(&out, NULL, 0, NULL);
    if (frugal_encode((frugal_view){ type, record }, NULL, &out, &error) != FRUGAL_OK)
        complain(row, "encode", error.message);
    else if (out.size != expected.len || memcmp(out.data, expected.ptr, out.size) != 0)
        complain(row, "encode", "not the recorded bytes");
    frugal_buf_release(&out);
}

/* With presence the record tells what was on the wire and becomes it again; as declared it shows
 * defaults for what was absent. */
static void check_flavour(const json_t *row, const char *schema, vectors_flavour flavour)
{
    const frugal_struct *type   = idl_tables_type(schema, vectors_text(row, "type"), flavour);
    frugal_arena        *arena  = frugal_arena_new(NULL);
    void                *record = malloc(type->size);
    json_t              *value  = vectors_value(row);
    frugal_bytes         bytes  = vectors_binary(row);
    if (arena == NULL || record == NULL)
        abort();
    memset(record, 0xa5, type->size);
    if (flavour == VECTORS_DECLARED) {
        json_t *complete = json_deep_copy(value);
        json_value_complete(type, complete);
        json_decref(value);
        value = complete;
    }
    if (decode(row, type, bytes, arena, record)) {
        shows(row, type, record, value);
        if (flavour == VECTORS_PRESENCE)
            encodes_to(row, type, record, bytes);
    }
    json_decref(value);
    vectors_free(bytes);
    free(record);
    frugal_arena_free(arena);
}

static void check_row(const json_t *row)
{
    char schema[64];
    vectors_schema_name(vectors_text(row, "schema"), schema, sizeof schema);
    vectors_watch(vectors_text(row, "id"));
    check_flavour(row, schema, VECTORS_PRESENCE);
    check_flavour(row, schema, VECTORS_DECLARED);
    vectors_watch(NULL);
    value_count++;
}

static void for_each_row(void (*check)(const json_t *row))
{
    size_t  index, row_index;
    json_t *name, *row, *files = vectors_files("vectors/values", ".jsonl");
    complaints   = 0;
    schema_count = 0;
    json_array_foreach(files, index, name)
    {
        char file[256];
        snprintf(file, sizeof file, "vectors/values/%s", json_string_value(name));
        json_t *rows = vectors_rows(file);
        json_array_foreach(rows, row_index, row) check(row);
        json_decref(rows);
        schema_count++;
    }
    json_decref(files);
}

static void values_are_those_recorded_with_tables_of_their_own_files(void **state)
{
    (void)state;
    for_each_row(check_row);
    printf("peers.idl_values: %zu values of %zu schemas, as declared and with presence (%s)\n",
           value_count, schema_count, vectors_full() ? "full sets" : "selection");
    assert_int_equal(complaints, 0);
    assert_true(value_count >= VALUES_MIN && schema_count >= SCHEMAS_MIN);
}

/* The types of the rows; each is met often, and checked the first time. */
static void check_by_hand(const json_t *row)
{
    static const frugal_struct *last;
    char                        schema[64];
    frugal_error                error;
    const char                 *type = vectors_text(row, "type");
    vectors_schema_name(vectors_text(row, "schema"), schema, sizeof schema);
    const frugal_struct *by_hand = vectors_type(schema, type, VECTORS_DECLARED);
    if (by_hand == NULL || by_hand == last)
        return;
    last = by_hand;
    if (frugal_schema_check(idl_tables_schema(schema, VECTORS_DECLARED), type, by_hand, NULL, NULL,
                            &error)
        != FRUGAL_OK) {
        complain(row, error.path, error.message);
        return;
    }
    by_hand_count++;
}

static void tables_by_hand_agree_with_their_files(void **state)
{
    (void)state;
    for_each_row(check_by_hand);
    assert_int_equal(complaints, 0);
    assert_true(by_hand_count >= BY_HAND_MIN);
}

static int release(void **state)
{
    (void)state;
    idl_tables_release();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_recorded_with_tables_of_their_own_files),
        cmocka_unit_test(tables_by_hand_agree_with_their_files),
    };
    return cmocka_run_group_tests(tests, NULL, release);
}
