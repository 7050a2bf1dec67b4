/* frame/feed.c - feeding a reader. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "frame/feed.h"

enum { MOVED_MAX = 4096, CUTS_MAX = 1000, ITEMS_MAX = 4096 };

/* ---- one way -------------------------------------------------------------------------------- */

typedef struct feeder {
    frame_reader reader;
    frugal_bytes stream;
    size_t       start, promised;
    guard        room;
} feeder;

/* The bytes from the current message on: moved to the guard page when they are few. */
static frugal_bytes arrived(const feeder *f, size_t have)
{
    size_t size = have - f->start;
    if (size > MOVED_MAX)
        return (frugal_bytes){ f->stream.ptr + f->start, size };
    return (frugal_bytes){ guard_put(&f->room, f->stream.ptr + f->start, size), size };
}

static frugal_str move_str(frugal_str text, ptrdiff_t by)
{
    return (frugal_str){ text.ptr ? text.ptr + by : NULL, text.len };
}

static frugal_bytes move_bytes(frugal_bytes bytes, ptrdiff_t by)
{
    frugal_str moved = move_str((frugal_str){ (const char *)bytes.ptr, bytes.len }, by);
    return (frugal_bytes){ (const uint8_t *)moved.ptr, moved.len };
}

/* Views into the stream instead of the guarded copy. */
static frame_message keep(const feeder *f, frame_message message)
{
    ptrdiff_t by              = f->stream.ptr + f->start - message.bytes.ptr;
    message.bytes             = move_bytes(message.bytes, by);
    message.payload           = move_bytes(message.payload, by);
    message.header.blocks     = move_bytes(message.header.blocks, by);
    message.header.transforms = move_bytes(message.header.transforms, by);
    return message;
}

/* Reads all messages that are whole when `have` bytes of the stream have come. */
static bool feed_to(feeder *f, size_t have, feed_result *result)
{
    while (f->start < have) {
        size_t        need = 0;
        frame_message message;
        frugal_bytes  input = arrived(f, have);
        result->status      = frame_read(&f->reader, input, &message, &need, &result->error);
        if (result->status != FRUGAL_OK)
            return false;
        if (need) {
            assert_true(have + need > f->promised || have < f->promised);
            f->promised = have + need;
            return true;
        }
        assert_true(have >= f->promised);
        assert_true(message.bytes.ptr == input.ptr && message.bytes.len <= input.len);
        assert_int_equal(message.offset, f->start);
        assert_true(result->count < FEED_MESSAGES_MAX);
        result->messages[result->count++] = keep(f, message);
        f->start += message.bytes.len;
        f->promised = 0;
    }
    return true;
}

static void feed(const frame_options *options, frugal_bytes stream, size_t first, size_t step,
                 feed_result *result)
{
    feeder f = { .stream = stream, .room = guard_new(MOVED_MAX) };
    memset(result, 0, sizeof *result);
    assert_int_equal(frame_reader_init(&f.reader, options, NULL), FRUGAL_OK);
    bool going = true;
    for (size_t have = first < stream.len ? first : stream.len; going; have += step) {
        if (have > stream.len)
            have = stream.len;
        going = feed_to(&f, have, result);
        if (have == stream.len)
            break;
    }
    if (going)
        result->status = frame_read_end(&f.reader, arrived(&f, stream.len), &result->error);
    guard_free(&f.room);
}

void feed_whole(const frame_options *options, frugal_bytes stream, feed_result *result)
{
    feed(options, stream, stream.len, 1, result);
}

void feed_cut(const frame_options *options, frugal_bytes stream, size_t cut, feed_result *result)
{
    feed(options, stream, cut, stream.len + 1, result);
}

void feed_steps(const frame_options *options, frugal_bytes stream, size_t step, feed_result *result)
{
    feed(options, stream, step, step, result);
}

/* ---- the same ------------------------------------------------------------------------------- */

static bool same_bytes(frugal_bytes a, frugal_bytes b)
{
    return a.ptr == b.ptr && a.len == b.len;
}

static bool same_message(const frame_message *a, const frame_message *b)
{
    return a->framing == b->framing && a->content == b->content && a->offset == b->offset
           && a->payload_offset == b->payload_offset && same_bytes(a->bytes, b->bytes)
           && same_bytes(a->payload, b->payload) && a->header.flags == b->header.flags
           && a->header.sequence_id == b->header.sequence_id
           && a->header.protocol == b->header.protocol && a->header.mesh == b->header.mesh
           && same_bytes(a->header.blocks, b->header.blocks)
           && same_bytes(a->header.transforms, b->header.transforms);
}

void feed_assert_same(const char *id, const feed_result *a, const feed_result *b)
{
    bool same = a->count == b->count && a->status == b->status && a->error.offset == b->error.offset
                && strcmp(a->error.message, b->error.message) == 0
                && strcmp(a->error.path, b->error.path) == 0;
    for (size_t i = 0; same && i < a->count; i++)
        same = same_message(&a->messages[i], &b->messages[i]);
    if (!same)
        fail_msg("%s: %zu messages, %s at %zu \"%s\"; cut otherwise %zu, %s at %zu \"%s\"", id,
                 a->count, frugal_status_name(a->status), a->error.offset, a->error.message,
                 b->count, frugal_status_name(b->status), b->error.offset, b->error.message);
}

void feed_every_way(const char *id, const frame_options *options, frugal_bytes stream,
                    feed_result *result)
{
    feed_result *other = malloc(sizeof *other);
    assert_non_null(other);
    feed_whole(options, stream, result);
    size_t step = stream.len / CUTS_MAX + 1;
    for (size_t cut = 0; cut <= stream.len; cut += step) {
        feed_cut(options, stream, cut, other);
        feed_assert_same(id, result, other);
    }
    feed_steps(options, stream, 1, other);
    feed_assert_same(id, result, other);
    feed_steps(options, stream, 7, other);
    feed_assert_same(id, result, other);
    free(other);
}

/* ---- headers -------------------------------------------------------------------------------- */

size_t feed_items(const frame_header *header, frame_info *items, size_t max)
{
    frame_info_cursor cursor = { 0 };
    frame_info        info;
    size_t            count = 0;
    while (frame_info_next(header, &cursor, &info)) {
        assert_true(count < max);
        items[count++] = info;
    }
    return count;
}

void feed_assert_rebuilt(const char *id, const frame_message *message)
{
    frame_info  *items  = calloc(ITEMS_MAX, sizeof *items);
    frame_header header = message->header;
    frame_writer writer;
    frugal_buf   out;
    assert_non_null(items);
    header.info_count = feed_items(&message->header, items, ITEMS_MAX);
    header.info       = items;
    header.blocks     = (frugal_bytes){ NULL, 0 };
    frugal_buf_init(&out, NULL, 0, NULL);
    frugal_error error = { .status = FRUGAL_OK };
    if (frame_begin(&writer, message->framing, &header, &out, &error) != FRUGAL_OK)
        fail_msg("%s: %s", id, error.message);
    assert_int_equal(frugal_buf_append(&out, message->payload.ptr, message->payload.len),
                     FRUGAL_OK);
    assert_int_equal(frame_end(&writer, &out, 0, NULL), FRUGAL_OK);
    if (out.size != message->bytes.len || memcmp(out.data, message->bytes.ptr, out.size) != 0)
        fail_msg("%s: written again it is %zu bytes, not the same %zu", id, out.size,
                 message->bytes.len);
    frugal_buf_release(&out);
    free(items);
}
