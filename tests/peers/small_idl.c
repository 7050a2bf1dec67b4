/* peers/small_idl.c - see the header. One pass; a name that is used before it is defined gets an
 * empty table, which its definition fills. Errors are sticky: after the first one nothing is read
 * any more, and the caller looks once. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peers/small_idl.h"

enum { NAMES_MAX = 32, FIELDS_MAX = 32, ITEMS_MAX = 32, WORD_SIZE = 64 };

/* A struct, union or enum of the text. */
typedef struct definition {
    char           name[WORD_SIZE];
    frugal_struct *record;
    frugal_enum   *names;
    bool           defined;
} definition;

typedef struct parser {
    const char *at;
    char word[WORD_SIZE]; /* the token at hand: a name, a number, a "text" or one character */
    bool keep, failed;
    frugal_arena *arena;
    definition    definitions[NAMES_MAX];
    int           count;
} parser;

/* ---- tokens -------------------------------------------------------------------------------- */

static void fail(parser *p, const char *what)
{
    if (!p->failed)
        fprintf(stderr, "small_idl: %s at \"%s\" before \"%.40s\"\n", what, p->word, p->at);
    p->failed  = true;
    p->word[0] = '\0';
}

static void *make(parser *p, size_t size)
{
    void *memory = frugal_arena_items(p->arena, 1, size);
    if (memory == NULL)
        abort();
    return memory;
}

static const char *keep_word(parser *p)
{
    char *copy = make(p, WORD_SIZE);
    memcpy(copy, p->word, WORD_SIZE);
    return copy;
}

static void next(parser *p)
{
    size_t len = 1;
    while (isspace((unsigned char)*p->at))
        p->at++;
    if (isalnum((unsigned char)*p->at) || *p->at == '_' || *p->at == '-')
        while (isalnum((unsigned char)p->at[len]) || p->at[len] == '_' || p->at[len] == '.')
            len++;
    else if (*p->at == '"')
        len = strcspn(p->at + 1, "\"") + 2;
    else if (*p->at == '\0')
        len = 0;
    if (p->failed || len >= WORD_SIZE) {
        fail(p, "too long");
        return;
    }
    memcpy(p->word, p->at, len);
    p->word[len] = '\0';
    p->at += len;
}

static bool is(const parser *p, const char *word)
{
    return strcmp(p->word, word) == 0;
}

static bool take(parser *p, const char *word)
{
    bool taken = is(p, word);
    if (taken)
        next(p);
    return taken;
}

static void need(parser *p, const char *word)
{
    if (!take(p, word))
        fail(p, word);
}

static long number(parser *p)
{
    char *end;
    long  value = strtol(p->word, &end, 0);
    if (*end != '\0' || end == p->word)
        fail(p, "number");
    next(p);
    return value;
}

/* ---- types --------------------------------------------------------------------------------- */

static definition *find(parser *p, const char *name)
{
    for (int i = 0; i < p->count; i++)
        if (strcmp(p->definitions[i].name, name) == 0)
            return &p->definitions[i];
    if (p->count == NAMES_MAX) {
        fail(p, "too many names");
        return &p->definitions[0];
    }
    definition *made = &p->definitions[p->count++];
    snprintf(made->name, sizeof made->name, "%s", name);
    made->record  = make(p, sizeof *made->record);
    *made->record = (frugal_struct){
        .abi  = FRUGAL_TABLE_ABI,
        .name = made->name,
        .slot = make(p, sizeof(frugal_slot)),
    };
    return made;
}

static uint32_t align_up(uint32_t offset, uint32_t align)
{
    return (offset + align - 1) / align * align;
}

/* Everything above eight bytes is two words, and a struct is a pointer. */
static uint32_t align_of(const frugal_type *type)
{
    return type->size > 8 ? 8 : type->size;
}

static frugal_type parse_type(parser *p);

static const frugal_type *parse_inner(parser *p)
{
    frugal_type *type = make(p, sizeof *type);
    *type             = parse_type(p);
    return type;
}

