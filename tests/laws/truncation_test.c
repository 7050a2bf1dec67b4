/* laws/truncation_test.c - every message that is cut short fails cleanly: it ends at a guard page,
 * so that not one byte behind the cut is read; the record is initialised, the arena at its mark,
 * and the fault is where the reference finds it.
 *
 * Besides generated messages the benchmark's own: made here with the same shape, and read from
 * $FRUGAL_SHARED/bench/data when it is there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/guard.h"
#include "support/law.h"
#include "support/law_reference.h"

#define GUARD_SIZE   ((size_t)1 << 20)
#define EVERY_MAX    1200 /* bytes of a message that is cut at every byte; the cost is quadratic */
#define MESSAGES_MIN 200  /* that were cut at every byte */

static guard pages;

static int make_guard(void **state)
{
    (void)state;
    pages = guard_new(GUARD_SIZE);
    return 0;
}

static int release_guard(void **state)
{
    (void)state;
    guard_free(&pages);
    return 0;
}

/* ---- generated messages --------------------------------------------------------------------- */

static void check_cut(law_case *at, size_t len, const frugal_decode_options *options)
{
    size_t      pieces = at->pool.count;
    void       *record = gen_alloc(&at->pool, at->type->size, at->type->align);
    law_reading reading =
        law_reference_decode(&at->pool, at->type, record, at->bytes.data, len, options);
    law_show(at->bytes.data, len);
    law_decoded cut = law_decode_here(at, guard_put(&pages, at->bytes.data, len), len, options);
    LAW(at, cut.status != FRUGAL_OK, "decodes from %zu of %zu bytes", len, at->bytes.len);
    LAW(at, cut.status == reading.status && cut.error.offset == reading.offset,
        "expected %s at %zu, got %s at %zu: %s", frugal_status_name(reading.status), reading.offset,
        frugal_status_name(cut.status), cut.error.offset, cut.error.message);
    law_show(NULL, 0);
    gen_pool_rewind(&at->pool, pieces);
}

static unsigned cut_at_every_byte;

/* A long message is cut at a few hundred places. */
static size_t step_for(size_t len)
{
    return len <= EVERY_MAX ? 1 : 1 + len / 300;
}

static void check_every_cut(law_case *at)
{
    frugal_decode_options options = { sizeof options, .no_copy = gen_chance(&at->random, 30) };
    size_t                step    = step_for(at->bytes.len);
    if (at->bytes.len > GUARD_SIZE)
        return;
    for (size_t len = 0; len < at->bytes.len; len += step)
        check_cut(at, len, &options);
    cut_at_every_byte += step == 1;
}

static void every_truncation_of_a_generated_message_fails_cleanly(void **state)
{
    (void)state;
    law_run("truncation", 400, 1, check_every_cut);
    if (getenv("FRUGAL_LAW_CASE") == NULL)
        assert_in_range(cut_at_every_byte, MESSAGES_MIN, UINT32_MAX);
}

static void check_whole(law_case *at)
{
    if (at->bytes.len > GUARD_SIZE || !at->exact)
        return;
    law_decoded whole =
        law_decode_here(at, guard_put(&pages, at->bytes.data, at->bytes.len), at->bytes.len, NULL);
    LAW(at, whole.status == FRUGAL_OK, "%s", whole.error.message);
    LAW(at,
        at->graph.has_no_copy
            || law_is_written_as(at->type, whole.record, at->bytes.data, at->bytes.len),
        "another record");
}

static void a_whole_message_is_read_up_to_its_end_and_no_further(void **state)
{
    (void)state;
    law_run("whole", 1000, 3, check_whole);
}

static void check_skip_cut(law_case *at)
{
    size_t step = step_for(at->bytes.len);
    for (size_t len = 0; len < at->bytes.len && len < GUARD_SIZE; len += step) {
        frugal_error  error   = { 0 };
        frugal_bytes  input   = { guard_put(&pages, at->bytes.data, len), len };
        law_reading   reading = law_reference_skip_value(12, at->bytes.data, len, NULL);
        frugal_status status  = frugal_skip(input, FRUGAL_WIRE_STRUCT, NULL, NULL, &error);
        law_show(at->bytes.data, len);
        LAW(at, status == reading.status && error.offset == reading.offset && status != FRUGAL_OK,
            "expected %s at %zu, got %s at %zu", frugal_status_name(reading.status), reading.offset,
            frugal_status_name(status), error.offset);
    }
}

