/* idl/parser.h - what the files of the parser share: where it stands, and how it says no.
 *
 * A function that parses leaves the parser behind what it read. When it fails it has reported the
 * first thing that is wrong, at the token that is wrong, and stands there; only the loops over
 * definitions, fields, functions and items know how to go on. */
#ifndef IDL_PARSER_H
#define IDL_PARSER_H

#include "idl/idl.h"
#include "idl/lexer.h"

typedef struct idl_parser {
    idl_load *load;
    idl_file *file;
    idl_lexer lexer;
    idl_token token; /* the first that was not taken */
    idl_token next;  /* the one behind it */
    size_t    taken;
    uint32_t  depth;          /* of types, values and attributes that are being read */
    int32_t   braces;         /* { that are open; seldom below 0: what is closed twice */
    int32_t   brackets;       /* ( and [ */
    int32_t   angles;         /* < of the innermost type */
    uint32_t  unclosed;       /* bodies that were given up before their } */
    bool      any_definition; /* headers come too late */
    bool      end_explained;  /* something was skipped up to the end of the file */

    idl_namespace  **namespaces_end;
    idl_include    **includes_end;
    idl_definition **definitions_end;
} idl_parser;

/* ---- tokens (parser.c) ---------------------------------------------------------------------- */

void idl_parser_advance(idl_parser *p);

static inline bool idl_parser_at(const idl_parser *p, int kind)
{
    return p->token.kind == kind;
}

/* The same on the way past a mistake: what a token without an end took away is told. */
void idl_parser_skip(idl_parser *p);

/* Takes the token when it is of this kind. */
bool idl_parser_accept(idl_parser *p, int kind);

/* The same, and when not: "expected `what`, found ...". */
bool idl_parser_expect(idl_parser *p, int kind, const char *what);

/* Takes a comma or a semicolon, if there is one. */
void idl_parser_separator(idl_parser *p);

/* "expected `what`, found ..." at the token, or what is wrong with the token itself. Always
 * false. */
bool idl_parser_fail(idl_parser *p, const char *what);

/* Reports what is wrong with the token (its fault is not NULL) and forgets it. */
void idl_parser_report_fault(idl_parser *p);

/* Whether a definition or a header begins here. */
bool idl_parser_at_definition(const idl_parser *p);

/* One level deeper; false when that is too deep, which is reported. Left by p->depth--. */
bool idl_parser_enter(idl_parser *p, const char *what);

/* ---- parts (parse_parts.c) ------------------------------------------------------------------ */

/* The text and place of the token, which is taken. */
idl_name idl_parse_word(idl_parser *p);

/* A literal; false: there is none, reported as "expected `what`". */
bool idl_parse_literal(idl_parser *p, const char *what, idl_name *literal);

/* (key = "value", ...), if there is a parenthesis. */
bool idl_parse_annotations(idl_parser *p, idl_annotation **head);

/* NULL: reported. */
idl_type  *idl_parse_type(idl_parser *p);
idl_value *idl_parse_value(idl_parser *p);

/* Whether a type begins here; `void` is none. */
bool idl_parser_at_type(const idl_parser *p);

/* ---- doc comments (doc.c) ------------------------------------------------------------------- */

/* The text of a doc comment as it was written, without stars and empty lines around it, in the
 * arena. */
frugal_str idl_doc_text(idl_load *load, frugal_str comment);

/* ---- lists (parse_lists.c) ------------------------------------------------------------------ */

/* Fields up to the `close` behind them, `}` or `)`, which is taken. False: the list is lost. */
bool idl_parse_fields(idl_parser *p, char close, idl_field **head);

/* The body of an enum and of a service; the brace before it was taken. */
bool idl_parse_items(idl_parser *p, idl_enum_item **head);
bool idl_parse_functions(idl_parser *p, idl_function **head);

/* A name without a dot; what is no name but was meant to be one is reported and passed. `what`: "a
 * name for the struct". */
bool idl_parse_new_name(idl_parser *p, const char *what, idl_name *name);

/* `@name{...}` of fbthrift before a definition or a field: one error each. */
void idl_parse_foreign(idl_parser *p);

#endif /* IDL_PARSER_H */
