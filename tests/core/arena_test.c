#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <frugal/memory.h>

#include "core/arena.h"
#include "support/probe.h"

static bool aligned(const void *ptr, size_t align)
{
    return ((uintptr_t)ptr & (align - 1)) == 0;
}

/* ---- allocating ------------------------------------------------------------------------------ */

static void arena_new_has_no_block_yet(void **state)
{
    (void)state;
    frugal_arena *arena = frugal_arena_new(NULL);
    assert_non_null(arena);
    assert_int_equal(frugal_arena_used(arena), 0);
    assert_int_equal(frugal_arena_reserved(arena), 0);
    frugal_arena_reset(arena);
    frugal_arena_rewind(arena, frugal_arena_get_mark(arena));
    assert_int_equal(frugal_arena_reserved(arena), 0);
    frugal_arena_free(arena);
    frugal_arena_free(NULL);
    frugal_arena_release(NULL);
}

static void allocations_do_not_overlap_and_keep_their_bytes(void **state)
{
    enum { count = 3000 };
    static uint8_t *ptr[count];
    (void)state;
    frugal_arena *arena = frugal_arena_new(NULL);
    for (size_t i = 0; i < count; i++) {
        size_t align = (size_t)1 << i % 13;
        ptr[i]       = frugal_arena_alloc(arena, i % 300, align);
        assert_non_null(ptr[i]);
        assert_true(aligned(ptr[i], align));
        memset(ptr[i], (int)(i % 251), i % 300);
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < i % 300; k++)
            assert_int_equal(ptr[i][k], i % 251);
    }
    frugal_arena_free(arena);
}

static void every_alignment_up_to_4096_holds_in_fresh_and_used_blocks(void **state)
{
    (void)state;
    for (size_t align = 1; align <= 4096; align *= 2) {
        for (size_t size = 0; size < 20000; size = size * 3 + 1) {
            probe it;
            probe_init(&it);
            it.shift            = 8;
            frugal_arena *arena = frugal_arena_new(
                &(frugal_arena_options){ .allocator = &it.allocator, .block_size = 1 });
            for (int i = 0; i < 3; i++) {
                uint8_t *bytes = frugal_arena_alloc(arena, size, align);
                assert_non_null(bytes);
                assert_true(aligned(bytes, align));
                memset(bytes, 1, size + ARENA_SLACK);
                assert_non_null(frugal_arena_alloc(arena, 1, 1));
            }
            assert_true(aligned(frugal_arena_items(arena, 3, size), 16));
            frugal_arena_free(arena);
            assert_int_equal(it.blocks, 0);
        }
    }
}

static void alignments_that_do_not_exist_are_refused(void **state)
{
    (void)state;
    frugal_arena *arena = frugal_arena_new(NULL);
    assert_null(frugal_arena_alloc(arena, 8, 0));
    assert_null(frugal_arena_alloc(arena, 8, 3));
    assert_null(frugal_arena_alloc(arena, 8, 8192));
    assert_null(frugal_arena_alloc(arena, 8, SIZE_MAX));
    assert_int_equal(frugal_arena_reserved(arena), 0);
    frugal_arena_free(arena);
}

static void sizes_that_overflow_are_refused(void **state)
{
    (void)state;
    frugal_arena *arena = frugal_arena_new(NULL);
    assert_non_null(frugal_arena_alloc(arena, 10, 1));
    size_t used = frugal_arena_used(arena), reserved = frugal_arena_reserved(arena);
    for (size_t align = 1; align <= 4096; align *= 2) {
        for (size_t less = 0; less < 5000; less += 7)
            assert_null(frugal_arena_alloc(arena, SIZE_MAX - less, align));
        assert_null(frugal_arena_alloc(arena, SIZE_MAX / 2 + 1, align));
    }
    assert_null(frugal_arena_items(arena, SIZE_MAX / 2, 3));
    assert_null(frugal_arena_items(arena, SIZE_MAX, SIZE_MAX));
    assert_null(frugal_arena_str(arena, (frugal_str){ "x", SIZE_MAX }).ptr);
    assert_null(arena_alloc_bytes(arena, SIZE_MAX));
    assert_int_equal(frugal_arena_used(arena), used);
    assert_int_equal(frugal_arena_reserved(arena), reserved);
    frugal_arena_free(arena);
}

