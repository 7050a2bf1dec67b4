/* idl/parse_lists.c - bodies: fields, the items of an enum, the functions of a service.
 *
 * The hard part is to go on after a mistake so that it is told once. Separators are optional, so
 * nothing says for certain where an item ends. An item is given up at the first of these: a
 * separator with something behind it that can begin an item; a line that begins like an item; the
 * end of the list. A line that begins like a definition ends the whole list, whatever is open. */
#include <assert.h>

#include "idl/parser.h"

typedef bool starts_item(const idl_parser *p);

/* Where the parser stood before an item. */
typedef struct item_start {
    size_t  taken;
    int32_t braces, brackets;
} item_start;

static item_start start_of_item(const idl_parser *p)
{
    return (item_start){ p->taken, p->braces, p->brackets };
}

/* Skips to where the next item may begin, or to the end of the list. False: the list is lost, its
 * end or a definition came first. */
static bool recover(idl_parser *p, const item_start *start, char close, starts_item *starts)
{
    const size_t here      = p->taken;
    bool         separated = false;
    for (;;) {
        bool inside = p->braces > start->braces;
        bool within = inside || p->brackets > start->brackets;
        if (idl_parser_at(p, IDL_TOKEN_END)) {
            p->end_explained = true;
            return false;
        }
        if (p->token.starts_line && idl_parser_at_definition(p)) {
            p->unclosed++;
            return false;
        }
        if (!inside && idl_parser_at(p, '}'))
            break;
        if (!within && idl_parser_at(p, close))
            break;
        if (!inside && p->taken > start->taken && (separated || p->token.starts_line) && starts(p))
            break;
        separated = !within && p->angles <= 0 && (idl_parser_at(p, ',') || idl_parser_at(p, ';'));
        idl_parser_skip(p);
    }
    p->braces   = start->braces;
    p->brackets = start->brackets;
    p->angles   = 0;
    /* A } in the place of something else may stand there by mistake: then another will follow. */
    p->unclosed += idl_parser_at(p, '}') && p->taken == here && p->taken > start->taken;
    return close == '}' || !idl_parser_at(p, '}');
}

/* ---- names ---------------------------------------------------------------------------------- */

static bool has_dot(frugal_str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] == '.')
            return true;
    return false;
}

/* A keyword with a word behind it in its line is more than a name: a type, or a definition. */
static bool is_meant_as_name(const idl_parser *p)
{
    bool word = p->next.kind == IDL_TOKEN_WORD || idl_token_is_keyword(&p->next);
    if (idl_token_is_keyword(&p->token))
        return !(word && !p->next.starts_line) && p->next.kind != '<'
               && !idl_parser_at_definition(p);
    return idl_parser_at(p, IDL_TOKEN_BAD) && p->token.is_word;
}

bool idl_parse_new_name(idl_parser *p, const char *what, idl_name *name)
{
    const idl_token *token = &p->token;
    if (!idl_parser_at(p, IDL_TOKEN_WORD) && !is_meant_as_name(p))
        return idl_parser_fail(p, what);
    if (idl_token_is_keyword(token))
        idl_error(p->load, FRUGAL_SYNTAX, p->file, token->place, token->text,
                  "expected %s, and `%.*s` is a keyword", what, (int)token->text.len,
                  token->text.ptr);
    else if (token->fault)
        idl_parser_report_fault(p);
    else if (has_dot(token->text))
        idl_error(p->load, FRUGAL_SYNTAX, p->file, token->place, token->text,
                  "expected %s, which has no dot", what);
    *name = idl_parse_word(p);
    return true;
}

/* ---- ids ------------------------------------------------------------------------------------ */

/* The numbers for fields without one. */
typedef struct numbering {
    int64_t next;
    bool    warned;
} numbering;

static numbering start_numbering(const idl_parser *p)
{
    bool apache = p->load->options->auto_ids == FRUGAL_AUTO_IDS_APACHE;
    return (numbering){ apache ? -1 : 1, false };
}

static void check_id(idl_parser *p, idl_field *field, int64_t id, frugal_str word)
{
    if (id < INT16_MIN || id > INT16_MAX)
        idl_error(p->load, FRUGAL_DESCRIPTOR, p->file, field->place, word,
                  "a field's id is between -32768 and 32767");
    else if (field->has_id && id <= 0)
        idl_warn(p->load, p->file, field->place, word,
                 "ids below 1 are for fields that are numbered automatically");
    field->id = id < INT16_MIN ? INT16_MIN : id > INT16_MAX ? INT16_MAX : (int32_t)id;
}

