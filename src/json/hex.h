/* json/hex.h - bytes as {"$hex":"…"}: what stands for text that is not UTF-8. */
#ifndef JSON_HEX_H
#define JSON_HEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "json/json.h"

/* The room that json_hex_write needs. `len` at most SIZE_MAX / 4. */
ALWAYS_INLINE size_t json_hex_room(size_t len)
{
    return 2 * len + 32;
}

/* Writes the whole object, in one line; `spaced`: with a space behind the colon. Returns its end.
 */
char *json_hex_write(char *out, const uint8_t *bytes, size_t len, bool spaced);

/* The bytes of `len` digits, of either case, to `out`, which may be `digits`. The offset of the
 * first character that is wrong, `len` when none is; when the number of digits is odd, one is
 * missing at the end, and the answer is len + 1. */
size_t json_hex_read(uint8_t *out, const char *digits, size_t len);

#endif /* JSON_HEX_H */
