#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/gen_random.h"
#include "support/guard.h"
#include "json/base64.h"

#define SIZE_HERE 200
#define TEXT_HERE (4 * SIZE_HERE)

typedef char *write_function(char *out, const uint8_t *in, size_t size);
typedef bool  read_function(uint8_t *out, const char *in, size_t len, size_t *size, size_t *bad);

/* The narrower lanes alone, which a machine with AVX2 uses for short text only. */
static char *write_narrow(char *out, const uint8_t *in, size_t size)
{
    size_t done = 0;
#if BASE64_WIDE
    if (size)
        done = base64_write_wide(out, in, size);
#endif
    return json_base64_write_scalar(out + done / 3 * 4, size ? in + done : in, size - done);
}

static bool read_narrow(uint8_t *out, const char *in, size_t len, size_t *size, size_t *bad)
{
    size_t done = 0;
#if BASE64_WIDE
    if (len)
        done = base64_read_wide(out, in, len);
#endif
    bool good = json_base64_read_scalar(out + done / 4 * 3, in + done, len - done, size, bad);
    if (good)
        *size += done / 4 * 3;
    else
        *bad += done;
    return good;
}

#define WAYS 3
static write_function *const writers[WAYS] = { json_base64_write, json_base64_write_scalar,
                                               write_narrow };
static read_function *const  readers[WAYS] = { json_base64_read, json_base64_read_scalar,
                                               read_narrow };

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* What is right, bit by bit. */
static size_t write_slowly(char *out, const uint8_t *in, size_t size)
{
    size_t len = 0;
    for (size_t bit = 0; bit < 8 * size; bit += 6) {
        unsigned value = 0;
        for (size_t i = bit; i < bit + 6; i++)
            value = value << 1 | (i < 8 * size ? in[i / 8] >> (7 - i % 8) & 1u : 0u);
        out[len++] = letters[value];
    }
    while (len % 4)
        out[len++] = '=';
    return len;
}

static void fill(gen_random *random, uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)gen_next(random);
}

static void bytes_become_text_and_come_back_at_every_length(void **state)
{
    (void)state;
    gen_random random = gen_random_for(gen_seed(), "base64", 0);
    guard      in = guard_new(TEXT_HERE), out = guard_new(TEXT_HERE);
    for (size_t size = 0; size <= SIZE_HERE; size++) {
        uint8_t bytes[SIZE_HERE];
        char    expected[TEXT_HERE];
        fill(&random, bytes, sizeof bytes);
        size_t len = write_slowly(expected, bytes, size);
        assert_int_equal(json_base64_size(size), len);
        for (size_t way = 0; way < WAYS; way++) {
            /* Both end where their memory ends. */
            char *text = (char *)out.end - len;
            assert_ptr_equal(writers[way](text, guard_put(&in, bytes, size), size), text + len);
            assert_memory_equal(text, expected, len);
            for (size_t padding = len; padding + 2 >= len && padding <= len; padding--) {
                if (padding < len && expected[padding] != '=')
                    break;
                if (padding < len && padding > 0 && expected[padding - 1] == '=')
                    continue; /* half of it */
                const char *from = (const char *)guard_put(&in, expected, padding);
                uint8_t    *to   = out.end - json_base64_room(padding);
                size_t      got = 0, bad = 0;
                assert_true(readers[way](to, from, padding, &got, &bad));
                assert_int_equal(got, size);
                assert_true(got <= json_base64_room(padding));
                assert_memory_equal(to, bytes, size);
            }
        }
    }
    guard_free(&in);
    guard_free(&out);
}

/* One = in a long text is wrong itself where two letters must stand; after two it is the next that
 * is no second one; after three it ends the text, and what follows is wrong. */
static size_t place_of_padding(size_t place)
{
    return place % 4 < 2 ? place : place + 1;
}

static void every_character_is_taken_or_refused_at_every_place(void **state)
{
    (void)state;
    char text[64];
    memset(text, 'k', sizeof text);
    for (size_t way = 0; way < WAYS; way++) {
        for (size_t place = 0; place < sizeof text; place++) {
            for (int c = 0; c < 256; c++) {
                uint8_t out[64];
                size_t  size = 0, bad = 999;
                bool    good = c && strchr(letters, c);
                bool    end  = c == '=' && place == sizeof text - 1;
                text[place]  = (char)c;
                bool taken   = readers[way](out, text, sizeof text, &size, &bad);
                if (end) {
                    assert_true(taken);
                    assert_int_equal(size, 47);
                } else if (!good) {
                    assert_false(taken);
                    assert_int_equal(bad, c == '=' ? place_of_padding(place) : (size_t)place);
                } else {
                    assert_true(taken);
                    assert_int_equal(size, 48);
                }
            }
            text[place] = 'k';
        }
    }
}

