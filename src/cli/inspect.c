/* cli/inspect.c - any payload as text: what it is by all signs, then what is in it.
 *
 * The hard part is the guess. Eight bytes tell a message as Kitex would tell it, but a bare struct
 * may begin with the same: field 1 with the i32 1048576 looks like TTHeader. So a guess counts when
 * the whole of what it promises is there; only when nothing is whole is the likeliest taken, and
 * shown as far as it goes. */
#include "cli/inspect.h"

#include <stdio.h>
#include <string.h>

#include <frugal/message.h>

#include "core/bytes.h"
#include "core/status.h"

#define NAME_MAX_GUESSED 256 /* bytes of a method's name in an old envelope */
#define PREVIEW          16  /* bytes shown of what makes no sense */
#define FIELD_LEAST      4   /* bytes of the smallest field */

typedef struct inspection {
    raw_printer    printer;
    frame_reader   reader;
    frugal_bytes   input;
    inspect_fault *fault;
    void          *context;
    size_t         faults;
    size_t         messages;
} inspection;

/* ---- telling -------------------------------------------------------------------------------- */

/* The fault is a line of the text, too, whatever the bounds, and is told. */
static void tell(inspection *it, unsigned indent, const frugal_error *error)
{
    raw_printer *out = &it->printer;
    for (unsigned i = 0; i < indent; i++)
        raw_text(out, "    ");
    raw_format(out, "stops at byte %zu", error->offset);
    if (error->path[0])
        raw_format(out, ", at %s", error->path);
    raw_text(out, ": ");
    raw_text(out, error->message);
    raw_text(out, "\n");
    it->faults++;
    if (it->fault)
        it->fault(it->context, error);
}

static frugal_bytes part(frugal_bytes bytes, size_t from, size_t len)
{
    size_t left = bytes.len - from;
    return (frugal_bytes){ bytes.ptr + from, len < left ? len : left };
}

/* A few bytes at a place where nothing makes sense. */
static void show_bytes(inspection *it, unsigned indent, size_t offset)
{
    frugal_bytes bytes = part(it->input, offset, PREVIEW);
    if (bytes.len == 0 || !raw_line(&it->printer, indent))
        return;
    raw_format(&it->printer, "bytes from %zu on: ", offset);
    raw_hex(&it->printer, bytes);
    raw_text(&it->printer, bytes.len < it->input.len - offset ? " ...\n" : "\n");
}

/* ---- fields --------------------------------------------------------------------------------- */

/* The struct at the front of `bytes`, which are at `offset`; *used as raw_print. */
static bool show_fields(inspection *it, frugal_bytes bytes, size_t offset, unsigned indent,
                        size_t *used)
{
    frugal_error  error;
    frugal_status status = raw_print(&it->printer, bytes, indent, used, &error);
    if (status == FRUGAL_OK)
        return true;
    error.offset += offset;
    tell(it, indent, &error);
    return false;
}

static bool is_whole_struct(frugal_bytes bytes)
{
    size_t used;
    return frugal_skip(bytes, FRUGAL_WIRE_STRUCT, NULL, &used, NULL) == FRUGAL_OK
           && used == bytes.len;
}

static void show_struct(inspection *it, frugal_bytes bytes)
{
    size_t       used = 0;
    frugal_error error;
    if (raw_line(&it->printer, 0))
        raw_format(&it->printer, "struct, %zu byte%s\n", bytes.len, plural_s(bytes.len));
    if (!show_fields(it, bytes, 0, 1, &used)) {
        show_bytes(it, 1, used);
    } else if (used < bytes.len) {
        error_set(&error, FRUGAL_MALFORMED, "%zu byte%s behind the struct", bytes.len - used,
                  plural_s(bytes.len - used));
        error.offset = used;
        tell(it, 0, &error);
        show_bytes(it, 0, used);
    }
}

/* ---- headers -------------------------------------------------------------------------------- */

