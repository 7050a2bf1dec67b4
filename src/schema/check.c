/* schema/check.c - every contradiction that a table, and the tables it reaches, can hold.
 *
 * The hard part is that nothing may be trusted before it is checked, and that tables refer to each
 * other in circles and lattices. So every struct, container node and enum is looked at once:
 * structs stand in a queue, container nodes remember how deep they go, enums that they are good.
 * Calls nest only along containers and along structs by value, both of which end at
 * SCHEMA_NESTING_MAX. Of addresses nothing can be known: a pointer that is not NULL must be one.
 *
 * The first contradiction ends the walk. Its path is the struct and the field that it stands in. */
#include <assert.h>
#include <string.h>

#include "core/allocator.h"
#include "core/arena.h"
#include "core/status.h"
#include "schema/schema.h"
#include "schema/visited.h"
#include "schema/walk.h"

typedef struct walk {
    const frugal_allocator *allocator;
    frugal_error           *error;
    const frugal_struct    *record; /* where we are, for the path; NULL at first */
    const frugal_field     *field;  /* may be NULL */
    visited                 records;
    visited                 nodes; /* of containers */
    visited                 enums;
    visited                 slots;
    void                   *scratch;
    size_t                  scratch_size;
} walk;

/* In the note of a struct or node that is being measured. Real heights are small. */
#define NOT_MEASURED UINT32_MAX
#define IN_PROGRESS  (UINT32_MAX - 1)

#define TEXT_MAX 48

static frugal_status place_error(walk *w, frugal_status status)
{
    path_builder path;
    path_init(&path);
    if (w->field && w->field->name)
        path_prepend_name(&path, w->field->name);
    if (w->record && w->record->name)
        path_prepend_name(&path, w->record->name);
    path_finish(&path, w->error);
    return status;
}

#define CONTRADICTION(w, ...) \
    place_error((w), error_set((w)->error, FRUGAL_DESCRIPTOR, __VA_ARGS__))

static frugal_status no_memory(walk *w)
{
    return error_set(w->error, FRUGAL_NOMEM, "no memory to check the table");
}

/* Room for `count` items that the next call reuses; NULL: no memory. */
static void *scratch_items(walk *w, size_t count, size_t size)
{
    size_t whole;
    if (__builtin_mul_overflow(count, size, &whole))
        return NULL;
    if (whole > w->scratch_size || w->scratch == NULL) {
        size_t grown   = whole < 1024 ? 1024 : whole;
        void  *scratch = allocator_resize(w->allocator, w->scratch, w->scratch_size, grown);
        if (scratch == NULL)
            return NULL;
        w->scratch      = scratch;
        w->scratch_size = grown;
    }
    return w->scratch;
}

static bool is_power_of_two(uint32_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

static bool is_nameless(const char *name)
{
    return name == NULL || name[0] == '\0';
}

static bool is_text(uint8_t kind)
{
    return kind == FRUGAL_KIND_STRING || kind == FRUGAL_KIND_BINARY;
}

static bool is_container(uint8_t kind)
{
    return kind == FRUGAL_KIND_LIST || kind == FRUGAL_KIND_SET || kind == FRUGAL_KIND_MAP;
}

static bool is_inline_struct(const frugal_type *type)
{
    return type->kind == FRUGAL_KIND_STRUCT && !type->indirect;
}

static bool is_aligned(const void *ptr, uint32_t align)
{
    return ((uintptr_t)ptr & (align - 1)) == 0;
}

/* ---- sort ----------------------------------------------------------------------------------- */

#define ITEM_MAX 32 /* bytes of an item */

typedef int compare(const void *a, const void *b);

static void sift_down(char *items, size_t root, size_t count, size_t size, compare *order)
{
    char item[ITEM_MAX];
    memcpy(item, items + root * size, size);
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && order(items + child * size, items + (child + 1) * size) < 0)
            child++;
        if (order(item, items + child * size) >= 0)
            break;
        memcpy(items + root * size, items + child * size, size);
    }
    memcpy(items + root * size, item, size);
}

