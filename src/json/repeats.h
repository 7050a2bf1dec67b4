/* json/repeats.h - can the keys of a map be the keys of an object? */
#ifndef JSON_REPEATS_H
#define JSON_REPEATS_H

#include "json/form.h"

/* `*distinct`: no key is repeated, and strings are UTF-8. The keys are of a kind that is text. With
 * many entries this takes memory for a moment, from `allocator` (NULL: malloc): FRUGAL_NOMEM. A key
 * that is NULL with a length is passed over; whoever writes it finds the fault. */
frugal_status json_find_repeats(const json_type *map, schema_span span,
                                const frugal_allocator *allocator, bool *distinct);

#endif /* JSON_REPEATS_H */
