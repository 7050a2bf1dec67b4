/* idl/value.c - constants and defaults as C values, and the records that decoding starts from.
 *
 * {} of a struct starts from that struct's own defaults, so these must be known before: definitions
 * are taken in the order of what they need, and a default that needs itself is an error. A constant
 * is made once, and what names it shares its lists; only where it is used as another type is it
 * made again, under the bounds of lower.h. */
#include <assert.h>
#include <string.h>

#include "core/arena.h"
#include "idl/lower.h"
#include "idl/order.h"
#include "idl/resolve.h"

/* ---- memory --------------------------------------------------------------------------------- */

static void *alloc_value(lowering *l, const idl_file *file, idl_place place, uint64_t size,
                         uint32_t align)
{
    uint64_t most = (uint64_t)l->load->text_size * LOWER_VALUE_RATIO_MAX + LOWER_VALUE_SIZE_MIN;
    if (l->load->stopped)
        return NULL;
    if (size > most - l->value_size) {
        idl_error(l->load, FRUGAL_SIZE, file, place, NO_WORD,
                  "constants and defaults take more than %llu bytes", (unsigned long long)most);
        l->load->stopped = true;
        return NULL;
    }
    l->value_size += (size_t)size;
    void *memory = frugal_arena_alloc(l->load->arena, (size_t)size, align);
    if (memory == NULL)
        idl_no_memory(l->load);
    else
        memset(memory, 0, (size_t)size);
    return memory;
}

/* ---- values --------------------------------------------------------------------------------- */

typedef struct maker {
    lowering       *l;
    const idl_file *file;
    idl_order      *order; /* not NULL: only tell what is needed */
    idl_place       place; /* of the whole value */
    uint32_t        depth;
    bool            needs_itself;
} maker;

static void make(maker *m, const idl_type *written, const frugal_type *type, const idl_value *value,
                 void *to);

static bool same_lowered(const frugal_type *a, const frugal_type *b, uint32_t *steps)
{
    if (a == b)
        return true;
    if (++*steps > IDL_STEPS_MAX || a->kind != b->kind || a->indirect != b->indirect
        || a->stride != b->stride)
        return false;
    if (a->kind == FRUGAL_KIND_STRUCT)
        return a->record == b->record;
    if (a->elem == NULL)
        return true;
    return (a->key == b->key || same_lowered(a->key, b->key, steps))
           && same_lowered(a->elem, b->elem, steps);
}

/* Whether a place of `type` can hold what the constant holds. */
static bool shares(maker *m, const frugal_type *type, const idl_definition *constant)
{
    const frugal_type *made = constant->lowered_type;
    if (type->kind == FRUGAL_KIND_STRUCT)
        return made->kind == FRUGAL_KIND_STRUCT && made->record == type->record;
    return same_lowered(type, made, &m->l->steps);
}

static void share(maker *m, const frugal_type *type, const idl_definition *constant, void *to)
{
    const void *from = constant->lowered_value;
    if (m->order) {
        m->needs_itself |= !idl_order_edge(m->order, (idl_definition *)constant);
        return;
    }
    if (type->kind == FRUGAL_KIND_STRUCT && type->indirect)
        memcpy(to, &from, sizeof from);
    else
        memcpy(to, from, type->size);
}

static void store_integer(const frugal_type *type, int64_t integer, void *to)
{
    switch (type->kind) {
    case FRUGAL_KIND_BOOL:
    case FRUGAL_KIND_I8: *(int8_t *)to = (int8_t)integer; break;
    case FRUGAL_KIND_I16: *(int16_t *)to = (int16_t)integer; break;
    case FRUGAL_KIND_I64: *(int64_t *)to = integer; break;
    default: *(int32_t *)to = (int32_t)integer;
    }
}

static void make_text(const idl_value *value, void *to)
{
    const void *ptr    = value->text.ptr ? (const void *)value->text.ptr : schema_empty;
    *(schema_span *)to = (schema_span){ ptr, value->text.len };
}

static void make_container(maker *m, const idl_type *written, const frugal_type *type,
                           const idl_value *value, void *to)
{
    uint8_t *items = NULL;
    uint32_t align = schema_align(type->elem);
    if (type->key && schema_align(type->key) > align)
        align = schema_align(type->key);
    if (m->order == NULL && value->item_count) {
        /* Both are below 2^32. */
        items =
            alloc_value(m->l, m->file, m->place, (uint64_t)value->item_count * type->stride, align);
        if (items == NULL)
            return;
    }
    if (m->order == NULL)
        *(schema_span *)to =
            (schema_span){ items ? items : (const uint8_t *)schema_empty, value->item_count };
    for (const idl_value *item = value->items; item && !m->l->load->stopped; item = item->next) {
        if (type->key)
            make(m, written->key, type->key, item->key, items);
        make(m, written->elem, type->elem, item,
             items ? items + (type->key ? schema_value_offset(type) : 0) : NULL);
        if (items)
            items += type->stride;
    }
}

