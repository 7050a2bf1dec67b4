/* json/roundtrip_test.c - laws over generated tables and values: what was written reads as the same
 * bytes, whatever the style; a text that is cut fails, one that is changed at least ends; a failure
 * leaves nothing behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/gen_wire.h"
#include "support/guard.h"
#include "support/law.h"
#include "support/law_reference.h"
#include "support/probe.h"
#include "json/calm.h"
#include "json/form.h"

static guard page;

/* ---- writing and reading one case ----------------------------------------------------------- */

static void write_text(law_case *at, const frugal_json_write_options *options, frugal_buf *text)
{
    frugal_error error = { 0 };
    frugal_buf_init(text, NULL, 0, NULL);
    frugal_status status = frugal_json_write(law_view(at), options, text, &error);
    LAW(at, status == FRUGAL_OK, "write: %s at %s", error.message, error.path);
}

typedef struct reading {
    frugal_status status;
    frugal_error  error;
    size_t        used;
    void         *record;
} reading;

/* Reads a copy of the text that ends where memory ends, into a record full of rubbish, and checks
 * what holds for every call. */
static reading read_text(law_case *at, const void *text, size_t len,
                         const frugal_json_read_options *options)
{
    reading    it   = { .record = gen_alloc(&at->pool, at->type->size, at->type->align) };
    size_t     used = frugal_arena_used(at->arena);
    frugal_str mine = { (const char *)guard_put(&page, text, len), len };
    memset(it.record, 0x99, at->type->size);
    it.status = frugal_json_read((frugal_ref){ at->type, it.record }, mine, at->arena, options,
                                 &it.used, &it.error);
    if (it.status == FRUGAL_OK)
        return it;
    LAW(at, it.error.status == it.status && it.error.message[0], "the error is not filled");
    LAW(at, it.error.offset <= len, "offset %zu of %zu", it.error.offset, len);
    LAW(at, it.error.line >= 1 && it.error.column >= 1, "no line and column");
    LAW(at, law_is_initial(at->type, it.record), "not initialised after %s", it.error.message);
    LAW(at, frugal_arena_used(at->arena) == used, "the arena is not where it was");
    return it;
}

static void encode(law_case *at)
{
    gen_bytes_release(&at->bytes);
    at->bytes = (gen_bytes){ 0 };
    law_reference_encode(at->type, at->record, NULL, &at->bytes);
}

/* ---- the same bytes ------------------------------------------------------------------------- */

/* The decoder is the judge: what it makes of the bytes of the record, JSON makes of its text. */
static void check_same(law_case *at, const frugal_json_write_options *write,
                       const frugal_json_read_options *read)
{
    frugal_buf text;
    write_text(at, write, &text);
    law_decoded meant = law_decode(at, at->bytes.data, at->bytes.len, NULL);
    reading     got   = read_text(at, text.data, text.size, read);
    LAW(at, got.status == meant.status, "%s, but from bytes %s: %s at %s in\n%.*s",
        frugal_status_name(got.status), frugal_status_name(meant.status), got.error.message,
        got.error.path, (int)(text.size < 3000 ? text.size : 3000), (char *)text.data);
    if (got.status == FRUGAL_OK) {
        gen_bytes bytes = { 0 };
        LAW(at, got.used == text.size, "%zu of %zu bytes read", got.used, text.size);
        law_reference_encode(at->type, meant.record, NULL, &bytes);
        LAW(at, law_is_written_as(at->type, got.record, bytes.data, bytes.len),
            "another record from\n%.*s", (int)(text.size < 3000 ? text.size : 3000),
            (char *)text.data);
        gen_bytes_release(&bytes);
    }
    frugal_buf_release(&text);
}

static void check_roundtrip(law_case *at)
{
    calm_record(at->type, at->record);
    encode(at);
    for (unsigned bits = 0; bits < 32; bits++) {
        bool                      all   = bits == 0 || bits == 1;
        frugal_json_write_options write = { sizeof write, .pretty = bits & 1,
                                            .enum_numbers = bits & 2, .i64_strings = bits & 4,
                                            .binary_utf8 = bits & 8 };
        frugal_json_read_options  read  = { sizeof read, .strict = bits & 16,
                                            .binary_utf8 = bits & 8 };
        if (all || gen_chance(&at->random, 15))
            check_same(at, &write, &read);
    }
}

static void what_was_written_reads_as_the_same_bytes(void **state)
{
    (void)state;
    law_run("json_roundtrip", 1200, 3, check_roundtrip);
}

