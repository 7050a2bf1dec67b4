#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/guard.h"
#include "support/hex.h"
#include "wire/binary.h"

/* ---- asking ---------------------------------------------------------------------------------- */

static void skips(frugal_wire_type type, const char *hex, size_t expected)
{
    size_t       used = SIZE_MAX;
    frugal_error error;
    if (frugal_skip(hex_bytes(hex), type, NULL, &used, &error) != FRUGAL_OK)
        fail_msg("%s: %s at %zu", hex, error.message, error.offset);
    assert_int_equal(used, expected);
}

static void fails(frugal_wire_type type, const char *hex, frugal_status status, size_t offset,
                  const char *sentence)
{
    size_t       used = 77;
    frugal_error error;
    assert_int_equal(frugal_skip(hex_bytes(hex), type, NULL, &used, &error), status);
    assert_int_equal(used, 77);
    assert_int_equal(error.status, status);
    assert_string_equal(error.message, sentence);
    assert_int_equal(error.offset, offset);
    assert_int_equal(frugal_skip(hex_bytes(hex), type, NULL, NULL, NULL), status);
}

/* A struct with every type in it, alone and inside others. */
static const char *const sample =
    "02 0001 01"
    "03 0002 ff"
    "06 0003 fffe"
    "08 0004 00000001"
    "0a 0005 8000000000000000"
    "04 0006 3ff8000000000000"
    "0b 0007 00000003 616263"
    "0b 0008 00000000"
    "0c 0009 08 0001 00000005 00"
    "0f 000a 08 00000002 00000001 00000002"
    "0e 000b 0b 00000002 00000001 61 00000002 6263"
    "0d 000c 0b 0a 00000001 00000001 6b 0000000000000001"
    "0d 000d 08 06 00000002 00000001 0001 00000002 0002"
    "0f 000e 0c 00000003 00 0b 0001 00000001 78 00 00"
    "0f 000f 0f 00000002 02 00000001 01 00 00000000"
    "0d 0010 08 0d 00000001 00000007 03 0c 00000001 09 08 0001 00000001 00"
    "0d 0011 0c 0e 00000001 00 06 00000003 0001 0002 0003"
    "0f fff1 0d 00000001 00 00 00000000"
    "00";

/* ---- what is passed -------------------------------------------------------------------------- */

static void skip_passes_every_type(void **state)
{
    (void)state;
    skips(FRUGAL_WIRE_BOOL, "01", 1);
    skips(FRUGAL_WIRE_BOOL, "ff", 1);
    skips(FRUGAL_WIRE_I8, "80", 1);
    skips(FRUGAL_WIRE_I16, "8000", 2);
    skips(FRUGAL_WIRE_I32, "80000000", 4);
    skips(FRUGAL_WIRE_I64, "8000000000000000", 8);
    skips(FRUGAL_WIRE_DOUBLE, "7ff8000000000001", 8);
    skips(FRUGAL_WIRE_STRING, "00000000", 4);
    skips(FRUGAL_WIRE_STRING, "00000002 0000", 6);
    skips(FRUGAL_WIRE_STRUCT, "00", 1);
    skips(FRUGAL_WIRE_STRUCT, "08 0001 00000001 00", 8);
    skips(FRUGAL_WIRE_LIST, "0a 00000001 0000000000000000", 13);
    skips(FRUGAL_WIRE_SET, "0b 00000001 00000000", 9);
    skips(FRUGAL_WIRE_MAP, "0b 02 00000001 00000000 00", 11);
    frugal_bytes bytes = hex_bytes(sample);
    skips(FRUGAL_WIRE_STRUCT, sample, bytes.len);
}

static void skip_leaves_what_is_behind_alone(void **state)
{
    (void)state;
    skips(FRUGAL_WIRE_I32, "00000001 ffffffff", 4);
    skips(FRUGAL_WIRE_STRING, "00000001 61 62", 5);
    skips(FRUGAL_WIRE_STRUCT, "00 ff", 1);
    skips(FRUGAL_WIRE_LIST, "08 00000000 00000001", 5);
}

static void an_empty_container_may_name_any_type(void **state)
{
    (void)state;
    for (int type = 0; type < 256; type++) {
        uint8_t bytes[6] = { (uint8_t)type, 0, 0, 0, 0, 0 };
        size_t  used     = 0;
        assert_int_equal(
            frugal_skip((frugal_bytes){ bytes, 5 }, FRUGAL_WIRE_LIST, NULL, &used, NULL),
            FRUGAL_OK);
        assert_int_equal(used, 5);
        bytes[1] = (uint8_t)(type * 7);
        assert_int_equal(
            frugal_skip((frugal_bytes){ bytes, 6 }, FRUGAL_WIRE_MAP, NULL, &used, NULL), FRUGAL_OK);
        assert_int_equal(used, 6);
    }
}

