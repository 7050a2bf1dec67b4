/* support/law_reference_read.c - what the bytes mean: the decoder.
 *
 * Every rule is where the rule would be looked for, and every fault is placed at the first byte of
 * what is wrong. A record is read in the order of the wire, with one flag a field for what was
 * seen. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "support/gen_table.h"
#include "support/gen_wire.h"
#include "support/law_reference.h"

typedef struct reader {
    const uint8_t               *start, *p, *end;
    const frugal_decode_options *options;
    uint32_t                     depth, depth_max;
    gen_pool                    *pool;
    law_reading                  reading;
    size_t                       path_len;
    unsigned                     maps; /* that are open */
} reader;

typedef struct span {
    const uint8_t *ptr;
    size_t         len;
} span;

static bool read_value(reader *from, const frugal_type *type, uint8_t *place);
static bool read_record(reader *from, const frugal_struct *type, uint8_t *record, bool keep);
static bool skip(reader *from, uint8_t wire_type);

static bool fail(reader *from, frugal_status status, const uint8_t *at)
{
    from->reading.status     = status;
    from->reading.offset     = (size_t)(at - from->start);
    from->reading.path_known = from->maps == 0;
    return false;
}

static size_t left(const reader *from)
{
    return (size_t)(from->end - from->p);
}

/* ---- path ----------------------------------------------------------------------------------- */

/* Returns the length to go back to; after a fault nobody goes back. */
static size_t enter_name(reader *from, const char *name)
{
    size_t before = from->path_len;
    char  *path   = from->reading.path + before;
    size_t room   = sizeof from->reading.path - before;
    int    len    = snprintf(path, room, "%s%s", before ? "." : "", name);
    from->path_len += (size_t)len < room ? (size_t)len : room - 1;
    return before;
}

static size_t enter_index(reader *from, size_t index)
{
    size_t before = from->path_len;
    size_t room   = sizeof from->reading.path - before;
    int    len    = snprintf(from->reading.path + before, room, "[%zu]", index);
    from->path_len += (size_t)len < room ? (size_t)len : room - 1;
    return before;
}

static void leave(reader *from, size_t before)
{
    from->path_len             = before;
    from->reading.path[before] = '\0';
}

/* ---- pieces --------------------------------------------------------------------------------- */

static const uint8_t least_sizes[16] = { [2] = 1,  [3] = 1,  [4] = 8,  [6] = 2,  [8] = 4, [10] = 8,
                                         [11] = 4, [12] = 1, [13] = 6, [14] = 5, [15] = 5 };

static bool type_exists(uint8_t wire_type)
{
    return wire_type < 16 && least_sizes[wire_type] != 0;
}

static int32_t number_at(const uint8_t *p)
{
    return (int32_t)((uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]);
}

static bool go_deeper(reader *from)
{
    if (from->depth == from->depth_max)
        return fail(from, FRUGAL_DEPTH, from->p);
    from->depth++;
    return true;
}

static bool read_length(reader *from, size_t *len)
{
    if (left(from) < 4)
        return fail(from, FRUGAL_TRUNCATED, from->p);
    int32_t number = number_at(from->p);
    if (number < 0)
        return fail(from, FRUGAL_NEGATIVE, from->p);
    if ((size_t)number > left(from) - 4)
        return fail(from, FRUGAL_SIZE, from->p);
    from->p += 4;
    *len = (size_t)number;
    return true;
}

typedef struct header { /* of a list, set or map */
    const uint8_t *types, *count_at;
    uint8_t        key, elem;
    size_t         count;
} header;

static bool read_header(reader *from, bool map, header *head)
{
    size_t size = map ? 6 : 5;
    if (left(from) < size)
        return fail(from, FRUGAL_TRUNCATED, from->p);
    head->types    = from->p;
    head->key      = map ? from->p[0] : 0;
    head->elem     = from->p[map ? 1 : 0];
    head->count_at = from->p + size - 4;
    int32_t count  = number_at(head->count_at);
    if (count < 0)
        return fail(from, FRUGAL_NEGATIVE, head->count_at);
    head->count = (size_t)count;
    from->p += size;
    return true;
}

static bool check_count(reader *from, const header *head, bool map)
{
    uint64_t least = least_sizes[head->elem] + (map ? least_sizes[head->key] : 0u);
    if (head->count * least > left(from))
        return fail(from, FRUGAL_SIZE, head->count_at);
    return true;
}

/* ---- without a table ------------------------------------------------------------------------ */

static bool skip_struct(reader *from)
{
    for (;;) {
        const uint8_t *field = from->p;
        if (left(from) < 1)
            return fail(from, FRUGAL_TRUNCATED, from->p);
        if (*from->p == 0) {
            from->p++;
            return true;
        }
        if (left(from) < 3)
            return fail(from, FRUGAL_TRUNCATED, from->p);
        if (!type_exists(*field))
            return fail(from, FRUGAL_MALFORMED, field);
        from->p += 3;
        if (!skip(from, *field))
            return false;
    }
}

