/* support/hex.h - bytes written as hex, with blanks where one likes. */
#ifndef SUPPORT_HEX_H
#define SUPPORT_HEX_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <frugal/shapes.h>

/* A view into one static place: the next call overwrites it. */
static inline frugal_bytes hex_bytes(const char *text)
{
    static uint8_t    bytes[4096];
    static const char digits[] = "0123456789abcdef";
    size_t            count    = 0;
    for (; *text; text++) {
        const char *digit = memchr(digits, *text, 16);
        if (digit == NULL) {
            assert(*text == ' ');
            continue;
        }
        assert(count / 2 < sizeof bytes);
        bytes[count / 2] = (uint8_t)(bytes[count / 2] << 4 | (digit - digits));
        count++;
    }
    assert(count % 2 == 0);
    return (frugal_bytes){ bytes, count / 2 };
}

#endif /* SUPPORT_HEX_H */
