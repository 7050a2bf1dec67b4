/* json/scan.h - generic JSON around what a schema describes, as the command's messages are.
 *
 * json_check looks at a whole value once, and from then on its parts can be walked without a
 * failure. Everything is a view into the text; every value knows its place, so that an error in it
 * has line, column and offset of the whole text. */
#ifndef JSON_SCAN_H
#define JSON_SCAN_H

#include <frugal/json.h>

#include "core/bytes.h"
#include "core/status.h"

/* Where a text begins inside a larger one. Lines and columns count from 1, columns in bytes. */
typedef struct json_place {
    size_t   offset;
    uint32_t line, column;
} json_place;

#define JSON_PLACE_FIRST ((json_place){ 0, 1, 1 })

/* One well formed value, without white space around it. The text is a view. */
typedef struct json_value {
    frugal_str text;
    json_place place;
} json_value;

typedef enum json_kind {
    JSON_NULL,
    JSON_BOOL,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
} json_kind;

/* Finds the value at the front of `text`, which begins at `place`, behind white space; all of it is
 * checked. `depth_max` as in frugal_json_read_options. `used` NULL: only white space may follow;
 * else
 * `*used` is what it took, with the white space behind it, so that a text with nothing more is told
 * by *used == text.len. FRUGAL_SYNTAX, TRUNCATED (also when there is no value at all), UTF8, DEPTH.
 */
frugal_status json_check(frugal_str text, json_place place, uint32_t depth_max, json_value *value,
                         size_t *used, frugal_error *error);

/* The place behind `text`, which began at `place`. */
json_place json_place_behind(json_place place, frugal_str text);

json_kind json_kind_of(const json_value *value);

/* The members of an object, or the elements of an array, one after the other.
 *
 *   for (json_walk walk = json_enter(&object); json_next(&walk);)
 *       if (json_string_is(&walk.key, "method")) ... walk.value
 *
 * For any other kind of value there are none. */
typedef struct json_walk {
    json_value  value;
    json_value  key;   /* a string, in an object only */
    size_t      index; /* from 0 */
    bool        is_object, is_started;
    const char *at, *end; /* behind what was read; the end of the whole */
    json_place  place;    /* of `at` */
} json_walk;

json_walk json_enter(const json_value *whole);
bool      json_next(json_walk *walk);

/* The value of the first member with this name; false when there is none, or no object. */
bool json_member(const json_value *object, const char *name, json_value *value);

/* Whether it is a string, and means this text. */
bool json_string_is(const json_value *value, const char *text);

/* Each writes its result on success only, and fails with the value's place and word:
 * FRUGAL_MISMATCH for another kind of value, NOMEM; an integer outside of least .. most is SIZE (a
 * string with an integer in it is taken as well). Strings go to `arena`, unescaped. Bytes are
 * {"$hex": "…"}, or a string whose UTF-8 they are. */
frugal_status json_get_bool(const json_value *value, bool *truth, frugal_error *error);
frugal_status json_get_integer(const json_value *value, int64_t least, int64_t most,
                               int64_t *integer, frugal_error *error);
frugal_status json_get_string(const json_value *value, frugal_arena *arena, frugal_str *string,
                              frugal_error *error);
frugal_status json_get_bytes(const json_value *value, frugal_arena *arena, frugal_bytes *bytes,
                             frugal_error *error);

/* frugal_json_read of a value that lies inside a larger text: errors have the place in that. The
 * value need not have been checked before. */
frugal_status json_get_record(frugal_ref record, const json_value *value, frugal_arena *arena,
                              const frugal_json_read_options *options, frugal_error *error);

/* An error of the caller's own at this value: status, place and sentence; the path is empty. */
__attribute__((format(printf, 4, 5))) frugal_status json_blame(const json_value *value,
                                                               frugal_status     status,
                                                               frugal_error     *error,
                                                               const char       *format, ...);

/* ---- writing around records ----------------------------------------------------------------- */

/* frugal_json_write inside a larger pretty text: lines begin `indent` levels deeper (the first does
 * not, since it is begun already). */
frugal_status json_put_record(frugal_view value, const frugal_json_write_options *options,
                              uint32_t indent, frugal_buf *out, frugal_error *error);

/* Appends a string, or {"$hex":"…"} where the text is not UTF-8; always {"$hex":"…"}. Fails as
 * frugal_buf_reserve. */
frugal_status json_put_string(frugal_buf *out, frugal_str text);
frugal_status json_put_hex(frugal_buf *out, frugal_bytes bytes);

#endif /* JSON_SCAN_H */
