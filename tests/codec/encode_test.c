/* codec/encode_test.c - values become the bytes that they mean: what is written when, the three
 * doors, options, and records that cannot be written. The kinds themselves are in decode_test.c,
 * both ways. */
#include "codec/codec_check.h"

/* ---- what is written ------------------------------------------------------------------------ */

struct inner {
    FRUGAL_OPT(int32_t) x;
};
FRUGAL_STRUCT_LOCAL(inner, FRUGAL_FIELD(inner, x, 1, optional));
struct outer {
    frugal_bytes                    binary;
    struct inner                   *a, *b;
    FRUGAL_MAP(frugal_str, int64_t) map;
    FRUGAL_SET(int32_t)             set;
    int32_t                         number;
    bool                            flag;
    FRUGAL_LIST(struct inner *)     list;
};
FRUGAL_STRUCT_LOCAL(outer,
    FRUGAL_FIELD(outer, binary, 1, optional, binary),
    FRUGAL_FIELD(outer, a, 2, struct(inner)),
    FRUGAL_FIELD(outer, b, 3, required, struct(inner)),
    FRUGAL_FIELD(outer, map, 4, map(string, i64)),
    FRUGAL_FIELD(outer, set, 6, set(i32)),
    FRUGAL_FIELD(outer, number, 7),
    FRUGAL_FIELD(outer, flag, 8),
    FRUGAL_FIELD(outer, list, 9, optional, list(struct(inner))));

static void zeroes_are_written_but_for_what_is_optional(void **state)
{
    struct outer it = { 0 };
    (void)state;
    assert_encodes(FRUGAL_VIEW(outer, &it),
                   "0c 0002 00  0c 0003 00  0d 0004 0b 0a 00000000"
                   "  0e 0006 08 00000000  08 0007 00000000  02 0008 00  00");
}

static void null_where_a_struct_must_be_is_an_empty_struct(void **state)
{
    struct inner  one    = { FRUGAL_SOME(7) };
    struct inner *list[] = { NULL, &one, NULL };
    struct outer  it     = { .a = &one, .list = FRUGAL_ARRAY(list) };
    (void)state;
    assert_encodes(FRUGAL_VIEW(outer, &it),
                   "0c 0002 08 0001 00000007 00  0c 0003 00  0d 0004 0b 0a 00000000"
                   "  0e 0006 08 00000000  08 0007 00000000  02 0008 00"
                   "  0f 0009 0c 00000003 00 08 0001 00000007 00 00  00");
}

static void an_empty_text_that_is_present_is_written(void **state)
{
    struct outer it = { .binary = { (const uint8_t *)"", 0 } };
    size_t       size;
    (void)state;
    assert_int_equal(frugal_encoded_size(FRUGAL_VIEW(outer, &it), NULL, &size, NULL), FRUGAL_OK);
    it.binary.ptr = NULL;
    size_t without;
    assert_int_equal(frugal_encoded_size(FRUGAL_VIEW(outer, &it), NULL, &without, NULL), FRUGAL_OK);
    assert_int_equal(size, without + 7);
}

static void the_value_of_an_absent_scalar_does_not_matter(void **state)
{
    struct inner it = { { .value = 99, .has = false } };
    (void)state;
    assert_encodes(FRUGAL_VIEW(inner, &it), "00");
}

/* The table's order, the C struct's and that of the ids are three orders. */
struct jumbled {
    int8_t c, a, b;
};
FRUGAL_STRUCT_LOCAL(jumbled,
    FRUGAL_FIELD(jumbled, b, 2),
    FRUGAL_FIELD(jumbled, c, 3),
    FRUGAL_FIELD(jumbled, a, 1));

static void fields_are_written_by_ascending_id(void **state)
{
    struct jumbled it = { .a = 1, .b = 2, .c = 3 };
    (void)state;
    assert_encodes(FRUGAL_VIEW(jumbled, &it), "03 0001 01 03 0002 02 03 0003 03 00");
}

