/* cli/message_in.c - JSON to bytes: the inverse of message_out.c.
 *
 * What decode writes is read; what a person leaves out has a value that does no harm: a buffered
 * message with sequence id 0, a header of zeroes. */
#include <stdio.h>

#include "cli/beside.h"
#include "cli/convert.h"
#include "cli/members.h"
#include "core/status.h"

enum {
    IN_FRAMING,
    IN_METHOD,
    IN_KIND,
    IN_SEQ,
    IN_ENVELOPE,
    IN_RESERVED,
    IN_HEADER,
    IN_ARGS,
    IN_RESULT,
    IN_EXCEPTION,
    IN_PAYLOAD,
    IN_FIELDS, /* for people, as are the next */
    IN_DECODED,
    IN_MEANING,
    IN_COUNT
};
static const char *const in_names[] = { "framing",  "method", "kind",    "seq",    "envelope",
                                        "reserved", "header", "args",    "result", "exception",
                                        "payload",  "fields", "decoded", "meaning" };

/* A message as it is read. */
typedef struct incoming {
    convert       *c;
    json_value     whole;
    json_value     members[IN_COUNT]; /* without text: not there */
    frame_framing  framing;
    frame_header   header;
    frugal_message message;
    frugal_error  *error;
} incoming;

/* What failed without a place in the text gets that of this value. */
static frugal_status place_error(const json_value *value, frugal_status status, frugal_error *error)
{
    frugal_error inner = *error;
    json_blame(value, status, error, "%s", inner.message);
    memcpy(error->path, inner.path, sizeof error->path);
    return status;
}

/* ---- structs -------------------------------------------------------------------------------- */

/* A strict reading that succeeds has left nothing out, so that only one that fails needs a second
 * look. */
static frugal_status read_record(convert *c, frugal_ref record, const json_value *value,
                                 frugal_error *error)
{
    frugal_json_read_options strict = c->read;
    strict.strict                   = c->read.strict || c->input;
    frugal_status status            = json_get_record(record, value, c->arena, &strict, error);
    bool          left_out          = status == FRUGAL_NOTFOUND || status == FRUGAL_DUPLICATE;
    if (left_out && !c->read.strict && c->input) {
        status = json_get_record(record, value, c->arena, &c->read, error);
        if (status == FRUGAL_OK)
            convert_tell_left_out(c, record.type, value);
    }
    /* What is missing may be there under a name that is nearly right. */
    if (left_out && status == FRUGAL_MISSING)
        convert_tell_left_out(c, record.type, value);
    if (status == FRUGAL_NOTFOUND && c->input)
        convert_suggest(c, record.type, value, error);
    return status;
}

/* Reading goes deeper than encode, which knows no places: reading again, no deeper, finds the one.
 */
static frugal_status blame_depth(convert *c, frugal_ref record, const json_value *value,
                                 frugal_error *error)
{
    frugal_error             placed;
    frugal_json_read_options options = c->read;
    options.depth_max                = FRUGAL_DEPTH_DEFAULT;
    if (json_get_record(record, value, c->arena, &options, &placed) != FRUGAL_DEPTH)
        return place_error(value, FRUGAL_DEPTH, error);
    *error = placed;
    return FRUGAL_DEPTH;
}

frugal_status convert_struct_in(convert *c, const frugal_struct *type, const json_value *value,
                                frugal_buf *out, frugal_error *error)
{
    void *record = frugal_arena_alloc(c->arena, type->size, type->align);
    if (record == NULL)
        return error_set(error, FRUGAL_NOMEM, "no memory for a %s", type->name);
    frugal_status status = read_record(c, (frugal_ref){ type, record }, value, error);
    if (status)
        return status;
    status = frugal_encode((frugal_view){ type, record }, &c->encode, out, error);
    if (status == FRUGAL_DEPTH)
        return blame_depth(c, (frugal_ref){ type, record }, value, error);
    return status ? place_error(value, status, error) : FRUGAL_OK;
}

/* ---- the envelope --------------------------------------------------------------------------- */

static bool has(const incoming *in, int member)
{
    return in->members[member].text.len > 0;
}

/* The kind, or what the member with the struct says of it. */
static frugal_status read_kind(incoming *in)
{
    const json_value *kind = &in->members[IN_KIND];
    in->message.type       = has(in, IN_RESULT)      ? FRUGAL_MESSAGE_REPLY
                             : has(in, IN_EXCEPTION) ? FRUGAL_MESSAGE_EXCEPTION
                                                     : FRUGAL_MESSAGE_CALL;
    if (!has(in, IN_KIND))
        return FRUGAL_OK;
    for (int type = FRUGAL_MESSAGE_CALL; type <= FRUGAL_MESSAGE_ONEWAY; type++) {
        if (json_string_is(kind, convert_kind_name((frugal_message_type)type))) {
            in->message.type = (frugal_message_type)type;
            return FRUGAL_OK;
        }
    }
    return json_blame(kind, FRUGAL_MISMATCH, in->error, "kind is call, reply, exception or oneway");
}

