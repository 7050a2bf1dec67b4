/* idl/order.c - a depth-first walk whose stack is in an arena.
 *
 * All that a definition needs is pushed at once, so that its edges are told once; what was pushed
 * twice is passed over the second time. So the walk is linear in edges. */
#include "idl/order.h"

#include <string.h>

#include "idl/table.h"

static void push(idl_order *order, idl_definition *definition)
{
    if (order->count == order->capacity) {
        size_t           capacity = order->capacity ? order->capacity * 2 : 64;
        idl_definition **stack    = frugal_arena_items(order->scratch, capacity, sizeof *stack);
        if (stack == NULL) {
            idl_no_memory(order->load);
            return;
        }
        if (order->count)
            memcpy(stack, order->stack, order->count * sizeof *stack);
        order->stack    = stack;
        order->capacity = capacity;
    }
    order->stack[order->count++] = definition;
}

bool idl_order_edge(idl_order *order, idl_definition *to)
{
    if (to->mark == 0)
        push(order, to);
    return to->mark != 1;
}

void idl_order_from(idl_order *order, idl_definition *start)
{
    if (start->mark == 0)
        push(order, start);
    while (order->count && !order->load->stopped) {
        idl_definition *top = order->stack[order->count - 1];
        if (top->mark == 0) {
            top->mark = 1;
            order->enter(order, top);
            continue;
        }
        order->count--;
        if (top->mark == 1) {
            top->mark = 2;
            if (order->leave)
                order->leave(order, top);
        }
    }
}

void idl_order_end(idl_load *load)
{
    for (const idl_file *file = load->files; file; file = file->next)
        for (idl_definition *d = file->definitions; d; d = d->next)
            d->mark = 0;
}
