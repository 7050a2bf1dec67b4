/* codec/fault_test.c - what is wrong with bytes is said with its status, its place, its path and
 * one sentence. */
#include "codec/codec_check.h"

struct friend
{
    frugal_str           name;
    FRUGAL_LIST(int64_t) numbers;
};
FRUGAL_STRUCT_LOCAL(friend,
    FRUGAL_FIELD(friend, name, 1, optional, string),
    FRUGAL_FIELD(friend, numbers, 2, optional, list(i64)));
struct item {
    bool       n;
    frugal_str t;
};
FRUGAL_STRUCT_LOCAL(item, FRUGAL_FIELD(item, n, 1), FRUGAL_FIELD(item, t, 2));
struct thing {
    bool       flag;
    int8_t     i8;
    int16_t    i16;
    int32_t    i32;
    int64_t    i64;
    double     real;
    frugal_str text;
    struct friend best;
    FRUGAL_LIST(struct friend)                    friends;
    FRUGAL_SET(frugal_str)                        words;
    FRUGAL_MAP(int32_t, FRUGAL_LIST(struct item)) m;
    FRUGAL_MAP(frugal_str, struct friend *)       people;
    FRUGAL_LIST(bool)                             bits;
};
FRUGAL_STRUCT_LOCAL(thing,
    FRUGAL_FIELD(thing, flag, 1),
    FRUGAL_FIELD(thing, i8, 2),
    FRUGAL_FIELD(thing, i16, 3),
    FRUGAL_FIELD(thing, i32, 4),
    FRUGAL_FIELD(thing, i64, 5),
    FRUGAL_FIELD(thing, real, 6),
    FRUGAL_FIELD(thing, text, 7),
    FRUGAL_FIELD(thing, best, 8, struct(friend)),
    FRUGAL_FIELD(thing, friends, 9, list(struct(friend))),
    FRUGAL_FIELD(thing, words, 10, set(string)),
    FRUGAL_FIELD(thing, m, 11, map(i32, list(struct(item)))),
    FRUGAL_FIELD(thing, people, 12, map(string, struct(friend))),
    FRUGAL_FIELD(thing, bits, 13, list(bool)));

static void assert_thing_fails(const char *hex, frugal_status status, size_t offset,
                               const char *path, const char *sentence)
{
    struct thing it;
    assert_fails(FRUGAL_REF(thing, &it), hex, status, offset, path, sentence);
}

/* ---- the end of the input ------------------------------------------------------------------- */

static void an_end_inside_a_field_header_is_at_the_header(void **state)
{
    (void)state;
    assert_thing_fails("", FRUGAL_TRUNCATED, 0, "", "unexpected EOF: 1 byte short");
    assert_thing_fails("08", FRUGAL_TRUNCATED, 0, "", "unexpected EOF: 2 bytes short");
    assert_thing_fails("08 00", FRUGAL_TRUNCATED, 0, "", "unexpected EOF: 1 byte short");
    assert_thing_fails("02 0001 01", FRUGAL_TRUNCATED, 4, "", "unexpected EOF: 1 byte short");
    assert_thing_fails("02 0001 01 0a 00", FRUGAL_TRUNCATED, 4, "", "unexpected EOF: 1 byte short");
}

static void an_end_inside_a_scalar_is_at_its_first_byte(void **state)
{
    (void)state;
    assert_thing_fails("02 0001", FRUGAL_TRUNCATED, 3, "flag", "unexpected EOF: 1 byte short");
    assert_thing_fails("03 0002", FRUGAL_TRUNCATED, 3, "i8", "unexpected EOF: 1 byte short");
    assert_thing_fails("06 0003 00", FRUGAL_TRUNCATED, 3, "i16", "unexpected EOF: 1 byte short");
    assert_thing_fails("08 0004 00", FRUGAL_TRUNCATED, 3, "i32", "unexpected EOF: 3 bytes short");
    assert_thing_fails("0a 0005 00 00 00", FRUGAL_TRUNCATED, 3, "i64",
                       "unexpected EOF: 5 bytes short");
    assert_thing_fails("04 0006", FRUGAL_TRUNCATED, 3, "real", "unexpected EOF: 8 bytes short");
}