static void two_thousand_empty_siblings_are_one_level(void **state)
{
    (void)state;
    enum { count = 2000 };
    static uint8_t        list[5 + count] = { FRUGAL_WIRE_STRUCT, 0, 0, count >> 8, count & 255 };
    static uint8_t        fields[count * 4 + 1];
    size_t                used = 0;
    frugal_decode_options two  = { .depth_max = 2 };
    assert_int_equal(
        frugal_skip((frugal_bytes){ list, sizeof list }, FRUGAL_WIRE_LIST, &two, &used, NULL),
        FRUGAL_OK);
    assert_int_equal(used, sizeof list);
    for (size_t i = 0; i < count; i++)
        memcpy(fields + 4 * i, "\x0c\x00\x01\x00", 4);
    assert_int_equal(
        frugal_skip((frugal_bytes){ fields, sizeof fields }, FRUGAL_WIRE_STRUCT, &two, &used, NULL),
        FRUGAL_OK);
    assert_int_equal(used, sizeof fields);
}

/* ---- what is cut ----------------------------------------------------------------------------- */

static void every_truncation_fails_and_reads_nothing_behind(void **state)
{
    (void)state;
    frugal_bytes whole = hex_bytes(sample);
    guard        page  = guard_new(whole.len);
    for (size_t len = 0; len <= whole.len; len++) {
        frugal_bytes  cut = { guard_put(&page, whole.ptr, len), len };
        frugal_error  error;
        size_t        used   = 77;
        frugal_status status = frugal_skip(cut, FRUGAL_WIRE_STRUCT, NULL, &used, &error);
        if (len == whole.len) {
            assert_int_equal(status, FRUGAL_OK);
            assert_int_equal(used, len);
            break;
        }
        assert_true(status == FRUGAL_TRUNCATED || status == FRUGAL_SIZE);
        assert_true(error.offset <= len);
        assert_true(error.message[0] != '\0');
        assert_int_equal(used, 77);
    }
    guard_free(&page);
}

static void a_cut_says_where_and_how_much(void **state)
{
    (void)state;
    fails(FRUGAL_WIRE_I32, "0000", FRUGAL_TRUNCATED, 0, "unexpected EOF: 2 bytes short");
    fails(FRUGAL_WIRE_I64, "", FRUGAL_TRUNCATED, 0, "unexpected EOF: 8 bytes short");
    fails(FRUGAL_WIRE_STRING, "000000", FRUGAL_TRUNCATED, 0, "unexpected EOF: 1 byte short");
    fails(FRUGAL_WIRE_STRUCT, "", FRUGAL_TRUNCATED, 0, "unexpected EOF: 1 byte short");
    fails(FRUGAL_WIRE_STRUCT, "08 00", FRUGAL_TRUNCATED, 0, "unexpected EOF: 1 byte short");
    fails(FRUGAL_WIRE_STRUCT, "08 0001 0000", FRUGAL_TRUNCATED, 3, "unexpected EOF: 2 bytes short");
    fails(FRUGAL_WIRE_STRUCT, "08 0001 00000000", FRUGAL_TRUNCATED, 7,
          "unexpected EOF: 1 byte short");
    fails(FRUGAL_WIRE_LIST, "08 0000", FRUGAL_TRUNCATED, 0, "unexpected EOF: 2 bytes short");
    fails(FRUGAL_WIRE_MAP, "08 08 0000", FRUGAL_TRUNCATED, 0, "unexpected EOF: 2 bytes short");
    fails(FRUGAL_WIRE_MAP, "0b 08 00000001 00000003 61 62 63 0000", FRUGAL_TRUNCATED, 13,
          "unexpected EOF: 2 bytes short");
}

static void a_text_longer_than_the_input_is_a_wrong_size(void **state)
{
    (void)state;
    fails(FRUGAL_WIRE_STRING, "0000002a 61626364", FRUGAL_SIZE, 0,
          "unexpected EOF: 38 bytes short");
    fails(FRUGAL_WIRE_STRING, "7fffffff", FRUGAL_SIZE, 0, "unexpected EOF: 2147483647 bytes short");
    fails(FRUGAL_WIRE_STRUCT, "0b 0001 7fffffff 61", FRUGAL_SIZE, 3,
          "unexpected EOF: 2147483646 bytes short");
    fails(FRUGAL_WIRE_LIST, "0b 00000001 00000001", FRUGAL_SIZE, 5, "unexpected EOF: 1 byte short");
}