/* A heap sort: qsort of glibc calls malloc, which is not the allocator we were given. */
static void sort(void *items, size_t count, size_t size, compare *order)
{
    char *bytes = items;
    char  item[ITEM_MAX];
    assert(size <= ITEM_MAX);
    for (size_t root = count / 2; root-- > 0;)
        sift_down(bytes, root, count, size, order);
    for (size_t last = count; last-- > 1;) {
        memcpy(item, bytes, size);
        memcpy(bytes, bytes + last * size, size);
        memcpy(bytes + last * size, item, size);
        sift_down(bytes, 0, last, size, order);
    }
}

/* ---- the head of a table -------------------------------------------------------------------- */

static frugal_status check_which(walk *w, const frugal_struct *record)
{
    if (!record->is_union)
        return record->which == 0
                   ? FRUGAL_OK
                   : CONTRADICTION(w, "which is %u, but this is no union", record->which);
    uint32_t align = schema_align(&(frugal_type){ .kind = FRUGAL_KIND_I32 });
    if (record->which > record->size || record->size - record->which < sizeof(int32_t))
        return CONTRADICTION(w, "which at %u is outside the %u bytes of the union", record->which,
                             record->size);
    if (record->which % align != 0 || record->align < align)
        return CONTRADICTION(w, "which at %u is not aligned as an int32_t", record->which);
    return FRUGAL_OK;
}

static frugal_status check_size(walk *w, const frugal_struct *record)
{
    if (record->size == 0)
        return CONTRADICTION(w, "its size is 0; a struct without fields has an unused member in C");
    if (record->size > SCHEMA_SIZE_MAX)
        return CONTRADICTION(w, "its size of %u bytes is above %u", record->size, SCHEMA_SIZE_MAX);
    if (!is_power_of_two(record->align) || record->align > ARENA_ALIGN_MAX)
        return CONTRADICTION(w, "its alignment %u is not a power of two up to %d", record->align,
                             ARENA_ALIGN_MAX);
    if (record->size % record->align != 0)
        return CONTRADICTION(w, "its size %u is not a multiple of its alignment %u", record->size,
                             record->align);
    return FRUGAL_OK;
}

/* The struct is w->record, its abi and name are good. */
static frugal_status check_head(walk *w, const frugal_struct *record)
{
    frugal_status status = check_size(w, record);
    if (status == FRUGAL_OK)
        status = check_which(w, record);
    if (status != FRUGAL_OK)
        return status;
    if (record->field_count > SCHEMA_FIELDS_MAX)
        return CONTRADICTION(w, "%u fields are more than there are ids", record->field_count);
    if (record->fields == NULL && record->field_count > 0)
        return CONTRADICTION(w, "it has %u fields, but fields is NULL", record->field_count);
    if (record->slot == NULL)
        return CONTRADICTION(w, "its slot is NULL");
    if (record->defaults && !is_aligned(record->defaults, record->align))
        return CONTRADICTION(w, "its defaults are not aligned to %u", record->align);
    if (visited_find(&w->slots, record->slot) != VISITED_NONE)
        return CONTRADICTION(w, "its slot is another table's, too");
    return visited_add(&w->slots, record->slot, 0) == VISITED_NONE ? no_memory(w) : FRUGAL_OK;
}

/* Checks the head of a table when it is met first, and puts it into the queue. */
static frugal_status reach_record(walk *w, const frugal_struct *record)
{
    if (visited_find(&w->records, record) != VISITED_NONE)
        return FRUGAL_OK;
    if (record->abi != FRUGAL_TABLE_ABI)
        return CONTRADICTION(w, "a table of abi %u; this library knows %d", record->abi,
                             FRUGAL_TABLE_ABI);
    if (is_nameless(record->name))
        return CONTRADICTION(w, "a struct without a name");
    const frugal_struct *outer_record = w->record;
    const frugal_field  *outer_field  = w->field;
    w->record                         = record;
    w->field                          = NULL;
    frugal_status status              = check_head(w, record);
    if (status != FRUGAL_OK)
        return status;
    w->record = outer_record;
    w->field  = outer_field;
    return visited_add(&w->records, record, NOT_MEASURED) == VISITED_NONE ? no_memory(w)
                                                                          : FRUGAL_OK;
}

