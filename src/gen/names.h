/* gen/names.h - from names of the IDL to names of C, one to one.
 *
 *   file calls.thrift, or namespace c calls     prefix calls
 *   struct DivByZero                            struct calls_div_by_zero
 *   enum Op { ADD }                             enum calls_op { CALLS_OP_ADD }
 *   const i32 MAX_PAGE                          CALLS_MAX_PAGE
 *   field `class`                               member `class_`
 *
 * Members keep their names, unless C or C++ has the word. */
#ifndef GEN_NAMES_H
#define GEN_NAMES_H

#include <stdbool.h>

#include <frugal/memory.h>

#include "gen/map.h"
#include "idl/ast.h"

typedef enum gen_case { GEN_LOWER, GEN_UPPER, GEN_AS_WRITTEN } gen_case;

/* "DivByZero" -> "div_by_zero" or "DIV_BY_ZERO" in the arena; a dot and all else that C has not in
 * names becomes "_"; under GEN_AS_WRITTEN that alone. NULL: no memory. */
char *gen_words(frugal_arena *arena, frugal_str name, gen_case to);

/* `prefix` (upper case under GEN_UPPER), "_", the words of `name`; with a "_" behind it when that
 * is a word of C or C++. NULL: no memory. */
char *gen_join(frugal_arena *arena, const char *prefix, frugal_str name, gen_case to);

/* Whether C11, C++20 or a header that is always there has other uses for it. */
bool gen_is_reserved(const char *name);

/* The member for a field. NULL: no memory. */
char *gen_member(frugal_arena *arena, frugal_str name);

/* Who has a name: for the words of an error. */
typedef struct gen_claim {
    const char     *what; /* "struct", "the arguments of" */
    frugal_str      name;
    const idl_file *file;
    idl_place       place;
} gen_claim;

/* The claim that had the C name before, `mine` when it was free, NULL: no memory. */
const gen_claim *gen_claim_name(gen_map *map, frugal_arena *arena, const char *c_name,
                                const gen_claim *mine);

#endif /* GEN_NAMES_H */
