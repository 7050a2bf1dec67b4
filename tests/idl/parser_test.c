#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "idl/parsing.h"

/* ---- what is read --------------------------------------------------------------------------- */

static void an_empty_file_has_nothing(void **state)
{
    (void)state;
    parsing_expect_dump("", "");
    parsing_expect_dump("// only a comment", "");
    parsing_expect_dump("\xef\xbb\xbf\r\n\r\n", "");
}

static void headers_are_namespaces_and_includes(void **state)
{
    (void)state;
    parsing_expect_dump("namespace go a.b.c\n"
                        "namespace * any.where\n"
                        "namespace py.twisted x (k = \"v\")\n"
                        "namespace d list\n"
                        "cpp_include \"<vector>\"\n"
                        "include \"a/b.thrift\"\n"
                        "include 'x.y.thrift'\n"
                        "include \"none\"\n"
                        "namespace c last",
                        "namespace go a.b.c\n"
                        "namespace * any.where\n"
                        "namespace py.twisted x\n"
                        "namespace d list\n"
                        "namespace c last\n"
                        "include a/b.thrift as b\n"
                        "include x.y.thrift as x.y\n"
                        "include none as none\n");
}

static void constants_have_values_of_every_kind(void **state)
{
    (void)state;
    parsing_expect_dump("const i32 A = 1;\nconst i64 B = -0x10,\nconst double C = -1.5E-3\n"
                        "const string D = \"d\"\nconst string E = 'e'\nconst bool F = true\n"
                        "const Color G = Color.RED\nconst other.T H = other.VALUE\n"
                        "const list<i32> I = [1; 2, 3 4,]\nconst list<i32> J = []\n"
                        "const map<string, list<i32>> K = {\"a\": [1], 'b': [];}\n"
                        "const S L = {}\nconst double M = 7 (note = \"n\")",
                        "const i32 A = 1\nconst i64 B = -16\nconst double C = -0.0015\n"
                        "const string D = 'd'\nconst string E = 'e'\nconst bool F = true\n"
                        "const Color G = Color.RED\nconst other.T H = other.VALUE\n"
                        "const list<i32> I = [1,2,3,4]\nconst list<i32> J = []\n"
                        "const map<string,list<i32>> K = {'a':[1],'b':[]}\n"
                        "const S L = {}\nconst double M = 7 (note=\"n\")\n");
}

static void typedefs_take_any_type(void **state)
{
    (void)state;
    parsing_expect_dump("typedef i64 Id\ntypedef map<Id, set<b.C>> M,\ntypedef byte Old;\n"
                        "typedef list<i32> ( cpp.template = 'std::list' ) L (a = 'b')\n"
                        "typedef Named (n = 'x') Other\ntypedef uuid U",
                        "typedef i64 Id\ntypedef map<Id,set<b.C>> M\ntypedef i8 Old\n"
                        "typedef list<i32> (cpp.template=\"std::list\") L (a=\"b\")\n"
                        "typedef Named (n=\"x\") Other\ntypedef uuid U\n");
}

static void cpp_type_is_passed_wherever_it_may_stand(void **state)
{
    (void)state;
    parsing_expect_dump("typedef map cpp_type \"m\" <i32, i32> A\ntypedef set cpp_type 's' <i8> B\n"
                        "typedef list cpp_type 'l' <i8> C\ntypedef list<i8> cpp_type 'l' D\n"
                        "typedef map<i8, i8> cpp_type 'm' E",
                        "typedef map<i32,i32> A\ntypedef set<i8> B\ntypedef list<i8> C\n"
                        "typedef list<i8> D\ntypedef map<i8,i8> E\n");
}

static void enums_count_on_from_the_value_before(void **state)
{
    (void)state;
    parsing_expect_dump("enum E { A, B; C = 7 D, F = -3 (k = 'v'), G H = 0x10 I = +2, J = 2, }\n"
                        "enum None {} (a)",
                        "enum E {A~0, B~1, C=7, D~8, F=-3 (k=\"v\"), G~-2, H=16, I=2, J=2}\n"
                        "enum None {} (a=\"1\")\n");
}

static void the_last_of_all_numbers_is_not_counted_beyond(void **state)
{
    (void)state;
    parsing_expect_dump("enum E { A = 9223372036854775807, B }",
                        "enum E {A=9223372036854775807, B~9223372036854775807}\n");
}

static void records_have_fields_with_all_their_parts(void **state)
{
    (void)state;
    parsing_expect_dump("struct S {\n 1: i32 a\n 2: required string b = \"x\";\n"
                        " 3 : optional list<i32> c = [1] (k = 'v'),\n 4: S & d\n"
                        " 0x10: bool e }\n"
                        "union U { 1: i32 a, 2: optional string b }\n"
                        "exception X { 1: string message } (p)",
                        "struct S {1: i32 a, 2:! string b='x', 3:? list<i32> c=[1] (k=\"v\"), 4: S "
                        "d, 16: bool e}\n"
                        "union U {1: i32 a, 2:? string b}\n"
                        "exception X {1: string message} (p=\"1\")\n");
}

static void services_have_functions_with_all_their_parts(void **state)
{
    (void)state;
    parsing_expect_dump(
        "service S extends base.B {\n void ping()\n i32 add(1: i32 a, 2: i32 b = 3),\n"
        " oneway void fire(1: string what);\n async void old()\n"
        " list<S> all(1: S s;) throws (1: X x (t = 'z'), 2: Y y) (fn = \"1\")\n"
        " void none() throws ()\n} (svc = 's')\nservice Empty {}",
        "service S extends base.B {void ping(); i32 add(1: i32 a, 2: i32 b=3); oneway void fire(1: "
        "string what); oneway void old(); list<S> all(1: S s) throws (1: X x (t=\"z\"), 2: Y y) "
        "(fn=\"1\"); void none() throws ()} (svc=\"s\")\nservice Empty {}\n");
}

static void annotations_may_lack_values_and_repeat_keys(void **state)
{
    (void)state;
    parsing_expect_dump("struct S { 1: i32 a (deprecated, k = \"1\"; k = '2' k.l = \"3\",) } ()",
                        "struct S {1: i32 a (deprecated=\"1\", k=\"1\", k=\"2\", k.l=\"3\")}\n");
    parsing_expect_dump("struct S { 1: i32 a (optional = 'a', list) }",
                        "struct S {1: i32 a (optional=\"a\", list=\"1\")}\n");
}

