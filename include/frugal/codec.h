/* frugal/codec.h - a C struct to Thrift bytes and back.
 *
 * Both directions take a reference that knows its type (describe.h) and use a plan of that type,
 * compiled on first use and kept in the table's slot. A plan is immutable: any number of threads
 * may encode and decode with one table at once, each with its own record, arena and buffer. A
 * record must not change while it is encoded.
 *
 * The wire formats are those of Apache Thrift (thrift-binary-protocol.md); choices of semantics are
 * Frugal's for Go where it has them, and said at the option where they differ. */
#ifndef FRUGAL_CODEC_H
#define FRUGAL_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <frugal/describe.h>
#include <frugal/memory.h>
#include <frugal/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum frugal_protocol {
    FRUGAL_PROTOCOL_BINARY /* big-endian, fixed sizes */
} frugal_protocol;

#define FRUGAL_DEPTH_DEFAULT 64
#define FRUGAL_DEPTH_MAX     1024

/* ---- before the first message --------------------------------------------------------------- */

/* All zeroes is a good default. */
typedef struct frugal_pretouch_options {
    size_t          struct_size; /* sizeof, or 0 for the members of version 0 */
    frugal_protocol protocol;
    /* of the plan, which lives until frugal_plan_drop; NULL: malloc */
    const frugal_allocator *allocator;
    bool                    interpreter_only; /* no machine code now; its first use may make it */
} frugal_pretouch_options;

/* Checks `type` and all it reaches for contradictions, and compiles its plan, and that to machine
 * code where that can be done (FRUGAL_JIT=off in the environment: nowhere). Never needed: the first
 * encode or decode does the same. Call it at start-up to have cost and failure where somebody
 * looks. A second call finds the plan and does nothing. `options` NULL: defaults. FRUGAL_DESCRIPTOR
 * (the path and the sentence name the contradiction), FRUGAL_NOMEM, FRUGAL_INVALID (type NULL,
 * unknown protocol). */
FRUGAL_API frugal_status frugal_pretouch(const frugal_struct           *type,
                                         const frugal_pretouch_options *options,
                                         frugal_error                  *error);

/* frugal_pretouch for each of `count` types; stops at the first failure. */
FRUGAL_API frugal_status frugal_pretouch_all(const frugal_struct *const *types, size_t count,
                                             const frugal_pretouch_options *options,
                                             frugal_error                  *error);

/* Frees the plans that this table's slot holds (not those of other tables that reach it). For
 * plugins about to be unloaded and for leak checkers; nobody may be using `type` at the time. NULL
 * is nothing to do. The next use compiles again. */
FRUGAL_API void frugal_plan_drop(const frugal_struct *type);

/* Appends the plan as text, one line a step: what will be read and written, in which order, with
 * which checks. For people and tests; the text may change. Fails as frugal_pretouch, or
 * as frugal_buf_reserve, and then leaves `text` as it was. */
FRUGAL_API frugal_status frugal_describe_plan(const frugal_struct           *type,
                                              const frugal_pretouch_options *options,
                                              frugal_buf *text, frugal_error *error);

/* Machine code of this process so far: how many units (one for each type and direction), their
 * bytes, and the time that it took to make them. NULL is nothing to do. */
typedef struct frugal_jit_counts {
    uint64_t units, bytes, microseconds;
} frugal_jit_counts;
FRUGAL_API void frugal_jit_count(frugal_jit_counts *counts);

/* ---- encode --------------------------------------------------------------------------------- */

/* All zeroes is a good default. */
typedef struct frugal_encode_options {
    size_t          struct_size; /* sizeof, or 0 for the members of version 0 */
    frugal_protocol protocol;
    bool            canonical; /* maps and sets sorted by the bytes of their keys or elements;
                                  entries with equal keys stay in their order */
    /* optional scalars and strings equal to their `initial` are left out */
    bool skip_defaults;
    bool interpreter_only; /* no machine code */
    /* nested structs and containers, the root is 1; 0 = 64, at most 1024 */
    uint32_t depth_max;
} frugal_encode_options;

/* `*size`: the bytes that frugal_encode would append. `options` NULL: defaults. Fails where
 * encoding would: FRUGAL_INVALID (NULL with a length, a union arm that does not exist, a NULL
 * root), FRUGAL_DEPTH (also a cycle), FRUGAL_SIZE (more than 2^31-1 bytes or elements), and as
 * frugal_pretouch. `*size` is written on success only. */
FRUGAL_API frugal_status frugal_encoded_size(frugal_view                  value,
                                             const frugal_encode_options *options, size_t *size,
                                             frugal_error *error);

