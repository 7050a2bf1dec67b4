/* json/scan_test.c - RFC 8259 and nothing more, everywhere a value may stand; and walking values
 * that were checked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <frugal/frugal.h>

#include "support/guard.h"
#include "json/scan.h"

static guard         page;
static frugal_arena *arena;

/* A text with its length, which may hold a NUL. */
typedef struct sample {
    const char *text;
    size_t      len;
} sample;
#define T(literal)                   \
    {                                \
        literal, sizeof(literal) - 1 \
    }

static const sample good[] = {
    /* literals */
    T("null"),
    T("true"),
    T("false"),
    T(" null"),
    T("null "),
    T("\t\n\r null\r\n\t "),
    /* numbers */
    T("0"),
    T("-0"),
    T("1"),
    T("-1"),
    T("10"),
    T("1234567890"),
    T("123456789012345678901234567890"),
    T("0.0"),
    T("-0.0"),
    T("0.5"),
    T("1.25"),
    T("123.456e78"),
    T("1e0"),
    T("1E0"),
    T("1e+0"),
    T("1e-0"),
    T("1E+10"),
    T("1E-10"),
    T("0e0"),
    T("0e99999"),
    T("-1e1"),
    T("1e400"),
    T("-1e400"),
    T("1e-400"),
    T("1.0000000000000000000000000000000000000000000000000000000000000000001"),
    T("0.000000000000000000000000000000000000000000000000000000000000000000000000000000001"),
    T("-9223372036854775808"),
    T("18446744073709551616"),
    T("1e00000000000000000000000000001"),
    /* strings */
    T("\"\""),
    T("\" \""),
    T("\"a\""),
    T("\"abc\""),
    T("\"\\\"\""),
    T("\"\\\\\""),
    T("\"\\/\""),
    T("\"/\""),
    T("\"\\b\\f\\n\\r\\t\""),
    T("\"\\u0000\""),
    T("\"\\u001f\""),
    T("\"\\u0022\""),
    T("\"\\u005C\""),
    T("\"\\u12ab\\u12AB\""),
    T("\"\\ud83d\\udc22\""),
    T("\"\\uD800\\uDC00\""),
    T("\"\\udbff\\udfff\""),
    T("\"\\uffff\""),
    T("\"\\ufeff\""),
    T("\"\x7f\""),
    T("\"\xc2\x80\""),
    T("\"\xdf\xbf\""),
    T("\"\xe0\xa0\x80\""),
    T("\"\xed\x9f\xbf\""),
    T("\"\xee\x80\x80\""),
    T("\"\xef\xbf\xbf\""),
    T("\"\xf0\x90\x80\x80\""),
    T("\"\xf4\x8f\xbf\xbf\""),
    T("\"\xe2\x80\xa8\xe2\x80\xa9\""),
    T("\"\xef\xbb\xbf\""),
    T("\"'\""),
    T("\"// no comment\""),
    T("\"0123456789abcdef\""),
    T("\"0123456789abcde\""),
    T("\"0123456789abcdef0\""),
    T("\"0123456789abcde\\n\""),
    T("\"0123456789abcd\\n\""),
    T("\"0123456789abcdef0123456789abcd\""),
    T("\"\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\""),
    T("\"\\\\u0041\""),
    T("\"[{,:}]\""),
    /* arrays */
    T("[]"),
    T("[ ]"),
    T("[\n]"),
    T("[1]"),
    T("[1,2]"),
    T("[ 1 , 2 ]"),
    T("[[]]"),
    T("[[],[]]"),
    T("[[[[[[[[]]]]]]]]"),
    T("[null,true,false,0,\"\",[],{}]"),
    T("[1\n,\n2]"),
    T("[\"a\"]"),
    T("[-0,-1.5e3]"),
    T("[\t1\t]"),
    T("[0e1,0E+1]"),
    /* objects */
    T("{}"),
    T("{ }"),
    T("{\n}"),
    T("{\"a\":1}"),
    T("{\"a\" : 1}"),
    T("{ \"a\":1 }"),
    T("{\"a\":1,\"b\":2}"),
    T("{\"a\":1,\"a\":2}"),
    T("{\"\":0}"),
    T("{\"a\":{}}"),
    T("{\"a\":{\"b\":{\"c\":[{}]}}}"),
    T("{\"\\u0061\":null}"),
    T("{\"a\\\"b\":1}"),
    T("{\"\\ud83d\\udc22\":1}"),
    T("{\"a\"\n:\n1\n,\n\"b\"\n:\n2\n}"),
    T("{\"\\u0000\":1}"),
};

