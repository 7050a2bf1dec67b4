/* tests/schema/check_walk_test.c - the walk of the check: through containers, circles, lattices and
 * long chains, and with no memory left. */
#include "schema/spoilt.h"

/* ---- containers ----------------------------------------------------------------------------- */

static void check_refuses_a_list_without_element_type(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(friends).type.elem = NULL;
    assert_spoilt(&made, "user.friends", "list<?> has no element type");
}

static void check_refuses_a_map_without_key_type(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(places).type.key = NULL;
    assert_spoilt(&made, "user.places", "map<?, point> has no key type");
}

static void check_refuses_a_map_without_value_type(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(places).type.elem = NULL;
    assert_spoilt(&made, "user.places", "map<string, ?> has no element type");
}

static void check_refuses_a_key_type_of_a_list(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(friends).type.key = FIELD(friends).type.elem;
    assert_spoilt(&made, "user.friends", "list<i64> has a key type");
}

static void check_refuses_an_element_type_of_a_scalar(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(id).type.elem = FIELD(friends).type.elem;
    assert_spoilt(&made, "user.id", "i64 has an element type");
}

static void check_refuses_a_stride_that_is_not_the_elements_size(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(friends).type.stride = 4;
    assert_spoilt(&made, "user.friends",
                  "list<i64>: one element has 8 bytes in C, but the stride is 4");
    FIELD(friends).type.stride = 16; /* numbers are copied as one block */
    assert_spoilt(&made, "user.friends",
                  "list<i64>: one element has 8 bytes in C, but the stride is 16");
}

static void check_refuses_a_stride_that_is_not_a_pairs_size(void **state)
{
    (void)state;
    frugal_type key   = { .kind = FRUGAL_KIND_I8, .size = 1 };
    frugal_type value = { .kind = FRUGAL_KIND_I32, .size = 4 };
    SPOIL(user);
    FIELD(places).type.key    = &key;
    FIELD(places).type.elem   = &value;
    FIELD(places).type.stride = 5; /* the value is aligned */
    assert_spoilt(&made, "user.places",
                  "map<i8, i32>: one entry has 8 bytes in C, but the stride is 5");
    FIELD(places).type.stride = 8;
    assert_spoilt_good(&made);
    FIELD(places).type.key  = &value; /* and so is the next key */
    FIELD(places).type.elem = &key;
    assert_spoilt_good(&made);
    FIELD(places).type.stride = 5;
    assert_spoilt(&made, "user.places",
                  "map<i32, i8>: one entry has 8 bytes in C, but the stride is 5");
}

static void check_refuses_entries_above_the_largest_size(void **state)
{
    (void)state;
    frugal_slot   slot = { NULL };
    frugal_struct huge = {
        .abi = FRUGAL_TABLE_ABI, .name = "huge", .size = SCHEMA_SIZE_MAX, .align = 1, .slot = &slot
    };
    frugal_type node = { .kind = FRUGAL_KIND_STRUCT, .size = SCHEMA_SIZE_MAX, .record = &huge };
    SPOIL(user);
    FIELD(places).type.key    = &node;
    FIELD(places).type.elem   = &node;
    FIELD(places).type.stride = 0x80000000u;
    assert_spoilt(&made, "user.places",
                  "map<huge, huge>: one entry has more than 1073741824 bytes");
}

static void check_looks_inside_containers(void **state)
{
    (void)state;
    frugal_type bad  = { .kind = FRUGAL_KIND_I32, .size = 8 };
    frugal_type list = {
        .kind = FRUGAL_KIND_LIST, .size = sizeof(frugal_str), .stride = 8, .elem = &bad
    };
    SPOIL(user);
    FIELD(friends).type.elem   = &list;
    FIELD(friends).type.stride = list.size;
    assert_spoilt(&made, "user.friends", "i32 has 4 bytes in C, not 8");
}

static void check_looks_at_map_keys(void **state)
{
    (void)state;
    frugal_type bad = { .kind = 99 };
    SPOIL(user);
    FIELD(places).type.key = &bad;
    assert_spoilt(&made, "user.places", "kind 99 does not exist");
}

