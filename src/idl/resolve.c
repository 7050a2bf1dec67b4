/* idl/resolve.c - gives every name its meaning, and checks what one definition alone can get wrong.
 *
 * One mistake is one report: what could not be resolved has the definition NULL, and every later
 * check passes over it. No recursion follows what the text can chain (typedefs, constants,
 * services, structs in structs); those walks are in order.c or loops here. */
#include "idl/resolve.h"

#include <limits.h>
#include <string.h>

#include "idl/order.h"

#define ERROR(r, place, word, ...) \
    idl_error((r)->load, FRUGAL_DESCRIPTOR, (r)->file, (place), (word), __VA_ARGS__)

#define EXTENDS_MAX 64 /* as frugal_service_method looks */

bool idl_is_record(const idl_definition *definition)
{
    return definition
           && (definition->kind == IDL_STRUCT || definition->kind == IDL_UNION
               || definition->kind == IDL_EXCEPTION);
}

const idl_type *idl_strip(const idl_type *type)
{
    if (type->kind == IDL_TYPE_NAME && type->definition && type->definition->kind == IDL_TYPEDEF
        && type->definition->root)
        return type->definition->root->type;
    return type;
}

static bool is_container(const idl_type *type)
{
    return type->kind == IDL_TYPE_LIST || type->kind == IDL_TYPE_SET || type->kind == IDL_TYPE_MAP;
}

/* ---- members of one definition -------------------------------------------------------------- */

static void check_item(resolver *r, idl_definition *names, idl_enum_item *item)
{
    idl_place place = item->has_value ? item->value_place : item->name.place;
    if (item->value < INT32_MIN || item->value > INT32_MAX)
        ERROR(r, place, item->has_value ? NO_WORD : item->name.text,
              "%.*s is %lld, but an enum has 32 bits", IDL_TEXT(item->name.text),
              (long long)item->value);
    void *first = names->members ? idl_map_add(names->members, item->name.text, item) : NULL;
    if (names->members == NULL)
        for (idl_enum_item *e = names->items; e != item && first == NULL; e = e->next)
            if (idl_same_text(e->name.text, item->name.text))
                first = e;
    if (first)
        ERROR(r, item->name.place, item->name.text, "%.*s is an item of this enum already",
              IDL_TEXT(item->name.text));
    if (names->numbers)
        idl_map_add(names->numbers, (frugal_str){ (const char *)&item->value, sizeof item->value },
                    item);
}

static void check_enum(resolver *r, idl_definition *names)
{
    for (const idl_enum_item *item = names->items; item; item = item->next)
        names->count++;
    if (names->count > IDL_FEW) {
        names->members = idl_map_new(r->load, names->count);
        names->numbers = idl_map_new(r->load, names->count);
        if (names->members == NULL || names->numbers == NULL)
            return;
    }
    for (idl_enum_item *item = names->items; item && !r->load->stopped; item = item->next)
        check_item(r, names, item);
}

static void check_functions(resolver *r, idl_definition *service)
{
    for (const idl_function *f = service->functions; f; f = f->next)
        service->count++;
    if (service->count > IDL_FEW && !(service->members = idl_map_new(r->load, service->count)))
        return;
    for (idl_function *f = service->functions; f && !r->load->stopped; f = f->next) {
        const idl_function *first = service->members
                                        ? idl_map_add(service->members, f->name.text, f)
                                        : idl_find_function(service, f->name.text);
        if (first && first != f)
            ERROR(r, f->name.place, f->name.text, "%.*s is a method of this service already",
                  IDL_TEXT(f->name.text));
    }
}

/* ---- lists of fields ------------------------------------------------------------------------ */

static bool take_id(resolver *r, int32_t id)
{
    uint32_t bit   = (uint16_t)(int16_t)id;
    bool     taken = r->ids[bit / 64] >> (bit % 64) & 1;
    r->ids[bit / 64] |= (uint64_t)1 << (bit % 64);
    return !taken;
}

static void check_id(resolver *r, const idl_field *field)
{
    if (field->id < INT16_MIN || field->id > INT16_MAX)
        ERROR(r, field->place, NO_WORD, "the id %d of %.*s is not in -32768 .. 32767",
              (int)field->id, IDL_TEXT(field->name.text));
    else if (!take_id(r, field->id))
        ERROR(r, field->place, NO_WORD, "the id %d of %.*s is another field's already",
              (int)field->id, IDL_TEXT(field->name.text));
}

