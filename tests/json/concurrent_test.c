/* json/concurrent_test.c - the first use of a table by many threads at once, as JSON and as bytes:
 * one form and one plan for all, and encoding keeps finding its plan first. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <frugal/frugal.h>

#include "plan/plan.h"

struct inner {
    int32_t x;
};
FRUGAL_STRUCT_LOCAL(inner, FRUGAL_FIELD(inner, x, 1));
struct outer {
    frugal_str                name;
    FRUGAL_LIST(struct inner) list;
};
FRUGAL_STRUCT_LOCAL(outer, FRUGAL_FIELD(outer, name, 1),
                    FRUGAL_FIELD(outer, list, 2, list(struct(inner))));

enum { THREADS = 4, ROUNDS = 200 };

static const char text[] = "{\"name\":\"n\",\"list\":[{\"x\":1},{\"x\":2}]}";

static pthread_barrier_t start;

static bool use_json(frugal_arena *arena)
{
    struct outer it;
    frugal_buf   out;
    frugal_str   all = { text, sizeof text - 1 };
    frugal_buf_init(&out, NULL, 0, NULL);
    bool ok = frugal_json_read(FRUGAL_REF(outer, &it), all, arena, NULL, NULL, NULL) == FRUGAL_OK
              && frugal_json_write(FRUGAL_VIEW(outer, &it), NULL, &out, NULL) == FRUGAL_OK
              && out.size == all.len && memcmp(out.data, text, all.len) == 0;
    frugal_buf_release(&out);
    return ok;
}

static bool use_bytes(void)
{
    struct outer it = { .name = { "n", 1 } };
    uint8_t      bytes[64];
    return frugal_encode_to(FRUGAL_VIEW(outer, &it), NULL, bytes, sizeof bytes, NULL, NULL)
           == FRUGAL_OK;
}

static void *run(void *argument)
{
    bool          json  = (uintptr_t)argument % 2 == 0;
    bool          ok    = true;
    frugal_arena *arena = frugal_arena_new(NULL);
    for (int i = 0; i < ROUNDS && arena; i++) {
        pthread_barrier_wait(&start);
        for (int k = 0; k < 3; k++) {
            ok = ok && (json ? use_json(arena) : use_bytes());
            ok = ok && (json ? use_bytes() : use_json(arena));
        }
        pthread_barrier_wait(&start); /* nobody uses the table while it is dropped */
    }
    frugal_arena_free(arena);
    return ok && arena ? argument : NULL;
}

static void many_threads_may_begin_at_once(void **state)
{
    pthread_t threads[THREADS];
    (void)state;
    assert_int_equal(pthread_barrier_init(&start, NULL, THREADS + 1), 0);
    for (uintptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run, (void *)(i + 2)), 0);
    for (int i = 0; i < ROUNDS; i++) {
        pthread_barrier_wait(&start);
        pthread_barrier_wait(&start);
        const plan_cell *first = FRUGAL_TYPE(outer)->slot->plans;
        assert_true(first && first->instance == &plan_instance);
        frugal_plan_drop(FRUGAL_TYPE(outer));
        assert_null(FRUGAL_TYPE(outer)->slot->plans);
    }
    for (size_t i = 0; i < THREADS; i++) {
        void *result;
        assert_int_equal(pthread_join(threads[i], &result), 0);
        assert_non_null(result);
    }
    pthread_barrier_destroy(&start);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_threads_may_begin_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
