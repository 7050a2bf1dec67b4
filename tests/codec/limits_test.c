/* codec/limits_test.c - depth, budget, memory: limits that hold without being set, and those that
 * are set. */
#include "codec/codec_check.h"

#include <stdlib.h>

/* ---- depth ---------------------------------------------------------------------------------- */

struct node {
    struct node                      *next;
    FRUGAL_LIST(struct node)          list;
    FRUGAL_MAP(int8_t, struct node *) map;
};
FRUGAL_STRUCT_LOCAL(node,
    FRUGAL_FIELD(node, next, 1, optional, struct(node)),
    FRUGAL_FIELD(node, list, 2, optional, list(struct(node))),
    FRUGAL_FIELD(node, map, 3, optional, map(i8, struct(node))));

/* `levels` structs inside each other, each in field 1. */
static frugal_bytes nested_structs(unsigned levels)
{
    static uint8_t bytes[4 * 1100];
    size_t         len = 0;
    for (unsigned i = 1; i < levels; i++) {
        bytes[len++] = 12;
        bytes[len++] = 0;
        bytes[len++] = 1;
    }
    memset(bytes + len, 0, levels);
    return (frugal_bytes){ bytes, len + levels };
}

static void the_root_is_the_first_of_64_levels(void **state)
{
    struct node it;
    (void)state;
    assert_int_equal(decode_bytes(FRUGAL_REF(node, &it), nested_structs(64), NULL), FRUGAL_OK);
    assert_int_equal(decode_bytes(FRUGAL_REF(node, &it), nested_structs(65), NULL), FRUGAL_DEPTH);
    assert_int_equal(check.error.offset, 64 * 3);
    assert_string_equal(check.error.message, "nested deeper than 64 levels (depth_max)");
}

static void skip_counts_levels_as_decoding_does(void **state)
{
    (void)state;
    assert_int_equal(frugal_skip(nested_structs(64), FRUGAL_WIRE_STRUCT, NULL, NULL, NULL),
                     FRUGAL_OK);
    assert_int_equal(frugal_skip(nested_structs(65), FRUGAL_WIRE_STRUCT, NULL, NULL, &check.error),
                     FRUGAL_DEPTH);
    assert_int_equal(check.error.offset, 64 * 3);
}

static void the_limit_can_be_set_from_1_to_1024(void **state)
{
    frugal_decode_options one = { .depth_max = 1 }, all = { .depth_max = FRUGAL_DEPTH_MAX };
    struct node           it;
    (void)state;
    assert_int_equal(decode_bytes(FRUGAL_REF(node, &it), nested_structs(1), &one), FRUGAL_OK);
    assert_int_equal(decode_bytes(FRUGAL_REF(node, &it), nested_structs(2), &one), FRUGAL_DEPTH);
    assert_int_equal(check.error.offset, 3);
    assert_int_equal(decode_bytes(FRUGAL_REF(node, &it), nested_structs(1024), &all), FRUGAL_OK);
    assert_int_equal(decode_bytes(FRUGAL_REF(node, &it), nested_structs(1025), &all), FRUGAL_DEPTH);
    assert_int_equal(frugal_skip(nested_structs(1024), FRUGAL_WIRE_STRUCT, &all, NULL, NULL),
                     FRUGAL_OK);
    assert_int_equal(frugal_skip(nested_structs(1025), FRUGAL_WIRE_STRUCT, &all, NULL, NULL),
                     FRUGAL_DEPTH);
}

static void what_was_decoded_at_the_limit_can_be_encoded_at_the_limit(void **state)
{
    frugal_decode_options deep = { .depth_max = 1024 };
    frugal_encode_options wide = { .depth_max = 1024 }, narrow = { .depth_max = 1023 };
    struct node           it;
    size_t                size = 0;
    (void)state;
    assert_int_equal(decode_bytes(FRUGAL_REF(node, &it), nested_structs(1024), &deep), FRUGAL_OK);
    frugal_view value = FRUGAL_VIEW(node, &it);
    assert_int_equal(frugal_encoded_size(value, &wide, &size, NULL), FRUGAL_OK);
    assert_int_equal(size, nested_structs(1024).len);
    assert_int_equal(frugal_encoded_size(value, &narrow, &size, &check.error), FRUGAL_DEPTH);
    assert_string_equal(check.error.message, "nested deeper than 1023 levels (depth_max)");
    assert_int_equal(frugal_encoded_size(value, NULL, &size, NULL), FRUGAL_DEPTH);
}

static void containers_are_levels_too(void **state)
{
    frugal_decode_options two = { .depth_max = 2 }, three = { .depth_max = 3 };
    struct node           it;
    (void)state;
    assert_decodes_with(FRUGAL_REF(node, &it), "0f 0002 0c 00000000 00", &two);
    assert_fails_with(FRUGAL_REF(node, &it), "0f 0002 0c 00000001 00 00", &two, FRUGAL_DEPTH, 8,
                      "list[0]", "nested deeper than 2 levels (depth_max)");
    assert_decodes_with(FRUGAL_REF(node, &it), "0f 0002 0c 00000001 00 00", &three);
    assert_fails_with(FRUGAL_REF(node, &it), "0d 0003 03 0c 00000001 05 00 00", &two, FRUGAL_DEPTH,
                      10, "map{5}", "nested deeper than 2 levels (depth_max)");
}

