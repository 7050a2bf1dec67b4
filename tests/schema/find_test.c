/* tests/schema/find_test.c - fields and enum values by id, number and name; types as text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <frugal/frugal.h>

#include "schema/schema.h"

enum color { RED = 1, GREEN = -2, CRIMSON = 1 };
FRUGAL_ENUM(color, FRUGAL_ITEM(RED), FRUGAL_ITEM(GREEN), FRUGAL_ITEM(CRIMSON));

struct leaf {
    int32_t a;
};
FRUGAL_STRUCT(leaf, FRUGAL_FIELD(leaf, a, 1));
struct record {
    int64_t                                         id;
    FRUGAL_OPT(int32_t)                             age;
    frugal_str                                      name, nick;
    frugal_bytes                                    raw, rest;
    struct leaf                                     leaf, *near, *far;
    FRUGAL_MAP(frugal_str, FRUGAL_LIST(enum color)) colors, maybe;
};
FRUGAL_STRUCT(record,
    FRUGAL_UNKNOWN(record, rest),
    FRUGAL_FIELD(record, id, -5, required),
    FRUGAL_FIELD(record, age, 3, optional),
    FRUGAL_FIELD(record, name, 1),
    FRUGAL_FIELD(record, nick, 2, optional, string, "nickName"),
    FRUGAL_FIELD(record, raw, 4, optional, binary),
    FRUGAL_FIELD(record, leaf, 6, struct(leaf)),
    FRUGAL_FIELD(record, near, 7, struct(leaf)),
    FRUGAL_FIELD(record, far, 8, optional, struct(leaf)),
    FRUGAL_FIELD(record, colors, 9, map(string, list(enum(color)))),
    FRUGAL_FIELD(record, maybe, 10, optional, map(string, list(enum(color)))));
struct arms {
    int32_t which;
    union {
        double     number;
        frugal_str text;
    };
};
FRUGAL_UNION(arms, which, FRUGAL_ARM(arms, number, 1), FRUGAL_ARM(arms, text, 2));
struct nothing {
    char unused;
};
FRUGAL_STRUCT_EMPTY(nothing);

static const frugal_field *by_name(const char *name)
{
    return frugal_field_by_name(FRUGAL_TYPE(record), (frugal_str){ name, strlen(name) });
}

static void fields_are_found_by_id(void **state)
{
    (void)state;
    assert_string_equal(frugal_field_by_id(FRUGAL_TYPE(record), 1)->name, "name");
    assert_string_equal(frugal_field_by_id(FRUGAL_TYPE(record), -5)->name, "id");
    assert_null(frugal_field_by_id(FRUGAL_TYPE(record), 5));
    assert_null(frugal_field_by_id(FRUGAL_TYPE(record), 65536 + 1)); /* not cut to 16 bits */
}

static void the_keeper_is_not_found(void **state)
{
    (void)state;
    assert_null(frugal_field_by_id(FRUGAL_TYPE(record), 0));
    assert_null(by_name("rest"));
}

static void fields_are_found_by_name(void **state)
{
    (void)state;
    assert_int_equal(by_name("age")->id, 3);
    assert_int_equal(by_name("nickName")->id, 2);
    assert_null(by_name("nick"));
    assert_null(by_name("nickNames"));
    assert_null(by_name(""));
    assert_null(frugal_field_by_name(FRUGAL_TYPE(record), (frugal_str){ NULL, 0 }));
}

static void names_need_not_end_in_nul(void **state)
{
    (void)state;
    assert_int_equal(frugal_field_by_name(FRUGAL_TYPE(record), (frugal_str){ "ages", 3 })->id, 3);
    assert_null(frugal_field_by_name(FRUGAL_TYPE(record), (frugal_str){ "age\0", 4 }));
}

static void nothing_is_found_in_nothing(void **state)
{
    (void)state;
    assert_null(frugal_field_by_id(FRUGAL_TYPE(nothing), 0));
    assert_null(frugal_field_by_name(FRUGAL_TYPE(nothing), FRUGAL_STR("unused")));
    assert_null(frugal_field_by_id(NULL, 1));
    assert_null(frugal_field_by_name(NULL, FRUGAL_STR("a")));
}

static void enum_values_have_their_first_name(void **state)
{
    (void)state;
    assert_string_equal(frugal_enum_name(&frugal_enum_color, 1), "RED");
    assert_string_equal(frugal_enum_name(&frugal_enum_color, -2), "GREEN");
    assert_null(frugal_enum_name(&frugal_enum_color, 7));
    assert_null(frugal_enum_name(NULL, 1));
}

static void enum_names_have_a_value(void **state)
{
    (void)state;
    int32_t value = 99;
    assert_true(frugal_enum_value(&frugal_enum_color, FRUGAL_STR("GREEN"), &value));
    assert_int_equal(value, -2);
    assert_true(frugal_enum_value(&frugal_enum_color, FRUGAL_STR("CRIMSON"), &value));
    assert_int_equal(value, 1);
}

static void an_unknown_enum_name_leaves_the_value(void **state)
{
    (void)state;
    int32_t value = 99;
    assert_false(frugal_enum_value(&frugal_enum_color, FRUGAL_STR("green"), &value));
    assert_false(frugal_enum_value(&frugal_enum_color, FRUGAL_STR("GREE"), &value));
    assert_false(frugal_enum_value(&frugal_enum_color, FRUGAL_STR(""), &value));
    assert_false(frugal_enum_value(NULL, FRUGAL_STR("GREEN"), &value));
    assert_int_equal(value, 99);
}