enum colour { RED, BLUE = -7 };
FRUGAL_ENUM_LOCAL(colour, FRUGAL_ITEM(RED), FRUGAL_ITEM(BLUE));
struct painted {
    enum colour              colour;
    FRUGAL_LIST(enum colour) list;
};
FRUGAL_STRUCT_LOCAL(painted,
    FRUGAL_FIELD(painted, colour, 1, enum(colour)),
    FRUGAL_FIELD(painted, list, 2, list(enum(colour))));

static void an_enum_is_an_i32_whether_it_has_a_name_or_not(void **state)
{
    enum colour    list[] = { RED, BLUE };
    struct painted it     = { BLUE, FRUGAL_ARRAY(list) };
    (void)state;
    assert_encodes(FRUGAL_VIEW(painted, &it),
                   "08 0001 fffffff9  0f 0002 08 00000002 00000000 fffffff9  00");
    assert_decodes(FRUGAL_REF(painted, &it), "08 0001 00012345  0f 0002 08 00000000  00");
    assert_int_equal((int)it.colour, 0x12345);
}

/* ---- the doors ------------------------------------------------------------------------------ */

static void encode_appends(void **state)
{
    struct jumbled it = { 3, 1, 2 };
    frugal_buf     out;
    uint8_t        storage[4];
    (void)state;
    frugal_buf_init(&out, storage, sizeof storage, NULL);
    assert_int_equal(frugal_encode(FRUGAL_VIEW(jumbled, &it), NULL, &out, NULL), FRUGAL_OK);
    assert_int_equal(frugal_encode(FRUGAL_VIEW(jumbled, &it), NULL, &out, NULL), FRUGAL_OK);
    assert_int_equal(out.size, 26);
    assert_memory_equal(out.data, out.data + 13, 13);
    frugal_buf_release(&out);
}

static void encode_starts_on_an_empty_buffer(void **state)
{
    struct inner it = { 0 };
    frugal_buf   out;
    (void)state;
    frugal_buf_init(&out, NULL, 0, NULL);
    assert_int_equal(frugal_encode(FRUGAL_VIEW(inner, &it), NULL, &out, NULL), FRUGAL_OK);
    assert_true(out.size == 1 && out.data[0] == 0);
    frugal_buf_release(&out);
}

static void a_buffer_that_is_too_small_says_how_much_is_short(void **state)
{
    struct jumbled it = { 3, 1, 2 };
    frugal_buf     out;
    uint8_t        storage[12];
    size_t         size = 99;
    (void)state;
    frugal_buf_init_fixed(&out, storage, sizeof storage);
    assert_int_equal(frugal_encode(FRUGAL_VIEW(jumbled, &it), NULL, &out, &check.error),
                     FRUGAL_NOSPACE);
    assert_string_equal(check.error.message, "output buffer too small: 1 byte short of 13");
    assert_int_equal(out.size, 0);
    assert_int_equal(
        frugal_encode_to(FRUGAL_VIEW(jumbled, &it), NULL, storage, 3, &size, &check.error),
        FRUGAL_NOSPACE);
    assert_string_equal(check.error.message, "output buffer too small: 10 bytes short of 13");
    assert_int_equal(
        frugal_encode_to(FRUGAL_VIEW(jumbled, &it), NULL, NULL, 0, &size, &check.error),
        FRUGAL_NOSPACE);
    assert_int_equal(size, 99);
}

static void encode_to_fills_room_to_the_last_byte_and_size_may_be_null(void **state)
{
    struct jumbled it = { 3, 1, 2 };
    (void)state;
    assert_int_equal(
        frugal_encode_to(FRUGAL_VIEW(jumbled, &it), NULL, check.pages.end - 13, 13, NULL, NULL),
        FRUGAL_OK);
}