static bool parse_id(idl_parser *p, idl_field *field, numbering *numbers)
{
    bool      apache = p->load->options->auto_ids == FRUGAL_AUTO_IDS_APACHE;
    idl_token token  = p->token;
    if (!idl_parser_accept(p, IDL_TOKEN_INT))
        return true;
    if (!idl_parser_expect(p, ':', "`:` behind the field's id"))
        return false;
    field->has_id = true;
    if (token.fault)
        token.integer = INT64_MAX;
    check_id(p, field, token.integer, token.text);
    /* Apache counts on below the lowest; thriftgo from the one before. */
    if (!apache)
        numbers->next = (int64_t)field->id + 1;
    else if (field->id <= 0)
        numbers->next = (int64_t)field->id - 1;
    return true;
}

static void give_id(idl_parser *p, idl_field *field, numbering *numbers)
{
    bool apache = p->load->options->auto_ids == FRUGAL_AUTO_IDS_APACHE;
    check_id(p, field, numbers->next, field->name.text);
    numbers->next = apache ? (int64_t)field->id - 1 : (int64_t)field->id + 1;
    if (!numbers->warned)
        idl_warn(p->load, p->file, field->place, field->name.text,
                 "a field without an id; it gets %d, and peers may number it otherwise",
                 (int)field->id);
    numbers->warned = true;
}

/* ---- fields --------------------------------------------------------------------------------- */

static void parse_need(idl_parser *p, idl_field *field)
{
    if (!idl_parser_at(p, IDL_TOKEN_REQUIRED_WORD) && !idl_parser_at(p, IDL_TOKEN_OPTIONAL_WORD))
        return;
    field->has_need   = true;
    field->need_place = p->token.place;
    field->need =
        idl_parser_at(p, IDL_TOKEN_REQUIRED_WORD) ? FRUGAL_NEED_REQUIRED : FRUGAL_NEED_OPTIONAL;
    idl_parser_advance(p);
}

/* `word` but for up to three letters in one place. */
static bool is_nearly(frugal_str text, frugal_str word)
{
    size_t least = text.len < word.len ? text.len : word.len, front = 0, back = 0;
    while (front < least && text.ptr[front] == word.ptr[front])
        front++;
    while (back < least - front && text.ptr[text.len - 1 - back] == word.ptr[word.len - 1 - back])
        back++;
    return front + back >= 4 && text.len <= front + back + 3 && word.len <= front + back + 3;
}

/* The one of two words that somebody has misspelt, when what follows in the line is a type and a
 * name; NULL otherwise. */
static const char *need_meant(const idl_parser *p, const idl_field *field, const idl_type *type)
{
    bool follows =
        p->next.kind == IDL_TOKEN_WORD || idl_token_is_keyword(&p->next) || p->next.kind == '<';
    if (field->has_need || type->kind != IDL_TYPE_NAME || p->token.starts_line
        || p->next.starts_line || !follows || !idl_parser_at_type(p))
        return NULL;
    return is_nearly(type->name.text, FRUGAL_STR("required"))   ? "required"
           : is_nearly(type->name.text, FRUGAL_STR("optional")) ? "optional"
                                                                : NULL;
}

/* The type of a field. It goes on behind a misspelt word as if that were right. */
static bool parse_field_type(idl_parser *p, idl_field *field)
{
    field->type = idl_parse_type(p);
    if (field->type == NULL)
        return false;
    const char *meant = need_meant(p, field, field->type);
    if (meant == NULL)
        return true;
    frugal_str word = field->type->name.text;
    idl_error(p->load, FRUGAL_SYNTAX, p->file, field->type->place, word,
              "no type is called %.*s; is it %s?", (int)(word.len < 40 ? word.len : 40), word.ptr,
              meant);
    field->type = idl_parse_type(p);
    return field->type != NULL;
}

/* A keyword may be a name, unless its line goes on as if it were none. */
static bool at_keyword_name(const idl_parser *p)
{
    bool word = p->next.kind == IDL_TOKEN_WORD || idl_token_is_keyword(&p->next);
    return idl_token_is_keyword(&p->token) && idl_token_is_field_name(&p->token)
           && !(p->token.starts_line && (word || p->next.kind == '<'))
           && !(p->token.starts_line && idl_parser_at_definition(p));
}

static bool parse_field_name(idl_parser *p, idl_field *field)
{
    if (!at_keyword_name(p))
        return idl_parse_new_name(p, "a field name", &field->name);
    field->name = idl_parse_word(p);
    return true;
}