static const sample bad[] = {
    /* nothing, and other things than values */
    T(""),
    T(" "),
    T("\n"),
    T("nul"),
    T("nulll"),
    T("NULL"),
    T("Null"),
    T("tru"),
    T("TRUE"),
    T("True"),
    T("truE"),
    T("fals"),
    T("falsee"),
    T("undefined"),
    T("a"),
    T("'a'"),
    T("/"),
    T("//"),
    T("/**/null"),
    T("null//"),
    T("#"),
    T(","),
    T(":"),
    T("]"),
    T("}"),
    T("\\n"),
    T("$"),
    T("_"),
    T("true false"),
    T("null,"),
    T("1 2"),
    T("\"a\" \"b\""),
    T("[]]"),
    T("{}}"),
    T("[][]"),
    T("{}{}"),
    T("[],"),
    /* other white space, byte order marks, NUL */
    T("\x0bnull"),
    T("\x0cnull"),
    T("\xc2\xa0null"),
    T("\xef\xbb\xbfnull"),
    T("\xef\xbb\xbf{}"),
    T("\xfe\xff"),
    T("\xff\xfe[\0]\0"),
    T("\0null"),
    T("null\0"),
    T("[\0]"),
    T("\xe2\x80\x8b"
      "1"),
    T("\xe3\x80\x80[]"),
    T("{\"a\":\0"
      "1}"),
    T("1\0"),
    T("[1\0,2]"),
    T("\x1c[]"),
    T("\x7f"),
    /* numbers */
    T("00"),
    T("01"),
    T("-00"),
    T("-01"),
    T("007"),
    T("0123"),
    T("+1"),
    T("+0"),
    T("-"),
    T("--1"),
    T("- 1"),
    T("+-1"),
    T("1-"),
    T("1+1"),
    T("1."),
    T("-1."),
    T("1.e1"),
    T(".1"),
    T("-.1"),
    T("."),
    T("0."),
    T("1.2.3"),
    T("1e"),
    T("1E"),
    T("1e+"),
    T("1e-"),
    T("1e1.5"),
    T("1e++1"),
    T("1ee1"),
    T("e1"),
    T("1e1e1"),
    T("0x1"),
    T("0X1"),
    T("0b1"),
    T("0o7"),
    T("1_000"),
    T("1,000"),
    T("1 000"),
    T("1a"),
    T("1f"),
    T("1L"),
    T("NaN"),
    T("nan"),
    T("-NaN"),
    T("Infinity"),
    T("-Infinity"),
    T("inf"),
    T("-inf"),
    T("1.#INF"),
    T("\xef\xbc\x91"),
    T("-\xd9\xa1"),
    T("0.e1"),
    T("1.0."),
    T("2.e3"),
    T("[1.]"),
    T("[-]"),
    T("[01]"),
    T("[1e]"),
    T("[+1]"),
    T("[.5]"),
    T("[-2.]"),
    T("[0.3e]"),
    T("[1 000.0]"),
    T("[NaN]"),
    T("[Infinity]"),
    T("[0xff]"),
    T("[1_0]"),
    /* strings */
    T("\""),
    T("\"a"),
    T("a\""),
    T("\"\\\""),
    T("\"\\"),
    T("\"\\\\\\\""),
    T("\"\\a\""),
    T("\"\\v\""),
    T("\"\\0\""),
    T("\"\\x41\""),
    T("\"\\'\""),
    T("\"\\ \""),
    T("\"\\\n\""),
    T("\"\\U0041\""),
    T("\"\\u\""),
    T("\"\\u1\""),
    T("\"\\u12\""),
    T("\"\\u123\""),
    T("\"\\u123g\""),
    T("\"\\u 123\""),
    T("\"\\u-123\""),
    T("\"\\u+123\""),
    T("\"\\u00e\xc3\xa9\""),
    T("\"\\ud800\""),
    T("\"\\uD800x\""),
    T("\"\\ud800\\n\""),
    T("\"\\ud800\\u\""),
    T("\"\\ud800\\u0041\""),
    T("\"\\ud800\\ud800\""),
    T("\"\\udc00\""),
    T("\"\\udfff\""),
    T("\"\\udc00\\ud800\""),
    T("\"\\ud83d\\\\udc22\""),
    T("\"\\ud83d \\udc22\""),
    T("\"\n\""),
    T("\"\t\""),
    T("\"\r\""),
    T("\"\0\""),
    T("\"\x01\""),
    T("\"\x1f\""),
    T("\"a\x1f"
      "b\""),
    T("\"\\n\n\""),
    T("\"\x80\""),
    T("\"\xbf\""),
    T("\"\xc0\x80\""),
    T("\"\xc1\xbf\""),
    T("\"\xc3\""),
    T("\"\xc3(\""),
    T("\"\xe0\x80\x80\""),
    T("\"\xe0\x9f\xbf\""),
    T("\"\xe2\x82\""),
    T("\"\xed\xa0\x80\""),
    T("\"\xed\xbf\xbf\""),
    T("\"\xf0\x80\x80\x80\""),
    T("\"\xf0\x8f\xbf\xbf\""),
    T("\"\xf0\x9f\x90\""),
    T("\"\xf4\x90\x80\x80\""),
    T("\"\xf5\x80\x80\x80\""),
    T("\"\xfc\x80\x80\x80\x80\x80\""),
    T("\"\xff\""),
    T("\"\xfe\""),
    T("\"\\n\xff\""),
    T("\"\\u0041\xc3\""),
    T("\"0123456789abcdef\n\""),
    T("\"0123456789abcdef\xff\""),
    T("\"0123456789abcd\\ud800\""),
    T("\"0123456789abcdef"),
    T("\"0123456789abcde\\"),
    T("'single'"),
    T("`a`"),
    T("\"a\"\"b\""),
    T("\"a\nb\""),
    T("\xe2\x80\x9c"
      "a\xe2\x80\x9d"),
    /* arrays */
    T("["),
    T("[1"),
    T("[1,"),
    T("[,"),
    T("[,]"),
    T("[1,]"),
    T("[,1]"),
    T("[1,,2]"),
    T("[1 2]"),
    T("[1:2]"),
    T("[1;2]"),
    T("[1}"),
    T("[1)"),
    T("[\"a\",\n4\n,1,"),
    T("[[]"),
    T("[[1]"),
    T("[1]]"),
    T("[\"a\""),
    T("[\"a"),
    T("[nul]"),
    T("[true,]"),
    T("[{]"),
    T("[{}"),
    T("[\"\": 1]"),
    T("[1,\n]"),
    T("[*]"),
    T("[a]"),
    T("[<null>]"),
    T("[\"x\"]]"),
    T("[/**/]"),
    T("[\x0c]"),
    T("[1,\xc3\xa9]"),
    /* objects */
    T("{"),
    T("{\""),
    T("{\"a"),
    T("{\"a\""),
    T("{\"a\":"),
    T("{\"a\":1"),
    T("{\"a\":1,"),
    T("{\"a\":1,}"),
    T("{,}"),
    T("{,\"a\":1}"),
    T("{\"a\":1,,\"b\":2}"),
    T("{\"a\"}"),
    T("{\"a\":}"),
    T("{\"a\" 1}"),
    T("{\"a\",1}"),
    T("{\"a\"::1}"),
    T("{\"a\":1:2}"),
    T("{:1}"),
    T("{a:1}"),
    T("{'a':1}"),
    T("{1:1}"),
    T("{null:1}"),
    T("{true:1}"),
    T("{[]:1}"),
    T("{{}:1}"),
    T("{\"a\":1 \"b\":2}"),
    T("{\"a\":1;\"b\":2}"),
    T("{\"a\":1]"),
    T("{\"a\":1}}"),
    T("{}}"),
    T("{\"a\":1} x"),
    T("{\"a\":1}//"),
    T("{\"a\":1}/**/"),
    T("{/**/\"a\":1}"),
    T("{\"a\":\"b\"}#"),
    T("{\"a\":'b'}"),
    T("{\"a\":b}"),
    T("{\"\\ud800\":1}"),
    T("{\"\\x\":1}"),
    T("{\"\xff\":1}"),
    T("{\"\n\":1}"),
    T("{\"a\":{}"),
    T("{\"a\":[}"),
    T("{\"a\":[1}]"),
    T("{=\"a\"}"),
    T("{\"a\"=1}"),
    T("{\xf0\x9f\x87\xa8\xf0\x9f\x87\xad}"),
    T("{\"a\":1,\"a\"}"),
    T("{\"a\":\xef\xbb\xbf"
      "1}"),
};
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- the grammar ---------------------------------------------------------------------------- */