static void size_zero_gives_a_pointer(void **state)
{
    (void)state;
    frugal_arena *arena = frugal_arena_new(NULL);
    assert_non_null(frugal_arena_alloc(arena, 0, 1));
    assert_non_null(frugal_arena_items(arena, 0, 100));
    assert_non_null(frugal_arena_items(arena, 100, 0));
    assert_int_equal(frugal_arena_used(arena), 0);
    frugal_arena_free(arena);
}

static void items_are_zeroed_also_in_kept_blocks(void **state)
{
    (void)state;
    frugal_arena *arena = frugal_arena_new(NULL);
    memset(frugal_arena_alloc(arena, 3000, 1), 0xff, 3000);
    frugal_arena_reset(arena);
    uint8_t *items = frugal_arena_items(arena, 100, 30);
    for (size_t i = 0; i < 3000; i++)
        assert_int_equal(items[i], 0);
    FRUGAL_LIST(int32_t) list;
    assert_true(FRUGAL_ALLOC_ITEMS(arena, list, 5));
    assert_int_equal(list.len, 5);
    frugal_arena_free(arena);
}

static void text_is_copied_with_a_nul_behind(void **state)
{
    (void)state;
    frugal_arena *arena = frugal_arena_new(NULL);
    memset(frugal_arena_alloc(arena, 100, 1), 'x', 100);
    frugal_arena_reset(arena);
    frugal_str copy = frugal_arena_str(arena, (frugal_str){ "a\0b", 3 });
    assert_int_equal(copy.len, 3);
    assert_memory_equal(copy.ptr, "a\0b", 4);
    copy = frugal_arena_str(arena, (frugal_str){ NULL, 0 });
    assert_non_null(copy.ptr);
    assert_int_equal(copy.len, 0);
    assert_int_equal(copy.ptr[0], 0);
    frugal_arena_free(arena);
}

static void the_newest_allocation_can_be_resized_in_place(void **state)
{
    (void)state;
    frugal_arena *arena = frugal_arena_new(NULL);
    uint8_t      *a     = frugal_arena_alloc(arena, 100, 1);
    assert_true(arena_resize(arena, a, 100, 200));
    assert_true(arena_resize(arena, a, 200, 50));
    assert_int_equal(frugal_arena_used(arena), 50);
    uint8_t *b = frugal_arena_alloc(arena, 10, 1);
    assert_ptr_equal(b, a + 50);
    assert_false(arena_resize(arena, a, 50, 60));
    assert_false(arena_resize(arena, b, 10, 100000));
    assert_false(arena_resize(arena, b, 10, SIZE_MAX));
    assert_int_equal(frugal_arena_used(arena), 60);
    frugal_arena_free(arena);
}

/* ---- what is kept ---------------------------------------------------------------------------- */

static void use(frugal_arena *arena, size_t seed)
{
    for (size_t i = 0; i < 400; i++)
        assert_non_null(frugal_arena_alloc(arena, (i * 7919 + seed) % 3000, (size_t)1 << i % 8));
    assert_non_null(frugal_arena_alloc(arena, 200000 + seed, 16));
    assert_non_null(frugal_arena_alloc(arena, 10, 1));
}

static void a_warm_arena_allocates_nothing(void **state)
{
    (void)state;
    probe it;
    probe_init(&it);
    frugal_arena *arena = frugal_arena_new(&(frugal_arena_options){ .allocator = &it.allocator });
    use(arena, 1);
    size_t calls = it.calls, reserved = frugal_arena_reserved(arena),
           used = frugal_arena_used(arena);
    for (int i = 0; i < 20; i++) {
        frugal_arena_reset(arena);
        assert_int_equal(frugal_arena_used(arena), 0);
        use(arena, 1);
        assert_int_equal(frugal_arena_used(arena), used);
    }
    assert_int_equal(it.calls, calls);
    assert_int_equal(frugal_arena_reserved(arena), reserved);
    frugal_arena_free(arena);
    assert_int_equal(it.live, 0);
}

