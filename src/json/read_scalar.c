/* json/read_scalar.c - numbers, bools and enums. No number ever goes through a double that is none.
 */
#include "core/number.h"
#include "json/json.h"
#include "json/reader.h"

/* ---- integers ------------------------------------------------------------------------------- */

static void bounds_of(const json_type *type, int64_t *least, int64_t *most)
{
    switch (type->kind) {
    case FRUGAL_KIND_I8: *least = INT8_MIN, *most = INT8_MAX; break;
    case FRUGAL_KIND_I16: *least = INT16_MIN, *most = INT16_MAX; break;
    case FRUGAL_KIND_I64: *least = INT64_MIN, *most = INT64_MAX; break;
    default: *least = INT32_MIN, *most = INT32_MAX; break;
    }
}

static bool fail_range(json_reader *r, const json_type *type, const char *at)
{
    char word[JSON_WORD_MAX], text[48];
    schema_type_text(type->type, text, sizeof text);
    json_fail(&r->scan, at, FRUGAL_SIZE, "out of the range of %s: %s", text,
              json_word(&r->scan, at, word));
    return false;
}

static bool is_within(json_reader *r, const json_type *type, const char *at, int64_t value)
{
    int64_t least, most;
    bounds_of(type, &least, &most);
    return LIKELY(value >= least && value <= most) || fail_range(r, type, at);
}

/* The whole text is an integer. */
static bool integer_of_text(json_reader *r, const json_type *type, const char *at,
                            const json_text *text, int64_t *value)
{
    const char   *p    = text->ptr;
    const char   *end  = p + text->len;
    number_status read = number_read_i64(&p, end, value);
    if (p != end || read == NUMBER_SYNTAX || read == NUMBER_FRACTION) {
        json_read_mismatch(r, type, at);
        return false;
    }
    return read == NUMBER_OK ? is_within(r, type, at, *value) : fail_range(r, type, at);
}

static NEVER_INLINE const char *read_quoted_integer(json_reader *r, const json_type *type,
                                                    const char *at, int64_t *value)
{
    json_text         text;
    frugal_arena_mark mark   = arena_get_mark(r->arena);
    const char       *behind = json_quoted(&r->scan, at, &text);
    if (behind == NULL || (text.escaped && !json_read_unescaped(r, at, &text))
        || !integer_of_text(r, type, at, &text, value))
        return NULL;
    frugal_arena_rewind(r->arena, mark);
    return behind;
}

const char *json_read_any_integer(json_reader *r, const json_type *type, const char *at,
                                  int64_t *value)
{
    const char *behind = at, *end = r->scan.end;
    if (at < end && *at == '"')
        return read_quoted_integer(r, type, at, value);
    if (at == end || (*at != '-' && (*at < '0' || *at > '9')))
        return json_read_mismatch(r, type, at);
    switch (number_read_i64(&behind, end, value)) {
    case NUMBER_OK: return is_within(r, type, at, *value) ? behind : NULL;
    case NUMBER_SYNTAX: return json_fail_number(&r->scan, at, behind);
    default: break;
    }
    if (behind == end) /* more of it might have come */
        return json_fail_number(&r->scan, at, behind);
    behind = at;
    if (number_read_i64(&behind, end, value) == NUMBER_FRACTION)
        return json_read_mismatch(r, type, at);
    fail_range(r, type, at);
    return NULL;
}

/* ---- doubles -------------------------------------------------------------------------------- */

/* The names of what is no number. */
static bool named_double(const json_text *text, double *value)
{
    static const struct {
        const char *name;
        uint64_t    bits;
    } names[] = { { "NaN", UINT64_C(0x7ff8000000000000) },
                  { "Infinity", UINT64_C(0x7ff0000000000000) },
                  { "-Infinity", UINT64_C(0xfff0000000000000) } };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (json_text_is(text, names[i].name, strlen(names[i].name))) {
            memcpy(value, &names[i].bits, sizeof *value);
            return true;
        }
    }
    return false;
}

static bool double_of_text(json_reader *r, const json_type *type, const char *at,
                           const json_text *text, uint8_t *place)
{
    double      value;
    const char *p = text->ptr, *end = p + text->len;
    if (!named_double(text, &value)) {
        number_status read = number_read_double(&p, end, &value);
        if (p != end || read == NUMBER_SYNTAX) {
            json_read_mismatch(r, type, at);
            return false;
        }
        if (read != NUMBER_OK)
            return fail_range(r, type, at);
    }
    memcpy(place, &value, sizeof value);
    return true;
}

static NEVER_INLINE const char *read_quoted_double(json_reader *r, const json_type *type,
                                                   const char *at, uint8_t *place)
{
    json_text         text;
    frugal_arena_mark mark   = arena_get_mark(r->arena);
    const char       *behind = json_quoted(&r->scan, at, &text);
    if (behind == NULL || (text.escaped && !json_read_unescaped(r, at, &text))
        || !double_of_text(r, type, at, &text, place))
        return NULL;
    frugal_arena_rewind(r->arena, mark);
    return behind;
}

