/* support/law.c - running a law over many cases. */
#include "support/law.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/engines.h"
#include "support/law_engines.h"
#include "support/law_reference.h"

static uint32_t cases_done;
static struct {
    const uint8_t *bytes;
    size_t         len;
} shown;

/* ---- cases ---------------------------------------------------------------------------------- */

static uint32_t number_from(const char *name, uint32_t otherwise)
{
    const char *text = getenv(name);
    return text && *text ? (uint32_t)strtoul(text, NULL, 0) : otherwise;
}

static bool wanted(uint32_t index)
{
    uint32_t only = number_from("FRUGAL_LAW_CASE", UINT32_MAX);
    return only == UINT32_MAX || only == index;
}

static void make_value(law_case *at)
{
    gen_values values = gen_values_start(&at->random, &at->pool);
    at->record        = gen_alloc(&at->pool, at->type->size, at->type->align);
    gen_record(&values, at->type, at->record);
    at->exact     = !values.inexact;
    at->utf8      = values.utf8;
    at->bytes.len = 0;
    law_reference_encode(at->type, at->record, NULL, &at->bytes);
    law_show(NULL, 0);
}

static void check_table(law_case *at)
{
    frugal_error  error  = { 0 };
    frugal_status status = frugal_struct_check(at->type, &error);
    LAW(at, status == FRUGAL_OK, "%s: %s", error.path, error.message);
}

/* Some cases start with an arena that has no block yet, some in the middle of one. */
static void make_arena(law_case *at)
{
    frugal_arena_options options = { .block_size = 64u << gen_below(&at->random, 8) };
    at->arena                    = frugal_arena_new(&options);
    assert_non_null(at->arena);
    if (gen_chance(&at->random, 70))
        memset(frugal_arena_alloc(at->arena, 24, 8), 0x5c, 24);
}

static void run_case(law_case *at, uint32_t values, law_check *check)
{
    size_t pieces = at->pool.count;
    check_table(at);
    for (uint32_t i = 0; i < values; i++) {
        make_arena(at);
        make_value(at);
        check(at);
        cases_done++;
        frugal_arena_free(at->arena);
        gen_pool_rewind(&at->pool, pieces);
    }
    for (uint32_t i = 0; i < at->graph.count; i++)
        frugal_plan_drop(&at->graph.records[i]);
    gen_bytes_release(&at->bytes);
    gen_pool_release(&at->pool);
}

static uint32_t rounds_of(const char *law, uint32_t tables)
{
    uint32_t factor = number_from("FRUGAL_LAW_ROUNDS", 1);
    fprintf(stderr, "%s: %u tables, FRUGAL_SEED=%llu\n", law, tables * factor,
            (unsigned long long)gen_seed());
    return tables * factor;
}

static law_case start_case(const char *law, uint32_t index)
{
    return (
        law_case){ .law = law, .index = index, .random = gen_random_for(gen_seed(), law, index) };
}

void law_run(const char *law, uint32_t tables, uint32_t values, law_check *check)
{
    tables = rounds_of(law, tables);
    for (uint32_t i = 0; i < tables; i++) {
        if (!wanted(i))
            continue;
        law_case at = start_case(law, i);
        at.graph    = gen_graph_make(&at.random, &at.pool);
        at.type     = &at.graph.records[0];
        run_case(&at, values, check);
    }
}

void law_run_cell(const char *law, gen_step step, gen_place place, uint32_t tables, uint32_t values,
                  law_check *check)
{
    for (uint32_t i = 0; i < tables; i++) {
        uint32_t index = ((uint32_t)step * GEN_PLACE_COUNT + place) * 100000 + i;
        if (!wanted(index))
            continue;
        law_case at = start_case(law, index);
        at.graph    = gen_graph_for(&at.random, &at.pool, step, place);
        at.type     = &at.graph.records[0];
        run_case(&at, values, check);
    }
}

uint32_t law_case_count(void)
{
    return cases_done;
}

/* ---- failing -------------------------------------------------------------------------------- */

void law_show(const uint8_t *bytes, size_t len)
{
    shown.bytes = bytes;
    shown.len   = len;
}

