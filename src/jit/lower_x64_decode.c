/* jit/lower_x64_decode.c - decoding, in x86-64 instructions. Registers: lower_x64.h. */
#include "jit/target.h"

#ifdef __x86_64__

#    include "jit/lower_x64.h"
#    include "jit/miss.h"

void target_decode_head(jit_compiler *c, uint32_t at, uint32_t head, unsigned size, jit_label miss)
{
    jit_code *code = &c->code;
    if (size == 4) {
        x64_cmp32_imm(code, RBX, (int32_t)at, head);
    } else { /* the fourth byte is the value's: shifted out */
        x64_load32(code, RAX, RBX, (int32_t)at);
        x64_shift32(code, 4, RAX, 8);
        x64_alu32_imm(code, X64_CMP, RAX, (int32_t)(head << 8));
    }
    x64_jump_if(code, X64_NOT_EQUAL, miss);
}

void target_decode_stop(jit_compiler *c, uint32_t at, jit_label miss)
{
    x64_cmp8_imm(&c->code, RBX, (int32_t)at, 0);
    x64_jump_if(&c->code, X64_NOT_EQUAL, miss);
}

void target_decode_scalar(jit_compiler *c, uint8_t op, uint32_t at, uint32_t offset)
{
    jit_code *code = &c->code;
    int32_t   from = (int32_t)at, to = (int32_t)offset;
    switch (op) {
    case PLAN_BOOL:
        x64_cmp8_imm(code, RBX, from, 0);
        x64_set(code, X64_NOT_EQUAL, RAX);
        x64_store8(code, RBP, to, RAX);
        break;
    case PLAN_I8:
        x64_load8(code, RAX, RBX, from);
        x64_store8(code, RBP, to, RAX);
        break;
    case PLAN_I16:
        x64_load16(code, RAX, RBX, from);
        x64_rol16_8(code, RAX);
        x64_store16(code, RBP, to, RAX);
        break;
    case PLAN_I32:
        load_swapped32(c, RAX, from);
        x64_store32(code, RBP, to, RAX);
        break;
    default:
        load_swapped64(c, RAX, from);
        x64_store64(code, RBP, to, RAX);
        break;
    }
}

void target_decode_present(jit_compiler *c, uint32_t has)
{
    x64_store_imm8(&c->code, RBP, (int32_t)has, 1);
}

/* As copy_loose of the codec: rax bytes from rsi to rdi, and up to 63 more. The first 32 are moved
 * already; afterwards stores are aligned. */
static void copy_rest(jit_compiler *c)
{
    jit_code *code = &c->code;
    jit_label done = code_label(code), turn = code_label(code);
    x64_alu32_imm(code, X64_CMP, RAX, 32);
    x64_jump_if(code, X64_NOT_ABOVE, done);
    x64_lea_sum(code, RDX, RDI, RAX); /* the end */
    x64_mov(code, RCX, RDI);
    x64_and_imm64(code, RCX, 31);
    x64_neg64(code, RCX); /* 32 + rcx bytes on: the next multiple of 32 */
    x64_lea_sum(code, RSI, RSI, RCX);
    x64_lea_sum(code, RDI, RDI, RCX);
    move_32(c, 32);
    x64_alu64_imm(code, X64_ADD, RDI, 64);
    x64_alu64_imm(code, X64_ADD, RSI, 64);
    x64_alu64(code, X64_CMP, RDI, RDX);
    x64_jump_if(code, X64_NOT_BELOW, done);
    code_bind(code, turn);
    move_32(c, 0);
    move_32(c, 32);
    x64_alu64_imm(code, X64_ADD, RDI, 64);
    x64_alu64_imm(code, X64_ADD, RSI, 64);
    x64_alu64(code, X64_CMP, RDI, RDX);
    x64_jump_if(code, X64_BELOW, turn);
    code_bind(code, done);
}

