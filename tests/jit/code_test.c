#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "jit/code.h"

/* An allocator whose nth call for memory fails, and which counts what it has lent. */
typedef struct scarce {
    unsigned calls, fails_at;
    size_t   lent;
} scarce;

static void *resize(void *context, void *ptr, size_t old_size, size_t size)
{
    scarce *s = context;
    if (size && ++s->calls == s->fails_at)
        return NULL;
    void *memory = size ? realloc(ptr, size) : NULL;
    if (size == 0)
        free(ptr);
    s->lent += size - old_size;
    return memory;
}

/* Something of everything; what it makes is told by the labels and the size. */
static void put_much(jit_code *code)
{
    void *scratch = code_scratch(code, 100);
    for (unsigned i = 0; i < 200; i++) {
        jit_label label = code_label(code);
        code_u8(code, 1);
        code_refer(code, code->size, label, 2);
        code_u32(code, 0x04030201);
        code_u64(code, 0x0807060504030201);
        code_bytes(code, "abc", 3);
        code_bind(code, label);
    }
    code_scratch_free(code, scratch, 100);
}

static void code_keeps_bytes_labels_and_references(void **state)
{
    static const uint8_t expected[] = { 1, 1, 2, 3, 4, 1, 2, 3, 4, 5, 6, 7, 8, 'a', 'b', 'c' };
    jit_code             code;
    (void)state;
    code_init(&code, NULL);
    put_much(&code);
    assert_false(code.failed);
    assert_int_equal(code.size, 200 * 16);
    for (unsigned i = 0; i < 200; i++) {
        assert_memory_equal(code.bytes + (size_t)16 * i, expected, 16);
        assert_int_equal(code.labels[i], 16 * (i + 1));
        assert_int_equal(code.references[i].at, 16 * i + 1);
        assert_int_equal(code.references[i].label, i);
        assert_int_equal(code.references[i].kind, 2);
        assert_int_equal(code_word(&code, 16 * i + 1), 0x04030201);
    }
    code_set_word(&code, 1, 0xa0b0c0d0);
    assert_memory_equal(code.bytes, "\x01\xd0\xc0\xb0\xa0\x01", 6);
    code_release(&code);
}

static void code_that_fails_stays_failed_and_gives_all_back(void **state)
{
    unsigned nth = 1;
    bool     failed;
    (void)state;
    do {
        scarce           s         = { .fails_at = nth };
        frugal_allocator allocator = { resize, &s };
        jit_code         code;
        code_init(&code, &allocator);
        put_much(&code);
        failed = code.failed;
        if (failed) {
            unsigned calls = s.calls;
            put_much(&code); /* in vain */
            assert_true(code.failed);
            assert_int_equal(s.calls, calls);
            assert_false(code_reserve(&code, 1));
            assert_null(code_scratch(&code, 8));
        }
        code_release(&code);
        assert_int_equal(s.lent, 0);
        nth++;
    } while (failed);
    assert_true(nth > 15); /* each growth of three arrays, and the scratch */
}

static void code_is_never_larger_than_its_bound(void **state)
{
    jit_code code;
    (void)state;
    code_init(&code, NULL);
    assert_true(code_reserve(&code, JIT_CODE_MAX));
    code.size = JIT_CODE_MAX;
    code_u8(&code, 1);
    assert_true(code.failed);
    code_release(&code);
    for (unsigned i = 0; i < 2; i++) { /* sums that 32 bits do not hold */
        code_init(&code, NULL);
        code_u8(&code, 1);
        assert_false(code_reserve(&code, i ? UINT32_MAX : JIT_CODE_MAX));
        assert_true(code.failed);
        code_release(&code);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_keeps_bytes_labels_and_references),
        cmocka_unit_test(code_that_fails_stays_failed_and_gives_all_back),
        cmocka_unit_test(code_is_never_larger_than_its_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
