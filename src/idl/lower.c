/* idl/lower.c - definitions become the tables that FRUGAL_STRUCT would have made.
 *
 * Sizes come first, in an order where a struct follows those inside it; then the types of
 * containers, whose strides need all sizes; then values. Under `presence` a default field is
 * lowered as an optional one: then a record tells what was on the wire. A required field stays as
 * it is, since it is never absent. */
#include "idl/lower.h"

#include <stdio.h>
#include <string.h>

#include <frugal/service.h>

#include "idl/order.h"
#include "idl/resolve.h"

/* ---- counts and slots ----------------------------------------------------------------------- */

static bool is_container(const idl_type *type)
{
    return type->kind == IDL_TYPE_LIST || type->kind == IDL_TYPE_SET || type->kind == IDL_TYPE_MAP;
}

static bool is_node(const idl_definition *d)
{
    return idl_is_record(d) || (d->kind == IDL_TYPEDEF && d->root == d && is_container(d->type));
}

static size_t count_tables(const idl_definition *d)
{
    size_t count = idl_is_record(d);
    for (const idl_function *f = d->functions; f; f = f->next)
        count += f->oneway ? 1 : 2;
    return count;
}

static bool number_nodes(lowering *l)
{
    size_t nodes = 0, tables = 0;
    IDL_EACH(l->load, d)
    {
        nodes += is_node(d);
        tables += count_tables(d);
    }
    l->nodes   = frugal_arena_items(l->scratch, nodes + 1, sizeof *l->nodes);
    l->heights = frugal_arena_items(l->scratch, nodes + 1, 1);
    l->slots   = idl_alloc(l->load, (tables + 1) * sizeof *l->slots);
    if (l->nodes == NULL || l->heights == NULL)
        idl_no_memory(l->load);
    if (l->load->stopped)
        return false;
    IDL_EACH(l->load, d)
    {
        if (is_node(d)) {
            l->nodes[l->count++] = d;
            d->number            = l->count;
        }
    }
    return true;
}

static frugal_struct *new_table(lowering *l, const char *name, bool is_union)
{
    frugal_struct *table = idl_alloc(l->load, sizeof *table);
    if (table == NULL)
        return NULL;
    table->abi      = FRUGAL_TABLE_ABI;
    table->name     = name;
    table->is_union = is_union;
    table->slot     = l->slots++;
    return table;
}

/* ---- enums ---------------------------------------------------------------------------------- */

static void lower_enum(lowering *l, idl_definition *d)
{
    uint32_t                 i     = 0;
    frugal_enum             *names = idl_alloc(l->load, sizeof *names);
    struct frugal_enum_item *items = d->count ? idl_alloc(l->load, d->count * sizeof *items) : NULL;
    if (l->load->stopped)
        return;
    for (const idl_enum_item *item = d->items; item; item = item->next, i++) {
        items[i].name  = item->name.text.ptr;
        items[i].value = (int32_t)item->value;
    }
    *names   = (frugal_enum){ d->name.text.ptr, d->count, items };
    d->names = names;
}

/* ---- types ---------------------------------------------------------------------------------- */

static uint8_t container_kind(const idl_type *type)
{
    return type->kind == IDL_TYPE_LIST  ? FRUGAL_KIND_LIST
           : type->kind == IDL_TYPE_SET ? FRUGAL_KIND_SET
                                        : FRUGAL_KIND_MAP;
}

static void set_record(frugal_type *out, const frugal_struct *record, bool indirect)
{
    out->kind     = FRUGAL_KIND_STRUCT;
    out->record   = record;
    out->indirect = indirect;
    out->size     = indirect ? (uint32_t)sizeof(void *) : record->size;
}

/* All but what is behind the pointer of a container. */
static void lower_outside(const idl_type *type, frugal_type *out)
{
    type = idl_strip(type);
    memset(out, 0, sizeof *out);
    if (type->kind == IDL_TYPE_NAME && type->definition->kind == IDL_ENUM) {
        out->kind  = FRUGAL_KIND_ENUM;
        out->names = type->definition->names;
    } else if (type->kind == IDL_TYPE_NAME) {
        set_record(out, type->definition->record, false);
        return;
    } else
        out->kind = type->kind == IDL_TYPE_BASE ? (uint8_t)type->base : container_kind(type);
    out->size = schema_kind_size(out->kind);
}

/* Whether `inside` cannot lie in `owner` itself. */
static bool is_far(const lowering *l, uint32_t owner, const idl_definition *inside)
{
    return inside->record->size > LOWER_INLINE_SIZE_MAX
           || (owner && l->components[owner - 1] == l->components[inside->number - 1]);
}

static frugal_type *lower_node(lowering *l, const idl_type *type, uint32_t owner)
{
    frugal_type *node = idl_alloc(l->load, sizeof *node);
    if (node)
        lower_type(l, type, owner, node);
    return node;
}

static void lower_entry_part(lowering *l, uint32_t owner, const idl_type *type, frugal_type *part)
{
    const idl_definition *record = lower_record_of(type);
    if (record && is_far(l, owner, record))
        set_record(part, record->record, true);
}

