/* idl/schema.c - the public functions of a loaded schema.
 *
 * Everything, the schema itself included, lies in one arena. What a look-up returns was made when
 * the schema was loaded, so looking up changes nothing and needs no lock. */
#include <string.h>

#include <frugal/codec.h>

#include "core/allocator.h"
#include "core/status.h"
#include "idl/order.h"
#include "idl/resolve.h"

#define ERROR_MAX_DEFAULT 100u
#define FILE_MAX_DEFAULT  1000u
#define TEXT_MAX_DEFAULT  ((size_t)64 << 20)

struct frugal_schema {
    frugal_arena          *arena;
    const idl_file        *files;
    const frugal_struct  **structs; /* all arrays end in NULL */
    const frugal_enum    **enums;
    const frugal_service **services;
    size_t                 struct_count, enum_count, service_count;
    size_t                 root_services;
};

/* ---- load ----------------------------------------------------------------------------------- */

static frugal_status complete_options(const frugal_schema_options *given,
                                      frugal_schema_options *options, frugal_error *error)
{
    memset(options, 0, sizeof *options);
    if (given && given->struct_size && given->struct_size < sizeof *options)
        return error_set(error, FRUGAL_INVALID, "options of an unknown size: %zu",
                         given->struct_size);
    if (given)
        *options = *given;
    if (options->include_dir_count && options->include_dirs == NULL)
        return error_set(error, FRUGAL_INVALID, "NULL list of %zu folders",
                         options->include_dir_count);
    for (size_t i = 0; i < options->include_dir_count; i++)
        if (options->include_dirs[i] == NULL)
            return error_set(error, FRUGAL_INVALID, "folder %zu for includes is NULL", i);
    if (options->auto_ids != FRUGAL_AUTO_IDS_APACHE
        && options->auto_ids != FRUGAL_AUTO_IDS_THRIFTGO)
        return error_set(error, FRUGAL_INVALID, "unknown way to number fields: %d",
                         (int)options->auto_ids);
    options->error_max = options->error_max ? options->error_max : ERROR_MAX_DEFAULT;
    options->file_max  = options->file_max ? options->file_max : FILE_MAX_DEFAULT;
    options->text_max  = options->text_max ? options->text_max : TEXT_MAX_DEFAULT;
    options->allocator = allocator_or_malloc(options->allocator);
    return FRUGAL_OK;
}

static void count_definitions(frugal_schema *schema)
{
    for (const idl_file *file = schema->files; file; file = file->next) {
        for (const idl_definition *d = file->definitions; d; d = d->next) {
            schema->struct_count += d->record != NULL;
            schema->enum_count += d->names != NULL;
            schema->service_count += d->service != NULL;
        }
        if (file == schema->files)
            schema->root_services = schema->service_count;
    }
}

static void fill_lists(frugal_schema *schema, idl_load *load)
{
    const frugal_struct  **record  = schema->structs;
    const frugal_enum    **names   = schema->enums;
    const frugal_service **service = schema->services;
    IDL_EACH(load, d)
    {
        if (d->record)
            *record++ = d->record;
        if (d->names)
            *names++ = d->names;
        if (d->service)
            *service++ = d->service;
    }
}

/* The list as schema.h shows it. */
static void show_annotations(idl_load *load, idl_annotation *first)
{
    size_t count = 0;
    if (first == NULL || load->stopped)
        return;
    for (const idl_annotation *a = first; a; a = a->next)
        count++;
    frugal_annotation *all = idl_alloc(load, count * sizeof *all);
    if (all == NULL)
        return;
    first->all   = all;
    first->count = count;
    for (const idl_annotation *a = first; a; a = a->next)
        *all++ = (frugal_annotation){ a->key.text.ptr, a->value.ptr };
}

static void show_all_annotations(idl_load *load)
{
    IDL_EACH(load, d)
    {
        show_annotations(load, d->annotations);
        for (idl_field *field = d->fields; field; field = field->next)
            show_annotations(load, field->annotations);
        for (idl_enum_item *item = d->items; item; item = item->next)
            show_annotations(load, item->annotations);
        for (idl_function *function = d->functions; function; function = function->next)
            show_annotations(load, function->annotations);
    }
}

static void *list_of(idl_load *load, size_t count)
{
    return idl_alloc(load, (count + 1) * sizeof(void *));
}

