/* schema/schema.h - descriptors from the inside: what every room above may ask of a table.
 *
 * A descriptor is checked before anything walks it; what these functions take has passed
 * schema_check, unless said otherwise. */
#ifndef SCHEMA_SCHEMA_H
#define SCHEMA_SCHEMA_H

#include <stdbool.h>

#include <frugal/describe.h>
#include <frugal/memory.h>
#include <frugal/status.h>
#include <frugal/value.h>

/* Bounds that schema_check holds. */
#define SCHEMA_FIELDS_MAX  65536u /* one for each id, and the keeper */
#define SCHEMA_NESTING_MAX 64u    /* containers inside one field's type; structs by value */
#define SCHEMA_SIZE_MAX    ((uint32_t)1 << 30) /* bytes of one record, element or entry */

/* Where the library lays out: a struct in a struct or in an entry of a map that is larger lies
 * behind a pointer. */
#define SCHEMA_INLINE_SIZE_MAX 4096u

/* The check behind frugal_struct_check, with the allocator for its walk. Takes any table. */
frugal_status schema_check(const frugal_struct *type, const frugal_allocator *allocator,
                           frugal_error *error);

/* Gives a record of `type` its initial value: the table's defaults, else zeroes and the initial
 * values of the structs inside by value (an optional or indirect one stays NULL, a union has no
 * arm). */
void schema_init(const frugal_struct *type, void *record);

/* C alignment of a place of this type, and where the value lies in a map's entry. */
uint32_t schema_align(const frugal_type *type);
uint32_t schema_value_offset(const frugal_type *map);

/* The C size of a place of a kind that has only one: bool 1 .. double 8, text and containers 16. 0
 * for a struct. */
uint32_t schema_kind_size(uint8_t kind);

/* Lays out `fields`, which become the table's, as C lays out the members of a struct in that order:
 * sets their offsets, `.has` of what a field of this need and type has as FRUGAL_OPT, and
 * record->fields, size, align and, of a union (`which` first, then its arms over each other),
 * which. Types are whole but for what is behind pointers; records inside by value are laid out.
 * False: more than SCHEMA_SIZE_MAX bytes. */
bool schema_layout_fields(frugal_struct *record, frugal_field *fields, uint32_t count);

/* The stride of a list or set of such elements, or of a map of such entries; 0: more than
 * SCHEMA_SIZE_MAX bytes. `key` NULL: no map. */
uint32_t schema_stride(const frugal_type *key, const frugal_type *elem);

/* Whether a field of this need and type is a FRUGAL_OPT: an optional bool, number or enum. */
bool schema_is_opt(const frugal_field *field);

/* The field that keeps unknown fields, or NULL. */
const frugal_field *schema_keeper(const frugal_struct *type);

/* How a field says that it is absent. */
typedef enum schema_presence {
    SCHEMA_ALWAYS,   /* it cannot */
    SCHEMA_HAS_BYTE, /* the byte at field->has is 0 */
    SCHEMA_POINTER   /* the pointer at field->offset is NULL (text, containers, indirect structs) */
} schema_presence;
schema_presence schema_presence_of(const frugal_field *field);

/* One layout for all: {pointer, count}. */
typedef struct schema_span {
    const uint8_t *ptr;
    size_t         len;
} schema_span;

/* What the pointer of a present, empty text or container points at; aligned, never read. */
extern const uint64_t schema_empty[2];

/* "list<map<string, i32>>" for messages, cut to `size` with its NUL. Takes any type. */
void schema_type_text(const frugal_type *type, char *text, size_t size);

#endif /* SCHEMA_SCHEMA_H */
