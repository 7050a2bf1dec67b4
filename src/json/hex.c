/* json/hex.c - bytes as {"$hex":"…"}, both ways. */
#include "json/hex.h"

char *json_hex_write(char *out, const uint8_t *bytes, size_t len, bool spaced)
{
    static const char digits[] = "0123456789abcdef";
    static const char before[] = "{\"" JSON_HEX_KEY "\":";
    memcpy(out, before, sizeof before - 1);
    out += sizeof before - 1;
    *out = ' ';
    out += spaced;
    *out++ = '"';
    for (size_t i = 0; i < len; i++) {
        *out++ = digits[bytes[i] >> 4];
        *out++ = digits[bytes[i] & 15];
    }
    *out++ = '"';
    *out++ = '}';
    return out;
}

/* 16 and more: no digit. */
static unsigned digit_value(char digit)
{
    unsigned value = (unsigned)(uint8_t)digit - '0';
    if (value < 10)
        return value;
    value = ((unsigned)(uint8_t)digit | 0x20) - 'a';
    return value < 6 ? value + 10 : 16;
}

size_t json_hex_read(uint8_t *out, const char *digits, size_t len)
{
    for (size_t i = 0; i < len; i += 2) {
        unsigned high = digit_value(digits[i]);
        if (high > 15)
            return i;
        if (i + 1 == len)
            return len + 1;
        unsigned low = digit_value(digits[i + 1]);
        if (low > 15)
            return i + 1;
        out[i / 2] = (uint8_t)(high << 4 | low);
    }
    return len;
}
