/* idl/parser.c - headers and definitions, and the way on after a broken one.
 *
 * What is read is Apache's grammar, and thriftgo's where that takes more; docs/rooms/idl.md lists
 * the choices. There is one token of look-ahead, and no going back. */
#include "idl/parser.h"

#include <assert.h>
#include <string.h>

/* ---- tokens --------------------------------------------------------------------------------- */

static void count_nesting(idl_parser *p)
{
    switch (p->token.kind) {
    case '<': p->angles++; return;
    case '>': p->angles--; return;
    case '{': p->braces++; return;
    case '(':
    case '[': p->brackets++; return;
    case '}': p->braces--; break;
    case ')':
    case ']': p->brackets--; break;
    default: return;
    }
    p->angles = 0; /* types have nothing of the other kinds inside, but for annotations */
}

/* A load that was stopped is at its end, for every loop. */
void idl_parser_advance(idl_parser *p)
{
    count_nesting(p);
    if (p->token.kind != IDL_TOKEN_END)
        p->taken++;
    p->token = p->next;
    idl_lexer_next(&p->lexer, &p->next);
    if (p->load->stopped)
        p->token.kind = IDL_TOKEN_END;
}

void idl_parser_skip(idl_parser *p)
{
    if (p->token.swallows && p->token.fault)
        idl_parser_report_fault(p);
    idl_parser_advance(p);
}

bool idl_parser_accept(idl_parser *p, int kind)
{
    if (p->token.kind != kind)
        return false;
    idl_parser_advance(p);
    return true;
}

bool idl_parser_expect(idl_parser *p, int kind, const char *what)
{
    return idl_parser_accept(p, kind) || idl_parser_fail(p, what);
}

void idl_parser_separator(idl_parser *p)
{
    if (idl_parser_at(p, ',') || idl_parser_at(p, ';'))
        idl_parser_advance(p);
}

#define FOUND_MAX 40 /* bytes of a word inside a sentence */

/* The first line of a token, cut between characters. */
static int found_len(frugal_str text)
{
    size_t len = 0;
    while (len < text.len && len < FOUND_MAX && (unsigned char)text.ptr[len] >= 0x20)
        len++;
    while (len > 0 && len < text.len && ((unsigned char)text.ptr[len] & 0xC0) == 0x80)
        len--;
    return (int)len;
}

void idl_parser_report_fault(idl_parser *p)
{
    idl_error(p->load, FRUGAL_SYNTAX, p->file, p->token.place, p->token.text, "%s", p->token.fault);
    p->token.fault = NULL;
}

bool idl_parser_fail(idl_parser *p, const char *what)
{
    const idl_token *token = &p->token;
    if (idl_parser_at(p, IDL_TOKEN_BAD)) {
        if (token->fault)
            idl_parser_report_fault(p);
    } else if (!idl_parser_at(p, IDL_TOKEN_END)) {
        int len = found_len(token->text);
        idl_error(p->load, FRUGAL_SYNTAX, p->file, token->place, token->text,
                  "expected %s, found `%.*s%s`", what, len, token->text.ptr,
                  (size_t)len < token->text.len ? "\xe2\x80\xa6" : "");
    } else if (!p->end_explained) {
        idl_error(p->load, FRUGAL_SYNTAX, p->file, token->place, token->text,
                  "expected %s, found the end of the file", what);
        p->end_explained = true;
    }
    return false;
}

bool idl_parser_enter(idl_parser *p, const char *what)
{
    if (p->depth == IDL_DEPTH_MAX) {
        idl_error(p->load, FRUGAL_DEPTH, p->file, p->token.place, p->token.text,
                  "%s are nested more than %u deep", what, IDL_DEPTH_MAX);
        return false;
    }
    p->depth++;
    return true;
}

/* ---- where things begin --------------------------------------------------------------------- */

static bool is_text(const idl_token *token, const char *word)
{
    size_t len = strlen(word);
    return token->kind == IDL_TOKEN_WORD && token->text.len == len
           && memcmp(token->text.ptr, word, len) == 0;
}

static bool is_name(const idl_token *token)
{
    return token->kind == IDL_TOKEN_WORD || idl_token_is_keyword(token);
}

