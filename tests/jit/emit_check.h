/* tests/jit/emit_check.h - an instruction of ours beside the bytes that an assembler made of it.
 * Included by one test of a CPU, which says what a nop and what linking is there. */
#ifndef TESTS_JIT_EMIT_CHECK_H
#define TESTS_JIT_EMIT_CHECK_H

typedef bool emit_link(jit_code *code);

static unsigned  emit_rows, emit_wrong;
static jit_label emit_far;

static inline void emit_begin(jit_code *code)
{
    code_init(code, NULL);
    emit_far = JIT_UNBOUND;
}

/* A label that is bound here: an instruction behind it goes backwards. */
static inline jit_label near(jit_code *code)
{
    jit_label label = code_label(code);
    code_bind(code, label);
    return label;
}

/* A label that is bound when the row is compared, behind a nop: forwards. */
static inline jit_label far(jit_code *code)
{
    return emit_far = code_label(code);
}

static inline void emit_compare(jit_code *code, const char *nop, uint32_t nop_size, emit_link *link,
                                const char *text, const char *expected)
{
    char hex[2 * 256 + 1] = "";
    if (emit_far != JIT_UNBOUND) {
        code_bytes(code, nop, nop_size);
        code_bind(code, emit_far);
    }
    if (!link(code))
        fail_msg("%s: not linked", text);
    for (uint32_t i = 0; i < code->size && i < 256; i++)
        snprintf(hex + (size_t)2 * i, 3, "%02x", code->bytes[i]);
    emit_rows++;
    if (strcmp(hex, expected) != 0) {
        emit_wrong++;
        print_error("%s: %s, but an assembler says %s\n", text, hex, expected);
    }
    code_release(code);
}

#endif /* TESTS_JIT_EMIT_CHECK_H */
