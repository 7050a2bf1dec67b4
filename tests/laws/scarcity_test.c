/* laws/scarcity_test.c - every allocation fails once, and nothing else happens: FRUGAL_NOMEM, the
 * record initialised, the arena at its mark, nothing leaked; and the same call succeeds when there
 * is memory again. By each engine; and when there is no memory for machine code, the interpreter
 * serves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "plan/plan.h"
#include "support/engines.h"
#include "support/law.h"
#include "support/law_reference.h"
#include "support/probe.h"

#define REQUESTS_MAX 4000 /* of one call; more would be a mistake of the test */

/* ---- engines -------------------------------------------------------------------------------- */

static bool interpreted; /* the calls that are made now */

/* Runs the check for the interpreter, and for machine code, one CPU after the other. */
static void by_each_engine(law_case *at, law_check *check)
{
    unsigned machines = engines_count() - 1;
    interpreted       = true;
    check(at);
    interpreted = false;
    if (machines && engines_use(at->type, ENGINE_MACHINE + at->index % machines))
        check(at);
}

/* ---- decode --------------------------------------------------------------------------------- */

static frugal_status decode_in(law_case *at, frugal_arena *arena, void *record)
{
    frugal_decode_options options = { .interpreter_only = interpreted };
    size_t                used    = frugal_arena_used(arena);
    frugal_error          error   = { 0 };
    frugal_ref            to      = { at->type, record };
    frugal_bytes          input   = { at->bytes.data, at->bytes.len };
    frugal_status         status  = frugal_decode(to, input, arena, &options, NULL, &error);
    if (status == FRUGAL_OK)
        return status;
    LAW(at, status == FRUGAL_NOMEM, "%s: %s", frugal_status_name(status), error.message);
    LAW(at, error.status == FRUGAL_NOMEM && error.message[0], "the error is not filled");
    LAW(at, law_is_initial(at->type, record), "the record is not initialised");
    LAW(at, frugal_arena_used(arena) == used, "%zu before, %zu after", used,
        frugal_arena_used(arena));
    return status;
}

static void check_decode_once(law_case *at)
{
    probe allocator;
    probe_init(&allocator);
    frugal_arena_options options = { .allocator = &allocator.allocator, .block_size = 64 };
    void                *record  = gen_alloc(&at->pool, at->type->size, at->type->align);
    if (!at->exact)
        return;
    assert_int_equal(frugal_pretouch(at->type, NULL, NULL), FRUGAL_OK);
    for (size_t nth = 0;; nth++) {
        allocator.fail_from = SIZE_MAX;
        frugal_arena *arena = frugal_arena_new(&options);
        assert_non_null(arena);
        allocator.calls      = 0;
        allocator.fail_from  = nth;
        frugal_status status = decode_in(at, arena, record);
        bool          failed = status != FRUGAL_OK;
        LAW(at, failed == (allocator.calls > nth), "request %zu of %zu failed", nth,
            allocator.calls);
        allocator.fail_from = SIZE_MAX;
        if (failed)
            LAW(at, decode_in(at, arena, record) == FRUGAL_OK, "no success with memory");
        LAW(at, law_is_written_as(at->type, record, at->bytes.data, at->bytes.len),
            "another record");
        frugal_arena_free(arena);
        LAW(at, allocator.live == 0, "%zu bytes leaked", allocator.live);
        assert_true(nth < REQUESTS_MAX);
        if (!failed)
            break;
    }
}

static void check_decode(law_case *at)
{
    by_each_engine(at, check_decode_once);
}

static void decoding_survives_each_failing_allocation(void **state)
{
    (void)state;
    law_run("scarce_decode", 400, 2, check_decode);
}

/* An arena that may not grow beyond what it has. */
static void check_full_once(law_case *at)
{
    uint8_t *memory = gen_alloc(&at->pool, 8192, 16);
    void    *record = gen_alloc(&at->pool, at->type->size, at->type->align);
    for (size_t size = FRUGAL_ARENA_SIZE_MIN; size <= 8192; size += 256) {
        frugal_arena *arena =
            frugal_arena_init(memory, size, &(frugal_arena_options){ .fixed = true });
        assert_non_null(arena);
        if (at->exact && decode_in(at, arena, record) == FRUGAL_OK)
            LAW(at, law_is_written_as(at->type, record, at->bytes.data, at->bytes.len),
                "another record");
        frugal_arena_release(arena);
    }
}

static void check_full(law_case *at)
{
    by_each_engine(at, check_full_once);
}

static void decoding_stays_in_a_fixed_arena(void **state)
{
    (void)state;
    law_run("scarce_arena", 300, 2, check_full);
}

/* ---- plans ---------------------------------------------------------------------------------- */

/* What the plan says that is there now, with or without machine code. */
static void check_all_doors(law_case *at)
{
    size_t        size = 0, written = 0;
    uint8_t      *out    = gen_alloc(&at->pool, at->bytes.len, 1);
    void         *record = gen_alloc(&at->pool, at->type->size, at->type->align);
    frugal_status status = frugal_encoded_size(law_view(at), NULL, &size, NULL);
    LAW(at, status == FRUGAL_OK && size == at->bytes.len, "the plan measures %zu", size);
    status = frugal_encode_to(law_view(at), NULL, out, size, &written, NULL);
    LAW(at, status == FRUGAL_OK && written == size && memcmp(out, at->bytes.data, size) == 0,
        "%s: other bytes", frugal_status_name(status));
    for (int view = 0; at->exact && view < 2; view++) {
        frugal_decode_options options = { .no_copy = view };
        status = frugal_decode((frugal_ref){ at->type, record }, (frugal_bytes){ out, size },
                               at->arena, &options, NULL, NULL);
        LAW(at, status == FRUGAL_OK, "%s", frugal_status_name(status));
        LAW(at, law_is_written_as(at->type, record, out, size), "another record");
    }
}

