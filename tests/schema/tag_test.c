#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <frugal/codec.h>
#include <frugal/schema.h>

#include "schema/schema.h"

/* What the compiler makes of the same fields. */
enum color { RED = 1, GREEN = 2 };
FRUGAL_ENUM(color, FRUGAL_ITEM(RED), FRUGAL_ITEM(GREEN));

struct point {
    int32_t x;
    int8_t  y;
};
FRUGAL_STRUCT(point, FRUGAL_FIELD(point, x, 1), FRUGAL_FIELD(point, y, 2));

struct big {
    FRUGAL_LIST(int64_t) a[1];
    char                 filler[8192];
};
static frugal_slot        big_slot;
static const frugal_field big_field = {
    .name = "a", .type = { .kind = FRUGAL_KIND_STRING, .size = sizeof(frugal_str) }, .id = 1
};
static const frugal_struct big_table = { .abi         = FRUGAL_TABLE_ABI,
                                         .field_count = 1,
                                         .name        = "big",
                                         .fields      = &big_field,
                                         .size        = sizeof(struct big),
                                         .align       = _Alignof(struct big),
                                         .slot        = &big_slot };

static const frugal_struct *find_record(void *context, frugal_str name)
{
    (void)context;
    if (name.len == 5 && memcmp(name.ptr, "point", 5) == 0)
        return FRUGAL_TYPE(point);
    return name.len == 3 && memcmp(name.ptr, "big", 3) == 0 ? &big_table : NULL;
}

static const frugal_enum *find_enum(void *context, frugal_str name)
{
    (void)context;
    return name.len == 5 && memcmp(name.ptr, "color", 5) == 0 ? &frugal_enum_color : NULL;
}

static const frugal_tag_names known = { find_record, find_enum, NULL };

static frugal_status make(frugal_arena *arena, const frugal_tag *tags, size_t count,
                          const frugal_struct **type, frugal_error *error)
{
    return frugal_struct_from_tags("T", tags, count, &known, arena, type, error);
}

/* ---- what is made --------------------------------------------------------------------------- */

struct all {
    bool                                 a;
    int8_t                               b;
    int16_t                              c;
    int32_t                              d;
    int64_t                              e;
    double                               f;
    frugal_str                           g;
    frugal_bytes                         h;
    FRUGAL_OPT(bool)                     i;
    FRUGAL_OPT(int32_t)                  j;
    FRUGAL_OPT(double)                   k;
    FRUGAL_OPT(int8_t)                   l;
    FRUGAL_LIST(int64_t)                 m;
    FRUGAL_SET(frugal_str)               n;
    FRUGAL_MAP(int8_t, double)           o;
    struct point                         p;
    struct point                        *q;
    enum color                           r;
    FRUGAL_OPT(enum color)               s;
    FRUGAL_MAP(frugal_str, struct point) t;
    FRUGAL_LIST(struct point)            u;
    bool                                 z;
};
typedef FRUGAL_MAP(frugal_str, struct point) point_map;