/* ---- what is hostile ------------------------------------------------------------------------- */

static void negative_sizes_are_refused_at_the_size(void **state)
{
    (void)state;
    fails(FRUGAL_WIRE_STRING, "ffffffff", FRUGAL_NEGATIVE, 0, "negative size: -1");
    fails(FRUGAL_WIRE_STRING, "80000000", FRUGAL_NEGATIVE, 0, "negative size: -2147483648");
    fails(FRUGAL_WIRE_LIST, "08 ffffffff", FRUGAL_NEGATIVE, 1, "negative size: -1");
    fails(FRUGAL_WIRE_SET, "00 ffffffff", FRUGAL_NEGATIVE, 1, "negative size: -1");
    fails(FRUGAL_WIRE_MAP, "08 08 fffffffe", FRUGAL_NEGATIVE, 2, "negative size: -2");
    fails(FRUGAL_WIRE_STRUCT, "0d 0001 0b 0b 80000000 00", FRUGAL_NEGATIVE, 5,
          "negative size: -2147483648");
    fails(FRUGAL_WIRE_LIST, "0b 00000001 fffffff0", FRUGAL_NEGATIVE, 5, "negative size: -16");
}

static void counts_are_compared_with_what_is_left_before_any_loop(void **state)
{
    (void)state;
    fails(FRUGAL_WIRE_LIST, "0a 00000003 0000000000", FRUGAL_SIZE, 1,
          "3 elements need at least 24 bytes, 5 left");
    fails(FRUGAL_WIRE_LIST, "0c 7fffffff 00", FRUGAL_SIZE, 1,
          "2147483647 elements need at least 2147483647 bytes, 1 left");
    fails(FRUGAL_WIRE_LIST, "0a 7fffffff", FRUGAL_SIZE, 1,
          "2147483647 elements need at least 17179869176 bytes, 0 left");
    fails(FRUGAL_WIRE_LIST, "0a 20000000 00", FRUGAL_SIZE, 1,
          "536870912 elements need at least 4294967296 bytes, 1 left");
    fails(FRUGAL_WIRE_SET, "0b 00000002 00000000 000000", FRUGAL_SIZE, 1,
          "2 elements need at least 8 bytes, 7 left");
    fails(FRUGAL_WIRE_LIST, "0d 00000001 0808", FRUGAL_SIZE, 1,
          "1 element needs at least 6 bytes, 2 left");
    fails(FRUGAL_WIRE_MAP, "0a 04 7fffffff 00", FRUGAL_SIZE, 2,
          "2147483647 elements need at least 34359738352 bytes, 1 left");
    fails(FRUGAL_WIRE_MAP, "0c 0c 00000002 00 00 00", FRUGAL_SIZE, 2,
          "2 elements need at least 4 bytes, 3 left");
}

static void types_that_do_not_exist_are_refused(void **state)
{
    (void)state;
    static const int known     = 1 << 2 | 1 << 3 | 1 << 4 | 1 << 6 | 1 << 8 | 0xfc00;
    uint8_t          bytes[64] = { 0 };
    for (int type = -2; type < 600; type++) {
        if (type >= 0 && type < 16 && known >> type & 1)
            continue;
        frugal_error error;
        assert_int_equal(frugal_skip((frugal_bytes){ bytes, sizeof bytes }, (frugal_wire_type)type,
                                     NULL, NULL, &error),
                         FRUGAL_MALFORMED);
        assert_int_equal(error.offset, 0);
    }
    fails(FRUGAL_WIRE_STOP, "00", FRUGAL_MALFORMED, 0, "unknown wire type 0");
    fails((frugal_wire_type)1, "00", FRUGAL_MALFORMED, 0, "unknown wire type 1");
    fails(FRUGAL_WIRE_STRUCT, "01 0001 00 00", FRUGAL_MALFORMED, 0, "unknown wire type 1");
    fails(FRUGAL_WIRE_STRUCT, "02 0001 00 10 0001 00", FRUGAL_MALFORMED, 4, "unknown wire type 16");
    fails(FRUGAL_WIRE_STRUCT, "88 0001 00000000 00", FRUGAL_MALFORMED, 0, "unknown wire type 136");
    fails(FRUGAL_WIRE_STRUCT, "02 0001 00 07 0001 00 000000000000000000000000", FRUGAL_MALFORMED, 4,
          "unknown wire type 7");
    fails(FRUGAL_WIRE_LIST, "00 00000001 00", FRUGAL_MALFORMED, 0, "unknown wire type 0");
    fails(FRUGAL_WIRE_LIST, "ff 00000001 00", FRUGAL_MALFORMED, 0, "unknown wire type 255");
    fails(FRUGAL_WIRE_MAP, "05 08 00000001 00", FRUGAL_MALFORMED, 0, "unknown wire type 5");
    fails(FRUGAL_WIRE_MAP, "08 09 00000001 00", FRUGAL_MALFORMED, 1, "unknown wire type 9");
}

