#include "idl/parsing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void *resize(void *context, void *ptr, size_t old_size, size_t size)
{
    parsing *p = context;
    if (size > old_size) {
        p->allocations++;
        if (p->fail_at && p->allocations >= p->fail_at)
            return NULL;
    }
    p->live += size - old_size;
    if (size == 0) {
        free(ptr);
        return NULL;
    }
    void *grown = realloc(ptr, size);
    assert_non_null(grown);
    return grown;
}

static void append(char *list, size_t size, const char *text)
{
    size_t used = strlen(list);
    if (used + strlen(text) + 2 < size)
        sprintf(list + used, "%s\n", text);
}

static void report(const frugal_report *r, void *context)
{
    parsing *p = context;
    char     line[512];
    snprintf(line, sizeof line, "%u:%u: %s%s", r->line, r->column, r->is_warning ? "warning: " : "",
             r->message);
    append(p->reports, sizeof p->reports, line);
    snprintf(line, sizeof line, "%.*s", (int)(r->word.len < 60 ? r->word.len : 60),
             r->word.len ? r->word.ptr : "");
    if (!r->is_warning)
        append(p->words, sizeof p->words, line);
}

static frugal_status read_memory(const char *path, frugal_buf *out, frugal_error *error,
                                 void *context)
{
    parsing *p = context;
    append(p->opened, sizeof p->opened, path);
    for (const parsing_file *file = p->files; file->path; file++) {
        if (strcmp(file->path, path) != 0)
            continue;
        snprintf(error->message, sizeof error->message, "%s", file->text);
        if (file->status)
            return file->status;
        return frugal_buf_append(out, file->text, strlen(file->text));
    }
    return FRUGAL_NOTFOUND;
}

void parsing_start(parsing *p)
{
    memset(p, 0, sizeof *p);
    p->allocator              = (frugal_allocator){ resize, p };
    p->options.error_max      = 100;
    p->options.file_max       = 1000;
    p->options.text_max       = (size_t)64 << 20;
    p->options.allocator      = &p->allocator;
    p->options.report         = report;
    p->options.report_context = p;
    p->load.options           = &p->options;
}

static bool start_arena(parsing *p)
{
    frugal_arena_options options = { .allocator = &p->allocator, .block_size = 512 };
    if (p->load.arena == NULL)
        p->load.arena = frugal_arena_new(&options);
    return p->load.arena != NULL;
}

void parsing_end(parsing *p)
{
    frugal_arena_free(p->load.arena);
    assert_int_equal(p->live, 0);
}

idl_file *parsing_text(parsing *p, const char *text, size_t len)
{
    if (!start_arena(p))
        return NULL;
    idl_file *file = idl_alloc(&p->load, sizeof *file);
    if (file == NULL)
        return NULL;
    file->path   = (frugal_str){ "test.thrift", 11 };
    file->prefix = (frugal_str){ "test", 4 };
    /* A copy that ends where its memory ends, so that a sanitizer sees what is read behind it. */
    char *copy = malloc(len + (len == 0));
    assert_non_null(copy);
    memcpy(copy, text, len);
    idl_parse(&p->load, file, (frugal_str){ len ? copy : NULL, len });
    memset(copy, '!', len);
    free(copy);
    return file;
}

idl_file *parsing_load(parsing *p, const char *path)
{
    if (!start_arena(p))
        return NULL;
    p->options.read         = p->files ? read_memory : NULL;
    p->options.read_context = p;
    idl_load_files(&p->load, path, NULL);
    return p->load.files;
}

/* Keeps the lines that are warnings, or those that are not. */
static void filter(char *reports, bool warnings)
{
    char *to = reports;
    for (char *line = reports, *end; *line; line = end) {
        end          = strchr(line, '\n') + 1;
        char *mark   = strstr(line, ": warning: ");
        bool  is_one = mark && mark < end;
        if (is_one == warnings) {
            memmove(to, line, (size_t)(end - line));
            to += end - line;
        }
    }
    *to = '\0';
}

static void expect(const char *text, size_t len, const char *reports, bool warnings)
{
    parsing p;
    parsing_start(&p);
    parsing_text(&p, text, len);
    filter(p.reports, warnings);
    assert_string_equal(p.reports, reports);
    parsing_end(&p);
}

void parsing_expect(const char *text, const char *errors)
{
    expect(text, strlen(text), errors, false);
}

void parsing_expect_bytes(const char *text, size_t len, const char *errors)
{
    expect(text, len, errors, false);
}

void parsing_expect_warnings(const char *text, const char *warnings)
{
    expect(text, strlen(text), warnings, true);
}

/* ---- the dump ------------------------------------------------------------------------------- */

typedef struct dumper {
    char  *text;
    size_t size, used;
} dumper;

__attribute__((format(printf, 2, 3))) static void put(dumper *d, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int more = vsnprintf(d->text + d->used, d->size - d->used, format, arguments);
    va_end(arguments);
    assert_true(more >= 0 && (size_t)more < d->size - d->used);
    d->used += (size_t)more;
}

/* Every text ends in a NUL. */
static void put_str(dumper *d, frugal_str text)
{
    assert_non_null(text.ptr);
    assert_int_equal(text.ptr[text.len], '\0');
    put(d, "%s", text.ptr);
}

static void put_annotations(dumper *d, const idl_annotation *annotation)
{
    for (const char *before = " ("; annotation; annotation = annotation->next, before = ", ") {
        put(d, "%s%s=\"%s\"%s", before, annotation->key.text.ptr, annotation->value.ptr,
            annotation->next ? "" : ")");
        assert_int_equal(strlen(annotation->value.ptr), annotation->value.len);
    }
}