static void layout_is_that_of_the_compiler(void **state)
{
    static const frugal_tag tags[] = {
        { "a", "1,default,bool" },
        { "b", "2,default,byte" },
        { "c", "3,default,i16" },
        { "d", "4,default,i32" },
        { "e", "5,default,i64" },
        { "f", "6,default,double" },
        { "g", "7,default,string" },
        { "h", "8,required,binary" },
        { "i", "9,optional,bool" },
        { "j", "10,optional,i32" },
        { "k", "11,optional,double" },
        { "l", "12,optional,i8" },
        { "m", "13,optional,list<i64>" },
        { "n", "14,default,set<string>" },
        { "o", "15,default,map<i8:double>" },
        { "p", "16,default,point" },
        { "q", "17,optional,pkg.point" },
        { "r", "18,default,color" },
        { "s", "19,optional,pkg.color" },
        { "t", "20,default,map<string,point>" },
        { "u", "21,default,list<point>" },
        { "z", "22,default,bool" },
    };
#define AT(m) offsetof(struct all, m)
    static const size_t  offsets[] = { AT(a), AT(b), AT(c), AT(d), AT(e), AT(f), AT(g), AT(h),
                                       AT(i), AT(j), AT(k), AT(l), AT(m), AT(n), AT(o), AT(p),
                                       AT(q), AT(r), AT(s), AT(t), AT(u), AT(z) };
    const size_t         count     = sizeof tags / sizeof tags[0];
    frugal_arena        *arena     = frugal_arena_new(NULL);
    const frugal_struct *type      = NULL;
    frugal_error         error     = { .message = "" };
    (void)state;
    assert_int_equal(make(arena, tags, count, &type, &error), FRUGAL_OK);
    assert_string_equal(error.message, "");
    assert_int_equal(type->size, sizeof(struct all));
    assert_int_equal(type->align, _Alignof(struct all));
    assert_int_equal(type->field_count, count);
    assert_string_equal(type->name, "T");
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(type->fields[i].name, tags[i].name);
        assert_int_equal(type->fields[i].id, i + 1);
        assert_int_equal(type->fields[i].offset, offsets[i]);
    }
    assert_int_equal(type->fields[8].has, AT(i.has));
    assert_int_equal(type->fields[9].has, AT(j.has));
    assert_int_equal(type->fields[10].has, AT(k.has));
    assert_int_equal(type->fields[11].has, AT(l.has));
    assert_int_equal(type->fields[18].has, AT(s.has));
    assert_int_equal(type->fields[0].has, 0);
    assert_int_equal(type->fields[19].type.stride, sizeof *((point_map *)0)->ptr);
    assert_int_equal(type->fields[20].type.stride, sizeof(struct point));
    assert_false(type->fields[15].type.indirect);
    assert_true(type->fields[16].type.indirect);
    assert_int_equal(frugal_struct_check(type, &error), FRUGAL_OK);
    frugal_arena_free(arena);
}

