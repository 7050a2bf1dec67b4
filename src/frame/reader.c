/* frame/reader.c - the stream: bytes cut anywhere in, whole messages out.
 *
 * Nothing is remembered of bytes that were looked at, but for three things: how far the walk
 * through a buffered message is, that a header was found good, and the offset in the stream. The
 * rest, a few lengths, is read again at each call; that is cheaper than a state for each place
 * where a message may be cut, and there is no such state to get wrong. */
#include <assert.h>

#include "frame/parts.h"

/* ---- options -------------------------------------------------------------------------------- */

static frugal_status check_options(const frame_options *options, frugal_error *error)
{
    if ((int)options->framing < FRAME_AUTO || (int)options->framing > FRAME_MESH_FRAMED)
        return error_set(error, FRUGAL_INVALID, "unknown framing %d", (int)options->framing);
    if (options->message_max > INT32_MAX)
        return error_set(error, FRUGAL_INVALID, "message_max is above 2147483647");
    if (options->depth_max > FRUGAL_DEPTH_MAX)
        return error_set(error, FRUGAL_INVALID, "depth_max is above %d", FRUGAL_DEPTH_MAX);
    if (options->depth_max > FRAME_DEPTH_MAX && options->levels == NULL)
        return error_set(error, FRUGAL_INVALID, "depth_max is above %d and levels is NULL",
                         FRAME_DEPTH_MAX);
    return FRUGAL_OK;
}

frugal_status frame_reader_init(frame_reader *reader, const frame_options *options,
                                frugal_error *error)
{
    static const frame_options defaults;
    if (options == NULL)
        options = &defaults;
    frugal_status status = check_options(options, error);
    if (status != FRUGAL_OK)
        return status;
    reader->options        = *options;
    frame_options *o       = &reader->options;
    o->message_max         = o->message_max ? o->message_max : FRAME_MESSAGE_MAX;
    o->header_max          = o->header_max ? o->header_max : FRAME_HEADER_MAX;
    o->info_max            = o->info_max ? o->info_max : FRAME_INFO_MAX;
    o->depth_max           = o->depth_max ? o->depth_max : FRUGAL_DEPTH_DEFAULT;
    reader->offset         = 0;
    reader->header_checked = false;
    reader->skipper        = (frame_skipper){ 0, 0, false };
    return FRUGAL_OK;
}

/* ---- one message ---------------------------------------------------------------------------- */

/* A message on its way through the layers. Sizes and places are from its first byte. */
typedef struct reading {
    frame_reader *reader;
    frugal_bytes  input;
    frame_message message;
    size_t        need;    /* bytes short; 0: goes on */
    size_t        at;      /* where the next layer begins */
    size_t        size;    /* of that layer; SIZE_MAX where nothing says it */
    frame_framing framing; /* as far as it is known */
    bool          walked;  /* the payload begins at `at` and is being walked through */
    frugal_error *error;
} reading;

static frugal_bytes rest_of(const reading *r)
{
    return (frugal_bytes){ r->input.ptr + r->at, r->input.len - r->at };
}

/* Whether there are `size` bytes from the front; else r->need. */
static bool has(reading *r, size_t size)
{
    if (r->input.len >= size)
        return true;
    r->need = size - r->input.len;
    return false;
}

/* The words that decide, as Kitex prints them, and what else they might be. */
static frugal_status refuse(const reading *r, frame_look look)
{
    const uint8_t *p    = r->input.ptr + r->at;
    const char    *what = look == FRAME_LOOK_UNKNOWN ? "" : frame_look_text(look);
    return frame_place(r->error, r->at,
                       error_set(r->error, FRUGAL_FRAME,
                                 "invalid payload (first4Bytes=%#x, second4Bytes=%#x)%s%s",
                                 load_be32(p), load_be32(p + 4), *what ? ": this is " : "", what));
}

/* The payload is what is at r->at; it has r->size bytes. */
static frugal_status take_payload(reading *r, frame_framing framing, frame_payload content)
{
    assert(r->size <= r->input.len - r->at);
    frame_message *message  = &r->message;
    message->framing        = framing;
    message->content        = content;
    message->offset         = r->reader->offset;
    message->payload_offset = r->reader->offset + r->at;
    message->bytes          = (frugal_bytes){ r->input.ptr, r->at + r->size };
    message->payload        = (frugal_bytes){ r->input.ptr + r->at, r->size };
    return FRUGAL_OK;
}