static void make_member(maker *m, const frugal_struct *record, const idl_field *field,
                        const idl_value *value, uint8_t *to)
{
    const frugal_field *lowered = &record->fields[field->index];
    make(m, field->type, &lowered->type, value, to ? to + lowered->offset : NULL);
    if (to && lowered->has)
        to[lowered->has] = 1;
    if (to && record->is_union) {
        int32_t which = lowered->id;
        memcpy(to + record->which, &which, sizeof which);
    }
}

static void make_record(maker *m, const idl_type *written, const frugal_type *type,
                        const idl_value *value, void *to)
{
    idl_definition *d      = written->definition;
    uint8_t        *record = to;
    if (m->order)
        m->needs_itself |= !idl_order_edge(m->order, d);
    else if (type->indirect) {
        record = alloc_value(m->l, m->file, m->place, type->record->size, type->record->align);
        if (record == NULL)
            return;
        memcpy(to, &record, sizeof record);
    }
    if (record) {
        schema_init(type->record, record);
        /* One arm alone: what a default arm left would show through. */
        if (type->record->is_union && value->items)
            memset(record, 0, type->record->size);
    }
    for (const idl_value *item = value->items; item && !m->l->load->stopped; item = item->next)
        make_member(m, type->record, idl_find_field(d, item->key->text), item, record);
}

static void make_meant(maker *m, const idl_type *written, const frugal_type *type,
                       const idl_value *value, const idl_value *meant, void *to)
{
    if (type->kind == FRUGAL_KIND_STRUCT)
        make_record(m, written, type, meant, to);
    else if (type->kind >= FRUGAL_KIND_LIST)
        make_container(m, written, type, meant, to);
    else if (m->order)
        return;
    else if (type->kind == FRUGAL_KIND_STRING || type->kind == FRUGAL_KIND_BINARY)
        make_text(meant, to);
    else if (type->kind == FRUGAL_KIND_DOUBLE)
        *(double *)to = meant->kind == IDL_VALUE_DOUBLE ? meant->real : (double)meant->integer;
    else
        store_integer(type, value->item ? value->item->value : meant->integer, to);
}

/* The resolver has checked that the value fits. Calls nest at most IDL_VALUE_DEPTH_MAX deep. */
static void make(maker *m, const idl_type *written, const frugal_type *type, const idl_value *value,
                 void *to)
{
    idl_load *load = m->l->load;
    if (load->stopped || (to == NULL && m->order == NULL))
        return;
    if (value->constant && shares(m, type, value->definition)) {
        share(m, type, value->definition, to);
        return;
    }
    if (m->depth >= IDL_VALUE_DEPTH_MAX || ++m->l->steps > IDL_STEPS_MAX + load->text_size) {
        idl_error(load, m->depth >= IDL_VALUE_DEPTH_MAX ? FRUGAL_DEPTH : FRUGAL_SIZE, m->file,
                  m->place, NO_WORD, "constants that name each other make this too large");
        load->stopped = true;
        return;
    }
    if (value->constant && m->order)
        m->needs_itself |= !idl_order_edge(m->order, value->definition);
    m->depth++;
    make_meant(m, idl_strip(written), type, value, value->constant ? value->constant : value, to);
    m->depth--;
}

/* ---- what definitions hold ------------------------------------------------------------------- */

/* Structs have no default of their own where they are optional: a present one would be needed. */
static bool keeps_initial(const idl_field *field, const frugal_field *lowered, bool is_union)
{
    if (field->initial == NULL)
        return false;
    return is_union || lowered->need != FRUGAL_NEED_OPTIONAL
           || lowered->type.kind != FRUGAL_KIND_STRUCT;
}

/* Under `presence` a default arm would look as if it had come over the wire. */
static bool is_in_prototype(const lowering *l, const frugal_field *lowered, bool is_union)
{
    return is_union ? !l->load->options->presence : lowered->need != FRUGAL_NEED_OPTIONAL;
}

