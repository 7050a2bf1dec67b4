#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <frugal/message.h>

#include "frame/feed.h"
#include "support/gen_wire.h"
#include "support/hex.h"

#define CALL "80010001 00000004 6563686f 00000007 " /* echo, 16 bytes */

static feed_result result;

static void assert_refused(const frame_options *options, const char *hex, frugal_status status,
                           size_t offset, const char *message)
{
    feed_every_way(hex, options, hex_bytes(hex), &result);
    assert_int_equal(result.status, status);
    assert_int_equal(result.error.offset, offset);
    assert_string_equal(result.error.message, message);
}

static const frame_options buffered = { .framing = FRAME_BUFFERED };

static void the_end_of_a_bare_message_is_found(void **state)
{
    (void)state;
    feed_every_way("two", NULL, hex_bytes(CALL "0b0001 00000002 6869 00 " CALL "00"), &result);
    assert_int_equal(result.status, FRUGAL_OK);
    assert_int_equal(result.count, 2);
    assert_int_equal(result.messages[0].bytes.len, 26);
    assert_int_equal(result.messages[1].offset, 26);
    assert_int_equal(result.messages[1].payload.len, 17);
    assert_int_equal(result.messages[1].content, FRAME_PAYLOAD_BINARY);
}

static void every_type_is_walked_through(void **state)
{
    (void)state;
    feed_every_way(
        "all", NULL,
        hex_bytes(CALL
                  "020001 01 030002 7f 040003 0102030405060708 060004 0001 080005 00000001 "
                  "0a0006 0000000000000001 0b0007 00000001 41 0c0008 080001 00000002 00 "
                  "0d0009 0b08 00000002 00000001 61 00000001 00000001 62 00000002 "
                  "0d000a 0b0b 00000001 00000000 00000001 63 0d000b 0000 00000000 "
                  "0d000c 080a 00000001 00000001 0000000000000002 "
                  "0e000d 08 00000002 00000001 00000002 0f000e 0b 00000002 00000001 61 00000000 "
                  "0f000f 0c 00000002 00 080001 00000001 00 0f0010 0f 00000001 06 00000001 0001 "
                  "0f0011 00 00000000 0d0012 080c 00000001 00000001 00 00"),
        &result);
    assert_int_equal(result.status, FRUGAL_OK);
    assert_int_equal(result.count, 1);
}

static void a_walk_needs_no_more_than_is_missing(void **state)
{
    static frame_reader reader;
    frame_message       message;
    frugal_bytes        bytes = hex_bytes(CALL "0b0001 00010000 6869");
    size_t              need  = 0;
    (void)state;
    assert_int_equal(frame_reader_init(&reader, NULL, NULL), FRUGAL_OK);
    assert_int_equal(frame_read(&reader, (frugal_bytes){ bytes.ptr, 5 }, &message, &need, NULL),
                     FRUGAL_OK);
    assert_int_equal(need, 3);
    assert_int_equal(frame_read(&reader, (frugal_bytes){ bytes.ptr, 12 }, &message, &need, NULL),
                     FRUGAL_OK);
    assert_int_equal(need, 4);
    assert_int_equal(frame_read(&reader, bytes, &message, &need, NULL), FRUGAL_OK);
    assert_int_equal(need, 65534);
}

static void what_no_more_bytes_can_mend_is_refused_at_once(void **state)
{
    (void)state;
    assert_refused(NULL, CALL "010001", FRUGAL_MALFORMED, 16, "unknown wire type 1");
    assert_refused(NULL, CALL "0b0001 ffffffff", FRUGAL_NEGATIVE, 19, "negative size: -1");
    assert_refused(NULL, CALL "0f0001 01 00000001 00", FRUGAL_MALFORMED, 19, "unknown wire type 1");
    assert_refused(NULL, CALL "0f0001 08 80000000", FRUGAL_NEGATIVE, 20,
                   "negative size: -2147483648");
    assert_refused(NULL, CALL "0d0001 0801 00000001", FRUGAL_MALFORMED, 20, "unknown wire type 1");
    assert_refused(NULL, "80010005 00000004 6563686f 00000007 00", FRUGAL_MESSAGE_TYPE, 3,
                   "unknown message type 5");
    assert_refused(NULL, "80010001 ffffffff 6563686f", FRUGAL_NEGATIVE, 4, "negative size: -1");
    assert_refused(&buffered, "80020001 00000004 6563686f", FRUGAL_VERSION, 0,
                   "unknown version 0x80020001");
}

