#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "idl/lexer.h"

/* All tokens of a text, "kind@line:column" and a blank each; kinds as below. */
static char        text_of_tokens[1 << 14];
static idl_token   tokens[256];
static const char *names[IDL_TOKEN_COUNT] = {
    [IDL_TOKEN_END] = "end", [IDL_TOKEN_BAD] = "bad",       [IDL_TOKEN_WORD] = "word",
    [IDL_TOKEN_INT] = "int", [IDL_TOKEN_DOUBLE] = "double", [IDL_TOKEN_LITERAL] = "literal",
};

static const char *lex_bytes(const char *text, size_t len)
{
    idl_lexer lexer;
    size_t    used = 0, count = 0;
    idl_lexer_init(&lexer, (frugal_str){ text, len });
    do {
        assert_true(count < 256);
        idl_token *token = &tokens[count++];
        idl_lexer_next(&lexer, token);
        char name[4] = { (char)token->kind, '\0' };
        used += (size_t)snprintf(text_of_tokens + used, sizeof text_of_tokens - used, "%s%s@%u:%u",
                                 used ? " " : "",
                                 idl_token_is_keyword(token)  ? "key"
                                 : names[token->kind] != NULL ? names[token->kind]
                                                              : name,
                                 token->place.line, token->place.column);
    } while (tokens[count - 1].kind != IDL_TOKEN_END);
    return text_of_tokens;
}

static const char *lex(const char *text)
{
    return lex_bytes(text, strlen(text));
}

#define TEXT_IS(token, expected)                           \
    (assert_int_equal((token).text.len, strlen(expected)), \
     assert_memory_equal((token).text.ptr, expected, strlen(expected)))

static void an_empty_text_has_an_end_and_nothing_else(void **state)
{
    (void)state;
    assert_string_equal(lex(""), "end@1:1");
    assert_string_equal(lex_bytes(NULL, 0), "end@1:1");
    assert_string_equal(lex(" \t\r\n \n"), "end@3:1");
}

static void places_count_lines_and_bytes_from_one(void **state)
{
    (void)state;
    assert_string_equal(lex("a\n\tb \xc5\xbc\n"), "word@1:1 word@2:2 bad@2:4 end@3:1");
    assert_string_equal(lex("a\r\nb\r\n"), "word@1:1 word@2:1 end@3:1");
}

static void a_byte_order_mark_takes_no_column(void **state)
{
    (void)state;
    assert_string_equal(lex("\xef\xbb\xbf"
                            "a b"),
                        "word@1:1 word@1:3 end@1:4");
    assert_string_equal(lex("\xef\xbb"), "bad@1:1 end@1:3");
    assert_string_equal(lex("a \xef\xbb\xbf"), "word@1:1 bad@1:3 end@1:6");
}

static void all_three_comments_are_space(void **state)
{
    (void)state;
    assert_string_equal(lex("a // b\n# c\n/* d\n * e */ f /**/ g /***/ h"),
                        "word@1:1 word@4:9 word@4:16 word@4:24 end@4:25");
    assert_string_equal(lex("//"), "end@1:3");
    assert_string_equal(lex("#"), "end@1:2");
}

static void a_star_and_a_slash_apart_end_no_comment(void **state)
{
    (void)state;
    assert_string_equal(lex("/*\n * /\n */a"), "word@3:4 end@3:5");
    assert_string_equal(lex("/*/a*/b"), "word@1:7 end@1:8");
}

static void a_comment_without_an_end_is_one_token_at_its_start(void **state)
{
    (void)state;
    assert_string_equal(lex("a\n  /* b\nc"), "word@1:1 bad@2:3 end@3:2");
    assert_string_equal(tokens[1].fault, "the comment is never closed");
    assert_true(tokens[1].swallows);
    assert_string_equal(lex("/*"), "bad@1:1 end@1:3");
    assert_string_equal(lex("/*/"), "bad@1:1 end@1:4");
    assert_string_equal(lex("/** doc"), "bad@1:1 end@1:8");
}

static void a_lone_slash_is_no_comment(void **state)
{
    (void)state;
    assert_string_equal(lex("a / b"), "word@1:1 bad@1:3 word@1:5 end@1:6");
    assert_string_equal(lex("/"), "bad@1:1 end@1:2");
}

