/* cli/stream.c - the messages of an input, one after the other.
 *
 * The frame room finds Binary messages by their strict envelope. An old one has nothing to be known
 * by, so for the command, which sees the whole input, one rule more: a name of printable letters
 * with its length in front and a type behind it is an old envelope. */
#include "cli/convert.h"
#include "core/status.h"

#define OLD_NAME_MAX 1024

void convert_stream_init(convert_stream *stream, const convert *c, frugal_bytes input)
{
    static const uint8_t nothing[1];
    *stream = (convert_stream){ .input   = input.ptr ? input : (frugal_bytes){ nothing, 0 },
                                .options = { .framing     = c->framing,
                                             .message_max = INT32_MAX,
                                             .header_max  = FRAME_TTHEADER_MAX,
                                             .info_max    = FRAME_TTHEADER_MAX } };
}

/* ---- old envelopes -------------------------------------------------------------------------- */

static bool is_old(frugal_bytes bytes)
{
    frugal_message message;
    if (frugal_message_read(bytes, NULL, &message, NULL, NULL) || !message.old
        || message.name.len == 0 || message.name.len > OLD_NAME_MAX)
        return false;
    for (size_t i = 0; i < message.name.len; i++) {
        if (message.name.ptr[i] <= ' ' || message.name.ptr[i] >= 0x7F)
            return false;
    }
    return true;
}

/* The framing that has to be named for the reader, or AUTO. */
static frame_framing old_framing(frugal_bytes rest)
{
    if (frame_detect(rest) != FRAME_LOOK_UNKNOWN)
        return FRAME_AUTO;
    if (is_old(rest))
        return FRAME_BUFFERED;
    if (rest.len > 4 && load_be32(rest.ptr) <= rest.len - 4
        && is_old((frugal_bytes){ rest.ptr + 4, rest.len - 4 }))
        return FRAME_FRAMED;
    return FRAME_AUTO;
}

/* ---- the next ------------------------------------------------------------------------------- */

frugal_status convert_stream_next(convert_stream *stream, frame_message *frame, bool *more,
                                  frugal_error *error)
{
    frugal_bytes  rest    = { stream->input.ptr + stream->at, stream->input.len - stream->at };
    frame_options options = stream->options;
    frame_reader  reader;
    size_t        need = 0;
    *more              = rest.len > 0;
    if (rest.len == 0)
        return FRUGAL_OK;
    if (options.framing == FRAME_AUTO)
        options.framing = old_framing(rest);
    /* All bytes are there, so each message may have a reader of its own. */
    frugal_status status = frame_reader_init(&reader, &options, error);
    reader.offset        = stream->at;
    if (status == FRUGAL_OK)
        status = frame_read(&reader, rest, frame, &need, error);
    if (status == FRUGAL_OK && need)
        status = frame_read_end(&reader, rest, error);
    if (status == FRUGAL_OK)
        stream->at += frame->bytes.len;
    return status;
}