static const char *read_double(json_reader *r, const json_type *type, const char *at,
                               uint8_t *place)
{
    const char *behind = at, *end = r->scan.end;
    double      value;
    if (UNLIKELY(at == end) || (*at != '-' && (*at < '0' || *at > '9')))
        return at < end && *at == '"' ? read_quoted_double(r, type, at, place)
                                      : json_read_mismatch(r, type, at);
    number_status read = number_read_double(&behind, end, &value);
    if (UNLIKELY(read != NUMBER_OK)) {
        if (read == NUMBER_SYNTAX || behind == end)
            return json_fail_number(&r->scan, at, behind);
        fail_range(r, type, at);
        return NULL;
    }
    memcpy(place, &value, sizeof value);
    return behind;
}

/* ---- bools and enums ------------------------------------------------------------------------ */

static const char *read_bool(json_reader *r, const json_type *type, const char *at, uint8_t *place)
{
    const char *end = r->scan.end;
    if (at == end || (*at != 't' && *at != 'f'))
        return json_read_mismatch(r, type, at);
    *place = *at == 't';
    return json_literal(&r->scan, at, *at == 't' ? "true" : "false");
}

static bool looks_like_number(const json_text *text)
{
    return text->len && (*text->ptr == '-' || (*text->ptr >= '0' && *text->ptr <= '9'));
}

/* A name, else a number. */
static bool enum_of_text(json_reader *r, const json_type *type, const char *at,
                         const json_text *text, int32_t *value)
{
    char    word[JSON_WORD_MAX];
    int64_t number;
    if (json_find_value(type->names, text->ptr, text->len, value))
        return true;
    if (looks_like_number(text)) {
        if (!integer_of_text(r, type, at, text, &number))
            return false;
        *value = (int32_t)number;
        return true;
    }
    json_fail(&r->scan, at, FRUGAL_NOTFOUND, "enum %s has no item %s",
              type->names ? type->names->names->name : "without names",
              json_word(&r->scan, at, word));
    return false;
}

static const char *read_enum_name(json_reader *r, const json_type *type, const char *at,
                                  int32_t *value)
{
    json_text         text;
    frugal_arena_mark mark   = arena_get_mark(r->arena);
    const char       *behind = json_quoted(&r->scan, at, &text);
    if (behind == NULL || (text.escaped && !json_read_unescaped(r, at, &text))
        || !enum_of_text(r, type, at, &text, value))
        return NULL;
    frugal_arena_rewind(r->arena, mark);
    return behind;
}

/* ---- any of them ---------------------------------------------------------------------------- */

const char *json_read_scalar(json_reader *r, const json_type *type, const char *at, uint8_t *place)
{
    int32_t named;
    switch (type->kind) {
    case FRUGAL_KIND_BOOL: return read_bool(r, type, at, place);
    case FRUGAL_KIND_DOUBLE: return read_double(r, type, at, place);
    case FRUGAL_KIND_ENUM:
        if (LIKELY(at < r->scan.end) && *at == '"') {
            at = read_enum_name(r, type, at, &named);
            if (at)
                store_u32(place, (uint32_t)named);
            return at;
        }
        break;
    default: break;
    }
    return json_read_integer(r, type, at, place);
}

/* The text has no escapes. */
static bool key_of_text(json_reader *r, const json_type *type, const char *at,
                        const json_text *text, uint8_t *place)
{
    int64_t value;
    int32_t named;
    switch (type->kind) {
    case FRUGAL_KIND_DOUBLE: return double_of_text(r, type, at, text, place);
    case FRUGAL_KIND_BOOL:
        *place = json_text_is(text, "true", 4);
        if (!*place && !json_text_is(text, "false", 5)) {
            json_read_mismatch(r, type, at);
            return false;
        }
        return true;
    case FRUGAL_KIND_ENUM:
        if (!enum_of_text(r, type, at, text, &named))
            return false;
        store_u32(place, (uint32_t)named);
        return true;
    default: break;
    }
    if (!integer_of_text(r, type, at, text, &value))
        return false;
    json_store_integer(type, value, place);
    return true;
}

bool json_read_key(json_reader *r, const json_type *type, const char *at, const json_text *text,
                   uint8_t *place)
{
    json_text plain = *text;
    if (type->kind == FRUGAL_KIND_STRING || type->kind == FRUGAL_KIND_BINARY)
        return json_read_key_text(r, type, at, text, place);
    if (LIKELY(!text->escaped))
        return key_of_text(r, type, at, text, place);
    frugal_arena_mark mark = arena_get_mark(r->arena);
    if (!json_read_unescaped(r, at, &plain) || !key_of_text(r, type, at, &plain, place))
        return false;
    frugal_arena_rewind(r->arena, mark);
    return true;
}
