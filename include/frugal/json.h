/* frugal/json.h - any record as JSON text, and back.
 *
 * The mapping: a struct is an object of its present fields by name, in the order of their ids; a
 * map with string, integer, bool or enum keys is an object with text keys, any other map an array
 * of [key, value], and so is one that an object could not hold, because a key is repeated or is not
 * UTF-8; lists and sets are arrays; an enum is its name, or its number when it has none; integers
 * are exact; a double is the shortest text that reads back the same bits, or "NaN", "Infinity",
 * "-Infinity"; binary is base64; a string that is not UTF-8 is {"$hex": "…"}; kept unknown fields
 * are the last member, "$unknown": {"$hex": "…"}. A union is the object of its arm, {} without one.
 *
 * Grammar: RFC 8259, nothing more. It does not depend on the locale. The functions are safe for any
 * number of threads, each with its own record, arena and buffer. */
#ifndef FRUGAL_JSON_H
#define FRUGAL_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <frugal/describe.h>
#include <frugal/memory.h>
#include <frugal/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All zeroes is a good default. */
typedef struct frugal_json_write_options {
    size_t   struct_size;  /* sizeof, or 0 for the members of version 0 */
    bool     pretty;       /* two spaces a level and newlines; else one line without spaces */
    bool     enum_numbers; /* enums as numbers, also where they have names, keys too */
    bool     i64_strings;  /* i64 quoted, for readers that take all numbers for doubles */
    bool     binary_utf8;  /* binary as text where it is UTF-8, else {"$hex": "…"} */
    bool     defaults;     /* absent optional fields that have a default are written with it */
    uint32_t depth_max;    /* nested structs and containers, the root is 1; 0 = 64, at most 1024 */
} frugal_json_write_options;

/* Appends the record as JSON, no newline behind it. `options` NULL: defaults. What is written is
 * valid UTF-8. The buffer grows to a little more than the text needs; a fixed one suffices when the
 * text fits, but near its end takes memory from the allocator for a moment, as does a map with many
 * entries. FRUGAL_INVALID (NULL with a length, an arm that does not exist, an argument NULL) and
 * FRUGAL_DEPTH with the path; FRUGAL_DESCRIPTOR; NOMEM; NOSPACE: the sentence says how many bytes
 * are short. On failure out->size is as it was. The first use of a table prepares it, as
 * frugal_pretouch does for bytes; frugal_plan_drop lets that go, too. */
FRUGAL_API frugal_status frugal_json_write(frugal_view                      value,
                                           const frugal_json_write_options *options,
                                           frugal_buf *out, frugal_error *error);

/* All zeroes is a good default. */
typedef struct frugal_json_read_options {
    size_t struct_size;   /* sizeof, or 0 for the members of version 0 */
    bool   strict;        /* a member that is no field, and a repeated one, are errors */
    bool   binary_utf8;   /* binary is the text itself, not base64 */
    bool   keep_existing; /* the root starts from what is in it, not from its defaults */
    /* nested structs and containers, the root is 1, and in what is skipped objects and arrays; 0 =
     * 64, at most 1024 */
    uint32_t depth_max;
    size_t   size_max; /* arena bytes for this call; 0 = the larger of 64 MiB and 64 x text */
} frugal_json_read_options;

/* Fills the record behind `value` from one JSON object; strings, lists and the rest go to `arena`.
 * Read are also: enums by name and number, numbers in quotes, integers written `1.0` or `1e3` when
 * they are whole, base64 with or without padding, {"$hex": "…"} for any string or binary, any map
 * as an array of [key, value]. null is absent, also after a value of the same name, and an error
 * for a required field and inside containers; unknown members are skipped (strict: an error). A
 * repeated member, a second arm of a union: the last wins, whole (strict: an error). Repeated keys
 * of a map stay, in order. A default field that is missing has its default or zero.
 *
 * `used` NULL: `text` is one value, and only white space may follow; else `*used` says how many
 * bytes it took, white space in front included, on success, and the rest is left alone. On failure
 * the record is initialised and the arena is where it was; error has line, column (from 1, in
 * bytes), offset, and the path of the field. FRUGAL_SYNTAX (also of base64 and hexadecimal text),
 * TRUNCATED (the text ends inside), MISMATCH (another kind of value), SIZE (a number out of range),
 * UTF8, MISSING, NOTFOUND (no such item of an enum; strict: no such field), DUPLICATE (strict),
 * MALFORMED ("$unknown" has no fields), DEPTH, BUDGET, NOMEM; INVALID (an argument) and DESCRIPTOR
 * leave the record untouched. */
FRUGAL_API frugal_status frugal_json_read(frugal_ref value, frugal_str text, frugal_arena *arena,
                                          const frugal_json_read_options *options, size_t *used,
                                          frugal_error *error);

#ifdef __cplusplus
}
#endif
#endif /* FRUGAL_JSON_H */
