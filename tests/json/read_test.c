/* json/read_test.c - what is read from JSON, and what is refused with which words. */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <frugal/frugal.h>

#include "schema/sample.h"
#include "support/guard.h"

static frugal_arena *arena;
static guard         page;
static frugal_error  error;

/* The text lies before a page that nobody may touch. */
static frugal_status read_with(frugal_ref to, const char *text,
                               const frugal_json_read_options *options)
{
    size_t     len  = strlen(text);
    frugal_str mine = { (const char *)guard_put(&page, text, len), len };
    memset(&error, 0, sizeof error);
    memset(to.ptr, 0x99, to.type->size);
    return frugal_json_read(to, mine, arena, options, NULL, &error);
}

static void reads(frugal_ref to, const char *text)
{
    frugal_status status = read_with(to, text, NULL);
    if (status)
        print_message("%s: %s: %s\n", text, error.path, error.message);
    assert_int_equal(status, FRUGAL_OK);
}

/* "column path: sentence" of the refusal. */
static const char *refusal(frugal_ref to, const char *text, frugal_status expected)
{
    static char   said[400];
    size_t        used   = frugal_arena_used(arena);
    frugal_status status = read_with(to, text, NULL);
    snprintf(said, sizeof said, "%u %s: %s", error.column, error.path, error.message);
    if (status != expected)
        print_message("%s: %s %s\n", text, frugal_status_name(status), said);
    assert_int_equal(status, expected);
    assert_int_equal(error.status, expected);
    assert_int_equal(frugal_arena_used(arena), used);
    return said;
}

static struct user user;
#define USER FRUGAL_REF(user, &user)
#define assert_str(got, literal)                            \
    do {                                                    \
        assert_int_equal((got).len, sizeof(literal) - 1);   \
        assert_memory_equal((got).ptr, literal, (got).len); \
    } while (0)

/* ---- the whole ------------------------------------------------------------------------------ */

static void a_record_is_read_in_any_order_and_spacing(void **state)
{
    (void)state;
    reads(USER, " {\t\"name\" : \"Ada\" ,\r\n\"id\":42 , \"age\": 36, "
                "\"home\":{\"zip\":9,\"street\":\"S\"},"
                "\"friends\":[ 1 , 2,3 ],\"words\":{\"7\":[\"x\"],\"-7\":[]},\"color\":\"GREEN\","
                "\"work\":{},\"flags\":[true,false]} ");
    assert_int_equal(user.id, 42);
    assert_str(user.name, "Ada");
    assert_true(user.age.has && user.age.value == 36);
    assert_int_equal(user.home.zip, 9);
    assert_str(user.home.street, "S");
    assert_int_equal(user.friends.len, 3);
    assert_int_equal(user.friends.ptr[2], 3);
    assert_int_equal(user.words.len, 2);
    assert_int_equal(user.words.ptr[0].key, 7);
    assert_str(user.words.ptr[0].value.ptr[0], "x");
    assert_int_equal(user.words.ptr[1].value.len, 0);
    assert_non_null(user.words.ptr[1].value.ptr);
    assert_int_equal(user.color, GREEN);
    assert_non_null(user.work);
    assert_null(user.nick.ptr);
    assert_true(user.flags.ptr[0] && !user.flags.ptr[1]);
    assert_false(user.active.has);
    assert_null(user.extra);
}

static void text_behind_the_value_is_left_or_refused(void **state)
{
    struct point point;
    size_t       used;
    frugal_str   text = FRUGAL_STR(" {\"x\":1} {\"x\":2}");
    (void)state;
    assert_int_equal(frugal_json_read(FRUGAL_REF(point, &point), text, arena, NULL, &used, NULL),
                     FRUGAL_OK);
    assert_int_equal(used, 8);
    assert_string_equal(refusal(FRUGAL_REF(point, &point), " {\"x\":1} {\"x\":2}", FRUGAL_SYNTAX),
                        "10 : expected the end of the text, found {");
    reads(FRUGAL_REF(point, &point), "{} \n\t\r ");
}

static void errors_have_line_column_offset_and_path(void **state)
{
    (void)state;
    refusal(USER, "{\n  \"id\": 1,\n  \"places\": [ {},\n    {\"zip\": \"x\"} ]\n}",
            FRUGAL_MISMATCH);
    assert_int_equal(error.line, 4);
    assert_int_equal(error.column, 13);
    assert_int_equal(error.offset, 43);
    assert_string_equal(error.path, "places[1].zip");
    assert_string_equal(error.message, "expected i32, found \"x\"");
    assert_string_equal(refusal(USER, "{\"id\":1,\"words\":{\"5\":[\"a\",1]}}", FRUGAL_MISMATCH),
                        "27 words{5}[1]: expected a string, found 1");
    assert_string_equal(refusal(USER,
                                "{\"id\":1,\"cells\":[[{\"x\":1},\"a\"],[{\"x\":true},\"\"]]}",
                                FRUGAL_MISMATCH),
                        "38 cells[1].x: expected i32, found true");
    assert_string_equal(refusal(USER, "{\"id\":1,\"home\":[]}", FRUGAL_MISMATCH),
                        "16 home: expected an object (address), found [");
}

/* ---- absent and required -------------------------------------------------------------------- */

