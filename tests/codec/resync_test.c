/* codec/resync_test.c - fields that do not come as the plan expects: absent, reordered, repeated,
 * unknown, mistyped, missing; defaults; unions. */
#include "codec/codec_check.h"

/* ---- required ------------------------------------------------------------------------------- */

struct zip {
    int32_t code;
};
FRUGAL_STRUCT_LOCAL(zip, FRUGAL_FIELD(zip, code, 1, required));
struct home {
    struct zip  zip;
    struct zip *other;
};
FRUGAL_STRUCT_LOCAL(home,
    FRUGAL_FIELD(home, zip, 1, struct(zip)),
    FRUGAL_FIELD(home, other, 2, optional, struct(zip)));
struct user {
    int64_t                  id;
    frugal_str               name;
    FRUGAL_LIST(struct home) homes;
};
FRUGAL_STRUCT_LOCAL(user,
    FRUGAL_FIELD(user, id, 3, required),
    FRUGAL_FIELD(user, name, -4, required),
    FRUGAL_FIELD(user, homes, 7, optional, list(struct(home))));
struct account {
    struct user user;
};
FRUGAL_STRUCT_LOCAL(account, FRUGAL_FIELD(account, user, 1, struct(user)));

static void a_missing_required_field_is_an_error_at_the_stop_byte(void **state)
{
    struct zip it;
    (void)state;
    assert_fails(FRUGAL_REF(zip, &it), "00", FRUGAL_MISSING, 0, "code",
                 "required field 1 is missing");
    assert_fails(FRUGAL_REF(zip, &it), "03 0002 01 00", FRUGAL_MISSING, 4, "code",
                 "required field 1 is missing");
}

static void the_lowest_of_the_missing_ids_is_named(void **state)
{
    struct user it;
    (void)state;
    assert_fails(FRUGAL_REF(user, &it), "00", FRUGAL_MISSING, 0, "name",
                 "required field -4 is missing");
    assert_fails(FRUGAL_REF(user, &it), "0b fffc 00000000 00", FRUGAL_MISSING, 7, "id",
                 "required field 3 is missing");
    assert_fails(FRUGAL_REF(user, &it), "0a 0003 0000000000000000 00", FRUGAL_MISSING, 11, "name",
                 "required field -4 is missing");
}

static void the_path_of_what_is_missing_leads_through_all_levels(void **state)
{
    struct account it;
    (void)state;
    assert_fails(FRUGAL_REF(account, &it),
                 "0c 0001  0b fffc 00000000  0a 0003 0000000000000000  0f 0007 0c 00000002"
                 "  0c 0001 08 0001 00000001 00 00   0c 0001 00",
                 FRUGAL_MISSING, 44, "user.homes[1].zip.code", "required field 1 is missing");
    assert_fails(FRUGAL_REF(account, &it),
                 "0c 0001  0b fffc 00000000  0a 0003 0000000000000000  0f 0007 0c 00000001"
                 "  0c 0002 00",
                 FRUGAL_MISSING, 32, "user.homes[0].other.code", "required field 1 is missing");
}

static void a_required_field_with_another_wire_type_is_missing(void **state)
{
    struct zip it;
    (void)state;
    assert_fails(FRUGAL_REF(zip, &it), "0a 0001 0000000000000001 00", FRUGAL_MISSING, 11, "code",
                 "required field 1 is missing");
}

/* ---- order and repetition ------------------------------------------------------------------- */

struct pair {
    int32_t x, y;
};
FRUGAL_STRUCT_LOCAL(pair, FRUGAL_FIELD(pair, x, 1), FRUGAL_FIELD(pair, y, 2));
struct mixed {
    int32_t              a;
    frugal_str           s;
    struct pair          p;
    struct pair         *far;
    FRUGAL_LIST(int16_t) list;
    FRUGAL_OPT(bool)     flag;
};
FRUGAL_STRUCT_LOCAL(mixed,
    FRUGAL_FIELD(mixed, a, 1, required),
    FRUGAL_FIELD(mixed, s, 2, required),
    FRUGAL_FIELD(mixed, p, 3, struct(pair)),
    FRUGAL_FIELD(mixed, far, 4, optional, struct(pair)),
    FRUGAL_FIELD(mixed, list, 5, optional, list(i16)),
    FRUGAL_FIELD(mixed, flag, 6, optional));

static void fields_may_come_in_any_order(void **state)
{
    struct mixed it;
    (void)state;
    assert_decodes(FRUGAL_REF(mixed, &it), "02 0006 01  0f 0005 06 00000001 0009"
                                           "  0c 0003 08 0002 00000004 08 0001 00000003 00"
                                           "  08 0001 00000001  0b 0002 00000001 62  00");
    assert_true(it.a == 1 && it.s.len == 1 && it.p.x == 3 && it.p.y == 4 && it.far == NULL);
    assert_true(it.list.len == 1 && it.list.ptr[0] == 9 && it.flag.has && it.flag.value);
}