static void check_accepts_any_type_as_a_key(void **state)
{
    (void)state;
    SPOIL(user);
    frugal_type key           = FIELD(places).type; /* a map whose keys are maps */
    FIELD(places).type.key    = &key;
    FIELD(places).type.stride = sizeof(frugal_str) + sizeof(struct point);
    assert_spoilt_good(&made);
}

static void check_refuses_a_container_that_contains_itself(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(friends).type.elem   = &FIELD(friends).type;
    FIELD(friends).type.stride = sizeof(frugal_str);
    assert_spoilt(&made, "user.friends", "a container contains itself");

    frugal_type ring[3];
    for (int i = 0; i < 3; i++)
        ring[i] = (frugal_type){ .kind   = FRUGAL_KIND_SET,
                                 .size   = sizeof(frugal_str),
                                 .stride = sizeof(frugal_str),
                                 .elem   = &ring[(i + 1) % 3] };
    FIELD(friends).type.elem = &ring[0];
    assert_spoilt(&made, "user.friends", "a container contains itself");
}

/* `count` lists, each the element of the one before, in caller's memory; the last holds i64. */
static void nest(frugal_type *lists, uint32_t count)
{
    static const frugal_type leaf = { .kind = FRUGAL_KIND_I64, .size = 8 };
    for (uint32_t i = 0; i < count; i++)
        lists[i] = (frugal_type){ .kind   = FRUGAL_KIND_LIST,
                                  .size   = sizeof(frugal_str),
                                  .stride = i + 1 < count ? sizeof(frugal_str) : 8,
                                  .elem   = i + 1 < count ? &lists[i + 1] : &leaf };
}

static void check_accepts_64_containers_inside_each_other_and_no_more(void **state)
{
    (void)state;
    frugal_type lists[1000];
    SPOIL(user);
    nest(lists, 64);
    FIELD(friends).type = lists[0];
    assert_spoilt_good(&made);
    nest(lists, 65);
    FIELD(friends).type = lists[0];
    assert_spoilt(&made, "user.friends", "more than 64 containers inside each other");
    nest(lists, 1000);
    FIELD(friends).type = lists[0];
    assert_spoilt(&made, "user.friends", "more than 64 containers inside each other");
}

static void check_counts_nesting_through_a_node_that_it_knows(void **state)
{
    (void)state;
    frugal_type lists[64], outer;
    SPOIL(user);
    nest(lists, 64);
    nest(&outer, 1);
    outer.elem              = &lists[0];
    outer.stride            = sizeof(frugal_str);
    FIELD(friends).type     = lists[0]; /* a copy, whose element is visited with a height of 63 */
    FIELD(places).type      = outer;
    FIELD(places).type.elem = &lists[0];
    assert_spoilt(&made, "user.places", "more than 64 containers inside each other");
}

static void check_does_not_hang_on_a_lattice(void **state)
{
    (void)state;
    frugal_type maps[60]; /* 2^60 ways through them */
    nest(maps, 60);
    for (int i = 0; i < 59; i++) {
        maps[i].kind   = FRUGAL_KIND_MAP;
        maps[i].key    = maps[i].elem;
        maps[i].stride = 2 * sizeof(frugal_str);
    }
    SPOIL(user);
    FIELD(friends).type = maps[0];
    assert_spoilt_good(&made);
}

/* ---- tables that refer to each other --------------------------------------------------------- */

static void check_reaches_tables_through_pointers_and_containers(void **state)
{
    (void)state;
    copy inner         = spoilt(&frugal_struct_point);
    inner.table.fields = inner.fields;
    inner.table.slot   = &inner.slot;
    inner.fields[1].id = 1;
    {
        SPOIL(user);
        FIELD(away).type.record = &inner.table;
        assert_spoilt(&made, "point.y", "id 1 is taken by x");
    }
    {
        SPOIL(user);
        frugal_type elem        = *FIELD(places).type.elem;
        elem.record             = &inner.table;
        FIELD(places).type.elem = &elem;
        assert_spoilt(&made, "point.y", "id 1 is taken by x");
        FIELD(places).type.key    = &elem;
        FIELD(places).type.stride = 16;
        FIELD(places).type.elem   = frugal_field_by_id(&frugal_struct_user, -7)->type.elem;
        assert_spoilt(&made, "point.y", "id 1 is taken by x");
    }
}

