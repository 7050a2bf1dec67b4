/* json/put.c - strings for who writes JSON around records. */
#include "core/utf8.h"
#include "json/escape.h"
#include "json/hex.h"
#include "json/scan.h"

frugal_status json_put_hex(frugal_buf *out, frugal_bytes bytes)
{
    if (bytes.len > SIZE_MAX / 16)
        return FRUGAL_NOMEM;
    frugal_status status = frugal_buf_reserve(out, json_hex_room(bytes.len));
    if (status)
        return status;
    char *at  = (char *)out->data + out->size;
    out->size = (size_t)(json_hex_write(at, bytes.ptr, bytes.len, false) - (char *)out->data);
    return FRUGAL_OK;
}

frugal_status json_put_string(frugal_buf *out, frugal_str text)
{
    bool high = false;
    if (utf8_valid_prefix(text.ptr, text.len) < text.len)
        return json_put_hex(out, (frugal_bytes){ (const uint8_t *)text.ptr, text.len });
    if (text.len > SIZE_MAX / 16)
        return FRUGAL_NOMEM;
    frugal_status status = frugal_buf_reserve(out, json_escape_room(text.len));
    if (status)
        return status;
    char *at  = (char *)out->data + out->size;
    out->size = (size_t)(json_escape_write(at, text.ptr, text.len, &high) - (char *)out->data);
    return FRUGAL_OK;
}
