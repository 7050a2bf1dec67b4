/* idl/loading.c - see the header. */
#include "idl/loading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CHECKED_MAX = 100 }; /* tables that may all reach each other */

char loading_reports[1 << 16];

static void add_report(const frugal_report *report, void *context)
{
    size_t len = strlen(loading_reports);
    (void)context;
    assert_non_null(report->message);
    assert_true(report->is_warning || report->status != FRUGAL_OK);
    snprintf(loading_reports + len, sizeof loading_reports - len, "%s:%u:%u: %s: %s [%.*s]\n",
             report->file ? report->file : "", report->line, report->column,
             report->is_warning ? "warning" : "error", report->message, (int)report->word.len,
             report->word.ptr ? report->word.ptr : "");
}

static frugal_status read_file(const char *path, frugal_buf *out, frugal_error *error,
                               void *context)
{
    (void)error;
    for (const loading_file *file = context; file->path; file++)
        if (strcmp(file->path, path) == 0)
            return frugal_buf_append(out, file->text, strlen(file->text));
    return FRUGAL_NOTFOUND;
}

frugal_schema *loading_files(const loading_file *files, const frugal_schema_options *options)
{
    frugal_schema_options own    = options ? *options : (frugal_schema_options){ 0 };
    frugal_schema        *schema = (frugal_schema *)&own;
    frugal_error          error  = { 0 };
    own.read                     = read_file;
    own.read_context             = (void *)files;
    own.report                   = add_report;
    loading_reports[0]           = '\0';
    frugal_status status         = frugal_schema_load("main.thrift", &own, &schema, &error);
    assert_int_equal(status == FRUGAL_OK, schema != NULL);
    assert_int_equal(status, error.status);
    assert_int_equal(status == FRUGAL_OK || status == FRUGAL_NOMEM,
                     strstr(loading_reports, ": error: ") == NULL);
    return schema;
}

frugal_schema *loading_text(const char *text, const frugal_schema_options *options)
{
    const loading_file files[] = { { "main.thrift", text }, { NULL, NULL } };
    return loading_files(files, options);
}

/* The lines of one kind, without the file, the kind and the word. */
static void pick(const char *kind, char *text, size_t size)
{
    text[0] = '\0';
    for (const char *line = loading_reports; *line; line = strchr(line, '\n') + 1) {
        const char *place   = strchr(line, ':') + 1;
        const char *found   = strstr(place, kind);
        const char *end     = strchr(line, '\n');
        size_t      len     = strlen(text);
        const char *message = found + strlen(kind);
        if (found == NULL || found > end)
            continue;
        while (*end != '[')
            end--;
        snprintf(text + len, size - len, "%.*s %.*s\n", (int)(found - place), place,
                 (int)(end - 1 - message), message);
    }
}

static void expect(const char *text, const char *kind, const char *expected, bool loads)
{
    char           got[sizeof loading_reports];
    frugal_schema *schema = loading_text(text, NULL);
    pick(kind, got, sizeof got);
    assert_string_equal(got, expected);
    assert_int_equal(schema != NULL, loads);
    for (size_t i = 0; i < CHECKED_MAX && frugal_schema_struct_at(schema, i); i++) {
        frugal_error error = { 0 };
        if (frugal_struct_check(frugal_schema_struct_at(schema, i), &error) != FRUGAL_OK)
            fail_msg("%s: %s: %s", text, error.path, error.message);
    }
    frugal_schema_free(schema);
}

void loading_expect(const char *text, const char *errors)
{
    expect(text, " error: ", errors, errors[0] == '\0');
}

void loading_expect_warnings(const char *text, const char *warnings)
{
    expect(text, " warning: ", warnings, true);
}

char *loading_repeat(const char *before, const char *format, int count, const char *after)
{
    size_t size = strlen(before) + strlen(after) + 1 + (size_t)count * (strlen(format) + 40);
    char  *text = malloc(size);
    assert_non_null(text);
    size_t len = (size_t)snprintf(text, size, "%s", before);
    for (int i = 0; i < count; i++)
        len += (size_t)snprintf(text + len, size - len, format, i, i + 1, i, i + 1);
    snprintf(text + len, size - len, "%s", after);
    return text;
}