static void a_missing_required_field_is_an_error(void **state)
{
    (void)state;
    assert_string_equal(refusal(USER, "{\"name\":\"a\"}", FRUGAL_MISSING),
                        "12 id: a required field is missing");
    assert_string_equal(refusal(USER, "{}", FRUGAL_MISSING), "2 id: a required field is missing");
    assert_string_equal(refusal(USER, "{\"id\":null}", FRUGAL_MISSING),
                        "7 id: null for a required field");
}

static void null_is_absent(void **state)
{
    (void)state;
    reads(USER, "{\"id\":1,\"name\":null,\"age\":null,\"home\":null,\"friends\":null,\"work\":null,"
                "\"shape\":null}");
    assert_int_equal(user.name.len, 0);
    assert_false(user.age.has);
    assert_null(user.work);
    assert_int_equal(user.home.zip, 0);
    assert_string_equal(refusal(USER, "{\"id\":1,\"friends\":[1,null]}", FRUGAL_MISMATCH),
                        "22 friends[1]: expected i64, found null");
    assert_string_equal(refusal(USER, "{\"id\":1,\"places\":[null]}", FRUGAL_MISMATCH),
                        "19 places[0]: expected an object (address), found null");
    assert_string_equal(refusal(USER, "{\"id\":1,\"scores\":{\"a\":null}}", FRUGAL_MISMATCH),
                        "23 scores{a}: expected double, found null");
    assert_string_equal(refusal(USER, "{\"id\":1,\"age\":nul}", FRUGAL_SYNTAX),
                        "15 age: expected null, found nul");
}

/* Also of a value that came before. */
static void null_takes_back_what_came_before(void **state)
{
    struct shape shape;
    (void)state;
    reads(USER,
          "{\"id\":1,\"age\":3,\"age\":null,\"home\":{\"zip\":3},\"home\":null,\"nick\":\"n\","
          "\"nick\":null,\"name\":\"x\",\"name\":null}");
    assert_false(user.age.has);
    assert_int_equal(user.home.zip, 0);
    assert_null(user.nick.ptr);
    assert_int_equal(user.name.len, 0);
    reads(FRUGAL_REF(shape, &shape), "{\"radius\":1,\"name\":null}");
    assert_int_equal(shape.which, 1);
    reads(FRUGAL_REF(shape, &shape), "{\"radius\":1,\"radius\":null}");
    assert_int_equal(shape.which, 0);
}

struct started {
    struct address home;
    int32_t        n;
};
static const struct started start = { { { "outer", 5 }, 6 }, 7 };
FRUGAL_STRUCT_LOCAL_WITH(started, &start, FRUGAL_FIELD(started, home, 1, struct(address)),
                         FRUGAL_FIELD(started, n, 2));

static void missing_fields_have_their_defaults(void **state)
{
    struct started it;
    (void)state;
    reads(FRUGAL_REF(started, &it), "{}");
    assert_int_equal(it.n, 7);
    assert_str(it.home.street, "outer");
    assert_int_equal(it.home.zip, 6);
    /* A struct that comes starts from its own defaults, as when it is decoded. */
    reads(FRUGAL_REF(started, &it), "{\"home\":{\"zip\":1}}");
    assert_int_equal(it.home.street.len, 0);
    assert_int_equal(it.home.zip, 1);
    /* null after it: as if it had not come. */
    reads(FRUGAL_REF(started, &it), "{\"home\":{\"zip\":1},\"home\":null}");
    assert_int_equal(it.home.zip, 6);
}

static void keep_existing_leaves_what_does_not_come(void **state)
{
    frugal_json_read_options options = { .keep_existing = true };
    struct user              it      = { .id = 1, .name = { "old", 3 }, .home = { { "S", 1 }, 9 } };
    (void)state;
    it.age.has = true, it.age.value = 5;
    assert_int_equal(frugal_json_read(FRUGAL_REF(user, &it),
                                      FRUGAL_STR("{\"id\":2,\"home\":{\"zip\":1},\"age\":null}"),
                                      arena, &options, NULL, NULL),
                     FRUGAL_OK);
    assert_str(it.name, "old");
    assert_int_equal(it.id, 2);
    assert_true(it.age.has); /* null says nothing */
    assert_int_equal(it.home.zip, 1);
    assert_int_equal(it.home.street.len, 0); /* a struct that comes is read whole */
    assert_int_equal(
        frugal_json_read(FRUGAL_REF(user, &it), FRUGAL_STR("{}"), arena, &options, NULL, &error),
        FRUGAL_MISSING);
}

static void keep_existing_replaces_an_arm(void **state)
{
    frugal_json_read_options options = { .keep_existing = true, .strict = true };
    struct shape             it      = { .which = 1, .radius = 2 };
    (void)state;
    assert_int_equal(frugal_json_read(FRUGAL_REF(shape, &it), FRUGAL_STR("{\"name\":\"n\"}"), arena,
                                      &options, NULL, NULL),
                     FRUGAL_OK);
    assert_int_equal(it.which, 2);
    assert_int_equal(
        frugal_json_read(FRUGAL_REF(shape, &it), FRUGAL_STR("{}"), arena, &options, NULL, NULL),
        FRUGAL_OK);
    assert_int_equal(it.which, 2);
}

/* ---- unknown and repeated ------------------------------------------------------------------- */

