/* schema/tag.c - tables from text: the tags of Frugal for Go.
 *
 *   tag   id [, requiredness [, type {, option}]]      "1,required,list<i64>"
 *
 * The order of work is what is hard: a struct may hold itself in a list, by value, so the strides
 * of containers are known only when the struct is laid out; and it is laid out by the outer sizes
 * of its fields, for which a container is a pointer and a count. So types are read first, then
 * fields get their places, then containers their strides. */
#include <string.h>

#include <frugal/schema.h>

#include "core/arena.h"
#include "core/status.h"
#include "schema/schema.h"

typedef struct reader {
    const frugal_tag_names *names;
    frugal_arena           *arena;
    frugal_struct          *record;
    frugal_error           *error;
    const char             *name; /* of the struct, as given */
    const frugal_tag       *tag;
    frugal_field           *field;
    const char             *at, *end; /* of the part that is read, without blanks around it */
    const char             *type;     /* where the type begins */
} reader;

/* ---- failures ------------------------------------------------------------------------------- */

/* The path is the field, the column where in its tag. */
static frugal_status place_error(const reader *r, const char *at, frugal_status status)
{
    path_builder path;
    if (r->error == NULL)
        return status;
    path_init(&path);
    path_prepend_name(&path, r->tag->name);
    path_prepend_name(&path, r->name);
    path_finish(&path, r->error);
    r->error->column = at ? (uint32_t)(at - r->tag->tag) + 1 : 0;
    r->error->line   = at != NULL;
    return status;
}

#define FAIL(r, at, status, ...) \
    place_error((r), (at), error_set((r)->error, (status), __VA_ARGS__))

static frugal_status no_memory(const reader *r)
{
    return FAIL(r, NULL, FRUGAL_NOMEM, "no memory for the table");
}

#define TYPE_FAIL(r, at, status, format, ...)                                                  \
    FAIL(r, at, status, "cannot parse type descriptor: Syntax error at position %zu: " format, \
         (size_t)((at) - (r)->type), __VA_ARGS__)

static frugal_status type_fail(const reader *r, const char *at, const char *what)
{
    return TYPE_FAIL(r, at, FRUGAL_SYNTAX, "%s", at == r->end ? "unexpected EOF" : what);
}

/* ---- parts ---------------------------------------------------------------------------------- */

#define PART_SHOWN 40 /* bytes of a part inside a sentence */

static int shown(const reader *r)
{
    size_t len = (size_t)(r->end - r->at);
    return (int)(len < PART_SHOWN ? len : PART_SHOWN);
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static void skip_blanks(reader *r)
{
    while (r->at < r->end && is_blank(*r->at))
        r->at++;
}

/* Sets the part that begins at `start`; returns the comma behind it, or NULL. Commas inside of < >
 * belong to the type. */
static const char *cut_part(reader *r, const char *start)
{
    size_t      depth = 0;
    const char *p     = start;
    for (; *p && (*p != ',' || depth); p++) {
        depth += *p == '<';
        depth -= *p == '>' && depth;
    }
    r->at  = start;
    r->end = p;
    skip_blanks(r);
    while (r->end > r->at && is_blank(r->end[-1]))
        r->end--;
    return *p ? p : NULL;
}

static bool is_part(const reader *r, const char *word)
{
    size_t len = strlen(word);
    return (size_t)(r->end - r->at) == len && memcmp(r->at, word, len) == 0;
}

static frugal_status read_id(reader *r)
{
    uint32_t    id = 0;
    const char *p  = r->at;
    for (; p < r->end && *p >= '0' && *p <= '9'; p++)
        id = id > UINT16_MAX ? id : id * 10 + (uint32_t)(*p - '0');
    if (p < r->end || p == r->at)
        return FAIL(r, r->at, FRUGAL_SYNTAX,
                    "invalid field number for field %s.%s: strconv.ParseUint: parsing \"%.*s\": "
                    "invalid syntax",
                    r->name, r->tag->name, shown(r), r->at);
    if (id > UINT16_MAX)
        return FAIL(r, r->at, FRUGAL_SYNTAX,
                    "invalid field number for field %s.%s: strconv.ParseUint: parsing \"%.*s\": "
                    "value out of range",
                    r->name, r->tag->name, shown(r), r->at);
    r->field->id = (int16_t)(uint16_t)id;
    return FRUGAL_OK;
}

static frugal_status read_need(reader *r)
{
    if (is_part(r, "default"))
        r->field->need = FRUGAL_NEED_DEFAULT;
    else if (is_part(r, "required"))
        r->field->need = FRUGAL_NEED_REQUIRED;
    else if (is_part(r, "optional"))
        r->field->need = FRUGAL_NEED_OPTIONAL;
    else
        return FAIL(r, r->at, FRUGAL_SYNTAX, "invalid requiredness for field %s.%s", r->name,
                    r->tag->name);
    return FRUGAL_OK;
}

static frugal_status read_option(reader *r)
{
    char    text[64];
    uint8_t kind = r->field->type.kind;
    if (!is_part(r, "nocopy"))
        return FAIL(r, r->at, FRUGAL_SYNTAX, "invalid option: %.*s", shown(r), r->at);
    schema_type_text(&r->field->type, text, sizeof text);
    if (kind != FRUGAL_KIND_STRING && kind != FRUGAL_KIND_BINARY)
        return FAIL(r, r->at, FRUGAL_DESCRIPTOR,
                    "\"nocopy\" is only applicable to \"string\" and \"binary\" types, not %s",
                    text);
    if (r->field->no_copy)
        return FAIL(r, r->at, FRUGAL_DESCRIPTOR, "duplicated option \"nocopy\" for field %s.%s",
                    r->name, r->tag->name);
    r->field->no_copy = true;
    return FRUGAL_OK;
}

/* ---- types ---------------------------------------------------------------------------------- */

static bool is_word(char c, bool first)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'
           || (!first && c >= '0' && c <= '9');
}

