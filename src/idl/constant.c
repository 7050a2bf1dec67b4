/* idl/constant.c - what names in values mean, and whether values fit their types.
 *
 * First every name is looked up, with the type it should have in hand, since an item of the wanted
 * enum may stand there without the enum's name. Then constants are put in order, so that each knows
 * the final value of those it names. Then values are checked. A constant is checked once against
 * its own type; where another type is wanted it is looked through again, which is bounded by
 * IDL_STEPS_MAX: twenty constants that name each other twice have a million values. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "idl/order.h"
#include "idl/resolve.h"

/* ---- types as text, and whether they are the same -------------------------------------------- */

typedef struct type_text {
    char  *text;
    size_t size, len;
} type_text;

static void put(type_text *out, frugal_str text)
{
    size_t room = out->size - 1 - out->len;
    size_t len  = text.len < room ? text.len : room;
    if (len)
        memcpy(out->text + out->len, text.ptr, len);
    out->len += len;
    out->text[out->len] = '\0';
}

static void put_type(type_text *out, const idl_type *type)
{
    static const char *const names[] = { "nothing", "bool",   "i8",     "i16",   "i32",
                                         "i64",     "double", "string", "binary" };
    if (type->kind == IDL_TYPE_NAME)
        put(out, type->name.text);
    else if (type->kind == IDL_TYPE_BASE)
        put(out, (frugal_str){ names[type->base], strlen(names[type->base]) });
    else {
        put(out, type->kind == IDL_TYPE_LIST  ? FRUGAL_STR("list<")
                 : type->kind == IDL_TYPE_SET ? FRUGAL_STR("set<")
                                              : FRUGAL_STR("map<"));
        if (type->key) {
            put_type(out, type->key);
            put(out, FRUGAL_STR(", "));
        }
        put_type(out, type->elem);
        put(out, FRUGAL_STR(">"));
    }
}

void idl_type_text(const idl_type *type, char *text, size_t size)
{
    type_text out = { text, size, 0 };
    put_type(&out, type);
}

/* Calls nest as containers do. Typedefs can make a type of 2^64 parts; `*steps` bounds the work. */
bool idl_same_type(const idl_type *a, const idl_type *b, uint32_t *steps)
{
    a = idl_strip(a);
    b = idl_strip(b);
    if (a == b)
        return true;
    if (a->kind != b->kind || *steps >= IDL_STEPS_MAX)
        return false;
    ++*steps;
    if (a->kind == IDL_TYPE_BASE)
        return a->base == b->base;
    if (a->kind == IDL_TYPE_NAME)
        return a->definition == b->definition;
    return (a->key == NULL || idl_same_type(a->key, b->key, steps))
           && idl_same_type(a->elem, b->elem, steps);
}

/* ---- names ---------------------------------------------------------------------------------- */

#define ERROR(r, value, ...) \
    idl_error((r)->load, FRUGAL_DESCRIPTOR, (r)->file, (value)->place, (value)->text, __VA_ARGS__)

static const idl_definition *enum_of(const idl_type *type)
{
    return type && type->kind == IDL_TYPE_NAME && type->definition
                   && type->definition->kind == IDL_ENUM
               ? type->definition
               : NULL;
}

static idl_definition *record_of(const idl_type *type)
{
    return type && type->kind == IDL_TYPE_NAME && idl_is_record(type->definition) ? type->definition
                                                                                  : NULL;
}

/* "Enum.ITEM" or "include.Enum.ITEM". `*names` is the enum when there is one, without the item,
 * too. */
