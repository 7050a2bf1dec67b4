/* Whole files: those of the vectors, the cases from the field, and small texts that other compilers
 * gave their word on. Through the public door, because some are wrong in what they mean. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <frugal/schema.h>

#include "support/vectors.h"

/* Files below the root of the vectors; what is not there ends the program. */
static frugal_status read_vector(const char *path, frugal_buf *out, frugal_error *error,
                                 void *context)
{
    frugal_bytes text = vectors_file(path);
    (void)error;
    (void)context;
    frugal_status status = frugal_buf_append(out, text.ptr, text.len);
    vectors_free(text);
    return status;
}

static frugal_status read_nothing(const char *path, frugal_buf *out, frugal_error *error,
                                  void *context)
{
    (void)path;
    (void)out;
    (void)error;
    (void)context;
    return FRUGAL_NOTFOUND;
}

static frugal_status load(const char *folder, const char *name, frugal_error *error)
{
    frugal_schema_options options = { .read = read_vector };
    frugal_schema        *schema  = NULL;
    char                  path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    vectors_watch(path);
    frugal_status status = frugal_schema_load(path, &options, &schema, error);
    assert_int_equal(schema != NULL, status == FRUGAL_OK);
    frugal_schema_free(schema);
    vectors_watch(NULL);
    return status;
}

static void all_schemas_of_the_vectors_load(void **state)
{
    json_t *names = vectors_files("vectors/idl", ".thrift");
    size_t  index;
    json_t *name;
    (void)state;
    assert_true(json_array_size(names) >= 15);
    json_array_foreach(names, index, name)
    {
        frugal_error error = { .status = FRUGAL_OK };
        if (load("vectors/idl", json_string_value(name), &error) != FRUGAL_OK)
            fail_msg("%s:%u:%u: %s", error.path, error.line, error.column, error.message);
    }
    json_decref(names);
}

static void check_case(const json_t *row)
{
    const char  *file   = vectors_text(row, "file");
    const char  *expect = vectors_text(row, "expect");
    frugal_error error  = { .status = FRUGAL_OK };
    const char  *got    = load("cases/idl", file, &error) == FRUGAL_OK ? "ok" : "error";
    long long    line   = json_integer_value(json_object_get(row, "line"));
    long long    column = json_integer_value(json_object_get(row, "column"));
    if (strcmp(got, expect) != 0 && strcmp(got, vectors_text(row, "also_accept")) != 0)
        fail_msg("%s: %s (%u:%u %s)", file, got, error.line, error.column, error.message);
    if (error.status != FRUGAL_OK && line && (error.line != line || error.column != column))
        fail_msg("%s: %lld:%lld expected, got %u:%u %s", file, line, column, error.line,
                 error.column, error.message);
}

static void cases_from_the_field_end_as_they_should_and_where(void **state)
{
    json_t *rows = vectors_rows("cases/idl/expect.jsonl");
    size_t  index;
    json_t *row;
    (void)state;
    assert_true(json_array_size(rows) >= 33);
    json_array_foreach(rows, index, row) check_case(row);
    json_decref(rows);
}

/* ---- verdicts ------------------------------------------------------------------------------- */

/* What we decide against both, or where they differ: docs/rooms/idl.md says why. */
static const struct {
    const char *id;
    bool        accepted;
} choices[] = {
    { "field-id-32768", false },

    { "const-enum-as-default", true },
    { "string-over-two-lines", true },
    { "annotation-without-value", true },
    { "two-defaults-in-union", false },
    { "unknown-type", false },
    { "enum-same-value", true },
    { "string-default-for-int", false },
    { "float-default-for-int", false },
    { "int-default-out-of-range", false },
    { "async-keyword", true },
    { "throws-struct", false },
    { "missing-include", false },
    { "slist-type", true },
    { "senum", true },
    { "xsd-words", true },
    { "reference-mark", true },
    { "empty-file", true },
    { "bom", true },
    { "oneway-with-result", true },
};

static bool is_choice(const char *id, bool *accepted)
{
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++)
        if (strcmp(choices[i].id, id) == 0) {
            *accepted = choices[i].accepted;
            return true;
        }
    return false;
}

static void check_verdict(const json_t *row)
{
    const json_t *peers  = json_object_get(row, "peers");
    const char   *id     = vectors_text(row, "id");
    const char   *text   = vectors_text(row, "text");
    bool          apache = strcmp(vectors_text(peers, "thrift 0.17.0 compiler (py)"), "ok") == 0;
    bool          go = strcmp(vectors_text(peers, "thriftgo 0.4.5 (parse and check)"), "ok") == 0;
    bool          expected        = apache;
    frugal_schema_options options = { .read = read_nothing };
    frugal_error          error   = { .status = FRUGAL_OK };
    frugal_schema        *schema;
    if (strcmp(id, "uuid-type") == 0)
        return; /* is a type since 0.18 */
    if (!is_choice(id, &expected) && apache != go)
        fail_msg("%s: the peers differ, and nobody has chosen", id);
    bool got = frugal_schema_load_text("x.thrift", (frugal_str){ text, strlen(text) }, &options,
                                       &schema, &error)
               == FRUGAL_OK;
    frugal_schema_free(schema);
    if (got != expected)
        fail_msg("%s: %u:%u %s", id, error.line, error.column, error.message);
}

static void what_both_compilers_take_is_taken_and_the_rest_is_chosen(void **state)
{
    json_t *rows = vectors_rows("vectors/idl-verdicts.jsonl");
    size_t  index;
    json_t *row;
    (void)state;
    assert_true(json_array_size(rows) >= 53);
    json_array_foreach(rows, index, row) check_verdict(row);
    json_decref(rows);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_schemas_of_the_vectors_load),
        cmocka_unit_test(cases_from_the_field_end_as_they_should_and_where),
        cmocka_unit_test(what_both_compilers_take_is_taken_and_the_rest_is_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
