#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/utf8.h"
#include "support/guard.h"

static size_t prefix(const char *text)
{
    return utf8_valid_prefix(text, strlen(text));
}

/* The code point `c`, also where there is none, in `size` bytes, also where that is too many. */
static void put_character(uint8_t *to, uint32_t c, int size)
{
    static const uint8_t first[] = { 0, 0, 0xc0, 0xe0, 0xf0, 0xf8 };
    for (int i = size - 1; i > 0; i--, c >>= 6)
        to[i] = (uint8_t)(0x80 | (c & 0x3f));
    to[0] = (uint8_t)(size == 1 ? c : first[size] | c);
}

static int least_size(uint32_t c)
{
    return c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
}

static void every_code_point_but_surrogates_is_a_character(void **state)
{
    (void)state;
    uint8_t text[4];
    for (uint32_t c = 0; c <= 0x1fffff; c++) {
        int size = least_size(c);
        put_character(text, c, size);
        bool is_one = c <= 0x10ffff && !(c >= 0xd800 && c <= 0xdfff);
        if (utf8_valid_prefix(text, (size_t)size) != (is_one ? (size_t)size : 0))
            fail_msg("U+%04X", (unsigned)c);
    }
}

static void overlong_forms_are_refused(void **state)
{
    (void)state;
    uint8_t text[5];
    for (uint32_t c = 0; c <= 0xffff; c++) {
        for (int size = least_size(c) + 1; size <= 4; size++) {
            put_character(text, c, size);
            assert_int_equal(utf8_valid_prefix(text, (size_t)size), 0);
        }
    }
    put_character(text, 0x10000, 5);
    assert_int_equal(utf8_valid_prefix(text, 5), 0);
}

/* All pairs, all ends: what is accepted is exactly what the table of Unicode lists. */
static void bytes_out_of_place_are_refused(void **state)
{
    (void)state;
    for (int a = 0x80; a < 0x100; a++) {
        for (int b = 0; b < 0x100; b++) {
            char text[4] = { (char)a, (char)b, 'x', 'x' };
            bool pair    = a >= 0xc2 && a <= 0xdf && b >= 0x80 && b <= 0xbf;
            assert_int_equal(utf8_valid_prefix(text, 4), pair ? 4 : 0);
            assert_int_equal(utf8_valid_prefix(text, 1), 0);
        }
    }
    assert_int_equal(prefix("\xe2\x82x"), 0);
    assert_int_equal(prefix("\xf0\x9f\x98x"), 0);
    assert_int_equal(prefix("\xf0\x9fx\x80"), 0);
}

static void the_prefix_ends_before_the_wrong_character(void **state)
{
    (void)state;
    assert_int_equal(prefix(""), 0);
    assert_int_equal(utf8_valid_prefix(NULL, 0), 0);
    assert_int_equal(utf8_valid_prefix("a\0b", 3), 3);
    assert_int_equal(prefix("gr\xc3\xbc\xc3\x9f"), 6);
    assert_int_equal(prefix("gr\xc3\xbc\xc3"), 4);
    assert_int_equal(prefix("\xe2\x82\xac\xe2\x82"), 3);
    assert_int_equal(prefix("a\xf0\x9f\x98\x80\xf0\x9f\x98"), 5);
    assert_int_equal(prefix("ab\xff"), 2);
    assert_int_equal(prefix("\xed\xa0\x80"), 0);
}

static void a_wrong_byte_is_found_at_every_place_of_every_length(void **state)
{
    (void)state;
    guard page = guard_new(128);
    for (size_t len = 1; len <= 100; len++) {
        uint8_t *text = page.end - len;
        memset(text, 'a', len);
        assert_int_equal(utf8_valid_prefix(text, len), len);
        for (size_t i = 0; i < len; i++) {
            text[i] = 0x80;
            assert_int_equal(utf8_valid_prefix(text, len), i);
            text[i] = 0xf0;
            assert_int_equal(utf8_valid_prefix(text, len), i);
            text[i] = 'a';
        }
        for (size_t i = 0; i + 1 < len; i++) {
            memcpy(text + i, "\xc3\xa4", 2);
            assert_int_equal(utf8_valid_prefix(text, len), len);
            memcpy(text + i, "aa", 2);
        }
    }
    guard_free(&page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_code_point_but_surrogates_is_a_character),
        cmocka_unit_test(overlong_forms_are_refused),
        cmocka_unit_test(bytes_out_of_place_are_refused),
        cmocka_unit_test(the_prefix_ends_before_the_wrong_character),
        cmocka_unit_test(a_wrong_byte_is_found_at_every_place_of_every_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
