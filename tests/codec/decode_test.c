/* codec/decode_test.c - bytes become the values that they say: kinds, presence, options, arguments.
 * What is out of the ordinary among fields is resync_test.c, what is wrong with bytes fault_test.c.
 */
#include "codec/codec_check.h"

#include <stdlib.h>

/* ---- Frugal's example ----------------------------------------------------------------------- */

enum ex_enum { EX_A, EX_B, EX_C };
FRUGAL_ENUM_LOCAL(ex_enum, FRUGAL_ITEM(EX_A), FRUGAL_ITEM(EX_B), FRUGAL_ITEM(EX_C));

struct example {
    FRUGAL_OPT(bool)                opt_bool;
    bool                            req_bool;
    FRUGAL_OPT(int8_t)              opt_i8;
    int8_t                          req_i8;
    FRUGAL_OPT(int16_t)             opt_i16;
    int16_t                         req_i16;
    FRUGAL_OPT(int32_t)             opt_i32;
    int32_t                         req_i32;
    FRUGAL_OPT(int64_t)             opt_i64;
    int64_t                         req_i64;
    frugal_str                      opt_string;
    frugal_str                      req_string;
    frugal_bytes                    opt_binary;
    frugal_bytes                    req_binary;
    FRUGAL_SET(int64_t)             opt_set;
    FRUGAL_SET(int64_t)             req_set;
    FRUGAL_LIST(int64_t)            opt_list;
    FRUGAL_LIST(int64_t)            req_list;
    FRUGAL_MAP(int64_t, frugal_str) opt_map;
    FRUGAL_MAP(int64_t, frugal_str) req_map;
    FRUGAL_OPT(enum ex_enum)        opt_enum;
    enum ex_enum                    req_enum;
};
FRUGAL_STRUCT_LOCAL(example,
    FRUGAL_FIELD(example, opt_bool,    1, optional),
    FRUGAL_FIELD(example, req_bool,    2, required),
    FRUGAL_FIELD(example, opt_i8,      3, optional),
    FRUGAL_FIELD(example, req_i8,      4, required),
    FRUGAL_FIELD(example, opt_i16,     5, optional),
    FRUGAL_FIELD(example, req_i16,     6, required),
    FRUGAL_FIELD(example, opt_i32,     7, optional),
    FRUGAL_FIELD(example, req_i32,     8, required),
    FRUGAL_FIELD(example, opt_i64,     9, optional),
    FRUGAL_FIELD(example, req_i64,    10, required),
    FRUGAL_FIELD(example, opt_string, 11, optional, string),
    FRUGAL_FIELD(example, req_string, 12, required),
    FRUGAL_FIELD(example, opt_binary, 13, optional, binary),
    FRUGAL_FIELD(example, req_binary, 14, required),
    FRUGAL_FIELD(example, opt_set,    15, optional, set(i64)),
    FRUGAL_FIELD(example, req_set,    16, required, set(i64)),
    FRUGAL_FIELD(example, opt_list,   17, optional, list(i64)),
    FRUGAL_FIELD(example, req_list,   18, required, list(i64)),
    FRUGAL_FIELD(example, opt_map,    19, optional, map(i64, string)),
    FRUGAL_FIELD(example, req_map,    20, required, map(i64, string)),
    FRUGAL_FIELD(example, opt_enum,   21, optional, enum(ex_enum)),
    FRUGAL_FIELD(example, req_enum,   22, required, enum(ex_enum)));

#define EXAMPLE_REQUIRED_8                                                             \
    "02 0002 01  03 0004 ff  06 0006 7fff  08 0008 80000000  0a 000a 7fffffffffffffff" \
    "  0b 000c 00000003 616263  0b 000e 00000002 00ff"