static void wrong_arguments_are_refused(void **state)
{
    struct inner          it      = { 0 };
    frugal_view           value   = FRUGAL_VIEW(inner, &it);
    frugal_view           nothing = { FRUGAL_TYPE(inner), NULL }, untyped = { NULL, &it };
    frugal_encode_options deep = { .depth_max = 1025 }, sized = { .struct_size = 1 };
    frugal_encode_options odd  = { .protocol = (frugal_protocol)7 };
    frugal_encode_options good = { .struct_size = sizeof good };
    uint8_t               out[8];
    size_t                size = 99;
    (void)state;
    assert_encode_fails(nothing, FRUGAL_INVALID, "", "no record to encode");
    assert_int_equal(frugal_encoded_size(untyped, NULL, &size, NULL), FRUGAL_INVALID);
    assert_int_equal(frugal_encoded_size(value, &deep, &size, &check.error), FRUGAL_INVALID);
    assert_non_null(strstr(check.error.message, "depth_max"));
    assert_int_equal(frugal_encoded_size(value, &odd, &size, NULL), FRUGAL_INVALID);
    assert_int_equal(frugal_encoded_size(value, &sized, &size, NULL), FRUGAL_INVALID);
    assert_int_equal(frugal_encode_to(value, NULL, NULL, 8, &size, NULL), FRUGAL_INVALID);
    assert_int_equal(frugal_encode(value, NULL, NULL, NULL), FRUGAL_INVALID);
    assert_int_equal(size, 99);
    assert_int_equal(frugal_encode_to(value, &good, out, sizeof out, &size, NULL), FRUGAL_OK);
    assert_int_equal(size, 1);
}

/* ---- records that cannot be written --------------------------------------------------------- */

struct choice {
    int32_t which;
    union {
        int32_t    number;
        frugal_str text;
    };
};
FRUGAL_UNION_LOCAL(choice, which, FRUGAL_ARM(choice, number, 1), FRUGAL_ARM(choice, text, 2));
static const frugal_str start = { "start", 5 };
struct fragile {
    frugal_str                         text, optional;
    FRUGAL_LIST(int32_t)               vector;
    FRUGAL_LIST(bool)                  bools;
    FRUGAL_LIST(struct choice)         list;
    FRUGAL_MAP(int32_t, struct choice) map;
    frugal_bytes                       kept;
};
FRUGAL_STRUCT_LOCAL(fragile,
    FRUGAL_FIELD(fragile, text, 1),
    FRUGAL_FIELD_WITH(fragile, optional, 2, optional, string, .initial = &start),
    FRUGAL_FIELD(fragile, vector, 3, optional, list(i32)),
    FRUGAL_FIELD(fragile, bools, 4, optional, list(bool)),
    FRUGAL_FIELD(fragile, list, 5, optional, list(struct(choice))),
    FRUGAL_FIELD(fragile, map, 6, optional, map(i32, struct(choice))),
    FRUGAL_UNKNOWN(fragile, kept));

static void assert_fragile_fails(const struct fragile *it, const char *path, const char *sentence)
{
    static const frugal_encode_options skip = { .skip_defaults = true },
                                       sort = { .canonical = true };
    assert_encode_fails(FRUGAL_VIEW(fragile, it), FRUGAL_INVALID, path, sentence);
    assert_encode_fails_with(FRUGAL_VIEW(fragile, it), &skip, FRUGAL_INVALID, path, sentence);
    assert_int_equal(frugal_encoded_size(FRUGAL_VIEW(fragile, it), &sort, &(size_t){ 0 }, NULL),
                     FRUGAL_INVALID);
}

static void null_with_a_length_is_refused(void **state)
{
    static const char sentence[] = "NULL with a length of 5";
    (void)state;
    assert_fragile_fails(&(struct fragile){ .text = { NULL, 5 } }, "text", sentence);
    assert_fragile_fails(&(struct fragile){ .optional = { NULL, 5 } }, "optional", sentence);
    assert_fragile_fails(&(struct fragile){ .vector = { NULL, 5 } }, "vector", sentence);
    assert_fragile_fails(&(struct fragile){ .bools = { NULL, 5 } }, "bools", sentence);
    assert_fragile_fails(&(struct fragile){ .list = { NULL, 5 } }, "list", sentence);
    assert_fragile_fails(&(struct fragile){ .map = { NULL, 5 } }, "map", sentence);
    assert_fragile_fails(&(struct fragile){ .kept = { NULL, 5 } }, "kept", sentence);
}