struct empty {
    char room; /* not described */
};
FRUGAL_STRUCT_EMPTY_LOCAL(empty);

/* The text inside others: where values are skipped, deep inside, as the value of a key. */
static frugal_status check_in(const char *before, sample it, const char *after, bool as_member)
{
    static char  text[1000];
    struct empty record;
    json_value   value;
    size_t       front = strlen(before), back = strlen(after), len = front + it.len + back;
    assert_true(len < sizeof text);
    memcpy(text, before, front);
    memcpy(text + front, it.text, it.len);
    memcpy(text + front + it.len, after, back);
    frugal_str mine = { (const char *)guard_put(&page, text, len), len };
    if (as_member)
        return frugal_json_read(FRUGAL_REF(empty, &record), mine, arena, NULL, NULL, NULL);
    return json_check(mine, JSON_PLACE_FIRST, 0, &value, NULL, NULL);
}

static frugal_status check(sample it)
{
    return check_in("", it, "", false);
}

static void what_the_grammar_has_is_accepted_everywhere(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(good); i++) {
        frugal_status alone  = check(good[i]);
        frugal_status inside = check_in("[1,{\"k\":", good[i], "}]", false);
        frugal_status member = check_in("{\"k\":", good[i], ",\"l\":0}", true);
        if (alone || inside || member)
            print_message("good[%zu]: %s\n", i, good[i].text);
        assert_int_equal(alone, FRUGAL_OK);
        assert_int_equal(inside, FRUGAL_OK);
        assert_int_equal(member, FRUGAL_OK);
    }
}

