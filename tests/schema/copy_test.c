#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "schema/sample.h"
#include "schema/schema.h"

static frugal_arena *arena;

static int make_arena(void **state)
{
    (void)state;
    arena = frugal_arena_new(NULL);
    return arena == NULL;
}

static int free_arena(void **state)
{
    (void)state;
    frugal_arena_free(arena);
    return 0;
}

static frugal_error copy_user(struct user *to, const struct user *from)
{
    frugal_error error;
    memset(&error, 0, sizeof error);
    frugal_status status =
        frugal_copy(FRUGAL_REF(user, to), FRUGAL_VIEW(user, from), arena, &error);
    assert_int_equal(status, error.status);
    return error;
}

/* The copy failed so, at this path; it is initialised and the arena empty. */
static void assert_copy_fails(const struct user *from, frugal_status status, const char *path)
{
    struct user to, zero;
    memset(&to, 0xFF, sizeof to);
    memset(&zero, 0, sizeof zero);
    frugal_error error = copy_user(&to, from);
    assert_int_equal(error.status, status);
    assert_string_equal(error.path, path);
    assert_true(error.message[0] != '\0');
    assert_memory_equal(&to, &zero, sizeof to);
    assert_int_equal(frugal_arena_used(arena), 0);
}

static void copy_equals_the_original_and_shares_nothing(void **state)
{
    struct user from = sample_user(), to;
    (void)state;
    memset(&to, 0xFF, sizeof to);
    assert_int_equal(copy_user(&to, &from).status, FRUGAL_OK);
    assert_true(frugal_equal(FRUGAL_VIEW(user, &from), FRUGAL_VIEW(user, &to)));
    assert_ptr_not_equal(to.name.ptr, from.name.ptr);
    assert_ptr_not_equal(to.home.street.ptr, from.home.street.ptr);
    assert_ptr_not_equal(to.work, from.work);
    assert_ptr_not_equal(to.work->street.ptr, from.work->street.ptr);
    assert_ptr_not_equal(to.friends.ptr, from.friends.ptr);
    assert_ptr_not_equal(to.places.ptr, from.places.ptr);
    assert_ptr_not_equal(to.places.ptr[1].street.ptr, from.places.ptr[1].street.ptr);
    assert_ptr_not_equal(to.extras.ptr[0], from.extras.ptr[0]);
    assert_ptr_not_equal(to.scores.ptr[0].key.ptr, from.scores.ptr[0].key.ptr);
    assert_ptr_not_equal(to.words.ptr[0].value.ptr, from.words.ptr[0].value.ptr);
    assert_ptr_not_equal(to.words.ptr[0].value.ptr[1].ptr, from.words.ptr[0].value.ptr[1].ptr);
    assert_ptr_not_equal(to.cells.ptr[0].value.ptr, from.cells.ptr[0].value.ptr);
    assert_ptr_not_equal(to.shape.name.ptr, from.shape.name.ptr);
    assert_ptr_not_equal(to.kept.ptr, from.kept.ptr);
}

static void copy_keeps_null_and_makes_empty_point_elsewhere(void **state)
{
    struct user from = { .nick = { "", 0 }, .photo = { (const uint8_t *)"", 0 } }, to;
    int16_t     one  = 1;
    (void)state;
    from.levels.ptr = &one;
    assert_int_equal(copy_user(&to, &from).status, FRUGAL_OK);
    assert_null(to.name.ptr);
    assert_null(to.friends.ptr);
    assert_null(to.work);
    assert_null(to.extra);
    assert_ptr_equal(to.nick.ptr, schema_empty);
    assert_ptr_equal(to.photo.ptr, schema_empty);
    assert_ptr_equal(to.levels.ptr, schema_empty);
    assert_int_equal(to.nick.len + to.photo.len + to.levels.len, 0);
    assert_int_equal(frugal_arena_used(arena), 0);
}

