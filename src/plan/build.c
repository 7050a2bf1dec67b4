/* plan/build.c - from a table to the steps of a plan.
 *
 * Two things are hard. Structs by value are flattened into the steps around them, at most
 * PLAN_FLATTEN_DEPTH deep, which is the only recursion. And such a struct must start from its own
 * defaults, while the record around it is initialised in one piece: PLAN_INIT marks the places
 * where the two differ. */
#include "core/allocator.h"
#include "core/status.h"
#include "plan/builder.h"

/* ---- one step ------------------------------------------------------------------------------- */

static const struct {
    uint8_t op, wire;
} kinds[] = {
    [FRUGAL_KIND_NONE]   = { PLAN_END, 0 },
    [FRUGAL_KIND_BOOL]   = { PLAN_BOOL, FRUGAL_WIRE_BOOL },
    [FRUGAL_KIND_I8]     = { PLAN_I8, FRUGAL_WIRE_I8 },
    [FRUGAL_KIND_I16]    = { PLAN_I16, FRUGAL_WIRE_I16 },
    [FRUGAL_KIND_I32]    = { PLAN_I32, FRUGAL_WIRE_I32 },
    [FRUGAL_KIND_I64]    = { PLAN_I64, FRUGAL_WIRE_I64 },
    [FRUGAL_KIND_DOUBLE] = { PLAN_I64, FRUGAL_WIRE_DOUBLE },
    [FRUGAL_KIND_STRING] = { PLAN_TEXT, FRUGAL_WIRE_STRING },
    [FRUGAL_KIND_BINARY] = { PLAN_TEXT, FRUGAL_WIRE_STRING },
    [FRUGAL_KIND_ENUM]   = { PLAN_I32, FRUGAL_WIRE_I32 },
    [FRUGAL_KIND_STRUCT] = { PLAN_RECORD, FRUGAL_WIRE_STRUCT },
    [FRUGAL_KIND_LIST]   = { PLAN_LIST, FRUGAL_WIRE_LIST },
    [FRUGAL_KIND_SET]    = { PLAN_LIST, FRUGAL_WIRE_SET },
    [FRUGAL_KIND_MAP]    = { PLAN_MAP, FRUGAL_WIRE_MAP },
};

uint8_t plan_wire_type(const frugal_type *type)
{
    return kinds[type->kind].wire;
}

static plan_op op_of(const frugal_type *type)
{
    if (type->kind != FRUGAL_KIND_LIST && type->kind != FRUGAL_KIND_SET)
        return kinds[type->kind].op;
    plan_op element = kinds[type->elem->kind].op;
    if (element == PLAN_BOOL)
        return PLAN_BOOLS;
    return element <= PLAN_I64 ? PLAN_VECTOR : PLAN_LIST;
}

static plan_place place_of(const frugal_field *field)
{
    switch (field ? schema_presence_of(field) : SCHEMA_ALWAYS) {
    case SCHEMA_HAS_BYTE: return PLAN_BY_HAS;
    case SCHEMA_POINTER: return PLAN_BY_POINTER;
    default: return PLAN_FIELD;
    }
}

static uint8_t flags_of(const frugal_field *field, const frugal_type *type)
{
    unsigned flags = 0;
    if (type->kind == FRUGAL_KIND_STRUCT && type->indirect)
        flags |= PLAN_INDIRECT;
    if (type->kind == FRUGAL_KIND_SET)
        flags |= PLAN_SET;
    if (type->kind == FRUGAL_KIND_STRING || type->kind == FRUGAL_KIND_BINARY)
        flags |= PLAN_ANY_TEXT;
    if (type->kind == FRUGAL_KIND_STRING)
        flags |= PLAN_STRING;
    if (field && field->no_copy)
        flags |= PLAN_NO_COPY;
    if (field && field->initial)
        flags |= PLAN_INITIAL;
    if (field && field->need == FRUGAL_NEED_REQUIRED)
        flags |= PLAN_REQUIRED;
    return (uint8_t)flags;
}

