/* json/read.c - JSON text into a record.
 *
 * Keys are predicted: after a member comes mostly the one behind it in the table, written as we
 * write it, and one comparison of its key, quotes and colon together, says so. Only a miss looks
 * the name up. A set of seen members tells repeated ones, and the required ones that are missing.
 */
#include "json/reader.h"

#include <stdio.h>

#include "core/allocator.h"
#include "schema/walk.h"
#include "wire/binary.h"
#include "json/json.h"

/* Seen bits of so many words are on the stack; of wider records in the arena. */
#define SEEN_FEW 4

/* What is known of the record that is being read. */
typedef struct filling {
    const json_record *type;
    uint8_t           *record;
    uint64_t          *seen;
    bool               existing; /* it was not initialised: what is in it stays */
    bool               has_arm;  /* union: the text had one */
} filling;

/* ---- failures ------------------------------------------------------------------------------- */

void *json_read_no_memory(json_reader *r, size_t size, const char *at)
{
    if (size > r->budget)
        json_fail(&r->scan, at, FRUGAL_BUDGET, "needs %zu byte%s of memory more, size_max is %zu",
                  size, plural_s(size), r->size_max);
    else
        json_fail(&r->scan, at, FRUGAL_NOMEM, "no memory for %zu byte%s", size, plural_s(size));
    return NULL;
}

const char *json_read_mismatch(json_reader *r, const json_type *type, const char *at)
{
    char text[48];
    schema_type_text(type->type, text, sizeof text);
    return json_fail_kind(&r->scan, at, text);
}

static NEVER_INLINE const char *fail_object(json_reader *r, const json_record *type, const char *at)
{
    char text[64];
    snprintf(text, sizeof text, "an object (%s)", type->type->name);
    return json_fail_kind(&r->scan, at, text);
}

static const char *fail_unknown(json_reader *r, const json_record *type, const char *key)
{
    char word[JSON_WORD_MAX];
    return json_fail(&r->scan, key, FRUGAL_NOTFOUND, "%s has no field %s", type->type->name,
                     json_word(&r->scan, key, word));
}

static const char *fail_repeated(json_reader *r, const char *key, const json_field *field)
{
    json_fail(&r->scan, key, FRUGAL_DUPLICATE, "the member was there before");
    path_prepend_name(&r->path, field->field->name);
    return NULL;
}

static const char *fail_missing(json_reader *r, const char *at, const json_field *field,
                                const char *sentence)
{
    json_fail(&r->scan, at, FRUGAL_MISSING, "%s", sentence);
    path_prepend_name(&r->path, field->field->name);
    return NULL;
}

/* ---- keys ----------------------------------------------------------------------------------- */

/* Whether the key, quotes and colon of a field stand at `at`. Compared with overlapping loads, so
 * that nothing behind is read; a key has four bytes at least. */
ALWAYS_INLINE bool is_key(const char *at, const char *end, const json_field *field)
{
    const char *key = field->key.ptr + 1; /* without the comma */
    size_t      len = field->key.len - 1;
    if (UNLIKELY((size_t)(end - at) < len))
        return false;
    if (len < 8)
        return ((load_u32(at) ^ load_u32(key)) | (load_u32(at + len - 4) ^ load_u32(key + len - 4)))
               == 0;
    if (load_u64(at) != load_u64(key))
        return false;
    for (size_t done = 8; done + 8 < len; done += 8)
        if (load_u64(at + done) != load_u64(key + done))
            return false;
    return load_u64(at + len - 8) == load_u64(key + len - 8);
}

/* Behind the key at `at` and its colon. `*field` NULL: no field is called that, `*kept` tells
 * whether it means the unknown fields. */
static NEVER_INLINE const char *find_key(json_reader *r, const json_record *type, const char *at,
                                         const json_field **field, bool *kept)
{
    json_text         key;
    frugal_arena_mark mark   = arena_get_mark(r->arena);
    const char       *behind = json_key(&r->scan, at, &key);
    if (behind == NULL)
        return NULL;
    bool escaped = key.escaped;
    if (escaped && !json_read_unescaped(r, at, &key))
        return NULL;
    *field = json_find_field(type, key.ptr, key.len);
    *kept  = type->keeper != JSON_NONE && *field == NULL
            && json_text_is(&key, JSON_UNKNOWN_KEY, sizeof JSON_UNKNOWN_KEY - 1);
    if (UNLIKELY(escaped))
        frugal_arena_rewind(r->arena, mark);
    if (*field == NULL && !*kept && r->strict)
        return fail_unknown(r, type, at);
    return behind;
}