/* Of the XML schemas that Apache once made nothing is kept. */
static bool parse_xsd(idl_parser *p)
{
    idl_field *ignored = NULL;
    idl_parser_accept(p, IDL_TOKEN_XSD_OPTIONAL_WORD);
    idl_parser_accept(p, IDL_TOKEN_XSD_NILLABLE_WORD);
    if (!idl_parser_at(p, IDL_TOKEN_XSD_ATTRS_WORD))
        return true;
    if (!idl_parser_enter(p, "attributes"))
        return false;
    idl_parser_advance(p);
    bool whole = idl_parser_expect(p, '{', "`{`") && idl_parse_fields(p, '}', &ignored);
    p->depth--;
    return whole;
}

static bool parse_initial(idl_parser *p, idl_field *field)
{
    if (!idl_parser_accept(p, '='))
        return true;
    field->initial = idl_parse_value(p);
    return field->initial != NULL;
}

static bool at_field(const idl_parser *p)
{
    return idl_parser_at_type(p) || idl_parser_at(p, IDL_TOKEN_INT)
           || idl_parser_at(p, IDL_TOKEN_REQUIRED_WORD)
           || idl_parser_at(p, IDL_TOKEN_OPTIONAL_WORD);
}

/* One list of fields: of a record, or the arguments or exceptions of a function. */
typedef struct field_list {
    char      close;
    numbering numbers;
    bool      broken; /* something was skipped */
    bool      lost;   /* where it should have ended, another function began */
} field_list;

/* What was read as type and name of an argument is the head of another function. */
static bool is_function(const idl_parser *p, const idl_field *field, const field_list *list)
{
    return list->close == ')' && !field->has_id && !field->has_need && idl_parser_at(p, '(')
           && (p->next.kind == IDL_TOKEN_INT || p->next.kind == ')');
}

static bool give_up_list(idl_parser *p, const idl_field *field, field_list *list)
{
    if (!list->broken)
        idl_error(p->load, FRUGAL_SYNTAX, p->file, field->name.place, field->name.text,
                  "expected a field or `)`, found the function `%.*s`",
                  (int)(field->name.text.len < 40 ? field->name.text.len : 40),
                  field->name.text.ptr);
    list->lost = true;
    return false;
}

static bool parse_field(idl_parser *p, idl_field *field, field_list *list)
{
    field->place = p->token.place;
    field->doc   = idl_doc_text(p->load, p->token.doc);
    if (!at_field(p))
        return idl_parser_fail(p, list->close == '}' ? "a field or `}`" : "a field or `)`");
    if (!parse_id(p, field, &list->numbers))
        return false;
    parse_need(p, field);
    if (!parse_field_type(p, field))
        return false;
    idl_parser_accept(p, '&'); /* kept by reference in C++ */
    if (!parse_field_name(p, field))
        return false;
    if (is_function(p, field, list))
        return give_up_list(p, field, list);
    if (!field->has_id)
        give_id(p, field, &list->numbers);
    if (!parse_initial(p, field) || !parse_xsd(p) || !idl_parse_annotations(p, &field->annotations))
        return false;
    idl_parser_separator(p);
    return true;
}

static bool is_id(const idl_parser *p)
{
    return idl_parser_at(p, IDL_TOKEN_INT) && p->next.kind == ':';
}

/* A name or a type, and behind it what may follow a type; or more certain signs. */
static bool starts_field(const idl_parser *p)
{
    if (is_id(p) || idl_parser_at(p, IDL_TOKEN_REQUIRED_WORD)
        || idl_parser_at(p, IDL_TOKEN_OPTIONAL_WORD))
        return true;
    return idl_parser_at_type(p)
           && (idl_token_is_field_name(&p->next) || p->next.kind == '<' || p->next.kind == '&'
               || p->next.kind == IDL_TOKEN_CPP_TYPE_WORD);
}

static bool starts_function_only(const idl_parser *p)
{
    return p->token.starts_line
           && (idl_parser_at(p, IDL_TOKEN_VOID_WORD) || idl_parser_at(p, IDL_TOKEN_ONEWAY_WORD)
               || idl_parser_at(p, IDL_TOKEN_ASYNC_WORD));
}

