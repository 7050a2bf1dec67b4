/* codec/message_roundtrip_test.c - a whole call as it travels: envelope and arguments, written,
 * read, answered. */
#include "codec/codec_check.h"

struct echo_args {
    frugal_str           text;
    FRUGAL_LIST(int32_t) numbers;
};
FRUGAL_STRUCT_LOCAL(echo_args,
    FRUGAL_FIELD(echo_args, text, 1),
    FRUGAL_FIELD(echo_args, numbers, 2, optional, list(i32)));
struct echo_result {
    frugal_str success;
};
FRUGAL_STRUCT_LOCAL(echo_result, FRUGAL_FIELD(echo_result, success, 0, optional, string));

static frugal_buf write_message(frugal_message_type type, int32_t sequence_id, frugal_view body)
{
    frugal_message message = { FRUGAL_STR("echo"), type, sequence_id, false, 0 };
    frugal_buf     out;
    frugal_buf_init(&out, NULL, 0, NULL);
    assert_int_equal(frugal_message_write(&message, NULL, &out, &check.error), FRUGAL_OK);
    assert_int_equal(frugal_encode(body, NULL, &out, &check.error), FRUGAL_OK);
    return out;
}

static frugal_message read_message(const frugal_buf *in, frugal_ref body)
{
    frugal_message message = { 0 };
    size_t         head = 0, used = 0;
    assert_int_equal(frugal_message_read(frugal_buf_bytes(in), NULL, &message, &head, &check.error),
                     FRUGAL_OK);
    frugal_bytes rest = { in->data + head, in->size - head };
    assert_int_equal(frugal_decode(body, rest, check.arena, NULL, &used, &check.error), FRUGAL_OK);
    assert_int_equal(head + used, in->size);
    return message;
}

static void a_call_is_read_as_it_was_written(void **state)
{
    static const uint8_t expected[] = {
        0x80, 1, 0, 1, 0, 0, 0, 4,   'e', 'c', 'h', 'o', 0, 0, 0, 7, /* strict call echo 7 */
        11,   0, 1, 0, 0, 0, 2, 'h', 'i', 15,  0,   2,   8, 0, 0, 0, 1, 0, 0, 0, 5, /* arguments */
        0,
    };
    int32_t          numbers[] = { 5 };
    struct echo_args sent      = { FRUGAL_STR("hi"), FRUGAL_ARRAY(numbers) }, came;
    frugal_buf       wire = write_message(FRUGAL_MESSAGE_CALL, 7, FRUGAL_VIEW(echo_args, &sent));
    (void)state;
    assert_int_equal(wire.size, sizeof expected);
    assert_memory_equal(wire.data, expected, sizeof expected);
    frugal_message message = read_message(&wire, FRUGAL_REF(echo_args, &came));
    assert_true(message.type == FRUGAL_MESSAGE_CALL && message.sequence_id == 7 && !message.old);
    assert_memory_equal(message.name.ptr, "echo", 4);
    assert_true(frugal_equal(FRUGAL_VIEW(echo_args, &sent), FRUGAL_VIEW(echo_args, &came)));
    frugal_buf_release(&wire);
}

static void a_reply_has_its_result_in_field_0(void **state)
{
    struct echo_result sent = { FRUGAL_STR("hi") }, came;
    frugal_buf wire = write_message(FRUGAL_MESSAGE_REPLY, -1, FRUGAL_VIEW(echo_result, &sent));
    (void)state;
    frugal_message message = read_message(&wire, FRUGAL_REF(echo_result, &came));
    assert_true(message.type == FRUGAL_MESSAGE_REPLY && message.sequence_id == -1);
    assert_int_equal(came.success.len, 2);
    frugal_buf_release(&wire);
}

static void the_body_behind_an_envelope_can_be_skipped(void **state)
{
    struct echo_args sent = { .text = FRUGAL_STR("hi") };
    frugal_buf       wire = write_message(FRUGAL_MESSAGE_ONEWAY, 0, FRUGAL_VIEW(echo_args, &sent));
    frugal_message   message;
    size_t           head, used;
    (void)state;
    assert_int_equal(frugal_message_read(frugal_buf_bytes(&wire), NULL, &message, &head, NULL),
                     FRUGAL_OK);
    frugal_bytes rest = { wire.data + head, wire.size - head };
    assert_int_equal(frugal_skip(rest, FRUGAL_WIRE_STRUCT, NULL, &used, NULL), FRUGAL_OK);
    assert_int_equal(head + used, wire.size);
    frugal_buf_release(&wire);
}

static void an_exception_is_read_instead_of_a_result(void **state)
{
    frugal_application_exception sent = { FRUGAL_STR("unknown method foo"), 1 }, came = { 0 };
    frugal_message head = { FRUGAL_STR("foo"), FRUGAL_MESSAGE_EXCEPTION, 3, false, 0 }, message;
    frugal_buf     wire;
    size_t         used, body;
    (void)state;
    frugal_buf_init(&wire, NULL, 0, NULL);
    assert_int_equal(frugal_message_write(&head, NULL, &wire, NULL), FRUGAL_OK);
    assert_int_equal(frugal_application_exception_write(&sent, NULL, &wire, NULL), FRUGAL_OK);
    assert_int_equal(frugal_message_read(frugal_buf_bytes(&wire), NULL, &message, &used, NULL),
                     FRUGAL_OK);
    assert_int_equal(message.type, FRUGAL_MESSAGE_EXCEPTION);
    frugal_bytes rest = { wire.data + used, wire.size - used };
    assert_int_equal(frugal_application_exception_read(rest, NULL, &came, &body, NULL), FRUGAL_OK);
    assert_true(came.type == 1 && came.message.len == sent.message.len);
    assert_int_equal(used + body, wire.size);
    frugal_buf_release(&wire);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_is_read_as_it_was_written),
        cmocka_unit_test(a_reply_has_its_result_in_field_0),
        cmocka_unit_test(the_body_behind_an_envelope_can_be_skipped),
        cmocka_unit_test(an_exception_is_read_instead_of_a_result),
    };
    return cmocka_run_group_tests_name("codec: messages", tests, check_set_up, check_tear_down);
}
