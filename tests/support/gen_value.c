/* support/gen_value.c - values made by chance.
 *
 * What is hard is to end: `fuel` bounds how many values there are, `depth_left` how deep chance
 * goes. Below it only what must be there is made, and a pointer that must be there becomes NULL a
 * few levels further down, or a required pointer to its own kind would never end, or a few of them
 * would branch without measure. */
#include "support/gen_value.h"

#include <string.h>

#include "support/gen_table.h"
#include "support/gen_wire.h"

#define FORCED_DEPTH_MAX 10
#define FORCED_FUEL_MAX  60

typedef struct span {
    void  *ptr;
    size_t len;
} span;

gen_values gen_values_start(gen_random *random, gen_pool *pool)
{
    static const int     fuels[]     = { 0, 10, 40, 120, 400 };
    static const uint8_t by_fuel[]   = { 6, 24, 40, 24, 6 };
    static const uint8_t densities[] = { 0, 10, 50, 90, 100 };
    return (gen_values){
        .random     = random,
        .pool       = pool,
        .fuel       = fuels[gen_pick(random, by_fuel, sizeof by_fuel)],
        .depth_left = gen_chance(random, 8) ? gen_range(random, 9, 30) : gen_range(random, 1, 8),
        .present    = densities[gen_below(random, sizeof densities)],
        .utf8       = gen_chance(random, 50),
    };
}

/* ---- leaves --------------------------------------------------------------------------------- */

static uint64_t edge_number(gen_random *random)
{
    static const uint64_t edges[] = { 0,
                                      1,
                                      2,
                                      0x7f,
                                      0x80,
                                      0xff,
                                      0x7fff,
                                      0x8000,
                                      0xffff,
                                      0x7fffffff,
                                      1u << 31,
                                      0xffffffff,
                                      UINT64_MAX >> 1,
                                      UINT64_C(1) << 63,
                                      UINT64_MAX };
    if (gen_chance(random, 40))
        return edges[gen_below(random, sizeof edges / sizeof edges[0])];
    return gen_next(random) >> gen_below(random, 64);
}

