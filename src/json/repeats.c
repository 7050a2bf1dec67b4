/* json/repeats.c - looking for repeated keys.
 *
 * A few keys are compared with each other, many are put in a hash table. Whoever chooses the keys
 * may make them collide; so the steps that the search may take are counted, and a map that wants
 * more is treated as if a key were repeated. That only means that it is written as pairs. */
#include "json/repeats.h"

#include "core/allocator.h"
#include "core/utf8.h"
#include "schema/walk.h"

#define FEW          8u  /* compared pair by pair */
#define PLACES_MIN   256 /* as many places are on the stack */
#define STEPS_FACTOR 16  /* steps for each key; by chance it takes one and a half */

/* A key as words: a text, or a number alone. */
typedef struct key {
    const char *text;
    size_t      len;
    int64_t     number;
} key;

ALWAYS_INLINE key key_at(const json_type *map, schema_span span, size_t index)
{
    const uint8_t *place = span.ptr + index * map->stride;
    key            found = { NULL, 0, 0 };
    if (map->key->kind == FRUGAL_KIND_STRING) {
        schema_span text = walk_span(place);
        if (text.ptr)
            found = (key){ (const char *)text.ptr, text.len, 0 };
    } else {
        found.number = walk_number(map->key->type, place);
    }
    return found;
}

/* Keys that differ mostly do so at one of their ends. */
static bool same(const key *a, const key *b)
{
    if (a->number != b->number || a->len != b->len)
        return false;
    size_t last = a->len - 1;
    return a->len == 0
           || (a->text[0] == b->text[0] && a->text[last] == b->text[last]
               && memcmp(a->text, b->text, a->len) == 0);
}

static bool are_utf8(const json_type *map, schema_span span)
{
    for (size_t i = 0; i < span.len; i++) {
        key it = key_at(map, span, i);
        if (utf8_valid_prefix(it.text, it.len) < it.len)
            return false;
    }
    return true;
}

static bool few_are_distinct(const json_type *map, schema_span span)
{
    key keys[FEW];
    for (size_t i = 0; i < span.len; i++) {
        keys[i] = key_at(map, span, i);
        for (size_t k = 0; k < i; k++)
            if (same(&keys[i], &keys[k]))
                return false;
    }
    return true;
}

static uint64_t hash_of(const key *it)
{
    if (it->text == NULL)
        return ((uint64_t)it->number * UINT64_C(0x9e3779b97f4a7c15)) >> 32;
    return json_hash(it->text, it->len);
}

/* A place holds the upper bits of a hash beside the index, so that most keys that differ are never
 * looked at. */
static bool many_are_distinct(const json_type *map, schema_span span, uint64_t *places, size_t mask)
{
    uint64_t steps = STEPS_FACTOR * (uint64_t)span.len;
    for (size_t i = 0; i < span.len; i++) {
        key      it   = key_at(map, span, i);
        uint64_t hash = hash_of(&it);
        size_t   at   = hash & mask;
        for (; places[at]; at = (at + 1) & mask) {
            key other = { NULL, 0, 0 };
            if (steps-- == 0)
                return false;
            if ((uint32_t)hash != places[at] >> 32)
                continue;
            other = key_at(map, span, (uint32_t)places[at] - 1);
            if (same(&it, &other))
                return false;
        }
        places[at] = hash << 32 | (i + 1);
    }
    return true;
}

frugal_status json_find_repeats(const json_type *map, schema_span span,
                                const frugal_allocator *allocator, bool *distinct)
{
    uint64_t  few_places[PLACES_MIN];
    uint64_t *places = few_places;
    size_t    count  = PLACES_MIN;
    *distinct        = map->key->kind != FRUGAL_KIND_STRING || are_utf8(map, span);
    if (!*distinct || span.len < 2)
        return FRUGAL_OK;
    if (span.len <= FEW) {
        *distinct = few_are_distinct(map, span);
        return FRUGAL_OK;
    }
    if (span.len >= UINT32_MAX / 2) {
        *distinct = false; /* an index would not fit; nobody reads an object as large as this */
        return FRUGAL_OK;
    }
    while (count < 2 * span.len)
        count *= 2;
    if (count > PLACES_MIN) {
        allocator = allocator_or_malloc(allocator);
        places    = allocator_resize(allocator, NULL, 0, count * sizeof *places);
        if (places == NULL)
            return FRUGAL_NOMEM;
    }
    memset(places, 0, count * sizeof *places);
    *distinct = many_are_distinct(map, span, places, count - 1);
    if (places != few_places)
        allocator_resize(allocator, places, count * sizeof *places, 0);
    return FRUGAL_OK;
}
