/* idl/names.c - what names mean: in this file, or after the prefix of an include.
 *
 * Only files that are included directly are seen. Two includes may have one prefix; a name that
 * both know is an error where it is used, not where they are included. */
#include <string.h>

#include "idl/resolve.h"

/* ---- tables --------------------------------------------------------------------------------- */

static void add_definition(resolver *r, idl_definition *definition)
{
    idl_table      *table = r->file->symbols;
    idl_map        *map   = definition->kind == IDL_CONST ? table->constants : table->types;
    idl_definition *first = idl_map_add(map, definition->name.text, definition);
    if (first)
        idl_error(r->load, FRUGAL_DESCRIPTOR, r->file, definition->name.place,
                  definition->name.text, "%.*s is defined already, in line %u",
                  IDL_TEXT(definition->name.text), first->name.place.line);
}

static void make_table(resolver *r, idl_file *file)
{
    size_t constants = 0;
    for (const idl_definition *d = file->definitions; d; d = d->next)
        constants += d->kind == IDL_CONST;
    r->file       = file;
    file->symbols = idl_alloc(r->load, sizeof *file->symbols);
    if (file->symbols == NULL)
        return;
    file->symbols->types     = idl_map_new(r->load, file->definition_count - constants);
    file->symbols->constants = idl_map_new(r->load, constants);
    if (file->symbols->types == NULL || file->symbols->constants == NULL)
        return;
    for (idl_definition *d = file->definitions; d && !r->load->stopped; d = d->next)
        add_definition(r, d);
}

void resolve_tables(resolver *r)
{
    for (idl_file *file = r->load->files; file && !r->load->stopped; file = file->next)
        make_table(r, file);
}

/* ---- looking for names ---------------------------------------------------------------------- */

static idl_definition *find_in(const idl_file *file, frugal_str name, bool is_constant)
{
    const idl_table *table = file->symbols;
    return idl_map_find(is_constant ? table->constants : table->types, name);
}

/* What was looked for in vain is reported; that nothing of an include is used follows from it. */
static void use_all(const idl_file *file, frugal_str prefix)
{
    for (idl_include *include = file->includes; include; include = include->next)
        include->used |= idl_same_text(include->prefix, prefix);
}

static name_found find_in_includes(const idl_file *file, frugal_str prefix, frugal_str name,
                                   bool is_constant, idl_definition **found)
{
    name_found result = NAME_NO_INCLUDE;
    for (idl_include *include = file->includes; include; include = include->next) {
        if (!idl_same_text(include->prefix, prefix))
            continue;
        if (include->file == NULL) {
            result = NAME_BROKEN;
            continue;
        }
        if (result == NAME_NO_INCLUDE)
            result = NAME_NONE;
        idl_definition *here = find_in(include->file, name, is_constant);
        if (here == NULL)
            continue;
        include->used = true;
        if (result == NAME_FOUND && *found != here)
            return NAME_AMBIGUOUS;
        *found = here;
        result = NAME_FOUND;
    }
    if (result == NAME_NONE)
        use_all(file, prefix);
    return result;
}

name_found name_find(const idl_file *file, frugal_str name, bool is_constant,
                     idl_definition **found)
{
    frugal_str prefix, last;
    if (idl_split(name, &prefix, &last))
        return find_in_includes(file, prefix, last, is_constant, found);
    *found = find_in(file, name, is_constant);
    return *found ? NAME_FOUND : NAME_NONE;
}

/* Somebody wrote Name and meant include.Name. */
static const idl_include *include_that_has(const idl_file *file, frugal_str name)
{
    for (const idl_include *include = file->includes; include; include = include->next)
        if (include->file && find_in(include->file, name, false))
            return include;
    return NULL;
}