static void unknown_members_are_skipped_or_refused(void **state)
{
    frugal_json_read_options strict = { .strict = true };
    struct point             point;
    const char *text = "{\"a\":[{\"b\":[1e999,\"\\ud83d\\udc22\",null,true]}],\"x\":1,\"\":{}}";
    (void)state;
    reads(FRUGAL_REF(point, &point), text);
    assert_int_equal(point.x, 1);
    assert_int_equal(read_with(FRUGAL_REF(point, &point), text, &strict), FRUGAL_NOTFOUND);
    assert_string_equal(error.message, "point has no field \"a\"");
    assert_int_equal(error.column, 2);
}

static void the_last_of_repeated_members_wins_whole(void **state)
{
    frugal_json_read_options strict = { .strict = true };
    (void)state;
    reads(USER,
          "{\"id\":1,\"home\":{\"street\":\"a\",\"zip\":1},\"id\":2,\"home\":{\"street\":\"b\"},"
          "\"friends\":[1,2],\"friends\":[3]}");
    assert_int_equal(user.id, 2);
    assert_str(user.home.street, "b");
    assert_int_equal(user.home.zip, 0);
    assert_int_equal(user.friends.len, 1);
    assert_int_equal(read_with(USER, "{\"id\":1,\"age\":2,\"\\u0061ge\":3}", &strict),
                     FRUGAL_DUPLICATE);
    assert_string_equal(error.path, "age");
    assert_int_equal(error.column, 17);
}

static void the_last_arm_wins_and_strict_takes_one(void **state)
{
    frugal_json_read_options strict = { .strict = true };
    struct shape             shape;
    (void)state;
    reads(FRUGAL_REF(shape, &shape), "{\"name\":\"x\",\"radius\":2}");
    assert_int_equal(shape.which, 1);
    assert_true(shape.radius == 2);
    reads(FRUGAL_REF(shape, &shape), "{}");
    assert_int_equal(shape.which, 0);
    assert_int_equal(read_with(FRUGAL_REF(shape, &shape), "{\"name\":\"x\",\"radius\":2}", &strict),
                     FRUGAL_DUPLICATE);
    assert_string_equal(error.message, "union shape has an arm already");
    assert_int_equal(error.column, 13);
}

static void keys_may_have_escapes(void **state)
{
    struct point point;
    (void)state;
    reads(FRUGAL_REF(point, &point), "{\"\\u0078\":1,\"\\u0079\" :2}");
    assert_int_equal(point.x, 1);
    assert_int_equal(point.y, 2);
    assert_string_equal(refusal(FRUGAL_REF(point, &point), "{\"\\ud800\":1}", FRUGAL_SYNTAX),
                        "3 : no escape: \\ud800");
}

/* ---- numbers -------------------------------------------------------------------------------- */

struct numbers {
    int8_t  i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    double  real;
    bool    flag;
};
FRUGAL_STRUCT_LOCAL(numbers, FRUGAL_FIELD(numbers, i8, 1), FRUGAL_FIELD(numbers, i16, 2),
                    FRUGAL_FIELD(numbers, i32, 3), FRUGAL_FIELD(numbers, i64, 4),
                    FRUGAL_FIELD(numbers, real, 5), FRUGAL_FIELD(numbers, flag, 6));
static struct numbers numbers;
#define NUMBERS FRUGAL_REF(numbers, &numbers)

static const char *member(const char *name, const char *value)
{
    static char text[500];
    snprintf(text, sizeof text, "{\"%s\":%s}", name, value);
    return text;
}

static void i64_is(const char *value, int64_t expected)
{
    reads(NUMBERS, member("i64", value));
    if (numbers.i64 != expected)
        print_message("%s: %lld\n", value, (long long)numbers.i64);
    assert_true(numbers.i64 == expected);
}

static void integers_are_exact_in_any_form(void **state)
{
    (void)state;
    i64_is("0", 0);
    i64_is("-0", 0);
    i64_is("7", 7);
    i64_is("-1234567", -1234567);
    i64_is("12345678", 12345678);
    i64_is("123456789012345678", INT64_C(123456789012345678));
    i64_is("9223372036854775807", INT64_MAX);
    i64_is("-9223372036854775808", INT64_MIN);
    i64_is("9007199254740993", INT64_C(9007199254740993));
    i64_is("1e3", 1000);
    i64_is("1.0", 1);
    i64_is("1.5e1", 15);
    i64_is("100e-2", 1);
    i64_is("0e99999999999999999999", 0);
    i64_is("9223372036854775807.000", INT64_MAX);
    i64_is("\"123\"", 123);
    i64_is("\"-9223372036854775808\"", INT64_MIN);
    i64_is("\"\\u0031e2\"", 100);
}

static void i64_refuses(const char *value, frugal_status status)
{
    refusal(NUMBERS, member("i64", value), status);
    assert_string_equal(error.path, "i64");
}