/* ---- enums ---------------------------------------------------------------------------------- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Equal values are legal: Thrift allows aliases. */
static frugal_status check_enum(walk *w, const frugal_enum *names)
{
    if (visited_find(&w->enums, names) != VISITED_NONE)
        return FRUGAL_OK;
    if (is_nameless(names->name))
        return CONTRADICTION(w, "an enum without a name");
    if (names->items == NULL && names->count > 0)
        return CONTRADICTION(w, "enum %s has %u items, but items is NULL", names->name,
                             names->count);
    const char **texts = scratch_items(w, names->count, sizeof *texts);
    if (texts == NULL)
        return no_memory(w);
    for (uint32_t i = 0; i < names->count; i++) {
        if (is_nameless(names->items[i].name))
            return CONTRADICTION(w, "enum %s has no name for item %u, which is %d", names->name, i,
                                 (int)names->items[i].value);
        texts[i] = names->items[i].name;
    }
    sort(texts, names->count, sizeof *texts, by_text);
    for (uint32_t i = 1; i < names->count; i++)
        if (strcmp(texts[i - 1], texts[i]) == 0)
            return CONTRADICTION(w, "enum %s names %s twice", names->name, texts[i]);
    return visited_add(&w->enums, names, 0) == VISITED_NONE ? no_memory(w) : FRUGAL_OK;
}

/* ---- types ---------------------------------------------------------------------------------- */

static frugal_status check_struct_type(walk *w, const frugal_type *type)
{
    if (type->record == NULL)
        return CONTRADICTION(w, "a struct without its table: record is NULL");
    frugal_status status = reach_record(w, type->record);
    if (status != FRUGAL_OK)
        return status;
    uint32_t size = type->indirect ? (uint32_t)sizeof(void *) : type->record->size;
    if (type->size != size)
        return CONTRADICTION(w, "%s %s has %u byte%s in C, not %u",
                             type->indirect ? "a pointer to" : "struct", type->record->name, size,
                             plural_s(size), type->size);
    return FRUGAL_OK;
}

/* What can be said of one node without those below it. */
static frugal_status check_node(walk *w, const frugal_type *type)
{
    char text[TEXT_MAX];
    if (type->kind == FRUGAL_KIND_NONE || type->kind > FRUGAL_KIND_MAP)
        return CONTRADICTION(w, "kind %u does not exist", type->kind);
    schema_type_text(type, text, sizeof text);
    if (type->indirect && type->kind != FRUGAL_KIND_STRUCT)
        return CONTRADICTION(w, "%s cannot be indirect; only a struct can", text);
    if (is_container(type->kind) ? type->elem == NULL : type->elem != NULL)
        return CONTRADICTION(w, type->elem ? "%s has an element type" : "%s has no element type",
                             text);
    if (type->kind == FRUGAL_KIND_MAP ? type->key == NULL : type->key != NULL)
        return CONTRADICTION(w, type->key ? "%s has a key type" : "%s has no key type", text);
    if (type->kind == FRUGAL_KIND_STRUCT)
        return check_struct_type(w, type);
    uint32_t size = schema_kind_size(type->kind);
    if (type->size != size)
        return CONTRADICTION(w, "%s has %u byte%s in C, not %u", text, size, plural_s(size),
                             type->size);
    if (type->kind == FRUGAL_KIND_ENUM && type->names)
        return check_enum(w, type->names);
    return FRUGAL_OK;
}

/* Those below are good. Numeric lists are copied as one block and pairs are found by this
 * arithmetic, so the stride must be exact, not just large enough. */
