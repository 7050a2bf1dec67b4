/* support/gen_wire.c - bytes by chance.
 *
 * A rewrite parses a message by its table into fields that are ranges of bytes, rewrites what is
 * inside them first, and writes the fields again with its changes. It trusts its input, which a law
 * wrote itself; it is not a decoder. */
#include "support/gen_wire.h"

#include <assert.h>
#include <string.h>

#include "support/gen_table.h"
#include "support/gen_value.h"
#include "support/law_reference.h"

static const uint8_t wire_types[] = { 2, 3, 4, 6, 8, 10, 11, 12, 13, 14, 15 };

uint8_t gen_wire_type(uint8_t kind)
{
    static const uint8_t types[] = {
        [FRUGAL_KIND_BOOL] = 2,    [FRUGAL_KIND_I8] = 3,      [FRUGAL_KIND_I16] = 6,
        [FRUGAL_KIND_I32] = 8,     [FRUGAL_KIND_I64] = 10,    [FRUGAL_KIND_DOUBLE] = 4,
        [FRUGAL_KIND_STRING] = 11, [FRUGAL_KIND_BINARY] = 11, [FRUGAL_KIND_ENUM] = 8,
        [FRUGAL_KIND_STRUCT] = 12, [FRUGAL_KIND_LIST] = 15,   [FRUGAL_KIND_SET] = 14,
        [FRUGAL_KIND_MAP] = 13,
    };
    return types[kind];
}

uint8_t gen_any_wire_type(gen_random *random, uint8_t but)
{
    uint8_t type;
    do
        type = wire_types[gen_below(random, sizeof wire_types)];
    while (type == but);
    return type;
}

/* ---- values without a table ----------------------------------------------------------------- */

static void put_noise(gen_random *random, gen_bytes *out, uint32_t len)
{
    while (len--)
        gen_bytes_put(out, (uint8_t)gen_next(random));
}

static uint8_t element_type(gen_random *random, unsigned depth)
{
    uint8_t type = gen_any_wire_type(random, 0);
    return depth == 0 && type >= 12 ? 10 : type;
}

static void put_elements(gen_random *random, gen_bytes *out, bool map, unsigned depth)
{
    uint8_t  key   = element_type(random, depth);
    uint8_t  type  = element_type(random, depth);
    uint32_t count = gen_chance(random, 25) ? 0 : gen_below(random, depth ? 4 : 10);
    if (count == 0 && gen_chance(random, 30)) /* what an empty container is of does not matter */
        key = type = 0;
    if (map)
        gen_bytes_put(out, key);
    gen_bytes_put(out, type);
    gen_bytes_put_be(out, count, 4);
    for (; count; count--) {
        if (map)
            gen_wire_value(random, out, key, depth);
        gen_wire_value(random, out, type, depth);
    }
}

void gen_wire_value(gen_random *random, gen_bytes *out, uint8_t wire_type, unsigned depth)
{
    static const uint8_t sizes[16] = { [2] = 1, [3] = 1, [4] = 8, [6] = 2, [8] = 4, [10] = 8 };
    unsigned             below     = depth ? depth - 1 : 0;
    uint32_t             len;
    switch (wire_type) {
    case 11:
        len = gen_text_len(random) % 90;
        gen_bytes_put_be(out, len, 4);
        put_noise(random, out, len);
        break;
    case 12:
        for (int i = depth ? gen_range(random, 0, 3) : 0; i > 0; i--) {
            uint8_t type = element_type(random, below);
            gen_bytes_put(out, type);
            put_noise(random, out, 2);
            gen_wire_value(random, out, type, below);
        }
        gen_bytes_put(out, 0);
        break;
    case 13:
    case 14:
    case 15: put_elements(random, out, wire_type == 13, below); break;
    default: put_noise(random, out, sizes[wire_type]);
    }
}

