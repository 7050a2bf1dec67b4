/* json/reader.h - the state of one reading call, shared by who reads records (read.c), containers
 * (read_items.c) and single values (read_text.c, read_number.c).
 *
 * Each function takes where it stands and returns where it ends, or NULL after a failure: then the
 * scan has the error and the path grows on the way back. */
#ifndef JSON_READER_H
#define JSON_READER_H

#include "core/arena.h"
#include "core/digits.h"
#include "json/form.h"
#include "json/token.h"

typedef struct json_reader {
    json_scan     scan;
    frugal_arena *arena;
    size_t        budget, size_max; /* arena bytes that may still be taken; of all */
    bool          strict, binary_utf8;
    bool          keep_existing; /* only until the root was entered */
    path_builder  path;
} json_reader;

/* Any value into a place of its type. A struct by value is initialised before. */
const char *json_read_value(json_reader *r, const json_type *type, const char *at, uint8_t *place);

/* An object into the record; `afresh`: which is initialised before. */
const char *json_read_record(json_reader *r, const json_record *type, const char *at,
                             uint8_t *record, bool afresh);

/* A list, set or map. */
const char *json_read_list(json_reader *r, const json_type *type, const char *at, uint8_t *place);
const char *json_read_map(json_reader *r, const json_type *type, const char *at, uint8_t *place);

/* String or binary, in any of its forms. */
const char *json_read_text(json_reader *r, const json_type *type, const char *at, uint8_t *place);

/* The string at `at`, which begins with a quote, by the short way. NULL is no failure: then it
 * takes the long way. */
const char *json_read_string(json_reader *r, const char *at, uint8_t *place);

/* {"$hex": "…"}; `expected`: what else might have stood there. */
const char *json_read_hex(json_reader *r, const char *at, const char *expected, schema_span *bytes);

/* What a key of a map means, into a place of its type. `at` is where the key stands, for errors.
 * False after a failure. */
bool json_read_key(json_reader *r, const json_type *type, const char *at, const json_text *text,
                   uint8_t *place);
bool json_read_key_text(json_reader *r, const json_type *type, const char *at,
                        const json_text *text, uint8_t *place);

/* Numbers, bools and enums. */
const char *json_read_scalar(json_reader *r, const json_type *type, const char *at, uint8_t *place);

/* An integer in any of its forms: a whole number, or a string with one; within the type's range. */
const char *json_read_any_integer(json_reader *r, const json_type *type, const char *at,
                                  int64_t *value);

/* A value of another kind stands at `at`. */
const char *json_read_mismatch(json_reader *r, const json_type *type, const char *at);

/* Replaces a text that has escapes by what it means, in the arena until the caller rewinds it; what
 * this takes is not charged for longer. False after a failure. */
bool json_read_unescaped(json_reader *r, const char *at, json_text *text);

/* ---- integers ------------------------------------------------------------------------------- */

ALWAYS_INLINE void json_store_integer(const json_type *type, int64_t value, uint8_t *place)
{
    switch (type->kind) {
    case FRUGAL_KIND_I8: *place = (uint8_t)value; break;
    case FRUGAL_KIND_I16: store_u16(place, (uint16_t)value); break;
    case FRUGAL_KIND_I64: store_u64(place, (uint64_t)value); break;
    default: store_u32(place, (uint32_t)value); break;
    }
}

ALWAYS_INLINE bool json_fits(const json_type *type, int64_t value)
{
    switch (type->kind) {
    case FRUGAL_KIND_I8: return value == (int8_t)value;
    case FRUGAL_KIND_I16: return value == (int16_t)value;
    case FRUGAL_KIND_I64: return true;
    default: return value == (int32_t)value;
    }
}

/* Most integers have up to fifteen digits and nothing else: eight at once, twice. NULL for all
 * others. The byte behind them is among those that are loaded. */
ALWAYS_INLINE const char *json_short_integer(const json_type *type, const char *at, const char *end,
                                             int64_t *value)
{
    static const uint32_t tens[8] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000 };
    if (UNLIKELY(end - at < 17))
        return NULL;
    bool        minus = *at == '-';
    const char *first = at + minus, *p = first;
    uint64_t    word   = digits_load(p) ^ DIGITS_ZEROS;
    unsigned    count  = digits_leading(word);
    uint64_t    number = count ? digits_join(word << (64 - 8 * count)) : 0;
    p += count;
    if (count == 8) {
        word  = digits_load(p) ^ DIGITS_ZEROS;
        count = digits_leading(word);
        if (count)
            number = number * tens[count & 7] + digits_join(word << (64 - 8 * count));
        p += count;
    }
    *value     = minus ? -(int64_t)number : (int64_t)number;
    bool plain = count < 8 && p > first && (*first != '0' || p == first + 1) && *p != '.'
                 && (*p | 0x20) != 'e';
    return LIKELY(plain) && LIKELY(json_fits(type, *value)) ? p : NULL;
}

/* Any integer into its place. */
ALWAYS_INLINE const char *json_read_integer(json_reader *r, const json_type *type, const char *at,
                                            uint8_t *place)
{
    int64_t     value;
    const char *behind = json_short_integer(type, at, r->scan.end, &value);
    if (UNLIKELY(behind == NULL))
        behind = json_read_any_integer(r, type, at, &value);
    if (LIKELY(behind != NULL))
        json_store_integer(type, value, place);
    return behind;
}

/* Any value but a struct by value, the common kinds without a call more than they need. */
ALWAYS_INLINE const char *json_read_common(json_reader *r, const json_type *type, const char *at,
                                           uint8_t *place)
{
    switch (type->kind) {
    case FRUGAL_KIND_ENUM:
        if (at < r->scan.end && *at == '"')
            return json_read_scalar(r, type, at, place);
        /* fall through */
    case FRUGAL_KIND_I8:
    case FRUGAL_KIND_I16:
    case FRUGAL_KIND_I32:
    case FRUGAL_KIND_I64: return json_read_integer(r, type, at, place);
    case FRUGAL_KIND_BOOL:
    case FRUGAL_KIND_DOUBLE: return json_read_scalar(r, type, at, place);
    case FRUGAL_KIND_STRING:
    case FRUGAL_KIND_BINARY: return json_read_text(r, type, at, place);
    default: return json_read_value(r, type, at, place);
    }
}

/* ---- memory --------------------------------------------------------------------------------- */

/* Each NULL or false after a failure. */
void *json_read_no_memory(json_reader *r, size_t size, const char *at);

ALWAYS_INLINE bool json_read_charge(json_reader *r, size_t size, const char *at)
{
    if (UNLIKELY(size > r->budget))
        return json_read_no_memory(r, size, at) != NULL;
    r->budget -= size;
    return true;
}

ALWAYS_INLINE void *json_read_alloc(json_reader *r, size_t size, size_t align, const char *at)
{
    if (LIKELY(size <= r->budget)) {
        void *memory = arena_alloc(r->arena, size, align);
        if (LIKELY(memory != NULL)) {
            r->budget -= size;
            return memory;
        }
    }
    return json_read_no_memory(r, size, at);
}

/* Gives back the end of the newest allocation, when it still is that. */
ALWAYS_INLINE void json_read_shrink(json_reader *r, void *ptr, size_t old_size, size_t size)
{
    if (arena_resize(r->arena, ptr, old_size, size))
        r->budget += old_size - size;
}

ALWAYS_INLINE void json_read_initialise(const json_record *type, uint8_t *record)
{
    if (UNLIKELY(type->initial != NULL))
        memcpy(record, type->initial, type->type->size);
    else
        memset(record, 0, type->type->size);
}

#endif /* JSON_READER_H */