void target_decode_text(jit_compiler *c, uint32_t at, uint32_t offset, jit_label slow)
{
    jit_code *code = &c->code;
    int32_t   to = (int32_t)offset, behind = (int32_t)at + 4;
    load_swapped32(c, RAX, (int32_t)at);
    x64_lea_sum(code, RDX, RBX, RAX);
    x64_lea(code, RCX, RDX,
            behind + (c->viewed ? 0 : ARENA_SLACK)); /* as much may be read behind it */
    x64_alu64(code, X64_CMP, RCX, R12);
    x64_jump_if(code, X64_ABOVE, slow);
    if (c->viewed) {
        x64_lea(code, RSI, RBX, behind);
        x64_mov(code, RBX, RDX);
        x64_store64(code, RBP, to, RSI);
        x64_store64(code, RBP, to + 8, RAX);
        return;
    }
    x64_lea_sum(code, RCX, R14, RAX);
    x64_alu64(code, X64_CMP, RCX, R15);
    x64_jump_if(code, X64_ABOVE, slow);
    x64_lea(code, RSI, RBX, behind);
    x64_mov(code, RBX, RDX);
    x64_mov(code, RDI, R14);
    x64_mov(code, R14, RCX);
    x64_store64(code, RBP, to, RDI);
    x64_store64(code, RBP, to + 8, RAX);
    move_32(c, 0);
    copy_rest(c);
}

/* Room in the arena for rdx bytes, charged to the budget: rdi is its beginning. */
static void allocate(jit_compiler *c, uint32_t align, jit_label slow)
{
    jit_code *code = &c->code;
    x64_mov(code, RDI, R14);
    if (align > 1) {
        x64_alu64_imm(code, X64_ADD, RDI, (int32_t)align - 1);
        x64_alu64_imm(code, X64_AND, RDI, -(int32_t)align);
    }
    x64_lea_sum(code, RCX, RDI, RDX);
    x64_alu64(code, X64_CMP, RCX, R15);
    x64_jump_if(code, X64_ABOVE, slow);
    x64_memory(code, X64_W, 0x39, RDX, R13, (int32_t)c->budget); /* cmp [budget], rdx */
    x64_jump_if(code, X64_BELOW, slow);
    x64_memory(code, X64_W, 0x29, RDX, R13, (int32_t)c->budget); /* sub [budget], rdx */
    x64_mov(code, R14, RCX);
}

/* Zeroes from rdi to rcx, and up to 63 bytes more, which are the arena's. */
static void zero_loose(jit_compiler *c)
{
    jit_code *code = &c->code;
    jit_label turn = code_label(code);
    x64_mov(code, RSI, RDI);
    if (c->features & JIT_AVX2)
        x64_zero256(code, 0);
    else
        zero_128(c, 0);
    code_bind(code, turn);
    if (c->features & JIT_AVX2) {
        x64_store256(code, RSI, 0, 0);
        x64_store256(code, RSI, 32, 0);
    } else {
        for (int32_t at = 0; at < 64; at += 16)
            store_128(c, RSI, at, 0);
    }
    x64_alu64_imm(code, X64_ADD, RSI, 64);
    x64_alu64(code, X64_CMP, RSI, RCX);
    x64_jump_if(code, X64_BELOW, turn);
}

#    define ITEMS_MAX 4096u /* bytes of elements that need no growing, whatever the input */

