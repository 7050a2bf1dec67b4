/* call.h - one message of the service: an envelope, and the struct behind it.
 *
 * The envelope says the method and whether this is a call, an answer or an exception; from both
 * follows which struct comes next. */
#ifndef CALL_H
#define CALL_H

#include <stdio.h>

#include <frugal/frugal.h>

struct call {
    frugal_message               envelope;
    frugal_ref                   body;      /* arguments or result; .type NULL for an exception */
    frugal_application_exception exception; /* of an envelope that says exception */
};

/* Reads `message`, all of it. The struct and what hangs below it go to `arena`, where strings are
 * copied, too; the method's name and the text of an exception are views into `message`.
 * error->offset is counted from the front of `message`. */
frugal_status call_decode(struct call *call, frugal_bytes message, frugal_arena *arena,
                          frugal_error *error);

/* Appends envelope and struct. */
frugal_status call_encode(const struct call *call, frugal_buf *out, frugal_error *error);

/* Prints `call Echo, sequence 1: "hello"` and, on the lines below, the record. `scratch` is where
 * its text is made. */
frugal_status call_print(const struct call *call, FILE *out, frugal_buf *scratch,
                         frugal_error *error);

#endif /* CALL_H */
