/* idl/table.h - names to what they name: hash tables of known size, in the arena of the load.
 *
 * Keys come from strangers, so the hash is seeded. Keys are views that live as long as the map. */
#ifndef IDL_TABLE_H
#define IDL_TABLE_H

#include "idl/idl.h"

typedef struct idl_map idl_map;

/* Room for `count` keys, no more. NULL: no memory, which is reported. */
idl_map *idl_map_new(idl_load *load, size_t count);

/* What was there already, and stays; NULL when the key was new. */
void *idl_map_add(idl_map *map, frugal_str key, void *value);
void *idl_map_find(const idl_map *map, frugal_str key);

/* The definitions of one file. Apache keeps constants apart from types and services. */
typedef struct idl_table {
    idl_map *types;
    idl_map *constants;
} idl_table;

/* By name, in the definition's `members` when it has many; NULL when there is none. */
idl_field           *idl_find_field(const idl_definition *record, frugal_str name);
const idl_enum_item *idl_find_item(const idl_definition *names, frugal_str name);
const idl_enum_item *idl_find_number(const idl_definition *names, int64_t value);
idl_function        *idl_find_function(const idl_definition *service, frugal_str name);

/* So few are looked through one by one. */
#define IDL_FEW 8u

static inline bool idl_same_text(frugal_str a, frugal_str b)
{
    return a.len == b.len && (a.len == 0 || __builtin_memcmp(a.ptr, b.ptr, a.len) == 0);
}

/* Cuts "a.b.C" into "a.b" and "C"; false when there is no dot. */
bool idl_split(frugal_str name, frugal_str *prefix, frugal_str *last);

#endif /* IDL_TABLE_H */
