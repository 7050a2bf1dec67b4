/* idl/parse_parts.c - what definitions are made of: words, literals, annotations, types, values. */
#include <string.h>

#include "idl/parser.h"

/* ---- words and literals --------------------------------------------------------------------- */

static frugal_str keep(idl_parser *p, frugal_str text)
{
    frugal_str kept = frugal_arena_str(p->load->arena, text);
    if (kept.ptr == NULL)
        idl_no_memory(p->load);
    return kept;
}

idl_name idl_parse_word(idl_parser *p)
{
    idl_name name = { keep(p, p->token.text), p->token.place };
    idl_parser_advance(p);
    return name;
}

/* The character behind a backslash as Apache reads it; -1: it reads none. thriftgo leaves all but
 * the backslash and the quote of the literal as they are, with their backslash. */
static int escaped(char c)
{
    switch (c) {
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case '"':
    case '\'':
    case '\\': return c;
    default: return -1;
    }
}

static void report_escape(idl_parser *p, const char *at)
{
    frugal_str word  = { at, 2 };
    idl_place  place = idl_place_in(&p->token, at);
    if ((unsigned char)at[1] < 0x20 || (unsigned char)at[1] > 0x7e)
        word.len = 1;
    idl_error(p->load, FRUGAL_SYNTAX, p->file, place, word,
              "a backslash stands before n, r, t, a quote or another backslash");
}

/* The token is a LITERAL. */
static frugal_str unescape(idl_parser *p)
{
    const char *from = p->token.text.ptr + 1;
    const char *end  = p->token.text.ptr + p->token.text.len - 1;
    char       *text = frugal_arena_alloc(p->load->arena, (size_t)(end - from) + 1, 1);
    char       *to   = text;
    if (text == NULL) {
        idl_no_memory(p->load);
        return (frugal_str){ NULL, 0 };
    }
    for (; from < end; from++) {
        int c = *from == '\\' ? escaped(from[1]) : *from;
        if (*from == '\\' && c < 0)
            report_escape(p, from);
        else if (*from == '\\')
            *to++ = (char)c, from++;
        else
            *to++ = *from;
    }
    *to = '\0';
    return (frugal_str){ text, (size_t)(to - text) };
}

bool idl_parse_literal(idl_parser *p, const char *what, idl_name *literal)
{
    if (!idl_parser_at(p, IDL_TOKEN_LITERAL))
        return idl_parser_fail(p, what);
    *literal = (idl_name){ unescape(p), p->token.place };
    idl_parser_advance(p);
    return true;
}

/* ---- annotations ---------------------------------------------------------------------------- */

static bool parse_annotation(idl_parser *p, idl_annotation *annotation)
{
    idl_name value = { { "1", 1 }, { 0, 0 } };
    if (!idl_parser_at(p, IDL_TOKEN_WORD) && !idl_token_is_keyword(&p->token))
        return idl_parser_fail(p, "an annotation or `)`");
    annotation->key = idl_parse_word(p);
    if (idl_parser_accept(p, '=') && !idl_parse_literal(p, "the annotation's text", &value))
        return false;
    annotation->value = value.text;
    idl_parser_separator(p);
    return true;
}

bool idl_parse_annotations(idl_parser *p, idl_annotation **head)
{
    if (!idl_parser_accept(p, '('))
        return true;
    while (!idl_parser_accept(p, ')')) {
        idl_annotation *annotation = idl_alloc(p->load, sizeof *annotation);
        if (annotation == NULL || !parse_annotation(p, annotation))
            return false;
        *head = annotation;
        head  = &annotation->next;
    }
    return true;
}

/* ---- types ---------------------------------------------------------------------------------- */

static const struct {
    int         token;
    frugal_kind kind;
} base_types[] = {
    { IDL_TOKEN_BOOL_WORD, FRUGAL_KIND_BOOL },     { IDL_TOKEN_BYTE_WORD, FRUGAL_KIND_I8 },
    { IDL_TOKEN_I8_WORD, FRUGAL_KIND_I8 },         { IDL_TOKEN_I16_WORD, FRUGAL_KIND_I16 },
    { IDL_TOKEN_I32_WORD, FRUGAL_KIND_I32 },       { IDL_TOKEN_I64_WORD, FRUGAL_KIND_I64 },
    { IDL_TOKEN_DOUBLE_WORD, FRUGAL_KIND_DOUBLE }, { IDL_TOKEN_STRING_WORD, FRUGAL_KIND_STRING },
    { IDL_TOKEN_BINARY_WORD, FRUGAL_KIND_BINARY },
};

static frugal_kind base_kind(int token)
{
    for (size_t i = 0; i < sizeof base_types / sizeof base_types[0]; i++)
        if (base_types[i].token == token)
            return base_types[i].kind;
    return FRUGAL_KIND_NONE;
}

static bool at_container(const idl_parser *p)
{
    return idl_parser_at(p, IDL_TOKEN_LIST_WORD) || idl_parser_at(p, IDL_TOKEN_SET_WORD)
           || idl_parser_at(p, IDL_TOKEN_MAP_WORD);
}

bool idl_parser_at_type(const idl_parser *p)
{
    return idl_parser_at(p, IDL_TOKEN_WORD) || at_container(p) || base_kind(p->token.kind);
}

static bool is_word(const idl_parser *p, const char *word)
{
    size_t len = strlen(word);
    return p->token.text.len == len && memcmp(p->token.text.ptr, word, len) == 0;
}