#define EXAMPLE_FULL                                                               \
    "02 0001 00  02 0002 01  03 0003 80  03 0004 ff  06 0005 8000  06 0006 7fff"   \
    "  08 0007 7fffffff  08 0008 80000000  0a 0009 8000000000000000"               \
    "  0a 000a 7fffffffffffffff  0b 000b 00000002 6869  0b 000c 00000003 616263"   \
    "  0b 000d 00000001 00  0b 000e 00000002 00ff"                                 \
    "  0e 000f 0a 00000001 0000000000000001  0e 0010 0a 00000000"                  \
    "  0f 0011 0a 00000002 0000000000000001 fffffffffffffffe  0f 0012 0a 00000001" \
    "  0000000000000007  0d 0013 0a 0b 00000001 0000000000000005 00000001 78"      \
    "  0d 0014 0a 0b 00000000  08 0015 00000002  08 0016 00000001 00"

static void every_kind_of_the_example_is_read(void **state)
{
    struct example it;
    (void)state;
    assert_decodes(FRUGAL_REF(example, &it), EXAMPLE_FULL);
    assert_true(it.opt_bool.has && !it.opt_bool.value && it.req_bool);
    assert_true(it.opt_i8.has && it.opt_i8.value == INT8_MIN && it.req_i8 == -1);
    assert_true(it.opt_i16.has && it.opt_i16.value == INT16_MIN && it.req_i16 == INT16_MAX);
    assert_true(it.opt_i32.has && it.opt_i32.value == INT32_MAX && it.req_i32 == INT32_MIN);
    assert_true(it.opt_i64.has && it.opt_i64.value == INT64_MIN && it.req_i64 == INT64_MAX);
    assert_int_equal(it.opt_string.len, 2);
    assert_memory_equal(it.opt_string.ptr, "hi", 2);
    assert_memory_equal(it.req_string.ptr, "abc", 3);
    assert_int_equal(it.opt_binary.len, 1);
    assert_memory_equal(it.req_binary.ptr, "\0\xff", 2);
    assert_true(it.opt_set.len == 1 && it.opt_set.ptr[0] == 1 && it.req_set.len == 0);
    assert_true(it.opt_list.len == 2 && it.opt_list.ptr[0] == 1 && it.opt_list.ptr[1] == -2);
    assert_true(it.req_list.len == 1 && it.req_list.ptr[0] == 7);
    assert_true(it.opt_map.len == 1 && it.opt_map.ptr[0].key == 5);
    assert_true(it.opt_map.ptr[0].value.len == 1 && it.opt_map.ptr[0].value.ptr[0] == 'x');
    assert_int_equal(it.req_map.len, 0);
    assert_true(it.opt_enum.has && it.opt_enum.value == EX_C && it.req_enum == EX_B);
    assert_encodes(FRUGAL_VIEW(example, &it), EXAMPLE_FULL);
}

static void absent_optional_fields_of_the_example_are_absent(void **state)
{
    static const char hex[] = EXAMPLE_REQUIRED_8
        "0e 0010 0a 00000000  0f 0012 0a 00000000  0d 0014 0a 0b 00000000  08 0016 00000000 00";
    struct example it;
    (void)state;
    assert_decodes(FRUGAL_REF(example, &it), hex);
    assert_false(it.opt_bool.has || it.opt_i8.has || it.opt_i16.has || it.opt_i32.has
                 || it.opt_i64.has || it.opt_enum.has);
    assert_null(it.opt_string.ptr);
    assert_null(it.opt_binary.ptr);
    assert_null(it.opt_set.ptr);
    assert_null(it.opt_list.ptr);
    assert_null(it.opt_map.ptr);
    assert_encodes(FRUGAL_VIEW(example, &it), hex);
}

static void what_was_in_the_record_does_not_matter(void **state)
{
    struct example once, twice;
    (void)state;
    memset(&once, 0xff, sizeof once);
    memset(&twice, 0x00, sizeof twice);
    assert_decodes(FRUGAL_REF(example, &once), EXAMPLE_FULL);
    assert_decodes(FRUGAL_REF(example, &twice), EXAMPLE_FULL);
    assert_true(frugal_equal(FRUGAL_VIEW(example, &once), FRUGAL_VIEW(example, &twice)));
}

/* ---- presence ------------------------------------------------------------------------------- */

