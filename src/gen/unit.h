/* gen/unit.h - one run: what has which name in C, and what was written so far.
 *
 * The error is sticky. Everything that is remembered is in one arena. */
#ifndef GEN_UNIT_H
#define GEN_UNIT_H

#include <frugal/service.h>

#include "gen/gen.h"
#include "gen/map.h"
#include "gen/names.h"
#include "gen/text.h"
#include "idl/ast.h"

/* Typedefs behind typedefs, structs by value in structs, containers in containers. */
#define GEN_DEPTH_MAX 128u

/* Bytes of a name in the IDL: with all that is joined to it, it must fit into a literal of C, which
 * has 4095. */
#define GEN_NAME_MAX 1024u

typedef enum gen_progress { GEN_TO_DO, GEN_BEGUN, GEN_DONE } gen_progress;

typedef struct gen_members gen_members;

/* A struct, union, exception, or the arguments or the result of a method. */
typedef struct gen_record {
    const frugal_struct *type;
    const char          *name; /* its tag */
    const idl_file      *file;
    const idl_field     *fields; /* as written: of a result what it throws */
    const idl_type      *result; /* of a result: field 0; or NULL */
    frugal_str           doc;
    idl_place            place;
    gen_progress         progress; /* of its struct, in the header */
    const gen_members   *members;  /* see members.h */
} gen_record;

typedef struct gen_enum {
    const frugal_enum    *type;
    const char           *name;  /* its tag */
    const char           *upper; /* what its constants begin with */
    const idl_file       *file;
    const idl_definition *definition;
} gen_enum;

typedef struct gen_typedef {
    const char     *name;
    const idl_file *file;
    bool            is_written;
} gen_typedef;

typedef struct gen_service {
    const frugal_service *type;
    const char           *name; /* in frugal_service_NAME, NAME_pretouch */
} gen_service;

/* What a container holds. No padding: its bytes are a key. */
typedef struct gen_part {
    uint32_t    kind;
    uint32_t    indirect;
    const void *what; /* gen_record, gen_enum, gen_container; NULL of a scalar */
} gen_part;

/* All containers of one shape are one. */
typedef struct gen_container {
    const frugal_type *type; /* one of that shape */
    uint32_t           kind;
    gen_part           elem, key;
    /* in the file that is being written, when `file` is that one: */
    const idl_file       *file;
    const char           *name;        /* of its typedef */
    const char           *word;        /* the same without the prefix, "list_i32" */
    bool                  entry_waits; /* map: struct NAME_entry is not written yet */
    bool                  has_nodes;   /* frugal_elem_NAME is written */
    struct gen_container *waiting;     /* the next whose entry waits */
} gen_container;

typedef struct gen {
    const gen_options *options;
    frugal_arena      *arena;
    frugal_error      *error;
    frugal_status      status;
    size_t             left; /* of gen_size_max */
    const idl_file    *files;
    const char       **prefixes;   /* by the index of the file */
    gen_map            claims;     /* C names: gen_claim */
    gen_map            things;     /* by pointer to record, enum, service, definition */
    gen_map            shapes;     /* by the pointers of a type: gen_container */
    gen_map            containers; /* by kind and parts: gen_container */

    /* of the file that is being written */
    const idl_file *file;
    gen_text       *out;
    gen_container  *waiting;
    uint32_t        number;    /* of containers whose name would be too long */
    uint32_t        constants; /* static objects that defaults point at */
} gen;

/* All keep the first error. The path is the file's. */
__attribute__((format(printf, 5, 6))) void gen_fail(gen *g, frugal_status status,
                                                    const idl_file *file, idl_place place,
                                                    const char *format, ...);
void                                       gen_fail_nomem(gen *g);
bool                                       gen_failed(gen *g); /* also asks the text */
size_t                                     gen_size_max(const gen *g);

void *gen_zeroed(gen *g, size_t size); /* zeroed; NULL: has failed */

/* Gives names to all of all files, finds what would get the same one. */
void gen_name_all(gen *g);

/* Fails when the name is longer than GEN_NAME_MAX. */
void gen_check_length(gen *g, const gen_claim *mine);

/* gen_join, or as the IDL writes it when that was asked for. NULL: no memory. */
char *gen_name(const gen *g, const char *prefix, frugal_str name, gen_case to);

/* By pointer; NULL: there is none, which is a fault of ours. */
gen_record  *gen_record_of(const gen *g, const frugal_struct *type);
gen_enum    *gen_enum_of(const gen *g, const frugal_enum *type);
gen_service *gen_service_of(const gen *g, const frugal_service *type);
gen_typedef *gen_typedef_of(const gen *g, const idl_definition *definition);
const char  *gen_const_of(const gen *g, const idl_definition *definition);

/* Whether a constant is a macro; the others are objects. */
bool gen_const_is_macro(const idl_definition *definition);

/* PREFIX_FILE_THRIFT_H, or FILE_THRIFT_H when the prefix is the file's name. NULL: has failed. */
const char *gen_guard_of(gen *g, const idl_file *file);

/* "inc_core.h" for the file: its base name, made harmless. NULL: has failed. */
const char *gen_file_name(gen *g, const idl_file *file, const char *extension);

#endif /* GEN_UNIT_H */
