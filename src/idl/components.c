/* idl/components.c - which structs can lie inside which: cycles, and an order to lay them out in.
 *
 * C needs a whole type for a member and for the entry of a map, and only a declared one for the
 * element of a list, which is behind a pointer. A typedef of a container stands before everything
 * that uses it. These needs are the edges; strongly connected components (Tarjan 1972, with its own
 * stack) are the cycles, and come out in an order where the needed ones are first. */
#include "idl/lower.h"

#include <string.h>

#include "idl/table.h"

typedef struct graph {
    lowering *l;
    uint32_t *first; /* [count + 1]: where the edges of a node begin */
    uint32_t *edges;
    uint32_t  node;     /* whose edges are being told */
    bool      counting; /* first: how many has each; then: which */
} graph;

static void edge(graph *g, const idl_definition *to)
{
    if (to->number == 0)
        return;
    if (g->counting)
        g->first[g->node + 1]++;
    else
        g->edges[g->first[g->node]++] = to->number - 1;
}

/* `in_entry`: it is the key or value of a map. Calls nest as types do. */
static void type_edges(graph *g, const idl_type *type, bool in_entry)
{
    const idl_type *stripped = idl_strip(type);
    if (stripped->kind == IDL_TYPE_BASE)
        return;
    if (stripped->kind == IDL_TYPE_NAME) {
        if (in_entry)
            edge(g, stripped->definition);
    } else if (stripped != type)
        edge(g, type->definition->root);
    else {
        if (type->key)
            type_edges(g, type->key, true);
        type_edges(g, type->elem, type->kind == IDL_TYPE_MAP);
    }
}

static void field_edges(graph *g, const idl_definition *record)
{
    for (const idl_field *field = record->fields; field; field = field->next) {
        const idl_definition *inside = lower_record_of(field->type);
        if (inside == NULL)
            type_edges(g, field->type, false);
        else if (field->need != FRUGAL_NEED_OPTIONAL || record->kind == IDL_UNION)
            edge(g, inside);
    }
}

static void all_edges(graph *g)
{
    lowering *l = g->l;
    for (g->node = 0; g->node < l->count; g->node++) {
        const idl_definition *d = l->nodes[g->node];
        if (d->kind == IDL_TYPEDEF)
            type_edges(g, d->type, false);
        else
            field_edges(g, d);
    }
}

static bool make_edges(graph *g)
{
    lowering *l = g->l;
    g->first    = frugal_arena_items(l->scratch, (size_t)l->count + 1, sizeof *g->first);
    if (g->first == NULL)
        return false;
    g->counting = true;
    all_edges(g);
    for (uint32_t i = 0; i < l->count; i++)
        g->first[i + 1] += g->first[i];
    g->edges = frugal_arena_items(l->scratch, (size_t)g->first[l->count] + 1, sizeof *g->edges);
    if (g->edges == NULL)
        return false;
    g->counting = false;
    all_edges(g); /* moves each `first` to the next one's */
    memmove(g->first + 1, g->first, (size_t)l->count * sizeof *g->first);
    g->first[0] = 0;
    return true;
}

/* ---- components ----------------------------------------------------------------------------- */

typedef struct tarjan {
    graph     g;
    uint32_t *index; /* when it was seen, from 1 */
    uint32_t *low;
    uint32_t *next;  /* the next edge to follow */
    uint32_t *calls; /* what would be the stack of calls */
    uint32_t *open;  /* nodes whose component is not closed */
    uint32_t  call_count, open_count, seen, closed, ordered;
} tarjan;

static void see(tarjan *t, uint32_t node)
{
    t->index[node] = t->low[node] = ++t->seen;
    t->next[node]                 = t->g.first[node];
    t->calls[t->call_count++]     = node;
    t->open[t->open_count++]      = node;
}

static void close_component(tarjan *t, uint32_t root)
{
    lowering *l = t->g.l;
    uint32_t  node;
    t->closed++;
    do {
        node                   = t->open[--t->open_count];
        l->components[node]    = t->closed;
        l->order[t->ordered++] = node;
    } while (node != root);
}

static void lower_low(tarjan *t, uint32_t node, uint32_t low)
{
    if (low < t->low[node])
        t->low[node] = low;
}

static void follow_all(tarjan *t, uint32_t start)
{
    see(t, start);
    while (t->call_count) {
        uint32_t node = t->calls[t->call_count - 1];
        if (t->next[node] < t->g.first[node + 1]) {
            uint32_t to = t->g.edges[t->next[node]++];
            if (t->index[to] == 0)
                see(t, to);
            else if (t->g.l->components[to] == 0)
                lower_low(t, node, t->index[to]);
            continue;
        }
        if (t->low[node] == t->index[node])
            close_component(t, node);
        if (--t->call_count)
            lower_low(t, t->calls[t->call_count - 1], t->low[node]);
    }
}

static uint32_t *numbers(lowering *l)
{
    return frugal_arena_items(l->scratch, (size_t)l->count + 1, sizeof(uint32_t));
}

void lower_components(lowering *l)
{
    tarjan t      = { .g = { .l = l } };
    l->components = numbers(l);
    l->order      = numbers(l);
    t.index       = numbers(l);
    t.low         = numbers(l);
    t.next        = numbers(l);
    t.calls       = numbers(l);
    t.open        = numbers(l);
    if (!l->components || !l->order || !t.index || !t.low || !t.next || !t.calls || !t.open
        || !make_edges(&t.g)) {
        idl_no_memory(l->load);
        return;
    }
    for (uint32_t i = 0; i < l->count; i++)
        if (t.index[i] == 0)
            follow_all(&t, i);
}
