/* batch.h - the messages of the captures again, many times, and how long that takes. */
#ifndef BATCH_H
#define BATCH_H

#include <frugal/frugal.h>

/* Messages that differ in more than their sequence number, in the order in which they came. All
 * zeroes is an empty batch. */
struct batch {
    struct shape *first, *last;
    unsigned      count;
};

/* Adds `message` unless one like it is there. `encoded` is what it must be encoded to, of the same
 * size. Both are copied to `keep`. */
frugal_status batch_add(struct batch *batch, frugal_bytes message, frugal_bytes encoded,
                        frugal_arena *keep, frugal_error *error);

/* Decodes each message `rounds` times, then encodes each `rounds` times, one thread; prints
 * messages and bytes a second to stdout, and how far it is to stderr. */
frugal_status batch_run(const struct batch *batch, unsigned long rounds, frugal_error *error);

#endif /* BATCH_H */