static void words_of_xml_schemas_are_passed(void **state)
{
    (void)state;
    parsing_expect_dump(
        "struct S xsd_all { 1: i32 a xsd_optional xsd_nillable xsd_attrs { 1: i32 x, 2: S y } (k)\n"
        " 2: i32 b = 1 xsd_nillable }",
        "struct S {1: i32 a (k=\"1\"), 2: i32 b=1}\n");
}

static void old_words_are_read_with_a_warning(void **state)
{
    (void)state;
    parsing_expect_dump("struct S { 1: slist a } senum T { \"a\", 'b'; \"c\" } (k)",
                        "struct S {1: string a}\ntypedef string T (k=\"1\")\n");
    parsing_expect_warnings("struct S { 1: slist a } senum T { \"a\" }",
                            "1:15: warning: slist is a word of old files; it is read as string\n"
                            "1:25: warning: senum is a word of old files; it is read as a typedef "
                            "of string\n");
    parsing_expect_dump("struct senum { 1: i32 slist, 2: senum senum }",
                        "struct senum {1: i32 slist, 2: senum senum}\n");
}

static void headers_of_old_files_are_namespaces(void **state)
{
    (void)state;
    parsing_expect_dump("cpp_namespace a.b\nphp_package c\njava_package d struct php_package {}",
                        "namespace cpp a.b\nnamespace php c\nnamespace java d\n"
                        "struct php_package {}\n");
    parsing_expect_warnings("py_module x", "1:1: warning: py_module is a word of old files; it is "
                                           "read as namespace py\n");
    parsing_expect("py_module\nstruct S {}", "1:1: expected a definition, found `py_module`\n");
    parsing_expect("struct S {}\nphp_package c",
                   "2:1: php_package stands before all definitions\n");
}

/* In the manner of the IDLs of databases and file formats. */
static void constructs_of_public_files_are_read(void **state)
{
    (void)state;
    parsing_expect_dump(
        "#!/usr/local/bin/thrift -java\n"
        "/* Licensed to nobody. */\n\n"
        "include \"share/fb303/if/fb303.thrift\"\n"
        "namespace xsd test (uri = 'http://example.org/ns/Test')\n"
        "namespace cpp Apache.Some.Where\nnamespace * any\n\n"
        "const string VERSION = \"19.36.0\"\nconst string DDL_TIME = \"transient_lastDdlTime\",\n"
        "const list<Type> ALL = [\n  Type.A, // first\n  Type.B;\n]\n"
        "const map<string,string> META = {'a' : \"b\", \"c\" : 'd'};\n"
        "typedef binary Text\ntypedef i32 (cpp.type = \"Bytes\") Bytes;\n"
        "enum Type {\n  A = 0; /** boxed */\n  B = 1,\n\n  C\n  D = 0x20 }\n"
        "struct Version {\n}\n"
        "struct Column {\n  /** name\n   *  of it **/\n  1:required Text name,\n"
        "  2:optional i64 timestamp = -1\n  3: optional set<i16> ( cpp.template = 'std::set' ) s;\n"
        "  4 : optional list<map<string, list< Column >>> deep # trailing\n"
        "  5: required Type type = Type.A // default\n}\n"
        "union Key { 1: Version STRING; 2: Version MAP }\n"
        "exception NotFound { 1:required string why (message) }\n"
        "service Store extends fb303.FacebookService\n{\n"
        "  # methods\n"
        "  list<Column> get(1:required Text key,\n                   /** which */\n"
        "                   2:required Column column = {'name': 'x'},\n                  )\n"
        "       throws (1:NotFound nf, 2:NotFound other),\n\n"
        "  void set_(1: i32 a (x), 2: bool b=1);\n"
        "  oneway void\n    fire()\n} (final = \"\",)\n",
        "namespace xsd test\nnamespace cpp Apache.Some.Where\nnamespace * any\n"
        "include share/fb303/if/fb303.thrift as fb303\n"
        "const string VERSION = '19.36.0'\nconst string DDL_TIME = 'transient_lastDdlTime'\n"
        "const list<Type> ALL = [Type.A,Type.B]\n"
        "const map<string,string> META = {'a':'b','c':'d'}\n"
        "typedef binary Text\ntypedef i32 (cpp.type=\"Bytes\") Bytes\n"
        "enum Type {A=0, /*boxed*/ B=1, C~2, D=32}\nstruct Version {}\n"
        "struct Column {/*name\n of it*/ 1:! Text name, 2:? i64 timestamp=-1, 3:? set<i16> "
        "(cpp.template=\"std::set\") s, 4:? list<map<string,list<Column>>> deep, 5:! Type "
        "type=Type.A}\n"
        "union Key {1: Version STRING, 2: Version MAP}\n"
        "exception NotFound {1:! string why (message=\"1\")}\n"
        "service Store extends fb303.FacebookService {list<Column> get(1:! Text key, /*which*/ 2:! "
        "Column column={'name':'x'}) throws (1: NotFound nf, 2: NotFound other); void set_(1: i32 "
        "a "
        "(x=\"1\"), 2: bool b=1); oneway void fire()} (final=\"\")\n");
}

static void keywords_may_name_fields_and_arguments(void **state)
{
    (void)state;
    parsing_expect_dump("struct S { 1: bool required, 2: i32 struct 3: list<i32> list = []; 4: S "
                        "optional 5: required i32 required\n6: i32 namespace }\n"
                        "service T { void f(1: i32 oneway, 2: string void) }",
                        "struct S {1: bool required, 2: i32 struct, 3: list<i32> list=[], 4: S "
                        "optional, 5:! i32 required, 6: i32 namespace}\n"
                        "service T {void f(1: i32 oneway, 2: string void)}\n");
}

static void words_that_begin_like_keywords_are_names(void **state)
{
    (void)state;
    parsing_expect_dump("struct structure { 1: i32 enumerate 2: structure optionally }\n"
                        "enum enums { i32x, trues }",
                        "struct structure {1: i32 enumerate, 2: structure optionally}\n"
                        "enum enums {i32x~0, trues~1}\n");
}