static const frugal_field *field_of(const frugal_struct *type, int id)
{
    for (uint32_t i = 0; i < type->field_count; i++)
        if (type->fields[i].id == id && type->fields[i].need != FRUGAL_NEED_UNKNOWN)
            return &type->fields[i];
    return NULL;
}

void gen_unknown_field(gen_random *random, const frugal_struct *type, gen_bytes *out)
{
    const frugal_field *known = NULL;
    int                 id;
    if (type->field_count && gen_chance(random, 30)) {
        known = &type->fields[gen_below(random, type->field_count)];
        if (known->need == FRUGAL_NEED_UNKNOWN)
            known = NULL;
    }
    do
        id = known ? known->id
                   : (int16_t)(gen_chance(random, 50) ? gen_below(random, 30) : gen_next(random));
    while (known == NULL && field_of(type, id));
    uint8_t wire_type = gen_any_wire_type(random, known ? gen_wire_type(known->type.kind) : 0);
    gen_bytes_put(out, wire_type);
    gen_bytes_put_be(out, (uint16_t)id, 2);
    gen_wire_value(random, out, wire_type, 2);
}

/* ---- rewriting ------------------------------------------------------------------------------ */

typedef struct rewriter {
    gen_random        *random;
    gen_pool          *pool;
    const gen_rewrite *rewrite;
} rewriter;

typedef struct piece { /* one field, header included */
    int       id;
    gen_bytes bytes;
} piece;

typedef struct pieces {
    piece   *items;
    uint32_t count, capacity;
} pieces;

static piece *new_piece(rewriter *writer, pieces *fields, int id)
{
    if (fields->count == fields->capacity) {
        uint32_t capacity = fields->capacity ? 2 * fields->capacity : 16;
        piece   *items    = gen_alloc(writer->pool, capacity * sizeof *items, 8);
        if (fields->count)
            memcpy(items, fields->items, fields->count * sizeof *items);
        fields->items    = items;
        fields->capacity = capacity;
    }
    piece *item = &fields->items[fields->count++];
    *item       = (piece){ .id = id };
    return item;
}

static void put_header(piece *item, uint8_t wire_type)
{
    gen_bytes_put(&item->bytes, wire_type);
    gen_bytes_put_be(&item->bytes, (uint16_t)item->id, 2);
}

static size_t rewrite_value(rewriter *writer, const frugal_type *type, const uint8_t *in,
                            size_t size, gen_bytes *out);

static size_t copy_bytes(const uint8_t *in, size_t size, size_t used, gen_bytes *out)
{
    assert(used <= size);
    gen_bytes_append(out, in, used);
    return used;
}

static size_t skip_value(uint8_t wire_type, const uint8_t *in, size_t size)
{
    size_t used = 0;
    bool   fine = law_reference_skip(wire_type, in, size, &used);
    assert(fine);
    (void)fine;
    return used;
}

static size_t rewrite_container(rewriter *writer, const frugal_type *type, const uint8_t *in,
                                size_t size, gen_bytes *out)
{
    size_t   header = type->key ? 6 : 5, at = header;
    uint32_t count = 0;
    for (size_t i = header - 4; i < header; i++)
        count = count << 8 | in[i];
    copy_bytes(in, size, header, out);
    for (; count; count--) {
        if (type->key)
            at += rewrite_value(writer, type->key, in + at, size - at, out);
        at += rewrite_value(writer, type->elem, in + at, size - at, out);
    }
    return at;
}

static size_t rewrite_value(rewriter *writer, const frugal_type *type, const uint8_t *in,
                            size_t size, gen_bytes *out)
{
    switch (type->kind) {
    case FRUGAL_KIND_STRUCT:
        return gen_rewrite_record(writer->random, writer->pool, writer->rewrite, type->record, in,
                                  size, out);
    case FRUGAL_KIND_LIST:
    case FRUGAL_KIND_SET:
    case FRUGAL_KIND_MAP: return rewrite_container(writer, type, in, size, out);
    default: return copy_bytes(in, size, skip_value(gen_wire_type(type->kind), in, size), out);
    }
}