static void the_keeper_is_found_wherever_it_stands(void **state)
{
    (void)state;
    assert_ptr_equal(schema_keeper(FRUGAL_TYPE(record)), &frugal_struct_record.fields[0]);
    assert_null(schema_keeper(FRUGAL_TYPE(leaf)));
    assert_null(schema_keeper(FRUGAL_TYPE(nothing)));
}

static schema_presence presence(int id)
{
    return schema_presence_of(frugal_field_by_id(FRUGAL_TYPE(record), id));
}

static void presence_is_a_pointer_a_byte_or_certain(void **state)
{
    (void)state;
    assert_int_equal(presence(-5), SCHEMA_ALWAYS);  /* required scalar */
    assert_int_equal(presence(3), SCHEMA_HAS_BYTE); /* optional scalar */
    assert_int_equal(presence(1), SCHEMA_ALWAYS);   /* default text */
    assert_int_equal(presence(2), SCHEMA_POINTER);  /* optional text */
    assert_int_equal(presence(4), SCHEMA_POINTER);
    assert_int_equal(presence(6), SCHEMA_ALWAYS); /* struct by value */
    assert_int_equal(presence(7), SCHEMA_ALWAYS); /* behind a pointer, NULL is written as empty */
    assert_int_equal(presence(8), SCHEMA_POINTER);
    assert_int_equal(presence(9), SCHEMA_ALWAYS);
    assert_int_equal(presence(10), SCHEMA_POINTER);
    assert_int_equal(schema_presence_of(schema_keeper(FRUGAL_TYPE(record))), SCHEMA_POINTER);
}

static void a_scalar_arm_has_no_presence_of_its_own(void **state)
{
    (void)state;
    assert_int_equal(schema_presence_of(frugal_field_by_id(FRUGAL_TYPE(arms), 1)), SCHEMA_ALWAYS);
}

/* ---- types as text -------------------------------------------------------------------------- */

static void assert_text(const frugal_type *type, const char *expected)
{
    char text[200];
    schema_type_text(type, text, sizeof text);
    assert_string_equal(text, expected);
}

static void types_are_written_as_in_thrift(void **state)
{
    (void)state;
    static const char *const words[] = { "?",      "bool",   "i8",     "i16",  "i32",   "i64",
                                         "double", "string", "binary", "enum", "struct" };
    for (uint8_t kind = 0; kind <= FRUGAL_KIND_STRUCT; kind++)
        assert_text(&(frugal_type){ .kind = kind }, words[kind]);
    assert_text(&frugal_field_by_id(FRUGAL_TYPE(record), 6)->type, "leaf");
    assert_text(&frugal_field_by_id(FRUGAL_TYPE(record), 9)->type, "map<string, list<color>>");
}

static void types_that_are_none_are_written_all_the_same(void **state)
{
    (void)state;
    frugal_struct strange = { .abi = 9, .name = (const char *)(uintptr_t)16 };
    assert_text(NULL, "?");
    assert_text(&(frugal_type){ .kind = 200 }, "?");
    assert_text(&(frugal_type){ .kind = FRUGAL_KIND_MAP }, "map<?, ?>");
    assert_text(&(frugal_type){ .kind = FRUGAL_KIND_SET }, "set<?>");
    assert_text(&(frugal_type){ .kind = FRUGAL_KIND_STRUCT, .record = &strange }, "struct");
}

static void text_is_cut_to_the_room(void **state)
{
    (void)state;
    const frugal_type *type = &frugal_field_by_id(FRUGAL_TYPE(record), 9)->type;
    const char        *full = "map<string, list<color>>";
    for (size_t size = 1; size <= strlen(full) + 1; size++) {
        char text[40];
        memset(text, 'x', sizeof text);
        schema_type_text(type, text, size);
        assert_int_equal(strlen(text), size - 1);
        assert_memory_equal(text, full, size - 1);
        assert_int_equal(text[size], 'x');
    }
    schema_type_text(type, NULL, 0);
}

static void text_of_a_type_that_contains_itself_ends(void **state)
{
    (void)state;
    static char text[1 << 16];
    frugal_type self = { .kind = FRUGAL_KIND_LIST };
    self.elem        = &self;
    schema_type_text(&self, text, sizeof text);
    assert_int_equal(strncmp(text, "list<list<", 10), 0);
    self.kind = FRUGAL_KIND_MAP; /* 2^64 nodes */
    self.key  = &self;
    schema_type_text(&self, text, sizeof text);
    assert_int_equal(strlen(text), sizeof text - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_found_by_id),
        cmocka_unit_test(the_keeper_is_not_found),
        cmocka_unit_test(fields_are_found_by_name),
        cmocka_unit_test(names_need_not_end_in_nul),
        cmocka_unit_test(nothing_is_found_in_nothing),
        cmocka_unit_test(enum_values_have_their_first_name),
        cmocka_unit_test(enum_names_have_a_value),
        cmocka_unit_test(an_unknown_enum_name_leaves_the_value),
        cmocka_unit_test(the_keeper_is_found_wherever_it_stands),
        cmocka_unit_test(presence_is_a_pointer_a_byte_or_certain),
        cmocka_unit_test(a_scalar_arm_has_no_presence_of_its_own),
        cmocka_unit_test(types_are_written_as_in_thrift),
        cmocka_unit_test(types_that_are_none_are_written_all_the_same),
        cmocka_unit_test(text_is_cut_to_the_room),
        cmocka_unit_test(text_of_a_type_that_contains_itself_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