static void the_last_of_a_repeated_field_wins(void **state)
{
    struct mixed it;
    (void)state;
    assert_decodes(FRUGAL_REF(mixed, &it), "08 0001 00000001  08 0001 00000002  0b 0002 00000001 61"
                                           "  0b 0002 00000000  0f 0005 06 00000002 0001 0002"
                                           "  0f 0005 06 00000001 0003  00");
    assert_true(it.a == 2 && it.s.len == 0 && it.list.len == 1 && it.list.ptr[0] == 3);
}

static void a_repeated_struct_wins_whole_and_is_not_merged(void **state)
{
    struct mixed it;
    (void)state;
    assert_decodes(FRUGAL_REF(mixed, &it), "0c 0003 08 0001 00000001 00  08 0001 00000007"
                                           "  0c 0003 08 0002 00000002 00  0b 0002 00000000"
                                           "  0c 0004 08 0001 00000003 00  0c 0004 00  00");
    assert_true(it.p.x == 0 && it.p.y == 2);
    assert_true(it.far && it.far->x == 0 && it.far->y == 0);
}

/* ---- unknown and mistyped ------------------------------------------------------------------- */

struct keeper {
    int32_t      known;
    frugal_bytes kept;
};
FRUGAL_STRUCT_LOCAL(keeper, FRUGAL_FIELD(keeper, known, 5), FRUGAL_UNKNOWN(keeper, kept));

static void unknown_fields_are_skipped(void **state)
{
    struct zip it;
    (void)state;
    assert_decodes(FRUGAL_REF(zip, &it), "0d 0009 0b 0c 00000001 00000001 61 0f 0001 08 00000000 00"
                                         "  08 0001 00000004  0e 7fff 02 00000002 0001  00");
    assert_int_equal(it.code, 4);
}

static void unknown_fields_are_kept_in_order_and_written_before_the_stop_byte(void **state)
{
    struct keeper it;
    (void)state;
    assert_decodes(FRUGAL_REF(keeper, &it),
                   "03 0009 01  08 0005 00000007  0b 0002 00000001 61  00");
    assert_int_equal(it.known, 7);
    assert_int_equal(it.kept.len, 12);
    assert_encodes(FRUGAL_VIEW(keeper, &it),
                   "08 0005 00000007  03 0009 01  0b 0002 00000001 61  00");
}

static void nothing_is_kept_when_nothing_is_unknown(void **state)
{
    struct keeper it;
    (void)state;
    assert_decodes(FRUGAL_REF(keeper, &it), "08 0005 00000007 00");
    assert_true(it.kept.ptr == NULL && it.kept.len == 0);
}

static void a_known_field_with_another_wire_type_is_skipped_or_kept(void **state)
{
    struct pair   plain;
    struct keeper keeps;
    (void)state;
    assert_decodes(FRUGAL_REF(pair, &plain), "0a 0001 0000000000000005 08 0002 00000006 00");
    assert_true(plain.x == 0 && plain.y == 6);
    assert_decodes(FRUGAL_REF(keeper, &keeps), "03 0005 01 00");
    assert_int_equal(keeps.known, 0);
    assert_memory_equal(keeps.kept.ptr, "\3\0\5\1", 4);
}

static void a_set_is_not_a_list(void **state)
{
    struct mixed it;
    (void)state;
    assert_decodes(FRUGAL_REF(mixed, &it),
                   "08 0001 00000001 0b 0002 00000000 0e 0005 06 00000001 0009 00");
    assert_null(it.list.ptr);
}

static void strict_makes_a_wrong_field_type_an_error_but_not_an_unknown_field(void **state)
{
    frugal_decode_options strict = { .strict = true };
    struct pair           it;
    (void)state;
    assert_decodes_with(FRUGAL_REF(pair, &it), "08 0001 00000001 03 0009 01 00", &strict);
    assert_fails_with(FRUGAL_REF(pair, &it), "08 0001 00000001  0a 0002 0000000000000005 00",
                      &strict, FRUGAL_MISMATCH, 7, "y",
                      "type mismatch: 8 expected, got 10 (i32, i64)");
}

/* ---- initial values ------------------------------------------------------------------------- */

struct started {
    int32_t x, y;
};
static const struct started started_start = { 5, 6 };
FRUGAL_STRUCT_LOCAL_WITH(started, &started_start, FRUGAL_FIELD(started, x, 1),
                         FRUGAL_FIELD(started, y, 2));
struct around {
    struct started                     in;
    struct started                    *far;
    FRUGAL_LIST(struct started)        list;
    FRUGAL_MAP(int8_t, struct started) map;
    struct pair                        plain;
    frugal_str                         text;
    FRUGAL_OPT(int32_t)                opt;
};
static const int32_t       opt_start    = 99;
static const struct around around_start = { .in    = { 1, 2 },
                                            .plain = { 3, 4 },
                                            .text  = { "text", 4 } };