/* Appends `value` to `out` in one pass, which grows as needed or is FRUGAL_NOSPACE when fixed (the
 * sentence says how many bytes are short). Fails as frugal_encoded_size, or FRUGAL_NOMEM. On
 * failure out->size is as it was; bytes behind it may have been written. */
FRUGAL_API frugal_status frugal_encode(frugal_view value, const frugal_encode_options *options,
                                       frugal_buf *out, frugal_error *error);

/* Writes `value` to `out`, at most `capacity` bytes, never one more, and without any allocation
 * unless `canonical`. `*size` (may be NULL): bytes written, on success only. Fails as
 * frugal_encode; then what was written up to `capacity` is undefined. */
FRUGAL_API frugal_status frugal_encode_to(frugal_view value, const frugal_encode_options *options,
                                          void *out, size_t capacity, size_t *size,
                                          frugal_error *error);

/* ---- decode --------------------------------------------------------------------------------- */

/* All zeroes is a good default. */
typedef struct frugal_decode_options {
    size_t          struct_size; /* sizeof, or 0 for the members of version 0 */
    frugal_protocol protocol;
    /* strings and binaries are views into the input, which must outlive them */
    bool no_copy;
    bool strict;        /* a known field with another wire type is an error, not skipped */
    bool keep_existing; /* the root starts from what is in it, not from its defaults */
    bool check_utf8;    /* string (not binary) must be UTF-8 */
    /* equal keys in a map, equal elements in a set are errors; containers inside those are equal
     * when their elements come in the same order */
    bool reject_duplicates;
    bool interpreter_only; /* no machine code */
    /* nested structs and containers, the root is 1; 0 = 64, at most 1024 */
    uint32_t depth_max;
    /* arena bytes for this call; 0 = the larger of 64 MiB and 64 x input */
    size_t size_max;
} frugal_decode_options;

/* Fills the record behind `value` from the front of `input`. What was in it is ignored (see
 * keep_existing). Strings are copied to `arena`, as are lists, maps and structs behind pointers; an
 * empty string, list or map that is present has a non-NULL pointer. Bytes after the record are left
 * alone: `*used` (may be NULL) says how many were read, on success only. `options` NULL: defaults.
 * Unknown fields are skipped, or kept in the FRUGAL_UNKNOWN member. A repeated field: the last one
 * wins, whole. Maps and sets keep the order and the duplicates of the wire.
 *
 * On failure the record is initialised (defaults or zeroes, never a pointer into the arena), and
 * the arena is where it was. FRUGAL_TRUNCATED, NEGATIVE, SIZE, MALFORMED, MISMATCH, MISSING, DEPTH,
 * BUDGET: bad input, at error->offset and error->path. FRUGAL_UTF8, DUPLICATE: only when asked for.
 * FRUGAL_NOMEM: the arena could not grow. FRUGAL_INVALID: value.ptr, arena or a non-empty input's
 * pointer NULL, depth_max above 1024; the record is untouched. And as frugal_pretouch. */
FRUGAL_API frugal_status frugal_decode(frugal_ref value, frugal_bytes input, frugal_arena *arena,
                                       const frugal_decode_options *options, size_t *used,
                                       frugal_error *error);

/* ---- without a description ------------------------------------------------------------------ */

/* The type ids of the Binary protocol. */
typedef enum frugal_wire_type {
    FRUGAL_WIRE_STOP   = 0,
    FRUGAL_WIRE_BOOL   = 2,
    FRUGAL_WIRE_I8     = 3,
    FRUGAL_WIRE_DOUBLE = 4,
    FRUGAL_WIRE_I16    = 6,
    FRUGAL_WIRE_I32    = 8,
    FRUGAL_WIRE_I64    = 10,
    FRUGAL_WIRE_STRING = 11,
    FRUGAL_WIRE_STRUCT = 12,
    FRUGAL_WIRE_MAP    = 13,
    FRUGAL_WIRE_SET    = 14,
    FRUGAL_WIRE_LIST   = 15
} frugal_wire_type;

/* How many bytes the value of `type` at the front of `input` takes. Of `options` (NULL: defaults)
 * protocol and depth_max count. Allocates nothing. FRUGAL_TRUNCATED, NEGATIVE, SIZE, MALFORMED (a
 * type that does not exist), DEPTH, INVALID. */
FRUGAL_API frugal_status frugal_skip(frugal_bytes input, frugal_wire_type type,
                                     const frugal_decode_options *options, size_t *used,
                                     frugal_error *error);

#ifdef __cplusplus
}
#endif
#endif /* FRUGAL_CODEC_H */
