#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "frame/feed.h"
#include "support/hex.h"

#define PING "80010001 00000004 6563686f 00000007 00" /* 17 bytes */

static feed_result result;

/* The only message of a stream, read in every way. */
static const frame_message *read_one(const frame_options *options, const char *hex)
{
    feed_every_way(hex, options, hex_bytes(hex), &result);
    if (result.status != FRUGAL_OK || result.count != 1)
        fail_msg("%s: %zu messages, byte %zu: %s", hex, result.count, result.error.offset,
                 result.error.message);
    return &result.messages[0];
}

static void assert_refused(const frame_options *options, const char *hex, frugal_status status,
                           size_t offset, const char *message)
{
    feed_every_way(hex, options, hex_bytes(hex), &result);
    assert_string_equal(result.error.message, message);
    assert_int_equal(result.status, status);
    assert_int_equal(result.error.offset, offset);
}

static void assert_str(frugal_str text, const char *expected)
{
    assert_int_equal(text.len, strlen(expected));
    assert_memory_equal(text.ptr, expected, text.len);
}

/* ---- reading -------------------------------------------------------------------------------- */

static void items_are_read_in_their_order(void **state)
{
    static frame_info    items[8];
    const frame_message *message = read_one(
        NULL,
        "0000003b 1000 0001 00000007 0008 00 00 11 0003 746f6b 01 0001 0003 69736e 0003 537663 "
        "10 0001 0016 0001 31 000000" PING);
    (void)state;
    assert_int_equal(message->framing, FRAME_TTHEADER);
    assert_int_equal(message->content, FRAME_PAYLOAD_BINARY);
    assert_int_equal(message->header.flags, FRAME_FLAG_OUT_OF_ORDER);
    assert_int_equal(message->header.sequence_id, 7);
    assert_int_equal(message->payload_offset, 46);
    assert_int_equal(feed_items(&message->header, items, 8), 3);
    assert_int_equal(items[0].kind, FRAME_INFO_ACL);
    assert_str(items[0].value, "tok");
    assert_int_equal(items[1].kind, FRAME_INFO_STR);
    assert_str(items[1].key, "isn");
    assert_str(items[1].value, "Svc");
    assert_int_equal(items[2].kind, FRAME_INFO_INT);
    assert_int_equal(items[2].number, FRAME_KEY_MSG_TYPE);
    assert_str(items[2].value, "1");
    assert_null(frame_header_unused(&message->header));
    feed_assert_rebuilt("ordered", message);
}

static void of_several_values_of_a_key_the_last_counts(void **state)
{
    frugal_str           value = { NULL, 0 };
    const frame_message *message =
        read_one(NULL, "0000004b 1000 0000 00000000 000c 00 00 "
                       "01 0002 0001 6b 0001 31 0001 6b 0001 32 10 0002 0006 0001 61 0006 0001 62 "
                       "11 0001 78 11 0001 79 00000000 00000000 0000" PING);
    (void)state;
    assert_true(frame_info_str(&message->header, FRUGAL_STR("k"), &value));
    assert_str(value, "2");
    assert_true(frame_info_int(&message->header, 6, &value));
    assert_str(value, "b");
    assert_true(frame_info_str(&message->header, FRUGAL_STR(FRAME_ACL_KEY), &value));
    assert_str(value, "y");
    assert_false(frame_info_int(&message->header, 7, &value));
    assert_false(frame_info_str(&message->header, FRUGAL_STR("K"), NULL));
    assert_str(value, "y");
}