static frugal_schema *make_schema(idl_load *load)
{
    frugal_schema *schema = idl_alloc(load, sizeof *schema);
    if (schema == NULL)
        return NULL;
    schema->arena = load->arena;
    schema->files = load->files;
    count_definitions(schema);
    schema->structs  = list_of(load, schema->struct_count);
    schema->enums    = list_of(load, schema->enum_count);
    schema->services = list_of(load, schema->service_count);
    if (!load->stopped)
        fill_lists(schema, load);
    show_all_annotations(load);
    return schema;
}

static frugal_schema *load_all(idl_load *load, const char *path, const frugal_str *text)
{
    idl_load_files(load, path, text);
    if (load->errors == 0)
        idl_resolve(load);
    if (load->errors == 0)
        idl_lower(load);
    return load->errors == 0 ? make_schema(load) : NULL;
}

static frugal_status load_schema(const char *path, const frugal_str *text,
                                 const frugal_schema_options *given, frugal_schema **schema,
                                 frugal_error *error)
{
    frugal_schema_options options;
    if (schema == NULL)
        return error_set(error, FRUGAL_INVALID, "nowhere to put the schema");
    *schema = NULL;
    if (path == NULL || (text && text->ptr == NULL && text->len))
        return error_set(error, FRUGAL_INVALID, path ? "NULL text with a length" : "no path");
    frugal_status status = complete_options(given, &options, error);
    if (status != FRUGAL_OK)
        return status;
    idl_load load = { .options = &options };
    load.arena    = frugal_arena_new(&(frugal_arena_options){ .allocator = options.allocator });
    if (load.arena == NULL)
        return error_set(error, FRUGAL_NOMEM, "no memory for the schema");
    frugal_schema *loaded = load_all(&load, path, text);
    if (load.errors == 0) {
        *schema = loaded;
        return FRUGAL_OK;
    }
    if (error)
        *error = load.first;
    frugal_arena_free(load.arena);
    return load.first.status;
}

frugal_status frugal_schema_load(const char *path, const frugal_schema_options *options,
                                 frugal_schema **schema, frugal_error *error)
{
    return load_schema(path, NULL, options, schema, error);
}

frugal_status frugal_schema_load_text(const char *name, frugal_str text,
                                      const frugal_schema_options *options, frugal_schema **schema,
                                      frugal_error *error)
{
    return load_schema(name, &text, options, schema, error);
}

void frugal_schema_free(frugal_schema *schema)
{
    if (schema == NULL)
        return;
    for (const idl_file *file = schema->files; file; file = file->next)
        for (const idl_definition *d = file->definitions; d; d = d->next) {
            frugal_plan_drop(d->record);
            for (const idl_function *f = d->functions; f; f = f->next) {
                frugal_plan_drop(f->lowered_args);
                frugal_plan_drop(f->lowered_result);
            }
        }
    frugal_arena_free(schema->arena);
}

const idl_file *idl_schema_files(const frugal_schema *schema)
{
    return schema->files;
}

/* ---- look up -------------------------------------------------------------------------------- */

/* What a definition called so may be for the caller; NULL: not what is looked for. */
typedef const void *pick(const idl_definition *definition);

static const void *find_here(const idl_file *file, frugal_str name, pick *wanted)
{
    idl_definition *type     = idl_map_find(file->symbols->types, name);
    idl_definition *constant = idl_map_find(file->symbols->constants, name);
    const void     *found    = type ? wanted(type) : NULL;
    return found || constant == NULL ? found : wanted(constant);
}

/* In the files after the root, or, with a prefix, in those that are called so. */
static const void *find_in_all(const frugal_schema *schema, const frugal_str *prefix,
                               frugal_str name, pick *wanted)
{
    const void *found = NULL;
    for (const idl_file *file = schema->files; file; file = file->next) {
        if (prefix && !idl_same_text(file->prefix, *prefix))
            continue;
        const void *here = find_here(file, name, wanted);
        if (here && found)
            return NULL;
        found = here ? here : found;
    }
    return found;
}

static const void *find_text(const frugal_schema *schema, frugal_str name, pick *wanted)
{
    frugal_str prefix, last;
    if (idl_split(name, &prefix, &last))
        return find_in_all(schema, &prefix, last, wanted);
    const void *found = find_here(schema->files, name, wanted);
    return found ? found : find_in_all(schema, NULL, name, wanted);
}