static void copy_keeps_null_elements(void **state)
{
    struct user from = sample_user(), to;
    (void)state;
    assert_int_equal(copy_user(&to, &from).status, FRUGAL_OK);
    assert_non_null(to.extras.ptr[0]);
    assert_null(to.extras.ptr[1]);
}

static void copy_makes_bools_zero_or_one(void **state)
{
    struct user   from  = { .id = 1 }, to;
    const uint8_t odd[] = { 2, 0, 255 };
    uint8_t       out[3];
    (void)state;
    memset(&from.admin, 2, 1);
    memset(&from.active, 0x80, sizeof from.active);
    from.flags.ptr = (bool *)(uintptr_t)odd;
    from.flags.len = 3;
    assert_int_equal(copy_user(&to, &from).status, FRUGAL_OK);
    memcpy(out, to.flags.ptr, 3);
    assert_memory_equal(out, "\1\0\1", 3);
    memcpy(out, &to.admin, 1);
    memcpy(out + 1, &to.active.value, 1);
    memcpy(out + 2, &to.active.has, 1);
    assert_memory_equal(out, "\1\1\1", 3);
}

static void copy_takes_long_texts_and_scalar_lists_whole(void **state)
{
    enum { COUNT = 100000 };
    struct user from    = { .id = 1 }, to;
    int64_t    *numbers = malloc(COUNT * sizeof *numbers);
    (void)state;
    assert_non_null(numbers);
    for (int i = 0; i < COUNT; i++)
        numbers[i] = i * 7919;
    from.friends.ptr = numbers;
    from.friends.len = COUNT;
    from.name        = (frugal_str){ (const char *)numbers, COUNT };
    assert_int_equal(copy_user(&to, &from).status, FRUGAL_OK);
    assert_memory_equal(to.friends.ptr, numbers, COUNT * sizeof *numbers);
    assert_memory_equal(to.name.ptr, numbers, COUNT);
    free(numbers);
}

static void copy_copies_members_that_are_not_described(void **state)
{
    struct user from = { .mine = &from }, to;
    (void)state;
    assert_int_equal(copy_user(&to, &from).status, FRUGAL_OK);
    assert_ptr_equal(to.mine, &from);
}

static void copy_copies_the_arm_and_what_a_union_keeps(void **state)
{
    int32_t      sides[] = { 3, 4 };
    struct shape from    = { .which = 6 }, to;
    (void)state;
    from.sides.ptr = sides;
    from.sides.len = 2;
    assert_int_equal(frugal_copy(FRUGAL_REF(shape, &to), FRUGAL_VIEW(shape, &from), arena, NULL),
                     FRUGAL_OK);
    assert_int_equal(to.which, 6);
    assert_ptr_not_equal(to.sides.ptr, sides);
    assert_memory_equal(to.sides.ptr, sides, sizeof sides);

    from = (struct shape){ .kept = { (const uint8_t *)"kept", 4 } };
    assert_int_equal(frugal_copy(FRUGAL_REF(shape, &to), FRUGAL_VIEW(shape, &from), arena, NULL),
                     FRUGAL_OK);
    assert_int_equal(to.which, 0);
    assert_ptr_not_equal(to.kept.ptr, from.kept.ptr);
    assert_memory_equal(to.kept.ptr, "kept", 4);
}

static void copy_leaves_a_null_struct_in_an_arm_null(void **state)
{
    struct shape from = { .which = 3 }, to;
    (void)state;
    assert_int_equal(frugal_copy(FRUGAL_REF(shape, &to), FRUGAL_VIEW(shape, &from), arena, NULL),
                     FRUGAL_OK);
    assert_int_equal(to.which, 3);
    assert_null(to.corner);
}