static frugal_status check_stride(walk *w, const frugal_type *type)
{
    const frugal_type *elem  = type->elem;
    uint32_t           align = schema_align(elem);
    uint64_t           size  = elem->size;
    if (type->kind == FRUGAL_KIND_MAP) {
        uint32_t key_align = schema_align(type->key);
        size += align_up(type->key->size, align);
        align = key_align > align ? key_align : align;
    }
    size = align_up(size, align);
    char text[TEXT_MAX];
    schema_type_text(type, text, sizeof text);
    if (size > SCHEMA_SIZE_MAX)
        return CONTRADICTION(w, "%s: one entry has more than %u bytes", text, SCHEMA_SIZE_MAX);
    if (type->stride != size)
        return CONTRADICTION(w, "%s: one %s has %u byte%s in C, but the stride is %u", text,
                             type->kind == FRUGAL_KIND_MAP ? "entry" : "element", (uint32_t)size,
                             plural_s(size), type->stride);
    return FRUGAL_OK;
}

static frugal_status check_container(walk *w, const frugal_type *type, uint32_t depth,
                                     uint32_t *height);

/* `depth`: containers around this node. `*height`: containers from it on, itself included. */
static frugal_status check_type(walk *w, const frugal_type *type, uint32_t depth, uint32_t *height)
{
    *height = 0;
    if (!is_container(type->kind))
        return check_node(w, type);
    uint32_t known = visited_find(&w->nodes, type);
    if (known == VISITED_NONE)
        return check_container(w, type, depth, height);
    *height = w->nodes.nodes[known].note;
    if (*height == IN_PROGRESS)
        return CONTRADICTION(w, "a container contains itself");
    if (depth + *height > SCHEMA_NESTING_MAX)
        return CONTRADICTION(w, "more than %u containers inside each other", SCHEMA_NESTING_MAX);
    return FRUGAL_OK;
}

static frugal_status check_container(walk *w, const frugal_type *type, uint32_t depth,
                                     uint32_t *height)
{
    uint32_t key_height = 0, elem_height = 0;
    if (depth + 1 > SCHEMA_NESTING_MAX)
        return CONTRADICTION(w, "more than %u containers inside each other", SCHEMA_NESTING_MAX);
    uint32_t self = visited_add(&w->nodes, type, IN_PROGRESS);
    if (self == VISITED_NONE)
        return no_memory(w);
    frugal_status status = check_node(w, type);
    if (status == FRUGAL_OK && type->kind == FRUGAL_KIND_MAP)
        status = check_type(w, type->key, depth + 1, &key_height);
    if (status == FRUGAL_OK)
        status = check_type(w, type->elem, depth + 1, &elem_height);
    if (status == FRUGAL_OK)
        status = check_stride(w, type);
    *height                   = 1 + (key_height > elem_height ? key_height : elem_height);
    w->nodes.nodes[self].note = *height;
    return status;
}

/* ---- one field ------------------------------------------------------------------------------ */

static frugal_status check_place(walk *w, const frugal_field *field)
{
    const frugal_struct *record = w->record;
    uint32_t             align  = schema_align(&field->type);
    if (field->offset > record->size || record->size - field->offset < field->type.size)
        return CONTRADICTION(w, "%u byte%s at %u %s outside the %u byte%s of %s", field->type.size,
                             plural_s(field->type.size), field->offset,
                             field->type.size == 1 ? "is" : "are", record->size,
                             plural_s(record->size), record->name);
    if (field->offset % align != 0)
        return CONTRADICTION(w, "its offset %u is not a multiple of %u", field->offset, align);
    if (record->align < align)
        return CONTRADICTION(w, "it is aligned to %u, but %s only to %u", align, record->name,
                             record->align);
    return FRUGAL_OK;
}

