/* idl/resolve_test.c - what names mean, and what definitions can get wrong. */
#include "idl/loading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- names of types ------------------------------------------------------------------------- */

static void types_may_be_used_before_they_are_defined(void **state)
{
    (void)state;
    LOADS("struct A { 1: B b 2: list<C> c } typedef B C struct B { 1: i32 x }");
    LOADS("union U { 1: U u 2: E e } enum E { A }");
}

static void an_unknown_type_is_reported_where_it_stands(void **state)
{
    (void)state;
    loading_expect("struct A { 1: Nope n 2: list<map<string, No>> l }",
                   "1:15: no type is called Nope\n1:42: no type is called No\n");
    loading_expect("struct A { 1: x.Nope n }", "1:15: no include of this file is called x\n");
    loading_expect("service S { Nope f(1: No a) throws (1: N n) }",
                   "1:13: no type is called Nope\n1:23: no type is called No\n"
                   "1:40: no type is called N\n");
    loading_expect("const Nope C = 1", "1:7: no type is called Nope\n");
}

static void a_service_or_constant_is_no_type(void **state)
{
    (void)state;
    loading_expect("service S {} struct A { 1: S s }", "1:28: S is a service, not a type\n");
    loading_expect("const i32 S = 1 struct A { 1: S s }", "1:31: no type is called S\n");
    LOADS("const i32 S = 1 struct S { 1: i32 s }"); /* Apache keeps the two apart */
}

static void uuid_is_refused_where_it_is_used(void **state)
{
    (void)state;
    loading_expect("struct A { 1: list<uuid> u }",
                   "1:20: uuid is not supported; binary has the same use\n");
    LOADS("typedef binary uuid struct A { 1: uuid u }");
}

static void definitions_have_one_name_each(void **state)
{
    (void)state;
    loading_expect("struct A {}\nenum A { X }\nunion B { }\nservice B { }",
                   "2:6: A is defined already, in line 1\n4:9: B is defined already, in line 3\n");
    loading_expect("const i32 A = 1\nconst i64 A = 2", "2:11: A is defined already, in line 1\n");
}

/* ---- includes ------------------------------------------------------------------------------- */

static frugal_schema *load_with(const char *text, const char *a, const char *b)
{
    const loading_file files[] = {
        { "main.thrift", text }, { "a.thrift", a }, { "b/a.thrift", b }, { NULL, NULL }
    };
    return loading_files(files, NULL);
}

static void expect_with(const char *text, const char *a, const char *b, const char *reports)
{
    frugal_schema_free(load_with(text, a, b));
    assert_string_equal(loading_reports, reports);
}

static void included_names_have_the_prefix_of_the_file(void **state)
{
    (void)state;
    expect_with("include \"a.thrift\" struct S { 1: a.T t 2: a.E e = a.E.X 3: i32 n = a.N }",
                "struct T { 1: i32 x } enum E { X } const i32 N = 3", "", "");
    expect_with("include \"a.thrift\" struct S { 1: T t 2: a.U u }", "struct T {}", "",
                "main.thrift:1:34: error: no type is called T; is it a.T? [T]\n"
                "main.thrift:1:41: error: no type is called a.U [a.U]\n");
}

static void only_direct_includes_are_seen(void **state)
{
    (void)state;
    const loading_file files[] = { { "main.thrift", "include \"x.thrift\" struct S { 1: y.T t }" },
                                   { "x.thrift", "include \"y.thrift\" typedef y.T X" },
                                   { "y.thrift", "struct T {}" },
                                   { NULL, NULL } };
    frugal_schema_free(loading_files(files, NULL));
    assert_non_null(strstr(loading_reports,
                           "main.thrift:1:34: error: no include of this file is called y [y.T]\n"));
}

