/* codec/pretouch_test.c - compiling ahead of time, dropping, describing; tables that contradict
 * themselves. */
#include "codec/codec_check.h"

#include "support/probe.h"

struct leaf {
    int32_t x;
};
FRUGAL_STRUCT_LOCAL(leaf, FRUGAL_FIELD(leaf, x, 1, required));
struct tree {
    struct leaf                leaf;
    FRUGAL_LIST(struct tree *) children;
    frugal_str                 name;
};
FRUGAL_STRUCT_LOCAL(tree,
    FRUGAL_FIELD(tree, leaf, 1, struct(leaf)),
    FRUGAL_FIELD(tree, children, 2, optional, list(struct(tree))),
    FRUGAL_FIELD(tree, name, 3));

/* A description that contradicts itself, behind one that does not. */
static const frugal_field twice_fields[] = {
    { .name = "a", .id = 1, .type = { .kind = FRUGAL_KIND_I32, .size = 4 } },
    { .name = "b", .id = 1, .offset = 4, .type = { .kind = FRUGAL_KIND_I32, .size = 4 } },
};
static frugal_slot         twice_slot;
static const frugal_struct twice = { .abi         = FRUGAL_TABLE_ABI,
                                     .field_count = 2,
                                     .name        = "twice",
                                     .fields      = twice_fields,
                                     .size        = 8,
                                     .align       = 4,
                                     .slot        = &twice_slot };

static void pretouch_compiles_once(void **state)
{
    probe                   allocator;
    frugal_pretouch_options options = { .struct_size = sizeof options };
    (void)state;
    probe_init(&allocator);
    options.allocator = &allocator.allocator;
    assert_int_equal(frugal_pretouch(FRUGAL_TYPE(tree), &options, &check.error), FRUGAL_OK);
    size_t calls = allocator.calls;
    assert_true(calls > 0 && allocator.live > 0);
    assert_int_equal(frugal_pretouch(FRUGAL_TYPE(tree), &options, NULL), FRUGAL_OK);
    assert_int_equal(allocator.calls, calls);
    frugal_plan_drop(FRUGAL_TYPE(tree));
    assert_int_equal(allocator.live, 0);
}

static void a_plan_is_used_and_compiled_again_after_a_drop(void **state)
{
    probe                   allocator;
    frugal_pretouch_options options = { 0 };
    struct tree             it;
    (void)state;
    probe_init(&allocator);
    options.allocator = &allocator.allocator;
    assert_int_equal(frugal_pretouch(FRUGAL_TYPE(tree), &options, NULL), FRUGAL_OK);
    size_t calls = allocator.calls;
    assert_decodes(FRUGAL_REF(tree, &it), "0c 0001 08 0001 00000001 00 00");
    assert_int_equal(allocator.calls, calls);
    frugal_plan_drop(FRUGAL_TYPE(tree));
    assert_decodes(FRUGAL_REF(tree, &it), "0c 0001 08 0001 00000002 00 00");
    assert_int_equal(it.leaf.x, 2);
    assert_int_equal(allocator.calls, calls);
    frugal_plan_drop(FRUGAL_TYPE(tree));
    frugal_plan_drop(FRUGAL_TYPE(tree));
    frugal_plan_drop(NULL);
}

static void a_table_that_others_reach_has_a_plan_of_its_own(void **state)
{
    struct leaf it;
    struct tree other;
    (void)state;
    assert_int_equal(frugal_pretouch(FRUGAL_TYPE(tree), NULL, NULL), FRUGAL_OK);
    assert_decodes(FRUGAL_REF(leaf, &it), "08 0001 00000007 00");
    frugal_plan_drop(FRUGAL_TYPE(leaf));
    assert_decodes(FRUGAL_REF(tree, &other), "0c 0001 08 0001 00000001 00 00");
    frugal_plan_drop(FRUGAL_TYPE(tree));
    assert_decodes(FRUGAL_REF(leaf, &it), "08 0001 00000007 00");
    frugal_plan_drop(FRUGAL_TYPE(leaf));
}

static void a_contradiction_is_found_by_pretouch_and_by_first_use(void **state)
{
    int32_t     it[2];
    size_t      size;
    uint8_t     out[64];
    frugal_view value = { &twice, it };
    (void)state;
    assert_int_equal(frugal_pretouch(&twice, NULL, &check.error), FRUGAL_DESCRIPTOR);
    assert_non_null(strstr(check.error.path, "twice"));
    assert_true(check.error.message[0] != '\0');
    assert_int_equal(decode_hex((frugal_ref){ &twice, it }, "00", NULL), FRUGAL_DESCRIPTOR);
    assert_int_equal(frugal_encoded_size(value, NULL, &size, NULL), FRUGAL_DESCRIPTOR);
    assert_int_equal(frugal_encode_to(value, NULL, out, sizeof out, &size, NULL),
                     FRUGAL_DESCRIPTOR);
}

