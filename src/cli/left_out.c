/* cli/left_out.c - what of a JSON value has no place in its struct, and which name was meant.
 *
 * Reading forgives unknown members, repeated ones and second arms of a union. Who wrote the JSON by
 * hand wants to know of them all, with their places; so when a strict reading fails and a forgiving
 * one does not, this walk, beside the table, finds them. The same walk finds the word that an error
 * is about, and suggests a name like it. The value was checked, so walking it cannot fail; it is as
 * deep as json_check allows. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/convert.h"
#include "core/status.h"

#define TOLD_MAX 20 /* lines of a run; then one that says that there are more */

typedef struct search {
    convert      *c;
    frugal_error *error; /* of a word whose like is wanted; NULL: what is left out is told */
    char          path[sizeof((frugal_error *)0)->path];
} search;

static void search_value(search *s, const frugal_type *type, const json_value *value);

/* ---- names ---------------------------------------------------------------------------------- */

/* What stands between the quotes, for comparing with names; empty when it cannot be one. */
static void copy_word(const json_value *string, char *word, size_t size)
{
    size_t len = string->text.len;
    word[0]    = 0;
    if (json_kind_of(string) != JSON_STRING || len - 2 >= size
        || memchr(string->text.ptr, '\\', len))
        return;
    memcpy(word, string->text.ptr + 1, len - 2);
    word[len - 2] = 0;
}

static const frugal_field *find_field(const frugal_struct *type, const json_value *key)
{
    for (uint32_t i = 0; i < type->field_count; i++) {
        const frugal_field *field = &type->fields[i];
        if (field->need != FRUGAL_NEED_UNKNOWN && json_string_is(key, field->name))
            return field;
    }
    return NULL;
}

static bool keeps_unknown(const frugal_struct *type)
{
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (type->fields[i].need == FRUGAL_NEED_UNKNOWN)
            return true;
    }
    return false;
}

static void guess_field(const frugal_struct *type, cli_guess *guess)
{
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (type->fields[i].need != FRUGAL_NEED_UNKNOWN)
            cli_guess_feed(guess, type->fields[i].name);
    }
}

void convert_add_guess(frugal_error *error, const cli_guess *guess)
{
    size_t len = strlen(error->message);
    if (guess->best && *guess->word)
        snprintf(error->message + len, sizeof error->message - len, "; did you mean %s?",
                 guess->best);
}

void convert_add_limit(frugal_error *error)
{
    size_t len = strlen(error->message);
    if (error->status == FRUGAL_BUDGET)
        snprintf(error->message + len, sizeof error->message - len, "; --memory-max allows more");
}

/* ---- telling -------------------------------------------------------------------------------- */

static void tell(search *s, const json_value *key, const char *format, const char *name)
{
    frugal_error error = { .line = key->place.line, .column = key->place.column };
    if (s->c->told > TOLD_MAX)
        return;
    if (s->c->told++ == TOLD_MAX) {
        cli_say("%s: more members like these are left out", s->c->input);
        return;
    }
    snprintf(error.path, sizeof error.path, "%s", s->path);
    snprintf(error.message, sizeof error.message, format, name);
    cli_say_text(s->c->input, &error);
}

static bool is_asked_for(const search *s, const json_value *word)
{
    return s->error && s->error->offset == word->place.offset;
}

static void take_unknown(search *s, const frugal_struct *type, const json_value *key)
{
    char      word[65];
    cli_guess guess;
    copy_word(key, word, sizeof word);
    cli_guess_start(&guess, word);
    guess_field(type, &guess);
    if (is_asked_for(s, key)) {
        convert_add_guess(s->error, &guess);
    } else if (s->error == NULL) {
        char text[100];
        snprintf(text, sizeof text, "no field %.*s%s; left out",
                 (int)(key->text.len < 64 ? key->text.len : 64), key->text.ptr,
                 key->text.len < 64 ? "" : "...");
        size_t len = strlen(text);
        if (guess.best && *word)
            snprintf(text + len, sizeof text - len, "; did you mean %s?", guess.best);
        tell(s, key, "%s", text);
    }
}

/* ---- the walk ------------------------------------------------------------------------------- */