static bool closes_early(sample it)
{
    /* Inside of others these become something else: another element or member, or the end. */
    static const char *const texts[] = { "null,", "[],",       "1,000", "true,", "1 2",
                                         "[1,",   "{\"a\":1,", "\"a\"", "[],",   ",",
                                         "]",     "}",         "[]]",   "{}}",   "" };
    for (size_t i = 0; i < COUNT(texts); i++)
        if (strlen(texts[i]) == it.len && memcmp(texts[i], it.text, it.len) == 0)
            return true;
    return false;
}

static void what_it_lacks_is_refused_everywhere(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++) {
        frugal_status alone  = check(bad[i]);
        frugal_status inside = check_in("[1,{\"k\":", bad[i], "}]", false);
        frugal_status member = check_in("{\"k\":", bad[i], ",\"l\":0}", true);
        bool told = alone == FRUGAL_SYNTAX || alone == FRUGAL_TRUNCATED || alone == FRUGAL_UTF8;
        if (!told || ((!inside || !member) && !closes_early(bad[i])))
            print_message("bad[%zu]: %s: %s\n", i, bad[i].text, frugal_status_name(alone));
        assert_true(told);
        assert_true((inside && member) || closes_early(bad[i]));
    }
}

static void the_lists_are_long(void **state)
{
    (void)state;
    assert_true(COUNT(good) >= 90);
    assert_true(COUNT(bad) >= 180);
}

static void every_cut_of_a_good_text_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(good); i++) {
        sample whole = good[i];
        if (!strchr("\"[{tfn", whole.text[0]))
            continue; /* a cut number is a number */
        while (whole.len > 1 && strchr(" \n\r\t", whole.text[whole.len - 1]))
            whole.len--;
        for (whole.len--; whole.len; whole.len--)
            assert_int_equal(check(whole), FRUGAL_TRUNCATED);
    }
}

/* ---- places and words ----------------------------------------------------------------------- */