/* ---- fields --------------------------------------------------------------------------------- */

/* The field as it was before anything was read into it. */
static void reset_field(const filling *f, const json_field *field)
{
    uint8_t *place = f->record + field->offset;
    size_t   size  = field->field->type.size;
    if (f->type->initial)
        memcpy(place, (const uint8_t *)f->type->initial + field->offset, size);
    else
        memset(place, 0, size);
    if (field->presence == SCHEMA_HAS_BYTE)
        f->record[field->has] = 0;
}

ALWAYS_INLINE bool was_seen(const filling *f, const json_field *field)
{
    return (f->seen[field->seen_word] & field->seen_bit) != 0;
}

/* null means absent, and also that what came before under this name does not count. */
static NEVER_INLINE const char *read_null(json_reader *r, const filling *f, const json_field *field,
                                          const char *at)
{
    const char *behind = json_literal(&r->scan, at, "null");
    if (behind == NULL) {
        path_prepend_name(&r->path, field->field->name);
        return NULL;
    }
    if (field->required)
        return fail_missing(r, at, field, "null for a required field");
    if (was_seen(f, field)) {
        if (!json_read_charge(r, field->field->type.size, at))
            return NULL;
        reset_field(f, field);
        if (f->type->type->is_union)
            store_u32(f->record + f->type->type->which, 0);
    }
    return behind;
}

static const char *read_struct(json_reader *r, const filling *f, const json_field *field,
                               const char *at, bool repeated)
{
    const json_record *type  = field->type.record;
    uint8_t           *place = f->record + field->offset;
    if (field->type.indirect)
        return json_read_value(r, &field->type, at, place);
    if (UNLIKELY(repeated) && !json_read_charge(r, type->type->size, at))
        return NULL;
    return json_read_record(r, type, at, place, repeated || field->starts_afresh || f->existing);
}

/* The value of a field at `at`, whose key stands at `key`. */
ALWAYS_INLINE const char *read_field(json_reader *r, filling *f, const json_field *field,
                                     const char *key, const char *at)
{
    bool repeated = was_seen(f, field);
    if (UNLIKELY(at < r->scan.end && *at == 'n'))
        return read_null(r, f, field, at);
    if (UNLIKELY(repeated) && r->strict)
        return fail_repeated(r, key, field);
    f->seen[field->seen_word] |= field->seen_bit;
    if (field->type.kind == FRUGAL_KIND_STRUCT)
        at = read_struct(r, f, field, at, repeated);
    else
        at = json_read_common(r, &field->type, at, f->record + field->offset);
    if (UNLIKELY(at == NULL)) {
        path_prepend_name(&r->path, field->field->name);
        return NULL;
    }
    if (field->presence == SCHEMA_HAS_BYTE)
        f->record[field->has] = 1;
    return at;
}

/* Before an arm is read: the last one wins, whole, and under strict there may be one only. */
static NEVER_INLINE bool begin_arm(json_reader *r, filling *f, const char *key, const char *at)
{
    const frugal_struct *type = f->type->type;
    if (at < r->scan.end && *at == 'n')
        return true;
    if (f->has_arm && r->strict) {
        json_fail(&r->scan, key, FRUGAL_DUPLICATE, "union %s has an arm already", type->name);
        return false;
    }
    f->has_arm = true;
    if (walk_which(type, f->record) == 0)
        return true;
    if (!json_read_charge(r, type->size, at))
        return false;
    schema_span kept = { NULL, 0 };
    if (f->type->keeper != JSON_NONE)
        kept = walk_span(f->record + f->type->keeper);
    json_read_initialise(f->type, f->record);
    if (f->type->keeper != JSON_NONE)
        memcpy(f->record + f->type->keeper, &kept, sizeof kept);
    memset(f->seen, 0, JSON_SEEN_WORDS(f->type->count) * sizeof *f->seen);
    return true;
}

/* Kept unknown fields are written as they are: so they must be fields. */
static bool are_fields(const schema_span *bytes, wire_fault *fault)
{
    const uint8_t *p = bytes->ptr, *end = p + bytes->len;
    while (p && p < end) {
        if (*p == 0 || (size_t)(end - p) < BINARY_FIELD_SIZE)
            return false;
        p = binary_skip(p + BINARY_FIELD_SIZE, end, *p, FRUGAL_DEPTH_MAX, FRUGAL_DEPTH_MAX, fault);
    }
    return p != NULL;
}