static const char *protocol_text(uint8_t protocol)
{
    switch (protocol) {
    case FRAME_PROTOCOL_BINARY: return "Thrift Binary";
    case FRAME_PROTOCOL_COMPACT_V2: return "Compact 2";
    case FRAME_PROTOCOL_PROTOBUF: return "Kitex protobuf";
    case FRAME_PROTOCOL_STRUCT: return "Thrift struct";
    case FRAME_PROTOCOL_PROTOBUF_STRUCT: return "protobuf struct";
    default: return "unknown";
    }
}

static void put_flags(raw_printer *out, unsigned flags)
{
    static const struct {
        unsigned    flag;
        const char *text;
    } known[] = {
        { FRAME_FLAG_OUT_OF_ORDER, "out of order" },
        { FRAME_FLAG_STREAMING, "streaming" },
        { FRAME_FLAG_DUPLEX, "duplex reverse" },
        { FRAME_FLAG_SASL, "SASL" },
    };
    raw_format(out, "flags 0x%04x", flags);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (flags & known[i].flag)
            raw_format(out, " (%s)", known[i].text);
}

static frugal_bytes bytes_of(frugal_str text)
{
    return (frugal_bytes){ (const uint8_t *)text.ptr, text.len };
}

static void put_item(raw_printer *out, const frame_info *info)
{
    const char *name = info->kind == FRAME_INFO_INT ? frame_key_name(info->number) : NULL;
    switch (info->kind) {
    case FRAME_INFO_INT:
        if (!info->empty)
            raw_format(out, "int %u%s%s%s", info->number, name ? " (" : "", name ? name : "",
                       name ? ")" : "");
        break;
    case FRAME_INFO_STR:
        if (!info->empty) {
            raw_text(out, "str ");
            raw_string(out, bytes_of(info->key));
        }
        break;
    case FRAME_INFO_ACL: raw_text(out, "acl"); break;
    case FRAME_INFO_PADDING:
        raw_format(out, "padding of %u byte%s\n", (unsigned)info->zeros, plural_s(info->zeros));
        return;
    }
    if (info->empty) {
        raw_format(out, "empty block of %s\n", info->kind == FRAME_INFO_INT ? "int" : "str");
        return;
    }
    raw_text(out, " = ");
    raw_string(out, bytes_of(info->value));
    raw_text(out, info->starts ? " (in a new block)\n" : "\n");
}

static void show_header(inspection *it, const frame_header *header)
{
    raw_printer      *out    = &it->printer;
    frame_info_cursor cursor = { 0 };
    frame_info        info;
    if (!raw_line(out, 1))
        return;
    if (header->mesh) {
        raw_text(out, "mesh header");
    } else {
        raw_text(out, "header: ");
        put_flags(out, header->flags);
        raw_format(out, ", seq %d, protocol %u (%s)", (int)header->sequence_id, header->protocol,
                   protocol_text(header->protocol));
    }
    if (header->transforms.len) {
        raw_text(out, ", transforms ");
        raw_hex(out, header->transforms);
    }
    raw_text(out, "\n");
    while (!out->failed && frame_info_next(header, &cursor, &info)) {
        if (!raw_line(out, 2))
            return;
        put_item(out, &info);
    }
}

/* ---- messages ------------------------------------------------------------------------------- */

static void put_envelope(raw_printer *out, const frugal_message *message, frugal_bytes body)
{
    static const char *const kinds[] = { "", "call", "reply", "exception", "oneway" };
    raw_format(out, "%s ", kinds[message->type]);
    raw_string(out, bytes_of(message->name));
    raw_format(out, ", seq %d", (int)message->sequence_id);
    if (message->old)
        raw_text(out, ", old envelope");
    if (message->reserved)
        raw_format(out, ", reserved byte 0x%02x", message->reserved);
    frugal_application_exception exception;
    if (message->type == FRUGAL_MESSAGE_EXCEPTION
        && frugal_application_exception_read(body, NULL, &exception, NULL, NULL) == FRUGAL_OK)
        raw_format(out, ": application exception %d, %s", (int)exception.type,
                   frugal_application_exception_text(exception.type));
    raw_text(out, "\n");
}

