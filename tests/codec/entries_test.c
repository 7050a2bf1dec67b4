/* codec/entries_test.c - what looks at the bytes of keys: reject_duplicates and canonical. */
#include "codec/codec_check.h"

struct point {
    int16_t x, y;
};
FRUGAL_STRUCT_LOCAL(point, FRUGAL_FIELD(point, x, 1), FRUGAL_FIELD(point, y, 2));
struct sets {
    FRUGAL_SET(int32_t)                          numbers;
    FRUGAL_SET(bool)                             bools;
    FRUGAL_SET(frugal_str)                       words;
    FRUGAL_SET(struct point)                     points;
    FRUGAL_LIST(int32_t)                         list;
    FRUGAL_MAP(frugal_str, int8_t)               by_word;
    FRUGAL_MAP(struct point, FRUGAL_SET(int8_t)) by_point;
};
FRUGAL_STRUCT_LOCAL(sets,
    FRUGAL_FIELD(sets, numbers, 1, optional, set(i32)),
    FRUGAL_FIELD(sets, bools, 2, optional, set(bool)),
    FRUGAL_FIELD(sets, words, 3, optional, set(string)),
    FRUGAL_FIELD(sets, points, 4, optional, set(struct(point))),
    FRUGAL_FIELD(sets, list, 5, optional, list(i32)),
    FRUGAL_FIELD(sets, by_word, 6, optional, map(string, i8)),
    FRUGAL_FIELD(sets, by_point, 7, optional, map(struct(point), set(i8))));

/* ---- reject_duplicates ---------------------------------------------------------------------- */

static const frugal_decode_options distinct = { .reject_duplicates = true };

static void assert_duplicate(const char *hex, size_t offset, const char *path, const char *sentence)
{
    struct sets it;
    assert_int_equal(decode_hex(FRUGAL_REF(sets, &it), hex, NULL), FRUGAL_OK);
    assert_fails_with(FRUGAL_REF(sets, &it), hex, &distinct, FRUGAL_DUPLICATE, offset, path,
                      sentence);
}

static void duplicates_are_kept_unless_refused(void **state)
{
    static const char hex[] = "0e 0001 08 00000002 00000005 00000005"
                              "  0d 0006 0b 03 00000002 00000001 61 01 00000001 61 02  00";
    struct sets       it;
    (void)state;
    assert_decodes(FRUGAL_REF(sets, &it), hex);
    assert_true(it.numbers.len == 2 && it.by_word.len == 2 && it.by_word.ptr[1].value == 2);
    assert_encodes(FRUGAL_VIEW(sets, &it), hex);
}

static void equal_elements_of_a_set_are_refused(void **state)
{
    (void)state;
    assert_duplicate("0e 0001 08 00000003 00000005 00000006 00000005 00", 3, "numbers[2]",
                     "entry 2 repeats an earlier one");
    assert_duplicate("0e 0003 0b 00000002 00000001 61 00000001 61 00", 3, "words[1]",
                     "entry 1 repeats an earlier one");
}

static void bools_are_equal_when_they_mean_the_same(void **state)
{
    (void)state;
    assert_duplicate("0e 0002 02 00000003 00 01 02 00", 3, "bools[2]",
                     "entry 2 repeats an earlier one");
}

static void structs_are_equal_when_they_mean_the_same(void **state)
{
    (void)state;
    assert_duplicate(
        "0e 0004 0c 00000002 06 0001 0005 06 0002 0006 00  06 0002 0006 06 0001 0005 00 00", 3,
        "points[1]", "entry 1 repeats an earlier one");
}

static void equal_keys_of_a_map_are_refused_whatever_their_values(void **state)
{
    (void)state;
    assert_duplicate("0d 0006 0b 03 00000003 00000001 61 01 00000001 62 01 00000001 62 02 00", 3,
                     "by_word{b}", "entry 2 repeats an earlier one");
    assert_duplicate(
        "0d 0007 0c 0e 00000002 06 0001 0005 00 03 00000000  06 0001 0005 00 03 00000000 00", 3,
        "by_point{1}", "entry 1 repeats an earlier one");
}

static void lists_may_repeat(void **state)
{
    struct sets it;
    (void)state;
    assert_decodes_with(FRUGAL_REF(sets, &it), "0f 0005 08 00000002 00000005 00000005 00",
                        &distinct);
}

static void distinct_entries_pass(void **state)
{
    struct sets it;
    (void)state;
    assert_decodes_with(FRUGAL_REF(sets, &it),
                        "0e 0001 08 00000002 00000005 00000006  0e 0002 02 00000002 00 01"
                        "  0d 0006 0b 03 00000002 00000001 61 01 00000002 6161 01  00",
                        &distinct);
}

/* ---- canonical ------------------------------------------------------------------------------ */

static const frugal_encode_options canonical = { .canonical = true };

static void sets_are_sorted_by_the_bytes_of_their_elements(void **state)
{
    int32_t     numbers[] = { 3, -1, 2, INT32_MIN };
    frugal_str  words[]   = { FRUGAL_STR("b"), FRUGAL_STR("aa"), FRUGAL_STR("a") };
    struct sets it        = { .numbers = FRUGAL_ARRAY(numbers), .words = FRUGAL_ARRAY(words) };
    (void)state;
    assert_encodes_with(FRUGAL_VIEW(sets, &it),
                        "0e 0001 08 00000004 00000002 00000003 80000000 ffffffff"
                        "  0e 0003 0b 00000003 00000001 61 00000001 62 00000002 6161  00",
                        &canonical);
    assert_true(numbers[0] == 3 && words[0].ptr[0] == 'b');
}