/* How a field of a struct says that it is absent. */
static frugal_status check_has(walk *w, const frugal_field *field)
{
    uint8_t kind     = field->type.kind;
    bool    optional = field->need == FRUGAL_NEED_OPTIONAL;
    if (optional && is_inline_struct(&field->type))
        return CONTRADICTION(w, "an optional struct is a pointer");
    bool wanted = optional && !is_text(kind) && !is_container(kind) && kind != FRUGAL_KIND_STRUCT;
    if (wanted && field->has == 0)
        return CONTRADICTION(w, "an optional bool, number or enum needs a .has");
    if (!wanted && field->has != 0)
        return CONTRADICTION(w, optional ? "a .has, but it is absent when its pointer is NULL"
                                         : "a .has, but it is not optional");
    if (field->has >= w->record->size)
        return CONTRADICTION(w, ".has at %u is outside the %u bytes of %s", field->has,
                             w->record->size, w->record->name);
    return FRUGAL_OK;
}

static frugal_status check_arm(walk *w, const frugal_field *field)
{
    if (field->need != FRUGAL_NEED_OPTIONAL)
        return CONTRADICTION(w, "an arm of a union is optional, as FRUGAL_ARM makes it");
    if (field->has != 0)
        return CONTRADICTION(w, "an arm of a union has no .has");
    if (field->id == 0)
        return CONTRADICTION(w, "the id 0 means that a union has no arm");
    return FRUGAL_OK;
}

static frugal_status check_keeper(walk *w, const frugal_field *field)
{
    if (field->type.kind != FRUGAL_KIND_BINARY)
        return CONTRADICTION(w, "unknown fields are kept in a binary");
    if (field->has != 0)
        return CONTRADICTION(w, "a .has, but unknown fields are absent when their pointer is NULL");
    return FRUGAL_OK;
}

/* A default for readers. Its bytes are read as the field's type, so they are checked as such. */
static frugal_status check_initial(walk *w, const frugal_field *field)
{
    uint8_t kind = field->type.kind;
    if (field->need != FRUGAL_NEED_OPTIONAL || w->record->is_union)
        return CONTRADICTION(w,
                             "only an optional field of a struct has an initial value of its own");
    if (kind == FRUGAL_KIND_STRUCT)
        return CONTRADICTION(
            w, "a struct has no initial value of its own; its table's defaults are it");
    if (!is_aligned(field->initial, schema_align(&field->type)))
        return CONTRADICTION(w, "its initial value is not aligned to %u",
                             schema_align(&field->type));
    if (kind == FRUGAL_KIND_BOOL && *(const uint8_t *)field->initial > 1)
        return CONTRADICTION(w, "its initial value is %u, which is no bool",
                             *(const uint8_t *)field->initial);
    if (is_text(kind) || is_container(kind)) {
        schema_span span;
        memcpy(&span, field->initial, sizeof span);
        if (span.ptr == NULL && span.len != 0)
            return CONTRADICTION(w, "its initial value is NULL with the length %zu", span.len);
    }
    return FRUGAL_OK;
}

/* The field is w->field. */
static frugal_status check_field(walk *w, const frugal_field *field)
{
    uint32_t height;
    if (is_nameless(field->name))
        return CONTRADICTION(w, "field %u, with the id %d, has no name",
                             (uint32_t)(field - w->record->fields), field->id);
    if (field->need > FRUGAL_NEED_UNKNOWN)
        return CONTRADICTION(w, "need %u does not exist", field->need);
    frugal_status status = check_type(w, &field->type, 0, &height);
    if (status == FRUGAL_OK)
        status = check_place(w, field);
    if (status != FRUGAL_OK)
        return status;
    if (field->need == FRUGAL_NEED_UNKNOWN)
        status = check_keeper(w, field);
    else
        status = w->record->is_union ? check_arm(w, field) : check_has(w, field);
    if (status != FRUGAL_OK)
        return status;
    if (field->no_copy && !is_text(field->type.kind))
        return CONTRADICTION(w, "no_copy is for string and binary");
    return field->initial ? check_initial(w, field) : FRUGAL_OK;
}

