/* idl/order.h - definitions that need each other, the needed ones first, without recursion.
 *
 * A walk goes from a definition along the edges that `enter` tells with idl_order_edge, and calls
 * `leave` for a definition after all it needs. It uses the mark of the definitions: 0 not seen, 1
 * on the way from the start to where we are, 2 left. */
#ifndef IDL_ORDER_H
#define IDL_ORDER_H

#include "idl/idl.h"

typedef struct idl_order idl_order;
struct idl_order {
    idl_load     *load;
    frugal_arena *scratch;
    void (*enter)(idl_order *order, idl_definition *definition);
    void (*leave)(idl_order *order, idl_definition *definition); /* may be NULL */
    void            *context;
    idl_definition **stack;
    size_t           count, capacity;
};

void idl_order_from(idl_order *order, idl_definition *start);

/* From inside `enter`. False: `to` is needed by itself. */
bool idl_order_edge(idl_order *order, idl_definition *to);

/* All marks 0 again. */
void idl_order_end(idl_load *load);

/* All definitions of all files, as one loop. */
#define IDL_EACH(load, d)                                                        \
    for (const idl_file *d##_file = (load)->files; d##_file && !(load)->stopped; \
         d##_file                 = d##_file->next)                              \
        for (idl_definition *d = d##_file->definitions; d && !(load)->stopped; d = d->next)

#endif /* IDL_ORDER_H */