/* Envelope and fields; false with the fault told. */
static bool show_call(inspection *it, const frame_message *frame, size_t *used)
{
    frugal_message message;
    frugal_error   error;
    size_t         head = 0, fields = 0;
    if (frugal_message_read(frame->payload, NULL, &message, &head, &error) != FRUGAL_OK) {
        error.offset += frame->payload_offset;
        tell(it, 1, &error);
        show_bytes(it, 1, frame->payload_offset);
        return false;
    }
    frugal_bytes body = part(frame->payload, head, SIZE_MAX);
    if (raw_line(&it->printer, 1))
        put_envelope(&it->printer, &message, body);
    bool fine = show_fields(it, body, frame->payload_offset + head, 2, &fields);
    if (!fine)
        show_bytes(it, 2, frame->payload_offset + head + fields);
    *used = head + fields;
    return fine;
}

/* A payload that is no message we can take apart; true when it was one of these. */
static bool show_strange(inspection *it, const frame_message *frame)
{
    raw_printer *out = &it->printer;
    frame_look   look;
    switch (frame->content) {
    case FRAME_PAYLOAD_NONE:
        if (raw_line(out, 1))
            raw_text(out, "no payload\n");
        return true;
    case FRAME_PAYLOAD_PROTOBUF:
        if (raw_line(out, 1)) {
            raw_format(out, "Kitex protobuf, %zu bytes: ", frame->payload.len);
            raw_hex(out, frame->payload);
            raw_text(out, "\n");
        }
        return true;
    case FRAME_PAYLOAD_BINARY:
    case FRAME_PAYLOAD_STRUCT: return false;
    case FRAME_PAYLOAD_OTHER: break;
    }
    look = frame_detect(frame->payload);
    if (look != FRAME_LOOK_COMPACT && look != FRAME_LOOK_TJSON)
        return false;
    frugal_error error;
    error_set(&error, FRUGAL_FRAME, "this looks like %s, which is not shown",
              frame_look_text(look));
    error.offset = frame->payload_offset;
    tell(it, 1, &error);
    return true;
}

/* Whether the payload is to be taken for a struct without an envelope. */
static bool is_bare(const frame_message *frame)
{
    if (frame->content == FRAME_PAYLOAD_STRUCT)
        return frame->header.protocol == FRAME_PROTOCOL_STRUCT;
    return frame->content == FRAME_PAYLOAD_OTHER
           && frugal_message_read(frame->payload, NULL, &(frugal_message){ 0 }, NULL, NULL)
           && is_whole_struct(frame->payload);
}

/* The payload; what is behind its struct is a fault when all of it is there. */
static void show_payload(inspection *it, const frame_message *frame, bool whole)
{
    frugal_error error;
    size_t       used = 0;
    bool         fine;
    if (whole && show_strange(it, frame))
        return;
    if (frame->content == FRAME_PAYLOAD_STRUCT && !is_bare(frame)) {
        if (raw_line(&it->printer, 1)) {
            raw_text(&it->printer, "protobuf struct: ");
            raw_hex(&it->printer, frame->payload);
            raw_text(&it->printer, "\n");
        }
        return;
    }
    if (is_bare(frame)) {
        if (raw_line(&it->printer, 1))
            raw_text(&it->printer, "struct without an envelope\n");
        fine = show_fields(it, frame->payload, frame->payload_offset, 2, &used);
    } else {
        fine = show_call(it, frame, &used);
    }
    if (whole && fine && frame_check_used(frame, used, &error) != FRUGAL_OK) {
        tell(it, 1, &error);
        show_bytes(it, 1, frame->payload_offset + used);
    }
}