/* With the token behind it, because each of these words may be the name of a field. */
bool idl_parser_at_definition(const idl_parser *p)
{
    const idl_token *next = &p->next;
    switch (p->token.kind) {
    case IDL_TOKEN_ENUM_WORD:
    case IDL_TOKEN_STRUCT_WORD:
    case IDL_TOKEN_UNION_WORD:
    case IDL_TOKEN_EXCEPTION_WORD:
    case IDL_TOKEN_SERVICE_WORD:
        return is_name(next) || (next->kind == '{' && p->token.starts_line);
    case IDL_TOKEN_CONST_WORD:
    case IDL_TOKEN_TYPEDEF_WORD: return is_name(next);
    case IDL_TOKEN_NAMESPACE_WORD: return is_name(next) || next->kind == '*';
    case IDL_TOKEN_INCLUDE_WORD:
    case IDL_TOKEN_CPP_INCLUDE_WORD: return next->kind == IDL_TOKEN_LITERAL;
    default: return is_text(&p->token, "senum") && is_name(next);
    }
}

static bool at_header(const idl_parser *p)
{
    return idl_parser_at(p, IDL_TOKEN_NAMESPACE_WORD) || idl_parser_at(p, IDL_TOKEN_INCLUDE_WORD)
           || idl_parser_at(p, IDL_TOKEN_CPP_INCLUDE_WORD);
}

/* ---- going on ------------------------------------------------------------------------------- */

/* Behind the brace of a body that is skipped: its annotations, or the name of C's typedef struct.
 */
static bool at_tail(const idl_parser *p)
{
    return idl_parser_at(p, '(')
           || (idl_parser_at(p, IDL_TOKEN_WORD) && !p->token.starts_line
               && (p->next.starts_line || p->next.kind == IDL_TOKEN_END || p->next.kind == ';'));
}

/* Skips to the next definition, or over the brace or the parenthesis behind which one may begin.
 * Returns how many braces were passed that were not opened here. */
static uint32_t skip_to_definition(idl_parser *p, size_t start)
{
    const size_t here   = p->taken;
    uint32_t     strays = 0;
    bool         closed = false;
    while (!idl_parser_at(p, IDL_TOKEN_END)) {
        bool outside = p->braces <= 0 && p->brackets <= 0;
        bool brace   = idl_parser_at(p, '}');
        if (closed && outside && !at_tail(p) && !(brace && strays))
            break;
        if (p->taken > start && (p->token.starts_line || (outside && p->taken > here))
            && idl_parser_at_definition(p))
            break;
        strays += brace && p->braces <= 0;
        closed = closed || (brace && p->braces <= 1);
        idl_parser_skip(p);
        if (brace)
            p->brackets = 0;
        if (p->braces < 0)
            p->braces = 0;
    }
    p->end_explained |= idl_parser_at(p, IDL_TOKEN_END);
    p->braces = p->brackets = p->angles = 0;
    return strays;
}

/* The kind of definition that the token begins; false: none. */
static bool definition_kind(const idl_token *token, idl_definition_kind *kind)
{
    switch (token->kind) {
    case IDL_TOKEN_CONST_WORD: *kind = IDL_CONST; return true;
    case IDL_TOKEN_TYPEDEF_WORD: *kind = IDL_TYPEDEF; return true;
    case IDL_TOKEN_ENUM_WORD: *kind = IDL_ENUM; return true;
    case IDL_TOKEN_STRUCT_WORD: *kind = IDL_STRUCT; return true;
    case IDL_TOKEN_UNION_WORD: *kind = IDL_UNION; return true;
    case IDL_TOKEN_EXCEPTION_WORD: *kind = IDL_EXCEPTION; return true;
    case IDL_TOKEN_SERVICE_WORD: *kind = IDL_SERVICE; return true;
    default: *kind = IDL_TYPEDEF; return is_text(token, "senum");
    }
}

/* A definition, or a word where one would stand; else what was skipped goes on. */
static bool at_news(const idl_parser *p)
{
    idl_definition_kind kind;
    if (idl_parser_at(p, IDL_TOKEN_END) || idl_parser_at_definition(p))
        return true;
    return p->token.starts_line
           && (idl_parser_at(p, IDL_TOKEN_WORD) || idl_parser_at(p, '@') || at_header(p)
               || definition_kind(&p->token, &kind));
}