/* The same where nothing says how long it is. */
static frugal_status take_unsized(reading *r, frame_framing framing)
{
    r->walked            = true;
    r->framing           = framing;
    frugal_status status = frame_pass_message(r->reader, rest_of(r), &r->need, r->error);
    if (status != FRUGAL_OK)
        return frame_shift(r->error, r->at, status);
    if (r->need)
        return FRUGAL_OK;
    r->size        = r->reader->skipper.at;
    bool is_strict = load_be16(r->input.ptr + r->at) == MAGIC_BINARY;
    return take_payload(r, framing, is_strict ? FRAME_PAYLOAD_BINARY : FRAME_PAYLOAD_OTHER);
}

static frame_framing with_frame(frame_framing framing)
{
    switch (framing) {
    case FRAME_TTHEADER: return FRAME_TTHEADER_FRAMED;
    case FRAME_MESH: return FRAME_MESH_FRAMED;
    default: return FRAME_FRAMED;
    }
}

static bool has_frame(frame_framing framing)
{
    return framing == FRAME_FRAMED || framing == FRAME_TTHEADER_FRAMED
           || framing == FRAME_MESH_FRAMED;
}

static bool is_streaming(uint8_t protocol)
{
    return protocol == FRAME_PROTOCOL_STRUCT || protocol == FRAME_PROTOCOL_PROTOBUF_STRUCT;
}

/* What the payload is, when it is there; it has a size. */
static frugal_status take_sized(reading *r, frame_framing framing)
{
    const frame_header *header  = &r->message.header;
    frame_payload       content = FRAME_PAYLOAD_OTHER;
    if (!has(r, r->at + r->size))
        return FRUGAL_OK;
    unsigned first = r->size < 2 ? 0 : load_be16(r->input.ptr + r->at);
    if (r->size == 0)
        content = FRAME_PAYLOAD_NONE;
    else if (first == MAGIC_BINARY)
        content = FRAME_PAYLOAD_BINARY;
    else if (framing == FRAME_TTHEADER && is_streaming(header->protocol))
        content = FRAME_PAYLOAD_STRUCT;
    else if (first == MAGIC_PROTOBUF && has_frame(framing))
        content = FRAME_PAYLOAD_PROTOBUF;
    return take_payload(r, framing, content);
}

/* A length and so many bytes. `outer`: what the frame is in, FRAME_AUTO for nothing. */
static frugal_status take_frame(reading *r, frame_framing outer)
{
    size_t limit = r->reader->options.message_max;
    r->framing   = with_frame(outer);
    if (!has(r, r->at + FRAME_LENGTH))
        return FRUGAL_OK;
    uint32_t length = load_be32(r->input.ptr + r->at);
    if (length > INT32_MAX)
        return frame_place(
            r->error, r->at,
            error_set(r->error, FRUGAL_NEGATIVE, "negative size: %d", (int32_t)length));
    if (r->size != SIZE_MAX && (uint64_t)length + FRAME_LENGTH != r->size)
        return frame_place(r->error, r->at,
                           error_set(r->error, FRUGAL_FRAME,
                                     "a frame of %u bytes in a payload of %zu", length, r->size));
    if (length > limit)
        return frame_too_large(r->error, r->at, length, limit);
    if (length == 0 && outer != FRAME_TTHEADER)
        return frame_place(r->error, r->at, error_set(r->error, FRUGAL_FRAME, "an empty frame"));
    r->at += FRAME_LENGTH;
    r->size = length;
    return take_sized(r, with_frame(outer));
}

/* Behind a TTHeader, less than what decides: a header alone, with or without an empty frame, or the
 * smallest of structs. */
static frugal_status take_short(reading *r)
{
    if (!has(r, r->at + r->size))
        return FRUGAL_OK;
    if (r->size == 0 || is_streaming(r->message.header.protocol))
        return take_sized(r, FRAME_TTHEADER);
    if (r->size == FRAME_LENGTH && load_be32(r->input.ptr + r->at) == 0)
        return take_frame(r, FRAME_TTHEADER);
    return frame_place(r->error, r->at,
                       error_set(r->error, FRUGAL_FRAME,
                                 "a payload of %zu byte%s is too short for a message", r->size,
                                 plural_s(r->size)));
}