static void lower_container(lowering *l, const idl_type *type, uint32_t owner, frugal_type *out)
{
    frugal_type *key = NULL, *elem = lower_node(l, type->elem, owner);
    if (type->key)
        key = lower_node(l, type->key, owner);
    if (l->load->stopped)
        return;
    if (key) {
        lower_entry_part(l, owner, type->key, key);
        lower_entry_part(l, owner, type->elem, elem);
    }
    out->key    = key;
    out->elem   = elem;
    out->stride = schema_stride(key, elem); /* two places of a bounded size, so never 0 */
}

/* One for all uses, so that C has one type, too. */
static const frugal_type *lower_typedef(lowering *l, idl_definition *root)
{
    if (root->lowered_type == NULL) {
        frugal_type *made = idl_alloc(l->load, sizeof *made);
        if (made == NULL)
            return NULL;
        lower_outside(root->type, made);
        if (is_container(root->type))
            lower_container(l, root->type, root->number, made);
        root->lowered_type = made;
    }
    return root->lowered_type;
}

/* Calls nest as containers do. */
void lower_type(lowering *l, const idl_type *type, uint32_t owner, frugal_type *out)
{
    const idl_type *stripped = idl_strip(type);
    if (l->load->stopped)
        return;
    lower_outside(type, out);
    if (!is_container(stripped))
        return;
    if (stripped == type) {
        lower_container(l, type, owner, out);
        return;
    }
    const frugal_type *made = lower_typedef(l, type->definition->root);
    if (made)
        *out = *made;
}

/* ---- fields --------------------------------------------------------------------------------- */

static uint8_t lowered_need(const lowering *l, const idl_field *field)
{
    if (l->load->options->presence && field->need == FRUGAL_NEED_DEFAULT)
        return FRUGAL_NEED_OPTIONAL;
    return (uint8_t)field->need;
}

/* Whether a struct lies behind a pointer here; `height` becomes that of what holds it. */
static bool is_pointer(const lowering *l, uint32_t owner, bool is_arm, const frugal_field *field,
                       const idl_definition *inside, uint8_t *height)
{
    if (field->need == FRUGAL_NEED_OPTIONAL && !is_arm)
        return true;
    uint8_t below = l->heights[inside->number - 1];
    if (is_far(l, owner, inside) || below >= SCHEMA_NESTING_MAX)
        return true;
    if (below >= *height)
        *height = (uint8_t)(below + 1);
    return false;
}

static void lower_field(lowering *l, const idl_field *field, uint32_t owner, bool is_arm,
                        frugal_field *out, uint8_t *height)
{
    out->name = field->name.text.ptr;
    out->id   = (int16_t)field->id;
    out->need = lowered_need(l, field);
    lower_outside(field->type, &out->type);
    const idl_definition *inside = lower_record_of(field->type);
    if (inside && is_pointer(l, owner, is_arm, out, inside, height))
        set_record(&out->type, inside->record, true);
}

static const frugal_type keeper_type = { .kind = FRUGAL_KIND_BINARY, .size = sizeof(frugal_bytes) };

/* The list of `fields`, after room for `skipped` that the caller fills. Records inside are laid
 * out. */
static frugal_field *lower_fields(lowering *l, const idl_field *fields, uint32_t skipped,
                                  const frugal_struct *table, uint32_t owner, uint32_t *count,
                                  uint8_t *height)
{
    bool     keeps = l->load->options->keep_unknown && !table->is_union;
    uint32_t n     = skipped;
    for (const idl_field *field = fields; field; field = field->next)
        n++;
    *count            = n + keeps;
    frugal_field *out = *count ? idl_alloc(l->load, *count * sizeof *out) : NULL;
    if (out == NULL)
        return NULL;
    n = skipped;
    for (const idl_field *field = fields; field; field = field->next)
        lower_field(l, field, owner, table->is_union, &out[n++], height);
    if (keeps)
        out[n] = (frugal_field){ .name = "unknown_fields",
                                 .type = keeper_type,
                                 .need = FRUGAL_NEED_UNKNOWN };
    return out;
}

static void lay_out(lowering *l, frugal_struct *table, frugal_field *fields, uint32_t count,
                    const idl_definition *d)
{
    if (!schema_layout_fields(table, fields, count))
        idl_error(l->load, FRUGAL_SIZE, d->file, d->name.place, d->name.text,
                  "%s has more than %u bytes in C", table->name, SCHEMA_SIZE_MAX);
}

static void lower_record(lowering *l, idl_definition *d)
{
    uint32_t       count;
    uint8_t       *height = &l->heights[d->number - 1];
    frugal_struct *table  = (frugal_struct *)d->record;
    *height               = 1;
    frugal_field *fields  = lower_fields(l, d->fields, 0, table, d->number, &count, height);
    if (!l->load->stopped)
        lay_out(l, table, fields, count, d);
}

