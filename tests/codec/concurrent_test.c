/* codec/concurrent_test.c - many threads use one fresh table for the first time at once. Whoever
 * compiles it first, all see the same plan, and nothing is left over. Likewise for its machine
 * code: each unit is made once, and meanwhile others interpret, in a child of fork, too.
 *
 * labels: tsan */
#include "codec/codec_check.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "codec/machine.h"

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#    define FORKS_ALONE
#elif defined(__has_feature)
#    if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#        define FORKS_ALONE
#    endif
#endif

#define THREADS 8
#define ROUNDS  60

struct node {
    int32_t                        value;
    struct node                   *next;
    FRUGAL_MAP(frugal_str, double) map;
};
FRUGAL_STRUCT_LOCAL(node,
    FRUGAL_FIELD(node, value, 1, required),
    FRUGAL_FIELD(node, next, 2, optional, struct(node)),
    FRUGAL_FIELD(node, map, 3, map(string, double)));
struct holder {
    struct node              node;
    FRUGAL_LIST(struct node) list;
};
FRUGAL_STRUCT_LOCAL(holder,
    FRUGAL_FIELD(holder, node, 1, struct(node)),
    FRUGAL_FIELD(holder, list, 2, list(struct(node))));

#define NODE "08 0001 00000007  0d 0003 0b 04 00000001 00000001 61 3ff0000000000000  00"

typedef struct worker {
    pthread_t          thread;
    pthread_barrier_t *start;
    frugal_bytes       input;
    frugal_arena      *arena;
    unsigned           number;
    bool               touches; /* asks for all of it first */
    const char        *wrong;   /* NULL: all went well */
} worker;

static const char *encode_again(const struct holder *record, frugal_bytes input)
{
    frugal_buf  out;
    uint8_t     storage[256];
    size_t      size  = 0;
    const char *wrong = NULL;
    frugal_buf_init(&out, storage, sizeof storage, NULL);
    if (frugal_encode(FRUGAL_VIEW(holder, record), NULL, &out, NULL) != FRUGAL_OK)
        wrong = "encode";
    else if (out.size != input.len || memcmp(out.data, input.ptr, input.len) != 0)
        wrong = "bytes";
    else if (frugal_encoded_size(FRUGAL_VIEW(holder, record), NULL, &size, NULL) != FRUGAL_OK
             || size != input.len)
        wrong = "size";
    frugal_buf_release(&out);
    return wrong;
}

/* Half of the threads come by the inner table's own door. */
static void *work(void *argument)
{
    worker       *self = argument;
    struct holder record;
    struct node   node;
    frugal_bytes  inner = { self->input.ptr + 3, self->input.len - 3 };
    pthread_barrier_wait(self->start);
    if (self->touches && frugal_pretouch(FRUGAL_TYPE(holder), NULL, NULL) != FRUGAL_OK)
        self->wrong = "pretouch";
    else if (self->number % 2
             && frugal_decode(FRUGAL_REF(node, &node), inner, self->arena, NULL, NULL, NULL)
                    != FRUGAL_OK)
        self->wrong = "decode of a node";
    else if (frugal_decode(FRUGAL_REF(holder, &record), self->input, self->arena, NULL, NULL, NULL)
             != FRUGAL_OK)
        self->wrong = "decode";
    else
        self->wrong = encode_again(&record, self->input);
    return NULL;
}

/* `touching` of the threads call pretouch before. */
static void use_fresh_tables_at_once(frugal_bytes input, unsigned touching)
{
    worker            workers[THREADS];
    pthread_barrier_t start;
    assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i] =
            (worker){ .start = &start, .input = input, .number = i, .touches = i < touching };
        workers[i].arena = frugal_arena_new(NULL);
        assert_non_null(workers[i].arena);
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
        frugal_arena_free(workers[i].arena);
        if (workers[i].wrong)
            fail_msg("thread %u: %s", i, workers[i].wrong);
    }
    pthread_barrier_destroy(&start);
}

static void first_use_by_many_threads_at_once_is_one_use(void **state)
{
    frugal_bytes input = hex_bytes("0c 0001 " NODE "  0f 0002 0c 00000002 " NODE NODE " 00");
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        use_fresh_tables_at_once(input, 0);
        frugal_plan_drop(FRUGAL_TYPE(holder));
        frugal_plan_drop(FRUGAL_TYPE(node));
        assert_null(FRUGAL_TYPE(holder)->slot->plans);
    }
}

/* ---- machine code --------------------------------------------------------------------------- */

static const char holder_bytes[] = "0c 0001 " NODE "  0f 0002 0c 00000002 " NODE NODE " 00";

static plan_machine *machine_of(const frugal_struct *type)
{
    return plan_ready(type, FRUGAL_PROTOCOL_BINARY)->machine;
}

static unsigned count_made(const plan_machine *machine)
{
    unsigned made = 0;
    for (unsigned kind = 0; kind < PLAN_MACHINES; kind++) {
        bool there = machine->units[kind] != NULL;
        assert_int_equal(there, machine->states[kind] == MACHINE_MADE);
        assert_int_not_equal(machine->states[kind], MACHINE_MAKING);
        made += there;
    }
    return made;
}

