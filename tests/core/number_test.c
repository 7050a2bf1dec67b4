#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/number.h"
#include "support/gen_random.h"
#include "support/guard.h"

/* Of each random law; a slow machine or a sanitizer still does as many in a few seconds. */
#define ROUNDS 200000

#define TEXT_MAX 64

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The text of a number, with a NUL; nothing outside of its room may be touched. */
static const char *double_text(double value)
{
    static char room[NUMBER_DOUBLE_MAX + 2];
    memset(room, '#', sizeof room);
    size_t size = number_write_double(room + 1, value);
    assert_true(room[0] == '#' && room[sizeof room - 1] == '#');
    assert_in_range(size, 1, 25);
    room[1 + size] = '\0';
    return room + 1;
}

static const char *i64_text(int64_t value)
{
    static char room[NUMBER_INTEGER_MAX + 2];
    memset(room, '#', sizeof room);
    size_t size = number_write_i64(room + 1, value);
    assert_true(room[0] == '#' && room[sizeof room - 1] == '#');
    room[1 + size] = '\0';
    return room + 1;
}

typedef number_status read_double(const char **at, const char *end, double *value);

/* The whole text must be taken, whatever the outcome. */
static number_status read_with(read_double *read, const char *text, size_t len, double *value)
{
    const char   *at     = text;
    number_status status = read(&at, text + len, value);
    if (status != NUMBER_SYNTAX)
        assert_ptr_equal(at, text + len);
    return status;
}

static double must_read(const char *text)
{
    double value = 0;
    if (read_with(number_read_double, text, strlen(text), &value) != NUMBER_OK)
        fail_msg("%s is not read", text);
    return value;
}

static void expect_as_libc(const char *text)
{
    double expected = strtod(text, NULL), value = 0;
    bool   finite = isfinite(expected);
    if (read_with(number_read_double, text, strlen(text), &value)
            != (finite ? NUMBER_OK : NUMBER_RANGE)
        || (finite && bits_of(value) != bits_of(expected)))
        fail_msg("%.60s: %a, libc %a", text, value, expected);
}

/* ---- integers ------------------------------------------------------------------------------- */

static void check_integer_text(uint64_t bits)
{
    char    expected[TEXT_MAX], text[NUMBER_INTEGER_MAX + 1];
    int64_t value = (int64_t)bits, back = 0;
    snprintf(expected, sizeof expected, "%" PRId64, value);
    assert_string_equal(i64_text(value), expected);
    const char *at = expected, *end = expected + strlen(expected);
    assert_int_equal(number_read_i64(&at, end, &back), NUMBER_OK);
    assert_ptr_equal(at, end);
    assert_true(back == value);
    snprintf(expected, sizeof expected, "%" PRIu64, bits);
    text[number_write_u64(text, bits)] = '\0';
    assert_string_equal(text, expected);
}

static void integers_are_written_and_read_as_libc_does(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 200000; i++)
        check_integer_text(i);
    uint64_t power = 1;
    for (int i = 0; i < 20; i++, power *= 10) {
        for (uint64_t near = power - 3; near != power + 4; near++) {
            check_integer_text(near);
            check_integer_text(-near);
        }
    }
    for (int i = 0; i < 64; i++) {
        check_integer_text((UINT64_C(1) << i) - 1);
        check_integer_text(UINT64_C(1) << i);
        check_integer_text(-(UINT64_C(1) << i));
    }
    gen_random random = gen_random_for(gen_seed(), "number", 1);
    for (int i = 0; i < ROUNDS; i++)
        check_integer_text(gen_next(&random) >> (i % 64));
}

typedef struct whole_case {
    const char   *text;
    number_status status;
    int64_t       value;
} whole_case;

static void check_whole(const whole_case *it)
{
    /* Alone, and with room behind for wide loads. */
    char long_text[256];
    snprintf(long_text, sizeof long_text, "%s,                         ", it->text);
    for (int i = 0; i < 2; i++) {
        const char   *text = i ? long_text : it->text, *at = text;
        int64_t       value  = 77;
        number_status status = number_read_i64(&at, text + strlen(text), &value);
        if (status != it->status || value != (status == NUMBER_OK ? it->value : 77))
            fail_msg("%s: status %d, value %" PRId64, text, (int)status, value);
        if (status != NUMBER_SYNTAX)
            assert_int_equal(at - text, strlen(it->text));
    }
}

