/* wire/envelope.c - the message envelope in its two forms, and the application exception.
 *
 * strict   0x80 0x01 | reserved:1 | type:1 | length:4 | name | sequence id:4
 * old      length:4 | name | type:1 | sequence id:4
 *
 * The hard part is that the first word of the old form is a length, so that any bytes whose first
 * bit is clear look like a message: the name is compared with what is there before all else. The
 * type is the low 8 bits of its word, as in Apache Thrift; Kitex takes 16. */
#include <frugal/message.h>

#include "core/status.h"
#include "wire/binary.h"

#define VERSION_WORD 0x8001u /* the upper half of the first word */
#define WORD_SIZE    4

static frugal_status check_options(const frugal_message_options *options, frugal_error *error)
{
    if (options && options->protocol != FRUGAL_PROTOCOL_BINARY)
        return error_set(error, FRUGAL_INVALID, "unknown protocol %d", (int)options->protocol);
    if (options && options->struct_size && options->struct_size < sizeof *options)
        return error_set(error, FRUGAL_INVALID, "options of an unknown size: %zu",
                         options->struct_size);
    return FRUGAL_OK;
}

static frugal_status check_input(frugal_bytes input, const frugal_message_options *options,
                                 frugal_error *error)
{
    if (input.ptr == NULL && input.len)
        return error_set(error, FRUGAL_INVALID, "input.ptr is NULL, input.len is not 0");
    return check_options(options, error);
}

static bool check_left(const uint8_t *p, const uint8_t *end, size_t need, wire_fault *fault)
{
    size_t left = (size_t)(end - p);
    if (left >= need)
        return true;
    wire_fault_set(fault, WIRE_FAULT_EOF, p, need - left, 0, 0);
    return false;
}

/* ---- reading -------------------------------------------------------------------------------- */

/* The text at `p`; one past it, or NULL with the fault. */
static const uint8_t *read_text(const uint8_t *p, const uint8_t *end, frugal_str *text,
                                wire_fault *fault)
{
    const uint8_t *after = binary_skip(p, end, FRUGAL_WIRE_STRING, 0, 0, fault);
    if (after)
        *text = (frugal_str){ (const char *)p + BINARY_TEXT_SIZE,
                              (size_t)(after - p) - BINARY_TEXT_SIZE };
    return after;
}

static bool set_type(frugal_message *message, const uint8_t *at, wire_fault *fault)
{
    if (*at < FRUGAL_MESSAGE_CALL || *at > FRUGAL_MESSAGE_ONEWAY) {
        wire_fault_set(fault, WIRE_FAULT_MESSAGE, at, *at, 0, 0);
        return false;
    }
    message->type = (frugal_message_type)*at;
    return true;
}

static const uint8_t *read_strict(const uint8_t *p, const uint8_t *end, frugal_message *message,
                                  wire_fault *fault)
{
    uint32_t word = load_be32(p);
    if (word >> 16 != VERSION_WORD) {
        wire_fault_set(fault, WIRE_FAULT_VERSION, p, word, 0, 0);
        return NULL;
    }
    const uint8_t *tail = read_text(p + WORD_SIZE, end, &message->name, fault);
    if (tail == NULL || !check_left(tail, end, WORD_SIZE, fault)
        || !set_type(message, p + 3, fault))
        return NULL;
    message->reserved    = p[2];
    message->sequence_id = (int32_t)load_be32(tail);
    return tail + WORD_SIZE;
}

static const uint8_t *read_old(const uint8_t *p, const uint8_t *end, frugal_message *message,
                               wire_fault *fault)
{
    const uint8_t *tail = read_text(p, end, &message->name, fault);
    if (tail == NULL || !check_left(tail, end, 1 + WORD_SIZE, fault)
        || !set_type(message, tail, fault))
        return NULL;
    message->old         = true;
    message->sequence_id = (int32_t)load_be32(tail + 1);
    return tail + 1 + WORD_SIZE;
}

static const uint8_t *read_envelope(const uint8_t *p, const uint8_t *end, bool strict_only,
                                    frugal_message *message, wire_fault *fault)
{
    if (!check_left(p, end, WORD_SIZE, fault))
        return NULL;
    if (*p & 0x80)
        return read_strict(p, end, message, fault);
    if (!strict_only)
        return read_old(p, end, message, fault);
    wire_fault_set(fault, WIRE_FAULT_OLD, p, 0, 0, 0);
    return NULL;
}

