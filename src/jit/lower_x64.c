/* jit/lower_x64.c - what the compiler asks for, in x86-64 instructions. System V calls.
 *
 *   rbx  p, the position in input or output   r12  end of input or output
 *   rbp  the record                           r13  the context
 *   r14  decoding: the arena's cursor         r15  decoding: the arena's limit
 *        measuring: what is odd gathers
 *   [rsp] levels left   [rsp + 8] records left   [rsp + 16] the caller's record
 *
 * The cursor is in a register because it is a chain through all texts: in memory, each of them
 * waited for the store of the one before. Around calls of C it is put back and fetched again.
 *
 * Within one unit, routines call each other with the record in rdx, the count in rcx and the levels
 * in r8, and p stays in rbx. A failure anywhere restores the stack pointer that `enter` left in the
 * context, and returns NULL from there: no routine looks whether the one that it called failed. */
#include "jit/target.h"

#ifdef __x86_64__

#    include "core/arena.h"
#    include "jit/emit_x64.h"

#    define ARENA_CURSOR ((int32_t)offsetof(frugal_arena, cursor))
#    define ARENA_LIMIT  ((int32_t)offsetof(frugal_arena, limit))

static const x64_reg saved[] = { RBX, RBP, R12, R13, R14, R15 };

#    define LEFT  0
#    define COUNT 8
#    define FRAME 24 /* bytes of a routine's frame, without the return address */

/* ---- routines ------------------------------------------------------------------------------- */

static bool has_arena(const jit_compiler *c)
{
    return c->arena != JIT_NO_OFFSET;
}

static void fetch_arena(jit_compiler *c)
{
    x64_load64(&c->code, RCX, R13, (int32_t)c->arena);
    x64_load64(&c->code, R14, RCX, ARENA_CURSOR);
    x64_load64(&c->code, R15, RCX, ARENA_LIMIT);
}

static void put_arena(jit_compiler *c)
{
    x64_load64(&c->code, RAX, R13, (int32_t)c->arena);
    x64_store64(&c->code, RAX, ARENA_CURSOR, R14);
}

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

/* ---- headers -------------------------------------------------------------------------------- */

void target_room(jit_compiler *c, uint32_t bytes, jit_label short_of)
{
    x64_lea(&c->code, RAX, RBX, (int32_t)bytes);
    x64_alu64(&c->code, X64_CMP, RAX, R12);
    x64_jump_if(&c->code, X64_ABOVE, short_of);
}

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

/* ---- scalars -------------------------------------------------------------------------------- */

static void load_swapped32(jit_compiler *c, x64_reg to, int32_t at)
{
    if (c->features & JIT_MOVBE) {
        x64_load_swapped32(&c->code, to, RBX, at);
    } else {
        x64_load32(&c->code, to, RBX, at);
        x64_bswap32(&c->code, to);
    }
}

static void load_swapped64(jit_compiler *c, x64_reg to, int32_t at)
{
    if (c->features & JIT_MOVBE) {
        x64_load_swapped64(&c->code, to, RBX, at);
    } else {
        x64_load64(&c->code, to, RBX, at);
        x64_bswap64(&c->code, to);
    }
}