/* How many of the units that pretouch makes are there. */
static unsigned count_units(const frugal_struct *type)
{
    const plan_machine *machine = plan_ready(type, FRUGAL_PROTOCOL_BINARY)->machine;
    return (machine->units[JIT_DECODE] != NULL) + (machine->units[JIT_ENCODE] != NULL)
           + (machine->units[JIT_SIZE] != NULL);
}

static unsigned without_code; /* plans without some of their units, for lack of memory */

/* Without memory for the plan there is nothing; without memory for machine code there is the plan.
 */
static void check_pretouch(law_case *at)
{
    probe allocator;
    probe_init(&allocator);
    frugal_pretouch_options options = { sizeof options, .allocator = &allocator.allocator };
    for (size_t nth = 0;; nth++) {
        frugal_error error   = { 0 };
        allocator.calls      = 0;
        allocator.fail_from  = nth;
        frugal_status status = frugal_pretouch(at->type, &options, &error);
        bool          scarce = allocator.calls > nth;
        if (status != FRUGAL_OK) {
            LAW(at, scarce, "%s for no reason", frugal_status_name(status));
            LAW(at, status == FRUGAL_NOMEM, "%s: %s", frugal_status_name(status), error.message);
            LAW(at, error.status == FRUGAL_NOMEM && error.message[0], "the error is not filled");
        } else {
            unsigned units = count_units(at->type);
            if (engines_count() > 1)
                LAW(at, units == 3 || scarce, "%u units, no request failed", units);
            without_code += units < 3;
            check_all_doors(at);
            frugal_plan_drop(at->type);
        }
        LAW(at, allocator.live == 0, "%zu bytes leaked", allocator.live);
        assert_true(nth < REQUESTS_MAX);
        if (!scarce)
            break;
    }
}

static void compiling_survives_each_failing_allocation(void **state)
{
    (void)state;
    law_run("scarce_plan", 300, 1, check_pretouch);
    if (engines_count() > 1)
        assert_in_range(without_code, 300, UINT32_MAX);
}

/* ---- encode --------------------------------------------------------------------------------- */

static void check_encode_once(law_case *at)
{
    probe                 allocator;
    uint8_t               storage[16];
    frugal_encode_options options = { .interpreter_only = interpreted };
    for (size_t nth = 0;; nth++) {
        frugal_buf   out;
        frugal_error error = { 0 };
        probe_init(&allocator);
        allocator.fail_from = nth;
        frugal_buf_init(&out, storage, sizeof storage, &allocator.allocator);
        assert_int_equal(frugal_buf_append(&out, "front", 5), FRUGAL_OK);
        frugal_status status = frugal_encode(law_view(at), &options, &out, &error);
        bool          failed = status != FRUGAL_OK;
        if (failed) {
            LAW(at, status == FRUGAL_NOMEM, "%s: %s", frugal_status_name(status), error.message);
            LAW(at, out.size == 5 && memcmp(out.data, "front", 5) == 0, "size %zu", out.size);
            allocator.fail_from = SIZE_MAX;
            status              = frugal_encode(law_view(at), &options, &out, &error);
        }
        LAW(at, status == FRUGAL_OK, "no success with memory: %s", error.message);
        LAW(at,
            out.size == 5 + at->bytes.len
                && memcmp(out.data + 5, at->bytes.data, at->bytes.len) == 0,
            "other bytes");
        frugal_buf_release(&out);
        LAW(at, allocator.live == 0, "%zu bytes leaked", allocator.live);
        if (!failed)
            break;
    }
}

static void check_encode(law_case *at)
{
    by_each_engine(at, check_encode_once);
}

static void encoding_survives_each_failing_allocation(void **state)
{
    (void)state;
    law_run("scarce_encode", 500, 2, check_encode);
}

/* A record that is larger than what the call may take. */
static void check_budget(law_case *at)
{
    law_decoded free_hand = law_decode(at, at->bytes.data, at->bytes.len, NULL);
    if (free_hand.status != FRUGAL_OK)
        return;
    bool succeeded = false;
    for (size_t budget = 1; budget < (size_t)1 << 20; budget = budget * 3 / 2 + 1) {
        frugal_decode_options options = { sizeof options, .size_max = budget };
        frugal_arena_mark     mark    = frugal_arena_get_mark(at->arena);
        size_t                before  = frugal_arena_used(at->arena);
        law_decoded           tight   = law_decode(at, at->bytes.data, at->bytes.len, &options);
        LAW(at, tight.status == FRUGAL_OK || tight.status == FRUGAL_BUDGET, "%s",
            tight.error.message);
        LAW(at, tight.status == FRUGAL_OK || !succeeded, "fails with %zu, not with less", budget);
        succeeded = tight.status == FRUGAL_OK;
        /* Padding, and what is lost at the ends of blocks, is not charged. */
        LAW(at,
            !succeeded || at->graph.has_no_copy
                || law_is_written_as(at->type, tight.record, at->bytes.data, at->bytes.len)
                || !at->exact,
            "another record");
        (void)before;
        frugal_arena_rewind(at->arena, mark);
    }
}

static void a_budget_is_kept(void **state)
{
    (void)state;
    law_run("budget", 400, 2, check_budget);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decoding_survives_each_failing_allocation),
        cmocka_unit_test(decoding_stays_in_a_fixed_arena),
        cmocka_unit_test(compiling_survives_each_failing_allocation),
        cmocka_unit_test(encoding_survives_each_failing_allocation),
        cmocka_unit_test(a_budget_is_kept),
    };
    return cmocka_run_group_tests_name("laws: scarcity", tests, NULL, NULL);
}
