/* cli/message_out.c - bytes to JSON: a struct, or a message with what is around it.
 *
 *   {"framing": "ttheader", "method": "echo", "kind": "call", "seq": 7,
 *    "header": {"flags": 0, "seq": 7, "protocol": 0, "info": [["int", 6, "a.b.c"]]},
 *    "args": {…}}
 *
 * Whatever encode needs to make the same bytes again is there; what is not as usual (an old
 * envelope, a block of info that is empty) is written only then. */
#include "cli/convert.h"
#include "cli/pen.h"
#include "cli/raw.h"
#include "core/status.h"

/* ---- structs -------------------------------------------------------------------------------- */

static frugal_status decode_record(convert *c, const frugal_struct *type, frugal_bytes input,
                                   size_t *used, frugal_view *view, frugal_error *error)
{
    void *record = frugal_arena_alloc(c->arena, type->size, type->align);
    if (record == NULL)
        return error_set(error, FRUGAL_NOMEM, "no memory for a %s", type->name);
    *view = (frugal_view){ type, record };
    return frugal_decode((frugal_ref){ type, record }, input, c->arena, &c->decode, used, error);
}

frugal_status convert_struct_out(convert *c, const frugal_struct *type, frugal_bytes input,
                                 size_t *used, frugal_buf *out, frugal_error *error)
{
    frugal_view   record;
    frugal_status status = decode_record(c, type, input, used, &record, error);
    return status ? status : frugal_json_write(record, &c->write, out, error);
}

/* ---- the header ----------------------------------------------------------------------------- */

/* ["int", 6, "a.b.c"], ["str", "isn", "Echo"], ["acl", "token"]; and, where a writer did what none
 * has to: ["int"] and ["str"] for a block without pairs, ["block"] before a pair that begins a new
 * block though the last was of its kind, ["padding", 4] for zeros that nobody needs. */
static void put_info(pen *p, const frame_info *info)
{
    if (info->starts && !info->empty) {
        pen_open_flat(p, '[');
        pen_string(p, FRUGAL_STR("block"));
        pen_close(p, ']');
    }
    pen_open_flat(p, '[');
    switch (info->kind) {
    case FRAME_INFO_INT:
        pen_string(p, FRUGAL_STR("int"));
        if (!info->empty)
            pen_number(p, info->number);
        break;
    case FRAME_INFO_STR:
        pen_string(p, FRUGAL_STR("str"));
        if (!info->empty)
            pen_string(p, info->key);
        break;
    case FRAME_INFO_ACL: pen_string(p, FRUGAL_STR("acl")); break;
    case FRAME_INFO_PADDING:
        pen_string(p, FRUGAL_STR("padding"));
        pen_number(p, info->zeros);
        break;
    }
    if (info->kind != FRAME_INFO_PADDING && !info->empty)
        pen_string(p, info->value);
    pen_close(p, ']');
}

static void put_header(pen *p, const frame_header *header)
{
    frame_info_cursor cursor = { 0 };
    frame_info        info;
    pen_key(p, "header");
    pen_open(p, '{');
    if (!header->mesh) {
        pen_key(p, "flags");
        pen_number(p, header->flags);
        pen_key(p, "seq");
        pen_number(p, header->sequence_id);
        pen_key(p, "protocol");
        pen_number(p, header->protocol);
    }
    if (header->transforms.len) {
        pen_key(p, "transforms");
        pen_open_flat(p, '[');
        for (size_t i = 0; i < header->transforms.len; i++)
            pen_number(p, header->transforms.ptr[i]);
        pen_close(p, ']');
    }
    pen_key(p, "info");
    pen_open(p, '[');
    while (p->status == FRUGAL_OK && frame_info_next(header, &cursor, &info))
        put_info(p, &info);
    pen_close(p, ']');
    pen_close(p, '}');
}

static bool has_header(frame_framing framing)
{
    return framing != FRAME_BUFFERED && framing != FRAME_FRAMED;
}

/* ---- the body ------------------------------------------------------------------------------- */

static bool append_text(void *context, const void *bytes, size_t size)
{
    return frugal_buf_append(context, bytes, size) == FRUGAL_OK;
}

void convert_fields_out(frugal_bytes body, frugal_buf *text)
{
    raw_printer printer;
    raw_init(&printer, NULL, append_text, text);
    raw_print(&printer, body, 0, NULL, NULL);
}

/* The lines of inspect, each a string. Of a large struct they are not all; the bytes are. */
static void put_fields(pen *p, frugal_bytes body)
{
    frugal_buf text;
    frugal_buf_init(&text, NULL, 0, NULL);
    convert_fields_out(body, &text);
    pen_key(p, "fields");
    pen_open(p, '[');
    for (size_t at = 0; at < text.size;) {
        const uint8_t *line = text.data + at;
        const uint8_t *end  = memchr(line, '\n', text.size - at);
        size_t         len  = end ? (size_t)(end - line) : text.size - at;
        if (len)
            pen_string(p, (frugal_str){ (const char *)line, len });
        at += len + 1;
    }
    pen_close(p, ']');
    frugal_buf_release(&text);
}

