/* plan/guest.h - what other rooms make from a table, kept in its slot beside the plans.
 *
 * It has a plan's life: made on first use without any lock, published once, immutable, freed by
 * frugal_plan_drop. Who makes it embeds a plan_guest as the first member of it. */
#ifndef PLAN_GUEST_H
#define PLAN_GUEST_H

#include "plan/plan.h"

typedef struct plan_guest plan_guest;

/* Frees the guest. Its address also tells what kind of guest it is. */
typedef void plan_guest_free(plan_guest *guest);

/* The first two members are those of a plan_cell. */
struct plan_guest {
    const void          *instance;
    plan_cell           *next;
    const frugal_struct *type; /* it was made from this table; a copy of that shares the slot */
    plan_guest_free     *free;
};
extern const char plan_guest_instance;

/* The guest of this kind in the table's slot, or NULL. Takes any table, also NULL. */
static inline const plan_guest *plan_guest_find(const frugal_struct *type, plan_guest_free *kind)
{
    if (UNLIKELY(type == NULL || type->abi != FRUGAL_TABLE_ABI || type->slot == NULL))
        return NULL;
    const plan_cell *cell = __atomic_load_n(&type->slot->plans, __ATOMIC_ACQUIRE);
    for (; cell; cell = __atomic_load_n(&cell->next, __ATOMIC_ACQUIRE)) {
        const plan_guest *guest = (const plan_guest *)(const void *)cell;
        if (guest->instance == &plan_guest_instance && guest->free == kind && guest->type == type)
            return guest;
    }
    return NULL;
}

/* Puts `mine`, of which type and free are set, into the slot of its table. When another thread was
 * faster, `mine` is freed. Returns the one that counts. */
const plan_guest *plan_guest_publish(plan_guest *mine);

#endif /* PLAN_GUEST_H */
