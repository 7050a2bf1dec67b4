/* frame/ttheader.c - reading Kitex's header: fixed part, info blocks, padding; and the mesh header.
 *
 *   0 length:4 | 4 0x1000 | 6 flags:2 | 8 sequence id:4 | 12 words:2 | 14 protocol:1 | n:1 | n ids
 *   info blocks | zeroes up to offset 14 + 4 * words | payload
 *
 * Blocks are checked once, when all of the header is there, and stay where they are: a cursor reads
 * them again for whoever asks. So a header of any number of keys costs no memory, and nobody pays
 * for keys that nobody looks at. */
#include <assert.h>
#include <stdio.h>

#include "frame/parts.h"

#define BLOCK_PADDING 0x00
#define BLOCK_STR     0x01
#define BLOCK_INT     0x10
#define BLOCK_ACL     0x11

/* ---- checking ------------------------------------------------------------------------------- */

typedef struct check {
    const uint8_t *p, *end, *start;
    const char    *header; /* in front of the words */
    uint32_t       items, items_max;
    frugal_error  *error;
} check;

static frugal_status fail(const check *c, const char *why)
{
    return frame_place(
        c->error, (size_t)(c->p - c->start),
        error_set(c->error, FRUGAL_HEADER, "%s read kv info failed, %s", c->header, why));
}

static size_t left(const check *c)
{
    return (size_t)(c->end - c->p);
}

static bool pass_text(check *c)
{
    if (left(c) < 2 || left(c) - 2 < load_be16(c->p))
        return false;
    c->p += 2 + (size_t)load_be16(c->p);
    return true;
}

static frugal_status count_item(check *c)
{
    if (c->items++ < c->items_max)
        return FRUGAL_OK;
    return frame_place(c->error, (size_t)(c->p - c->start),
                       error_set(c->error, FRUGAL_SIZE, "more than %u items in a header (info_max)",
                                 (unsigned)c->items_max));
}

/* count:2 and so many pairs: of texts, or of a number and a text. */
static frugal_status check_pairs(check *c, bool numbers)
{
    if (left(c) < 2)
        return fail(c, numbers ? "error reading int kv info size: EOF"
                               : "error reading str kv info size: EOF");
    unsigned count = load_be16(c->p);
    c->p += 2;
    frugal_status status = count ? FRUGAL_OK : count_item(c);
    while (status == FRUGAL_OK && count--) {
        const uint8_t *pair = c->p;
        status              = count_item(c);
        if (status != FRUGAL_OK)
            return status;
        bool key = numbers ? left(c) >= 2 : pass_text(c);
        if (key && numbers)
            c->p += 2;
        if (!key || !pass_text(c)) {
            c->p = pair;
            return fail(c, numbers ? "error reading int kv info: EOF"
                                   : "error reading str kv info: EOF");
        }
    }
    return status;
}

static frugal_status check_block(check *c)
{
    uint8_t id = *c->p++;
    switch (id) {
    case BLOCK_PADDING: return FRUGAL_OK;
    case BLOCK_STR: return check_pairs(c, false);
    case BLOCK_INT: return check_pairs(c, true);
    case BLOCK_ACL:
        if (!pass_text(c))
            return fail(c, "error reading acl token: EOF");
        return count_item(c);
    }
    char why[40];
    snprintf(why, sizeof why, "invalid infoIDType[0x%x]", id);
    c->p--;
    return fail(c, why);
}

/* Protocol id, transforms and blocks: all of the header behind offset 14. */
static frugal_status check_body(const frame_reader *reader, const uint8_t *start, size_t size,
                                frame_header *header, frugal_error *error)
{
    const uint8_t *p = start + TTHEADER_FIXED, *end = start + size;
    unsigned       protocol = p[0], transforms = p[1];
    switch (protocol) {
    case FRAME_PROTOCOL_BINARY:
    case FRAME_PROTOCOL_COMPACT_V2:
    case FRAME_PROTOCOL_PROTOBUF:
    case FRAME_PROTOCOL_STRUCT:
    case FRAME_PROTOCOL_PROTOBUF_STRUCT: break;
    default:
        return frame_place(error, TTHEADER_FIXED,
                           error_set(error, FRUGAL_HEADER, "unsupported ProtocolID[%u]", protocol));
    }
    if (transforms > (size_t)(end - p) - 2)
        return frame_place(error, TTHEADER_FIXED + 1,
                           error_set(error, FRUGAL_HEADER,
                                     "need read %u transformIDs, but not enough", transforms));
    header->protocol   = p[0];
    header->transforms = (frugal_bytes){ p + 2, transforms };
    p += 2 + transforms;
    header->blocks = (frugal_bytes){ p, (size_t)(end - p) };
    if (reader->header_checked)
        return FRUGAL_OK;

    check         c      = { p, end, start, "ttHeader", 0, reader->options.info_max, error };
    frugal_status status = FRUGAL_OK;
    while (status == FRUGAL_OK && c.p < end)
        status = check_block(&c);
    return status;
}

