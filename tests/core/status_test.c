#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/status.h"

#define ELLIPSIS "\xe2\x80\xa6"

static void every_status_has_a_name_and_a_text(void **state)
{
    (void)state;
    assert_int_equal(FRUGAL_OK, 0);
    assert_string_equal(frugal_status_name(FRUGAL_OK), "FRUGAL_OK");
    assert_string_equal(frugal_status_name(FRUGAL_NOMEM), "FRUGAL_NOMEM");
    assert_string_equal(frugal_status_text(FRUGAL_NOMEM), "out of memory");
    assert_string_equal(frugal_status_name(FRUGAL_IO), "FRUGAL_IO");
    for (int i = 0; i < FRUGAL_STATUS_COUNT; i++) {
        assert_true(strlen(frugal_status_name((frugal_status)i)) > 7);
        assert_true(strlen(frugal_status_text((frugal_status)i)) > 3);
        for (int k = 0; k < i; k++)
            assert_string_not_equal(frugal_status_text((frugal_status)i),
                                    frugal_status_text((frugal_status)k));
    }
}

static void numbers_that_are_no_status_have_a_text_too(void **state)
{
    (void)state;
    assert_string_equal(frugal_status_name(FRUGAL_STATUS_COUNT), "FRUGAL_UNKNOWN");
    assert_string_equal(frugal_status_name((frugal_status)-1), "FRUGAL_UNKNOWN");
    assert_string_equal(frugal_status_text(FRUGAL_STATUS_COUNT), "unknown status");
    assert_string_equal(frugal_status_text((frugal_status)-1), "unknown status");
}

static void version_is_the_one_of_the_header(void **state)
{
    (void)state;
    assert_int_equal(frugal_version(), FRUGAL_VERSION_NUM);
}

static void error_set_fills_everything(void **state)
{
    (void)state;
    frugal_error error;
    memset(&error, 0xff, sizeof error);
    assert_int_equal(error_set(&error, FRUGAL_SIZE, "%d of %s", 3, "four"), FRUGAL_SIZE);
    assert_int_equal(error.status, FRUGAL_SIZE);
    assert_string_equal(error.message, "3 of four");
    assert_string_equal(error.path, "");
    assert_int_equal(error.offset, 0);
    assert_int_equal(error.os_error, 0);
    assert_int_equal(error.line, 0);
    assert_int_equal(error.column, 0);
    assert_int_equal(error_set(NULL, FRUGAL_DEPTH, "%d", 1), FRUGAL_DEPTH);
}

static void a_long_sentence_is_cut(void **state)
{
    (void)state;
    frugal_error error;
    error_set(&error, FRUGAL_SIZE, "%0500d", 1);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
}

/* ---- path ------------------------------------------------------------------------------------ */

static const char *finished(const path_builder *path)
{
    static frugal_error error;
    memset(&error, 0xff, sizeof error);
    path_finish(path, &error);
    assert_non_null(memchr(error.path, '\0', sizeof error.path));
    return error.path;
}

static void a_path_is_built_from_its_end(void **state)
{
    (void)state;
    path_builder path;
    path_init(&path);
    assert_string_equal(finished(&path), "");
    path_prepend_name(&path, "zip");
    path_prepend_name(&path, "home");
    path_prepend_name(&path, "user");
    assert_string_equal(finished(&path), "user.home.zip");
    path_finish(&path, NULL);
}

static void brackets_need_no_dot_before_them(void **state)
{
    (void)state;
    path_builder path;
    path_init(&path);
    path_prepend_name(&path, "t");
    path_prepend_index(&path, 1);
    assert_string_equal(finished(&path), "[1].t");
    path_prepend(&path, "{7}", 3);
    path_prepend_name(&path, "m");
    assert_string_equal(finished(&path), "m{7}[1].t");

    path_init(&path);
    path_prepend_index(&path, 3);
    path_prepend_index(&path, SIZE_MAX);
    path_prepend_name(&path, "grid");
    char expected[64];
    snprintf(expected, sizeof expected, "grid[%zu][3]", SIZE_MAX);
    assert_string_equal(finished(&path), expected);
}

static void the_front_of_a_long_path_is_cut(void **state)
{
    (void)state;
    path_builder path;
    path_init(&path);
    for (int i = 0; i < 100; i++)
        path_prepend_name(&path, "name");
    const char *text = finished(&path);
    assert_memory_equal(text, ELLIPSIS, 3);
    assert_true(strlen(text) < 96);
    assert_true(strlen(text) > 80);
    assert_string_equal(text + strlen(text) - 10, ".name.name");
    assert_null(strstr(text + 3, ELLIPSIS));
}

static void a_path_that_just_fits_is_not_cut(void **state)
{
    (void)state;
    char name[200];
    memset(name, 'x', sizeof name);
    for (size_t len = 1; len < sizeof name; len++) {
        path_builder path;
        path_init(&path);
        path_prepend(&path, name, len);
        const char *text = finished(&path);
        if (len <= 92)
            assert_int_equal(strlen(text), len);
        else
            assert_string_equal(text, ELLIPSIS);
        path_prepend(&path, "a", 1);
        text = finished(&path);
        assert_true(len >= 92 ? memcmp(text, ELLIPSIS, 3) == 0 : text[0] == 'a');
    }
}

static void nothing_is_put_in_front_of_a_cut(void **state)
{
    (void)state;
    path_builder path;
    char         name[120];
    memset(name, 'x', sizeof name);
    path_init(&path);
    path_prepend_name(&path, "last");
    path_prepend(&path, name, sizeof name);
    path_prepend_name(&path, "a");
    path_prepend_index(&path, 1);
    path_prepend(&path, "", 0);
    assert_string_equal(finished(&path), ELLIPSIS "last");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_name_and_a_text),
        cmocka_unit_test(numbers_that_are_no_status_have_a_text_too),
        cmocka_unit_test(version_is_the_one_of_the_header),
        cmocka_unit_test(error_set_fills_everything),
        cmocka_unit_test(a_long_sentence_is_cut),
        cmocka_unit_test(a_path_is_built_from_its_end),
        cmocka_unit_test(brackets_need_no_dot_before_them),
        cmocka_unit_test(the_front_of_a_long_path_is_cut),
        cmocka_unit_test(a_path_that_just_fits_is_not_cut),
        cmocka_unit_test(nothing_is_put_in_front_of_a_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
