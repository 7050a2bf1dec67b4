/* jit/lower_x64_encode.c - encoding and measuring, in x86-64 instructions. Registers: lower_x64.h.
 */
#include "jit/target.h"

#ifdef __x86_64__

#    include "jit/lower_x64.h"

void target_encode_more(jit_compiler *c, unsigned helper, uint32_t bytes)
{
    jit_code *code = &c->code;
    x64_mov(code, RDI, R13);
    x64_mov(code, RSI, RBX);
    x64_mov_imm(code, RDX, bytes);
    x64_alu32(code, X64_XOR, RCX, RCX);
    x64_call_at(code, c->helpers[helper]);
    helper_done(c);
}

void target_encode_head(jit_compiler *c, uint32_t at, uint32_t head)
{
    x64_store_imm32(&c->code, RBX, (int32_t)at, head);
}

void target_encode_stop(jit_compiler *c, uint32_t at)
{
    x64_store_imm8(&c->code, RBX, (int32_t)at, 0);
}

void target_encode_scalar(jit_compiler *c, uint8_t op, uint32_t at, uint32_t offset)
{
    jit_code *code = &c->code;
    int32_t   to = (int32_t)at, from = (int32_t)offset;
    switch (op) {
    case PLAN_BOOL:
        x64_cmp8_imm(code, RBP, from, 0);
        x64_set(code, X64_NOT_EQUAL, RAX);
        x64_store8(code, RBX, to, RAX);
        break;
    case PLAN_I8:
        x64_load8(code, RAX, RBP, from);
        x64_store8(code, RBX, to, RAX);
        break;
    case PLAN_I16:
        x64_load16(code, RAX, RBP, from);
        x64_rol16_8(code, RAX);
        x64_store16(code, RBX, to, RAX);
        break;
    case PLAN_I32:
        x64_load32(code, RAX, RBP, from);
        store_swapped32(c, to, RAX);
        break;
    default:
        x64_load64(code, RAX, RBP, from);
        if (c->features & JIT_MOVBE) {
            x64_store_swapped64(code, RBX, to, RAX);
        } else {
            x64_bswap64(code, RAX);
            x64_store64(code, RBX, to, RAX);
        }
        break;
    }
}

/* rsi the bytes, rax how many. */
void target_encode_text(jit_compiler *c, uint32_t at, uint32_t offset, jit_label null,
                        jit_label more)
{
    jit_code *code = &c->code;
    x64_load64(code, RSI, RBP, (int32_t)offset);
    x64_load64(code, RAX, RBP, (int32_t)offset + 8);
    x64_test(code, RSI, RSI);
    x64_jump_if(code, X64_EQUAL, null);
    x64_mov(code, RCX, R12);
    x64_alu64(code, X64_SUB, RCX, RBX);
    x64_alu64_imm(code, X64_SUB, RCX, (int32_t)at + 4);
    x64_alu64(code, X64_CMP, RAX, RCX);
    x64_jump_if(code, X64_ABOVE, more);
    x64_lea(code, RDI, RBX, (int32_t)at + 4);
    store_swapped32(c, (int32_t)at, RAX);
    x64_call(code, c->copy);
}

void target_encode_text_null(jit_compiler *c, uint32_t at, jit_label back)
{
    jit_code *code = &c->code;
    x64_test(code, RAX, RAX);
    x64_jump_if(code, X64_NOT_EQUAL, c->fail);
    x64_store_imm32(code, RBX, (int32_t)at, 0);
    x64_alu64_imm(code, X64_ADD, RBX, (int32_t)at + 4);
    x64_jump(code, back);
}

void target_encode_text_more(jit_compiler *c, uint32_t at, unsigned helper, jit_label again)
{
    jit_code *code = &c->code;
    x64_mov(code, RDI, R13);
    x64_mov(code, RSI, RBX);
    x64_mov_imm(code, RDX, at + 4);
    x64_mov(code, RCX, RAX);
    x64_call_at(code, c->helpers[helper]);
    helper_done(c);
    x64_jump(code, again);
}

void target_encode_byte(jit_compiler *c, uint32_t at, uint8_t value)
{
    x64_store_imm8(&c->code, RBX, (int32_t)at, value);
}

void target_encode_count(jit_compiler *c, uint32_t at, uint32_t count)
{
    x64_store_imm32(&c->code, RBX, (int32_t)at, __builtin_bswap32(count));
}

/* rdx the elements, rcx how many, at most 2^31 - 1; the count is written. */
static void encode_count(jit_compiler *c, const plan_step *step, uint32_t at, jit_label null)
{
    jit_code *code = &c->code;
    x64_load64(code, RDX, RBP, (int32_t)step->offset);
    x64_load64(code, RAX, RBP, (int32_t)step->offset + 8);
    x64_test(code, RDX, RDX);
    x64_jump_if(code, X64_EQUAL, null);
    x64_mov(code, RCX, RAX);
    x64_shift64(code, 5, RCX, 31);
    x64_jump_if(code, X64_NOT_EQUAL, c->fail);
    store_swapped32(c, (int32_t)at, RAX);
    x64_mov(code, RCX, RAX);
}