static void what_is_no_integer_is_refused(void **state)
{
    (void)state;
    i64_refuses("9223372036854775808", FRUGAL_SIZE);
    i64_refuses("-9223372036854775809", FRUGAL_SIZE);
    i64_refuses("1e19", FRUGAL_SIZE);
    i64_refuses("1e99999999999999999999", FRUGAL_SIZE);
    i64_refuses("\"9223372036854775808\"", FRUGAL_SIZE);
    i64_refuses("1.5", FRUGAL_MISMATCH);
    i64_refuses("1e-1", FRUGAL_MISMATCH);
    i64_refuses("1e-99999999999999999999", FRUGAL_MISMATCH);
    i64_refuses("\"\"", FRUGAL_MISMATCH);
    i64_refuses("\" 1\"", FRUGAL_MISMATCH);
    i64_refuses("\"1 \"", FRUGAL_MISMATCH);
    i64_refuses("\"+1\"", FRUGAL_MISMATCH);
    i64_refuses("\"0x1\"", FRUGAL_MISMATCH);
    i64_refuses("true", FRUGAL_MISMATCH);
    i64_refuses("[1]", FRUGAL_MISMATCH);
    i64_refuses("{}", FRUGAL_MISMATCH);
    i64_refuses("01", FRUGAL_SYNTAX);
    i64_refuses("-01", FRUGAL_SYNTAX);
    i64_refuses("1.", FRUGAL_SYNTAX);
    i64_refuses("1.e1", FRUGAL_SYNTAX);
    i64_refuses(".5", FRUGAL_SYNTAX);
    i64_refuses("+1", FRUGAL_SYNTAX);
    i64_refuses("-", FRUGAL_SYNTAX);
    i64_refuses("--1", FRUGAL_SYNTAX);
    i64_refuses("1e", FRUGAL_SYNTAX);
    i64_refuses("1e+", FRUGAL_SYNTAX);
    i64_refuses("NaN", FRUGAL_SYNTAX);
    i64_refuses("\"\\u0031\\x\"", FRUGAL_SYNTAX);
}

static void numbers_are_checked_against_the_range(void **state)
{
    static const struct {
        const char *name, *least, *most, *below, *above;
    } all[] = { { "i8", "-128", "127", "-129", "128" },
                { "i16", "-32768", "32767", "-32769", "32768" },
                { "i32", "-2147483648", "2147483647", "-2147483649", "2147483648" } };
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        reads(NUMBERS, member(all[i].name, all[i].least));
        reads(NUMBERS, member(all[i].name, all[i].most));
        refusal(NUMBERS, member(all[i].name, all[i].below), FRUGAL_SIZE);
        refusal(NUMBERS, member(all[i].name, all[i].above), FRUGAL_SIZE);
    }
    reads(NUMBERS, "{\"i8\":-128,\"i16\":-32768,\"i32\":-2147483648}");
    assert_int_equal(numbers.i8, -128);
    assert_int_equal(numbers.i16, -32768);
    assert_int_equal(numbers.i32, INT32_MIN);
    assert_string_equal(refusal(NUMBERS, "{\"i8\":300}", FRUGAL_SIZE),
                        "7 i8: out of the range of i8: 300");
}

static void real_is(const char *value, double expected)
{
    reads(NUMBERS, member("real", value));
    assert_memory_equal(&numbers.real, &expected, sizeof expected);
}

static void doubles_are_rounded_correctly_whatever_the_locale(void **state)
{
    (void)state;
    for (int round = 0; round < 2; round++) {
        real_is("0.1", 0.1);
        real_is("1", 1);
        real_is("-0", -0.0);
        real_is("-0.0", -0.0);
        real_is("1e-400", 0.0);
        real_is("5e-324", 5e-324);
        real_is("1.7976931348623157e308", 1.7976931348623157e308);
        real_is("9007199254740993", 9007199254740992.0);
        real_is("\"Infinity\"", INFINITY);
        real_is("\"-Infinity\"", -INFINITY);
        reads(NUMBERS, member("real", "\"N\\u0061N\""));
        assert_true(isnan(numbers.real));
        if (!setlocale(LC_ALL, "de_DE.UTF-8"))
            setlocale(LC_ALL, "de_DE");
    }
    setlocale(LC_ALL, "C");
    refusal(NUMBERS, member("real", "1e400"), FRUGAL_SIZE);
    real_is("\"1.5e1\"", 15);
    refusal(NUMBERS, member("real", "\"1 \""), FRUGAL_MISMATCH);
    refusal(NUMBERS, member("real", "\"1e400\""), FRUGAL_SIZE);
    refusal(NUMBERS, member("real", "\"inf\""), FRUGAL_MISMATCH);
    refusal(NUMBERS, member("real", "NaN"), FRUGAL_SYNTAX);
    refusal(NUMBERS, member("real", "1,5"), FRUGAL_SYNTAX);
    reads(NUMBERS, "{\"other\":1e400}");
}

static void bools_are_true_and_false_alone(void **state)
{
    (void)state;
    reads(NUMBERS, "{\"flag\":true}");
    assert_true(numbers.flag);
    reads(NUMBERS, "{\"flag\":false}");
    assert_false(numbers.flag);
    refusal(NUMBERS, "{\"flag\":1}", FRUGAL_MISMATCH);
    refusal(NUMBERS, "{\"flag\":\"true\"}", FRUGAL_MISMATCH);
    refusal(NUMBERS, "{\"flag\":True}", FRUGAL_SYNTAX);
    refusal(NUMBERS, "{\"flag\":truefalse}", FRUGAL_SYNTAX);
}

static void color_is(const char *value, int32_t expected)
{
    static char text[200];
    snprintf(text, sizeof text, "{\"id\":1,\"color\":%s}", value);
    reads(USER, text);
    assert_true((int32_t)user.color == expected);
}