static size_t read_field(rewriter *writer, pieces *fields, const frugal_struct *type,
                         const uint8_t *in, size_t size)
{
    int                 id    = (int16_t)(in[1] << 8 | in[2]);
    const frugal_field *field = field_of(type, id);
    piece              *item  = new_piece(writer, fields, id);
    put_header(item, in[0]);
    if (field && gen_wire_type(field->type.kind) == in[0])
        return 3 + rewrite_value(writer, &field->type, in + 3, size - 3, &item->bytes);
    return 3 + copy_bytes(in + 3, size - 3, skip_value(in[0], in + 3, size - 3), &item->bytes);
}

/* Another value of the same field, or of another arm, that the later one must replace. */
static void add_repeat(rewriter *writer, pieces *fields, const frugal_struct *type, uint32_t before)
{
    const piece        *later = &fields->items[before];
    const frugal_field *field = field_of(type, later->id);
    if (field == NULL || later->bytes.data[0] != gen_wire_type(field->type.kind))
        return;
    if (type->is_union) {
        uint32_t             count;
        const frugal_field **arms = gen_fields_by_id(writer->pool, type, &count);
        field                     = arms[gen_below(writer->random, count)];
    }
    gen_values values = gen_values_start(writer->random, writer->pool);
    values.fuel       = values.fuel > 10 ? 10 : values.fuel;
    values.depth_left = 2;
    void *place       = gen_alloc(writer->pool, field->type.size, gen_align(&field->type));
    gen_place_value(&values, &field->type, place);
    if (values.inexact)
        return;

    piece moved = *new_piece(writer, fields, field->id);
    put_header(&moved, gen_wire_type(field->type.kind));
    law_reference_write(&field->type, place, NULL, &moved.bytes);
    uint32_t at = gen_below(writer->random, before + 1);
    for (uint32_t i = fields->count - 1; i > at; i--)
        fields->items[i] = fields->items[i - 1];
    fields->items[at] = moved;
}

static void add_unknown(rewriter *writer, pieces *fields, const frugal_struct *type)
{
    for (int i = gen_range(writer->random, 1, 3); i > 0; i--) {
        piece moved = *new_piece(writer, fields, 1 << 20);
        gen_unknown_field(writer->random, type, &moved.bytes);
        uint32_t at = gen_below(writer->random, fields->count);
        for (uint32_t j = fields->count - 1; j > at; j--)
            fields->items[j] = fields->items[j - 1];
        fields->items[at] = moved;
    }
}

/* Pieces with one id keep their order, so the last one stays the last; a union's arms all count as
 * one. */
static void shuffle(rewriter *writer, pieces *fields, bool is_union)
{
    for (uint32_t rounds = 2 * fields->count; rounds; rounds--) {
        uint32_t at = gen_below(writer->random, fields->count);
        if (at == 0)
            continue;
        piece    keep   = fields->items[at];
        uint32_t to     = gen_below(writer->random, at);
        bool     pinned = false;
        for (uint32_t i = to; i < at; i++)
            pinned |= fields->items[i].id == keep.id || is_union;
        if (pinned)
            continue;
        for (uint32_t i = at; i > to; i--)
            fields->items[i] = fields->items[i - 1];
        fields->items[to] = keep;
    }
}

static void change(rewriter *writer, pieces *fields, const frugal_struct *type)
{
    const gen_rewrite *rewrite = writer->rewrite;
    if (fields->count && gen_chance(writer->random, rewrite->drop))
        for (int i = gen_range(writer->random, 1, 2); i > 0 && fields->count; i--) {
            uint32_t at = gen_below(writer->random, fields->count--);
            gen_bytes_release(&fields->items[at].bytes);
            memmove(fields->items + at, fields->items + at + 1,
                    (fields->count - at) * sizeof *fields->items);
        }
    if (fields->count && gen_chance(writer->random, rewrite->repeat))
        for (int i = gen_range(writer->random, 1, 3); i > 0; i--)
            add_repeat(writer, fields, type, gen_below(writer->random, fields->count));
    if (gen_chance(writer->random, rewrite->shuffle))
        shuffle(writer, fields, type->is_union);
    if (gen_chance(writer->random, rewrite->unknown))
        add_unknown(writer, fields, type);
}

