/* idl/schema_test.c - loading, looking up, and letting go. */
#include "idl/loading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <frugal/codec.h>

#include "support/probe.h"

static const loading_file three_files[] = {
    { "main.thrift", "namespace go a.b\nnamespace * any\nnamespace go c.d\n"
                     "include \"x.thrift\" include \"sub/y.thrift\"\n"
                     "/** doc of S */\nstruct S { 1: x.T t (k = 'v', k = 'w', bare)\n"
                     " /** doc of e */ 2: y.E e } (s = '1')\n"
                     "typedef S Alias typedef y.E EAlias typedef list<S> Many\n"
                     "enum Here { A (item = 'i') }\n"
                     "const i32 N = 3 const S Made = {'e': B}\n"
                     "service Main extends x.Base { void f() (fn = 'x') } service Second {}" },
    { "x.thrift", "struct T { 1: i32 a } struct Twice {} const i32 Far = 7 service Base {}" },
    { "sub/y.thrift", "enum E { A, B } struct Twice {} struct OnlyY {}" },
    { NULL, NULL }
};

static frugal_schema *load_three(const frugal_schema_options *options)
{
    return loading_files(three_files, options);
}

/* ---- look up -------------------------------------------------------------------------------- */

static void names_are_those_of_the_root_first(void **state)
{
    frugal_schema *schema = load_three(NULL);
    (void)state;
    assert_non_null(schema);
    assert_string_equal(frugal_schema_struct(schema, "S")->name, "S");
    assert_ptr_equal(frugal_schema_struct(schema, "S"), frugal_schema_struct(schema, "main.S"));
    assert_ptr_equal(frugal_schema_struct(schema, "T"), frugal_schema_struct(schema, "x.T"));
    assert_non_null(frugal_schema_struct(schema, "OnlyY"));
    assert_null(frugal_schema_struct(schema, "Twice")); /* in two files */
    assert_non_null(frugal_schema_struct(schema, "x.Twice"));
    assert_ptr_not_equal(frugal_schema_struct(schema, "x.Twice"),
                         frugal_schema_struct(schema, "y.Twice"));
    assert_null(frugal_schema_struct(schema, "Here"));
    assert_null(frugal_schema_struct(schema, "z.T"));
    assert_null(frugal_schema_struct(schema, ""));
    assert_null(frugal_schema_struct(schema, NULL));
    assert_null(frugal_schema_struct(NULL, "S"));
    assert_string_equal(frugal_schema_enum(schema, "E")->name, "E");
    assert_string_equal(frugal_schema_enum(schema, "Here")->name, "Here");
    assert_null(frugal_schema_enum(schema, "S"));
    frugal_schema_free(schema);
}

static void typedefs_are_found_under_their_own_names(void **state)
{
    frugal_schema *schema = load_three(NULL);
    (void)state;
    assert_ptr_equal(frugal_schema_struct(schema, "Alias"), frugal_schema_struct(schema, "S"));
    assert_ptr_equal(frugal_schema_enum(schema, "EAlias"), frugal_schema_enum(schema, "y.E"));
    assert_null(frugal_schema_struct(schema, "Many"));
    assert_null(frugal_schema_enum(schema, "Alias"));
    frugal_schema_free(schema);
}

static void constants_are_values_with_their_type(void **state)
{
    frugal_schema *schema = load_three(NULL);
    frugal_value   value;
    (void)state;
    assert_true(frugal_schema_const(schema, "N", &value));
    assert_int_equal(value.type->kind, FRUGAL_KIND_I32);
    assert_int_equal(*(const int32_t *)value.ptr, 3);
    assert_true(frugal_schema_const(schema, "x.Far", &value));
    assert_true(frugal_schema_const(schema, "Made", &value));
    assert_ptr_equal(value.type->record, frugal_schema_struct(schema, "S"));
    assert_false(frugal_schema_const(schema, "S", &value));
    assert_false(frugal_schema_const(schema, "Nope", &value));
    frugal_schema_free(schema);
}

static void lists_begin_with_the_root(void **state)
{
    frugal_schema           *schema    = load_three(NULL);
    static const char *const structs[] = { "S", "T", "Twice", "Twice", "OnlyY" };
    (void)state;
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(frugal_schema_struct_at(schema, i)->name, structs[i]);
    assert_null(frugal_schema_struct_at(schema, 5));
    assert_null(frugal_schema_struct_at(NULL, 0));
    assert_string_equal(frugal_schema_enum_at(schema, 0)->name, "Here");
    assert_string_equal(frugal_schema_enum_at(schema, 1)->name, "E");
    assert_null(frugal_schema_enum_at(schema, 2));
    assert_string_equal(frugal_schema_service_at(schema, 0)->name, "Main");
    assert_string_equal(frugal_schema_service_at(schema, 1)->name, "Second");
    assert_string_equal(frugal_schema_service_at(schema, 2)->name, "Base");
    assert_null(frugal_schema_service_at(schema, 3));
    assert_int_equal(frugal_schema_root_services(schema), 2);
    assert_ptr_equal(frugal_schema_service(schema, "Main")->base,
                     frugal_schema_service(schema, "x.Base"));
    frugal_schema_free(schema);
}