static void copy_names_the_place_of_a_null_with_a_length(void **state)
{
    static struct address places[2] = { { { "A", 1 }, 1 }, { { NULL, 4 }, 2 } };
    static frugal_str     some[2]   = { { "x", 1 }, { NULL, 1 } };
    struct user           from      = sample_user();
    (void)state;
    from.name = (frugal_str){ NULL, 1 };
    assert_copy_fails(&from, FRUGAL_INVALID, "name");

    from                 = sample_user();
    from.home.street.ptr = NULL;
    assert_copy_fails(&from, FRUGAL_INVALID, "home.street");

    from            = sample_user();
    from.places.ptr = places;
    assert_copy_fails(&from, FRUGAL_INVALID, "places[1].street");

    from                        = sample_user();
    from.words.ptr[0].value.ptr = some;
    assert_copy_fails(&from, FRUGAL_INVALID, "words{7}[1]");
    from.words.ptr[0].value.ptr = NULL;
    assert_copy_fails(&from, FRUGAL_INVALID, "words{7}");
    from                        = sample_user();
    from.words.ptr[0].value.len = 0;

    from                        = sample_user();
    from.cells.ptr[1].value.ptr = NULL;
    assert_copy_fails(&from, FRUGAL_INVALID, "cells{1}");
    from.cells.ptr[1].value.ptr = "two";

    from                       = sample_user();
    from.scores.ptr[1].key.ptr = NULL;
    assert_copy_fails(&from, FRUGAL_INVALID, "scores{1}");
    from.scores.ptr[1].key.ptr = "y";

    from          = sample_user();
    from.nick.len = 1;
    assert_copy_fails(&from, FRUGAL_INVALID, "nick");

    from            = sample_user();
    from.levels.ptr = NULL;
    assert_copy_fails(&from, FRUGAL_INVALID, "levels");

    from          = sample_user();
    from.kept.ptr = NULL;
    assert_copy_fails(&from, FRUGAL_INVALID, "kept");

    from             = sample_user();
    from.friends.ptr = NULL;
    assert_copy_fails(&from, FRUGAL_INVALID, "friends");
}

static void copy_refuses_an_arm_that_does_not_exist(void **state)
{
    struct user from = sample_user();
    (void)state;
    from.shape.which = 9;
    assert_copy_fails(&from, FRUGAL_INVALID, "shape");
}

static void copy_refuses_a_count_whose_size_overflows(void **state)
{
    struct user from = sample_user();
    (void)state;
    from.friends.len = SIZE_MAX / 4;
    assert_copy_fails(&from, FRUGAL_NOMEM, "friends");
}

struct labels {
    FRUGAL_MAP(frugal_str, struct shape) m;
};
FRUGAL_STRUCT_LOCAL(labels, FRUGAL_FIELD(labels, m, 1, map(string, struct(shape))));

static void assert_key_in_path(frugal_str key, const char *path)
{
    struct {
        frugal_str   key;
        struct shape value;
    } entry            = { key, { .which = 99 } };
    struct labels from = { { (void *)&entry, 1 } }, to;
    frugal_error  error;
    assert_int_equal(
        frugal_copy(FRUGAL_REF(labels, &to), FRUGAL_VIEW(labels, &from), arena, &error),
        FRUGAL_INVALID);
    assert_string_equal(error.path, path);
}

static void copy_shows_key_texts_cut_and_printable(void **state)
{
    (void)state;
    assert_key_in_path(FRUGAL_STR(""), "m{}");
    assert_key_in_path(FRUGAL_STR("a\nb\xff\xc3\xa9"), "m{a?b?\xc3\xa9}");
    assert_key_in_path(FRUGAL_STR("aaaaaaaaaaaaaaaaaaaaaaaa"), "m{aaaaaaaaaaaaaaaaaaaaaaaa}");
    assert_key_in_path(FRUGAL_STR("aaaaaaaaaaaaaaaaaaaaaaa\xc3\xa9zzz"),
                       "m{aaaaaaaaaaaaaaaaaaaaaaa\xe2\x80\xa6}");
}