static double edge_double(gen_random *random)
{
    static const uint64_t edges[] = {
        0, /* 0 and -0 */
        UINT64_C(0x8000000000000000),
        UINT64_C(0x3ff8000000000000), /* 1.5 */
        UINT64_C(0x7ff0000000000000), /* infinities */
        UINT64_C(0xfff0000000000000),
        UINT64_C(0x7ff8000000000000), /* not a number, with and without a payload */
        UINT64_C(0x7ff8000000000abc),
        UINT64_C(0x0000000000000001), /* denormal */
    };
    uint64_t bits = gen_chance(random, 60) ? edges[gen_below(random, 8)] : gen_next(random);
    double   value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void put_scalar(gen_values *values, uint8_t kind, void *place)
{
    uint64_t number = edge_number(values->random);
    double   real   = edge_double(values->random);
    int8_t   i8     = (int8_t)number;
    int16_t  i16    = (int16_t)number;
    int32_t  i32    = (int32_t)number;
    switch (kind) {
    case FRUGAL_KIND_BOOL: *(uint8_t *)place = number & 1; break;
    case FRUGAL_KIND_I8: memcpy(place, &i8, sizeof i8); break;
    case FRUGAL_KIND_I16: memcpy(place, &i16, sizeof i16); break;
    case FRUGAL_KIND_I64: memcpy(place, &number, sizeof number); break;
    case FRUGAL_KIND_DOUBLE: memcpy(place, &real, sizeof real); break;
    default: memcpy(place, &i32, sizeof i32);
    }
}

static size_t put_utf8(gen_random *random, uint8_t *to)
{
    static const char *const texts[] = { "a",
                                         "Z",
                                         "0",
                                         " ",
                                         "\x7f",
                                         "\xc3\xa9",
                                         "\xdf\xbf",
                                         "\xe2\x82\xac",
                                         "\xef\xbf\xbd",
                                         "\xf0\x9f\x90\xa2",
                                         "\xf4\x8f\xbf\xbf" };
    const char              *text    = texts[gen_below(random, gen_chance(random, 85) ? 5 : 11)];
    memcpy(to, text, strlen(text));
    return strlen(text);
}

static void put_text(gen_values *values, uint8_t kind, void *place, bool present)
{
    gen_random *random = values->random;
    uint32_t    len    = gen_text_len(random);
    span       *text   = place;
    if (values->fuel < 0 && len > 8)
        len = 8;
    text->len = len;
    if (len == 0 && !present && gen_chance(random, 50)) {
        text->ptr = NULL;
        return;
    }
    uint8_t scratch[4], *bytes = gen_alloc(values->pool, len, 1);
    text->ptr = bytes;
    for (uint32_t i = 0; i < len;) {
        size_t size = 1;
        scratch[0]  = (uint8_t)gen_next(random);
        if (kind == FRUGAL_KIND_STRING && values->utf8)
            size = put_utf8(random, scratch);
        if (size > len - i) {
            scratch[0] = 'x';
            size       = 1;
        }
        memcpy(bytes + i, scratch, size);
        i += (uint32_t)size;
    }
}

/* ---- containers and structs ----------------------------------------------------------------- */

static void put_value(gen_values *values, const frugal_type *type, void *place, bool present);

static uint32_t pick_count(gen_values *values, const frugal_type *type)
{
    static const uint8_t weights[] = { 20, 40, 30, 10 };
    if (values->fuel <= 0 || values->depth_left <= 0)
        return 0;
    bool     small = type->kind == FRUGAL_KIND_MAP || type->elem->kind >= FRUGAL_KIND_STRUCT;
    uint32_t count;
    switch (gen_pick(values->random, weights, sizeof weights)) {
    case 0: return 0;
    case 1: count = 1 + gen_below(values->random, small ? 2 : 8); break;
    case 2: count = 1 + gen_below(values->random, small ? 5 : 40); break;
    default: /* either side of the widths in which numbers are swapped */
        count = small ? 1 + gen_below(values->random, 40)
                      : (8u << gen_below(values->random, 4)) - 1 + gen_below(values->random, 3);
    }
    return count <= (uint32_t)values->fuel ? count : (uint32_t)values->fuel;
}

static void put_container(gen_values *values, const frugal_type *type, void *place, bool present)
{
    span    *items = place;
    uint32_t count = pick_count(values, type);
    items->len     = count;
    if (count == 0 && !present && gen_chance(values->random, 50))
        return;
    uint32_t align = gen_align(type->elem);
    if (type->key && gen_align(type->key) > align)
        align = gen_align(type->key);
    uint8_t *item = items->ptr = gen_alloc(values->pool, (size_t)count * type->stride, align);
    values->fuel -= (int)count;
    values->depth_left--;
    for (; count; count--, item += type->stride) {
        if (type->key)
            put_value(values, type->key, item, false);
        put_value(values, type->elem, item + (type->key ? gen_value_offset(type) : 0), false);
    }
    values->depth_left++;
}

static bool want_null(gen_values *values, const frugal_struct *record)
{
    if (gen_is_bare(record))
        return values->depth_left <= 0 || gen_chance(values->random, 20);
    if (values->depth_left > -FORCED_DEPTH_MAX && values->fuel > -FORCED_FUEL_MAX
        && !gen_chance(values->random, 1))
        return false;
    values->inexact = true;
    return true;
}

static void put_struct(gen_values *values, const frugal_type *type, void *place, bool present)
{
    const frugal_struct *record = type->record;
    if (!type->indirect) {
        gen_record(values, record, place);
        return;
    }
    if (!present && want_null(values, record))
        return;
    bool prototype    = values->prototype;
    values->prototype = false;
    values->fuel--;
    void *target = gen_alloc(values->pool, record->size, record->align);
    memcpy(place, &target, sizeof target);
    gen_record(values, record, target);
    values->prototype = prototype;
}

/* `present`: a pointer must not be NULL. */
static void put_value(gen_values *values, const frugal_type *type, void *place, bool present)
{
    bool prototype = values->prototype;
    switch (type->kind) {
    case FRUGAL_KIND_STRING:
    case FRUGAL_KIND_BINARY: put_text(values, type->kind, place, present); break;
    case FRUGAL_KIND_STRUCT: put_struct(values, type, place, present); break;
    case FRUGAL_KIND_LIST:
    case FRUGAL_KIND_SET:
    case FRUGAL_KIND_MAP:
        values->prototype = false;
        put_container(values, type, place, present);
        values->prototype = prototype;
        break;
    default: put_scalar(values, type->kind, place);
    }
}

void gen_place_value(gen_values *values, const frugal_type *type, void *place)
{
    put_value(values, type, place, true);
}

/* ---- records -------------------------------------------------------------------------------- */

static void put_kept(gen_values *values, const frugal_struct *type, const frugal_field *keeper,
                     uint8_t *record)
{
    if (values->prototype || !gen_chance(values->random, 60))
        return;
    gen_bytes bytes = { 0 };
    for (int i = gen_range(values->random, 1, 3); i > 0; i--)
        gen_unknown_field(values->random, type, &bytes);
    span *kept = (span *)(record + keeper->offset);
    kept->ptr  = gen_alloc(values->pool, bytes.len, 1);
    kept->len  = bytes.len;
    memcpy(kept->ptr, bytes.data, bytes.len);
    gen_bytes_release(&bytes);
}

static void put_optional(gen_values *values, const frugal_field *field, uint8_t *record)
{
    bool scalar = field->has != 0;
    bool absent = values->prototype || !gen_chance(values->random, values->present)
                  || (!scalar && (values->fuel <= 0 || values->depth_left <= 0));
    /* An absent scalar may hold anything: nobody may look. */
    if (scalar)
        put_scalar(values, field->type.kind, record + field->offset);
    if (absent)
        return;
    if (scalar)
        record[field->has] = 1;
    else
        put_value(values, &field->type, record + field->offset, true);
}

static void put_union(gen_values *values, const frugal_struct *type, uint8_t *record)
{
    uint32_t             count;
    const frugal_field **arms    = gen_fields_by_id(values->pool, type, &count);
    const frugal_field  *keeper  = gen_keeper(type);
    bool                 cramped = values->depth_left <= -FORCED_DEPTH_MAX;
    if (count == 0 || cramped || gen_chance(values->random, 12)) {
        if (keeper)
            put_kept(values, type, keeper, record);
        if (!gen_is_bare(type)) /* reading starts from an arm, and finds no other */
            values->inexact = true;
        return;
    }
    const frugal_field *arm   = arms[gen_below(values->random, count)];
    int32_t             which = arm->id;
    memcpy(record + type->which, &which, sizeof which);
    put_value(values, &arm->type, record + arm->offset, false);
}

void gen_record(gen_values *values, const frugal_struct *type, void *record)
{
    values->depth_left--;
    values->fuel -=
        (int)type->field_count / 16; /* or a list of wide records is most of all values */
    if (type->is_union) {
        put_union(values, type, record);
        values->depth_left++;
        return;
    }
    for (uint32_t i = 0; i < type->field_count; i++) {
        const frugal_field *field = &type->fields[i];
        uint8_t            *place = (uint8_t *)record + field->offset;
        if (field->need == FRUGAL_NEED_UNKNOWN)
            put_kept(values, type, field, record);
        else if (field->need == FRUGAL_NEED_OPTIONAL)
            put_optional(values, field, record);
        else
            put_value(values, &field->type, place, false);
    }
    values->depth_left++;
}
