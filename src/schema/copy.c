/* schema/copy.c - a deep copy of a record.
 *
 * The bytes of a record are copied at once, and likewise those of a list or map; then the copy
 * walks through itself and replaces each pointer by one to a copy of what it points at. So scalars
 * and whole lists of scalars cost one memcpy. While it walks, the copy may still point into the
 * original; on failure it is initialised and nobody sees that. */
#include "core/arena.h"
#include "core/status.h"
#include "schema/text.h"
#include "schema/walk.h"

typedef struct copier {
    frugal_arena *arena;
    frugal_error *error;
    path_builder  path; /* grows on the way back from a failure */
    uint32_t      depth;
} copier;

static frugal_status own_record(copier *c, const frugal_struct *type, uint8_t *record);
static frugal_status own_place(copier *c, const frugal_type *type, uint8_t *place);

frugal_status frugal_copy(frugal_ref to, frugal_view from, frugal_arena *arena, frugal_error *error)
{
    if (!to.type || !to.ptr || !from.type || !from.ptr || !arena)
        return error_set(error, FRUGAL_INVALID, "a record, its table or the arena is NULL");
    if (to.type != from.type)
        return error_set(error, FRUGAL_INVALID, "the records have different tables");
    if (to.ptr == from.ptr)
        return error_set(error, FRUGAL_INVALID, "a record cannot be copied to itself");
    frugal_status status = walk_ready(to.type, arena->allocator, error);
    if (status)
        return status;

    copier            c    = { .arena = arena, .error = error };
    frugal_arena_mark mark = frugal_arena_get_mark(arena);
    path_init(&c.path);
    memcpy(to.ptr, from.ptr, to.type->size);
    status = own_record(&c, to.type, to.ptr);
    if (status) {
        path_finish(&c.path, error);
        schema_init(to.type, to.ptr);
        frugal_arena_rewind(arena, mark);
    }
    return status;
}

/* ---- failures, out of line: their arguments are no part of the frames that recurse ---------- */

static NEVER_INLINE frugal_status fail_depth(copier *c)
{
    return error_set(c->error, FRUGAL_DEPTH, WALK_TOO_DEEP);
}

static NEVER_INLINE frugal_status fail_memory(copier *c)
{
    return error_set(c->error, FRUGAL_NOMEM, "out of memory in the arena");
}

static NEVER_INLINE frugal_status fail_span(copier *c, size_t len)
{
    return error_set(c->error, FRUGAL_INVALID, WALK_NO_PTR, len);
}

static NEVER_INLINE frugal_status fail_arm(copier *c, const frugal_struct *type, int32_t which)
{
    return error_set(c->error, FRUGAL_INVALID, WALK_NO_ARM, type->name, (int)which);
}

/* ---- text ----------------------------------------------------------------------------------- */

static void store_ptr(void *place, const void *pointer)
{
    memcpy(place, &pointer, sizeof pointer);
}

/* Empty stays present, but must not point at what may be freed before the copy. */
static void own_empty(schema_span span, uint8_t *place)
{
    if (span.ptr)
        store_ptr(place, schema_empty);
}

static NEVER_INLINE frugal_status own_text(copier *c, uint8_t *place)
{
    schema_span span = walk_span(place);
    if (walk_span_is_broken(span))
        return fail_span(c, span.len);
    if (span.len == 0) {
        own_empty(span, place);
        return FRUGAL_OK;
    }
    uint8_t *text = arena_alloc_bytes(c->arena, span.len);
    if (text == NULL)
        return fail_memory(c);
    memcpy(text, span.ptr, span.len);
    store_ptr(place, text);
    return FRUGAL_OK;
}

/* ---- lists, sets, maps ---------------------------------------------------------------------- */

static void make_bools(uint8_t *places, size_t count)
{
    for (size_t i = 0; i < count; i++)
        places[i] = places[i] != 0;
}

static frugal_status own_elements(copier *c, const frugal_type *elem, uint8_t *items, size_t count,
                                  uint32_t stride)
{
    for (size_t i = 0; i < count; i++) {
        frugal_status status = own_place(c, elem, items + i * stride);
        if (status) {
            path_prepend_index(&c->path, i);
            return status;
        }
    }
    return FRUGAL_OK;
}

static frugal_status own_entries(copier *c, const frugal_type *map, uint8_t *items, size_t count)
{
    uint32_t value_offset = schema_value_offset(map);
    for (size_t i = 0; i < count; i++) {
        uint8_t      *entry  = items + i * map->stride;
        frugal_status status = own_place(c, map->key, entry);
        if (status == FRUGAL_OK)
            status = own_place(c, map->elem, entry + value_offset);
        if (status) {
            text_prepend_key(&c->path, map->key, entry, i);
            return status;
        }
    }
    return FRUGAL_OK;
}