static void copy_goes_1024_levels_deep_and_no_further(void **state)
{
    static struct node nodes[1025];
    struct node        to;
    frugal_error       error;
    (void)state;
    sample_chain(nodes, 1024);
    assert_int_equal(frugal_copy(FRUGAL_REF(node, &to), FRUGAL_VIEW(node, nodes), arena, &error),
                     FRUGAL_OK);
    assert_int_equal(to.next->next->id, 2);
    frugal_arena_reset(arena);
    sample_chain(nodes, 1025);
    assert_int_equal(frugal_copy(FRUGAL_REF(node, &to), FRUGAL_VIEW(node, nodes), arena, &error),
                     FRUGAL_DEPTH);
    assert_null(to.next);
    assert_int_equal(frugal_arena_used(arena), 0);
}

static void copy_ends_a_cycle_with_depth(void **state)
{
    struct node  ring = { .id = 1 }, to, *child = &ring;
    frugal_error error;
    (void)state;
    ring.next = &ring;
    assert_int_equal(frugal_copy(FRUGAL_REF(node, &to), FRUGAL_VIEW(node, &ring), arena, &error),
                     FRUGAL_DEPTH);
    ring.next         = NULL;
    ring.children.ptr = &child;
    ring.children.len = 1;
    assert_int_equal(frugal_copy(FRUGAL_REF(node, &to), FRUGAL_VIEW(node, &ring), arena, &error),
                     FRUGAL_DEPTH);
    assert_null(to.children.ptr);
    assert_non_null(strstr(error.path, "children[0].children[0]"));
}

static void copy_leaves_the_target_alone_when_the_arguments_are_wrong(void **state)
{
    struct address from = { { "x", 1 }, 1 }, to = { { "y", 1 }, 2 };
    struct user    user    = { .id = 1 };
    frugal_ref     ref     = FRUGAL_REF(address, &to);
    frugal_view    view    = FRUGAL_VIEW(address, &from);
    frugal_ref     no_ref  = { ref.type, NULL };
    frugal_view    no_view = { ref.type, NULL };
    (void)state;
    assert_int_equal(frugal_copy(ref, view, NULL, NULL), FRUGAL_INVALID);
    assert_int_equal(frugal_copy(ref, no_view, arena, NULL), FRUGAL_INVALID);
    assert_int_equal(frugal_copy(ref, (frugal_view){ NULL, &from }, arena, NULL), FRUGAL_INVALID);
    assert_int_equal(frugal_copy(no_ref, view, arena, NULL), FRUGAL_INVALID);
    assert_int_equal(frugal_copy((frugal_ref){ NULL, &to }, view, arena, NULL), FRUGAL_INVALID);
    assert_int_equal(frugal_copy(ref, FRUGAL_VIEW(user, &user), arena, NULL), FRUGAL_INVALID);
    assert_int_equal(frugal_copy(ref, FRUGAL_VIEW(address, &to), arena, NULL), FRUGAL_INVALID);
    assert_string_equal(to.street.ptr, "y");
    assert_int_equal(to.zip, 2);
}

static void copy_refuses_a_table_that_contradicts_itself(void **state)
{
    frugal_struct  table = *FRUGAL_TYPE(address);
    struct address from = { { "x", 1 }, 1 }, to = { { "y", 1 }, 2 };
    (void)state;
    table.abi++;
    table.slot = NULL;
    assert_int_equal(
        frugal_copy((frugal_ref){ &table, &to }, (frugal_view){ &table, &from }, arena, NULL),
        FRUGAL_DESCRIPTOR);
    assert_int_equal(to.zip, 2);
}

/* An arena of 4 KiB with all but the last `room` bytes taken; NULL: it never had so many. */
static frugal_arena *arena_with_room(size_t room)
{
    static _Alignas(16) uint8_t memory[4096];
    const frugal_arena_options  options = { .fixed = true };
    frugal_arena               *small   = frugal_arena_init(memory, sizeof memory, &options);
    size_t                      whole   = sizeof memory;
    while (frugal_arena_alloc(small, whole, 1) == NULL)
        whole--;
    frugal_arena_reset(small);
    return room <= whole && frugal_arena_alloc(small, whole - room, 1) ? small : NULL;
}

