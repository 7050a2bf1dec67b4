#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <frugal/schema.h>

static const char idl[] = "enum Color { RED = 1, GREEN = 2 }\n"
                          "struct Address {\n"
                          "  1: string street\n"
                          "  2: i32 zip\n"
                          "}\n"
                          "union Shape { 1: double radius, 2: Address at }\n"
                          "typedef list<Address> Places\n"
                          "struct User {\n"
                          "  1: required i64 id\n"
                          "  2: string name\n"
                          "  3: optional Color color\n"
                          "  4: Places places\n"
                          "  5: map<string, list<User>> friends\n"
                          "  6: optional Shape shape\n"
                          "}\n";

enum color { RED = 1, GREEN = 2 };
FRUGAL_ENUM(color, FRUGAL_ITEM(RED), FRUGAL_ITEM(GREEN));

struct address {
    frugal_str street;
    int32_t    zip;
};
FRUGAL_STRUCT(address, FRUGAL_FIELD(address, street, 1), FRUGAL_FIELD(address, zip, 2));

struct shape {
    int32_t which;
    union {
        double         radius;
        struct address at;
    };
};
FRUGAL_UNION(shape, which, FRUGAL_ARM(shape, radius, 1), FRUGAL_ARM(shape, at, 2, struct(address)));

static const frugal_enum odd_color = {
    "odd_color", 3, (const struct frugal_enum_item[]){ { "RED", 7 }, { "BLUE", 3 }, { "GREEN", 2 } }
};
static const frugal_enum short_enum = { "short_enum", 1,
                                        (const struct frugal_enum_item[]){ { "RED", 1 } } };

/* The records that a test made of tags, by name. */
typedef struct fixture {
    frugal_arena        *arena;
    frugal_schema       *schema;
    const frugal_struct *made[8];
    size_t               count;
    char                 reports[8192];
    char                 places[4096];
} fixture;

static bool is(frugal_str name, const char *text)
{
    return name.len == strlen(text) && memcmp(name.ptr, text, name.len) == 0;
}

static const frugal_struct *find_record(void *context, frugal_str name)
{
    fixture *f = context;
    for (size_t i = 0; i < f->count; i++)
        if (is(name, f->made[i]->name))
            return f->made[i];
    return is(name, "address") ? FRUGAL_TYPE(address)
           : is(name, "shape") ? FRUGAL_TYPE(shape)
                               : NULL;
}

static const frugal_enum *find_enum(void *context, frugal_str name)
{
    (void)context;
    return is(name, "color")        ? &frugal_enum_color
           : is(name, "odd_color")  ? &odd_color
           : is(name, "short_enum") ? &short_enum
                                    : NULL;
}

static void start_with(fixture *f, const frugal_schema_options *options)
{
    frugal_error error = { .message = "" };
    memset(f, 0, sizeof *f);
    f->arena = frugal_arena_new(NULL);
    frugal_schema_load_text("user.thrift", (frugal_str){ idl, sizeof idl - 1 }, options, &f->schema,
                            &error);
    assert_string_equal(error.message, "");
}

static void start(fixture *f)
{
    start_with(f, NULL);
}

static void end(fixture *f)
{
    frugal_schema_free(f->schema);
    frugal_arena_free(f->arena);
}

static const frugal_struct *make(fixture *f, const char *name, const frugal_tag *tags, size_t count)
{
    frugal_tag_names names = { find_record, find_enum, f };
    frugal_error     error = { .message = "" };
    frugal_struct_from_tags(name, tags, count, &names, f->arena, &f->made[f->count], &error);
    assert_string_equal(error.message, "");
    return f->made[f->count++];
}

#define MAKE(f, name, ...)                             \
    make(f, name, (const frugal_tag[]){ __VA_ARGS__ }, \
         sizeof((const frugal_tag[]){ __VA_ARGS__ }) / sizeof(frugal_tag))

static void report(const frugal_report *r, void *context)
{
    fixture *f = context;
    assert_int_equal(r->status, FRUGAL_MISMATCH);
    assert_false(r->is_warning);
    assert_string_equal(r->file, "user.thrift");
    sprintf(f->reports + strlen(f->reports), "%s\n", r->message);
    sprintf(f->places + strlen(f->places), "%u:%u %.*s\n", r->line, r->column, (int)r->word.len,
            r->word.ptr);
}

