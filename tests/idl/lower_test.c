/* idl/lower_test.c - what is lowered is what the macros of describe.h make for the C that a person
 * would write, member for member. */
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

/* ---- the same, written by hand --------------------------------------------------------------- */

enum E { E_A = 1, E_B = 4 };
FRUGAL_ENUM(E, FRUGAL_ITEM(E_A, "A"), FRUGAL_ITEM(E_B, "B"));

struct Point {
    int16_t             x;
    FRUGAL_OPT(int32_t) y;
};
FRUGAL_STRUCT(Point,
    FRUGAL_FIELD(Point, x, 1),
    FRUGAL_FIELD(Point, y, 2, optional));

struct Choice {
    int32_t which;
    union {
        bool                       flag;
        int64_t                    big;
        struct Point               at;
        FRUGAL_LIST(struct Choice) many;
        struct Choice             *again;
    };
};
FRUGAL_UNION(Choice, which,
    FRUGAL_ARM(Choice, flag, 1),
    FRUGAL_ARM(Choice, big, 2),
    FRUGAL_ARM(Choice, at, 3, struct(Point)),
    FRUGAL_ARM(Choice, many, 4, list(struct(Choice))),
    FRUGAL_ARM(Choice, again, 5, struct(Choice)));

struct All {
    bool                                              b;
    FRUGAL_OPT(bool)                                  ob;
    int8_t                                            i8;
    FRUGAL_OPT(int8_t)                                oi8;
    int16_t                                           i16;
    FRUGAL_OPT(int16_t)                               oi16;
    int32_t                                           i32;
    int64_t                                           i64;
    FRUGAL_OPT(int64_t)                               oi64;
    double                                            d;
    FRUGAL_OPT(double)                                od;
    frugal_str                                        s;
    frugal_str                                        os;
    frugal_bytes                                      raw;
    enum E                                            e;
    FRUGAL_OPT(enum E)                                oe;
    struct Point                                      p;
    struct Point                                     *op;
    struct Choice                                     u;
    FRUGAL_LIST(struct Point)                         points;
    FRUGAL_SET(int8_t)                                small;
    FRUGAL_MAP(int8_t, int64_t)                       wide;
    FRUGAL_MAP(struct Point, FRUGAL_LIST(frugal_str)) odd;
    FRUGAL_LIST(FRUGAL_MAP(bool, struct Choice))      deep;
};
FRUGAL_STRUCT(All,
    FRUGAL_FIELD(All, b, 1),
    FRUGAL_FIELD(All, ob, 2, optional),
    FRUGAL_FIELD(All, i8, 3, required),
    FRUGAL_FIELD(All, oi8, 4, optional),
    FRUGAL_FIELD(All, i16, 5),
    FRUGAL_FIELD(All, oi16, 6, optional),
    FRUGAL_FIELD(All, i32, 7),
    FRUGAL_FIELD(All, i64, 8),
    FRUGAL_FIELD(All, oi64, 9, optional),
    FRUGAL_FIELD(All, d, 10),
    FRUGAL_FIELD(All, od, 11, optional),
    FRUGAL_FIELD(All, s, 12),
    FRUGAL_FIELD(All, os, 13, optional, string),
    FRUGAL_FIELD(All, raw, 14),
    FRUGAL_FIELD(All, e, 15, enum(E)),
    FRUGAL_FIELD(All, oe, 16, optional, enum(E)),
    FRUGAL_FIELD(All, p, 17, struct(Point)),
    FRUGAL_FIELD(All, op, 18, optional, struct(Point)),
    FRUGAL_FIELD(All, u, 19, struct(Choice)),
    FRUGAL_FIELD(All, points, 20, list(struct(Point))),
    FRUGAL_FIELD(All, small, 21, optional, set(i8)),
    FRUGAL_FIELD(All, wide, 22, map(i8, i64)),
    FRUGAL_FIELD(All, odd, 23, map(struct(Point), list(string))),
    FRUGAL_FIELD(All, deep, -24, required, list(map(bool, struct(Choice)))));