static void an_end_inside_a_length_or_a_header_is_at_its_first_byte(void **state)
{
    (void)state;
    assert_thing_fails("0b 0007 00 00", FRUGAL_TRUNCATED, 3, "text",
                       "unexpected EOF: 2 bytes short");
    assert_thing_fails("0f 0009 0c 00 00", FRUGAL_TRUNCATED, 3, "friends",
                       "unexpected EOF: 2 bytes short");
    assert_thing_fails("0d 000b 08 0f 00 00 00", FRUGAL_TRUNCATED, 3, "m",
                       "unexpected EOF: 1 byte short");
}

static void a_text_longer_than_the_input_says_how_many_bytes_are_short(void **state)
{
    (void)state;
    assert_thing_fails("0b 0007 0000002a 61626364", FRUGAL_SIZE, 3, "text",
                       "unexpected EOF: 38 bytes short");
    assert_thing_fails("0b 0007 7fffffff", FRUGAL_SIZE, 3, "text",
                       "unexpected EOF: 2147483647 bytes short");
}

static void an_end_inside_what_is_skipped_is_there(void **state)
{
    (void)state;
    assert_thing_fails("0a 0063 0000", FRUGAL_TRUNCATED, 3, "", "unexpected EOF: 6 bytes short");
    assert_thing_fails("0c 0063 0b 0001 00000005 61", FRUGAL_SIZE, 6, "",
                       "unexpected EOF: 4 bytes short");
    assert_thing_fails("0c 0008 0c 0063 08 00", FRUGAL_TRUNCATED, 6, "best",
                       "unexpected EOF: 1 byte short");
}

/* ---- sizes ---------------------------------------------------------------------------------- */

static void a_negative_size_is_at_the_size(void **state)
{
    (void)state;
    assert_thing_fails("0b 0007 ffffffff", FRUGAL_NEGATIVE, 3, "text", "negative size: -1");
    assert_thing_fails("0f 0009 0c ffffffff 00", FRUGAL_NEGATIVE, 4, "friends",
                       "negative size: -1");
    assert_thing_fails("0d 000b 08 0f 80000000", FRUGAL_NEGATIVE, 5, "m",
                       "negative size: -2147483648");
    assert_thing_fails("0b 0063 fffffffe", FRUGAL_NEGATIVE, 3, "", "negative size: -2");
}

static void a_count_that_the_rest_cannot_hold_is_at_the_count(void **state)
{
    (void)state;
    assert_thing_fails("0f 0009 0c 00000003 00 00", FRUGAL_SIZE, 4, "friends",
                       "3 elements need at least 3 bytes, 2 left");
    assert_thing_fails("0e 000a 0b 00000002 00000000 00", FRUGAL_SIZE, 4, "words",
                       "2 elements need at least 8 bytes, 5 left");
    assert_thing_fails("0d 000b 08 0f 00000001 00000001 00 00", FRUGAL_SIZE, 5, "m",
                       "1 element needs at least 9 bytes, 6 left");
    assert_thing_fails("0c 0008 0f 0002 0a 00000002 0000000000000000 00", FRUGAL_SIZE, 7,
                       "best.numbers", "2 elements need at least 16 bytes, 9 left");
    assert_thing_fails("0f 000d 02 00000002 01", FRUGAL_SIZE, 4, "bits",
                       "2 elements need at least 2 bytes, 1 left");
}

static void the_largest_count_is_refused_before_anything_is_allocated(void **state)
{
    (void)state;
    assert_thing_fails("0f 0009 0c 7fffffff 00", FRUGAL_SIZE, 4, "friends",
                       "2147483647 elements need at least 2147483647 bytes, 1 left");
    assert_thing_fails("0d 000c 0b 0c 7fffffff 00", FRUGAL_SIZE, 5, "people",
                       "2147483647 elements need at least 10737418235 bytes, 1 left");
    assert_thing_fails("0f 0063 04 20000000 00", FRUGAL_SIZE, 4, "",
                       "536870912 elements need at least 4294967296 bytes, 1 left");
}

/* ---- types ---------------------------------------------------------------------------------- */

