/* json/read_items.c - lists, sets and maps: how many there are is known only at the end.
 *
 * The array grows while elements arrive, in place when nothing was put behind it in the arena, else
 * by moving; a moved one is lost memory until the arena is reset, at most as much as the last. All
 * of it is charged to the budget. */
#include "schema/text.h"
#include "schema/walk.h"
#include "json/reader.h"

typedef struct items {
    uint8_t *ptr;
    size_t   count, capacity;
} items;

/* The first room: a few elements, many when they are small, one when it is large. */
#define FIRST_COUNT 4
#define FIRST_SIZE  128
#define LARGE_SIZE  512

/* Room for one more at least. Of those that may come, each takes two bytes of text. */
static NEVER_INLINE bool grow(json_reader *r, const json_type *type, items *all, const char *at)
{
    size_t stride    = type->stride;
    size_t plausible = all->count + (size_t)(r->scan.end - at) / 2 + 1;
    size_t capacity  = all->capacity * 2;
    if (capacity == 0)
        capacity = stride > LARGE_SIZE ? 1
                   : stride * FIRST_COUNT > FIRST_SIZE
                       ? FIRST_COUNT
                       : FIRST_SIZE / stride; /* no type has size 0 */
    if (capacity > plausible)
        capacity = plausible;
    size_t size = 0, old_size = all->capacity * stride;
    if (__builtin_mul_overflow(capacity, stride, &size))
        return json_read_no_memory(r, SIZE_MAX, at) != NULL;
    if (all->ptr && size - old_size <= r->budget
        && arena_resize(r->arena, all->ptr, old_size, size)) {
        r->budget -= size - old_size;
    } else {
        uint8_t *larger = json_read_alloc(r, size, type->align, at);
        if (larger == NULL)
            return false;
        if (all->count)
            memcpy(larger, all->ptr, all->count * stride);
        all->ptr = larger;
    }
    all->capacity = capacity;
    return true;
}

/* The place of the next element; NULL after a failure. */
ALWAYS_INLINE uint8_t *next_place(json_reader *r, const json_type *type, items *all, const char *at)
{
    if (UNLIKELY(all->count == all->capacity) && !grow(r, type, all, at))
        return NULL;
    return all->ptr + all->count * type->stride;
}

static void finish(json_reader *r, const json_type *type, const items *all, uint8_t *place)
{
    schema_span span = { all->ptr, all->count };
    if (all->count == 0)
        span.ptr = (const uint8_t *)schema_empty;
    else if (all->count < all->capacity)
        json_read_shrink(r, all->ptr, all->capacity * type->stride, all->count * type->stride);
    memcpy(place, &span, sizeof span);
}

/* Behind the opening bracket at `at`; `*more`: something is in it. */
static const char *enter(json_reader *r, const char *at, char close, bool *more)
{
    if (UNLIKELY(r->scan.left == 0))
        return json_fail_depth(&r->scan, at);
    at    = json_space(at + 1, r->scan.end);
    *more = at == r->scan.end || *at != close;
    return *more ? at : at + 1;
}

/* ---- lists and sets ------------------------------------------------------------------------- */

static const char *read_elements(json_reader *r, const json_type *type, const char *at, items *all)
{
    bool more = true;
    while (more) {
        uint8_t *place = next_place(r, type, all, at);
        at             = LIKELY(place != NULL) ? json_read_common(r, type->elem, at, place) : NULL;
        if (LIKELY(at != NULL))
            at = json_next_item(&r->scan, at, ']', &more);
        if (UNLIKELY(at == NULL)) {
            path_prepend_index(&r->path, all->count);
            return NULL;
        }
        all->count++;
    }
    return at;
}

const char *json_read_list(json_reader *r, const json_type *type, const char *at, uint8_t *place)
{
    items all = { NULL, 0, 0 };
    bool  more;
    if (UNLIKELY(at == r->scan.end) || UNLIKELY(*at != '['))
        return json_read_mismatch(r, type, at);
    at = enter(r, at, ']', &more);
    if (at && more) {
        r->scan.left--;
        at = read_elements(r, type, at, &all);
        r->scan.left++;
    }
    if (LIKELY(at != NULL))
        finish(r, type, &all, place);
    return at;
}

/* ---- maps ----------------------------------------------------------------------------------- */