/* A struct that nobody described: its bytes, and the fields as inspect shows them. */
static frugal_status put_raw(convert *c, pen *p, const char *key, frugal_bytes body, size_t *used)
{
    frugal_status status = frugal_skip(body, FRUGAL_WIRE_STRUCT, &c->decode, used, p->error);
    if (status)
        return status;
    body.len = *used;
    pen_key(p, key);
    pen_hex(p, body);
    if (body.len > 1)
        put_fields(p, body);
    return p->status;
}

/* What the number of an application exception stands for; encode does not read it. */
static void put_meaning(pen *p, frugal_bytes body)
{
    frugal_application_exception exception;
    if (frugal_application_exception_read(body, NULL, &exception, NULL, NULL))
        return;
    const char *text = frugal_application_exception_text(exception.type);
    pen_key(p, "meaning");
    pen_string(p, (frugal_str){ text, strlen(text) });
}

static frugal_status put_body(convert *c, pen *p, const frugal_message *message,
                              const frame_header *header, frugal_bytes body, size_t *used)
{
    const char          *key = convert_body_key(message->type);
    const frugal_struct *type;
    frugal_view          record;
    frugal_status        status = convert_body(c, message, header, &type, p->error);
    if (status)
        return status;
    if (type == NULL)
        return put_raw(c, p, key, body, used);
    status = decode_record(c, type, body, used, &record, p->error);
    if (status)
        return status;
    if (c->as_bytes) {
        pen_key(p, key);
        pen_hex(p, (frugal_bytes){ body.ptr, *used });
    }
    pen_key(p, c->as_bytes ? "decoded" : key);
    pen_record(p, record, &c->write);
    if (message->type == FRUGAL_MESSAGE_EXCEPTION)
        put_meaning(p, body);
    return p->status;
}

static void put_envelope(pen *p, const frugal_message *message)
{
    const char *kind = convert_kind_name(message->type);
    pen_key(p, "method");
    pen_string(p, message->name);
    pen_key(p, "kind");
    pen_string(p, (frugal_str){ kind, strlen(kind) });
    pen_key(p, "seq");
    pen_number(p, message->sequence_id);
    if (message->old) {
        pen_key(p, "envelope");
        pen_string(p, FRUGAL_STR("old"));
    }
    if (message->reserved) {
        pen_key(p, "reserved");
        pen_number(p, message->reserved);
    }
}

/* ---- the message ---------------------------------------------------------------------------- */

/* Offsets of what fails in the payload become those of the stream. */
static frugal_status shift(frugal_status status, size_t offset, frugal_error *error)
{
    if (status)
        error->offset += offset;
    return status;
}

static frugal_status put_payload(convert *c, pen *p, const frame_message *frame)
{
    frugal_message message;
    size_t         head, used;
    frugal_status  status = frugal_message_read(frame->payload, NULL, &message, &head, p->error);
    if (status)
        return shift(status, frame->payload_offset, p->error);
    put_envelope(p, &message);
    if (has_header(frame->framing))
        put_header(p, &frame->header);
    frugal_bytes body = { frame->payload.ptr + head, frame->payload.len - head };
    status            = put_body(c, p, &message, &frame->header, body, &used);
    if (status)
        return shift(status, frame->payload_offset + head, p->error);
    return frame_check_used(frame, head + used, p->error);
}

/* Nothing to decode here: other protocols inside a known framing, or a header alone. */
static bool is_bare(const frame_message *frame)
{
    return frame->content == FRAME_PAYLOAD_PROTOBUF || frame->content == FRAME_PAYLOAD_STRUCT
           || (frame->payload.len == 0 && has_header(frame->framing));
}

frugal_status convert_message_out(convert *c, const frame_message *frame, frugal_buf *out,
                                  frugal_error *error)
{
    pen           p;
    const char   *framing = frame_framing_name(frame->framing);
    frugal_status status  = FRUGAL_OK;
    pen_init(&p, out, c->write.pretty, error);
    pen_open(&p, '{');
    pen_key(&p, "framing");
    pen_string(&p, (frugal_str){ framing, strlen(framing) });
    if (is_bare(frame)) {
        if (has_header(frame->framing))
            put_header(&p, &frame->header);
        pen_key(&p, "payload");
        pen_hex(&p, frame->payload);
    } else {
        status = put_payload(c, &p, frame);
    }
    pen_close(&p, '}');
    return status ? status : p.status;
}
