/* idl/check.c - does a table that was written by hand agree with the IDL?
 *
 * Two graphs of structs are walked side by side: a queue of pairs that were met, each once, so that
 * cycles end and every difference is told where it is first reached. What the IDL wants is looked
 * up in its text, too: a schema that was loaded with `presence` has other tables, but means the
 * same. */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/status.h"
#include "idl/resolve.h"
#include "schema/schema.h"

/* A struct or an enum of the table with its counterpart, and how it was reached. */
typedef struct pair {
    struct pair       *next_here; /* in its bucket */
    struct pair       *next;      /* in the queue */
    const struct pair *from;      /* NULL: the root */
    const char        *field;     /* of `from` that led here */
    const char        *within;    /* "", "[]" or "{}" and so on: where in that field */
    const void        *mine, *theirs;
} pair;

/* Of a table of the schema. */
typedef struct origin {
    struct origin        *next;
    const void           *table;
    const idl_definition *definition;
} origin;

#define BUCKET_COUNT 1024u
#define TYPE_SIZE    48
#define WITHIN_MAX   16 /* containers that are shown in a path */

typedef struct checker {
    frugal_arena    *scratch;
    frugal_reporter *report;
    void            *report_context;
    frugal_error    *error;
    frugal_status    status; /* MISMATCH after the first difference; NOMEM ends it */
    pair            *queue, **queue_end;
    pair            *pairs[BUCKET_COUNT];
    origin          *origins[BUCKET_COUNT];

    /* where we are */
    const pair           *here;
    const idl_definition *definition;
    const frugal_field   *field; /* of the table, or of the schema's when the table has none */
    const idl_field      *place; /* the same in the text; NULL: the definition */
} checker;

static uint32_t bucket_of(const void *a, const void *b)
{
    uint64_t mixed = (uint64_t)(uintptr_t)a * 31 + (uint64_t)(uintptr_t)b;
    return (uint32_t)((mixed * UINT64_C(0x9e3779b97f4a7c15)) >> 40) % BUCKET_COUNT;
}

static void no_memory(checker *c)
{
    c->status = error_set(c->error, FRUGAL_NOMEM, "no memory to check the table");
}

/* ---- reports -------------------------------------------------------------------------------- */

/* "User.friends[].home": from the root to `field`, which may be NULL. */
static void build_path(const checker *c, const char *field, path_builder *path)
{
    path_init(path);
    if (field)
        path_prepend_name(path, field);
    const pair *at = c->here;
    for (; at->from; at = at->from) {
        char step[160];
        snprintf(step, sizeof step, "%s%s", at->field, at->within);
        path_prepend_name(path, step);
    }
    path_prepend_name(path, ((const frugal_struct *)at->theirs)->name);
}

static void tell(checker *c, const char *path, const char *sentence)
{
    char          message[256];
    idl_place     place  = c->place ? c->place->place : c->definition->place;
    frugal_str    word   = c->place ? c->place->name.text : c->definition->name.text;
    frugal_report report = { .status  = FRUGAL_MISMATCH,
                             .file    = c->definition->file->path.ptr,
                             .line    = place.line,
                             .column  = place.column,
                             .word    = word,
                             .message = message };
    snprintf(message, sizeof message, "%s: %s", path, sentence);
    if (c->report)
        c->report(&report, c->report_context);
    if (c->status == FRUGAL_OK && c->error) {
        error_set(c->error, FRUGAL_MISMATCH, "%s", sentence);
        c->error->line   = place.line;
        c->error->column = place.column;
    }
}

__attribute__((format(printf, 2, 3))) static void differ(checker *c, const char *format, ...)
{
    char         sentence[160];
    path_builder path;
    if (c->status == FRUGAL_NOMEM)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    build_path(c, c->field ? c->field->name : NULL, &path);
    tell(c, path.text + path.start, sentence);
    if (c->status == FRUGAL_OK)
        path_finish(&path, c->error);
    c->status = FRUGAL_MISMATCH;
}

/* ---- pairs ---------------------------------------------------------------------------------- */

