/* frugal/schema.h - descriptors at run time: from a .thrift file, or from text tags.
 *
 * A schema owns tables that are the same const data as those of FRUGAL_STRUCT: encode, decode,
 * frugal_get, JSON and everything else take them. The grammar is Apache Thrift's (thrift.yy and
 * thrift.ll of 0.17 and later) with thriftgo's where the two agree or an option chooses;
 * docs/guide/idl.md lists the choices.
 *
 * A loaded schema is immutable, any number of threads may read it. Everything looked up in it is a
 * view that lives until frugal_schema_free. */
#ifndef FRUGAL_SCHEMA_H
#define FRUGAL_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <frugal/describe.h>
#include <frugal/memory.h>
#include <frugal/service.h>
#include <frugal/status.h>
#include <frugal/value.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- load ----------------------------------------------------------------------------------- */

typedef struct frugal_schema frugal_schema;

/* One finding. All texts are views for the time of the call. */
typedef struct frugal_report {
    bool is_warning;
    /* of an error: SYNTAX, DESCRIPTOR, NOTFOUND, IO, DEPTH, SIZE, NOMEM; of a check: MISMATCH */
    frugal_status status;
    const char   *file;         /* as it was opened */
    uint32_t      line, column; /* from 1, of the first byte of the word; the column counts bytes */
    frugal_str    word;         /* the text that is wrong; may be empty */
    const char   *message;      /* one sentence */
} frugal_report;
typedef void frugal_reporter(const frugal_report *report, void *context);

/* Appends the file to `out`. FRUGAL_NOTFOUND: not here, the next include folder is tried; any other
 * failure ends the load. It is called for one path at a time, on the loading thread. */
typedef frugal_status frugal_schema_reader(const char *path, frugal_buf *out, frugal_error *error,
                                           void *context);

/* How fields without an id are numbered; the two do not understand each other. */
typedef enum frugal_auto_ids {
    FRUGAL_AUTO_IDS_APACHE,  /* -1, -2, ... in order of appearance */
    FRUGAL_AUTO_IDS_THRIFTGO /* the id before plus one, the first is 1 */
} frugal_auto_ids;

/* All zeroes is a good default. */
typedef struct frugal_schema_options {
    size_t             struct_size;  /* sizeof, or 0 for the members of version 0 */
    const char *const *include_dirs; /* searched after the folder of the including file */
    size_t             include_dir_count;
    frugal_auto_ids    auto_ids;
    /* fields of default need are made as optional ones, so that a record tells what was on the wire
     * and is written as it was read; required ones, which are never absent, stay */
    bool                  presence;
    bool                  keep_unknown; /* every struct, not unions, gets a FRUGAL_UNKNOWN member */
    uint32_t              error_max; /* after so many errors the rest is not looked at; 0 = 100 */
    uint32_t              file_max;  /* files in all; 0 = 1,000 */
    size_t                text_max;  /* bytes of all files; 0 = 64 MiB */
    frugal_schema_reader *read;      /* NULL: files, by stdio */
    void                 *read_context;
    frugal_reporter      *report; /* NULL: only the first error is told, by `error` */
    void                 *report_context;
    const frugal_allocator *allocator; /* NULL: malloc and free */
} frugal_schema_options;

/* Loads the file and all it includes. `options` NULL: defaults. On failure `*schema` is NULL and
 * `error` is the first of the errors reported: its path is the file, with line and column.
 * FRUGAL_SYNTAX (the grammar), DESCRIPTOR (what it means), IO, NOTFOUND (the file), DEPTH, SIZE (a
 * bound above), NOMEM, INVALID (an argument). */
FRUGAL_API frugal_status frugal_schema_load(const char *path, const frugal_schema_options *options,
                                            frugal_schema **schema, frugal_error *error);

/* The same for text in memory, which need not outlive the call. `name` stands for the path: in
 * messages, for the folder of includes, and its base name is the prefix of its types. */
FRUGAL_API frugal_status frugal_schema_load_text(const char *name, frugal_str text,
                                                 const frugal_schema_options *options,
                                                 frugal_schema **schema, frugal_error *error);

/* Frees the schema, its tables and their plans. Nobody may use them any more. NULL is nothing to
 * do. */
FRUGAL_API void frugal_schema_free(frugal_schema *schema);

/* ---- look up -------------------------------------------------------------------------------- */