static void make_initial(maker *m, const idl_field *field, frugal_field *lowered)
{
    uint32_t align = schema_align(&lowered->type);
    void    *value = alloc_value(m->l, m->file, field->initial->place, lowered->type.size, align);
    make(m, field->type, &lowered->type, field->initial, value);
    lowered->initial = value;
}

/* `place`: of its name. */
static void make_prototype(maker *m, const idl_field *fields, frugal_struct *record,
                           idl_place place)
{
    uint8_t *prototype = NULL;
    for (const idl_field *field = fields; field && !m->l->load->stopped; field = field->next) {
        frugal_field *lowered = (frugal_field *)&record->fields[field->index];
        if (!keeps_initial(field, lowered, record->is_union))
            continue;
        m->place = field->initial->place;
        if (!is_in_prototype(m->l, lowered, record->is_union)) {
            if (!record->is_union)
                make_initial(m, field, lowered);
            continue;
        }
        if (prototype == NULL) {
            prototype = alloc_value(m->l, m->file, place, record->size, record->align);
            if (prototype == NULL)
                return;
            schema_init(record, prototype);
        }
        make_member(m, record, field, field->initial, prototype);
    }
    record->defaults = prototype;
}

/* ---- in the order of need -------------------------------------------------------------------- */

static void report_itself(maker *m, frugal_str name)
{
    if (m->needs_itself)
        idl_error(m->l->load, FRUGAL_DESCRIPTOR, m->file, m->place, NO_WORD,
                  "the default of %.*s contains itself without end", IDL_TEXT(name));
    m->needs_itself = false;
}

static void enter_field(maker *m, const idl_field *field, const frugal_field *lowered,
                        bool is_union)
{
    const idl_definition *inside = lower_record_of(field->type);
    m->place                     = field->name.place;
    if (inside && !lowered->type.indirect && !is_union)
        m->needs_itself |= !idl_order_edge(m->order, (idl_definition *)inside);
    report_itself(m, field->name.text);
    if (!keeps_initial(field, lowered, is_union))
        return;
    m->place = field->initial->place;
    make(m, field->type, &lowered->type, field->initial, NULL);
    report_itself(m, field->name.text);
}

static void enter_definition(idl_order *order, idl_definition *d)
{
    lowering *l = order->context;
    maker     m = { .l = l, .file = d->file, .order = order };
    if (d->kind == IDL_CONST) {
        m.place = d->value->place;
        make(&m, d->type, d->lowered_type, d->value, NULL);
        report_itself(&m, d->name.text);
        return;
    }
    for (const idl_field *field = d->fields; field && !l->load->stopped; field = field->next)
        enter_field(&m, field, &d->record->fields[field->index], d->kind == IDL_UNION);
}

static void leave_definition(idl_order *order, idl_definition *d)
{
    lowering *l = order->context;
    maker     m = { .l = l, .file = d->file };
    if (l->load->errors)
        return;
    if (d->kind != IDL_CONST) {
        make_prototype(&m, d->fields, (frugal_struct *)d->record, d->name.place);
        return;
    }
    m.place = d->value->place;
    void *value =
        alloc_value(l, d->file, m.place, d->lowered_type->size, schema_align(d->lowered_type));
    make(&m, d->type, d->lowered_type, d->value, value);
    d->lowered_value = value;
}

static void warn_unkept(lowering *l, const idl_definition *d)
{
    for (const idl_field *field = d->fields; field && !l->load->stopped; field = field->next)
        if (field->initial && field->need == FRUGAL_NEED_OPTIONAL && d->kind != IDL_UNION
            && lower_record_of(field->type))
            idl_warn(l->load, d->file, field->initial->place, field->initial->text,
                     "the default of an optional struct is not kept");
}

static void make_args(lowering *l, const idl_definition *d)
{
    maker m = { .l = l, .file = d->file };
    for (const idl_function *f = d->functions; f && !l->load->stopped; f = f->next)
        make_prototype(&m, f->args, (frugal_struct *)f->lowered_args, f->name.place);
}

void lower_values(lowering *l)
{
    idl_order order = { .load    = l->load,
                        .scratch = l->scratch,
                        .enter   = enter_definition,
                        .leave   = leave_definition,
                        .context = l };
    IDL_EACH(l->load, d)
    {
        if (d->kind == IDL_CONST || idl_is_record(d))
            idl_order_from(&order, d);
        warn_unkept(l, d);
    }
    idl_order_end(l->load);
    if (l->load->errors)
        return;
    IDL_EACH(l->load, d)
    if (d->kind == IDL_SERVICE)
        make_args(l, d);
}