static void an_arm_that_does_not_exist_is_refused(void **state)
{
    struct choice  choices[] = { { .which = 1 }, { .which = 3 } };
    struct fragile it        = { .list = FRUGAL_ARRAY(choices) };
    struct choice  root      = { .which = 0x10001 };
    (void)state;
    assert_fragile_fails(&it, "list[1]", "union choice has no arm 3");
    assert_encode_fails(FRUGAL_VIEW(choice, &root), FRUGAL_INVALID, "",
                        "union choice has no arm 65537");
}

static void a_path_leads_to_what_cannot_be_written(void **state)
{
    struct fragile it  = { 0 };
    struct choice  bad = { .which = 2, .text = { NULL, 1 } };
    (void)state;
    assert_decodes(FRUGAL_REF(fragile, &it), "0d 0006 08 0c 00000001 ffffffff 00 00");
    it.map.ptr[0].value = bad;
    assert_encode_fails(FRUGAL_VIEW(fragile, &it), FRUGAL_INVALID, "map{-1}.text",
                        "NULL with a length of 1");
}

static void more_than_2_to_the_31_minus_1_is_refused(void **state)
{
    /* Never read: refused by its length alone. */
    struct fragile it   = { .text = { "x", (size_t)INT32_MAX + 1 } };
    size_t         size = 99;
    uint8_t        out[16];
    (void)state;
    assert_int_equal(frugal_encoded_size(FRUGAL_VIEW(fragile, &it), NULL, &size, &check.error),
                     FRUGAL_SIZE);
    assert_string_equal(check.error.path, "text");
    assert_int_equal(frugal_encode_to(FRUGAL_VIEW(fragile, &it), NULL, out, sizeof out, NULL, NULL),
                     FRUGAL_SIZE);
    it.text.len = INT32_MAX; /* and its header are too much together */
    assert_int_equal(frugal_encoded_size(FRUGAL_VIEW(fragile, &it), NULL, &size, NULL),
                     FRUGAL_SIZE);
    it.text       = FRUGAL_STR("");
    it.vector.ptr = (int32_t[]){ 1 };
    it.vector.len = (size_t)INT32_MAX / 4 + 1;
    assert_int_equal(frugal_encoded_size(FRUGAL_VIEW(fragile, &it), NULL, &size, NULL),
                     FRUGAL_SIZE);
    it.vector.len = (size_t)1 << 62; /* times four is nothing */
    assert_int_equal(frugal_encoded_size(FRUGAL_VIEW(fragile, &it), NULL, &size, NULL),
                     FRUGAL_SIZE);
    assert_int_equal(frugal_encode_to(FRUGAL_VIEW(fragile, &it), NULL, out, sizeof out, NULL, NULL),
                     FRUGAL_SIZE);
    it.vector.ptr = NULL;
    it.vector.len = 0;
    it.list.ptr   = (struct choice[]){ { 0 } };
    it.list.len   = SIZE_MAX / sizeof(struct choice);
    assert_int_equal(frugal_encoded_size(FRUGAL_VIEW(fragile, &it), NULL, &size, NULL),
                     FRUGAL_SIZE);
    assert_int_equal(size, 99);
}

static void the_error_of_encoding_says_where_the_output_had_come_to(void **state)
{
    struct fragile it = { .text = FRUGAL_STR("abc"), .vector = { NULL, 5 } };
    uint8_t        out[64];
    (void)state;
    assert_int_equal(
        frugal_encode_to(FRUGAL_VIEW(fragile, &it), NULL, out, sizeof out, NULL, &check.error),
        FRUGAL_INVALID);
    assert_in_range(check.error.offset, 10, 18);
}

/* ---- skip_defaults -------------------------------------------------------------------------- */