/* ---- depth ----------------------------------------------------------------------------------- */

typedef struct nest {
    frugal_wire_type type;
    const char      *open; /* one level, around the next */
    size_t           open_size;
    const char      *innermost; /* of the same type, empty */
    size_t           innermost_size;
} nest;

static const nest nests[] = {
    { FRUGAL_WIRE_STRUCT, "\x0c\x00\x01", 3, "\x00", 1 },
    { FRUGAL_WIRE_LIST, "\x0f\x00\x00\x00\x01", 5, "\x08\x00\x00\x00\x00", 5 },
    { FRUGAL_WIRE_SET, "\x0e\x00\x00\x00\x01", 5, "\x08\x00\x00\x00\x00", 5 },
    { FRUGAL_WIRE_MAP, "\x02\x0d\x00\x00\x00\x01\x01", 7, "\x00\x00\x00\x00\x00\x00", 6 },
};

/* `levels` of a nest; structs are closed. */
static frugal_bytes nested(const nest *it, size_t levels)
{
    uint8_t *bytes = malloc(levels * 8 + 8), *p = bytes;
    assert_non_null(bytes);
    for (size_t i = 1; i < levels; i++, p += it->open_size)
        memcpy(p, it->open, it->open_size);
    memcpy(p, it->innermost, it->innermost_size);
    p += it->innermost_size;
    if (it->type == FRUGAL_WIRE_STRUCT) {
        memset(p, 0, levels - 1);
        p += levels - 1;
    }
    return (frugal_bytes){ bytes, (size_t)(p - bytes) };
}

static void check_depth(const nest *it, size_t levels, uint32_t depth_max)
{
    size_t                limit = depth_max ? depth_max : FRUGAL_DEPTH_DEFAULT, used = 0;
    frugal_decode_options options = { .depth_max = depth_max };
    frugal_bytes          bytes   = nested(it, levels);
    frugal_error          error;
    frugal_status         status = frugal_skip(bytes, it->type, &options, &used, &error);
    if (levels <= limit) {
        assert_int_equal(status, FRUGAL_OK);
        assert_int_equal(used, bytes.len);
    } else {
        assert_int_equal(status, FRUGAL_DEPTH);
        assert_int_equal(error.offset, limit * it->open_size);
        assert_non_null(strstr(error.message, "levels (depth_max)"));
    }
    free((void *)(uintptr_t)bytes.ptr);
}

static void the_65th_level_fails_at_its_first_byte(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof nests / sizeof nests[0]; i++) {
        check_depth(&nests[i], 64, 0);
        check_depth(&nests[i], 65, 0);
        check_depth(&nests[i], 66, 0);
    }
    char hex[65 * 8] = "";
    for (int i = 0; i < 64; i++)
        strcat(hex, "0c0001");
    strcat(hex, "00");
    fails(FRUGAL_WIRE_STRUCT, hex, FRUGAL_DEPTH, 192, "nested deeper than 64 levels (depth_max)");
}

static void depth_max_is_what_it_says(void **state)
{
    static const uint32_t limits[] = { 1, 2, 3, 63, 65, 1023, 1024 };
    (void)state;
    for (size_t k = 0; k < sizeof limits / sizeof limits[0]; k++) {
        for (size_t i = 0; i < sizeof nests / sizeof nests[0]; i++) {
            check_depth(&nests[i], limits[k], limits[k]);
            check_depth(&nests[i], limits[k] + 1, limits[k]);
        }
    }
}

static void ten_thousand_levels_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof nests / sizeof nests[0]; i++) {
        check_depth(&nests[i], 10000, 0);
        check_depth(&nests[i], 10000, FRUGAL_DEPTH_MAX);
    }
}

