/* gen/tables.c - the tables of one file, as plain initialisers.
 *
 * Not FRUGAL_STRUCT and its like: those check what a person wrote, and for it give up what an IDL
 * may have (containers more than five deep, unions and enums of nothing, names that are C's). Sizes
 * and offsets are left to the compiler, which so cannot disagree with the header. */
#include "gen/tables.h"

#include <stdio.h>
#include <string.h>

#include "gen/header.h"
#include "gen/members.h"
#include "gen/types.h"
#include "gen/value.h"

/* ---- types ---------------------------------------------------------------------------------- */

/* How long the name of a type is without the space behind it. */
static int name_len(const char *text)
{
    size_t len = strlen(text);
    return (int)(len && text[len - 1] == ' ' ? len - 1 : len);
}

static void put_parts(gen *g, const frugal_type *type, unsigned indent)
{
    const gen_container *container = gen_container_of(g, type);
    const char          *elem      = container ? gen_c_type(g, NULL, type->elem) : NULL;
    if (!elem)
        return;
    gen_put(g->out, ",\n%*s.stride = ", (int)indent, "");
    if (type->key)
        gen_put(g->out, "sizeof(struct %s_entry), .key = &frugal_key_%s,\n%*s", container->name,
                container->name, (int)indent, "");
    else
        gen_put(g->out, "sizeof(%.*s), ", name_len(elem), elem);
    gen_put(g->out, ".elem = &frugal_elem_%s", container->name);
}

/* The initialiser of a frugal_type, `indent` for further lines; the nodes of containers were
 * written before. */
static void put_type(gen *g, const frugal_type *type, unsigned indent)
{
    const char *text = gen_c_type(g, NULL, type);
    if (!text)
        return;
    gen_put(g->out, "{ .kind = %s, .size = sizeof(%.*s)", gen_kind(type->kind), name_len(text),
            text);
    if (type->indirect)
        gen_put(g->out, ", .indirect = true");
    if (type->kind == FRUGAL_KIND_STRUCT)
        gen_put(g->out, ",\n%*s.record = &frugal_struct_%s", (int)indent, "",
                gen_record_of(g, type->record)->name);
    else if (type->kind == FRUGAL_KIND_ENUM && type->names)
        gen_put(g->out, ",\n%*s.names = &frugal_enum_%s", (int)indent, "",
                gen_enum_of(g, type->names)->name);
    else if (gen_is_container(type))
        put_parts(g, type, indent);
    gen_put(g->out, " }");
}

/* frugal_elem_NAME and frugal_key_NAME of a container and all inside, each once. */
static void write_nodes(gen *g, const frugal_type *type, uint32_t depth)
{
    if (!gen_is_container(type) || gen_failed(g) || depth > GEN_DEPTH_MAX)
        return;
    gen_container *container = gen_container_of(g, type);
    if (!container || container->has_nodes)
        return;
    container->has_nodes = true;
    write_nodes(g, type->elem, depth + 1);
    if (type->key) {
        write_nodes(g, type->key, depth + 1);
        gen_put(g->out, "static const frugal_type frugal_key_%s =\n    ", container->name);
        put_type(g, type->key, 6);
        gen_put(g->out, ";\n");
    }
    gen_put(g->out, "static const frugal_type frugal_elem_%s =\n    ", container->name);
    put_type(g, type->elem, 6);
    gen_put(g->out, ";\n");
}

/* ---- structs -------------------------------------------------------------------------------- */

/* FRUGAL_NEED_DEFAULT is 0, and left out. */
static const char *need_text(uint8_t need)
{
    return need == FRUGAL_NEED_REQUIRED   ? " .need = FRUGAL_NEED_REQUIRED,"
           : need == FRUGAL_NEED_OPTIONAL ? " .need = FRUGAL_NEED_OPTIONAL,"
           : need == FRUGAL_NEED_UNKNOWN  ? " .need = FRUGAL_NEED_UNKNOWN,"
                                          : "";
}

/* Goes on in the line, of which `column` characters are there, unless it would be too long. */
static void put_part(gen *g, size_t *column, const char *const text[5])
{
    size_t size = 0;
    for (int i = 0; i < 5; i++)
        size += strlen(text[i]);
    bool fits = *column + 1 + size <= GEN_COLUMNS;
    gen_put(g->out, fits ? " " : "\n      ");
    *column = (fits ? *column + 1 : 6) + size;
    for (int i = 0; i < 5; i++)
        gen_put_bytes(g->out, text[i], strlen(text[i]));
}
#define PART(...)          \
    (const char *const[5]) \
    {                      \
        __VA_ARGS__        \
    }