static const bool           flag_start   = true;
static const int64_t        number_start = 5;
static const double         real_start   = 1.5;
static const enum colour    paint_start  = BLUE;
static const frugal_bytes   bytes_start  = { (const uint8_t *)"\0\1", 2 };
typedef FRUGAL_LIST(int8_t) i8_list;
static const i8_list        list_start = { 0 };
struct defaulted {
    FRUGAL_OPT(bool)        flag;
    FRUGAL_OPT(int64_t)     number;
    FRUGAL_OPT(double)      real;
    FRUGAL_OPT(enum colour) paint;
    frugal_str              text;
    frugal_bytes            bytes;
    i8_list                 list;
    FRUGAL_OPT(int8_t)      plain;
};
FRUGAL_STRUCT_LOCAL(defaulted,
    FRUGAL_FIELD_WITH(defaulted, flag, 1, optional, bool, .initial = &flag_start),
    FRUGAL_FIELD_WITH(defaulted, number, 2, optional, i64, .initial = &number_start),
    FRUGAL_FIELD_WITH(defaulted, real, 3, optional, double, .initial = &real_start),
    FRUGAL_FIELD_WITH(defaulted, paint, 4, optional, enum(colour), .initial = &paint_start),
    FRUGAL_FIELD_WITH(defaulted, text, 5, optional, string, .initial = &start),
    FRUGAL_FIELD_WITH(defaulted, bytes, 6, optional, binary, .initial = &bytes_start),
    FRUGAL_FIELD_WITH(defaulted, list, 7, optional, list(i8), .initial = &list_start),
    FRUGAL_FIELD(defaulted, plain, 8, optional));

static void skip_defaults_leaves_out_equal_scalars_and_texts(void **state)
{
    static const frugal_encode_options skip = { .skip_defaults = true };
    int8_t                             none[1];
    struct defaulted                   it = { FRUGAL_SOME(true), FRUGAL_SOME(5), FRUGAL_SOME(1.5),
                                              FRUGAL_SOME(BLUE), { "start", 5 }, { (const uint8_t *)"\0\1", 2 },
                                              { none, 0 },       FRUGAL_SOME(0) };
    (void)state;
    assert_encodes_with(FRUGAL_VIEW(defaulted, &it), "0f 0007 03 00000000  03 0008 00  00", &skip);
    it.flag.value   = false;
    it.number.value = 6;
    it.real.value   = -1.5;
    it.text         = FRUGAL_STR("started");
    it.bytes.len    = 1;
    assert_encodes_with(FRUGAL_VIEW(defaulted, &it),
                        "02 0001 00  0a 0002 0000000000000006  04 0003 bff8000000000000"
                        "  0b 0005 00000007 73746172746564  0b 0006 00000001 00"
                        "  0f 0007 03 00000000  03 0008 00  00",
                        &skip);
}

static void without_the_option_what_is_present_is_written(void **state)
{
    struct defaulted it = { .number = FRUGAL_SOME(5) };
    (void)state;
    assert_encodes(FRUGAL_VIEW(defaulted, &it), "0a 0002 0000000000000005 00");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zeroes_are_written_but_for_what_is_optional),
        cmocka_unit_test(null_where_a_struct_must_be_is_an_empty_struct),
        cmocka_unit_test(an_empty_text_that_is_present_is_written),
        cmocka_unit_test(the_value_of_an_absent_scalar_does_not_matter),
        cmocka_unit_test(fields_are_written_by_ascending_id),
        cmocka_unit_test(an_enum_is_an_i32_whether_it_has_a_name_or_not),
        cmocka_unit_test(encode_appends),
        cmocka_unit_test(encode_starts_on_an_empty_buffer),
        cmocka_unit_test(a_buffer_that_is_too_small_says_how_much_is_short),
        cmocka_unit_test(encode_to_fills_room_to_the_last_byte_and_size_may_be_null),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(null_with_a_length_is_refused),
        cmocka_unit_test(an_arm_that_does_not_exist_is_refused),
        cmocka_unit_test(a_path_leads_to_what_cannot_be_written),
        cmocka_unit_test(more_than_2_to_the_31_minus_1_is_refused),
        cmocka_unit_test(the_error_of_encoding_says_where_the_output_had_come_to),
        cmocka_unit_test(skip_defaults_leaves_out_equal_scalars_and_texts),
        cmocka_unit_test(without_the_option_what_is_present_is_written),
    };
    return cmocka_run_group_tests_name("codec: encode", tests, check_set_up, check_tear_down);
}