static void a_definition_may_be_called_uuid(void **state)
{
    parsing p;
    (void)state;
    parsing_start(&p);
    static const char text[] = "typedef string uuid\nstruct S { 1: uuid a }";
    idl_file         *file   = parsing_text(&p, text, sizeof text - 1);
    const idl_type   *type   = file->definitions->next->fields->type;
    assert_string_equal(p.reports, "");
    assert_true(type->is_uuid && type->kind == IDL_TYPE_BASE && type->base == FRUGAL_KIND_BINARY);
    assert_string_equal(type->name.text.ptr, "uuid");
    parsing_end(&p);
}

/* ---- ids ------------------------------------------------------------------------------------ */

static void fields_without_ids_are_numbered_downwards_as_apache_does(void **state)
{
    (void)state;
    parsing_expect_dump("struct S { i32 a, 5: i32 b, i32 c } struct T { i32 a }\n"
                        "service V { void f(i32 a, i32 b) throws (X x) }",
                        "struct S {-1auto: i32 a, 5: i32 b, -2auto: i32 c}\n"
                        "struct T {-1auto: i32 a}\n"
                        "service V {void f(-1auto: i32 a, -2auto: i32 b) throws (-1auto: X x)}\n");
}

static void an_id_below_one_moves_the_numbering_below_it(void **state)
{
    (void)state;
    parsing_expect_dump("struct S { -5: i32 a, i32 b, 0: i32 c, i32 d, 3: i32 e, i32 f }",
                        "struct S {-5: i32 a, -6auto: i32 b, 0: i32 c, -1auto: i32 d, 3: i32 e, "
                        "-2auto: i32 f}\n");
}

static void thriftgo_numbers_upwards_from_the_field_before(void **state)
{
    static const char text[] = "struct S { i32 a, 5: i32 b, i32 c, -3: i32 d, i32 e } struct T { "
                               "string x }";
    char              dump[1024];
    parsing           p;
    (void)state;
    parsing_start(&p);
    p.options.auto_ids = FRUGAL_AUTO_IDS_THRIFTGO;
    parsing_dump(parsing_text(&p, text, sizeof text - 1), dump, sizeof dump);
    assert_string_equal(dump, "struct S {1auto: i32 a, 5: i32 b, 6auto: i32 c, -3: i32 d, -2auto: "
                              "i32 e}\nstruct T {1auto: string x}\n");
    parsing_end(&p);
}

static void ids_to_wonder_about_are_warnings(void **state)
{
    (void)state;
    parsing_expect_warnings(
        "struct S {\n  i32 a\n  i32 b\n  -1: i32 c\n  0: i32 d\n}",
        "2:3: warning: a field without an id; it gets -1, and peers may number it otherwise\n"
        "4:3: warning: ids below 1 are for fields that are numbered automatically\n"
        "5:3: warning: ids below 1 are for fields that are numbered automatically\n");
}

static void ids_outside_of_16_bits_are_errors_at_the_id(void **state)
{
    (void)state;
    parsing_expect("struct S {\n  32768: i32 a\n  -32769: i32 b\n  32767: i32 c\n"
                   "  -32768: i32 d\n  99999999999999999999: i32 e\n}",
                   "2:3: a field's id is between -32768 and 32767\n"
                   "3:3: a field's id is between -32768 and 32767\n"
                   "6:3: a field's id is between -32768 and 32767\n");
    parsing_expect("struct S {\n  -32768: i32 a\n  i32 b\n}",
                   "3:3: a field's id is between -32768 and 32767\n");
}

/* ---- text ----------------------------------------------------------------------------------- */

static void text_is(const char *literal, const char *bytes, size_t len)
{
    char    text[256];
    parsing p;
    parsing_start(&p);
    snprintf(text, sizeof text, "const string S = %s", literal);
    idl_file *file = parsing_text(&p, text, strlen(text));
    assert_string_equal(p.reports, "");
    frugal_str found = file->definitions->value->text;
    assert_int_equal(found.len, len);
    assert_memory_equal(found.ptr, bytes, len);
    assert_int_equal(found.ptr[len], '\0');
    parsing_end(&p);
}

#define TEXT_IS(literal, bytes) text_is(literal, bytes, sizeof(bytes) - 1)

static void escapes_are_those_of_apache(void **state)
{
    (void)state;
    TEXT_IS("\"a\\n\\r\\t\\\"\\'\\\\z\"", "a\n\r\t\"'\\z");
    TEXT_IS("'\\'\\\"'", "'\"");
    TEXT_IS("'\\\\'", "\\");
    TEXT_IS("\"'\"", "'");
    TEXT_IS("\"\"", "");
    TEXT_IS("\"\xc5\xbc \xff\"", "\xc5\xbc \xff");
    TEXT_IS("'a\nb'", "a\nb");
}

static void other_escapes_are_told_where_they_are(void **state)
{
    (void)state;
    parsing_expect("const string S = \"a\\q\"\nconst string T = 'x\n\\z\\u0041'\nconst i32 N = 1",
                   "1:20: a backslash stands before n, r, t, a quote or another backslash\n"
                   "3:1: a backslash stands before n, r, t, a quote or another backslash\n"
                   "3:3: a backslash stands before n, r, t, a quote or another backslash\n");
}

static void numbers_out_of_range_are_told_and_passed(void **state)
{
    (void)state;
    parsing_expect("const i64 A = 9223372036854775808\nenum E { A = 99999999999999999999, B }\n"
                   "const list<i64> C = [1, 0xfffffffffffffffff, 2]\nconst double D = 1e999",
                   "1:15: the number does not fit into 64 bits\n"
                   "2:14: the number does not fit into 64 bits\n"
                   "3:25: the number does not fit into 64 bits\n"
                   "4:18: the number is too large for a double\n");
}

/* ---- doc comments --------------------------------------------------------------------------- */

