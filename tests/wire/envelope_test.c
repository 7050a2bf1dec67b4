#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <frugal/message.h>

#include "support/guard.h"
#include "support/hex.h"

static const frugal_message_options strict_only = { .strict_only = true };

static void is_text(frugal_str text, const char *expected)
{
    assert_int_equal(text.len, strlen(expected));
    assert_memory_equal(text.ptr, expected, text.len);
}

/* ---- reading --------------------------------------------------------------------------------- */

static void reads(const char *hex, size_t size, const char *name, frugal_message_type type,
                  int32_t sequence_id, bool old)
{
    frugal_bytes   input = hex_bytes(hex);
    frugal_message message;
    frugal_error   error;
    size_t         used = 0;
    memset(&message, 0xff, sizeof message);
    if (frugal_message_read(input, NULL, &message, &used, &error) != FRUGAL_OK)
        fail_msg("%s: %s", hex, error.message);
    assert_int_equal(used, size);
    is_text(message.name, name);
    assert_true((const uint8_t *)message.name.ptr > input.ptr);
    assert_int_equal(message.type, type);
    assert_int_equal(message.sequence_id, sequence_id);
    assert_int_equal(message.old, old);
}

static void fails(const char *hex, const frugal_message_options *options, frugal_status status,
                  size_t offset, const char *sentence)
{
    frugal_message message, before;
    frugal_error   error;
    size_t         used = 77;
    memset(&message, 0x5a, sizeof message);
    memcpy(&before, &message, sizeof message);
    assert_int_equal(frugal_message_read(hex_bytes(hex), options, &message, &used, &error), status);
    assert_string_equal(error.message, sentence);
    assert_int_equal(error.offset, offset);
    assert_int_equal(error.status, status);
    assert_int_equal(used, 77);
    assert_memory_equal(&message, &before, sizeof message);
    assert_int_equal(frugal_message_read(hex_bytes(hex), options, &message, NULL, NULL), status);
}

static void the_strict_envelope_is_read(void **state)
{
    (void)state;
    reads("80010001 00000004 6563686f 00000007 00", 16, "echo", FRUGAL_MESSAGE_CALL, 7, false);
    reads("80010002 00000004 6563686f 00000007", 16, "echo", FRUGAL_MESSAGE_REPLY, 7, false);
    reads("80010003 00000004 6563686f 00000007", 16, "echo", FRUGAL_MESSAGE_EXCEPTION, 7, false);
    reads("80010004 00000004 6563686f ffffffff", 16, "echo", FRUGAL_MESSAGE_ONEWAY, -1, false);
    reads("80010001 00000000 80000000", 12, "", FRUGAL_MESSAGE_CALL, INT32_MIN, false);
}

static void the_old_envelope_is_read(void **state)
{
    (void)state;
    reads("00000004 6563686f 01 00000007 00", 13, "echo", FRUGAL_MESSAGE_CALL, 7, true);
    reads("00000000 04 ffffffff", 9, "", FRUGAL_MESSAGE_ONEWAY, -1, true);
}

static void the_type_is_the_low_byte_and_the_one_before_is_kept(void **state)
{
    (void)state;
    frugal_message message;
    reads("80015501 00000004 70696e67 00000000 00", 16, "ping", FRUGAL_MESSAGE_CALL, 0, false);
    assert_int_equal(
        frugal_message_read(hex_bytes("80015502 00000000 00000001"), NULL, &message, NULL, NULL),
        FRUGAL_OK);
    assert_int_equal(message.reserved, 0x55);
    assert_int_equal(
        frugal_message_read(hex_bytes("00000000 02 00000001"), NULL, &message, NULL, NULL),
        FRUGAL_OK);
    assert_int_equal(message.reserved, 0);
}

static void other_versions_are_refused(void **state)
{
    (void)state;
    fails("80020001 00000004 70696e67 00000000", NULL, FRUGAL_VERSION, 0,
          "unknown version 0x80020001");
    fails("81010001 00000004 70696e67 00000000", NULL, FRUGAL_VERSION, 0,
          "unknown version 0x81010001");
    fails("ffff0001 00000004 70696e67 00000000", NULL, FRUGAL_VERSION, 0,
          "unknown version 0xffff0001");
    fails("80000001", NULL, FRUGAL_VERSION, 0, "unknown version 0x80000001");
    fails("82210704 6563686f 00", NULL, FRUGAL_VERSION, 0, "unknown version 0x82210704");
}

