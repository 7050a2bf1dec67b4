#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "gen/macros.h"
#include "gen/names.h"

static frugal_arena *arena;

static frugal_str str(const char *text)
{
    return (frugal_str){ text, strlen(text) };
}

static void words_begin_at_capitals(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        { "Item", "item" },
        { "DivByZero", "div_by_zero" },
        { "HTTPServer", "http_server" },
        { "userID", "user_id" },
        { "ABC", "abc" },
        { "md5Sum", "md5_sum" },
        { "User2", "user2" },
        { "i64Value", "i64_value" },
        { "Mixed_Case", "mixed_case" },
        { "a.b-c", "a_b_c" },
        { "3d", "x3d" },
        { "", "x" },
        { "x", "x" },
        { "aB", "a_b" },
        { "AB", "ab" },
        { "ABc", "a_bc" },
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        assert_string_equal(gen_words(arena, str(pairs[i][0]), GEN_LOWER), pairs[i][1]);
    assert_string_equal(gen_words(arena, str("DivByZero"), GEN_UPPER), "DIV_BY_ZERO");
}

static void names_begin_with_the_prefix(void **state)
{
    (void)state;
    assert_string_equal(gen_join(arena, "shop", str("LineItem"), GEN_LOWER), "shop_line_item");
    assert_string_equal(gen_join(arena, "shop", str("LineItem"), GEN_UPPER), "SHOP_LINE_ITEM");
    assert_string_equal(gen_join(arena, "MyShop", str("Item"), GEN_LOWER), "MyShop_item");
    assert_string_equal(gen_join(arena, "static", str("Cast"), GEN_LOWER), "static_cast_");
    assert_string_equal(gen_join(arena, "int32", str("t"), GEN_LOWER), "int32_t_");
}

static void members_keep_their_names_unless_c_has_them(void **state)
{
    (void)state;
    assert_string_equal(gen_member(arena, str("userName")), "userName");
    assert_string_equal(gen_member(arena, str("class")), "class_");
    assert_string_equal(gen_member(arena, str("a.b")), "a_b");
}

static void every_word_in_the_list_is_found(void **state)
{
    (void)state;
    static const char *const words[] = {
        "EOF",          "NULL",        "alignas",  "and_eq",    "asm",          "auto",
        "bool",         "class",       "co_yield", "concept",   "default",      "delete",
        "double",       "errno",       "export",   "false",     "for",          "goto",
        "inline",       "int8_t",      "linux",    "namespace", "new",          "nullptr",
        "not",          "or",          "private",  "register",  "restrict",     "size_t",
        "signed",       "static_cast", "struct",   "this",      "throw",        "true",
        "typename",     "uint64_t",    "unix",     "virtual",   "while",        "xor_eq",
        "_Bool",        "__LINE__",    "_Generic", "INT32_MAX", "UINT64_C",     "INT_MIN",
        "FRUGAL_OPT",   "frugal_str",  "SIZE_MAX", "BUFSIZ",    "EXIT_FAILURE", "SEEK_SET",
        "NAN",          "INFINITY",    "PATH_MAX", "ENOENT",    "st_mtime",     "I",
        "complex",      "signbit",     "PRIu64",   "SIGTERM",   "S_ISREG",      "assert",
        "EXIT_SUCCESS", "va_start",    "xor",      "SCNxPTR",
    };
    static const char *const free_words[] = { "name",  "which", "value", "ptr",         "INTO",
                                              "Class", "_x",    "list",  "i32",         "which_",
                                              "log",   "PRICE", "PRIdE", "INTERN_MAXI", "frugal" };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!gen_is_reserved(words[i]))
            fail_msg("%s is not reserved", words[i]);
    for (size_t i = 0; i + 2 < sizeof free_words / sizeof free_words[0]; i++)
        if (gen_is_reserved(free_words[i]))
            fail_msg("%s is reserved", free_words[i]);
}

static void the_macros_are_sorted_and_each_is_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < gen_macro_count; i++) {
        if (i > 0 && strcmp(gen_macros[i - 1], gen_macros[i]) >= 0)
            fail_msg("%s stands behind %s", gen_macros[i], gen_macros[i - 1]);
        assert_true(gen_is_reserved(gen_macros[i]));
    }
}

static void a_claim_tells_who_was_first(void **state)
{
    gen_map   map   = { 0 };
    gen_claim first = { "struct", str("A"), NULL, { 3, 1 } };
    gen_claim later = { "enum", str("B"), NULL, { 4, 1 } };
    (void)state;
    assert_ptr_equal(gen_claim_name(&map, arena, "x_a", &first), &first);
    const gen_claim *found = gen_claim_name(&map, arena, "x_a", &later);
    assert_string_equal(found->what, "struct");
    assert_int_equal(found->place.line, 3);
    assert_ptr_equal(gen_claim_name(&map, arena, "x_b", &later), &later);
}

static void a_map_finds_all_of_many(void **state)
{
    gen_map map = { 0 };
    (void)state;
    for (uintptr_t i = 0; i < 5000; i++) {
        void **place = gen_map_add(&map, arena, &i, sizeof i);
        assert_non_null(place);
        assert_null(*place);
        *place = (void *)(i + 1);
    }
    for (uintptr_t i = 0; i < 5000; i++)
        assert_ptr_equal(gen_map_get(&map, &i, sizeof i), (void *)(i + 1));
    uintptr_t other = 5000;
    assert_null(gen_map_get(&map, &other, sizeof other));
}

static int set_up(void **state)
{
    (void)state;
    arena = frugal_arena_new(NULL);
    return arena == NULL;
}

static int tear_down(void **state)
{
    (void)state;
    frugal_arena_free(arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_begin_at_capitals),
        cmocka_unit_test(names_begin_with_the_prefix),
        cmocka_unit_test(members_keep_their_names_unless_c_has_them),
        cmocka_unit_test(every_word_in_the_list_is_found),
        cmocka_unit_test(the_macros_are_sorted_and_each_is_found),
        cmocka_unit_test(a_claim_tells_who_was_first),
        cmocka_unit_test(a_map_finds_all_of_many),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