static const idl_field *earlier_field(const idl_field *fields, const idl_field *field)
{
    for (; fields != field; fields = fields->next)
        if (idl_same_text(fields->name.text, field->name.text))
            return fields;
    return NULL;
}

/* Ids and names. `members`: where to note the names when there are many; may be NULL. */
static void check_fields(resolver *r, idl_field *fields, idl_map **members, uint32_t *count)
{
    uint32_t n = 0;
    for (idl_field *field = fields; field; field = field->next)
        field->index = n++;
    *count       = n;
    idl_map *map = n > IDL_FEW ? idl_map_new(r->load, n) : NULL;
    if (n > IDL_FEW && map == NULL)
        return;
    for (idl_field *field = fields; field && !r->load->stopped; field = field->next) {
        check_id(r, field);
        if (map ? idl_map_add(map, field->name.text, field) != NULL
                : earlier_field(fields, field) != NULL)
            ERROR(r, field->name.place, field->name.text, "another field is called %.*s already",
                  IDL_TEXT(field->name.text));
    }
    for (const idl_field *field = fields; field; field = field->next)
        r->ids[(uint16_t)field->id / 64] = 0;
    if (members)
        *members = map;
}

static void check_union(resolver *r, idl_definition *definition)
{
    const idl_field *with_initial = NULL;
    for (idl_field *field = definition->fields; field && !r->load->stopped; field = field->next) {
        if (field->has_need && field->need == FRUGAL_NEED_REQUIRED)
            idl_warn(r->load, r->file, field->need_place, FRUGAL_STR("required"),
                     "an arm of a union is optional");
        field->need = FRUGAL_NEED_OPTIONAL;
        if (field->id == 0)
            ERROR(r, field->place, NO_WORD, "the id 0 of %.*s means that a union has no arm",
                  IDL_TEXT(field->name.text));
        if (field->initial && with_initial)
            ERROR(r, field->initial->place, field->initial->text,
                  "a union has one default, and %.*s has it", IDL_TEXT(with_initial->name.text));
        else if (field->initial)
            with_initial = field;
    }
}

/* ---- functions ------------------------------------------------------------------------------ */

static void check_args(resolver *r, idl_function *function)
{
    uint32_t count;
    check_fields(r, function->args, NULL, &count);
    for (idl_field *arg = function->args; arg; arg = arg->next) {
        if (arg->need != FRUGAL_NEED_OPTIONAL)
            continue;
        idl_warn(r->load, r->file, arg->need_place, FRUGAL_STR("optional"),
                 "an argument is never optional");
        arg->need = FRUGAL_NEED_DEFAULT;
    }
}

/* They stand in one struct with the result, which is field 0 `success`. */
static void check_throws(resolver *r, idl_function *function)
{
    uint32_t count;
    check_fields(r, function->throws, NULL, &count);
    for (idl_field *thrown = function->throws; thrown; thrown = thrown->next) {
        thrown->need    = FRUGAL_NEED_OPTIONAL;
        thrown->initial = NULL;
        if (function->result && thrown->id == 0)
            ERROR(r, thrown->place, NO_WORD, "the id 0 of %.*s is that of the result",
                  IDL_TEXT(thrown->name.text));
        if (function->result && idl_same_text(thrown->name.text, FRUGAL_STR("success")))
            ERROR(r, thrown->name.place, thrown->name.text, "the result is called success");
    }
    if (!function->oneway)
        return;
    if (function->throws)
        ERROR(r, function->name.place, function->name.text,
              "%.*s is oneway: nobody could receive an exception", IDL_TEXT(function->name.text));
    if (function->result)
        idl_warn(r->load, r->file, function->result->place, NO_WORD,
                 "%.*s is oneway: its result is never sent", IDL_TEXT(function->name.text));
}

static void check_thrown_types(resolver *r, const idl_function *function)
{
    for (const idl_field *thrown = function->throws; thrown; thrown = thrown->next) {
        const idl_type *type = idl_strip(thrown->type);
        if (type->kind == IDL_TYPE_NAME
            && (type->definition == NULL || type->definition->kind == IDL_EXCEPTION))
            continue;
        char text[64];
        idl_type_text(thrown->type, text, sizeof text);
        ERROR(r, thrown->type->place, thrown->type->name.text, "%s is thrown, but is no exception",
              text);
    }
}

