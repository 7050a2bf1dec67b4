/* gen/value.c - values in memory as C initialisers.
 *
 * A constant is static data without any code, so what a list points at is an object of its own, and
 * stands before it. An initialiser is built in a text of its own while those are written. */
#include "gen/value.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "gen/members.h"
#include "gen/types.h"
#include "schema/schema.h"
#include "schema/text.h"

static void put_place(gen *g, gen_text *out, const frugal_type *type, const uint8_t *place,
                      uint32_t depth);

/* ---- scalars -------------------------------------------------------------------------------- */

void gen_put_integer(gen_text *out, uint8_t kind, int64_t value)
{
    if (kind == FRUGAL_KIND_I64 && value == INT64_MIN)
        gen_put(out, "INT64_MIN"); /* its digits alone are no int64_t */
    else if (kind == FRUGAL_KIND_I64)
        gen_put(out, "INT64_C(%" PRId64 ")", value);
    else if (value == INT32_MIN)
        gen_put(out, "INT32_MIN");
    else
        gen_put(out, "%" PRId64, value);
}

static int64_t integer_at(uint8_t kind, const void *place)
{
    int8_t  i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    switch (kind) {
    case FRUGAL_KIND_I8: return memcpy(&i8, place, sizeof i8), i8;
    case FRUGAL_KIND_I16: return memcpy(&i16, place, sizeof i16), i16;
    case FRUGAL_KIND_I64: return memcpy(&i64, place, sizeof i64), i64;
    default: return memcpy(&i32, place, sizeof i32), i32;
    }
}

static void put_double(gen_text *out, const void *place)
{
    char              buffer[TEXT_SCALAR_MAX];
    const frugal_type type = { .kind = FRUGAL_KIND_DOUBLE };
    double            value;
    memcpy(&value, place, sizeof value);
    frugal_str text = text_scalar(&type, place, buffer);
    if (isnan(value))
        gen_put(out, "(0.0 / 0.0)");
    else if (isinf(value))
        gen_put(out, value < 0 ? "(-1.0 / 0.0)" : "(1.0 / 0.0)");
    else
        gen_put(out, "%.*s%s", (int)text.len, text.ptr,
                strcspn(text.ptr, ".e") < text.len ? "" : ".0");
}

/* By its name; a number that no item has is a number. */
static void put_enum(gen *g, gen_text *out, const frugal_enum *type, int32_t value)
{
    const gen_enum *e = gen_enum_of(g, type);
    for (const idl_enum_item *item = e ? e->definition->items : NULL; item; item = item->next) {
        if (item->value != value)
            continue;
        const char *name = gen_name(g, e->upper, item->name.text, GEN_UPPER);
        if (!name)
            gen_fail_nomem(g);
        gen_put(out, "%s", name ? name : "");
        return;
    }
    gen_put_integer(out, FRUGAL_KIND_I32, value);
}

static void put_scalar(gen *g, gen_text *out, const frugal_type *type, const void *place)
{
    if (type->kind == FRUGAL_KIND_BOOL)
        gen_put(out, *(const uint8_t *)place ? "true" : "false");
    else if (type->kind == FRUGAL_KIND_DOUBLE)
        put_double(out, place);
    else if (type->kind == FRUGAL_KIND_ENUM)
        put_enum(g, out, type->names, (int32_t)integer_at(type->kind, place));
    else
        gen_put_integer(out, type->kind, integer_at(type->kind, place));
}

void gen_put_scalar(gen *g, const frugal_type *type, const void *place)
{
    put_scalar(g, g->out, type, place);
}

/* ---- objects -------------------------------------------------------------------------------- */

/* Appends a text that was built apart. */
static void take_text(gen *g, gen_text *part)
{
    if (part->status && !g->out->status)
        g->out->status = part->status;
    gen_put_bytes(g->out, (const char *)part->buf.data, part->buf.size);
    gen_text_release(part);
}

static void begin_text(gen *g, gen_text *part)
{
    gen_text_init(part, g->options->allocator, &g->left);
}