static void expect_annotation(const frugal_schema *schema, const char *path, size_t index,
                              size_t count, const char *key, const char *value)
{
    size_t                   got;
    const frugal_annotation *all = frugal_schema_annotations(schema, path, &got);
    assert_int_equal(got, count);
    assert_non_null(all);
    assert_string_equal(all[index].key, key);
    assert_string_equal(all[index].value, value);
}

static void annotations_and_comments_are_found_by_path(void **state)
{
    frugal_schema *schema = load_three(NULL);
    size_t         count  = 9;
    (void)state;
    expect_annotation(schema, "S", 0, 1, "s", "1");
    expect_annotation(schema, "main.S", 0, 1, "s", "1");
    expect_annotation(schema, "S.t", 1, 3, "k", "w");
    expect_annotation(schema, "main.S.t", 2, 3, "bare", "1");
    expect_annotation(schema, "Here.A", 0, 1, "item", "i");
    expect_annotation(schema, "Main.f", 0, 1, "fn", "x");
    assert_null(frugal_schema_annotations(schema, "S.e", &count));
    assert_int_equal(count, 0);
    assert_null(frugal_schema_annotations(schema, "S.nope", NULL));
    assert_null(frugal_schema_annotations(schema, NULL, NULL));
    assert_string_equal(frugal_schema_doc(schema, "S"), "doc of S");
    assert_string_equal(frugal_schema_doc(schema, "S.e"), "doc of e");
    assert_null(frugal_schema_doc(schema, "S.t"));
    assert_null(frugal_schema_doc(schema, "Nope"));
    frugal_schema_free(schema);
}

static void the_last_namespace_of_a_scope_counts(void **state)
{
    frugal_schema *schema = load_three(NULL);
    (void)state;
    assert_string_equal(frugal_schema_namespace(schema, "go"), "c.d");
    assert_string_equal(frugal_schema_namespace(schema, "*"), "any");
    assert_null(frugal_schema_namespace(schema, "py"));
    assert_null(frugal_schema_namespace(schema, NULL));
    frugal_schema_free(schema);
}

/* ---- arguments ------------------------------------------------------------------------------ */

static frugal_status load_with(const char *name, frugal_str text, frugal_schema_options options)
{
    frugal_schema *schema = NULL;
    frugal_error   error  = { 0 };
    frugal_status  status = frugal_schema_load_text(name, text, &options, &schema, &error);
    assert_int_equal(status, error.status);
    assert_int_equal(status == FRUGAL_OK, schema != NULL);
    frugal_schema_free(schema);
    return status;
}

static void arguments_that_make_no_sense_are_refused(void **state)
{
    frugal_schema              *schema = NULL;
    const frugal_str            text   = FRUGAL_STR("struct S {}");
    static const char *const    none[] = { NULL };
    const frugal_schema_options good   = { .struct_size = sizeof good };
    (void)state;
    assert_int_equal(load_with("a", text, good), FRUGAL_OK);
    assert_int_equal(load_with(NULL, text, good), FRUGAL_INVALID);
    assert_int_equal(load_with("a", (frugal_str){ NULL, 3 }, good), FRUGAL_INVALID);
    assert_int_equal(load_with("a", (frugal_str){ NULL, 0 }, good), FRUGAL_OK);
    assert_int_equal(load_with("a", text, (frugal_schema_options){ .struct_size = 4 }),
                     FRUGAL_INVALID);
    assert_int_equal(load_with("a", text, (frugal_schema_options){ .include_dir_count = 1 }),
                     FRUGAL_INVALID);
    assert_int_equal(
        load_with("a", text,
                  (frugal_schema_options){ .include_dirs = none, .include_dir_count = 1 }),
        FRUGAL_INVALID);
    assert_int_equal(load_with("a", text, (frugal_schema_options){ .auto_ids = 7 }),
                     FRUGAL_INVALID);
    assert_int_equal(frugal_schema_load(NULL, NULL, &schema, NULL), FRUGAL_INVALID);
    assert_int_equal(frugal_schema_load("a", NULL, NULL, NULL), FRUGAL_INVALID);
    assert_int_equal(frugal_schema_load("/nowhere/at/all.thrift", NULL, &schema, NULL),
                     FRUGAL_NOTFOUND);
    frugal_schema_free(NULL);
}