static void enums_are_names_or_numbers(void **state)
{
    (void)state;
    color_is("\"RED\"", RED);
    color_is("\"GR\\u0045EN\"", GREEN);
    color_is("2", 2);
    color_is("-77", -77);
    color_is("\"-77\"", -77);
    color_is("1.0", 1);
    assert_string_equal(refusal(USER, "{\"id\":1,\"color\":\"red\"}", FRUGAL_NOTFOUND),
                        "17 color: enum color has no item \"red\"");
    refusal(USER, "{\"id\":1,\"color\":2147483648}", FRUGAL_SIZE);
    refusal(USER, "{\"id\":1,\"color\":\"\"}", FRUGAL_NOTFOUND);
    refusal(USER, "{\"id\":1,\"color\":\"1x\"}", FRUGAL_MISMATCH);
    refusal(USER, "{\"id\":1,\"color\":true}", FRUGAL_MISMATCH);
}

/* ---- text ----------------------------------------------------------------------------------- */

struct texts {
    frugal_str   text;
    frugal_bytes data;
};
FRUGAL_STRUCT_LOCAL(texts, FRUGAL_FIELD(texts, text, 1), FRUGAL_FIELD(texts, data, 2));
static struct texts texts;
#define TEXTS FRUGAL_REF(texts, &texts)

static void strings_are_unescaped(void **state)
{
    (void)state;
    reads(TEXTS, "{\"text\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\u20AC\\ud83d\\uDC22\"}");
    assert_str(texts.text, "\"\\/\b\f\n\r\tA\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\xa2");
    reads(TEXTS, "{\"text\":\"a\\u0000b\"}");
    assert_str(texts.text, "a\0b");
    reads(TEXTS, "{\"text\":\"\"}");
    assert_int_equal(texts.text.len, 0);
    assert_non_null(texts.text.ptr);
    reads(TEXTS, "{\"text\":\"0123456789abcdef0123456789abcdef0123456789abcdef0123456789\\n\"}");
    assert_int_equal(texts.text.len, 59);
}

static void strings_of_any_length_are_copied_whole(void **state)
{
    static char text[300], inside[280];
    (void)state;
    for (size_t len = 0; len < sizeof inside; len++) {
        for (size_t i = 0; i < len; i++)
            inside[i] = (char)('a' + i % 26);
        int size = snprintf(text, sizeof text, "{\"text\":\"%.*s\"}", (int)len, inside);
        assert_true(size > 0);
        reads(TEXTS, text);
        assert_int_equal(texts.text.len, len);
        assert_memory_equal(texts.text.ptr, inside, len);
    }
}

static void wrong_strings_are_refused(void **state)
{
    (void)state;
    refusal(TEXTS, "{\"text\":\"a\nb\"}", FRUGAL_SYNTAX);
    assert_string_equal(error.message, "the control character 0x0a inside a string");
    refusal(TEXTS, "{\"text\":\"a\\n\x1f\"}", FRUGAL_SYNTAX);
    refusal(TEXTS, "{\"text\":\"\\x\"}", FRUGAL_SYNTAX);
    refusal(TEXTS, "{\"text\":\"\\u12g4\"}", FRUGAL_SYNTAX);
    refusal(TEXTS, "{\"text\":\"\\u12\"}", FRUGAL_SYNTAX);
    refusal(TEXTS, "{\"text\":\"\\ud800\"}", FRUGAL_SYNTAX);
    refusal(TEXTS, "{\"text\":\"\\udc00\"}", FRUGAL_SYNTAX);
    refusal(TEXTS, "{\"text\":\"\\ud800\\ud800\"}", FRUGAL_SYNTAX);
    refusal(TEXTS, "{\"text\":\"\\ud800x\"}", FRUGAL_SYNTAX);
    assert_string_equal(refusal(TEXTS, "{\"text\":\"ab\xff\"}", FRUGAL_UTF8),
                        "12 text: the byte 0xff is not UTF-8");
    refusal(TEXTS, "{\"text\":\"\\n\xed\xa0\x80\"}", FRUGAL_UTF8);
    refusal(TEXTS, "{\"other\":\"\xc0\x80\"}", FRUGAL_UTF8);
    refusal(TEXTS, "{\"\xc0\":1}", FRUGAL_UTF8);
    refusal(TEXTS, "{\"text\":1}", FRUGAL_MISMATCH);
    refusal(TEXTS, "{\"text\":{\"a\":1}}", FRUGAL_MISMATCH);
    refusal(TEXTS, "{\"text\":{}}", FRUGAL_MISMATCH);
    refusal(TEXTS, "{\"text\":'a'}", FRUGAL_SYNTAX);
}

static void data_is(const char *value, const char *expected, size_t len)
{
    reads(TEXTS, member("data", value));
    assert_int_equal(texts.data.len, len);
    assert_memory_equal(texts.data.ptr, expected, len);
}

