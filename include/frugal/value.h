/* frugal/value.h - what can be done with any record, given its table.
 *
 * Nothing here knows wire formats. All functions take records that are well formed: pointers NULL or
 * valid, unions with an arm that exists, no cycles (a cycle ends in FRUGAL_DEPTH at 1024 levels). A table
 * is checked as frugal_pretouch does when that has not happened yet. */
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
 * fields go to `arena`. Absent stays absent; empty stays present. `to` may not be `from`. On failure
 * `to` is initialised and the arena where it was. FRUGAL_NOMEM, INVALID (a NULL argument, another
 * type, NULL with a length, a union arm that does not exist), DEPTH, DESCRIPTOR. */
FRUGAL_API frugal_status frugal_copy(frugal_ref to, frugal_view from, frugal_arena *arena,
                                     frugal_error *error);

/* Whether both are of one type and would be the same bytes on the wire: doubles by their bits, sets
 * and maps in their order, kept unknown fields byte for byte. Two NULL pointers are equal. A record too
 * deep to compare, or one that could not be encoded, equals nothing. Allocates nothing. */
FRUGAL_API bool frugal_equal(frugal_view a, frugal_view b);

/* All zeroes is a good default. */
typedef struct frugal_print_options {
    size_t struct_size;  /* sizeof, or 0 for the members of version 0 */
    bool   one_line;     /* no newlines and no indentation */
    size_t string_max;   /* bytes of a string or binary to show; 0 = all */
    size_t element_max;  /* elements of a list, set or map to show; 0 = all */
} frugal_print_options;

/* Appends the record as text for people: present fields by name, strings quoted and escaped, binary in
 * hexadecimal, enums by name, kept unknown fields by size. Not a format to parse. `options` NULL:
 * defaults. Fails as frugal_buf_reserve, or FRUGAL_INVALID, DEPTH, DESCRIPTOR; then `out` is as it was. */
FRUGAL_API frugal_status frugal_print(frugal_view value, const frugal_print_options *options,
                                      frugal_buf *out, frugal_error *error);

/* One value inside a record: its type and where it is. `ptr` is of the C type that `type` describes
 * (a pointer to the struct itself where `type` says indirect). */
typedef struct frugal_value {
    const frugal_type *type;
    const void        *ptr;
} frugal_value;

/* Finds the value at `path`: `home.zip`, `friends[3]`, `scores{ada}.total`, `cells{7}`. Map keys are
 * bool, integers, enums (name or number), or strings written as they are up to the closing brace. The last
 * of equal keys is found. An absent optional field that has a default gives the default. The result is
 * a view as long as the record. FRUGAL_NOTFOUND (no such field, index or key, or the field is absent; the
 * path in `error` ends where it stopped), FRUGAL_INVALID (bad path syntax, NULL argument), DESCRIPTOR. */
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

/* Every contradiction that a table, and the tables it reaches, can hold: FRUGAL_DESCRIPTOR with a path
 * and a sentence. Frugal_pretouch does this and more; here nothing is compiled or allocated beyond
 * what the walk needs (FRUGAL_NOMEM). FRUGAL_INVALID: type NULL. */
FRUGAL_API frugal_status frugal_struct_check(const frugal_struct *type, frugal_error *error);

#ifdef __cplusplus
}
#endif
#endif /* FRUGAL_VALUE_H */
