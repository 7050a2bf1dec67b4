/* json/form.c - making the form of a table.
 *
 * Tables refer to each other in circles, and types may be a lattice with more paths than memory has
 * bytes. So there is no recursion: all records, containers and enums that can be reached are put in
 * a queue, each once; then each gets its place in the arena; then they are filled in. */
#include "json/form.h"

#include <stdlib.h>

#include "core/allocator.h"
#include "core/status.h"
#include "core/utf8.h"
#include "schema/visited.h"
#include "json/escape.h"

enum note { NOTE_RECORD, NOTE_CONTAINER, NOTE_ENUM };

typedef struct maker {
    frugal_arena *arena;
    frugal_error *error;
    visited       queue;
    void        **made; /* by index in the queue: json_record, json_type, json_names */
} maker;

static frugal_status no_memory(maker *m)
{
    return error_set(m->error, FRUGAL_NOMEM, "no memory to prepare a table for JSON");
}

/* ---- what is there -------------------------------------------------------------------------- */

static bool add(maker *m, const void *address, enum note note)
{
    return visited_find(&m->queue, address) != VISITED_NONE
           || visited_add(&m->queue, address, note) != VISITED_NONE;
}

static bool add_parts(maker *m, const frugal_type *type)
{
    switch (type->kind) {
    case FRUGAL_KIND_STRUCT: return add(m, type->record, NOTE_RECORD);
    case FRUGAL_KIND_ENUM: return type->names == NULL || add(m, type->names, NOTE_ENUM);
    case FRUGAL_KIND_LIST:
    case FRUGAL_KIND_SET: return add(m, type->elem, NOTE_CONTAINER);
    case FRUGAL_KIND_MAP:
        return add(m, type->key, NOTE_CONTAINER) && add(m, type->elem, NOTE_CONTAINER);
    default: return true;
    }
}

static bool add_fields(maker *m, const frugal_struct *type)
{
    for (uint32_t i = 0; i < type->field_count; i++)
        if (type->fields[i].need != FRUGAL_NEED_UNKNOWN && !add_parts(m, &type->fields[i].type))
            return false;
    return true;
}

static frugal_status discover(maker *m, const frugal_struct *root)
{
    if (!add(m, root, NOTE_RECORD))
        return no_memory(m);
    for (uint32_t i = 0; i < m->queue.count; i++) {
        visited_node node = m->queue.nodes[i];
        bool         done = node.note == NOTE_RECORD      ? add_fields(m, node.address)
                            : node.note == NOTE_CONTAINER ? add_parts(m, node.address)
                                                          : true;
        if (!done)
            return no_memory(m);
    }
    return FRUGAL_OK;
}

static frugal_status make_places(maker *m)
{
    static const size_t sizes[] = { [NOTE_RECORD]    = sizeof(json_record),
                                    [NOTE_CONTAINER] = sizeof(json_type),
                                    [NOTE_ENUM]      = sizeof(json_names) };
    m->made                     = frugal_arena_items(m->arena, m->queue.count, sizeof *m->made);
    if (m->made == NULL)
        return no_memory(m);
    for (uint32_t i = 0; i < m->queue.count; i++) {
        m->made[i] = frugal_arena_items(m->arena, 1, sizes[m->queue.nodes[i].note]);
        if (m->made[i] == NULL)
            return no_memory(m);
    }
    return FRUGAL_OK;
}

static const void *made_of(const maker *m, const void *address)
{
    return m->made[visited_find(&m->queue, address)];
}

/* ---- texts and look-up ---------------------------------------------------------------------- */