static void binary_is_base64_with_or_without_padding(void **state)
{
    (void)state;
    data_is("\"\"", "", 0);
    assert_non_null(texts.data.ptr);
    data_is("\"AQ==\"", "\1", 1);
    data_is("\"AQ\"", "\1", 1);
    data_is("\"AQI=\"", "\1\2", 2);
    data_is("\"AQI\"", "\1\2", 2);
    data_is("\"+\\/8=\"", "\xfb\xff", 2);
    data_is("\"YWJj\"", "abc", 3);
    data_is("{\"$hex\":\"00fFAb\"}", "\0\xff\xab", 3);
    refusal(TEXTS, member("data", "\"A\""), FRUGAL_SYNTAX);
    refusal(TEXTS, member("data", "\"AR==\""), FRUGAL_SYNTAX);
    refusal(TEXTS, member("data", "\"AQ=\""), FRUGAL_SYNTAX);
    refusal(TEXTS, member("data", "\"AQ==AQ==\""), FRUGAL_SYNTAX);
    refusal(TEXTS, member("data", "\"A-_=\""), FRUGAL_SYNTAX);
    refusal(TEXTS, member("data", "\"AQ =\""), FRUGAL_SYNTAX);
    refusal(TEXTS, member("data", "[1,2]"), FRUGAL_MISMATCH);
}

static void binary_is_the_text_itself_when_told(void **state)
{
    frugal_json_read_options options = { .binary_utf8 = true };
    (void)state;
    assert_int_equal(read_with(TEXTS, "{\"data\":\"AQ==\\n\"}", &options), FRUGAL_OK);
    assert_str(texts.data, "AQ==\n");
    assert_int_equal(read_with(TEXTS, "{\"data\":{\"$hex\":\"ff\"}}", &options), FRUGAL_OK);
    assert_str(texts.data, "\xff");
}

static void hexadecimal_stands_for_any_text(void **state)
{
    (void)state;
    reads(TEXTS, "{\"text\": { \"$hex\" : \"61fF\" } }");
    assert_str(texts.text, "a\xff");
    reads(TEXTS, "{\"text\":{\"\\u0024hex\":\"\\u0036\\u0031\"}}");
    assert_str(texts.text, "a");
    reads(TEXTS, "{\"text\":{\"$hex\":\"\"}}");
    assert_non_null(texts.text.ptr);
    refusal(TEXTS, "{\"text\":{\"$hex\":\"6\"}}", FRUGAL_SYNTAX);
    refusal(TEXTS, "{\"text\":{\"$hex\":\"6g\"}}", FRUGAL_SYNTAX);
    refusal(TEXTS, "{\"text\":{\"$hex\":1}}", FRUGAL_MISMATCH);
    refusal(TEXTS, "{\"text\":{\"$hex\":\"61\",\"a\":1}}", FRUGAL_MISMATCH);
    refusal(TEXTS, "{\"text\":{\"$hex\":\"61\"", FRUGAL_TRUNCATED);
}

/* ---- maps ----------------------------------------------------------------------------------- */

static void a_map_is_an_object_or_an_array_of_pairs(void **state)
{
    (void)state;
    reads(USER, "{\"id\":1,\"scores\":{\"a\":1,\"b\":2,\"a\":3},\"words\":[[1,[\"x\"]],[\"2\",[]]],"
                "\"votes\":{\"true\":1,\"false\":2},\"paints\":{\"RED\":1,\"2\":2},"
                "\"marks\":[[1.5,1]],\"cells\":[]}");
    assert_int_equal(user.scores.len, 3);
    assert_str(user.scores.ptr[2].key, "a");
    assert_true(user.scores.ptr[2].value == 3);
    assert_int_equal(user.words.len, 2);
    assert_int_equal(user.words.ptr[1].key, 2);
    assert_true(user.votes.ptr[0].key && !user.votes.ptr[1].key);
    assert_int_equal(user.paints.ptr[0].key, RED);
    assert_int_equal(user.paints.ptr[1].key, GREEN);
    assert_true(user.marks.ptr[0].key == 1.5);
    reads(USER, "{\"id\":1,\"marks\":{\"1.5\":1,\"NaN\":2}}");
    assert_true(user.marks.ptr[0].key == 1.5);
}

static void keys_are_checked_as_values_are(void **state)
{
    (void)state;
    assert_string_equal(refusal(USER, "{\"id\":1,\"words\":{\"x\":[]}}", FRUGAL_MISMATCH),
                        "18 words[0]: expected i32, found \"x\"");
    refusal(USER, "{\"id\":1,\"words\":{\"2147483648\":[]}}", FRUGAL_SIZE);
    refusal(USER, "{\"id\":1,\"words\":{\"01\":[]}}", FRUGAL_MISMATCH);
    refusal(USER, "{\"id\":1,\"words\":{\"1.5\":[]}}", FRUGAL_MISMATCH);
    refusal(USER, "{\"id\":1,\"words\":{\"\":[]}}", FRUGAL_MISMATCH);
    refusal(USER, "{\"id\":1,\"words\":{1:[]}}", FRUGAL_SYNTAX);
    refusal(USER, "{\"id\":1,\"votes\":{\"TRUE\":1}}", FRUGAL_MISMATCH);
    refusal(USER, "{\"id\":1,\"paints\":{\"BLUE\":1}}", FRUGAL_NOTFOUND);
    refusal(USER, "{\"id\":1,\"marks\":{\"1e400\":1}}", FRUGAL_SIZE);
    refusal(USER, "{\"id\":1,\"cells\":{\"a\":\"b\"}}", FRUGAL_MISMATCH);
    reads(USER, "{\"id\":1,\"words\":{\"\\u0031\":[]}}");
    assert_int_equal(user.words.ptr[0].key, 1);
}