FRUGAL_STRUCT_LOCAL_WITH(around, &around_start, FRUGAL_FIELD(around, in, 1, struct(started)),
                         FRUGAL_FIELD(around, far, 2, optional, struct(started)),
                         FRUGAL_FIELD(around, list, 3, list(struct(started))),
                         FRUGAL_FIELD(around, map, 4, map(i8, struct(started))),
                         FRUGAL_FIELD(around, plain, 5, struct(pair)),
                         FRUGAL_FIELD(around, text, 6),
                         FRUGAL_FIELD_WITH(around, opt, 7, optional, i32, .initial = &opt_start));
struct wrapper {
    struct started in;
    struct pair    plain;
};
FRUGAL_STRUCT_LOCAL(wrapper,
    FRUGAL_FIELD(wrapper, in, 1, struct(started)),
    FRUGAL_FIELD(wrapper, plain, 2, struct(pair)));

static void an_absent_field_has_the_value_of_the_tables_defaults(void **state)
{
    struct around it;
    (void)state;
    assert_decodes(FRUGAL_REF(around, &it), "00");
    assert_true(it.in.x == 1 && it.in.y == 2 && it.plain.x == 3 && it.plain.y == 4);
    assert_ptr_equal(it.text.ptr, around_start.text.ptr);
    assert_true(it.far == NULL && it.list.len == 0);
}

static void a_default_of_an_optional_field_does_not_make_it_present(void **state)
{
    struct around it;
    (void)state;
    assert_decodes(FRUGAL_REF(around, &it), "00");
    assert_false(it.opt.has);
}

static void a_struct_that_comes_starts_from_its_own_defaults(void **state)
{
    struct around it;
    (void)state;
    assert_decodes(FRUGAL_REF(around, &it),
                   "0c 0001 08 0001 00000007 00  0c 0005 08 0002 00000008 00  00");
    assert_true(it.in.x == 7 && it.in.y == 6);
    assert_true(it.plain.x == 0 && it.plain.y == 8);
}

static void structs_behind_pointers_in_lists_and_in_maps_start_from_their_defaults(void **state)
{
    struct around it;
    (void)state;
    assert_decodes(FRUGAL_REF(around, &it), "0c 0002 00  0f 0003 0c 00000002 00 08 0002 00000009 00"
                                            "  0d 0004 03 0c 00000001 01 00  00");
    assert_true(it.far && it.far->x == 5 && it.far->y == 6);
    assert_true(it.list.ptr[0].x == 5 && it.list.ptr[1].x == 5 && it.list.ptr[1].y == 9);
    assert_true(it.map.ptr[0].value.x == 5 && it.map.ptr[0].value.y == 6);
}

static void without_defaults_a_struct_by_value_has_those_of_its_table(void **state)
{
    struct wrapper it;
    (void)state;
    assert_decodes(FRUGAL_REF(wrapper, &it), "00");
    assert_true(it.in.x == 5 && it.in.y == 6 && it.plain.x == 0);
    assert_fails(FRUGAL_REF(wrapper, &it), "0c 0001 08", FRUGAL_TRUNCATED, 3, "in",
                 "unexpected EOF: 2 bytes short");
    assert_true(it.in.x == 5 && it.in.y == 6);
}

/* ---- unions --------------------------------------------------------------------------------- */

struct choice {
    int32_t which;
    union {
        int64_t        number;
        frugal_str     text;
        struct started record;
    };
    frugal_bytes kept;
};
FRUGAL_UNION_LOCAL(choice, which, FRUGAL_ARM(choice, number, 1), FRUGAL_ARM(choice, text, 2),
                   FRUGAL_ARM(choice, record, -3, struct(started)), FRUGAL_UNKNOWN(choice, kept));
struct chooser {
    struct choice              in;
    FRUGAL_LIST(struct choice) list;
};
FRUGAL_STRUCT_LOCAL(chooser,
    FRUGAL_FIELD(chooser, in, 1, struct(choice)),
    FRUGAL_FIELD(chooser, list, 2, list(struct(choice))));

static void which_says_the_arm(void **state)
{
    struct choice it;
    (void)state;
    assert_decodes(FRUGAL_REF(choice, &it), "0a 0001 0000000000000009 00");
    assert_true(it.which == 1 && it.number == 9);
    assert_decodes(FRUGAL_REF(choice, &it), "0b 0002 00000001 61 00");
    assert_true(it.which == 2 && it.text.len == 1 && it.text.ptr[0] == 'a');
}

