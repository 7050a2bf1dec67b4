/* idl/case_values_test.c - what the cases from the field say about what they load: names and ids of
 * the first struct's fields, the default of its first field, and constants by name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <frugal/schema.h>

#include "support/json_value.h"
#include "support/vectors.h"

enum { CHECKS_MIN = 8 }; /* cases that say anything */

static frugal_schema *load(const char *file)
{
    frugal_schema *schema;
    frugal_error   error;
    char           path[256];
    snprintf(path, sizeof path, "cases/idl/%s", file);
    frugal_bytes text = vectors_file(path);
    if (frugal_schema_load_text(path, (frugal_str){ (const char *)text.ptr, text.len }, NULL,
                                &schema, &error)
        != FRUGAL_OK)
        fail_msg("%s:%u:%u: %s", file, error.line, error.column, error.message);
    vectors_free(text);
    return schema;
}

static void same(const char *file, const json_t *expected, json_t *got)
{
    json_value_difference difference;
    if (!json_value_same(expected, got, &difference))
        fail_msg("%s: expected %s, got %s", file, difference.expected, difference.got);
    json_decref(got);
}

static void check_fields(const char *file, const frugal_schema *schema, const json_t *expected,
                         bool by_name)
{
    const frugal_struct *type = frugal_schema_struct_at(schema, 0);
    json_t              *got  = json_array();
    assert_non_null(type);
    for (uint32_t i = 0; i < type->field_count; i++)
        json_array_append_new(got, by_name ? json_string(type->fields[i].name)
                                           : json_integer(type->fields[i].id));
    same(file, expected, got);
}

static void check_default(const char *file, const frugal_schema *schema, const json_t *expected)
{
    const frugal_struct *type = frugal_schema_struct_at(schema, 0);
    assert_non_null(type);
    assert_non_null(type->defaults);
    const frugal_field *field = &type->fields[0];
    same(file, expected, json_value_of(&field->type, (const char *)type->defaults + field->offset));
}

static void check(const char *file, const char *what, const json_t *expected)
{
    frugal_schema *schema = load(file);
    frugal_value   value;
    if (strcmp(what, "fields") == 0 || strcmp(what, "ids") == 0)
        check_fields(file, schema, expected, what[0] == 'f');
    else if (strcmp(what, "default") == 0)
        check_default(file, schema, expected);
    else if (!frugal_schema_const(schema, what, &value))
        fail_msg("%s: no constant %s", file, what);
    else
        same(file, expected, json_value_of(value.type, value.ptr));
    frugal_schema_free(schema);
}

static void cases_hold_what_they_say(void **state)
{
    size_t      index, count = 0;
    json_t     *row, *expected, *rows = vectors_rows("cases/idl/expect.jsonl");
    const char *what;
    (void)state;
    json_array_foreach(rows, index, row)
    {
        json_t *checks = json_object_get(row, "checks");
        json_object_foreach(checks, what, expected)
            check(vectors_text(row, "file"), what, expected);
        count += checks != NULL;
    }
    json_decref(rows);
    assert_true(count >= CHECKS_MIN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_hold_what_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