/* ---- all fields together -------------------------------------------------------------------- */

typedef const frugal_field *field_ref;

/* Equal ones in the order of the table, so that the later one is reported. */
static int by_address(field_ref a, field_ref b)
{
    return (a > b) - (a < b);
}

static int by_id(const void *a, const void *b)
{
    field_ref x = *(const field_ref *)a, y = *(const field_ref *)b;
    return x->id != y->id ? (x->id > y->id) - (x->id < y->id) : by_address(x, y);
}

static int by_name(const void *a, const void *b)
{
    field_ref x = *(const field_ref *)a, y = *(const field_ref *)b;
    int       order = strcmp(x->name, y->name);
    return order ? order : by_address(x, y);
}

static frugal_status check_ids_and_names(walk *w, const frugal_struct *record)
{
    uint32_t   count  = 0;
    field_ref *fields = scratch_items(w, record->field_count, sizeof *fields);
    if (fields == NULL)
        return no_memory(w);
    for (uint32_t i = 0; i < record->field_count; i++)
        if (record->fields[i].need != FRUGAL_NEED_UNKNOWN)
            fields[count++] = &record->fields[i];

    sort(fields, count, sizeof *fields, by_id);
    for (uint32_t i = 1; i < count; i++) {
        w->field = fields[i];
        if (fields[i - 1]->id == fields[i]->id)
            return CONTRADICTION(w, "id %d is taken by %s", fields[i]->id, fields[i - 1]->name);
    }
    sort(fields, count, sizeof *fields, by_name);
    for (uint32_t i = 1; i < count; i++) {
        w->field = fields[i];
        if (strcmp(fields[i - 1]->name, fields[i]->name) == 0)
            return CONTRADICTION(w, "the name is taken by the field with the id %d",
                                 fields[i - 1]->id);
    }
    return FRUGAL_OK;
}

/* Bytes of a record that nobody else may have. */
typedef struct extent {
    uint32_t  start, end;
    field_ref field;
    bool      is_has;
} extent;

static int by_start(const void *a, const void *b)
{
    const extent *x = a, *y = b;
    return x->start != y->start ? (x->start > y->start) - (x->start < y->start)
                                : by_address(x->field, y->field);
}

#define IN_UNION "(the members of a C union are described by FRUGAL_UNION)"

static frugal_status overlap(walk *w, const extent *first, const extent *second)
{
    w->field = second->field;
    if (first->start == second->start && first->field->type.kind == second->field->type.kind
        && !first->is_has && !second->is_has)
        return CONTRADICTION(w, "the member is described twice, also as %s " IN_UNION,
                             first->field->name);
    if (!first->is_has && !second->is_has)
        return CONTRADICTION(w, "it at %u overlaps %s " IN_UNION, second->start,
                             first->field->name);
    return CONTRADICTION(w, "%s at %u overlaps %s%s", second->is_has ? ".has" : "it", second->start,
                         first->is_has ? ".has of " : "", first->field->name);
}

static frugal_status check_overlap(walk *w, const frugal_struct *record)
{
    size_t  count   = 0;
    extent *extents = scratch_items(w, (size_t)record->field_count * 2, sizeof *extents);
    if (extents == NULL)
        return no_memory(w);
    for (uint32_t i = 0; i < record->field_count; i++) {
        field_ref field = &record->fields[i];
        extents[count++] =
            (extent){ field->offset, field->offset + field->type.size, field, false };
        if (field->has)
            extents[count++] = (extent){ field->has, field->has + 1, field, true };
    }
    sort(extents, count, sizeof *extents, by_start);
    /* Up to the first overlap each ends before the next starts, so neighbours suffice. */
    for (size_t i = 1; i < count; i++)
        if (extents[i].start < extents[i - 1].end)
            return overlap(w, &extents[i - 1], &extents[i]);
    return FRUGAL_OK;
}

