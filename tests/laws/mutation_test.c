/* laws/mutation_test.c - broken bytes: the library and the reference give the same answer, fault by
 * fault and byte by byte, and nothing is left behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/gen_wire.h"
#include "support/law.h"
#include "support/law_reference.h"

#define MUTATIONS 12 /* of each message */

/* How often each answer came, over all of this program. */
static uint32_t answers[FRUGAL_STATUS_COUNT];

static void compare_mutated(law_case *at, const frugal_decode_options *options)
{
    gen_bytes broken = { 0 };
    size_t    pieces = at->pool.count;
    for (int i = 0; i < MUTATIONS; i++) {
        broken.len = 0;
        gen_bytes_append(&broken, at->bytes.data, at->bytes.len);
        gen_mutate(&at->random, &broken);
        answers[law_compare(at, broken.data, broken.len, options).status]++;
        gen_pool_rewind(&at->pool, pieces);
    }
    gen_bytes_release(&broken);
}

static void check_mutated(law_case *at)
{
    compare_mutated(at, NULL);
}

static void broken_messages_are_read_as_the_reference_reads_them(void **state)
{
    (void)state;
    law_run("mutation", 1000, 2, check_mutated);
}

static void check_mutated_options(law_case *at)
{
    static const uint8_t  depths[] = { 0, 1, 2, 3, 5, 9 };
    frugal_decode_options options  = {
         sizeof options,
         .no_copy    = gen_chance(&at->random, 30),
         .strict     = gen_chance(&at->random, 50),
         .check_utf8 = gen_chance(&at->random, 50),
         /* The reference compares every pair. */
         .reject_duplicates = at->bytes.len < 300 && gen_chance(&at->random, 50),
         .depth_max         = depths[gen_below(&at->random, sizeof depths)],
    };
    compare_mutated(at, &options);
}

static void so_they_are_under_every_option(void **state)
{
    (void)state;
    law_run("mutation_options", 1000, 2, check_mutated_options);
}

/* Rewritten first: then the faults lie in the middle of disorder. */
static void check_mutated_disorder(law_case *at)
{
    gen_rewrite rewrite = { 50, 30, 50, 10 };
    gen_bytes   other   = { 0 };
    gen_rewrite_record(&at->random, &at->pool, &rewrite, at->type, at->bytes.data, at->bytes.len,
                       &other);
    gen_bytes whole = at->bytes;
    at->bytes       = other;
    compare_mutated(at, NULL);
    at->bytes = whole;
    gen_bytes_release(&other);
}

static void so_they_are_in_disorder(void **state)
{
    (void)state;
    law_run("mutation_disorder", 800, 2, check_mutated_disorder);
}

static void compare_skip(law_case *at, const uint8_t *input, size_t len)
{
    frugal_decode_options options = { sizeof options, .depth_max = gen_below(&at->random, 8) };
    size_t                used    = SIZE_MAX;
    frugal_error          error   = { 0 };
    uint8_t              *copy    = gen_alloc(&at->pool, len, 1);
    if (len)
        memcpy(copy, input, len);
    law_show(input, len);
    law_reading   reading = law_reference_skip_value(12, input, len, &options);
    frugal_status status =
        frugal_skip((frugal_bytes){ copy, len }, FRUGAL_WIRE_STRUCT, &options, &used, &error);
    LAW(at, status == reading.status, "expected %s at %zu, got %s at %zu",
        frugal_status_name(reading.status), reading.offset, frugal_status_name(status),
        error.offset);
    if (status == FRUGAL_OK)
        LAW(at, used == reading.used, "expected %zu, got %zu", reading.used, used);
    else
        LAW(at, error.offset == reading.offset && used == SIZE_MAX,
            "%s: expected at %zu, got at %zu", error.message, reading.offset, error.offset);
    law_show(NULL, 0);
}

static void check_mutated_skip(law_case *at)
{
    gen_bytes broken = { 0 };
    for (int i = 0; i < MUTATIONS; i++) {
        broken.len = 0;
        gen_bytes_append(&broken, at->bytes.data, at->bytes.len);
        gen_mutate(&at->random, &broken);
        compare_skip(at, broken.data, broken.len);
    }
    gen_bytes_release(&broken);
}

static void broken_messages_are_skipped_as_the_reference_skips_them(void **state)
{
    (void)state;
    law_run("mutation_skip", 800, 2, check_mutated_skip);
}

/* Bytes that were never a message. */
static void check_noise(law_case *at)
{
    static const uint8_t likely[] = { 0, 0, 0, 1, 2, 3, 4, 6, 8, 10, 11, 12, 13, 14, 15, 255 };
    gen_bytes            noise    = { 0 };
    for (int i = gen_range(&at->random, 0, 60); i > 0; i--)
        gen_bytes_put(&noise, gen_chance(&at->random, 80) ? likely[gen_below(&at->random, 16)]
                                                          : (uint8_t)gen_next(&at->random));
    answers[law_compare(at, noise.data, noise.len, NULL).status]++;
    compare_skip(at, noise.data, noise.len);
    gen_bytes_release(&noise);
}

static void noise_is_read_as_the_reference_reads_it(void **state)
{
    (void)state;
    law_run("noise", 800, 4, check_noise);
}

/* The law is worth something only when it met every fault. */
static void every_fault_was_met(void **state)
{
    static const frugal_status expected[] = { FRUGAL_OK,      FRUGAL_TRUNCATED, FRUGAL_NEGATIVE,
                                              FRUGAL_SIZE,    FRUGAL_MALFORMED, FRUGAL_MISMATCH,
                                              FRUGAL_MISSING, FRUGAL_DUPLICATE, FRUGAL_DEPTH,
                                              FRUGAL_UTF8 };
    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        if (answers[expected[i]] < 50)
            fail_msg("%s came %u times", frugal_status_name(expected[i]), answers[expected[i]]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_messages_are_read_as_the_reference_reads_them),
        cmocka_unit_test(so_they_are_under_every_option),
        cmocka_unit_test(so_they_are_in_disorder),
        cmocka_unit_test(broken_messages_are_skipped_as_the_reference_skips_them),
        cmocka_unit_test(noise_is_read_as_the_reference_reads_it),
        cmocka_unit_test(every_fault_was_met),
    };
    return cmocka_run_group_tests_name("laws: mutation", tests, NULL, NULL);
}
