#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "gen/text.h"
#include "support/probe.h"

static size_t   left;
static gen_text text;

static int set_up(void **state)
{
    (void)state;
    left = 4096;
    gen_text_init(&text, NULL, &left);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    gen_text_release(&text);
    return 0;
}

static const char *taken(void)
{
    static char copy[4097];
    assert_int_equal(text.status, FRUGAL_OK);
    memcpy(copy, text.buf.data, text.buf.size);
    copy[text.buf.size] = '\0';
    text.buf.size       = 0;
    return copy;
}

static const char *comment(const char *doc, unsigned indent)
{
    gen_put_comment(&text, (frugal_str){ doc, strlen(doc) }, indent);
    return taken();
}

static const char *literal(const char *bytes, size_t len)
{
    gen_put_literal(&text, (frugal_str){ bytes, len });
    return taken();
}

static void a_comment_keeps_its_lines(void **state)
{
    (void)state;
    assert_string_equal(comment("One.", 0), "/* One. */\n");
    assert_string_equal(comment("One,\n\n  two. \t\r\n", 4),
                        "    /* One,\n     *\n     *   two. */\n");
    gen_put_comment(&text, (frugal_str){ NULL, 0 }, 0);
    gen_put_comment(&text, (frugal_str){ " \n ", 3 }, 0);
    assert_int_equal(text.buf.size, 0);
}

static void nothing_in_a_comment_ends_it(void **state)
{
    (void)state;
    assert_string_equal(comment("a */ b", 0), "/* a * / b */\n");
    assert_string_equal(comment("a /* b", 0), "/* a / * b */\n");
    assert_string_equal(comment("/**/", 0), "/* / ** / */\n");
    assert_string_equal(comment("what?\?/", 0), "/* what? ?/ */\n");
    assert_string_equal(comment("\xff\xff/", 0), "/* ? ?/ */\n");
    assert_string_equal(comment("end *", 0), "/* end * */\n");
    assert_string_equal(comment("*\\\n/", 0), "/* *\\\n * / */\n");
    assert_string_equal(comment("*\\\n/x", 2), "  /* *\\\n   * /x */\n");
}

static void a_comment_shows_text_alone(void **state)
{
    (void)state;
    assert_string_equal(comment("w\xc3\xb6rter", 0), "/* w\xc3\xb6rter */\n");
    assert_string_equal(comment("a\x01\x7f\xff\xc3", 0), "/* a? ? ? ? */\n");
    assert_string_equal(comment("a\xe2\x80\xae"
                                "b",
                                0),
                        "/* a?b */\n");
}

static void a_literal_is_plain_ascii(void **state)
{
    (void)state;
    assert_string_equal(literal("a\"b\\c\n\r\t", 8), "\"a\\\"b\\\\c\\n\\r\\t\"");
    assert_string_equal(literal("\0001\xff", 3), "\"\\0001\\377\"");
    assert_string_equal(literal("?\?\?/", 4), "\"?\\?\\?/\"");
    assert_string_equal(literal("", 0), "\"\"");
}

static void what_is_too_much_is_a_status(void **state)
{
    (void)state;
    for (int i = 0; i < 600; i++)
        gen_put(&text, "%s", "12345678");
    assert_int_equal(text.status, FRUGAL_SIZE);
    assert_int_equal(text.buf.size, 4096);
    gen_put(&text, "x");
    assert_int_equal(text.buf.size, 4096);
}

static void a_long_piece_is_whole(void **state)
{
    char long_name[1001];
    (void)state;
    memset(long_name, 'n', 1000);
    long_name[1000] = '\0';
    gen_put(&text, "<%s>", long_name);
    const char *got = taken();
    assert_int_equal(strlen(got), 1002);
    assert_int_equal(got[1001], '>');
    assert_int_equal(left, 4096 - 1002);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_comment_keeps_its_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_in_a_comment_ends_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_comment_shows_text_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_literal_is_plain_ascii, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_too_much_is_a_status, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_long_piece_is_whole, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