static void every_truncation_is_refused_by_skip(void **state)
{
    (void)state;
    law_run("skip_truncation", 200, 1, check_skip_cut);
}

/* ---- the benchmark's messages --------------------------------------------------------------- */

typedef struct simple {
    int8_t       byte;
    int64_t      i64;
    double       real;
    int32_t      i32;
    frugal_str   text;
    frugal_bytes binary;
    int32_t      number;
} simple;

#define FIELD(T, member, number, k)                                               \
    {                                                                             \
        .name = #member, .id = (number), .offset = offsetof(T, member), .type = { \
            .kind = FRUGAL_KIND_##k,                                              \
            .size = sizeof(((T *)0)->member)                                      \
        }                                                                         \
    }
#define LIST(T, member, number, k, of, each)                                      \
    {                                                                             \
        .name = #member, .id = (number), .offset = offsetof(T, member), .type = { \
            .kind   = FRUGAL_KIND_##k,                                            \
            .size   = 16,                                                         \
            .stride = (each),                                                     \
            .elem   = (of)                                                        \
        }                                                                         \
    }
#define MAP(T, member, number, from, of, each)                                    \
    {                                                                             \
        .name = #member, .id = (number), .offset = offsetof(T, member), .type = { \
            .kind   = FRUGAL_KIND_MAP,                                            \
            .size   = 16,                                                         \
            .stride = (each),                                                     \
            .elem   = (of),                                                       \
            .key    = (from)                                                      \
        }                                                                         \
    }
#define STRUCT(T, member, number, of)                                             \
    {                                                                             \
        .name = #member, .id = (number), .offset = offsetof(T, member), .type = { \
            .kind   = FRUGAL_KIND_STRUCT,                                         \
            .size   = sizeof(((T *)0)->member),                                   \
            .record = (of)                                                        \
        }                                                                         \
    }
#define TABLE(T, list)                                                                        \
    static frugal_slot         T##_slot;                                                      \
    static const frugal_struct T##_table = { .abi         = FRUGAL_TABLE_ABI,                 \
                                             .field_count = sizeof(list) / sizeof((list)[0]), \
                                             .name        = #T,                               \
                                             .fields      = (list),                           \
                                             .size        = sizeof(T),                        \
                                             .align       = _Alignof(T),                      \
                                             .slot        = &T##_slot }

static const frugal_field simple_fields[] = {
    FIELD(simple, byte, 1, I8),     FIELD(simple, i64, 2, I64),
    FIELD(simple, real, 3, DOUBLE), FIELD(simple, i32, 4, I32),
    FIELD(simple, text, 5, STRING), FIELD(simple, binary, 6, BINARY),
    FIELD(simple, number, 7, ENUM),
};
TABLE(simple, simple_fields);

typedef struct span {
    void  *ptr;
    size_t len;
} span;

typedef struct nesting {
    frugal_str   text;
    span         simples;
    double       real;
    int32_t      i32;
    span         i32s;
    int64_t      i64;
    span         texts_by_text;
    simple       one;
    span         i64_by_i32;
    span         texts;
    frugal_bytes binary;
    span         text_by_i64;
    span         i64s;
    int8_t       byte;
    span         simple_by_text;
} nesting;

static const frugal_type a_simple = { .kind   = FRUGAL_KIND_STRUCT,
                                      .size   = sizeof(simple),
                                      .record = &simple_table };
static const frugal_type an_i32   = { .kind = FRUGAL_KIND_I32, .size = 4 };
static const frugal_type an_i64   = { .kind = FRUGAL_KIND_I64, .size = 8 };
static const frugal_type a_text   = { .kind = FRUGAL_KIND_STRING, .size = 16 };