/* What is no definition may be the rest of a body that was given up too early. */
static void skip_stray(idl_parser *p)
{
    idl_token first    = p->token;
    bool      unclosed = p->unclosed > 0;
    uint32_t  strays   = 0;
    if (!unclosed)
        idl_parser_fail(p, "a definition");
    do
        strays += skip_to_definition(p, p->taken);
    while (!at_news(p));
    if (!unclosed)
        return;
    if (strays) {
        p->unclosed -= strays < p->unclosed ? strays : p->unclosed;
        return;
    }
    idl_token here = p->token;
    p->token       = first;
    idl_parser_fail(p, "a definition");
    p->token = here;
}

/* ---- fbthrift ------------------------------------------------------------------------------- */

/* Behind the name of an annotation: { or (, and all up to its partner. */
static void skip_braces(idl_parser *p)
{
    int32_t braces = p->braces, brackets = p->brackets;
    if (!idl_parser_at(p, '{') && !idl_parser_at(p, '('))
        return;
    do
        idl_parser_skip(p);
    while (!idl_parser_at(p, IDL_TOKEN_END) && (p->braces > braces || p->brackets > brackets));
}

void idl_parse_foreign(idl_parser *p)
{
    while (idl_parser_at(p, '@')) {
        idl_error(p->load, FRUGAL_SYNTAX, p->file, p->token.place, p->token.text,
                  "an annotation with @ is fbthrift's; here they are (key = \"value\") behind "
                  "the name");
        idl_parser_advance(p);
        if (is_name(&p->token))
            idl_parser_advance(p);
        skip_braces(p);
    }
}

/* package "..." */
static bool parse_package(idl_parser *p)
{
    if (!is_text(&p->token, "package") || p->next.kind != IDL_TOKEN_LITERAL)
        return false;
    idl_error(p->load, FRUGAL_SYNTAX, p->file, p->token.place, p->token.text,
              "package is fbthrift's; here a file has namespaces");
    idl_parser_advance(p);
    idl_parser_advance(p);
    idl_parser_separator(p);
    return true;
}

/* ---- headers -------------------------------------------------------------------------------- */

static frugal_str prefix_of(idl_load *load, frugal_str path)
{
    frugal_str prefix = frugal_arena_str(load->arena, idl_base_name(path));
    if (prefix.ptr == NULL)
        idl_no_memory(load);
    return prefix;
}

static bool parse_include(idl_parser *p)
{
    idl_include *include = idl_alloc(p->load, sizeof *include);
    idl_parser_advance(p);
    if (include == NULL
        || !idl_parse_literal(p, "the path of the file as a literal", &include->path))
        return false;
    include->prefix  = prefix_of(p->load, include->path.text);
    *p->includes_end = include;
    p->includes_end  = &include->next;
    return true;
}

static bool parse_cpp_include(idl_parser *p)
{
    idl_name ignored;
    idl_parser_advance(p);
    return idl_parse_literal(p, "the path of the file as a literal", &ignored);
}

/* A word of the same line, whatever it means elsewhere. */
static bool parse_namespace_name(idl_parser *p, const char *what, idl_name *name)
{
    if (idl_parser_at(p, IDL_TOKEN_WORD)
        || (idl_token_is_keyword(&p->token) && !p->token.starts_line)) {
        *name = idl_parse_word(p);
        return true;
    }
    return idl_parser_fail(p, what);
}

static bool parse_namespace(idl_parser *p)
{
    idl_namespace  *space   = idl_alloc(p->load, sizeof *space);
    idl_annotation *ignored = NULL;
    idl_parser_advance(p);
    if (space == NULL)
        return false;
    if (idl_parser_at(p, '*'))
        space->scope = idl_parse_word(p);
    else if (!parse_namespace_name(p, "a language or `*`", &space->scope))
        return false;
    if (!parse_namespace_name(p, "the namespace", &space->name)
        || !idl_parse_annotations(p, &ignored))
        return false;
    *p->namespaces_end = space;
    p->namespaces_end  = &space->next;
    return true;
}

