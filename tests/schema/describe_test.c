/* tests/schema/describe_test.c - what the macros of describe_macros.h write into tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <frugal/frugal.h>

#include "schema/schema.h"

enum color { RED = 1, GREEN = 2, BLUE = 5 };
FRUGAL_ENUM(color, FRUGAL_ITEM(RED), FRUGAL_ITEM(GREEN), FRUGAL_ITEM(BLUE, "AZURE"));
enum sign { NEG = -1, POS = 1 };
FRUGAL_ENUM_LOCAL(sign, FRUGAL_ITEM(NEG), FRUGAL_ITEM(POS));
typedef enum color color_alias;

struct coord {
    int32_t x, y;
};
FRUGAL_STRUCT(coord, FRUGAL_FIELD(coord, x, 1), FRUGAL_FIELD(coord, y, 2, required));

/* Every C type that tells its type. */
struct plain {
    bool         b;
    int8_t       i8;
    int16_t      i16;
    int32_t      i32;
    int64_t      i64;
    double       d;
    frugal_str   s;
    frugal_bytes y;
    long         l;
    long long    ll;
};
FRUGAL_STRUCT(plain,
    FRUGAL_FIELD(plain, b, 1),
    FRUGAL_FIELD(plain, i8, 2, required),
    FRUGAL_FIELD(plain, i16, 3, default),
    FRUGAL_FIELD(plain, i32, 4),
    FRUGAL_FIELD(plain, i64, 5),
    FRUGAL_FIELD(plain, d, 6),
    FRUGAL_FIELD(plain, s, 7),
    FRUGAL_FIELD(plain, y, 8),
    FRUGAL_FIELD(plain, l, 9),
    FRUGAL_FIELD(plain, ll, 10));

/* The same, spelled. */
struct spelled {
    bool         b;
    int8_t       i8, byte;
    int16_t      i16;
    int32_t      i32;
    int64_t      i64;
    double       d;
    frugal_str   s;
    frugal_bytes y;
    enum color   e;
    color_alias  alias;
    enum sign    sign;
    int32_t      number;
};
FRUGAL_STRUCT(spelled,
    FRUGAL_FIELD(spelled, b, 1, bool),
    FRUGAL_FIELD(spelled, i8, 2, i8),
    FRUGAL_FIELD(spelled, byte, 3, byte),
    FRUGAL_FIELD(spelled, i16, 4, i16),
    FRUGAL_FIELD(spelled, i32, 5, i32),
    FRUGAL_FIELD(spelled, i64, 6, i64),
    FRUGAL_FIELD(spelled, d, 7, double),
    FRUGAL_FIELD(spelled, s, 8, string),
    FRUGAL_FIELD(spelled, y, 9, binary),
    FRUGAL_FIELD(spelled, e, 10, enum(color)),
    FRUGAL_FIELD(spelled, alias, 11, required, enum(color)),
    FRUGAL_FIELD(spelled, sign, 12, enum(sign)),
    FRUGAL_FIELD(spelled, number, 13, enum(color)));

struct absent {
    FRUGAL_OPT(bool)           b;
    FRUGAL_OPT(int8_t)         i8;
    FRUGAL_OPT(int16_t)        i16;
    FRUGAL_OPT(int32_t)        i32;
    FRUGAL_OPT(int64_t)        i64;
    FRUGAL_OPT(double)         d;
    FRUGAL_OPT(enum color)     e;
    FRUGAL_OPT(bool)           spelled;
    frugal_str                 s;
    frugal_bytes               y;
    struct coord              *far;
    FRUGAL_LIST(int64_t)       list;
    FRUGAL_SET(frugal_str)     set;
    FRUGAL_MAP(int8_t, double) map;
};
FRUGAL_STRUCT(absent,
    FRUGAL_FIELD(absent, b, 1, optional),
    FRUGAL_FIELD(absent, i8, 2, optional),
    FRUGAL_FIELD(absent, i16, 3, optional),
    FRUGAL_FIELD(absent, i32, 4, optional),
    FRUGAL_FIELD(absent, i64, 5, optional),
    FRUGAL_FIELD(absent, d, 6, optional),
    FRUGAL_FIELD(absent, e, 7, optional, enum(color)),
    FRUGAL_FIELD(absent, spelled, 8, optional, bool),
    FRUGAL_FIELD(absent, s, 9, optional, string),
    FRUGAL_FIELD(absent, y, 10, optional, binary),
    FRUGAL_FIELD(absent, far, 11, optional, struct(coord)),
    FRUGAL_FIELD(absent, list, 12, optional, list(i64)),
    FRUGAL_FIELD(absent, set, 13, optional, set(string)),
    FRUGAL_FIELD(absent, map, 14, optional, map(i8, double)));