static frugal_status read_form(incoming *in)
{
    const json_value *envelope = &in->members[IN_ENVELOPE];
    if (!has(in, IN_ENVELOPE) || json_string_is(envelope, "strict"))
        return FRUGAL_OK;
    in->message.old = json_string_is(envelope, "old");
    return in->message.old
               ? FRUGAL_OK
               : json_blame(envelope, FRUGAL_MISMATCH, in->error, "envelope is strict or old");
}

static frugal_status read_envelope(incoming *in)
{
    int64_t sequence_id = 0, reserved = 0;
    if (!has(in, IN_METHOD))
        return json_blame(&in->whole, FRUGAL_MISSING, in->error, "a message needs a method");
    frugal_status status =
        members_text(in->c->arena, &in->members[IN_METHOD], &in->message.name, in->error);
    if (status == FRUGAL_OK)
        status = read_kind(in);
    if (status == FRUGAL_OK)
        status = read_form(in);
    if (status == FRUGAL_OK)
        status =
            members_integer(&in->members[IN_SEQ], INT32_MIN, INT32_MAX, &sequence_id, in->error);
    if (status == FRUGAL_OK)
        status = members_integer(&in->members[IN_RESERVED], 0, UINT8_MAX, &reserved, in->error);
    in->message.sequence_id = (int32_t)sequence_id;
    in->message.reserved    = (uint8_t)reserved;
    return status;
}

/* ---- the body ------------------------------------------------------------------------------- */

static bool is_hex(const json_value *value)
{
    json_value hex;
    return json_kind_of(value) == JSON_OBJECT && json_member(value, "$hex", &hex);
}

static frugal_status append(incoming *in, frugal_bytes bytes, frugal_buf *out)
{
    frugal_status status = frugal_buf_append(out, bytes.ptr, bytes.len);
    return status ? error_set(in->error, status, "%s", frugal_status_text(status)) : FRUGAL_OK;
}

/* Bytes that are taken as they are; they must be one struct, or the message could not be read. */
static frugal_status write_raw(incoming *in, const json_value *value, frugal_buf *out)
{
    frugal_bytes  bytes;
    frugal_error  inside;
    size_t        used;
    frugal_status status = json_get_bytes(value, in->c->arena, &bytes, in->error);
    if (status)
        return status;
    if (frugal_skip(bytes, FRUGAL_WIRE_STRUCT, NULL, &used, &inside))
        return json_blame(value, inside.status, in->error,
                          "these bytes are no struct: byte %zu: %s", inside.offset, inside.message);
    if (used != bytes.len)
        return json_blame(value, FRUGAL_MALFORMED, in->error,
                          "the struct in these bytes ends at %zu", used);
    if (in->c->input)
        convert_check_beside(in->c, &(convert_beside){ &in->message, &in->header, bytes,
                                                       &in->members[IN_DECODED],
                                                       &in->members[IN_FIELDS] });
    return append(in, bytes, out);
}

static frugal_status blame_method(const incoming *in)
{
    char              word[65];
    cli_guess         guess;
    const json_value *method = &in->members[IN_METHOD];
    frugal_str        name   = in->message.name;
    if (in->c->schema == NULL)
        return json_blame(method, FRUGAL_NOTFOUND, in->error,
                          "without an IDL a message has its bytes in {\"$hex\": ...}");
    snprintf(word, sizeof word, "%.*s", (int)(name.len < 60 ? name.len : 60),
             name.ptr ? name.ptr : "");
    cli_guess_start(&guess, word);
    convert_guess_method(in->c, &guess);
    json_blame(method, FRUGAL_NOTFOUND, in->error, "no method %s%s in the IDL", word,
               in->message.type == FRUGAL_MESSAGE_REPLY ? " that is answered" : "");
    if (guess.best && strcmp(guess.best, word) != 0)
        convert_add_guess(in->error, &guess);
    return FRUGAL_NOTFOUND;
}

static frugal_status write_body(incoming *in, frugal_buf *out)
{
    int                  member = in->message.type == FRUGAL_MESSAGE_REPLY       ? IN_RESULT
                                  : in->message.type == FRUGAL_MESSAGE_EXCEPTION ? IN_EXCEPTION
                                                                                 : IN_ARGS;
    const json_value    *value  = &in->members[member];
    const frugal_struct *type;
    if (!has(in, member))
        return json_blame(&in->whole, FRUGAL_MISSING, in->error,
                          "a message of kind %s needs \"%s\"", convert_kind_name(in->message.type),
                          convert_body_key(in->message.type));
    if (is_hex(value))
        return write_raw(in, value, out);
    frugal_status status = convert_body(in->c, &in->message, &in->header, &type, in->error);
    if (status)
        return place_error(&in->whole, status, in->error);
    if (type == NULL)
        return blame_method(in);
    return convert_struct_in(in->c, type, value, out, in->error);
}

