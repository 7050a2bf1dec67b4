/* support/json_value.h - a record as JSON in the form of the vectors, and what differs.
 *
 * The form: structs are objects by field name, absent fields are not in them; integers and enums
 * exact numbers; doubles numbers, "NaN", "Infinity", "-Infinity"; binary base64; a string that is
 * not UTF-8 {"$hex": ".."}; lists and sets arrays; maps arrays of [key, value]. Nothing here reads
 * wire formats, and of the library only the layout of a map's entry and frugal_init are used. */
#ifndef SUPPORT_JSON_VALUE_H
#define SUPPORT_JSON_VALUE_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include <frugal/describe.h>

/* A new reference. NULL: no memory. `value` is a place as frugal_type describes it; an indirect
 * struct's pointer must not be NULL. */
json_t *json_value_of(const frugal_type *type, const void *value);
json_t *json_value_of_record(const frugal_struct *type, const void *record);

/* Adds to `value`, a record's JSON, the members that it lacks and that a decoded record of `type`
 * shows all the same: defaults and zeroes of fields that cannot be absent. Goes into every struct
 * inside. */
void json_value_complete(const frugal_struct *type, json_t *value);

/* Where two values part, and how they read there. */
typedef struct json_value_difference {
    char   path[200]; /* "home.friends[3].name" */
    char   expected[200], got[200];
    size_t path_len;
} json_value_difference;

/* Whether they are the same, doubles by their bits (one NaN is like another). `expected` may also
 * use the form of the cases: {"$map": pairs}, {"$set": array in any order}, and {"$double": text}
 * with nan, inf, -inf or -0. */
bool json_value_same(const json_t *expected, const json_t *got, json_value_difference *difference);

#endif /* SUPPORT_JSON_VALUE_H */