static void two_includes_of_one_prefix_are_ambiguous_where_both_have_the_name(void **state)
{
    (void)state;
    const char *both = "include \"a.thrift\" include \"b/a.thrift\" struct S { 1: a.T t }";
    expect_with(both, "struct T {}", "struct T {}",
                "main.thrift:1:55: error: more than one include called a has T [a.T]\n");
    expect_with(both, "struct T {}", "struct U {}",
                "main.thrift:1:28: warning: nothing of this include is used [b/a.thrift]\n");
    expect_with(both, "struct U {}", "struct T {}",
                "main.thrift:1:9: warning: nothing of this include is used [a.thrift]\n");
}

static void an_include_that_nobody_needs_is_a_warning(void **state)
{
    (void)state;
    expect_with("include \"a.thrift\"", "struct T {}", "",
                "main.thrift:1:9: warning: nothing of this include is used [a.thrift]\n");
    expect_with("include \"a.thrift\" const i32 C = a.N", "const i32 N = 1", "", "");
    expect_with("include \"a.thrift\" service S extends a.T {}", "service T {}", "", "");
}

/* ---- typedefs ------------------------------------------------------------------------------- */

static void a_typedef_made_of_itself_is_reported_once(void **state)
{
    (void)state;
    loading_expect("typedef B A\ntypedef A B\nstruct S { 1: A x 2: B y }",
                   "2:9: the typedef A is made of itself\n");
    loading_expect("typedef A A", "1:9: the typedef A is made of itself\n");
    loading_expect("typedef list<map<i32, A>> A\nstruct S { 1: A x }",
                   "1:23: the typedef A is made of itself\n");
}

static void long_rows_of_typedefs_are_followed(void **state)
{
    (void)state;
    char *text = loading_repeat("", "typedef T%d T%d\n", 50000, "typedef i32 T0");
    LOADS(text);
    free(text);
}

static void containers_nest_up_to_64_deep_through_typedefs(void **state)
{
    (void)state;
    char *good =
        loading_repeat("typedef i32 T0\n", "typedef list<T%d> T%d\n", 64, "struct S { 1: T64 t }");
    char *deep = loading_repeat("typedef i32 T0\n", "typedef list<T%d> T%d\n", 200,
                                "struct S { 1: T200 t }");
    char *over = loading_repeat("typedef i32 T0\n", "typedef set<T%d> T%d\n", 64,
                                "struct S { 1: map<i8, T64> t }");
    LOADS(good);
    loading_expect(deep, "66:9: more than 64 containers inside each other\n");
    loading_expect(over, "66:15: more than 64 containers inside each other\n");
    free(good);
    free(deep);
    free(over);
}

/* ---- fields --------------------------------------------------------------------------------- */

static void ids_and_names_of_fields_are_unique(void **state)
{
    (void)state;
    loading_expect("struct S {\n 1: i32 a\n 1: i32 b\n 2: i32 a\n}",
                   "3:2: the id 1 of b is another field's already\n"
                   "4:9: another field is called a already\n");
    loading_expect("service S { void f(1: i32 a, 1: i32 b) }",
                   "1:30: the id 1 of b is another field's already\n");
    LOADS("struct S { -32768: i32 a 32767: i32 b 0: i32 c }");
    LOADS("struct S { 1: i32 a } struct T { 1: i32 a }"); /* each its own */
}

static void ids_and_names_are_unique_among_many(void **state)
{
    (void)state;
    char *ids   = loading_repeat("struct S {\n", "%d: i32 f%d\n", 100, "7: i32 x }");
    char *names = loading_repeat("struct S {\n", "%d: i32 f%d\n", 100, "200: i32 f1 }");
    loading_expect(ids, "102:1: the id 7 of x is another field's already\n");
    loading_expect(names, "102:10: another field is called f1 already\n");
    free(ids);
    free(names);
}

