#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "schema/sample.h"

static struct user user;

static int make_user(void **state)
{
    static struct {
        bool   key;
        int8_t value;
    } votes[] = { { true, 1 }, { false, 2 } };
    static struct {
        enum color key;
        int32_t    value;
    } paints[] = { { GREEN, 20 }, { RED, 10 } };
    static struct {
        double  key;
        int32_t value;
    } marks[] = { { 1.5, 15 }, { 0.1, 1 }, { -2, 22 } };
    (void)state;
    user           = sample_user();
    user.votes.ptr = (void *)votes, user.votes.len = 2;
    user.paints.ptr = (void *)paints, user.paints.len = 2;
    user.marks.ptr = (void *)marks, user.marks.len = 3;
    return 0;
}

static frugal_value get(const char *path)
{
    frugal_value found = { NULL, NULL };
    frugal_error error = { .status = FRUGAL_OK };
    if (frugal_get(FRUGAL_VIEW(user, &user), path, &found, &error))
        fail_msg("%s: %s at %s", path, error.message, error.path);
    return found;
}

static void assert_get_fails(const char *path, frugal_status status, const char *stopped)
{
    int          mark;
    frugal_value found = { NULL, &mark };
    frugal_error error;
    memset(&error, 0, sizeof error);
    assert_int_equal(frugal_get(FRUGAL_VIEW(user, &user), path, &found, &error), status);
    assert_int_equal(error.status, status);
    assert_string_equal(error.path, stopped);
    assert_true(error.message[0] != '\0');
    assert_ptr_equal(found.ptr, &mark);
}

static void get_finds_fields_by_name(void **state)
{
    (void)state;
    assert_ptr_equal(get("id").ptr, &user.id);
    assert_int_equal(get("id").type->kind, FRUGAL_KIND_I64);
    assert_ptr_equal(get("home").ptr, &user.home);
    assert_ptr_equal(get("home.zip").ptr, &user.home.zip);
    assert_ptr_equal(get("age").ptr, &user.age.value);
    assert_ptr_equal(get("friends").ptr, &user.friends);
}

static void get_gives_a_struct_behind_a_pointer_itself(void **state)
{
    (void)state;
    assert_ptr_equal(get("work").ptr, user.work);
    assert_true(get("work").type->indirect);
    assert_ptr_equal(get("work.street").ptr, &user.work->street);
    assert_ptr_equal(get("extras[0]").ptr, user.extras.ptr[0]);
}

static void get_finds_elements_by_index(void **state)
{
    (void)state;
    assert_ptr_equal(get("friends[0]").ptr, &user.friends.ptr[0]);
    assert_ptr_equal(get("friends[2]").ptr, &user.friends.ptr[2]);
    assert_ptr_equal(get("flags[01]").ptr, &user.flags.ptr[1]);
    assert_ptr_equal(get("places[1].street").ptr, &user.places.ptr[1].street);
    assert_ptr_equal(get("words{7}[1]").ptr, &user.words.ptr[0].value.ptr[1]);
}

static void get_finds_entries_by_key(void **state)
{
    (void)state;
    assert_ptr_equal(get("scores{y}").ptr, &user.scores.ptr[1].value);
    assert_ptr_equal(get("words{-7}").ptr, &user.words.ptr[1].value);
    assert_ptr_equal(get("votes{true}").ptr, &user.votes.ptr[0].value);
    assert_ptr_equal(get("votes{false}").ptr, &user.votes.ptr[1].value);
    assert_ptr_equal(get("paints{RED}").ptr, &user.paints.ptr[1].value);
    assert_ptr_equal(get("paints{2}").ptr, &user.paints.ptr[0].value);
    assert_ptr_equal(get("marks{0.1}").ptr, &user.marks.ptr[1].value);
    assert_ptr_equal(get("marks{-2}").ptr, &user.marks.ptr[2].value);
    assert_ptr_equal(get("cells{1}").ptr, &user.cells.ptr[1].value);
}

static void get_takes_any_byte_as_part_of_a_string_key(void **state)
{
    struct {
        frugal_str key;
        double     value;
    } scores[] = { { { "a.b[c]{d", 8 }, 1 }, { { NULL, 0 }, 2 }, { { "a}", 2 }, 3 } };
    (void)state;
    user.scores.ptr = (void *)scores;
    assert_ptr_equal(get("scores{a.b[c]{d}").ptr, &scores[0].value);
    assert_ptr_equal(get("scores{}").ptr, &scores[1].value);
    assert_get_fails("scores{a}}", FRUGAL_NOTFOUND, "scores{a}");
}