static void one_type(const char *tag, const char *text)
{
    frugal_tag           tags[] = { { "f", tag } };
    frugal_arena        *arena  = frugal_arena_new(NULL);
    const frugal_struct *type   = NULL;
    frugal_error         error  = { .message = "" };
    char                 found[128];
    frugal_status        status = make(arena, tags, 1, &type, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(status, FRUGAL_OK);
    schema_type_text(&type->fields[0].type, found, sizeof found);
    assert_string_equal(found, text);
    frugal_arena_free(arena);
}

static void types_are_written_with_colon_or_comma_and_blanks(void **state)
{
    (void)state;
    one_type("1,default,map<i32:string>", "map<i32, string>");
    one_type("1,default,map<i32,string>", "map<i32, string>");
    one_type(" 1 , default , map < i32 , list< pkg . point > > ", "map<i32, list<point>>");
    one_type("1,default,set<map<color:byte>>", "set<map<color, i8>>");
    one_type("1,default,map<list<string>,map<point:binary>>",
             "map<list<string>, map<point, binary>>");
}

static void ids_above_32767_are_the_negative_ones_with_the_same_bits(void **state)
{
    static const frugal_tag tags[] = { { "a", "0,default,i32" },
                                       { "b", "65535,default,i32" },
                                       { "c", "32768,default,i32" },
                                       { "d", "007,default,i32" } };
    frugal_arena           *arena  = frugal_arena_new(NULL);
    const frugal_struct    *type;
    (void)state;
    assert_int_equal(make(arena, tags, 4, &type, NULL), FRUGAL_OK);
    assert_int_equal(type->fields[0].id, 0);
    assert_int_equal(type->fields[1].id, -1);
    assert_int_equal(type->fields[2].id, -32768);
    assert_int_equal(type->fields[3].id, 7);
    frugal_arena_free(arena);
}

static void its_own_name_is_the_table_itself(void **state)
{
    static const frugal_tag tags[] = { { "a", "1,default,T" },
                                       { "b", "2,optional,x.T" },
                                       { "c", "3,default,list<T>" },
                                       { "d", "4,default,map<T:list<set<T>>>" },
                                       { "e", "5,default,i64" } };
    frugal_arena           *arena  = frugal_arena_new(NULL);
    const frugal_struct    *type;
    (void)state;
    assert_int_equal(frugal_struct_from_tags("T", tags, 5, NULL, arena, &type, NULL), FRUGAL_OK);
    assert_ptr_equal(type->fields[0].type.record, type);
    assert_true(type->fields[0].type.indirect);
    assert_true(type->fields[1].type.indirect);
    assert_false(type->fields[2].type.elem->indirect);
    assert_int_equal(type->fields[2].type.stride, type->size);
    assert_true(type->fields[3].type.key->indirect);
    assert_int_equal(type->fields[3].type.elem->elem->stride, type->size);
    assert_int_equal(type->size, 56);
    frugal_arena_free(arena);
}

static void large_structs_lie_behind_pointers(void **state)
{
    static const frugal_tag tags[] = { { "a", "1,default,big" },
                                       { "b", "2,required,map<string:big>" },
                                       { "c", "3,default,list<big>" } };
    frugal_arena           *arena  = frugal_arena_new(NULL);
    const frugal_struct    *type;
    (void)state;
    assert_int_equal(make(arena, tags, 3, &type, NULL), FRUGAL_OK);
    assert_true(type->fields[0].type.indirect);
    assert_true(type->fields[1].type.elem->indirect);
    assert_int_equal(type->fields[1].type.stride, sizeof(frugal_str) + sizeof(void *));
    assert_false(type->fields[2].type.elem->indirect);
    assert_int_equal(type->fields[2].type.stride, sizeof(struct big));
    frugal_arena_free(arena);
}

static void no_tags_make_a_struct_without_fields(void **state)
{
    frugal_arena        *arena = frugal_arena_new(NULL);
    const frugal_struct *type;
    (void)state;
    assert_int_equal(frugal_struct_from_tags("Empty", NULL, 0, NULL, arena, &type, NULL),
                     FRUGAL_OK);
    assert_int_equal(type->field_count, 0);
    assert_int_equal(type->size, 1);
    frugal_arena_free(arena);
}

static void texts_need_not_outlive_the_call(void **state)
{
    char                 name[] = "T", field[] = "f", tag[] = "1,default,string,nocopy";
    frugal_tag           tags[] = { { field, tag } };
    frugal_arena        *arena  = frugal_arena_new(NULL);
    const frugal_struct *type;
    (void)state;
    assert_int_equal(frugal_struct_from_tags(name, tags, 1, NULL, arena, &type, NULL), FRUGAL_OK);
    name[0] = field[0] = '?';
    assert_string_equal(type->name, "T");
    assert_string_equal(type->fields[0].name, "f");
    assert_true(type->fields[0].no_copy);
    frugal_arena_free(arena);
}

struct pair {
    int64_t    id;
    frugal_str name;
};
FRUGAL_STRUCT(pair, FRUGAL_FIELD(pair, id, 1, required), FRUGAL_FIELD(pair, name, 2));

static void a_table_of_tags_writes_what_the_compilers_table_writes(void **state)
{
    static const frugal_tag tags[] = { { "id", "1,required,i64" }, { "name", "2,default,string" } };
    frugal_arena           *arena  = frugal_arena_new(NULL);
    const frugal_struct    *type;
    struct pair             pair = { 42, FRUGAL_STR_INIT("x") };
    frugal_buf              one, two;
    (void)state;
    frugal_buf_init(&one, NULL, 0, NULL);
    frugal_buf_init(&two, NULL, 0, NULL);
    assert_int_equal(make(arena, tags, 2, &type, NULL), FRUGAL_OK);
    assert_int_equal(frugal_encode((frugal_view){ type, &pair }, NULL, &one, NULL), FRUGAL_OK);
    assert_int_equal(frugal_encode(FRUGAL_VIEW(pair, &pair), NULL, &two, NULL), FRUGAL_OK);
    assert_int_equal(one.size, two.size);
    assert_memory_equal(one.data, two.data, one.size);
    frugal_buf_release(&one);
    frugal_buf_release(&two);
    frugal_plan_drop(type);
    frugal_arena_free(arena);
}

/* ---- errors --------------------------------------------------------------------------------- */

#define TYPE_ERROR(position, text) \
    "cannot parse type descriptor: Syntax error at position " position ": " text

static const struct {
    const char   *tag, *message;
    frugal_status status;
    uint32_t      column;
} errors[] = {
    { "", "invalid tag for field T.f", FRUGAL_SYNTAX, 1 },
    { "  ", "invalid tag for field T.f", FRUGAL_SYNTAX, 3 },
    { "x", "invalid field number for field T.f: strconv.ParseUint: parsing \"x\": invalid syntax",
      FRUGAL_SYNTAX, 1 },
    { ",default,i32",
      "invalid field number for field T.f: strconv.ParseUint: parsing \"\": invalid syntax",
      FRUGAL_SYNTAX, 1 },
    { "-1,default,i32",
      "invalid field number for field T.f: strconv.ParseUint: parsing \"-1\": invalid syntax",
      FRUGAL_SYNTAX, 1 },
    { " 1x , default",
      "invalid field number for field T.f: strconv.ParseUint: parsing \"1x\": invalid syntax",
      FRUGAL_SYNTAX, 2 },
    { "65536,default,i32",
      "invalid field number for field T.f: strconv.ParseUint: parsing \"65536\": value out of "
      "range",
      FRUGAL_SYNTAX, 1 },
    { "99999999999999999999",
      "invalid field number for field T.f: strconv.ParseUint: parsing \"99999999999999999999\": "
      "value out of range",
      FRUGAL_SYNTAX, 1 },
    { "1,maybe,i32", "invalid requiredness for field T.f", FRUGAL_SYNTAX, 3 },
    { "1,,i32", "invalid requiredness for field T.f", FRUGAL_SYNTAX, 3 },
    { "1,Required,i32", "invalid requiredness for field T.f", FRUGAL_SYNTAX, 3 },
    { "1", TYPE_ERROR("0", "unexpected EOF"), FRUGAL_SYNTAX, 2 },
    { "1,default", TYPE_ERROR("0", "unexpected EOF"), FRUGAL_SYNTAX, 10 },
    { "1,default,", TYPE_ERROR("0", "unexpected EOF"), FRUGAL_SYNTAX, 11 },
    { "1,default,vector<i32>", TYPE_ERROR("0", "\"set\" or \"list\" expected"), FRUGAL_SYNTAX, 11 },
    { "1,default,list<i32<i8>>", TYPE_ERROR("8", "'>' expected"), FRUGAL_SYNTAX, 19 },
    { "1,default,list i32>", TYPE_ERROR("5", "'<' expected"), FRUGAL_SYNTAX, 16 },
    { "1,default,list", TYPE_ERROR("4", "unexpected EOF"), FRUGAL_SYNTAX, 15 },
    { "1,default,map<i32 i32>", TYPE_ERROR("8", "':' expected"), FRUGAL_SYNTAX, 19 },
    { "1,default,map<i32>", TYPE_ERROR("7", "':' expected"), FRUGAL_SYNTAX, 18 },
    { "1,default,map<i32:i32", TYPE_ERROR("11", "unexpected EOF"), FRUGAL_SYNTAX, 22 },
    { "1,default,map<string", TYPE_ERROR("10", "unexpected EOF"), FRUGAL_SYNTAX, 21 },
    { "1,default,list<i32 i32>", TYPE_ERROR("9", "'>' expected"), FRUGAL_SYNTAX, 20 },
    { "1,default,list<point point>", TYPE_ERROR("11", "'.' or '>' expected"), FRUGAL_SYNTAX, 22 },
    { "1,default,list<color:i32>", TYPE_ERROR("10", "'.' or '>' expected"), FRUGAL_SYNTAX, 21 },
    { "1,default,pkg.", TYPE_ERROR("4", "unexpected EOF"), FRUGAL_SYNTAX, 15 },
    { "1,default,pkg.<i32>", TYPE_ERROR("4", "struct name expected"), FRUGAL_SYNTAX, 15 },
    { "1,default,list<>", TYPE_ERROR("5", "struct name expected"), FRUGAL_SYNTAX, 16 },
    { "1,default,*point", TYPE_ERROR("0", "struct name expected"), FRUGAL_SYNTAX, 11 },
    { "1,default,i32>", TYPE_ERROR("3", "end of the type expected"), FRUGAL_SYNTAX, 14 },
    { "1,default,i32 i32", TYPE_ERROR("4", "end of the type expected"), FRUGAL_SYNTAX, 15 },
    { "1,default,nobody", TYPE_ERROR("0", "no struct or enum is called nobody"), FRUGAL_NOTFOUND,
      11 },
    { "1,default,list<a.nobody>", TYPE_ERROR("7", "no struct or enum is called nobody"),
      FRUGAL_NOTFOUND, 18 },
    { "1,default,uint32", TYPE_ERROR("0", "no struct or enum is called uint32"), FRUGAL_NOTFOUND,
      11 },
    { "1,default,string,zip", "invalid option: zip", FRUGAL_SYNTAX, 18 },
    { "1,default,string,", "invalid option: ", FRUGAL_SYNTAX, 18 },
    { "1,default,i32,nocopy",
      "\"nocopy\" is only applicable to \"string\" and \"binary\" types, not i32",
      FRUGAL_DESCRIPTOR, 15 },
    { "1,default,list<string>, nocopy",
      "\"nocopy\" is only applicable to \"string\" and \"binary\" types, not list<string>",
      FRUGAL_DESCRIPTOR, 25 },
    { "1,default,binary,nocopy,nocopy", "duplicated option \"nocopy\" for field T.f",
      FRUGAL_DESCRIPTOR, 25 },
};

static void errors_have_the_words_of_frugal_and_their_column(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        frugal_tag           tags[] = { { "ok", "9,default,i32" }, { "f", errors[i].tag } };
        frugal_arena        *arena  = frugal_arena_new(NULL);
        const frugal_struct *type   = NULL;
        frugal_error         error  = { .message = "" };
        size_t               used   = frugal_arena_used(arena);
        frugal_status        status = make(arena, tags, 2, &type, &error);
        assert_string_equal(error.message, errors[i].message);
        assert_int_equal(status, errors[i].status);
        assert_int_equal(error.status, status);
        assert_string_equal(error.path, "T.f");
        assert_int_equal(error.column, errors[i].column);
        assert_null(type);
        assert_int_equal(frugal_arena_used(arena), used);
        assert_int_equal(make(arena, tags, 2, &type, NULL), status);
        frugal_arena_free(arena);
    }
}

