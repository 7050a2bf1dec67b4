#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/guard.h"
#include "wire/vector.h"

#define COUNT_MAX     200
#define SIZE_MAX_HERE (COUNT_MAX * 8)

typedef void swap_function(void *to, const void *from, size_t count, unsigned width);
typedef void bools_function(void *to, const void *from, size_t count);

static void swap_inline(void *to, const void *from, size_t count, unsigned width)
{
    vector_swap(to, from, count, width);
}

static void bools_inline(void *to, const void *from, size_t count)
{
    vector_bools(to, from, count);
}

/* What is right, byte by byte. */
static void swap_slowly(void *to, const void *from, size_t count, unsigned width)
{
    for (size_t i = 0; i < count * width; i++) {
        size_t in_number   = i % width;
        size_t source      = BYTES_LITTLE_ENDIAN ? i - in_number + (width - 1 - in_number) : i;
        ((uint8_t *)to)[i] = ((const uint8_t *)from)[source];
    }
}

static void bools_slowly(void *to, const void *from, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ((uint8_t *)to)[i] = ((const uint8_t *)from)[i] ? 1 : 0;
}

/* The functions that can run on this machine. */
static size_t swap_functions(swap_function **list)
{
    size_t count  = 0;
    list[count++] = swap_inline;
    list[count++] = vector_swap_many;
    list[count++] = vector_swap_scalar;
#if VECTOR_WIDE
    list[count++] = vector_swap_wide;
#endif
#if VECTOR_AVX2
    if (__builtin_cpu_supports("avx2"))
        list[count++] = vector_swap_avx2;
#endif
    return count;
}

static size_t bools_functions(bools_function **list)
{
    size_t count  = 0;
    list[count++] = bools_inline;
    list[count++] = vector_bools_many;
    list[count++] = vector_bools_scalar;
#if VECTOR_WIDE
    list[count++] = vector_bools_wide;
#endif
#if VECTOR_AVX2
    if (__builtin_cpu_supports("avx2"))
        list[count++] = vector_bools_avx2;
#endif
    return count;
}

static void fill(uint8_t *bytes, size_t size, unsigned seed)
{
    for (size_t i = 0; i < size; i++) {
        seed     = seed * 1103515245 + 12345;
        bytes[i] = seed >> 24 & 1 ? (uint8_t)(seed >> 16) : 0;
    }
}

typedef struct places {
    guard   from, to;
    uint8_t expected[SIZE_MAX_HERE];
} places;

static void check_swap(places *it, swap_function *swap, const uint8_t *from, uint8_t *to,
                       size_t count, unsigned width)
{
    size_t room = (size_t)(it->to.end - it->to.first), size = count * width;
    memset(it->to.first, 0x5a, room);
    swap(to, from, count, width);
    if (size && memcmp(to, it->expected, size) != 0)
        fail_msg("%zu of %u bytes", count, width);
    for (uint8_t *p = it->to.first; p < it->to.end; p++) {
        if ((p < to || p >= to + size) && *p != 0x5a)
            fail_msg("touched byte %td, %zu of %u bytes", p - to, count, width);
    }
}

/* Both places at the front and at the end of their pages, and away from them by odd distances. */
static void all_ways_of_swapping_agree_for_all_counts(void **state)
{
    static places  it;
    swap_function *list[8];
    size_t         functions = swap_functions(list);
    (void)state;
    it.from = guard_new(SIZE_MAX_HERE);
    it.to   = guard_new(SIZE_MAX_HERE);
    for (unsigned width = 1; width <= 8; width *= 2) {
        for (size_t count = 0; count <= COUNT_MAX; count++) {
            size_t size = count * width;
            for (size_t shift = 0; shift < 4; shift++) {
                uint8_t *from =
                    shift & 1 ? it.from.first + shift / 2 : it.from.end - size - shift / 2;
                uint8_t *to = shift & 2 ? it.to.first + 3 * (shift & 1) : it.to.end - size;
                fill(from, size, (unsigned)count);
                swap_slowly(it.expected, from, count, width);
                for (size_t f = 0; f < functions; f++)
                    check_swap(&it, list[f], from, to, count, width);
            }
        }
    }
    guard_free(&it.from);
    guard_free(&it.to);
}

static void all_ways_of_reading_bools_agree_for_all_counts(void **state)
{
    static uint8_t  expected[COUNT_MAX];
    bools_function *list[8];
    size_t          functions = bools_functions(list);
    (void)state;
    guard from = guard_new(COUNT_MAX), to = guard_new(COUNT_MAX);
    for (size_t count = 0; count <= COUNT_MAX; count++) {
        for (size_t shift = 0; shift < 3; shift++) {
            const uint8_t *f = from.end - count - shift;
            uint8_t       *t = to.end - count;
            fill(from.end - count - shift, count, (unsigned)count);
            bools_slowly(expected, f, count);
            for (size_t i = 0; i < functions; i++) {
                memset(to.first, 0x5a, (size_t)(to.end - to.first));
                list[i](t, f, count);
                assert_int_equal(t[-1], 0x5a);
                if (count)
                    assert_memory_equal(t, expected, count);
            }
        }
    }
    guard_free(&from);
    guard_free(&to);
}

static void every_byte_but_zero_is_true(void **state)
{
    uint8_t         bytes[256], bools[256];
    bools_function *list[8];
    (void)state;
    for (int i = 0; i < 256; i++)
        bytes[i] = (uint8_t)i;
    for (size_t f = bools_functions(list); f-- > 0;) {
        list[f](bools, bytes, 256);
        for (int i = 0; i < 256; i++)
            assert_int_equal(bools[i], i != 0);
    }
}

/* Encoding and decoding are the same function. */
static void swapping_twice_gives_the_same(void **state)
{
    uint8_t a[1000], b[1000], c[1000];
    (void)state;
    fill(a, sizeof a, 9);
    for (unsigned width = 1; width <= 8; width *= 2) {
        vector_swap(b, a, sizeof a / width, width);
        vector_swap(c, b, sizeof a / width, width);
        assert_memory_equal(a, c, sizeof a);
    }
}

static void numbers_of_the_wire_become_numbers_of_the_machine(void **state)
{
    static const uint8_t wire[16] = { 0,    0,    0,    0,    0,    0,    1,    2,
                                      0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe };
    int64_t              long_numbers[2];
    int32_t              numbers[4];
    (void)state;
    vector_swap(long_numbers, wire, 2, 8);
    assert_true(long_numbers[0] == 258 && long_numbers[1] == -2);
    vector_swap(numbers, wire, 4, 4);
    assert_int_equal(numbers[1], 258);
    assert_int_equal(numbers[3], -2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_ways_of_swapping_agree_for_all_counts),
        cmocka_unit_test(all_ways_of_reading_bools_agree_for_all_counts),
        cmocka_unit_test(every_byte_but_zero_is_true),
        cmocka_unit_test(swapping_twice_gives_the_same),
        cmocka_unit_test(numbers_of_the_wire_become_numbers_of_the_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
