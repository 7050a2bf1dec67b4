/* wire/binary.h - the Binary protocol below structs: types, sizes, skipping.
 *
 * Source: Apache Thrift, thrift-binary-protocol.md. Fields are `type:1 id:2 value`, a struct ends
 * in a zero byte; lists and sets are `type:1 count:4`, maps `key:1 value:1 count:4`; text is
 * `length:4`. */
#ifndef WIRE_BINARY_H
#define WIRE_BINARY_H

#include <frugal/codec.h>

#include "core/bytes.h"
#include "wire/fault.h"

#define BINARY_FIELD_SIZE 3 /* type and id */
#define BINARY_LIST_SIZE  5 /* element type and count */
#define BINARY_MAP_SIZE   6 /* key type, value type and count */
#define BINARY_TEXT_SIZE  4 /* length */

/* Indexed by wire type 0 .. 15: bytes of a value of constant size, else 0; least bytes of any
 * value, 0 for a type that does not exist. Least: struct 1, map 6, set and list 5, string 4. */
extern const uint8_t binary_fixed_size[16];
extern const uint8_t binary_least_size[16];

/* One past the value of `type` at `p`, or NULL with the fault. `depth` is how many more structs and
 * containers may be entered. A container whose count is 0 may name any type. Reads nothing at or
 * behind `end`; constant-size elements are passed in one step. */
const uint8_t *binary_skip(const uint8_t *p, const uint8_t *end, uint8_t type, uint32_t depth,
                           uint32_t depth_max, wire_fault *fault);

#endif /* WIRE_BINARY_H */
