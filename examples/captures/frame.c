/* frame.c - the four framings of a Kitex connection; see frame.h.
 *
 * The hard thing is to believe no number: a size is compared with the bytes that are there before
 * it is used, and every step over a TTHeader stays inside it. */
#include "frame.h"

#include "text.h"

enum {
    DETECT_SIZE    = 8,      /* bytes needed to tell one framing from another */
    SIZE_SIZE      = 4,      /* the size before a framed message or a TTHeader */
    VERSION        = 0x8001, /* first half of a strict Binary message */
    MAGIC          = 0x1000, /* TTHeader, at MAGIC_AT */
    MAGIC_AT       = 4,
    FLAGS_AT       = 6,
    SEQUENCE_AT    = 8,
    WORDS_AT       = 12, /* how many four-byte words follow up to the payload */
    WORDS_FROM     = 14, /* ... and where they begin */
    BLOCK_PADDING  = 0x00,
    BLOCK_STRINGS  = 0x01,
    BLOCK_NUMBERED = 0x10,
    BLOCK_TOKEN    = 0x11
};

static frugal_status read_bare(frugal_bytes input, struct frame *frame, frugal_error *error);
static frugal_status read_framed(frugal_bytes input, struct frame *frame, frugal_error *error);
static frugal_status read_ttheader(frugal_bytes input, struct frame *frame, frugal_error *error);
static frugal_status walk_ttheader(frugal_bytes header, FILE *out, frugal_error *error);

static uint16_t load16(const uint8_t *at)
{
    return (uint16_t)(at[0] << 8 | at[1]);
}

static uint32_t load32(const uint8_t *at)
{
    return (uint32_t)load16(at) << 16 | load16(at + 2);
}

static void store32(uint8_t *at, size_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> (24 - 8 * i));
}

static frugal_bytes part(frugal_bytes all, size_t from, size_t to)
{
    return (frugal_bytes){ all.ptr + from, to - from };
}

/* ---- reading -------------------------------------------------------------------------------- */

frugal_status frame_read(frugal_bytes input, struct frame *frame, frugal_error *error)
{
    if (input.len < DETECT_SIZE)
        return error_say(error, FRUGAL_FRAME, 0, "%zu bytes are too few for a message", input.len);
    if (load16(input.ptr + MAGIC_AT) == MAGIC)
        return read_ttheader(input, frame, error);
    if (load16(input.ptr) == VERSION)
        return read_bare(input, frame, error);
    if (load16(input.ptr + SIZE_SIZE) == VERSION)
        return read_framed(input, frame, error);
    return error_say(error, FRUGAL_FRAME, 0,
                     "neither TTHeader, framed, nor a bare message: %08x %08x",
                     (unsigned)load32(input.ptr), (unsigned)load32(input.ptr + 4));
}

/* No size stands anywhere, so the message is walked over: no description is needed for that. */
static frugal_status read_bare(frugal_bytes input, struct frame *frame, frugal_error *error)
{
    frugal_message envelope;
    size_t         body_at = 0, body_size = 0;
    frugal_status  status = frugal_message_read(input, NULL, &envelope, &body_at, error);
    if (status != FRUGAL_OK)
        return status;
    status =
        frugal_skip(part(input, body_at, input.len), FRUGAL_WIRE_STRUCT, NULL, &body_size, error);
    if (status != FRUGAL_OK) {
        error->offset += body_at;
        return status;
    }
    frame->framing = FRAMING_BARE;
    frame->size    = body_at + body_size;
    frame->header  = part(input, 0, 0);
    frame->message = part(input, 0, frame->size);
    return FRUGAL_OK;
}

static frugal_status read_framed(frugal_bytes input, struct frame *frame, frugal_error *error)
{
    size_t size = load32(input.ptr);
    size_t left = input.len - SIZE_SIZE;
    if (size > left)
        return error_say(error, FRUGAL_FRAME, 0, "a frame of %zu bytes, %zu are left", size, left);
    frame->framing = FRAMING_FRAMED;
    frame->size    = SIZE_SIZE + size;
    frame->header  = part(input, 0, SIZE_SIZE);
    frame->message = part(input, SIZE_SIZE, frame->size);
    return FRUGAL_OK;
}

static frugal_status read_ttheader(frugal_bytes input, struct frame *frame, frugal_error *error)
{
    size_t size = load32(input.ptr);
    size_t left = input.len - SIZE_SIZE;
    if (size > left)
        return error_say(error, FRUGAL_FRAME, 0, "a TTHeader message of %zu bytes, %zu are left",
                         size, left);
    size += SIZE_SIZE;
    if (size < WORDS_FROM)
        return error_say(error, FRUGAL_HEADER, 0, "%zu bytes are too few for a TTHeader", size);
    size_t payload_at = WORDS_FROM + (size_t)load16(input.ptr + WORDS_AT) * 4;
    if (payload_at > size)
        return error_say(error, FRUGAL_HEADER, WORDS_AT,
                         "the header ends %zu bytes behind its message", payload_at - size);
    frugal_status status = walk_ttheader(part(input, 0, payload_at), NULL, error);
    if (status != FRUGAL_OK)
        return status;

    frugal_bytes payload = part(input, payload_at, size);
    frame->framing       = FRAMING_TTHEADER;
    if (payload.len < DETECT_SIZE)
        return error_say(error, FRUGAL_FRAME, payload_at, "%zu bytes are too few for a message",
                         payload.len);
    if (load16(payload.ptr) != VERSION) {
        frame->framing = FRAMING_TTHEADER_FRAMED;
        if (load16(payload.ptr + SIZE_SIZE) != VERSION)
            return error_say(error, FRUGAL_FRAME, payload_at,
                             "neither framed nor a bare message: %08x %08x",
                             (unsigned)load32(payload.ptr), (unsigned)load32(payload.ptr + 4));
        if (load32(payload.ptr) != payload.len - SIZE_SIZE)
            return error_say(error, FRUGAL_FRAME, payload_at,
                             "the frame inside has %u bytes, %zu are left",
                             (unsigned)load32(payload.ptr), payload.len - SIZE_SIZE);
        payload_at += SIZE_SIZE;
    }
    frame->size    = size;
    frame->header  = part(input, 0, payload_at);
    frame->message = part(input, payload_at, size);
    return FRUGAL_OK;
}

