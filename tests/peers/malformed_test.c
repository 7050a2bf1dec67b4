/* peers/malformed_test.c - broken and odd input, and what a reader should say to it.
 *
 * A `firm` verdict of the vectors must be ours. Where peers differ (`judgement`) we choose, and the
 * choices stand in a table here, with a reason: changing one is a change of this file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <frugal/frugal.h>

#include "peers/idl_tables.h"
#include "support/json_value.h"
#include "support/vectors.h"

/* What the committed selection holds. */
enum { STRUCTS_MIN = 91, MESSAGES_MIN = 45 };

/* ---- our choices --------------------------------------------------------------------------- */

typedef enum answer { REFUSED, ACCEPTED } answer;

/* For the judgement vectors whose id begins so; the longest such beginning counts. */
static struct choice {
    const char *id;
    answer      ours;
    bool        differs; /* from what the vector expects */
    const char *reason;
    int         uses;
} choices[] = {
    { "binary/unknown-type/", REFUSED, false, "of unknown size, so it cannot be skipped", 0 },
    { "binary/element-type/", REFUSED, false, "not the element type that is described", 0 },
    { "binary/map-types/", REFUSED, false, "not the key type that is described", 0 },
    { "binary/trailing/", ACCEPTED, false, "bytes behind the struct are the caller's", 0 },
    { "binary/missing-required/", REFUSED, false, "that is what required means", 0 },
    { "binary/bool-value/", ACCEPTED, false, "all but 0 is true", 0 },
    { "binary/bad-utf8/", ACCEPTED, false, "kept unless check_utf8 is set", 0 },
    { "binary/duplicate-key/", ACCEPTED, false, "kept unless reject_duplicates is set", 0 },
    { "binary/duplicate-element/", ACCEPTED, false, "kept unless reject_duplicates is set", 0 },
    { "binary/wrong-wire-type/", ACCEPTED, false, "such a field is skipped unless strict is set",
      0 },
    { "binary/union-none-set/", ACCEPTED, true, "no arm is which = 0", 0 },
    { "binary/union-two-set/", ACCEPTED, true, "the last arm wins", 0 },
    { "binary/union-unknown/", ACCEPTED, true, "an unknown arm is an unknown field", 0 },
    { "binary/deep-skip/105", REFUSED, true, "100 structs deep; our limit is 64, for all", 0 },
    { "binary/deep-skip/106", REFUSED, true, "100 lists deep; our limit is 64, for all", 0 },
    { "binary/deep-skip/", REFUSED, false, "deeper than 64 levels", 0 },
    { "binary/deep-known/", REFUSED, false, "deeper than 64 levels", 0 },
    { "message-binary/bad-version/", REFUSED, false, "0x8101 is not version 1", 0 },
    { "message-binary/reserved-byte/", ACCEPTED, false, "handed on in `reserved`", 0 },
    { "message-binary/message-type/", REFUSED, false, "only 1 to 4 exist", 0 },
    { "message-binary-strict-only/old-form/", REFUSED, false, "strict_only was asked for", 0 },
};

static struct choice *choice_for(const char *id)
{
    struct choice *found = NULL;
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        size_t len = strlen(choices[i].id);
        if (strncmp(choices[i].id, id, len) == 0 && (found == NULL || len > strlen(found->id)))
            found = &choices[i];
    }
    return found;
}

/* ---- verdicts ------------------------------------------------------------------------------ */

static size_t complaints;
static size_t struct_count, by_hand_count, message_count, firm_count, differing_count;

static void complain(const char *id, const char *what, const char *detail)
{
    complaints++;
    print_error("%s: %s: %s\n", id, what, detail);
}

/* What we did (FRUGAL_OK or an error) against what the row and our choices say. */
static void judge(const json_t *row, frugal_status status, const frugal_error *error)
{
    const char *id       = vectors_text(row, "id");
    bool        accepted = status == FRUGAL_OK;
    bool        expected = strcmp(vectors_text(row, "expect"), "ok") == 0;
    const char *given    = accepted ? "accepted" : error->message;
    if (strcmp(vectors_text(row, "confidence"), "firm") == 0) {
        firm_count++;
        if (accepted != expected)
            complain(id, vectors_text(row, "why"), given);
        return;
    }
    struct choice *choice = choice_for(id);
    if (choice == NULL) {
        complain(id, "not in the table of choices", given);
        return;
    }
    choice->uses++;
    if (accepted != (choice->ours == ACCEPTED) || (accepted != expected) != choice->differs)
        complain(id, choice->reason, given);
    if (accepted != expected) {
        differing_count++;
        printf("peers.malformed: ours differs: %s %s: %s\n", id, accepted ? "accepted" : "refused",
               choice->reason);
    }
}

