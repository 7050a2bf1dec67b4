/* frame/writer.c - what stands in front of a message: lengths and TTHeader.
 *
 * A length is known when the message is, so frame_begin leaves room and frame_end fills it in; the
 * message is written once, into its place. Sizes are computed and checked before a byte is put. */
#include <assert.h>

#include "frame/parts.h"

#define TEXT_MAX UINT16_MAX
#define PREVIEW_LEN \
    60 /* of a text that is too long; Kitex shows 100 bytes, a sentence holds less */

static const frame_header no_header;

static size_t fill_of(size_t size)
{
    return (0 - size) % 4;
}

/* ---- sizes ---------------------------------------------------------------------------------- */

static frugal_status check_text(frugal_str text, frugal_error *error)
{
    if (text.ptr == NULL && text.len)
        return error_set(error, FRUGAL_INVALID, "a text of a header: ptr is NULL, len is not 0");
    if (text.len > TEXT_MAX)
        return error_set(error, FRUGAL_SIZE,
                         "string exceeded %uB max size (actual: %zuB, preview: \"%.*s...\")",
                         (unsigned)TEXT_MAX, text.len, PREVIEW_LEN, text.ptr);
    return FRUGAL_OK;
}

/* Whether an item goes on in the block of the item before. */
static bool goes_on(const frame_info *info, const frame_info *before)
{
    return before && before->kind == info->kind && !before->empty && !info->empty && !info->starts;
}

/* The bytes of an item, the header of its block included. */
static frugal_status item_size(const frame_info *info, const frame_info *before, size_t *size,
                               frugal_error *error)
{
    frugal_status status = check_text(info->value, error);
    if (status == FRUGAL_OK && info->kind == FRAME_INFO_STR)
        status = check_text(info->key, error);
    if (status != FRUGAL_OK)
        return status;
    size_t block = goes_on(info, before) ? 0 : 3;
    switch (info->kind) {
    case FRAME_INFO_INT: *size = block + (info->empty ? 0 : 4 + info->value.len); break;
    case FRAME_INFO_STR:
        *size = block + (info->empty ? 0 : 4 + info->key.len + info->value.len);
        break;
    case FRAME_INFO_ACL: *size = 3 + info->value.len; break;
    case FRAME_INFO_PADDING: *size = info->zeros; break;
    default:
        return error_set(error, FRUGAL_INVALID, "an item of a header of unknown kind %d",
                         (int)info->kind);
    }
    return FRUGAL_OK;
}

/* From offset 14 on, without what fills the last word. */
static frugal_status body_size(const frame_header *header, size_t *size, frugal_error *error)
{
    if (header->transforms.len > UINT8_MAX)
        return error_set(error, FRUGAL_SIZE, "%zu transform ids, more than 255",
                         header->transforms.len);
    *size = 2 + header->transforms.len;
    if (header->info == NULL)
        *size += header->blocks.len;
    for (size_t i = 0; header->info && i < header->info_count; i++) {
        const frame_info *info   = &header->info[i];
        size_t            more   = 0;
        frugal_status     status = item_size(info, i ? info - 1 : NULL, &more, error);
        if (status != FRUGAL_OK)
            return status;
        *size += more;
        if (*size > FRAME_TTHEADER_MAX)
            break;
    }
    if (*size > FRAME_TTHEADER_MAX)
        return error_set(error, FRUGAL_SIZE, "invalid header length[%zu]", *size);
    return FRUGAL_OK;
}

frugal_status frame_prefix_size(frame_framing framing, const frame_header *header, size_t *size,
                                frugal_error *error)
{
    size_t        body   = 0;
    frugal_status status = FRUGAL_OK;
    switch (framing) {
    case FRAME_BUFFERED: *size = 0; return FRUGAL_OK;
    case FRAME_FRAMED: *size = FRAME_LENGTH; return FRUGAL_OK;
    case FRAME_TTHEADER:
    case FRAME_TTHEADER_FRAMED:
        if (header && header->mesh)
            return error_set(error, FRUGAL_INVALID, "a mesh header is not written");
        status = body_size(header ? header : &no_header, &body, error);
        if (status == FRUGAL_OK)
            *size = TTHEADER_FIXED + body + fill_of(body)
                    + (framing == FRAME_TTHEADER_FRAMED ? FRAME_LENGTH : 0);
        return status;
    case FRAME_AUTO:
    case FRAME_MESH:
    case FRAME_MESH_FRAMED: break;
    }
    return error_set(error, FRUGAL_INVALID, "framing \"%s\" is not written",
                     frame_framing_name(framing));
}

/* ---- putting -------------------------------------------------------------------------------- */

static uint8_t *put_u16(uint8_t *p, size_t value)
{
    assert(value <= UINT16_MAX);
    store_be16(p, (uint16_t)value);
    return p + 2;
}

static uint8_t *put_bytes(uint8_t *p, const void *bytes, size_t size)
{
    if (size)
        memcpy(p, bytes, size);
    return p + size;
}

static uint8_t *put_text(uint8_t *p, frugal_str text)
{
    return put_bytes(put_u16(p, text.len), text.ptr, text.len);
}

static uint8_t *put_zeros(uint8_t *p, size_t count)
{
    memset(p, 0, count);
    return p + count;
}

/* The pairs from `i` on that share a block; moves `i` behind them. A header of at most
 * FRAME_TTHEADER_MAX bytes cannot hold more than 65535 of them. */