/* ---- the message ---------------------------------------------------------------------------- */

static frugal_status read_framing(incoming *in)
{
    const json_value *value = &in->members[IN_FRAMING];
    in->framing             = FRAME_BUFFERED;
    if (!has(in, IN_FRAMING))
        return FRUGAL_OK;
    int framing = FRAME_BUFFERED;
    while (framing <= FRAME_MESH_FRAMED
           && !json_string_is(value, frame_framing_name((frame_framing)framing)))
        framing++;
    in->framing = (frame_framing)framing;
    if (framing > FRAME_MESH_FRAMED)
        return json_blame(value, FRUGAL_MISMATCH, in->error,
                          "framing is buffered, framed, ttheader or ttheader-framed");
    if (framing >= FRAME_MESH && in->c->framing == FRAME_AUTO)
        return json_blame(value, FRUGAL_INVALID, in->error, "mesh headers are read, never written");
    return FRUGAL_OK;
}

static bool has_header(frame_framing framing)
{
    return framing != FRAME_BUFFERED && framing != FRAME_FRAMED;
}

/* --framing has the last word, as long as the message can be in it. */
static frugal_status choose_framing(incoming *in)
{
    frame_framing said = in->framing;
    bool          bare = has(in, IN_PAYLOAD);
    if (in->c->framing == FRAME_AUTO && has(in, IN_HEADER) && !has_header(said))
        return json_blame(&in->members[IN_HEADER], FRUGAL_INVALID, in->error,
                          "a header needs framing ttheader or ttheader-framed");
    if (in->c->framing == FRAME_AUTO)
        return FRUGAL_OK;
    if (bare && has_header(said) != has_header(in->c->framing))
        return json_blame(&in->members[IN_PAYLOAD], FRUGAL_INVALID, in->error,
                          "a payload that is no message stays in its framing, %s",
                          frame_framing_name(said));
    in->framing = in->c->framing;
    return FRUGAL_OK;
}

/* What stands beside each other and cannot. */
static frugal_status check_members(incoming *in)
{
    static const int bodies[] = { IN_ARGS, IN_RESULT, IN_EXCEPTION, IN_PAYLOAD };
    int              first    = -1;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        if (first >= 0 && has(in, bodies[i]))
            return json_blame(&in->members[bodies[i]], FRUGAL_DUPLICATE, in->error,
                              "%s and %s: a message has one of them", in_names[first],
                              in_names[bodies[i]]);
        first = has(in, bodies[i]) ? bodies[i] : first;
    }
    return choose_framing(in);
}

static frugal_status write_payload(incoming *in, frugal_buf *out)
{
    frugal_bytes bytes;
    if (has(in, IN_PAYLOAD)) {
        frugal_status status =
            json_get_bytes(&in->members[IN_PAYLOAD], in->c->arena, &bytes, in->error);
        return status ? status : append(in, bytes, out);
    }
    frugal_status status = read_envelope(in);
    if (status == FRUGAL_OK)
        status = frugal_message_write(&in->message, NULL, out, in->error);
    return status ? status : write_body(in, out);
}

static frugal_status write_message(incoming *in, frugal_buf *out)
{
    frame_writer  writer;
    size_t        size   = out->size;
    frugal_status status = frame_begin(&writer, in->framing, &in->header, out, in->error);
    if (status)
        return place_error(&in->whole, status, in->error);
    status = write_payload(in, out);
    if (status == FRUGAL_OK) {
        status = frame_end(&writer, out, 0, in->error);
        if (status)
            place_error(&in->whole, status, in->error);
    }
    if (status)
        out->size = size;
    return status;
}

frugal_status convert_message_in(convert *c, const json_value *object, frugal_buf *out,
                                 frugal_error *error)
{
    incoming in     = { .c = c, .whole = *object, .error = error };
    in.message.type = FRUGAL_MESSAGE_CALL;
    if (json_kind_of(object) != JSON_OBJECT)
        return json_blame(object, FRUGAL_MISMATCH, error, "a message is an object");
    frugal_status status = members_read(object, in_names, IN_COUNT, in.members, error);
    if (status == FRUGAL_OK)
        status = read_framing(&in);
    if (status == FRUGAL_OK)
        status = check_members(&in);
    if (status == FRUGAL_OK)
        status = convert_header_in(c, &in.members[IN_HEADER], &in.header, error);
    return status ? status : write_message(&in, out);
}