static bool skip_container(reader *from, bool map)
{
    header head;
    if (!read_header(from, map, &head))
        return false;
    if (head.count == 0)
        return true;
    if (map && !type_exists(head.key))
        return fail(from, FRUGAL_MALFORMED, head.types);
    if (!type_exists(head.elem))
        return fail(from, FRUGAL_MALFORMED, head.types + (map ? 1 : 0));
    if (!check_count(from, &head, map))
        return false;
    for (size_t i = 0; i < head.count; i++)
        if ((map && !skip(from, head.key)) || !skip(from, head.elem))
            return false;
    return true;
}

static bool skip(reader *from, uint8_t wire_type)
{
    size_t len;
    if (wire_type < 11) {
        if (left(from) < least_sizes[wire_type])
            return fail(from, FRUGAL_TRUNCATED, from->p);
        from->p += least_sizes[wire_type];
        return true;
    }
    if (wire_type == 11) {
        if (!read_length(from, &len))
            return false;
        from->p += len;
        return true;
    }
    if (!go_deeper(from))
        return false;
    if (!(wire_type == 12 ? skip_struct(from) : skip_container(from, wire_type == 13)))
        return false;
    from->depth--;
    return true;
}

/* ---- leaves --------------------------------------------------------------------------------- */

static bool read_number(reader *from, const frugal_type *type, uint8_t *place)
{
    uint64_t number = 0;
    if (left(from) < type->size)
        return fail(from, FRUGAL_TRUNCATED, from->p);
    for (uint32_t i = 0; i < type->size; i++)
        number = number << 8 | *from->p++;
    if (type->kind == FRUGAL_KIND_BOOL)
        number = number != 0;
    uint8_t  u8  = (uint8_t)number;
    uint16_t u16 = (uint16_t)number;
    uint32_t u32 = (uint32_t)number;
    switch (type->size) {
    case 1: memcpy(place, &u8, sizeof u8); break;
    case 2: memcpy(place, &u16, sizeof u16); break;
    case 4: memcpy(place, &u32, sizeof u32); break;
    default: memcpy(place, &number, sizeof number);
    }
    return true;
}

/* The index of the first byte that is wrong in UTF-8 (RFC 3629), or `len`. */
static size_t utf8_fault(const uint8_t *text, size_t len)
{
    for (size_t i = 0; i < len;) {
        uint8_t  lead = text[i];
        unsigned more = lead < 0x80   ? 0
                        : lead < 0xc2 ? 9
                        : lead < 0xe0 ? 1
                        : lead < 0xf0 ? 2
                        : lead < 0xf5 ? 3
                                      : 9;
        uint32_t code = lead & (0x7fu >> (more ? more + 1 : 0));
        if (more > len - i - 1)
            return i;
        for (unsigned j = 1; j <= more; j++) {
            if ((text[i + j] & 0xc0) != 0x80)
                return i;
            code = code << 6 | (text[i + j] & 0x3fu);
        }
        bool overlong  = (more == 2 && code < 0x800) || (more == 3 && code < 0x10000);
        bool surrogate = code >= 0xd800 && code < 0xe000;
        if (overlong || surrogate || code > 0x10ffff)
            return i;
        i += 1 + more;
    }
    return len;
}

static bool read_text(reader *from, const frugal_type *type, uint8_t *place)
{
    size_t len;
    if (!read_length(from, &len))
        return false;
    if (from->options->check_utf8 && type->kind == FRUGAL_KIND_STRING) {
        size_t fault = utf8_fault(from->p, len);
        if (fault < len)
            return fail(from, FRUGAL_UTF8, from->p + fault);
    }
    uint8_t *copy = gen_alloc(from->pool, len, 1);
    span     text = { copy, len };
    if (len)
        memcpy(copy, from->p, len);
    memcpy(place, &text, sizeof text);
    from->p += len;
    from->reading.memory += len;
    return true;
}

/* ---- containers ----------------------------------------------------------------------------- */

static void write_key(const frugal_type *type, const uint8_t *items, size_t index, gen_bytes *out)
{
    const frugal_type *key = type->kind == FRUGAL_KIND_MAP ? type->key : type->elem;
    law_reference_write(key, items + index * type->stride, NULL, out);
}

/* Whether two keys, or two elements of a set, are the same bytes. */
static bool has_repeat(const frugal_type *type, const uint8_t *items, size_t count)
{
    bool found = false;
    for (size_t i = 1; i < count && !found; i++) {
        gen_bytes one = { 0 };
        write_key(type, items, i, &one);
        for (size_t j = 0; j < i && !found; j++) {
            gen_bytes other = { 0 };
            write_key(type, items, j, &other);
            found = one.len == other.len && memcmp(one.data, other.data, one.len) == 0;
            gen_bytes_release(&other);
        }
        gen_bytes_release(&one);
    }
    return found;
}

