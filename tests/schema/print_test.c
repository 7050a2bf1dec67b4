#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "schema/sample.h"

static char text[1 << 16];

static const char *printed(frugal_view value, const frugal_print_options *options)
{
    frugal_buf   out;
    frugal_error error;
    frugal_buf_init_fixed(&out, text, sizeof text - 1);
    assert_int_equal(frugal_print(value, options, &out, &error), FRUGAL_OK);
    text[out.size] = '\0';
    return text;
}

static const frugal_print_options one_line = { .one_line = true };

static void print_lays_a_record_out_in_lines(void **state)
{
    struct user user = sample_user();
    (void)state;
    assert_string_equal(printed(FRUGAL_VIEW(user, &user), NULL),
                        "user {\n"
                        "    id: 42\n"
                        "    name: \"Ada\"\n"
                        "    admin: false\n"
                        "    age: 36\n"
                        "    score: 1.5\n"
                        "    color: GREEN\n"
                        "    friends: [2, 3, 5]\n"
                        "    flags: {true, false}\n"
                        "    levels: [-1, 7]\n"
                        "    scores: {\"x\": 1.5, \"y\": 2, \"x\": 3}\n"
                        "    home: address {\n"
                        "        street: \"Elm St\"\n"
                        "        zip: 99\n"
                        "    }\n"
                        "    work: address {\n"
                        "        street: \"Main St\"\n"
                        "        zip: 10\n"
                        "    }\n"
                        "    extra: extra {}\n"
                        "    places: [\n"
                        "        address {\n"
                        "            street: \"A\"\n"
                        "            zip: 1\n"
                        "        }\n"
                        "        address {\n"
                        "            street: \"B\"\n"
                        "            zip: 2\n"
                        "        }\n"
                        "    ]\n"
                        "    extras: [\n"
                        "        extra {\n"
                        "            note: \"n\"\n"
                        "        }\n"
                        "        extra {}\n"
                        "    ]\n"
                        "    words: {7: [\"x\", \"yz\"], -7: []}\n"
                        "    cells: {\n"
                        "        point {\n"
                        "            x: 1\n"
                        "            y: 2\n"
                        "        }: \"one\"\n"
                        "        point {\n"
                        "            x: 3\n"
                        "            y: 4\n"
                        "        }: \"two\"\n"
                        "    }\n"
                        "    shape: shape {\n"
                        "        name: \"round\"\n"
                        "    }\n"
                        "    $unknown: 7 bytes\n"
                        "}");
}

static void print_needs_one_line_when_told(void **state)
{
    struct user user = { .id = 1, .name = { "Ada", 3 } };
    (void)state;
    user.places = sample_user().places;
    assert_string_equal(printed(FRUGAL_VIEW(user, &user), &one_line),
                        "user { id: 1, name: \"Ada\", admin: false, score: 0, "
                        "color: 0, friends: [], "
                        "home: address { street: \"\", zip: 0 }, extra: extra {}, "
                        "places: [address { street: \"A\", zip: 1 }, "
                        "address { street: \"B\", zip: 2 }], "
                        "shape: shape {} }");
}

static const char *printed_extra(const char *note, size_t len, size_t string_max)
{
    struct extra         extra   = { .note = { note, len } };
    frugal_print_options options = { .one_line = true, .string_max = string_max };
    return printed(FRUGAL_VIEW(extra, &extra), &options);
}