static void what_the_end_leaves_open_has_the_words_of_wire(void **state)
{
    (void)state;
    assert_refused(NULL, CALL "08", FRUGAL_TRUNCATED, 16, "unexpected EOF: 2 bytes short");
    assert_refused(NULL, CALL "0b0001 00000010 6869", FRUGAL_SIZE, 19,
                   "unexpected EOF: 14 bytes short");
    assert_refused(NULL, CALL "0f0001 08 00000100 0000", FRUGAL_SIZE, 20,
                   "256 elements need at least 1024 bytes, 2 left");
    assert_refused(NULL, "80010001 00000010 6563", FRUGAL_SIZE, 4,
                   "unexpected EOF: 14 bytes short");
}

static void a_message_above_the_limit_is_refused_at_the_size_that_says_so(void **state)
{
    frame_options options = { .message_max = 32 };
    (void)state;
    feed_every_way("fits", &options, hex_bytes(CALL "0b0001 00000008 6162636465666768 00"),
                   &result);
    assert_int_equal(result.count, 1);
    assert_refused(&options, CALL "0b0001 0000000a 61626364656667686970 00", FRUGAL_SIZE, 19,
                   "invalid data: payload size(33) larger than the limit(32)");
    assert_refused(&options, CALL "0f0001 03 7fffffff 00", FRUGAL_SIZE, 20,
                   "invalid data: payload size(2147483671) larger than the limit(32)");
    assert_refused(&options, "80010001 00000100 61", FRUGAL_SIZE, 4,
                   "invalid data: payload size(268) larger than the limit(32)");
    assert_refused(NULL, CALL "0b0001 7fffffff", FRUGAL_SIZE, 19,
                   "invalid data: payload size(2147483670) larger than the limit(16777216)");
}

/* A field that opens `levels` structs below the arguments, each the field 1 of the one before. */
static frugal_bytes nested(unsigned levels)
{
    static uint8_t bytes[8192];
    frugal_bytes   head = hex_bytes(CALL);
    size_t         size = head.len;
    memcpy(bytes, head.ptr, head.len);
    for (unsigned i = 0; i < levels; i++, size += 3)
        memcpy(bytes + size, "\x0c\0\1", 3);
    memset(bytes + size, 0, levels + 1);
    return (frugal_bytes){ bytes, size + levels + 1 };
}

static void the_65th_level_is_refused_at_its_first_byte(void **state)
{
    (void)state;
    feed_every_way("63 in the arguments", NULL, nested(63), &result);
    assert_int_equal(result.status, FRUGAL_OK);
    feed_every_way("64 in the arguments", NULL, nested(64), &result);
    assert_int_equal(result.status, FRUGAL_DEPTH);
    assert_int_equal(result.error.offset, 16 + 64 * 3);
}

static void who_wants_more_levels_brings_room_for_them(void **state)
{
    static frame_level levels[1024];
    frame_options      options = { .depth_max = 1024 };
    frame_reader       reader;
    (void)state;
    assert_int_equal(frame_reader_init(&reader, &options, NULL), FRUGAL_INVALID);
    options.levels = levels;
    feed_every_way("1023", &options, nested(1023), &result);
    assert_int_equal(result.status, FRUGAL_OK);
    feed_every_way("1024", &options, nested(1024), &result);
    assert_int_equal(result.status, FRUGAL_DEPTH);
}

static void the_old_envelope_is_read_only_where_it_is_named(void **state)
{
    static const char   old[]  = "00000004 6563686f 01 00000007 00";
    const frame_options strict = { .framing = FRAME_BUFFERED, .strict_only = true };
    (void)state;
    feed_every_way(old, &buffered, hex_bytes(old), &result);
    assert_int_equal(result.status, FRUGAL_OK);
    assert_int_equal(result.messages[0].content, FRAME_PAYLOAD_OTHER);
    assert_refused(&strict, old, FRUGAL_VERSION, 0, "old envelope refused (strict_only)");
    assert_refused(NULL, old, FRUGAL_FRAME, 0,
                   "invalid payload (first4Bytes=0x4, second4Bytes=0x6563686f)");
}

/* ---- law ------------------------------------------------------------------------------------ */

enum { MESSAGES = 400, SPOILT = 1200 };

static void make_message(gen_random *random, gen_bytes *bytes)
{
    gen_bytes_append(bytes, hex_bytes(CALL).ptr, 16);
    gen_wire_value(random, bytes, FRUGAL_WIRE_STRUCT, 5);
}

