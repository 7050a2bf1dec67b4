/* support/gen_table.c - descriptors made by chance.
 *
 * The hard part is the order: what refers to what is chosen first, for all records; then they are
 * laid out from the last to the first, since a struct by value has a larger index than its holder;
 * then the strides of containers are known; prototypes, which are values, come last. */
#include "support/gen_table.h"

#include <string.h>

#include "support/gen_value.h"

#define HAS_LATER   UINT32_MAX /* .has stands behind all values */
#define FIELDS_MAX  340u
#define NESTING_MAX 5u

static const uint32_t kind_sizes[] = {
    [FRUGAL_KIND_BOOL] = 1,    [FRUGAL_KIND_I8] = 1,      [FRUGAL_KIND_I16] = 2,
    [FRUGAL_KIND_I32] = 4,     [FRUGAL_KIND_I64] = 8,     [FRUGAL_KIND_DOUBLE] = 8,
    [FRUGAL_KIND_STRING] = 16, [FRUGAL_KIND_BINARY] = 16, [FRUGAL_KIND_ENUM] = 4,
    [FRUGAL_KIND_STRUCT] = 0,  [FRUGAL_KIND_LIST] = 16,   [FRUGAL_KIND_SET] = 16,
    [FRUGAL_KIND_MAP] = 16,
};

typedef struct draft {
    frugal_field *fields;
    uint32_t      count;
} draft;

typedef struct maker {
    gen_random *random;
    gen_pool   *pool;
    gen_graph  *graph;
    draft      *drafts;
    bool        no_copy; /* this graph may have no_copy fields */
} maker;

/* ---- asking --------------------------------------------------------------------------------- */

static bool is_number(uint8_t kind)
{
    return (kind >= FRUGAL_KIND_I8 && kind <= FRUGAL_KIND_DOUBLE) || kind == FRUGAL_KIND_ENUM;
}

static bool is_scalar(uint8_t kind)
{
    return is_number(kind) || kind == FRUGAL_KIND_BOOL;
}

gen_step gen_step_of(const frugal_type *type)
{
    switch (type->kind) {
    case FRUGAL_KIND_STRUCT:
        if (type->record->is_union)
            return GEN_STEP_UNION;
        return type->indirect ? GEN_STEP_RECORD_POINTER : GEN_STEP_RECORD_VALUE;
    case FRUGAL_KIND_LIST:
    case FRUGAL_KIND_SET:
        if (type->elem->kind == FRUGAL_KIND_BOOL)
            return GEN_STEP_BOOLS;
        if (is_number(type->elem->kind))
            return GEN_STEP_VECTOR;
        return type->kind == FRUGAL_KIND_LIST ? GEN_STEP_LIST : GEN_STEP_SET;
    case FRUGAL_KIND_MAP: return GEN_STEP_MAP;
    default: return (gen_step)(GEN_STEP_BOOL + type->kind - FRUGAL_KIND_BOOL);
    }
}

bool gen_cell_exists(gen_step step, gen_place place)
{
    if (step == GEN_STEP_RECORD_VALUE)
        return place != GEN_PLACE_OPTIONAL;
    return step != GEN_STEP_KEEPER || place > GEN_PLACE_OPTIONAL;
}

uint32_t gen_align(const frugal_type *type)
{
    if (type->kind == FRUGAL_KIND_STRUCT)
        return type->indirect ? (uint32_t) _Alignof(void *) : type->record->align;
    return kind_sizes[type->kind] > 8 ? (uint32_t) _Alignof(frugal_str) : kind_sizes[type->kind];
}

static uint32_t round_up(uint32_t value, uint32_t align)
{
    return (value + align - 1) / align * align;
}

uint32_t gen_value_offset(const frugal_type *map)
{
    return round_up(map->key->size, gen_align(map->elem));
}

const frugal_field *gen_keeper(const frugal_struct *type)
{
    for (uint32_t i = 0; i < type->field_count; i++)
        if (type->fields[i].need == FRUGAL_NEED_UNKNOWN)
            return &type->fields[i];
    return NULL;
}

bool gen_is_bare(const frugal_struct *type)
{
    int32_t which = 0;
    if (type->is_union && type->defaults)
        memcpy(&which, (const uint8_t *)type->defaults + type->which, sizeof which);
    if (which != 0)
        return false;
    for (uint32_t i = 0; i < type->field_count; i++)
        if (type->fields[i].need < FRUGAL_NEED_OPTIONAL)
            return false;
    return true;
}