static void the_old_envelope_can_be_refused(void **state)
{
    (void)state;
    fails("00000004 70696e67 01 00000000 00", &strict_only, FRUGAL_VERSION, 0,
          "old envelope refused (strict_only)");
    fails("47455420 2f", &strict_only, FRUGAL_VERSION, 0, "old envelope refused (strict_only)");
    frugal_message message;
    assert_int_equal(frugal_message_read(hex_bytes("80010001 00000000 00000001"), &strict_only,
                                         &message, NULL, NULL),
                     FRUGAL_OK);
}

static void other_message_types_are_refused(void **state)
{
    (void)state;
    fails("80010000 00000004 70696e67 00000000", NULL, FRUGAL_MESSAGE_TYPE, 3,
          "unknown message type 0");
    fails("80010005 00000004 70696e67 00000000", NULL, FRUGAL_MESSAGE_TYPE, 3,
          "unknown message type 5");
    fails("800100ff 00000004 70696e67 00000000", NULL, FRUGAL_MESSAGE_TYPE, 3,
          "unknown message type 255");
    fails("00000004 70696e67 09 00000000", NULL, FRUGAL_MESSAGE_TYPE, 8, "unknown message type 9");
}

static void the_length_of_the_name_is_compared_before_all_else(void **state)
{
    (void)state;
    fails("80010001 ffffffff 70696e67 00000000", NULL, FRUGAL_NEGATIVE, 4, "negative size: -1");
    fails("80010001 7fffffff 70696e67 00000000", NULL, FRUGAL_SIZE, 4,
          "unexpected EOF: 2147483639 bytes short");
    fails("80010009 00000010 70696e67", NULL, FRUGAL_SIZE, 4, "unexpected EOF: 12 bytes short");
    fails("7fffffff 70696e67 01 00000000 00", NULL, FRUGAL_SIZE, 0,
          "unexpected EOF: 2147483637 bytes short");
    fails("47455420 2f20", NULL, FRUGAL_SIZE, 0, "unexpected EOF: 1195725854 bytes short");
}

static void check_truncations(const char *hex)
{
    frugal_bytes   whole = hex_bytes(hex);
    guard          page  = guard_new(whole.len);
    frugal_message message;
    for (size_t len = 0; len < whole.len; len++) {
        frugal_bytes  cut = { guard_put(&page, whole.ptr, len), len };
        frugal_error  error;
        frugal_status status = frugal_message_read(cut, NULL, &message, NULL, &error);
        assert_true(status == FRUGAL_TRUNCATED || status == FRUGAL_SIZE);
        assert_true(error.offset <= len);
    }
    frugal_bytes all = { guard_put(&page, whole.ptr, whole.len), whole.len };
    assert_int_equal(frugal_message_read(all, NULL, &message, NULL, NULL), FRUGAL_OK);
    guard_free(&page);
}

static void every_truncation_fails_and_reads_nothing_behind(void **state)
{
    (void)state;
    check_truncations("80010001 00000004 6563686f 00000007");
    check_truncations("00000004 6563686f 01 00000007");
    check_truncations("80010001 00000000 00000007");
    fails("", NULL, FRUGAL_TRUNCATED, 0, "unexpected EOF: 4 bytes short");
    fails("8001", NULL, FRUGAL_TRUNCATED, 0, "unexpected EOF: 2 bytes short");
    fails("80010001", NULL, FRUGAL_TRUNCATED, 4, "unexpected EOF: 4 bytes short");
    fails("80010001 00000004 6563686f 000000", NULL, FRUGAL_TRUNCATED, 12,
          "unexpected EOF: 1 byte short");
    fails("00000004 6563686f 01", NULL, FRUGAL_TRUNCATED, 8, "unexpected EOF: 4 bytes short");
}

/* ---- writing --------------------------------------------------------------------------------- */

static void writes(const frugal_message *message, const char *hex)
{
    uint8_t    storage[64];
    frugal_buf out;
    frugal_buf_init(&out, storage, sizeof storage, NULL);
    assert_int_equal(frugal_buf_append(&out, "before", 6), FRUGAL_OK);
    assert_int_equal(frugal_message_write(message, NULL, &out, NULL), FRUGAL_OK);
    frugal_bytes expected = hex_bytes(hex);
    assert_int_equal(out.size, 6 + expected.len);
    assert_memory_equal(out.data + 6, expected.ptr, expected.len);
    frugal_buf_release(&out);
}