/* The key is in its place, the value is not. */
static const char *read_entry_value(json_reader *r, const json_type *type, const char *at,
                                    const items *all, uint8_t *entry)
{
    at = json_read_common(r, type->elem, at, entry + type->value_offset);
    if (UNLIKELY(at == NULL))
        text_prepend_key(&r->path, type->type->key, entry, all->count);
    return at;
}

/* The common keys, strings and short integers, by the short way: behind the key. NULL is no
 * failure.
 */
ALWAYS_INLINE const char *read_common_key(json_reader *r, const json_type *key, const char *at,
                                          uint8_t *entry)
{
    int64_t value;
    if (key->kind == FRUGAL_KIND_STRING)
        return json_read_string(r, at, entry);
    if (key->kind < FRUGAL_KIND_I8 || key->kind > FRUGAL_KIND_I64)
        return NULL;
    const char *behind = json_short_integer(key, at + 1, r->scan.end, &value);
    if (behind == NULL || *behind != '"')
        return NULL;
    json_store_integer(key, value, entry);
    return behind + 1;
}

/* Behind the key at `at` and its colon. */
static const char *read_map_key(json_reader *r, const json_type *type, const char *at,
                                uint8_t *entry)
{
    json_text   key;
    const char *behind;
    if (LIKELY(at < r->scan.end) && *at == '"') {
        behind = read_common_key(r, type->key, at, entry);
        if (LIKELY(behind != NULL))
            return json_colon(&r->scan, behind);
    }
    behind = json_key(&r->scan, at, &key);
    return behind && json_read_key(r, type->key, at, &key, entry) ? behind : NULL;
}

static const char *read_member(json_reader *r, const json_type *type, const char *at,
                               const items *all, uint8_t *entry)
{
    at = read_map_key(r, type, at, entry);
    if (UNLIKELY(at == NULL)) {
        path_prepend_index(&r->path, all->count);
        return NULL;
    }
    return read_entry_value(r, type, at, all, entry);
}

static const char *fail_pair(json_reader *r, const items *all, const char *pair)
{
    if (r->scan.status == FRUGAL_OK)
        json_fail_kind(&r->scan, pair, "[key, value]");
    path_prepend_index(&r->path, all->count);
    return NULL;
}

static const char *read_pair(json_reader *r, const json_type *type, const char *at,
                             const items *all, uint8_t *entry)
{
    const char *pair = at, *end = r->scan.end;
    bool        more = false;
    if (at == end || *at != '[')
        return fail_pair(r, all, pair);
    at = json_space(at + 1, end);
    if (at == end || *at != ']') {
        at = json_read_value(r, type->key, at, entry);
        if (at)
            at = json_next_item(&r->scan, at, ']', &more);
    }
    if (at == NULL || !more)
        return fail_pair(r, all, pair);
    at = read_entry_value(r, type, at, all, entry);
    if (at == NULL)
        return NULL;
    at = json_next_item(&r->scan, at, ']', &more);
    return at == NULL || more ? fail_pair(r, all, pair) : at;
}

static const char *read_entries(json_reader *r, const json_type *type, const char *at, bool object,
                                items *all)
{
    bool more = true;
    while (more) {
        uint8_t *entry = next_place(r, type, all, at);
        if (UNLIKELY(entry == NULL)) {
            path_prepend_index(&r->path, all->count);
            return NULL;
        }
        at = object ? read_member(r, type, at, all, entry) : read_pair(r, type, at, all, entry);
        if (UNLIKELY(at == NULL))
            return NULL;
        at = json_next_item(&r->scan, at, object ? '}' : ']', &more);
        if (UNLIKELY(at == NULL)) {
            path_prepend_index(&r->path, all->count);
            return NULL;
        }
        all->count++;
    }
    return at;
}

const char *json_read_map(json_reader *r, const json_type *type, const char *at, uint8_t *place)
{
    items all = { NULL, 0, 0 };
    bool  more, object;
    bool  nested = type->key->kind >= FRUGAL_KIND_STRUCT;
    if (UNLIKELY(at == r->scan.end) || (*at != '[' && (*at != '{' || nested)))
        return nested ? json_fail_kind(&r->scan, at, "an array of [key, value]")
                      : json_read_mismatch(r, type, at);
    object = *at == '{';
    at     = enter(r, at, object ? '}' : ']', &more);
    if (at && more) {
        r->scan.left--;
        at = read_entries(r, type, at, object, &all);
        r->scan.left++;
    }
    if (LIKELY(at != NULL))
        finish(r, type, &all, place);
    return at;
}