/* What is behind a header, from its first eight bytes; anything where the options name it. */
static frugal_status take_inner(reading *r, frame_framing framing)
{
    frame_framing named    = r->reader->options.framing;
    bool          is_sized = r->size != SIZE_MAX;
    if (named == with_frame(framing))
        return take_frame(r, framing);
    if (named == framing)
        return is_sized ? take_sized(r, framing) : take_unsized(r, framing);
    if (r->size < FRAME_LOOK_SIZE)
        return take_short(r);
    if (r->input.len < r->at + FRAME_LOOK_SIZE) {
        has(r, r->at + (is_sized ? r->size : FRAME_LOOK_SIZE));
        return FRUGAL_OK;
    }
    const uint8_t *p = r->input.ptr + r->at;
    if (load_be16(p) == MAGIC_BINARY)
        return is_sized ? take_sized(r, framing) : take_unsized(r, framing);
    bool framed = load_be16(p + 4) == MAGIC_BINARY || load_be16(p + 4) == MAGIC_PROTOBUF;
    if (is_streaming(r->message.header.protocol)
        && !(framed && (uint64_t)load_be32(p) + FRAME_LENGTH == r->size))
        return take_sized(r, framing);
    return framed ? take_frame(r, framing) : refuse(r, frame_detect(rest_of(r)));
}

static frugal_status take_header(reading *r, frame_framing framing)
{
    bool   mesh = framing == FRAME_MESH;
    size_t size = 0;
    r->framing  = framing;
    if (!has(r, mesh ? MESH_FIXED : TTHEADER_FIXED))
        return FRUGAL_OK;
    frugal_status status = (mesh ? frame_read_mesh : frame_read_ttheader)(
        r->reader, r->input, &r->message.header, &size, &r->size, r->error);
    if (status != FRUGAL_OK)
        return status;
    if (r->input.len < size) {
        has(r, r->size == SIZE_MAX ? size : size + r->size);
        return FRUGAL_OK;
    }
    r->at = size;
    return take_inner(r, framing);
}

/* ---- which one ------------------------------------------------------------------------------ */

/* "not TTHeader protocol" and the like, where the options name a header that is not there. */
static frugal_status check_magic(reading *r, bool mesh)
{
    const uint8_t *p = r->input.ptr;
    if (!has(r, FRAME_LOOK_SIZE)
        || load_be16(p + (mesh ? 0 : 4)) == (mesh ? MAGIC_MESH : MAGIC_TTHEADER))
        return FRUGAL_OK;
    return frame_place(r->error, mesh ? 0 : 4,
                       error_set(r->error, FRUGAL_FRAME,
                                 "not %s protocol (first4Bytes=%#010x, second4Bytes=%#010x)",
                                 mesh ? "MeshHeader" : "TTHeader", load_be32(p), load_be32(p + 4)));
}

static frugal_status take_named(reading *r, frame_framing framing)
{
    bool mesh = framing == FRAME_MESH || framing == FRAME_MESH_FRAMED;
    if (framing == FRAME_BUFFERED)
        return take_unsized(r, FRAME_BUFFERED);
    if (framing == FRAME_FRAMED)
        return take_frame(r, FRAME_AUTO);
    frugal_status status = check_magic(r, mesh);
    if (status != FRUGAL_OK || r->need)
        return status;
    return take_header(r, mesh ? FRAME_MESH : FRAME_TTHEADER);
}

static frugal_status take_detected(reading *r)
{
    frame_look look = frame_detect(r->input);
    switch (look) {
    case FRAME_LOOK_MORE: has(r, FRAME_LOOK_SIZE); return FRUGAL_OK;
    case FRAME_LOOK_BUFFERED: return take_unsized(r, FRAME_BUFFERED);
    case FRAME_LOOK_FRAMED:
    case FRAME_LOOK_PROTOBUF: return take_frame(r, FRAME_AUTO);
    case FRAME_LOOK_TTHEADER: return take_header(r, FRAME_TTHEADER);
    case FRAME_LOOK_MESH: return take_header(r, FRAME_MESH);
    default: return refuse(r, look);
    }
}

/* ---- content -------------------------------------------------------------------------------- */

frugal_status frame_check_used(const frame_message *message, size_t used, frugal_error *error)
{
    size_t size = message->payload.len;
    if (used == size)
        return FRUGAL_OK;
    return frame_place(error, message->payload_offset + used,
                       error_set(error, FRUGAL_FRAME,
                                 "%zu byte%s behind the message in a frame of %zu", size - used,
                                 plural_s(size - used), size));
}

