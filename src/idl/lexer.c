/* idl/lexer.c - characters to tokens: white space, three kinds of comments, words, numbers,
 * literals.
 *
 * The hard part is a quote without its partner. thriftgo lets a literal run over lines (and files
 * for its plugins do), Apache does not; so a missing quote could take half of the file away, up to
 * a quote that opens another literal, and all after it would be misread. A literal that runs over
 * its line therefore must end where a literal can end: a quote with a letter, a digit or a quote
 * right behind it is taken for one that opens. The token is then wrong, and reading goes on in the
 * next line. */
#include "idl/lexer.h"

#include <assert.h>
#include <string.h>

#include "core/number.h"

/* ---- characters ----------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool starts_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_word(char c)
{
    return starts_word(c) || is_digit(c);
}

static bool is_high(char c)
{
    return ((unsigned char)c & 0x80) != 0;
}

static int hex_digit(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* The character `ahead` of the cursor; NUL behind the end. */
static char peek(const idl_lexer *lexer, size_t ahead)
{
    return (size_t)(lexer->end - lexer->at) > ahead ? lexer->at[ahead] : '\0';
}

static idl_place place_of(const idl_lexer *lexer, const char *at)
{
    return (idl_place){ lexer->line, (uint32_t)(at - lexer->line_start) + 1 };
}

idl_place idl_place_in(const idl_token *token, const char *at)
{
    idl_place place = token->place;
    for (const char *p = token->text.ptr; p < at; p++) {
        place.column++;
        if (*p == '\n')
            place = (idl_place){ place.line + 1, 1 };
    }
    return place;
}

/* The newline at `at` is passed. */
static void count_line(idl_lexer *lexer, const char *at)
{
    lexer->line++;
    lexer->line_start    = at + 1;
    lexer->at_line_start = true;
}

void idl_lexer_init(idl_lexer *lexer, frugal_str text)
{
    static const char mark[] = "\xef\xbb\xbf";
    const char       *start  = text.len ? text.ptr : "";
    memset(lexer, 0, sizeof *lexer);
    lexer->at  = start;
    lexer->end = start + text.len;
    if (text.len >= 3 && memcmp(start, mark, 3) == 0)
        lexer->at += 3;
    lexer->line          = 1;
    lexer->line_start    = lexer->at;
    lexer->at_line_start = true;
}

/* ---- white space and comments --------------------------------------------------------------- */

/* A doc comment before all tokens that has an empty line behind it, or another comment of its kind,
 * is about the file. */
static void settle_doc(idl_lexer *lexer, bool another)
{
    bool apart = another || lexer->line > lexer->doc_line + 1;
    if (lexer->doc.ptr && !lexer->any_token && !lexer->first_doc.ptr && apart) {
        lexer->first_doc = lexer->doc;
        lexer->doc       = (frugal_str){ NULL, 0 };
    }
}

/* Of stars alone is a line drawn, and no text. */
static bool is_doc(const char *start, const char *end)
{
    if (end - start < 5 || start[2] != '*')
        return false;
    for (const char *p = start + 2; p < end - 2; p++)
        if (*p != '*')
            return true;
    return false;
}