/* Bytes for which a literal would be too long. Returns the object's number. */
static uint32_t write_bytes(gen *g, frugal_str bytes)
{
    uint32_t number = ++g->constants;
    gen_put(g->out, "static const uint8_t frugal_value_%u[] = {", (unsigned)number);
    for (size_t i = 0; i < bytes.len && !gen_failed(g); i++)
        gen_put(g->out, "%s%u,", i % 20 ? " " : "\n    ", (unsigned)(uint8_t)bytes.ptr[i]);
    gen_put(g->out, "\n};\n");
    return number;
}

static void put_text(gen *g, gen_text *out, uint8_t kind, const uint8_t *place)
{
    frugal_str text;
    memcpy(&text, place, sizeof text);
    bool        is_string = kind == FRUGAL_KIND_STRING;
    const char *cast      = is_string ? "const char" : "const uint8_t";
    if (!text.ptr) {
        gen_put(out, "{ NULL, 0 }");
    } else if (text.len > GEN_LITERAL_MAX) {
        uint32_t number = write_bytes(g, text);
        gen_put(out, "{ (%s *)frugal_value_%u, sizeof frugal_value_%u }", cast, (unsigned)number,
                (unsigned)number);
    } else {
        gen_put(out, is_string ? "FRUGAL_STR_INIT(" : "{ (const uint8_t *)");
        gen_put_literal(out, text);
        if (is_string)
            gen_put(out, ")");
        else
            gen_put(out, ", %zu }", text.len);
    }
}

/* ---- containers ----------------------------------------------------------------------------- */

static void put_items(gen *g, gen_text *out, const frugal_type *type, schema_span span,
                      uint32_t depth)
{
    bool short_items = !type->key && type->elem->kind <= FRUGAL_KIND_DOUBLE;
    for (size_t i = 0; i < span.len && !gen_failed(g) && !out->status; i++) {
        const uint8_t *item = span.ptr + i * type->stride;
        gen_put(out, "%s", short_items && i % 8 ? " " : "\n    ");
        if (type->key) {
            gen_put(out, "{ ");
            put_place(g, out, type->key, item, depth);
            gen_put(out, ", ");
            put_place(g, out, type->elem, item + schema_value_offset(type), depth);
            gen_put(out, " }");
        } else {
            put_place(g, out, type->elem, item, depth);
        }
        gen_put(out, ",");
    }
}

/* Returns the number of the array. */
static uint32_t write_items(gen *g, const frugal_type *type, schema_span span, uint32_t depth)
{
    gen_text items;
    begin_text(g, &items);
    put_items(g, &items, type, span, depth);
    uint32_t             number    = ++g->constants;
    const gen_container *container = gen_container_of(g, type);
    const char          *elem      = gen_c_type(g, NULL, type->elem);
    if (container && elem && type->key)
        gen_put(g->out, "static const struct %s_entry frugal_value_%u[] = {", container->name,
                (unsigned)number);
    else if (elem && type->elem->kind == FRUGAL_KIND_STRUCT && type->elem->indirect)
        gen_put(g->out, "static %sconst frugal_value_%u[] = {", elem, (unsigned)number);
    else if (elem)
        gen_put(g->out, "static const %sfrugal_value_%u[] = {", elem, (unsigned)number);
    take_text(g, &items);
    gen_put(g->out, "\n};\n");
    return number;
}

static void put_container(gen *g, gen_text *out, const frugal_type *type, const uint8_t *place,
                          uint32_t depth)
{
    schema_span span;
    memcpy(&span, place, sizeof span);
    gen_declare(g, type);
    if (!span.ptr || gen_failed(g)) {
        gen_put(out, "{ NULL, 0 }");
    } else if (span.len == 0) { /* present, and empty: any address that is not NULL */
        uint32_t number = ++g->constants;
        gen_put(g->out, "static const uint64_t frugal_value_%u[2] = { 0, 0 };\n", (unsigned)number);
        gen_put(out, "{ (void *)frugal_value_%u, 0 }", (unsigned)number);
    } else {
        uint32_t number = write_items(g, type, span, depth);
        gen_put(out, "{ (void *)frugal_value_%u, %zu }", (unsigned)number, span.len);
    }
}

/* ---- structs -------------------------------------------------------------------------------- */

static bool is_zero(const uint8_t *place, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (place[i])
            return false;
    return true;
}

