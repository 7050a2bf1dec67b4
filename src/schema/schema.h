/* schema/schema.h - descriptors from the inside: what every room above may ask of a table.
 *
 * A descriptor is checked before anything walks it; what these functions take has passed
 * schema_check, unless said otherwise. */
#ifndef SCHEMA_SCHEMA_H
#define SCHEMA_SCHEMA_H

#include <frugal/describe.h>
#include <frugal/memory.h>
#include <frugal/status.h>
#include <frugal/value.h>

/* Bounds that schema_check holds. */
#define SCHEMA_FIELDS_MAX  65536u /* one for each id, and the keeper */
#define SCHEMA_NESTING_MAX 64u    /* containers inside one field's type; structs by value */
#define SCHEMA_SIZE_MAX    ((uint32_t)1 << 30) /* bytes of one record, element or entry */

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
