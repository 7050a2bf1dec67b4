/* frame/feed.h - a stream fed to a reader in pieces, as a socket would, and what came of it.
 *
 * The bytes that have come lie before a guard page, and move with each piece: a read behind them,
 * or a pointer kept from one call to the next, ends the test. What `need` promises is checked, too.
 */
#ifndef FRAME_FEED_H
#define FRAME_FEED_H

#include "frame/frame.h"
#include "support/guard.h"

#define FEED_MESSAGES_MAX 128

typedef struct feed_result {
    size_t        count;
    frame_message messages[FEED_MESSAGES_MAX]; /* views into the stream */
    frugal_status status;                      /* of the end, too */
    frugal_error  error;
} feed_result;

/* All at once. */
void feed_whole(const frame_options *options, frugal_bytes stream, feed_result *result);

/* The first `cut` bytes, then all. */
void feed_cut(const frame_options *options, frugal_bytes stream, size_t cut, feed_result *result);

/* `step` bytes at a time. */
void feed_steps(const frame_options *options, frugal_bytes stream, size_t step,
                feed_result *result);

/* Both say the same, the error's words and place included. Fails the test with `id` when not. */
void feed_assert_same(const char *id, const feed_result *a, const feed_result *b);

/* Whole, at every cut (of a long stream: at a thousand), byte by byte, in sevens: all the same. The
 * result of the whole is left in `result`. */
void feed_every_way(const char *id, const frame_options *options, frugal_bytes stream,
                    feed_result *result);

/* A header's bytes written again from its items; fails the test when they differ from `bytes`,
 * which begin with it. */
void feed_assert_rebuilt(const char *id, const frame_message *message);

/* All items of a header; fails the test when there are more than `max`. */
size_t feed_items(const frame_header *header, frame_info *items, size_t max);

#endif /* FRAME_FEED_H */