static const char all_text[] =
    "enum E { A = 1, B = 4 }\n"
    "struct Point { 1: i16 x 2: optional i32 y }\n"
    "union Choice { 1: bool flag 2: i64 big 3: Point at 4: list<Choice> many 5: Choice again }\n"
    "struct All { 1: bool b 2: optional bool ob 3: required byte i8 4: optional i8 oi8 5: i16 i16\n"
    " 6: optional i16 oi16 7: i32 i32 8: i64 i64 9: optional i64 oi64 10: double d\n"
    " 11: optional double od 12: string s 13: optional string os 14: binary raw 15: E e\n"
    " 16: optional E oe 17: P2 p 18: optional Point op 19: Choice u 20: list<P2> points\n"
    " 21: optional set<i8> small 22: map<i8, i64> wide 23: map<Point, list<string>> odd\n"
    " -24: required Deep deep }\n"
    "typedef Point P2 typedef list<map<bool, Choice>> Deep";

/* Cycles: what may not lie inside what, in a table that gives each member's place. */
struct Far;
struct Tree {
    int32_t                                           value;
    struct Far                                       *far;
    FRUGAL_LIST(struct Tree)                          kids;
    FRUGAL_MAP(frugal_str, struct Tree *)             named;
    FRUGAL_LIST(FRUGAL_MAP(frugal_str, struct Far *)) rows;
    struct Tree                                      *next;
};
struct Far {
    struct Tree *tree;
    bool         x;
};
struct Out {
    struct Tree                         tree; /* on no cycle itself */
    FRUGAL_MAP(frugal_str, struct Tree) map;
    int8_t                              tail;
};
FRUGAL_DECLARE(Far);
FRUGAL_STRUCT(Tree,
    FRUGAL_FIELD(Tree, value, 1),
    FRUGAL_FIELD(Tree, far, 2, struct(Far)),
    FRUGAL_FIELD(Tree, kids, 3, list(struct(Tree))),
    FRUGAL_FIELD(Tree, named, 4, map(string, struct(Tree))),
    FRUGAL_FIELD(Tree, rows, 5, list(map(string, struct(Far)))),
    FRUGAL_FIELD(Tree, next, 6, optional, struct(Tree)));
FRUGAL_STRUCT(Far,
    FRUGAL_FIELD(Far, tree, 1, required, struct(Tree)),
    FRUGAL_FIELD(Far, x, 2));
FRUGAL_STRUCT(Out,
    FRUGAL_FIELD(Out, tree, 1, struct(Tree)),
    FRUGAL_FIELD(Out, map, 2, map(string, struct(Tree))),
    FRUGAL_FIELD(Out, tail, 3));

static const char tree_text[] =
    "struct Tree { 1: i32 value 2: Far far 3: list<Tree> kids 4: map<string, Tree> named\n"
    " 5: list<map<string, Far>> rows 6: optional Tree next }\n"
    "struct Far { 1: required Tree tree 2: bool x }\n"
    "struct Out { 1: Tree tree 2: map<string, Tree> map 3: i8 tail }";

/* ---- comparing ------------------------------------------------------------------------------ */

#define SAME(what, a, b)                                                                       \
    do {                                                                                       \
        if ((a) != (b))                                                                        \
            fail_msg("%s: %s is %lld, not %lld", where, what, (long long)(a), (long long)(b)); \
    } while (0)

static void same_type(const char *where, const frugal_type *a, const frugal_type *b)
{
    SAME("kind", a->kind, b->kind);
    SAME("indirect", a->indirect, b->indirect);
    SAME("size", a->size, b->size);
    SAME("stride", a->stride, b->stride);
    SAME("elem", a->elem != NULL, b->elem != NULL);
    SAME("key", a->key != NULL, b->key != NULL);
    if (a->kind == FRUGAL_KIND_STRUCT)
        assert_string_equal(a->record->name, b->record->name);
    if (a->kind == FRUGAL_KIND_ENUM) {
        assert_string_equal(a->names->name, b->names->name);
        SAME("items", a->names->count, b->names->count);
    }
    if (a->key)
        same_type(where, a->key, b->key);
    if (a->elem)
        same_type(where, a->elem, b->elem);
}