static void words_have_dots_between_letters_only(void **state)
{
    (void)state;
    assert_string_equal(lex("a.b.c_1 _x a. .b a..b a.1"),
                        "word@1:1 word@1:9 word@1:12 bad@1:13 bad@1:15 word@1:16 "
                        "word@1:18 bad@1:19 bad@1:20 word@1:21 word@1:23 end@1:26");
    TEXT_IS(tokens[0], "a.b.c_1");
    TEXT_IS(tokens[10], "a.1");
}

static void keywords_are_whole_words(void **state)
{
    (void)state;
    lex("struct structure list list_ i32 i320 a.struct");
    assert_int_equal(tokens[0].kind, IDL_TOKEN_STRUCT_WORD);
    assert_int_equal(tokens[1].kind, IDL_TOKEN_WORD);
    assert_int_equal(tokens[2].kind, IDL_TOKEN_LIST_WORD);
    assert_int_equal(tokens[3].kind, IDL_TOKEN_WORD);
    assert_int_equal(tokens[4].kind, IDL_TOKEN_I32_WORD);
    assert_int_equal(tokens[5].kind, IDL_TOKEN_WORD);
    assert_int_equal(tokens[6].kind, IDL_TOKEN_WORD);
}

static void every_keyword_is_known_and_some_may_name_a_field(void **state)
{
    static const struct {
        const char *text;
        int         kind;
    } all[] = {
#define ROW(name, text, use) { text, IDL_TOKEN_##name##_WORD },
        IDL_KEYWORD_MAP(ROW)
#undef ROW
    };
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        const char *text  = all[i].text;
        bool        never = strncmp(text, "xsd_", 4) == 0 || strcmp(text, "cpp_type") == 0
                     || strcmp(text, "true") == 0 || strcmp(text, "false") == 0;
        lex(text);
        assert_int_equal(tokens[0].kind, all[i].kind);
        assert_int_equal(idl_token_is_field_name(&tokens[0]), !never);
    }
}

static void letters_of_other_alphabets_make_one_bad_word(void **state)
{
    (void)state;
    assert_string_equal(lex("\xc5\xbb\xc3\xb3\xc5\x82w x Z\xc3\xb3.y"),
                        "bad@1:1 word@1:9 bad@1:11 end@1:16");
    assert_true(tokens[0].is_word);
}

static void symbols_are_their_characters(void **state)
{
    (void)state;
    assert_string_equal(lex(":;,{}()=<>[]*&@"),
                        ":@1:1 ;@1:2 ,@1:3 {@1:4 }@1:5 (@1:6 )@1:7 =@1:8 <@1:9 >@1:10 [@1:11 "
                        "]@1:12 *@1:13 &@1:14 @@1:15 end@1:16");
}

static void anything_else_is_bad_one_character_at_a_time(void **state)
{
    (void)state;
    assert_string_equal(lex("? !\x01"), "bad@1:1 bad@1:3 bad@1:4 end@1:5");
    assert_string_equal(lex_bytes("\0a", 2), "bad@1:1 word@1:2 end@1:3");
    assert_string_equal(lex_bytes("a\0", 2), "word@1:1 bad@1:2 end@1:3");
}

/* ---- numbers -------------------------------------------------------------------------------- */

static void whole_is(const char *text, int64_t value)
{
    lex(text);
    assert_int_equal(tokens[0].kind, IDL_TOKEN_INT);
    assert_null(tokens[0].fault);
    TEXT_IS(tokens[0], text);
    assert_true(tokens[0].integer == value);
}

static void whole_numbers_have_signs_and_three_bases(void **state)
{
    (void)state;
    whole_is("0", 0);
    whole_is("7", 7);
    whole_is("+7", 7);
    whole_is("-7", -7);
    whole_is("0x1F", 31);
    whole_is("-0x10", -16);
    whole_is("+0x10", 16);
    whole_is("0o17", 15);
    whole_is("9223372036854775807", INT64_MAX);
    whole_is("-9223372036854775808", INT64_MIN);
    whole_is("0x7fffffffffffffff", INT64_MAX);
    whole_is("-0x8000000000000000", INT64_MIN);
}

