/* peers/cases_test.c - inputs made after public bug reports about other Thrift libraries.
 *
 * A case brings its own schema (idl_tables.h). Where it leaves the outcome to the library, ours
 * stands in a table here. Cases of framings and of protocols that are not there yet are counted and
 * printed. */
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
enum { CASES_MIN = 59, PREFIXES_MIN = 59 };

/* ---- our statuses, our choices ------------------------------------------------------------- */

/* The classes of the cases, and what each is here. A length or count that points behind the end is
 * FRUGAL_SIZE, however little is lacking; the cases call that truncated when it is little. */
static const struct {
    const char   *name;
    frugal_status status;
} error_classes[] = {
    { "size_limit", FRUGAL_SIZE },
    { "negative_size", FRUGAL_NEGATIVE },
    { "truncated", FRUGAL_TRUNCATED },
    { "truncated", FRUGAL_SIZE },
    { "bad_type", FRUGAL_MALFORMED },
    { "depth_limit", FRUGAL_DEPTH },
    { "missing_required", FRUGAL_MISSING },
    { "bad_version", FRUGAL_VERSION },
    { "bad_message_type", FRUGAL_MESSAGE_TYPE },
};

typedef enum outcome {
    AS_EXPECTED, /* what the case gives first */
    ALTERNATIVE, /* its alt_json */
    REFUSED      /* where it expects a value and also accepts an error */
} outcome;

/* Every case whose level is not "must". */
static struct choice {
    const char   *id;
    outcome       outcome;
    frugal_status status; /* when REFUSED */
    const char   *reason;
    int           uses;
} choices[] = {
    { "bt-05", AS_EXPECTED, FRUGAL_OK, "wire type 16 does not exist", 0 },
    { "bt-11", REFUSED, FRUGAL_MISMATCH, "elements of another type than described", 0 },
    { "bt-12", REFUSED, FRUGAL_MISMATCH, "elements of another type than described", 0 },
    { "bt-13", AS_EXPECTED, FRUGAL_OK, "a field of another type is skipped", 0 },
    { "bt-15", AS_EXPECTED, FRUGAL_OK, "an empty map may have types 0", 0 },
    { "bo-07", AS_EXPECTED, FRUGAL_OK, "all but 0 is true", 0 },
    { "df-06", AS_EXPECTED, FRUGAL_OK, "a union has one arm", 0 },
    { "du-02", AS_EXPECTED, FRUGAL_OK, "the last one wins, whole", 0 },
    { "du-05", ALTERNATIVE, FRUGAL_OK, "set elements are kept as they came", 0 },
    { "du-06", AS_EXPECTED, FRUGAL_OK, "the last one wins", 0 },
    { "du-07", AS_EXPECTED, FRUGAL_OK, "map entries are kept as they came", 0 },
    { "un-02", AS_EXPECTED, FRUGAL_OK, "an unknown arm is an unknown field", 0 },
    { "un-04", AS_EXPECTED, FRUGAL_OK, "an unknown arm is an unknown field", 0 },
    { "un-05", AS_EXPECTED, FRUGAL_OK, "no arm is which = 0", 0 },
    { "st-01", AS_EXPECTED, FRUGAL_OK, "bytes are kept unless check_utf8 is set", 0 },
    { "st-04", AS_EXPECTED, FRUGAL_OK, "bytes are kept unless check_utf8 is set", 0 },
    { "st-07", AS_EXPECTED, FRUGAL_OK, "bytes are kept unless check_utf8 is set", 0 },
    { "tl-01", AS_EXPECTED, FRUGAL_OK, "bytes behind the struct are the caller's", 0 },
    { "mh-08", AS_EXPECTED, FRUGAL_OK, "message types are 1 to 4", 0 },
};

static size_t complaints;
static size_t struct_count, message_count, prefix_count;

static void complain(const json_t *row, const char *what, const char *detail)
{
    complaints++;
    print_error("%s: %s: %s\n", vectors_text(row, "id"), what, detail);
}

static const struct choice *choice_for(const json_t *row)
{
    static const struct choice as_expected = { "", AS_EXPECTED, FRUGAL_OK, "", 0 };
    if (strcmp(vectors_text(row, "level"), "must") == 0)
        return &as_expected;
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        if (strcmp(choices[i].id, vectors_text(row, "id")) != 0)
            continue;
        choices[i].uses++;
        return &choices[i];
    }
    complain(row, "not in the table of choices", vectors_text(row, "note"));
    return &as_expected;
}