static void both_envelopes_are_written(void **state)
{
    (void)state;
    frugal_message message = { FRUGAL_STR("echo"), FRUGAL_MESSAGE_CALL, 7, false, 0 };
    writes(&message, "80010001 00000004 6563686f 00000007");
    message.reserved = 0x55;
    writes(&message, "80015501 00000004 6563686f 00000007");
    message.old = true;
    writes(&message, "00000004 6563686f 01 00000007");
    message = (frugal_message){ .type = FRUGAL_MESSAGE_ONEWAY, .sequence_id = -1 };
    writes(&message, "80010004 00000000 ffffffff");
}

static void what_is_written_is_read_back(void **state)
{
    char       name[300];
    frugal_buf out;
    (void)state;
    memset(name, 'n', sizeof name);
    frugal_buf_init(&out, NULL, 0, NULL);
    for (size_t len = 0; len < sizeof name; len++) {
        frugal_message message = { { name, len },
                                   (frugal_message_type)(1 + len % 4),
                                   (int32_t)(len * 0x9e3779b9u),
                                   len % 3 == 0,
                                   0 };
        frugal_message read;
        size_t         used;
        out.size = 0;
        assert_int_equal(frugal_message_write(&message, NULL, &out, NULL), FRUGAL_OK);
        assert_int_equal(frugal_message_read(frugal_buf_bytes(&out), NULL, &read, &used, NULL),
                         FRUGAL_OK);
        assert_int_equal(used, out.size);
        assert_int_equal(read.name.len, len);
        assert_memory_equal(read.name.ptr, name, len);
        assert_int_equal(read.type, message.type);
        assert_int_equal(read.sequence_id, message.sequence_id);
        assert_int_equal(read.old, message.old);
    }
    frugal_buf_release(&out);
}

static void a_failed_write_leaves_the_buffer_as_it_was(void **state)
{
    uint8_t storage[64];
    (void)state;
    frugal_message message = { FRUGAL_STR("echo"), FRUGAL_MESSAGE_CALL, 7, false, 0 };
    frugal_error   error;
    for (size_t capacity = 0; capacity <= 16; capacity++) {
        frugal_buf out;
        memset(storage, 0x77, sizeof storage);
        frugal_buf_init_fixed(&out, storage, capacity);
        frugal_status status = frugal_message_write(&message, NULL, &out, &error);
        assert_int_equal(status, capacity < 16 ? FRUGAL_NOSPACE : FRUGAL_OK);
        assert_int_equal(out.size, capacity < 16 ? 0 : 16);
        for (size_t i = capacity; i < sizeof storage; i++)
            assert_int_equal(storage[i], 0x77);
        if (capacity == 13)
            assert_string_equal(error.message, "output buffer is 3 bytes short");
    }
}

static void wrong_messages_are_not_written(void **state)
{
    uint8_t storage[64];
    (void)state;
    frugal_buf             out;
    frugal_message         message = { FRUGAL_STR("echo"), FRUGAL_MESSAGE_CALL, 7, false, 0 };
    frugal_message         bad;
    frugal_message_options odd = { .protocol = (frugal_protocol)9 };
    frugal_buf_init_fixed(&out, storage, sizeof storage);
    for (int type = -1; type < 300; type++) {
        bad      = message;
        bad.type = (frugal_message_type)type;
        if (type < 1 || type > 4)
            assert_int_equal(frugal_message_write(&bad, NULL, &out, NULL), FRUGAL_INVALID);
    }
    bad          = message;
    bad.name.ptr = NULL;
    assert_int_equal(frugal_message_write(&bad, NULL, &out, NULL), FRUGAL_INVALID);
    bad          = message;
    bad.name.len = (size_t)INT32_MAX + 1;
    assert_int_equal(frugal_message_write(&bad, NULL, &out, NULL), FRUGAL_SIZE);
    assert_int_equal(frugal_message_write(&message, &odd, &out, NULL), FRUGAL_INVALID);
    assert_int_equal(frugal_message_write(NULL, NULL, &out, NULL), FRUGAL_INVALID);
    assert_int_equal(frugal_message_write(&message, NULL, NULL, NULL), FRUGAL_INVALID);
    assert_int_equal(out.size, 0);
}

