#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "wire/fault.h"

static const uint8_t input[8];

static void says(wire_fault_kind kind, uint64_t a, uint64_t b, uint64_t c, frugal_status status,
                 const char *sentence)
{
    wire_fault   fault;
    frugal_error error;
    memset(&error, 0xff, sizeof error);
    wire_fault_set(&fault, kind, input + 5, a, b, c);
    assert_int_equal(wire_fault_status(kind), status);
    assert_int_equal(wire_fault_report(&fault, input, &error), status);
    assert_int_equal(error.status, status);
    assert_string_equal(error.message, sentence);
    assert_int_equal(error.offset, 5);
    assert_string_equal(error.path, "");
    assert_int_equal(error.line, 0);
    assert_int_equal(wire_fault_report(&fault, input, NULL), status);
}

static void every_fault_has_its_status_and_sentence(void **state)
{
    (void)state;
    says(WIRE_FAULT_EOF, 38, 0, 0, FRUGAL_TRUNCATED, "unexpected EOF: 38 bytes short");
    says(WIRE_FAULT_EOF, 1, 0, 0, FRUGAL_TRUNCATED, "unexpected EOF: 1 byte short");
    says(WIRE_FAULT_LENGTH, 38, 0, 0, FRUGAL_SIZE, "unexpected EOF: 38 bytes short");
    says(WIRE_FAULT_NEGATIVE, UINT32_MAX, 0, 0, FRUGAL_NEGATIVE, "negative size: -1");
    says(WIRE_FAULT_NEGATIVE, UINT64_MAX, 0, 0, FRUGAL_NEGATIVE, "negative size: -1");
    says(WIRE_FAULT_NEGATIVE, 0x80000000, 0, 0, FRUGAL_NEGATIVE, "negative size: -2147483648");
    says(WIRE_FAULT_COUNT, 1, 1, 0, FRUGAL_SIZE, "1 element needs at least 1 byte, 0 left");
    says(WIRE_FAULT_COUNT, 3, 24, 5, FRUGAL_SIZE, "3 elements need at least 24 bytes, 5 left");
    says(WIRE_FAULT_TYPE, 1, 0, 0, FRUGAL_MALFORMED, "unknown wire type 1");
    says(WIRE_FAULT_FIELD, 11, 10, 0, FRUGAL_MISMATCH,
         "type mismatch: 11 expected, got 10 (string, i64)");
    says(WIRE_FAULT_ELEMENT, 12, 1, 0, FRUGAL_MISMATCH,
         "type mismatch: 12 expected, got 1 (struct, unknown)");
    says(WIRE_FAULT_DEPTH, 64, 0, 0, FRUGAL_DEPTH, "nested deeper than 64 levels (depth_max)");
    says(WIRE_FAULT_BUDGET, 100, 64, 0, FRUGAL_BUDGET,
         "needs 100 bytes of memory more, size_max is 64");
    says(WIRE_FAULT_MISSING, 7, 0, 0, FRUGAL_MISSING, "required field 7 is missing");
    says(WIRE_FAULT_MISSING, (uint64_t)(int64_t)-7, 0, 0, FRUGAL_MISSING,
         "required field -7 is missing");
    says(WIRE_FAULT_DUPLICATE, 2, 0, 0, FRUGAL_DUPLICATE, "entry 2 repeats an earlier one");
    says(WIRE_FAULT_UTF8, 9, 0, 0, FRUGAL_UTF8, "not UTF-8 at byte 9 of the string");
    says(WIRE_FAULT_VERSION, 0x80020001, 0, 0, FRUGAL_VERSION, "unknown version 0x80020001");
    says(WIRE_FAULT_OLD, 0, 0, 0, FRUGAL_VERSION, "old envelope refused (strict_only)");
    says(WIRE_FAULT_MESSAGE, 9, 0, 0, FRUGAL_MESSAGE_TYPE, "unknown message type 9");
    says(WIRE_FAULT_INPUT, UINT64_C(2147483648), 0, 0, FRUGAL_SIZE,
         "input of 2147483648 bytes, more than 2147483647");
    says(WIRE_FAULT_NOMEM, 10, 0, 0, FRUGAL_NOMEM, "no memory for 10 bytes");
}

static void no_fault_is_success_and_touches_nothing(void **state)
{
    (void)state;
    wire_fault   fault = { WIRE_FAULT_NONE, NULL, 0, 0, 0 };
    frugal_error error = { .status = FRUGAL_IO };
    assert_int_equal(wire_fault_report(&fault, input, &error), FRUGAL_OK);
    assert_int_equal(error.status, FRUGAL_IO);
}

static void the_largest_numbers_fit_into_the_sentence(void **state)
{
    (void)state;
    wire_fault   fault;
    frugal_error error;
    wire_fault_set(&fault, WIRE_FAULT_COUNT, NULL, UINT64_MAX, UINT64_MAX, UINT64_MAX);
    wire_fault_report(&fault, NULL, &error);
    assert_string_equal(error.message, "18446744073709551615 elements need at least "
                                       "18446744073709551615 bytes, 18446744073709551615 left");
    wire_fault_set(&fault, WIRE_FAULT_BUDGET, NULL, UINT64_MAX, UINT64_MAX, 0);
    wire_fault_report(&fault, NULL, &error);
    assert_true(strlen(error.message) < sizeof error.message - 1);
}

static void wire_types_have_names(void **state)
{
    (void)state;
    assert_string_equal(wire_type_name(8), "i32");
    assert_string_equal(wire_type_name(15), "list");
    assert_string_equal(wire_type_name(0), "unknown");
    assert_string_equal(wire_type_name(1), "unknown");
    assert_string_equal(wire_type_name(16), "unknown");
    assert_string_equal(wire_type_name(255), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fault_has_its_status_and_sentence),
        cmocka_unit_test(no_fault_is_success_and_touches_nothing),
        cmocka_unit_test(the_largest_numbers_fit_into_the_sentence),
        cmocka_unit_test(wire_types_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
