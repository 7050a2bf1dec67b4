/* idl/resolve.h - what the files of the resolver share. */
#ifndef IDL_RESOLVE_H
#define IDL_RESOLVE_H

#include "idl/idl.h"
#include "idl/table.h"

/* Values inside each other, through constants too. */
#define IDL_VALUE_DEPTH_MAX (2 * IDL_DEPTH_MAX)
/* Looking again at a constant whose type is not the one wanted: so many values in all. */
#define IDL_STEPS_MAX ((uint32_t)1 << 24)

typedef struct resolver {
    idl_load     *load;
    frugal_arena *scratch;
    idl_file     *file; /* where we are, for reports */
    uint32_t      steps;
    uint64_t      ids[65536 / 64]; /* of the fields of one list */
} resolver;

#define NO_WORD ((frugal_str){ NULL, 0 })

/* The text in a printf: "%.*s", IDL_TEXT(name). */
#define IDL_TEXT_MAX   100
#define IDL_TEXT(name) (int)((name).len < IDL_TEXT_MAX ? (name).len : IDL_TEXT_MAX), (name).ptr

/* names.c: tables of the files; what a name of a type means, with its reports. */
void            resolve_tables(resolver *r);
void            resolve_type(resolver *r, idl_type *type);
idl_definition *resolve_name(resolver *r, const idl_name *name, const char *what);
void            resolve_warn_unused(resolver *r);

/* Looks for a definition of the file or of its includes. FOUND, or why not. */
typedef enum name_found {
    NAME_FOUND,
    NAME_NONE,       /* nobody has it */
    NAME_NO_INCLUDE, /* no include has that prefix */
    NAME_AMBIGUOUS,  /* two includes have it */
    NAME_BROKEN      /* the include could not be read, which was reported */
} name_found;
name_found name_find(const idl_file *file, frugal_str name, bool is_constant,
                     idl_definition **found);

/* constant.c: what names in values mean; whether values fit their types. */
void resolve_constants(resolver *r);

/* Whether both mean the same; what a constant of one type is, it then is of the other. */
bool idl_same_type(const idl_type *a, const idl_type *b, uint32_t *steps);

/* "list<i32>", cut to `size` with its NUL. */
void idl_type_text(const idl_type *type, char *text, size_t size);

bool idl_is_record(const idl_definition *definition);

#endif /* IDL_RESOLVE_H */