static void the_last_arm_wins_and_starts_from_its_own_defaults(void **state)
{
    struct choice it;
    (void)state;
    assert_decodes(FRUGAL_REF(choice, &it),
                   "0a 0001 ffffffffffffffff  0c fffd 08 0002 00000001 00  00");
    assert_true(it.which == -3 && it.record.x == 5 && it.record.y == 1);
    assert_encodes(FRUGAL_VIEW(choice, &it), "0c fffd 08 0001 00000005 08 0002 00000001 00  00");
}

static void no_known_arm_leaves_none_and_is_written_as_an_empty_struct(void **state)
{
    struct chooser it;
    (void)state;
    assert_decodes(FRUGAL_REF(chooser, &it),
                   "0c 0001 00  0f 0002 0c 00000002 00 0a 0001 0000000000000002 00 00");
    assert_true(it.in.which == 0 && it.list.ptr[0].which == 0 && it.list.ptr[1].number == 2);
    assert_encodes(FRUGAL_VIEW(chooser, &it),
                   "0c 0001 00  0f 0002 0c 00000002 00 0a 0001 0000000000000002 00 00");
}

static void a_union_keeps_unknown_fields_only_while_no_arm_is_alive(void **state)
{
    struct choice it;
    (void)state;
    assert_decodes(FRUGAL_REF(choice, &it), "03 0009 01 08 0001 00000002 00");
    assert_true(it.which == 0 && it.kept.len == 11);
    assert_encodes(FRUGAL_VIEW(choice, &it), "03 0009 01 08 0001 00000002 00");
    assert_decodes(FRUGAL_REF(choice, &it), "03 0009 01  0a 0001 0000000000000002  03 0008 01 00");
    assert_true(it.which == 1 && it.kept.len == 0);
    assert_encodes(FRUGAL_VIEW(choice, &it), "0a 0001 0000000000000002 00");
}

static void an_arm_with_another_wire_type_is_no_arm(void **state)
{
    frugal_decode_options strict = { .strict = true };
    struct choice         it;
    (void)state;
    assert_decodes(FRUGAL_REF(choice, &it), "08 0001 00000002 00");
    assert_int_equal(it.which, 0);
    assert_fails_with(FRUGAL_REF(choice, &it), "08 0001 00000002 00", &strict, FRUGAL_MISMATCH, 0,
                      "number", "type mismatch: 10 expected, got 8 (i64, i32)");
}

static void a_path_leads_into_an_arm(void **state)
{
    struct chooser it;
    (void)state;
    assert_fails(FRUGAL_REF(chooser, &it), "0f 0002 0c 00000002 00 0b 0002 000000ff 61 00",
                 FRUGAL_SIZE, 12, "list[1].text", "unexpected EOF: 253 bytes short");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_required_field_is_an_error_at_the_stop_byte),
        cmocka_unit_test(the_lowest_of_the_missing_ids_is_named),
        cmocka_unit_test(the_path_of_what_is_missing_leads_through_all_levels),
        cmocka_unit_test(a_required_field_with_another_wire_type_is_missing),
        cmocka_unit_test(fields_may_come_in_any_order),
        cmocka_unit_test(the_last_of_a_repeated_field_wins),
        cmocka_unit_test(a_repeated_struct_wins_whole_and_is_not_merged),
        cmocka_unit_test(unknown_fields_are_skipped),
        cmocka_unit_test(unknown_fields_are_kept_in_order_and_written_before_the_stop_byte),
        cmocka_unit_test(nothing_is_kept_when_nothing_is_unknown),
        cmocka_unit_test(a_known_field_with_another_wire_type_is_skipped_or_kept),
        cmocka_unit_test(a_set_is_not_a_list),
        cmocka_unit_test(strict_makes_a_wrong_field_type_an_error_but_not_an_unknown_field),
        cmocka_unit_test(an_absent_field_has_the_value_of_the_tables_defaults),
        cmocka_unit_test(a_default_of_an_optional_field_does_not_make_it_present),
        cmocka_unit_test(a_struct_that_comes_starts_from_its_own_defaults),
        cmocka_unit_test(structs_behind_pointers_in_lists_and_in_maps_start_from_their_defaults),
        cmocka_unit_test(without_defaults_a_struct_by_value_has_those_of_its_table),
        cmocka_unit_test(which_says_the_arm),
        cmocka_unit_test(the_last_arm_wins_and_starts_from_its_own_defaults),
        cmocka_unit_test(no_known_arm_leaves_none_and_is_written_as_an_empty_struct),
        cmocka_unit_test(a_union_keeps_unknown_fields_only_while_no_arm_is_alive),
        cmocka_unit_test(an_arm_with_another_wire_type_is_no_arm),
        cmocka_unit_test(a_path_leads_into_an_arm),
    };
    return cmocka_run_group_tests_name("codec: fields out of the ordinary", tests, check_set_up,
                                       check_tear_down);
}