struct holder {
    frugal_str               text;
    FRUGAL_LIST(int32_t)     list;
    FRUGAL_MAP(bool, int8_t) map;
    frugal_bytes             bytes;
    struct holder           *next;
};
FRUGAL_STRUCT_LOCAL(holder,
    FRUGAL_FIELD(holder, text,  1, optional, string),
    FRUGAL_FIELD(holder, list,  2, optional, list(i32)),
    FRUGAL_FIELD(holder, map,   3, optional, map(bool, i8)),
    FRUGAL_FIELD(holder, bytes, 4, optional, binary),
    FRUGAL_FIELD(holder, next,  5, optional, struct(holder)));

static void an_empty_value_that_is_present_has_a_pointer(void **state)
{
    static const char hex[] = "0b 0001 00000000  0f 0002 08 00000000  0d 0003 02 03 00000000"
                              "  0b 0004 00000000  0c 0005 00  00";
    struct holder     it;
    (void)state;
    assert_decodes(FRUGAL_REF(holder, &it), hex);
    assert_true(it.text.ptr && it.text.len == 0);
    assert_true(it.list.ptr && it.list.len == 0);
    assert_true(it.map.ptr && it.map.len == 0);
    assert_true(it.bytes.ptr && it.bytes.len == 0);
    assert_true(it.next && it.next->text.ptr == NULL && it.next->next == NULL);
    assert_encodes(FRUGAL_VIEW(holder, &it), hex);
}

static void an_empty_container_may_be_of_any_type(void **state)
{
    struct holder it;
    (void)state;
    assert_decodes(FRUGAL_REF(holder, &it), "0f 0002 00 00000000  0d 0003 00 00 00000000  00");
    assert_true(it.list.ptr && it.list.len == 0 && it.map.ptr && it.map.len == 0);
    assert_decodes(FRUGAL_REF(holder, &it), "0f 0002 0c 00000000  0d 0003 7f ff 00000000  00");
    assert_true(it.list.ptr && it.map.ptr);
}

struct bools {
    bool                   one;
    FRUGAL_LIST(bool)      list;
    FRUGAL_SET(bool)       set;
    FRUGAL_MAP(bool, bool) map;
};
FRUGAL_STRUCT_LOCAL(bools,
    FRUGAL_FIELD(bools, one, 1),
    FRUGAL_FIELD(bools, list, 2, list(bool)),
    FRUGAL_FIELD(bools, set, 3, set(bool)),
    FRUGAL_FIELD(bools, map, 4, map(bool, bool)));

static void a_bool_is_stored_as_0_or_1_whatever_the_byte(void **state)
{
    struct bools it;
    uint8_t      bytes[4];
    (void)state;
    assert_decodes(FRUGAL_REF(bools, &it),
                   "02 0001 ff  0f 0002 02 00000003 00 02 80"
                   "  0e 0003 02 00000001 7f  0d 0004 02 02 00000001 03 04 00");
    memcpy(bytes, &it.one, 1);
    assert_int_equal(bytes[0], 1);
    memcpy(bytes, it.list.ptr, 3);
    assert_memory_equal(bytes, "\0\1\1", 3);
    memcpy(bytes, it.set.ptr, 1);
    memcpy(bytes + 1, it.map.ptr, 2);
    assert_memory_equal(bytes, "\1\1\1", 3);
    assert_encodes(FRUGAL_VIEW(bools, &it),
                   "02 0001 01  0f 0002 02 00000003 00 01 01"
                   "  0e 0003 02 00000001 01  0d 0004 02 02 00000001 01 01 00");
}

struct numbers {
    FRUGAL_LIST(int8_t)  i8;
    FRUGAL_LIST(int16_t) i16;
    FRUGAL_LIST(int32_t) i32;
    FRUGAL_LIST(int64_t) i64;
    FRUGAL_LIST(double)  real;
    double               one;
};
FRUGAL_STRUCT_LOCAL(numbers,
    FRUGAL_FIELD(numbers, i8, 1, list(i8)),
    FRUGAL_FIELD(numbers, i16, 2, list(i16)),
    FRUGAL_FIELD(numbers, i32, 3, list(i32)),
    FRUGAL_FIELD(numbers, i64, 4, list(i64)),
    FRUGAL_FIELD(numbers, real, 5, list(double)),
    FRUGAL_FIELD(numbers, one, 6));