static frugal_status check_header_size(const frame_reader *reader, size_t size, size_t place,
                                       frugal_error *error)
{
    size_t size_max = reader->options.header_max;
    if (size <= size_max)
        return FRUGAL_OK;
    return frame_place(
        error, place,
        error_set(error, FRUGAL_SIZE, "header of %zu bytes, header_max is %zu", size, size_max));
}

frugal_status frame_read_ttheader(frame_reader *reader, frugal_bytes input, frame_header *header,
                                  size_t *size, size_t *payload, frugal_error *error)
{
    const uint8_t *p = input.ptr;
    assert(input.len >= TTHEADER_FIXED);
    uint32_t length = load_be32(p);
    size_t   body   = (size_t)load_be16(p + 12) * 4;
    size_t   whole  = TTHEADER_FIXED + body;
    if (length > INT32_MAX)
        return frame_place(error, 0,
                           error_set(error, FRUGAL_NEGATIVE, "negative size: %d", (int32_t)length));
    if (body == 0)
        return frame_place(error, 12, error_set(error, FRUGAL_HEADER, "invalid header length[0]"));
    frugal_status status = check_header_size(reader, body, 12, error);
    if (status != FRUGAL_OK)
        return status;
    if ((size_t)length + FRAME_LENGTH < whole)
        return frame_place(error, 0,
                           error_set(error, FRUGAL_FRAME,
                                     "length %u ends inside the header, which ends at byte %zu",
                                     length, whole));
    *size    = whole;
    *payload = (size_t)length + FRAME_LENGTH - whole;
    if (*payload > reader->options.message_max)
        return frame_too_large(error, 0, *payload, reader->options.message_max);
    if (input.len < whole)
        return FRUGAL_OK;
    *header = (frame_header){ .flags = load_be16(p + 6), .sequence_id = (int32_t)load_be32(p + 8) };
    status  = check_body(reader, p, whole, header, error);
    reader->header_checked = status == FRUGAL_OK;
    if (status != FRUGAL_OK)
        header->blocks = header->transforms = (frugal_bytes){ NULL, 0 };
    return status;
}

frugal_status frame_read_mesh(frame_reader *reader, frugal_bytes input, frame_header *header,
                              size_t *size, size_t *payload, frugal_error *error)
{
    const uint8_t *p = input.ptr;
    assert(input.len >= MESH_FIXED);
    size_t        body   = load_be16(p + 2);
    frugal_status status = check_header_size(reader, body, 2, error);
    if (status != FRUGAL_OK)
        return status;
    *size    = MESH_FIXED + body;
    *payload = SIZE_MAX;
    if (input.len < *size)
        return FRUGAL_OK;
    p += MESH_FIXED;
    *header = (frame_header){ .mesh = true, .blocks = { p, body } };
    if (reader->header_checked)
        return FRUGAL_OK;
    check c = { p, p + body, input.ptr, "meshHeader", 0, reader->options.info_max, error };
    status  = check_pairs(&c, false);
    reader->header_checked = status == FRUGAL_OK;
    if (status != FRUGAL_OK)
        *header = (frame_header){ 0 };
    return status;
}

/* ---- the cursor ----------------------------------------------------------------------------- */

/* Of checked blocks, so nothing is compared with the end again but in asserts. */
static frugal_str take_text(const frame_header *header, frame_info_cursor *cursor)
{
    const uint8_t *p   = header->blocks.ptr + cursor->at;
    size_t         len = load_be16(p);
    cursor->at += 2 + len;
    assert(cursor->at <= header->blocks.len);
    return (frugal_str){ (const char *)p + 2, len };
}

static void take_pair(const frame_header *header, frame_info_cursor *cursor, frame_info *info)
{
    if (cursor->block == BLOCK_INT) {
        info->number = load_be16(header->blocks.ptr + cursor->at);
        cursor->at += 2;
    } else {
        info->key = take_text(header, cursor);
    }
    info->value = take_text(header, cursor);
    cursor->left--;
    cursor->again = true;
}

