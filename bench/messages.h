/* bench/messages.h - the bytes of each object, as a Thrift Binary struct without an envelope. Each
 * function appends one message, always the same, and aborts when there is no memory. */
#ifndef BENCH_MESSAGES_H
#define BENCH_MESSAGES_H

#include <frugal/memory.h>

void put_small(frugal_buf *out);    /* one simple, strings of 272 and 256 bytes */
void put_medium(frugal_buf *out);   /* one nesting, eight elements in every container */
void put_large(frugal_buf *out);    /* 17 nestings, eight of them in a map with structs as keys */
void put_short(frugal_buf *out);    /* medium with strings of 8 bytes */
void put_wide(frugal_buf *out);     /* 10 of 100 optional fields, one in each row */
void put_i64list(frugal_buf *out);  /* 1,024 integers */
void put_journal(frugal_buf *out);  /* 32 events of 20 fields in order */
void put_shuffled(frugal_buf *out); /* the same events, fields not in the order of their ids */

/* As put_medium, with strings that repeat 16 bytes of the caller's: 17 times. */
void put_medium_of(frugal_buf *out, const char words[16]);

#endif /* BENCH_MESSAGES_H */