static void a_wrong_element_type_is_an_error_at_the_type(void **state)
{
    (void)state;
    assert_thing_fails("0e 000a 0a 00000001 0000000000000001 00", FRUGAL_MISMATCH, 3, "words",
                       "type mismatch: 11 expected, got 10 (string, i64)");
    assert_thing_fails("0d 000b 0a 0f 00000001 0000000000000001 00", FRUGAL_MISMATCH, 3, "m",
                       "type mismatch: 8 expected, got 10 (i32, i64)");
    assert_thing_fails("0d 000b 08 0e 00000001 0000000000000001 00", FRUGAL_MISMATCH, 4, "m",
                       "type mismatch: 15 expected, got 14 (list, set)");
    assert_thing_fails("0f 0009 05 00000001 00", FRUGAL_MISMATCH, 3, "friends",
                       "type mismatch: 12 expected, got 5 (struct, unknown)");
}

static void a_type_that_does_not_exist_cannot_be_skipped(void **state)
{
    (void)state;
    assert_thing_fails("05 0063 00", FRUGAL_MALFORMED, 0, "", "unknown wire type 5");
    assert_thing_fails("01 0001 00", FRUGAL_MALFORMED, 0, "", "unknown wire type 1");
    assert_thing_fails("02 0001 01 10 0001 00", FRUGAL_MALFORMED, 4, "", "unknown wire type 16");
    assert_thing_fails("ff 0004 00", FRUGAL_MALFORMED, 0, "", "unknown wire type 255");
    assert_thing_fails("0f 0063 05 00000001 00", FRUGAL_MALFORMED, 3, "", "unknown wire type 5");
    assert_thing_fails("0d 0063 08 00 00000001 00000000 00", FRUGAL_MALFORMED, 4, "",
                       "unknown wire type 0");
    assert_thing_fails("0c 0063 09 0001 00 00", FRUGAL_MALFORMED, 3, "", "unknown wire type 9");
}

/* ---- paths ---------------------------------------------------------------------------------- */

static void a_path_names_fields_and_indexes(void **state)
{
    (void)state;
    assert_thing_fails("0f 0009 0c 00000004 00 00 00 0b 0001 000000", FRUGAL_TRUNCATED, 14,
                       "friends[3].name", "unexpected EOF: 1 byte short");
    assert_thing_fails("0f 0009 0c 00000004 00 00 00 0b", FRUGAL_TRUNCATED, 11, "friends[3]",
                       "unexpected EOF: 2 bytes short");
    assert_thing_fails("0e 000a 0b 00000002 00000000 0000 0001", FRUGAL_SIZE, 12, "words[1]",
                       "unexpected EOF: 1 byte short");
}

static void a_path_shows_the_key_of_a_value_that_is_wrong(void **state)
{
    (void)state;
    assert_thing_fails("0d 000b 08 0f 00000001 00000007 0c 00000002 00 0b 0002 ffffffff 0000",
                       FRUGAL_NEGATIVE, 22, "m{7}[1].t", "negative size: -1");
    assert_thing_fails("0d 000c 0b 0c 00000001 00000003 616461 0b 0001 00000005", FRUGAL_SIZE, 19,
                       "people{ada}.name", "unexpected EOF: 5 bytes short");
    assert_thing_fails("0d 000c 0b 0c 00000001 00000003 616461", FRUGAL_TRUNCATED, 16,
                       "people{ada}", "unexpected EOF: 1 byte short");
}

static void a_path_shows_the_index_of_a_key_that_is_wrong(void **state)
{
    (void)state;
    assert_thing_fails("0d 000c 0b 0c 00000002 00000001 61 00 00000001", FRUGAL_SIZE, 15,
                       "people[1]", "unexpected EOF: 1 byte short");
}

static void a_key_that_cannot_be_printed_is_shown_as_question_marks(void **state)
{
    (void)state;
    assert_thing_fails("0d 000c 0b 0c 00000001 00000003 610a7f", FRUGAL_TRUNCATED, 16,
                       "people{a??}", "unexpected EOF: 1 byte short");
}

struct nest {
    struct nest *this_name_is_rather_long;
    int32_t      end;
};
FRUGAL_STRUCT_LOCAL(nest,
    FRUGAL_FIELD(nest, this_name_is_rather_long, 1, optional, struct(nest)),
    FRUGAL_FIELD(nest, end, 2));