static const char *said(const char *text, json_place place)
{
    static char  line[300];
    frugal_error error;
    json_value   value;
    assert_int_not_equal(
        json_check((frugal_str){ text, strlen(text) }, place, 3, &value, NULL, &error), FRUGAL_OK);
    snprintf(line, sizeof line, "%u:%u (%zu) %s: %s", error.line, error.column, error.offset,
             frugal_status_name(error.status), error.message);
    return line;
}

static void errors_have_place_and_word(void **state)
{
    (void)state;
    assert_string_equal(said("", JSON_PLACE_FIRST),
                        "1:1 (0) FRUGAL_TRUNCATED: expected a value, found the end of the text");
    assert_string_equal(said("{\n \"a\": [1,\n2 3]}", JSON_PLACE_FIRST),
                        "3:3 (14) FRUGAL_SYNTAX: expected a comma or ], found 3");
    assert_string_equal(said("{\"a\" 1}", (json_place){ 100, 7, 5 }),
                        "7:10 (105) FRUGAL_SYNTAX: expected a colon, found 1");
    assert_string_equal(said("\n{\"a\" 1}", (json_place){ 100, 7, 5 }),
                        "8:6 (106) FRUGAL_SYNTAX: expected a colon, found 1");
    assert_string_equal(said("{\"a\":1,}", JSON_PLACE_FIRST),
                        "1:8 (7) FRUGAL_SYNTAX: no comma before }");
    assert_string_equal(said("{\"a\":[1,\n ]}", JSON_PLACE_FIRST),
                        "2:2 (10) FRUGAL_SYNTAX: no comma before ]");
    assert_string_equal(said("{\"a\":]}", JSON_PLACE_FIRST),
                        "1:6 (5) FRUGAL_SYNTAX: expected a value, found ]");
    assert_string_equal(said("[[[[]]]]", JSON_PLACE_FIRST),
                        "1:4 (3) FRUGAL_DEPTH: nested deeper than 3 levels (depth_max)");
    assert_string_equal(said("\xef\xbb\xbf{}", JSON_PLACE_FIRST),
                        "1:1 (0) FRUGAL_SYNTAX: expected a value, found a byte order mark");
    assert_string_equal(
        said("{} \"a very long string that nobody wants to see in a message\"", JSON_PLACE_FIRST),
        "1:4 (3) FRUGAL_SYNTAX: expected the end of the text, found "
        "\"a very long string that nobody wants to\xe2\x80\xa6");
    assert_string_equal(said("\x1b[31m", JSON_PLACE_FIRST),
                        "1:1 (0) FRUGAL_SYNTAX: expected a value, found ?");
    assert_string_equal(said("\"a\x1b\"", JSON_PLACE_FIRST),
                        "1:3 (2) FRUGAL_SYNTAX: the control character 0x1b inside a string");
    assert_string_equal(said("1.x", JSON_PLACE_FIRST), "1:3 (2) FRUGAL_SYNTAX: no number: 1.x");
}

/* ---- values --------------------------------------------------------------------------------- */

static json_value whole(const char *text)
{
    json_value value;
    assert_int_equal(
        json_check((frugal_str){ text, strlen(text) }, JSON_PLACE_FIRST, 0, &value, NULL, NULL),
        FRUGAL_OK);
    return value;
}

static void members_and_elements_are_walked_with_their_places(void **state)
{
    static char line[500];
    char       *at = line;
    (void)state;
    json_value object = whole(" { \"a\" : 1 ,\n \"b\\u0063\":[ true ,{}],\"d\":\"x]}\"\n}");
    for (json_walk walk = json_enter(&object); json_next(&walk);)
        at += sprintf(at, "%zu %.*s@%u:%u=%.*s@%u:%u(%zu) ", walk.index, (int)walk.key.text.len,
                      walk.key.text.ptr, walk.key.place.line, walk.key.place.column,
                      (int)walk.value.text.len, walk.value.text.ptr, walk.value.place.line,
                      walk.value.place.column, walk.value.place.offset);
    assert_string_equal(line, "0 \"a\"@1:4=1@1:10(9) 1 \"b\\u0063\"@2:2=[ true ,{}]@2:12(24) "
                              "2 \"d\"@2:24=\"x]}\"@2:28(40) ");
    json_value list  = whole("[ 1, [2] ,{ } ]");
    size_t     count = 0;
    for (json_walk walk = json_enter(&list); json_next(&walk); count++)
        assert_int_equal(walk.index, count);
    assert_int_equal(count, 3);
    static const char *const empty[] = { "[]", "{}", "[ ]", "{\n}", "1", "\"[]\"", "null" };
    for (size_t i = 0; i < COUNT(empty); i++) {
        json_value value = whole(empty[i]);
        json_walk  walk  = json_enter(&value);
        assert_false(json_next(&walk));
        assert_false(json_next(&walk));
    }
}

