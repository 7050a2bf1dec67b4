/* schema/text.h - single values as text: for print, for paths in errors, for keys in paths. */
#ifndef SCHEMA_TEXT_H
#define SCHEMA_TEXT_H

#include "core/status.h"
#include "schema/schema.h"

#define TEXT_SCALAR_MAX 32 /* enough for every number */

/* Bool, integer, double or enum: "true", "-7", "1.5", "NaN", "GREEN" (the number, when the enum has
 * no name for it). The result is in `buffer` or in static memory. Empty for other kinds. */
frugal_str text_scalar(const frugal_type *type, const void *place, char buffer[TEXT_SCALAR_MAX]);

/* Bytes of the UTF-8 sequence at `at`, 1 to 4; 0 when there is none that is well formed. `at` is
 * before `end`. */
size_t text_utf8(const uint8_t *at, const uint8_t *end);

/* `size`, or a little less when a cut there would tear a UTF-8 sequence. `size` is below `len`. */
size_t text_cut(const uint8_t *text, size_t len, size_t size);

/* Puts {key} in front of a path: scalars as text_scalar, texts cut to a few bytes with what cannot
 * be shown as ?, other keys (and broken ones) by the index of their entry. */
void text_prepend_key(path_builder *path, const frugal_type *key, const void *place, size_t index);

#endif /* SCHEMA_TEXT_H */