static void write_field(gen *g, const gen_record *record, const gen_member_of *member,
                        uint32_t initial)
{
    const frugal_field *field  = member->field;
    size_t              before = g->out->buf.size;
    gen_put(g->out, "    { .name = ");
    gen_put_literal(g->out, (frugal_str){ field->name, strlen(field->name) });
    gen_put(g->out, ", .id = %d,%s", field->id, need_text(field->need));
    size_t column = g->out->buf.size - before;
    put_part(g, &column,
             PART(".offset = offsetof(struct ", record->name, ", ", member->name, "),"));
    if (field->has)
        put_part(g, &column,
                 PART(".has = offsetof(struct ", record->name, ", ", member->name, ".has),"));
    if (field->no_copy)
        put_part(g, &column, PART(".no_copy = true,", "", "", "", ""));
    char number[16];
    snprintf(number, sizeof number, "%u", (unsigned)initial);
    if (initial)
        put_part(g, &column, PART(".initial = &frugal_value_", number, ",", "", ""));
    gen_put(g->out, "\n      .type = ");
    put_type(g, &field->type, 16);
    gen_put(g->out, " },\n");
}

/* What the fields point at. `initials`: the number of each default, 0 for none. */
static void write_before(gen *g, const gen_members *members, uint32_t *initials)
{
    for (uint32_t i = 0; i < members->count && !gen_failed(g); i++) {
        const frugal_field *field = members->items[i].field;
        gen_declare(g, &field->type);
        write_nodes(g, &field->type, 0);
        if (!field->initial)
            continue;
        const char *type = gen_c_type(g, NULL, &field->type);
        if (!type)
            return;
        initials[i] = gen_write_value(g, type, &field->type, field->initial);
    }
}

static void write_defaults(gen *g, const gen_record *record)
{
    const frugal_type type = { .kind = FRUGAL_KIND_STRUCT, .record = record->type };
    size_t            len  = strlen(record->name);
    char             *name = gen_zeroed(g, len + sizeof "frugal_initial_");
    if (!name)
        return;
    memcpy(name, "frugal_initial_", 15);
    memcpy(name + 15, record->name, len);
    const char *type_text = gen_c_type(g, NULL, &type);
    if (type_text)
        gen_write_object(g, "static const ", type_text, name, &type, record->type->defaults);
}

static void write_struct_table(gen *g, const gen_record *record, uint32_t count)
{
    const frugal_struct *type = record->type;
    const char          *name = record->name;
    gen_put(g->out, "static frugal_slot frugal_slot_%s;\n", name);
    gen_put(g->out, "const frugal_struct frugal_struct_%s = {\n", name);
    gen_put(g->out, "    .abi = FRUGAL_TABLE_ABI,\n    .name = ");
    gen_put_literal(g->out, (frugal_str){ type->name, strlen(type->name) });
    if (count)
        gen_put(g->out, ",\n    .field_count = %u,\n    .fields = frugal_fields_%s",
                (unsigned)count, name);
    gen_put(g->out, ",\n    .size = sizeof(struct %s),\n    .align = _Alignof(struct %s),\n", name,
            name);
    if (type->is_union)
        gen_put(g->out, "    .is_union = true,\n    .which = offsetof(struct %s, " GEN_WHICH "),\n",
                name);
    if (type->defaults)
        gen_put(g->out, "    .defaults = &frugal_initial_%s,\n", name);
    gen_put(g->out, "    .slot = &frugal_slot_%s,\n};\n", name);
}

static void write_struct(gen *g, gen_record *record)
{
    const gen_members *members = record ? gen_members_of(g, record) : NULL;
    if (!members || gen_failed(g))
        return;
    gen_put(g->out, "\n");
    uint32_t *initials = gen_zeroed(g, (members->count + (size_t)1) * sizeof *initials);
    if (!initials)
        return;
    write_before(g, members, initials);
    if (record->type->defaults)
        write_defaults(g, record);
    if (members->count)
        gen_put(g->out, "static const frugal_field frugal_fields_%s[] = {\n", record->name);
    for (uint32_t i = 0; i < members->count && !gen_failed(g); i++)
        write_field(g, record, &members->items[i], initials[i]);
    if (members->count)
        gen_put(g->out, "};\n");
    write_struct_table(g, record, members->count);
}

/* ---- enums, constants, services ------------------------------------------------------------- */

