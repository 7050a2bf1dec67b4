#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/utf8.h"
#include "support/gen_random.h"
#include "support/guard.h"
#include "json/escape.h"

#define LEN_HERE 100

typedef char       *part_function(char *out, const char *in, size_t len, bool *high);
typedef const char *plain_function(const char *text, const char *end, bool *high);
typedef const char *end_function(const char *text, const char *end, bool *escaped);
typedef char *unescape_function(char *out, const char *in, size_t len, bool *high, size_t *bad);

static part_function *const     parts[]       = { json_escape_part, json_escape_part_scalar };
static plain_function *const    plains[]      = { json_plain_end, json_plain_end_scalar };
static end_function *const      string_ends[] = { json_string_end, json_string_end_scalar };
static unescape_function *const unescapes[]   = { json_unescape, json_unescape_scalar };

/* What is right, byte by byte. */
static size_t escape_slowly(char *out, const char *in, size_t len)
{
    static const char special[] = "\b\f\n\r\t\"\\", letter[] = "bfnrt\"\\";
    char             *start = out;
    for (size_t i = 0; i < len; i++) {
        const char *found = in[i] ? strchr(special, in[i]) : NULL;
        if (found)
            out += sprintf(out, "\\%c", letter[found - special]);
        else if ((uint8_t)in[i] < 0x20)
            out += sprintf(out, "\\u%04x", (unsigned)in[i]);
        else
            *out++ = in[i];
    }
    return (size_t)(out - start);
}

static bool has_high(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if ((uint8_t)text[i] >= 0x80)
            return true;
    }
    return false;
}

/* Escapes with both ways, input and room between guard pages, and reads it back. */
static void check_text(const char *text, size_t len)
{
    char       *expected = malloc(6 * len + 1);
    guard       in = guard_new(6 * len + 32), out = guard_new(json_escape_room(len));
    const char *at = (const char *)guard_put(&in, text, len);
    assert_non_null(expected);
    size_t size = escape_slowly(expected, text, len);
    for (int way = 0; way < 2; way++) {
        char *room = (char *)out.end - json_escape_room(len);
        bool  high = false;
        assert_int_equal(parts[way](room, at, len, &high) - room, size);
        assert_memory_equal(room, expected, size);
        assert_int_equal(high, has_high(text, len));
    }
    const char *from = (const char *)guard_put(&in, expected, size);
    for (int way = 0; way < 2; way++) {
        guard  short_out = guard_new(json_unescape_room(size));
        char  *room      = (char *)short_out.end - json_unescape_room(size);
        bool   high      = false;
        size_t bad       = 0;
        assert_int_equal(unescapes[way](room, from, size, &high, &bad) - room, len);
        assert_memory_equal(room, text, len);
        assert_int_equal(high, has_high(text, len));
        guard_free(&short_out);
    }
    guard_free(&in);
    guard_free(&out);
    free(expected);
}

static void each_byte_at_each_place_is_escaped_and_comes_back(void **state)
{
    (void)state;
    static const char bytes[] = { 0, 1, 0x1f, 0x20, '"', '\\', '/', 0x7f, (char)0x80, (char)0xff };
    for (size_t len = 0; len <= 40; len++) {
        char text[40];
        memset(text, 'a', sizeof text);
        check_text(text, len);
        for (size_t place = 0; place < len; place++) {
            for (size_t i = 0; i < sizeof bytes; i++) {
                text[place] = bytes[i];
                check_text(text, len);
            }
            text[place] = 'a';
        }
    }
    for (int c = 0; c < 256; c++) {
        char text[33];
        memset(text, c, sizeof text);
        check_text(text, 1);
        check_text(text, sizeof text);
    }
}

static void text_full_of_escapes_comes_back(void **state)
{
    (void)state;
    gen_random random = gen_random_for(gen_seed(), "escape", 0);
    for (int i = 0; i < 5000; i++) {
        static const char some[] = "\"\\\b\n\x01"
                                   "abcdefg\xe4\x80";
        char              text[LEN_HERE];
        size_t            len  = gen_below(&random, LEN_HERE);
        unsigned          rate = gen_below(&random, 101);
        for (size_t j = 0; j < len; j++)
            text[j] = gen_chance(&random, rate) ? some[gen_below(&random, sizeof some)] : 'x';
        check_text(text, len);
    }
}