static void an_id_twice_is_an_error_of_the_second(void **state)
{
    static const frugal_tag tags[] = { { "a", "1,default,i32" },
                                       { "b", "2,default,i32" },
                                       { "c", "1,default,i32" } };
    frugal_arena           *arena  = frugal_arena_new(NULL);
    const frugal_struct    *type   = NULL;
    frugal_error            error;
    (void)state;
    assert_int_equal(make(arena, tags, 3, &type, &error), FRUGAL_DESCRIPTOR);
    assert_string_equal(error.message, "duplicated field ID 1 for field T.c");
    assert_string_equal(error.path, "T.c");
    frugal_arena_free(arena);
}

static void a_name_twice_is_a_contradiction(void **state)
{
    static const frugal_tag tags[] = { { "a", "1,default,i32" }, { "a", "2,default,i32" } };
    frugal_arena           *arena  = frugal_arena_new(NULL);
    const frugal_struct    *type   = NULL;
    (void)state;
    assert_int_equal(make(arena, tags, 2, &type, NULL), FRUGAL_DESCRIPTOR);
    frugal_arena_free(arena);
}

static void containers_nest_64_deep_and_no_deeper(void **state)
{
    char text[1024];
    (void)state;
    for (size_t depth = 64; depth <= 65; depth++) {
        frugal_tag           tags[] = { { "f", text } };
        frugal_arena        *arena  = frugal_arena_new(NULL);
        const frugal_struct *type   = NULL;
        frugal_error         error;
        strcpy(text, "1,default,");
        for (size_t i = 0; i < depth; i++)
            strcat(text, "list<");
        strcat(text, "i32");
        for (size_t i = 0; i < depth; i++)
            strcat(text, ">");
        assert_int_equal(make(arena, tags, 1, &type, &error),
                         depth == 64 ? FRUGAL_OK : FRUGAL_DESCRIPTOR);
        if (depth > 64)
            assert_string_equal(error.message,
                                TYPE_ERROR("320", "more than 64 containers in each other"));
        frugal_arena_free(arena);
    }
}

