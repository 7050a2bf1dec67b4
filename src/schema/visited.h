/* schema/visited.h - a set of addresses, for walks over tables that may refer to each other in
 * circles. What was added gets the next index from 0 and keeps it: the set is a queue as well. */
#ifndef SCHEMA_VISITED_H
#define SCHEMA_VISITED_H

#include <frugal/memory.h>

typedef struct visited_node {
    const void *address;
    uint32_t    note; /* the walk's own */
} visited_node;

typedef struct visited {
    const frugal_allocator *allocator; /* never NULL */
    visited_node           *nodes;
    uint32_t               *places; /* open addressing: index + 1 of the node, 0 = free */
    uint32_t                count;
    uint32_t                capacity; /* of nodes; there are twice as many places */
} visited;

#define VISITED_NONE UINT32_MAX

void visited_init(visited *set, const frugal_allocator *allocator);
void visited_release(visited *set);

/* The index of an address, or VISITED_NONE. */
uint32_t visited_find(const visited *set, const void *address);

/* Adds an address that is not in the set; VISITED_NONE when there is no memory. */
uint32_t visited_add(visited *set, const void *address, uint32_t note);

#endif /* SCHEMA_VISITED_H */