static void the_bits_of_a_double_survive(void **state)
{
    static const char hex[] = "0f 0001 03 00000000  0f 0002 06 00000000  0f 0003 08 00000000"
                              "  0f 0004 0a 00000000  0f 0005 04 00000003 8000000000000000"
                              "  7ff0000000000001  fff8000000000abc  04 0006 7ff8123456789abc 00";
    struct numbers    it;
    (void)state;
    assert_decodes(FRUGAL_REF(numbers, &it), hex);
    assert_encodes(FRUGAL_VIEW(numbers, &it), hex);
}

/* ---- ids ------------------------------------------------------------------------------------ */

struct edges {
    int8_t least, minus, zero, most;
};
FRUGAL_STRUCT_LOCAL(edges,
    FRUGAL_FIELD(edges, zero,  0),
    FRUGAL_FIELD(edges, least, -32768),
    FRUGAL_FIELD(edges, most,  32767),
    FRUGAL_FIELD(edges, minus, -1));

static void ids_reach_from_end_to_end_and_are_written_in_signed_order(void **state)
{
    static const char hex[] = "03 8000 01  03 ffff 02  03 0000 03  03 7fff 04  00";
    struct edges      it;
    (void)state;
    assert_decodes(FRUGAL_REF(edges, &it), hex);
    assert_true(it.least == 1 && it.minus == 2 && it.zero == 3 && it.most == 4);
    assert_encodes(FRUGAL_VIEW(edges, &it), hex);
}

/* ---- where text lies ------------------------------------------------------------------------ */

struct texts {
    frugal_str              copied, viewed;
    frugal_bytes            bytes;
    FRUGAL_LIST(frugal_str) list;
};
FRUGAL_STRUCT_LOCAL(texts,
    FRUGAL_FIELD(texts, copied, 1),
    FRUGAL_FIELD_WITH(texts, viewed, 2, default, string, .no_copy = true),
    FRUGAL_FIELD(texts, bytes, 3),
    FRUGAL_FIELD(texts, list, 4, list(string)));

#define TEXTS                                                       \
    "0b 0001 00000001 61  0b 0002 00000001 62  0b 0003 00000001 63" \
    "  0f 0004 0b 00000001 00000001 64  00"

static bool is_in_input(const void *ptr)
{
    const uint8_t *p = ptr;
    return p >= check.pages.first && p < check.pages.end;
}

static void text_is_copied_unless_the_field_says_otherwise(void **state)
{
    struct texts it;
    (void)state;
    assert_decodes(FRUGAL_REF(texts, &it), TEXTS);
    assert_false(is_in_input(it.copied.ptr) || is_in_input(it.bytes.ptr)
                 || is_in_input(it.list.ptr[0].ptr));
    assert_true(is_in_input(it.viewed.ptr));
    memset(check.pages.end - 60, '!', 60);
    assert_memory_equal(it.copied.ptr, "a", 1);
    assert_memory_equal(it.viewed.ptr, "!", 1);
}

static void no_copy_makes_views_of_all_text(void **state)
{
    struct texts it;
    (void)state;
    assert_decodes_with(FRUGAL_REF(texts, &it), TEXTS, &(frugal_decode_options){ .no_copy = true });
    assert_true(is_in_input(it.copied.ptr) && is_in_input(it.viewed.ptr)
                && is_in_input(it.bytes.ptr) && is_in_input(it.list.ptr[0].ptr));
    assert_memory_equal(it.list.ptr[0].ptr, "d", 1);
}

/* ---- options and arguments ------------------------------------------------------------------ */

static void bytes_behind_the_record_are_left_alone(void **state)
{
    struct edges it;
    (void)state;
    assert_int_equal(decode_hex(FRUGAL_REF(edges, &it), "03 7fff 09 00 ff ff ff", NULL), FRUGAL_OK);
    assert_int_equal(check.used, 5);
    assert_int_equal(it.most, 9);
}

