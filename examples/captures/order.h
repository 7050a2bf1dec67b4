/* order.h - puts the fields of encoded structs into the order of their ids.
 *
 * Thrift leaves the order of fields free. Frugal writes them by ascending id; Kitex's own codec
 * writes those of fixed size first, so `num` of a Request (3) comes before `action` (1). Such a
 * message decodes to the same struct, but it cannot come back byte for byte: it must be compared
 * with itself in order of ids.
 *
 * This is done to the bytes alone, without a description and without the codec, so that it is a
 * check of the codec and not the codec once more. */
#ifndef ORDER_H
#define ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sorts the fields of the struct at `bytes`, and of all structs inside it, by id, in place. Fields
 * with one id stay in their order. False: the `size` bytes do not begin with a well-formed struct.
 */
bool order_fields(uint8_t *bytes, size_t size);

#endif /* ORDER_H */
