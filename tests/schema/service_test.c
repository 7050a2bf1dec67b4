/* schema/service_test.c - services written by macros, and methods looked up in them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <frugal/frugal.h>

#include "support/probe.h"

struct ping_args {
    int8_t unused;
};
FRUGAL_STRUCT_EMPTY(ping_args);
struct ping_result {
    int8_t unused;
};
FRUGAL_STRUCT_EMPTY(ping_result);
struct add_args {
    int32_t a, b;
};
FRUGAL_STRUCT(add_args,
    FRUGAL_FIELD(add_args, a, 1), FRUGAL_FIELD(add_args, b, 2));
struct add_result {
    FRUGAL_OPT(int32_t) success;
};
FRUGAL_STRUCT(add_result, FRUGAL_FIELD(add_result, success, 0, optional));

FRUGAL_SERVICE(base, FRUGAL_METHOD(ping, ping_args, ping_result), FRUGAL_ONEWAY(forget, ping_args));

FRUGAL_DECLARE_SERVICE(calc);
FRUGAL_SERVICE_EXTENDS(calc, base, FRUGAL_METHOD(add, add_args, add_result),
                       FRUGAL_METHOD_AS("add.wire", add_args, add_result),
                       FRUGAL_ONEWAY_AS("", ping_args));

static const frugal_method *find(const frugal_service *service, const char *name)
{
    return frugal_service_method(service, (frugal_str){ name, strlen(name) });
}

static void a_service_is_a_table_of_its_methods(void **state)
{
    (void)state;
    assert_int_equal(frugal_service_calc.abi, FRUGAL_TABLE_ABI);
    assert_string_equal(frugal_service_calc.name, "calc");
    assert_int_equal(frugal_service_calc.method_count, 3);
    assert_ptr_equal(frugal_service_calc.base, &frugal_service_base);
    assert_null(frugal_service_base.base);
    const frugal_method *add = find(&frugal_service_calc, "add");
    assert_string_equal(add->name, "add");
    assert_ptr_equal(add->args, FRUGAL_TYPE(add_args));
    assert_ptr_equal(add->result, FRUGAL_TYPE(add_result));
    assert_null(find(&frugal_service_base, "forget")->result);
}

static void methods_are_found_by_their_name_on_the_wire(void **state)
{
    (void)state;
    assert_ptr_equal(find(&frugal_service_calc, "add.wire"), &frugal_service_calc.methods[1]);
    assert_ptr_equal(find(&frugal_service_calc, ""), &frugal_service_calc.methods[2]);
    assert_ptr_equal(frugal_service_method(&frugal_service_calc, (frugal_str){ NULL, 0 }),
                     &frugal_service_calc.methods[2]);
    assert_ptr_equal(frugal_service_method(&frugal_service_calc, (frugal_str){ "added", 3 }),
                     &frugal_service_calc.methods[0]);
    assert_null(find(&frugal_service_calc, "ad"));
    assert_null(find(&frugal_service_calc, "adding"));
    assert_null(frugal_service_method(&frugal_service_calc, (frugal_str){ "add\0", 4 }));
    assert_null(find(NULL, "add"));
}

static void inherited_methods_are_found_too(void **state)
{
    (void)state;
    assert_ptr_equal(find(&frugal_service_calc, "ping"), &frugal_service_base.methods[0]);
    assert_null(find(&frugal_service_base, "add"));
}

static void services_in_a_circle_end(void **state)
{
    frugal_service a = frugal_service_base, b = frugal_service_base;
    (void)state;
    a.base = &b;
    b.base = &a;
    assert_null(find(&a, "nope"));
    assert_int_equal(frugal_pretouch_service(&a, NULL, NULL), FRUGAL_OK);
}

static void all_methods_are_made_ready(void **state)
{
    probe                         allocator;
    const frugal_pretouch_options options = { .allocator = &allocator.allocator };
    frugal_error                  error   = { 0 };
    (void)state;
    probe_init(&allocator);
    frugal_plan_drop(FRUGAL_TYPE(ping_args));
    frugal_plan_drop(FRUGAL_TYPE(ping_result));
    assert_int_equal(frugal_pretouch_service(&frugal_service_calc, &options, NULL), FRUGAL_OK);
    size_t calls = allocator.calls;
    assert_int_not_equal(calls, 0);
    assert_int_equal(frugal_pretouch_service(&frugal_service_calc, &options, NULL), FRUGAL_OK);
    assert_int_equal(frugal_pretouch(FRUGAL_TYPE(add_result), &options, NULL), FRUGAL_OK);
    assert_int_equal(frugal_pretouch(FRUGAL_TYPE(ping_result), &options, NULL), FRUGAL_OK);
    assert_int_equal(allocator.calls, calls); /* nothing was left to compile */
    frugal_plan_drop(FRUGAL_TYPE(ping_args));
    frugal_plan_drop(FRUGAL_TYPE(ping_result));
    frugal_plan_drop(FRUGAL_TYPE(add_args));
    frugal_plan_drop(FRUGAL_TYPE(add_result));
    assert_int_equal(allocator.blocks, 0);

    allocator.fail_from = allocator.calls;
    assert_int_equal(frugal_pretouch_service(&frugal_service_calc, &options, &error), FRUGAL_NOMEM);
    assert_int_equal(frugal_pretouch_service(NULL, &options, &error), FRUGAL_INVALID);
}

static void what_is_wrong_with_a_service_is_said(void **state)
{
    static const frugal_method without_args = { "f", NULL, NULL };
    frugal_service             strange      = frugal_service_base;
    frugal_error               error        = { 0 };
    (void)state;
    strange.abi = FRUGAL_TABLE_ABI + 1;
    assert_int_equal(frugal_pretouch_service(&strange, NULL, &error), FRUGAL_DESCRIPTOR);
    assert_non_null(strstr(error.message, "abi"));
    strange = (frugal_service){ FRUGAL_TABLE_ABI, 1, "s", &without_args, NULL };
    assert_int_equal(frugal_pretouch_service(&strange, NULL, &error), FRUGAL_INVALID);
}

static int drop_plans(void **state)
{
    (void)state;
    frugal_plan_drop(FRUGAL_TYPE(ping_args));
    frugal_plan_drop(FRUGAL_TYPE(ping_result));
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_service_is_a_table_of_its_methods),
        cmocka_unit_test(methods_are_found_by_their_name_on_the_wire),
        cmocka_unit_test(inherited_methods_are_found_too),
        cmocka_unit_test(services_in_a_circle_end),
        cmocka_unit_test(all_methods_are_made_ready),
        cmocka_unit_test(what_is_wrong_with_a_service_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, drop_plans);
}
