/* batch.c - decodes and encodes messages many times; see batch.h.
 *
 * What a server does with each message is done here each time: the envelope is read, the method is
 * looked up by its name, the struct is decoded with its strings copied into an arena, and the arena
 * is reset. Encoding writes envelope and struct into a buffer of the caller's. Neither allocates:
 * the arena is warm after the first message, and the buffer is large enough. */
#define _POSIX_C_SOURCE 200809L
#include "batch.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "call.h"
#include "text.h"

struct shape {
    struct shape *next;
    frugal_bytes  message, encoded;
    struct call   call; /* decoded once, for encoding */
};

enum { SLICE = 2000 }; /* messages between two looks at the clock */

/* Where the batch stands, and what it shows of that. */
struct progress {
    bool     terminal;
    double   done, all; /* messages */
    uint64_t shown_at;
    unsigned quarter;
};

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* ---- collecting ----------------------------------------------------------------------------- */

/* The sequence id does not make a message another one. */
static bool same_shape(frugal_bytes a, frugal_bytes b)
{
    frugal_message one, other;
    size_t         at = 0;
    if (a.len != b.len || frugal_message_read(a, NULL, &one, &at, NULL) != FRUGAL_OK
        || frugal_message_read(b, NULL, &other, NULL, NULL) != FRUGAL_OK)
        return false;
    return one.type == other.type && one.name.len == other.name.len
           && !memcmp(one.name.ptr, other.name.ptr, one.name.len)
           && !memcmp(a.ptr + at, b.ptr + at, a.len - at);
}

static frugal_bytes copy_bytes(frugal_bytes bytes, frugal_arena *arena)
{
    uint8_t *copy = frugal_arena_alloc(arena, bytes.len, 1);
    if (copy)
        memcpy(copy, bytes.ptr, bytes.len);
    return (frugal_bytes){ copy, bytes.len };
}

frugal_status batch_add(struct batch *batch, frugal_bytes message, frugal_bytes encoded,
                        frugal_arena *keep, frugal_error *error)
{
    for (struct shape *shape = batch->first; shape; shape = shape->next)
        if (same_shape(shape->message, message))
            return FRUGAL_OK;
    struct shape *shape = frugal_arena_items(keep, 1, sizeof *shape);
    if (!shape)
        return error_say(error, FRUGAL_NOMEM, 0, "no memory to keep a message");
    shape->message = copy_bytes(message, keep);
    shape->encoded = copy_bytes(encoded, keep);
    if (!shape->message.ptr || !shape->encoded.ptr)
        return error_say(error, FRUGAL_NOMEM, 0, "no memory to keep a message");
    frugal_status status = call_decode(&shape->call, shape->message, keep, error);
    if (status != FRUGAL_OK)
        return status;

    *(batch->last ? &batch->last->next : &batch->first) = shape;
    batch->last                                         = shape;
    batch->count++;
    return FRUGAL_OK;
}

/* ---- progress ------------------------------------------------------------------------------- */

/* A terminal has one line that changes, ten times a second; a file has four lines. */
static void progress_add(struct progress *progress, unsigned long messages)
{
    progress->done += (double)messages;
    double percent = 100 * progress->done / progress->all;
    if (progress->terminal) {
        uint64_t now = now_ns();
        if (now - progress->shown_at < 100000000u)
            return;
        progress->shown_at = now;
        fprintf(stderr, "\rbatch: %3.0f %%", percent);
    } else if (percent >= 25 * (progress->quarter + 1)) {
        progress->quarter = (unsigned)(percent / 25);
        fprintf(stderr, "batch: %u %%\n", 25 * progress->quarter);
    }
}

static void progress_clear(const struct progress *progress)
{
    if (progress->terminal)
        fprintf(stderr, "\r              \r");
}

/* ---- measuring ------------------------------------------------------------------------------ */

static frugal_status decode_slice(const struct shape *shape, unsigned long count,
                                  frugal_arena *arena, frugal_error *error)
{
    struct call   call;
    frugal_status status = FRUGAL_OK;
    while (count-- > 0 && status == FRUGAL_OK) {
        frugal_arena_reset(arena);
        status = call_decode(&call, shape->message, arena, error);
    }
    return status;
}

