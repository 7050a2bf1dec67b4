#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "schema/sample.h"
#include "schema/schema.h"

struct server {
    frugal_str host;
    int32_t    port;
};
static const struct server server_initial = { { "localhost", 9 }, 80 };
FRUGAL_STRUCT_WITH(server, &server_initial, FRUGAL_FIELD(server, host, 1),
                   FRUGAL_FIELD(server, port, 2));

struct inner {
    int32_t       before;
    struct server server;
};
FRUGAL_STRUCT(inner, FRUGAL_FIELD(inner, before, 1),
              FRUGAL_FIELD(inner, server, 2, struct(server)));

struct pick {
    int32_t which;
    union {
        struct server server;
        int64_t       number;
    };
};
FRUGAL_UNION(pick, which, FRUGAL_ARM(pick, server, 1, struct(server)), FRUGAL_ARM(pick, number, 2));

struct outer {
    int32_t                    number;
    struct inner               inner;
    struct server             *far;
    struct server             *maybe;
    struct pick                pick;
    FRUGAL_LIST(struct server) list;
};
FRUGAL_STRUCT(outer, FRUGAL_FIELD(outer, number, 1), FRUGAL_FIELD(outer, inner, 2, struct(inner)),
              FRUGAL_FIELD(outer, far, 3, struct(server)),
              FRUGAL_FIELD(outer, maybe, 4, optional, struct(server)),
              FRUGAL_FIELD(outer, pick, 5, struct(pick)),
              FRUGAL_FIELD(outer, list, 6, list(struct(server))));

struct whole {
    struct server server;
    int32_t       n;
};
static const struct whole whole_initial = { { { "other", 5 }, 1 }, 2 };
FRUGAL_STRUCT_WITH(whole, &whole_initial, FRUGAL_FIELD(whole, server, 1, struct(server)),
                   FRUGAL_FIELD(whole, n, 2));

static void init_zeroes_a_record_without_defaults(void **state)
{
    struct user user, zero;
    (void)state;
    memset(&user, 0xFF, sizeof user);
    memset(&zero, 0, sizeof zero);
    frugal_init(FRUGAL_REF(user, &user));
    assert_memory_equal(&user, &zero, sizeof user);
}

static void init_copies_the_defaults_of_the_table(void **state)
{
    struct server server;
    (void)state;
    memset(&server, 0xFF, sizeof server);
    frugal_init(FRUGAL_REF(server, &server));
    assert_memory_equal(&server, &server_initial, sizeof server);
}

static void init_gives_structs_inside_by_value_their_defaults(void **state)
{
    struct outer outer;
    (void)state;
    memset(&outer, 0xFF, sizeof outer);
    schema_init(FRUGAL_TYPE(outer), &outer);
    assert_int_equal(outer.number, 0);
    assert_int_equal(outer.inner.before, 0);
    assert_int_equal(outer.inner.server.port, 80);
    assert_ptr_equal(outer.inner.server.host.ptr, server_initial.host.ptr);
}

static void init_leaves_pointers_null_lists_empty_and_unions_without_an_arm(void **state)
{
    struct outer outer;
    struct pick  none;
    (void)state;
    memset(&outer, 0xFF, sizeof outer);
    memset(&none, 0, sizeof none);
    frugal_init(FRUGAL_REF(outer, &outer));
    assert_null(outer.far);
    assert_null(outer.maybe);
    assert_null(outer.list.ptr);
    assert_int_equal(outer.list.len, 0);
    assert_memory_equal(&outer.pick, &none, sizeof none);
}

static void init_prefers_the_outer_defaults_to_those_inside(void **state)
{
    struct whole whole;
    (void)state;
    frugal_init(FRUGAL_REF(whole, &whole));
    assert_int_equal(whole.server.port, 1);
    assert_int_equal(whole.n, 2);
}

static void init_of_null_is_nothing_to_do(void **state)
{
    struct server server = { { NULL, 0 }, 5 };
    (void)state;
    frugal_init((frugal_ref){ NULL, &server });
    frugal_init((frugal_ref){ FRUGAL_TYPE(server), NULL });
    assert_int_equal(server.port, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(init_zeroes_a_record_without_defaults),
        cmocka_unit_test(init_copies_the_defaults_of_the_table),
        cmocka_unit_test(init_gives_structs_inside_by_value_their_defaults),
        cmocka_unit_test(init_leaves_pointers_null_lists_empty_and_unions_without_an_arm),
        cmocka_unit_test(init_prefers_the_outer_defaults_to_those_inside),
        cmocka_unit_test(init_of_null_is_nothing_to_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
