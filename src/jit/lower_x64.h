/* jit/lower_x64.h - what the compiler asks for, in x86-64 instructions. System V calls.
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
#ifndef JIT_LOWER_X64_H
#define JIT_LOWER_X64_H

#include "core/arena.h"
#include "jit/emit_x64.h"
#include "jit/target.h"

#define ARENA_CURSOR ((int32_t)offsetof(frugal_arena, cursor))
#define ARENA_LIMIT  ((int32_t)offsetof(frugal_arena, limit))

#define LEFT  0
#define COUNT 8

static inline bool has_arena(const jit_compiler *c)
{
    return c->arena != JIT_NO_OFFSET;
}

static inline void fetch_arena(jit_compiler *c)
{
    x64_load64(&c->code, RCX, R13, (int32_t)c->arena);
    x64_load64(&c->code, R14, RCX, ARENA_CURSOR);
    x64_load64(&c->code, R15, RCX, ARENA_LIMIT);
}

static inline void put_arena(jit_compiler *c)
{
    x64_load64(&c->code, RAX, R13, (int32_t)c->arena);
    x64_store64(&c->code, RAX, ARENA_CURSOR, R14);
}

static inline void load_swapped32(jit_compiler *c, x64_reg to, int32_t at)
{
    if (c->features & JIT_MOVBE) {
        x64_load_swapped32(&c->code, to, RBX, at);
    } else {
        x64_load32(&c->code, to, RBX, at);
        x64_bswap32(&c->code, to);
    }
}

static inline void load_swapped64(jit_compiler *c, x64_reg to, int32_t at)
{
    if (c->features & JIT_MOVBE) {
        x64_load_swapped64(&c->code, to, RBX, at);
    } else {
        x64_load64(&c->code, to, RBX, at);
        x64_bswap64(&c->code, to);
    }
}

static inline void store_swapped32(jit_compiler *c, int32_t at, x64_reg from)
{
    if (c->features & JIT_MOVBE) {
        x64_store_swapped32(&c->code, RBX, at, from);
    } else {
        x64_mov32(&c->code, RCX, from);
        x64_bswap32(&c->code, RCX);
        x64_store32(&c->code, RBX, at, RCX);
    }
}

static inline void load_128(jit_compiler *c, unsigned xmm, x64_reg base, int32_t at)
{
    if (c->features & JIT_AVX2)
        x64_vload128(&c->code, xmm, base, at);
    else
        x64_load128(&c->code, xmm, base, at);
}

static inline void store_128(jit_compiler *c, x64_reg base, int32_t at, unsigned xmm)
{
    if (c->features & JIT_AVX2)
        x64_vstore128(&c->code, base, at, xmm);
    else
        x64_store128(&c->code, base, at, xmm);
}

static inline void zero_128(jit_compiler *c, unsigned xmm)
{
    if (c->features & JIT_AVX2)
        x64_vzero128(&c->code, xmm);
    else
        x64_zero128(&c->code, xmm);
}

static inline void move_32(jit_compiler *c, int32_t at)
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

/* rax is the new p, or NULL. Output may have moved. */
static inline void helper_done(jit_compiler *c)
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
static inline void begin_call(jit_compiler *c)
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

static inline void call_helper(jit_compiler *c, unsigned helper)
{
    begin_call(c);
    x64_call_at(&c->code, c->helpers[helper]);
    helper_done(c);
}

#endif /* JIT_LOWER_X64_H */