static void arguments_are_checked(void **state)
{
    static const frugal_tag tags[]  = { { "a", "1,default,i32" } };
    static const frugal_tag wrong[] = { { NULL, "1,default,i32" }, { "a", NULL } };
    frugal_arena           *arena   = frugal_arena_new(NULL);
    const frugal_struct    *type    = NULL;
    (void)state;
#define STATUS(...) frugal_struct_from_tags(__VA_ARGS__, NULL)
    assert_int_equal(STATUS(NULL, tags, 1, NULL, arena, &type), FRUGAL_INVALID);
    assert_int_equal(STATUS("", tags, 1, NULL, arena, &type), FRUGAL_INVALID);
    assert_int_equal(STATUS("T", NULL, 1, NULL, arena, &type), FRUGAL_INVALID);
    assert_int_equal(STATUS("T", tags, 1, NULL, NULL, &type), FRUGAL_INVALID);
    assert_int_equal(STATUS("T", tags, 1, NULL, arena, NULL), FRUGAL_INVALID);
    assert_int_equal(STATUS("T", tags, SCHEMA_FIELDS_MAX + 1, NULL, arena, &type), FRUGAL_INVALID);
    assert_int_equal(STATUS("T", wrong, 1, NULL, arena, &type), FRUGAL_INVALID);
    assert_int_equal(STATUS("T", wrong + 1, 1, NULL, arena, &type), FRUGAL_SYNTAX);
    frugal_arena_free(arena);
}