/* ---- all definitions, one by one ------------------------------------------------------------- */

static void resolve_field_types(resolver *r, idl_field *fields)
{
    for (; fields && !r->load->stopped; fields = fields->next)
        resolve_type(r, fields->type);
}

static void resolve_definition(resolver *r, idl_definition *d)
{
    r->file = d->file;
    resolve_type(r, d->type);
    if (idl_is_record(d)) {
        check_fields(r, d->fields, &d->members, &d->count);
        resolve_field_types(r, d->fields);
    }
    if (d->kind == IDL_UNION)
        check_union(r, d);
    if (d->kind == IDL_ENUM)
        check_enum(r, d);
    if (d->kind != IDL_SERVICE)
        return;
    check_functions(r, d);
    for (idl_function *f = d->functions; f && !r->load->stopped; f = f->next) {
        check_args(r, f);
        check_throws(r, f);
        resolve_type(r, f->result);
        resolve_field_types(r, f->args);
        resolve_field_types(r, f->throws);
    }
}

/* ---- typedefs ------------------------------------------------------------------------------- */

/* `type` is in the definition of a typedef. */
static void enter_type(idl_order *order, resolver *r, idl_type *type)
{
    if (type == NULL)
        return;
    enter_type(order, r, type->key);
    enter_type(order, r, type->elem);
    if (type->kind != IDL_TYPE_NAME || type->definition == NULL
        || type->definition->kind != IDL_TYPEDEF || idl_order_edge(order, type->definition))
        return;
    ERROR(r, type->place, type->name.text, "the typedef %.*s is made of itself",
          IDL_TEXT(type->name.text));
    type->definition = NULL;
}

static void enter_typedef(idl_order *order, idl_definition *definition)
{
    resolver *r = order->context;
    r->file     = definition->file;
    enter_type(order, r, definition->type);
}

/* Of a typedef that was reported as too high: what is made of it is not reported again. */
#define HEIGHT_BAD 255u

/* Containers inside each other, itself included. */
static unsigned height_of(const idl_type *type)
{
    if (type->kind == IDL_TYPE_NAME)
        return type->definition && type->definition->kind == IDL_TYPEDEF ? type->definition->height
                                                                         : 0;
    if (!is_container(type))
        return 0;
    unsigned key = type->key ? height_of(type->key) : 0, elem = height_of(type->elem);
    unsigned below = key > elem ? key : elem;
    return below == HEIGHT_BAD ? HEIGHT_BAD : below + 1;
}

static unsigned check_height(resolver *r, const idl_type *type)
{
    unsigned height = type ? height_of(type) : 0;
    if (height <= IDL_DEPTH_MAX || height == HEIGHT_BAD)
        return height;
    idl_error(r->load, FRUGAL_DEPTH, r->file, type->place, type->name.text,
              "more than %u containers inside each other", IDL_DEPTH_MAX);
    return HEIGHT_BAD;
}

static void leave_typedef(idl_order *order, idl_definition *definition)
{
    resolver       *r    = order->context;
    idl_definition *next = definition->type->definition;
    r->file              = definition->file;
    definition->root = definition->type->kind == IDL_TYPE_NAME && next && next->kind == IDL_TYPEDEF
                           ? next->root
                           : definition;
    definition->height = (uint8_t)check_height(r, definition->type);
}

static void resolve_typedefs(resolver *r)
{
    idl_order order = { .load    = r->load,
                        .scratch = r->scratch,
                        .enter   = enter_typedef,
                        .leave   = leave_typedef,
                        .context = r };
    IDL_EACH(r->load, d)
    if (d->kind == IDL_TYPEDEF)
        idl_order_from(&order, d);
    idl_order_end(r->load);
}

static void check_field_heights(resolver *r, const idl_field *fields)
{
    for (; fields && !r->load->stopped; fields = fields->next)
        check_height(r, fields->type);
}

static void check_stripped(resolver *r, idl_definition *d)
{
    r->file = d->file;
    if (d->kind == IDL_CONST)
        check_height(r, d->type);
    check_field_heights(r, d->fields);
    for (idl_function *f = d->functions; f && !r->load->stopped; f = f->next) {
        check_height(r, f->result);
        check_field_heights(r, f->args);
        check_field_heights(r, f->throws);
        check_thrown_types(r, f);
    }
}