static void a_path_that_is_too_long_loses_its_front(void **state)
{
    struct nest it;
    char        hex[6 * 10 + 8] = "";
    (void)state;
    for (int i = 0; i < 6; i++)
        strcat(hex, "0c 0001 ");
    strcat(hex, "08 0002");
    assert_int_equal(decode_hex(FRUGAL_REF(nest, &it), hex, NULL), FRUGAL_TRUNCATED);
    assert_memory_equal(check.error.path, "\xe2\x80\xa6", 3);
    static const char tail[] = "this_name_is_rather_long.this_name_is_rather_long.end";
    size_t            len    = strlen(check.error.path);
    assert_in_range(len, sizeof tail, sizeof check.error.path - 1);
    assert_string_equal(check.error.path + len - (sizeof tail - 1), tail);
}

static void an_error_may_have_no_path_at_all(void **state)
{
    struct thing it;
    frugal_bytes input = hex_bytes("08 0004 00");
    (void)state;
    assert_int_equal(frugal_decode(FRUGAL_REF(thing, &it), input, check.arena, NULL, NULL, NULL),
                     FRUGAL_TRUNCATED);
}

/* ---- skip ----------------------------------------------------------------------------------- */

static void assert_skips(const char *hex, frugal_wire_type type, size_t expected)
{
    size_t       used  = SIZE_MAX;
    frugal_bytes input = hex_bytes(hex);
    assert_int_equal(frugal_skip(input, type, NULL, &used, &check.error), FRUGAL_OK);
    assert_int_equal(used, expected);
}

static void skip_passes_exactly_one_value(void **state)
{
    (void)state;
    assert_skips("01 02", FRUGAL_WIRE_BOOL, 1);
    assert_skips("0000000161 62", FRUGAL_WIRE_STRING, 5);
    assert_skips("08 0001 00000001 00 00", FRUGAL_WIRE_STRUCT, 8);
    assert_skips("0d 01 00000000 77", FRUGAL_WIRE_MAP, 6);
    assert_skips("0a 00000001 0000000000000001 77", FRUGAL_WIRE_SET, 13);
}

static void skip_says_what_is_wrong_as_decoding_does(void **state)
{
    size_t used = 77;
    (void)state;
    assert_int_equal(
        frugal_skip(hex_bytes("08 0001 00"), FRUGAL_WIRE_STRUCT, NULL, &used, &check.error),
        FRUGAL_TRUNCATED);
    assert_string_equal(check.error.message, "unexpected EOF: 3 bytes short");
    assert_true(check.error.offset == 3 && used == 77);
    assert_int_equal(frugal_skip(hex_bytes("00"), FRUGAL_WIRE_STOP, NULL, &used, &check.error),
                     FRUGAL_MALFORMED);
    assert_int_equal(frugal_skip((frugal_bytes){ NULL, 1 }, FRUGAL_WIRE_BOOL, NULL, NULL, NULL),
                     FRUGAL_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_end_inside_a_field_header_is_at_the_header),
        cmocka_unit_test(an_end_inside_a_scalar_is_at_its_first_byte),
        cmocka_unit_test(an_end_inside_a_length_or_a_header_is_at_its_first_byte),
        cmocka_unit_test(a_text_longer_than_the_input_says_how_many_bytes_are_short),
        cmocka_unit_test(an_end_inside_what_is_skipped_is_there),
        cmocka_unit_test(a_negative_size_is_at_the_size),
        cmocka_unit_test(a_count_that_the_rest_cannot_hold_is_at_the_count),
        cmocka_unit_test(the_largest_count_is_refused_before_anything_is_allocated),
        cmocka_unit_test(a_wrong_element_type_is_an_error_at_the_type),
        cmocka_unit_test(a_type_that_does_not_exist_cannot_be_skipped),
        cmocka_unit_test(a_path_names_fields_and_indexes),
        cmocka_unit_test(a_path_shows_the_key_of_a_value_that_is_wrong),
        cmocka_unit_test(a_path_shows_the_index_of_a_key_that_is_wrong),
        cmocka_unit_test(a_key_that_cannot_be_printed_is_shown_as_question_marks),
        cmocka_unit_test(a_path_that_is_too_long_loses_its_front),
        cmocka_unit_test(an_error_may_have_no_path_at_all),
        cmocka_unit_test(skip_passes_exactly_one_value),
        cmocka_unit_test(skip_says_what_is_wrong_as_decoding_does),
    };
    return cmocka_run_group_tests_name("codec: faults", tests, check_set_up, check_tear_down);
}
