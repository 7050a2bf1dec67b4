/* plan/guest.c - publishing a guest. */
#include "plan/guest.h"

const char plan_guest_instance;

/* Behind the first cell when that is a plan: plan_get looks at the first one only. Two threads with
 * the same kind of guest may both succeed, when a plan comes between them. Then one is never found
 * again, which wastes memory until the drop and nothing else. */
const plan_guest *plan_guest_publish(plan_guest *mine)
{
    frugal_slot *slot = mine->type->slot;
    mine->instance    = &plan_guest_instance;
    for (;;) {
        const plan_guest *theirs = plan_guest_find(mine->type, mine->free);
        if (theirs) {
            mine->free(mine);
            return theirs;
        }
        plan_cell *head = __atomic_load_n(&slot->plans, __ATOMIC_ACQUIRE);
        if (head && head->instance == &plan_instance) {
            plan_cell *next = __atomic_load_n(&head->next, __ATOMIC_ACQUIRE);
            mine->next      = next;
            if (__atomic_compare_exchange_n(&head->next, &next, (plan_cell *)(void *)mine, false,
                                            __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
                return mine;
        } else {
            void *first = head;
            mine->next  = head;
            if (__atomic_compare_exchange_n(&slot->plans, &first, mine, false, __ATOMIC_ACQ_REL,
                                            __ATOMIC_ACQUIRE))
                return mine;
        }
    }
}