/* ---- broken texts --------------------------------------------------------------------------- */

static void check_truncations(law_case *at)
{
    frugal_json_write_options options = { sizeof options, .pretty = gen_chance(&at->random, 30) };
    frugal_buf                text;
    write_text(at, &options, &text);
    reading whole = read_text(at, text.data, text.size, NULL);
    size_t  step  = text.size / 200 + 1;
    for (size_t len = gen_below(&at->random, (uint32_t)step); len < text.size; len += step) {
        reading cut = read_text(at, text.data, len, NULL);
        if (whole.status == FRUGAL_OK)
            LAW(at, cut.status == FRUGAL_TRUNCATED, "%s: %s at %zu of\n%.*s",
                frugal_status_name(cut.status), cut.error.message, cut.error.offset, (int)len,
                (char *)text.data);
        gen_pool_rewind(&at->pool, at->pool.count - 1);
    }
    frugal_buf_release(&text);
}

static void every_truncation_is_told_as_one(void **state)
{
    (void)state;
    law_run("json_truncation", 500, 2, check_truncations);
}

static bool is_about_text(frugal_status status)
{
    switch (status) {
    case FRUGAL_SYNTAX:
    case FRUGAL_TRUNCATED:
    case FRUGAL_MISMATCH:
    case FRUGAL_SIZE:
    case FRUGAL_UTF8:
    case FRUGAL_MISSING:
    case FRUGAL_DUPLICATE:
    case FRUGAL_NOTFOUND:
    case FRUGAL_MALFORMED:
    case FRUGAL_DEPTH:
    case FRUGAL_BUDGET: return true;
    default: return false;
    }
}

/* What reads well after all can be written, and reads as the same again. */
static void check_mutation(law_case *at)
{
    frugal_buf text;
    write_text(at, NULL, &text);
    for (unsigned i = 0; i < 30; i++) {
        gen_bytes                changed = { 0 };
        size_t                   pieces  = at->pool.count;
        frugal_json_read_options options = { sizeof options, .strict = i & 1, .size_max = 1 << 20 };
        gen_bytes_append(&changed, text.data, text.size);
        gen_mutate(&at->random, &changed);
        if (changed.len > 1u << 20)
            changed.len = 1u << 20;
        reading got = read_text(at, changed.data, changed.len, &options);
        LAW(at, got.status == FRUGAL_OK || is_about_text(got.status), "%s: %s",
            frugal_status_name(got.status), got.error.message);
        if (got.status == FRUGAL_OK) {
            uint8_t *before = at->record;
            at->record      = got.record;
            calm_record(at->type, at->record);
            encode(at);
            check_same(at, NULL, NULL);
            at->record = before;
        }
        gen_pool_rewind(&at->pool, pieces);
        gen_bytes_release(&changed);
    }
    frugal_buf_release(&text);
}

static void a_changed_text_ends_in_a_record_or_an_error(void **state)
{
    (void)state;
    law_run("json_mutation", 400, 2, check_mutation);
}

/* ---- scarcity ------------------------------------------------------------------------------- */

#define REQUESTS_MAX 4000

static void check_scarce_read(law_case *at)
{
    probe allocator;
    probe_init(&allocator);
    frugal_arena_options options = { .allocator = &allocator.allocator, .block_size = 64 };
    void                *record  = gen_alloc(&at->pool, at->type->size, at->type->align);
    frugal_buf           text;
    if (!at->exact)
        return;
    calm_record(at->type, at->record);
    encode(at);
    write_text(at, NULL, &text);
    for (size_t nth = 0;; nth++) {
        allocator.fail_from = SIZE_MAX;
        frugal_arena *arena = frugal_arena_new(&options);
        assert_non_null(arena);
        allocator.calls     = 0;
        allocator.fail_from = nth;
        frugal_status status =
            frugal_json_read((frugal_ref){ at->type, record },
                             (frugal_str){ (char *)text.data, text.size }, arena, NULL, NULL, NULL);
        bool failed = status != FRUGAL_OK;
        LAW(at, failed == (allocator.calls > nth), "request %zu of %zu", nth, allocator.calls);
        LAW(at, !failed || status == FRUGAL_NOMEM, "%s", frugal_status_name(status));
        if (failed)
            LAW(at, law_is_initial(at->type, record) && frugal_arena_used(arena) == 0,
                "something was left behind");
        else
            LAW(at, law_is_written_as(at->type, record, at->bytes.data, at->bytes.len),
                "another record");
        frugal_arena_free(arena);
        LAW(at, allocator.live == 0, "%zu bytes leaked", allocator.live);
        assert_true(nth < REQUESTS_MAX);
        if (!failed)
            break;
    }
    frugal_buf_release(&text);
}