/* "size_limit|bad_type" */
static bool fits(const char *classes, frugal_status status)
{
    for (const char *at = classes; *at != '\0';) {
        size_t len = strcspn(at, "|");
        for (size_t i = 0; i < sizeof error_classes / sizeof error_classes[0]; i++)
            if (strlen(error_classes[i].name) == len && strncmp(error_classes[i].name, at, len) == 0
                && error_classes[i].status == status)
                return true;
        at += len + (at[len] == '|');
    }
    return false;
}

/* Whether the answer is the right one; true when there is a value to look at. */
static bool answered(const json_t *row, const struct choice *choice, frugal_status status,
                     const frugal_error *error)
{
    bool        expects_value = strcmp(vectors_text(row, "expect"), "ok") == 0;
    const char *classes       = vectors_text(row, "error_class");
    char        text[300];
    snprintf(text, sizeof text, "%s (%s)", frugal_status_name(status),
             status == FRUGAL_OK ? "" : error->message);
    if (choice->outcome == REFUSED) {
        if (status != choice->status)
            complain(row, choice->reason, text);
    } else if (expects_value) {
        if (status != FRUGAL_OK)
            complain(row, "refused", text);
    } else if (!fits(classes, status))
        complain(row, classes, text);
    return status == FRUGAL_OK;
}

static void shows(const json_t *row, const char *what, const json_t *expected, json_t *got)
{
    json_value_difference difference;
    if (!json_value_same(expected, got, &difference)) {
        char text[700];
        snprintf(text, sizeof text, "%s: expected %s, got %s", difference.path, difference.expected,
                 difference.got);
        complain(row, what, text);
    }
    json_decref(got);
}

/* ---- structs ------------------------------------------------------------------------------- */

/* Decodes; the record lives in `arena`, which had nothing in it. */
static frugal_status decode(const json_t *row, const frugal_struct *type, frugal_bytes input,
                            frugal_arena *arena, void *record, size_t *used, frugal_error *error)
{
    frugal_status status =
        frugal_decode((frugal_ref){ type, record }, input, arena, NULL, used, error);
    if (!vectors_memory_is_modest(arena, input.len))
        complain(row, "memory", "took more than 64 KiB + 64 x input");
    return status;
}

static void check_defaults(const json_t *row, frugal_view view)
{
    const char *path;
    json_t     *expected;
    json_object_foreach(json_object_get(row, "defaults"), path, expected)
    {
        frugal_value value;
        frugal_error error;
        if (frugal_get(view, path, &value, &error) != FRUGAL_OK)
            complain(row, path, error.message);
        else
            shows(row, path, expected, json_value_of(value.type, value.ptr));
    }
}

static void check_encoding(const json_t *row, frugal_view view, frugal_bytes input)
{
    frugal_arena *arena  = frugal_arena_new(NULL);
    void         *record = malloc(view.type->size);
    frugal_buf    out;
    frugal_error  error;
    size_t        used;
    frugal_buf_init(&out, NULL, 0, NULL);
    if (frugal_encode(view, NULL, &out, &error) != FRUGAL_OK)
        complain(row, "encode failed", error.message);
    else if (decode(row, view.type, frugal_buf_bytes(&out), arena, record, &used, &error)
             != FRUGAL_OK)
        complain(row, "encoded, but decode failed", error.message);
    else if (!frugal_equal(view, (frugal_view){ view.type, record }))
        complain(row, "encoded and decoded", "not equal");
    else if (json_is_true(json_object_get(row, "roundtrip_unknown"))
             && (out.size != input.len || memcmp(out.data, input.ptr, input.len) != 0
                 || idl_tables_kept(view.type, view.ptr).len == 0))
        complain(row, "unknown fields", "are not those that came");
    frugal_buf_release(&out);
    free(record);
    frugal_arena_free(arena);
}

static void check_prefixes(const json_t *row, const frugal_struct *type, void *record,
                           frugal_bytes input)
{
    for (size_t size = 0; size < input.len; size++) {
        frugal_bytes  prefix = vectors_copy(input.ptr, size);
        frugal_arena *arena  = frugal_arena_new(NULL);
        frugal_error  error;
        frugal_status status = decode(row, type, prefix, arena, record, NULL, &error);
        prefix_count++;
        if (!fits("truncated", status))
            complain(row, "a prefix", frugal_status_name(status));
        frugal_arena_free(arena);
        vectors_free(prefix);
    }
}