static bool read_item(reader *from, const frugal_type *type, uint8_t *item)
{
    if (type->kind != FRUGAL_KIND_MAP)
        return read_value(from, type->elem, item);
    return read_value(from, type->key, item)
           && read_value(from, type->elem, item + gen_value_offset(type));
}

static bool read_items(reader *from, const frugal_type *type, const header *head, uint8_t *place)
{
    bool     map   = type->kind == FRUGAL_KIND_MAP;
    uint32_t align = gen_align(type->elem);
    if (map && gen_align(type->key) > align)
        align = gen_align(type->key);
    uint8_t *items = gen_alloc(from->pool, head->count * type->stride, align);
    from->reading.memory += head->count * type->stride;
    span list = { items, head->count };
    memcpy(place, &list, sizeof list);
    for (size_t i = 0; i < head->count; i++) {
        size_t before = map ? from->path_len : enter_index(from, i);
        from->maps += map;
        if (!read_item(from, type, items + i * type->stride))
            return false;
        from->maps -= map;
        leave(from, before);
    }
    return true;
}

static bool read_container(reader *from, const frugal_type *type, uint8_t *place)
{
    bool           map   = type->kind == FRUGAL_KIND_MAP;
    const uint8_t *start = from->p;
    header         head;
    span           items;
    if (!go_deeper(from) || !read_header(from, map, &head))
        return false;
    if (head.count && map && head.key != gen_wire_type(type->key->kind))
        return fail(from, FRUGAL_MISMATCH, head.types);
    if (head.count && head.elem != gen_wire_type(type->elem->kind))
        return fail(from, FRUGAL_MISMATCH, head.types + (map ? 1 : 0));
    if (head.count && !check_count(from, &head, map))
        return false;
    if (!read_items(from, type, &head, place))
        return false;
    memcpy(&items, place, sizeof items);
    if (from->options->reject_duplicates && type->kind != FRUGAL_KIND_LIST
        && has_repeat(type, items.ptr, items.len))
        return fail(from, FRUGAL_DUPLICATE, start);
    from->depth--;
    return true;
}

static bool read_value(reader *from, const frugal_type *type, uint8_t *place)
{
    uint8_t *record = place;
    switch (type->kind) {
    case FRUGAL_KIND_STRING:
    case FRUGAL_KIND_BINARY: return read_text(from, type, place);
    case FRUGAL_KIND_STRUCT:
        if (type->indirect) {
            record = gen_alloc(from->pool, type->record->size, type->record->align);
            from->reading.memory += type->record->size;
            memcpy(place, &record, sizeof record);
        }
        return read_record(from, type->record, record, false);
    case FRUGAL_KIND_LIST:
    case FRUGAL_KIND_SET:
    case FRUGAL_KIND_MAP: return read_container(from, type, place);
    default: return read_number(from, type, place);
    }
}

/* ---- records -------------------------------------------------------------------------------- */

void law_reference_init(const frugal_struct *type, void *record)
{
    if (type->defaults) {
        memcpy(record, type->defaults, type->size);
        return;
    }
    memset(record, 0, type->size);
    for (uint32_t i = 0; i < type->field_count && !type->is_union; i++) {
        const frugal_field *field = &type->fields[i];
        if (field->type.kind == FRUGAL_KIND_STRUCT && !field->type.indirect)
            law_reference_init(field->type.record, (uint8_t *)record + field->offset);
    }
}

typedef struct progress { /* of one record */
    const frugal_struct *type;
    uint8_t             *record;
    bool                *seen; /* by index in the table */
    gen_bytes            kept;
} progress;

static bool set_aside(reader *from, progress *at, const uint8_t *field)
{
    if (!type_exists(*field))
        return fail(from, FRUGAL_MALFORMED, field);
    if (!skip(from, *field))
        return false;
    if (gen_keeper(at->type))
        gen_bytes_append(&at->kept, field, (size_t)(from->p - field));
    return true;
}

static bool read_arm(reader *from, progress *at, const frugal_field *field)
{
    int32_t which = field->id;
    at->kept.len  = 0;
    memcpy(at->record + at->type->which, &which, sizeof which);
    return read_value(from, &field->type, at->record + field->offset);
}

