/* codec/concurrent_test.c - many threads use one fresh table for the first time at once. Whoever
 * compiles it first, all see the same plan, and nothing is left over.
 *
 * labels: tsan */
#include "codec/codec_check.h"

#include <pthread.h>

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
    const char        *wrong; /* NULL: all went well */
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
    if (self->number % 2
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

static void use_fresh_tables_at_once(frugal_bytes input)
{
    worker            workers[THREADS];
    pthread_barrier_t start;
    assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i]       = (worker){ .start = &start, .input = input, .number = i };
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
        use_fresh_tables_at_once(input);
        frugal_plan_drop(FRUGAL_TYPE(holder));
        frugal_plan_drop(FRUGAL_TYPE(node));
        assert_null(FRUGAL_TYPE(holder)->slot->plans);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_use_by_many_threads_at_once_is_one_use),
    };
    return cmocka_run_group_tests_name("codec: concurrent", tests, check_set_up, check_tear_down);
}
