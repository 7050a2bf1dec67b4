/* laws/roundtrip_test.c - what is encoded is what the reference writes; what is decoded is what was
 * encoded. Over generated tables and values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/engines.h"
#include "support/law.h"
#include "support/law_reference.h"

/* ---- encode --------------------------------------------------------------------------------- */

static void check_bytes(law_case *at, const uint8_t *written, size_t len, const gen_bytes *expected)
{
    law_show(written, len);
    LAW(at, len == expected->len, "%zu bytes expected, %zu written", expected->len, len);
    for (size_t i = 0; i < len; i++)
        LAW(at, written[i] == expected->data[i], "byte %zu: %02x expected, %02x written", i,
            expected->data[i], written[i]);
    law_show(NULL, 0);
}

/* The three ways to encode agree with each other and with the reference. */
static void check_encoding(law_case *at, const frugal_encode_options *options,
                           const gen_bytes *expected)
{
    static const uint8_t front[] = { 1, 2, 3, 4, 5 };
    frugal_error         error   = { 0 };
    frugal_buf           out;
    uint8_t              storage[40];
    size_t               size   = SIZE_MAX;
    frugal_status        status = law_encoded_size(at, options, &size, &error);
    LAW(at, status == FRUGAL_OK, "size: %s at %s", error.message, error.path);
    LAW(at, size == expected->len, "size %zu, %zu expected", size, expected->len);

    frugal_buf_init(&out, storage, gen_below(&at->random, sizeof storage), NULL);
    assert_int_equal(frugal_buf_append(&out, front, sizeof front), FRUGAL_OK);
    status = law_encode(at, law_view(at), options, &out, &error);
    LAW(at, status == FRUGAL_OK, "encode: %s at %s", error.message, error.path);
    LAW(at, memcmp(out.data, front, sizeof front) == 0, "what was there before has changed");
    check_bytes(at, out.data + sizeof front, out.size - sizeof front, expected);
    frugal_buf_release(&out);

    uint8_t *exact = gen_alloc(&at->pool, size, 1);
    size_t   written;
    status = law_encode_to(at, options, exact, size, &written, &error);
    LAW(at, status == FRUGAL_OK, "encode_to: %s at %s", error.message, error.path);
    check_bytes(at, exact, written, expected);
}

static void check_plain(law_case *at)
{
    check_encoding(at, NULL, &at->bytes);
}

static void encoding_is_what_the_reference_writes(void **state)
{
    (void)state;
    law_run("encode", 1500, 3, check_plain);
}

static void check_skip_defaults(law_case *at)
{
    law_write_options     meant   = { .skip_defaults = true };
    frugal_encode_options options = { sizeof options, .skip_defaults = true };
    gen_bytes             bytes   = { 0 };
    law_reference_encode(at->type, at->record, &meant, &bytes);
    check_encoding(at, &options, &bytes);
    gen_bytes_release(&bytes);
}

static void put_initials(law_case *at)
{
    for (uint32_t i = 0; i < at->type->field_count; i++) {
        const frugal_field *field = &at->type->fields[i];
        if (field->initial == NULL || !gen_chance(&at->random, 60))
            continue;
        memcpy(at->record + field->offset, field->initial, field->type.size);
        if (field->has)
            at->record[field->has] = 1;
    }
}

/* Equal values are rare by chance: some fields are given their defaults. */
static void check_skip_equal_defaults(law_case *at)
{
    put_initials(at);
    check_skip_defaults(at);
}

static void skip_defaults_leaves_out_what_the_reference_leaves_out(void **state)
{
    (void)state;
    law_run("skip_defaults", 700, 2, check_skip_equal_defaults);
}

static void check_canonical(law_case *at)
{
    law_write_options     meant   = { .canonical = true };
    frugal_encode_options options = { sizeof options, .canonical = true };
    gen_bytes             bytes   = { 0 };
    law_reference_encode(at->type, at->record, &meant, &bytes);
    check_encoding(at, &options, &bytes);
    if (at->exact) {
        /* Sorting what is sorted changes nothing, and the order is all that it changed. */
        law_decoded sorted = law_decode(at, bytes.data, bytes.len, NULL);
        LAW(at, sorted.status == FRUGAL_OK, "%s", sorted.error.message);
        LAW(at, law_is_written_as(at->type, sorted.record, bytes.data, bytes.len),
            "not idempotent");
        uint8_t *before = at->record;
        at->record      = sorted.record;
        check_encoding(at, &options, &bytes);
        at->record = before;
    }
    gen_bytes_release(&bytes);
}

static void canonical_sorts_and_sorts_once(void **state)
{
    (void)state;
    law_run("canonical", 700, 2, check_canonical);
}

