/* jit/lower_x64.c - what all directions share: routines, calls, constants, links, in x86-64
 * instructions. Registers: lower_x64.h. */
#include "jit/target.h"

#ifdef __x86_64__

#    include "jit/lower_x64.h"

static const x64_reg saved[] = { RBX, RBP, R12, R13, R14, R15 };

#    define FRAME 24 /* bytes of a routine's frame, without the return address */

void target_enter(jit_compiler *c, uint64_t failure)
{
    jit_code *code   = &c->code;
    int32_t   unwind = (int32_t)c->unwind;
    jit_label out    = code_label(code);

    code_bind(code, c->enter);
    for (unsigned i = 0; i < 6; i++) {
        x64_push(code, saved[i]);
        target_framed(c);
    }
    x64_mov(code, R13, RDI);
    x64_push_memory(code, R13, unwind);
    target_framed(c);
    x64_store64(code, R13, unwind, RSP);
    target_framed(c);
    x64_mov(code, RBX, RSI);
    x64_mov(code, RAX, RCX);
    if (c->end != JIT_NO_OFFSET)
        x64_load64(code, R12, R13, (int32_t)c->end);
    if (has_arena(c))
        fetch_arena(c);
    else
        x64_alu32(code, X64_XOR, R14, R14);
    x64_mov(code, RCX, RAX);
    x64_call_reg(code, R9);
    if (has_arena(c))
        put_arena(c);
    x64_mov(code, RAX, RBX);
    if (c->end == JIT_NO_OFFSET) { /* measuring: some length was above 31 bits */
        x64_shift64(code, 5, R14, 31);
        x64_jump_if(code, X64_NOT_EQUAL, c->fail);
    }
    code_bind(code, out);
    if (c->features & JIT_AVX2)
        x64_vzeroupper(code);
    x64_pop_memory(code, R13, unwind);
    target_framed(c);
    for (unsigned i = 6; i-- > 0;) {
        x64_pop(code, saved[i]);
        target_framed(c);
    }
    x64_ret(code);
    target_framed(c);

    code_bind(code, c->fail);
    x64_load64(code, RSP, R13, unwind);
    x64_mov_imm(code, RAX, failure);
    x64_jump(code, out);
}

void target_begin(jit_compiler *c, uint32_t depth)
{
    jit_code *code = &c->code;
    x64_push(code, RBP);
    x64_push(code, RCX);
    x64_push(code, R8);
    x64_mov(code, RBP, RDX);
    if (depth) {
        x64_alu32_imm(code, X64_CMP, R8, (int32_t)depth);
        x64_jump_if(code, X64_BELOW, c->fail);
    }
}

void target_end(jit_compiler *c, uint32_t stride, jit_label again)
{
    jit_code *code = &c->code;
    jit_label done = code_label(code);
    x64_memory(code, X64_W, 0x83, X64_SUB, RSP, COUNT);
    code_u8(code, 1);
    x64_jump_if(code, X64_EQUAL, done);
    x64_alu64_imm(code, X64_ADD, RBP, (int32_t)stride);
    x64_jump(code, again);
    code_bind(code, done);
    x64_load64(code, RBP, RSP, 16);
    x64_alu64_imm(code, X64_ADD, RSP, FRAME);
    x64_ret(code);
}

void target_room(jit_compiler *c, uint32_t bytes, jit_label short_of)
{
    x64_lea(&c->code, RAX, RBX, (int32_t)bytes);
    x64_alu64(&c->code, X64_CMP, RAX, R12);
    x64_jump_if(&c->code, X64_ABOVE, short_of);
}

void target_advance(jit_compiler *c, int32_t bytes)
{
    if (bytes)
        x64_alu64_imm(&c->code, X64_ADD, RBX, bytes);
}

void target_constants(jit_compiler *c)
{
    jit_code *code = &c->code;
    for (unsigned mask = 0; mask < 5; mask++) {
        if (!c->mask_used[mask])
            continue;
        while (code->size % 32 && !code->failed)
            code_u8(code, 0xcc);
        code_bind(code, c->masks[mask]);
        unsigned width = 1u << (mask & 3);
        for (unsigned i = 0; i < 32; i++)
            code_u8(code,
                    mask == 4 ? 1 : (uint8_t)((i % 16 & ~(width - 1)) | (width - 1 - i % width)));
    }
}

void target_record(jit_compiler *c, uint32_t offset, uint32_t depth, jit_label routine)
{
    jit_code *code = &c->code;
    x64_load32(code, R8, RSP, 0);
    x64_alu32_imm(code, X64_SUB, R8, (int32_t)depth);
    x64_lea(code, RDX, RBP, (int32_t)offset);
    x64_mov_imm(code, RCX, 1);
    x64_call(code, routine);
}

void target_call(jit_compiler *c, unsigned helper, const void *what)
{
    x64_mov_imm(&c->code, RSI, (uintptr_t)what);
    call_helper(c, helper);
}

void target_jump(jit_compiler *c, jit_label label)
{
    x64_jump(&c->code, label);
}

void target_record_behind(jit_compiler *c, uint32_t offset, uint32_t depth, jit_label routine,
                          jit_label null)
{
    jit_code *code = &c->code;
    x64_load64(code, RDX, RBP, (int32_t)offset);
    x64_test(code, RDX, RDX);
    x64_jump_if(code, X64_EQUAL, null);
    x64_load32(code, R8, RSP, 0);
    x64_alu32_imm(code, X64_SUB, R8, (int32_t)depth);
    x64_mov_imm(code, RCX, 1);
    x64_call(code, routine);
}

bool target_link(jit_code *code)
{
    return x64_link(code);
}

#endif /* __x86_64__ */