static bool shares_bytes(field_ref field, uint32_t start, uint32_t size)
{
    return field->offset < start + size && start < field->offset + field->type.size;
}

/* Arms lie over each other, and nowhere else. */
static frugal_status check_union(walk *w, const frugal_struct *record)
{
    field_ref keeper = schema_keeper(record);
    for (uint32_t i = 0; i < record->field_count; i++) {
        w->field = &record->fields[i];
        if (shares_bytes(w->field, record->which, sizeof(int32_t)))
            return CONTRADICTION(w, "it overlaps which at %u", record->which);
        if (keeper && w->field != keeper
            && shares_bytes(w->field, keeper->offset, keeper->type.size))
            return CONTRADICTION(w, "it overlaps %s, which keeps unknown fields", keeper->name);
    }
    return FRUGAL_OK;
}

static frugal_status check_record(walk *w, const frugal_struct *record)
{
    field_ref keeper = NULL;
    w->record        = record;
    for (uint32_t i = 0; i < record->field_count; i++) {
        w->field             = &record->fields[i];
        frugal_status status = check_field(w, w->field);
        if (status != FRUGAL_OK)
            return status;
        if (w->field->need != FRUGAL_NEED_UNKNOWN)
            continue;
        if (keeper)
            return CONTRADICTION(w, "unknown fields are kept in %s already", keeper->name);
        keeper = w->field;
    }
    frugal_status status = record->is_union ? check_union(w, record) : check_overlap(w, record);
    if (status == FRUGAL_OK)
        status = check_ids_and_names(w, record);
    w->field = NULL;
    return status;
}

/* ---- structs by value ----------------------------------------------------------------------- */

/* `*height`: structs inside by value below each other, itself included. C cannot put a struct into
 * itself, a table can. */
static frugal_status measure(walk *w, const frugal_struct *record, uint32_t depth, uint32_t *height)
{
    uint32_t self = visited_find(&w->records, record);
    uint32_t note = w->records.nodes[self].note;
    *height       = note == NOT_MEASURED ? 1 : note;
    if (note == IN_PROGRESS)
        return CONTRADICTION(w, "struct %s contains itself by value", record->name);
    if (note != NOT_MEASURED && depth + note <= SCHEMA_NESTING_MAX)
        return FRUGAL_OK;
    if (note != NOT_MEASURED || depth + 1 > SCHEMA_NESTING_MAX)
        return CONTRADICTION(w, "more than %u structs by value inside each other",
                             SCHEMA_NESTING_MAX);

    w->records.nodes[self].note = IN_PROGRESS;
    for (uint32_t i = 0; i < record->field_count; i++) {
        uint32_t           below;
        const frugal_type *type = &record->fields[i].type;
        if (!is_inline_struct(type))
            continue;
        w->record            = record;
        w->field             = &record->fields[i];
        frugal_status status = measure(w, type->record, depth + 1, &below);
        if (status != FRUGAL_OK)
            return status;
        if (below + 1 > *height)
            *height = below + 1;
    }
    w->records.nodes[self].note = *height;
    return FRUGAL_OK;
}

/* ---- defaults ------------------------------------------------------------------------------- */

static frugal_status check_prototype(walk *w, const frugal_struct *owner,
                                     const frugal_struct *record, const uint8_t *bytes);

/* A value that encoding would refuse makes every record that starts from it a bad one. */
static frugal_status check_prototype_field(walk *w, const frugal_struct *owner, field_ref field,
                                           const uint8_t *bytes)
{
    uint8_t kind = field->type.kind;
    if (field->has && bytes[field->has] > 1)
        return CONTRADICTION(w, ".has is %u in the defaults of %s", bytes[field->has], owner->name);
    if (kind == FRUGAL_KIND_BOOL && bytes[field->offset] > 1)
        return CONTRADICTION(w, "the bool is %u in the defaults of %s", bytes[field->offset],
                             owner->name);
    if (is_inline_struct(&field->type))
        return check_prototype(w, owner, field->type.record, bytes + field->offset);
    if (!is_text(kind) && !is_container(kind))
        return FRUGAL_OK;
    schema_span span;
    memcpy(&span, bytes + field->offset, sizeof span);
    if (span.ptr == NULL && span.len != 0)
        return CONTRADICTION(w, "NULL with the length %zu in the defaults of %s", span.len,
                             owner->name);
    return FRUGAL_OK;
}