static void a_table_of_another_abi_is_refused_and_not_read(void **state)
{
    frugal_slot   slot   = { NULL };
    frugal_struct future = { .abi = 99, .name = "future", .slot = &slot };
    (void)state;
    assert_int_equal(frugal_pretouch(&future, NULL, &check.error), FRUGAL_DESCRIPTOR);
    assert_null(slot.plans);
}

static void wrong_arguments_are_refused(void **state)
{
    frugal_pretouch_options odd = { .protocol = (frugal_protocol)5 }, sized = { .struct_size = 1 };
    (void)state;
    assert_int_equal(frugal_pretouch(NULL, NULL, &check.error), FRUGAL_INVALID);
    assert_int_equal(check.error.status, FRUGAL_INVALID);
    assert_int_equal(frugal_pretouch(FRUGAL_TYPE(leaf), &odd, NULL), FRUGAL_INVALID);
    assert_int_equal(frugal_pretouch(FRUGAL_TYPE(leaf), &sized, NULL), FRUGAL_INVALID);
    assert_int_equal(frugal_describe_plan(FRUGAL_TYPE(leaf), NULL, NULL, NULL), FRUGAL_INVALID);
}

static void pretouch_all_stops_at_the_first_failure(void **state)
{
    const frugal_struct *good[] = { FRUGAL_TYPE(leaf), FRUGAL_TYPE(tree) };
    const frugal_struct *bad[]  = { FRUGAL_TYPE(leaf), &twice, FRUGAL_TYPE(tree) };
    (void)state;
    assert_int_equal(frugal_pretouch_all(good, 2, NULL, NULL), FRUGAL_OK);
    frugal_plan_drop(FRUGAL_TYPE(tree));
    assert_int_equal(frugal_pretouch_all(bad, 3, NULL, &check.error), FRUGAL_DESCRIPTOR);
    assert_null(FRUGAL_TYPE(tree)->slot->plans);
    assert_int_equal(frugal_pretouch_all(NULL, 0, NULL, NULL), FRUGAL_OK);
    frugal_plan_drop(FRUGAL_TYPE(leaf));
}

static void a_plan_can_be_read(void **state)
{
    frugal_buf text;
    (void)state;
    frugal_buf_init(&text, NULL, 0, NULL);
    assert_int_equal(frugal_buf_append(&text, "> ", 2), FRUGAL_OK);
    assert_int_equal(frugal_describe_plan(FRUGAL_TYPE(tree), NULL, &text, NULL), FRUGAL_OK);
    assert_int_equal(frugal_buf_append(&text, "", 1), FRUGAL_OK);
    assert_memory_equal(text.data, "> ", 2);
    assert_non_null(strstr((const char *)text.data, "children"));
    assert_non_null(strstr((const char *)text.data, "name"));
    frugal_buf_release(&text);
}

static void a_plan_without_room_for_its_text_leaves_the_text_alone(void **state)
{
    frugal_buf text;
    uint8_t    storage[30];
    (void)state;
    frugal_buf_init_fixed(&text, storage, sizeof storage);
    assert_int_equal(frugal_buf_append(&text, "> ", 2), FRUGAL_OK);
    assert_int_equal(frugal_describe_plan(FRUGAL_TYPE(tree), NULL, &text, &check.error),
                     FRUGAL_NOSPACE);
    assert_int_equal(text.size, 2);
    frugal_plan_drop(FRUGAL_TYPE(tree));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pretouch_compiles_once),
        cmocka_unit_test(a_plan_is_used_and_compiled_again_after_a_drop),
        cmocka_unit_test(a_table_that_others_reach_has_a_plan_of_its_own),
        cmocka_unit_test(a_contradiction_is_found_by_pretouch_and_by_first_use),
        cmocka_unit_test(a_table_of_another_abi_is_refused_and_not_read),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(pretouch_all_stops_at_the_first_failure),
        cmocka_unit_test(a_plan_can_be_read),
        cmocka_unit_test(a_plan_without_room_for_its_text_leaves_the_text_alone),
    };
    return cmocka_run_group_tests_name("codec: pretouch", tests, check_set_up, check_tear_down);
}