/* Recursion through list, map, pointer; two structs that hold each other. */
struct forest {
    frugal_str                              name;
    FRUGAL_LIST(struct forest)              children;
    FRUGAL_MAP(frugal_str, struct forest *) named;
    struct forest                          *next;
};
FRUGAL_STRUCT(forest,
    FRUGAL_FIELD(forest, name, 1),
    FRUGAL_FIELD(forest, children, 2, list(struct(forest))),
    FRUGAL_FIELD(forest, named, 3, map(string, struct(forest))),
    FRUGAL_FIELD(forest, next, 4, optional, struct(forest)));

FRUGAL_DECLARE(binop);
struct binop;
struct expr {
    int32_t which;
    union {
        int64_t           literal;
        frugal_str        variable;
        struct binop     *op;
        struct coord      at;
        FRUGAL_LIST(bool) bits;
    };
    frugal_bytes rest;
};
struct binop {
    frugal_str  oper;
    struct expr lhs, *rhs;
};
FRUGAL_UNION(expr, which,
    FRUGAL_ARM(expr, literal, 1),
    FRUGAL_ARM(expr, variable, 2, string, "var"),
    FRUGAL_ARM(expr, op, 3, struct(binop)),
    FRUGAL_ARM(expr, at, -4, struct(coord)),
    FRUGAL_ARM(expr, bits, 5, list(bool)),
    FRUGAL_UNKNOWN(expr, rest));
FRUGAL_STRUCT(binop,
    FRUGAL_FIELD(binop, oper, 1),
    FRUGAL_FIELD(binop, lhs, 2, struct(expr)),
    FRUGAL_FIELD(binop, rhs, 3, required, struct(expr)));

/* Containers, five deep at most. */
struct deep {
    FRUGAL_LIST(FRUGAL_LIST(FRUGAL_LIST(FRUGAL_LIST(FRUGAL_LIST(double)))))              lists;
    FRUGAL_MAP(int8_t,
               FRUGAL_MAP(int16_t,
                          FRUGAL_MAP(int32_t, FRUGAL_MAP(int64_t, FRUGAL_SET(int8_t))))) maps;
    FRUGAL_MAP(FRUGAL_MAP(struct coord, bool), FRUGAL_LIST(struct coord *))              keys;
    FRUGAL_SET(enum color)                                                               palette;
    struct {
        struct pair {
            int8_t  key;
            int32_t value;
        } * ptr;
        size_t len;
    } named_pairs;
};
FRUGAL_STRUCT(deep,
    FRUGAL_FIELD(deep, lists, INT16_MAX, list(list(list(list(list(double)))))),
    FRUGAL_FIELD(deep, maps, INT16_MIN, map(i8, map(i16, map(i32, map(i64, set(i8)))))),
    FRUGAL_FIELD(deep, keys, 0, map(map(struct(coord), bool), list(struct(coord)))),
    FRUGAL_FIELD(deep, palette, 1, required, set(enum(color))),
    FRUGAL_FIELD(deep, named_pairs, 2, map(i8, i32)));

/* Members named as the words of the macros. */
struct words {
    int64_t required, optional, i32, list, map, string, value, ptr, len, T, m, id, need, why;
};
#define macro_member strange
struct macros {
    int32_t macro_member;
};
FRUGAL_STRUCT(words,
    FRUGAL_FIELD(words, required, 1, required),
    FRUGAL_FIELD(words, optional, 2, default, i64),
    FRUGAL_FIELD(words, i32, 3, i64),
    FRUGAL_FIELD(words, list, 4),
    FRUGAL_FIELD(words, map, 5),
    FRUGAL_FIELD(words, string, 6),
    FRUGAL_FIELD(words, value, 7),
    FRUGAL_FIELD(words, ptr, 8),
    FRUGAL_FIELD(words, len, 9),
    FRUGAL_FIELD(words, T, 10),
    FRUGAL_FIELD(words, m, 11),
    FRUGAL_FIELD(words, id, 12),
    FRUGAL_FIELD(words, need, 13),
    FRUGAL_FIELD(words, why, 1 + 13, default, i64, "default"));
