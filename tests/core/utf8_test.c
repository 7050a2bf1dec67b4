#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/utf8.h"
#include "support/gen_random.h"
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

/* The bytes in the middle of a long text, at each place of a block: what the first loop says must
 * be what a loop byte by byte does, in which the facts above are found. */
static void check_inside(const char *bytes, size_t size)
{
    for (size_t before = 20; before < 37; before++) {
        char text[96];
        memset(text, 'a', sizeof text);
        memcpy(text + before, bytes, size);
        size_t right = before + utf8_valid_prefix_scalar(text + before, sizeof text - before);
        if (utf8_valid_prefix(text, sizeof text) != right)
            fail_msg("%02x %02x %02x %02x at %zu", (uint8_t)bytes[0], (uint8_t)bytes[1],
                     (uint8_t)bytes[2], (uint8_t)bytes[3], before);
    }
}

static void all_faults_are_found_inside_long_text(void **state)
{
    (void)state;
    static const uint8_t edges[] = { 'a', 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2 };
    for (unsigned a = 0x80; a < 0x100; a++) {
        for (unsigned b = 0; b < 0x100; b++) {
            for (size_t c = 0; c < sizeof edges; c++) {
                for (size_t d = 0; d < sizeof edges; d++)
                    check_inside((char[]){ (char)a, (char)b, (char)edges[c], (char)edges[d] }, 4);
            }
            if (b == 0x20)
                b = 0x6f; /* ASCII is ASCII */
        }
    }
}

static void long_text_in_many_languages_is_checked_as_byte_by_byte(void **state)
{
    (void)state;
    static const char *const some[] = {
        "a", "z", "\xc3\xa4", "\xe4\xbb\x8a", "\xef\xbf\xbf", "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf"
    };
    gen_random random = gen_random_for(gen_seed(), "utf8", 0);
    guard      page   = guard_new(256);
    for (int i = 0; i < 50000; i++) {
        char   text[260] = { 0 };
        size_t len = 0, most = gen_below(&random, 250), kinds = 1 + gen_below(&random, 7);
        while (len < most) {
            const char *character = some[gen_below(&random, (uint32_t)kinds)];
            memcpy(text + len, character, strlen(character));
            len += strlen(character);
        }
        if (gen_chance(&random, 30)) /* cut */
            len -= len ? 1 : 0;
        uint8_t *at = guard_put(&page, text, len);
        if (gen_chance(&random, 30) && len)
            at[gen_below(&random, (uint32_t)len)] = (uint8_t)gen_next(&random);
        assert_int_equal(utf8_valid_prefix(at, len), utf8_valid_prefix_scalar(at, len));
    }
    guard_free(&page);
}

static void the_fast_way_takes_what_is_right_and_nothing_else(void **state)
{
    (void)state;
#if UTF8_WIDE
    assert_true(utf8_has_wide());
    static const uint8_t text[] = "\xe4\xbb\x8a\xe4\xbb\x8a\xe4\xbb\x8a\xe4\xbb\x8a\xe4\xbb\x8a"
                                  "\xe4\xbb\x8a\xe4\xbb\x8a\xe4\xbb\x8a\xe4\xbb\x8a\xe4\xbb\x8a"
                                  "\xe4\xbb\x8a\xe4\xbb\x8a";
    assert_true(utf8_wide_is_valid(text, 36));
    assert_false(utf8_wide_is_valid(text, 35));
    assert_true(utf8_wide_is_valid(text, 33));
    assert_false(utf8_wide_is_valid(text + 1, 35));
#else
    assert_int_equal(prefix("a"), 1);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_code_point_but_surrogates_is_a_character),
        cmocka_unit_test(overlong_forms_are_refused),
        cmocka_unit_test(bytes_out_of_place_are_refused),
        cmocka_unit_test(the_prefix_ends_before_the_wrong_character),
        cmocka_unit_test(a_wrong_byte_is_found_at_every_place_of_every_length),
        cmocka_unit_test(all_faults_are_found_inside_long_text),
        cmocka_unit_test(long_text_in_many_languages_is_checked_as_byte_by_byte),
        cmocka_unit_test(the_fast_way_takes_what_is_right_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
