/* plan/slot.c - where plans are kept: in the table itself.
 *
 * A slot is the head of a list that only grows (until it is dropped). A thread that finds no plan
 * compiles one without any lock and puts it in front; when another was faster, its own is freed
 * again. So nothing is locked over a fork, and no thread waits for another. What other rooms keep
 * here (guest.h) comes behind the first plan. */
#include "core/allocator.h"
#include "core/status.h"
#include "plan/guest.h"

const char plan_instance;

typedef struct owned_cell {
    plan_cell           cell;  /* first: what the list links */
    const frugal_arena *arena; /* of the plan, once more: for leak checkers, who look for the
                                  start of a block and find only its middle in `plan` */
    const frugal_allocator *allocator;
} owned_cell;

/* A copy of a table shares the slot of the first: each finds its own plan in it. */
static const plan_cell *find_cell(const plan_cell *from, frugal_protocol protocol,
                                  const frugal_struct *type)
{
    while (from
           && (from->instance != &plan_instance || from->protocol != protocol
               || from->plan->type != type))
        from = __atomic_load_n(&from->next, __ATOMIC_ACQUIRE); /* guests come in between */
    return from;
}

static void free_cell(plan_cell *cell)
{
    owned_cell             *owned     = (owned_cell *)cell;
    const frugal_allocator *allocator = owned->allocator;
    plan_free(cell->plan);
    allocator_resize(allocator, owned, sizeof *owned, 0);
}

/* Puts `mine` in front, unless somebody else did so for the same protocol: then theirs. */
static const plan_cell *publish(frugal_slot *slot, plan_cell *mine)
{
    void *head = __atomic_load_n(&slot->plans, __ATOMIC_ACQUIRE);
    do {
        const plan_cell *theirs = find_cell(head, mine->protocol, mine->plan->type);
        if (theirs)
            return theirs;
        mine->next = head;
    } while (!__atomic_compare_exchange_n(&slot->plans, &head, mine, false, __ATOMIC_ACQ_REL,
                                          __ATOMIC_ACQUIRE));
    return mine;
}

static frugal_status compile(const frugal_struct *type, frugal_protocol protocol,
                             plan_prepare *prepare, const frugal_allocator *allocator,
                             const struct plan **found, frugal_error *error)
{
    const struct plan *built  = NULL;
    frugal_status      status = plan_build(type, protocol, prepare, allocator, &built, error);
    if (status != FRUGAL_OK)
        return status;
    owned_cell *mine = allocator_resize(allocator, NULL, 0, sizeof *mine);
    if (mine == NULL) {
        plan_free(built);
        return error_set(error, FRUGAL_NOMEM, "no memory for the plan of %s", type->name);
    }
    *mine = (owned_cell){ { &plan_instance, NULL, protocol, built }, built->arena, allocator };

    const plan_cell *kept = publish(type->slot, &mine->cell);
    if (kept != &mine->cell)
        free_cell(&mine->cell);
    *found = kept->plan;
    return FRUGAL_OK;
}

frugal_status plan_get_slow(const frugal_struct *type, frugal_protocol protocol,
                            plan_prepare *prepare, const frugal_allocator *allocator,
                            const struct plan **found, frugal_error *error)
{
    if (type == NULL)
        return error_set(error, FRUGAL_INVALID, "no type");
    if (protocol != FRUGAL_PROTOCOL_BINARY)
        return error_set(error, FRUGAL_INVALID, "unknown protocol %d", (int)protocol);
    if (type->abi == FRUGAL_TABLE_ABI && type->slot) {
        const plan_cell *cell =
            find_cell(__atomic_load_n(&type->slot->plans, __ATOMIC_ACQUIRE), protocol, type);
        if (cell) {
            *found = cell->plan;
            return FRUGAL_OK;
        }
    }
    allocator            = allocator_or_malloc(allocator);
    frugal_status status = schema_check(type, allocator, error);
    return status == FRUGAL_OK ? compile(type, protocol, prepare, allocator, found, error) : status;
}

void plan_drop(const frugal_struct *type)
{
    if (type == NULL || type->slot == NULL)
        return;
    /* Cells of other copies of the library are put back: they are not ours to free. */
    plan_cell *cell   = __atomic_exchange_n(&type->slot->plans, NULL, __ATOMIC_ACQ_REL);
    plan_cell *others = NULL;
    while (cell) {
        plan_cell *next = cell->next;
        if (cell->instance == &plan_instance) {
            free_cell(cell);
        } else if (cell->instance == &plan_guest_instance) {
            plan_guest *guest = (plan_guest *)(void *)cell;
            guest->free(guest);
        } else {
            cell->next = others;
            others     = cell;
        }
        cell = next;
    }
    __atomic_store_n(&type->slot->plans, others, __ATOMIC_RELEASE);
}