void target_decode_items(jit_compiler *c, const plan_step *step, uint32_t at, jit_label slow,
                         jit_label empty)
{
    jit_code           *code    = &c->code;
    const plan_routine *routine = &c->plan->routines[step->body];
    int32_t             to = (int32_t)step->offset, behind = (int32_t)at + 4;
    if (routine->stride > ITEMS_MAX || (routine->initialise && routine->initial)) {
        x64_jump(code, slow);
        return;
    }
    load_swapped32(c, RAX, (int32_t)at);
    x64_test32(code, RAX, RAX);
    x64_jump_if(code, X64_EQUAL, empty);
    x64_alu32_imm(code, X64_CMP, RAX, (int32_t)(ITEMS_MAX / routine->stride));
    x64_jump_if(code, X64_ABOVE, slow);
    x64_imul_imm(code, RCX, RAX, (int32_t)routine->wire_min);
    x64_lea_sum(code, RCX, RCX, RBX);
    x64_alu64_imm(code, X64_ADD, RCX, behind);
    x64_alu64(code, X64_CMP, RCX, R12);
    x64_jump_if(code, X64_ABOVE, slow);
    x64_imul_imm(code, RDX, RAX, (int32_t)routine->stride);
    allocate(c, routine->align, slow);
    x64_store64(code, RBP, to, RDI);
    x64_store64(code, RBP, to + 8, RAX);
    if (routine->initialise)
        zero_loose(c);
    target_advance(c, behind);
    x64_mov(code, RDX, RDI);
    x64_mov(code, RCX, RAX);
    x64_load32(code, R8, RSP, LEFT);
    x64_alu32_imm(code, X64_SUB, R8, step->depth + routine->depth);
    x64_call(code, c->routines[step->body]);
}

void target_decode_empty(jit_compiler *c, uint32_t offset)
{
    x64_mov_imm(&c->code, RAX, (uintptr_t)schema_empty);
    x64_store64(&c->code, RBP, (int32_t)offset, RAX);
    x64_memory(&c->code, X64_W, 0xc7, 0, RBP, (int32_t)offset + 8);
    code_u32(&c->code, 0);
}

void target_decode_span(jit_compiler *c, const plan_step *step, uint32_t at, jit_label slow,
                        jit_label empty)
{
    jit_code *code  = &c->code;
    bool      bools = step->op == PLAN_BOOLS;
    unsigned  shift = bools ? 0 : step->shift, mask = bools ? 4 : shift;
    int32_t   to = (int32_t)step->offset, behind = (int32_t)at + 4;
    jit_label turn = code_label(code);
    if (!(c->features & JIT_AVX2)) {
        x64_jump(code, slow);
        return;
    }
    load_swapped32(c, RAX, (int32_t)at);
    x64_test32(code, RAX, RAX);
    x64_jump_if(code, X64_EQUAL, empty);
    x64_alu32_imm(code, X64_CMP, RAX, (int32_t)(JIT_SPAN_MAX >> shift));
    x64_jump_if(code, X64_ABOVE, slow);
    x64_mov32(code, RDX, RAX);
    if (shift)
        x64_shift64(code, 4, RDX, (uint8_t)shift);
    x64_lea_sum(code, R9, RBX, RDX);
    x64_lea(code, RCX, R9, behind + ARENA_SLACK); /* as much may be read behind them */
    x64_alu64(code, X64_CMP, RCX, R12);
    x64_jump_if(code, X64_ABOVE, slow);
    allocate(c, bools ? 1 : 8, slow);
    x64_store64(code, RBP, to, RDI);
    x64_store64(code, RBP, to + 8, RAX);
    x64_lea(code, RSI, RBX, behind);
    x64_mov(code, RBX, R9);
    code_bind(code, turn);
    for (int32_t move = 0; move < 64; move += 32) {
        x64_load256(code, (unsigned)move / 32, RSI, move);
        if (bools)
            x64_minimum256(code, (unsigned)move / 32, c->masks[4]);
        else if (shift)
            x64_shuffle256(code, (unsigned)move / 32, c->masks[shift]);
        x64_store256(code, RDI, move, (unsigned)move / 32);
    }
    c->mask_used[mask] = true;
    x64_alu64_imm(code, X64_ADD, RSI, 64);
    x64_alu64_imm(code, X64_ADD, RDI, 64);
    x64_alu64(code, X64_CMP, RDI, R14); /* the cursor is behind them */
    x64_jump_if(code, X64_BELOW, turn);
}