static void maps_are_sorted_by_their_keys_and_equal_keys_keep_their_order(void **state)
{
    struct sets it = { 0 };
    (void)state;
    assert_decodes(FRUGAL_REF(sets, &it), "0d 0006 0b 03 00000004 00000001 62 01 00000001 61 09"
                                          " 00000001 62 00 00000000 05 00");
    assert_encodes_with(FRUGAL_VIEW(sets, &it),
                        "0d 0006 0b 03 00000004 00000000 05 00000001 61 09"
                        " 00000001 62 01 00000001 62 00 00",
                        &canonical);
}

static void what_is_inside_is_sorted_too(void **state)
{
    struct sets it = { 0 };
    (void)state;
    assert_decodes(FRUGAL_REF(sets, &it),
                   "0d 0007 0c 0e 00000002"
                   "  06 0001 0002 00 03 00000002 02 01  06 0001 0001 00 03 00000001 07 00");
    assert_encodes_with(FRUGAL_VIEW(sets, &it),
                        "0d 0007 0c 0e 00000002"
                        "  06 0001 0001 06 0002 0000 00 03 00000001 07"
                        "  06 0001 0002 06 0002 0000 00 03 00000002 01 02 00",
                        &canonical);
}

static void lists_keep_their_order(void **state)
{
    int32_t     numbers[] = { 3, 1, 2 };
    struct sets it        = { .list = FRUGAL_ARRAY(numbers) };
    (void)state;
    assert_encodes_with(FRUGAL_VIEW(sets, &it), "0f 0005 08 00000003 00000003 00000001 00000002 00",
                        &canonical);
}

struct many {
    FRUGAL_SET(int32_t) numbers;
    FRUGAL_SET(int8_t)  bytes;
};
FRUGAL_STRUCT(many,
    FRUGAL_FIELD(many, numbers, 1, set(i32)),
    FRUGAL_FIELD(many, bytes,   2, set(i8)));

/* Sorting takes 32 bytes an element: what is left of size_max must hold them. */
static void looking_for_duplicates_keeps_to_the_budget(void **state)
{
    (void)state;
    uint8_t               wire[8 + 4 * 1000 + 1] = { 14, 0, 1, 8, 0, 0, 1000 >> 8, 1000 & 0xff };
    struct many           many;
    frugal_error          error;
    frugal_arena         *arena   = frugal_arena_new(NULL);
    frugal_decode_options options = { .reject_duplicates = true, .size_max = 40000 };
    frugal_bytes          input   = { wire, sizeof wire };
    for (int i = 0; i < 1000; i++) {
        wire[8 + 4 * i + 2] = (uint8_t)(i >> 8);
        wire[8 + 4 * i + 3] = (uint8_t)i;
    }
    assert_int_equal(frugal_decode(FRUGAL_REF(many, &many), input, arena, &options, NULL, &error),
                     FRUGAL_OK);
    options.size_max = 20000;
    assert_int_equal(frugal_decode(FRUGAL_REF(many, &many), input, arena, &options, NULL, &error),
                     FRUGAL_BUDGET);
    assert_string_equal(error.path, "numbers");
    frugal_arena_free(arena);
    frugal_plan_drop(FRUGAL_TYPE(many));
}

static void the_first_repeated_byte_is_named(void **state)
{
    (void)state;
    static const uint8_t  wire[] = { 14, 0, 2, 3, 0, 0, 0, 4, 5, 6, 5, 6, 0 };
    struct many           many;
    frugal_error          error;
    frugal_arena         *arena   = frugal_arena_new(NULL);
    frugal_decode_options options = { .reject_duplicates = true };
    assert_int_equal(frugal_decode(FRUGAL_REF(many, &many), (frugal_bytes){ wire, sizeof wire },
                                   arena, &options, NULL, &error),
                     FRUGAL_DUPLICATE);
    assert_string_equal(error.path, "bytes[2]");
    frugal_arena_free(arena);
    frugal_plan_drop(FRUGAL_TYPE(many));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looking_for_duplicates_keeps_to_the_budget),
        cmocka_unit_test(the_first_repeated_byte_is_named),
        cmocka_unit_test(duplicates_are_kept_unless_refused),
        cmocka_unit_test(equal_elements_of_a_set_are_refused),
        cmocka_unit_test(bools_are_equal_when_they_mean_the_same),
        cmocka_unit_test(structs_are_equal_when_they_mean_the_same),
        cmocka_unit_test(equal_keys_of_a_map_are_refused_whatever_their_values),
        cmocka_unit_test(lists_may_repeat),
        cmocka_unit_test(distinct_entries_pass),
        cmocka_unit_test(sets_are_sorted_by_the_bytes_of_their_elements),
        cmocka_unit_test(maps_are_sorted_by_their_keys_and_equal_keys_keep_their_order),
        cmocka_unit_test(what_is_inside_is_sorted_too),
        cmocka_unit_test(lists_keep_their_order),
    };
    return cmocka_run_group_tests_name("codec: entries", tests, check_set_up, check_tear_down);
}