static const idl_enum_item *find_item(resolver *r, frugal_str name, const idl_definition **names,
                                      name_found *why)
{
    frugal_str      left, right;
    idl_definition *found = NULL;
    *names                = NULL;
    *why                  = NAME_NONE;
    if (!idl_split(name, &left, &right))
        return NULL;
    *why = name_find(r->file, left, false, &found);
    if (*why != NAME_FOUND)
        return NULL;
    if (found->kind == IDL_TYPEDEF)
        found = (idl_definition *)enum_of(idl_strip(found->type));
    *why = NAME_NONE;
    if (found == NULL || found->kind != IDL_ENUM)
        return NULL;
    *names                    = found;
    const idl_enum_item *item = idl_find_item(found, right);
    if (item)
        *why = NAME_FOUND;
    return item;
}

static void set_item(idl_value *value, const idl_enum_item *item, const idl_definition *names)
{
    value->item    = item;
    value->item_of = names;
}

static void report_name(resolver *r, const idl_value *value, name_found constant, name_found item,
                        const idl_definition *names, const idl_definition *wanted)
{
    frugal_str left, right;
    if (constant == NAME_BROKEN || item == NAME_BROKEN)
        return;
    if (constant == NAME_AMBIGUOUS || item == NAME_AMBIGUOUS)
        ERROR(r, value, "more than one include has %.*s", IDL_TEXT(value->text));
    else if (names && idl_split(value->text, &left, &right))
        ERROR(r, value, "enum %.*s has no item %.*s", IDL_TEXT(names->name.text), IDL_TEXT(right));
    else if (wanted)
        ERROR(r, value, "%.*s is no item of enum %.*s, and no constant", IDL_TEXT(value->text),
              IDL_TEXT(wanted->name.text));
    else
        ERROR(r, value, "no constant and no item of an enum is called %.*s", IDL_TEXT(value->text));
}

static void resolve_value_name(resolver *r, const idl_type *type, idl_value *value)
{
    if (idl_same_text(value->text, FRUGAL_STR("true"))
        || idl_same_text(value->text, FRUGAL_STR("false"))) {
        value->kind    = IDL_VALUE_INT;
        value->integer = value->text.len == 4;
        return;
    }
    const idl_definition *wanted = enum_of(type), *names = NULL;
    const idl_enum_item  *item = wanted ? idl_find_item(wanted, value->text) : NULL;
    if (item) {
        set_item(value, item, wanted);
        return;
    }
    name_found item_why, why = name_find(r->file, value->text, true, &value->definition);
    item = find_item(r, value->text, &names, &item_why);
    if (why == NAME_FOUND && item) {
        ERROR(r, value, "%.*s is a constant and an item of an enum", IDL_TEXT(value->text));
        value->definition = NULL;
    } else if (item)
        set_item(value, item, names);
    if (why == NAME_FOUND || item)
        return;
    value->definition = NULL;
    report_name(r, value, why, item_why, names, wanted);
}

static const idl_type *stripped(const idl_type *type)
{
    return type ? idl_strip(type) : NULL;
}

/* Calls nest as the text does. `type` may be NULL, where it does not fit; that is told later. */
static void resolve_names(resolver *r, const idl_type *type, idl_value *value)
{
    type = stripped(type);
    if (value->kind == IDL_VALUE_NAME) {
        resolve_value_name(r, type, value);
        return;
    }
    const idl_definition *record = record_of(type);
    for (idl_value *item = value->items; item && !r->load->stopped; item = item->next) {
        const idl_field *field = NULL;
        if (record && item->key && item->key->kind == IDL_VALUE_TEXT)
            field = idl_find_field(record, item->key->text);
        if (record && item->key && field == NULL)
            continue; /* check_member tells */
        if (item->key && record == NULL)
            resolve_names(r, type ? type->key : NULL, item->key);
        resolve_names(r, record ? (field ? field->type : NULL) : (type ? type->elem : NULL), item);
    }
}

/* ---- the order of constants ------------------------------------------------------------------ */

/* A name of a constant takes over what that one means; it was ordered before. */
static void settle(idl_value *value)
{
    if (value->kind == IDL_VALUE_NAME && value->definition) {
        const idl_value *meant = value->definition->value;
        value->constant        = meant->kind == IDL_VALUE_NAME ? meant->constant : meant;
        if (meant->kind == IDL_VALUE_NAME)
            set_item(value, meant->item, meant->item_of);
    }
    for (idl_value *item = value->items; item; item = item->next) {
        if (item->key)
            settle(item->key);
        settle(item);
    }
}

