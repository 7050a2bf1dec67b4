/* frame_fuzz.c - streams of strangers: whatever their cuts, the same messages and the same error.
 *
 * The first byte chooses the options, the rest is the stream. It is read whole, one byte at a time
 * and in threes; a header that was read is written again from its items, and must be the same. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "frame/frame.h"

enum { MESSAGES_MAX = 64, ITEMS_MAX = 256 };

typedef struct outcome {
    size_t        count, sizes[MESSAGES_MAX];
    frame_framing framings[MESSAGES_MAX];
    frame_payload contents[MESSAGES_MAX];
    frugal_status status;
    frugal_error  error;
} outcome;

static frame_options options_for(uint8_t choice)
{
    frame_options options = { .framing       = (frame_framing)(choice % 7),
                              .check_content = choice & 0x10,
                              .strict_only   = choice & 0x20 };
    if (choice & 0x40)
        options = (frame_options){ .framing     = options.framing,
                                   .message_max = 64,
                                   .header_max  = 40,
                                   .info_max    = 3,
                                   .depth_max   = 3 };
    options.info_max = options.info_max ? options.info_max : ITEMS_MAX / 2;
    return options;
}

static void check_header(const frame_message *message)
{
    static frame_info items[65536 + 2];
    frame_info_cursor cursor = { 0 };
    frame_header      header = message->header;
    frame_writer      writer;
    frugal_buf        out;
    header.info = items;
    while (frame_info_next(&message->header, &cursor, &items[header.info_count]))
        header.info_count++;
    (void)frame_header_unused(&message->header);
    (void)frame_info_int(&message->header, FRAME_KEY_TO_SERVICE, NULL);
    (void)frame_info_str(&message->header, FRUGAL_STR(FRAME_ACL_KEY), NULL);
    if (message->framing == FRAME_MESH || message->framing == FRAME_MESH_FRAMED)
        return;
    frugal_buf_init(&out, NULL, 0, NULL);
    frugal_status status = frame_begin(&writer, message->framing, &header, &out, NULL);
    assert(status == FRUGAL_OK);
    status = frugal_buf_append(&out, message->payload.ptr, message->payload.len);
    assert(status == FRUGAL_OK);
    status = frame_end(&writer, &out, 0, NULL);
    assert(status == FRUGAL_OK && out.size == message->bytes.len);
    assert(memcmp(out.data, message->bytes.ptr, out.size) == 0);
    (void)status;
    frugal_buf_release(&out);
}

static void run(const frame_options *options, frugal_bytes stream, size_t step, outcome *it)
{
    frame_reader  reader;
    frame_message message;
    size_t        start = 0, have = 0, need = 0;
    memset(it, 0, sizeof *it);
    frugal_status status = frame_reader_init(&reader, options, NULL);
    assert(status == FRUGAL_OK);
    (void)status;
    while (have < stream.len && it->status == FRUGAL_OK) {
        have = stream.len - have > step ? have + step : stream.len;
        while (start < have && it->count < MESSAGES_MAX) {
            frugal_bytes input = { stream.ptr + start, have - start };
            it->status         = frame_read(&reader, input, &message, &need, &it->error);
            if (it->status != FRUGAL_OK || need)
                break;
            assert(message.offset == start && message.bytes.len <= input.len);
            assert(message.payload.len <= reader.options.message_max);
            it->framings[it->count] = message.framing;
            it->contents[it->count] = message.content;
            it->sizes[it->count++]  = message.bytes.len;
            start += message.bytes.len;
            check_header(&message);
        }
        if (it->count == MESSAGES_MAX)
            return;
    }
    if (it->status == FRUGAL_OK)
        it->status = frame_read_end(
            &reader, (frugal_bytes){ stream.ptr + start, stream.len - start }, &it->error);
    if (it->status != FRUGAL_OK)
        assert(it->error.message[0] != '\0' && it->error.offset <= stream.len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static outcome whole, other;
    if (size == 0)
        return 0;
    frame_options options = options_for(data[0]);
    frugal_bytes  stream  = { data + 1, size - 1 };
    run(&options, stream, size, &whole);
    for (size_t step = 1; step <= 3; step += 2) {
        run(&options, stream, step, &other);
        assert(whole.count == other.count);
        for (size_t i = 0; i < whole.count; i++)
            assert(whole.sizes[i] == other.sizes[i] && whole.framings[i] == other.framings[i]
                   && whole.contents[i] == other.contents[i]);
        assert(whole.status == other.status);
        assert(whole.error.offset == other.error.offset);
        assert(strcmp(whole.error.message, other.error.message) == 0);
    }
    return 0;
}
