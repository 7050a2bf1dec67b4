#include "gen/written.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static frugal_status keep(const char *name, frugal_str text, void *context, frugal_error *error)
{
    written *w = context;
    (void)error;
    if (w->accept && w->count == w->accept)
        return FRUGAL_IO;
    assert_true(w->count < WRITTEN_MAX);
    written_file *file = &w->files[w->count++];
    snprintf(file->name, sizeof file->name, "%s", name);
    file->text = malloc(text.len + 1);
    assert_non_null(file->text);
    memcpy(file->text, text.ptr, text.len);
    file->text[text.len] = '\0';
    return FRUGAL_OK;
}

static frugal_status read_include(const char *path, frugal_buf *out, frugal_error *error,
                                  void *context)
{
    (void)error;
    for (const char *const *pair = context; pair && *pair; pair += 2)
        if (strcmp(pair[0], path) == 0)
            return frugal_buf_append(out, pair[1], strlen(pair[1]));
    return FRUGAL_NOTFOUND;
}

frugal_schema *written_load(const char *file, const char *idl, const char *const *includes)
{
    frugal_error          error;
    frugal_schema        *schema;
    frugal_schema_options loading = { .read = read_include };
    loading.read_context          = (void *)(uintptr_t)includes;
    if (frugal_schema_load_text(file, (frugal_str){ idl, strlen(idl) }, &loading, &schema, &error))
        fail_msg("%s:%u: %s", error.path, (unsigned)error.line, error.message);
    return schema;
}

void written_schema(written *w, const frugal_schema *schema, const gen_options *options)
{
    gen_sink sink = { keep, w };
    written_release(w);
    w->error  = (frugal_error){ 0 };
    w->status = gen_write(schema, options, &sink, &w->error);
}

void written_of(written *w, const char *file, const char *idl, const char *const *includes,
                const gen_options *options)
{
    frugal_schema *schema = written_load(file, idl, includes);
    written_schema(w, schema, options);
    frugal_schema_free(schema);
}

void written_release(written *w)
{
    for (unsigned i = 0; i < w->count; i++)
        free(w->files[i].text);
    w->count = 0;
}

const char *written_text(const written *w, const char *name)
{
    for (unsigned i = 0; i < w->count; i++)
        if (strcmp(w->files[i].name, name) == 0)
            return w->files[i].text;
    fail_msg("%s was not written: %s", name, w->error.message);
    return NULL;
}

bool written_has(const written *w, const char *name, const char *piece)
{
    const char *text = written_text(w, name);
    if (strstr(text, piece))
        return true;
    print_message("%s has no\n%s\nbut is\n%s", name, piece, text);
    return false;
}

char *written_data(const char *name)
{
    char        path[1024];
    const char *folder = getenv("FRUGAL_TEST_DATA");
    snprintf(path, sizeof path, "%s/gen/%s", folder && *folder ? folder : "tests/data", name);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s cannot be read", path);
    char  *text = malloc(1u << 20);
    size_t size = text ? fread(text, 1, (1u << 20) - 1, file) : 0;
    assert_non_null(text);
    assert_true(size < (1u << 20) - 1);
    text[size] = '\0';
    fclose(file);
    return text;
}