static void expect(fixture *f, const char *name, const frugal_struct *mine, const char *reports)
{
    frugal_error  error  = { .message = "" };
    frugal_status status = frugal_schema_check(f->schema, name, mine, report, f, &error);
    assert_string_equal(f->reports, reports);
    assert_int_equal(status, reports[0] ? FRUGAL_MISMATCH : FRUGAL_OK);
    assert_int_equal(error.status, status);
    if (status) {
        char first[512];
        int  len = snprintf(first, sizeof first, "%s: %s\n", error.path, error.message);
        assert_memory_equal(reports, first, (size_t)len);
    }
    assert_int_equal(frugal_schema_check(f->schema, name, mine, NULL, NULL, NULL), status);
}

#define GOOD_USER                                                                                \
    { "id", "1,required,i64" }, { "name", "2,default,string" }, { "color", "3,optional,color" }, \
        { "places", "4,default,list<address>" },                                                 \
        { "friends", "5,default,map<string:list<user>>" },                                       \
    {                                                                                            \
        "shape", "6,optional,shape"                                                              \
    }

static void a_table_that_agrees_is_ok_whatever_its_layout(void **state)
{
    fixture f;
    (void)state;
    start(&f);
    expect(&f, "User", MAKE(&f, "user", GOOD_USER), "");
    expect(&f, "user.User",
           MAKE(&f, "user2", { "shape", "6,optional,shape" }, { "name", "2,default,string" },
                { "id", "1,required,i64" }, { "friends", "5,default,map<string:list<user2>>" },
                { "color", "3,optional,color" }, { "places", "4,default,list<address>" }),
           "");
    expect(&f, "Address", FRUGAL_TYPE(address), "");
    expect(&f, "Shape", FRUGAL_TYPE(shape), "");
    end(&f);
}

static void the_schemas_own_table_agrees(void **state)
{
    fixture f;
    (void)state;
    start(&f);
    expect(&f, "User", frugal_schema_struct(f.schema, "User"), "");
    end(&f);
}

static void a_schema_with_presence_wants_the_same(void **state)
{
    fixture f;
    (void)state;
    start_with(&f, &(frugal_schema_options){ .presence = true, .keep_unknown = true });
    expect(&f, "User", MAKE(&f, "user", GOOD_USER), "");
    end(&f);
}

static void fields_that_one_side_lacks_are_told(void **state)
{
    fixture f;
    (void)state;
    start(&f);
    expect(&f, "Address",
           MAKE(&f, "a", { "street", "1,default,string" }, { "town", "3,default,i8" }),
           "Address.zip: the table has no field 2\n"
           "Address.town: the IDL has no field 3\n");
    assert_string_equal(f.places, "4:3 zip\n2:1 Address\n");
    end(&f);
}

static void names_needs_and_kinds_that_differ_are_told(void **state)
{
    fixture f;
    (void)state;
    start(&f);
    expect(&f, "User",
           MAKE(&f, "user", { "id", "1,default,i32" }, { "nick", "2,optional,string" },
                { "color", "3,optional,i32" }, { "places", "4,required,set<address>" },
                { "friends", "5,default,map<string:list<user>>" }, { "shape", "6,optional,shape" }),
           "User.id: required in the IDL, and default in the table\n"
           "User.id: i64 in the IDL, and i32 in the table\n"
           "User.nick: field 2 is called name in the IDL, and nick in the table\n"
           "User.nick: default in the IDL, and optional in the table\n"
           "User.color: Color in the IDL, and i32 in the table\n"
           "User.places: default in the IDL, and required in the table\n"
           "User.places: list<Address> in the IDL, and set<address> in the table\n");
    assert_memory_equal(f.places, "9:3 id\n9:3 id\n10:3 name\n", 24);
    end(&f);
}

static void elements_and_keys_that_differ_are_told(void **state)
{
    fixture f;
    (void)state;
    start(&f);
    expect(&f, "User",
           MAKE(&f, "user", { "id", "1,required,i64" }, { "name", "2,default,binary" },
                { "color", "3,optional,color" }, { "places", "4,default,list<string>" },
                { "friends", "5,default,map<binary:list<user>>" }, { "shape", "6,optional,shape" }),
           "User.name: string in the IDL, and binary in the table\n"
           "User.places: list<Address> in the IDL, and list<string> in the table\n"
           "User.friends: map<string, list<User>> in the IDL, and map<binary, list<user>> in the "
           "table\n");
    end(&f);
}