static void check_refuses_a_struct_that_contains_itself_by_value(void **state)
{
    (void)state;
    frugal_slot   slots[2] = { { NULL } };
    frugal_struct a, b;
    frugal_field  in_a = { .name = "b",
                           .id   = 1,
                           .type = { .kind = FRUGAL_KIND_STRUCT, .size = 8, .record = &b } };
    frugal_field  in_b = { .name = "a",
                           .id   = 1,
                           .type = { .kind = FRUGAL_KIND_STRUCT, .size = 8, .record = &a } };
    a                  = (frugal_struct){ .abi         = FRUGAL_TABLE_ABI,
                                          .field_count = 1,
                                          .name        = "a",
                                          .fields      = &in_a,
                                          .size        = 8,
                                          .align       = 8,
                                          .slot        = &slots[0] };
    b                  = (frugal_struct){ .abi         = FRUGAL_TABLE_ABI,
                                          .field_count = 1,
                                          .name        = "b",
                                          .fields      = &in_b,
                                          .size        = 8,
                                          .align       = 8,
                                          .slot        = &slots[1] };
    assert_fault(&a, "b.a", "struct a contains itself by value");
    in_a.type.record = &a;
    assert_fault(&a, "a.b", "struct a contains itself by value");
}

#define CHAIN_MAX 300
typedef struct chain {
    frugal_struct tables[CHAIN_MAX];
    frugal_field  fields[CHAIN_MAX];
    frugal_slot   slots[CHAIN_MAX];
} chain;

/* `count` structs, each in the one before it, by value or by pointer. */
static void make_chain(chain *c, uint32_t count, bool indirect)
{
    memset(c, 0, sizeof *c);
    for (uint32_t i = 0; i < count; i++) {
        c->fields[i] = (frugal_field){ .name = "next",
                                       .id   = 1,
                                       .need = FRUGAL_NEED_DEFAULT,
                                       .type = { .kind     = FRUGAL_KIND_STRUCT,
                                                 .indirect = indirect,
                                                 .size     = 8,
                                                 .record   = &c->tables[i + 1] } };
        c->tables[i] = (frugal_struct){ .abi         = FRUGAL_TABLE_ABI,
                                        .field_count = i + 1 < count,
                                        .name        = "link",
                                        .fields      = &c->fields[i],
                                        .size        = 8,
                                        .align       = 8,
                                        .slot        = &c->slots[i] };
    }
}

static void check_accepts_64_structs_by_value_inside_each_other_and_no_more(void **state)
{
    (void)state;
    chain *c = test_malloc(sizeof *c);
    make_chain(c, 64, false);
    assert_good(&c->tables[0]);
    make_chain(c, 65, false);
    assert_fault(&c->tables[0], "link.next", "more than 64 structs by value inside each other");
    make_chain(c, CHAIN_MAX, false);
    assert_fault(&c->tables[0], "link.next", "more than 64 structs by value inside each other");
    test_free(c);
}

static void check_counts_structs_by_value_from_the_outermost(void **state)
{
    (void)state;
    /* The root reaches the inner end of the chain first, through a pointer, and measures it alone.
     */
    chain *c = test_malloc(sizeof *c);
    make_chain(c, 65, false);
    SPOIL(user);
    FIELD(away).type.record = &c->tables[2];
    FIELD(boss).type.record = &c->tables[0];
    assert_spoilt(&made, "link.next", "more than 64 structs by value inside each other");
    test_free(c);
}