/* Decoding could not leave it absent. In a struct inside by value it may be present: what the
 * defaults say of that struct is its whole value while it is absent itself. */
static frugal_status check_absent(walk *w, const frugal_struct *owner, field_ref field,
                                  const uint8_t *bytes)
{
    if (owner->is_union || field->need != FRUGAL_NEED_OPTIONAL || !walk_present(field, bytes))
        return FRUGAL_OK;
    return CONTRADICTION(w, "it is optional, but present in the defaults of %s%s", owner->name,
                         field->type.kind == FRUGAL_KIND_STRUCT ? "" : "; use .initial");
}

/* In a union only the live arm and the keeper hold anything. Calls nest as structs do by value, and
 * visit no byte twice on one level, since only arms overlap. */
static frugal_status check_prototype(walk *w, const frugal_struct *owner,
                                     const frugal_struct *record, const uint8_t *bytes)
{
    int32_t which = record->is_union ? (int32_t)load_u32(bytes + record->which) : 0;
    w->record     = record;
    w->field      = NULL;
    if (which != 0 && frugal_field_by_id(record, which) == NULL)
        return CONTRADICTION(w, "the defaults of %s name arm %d, which does not exist", owner->name,
                             (int)which);
    for (uint32_t i = 0; i < record->field_count; i++) {
        field_ref field = &record->fields[i];
        if (record->is_union && field->need != FRUGAL_NEED_UNKNOWN && field->id != which)
            continue;
        w->record            = record;
        w->field             = field;
        frugal_status status = check_prototype_field(w, owner, field, bytes);
        if (status == FRUGAL_OK && record == owner)
            status = check_absent(w, owner, field, bytes);
        if (status != FRUGAL_OK)
            return status;
    }
    return FRUGAL_OK;
}

/* ---- the doors ------------------------------------------------------------------------------ */

static frugal_status check_all(walk *w, const frugal_struct *type)
{
    frugal_status status = reach_record(w, type);
    for (uint32_t i = 0; status == FRUGAL_OK && i < w->records.count; i++)
        status = check_record(w, w->records.nodes[i].address);
    for (uint32_t i = 0; status == FRUGAL_OK && i < w->records.count; i++) {
        uint32_t height;
        status = measure(w, w->records.nodes[i].address, 0, &height);
    }
    for (uint32_t i = 0; status == FRUGAL_OK && i < w->records.count; i++) {
        const frugal_struct *record = w->records.nodes[i].address;
        if (record->defaults)
            status = check_prototype(w, record, record, record->defaults);
    }
    return status;
}

frugal_status schema_check(const frugal_struct *type, const frugal_allocator *allocator,
                           frugal_error *error)
{
    if (type == NULL)
        return error_set(error, FRUGAL_INVALID, "there is no table: type is NULL");
    walk w = { .allocator = allocator_or_malloc(allocator), .error = error };
    visited_init(&w.records, w.allocator);
    visited_init(&w.nodes, w.allocator);
    visited_init(&w.enums, w.allocator);
    visited_init(&w.slots, w.allocator);
    frugal_status status = check_all(&w, type);
    visited_release(&w.records);
    visited_release(&w.nodes);
    visited_release(&w.enums);
    visited_release(&w.slots);
    if (w.scratch)
        allocator_resize(w.allocator, w.scratch, w.scratch_size, 0);
    return status;
}

frugal_status frugal_struct_check(const frugal_struct *type, frugal_error *error)
{
    return schema_check(type, NULL, error);
}