static const void *find_name(const frugal_schema *schema, const char *name, pick *wanted)
{
    if (schema == NULL || name == NULL)
        return NULL;
    return find_text(schema, (frugal_str){ name, strlen(name) }, wanted);
}

static const idl_definition *behind_typedef(const idl_definition *d)
{
    if (d->kind != IDL_TYPEDEF)
        return d;
    const idl_type *type = d->root->type;
    return type->kind == IDL_TYPE_NAME ? type->definition : d;
}

static const void *pick_struct(const idl_definition *d)
{
    return behind_typedef(d)->record;
}

static const void *pick_enum(const idl_definition *d)
{
    return behind_typedef(d)->names;
}

static const void *pick_service(const idl_definition *d)
{
    return d->service;
}

static const void *pick_constant(const idl_definition *d)
{
    return d->kind == IDL_CONST ? d : NULL;
}

static const void *pick_any(const idl_definition *d)
{
    return d;
}

const frugal_struct *frugal_schema_struct(const frugal_schema *schema, const char *name)
{
    return find_name(schema, name, pick_struct);
}

const frugal_enum *frugal_schema_enum(const frugal_schema *schema, const char *name)
{
    return find_name(schema, name, pick_enum);
}

const frugal_service *frugal_schema_service(const frugal_schema *schema, const char *name)
{
    return find_name(schema, name, pick_service);
}

bool frugal_schema_const(const frugal_schema *schema, const char *name, frugal_value *value)
{
    const idl_definition *found = find_name(schema, name, pick_constant);
    if (found == NULL || value == NULL)
        return false;
    *value = (frugal_value){ found->lowered_type, found->lowered_value };
    return true;
}

const frugal_struct *frugal_schema_struct_at(const frugal_schema *schema, size_t index)
{
    return schema && index < schema->struct_count ? schema->structs[index] : NULL;
}

const frugal_enum *frugal_schema_enum_at(const frugal_schema *schema, size_t index)
{
    return schema && index < schema->enum_count ? schema->enums[index] : NULL;
}

const frugal_service *frugal_schema_service_at(const frugal_schema *schema, size_t index)
{
    return schema && index < schema->service_count ? schema->services[index] : NULL;
}

size_t frugal_schema_root_services(const frugal_schema *schema)
{
    return schema ? schema->root_services : 0;
}

/* ---- what else was written ------------------------------------------------------------------- */

typedef struct written {
    const idl_annotation *annotations;
    frugal_str            doc;
} written;

static bool find_member(const idl_definition *d, frugal_str name, written *found)
{
    if (d->kind == IDL_ENUM) {
        const idl_enum_item *item = idl_find_item(d, name);
        if (item)
            *found = (written){ item->annotations, item->doc };
        return item != NULL;
    }
    if (d->kind == IDL_SERVICE) {
        const idl_function *function = idl_find_function(d, name);
        if (function)
            *found = (written){ function->annotations, function->doc };
        return function != NULL;
    }
    const idl_field *field = idl_find_field(d, name);
    if (field)
        *found = (written){ field->annotations, field->doc };
    return field != NULL;
}

static bool find_written(const frugal_schema *schema, const char *path, written *found)
{
    frugal_str            left, right;
    const idl_definition *d = find_name(schema, path, pick_any);
    if (d) {
        *found = (written){ d->annotations, d->doc };
        return true;
    }
    if (schema == NULL || path == NULL
        || !idl_split((frugal_str){ path, strlen(path) }, &left, &right))
        return false;
    d = find_text(schema, left, pick_any);
    return d && find_member(d, right, found);
}

const frugal_annotation *frugal_schema_annotations(const frugal_schema *schema, const char *path,
                                                   size_t *count)
{
    written found;
    bool    any = find_written(schema, path, &found) && found.annotations;
    if (count)
        *count = any ? found.annotations->count : 0;
    return any ? found.annotations->all : NULL;
}

const char *frugal_schema_doc(const frugal_schema *schema, const char *path)
{
    written found;
    return find_written(schema, path, &found) ? found.doc.ptr : NULL;
}

const char *frugal_schema_namespace(const frugal_schema *schema, const char *scope)
{
    const char *found = NULL;
    if (schema == NULL || scope == NULL)
        return NULL;
    for (const idl_namespace *n = schema->files->namespaces; n; n = n->next)
        if (strcmp(n->scope.text.ptr, scope) == 0)
            found = n->name.text.ptr;
    return found;
}
