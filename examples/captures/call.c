/* call.c - decodes, encodes and prints one message; see call.h.
 *
 * This is all that a program needs of the library to speak Thrift: read the envelope, find the
 * table of the struct behind it, decode. */
#include "call.h"

#include "peer.h"
#include "text.h"

static const frugal_struct *body_type(const frugal_message *envelope, frugal_error *error);
static frugal_status        decode_body(struct call *call, frugal_bytes input, frugal_arena *arena,
                                        size_t *used, frugal_error *error);

frugal_status call_decode(struct call *call, frugal_bytes message, frugal_arena *arena,
                          frugal_error *error)
{
    size_t        body_at = 0, used = 0;
    frugal_status status = frugal_message_read(message, NULL, &call->envelope, &body_at, error);
    if (status != FRUGAL_OK)
        return status;

    frugal_bytes rest = { message.ptr + body_at, message.len - body_at };
    status            = decode_body(call, rest, arena, &used, error);
    if (status != FRUGAL_OK) {
        error->offset += body_at; /* it was counted from the front of the struct */
        return status;
    }
    if (used != rest.len)
        return error_say(error, FRUGAL_FRAME, body_at + used,
                         "%zu bytes behind the end of the struct", rest.len - used);
    return FRUGAL_OK;
}

static frugal_status decode_body(struct call *call, frugal_bytes input, frugal_arena *arena,
                                 size_t *used, frugal_error *error)
{
    call->body = (frugal_ref){ 0 };
    if (call->envelope.type == FRUGAL_MESSAGE_EXCEPTION)
        return frugal_application_exception_read(input, NULL, &call->exception, used, error);

    const frugal_struct *type = body_type(&call->envelope, error);
    if (!type)
        return error->status;
    /* With a struct known beforehand it would be `struct echo_args args` and FRUGAL_REF(echo_args,
     * &args). Here the table says how large the struct is. Decoding fills every byte of it. */
    call->body = (frugal_ref){ type, frugal_arena_alloc(arena, type->size, type->align) };
    if (!call->body.ptr)
        return error_say(error, FRUGAL_NOMEM, 0, "no memory for the record");
    return frugal_decode(call->body, input, arena, NULL, used, error);
}

/* NULL: `error` says why. */
static const frugal_struct *body_type(const frugal_message *envelope, frugal_error *error)
{
    const struct peer_method *method  = peer_method_find(envelope->name);
    bool                      is_call = envelope->type != FRUGAL_MESSAGE_REPLY;
    if (method && (is_call || method->result))
        return is_call ? method->args : method->result;
    frugal_str name = envelope->name;
    error_say(error, FRUGAL_NOTFOUND, 0, "%s %.*s",
              method ? "an answer to a oneway method:" : "no such method:",
              (int)(name.len < 64 ? name.len : 64), name.ptr);
    return NULL;
}

frugal_status call_encode(const struct call *call, frugal_buf *out, frugal_error *error)
{
    frugal_status status = frugal_message_write(&call->envelope, NULL, out, error);
    if (status != FRUGAL_OK)
        return status;
    if (!call->body.type)
        return frugal_application_exception_write(&call->exception, NULL, out, error);
    return frugal_encode((frugal_view){ call->body.type, call->body.ptr }, NULL, out, error);
}

frugal_status call_print(const struct call *call, FILE *out, frugal_buf *scratch,
                         frugal_error *error)
{
    static const char *const names[] = {
        [FRUGAL_MESSAGE_CALL]      = "call",
        [FRUGAL_MESSAGE_REPLY]     = "answer to",
        [FRUGAL_MESSAGE_EXCEPTION] = "exception from",
        [FRUGAL_MESSAGE_ONEWAY]    = "oneway call",
    };
    const frugal_message *envelope = &call->envelope;
    frugal_view           body     = { call->body.type, call->body.ptr };
    frugal_str            said     = body.type ? peer_text(body) : call->exception.message;

    fprintf(out, "%s ", names[envelope->type]);
    text_print(out, envelope->name.ptr, envelope->name.len);
    fprintf(out, ", sequence %d", (int)envelope->sequence_id);
    if (said.len) {
        fputs(": \"", out);
        text_print(out, said.ptr, said.len < 40 ? said.len : 40);
        fputs(said.len > 40 ? "...\"" : "\"", out);
    }
    putc('\n', out);
    if (!body.type) {
        fprintf(out, "application exception %d (%s)\n", (int)call->exception.type,
                frugal_application_exception_text(call->exception.type));
        return FRUGAL_OK;
    }
    scratch->size        = 0;
    frugal_status status = frugal_print(body, NULL, scratch, error);
    if (status == FRUGAL_OK) {
        fwrite(scratch->data, 1, scratch->size, out);
        putc('\n', out);
    }
    return status;
}