static void what_a_plain_list_cannot_say_is_named_and_still_rebuilt(void **state)
{
    static const struct {
        const char *info, *unused;
    } rows[] = {
        { "0004 00 00 0000 01 0001 0001 6b 0001 31 000000", "padding between info blocks" },
        { "0002 00 00 00000000 0000", "more padding than is needed" },
        { "0004 00 00 01 0001 0001 6b 0000 00000000 0000", "more padding than is needed" },
        { "0002 00 00 01 0000 000000", "an info block without pairs" },
        { "0003 00 00 10 0000 10 0001 0001 0000", "an info block without pairs" },
        { "0004 00 00 10 0001 0001 0000 10 0001 0002 0000",
          "two info blocks of one kind in a row" },
        { "0001 00 02 0102", "transform ids" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char         hex[512];
        frugal_bytes info = hex_bytes(rows[i].info);
        /* length = what is behind it: 8 and the words of the header and its size, 17 of payload. */
        snprintf(hex, sizeof hex, "%08zx 1000 0000 00000000 %s" PING, 8 + info.len + 17,
                 rows[i].info);
        const frame_message *message = read_one(NULL, hex);
        assert_non_null(frame_header_unused(&message->header));
        assert_string_equal(frame_header_unused(&message->header), rows[i].unused);
        feed_assert_rebuilt(hex, message);
    }
}

static void a_header_alone_is_a_message_without_payload(void **state)
{
    (void)state;
    const frame_message *message = read_one(NULL, "0000000e 1000 0000 00000005 0001 00 00 0000");
    assert_int_equal(message->content, FRAME_PAYLOAD_NONE);
    assert_int_equal(message->framing, FRAME_TTHEADER);
    message = read_one(NULL, "00000012 1000 0000 00000005 0001 00 00 0000 00000000");
    assert_int_equal(message->content, FRAME_PAYLOAD_NONE);
    assert_int_equal(message->framing, FRAME_TTHEADER_FRAMED);
    feed_assert_rebuilt("empty frame", message);
}

static void a_streaming_frame_holds_a_bare_struct(void **state)
{
    (void)state;
    const frame_message *message =
        read_one(NULL, "00000017 1000 0002 00000001 0003 10 00 10 0001 001b 0001 33 0000 00");
    frugal_str value;
    assert_int_equal(message->content, FRAME_PAYLOAD_STRUCT);
    assert_int_equal(message->payload.len, 1);
    assert_true(frame_info_int(&message->header, FRAME_KEY_FRAME_TYPE, &value));
    assert_str(value, "3");
    assert_null(frame_header_unused(&message->header));
    feed_assert_rebuilt("streaming", message);
}

static void protobuf_behind_a_header_is_recognised(void **state)
{
    (void)state;
    const frame_message *message =
        read_one(NULL, "0000001a 1000 0000 00000007 0001 00 00 0000 00000008 90010001 00000000");
    assert_int_equal(message->framing, FRAME_TTHEADER_FRAMED);
    assert_int_equal(message->content, FRAME_PAYLOAD_PROTOBUF);
}

/* ---- refusing ------------------------------------------------------------------------------- */

#define HEAD(length, words, rest) length " 1000 0000 00000000 " words " " rest PING

static void kitex_words_are_used_for_what_kitex_refuses(void **state)
{
    (void)state;
    assert_refused(NULL, HEAD("00000020", "0000", "00"), FRUGAL_HEADER, 12,
                   "invalid header length[0]");
    assert_refused(NULL, HEAD("0000001f", "0001", "02 00 0000"), FRUGAL_HEADER, 14,
                   "unsupported ProtocolID[2]");
    assert_refused(NULL, HEAD("0000001f", "0001", "00 ff 0000"), FRUGAL_HEADER, 15,
                   "need read 255 transformIDs, but not enough");
    assert_refused(NULL, HEAD("0000001f", "0001", "00 00 0900"), FRUGAL_HEADER, 16,
                   "ttHeader read kv info failed, invalid infoIDType[0x9]");
    assert_refused(NULL, HEAD("0000001f", "0001", "00 00 0001"), FRUGAL_HEADER, 18,
                   "ttHeader read kv info failed, error reading str kv info size: EOF");
    assert_refused(NULL, HEAD("00000023", "0002", "00 00 01 0001 0001 6b"), FRUGAL_HEADER, 19,
                   "ttHeader read kv info failed, error reading str kv info: EOF");
    assert_refused(NULL, HEAD("0000001f", "0001", "00 00 0010"), FRUGAL_HEADER, 18,
                   "ttHeader read kv info failed, error reading int kv info size: EOF");
    assert_refused(NULL, HEAD("00000023", "0002", "00 00 10 0001 0001 00"), FRUGAL_HEADER, 19,
                   "ttHeader read kv info failed, error reading int kv info: EOF");
    assert_refused(NULL, HEAD("00000023", "0002", "00 00 11 0004 616263"), FRUGAL_HEADER, 17,
                   "ttHeader read kv info failed, error reading acl token: EOF");
    assert_refused(&(frame_options){ .framing = FRAME_TTHEADER }, "00000033 20000000 " PING,
                   FRUGAL_FRAME, 4,
                   "not TTHeader protocol (first4Bytes=0x00000033, second4Bytes=0x20000000)");
}

static void lengths_that_contradict_each_other_are_refused(void **state)
{
    (void)state;
    assert_refused(NULL, HEAD("ffffffff", "0001", "00 00 0000"), FRUGAL_NEGATIVE, 0,
                   "negative size: -1");
    assert_refused(NULL, HEAD("0000000d", "0001", "00 00 0000"), FRUGAL_FRAME, 0,
                   "length 13 ends inside the header, which ends at byte 18");
    assert_refused(NULL, HEAD("00000023", "0001", "00 00 0000 00000010"), FRUGAL_FRAME, 18,
                   "a frame of 16 bytes in a payload of 21");
    assert_refused(NULL, HEAD("00000023", "0001", "00 00 0000 00000012"), FRUGAL_FRAME, 18,
                   "a frame of 18 bytes in a payload of 21");
    assert_refused(NULL, "00000011 1000 0000 00000000 0001 00 00 0000 000000", FRUGAL_FRAME, 18,
                   "a payload of 3 bytes is too short for a message");
    assert_refused(NULL, "00000016 1000 0000 00000000 0001 00 00 0000 5b312c22 6563686f",
                   FRUGAL_FRAME, 18,
                   "invalid payload (first4Bytes=0x5b312c22, second4Bytes=0x6563686f): this is "
                   "Thrift JSON");
}

static void limits_hold_before_the_bytes_have_come(void **state)
{
    frame_options small = { .message_max = 16, .header_max = 8, .info_max = 1 };
    (void)state;
    assert_refused(&small, "0000001f 1000 0000 00000000 0001", FRUGAL_SIZE, 0,
                   "invalid data: payload size(17) larger than the limit(16)");
    assert_refused(&small, "0000001f 1000 0000 00000000 0003", FRUGAL_SIZE, 12,
                   "header of 12 bytes, header_max is 8");
    assert_refused(NULL, "0fffffff 1000 0000 00000000 ffff", FRUGAL_SIZE, 12,
                   "header of 262140 bytes, header_max is 65536");
    small.header_max = 64;
    assert_refused(&small,
                   "0000001e 1000 0000 00000000 0004 00 00 10 0002 0001 0000 0002 0000 000000",
                   FRUGAL_SIZE, 23, "more than 1 items in a header (info_max)");
}

/* The test's limit ends a reader that looks at all of a header again for each byte behind it. */
static void a_header_is_checked_once_however_slowly_its_payload_comes(void **state)
{
    enum { BODY = 65536, PAYLOAD = 1 << 20, SIZE = 14 + BODY + PAYLOAD };
    static frame_reader reader;
    uint8_t            *bytes = calloc(1, SIZE); /* the header is padding alone */
    frame_message       message;
    size_t              need = 0;
    (void)state;
    assert_non_null(bytes);
    memcpy(bytes, hex_bytes("0011000a 1000 0000 00000000 4000").ptr, 14);
    memcpy(bytes + 14 + BODY, hex_bytes("80010001 00000004").ptr, 8);
    assert_int_equal(frame_reader_init(&reader, NULL, NULL), FRUGAL_OK);
    for (size_t have = 1; have <= SIZE; have++) {
        assert_int_equal(frame_read(&reader, (frugal_bytes){ bytes, have }, &message, &need, NULL),
                         FRUGAL_OK);
        assert_true((need == 0) == (have == SIZE));
    }
    free(bytes);
}

/* ---- mesh ----------------------------------------------------------------------------------- */

static void a_mesh_header_is_read_in_front_of_either_framing(void **state)
{
    frugal_str           value   = { NULL, 0 };
    const frame_message *message = read_one(NULL, "ffaf 0008 0001 0001 6b 0001 76 " PING);
    (void)state;
    assert_int_equal(message->framing, FRAME_MESH);
    assert_int_equal(message->payload.len, 17);
    assert_true(frame_info_str(&message->header, FRUGAL_STR("k"), &value));
    assert_str(value, "v");
    message = read_one(NULL, "ffaf 0002 0000 00000011 " PING);
    assert_int_equal(message->framing, FRAME_MESH_FRAMED);
    assert_int_equal(message->payload_offset, 10);
    assert_string_equal(frame_header_unused(&message->header), "a mesh header");
    assert_refused(NULL, "ffaf 0004 0001 0001 00000011", FRUGAL_HEADER, 6,
                   "meshHeader read kv info failed, error reading str kv info: EOF");
    assert_refused(NULL, "ffaf 0000 00000011", FRUGAL_HEADER, 4,
                   "meshHeader read kv info failed, error reading str kv info size: EOF");
    assert_refused(NULL, "ffaf 0002 0000 " PING "ff", FRUGAL_TRUNCATED, 23,
                   "unexpected EOF: 7 bytes short");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_are_read_in_their_order),
        cmocka_unit_test(of_several_values_of_a_key_the_last_counts),
        cmocka_unit_test(what_a_plain_list_cannot_say_is_named_and_still_rebuilt),
        cmocka_unit_test(a_header_alone_is_a_message_without_payload),
        cmocka_unit_test(a_streaming_frame_holds_a_bare_struct),
        cmocka_unit_test(protobuf_behind_a_header_is_recognised),
        cmocka_unit_test(kitex_words_are_used_for_what_kitex_refuses),
        cmocka_unit_test(lengths_that_contradict_each_other_are_refused),
        cmocka_unit_test(limits_hold_before_the_bytes_have_come),
        cmocka_unit_test(a_header_is_checked_once_however_slowly_its_payload_comes),
        cmocka_unit_test(a_mesh_header_is_read_in_front_of_either_framing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