/* The first words of old files, before there was `namespace`. */
static const struct {
    const char *word, *scope;
} old_namespaces[] = {
    { "cocoa_prefix", "cocoa" },      { "cpp_namespace", "cpp" }, { "csharp_namespace", "csharp" },
    { "delphi_namespace", "delphi" }, { "java_package", "java" }, { "perl_package", "perl" },
    { "php_namespace", "php" },       { "php_package", "php" },   { "py_module", "py" },
    { "ruby_namespace", "rb" },
};

static const char *old_scope(const idl_parser *p)
{
    for (size_t i = 0; i < sizeof old_namespaces / sizeof old_namespaces[0]; i++)
        if (is_text(&p->token, old_namespaces[i].word) && is_name(&p->next) && !p->next.starts_line)
            return old_namespaces[i].scope;
    return NULL;
}

static bool parse_old_namespace(idl_parser *p)
{
    const char    *scope = old_scope(p);
    idl_namespace *space = idl_alloc(p->load, sizeof *space);
    if (space == NULL)
        return false;
    idl_warn(p->load, p->file, p->token.place, p->token.text,
             "%.*s is a word of old files; it is read as namespace %s", (int)p->token.text.len,
             p->token.text.ptr, scope);
    space->scope = (idl_name){ { scope, strlen(scope) }, p->token.place };
    idl_parser_advance(p);
    space->name        = idl_parse_word(p);
    *p->namespaces_end = space;
    p->namespaces_end  = &space->next;
    return true;
}

static bool parse_header(idl_parser *p)
{
    if (p->any_definition)
        idl_error(p->load, FRUGAL_SYNTAX, p->file, p->token.place, p->token.text,
                  "%.*s stands before all definitions", (int)p->token.text.len, p->token.text.ptr);
    switch (p->token.kind) {
    case IDL_TOKEN_INCLUDE_WORD: return parse_include(p);
    case IDL_TOKEN_CPP_INCLUDE_WORD: return parse_cpp_include(p);
    case IDL_TOKEN_NAMESPACE_WORD: return parse_namespace(p);
    default: return parse_old_namespace(p);
    }
}

/* ---- definitions ---------------------------------------------------------------------------- */

static bool parse_const(idl_parser *p, idl_definition *definition)
{
    definition->type = idl_parse_type(p);
    if (definition->type == NULL
        || !idl_parse_new_name(p, "a name for the constant", &definition->name)
        || !idl_parser_expect(p, '=', "`=` and the value of the constant"))
        return false;
    definition->value = idl_parse_value(p);
    if (definition->value == NULL || !idl_parse_annotations(p, &definition->annotations))
        return false;
    idl_parser_separator(p);
    return true;
}

static bool parse_typedef(idl_parser *p, idl_definition *definition)
{
    definition->type = idl_parse_type(p);
    if (definition->type == NULL || !idl_parse_new_name(p, "a name for the type", &definition->name)
        || !idl_parse_annotations(p, &definition->annotations))
        return false;
    idl_parser_separator(p);
    return true;
}

static bool parse_enum(idl_parser *p, idl_definition *definition)
{
    return idl_parse_new_name(p, "a name for the enum", &definition->name)
           && idl_parser_expect(p, '{', "`{`") && idl_parse_items(p, &definition->items)
           && idl_parse_annotations(p, &definition->annotations);
}

/* Old files: a text that should be one of these. Nothing ever checked that it is. */
static bool parse_senum(idl_parser *p, idl_definition *definition)
{
    idl_name text;
    idl_warn(p->load, p->file, definition->place, (frugal_str){ "senum", 5 },
             "senum is a word of old files; it is read as a typedef of string");
    definition->type = idl_alloc(p->load, sizeof *definition->type);
    if (definition->type == NULL)
        return false;
    *definition->type =
        (idl_type){ .kind = IDL_TYPE_BASE, .place = definition->place, .base = FRUGAL_KIND_STRING };
    if (!idl_parse_new_name(p, "a name for the type", &definition->name)
        || !idl_parser_expect(p, '{', "`{`"))
        return false;
    while (!idl_parser_accept(p, '}')) {
        if (!idl_parse_literal(p, "a literal or `}`", &text))
            return false;
        idl_parser_separator(p);
    }
    return idl_parse_annotations(p, &definition->annotations);
}