static void wrong_arguments_of_reading_are_invalid(void **state)
{
    (void)state;
    frugal_message               message;
    frugal_application_exception exception;
    frugal_message_options       odd     = { .protocol = (frugal_protocol)9 };
    frugal_bytes                 nothing = { NULL, 4 }, empty = { NULL, 0 }, some = hex_bytes("00");
    assert_int_equal(frugal_message_read(nothing, NULL, &message, NULL, NULL), FRUGAL_INVALID);
    assert_int_equal(frugal_message_read(some, &odd, &message, NULL, NULL), FRUGAL_INVALID);
    assert_int_equal(frugal_message_read(some, NULL, NULL, NULL, NULL), FRUGAL_INVALID);
    assert_int_equal(frugal_message_read(empty, NULL, &message, NULL, NULL), FRUGAL_TRUNCATED);
    assert_int_equal(frugal_application_exception_read(nothing, NULL, &exception, NULL, NULL),
                     FRUGAL_INVALID);
    assert_int_equal(frugal_application_exception_read(some, &odd, &exception, NULL, NULL),
                     FRUGAL_INVALID);
    assert_int_equal(frugal_application_exception_read(some, NULL, NULL, NULL, NULL),
                     FRUGAL_INVALID);
    assert_int_equal(frugal_application_exception_read(empty, NULL, &exception, NULL, NULL),
                     FRUGAL_TRUNCATED);
}

/* ---- application exception ------------------------------------------------------------------- */

static void reads_exception(const char *hex, const char *message, int32_t type)
{
    frugal_application_exception exception;
    size_t                       used  = 0;
    frugal_bytes                 input = hex_bytes(hex);
    frugal_error                 error;
    memset(&exception, 0xff, sizeof exception);
    if (frugal_application_exception_read(input, NULL, &exception, &used, &error) != FRUGAL_OK)
        fail_msg("%s: %s", hex, error.message);
    assert_int_equal(used, input.len);
    assert_int_equal(exception.message.len, strlen(message));
    if (exception.message.len)
        assert_memory_equal(exception.message.ptr, message, exception.message.len);
    assert_int_equal(exception.type, type);
}

static void exceptions_are_read(void **state)
{
    (void)state;
    reads_exception("0b 0001 00000003 626f6f 08 0002 00000006 00", "boo", 6);
    reads_exception("08 0002 ffffffff 0b 0001 00000003 626f6f 00", "boo", -1);
    reads_exception("00", "", 0);
    reads_exception("08 0002 00000001 00", "", 1);
    reads_exception("0b 0001 00000001 61 0b 0001 00000001 62 00", "b", 0);
}

static void other_fields_of_an_exception_are_skipped(void **state)
{
    (void)state;
    reads_exception("0b 0003 00000001 61 0c 0004 0f 0001 0b 00000001 00000000 00"
                    "0b 0001 00000001 62 08 0002 00000001 00",
                    "b", 1);
    reads_exception("08 0001 00000001 0b 0002 00000001 61 00", "", 0);
    reads_exception("0b 0101 00000001 61 08 0202 00000001 00", "", 0);
}

static void fails_exception(const char *hex, frugal_status status, size_t offset)
{
    frugal_application_exception exception = { { NULL, 5 }, 9 };
    frugal_error                 error;
    size_t                       used = 77;
    assert_int_equal(
        frugal_application_exception_read(hex_bytes(hex), NULL, &exception, &used, &error), status);
    assert_int_equal(error.offset, offset);
    assert_int_equal(exception.type, 9);
    assert_int_equal(exception.message.len, 5);
    assert_int_equal(used, 77);
}

static void broken_exceptions_fail_as_skip_does(void **state)
{
    (void)state;
    fails_exception("", FRUGAL_TRUNCATED, 0);
    fails_exception("0b 00", FRUGAL_TRUNCATED, 0);
    fails_exception("0b 0001 0000", FRUGAL_TRUNCATED, 3);
    fails_exception("0b 0001 00000009 61", FRUGAL_SIZE, 3);
    fails_exception("0b 0001 ffffffff 61", FRUGAL_NEGATIVE, 3);
    fails_exception("08 0002 0000", FRUGAL_TRUNCATED, 3);
    fails_exception("08 0002 00000001", FRUGAL_TRUNCATED, 7);
    fails_exception("01 0002 00000001", FRUGAL_MALFORMED, 0);
    fails_exception("02 0009 00 f1 0002 00000001", FRUGAL_MALFORMED, 4);
    fails_exception("0f 0003 01 00000001 00 00", FRUGAL_MALFORMED, 3);
    char hex[70 * 8] = "";
    for (int i = 0; i < 64; i++)
        strcat(hex, "0c0005");
    fails_exception(hex, FRUGAL_DEPTH, 192);
}