/* The header in Binary: type, id, and where the format fixes it the byte behind: the element's or
 * the key's type, or the top byte of a length, which is 0 below 16 MiB. A list that is empty and
 * has another element type, a longer text: the header differs, the search finds the same step, and
 * the result is the same. */
static void set_head(plan_step *step, int16_t field)
{
    uint16_t id     = (uint16_t)field;
    uint8_t  fourth = 0;
    switch (step->op) {
    case PLAN_VECTOR:
    case PLAN_BOOLS:
    case PLAN_LIST: fourth = step->tag; break;
    case PLAN_MAP: fourth = step->key_tag; break;
    default: break;
    }
    step->head = pack_u32(step->wire, (uint8_t)(id >> 8), (uint8_t)id, fourth);
}

/* The next step, empty but for where it comes from. */
static uint32_t new_step(builder *b, const frugal_field *field, const frugal_type *type)
{
    uint32_t     index  = (uint32_t)b->steps.count;
    plan_step   *step   = vector_push(b, &b->steps);
    plan_origin *origin = vector_push(b, &b->origins);
    if (step == NULL || origin == NULL)
        return 0;
    *origin      = (plan_origin){ field, type };
    step->number = index;
    return index;
}

/* A step for a value at `offset`; `field` NULL: in an element place. Returns its index. */
static uint32_t add_value(builder *b, const frugal_field *field, const frugal_type *type,
                          uint32_t offset, uint32_t scope, uint16_t depth)
{
    uint32_t index = new_step(b, field, type);
    if (b->out_of_memory)
        return 0;
    plan_step *step = step_at(b, index);
    step->op        = (uint8_t)op_of(type);
    step->wire      = plan_wire_type(type);
    step->flags     = flags_of(field, type);
    step->offset    = offset;
    step->scope     = scope;
    step->body      = PLAN_NONE;
    step->depth     = (uint8_t)(depth + (step->op >= PLAN_VECTOR));
    step->stride    = type->stride;
    if (field && field->has)
        step->has = offset + (field->has - field->offset);
    if (type->elem)
        step->tag = plan_wire_type(type->elem);
    if (type->key)
        step->key_tag = plan_wire_type(type->key);
    if (step->op == PLAN_VECTOR)
        step->shift = (uint8_t)__builtin_ctz(type->elem->size);
    if (field)
        set_head(step, field->id);
    step->code = PLAN_CODE(step->op, field ? place_of(field) : PLAN_ELEMENT);

    uint32_t body = PLAN_NONE;
    if (step->op == PLAN_LIST)
        body = routine_of_element(b, type->elem);
    else if (step->op == PLAN_MAP)
        body = routine_of_entry(b, type);
    else if (step->op == PLAN_RECORD)
        body = routine_of_struct(b, type->record);
    step_at(b, index)->body = body;
    return index;
}

static uint32_t add_plain(builder *b, plan_op op, uint32_t scope)
{
    uint32_t index = new_step(b, NULL, NULL);
    if (b->out_of_memory)
        return 0;
    plan_step *step = step_at(b, index);
    step->op        = (uint8_t)op;
    step->code      = PLAN_CODE(op, PLAN_ELEMENT);
    step->scope     = scope;
    step->body      = PLAN_NONE;
    return index;
}

/* ---- a struct's scope ----------------------------------------------------------------------- */

/* The fields in the order of their signed ids, the keeper left out. */
static const frugal_field **sorted_fields(builder *b, const frugal_struct *type, uint32_t *count)
{
    const frugal_field **fields = arena_zeroed(b, type->field_count, sizeof *fields);
    if (fields == NULL)
        return NULL;
    uint32_t n       = 0;
    bool     ordered = true;
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (type->fields[i].need == FRUGAL_NEED_UNKNOWN)
            continue;
        fields[n] = &type->fields[i];
        ordered   = ordered && (n == 0 || fields[n - 1]->id < fields[n]->id);
        n++;
    }
    *count = n;
    if (ordered)
        return fields;
    /* Ids are 16 bits wide and differ: a counting sort over all of them, no worst case. */
    const frugal_field **by_id = allocator_resize(b->allocator, NULL, 0, 65536 * sizeof *by_id);
    if (by_id == NULL) {
        b->out_of_memory = true;
        return NULL;
    }
    memset(by_id, 0, 65536 * sizeof *by_id);
    for (uint32_t i = 0; i < n; i++)
        by_id[fields[i]->id + 32768] = fields[i];
    n = 0;
    for (uint32_t i = 0; i < 65536; i++)
        if (by_id[i])
            fields[n++] = by_id[i];
    allocator_resize(b->allocator, by_id, 65536 * sizeof *by_id, 0);
    return fields;
}