static void enter_value(idl_order *order, resolver *r, idl_value *value)
{
    if (value->kind == IDL_VALUE_NAME && value->definition
        && !idl_order_edge(order, value->definition)) {
        ERROR(r, value, "the constant %.*s is made of itself", IDL_TEXT(value->text));
        value->definition = NULL;
    }
    for (idl_value *item = value->items; item; item = item->next) {
        if (item->key)
            enter_value(order, r, item->key);
        enter_value(order, r, item);
    }
}

static void enter_constant(idl_order *order, idl_definition *constant)
{
    resolver *r = order->context;
    r->file     = constant->file;
    enter_value(order, r, constant->value);
}

static void leave_constant(idl_order *order, idl_definition *constant)
{
    (void)order;
    settle(constant->value);
}

/* ---- checks --------------------------------------------------------------------------------- */

typedef struct check {
    resolver        *r;
    const idl_value *at; /* where a constant is named that is looked through again; NULL: nowhere */
    uint32_t         depth;
} check;

static bool check_value(check *c, const idl_type *type, const idl_value *value);

static const char *describe_value(const idl_value *value)
{
    static const char *const texts[] = { "an integer",    "a number with a fraction",
                                         "a text",        "a name",
                                         "a list in [ ]", "a map in { }" };
    return texts[value->kind];
}

/* Reports once: at the name of the constant, when that is what does not fit. */
#define UNFIT(c, value, ...)                                                              \
    (idl_error((c)->r->load, FRUGAL_DESCRIPTOR, (c)->r->file,                             \
               ((c)->at ? (c)->at : (value))->place, ((c)->at ? (c)->at : (value))->text, \
               __VA_ARGS__),                                                              \
     false)

static bool unfit(check *c, const idl_type *type, const idl_value *value, const idl_value *meant)
{
    char text[64];
    idl_type_text(type, text, sizeof text);
    if (value->item)
        return UNFIT(c, value, "%s is wanted here, and %.*s is an item of enum %.*s", text,
                     IDL_TEXT(value->text), IDL_TEXT(value->item_of->name.text));
    return UNFIT(c, value, "%s is wanted here, and this is %s", text, describe_value(meant));
}

static bool check_integer(check *c, const idl_type *type, const idl_value *value,
                          const idl_value *meant)
{
    static const int64_t most[] = { [FRUGAL_KIND_BOOL] = 1,
                                    [FRUGAL_KIND_I8]   = INT8_MAX,
                                    [FRUGAL_KIND_I16]  = INT16_MAX,
                                    [FRUGAL_KIND_I32]  = INT32_MAX,
                                    [FRUGAL_KIND_I64]  = INT64_MAX };
    int64_t              max    = most[type->base];
    if (!value->item && meant->kind != IDL_VALUE_INT)
        return unfit(c, type, value, meant);
    int64_t integer = value->item ? value->item->value : meant->integer;
    int64_t min     = type->base == FRUGAL_KIND_BOOL ? 0 : -max - 1;
    if (integer >= min && integer <= max)
        return true;
    if (type->base == FRUGAL_KIND_BOOL)
        return UNFIT(c, value, "a bool is true, false, 1 or 0");
    char text[16];
    idl_type_text(type, text, sizeof text);
    return UNFIT(c, value, "%" PRId64 " is not in the range of %s", integer, text);
}

static bool check_base(check *c, const idl_type *type, const idl_value *value,
                       const idl_value *meant)
{
    if (type->base <= FRUGAL_KIND_I64)
        return check_integer(c, type, value, meant);
    if (value->item)
        return unfit(c, type, value, meant);
    if (type->base == FRUGAL_KIND_DOUBLE)
        return meant->kind == IDL_VALUE_DOUBLE || meant->kind == IDL_VALUE_INT
               || unfit(c, type, value, meant);
    return meant->kind == IDL_VALUE_TEXT || unfit(c, type, value, meant);
}