static void a_leading_zero_is_no_octal_number(void **state)
{
    (void)state;
    whole_is("010", 10);
    whole_is("-0089", -89);
}

static void numbers_beyond_64_bits_have_a_fault(void **state)
{
    static const char *const wrong[] = { "9223372036854775808", "-9223372036854775809",
                                         "0x8000000000000000", "0xffffffffffffffff",
                                         "99999999999999999999999999999999999999999999" };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        lex(wrong[i]);
        assert_int_equal(tokens[0].kind, IDL_TOKEN_INT);
        assert_string_equal(tokens[0].fault, "the number does not fit into 64 bits");
        TEXT_IS(tokens[0], wrong[i]);
    }
}

static void real_is(const char *text, double value)
{
    lex(text);
    assert_int_equal(tokens[0].kind, IDL_TOKEN_DOUBLE);
    assert_null(tokens[0].fault);
    TEXT_IS(tokens[0], text);
    assert_true(tokens[0].real == value);
}

static void doubles_have_a_point_or_an_exponent(void **state)
{
    (void)state;
    real_is("1.5", 1.5);
    real_is(".5", 0.5);
    real_is("-.5", -0.5);
    real_is("+1.5E+5", 1.5e5);
    real_is("1e3", 1000);
    real_is("-2.5e-3", -2.5e-3);
    real_is("007.25", 7.25);
    real_is("1e-400", 0);
    real_is("1.7976931348623157e308", 1.7976931348623157e308);
}

static void a_double_too_large_has_a_fault(void **state)
{
    (void)state;
    lex("1e400");
    assert_int_equal(tokens[0].kind, IDL_TOKEN_DOUBLE);
    assert_string_equal(tokens[0].fault, "the number is too large for a double");
}

static void what_is_no_number_ends_it(void **state)
{
    (void)state;
    assert_string_equal(lex("5. 1e 0x 0xg 0o8 1.e5 - + . -x"),
                        "int@1:1 bad@1:2 int@1:4 word@1:5 int@1:7 word@1:8 int@1:10 word@1:11 "
                        "int@1:14 word@1:15 int@1:18 bad@1:19 word@1:20 bad@1:23 bad@1:25 bad@1:27 "
                        "bad@1:29 word@1:30 end@1:31");
}

/* ---- literals ------------------------------------------------------------------------------- */

static void literals_have_either_quote(void **state)
{
    (void)state;
    assert_string_equal(lex("'a\"b' \"c'd\" '' \"\\\"\" '\\\\'"),
                        "literal@1:1 literal@1:7 literal@1:13 literal@1:16 literal@1:21 end@1:25");
}

static void a_literal_may_run_over_lines(void **state)
{
    (void)state;
    assert_string_equal(lex("'a\n\nb' c"), "literal@1:1 word@3:4 end@3:5");
    assert_false(tokens[1].starts_line);
}

static void a_literal_without_an_end_takes_its_line_only(void **state)
{
    (void)state;
    assert_string_equal(lex("a 'b c\r\nd"), "word@1:1 bad@1:3 word@2:1 end@2:2");
    assert_string_equal(tokens[1].fault, "the literal is never closed");
    TEXT_IS(tokens[1], "'b c");
    assert_string_equal(lex("'"), "bad@1:1 end@1:2");
    assert_string_equal(lex("'\\'"), "bad@1:1 end@1:4");
    assert_string_equal(lex("'\\"), "bad@1:1 end@1:3");
}

static void a_quote_that_opens_another_literal_closes_none(void **state)
{
    (void)state;
    assert_string_equal(lex("x = \"abc\ny = \"def\"\nz = \"\""),
                        "word@1:1 =@1:3 bad@1:5 word@2:1 =@2:3 literal@2:5 word@3:1 =@3:3 "
                        "literal@3:5 end@3:7");
    assert_string_equal(lex("\"a\n\"\"\n"), "bad@1:1 literal@2:1 end@3:1");
}

static void doc_comments_come_with_the_token_behind_them(void **state)
{
    (void)state;
    lex("a /** x */ /* y */ b /** z */ // w\n c d /***/ e");
    assert_null(tokens[0].doc.ptr);
    assert_memory_equal(tokens[1].doc.ptr, "/** x */", 8);
    assert_memory_equal(tokens[2].doc.ptr, "/** z */", 8);
    assert_null(tokens[3].doc.ptr);
    assert_null(tokens[4].doc.ptr);
}