static void whole_numbers_are_integers_in_whatever_form(void **state)
{
    (void)state;
    const whole_case cases[] = {
        { "0", NUMBER_OK, 0 },
        { "-0", NUMBER_OK, 0 },
        { "0.0", NUMBER_OK, 0 },
        { "-0e9", NUMBER_OK, 0 },
        { "0e-99999999999999999999", NUMBER_OK, 0 },
        { "0.000e99999999999999999999", NUMBER_OK, 0 },
        { "1e3", NUMBER_OK, 1000 },
        { "1E+3", NUMBER_OK, 1000 },
        { "-1.0", NUMBER_OK, -1 },
        { "0.1e4", NUMBER_OK, 1000 },
        { "12.5e1", NUMBER_OK, 125 },
        { "1000e-3", NUMBER_OK, 1 },
        { "9223372036854775807", NUMBER_OK, INT64_MAX },
        { "-9223372036854775808", NUMBER_OK, INT64_MIN },
        { "9223372036854775807.00", NUMBER_OK, INT64_MAX },
        { "-9.223372036854775808e18", NUMBER_OK, INT64_MIN },
        { "9223372036854775808", NUMBER_RANGE, 0 },
        { "-9223372036854775809", NUMBER_RANGE, 0 },
        { "9.223372036854775808e18", NUMBER_RANGE, 0 },
        { "9999999999999999999", NUMBER_RANGE, 0 },
        { "18446744073709551616", NUMBER_RANGE, 0 },
        { "18446744073709551617", NUMBER_RANGE, 0 },
        { "100000000000000000000000000000000", NUMBER_RANGE, 0 },
        { "1e19", NUMBER_RANGE, 0 },
        { "1e99999999999999999999", NUMBER_RANGE, 0 },
        { "9007199254740993", NUMBER_OK, 9007199254740993 },
        { "9007199254740993.0", NUMBER_OK, 9007199254740993 },
        { "100000000000000000000000e-20", NUMBER_OK, 1000 },
        { "0.00000000000000000000000000000000000001e38", NUMBER_OK, 1 },
        { "0.5", NUMBER_FRACTION, 0 },
        { "1e-1", NUMBER_FRACTION, 0 },
        { "9223372036854775808.5", NUMBER_FRACTION, 0 },
        { "1e-99999999999999999999", NUMBER_FRACTION, 0 },
        { "1.0000000000000000000000000000000000001", NUMBER_FRACTION, 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_whole(&cases[i]);
}

static void digits_of_a_base_end_at_the_first_that_is_none(void **state)
{
    (void)state;
    const struct {
        const char   *text;
        unsigned      base;
        number_status status;
        uint64_t      value;
        size_t        taken;
    } cases[] = {
        { "ff", 16, NUMBER_OK, 255, 2 },
        { "FfG", 16, NUMBER_OK, 255, 2 },
        { "0777:", 8, NUMBER_OK, 511, 4 },
        { "78", 8, NUMBER_OK, 7, 1 },
        { "8", 8, NUMBER_SYNTAX, 9, 0 },
        { "", 10, NUMBER_SYNTAX, 9, 0 },
        { "@", 16, NUMBER_SYNTAX, 9, 0 },
        { "18446744073709551615", 10, NUMBER_OK, UINT64_MAX, 20 },
        { "18446744073709551616", 10, NUMBER_RANGE, 9, 20 },
        { "ffffffffffffffff", 16, NUMBER_OK, UINT64_MAX, 16 },
        { "10000000000000000x", 16, NUMBER_RANGE, 9, 17 },
        { "00000000000000000000000000001", 2, NUMBER_OK, 1, 29 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *at    = cases[i].text;
        uint64_t    value = 9;
        assert_int_equal(number_read_digits(&at, at + strlen(at), cases[i].base, &value),
                         cases[i].status);
        assert_true(value == cases[i].value);
        assert_int_equal(at - cases[i].text, cases[i].taken);
    }
}

/* ---- the grammar ---------------------------------------------------------------------------- */

static void what_is_no_number_of_json_is_told_with_its_place(void **state)
{
    (void)state;
    const struct {
        const char *text;
        size_t      place;
    } cases[] = {
        { "", 0 },      { "-", 1 },        { "+1", 0 },  { ".5", 0 },          { "x", 0 },
        { "-x", 1 },    { "01", 1 },       { "-00", 2 }, { "-012.5", 2 },      { "1.", 2 },
        { "1.e5", 2 },  { "1.x", 2 },      { "1e", 2 },  { "1e+", 3 },         { "1e-x", 3 },
        { "1.5ee", 4 }, { "00000000", 1 }, { "--1", 1 }, { "000000000.5", 1 }, { "NaN", 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *text = cases[i].text, *end = text + strlen(text), *at = text;
        double      real    = 0;
        int64_t     integer = 0;
        assert_int_equal(number_skip(&at, end), NUMBER_SYNTAX);
        assert_int_equal(at - text, cases[i].place);
        at = text;
        assert_int_equal(number_read_double(&at, end, &real), NUMBER_SYNTAX);
        assert_int_equal(at - text, cases[i].place);
        at = text;
        assert_int_equal(number_read_i64(&at, end, &integer), NUMBER_SYNTAX);
        assert_int_equal(at - text, cases[i].place);
    }
}

static void a_number_ends_where_the_grammar_does(void **state)
{
    (void)state;
    const char *cases[] = {
        "0,", "-1]", "1.5}", "1e5x", "1E-5 ", "12-", "0.0.0", "1.25e3.", "7\""
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *text = cases[i], *at = text;
        char       *libc;
        double      expected = strtod(text, &libc), value = 0;
        assert_int_equal(number_read_double(&at, text + strlen(text), &value), NUMBER_OK);
        assert_ptr_equal(at, libc);
        assert_true(bits_of(value) == bits_of(expected));
        at = text;
        assert_int_equal(number_skip(&at, text + strlen(text)), NUMBER_OK);
        assert_ptr_equal(at, libc);
    }
    const char *at = "1e999999", *text = at;
    assert_int_equal(number_skip(&at, text + 8), NUMBER_OK);
    assert_ptr_equal(at, text + 8);
}

static void nothing_behind_the_end_is_read(void **state)
{
    (void)state;
    const char *texts[] = { "-1234567890123456789", "-123456789.01234567890123456789e-123",
                            "0.0000000000000000000000000000000000000000001" };
    guard       page    = guard_new(128);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        for (size_t len = 0; len <= strlen(texts[i]); len++) {
            char copy[TEXT_MAX] = { 0 };
            memcpy(copy, texts[i], len);
            const char   *start = (const char *)guard_put(&page, texts[i], len), *end = start + len;
            const char   *at    = start;
            char         *libc  = NULL;
            double        value = 0, expected = strtod(copy, &libc);
            int64_t       integer;
            bool          whole = libc == copy + len && len > 0 && copy[len - 1] != '.';
            number_status got   = number_read_double(&at, end, &value);
            assert_int_equal(got, whole ? NUMBER_OK : NUMBER_SYNTAX);
            if (whole)
                assert_true(bits_of(value) == bits_of(expected));
            at = start;
            number_read_i64(&at, end, &integer);
            at = start;
            number_skip(&at, end);
        }
    }
    guard_free(&page);
}

static void the_loose_grammar_takes_what_idl_writes(void **state)
{
    (void)state;
    const struct {
        const char *text;
        double      value;
    } good[] = {
        { "+1", 1 },     { "007", 7 },
        { ".5", 0.5 },   { "5.", 5 },
        { "-.5e1", -5 }, { "+0.25", .25 },
        { "5.e2", 500 }, { "000000000000000000000000000001.5", 1.5 },
        { "1e5", 1e5 },
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        double value = 0;
        assert_int_equal(
            read_with(number_read_loose_double, good[i].text, strlen(good[i].text), &value),
            NUMBER_OK);
        assert_true(value == good[i].value);
    }
    const char *bad[] = { "", ".", "+", "-.", ".e5", "+-1", "e5", "1e", "1e+", "x" };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double value;
        assert_int_equal(read_with(number_read_loose_double, bad[i], strlen(bad[i]), &value),
                         NUMBER_SYNTAX);
    }
}

/* ---- doubles to text ------------------------------------------------------------------------ */

static void the_form_is_that_of_ecmascript(void **state)
{
    (void)state;
    const struct {
        double      value;
        const char *text;
    } cases[] = {
        { 0.0, "0" },
        { -0.0, "-0" },
        { 1, "1" },
        { -1, "-1" },
        { 100, "100" },
        { 0.1, "0.1" },
        { 0.25, "0.25" },
        { -12.5, "-12.5" },
        { 1234.567, "1234.567" },
        { 0.001, "0.001" },
        { 0.0001, "0.0001" },
        { 1e-6, "0.000001" },
        { 1.5e-6, "0.0000015" },
        { 1e-7, "1e-7" },
        { 1.25e-7, "1.25e-7" },
        { 1e20, "100000000000000000000" },
        { 1e21, "1e+21" },
        { 1.5e21, "1.5e+21" },
        { 123456789012345680000.0, "123456789012345680000" },
        { 9007199254740993.0, "9007199254740992" },
        { 5e-324, "5e-324" },
        { 1e-323, "1e-323" },
        { DBL_MIN, "2.2250738585072014e-308" },
        { 2.225073858507201e-308, "2.225073858507201e-308" },
        { DBL_MAX, "1.7976931348623157e+308" },
        { -DBL_MAX, "-1.7976931348623157e+308" },
        { 0.30000000000000004, "0.30000000000000004" },
        { 1.0 / 3, "0.3333333333333333" },
        { 2e22, "2e+22" },
        { 1e23, "1e+23" },
        { 9.5367431640625e-7, "9.5367431640625e-7" },
        { 5.684341886080802e-14, "5.684341886080802e-14" },
        { 999999999999.999, "999999999999.999" },
        { 1e12 + 0.5, "1000000000000.5" },
        { 0x1p63, "9223372036854776000" },
        { 0x1p53, "9007199254740992" },
        { 2251799813685248.5, "2251799813685248.5" },
        { 0.5, "0.5" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *text = double_text(cases[i].value);
        assert_string_equal(text, cases[i].text);
        assert_true(bits_of(must_read(text)) == bits_of(cases[i].value));
    }
}

/* The digits of a text, without point, sign, exponent and zeros at both ends. */
static size_t significant(const char *text, char digits[TEXT_MAX])
{
    size_t count = 0;
    for (; *text && (*text | 0x20) != 'e'; text++) {
        if (*text >= '1' || (*text == '0' && count))
            digits[count++] = *text;
    }
    while (count > 1 && digits[count - 1] == '0')
        count--;
    digits[count] = '\0';
    return count;
}

/* libc says how many digits are needed, and what they are. Next to a power of two fewer may do than
 * the nearest decimal has, because the interval is not even. */
static void check_shortest(double value)
{
    char        expected[TEXT_MAX], digits[TEXT_MAX], ours[TEXT_MAX];
    int         precision = 1;
    const char *text      = double_text(value);
    if (bits_of(must_read(text)) != bits_of(value) || strtod(text, NULL) != value)
        fail_msg("%a became %s", value, text);
    do
        snprintf(expected, sizeof expected, "%.*e", precision - 1, value);
    while (strtod(expected, NULL) != value && ++precision <= 17);
    size_t count = significant(expected, digits), our_count = significant(text, ours);
    bool   whole = fabs(value) < 0x1p53 && floor(value) == value;
    if (!whole && (our_count > count || (our_count == count && strcmp(ours, digits) != 0)))
        fail_msg("%a became %s, shorter is %s", value, text, expected);
}

static double finite_of(uint64_t bits)
{
    double value = double_of(bits);
    return isfinite(value) ? value : 1.5;
}

static void random_bits_are_written_shortest(void **state)
{
    (void)state;
    gen_random random = gen_random_for(gen_seed(), "number", 2);
    for (int i = 0; i < ROUNDS / 4; i++) {
        check_shortest(finite_of(gen_next(&random)));
        check_shortest(finite_of(gen_next(&random) & ~(UINT64_C(0x7ff) << 52))); /* tiny */
    }
}

static void powers_of_two_and_ten_and_their_neighbours_are_written_shortest(void **state)
{
    (void)state;
    for (uint64_t exponent = 1; exponent < 2047; exponent++) {
        for (uint64_t near = 0; near < 5; near++)
            check_shortest(double_of((exponent << 52) + near - 2));
    }
    for (uint64_t bits = 1; bits < 1000; bits++)
        check_shortest(double_of(bits));
    for (int exponent = -323; exponent <= 308; exponent++) {
        char text[TEXT_MAX];
        snprintf(text, sizeof text, "1e%d", exponent);
        uint64_t bits = bits_of(strtod(text, NULL));
        for (uint64_t near = 0; near < 5; near++)
            check_shortest(finite_of(bits + near - 2));
    }
}

static void few_decimals_are_written_as_they_were_read(void **state)
{
    (void)state;
    gen_random random = gen_random_for(gen_seed(), "number", 3);
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t whole = gen_next(&random) >> (24 + i % 40);
        char     text[TEXT_MAX];
        snprintf(text, sizeof text, "%" PRIu64 ".%0*d", whole, 1 + i % 4,
                 1 + (int)(gen_next(&random) % 9));
        assert_string_equal(double_text(must_read(text)), text);
        check_shortest(nextafter(strtod(text, NULL), i & 1 ? INFINITY : 0));
    }
}

/* ---- text to doubles ------------------------------------------------------------------------ */

/* Cases which other readers were found to get wrong, and the edges of the format. */
static void hard_cases_are_read_as_libc_reads_them(void **state)
{
    (void)state;
    const char *cases[] = {
        "9007199254740993",
        "9007199254740992.999999999999999999999999999999",
        "9007199254740993.000000000000000000000000000001",
        "9007199254740995",
        "4503599627370496.5",
        "4503599627370497.5",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649"
        "017977587207096330286416692887910946555547851940402630657488671505820681908902000708383"
        "676273854845817711531764475730270069855571366959622842914819860834936475292719074168444"
        "365510704342711559699508093042880177904174497791.9999999999999999999999999999999999999",
        "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649"
        "017977587207096330286416692887910946555547851940402630657488671505820681908902000708383"
        "676273854845817711531764475730270069855571366959622842914819860834936475292719074168444"
        "365510704342711559699508093042880177904174497792",
        "1e309",
        "1e308",
        "-1e400",
        "123456789e99999999999999999999",
        "2.2250738585072014e-308",
        "2.2250738585072011e-308",
        "2.2250738585072012e-308",
        "2.225073858507201e-308",
        "5e-324",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2.5e-324",
        "1e-324",
        "-1e-400",
        "1e-99999999999999999999",
        "6.631236846766476e-316",
        "1.2345678901234567890123456789e-310",
        "0.500000000000000166533453693773481063544750213623046875",
        "3.518437208883201171875e13",
        "62.5364939768271845828",
        "8.10109172351e-10",
        "1.50000000000000011102230246251565",
        "9007199254740991.4999999999999999999999999999999995",
        "6929495644600919.5",
        "3.2378839133029012895883524125015321748630438490362199e-319",
        "0.000000000000000000000000000000000000000000000000000000000000000000000000000000000000001",
        "1.000000000000000111022302462515654042363166809082031250",
        "1.000000000000000111022302462515654042363166809082031249",
        "1.000000000000000111022302462515654042363166809082031251",
        "1090544144181609348835077142190",
        "45035996273704960.5e-1",
        "10000000000000000000",
        "18446744073709551615",
        "18446744073709551616",
        "123456789012345678901234567890",
        "100000000000000016777215",
        "100000000000000016777216",
        "-2402844368454405395.2",
        "2402844368454405395.2",
        "7.0420557077594588669468784357561207962098443483187940792729600000e+59",
        "1.1125369292536007e-308",
        "1e23",
        "8.5e22",
        "1448997445238699",
        "0e999",
        "-0",
        "-0.0e-5",
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_as_libc(cases[i]);
}

static void texts_of_random_doubles_are_read_back(void **state)
{
    (void)state;
    gen_random random = gen_random_for(gen_seed(), "number", 4);
    for (int i = 0; i < ROUNDS; i++) {
        double value = finite_of(gen_next(&random));
        char   text[TEXT_MAX];
        snprintf(text, sizeof text, "%.*e", 10 + i % 20, value);
        expect_as_libc(text);
    }
}

static void random_digits_and_exponents_are_read_as_libc_does(void **state)
{
    (void)state;
    gen_random random = gen_random_for(gen_seed(), "number", 5);
    for (int i = 0; i < ROUNDS; i++) {
        char     text[TEXT_MAX];
        uint64_t digits   = gen_next(&random) >> (i % 64) | 1;
        int      most     = i % 3 == 0 ? 25 : 345;
        int      exponent = (int)(gen_next(&random) % (2 * (uint64_t)most + 1)) - most;
        snprintf(text, sizeof text, i & 1 ? "%" PRIu64 "e%d" : "-%" PRIu64 "0.1e%d", digits,
                 exponent);
        expect_as_libc(text);
    }
}

/* Where rounding changes: the decimal exactly in the middle, and its neighbours at every length. */
static void middles_between_doubles_go_to_the_even_one(void **state)
{
    (void)state;
    gen_random  random = gen_random_for(gen_seed(), "number", 6);
    static char text[1200];
    for (int i = 0; i < 3000; i++) {
        uint64_t bits = gen_next(&random) & ~(UINT64_C(1) << 63);
        if (i % 2) /* near 1, where the digits are few */
            bits = (bits & ~(UINT64_C(0x7ff) << 52)) | (uint64_t)(1023 - 60 + i % 120) << 52;
        if (i % 7 == 0)
            bits &= ~(UINT64_C(0x7ff) << 52);
        double value = finite_of(bits), next = nextafter(value, INFINITY);
        if (!isfinite(next))
            continue;
        /* A long double has the bit that the middle needs, where it has more bits at all. */
        long double middle = ((long double)value + (long double)next) / 2;
        if (middle == (long double)value || middle == (long double)next)
            continue;
        int len = snprintf(text, sizeof text, "%.780Le", middle);
        assert_in_range(len, 780, (int)sizeof text - 1);
        expect_as_libc(text);
        char *e = strchr(text, 'e');
        e[-1]   = '1'; /* a little more, in the last digit of all */
        expect_as_libc(text);
        snprintf(text, sizeof text, "%.*Le", 17 + i % 30, middle);
        expect_as_libc(text);
    }
}

static void ten_thousand_digits_are_read_right(void **state)
{
    (void)state;
    enum { SIZE = 10000 };
    char *text = malloc(SIZE + TEXT_MAX);
    assert_non_null(text);
    /* The middle between 1 and the next double, then zeros, then a digit that decides, or not. */
    static const char middle[] = "1.00000000000000011102230246251565404236316680908203125";
    memset(text, '0', SIZE);
    memcpy(text, middle, sizeof middle - 1);
    text[SIZE] = '\0';
    assert_true(must_read(text) == 1.0);
    text[SIZE - 1] = '1';
    assert_true(must_read(text) == 1.0 + DBL_EPSILON);
    memset(text, '9', SIZE);
    double value;
    assert_int_equal(read_with(number_read_double, text, SIZE, &value), NUMBER_RANGE);
    strcpy(text + SIZE, "e-10000");
    assert_true(must_read(text) == 1.0);
    strcpy(text + SIZE, "e-10323");
    assert_true(must_read(text) == 0x1p-1073);
    memset(text, '0', SIZE);
    text[1] = '.';
    strcpy(text + SIZE, "17976931348623157e10307");
    assert_true(must_read(text) == DBL_MAX);
    strcpy(text + SIZE, "1e9674");
    assert_true(must_read(text) == 0);
    free(text);
}

static void each_digit_of_a_long_middle_counts(void **state)
{
    (void)state;
    /* The middle between the two smallest doubles has 751 digits: as it is it goes to the even
     * one, 2 * 2^-1074; made less at any digit that is not zero it goes below. */
    static char text[1200];
    char        middle[1200];
    int         len = snprintf(middle, sizeof middle, "%.790Le", 3 * 0x1p-1075L);
    if ((double)(3 * 0x1p-1075L) == 3 * 0x1p-1075L)
        return; /* long double is double here: there is no middle to be had */
    assert_true(must_read(middle) == 0x1p-1073);
    for (int i = 0; i < len && middle[i] != 'e'; i++) {
        if (middle[i] < '1' || middle[i] > '9')
            continue;
        strcpy(text, middle);
        text[i]--;
        assert_true(must_read(text) == 0x1p-1074);
    }
    for (int i = 0; i < len && middle[i] != 'e'; i++) {
        if (middle[i] < '0' || middle[i] > '8' || i == 0)
            continue;
        strcpy(text, middle);
        text[i]++;
        assert_true(must_read(text) == 0x1p-1073);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_are_written_and_read_as_libc_does),
        cmocka_unit_test(whole_numbers_are_integers_in_whatever_form),
        cmocka_unit_test(digits_of_a_base_end_at_the_first_that_is_none),
        cmocka_unit_test(what_is_no_number_of_json_is_told_with_its_place),
        cmocka_unit_test(a_number_ends_where_the_grammar_does),
        cmocka_unit_test(nothing_behind_the_end_is_read),
        cmocka_unit_test(the_loose_grammar_takes_what_idl_writes),
        cmocka_unit_test(the_form_is_that_of_ecmascript),
        cmocka_unit_test(random_bits_are_written_shortest),
        cmocka_unit_test(powers_of_two_and_ten_and_their_neighbours_are_written_shortest),
        cmocka_unit_test(few_decimals_are_written_as_they_were_read),
        cmocka_unit_test(hard_cases_are_read_as_libc_reads_them),
        cmocka_unit_test(texts_of_random_doubles_are_read_back),
        cmocka_unit_test(random_digits_and_exponents_are_read_as_libc_does),
        cmocka_unit_test(middles_between_doubles_go_to_the_even_one),
        cmocka_unit_test(ten_thousand_digits_are_read_right),
        cmocka_unit_test(each_digit_of_a_long_middle_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