void target_decode_byte(jit_compiler *c, uint32_t at, uint8_t value, jit_label miss)
{
    x64_cmp8_imm(&c->code, RBX, (int32_t)at, value);
    x64_jump_if(&c->code, X64_NOT_EQUAL, miss);
}

void target_decode_behind(jit_compiler *c, const plan_step *step, jit_label slow)
{
    jit_code           *code    = &c->code;
    const plan_routine *routine = &c->plan->routines[step->body];
    if (routine->initial || routine->stride > ITEMS_MAX) {
        x64_jump(code, slow);
        return;
    }
    x64_mov_imm(code, RDX, routine->stride);
    allocate(c, routine->align, slow);
    x64_store64(code, RBP, (int32_t)step->offset, RDI);
    zero_loose(c);
    x64_mov(code, RDX, RDI);
    x64_mov_imm(code, RCX, 1);
    x64_load32(code, R8, RSP, LEFT);
    x64_alu32_imm(code, X64_SUB, R8, step->depth);
    x64_call(code, c->routines[step->body]);
}

static void zero(jit_compiler *c, x64_reg base, uint32_t offset, uint32_t size)
{
    jit_code *code = &c->code;
    int32_t   at = (int32_t)offset, end = at + (int32_t)size;
    if (size >= 128 && (c->features & JIT_AVX2)) {
        x64_zero256(code, 0);
        for (; end - at > 32; at += 32)
            x64_store256(code, base, at, 0);
        x64_store256(code, base, end - 32, 0);
    } else if (size >= 16) {
        zero_128(c, 0);
        for (; end - at > 16; at += 16)
            store_128(c, base, at, 0);
        store_128(c, base, end - 16, 0);
    } else {
        x64_alu32(code, X64_XOR, RAX, RAX);
        for (; end - at >= 8; at += 8)
            x64_store64(code, base, at, RAX);
        for (; end - at >= 4; at += 4)
            x64_store32(code, base, at, RAX);
        for (; end - at >= 1; at++)
            x64_store8(code, base, at, RAX);
    }
}

void target_decode_zero(jit_compiler *c, uint32_t offset, uint32_t size)
{
    zero(c, RBP, offset, size);
}

void target_decode_zero_root(jit_compiler *c, uint32_t size)
{
    zero(c, RDX, 0, size);
}

void target_decode_missed(jit_compiler *c, const plan_step *step, jit_label to)
{
    x64_mov_imm(&c->code, RCX, step->index);
    x64_jump(&c->code, to);
}

static void miss_in_table(jit_compiler *c, const plan_scope *scope, jit_label fields,
                          jit_label look)
{
    jit_code *code = &c->code;
    x64_load16(code, RAX, RBX, 1);
    x64_rol16_8(code, RAX);
    x64_movsx16(code, RAX, RAX);
    if (scope->low)
        x64_alu32_imm(code, X64_SUB, RAX, scope->low);
    x64_alu32_imm(code, X64_CMP, RAX, (int32_t)scope->span);
    x64_jump_if(code, X64_NOT_BELOW, look);
    x64_lea_label(code, RSI, fields);
    x64_load64_index(code, RAX, RSI, RAX);
    x64_mov(code, RDX, RAX);
    x64_shift64(code, 5, RDX, 32);
    x64_memory(code, 0, 0x3a, RDX, RBX, 0); /* cmp dl, [rbx] */
    x64_jump_if(code, X64_NOT_EQUAL, look);
    x64_mov32(code, RDI, RDX);
    x64_shift32(code, 5, RDX, 8 + MISS_FIELD_BITS);
    x64_shift32(code, 5, RDI, 8);
    x64_alu32_imm(code, X64_AND, RDI, MISS_FIELDS_MAX - 1);
    x64_mov32(code, R8, RCX);
    x64_alu32(code, X64_SUB, R8, RDI);
    x64_alu32(code, X64_CMP, R8, RDX);
    x64_jump_if(code, X64_ABOVE, look);
    x64_movsxd(code, RAX, RAX);
    x64_alu64(code, X64_ADD, RAX, RSI);
    x64_jump_reg(code, RAX);
}