static bool check_enum_value(check *c, const idl_type *type, const idl_value *value,
                             const idl_value *meant)
{
    const idl_definition *names = type->definition;
    if (value->item)
        return value->item_of == names || unfit(c, type, value, meant);
    if (meant->kind != IDL_VALUE_INT)
        return unfit(c, type, value, meant);
    if (idl_find_number(names, meant->integer) == NULL)
        return UNFIT(c, value, "%" PRId64 " is no item of enum %.*s", meant->integer,
                     IDL_TEXT(names->name.text));
    return true;
}

static bool check_member(check *c, const idl_definition *record, const idl_value *item)
{
    const idl_value *key = item->key;
    if (key->kind != IDL_VALUE_TEXT)
        return UNFIT(c, key, "the name of a field of %.*s is wanted here, as a text",
                     IDL_TEXT(record->name.text));
    const idl_field *field = idl_find_field(record, key->text);
    if (field == NULL)
        return UNFIT(c, key, "%.*s has no field %.*s", IDL_TEXT(record->name.text),
                     IDL_TEXT(key->text));
    return check_value(c, field->type, item);
}

static bool check_record(check *c, const idl_type *type, const idl_value *value,
                         const idl_value *meant)
{
    const idl_definition *record = type->definition;
    bool                  good   = true;
    if (value->item || meant->kind != IDL_VALUE_MAP)
        return unfit(c, type, value, meant);
    if (record->kind == IDL_UNION && meant->items && meant->items->next)
        return UNFIT(c, meant, "a union has one arm; these are more");
    for (const idl_value *item = meant->items; item && !c->r->load->stopped; item = item->next) {
        good = check_member(c, record, item) && good;
        if (!good && c->at)
            return false;
    }
    return good;
}

/* Simple elements of a set and keys of a map, as bytes; false: not simple. */
static bool as_key(const idl_value *value, frugal_str *key)
{
    const idl_value *meant = value->constant ? value->constant : value;
    if (value->item)
        *key = (frugal_str){ (const char *)&value->item->value, sizeof value->item->value };
    else if (meant->kind == IDL_VALUE_INT)
        *key = (frugal_str){ (const char *)&meant->integer, sizeof meant->integer };
    else if (meant->kind == IDL_VALUE_TEXT)
        *key = meant->text;
    else
        return false;
    return true;
}

/* Apache takes repeated ones, and so do we: the wire can carry them. */
static void warn_repeated(check *c, const idl_value *container)
{
    frugal_str key;
    idl_map   *map = NULL;
    if (c->at || container->items == NULL || container->items->next == NULL)
        return;
    for (const idl_value *item = container->items; item; item = item->next) {
        const idl_value *unique = item->key ? item->key : item;
        if (!as_key(unique, &key))
            return;
        if (map == NULL && !(map = idl_map_new(c->r->load, container->item_count)))
            return;
        if (idl_map_add(map, key, (void *)unique))
            idl_warn(c->r->load, c->r->file, unique->place, unique->text,
                     "this %s is there already", item->key ? "key" : "element");
    }
}

static bool check_container(check *c, const idl_type *type, const idl_value *value,
                            const idl_value *meant)
{
    bool good = true;
    if (value->item || (meant->kind != IDL_VALUE_MAP && meant->kind != IDL_VALUE_LIST))
        return unfit(c, type, value, meant);
    /* Empty is empty: both brackets are in use. */
    if (meant->items && meant->kind != (type->key ? IDL_VALUE_MAP : IDL_VALUE_LIST))
        return unfit(c, type, value, meant);
    for (const idl_value *item = meant->items; item && !c->r->load->stopped; item = item->next) {
        if (type->key)
            good = check_value(c, type->key, item->key) && good;
        good = check_value(c, type->elem, item) && good;
        if (!good && c->at)
            return false;
    }
    if (good && type->kind != IDL_TYPE_LIST)
        warn_repeated(c, meant);
    return good;
}