static void doc_comments_belong_to_what_follows(void **state)
{
    (void)state;
    parsing_expect_dump(
        "namespace c x\n"
        "/** of S */ struct S { /** of a */ 1: i32 a, /* no */ 2: i32 b /** of c */\n"
        " 3: i32 c /** lost */ }\n"
        "/** of E */ enum E { /** of A */ A, B }\n"
        "/** of T */ service T { /** of f */ void f(/** of x */ 1: i32 x) }\n"
        "/** of C */ const i32 C = 1 /** of D */ typedef i32 D",
        "namespace c x\n"
        "/*of S*/ struct S {/*of a*/ 1: i32 a, 2: i32 b, /*of c*/ 3: i32 c}\n"
        "/*of E*/ enum E {/*of A*/ A~0, B~1}\n"
        "/*of T*/ service T {/*of f*/ void f(/*of x*/ 1: i32 x)}\n"
        "/*of C*/ const i32 C = 1\n/*of D*/ typedef i32 D\n");
}

static void doc_comments_lose_their_stars(void **state)
{
    (void)state;
    parsing_expect_dump(
        "namespace c x\n/**\n * One.\n *\n *   Two **bold**\n *three\n   four  \n **/ "
        "struct S {}",
        "namespace c x\n/*One.\n\n  Two **bold**\nthree\nfour*/ struct S {}\n");
    parsing_expect_dump("namespace c x\n/**\r\n * a\r\n * b\r\n */\r\nstruct S {}",
                        "namespace c x\n/*a\nb*/ struct S {}\n");
    parsing_expect_dump("namespace c x\n/**x**/ struct S {} /***/ struct T {} /** */ struct U {}",
                        "namespace c x\n/*x*/ struct S {}\nstruct T {}\n/**/ struct U {}\n");
}

static void the_doc_of_a_file_stands_apart(void **state)
{
    (void)state;
    parsing_expect_dump("/** file */\n\nstruct S {}", "/*file*/ \nstruct S {}\n");
    parsing_expect_dump("/** file */ /** of S */ struct S {}", "/*file*/ \n/*of S*/ struct S {}\n");
    parsing_expect_dump("/** file */\n# more\nnamespace c x", "/*file*/ \nnamespace c x\n");
    parsing_expect_dump("/** of S */\nstruct S {}", "/*of S*/ struct S {}\n");
    parsing_expect_dump("/** alone */", "/*alone*/ \n");
}

/* ---- errors --------------------------------------------------------------------------------- */

