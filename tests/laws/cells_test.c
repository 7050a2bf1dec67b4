/* laws/cells_test.c - the laws have seen everything: each kind of value in each place, in both
 * directions, by each engine, at least CELL_LEAST times, counted in the values that were really
 * encoded and decoded; for machine code, in those that it did alone. And machine code does nearly
 * all of what it is for, instead of falling back in silence.
 *
 * Cells that cannot exist (gen_cell_exists):
 *   record by value, optional      an optional struct is a pointer, or it could not be absent
 *   keeper, required/default/optional   what keeps unknown fields is no field and has no need
 * and all cells of machine code where there is none for the CPU. "By value" and "pointer" are
 * fields of a record that its holder has so; the nested places are direct elements, keys, values
 * and arms. A keeper is counted where the record is that has it.
 *
 * FRUGAL_LAW_CELLS=print prints the counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/engines.h"
#include "support/law.h"
#include "support/law_cells.h"
#include "support/law_reference.h"

#define CELL_LEAST      1000
#define CELL_TABLES_MAX 600 /* made for one cell before it is given up */
#define SERVED_LEAST    99  /* per cent of calls on what is valid and in order */

static law_cells cells;

/* Calls that went well, on the plain path. */
typedef struct share {
    uint64_t calls, served;
} share;
static share shares[ENGINES_MAX][JIT_KINDS];

static void count_share(const law_case *at, jit_kind kind)
{
    if (!engines_expected(at->type, kind))
        return;
    for (unsigned engine = ENGINE_MACHINE; engine < engines_count(); engine++) {
        shares[engine][kind].calls++;
        shares[engine][kind].served += at->served >> engine & 1;
    }
}

static void check_written(law_case *at, uint8_t *out)
{
    frugal_error  error   = { 0 };
    size_t        written = 0, measured = 0;
    frugal_status status = law_encode_to(at, NULL, out, at->bytes.len, &written, &error);
    LAW(at, status == FRUGAL_OK, "%s: %s", error.path, error.message);
    LAW(at, written == at->bytes.len, "%zu of %zu bytes", written, at->bytes.len);
    for (size_t i = 0; i < written; i++)
        LAW(at, out[i] == at->bytes.data[i], "byte %zu", i);
    law_count(&cells, at->type, at->record, LAW_ENCODED, at->served);
    count_share(at, JIT_ENCODE);
    status = law_encoded_size(at, NULL, &measured, &error);
    LAW(at, status == FRUGAL_OK && measured == written, "measures %zu", measured);
    count_share(at, JIT_SIZE);
}

static void check_read(law_case *at, const uint8_t *bytes, size_t len)
{
    frugal_decode_options options = { sizeof options, .no_copy = gen_chance(&at->random, 20) };
    law_decoded           back    = law_compare(at, bytes, len, &options);
    if (back.status != FRUGAL_OK) {
        LAW(at, !at->exact, "%s", back.error.message);
        return;
    }
    LAW(at, !at->exact || law_is_written_as(at->type, back.record, bytes, len), "another record");
    law_count(&cells, at->type, back.record, LAW_DECODED, at->served);
    count_share(at, options.no_copy ? JIT_DECODE_VIEWS : JIT_DECODE);
}

static void check_and_count(law_case *at)
{
    uint8_t *out = gen_alloc(&at->pool, at->bytes.len, 1);
    check_written(at, out);
    check_read(at, out, at->bytes.len);
}

static void chance_comes_first(void **state)
{
    (void)state;
    law_run("cells", 600, 3, check_and_count);
}

static bool is_short(gen_step step, gen_place place)
{
    return law_cell_least(&cells, step, place) < CELL_LEAST;
}

/* Then tables are made for what is still short. */
static void fill(gen_step step, gen_place place)
{
    char name[32];
    for (uint32_t i = 0; is_short(step, place) && i < CELL_TABLES_MAX; i++) {
        snprintf(name, sizeof name, "cell-%u", i);
        law_run_cell(name, step, place, 1, 8, check_and_count);
    }
}

static void every_cell_was_exercised(void **state)
{
    (void)state;
    unsigned missing = 0;
    for (unsigned step = 0; step < GEN_STEP_COUNT; step++)
        for (unsigned place = 0; place < GEN_PLACE_COUNT; place++) {
            if (!gen_cell_exists((gen_step)step, (gen_place)place))
                continue;
            fill((gen_step)step, (gen_place)place);
            missing += is_short((gen_step)step, (gen_place)place);
        }
    const char *print = getenv("FRUGAL_LAW_CELLS");
    if (missing || (print && strcmp(print, "print") == 0))
        law_cells_print(&cells, stderr);
    if (missing)
        fail_msg("%u cells came less than %d times", missing, CELL_LEAST);
}

static void machine_code_does_what_is_valid_and_in_order(void **state)
{
    static const char *const names[JIT_KINDS] = { "decode", "decode views", "encode", "size" };
    unsigned                 poor             = 0;
    (void)state;
    for (unsigned engine = ENGINE_MACHINE; engine < engines_count(); engine++)
        for (unsigned kind = 0; kind < JIT_KINDS; kind++) {
            share it = shares[engine][kind];
            if (getenv("FRUGAL_LAW_ENGINE") && it.served == 0)
                continue;
            fprintf(stderr, "%s, %s: %llu of %llu calls\n", engines_name(engine), names[kind],
                    (unsigned long long)it.served, (unsigned long long)it.calls);
            poor += it.calls < CELL_LEAST || it.served * 100 < it.calls * SERVED_LEAST;
        }
    assert_int_equal(poor, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chance_comes_first),
        cmocka_unit_test(every_cell_was_exercised),
        cmocka_unit_test(machine_code_does_what_is_valid_and_in_order),
    };
    law_use_all_engines();
    return cmocka_run_group_tests_name("laws: cells", tests, NULL, NULL);
}