static void a_whole_string_has_its_quotes(void **state)
{
    (void)state;
    char room[64 + 32];
    bool high = false;
    assert_int_equal(json_escape_write(room, NULL, 0, &high) - room, 2);
    assert_memory_equal(room, "\"\"", 2);
    assert_int_equal(json_escape_write(room, "a\"b", 3, &high) - room, 6);
    assert_memory_equal(room, "\"a\\\"b\"", 6);
    assert_false(high);
    json_escape_write(room, "\xc3\xa4", 2, &high);
    assert_true(high);
    json_escape_write(room, "a", 1, &high);
    assert_true(high); /* never taken back */
}

static void plain_text_ends_at_the_first_special_byte(void **state)
{
    (void)state;
    guard page = guard_new(LEN_HERE);
    for (size_t len = 0; len <= 50; len++) {
        char *text = (char *)page.end - len;
        memset(text, 'a', len);
        for (size_t place = 0; place <= len; place++) {
            for (int c = 0; c < 256; c++) {
                bool special = c < 0x20 || c == '"' || c == '\\';
                if (place < len)
                    text[place] = (char)c;
                for (int way = 0; way < 2; way++) {
                    bool        high = false;
                    const char *end  = plains[way](text, text + len, &high);
                    assert_int_equal(end - text, place < len && special ? place : len);
                    assert_int_equal(high, place < len && c >= 0x80);
                }
            }
            if (place < len)
                text[place] = 'a';
        }
        /* High bytes behind the end of the plain text are not its own. */
        for (size_t place = 0; place + 1 < len; place++) {
            text[place]     = '"';
            text[place + 1] = (char)0x80;
            bool high       = false;
            assert_ptr_equal(json_plain_end(text, text + len, &high), text + place);
            assert_false(high);
            text[place] = text[place + 1] = 'a';
        }
    }
    guard_free(&page);
}

static void a_string_ends_at_the_first_quote_that_is_not_escaped(void **state)
{
    (void)state;
    gen_random random = gen_random_for(gen_seed(), "escape", 1);
    guard      page   = guard_new(LEN_HERE);
    for (int i = 0; i < 50000; i++) {
        static const char some[] = { '\\', '\\', '"', 'a', 'a', '\n' };
        size_t            len = gen_below(&random, 60), right = len;
        unsigned          rate  = gen_below(&random, 101);
        char             *text  = (char *)page.end - len;
        bool              slash = false;
        for (size_t j = 0; j < len; j++)
            text[j] = gen_chance(&random, rate) ? some[gen_below(&random, sizeof some)] : 'x';
        for (size_t j = 0; j < len; j++) {
            if (text[j] == '"') {
                right = j;
                break;
            }
            if (text[j] == '\\') {
                slash = true;
                j++;
            }
        }
        for (int way = 0; way < 2; way++) {
            bool escaped = false;
            assert_int_equal(string_ends[way](text, text + len, &escaped) - text, right);
            assert_int_equal(escaped, slash);
        }
    }
    guard_free(&page);
}

/* ---- unescape ------------------------------------------------------------------------------- */

/* At both ends of a long text and alone, so that every loop meets it. */
static void check_unescape(const char *text, const char *meaning, size_t bad_at)
{
    for (int before = 0; before < 70; before++) {
        char in[LEN_HERE + 100], out[LEN_HERE + 116], expected[LEN_HERE + 100];
        int  behind = before % 3 * 17;
        int  len    = snprintf(in, sizeof in, "%*s%s%*s", before, "", text, behind, "");
        int  size   = snprintf(expected, sizeof expected, "%*s%s%*s", before, "",
                            meaning ? meaning : "", behind, "");
        for (int way = 0; way < 2; way++) {
            bool   high = false;
            size_t bad  = 9999;
            char  *end  = unescapes[way](out, in, (size_t)len, &high, &bad);
            if (meaning) {
                assert_non_null(end);
                assert_int_equal(end - out, size);
                assert_memory_equal(out, expected, (size_t)size);
            } else if (end || bad != (size_t)before + bad_at) {
                fail_msg("%s: %s at %zu, behind %d", text, end ? "taken" : "wrong", bad, before);
            }
        }
    }
}

static void escapes_mean_what_they_say(void **state)
{
    (void)state;
    check_unescape("", "", 0);
    check_unescape("\\\"\\\\\\/\\b\\f\\n\\r\\t", "\"\\/\b\f\n\r\t", 0);
    check_unescape("\\u0041\\u00e4\\u20AC\\u20ac", "A\xc3\xa4\xe2\x82\xac\xe2\x82\xac", 0);
    check_unescape("\\ud83d\\ude00", "\xf0\x9f\x98\x80", 0);
    check_unescape("\\uDBFF\\uDFFF", "\xf4\x8f\xbf\xbf", 0);
    check_unescape("\\ud800\\udc00x", "\xf0\x90\x80\x80x", 0);
    check_unescape("\\uffff\\ud7ff\\ue000", "\xef\xbf\xbf\xed\x9f\xbf\xee\x80\x80", 0);
    check_unescape("\\u007f\\u0080\\u07ff\\u0800", "\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80", 0);
    check_unescape("a\\nb\\tc\\\\d\\\"e", "a\nb\tc\\d\"e", 0);
    check_unescape("\x7f\xff", "\x7f\xff", 0);
}