/* `before`, the quoted name, `after`. */
static frugal_status make_text(maker *m, const char *before, const char *name, const char *after,
                               json_ready *text)
{
    size_t len  = strlen(name);
    bool   high = false;
    if (len > UINT32_MAX / 8)
        return error_set(m->error, FRUGAL_DESCRIPTOR, "a name of %zu bytes", len);
    if (utf8_valid_prefix(name, len) < len)
        return error_set(m->error, FRUGAL_DESCRIPTOR, "the name %.40s is not UTF-8", name);
    char *start = frugal_arena_items(m->arena, 1, json_escape_room(len) + JSON_TEXT_PAD + 2);
    if (start == NULL)
        return no_memory(m);
    char *at = start;
    at       = memcpy(at, before, strlen(before));
    at       = json_escape_write(at + strlen(before), name, len, &high);
    memcpy(at, after, strlen(after));
    text->ptr = start;
    text->len = (uint32_t)(at - start + (ptrdiff_t)strlen(after));
    return FRUGAL_OK;
}

static uint32_t *make_lookup(maker *m, size_t count, json_lookup *lookup)
{
    size_t size = 4;
    while (size < count * 2)
        size *= 2;
    uint32_t *places = frugal_arena_items(m->arena, size, sizeof *places);
    lookup->places   = places;
    lookup->mask     = (uint32_t)(size - 1);
    return places;
}

static void enter_name(uint32_t *places, uint32_t mask, const char *name, uint32_t index)
{
    uint32_t place = json_hash(name, strlen(name)) & mask;
    while (places[place])
        place = (place + 1) & mask;
    places[place] = index + 1;
}

/* ---- enums ---------------------------------------------------------------------------------- */

/* By value, and of those with one value the first in the table. */
static int by_value(const void *a, const void *b)
{
    const struct frugal_enum_item *const *x = a, *const *y = b;
    if ((*x)->value != (*y)->value)
        return (*x)->value < (*y)->value ? -1 : 1;
    return (*x > *y) - (*x < *y);
}

static frugal_status fill_names(maker *m, const frugal_enum *names, json_names *made)
{
    const struct frugal_enum_item **sorted;
    json_name                      *items;
    uint32_t                       *places = make_lookup(m, names->count, &made->by_name);
    sorted = frugal_arena_items(m->arena, names->count, sizeof *sorted);
    items  = frugal_arena_items(m->arena, names->count, sizeof *items);
    if (!places || !sorted || !items)
        return no_memory(m);
    made->names = names;
    made->items = items;
    for (uint32_t i = 0; i < names->count; i++) {
        sorted[i] = &names->items[i];
        enter_name(places, made->by_name.mask, names->items[i].name, i);
    }
    if (names->count)
        qsort(sorted, names->count, sizeof *sorted, by_value);
    for (uint32_t i = 0; i < names->count; i++) {
        if (i && sorted[i]->value == sorted[i - 1]->value)
            continue;
        json_name    *item   = &items[made->count++];
        frugal_status status = make_text(m, "", sorted[i]->name, "", &item->text);
        if (status)
            return status;
        item->value = sorted[i]->value;
    }
    made->dense =
        made->count
        && (int64_t)items[made->count - 1].value - items[0].value == (int64_t)made->count - 1;
    return FRUGAL_OK;
}

const json_name *json_find_name(const json_names *names, int32_t value)
{
    if (names == NULL || names->count == 0)
        return NULL;
    if (names->dense) {
        int64_t index = (int64_t)value - names->items[0].value;
        return index >= 0 && index < names->count ? &names->items[index] : NULL;
    }
    uint32_t low = 0, high = names->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (names->items[middle].value < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low < names->count && names->items[low].value == value ? &names->items[low] : NULL;
}

bool json_find_value(const json_names *names, const char *name, size_t len, int32_t *value)
{
    if (names == NULL)
        return false;
    const uint32_t *places = names->by_name.places;
    uint32_t        mask   = names->by_name.mask;
    for (uint32_t at = json_hash(name, len) & mask; places[at]; at = (at + 1) & mask) {
        const struct frugal_enum_item *item = &names->names->items[places[at] - 1];
        if (strlen(item->name) == len && memcmp(item->name, name, len) == 0) {
            *value = item->value;
            return true;
        }
    }
    return false;
}

/* ---- types ---------------------------------------------------------------------------------- */

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void fill_type(const maker *m, const frugal_type *type, json_type *made)
{
    *made = (json_type){ .kind     = type->kind,
                         .indirect = type->indirect,
                         .stride   = type->stride,
                         .align    = 1,
                         .type     = type };
    switch (type->kind) {
    case FRUGAL_KIND_STRUCT: made->record = made_of(m, type->record); break;
    case FRUGAL_KIND_ENUM: made->names = type->names ? made_of(m, type->names) : NULL; break;
    case FRUGAL_KIND_MAP:
        made->key           = made_of(m, type->key);
        made->elem          = made_of(m, type->elem);
        made->align         = larger(schema_align(type->key), schema_align(type->elem));
        made->value_offset  = schema_value_offset(type);
        made->keys_are_text = type->key->kind <= FRUGAL_KIND_STRING
                                  ? type->key->kind != FRUGAL_KIND_DOUBLE
                                  : type->key->kind == FRUGAL_KIND_ENUM;
        break;
    case FRUGAL_KIND_LIST:
    case FRUGAL_KIND_SET:
        made->elem  = made_of(m, type->elem);
        made->align = schema_align(type->elem);
        break;
    default: break;
    }
}

/* ---- records -------------------------------------------------------------------------------- */

static bool is_zero(const uint8_t *bytes, size_t size)
{
    return size == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0);
}