/* One block for all elements or entries, still pointing into the original; NULL: no memory. */
static NEVER_INLINE uint8_t *copy_items(copier *c, const frugal_type *type, schema_span span)
{
    size_t size;
    if (__builtin_mul_overflow(span.len, (size_t)type->stride, &size))
        return NULL;
    uint32_t align = schema_align(type->elem);
    if (type->key && schema_align(type->key) > align)
        align = schema_align(type->key);
    uint8_t *items = arena_alloc(c->arena, size, align);
    if (items)
        memcpy(items, span.ptr, size);
    return items;
}

static frugal_status own_items(copier *c, const frugal_type *type, uint8_t *items, size_t count)
{
    if (walk_is_plain(type->elem) && (type->key == NULL || walk_is_plain(type->key)))
        return FRUGAL_OK;
    if (type->key)
        return own_entries(c, type, items, count);
    if (type->elem->kind == FRUGAL_KIND_BOOL && type->stride == 1) {
        make_bools(items, count);
        return FRUGAL_OK;
    }
    return own_elements(c, type->elem, items, count, type->stride);
}

static frugal_status own_container(copier *c, const frugal_type *type, uint8_t *place)
{
    schema_span span = walk_span(place);
    if (walk_span_is_broken(span))
        return fail_span(c, span.len);
    if (c->depth == WALK_DEPTH_MAX)
        return fail_depth(c);
    if (span.len == 0) {
        own_empty(span, place);
        return FRUGAL_OK;
    }
    uint8_t *items = copy_items(c, type, span);
    if (items == NULL)
        return fail_memory(c);
    store_ptr(place, items);
    c->depth++;
    frugal_status status = own_items(c, type, items, span.len);
    c->depth--;
    return status;
}

/* ---- structs -------------------------------------------------------------------------------- */

static frugal_status own_struct(copier *c, const frugal_type *type, uint8_t *place)
{
    const frugal_struct *record = type->record;
    if (!type->indirect)
        return own_record(c, record, place);
    const uint8_t *from = walk_pointer(place);
    if (from == NULL)
        return c->depth == WALK_DEPTH_MAX ? fail_depth(c) : FRUGAL_OK;
    uint8_t *to = arena_alloc(c->arena, record->size, record->align);
    if (to == NULL)
        return fail_memory(c);
    memcpy(to, from, record->size);
    store_ptr(place, to);
    return own_record(c, record, to);
}

static frugal_status own_place(copier *c, const frugal_type *type, uint8_t *place)
{
    switch (type->kind) {
    case FRUGAL_KIND_BOOL: make_bools(place, 1); return FRUGAL_OK;
    case FRUGAL_KIND_STRING:
    case FRUGAL_KIND_BINARY: return own_text(c, place);
    case FRUGAL_KIND_LIST:
    case FRUGAL_KIND_SET:
    case FRUGAL_KIND_MAP: return own_container(c, type, place);
    case FRUGAL_KIND_STRUCT: return own_struct(c, type, place);
    default: return FRUGAL_OK;
    }
}

static frugal_status own_named(copier *c, const frugal_field *field, uint8_t *record)
{
    frugal_status status = own_place(c, &field->type, record + field->offset);
    if (status)
        path_prepend_name(&c->path, field->name);
    return status;
}

static frugal_status own_fields(copier *c, const frugal_struct *type, uint8_t *record)
{
    for (uint32_t i = 0; i < type->field_count; i++) {
        const frugal_field *field = &type->fields[i];
        if (field->has)
            make_bools(record + field->has, 1);
        if (field->need != FRUGAL_NEED_UNKNOWN && !walk_present(field, record))
            continue;
        frugal_status status = own_named(c, field, record);
        if (status)
            return status;
    }
    return FRUGAL_OK;
}

static frugal_status own_arm(copier *c, const frugal_struct *type, uint8_t *record)
{
    const frugal_field *arm    = walk_arm(type, record);
    const frugal_field *keeper = schema_keeper(type);
    if (arm == NULL && walk_which(type, record) != 0)
        return fail_arm(c, type, walk_which(type, record));
    frugal_status status = arm ? own_named(c, arm, record) : FRUGAL_OK;
    if (status == FRUGAL_OK && keeper)
        status = own_named(c, keeper, record);
    return status;
}

static frugal_status own_record(copier *c, const frugal_struct *type, uint8_t *record)
{
    if (c->depth == WALK_DEPTH_MAX)
        return fail_depth(c);
    c->depth++;
    frugal_status status = type->is_union ? own_arm(c, type, record) : own_fields(c, type, record);
    c->depth--;
    return status;
}