FRUGAL_STRUCT(macros, FRUGAL_FIELD(macros, macro_member, 1));

typedef FRUGAL_LIST(int64_t) longs;
struct extras {
    FRUGAL_OPT(int32_t)    age;
    FRUGAL_OPT(enum color) color;
    frugal_str             view, both;
    frugal_bytes           key;
    longs                  friends;
};
static const int32_t    thirty  = 30;
static const enum color green   = GREEN;
static const frugal_str nobody  = { "nobody", 6 };
static int64_t          two[2]  = { 1, 2 };
static const longs      friends = FRUGAL_ARRAY(two);
FRUGAL_STRUCT(extras,
    FRUGAL_FIELD_WITH(extras, age, 1, optional, i32, .initial = &thirty),
    FRUGAL_FIELD_WITH(extras, color, 2, optional, enum(color), .initial = &green),
    FRUGAL_FIELD_WITH(extras, view, 3, default, string, .no_copy = true),
    FRUGAL_FIELD_WITH(extras, both, 4, optional, string, .initial = &nobody, .no_copy = true),
    FRUGAL_FIELD_WITH(extras, key, 5, required, binary, .no_copy = true),
    FRUGAL_FIELD_WITH(extras, friends, 6, optional, list(i64), .initial = &friends));

static const struct coord here  = { 3, 4 };
static const struct expr  seven = { .which = 1, { .literal = 7 } };
struct with {
    int32_t a;
};
struct arms {
    int32_t which;
    union {
        int32_t a;
    };
};
struct quiet {
    int32_t a;
};
struct quiet_with {
    struct coord at;
};
struct quiet_arms {
    int32_t which;
    union {
        int32_t a;
    };
};
struct empty {
    char unused;
};
struct quiet_empty {
    char unused;
};
static const struct with first = { 1 };
static const struct arms arm   = { 1, { 5 } };
static struct quiet_with start = { { 1, 2 } };
FRUGAL_STRUCT_WITH(with, &first, FRUGAL_FIELD(with, a, 1));
FRUGAL_UNION_WITH(arms, &arm, which, FRUGAL_ARM(arms, a, 1));
FRUGAL_STRUCT_LOCAL(quiet, FRUGAL_FIELD(quiet, a, 1));
FRUGAL_STRUCT_LOCAL_WITH(quiet_with, &start, FRUGAL_FIELD(quiet_with, at, 1, struct(coord)));
FRUGAL_UNION_LOCAL(quiet_arms, which, FRUGAL_ARM(quiet_arms, a, 1));
FRUGAL_STRUCT_EMPTY(empty);
FRUGAL_STRUCT_EMPTY_LOCAL(quiet_empty);

struct keeper {
    int32_t      a;
    frugal_bytes rest;
};
FRUGAL_STRUCT(keeper, FRUGAL_FIELD(keeper, a, 1), FRUGAL_UNKNOWN(keeper, rest));
struct only_keeper {
    frugal_bytes rest;
};
FRUGAL_STRUCT(only_keeper, FRUGAL_UNKNOWN(only_keeper, rest));

/* ---- facts ---------------------------------------------------------------------------------- */

#define FIELD(T, id) (frugal_field_by_id(&frugal_struct_##T, (id)))

static void assert_type(const frugal_type *type, frugal_kind kind, size_t size)
{
    assert_int_equal(type->kind, kind);
    assert_int_equal(type->size, size);
}