static void wide_and_scalar_agree_on_broken_text(void **state)
{
    (void)state;
    gen_random random = gen_random_for(gen_seed(), "base64", 1);
    for (int i = 0; i < 20000; i++) {
        uint8_t bytes[SIZE_HERE], out[WAYS][SIZE_HERE + 4];
        char    text[TEXT_HERE];
        size_t  size = (size_t)gen_range(&random, 0, 100), got[WAYS] = { 0 }, bad[WAYS] = { 0 };
        bool    good[WAYS];
        fill(&random, bytes, sizeof bytes);
        size_t len = write_slowly(text, bytes, size);
        if (len && gen_chance(&random, 90))
            text[gen_below(&random, (uint32_t)len)] = (char)gen_next(&random);
        if (len && gen_chance(&random, 30))
            len -= gen_below(&random, 4);
        for (int way = 0; way < WAYS; way++)
            good[way] = readers[way](out[way], text, len, &got[way], &bad[way]);
        for (int way = 1; way < WAYS; way++) {
            assert_int_equal(good[0], good[way]);
            assert_int_equal(got[0], got[way]);
            assert_int_equal(bad[0], bad[way]);
            if (good[0])
                assert_memory_equal(out[0], out[way], got[0]);
        }
    }
}

static void what_is_wrong_is_told_with_its_place(void **state)
{
    (void)state;
    const struct {
        const char *text;
        bool        good;
        size_t      result; /* the size, or the place */
    } cases[] = {
        { "", true, 0 },      { "QQ==", true, 1 },    { "QQ", true, 1 },
        { "QUI=", true, 2 },  { "QUI", true, 2 },     { "QUJD", true, 3 },
        { "+/+/", true, 3 },  { "Q", false, 1 },      { "QUJDQ", false, 5 },
        { "QQ=", false, 3 },  { "QUI==", false, 4 },  { "QQ===", false, 4 },
        { "=", false, 0 },    { "====", false, 0 },   { "Q===", false, 1 },
        { "QQ=Q", false, 3 }, { "QR==", false, 1 },   { "QR", false, 1 },
        { "QUJ=", false, 2 }, { "QUJ", false, 2 },    { "QQ==QQ==", false, 4 },
        { "Q Q=", false, 1 }, { "QUJD\n", false, 4 }, { "QU-_", false, 2 },
        { "\"", false, 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (size_t way = 0; way < WAYS; way++) {
            uint8_t out[16];
            size_t  size = 0, bad = 0;
            bool    good = readers[way](out, cases[i].text, strlen(cases[i].text), &size, &bad);
            if (good != cases[i].good || (good ? size : bad) != cases[i].result)
                fail_msg("%s: %d, size %zu, place %zu", cases[i].text, good, size, bad);
        }
    }
    size_t size = 9, bad = 9;
    assert_true(json_base64_read(NULL, NULL, 0, &size, &bad));
    assert_int_equal(size, 0);
    assert_null(json_base64_write(NULL, NULL, 0));
}

static void this_machine_has_the_wide_form(void **state)
{
    (void)state;
#if BASE64_WIDE
    /* Every x86-64 since 2006 has SSSE3; without it the other tests compare scalar with scalar. */
    assert_true(base64_has_wide());
    uint8_t in[64] = { 0 };
    char    out[128];
    assert_int_equal(base64_write_wide(out, in, sizeof in), 60);
    assert_int_equal(base64_read_wide(in, out, 80), 64);
#else
    assert_ptr_not_equal(readers[0], readers[1]);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_become_text_and_come_back_at_every_length),
        cmocka_unit_test(every_character_is_taken_or_refused_at_every_place),
        cmocka_unit_test(wide_and_scalar_agree_on_broken_text),
        cmocka_unit_test(what_is_wrong_is_told_with_its_place),
        cmocka_unit_test(this_machine_has_the_wide_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
