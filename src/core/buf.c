/* core/buf.c - growable output that begins on the caller's storage. */
#include <string.h>

#include "core/allocator.h"

void frugal_buf_init(frugal_buf *buf, void *storage, size_t capacity,
                     const frugal_allocator *allocator)
{
    *buf =
        (frugal_buf){ .data = storage, .capacity = storage ? capacity : 0, .allocator = allocator };
}

void frugal_buf_init_fixed(frugal_buf *buf, void *storage, size_t capacity)
{
    frugal_buf_init(buf, storage, capacity, NULL);
    buf->fixed = true;
}

void frugal_buf_release(frugal_buf *buf)
{
    if (buf == NULL)
        return;
    if (buf->owned)
        allocator_resize(allocator_or_malloc(buf->allocator), buf->data, buf->capacity, 0);
    buf->data     = NULL;
    buf->size     = 0;
    buf->capacity = 0;
    buf->owned    = false;
}

frugal_status frugal_buf_reserve(frugal_buf *buf, size_t more)
{
    if (more <= buf->capacity - buf->size)
        return FRUGAL_OK;
    if (buf->fixed)
        return FRUGAL_NOSPACE;
    size_t capacity = buf->capacity < 64 ? 64 : buf->capacity;
    while (capacity - buf->size < more) {
        if (capacity > SIZE_MAX / 2)
            return FRUGAL_NOMEM;
        capacity *= 2;
    }
    const frugal_allocator *allocator = allocator_or_malloc(buf->allocator);
    uint8_t                *data      = allocator_resize(allocator, buf->owned ? buf->data : NULL,
                                     buf->owned ? buf->capacity : 0, capacity);
    if (data == NULL)
        return FRUGAL_NOMEM;
    if (!buf->owned && buf->size)
        memcpy(data, buf->data, buf->size);
    buf->data     = data;
    buf->capacity = capacity;
    buf->owned    = true;
    return FRUGAL_OK;
}

frugal_status frugal_buf_append(frugal_buf *buf, const void *bytes, size_t size)
{
    frugal_status status = frugal_buf_reserve(buf, size);
    if (status == FRUGAL_OK && size) {
        memcpy(buf->data + buf->size, bytes, size);
        buf->size += size;
    }
    return status;
}

frugal_bytes frugal_buf_bytes(const frugal_buf *buf)
{
    return (frugal_bytes){ buf->data, buf->size };
}