static void different_messages_in_turn_become_warm_as_well(void **state)
{
    (void)state;
    probe it;
    probe_init(&it);
    frugal_arena *arena = frugal_arena_new(&(frugal_arena_options){ .allocator = &it.allocator });
    size_t        calls = 0;
    for (int round = 0; round < 20; round++) {
        for (size_t seed = 0; seed < 10; seed++) {
            frugal_arena_reset(arena);
            use(arena, seed * 40000);
        }
        if (round == 10)
            calls = it.calls;
    }
    assert_int_equal(it.calls, calls);
    frugal_arena_free(arena);
    assert_int_equal(it.live, 0);
}

/* Each request is a little larger than all before; only the latest block may stay. */
static void growing_requests_do_not_grow_the_arena_for_ever(void **state)
{
    (void)state;
    probe it;
    probe_init(&it);
    frugal_arena *arena = frugal_arena_new(&(frugal_arena_options){ .allocator = &it.allocator });
    for (size_t i = 0; i < 300; i++) {
        frugal_arena_reset(arena);
        assert_non_null(frugal_arena_alloc(arena, 100, 8));
        assert_non_null(frugal_arena_alloc(arena, ((size_t)1 << 20) + 64 * i, 8));
        assert_true(frugal_arena_reserved(arena) < (size_t)4 << 20);
        assert_true(it.live < (size_t)4 << 20);
    }
    frugal_arena_free(arena);
    assert_int_equal(it.live, 0);
}

static void reserved_is_what_the_allocator_gave(void **state)
{
    (void)state;
    probe it;
    probe_init(&it);
    frugal_arena *arena = frugal_arena_new(&(frugal_arena_options){ .allocator = &it.allocator });
    size_t        own   = it.live;
    for (size_t i = 0; i < 200; i++) {
        if (i % 17 == 0)
            frugal_arena_reset(arena);
        frugal_arena_alloc(arena, i * i * 31 % 70000, 1);
        assert_int_equal(it.live - own, frugal_arena_reserved(arena));
    }
    frugal_arena_free(arena);
    assert_int_equal(it.live, 0);
}

/* ---- marks ----------------------------------------------------------------------------------- */

static void rewind_forgets_what_came_after_the_mark(void **state)
{
    (void)state;
    frugal_arena *arena = frugal_arena_new(NULL);
    uint8_t      *kept  = frugal_arena_alloc(arena, 100, 1);
    memset(kept, 7, 100);
    frugal_arena_mark mark = frugal_arena_get_mark(arena);
    size_t            used = frugal_arena_used(arena);
    for (int i = 0; i < 3; i++) {
        uint8_t *after = frugal_arena_alloc(arena, 10, 1);
        assert_ptr_equal(after, kept + 100);
        memset(after, 9, 10);
        use(arena, 5);
        frugal_arena_rewind(arena, mark);
        assert_int_equal(frugal_arena_used(arena), used);
    }
    for (int i = 0; i < 100; i++)
        assert_int_equal(kept[i], 7);
    frugal_arena_free(arena);
}

static void marks_nest_over_several_blocks(void **state)
{
    enum { levels = 40 };
    frugal_arena_mark mark[levels];
    size_t            used[levels];
    uint8_t          *bytes[levels];
    (void)state;
    frugal_arena *arena = frugal_arena_new(&(frugal_arena_options){ .block_size = 600 });
    for (size_t i = 0; i < levels; i++) {
        mark[i]  = frugal_arena_get_mark(arena);
        used[i]  = frugal_arena_used(arena);
        bytes[i] = frugal_arena_alloc(arena, 500 * (i % 5 + 1), 8);
        memset(bytes[i], (int)i, 500 * (i % 5 + 1));
    }
    for (size_t i = levels; i-- > 0;) {
        for (size_t k = 0; k < 500 * (i % 5 + 1); k++)
            assert_int_equal(bytes[i][k], i);
        frugal_arena_rewind(arena, mark[i]);
        assert_int_equal(frugal_arena_used(arena), used[i]);
        frugal_arena_alloc(arena, 100000, 8); /* takes kept blocks away behind the mark */
        frugal_arena_rewind(arena, mark[i]);
    }
    frugal_arena_free(arena);
}