static frugal_status encode_slice(const struct shape *shape, unsigned long count, frugal_buf *out,
                                  frugal_error *error)
{
    frugal_status status = FRUGAL_OK;
    while (count-- > 0 && status == FRUGAL_OK) {
        out->size = 0;
        status    = call_encode(&shape->call, out, error);
    }
    return status;
}

/* Either of the two: `arena` for decoding, `out` for encoding. */
static frugal_status measure(const struct shape *shape, unsigned long rounds, frugal_arena *arena,
                             frugal_buf *out, struct progress *progress, uint64_t *ns,
                             frugal_error *error)
{
    *ns = 0;
    while (rounds > 0) {
        unsigned long count  = rounds < SLICE ? rounds : SLICE;
        uint64_t      start  = now_ns();
        frugal_status status = arena ? decode_slice(shape, count, arena, error)
                                     : encode_slice(shape, count, out, error);
        *ns += now_ns() - start;
        if (status != FRUGAL_OK)
            return status;
        progress_add(progress, count);
        rounds -= count;
    }
    return FRUGAL_OK;
}

/* Millions of messages a second, and GB/s. */
static void print_rate(double messages, double bytes, uint64_t ns)
{
    double seconds = ns ? (double)ns / 1e9 : 1e-9;
    printf(" %11.2f %7.2f", messages / seconds / 1e6, bytes / seconds / 1e9);
}

static void print_row(const struct shape *shape, unsigned long rounds, uint64_t decode_ns,
                      uint64_t encode_ns)
{
    static const char *const names[]  = { "", "call", "answer", "exception", "oneway" };
    const frugal_message    *envelope = &shape->call.envelope;
    double                   bytes    = (double)shape->message.len * (double)rounds;
    printf("%-9s %-8.*s %6zu", names[envelope->type], (int)envelope->name.len, envelope->name.ptr,
           shape->message.len);
    print_rate((double)rounds, bytes, decode_ns);
    print_rate((double)rounds, bytes, encode_ns);
    putchar('\n');
}

static frugal_status run_shapes(const struct batch *batch, unsigned long rounds,
                                frugal_arena *arena, frugal_buf *out, frugal_error *error)
{
    double          bytes = 0, messages = (double)batch->count * (double)rounds;
    uint64_t        decode_all = 0, encode_all = 0;
    struct progress progress = { .terminal = isatty(STDERR_FILENO), .all = 2 * messages };

    char title[40];
    snprintf(title, sizeof title, "%u shapes x %lu", batch->count, rounds);
    printf("%-25s %11s %7s %11s %7s\n", title, "decode M/s", "GB/s", "encode M/s", "GB/s");
    for (const struct shape *shape = batch->first; shape; shape = shape->next) {
        uint64_t      decode_ns, encode_ns;
        frugal_status status = measure(shape, rounds, arena, NULL, &progress, &decode_ns, error);
        if (status == FRUGAL_OK)
            status = measure(shape, rounds, NULL, out, &progress, &encode_ns, error);
        progress_clear(&progress);
        if (status != FRUGAL_OK)
            return status;
        /* A fast answer that is wrong is worth nothing. */
        if (out->size != shape->encoded.len || memcmp(out->data, shape->encoded.ptr, out->size))
            return error_say(error, FRUGAL_MALFORMED, 0, "the batch encoded other bytes");
        print_row(shape, rounds, decode_ns, encode_ns);
        fflush(stdout);
        bytes += (double)shape->message.len * (double)rounds;
        decode_all += decode_ns;
        encode_all += encode_ns;
    }
    printf("%-25s", "all");
    print_rate(messages, bytes, decode_all);
    print_rate(messages, bytes, encode_all);
    putchar('\n');
    return FRUGAL_OK;
}

frugal_status batch_run(const struct batch *batch, unsigned long rounds, frugal_error *error)
{
    static uint8_t storage[64 * 1024]; /* of the caller: nothing is allocated for what fits */
    frugal_arena  *arena = frugal_arena_new(NULL);
    frugal_buf     out;
    frugal_buf_init(&out, storage, sizeof storage, NULL);
    frugal_status status = arena ? run_shapes(batch, rounds, arena, &out, error)
                                 : error_say(error, FRUGAL_NOMEM, 0, "no memory for an arena");
    frugal_buf_release(&out);
    frugal_arena_free(arena);
    return status;
}