static void an_empty_container_costs_a_level_and_a_text_does_not(void **state)
{
    static const uint8_t zeroes[8];
    wire_fault           fault = { WIRE_FAULT_NONE, NULL, 0, 0, 0 };
    (void)state;
    assert_ptr_equal(binary_skip(zeroes, zeroes + 8, FRUGAL_WIRE_STRING, 0, 9, &fault), zeroes + 4);
    assert_ptr_equal(binary_skip(zeroes, zeroes + 8, FRUGAL_WIRE_I64, 0, 9, &fault), zeroes + 8);
    for (uint8_t type = FRUGAL_WIRE_STRUCT; type <= FRUGAL_WIRE_LIST; type++) {
        assert_non_null(binary_skip(zeroes, zeroes + 8, type, 1, 9, &fault));
        assert_int_equal(fault.kind, WIRE_FAULT_NONE);
        assert_null(binary_skip(zeroes, zeroes + 8, type, 0, 9, &fault));
        assert_int_equal(fault.kind, WIRE_FAULT_DEPTH);
        assert_int_equal(fault.a, 9);
        assert_ptr_equal(fault.at, zeroes);
        fault.kind = WIRE_FAULT_NONE;
    }
}

/* ---- how it is called ------------------------------------------------------------------------ */

static void wrong_arguments_are_invalid(void **state)
{
    (void)state;
    frugal_error          error;
    size_t                used    = 77;
    frugal_decode_options deep    = { .depth_max = FRUGAL_DEPTH_MAX + 1 };
    frugal_decode_options odd     = { .protocol = (frugal_protocol)9 };
    frugal_bytes          nothing = { NULL, 3 }, empty = { NULL, 0 }, one = hex_bytes("00");
    assert_int_equal(frugal_skip(nothing, FRUGAL_WIRE_I8, NULL, &used, &error), FRUGAL_INVALID);
    assert_int_equal(frugal_skip(one, FRUGAL_WIRE_I8, &deep, &used, &error), FRUGAL_INVALID);
    assert_int_equal(frugal_skip(one, FRUGAL_WIRE_I8, &odd, &used, &error), FRUGAL_INVALID);
    assert_int_equal(frugal_skip(empty, FRUGAL_WIRE_I8, NULL, &used, &error), FRUGAL_TRUNCATED);
    assert_int_equal(used, 77);
    assert_int_equal(frugal_skip(one, FRUGAL_WIRE_I8, NULL, NULL, NULL), FRUGAL_OK);
}

static void inputs_above_two_gigabytes_are_refused_unread(void **state)
{
    (void)state;
    if (SIZE_MAX <= UINT32_MAX)
        skip();
    frugal_error error;
    frugal_bytes huge = { (const uint8_t *)"", (size_t)INT32_MAX + 1 };
    assert_int_equal(frugal_skip(huge, FRUGAL_WIRE_I8, NULL, NULL, &error), FRUGAL_SIZE);
    assert_string_equal(error.message, "input of 2147483648 bytes, more than 2147483647");
}

static void tables_agree_with_each_other(void **state)
{
    (void)state;
    for (uint8_t type = 0; type < 16; type++) {
        if (binary_fixed_size[type])
            assert_int_equal(binary_fixed_size[type], binary_least_size[type]);
        bool known = strcmp(wire_type_name(type), "unknown") != 0;
        assert_int_equal(known, binary_least_size[type] != 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skip_passes_every_type),
        cmocka_unit_test(skip_leaves_what_is_behind_alone),
        cmocka_unit_test(an_empty_container_may_name_any_type),
        cmocka_unit_test(two_thousand_empty_siblings_are_one_level),
        cmocka_unit_test(every_truncation_fails_and_reads_nothing_behind),
        cmocka_unit_test(a_cut_says_where_and_how_much),
        cmocka_unit_test(a_text_longer_than_the_input_is_a_wrong_size),
        cmocka_unit_test(negative_sizes_are_refused_at_the_size),
        cmocka_unit_test(counts_are_compared_with_what_is_left_before_any_loop),
        cmocka_unit_test(types_that_do_not_exist_are_refused),
        cmocka_unit_test(the_65th_level_fails_at_its_first_byte),
        cmocka_unit_test(depth_max_is_what_it_says),
        cmocka_unit_test(ten_thousand_levels_are_refused),
        cmocka_unit_test(an_empty_container_costs_a_level_and_a_text_does_not),
        cmocka_unit_test(wrong_arguments_are_invalid),
        cmocka_unit_test(inputs_above_two_gigabytes_are_refused_unread),
        cmocka_unit_test(tables_agree_with_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