/* Whether the two meet for the first time; then they stand in the queue. */
static pair *meet(checker *c, const void *mine, const void *theirs, const char *within)
{
    pair **bucket = &c->pairs[bucket_of(mine, theirs)];
    for (const pair *p = *bucket; p; p = p->next_here)
        if (p->mine == mine && p->theirs == theirs)
            return NULL;
    pair *met = frugal_arena_items(c->scratch, 1, sizeof *met);
    if (met == NULL) {
        no_memory(c);
        return NULL;
    }
    met->next_here = *bucket;
    met->from      = c->here;
    met->field     = c->field ? c->field->name : NULL;
    met->within    = within;
    met->mine      = mine;
    met->theirs    = theirs;
    *bucket        = met;
    return met;
}

static void meet_records(checker *c, const frugal_struct *mine, const frugal_struct *theirs,
                         const char *within)
{
    pair *met = meet(c, mine, theirs, within);
    if (met) {
        *c->queue_end = met;
        c->queue_end  = &met->next;
    }
}

static bool note_origin(checker *c, const void *table, const idl_definition *definition)
{
    origin *o = frugal_arena_items(c->scratch, 1, sizeof *o);
    if (o == NULL) {
        no_memory(c);
        return false;
    }
    origin **bucket = &c->origins[bucket_of(table, NULL)];
    *o              = (origin){ *bucket, table, definition };
    *bucket         = o;
    return true;
}

static bool note_origins(checker *c, const frugal_schema *schema)
{
    for (const idl_file *file = idl_schema_files(schema); file; file = file->next)
        for (const idl_definition *d = file->definitions; d; d = d->next)
            if (d->record && !note_origin(c, d->record, d))
                return false;
    return true;
}

static const idl_definition *origin_of(const checker *c, const void *table)
{
    const origin *o = c->origins[bucket_of(table, NULL)];
    while (o && o->table != table)
        o = o->next;
    assert(o);
    return o->definition;
}

/* ---- enums ---------------------------------------------------------------------------------- */

static void compare_enums(checker *c, const frugal_enum *mine, const frugal_enum *theirs)
{
    int32_t value;
    if (mine == NULL || theirs == NULL || meet(c, mine, theirs, "") == NULL)
        return;
    for (uint32_t i = 0; i < theirs->count; i++) {
        const struct frugal_enum_item *item = &theirs->items[i];
        if (!frugal_enum_value(mine, (frugal_str){ item->name, strlen(item->name) }, &value))
            differ(c, "enum %s has no %s, which is %d in the IDL", mine->name, item->name,
                   (int)item->value);
        else if (value != item->value)
            differ(c, "%s is %d in the IDL, and %d in enum %s", item->name, (int)item->value,
                   (int)value, mine->name);
    }
    for (uint32_t i = 0; i < mine->count; i++) {
        const struct frugal_enum_item *item = &mine->items[i];
        if (!frugal_enum_value(theirs, (frugal_str){ item->name, strlen(item->name) }, &value))
            differ(c, "the IDL's enum %s has no %s, which is %d in the table", theirs->name,
                   item->name, (int)item->value);
    }
}

/* ---- types ---------------------------------------------------------------------------------- */

/* The text of where something lies, one part longer. */
static const char *deeper(checker *c, const char *within, const char *part)
{
    size_t len = strlen(within), more = strlen(part);
    if (len > WITHIN_MAX * 2)
        return within;
    char *text = frugal_arena_alloc(c->scratch, len + more + 1, 1);
    if (text == NULL) {
        no_memory(c);
        return within;
    }
    memcpy(text, within, len);
    memcpy(text + len, part, more + 1);
    return text;
}

/* Whether all kinds agree. Calls nest as containers do. */
static bool compare_types(checker *c, const frugal_type *mine, const frugal_type *theirs,
                          const char *within)
{
    if (mine->kind != theirs->kind)
        return false;
    switch (mine->kind) {
    case FRUGAL_KIND_ENUM: compare_enums(c, mine->names, theirs->names); return true;
    case FRUGAL_KIND_STRUCT: meet_records(c, mine->record, theirs->record, within); return true;
    case FRUGAL_KIND_LIST:
    case FRUGAL_KIND_SET:
        return compare_types(c, mine->elem, theirs->elem, deeper(c, within, "[]"));
    case FRUGAL_KIND_MAP:
        return compare_types(c, mine->key, theirs->key, deeper(c, within, "{key}"))
               && compare_types(c, mine->elem, theirs->elem, deeper(c, within, "{}"));
    default: return true;
    }
}