size_t gen_rewrite_record(gen_random *random, gen_pool *pool, const gen_rewrite *rewrite,
                          const frugal_struct *type, const uint8_t *in, size_t size, gen_bytes *out)
{
    rewriter writer = { random, pool, rewrite };
    pieces   fields = { 0 };
    size_t   at     = 0;
    while (in[at] != 0)
        at += read_field(&writer, &fields, type, in + at, size - at);
    change(&writer, &fields, type);
    for (uint32_t i = 0; i < fields.count; i++) {
        gen_bytes_append(out, fields.items[i].bytes.data, fields.items[i].bytes.len);
        gen_bytes_release(&fields.items[i].bytes);
    }
    gen_bytes_put(out, 0);
    return at + 1;
}

/* ---- breaking ------------------------------------------------------------------------------- */

static void cut_out(gen_random *random, gen_bytes *bytes)
{
    size_t at  = gen_below(random, (uint32_t)bytes->len);
    size_t len = 1 + gen_below(random, gen_chance(random, 80) ? 6 : 40);
    if (len > bytes->len - at)
        len = bytes->len - at;
    memmove(bytes->data + at, bytes->data + at + len, bytes->len - at - len);
    bytes->len -= len;
}

static void put_in(gen_random *random, gen_bytes *bytes)
{
    uint8_t piece_of[16];
    size_t  at  = gen_below(random, (uint32_t)bytes->len + 1);
    size_t  len = 1 + gen_below(random, sizeof piece_of);
    for (size_t i = 0; i < len; i++) {
        uint8_t other = bytes->data[gen_below(random, (uint32_t)bytes->len)];
        piece_of[i]   = gen_chance(random, 50) ? other : (uint8_t)gen_next(random);
    }
    gen_bytes_append(bytes, piece_of, len);
    memmove(bytes->data + at + len, bytes->data + at, bytes->len - len - at);
    memcpy(bytes->data + at, piece_of, len);
}

static void set_word(gen_random *random, gen_bytes *bytes)
{
    static const uint32_t words[] = { 0,          1,       2,          0x7fffffff, 0x80000000,
                                      0xffffffff, 0x10000, 0x00ffffff, 0x20000000, 0x0000ffff };
    uint32_t              word    = words[gen_below(random, sizeof words / sizeof words[0])];
    size_t                at      = gen_below(random, (uint32_t)bytes->len);
    if (gen_chance(random, 30))
        word = gen_below(random, 300);
    for (size_t i = 0; i < 4 && at + i < bytes->len; i++)
        bytes->data[at + i] = (uint8_t)(word >> (24 - 8 * i));
}

void gen_mutate(gen_random *random, gen_bytes *bytes)
{
    static const uint8_t weights[] = { 30, 35, 10, 8, 8, 9 };
    static const uint8_t values[]  = { 0,  1,  2,  3,  4, 6,  8,    10,   11,
                                       12, 13, 14, 15, 5, 16, 0x7f, 0x80, 0xff };
    for (int i = gen_range(random, 1, 3); i > 0 && bytes->len; i--) {
        uint8_t *byte = bytes->data + gen_below(random, (uint32_t)bytes->len);
        switch (gen_pick(random, weights, sizeof weights)) {
        case 0: *byte ^= (uint8_t)(1u << gen_below(random, 8)); break;
        case 1: *byte = values[gen_below(random, sizeof values)]; break;
        case 2: set_word(random, bytes); break;
        case 3: cut_out(random, bytes); break;
        case 4: put_in(random, bytes); break;
        default: *byte = (uint8_t)gen_next(random);
        }
    }
}
