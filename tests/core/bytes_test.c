#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/bytes.h"
#include "support/guard.h"

static const uint8_t sample[16] = { 0x81, 0x92, 0xa3, 0xb4, 0xc5, 0xd6, 0xe7, 0xf8,
                                    0x09, 0x1a, 0x2b, 0x3c, 0x4d, 0x5e, 0x6f, 0x70 };

static void big_endian_loads_do_not_depend_on_alignment(void **state)
{
    (void)state;
    assert_int_equal(load_be16(sample), 0x8192);
    assert_int_equal(load_be16(sample + 1), 0x92a3);
    assert_int_equal(load_be32(sample), 0x8192a3b4);
    assert_int_equal(load_be32(sample + 3), 0xb4c5d6e7);
    assert_true(load_be64(sample) == UINT64_C(0x8192a3b4c5d6e7f8));
    assert_true(load_be64(sample + 5) == UINT64_C(0xd6e7f8091a2b3c4d));
}

static void stores_and_loads_agree_at_every_offset_and_touch_no_more(void **state)
{
    (void)state;
    guard page = guard_new(64);
    for (size_t i = 0; i < 24; i++) {
        uint8_t *end = page.end - i;
        memset(page.end - 64, 0x55, 64);
        store_be64(end - 8, UINT64_C(0x0102030405060708));
        assert_true(load_be64(end - 8) == UINT64_C(0x0102030405060708));
        assert_int_equal(end[-8], 1);
        assert_int_equal(end[-1], 8);
        assert_int_equal(end[-9], 0x55);
        store_be32(end - 4, 0xdeadbeef);
        assert_int_equal(load_be32(end - 4), 0xdeadbeef);
        assert_int_equal(end[-4], 0xde);
        assert_int_equal(end[-5], 4);
        store_be16(end - 2, 0x1234);
        assert_int_equal(load_be16(end - 2), 0x1234);
        assert_int_equal(end[-2], 0x12);
        assert_int_equal(end[-3], 0xad);
        store_u64(end - 8, 0);
        store_u32(end - 4, UINT32_MAX);
        store_u16(end - 2, 7);
        assert_int_equal(load_u16(end - 2), 7);
        assert_int_equal(load_u32(end - 8), 0);
        assert_true(load_u64(end - 8) != 0);
    }
    guard_free(&page);
}

static void a_negative_size_is_larger_than_any_buffer(void **state)
{
    (void)state;
    assert_int_equal(load_be_size("\x00\x00\x00\x00"), 0);
    assert_int_equal(load_be_size("\x7f\xff\xff\xff"), INT32_MAX);
    assert_true(load_be_size("\x80\x00\x00\x00") > PTRDIFF_MAX / 2);
    assert_true(load_be_size("\xff\xff\xff\xff") == SIZE_MAX);
}

static void swaps_are_their_own_inverse(void **state)
{
    (void)state;
    for (uint64_t value = 1, i = 0; i < 1000;
         i++, value            = value * UINT64_C(6364136223846793005) + 1) {
        assert_true(swap_be64(swap_be64(value)) == value);
        assert_true(swap_be32(swap_be32((uint32_t)value)) == (uint32_t)value);
        assert_true(swap_be16(swap_be16((uint16_t)value)) == (uint16_t)value);
    }
}

static void packed_bytes_are_what_a_load_sees(void **state)
{
    (void)state;
    assert_int_equal(pack_u32(sample[0], sample[1], sample[2], sample[3]), load_u32(sample));
}

static void align_up_goes_to_the_next_multiple(void **state)
{
    (void)state;
    for (size_t align = 1; align <= 4096; align *= 2) {
        for (size_t value = 0; value < 300; value++) {
            size_t up = align_up(value, align);
            assert_int_equal(up % align, 0);
            assert_true(up >= value && up - value < align);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(big_endian_loads_do_not_depend_on_alignment),
        cmocka_unit_test(stores_and_loads_agree_at_every_offset_and_touch_no_more),
        cmocka_unit_test(a_negative_size_is_larger_than_any_buffer),
        cmocka_unit_test(swaps_are_their_own_inverse),
        cmocka_unit_test(packed_bytes_are_what_a_load_sees),
        cmocka_unit_test(align_up_goes_to_the_next_multiple),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