/* ---- structs -------------------------------------------------------------------------------- */

static const char *need_text(frugal_need need)
{
    return need == FRUGAL_NEED_REQUIRED   ? "required"
           : need == FRUGAL_NEED_OPTIONAL ? "optional"
                                          : "default";
}

static void compare_field(checker *c, const frugal_field *mine, const frugal_field *theirs)
{
    char want[TYPE_SIZE], have[TYPE_SIZE];
    c->field = mine;
    if (strcmp(mine->name, theirs->name) != 0)
        differ(c, "field %d is called %s in the IDL, and %s in the table", mine->id, theirs->name,
               mine->name);
    if (mine->need != c->place->need)
        differ(c, "%s in the IDL, and %s in the table", need_text(c->place->need),
               need_text((frugal_need)mine->need));
    if (compare_types(c, &mine->type, &theirs->type, ""))
        return;
    schema_type_text(&theirs->type, want, sizeof want);
    schema_type_text(&mine->type, have, sizeof have);
    differ(c, "%s in the IDL, and %s in the table", want, have);
}

/* The schema's fields stand in the order of the text. */
static void compare_their_fields(checker *c, const frugal_struct *mine, const frugal_struct *theirs)
{
    const frugal_field *field = theirs->fields;
    for (c->place = c->definition->fields; c->place; c->place = c->place->next, field++) {
        assert(field->id == c->place->id);
        const frugal_field *other = frugal_field_by_id(mine, field->id);
        c->field                  = field;
        if (other)
            compare_field(c, other, field);
        else
            differ(c, "the table has no field %d", field->id);
    }
}

static void find_more_fields(checker *c, const frugal_struct *mine, const frugal_struct *theirs)
{
    for (uint32_t i = 0; i < mine->field_count; i++) {
        c->field = &mine->fields[i];
        if (c->field->need != FRUGAL_NEED_UNKNOWN && !frugal_field_by_id(theirs, c->field->id))
            differ(c, "the IDL has no field %d", c->field->id);
    }
    c->field = NULL;
}

static void compare_records(checker *c, const frugal_struct *mine, const frugal_struct *theirs)
{
    c->definition = origin_of(c, theirs);
    c->place      = NULL;
    c->field      = NULL;
    if (mine->is_union != theirs->is_union) {
        differ(c, "a %s in the IDL, and a %s in the table", theirs->is_union ? "union" : "struct",
               mine->is_union ? "union" : "struct");
        return;
    }
    compare_their_fields(c, mine, theirs);
    find_more_fields(c, mine, theirs);
}

static void compare_all(checker *c, const frugal_struct *mine, const frugal_struct *theirs)
{
    meet_records(c, mine, theirs, "");
    for (const pair *p = c->queue; p && c->status != FRUGAL_NOMEM; p = p->next) {
        c->here = p;
        compare_records(c, p->mine, p->theirs);
    }
}

frugal_status frugal_schema_check(const frugal_schema *schema, const char *name,
                                  const frugal_struct *mine, frugal_reporter *report,
                                  void *report_context, frugal_error *error)
{
    if (schema == NULL || name == NULL)
        return error_set(error, FRUGAL_INVALID, "no schema or no name");
    frugal_status status = frugal_struct_check(mine, error);
    if (status != FRUGAL_OK)
        return status;
    const frugal_struct *theirs = frugal_schema_struct(schema, name);
    if (theirs == NULL)
        return error_set(error, FRUGAL_NOTFOUND, "the IDL has no struct %.100s, or several", name);
    checker c   = { .report = report, .report_context = report_context, .error = error };
    c.queue_end = &c.queue;
    c.scratch   = frugal_arena_new(NULL);
    if (c.scratch == NULL)
        no_memory(&c);
    else if (note_origins(&c, schema))
        compare_all(&c, mine, theirs);
    frugal_arena_free(c.scratch);
    return c.status;
}