static void get_finds_the_last_of_equal_keys(void **state)
{
    (void)state;
    assert_ptr_equal(get("scores{x}").ptr, &user.scores.ptr[2].value);
}

static void get_reads_odd_bools_in_keys(void **state)
{
    (void)state;
    memset(&user.votes.ptr[1].key, 2, 1);
    assert_ptr_equal(get("votes{true}").ptr, &user.votes.ptr[1].value);
    memset(&user.votes.ptr[1].key, 0, 1);
}

static void get_finds_the_arm_that_is_there_alone(void **state)
{
    (void)state;
    assert_ptr_equal(get("shape.name").ptr, &user.shape.name);
    assert_get_fails("shape.radius", FRUGAL_NOTFOUND, "shape.radius");
    user.shape.which = 0;
    assert_get_fails("shape.name", FRUGAL_NOTFOUND, "shape.name");
}

static void get_does_not_find_what_is_not_there(void **state)
{
    (void)state;
    assert_get_fails("nobody", FRUGAL_NOTFOUND, "nobody");
    assert_get_fails("home.nobody.zip", FRUGAL_NOTFOUND, "home.nobody");
    assert_get_fails("kept", FRUGAL_NOTFOUND, "kept");
    assert_get_fails("nick", FRUGAL_NOTFOUND, "nick");
    assert_get_fails("active", FRUGAL_NOTFOUND, "active");
    assert_get_fails("extra.n", FRUGAL_NOTFOUND, "extra");
    assert_get_fails("extras[1].n", FRUGAL_NOTFOUND, "extras[1]");
    assert_get_fails("friends[3].x", FRUGAL_NOTFOUND, "friends[3]");
    assert_get_fails("friends[99999999999999999999]", FRUGAL_NOTFOUND,
                     "friends[99999999999999999999]");
    assert_get_fails("scores{z}", FRUGAL_NOTFOUND, "scores{z}");
    assert_get_fails("words{9}", FRUGAL_NOTFOUND, "words{9}");
    assert_get_fails("words{99999999999999999999}", FRUGAL_NOTFOUND, "words{99999999999999999999}");
    assert_get_fails("paints{BLUE}", FRUGAL_NOTFOUND, "paints{BLUE}");
    assert_get_fails("cells{2}", FRUGAL_NOTFOUND, "cells{2}");
}

static void get_does_not_step_into_what_has_no_such_parts(void **state)
{
    (void)state;
    assert_get_fails("id.x", FRUGAL_NOTFOUND, "id.x");
    assert_get_fails("id[0]", FRUGAL_NOTFOUND, "id[0]");
    assert_get_fails("friends{0}", FRUGAL_NOTFOUND, "friends{0}");
    assert_get_fails("scores[0]", FRUGAL_NOTFOUND, "scores[0]");
    assert_get_fails("name[0]", FRUGAL_NOTFOUND, "name[0]");
    assert_get_fails("friends.len", FRUGAL_NOTFOUND, "friends.len");
}

static void get_refuses_paths_that_are_none(void **state)
{
    (void)state;
    assert_get_fails("", FRUGAL_INVALID, "");
    assert_get_fails(".id", FRUGAL_INVALID, "");
    assert_get_fails("[0]", FRUGAL_INVALID, "");
    assert_get_fails("home.", FRUGAL_INVALID, "home.");
    assert_get_fails("home..zip", FRUGAL_INVALID, "home.");
    assert_get_fails("friends[0", FRUGAL_INVALID, "friends[");
    assert_get_fails("friends[]", FRUGAL_INVALID, "friends[]");
    assert_get_fails("friends[-1]", FRUGAL_INVALID, "friends[-1]");
    assert_get_fails("friends[-0]", FRUGAL_INVALID, "friends[-0]");
    assert_get_fails("friends[+1]", FRUGAL_INVALID, "friends[+1]");
    assert_get_fails("friends[1 ]", FRUGAL_INVALID, "friends[1 ]");
    assert_get_fails("friends[x]", FRUGAL_INVALID, "friends[x]");
    assert_get_fails("friends[0]x", FRUGAL_INVALID, "friends[0]x");
    assert_get_fails("scores{x", FRUGAL_INVALID, "scores{");
    assert_get_fails("words{x}", FRUGAL_INVALID, "words{x}");
    assert_get_fails("words{-}", FRUGAL_INVALID, "words{-}");
    assert_get_fails("votes{1}", FRUGAL_INVALID, "votes{1}");
    assert_get_fails("paints{}", FRUGAL_INVALID, "paints{}");
    assert_get_fails("marks{}", FRUGAL_INVALID, "marks{}");
    assert_get_fails("cells{x}", FRUGAL_INVALID, "cells{x}");
}

