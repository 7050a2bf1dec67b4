/* frugal/message.h - the Thrift message envelope, for those who bring their own transport.
 *
 * A message is an envelope (method name, kind, sequence id) and a struct behind it: the arguments,
 * the result, or an application exception. Formats: Apache Thrift, thrift-binary-protocol.md,
 * strict and old encoding. Nothing here allocates, except that a growing buffer grows. */
#ifndef FRUGAL_MESSAGE_H
#define FRUGAL_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <frugal/codec.h>
#include <frugal/memory.h>
#include <frugal/shapes.h>
#include <frugal/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum frugal_message_type {
    FRUGAL_MESSAGE_CALL      = 1,
    FRUGAL_MESSAGE_REPLY     = 2,
    FRUGAL_MESSAGE_EXCEPTION = 3, /* an application exception follows */
    FRUGAL_MESSAGE_ONEWAY    = 4
} frugal_message_type;

typedef struct frugal_message {
    frugal_str          name; /* of the method; "" is legal */
    frugal_message_type type;
    int32_t             sequence_id; /* any value is legal */
    bool                old;         /* the old encoding: no version word */
    /* strict encoding: the byte between version and type, 0 from all known writers */
    uint8_t reserved;
} frugal_message;

/* All zeroes is a good default. */
typedef struct frugal_message_options {
    size_t          struct_size; /* sizeof, or 0 for the members of version 0 */
    frugal_protocol protocol;
    bool            strict_only; /* reading: refuse the old encoding, as Kitex does */
} frugal_message_options;

/* Reads the envelope at the front of `input`; `*used` (may be NULL) says how long it was.
 * `message->name` is a view into `input`. `options` NULL: defaults. FRUGAL_TRUNCATED,
 * FRUGAL_NEGATIVE and FRUGAL_SIZE (of the name), FRUGAL_VERSION (not the strict version, or old and
 * strict_only), FRUGAL_MESSAGE_TYPE (not 1 to 4), FRUGAL_INVALID. `message` and `used` are written
 * on success only. */
FRUGAL_API frugal_status frugal_message_read(frugal_bytes                  input,
                                             const frugal_message_options *options,
                                             frugal_message *message, size_t *used,
                                             frugal_error *error);

/* Appends the envelope. Fails as frugal_buf_reserve, or FRUGAL_INVALID (a type not 1 to 4, NULL
 * name with a length), FRUGAL_SIZE (a name above 2^31-1 bytes); `out` is then as it was. */
FRUGAL_API frugal_status frugal_message_write(const frugal_message         *message,
                                              const frugal_message_options *options,
                                              frugal_buf *out, frugal_error *error);

/* What a server answers when there is no declared exception for it: struct {1: string message, 2:
 * i32 type}. Numbers as in Apache's TApplicationException. */
typedef struct frugal_application_exception {
    frugal_str message;
    int32_t    type;
} frugal_application_exception;

/* Reads the struct behind an EXCEPTION envelope. Other fields, and these with another wire type,
 * are skipped; what is absent is empty or 0. `message` is a view into `input`. Fails as
 * frugal_skip. */
FRUGAL_API frugal_status frugal_application_exception_read(frugal_bytes                  input,
                                                           const frugal_message_options *options,
                                                           frugal_application_exception *exception,
                                                           size_t *used, frugal_error *error);

/* Appends both fields, in this order, and the stop byte. Fails as frugal_message_write. */
FRUGAL_API frugal_status frugal_application_exception_write(
    const frugal_application_exception *exception, const frugal_message_options *options,
    frugal_buf *out, frugal_error *error);

/* "unknown method" for 1, and so on; "unknown exception type" for a number without a text. What to
 * show when a peer sent no message. Static text, never NULL. */
FRUGAL_API const char *frugal_application_exception_text(int32_t type);

#ifdef __cplusplus
}
#endif
#endif /* FRUGAL_MESSAGE_H */