void target_encode_items(jit_compiler *c, const plan_step *step, uint32_t at, jit_label null,
                         jit_label none)
{
    jit_code *code = &c->code;
    encode_count(c, step, at, null);
    target_advance(c, (int32_t)at + 4);
    x64_test32(code, RCX, RCX);
    x64_jump_if(code, X64_EQUAL, none);
    x64_load32(code, R8, RSP, LEFT);
    x64_alu32_imm(code, X64_SUB, R8, step->depth + c->plan->routines[step->body].depth);
    x64_call(code, c->routines[step->body]);
}

#    define SPAN_MAX \
        64 /* bytes swapped one element after the other; above, by the helper's vectors */

void target_encode_span(jit_compiler *c, const plan_step *step, uint32_t at, jit_label null,
                        jit_label slow)
{
    jit_code *code = &c->code;
    jit_label turn = code_label(code), done = code_label(code);
    if (step->op == PLAN_BOOLS || step->shift < 2) {
        x64_jump(code, slow);
        return;
    }
    int32_t width = 1 << step->shift;
    encode_count(c, step, at, null);
    x64_alu32_imm(code, X64_CMP, RCX, SPAN_MAX / width);
    x64_jump_if(code, X64_ABOVE, slow);
    x64_mov32(code, RSI, RCX);
    x64_shift64(code, 4, RSI, step->shift);
    x64_lea(code, RDI, RBX, (int32_t)at + 4);
    x64_lea_sum(code, RSI, RSI, RDI); /* the end */
    x64_alu64(code, X64_CMP, RSI, R12);
    x64_jump_if(code, X64_ABOVE, slow);
    x64_mov(code, RBX, RSI);
    x64_alu64(code, X64_SUB, RDX, RDI);
    x64_alu64(code, X64_CMP, RDI, RBX);
    x64_jump_if(code, X64_EQUAL, done);
    code_bind(code, turn);
    /* rdx is how far the elements lie from where they go */
    x64_lea_sum(code, RSI, RDX, RDI);
    if (step->shift == 3) {
        x64_load64(code, RAX, RSI, 0);
        x64_bswap64(code, RAX);
        x64_store64(code, RDI, 0, RAX);
    } else {
        x64_load32(code, RAX, RSI, 0);
        x64_bswap32(code, RAX);
        x64_store32(code, RDI, 0, RAX);
    }
    x64_alu64_imm(code, X64_ADD, RDI, width);
    x64_alu64(code, X64_CMP, RDI, RBX);
    x64_jump_if(code, X64_NOT_EQUAL, turn);
    code_bind(code, done);
}

/* rax bytes from rsi to rdi, nothing outside of them; rbx becomes the end. As copy_exact of the
 * codec. */
void target_encode_copy(jit_compiler *c)
{
    jit_code *code  = &c->code;
    jit_label small = code_label(code), turn = code_label(code), last = code_label(code),
              tail = code_label(code);
    code_bind(code, c->copy);
    x64_lea_sum(code, RBX, RDI, RAX);
    x64_alu64_imm(code, X64_CMP, RAX, 32);
    x64_jump_if(code, X64_BELOW, small);
    x64_lea_sum(code, R8, RSI, RAX); /* the end of the source */
    move_32(c, 0);
    x64_mov(code, RCX, RDI);
    x64_and_imm64(code, RCX, 31);
    x64_neg64(code, RCX);
    x64_lea_sum(code, RSI, RSI, RCX);
    x64_lea_sum(code, RDI, RDI, RCX);
    x64_alu64_imm(code, X64_ADD, RSI, 32);
    x64_alu64_imm(code, X64_ADD, RDI, 32);
    x64_lea(code, RDX, RBX, -64); /* as long as 64 fit */
    x64_alu64(code, X64_CMP, RDI, RDX);
    x64_jump_if(code, X64_ABOVE, tail);
    code_bind(code, turn);
    move_32(c, 0);
    move_32(c, 32);
    x64_alu64_imm(code, X64_ADD, RSI, 64);
    x64_alu64_imm(code, X64_ADD, RDI, 64);
    x64_alu64(code, X64_CMP, RDI, RDX);
    x64_jump_if(code, X64_NOT_ABOVE, turn);
    code_bind(code, tail);
    x64_lea(code, RDX, RBX, -32);
    x64_alu64(code, X64_CMP, RDI, RDX);
    x64_jump_if(code, X64_NOT_BELOW, last);
    move_32(c, 0);
    code_bind(code, last);
    x64_lea(code, RSI, R8, 0);
    x64_mov(code, RDI, RBX);
    move_32(c, -32);
    x64_ret(code);

    jit_label eight = code_label(code), four = code_label(code), few = code_label(code),
              none = code_label(code);
    code_bind(code, small);
    x64_alu32_imm(code, X64_CMP, RAX, 16);
    x64_jump_if(code, X64_BELOW, eight);
    x64_lea_sum(code, R8, RSI, RAX);
    load_128(c, 0, RSI, 0);
    load_128(c, 1, R8, -16);
    store_128(c, RDI, 0, 0);
    store_128(c, RBX, -16, 1);
    x64_ret(code);
    code_bind(code, eight);
    x64_lea_sum(code, R8, RSI, RAX);
    x64_alu32_imm(code, X64_CMP, RAX, 8);
    x64_jump_if(code, X64_BELOW, four);
    x64_load64(code, RCX, RSI, 0);
    x64_load64(code, RDX, R8, -8);
    x64_store64(code, RDI, 0, RCX);
    x64_store64(code, RBX, -8, RDX);
    x64_ret(code);
    code_bind(code, four);
    x64_alu32_imm(code, X64_CMP, RAX, 4);
    x64_jump_if(code, X64_BELOW, few);
    x64_load32(code, RCX, RSI, 0);
    x64_load32(code, RDX, R8, -4);
    x64_store32(code, RDI, 0, RCX);
    x64_store32(code, RBX, -4, RDX);
    x64_ret(code);
    code_bind(code, few);
    x64_test32(code, RAX, RAX);
    x64_jump_if(code, X64_EQUAL, none);
    x64_load8(code, RCX, RSI, 0);
    x64_load8(code, RDX, R8, -1);
    x64_shift32(code, 5, RAX, 1);
    x64_lea_sum(code, RSI, RSI, RAX);
    x64_lea_sum(code, RAX, RDI, RAX);
    x64_load8(code, RSI, RSI, 0);
    x64_store8(code, RDI, 0, RCX);
    x64_store8(code, RAX, 0, RSI);
    x64_store8(code, RBX, -1, RDX);
    code_bind(code, none);
    x64_ret(code);
}

