/* support/law_reference.c - what the bytes mean: the encoder. The decoder is law_reference_read.c.
 */
#include "support/law_reference.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "support/gen_table.h"
#include "support/gen_wire.h"

typedef struct writer {
    gen_bytes               *out;
    const law_write_options *options;
    gen_pool                *pool;
} writer;

typedef struct span {
    const uint8_t *ptr;
    size_t         len;
} span;

static void write_record(writer *to, const frugal_struct *type, const uint8_t *record);
static void write_value(writer *to, const frugal_type *type, const uint8_t *place);

static void write_number(writer *to, const uint8_t *place, uint32_t size)
{
    uint64_t number = 0;
    uint8_t  u8;
    uint16_t u16;
    uint32_t u32;
    switch (size) {
    case 1:
        memcpy(&u8, place, sizeof u8);
        number = u8;
        break;
    case 2:
        memcpy(&u16, place, sizeof u16);
        number = u16;
        break;
    case 4:
        memcpy(&u32, place, sizeof u32);
        number = u32;
        break;
    default: memcpy(&number, place, sizeof number);
    }
    gen_bytes_put_be(to->out, number, size);
}

static void write_text(writer *to, const uint8_t *place)
{
    span text;
    memcpy(&text, place, sizeof text);
    assert(text.ptr || text.len == 0);
    gen_bytes_put_be(to->out, text.len, 4);
    gen_bytes_append(to->out, text.ptr, text.len);
}

static void write_struct(writer *to, const frugal_type *type, const uint8_t *place)
{
    const uint8_t *record = place;
    if (type->indirect)
        memcpy(&record, place, sizeof record);
    if (record)
        write_record(to, type->record, record);
    else
        gen_bytes_put(to->out, 0);
}

/* ---- containers ----------------------------------------------------------------------------- */

typedef struct item { /* one element or entry, written */
    gen_bytes key, rest;
} item;

static void write_item(writer *to, const frugal_type *type, const uint8_t *place, item *written)
{
    writer key  = { &written->key, to->options, to->pool };
    writer rest = { &written->rest, to->options, to->pool };
    if (type->kind == FRUGAL_KIND_MAP) {
        write_value(&key, type->key, place);
        write_value(&rest, type->elem, place + gen_value_offset(type));
    } else {
        write_value(&key, type->elem, place);
    }
}

static int compare_keys(const gen_bytes *a, const gen_bytes *b)
{
    size_t shorter = a->len < b->len ? a->len : b->len;
    int    order   = shorter ? memcmp(a->data, b->data, shorter) : 0;
    if (order)
        return order;
    return a->len < b->len ? -1 : a->len > b->len;
}

/* Insertion keeps entries with equal keys in their order. */
static void sort_items(item *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        item   moved = items[i];
        size_t at    = i;
        for (; at > 0 && compare_keys(&items[at - 1].key, &moved.key) > 0; at--)
            items[at] = items[at - 1];
        items[at] = moved;
    }
}

static void write_container(writer *to, const frugal_type *type, const uint8_t *place)
{
    span items;
    memcpy(&items, place, sizeof items);
    assert(items.ptr || items.len == 0);
    if (type->kind == FRUGAL_KIND_MAP)
        gen_bytes_put(to->out, gen_wire_type(type->key->kind));
    gen_bytes_put(to->out, gen_wire_type(type->elem->kind));
    gen_bytes_put_be(to->out, items.len, 4);

    item *written = calloc(items.len + 1, sizeof *written);
    assert(written);
    for (size_t i = 0; i < items.len; i++)
        write_item(to, type, items.ptr + i * type->stride, &written[i]);
    if (to->options->canonical && type->kind != FRUGAL_KIND_LIST)
        sort_items(written, items.len);
    for (size_t i = 0; i < items.len; i++) {
        gen_bytes_append(to->out, written[i].key.data, written[i].key.len);
        gen_bytes_append(to->out, written[i].rest.data, written[i].rest.len);
        gen_bytes_release(&written[i].key);
        gen_bytes_release(&written[i].rest);
    }
    free(written);
}

static void write_value(writer *to, const frugal_type *type, const uint8_t *place)
{
    switch (type->kind) {
    case FRUGAL_KIND_STRING:
    case FRUGAL_KIND_BINARY: write_text(to, place); break;
    case FRUGAL_KIND_STRUCT: write_struct(to, type, place); break;
    case FRUGAL_KIND_LIST:
    case FRUGAL_KIND_SET:
    case FRUGAL_KIND_MAP: write_container(to, type, place); break;
    default: write_number(to, place, type->size);
    }
}

/* ---- records -------------------------------------------------------------------------------- */

static bool is_text(uint8_t kind)
{
    return kind == FRUGAL_KIND_STRING || kind == FRUGAL_KIND_BINARY;
}