/* ---- structs that are required in themselves ------------------------------------------------- */

static void enter_required(idl_order *order, idl_definition *definition)
{
    resolver *r = order->context;
    for (idl_field *field = definition->fields; field; field = field->next) {
        const idl_type *type = idl_strip(field->type);
        if (field->need != FRUGAL_NEED_REQUIRED || type->kind != IDL_TYPE_NAME
            || !idl_is_record(type->definition) || idl_order_edge(order, type->definition))
            continue;
        idl_warn(r->load, definition->file, field->name.place, field->name.text,
                 "%.*s.%.*s is required in itself: there is no value that can be read",
                 IDL_TEXT(definition->name.text), IDL_TEXT(field->name.text));
    }
}

static void warn_required(resolver *r)
{
    idl_order order = {
        .load = r->load, .scratch = r->scratch, .enter = enter_required, .context = r
    };
    IDL_EACH(r->load, d)
    if (idl_is_record(d))
        idl_order_from(&order, d);
    idl_order_end(r->load);
}

/* ---- services ------------------------------------------------------------------------------- */

static void resolve_base(resolver *r, idl_definition *d)
{
    r->file = d->file;
    if (d->base_name.text.ptr == NULL)
        return;
    d->base = resolve_name(r, &d->base_name, "service");
    if (d->base == NULL || d->base->kind == IDL_SERVICE)
        return;
    ERROR(r, d->base_name.place, d->base_name.text, "%.*s is no service",
          IDL_TEXT(d->base_name.text));
    d->base = NULL;
}

/* Each service has one way to go, so one mark along it finds a cycle. */
static void check_extends_cycle(resolver *r, idl_definition *start)
{
    idl_definition *last = NULL, *d;
    for (d = start; d && d->mark == 0; last = d, d = d->base)
        d->mark = 1;
    if (d && d->mark == 1 && last) {
        r->file = last->file;
        ERROR(r, last->base_name.place, last->base_name.text, "the service %.*s extends itself",
              IDL_TEXT(last->base_name.text));
        last->base = NULL;
    }
    for (d = start; d && d->mark == 1; d = d->base)
        d->mark = 2;
}

static void check_inherited(resolver *r, const idl_definition *service)
{
    unsigned count = 1;
    r->file        = service->file;
    for (const idl_definition *base = service->base; base && !r->load->stopped; base = base->base) {
        if (++count > EXTENDS_MAX) {
            if (base->base == NULL) /* the first of a long row reports it */
                ERROR(r, service->base_name.place, service->base_name.text,
                      "more than %d services extend each other", EXTENDS_MAX);
            return;
        }
        for (const idl_function *f = service->functions; f; f = f->next)
            if (idl_find_function(base, f->name.text))
                ERROR(r, f->name.place, f->name.text, "%.*s is a method of %.*s already",
                      IDL_TEXT(f->name.text), IDL_TEXT(base->name.text));
    }
}

static void resolve_services(resolver *r)
{
    IDL_EACH(r->load, d)
    if (d->kind == IDL_SERVICE)
        resolve_base(r, d);
    IDL_EACH(r->load, d)
    if (d->kind == IDL_SERVICE)
        check_extends_cycle(r, d);
    idl_order_end(r->load);
    IDL_EACH(r->load, d)
    if (d->kind == IDL_SERVICE)
        check_inherited(r, d);
}

/* ---- the door ------------------------------------------------------------------------------- */

static void resolve_all(resolver *r)
{
    resolve_tables(r);
    IDL_EACH(r->load, d)
    resolve_definition(r, d);
    resolve_typedefs(r);
    IDL_EACH(r->load, d)
    check_stripped(r, d);
    if (!r->load->stopped)
        resolve_services(r);
    if (!r->load->stopped)
        resolve_constants(r);
    if (r->load->errors == 0)
        warn_required(r);
    if (!r->load->stopped)
        resolve_warn_unused(r);
}

void idl_resolve(idl_load *load)
{
    frugal_arena *scratch =
        frugal_arena_new(&(frugal_arena_options){ .allocator = load->options->allocator });
    resolver *r = idl_alloc(load, sizeof *r);
    if (scratch == NULL)
        idl_no_memory(load);
    if (r && scratch) {
        r->load    = load;
        r->scratch = scratch;
        resolve_all(r);
    }
    frugal_arena_free(scratch);
}