frugal_status frugal_message_read(frugal_bytes input, const frugal_message_options *options,
                                  frugal_message *message, size_t *used, frugal_error *error)
{
    frugal_status status = check_input(input, options, error);
    if (status != FRUGAL_OK)
        return status;
    if (message == NULL)
        return error_set(error, FRUGAL_INVALID, "message is NULL");

    const uint8_t *start = input.ptr ? input.ptr : (const uint8_t *)"";
    frugal_message read  = { .type = FRUGAL_MESSAGE_CALL };
    wire_fault     fault = { WIRE_FAULT_NONE, NULL, 0, 0, 0 };
    const uint8_t *after =
        read_envelope(start, start + input.len, options && options->strict_only, &read, &fault);
    if (after == NULL)
        return wire_fault_report(&fault, start, error);
    *message = read;
    if (used)
        *used = (size_t)(after - start);
    return FRUGAL_OK;
}

/* ---- writing -------------------------------------------------------------------------------- */

/* Room for `size` bytes behind out->size. */
static frugal_status reserve(frugal_buf *out, size_t size, frugal_error *error)
{
    frugal_status status = frugal_buf_reserve(out, size);
    if (status == FRUGAL_NOSPACE) {
        size_t lacking = size - (out->capacity - out->size);
        return error_set(error, status, "output buffer is %zu byte%s short", lacking,
                         plural_s(lacking));
    }
    if (status != FRUGAL_OK)
        return error_set(error, status, "no memory for %zu byte%s", size, plural_s(size));
    return FRUGAL_OK;
}

static frugal_status check_text(frugal_str text, const char *what, frugal_error *error)
{
    if (text.ptr == NULL && text.len)
        return error_set(error, FRUGAL_INVALID, "%s.ptr is NULL, %s.len is not 0", what, what);
    if (text.len > INT32_MAX)
        return error_set(error, FRUGAL_SIZE, "%s of %zu bytes, more than 2147483647", what,
                         text.len);
    return FRUGAL_OK;
}

static uint8_t *put_u8(uint8_t *p, uint8_t value)
{
    *p = value;
    return p + 1;
}

static uint8_t *put_u32(uint8_t *p, uint32_t value)
{
    store_be32(p, value);
    return p + 4;
}

static uint8_t *put_text(uint8_t *p, frugal_str text)
{
    p = put_u32(p, (uint32_t)text.len);
    if (text.len)
        memcpy(p, text.ptr, text.len);
    return p + text.len;
}

frugal_status frugal_message_write(const frugal_message         *message,
                                   const frugal_message_options *options, frugal_buf *out,
                                   frugal_error *error)
{
    frugal_status status = check_options(options, error);
    if (status != FRUGAL_OK)
        return status;
    if (message == NULL || out == NULL)
        return error_set(error, FRUGAL_INVALID, "message or out is NULL");
    if ((int)message->type < FRUGAL_MESSAGE_CALL || (int)message->type > FRUGAL_MESSAGE_ONEWAY)
        return error_set(error, FRUGAL_INVALID, "unknown message type %d", (int)message->type);
    status = check_text(message->name, "name", error);
    if (status == FRUGAL_OK)
        status = reserve(out, message->name.len + (message->old ? 9 : 12), error);
    if (status != FRUGAL_OK)
        return status;

    uint8_t *p = out->data + out->size;
    if (!message->old)
        p = put_u32(p, VERSION_WORD << 16 | (uint32_t)message->reserved << 8
                           | (uint32_t)message->type);
    p = put_text(p, message->name);
    if (message->old)
        p = put_u8(p, (uint8_t)message->type);
    p         = put_u32(p, (uint32_t)message->sequence_id);
    out->size = (size_t)(p - out->data);
    return FRUGAL_OK;
}

/* ---- application exception ------------------------------------------------------------------ */

/* Type and id, as on the wire. */
#define FIELD_MESSAGE (FRUGAL_WIRE_STRING << 16 | 1)
#define FIELD_TYPE    (FRUGAL_WIRE_I32 << 16 | 2)
#define FIELD_DEPTH   (FRUGAL_DEPTH_DEFAULT - 1) /* of the fields: the struct itself is a level */

