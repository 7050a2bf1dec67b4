/* idl/constant_test.c - values that fit their types, and those that do not. */
#include "idl/loading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void integers_are_in_the_range_of_their_type(void **state)
{
    (void)state;
    LOADS("const i8 A = 127 const byte B = -128 const i16 C = 32767 const i32 D = -2147483648");
    loading_expect("const i8 A = 128\nconst i16 B = -32769\nconst i32 C = 2147483648",
                   "1:14: 128 is not in the range of i8\n"
                   "2:15: -32769 is not in the range of i16\n"
                   "3:15: 2147483648 is not in the range of i32\n");
    loading_expect("struct S { 1: list<map<i8, i8>> l = [{1: 2}, {300: 3, 4: 301}] }",
                   "1:47: 300 is not in the range of i8\n1:58: 301 is not in the range of i8\n");
    loading_expect("service S { void f(1: i8 x = 1000) }",
                   "1:30: 1000 is not in the range of i8\n");
}

static void kinds_of_values_are_those_of_their_types(void **state)
{
    (void)state;
    LOADS("const bool A = 1 const bool B = false const double C = 7 const binary D = 'x'"
          "const list<i32> E = {} const set<i32> F = {} const map<i32, i32> G = []");
    loading_expect("const i32 A = 1.5\nconst i32 B = 'x'\nconst string C = 1\nconst bool D = 2\n"
                   "const bool E = 'true'\nconst double F = '1'\nconst double G = true\n",
                   "1:15: i32 is wanted here, and this is a number with a fraction\n"
                   "2:15: i32 is wanted here, and this is a text\n"
                   "3:18: string is wanted here, and this is an integer\n"
                   "4:16: a bool is true, false, 1 or 0\n"
                   "5:16: bool is wanted here, and this is a text\n"
                   "6:18: double is wanted here, and this is a text\n");
    loading_expect("const list<i32> A = {1: 1}\nconst map<i32, i32> B = [1]\nconst set<i8> C = 1\n"
                   "const list<i32> D = [[1]]",
                   "1:21: list<i32> is wanted here, and this is a map in { }\n"
                   "2:25: map<i32, i32> is wanted here, and this is a list in [ ]\n"
                   "3:19: set<i8> is wanted here, and this is an integer\n"
                   "4:22: i32 is wanted here, and this is a list in [ ]\n");
}

static void values_of_an_enum_are_its_items(void **state)
{
    (void)state;
    LOADS("const E A = E.X const E B = Y const E C = 4 const i8 D = E.Y const E F = A\n"
          "typedef E T const T G = T.X const E H = E.X enum E { X = 1, Y = 4 }");
    loading_expect(
        "enum E { X = 1 } enum F { Z = 1 }\nconst E A = 2\nconst E B = Z\nconst E C = F.Z\n"
        "const E D = E.Q\nconst E G = 'X'\nconst i32 H = X\nconst double I = E.X\n",
        "3:13: Z is no item of enum E, and no constant\n"
        "5:13: enum E has no item Q\n"
        "7:15: no constant and no item of an enum is called X\n"
        "2:13: 2 is no item of enum E\n"
        "4:13: E is wanted here, and F.Z is an item of enum F\n"
        "6:13: E is wanted here, and this is a text\n"
        "8:18: double is wanted here, and E.X is an item of enum E\n");
}

static void constants_of_structs_are_maps_of_their_fields(void **state)
{
    (void)state;
    LOADS(
        "struct P { 1: i32 x 2: optional P p } const P A = {'x': 1, 'p': {'x': 2}} const P B = {}");
}

static void names_of_fields_are_texts(void **state)
{
    (void)state;
    loading_expect(
        "struct P { 1: i32 x }\nconst P A = {'y': 1}\nconst P B = {x: 1}\nconst P C = [1]\n"
        "const P D = {'x': 'x'}",
        "2:14: P has no field y\n"
        "3:14: the name of a field of P is wanted here, as a text\n"
        "4:13: P is wanted here, and this is a list in [ ]\n"
        "5:19: i32 is wanted here, and this is a text\n");
}

static void a_union_has_one_arm(void **state)
{
    (void)state;
    LOADS("union U { 1: i32 a 2: i32 b } const U A = {'a': 1} const U B = {}");
    loading_expect("union U { 1: i32 a 2: i32 b } const U A = {'a': 1, 'b': 2}",
                   "1:43: a union has one arm; these are more\n");
}

static void constants_may_be_used_in_any_order(void **state)
{
    (void)state;
    LOADS("struct S { 1: i32 a = B } const i32 B = C const i32 C = 3");
    loading_expect("const i32 A = B\nconst i32 B = A\nstruct S { 1: i32 a = B }",
                   "2:15: the constant A is made of itself\n");
    loading_expect("const list<i32> A = [1, A]", "1:25: the constant A is made of itself\n");
    loading_expect("struct S { 1: i32 a = B }",
                   "1:23: no constant and no item of an enum is called B\n");
}