/* With each byte more of room, it fails a little later, in every place that allocates. */
static void copy_undoes_itself_wherever_memory_ends(void **state)
{
    struct user   from   = sample_user(), zero, to;
    frugal_status status = FRUGAL_NOMEM;
    size_t        room;
    (void)state;
    memset(&zero, 0, sizeof zero);
    for (room = 0; status; room++) {
        frugal_arena *small = arena_with_room(room);
        assert_non_null(small);
        size_t used = frugal_arena_used(small);
        memset(&to, 0xFF, sizeof to);
        status = frugal_copy(FRUGAL_REF(user, &to), FRUGAL_VIEW(user, &from), small, NULL);
        if (status) {
            assert_int_equal(status, FRUGAL_NOMEM);
            assert_memory_equal(&to, &zero, sizeof to);
            assert_int_equal(frugal_arena_used(small), used);
        }
    }
    assert_true(frugal_equal(FRUGAL_VIEW(user, &from), FRUGAL_VIEW(user, &to)));
    assert_true(room > 300);
}

typedef struct scarce {
    size_t calls, fail_at;
} scarce;

static void *scarce_resize(void *context, void *ptr, size_t old_size, size_t size)
{
    scarce *s = context;
    (void)old_size;
    if (size == 0) {
        free(ptr);
        return NULL;
    }
    return s->calls++ == s->fail_at ? NULL : realloc(ptr, size);
}

static void copy_survives_the_failure_of_each_allocation(void **state)
{
    struct user   from   = sample_user(), to;
    frugal_status status = FRUGAL_NOMEM;
    size_t        n;
    (void)state;
    for (n = 1; status; n++) {
        scarce               s         = { 0, n };
        frugal_allocator     allocator = { scarce_resize, &s };
        frugal_arena_options options   = { .allocator = &allocator, .block_size = 1 };
        frugal_arena        *small     = frugal_arena_new(&options);
        assert_non_null(small);
        status = frugal_copy(FRUGAL_REF(user, &to), FRUGAL_VIEW(user, &from), small, NULL);
        assert_true(status == FRUGAL_OK || status == FRUGAL_NOMEM);
        if (status)
            assert_int_equal(frugal_arena_used(small), 0);
        frugal_arena_free(small);
    }
    assert_true(n > 5);
}

#define WITH_ARENA(test) cmocka_unit_test_setup_teardown(test, make_arena, free_arena)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_ARENA(copy_equals_the_original_and_shares_nothing),
        WITH_ARENA(copy_keeps_null_and_makes_empty_point_elsewhere),
        WITH_ARENA(copy_keeps_null_elements),
        WITH_ARENA(copy_makes_bools_zero_or_one),
        WITH_ARENA(copy_takes_long_texts_and_scalar_lists_whole),
        WITH_ARENA(copy_copies_members_that_are_not_described),
        WITH_ARENA(copy_copies_the_arm_and_what_a_union_keeps),
        WITH_ARENA(copy_leaves_a_null_struct_in_an_arm_null),
        WITH_ARENA(copy_names_the_place_of_a_null_with_a_length),
        WITH_ARENA(copy_refuses_an_arm_that_does_not_exist),
        WITH_ARENA(copy_refuses_a_count_whose_size_overflows),
        WITH_ARENA(copy_shows_key_texts_cut_and_printable),
        WITH_ARENA(copy_goes_1024_levels_deep_and_no_further),
        WITH_ARENA(copy_ends_a_cycle_with_depth),
        WITH_ARENA(copy_leaves_the_target_alone_when_the_arguments_are_wrong),
        WITH_ARENA(copy_refuses_a_table_that_contradicts_itself),
        WITH_ARENA(copy_undoes_itself_wherever_memory_ends),
        WITH_ARENA(copy_survives_the_failure_of_each_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