static uint8_t *put_pairs(uint8_t *p, const frame_header *header, size_t *i)
{
    const frame_info *info  = header->info;
    size_t            first = *i, end = first + 1;
    while (end < header->info_count && goes_on(&info[end], &info[end - 1]))
        end++;
    *p = info[first].kind == FRAME_INFO_INT ? 0x10 : 0x01;
    p  = put_u16(p + 1, info[first].empty ? 0 : end - first);
    *i = end;
    if (info[first].empty)
        return p;
    for (size_t k = first; k < end; k++) {
        p = info[k].kind == FRAME_INFO_INT ? put_u16(p, info[k].number) : put_text(p, info[k].key);
        p = put_text(p, info[k].value);
    }
    return p;
}

static uint8_t *put_items(uint8_t *p, const frame_header *header)
{
    for (size_t i = 0; i < header->info_count;) {
        const frame_info *info = &header->info[i];
        if (info->kind == FRAME_INFO_INT || info->kind == FRAME_INFO_STR) {
            p = put_pairs(p, header, &i);
            continue;
        }
        if (info->kind == FRAME_INFO_ACL) {
            *p = 0x11;
            p  = put_text(p + 1, info->value);
        } else {
            p = put_zeros(p, info->zeros);
        }
        i++;
    }
    return p;
}

static uint8_t *put_ttheader(uint8_t *p, const frame_header *header)
{
    uint8_t *body = p + TTHEADER_FIXED;
    store_be32(p, 0);
    store_be16(p + 4, MAGIC_TTHEADER);
    store_be16(p + 6, header->flags);
    store_be32(p + 8, (uint32_t)header->sequence_id);
    body[0]      = header->protocol;
    body[1]      = (uint8_t)header->transforms.len;
    uint8_t *end = put_bytes(body + 2, header->transforms.ptr, header->transforms.len);
    end          = header->info ? put_items(end, header)
                                : put_bytes(end, header->blocks.ptr, header->blocks.len);
    end          = put_zeros(end, fill_of((size_t)(end - body)));
    put_u16(p + 12, (size_t)(end - body) / 4);
    return end;
}

/* ---- doors ---------------------------------------------------------------------------------- */

frugal_status frame_begin(frame_writer *writer, frame_framing framing, const frame_header *header,
                          frugal_buf *out, frugal_error *error)
{
    size_t        size   = 0;
    frugal_status status = frame_prefix_size(framing, header, &size, error);
    if (status != FRUGAL_OK)
        return status;
    status = frugal_buf_reserve(out, size);
    if (status != FRUGAL_OK)
        return error_set(error, status, "no room for a prefix of %zu bytes", size);

    *writer = (frame_writer){ framing, out->size, out->size + size };
    if (size == 0)
        return FRUGAL_OK;
    uint8_t *p = out->data + out->size, *end = p;
    if (framing != FRAME_FRAMED)
        end = put_ttheader(p, header ? header : &no_header);
    if (framing != FRAME_TTHEADER)
        end = put_zeros(end, FRAME_LENGTH);
    assert((size_t)(end - p) == size);
    out->size += size;
    return FRUGAL_OK;
}

frugal_status frame_end(frame_writer *writer, frugal_buf *out, size_t message_max,
                        frugal_error *error)
{
    assert(out->size >= writer->payload);
    size_t limit = message_max ? message_max : INT32_MAX;
    size_t size  = out->size - writer->payload;
    size_t whole = out->size - writer->start;
    if (size > limit || (writer->framing != FRAME_BUFFERED && whole - FRAME_LENGTH > INT32_MAX)) {
        out->size = writer->start;
        return frame_too_large(error, 0, size, limit);
    }
    if (writer->framing == FRAME_BUFFERED)
        return FRUGAL_OK;
    uint8_t *start = out->data + writer->start;
    if (writer->framing == FRAME_TTHEADER || writer->framing == FRAME_TTHEADER_FRAMED)
        store_be32(start, (uint32_t)(whole - FRAME_LENGTH));
    if (writer->framing == FRAME_FRAMED || writer->framing == FRAME_TTHEADER_FRAMED)
        store_be32(out->data + writer->payload - FRAME_LENGTH, (uint32_t)size);
    return FRUGAL_OK;
}

/* ---- Kitex's order -------------------------------------------------------------------------- */

static bool is_acl(const frame_info *info)
{
    return info->kind == FRAME_INFO_ACL
           || (info->kind == FRAME_INFO_STR && info->key.len == sizeof FRAME_ACL_KEY - 1
               && memcmp(info->key.ptr, FRAME_ACL_KEY, sizeof FRAME_ACL_KEY - 1) == 0);
}

size_t frame_info_order(const frame_info *from, size_t count, frame_info *to)
{
    static const frame_info_kind turns[] = { FRAME_INFO_ACL, FRAME_INFO_STR, FRAME_INFO_INT };
    size_t                       n       = 0;
    for (size_t turn = 0; turn < 3; turn++)
        for (size_t i = 0; i < count; i++) {
            frame_info_kind kind = is_acl(&from[i]) ? FRAME_INFO_ACL : from[i].kind;
            if (kind != turns[turn] || from[i].empty)
                continue;
            to[n]        = from[i];
            to[n].kind   = kind;
            to[n].starts = false;
            if (kind == FRAME_INFO_ACL)
                to[n].key = (frugal_str){ NULL, 0 };
            n++;
        }
    return n;
}