/* ---- memory --------------------------------------------------------------------------------- */

static const char rich_text[] =
    "enum E { A, B, C, D, F, G, H, I, J, K } typedef list<map<string, S>> M typedef M M2\n"
    "union U { 1: i32 a = 3 2: M b } exception X { 1: string m }\n"
    "struct S { 1: i32 a = N 2: M2 m = [{}] 3: optional double d = 1.5 4: U u\n"
    " 5: E e = E.B 6: i8 f 7: i8 g 8: i8 h 9: i8 i 10: i8 j 11: S self 12: set<i64> z = [1, 2] }\n"
    "const i32 N = 7 const S C = {'a': 1, 'm': [{'k': {'a': 2}}]} const list<S> L = [C, {}, C]\n"
    "service P { S f(1: S s, 2: i32 n = 4) throws (1: X x) oneway void g() } (a = 'b')\n"
    "service Q extends P {}";

static void when_memory_ends_anywhere_nothing_is_left(void **state)
{
    probe                       allocator;
    const frugal_schema_options options = { .allocator    = &allocator.allocator,
                                            .keep_unknown = true };
    char *text = loading_repeat(rich_text, "\nstruct T%d { 1: S s 2: list<T%d> t }", 300,
                                "\nstruct T300 {}");
    (void)state;
    for (size_t nth = 0;; nth++) {
        frugal_schema *schema = NULL;
        frugal_error   error  = { 0 };
        probe_init(&allocator);
        allocator.fail_from  = nth;
        frugal_str    input  = { text, strlen(text) };
        frugal_status status = frugal_schema_load_text("a", input, &options, &schema, &error);
        if (status == FRUGAL_OK) {
            assert_true(nth >= 8); /* blocks of two arenas */
            frugal_schema_free(schema);
            assert_int_equal(allocator.blocks, 0);
            break;
        }
        assert_int_equal(status, FRUGAL_NOMEM);
        assert_int_equal(error.status, FRUGAL_NOMEM);
        assert_null(schema);
        assert_int_equal(allocator.blocks, 0);
        assert_int_equal(allocator.live, 0);
    }
    free(text);
}

static void when_any_allocation_fails_nothing_is_left(void **state)
{
    (void)state;
    /* Texts that are kept, of growing size, move the ends of blocks over every allocation. */
    for (size_t pad = 1; pad < 4200; pad += 24) {
        probe                       allocator;
        const frugal_schema_options options = { .allocator = &allocator.allocator };
        char                       *text    = malloc(sizeof rich_text + pad + 40);
        int start = sprintf(text, "const string FIRST = '%0*d'\n", (int)pad, 0);
        memcpy(text + start, rich_text, sizeof rich_text);
        frugal_status status = FRUGAL_NOMEM;
        for (size_t nth = 0; status != FRUGAL_OK; nth++) {
            frugal_schema *schema = NULL;
            probe_init(&allocator);
            allocator.fail_from = nth;
            status = frugal_schema_load_text("a", (frugal_str){ text, strlen(text) }, &options,
                                             &schema, NULL);
            assert_true(status == FRUGAL_OK || status == FRUGAL_NOMEM);
            frugal_schema_free(schema);
            assert_int_equal(allocator.blocks, 0);
        }
        free(text);
    }
}

static void plans_go_with_the_schema(void **state)
{
    probe                         allocator;
    const frugal_pretouch_options options = { .allocator = &allocator.allocator };
    (void)state;
    probe_init(&allocator);
    frugal_schema *schema = loading_text(rich_text, NULL);
    assert_non_null(schema);
    for (size_t i = 0; frugal_schema_struct_at(schema, i); i++)
        assert_int_equal(frugal_pretouch(frugal_schema_struct_at(schema, i), &options, NULL),
                         FRUGAL_OK);
    assert_int_equal(frugal_pretouch_service(frugal_schema_service(schema, "Q"), &options, NULL),
                     FRUGAL_OK);
    assert_int_not_equal(allocator.blocks, 0);
    frugal_schema_free(schema);
    assert_int_equal(allocator.blocks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_those_of_the_root_first),
        cmocka_unit_test(typedefs_are_found_under_their_own_names),
        cmocka_unit_test(constants_are_values_with_their_type),
        cmocka_unit_test(lists_begin_with_the_root),
        cmocka_unit_test(annotations_and_comments_are_found_by_path),
        cmocka_unit_test(the_last_namespace_of_a_scope_counts),
        cmocka_unit_test(arguments_that_make_no_sense_are_refused),
        cmocka_unit_test(when_memory_ends_anywhere_nothing_is_left),
        cmocka_unit_test(when_any_allocation_fails_nothing_is_left),
        cmocka_unit_test(plans_go_with_the_schema),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