static void every_rule_is_told_at_the_token_that_breaks_it(void **state)
{
    static const struct {
        const char *text, *errors;
    } rows[] = {
        { "x", "1:1: expected a definition, found `x`\n" },
        { "structFoo {\n  1: i32 a\n}", "1:1: expected a definition, found `structFoo`\n" },
        { "}", "1:1: expected a definition, found `}`\n" },
        { "struct", "1:7: expected a name for the struct, found the end of the file\n" },
        { "struct {", "1:8: expected a name for the struct, found `{`\n" },
        { "union 1 {}", "1:7: expected a name for the union, found `1`\n" },
        { "exception 'x' {}", "1:11: expected a name for the exception, found `'x'`\n" },
        { "struct S 1: i32 a }", "1:10: expected `{`, found `1`\n" },
        { "struct S { 1: i32 a", "1:20: expected a field or `}`, found the end of the file\n" },
        { "struct S {\n", "2:1: expected a field or `}`, found the end of the file\n" },
        { "struct S { 1 i32 a }", "1:14: expected `:` behind the field's id, found `i32`\n" },
        { "struct S { 1: }", "1:15: expected a type, found `}`\n" },
        { "struct S { 1: void a }", "1:15: expected a type, found `void`\n" },
        { "struct S { 1: i32 }", "1:19: expected a field name, found `}`\n" },
        { "struct S { 1: i32, 2: i32 b }", "1:18: expected a field name, found `,`\n" },
        { "struct S { 1: i32 7 }", "1:19: expected a field name, found `7`\n" },
        { "struct S { 1: i32 true }", "1:19: expected a field name, and `true` is a keyword\n" },
        { "struct S { 1: i32 a.b }", "1:19: expected a field name, which has no dot\n" },
        { "struct S { 1: i32 a = }", "1:23: expected a value, found `}`\n" },
        { "struct S { 1: i32 a = i32 }", "1:23: expected a value, found `i32`\n" },
        { "struct S { 1: list i32> a }", "1:20: expected `<`, found `i32`\n" },
        { "struct S { 1: list<i32 a }", "1:24: expected `>`, found `a`\n" },
        { "struct S { 1: list<> a }", "1:20: expected a type, found `>`\n" },
        { "struct S { 1: map<i32; string> a }",
          "1:22: expected `,` and the type of the map's values, found `;`\n" },
        { "struct S { 1: map<i32> a }",
          "1:22: expected `,` and the type of the map's values, found `>`\n" },
        { "struct S { 1: list cpp_type <i32> a }",
          "1:29: expected the C++ type as a literal, found `<`\n" },
        { "struct S { 1: i32 a (k = v) }", "1:26: expected the annotation's text, found `v`\n" },
        { "struct S { 1: i32 a (k = 1) }", "1:26: expected the annotation's text, found `1`\n" },
        { "struct S { 1: i32 a ('k') }", "1:22: expected an annotation or `)`, found `'k'`\n" },
        { "struct S { 1: i32 a,, 2: i32 b }", "1:21: expected a field or `}`, found `,`\n" },
        { "struct S {\n  1: 123,23\n}", "2:6: expected a type, found `123`\n" },
        { "struct S { 1: i32 a };", "1:22: expected a definition, found `;`\n" },
        { "struct list {}", "1:8: expected a name for the struct, and `list` is a keyword\n" },
        { "enum A.b { X }", "1:6: expected a name for the enum, which has no dot\n" },
        { "struct \xc5\xbb { 1: i32 a }",
          "1:8: a name is made of the letters A to Z, digits and _\n" },
        { "enum E { A = }", "1:14: expected a whole number, found `}`\n" },
        { "enum E { A = B }", "1:14: expected a whole number, found `B`\n" },
        { "enum E { A = 1.5 }", "1:14: expected a whole number, found `1.5`\n" },
        { "enum E { A = 1 + 1 }", "1:16: this character has no meaning here\n" },
        { "enum E { 1 }", "1:10: expected a name of the enum or `}`, found `1`\n" },
        { "enum E { A, string, B }",
          "1:13: expected a name of the enum or `}`, and `string` is a keyword\n" },
        { "const i32 = 1", "1:11: expected a name for the constant, found `=`\n" },
        { "const i32 A 1", "1:13: expected `=` and the value of the constant, found `1`\n" },
        { "const i32 A = ", "1:15: expected a value, found the end of the file\n" },
        { "const i32 A = [1,,2]", "1:18: expected a value, found `,`\n" },
        { "const map<i8,i8> A = {1, 2}",
          "1:24: expected `:` and the value of this key, found `,`\n" },
        { "const i32 A = 5.", "1:16: this character has no meaning here\n" },
        { "typedef struct S {} T", "1:9: expected a type, found `struct`\n" },
        { "typedef i32", "1:12: expected a name for the type, found the end of the file\n" },
        { "typedef i32 i32", "1:13: expected a name for the type, and `i32` is a keyword\n" },
        { "senum S { a }", "1:11: expected a literal or `}`, found `a`\n" },
        { "service S { f() }", "1:14: expected a name for the function, found `(`\n" },
        { "service S { void (1: i32 a) }", "1:18: expected a name for the function, found `(`\n" },
        { "service S { void list() }",
          "1:18: expected a name for the function, and `list` is a keyword\n" },
        { "service S { void f }", "1:20: expected `(`, found `}`\n" },
        { "service S { void f( }", "1:21: expected a field or `)`, found `}`\n" },
        { "service S { void f(1: i32 a }", "1:29: expected a field or `)`, found `}`\n" },
        { "service S { void f()) }", "1:21: expected a function or `}`, found `)`\n" },
        { "service S { void f() throws 1: X x) }", "1:29: expected `(`, found `1`\n" },
        { "service S { oneway throws f() }", "1:20: expected `void`, found `throws`\n" },
        { "service S extends { }", "1:19: expected the name of a service, found `{`\n" },
        { "service S extends i32 { }", "1:19: expected the name of a service, found `i32`\n" },
        { "namespace", "1:10: expected a language or `*`, found the end of the file\n" },
        { "namespace c", "1:12: expected the namespace, found the end of the file\n" },
        { "namespace c\nstruct S {}", "2:1: expected the namespace, found `struct`\n" },
        { "include x", "1:9: expected the path of the file as a literal, found `x`\n" },
        { "cpp_include <x>", "1:13: expected the path of the file as a literal, found `<`\n" },
        { "struct S {}\ninclude \"x\"", "2:1: include stands before all definitions\n" },
        { "struct S {}\nnamespace c x\nstruct T {}",
          "2:1: namespace stands before all definitions\n" },
        { "const string S = 'abc", "1:18: the literal is never closed\n" },
        { "struct S {} /* x", "1:13: the comment is never closed\n" },
        { "struct S { 1: i32 a /* x", "1:21: the comment is never closed\n" },
        { "const i32 A = \x01 struct S {}", "1:15: this character has no meaning here\n" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        parsing_expect(rows[i].text, rows[i].errors);
}

static void a_report_has_file_word_and_status(void **state)
{
    parsing p;
    (void)state;
    parsing_start(&p);
    parsing_text(&p, "\nstruct S { 1: wrong! a }", 24);
    assert_int_equal(p.load.errors, 1);
    assert_string_equal(p.words, "!\n");
    assert_int_equal(p.load.first.status, FRUGAL_SYNTAX);
    assert_int_equal(p.load.first.line, 2);
    assert_int_equal(p.load.first.column, 20);
    assert_string_equal(p.load.first.path, "test.thrift");
    assert_string_equal(p.load.first.message, "this character has no meaning here");
    parsing_end(&p);
}

static void a_long_word_is_cut_in_the_sentence(void **state)
{
    (void)state;
    parsing_expect(
        "struct S { 1: i32 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' }",
        "1:19: expected a field name, found "
        "`'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\xe2\x80\xa6`\n");
    parsing_expect("struct S { 1: i32 'a\nb' }",
                   "1:19: expected a field name, found `'a\xe2\x80\xa6`\n");
}

static void errors_are_counted_up_to_the_bound(void **state)
{
    parsing p;
    (void)state;
    parsing_start(&p);
    p.options.error_max      = 2;
    static const char text[] = "const i32 = 1\nconst i32 = 2\nconst i32 = 3\n";
    parsing_text(&p, text, sizeof text - 1);
    assert_int_equal(p.load.errors, 2);
    assert_true(p.load.stopped);
    assert_string_equal(p.reports, "1:11: expected a name for the constant, found `=`\n"
                                   "2:11: expected a name for the constant, found `=`\n");
    parsing_end(&p);
}

/* ---- going on ------------------------------------------------------------------------------- */

static void five_broken_definitions_are_five_reports(void **state)
{
    (void)state;
    parsing_expect("struct A {\n  1: i32\n  2: i32 b\n}\n"
                   "struct {\n  1: i32 x\n}\n"
                   "const i32 = 5\n"
                   "enum E { A = 1 + 1, B }\n"
                   "typedef list<i32 X\n"
                   "struct Fine { 1: i32 a }\n",
                   "3:3: expected a field name, found `2`\n"
                   "5:8: expected a name for the struct, found `{`\n"
                   "8:11: expected a name for the constant, found `=`\n"
                   "9:16: this character has no meaning here\n"
                   "10:18: expected `>`, found `X`\n");
}

static void five_broken_fields_are_five_reports(void **state)
{
    (void)state;
    parsing_expect("struct A {\n"
                   "  1: i32 = 4,\n"
                   "  2: lst<i32> b\n"
                   "  3: i32 c (x = \"y\"\n"
                   "  4: i32 d = [1, ?, 2], 5: map<i32, i32>\n"
                   "  6: i32 ok\n"
                   "}\nstruct B { 1: i32 a }\n",
                   "2:10: expected a field name, found `=`\n"
                   "3:9: expected a field name, found `<`\n"
                   "5:3: expected an annotation or `)`, found `4`\n"
                   "5:18: this character has no meaning here\n"
                   "6:3: expected a field name, found `6`\n");
}

static void five_broken_functions_are_five_reports(void **state)
{
    (void)state;
    parsing_expect("service S {\n"
                   "  void a(1: i32 x\n"
                   "  void b(2: )\n"
                   "  i32 c 1: i32 x)\n"
                   "  oneway d()\n"
                   "  string e(1: string s) throw (1: X x)\n"
                   "  string ok(1: string s)\n"
                   "}\nstruct B { 1: i32 a }\n",
                   "3:3: expected a field or `)`, found `void`\n"
                   "3:13: expected a type, found `)`\n"
                   "4:9: expected `(`, found `1`\n"
                   "5:11: expected a name for the function, found `(`\n"
                   "6:31: expected a name for the function, found `(`\n");
}

static void a_value_over_many_lines_is_given_up_whole(void **state)
{
    (void)state;
    parsing_expect("struct S {\n"
                   "  1: map<i32, string> m = {\n"
                   "    1: \"a\",\n"
                   "    2: ??,\n"
                   "    3: \"c\",\n"
                   "  }, 2: i32 wrong here\n"
                   "  3: i32 b\n"
                   "}\nconst map<i8, i8> C = {\n  1: 2,\n  ? 3: 4\n}\nconst i32 = 1",
                   "4:8: this character has no meaning here\n"
                   "7:3: expected a field name, found `3`\n"
                   "11:3: this character has no meaning here\n"
                   "13:11: expected a name for the constant, found `=`\n");
}

static void a_body_without_an_end_ends_at_the_next_definition(void **state)
{
    (void)state;
    parsing_expect("struct A {\n  1: i32 a\nstruct B { 1: i32 b }\nenum E {\n  X,\nstruct C {}\n"
                   "service S {\n  void f(1: i32 a)\nunion U { 1: i32 a }",
                   "3:1: expected a field or `}`, found `struct`\n"
                   "6:1: expected a name of the enum or `}`, found `struct`\n"
                   "9:1: expected a function or `}`, found `union`\n");
}

static void the_rest_of_a_body_around_a_definition_is_no_news(void **state)
{
    (void)state;
    parsing_expect("struct A {\n  1: i32 a\n  struct B { 1: i32 b }\n  2: i32 c\n}\nstruct D {}\n"
                   "garbage\nstruct E {}",
                   "3:3: expected a field or `}`, found `struct`\n"
                   "7:1: expected a definition, found `garbage`\n");
}

static void what_follows_a_body_given_up_is_still_checked(void **state)
{
    (void)state;
    parsing_expect("struct A {\n  1: i32 a\nstruct B { 1: i32 b }\ngarbage\nstruct C {}\n",
                   "3:1: expected a field or `}`, found `struct`\n"
                   "4:1: expected a definition, found `garbage`\n");
}

static void a_literal_without_an_end_is_one_report(void **state)
{
    (void)state;
    parsing_expect(
        "const string A = \"abc\nconst string B = \"def\"\nstruct S {\n"
        "  1: string a = 'x\n  2: string b = 'y' (k = \"z)\n  3: i32 c\n}\nconst i32 = 1",
        "1:18: the literal is never closed\n"
        "4:17: the literal is never closed\n"
        "5:26: the literal is never closed\n"
        "8:11: expected a name for the constant, found `=`\n");
}

static void arguments_that_run_into_the_next_function_are_one_report(void **state)
{
    (void)state;
    parsing_expect("service S {\n  A a(B\n  C c(1: C x)\n  D d(1: D x)\n  i32 e()\n  void f(1: X\n"
                   "  list<X> g(1: X x)\n  G h(1: X x)\n}\nstruct T {}",
                   "3:6: expected a field name, found `(`\n"
                   "7:3: expected a field name, found `list`\n");
}

static void a_closing_brace_too_early_is_one_report(void **state)
{
    (void)state;
    parsing_expect(
        "struct S {\n  1: }\n  2: list<i32> a = [1, 2],\n  3: S b\n  i32 c\n}\nstruct T {}",
        "2:6: expected a type, found `}`\n");
    parsing_expect(
        "struct S {\n  1: i32 a }\n  2: list<i32> b = [1, 2],\n  3: map<i8,i8> c = {1: 2}\n"
        "  4: i32 d\n}\nstruct T {}\nnonsense",
        "3:3: expected a definition, found `2`\n"
        "8:1: expected a definition, found `nonsense`\n");
}

static void the_tail_of_a_broken_definition_is_no_news(void **state)
{
    (void)state;
    parsing_expect("struct {\n  1: i32 a\n} (k = \"v\")\nstruct A 1: i32 a } (k = \"v\")\n"
                   "typedef struct B {} C\nstrct D { 1: i32 a }\nstrct E { 1: i32 a } (k)\n"
                   "struct F {}",
                   "1:8: expected a name for the struct, found `{`\n"
                   "4:10: expected `{`, found `1`\n"
                   "5:9: expected a type, found `struct`\n"
                   "6:1: expected a definition, found `strct`\n"
                   "7:1: expected a definition, found `strct`\n");
}

static void a_second_type_before_a_name_is_one_report(void **state)
{
    (void)state;
    parsing_expect("service S {\n  X i32 f(1: i32 a)\n  void g()\n}\nconst X i32 C = 1\n"
                   "struct T {\n  1: string\n  map<i8, i8> a\n}",
                   "2:5: expected a name for the function, found `i32`\n"
                   "5:9: expected a name for the constant, found `i32`\n"
                   "8:3: expected a field name, found `map`\n");
}

static void keywords_as_names_do_not_stop_the_reading(void **state)
{
    char    dump[256];
    parsing p;
    (void)state;
    parsing_start(&p);
    static const char text[] = "struct list { 1: i32 a }\nenum E { i32 = 4, B }";
    parsing_dump(parsing_text(&p, text, sizeof text - 1), dump, sizeof dump);
    assert_string_equal(dump, "struct list {1: i32 a}\nenum E {i32=4, B~5}\n");
    assert_int_equal(p.load.errors, 2);
    parsing_end(&p);
}

static void what_is_whole_is_kept_beside_what_is_not(void **state)
{
    char    dump[256];
    parsing p;
    (void)state;
    parsing_start(&p);
    static const char text[] = "struct S { 1: i32 a, 2: , 3: i32 c }\nconst i32 = 4\nenum E { A }";
    parsing_dump(parsing_text(&p, text, sizeof text - 1), dump, sizeof dump);
    assert_string_equal(dump, "struct S {1: i32 a, 3: i32 c}\nenum E {A~0}\n");
    assert_int_equal(p.load.errors, 2);
    parsing_end(&p);
}

static void fbthrift_is_told_apart(void **state)
{
    (void)state;
    parsing_expect(
        "package \"a.b/c\";\n@thrift.Experimental\n@Scope{a = 1, b = {\"x\": [2]}}\n"
        "struct S {\n  @Name{value = \"n\"}\n  1: i32 a;\n  @Last\n}\n"
        "enum E { @X A = 1 }\nservice T { @Y void f(@Z 1: i32 a) }\n",
        "1:1: package is fbthrift's; here a file has namespaces\n"
        "2:1: an annotation with @ is fbthrift's; here they are (key = \"value\") behind "
        "the name\n"
        "3:1: an annotation with @ is fbthrift's; here they are (key = \"value\") behind "
        "the name\n"
        "5:3: an annotation with @ is fbthrift's; here they are (key = \"value\") behind "
        "the name\n"
        "7:3: an annotation with @ is fbthrift's; here they are (key = \"value\") behind "
        "the name\n"
        "9:10: an annotation with @ is fbthrift's; here they are (key = \"value\") behind "
        "the name\n"
        "10:13: an annotation with @ is fbthrift's; here they are (key = \"value\") "
        "behind the name\n"
        "10:23: an annotation with @ is fbthrift's; here they are (key = \"value\") "
        "behind the name\n");
}

/* ---- bounds --------------------------------------------------------------------------------- */

static char *repeat(const char *head, const char *unit, size_t count, const char *tail)
{
    size_t len  = strlen(unit);
    char  *text = malloc(strlen(head) + len * count + strlen(tail) + 1);
    assert_non_null(text);
    char *to = text + sprintf(text, "%s", head);
    for (size_t i = 0; i < count; i++, to += len)
        memcpy(to, unit, len);
    strcpy(to, tail);
    return text;
}

static void expect_repeat(const char *head, const char *unit, size_t count, const char *tail,
                          const char *errors)
{
    char *text = repeat(head, unit, count, tail);
    parsing_expect(text, errors);
    free(text);
}

static void types_and_values_nest_64_deep_and_no_deeper(void **state)
{
    char *close;
    (void)state;
    close = repeat("i32", ">", 64, " T");
    expect_repeat("typedef ", "list<", 64, close, "");
    free(close);
    close = repeat("i32", ">", 65, " T");
    expect_repeat("typedef ", "list<", 65, close, "1:329: types are nested more than 64 deep\n");
    free(close);
    close = repeat("", "]", 64, "");
    expect_repeat("const T C = ", "[", 64, close, "");
    free(close);
    close = repeat("", "]", 65, "");
    expect_repeat("const T C = ", "[", 65, close, "1:77: values are nested more than 64 deep\n");
    free(close);
    expect_repeat("struct S { ", "1: i32 a xsd_attrs { ", 65, "",
                  "1:1365: attributes are nested more than 64 deep\n");
}

static void long_nonsense_is_told_in_few_words(void **state)
{
    (void)state;
    expect_repeat("", "(", 1u << 20, "", "1:1: expected a definition, found `(`\n");
    expect_repeat("", "{", 1u << 20, "", "1:1: expected a definition, found `{`\n");
    expect_repeat("", "}", 1u << 20, "struct S {}", "1:1: expected a definition, found `}`\n");
    expect_repeat("", "<", 1u << 20, "", "1:1: expected a definition, found `<`\n");
    expect_repeat("", "\x80", 1u << 20, "",
                  "1:1: a name is made of the letters A to Z, digits and _\n");
    expect_repeat("", "x", 1u << 20, "",
                  "1:1: expected a definition, found "
                  "`xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\xe2\x80\xa6`\n");
    expect_repeat("", "/", 1u << 20, "", "");
    expect_repeat("x ", "/* ", 1u << 18, "",
                  "1:1: expected a definition, found `x`\n"
                  "1:3: the comment is never closed\n");
    expect_repeat("const T C = ", "[", 1u << 20, "", "1:77: values are nested more than 64 deep\n");
    expect_repeat("const T C = ", "{1:", 1u << 18, "",
                  "1:205: values are nested more than 64 deep\n");
    expect_repeat("typedef ", "list<", 1u << 18, "", "1:329: types are nested more than 64 deep\n");
    expect_repeat("typedef ", "map<", 1u << 18, "", "1:265: types are nested more than 64 deep\n");
    expect_repeat("struct S { 1: i32 a (", "x,", 1u << 18, "",
                  "1:524310: expected an annotation or `)`, found the end of the file\n");
    expect_repeat("struct S {", "1:", 1u << 18, "", "1:13: expected a type, found `1`\n");
    expect_repeat("enum E {", "=", 1u << 18, "",
                  "1:9: expected a name of the enum or `}`, found `=`\n");
    expect_repeat("service S { void f", "(", 1u << 18, "",
                  "1:20: expected a field or `)`, found `(`\n");
}

/* Each quote begins a literal, and each literal could look through the whole file for its end. */
static void quotes_without_partners_are_read_in_one_pass(void **state)
{
    char *text = repeat("", "\"\\\"\n'\n", 1u << 17, "");
    (void)state;
    parsing p;
    parsing_start(&p);
    parsing_text(&p, text, strlen(text));
    assert_true(p.load.errors >= 1 && p.load.errors <= 100);
    parsing_end(&p);
    free(text);
}

static void ten_megabytes_are_read_with_memory_in_proportion(void **state)
{
    char *text = repeat("", "/** doc */ struct S { 1: optional map<string, list<i64>> a = {} }\n",
                        150000, "");
    (void)state;
    parsing p;
    parsing_start(&p);
    p.options.report = NULL;
    idl_file *file   = parsing_text(&p, text, strlen(text));
    assert_int_equal(p.load.errors, 0);
    assert_int_equal(file->definition_count, 150000);
    assert_true(frugal_arena_used(p.load.arena) < 32 * strlen(text));
    parsing_end(&p);
    free(text);
}

static const char everything[] =
    "/** file */\n\nnamespace go a.b (x)\ninclude \"a/b.thrift\"\n"
    "const map<string, list<i32>> C = {'a': [1, 2.5, X]}\ntypedef list<i32> (a) L (b = 'c')\n"
    "/** of E */ enum E { /** A */ A = 1 (x), B } senum Z { 'a' }\n"
    "struct S { 1: required S & a = {} xsd_attrs { 1: i32 x } (y), slist b }\n"
    "service T extends b.U { oneway void f(1: i32 a) throws (1: X x) (z) }\n"
    "const string Q = 'a\\nb\\q' struct ? const i32 = 4\n";

static void every_allocation_that_fails_is_told_and_ends_the_parsing(void **state)
{
    size_t count = 1;
    (void)state;
    for (bool failed = true; failed; count++) {
        parsing p;
        parsing_start(&p);
        p.fail_at = count;
        parsing_text(&p, everything, sizeof everything - 1);
        failed = p.allocations >= count;
        if (failed && p.load.arena) {
            assert_true(p.load.stopped);
            assert_non_null(strstr(p.reports, "0:0: out of memory\n"));
            assert_true(p.load.first.status == FRUGAL_NOMEM || p.load.errors > 1);
        }
        parsing_end(&p);
    }
    assert_true(count > 5);
}

static void every_cut_of_a_text_is_read_to_its_end(void **state)
{
    (void)state;
    for (size_t len = 0; len < sizeof everything; len++) {
        parsing p;
        parsing_start(&p);
        parsing_text(&p, everything, len);
        assert_true(p.load.errors <= 4);
        parsing_end(&p);
    }
}

static void every_change_of_one_byte_is_read_to_its_end(void **state)
{
    static const char changes[] = "{}()[]<>\"'/*\n;,:=@a1 \xff";
    (void)state;
    for (size_t i = 0; i < sizeof everything - 1; i++)
        for (size_t k = 0; k < sizeof changes; k++) {
            char text[sizeof everything];
            memcpy(text, everything, sizeof text);
            text[i] = changes[k];
            parsing p;
            parsing_start(&p);
            parsing_text(&p, text, sizeof text - 1);
            parsing_end(&p);
        }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_file_has_nothing),
        cmocka_unit_test(headers_are_namespaces_and_includes),
        cmocka_unit_test(constants_have_values_of_every_kind),
        cmocka_unit_test(typedefs_take_any_type),
        cmocka_unit_test(cpp_type_is_passed_wherever_it_may_stand),
        cmocka_unit_test(enums_count_on_from_the_value_before),
        cmocka_unit_test(the_last_of_all_numbers_is_not_counted_beyond),
        cmocka_unit_test(records_have_fields_with_all_their_parts),
        cmocka_unit_test(services_have_functions_with_all_their_parts),
        cmocka_unit_test(annotations_may_lack_values_and_repeat_keys),
        cmocka_unit_test(words_of_xml_schemas_are_passed),
        cmocka_unit_test(old_words_are_read_with_a_warning),
        cmocka_unit_test(headers_of_old_files_are_namespaces),
        cmocka_unit_test(constructs_of_public_files_are_read),
        cmocka_unit_test(keywords_may_name_fields_and_arguments),
        cmocka_unit_test(words_that_begin_like_keywords_are_names),
        cmocka_unit_test(a_definition_may_be_called_uuid),
        cmocka_unit_test(fields_without_ids_are_numbered_downwards_as_apache_does),
        cmocka_unit_test(an_id_below_one_moves_the_numbering_below_it),
        cmocka_unit_test(thriftgo_numbers_upwards_from_the_field_before),
        cmocka_unit_test(ids_to_wonder_about_are_warnings),
        cmocka_unit_test(ids_outside_of_16_bits_are_errors_at_the_id),
        cmocka_unit_test(escapes_are_those_of_apache),
        cmocka_unit_test(other_escapes_are_told_where_they_are),
        cmocka_unit_test(numbers_out_of_range_are_told_and_passed),
        cmocka_unit_test(doc_comments_belong_to_what_follows),
        cmocka_unit_test(doc_comments_lose_their_stars),
        cmocka_unit_test(the_doc_of_a_file_stands_apart),
        cmocka_unit_test(every_rule_is_told_at_the_token_that_breaks_it),
        cmocka_unit_test(a_report_has_file_word_and_status),
        cmocka_unit_test(a_long_word_is_cut_in_the_sentence),
        cmocka_unit_test(errors_are_counted_up_to_the_bound),
        cmocka_unit_test(five_broken_definitions_are_five_reports),
        cmocka_unit_test(five_broken_fields_are_five_reports),
        cmocka_unit_test(five_broken_functions_are_five_reports),
        cmocka_unit_test(a_value_over_many_lines_is_given_up_whole),
        cmocka_unit_test(a_body_without_an_end_ends_at_the_next_definition),
        cmocka_unit_test(the_rest_of_a_body_around_a_definition_is_no_news),
        cmocka_unit_test(what_follows_a_body_given_up_is_still_checked),
        cmocka_unit_test(a_literal_without_an_end_is_one_report),
        cmocka_unit_test(arguments_that_run_into_the_next_function_are_one_report),
        cmocka_unit_test(a_closing_brace_too_early_is_one_report),
        cmocka_unit_test(the_tail_of_a_broken_definition_is_no_news),
        cmocka_unit_test(a_second_type_before_a_name_is_one_report),
        cmocka_unit_test(keywords_as_names_do_not_stop_the_reading),
        cmocka_unit_test(what_is_whole_is_kept_beside_what_is_not),
        cmocka_unit_test(fbthrift_is_told_apart),
        cmocka_unit_test(types_and_values_nest_64_deep_and_no_deeper),
        cmocka_unit_test(long_nonsense_is_told_in_few_words),
        cmocka_unit_test(quotes_without_partners_are_read_in_one_pass),
        cmocka_unit_test(ten_megabytes_are_read_with_memory_in_proportion),
        cmocka_unit_test(every_allocation_that_fails_is_told_and_ends_the_parsing),
        cmocka_unit_test(every_cut_of_a_text_is_read_to_its_end),
        cmocka_unit_test(every_change_of_one_byte_is_read_to_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
