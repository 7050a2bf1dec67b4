/* gen/compare.h - are two tables of different origin the same table? */
#ifndef TESTS_GEN_COMPARE_H
#define TESTS_GEN_COMPARE_H

#include <stdbool.h>

#include <frugal/describe.h>
#include <frugal/service.h>

/* Everything that a table says: names, ids, needs, kinds, sizes, strides, offsets, alignment,
 * pointers, defaults, and the same of all that it refers to. On the first difference false, and one
 * line on standard output that says where. */
bool compare_structs(const frugal_struct *mine, const frugal_struct *other);
bool compare_services(const frugal_service *mine, const frugal_service *other);
bool compare_enums(const frugal_enum *mine, const frugal_enum *other);

/* Two values of one type. */
bool compare_values(const frugal_type *type, const void *mine, const void *other);

/* How many fields were compared since the start. */
unsigned compare_count(void);

#endif /* TESTS_GEN_COMPARE_H */