/* By "Name" (the root file first, then the others when only one has it) or "file.Name". NULL when
 * there is none or it is ambiguous. Typedefs of structs and enums are found under their own names,
 * too. */
FRUGAL_API const frugal_struct *frugal_schema_struct(const frugal_schema *schema, const char *name);
FRUGAL_API const frugal_enum   *frugal_schema_enum(const frugal_schema *schema, const char *name);
FRUGAL_API const frugal_service *frugal_schema_service(const frugal_schema *schema,
                                                       const char          *name);

/* The value of a constant: its type and where it is. False when there is none. */
FRUGAL_API bool frugal_schema_const(const frugal_schema *schema, const char *name,
                                    frugal_value *value);

/* All of them, the root file's first, each file in its order; NULL behind the last. Structs are
 * also unions and exceptions, not the argument and result structs of methods. */
FRUGAL_API const frugal_struct  *frugal_schema_struct_at(const frugal_schema *schema, size_t index);
FRUGAL_API const frugal_enum    *frugal_schema_enum_at(const frugal_schema *schema, size_t index);
FRUGAL_API const frugal_service *frugal_schema_service_at(const frugal_schema *schema,
                                                          size_t               index);

/* How many services the root file has, its own alone (they come first in frugal_schema_service_at).
 */
FRUGAL_API size_t frugal_schema_root_services(const frugal_schema *schema);

/* Annotations and doc comment of what `path` names: a definition "Type", "file.Type", or a part of
 * it: "Type.field", "Enum.ITEM", "Service.method". `*count` (may be NULL) 0 and NULL when there are
 * none. A key may repeat; order is that of the file. */
typedef struct frugal_annotation {
    const char *key;
    const char *value; /* "1" when none is written */
} frugal_annotation;
FRUGAL_API const frugal_annotation *frugal_schema_annotations(const frugal_schema *schema,
                                                              const char *path, size_t *count);
FRUGAL_API const char *frugal_schema_doc(const frugal_schema *schema, const char *path);

/* The name of the root file for a language ("go", "c", "*"); NULL when there is none. */
FRUGAL_API const char *frugal_schema_namespace(const frugal_schema *schema, const char *scope);

/* ---- check ---------------------------------------------------------------------------------- */

/* Does a table agree with the IDL's `name`, with all that both reach? Ids, names, kinds,
 * requiredness, element and key types, enum items, union or not. Offsets may differ: each side has
 * its own layout. Every difference is reported to `report` (may be NULL); `error` is the first.
 * FRUGAL_MISMATCH; FRUGAL_NOTFOUND (no such type); as frugal_struct_check for `mine`. */
FRUGAL_API frugal_status frugal_schema_check(const frugal_schema *schema, const char *name,
                                             const frugal_struct *mine, frugal_reporter *report,
                                             void *report_context, frugal_error *error);

/* ---- text tags ------------------------------------------------------------------------------ */

/* A field of a struct whose layout the library computes: the tag of Frugal for Go. */
typedef struct frugal_tag {
    const char *name;
    const char *tag; /* `1,required,list<i64>`: id [, requiredness [, type {, option}]] */
} frugal_tag;

/* Where names in tags are looked up: the record or enum called `name` (without a prefix), else
 * NULL. */
typedef struct frugal_tag_names {
    const frugal_struct *(*record)(void *context, frugal_str name);
    const frugal_enum *(*names)(void *context, frugal_str name);
    void *context;
} frugal_tag_names;

/* Makes a table of tags in `arena`, where it lives with its slot (frugal_plan_drop before the arena
 * goes). `map<K:V>` and `map<K,V>` are both read; an id above 32767 is the negative one with the
 * same bits; requiredness left out is default; a type must be given, because there is no C type to
 * infer it from. A name that is its own is the table itself (recursion, by pointer). `names` NULL:
 * no names but its own. FRUGAL_SYNTAX, DESCRIPTOR, NOTFOUND with Frugal's texts: the path is the
 * field, error->column the place in its tag, from 1. FRUGAL_NOMEM, INVALID. */
FRUGAL_API frugal_status frugal_struct_from_tags(const char *name, const frugal_tag *tags,
                                                 size_t count, const frugal_tag_names *names,
                                                 frugal_arena *arena, const frugal_struct **type,
                                                 frugal_error *error);

#ifdef __cplusplus
}
#endif
#endif /* FRUGAL_SCHEMA_H */