/* The field at `p`, its header checked to be there; one past it, or NULL with the fault. */
static const uint8_t *read_field(const uint8_t *p, const uint8_t *end,
                                 frugal_application_exception *exception, wire_fault *fault)
{
    const uint8_t *value  = p + BINARY_FIELD_SIZE;
    uint32_t       header = (uint32_t)p[0] << 16 | load_be16(p + 1);
    if (header == FIELD_MESSAGE)
        return read_text(value, end, &exception->message, fault);
    const uint8_t *after = binary_skip(value, end, p[0], FIELD_DEPTH, FRUGAL_DEPTH_DEFAULT, fault);
    if (after && header == FIELD_TYPE)
        exception->type = (int32_t)load_be32(value);
    /* Only the field's own type can be both unknown and p[0]; its type byte is before the value. */
    if (after == NULL && fault->kind == WIRE_FAULT_TYPE && fault->a == p[0])
        fault->at = p;
    return after;
}

static const uint8_t *read_exception(const uint8_t *p, const uint8_t *end,
                                     frugal_application_exception *exception, wire_fault *fault)
{
    while (p && check_left(p, end, 1, fault)) {
        if (*p == FRUGAL_WIRE_STOP)
            return p + 1;
        if (!check_left(p, end, BINARY_FIELD_SIZE, fault))
            return NULL;
        p = read_field(p, end, exception, fault);
    }
    return NULL;
}

frugal_status frugal_application_exception_read(frugal_bytes                  input,
                                                const frugal_message_options *options,
                                                frugal_application_exception *exception,
                                                size_t *used, frugal_error *error)
{
    frugal_status status = check_input(input, options, error);
    if (status != FRUGAL_OK)
        return status;
    if (exception == NULL)
        return error_set(error, FRUGAL_INVALID, "exception is NULL");

    const uint8_t               *start = input.ptr ? input.ptr : (const uint8_t *)"";
    const uint8_t               *after = NULL;
    frugal_application_exception read  = { { NULL, 0 }, 0 };
    wire_fault                   fault = { WIRE_FAULT_NONE, NULL, 0, 0, 0 };
    if (input.len > INT32_MAX)
        wire_fault_set(&fault, WIRE_FAULT_INPUT, start, input.len, 0, 0);
    else
        after = read_exception(start, start + input.len, &read, &fault);
    if (after == NULL)
        return wire_fault_report(&fault, start, error);
    *exception = read;
    if (used)
        *used = (size_t)(after - start);
    return FRUGAL_OK;
}

frugal_status frugal_application_exception_write(const frugal_application_exception *exception,
                                                 const frugal_message_options       *options,
                                                 frugal_buf *out, frugal_error *error)
{
    frugal_status status = check_options(options, error);
    if (status != FRUGAL_OK)
        return status;
    if (exception == NULL || out == NULL)
        return error_set(error, FRUGAL_INVALID, "exception or out is NULL");
    status = check_text(exception->message, "message", error);
    if (status == FRUGAL_OK)
        status = reserve(out, exception->message.len + 15, error);
    if (status != FRUGAL_OK)
        return status;

    uint8_t *p = out->data + out->size;
    store_be16(put_u8(p, FRUGAL_WIRE_STRING), 1);
    p = put_text(p + BINARY_FIELD_SIZE, exception->message);
    store_be16(put_u8(p, FRUGAL_WIRE_I32), 2);
    p         = put_u32(p + BINARY_FIELD_SIZE, (uint32_t)exception->type);
    p         = put_u8(p, FRUGAL_WIRE_STOP);
    out->size = (size_t)(p - out->data);
    return FRUGAL_OK;
}

const char *frugal_application_exception_text(int32_t type)
{
    /* Apache Thrift's numbers; the words are those that Kitex shows. */
    static const char *const texts[] = {
        "unknown application exception",
        "unknown method",
        "invalid message type",
        "wrong method name",
        "bad sequence ID",
        "missing result",
        "unknown internal error",
        "unknown protocol error",
        "Invalid transform",
        "Invalid protocol",
        "Unsupported client type",
    };
    bool known = type >= 0 && (size_t)type < sizeof texts / sizeof texts[0];
    return known ? texts[type] : "unknown exception type";
}