static NEVER_INLINE const char *read_unknown(json_reader *r, const filling *f, const char *at)
{
    wire_fault  fault;
    schema_span bytes;
    const char *behind = json_read_hex(r, at, "{\"$hex\": \"\"}", &bytes);
    if (behind && bytes.len && !are_fields(&bytes, &fault))
        behind = json_fail(&r->scan, at, FRUGAL_MALFORMED, "the bytes are no fields of a struct");
    if (behind == NULL) {
        path_prepend_name(&r->path, JSON_UNKNOWN_KEY);
        return NULL;
    }
    if (bytes.len == 0)
        bytes.ptr = NULL;
    memcpy(f->record + f->type->keeper, &bytes, sizeof bytes);
    return behind;
}

/* ---- records -------------------------------------------------------------------------------- */

static NEVER_INLINE const char *check_required(json_reader *r, const filling *f, const char *behind)
{
    for (uint32_t i = 0; i < JSON_SEEN_WORDS(f->type->count); i++) {
        uint64_t missing = f->type->required[i] & ~f->seen[i];
        if (missing) {
            uint32_t index = i * 64 + (uint32_t)__builtin_ctzll(missing);
            return fail_missing(r, behind - 1, &f->type->members[index],
                                "a required field is missing");
        }
    }
    return behind;
}

/* A key that is not the expected one: the field it names, and where its value begins. What no field
 * is called is read or passed over here; then `*field` is NULL. */
static NEVER_INLINE const char *read_other_key(json_reader *r, const filling *f, const char *at,
                                               const json_field **field)
{
    bool kept;
    at = find_key(r, f->type, at, field, &kept);
    if (at == NULL || *field)
        return at;
    return kept ? read_unknown(r, f, at) : json_skip(&r->scan, at);
}

/* `at` is behind the opening brace. */
static const char *read_members(json_reader *r, filling *f, const char *at)
{
    const json_field *expected = f->type->members, *last = expected + f->type->count;
    const char       *end      = r->scan.end;
    bool              is_union = f->type->type->is_union;
    bool              more     = true;
    at                         = json_space(at, end);
    if (at < end && *at == '}')
        return at + 1;
    while (more) {
        const char       *key   = at;
        const json_field *field = expected;
        if (LIKELY(expected < last) && LIKELY(is_key(at, end, expected)))
            at = json_space(at + expected->key.len - 1, end);
        else
            at = read_other_key(r, f, at, &field);
        if (UNLIKELY(at == NULL))
            return NULL;
        if (LIKELY(field != NULL)) {
            const char *value = at;
            if (UNLIKELY(is_union) && !begin_arm(r, f, key, at))
                return NULL;
            at = read_field(r, f, field, key, at);
            if (UNLIKELY(at == NULL))
                return NULL;
            if (UNLIKELY(is_union) && *value != 'n')
                store_u32(f->record + f->type->type->which, (uint32_t)(int32_t)field->field->id);
            expected = field + 1;
        }
        at = json_next_item(&r->scan, at, '}', &more);
        if (UNLIKELY(at == NULL))
            return NULL;
    }
    return at;
}

const char *json_read_record(json_reader *r, const json_record *type, const char *at,
                             uint8_t *record, bool afresh)
{
    uint64_t few[SEEN_FEW];
    filling  f     = { type, record, few, !afresh && r->keep_existing, false };
    uint32_t words = JSON_SEEN_WORDS(type->count);
    if (UNLIKELY(at == r->scan.end) || UNLIKELY(*at != '{'))
        return fail_object(r, type, at);
    if (UNLIKELY(r->scan.left == 0))
        return json_fail_depth(&r->scan, at);
    if (UNLIKELY(words > SEEN_FEW)) {
        f.seen = json_read_alloc(r, words * sizeof *f.seen, sizeof *f.seen, at);
        if (f.seen == NULL)
            return NULL;
    }
    for (uint32_t i = 0; i < words; i++)
        f.seen[i] = 0;
    if (afresh)
        json_read_initialise(type, record);
    r->keep_existing = false; /* that is for the root alone */
    r->scan.left--;
    at = read_members(r, &f, at + 1);
    r->scan.left++;
    if (UNLIKELY(at == NULL))
        return NULL;
    if (type->required)
        at = check_required(r, &f, at);
    /* The arm counts; what is beside it would not be written. */
    if (UNLIKELY(type->type->is_union) && type->keeper != JSON_NONE
        && walk_which(type->type, record))
        memset(record + type->keeper, 0, sizeof(schema_span));
    return at;
}