static void what_is_no_string_is_told_with_its_place(void **state)
{
    (void)state;
    check_unescape("\\x", NULL, 1);
    check_unescape("\\'", NULL, 1);
    check_unescape("\\U0041", NULL, 1);
    check_unescape("\\u004g", NULL, 5);
    check_unescape("\\u 041", NULL, 2);
    check_unescape("ab\ncd", NULL, 2);
    check_unescape("ab\x1f", NULL, 2);
    check_unescape("ab\"c", NULL, 2);
    check_unescape("\\n\"c", NULL, 2);
    check_unescape("\\udc00", NULL, 2);
    check_unescape("\\ud800x", NULL, 6);
    check_unescape("\\ud800\\n", NULL, 7);
    check_unescape("\\ud800\\u0041", NULL, 8);
    check_unescape("\\ud800\\ud800", NULL, 8);
}

static void a_string_that_ends_inside_an_escape_misses_its_end(void **state)
{
    (void)state;
    static const char whole[] = "\\ud83d\\ude00";
    for (size_t before = 0; before < 50; before++) {
        for (size_t len = 1; len < sizeof whole - 1; len++) {
            char in[100], out[116];
            memset(in, 'a', before);
            memcpy(in + before, whole, len);
            for (int way = 0; way < 2; way++) {
                bool   high = false;
                size_t bad  = 0;
                assert_null(unescapes[way](out, in, before + len, &high, &bad));
                assert_int_equal(bad, before + len);
            }
        }
    }
}

static void escaped_characters_are_utf8_in_every_order(void **state)
{
    (void)state;
    for (unsigned c = 1; c < 0x10000; c++) {
        char   in[8], out[32];
        bool   high = false;
        size_t bad  = 0;
        snprintf(in, sizeof in, "\\u%04X", c);
        char *end = json_unescape(out, in, 6, &high, &bad);
        if (c >= 0xd800 && c <= 0xdfff) {
            assert_null(end);
            continue;
        }
        assert_non_null(end);
        assert_int_equal(end - out, c < 0x80 ? 1 : c < 0x800 ? 2 : 3);
        assert_int_equal(utf8_valid_prefix(out, (size_t)(end - out)), end - out);
    }
}

static void both_ways_agree_on_random_text(void **state)
{
    (void)state;
    gen_random random = gen_random_for(gen_seed(), "escape", 2);
    for (int i = 0; i < 50000; i++) {
        static const char some[] = "\\\\\\u0dD8acnbt\"\n/\x80";
        char              text[LEN_HERE], out[2][LEN_HERE + 16];
        size_t            len = gen_below(&random, LEN_HERE), bad[2] = { 0, 0 };
        unsigned          rate    = gen_below(&random, 60);
        bool              high[2] = { false, false };
        char             *end[2];
        for (size_t j = 0; j < len; j++)
            text[j] = gen_chance(&random, rate) ? some[gen_below(&random, sizeof some - 1)] : 'n';
        for (int way = 0; way < 2; way++)
            end[way] = unescapes[way](out[way], text, len, &high[way], &bad[way]);
        assert_int_equal(bad[0], bad[1]);
        assert_int_equal(end[0] == NULL, end[1] == NULL);
        if (end[0]) {
            assert_int_equal(end[0] - out[0], end[1] - out[1]);
            assert_memory_equal(out[0], out[1], (size_t)(end[0] - out[0]));
            assert_int_equal(high[0], high[1]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_byte_at_each_place_is_escaped_and_comes_back),
        cmocka_unit_test(text_full_of_escapes_comes_back),
        cmocka_unit_test(a_whole_string_has_its_quotes),
        cmocka_unit_test(plain_text_ends_at_the_first_special_byte),
        cmocka_unit_test(a_string_ends_at_the_first_quote_that_is_not_escaped),
        cmocka_unit_test(escapes_mean_what_they_say),
        cmocka_unit_test(what_is_no_string_is_told_with_its_place),
        cmocka_unit_test(a_string_that_ends_inside_an_escape_misses_its_end),
        cmocka_unit_test(escaped_characters_are_utf8_in_every_order),
        cmocka_unit_test(both_ways_agree_on_random_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