static void check_follows_pointers_without_bound(void **state)
{
    (void)state;
    chain *c = test_malloc(sizeof *c);
    make_chain(c, CHAIN_MAX, true);
    assert_good(&c->tables[0]);
    c->tables[CHAIN_MAX - 1].align = 3;
    assert_fault(&c->tables[0], "link", "its alignment 3 is not a power of two up to 4096");
    test_free(c);
}

static void check_takes_65536_fields(void **state)
{
    (void)state;
    enum { COUNT = 65536 };
    frugal_field *fields = test_calloc(COUNT, sizeof *fields);
    char(*names)[16]     = test_calloc(COUNT, sizeof *names);
    for (int i = 0; i < COUNT; i++) {
        snprintf(names[i], sizeof names[i], "f%d", i);
        fields[i] = (frugal_field){ .name   = names[i],
                                    .id     = (int16_t)(i - 32768),
                                    .offset = 4u * (uint32_t)i,
                                    .type   = { .kind = FRUGAL_KIND_I32, .size = 4 } };
    }
    frugal_slot   slot  = { NULL };
    frugal_struct table = { .abi         = FRUGAL_TABLE_ABI,
                            .field_count = COUNT,
                            .name        = "wide",
                            .fields      = fields,
                            .size        = 4 * COUNT,
                            .align       = 4,
                            .slot        = &slot };
    assert_good(&table);
    fields[COUNT - 1].id = 7;
    assert_fault(&table, "wide.f65535", "id 7 is taken by f32775");
    test_free(fields);
    test_free(names);
}

/* ---- scarcity ------------------------------------------------------------------------------- */

static void check_survives_every_failed_allocation(void **state)
{
    (void)state;
    chain *c = test_malloc(sizeof *c);
    make_chain(c, CHAIN_MAX, true); /* so that sets and scratch grow */
    SPOIL(user);
    made.table.fields       = made.fields;
    made.table.slot         = &made.slot;
    FIELD(boss).type.record = &c->tables[0];
    int failed              = 0;
    for (int nth = 1;; nth++) {
        counter          count     = { .fail_at = nth };
        frugal_allocator allocator = { resize_counted, &count };
        frugal_error     error     = { 0 };
        frugal_status    status    = schema_check(&made.table, &allocator, &error);
        assert_int_equal(count.bytes, 0);
        if (status == FRUGAL_OK)
            break;
        assert_int_equal(status, FRUGAL_NOMEM);
        assert_int_equal(error.status, FRUGAL_NOMEM);
        failed++;
    }
    assert_in_range(failed, 8, 100);
    test_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_refuses_a_list_without_element_type),
        cmocka_unit_test(check_refuses_a_map_without_key_type),
        cmocka_unit_test(check_refuses_a_map_without_value_type),
        cmocka_unit_test(check_refuses_a_key_type_of_a_list),
        cmocka_unit_test(check_refuses_an_element_type_of_a_scalar),
        cmocka_unit_test(check_refuses_a_stride_that_is_not_the_elements_size),
        cmocka_unit_test(check_refuses_a_stride_that_is_not_a_pairs_size),
        cmocka_unit_test(check_refuses_entries_above_the_largest_size),
        cmocka_unit_test(check_looks_inside_containers),
        cmocka_unit_test(check_looks_at_map_keys),
        cmocka_unit_test(check_accepts_any_type_as_a_key),
        cmocka_unit_test(check_refuses_a_container_that_contains_itself),
        cmocka_unit_test(check_accepts_64_containers_inside_each_other_and_no_more),
        cmocka_unit_test(check_counts_nesting_through_a_node_that_it_knows),
        cmocka_unit_test(check_does_not_hang_on_a_lattice),
        cmocka_unit_test(check_reaches_tables_through_pointers_and_containers),
        cmocka_unit_test(check_refuses_a_struct_that_contains_itself_by_value),
        cmocka_unit_test(check_accepts_64_structs_by_value_inside_each_other_and_no_more),
        cmocka_unit_test(check_counts_structs_by_value_from_the_outermost),
        cmocka_unit_test(check_follows_pointers_without_bound),
        cmocka_unit_test(check_takes_65536_fields),
        cmocka_unit_test(check_survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
