/* The bytes stand in emit_x64_cases.inc, where an assembler put them (assemble.py); this test needs
 * none, and runs on any CPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "jit/emit_x64.h"

#include "jit/emit_check.h"

#define CASE(instruction, text, bytes)                     \
    {                                                      \
        emit_begin(c);                                     \
        instruction;                                       \
        emit_compare(c, "\x90", 1, x64_link, text, bytes); \
    }

static void instructions_are_what_an_assembler_makes_of_them(void **state)
{
    jit_code code, *c = &code;
    (void)state;
    emit_rows = emit_wrong = 0;
#include "jit/emit_x64_cases.inc"
    print_message("%u rows\n", emit_rows);
    assert_int_equal(emit_wrong, 0);
    assert_true(emit_rows > 500);
}

/* A table of distances from itself, as the tables of a miss have. */
static void tables_hold_distances_from_their_beginning(void **state)
{
    jit_code code;
    (void)state;
    code_init(&code, NULL);
    jit_label before = near(&code), after = code_label(&code);
    x64_ret(&code);
    uint32_t table = code.size;
    for (unsigned i = 0; i < 3; i++) {
        code_refer(&code, code.size, i == 1 ? before : after, X64_TABLE);
        code_u32(&code, code.size - table);
    }
    code_bind(&code, after);
    assert_true(x64_link(&code));
    assert_int_equal((int32_t)code_word(&code, table), 12);
    assert_int_equal((int32_t)code_word(&code, table + 4), -1);
    assert_int_equal((int32_t)code_word(&code, table + 8), 12);
    code_release(&code);
}

static void references_reach_through_the_largest_code(void **state)
{
    jit_code code;
    (void)state;
    code_init(&code, NULL);
    jit_label begin = near(&code), end = code_label(&code);
    x64_jump(&code, end);
    assert_true(code_reserve(&code, JIT_CODE_MAX - code.size));
    memset(code.bytes + code.size, 0x90, JIT_CODE_MAX - 5 - code.size);
    code.size = JIT_CODE_MAX - 5;
    x64_jump(&code, begin);
    code_bind(&code, end);
    assert_true(x64_link(&code));
    assert_int_equal((int32_t)code_word(&code, 1), (int32_t)JIT_CODE_MAX - 5);
    assert_int_equal((int32_t)code_word(&code, JIT_CODE_MAX - 4), -(int32_t)JIT_CODE_MAX);
    code_release(&code);
}

static void link_refuses_a_label_that_is_nowhere(void **state)
{
    jit_code code;
    (void)state;
    code_init(&code, NULL);
    x64_jump(&code, code_label(&code));
    assert_false(x64_link(&code));
    code_release(&code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_are_what_an_assembler_makes_of_them),
        cmocka_unit_test(tables_hold_distances_from_their_beginning),
        cmocka_unit_test(references_reach_through_the_largest_code),
        cmocka_unit_test(link_refuses_a_label_that_is_nowhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