static void same_table(const frugal_struct *a, const frugal_struct *b)
{
    const char *where = b->name;
    assert_non_null(a);
    assert_string_equal(a->name, b->name);
    SAME("abi", a->abi, b->abi);
    SAME("field_count", a->field_count, b->field_count);
    for (uint32_t i = 0; i < a->field_count; i++) {
        char        field[128];
        const char *outer = where;
        snprintf(field, sizeof field, "%s.%s", outer, b->fields[i].name);
        where = field;
        assert_string_equal(a->fields[i].name, b->fields[i].name);
        SAME("id", a->fields[i].id, b->fields[i].id);
        SAME("need", a->fields[i].need, b->fields[i].need);
        same_type(field, &a->fields[i].type, &b->fields[i].type);
        SAME("offset", a->fields[i].offset, b->fields[i].offset);
        SAME("has", a->fields[i].has, b->fields[i].has);
        where = outer;
    }
    SAME("size", a->size, b->size);
    SAME("align", a->align, b->align);
    SAME("is_union", a->is_union, b->is_union);
    SAME("which", a->which, b->which);
}

static const frugal_field *field_of(const frugal_schema *schema, const char *type, const char *name)
{
    const frugal_struct *table = frugal_schema_struct(schema, type);
    assert_non_null(table);
    const frugal_field *field = frugal_field_by_name(table, (frugal_str){ name, strlen(name) });
    assert_non_null(field);
    return field;
}

static void checked(frugal_schema *schema)
{
    frugal_error error;
    for (size_t i = 0; frugal_schema_struct_at(schema, i); i++)
        if (frugal_struct_check(frugal_schema_struct_at(schema, i), &error) != FRUGAL_OK)
            fail_msg("%s: %s", error.path, error.message);
    for (size_t i = 0; frugal_schema_service_at(schema, i); i++)
        if (frugal_pretouch_service(frugal_schema_service_at(schema, i), NULL, &error) != FRUGAL_OK)
            fail_msg("%s: %s", error.path, error.message);
}

static frugal_schema *load(const char *text, const frugal_schema_options *options)
{
    frugal_schema *schema = loading_text(text, options);
    if (schema == NULL)
        fail_msg("%s", loading_reports);
    checked(schema);
    return schema;
}

/* ---- layout --------------------------------------------------------------------------------- */

static void every_kind_lies_where_c_puts_it(void **state)
{
    frugal_schema *schema = load(all_text, NULL);
    (void)state;
    same_table(frugal_schema_struct(schema, "Point"), FRUGAL_TYPE(Point));
    same_table(frugal_schema_struct(schema, "Choice"), FRUGAL_TYPE(Choice));
    same_table(frugal_schema_struct(schema, "All"), FRUGAL_TYPE(All));
    frugal_schema_free(schema);
}

static void what_is_on_a_cycle_is_behind_a_pointer(void **state)
{
    frugal_schema *schema = load(tree_text, NULL);
    (void)state;
    same_table(frugal_schema_struct(schema, "Tree"), FRUGAL_TYPE(Tree));
    same_table(frugal_schema_struct(schema, "Far"), FRUGAL_TYPE(Far));
    same_table(frugal_schema_struct(schema, "Out"), FRUGAL_TYPE(Out));
    frugal_schema_free(schema);
}

static void a_typedef_of_a_container_is_one_type_everywhere(void **state)
{
    frugal_schema *schema =
        load("typedef map<string, A> M struct A { 1: M m 2: optional list<M> l }\n"
             "struct B { 1: M m } typedef M N struct C { 1: list<N> l }",
             NULL);
    (void)state;
    const frugal_type *in_a = &field_of(schema, "A", "m")->type;
    assert_true(in_a->elem->indirect); /* A needs M needs A */
    assert_ptr_equal(in_a->elem, field_of(schema, "B", "m")->type.elem);
    assert_ptr_equal(in_a->elem, field_of(schema, "C", "l")->type.elem->elem);
    frugal_schema_free(schema);
}

static void more_than_4_kib_are_behind_a_pointer(void **state)
{
    char *at   = loading_repeat("struct A {\n", "%d: i64 f%d\n", 512,
                                "}\nstruct B { 1: A a 2: "
                                  "map<i8, A> m 3: list<A> l }");
    char *over = loading_repeat("struct A {\n", "%d: i64 f%d\n", 512,
                                "600: bool b }\nstruct B { 1: A a 2: map<i8, A> m 3: list<A> l }");
    (void)state;
    frugal_schema *schema = load(at, NULL);
    assert_int_equal(frugal_schema_struct(schema, "A")->size, 4096);
    assert_false(field_of(schema, "B", "a")->type.indirect);
    assert_false(field_of(schema, "B", "m")->type.elem->indirect);
    frugal_schema_free(schema);
    schema = load(over, NULL);
    assert_true(field_of(schema, "B", "a")->type.indirect);
    assert_true(field_of(schema, "B", "m")->type.elem->indirect);
    assert_false(field_of(schema, "B", "l")->type.elem->indirect);
    frugal_schema_free(schema);
    free(at);
    free(over);
}