static void check_depth(law_case *at)
{
    uint32_t              depth   = law_reference_depth(at->type, at->record);
    frugal_encode_options options = { sizeof options, .canonical = gen_chance(&at->random, 20),
                                      .depth_max = 1 + gen_below(&at->random, depth + 1) };
    bool                  fits    = options.depth_max >= depth;
    frugal_status         meant   = fits ? FRUGAL_OK : FRUGAL_DEPTH;
    frugal_error          error   = { 0 };
    size_t                size    = SIZE_MAX;
    frugal_buf            out;
    frugal_buf_init(&out, NULL, 0, NULL);
    frugal_status status = law_encode(at, law_view(at), &options, &out, &error);
    LAW(at, status == meant, "%u levels, depth_max %u: %s: %s", depth, options.depth_max,
        frugal_status_name(status), error.message);
    LAW(at, out.size == (fits ? at->bytes.len : 0), "size %zu", out.size);
    frugal_buf_release(&out);
    status = law_encoded_size(at, &options, &size, &error);
    LAW(at, status == meant, "%u levels, depth_max %u: %s measures", depth, options.depth_max,
        frugal_status_name(status));
    LAW(at, size == (fits ? at->bytes.len : SIZE_MAX), "size %zu", size);
}

static void encoding_counts_levels_as_the_reference_does(void **state)
{
    (void)state;
    law_run("depth", 700, 3, check_depth);
}

/* ---- decode --------------------------------------------------------------------------------- */

static void check_back(law_case *at)
{
    law_decoded back = law_compare(at, at->bytes.data, at->bytes.len, NULL);
    if (!at->exact)
        return;
    LAW(at, back.status == FRUGAL_OK, "%s at %zu: %s", back.error.path, back.error.offset,
        back.error.message);
    LAW(at, back.used == at->bytes.len, "%zu of %zu used", back.used, at->bytes.len);
    LAW(at, law_is_written_as(at->type, back.record, at->bytes.data, at->bytes.len),
        "another record");
    frugal_view same = { at->type, back.record };
    LAW(at, frugal_equal(law_view(at), same), "not equal to what was encoded");
    LAW(at, frugal_equal(same, same), "not equal to itself");
}

static void decoding_gives_back_what_was_encoded(void **state)
{
    (void)state;
    law_run("decode", 1500, 3, check_back);
}

static void check_tail(law_case *at)
{
    gen_bytes longer = { 0 };
    gen_bytes_append(&longer, at->bytes.data, at->bytes.len);
    for (int i = gen_range(&at->random, 1, 90); i > 0; i--)
        gen_bytes_put(&longer, (uint8_t)gen_next(&at->random));
    law_decoded back = law_compare(at, longer.data, longer.len, NULL);
    LAW(at, !at->exact || back.used == at->bytes.len, "%zu of %zu used", back.used, at->bytes.len);
    gen_bytes_release(&longer);
}

static void what_follows_the_record_is_left_alone(void **state)
{
    (void)state;
    law_run("tail", 600, 2, check_tail);
}

static void check_skip(law_case *at)
{
    size_t        used   = 0;
    frugal_error  error  = { 0 };
    frugal_bytes  input  = { at->bytes.data, at->bytes.len };
    frugal_status status = frugal_skip(input, FRUGAL_WIRE_STRUCT, NULL, &used, &error);
    LAW(at, status == FRUGAL_OK, "%s at %zu", error.message, error.offset);
    LAW(at, used == at->bytes.len, "%zu of %zu", used, at->bytes.len);
}

static void skipping_consumes_exactly_what_was_encoded(void **state)
{
    (void)state;
    law_run("skip", 800, 2, check_skip);
}

/* ---- where text lies ------------------------------------------------------------------------ */

static void check_copies(law_case *at)
{
    if (!at->exact || at->graph.has_no_copy)
        return;
    uint8_t *input = gen_alloc(&at->pool, at->bytes.len, 1);
    memcpy(input, at->bytes.data, at->bytes.len);
    law_decoded back = law_decode_here(at, input, at->bytes.len, NULL);
    memset(input, 0xdb, at->bytes.len);
    LAW(at, back.status == FRUGAL_OK, "%s", back.error.message);
    LAW(at, law_is_written_as(at->type, back.record, at->bytes.data, at->bytes.len),
        "the record changed with the input");
}

static void copied_text_outlives_the_input(void **state)
{
    (void)state;
    law_run("copies", 800, 2, check_copies);
}