static bool has_header(frame_framing framing)
{
    return framing != FRAME_BUFFERED && framing != FRAME_FRAMED && framing != FRAME_AUTO;
}

/* `state` is "" for a message that is whole and well. */
static void show_title(inspection *it, const frame_message *frame, const char *state)
{
    if (raw_line(&it->printer, 0))
        raw_format(&it->printer, "message %zu: %s, %zu bytes from byte %zu%s\n", it->messages,
                   frame_framing_name(frame->framing), frame->bytes.len, frame->offset, state);
    if (has_header(frame->framing) && (frame->header.blocks.len || *state == '\0'))
        show_header(it, &frame->header);
}

/* What there is of a message that is not whole or not well. `error` says why, in general; a fault
 * inside says it better, with a path. */
static void show_rest(inspection *it, frugal_bytes rest, const frugal_error *error)
{
    frame_message frame;
    size_t        before = it->faults;
    frame_peek(&it->reader, rest, &frame);
    if (frame.framing == FRAME_AUTO) {
        it->messages--;
        tell(it, 0, error);
        show_bytes(it, 0, frame.offset);
        return;
    }
    bool cut = error->status == FRUGAL_TRUNCATED || error->status == FRUGAL_SIZE;
    show_title(it, &frame, cut ? ", not whole" : ", broken");
    bool inside = error->status == FRUGAL_TRUNCATED || frame.framing == FRAME_BUFFERED
                  || frame.framing == FRAME_MESH;
    frame.content = FRAME_PAYLOAD_BINARY;
    if (inside && frame.payload.len)
        show_payload(it, &frame, false);
    if (it->faults == before) {
        tell(it, 1, error);
        if (!inside || frame.payload.len == 0)
            show_bytes(it, 1, error->offset);
    }
}

static void show_messages(inspection *it, frame_framing framing)
{
    frame_options options = { .framing     = framing,
                              .message_max = INT32_MAX,
                              .header_max  = FRAME_TTHEADER_MAX,
                              .info_max    = UINT32_MAX };
    frugal_error  error;
    frame_message frame;
    size_t        at = 0, need = 0;
    frame_reader_init(&it->reader, &options, NULL);
    while (at < it->input.len && it->faults < INSPECT_FAULTS_MAX && !it->printer.failed) {
        frugal_bytes rest = part(it->input, at, SIZE_MAX);
        it->messages++;
        frugal_status status = frame_read(&it->reader, rest, &frame, &need, &error);
        if (status == FRUGAL_OK && need)
            status = frame_read_end(&it->reader, rest, &error);
        if (status != FRUGAL_OK) {
            show_rest(it, rest, &error);
            return;
        }
        show_title(it, &frame, "");
        show_payload(it, &frame, true);
        at += frame.bytes.len;
    }
}

/* ---- guessing ------------------------------------------------------------------------------- */

typedef enum guess { GUESS_MESSAGES, GUESS_STRUCT, GUESS_STRANGE } guess;

/* Whether the first message is whole and well when all are framed so. */
static bool begins_with(frugal_bytes input, frame_framing framing)
{
    frame_options options = { .framing       = framing,
                              .message_max   = INT32_MAX,
                              .header_max    = FRAME_TTHEADER_MAX,
                              .info_max      = UINT32_MAX,
                              .check_content = true };
    frame_reader  reader;
    frame_message frame;
    size_t        need = 0;
    return frame_reader_init(&reader, &options, NULL) == FRUGAL_OK
           && frame_read(&reader, input, &frame, &need, NULL) == FRUGAL_OK && need == 0;
}

