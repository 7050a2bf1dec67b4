/* schema/visited.c - a set of addresses in the order of their arrival. */
#include "schema/visited.h"

#include <assert.h>
#include <string.h>

#include "core/allocator.h"
#include "core/bytes.h"

#define CAPACITY_MIN 32u
#define CAPACITY_MAX (1u << 28)

void visited_init(visited *set, const frugal_allocator *allocator)
{
    memset(set, 0, sizeof *set);
    set->allocator = allocator;
}

void visited_release(visited *set)
{
    size_t capacity = set->capacity;
    if (set->nodes)
        allocator_resize(set->allocator, set->nodes, capacity * sizeof *set->nodes, 0);
    if (set->places)
        allocator_resize(set->allocator, set->places, 2 * capacity * sizeof *set->places, 0);
    visited_init(set, set->allocator);
}

/* Addresses are multiples of eight or so and close to each other: the product spreads them, and its
 * upper half depends on all their bits. */
static uint32_t first_place(const visited *set, const void *address)
{
    uint64_t product = (uint64_t)(uintptr_t)address * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(product >> 32) & (2 * set->capacity - 1);
}

/* The place that holds the address, or the free one where it belongs. At least half are free. */
static uint32_t *find_place(const visited *set, const void *address)
{
    uint32_t mask  = 2 * set->capacity - 1;
    uint32_t place = first_place(set, address);
    while (set->places[place] && set->nodes[set->places[place] - 1].address != address)
        place = (place + 1) & mask;
    return &set->places[place];
}

uint32_t visited_find(const visited *set, const void *address)
{
    if (set->count == 0)
        return VISITED_NONE;
    uint32_t place = *find_place(set, address);
    return place ? place - 1 : VISITED_NONE;
}

static bool grow(visited *set)
{
    size_t old      = set->capacity;
    size_t capacity = old ? old * 2 : CAPACITY_MIN;
    if (capacity > CAPACITY_MAX)
        return false;
    uint32_t *places = allocator_resize(set->allocator, NULL, 0, 2 * capacity * sizeof *places);
    if (places == NULL)
        return false;
    visited_node *nodes =
        allocator_resize(set->allocator, set->nodes, old * sizeof *nodes, capacity * sizeof *nodes);
    if (nodes == NULL) {
        allocator_resize(set->allocator, places, 2 * capacity * sizeof *places, 0);
        return false;
    }
    if (set->places)
        allocator_resize(set->allocator, set->places, 2 * old * sizeof *places, 0);
    memset(places, 0, 2 * capacity * sizeof *places);
    set->nodes    = nodes;
    set->places   = places;
    set->capacity = (uint32_t)capacity;
    for (uint32_t i = 0; i < set->count; i++)
        *find_place(set, nodes[i].address) = i + 1;
    return true;
}

uint32_t visited_add(visited *set, const void *address, uint32_t note)
{
    if (set->count == set->capacity && !grow(set))
        return VISITED_NONE;
    uint32_t *place = find_place(set, address);
    assert(*place == 0);
    set->nodes[set->count] = (visited_node){ address, note };
    *place                 = ++set->count;
    return set->count - 1;
}