static const frugal_field nesting_fields[] = {
    FIELD(nesting, text, 1, STRING),
    LIST(nesting, simples, 2, LIST, &a_simple, sizeof(simple)),
    FIELD(nesting, real, 3, DOUBLE),
    FIELD(nesting, i32, 4, I32),
    LIST(nesting, i32s, 5, LIST, &an_i32, 4),
    FIELD(nesting, i64, 6, I64),
    MAP(nesting, texts_by_text, 7, &a_text, &a_text, 32),
    STRUCT(nesting, one, 8, &simple_table),
    MAP(nesting, i64_by_i32, 9, &an_i32, &an_i64, 16),
    LIST(nesting, texts, 10, LIST, &a_text, 16),
    FIELD(nesting, binary, 11, BINARY),
    MAP(nesting, text_by_i64, 12, &an_i64, &a_text, 24),
    LIST(nesting, i64s, 13, LIST, &an_i64, 8),
    FIELD(nesting, byte, 14, I8),
    MAP(nesting, simple_by_text, 15, &a_text, &a_simple, 16 + sizeof(simple)),
};
TABLE(nesting, nesting_fields);

/* The bytes of a file of the shared folder, or NULL. */
static uint8_t *read_shared(const char *name, size_t *len)
{
    const char *shared = getenv("FRUGAL_SHARED");
    char        path[512];
    uint8_t    *bytes = malloc(GUARD_SIZE);
    assert_non_null(bytes);
    snprintf(path, sizeof path, "%s/bench/data/%s", shared ? shared : "", name);
    FILE *file = shared && *shared ? fopen(path, "rb") : NULL;
    if (file == NULL) {
        free(bytes);
        return NULL;
    }
    *len = fread(bytes, 1, GUARD_SIZE, file);
    fclose(file);
    return bytes;
}

/* A message of the same shape: text of 272 and 256 bytes, eight elements in every container. */
static void make_like_the_benchmark(law_case *at)
{
    gen_values values = { .random = &at->random, .pool = &at->pool, .fuel = 200, .depth_left = 4 };
    at->record        = gen_alloc(&at->pool, at->type->size, at->type->align);
    gen_record(&values, at->type, at->record);
    law_reference_encode(at->type, at->record, NULL, &at->bytes);
}

static void cut_everywhere(const frugal_struct *type, const char *name)
{
    law_case at    = { .law = name, .type = type, .random = gen_random_for(gen_seed(), name, 0) };
    at.arena       = frugal_arena_new(NULL);
    size_t   len   = 0;
    uint8_t *bytes = read_shared(name, &len);
    if (bytes)
        gen_bytes_append(&at.bytes, bytes, len);
    else
        make_like_the_benchmark(&at);
    free(bytes);
    fprintf(stderr, "%s: %zu bytes%s\n", name, at.bytes.len, bytes ? "" : " (made here)");

    law_decoded whole = law_compare(&at, at.bytes.data, at.bytes.len, NULL);
    assert_int_equal(whole.status, FRUGAL_OK);
    assert_true(law_is_written_as(type, whole.record, at.bytes.data, at.bytes.len));
    for (size_t cut = 0; cut < at.bytes.len; cut++)
        check_cut(&at, cut, NULL);
    frugal_arena_free(at.arena);
    frugal_plan_drop(type);
    gen_bytes_release(&at.bytes);
    gen_pool_release(&at.pool);
}

static void every_truncation_of_the_small_message_fails_cleanly(void **state)
{
    (void)state;
    cut_everywhere(&simple_table, "small.bin");
}

static void every_truncation_of_the_medium_message_fails_cleanly(void **state)
{
    (void)state;
    cut_everywhere(&nesting_table, "medium.bin");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_truncation_of_a_generated_message_fails_cleanly),
        cmocka_unit_test(a_whole_message_is_read_up_to_its_end_and_no_further),
        cmocka_unit_test(every_truncation_is_refused_by_skip),
        cmocka_unit_test(every_truncation_of_the_small_message_fails_cleanly),
        cmocka_unit_test(every_truncation_of_the_medium_message_fails_cleanly),
    };
    return cmocka_run_group_tests_name("laws: truncation", tests, make_guard, release_guard);
}
