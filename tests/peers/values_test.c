/* peers/values_test.c - what Apache Thrift for Python wrote is what we read, and write.
 *
 * Each value of the vectors is decoded twice. With presence the record must tell exactly what was
 * on the wire, and become the same bytes again. As declared it shows defaults for what was absent,
 * so only the second decoding can give an equal record. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <frugal/frugal.h>

#include "support/json_value.h"
#include "support/vectors.h"

/* What the committed selection holds; fewer means that a run did not test it. */
enum {
    VALUES_MIN      = 524, /* with tables; each is read in both flavours */
    PREFIXES_MIN    = 170908,
    DEPTHS_MIN      = 2690,
    PREFIX_SIZE_MAX = 2048 /* values up to here are also read cut at every byte */
};

typedef struct vector {
    char                 id[128];
    const frugal_struct *types[2]; /* by vectors_flavour */
    json_t              *value;
    frugal_bytes         bytes;
} vector;

static vector *vectors;
static size_t  vector_count, row_count, prefix_count, depth_count;
static size_t  complaints;

/* ---- one record ---------------------------------------------------------------------------- */

/* A record with the arena it lives in and the input it came from. */
typedef struct trial {
    const vector        *vector;
    const frugal_struct *type;
    frugal_arena        *arena;
    void                *record;
    frugal_error         error;
} trial;

static bool complain(const trial *t, const char *what, const char *detail)
{
    if (complaints++ < 20)
        print_error("%s as %s: %s: %s\n", t->vector->id, t->type->name, what, detail);
    return false;
}

static void begin(trial *t, const vector *v, const frugal_struct *type)
{
    *t = (trial){ v, type, frugal_arena_new(NULL), malloc(type->size), { 0 } };
    if (t->arena == NULL || t->record == NULL)
        abort();
    memset(t->record, 0xa5, type->size); /* decoding must not depend on what was there */
    vectors_watch(v->id);
}

static void end(trial *t)
{
    vectors_watch(NULL);
    frugal_arena_free(t->arena);
    free(t->record);
}

static frugal_view view(const trial *t)
{
    return (frugal_view){ t->type, t->record };
}

static bool decode(trial *t, frugal_bytes input, bool no_copy)
{
    frugal_decode_options options = { .no_copy = no_copy };
    size_t                used;
    if (frugal_decode((frugal_ref){ t->type, t->record }, input, t->arena, &options, &used,
                      &t->error)
        != FRUGAL_OK)
        return complain(t, "decode failed", t->error.message);
    return used == input.len || complain(t, "decode", "did not use all bytes");
}

/* From an input that is gone when the record is looked at. */
static bool decode_and_drop_input(trial *t)
{
    frugal_bytes input = vectors_copy(t->vector->bytes.ptr, t->vector->bytes.len);
    bool         ok    = decode(t, input, false);
    memset((void *)(uintptr_t)input.ptr, 0xee, input.len);
    vectors_free(input);
    return ok;
}

static bool shows(const trial *t, const void *record, const json_t *expected)
{
    json_value_difference difference;
    json_t               *got  = json_value_of_record(t->type, record);
    bool                  same = json_value_same(expected, got, &difference);
    json_decref(got);
    if (!same) {
        char text[700];
        snprintf(text, sizeof text, "%s: expected %s, got %s", difference.path, difference.expected,
                 difference.got);
        return complain(t, "another value", text);
    }
    return true;
}

static bool encodes_to(const trial *t, const void *record, frugal_bytes expected)
{
    frugal_view  value = { t->type, record };
    frugal_buf   out;
    frugal_error error;
    size_t       size = 0;
    bool         ok   = true;
    if (frugal_encoded_size(value, NULL, &size, &error) != FRUGAL_OK)
        ok = complain(t, "no size", error.message);
    else if (size != expected.len)
        ok = complain(t, "size", "not that of the recorded bytes");
    frugal_buf_init(&out, NULL, 0, NULL);
    if (frugal_encode(value, NULL, &out, &error) != FRUGAL_OK)
        ok = complain(t, "encode failed", error.message);
    else if (out.size != expected.len || memcmp(out.data, expected.ptr, out.size) != 0)
        ok = complain(t, "encode", "not the recorded bytes");
    frugal_buf_release(&out);

    uint8_t *exact = malloc(expected.len);
    if (frugal_encode_to(value, NULL, exact, expected.len, &size, &error) != FRUGAL_OK)
        ok = complain(t, "encode_to failed", error.message);
    else if (size != expected.len || memcmp(exact, expected.ptr, size) != 0)
        ok = complain(t, "encode_to", "not the recorded bytes");
    free(exact);
    return ok;
}

static void for_each(vectors_flavour flavour, void (*check)(trial *t))
{
    complaints = 0;
    for (size_t i = 0; i < vector_count; i++) {
        trial t;
        begin(&t, &vectors[i], vectors[i].types[flavour]);
        check(&t);
        end(&t);
    }
    assert_int_equal(complaints, 0);
}