static void print_bytes(const uint8_t *bytes, size_t len)
{
    fprintf(stderr, "  %zu bytes: ", len);
    for (size_t i = 0; i < len && i < 3000; i++)
        fprintf(stderr, "%02x", bytes[i]);
    fputs(len > 3000 ? "...\n" : "\n", stderr);
}

void law_fail(const law_case *at, const char *file, int line, const char *condition,
              const char *format, ...)
{
    fprintf(stderr, "%s:%d: %s does not hold: FRUGAL_SEED=%llu FRUGAL_LAW_CASE=%u\n  %s\n  ", file,
            line, at->law, (unsigned long long)gen_seed(), at->index, condition);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    gen_graph_print(&at->graph, stderr);
    if (shown.bytes)
        print_bytes(shown.bytes, shown.len);
    else if (at->bytes.data)
        print_bytes(at->bytes.data, at->bytes.len);
    fail();
    abort(); /* not reached: cmocka has gone on to the next test */
}

frugal_view law_view(const law_case *at)
{
    return (frugal_view){ at->type, at->record };
}

/* ---- decoding ------------------------------------------------------------------------------- */

bool law_is_initial(const frugal_struct *type, const void *record)
{
    void *initial = malloc(type->size);
    assert_non_null(initial);
    law_reference_init(type, initial);
    bool same = memcmp(initial, record, type->size) == 0;
    free(initial);
    return same;
}

bool law_is_written_as(const frugal_struct *type, const void *record, const uint8_t *bytes,
                       size_t len)
{
    gen_bytes written = { 0 };
    law_reference_encode(type, record, NULL, &written);
    bool same = written.len == len && memcmp(written.data, bytes, len) == 0;
    gen_bytes_release(&written);
    return same;
}

static law_decoded decode_once(law_case *at, const uint8_t *input, size_t len,
                               const frugal_decode_options *options)
{
    law_decoded result = { .record = gen_alloc(&at->pool, at->type->size, at->type->align) };
    size_t      before = frugal_arena_used(at->arena);
    if (options == NULL || !options->keep_existing)
        memset(result.record, 0xa5, at->type->size);
    memset(&result.error, 0xa5, sizeof result.error);
    result.used = SIZE_MAX;
    result.status =
        frugal_decode((frugal_ref){ at->type, result.record }, (frugal_bytes){ input, len },
                      at->arena, options, &result.used, &result.error);
    if (result.status == FRUGAL_OK) {
        LAW(at, result.used <= len, "used %zu of %zu", result.used, len);
        return result;
    }
    LAW(at, result.error.status == result.status, "%d in the error", (int)result.error.status);
    LAW(at, result.error.offset <= len, "offset %zu of %zu", result.error.offset, len);
    LAW(at, result.error.message[0] != '\0', "no sentence");
    LAW(at, result.used == SIZE_MAX, "used was written");
    LAW(at, law_is_initial(at->type, result.record), "after: %s", result.error.message);
    LAW(at, frugal_arena_used(at->arena) == before, "%zu bytes before, %zu after: %s", before,
        frugal_arena_used(at->arena), result.error.message);
    return result;
}

static void check_same_record(law_case *at, const char *engine, const void *a, const void *b)
{
    frugal_view one = { at->type, a }, other = { at->type, b };
    if (frugal_equal(one, one)) /* there is a NaN else */
        LAW(at, frugal_equal(one, other), "%s: another record", engine);
    LAW(at, law_reference_equal(at->type, a, b), "%s: written otherwise", engine);
    LAW(at, law_same_memory(at->type, a, b), "%s: other memory", engine);
}