void target_absent_has(jit_compiler *c, uint32_t has, jit_label absent)
{
    x64_cmp8_imm(&c->code, RBP, (int32_t)has, 0);
    x64_jump_if(&c->code, X64_EQUAL, absent);
}

void target_absent_pointer(jit_compiler *c, uint32_t offset, jit_label absent)
{
    x64_cmp64_imm8(&c->code, RBP, (int32_t)offset, 0);
    x64_jump_if(&c->code, X64_EQUAL, absent);
}

void target_present_has(jit_compiler *c, uint32_t has, jit_label present)
{
    x64_cmp8_imm(&c->code, RBP, (int32_t)has, 0);
    x64_jump_if(&c->code, X64_NOT_EQUAL, present);
}

void target_present_pointer(jit_compiler *c, uint32_t offset, bool has_length, jit_label present)
{
    jit_code *code = &c->code;
    if (has_length) {
        x64_load64(code, RAX, RBP, (int32_t)offset);
        x64_alu64_memory(code, X64_OR, RAX, RBP, (int32_t)offset + 8);
    } else {
        x64_cmp64_imm8(code, RBP, (int32_t)offset, 0);
    }
    x64_jump_if(code, X64_NOT_EQUAL, present);
}

void target_null_length(jit_compiler *c, uint32_t offset, jit_label empty)
{
    x64_cmp64_imm8(&c->code, RBP, (int32_t)offset + 8, 0);
    x64_jump_if(&c->code, X64_EQUAL, empty);
    x64_jump(&c->code, c->fail);
}

void target_size_length(jit_compiler *c, uint32_t offset, uint32_t each)
{
    jit_code *code = &c->code;
    x64_load64(code, RAX, RBP, (int32_t)offset + 8);
    x64_alu64(code, X64_OR, R14, RAX);
    if (each != 1)
        x64_imul_imm(code, RAX, RAX, (int32_t)each);
    x64_alu64(code, X64_ADD, RBX, RAX);
}

void target_size_items(jit_compiler *c, const plan_size *z, jit_label null, jit_label none)
{
    jit_code *code = &c->code;
    x64_load64(code, RDX, RBP, (int32_t)z->offset);
    x64_load64(code, RCX, RBP, (int32_t)z->offset + 8);
    x64_test(code, RDX, RDX);
    x64_jump_if(code, X64_EQUAL, null);
    x64_mov(code, RAX, RCX);
    x64_shift64(code, 5, RAX, 31);
    x64_jump_if(code, X64_NOT_EQUAL, c->fail);
    x64_imul_imm(code, RAX, RCX, (int32_t)z->each);
    x64_alu64(code, X64_ADD, RBX, RAX);
    target_advance(c, (int32_t)z->fixed);
    x64_test32(code, RCX, RCX);
    x64_jump_if(code, X64_EQUAL, none);
    x64_load32(code, R8, RSP, LEFT);
    x64_alu32_imm(code, X64_SUB, R8, z->depth + c->plan->routines[z->body].depth);
    x64_call(code, c->routines[z->body]);
}

#endif /* __x86_64__ */