/* The zeroes at the cursor that are not the few that fill the last word. Passes them all. */
static uint32_t take_padding(const frame_header *header, frame_info_cursor *cursor)
{
    size_t from = cursor->at, len = header->blocks.len;
    while (cursor->at < len && header->blocks.ptr[cursor->at] == BLOCK_PADDING)
        cursor->at++;
    size_t fill = cursor->at < len ? 0 : (0 - (2 + header->transforms.len + from)) % 4;
    return (uint32_t)(cursor->at - from > fill ? cursor->at - from - fill : 0);
}

static frame_info_kind kind_of(uint8_t block)
{
    return block == BLOCK_INT ? FRAME_INFO_INT : FRAME_INFO_STR;
}

/* The cursor stands on the count of pairs of a block of `id`. */
static void enter_block(const frame_header *header, frame_info_cursor *cursor, uint8_t id,
                        frame_info *info)
{
    bool again    = cursor->again && cursor->block == id;
    cursor->block = id;
    cursor->again = false;
    cursor->left  = load_be16(header->blocks.ptr + cursor->at);
    cursor->at += 2;
    *info = (frame_info){ .kind = kind_of(id), .empty = cursor->left == 0 };
    if (cursor->left) {
        info->starts = again;
        take_pair(header, cursor, info);
    }
}

static bool next_in_mesh(const frame_header *header, frame_info_cursor *cursor, frame_info *info)
{
    if (cursor->at == 0 && load_be16(header->blocks.ptr)) {
        enter_block(header, cursor, BLOCK_STR, info);
        return true;
    }
    return false;
}

bool frame_info_next(const frame_header *header, frame_info_cursor *cursor, frame_info *info)
{
    if (header->info) {
        if (cursor->at == header->info_count)
            return false;
        *info = header->info[cursor->at++];
        return true;
    }
    if (cursor->left) {
        *info = (frame_info){ .kind = kind_of(cursor->block) };
        take_pair(header, cursor, info);
        return true;
    }
    if (header->mesh)
        return next_in_mesh(header, cursor, info);

    uint32_t zeros = take_padding(header, cursor);
    if (zeros) {
        *info         = (frame_info){ .kind = FRAME_INFO_PADDING, .zeros = zeros };
        cursor->again = false;
        return true;
    }
    if (cursor->at >= header->blocks.len)
        return false;
    uint8_t id = header->blocks.ptr[cursor->at++];
    if (id == BLOCK_ACL) {
        *info         = (frame_info){ .kind = FRAME_INFO_ACL, .value = take_text(header, cursor) };
        cursor->again = false;
    } else {
        assert(id == BLOCK_INT || id == BLOCK_STR);
        enter_block(header, cursor, id, info);
    }
    return true;
}

/* ---- asking --------------------------------------------------------------------------------- */

static bool same_text(frugal_str a, frugal_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

bool frame_info_int(const frame_header *header, uint16_t key, frugal_str *value)
{
    frame_info_cursor cursor = { 0 };
    frame_info        info;
    bool              found = false;
    while (frame_info_next(header, &cursor, &info)) {
        if (info.kind != FRAME_INFO_INT || info.empty || info.number != key)
            continue;
        found = true;
        if (value)
            *value = info.value;
    }
    return found;
}

bool frame_info_str(const frame_header *header, frugal_str key, frugal_str *value)
{
    bool              acl    = same_text(key, FRUGAL_STR(FRAME_ACL_KEY));
    frame_info_cursor cursor = { 0 };
    frame_info        info;
    bool              found = false;
    while (frame_info_next(header, &cursor, &info)) {
        bool is_str = info.kind == FRAME_INFO_STR && !info.empty && same_text(info.key, key);
        if (!is_str && !(acl && info.kind == FRAME_INFO_ACL))
            continue;
        found = true;
        if (value)
            *value = info.value;
    }
    return found;
}

const char *frame_header_unused(const frame_header *header)
{
    frame_info_cursor cursor = { 0 };
    frame_info        info;
    if (header->mesh)
        return "a mesh header";
    if (header->transforms.len)
        return "transform ids";
    while (frame_info_next(header, &cursor, &info)) {
        if (info.kind == FRAME_INFO_PADDING)
            return cursor.at < header->blocks.len ? "padding between info blocks"
                                                  : "more padding than is needed";
        if (info.empty)
            return "an info block without pairs";
        if (info.starts)
            return "two info blocks of one kind in a row";
    }
    return NULL;
}