law_decoded law_decode_here(law_case *at, const uint8_t *input, size_t len,
                            const frugal_decode_options *options)
{
    frugal_decode_options by_machine = { 0 }, interpreted;
    law_choice            choice     = law_choose(at);
    if (options)
        by_machine = *options;
    interpreted                  = by_machine;
    interpreted.interpreter_only = true;
    law_decoded one = decode_once(at, input, len, &interpreted), other = one;
    at->served = 1u << ENGINE_INTERPRETER;
    for (unsigned engine = choice.first; engine <= choice.last; engine++) {
        if (!law_engine_begin(at, engine))
            continue;
        other = decode_once(at, input, len, options ? &by_machine : NULL);
        law_engine_end(at, engine);
        const char *name = engines_name(engine);
        LAW(at, other.status == one.status && other.used == one.used,
            "%s: %s, %s by the interpreter", name, frugal_status_name(other.status),
            frugal_status_name(one.status));
        if (one.status == FRUGAL_OK)
            check_same_record(at, name, one.record, other.record);
        else
            law_same_error(at, name, &one.error, &other.error);
    }
    return other;
}

law_decoded law_decode(law_case *at, const uint8_t *input, size_t len,
                       const frugal_decode_options *options)
{
    uint8_t *copy = gen_alloc(&at->pool, len, 1);
    if (len)
        memcpy(copy, input, len);
    law_show(input, len);
    law_decoded result = law_decode_here(at, copy, len, options);
    law_show(NULL, 0);
    return result;
}

/* The path is the reference's, or its end behind "…" when there was no room for all of it. */
static bool is_path(const law_reading *reading, const char *path)
{
    static const char cut[] = "\xe2\x80\xa6";
    if (!reading->path_known || reading->status == FRUGAL_DUPLICATE
        || strcmp(path, reading->path) == 0)
        return true;
    size_t len = strlen(path), whole = strlen(reading->path), mark = sizeof cut - 1;
    return memcmp(path, cut, mark) == 0 && whole > 90 && len - mark <= whole
           && strcmp(path + mark, reading->path + whole - (len - mark)) == 0;
}

/* The default budget is 64 MiB; the reference counts without the room that a growing list leaves.
 */
static bool may_exceed_budget(const law_reading *reading)
{
    return reading->memory > ((size_t)8 << 20);
}

/* Where two records differ is found in the bytes that they would be written as. */
static void check_record(law_case *at, const void *record, const gen_bytes *meant)
{
    gen_bytes got   = { 0 };
    size_t    first = 0;
    law_reference_encode(at->type, record, NULL, &got);
    while (first < got.len && first < meant->len && got.data[first] == meant->data[first])
        first++;
    if (first < got.len || first < meant->len) {
        fprintf(stderr, "expected, and got:\n");
        print_bytes(meant->data, meant->len);
        print_bytes(got.data, got.len);
    }
    LAW(at, first == got.len && first == meant->len,
        "another record than the reference reads: it would be written otherwise from byte %zu on",
        first);
    gen_bytes_release(&got);
}

law_decoded law_compare(law_case *at, const uint8_t *input, size_t len,
                        const frugal_decode_options *options)
{
    size_t      pieces   = at->pool.count;
    void       *expected = gen_alloc(&at->pool, at->type->size, at->type->align);
    law_reading reading  = law_reference_decode(&at->pool, at->type, expected, input, len, options);
    law_decoded result   = law_decode(at, input, len, options);
    law_show(input, len);
    if (result.status == FRUGAL_BUDGET && may_exceed_budget(&reading))
        return result;
    LAW(at, result.status == reading.status, "expected %s at %zu (%s), got %s at %zu (%s): %s",
        frugal_status_name(reading.status), reading.offset, reading.path,
        frugal_status_name(result.status), result.error.offset, result.error.path,
        result.error.message);
    if (result.status != FRUGAL_OK) {
        LAW(at, result.error.offset == reading.offset, "%s: expected at %zu (%s), got at %zu (%s)",
            result.error.message, reading.offset, reading.path, result.error.offset,
            result.error.path);
        LAW(at, is_path(&reading, result.error.path), "%s at %zu: expected path %s, got %s",
            result.error.message, reading.offset, reading.path, result.error.path);
    } else {
        gen_bytes meant = { 0 };
        law_reference_encode(at->type, expected, NULL, &meant);
        LAW(at, result.used == reading.used, "expected %zu used, got %zu", reading.used,
            result.used);
        check_record(at, result.record, &meant);
        gen_bytes_release(&meant);
    }
    law_show(NULL, 0);
    if (result.status != FRUGAL_OK)
        gen_pool_rewind(&at->pool, pieces);
    return result;
}