/* ---- facts --------------------------------------------------------------------------------- */

static void check_presence(trial *t)
{
    if (!decode_and_drop_input(t))
        return;
    shows(t, t->record, t->vector->value);
    encodes_to(t, t->record, t->vector->bytes);
}

static void with_presence_values_and_bytes_are_those_recorded(void **state)
{
    (void)state;
    for_each(VECTORS_PRESENCE, check_presence);
}

static void check_views(trial *t)
{
    trial copied;
    begin(&copied, t->vector, t->type);
    if (decode(t, t->vector->bytes, true) && decode_and_drop_input(&copied)) {
        if (!frugal_equal(view(t), view(&copied)))
            complain(t, "no_copy", "another record than a copying decode");
        encodes_to(t, t->record, t->vector->bytes);
    }
    end(&copied);
}

static void decoding_without_copies_gives_the_same_record(void **state)
{
    (void)state;
    for_each(VECTORS_PRESENCE, check_views);
}

static void check_copy(trial *t)
{
    trial copy;
    begin(&copy, t->vector, t->type);
    if (decode_and_drop_input(t)) {
        frugal_ref to = { t->type, copy.record };
        if (frugal_copy(to, view(t), copy.arena, &t->error) != FRUGAL_OK)
            complain(t, "copy failed", t->error.message);
        else if (!frugal_equal(view(t), view(&copy)))
            complain(t, "copy", "not equal");
        else {
            frugal_arena_free(t->arena); /* nothing of the copy may be in it */
            t->arena = NULL;
            shows(t, copy.record, t->vector->value);
            encodes_to(t, copy.record, t->vector->bytes);
        }
    }
    end(&copy);
}

static void a_copy_outlives_what_it_was_made_from(void **state)
{
    (void)state;
    for_each(VECTORS_PRESENCE, check_copy);
}

static void check_print(trial *t)
{
    const frugal_print_options one_line = { .one_line = true };
    frugal_buf                 text;
    if (!decode(t, t->vector->bytes, true))
        return;
    frugal_buf_init(&text, NULL, 0, NULL);
    if (frugal_print(view(t), &one_line, &text, &t->error) != FRUGAL_OK || text.size == 0)
        complain(t, "print failed", t->error.message);
    else if (memchr(text.data, '\n', text.size) != NULL)
        complain(t, "print", "one line is several");
    frugal_buf_release(&text);
}

static void every_value_can_be_printed_on_one_line(void **state)
{
    (void)state;
    for_each(VECTORS_PRESENCE, check_print);
}

static void check_declared(trial *t)
{
    json_t    *expected = json_deep_copy(t->vector->value);
    trial      again;
    frugal_buf out;
    begin(&again, t->vector, t->type);
    frugal_buf_init(&out, NULL, 0, NULL);
    json_value_complete(t->type, expected);
    if (decode_and_drop_input(t) && shows(t, t->record, expected)) {
        if (frugal_encode(view(t), NULL, &out, &t->error) != FRUGAL_OK)
            complain(t, "encode failed", t->error.message);
        else if (decode(&again, frugal_buf_bytes(&out), false)) {
            if (!frugal_equal(view(t), view(&again)))
                complain(t, "encoded and decoded", "not equal");
            shows(&again, again.record, expected);
            encodes_to(&again, again.record, frugal_buf_bytes(&out));
        }
    }
    frugal_buf_release(&out);
    end(&again);
    json_decref(expected);
}

static void as_declared_absent_members_show_their_defaults(void **state)
{
    (void)state;
    for_each(VECTORS_DECLARED, check_declared);
}

/* ---- cut at every byte --------------------------------------------------------------------- */

static bool same_mark(frugal_arena_mark a, frugal_arena_mark b)
{
    return a.block == b.block && a.cursor == b.cursor;
}

static void check_prefix(trial *t, const void *initial, size_t size)
{
    frugal_bytes      input  = vectors_copy(t->vector->bytes.ptr, size);
    frugal_ref        value  = { t->type, t->record };
    frugal_arena_mark before = frugal_arena_get_mark(t->arena);
    size_t            used   = frugal_arena_used(t->arena);
    char              where[32];
    snprintf(where, sizeof where, "cut at %zu", size);
    memset(t->record, 0xa5, t->type->size);
    if (frugal_decode(value, input, t->arena, NULL, NULL, &t->error) == FRUGAL_OK)
        complain(t, where, "was accepted");
    else if (t->error.offset > size)
        complain(t, where, "the error is behind the input");
    else if (memcmp(t->record, initial, t->type->size) != 0)
        complain(t, where, "the record is not initialised");
    else if (!same_mark(before, frugal_arena_get_mark(t->arena))
             || used != frugal_arena_used(t->arena))
        complain(t, where, "the arena is not where it was");
    vectors_free(input);
    prefix_count++;
}

