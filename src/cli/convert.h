/* cli/convert.h - Thrift messages and structs as JSON, and back: what decode and encode share.
 *
 * decode writes JSON, reads it back by the same functions that encode uses, and compares: so what
 * it says about whether an input can be rebuilt is not a guess. */
#ifndef CLI_CONVERT_H
#define CLI_CONVERT_H

#include <frugal/codec.h>
#include <frugal/json.h>
#include <frugal/message.h>

#include "cli/cli.h"
#include "frame/frame.h"
#include "json/scan.h"

#define CONVERT_MEMORY_MAX ((size_t)1 << 30) /* when --memory-max does not say it */

#define CONVERT_DEPTH_JSON 1024 /* a map of pairs takes two levels of JSON for one of Thrift */

/* What holds for a whole run. */
typedef struct convert {
    frugal_schema            *schema;  /* NULL: there is no IDL */
    const frugal_service     *service; /* that --service names, or NULL */
    frame_framing             framing; /* of --framing */
    frugal_json_write_options write;
    frugal_json_read_options  read;
    frugal_decode_options     decode;
    frugal_encode_options     encode;
    bool                      as_bytes;   /* messages show their structs as bytes, decoded beside */
    const char               *input;      /* encode: what JSON is left out is told; else NULL */
    unsigned                  told;       /* lines of that */
    frugal_arena             *arena;      /* of one value; whoever loops resets it */
    size_t                    arena_used; /* the most that one value took */
} convert;

/* From the options, with IDL and service; what is wrong is said. `keep_unknown`: the schema keeps
 * unknown fields. convert_release in any case. */
cli_exit convert_init(convert *c, const cli_args *args, bool keep_unknown);
void     convert_release(convert *c);

/* Forgets what one value took. */
void convert_reset(convert *c);

/* ---- which struct a message has ------------------------------------------------------------- */

/* The table of the struct behind this envelope (an application exception has one of ours, which
 * keeps what it does not know); NULL when the IDL does not know the method (or is
 * not there). FRUGAL_NOTFOUND: several services have it, and nothing says which. */
frugal_status convert_body(const convert *c, const frugal_message *message,
                           const frame_header *header, const frugal_struct **body,
                           frugal_error *error);

/* "args", "result" or "exception": the member that holds the struct. */
const char *convert_body_key(frugal_message_type type);
const char *convert_kind_name(frugal_message_type type);

/* ---- the messages of an input ---------------------------------------------------------------- */

typedef struct convert_stream {
    frugal_bytes  input;
    size_t        at; /* where the next message begins */
    frame_options options;
} convert_stream;

void convert_stream_init(convert_stream *stream, const convert *c, frugal_bytes input);

/* `*more` false: there are no more, and nothing is left. `frame` has views into the input, and the
 * offsets of it and of errors are those in the input. Fails as frame_read. */
frugal_status convert_stream_next(convert_stream *stream, frame_message *frame, bool *more,
                                  frugal_error *error);

/* ---- bytes to JSON -------------------------------------------------------------------------- */

/* Appends one struct as JSON. `*used` bytes of the input were it. */
frugal_status convert_struct_out(convert *c, const frugal_struct *type, frugal_bytes input,
                                 size_t *used, frugal_buf *out, frugal_error *error);

/* The fields of a struct as inspect shows them, a line each. */
void convert_fields_out(frugal_bytes body, frugal_buf *text);

/* Appends one message. The offsets of errors are those in the stream. */
frugal_status convert_message_out(convert *c, const frame_message *message, frugal_buf *out,
                                  frugal_error *error);

/* ---- JSON to bytes -------------------------------------------------------------------------- */

frugal_status convert_struct_in(convert *c, const frugal_struct *type, const json_value *value,
                                frugal_buf *out, frugal_error *error);
frugal_status convert_message_in(convert *c, const json_value *value, frugal_buf *out,
                                 frugal_error *error);

/* `object` without text: a header of zeroes. What the header refers to is in c->arena. */
frugal_status convert_header_in(convert *c, const json_value *object, frame_header *header,
                                frugal_error *error);

/* Every member that a struct of this type has no place for is a line on standard error. The value
 * is one that a forgiving reading takes. */
void convert_tell_left_out(convert *c, const frugal_struct *type, const json_value *value);

/* When the word at the error's place is like a name of the IDL, the error says that. */
void convert_suggest(convert *c, const frugal_struct *type, const json_value *value,
                     frugal_error *error);
void convert_add_guess(frugal_error *error, const cli_guess *guess);

/* When memory was not allowed, the error says how to allow it. */
void convert_add_limit(frugal_error *error);

/* The names of all methods that convert_body looks through. */
void convert_guess_method(const convert *c, cli_guess *guess);

/* ---- what is lost on the way ---------------------------------------------------------------- */

#define CONVERT_WHY_MAX 320

/* Why the bytes of this struct are not what encode makes of its JSON, as a sentence with the place;
 * `offset` is where the bytes lie in the input. `refused`: the error when encode made none, with
 * FRUGAL_OK in it when it made others; it is the reason when memory was short and when the bytes
 * have no other. */
void convert_struct_why(const convert *c, const frugal_struct *type, frugal_bytes bytes,
                        size_t offset, const frugal_error *refused, char why[CONVERT_WHY_MAX]);
void convert_message_why(const convert *c, const frame_message *message,
                         const frugal_error *refused, char why[CONVERT_WHY_MAX]);

#endif /* CLI_CONVERT_H */