/* Offsets are of the stream. */
static frugal_status check_content(const frame_reader *reader, const frame_message *message,
                                   frugal_error *error)
{
    frugal_decode_options skip   = { .depth_max = reader->options.depth_max };
    size_t                used   = 0;
    frugal_status         status = FRUGAL_OK;
    switch (message->content) {
    case FRAME_PAYLOAD_PROTOBUF:
    case FRAME_PAYLOAD_NONE: return FRUGAL_OK;
    case FRAME_PAYLOAD_STRUCT:
        if (message->header.protocol != FRAME_PROTOCOL_STRUCT)
            return FRUGAL_OK;
        status = frugal_skip(message->payload, FRUGAL_WIRE_STRUCT, &skip, &used, error);
        break;
    case FRAME_PAYLOAD_BINARY:
    case FRAME_PAYLOAD_OTHER:
        status = frame_pass_whole(reader, message->payload, &used, error);
        break;
    }
    if (status != FRUGAL_OK)
        return frame_shift(error, message->payload_offset, status);
    return frame_check_used(message, used, error);
}

/* ---- doors ---------------------------------------------------------------------------------- */

/* One look at the bytes: r->need, or r->message, or an error with its offset in the stream. */
static frugal_status look(reading *r)
{
    frame_framing named  = r->reader->options.framing;
    frugal_status status = named == FRAME_AUTO ? take_detected(r) : take_named(r, named);
    if (status != FRUGAL_OK)
        return frame_shift(r->error, r->reader->offset, status);
    if (r->need == 0 && !r->walked && r->reader->options.check_content)
        status = check_content(r->reader, &r->message, r->error);
    return status;
}

frugal_status frame_read(frame_reader *reader, frugal_bytes input, frame_message *message,
                         size_t *need, frugal_error *error)
{
    reading       r      = { .reader = reader, .input = input, .size = SIZE_MAX, .error = error };
    frugal_status status = look(&r);
    if (status != FRUGAL_OK)
        return status;
    *need = r.need;
    if (r.need)
        return FRUGAL_OK;
    assert(r.message.bytes.len > 0 && r.message.bytes.len <= input.len);
    *message = r.message;
    reader->offset += r.message.bytes.len;
    reader->header_checked = false;
    reader->skipper        = (frame_skipper){ 0, 0, false };
    return FRUGAL_OK;
}

/* Less than what decides: a few letters are worth a better answer than "short". */
static bool is_word(frugal_bytes input)
{
    for (size_t i = 0; i < input.len; i++)
        if ((input.ptr[i] < 0x20 || input.ptr[i] > 0x7E) && input.ptr[i] != '\r'
            && input.ptr[i] != '\n')
            return false;
    return input.len < FRAME_LOOK_SIZE;
}

frugal_status frame_read_end(frame_reader *reader, frugal_bytes input, frugal_error *error)
{
    if (input.len == 0)
        return FRUGAL_OK;
    if (reader->options.framing == FRAME_AUTO && is_word(input))
        return frame_place(error, reader->offset,
                           error_set(error, FRUGAL_FRAME, "invalid payload: this is text"));
    reading       r      = { .reader = reader, .input = input, .size = SIZE_MAX, .error = error };
    frugal_status status = look(&r);
    if (status != FRUGAL_OK || r.need == 0)
        return status;
    if (r.walked) {
        /* Not all there, said the walk; wire says what is missing, and where. */
        size_t used;
        status = frame_pass_whole(reader, rest_of(&r), &used, error);
        assert(status != FRUGAL_OK);
        return frame_shift(error, reader->offset + r.at, status);
    }
    return frame_place(error, reader->offset,
                       error_set(error, FRUGAL_TRUNCATED, "unexpected EOF: %zu byte%s short",
                                 r.need, plural_s(r.need)));
}

void frame_peek(const frame_reader *reader, frugal_bytes input, frame_message *message)
{
    frame_reader loose          = *reader;
    loose.options.message_max   = INT32_MAX;
    loose.options.header_max    = FRAME_TTHEADER_MAX;
    loose.options.info_max      = UINT32_MAX;
    loose.options.check_content = false;
    loose.options.levels        = NULL; /* the walk of the reader itself stays where it is */
    loose.options.depth_max     = FRAME_DEPTH_MAX;
    loose.header_checked        = false;
    loose.skipper               = (frame_skipper){ 0, 0, false };

    reading r = { .reader = &loose, .input = input, .size = SIZE_MAX };
    (void)look(&r);
    frugal_bytes rest       = rest_of(&r);
    bool         no_payload = r.framing == FRAME_AUTO || (r.at == 0 && r.framing != FRAME_BUFFERED);
    if (no_payload)
        rest.len = 0;
    *message                = r.message;
    message->framing        = r.framing;
    message->offset         = reader->offset;
    message->payload_offset = reader->offset + r.at;
    message->bytes          = input;
    message->payload        = (frugal_bytes){ rest.ptr, rest.len < r.size ? rest.len : r.size };
}