static void pairs_have_two_values(void **state)
{
    (void)state;
    assert_string_equal(refusal(USER, "{\"id\":1,\"words\":[[1]]}", FRUGAL_MISMATCH),
                        "18 words[0]: expected [key, value], found [");
    refusal(USER, "{\"id\":1,\"words\":[[]]}", FRUGAL_MISMATCH);
    refusal(USER, "{\"id\":1,\"words\":[[1,[],2]]}", FRUGAL_MISMATCH);
    refusal(USER, "{\"id\":1,\"words\":[1]}", FRUGAL_MISMATCH);
    refusal(USER, "{\"id\":1,\"words\":[[1,[]],]}", FRUGAL_SYNTAX);
    refusal(USER, "{\"id\":1,\"words\":[[1 []]]}", FRUGAL_SYNTAX);
    refusal(USER, "{\"id\":1,\"words\":5}", FRUGAL_MISMATCH);
}

/* ---- kept unknown fields -------------------------------------------------------------------- */

static void unknown_fields_come_back(void **state)
{
    struct shape shape;
    struct point point;
    (void)state;
    reads(USER, "{\"id\":1,\"$unknown\":{\"$hex\":\"08006300000001\"}}");
    assert_str(user.kept, "\x08\0\x63\0\0\0\x01");
    reads(USER, "{\"id\":1,\"$unknown\":{\"$hex\":\"\"}}");
    assert_int_equal(user.kept.len, 0);
    refusal(USER, "{\"id\":1,\"$unknown\":{\"$hex\":\"080063000000\"}}", FRUGAL_MALFORMED);
    assert_string_equal(error.path, "$unknown");
    refusal(USER, "{\"id\":1,\"$unknown\":{\"$hex\":\"00\"}}", FRUGAL_MALFORMED);
    refusal(USER, "{\"id\":1,\"$unknown\":{\"$hex\":\"0800630000000100\"}}", FRUGAL_MALFORMED);
    refusal(USER, "{\"id\":1,\"$unknown\":\"08\"}", FRUGAL_MISMATCH);
    reads(FRUGAL_REF(shape, &shape), "{\"$unknown\":{\"$hex\":\"02003201\"}}");
    assert_int_equal(shape.kept.len, 4);
    reads(FRUGAL_REF(shape, &shape), "{\"$unknown\":{\"$hex\":\"02003201\"},\"radius\":1}");
    assert_int_equal(shape.kept.len, 0);
    reads(FRUGAL_REF(point, &point), "{\"$unknown\":5}"); /* nobody keeps them here */
}

/* ---- limits --------------------------------------------------------------------------------- */

static const char *nested(const char *open, const char *inside, const char *close, unsigned count)
{
    static char text[20000];
    char       *at = text;
    for (unsigned i = 0; i < count; i++)
        at = stpcpy(at, open);
    at = stpcpy(at, inside);
    for (unsigned i = 0; i < count; i++)
        at = stpcpy(at, close);
    return text;
}

static void depth_is_bounded_in_records_and_in_what_is_skipped(void **state)
{
    struct node node;
    (void)state;
    reads(FRUGAL_REF(node, &node), nested("{\"next\":", "{}", "}", 63));
    refusal(FRUGAL_REF(node, &node), nested("{\"next\":", "{}", "}", 64), FRUGAL_DEPTH);
    assert_string_equal(error.message, "nested deeper than 64 levels (depth_max)");
    reads(FRUGAL_REF(node, &node), nested("{\"children\":[", "", "]}", 32));
    refusal(FRUGAL_REF(node, &node), nested("{\"children\":[", "", "]}", 33), FRUGAL_DEPTH);
    reads(FRUGAL_REF(node, &node), nested("{\"other\":", "{}", "}", 63));
    refusal(FRUGAL_REF(node, &node), nested("{\"other\":", "{}", "}", 64), FRUGAL_DEPTH);
    refusal(FRUGAL_REF(node, &node), nested("{\"other\":[", "[", "", 900), FRUGAL_DEPTH);
    frugal_json_read_options deep = { .depth_max = 1024 };
    assert_int_equal(
        read_with(FRUGAL_REF(node, &node), nested("{\"next\":", "{}", "}", 1023), &deep),
        FRUGAL_OK);
    deep.depth_max = 1025;
    assert_int_equal(read_with(FRUGAL_REF(node, &node), "{}", &deep), FRUGAL_INVALID);
}

struct wide {
    FRUGAL_OPT(int32_t) n;
    char                room[100000]; /* not described */
};
FRUGAL_STRUCT_LOCAL(wide, FRUGAL_FIELD(wide, n, 1, optional));
struct wides {
    struct wide              one;
    FRUGAL_LIST(struct wide) many;
};
FRUGAL_STRUCT_LOCAL(wides, FRUGAL_FIELD(wides, one, 1, struct(wide)),
                    FRUGAL_FIELD(wides, many, 2, list(struct(wide))));
static struct wides wides;

static const char *many(const char *before, const char *each, const char *after, unsigned count)
{
    static char text[1 << 16];
    char       *at = stpcpy(text, before);
    for (unsigned i = 0; i < count; i++)
        at = stpcpy(stpcpy(at, i ? "," : ""), each);
    stpcpy(at, after);
    return text;
}