static bool check_meant(check *c, const idl_type *type, const idl_value *value,
                        const idl_value *meant)
{
    if (type->kind == IDL_TYPE_BASE)
        return check_base(c, type, value, meant);
    if (type->kind != IDL_TYPE_NAME)
        return check_container(c, type, value, meant);
    if (type->definition == NULL) /* reported where the type stands */
        return true;
    return type->definition->kind == IDL_ENUM ? check_enum_value(c, type, value, meant)
                                              : check_record(c, type, value, meant);
}

/* Whether it may be looked through once more. */
static bool may_go_on(check *c, const idl_value *value)
{
    resolver        *r     = c->r;
    const idl_value *where = c->at ? c->at : value;
    if (c->depth > IDL_VALUE_DEPTH_MAX)
        idl_error(r->load, FRUGAL_DEPTH, r->file, where->place, where->text,
                  "more than %u values inside each other", IDL_VALUE_DEPTH_MAX);
    else if (c->at && ++r->steps > IDL_STEPS_MAX)
        idl_error(r->load, FRUGAL_SIZE, r->file, where->place, where->text,
                  "constants that name each other have more than %u values", IDL_STEPS_MAX);
    else
        return true;
    return false;
}

/* Calls nest at most IDL_VALUE_DEPTH_MAX deep. */
static bool check_value(check *c, const idl_type *type, const idl_value *value)
{
    if (value->kind == IDL_VALUE_NAME && !value->constant && !value->item)
        return true; /* means nothing, which was reported */
    if (!may_go_on(c, value))
        return false;
    type                    = idl_strip(type);
    const idl_value *meant  = value->constant ? value->constant : value;
    const idl_value *before = c->at;
    if (value->constant && idl_same_type(type, value->definition->type, &c->r->steps))
        return true; /* checked where the constant stands */
    if (value->constant && c->at == NULL)
        c->at = value;
    c->depth++;
    bool good = check_meant(c, type, value, meant);
    c->depth--;
    c->at = before;
    return good;
}

/* ---- the door ------------------------------------------------------------------------------- */

typedef void each_value(resolver *r, const idl_type *type, idl_value *value);

static void name_one(resolver *r, const idl_type *type, idl_value *value)
{
    resolve_names(r, type, value);
}

static void check_one(resolver *r, const idl_type *type, idl_value *value)
{
    check c = { .r = r };
    check_value(&c, type, value);
}

static void settle_and_check_one(resolver *r, const idl_type *type, idl_value *value)
{
    settle(value);
    check_one(r, type, value);
}

static void for_fields(resolver *r, idl_field *fields, each_value *visit)
{
    for (; fields && !r->load->stopped; fields = fields->next)
        if (fields->initial)
            visit(r, fields->type, fields->initial);
}

static void for_all(resolver *r, each_value *of_constant, each_value *of_field)
{
    IDL_EACH(r->load, d)
    {
        r->file = d->file;
        if (d->kind == IDL_CONST)
            of_constant(r, d->type, d->value);
        for_fields(r, d->fields, of_field);
        for (idl_function *f = d->functions; f && !r->load->stopped; f = f->next)
            for_fields(r, f->args, of_field);
    }
}

void resolve_constants(resolver *r)
{
    idl_order order = { .load    = r->load,
                        .scratch = r->scratch,
                        .enter   = enter_constant,
                        .leave   = leave_constant,
                        .context = r };
    for_all(r, name_one, name_one);
    IDL_EACH(r->load, d)
    if (d->kind == IDL_CONST)
        idl_order_from(&order, d);
    idl_order_end(r->load);
    for_all(r, check_one, settle_and_check_one);
}