/* Scalars by their bits, text by its bytes; nothing else is ever equal to its default. */
static bool is_initial(const frugal_field *field, const uint8_t *place)
{
    if (field->initial == NULL || field->type.kind >= FRUGAL_KIND_STRUCT)
        return false;
    if (!is_text(field->type.kind))
        return memcmp(field->initial, place, field->type.size) == 0;
    span value, initial;
    memcpy(&value, place, sizeof value);
    memcpy(&initial, field->initial, sizeof initial);
    return value.len == initial.len
           && (value.len == 0 || memcmp(value.ptr, initial.ptr, value.len) == 0);
}

static bool is_present(const frugal_struct *type, const frugal_field *field, const uint8_t *record)
{
    const uint8_t *place = record + field->offset;
    const void    *pointer;
    int32_t        which;
    if (type->is_union) {
        memcpy(&which, record + type->which, sizeof which);
        return which == field->id;
    }
    if (field->need != FRUGAL_NEED_OPTIONAL)
        return true;
    if (field->has)
        return record[field->has] != 0;
    memcpy(&pointer, place, sizeof pointer);
    return pointer != NULL;
}

static void write_record(writer *to, const frugal_struct *type, const uint8_t *record)
{
    uint32_t             count;
    size_t               pieces = to->pool->count;
    const frugal_field **fields = gen_fields_by_id(to->pool, type, &count);
    for (uint32_t i = 0; i < count; i++) {
        const frugal_field *field = fields[i];
        if (!is_present(type, field, record))
            continue;
        if (to->options->skip_defaults && field->need == FRUGAL_NEED_OPTIONAL && !type->is_union
            && is_initial(field, record + field->offset))
            continue;
        gen_bytes_put(to->out, gen_wire_type(field->type.kind));
        gen_bytes_put_be(to->out, (uint16_t)field->id, 2);
        write_value(to, &field->type, record + field->offset);
    }
    gen_pool_rewind(to->pool, pieces);

    const frugal_field *keeper = gen_keeper(type);
    if (keeper) {
        span    kept;
        int32_t which = 0;
        memcpy(&kept, record + keeper->offset, sizeof kept);
        if (type->is_union)
            memcpy(&which, record + type->which, sizeof which);
        if (which == 0)
            gen_bytes_append(to->out, kept.ptr, kept.len);
    }
    gen_bytes_put(to->out, 0);
}

void law_reference_write(const frugal_type *type, const void *place,
                         const law_write_options *options, gen_bytes *out)
{
    static const law_write_options defaults;
    gen_pool                       pool = { 0 };
    writer                         to   = { out, options ? options : &defaults, &pool };
    write_value(&to, type, place);
    gen_pool_release(&pool);
}

void law_reference_encode(const frugal_struct *type, const void *record,
                          const law_write_options *options, gen_bytes *out)
{
    frugal_type root = { .kind = FRUGAL_KIND_STRUCT, .size = type->size, .record = type };
    law_reference_write(&root, record, options, out);
}

/* ---- depth ---------------------------------------------------------------------------------- */

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t depth_of(const frugal_type *type, const uint8_t *place)
{
    uint32_t       inside = 0;
    const uint8_t *record = place;
    span           items;
    if (type->kind < FRUGAL_KIND_STRUCT)
        return 0;
    if (type->kind == FRUGAL_KIND_STRUCT) {
        if (type->indirect)
            memcpy(&record, place, sizeof record);
        return record ? law_reference_depth(type->record, record) : 1;
    }
    memcpy(&items, place, sizeof items);
    for (size_t i = 0; i < items.len; i++, items.ptr += type->stride) {
        if (type->kind == FRUGAL_KIND_MAP) {
            inside = larger(inside, depth_of(type->key, items.ptr));
            inside = larger(inside, depth_of(type->elem, items.ptr + gen_value_offset(type)));
        } else {
            inside = larger(inside, depth_of(type->elem, items.ptr));
        }
    }
    return 1 + inside;
}

uint32_t law_reference_depth(const frugal_struct *type, const void *record)
{
    uint32_t inside = 0;
    for (uint32_t i = 0; i < type->field_count; i++) {
        const frugal_field *field = &type->fields[i];
        if (field->need != FRUGAL_NEED_UNKNOWN && is_present(type, field, record))
            inside =
                larger(inside, depth_of(&field->type, (const uint8_t *)record + field->offset));
    }
    return 1 + inside;
}

bool law_reference_equal(const frugal_struct *type, const void *a, const void *b)
{
    gen_bytes first = { 0 }, second = { 0 };
    law_reference_encode(type, a, NULL, &first);
    law_reference_encode(type, b, NULL, &second);
    bool equal = first.len == second.len && memcmp(first.data, second.data, first.len) == 0;
    gen_bytes_release(&first);
    gen_bytes_release(&second);
    return equal;
}
