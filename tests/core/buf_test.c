#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <frugal/memory.h>

#include "support/probe.h"

static void a_buffer_begins_on_the_storage_and_leaves_it_when_full(void **state)
{
    uint8_t storage[8];
    (void)state;
    probe it;
    probe_init(&it);
    frugal_buf buf;
    frugal_buf_init(&buf, storage, sizeof storage, &it.allocator);
    assert_int_equal(frugal_buf_append(&buf, "12345678", 8), FRUGAL_OK);
    assert_ptr_equal(buf.data, storage);
    assert_false(buf.owned);
    assert_int_equal(it.calls, 0);
    assert_int_equal(frugal_buf_append(&buf, "9", 1), FRUGAL_OK);
    assert_true(buf.owned);
    assert_ptr_not_equal(buf.data, storage);
    frugal_bytes bytes = frugal_buf_bytes(&buf);
    assert_int_equal(bytes.len, 9);
    assert_memory_equal(bytes.ptr, "123456789", 9);
    frugal_buf_release(&buf);
    assert_int_equal(it.live, 0);
}

static void a_buffer_without_storage_grows_from_nothing(void **state)
{
    (void)state;
    probe it;
    probe_init(&it);
    frugal_buf buf;
    frugal_buf_init(&buf, NULL, 99, &it.allocator); /* a capacity of nothing is none */
    assert_int_equal(buf.capacity, 0);
    assert_int_equal(frugal_buf_append(&buf, NULL, 0), FRUGAL_OK);
    assert_int_equal(frugal_buf_reserve(&buf, 0), FRUGAL_OK);
    assert_null(frugal_buf_bytes(&buf).ptr);
    assert_int_equal(it.calls, 0);
    for (size_t i = 0; i < 10000; i++)
        assert_int_equal(frugal_buf_append(&buf, &(uint8_t){ (uint8_t)i }, 1), FRUGAL_OK);
    assert_true(it.calls < 12); /* doubling */
    for (size_t i = 0; i < 10000; i++)
        assert_int_equal(buf.data[i], (uint8_t)i);
    frugal_buf_release(&buf);
    assert_int_equal(it.live, 0);
}

static void reserve_makes_the_room_it_was_asked_for(void **state)
{
    (void)state;
    for (size_t more = 0; more < 5000; more += 61) {
        frugal_buf buf;
        frugal_buf_init(&buf, NULL, 0, NULL);
        assert_int_equal(frugal_buf_append(&buf, "abc", 3), FRUGAL_OK);
        assert_int_equal(frugal_buf_reserve(&buf, more), FRUGAL_OK);
        assert_true(buf.capacity - buf.size >= more);
        assert_int_equal(buf.size, 3);
        assert_memory_equal(buf.data, "abc", 3);
        frugal_buf_release(&buf);
    }
}

static void reserve_of_an_absurd_size_is_out_of_memory(void **state)
{
    uint8_t storage[16];
    (void)state;
    probe it;
    probe_init(&it);
    frugal_buf buf;
    frugal_buf_init(&buf, storage, sizeof storage, &it.allocator);
    assert_int_equal(frugal_buf_append(&buf, "abc", 3), FRUGAL_OK);
    frugal_buf before = buf;
    for (size_t less = 0; less < 200; less++) {
        assert_int_equal(frugal_buf_reserve(&buf, SIZE_MAX - less), FRUGAL_NOMEM);
        assert_int_equal(frugal_buf_reserve(&buf, SIZE_MAX / 2 + 2 + less), FRUGAL_NOMEM);
    }
    assert_memory_equal(&buf, &before, sizeof buf);
    assert_int_equal(it.calls, 0);
    frugal_buf_release(&buf);
}

static void a_fixed_buffer_never_grows(void **state)
{
    uint8_t storage[8];
    (void)state;
    frugal_buf buf;
    frugal_buf_init_fixed(&buf, storage, sizeof storage);
    assert_int_equal(frugal_buf_append(&buf, "12345", 5), FRUGAL_OK);
    frugal_buf before = buf;
    assert_int_equal(frugal_buf_append(&buf, "6789", 4), FRUGAL_NOSPACE);
    assert_int_equal(frugal_buf_reserve(&buf, SIZE_MAX), FRUGAL_NOSPACE);
    assert_memory_equal(&buf, &before, sizeof buf);
    assert_int_equal(frugal_buf_append(&buf, "678", 3), FRUGAL_OK);
    assert_memory_equal(storage, "12345678", 8);
    frugal_buf_release(&buf);
    frugal_buf_init_fixed(&buf, NULL, 0);
    assert_int_equal(frugal_buf_append(&buf, "1", 1), FRUGAL_NOSPACE);
    assert_int_equal(frugal_buf_append(&buf, "", 0), FRUGAL_OK);
}

static void a_failed_allocation_leaves_the_buffer_as_it_was(void **state)
{
    (void)state;
    for (size_t nth = 0; nth < 6; nth++) {
        probe it;
        probe_init(&it);
        it.fail_from = nth;
        frugal_buf    buf, before;
        frugal_status status;
        frugal_buf_init(&buf, NULL, 0, &it.allocator);
        do {
            before = buf;
            status = frugal_buf_append(&buf, "0123456789", 10);
        } while (status == FRUGAL_OK);
        assert_int_equal(status, FRUGAL_NOMEM);
        assert_memory_equal(&buf, &before, sizeof buf);
        for (size_t i = 0; i < buf.size; i++)
            assert_int_equal(buf.data[i], '0' + i % 10);
        frugal_buf_release(&buf);
        assert_int_equal(it.live, 0);
    }
}

static void a_released_buffer_is_empty_and_may_be_used_again(void **state)
{
    (void)state;
    frugal_buf buf;
    frugal_buf_init(&buf, NULL, 0, NULL);
    assert_int_equal(frugal_buf_append(&buf, "abc", 3), FRUGAL_OK);
    frugal_buf_release(&buf);
    assert_null(buf.data);
    assert_int_equal(buf.size, 0);
    frugal_buf_release(&buf);
    assert_int_equal(frugal_buf_append(&buf, "abc", 3), FRUGAL_OK);
    frugal_buf_release(&buf);
    frugal_buf_release(NULL);
}

static void a_lowered_size_is_written_over(void **state)
{
    (void)state;
    frugal_buf buf;
    frugal_buf_init(&buf, NULL, 0, NULL);
    assert_int_equal(frugal_buf_append(&buf, "abcdef", 6), FRUGAL_OK);
    buf.size = 2;
    assert_int_equal(frugal_buf_append(&buf, "XY", 2), FRUGAL_OK);
    assert_int_equal(buf.size, 4);
    assert_memory_equal(buf.data, "abXYef", 6);
    frugal_buf_release(&buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_buffer_begins_on_the_storage_and_leaves_it_when_full),
        cmocka_unit_test(a_buffer_without_storage_grows_from_nothing),
        cmocka_unit_test(reserve_makes_the_room_it_was_asked_for),
        cmocka_unit_test(reserve_of_an_absurd_size_is_out_of_memory),
        cmocka_unit_test(a_fixed_buffer_never_grows),
        cmocka_unit_test(a_failed_allocation_leaves_the_buffer_as_it_was),
        cmocka_unit_test(a_released_buffer_is_empty_and_may_be_used_again),
        cmocka_unit_test(a_lowered_size_is_written_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