static void structs_inside_each_other_are_as_deep_as_a_table_may_be(void **state)
{
    char *text = loading_repeat("", "struct S%d { 1: S%d a }\n", 200, "struct S200 { 1: bool b }");
    (void)state;
    frugal_schema *schema = load(text, NULL);
    assert_false(field_of(schema, "S199", "a")->type.indirect);
    assert_false(field_of(schema, "S137", "a")->type.indirect);
    assert_true(field_of(schema, "S136", "a")->type.indirect);
    frugal_schema_free(schema);
    free(text);
}

static void a_struct_without_fields_has_a_byte(void **state)
{
    frugal_schema *schema = load("struct A {} union U {} struct B { 1: A a 2: A b }", NULL);
    (void)state;
    assert_int_equal(frugal_schema_struct(schema, "A")->size, 1);
    assert_null(frugal_schema_struct(schema, "A")->fields);
    assert_int_equal(frugal_schema_struct(schema, "U")->size, 4);
    assert_int_equal(frugal_schema_struct(schema, "B")->size, 2);
    frugal_schema_free(schema);
}

/* ---- options -------------------------------------------------------------------------------- */

static void with_presence_default_fields_are_optional(void **state)
{
    const frugal_schema_options options = { .presence = true };
    frugal_schema              *schema =
        load("struct A { 1: i32 a = 5 2: required i32 b = 6 3: B c 4: string d "
             "5: required B e 6: list<B> f } struct B {} union U { 1: i32 a = 3 }\n"
             "service S { void f(1: i32 x = 7) }",
             &options);
    (void)state;
    const frugal_field *a = field_of(schema, "A", "a"), *b = field_of(schema, "A", "b");
    assert_int_equal(a->need, FRUGAL_NEED_OPTIONAL);
    assert_int_not_equal(a->has, 0);
    assert_int_equal(*(const int32_t *)a->initial, 5);
    assert_int_equal(b->need, FRUGAL_NEED_REQUIRED); /* it is never absent */
    assert_int_equal(b->has, 0);
    assert_int_equal(field_of(schema, "A", "c")->need, FRUGAL_NEED_OPTIONAL);
    assert_true(field_of(schema, "A", "c")->type.indirect);
    assert_int_equal(field_of(schema, "A", "d")->need, FRUGAL_NEED_OPTIONAL);
    assert_int_equal(field_of(schema, "A", "f")->need, FRUGAL_NEED_OPTIONAL);
    assert_null(frugal_schema_struct(schema, "U")->defaults);
    const frugal_method *f =
        frugal_service_method(frugal_schema_service(schema, "S"), FRUGAL_STR("f"));
    assert_int_equal(f->args->fields[0].need, FRUGAL_NEED_OPTIONAL);
    assert_int_equal(*(const int32_t *)f->args->fields[0].initial, 7);
    const uint8_t *record = frugal_schema_struct(schema, "A")->defaults;
    assert_non_null(record); /* for b alone */
    assert_int_equal(record[a->has], 0);
    frugal_schema_free(schema);
}

static void unknown_fields_are_kept_in_a_member_of_every_struct(void **state)
{
    const frugal_schema_options options = { .keep_unknown = true };
    frugal_schema *schema = load("struct A { 1: bool a } struct B {} union U { 1: bool u }\n"
                                 "service S { bool f(1: i32 x) }",
                                 &options);
    (void)state;
    const frugal_struct *a = frugal_schema_struct(schema, "A");
    assert_int_equal(a->field_count, 2);
    assert_int_equal(a->fields[1].need, FRUGAL_NEED_UNKNOWN);
    assert_int_equal(a->size, 24);
    assert_int_equal(frugal_schema_struct(schema, "B")->field_count, 1);
    assert_int_equal(frugal_schema_struct(schema, "U")->field_count, 1);
    const frugal_method *f =
        frugal_service_method(frugal_schema_service(schema, "S"), FRUGAL_STR("f"));
    assert_int_equal(f->args->field_count, 2);
    assert_int_equal(f->result->field_count, 2);
    frugal_schema_free(schema);
}

