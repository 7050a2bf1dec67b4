/* frugal/value.h - what can be done with any record, given its table.
 *
 * Nothing here knows wire formats. A record is well formed when its pointers are NULL or valid and
 * what they point at is as described. What a program may get wrong ends in a status: NULL with a
 * length (also where NULL alone would mean absent), a union arm that does not exist, more than 1024
 * structs and containers inside each other (a cycle).
 *
 * frugal_copy, frugal_print and frugal_get check a table as frugal_struct_check does, unless a plan
 * was made of it: frugal_pretouch spares them that walk. frugal_init and frugal_equal cannot
 * report, and trust the table. */
#ifndef FRUGAL_VALUE_H
#define FRUGAL_VALUE_H

#include <stdbool.h>
#include <stddef.h>

#include <frugal/describe.h>
#include <frugal/memory.h>
#include <frugal/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Gives the record the value that decoding starts from: the table's defaults, or zeroes and the
 * defaults of the structs inside by value. NULL pointers are nothing to do. */
FRUGAL_API void frugal_init(frugal_ref value);

/* A deep copy of `from` in `to`; strings, lists, maps, structs behind pointers and kept unknown
 * fields go to `arena`. NULL stays NULL, and empty stays present with a pointer that is not into
 * the original. A bool becomes 0 or 1. Members that the table does not describe are copied as C
 * assigns them.
 *
 * FRUGAL_NOMEM, DEPTH, INVALID (NULL with a length, a union arm that does not exist), with the
 * path: then `to` is initialised and the arena where it was. FRUGAL_INVALID for arguments (one is
 * NULL, different tables, `to` is `from`) and what frugal_struct_check reports leave `to`
 * untouched. */
FRUGAL_API frugal_status frugal_copy(frugal_ref to, frugal_view from, frugal_arena *arena,
                                     frugal_error *error);

/* Whether both are of one table and, field for field, would be the same bytes on the wire. So
 * doubles compare by their bits, sets and maps in their order, kept unknown fields byte for byte
 * (in a union only where there is no arm), and any byte but 0 is true in a bool. Where it does not
 * mean absent, NULL equals an empty text, list or map, and a NULL struct equals one that has
 * nothing to write: no field present, nothing kept. Absent and empty differ. A record with a fault
 * (see above) equals nothing, itself included. Two NULL records are equal. Allocates nothing. */
FRUGAL_API bool frugal_equal(frugal_view a, frugal_view b);

/* All zeroes is a good default. */
typedef struct frugal_print_options {
    size_t struct_size; /* sizeof, or 0 for the members of version 0 */
    bool   one_line;    /* no newlines and no indentation */
    size_t string_max;  /* bytes of a string or binary to show; 0 = all */
    size_t element_max; /* elements of a list, set or map to show; 0 = all */
} frugal_print_options;

/* Appends the record as text for people, without a newline at the end: present fields by name in
 * the order of the table, strings quoted and escaped (what is not UTF-8, too), binary in
 * hexadecimal, enums by name, a NULL struct as an empty one, kept unknown fields by size. It does
 * not depend on the locale. Not a format to parse. What the options leave out is counted: "… 12
 * more". `options` NULL: defaults. Fails as frugal_buf_reserve, or FRUGAL_INVALID (with the path,
 * or an argument is NULL), DEPTH, DESCRIPTOR; then out->size is as it was. */
FRUGAL_API frugal_status frugal_print(frugal_view value, const frugal_print_options *options,
                                      frugal_buf *out, frugal_error *error);

/* One value inside a record: its type and where it is. `ptr` points at a value of the C type that
 * `type` describes, and is never NULL. For a struct it always points at the struct itself, also
 * where `type` says indirect, that is, where the place holds a pointer to it. */
typedef struct frugal_value {
    const frugal_type *type;
    const void        *ptr;
} frugal_value;

/* Finds the value at `path`: the name of a field, then any number of steps.
 *
 *   .name     a field of a struct, the arm of a union
 *   [3]       an element of a list or set, from 0
 *   {key}     the value of a map's entry; the last of those with equal keys
 *
 * as in `home.zip`, `friends[3]`, `scores{ada}.total`. A key is `true` or `false`, an integer, the
 * name or number of an enum's value, a double as frugal_print writes it, or the bytes of a string
 * or binary as they are up to the first closing brace. Entries whose keys are structs or containers
 * are found by their index from 0, as the paths in errors name them. Names end at the next . [ or
 * {.
 *
 * An absent optional field that has a default gives the default. The result is a view as long as
 * the record. FRUGAL_NOTFOUND: no such field, index or key; the value has no such parts; the field
 * is absent, the arm another, the struct's pointer NULL. FRUGAL_INVALID: bad syntax (an index below
 * zero, a key that is none), a NULL argument, NULL with a length. The path in `error` ends with the
 * step that failed, the offset is where that is in `path`; `*found` is as it was. And as
 * frugal_struct_check. */
FRUGAL_API frugal_status frugal_get(frugal_view value, const char *path, frugal_value *found,
                                    frugal_error *error);

/* ---- looking things up in a table ----------------------------------------------------------- */

/* NULL when there is none. The field that keeps unknown fields is never found. `name` need not end
 * in a NUL. */
FRUGAL_API const frugal_field *frugal_field_by_id(const frugal_struct *type, int id);
FRUGAL_API const frugal_field *frugal_field_by_name(const frugal_struct *type, frugal_str name);

/* The name of a value, NULL when the enum has none; the value of a name, false when it has none. */
FRUGAL_API const char *frugal_enum_name(const frugal_enum *names, int32_t value);
FRUGAL_API bool        frugal_enum_value(const frugal_enum *names, frugal_str name, int32_t *value);

/* Every contradiction that a table, and the tables it reaches, can hold: FRUGAL_DESCRIPTOR with a
 * path and a sentence. frugal_pretouch does this and more; here nothing is compiled or allocated
 * beyond what the walk needs (FRUGAL_NOMEM). FRUGAL_INVALID: type NULL. */
FRUGAL_API frugal_status frugal_struct_check(const frugal_struct *type, frugal_error *error);

#ifdef __cplusplus
}
#endif
#endif /* FRUGAL_VALUE_H */