static void check_views(law_case *at)
{
    frugal_decode_options options = { sizeof options, .no_copy = true };
    law_decoded           viewed  = law_compare(at, at->bytes.data, at->bytes.len, &options);
    law_decoded           copied  = law_decode(at, at->bytes.data, at->bytes.len, NULL);
    LAW(at, viewed.status == copied.status, "%s", viewed.error.message);
    if (viewed.status == FRUGAL_OK)
        LAW(at,
            frugal_equal((frugal_view){ at->type, viewed.record },
                         (frugal_view){ at->type, copied.record }),
            "views differ from copies");
}

static void views_equal_copies(void **state)
{
    (void)state;
    law_run("no_copy", 800, 2, check_views);
}

/* ---- what it takes -------------------------------------------------------------------------- */

/* In the same memory each time: padding depends on where it lies. */
static size_t arena_bytes(law_case *at, const frugal_decode_options *options)
{
    static _Alignas(64) uint8_t memory[1 << 20];
    frugal_arena               *arena =
        frugal_arena_init(memory, sizeof memory, &(frugal_arena_options){ .fixed = true });
    void *record = gen_alloc(&at->pool, at->type->size, at->type->align);
    assert_non_null(arena);
    frugal_status status =
        frugal_decode((frugal_ref){ at->type, record },
                      (frugal_bytes){ at->bytes.data, at->bytes.len }, arena, options, NULL, NULL);
    size_t used = frugal_arena_used(arena);
    LAW(at, status == FRUGAL_OK || used == 0, "%zu bytes", used);
    frugal_arena_release(arena);
    return used;
}

static void check_arena_use(law_case *at)
{
    frugal_decode_options interpreted = { .no_copy          = gen_chance(&at->random, 30),
                                          .interpreter_only = true };
    frugal_decode_options by_machine  = interpreted;
    by_machine.interpreter_only       = false;
    size_t   meant                    = arena_bytes(at, &interpreted);
    unsigned machines                 = engines_count() - 1;
    unsigned engine                   = ENGINE_MACHINE + at->index % (machines ? machines : 1);
    if (!engines_use(at->type, engine))
        return;
    size_t used = arena_bytes(at, &by_machine);
    LAW(at, used == meant, "%s: %zu bytes of the arena, %zu by the interpreter",
        engines_name(engine), used, meant);
}

static void every_engine_takes_the_same_from_the_arena(void **state)
{
    (void)state;
    law_run("arena", 800, 3, check_arena_use);
}

/* ---- values --------------------------------------------------------------------------------- */

static void check_equal(law_case *at)
{
    gen_values values = gen_values_start(&at->random, &at->pool);
    void      *other  = gen_alloc(&at->pool, at->type->size, at->type->align);
    values.fuel       = 8;
    gen_record(&values, at->type, other);
    frugal_view a = law_view(at), b = { at->type, other };
    bool        expected = law_reference_equal(at->type, a.ptr, b.ptr);
    LAW(at, frugal_equal(a, b) == expected, "equal: %d expected", expected);
    LAW(at, frugal_equal(b, a) == expected, "not symmetric");
}

static void equal_means_the_same_bytes(void **state)
{
    (void)state;
    law_run("equal", 800, 3, check_equal);
}

static void check_copy(law_case *at)
{
    void         *copy   = gen_alloc(&at->pool, at->type->size, at->type->align);
    frugal_error  error  = { 0 };
    frugal_ref    to     = { at->type, copy };
    frugal_status status = frugal_copy(to, law_view(at), at->arena, &error);
    LAW(at, status == FRUGAL_OK, "%s: %s", error.path, error.message);
    LAW(at, law_is_written_as(at->type, copy, at->bytes.data, at->bytes.len), "another record");
}

static void a_copy_is_written_as_the_same_bytes(void **state)
{
    (void)state;
    law_run("copy", 600, 2, check_copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(encoding_is_what_the_reference_writes),
        cmocka_unit_test(skip_defaults_leaves_out_what_the_reference_leaves_out),
        cmocka_unit_test(canonical_sorts_and_sorts_once),
        cmocka_unit_test(encoding_counts_levels_as_the_reference_does),
        cmocka_unit_test(decoding_gives_back_what_was_encoded),
        cmocka_unit_test(what_follows_the_record_is_left_alone),
        cmocka_unit_test(skipping_consumes_exactly_what_was_encoded),
        cmocka_unit_test(copied_text_outlives_the_input),
        cmocka_unit_test(views_equal_copies),
        cmocka_unit_test(every_engine_takes_the_same_from_the_arena),
        cmocka_unit_test(equal_means_the_same_bytes),
        cmocka_unit_test(a_copy_is_written_as_the_same_bytes),
    };
    return cmocka_run_group_tests_name("laws: roundtrip", tests, NULL, NULL);
}