static void a_container_too_deep_fails_at_its_first_byte(void **state)
{
    frugal_decode_options one = { .depth_max = 1 };
    struct node           it;
    (void)state;
    assert_fails_with(FRUGAL_REF(node, &it), "0f 0002 0c 00000000 00", &one, FRUGAL_DEPTH, 3,
                      "list", "nested deeper than 1 levels (depth_max)");
    assert_fails_with(FRUGAL_REF(node, &it), "0d 0003", &one, FRUGAL_DEPTH, 3, "map",
                      "nested deeper than 1 levels (depth_max)");
    assert_fails_with(FRUGAL_REF(node, &it), "0c 0063 00 00", &one, FRUGAL_DEPTH, 3, "",
                      "nested deeper than 1 levels (depth_max)");
}

struct inner {
    int32_t x;
};
FRUGAL_STRUCT_LOCAL(inner, FRUGAL_FIELD(inner, x, 1));
struct middle {
    struct inner in;
};
FRUGAL_STRUCT_LOCAL(middle, FRUGAL_FIELD(middle, in, 1, struct(inner)));
struct outer {
    struct middle in;
};
FRUGAL_STRUCT_LOCAL(outer, FRUGAL_FIELD(outer, in, 1, struct(middle)));

static void structs_by_value_are_levels_too(void **state)
{
    frugal_decode_options two = { .depth_max = 2 }, three = { .depth_max = 3 };
    frugal_encode_options encode_two = { .depth_max = 2 };
    struct outer          it;
    (void)state;
    assert_decodes_with(FRUGAL_REF(outer, &it), "0c 0001 00 00", &two);
    assert_fails_with(FRUGAL_REF(outer, &it), "0c 0001 0c 0001 00 00 00", &two, FRUGAL_DEPTH, 6,
                      "in.in", "nested deeper than 2 levels (depth_max)");
    assert_decodes_with(FRUGAL_REF(outer, &it), "0c 0001 0c 0001 00 00 00", &three);
    assert_encode_fails_with(FRUGAL_VIEW(outer, &it), &encode_two, FRUGAL_DEPTH, "in.in",
                             "nested deeper than 2 levels (depth_max)");
}

static void a_cycle_ends_at_the_limit(void **state)
{
    struct node it = { .next = &it };
    size_t      size;
    uint8_t     out[4096];
    (void)state;
    assert_int_equal(frugal_encoded_size(FRUGAL_VIEW(node, &it), NULL, &size, &check.error),
                     FRUGAL_DEPTH);
    assert_int_equal(frugal_encode_to(FRUGAL_VIEW(node, &it), NULL, out, sizeof out, NULL, NULL),
                     FRUGAL_DEPTH);
    it.list.ptr = &it;
    it.list.len = 1;
    it.next     = NULL;
    assert_int_equal(frugal_encoded_size(FRUGAL_VIEW(node, &it), NULL, &size, NULL), FRUGAL_DEPTH);
}

/* ---- memory --------------------------------------------------------------------------------- */

/* A record of some kilobytes that is one byte on the wire. */
struct wide {
    FRUGAL_OPT(int64_t) a;
    char                room[4000];
};
FRUGAL_STRUCT_LOCAL(wide, FRUGAL_FIELD(wide, a, 1, optional));
struct hostile {
    FRUGAL_LIST(struct wide)                      wides;
    FRUGAL_MAP(int8_t, struct wide)               by_number;
    FRUGAL_LIST(FRUGAL_LIST(FRUGAL_LIST(int8_t))) lists;
    FRUGAL_LIST(frugal_str)                       texts;
    struct wide                                   one;
};
FRUGAL_STRUCT_LOCAL(hostile,
    FRUGAL_FIELD(hostile, wides, 1, list(struct(wide))),
    FRUGAL_FIELD(hostile, by_number, 2, map(i8, struct(wide))),
    FRUGAL_FIELD(hostile, lists, 3, list(list(list(i8)))),
    FRUGAL_FIELD(hostile, texts, 4, list(string)),
    FRUGAL_FIELD(hostile, one, 5, struct(wide)));

static void a_count_from_the_wire_reserves_no_memory_by_itself(void **state)
{
    static const char *const inputs[] = {
        "0f 0001 0c 7fffffff",
        "0f 0001 0c 00000008 08 0001 00 00 00 00 00 00",
        "0d 0002 03 0c 7fffffff 00",
        "0f 0003 0f 00000001 0f 7fffffff 00",
        "0f 0003 0f 00000002 0f 00000001 03 7fffffff 00 00 00 00",
        "0f 0004 0b 00000003 00000000 00000000 7fffffff",
        "0f 0063 0c 7fffffff 00",
    };
    struct hostile *it = malloc(sizeof *it);
    (void)state;
    assert_non_null(it);
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        frugal_arena *arena = frugal_arena_new(NULL);
        frugal_bytes  input = hex_bytes(inputs[i]);
        assert_int_not_equal(frugal_decode(FRUGAL_REF(hostile, it), input, arena, NULL, NULL, NULL),
                             FRUGAL_OK);
        assert_in_range(frugal_arena_reserved(arena), 0, 65536 + 64 * input.len);
        frugal_arena_free(arena);
    }
    free(it);
}