static void a_constant_that_does_not_fit_is_reported_where_it_is_named(void **state)
{
    (void)state;
    LOADS("const i32 A = 100 const i8 B = A const double C = A const list<i64> D = E "
          "const list<i32> E = [1]");
    loading_expect(
        "const i32 A = 1000\nconst i8 B = A\nconst string C = A\n"
        "const list<i32> D = [1, 1000]\nconst list<i8> E = D\nstruct S { 1: list<i8> f = D }",
        "2:14: 1000 is not in the range of i8\n"
        "3:18: string is wanted here, and this is an integer\n"
        "5:20: 1000 is not in the range of i8\n"
        "6:28: 1000 is not in the range of i8\n");
}

static void a_constant_and_an_item_of_one_name_are_ambiguous(void **state)
{
    (void)state;
    const loading_file files[] = { { "main.thrift",
                                     "include \"E.thrift\" enum E { X } const i32 A = E.X" },
                                   { "E.thrift", "const i32 X = 3" },
                                   { NULL, NULL } };
    frugal_schema_free(loading_files(files, NULL));
    assert_string_equal(
        loading_reports,
        "main.thrift:1:47: error: E.X is a constant and an item of an enum [E.X]\n");
}

static void containers_of_one_shape_are_one_type(void **state)
{
    (void)state;
    LOADS("typedef i32 I typedef map<I, list<I>> M const map<i32, list<i32>> A = {1: [2]} const M "
          "B = A "
          "const M C = B const map<i32, set<i32>> D = {1: [1]} const map<i64, list<i8>> E = A");
    loading_expect("const map<i32, list<i32>> A = {1: [2]} const map<i32, set<i32>> B = A\n"
                   "const map<i32, list<string>> C = A",
                   "2:34: string is wanted here, and this is an integer\n");
    loading_expect(
        "const list<i32> A = [1] const E B = A enum E { X = 1 } const E C = D const i32 D = 9",
        "1:37: E is wanted here, and this is a list in [ ]\n"
        "1:68: 9 is no item of enum E\n");
}

static void constants_of_includes_may_be_ambiguous(void **state)
{
    const loading_file files[] = {
        { "main.thrift", "include \"a.thrift\" include \"b/a.thrift\" const i32 A = a.N" },
        { "a.thrift", "const i32 N = 3" },
        { "b/a.thrift", "const i32 N = 4" },
        { NULL, NULL }
    };
    (void)state;
    frugal_schema_free(loading_files(files, NULL));
    assert_string_equal(loading_reports,
                        "main.thrift:1:55: error: more than one include has a.N [a.N]\n");
}

/* One struct's constant as another's is looked through, and so has a bound that others have not. */
static void values_through_constants_of_other_types_nest_128_deep(void **state)
{
    static const char head[] = "struct L { 1: optional L n }\nstruct M { 1: optional M n }\n"
                               "const M A0 = {}\n";
    char             *text   = loading_repeat(head, "/* %d */ const M A%d = {'n': A%d}\n", 200, "");
    char             *taken  = loading_repeat(text, "", 0, "const M B = A200 const L C = A120");
    char             *report = loading_repeat(text, "", 0, "const L B = A200");
    (void)state;
    LOADS(taken);
    loading_expect(report, "204:13: more than 128 values inside each other\n");
    free(text);
    free(taken);
    free(report);
}

static void repeated_keys_and_elements_are_a_warning(void **state)
{
    (void)state;
    loading_expect_warnings(
        "const map<i32, i32> A = {1: 2, 1: 3}\nconst set<string> B = ['a', 'a']\n"
        "const list<i32> C = [1, 1]\nconst set<i32> D = [1, E]\nconst i32 E = 1",
        "1:32: this key is there already\n"
        "2:29: this element is there already\n"
        "4:24: this element is there already\n");
}

static void many_items_are_found_by_name_and_by_number(void **state)
{
    (void)state;
    char *text = loading_repeat("enum E {\n", "A%d = %d,\n", 500,
                                "}\nconst E X = A7\nconst E Y = 500\nconst E Z = 501");
    loading_expect(text, "505:13: 501 is no item of enum E\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_are_in_the_range_of_their_type),
        cmocka_unit_test(kinds_of_values_are_those_of_their_types),
        cmocka_unit_test(values_of_an_enum_are_its_items),
        cmocka_unit_test(constants_of_structs_are_maps_of_their_fields),
        cmocka_unit_test(names_of_fields_are_texts),
        cmocka_unit_test(a_union_has_one_arm),
        cmocka_unit_test(constants_may_be_used_in_any_order),
        cmocka_unit_test(a_constant_that_does_not_fit_is_reported_where_it_is_named),
        cmocka_unit_test(a_constant_and_an_item_of_one_name_are_ambiguous),
        cmocka_unit_test(containers_of_one_shape_are_one_type),
        cmocka_unit_test(constants_of_includes_may_be_ambiguous),
        cmocka_unit_test(values_through_constants_of_other_types_nest_128_deep),
        cmocka_unit_test(repeated_keys_and_elements_are_a_warning),
        cmocka_unit_test(many_items_are_found_by_name_and_by_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