static void a_mark_of_the_empty_arena_rewinds_everything(void **state)
{
    (void)state;
    probe it;
    probe_init(&it);
    frugal_arena *arena = frugal_arena_new(&(frugal_arena_options){ .allocator = &it.allocator });
    frugal_arena_mark mark = frugal_arena_get_mark(arena);
    use(arena, 3);
    size_t calls = it.calls;
    frugal_arena_rewind(arena, mark);
    assert_int_equal(frugal_arena_used(arena), 0);
    use(arena, 3);
    assert_int_equal(it.calls, calls);
    frugal_arena_free(arena);
}

/* ---- limits ---------------------------------------------------------------------------------- */

static void reserved_max_is_never_passed(void **state)
{
    (void)state;
    frugal_arena *arena = frugal_arena_new(&(frugal_arena_options){ .reserved_max = 20000 });
    size_t        got   = 0;
    while (frugal_arena_alloc(arena, 100, 1)) {
        got += 100;
        assert_true(frugal_arena_reserved(arena) <= 20000);
    }
    assert_true(got > 19000); /* the last block is as small as the limit wants it */
    size_t used = frugal_arena_used(arena);
    assert_null(frugal_arena_alloc(arena, 5000, 1));
    assert_int_equal(frugal_arena_used(arena), used);
    frugal_arena_free(arena);
}

static void kept_blocks_make_way_under_reserved_max(void **state)
{
    (void)state;
    frugal_arena *arena = frugal_arena_new(&(frugal_arena_options){ .reserved_max = 20000 });
    while (frugal_arena_alloc(arena, 100, 1))
        ;
    frugal_arena_reset(arena);
    assert_non_null(frugal_arena_alloc(arena, 10, 1));
    assert_non_null(frugal_arena_alloc(arena, 15000, 1));
    assert_true(frugal_arena_reserved(arena) <= 20000);
    frugal_arena_free(arena);
}

static void every_allocation_may_fail_and_nothing_is_lost(void **state)
{
    (void)state;
    probe it;
    probe_init(&it);
    it.fail_from = 0;
    assert_null(frugal_arena_new(&(frugal_arena_options){ .allocator = &it.allocator }));
    for (size_t nth = 1; nth < 8; nth++) {
        probe_init(&it);
        it.fail_from = nth;
        frugal_arena *arena =
            frugal_arena_new(&(frugal_arena_options){ .allocator = &it.allocator });
        size_t   size = 1, used;
        uint8_t *bytes;
        do {
            used  = frugal_arena_used(arena);
            bytes = frugal_arena_alloc(arena, size, 64);
            if (bytes)
                memset(bytes, 1, size);
            size += 977;
        } while (bytes);
        assert_int_equal(frugal_arena_used(arena), used);
        assert_null(frugal_arena_items(arena, 1000, 1000));
        it.fail_from = SIZE_MAX;
        assert_non_null(frugal_arena_items(arena, 1000, 1000));
        frugal_arena_free(arena);
        assert_int_equal(it.live, 0);
        assert_int_equal(it.blocks, 0);
    }
}

/* ---- the caller's memory --------------------------------------------------------------------- */

static void memory_of_the_caller_comes_first(void **state)
{
    static uint8_t memory[4000];
    (void)state;
    probe it;
    for (size_t shift = 0; shift < 32; shift++) {
        probe_init(&it);
        frugal_arena *arena = frugal_arena_init(
            memory + shift, 3000, &(frugal_arena_options){ .allocator = &it.allocator });
        assert_non_null(arena);
        assert_int_equal(frugal_arena_reserved(arena), 3000);
        uint8_t *first = frugal_arena_alloc(arena, 2000, 16);
        assert_true(first > memory && first + 2000 + ARENA_SLACK <= memory + shift + 3000);
        assert_int_equal(it.calls, 0);
        assert_non_null(frugal_arena_alloc(arena, 2000, 16));
        assert_int_equal(it.calls, 1);
        frugal_arena_reset(arena);
        assert_ptr_equal(frugal_arena_alloc(arena, 2000, 16), first);
        frugal_arena_release(arena);
        assert_int_equal(it.live, 0);
    }
}

