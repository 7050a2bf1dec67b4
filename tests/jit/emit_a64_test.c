/* The bytes stand in emit_a64_cases.inc, where an assembler put them (assemble.py); this test needs
 * none, and runs on any CPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "jit/emit_a64.h"

#include "jit/emit_check.h"

#define CASE(instruction, text, bytes)                                 \
    {                                                                  \
        emit_begin(c);                                                 \
        instruction;                                                   \
        emit_compare(c, "\x1f\x20\x03\xd5", 4, a64_link, text, bytes); \
    }

static void instructions_are_what_an_assembler_makes_of_them(void **state)
{
    jit_code code, *c = &code;
    (void)state;
    emit_rows = emit_wrong = 0;
#include "jit/emit_a64_cases.inc"
    print_message("%u rows\n", emit_rows);
    assert_int_equal(emit_wrong, 0);
    assert_true(emit_rows > 500);
}

/* What movz, movn and movk in these words leave in the register. */
static uint64_t moved(const jit_code *code)
{
    uint64_t value = 0;
    for (uint32_t at = 0; at < code->size; at += 4) {
        uint32_t word  = code_word(code, at);
        unsigned shift = 16 * (word >> 21 & 3);
        uint64_t half  = (uint64_t)(word >> 5 & 0xffff) << shift;
        switch (word & 0xff800000) {
        case 0xd2800000: value = half; break;
        case 0x92800000: value = ~half; break;
        case 0xf2800000: value = (value & ~((uint64_t)0xffff << shift)) | half; break;
        default: fail_msg("%08x is no move", word);
        }
    }
    return value;
}

static void mov_imm_makes_the_value(void **state)
{
    static const uint16_t halves[] = { 0, 1, 0x7fff, 0x8000, 0xfffe, 0xffff };
    (void)state;
    for (unsigned i = 0; i < 6 * 6 * 6 * 6; i++) {
        uint64_t value = halves[i % 6] | (uint64_t)halves[i / 6 % 6] << 16
                         | (uint64_t)halves[i / 36 % 6] << 32 | (uint64_t)halves[i / 216] << 48;
        jit_code code;
        code_init(&code, NULL);
        a64_mov_imm(&code, 7, value);
        assert_true(moved(&code) == value);
        assert_true(code.size >= 4 && code.size <= 16);
        code_release(&code);
    }
}

static void tables_hold_distances_from_their_beginning(void **state)
{
    jit_code code;
    (void)state;
    code_init(&code, NULL);
    jit_label before = near(&code), after = code_label(&code);
    a64_ret(&code);
    uint32_t table = code.size;
    for (unsigned i = 0; i < 3; i++) {
        code_refer(&code, code.size, i == 1 ? before : after, A64_TABLE);
        code_u32(&code, code.size - table);
    }
    code_bind(&code, after);
    assert_true(a64_link(&code));
    assert_int_equal((int32_t)code_word(&code, table), 12);
    assert_int_equal((int32_t)code_word(&code, table + 4), -4);
    assert_int_equal((int32_t)code_word(&code, table + 8), 12);
    code_release(&code);
}

/* One reference of `kind` at `at`, to a label at `to`, in code large enough. */
static bool links(uint8_t kind, uint32_t at, uint32_t to, uint32_t *word)
{
    jit_code  code;
    bool      good;
    jit_label label;
    code_init(&code, NULL);
    label = code_label(&code);
    assert_true(code_reserve(&code, JIT_CODE_MAX));
    code.size = to;
    code_bind(&code, label);
    code.size = at;
    code_refer(&code, at, label, kind);
    code_u32(&code, 0);
    good  = a64_link(&code);
    *word = code_word(&code, at);
    code_release(&code);
    return good;
}

static void link_refuses_what_is_too_far(void **state)
{
    static const uint8_t kinds[] = { A64_IMM19, A64_ADR };
    uint32_t             word, reach = 1u << 20;
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        assert_true(links(kinds[i], 0, reach - 4, &word));
        assert_false(links(kinds[i], 0, reach, &word));
        assert_true(links(kinds[i], reach, 0, &word));
        assert_false(links(kinds[i], reach + 4, 0, &word));
    }
    assert_true(links(A64_IMM19, 0, reach - 4, &word));
    assert_int_equal(word, 0x3ffff << 5);
    assert_true(links(A64_ADR, 0, reach - 1, &word));
    assert_int_equal(word, 3u << 29 | 0x3ffff << 5);
}

static void branches_reach_through_the_largest_code(void **state)
{
    uint32_t word, last = JIT_CODE_MAX - 4;
    (void)state;
    assert_true(links(A64_IMM26, 0, last, &word));
    assert_int_equal(word, last / 4);
    assert_true(links(A64_IMM26, last, 0, &word));
    assert_int_equal(word, 0x4000000 - last / 4);
}

static void link_refuses_a_label_that_is_nowhere(void **state)
{
    jit_code code;
    (void)state;
    code_init(&code, NULL);
    a64_b(&code, code_label(&code));
    assert_false(a64_link(&code));
    code_release(&code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_are_what_an_assembler_makes_of_them),
        cmocka_unit_test(mov_imm_makes_the_value),
        cmocka_unit_test(tables_hold_distances_from_their_beginning),
        cmocka_unit_test(link_refuses_what_is_too_far),
        cmocka_unit_test(branches_reach_through_the_largest_code),
        cmocka_unit_test(link_refuses_a_label_that_is_nowhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