static void a_walk_cut_anywhere_ends_where_skip_ends(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < MESSAGES; i++) {
        gen_random random = gen_random_for(gen_seed(), "frame.walk", i);
        gen_bytes  bytes  = { 0 };
        make_message(&random, &bytes);
        size_t first = bytes.len;
        make_message(&random, &bytes);
        feed_every_way("walk", NULL, (frugal_bytes){ bytes.data, bytes.len }, &result);
        assert_int_equal(result.status, FRUGAL_OK);
        assert_int_equal(result.count, 2);
        assert_int_equal(result.messages[0].bytes.len, first);
        gen_bytes_release(&bytes);
    }
}

/* What skip says to all bytes at once is what a walk says to them in pieces. Only a size that the
 * end of the bytes makes wrong is nothing to a walk, which may find a fault behind it. */
static void a_spoilt_message_fails_as_skip_says(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (uint32_t i = 0; i < SPOILT; i++) {
        gen_random random = gen_random_for(gen_seed(), "frame.spoilt", i);
        gen_bytes  bytes  = { 0 };
        make_message(&random, &bytes);
        gen_mutate(&random, &bytes);
        frugal_bytes   stream = { bytes.data, bytes.len };
        frugal_message message;
        frugal_error   error  = { .status = FRUGAL_OK };
        size_t         used   = 0;
        frugal_status  status = frugal_message_read(stream, NULL, &message, &used, &error);
        if (status == FRUGAL_OK) {
            frugal_bytes rest = { stream.ptr + used, stream.len - used };
            status            = frugal_skip(rest, FRUGAL_WIRE_STRUCT, NULL, NULL, &error);
            error.offset += used;
        }
        feed_every_way("spoilt", &buffered, stream, &result);
        if (status != FRUGAL_OK && stream.len > 0 && result.count == 0) {
            failed++;
            assert_int_not_equal(result.status, FRUGAL_OK);
            if (status == FRUGAL_SIZE && result.error.offset != error.offset) {
                assert_true(result.error.offset > error.offset);
            } else {
                assert_int_equal(result.status, status);
                assert_int_equal(result.error.offset, error.offset);
                if (status != FRUGAL_SIZE)
                    assert_string_equal(result.error.message, error.message);
            }
        } else {
            assert_true(result.count > 0 || stream.len == 0);
        }
        gen_bytes_release(&bytes);
    }
    assert_true(failed > SPOILT / 4);
}

/* Each piece is looked at a few times, however small the pieces: a quadratic walk through this
 * would take minutes, and the test's limit ends it. */
static void a_slow_sender_costs_no_more_than_a_fast_one(void **state)
{
    enum { FIELDS = 200000 };
    static frame_reader reader;
    size_t              size = 16 + 8 + (size_t)FIELDS * 9 + 1, need = 1;
    uint8_t            *bytes = malloc(size), *p = bytes;
    frame_message       message;
    (void)state;
    assert_non_null(bytes);
    memcpy(p, hex_bytes(CALL "0f0001 0b 00030d40").ptr, 24);
    p += 24;
    for (size_t i = 0; i < FIELDS; i++, p += 9)
        memcpy(p, "\0\0\0\5hello", 9);
    *p = 0;
    assert_int_equal(frame_reader_init(&reader, NULL, NULL), FRUGAL_OK);
    for (size_t have = 1; have <= size; have++) {
        assert_int_equal(frame_read(&reader, (frugal_bytes){ bytes, have }, &message, &need, NULL),
                         FRUGAL_OK);
        assert_true((need == 0) == (have == size));
    }
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_end_of_a_bare_message_is_found),
        cmocka_unit_test(every_type_is_walked_through),
        cmocka_unit_test(a_walk_needs_no_more_than_is_missing),
        cmocka_unit_test(what_no_more_bytes_can_mend_is_refused_at_once),
        cmocka_unit_test(what_the_end_leaves_open_has_the_words_of_wire),
        cmocka_unit_test(a_message_above_the_limit_is_refused_at_the_size_that_says_so),
        cmocka_unit_test(the_65th_level_is_refused_at_its_first_byte),
        cmocka_unit_test(who_wants_more_levels_brings_room_for_them),
        cmocka_unit_test(the_old_envelope_is_read_only_where_it_is_named),
        cmocka_unit_test(a_walk_cut_anywhere_ends_where_skip_ends),
        cmocka_unit_test(a_spoilt_message_fails_as_skip_says),
        cmocka_unit_test(a_slow_sender_costs_no_more_than_a_fast_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