/* ---- memory --------------------------------------------------------------------------------- */

typedef struct scarce {
    size_t calls, fail_at;
} scarce;

static void *resize_scarce(void *context, void *ptr, size_t old_size, size_t size)
{
    scarce *s = context;
    if (size > old_size && ++s->calls >= s->fail_at)
        return NULL;
    if (size)
        return realloc(ptr, size);
    free(ptr);
    return NULL;
}

static void every_allocation_that_fails_is_out_of_memory(void **state)
{
    static const frugal_tag tags[] = { { "a", "1,default,map<string:list<point>>" },
                                       { "b", "2,default,list<set<color>>" },
                                       { "c", "3,default,T" } };
    frugal_status           status = FRUGAL_NOMEM;
    size_t                  fails  = 0;
    (void)state;
    for (scarce s = { 0, 1 }; status != FRUGAL_OK; s.fail_at++) {
        frugal_allocator     allocator = { resize_scarce, &s };
        frugal_arena_options options   = { .allocator = &allocator, .block_size = 128 };
        const frugal_struct *type      = NULL;
        frugal_error         error;
        s.calls             = 0;
        frugal_arena *arena = frugal_arena_new(&options);
        if (arena == NULL)
            continue;
        status = make(arena, tags, 3, &type, &error);
        if (status != FRUGAL_OK) {
            assert_int_equal(status, FRUGAL_NOMEM);
            assert_int_equal(error.status, FRUGAL_NOMEM);
            fails++;
        }
        frugal_arena_free(arena);
    }
    assert_true(fails > 5);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(layout_is_that_of_the_compiler),
        cmocka_unit_test(types_are_written_with_colon_or_comma_and_blanks),
        cmocka_unit_test(ids_above_32767_are_the_negative_ones_with_the_same_bits),
        cmocka_unit_test(its_own_name_is_the_table_itself),
        cmocka_unit_test(large_structs_lie_behind_pointers),
        cmocka_unit_test(no_tags_make_a_struct_without_fields),
        cmocka_unit_test(texts_need_not_outlive_the_call),
        cmocka_unit_test(a_table_of_tags_writes_what_the_compilers_table_writes),
        cmocka_unit_test(errors_have_the_words_of_frugal_and_their_column),
        cmocka_unit_test(an_id_twice_is_an_error_of_the_second),
        cmocka_unit_test(a_name_twice_is_a_contradiction),
        cmocka_unit_test(containers_nest_64_deep_and_no_deeper),
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(every_allocation_that_fails_is_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