/* The identifier at the cursor, which is passed; empty: there is none. */
static frugal_str read_word(reader *r)
{
    frugal_str word = { r->at, 0 };
    while (r->at < r->end && is_word(*r->at, word.len == 0)) {
        r->at++;
        word.len++;
    }
    return word;
}

static bool same(frugal_str word, const char *text)
{
    return word.len == strlen(text) && memcmp(word.ptr, text, word.len) == 0;
}

/* Blanks, and the character when it is there. */
static bool accept(reader *r, char c)
{
    skip_blanks(r);
    if (r->at == r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

static const struct {
    const char *word;
    uint8_t     kind;
} base_words[] = {
    { "bool", FRUGAL_KIND_BOOL },     { "i8", FRUGAL_KIND_I8 },
    { "byte", FRUGAL_KIND_I8 },       { "i16", FRUGAL_KIND_I16 },
    { "i32", FRUGAL_KIND_I32 },       { "i64", FRUGAL_KIND_I64 },
    { "double", FRUGAL_KIND_DOUBLE }, { "string", FRUGAL_KIND_STRING },
    { "binary", FRUGAL_KIND_BINARY },
};

/* A struct in a place; `may_lie`: not behind a pointer if it is small. Its own size is set at the
 * end. */
static void set_record(const reader *r, frugal_type *type, const frugal_struct *record,
                       bool may_lie)
{
    type->kind     = FRUGAL_KIND_STRUCT;
    type->record   = record;
    type->indirect = !may_lie || record == r->record || record->size > SCHEMA_INLINE_SIZE_MAX;
    type->size     = type->indirect ? (uint32_t)sizeof(void *) : record->size;
}

static frugal_status set_named(reader *r, frugal_type *type, frugal_str name, bool may_lie)
{
    const frugal_struct *record = same(name, r->name) ? r->record : NULL;
    const frugal_enum   *names  = NULL;
    if (!record && r->names && r->names->record)
        record = r->names->record(r->names->context, name);
    if (!record && r->names && r->names->names)
        names = r->names->names(r->names->context, name);
    if (record)
        set_record(r, type, record, may_lie);
    else if (names)
        *type = (frugal_type){ .kind  = FRUGAL_KIND_ENUM,
                               .size  = schema_kind_size(FRUGAL_KIND_ENUM),
                               .names = names };
    else
        return TYPE_FAIL(r, name.ptr, FRUGAL_NOTFOUND, "no struct or enum is called %.*s",
                         (int)(name.len < PART_SHOWN ? name.len : PART_SHOWN), name.ptr);
    return FRUGAL_OK;
}

/* Only the last part of "pkg.Name" counts. */
static frugal_status read_named(reader *r, frugal_type *type, frugal_str name, bool may_lie)
{
    if (accept(r, '.')) {
        skip_blanks(r);
        name = read_word(r);
        if (name.len == 0)
            return type_fail(r, r->at, "struct name expected");
    }
    return set_named(r, type, name, may_lie);
}

typedef enum place { IN_STRUCT, IN_LIST, IN_ENTRY } place;

static frugal_status read_type(reader *r, frugal_type *type, place where, uint32_t depth);

static frugal_status read_part_of(reader *r, const frugal_type **part, place where, uint32_t depth)
{
    frugal_type *node = frugal_arena_items(r->arena, 1, sizeof *node);
    if (node == NULL)
        return no_memory(r);
    *part = node;
    return read_type(r, node, where, depth + 1);
}

/* After a name, Frugal would have taken a dot, too. */
static const char *expected_close(const frugal_type *last)
{
    bool named = last->kind == FRUGAL_KIND_STRUCT || last->kind == FRUGAL_KIND_ENUM;
    return named ? "'.' or '>' expected" : "'>' expected";
}

static frugal_status read_container(reader *r, frugal_type *type, uint32_t depth)
{
    bool          map    = type->kind == FRUGAL_KIND_MAP;
    frugal_status status = FRUGAL_OK;
    type->size           = schema_kind_size(type->kind);
    if (!accept(r, '<'))
        return type_fail(r, r->at, "'<' expected");
    if (map) {
        status = read_part_of(r, &type->key, IN_ENTRY, depth);
        if (status == FRUGAL_OK && !accept(r, ':') && !accept(r, ','))
            status = type_fail(r, r->at, "':' expected");
    }
    if (status == FRUGAL_OK)
        status = read_part_of(r, &type->elem, map ? IN_ENTRY : IN_LIST, depth);
    if (status == FRUGAL_OK && !accept(r, '>'))
        status = type_fail(r, r->at, expected_close(type->elem));
    return status;
}

/* `depth`: containers around this type. An element of a list lies there itself, whatever it is: the
 * list has it behind a pointer. */
static frugal_status read_type(reader *r, frugal_type *type, place where, uint32_t depth)
{
    skip_blanks(r);
    frugal_str word = read_word(r);
    if (word.len == 0)
        return type_fail(r, r->at, "struct name expected");
    for (size_t i = 0; i < sizeof base_words / sizeof base_words[0]; i++)
        if (same(word, base_words[i].word)) {
            type->kind = base_words[i].kind;
            type->size = schema_kind_size(type->kind);
            return FRUGAL_OK;
        }
    type->kind = same(word, "list")  ? FRUGAL_KIND_LIST
                 : same(word, "set") ? FRUGAL_KIND_SET
                 : same(word, "map") ? FRUGAL_KIND_MAP
                                     : FRUGAL_KIND_NONE;
    if (type->kind && depth == SCHEMA_NESTING_MAX)
        return TYPE_FAIL(r, word.ptr, FRUGAL_DESCRIPTOR, "more than %u containers in each other",
                         SCHEMA_NESTING_MAX);
    if (type->kind)
        return read_container(r, type, depth);
    skip_blanks(r);
    if (r->at < r->end && *r->at == '<')
        return type_fail(r, word.ptr, "\"set\" or \"list\" expected");
    frugal_status status =
        read_named(r, type, word, where != IN_STRUCT || r->field->need != FRUGAL_NEED_OPTIONAL);
    if (where == IN_LIST && type->kind == FRUGAL_KIND_STRUCT)
        type->indirect = false;
    return status;
}

static frugal_status read_field_type(reader *r)
{
    r->type              = r->at;
    frugal_status status = read_type(r, &r->field->type, IN_STRUCT, 0);
    skip_blanks(r);
    if (status == FRUGAL_OK && r->at < r->end)
        status = type_fail(r, r->at, "end of the type expected");
    return status;
}

/* ---- fields --------------------------------------------------------------------------------- */

static frugal_status read_tag(reader *r)
{
    if (r->tag->name == NULL || r->tag->name[0] == '\0')
        return error_set(r->error, FRUGAL_INVALID, "a field without a name");
    const char *text  = r->tag->tag ? r->tag->tag : "";
    const char *comma = cut_part(r, text);
    if (comma == NULL && r->at == r->end)
        return FAIL(r, r->tag->tag ? r->at : NULL, FRUGAL_SYNTAX, "invalid tag for field %s.%s",
                    r->name, r->tag->name);
    frugal_status status = read_id(r);
    if (status == FRUGAL_OK && comma) {
        comma  = cut_part(r, comma + 1);
        status = read_need(r);
    }
    if (status != FRUGAL_OK)
        return status;
    if (comma)
        comma = cut_part(r, comma + 1);
    else
        r->at = r->end;
    status = read_field_type(r);
    while (status == FRUGAL_OK && comma) {
        comma  = cut_part(r, comma + 1);
        status = read_option(r);
    }
    return status;
}

/* A bit for each id. */
static frugal_status note_id(reader *r, uint8_t *ids)
{
    uint16_t id  = (uint16_t)r->field->id;
    uint8_t  bit = (uint8_t)(1u << (id & 7));
    if (ids[id >> 3] & bit)
        return FAIL(r, r->tag->tag, FRUGAL_DESCRIPTOR, "duplicated field ID %u for field %s.%s",
                    (unsigned)id, r->name, r->tag->name);
    ids[id >> 3] |= bit;
    return FRUGAL_OK;
}

static frugal_status read_tags(reader *r, frugal_field *fields, const frugal_tag *tags,
                               size_t count)
{
    uint8_t ids[(UINT16_MAX + 1) / 8] = { 0 };
    for (size_t i = 0; i < count; i++) {
        r->tag               = &tags[i];
        r->field             = &fields[i];
        frugal_status status = read_tag(r);
        if (status == FRUGAL_OK)
            status = note_id(r, ids);
        if (status != FRUGAL_OK)
            return status;
        fields[i].name =
            frugal_arena_str(r->arena, (frugal_str){ tags[i].name, strlen(tags[i].name) }).ptr;
        if (fields[i].name == NULL)
            return no_memory(r);
    }
    return FRUGAL_OK;
}

/* What waited for the size of the struct. Calls nest as containers do. */
static bool finish_type(frugal_type *type)
{
    if (type->kind == FRUGAL_KIND_STRUCT && !type->indirect)
        type->size = type->record->size;
    if (type->elem == NULL)
        return true;
    /* They were made here. */
    if (!finish_type((frugal_type *)type->elem)
        || (type->key && !finish_type((frugal_type *)type->key)))
        return false;
    type->stride = schema_stride(type->key, type->elem);
    return type->stride != 0;
}

static frugal_status finish(reader *r, frugal_field *fields, size_t count)
{
    bool fits = schema_layout_fields(r->record, fields, (uint32_t)count);
    for (size_t i = 0; i < count && fits; i++)
        fits = finish_type(&fields[i].type);
    if (!fits)
        return error_set(r->error, FRUGAL_DESCRIPTOR, "%s has more than %u bytes in C", r->name,
                         SCHEMA_SIZE_MAX);
    return schema_check(r->record, r->arena->allocator, r->error);
}

static frugal_status make(reader *r, const frugal_tag *tags, size_t count)
{
    frugal_field *fields = frugal_arena_items(r->arena, count, sizeof *fields);
    frugal_slot  *slot   = frugal_arena_items(r->arena, 1, sizeof *slot);
    frugal_str    name   = frugal_arena_str(r->arena, (frugal_str){ r->name, strlen(r->name) });
    r->record            = frugal_arena_items(r->arena, 1, sizeof *r->record);
    if (!fields || !slot || !name.ptr || !r->record)
        return error_set(r->error, FRUGAL_NOMEM, "no memory for the table");
    r->record->abi       = FRUGAL_TABLE_ABI;
    r->record->name      = name.ptr;
    r->record->slot      = slot;
    frugal_status status = read_tags(r, fields, tags, count);
    return status == FRUGAL_OK ? finish(r, fields, count) : status;
}

frugal_status frugal_struct_from_tags(const char *name, const frugal_tag *tags, size_t count,
                                      const frugal_tag_names *names, frugal_arena *arena,
                                      const frugal_struct **type, frugal_error *error)
{
    if (!name || !name[0] || (count && !tags) || !arena || !type)
        return error_set(error, FRUGAL_INVALID, "no name, tags, arena or place for the table");
    if (count > SCHEMA_FIELDS_MAX)
        return error_set(error, FRUGAL_INVALID, "%zu fields are more than there are ids", count);
    reader            r      = { .names = names, .arena = arena, .error = error, .name = name };
    frugal_arena_mark mark   = frugal_arena_get_mark(arena);
    frugal_status     status = make(&r, tags, count);
    if (status == FRUGAL_OK)
        *type = r.record;
    else
        frugal_arena_rewind(arena, mark);
    return status;
}
