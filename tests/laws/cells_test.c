/* laws/cells_test.c - the laws have seen everything: each kind of value in each place, in both
 * directions, at least CELL_LEAST times, counted in the values that were really encoded and
 * decoded.
 *
 * Cells that cannot exist (gen_cell_exists):
 *   record by value, optional      an optional struct is a pointer, or it could not be absent
 *   keeper, required/default/optional   what keeps unknown fields is no field and has no need
 * "By value" and "pointer" are fields of a record that its holder has so; the nested places are
 * direct elements, keys, values and arms. A keeper is counted where the record is that has it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "support/law.h"
#include "support/law_cells.h"
#include "support/law_reference.h"

#define CELL_LEAST      1000
#define CELL_TABLES_MAX 600 /* made for one cell before it is given up */

static law_cells cells;

static void check_and_count(law_case *at)
{
    frugal_error  error   = { 0 };
    size_t        written = 0;
    uint8_t      *out     = gen_alloc(&at->pool, at->bytes.len, 1);
    frugal_status status =
        frugal_encode_to(law_view(at), NULL, out, at->bytes.len, &written, &error);
    LAW(at, status == FRUGAL_OK, "%s: %s", error.path, error.message);
    LAW(at, written == at->bytes.len, "%zu of %zu bytes", written, at->bytes.len);
    for (size_t i = 0; i < written; i++)
        LAW(at, out[i] == at->bytes.data[i], "byte %zu", i);
    law_count(&cells, at->type, at->record, LAW_ENCODED);

    law_decoded back = law_compare(at, out, written, NULL);
    if (back.status != FRUGAL_OK) {
        LAW(at, !at->exact, "%s", back.error.message);
        return;
    }
    LAW(at, !at->exact || law_is_written_as(at->type, back.record, out, written), "another record");
    law_count(&cells, at->type, back.record, LAW_DECODED);
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
    if (missing) {
        law_cells_print(&cells, stderr);
        fail_msg("%u cells came less than %d times", missing, CELL_LEAST);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chance_comes_first),
        cmocka_unit_test(every_cell_was_exercised),
    };
    return cmocka_run_group_tests_name("laws: cells", tests, NULL, NULL);
}
