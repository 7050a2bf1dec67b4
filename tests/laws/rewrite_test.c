/* laws/rewrite_test.c - messages that say the same in another way: fields in any order, fields that
 * come again, fields that nobody described; and messages with fields left out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/gen_wire.h"
#include "support/law.h"
#include "support/law_reference.h"

/* Rewrites the case's message, compares with the reference; `same`: and with the value itself. */
static void check_rewritten(law_case *at, const gen_rewrite *rewrite, bool same,
                            const frugal_decode_options *options)
{
    gen_bytes other = { 0 };
    gen_rewrite_record(&at->random, &at->pool, rewrite, at->type, at->bytes.data, at->bytes.len,
                       &other);
    law_decoded read = law_compare(at, other.data, other.len, options);
    law_show(other.data, other.len);
    if (same && at->exact) {
        LAW(at, read.status == FRUGAL_OK, "%s at %zu", read.error.message, read.error.offset);
        LAW(at, law_is_written_as(at->type, read.record, at->bytes.data, at->bytes.len),
            "another record than from the message in order");
    }
    law_show(NULL, 0);
    gen_bytes_release(&other);
}

/* What is kept is kept in the order in which it came. */
static void check_shuffled(law_case *at)
{
    check_rewritten(at, &(gen_rewrite){ .shuffle = 80 }, !at->graph.has_keeper, NULL);
}

static void the_order_of_fields_does_not_matter(void **state)
{
    (void)state;
    law_run("shuffle", 700, 2, check_shuffled);
}

static void check_repeated(law_case *at)
{
    check_rewritten(at, &(gen_rewrite){ .repeat = 70 }, true, NULL);
}

static void the_last_of_repeated_fields_wins_whole(void **state)
{
    (void)state;
    law_run("repeat", 700, 3, check_repeated);
}

static void check_unknown(law_case *at)
{
    check_rewritten(at, &(gen_rewrite){ .unknown = 70 }, !at->graph.has_keeper, NULL);
}

static void unknown_fields_are_passed_over_or_kept(void **state)
{
    (void)state;
    law_run("unknown", 700, 3, check_unknown);
}

static void check_dropped(law_case *at)
{
    check_rewritten(at, &(gen_rewrite){ .drop = 60 }, false, NULL);
}

static void fields_that_are_left_out_are_absent_initial_or_missing(void **state)
{
    (void)state;
    law_run("drop", 900, 3, check_dropped);
}

static void check_everything(law_case *at)
{
    frugal_decode_options options = { sizeof options, .no_copy = gen_chance(&at->random, 30),
                                      .strict     = gen_chance(&at->random, 20),
                                      .check_utf8 = gen_chance(&at->random, 20) };
    gen_rewrite           rewrite = { 40, 30, 40, 10 };
    check_rewritten(at, &rewrite, false, &options);
}

static void all_of_it_at_once_is_read_as_the_reference_reads_it(void **state)
{
    (void)state;
    law_run("rewrite", 900, 3, check_everything);
}

/* What was kept is written again, and then read again as the same. */
static void check_kept(law_case *at)
{
    gen_bytes   other   = { 0 };
    gen_rewrite rewrite = { .shuffle = 30, .unknown = 80 };
    gen_rewrite_record(&at->random, &at->pool, &rewrite, at->type, at->bytes.data, at->bytes.len,
                       &other);
    law_decoded once = law_decode(at, other.data, other.len, NULL);
    if (once.status == FRUGAL_OK && at->exact) {
        frugal_buf  out;
        frugal_view value = { at->type, once.record };
        frugal_buf_init(&out, NULL, 0, NULL);
        assert_int_equal(law_encode(at, value, NULL, &out, NULL), FRUGAL_OK);
        law_decoded twice = law_decode(at, out.data, out.size, NULL);
        LAW(at, twice.status == FRUGAL_OK, "%s", twice.error.message);
        LAW(at, law_is_written_as(at->type, twice.record, out.data, out.size), "another record");
        frugal_buf_release(&out);
    }
    gen_bytes_release(&other);
}

static void what_was_kept_is_written_again(void **state)
{
    (void)state;
    law_run("kept", 500, 2, check_kept);
}

/* The record that is there already is another one of the same table. */
static void check_existing(law_case *at)
{
    gen_rewrite           rewrite  = { .shuffle = 30, .unknown = 30, .drop = 60 };
    frugal_decode_options options  = { sizeof options, .keep_existing = true };
    gen_values            values   = gen_values_start(&at->random, &at->pool);
    void                 *expected = gen_alloc(&at->pool, at->type->size, at->type->align);
    void                 *record   = gen_alloc(&at->pool, at->type->size, at->type->align);
    gen_bytes             other    = { 0 };
    frugal_error          error    = { 0 };
    values.fuel                    = 20;
    gen_record(&values, at->type, expected);
    memcpy(record, expected, at->type->size);
    gen_rewrite_record(&at->random, &at->pool, &rewrite, at->type, at->bytes.data, at->bytes.len,
                       &other);
    law_show(other.data, other.len);
    law_reading reading =
        law_reference_decode(&at->pool, at->type, expected, other.data, other.len, &options);
    frugal_status status =
        frugal_decode((frugal_ref){ at->type, record }, (frugal_bytes){ other.data, other.len },
                      at->arena, &options, NULL, &error);
    LAW(at, status == reading.status && (status == FRUGAL_OK || error.offset == reading.offset),
        "expected %s at %zu, got %s at %zu", frugal_status_name(reading.status), reading.offset,
        frugal_status_name(status), error.offset);
    LAW(at, law_reference_equal(at->type, expected, record), "another record");
    law_show(NULL, 0);
    gen_bytes_release(&other);
}

static void keep_existing_starts_from_what_is_there(void **state)
{
    (void)state;
    law_run("keep_existing", 600, 3, check_existing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_of_fields_does_not_matter),
        cmocka_unit_test(the_last_of_repeated_fields_wins_whole),
        cmocka_unit_test(unknown_fields_are_passed_over_or_kept),
        cmocka_unit_test(fields_that_are_left_out_are_absent_initial_or_missing),
        cmocka_unit_test(all_of_it_at_once_is_read_as_the_reference_reads_it),
        cmocka_unit_test(what_was_kept_is_written_again),
        cmocka_unit_test(keep_existing_starts_from_what_is_there),
    };
    return cmocka_run_group_tests_name("laws: rewrite", tests, NULL, NULL);
}