static void get_says_where_in_the_path_it_stopped(void **state)
{
    frugal_value found;
    frugal_error error;
    (void)state;
    frugal_get(FRUGAL_VIEW(user, &user), "home.street.x", &found, &error);
    assert_int_equal(error.offset, strlen("home.street"));
    assert_string_equal(error.message, "string has no fields");
}

static void get_cuts_the_front_of_a_long_path(void **state)
{
    char         path[300];
    frugal_value found;
    frugal_error error;
    (void)state;
    memset(path, 'x', sizeof path);
    memcpy(path + sizeof path - 5, "tail", 5);
    assert_int_equal(frugal_get(FRUGAL_VIEW(user, &user), path, &found, &error), FRUGAL_NOTFOUND);
    assert_memory_equal(error.path, "\xe2\x80\xa6x", 4);
    assert_string_equal(error.path + strlen(error.path) - 5, "xtail");
    assert_true(strlen(error.path) >= 90);
}

static void get_refuses_null_with_a_length(void **state)
{
    (void)state;
    user.friends.ptr            = NULL;
    user.words.ptr[0].value.ptr = NULL;
    assert_get_fails("words{7}[0]", FRUGAL_INVALID, "words{7}");
    user.words.ptr[0].value.len = 0;
    assert_get_fails("friends[0]", FRUGAL_INVALID, "friends");
    user.nick.len = 1;
    assert_get_fails("nick", FRUGAL_INVALID, "nick");
}

struct config {
    FRUGAL_OPT(int32_t) port;
    frugal_str          host;
};
static const int32_t    config_port = 80;
static const frugal_str config_host = { "localhost", 9 };
FRUGAL_STRUCT_LOCAL(config,
                    FRUGAL_FIELD_WITH(config, port, 1, optional, i32, .initial = &config_port),
                    FRUGAL_FIELD_WITH(config, host, 2, optional, string, .initial = &config_host));

static void get_gives_the_default_of_an_absent_optional_field(void **state)
{
    struct config config = { .host = { NULL, 0 } };
    frugal_view   view   = FRUGAL_VIEW(config, &config);
    frugal_value  found;
    (void)state;
    assert_int_equal(frugal_get(view, "port", &found, NULL), FRUGAL_OK);
    assert_ptr_equal(found.ptr, &config_port);
    assert_int_equal(frugal_get(view, "host", &found, NULL), FRUGAL_OK);
    assert_ptr_equal(found.ptr, &config_host);
    config.port.has = true;
    assert_int_equal(frugal_get(view, "port", &found, NULL), FRUGAL_OK);
    assert_ptr_equal(found.ptr, &config.port.value);
}

static void get_refuses_null_arguments(void **state)
{
    frugal_view  view = FRUGAL_VIEW(user, &user), no_view = { view.type, NULL };
    frugal_value found;
    (void)state;
    assert_int_equal(frugal_get((frugal_view){ NULL, &user }, "id", &found, NULL), FRUGAL_INVALID);
    assert_int_equal(frugal_get(no_view, "id", &found, NULL), FRUGAL_INVALID);
    assert_int_equal(frugal_get(view, NULL, &found, NULL), FRUGAL_INVALID);
    assert_int_equal(frugal_get(view, "id", NULL, NULL), FRUGAL_INVALID);
}

#define WITH_USER(test) cmocka_unit_test_setup(test, make_user)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_USER(get_finds_fields_by_name),
        WITH_USER(get_gives_a_struct_behind_a_pointer_itself),
        WITH_USER(get_finds_elements_by_index),
        WITH_USER(get_finds_entries_by_key),
        WITH_USER(get_takes_any_byte_as_part_of_a_string_key),
        WITH_USER(get_finds_the_last_of_equal_keys),
        WITH_USER(get_reads_odd_bools_in_keys),
        WITH_USER(get_finds_the_arm_that_is_there_alone),
        WITH_USER(get_does_not_find_what_is_not_there),
        WITH_USER(get_does_not_step_into_what_has_no_such_parts),
        WITH_USER(get_refuses_paths_that_are_none),
        WITH_USER(get_says_where_in_the_path_it_stopped),
        WITH_USER(get_cuts_the_front_of_a_long_path),
        WITH_USER(get_refuses_null_with_a_length),
        WITH_USER(get_gives_the_default_of_an_absent_optional_field),
        WITH_USER(get_refuses_null_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