static void put_member(gen *g, gen_text *out, const gen_member_of *member, const uint8_t *record,
                       uint32_t depth)
{
    const frugal_field *field = member->field;
    gen_put(out, ".%s = %s", member->name, field->has ? "{ " : "");
    put_place(g, out, &field->type, record + field->offset, depth);
    gen_put(out, "%s", field->has ? ", true }" : "");
}

/* What C sets to zero by itself is left out. */
static void put_record(gen *g, gen_text *out, const frugal_struct *type, const uint8_t *record,
                       uint32_t depth)
{
    gen_record        *of      = gen_record_of(g, type);
    const gen_members *members = of ? gen_members_of(g, of) : NULL;
    const char        *comma   = "";
    int32_t            which   = 0;
    const char        *space = depth ? " " : "\n    "; /* of the outermost each member has a line */
    gen_put(out, "{");
    if (type->is_union) {
        memcpy(&which, record + type->which, sizeof which);
        if (which)
            gen_put(out, "%s." GEN_WHICH " = %d", space, which);
        comma = which ? "," : "";
    }
    for (uint32_t i = 0; members && i < members->count && !gen_failed(g); i++) {
        const frugal_field *field    = members->items[i].field;
        bool                is_there = field->has ? record[field->has] != 0
                                                  : !is_zero(record + field->offset, field->type.size);
        if (!is_there || (type->is_union && field->id != which))
            continue;
        gen_put(out, "%s%s", comma, space);
        put_member(g, out, &members->items[i], record, depth);
        comma = ",";
    }
    gen_put(out, *comma ? (depth ? " }" : "\n}") : " 0 }");
}

static void put_pointer(gen *g, gen_text *out, const frugal_type *type, const uint8_t *place,
                        uint32_t depth)
{
    const void *pointed;
    memcpy(&pointed, place, sizeof pointed);
    const gen_record *record = gen_record_of(g, type->record);
    if (!pointed || !record) {
        gen_put(out, "NULL");
        return;
    }
    gen_text inner;
    begin_text(g, &inner);
    put_record(g, &inner, type->record, pointed, depth);
    uint32_t number = ++g->constants;
    gen_put(g->out, "static const struct %s frugal_value_%u = ", record->name, (unsigned)number);
    take_text(g, &inner);
    gen_put(g->out, ";\n");
    gen_put(out, "(struct %s *)&frugal_value_%u", record->name, (unsigned)number);
}

static void put_place(gen *g, gen_text *out, const frugal_type *type, const uint8_t *place,
                      uint32_t depth)
{
    if (depth >= GEN_DEPTH_MAX) {
        gen_fail(g, FRUGAL_DEPTH, g->file, (idl_place){ 0 }, "more than %u values in values",
                 GEN_DEPTH_MAX);
        return;
    }
    switch (type->kind) {
    case FRUGAL_KIND_STRING:
    case FRUGAL_KIND_BINARY: put_text(g, out, type->kind, place); return;
    case FRUGAL_KIND_LIST:
    case FRUGAL_KIND_SET:
    case FRUGAL_KIND_MAP: put_container(g, out, type, place, depth + 1); return;
    case FRUGAL_KIND_STRUCT:
        if (type->indirect)
            put_pointer(g, out, type, place, depth + 1);
        else
            put_record(g, out, type->record, place, depth + 1);
        return;
    default: put_scalar(g, out, type, place);
    }
}

/* The initialiser of an object: what it points at is written meanwhile. */
static void build(gen *g, gen_text *value, const frugal_type *type, const void *place)
{
    begin_text(g, value);
    if (type->kind == FRUGAL_KIND_STRUCT)
        put_record(g, value, type->record, place, 0);
    else
        put_place(g, value, type, place, 0);
}

void gen_write_object(gen *g, const char *before, const char *type_text, const char *name,
                      const frugal_type *type, const void *place)
{
    gen_text value;
    build(g, &value, type, place);
    gen_put(g->out, "%s%s%s = ", before, type_text, name);
    take_text(g, &value);
    gen_put(g->out, ";\n");
}

uint32_t gen_write_value(gen *g, const char *type_text, const frugal_type *type, const void *place)
{
    gen_text value;
    build(g, &value, type, place);
    uint32_t number = ++g->constants;
    gen_put(g->out, "static const %sfrugal_value_%u = ", type_text, (unsigned)number);
    take_text(g, &value);
    gen_put(g->out, ";\n");
    return number;
}
