/* schema/find.c - looking things up in a table, and saying what a type is. */
#include <stdio.h>
#include <string.h>

#include "schema/schema.h"

static bool is_name(const char *name, frugal_str wanted)
{
    return strlen(name) == wanted.len
           && (wanted.len == 0 || memcmp(name, wanted.ptr, wanted.len) == 0);
}

const frugal_field *frugal_field_by_id(const frugal_struct *type, int id)
{
    for (uint32_t i = 0; type && i < type->field_count; i++) {
        const frugal_field *field = &type->fields[i];
        if (field->id == id && field->need != FRUGAL_NEED_UNKNOWN)
            return field;
    }
    return NULL;
}

const frugal_field *frugal_field_by_name(const frugal_struct *type, frugal_str name)
{
    for (uint32_t i = 0; type && i < type->field_count; i++) {
        const frugal_field *field = &type->fields[i];
        if (field->need != FRUGAL_NEED_UNKNOWN && is_name(field->name, name))
            return field;
    }
    return NULL;
}

const frugal_field *schema_keeper(const frugal_struct *type)
{
    for (uint32_t i = 0; i < type->field_count; i++)
        if (type->fields[i].need == FRUGAL_NEED_UNKNOWN)
            return &type->fields[i];
    return NULL;
}

/* Of several names for one value the first counts. */
const char *frugal_enum_name(const frugal_enum *names, int32_t value)
{
    for (uint32_t i = 0; names && i < names->count; i++)
        if (names->items[i].value == value)
            return names->items[i].name;
    return NULL;
}

bool frugal_enum_value(const frugal_enum *names, frugal_str name, int32_t *value)
{
    for (uint32_t i = 0; names && i < names->count; i++)
        if (is_name(names->items[i].name, name)) {
            *value = names->items[i].value;
            return true;
        }
    return false;
}

schema_presence schema_presence_of(const frugal_field *field)
{
    if (field->need == FRUGAL_NEED_DEFAULT || field->need == FRUGAL_NEED_REQUIRED)
        return SCHEMA_ALWAYS;
    switch (field->type.kind) {
    case FRUGAL_KIND_STRING:
    case FRUGAL_KIND_BINARY:
    case FRUGAL_KIND_LIST:
    case FRUGAL_KIND_SET:
    case FRUGAL_KIND_MAP: return SCHEMA_POINTER;
    case FRUGAL_KIND_STRUCT: return field->type.indirect ? SCHEMA_POINTER : SCHEMA_ALWAYS;
    default: return field->has ? SCHEMA_HAS_BYTE : SCHEMA_ALWAYS;
    }
}

/* ---- a type as text ------------------------------------------------------------------------- */

typedef struct writer {
    char  *text;
    size_t size, used; /* used < size, for the NUL */
    bool   full;
} writer;

static void put(writer *to, const char *word)
{
    size_t left = to->size - to->used - 1;
    size_t len  = strlen(word);
    to->full    = to->full || len > left;
    if (len > left)
        len = left;
    memcpy(to->text + to->used, word, len);
    to->used += len;
}

static const char *leaf_word(const frugal_type *type)
{
    static const char *const words[] = {
        [FRUGAL_KIND_NONE] = "?",        [FRUGAL_KIND_BOOL] = "bool",
        [FRUGAL_KIND_I8] = "i8",         [FRUGAL_KIND_I16] = "i16",
        [FRUGAL_KIND_I32] = "i32",       [FRUGAL_KIND_I64] = "i64",
        [FRUGAL_KIND_DOUBLE] = "double", [FRUGAL_KIND_STRING] = "string",
        [FRUGAL_KIND_BINARY] = "binary", [FRUGAL_KIND_ENUM] = "enum",
        [FRUGAL_KIND_STRUCT] = "struct",
    };
    /* Of a table with another abi nothing may be read. */
    if (type->kind == FRUGAL_KIND_STRUCT && type->record && type->record->abi == FRUGAL_TABLE_ABI
        && type->record->name)
        return type->record->name;
    if (type->kind == FRUGAL_KIND_ENUM && type->names && type->names->name)
        return type->names->name;
    return type->kind <= FRUGAL_KIND_STRUCT ? words[type->kind] : "?";
}

/* A type may contain itself or be a lattice with more paths than memory has bytes: `depth` bounds
 * the calls below each other, and all calls together end when the text is full, since each writes.
 */
static void put_type(writer *to, const frugal_type *type, uint32_t depth)
{
    if (to->full)
        return;
    if (type == NULL || depth == 0) {
        put(to, "?");
        return;
    }
    switch (type->kind) {
    case FRUGAL_KIND_LIST: put(to, "list<"); break;
    case FRUGAL_KIND_SET: put(to, "set<"); break;
    case FRUGAL_KIND_MAP:
        put(to, "map<");
        put_type(to, type->key, depth - 1);
        put(to, ", ");
        break;
    default: put(to, leaf_word(type)); return;
    }
    put_type(to, type->elem, depth - 1);
    put(to, ">");
}

void schema_type_text(const frugal_type *type, char *text, size_t size)
{
    if (size == 0)
        return;
    writer to = { .text = text, .size = size };
    put_type(&to, type, SCHEMA_NESTING_MAX + 1);
    text[to.used] = '\0';
}