/* What a base type is called in other languages, and here. */
static const char *base_type_meant(frugal_str name)
{
    static const char *const words[][2] = {
        { "int", "i32" },        { "int8", "i8" },      { "int16", "i16" },
        { "int32", "i32" },      { "int64", "i64" },    { "uint8", "i8" },
        { "uint16", "i16" },     { "uint32", "i32" },   { "uint64", "i64" },
        { "u8", "i8" },          { "u16", "i16" },      { "u32", "i32" },
        { "u64", "i64" },        { "short", "i16" },    { "long", "i64" },
        { "integer", "i32" },    { "float", "double" }, { "float32", "double" },
        { "float64", "double" }, { "boolean", "bool" }, { "str", "string" },
        { "String", "string" },  { "bytes", "binary" }, { "char", "i8" },
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (idl_same_text(name, (frugal_str){ words[i][0], strlen(words[i][0]) }))
            return words[i][1];
    return NULL;
}

static void report_unknown(resolver *r, const idl_name *name, const char *what, name_found why)
{
    frugal_str prefix = NO_WORD, last = name->text;
    idl_split(name->text, &prefix, &last);
    const idl_include *hint =
        why == NAME_NONE && prefix.len == 0 ? include_that_has(r->file, last) : NULL;
    if (why == NAME_BROKEN)
        return;
    if (why == NAME_AMBIGUOUS)
        idl_error(r->load, FRUGAL_DESCRIPTOR, r->file, name->place, name->text,
                  "more than one include called %.*s has %.*s", IDL_TEXT(prefix), IDL_TEXT(last));
    else if (why == NAME_NO_INCLUDE)
        idl_error(r->load, FRUGAL_DESCRIPTOR, r->file, name->place, name->text,
                  "no include of this file is called %.*s", IDL_TEXT(prefix));
    else if (hint)
        idl_error(r->load, FRUGAL_DESCRIPTOR, r->file, name->place, name->text,
                  "no %s is called %.*s; is it %.*s.%.*s?", what, IDL_TEXT(name->text),
                  IDL_TEXT(hint->prefix), IDL_TEXT(last));
    else if (strcmp(what, "type") == 0 && base_type_meant(name->text))
        idl_error(r->load, FRUGAL_DESCRIPTOR, r->file, name->place, name->text,
                  "no type is called %.*s; is it %s?", IDL_TEXT(name->text),
                  base_type_meant(name->text));
    else
        idl_error(r->load, FRUGAL_DESCRIPTOR, r->file, name->place, name->text,
                  "no %s is called %.*s", what, IDL_TEXT(name->text));
}

idl_definition *resolve_name(resolver *r, const idl_name *name, const char *what)
{
    idl_definition *found = NULL;
    name_found      why   = name_find(r->file, name->text, false, &found);
    if (why == NAME_FOUND)
        return found;
    report_unknown(r, name, what, why);
    return NULL;
}

/* ---- types ---------------------------------------------------------------------------------- */

/* `uuid` is a base type of newer compilers; older files may define the word themselves. */
static void resolve_uuid(resolver *r, idl_type *type)
{
    idl_definition *found = NULL;
    if (name_find(r->file, type->name.text, false, &found) == NAME_FOUND) {
        type->kind    = IDL_TYPE_NAME;
        type->is_uuid = false;
        resolve_type(r, type);
        return;
    }
    idl_error(r->load, FRUGAL_DESCRIPTOR, r->file, type->place, type->name.text,
              "uuid is not supported; binary has the same use");
    type->kind = IDL_TYPE_NAME; /* one that means nothing, and was reported */
}

/* Calls nest as types do, which the parser bounds. */
void resolve_type(resolver *r, idl_type *type)
{
    if (type == NULL)
        return;
    resolve_type(r, type->key);
    resolve_type(r, type->elem);
    if (type->kind == IDL_TYPE_BASE && type->is_uuid)
        resolve_uuid(r, type);
    else if (type->kind == IDL_TYPE_NAME) {
        type->definition = resolve_name(r, &type->name, "type");
        if (type->definition && type->definition->kind == IDL_SERVICE) {
            idl_error(r->load, FRUGAL_DESCRIPTOR, r->file, type->place, type->name.text,
                      "%.*s is a service, not a type", IDL_TEXT(type->name.text));
            type->definition = NULL;
        }
    }
}

/* ---- includes that nobody needs ------------------------------------------------------------- */

/* Two lines may include one file. */
static bool is_used(const idl_file *file, const idl_include *include)
{
    for (const idl_include *other = file->includes; other; other = other->next)
        if (other->used && other->file == include->file)
            return true;
    return false;
}

void resolve_warn_unused(resolver *r)
{
    for (const idl_file *file = r->load->files; file && !r->load->stopped; file = file->next)
        for (const idl_include *include = file->includes; include; include = include->next)
            if (include->file && !is_used(file, include))
                idl_warn(r->load, file, include->path.place, include->path.text,
                         "nothing of this include is used");
}
