/* bench/messages.h - the bytes of each object, as a Thrift Binary struct without an envelope. Each
 * function appends one message, always the same, and aborts when there is no memory. */
#ifndef BENCH_MESSAGES_H
#define BENCH_MESSAGES_H

#include <stddef.h>

#include <frugal/memory.h>

void put_small(frugal_buf *out);    /* one simple, strings of 272 and 256 bytes */
void put_medium(frugal_buf *out);   /* one nesting, eight elements in every container */
void put_large(frugal_buf *out);    /* 17 nestings, eight of them in a map with structs as keys */
void put_short(frugal_buf *out);    /* medium with strings of 8 bytes */
void put_wide(frugal_buf *out);     /* 10 of 100 optional fields, one in each row */
void put_event(frugal_buf *out);    /* one event of 20 fields */
void put_journal(frugal_buf *out);  /* 32 events of 20 fields in order */
void put_shuffled(frugal_buf *out); /* the same events, fields not in the order of their ids */

/* As put_medium, with strings that repeat 16 bytes of the caller's: 17 times. */
void put_medium_of(frugal_buf *out, const char words[16]);

/* messages_shapes.c: lists of `count` numbers, strings of 0 to 15 bytes, entries of a map. */
void put_i16s(frugal_buf *out, size_t count);
void put_i32s(frugal_buf *out, size_t count);
void put_i64s(frugal_buf *out, size_t count);
void put_doubles(frugal_buf *out, size_t count);
void put_bools(frugal_buf *out, size_t count);
void put_strings(frugal_buf *out, size_t count);
void put_totals(frugal_buf *out, size_t count);

void put_features(frugal_buf *out); /* 256 doubles, 64 ids, 32 weights, 64 flags */
void put_deep(frugal_buf *out);     /* a tree of 59 nodes, 30 of them below one another */

#endif /* BENCH_MESSAGES_H */