static void store_swapped32(jit_compiler *c, int32_t at, x64_reg from)
{
    if (c->features & JIT_MOVBE) {
        x64_store_swapped32(&c->code, RBX, at, from);
    } else {
        x64_mov32(&c->code, RCX, from);
        x64_bswap32(&c->code, RCX);
        x64_store32(&c->code, RBX, at, RCX);
    }
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

void target_advance(jit_compiler *c, int32_t bytes)
{
    if (bytes)
        x64_alu64_imm(&c->code, X64_ADD, RBX, bytes);
}

static void load_128(jit_compiler *c, unsigned xmm, x64_reg base, int32_t at)
{
    if (c->features & JIT_AVX2)
        x64_vload128(&c->code, xmm, base, at);
    else
        x64_load128(&c->code, xmm, base, at);
}

static void store_128(jit_compiler *c, x64_reg base, int32_t at, unsigned xmm)
{
    if (c->features & JIT_AVX2)
        x64_vstore128(&c->code, base, at, xmm);
    else
        x64_store128(&c->code, base, at, xmm);
}

static void zero_128(jit_compiler *c, unsigned xmm)
{
    if (c->features & JIT_AVX2)
        x64_vzero128(&c->code, xmm);
    else
        x64_zero128(&c->code, xmm);
}

/* ---- text ----------------------------------------------------------------------------------- */

static void move_32(jit_compiler *c, int32_t at)
{
    jit_code *code = &c->code;
    if (c->features & JIT_AVX2) {
        x64_load256(code, 0, RSI, at);
        x64_store256(code, RDI, at, 0);
    } else {
        load_128(c, 0, RSI, at);
        load_128(c, 1, RSI, at + 16);
        store_128(c, RDI, at, 0);
        store_128(c, RDI, at + 16, 1);
    }
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

/* ---- containers ----------------------------------------------------------------------------- */

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

/* ---- structs -------------------------------------------------------------------------------- */

void target_record(jit_compiler *c, uint32_t offset, uint32_t depth, jit_label routine)
{
    jit_code *code = &c->code;
    x64_load32(code, R8, RSP, 0);
    x64_alu32_imm(code, X64_SUB, R8, (int32_t)depth);
    x64_lea(code, RDX, RBP, (int32_t)offset);
    x64_mov_imm(code, RCX, 1);
    x64_call(code, routine);
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

/* ---- calls ---------------------------------------------------------------------------------- */

/* rax is the new p, or NULL. Output may have moved. */
static void helper_done(jit_compiler *c)
{
    jit_code *code = &c->code;
    x64_test(code, RAX, RAX);
    x64_jump_if(code, X64_EQUAL, c->fail);
    x64_mov(code, RBX, RAX);
    if (has_arena(c))
        fetch_arena(c);
    else if (c->end != JIT_NO_OFFSET)
        x64_load64(code, R12, R13, (int32_t)c->end);
}

/* rsi is the step. */
static void begin_call(jit_compiler *c)
{
    jit_code *code = &c->code;
    if (has_arena(c))
        put_arena(c);
    x64_mov(code, RDI, R13);
    x64_mov(code, RDX, RBX);
    x64_mov(code, RCX, RBP);
    x64_load32(code, R8, RSP, LEFT);
    if (c->features & JIT_AVX2)
        x64_vzeroupper(code);
}

static void call_helper(jit_compiler *c, unsigned helper)
{
    begin_call(c);
    x64_call_at(&c->code, c->helpers[helper]);
    helper_done(c);
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

/* ---- misses --------------------------------------------------------------------------------- */

void target_decode_missed(jit_compiler *c, const plan_step *step, jit_label to)
{
    x64_mov_imm(&c->code, RCX, step->index);
    x64_jump(&c->code, to);
}

/* Eight bytes a field, by id: how far its code is from the table, its wire type, the least index of
 * a step from which it may be gone to, and how many indices there are from that to its own. One
 * load has them all. */
#    define FIELD_BITS 12u
#    define FIELDS_MAX (1u << FIELD_BITS)

static void put_fields(jit_compiler *c, const jit_scope *s)
{
    jit_code *code = &c->code;
    uint32_t  base = code->size;
    for (uint32_t slot = 0; slot < s->scope->span; slot++) {
        const plan_step *step = &c->plan->steps[s->scope->by_id[slot]];
        uint32_t         at   = code->size;
        if (step->wire
            == 0) { /* no such field; 0 is no type of a field, so that it is never equal */
            code_u64(code, 0);
            continue;
        }
        uint32_t least = s->least[step->index];
        code_refer(code, at, s->after[step->index], X64_TABLE);
        code_u32(code, at - base);
        code_u32(code, step->wire | least << 8 | (step->index - least) << (8 + FIELD_BITS));
    }
}

/* Distances of the code of each field, by index, and of the stop byte. */
static void put_indices(jit_compiler *c, const jit_scope *s)
{
    uint32_t base = c->code.size;
    for (uint32_t i = 0; i <= s->scope->count; i++) {
        code_refer(&c->code, c->code.size, s->after[i], X64_TABLE);
        code_u32(&c->code, c->code.size - base);
    }
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
    x64_shift32(code, 5, RDX, 8 + FIELD_BITS);
    x64_shift32(code, 5, RDI, 8);
    x64_alu32_imm(code, X64_AND, RDI, FIELDS_MAX - 1);
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
    if (scope->span && scope->count < FIELDS_MAX)
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
    bool                  known = scope->span && scope->count < FIELDS_MAX;

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
        put_fields(c, s);
    code_bind(code, indices);
    put_indices(c, s);
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

/* ---- encoding ------------------------------------------------------------------------------- */

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

/* ---- measuring ------------------------------------------------------------------------------ */

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

/* ---- links ---------------------------------------------------------------------------------- */

bool target_link(jit_code *code)
{
    return x64_link(code);
}

#endif /* __x86_64__ */