/* A table from id to step, where ids are dense enough for one. */
static void index_ids(builder *b, uint32_t scope)
{
    plan_scope *s = scope_at(b, scope);
    if (s->count == 0)
        return;
    uint32_t span = (uint32_t)(s->ids[s->count - 1] - s->ids[0]) + 1;
    if (span > 256 + 4 * s->count)
        return;
    uint32_t *by_id = arena_zeroed(b, span, sizeof *by_id);
    if (by_id == NULL)
        return;
    for (uint32_t i = 0; i < span; i++)
        by_id[i] = s->step_of[s->count];
    for (uint32_t i = 0; i < s->count; i++)
        by_id[s->ids[i] - s->ids[0]] = s->step_of[i];
    s->low   = s->ids[0];
    s->span  = span;
    s->by_id = by_id;
}

/* The scope of `type` lying at `base`. `step_of` is left for the caller to fill. */
static uint32_t add_scope(builder *b, const frugal_struct *type, uint32_t base,
                          uint32_t parent_step, const frugal_field ***fields, uint32_t **step_of)
{
    uint32_t    index = (uint32_t)b->scopes.count;
    plan_scope *scope = vector_push(b, &b->scopes);
    if (scope == NULL)
        return 0;
    scope->type        = type;
    scope->base        = base;
    scope->parent_step = parent_step;
    scope->keeper      = PLAN_NONE;
    *fields            = sorted_fields(b, type, &scope->count);
    int16_t *ids       = arena_zeroed(b, scope->count, sizeof *ids);
    *step_of           = arena_zeroed(b, (size_t)scope->count + 1, sizeof **step_of);
    if (b->out_of_memory)
        return 0;
    for (uint32_t i = 0; i < scope->count; i++)
        ids[i] = (*fields)[i]->id;
    scope->ids                 = ids;
    scope->step_of             = *step_of;
    const frugal_field *keeper = schema_keeper(type);
    if (keeper)
        scope->keeper = base + keeper->offset;
    return index;
}

/* Whether the struct `type` must be initialised when it is entered: `around` is what the record
 * around it starts from at this place, NULL when nothing is known of it. */
static bool needs_init(builder *b, const frugal_struct *type, const uint8_t *around)
{
    if (around == NULL)
        return true;
    frugal_arena_mark mark = frugal_arena_get_mark(b->arena);
    uint8_t          *own  = arena_zeroed(b, type->size, 1);
    if (own == NULL)
        return true;
    schema_init(type, own);
    bool differs = memcmp(own, around, type->size) != 0;
    frugal_arena_rewind(b->arena, mark);
    return differs;
}

/* What a record of `type` starts from, and whether that is all zeroes. */
static const uint8_t *initial_record(builder *b, const frugal_struct *type, bool *zero)
{
    uint8_t *record = arena_zeroed(b, type->size, 1);
    *zero           = true;
    if (record == NULL)
        return NULL;
    schema_init(type, record);
    for (uint32_t i = 0; i < type->size; i++)
        *zero = *zero && record[i] == 0;
    return record;
}

typedef struct placement {
    uint32_t       first;   /* step of the routine */
    uint32_t       base;    /* of the struct in the routine's record */
    uint16_t       depth;   /* levels from routine entry to inside the struct */
    unsigned       nesting; /* flattened structs around it */
    uint32_t       parent_step;
    const uint8_t *around; /* what the routine's record starts from, at `base`; NULL: unknown */
} placement;

static void add_fields(builder *b, const frugal_struct *type, const placement *at);