/* One step deeper; the length to go back to. */
__attribute__((format(printf, 2, 3))) static size_t step_in(search *s, const char *format, ...)
{
    size_t  len = strlen(s->path);
    va_list list;
    va_start(list, format);
    vsnprintf(s->path + len, sizeof s->path - len, format, list);
    va_end(list);
    return len;
}

static void search_struct(search *s, const frugal_struct *type, const json_value *value)
{
    const frugal_field *arm  = NULL;
    bool               *seen = calloc(type->field_count + 1, sizeof(bool));
    for (json_walk walk = json_enter(value); seen && walk.is_object && json_next(&walk);) {
        const frugal_field *field = find_field(type, &walk.key);
        bool                none  = json_kind_of(&walk.value) == JSON_NULL;
        if (field == NULL) {
            if (!keeps_unknown(type) || !json_string_is(&walk.key, "$unknown"))
                take_unknown(s, type, &walk.key);
            continue;
        }
        bool *was = &seen[field - type->fields];
        if (*was && !none && s->error == NULL)
            tell(s, &walk.key, "%s was there before; the last one counts", field->name);
        else if (type->is_union && arm && !none && s->error == NULL)
            tell(s, &walk.key, "a union has one arm; the last one counts, %s is left out",
                 arm->name);
        if (!none) {
            *was = true;
            arm  = field;
        }
        size_t len = step_in(s, "%s%s", s->path[0] ? "." : "", field->name);
        search_value(s, &field->type, &walk.value);
        s->path[len] = 0;
    }
    free(seen);
}

static void search_enum(search *s, const frugal_enum *names, const json_value *value)
{
    char      word[65];
    cli_guess guess;
    if (names == NULL || !is_asked_for(s, value))
        return;
    copy_word(value, word, sizeof word);
    cli_guess_start(&guess, word);
    for (uint32_t i = 0; i < names->count; i++)
        cli_guess_feed(&guess, names->items[i].name);
    convert_add_guess(s->error, &guess);
}

static void search_list(search *s, const frugal_type *type, const json_value *value)
{
    for (json_walk walk = json_enter(value); json_next(&walk);) {
        size_t len = step_in(s, "[%zu]", walk.index);
        search_value(s, type->elem, &walk.value);
        s->path[len] = 0;
    }
}

static void search_pair(search *s, const frugal_type *type, const json_value *pair, size_t index)
{
    size_t len = step_in(s, "{%zu}", index);
    for (json_walk walk = json_enter(pair); json_next(&walk);)
        search_value(s, walk.index == 0 ? type->key : type->elem, &walk.value);
    s->path[len] = 0;
}

static void search_map(search *s, const frugal_type *type, const json_value *value)
{
    for (json_walk walk = json_enter(value); json_next(&walk);) {
        if (!walk.is_object) {
            search_pair(s, type, &walk.value, walk.index);
            continue;
        }
        search_value(s, type->key, &walk.key);
        size_t len =
            step_in(s, "{%.*s}", (int)(walk.key.text.len - 2 < 40 ? walk.key.text.len - 2 : 40),
                    walk.key.text.ptr + 1);
        search_value(s, type->elem, &walk.value);
        s->path[len] = 0;
    }
}

static void search_value(search *s, const frugal_type *type, const json_value *value)
{
    switch (type->kind) {
    case FRUGAL_KIND_STRUCT: search_struct(s, type->record, value); break;
    case FRUGAL_KIND_LIST:
    case FRUGAL_KIND_SET: search_list(s, type, value); break;
    case FRUGAL_KIND_MAP: search_map(s, type, value); break;
    case FRUGAL_KIND_ENUM: search_enum(s, type->names, value); break;
    default: break;
    }
}

/* ---- doors ---------------------------------------------------------------------------------- */

void convert_tell_left_out(convert *c, const frugal_struct *type, const json_value *value)
{
    search s = { .c = c };
    search_struct(&s, type, value);
}

void convert_suggest(convert *c, const frugal_struct *type, const json_value *value,
                     frugal_error *error)
{
    search s = { .c = c, .error = error };
    search_struct(&s, type, value);
}
