/* peers/idl_tables.c - see the header. A schema is loaded when it is first asked for. */
#include "peers/idl_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEMAS_MAX = 64 };

static struct {
    char            name[64];
    vectors_flavour flavour;
    frugal_schema  *schema;
} loaded[SCHEMAS_MAX];
static size_t loaded_count;

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

static _Noreturn void give_up(const char *schema, const char *what)
{
    fprintf(stderr, "idl_tables: %s: %s\n", schema, what);
    exit(EXIT_FAILURE);
}

const frugal_schema *idl_tables_schema(const char *name, vectors_flavour flavour)
{
    frugal_schema_options options = { .presence = flavour == VECTORS_PRESENCE,
                                      .read     = read_vector };
    frugal_error          error;
    char                  path[128];
    for (size_t i = 0; i < loaded_count; i++)
        if (loaded[i].flavour == flavour && strcmp(loaded[i].name, name) == 0)
            return loaded[i].schema;
    if (loaded_count == SCHEMAS_MAX)
        give_up(name, "too many schemas");
    snprintf(path, sizeof path, "vectors/idl/%s.thrift", name);
    if (frugal_schema_load(path, &options, &loaded[loaded_count].schema, &error) != FRUGAL_OK)
        give_up(name, error.message);
    snprintf(loaded[loaded_count].name, sizeof loaded[0].name, "%s", name);
    loaded[loaded_count].flavour = flavour;
    return loaded[loaded_count++].schema;
}

const frugal_struct *idl_tables_type(const char *schema, const char *type, vectors_flavour flavour)
{
    const frugal_struct *found = frugal_schema_struct(idl_tables_schema(schema, flavour), type);
    if (found == NULL)
        give_up(schema, type);
    return found;
}

void idl_tables_release(void)
{
    while (loaded_count)
        frugal_schema_free(loaded[--loaded_count].schema);
}

frugal_schema *idl_tables_text(const char *text, bool keep)
{
    const frugal_schema_options options = { .presence = true, .keep_unknown = keep };
    const frugal_str            input   = { text, strlen(text) };
    frugal_schema              *schema;
    frugal_error                error;
    if (frugal_schema_load_text("case.thrift", input, &options, &schema, &error) != FRUGAL_OK)
        fprintf(stderr, "%u:%u: %s: %s\n", error.line, error.column, error.message, text);
    return schema;
}

frugal_bytes idl_tables_kept(const frugal_struct *type, const void *record)
{
    frugal_bytes kept = { NULL, 0 };
    for (uint32_t i = 0; i < type->field_count; i++)
        if (type->fields[i].need == FRUGAL_NEED_UNKNOWN)
            memcpy(&kept, (const char *)record + type->fields[i].offset, sizeof kept);
    return kept;
}