static void the_first_token_of_a_line_knows_it(void **state)
{
    (void)state;
    lex("a b\n c /* \n */ d\n/* e */ f");
    assert_true(tokens[0].starts_line);
    assert_false(tokens[1].starts_line);
    assert_true(tokens[2].starts_line);
    assert_false(tokens[3].starts_line);
    assert_true(tokens[4].starts_line);
}

static void a_place_inside_a_token_is_found(void **state)
{
    (void)state;
    lex("  'a\nbc'");
    idl_place place = idl_place_in(&tokens[0], tokens[0].text.ptr + 4);
    assert_int_equal(place.line, 2);
    assert_int_equal(place.column, 2);
}

/* The end of a line is looked for once, not once for each literal: 400,000 of them would look at
 * 640 thousand million bytes, which no limit of a test's time allows. */
static void a_line_of_very_many_literals_is_read_as_fast_as_many_lines(void **state)
{
    enum { COUNT = 400000 };
    static const char piece[] = "\"ab\"=8";
    const size_t      size    = sizeof piece - 1;
    char             *text    = malloc(COUNT * size + 8);
    (void)state;
    assert_non_null(text);
    for (size_t i = 0; i < COUNT; i++)
        memcpy(text + i * size, piece, size);
    memcpy(text + COUNT * size, "\n\"a\nb\" ", 8);
    idl_lexer lexer;
    idl_token token;
    idl_lexer_init(&lexer, (frugal_str){ text, COUNT * size + 8 });
    for (size_t i = 0; i < COUNT; i++) {
        idl_lexer_next(&lexer, &token);
        assert_true(token.kind == IDL_TOKEN_LITERAL);
        assert_true(lexer.line_end == text + COUNT * size);
        idl_lexer_next(&lexer, &token);
        idl_lexer_next(&lexer, &token);
    }
    idl_lexer_next(&lexer, &token); /* the next line has an end of its own */
    assert_int_equal(token.kind, IDL_TOKEN_LITERAL);
    assert_int_equal(token.place.line, 2);
    assert_int_equal(token.text.len, 5);
    free(text);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_text_has_an_end_and_nothing_else),
        cmocka_unit_test(places_count_lines_and_bytes_from_one),
        cmocka_unit_test(a_byte_order_mark_takes_no_column),
        cmocka_unit_test(all_three_comments_are_space),
        cmocka_unit_test(a_star_and_a_slash_apart_end_no_comment),
        cmocka_unit_test(a_comment_without_an_end_is_one_token_at_its_start),
        cmocka_unit_test(a_lone_slash_is_no_comment),
        cmocka_unit_test(words_have_dots_between_letters_only),
        cmocka_unit_test(keywords_are_whole_words),
        cmocka_unit_test(every_keyword_is_known_and_some_may_name_a_field),
        cmocka_unit_test(letters_of_other_alphabets_make_one_bad_word),
        cmocka_unit_test(symbols_are_their_characters),
        cmocka_unit_test(anything_else_is_bad_one_character_at_a_time),
        cmocka_unit_test(whole_numbers_have_signs_and_three_bases),
        cmocka_unit_test(a_leading_zero_is_no_octal_number),
        cmocka_unit_test(numbers_beyond_64_bits_have_a_fault),
        cmocka_unit_test(doubles_have_a_point_or_an_exponent),
        cmocka_unit_test(a_double_too_large_has_a_fault),
        cmocka_unit_test(what_is_no_number_ends_it),
        cmocka_unit_test(literals_have_either_quote),
        cmocka_unit_test(a_literal_may_run_over_lines),
        cmocka_unit_test(a_literal_without_an_end_takes_its_line_only),
        cmocka_unit_test(a_quote_that_opens_another_literal_closes_none),
        cmocka_unit_test(doc_comments_come_with_the_token_behind_them),
        cmocka_unit_test(the_first_token_of_a_line_knows_it),
        cmocka_unit_test(a_place_inside_a_token_is_found),
        cmocka_unit_test(a_line_of_very_many_literals_is_read_as_fast_as_many_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