/* ---- values --------------------------------------------------------------------------------- */

static void expect_initial(const frugal_schema *schema, const char *name, const char *expected)
{
    const frugal_struct       *type    = frugal_schema_struct(schema, name);
    void                      *record  = calloc(1, type->size);
    const frugal_print_options options = { .one_line = true };
    frugal_buf                 text;
    frugal_buf_init(&text, NULL, 0, NULL);
    frugal_init((frugal_ref){ type, record });
    assert_int_equal(frugal_print((frugal_view){ type, record }, &options, &text, NULL), FRUGAL_OK);
    assert_int_equal(frugal_buf_append(&text, "", 1), FRUGAL_OK);
    assert_string_equal((const char *)text.data, expected);
    frugal_buf_release(&text);
    free(record);
}

static void records_start_from_their_defaults(void **state)
{
    frugal_schema *schema =
        load("enum E { A = 1, B = 4 } const i64 N = M const i32 M = 3 const list<i32> L = [1, M]\n"
             "struct P { 1: i16 x = 7 2: optional i16 y = 8 3: i16 z }\n"
             "struct S { 1: bool a = true 2: double b = 2 3: string c = 'x' 4: E d = 4 5: E e = B\n"
             " 6: i64 f = N 7: list<i32> g = L 8: list<i64> h = L 9: map<string, P> i = {'k': {}}\n"
             " 10: P j 11: P k = {'x': 1, 'y': 2} 12: set<E> l = [E.A, B] 13: i32 m = E.B\n"
             " 14: optional P o = {} 15: U p = {'b': 1} 16: U q }\n"
             "union U { 1: i32 a = 9 2: i32 b }",
             NULL);
    (void)state;
    expect_initial(schema, "P", "P { x: 7, z: 0 }");
    expect_initial(schema, "S",
                   "S { a: true, b: 2, c: \"x\", d: B, e: B, f: 3, g: [1, 3], h: [1, 3], "
                   "i: {\"k\": P { x: 7, z: 0 }}, j: P { x: 7, z: 0 }, k: P { x: 1, y: 2, z: 0 }, "
                   "l: {A, B}, m: 4, p: U { b: 1 }, q: U { a: 9 } }");
    const frugal_field *y = field_of(schema, "P", "y");
    assert_int_equal(*(const int16_t *)y->initial, 8);
    assert_null(field_of(schema, "S", "o")->initial);
    assert_non_null(strstr(loading_reports, "the default of an optional struct is not kept"));
    frugal_schema_free(schema);
}

static void the_defaults_of_structs_inside_need_no_record_of_their_own(void **state)
{
    frugal_schema *schema =
        load("struct A { 1: B b 2: i32 y } struct B { 1: i32 x = 4 } struct C { 1: i32 z }", NULL);
    (void)state;
    assert_null(frugal_schema_struct(schema, "A")->defaults);
    assert_null(frugal_schema_struct(schema, "C")->defaults);
    expect_initial(schema, "A", "A { b: B { x: 4 }, y: 0 }");
    frugal_schema_free(schema);
}

static void constants_share_what_they_name(void **state)
{
    frugal_schema *schema =
        load("const list<i32> A = [1, 2] const list<list<i32>> B = [A, A] const list<i64> C = A\n"
             "struct P { 1: list<i32> l = A 2: optional P next } const P D = {'next': E}\n"
             "const P E = {'l': []}",
             NULL);
    frugal_value a, b, c, d, e;
    (void)state;
    typedef FRUGAL_LIST(int32_t) ints;
    assert_true(frugal_schema_const(schema, "A", &a) && frugal_schema_const(schema, "B", &b)
                && frugal_schema_const(schema, "C", &c) && frugal_schema_const(schema, "D", &d)
                && frugal_schema_const(schema, "E", &e));
    const ints                 *list  = a.ptr;
    const FRUGAL_LIST(ints)    *lists = b.ptr;
    const FRUGAL_LIST(int64_t) *longs = c.ptr;
    assert_int_equal(list->len, 2);
    assert_ptr_equal(lists->ptr[0].ptr, list->ptr);
    assert_ptr_equal(lists->ptr[1].ptr, list->ptr);
    assert_int_equal(longs->ptr[1], 2);
    const struct {
        ints        l;
        const void *next;
    } *p = d.ptr;
    assert_ptr_equal(p->l.ptr, list->ptr);
    assert_ptr_equal(p->next, e.ptr);
    frugal_schema_free(schema);
}