static void arms_of_a_union_are_optional(void **state)
{
    (void)state;
    loading_expect_warnings("union U { 1: required i32 a 2: optional i32 b }",
                            "1:14: an arm of a union is optional\n");
    loading_expect("union U { 0: i32 a }", "1:11: the id 0 of a means that a union has no arm\n");
    loading_expect("union U { 1: i32 a = 1 2: i32 b = 2 }",
                   "1:35: a union has one default, and a has it\n");
}

static void a_struct_required_in_itself_is_a_warning(void **state)
{
    (void)state;
    loading_expect_warnings(
        "struct A { 1: required A a }",
        "1:26: A.a is required in itself: there is no value that can be read\n");
    loading_expect_warnings("struct A { 1: required B b } struct B { 1: required list<A> a 2: A c "
                            "3: optional A d }",
                            "");
    loading_expect_warnings(
        "struct A { 1: required B b } struct B { 1: required A a }",
        "1:55: B.a is required in itself: there is no value that can be read\n");
}

/* ---- enums ---------------------------------------------------------------------------------- */

static void items_of_an_enum_have_names_of_their_own_and_32_bits(void **state)
{
    (void)state;
    LOADS("enum E { A = 1, B = 1, C = -2147483648, D = 2147483647 }");
    loading_expect("enum E { A, B, A }", "1:16: A is an item of this enum already\n");
    loading_expect("enum E { A = 2147483647, B }",
                   "1:26: B is 2147483648, but an enum has 32 bits\n");
    loading_expect("enum E { A = -2147483649 }",
                   "1:14: A is -2147483649, but an enum has 32 bits\n");
    char *many = loading_repeat("enum E { ", "A%d,", 100, " A7 }");
    loading_expect(many, "1:401: A7 is an item of this enum already\n");
    free(many);
}

/* ---- services ------------------------------------------------------------------------------- */

static void services_extend_services_in_any_order(void **state)
{
    (void)state;
    LOADS("service A extends B { void f() } service B extends C {} service C { void g() }");
    loading_expect("service A extends B {}", "1:19: no service is called B\n");
    loading_expect("struct B {} service A extends B {}", "1:31: B is no service\n");
}

static void services_do_not_extend_themselves(void **state)
{
    (void)state;
    loading_expect("service A extends A {}", "1:19: the service A extends itself\n");
    loading_expect("service A extends B {}\nservice B extends C {}\nservice C extends B {}",
                   "3:19: the service B extends itself\n");
    char *good     = loading_repeat("", "service S%d extends S%d {}\n", 63, "service S63 {}");
    char *long_row = loading_repeat("", "service S%d extends S%d {}\n", 100, "service S100 {}");
    LOADS(good);
    loading_expect(long_row, "37:21: more than 64 services extend each other\n");
    free(good);
    free(long_row);
}

static void methods_have_one_name_each_inherited_ones_too(void **state)
{
    (void)state;
    loading_expect("service A { void f() void f() }",
                   "1:27: f is a method of this service already\n");
    loading_expect("service A { void f() } service B extends A {} service C extends B { i32 f() }",
                   "1:73: f is a method of A already\n");
}

static void many_methods_are_told_apart(void **state)
{
    (void)state;
    char *twice = loading_repeat("service S {\n", "void f%d() // %d\n", 50, "void f7() }");
    char *again = loading_repeat("service S {\n", "void f%d() // %d\n", 50,
                                 "} service T extends S { void f7() }");
    loading_expect(twice, "52:6: f7 is a method of this service already\n");
    loading_expect(again, "52:30: f7 is a method of S already\n");
    free(twice);
    free(again);
}

static void arguments_are_not_optional(void **state)
{
    (void)state;
    loading_expect_warnings("service S { void f(1: optional i32 a, 2: required i32 b) }",
                            "1:23: an argument is never optional\n");
}

