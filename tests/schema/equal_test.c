#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "schema/sample.h"

static bool users_equal(const struct user *a, const struct user *b)
{
    bool equal = frugal_equal(FRUGAL_VIEW(user, a), FRUGAL_VIEW(user, b));
    assert_int_equal(equal, frugal_equal(FRUGAL_VIEW(user, b), FRUGAL_VIEW(user, a)));
    return equal;
}

static bool shapes_equal(const struct shape *a, const struct shape *b)
{
    bool equal = frugal_equal(FRUGAL_VIEW(shape, a), FRUGAL_VIEW(shape, b));
    assert_int_equal(equal, frugal_equal(FRUGAL_VIEW(shape, b), FRUGAL_VIEW(shape, a)));
    return equal;
}

static void equal_records_are_equal_wherever_their_parts_lie(void **state)
{
    struct user a = sample_user(), b = sample_user();
    char        name[] = "Ada";
    (void)state;
    b.name.ptr = name;
    b.mine     = &b; /* not described */
    assert_true(users_equal(&a, &b));
    assert_true(users_equal(&a, &a));
}

static void equal_notices_each_field(void **state)
{
    struct user           a         = sample_user(), b;
    static struct address home      = { { "Main St", 7 }, 11 };
    static int64_t        friends[] = { 2, 3, 6 };
    static struct address places[]  = { { { "A", 1 }, 1 }, { { "C", 1 }, 2 } };
    (void)state;
#define DIFFERS(change)                    \
    do {                                   \
        b = a;                             \
        change;                            \
        assert_false(users_equal(&a, &b)); \
    } while (0)
    DIFFERS(b.id++);
    DIFFERS(b.name.ptr = "Adb");
    DIFFERS(b.name.len = 2);
    DIFFERS(b.nick = b.name);
    DIFFERS(b.photo.ptr = (const uint8_t *)"");
    DIFFERS(b.admin = true);
    DIFFERS(b.active.has = true);
    DIFFERS(b.age.has = false);
    DIFFERS(b.age.value++);
    DIFFERS(b.score = 1.25);
    DIFFERS(b.color = RED);
    DIFFERS(b.friends.ptr = friends);
    DIFFERS(b.friends.len = 2);
    DIFFERS(b.flags.len = 1);
    DIFFERS(b.flags.ptr++; b.flags.len = 1);
    DIFFERS(b.levels.ptr = NULL);
    DIFFERS(b.scores.ptr++; b.scores.len--);
    DIFFERS(b.home.zip++);
    DIFFERS(b.work = NULL);
    DIFFERS(b.work = &home);
    DIFFERS(b.places.ptr = places);
    DIFFERS(b.extras.len = 1);
    DIFFERS(b.words.len = 1);
    DIFFERS(b.cells.len = 1);
    DIFFERS(b.shape.which = 0);
    DIFFERS(b.shape.name.ptr = "ROUND");
    DIFFERS(b.kept.len--);
    DIFFERS(b.kept.ptr = NULL; b.kept.len = 0);
#undef DIFFERS
}

static void equal_ignores_the_value_of_what_is_absent(void **state)
{
    struct user a = sample_user(), b = a;
    (void)state;
    b.active.value = true;
    assert_true(users_equal(&a, &b));
}

static void equal_compares_doubles_by_their_bits(void **state)
{
    struct user    a = { .score = 0.0 }, b = { .score = -0.0 };
    const uint64_t nan = 0x7FF8000000000001u;
    (void)state;
    assert_false(users_equal(&a, &b));
    memcpy(&a.score, &nan, sizeof nan);
    b = a;
    assert_true(users_equal(&a, &b));
}

static void equal_takes_any_byte_but_0_as_true(void **state)
{
    struct user   a = { .admin = true }, b = { .id = 0 };
    const uint8_t odd[]  = { 2, 0 };
    bool          even[] = { true, false };
    (void)state;
    memset(&b.admin, 2, 1);
    a.active.has = a.active.value = true;
    memset(&b.active, 4, sizeof b.active);
    a.flags.ptr = even, a.flags.len = 2;
    b.flags.ptr = (bool *)(uintptr_t)odd, b.flags.len = 2;
    assert_true(users_equal(&a, &b));
}

static void equal_takes_null_for_empty_where_it_is_not_absent(void **state)
{
    struct user a = { .id = 1 }, b = { .id = 1, .name = { "", 0 } };
    int64_t     unused;
    (void)state;
    b.friends.ptr = &unused;
    assert_true(users_equal(&a, &b));
    b.nick.ptr = "";
    assert_false(users_equal(&a, &b));
}