static void check_value(const json_t *row, const struct choice *choice, frugal_view view,
                        frugal_bytes input, size_t used)
{
    json_t *consumed = json_object_get(row, "consumed");
    if (used != (consumed != NULL ? (size_t)json_integer_value(consumed) : input.len))
        complain(row, "used", "not the bytes of the struct");
    const char *key = choice->outcome == ALTERNATIVE ? "alt_json" : "expect_json";
    shows(row, "another value", json_object_get(row, key),
          json_value_of_record(view.type, view.ptr));
    check_defaults(row, view);
    check_encoding(row, view, input);
}

static void check_struct(const json_t *row)
{
    frugal_arena        *arena  = frugal_arena_new(NULL);
    bool                 keep   = json_is_true(json_object_get(row, "roundtrip_unknown"));
    frugal_schema       *schema = idl_tables_text(vectors_text(row, "idl"), keep);
    const frugal_struct *type   = frugal_schema_struct(schema, vectors_text(row, "type"));
    if (type == NULL) {
        complain(row, "schema", vectors_text(row, "idl"));
    } else {
        const struct choice *choice = choice_for(row);
        frugal_bytes         input  = vectors_hex(row, "wire_hex");
        void                *record = malloc(type->size);
        size_t               used   = 0;
        frugal_error         error;
        frugal_status        status = decode(row, type, input, arena, record, &used, &error);
        if (answered(row, choice, status, &error))
            check_value(row, choice, (frugal_view){ type, record }, input, used);
        if (strcmp(vectors_text(row, "mode"), "all_prefixes") == 0)
            check_prefixes(row, type, record, input);
        free(record);
        vectors_free(input);
    }
    frugal_arena_free(arena);
    frugal_schema_free(schema);
    struct_count++;
}

/* ---- messages ------------------------------------------------------------------------------ */

static void check_message(const json_t *row)
{
    frugal_bytes   input = vectors_hex(row, "wire_hex");
    frugal_message message;
    frugal_error   error;
    size_t         used = 0, body = 0;
    frugal_status  status = frugal_message_read(input, NULL, &message, &used, &error);
    if (status == FRUGAL_OK)
        status = frugal_skip((frugal_bytes){ input.ptr + used, input.len - used },
                             FRUGAL_WIRE_STRUCT, NULL, &body, &error);
    if (answered(row, choice_for(row), status, &error)) {
        shows(row, "another envelope", json_object_get(row, "expect_json"),
              json_pack("{s:s%,s:i,s:i}", "name", message.name.ptr, message.name.len, "mtype",
                        (int)message.type, "seqid", (int)message.sequence_id));
        if (used + body != input.len)
            complain(row, "used", "not all bytes");
    }
    vectors_free(input);
    message_count++;
}

/* ---- facts --------------------------------------------------------------------------------- */

static void count_as_not_yet(json_t *not_yet, const char *what)
{
    json_int_t before = json_integer_value(json_object_get(not_yet, what));
    json_object_set_new(not_yet, what, json_integer(before + 1));
}

static void cases_end_as_they_should(void **state)
{
    size_t      index;
    json_t     *row, *count, *rows = vectors_rows("cases/codec.jsonl"), *not_yet = json_object();
    const char *what;
    (void)state;
    json_array_foreach(rows, index, row)
    {
        vectors_watch(vectors_text(row, "id"));
        if (strcmp(vectors_text(row, "protocol"), "binary") != 0)
            count_as_not_yet(not_yet, vectors_text(row, "protocol"));
        else if (strcmp(vectors_text(row, "layer"), "struct") == 0)
            check_struct(row);
        else if (strcmp(vectors_text(row, "layer"), "message") == 0)
            check_message(row);
        else
            count_as_not_yet(not_yet, vectors_text(row, "layer"));
        vectors_watch(NULL);
    }
    printf("peers.cases: %zu structs, %zu messages, %zu prefixes (%s)", struct_count, message_count,
           prefix_count, vectors_full() ? "full sets" : "selection");
    json_object_foreach(not_yet, what, count)
        printf("; not yet: %d %s", (int)json_integer_value(count), what);
    printf("\n");
    json_decref(not_yet);
    json_decref(rows);
    assert_int_equal(complaints, 0);
    assert_true(struct_count + message_count >= CASES_MIN && prefix_count >= PREFIXES_MIN);
}

static void every_choice_was_needed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++)
        if (choices[i].uses == 0)
            fail_msg("no case is %s", choices[i].id);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_end_as_they_should),
        cmocka_unit_test(every_choice_was_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
