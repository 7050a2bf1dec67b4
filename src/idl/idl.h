/* idl/idl.h - what flows through the room: text -> file (parse) -> meaning (resolve) -> tables
 * (lower).
 *
 * Nothing here opens a file or keeps a global. Every loop is bounded by the text, every recursion
 * by IDL_DEPTH_MAX, and what a schema may take in all by the options of frugal_schema_load. */
#ifndef IDL_IDL_H
#define IDL_IDL_H

#include <frugal/memory.h>
#include <frugal/schema.h>
#include <frugal/status.h>

#include "idl/ast.h"

#define IDL_DEPTH_MAX 64u /* types in types, values in values */

/* One load: where things go, what was asked for, what went wrong so far. */
typedef struct idl_load {
    frugal_arena                *arena;   /* of all that is kept */
    const frugal_schema_options *options; /* complete: never NULL, defaults filled in */
    idl_file                    *files;   /* the root first */
    idl_file                   **files_end;
    uint32_t                     file_count;
    size_t                       text_size; /* bytes of all files */
    uint32_t                     errors, warnings;
    bool                         stopped; /* error_max was reached, or there is no memory */
    frugal_error                 first;   /* the first error; its status OK: none */
} idl_load;

/* Tells the reporter and remembers the first error. `word` is the text that is wrong (may be
 * empty); the rest is one sentence as printf. `file` NULL: the schema as a whole. After error_max
 * errors, and after FRUGAL_NOMEM, load->stopped is set and nothing more is reported. */
void idl_error(idl_load *load, frugal_status status, const idl_file *file, idl_place place,
               frugal_str word, const char *format, ...) __attribute__((format(printf, 6, 7)));
void idl_warn(idl_load *load, const idl_file *file, idl_place place, frugal_str word,
              const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Zeroed memory of the load's arena; NULL when there is none, which is then reported and has
 * stopped the load. */
void *idl_alloc(idl_load *load, size_t size);

/* Reports that there is no memory, and stops the load. */
void idl_no_memory(idl_load *load);

/* "a/x.y.thrift" is "x.y": the base name without the last extension, a view into `path`. */
frugal_str idl_base_name(frugal_str path);

/* Parses `text` into `file` (path and prefix are set; the rest is zero). Goes on after an error at
 * the next field or definition, so that one mistake is one report; what could not be read is left
 * out. The file is whole when load->errors did not grow. Fields without ids are numbered as
 * load->options->auto_ids says. */
void idl_parse(idl_load *load, idl_file *file, frugal_str text);

/* Reads the root and all it includes, each once (schema.c calls this first). */
void idl_load_files(idl_load *load, const char *path, const frugal_str *text);

/* Gives every name its meaning, checks what 6.3 of the notes in docs/rooms/idl.md lists, in all
 * files. */
void idl_resolve(idl_load *load);

/* Makes descriptors, enums, services and values of constants; only after idl_resolve without
 * errors. */
void idl_lower(idl_load *load);

/* Typedefs taken away: base types, containers, or a name whose definition is an enum or a record
 * (NULL when the name meant nothing, which was reported). After idl_resolve only. */
const idl_type *idl_strip(const idl_type *type);

/* The files of a loaded schema, the root first; for rooms that print or list what was written. */
const idl_file *idl_schema_files(const frugal_schema *schema);

#endif /* IDL_IDL_H */