static bool parse_record(idl_parser *p, idl_definition *definition)
{
    const char *what = definition->kind == IDL_STRUCT  ? "a name for the struct"
                       : definition->kind == IDL_UNION ? "a name for the union"
                                                       : "a name for the exception";
    if (!idl_parse_new_name(p, what, &definition->name))
        return false;
    idl_parser_accept(p, IDL_TOKEN_XSD_ALL_WORD);
    return idl_parser_expect(p, '{', "`{`") && idl_parse_fields(p, '}', &definition->fields)
           && idl_parse_annotations(p, &definition->annotations);
}

static bool parse_base(idl_parser *p, idl_definition *definition)
{
    if (!idl_parser_accept(p, IDL_TOKEN_EXTENDS_WORD))
        return true;
    if (!idl_parser_at(p, IDL_TOKEN_WORD))
        return idl_parser_fail(p, "the name of a service");
    definition->base_name = idl_parse_word(p);
    return true;
}

static bool parse_service(idl_parser *p, idl_definition *definition)
{
    return idl_parse_new_name(p, "a name for the service", &definition->name)
           && parse_base(p, definition) && idl_parser_expect(p, '{', "`{`")
           && idl_parse_functions(p, &definition->functions)
           && idl_parse_annotations(p, &definition->annotations);
}

static bool parse_by_kind(idl_parser *p, idl_definition *definition, bool senum)
{
    switch (definition->kind) {
    case IDL_CONST: return parse_const(p, definition);
    case IDL_TYPEDEF: return senum ? parse_senum(p, definition) : parse_typedef(p, definition);
    case IDL_ENUM: return parse_enum(p, definition);
    case IDL_SERVICE: return parse_service(p, definition);
    default: return parse_record(p, definition);
    }
}

/* What is broken is left out, but for a name. */
static bool parse_definition(idl_parser *p, idl_definition_kind kind)
{
    bool            senum      = idl_parser_at(p, IDL_TOKEN_WORD);
    idl_definition *definition = idl_alloc(p->load, sizeof *definition);
    if (definition == NULL)
        return false;
    definition->kind  = kind;
    definition->file  = p->file;
    definition->place = p->token.place;
    definition->doc   = idl_doc_text(p->load, p->token.doc);
    idl_parser_advance(p);
    p->any_definition = true;
    if (!parse_by_kind(p, definition, senum))
        return false;
    p->file->definition_count++;
    *p->definitions_end = definition;
    p->definitions_end  = &definition->next;
    return true;
}

/* ---- the file ------------------------------------------------------------------------------- */

static void parse_one(idl_parser *p)
{
    idl_definition_kind kind;
    size_t              start = p->taken;
    p->braces = p->brackets = p->angles = 0;
    p->depth                            = 0;
    idl_parse_foreign(p);
    if (parse_package(p))
        return;
    if (at_header(p) || old_scope(p)) {
        if (!parse_header(p))
            skip_to_definition(p, start);
    } else if (definition_kind(&p->token, &kind)) {
        if (!parse_definition(p, kind))
            skip_to_definition(p, start);
    } else if (!idl_parser_at(p, IDL_TOKEN_END)) {
        skip_stray(p);
    }
}

void idl_parse(idl_load *load, idl_file *file, frugal_str text)
{
    idl_parser p = { .load            = load,
                     .file            = file,
                     .definitions_end = &file->definitions,
                     .includes_end    = &file->includes,
                     .namespaces_end  = &file->namespaces };
    idl_lexer_init(&p.lexer, text);
    idl_lexer_next(&p.lexer, &p.token);
    idl_lexer_next(&p.lexer, &p.next);
    frugal_str doc = p.lexer.first_doc;
    if (doc.ptr == NULL && (at_header(&p) || idl_parser_at(&p, IDL_TOKEN_END)))
        doc = p.token.doc;
    file->doc = idl_doc_text(load, doc);
    while (!idl_parser_at(&p, IDL_TOKEN_END))
        parse_one(&p);
    assert(load->stopped || (p.lexer.at == p.lexer.end));
}