/* A comment of several lines; false when it is never closed, the cursor is where it was then. */
static bool skip_block(idl_lexer *lexer)
{
    const char *start = lexer->at;
    const char *p     = start + 2;
    const char *slash = p;
    for (;;) {
        slash = slash < lexer->end ? memchr(slash, '/', (size_t)(lexer->end - slash)) : NULL;
        if (slash == NULL)
            return false;
        if (slash > p && slash[-1] == '*')
            break;
        slash++;
    }
    const char *end  = slash + 1;
    bool        line = lexer->at_line_start;
    if (is_doc(start, end))
        settle_doc(lexer, true);
    for (p = start; (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++)
        count_line(lexer, p);
    lexer->at_line_start = line; /* what stands behind a comment is still first in its line */
    if (is_doc(start, end)) {
        lexer->doc      = (frugal_str){ start, (size_t)(end - start) };
        lexer->doc_line = lexer->line;
    }
    lexer->at = end;
    return true;
}

static void skip_line(idl_lexer *lexer)
{
    const char *newline = memchr(lexer->at, '\n', (size_t)(lexer->end - lexer->at));
    lexer->at           = newline ? newline : lexer->end;
}

/* Up to the next token; false when that is a comment without an end. */
static bool skip_space(idl_lexer *lexer)
{
    for (;;) {
        switch (peek(lexer, 0)) {
        case '\n':
            count_line(lexer, lexer->at);
            lexer->at++;
            break;
        case ' ':
        case '\t':
        case '\r':
        case '\v': lexer->at++; break;
        case '#': skip_line(lexer); break;
        case '/':
            if (peek(lexer, 1) == '/')
                skip_line(lexer);
            else if (peek(lexer, 1) != '*')
                return true;
            else if (!skip_block(lexer))
                return false;
            break;
        default: return true;
        }
    }
}

/* ---- words ---------------------------------------------------------------------------------- */

typedef enum keyword_use { FIELD_NAME, NEVER } keyword_use;

static const struct {
    const char *text;
    uint8_t     len, use;
} keywords[] = {
#define KEYWORD_ROW(name, word, use) { word, sizeof word - 1, use },
    IDL_KEYWORD_MAP(KEYWORD_ROW)
#undef KEYWORD_ROW
};

#define KEYWORD_COUNT   (sizeof keywords / sizeof keywords[0])
#define KEYWORD_LEN_MAX 12

static int word_kind(const char *text, size_t len)
{
    if (len > KEYWORD_LEN_MAX)
        return IDL_TOKEN_WORD;
    for (size_t i = 0; i < KEYWORD_COUNT; i++)
        if (keywords[i].len == len && keywords[i].text[0] == text[0]
            && memcmp(keywords[i].text, text, len) == 0)
            return IDL_TOKEN_KEYWORDS + (int)i;
    return IDL_TOKEN_WORD;
}

bool idl_token_is_field_name(const idl_token *token)
{
    if (idl_token_is_keyword(token))
        return keywords[token->kind - IDL_TOKEN_KEYWORDS].use == FIELD_NAME;
    return token->kind == IDL_TOKEN_WORD;
}

/* Letters of other alphabets belong to the word they stand in, so that it is wrong once. */
static void read_word(idl_lexer *lexer, idl_token *token)
{
    const char *start = lexer->at;
    bool        high  = false;
    for (;;) {
        if (is_high(peek(lexer, 0)))
            high = true;
        else if (!is_word(peek(lexer, 0)) && !(peek(lexer, 0) == '.' && is_word(peek(lexer, 1))))
            break;
        lexer->at++;
    }
    token->kind    = high ? IDL_TOKEN_BAD : word_kind(start, (size_t)(lexer->at - start));
    token->is_word = high;
    if (high)
        token->fault = "a name is made of the letters A to Z, digits and _";
}

/* ---- numbers -------------------------------------------------------------------------------- */

/* Counted below zero, where there is one number more. False: it is no int64. */
static bool add_digit(int64_t *number, int base, int digit)
{
    return !__builtin_mul_overflow(*number, base, number)
           && !__builtin_sub_overflow(*number, digit, number);
}

/* Digits of `base` from the cursor on, which are there. */
static void read_int(idl_lexer *lexer, idl_token *token, bool negative, int base)
{
    bool fits   = true;
    token->kind = IDL_TOKEN_INT;
    for (int digit; (digit = hex_digit(peek(lexer, 0))) >= 0 && digit < base; lexer->at++)
        fits = fits && add_digit(&token->integer, base, digit);
    if (!negative)
        fits = fits && !__builtin_sub_overflow(0, token->integer, &token->integer);
    if (!fits) {
        token->integer = 0;
        token->fault   = "the number does not fit into 64 bits";
    }
}

static size_t count_digits(const idl_lexer *lexer, size_t ahead)
{
    size_t count = 0;
    while (is_digit(peek(lexer, ahead + count)))
        count++;
    return count;
}

/* How long the part behind the point is, and the exponent, from `ahead` on; 0: there is none. */
static size_t point_len(const idl_lexer *lexer, size_t ahead)
{
    size_t digits = peek(lexer, ahead) == '.' ? count_digits(lexer, ahead + 1) : 0;
    return digits ? digits + 1 : 0;
}

static size_t exponent_len(const idl_lexer *lexer, size_t ahead)
{
    char   c    = peek(lexer, ahead);
    size_t sign = peek(lexer, ahead + 1) == '+' || peek(lexer, ahead + 1) == '-';
    if (c != 'e' && c != 'E')
        return 0;
    size_t digits = count_digits(lexer, ahead + 1 + sign);
    return digits ? 1 + sign + digits : 0;
}

static void read_double(idl_lexer *lexer, idl_token *token, size_t len)
{
    const char *start = lexer->at;
    token->kind       = IDL_TOKEN_DOUBLE;
    lexer->at += len;
    if (number_read_loose_double(&start, start + len, &token->real) != NUMBER_OK)
        token->fault = "the number is too large for a double";
}

/* False: a sign or a point without a number. */
static bool read_number(idl_lexer *lexer, idl_token *token)
{
    size_t sign     = peek(lexer, 0) == '+' || peek(lexer, 0) == '-';
    size_t digits   = count_digits(lexer, sign);
    size_t point    = point_len(lexer, sign + digits);
    size_t exponent = digits + point ? exponent_len(lexer, sign + digits + point) : 0;
    bool   negative = peek(lexer, 0) == '-';
    if (digits + point == 0)
        return false;
    if (point + exponent) {
        read_double(lexer, token, sign + digits + point + exponent);
        return true;
    }
    char prefix = digits == 1 && peek(lexer, sign) == '0' ? peek(lexer, sign + 1) : '\0';
    int  base   = prefix == 'x' ? 16 : prefix == 'o' ? 8 : 10;
    int  first  = hex_digit(peek(lexer, sign + 2));
    if (base != 10 && (first < 0 || first >= base))
        base = 10;
    lexer->at += sign + (base == 10 ? 0 : 2);
    read_int(lexer, token, negative, base);
    return true;
}

/* ---- literals ------------------------------------------------------------------------------- */

/* The closing quote from `p` on and before `end`; NULL: there is none. */
static const char *find_quote(const char *p, const char *end, char quote)
{
    for (; p < end; p++) {
        if (*p == quote)
            return p;
        if (*p == '\\')
            p++;
    }
    return NULL;
}

static bool may_close(const idl_lexer *lexer, const char *close)
{
    char next = close + 1 < lexer->end ? close[1] : '\0';
    return !is_word(next) && next != *close;
}

/* The end of the line that the cursor is in. It is looked for once in a line: a file may be one
 * line of a million literals. */
static const char *line_end(idl_lexer *lexer)
{
    if (lexer->line_end == NULL || lexer->line_end < lexer->at) {
        const char *newline = memchr(lexer->at, '\n', (size_t)(lexer->end - lexer->at));
        lexer->line_end     = newline ? newline : lexer->end;
    }
    return lexer->line_end;
}

static void read_literal(idl_lexer *lexer, idl_token *token)
{
    const char *start = lexer->at;
    const char *line  = line_end(lexer);
    const char *close = find_quote(start + 1, line, *start);
    if (close == NULL && !lexer->keep_to_line) {
        close = find_quote(start + 1, lexer->end, *start);
        if (close && !may_close(lexer, close))
            close = NULL;
        lexer->keep_to_line = close == NULL;
    }
    if (close == NULL) {
        token->kind     = IDL_TOKEN_BAD;
        token->fault    = "the literal is never closed";
        token->swallows = true;
        lexer->at       = line > start + 1 && line[-1] == '\r' ? line - 1 : line;
        return;
    }
    token->kind = IDL_TOKEN_LITERAL;
    lexer->at   = close + 1;
    for (const char *p = start; (p = memchr(p, '\n', (size_t)(close - p))) != NULL; p++) {
        count_line(lexer, p);
        lexer->at_line_start = false;
    }
}

/* ---- tokens --------------------------------------------------------------------------------- */

static void read_symbol(idl_lexer *lexer, idl_token *token)
{
    char c = *lexer->at++;
    if (c != '\0' && strchr(":;,{}()=<>[]*&@", c)) {
        token->kind = (unsigned char)c;
        return;
    }
    token->kind  = IDL_TOKEN_BAD;
    token->fault = "this character has no meaning here";
}

static void read_token(idl_lexer *lexer, idl_token *token)
{
    char c = *lexer->at;
    if (starts_word(c) || is_high(c))
        read_word(lexer, token);
    else if (c == '"' || c == '\'')
        read_literal(lexer, token);
    else if (!read_number(lexer, token))
        read_symbol(lexer, token);
}

void idl_lexer_next(idl_lexer *lexer, idl_token *token)
{
    memset(token, 0, sizeof *token);
    lexer->doc         = (frugal_str){ NULL, 0 };
    bool        closed = skip_space(lexer);
    const char *start  = lexer->at;
    settle_doc(lexer, false);
    token->place       = place_of(lexer, start);
    token->doc         = lexer->doc;
    token->starts_line = lexer->at_line_start;
    token->text        = (frugal_str){ start, 0 };
    if (start == lexer->end)
        return;
    if (closed) {
        read_token(lexer, token);
    } else {
        token->kind     = IDL_TOKEN_BAD;
        token->fault    = "the comment is never closed";
        token->swallows = true;
        for (const char *p = start; (p = memchr(p, '\n', (size_t)(lexer->end - p))) != NULL; p++)
            count_line(lexer, p);
        lexer->at = lexer->end;
    }
    assert(lexer->at > start && lexer->at <= lexer->end);
    token->text.len      = (size_t)(lexer->at - start);
    lexer->at_line_start = false;
    lexer->any_token     = true;
}