static void memory_and_initialising_are_charged(void **state)
{
    frugal_json_read_options options = { .size_max = 1000000 };
    (void)state;
    assert_int_equal(
        read_with(FRUGAL_REF(wides, &wides), many("{\"many\":[", "{}", "]}", 3), &options),
        FRUGAL_OK);
    assert_int_equal(
        read_with(FRUGAL_REF(wides, &wides), many("{\"many\":[", "{}", "]}", 1000), &options),
        FRUGAL_BUDGET);
    assert_non_null(strstr(error.message, "size_max is 1000000"));
    assert_int_equal(
        read_with(FRUGAL_REF(wides, &wides), many("{", "\"one\":{}", "}", 9), &options), FRUGAL_OK);
    assert_int_equal(
        read_with(FRUGAL_REF(wides, &wides), many("{", "\"one\":{}", "}", 1000), &options),
        FRUGAL_BUDGET);
    assert_int_equal(read_with(FRUGAL_REF(wides, &wides),
                               many("{\"one\":{},", "\"one\":null", "}", 1000), &options),
                     FRUGAL_BUDGET);
    options.size_max = 8;
    assert_int_equal(read_with(TEXTS, "{\"text\":\"12345678\"}", &options), FRUGAL_OK);
    assert_int_equal(read_with(TEXTS, "{\"text\":\"123456789\"}", &options), FRUGAL_BUDGET);
    assert_int_equal(read_with(TEXTS, "{\"\\u0041\\u0041\":1,\"\\u0041\\u0041\":1}", &options),
                     FRUGAL_BUDGET); /* not even for a moment */
}

/* ---- arguments ------------------------------------------------------------------------------ */

static void arguments_are_checked(void **state)
{
    struct point             point   = { 5, 6 };
    frugal_json_read_options options = { .struct_size = 4 };
    frugal_ref               to      = FRUGAL_REF(point, &point);
    frugal_str               text    = FRUGAL_STR("{}");
    frugal_str               nothing = { NULL, 3 };
    (void)state;
    assert_int_equal(frugal_json_read(to, text, NULL, NULL, NULL, NULL), FRUGAL_INVALID);
    assert_int_equal(frugal_json_read(to, nothing, arena, NULL, NULL, NULL), FRUGAL_INVALID);
    assert_int_equal(frugal_json_read(to, text, arena, &options, NULL, NULL), FRUGAL_INVALID);
    assert_int_equal(frugal_json_read((frugal_ref){ to.type, NULL }, text, arena, NULL, NULL, NULL),
                     FRUGAL_INVALID);
    assert_int_equal(frugal_json_read((frugal_ref){ NULL, &point }, text, arena, NULL, NULL, NULL),
                     FRUGAL_INVALID);
    assert_int_equal(point.x, 5);
    nothing.len = 0;
    assert_int_equal(frugal_json_read(to, nothing, arena, NULL, NULL, &error), FRUGAL_TRUNCATED);
    assert_string_equal(error.message, "expected an object (point), found the end of the text");
}

static int start_all(void **state)
{
    (void)state;
    page  = guard_new(1 << 16);
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
        cmocka_unit_test(a_record_is_read_in_any_order_and_spacing),
        cmocka_unit_test(text_behind_the_value_is_left_or_refused),
        cmocka_unit_test(errors_have_line_column_offset_and_path),
        cmocka_unit_test(a_missing_required_field_is_an_error),
        cmocka_unit_test(null_is_absent),
        cmocka_unit_test(null_takes_back_what_came_before),
        cmocka_unit_test(missing_fields_have_their_defaults),
        cmocka_unit_test(keep_existing_leaves_what_does_not_come),
        cmocka_unit_test(keep_existing_replaces_an_arm),
        cmocka_unit_test(unknown_members_are_skipped_or_refused),
        cmocka_unit_test(the_last_of_repeated_members_wins_whole),
        cmocka_unit_test(the_last_arm_wins_and_strict_takes_one),
        cmocka_unit_test(keys_may_have_escapes),
        cmocka_unit_test(integers_are_exact_in_any_form),
        cmocka_unit_test(what_is_no_integer_is_refused),
        cmocka_unit_test(numbers_are_checked_against_the_range),
        cmocka_unit_test(doubles_are_rounded_correctly_whatever_the_locale),
        cmocka_unit_test(bools_are_true_and_false_alone),
        cmocka_unit_test(enums_are_names_or_numbers),
        cmocka_unit_test(strings_are_unescaped),
        cmocka_unit_test(strings_of_any_length_are_copied_whole),
        cmocka_unit_test(wrong_strings_are_refused),
        cmocka_unit_test(binary_is_base64_with_or_without_padding),
        cmocka_unit_test(binary_is_the_text_itself_when_told),
        cmocka_unit_test(hexadecimal_stands_for_any_text),
        cmocka_unit_test(a_map_is_an_object_or_an_array_of_pairs),
        cmocka_unit_test(keys_are_checked_as_values_are),
        cmocka_unit_test(pairs_have_two_values),
        cmocka_unit_test(unknown_fields_come_back),
        cmocka_unit_test(depth_is_bounded_in_records_and_in_what_is_skipped),
        cmocka_unit_test(memory_and_initialising_are_charged),
        cmocka_unit_test(arguments_are_checked),
    };
    return cmocka_run_group_tests(tests, start_all, end_all);
}