static void only_exceptions_are_thrown(void **state)
{
    (void)state;
    LOADS("typedef X Y exception X {} service S { void f() throws (1: X x, 2: Y y) }");
    loading_expect("struct X {} service S { void f() throws (1: X x, 2: list<i32> y) }",
                   "1:45: X is thrown, but is no exception\n"
                   "1:53: list<i32> is thrown, but is no exception\n");
    loading_expect("exception X {} service S { i32 f() throws (0: X x, 1: X success) }",
                   "1:44: the id 0 of x is that of the result\n"
                   "1:57: the result is called success\n");
    LOADS("exception X {} service S { void f() throws (0: X x, 1: X success) }");
}

static void oneway_methods_answer_nothing(void **state)
{
    (void)state;
    loading_expect_warnings("service S { oneway i32 f() }",
                            "1:20: f is oneway: its result is never sent\n");
    loading_expect("exception X {} service S { oneway void f() throws (1: X x) }",
                   "1:40: f is oneway: nobody could receive an exception\n");
}

/* ---- how much is reported -------------------------------------------------------------------- */

static void errors_end_at_the_bound(void **state)
{
    char                 *text    = loading_repeat("struct S {\n", "1%d: No f%d\n", 50, "}");
    frugal_schema_options options = { .error_max = 3 };
    (void)state;
    assert_null(loading_text(text, &options));
    assert_string_equal(loading_reports, "main.thrift:2:5: error: no type is called No [No]\n"
                                         "main.thrift:3:5: error: no type is called No [No]\n"
                                         "main.thrift:4:5: error: no type is called No [No]\n");
    free(text);
}

static void the_first_error_is_the_one_returned(void **state)
{
    frugal_schema *schema;
    frugal_error   error = { 0 };
    (void)state;
    assert_int_equal(frugal_schema_load_text("dir/x.thrift",
                                             FRUGAL_STR("struct S {\n 1: A a\n 2: B b }"), NULL,
                                             &schema, &error),
                     FRUGAL_DESCRIPTOR);
    assert_null(schema);
    assert_int_equal(error.status, FRUGAL_DESCRIPTOR);
    assert_string_equal(error.path, "dir/x.thrift");
    assert_string_equal(error.message, "no type is called A");
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_may_be_used_before_they_are_defined),
        cmocka_unit_test(an_unknown_type_is_reported_where_it_stands),
        cmocka_unit_test(a_service_or_constant_is_no_type),
        cmocka_unit_test(uuid_is_refused_where_it_is_used),
        cmocka_unit_test(definitions_have_one_name_each),
        cmocka_unit_test(included_names_have_the_prefix_of_the_file),
        cmocka_unit_test(only_direct_includes_are_seen),
        cmocka_unit_test(two_includes_of_one_prefix_are_ambiguous_where_both_have_the_name),
        cmocka_unit_test(an_include_that_nobody_needs_is_a_warning),
        cmocka_unit_test(a_typedef_made_of_itself_is_reported_once),
        cmocka_unit_test(long_rows_of_typedefs_are_followed),
        cmocka_unit_test(containers_nest_up_to_64_deep_through_typedefs),
        cmocka_unit_test(ids_and_names_of_fields_are_unique),
        cmocka_unit_test(ids_and_names_are_unique_among_many),
        cmocka_unit_test(arms_of_a_union_are_optional),
        cmocka_unit_test(a_struct_required_in_itself_is_a_warning),
        cmocka_unit_test(items_of_an_enum_have_names_of_their_own_and_32_bits),
        cmocka_unit_test(services_extend_services_in_any_order),
        cmocka_unit_test(services_do_not_extend_themselves),
        cmocka_unit_test(methods_have_one_name_each_inherited_ones_too),
        cmocka_unit_test(many_methods_are_told_apart),
        cmocka_unit_test(arguments_are_not_optional),
        cmocka_unit_test(only_exceptions_are_thrown),
        cmocka_unit_test(oneway_methods_answer_nothing),
        cmocka_unit_test(errors_end_at_the_bound),
        cmocka_unit_test(the_first_error_is_the_one_returned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
