/* json/json.h - what both directions share. */
#ifndef JSON_JSON_H
#define JSON_JSON_H

#include <frugal/codec.h>
#include <frugal/json.h>

#include "core/bytes.h"

/* What stands for what has no form of its own: text that is not UTF-8, kept unknown fields. */
#define JSON_HEX_KEY     "$hex"
#define JSON_UNKNOWN_KEY "$unknown"

#define JSON_TOO_DEEP "nested deeper than %u levels (depth_max)"

static inline uint32_t json_depth_max(uint32_t option)
{
    return option ? option : FRUGAL_DEPTH_DEFAULT;
}

/* Copies a text with room behind: 16 bytes at a time, up to 15 more than `len` are read and
 * written.
 */
ALWAYS_INLINE void json_copy_ready(char *to, const char *from, size_t len)
{
    for (size_t done = 0; done < len; done += 16)
        memcpy(to + done, from + done, 16);
}

#endif /* JSON_JSON_H */