static bool read_field(reader *from, progress *at)
{
    const uint8_t      *start = from->p;
    const frugal_field *field = NULL;
    if (left(from) < 3)
        return fail(from, FRUGAL_TRUNCATED, from->p);
    int id = (int16_t)(start[1] << 8 | start[2]);
    for (uint32_t i = 0; i < at->type->field_count; i++)
        if (at->type->fields[i].id == id && at->type->fields[i].need != FRUGAL_NEED_UNKNOWN)
            field = &at->type->fields[i];
    from->p += 3;
    if (field == NULL)
        return set_aside(from, at, start);
    size_t before = enter_name(from, field->name);
    bool   fine;
    if (gen_wire_type(field->type.kind) == *start) {
        at->seen[field - at->type->fields] = true;
        if (field->has)
            at->record[field->has] = 1;
        fine = at->type->is_union ? read_arm(from, at, field)
                                  : read_value(from, &field->type, at->record + field->offset);
    } else if (from->options->strict) {
        fine = fail(from, FRUGAL_MISMATCH, start);
    } else {
        leave(from, before);
        fine = set_aside(from, at, start);
    }
    if (fine)
        leave(from, before);
    return fine;
}

static bool check_required(reader *from, const progress *at)
{
    const frugal_field *missing = NULL;
    for (uint32_t i = 0; i < at->type->field_count; i++) {
        const frugal_field *field = &at->type->fields[i];
        if (field->need == FRUGAL_NEED_REQUIRED && !at->seen[i]
            && (missing == NULL || field->id < missing->id))
            missing = field;
    }
    if (missing == NULL)
        return true;
    enter_name(from, missing->name);
    return fail(from, FRUGAL_MISSING, from->p);
}

static void store_kept(reader *from, progress *at)
{
    const frugal_field *keeper = gen_keeper(at->type);
    int32_t             which  = 0;
    if (at->type->is_union)
        memcpy(&which, at->record + at->type->which, sizeof which);
    if (keeper == NULL || which != 0 || at->kept.len == 0)
        return;
    uint8_t *copy = gen_alloc(from->pool, at->kept.len, 1);
    span     kept = { copy, at->kept.len };
    memcpy(copy, at->kept.data, at->kept.len);
    memcpy(at->record + keeper->offset, &kept, sizeof kept);
    from->reading.memory += at->kept.len;
}

static bool read_fields(reader *from, progress *at)
{
    for (;;) {
        if (left(from) < 1)
            return fail(from, FRUGAL_TRUNCATED, from->p);
        if (*from->p == 0)
            break;
        if (!read_field(from, at))
            return false;
    }
    if (!check_required(from, at))
        return false;
    store_kept(from, at);
    from->p++;
    return true;
}

/* `keep`: the record starts from what is in it, but for what it kept of another message. */
static bool read_record(reader *from, const frugal_struct *type, uint8_t *record, bool keep)
{
    const frugal_field *keeper = gen_keeper(type);
    if (!go_deeper(from))
        return false;
    if (!keep)
        law_reference_init(type, record);
    else if (keeper)
        memset(record + keeper->offset, 0, sizeof(span));
    progress at   = { .type   = type,
                      .record = record,
                      .seen   = gen_alloc(from->pool, type->field_count, 1) };
    bool     fine = read_fields(from, &at);
    gen_bytes_release(&at.kept);
    from->depth--;
    return fine;
}

/* ---- doors ---------------------------------------------------------------------------------- */

static reader start_at(gen_pool *pool, const uint8_t *input, size_t size,
                       const frugal_decode_options *options)
{
    static const frugal_decode_options defaults;
    if (options == NULL)
        options = &defaults;
    if (input == NULL)
        input = (const uint8_t *)"";
    return (reader){ .start     = input,
                     .p         = input,
                     .end       = input + size,
                     .options   = options,
                     .depth_max = options->depth_max ? options->depth_max : FRUGAL_DEPTH_DEFAULT,
                     .pool      = pool };
}

law_reading law_reference_decode(gen_pool *pool, const frugal_struct *type, void *record,
                                 const uint8_t *input, size_t size,
                                 const frugal_decode_options *options)
{
    reader from = start_at(pool, input, size, options);
    if (read_record(&from, type, record, from.options->keep_existing))
        from.reading.used = (size_t)(from.p - from.start);
    else
        law_reference_init(type, record);
    return from.reading;
}

law_reading law_reference_skip_value(uint8_t wire_type, const uint8_t *input, size_t size,
                                     const frugal_decode_options *options)
{
    reader from = start_at(NULL, input, size, options);
    if (!type_exists(wire_type))
        fail(&from, FRUGAL_MALFORMED, from.start);
    else if (skip(&from, wire_type))
        from.reading.used = (size_t)(from.p - from.start);
    return from.reading;
}

bool law_reference_skip(uint8_t wire_type, const uint8_t *input, size_t size, size_t *used)
{
    frugal_decode_options deep    = { .depth_max = UINT32_MAX };
    law_reading           reading = law_reference_skip_value(wire_type, input, size, &deep);
    *used                         = reading.used;
    return reading.status == FRUGAL_OK;
}