const char *json_read_value(json_reader *r, const json_type *type, const char *at, uint8_t *place)
{
    switch (type->kind) {
    case FRUGAL_KIND_STRING:
    case FRUGAL_KIND_BINARY: return json_read_text(r, type, at, place);
    case FRUGAL_KIND_LIST:
    case FRUGAL_KIND_SET: return json_read_list(r, type, at, place);
    case FRUGAL_KIND_MAP: return json_read_map(r, type, at, place);
    case FRUGAL_KIND_STRUCT: break;
    default: return json_read_scalar(r, type, at, place);
    }
    if (type->indirect) {
        const json_record *record = type->record;
        uint8_t           *inner  = json_read_alloc(r, record->type->size, record->type->align, at);
        if (inner == NULL)
            return NULL;
        memcpy(place, &inner, sizeof inner);
        place = inner;
    }
    return json_read_record(r, type->record, at, place, true);
}

/* ---- the door ------------------------------------------------------------------------------- */

static size_t default_size_max(size_t text)
{
    size_t least = (size_t)64 << 20;
    size_t most  = text > SIZE_MAX / 64 ? SIZE_MAX : 64 * text;
    return most > least ? most : least;
}

static frugal_status refuse(frugal_ref value, const json_value *text, const frugal_arena *arena,
                            const frugal_json_read_options *options, frugal_error *error)
{
    if (value.ptr == NULL)
        return error_set(error, FRUGAL_INVALID, "no record to read into");
    if (arena == NULL)
        return error_set(error, FRUGAL_INVALID, "no arena");
    if (text->text.ptr == NULL && text->text.len)
        return error_set(error, FRUGAL_INVALID, "NULL text of %zu bytes", text->text.len);
    if (options->struct_size && options->struct_size < sizeof *options)
        return error_set(error, FRUGAL_INVALID, "options of an unknown size: %zu",
                         options->struct_size);
    if (options->depth_max > FRUGAL_DEPTH_MAX)
        return error_set(error, FRUGAL_INVALID, "depth_max %u is above %d", options->depth_max,
                         FRUGAL_DEPTH_MAX);
    return FRUGAL_OK;
}

static const char *read_root(json_reader *r, const json_record *root, void *record, bool whole)
{
    if (r->keep_existing && root->keeper != JSON_NONE)
        memset((uint8_t *)record + root->keeper, 0, sizeof(schema_span));
    const char *at = json_space(r->scan.start, r->scan.end);
    at             = json_read_record(r, root, at, record, !r->keep_existing);
    if (at == NULL || !whole)
        return at;
    const char *behind = json_space(at, r->scan.end);
    return behind == r->scan.end ? at : json_fail_word(&r->scan, behind, "the end of the text");
}

static frugal_status read_text_at(frugal_ref value, const json_value *text, frugal_arena *arena,
                                  const frugal_json_read_options *options, size_t *used,
                                  frugal_error *error)
{
    static const frugal_json_read_options defaults;
    const json_form                      *form;
    options              = options ? options : &defaults;
    frugal_status status = refuse(value, text, arena, options, error);
    if (status == FRUGAL_OK)
        status = json_form_get(value.type, &form, error);
    if (status)
        return status;

    frugal_arena_mark mark = arena_get_mark(arena);
    json_reader r = { .scan  = json_scan_of(text->text, text->place, options->depth_max, error),
                      .arena = arena,
                      .size_max =
                          options->size_max ? options->size_max : default_size_max(text->text.len),
                      .strict        = options->strict,
                      .binary_utf8   = options->binary_utf8,
                      .keep_existing = options->keep_existing };
    r.budget      = r.size_max;
    path_init(&r.path);
    const char *behind = read_root(&r, form->root, value.ptr, used == NULL);
    if (behind == NULL) {
        frugal_arena_rewind(arena, mark);
        schema_init(value.type, value.ptr);
        path_finish(&r.path, error);
        return r.scan.status;
    }
    if (used)
        *used = (size_t)(behind - r.scan.start);
    return FRUGAL_OK;
}

frugal_status frugal_json_read(frugal_ref value, frugal_str text, frugal_arena *arena,
                               const frugal_json_read_options *options, size_t *used,
                               frugal_error *error)
{
    return read_text_at(value, &(json_value){ text, JSON_PLACE_FIRST }, arena, options, used,
                        error);
}

frugal_status json_get_record(frugal_ref record, const json_value *value, frugal_arena *arena,
                              const frugal_json_read_options *options, frugal_error *error)
{
    return read_text_at(record, value, arena, options, NULL, error);
}