static void drop_both(void)
{
    frugal_plan_drop(FRUGAL_TYPE(holder));
    frugal_plan_drop(FRUGAL_TYPE(node));
}

/* Counted by the library, and by what hangs on the plans: a unit that was made twice would be in
 * one count and not in the other. */
static void each_unit_is_made_once(void **state)
{
    frugal_bytes      input = hex_bytes(holder_bytes);
    frugal_jit_counts before, after;
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        frugal_jit_count(&before);
        use_fresh_tables_at_once(input, i % 2 ? 0 : THREADS);
        frugal_jit_count(&after);
        unsigned whole = count_made(machine_of(FRUGAL_TYPE(holder)));
        unsigned inner = count_made(machine_of(FRUGAL_TYPE(node)));
        assert_int_equal(after.units - before.units, whole + inner);
        if (jit_available() && after.units) {
            assert_int_equal(whole, 3);
            assert_int_equal(inner, 1);
        }
        drop_both();
    }
}

/* A unit that somebody is at for ever, as a child of fork may inherit it. */
static void whoever_comes_while_a_unit_is_made_interprets(void **state)
{
    frugal_bytes  input = hex_bytes(holder_bytes);
    struct holder record;
    (void)state;
    assert_int_equal(frugal_pretouch(FRUGAL_TYPE(holder),
                                     &(frugal_pretouch_options){ .interpreter_only = true }, NULL),
                     FRUGAL_OK);
    plan_machine *machine = machine_of(FRUGAL_TYPE(holder));
    memset(machine->states, MACHINE_MAKING, sizeof machine->states);
    assert_int_equal(decode_bytes(FRUGAL_REF(holder, &record), input, NULL), FRUGAL_OK);
    assert_null(encode_again(&record, input));
    assert_int_equal(frugal_pretouch(FRUGAL_TYPE(holder), NULL, NULL), FRUGAL_OK);
    for (unsigned kind = 0; kind < PLAN_MACHINES; kind++)
        assert_null(machine->units[kind]);
    drop_both();
}

/* The child's answer is its exit status. It has the code that was there, and makes its own. */
static bool child_can_do_all(frugal_bytes input)
{
    pid_t child = fork();
    if (child == 0) {
        struct holder record;
        struct node   inner;
        frugal_bytes  part  = { input.ptr + 3, input.len - 3 };
        frugal_arena *arena = frugal_arena_new(NULL);
        bool          good  = arena != NULL;
        good =
            good
            && frugal_decode(FRUGAL_REF(holder, &record), input, arena, NULL, NULL, NULL)
                   == FRUGAL_OK
            && encode_again(&record, input) == NULL
            && frugal_decode(FRUGAL_REF(node, &inner), part, arena, NULL, NULL, NULL) == FRUGAL_OK
            && frugal_pretouch(FRUGAL_TYPE(holder), NULL, NULL) == FRUGAL_OK;
        frugal_arena_free(arena);
        drop_both();
        _exit(good ? 0 : 1);
    }
    int status = -1;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)
           && WEXITSTATUS(status) == 0;
}

static void *drop_and_use(void *argument)
{
    worker *self = argument;
    for (int i = 0; i < ROUNDS && self->wrong == NULL; i++) {
        struct holder record;
        drop_both();
        if (frugal_pretouch(FRUGAL_TYPE(node), NULL, NULL) != FRUGAL_OK
            || frugal_decode(FRUGAL_REF(holder, &record), self->input, self->arena, NULL, NULL,
                             NULL)
                   != FRUGAL_OK)
            self->wrong = "decode";
        else
            self->wrong = encode_again(&record, self->input);
    }
    return NULL;
}

/* One thread makes code all the time while another forks: now and then in the middle. Allocators of
 * sanitizers may not be used in such a child; there only what is inherited whole is. */
static void a_child_of_fork_has_what_there_is_and_makes_the_rest(void **state)
{
    frugal_bytes input = hex_bytes(holder_bytes);
    worker       maker = { .input = input };
    (void)state;
    assert_true(child_can_do_all(input));
    assert_int_equal(frugal_pretouch(FRUGAL_TYPE(node), NULL, NULL), FRUGAL_OK);
    assert_true(child_can_do_all(input));
    drop_both();
#ifndef FORKS_ALONE
    maker.arena = frugal_arena_new(NULL);
    assert_non_null(maker.arena);
    assert_int_equal(pthread_create(&maker.thread, NULL, drop_and_use, &maker), 0);
    for (int i = 0; i < ROUNDS / 4; i++)
        assert_true(child_can_do_all(input));
    assert_int_equal(pthread_join(maker.thread, NULL), 0);
    frugal_arena_free(maker.arena);
    if (maker.wrong)
        fail_msg("%s", maker.wrong);
    drop_both();
#else
    (void)maker;
    (void)drop_and_use;
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_use_by_many_threads_at_once_is_one_use),
        cmocka_unit_test(each_unit_is_made_once),
        cmocka_unit_test(whoever_comes_while_a_unit_is_made_interprets),
        cmocka_unit_test(a_child_of_fork_has_what_there_is_and_makes_the_rest),
    };
    return cmocka_run_group_tests_name("codec: concurrent", tests, check_set_up, check_tear_down);
}
