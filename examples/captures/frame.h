/* frame.h - where a message begins and ends among the bytes of a connection.
 *
 * A Kitex peer wraps a Thrift message in one of four ways, and tells them apart by the first bytes;
 * so does this file:
 *
 *   bare             80 01 ..                  the message alone, without a size
 *   framed           size  80 01 ..            four bytes of size before it
 *   TTHeader         size  10 00 ..  80 01 ..  flags, sequence, keys and values
 *   TTHeader+framed  size  10 00 ..  size  80 01 ..
 *
 * Everything before the message is carried over unchanged when the frame is built again, but for
 * the sizes, which are those of the new message. Nothing here allocates; spans are views into the
 * input. */
#ifndef FRAME_H
#define FRAME_H

#include <stdio.h>

#include <frugal/frugal.h>

typedef enum framing {
    FRAMING_BARE,
    FRAMING_FRAMED,
    FRAMING_TTHEADER,
    FRAMING_TTHEADER_FRAMED
} framing;

struct frame {
    framing      framing;
    frugal_bytes header;  /* all before the message */
    frugal_bytes message; /* envelope and struct */
    size_t       size;    /* of both */
};

/* Finds the frame at the front of `input`. On failure error->offset is counted from there. (No
 * `error` in this example may be NULL.) */
frugal_status frame_read(frugal_bytes input, struct frame *frame, frugal_error *error);

/* Prints what a person wants to know of the header: the framing, and of a TTHeader flags, sequence
 * and every key with its value. */
void frame_print(const struct frame *frame, FILE *out);

/* Appends the header; then the message is appended by the caller; then the end puts the sizes
 * right. `start` is where the header begins in `out`. */
frugal_status frame_begin(const struct frame *frame, frugal_buf *out);
void          frame_end(const struct frame *frame, frugal_buf *out, size_t start);

#endif /* FRAME_H */
