/* jit/lower_a64.c - what all directions share: routines, calls, constants, links, in AArch64
 * instructions. Registers: lower_a64.h. */
#include "jit/target.h"

#ifdef __aarch64__

#    include "jit/lower_a64.h"

#    define FRAME 32

void target_enter(jit_compiler *c, uint64_t failure)
{
    jit_code *code   = &c->code;
    int32_t   unwind = (int32_t)c->unwind;
    jit_label out = code_label(code), good = code_label(code);

    code_bind(code, c->enter);
    a64_push2(code, A64_FP, A64_LR, -80);
    target_framed(c);
    a64_mov_sp(code, A64_FP, A64_SP);
    a64_stp(code, 19, 20, A64_SP, 16);
    a64_stp(code, 21, 22, A64_SP, 32);
    a64_stp(code, 23, 24, A64_SP, 48);
    target_framed(c);
    a64_mov(code, CONTEXT, 0);
    a64_ldr(code, 9, CONTEXT, unwind);
    a64_str(code, 9, A64_SP, 64);
    a64_mov_sp(code, 9, A64_SP);
    a64_str(code, 9, CONTEXT, unwind);
    a64_mov(code, P, 1);
    if (c->end != JIT_NO_OFFSET)
        a64_ldr(code, END, CONTEXT, (int32_t)c->end);
    if (has_arena(c))
        fetch_arena(c);
    else
        a64_mov(code, ODD, A64_ZR);
    a64_blr(code, 5);
    if (has_arena(c))
        put_arena(c);
    a64_mov(code, 0, P);
    if (c->end == JIT_NO_OFFSET) { /* measuring: some length was above 31 bits */
        a64_lsr(code, ODD, ODD, 31);
        a64_cbz(code, ODD, good);
        a64_mov_imm(code, 0, failure);
        code_bind(code, good);
    }
    code_bind(code, out);
    a64_ldr(code, 9, A64_SP, 64);
    a64_str(code, 9, CONTEXT, unwind);
    a64_ldp(code, 19, 20, A64_SP, 16);
    a64_ldp(code, 21, 22, A64_SP, 32);
    a64_ldp(code, 23, 24, A64_SP, 48);
    a64_pop2(code, A64_FP, A64_LR, 80);
    target_framed(c);
    a64_ret(code);
    target_framed(c);

    code_bind(code, c->fail);
    a64_ldr(code, 9, CONTEXT, unwind);
    a64_mov_sp(code, A64_SP, 9);
    a64_mov_imm(code, 0, failure);
    a64_b(code, out);
}

void target_begin(jit_compiler *c, uint32_t depth)
{
    jit_code *code = &c->code;
    a64_push2(code, 4, 3, -FRAME);
    a64_stp(code, RECORD, A64_LR, A64_SP, 16);
    a64_mov(code, RECORD, 2);
    if (depth) {
        a64_wcmp_imm(code, 4, depth);
        a64_b_if(code, A64_BELOW, c->fail);
    }
}

void target_end(jit_compiler *c, uint32_t stride, jit_label again)
{
    jit_code *code = &c->code;
    jit_label done = code_label(code);
    a64_ldr(code, 9, A64_SP, COUNT);
    a64_subs_imm12(code, 9, 9, 1);
    a64_b_if_near(code, A64_EQUAL, done);
    a64_str(code, 9, A64_SP, COUNT);
    a64_add_imm(code, RECORD, RECORD, (int64_t)stride);
    a64_b(code, again);
    code_bind(code, done);
    a64_ldp(code, RECORD, A64_LR, A64_SP, 16);
    a64_add_imm(code, A64_SP, A64_SP, FRAME);
    a64_ret(code);
}

void target_jump(jit_compiler *c, jit_label label)
{
    a64_b(&c->code, label);
}

void target_advance(jit_compiler *c, int32_t bytes)
{
    if (bytes)
        a64_add_imm(&c->code, P, P, bytes);
}

void target_room(jit_compiler *c, uint32_t bytes, jit_label short_of)
{
    a64_add_imm(&c->code, 9, P, bytes);
    a64_cmp(&c->code, 9, END);
    a64_b_if(&c->code, A64_ABOVE, short_of);
}

void target_record(jit_compiler *c, uint32_t offset, uint32_t depth, jit_label routine)
{
    a64_add_imm(&c->code, 2, RECORD, offset);
    a64_mov_imm(&c->code, 3, 1);
    load_left(c, depth);
    a64_bl(&c->code, routine);
}

void target_record_behind(jit_compiler *c, uint32_t offset, uint32_t depth, jit_label routine,
                          jit_label null)
{
    a64_ldr(&c->code, 2, RECORD, (int32_t)offset);
    a64_cbz(&c->code, 2, null);
    a64_mov_imm(&c->code, 3, 1);
    load_left(c, depth);
    a64_bl(&c->code, routine);
}

void target_call(jit_compiler *c, unsigned helper, const void *what)
{
    a64_mov_imm(&c->code, 1, (uintptr_t)what);
    call_helper(c, helper);
}

void target_constants(jit_compiler *c)
{
    (void)c;
}

bool target_link(jit_code *code)
{
    return a64_link(code);
}

#endif /* __aarch64__ */