static void print_escapes_what_is_not_text(void **state)
{
    (void)state;
    assert_string_equal(printed_extra("a\"b\\c\nd\re\tf\0g\x1b\x7f", 15, 0),
                        "extra { note: \"a\\\"b\\\\c\\nd\\re\\tf\\x00g\\x1b\\x7f\" }");
    assert_string_equal(printed_extra("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 9, 0),
                        "extra { note: \"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\" }");
}

static void print_escapes_what_is_not_utf8(void **state)
{
    (void)state;
    assert_string_equal(printed_extra("\xff\xc3", 2, 0), "extra { note: \"\\xff\\xc3\" }");
    assert_string_equal(printed_extra("\xc0\x80\xed\xa0\x80", 5, 0),
                        "extra { note: \"\\xc0\\x80\\xed\\xa0\\x80\" }");
    assert_string_equal(printed_extra("\xe0\x80\x80\xf4\x90\x80\x80", 7, 0),
                        "extra { note: \"\\xe0\\x80\\x80\\xf4\\x90\\x80\\x80\" }");
    assert_string_equal(printed_extra("\xc2\x85\xe2\x82", 4, 0),
                        "extra { note: \"\\xc2\\x85\\xe2\\x82\" }");
}

static void print_cuts_strings_between_characters(void **state)
{
    (void)state;
    assert_string_equal(printed_extra("hello", 5, 5), "extra { note: \"hello\" }");
    assert_string_equal(printed_extra("hello!", 6, 5),
                        "extra { note: \"hello\" \xe2\x80\xa6 1 more }");
    assert_string_equal(printed_extra("ab\xe2\x82\xac", 5, 4),
                        "extra { note: \"ab\" \xe2\x80\xa6 3 more }");
    assert_string_equal(printed_extra("\x80\x80\x80\x80\x80\x80", 6, 1),
                        "extra { note: \"\\x80\" \xe2\x80\xa6 5 more }");
}

static void print_shows_binary_in_hexadecimal(void **state)
{
    struct user          user    = { .photo = { (const uint8_t *)"\x00\xff\x1a", 3 } };
    frugal_print_options options = { .one_line = true, .string_max = 2 };
    (void)state;
    assert_non_null(strstr(printed(FRUGAL_VIEW(user, &user), NULL), "photo: <00ff1a>\n"));
    assert_non_null(
        strstr(printed(FRUGAL_VIEW(user, &user), &options), "photo: <00ff> \xe2\x80\xa6 1 more,"));
    user.photo.len = 0;
    assert_non_null(strstr(printed(FRUGAL_VIEW(user, &user), NULL), "photo: <>\n"));
}

static void print_counts_the_elements_it_leaves_out(void **state)
{
    struct user          user    = sample_user();
    frugal_print_options options = { .element_max = 1 };
    (void)state;
    printed(FRUGAL_VIEW(user, &user), &options);
    assert_non_null(strstr(text, "friends: [2, \xe2\x80\xa6 2 more]\n"));
    assert_non_null(strstr(text, "scores: {\"x\": 1.5, \xe2\x80\xa6 2 more}\n"));
    assert_non_null(strstr(text, "        }\n        \xe2\x80\xa6 1 more\n    ]\n"));
}

static const char *printed_radius(double radius)
{
    struct shape shape = { .which = 1, .radius = radius };
    printed(FRUGAL_VIEW(shape, &shape), &one_line);
    text[strlen(text) - 2] = '\0';
    return text + strlen("shape { radius: ");
}

static void print_writes_doubles_so_that_they_read_back(void **state)
{
    static const double values[] = { 0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, 123456789.125 };
    (void)state;
    assert_string_equal(printed_radius(0.1), "0.1");
    assert_string_equal(printed_radius(-0.0), "-0");
    assert_string_equal(printed_radius(1e100), "1e+100");
    assert_string_equal(printed_radius((double)NAN), "NaN");
    assert_string_equal(printed_radius((double)INFINITY), "Infinity");
    assert_string_equal(printed_radius(-(double)INFINITY), "-Infinity");
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        assert_true(strtod(printed_radius(values[i]), NULL) == values[i]);
}

static void print_does_not_depend_on_the_locale(void **state)
{
    static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8",
                                         "ps_AF.UTF-8" };
    size_t                   tried   = 0;
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (setlocale(LC_NUMERIC, names[i])) {
            assert_string_equal(printed_radius(1234.5), "1234.5");
            assert_string_equal(printed_radius(1e100), "1e+100");
            setlocale(LC_NUMERIC, "C");
            tried++;
        }
    }
    if (tried == 0)
        skip(); /* no such locale is installed */
}

