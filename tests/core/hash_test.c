#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/hash.h"
#include "support/guard.h"

/* What Python 3.11 answers for hash(bytes(range(n))), n from 1, with PYTHONHASHSEED=0: SipHash-1-3
 * with a key of zeroes. */
static const uint64_t of_python[] = {
    UINT64_C(0x68a914128e01e473), UINT64_C(0x010bac45c41e3669), UINT64_C(0x4d4c9a4a8ef6e0ad),
    UINT64_C(0x7cc43f98813e4dbd), UINT64_C(0x5abe2169dff36275), UINT64_C(0xe3c25f87624f1cdb),
    UINT64_C(0x2f098ab0c751325a), UINT64_C(0xead411e67ebe2eea), UINT64_C(0x75927f9d95124362),
    UINT64_C(0xaf9f77a65ab51a1d), UINT64_C(0xfe64ce8b6617fcff), UINT64_C(0xa6baf4fb0f9fe1c2),
    UINT64_C(0xa0cf3211850f8e0d), UINT64_C(0x7f86049379fbfe67), UINT64_C(0xf30eb725bb91c9ea),
    UINT64_C(0x8972188433a5c5b7), UINT64_C(0x4883c49a2c009c1d),
};

static void hash_is_siphash_1_3(void **state)
{
    uint8_t bytes[32];
    (void)state;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)i;
    for (size_t i = 0; i < sizeof of_python / sizeof of_python[0]; i++)
        assert_true(hash_bytes(bytes, i + 1, 0) == of_python[i]);
}

static void hash_reads_its_bytes_and_no_more(void **state)
{
    (void)state;
    guard page = guard_new(64);
    for (size_t len = 0; len <= 40; len++) {
        uint8_t *bytes = page.end - len;
        memset(page.end - 64, 0x11, 64);
        uint64_t hash = hash_bytes(bytes, len, 7);
        bytes[-1]     = 0x22;
        assert_true(hash_bytes(bytes, len, 7) == hash);
        for (size_t i = 0; i < len; i++) {
            bytes[i] ^= 1;
            assert_false(hash_bytes(bytes, len, 7) == hash);
            bytes[i] ^= 1;
        }
    }
    assert_true(hash_bytes(NULL, 0, 7) == hash_bytes("", 0, 7));
    guard_free(&page);
}

static void hash_depends_on_length_and_on_every_bit_of_the_seed(void **state)
{
    static const uint8_t zeroes[64];
    (void)state;
    for (size_t len = 0; len < 63; len++)
        assert_false(hash_bytes(zeroes, len, 1) == hash_bytes(zeroes, len + 1, 1));
    for (int bit = 0; bit < 64; bit++)
        assert_false(hash_bytes("name", 4, 0) == hash_bytes("name", 4, UINT64_C(1) << bit));
}

/* Small numbers as keys, low bits as the table: the fullest of 256 places stays near the mean. */
static void hash_spreads_in_its_low_and_high_bits(void **state)
{
    static unsigned low[256], high[256];
    (void)state;
    for (uint32_t key = 0; key < 256 * 256; key++) {
        uint64_t hash = hash_bytes(&key, sizeof key, 42);
        low[hash & 255]++;
        high[hash >> 56]++;
    }
    for (int i = 0; i < 256; i++) {
        assert_in_range(low[i], 160, 360);
        assert_in_range(high[i], 160, 360);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hash_is_siphash_1_3),
        cmocka_unit_test(hash_reads_its_bytes_and_no_more),
        cmocka_unit_test(hash_depends_on_length_and_on_every_bit_of_the_seed),
        cmocka_unit_test(hash_spreads_in_its_low_and_high_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