/* An envelope of the old form, with a name that somebody might have given to a method. */
static bool is_old(frugal_bytes bytes)
{
    frugal_message message;
    if (frugal_message_read(bytes, NULL, &message, NULL, NULL) != FRUGAL_OK || !message.old
        || message.name.len == 0 || message.name.len > NAME_MAX_GUESSED)
        return false;
    for (size_t i = 0; i < message.name.len; i++)
        if (message.name.ptr[i] <= ' ' || message.name.ptr[i] > '~')
            return false;
    return true;
}

/* What a frame holds, when the input begins with one; else nothing. */
static frugal_bytes framed(frugal_bytes input)
{
    if (input.len <= 4 || load_be32(input.ptr) == 0 || load_be32(input.ptr) > input.len - 4)
        return (frugal_bytes){ input.ptr, 0 };
    return part(input, 4, load_be32(input.ptr));
}

static bool put_nothing(void *context, const void *bytes, size_t size)
{
    (void)context;
    (void)bytes;
    (void)size;
    return true;
}

/* A field, at least, makes sense before something does not. */
static bool is_part_of_struct(frugal_bytes input)
{
    raw_printer printer;
    size_t      used = 0;
    raw_init(&printer, &(raw_options){ .lines_max = 8 }, put_nothing, NULL);
    raw_print(&printer, input, 0, &used, NULL);
    return used >= FIELD_LEAST;
}

static bool is_framing(frame_look look)
{
    return look >= FRAME_LOOK_BUFFERED && look <= FRAME_LOOK_MESH;
}

static guess make_guess(frugal_bytes input, frame_framing *framing)
{
    frame_look   look  = frame_detect(input);
    frugal_bytes inner = framed(input);
    *framing           = FRAME_AUTO;
    if (is_framing(look) && begins_with(input, FRAME_AUTO))
        return GUESS_MESSAGES;
    if (is_whole_struct(input))
        return GUESS_STRUCT;
    if (is_framing(look))
        return GUESS_MESSAGES;
    if (is_old(input)) {
        *framing = FRAME_BUFFERED;
        return GUESS_MESSAGES;
    }
    if (inner.len && (is_old(inner) || is_whole_struct(inner))) {
        *framing = FRAME_FRAMED;
        return GUESS_MESSAGES;
    }
    if (look != FRAME_LOOK_MORE && look != FRAME_LOOK_UNKNOWN)
        return GUESS_STRANGE;
    return is_part_of_struct(input) ? GUESS_STRUCT : GUESS_STRANGE;
}

static void show_unknown(inspection *it)
{
    frugal_error error;
    frame_look   look = frame_detect(it->input);
    if (look == FRAME_LOOK_MORE || look == FRAME_LOOK_UNKNOWN)
        error_set(&error, FRUGAL_FRAME, "nothing that we know begins here");
    else
        error_set(&error, FRUGAL_FRAME, "this looks like %s, which is not shown",
                  frame_look_text(look));
    tell(it, 0, &error);
    show_bytes(it, 0, 0);
}

size_t inspect(frugal_bytes input, const inspect_options *options, raw_put *put,
               inspect_fault *fault, void *context)
{
    inspection    it      = { .input = input, .fault = fault, .context = context };
    frame_framing framing = options->framing;
    guess         is      = options->bare ? GUESS_STRUCT : GUESS_MESSAGES;
    raw_init(&it.printer, &options->raw, put, context);
    if (input.len == 0) {
        raw_text(&it.printer, "empty\n");
        return 0;
    }
    if (!options->bare && framing == FRAME_AUTO)
        is = make_guess(input, &framing);
    switch (is) {
    case GUESS_MESSAGES: show_messages(&it, framing); break;
    case GUESS_STRUCT: show_struct(&it, input); break;
    case GUESS_STRANGE: show_unknown(&it); break;
    }
    if (it.printer.lines == 0 && is == GUESS_MESSAGES)
        raw_format(&it.printer, "%zu message%s in all\n", it.messages, plural_s(it.messages));
    if (it.printer.hidden)
        raw_text(&it.printer, "(some of it is left out; --all shows all)\n");
    return it.faults;
}