static void every_truncation_of_an_exception_fails(void **state)
{
    (void)state;
    frugal_bytes whole = hex_bytes("0b 0001 00000003 626f6f 0a 0007 0000000000000000"
                                   "08 0002 00000006 00");
    guard        page  = guard_new(whole.len);
    frugal_application_exception exception;
    for (size_t len = 0; len < whole.len; len++) {
        frugal_bytes cut = { guard_put(&page, whole.ptr, len), len };
        assert_int_not_equal(frugal_application_exception_read(cut, NULL, &exception, NULL, NULL),
                             FRUGAL_OK);
    }
    guard_free(&page);
}

static void an_exception_is_written_with_both_fields(void **state)
{
    uint8_t storage[64];
    (void)state;
    frugal_buf                   out;
    frugal_application_exception exception = { FRUGAL_STR("boo"), 6 };
    frugal_buf_init_fixed(&out, storage, 18);
    assert_int_equal(frugal_application_exception_write(&exception, NULL, &out, NULL), FRUGAL_OK);
    frugal_bytes expected = hex_bytes("0b 0001 00000003 626f6f 08 0002 00000006 00");
    assert_int_equal(out.size, expected.len);
    assert_memory_equal(out.data, expected.ptr, out.size);
    assert_int_equal(frugal_application_exception_write(&exception, NULL, &out, NULL),
                     FRUGAL_NOSPACE);
    assert_int_equal(out.size, expected.len);

    out.size  = 0;
    exception = (frugal_application_exception){ { NULL, 0 }, -1 };
    assert_int_equal(frugal_application_exception_write(&exception, NULL, &out, NULL), FRUGAL_OK);
    expected = hex_bytes("0b 0001 00000000 08 0002 ffffffff 00");
    assert_int_equal(out.size, expected.len);
    assert_memory_equal(out.data, expected.ptr, out.size);

    exception.message.len = 1;
    assert_int_equal(frugal_application_exception_write(&exception, NULL, &out, NULL),
                     FRUGAL_INVALID);
    exception.message = (frugal_str){ "x", (size_t)INT32_MAX + 1 };
    assert_int_equal(frugal_application_exception_write(&exception, NULL, &out, NULL), FRUGAL_SIZE);
    assert_int_equal(out.size, expected.len);
}

static void every_number_of_an_exception_has_a_text(void **state)
{
    (void)state;
    assert_string_equal(frugal_application_exception_text(0), "unknown application exception");
    assert_string_equal(frugal_application_exception_text(1), "unknown method");
    assert_string_equal(frugal_application_exception_text(6), "unknown internal error");
    assert_string_equal(frugal_application_exception_text(10), "Unsupported client type");
    assert_string_equal(frugal_application_exception_text(11), "unknown exception type");
    assert_string_equal(frugal_application_exception_text(-1), "unknown exception type");
    assert_string_equal(frugal_application_exception_text(INT32_MIN), "unknown exception type");
    assert_string_equal(frugal_application_exception_text(INT32_MAX), "unknown exception type");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_strict_envelope_is_read),
        cmocka_unit_test(the_old_envelope_is_read),
        cmocka_unit_test(the_type_is_the_low_byte_and_the_one_before_is_kept),
        cmocka_unit_test(other_versions_are_refused),
        cmocka_unit_test(the_old_envelope_can_be_refused),
        cmocka_unit_test(other_message_types_are_refused),
        cmocka_unit_test(the_length_of_the_name_is_compared_before_all_else),
        cmocka_unit_test(every_truncation_fails_and_reads_nothing_behind),
        cmocka_unit_test(both_envelopes_are_written),
        cmocka_unit_test(what_is_written_is_read_back),
        cmocka_unit_test(a_failed_write_leaves_the_buffer_as_it_was),
        cmocka_unit_test(wrong_messages_are_not_written),
        cmocka_unit_test(wrong_arguments_of_reading_are_invalid),
        cmocka_unit_test(exceptions_are_read),
        cmocka_unit_test(other_fields_of_an_exception_are_skipped),
        cmocka_unit_test(broken_exceptions_fail_as_skip_does),
        cmocka_unit_test(every_truncation_of_an_exception_fails),
        cmocka_unit_test(an_exception_is_written_with_both_fields),
        cmocka_unit_test(every_number_of_an_exception_has_a_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