static frugal_type parse_container(parser *p, frugal_kind kind)
{
    frugal_type type = { .kind = (uint8_t)kind, .size = sizeof(frugal_bytes) };
    need(p, "<");
    if (kind == FRUGAL_KIND_MAP) {
        type.key = parse_inner(p);
        need(p, ",");
    }
    type.elem = parse_inner(p);
    need(p, ">");
    type.stride = type.elem->size;
    if (kind == FRUGAL_KIND_MAP && !p->failed) {
        uint32_t key = align_of(type.key), value = align_of(type.elem);
        type.stride =
            align_up(align_up(type.key->size, value) + type.elem->size, key > value ? key : value);
    }
    return type;
}

static frugal_type parse_type(parser *p)
{
    static const struct {
        const char *word;
        frugal_kind kind;
        uint32_t    size;
    } words[] = {
        { "bool", FRUGAL_KIND_BOOL, 1 },      { "byte", FRUGAL_KIND_I8, 1 },
        { "i8", FRUGAL_KIND_I8, 1 },          { "i16", FRUGAL_KIND_I16, 2 },
        { "i32", FRUGAL_KIND_I32, 4 },        { "i64", FRUGAL_KIND_I64, 8 },
        { "double", FRUGAL_KIND_DOUBLE, 8 },  { "string", FRUGAL_KIND_STRING, 16 },
        { "binary", FRUGAL_KIND_BINARY, 16 },
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (take(p, words[i].word))
            return (frugal_type){ .kind = (uint8_t)words[i].kind, .size = words[i].size };
    if (take(p, "list"))
        return parse_container(p, FRUGAL_KIND_LIST);
    if (take(p, "set"))
        return parse_container(p, FRUGAL_KIND_SET);
    if (take(p, "map"))
        return parse_container(p, FRUGAL_KIND_MAP);
    if (!isalpha((unsigned char)p->word[0])) {
        fail(p, "type");
        return (frugal_type){ .size = 8 };
    }
    definition *found = find(p, p->word);
    next(p);
    if (found->names != NULL)
        return (frugal_type){ .kind = FRUGAL_KIND_ENUM, .size = 4, .names = found->names };
    return (frugal_type){
        .kind     = FRUGAL_KIND_STRUCT,
        .size     = sizeof(void *),
        .indirect = true,
        .record   = found->record,
    };
}

/* ---- constants ----------------------------------------------------------------------------- */

/* "Mode.ON" */
static int32_t enum_constant(parser *p, const frugal_enum *names)
{
    const char *dot = strchr(p->word, '.');
    for (uint32_t i = 0; dot != NULL && i < names->count; i++)
        if (strcmp(names->items[i].name, dot + 1) == 0) {
            next(p);
            return names->items[i].value;
        }
    return (int32_t)number(p);
}

static void parse_constant(parser *p, const frugal_type *type, void *out);

static void parse_list_constant(parser *p, const frugal_type *type, void *out)
{
    struct {
        void  *ptr;
        size_t len;
    } list = { make(p, (size_t)ITEMS_MAX * type->stride), 0 };
    need(p, "[");
    while (!p->failed && !take(p, "]")) {
        if (list.len == ITEMS_MAX)
            fail(p, "too many items");
        else
            parse_constant(p, type->elem, (uint8_t *)list.ptr + list.len++ * type->stride);
        take(p, ",");
    }
    memcpy(out, &list, sizeof list);
}

static void parse_constant(parser *p, const frugal_type *type, void *out)
{
    if (type->kind == FRUGAL_KIND_LIST || type->kind == FRUGAL_KIND_SET) {
        parse_list_constant(p, type, out);
    } else if (type->kind == FRUGAL_KIND_STRING && p->word[0] == '"') {
        frugal_str text = { keep_word(p) + 1, strlen(p->word) - 2 };
        memcpy(out, &text, sizeof text);
        next(p);
    } else if (type->kind == FRUGAL_KIND_ENUM) {
        int32_t value = enum_constant(p, type->names);
        memcpy(out, &value, sizeof value);
    } else if (type->kind == FRUGAL_KIND_BOOL) {
        bool named   = is(p, "true") || is(p, "false");
        *(bool *)out = named ? is(p, "true") : number(p) != 0;
        if (named)
            next(p);
    } else if (type->kind == FRUGAL_KIND_I32) {
        *(int32_t *)out = (int32_t)number(p);
    } else
        fail(p, "a constant of this type");
}

/* ---- definitions --------------------------------------------------------------------------- */

/* Puts the field behind `*size` bytes of the record. */
static void place(const frugal_struct *record, frugal_field *field, uint32_t *size)
{
    bool boxed = !record->is_union && field->need == FRUGAL_NEED_OPTIONAL && field->type.size <= 8
                 && !field->type.indirect;
    field->offset = record->is_union ? 8 : align_up(*size, align_of(&field->type));
    field->has    = boxed ? field->offset + field->type.size : 0;
    uint32_t end  = field->offset + field->type.size + (boxed ? 1 : 0);
    *size         = end > *size ? end : *size;
}

static void parse_field(parser *p, const frugal_struct *record, frugal_field *field)
{
    field->id = (int16_t)number(p);
    need(p, ":");
    field->need = FRUGAL_NEED_OPTIONAL; /* presence */
    if (take(p, "required"))
        field->need = FRUGAL_NEED_REQUIRED;
    else
        take(p, "optional");
    field->type = parse_type(p);
    field->name = keep_word(p);
    next(p);
    if (take(p, "=")) {
        void *initial = make(p, field->type.size);
        parse_constant(p, &field->type, initial);
        if (field->need == FRUGAL_NEED_OPTIONAL && !record->is_union)
            field->initial = initial;
    }
    if (!take(p, ","))
        take(p, ";");
}

static void parse_record(parser *p, bool is_union)
{
    frugal_field *fields = make(p, (FIELDS_MAX + 1) * sizeof *fields);
    definition   *self   = find(p, p->word);
    uint32_t      size = is_union ? 8 : 0, count = 0;
    self->defined          = true;
    self->record->is_union = is_union;
    next(p);
    need(p, "{");
    while (!p->failed && !take(p, "}")) {
        if (count == FIELDS_MAX) {
            fail(p, "too many fields");
            return;
        }
        parse_field(p, self->record, &fields[count]);
        place(self->record, &fields[count++], &size);
    }
    if (p->keep && !is_union) {
        fields[count] = (frugal_field){
            .name = "unknown",
            .need = FRUGAL_NEED_UNKNOWN,
            .type = { .kind = FRUGAL_KIND_BINARY, .size = sizeof(frugal_bytes) },
        };
        place(self->record, &fields[count++], &size);
    }
    self->record->fields      = fields;
    self->record->field_count = count;
    self->record->size        = align_up(size > 0 ? size : 1, 8);
    self->record->align       = 8;
}

static void parse_enum(parser *p)
{
    struct frugal_enum_item *items = make(p, ITEMS_MAX * sizeof *items);
    definition              *self  = find(p, p->word);
    uint32_t                 count = 0;
    self->defined                  = true;
    self->names                    = make(p, sizeof *self->names);
    next(p);
    need(p, "{");
    while (!p->failed && !take(p, "}") && count < ITEMS_MAX) {
        items[count].name = keep_word(p);
        next(p);
        need(p, "=");
        items[count++].value = (int32_t)number(p);
        take(p, ",");
    }
    *self->names = (frugal_enum){ self->name, count, items };
}

static void parse_definition(parser *p)
{
    if (take(p, "struct"))
        parse_record(p, false);
    else if (take(p, "union"))
        parse_record(p, true);
    else if (take(p, "enum"))
        parse_enum(p);
    else
        fail(p, "struct, union or enum");
}

const frugal_struct *small_idl_struct(frugal_arena *arena, const char *text, const char *type,
                                      bool keep)
{
    parser *p = frugal_arena_items(arena, 1, sizeof *p);
    if (p == NULL)
        abort();
    *p = (parser){ .at = text, .arena = arena, .keep = keep };
    next(p);
    while (!p->failed && p->word[0] != '\0')
        parse_definition(p);
    definition *found = find(p, type);
    for (int i = 0; i < p->count; i++)
        if (!p->definitions[i].defined)
            fail(p, p->definitions[i].name);
    return p->failed ? NULL : found->record;
}

frugal_bytes small_idl_kept(const frugal_struct *type, const void *record)
{
    frugal_bytes kept;
    memcpy(&kept, (const uint8_t *)record + type->fields[type->field_count - 1].offset,
           sizeof kept);
    return kept;
}
