/* peers/json_value_test.c - the comparison that the peers' tests stand on notices what it should.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include <frugal/describe.h>

#include "support/json_value.h"

struct inner {
    int64_t    id;
    frugal_str name;
};
FRUGAL_STRUCT_LOCAL(inner, FRUGAL_FIELD(inner, id, 1), FRUGAL_FIELD(inner, name, 2));

struct outer {
    double                    real;
    frugal_bytes              raw;
    FRUGAL_OPT(int32_t)       maybe;
    FRUGAL_LIST(struct inner) list;
    FRUGAL_MAP(bool, double)  map;
};
static const struct outer outer_initial = { .real = 0.5 };
FRUGAL_STRUCT_LOCAL_WITH(outer, &outer_initial, FRUGAL_FIELD(outer, real, 1),
                         FRUGAL_FIELD(outer, raw, 2), FRUGAL_FIELD(outer, maybe, 3, optional),
                         FRUGAL_FIELD(outer, list, 4, list(struct(inner))),
                         FRUGAL_FIELD(outer, map, 5, map(bool, double)));

static json_value_difference difference;

static bool same(const char *expected, const char *got)
{
    json_t *a = json_loads(expected, JSON_DECODE_ANY, NULL),
           *b = json_loads(got, JSON_DECODE_ANY, NULL);
    assert_non_null(a);
    assert_non_null(b);
    bool answer = json_value_same(a, b, &difference);
    json_decref(a);
    json_decref(b);
    return answer;
}

static void a_record_becomes_its_json(void **state)
{
    struct inner items[] = { { INT64_MIN, { "a\0b", 3 } }, { 2, { NULL, 0 } } };
    struct outer record  = { .real = -0.0, .raw = { (const uint8_t *)"\377\376\375\374", 4 } };
    struct {
        bool   key;
        double value;
    } entries[] = { { true, 1.5 } };
    (void)state;
    record.list.ptr = items;
    record.list.len = 2;
    record.map.ptr  = (void *)entries;
    record.map.len  = 1;
    json_t *value   = json_value_of_record(FRUGAL_TYPE(outer), &record);
    char   *text    = json_dumps(value, JSON_COMPACT);
    assert_string_equal(
        text, "{\"real\":-0.0,\"raw\":\"//79/A==\",\"list\":[{\"id\":-9223372036854775808,"
              "\"name\":\"a\\u0000b\"},{\"id\":2,\"name\":\"\"}],\"map\":[[true,1.5]]}");
    free(text);
    json_decref(value);
}

static void text_that_is_not_utf8_becomes_hex(void **state)
{
    struct inner record = { 1, { "\xff", 1 } };
    json_t      *value  = json_value_of_record(FRUGAL_TYPE(inner), &record);
    (void)state;
    assert_string_equal(json_string_value(json_object_get(json_object_get(value, "name"), "$hex")),
                        "ff");
    json_decref(value);
}

static void completing_adds_defaults_but_nothing_optional(void **state)
{
    json_t *value = json_loads("{\"list\":[{\"id\":7}]}", 0, NULL);
    json_t *full  = json_loads(
         "{\"list\":[{\"id\":7,\"name\":\"\"}],\"real\":0.5,\"raw\":\"\",\"map\":[]}", 0, NULL);
    (void)state;
    json_value_complete(FRUGAL_TYPE(outer), value);
    assert_true(json_equal(value, full));
    json_decref(value);
    json_decref(full);
}

static void differences_are_found_with_their_path(void **state)
{
    (void)state;
    assert_true(same("{\"a\":[1,{\"b\":\"x\"}]}", "{\"a\":[1,{\"b\":\"x\"}]}"));
    assert_false(same("{\"a\":[1,{\"b\":\"x\"}]}", "{\"a\":[1,{\"b\":\"y\"}]}"));
    assert_string_equal(difference.path, "a[1].b");
    assert_string_equal(difference.expected, "\"x\"");
    assert_string_equal(difference.got, "\"y\"");
    assert_false(same("{\"a\":1}", "{\"a\":1,\"b\":2}"));
    assert_string_equal(difference.path, "b");
    assert_string_equal(difference.expected, "nothing");
    assert_false(same("{\"a\":1,\"b\":2}", "{\"a\":1}"));
    assert_false(same("[1,2]", "[1]"));
    assert_false(same("{}", "[]"));
    assert_false(same("true", "1"));
}

static void numbers_are_compared_exactly(void **state)
{
    (void)state;
    assert_false(same("9007199254740993", "9007199254740992"));
    assert_false(same("-0.0", "0.0"));
    assert_true(same("1", "1.0"));  /* a double may have been written without a point */
    assert_false(same("1.0", "1")); /* an integer not with one */
    assert_false(same("1.0000000000000002", "1.0"));
}

static void the_form_of_the_cases_is_understood(void **state)
{
    (void)state;
    assert_true(same("{\"$map\":[[1,2]]}", "[[1,2]]"));
    assert_true(same("{\"$set\":[1,2,2]}", "[2,1,2]"));
    assert_false(same("{\"$set\":[1,2,2]}", "[2,1,1]"));
    assert_false(same("{\"$set\":[1]}", "[1,1]"));
    assert_true(same("{\"$double\":\"nan\"}", "\"NaN\""));
    assert_true(same("{\"$double\":\"-inf\"}", "\"-Infinity\""));
    assert_false(same("{\"$double\":\"inf\"}", "\"-Infinity\""));
    assert_true(same("{\"$double\":\"-0\"}", "-0.0"));
    assert_false(same("{\"$double\":\"-0\"}", "0.0"));
    assert_true(same("{\"$hex\":\"fffe\"}", "{\"$hex\":\"fffe\"}"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_record_becomes_its_json),
        cmocka_unit_test(text_that_is_not_utf8_becomes_hex),
        cmocka_unit_test(completing_adds_defaults_but_nothing_optional),
        cmocka_unit_test(differences_are_found_with_their_path),
        cmocka_unit_test(numbers_are_compared_exactly),
        cmocka_unit_test(the_form_of_the_cases_is_understood),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