static void put_type(dumper *d, const idl_type *type)
{
    static const char *const kinds[] = { "?",   "bool",   "i8",     "i16",   "i32",
                                         "i64", "double", "string", "binary" };
    switch (type->kind) {
    case IDL_TYPE_BASE: put(d, "%s", type->is_uuid ? "uuid" : kinds[type->base]); break;
    case IDL_TYPE_NAME: put_str(d, type->name.text); break;
    default:
        put(d, "%s<",
            type->kind == IDL_TYPE_LIST  ? "list"
            : type->kind == IDL_TYPE_SET ? "set"
                                         : "map");
        if (type->kind == IDL_TYPE_MAP) {
            put_type(d, type->key);
            put(d, ",");
        }
        put_type(d, type->elem);
        put(d, ">");
    }
    put_annotations(d, type->annotations);
}

static void put_value(dumper *d, const idl_value *value)
{
    size_t count = 0;
    switch (value->kind) {
    case IDL_VALUE_INT: put(d, "%lld", (long long)value->integer); return;
    case IDL_VALUE_DOUBLE: put(d, "%g", value->real); return;
    case IDL_VALUE_TEXT: put(d, "'%s'", value->text.ptr); return;
    case IDL_VALUE_NAME: put_str(d, value->text); return;
    default: break;
    }
    put(d, value->kind == IDL_VALUE_MAP ? "{" : "[");
    for (const idl_value *item = value->items; item; item = item->next, count++) {
        assert_int_equal(item->key != NULL, value->kind == IDL_VALUE_MAP);
        if (count)
            put(d, ",");
        if (item->key)
            put_value(d, item->key);
        if (item->key)
            put(d, ":");
        put_value(d, item);
    }
    assert_int_equal(count, value->item_count);
    put(d, value->kind == IDL_VALUE_MAP ? "}" : "]");
}

static void put_doc(dumper *d, frugal_str doc)
{
    if (doc.ptr)
        put(d, "/*%s*/ ", doc.ptr);
}

static void put_fields(dumper *d, const idl_field *field)
{
    static const char *const needs[] = { "", "!", "?" };
    for (bool first = true; field; field = field->next, first = false) {
        put(d, "%s", first ? "" : ", ");
        put_doc(d, field->doc);
        put(d, "%d%s:%s ", (int)field->id, field->has_id ? "" : "auto", needs[field->need]);
        put_type(d, field->type);
        put(d, " %s", field->name.text.ptr);
        if (field->initial) {
            put(d, "=");
            put_value(d, field->initial);
        }
        put_annotations(d, field->annotations);
    }
}

static void put_items(dumper *d, const idl_enum_item *item)
{
    for (bool first = true; item; item = item->next, first = false) {
        put(d, "%s", first ? "" : ", ");
        put_doc(d, item->doc);
        put(d, "%s%s%lld", item->name.text.ptr, item->has_value ? "=" : "~",
            (long long)item->value);
        put_annotations(d, item->annotations);
    }
}

static void put_functions(dumper *d, const idl_function *function)
{
    for (bool first = true; function; function = function->next, first = false) {
        put(d, "%s", first ? "" : "; ");
        put_doc(d, function->doc);
        put(d, "%s", function->oneway ? "oneway " : "");
        if (function->result)
            put_type(d, function->result);
        else
            put(d, "void");
        put(d, " %s(", function->name.text.ptr);
        put_fields(d, function->args);
        put(d, ")");
        if (function->has_throws) {
            put(d, " throws (");
            put_fields(d, function->throws);
            put(d, ")");
        }
        put_annotations(d, function->annotations);
    }
}

static void put_definition(dumper *d, const idl_definition *definition)
{
    static const char *const kinds[] = { "const", "typedef",   "enum",   "struct",
                                         "union", "exception", "service" };
    put_doc(d, definition->doc);
    put(d, "%s ", kinds[definition->kind]);
    if (definition->type) {
        put_type(d, definition->type);
        put(d, " ");
    }
    put(d, "%s", definition->name.text.ptr);
    if (definition->base_name.text.ptr)
        put(d, " extends %s", definition->base_name.text.ptr);
    if (definition->value) {
        put(d, " = ");
        put_value(d, definition->value);
    }
    if (definition->kind >= IDL_ENUM)
        put(d, " {");
    put_items(d, definition->items);
    put_fields(d, definition->fields);
    put_functions(d, definition->functions);
    if (definition->kind >= IDL_ENUM)
        put(d, "}");
    put_annotations(d, definition->annotations);
    put(d, "\n");
}

void parsing_dump(const idl_file *file, char *text, size_t size)
{
    dumper d     = { text, size, 0 };
    size_t count = 0;
    put_doc(&d, file->doc);
    if (file->doc.ptr)
        put(&d, "\n");
    for (const idl_namespace *n = file->namespaces; n; n = n->next)
        put(&d, "namespace %s %s\n", n->scope.text.ptr, n->name.text.ptr);
    for (const idl_include *i = file->includes; i; i = i->next)
        put(&d, "include %s as %s\n", i->path.text.ptr, i->prefix.ptr);
    for (const idl_definition *i = file->definitions; i; i = i->next, count++) {
        assert_ptr_equal(i->file, file);
        put_definition(&d, i);
    }
    assert_int_equal(count, file->definition_count);
}

void parsing_expect_dump(const char *text, const char *dump)
{
    static char found[1 << 16];
    parsing     p;
    parsing_start(&p);
    idl_file *file = parsing_text(&p, text, strlen(text));
    filter(p.reports, false);
    assert_string_equal(p.reports, "");
    found[0] = '\0';
    parsing_dump(file, found, sizeof found);
    assert_string_equal(found, dump);
    parsing_end(&p);
}
