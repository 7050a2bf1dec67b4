#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "frame/feed.h"
#include "support/hex.h"

#define PING "80010001 00000004 6563686f 00000007 00" /* 17 bytes */

static feed_result result;

static void assert_refused(const frame_options *options, const char *hex, frugal_status status,
                           size_t offset, const char *message)
{
    feed_every_way(hex, options, hex_bytes(hex), &result);
    assert_string_equal(result.error.message, message);
    assert_int_equal(result.status, status);
    assert_int_equal(result.error.offset, offset);
}

static const frame_options framed   = { .framing = FRAME_FRAMED };
static const frame_options checking = { .check_content = true };

static void framings_may_change_within_a_stream(void **state)
{
    (void)state;
    feed_every_way("mixed", &checking,
                   hex_bytes("00000011" PING PING "0000001f 1000 0000 00000007 0001 00 00 0000" PING
                             "00000023 1000 0000 00000007 0001 00 00 0000 00000011" PING
                             "00000008 90010001 00000000"),
                   &result);
    assert_int_equal(result.status, FRUGAL_OK);
    assert_int_equal(result.count, 5);
    static const frame_framing expected[] = { FRAME_FRAMED, FRAME_BUFFERED, FRAME_TTHEADER,
                                              FRAME_TTHEADER_FRAMED, FRAME_FRAMED };
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(result.messages[i].framing, expected[i]);
    assert_int_equal(result.messages[4].content, FRAME_PAYLOAD_PROTOBUF);
}

static void a_known_length_is_needed_in_full(void **state)
{
    static frame_reader reader;
    frame_message       message;
    size_t              need = 0;
    (void)state;
    assert_int_equal(frame_reader_init(&reader, NULL, NULL), FRUGAL_OK);
    assert_int_equal(frame_read(&reader, hex_bytes(""), &message, &need, NULL), FRUGAL_OK);
    assert_int_equal(need, 8);
    assert_int_equal(frame_read(&reader, hex_bytes("00010000 80010001"), &message, &need, NULL),
                     FRUGAL_OK);
    assert_int_equal(need, 65536 - 4);
    assert_int_equal(
        frame_read(&reader, hex_bytes("00010000 1000 0000 00000000 0100"), &message, &need, NULL),
        FRUGAL_OK);
    assert_int_equal(need, 65536 + 4 - 14);
}

static void errors_count_from_the_start_of_the_stream(void **state)
{
    (void)state;
    assert_refused(NULL, "00000011" PING "0000000f" PING "000102030405", FRUGAL_FRAME, 40,
                   "invalid payload (first4Bytes=0x7000001, second4Bytes=0x2030405)");
    assert_refused(&checking, "00000011" PING "00000013 80010001 00000004 6563686f 00000007 010001",
                   FRUGAL_MALFORMED, 41, "unknown wire type 1");
}

static void bytes_behind_a_message_in_its_frame_are_an_error_of_their_own(void **state)
{
    (void)state;
    assert_refused(&checking, "00000014" PING "000000", FRUGAL_FRAME, 21,
                   "3 bytes behind the message in a frame of 20");
    assert_refused(&checking, "00000020 1000 0000 00000007 0001 00 00 0000" PING "00", FRUGAL_FRAME,
                   35, "1 byte behind the message in a frame of 18");
    /* Who decodes anyway asks then, and pays for no second walk. */
    feed_every_way("unchecked", NULL, hex_bytes("00000014" PING "000000"), &result);
    assert_int_equal(result.status, FRUGAL_OK);
    frugal_error error;
    assert_int_equal(frame_check_used(&result.messages[0], 17, &error), FRUGAL_FRAME);
    assert_int_equal(error.offset, 21);
    assert_int_equal(frame_check_used(&result.messages[0], 20, &error), FRUGAL_OK);
}

static void a_frame_that_is_too_short_for_its_message_is_told_with_its_place(void **state)
{
    (void)state;
    assert_refused(&checking, "00000010" PING, FRUGAL_TRUNCATED, 20,
                   "unexpected EOF: 1 byte short");
}

static void lying_lengths_are_refused(void **state)
{
    (void)state;
    assert_refused(&framed, "ffffffff 616263", FRUGAL_NEGATIVE, 0, "negative size: -1");
    assert_refused(&framed, "7fffffff 616263", FRUGAL_SIZE, 0,
                   "invalid data: payload size(2147483647) larger than the limit(16777216)");
    assert_refused(&framed, "0000000a 616263", FRUGAL_TRUNCATED, 0,
                   "unexpected EOF: 7 bytes short");
    assert_refused(&framed, "0000", FRUGAL_TRUNCATED, 0, "unexpected EOF: 2 bytes short");
    assert_refused(&framed, "00000000", FRUGAL_FRAME, 0, "an empty frame");
    assert_refused(NULL, "ff000000 80010001", FRUGAL_NEGATIVE, 0, "negative size: -16777216");
    assert_refused(&(frame_options){ .message_max = 16 }, "00000011" PING, FRUGAL_SIZE, 0,
                   "invalid data: payload size(17) larger than the limit(16)");
}