static void write_enum(gen *g, const idl_definition *d)
{
    const gen_enum *e = gen_enum_of(g, d->names);
    gen_put(g->out, "\n");
    if (d->items) {
        gen_put(g->out,
                "_Static_assert(sizeof(enum %s) == sizeof(int32_t), \"an enum is an i32\");\n",
                e->name);
        gen_put(g->out, "static const struct frugal_enum_item frugal_items_%s[] = {\n", e->name);
    }
    for (const idl_enum_item *item = d->items; item && !gen_failed(g); item = item->next) {
        const char *name = gen_name(g, e->upper, item->name.text, GEN_UPPER);
        if (!name)
            gen_fail_nomem(g);
        gen_put(g->out, "    { ");
        gen_put_literal(g->out, item->name.text);
        gen_put(g->out, ", %s },\n", name ? name : "");
    }
    gen_put(g->out, "%sconst frugal_enum frugal_enum_%s = {\n    .name = ", d->items ? "};\n" : "",
            e->name);
    gen_put_literal(g->out, (frugal_str){ e->type->name, strlen(e->type->name) });
    if (d->items)
        gen_put(g->out, ",\n    .count = %u,\n    .items = frugal_items_%s",
                (unsigned)e->type->count, e->name);
    gen_put(g->out, ",\n};\n");
}

static void write_const(gen *g, const idl_definition *d)
{
    if (gen_const_is_macro(d))
        return;
    frugal_type by_value = *d->lowered_type;
    by_value.indirect    = false;
    const char *type     = gen_c_type(g, d->type, &by_value);
    gen_put(g->out, "\n");
    if (type)
        gen_write_object(g, "const ", type, gen_const_of(g, d), &by_value, d->lowered_value);
}

static void write_methods(gen *g, const idl_definition *d, const gen_service *service)
{
    gen_put(g->out, "static const frugal_method frugal_methods_%s[] = {\n", service->name);
    for (const idl_function *f = d->functions; f && !gen_failed(g); f = f->next) {
        const gen_record *args   = gen_record_of(g, f->lowered_args);
        const gen_record *result = f->lowered_result ? gen_record_of(g, f->lowered_result) : NULL;
        gen_put(g->out, "    { ");
        gen_put_literal(g->out, f->name.text);
        gen_put(g->out, ", &frugal_struct_%s,", args->name);
        if (result)
            gen_put(g->out, "\n      &frugal_struct_%s },\n", result->name);
        else
            gen_put(g->out, " NULL },\n");
    }
    gen_put(g->out, "};\n");
}

static void write_service(gen *g, const idl_definition *d)
{
    const gen_service *service = gen_service_of(g, d->service);
    for (const idl_function *f = d->functions; f && !gen_failed(g); f = f->next) {
        write_struct(g, gen_record_of(g, f->lowered_args));
        if (f->lowered_result)
            write_struct(g, gen_record_of(g, f->lowered_result));
    }
    gen_put(g->out, "\n");
    if (d->functions)
        write_methods(g, d, service);
    gen_put(g->out, "const frugal_service frugal_service_%s = {\n    .abi = FRUGAL_TABLE_ABI,\n",
            service->name);
    gen_put(g->out, "    .name = ");
    gen_put_literal(g->out, (frugal_str){ d->service->name, strlen(d->service->name) });
    gen_put(g->out, ",\n");
    if (d->functions)
        gen_put(g->out, "    .method_count = %u,\n    .methods = frugal_methods_%s,\n",
                (unsigned)d->service->method_count, service->name);
    if (d->service->base)
        gen_put(g->out, "    .base = &frugal_service_%s,\n",
                gen_service_of(g, d->service->base)->name);
    gen_put(g->out, "};\n\n");
    gen_put_pretouch(g, service->name, "\n{\n");
    gen_put(g->out, "    return frugal_pretouch_service(&frugal_service_%s, options, error);\n}\n",
            service->name);
}

void gen_write_tables(gen *g)
{
    const char *header = gen_file_name(g, g->file, ".h");
    gen_write_first_line(g);
    if (header)
        gen_put(g->out, "#include \"%s\"\n", header);
    for (const idl_definition *d = g->file->definitions; d && !gen_failed(g); d = d->next)
        if (d->kind == IDL_ENUM)
            write_enum(g, d);
    for (const idl_definition *d = g->file->definitions; d && !gen_failed(g); d = d->next)
        if (d->kind == IDL_CONST)
            write_const(g, d);
    for (const idl_definition *d = g->file->definitions; d && !gen_failed(g); d = d->next)
        if (d->record)
            write_struct(g, gen_record_of(g, d->record));
    for (const idl_definition *d = g->file->definitions; d && !gen_failed(g); d = d->next)
        if (d->kind == IDL_SERVICE)
            write_service(g, d);
}