/* Whether a place holds a struct by value that is worth flattening. */
static bool can_flatten(const builder *b, const frugal_type *type, const placement *at)
{
    return type->kind == FRUGAL_KIND_STRUCT && !type->indirect && !type->record->is_union
           && at->nesting < PLAN_FLATTEN_DEPTH
           && b->steps.count - at->first + type->record->field_count < PLAN_FLATTEN_STEPS;
}

static void mark_init(builder *b, uint32_t index, const frugal_type *type, const uint8_t *around)
{
    const plan_step *step = step_at(b, index);
    if (step->op == PLAN_RECORD && !(step->flags & PLAN_INDIRECT)
        && needs_init(b, type->record, around))
        step_at(b, index)->flags |= PLAN_INIT;
}

/* One field or element place, with the steps inside it when it is flattened. */
static uint32_t add_place(builder *b, const frugal_field *field, const frugal_type *type,
                          uint32_t offset, uint32_t scope, const placement *at)
{
    const uint8_t *around = at->around ? at->around + (offset - at->base) : NULL;
    uint32_t       index  = add_value(b, field, type, offset, scope, at->depth);
    if (b->out_of_memory)
        return 0;
    mark_init(b, index, type, around);
    if (!can_flatten(b, type, at))
        return index;
    plan_step *enter = step_at(b, index);
    enter->op        = PLAN_ENTER;
    enter->code      = PLAN_CODE(PLAN_ENTER, field ? PLAN_FIELD : PLAN_ELEMENT);
    bool zero;
    /* then it is its own initial value that lies around what is inside */
    if (enter->flags & PLAN_INIT)
        around = initial_record(b, type->record, &zero);
    if (b->out_of_memory)
        return 0;
    add_fields(b, type->record,
               &(placement){ .first       = at->first,
                             .base        = offset,
                             .depth       = (uint16_t)(at->depth + 1),
                             .nesting     = at->nesting + 1,
                             .parent_step = index,
                             .around      = around });
    return index;
}

/* How far back the loop may have been when it meets the header of a step: to the last required
 * field before it, that one included. */
static void set_reach(builder *b, const uint32_t *step_of, uint32_t count)
{
    uint32_t from = step_of[0];
    for (uint32_t i = 0; i <= count; i++) {
        plan_step *step = step_at(b, step_of[i]);
        step->reach     = (uint32_t)((step_of[i] - from) * sizeof *step);
        if (step->flags & PLAN_REQUIRED)
            from = i < count ? step_of[i + 1] : from;
    }
}

/* The fields of a struct in the order of their ids, KEEP and STOP. */
static void add_fields(builder *b, const frugal_struct *type, const placement *at)
{
    const frugal_field **fields  = NULL;
    uint32_t            *step_of = NULL;
    uint32_t             scope   = add_scope(b, type, at->base, at->parent_step, &fields, &step_of);
    if (b->out_of_memory)
        return;
    uint32_t count = scope_at(b, scope)->count;
    for (uint32_t i = 0; i < count && !b->out_of_memory; i++) {
        uint32_t index =
            add_place(b, fields[i], &fields[i]->type, at->base + fields[i]->offset, scope, at);
        if (b->out_of_memory)
            return;
        step_at(b, index)->index = i;
        step_of[i]               = index;
    }
    if (scope_at(b, scope)->keeper != PLAN_NONE) {
        uint32_t keep = add_plain(b, PLAN_KEEP, scope);
        if (b->out_of_memory)
            return;
        step_at(b, keep)->offset                      = scope_at(b, scope)->keeper;
        ((plan_origin *)b->origins.items)[keep].field = schema_keeper(type);
    }
    uint32_t stop = add_plain(b, PLAN_STOP, scope);
    if (b->out_of_memory)
        return;
    step_at(b, stop)->index = count;
    step_of[count]          = stop;
    set_reach(b, step_of, count);
    index_ids(b, scope);
}

/* ---- routines ------------------------------------------------------------------------------- */