/* What a record starts from, unless that is zeroes. */
static frugal_status make_initial(maker *m, const frugal_struct *type, json_record *made)
{
    frugal_arena_mark mark   = frugal_arena_get_mark(m->arena);
    void             *record = frugal_arena_alloc(m->arena, type->size ? type->size : 1, 16);
    if (record == NULL)
        return no_memory(m);
    schema_init(type, record);
    if (is_zero(record, type->size))
        frugal_arena_rewind(m->arena, mark);
    else
        made->initial = record;
    return FRUGAL_OK;
}

/* Whether the struct by value in a field would not be right if the whole record were initialised.
 */
static bool starts_afresh(const json_record *outer, const json_field *member)
{
    const frugal_type *type = &member->field->type;
    if (type->kind != FRUGAL_KIND_STRUCT || type->indirect)
        return false;
    const json_record *inner = member->type.record;
    const uint8_t *there = outer->initial ? (const uint8_t *)outer->initial + member->offset : NULL;
    size_t         size  = inner->type->size;
    if (outer->type->is_union || (member->field->need == FRUGAL_NEED_OPTIONAL))
        return true;
    if (inner->initial == NULL)
        return there && !is_zero(there, size);
    return there == NULL || memcmp(there, inner->initial, size) != 0;
}

static int by_id(const void *a, const void *b)
{
    const frugal_field *const *x = a, *const *y = b;
    return ((*x)->id > (*y)->id) - ((*x)->id < (*y)->id);
}

static frugal_status fill_member(maker *m, const json_record *record, const frugal_field *field,
                                 json_field *made)
{
    fill_type(m, &field->type, &made->type);
    made->field         = field;
    made->offset        = field->offset;
    made->has           = field->has;
    made->presence      = (uint8_t)schema_presence_of(field);
    made->required      = field->need == FRUGAL_NEED_REQUIRED;
    made->starts_afresh = starts_afresh(record, made);
    return make_text(m, ",", field->name, ":", &made->key);
}

static frugal_status fill_record(maker *m, const frugal_struct *type, json_record *made)
{
    const frugal_field **sorted  = frugal_arena_items(m->arena, type->field_count, sizeof *sorted);
    json_field          *members = frugal_arena_items(m->arena, type->field_count, sizeof *members);
    uint32_t            *places  = make_lookup(m, type->field_count, &made->by_name);
    uint64_t            *required =
        frugal_arena_items(m->arena, JSON_SEEN_WORDS(type->field_count) + 1, sizeof *required);
    if (!sorted || !members || !places || !required)
        return no_memory(m);
    made->members = members;
    for (uint32_t i = 0; i < type->field_count; i++)
        if (type->fields[i].need != FRUGAL_NEED_UNKNOWN)
            sorted[made->count++] = &type->fields[i];
    if (made->count)
        qsort(sorted, made->count, sizeof *sorted, by_id);
    for (uint32_t i = 0; i < made->count; i++) {
        frugal_status status = fill_member(m, made, sorted[i], &members[i]);
        if (status)
            return status;
        enter_name(places, made->by_name.mask, sorted[i]->name, i);
        members[i].seen_word = i / 64;
        members[i].seen_bit  = UINT64_C(1) << i % 64;
        if (members[i].required) {
            required[i / 64] |= members[i].seen_bit;
            made->required = required;
        }
    }
    const frugal_field *keeper = schema_keeper(type);
    made->keeper               = keeper ? keeper->offset : JSON_NONE;
    return FRUGAL_OK;
}