static void used_options_and_error_may_be_null(void **state)
{
    struct edges it;
    frugal_bytes good = { (const uint8_t[]){ 0 }, 1 }, bad = { NULL, 0 };
    (void)state;
    assert_int_equal(frugal_decode(FRUGAL_REF(edges, &it), good, check.arena, NULL, NULL, NULL),
                     FRUGAL_OK);
    assert_int_equal(frugal_decode(FRUGAL_REF(edges, &it), bad, check.arena, NULL, NULL, NULL),
                     FRUGAL_TRUNCATED);
}

static void wrong_arguments_leave_the_record_untouched(void **state)
{
    struct edges          it   = { 1, 2, 3, 4 };
    frugal_ref            to   = FRUGAL_REF(edges, &it);
    frugal_bytes          good = { (const uint8_t[]){ 0 }, 1 }, null = { NULL, 1 };
    frugal_decode_options deep    = { .depth_max = FRUGAL_DEPTH_MAX + 1 };
    frugal_decode_options odd     = { .protocol = (frugal_protocol)9 };
    frugal_ref            nothing = { FRUGAL_TYPE(edges), NULL }, untyped = { NULL, &it };
    frugal_error         *error = &check.error;
    (void)state;
    assert_int_equal(frugal_decode(nothing, good, check.arena, NULL, NULL, error), FRUGAL_INVALID);
    assert_int_equal(error->status, FRUGAL_INVALID);
    assert_int_equal(frugal_decode(untyped, good, check.arena, NULL, NULL, error), FRUGAL_INVALID);
    assert_int_equal(frugal_decode(to, good, NULL, NULL, NULL, error), FRUGAL_INVALID);
    assert_int_equal(frugal_decode(to, null, check.arena, NULL, NULL, error), FRUGAL_INVALID);
    assert_int_equal(frugal_decode(to, good, check.arena, &deep, NULL, error), FRUGAL_INVALID);
    assert_non_null(strstr(error->message, "depth_max"));
    assert_int_equal(frugal_decode(to, good, check.arena, &odd, NULL, error), FRUGAL_INVALID);
    assert_true(it.least == 1 && it.minus == 2 && it.zero == 3 && it.most == 4);
}

static void options_say_their_size_or_nothing(void **state)
{
    struct texts          it;
    frugal_decode_options silent = { .no_copy = true };
    frugal_decode_options sized  = { .struct_size = sizeof sized, .no_copy = true };
    frugal_decode_options odd    = { .struct_size = 3 };
    (void)state;
    assert_decodes_with(FRUGAL_REF(texts, &it), TEXTS, &silent);
    assert_true(is_in_input(it.copied.ptr));
    assert_decodes_with(FRUGAL_REF(texts, &it), TEXTS, &sized);
    assert_true(is_in_input(it.copied.ptr));
    assert_int_equal(decode_hex(FRUGAL_REF(texts, &it), TEXTS, &odd), FRUGAL_INVALID);
}

static void the_largest_input_is_2_to_the_31_minus_1(void **state)
{
    struct edges it;
    size_t       size = (size_t)INT32_MAX + 1;
    uint8_t     *bytes =
        mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    frugal_bytes input = { bytes, size };
    (void)state;
    if (bytes == MAP_FAILED)
        skip(); /* no address space, as under an emulator */
    assert_int_equal(
        frugal_decode(FRUGAL_REF(edges, &it), input, check.arena, NULL, NULL, &check.error),
        FRUGAL_SIZE);
    assert_int_equal(check.error.offset, 0);
    input.len--;
    assert_int_equal(frugal_decode(FRUGAL_REF(edges, &it), input, check.arena, NULL, NULL, NULL),
                     FRUGAL_OK);
    munmap(bytes, size);
}

/* ---- UTF-8 ---------------------------------------------------------------------------------- */

struct words {
    frugal_str                      text;
    frugal_bytes                    bytes;
    FRUGAL_MAP(frugal_str, int32_t) map;
};
FRUGAL_STRUCT_LOCAL(words,
    FRUGAL_FIELD(words, text, 1),
    FRUGAL_FIELD(words, bytes, 2),
    FRUGAL_FIELD(words, map, 3, map(string, i32)));