static void print_shows_unknown_enums_as_numbers_and_odd_bools_as_true(void **state)
{
    struct user user = { .color = GREEN };
    (void)state;
    memset(&user.admin, 2, 1);
    memset(&user.color, 0xFF, sizeof user.color);
    printed(FRUGAL_VIEW(user, &user), NULL);
    assert_non_null(strstr(text, "admin: true\n"));
    assert_non_null(strstr(text, "color: -1\n"));
}

static void print_shows_what_a_union_keeps_only_without_an_arm(void **state)
{
    struct shape shape = { .kept = { (const uint8_t *)"abcd", 4 } };
    (void)state;
    assert_string_equal(printed(FRUGAL_VIEW(shape, &shape), &one_line),
                        "shape { $unknown: 4 bytes }");
    shape.which = 3;
    assert_string_equal(printed(FRUGAL_VIEW(shape, &shape), &one_line),
                        "shape { corner: point {} }");
}

static void assert_print_fails(frugal_view value, frugal_status status, const char *path)
{
    frugal_buf   out;
    frugal_error error;
    frugal_buf_init(&out, NULL, 0, NULL);
    assert_int_equal(frugal_buf_append(&out, "before", 6), FRUGAL_OK);
    assert_int_equal(frugal_print(value, NULL, &out, &error), status);
    assert_int_equal(error.status, status);
    assert_true(error.message[0] != '\0');
    if (path)
        assert_string_equal(error.path, path);
    assert_int_equal(out.size, 6);
    assert_memory_equal(out.data, "before", 6);
    frugal_buf_release(&out);
}

static void print_names_the_place_of_a_fault(void **state)
{
    static struct address places[] = { { { "A", 1 }, 1 }, { { NULL, 1 }, 2 } };
    struct user           user     = sample_user();
    (void)state;
    user.places.ptr = places;
    assert_print_fails(FRUGAL_VIEW(user, &user), FRUGAL_INVALID, "places[1].street");
    user             = sample_user();
    user.shape.which = 77;
    assert_print_fails(FRUGAL_VIEW(user, &user), FRUGAL_INVALID, "shape");
    user             = sample_user();
    user.friends.ptr = NULL;
    assert_print_fails(FRUGAL_VIEW(user, &user), FRUGAL_INVALID, "friends");
    user                        = sample_user();
    user.words.ptr[1].value.len = 1;
    assert_print_fails(FRUGAL_VIEW(user, &user), FRUGAL_INVALID, "words{-7}");
    user.words.ptr[1].value.len = 0;
}

static void print_ends_a_cycle_with_depth(void **state)
{
    static struct node nodes[1025], ring;
    (void)state;
    ring.next = &ring;
    assert_print_fails(FRUGAL_VIEW(node, &ring), FRUGAL_DEPTH, NULL);
    sample_chain(nodes, 1025);
    assert_print_fails(FRUGAL_VIEW(node, nodes), FRUGAL_DEPTH, NULL);
    for (size_t i = 0; i < 1025; i++)
        nodes[i].children.len = 0;
    sample_chain(nodes, 1023); /* the empty list in the last one is the 1024th level */
    frugal_buf out;
    frugal_buf_init(&out, NULL, 0, NULL);
    assert_int_equal(frugal_print(FRUGAL_VIEW(node, nodes), &one_line, &out, NULL), FRUGAL_OK);
    frugal_buf_release(&out);
}