static void equal_takes_a_null_struct_for_one_with_nothing_to_write(void **state)
{
    struct extra blank = { .note = { NULL, 0 } }, some = { .n = { .value = 0, .has = true } };
    struct extra kept = { .kept = { (const uint8_t *)"x", 1 } };
    struct user  a = { .id = 1 }, b = { .id = 1, .extra = &blank };
    (void)state;
    assert_true(users_equal(&a, &b));
    b.extra = &some;
    assert_false(users_equal(&a, &b));
    b.extra = &kept;
    assert_false(users_equal(&a, &b));

    struct extra *nulls[] = { NULL, &blank }, *blanks[] = { &blank, NULL };
    b            = a;
    a.extras.ptr = nulls, a.extras.len = 2;
    b.extras.ptr = blanks, b.extras.len = 2;
    assert_true(users_equal(&a, &b));
    blanks[1] = &some;
    assert_false(users_equal(&a, &b));
}

static void equal_tells_a_null_struct_from_zeroes_that_are_written(void **state)
{
    struct point origin = { 0, 0 };
    struct shape a = { .which = 3 }, b = { .which = 3 };
    (void)state;
    assert_true(shapes_equal(&a, &b));
    b.corner = &origin;
    assert_false(shapes_equal(&a, &b));
}

static void equal_compares_the_arm_that_is_there_alone(void **state)
{
    struct shape a, b;
    (void)state;
    memset(&a, 0, sizeof a);
    memset(&b, 0xFF, sizeof b);
    a.which = b.which = 1;
    a.radius = b.radius = 2.5;
    assert_true(shapes_equal(&a, &b)); /* what b keeps is not written beside an arm */
    b.radius = 2;
    assert_false(shapes_equal(&a, &b));
    a.which = b.which = 5;
    memset(&a.round, 1, 1);
    memset(&b.round, 3, 1);
    assert_true(shapes_equal(&a, &b));
}

static void equal_compares_what_a_union_without_an_arm_keeps(void **state)
{
    struct shape a = { .kept = { (const uint8_t *)"ab", 2 } };
    struct shape b = { .kept = { (const uint8_t *)"ac", 2 } };
    (void)state;
    assert_false(shapes_equal(&a, &b));
    b.kept.len = a.kept.len = 1;
    assert_true(shapes_equal(&a, &b));
}

static void equal_is_false_for_what_could_not_be_encoded(void **state)
{
    struct user  a = { .name = { NULL, 1 } };
    struct shape b = { .which = 9 };
    (void)state;
    assert_false(users_equal(&a, &a));
    assert_false(shapes_equal(&b, &b));
    a             = (struct user){ .id = 1 };
    a.friends.len = 1;
    assert_false(users_equal(&a, &a));
    a = (struct user){ .nick = { NULL, 1 } };
    assert_false(users_equal(&a, &a));
}

static void equal_goes_1024_levels_deep_and_no_further(void **state)
{
    static struct node nodes[1025], ring = { .id = 0 };
    frugal_view        view = FRUGAL_VIEW(node, nodes);
    (void)state;
    sample_chain(nodes, 1024);
    assert_true(frugal_equal(view, view));
    sample_chain(nodes, 1025);
    assert_false(frugal_equal(view, view));
    ring.next = &ring;
    assert_false(frugal_equal(FRUGAL_VIEW(node, &ring), FRUGAL_VIEW(node, &ring)));
}

static void equal_needs_one_table_and_takes_two_nulls_as_equal(void **state)
{
    struct point        point  = { 1, 2 };
    const frugal_struct second = *FRUGAL_TYPE(point);
    frugal_view         view   = FRUGAL_VIEW(point, &point);
    (void)state;
    assert_false(frugal_equal(view, (frugal_view){ &second, &point }));
    assert_false(frugal_equal(view, (frugal_view){ view.type, NULL }));
    assert_false(frugal_equal((frugal_view){ view.type, NULL }, view));
    assert_true(frugal_equal((frugal_view){ view.type, NULL }, (frugal_view){ view.type, NULL }));
    assert_true(frugal_equal((frugal_view){ NULL, NULL }, (frugal_view){ NULL, NULL }));
    assert_false(frugal_equal((frugal_view){ NULL, &point }, (frugal_view){ NULL, &point }));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_records_are_equal_wherever_their_parts_lie),
        cmocka_unit_test(equal_notices_each_field),
        cmocka_unit_test(equal_ignores_the_value_of_what_is_absent),
        cmocka_unit_test(equal_compares_doubles_by_their_bits),
        cmocka_unit_test(equal_takes_any_byte_but_0_as_true),
        cmocka_unit_test(equal_takes_null_for_empty_where_it_is_not_absent),
        cmocka_unit_test(equal_takes_a_null_struct_for_one_with_nothing_to_write),
        cmocka_unit_test(equal_tells_a_null_struct_from_zeroes_that_are_written),
        cmocka_unit_test(equal_compares_the_arm_that_is_there_alone),
        cmocka_unit_test(equal_compares_what_a_union_without_an_arm_keeps),
        cmocka_unit_test(equal_is_false_for_what_could_not_be_encoded),
        cmocka_unit_test(equal_goes_1024_levels_deep_and_no_further),
        cmocka_unit_test(equal_needs_one_table_and_takes_two_nulls_as_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