static void build_struct(builder *b, const frugal_struct *type, uint32_t routine)
{
    bool           zero;
    const uint8_t *initial = initial_record(b, type, &zero);
    add_fields(b, type,
               &(placement){ .first       = (uint32_t)b->steps.count,
                             .parent_step = PLAN_NONE,
                             .around      = initial });
    plan_routine *r = routine_at(b, routine);
    r->initial      = zero ? NULL : initial;
    r->initialise   = true;
    r->depth        = 1;
    r->wire_min     = 1;
    r->stride       = type->size;
    r->align        = type->align;
}

static void build_union(builder *b, const frugal_struct *type, uint32_t routine)
{
    bool                 zero;
    const uint8_t       *initial = initial_record(b, type, &zero);
    const frugal_field **fields  = NULL;
    uint32_t            *step_of = NULL;
    uint32_t             scope   = add_scope(b, type, 0, PLAN_NONE, &fields, &step_of);
    uint32_t             step    = add_plain(b, PLAN_UNION, scope);
    if (b->out_of_memory)
        return;
    uint32_t  count = scope_at(b, scope)->count;
    uint32_t *arms  = arena_zeroed(b, count, sizeof *arms);
    for (uint32_t i = 0; i < count && !b->out_of_memory; i++)
        arms[i] = new_routine(
            b, &(source){ .kind = SOURCE_ARM, .field = fields[i], .scope = scope, .index = i });
    step_of[count]           = step;
    scope_at(b, scope)->arms = arms;
    step_at(b, step)->has    = type->which;
    step_at(b, step)->stride = type->size;
    step_at(b, step)->index  = count;
    plan_routine *r          = routine_at(b, routine);
    r->initial               = zero ? NULL : initial;
    r->initialise            = true;
    r->depth                 = 1;
    r->wire_min              = 1;
    r->stride                = type->size;
    r->align                 = type->align;
}

/* An arm is read and written as an element; its header is written and matched by the union. */
static void build_arm(builder *b, const source *from)
{
    const frugal_field *field = from->field;
    uint32_t            index = add_value(b, field, &field->type, field->offset, from->scope, 0);
    if (b->out_of_memory)
        return;
    mark_init(b, index, &field->type, NULL);
    plan_step *step = step_at(b, index);
    step->code      = PLAN_CODE(step->op, PLAN_ELEMENT);
    step->index     = from->index;
    /* step_of is the scope's own array, made with it and not yet shared. */
    plan_scope *scope                                    = scope_at(b, from->scope);
    ((uint32_t *)(uintptr_t)scope->step_of)[from->index] = index;
    if (from->index + 1 == scope->count)
        index_ids(b, from->scope);
}

static uint32_t least_wire(const frugal_type *type)
{
    return binary_least_size[plan_wire_type(type)];
}

static void build_element(builder *b, const frugal_type *type, uint32_t routine)
{
    placement at = { .first = (uint32_t)b->steps.count, .parent_step = PLAN_NONE };
    add_place(b, NULL, type, 0, PLAN_NONE, &at);
    plan_routine *r = routine_at(b, routine);
    r->stride       = type->size;
    r->align        = schema_align(type);
    r->wire_min     = least_wire(type);
}

static void build_entry(builder *b, const frugal_type *map, uint32_t routine)
{
    placement at    = { .first = (uint32_t)b->steps.count, .parent_step = PLAN_NONE };
    uint32_t  value = schema_value_offset(map);
    add_place(b, NULL, map->key, 0, PLAN_NONE, &at);
    add_place(b, NULL, map->elem, value, PLAN_NONE, &at);
    plan_routine *r  = routine_at(b, routine);
    uint32_t      ka = schema_align(map->key), va = schema_align(map->elem);
    r->stride       = map->stride;
    r->align        = ka > va ? ka : va;
    r->wire_min     = least_wire(map->key) + least_wire(map->elem);
    r->value_offset = value;
}

