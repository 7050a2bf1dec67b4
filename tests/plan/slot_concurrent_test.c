/* tests/plan/slot_concurrent_test.c - the first use of a table by several threads at once.
 *
 * cmocka's assertions are for one thread: the others count what is wrong, and main looks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>

#include <frugal/frugal.h>

#include "codec/codec.h"
#include "plan/plan.h"

enum { THREADS = 8, ROUNDS = 200 };

struct leaf {
    frugal_str         name;
    FRUGAL_OPT(double) weight;
};
FRUGAL_STRUCT(leaf, FRUGAL_FIELD(leaf, name, 1, required), FRUGAL_FIELD(leaf, weight, 2, optional));

struct tree {
    struct leaf              leaf;
    FRUGAL_LIST(struct leaf) leaves;
    FRUGAL_LIST(struct tree) trees;
};
FRUGAL_STRUCT(tree,
    FRUGAL_FIELD(tree, leaf,   1, struct(leaf)),
    FRUGAL_FIELD(tree, leaves, 2, list(struct(leaf))),
    FRUGAL_FIELD(tree, trees,  3, optional, list(struct(tree))));

/* malloc that counts; many threads may use it at once. */
static size_t live;

static void *count_resize(void *context, void *ptr, size_t old_size, size_t size)
{
    (void)context;
    void *fresh = NULL;
    if (size) {
        fresh = realloc(ptr, size);
        if (fresh == NULL)
            return NULL;
    } else {
        free(ptr);
    }
    __atomic_fetch_add(&live, size - old_size, __ATOMIC_RELAXED);
    return fresh;
}
static const frugal_allocator counting = { count_resize, NULL };

typedef struct job {
    pthread_barrier_t *begin;
    unsigned           number;
    const struct plan *plan; /* what this thread was given */
    unsigned           faults;
} job;

/* Each thread comes through another door. */
static bool use_table(unsigned door)
{
    static const uint8_t    wire[]  = { 12, 0,  1, 11, 0,  1, 0, 0, 0, 1, 'x',
                                        0,  15, 0, 2,  12, 0, 0, 0, 0, 0 };
    frugal_pretouch_options options = { .allocator = &counting };
    struct tree             tree;
    struct tree             value = { .leaf = { .name = FRUGAL_STR("x") } };
    unsigned char           memory[1024];
    uint8_t                 out[64];
    size_t                  size = 0;
    frugal_arena           *arena;
    switch (door % 4) {
    case 0: return frugal_pretouch(FRUGAL_TYPE(tree), &options, NULL) == FRUGAL_OK;
    case 1:
        arena = frugal_arena_init(memory, sizeof memory, NULL);
        return frugal_decode(FRUGAL_REF(tree, &tree), (frugal_bytes){ wire, sizeof wire }, arena,
                             NULL, NULL, NULL)
                   == FRUGAL_OK
               && tree.leaf.name.len == 1 && *tree.leaf.name.ptr == 'x';
    case 2:
        return frugal_encode_to(FRUGAL_VIEW(tree, &value), NULL, out, sizeof out, &size, NULL)
                   == FRUGAL_OK
               && size == sizeof wire && memcmp(out, wire, size) == 0;
    default:
        return frugal_encoded_size(FRUGAL_VIEW(tree, &value), NULL, &size, NULL) == FRUGAL_OK
               && size == sizeof wire;
    }
}

static void *run(void *argument)
{
    job *mine = argument;
    pthread_barrier_wait(mine->begin);
    for (unsigned i = 0; i < 8; i++)
        mine->faults += !use_table(mine->number + i);
    mine->faults +=
        plan_get(FRUGAL_TYPE(tree), FRUGAL_PROTOCOL_BINARY, codec_prepare, &mine->plan, NULL)
        != FRUGAL_OK;
    return NULL;
}

/* All threads at once; then what each was given is the one plan in the slot. */
static void run_round(void)
{
    pthread_barrier_t begin;
    pthread_t         threads[THREADS];
    job               jobs[THREADS];
    assert_int_equal(pthread_barrier_init(&begin, NULL, THREADS), 0);
    for (unsigned i = 0; i < THREADS; i++) {
        jobs[i] = (job){ &begin, i, NULL, 0 };
        assert_int_equal(pthread_create(&threads[i], NULL, run, &jobs[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    pthread_barrier_destroy(&begin);

    const plan_cell *cell = FRUGAL_TYPE(tree)->slot->plans;
    assert_non_null(cell);
    for (unsigned i = 0; i < THREADS; i++) {
        assert_int_equal(jobs[i].faults, 0);
        assert_ptr_equal(jobs[i].plan, cell->plan);
    }
}

static void all_threads_get_the_one_plan_that_is_kept(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        run_round();
        assert_null(((const plan_cell *)FRUGAL_TYPE(tree)->slot->plans)->next);
        frugal_plan_drop(FRUGAL_TYPE(tree));
        assert_null(FRUGAL_TYPE(tree)->slot->plans);
        assert_int_equal(live, 0); /* also what was compiled in vain */
    }
}

static void plans_of_another_copy_do_not_disturb(void **state)
{
    (void)state;
    static const char other_instance;
    plan_cell         theirs = { .instance = &other_instance };
    for (int round = 0; round < ROUNDS / 4; round++) {
        FRUGAL_TYPE(tree)->slot->plans = &theirs;
        run_round();
        assert_ptr_equal(((const plan_cell *)FRUGAL_TYPE(tree)->slot->plans)->next, &theirs);
        frugal_plan_drop(FRUGAL_TYPE(tree));
        assert_ptr_equal(FRUGAL_TYPE(tree)->slot->plans, &theirs);
        FRUGAL_TYPE(tree)->slot->plans = NULL;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_threads_get_the_one_plan_that_is_kept),
        cmocka_unit_test(plans_of_another_copy_do_not_disturb),
    };
    return cmocka_run_group_tests_name("plan: slot, concurrent", tests, NULL, NULL);
}