#define assert_place(T, id, member, expected)                                     \
    (assert_type(&FIELD(T, id)->type, (expected), sizeof((struct T *)0)->member), \
     assert_int_equal(FIELD(T, id)->offset, offsetof(struct T, member)),          \
     assert_string_equal(FIELD(T, id)->name, #member), assert_int_equal(FIELD(T, id)->has, 0))

static void plain_types_are_inferred(void **state)
{
    (void)state;
    assert_place(plain, 1, b, FRUGAL_KIND_BOOL);
    assert_place(plain, 2, i8, FRUGAL_KIND_I8);
    assert_place(plain, 3, i16, FRUGAL_KIND_I16);
    assert_place(plain, 4, i32, FRUGAL_KIND_I32);
    assert_place(plain, 5, i64, FRUGAL_KIND_I64);
    assert_place(plain, 6, d, FRUGAL_KIND_DOUBLE);
    assert_place(plain, 7, s, FRUGAL_KIND_STRING);
    assert_place(plain, 8, y, FRUGAL_KIND_BINARY);
    assert_place(plain, 9, l, sizeof(long) == 8 ? FRUGAL_KIND_I64 : FRUGAL_KIND_I32);
    assert_place(plain, 10, ll, FRUGAL_KIND_I64);
}

static void needs_are_as_written_and_default_otherwise(void **state)
{
    (void)state;
    assert_int_equal(FIELD(plain, 1)->need, FRUGAL_NEED_DEFAULT);
    assert_int_equal(FIELD(plain, 2)->need, FRUGAL_NEED_REQUIRED);
    assert_int_equal(FIELD(plain, 3)->need, FRUGAL_NEED_DEFAULT);
    assert_int_equal(FIELD(spelled, 10)->need, FRUGAL_NEED_DEFAULT);
    assert_int_equal(FIELD(spelled, 11)->need, FRUGAL_NEED_REQUIRED);
    assert_int_equal(FIELD(absent, 4)->need, FRUGAL_NEED_OPTIONAL);
}

static void spelled_types_are_as_spelled(void **state)
{
    (void)state;
    assert_place(spelled, 1, b, FRUGAL_KIND_BOOL);
    assert_place(spelled, 2, i8, FRUGAL_KIND_I8);
    assert_place(spelled, 3, byte, FRUGAL_KIND_I8);
    assert_place(spelled, 4, i16, FRUGAL_KIND_I16);
    assert_place(spelled, 5, i32, FRUGAL_KIND_I32);
    assert_place(spelled, 6, i64, FRUGAL_KIND_I64);
    assert_place(spelled, 7, d, FRUGAL_KIND_DOUBLE);
    assert_place(spelled, 8, s, FRUGAL_KIND_STRING);
    assert_place(spelled, 9, y, FRUGAL_KIND_BINARY);
}

static void enums_refer_to_their_names(void **state)
{
    (void)state;
    assert_place(spelled, 10, e, FRUGAL_KIND_ENUM);
    assert_place(spelled, 11, alias, FRUGAL_KIND_ENUM);
    assert_place(spelled, 12, sign, FRUGAL_KIND_ENUM);
    assert_place(spelled, 13, number, FRUGAL_KIND_ENUM);
    assert_ptr_equal(FIELD(spelled, 10)->type.names, &frugal_enum_color);
    assert_ptr_equal(FIELD(spelled, 11)->type.names, &frugal_enum_color);
    assert_ptr_equal(FIELD(spelled, 12)->type.names, &frugal_enum_sign);
    assert_ptr_equal(FIELD(spelled, 13)->type.names, &frugal_enum_color);
}

static void enum_items_have_names_and_values(void **state)
{
    (void)state;
    assert_string_equal(frugal_enum_color.name, "color");
    assert_int_equal(frugal_enum_color.count, 3);
    assert_string_equal(frugal_enum_color.items[0].name, "RED");
    assert_int_equal(frugal_enum_color.items[0].value, 1);
    assert_string_equal(frugal_enum_color.items[2].name, "AZURE");
    assert_int_equal(frugal_enum_color.items[2].value, 5);
    assert_int_equal(frugal_enum_sign.items[0].value, -1);
}

#define assert_optional(id_, member, expected)                                                     \
    (assert_type(&FIELD(absent, id_)->type, (expected), sizeof((struct absent *)0)->member.value), \
     assert_int_equal(FIELD(absent, id_)->offset, offsetof(struct absent, member)),                \
     assert_int_equal(FIELD(absent, id_)->has, offsetof(struct absent, member.has)))

static void optional_scalars_have_a_has(void **state)
{
    (void)state;
    assert_optional(1, b, FRUGAL_KIND_BOOL);
    assert_optional(2, i8, FRUGAL_KIND_I8);
    assert_optional(3, i16, FRUGAL_KIND_I16);
    assert_optional(4, i32, FRUGAL_KIND_I32);
    assert_optional(5, i64, FRUGAL_KIND_I64);
    assert_optional(6, d, FRUGAL_KIND_DOUBLE);
    assert_optional(7, e, FRUGAL_KIND_ENUM);
    assert_optional(8, spelled, FRUGAL_KIND_BOOL);
}

static void optional_pointers_have_no_has(void **state)
{
    (void)state;
    assert_place(absent, 9, s, FRUGAL_KIND_STRING);
    assert_place(absent, 10, y, FRUGAL_KIND_BINARY);
    assert_place(absent, 11, far, FRUGAL_KIND_STRUCT);
    assert_place(absent, 12, list, FRUGAL_KIND_LIST);
    assert_place(absent, 13, set, FRUGAL_KIND_SET);
    assert_place(absent, 14, map, FRUGAL_KIND_MAP);
    for (int id = 9; id <= 14; id++)
        assert_int_equal(FIELD(absent, id)->need, FRUGAL_NEED_OPTIONAL);
}

static void structs_know_whether_they_are_behind_a_pointer(void **state)
{
    (void)state;
    assert_place(binop, 2, lhs, FRUGAL_KIND_STRUCT);
    assert_place(binop, 3, rhs, FRUGAL_KIND_STRUCT);
    assert_false(FIELD(binop, 2)->type.indirect);
    assert_true(FIELD(binop, 3)->type.indirect);
    assert_true(FIELD(absent, 11)->type.indirect);
    assert_ptr_equal(FIELD(binop, 2)->type.record, &frugal_struct_expr);
    assert_ptr_equal(FIELD(absent, 11)->type.record, &frugal_struct_coord);
}

static void recursion_goes_through_lists_maps_and_pointers(void **state)
{
    (void)state;
    const frugal_type *children = &FIELD(forest, 2)->type, *named = &FIELD(forest, 3)->type;
    assert_ptr_equal(children->elem->record, &frugal_struct_forest);
    assert_false(children->elem->indirect);
    assert_int_equal(children->stride, sizeof(struct forest));
    assert_int_equal(children->elem->size, sizeof(struct forest));
    assert_true(named->elem->indirect);
    assert_int_equal(named->elem->size, sizeof(void *));
    assert_int_equal(named->stride, sizeof(frugal_str) + sizeof(void *));
    assert_int_equal(named->key->kind, FRUGAL_KIND_STRING);
    assert_ptr_equal(FIELD(forest, 4)->type.record, &frugal_struct_forest);
}

static void unions_have_arms_at_one_place(void **state)
{
    (void)state;
    assert_true(frugal_struct_expr.is_union);
    assert_int_equal(frugal_struct_expr.which, offsetof(struct expr, which));
    assert_null(frugal_struct_expr.defaults);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(frugal_struct_expr.fields[i].offset, offsetof(struct expr, literal));
        assert_int_equal(frugal_struct_expr.fields[i].need, FRUGAL_NEED_OPTIONAL);
        assert_int_equal(frugal_struct_expr.fields[i].has, 0);
    }
    assert_type(&FIELD(expr, 1)->type, FRUGAL_KIND_I64, 8);
    assert_string_equal(FIELD(expr, 2)->name, "var");
    assert_true(FIELD(expr, 3)->type.indirect);
    assert_false(FIELD(expr, -4)->type.indirect);
    assert_int_equal(FIELD(expr, 5)->type.elem->kind, FRUGAL_KIND_BOOL);
    assert_false(frugal_struct_binop.is_union);
}

static void lists_nest_five_deep(void **state)
{
    (void)state;
    const frugal_type *type = &FIELD(deep, INT16_MAX)->type;
    for (int level = 1; level <= 5; level++, type = type->elem) {
        assert_type(type, FRUGAL_KIND_LIST, sizeof(longs));
        assert_int_equal(type->stride, level < 5 ? sizeof(longs) : sizeof(double));
        assert_null(type->key);
    }
    assert_type(type, FRUGAL_KIND_DOUBLE, sizeof(double));
}

static void maps_nest_five_deep_with_padded_pairs(void **state)
{
    (void)state;
    static const uint8_t keys[] = { FRUGAL_KIND_I8, FRUGAL_KIND_I16, FRUGAL_KIND_I32,
                                    FRUGAL_KIND_I64 };
    const frugal_type   *type   = &FIELD(deep, INT16_MIN)->type;
    for (int level = 0; level < 4; level++, type = type->elem) {
        assert_type(type, FRUGAL_KIND_MAP, sizeof(longs));
        assert_int_equal(type->key->kind, keys[level]);
        assert_int_equal(type->stride, sizeof(void *) + sizeof(longs));
    }
    assert_int_equal(type->kind, FRUGAL_KIND_SET);
    assert_int_equal(type->stride, 1);
}

static void any_type_is_a_key(void **state)
{
    (void)state;
    const frugal_type *type = &FIELD(deep, 0)->type;
    assert_int_equal(type->key->kind, FRUGAL_KIND_MAP);
    assert_ptr_equal(type->key->key->record, &frugal_struct_coord);
    assert_int_equal(type->key->stride, 12);
    assert_int_equal(type->stride, 2 * sizeof(longs));
    assert_true(type->elem->elem->indirect);
    assert_int_equal(type->elem->stride, sizeof(void *));
}

static void pairs_may_be_a_struct_with_a_name(void **state)
{
    (void)state;
    assert_place(deep, 2, named_pairs, FRUGAL_KIND_MAP);
    assert_int_equal(FIELD(deep, 2)->type.stride, sizeof(struct pair));
    assert_ptr_equal(FIELD(deep, 1)->type.elem->names, &frugal_enum_color);
}

static void members_may_be_called_as_the_words(void **state)
{
    (void)state;
    assert_place(words, 1, required, FRUGAL_KIND_I64);
    assert_place(words, 2, optional, FRUGAL_KIND_I64);
    assert_place(words, 3, i32, FRUGAL_KIND_I64);
    assert_place(words, 4, list, FRUGAL_KIND_I64);
    assert_place(words, 7, value, FRUGAL_KIND_I64);
    assert_place(words, 10, T, FRUGAL_KIND_I64);
    assert_place(words, 12, id, FRUGAL_KIND_I64);
}

static void a_field_may_have_another_name(void **state)
{
    (void)state;
    assert_string_equal(FIELD(words, 14)->name, "default");
    assert_int_equal(FIELD(words, 14)->offset, offsetof(struct words, why));
}

static void a_member_that_is_a_macro_keeps_its_written_name(void **state)
{
    (void)state;
    assert_string_equal(FIELD(macros, 1)->name, "macro_member");
    assert_int_equal(FIELD(macros, 1)->offset, offsetof(struct macros, strange));
}

static void no_copy_and_initial_are_set_where_written(void **state)
{
    (void)state;
    assert_ptr_equal(FIELD(extras, 1)->initial, &thirty);
    assert_ptr_equal(FIELD(extras, 2)->initial, &green);
    assert_null(FIELD(extras, 3)->initial);
    assert_ptr_equal(FIELD(extras, 4)->initial, &nobody);
    assert_ptr_equal(FIELD(extras, 6)->initial, &friends);
    for (int id = 1; id <= 6; id++)
        assert_int_equal(FIELD(extras, id)->no_copy, id >= 3 && id <= 5);
    assert_int_equal(FIELD(extras, 1)->has, offsetof(struct extras, age.has));
    assert_int_equal(FIELD(extras, 5)->need, FRUGAL_NEED_REQUIRED);
    assert_null(FIELD(plain, 1)->initial);
    assert_false(FIELD(plain, 7)->no_copy);
}

static void tables_know_their_struct(void **state)
{
    (void)state;
    assert_int_equal(frugal_struct_plain.abi, FRUGAL_TABLE_ABI);
    assert_string_equal(frugal_struct_plain.name, "plain");
    assert_int_equal(frugal_struct_plain.field_count, 10);
    assert_int_equal(frugal_struct_plain.size, sizeof(struct plain));
    assert_int_equal(frugal_struct_plain.align, _Alignof(struct plain));
    assert_null(frugal_struct_plain.defaults);
    assert_null(frugal_struct_plain.slot->plans);
    assert_ptr_equal(FRUGAL_TYPE(plain), &frugal_struct_plain);
}

static void defaults_are_the_users_record(void **state)
{
    (void)state;
    assert_ptr_equal(frugal_struct_with.defaults, &first);
    assert_int_equal(frugal_struct_with.field_count, 1);
    assert_ptr_equal(frugal_struct_arms.defaults, &arm);
    assert_true(frugal_struct_arms.is_union);
    assert_ptr_equal(frugal_struct_quiet_with.defaults, &start);
}

static void local_tables_are_as_others(void **state)
{
    (void)state;
    assert_string_equal(frugal_struct_quiet.name, "quiet");
    assert_int_equal(frugal_struct_quiet.field_count, 1);
    assert_true(frugal_struct_quiet_arms.is_union);
    assert_int_equal(frugal_struct_quiet_empty.field_count, 0);
}

static void empty_tables_have_no_fields(void **state)
{
    (void)state;
    assert_int_equal(frugal_struct_empty.field_count, 0);
    assert_null(frugal_struct_empty.fields);
    assert_int_equal(frugal_struct_empty.size, 1);
    assert_non_null(frugal_struct_empty.slot);
}

static void keepers_are_no_fields(void **state)
{
    (void)state;
    const frugal_field *keeper = schema_keeper(&frugal_struct_keeper);
    assert_int_equal(keeper->need, FRUGAL_NEED_UNKNOWN);
    assert_int_equal(keeper->offset, offsetof(struct keeper, rest));
    assert_type(&keeper->type, FRUGAL_KIND_BINARY, sizeof(frugal_bytes));
    assert_string_equal(keeper->name, "rest");
    assert_int_equal(frugal_struct_only_keeper.field_count, 1);
    assert_int_equal(schema_keeper(&frugal_struct_expr)->offset, offsetof(struct expr, rest));
}

static void references_know_their_table(void **state)
{
    (void)state;
    struct coord coord = here;
    frugal_ref   ref   = FRUGAL_REF(coord, &coord);
    assert_ptr_equal(ref.type, &frugal_struct_coord);
    assert_ptr_equal(ref.ptr, &coord);
    frugal_view view = FRUGAL_VIEW(expr, &seven), other = FRUGAL_VIEW(coord, &coord);
    assert_ptr_equal(view.type, &frugal_struct_expr);
    assert_ptr_equal(view.ptr, &seven);
    assert_ptr_equal(other.ptr, &coord);
}

static void what_macros_make_passes_the_check(void **state)
{
    (void)state;
    const frugal_struct *const tables[] = {
        FRUGAL_TYPE(plain),      FRUGAL_TYPE(spelled),     FRUGAL_TYPE(absent),
        FRUGAL_TYPE(forest),     FRUGAL_TYPE(binop),       FRUGAL_TYPE(deep),
        FRUGAL_TYPE(words),      FRUGAL_TYPE(macros),      FRUGAL_TYPE(with),
        FRUGAL_TYPE(extras),     FRUGAL_TYPE(arms),        FRUGAL_TYPE(quiet),
        FRUGAL_TYPE(empty),      FRUGAL_TYPE(keeper),      FRUGAL_TYPE(quiet_with),
        FRUGAL_TYPE(quiet_arms), FRUGAL_TYPE(only_keeper), FRUGAL_TYPE(quiet_empty),
    };
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        frugal_error error;
        if (frugal_struct_check(tables[i], &error) != FRUGAL_OK)
            fail_msg("%s: %s", error.path, error.message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_types_are_inferred),
        cmocka_unit_test(needs_are_as_written_and_default_otherwise),
        cmocka_unit_test(spelled_types_are_as_spelled),
        cmocka_unit_test(enums_refer_to_their_names),
        cmocka_unit_test(enum_items_have_names_and_values),
        cmocka_unit_test(optional_scalars_have_a_has),
        cmocka_unit_test(optional_pointers_have_no_has),
        cmocka_unit_test(structs_know_whether_they_are_behind_a_pointer),
        cmocka_unit_test(recursion_goes_through_lists_maps_and_pointers),
        cmocka_unit_test(unions_have_arms_at_one_place),
        cmocka_unit_test(lists_nest_five_deep),
        cmocka_unit_test(maps_nest_five_deep_with_padded_pairs),
        cmocka_unit_test(any_type_is_a_key),
        cmocka_unit_test(pairs_may_be_a_struct_with_a_name),
        cmocka_unit_test(members_may_be_called_as_the_words),
        cmocka_unit_test(a_field_may_have_another_name),
        cmocka_unit_test(a_member_that_is_a_macro_keeps_its_written_name),
        cmocka_unit_test(no_copy_and_initial_are_set_where_written),
        cmocka_unit_test(tables_know_their_struct),
        cmocka_unit_test(defaults_are_the_users_record),
        cmocka_unit_test(local_tables_are_as_others),
        cmocka_unit_test(empty_tables_have_no_fields),
        cmocka_unit_test(keepers_are_no_fields),
        cmocka_unit_test(references_know_their_table),
        cmocka_unit_test(what_macros_make_passes_the_check),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