static void build_routine(builder *b, uint32_t routine)
{
    source   from  = ((source *)b->sources.items)[routine];
    uint32_t first = (uint32_t)b->steps.count;
    switch (from.kind) {
    case SOURCE_STRUCT: build_struct(b, from.record, routine); break;
    case SOURCE_UNION: build_union(b, from.record, routine); break;
    case SOURCE_ELEMENT: build_element(b, from.type, routine); break;
    case SOURCE_ENTRY: build_entry(b, from.type, routine); break;
    case SOURCE_ARM: build_arm(b, &from); break;
    }
    uint32_t end = add_plain(b, PLAN_END, PLAN_NONE);
    if (b->out_of_memory)
        return;
    plan_routine *r         = routine_at(b, routine);
    step_at(b, end)->stride = r->stride;
    r->first                = first;
    r->batch                = r->stride ? 16384 / r->stride + 1 : 1;
    r->count                = (uint32_t)b->steps.count - first;
    build_runs(b, routine);
}

/* ---- the whole ------------------------------------------------------------------------------ */

static void build_all(builder *b, const frugal_struct *type)
{
    routine_of_struct(b, type);
    for (uint32_t i = 0; i < b->routines.count && !b->out_of_memory; i++)
        build_routine(b, i);
    build_sizes(b);
}

static struct plan *finish(builder *b, const frugal_struct *type, frugal_protocol protocol,
                           plan_prepare *prepare)
{
    struct plan  *made    = arena_zeroed(b, 1, sizeof *made);
    plan_machine *machine = arena_zeroed(b, 1, sizeof *machine);
    if (made == NULL || machine == NULL)
        return NULL;
    *made = (struct plan){ .type          = type,
                           .protocol      = protocol,
                           .step_count    = (uint32_t)b->steps.count,
                           .scope_count   = (uint32_t)b->scopes.count,
                           .routine_count = (uint32_t)b->routines.count,
                           .size_count    = (uint32_t)b->sizes.count,
                           .run_count     = (uint32_t)b->runs.count,
                           .machine       = machine,
                           .arena         = b->arena };
    for (uint32_t i = 0; i < made->step_count; i++)
        made->mixes_views = made->mixes_views || (step_at(b, i)->flags & PLAN_NO_COPY);
    if (prepare)
        made->engine = prepare(b->steps.items, made->step_count);
    made->steps    = arena_copy(b, &b->steps);
    made->origins  = arena_copy(b, &b->origins);
    made->scopes   = arena_copy(b, &b->scopes);
    made->routines = arena_copy(b, &b->routines);
    made->sizes    = arena_copy(b, &b->sizes);
    made->runs     = arena_copy(b, &b->runs);
    return b->out_of_memory ? NULL : made;
}

frugal_status plan_build(const frugal_struct *type, frugal_protocol protocol, plan_prepare *prepare,
                         const frugal_allocator *allocator, const struct plan **built,
                         frugal_error *error)
{
    builder      b    = { .allocator = allocator_or_malloc(allocator),
                          .steps     = { .item_size = sizeof(plan_step) },
                          .origins   = { .item_size = sizeof(plan_origin) },
                          .scopes    = { .item_size = sizeof(plan_scope) },
                          .routines  = { .item_size = sizeof(plan_routine) },
                          .sizes     = { .item_size = sizeof(plan_size) },
                          .runs      = { .item_size = sizeof(plan_run) },
                          .sources   = { .item_size = sizeof(source) },
                          .memo      = { .item_size = sizeof(uint32_t) } };
    struct plan *made = NULL;
    b.arena = frugal_arena_new(&(frugal_arena_options){ .struct_size = sizeof(frugal_arena_options),
                                                        .allocator   = b.allocator });
    if (b.arena) {
        build_all(&b, type);
        made = b.out_of_memory ? NULL : finish(&b, type, protocol, prepare);
    }
    vector_release(&b, &b.steps);
    vector_release(&b, &b.origins);
    vector_release(&b, &b.scopes);
    vector_release(&b, &b.routines);
    vector_release(&b, &b.sizes);
    vector_release(&b, &b.runs);
    vector_release(&b, &b.sources);
    vector_release(&b, &b.memo);
    if (made == NULL) {
        frugal_arena_free(b.arena);
        return error_set(error, FRUGAL_NOMEM, "no memory for the plan of %s", type->name);
    }
    *built = made;
    return FRUGAL_OK;
}

void plan_free(const struct plan *plan)
{
    if (plan->machine->release)
        plan->machine->release(plan->machine, plan->arena->allocator);
    frugal_arena_free(plan->arena);
}