static void check_utf8_looks_at_strings_and_not_at_binaries(void **state)
{
    frugal_decode_options utf8 = { .check_utf8 = true };
    frugal_ref            to;
    struct words          it;
    (void)state;
    to = FRUGAL_REF(words, &it);
    assert_decodes(to, "0b 0001 00000002 c328  00");
    assert_decodes_with(to, "0b 0001 00000002 c3a9  0b 0002 00000002 c328  00", &utf8);
    assert_fails_with(to, "0b 0001 00000004 6161 c328  00", &utf8, FRUGAL_UTF8, 9, "text",
                      "not UTF-8 at byte 2 of the string");
    utf8.no_copy = true;
    assert_fails_with(to, "0b 0001 00000003 616180  00", &utf8, FRUGAL_UTF8, 9, "text",
                      "not UTF-8 at byte 2 of the string");
}

static void check_utf8_looks_at_keys(void **state)
{
    frugal_decode_options utf8 = { .check_utf8 = true };
    struct words          it;
    (void)state;
    assert_int_equal(
        decode_hex(FRUGAL_REF(words, &it), "0d 0003 0b 08 00000001 00000001 ff 00000001 00", &utf8),
        FRUGAL_UTF8);
    assert_int_equal(check.error.offset, 13);
}

/* ---- keep_existing -------------------------------------------------------------------------- */

struct inner {
    int32_t a, b;
};
static const struct inner inner_start = { 10, 20 };
FRUGAL_STRUCT_LOCAL_WITH(inner, &inner_start, FRUGAL_FIELD(inner, a, 1), FRUGAL_FIELD(inner, b, 2));
struct outer {
    int32_t             x, y;
    struct inner        in;
    FRUGAL_OPT(int32_t) opt;
    frugal_bytes        kept;
};
FRUGAL_STRUCT_LOCAL(outer,
    FRUGAL_FIELD(outer, x, 1, required),
    FRUGAL_FIELD(outer, y, 2),
    FRUGAL_FIELD(outer, in, 3, struct(inner)),
    FRUGAL_FIELD(outer, opt, 4, optional),
    FRUGAL_UNKNOWN(outer, kept));

static void keep_existing_starts_the_root_from_what_is_in_it(void **state)
{
    frugal_decode_options keep = { .keep_existing = true };
    struct outer          it   = { .x = 1, .y = 2, .in = { 3, 4 }, .opt = FRUGAL_SOME(5) };
    (void)state;
    assert_decodes_with(FRUGAL_REF(outer, &it), "08 0001 00000009 00", &keep);
    assert_true(it.x == 9 && it.y == 2 && it.in.a == 3 && it.in.b == 4 && it.opt.value == 5);
}

static void keep_existing_goes_no_deeper_than_the_root(void **state)
{
    frugal_decode_options keep = { .keep_existing = true };
    struct outer          it   = { .x = 1, .y = 2, .in = { 3, 4 } };
    (void)state;
    assert_decodes_with(FRUGAL_REF(outer, &it), "08 0001 00000009 0c 0003 08 0001 00000007 00 00",
                        &keep);
    assert_true(it.in.a == 7 && it.in.b == 20);
}

static void keep_existing_still_wants_what_is_required(void **state)
{
    frugal_decode_options keep = { .keep_existing = true };
    struct outer          it   = { .x = 1 };
    (void)state;
    assert_fails_with(FRUGAL_REF(outer, &it), "08 0002 00000009 00", &keep, FRUGAL_MISSING, 7, "x",
                      "required field 1 is missing");
}

static void keep_existing_keeps_no_unknown_fields_of_another_message(void **state)
{
    frugal_decode_options keep = { .keep_existing = true };
    struct outer          it   = { .kept = { (const uint8_t *)"old", 3 } };
    (void)state;
    assert_decodes_with(FRUGAL_REF(outer, &it), "08 0001 00000009 00", &keep);
    assert_int_equal(it.kept.len, 0);
}

/* ---- other shapes --------------------------------------------------------------------------- */

struct nothing {
    char unused;
};
FRUGAL_STRUCT_EMPTY_LOCAL(nothing);