static void what_is_no_thrift_is_refused_by_name(void **state)
{
    (void)state;
    assert_refused(NULL, "50524920 2a204854 54502f32", FRUGAL_FRAME, 0,
                   "invalid payload (first4Bytes=0x50524920, second4Bytes=0x2a204854): this is "
                   "HTTP/2");
    assert_refused(NULL, "fff4fffd 06000000", FRUGAL_FRAME, 0,
                   "invalid payload (first4Bytes=0xfff4fffd, second4Bytes=0x6000000): this is "
                   "telnet");
    assert_refused(NULL, "0000001f 0fff0000 00000000 0001", FRUGAL_FRAME, 0,
                   "invalid payload (first4Bytes=0x1f, second4Bytes=0xfff0000): this is Apache "
                   "THeader");
    assert_refused(NULL, "71756974 0d0a", FRUGAL_FRAME, 0, "invalid payload: this is text");
}

/* What a reader holds back, shown. */
static frame_message peek(frame_reader *reader, const char *hex)
{
    frame_message message;
    frame_peek(reader, hex_bytes(hex), &message);
    return message;
}

static void a_peek_shows_what_there_is_of_a_message(void **state)
{
    static frame_reader reader;
    frame_message       message;
    (void)state;
    assert_int_equal(frame_reader_init(&reader, &(frame_options){ .message_max = 8 }, NULL),
                     FRUGAL_OK);
    message = peek(&reader, "00000023 1000 0001 00000007 0001 00 00 0000 00000011 80010001 0000");
    assert_int_equal(message.framing, FRAME_TTHEADER_FRAMED);
    assert_int_equal(message.header.flags, 1);
    assert_int_equal(message.payload_offset, 22);
    assert_int_equal(message.payload.len, 6);
    message = peek(&reader, "0000001f 1000 0001 00000007 0001 00");
    assert_int_equal(message.framing, FRAME_TTHEADER);
    assert_int_equal(message.payload.len, 0);
    message = peek(&reader, "0000001f 1000 0001 00000007 0001 00 00 0900" PING);
    assert_int_equal(message.framing, FRAME_TTHEADER);
    assert_int_equal(message.header.blocks.len, 0);
    assert_int_equal(message.payload.len, 0);
    message = peek(&reader, "80010001 00000004 65");
    assert_int_equal(message.framing, FRAME_BUFFERED);
    assert_int_equal(message.payload.len, 9);
    message = peek(&reader, "00000000 00000000 00");
    assert_int_equal(message.framing, FRAME_AUTO);
    assert_int_equal(message.payload.len, 0);
    assert_int_equal(peek(&reader, "").framing, FRAME_AUTO);
}

static void a_peek_does_not_disturb_the_reader(void **state)
{
    static frame_level  levels[80];
    static frame_reader reader;
    frame_options       options = { .depth_max = 80, .levels = levels };
    frame_message       message;
    size_t              need  = 0;
    frugal_bytes        bytes = hex_bytes("80010001 00000004 6563686f 00000007"
                                                 "0f0001 0c 00000002 00 080001 00000001 00 00");
    (void)state;
    assert_int_equal(frame_reader_init(&reader, &options, NULL), FRUGAL_OK);
    for (size_t have = 0; have < bytes.len; have++) {
        frugal_bytes part = { bytes.ptr, have };
        assert_int_equal(frame_read(&reader, part, &message, &need, NULL), FRUGAL_OK);
        assert_int_not_equal(need, 0);
        frame_peek(&reader, part, &message);
    }
    assert_int_equal(frame_read(&reader, bytes, &message, &need, NULL), FRUGAL_OK);
    assert_int_equal(need, 0);
    assert_int_equal(message.bytes.len, bytes.len);
}

static void an_empty_stream_is_no_error(void **state)
{
    (void)state;
    for (int named = FRAME_AUTO; named <= FRAME_MESH_FRAMED; named++) {
        frame_options options = { .framing = (frame_framing)named };
        feed_every_way("empty", &options, hex_bytes(""), &result);
        assert_int_equal(result.status, FRUGAL_OK);
        assert_int_equal(result.count, 0);
    }
}

static void options_out_of_range_are_refused(void **state)
{
    static const frame_options wrong[] = { { .framing = (frame_framing)7 },
                                           { .framing = (frame_framing)-1 },
                                           { .message_max = (size_t)INT32_MAX + 1 },
                                           { .depth_max = 65 },
                                           { .depth_max = 1025 } };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        frame_reader reader;
        frugal_error error;
        assert_int_equal(frame_reader_init(&reader, &wrong[i], &error), FRUGAL_INVALID);
        assert_int_not_equal(error.message[0], '\0');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(framings_may_change_within_a_stream),
        cmocka_unit_test(a_known_length_is_needed_in_full),
        cmocka_unit_test(errors_count_from_the_start_of_the_stream),
        cmocka_unit_test(bytes_behind_a_message_in_its_frame_are_an_error_of_their_own),
        cmocka_unit_test(a_frame_that_is_too_short_for_its_message_is_told_with_its_place),
        cmocka_unit_test(lying_lengths_are_refused),
        cmocka_unit_test(what_is_no_thrift_is_refused_by_name),
        cmocka_unit_test(a_peek_shows_what_there_is_of_a_message),
        cmocka_unit_test(a_peek_does_not_disturb_the_reader),
        cmocka_unit_test(an_empty_stream_is_no_error),
        cmocka_unit_test(options_out_of_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
