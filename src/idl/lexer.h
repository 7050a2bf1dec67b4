/* idl/lexer.h - the text of a .thrift file as tokens.
 *
 * The lexer allocates nothing and reports nothing: a token that is wrong carries the sentence about
 * it, and the parser decides whether that is news. Every byte of the text is looked at a bounded
 * number of times, whatever the text is. */
#ifndef IDL_LEXER_H
#define IDL_LEXER_H

#include <stdbool.h>
#include <stdint.h>

#include <frugal/shapes.h>

#include "idl/ast.h"

/* Words with a meaning of their own. Old files have two more, slist and senum, and newer ones uuid;
 * these are names unless they stand where a type or a definition begins. */
#define IDL_KEYWORD_MAP(X)                    \
    X(ASYNC, "async", FIELD_NAME)             \
    X(BINARY, "binary", FIELD_NAME)           \
    X(BOOL, "bool", FIELD_NAME)               \
    X(BYTE, "byte", FIELD_NAME)               \
    X(CONST, "const", FIELD_NAME)             \
    X(CPP_INCLUDE, "cpp_include", FIELD_NAME) \
    X(CPP_TYPE, "cpp_type", NEVER)            \
    X(DOUBLE, "double", FIELD_NAME)           \
    X(ENUM, "enum", FIELD_NAME)               \
    X(EXCEPTION, "exception", FIELD_NAME)     \
    X(EXTENDS, "extends", FIELD_NAME)         \
    X(FALSE, "false", NEVER)                  \
    X(I16, "i16", FIELD_NAME)                 \
    X(I32, "i32", FIELD_NAME)                 \
    X(I64, "i64", FIELD_NAME)                 \
    X(I8, "i8", FIELD_NAME)                   \
    X(INCLUDE, "include", FIELD_NAME)         \
    X(LIST, "list", FIELD_NAME)               \
    X(MAP, "map", FIELD_NAME)                 \
    X(NAMESPACE, "namespace", FIELD_NAME)     \
    X(ONEWAY, "oneway", FIELD_NAME)           \
    X(OPTIONAL, "optional", FIELD_NAME)       \
    X(REQUIRED, "required", FIELD_NAME)       \
    X(SERVICE, "service", FIELD_NAME)         \
    X(SET, "set", FIELD_NAME)                 \
    X(STRING, "string", FIELD_NAME)           \
    X(STRUCT, "struct", FIELD_NAME)           \
    X(THROWS, "throws", FIELD_NAME)           \
    X(TRUE, "true", NEVER)                    \
    X(TYPEDEF, "typedef", FIELD_NAME)         \
    X(UNION, "union", FIELD_NAME)             \
    X(VOID, "void", FIELD_NAME)               \
    X(XSD_ALL, "xsd_all", NEVER)              \
    X(XSD_ATTRS, "xsd_attrs", NEVER)          \
    X(XSD_NILLABLE, "xsd_nillable", NEVER)    \
    X(XSD_OPTIONAL, "xsd_optional", NEVER)

/* A symbol is its own character. */
typedef enum idl_token_kind {
    IDL_TOKEN_END = 0,
    IDL_TOKEN_BAD = 256, /* `fault` says why */
    IDL_TOKEN_WORD,
    IDL_TOKEN_INT,
    IDL_TOKEN_DOUBLE,
    IDL_TOKEN_LITERAL,
#define IDL_KEYWORD_TOKEN_(name, text, use) IDL_TOKEN_##name##_WORD,
    IDL_KEYWORD_MAP(IDL_KEYWORD_TOKEN_)
#undef IDL_KEYWORD_TOKEN_
        IDL_TOKEN_COUNT
} idl_token_kind;

#define IDL_TOKEN_KEYWORDS (IDL_TOKEN_LITERAL + 1) /* the first of them */

typedef struct idl_token {
    int         kind;
    idl_place   place;
    frugal_str  text;     /* as it is written, a literal with its quotes */
    int64_t     integer;  /* of an INT */
    double      real;     /* of a DOUBLE */
    const char *fault;    /* NULL: none. A number out of range, too, has its kind and a fault */
    bool        swallows; /* of a BAD one: it took the rest of its line, or of the file */
    bool        is_word;  /* of a BAD one: letters that no name has */
    bool        starts_line;
    frugal_str  doc; /* the last doc comment before it, as it is written; ptr NULL: none */
} idl_token;

typedef struct idl_lexer {
    const char *at, *end;
    const char *line_start;
    const char *line_end; /* of a line that a literal was in; NULL: of none yet */
    uint32_t    line;
    bool        at_line_start; /* no token yet in this line */
    bool        any_token;
    bool        keep_to_line; /* a literal was never closed: from now on none runs over lines */
    frugal_str  doc;
    uint32_t    doc_line;  /* of its end */
    frugal_str  first_doc; /* a doc comment before all tokens, followed by an empty line */
} idl_lexer;

/* Starts at the first byte behind a byte order mark. `text` must outlive lexer and tokens. */
void idl_lexer_init(idl_lexer *lexer, frugal_str text);

/* The next token; at the end of the text END, again and again. */
void idl_lexer_next(idl_lexer *lexer, idl_token *token);

/* Whether a field may be called by this word: a name, or a keyword as Apache takes it since
 * 0.18. */
bool idl_token_is_field_name(const idl_token *token);

static inline bool idl_token_is_keyword(const idl_token *token)
{
    return token->kind >= IDL_TOKEN_KEYWORDS;
}

/* The place of `at`, a byte of a token that may have several lines. */
idl_place idl_place_in(const idl_token *token, const char *at);

#endif /* IDL_LEXER_H */
