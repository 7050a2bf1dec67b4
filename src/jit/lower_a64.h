/* jit/lower_a64.h - what the compiler asks for, in AArch64 instructions. AAPCS64.
 *
 *   x19  p, the position in input or output   x21  end of input or output
 *   x20  the record                           x22  the context
 *   x23  decoding: the arena's cursor         x24  decoding: the arena's limit
 *        measuring: what is odd gathers
 *   [sp] levels left   [sp + 8] records left   [sp + 16] the caller's record   [sp + 24] x30
 *
 * As lower_x64.c: routines call each other with the record in x2, the count in x3 and the levels in
 * x4. */
#ifndef JIT_LOWER_A64_H
#define JIT_LOWER_A64_H

#include "core/arena.h"
#include "jit/emit_a64.h"
#include "jit/target.h"

#define ARENA_CURSOR ((int32_t)offsetof(frugal_arena, cursor))
#define ARENA_LIMIT  ((int32_t)offsetof(frugal_arena, limit))

enum { P = 19, RECORD = 20, END = 21, CONTEXT = 22, CURSOR = 23, LIMIT = 24, ODD = 23 };

#define LEFT  0
#define COUNT 8

static inline bool has_arena(const jit_compiler *c)
{
    return c->arena != JIT_NO_OFFSET;
}

static inline void fetch_arena(jit_compiler *c)
{
    a64_ldr(&c->code, 9, CONTEXT, (int32_t)c->arena);
    a64_ldr(&c->code, CURSOR, 9, ARENA_CURSOR);
    a64_ldr(&c->code, LIMIT, 9, ARENA_LIMIT);
}

static inline void put_arena(jit_compiler *c)
{
    a64_ldr(&c->code, 9, CONTEXT, (int32_t)c->arena);
    a64_str(&c->code, CURSOR, 9, ARENA_CURSOR);
}

/* The levels that are left for what lies `depth` below. */
static inline void load_left(jit_compiler *c, uint32_t depth)
{
    a64_wldr(&c->code, 4, A64_SP, LEFT);
    if (depth)
        a64_wsub_imm12(&c->code, 4, 4, depth);
}

/* x1 is the step. */
static inline void begin_call(jit_compiler *c)
{
    jit_code *code = &c->code;
    if (has_arena(c))
        put_arena(c);
    a64_mov(code, 0, CONTEXT);
    a64_mov(code, 2, P);
    a64_mov(code, 3, RECORD);
    a64_wldr(code, 4, A64_SP, LEFT);
}

static inline void call_c(jit_compiler *c, unsigned helper)
{
    a64_adr(&c->code, 16, c->helpers[helper]);
    a64_ldr(&c->code, 16, 16, 0);
    a64_blr(&c->code, 16);
}

/* x0 is the new p, or NULL. Output may have moved. */
static inline void helper_done(jit_compiler *c)
{
    a64_cbz(&c->code, 0, c->fail);
    a64_mov(&c->code, P, 0);
    if (has_arena(c))
        fetch_arena(c);
    else if (c->end != JIT_NO_OFFSET)
        a64_ldr(&c->code, END, CONTEXT, (int32_t)c->end);
}

static inline void call_helper(jit_compiler *c, unsigned helper)
{
    begin_call(c);
    call_c(c, helper);
    helper_done(c);
}

/* One scalar between the wire and the record, either way: the bytes are turned round. */
static inline void move_scalar(jit_compiler *c, uint8_t op, unsigned from, int32_t from_at,
                               unsigned to, int32_t to_at)
{
    jit_code *code = &c->code;
    switch (op) {
    case PLAN_BOOL:
        a64_ldrb(code, 9, from, from_at);
        a64_wcmp_imm(code, 9, 0);
        a64_wset(code, 9, A64_NOT_EQUAL);
        a64_strb(code, 9, to, to_at);
        break;
    case PLAN_I8:
        a64_ldrb(code, 9, from, from_at);
        a64_strb(code, 9, to, to_at);
        break;
    case PLAN_I16:
        a64_ldrh(code, 9, from, from_at);
        a64_wrev16(code, 9, 9);
        a64_strh(code, 9, to, to_at);
        break;
    case PLAN_I32:
        a64_wldr(code, 9, from, from_at);
        a64_wrev(code, 9, 9);
        a64_wstr(code, 9, to, to_at);
        break;
    default:
        a64_ldr(code, 9, from, from_at);
        a64_rev(code, 9, 9);
        a64_str(code, 9, to, to_at);
        break;
    }
}

static inline void move_32(jit_compiler *c, unsigned to, unsigned from, int32_t at)
{
    a64_qldr(&c->code, 0, from, at);
    a64_qldr(&c->code, 1, from, at + 16);
    a64_qstr(&c->code, 0, to, at);
    a64_qstr(&c->code, 1, to, at + 16);
}

static inline void store_span(jit_compiler *c, uint32_t offset, unsigned ptr, unsigned len)
{
    a64_str(&c->code, ptr, RECORD, (int32_t)offset);
    a64_str(&c->code, len, RECORD, (int32_t)offset + 8);
}

static inline void store_length(jit_compiler *c, unsigned len, uint32_t at)
{
    a64_wrev(&c->code, 9, len);
    a64_wstr(&c->code, 9, P, (int32_t)at);
}

#endif /* JIT_LOWER_A64_H */