static frugal_status decode(const char *id, const frugal_struct *type, frugal_bytes input,
                            frugal_error *error)
{
    frugal_arena *arena  = frugal_arena_new(NULL);
    void         *record = malloc(type->size);
    size_t        used = 0, skipped = 0;
    if (arena == NULL || record == NULL)
        abort();
    frugal_status status =
        frugal_decode((frugal_ref){ type, record }, input, arena, NULL, &used, error);
    if (!vectors_memory_is_modest(arena, input.len))
        complain(id, type->name, "took more memory than 64 KiB + 64 x input");
    if (status == FRUGAL_OK) {
        if (frugal_skip(input, FRUGAL_WIRE_STRUCT, NULL, &skipped, NULL) != FRUGAL_OK
            || skipped != used)
            complain(id, type->name, "skip does not agree about its end");
    } else if (error->offset > input.len)
        complain(id, type->name, "the error is behind the input");
    json_decref(json_value_of_record(type, record)); /* reads all that the record holds */
    frugal_arena_free(arena);
    free(record);
    return status;
}

/* As declared and with presence; the answer of the former. */
static frugal_status decode_flavours(const char *id, const frugal_struct *const types[2],
                                     frugal_bytes input, frugal_error *error)
{
    frugal_status with_presence = decode(id, types[VECTORS_PRESENCE], input, error);
    frugal_status declared      = decode(id, types[VECTORS_DECLARED], input, error);
    if (with_presence != declared && declared != FRUGAL_MISSING)
        complain(id, "the flavours differ", frugal_status_name(with_presence));
    return declared;
}

/* With tables of the .thrift file, and with those written by hand where there are any. */
static void check_struct(const json_t *row)
{
    const char          *id    = vectors_text(row, "id");
    frugal_bytes         input = vectors_hex(row, "hex");
    frugal_error         error = { FRUGAL_OK, 0, 0, 0, 0, "", "" };
    const frugal_struct *by_hand[2], *loaded[2];
    char                 schema[64];
    vectors_schema_name(vectors_text(row, "schema"), schema, sizeof schema);
    for (int i = 0; i < 2; i++) {
        by_hand[i] = vectors_type(schema, vectors_text(row, "type"), (vectors_flavour)i);
        loaded[i]  = idl_tables_type(schema, vectors_text(row, "type"), (vectors_flavour)i);
    }
    vectors_watch(id);
    struct_count++;
    frugal_status status = decode_flavours(id, loaded, input, &error);
    judge(row, status, &error);
    if (by_hand[VECTORS_DECLARED]) {
        by_hand_count++;
        if (decode_flavours(id, by_hand, input, &error) != status)
            complain(id, "the table by hand differs", error.message);
        frugal_plan_drop(by_hand[VECTORS_PRESENCE]);
        frugal_plan_drop(by_hand[VECTORS_DECLARED]);
    }
    vectors_watch(NULL);
    vectors_free(input);
}

/* The envelope, and behind it one struct without a table. */
static void check_message(const json_t *row)
{
    const char                  *protocol = vectors_text(row, "protocol");
    const frugal_message_options options  = {
         .strict_only = strcmp(protocol, "binary-strict-only") == 0,
    };
    frugal_bytes   input = vectors_hex(row, "hex");
    frugal_error   error = { FRUGAL_OK, 0, 0, 0, 0, "", "" };
    frugal_message message;
    size_t         used;
    message_count++;
    vectors_watch(vectors_text(row, "id"));
    frugal_status status = frugal_message_read(input, &options, &message, &used, &error);
    if (status == FRUGAL_OK) {
        frugal_bytes body = { input.ptr + used, input.len - used };
        status            = frugal_skip(body, FRUGAL_WIRE_STRUCT, NULL, NULL, &error);
    }
    judge(row, status, &error);
    vectors_watch(NULL);
    vectors_free(input);
}

static void check_rows(const char *file, void (*check)(const json_t *row))
{
    size_t  index;
    json_t *row, *rows = vectors_rows(file);
    complaints = 0;
    json_array_foreach(rows, index, row)
    {
        if (strncmp(vectors_text(row, "protocol"), "binary", 6) == 0)
            check(row);
    }
    json_decref(rows);
    assert_int_equal(complaints, 0);
}

/* ---- facts --------------------------------------------------------------------------------- */

static void structs_are_refused_as_the_vectors_say(void **state)
{
    (void)state;
    check_rows("vectors/malformed/structs.jsonl", check_struct);
    assert_true(struct_count >= STRUCTS_MIN);
}

static void messages_are_refused_as_the_vectors_say(void **state)
{
    (void)state;
    check_rows("vectors/malformed/messages.jsonl", check_message);
    assert_true(message_count >= MESSAGES_MIN);
}

static void every_choice_was_needed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++)
        if (choices[i].uses == 0)
            fail_msg("no vector begins with %s", choices[i].id);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structs_are_refused_as_the_vectors_say),
        cmocka_unit_test(messages_are_refused_as_the_vectors_say),
        cmocka_unit_test(every_choice_was_needed),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    idl_tables_release();
    printf("peers.malformed: %zu structs (%zu also with tables by hand), %zu messages; %zu firm, "
           "%zu of the others differ (%s)\n",
           struct_count, by_hand_count, message_count, firm_count, differing_count,
           vectors_full() ? "full sets" : "selection");
    return failed;
}