bool idl_parse_fields(idl_parser *p, char close, idl_field **head)
{
    field_list list = { .close = close, .numbers = start_numbering(p) };
    while (idl_parse_foreign(p), !idl_parser_accept(p, close)) {
        item_start start = start_of_item(p);
        idl_field *field = idl_alloc(p->load, sizeof *field);
        if (field && parse_field(p, field, &list)) {
            *head = field;
            head  = &field->next;
            continue;
        }
        if (list.lost || (close == ')' && starts_function_only(p))
            || !recover(p, &start, close, starts_field))
            return false;
        list.broken = true;
    }
    return true;
}

/* ---- enums ---------------------------------------------------------------------------------- */

static bool parse_item_value(idl_parser *p, idl_enum_item *item)
{
    if (!idl_parser_accept(p, '='))
        return true;
    if (!idl_parser_at(p, IDL_TOKEN_INT))
        return idl_parser_fail(p, "a whole number");
    item->has_value   = true;
    item->value       = p->token.integer;
    item->value_place = p->token.place;
    if (p->token.fault)
        idl_parser_report_fault(p);
    idl_parser_advance(p);
    return true;
}

static bool parse_item(idl_parser *p, idl_enum_item *item, int64_t value)
{
    item->doc   = idl_doc_text(p->load, p->token.doc);
    item->value = value;
    if (!idl_parse_new_name(p, "a name of the enum or `}`", &item->name))
        return false;
    item->value_place = item->name.place;
    if (!parse_item_value(p, item) || !idl_parse_annotations(p, &item->annotations))
        return false;
    idl_parser_separator(p);
    return true;
}

static bool starts_enum_item(const idl_parser *p)
{
    return idl_parser_at(p, IDL_TOKEN_WORD);
}

bool idl_parse_items(idl_parser *p, idl_enum_item **head)
{
    int64_t value = 0;
    while (idl_parse_foreign(p), !idl_parser_accept(p, '}')) {
        item_start     start = start_of_item(p);
        idl_enum_item *item  = idl_alloc(p->load, sizeof *item);
        if (item && parse_item(p, item, value)) {
            value = item->value == INT64_MAX ? item->value : item->value + 1;
            *head = item;
            head  = &item->next;
        } else if (!recover(p, &start, '}', starts_enum_item)) {
            return false;
        }
    }
    return true;
}

/* ---- functions ------------------------------------------------------------------------------ */

static bool parse_result(idl_parser *p, idl_function *function)
{
    function->oneway =
        idl_parser_accept(p, IDL_TOKEN_ONEWAY_WORD) || idl_parser_accept(p, IDL_TOKEN_ASYNC_WORD);
    if (idl_parser_accept(p, IDL_TOKEN_VOID_WORD))
        return true;
    if (!idl_parser_at_type(p))
        return idl_parser_fail(p, function->oneway ? "`void`" : "a function or `}`");
    function->result = idl_parse_type(p);
    return function->result != NULL;
}

static bool parse_throws(idl_parser *p, idl_function *function)
{
    if (!idl_parser_accept(p, IDL_TOKEN_THROWS_WORD))
        return true;
    function->has_throws = true;
    return idl_parser_expect(p, '(', "`(`") && idl_parse_fields(p, ')', &function->throws);
}

static bool parse_function(idl_parser *p, idl_function *function)
{
    function->doc = idl_doc_text(p->load, p->token.doc);
    if (!parse_result(p, function)
        || !idl_parse_new_name(p, "a name for the function", &function->name)
        || !idl_parser_expect(p, '(', "`(`") || !idl_parse_fields(p, ')', &function->args)
        || !parse_throws(p, function) || !idl_parse_annotations(p, &function->annotations))
        return false;
    idl_parser_separator(p);
    return true;
}

static bool starts_function(const idl_parser *p)
{
    return idl_parser_at(p, IDL_TOKEN_VOID_WORD) || idl_parser_at(p, IDL_TOKEN_ONEWAY_WORD)
           || idl_parser_at(p, IDL_TOKEN_ASYNC_WORD)
           || (idl_parser_at_type(p)
               && (p->next.kind == IDL_TOKEN_WORD || p->next.kind == '<'
                   || p->next.kind == IDL_TOKEN_CPP_TYPE_WORD));
}

bool idl_parse_functions(idl_parser *p, idl_function **head)
{
    while (idl_parse_foreign(p), !idl_parser_accept(p, '}')) {
        item_start    start    = start_of_item(p);
        idl_function *function = idl_alloc(p->load, sizeof *function);
        if (function && parse_function(p, function)) {
            *head = function;
            head  = &function->next;
        } else if (!recover(p, &start, '}', starts_function)) {
            return false;
        }
    }
    return true;
}
