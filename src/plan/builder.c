/* plan/builder.c - the memory of building, and the numbers of routines.
 *
 * Types are recursive, so nothing recurses into them: a routine that is needed gets its number at
 * once and is built later, from the list of sources. The memo knows which struct or node has one
 * already. */
#include "plan/builder.h"

#include "core/allocator.h"

/* ---- memory --------------------------------------------------------------------------------- */

void *vector_push(builder *b, vector *v)
{
    if (v->count == v->capacity) {
        size_t capacity = v->capacity ? v->capacity * 2 : 32;
        void  *items    = b->out_of_memory
                              ? NULL
                              : allocator_resize(b->allocator, v->items, v->capacity * v->item_size,
                                                 capacity * v->item_size);
        if (items == NULL) {
            b->out_of_memory = true;
            return NULL;
        }
        v->items    = items;
        v->capacity = capacity;
    }
    void *item = (uint8_t *)v->items + v->count++ * v->item_size;
    memset(item, 0, v->item_size);
    return item;
}

void vector_release(builder *b, vector *v)
{
    if (v->items)
        allocator_resize(b->allocator, v->items, v->capacity * v->item_size, 0);
}

void *arena_zeroed(builder *b, size_t count, size_t size)
{
    void *items = b->out_of_memory ? NULL : frugal_arena_items(b->arena, count ? count : 1, size);
    if (items == NULL)
        b->out_of_memory = true;
    return items;
}

const void *arena_copy(builder *b, const vector *v)
{
    void *items = arena_zeroed(b, v->count, v->item_size);
    if (items && v->count)
        memcpy(items, v->items, v->count * v->item_size);
    return items;
}

/* ---- which routine -------------------------------------------------------------------------- */

uint32_t new_routine(builder *b, const source *from)
{
    uint32_t      index   = (uint32_t)b->routines.count;
    plan_routine *routine = vector_push(b, &b->routines);
    source       *kept    = vector_push(b, &b->sources);
    if (routine == NULL || kept == NULL)
        return 0;
    *kept         = *from;
    routine->type = from->kind == SOURCE_STRUCT || from->kind == SOURCE_UNION ? from->record : NULL;
    return index;
}

/* What a routine is shared by: the struct, or the node of the type in whose element place it
 * stands. */
static const void *key_of(const source *from)
{
    return from->record ? (const void *)from->record : (const void *)from->type;
}

/* A map as an element of a list and its entries are of one node, and two routines. */
static bool is_same(const source *a, const source *b)
{
    return a->kind == b->kind && key_of(a) == key_of(b);
}

static size_t memo_slot(const builder *b, const source *from)
{
    size_t        mask    = b->memo.capacity - 1;
    uint32_t     *memo    = b->memo.items;
    const source *sources = b->sources.items;
    uint64_t      hash    = ((uintptr_t)key_of(from) >> 3) * UINT64_C(0x9e3779b97f4a7c15);
    size_t        slot    = (size_t)(hash >> 20) & mask;
    while (memo[slot] && !is_same(&sources[memo[slot] - 1], from))
        slot = (slot + 1) & mask;
    return slot;
}

static bool grow_memo(builder *b)
{
    vector old      = b->memo;
    size_t capacity = old.capacity ? old.capacity * 2 : 64;
    void  *items    = allocator_resize(b->allocator, NULL, 0, capacity * old.item_size);
    if (items == NULL) {
        b->out_of_memory = true;
        return false;
    }
    memset(items, 0, capacity * old.item_size);
    b->memo.items    = items;
    b->memo.capacity = capacity;
    for (size_t i = 0; i < old.capacity; i++) {
        uint32_t routine = ((uint32_t *)old.items)[i];
        if (routine)
            ((uint32_t *)items)[memo_slot(b, (source *)b->sources.items + routine - 1)] = routine;
    }
    vector_release(b, &old);
    return true;
}

/* One routine for each struct and each node: types are recursive through all of them. */
static uint32_t shared_routine(builder *b, const source *from)
{
    if ((b->memo.count + 1) * 2 > b->memo.capacity && !grow_memo(b))
        return 0;
    size_t slot = memo_slot(b, from);
    if (((uint32_t *)b->memo.items)[slot] == 0) {
        uint32_t routine = new_routine(b, from);
        if (b->out_of_memory)
            return 0;
        ((uint32_t *)b->memo.items)[slot] = routine + 1;
        b->memo.count++;
    }
    return ((uint32_t *)b->memo.items)[slot] - 1;
}

uint32_t routine_of_struct(builder *b, const frugal_struct *type)
{
    return shared_routine(
        b, &(source){ .kind = type->is_union ? SOURCE_UNION : SOURCE_STRUCT, .record = type });
}

uint32_t routine_of_element(builder *b, const frugal_type *type)
{
    if (type->kind == FRUGAL_KIND_STRUCT && !type->indirect)
        return routine_of_struct(b, type->record);
    return shared_routine(b, &(source){ .kind = SOURCE_ELEMENT, .type = type });
}

uint32_t routine_of_entry(builder *b, const frugal_type *map)
{
    return shared_routine(b, &(source){ .kind = SOURCE_ENTRY, .type = map });
}
