/* support/law_cells.c - which values the laws have seen. */
#include "support/law_cells.h"

#include <string.h>

#define HELD_BY_NOBODY GEN_PLACE_COUNT /* the root */

typedef struct counter {
    law_cells    *cells;
    uint32_t      engines;
    law_direction direction;
} counter;

typedef struct span {
    const uint8_t *ptr;
    size_t         len;
} span;

static void count_record(counter *count, const frugal_struct *type, const uint8_t *record,
                         gen_place holder);

static void add(counter *count, gen_step step, gen_place place)
{
    if (place >= GEN_PLACE_COUNT)
        return;
    for (unsigned engine = 0; engine < ENGINES_MAX; engine++)
        count->cells->counts[engine][step][place][count->direction] += count->engines >> engine & 1;
}

static void count_inside(counter *count, const frugal_type *type, const uint8_t *place,
                         gen_place where)
{
    const uint8_t *record = place;
    span           items;
    if (type->kind == FRUGAL_KIND_STRUCT) {
        if (type->indirect)
            memcpy(&record, place, sizeof record);
        if (where <= GEN_PLACE_OPTIONAL)
            where = type->indirect ? GEN_PLACE_BY_POINTER : GEN_PLACE_BY_VALUE;
        if (record)
            count_record(count, type->record, record, where);
        return;
    }
    if (type->elem == NULL)
        return;
    gen_place inner = type->kind == FRUGAL_KIND_LIST  ? GEN_PLACE_IN_LIST
                      : type->kind == FRUGAL_KIND_SET ? GEN_PLACE_IN_SET
                                                      : GEN_PLACE_MAP_VALUE;
    memcpy(&items, place, sizeof items);
    for (size_t i = 0; i < items.len; i++, items.ptr += type->stride) {
        if (type->key) {
            add(count, gen_step_of(type->key), GEN_PLACE_MAP_KEY);
            count_inside(count, type->key, items.ptr, GEN_PLACE_MAP_KEY);
        }
        const uint8_t *elem = items.ptr + (type->key ? gen_value_offset(type) : 0);
        add(count, gen_step_of(type->elem), inner);
        count_inside(count, type->elem, elem, inner);
    }
}

static bool is_absent(const frugal_field *field, const uint8_t *record)
{
    const void *pointer;
    if (field->need != FRUGAL_NEED_OPTIONAL)
        return false;
    if (field->has)
        return record[field->has] == 0;
    memcpy(&pointer, record + field->offset, sizeof pointer);
    return pointer == NULL;
}

static void count_field(counter *count, const frugal_field *field, const uint8_t *record,
                        gen_place holder)
{
    static const gen_place needs[] = { GEN_PLACE_DEFAULT, GEN_PLACE_REQUIRED, GEN_PLACE_OPTIONAL };
    gen_step               step    = gen_step_of(&field->type);
    if (is_absent(field, record))
        return;
    add(count, step, needs[field->need]);
    if (holder == GEN_PLACE_BY_VALUE || holder == GEN_PLACE_BY_POINTER)
        add(count, step, holder);
    count_inside(count, &field->type, record + field->offset, needs[field->need]);
}

static void count_arm(counter *count, const frugal_struct *type, const uint8_t *record,
                      gen_place holder)
{
    int32_t which;
    memcpy(&which, record + type->which, sizeof which);
    for (uint32_t i = 0; i < type->field_count; i++) {
        const frugal_field *arm = &type->fields[i];
        if (arm->need == FRUGAL_NEED_UNKNOWN || arm->id != which || which == 0)
            continue;
        gen_step step = gen_step_of(&arm->type);
        add(count, step, GEN_PLACE_UNION_ARM);
        if (holder == GEN_PLACE_BY_VALUE || holder == GEN_PLACE_BY_POINTER)
            add(count, step, holder);
        count_inside(count, &arm->type, record + arm->offset, GEN_PLACE_UNION_ARM);
    }
}

static void count_record(counter *count, const frugal_struct *type, const uint8_t *record,
                         gen_place holder)
{
    const frugal_field *keeper = gen_keeper(type);
    span                kept   = { NULL, 0 };
    if (keeper)
        memcpy(&kept, record + keeper->offset, sizeof kept);
    if (kept.len)
        add(count, GEN_STEP_KEEPER, holder);
    if (type->is_union) {
        count_arm(count, type, record, holder);
        return;
    }
    for (uint32_t i = 0; i < type->field_count; i++)
        if (type->fields[i].need != FRUGAL_NEED_UNKNOWN)
            count_field(count, &type->fields[i], record, holder);
}

void law_count(law_cells *cells, const frugal_struct *type, const void *record,
               law_direction direction, uint32_t engines)
{
    counter count = { cells, engines, direction };
    count_record(&count, type, record, HELD_BY_NOBODY);
}

uint64_t law_cell_least(const law_cells *cells, gen_step step, gen_place place)
{
    uint64_t least = UINT64_MAX;
    for (unsigned engine = 0; engine < engines_count(); engine++)
        for (unsigned direction = 0; direction < LAW_DIRECTION_COUNT; direction++) {
            uint64_t count = cells->counts[engine][step][place][direction];
            least          = count < least ? count : least;
        }
    return least;
}

static void print_engine(const law_cells *cells, unsigned engine, FILE *file)
{
#define STEP_TEXT(name, text)  text,
#define PLACE_TEXT(name, text) text,
    static const char *const steps[]  = { GEN_STEP_MAP(STEP_TEXT) };
    static const char *const places[] = { GEN_PLACE_MAP(PLACE_TEXT) };
#undef STEP_TEXT
#undef PLACE_TEXT
    fprintf(file, "%s, encoded / decoded\n%-17s", engines_name(engine), "");
    for (unsigned place = 0; place < GEN_PLACE_COUNT; place++)
        fprintf(file, " %13s", places[place]);
    fputc('\n', file);
    for (unsigned step = 0; step < GEN_STEP_COUNT; step++) {
        fprintf(file, "%-17s", steps[step]);
        for (unsigned place = 0; place < GEN_PLACE_COUNT; place++) {
            const uint64_t *counts = cells->counts[engine][step][place];
            char            text[48];
            snprintf(text, sizeof text, "%llu/%llu", (unsigned long long)counts[LAW_ENCODED],
                     (unsigned long long)counts[LAW_DECODED]);
            fprintf(file, " %13s", gen_cell_exists((gen_step)step, (gen_place)place) ? text : "-");
        }
        fputc('\n', file);
    }
}

void law_cells_print(const law_cells *cells, FILE *file)
{
    for (unsigned engine = 0; engine < engines_count(); engine++)
        print_engine(cells, engine, file);
}