const json_field *json_find_field(const json_record *record, const char *name, size_t len)
{
    const uint32_t *places = record->by_name.places;
    uint32_t        mask   = record->by_name.mask;
    for (uint32_t at = json_hash(name, len) & mask; places[at]; at = (at + 1) & mask) {
        const json_field *member = &record->members[places[at] - 1];
        const char       *found  = member->field->name;
        if (strlen(found) == len && memcmp(found, name, len) == 0)
            return member;
    }
    return NULL;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static frugal_status fill_all(maker *m)
{
    frugal_status status = FRUGAL_OK;
    /* Members ask for the initial values of other records. */
    for (uint32_t i = 0; i < m->queue.count && status == FRUGAL_OK; i++) {
        const frugal_struct *type = m->queue.nodes[i].address;
        if (m->queue.nodes[i].note == NOTE_RECORD) {
            ((json_record *)m->made[i])->type = type;
            status                            = make_initial(m, type, m->made[i]);
        }
    }
    for (uint32_t i = 0; i < m->queue.count && status == FRUGAL_OK; i++) {
        visited_node node = m->queue.nodes[i];
        if (node.note == NOTE_RECORD)
            status = fill_record(m, node.address, m->made[i]);
        else if (node.note == NOTE_CONTAINER)
            fill_type(m, node.address, m->made[i]);
        else
            status = fill_names(m, node.address, m->made[i]);
    }
    return status;
}

static frugal_status fill(const frugal_struct *type, json_form *form, frugal_error *error)
{
    maker m = { .arena = form->arena, .error = error };
    visited_init(&m.queue, form->allocator);
    frugal_status status = discover(&m, type);
    if (status == FRUGAL_OK)
        status = make_places(&m);
    if (status == FRUGAL_OK)
        status = fill_all(&m);
    if (status == FRUGAL_OK)
        form->root = m.made[0];
    visited_release(&m.queue);
    return status;
}

void json_form_free(plan_guest *guest)
{
    json_form              *form      = (json_form *)(void *)guest;
    const frugal_allocator *allocator = form->allocator;
    frugal_arena_free(form->arena);
    allocator_resize(allocator, form, sizeof *form, 0);
}

frugal_status json_form_make(const frugal_struct *type, const frugal_allocator *allocator,
                             const json_form **form, frugal_error *error)
{
    *form = (const json_form *)(const void *)plan_guest_find(type, json_form_free);
    if (*form)
        return FRUGAL_OK;
    if (type == NULL)
        return error_set(error, FRUGAL_INVALID, "no type");
    allocator            = allocator_or_malloc(allocator);
    frugal_status status = schema_check(type, allocator, error);
    if (status)
        return status;
    json_form *made = allocator_resize(allocator, NULL, 0, sizeof *made);
    if (made == NULL)
        return error_set(error, FRUGAL_NOMEM, "no memory to prepare %s for JSON", type->name);
    *made =
        (json_form){ .guest     = { .type = type, .free = json_form_free },
                     .allocator = allocator,
                     .arena = frugal_arena_new(&(frugal_arena_options){ .allocator = allocator }) };
    if (made->arena == NULL)
        status = error_set(error, FRUGAL_NOMEM, "no memory to prepare %s for JSON", type->name);
    else
        status = fill(type, made, error);
    if (status) {
        json_form_free(&made->guest);
        return status;
    }
    *form = (const json_form *)(const void *)plan_guest_publish(&made->guest);
    return FRUGAL_OK;
}