static void reading_survives_each_failing_allocation(void **state)
{
    (void)state;
    law_run("json_scarce_read", 200, 2, check_scarce_read);
}

static void check_scarce_write(law_case *at)
{
    probe      allocator;
    frugal_buf text, out;
    probe_init(&allocator);
    write_text(at, NULL, &text);
    for (size_t nth = 0;; nth++) {
        allocator.calls     = 0;
        allocator.fail_from = nth;
        frugal_buf_init(&out, NULL, 0, &allocator.allocator);
        frugal_status status = frugal_json_write(law_view(at), NULL, &out, NULL);
        bool          failed = status != FRUGAL_OK;
        LAW(at, failed == (allocator.calls > nth), "request %zu of %zu", nth, allocator.calls);
        LAW(at, !failed || (status == FRUGAL_NOMEM && out.size == 0), "%s, %zu bytes",
            frugal_status_name(status), out.size);
        LAW(at, failed || (out.size == text.size && memcmp(out.data, text.data, out.size) == 0),
            "another text");
        frugal_buf_release(&out);
        LAW(at, allocator.live == 0, "%zu bytes leaked", allocator.live);
        assert_true(nth < REQUESTS_MAX);
        if (!failed)
            break;
    }
    frugal_buf_release(&text);
}

static void writing_survives_each_failing_allocation(void **state)
{
    (void)state;
    law_run("json_scarce_write", 200, 2, check_scarce_write);
}

static void check_scarce_form(law_case *at)
{
    probe            allocator;
    const json_form *form;
    probe_init(&allocator);
    frugal_plan_drop(at->type);
    for (size_t nth = 0;; nth++) {
        frugal_error error;
        allocator.calls      = 0;
        allocator.fail_from  = nth;
        frugal_status status = json_form_make(at->type, &allocator.allocator, &form, &error);
        if (status == FRUGAL_OK)
            break;
        LAW(at, status == FRUGAL_NOMEM && error.status == FRUGAL_NOMEM, "%s", error.message);
        LAW(at, allocator.live == 0, "%zu bytes leaked", allocator.live);
        assert_true(nth < REQUESTS_MAX);
    }
    frugal_plan_drop(at->type);
    LAW(at, allocator.live == 0, "%zu bytes live after the drop", allocator.live);
}

static void preparing_survives_each_failing_allocation(void **state)
{
    (void)state;
    law_run("json_scarce_form", 100, 1, check_scarce_form);
}

/* ---- room ----------------------------------------------------------------------------------- */

/* A fixed buffer of the very size suffices, one byte less does not, and nothing behind is touched.
 */
static void check_room(law_case *at)
{
    frugal_buf   text, out;
    frugal_error error;
    write_text(at, NULL, &text);
    for (size_t less = 0; less < 2; less++) {
        uint8_t *room = page.end - text.size + less;
        frugal_buf_init_fixed(&out, room, text.size - less);
        frugal_status status = frugal_json_write(law_view(at), NULL, &out, &error);
        LAW(at, status == (less ? FRUGAL_NOSPACE : FRUGAL_OK), "%s", frugal_status_name(status));
        LAW(at, less || memcmp(room, text.data, text.size) == 0, "another text");
        LAW(at, !less || (out.size == 0 && strstr(error.message, "1 byte short")), "%s",
            error.message);
    }
    frugal_buf_release(&text);
}

static void exact_room_suffices_and_one_byte_less_does_not(void **state)
{
    (void)state;
    law_run("json_room", 300, 2, check_room);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_reads_as_the_same_bytes),
        cmocka_unit_test(every_truncation_is_told_as_one),
        cmocka_unit_test(a_changed_text_ends_in_a_record_or_an_error),
        cmocka_unit_test(reading_survives_each_failing_allocation),
        cmocka_unit_test(writing_survives_each_failing_allocation),
        cmocka_unit_test(preparing_survives_each_failing_allocation),
        cmocka_unit_test(exact_room_suffices_and_one_byte_less_does_not),
    };
    page       = guard_new((size_t)8 << 20);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    guard_free(&page);
    return failed;
}