/* ---- the keys and values of a TTHeader ------------------------------------------------------- */

/* Reads forward and never past the end: once `failed`, everything read is 0 or empty, so that the
 * caller looks once. */
struct cursor {
    frugal_bytes bytes;
    size_t       at;
    bool         failed;
};

static frugal_bytes take(struct cursor *cursor, size_t size)
{
    if (cursor->failed || size > cursor->bytes.len - cursor->at) {
        cursor->failed = true;
        return (frugal_bytes){ 0 };
    }
    cursor->at += size;
    return part(cursor->bytes, cursor->at - size, cursor->at);
}

static unsigned take8(struct cursor *cursor)
{
    frugal_bytes bytes = take(cursor, 1);
    return bytes.len ? bytes.ptr[0] : 0;
}

static unsigned take16(struct cursor *cursor)
{
    frugal_bytes bytes = take(cursor, 2);
    return bytes.len ? load16(bytes.ptr) : 0;
}

/* Count, then that many pairs: keys are texts, or numbers with a meaning of their own (9 is the
 * method, 6 the service that is called). `out` NULL: nobody wants to see them. */
static void walk_pairs(struct cursor *cursor, bool numbered, FILE *out)
{
    unsigned count = take16(cursor);
    for (unsigned i = 0; i < count && !cursor->failed; i++) {
        unsigned     size_or_number = take16(cursor);
        frugal_bytes key            = take(cursor, numbered ? 0 : size_or_number);
        frugal_bytes value          = take(cursor, take16(cursor));
        if (!out)
            continue;
        putc(' ', out);
        if (numbered)
            fprintf(out, "%u", size_or_number);
        text_print(out, key.ptr, key.len);
        putc('=', out);
        text_print(out, value.ptr, value.len);
    }
}

/* The same walk checks the header (`out` NULL) and prints it. */
static frugal_status walk_ttheader(frugal_bytes header, FILE *out, frugal_error *error)
{
    struct cursor cursor   = { .bytes = header, .at = WORDS_FROM };
    unsigned      protocol = take8(&cursor);
    if (protocol != 0)
        return error_say(error, FRUGAL_HEADER, WORDS_FROM,
                         "payload protocol %u is not Thrift Binary", protocol);
    take(&cursor, take8(&cursor)); /* transforms: known writers have none */
    while (!cursor.failed && cursor.at < header.len) {
        size_t   block_at = cursor.at;
        unsigned block    = take8(&cursor);
        if (block == BLOCK_STRINGS || block == BLOCK_NUMBERED)
            walk_pairs(&cursor, block == BLOCK_NUMBERED, out);
        else if (block == BLOCK_TOKEN)
            take(&cursor, take16(&cursor)); /* a secret: not shown */
        else if (block != BLOCK_PADDING)
            return error_say(error, FRUGAL_HEADER, block_at, "unknown kind of header block: %u",
                             block);
    }
    if (cursor.failed)
        return error_say(error, FRUGAL_HEADER, cursor.at, "the header ends inside a block");
    return FRUGAL_OK;
}

/* ---- printing and building ------------------------------------------------------------------ */

void frame_print(const struct frame *frame, FILE *out)
{
    static const char *const names[] = { "bare", "framed", "TTHeader", "TTHeader+framed" };
    const uint8_t           *header  = frame->header.ptr;
    fputs(names[frame->framing], out);
    if (frame->framing == FRAMING_BARE || frame->framing == FRAMING_FRAMED)
        return;
    fprintf(out, " flags 0x%04x sequence %d", load16(header + FLAGS_AT),
            (int)(int32_t)load32(header + SEQUENCE_AT));
    size_t payload_at = WORDS_FROM + (size_t)load16(header + WORDS_AT) * 4;
    walk_ttheader(part(frame->header, 0, payload_at), out, &(frugal_error){ 0 });
}

frugal_status frame_begin(const struct frame *frame, frugal_buf *out)
{
    return frugal_buf_append(out, frame->header.ptr, frame->header.len);
}

void frame_end(const struct frame *frame, frugal_buf *out, size_t start)
{
    size_t end = start + frame->header.len;
    if (frame->framing != FRAMING_BARE) /* the size in front of everything */
        store32(out->data + start, out->size - start - SIZE_SIZE);
    if (frame->framing == FRAMING_TTHEADER_FRAMED) /* and the one right before the message */
        store32(out->data + end - SIZE_SIZE, out->size - end);
}