/* ecx is the index of the step that was expected. */
static void look_up(jit_compiler *c, const plan_scope *scope, const jit_scope_code *to)
{
    jit_code *code = &c->code;
    x64_lea(code, RAX, RBX, 4);
    x64_alu64(code, X64_CMP, RAX, R12);
    x64_jump_if(code, X64_ABOVE, to->look);
    x64_cmp8_imm(code, RBX, 0, 0);
    x64_jump_if(code, X64_EQUAL, to->stop);
    if (scope->span && scope->count < MISS_FIELDS_MAX)
        miss_in_table(c, scope, to->fields, to->look);
    else
        x64_jump(code, to->look);
}

void target_decode_dispatch(jit_compiler *c, const plan_step *step)
{
    x64_mov_imm(&c->code, RCX, step->index);
    look_up(c, &c->plan->scopes[step->scope], &c->scopes[step->scope]);
}

void target_decode_miss(jit_compiler *c, const jit_scope *s)
{
    jit_code             *code  = &c->code;
    const plan_scope     *scope = s->scope;
    const jit_scope_code *to    = &c->scopes[scope - c->plan->scopes];
    jit_label             on = code_label(code), indices = code_label(code);
    bool                  known = scope->span && scope->count < MISS_FIELDS_MAX;

    code_bind(code, to->miss);
    look_up(c, scope, to);
    code_bind(code, to->stop);
    x64_alu32_imm(code, X64_CMP, RCX, (int32_t)s->least[scope->count]);
    x64_jump_if(code, X64_NOT_BELOW, s->after[scope->count]);

    code_bind(code, to->look);
    x64_mov_imm(code, RSI, (uintptr_t)scope->step_of);
    x64_load32_index(code, RSI, RSI, RCX);
    x64_shift64(code, 4, RSI, 6); /* a step is 64 bytes */
    x64_mov_imm(code, RAX, (uintptr_t)c->plan->steps);
    x64_alu64(code, X64_ADD, RSI, RAX);
    begin_call(c);
    x64_call_at(code, c->helpers[JIT_DECODE_RESYNC]);
    x64_test(code, RAX, RAX);
    x64_jump_if(code, X64_EQUAL, c->fail);
    fetch_arena(c);
    /* p is behind a header, or behind the stop byte, and shall be before it */
    x64_lea(code, RBX, RDX, -3);
    x64_load32(code, RAX, RAX, (int32_t)offsetof(plan_step, index));
    x64_alu32_imm(code, X64_CMP, RAX, (int32_t)scope->count);
    x64_jump_if(code, X64_NOT_EQUAL, on);
    x64_alu64_imm(code, X64_ADD, RBX, 2);
    code_bind(code, on);
    x64_lea_label(code, RSI, indices);
    x64_movsxd_index(code, RAX, RSI, RAX);
    x64_alu64(code, X64_ADD, RAX, RSI);
    x64_jump_reg(code, RAX);

    while (code->size % 8 && !code->failed)
        code_u8(code, 0xcc);
    code_mark(code, JIT_PART_DATA, 0);
    code_bind(code, to->fields);
    if (known)
        miss_put_fields(c, s, X64_TABLE);
    code_bind(code, indices);
    miss_put_indices(c, s, X64_TABLE);
}

void target_decode_rest_from(jit_compiler *c, const plan_step *step, jit_label rest)
{
    x64_mov_imm(&c->code, RSI, (uintptr_t)step);
    x64_jump(&c->code, rest);
}

void target_decode_rest(jit_compiler *c, jit_label end)
{
    call_helper(c, JIT_DECODE_REST);
    x64_jump(&c->code, end);
}

#endif /* __x86_64__ */