static void a_fixed_arena_stays_in_its_memory(void **state)
{
    static uint8_t memory[5000];
    (void)state;
    for (size_t size = FRUGAL_ARENA_SIZE_MIN; size < 4000; size += 61) {
        memset(memory, 0x77, sizeof memory);
        frugal_arena *arena = frugal_arena_init(memory + 100 + size % 16, size,
                                                &(frugal_arena_options){ .fixed = true });
        assert_non_null(arena);
        uint8_t *bytes;
        size_t   got = 0;
        for (; (bytes = frugal_arena_alloc(arena, 10, 2)) != NULL; got += 10)
            memset(bytes, 1, 10 + ARENA_SLACK);
        assert_true(got + 256 + 16 >= size);
        assert_null(frugal_arena_alloc(arena, SIZE_MAX, 4096));
        for (size_t i = 0; i < 100 + size % 16; i++)
            assert_int_equal(memory[i], 0x77);
        for (size_t i = 100 + size % 16 + size; i < sizeof memory; i++)
            assert_int_equal(memory[i], 0x77);
        frugal_arena_reset(arena);
        assert_non_null(frugal_arena_alloc(arena, 10, 2));
        frugal_arena_release(arena);
    }
}

static void memory_below_the_minimum_is_refused(void **state)
{
    static uint8_t memory[FRUGAL_ARENA_SIZE_MIN];
    (void)state;
    assert_null(frugal_arena_init(memory, FRUGAL_ARENA_SIZE_MIN - 1, NULL));
    assert_null(frugal_arena_init(NULL, 4096, NULL));
    assert_non_null(frugal_arena_init(memory, FRUGAL_ARENA_SIZE_MIN, NULL));
}

static void an_arena_of_its_own_is_never_fixed(void **state)
{
    (void)state;
    frugal_arena *arena = frugal_arena_new(&(frugal_arena_options){ .fixed = true });
    assert_non_null(frugal_arena_alloc(arena, 10, 1));
    frugal_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_new_has_no_block_yet),
        cmocka_unit_test(allocations_do_not_overlap_and_keep_their_bytes),
        cmocka_unit_test(every_alignment_up_to_4096_holds_in_fresh_and_used_blocks),
        cmocka_unit_test(alignments_that_do_not_exist_are_refused),
        cmocka_unit_test(sizes_that_overflow_are_refused),
        cmocka_unit_test(size_zero_gives_a_pointer),
        cmocka_unit_test(items_are_zeroed_also_in_kept_blocks),
        cmocka_unit_test(text_is_copied_with_a_nul_behind),
        cmocka_unit_test(the_newest_allocation_can_be_resized_in_place),
        cmocka_unit_test(a_warm_arena_allocates_nothing),
        cmocka_unit_test(different_messages_in_turn_become_warm_as_well),
        cmocka_unit_test(growing_requests_do_not_grow_the_arena_for_ever),
        cmocka_unit_test(reserved_is_what_the_allocator_gave),
        cmocka_unit_test(rewind_forgets_what_came_after_the_mark),
        cmocka_unit_test(marks_nest_over_several_blocks),
        cmocka_unit_test(a_mark_of_the_empty_arena_rewinds_everything),
        cmocka_unit_test(reserved_max_is_never_passed),
        cmocka_unit_test(kept_blocks_make_way_under_reserved_max),
        cmocka_unit_test(every_allocation_may_fail_and_nothing_is_lost),
        cmocka_unit_test(memory_of_the_caller_comes_first),
        cmocka_unit_test(a_fixed_arena_stays_in_its_memory),
        cmocka_unit_test(memory_below_the_minimum_is_refused),
        cmocka_unit_test(an_arena_of_its_own_is_never_fixed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