static void check_prefixes(trial *t)
{
    if (t->vector->bytes.len >= PREFIX_SIZE_MAX)
        return;
    void *initial = malloc(t->type->size);
    memset(initial, 0xa5, t->type->size);
    frugal_init((frugal_ref){ t->type, initial });
    frugal_arena_alloc(t->arena, 24, 8); /* something that must survive */
    for (size_t size = 0; size < t->vector->bytes.len; size++)
        check_prefix(t, initial, size);
    free(initial);
}

static void every_strict_prefix_fails_and_leaves_nothing(void **state)
{
    (void)state;
    for_each(VECTORS_PRESENCE, check_prefixes);
    for_each(VECTORS_DECLARED, check_prefixes);
    assert_true(prefix_count >= PREFIXES_MIN);
}

/* ---- depth --------------------------------------------------------------------------------- */

/* Every limit that is too low, and the first that is not. */
static void check_depths(trial *t)
{
    frugal_decode_options options = { .depth_max = 0 };
    frugal_status         status  = FRUGAL_DEPTH;
    while (status == FRUGAL_DEPTH && options.depth_max < FRUGAL_DEPTH_DEFAULT) {
        frugal_error skip_error = { FRUGAL_OK, 0, 0, 0, 0, "", "" };
        options.depth_max++;
        t->error = skip_error;
        status   = frugal_decode((frugal_ref){ t->type, t->record }, t->vector->bytes, t->arena,
                                 &options, NULL, &t->error);
        if (status
            != frugal_skip(t->vector->bytes, FRUGAL_WIRE_STRUCT, &options, NULL, &skip_error))
            complain(t, "decode and skip differ about the depth", skip_error.message);
        else if (t->error.offset != skip_error.offset)
            complain(t, "decode and skip are too deep at different bytes", t->error.path);
        depth_count++;
    }
    if (status != FRUGAL_OK)
        complain(t, "does not decode at any depth", t->error.message);
}

static void decoding_and_skipping_are_too_deep_at_the_same_byte(void **state)
{
    (void)state;
    for_each(VECTORS_PRESENCE, check_depths);
    for_each(VECTORS_DECLARED, check_depths);
    assert_true(depth_count >= DEPTHS_MIN);
}

/* ---- reading the sets ---------------------------------------------------------------------- */

static void take_row(const json_t *row)
{
    char   schema[64];
    vector v = { .value = NULL };
    vectors_schema_name(vectors_text(row, "schema"), schema, sizeof schema);
    v.types[VECTORS_DECLARED] = vectors_type(schema, vectors_text(row, "type"), VECTORS_DECLARED);
    v.types[VECTORS_PRESENCE] = vectors_type(schema, vectors_text(row, "type"), VECTORS_PRESENCE);
    row_count++;
    if (v.types[VECTORS_DECLARED] == NULL)
        return;
    snprintf(v.id, sizeof v.id, "%s", vectors_text(row, "id"));
    v.value                 = vectors_value(row);
    v.bytes                 = vectors_binary(row);
    vectors[vector_count++] = v;
}

static int read_all(void **state)
{
    size_t  index, row_index;
    json_t *name, *row;
    json_t *files = vectors_files("vectors/values", ".jsonl");
    (void)state;
    json_array_foreach(files, index, name)
    {
        char file[256];
        snprintf(file, sizeof file, "vectors/values/%s", json_string_value(name));
        json_t *rows = vectors_rows(file);
        vectors      = realloc(vectors, (row_count + json_array_size(rows)) * sizeof *vectors);
        if (vectors == NULL)
            abort();
        json_array_foreach(rows, row_index, row) take_row(row);
        json_decref(rows);
    }
    json_decref(files);
    return 0;
}

static int release_all(void **state)
{
    (void)state;
    printf("peers.values: %zu values read as declared and with presence, %zu prefixes, "
           "%zu depth limits (%s); "
           "%zu values of %zu without tables\n",
           vector_count, prefix_count, depth_count, vectors_full() ? "full sets" : "selection",
           row_count - vector_count, row_count);
    for (size_t i = 0; i < vector_count; i++) {
        json_decref(vectors[i].value);
        vectors_free(vectors[i].bytes);
        frugal_plan_drop(vectors[i].types[VECTORS_DECLARED]);
        frugal_plan_drop(vectors[i].types[VECTORS_PRESENCE]);
    }
    free(vectors);
    return 0;
}

static void all_recorded_values_were_found(void **state)
{
    (void)state;
    assert_true(vector_count >= VALUES_MIN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_recorded_values_were_found),
        cmocka_unit_test(with_presence_values_and_bytes_are_those_recorded),
        cmocka_unit_test(decoding_without_copies_gives_the_same_record),
        cmocka_unit_test(a_copy_outlives_what_it_was_made_from),
        cmocka_unit_test(every_value_can_be_printed_on_one_line),
        cmocka_unit_test(as_declared_absent_members_show_their_defaults),
        cmocka_unit_test(every_strict_prefix_fails_and_leaves_nothing),
        cmocka_unit_test(decoding_and_skipping_are_too_deep_at_the_same_byte),
    };
    return cmocka_run_group_tests(tests, read_all, release_all);
}