static void differences_further_down_have_their_path(void **state)
{
    fixture f;
    (void)state;
    start(&f);
    MAKE(&f, "flat", { "street", "1,default,string" });
    expect(&f, "User",
           MAKE(&f, "user", { "id", "1,required,i64" }, { "name", "2,default,string" },
                { "color", "3,optional,color" }, { "places", "4,default,list<flat>" },
                { "friends", "5,default,map<string:list<flat>>" },
                { "shape", "6,optional,address" }),
           "User.places[].zip: the table has no field 2\n"
           "User.friends{}[].street: field 1 is called id in the IDL, and street in the table\n"
           "User.friends{}[].street: required in the IDL, and default in the table\n"
           "User.friends{}[].street: i64 in the IDL, and string in the table\n"
           "User.friends{}[].name: the table has no field 2\n"
           "User.friends{}[].color: the table has no field 3\n"
           "User.friends{}[].places: the table has no field 4\n"
           "User.friends{}[].friends: the table has no field 5\n"
           "User.friends{}[].shape: the table has no field 6\n"
           "User.shape: a union in the IDL, and a struct in the table\n");
    end(&f);
}

static void unions_and_structs_are_kept_apart(void **state)
{
    fixture f;
    (void)state;
    start(&f);
    expect(&f, "Address", FRUGAL_TYPE(shape),
           "Address: a struct in the IDL, and a union in the table\n");
    assert_string_equal(f.places, "2:1 Address\n");
    end(&f);
}

static void items_of_enums_that_differ_are_told_once(void **state)
{
    fixture f;
    (void)state;
    start(&f);
    expect(&f, "User",
           MAKE(&f, "user", { "id", "1,required,i64" }, { "name", "2,default,string" },
                { "color", "3,optional,odd_color" }, { "places", "4,default,list<address>" },
                { "friends", "5,default,map<string:list<user>>" }, { "shape", "6,optional,shape" }),
           "User.color: RED is 1 in the IDL, and 7 in enum odd_color\n"
           "User.color: the IDL's enum Color has no BLUE, which is 3 in the table\n");
    f.reports[0] = '\0';
    expect(&f, "User",
           MAKE(&f, "user2", { "id", "1,required,i64" }, { "name", "2,default,string" },
                { "color", "3,optional,short_enum" }, { "places", "4,default,list<address>" },
                { "friends", "5,default,map<string:list<user2>>" },
                { "shape", "6,optional,shape" }),
           "User.color: enum short_enum has no GREEN, which is 2 in the IDL\n");
    end(&f);
}

static void arguments_are_checked(void **state)
{
    static const frugal_struct broken = { .abi = 77, .name = "x" };
    frugal_error               error;
    fixture                    f;
    (void)state;
    start(&f);
#define STATUS(schema, name, mine) frugal_schema_check(schema, name, mine, NULL, NULL, &error)
    assert_int_equal(STATUS(NULL, "User", FRUGAL_TYPE(address)), FRUGAL_INVALID);
    assert_int_equal(STATUS(f.schema, NULL, FRUGAL_TYPE(address)), FRUGAL_INVALID);
    assert_int_equal(STATUS(f.schema, "User", NULL), FRUGAL_INVALID);
    assert_int_equal(STATUS(f.schema, "Nobody", FRUGAL_TYPE(address)), FRUGAL_NOTFOUND);
    assert_string_equal(error.message, "the IDL has no struct Nobody, or several");
    assert_int_equal(STATUS(f.schema, "Color", FRUGAL_TYPE(address)), FRUGAL_NOTFOUND);
    assert_int_equal(STATUS(f.schema, "User", &broken), FRUGAL_DESCRIPTOR);
    end(&f);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_that_agrees_is_ok_whatever_its_layout),
        cmocka_unit_test(the_schemas_own_table_agrees),
        cmocka_unit_test(a_schema_with_presence_wants_the_same),
        cmocka_unit_test(fields_that_one_side_lacks_are_told),
        cmocka_unit_test(names_needs_and_kinds_that_differ_are_told),
        cmocka_unit_test(elements_and_keys_that_differ_are_told),
        cmocka_unit_test(differences_further_down_have_their_path),
        cmocka_unit_test(unions_and_structs_are_kept_apart),
        cmocka_unit_test(items_of_enums_that_differ_are_told_once),
        cmocka_unit_test(arguments_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
