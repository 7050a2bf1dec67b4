/* tests/schema/visited_test.c - the set of addresses behind walks over tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/allocator.h"
#include "schema/visited.h"

static void an_address_is_found_once_it_was_added(void **state)
{
    (void)state;
    int     a, b;
    visited set;
    visited_init(&set, &allocator_malloc);
    assert_int_equal(visited_find(&set, &a), VISITED_NONE);
    assert_int_equal(visited_add(&set, &a, 7), 0);
    assert_int_equal(visited_find(&set, &a), 0);
    assert_int_equal(visited_find(&set, &b), VISITED_NONE);
    assert_int_equal(set.nodes[0].note, 7);
    visited_release(&set);
    visited_release(&set);
}

static void indexes_stay_while_the_set_grows(void **state)
{
    (void)state;
    static char places[20000];
    visited     set;
    visited_init(&set, &allocator_malloc);
    for (uint32_t i = 0; i < sizeof places; i++)
        assert_int_equal(visited_add(&set, &places[i], i), i);
    for (uint32_t i = 0; i < sizeof places; i++) {
        assert_int_equal(visited_find(&set, &places[i]), i);
        assert_ptr_equal(set.nodes[i].address, &places[i]);
    }
    visited_release(&set);
}

static void *refuse(void *context, void *ptr, size_t old_size, size_t size)
{
    int *left = context;
    if (size > 0 && (*left)-- == 0)
        return NULL;
    return allocator_resize(&allocator_malloc, ptr, old_size, size);
}

static void a_set_without_memory_is_as_it_was(void **state)
{
    (void)state;
    static char places[33];
    for (int granted = 0; granted < 4; granted++) {
        int              left      = granted;
        frugal_allocator allocator = { refuse, &left };
        visited          set;
        visited_init(&set, &allocator);
        uint32_t added = 0;
        while (added < 33 && visited_add(&set, &places[added], 0) != VISITED_NONE)
            added++;
        assert_int_equal(added, granted < 2 ? 0 : 32); /* two blocks each time it grows */
        assert_int_equal(set.count, added);
        for (uint32_t i = 0; i < 33; i++)
            assert_int_equal(visited_find(&set, &places[i]), i < added ? i : VISITED_NONE);
        visited_release(&set);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_address_is_found_once_it_was_added),
        cmocka_unit_test(indexes_stay_while_the_set_grows),
        cmocka_unit_test(a_set_without_memory_is_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