/* `count` empty records in a list: one byte each. */
static uint8_t *many_wides(uint32_t count, size_t *len)
{
    uint8_t  head[8] = { 15,
                         0,
                         1,
                         12,
                         (uint8_t)(count >> 24),
                         (uint8_t)(count >> 16),
                         (uint8_t)(count >> 8),
                         (uint8_t)count };
    uint8_t *bytes   = calloc(1, sizeof head + count + 1);
    assert_non_null(bytes);
    memcpy(bytes, head, sizeof head);
    *len = sizeof head + count + 1;
    return bytes;
}

static void the_budget_caps_what_one_byte_can_take(void **state)
{
    size_t          len;
    uint32_t        count = 1u << 20;
    uint8_t        *bytes = many_wides(count, &len);
    struct hostile *it    = malloc(sizeof *it);
    frugal_arena   *arena = frugal_arena_new(NULL);
    (void)state;
    assert_non_null(it);
    assert_int_equal(frugal_decode(FRUGAL_REF(hostile, it), (frugal_bytes){ bytes, len }, arena,
                                   NULL, NULL, &check.error),
                     FRUGAL_BUDGET);
    assert_string_equal(check.error.path, "wides");
    assert_non_null(strstr(check.error.message, "size_max"));
    /* 64 x input here; blocks are at most twice what is in them. */
    assert_in_range(frugal_arena_reserved(arena), 1, 2 * 64 * len);
    frugal_arena_free(arena);
    free(it);
    free(bytes);
}

static void size_max_is_kept(void **state)
{
    static const char hex[] = "0f 0001 0c 00000004 00 00 00 00 00";
    /* A list that grows as its elements arrive takes up to twice as much on the way. */
    frugal_decode_options enough = { .size_max = 8 * sizeof(struct wide) };
    frugal_decode_options little = { .size_max = 4 * sizeof(struct wide) - 1 };
    struct hostile       *it     = malloc(sizeof *it);
    (void)state;
    assert_non_null(it);
    assert_decodes_with(FRUGAL_REF(hostile, it), hex, &enough);
    assert_int_equal(decode_hex(FRUGAL_REF(hostile, it), hex, &little), FRUGAL_BUDGET);
    assert_string_equal(check.error.path, "wides");
    free(it);
}

static void text_is_charged_and_views_are_not(void **state)
{
    frugal_decode_options little = { .size_max = 20 };
    static const char     hex[]  = "0f 0004 0b 00000001 00000005 6162636465 00";
    struct hostile       *it     = malloc(sizeof *it);
    (void)state;
    assert_non_null(it);
    assert_int_equal(decode_hex(FRUGAL_REF(hostile, it), hex, &little), FRUGAL_BUDGET);
    assert_string_equal(check.error.path, "texts[0]");
    little.no_copy = true;
    assert_decodes_with(FRUGAL_REF(hostile, it), hex, &little);
    free(it);
}

/* Four bytes would buy the clearing of four kilobytes, again and again. */
static void a_repeated_struct_by_value_is_charged(void **state)
{
    frugal_decode_options some            = { .size_max = 10 * sizeof(struct wide) };
    char                  hex[21 * 8 + 4] = "";
    struct hostile       *it              = malloc(sizeof *it);
    (void)state;
    assert_non_null(it);
    for (int i = 0; i < 20; i++)
        strcat(hex, "0c000500");
    strcat(hex, "00");
    assert_int_equal(decode_hex(FRUGAL_REF(hostile, it), hex, &some), FRUGAL_BUDGET);
    assert_string_equal(check.error.path, "one");
    free(it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_root_is_the_first_of_64_levels),
        cmocka_unit_test(skip_counts_levels_as_decoding_does),
        cmocka_unit_test(the_limit_can_be_set_from_1_to_1024),
        cmocka_unit_test(what_was_decoded_at_the_limit_can_be_encoded_at_the_limit),
        cmocka_unit_test(containers_are_levels_too),
        cmocka_unit_test(a_container_too_deep_fails_at_its_first_byte),
        cmocka_unit_test(structs_by_value_are_levels_too),
        cmocka_unit_test(a_cycle_ends_at_the_limit),
        cmocka_unit_test(a_count_from_the_wire_reserves_no_memory_by_itself),
        cmocka_unit_test(the_budget_caps_what_one_byte_can_take),
        cmocka_unit_test(size_max_is_kept),
        cmocka_unit_test(text_is_charged_and_views_are_not),
        cmocka_unit_test(a_repeated_struct_by_value_is_charged),
    };
    return cmocka_run_group_tests_name("codec: limits", tests, check_set_up, check_tear_down);
}