/* What is behind the pointers of containers, when all sizes are known. */
static void finish_fields(lowering *l, const idl_field *fields, uint32_t owner, frugal_field *out)
{
    for (; fields && !l->load->stopped; fields = fields->next, out++)
        if (is_container(idl_strip(fields->type)))
            lower_type(l, fields->type, owner, &out->type);
}

/* ---- services ------------------------------------------------------------------------------- */

static const char *join_name(lowering *l, frugal_str service, frugal_str method, const char *end)
{
    size_t size = service.len + 1 + method.len + strlen(end) + 1;
    char  *name = idl_alloc(l->load, size);
    if (name)
        snprintf(name, size, "%.*s.%.*s%s", (int)service.len, service.ptr, (int)method.len,
                 method.ptr, end);
    return name;
}

static const frugal_struct *lower_args(lowering *l, const idl_definition *d, const idl_function *f)
{
    uint32_t       count;
    uint8_t        height = 1;
    const char    *name   = join_name(l, d->name.text, f->name.text, "_args");
    frugal_struct *table  = name ? new_table(l, name, false) : NULL;
    if (table == NULL)
        return NULL;
    frugal_field *fields = lower_fields(l, f->args, 0, table, 0, &count, &height);
    if (!l->load->stopped)
        lay_out(l, table, fields, count, d);
    finish_fields(l, f->args, 0, fields);
    return table;
}

/* Field 0 `success`, then the exceptions. All optional: one of them is there, or, for void, none.
 */
static const frugal_struct *lower_result(lowering *l, const idl_definition *d,
                                         const idl_function *f)
{
    uint32_t       count;
    uint8_t        height  = 1;
    idl_field      success = { .name = { .text = FRUGAL_STR("success") },
                               .need = FRUGAL_NEED_OPTIONAL,
                               .type = f->result };
    const char    *name    = join_name(l, d->name.text, f->name.text, "_result");
    frugal_struct *table   = name ? new_table(l, name, false) : NULL;
    if (table == NULL)
        return NULL;
    uint32_t      skipped = f->result != NULL;
    frugal_field *fields  = lower_fields(l, f->throws, skipped, table, 0, &count, &height);
    if (l->load->stopped)
        return NULL;
    if (skipped)
        lower_field(l, &success, 0, false, fields, &height);
    lay_out(l, table, fields, count, d);
    if (skipped)
        finish_fields(l, &success, 0, fields);
    finish_fields(l, f->throws, 0, fields ? fields + skipped : NULL);
    return table;
}

static void lower_methods(lowering *l, idl_definition *d)
{
    frugal_service *service = (frugal_service *)d->service;
    frugal_method  *methods = d->count ? idl_alloc(l->load, d->count * sizeof *methods) : NULL;
    *service                = (frugal_service){ .abi          = FRUGAL_TABLE_ABI,
                                                .method_count = d->count,
                                                .name         = d->name.text.ptr,
                                                .methods      = methods,
                                                .base         = d->base ? d->base->service : NULL };
    for (idl_function *f = d->functions; f && !l->load->stopped; f = f->next) {
        f->lowered_args   = lower_args(l, d, f);
        f->lowered_result = f->oneway ? NULL : lower_result(l, d, f);
        *methods++        = (frugal_method){ f->name.text.ptr, f->lowered_args, f->lowered_result };
    }
}

/* ---- all of it ------------------------------------------------------------------------------ */

static void allocate_tables(lowering *l)
{
    IDL_EACH(l->load, d)
    {
        if (idl_is_record(d))
            d->record = new_table(l, d->name.text.ptr, d->kind == IDL_UNION);
        else if (d->kind == IDL_SERVICE)
            d->service = idl_alloc(l->load, sizeof *d->service);
        else if (d->kind == IDL_ENUM)
            lower_enum(l, d);
    }
}

static void lower_types_of(lowering *l, idl_definition *d)
{
    if (idl_is_record(d))
        finish_fields(l, d->fields, d->number, (frugal_field *)d->record->fields);
    else if (d->kind == IDL_TYPEDEF)
        d->lowered_type = lower_typedef(l, d->root);
    else if (d->kind == IDL_CONST)
        d->lowered_type = lower_node(l, d->type, 0);
}

static void lower_all(lowering *l)
{
    if (!number_nodes(l))
        return;
    allocate_tables(l);
    if (!l->load->stopped)
        lower_components(l);
    for (uint32_t i = 0; i < l->count && !l->load->stopped; i++)
        if (l->nodes[l->order[i]]->kind != IDL_TYPEDEF)
            lower_record(l, l->nodes[l->order[i]]);
    IDL_EACH(l->load, d)
    lower_types_of(l, d);
    IDL_EACH(l->load, d)
    if (d->kind == IDL_SERVICE)
        lower_methods(l, d);
    if (l->load->errors == 0)
        lower_values(l);
}

void idl_lower(idl_load *load)
{
    lowering l = { .load = load };
    l.scratch  = frugal_arena_new(&(frugal_arena_options){ .allocator = load->options->allocator });
    if (l.scratch)
        lower_all(&l);
    else
        idl_no_memory(load);
    frugal_arena_free(l.scratch);
}