const frugal_field **gen_fields_by_id(gen_pool *pool, const frugal_struct *type, uint32_t *count)
{
    const frugal_field **sorted = gen_alloc(pool, type->field_count * sizeof *sorted, 8);
    *count                      = 0;
    for (uint32_t i = 0; i < type->field_count; i++) {
        const frugal_field *field = &type->fields[i];
        if (field->need == FRUGAL_NEED_UNKNOWN)
            continue;
        uint32_t at = (*count)++;
        for (; at > 0 && sorted[at - 1]->id > field->id; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = field;
    }
    return sorted;
}

/* ---- choosing types ------------------------------------------------------------------------- */

static uint32_t index_of(const maker *make, const frugal_struct *record)
{
    return (uint32_t)(record - make->graph->records);
}

static const frugal_enum *pick_names(gen_random *random)
{
    static const struct frugal_enum_item items[] = { { "RED", 0 }, { "GREEN", 5 }, { "BLUE", -7 } };
    static const frugal_enum             names   = { "colour", 3, items };
    return gen_chance(random, 50) ? &names : NULL;
}

static void set_leaf(maker *make, frugal_type *type, uint8_t kind)
{
    type->kind = kind;
    type->size = kind_sizes[kind];
    if (kind == FRUGAL_KIND_ENUM)
        type->names = pick_names(make->random);
}

static void set_record(maker *make, frugal_type *type, uint32_t target, bool indirect)
{
    type->kind     = FRUGAL_KIND_STRUCT;
    type->record   = &make->graph->records[target];
    type->indirect = indirect;
}

static frugal_type *new_type(maker *make)
{
    return gen_alloc(make->pool, sizeof(frugal_type), 8);
}

static void make_type(maker *make, frugal_type *type, uint32_t self, unsigned nesting);

/* By value in a record only below it; in a container anywhere. */
static void make_record_type(maker *make, frugal_type *type, uint32_t self, bool in_container)
{
    uint32_t count    = make->graph->count;
    bool     below    = !in_container && self + 1 < count && gen_chance(make->random, 60);
    uint32_t least    = below ? self + 1 : 0;
    uint32_t target   = least + gen_below(make->random, count - least);
    bool     by_value = below || in_container;
    set_record(make, type, target, !by_value || gen_chance(make->random, 35));
}

static void make_container(maker *make, frugal_type *type, uint32_t self, unsigned nesting,
                           uint8_t kind)
{
    frugal_type *elem = new_type(make);
    make_type(make, elem, self, nesting + 1);
    type->kind = kind;
    type->size = kind_sizes[kind];
    type->elem = elem;
    if (kind == FRUGAL_KIND_MAP) {
        frugal_type *key = new_type(make);
        /* Most keys are simple, as in life; the rest is what we are here for. */
        if (gen_chance(make->random, 70))
            set_leaf(make, key,
                     (uint8_t)gen_range(make->random, FRUGAL_KIND_BOOL, FRUGAL_KIND_ENUM));
        else
            make_type(make, key, self, nesting + 1);
        type->key = key;
    }
}

static void make_type(maker *make, frugal_type *type, uint32_t self, unsigned nesting)
{
    static const uint8_t weights[] = {
        [FRUGAL_KIND_BOOL] = 7,    [FRUGAL_KIND_I8] = 6,     [FRUGAL_KIND_I16] = 6,
        [FRUGAL_KIND_I32] = 8,     [FRUGAL_KIND_I64] = 8,    [FRUGAL_KIND_DOUBLE] = 6,
        [FRUGAL_KIND_STRING] = 10, [FRUGAL_KIND_BINARY] = 5, [FRUGAL_KIND_ENUM] = 5,
        [FRUGAL_KIND_STRUCT] = 16, [FRUGAL_KIND_LIST] = 10,  [FRUGAL_KIND_SET] = 5,
        [FRUGAL_KIND_MAP] = 8
    };
    uint8_t kind = (uint8_t)gen_pick(make->random, weights,
                                     nesting < NESTING_MAX ? sizeof weights : FRUGAL_KIND_LIST);
    if (kind == FRUGAL_KIND_STRUCT)
        make_record_type(make, type, self, nesting > 0);
    else if (kind < FRUGAL_KIND_STRUCT)
        set_leaf(make, type, kind);
    else
        make_container(make, type, self, nesting, kind);
}

/* ---- choosing fields ------------------------------------------------------------------------ */

static frugal_field *new_field(maker *make, uint32_t self)
{
    draft *fields = &make->drafts[self];
    return fields->count < FIELDS_MAX ? &fields->fields[fields->count++]
                                      : &fields->fields[FIELDS_MAX - 1];
}

static uint8_t pick_need(maker *make, uint32_t self, const frugal_type *type)
{
    if (make->graph->records[self].is_union)
        return FRUGAL_NEED_OPTIONAL;
    bool is_struct = type->kind == FRUGAL_KIND_STRUCT;
    if (is_struct && !type->indirect)
        return gen_chance(make->random, 60) ? FRUGAL_NEED_DEFAULT : FRUGAL_NEED_REQUIRED;
    if (is_struct && index_of(make, type->record) <= self) {
        /* On a cycle; without optional it can only end in a NULL that does not survive. */
        static const uint8_t weights[] = { 10, 4, 86 };
        return (uint8_t)gen_pick(make->random, weights, 3);
    }
    static const uint8_t weights[] = { 40, 25, 35 };
    return (uint8_t)gen_pick(make->random, weights, 3);
}

static frugal_field *add_field_of(maker *make, uint32_t self, const frugal_type *type, uint8_t need)
{
    frugal_field *field = new_field(make, self);
    memset(field, 0, sizeof *field);
    field->type = *type;
    field->need = need;
    bool text   = type->kind == FRUGAL_KIND_STRING || type->kind == FRUGAL_KIND_BINARY;
    if (text && make->no_copy && gen_chance(make->random, 25)) {
        field->no_copy           = true;
        make->graph->has_no_copy = true;
    }
    return field;
}

static void add_field(maker *make, uint32_t self)
{
    frugal_type type = { 0 };
    make_type(make, &type, self, 0);
    add_field_of(make, self, &type, pick_need(make, self, &type));
}

static void add_scalar_field(maker *make, uint32_t self, unsigned optional)
{
    frugal_type type = { 0 };
    set_leaf(make, &type, (uint8_t)gen_range(make->random, FRUGAL_KIND_BOOL, FRUGAL_KIND_ENUM));
    uint8_t need =
        gen_chance(make->random, optional) ? FRUGAL_NEED_OPTIONAL : pick_need(make, self, &type);
    add_field_of(make, self, &type, need);
}

static void add_keeper(maker *make, uint32_t self)
{
    frugal_field *field = new_field(make, self);
    memset(field, 0, sizeof *field);
    field->need             = FRUGAL_NEED_UNKNOWN;
    field->type.kind        = FRUGAL_KIND_BINARY;
    field->type.size        = kind_sizes[FRUGAL_KIND_BINARY];
    make->graph->has_keeper = true;
}

static void add_fields(maker *make, uint32_t self, int least, int most)
{
    int count = gen_range(make->random, least, most);
    if (make->graph->records[self].is_union && count == 0)
        count = 1;
    while (count--)
        add_field(make, self);
}

/* ---- ids and names -------------------------------------------------------------------------- */

static bool id_taken(const draft *fields, uint32_t count, int id)
{
    for (uint32_t i = 0; i < count; i++)
        if (fields->fields[i].id == id && fields->fields[i].need != FRUGAL_NEED_UNKNOWN)
            return true;
    return false;
}

static int pick_id(gen_random *random, unsigned manner, int last)
{
    static const int16_t edges[] = { -32768, -32767, -1, 0, 1, 127, 128, 255, 256, 32766, 32767 };
    switch (manner) {
    case 0: return last + 1;
    case 1: return last + 1 + (gen_chance(random, 30) ? (int)gen_below(random, 40) : 0);
    case 2: return edges[gen_below(random, sizeof edges / sizeof edges[0])];
    default: return (int16_t)gen_next(random);
    }
}

static void set_ids(maker *make, uint32_t self)
{
    static const uint8_t manners[] = { 45, 25, 10, 20 };
    static const int8_t  starts[]  = { 0, 0, 0, -1, -4 };
    draft               *fields    = &make->drafts[self];
    unsigned             manner    = gen_pick(make->random, manners, sizeof manners);
    int                  last      = starts[gen_below(make->random, sizeof starts)];
    for (uint32_t i = 0; i < fields->count; i++) {
        frugal_field *field = &fields->fields[i];
        if (field->need == FRUGAL_NEED_UNKNOWN)
            continue;
        int id = pick_id(make->random, manner, last);
        while (id_taken(fields, i, id) || (id == 0 && make->graph->records[self].is_union))
            id = manner < 2 ? id + 1 : (int16_t)gen_next(make->random);
        field->id = (int16_t)id;
        last      = id;
    }
}

static const char *new_name(maker *make, const char *format, int number)
{
    char *name = gen_alloc(make->pool, 16, 1);
    snprintf(name, 16, format, number < 0 ? -number : number);
    return name;
}

static void set_names(maker *make, uint32_t self)
{
    draft *fields = &make->drafts[self];
    for (uint32_t i = 0; i < fields->count; i++) {
        frugal_field *field = &fields->fields[i];
        if (field->need == FRUGAL_NEED_UNKNOWN)
            field->name = "kept";
        else
            field->name = new_name(make, field->id < 0 ? "n%d" : "f%d", field->id);
    }
}

static void shuffle_fields(maker *make, draft *fields)
{
    if (gen_chance(make->random, 50))
        return;
    for (uint32_t i = fields->count; i > 1; i--) {
        uint32_t     j        = gen_below(make->random, i);
        frugal_field keep     = fields->fields[i - 1];
        fields->fields[i - 1] = fields->fields[j];
        fields->fields[j]     = keep;
    }
}

/* ---- layout --------------------------------------------------------------------------------- */

static void size_of_record_type(frugal_type *type)
{
    if (type->kind == FRUGAL_KIND_STRUCT)
        type->size = type->indirect ? (uint32_t)sizeof(void *) : type->record->size;
}

static void place(frugal_struct *record, uint32_t *cursor, frugal_field *field, bool has_later)
{
    uint32_t align = gen_align(&field->type);
    *cursor        = round_up(*cursor, align);
    field->offset  = *cursor;
    *cursor += field->type.size;
    if (field->need == FRUGAL_NEED_OPTIONAL && is_scalar(field->type.kind) && !record->is_union) {
        field->has = has_later ? HAS_LATER : *cursor;
        *cursor    = has_later ? *cursor : round_up(*cursor + 1, align);
    }
    if (record->align < align)
        record->align = align;
}

static void lay_out_struct(maker *make, frugal_struct *record, draft *fields, uint32_t *cursor)
{
    uint32_t *order = gen_alloc(make->pool, fields->count * sizeof *order, 4);
    if (gen_chance(make->random, 60))
        for (uint32_t i = 0; i < fields->count; i++)
            order[i] = i;
    else
        gen_shuffle(make->random, order, fields->count);
    for (uint32_t i = 0; i < fields->count; i++) {
        if (gen_chance(make->random, 4))
            *cursor += gen_below(make->random, 20); /* a member that the table does not name */
        /* FRUGAL_OPT puts .has behind .value; a table may have it anywhere. */
        place(record, cursor, &fields->fields[order[i]], gen_chance(make->random, 8));
    }
    for (uint32_t i = 0; i < fields->count; i++)
        if (fields->fields[i].has == HAS_LATER)
            fields->fields[i].has = (*cursor)++;
}

static void place_which(frugal_struct *record, uint32_t *cursor)
{
    *cursor       = round_up(*cursor, 4);
    record->which = *cursor;
    *cursor += 4;
    if (record->align < 4)
        record->align = 4;
}

static void place_arms(frugal_struct *record, draft *fields, uint32_t *cursor)
{
    uint32_t align = 1, size = 0;
    for (uint32_t i = 0; i < fields->count; i++) {
        const frugal_type *type = &fields->fields[i].type;
        if (fields->fields[i].need == FRUGAL_NEED_UNKNOWN)
            continue;
        align = gen_align(type) > align ? gen_align(type) : align;
        size  = type->size > size ? type->size : size;
    }
    *cursor = round_up(*cursor, align);
    for (uint32_t i = 0; i < fields->count; i++)
        if (fields->fields[i].need != FRUGAL_NEED_UNKNOWN)
            fields->fields[i].offset = *cursor;
    *cursor += round_up(size, align);
    if (record->align < align)
        record->align = align;
}

static void lay_out_union(maker *make, frugal_struct *record, draft *fields, uint32_t *cursor)
{
    bool which_first = gen_chance(make->random, 70);
    if (which_first)
        place_which(record, cursor);
    place_arms(record, fields, cursor);
    for (uint32_t i = 0; i < fields->count; i++)
        if (fields->fields[i].need == FRUGAL_NEED_UNKNOWN)
            place(record, cursor, &fields->fields[i], false);
    if (!which_first)
        place_which(record, cursor);
}

static void lay_out(maker *make, uint32_t self)
{
    frugal_struct *record = &make->graph->records[self];
    draft         *fields = &make->drafts[self];
    uint32_t       cursor = 0;
    for (uint32_t i = 0; i < fields->count; i++)
        size_of_record_type(&fields->fields[i].type);
    record->align = 1;
    if (record->is_union)
        lay_out_union(make, record, fields, &cursor);
    else
        lay_out_struct(make, record, fields, &cursor);
    if (gen_chance(make->random, 3))
        record->align = record->align < 32 ? 32 : record->align;
    record->size = round_up(cursor ? cursor : 1, record->align);
}

/* Elements and entries, when all records have their size. */
static void set_strides(frugal_type *type)
{
    size_of_record_type(type);
    if (type->elem == NULL)
        return;
    /* The generator made these nodes; only the library must not write to them. */
    set_strides((frugal_type *)type->elem);
    type->stride = type->elem->size;
    if (type->key) {
        set_strides((frugal_type *)type->key);
        uint32_t key_align = gen_align(type->key), align = gen_align(type->elem);
        type->stride = round_up(gen_value_offset(type) + type->elem->size,
                                key_align > align ? key_align : align);
    }
}

/* ---- prototypes and defaults ---------------------------------------------------------------- */

static const void *make_initial(maker *make, const frugal_field *field)
{
    void      *initial = gen_alloc(make->pool, field->type.size, gen_align(&field->type));
    gen_values values  = gen_values_start(make->random, make->pool);
    values.fuel        = 8;
    gen_place_value(&values, &field->type, initial);
    return initial;
}

static void set_defaults(maker *make, uint32_t self)
{
    frugal_struct *record = &make->graph->records[self];
    draft         *fields = &make->drafts[self];
    for (uint32_t i = 0; i < fields->count && !record->is_union; i++)
        if (fields->fields[i].need == FRUGAL_NEED_OPTIONAL
            && fields->fields[i].type.kind != FRUGAL_KIND_STRUCT && gen_chance(make->random, 25))
            fields->fields[i].initial = make_initial(make, &fields->fields[i]);
    if (!gen_chance(make->random, 25))
        return;
    void      *prototype = gen_alloc(make->pool, record->size, record->align);
    gen_values values    = gen_values_start(make->random, make->pool);
    values.prototype     = true;
    values.fuel          = 20;
    gen_record(&values, record, prototype);
    record->defaults = prototype;
}

/* ---- whole graphs --------------------------------------------------------------------------- */

static maker start(gen_random *random, gen_pool *pool, gen_graph *graph, uint32_t count)
{
    *graph         = (gen_graph){ .count = count };
    maker make     = { random, pool, graph, gen_alloc(pool, count * sizeof(draft), 8),
                       gen_chance(random, 15) };
    graph->records = gen_alloc(pool, count * sizeof *graph->records, 8);
    for (uint32_t i = 0; i < count; i++) {
        graph->records[i].abi  = FRUGAL_TABLE_ABI;
        graph->records[i].name = new_name(&make, "R%d", (int)i);
        graph->records[i].slot = gen_alloc(pool, sizeof(frugal_slot), 8);
        make.drafts[i].fields  = gen_alloc(pool, FIELDS_MAX * sizeof(frugal_field), 8);
    }
    return make;
}

static void finish(maker *make)
{
    gen_graph *graph = make->graph;
    for (uint32_t i = graph->count; i-- > 0;) {
        set_ids(make, i);
        set_names(make, i);
        shuffle_fields(make, &make->drafts[i]);
        lay_out(make, i);
    }
    for (uint32_t i = 0; i < graph->count; i++) {
        draft *fields = &make->drafts[i];
        for (uint32_t j = 0; j < fields->count; j++) {
            set_strides(&fields->fields[j].type);
            graph->has_required |= fields->fields[j].need == FRUGAL_NEED_REQUIRED;
        }
        graph->records[i].field_count = fields->count;
        graph->records[i].fields      = fields->count ? fields->fields : NULL;
    }
    for (uint32_t i = graph->count; i-- > 0;)
        set_defaults(make, i);
}

static void maybe_union(maker *make, uint32_t self, unsigned percent)
{
    make->graph->records[self].is_union = gen_chance(make->random, percent);
}

static void maybe_keeper(maker *make, uint32_t self, unsigned percent)
{
    if (gen_chance(make->random, percent))
        add_keeper(make, self);
}

static void fill_mixed(maker *make, int most)
{
    for (uint32_t i = 0; i < make->graph->count; i++)
        maybe_union(make, i, i ? 20 : 6);
    for (uint32_t i = 0; i < make->graph->count; i++) {
        add_fields(make, i, 0, most);
        maybe_keeper(make, i, 15);
    }
}

static void fill_wide(maker *make, uint32_t self, int least, int most)
{
    unsigned optional = gen_chance(make->random, 70) ? 95 : 30;
    int      count    = gen_range(make->random, least, most);
    for (int i = 0; i < count; i++)
        if (gen_chance(make->random, 94))
            add_scalar_field(make, self, optional);
        else
            add_field(make, self);
    maybe_keeper(make, self, 30);
}

static void hold_by_value(maker *make, uint32_t self, uint32_t target)
{
    frugal_type type = { 0 };
    set_record(make, &type, target, false);
    add_field_of(make, self, &type, pick_need(make, self, &type));
}

static void fill_chain(maker *make)
{
    for (uint32_t i = 0; i < make->graph->count; i++) {
        maybe_union(make, i, i ? 5 : 0);
        add_fields(make, i, 0, 2);
        if (i + 1 < make->graph->count)
            hold_by_value(make, i, i + 1);
        if (i + 2 < make->graph->count && gen_chance(make->random, 15))
            hold_by_value(make, i, i + 2);
        add_fields(make, i, 0, 2);
        maybe_keeper(make, i, 10);
    }
}

static void fill_huge(maker *make)
{
    for (uint32_t i = make->graph->count - 1; i > 0; i--)
        fill_wide(make, i, 180, 260);
    for (uint32_t i = 1; i < make->graph->count; i++) {
        hold_by_value(make, 0, i);
        add_fields(make, 0, 0, 2);
        if (gen_chance(make->random, 30))
            hold_by_value(make, 0, i);
    }
}

static void fill_recursive(maker *make)
{
    for (uint32_t i = 0; i < make->graph->count; i++)
        maybe_union(make, i, 20);
    for (uint32_t i = 0; i < make->graph->count; i++) {
        add_fields(make, i, 0, 3);
        for (int links = gen_range(make->random, 1, 2); links > 0; links--) {
            frugal_type type = { 0 }, link = { 0 };
            set_record(make, &link, gen_below(make->random, make->graph->count), true);
            if (gen_chance(make->random, 40)) {
                type = link;
            } else {
                make_container(make, &type, i, NESTING_MAX,
                               (uint8_t)gen_range(make->random, FRUGAL_KIND_LIST, FRUGAL_KIND_MAP));
                link.indirect             = gen_chance(make->random, 30);
                *(frugal_type *)type.elem = link;
            }
            add_field_of(make, i, &type, pick_need(make, i, &type));
        }
        maybe_keeper(make, i, 15);
    }
}

gen_graph gen_graph_make(gen_random *random, gen_pool *pool)
{
    static const uint8_t weights[GEN_SHAPE_COUNT] = { 28, 38, 6, 9, 2, 17 };
    static const uint8_t least[GEN_SHAPE_COUNT]   = { 1, 2, 1, 5, 3, 1 };
    static const uint8_t most[GEN_SHAPE_COUNT]    = { 2, 6, 3, 10, 4, 3 };
    gen_shape            shape = (gen_shape)gen_pick(random, weights, GEN_SHAPE_COUNT);
    gen_graph            graph;
    maker                make =
        start(random, pool, &graph, (uint32_t)gen_range(random, least[shape], most[shape]));
    switch (shape) {
    case GEN_SHAPE_WIDE:
        for (uint32_t i = 1; i < graph.count; i++)
            add_fields(&make, i, 0, 6);
        fill_wide(&make, 0, 50, 300);
        break;
    case GEN_SHAPE_CHAIN: fill_chain(&make); break;
    case GEN_SHAPE_HUGE: fill_huge(&make); break;
    case GEN_SHAPE_RECURSIVE: fill_recursive(&make); break;
    default: fill_mixed(&make, shape == GEN_SHAPE_SMALL ? 6 : 12);
    }
    finish(&make);
    return graph;
}

/* ---- graphs for one cell -------------------------------------------------------------------- */

enum { ROOT, HOLDER, PLAIN, CHOICE, CELL_RECORDS };

static void make_step_type(maker *make, frugal_type *type, gen_step step)
{
    static const uint8_t texts[] = { FRUGAL_KIND_STRING, FRUGAL_KIND_BINARY };
    frugal_type         *elem;
    switch (step) {
    case GEN_STEP_VECTOR:
    case GEN_STEP_BOOLS:
    case GEN_STEP_LIST:
    case GEN_STEP_SET:
        make_container(make, type, CHOICE, NESTING_MAX, FRUGAL_KIND_LIST);
        elem = (frugal_type *)type->elem;
        memset(elem, 0, sizeof *elem);
        if (step == GEN_STEP_SET || (step < GEN_STEP_LIST && gen_chance(make->random, 30)))
            type->kind = FRUGAL_KIND_SET;
        if (step == GEN_STEP_BOOLS)
            set_leaf(make, elem, FRUGAL_KIND_BOOL);
        else if (step == GEN_STEP_VECTOR)
            set_leaf(make, elem,
                     gen_chance(make->random, 15)
                         ? FRUGAL_KIND_ENUM
                         : (uint8_t)gen_range(make->random, FRUGAL_KIND_I8, FRUGAL_KIND_DOUBLE));
        else if (gen_chance(make->random, 50))
            set_leaf(make, elem, texts[gen_below(make->random, 2)]);
        else
            set_record(make, elem, PLAIN, gen_chance(make->random, 40));
        break;
    case GEN_STEP_MAP: make_container(make, type, CHOICE, NESTING_MAX, FRUGAL_KIND_MAP); break;
    case GEN_STEP_RECORD_VALUE:
    case GEN_STEP_KEEPER: set_record(make, type, PLAIN, false); break;
    case GEN_STEP_RECORD_POINTER: set_record(make, type, PLAIN, true); break;
    case GEN_STEP_UNION: set_record(make, type, CHOICE, gen_chance(make->random, 30)); break;
    default: set_leaf(make, type, (uint8_t)(FRUGAL_KIND_BOOL + (step - GEN_STEP_BOOL)));
    }
}

static void add_step_fields(maker *make, uint32_t self, gen_step step, int need)
{
    for (int i = gen_range(make->random, 2, 5); i > 0; i--) {
        frugal_type type = { 0 };
        make_step_type(make, &type, step);
        if (need == FRUGAL_NEED_OPTIONAL && step == GEN_STEP_UNION
            && !make->graph->records[self].is_union)
            type.indirect = true; /* an optional struct is a pointer */
        add_field_of(make, self, &type, need >= 0 ? (uint8_t)need : pick_need(make, self, &type));
    }
}

static void add_container_of_step(maker *make, gen_step step, gen_place place)
{
    frugal_type type = { 0 };
    uint8_t     kind = place == GEN_PLACE_IN_LIST  ? FRUGAL_KIND_LIST
                       : place == GEN_PLACE_IN_SET ? FRUGAL_KIND_SET
                                                   : FRUGAL_KIND_MAP;
    make_container(make, &type, CHOICE, NESTING_MAX, kind);
    frugal_type *inner = (frugal_type *)(place == GEN_PLACE_MAP_KEY ? type.key : type.elem);
    memset(inner, 0, sizeof *inner);
    make_step_type(make, inner, step);
    add_field_of(make, ROOT, &type, pick_need(make, ROOT, &type));
}

static void add_holder(maker *make, bool in_list, bool indirect)
{
    frugal_type holder = { 0 }, type = { 0 };
    set_record(make, &holder, HOLDER, indirect);
    if (in_list) {
        make_container(make, &type, CHOICE, NESTING_MAX, FRUGAL_KIND_LIST);
        *(frugal_type *)type.elem = holder;
    }
    add_field_of(make, ROOT, in_list ? &type : &holder,
                 gen_chance(make->random, 50) ? FRUGAL_NEED_REQUIRED : FRUGAL_NEED_DEFAULT);
}

static void add_cell(maker *make, gen_step step, gen_place place)
{
    switch (place) {
    case GEN_PLACE_REQUIRED: add_step_fields(make, ROOT, step, FRUGAL_NEED_REQUIRED); break;
    case GEN_PLACE_DEFAULT: add_step_fields(make, ROOT, step, FRUGAL_NEED_DEFAULT); break;
    case GEN_PLACE_OPTIONAL: add_step_fields(make, ROOT, step, FRUGAL_NEED_OPTIONAL); break;
    case GEN_PLACE_BY_VALUE:
    case GEN_PLACE_BY_POINTER:
        if (step == GEN_STEP_KEEPER)
            add_keeper(make, HOLDER);
        else
            add_step_fields(make, HOLDER, step, -1);
        add_holder(make, false, place == GEN_PLACE_BY_POINTER);
        break;
    case GEN_PLACE_UNION_ARM:
        make->graph->records[HOLDER].is_union = true;
        add_step_fields(make, HOLDER, step, FRUGAL_NEED_OPTIONAL);
        add_holder(make, true, gen_chance(make->random, 30));
        break;
    default:
        for (int i = gen_range(make->random, 1, 2); i > 0; i--)
            add_container_of_step(make, step, place);
    }
}

gen_graph gen_graph_for(gen_random *random, gen_pool *pool, gen_step step, gen_place place)
{
    gen_graph graph;
    maker     make                 = start(random, pool, &graph, CELL_RECORDS);
    graph.records[CHOICE].is_union = true;
    for (int i = gen_range(random, 1, 3); i > 0; i--)
        add_scalar_field(&make, CHOICE, 100);
    for (int i = gen_range(random, 0, 3); i > 0; i--)
        add_scalar_field(&make, PLAIN, 40);
    if (step == GEN_STEP_KEEPER)
        add_keeper(&make, PLAIN);
    if (gen_chance(random, 50))
        add_scalar_field(&make, ROOT, 30);
    add_cell(&make, step, place);
    if (gen_chance(random, 50))
        add_scalar_field(&make, ROOT, 30);
    maybe_keeper(&make, ROOT, 10);
    finish(&make);
    return graph;
}

/* ---- text ----------------------------------------------------------------------------------- */

static void print_type(const frugal_type *type, FILE *file)
{
    static const char *const names[] = { "none",   "bool",   "i8",     "i16",    "i32",
                                         "i64",    "double", "string", "binary", "enum",
                                         "struct", "list",   "set",    "map" };
    if (type->kind == FRUGAL_KIND_STRUCT) {
        fprintf(file, "%s%s", type->record->name, type->indirect ? " *" : "");
        return;
    }
    fputs(names[type->kind], file);
    if (type->elem == NULL)
        return;
    fputc('<', file);
    if (type->key) {
        print_type(type->key, file);
        fputs(", ", file);
    }
    print_type(type->elem, file);
    fprintf(file, ">/%u", type->stride);
}

static void print_field(const frugal_field *field, FILE *file)
{
    static const char *const needs[] = { "default", "required", "optional", "unknown" };
    fprintf(file, "    %6d %-8s @%-5u ", field->id, needs[field->need], field->offset);
    print_type(&field->type, file);
    fprintf(file, " %s%s%s\n", field->name, field->no_copy ? " no_copy" : "",
            field->initial ? " initial" : "");
}

void gen_graph_print(const gen_graph *graph, FILE *file)
{
    for (uint32_t i = 0; i < graph->count; i++) {
        const frugal_struct *record = &graph->records[i];
        fprintf(file, "  %s %s: %u bytes, align %u%s\n", record->is_union ? "union" : "struct",
                record->name, record->size, record->align, record->defaults ? ", defaults" : "");
        for (uint32_t j = 0; j < record->field_count && j < 40; j++)
            print_field(&record->fields[j], file);
        if (record->field_count > 40)
            fprintf(file, "    ... %u fields\n", record->field_count);
    }
}