static void members_are_found_by_what_their_names_mean(void **state)
{
    json_value value, object = whole("{\"a\":1,\"\\u0062\":2,\"a\":3,\"\":4}"), list = whole("[1]");
    (void)state;
    assert_true(json_member(&object, "a", &value));
    assert_memory_equal(value.text.ptr, "1", 1);
    assert_true(json_member(&object, "b", &value));
    assert_memory_equal(value.text.ptr, "2", 1);
    assert_true(json_member(&object, "", &value));
    assert_false(json_member(&object, "ab", &value));
    assert_false(json_member(&list, "a", &value));
    json_value string = whole("\"a\\u0000b\\n\\ud83d\\udc22\"");
    assert_false(json_string_is(&string, "a"));
    string = whole("\"x\\n\\ud83d\\udc22\"");
    assert_true(json_string_is(&string, "x\n\xf0\x9f\x90\xa2"));
    assert_false(json_string_is(&string, "x\n"));
    assert_false(json_string_is(&string, "x\n\xf0\x9f\x90\xa2."));
}

static void kinds_are_told(void **state)
{
    static const char *const texts[] = { "null", "true", "-1", "\"\"", "[]", "{}" };
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        json_value value = whole(texts[i]);
        assert_int_equal(json_kind_of(&value), i);
    }
}

static void single_values_are_read_or_blamed(void **state)
{
    json_value   object = whole("{\"i\":-5,\"s\":\"\\u0041b\",\"b\":true,\"h\":{\"$hex\":\"0aFF\"},"
                                  "\"q\":\"7\",\n\"n\":null,\"r\":1.5,\"o\":{\"$hex\":\"0\"}}");
    json_value   value;
    frugal_error error;
    frugal_str   string;
    frugal_bytes bytes;
    int64_t      number;
    bool         truth = false;
    (void)state;
    assert_true(json_member(&object, "i", &value));
    assert_int_equal(json_get_integer(&value, -10, 10, &number, NULL), FRUGAL_OK);
    assert_true(number == -5);
    assert_int_equal(json_get_integer(&value, 0, 10, &number, &error), FRUGAL_SIZE);
    assert_string_equal(error.message, "-5 is not from 0 to 10");
    assert_int_equal(error.column, 6);
    assert_int_equal(json_get_string(&value, arena, &string, &error), FRUGAL_MISMATCH);
    assert_string_equal(error.message, "expected a string, found -5");
    assert_true(json_member(&object, "q", &value));
    assert_int_equal(json_get_integer(&value, 0, 10, &number, NULL), FRUGAL_OK);
    assert_true(json_member(&object, "r", &value));
    assert_int_equal(json_get_integer(&value, 0, 10, &number, NULL), FRUGAL_MISMATCH);
    assert_true(json_member(&object, "s", &value));
    assert_int_equal(json_get_string(&value, arena, &string, NULL), FRUGAL_OK);
    assert_string_equal(string.ptr, "Ab");
    assert_int_equal(json_get_bytes(&value, arena, &bytes, NULL), FRUGAL_OK);
    assert_int_equal(bytes.len, 2);
    assert_true(json_member(&object, "h", &value));
    assert_int_equal(json_get_bytes(&value, arena, &bytes, NULL), FRUGAL_OK);
    assert_int_equal(bytes.len, 2);
    assert_memory_equal(bytes.ptr, "\x0a\xff", 2);
    assert_true(json_member(&object, "o", &value));
    assert_int_equal(json_get_bytes(&value, arena, &bytes, NULL), FRUGAL_SYNTAX);
    assert_true(json_member(&object, "b", &value));
    assert_int_equal(json_get_bool(&value, &truth, NULL), FRUGAL_OK);
    assert_true(truth);
    assert_true(json_member(&object, "n", &value));
    assert_int_equal(json_get_bool(&value, &truth, &error), FRUGAL_MISMATCH);
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 5);
}