static bool parse_named(idl_parser *p, idl_type *type)
{
    if (is_word(p, "slist")) {
        idl_warn(p->load, p->file, type->place, p->token.text,
                 "slist is a word of old files; it is read as string");
        type->kind = IDL_TYPE_BASE;
        type->base = FRUGAL_KIND_STRING;
        idl_parser_advance(p);
        return true;
    }
    type->kind    = IDL_TYPE_NAME;
    type->is_uuid = is_word(p, "uuid");
    if (type->is_uuid) {
        type->kind = IDL_TYPE_BASE;
        type->base = FRUGAL_KIND_BINARY;
    }
    type->name = idl_parse_word(p);
    return true;
}

/* What it says is for C++ alone, and not kept. */
static bool parse_cpp_type(idl_parser *p)
{
    idl_name ignored;
    return !idl_parser_accept(p, IDL_TOKEN_CPP_TYPE_WORD)
           || idl_parse_literal(p, "the C++ type as a literal", &ignored);
}

static bool parse_inner(idl_parser *p, idl_type *type)
{
    if (!idl_parser_expect(p, '<', "`<`"))
        return false;
    if (type->kind == IDL_TYPE_MAP) {
        type->key = idl_parse_type(p);
        if (type->key == NULL || !idl_parser_expect(p, ',', "`,` and the type of the map's values"))
            return false;
    }
    type->elem = idl_parse_type(p);
    return type->elem && idl_parser_expect(p, '>', "`>`");
}

static bool parse_container(idl_parser *p, idl_type *type)
{
    type->kind = idl_parser_at(p, IDL_TOKEN_MAP_WORD)   ? IDL_TYPE_MAP
                 : idl_parser_at(p, IDL_TOKEN_SET_WORD) ? IDL_TYPE_SET
                                                        : IDL_TYPE_LIST;
    if (!idl_parser_enter(p, "types"))
        return false;
    idl_parser_advance(p);
    bool whole = parse_cpp_type(p) && parse_inner(p, type) && parse_cpp_type(p);
    p->depth--;
    return whole;
}

static bool parse_type_of(idl_parser *p, idl_type *type)
{
    type->place = p->token.place;
    type->base  = base_kind(p->token.kind);
    if (type->base) {
        type->kind = IDL_TYPE_BASE;
        idl_parser_advance(p);
        return true;
    }
    return at_container(p) ? parse_container(p, type) : parse_named(p, type);
}

/* Behind a name that is no type, but a function without one, stands a parenthesis, too. */
static bool may_be_annotated(const idl_parser *p, const idl_type *type)
{
    return type->kind != IDL_TYPE_NAME || p->next.kind == IDL_TOKEN_WORD
           || idl_token_is_keyword(&p->next);
}

idl_type *idl_parse_type(idl_parser *p)
{
    if (!idl_parser_at_type(p)) {
        idl_parser_fail(p, "a type");
        return NULL;
    }
    idl_type *type = idl_alloc(p->load, sizeof *type);
    if (type == NULL || !parse_type_of(p, type))
        return NULL;
    if (may_be_annotated(p, type) && !idl_parse_annotations(p, &type->annotations))
        return NULL;
    return type;
}

/* ---- values --------------------------------------------------------------------------------- */

static bool parse_number(idl_parser *p, idl_value *value)
{
    value->kind    = idl_parser_at(p, IDL_TOKEN_INT) ? IDL_VALUE_INT : IDL_VALUE_DOUBLE;
    value->integer = p->token.integer;
    value->real    = p->token.real;
    if (p->token.fault)
        idl_parser_report_fault(p);
    value->text = idl_parse_word(p).text;
    return true;
}

static bool parse_text(idl_parser *p, idl_value *value)
{
    idl_name literal;
    if (!idl_parse_literal(p, "a literal", &literal))
        return false;
    value->kind = IDL_VALUE_TEXT;
    value->text = literal.text;
    return true;
}

static bool parse_name_value(idl_parser *p, idl_value *value)
{
    value->kind = IDL_VALUE_NAME;
    value->text = idl_parse_word(p).text;
    return true;
}

static idl_value *parse_element(idl_parser *p, bool map)
{
    idl_value *key = map ? idl_parse_value(p) : NULL;
    if (map && (key == NULL || !idl_parser_expect(p, ':', "`:` and the value of this key")))
        return NULL;
    idl_value *value = idl_parse_value(p);
    if (value) {
        value->key = key;
        idl_parser_separator(p);
    }
    return value;
}

static bool parse_elements(idl_parser *p, idl_value *value)
{
    idl_value **end   = &value->items;
    int         close = value->kind == IDL_VALUE_MAP ? '}' : ']';
    while (!idl_parser_accept(p, close)) {
        *end = parse_element(p, value->kind == IDL_VALUE_MAP);
        if (*end == NULL)
            return false;
        end = &(*end)->next;
        value->item_count++;
    }
    return true;
}

static bool parse_collection(idl_parser *p, idl_value *value)
{
    value->kind = idl_parser_at(p, '[') ? IDL_VALUE_LIST : IDL_VALUE_MAP;
    if (!idl_parser_enter(p, "values"))
        return false;
    idl_parser_advance(p);
    bool whole = parse_elements(p, value);
    p->depth--;
    return whole;
}

static bool parse_value_of(idl_parser *p, idl_value *value)
{
    value->place = p->token.place;
    switch (p->token.kind) {
    case IDL_TOKEN_INT:
    case IDL_TOKEN_DOUBLE: return parse_number(p, value);
    case IDL_TOKEN_LITERAL: return parse_text(p, value);
    case IDL_TOKEN_WORD:
    case IDL_TOKEN_TRUE_WORD:
    case IDL_TOKEN_FALSE_WORD: return parse_name_value(p, value);
    case '[':
    case '{': return parse_collection(p, value);
    default: return idl_parser_fail(p, "a value");
    }
}

idl_value *idl_parse_value(idl_parser *p)
{
    idl_value *value = idl_alloc(p->load, sizeof *value);
    return value && parse_value_of(p, value) ? value : NULL;
}