static const void *items_of(const frugal_schema *schema, const char *name, size_t stride)
{
    frugal_value value;
    assert_true(frugal_schema_const(schema, name, &value));
    assert_int_equal(value.type->stride, stride);
    return *(const void *const *)value.ptr;
}

/* M stands before Node in C, and so has it behind a pointer; the type of A does not. */
static void constants_are_made_again_where_the_layout_differs(void **state)
{
    frugal_schema *schema = load(
        "struct P { 1: i32 x = 1 } const list<P> L = [{}] const list<P> K = L\n"
        "struct Node { 1: M m 2: i64 x = 5 } typedef map<i32, Node> M\n"
        "const map<i32, Node> A = {7: {}} const map<i32, Node> B = A const M C = A const M D = C",
        NULL);
    (void)state;
    assert_ptr_equal(items_of(schema, "K", 4), items_of(schema, "L", 4));
    assert_ptr_equal(items_of(schema, "B", 32), items_of(schema, "A", 32));
    assert_ptr_equal(items_of(schema, "D", 16), items_of(schema, "C", 16));
    const struct {
        int32_t key;
        struct {
            FRUGAL_LIST(char) m;
            int64_t           x;
        } value;
    } *a = items_of(schema, "A", 32);
    const struct {
        int32_t key;
        const struct {
            FRUGAL_LIST(char) m;
            int64_t           x;
        } * value;
    } *c = items_of(schema, "C", 16);
    assert_int_equal(a->key, 7);
    assert_int_equal(c->key, 7);
    assert_int_equal(a->value.x, 5);
    assert_int_equal(c->value->x, 5);
    frugal_schema_free(schema);
}

static void defaults_that_need_themselves_are_refused(void **state)
{
    (void)state;
    loading_expect("struct A { 1: list<A> a = [{}] }",
                   "1:27: the default of a contains itself without end\n");
    loading_expect("struct A { 1: B b }\nstruct B { 1: list<A> a = [{}] }",
                   "2:27: the default of a contains itself without end\n");
    loading_expect("struct A { 1: A a = C }\nconst A C = {}",
                   "2:13: the default of C contains itself without end\n");
    LOADS("struct A { 1: B b } struct B { 1: map<i32, A> a = {1: {}} }"); /* b is a pointer */
    LOADS("struct A { 1: A a } const A C = {'a': {'a': {}}}");
    LOADS("struct A { 1: optional A a } struct B { 1: A a = {'a': {}} }");
}

static void long_rows_of_constants_and_defaults_are_followed(void **state)
{
    char *constants =
        loading_repeat("struct L { 1: optional L next 2: i32 v }\n const L C0 = {}\n", "", 0, "");
    char *row = loading_repeat(constants, "const L X%d_%d = {'next': C0, 'v': %d}\n", 10, "");
    char *deep =
        loading_repeat("", "struct S%d { 1: list<S%d> a = [{}] }\n", 20000, "struct S20000 {}");
    char *same = loading_repeat("", "const i32 A%d = A%d\n", 20000, "const i32 A20000 = 7");
    (void)state;
    LOADS(row);
    LOADS(deep);
    frugal_schema *schema = load(same, NULL);
    frugal_value   value;
    assert_true(frugal_schema_const(schema, "A0", &value));
    assert_int_equal(*(const int32_t *)value.ptr, 7);
    frugal_schema_free(schema);
    free(constants);
    free(row);
    free(deep);
    free(same);
}

/* Each line of these texts is short, and what it says is huge. */
static void values_are_bounded_by_the_text(void **state)
{
    char *wide  = loading_repeat("struct A {\n", "%d: i64 f%d\n", 500, "}\nstruct B {\n");
    char *wider = loading_repeat(wide, "%d: A f%d\n", 30000, "}\nconst list<B> C = [");
    char *text  = loading_repeat(wider, "{},", 1000, "]");
    (void)state;
    assert_null(loading_text(text, NULL));
    assert_non_null(strstr(loading_reports, "constants and defaults take more than"));
    free(wide);
    free(wider);
    free(text);
}