struct pair {
    int32_t x, y;
};
FRUGAL_STRUCT_LOCAL(pair, FRUGAL_FIELD(pair, x, 1), FRUGAL_FIELD(pair, y, 2));

static void a_record_inside_has_the_places_of_the_whole(void **state)
{
    json_value   object = whole("{\"kind\":\"call\",\n \"args\": {\"x\":1,\n \"y\":false}}");
    json_value   args;
    frugal_error error;
    struct pair  pair;
    (void)state;
    assert_true(json_member(&object, "args", &args));
    assert_int_equal(json_get_record(FRUGAL_REF(pair, &pair), &args, arena, NULL, &error),
                     FRUGAL_MISMATCH);
    assert_int_equal(error.line, 3);
    assert_int_equal(error.column, 6);
    assert_int_equal(error.offset, 38);
    assert_string_equal(error.path, "y");
}

static void several_values_follow_each_other(void **state)
{
    frugal_str text  = FRUGAL_STR(" {\"a\":1}\n[2] 3\n");
    json_place place = JSON_PLACE_FIRST;
    size_t     count = 0;
    (void)state;
    while (text.len) {
        json_value value;
        size_t     used;
        assert_int_equal(json_check(text, place, 0, &value, &used, NULL), FRUGAL_OK);
        assert_int_equal(value.place.line, count ? 2 : 1);
        assert_int_equal(value.place.column, count == 2 ? 5 : count ? 1 : 2);
        place = json_place_behind(place, (frugal_str){ text.ptr, used });
        text  = (frugal_str){ text.ptr + used, text.len - used };
        count++;
    }
    assert_int_equal(count, 3);
}

static void texts_are_put_as_strings_or_hexadecimal(void **state)
{
    frugal_buf out;
    (void)state;
    frugal_buf_init(&out, NULL, 0, NULL);
    assert_int_equal(json_put_string(&out, FRUGAL_STR("a\n\"")), FRUGAL_OK);
    assert_int_equal(json_put_string(&out, FRUGAL_STR("\xff")), FRUGAL_OK);
    assert_int_equal(json_put_hex(&out, (frugal_bytes){ (const uint8_t *)"\x01\xab", 2 }),
                     FRUGAL_OK);
    assert_int_equal(json_put_string(&out, (frugal_str){ NULL, 0 }), FRUGAL_OK);
    assert_int_equal(frugal_buf_append(&out, "", 1), FRUGAL_OK);
    assert_string_equal((char *)out.data, "\"a\\n\\\"\"{\"$hex\":\"ff\"}{\"$hex\":\"01ab\"}\"\"");
    frugal_buf_release(&out);
}

static int start_all(void **state)
{
    (void)state;
    page  = guard_new(1 << 14);
    arena = frugal_arena_new(NULL);
    return arena ? 0 : -1;
}

static int end_all(void **state)
{
    (void)state;
    guard_free(&page);
    frugal_arena_free(arena);
    return 0;
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_grammar_has_is_accepted_everywhere),
        cmocka_unit_test(what_it_lacks_is_refused_everywhere),
        cmocka_unit_test(the_lists_are_long),
        cmocka_unit_test(every_cut_of_a_good_text_is_refused),
        cmocka_unit_test(errors_have_place_and_word),
        cmocka_unit_test(members_and_elements_are_walked_with_their_places),
        cmocka_unit_test(members_are_found_by_what_their_names_mean),
        cmocka_unit_test(kinds_are_told),
        cmocka_unit_test(single_values_are_read_or_blamed),
        cmocka_unit_test(a_record_inside_has_the_places_of_the_whole),
        cmocka_unit_test(several_values_follow_each_other),
        cmocka_unit_test(texts_are_put_as_strings_or_hexadecimal),
    };
    return cmocka_run_group_tests(tests, start_all, end_all);
}