static void a_struct_without_fields_is_one_stop_byte(void **state)
{
    struct nothing it;
    (void)state;
    assert_decodes(FRUGAL_REF(nothing, &it), "00");
    assert_decodes(FRUGAL_REF(nothing, &it), "08 0001 00000001 0c 0002 00 00");
    assert_encodes(FRUGAL_VIEW(nothing, &it), "00");
    assert_fails(FRUGAL_REF(nothing, &it), "", FRUGAL_TRUNCATED, 0, "",
                 "unexpected EOF: 1 byte short");
}

struct point {
    int32_t x, y;
};
FRUGAL_STRUCT_LOCAL(point, FRUGAL_FIELD(point, x, 1), FRUGAL_FIELD(point, y, 2));
struct plane {
    FRUGAL_MAP(struct point, struct point *) map;
    FRUGAL_SET(FRUGAL_LIST(int16_t))         sets;
};
FRUGAL_STRUCT_LOCAL(plane,
    FRUGAL_FIELD(plane, map, 1, map(struct(point), struct(point))),
    FRUGAL_FIELD(plane, sets, 2, set(list(i16))));

static void any_type_may_be_a_key_and_maps_keep_their_order(void **state)
{
    static const char hex[] =
        "0d 0001 0c 0c 00000002"
        "  08 0001 00000002 08 0002 00000003 00   08 0001 00000000 08 0002 00000001 00"
        "  08 0001 00000001 08 0002 00000001 00   08 0001 00000000 08 0002 00000002 00"
        "  0e 0002 0f 00000002 06 00000001 0005 06 00000000 00";
    struct plane it;
    (void)state;
    assert_decodes(FRUGAL_REF(plane, &it), hex);
    assert_true(it.map.len == 2 && it.map.ptr[0].key.x == 2 && it.map.ptr[0].key.y == 3);
    assert_true(it.map.ptr[1].key.x == 1 && it.map.ptr[1].value->y == 2);
    assert_true(it.sets.len == 2 && it.sets.ptr[0].len == 1 && it.sets.ptr[0].ptr[0] == 5);
    assert_encodes(FRUGAL_VIEW(plane, &it), hex);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_the_example_is_read),
        cmocka_unit_test(absent_optional_fields_of_the_example_are_absent),
        cmocka_unit_test(what_was_in_the_record_does_not_matter),
        cmocka_unit_test(an_empty_value_that_is_present_has_a_pointer),
        cmocka_unit_test(an_empty_container_may_be_of_any_type),
        cmocka_unit_test(a_bool_is_stored_as_0_or_1_whatever_the_byte),
        cmocka_unit_test(the_bits_of_a_double_survive),
        cmocka_unit_test(ids_reach_from_end_to_end_and_are_written_in_signed_order),
        cmocka_unit_test(text_is_copied_unless_the_field_says_otherwise),
        cmocka_unit_test(no_copy_makes_views_of_all_text),
        cmocka_unit_test(bytes_behind_the_record_are_left_alone),
        cmocka_unit_test(used_options_and_error_may_be_null),
        cmocka_unit_test(wrong_arguments_leave_the_record_untouched),
        cmocka_unit_test(options_say_their_size_or_nothing),
        cmocka_unit_test(the_largest_input_is_2_to_the_31_minus_1),
        cmocka_unit_test(check_utf8_looks_at_strings_and_not_at_binaries),
        cmocka_unit_test(check_utf8_looks_at_keys),
        cmocka_unit_test(keep_existing_starts_the_root_from_what_is_in_it),
        cmocka_unit_test(keep_existing_goes_no_deeper_than_the_root),
        cmocka_unit_test(keep_existing_still_wants_what_is_required),
        cmocka_unit_test(keep_existing_keeps_no_unknown_fields_of_another_message),
        cmocka_unit_test(a_struct_without_fields_is_one_stop_byte),
        cmocka_unit_test(any_type_may_be_a_key_and_maps_keep_their_order),
    };
    return cmocka_run_group_tests_name("codec: decode", tests, check_set_up, check_tear_down);
}