static void doubling_constants_are_not_copied(void **state)
{
    char text[1 << 14] = "typedef list<i32> T0\nconst T0 A0 = [1, 1]\n";
    for (int i = 1; i < 60; i++) {
        size_t len = strlen(text);
        snprintf(text + len, sizeof text - len,
                 "typedef list<T%d> T%d\nconst T%d A%d = [A%d, A%d]\n", i - 1, i, i, i, i - 1,
                 i - 1);
    }
    (void)state;
    LOADS(text);
    strcat(text, "typedef list<i64> U0\n");
    for (int i = 1; i < 60; i++) {
        size_t len = strlen(text);
        snprintf(text + len, sizeof text - len, "typedef list<U%d> U%d\n", i - 1, i);
    }
    strcat(text, "const U59 B = A59\n"); /* another type: 2^60 values to make again */
    assert_null(loading_text(text, NULL));
    assert_non_null(strstr(loading_reports, "constants that name each other have more than"));
}

/* ---- services ------------------------------------------------------------------------------- */

static void methods_have_a_struct_for_arguments_and_one_for_the_result(void **state)
{
    frugal_schema *schema =
        load("exception X { 1: string s } struct P { 1: i32 x = 3 }\n"
             "service B { P g(3: i32 b, 1: P a) throws (1: X x) oneway void h() }\n"
             "service S extends B { void f(1: i32 x = 5) }",
             NULL);
    (void)state;
    const frugal_service *service = frugal_schema_service(schema, "S");
    const frugal_method  *g       = frugal_service_method(service, FRUGAL_STR("g"));
    const frugal_method  *h       = frugal_service_method(service, FRUGAL_STR("h"));
    const frugal_method  *f       = frugal_service_method(service, FRUGAL_STR("f"));
    assert_int_equal(service->method_count, 1);
    assert_ptr_equal(service->base, frugal_schema_service(schema, "B"));
    assert_string_equal(g->args->name, "B.g_args");
    assert_string_equal(g->result->name, "B.g_result");
    assert_int_equal(g->args->fields[0].id, 3);
    assert_int_equal(g->args->fields[1].need, FRUGAL_NEED_DEFAULT);
    assert_int_equal(g->result->field_count, 2);
    assert_string_equal(g->result->fields[0].name, "success");
    assert_int_equal(g->result->fields[0].id, 0);
    assert_true(g->result->fields[0].type.indirect);
    assert_int_equal(g->result->fields[1].need, FRUGAL_NEED_OPTIONAL);
    assert_null(h->result);
    assert_int_equal(h->args->field_count, 0);
    assert_int_equal(f->result->field_count, 0);
    assert_int_equal(*(const int32_t *)f->args->defaults, 5);
    frugal_schema_free(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_lies_where_c_puts_it),
        cmocka_unit_test(what_is_on_a_cycle_is_behind_a_pointer),
        cmocka_unit_test(a_typedef_of_a_container_is_one_type_everywhere),
        cmocka_unit_test(more_than_4_kib_are_behind_a_pointer),
        cmocka_unit_test(structs_inside_each_other_are_as_deep_as_a_table_may_be),
        cmocka_unit_test(a_struct_without_fields_has_a_byte),
        cmocka_unit_test(with_presence_default_fields_are_optional),
        cmocka_unit_test(unknown_fields_are_kept_in_a_member_of_every_struct),
        cmocka_unit_test(records_start_from_their_defaults),
        cmocka_unit_test(the_defaults_of_structs_inside_need_no_record_of_their_own),
        cmocka_unit_test(constants_share_what_they_name),
        cmocka_unit_test(constants_are_made_again_where_the_layout_differs),
        cmocka_unit_test(defaults_that_need_themselves_are_refused),
        cmocka_unit_test(long_rows_of_constants_and_defaults_are_followed),
        cmocka_unit_test(values_are_bounded_by_the_text),
        cmocka_unit_test(doubling_constants_are_not_copied),
        cmocka_unit_test(methods_have_a_struct_for_arguments_and_one_for_the_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