static void print_leaves_a_buffer_that_is_too_small_as_it_was(void **state)
{
    struct user user = sample_user();
    size_t      size, whole = strlen(printed(FRUGAL_VIEW(user, &user), NULL));
    (void)state;
    for (size = 0; size <= whole; size++) {
        frugal_buf   out;
        frugal_error error;
        frugal_buf_init_fixed(&out, text, size);
        frugal_status status = frugal_print(FRUGAL_VIEW(user, &user), NULL, &out, &error);
        assert_int_equal(status, size < whole ? FRUGAL_NOSPACE : FRUGAL_OK);
        assert_int_equal(out.size, size < whole ? 0 : whole);
    }
}

/* A map of two like maps, forty times: more paths through the type than can be walked. */
static void print_does_not_walk_every_path_through_a_type(void **state)
{
    enum { LEVELS = 40 };
    static frugal_type types[LEVELS];
    static uint64_t    entry[4]; /* two empty maps */
    struct {
        void  *ptr;
        size_t len;
    } record = { entry, 1 };
    types[0] = (frugal_type){ .kind   = FRUGAL_KIND_LIST,
                              .size   = sizeof record,
                              .stride = 4,
                              .elem = &(const frugal_type){ .kind = FRUGAL_KIND_I32, .size = 4 } };
    for (int i = 1; i < LEVELS; i++)
        types[i] = (frugal_type){ .kind   = FRUGAL_KIND_MAP,
                                  .size   = sizeof record,
                                  .stride = 2 * sizeof record,
                                  .key    = &types[i - 1],
                                  .elem   = &types[i - 1] };
    const frugal_field  field = { .name = "m", .id = 1, .type = types[LEVELS - 1] };
    frugal_slot         slot  = { NULL };
    const frugal_struct table = { .abi         = FRUGAL_TABLE_ABI,
                                  .name        = "lattice",
                                  .field_count = 1,
                                  .fields      = &field,
                                  .size        = sizeof record,
                                  .align       = _Alignof(void *),
                                  .slot        = &slot };
    (void)state;
    assert_string_equal(printed((frugal_view){ &table, &record }, &one_line),
                        "lattice { m: {{}: {}} }");
    assert_string_equal(printed((frugal_view){ &table, &record }, NULL),
                        "lattice {\n    m: {\n        {}: {}\n    }\n}");
}

static void print_refuses_null(void **state)
{
    struct point point = { 1, 2 };
    frugal_buf   out;
    (void)state;
    frugal_buf_init_fixed(&out, text, sizeof text);
    assert_int_equal(frugal_print(FRUGAL_VIEW(point, &point), NULL, NULL, NULL), FRUGAL_INVALID);
    assert_int_equal(frugal_print((frugal_view){ NULL, &point }, NULL, &out, NULL), FRUGAL_INVALID);
    assert_int_equal(frugal_print((frugal_view){ FRUGAL_TYPE(point), NULL }, NULL, &out, NULL),
                     FRUGAL_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(print_lays_a_record_out_in_lines),
        cmocka_unit_test(print_needs_one_line_when_told),
        cmocka_unit_test(print_escapes_what_is_not_text),
        cmocka_unit_test(print_escapes_what_is_not_utf8),
        cmocka_unit_test(print_cuts_strings_between_characters),
        cmocka_unit_test(print_shows_binary_in_hexadecimal),
        cmocka_unit_test(print_counts_the_elements_it_leaves_out),
        cmocka_unit_test(print_writes_doubles_so_that_they_read_back),
        cmocka_unit_test(print_does_not_depend_on_the_locale),
        cmocka_unit_test(print_shows_unknown_enums_as_numbers_and_odd_bools_as_true),
        cmocka_unit_test(print_shows_what_a_union_keeps_only_without_an_arm),
        cmocka_unit_test(print_names_the_place_of_a_fault),
        cmocka_unit_test(print_ends_a_cycle_with_depth),
        cmocka_unit_test(print_leaves_a_buffer_that_is_too_small_as_it_was),
        cmocka_unit_test(print_does_not_walk_every_path_through_a_type),
        cmocka_unit_test(print_refuses_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
