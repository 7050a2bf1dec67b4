/* jit/lower_a64_decode.c - decoding, in AArch64 instructions. Registers: lower_a64.h. */
#include "jit/target.h"

#ifdef __aarch64__

#    include "jit/lower_a64.h"
#    include "jit/miss.h"

void target_decode_head(jit_compiler *c, uint32_t at, uint32_t head, unsigned size, jit_label miss)
{
    jit_code *code = &c->code;
    a64_wldr(code, 9, P, (int32_t)at);
    if (size == 3) { /* the fourth byte is the value's: shifted out */
        a64_wlsl(code, 9, 9, 8);
        head <<= 8;
    }
    a64_wcmp_imm(code, 9, head);
    a64_b_if(code, A64_NOT_EQUAL, miss);
}

void target_decode_stop(jit_compiler *c, uint32_t at, jit_label miss)
{
    a64_ldrb(&c->code, 9, P, (int32_t)at);
    a64_wcbnz(&c->code, 9, miss);
}

void target_decode_byte(jit_compiler *c, uint32_t at, uint8_t value, jit_label miss)
{
    a64_ldrb(&c->code, 9, P, (int32_t)at);
    a64_wcmp_imm(&c->code, 9, value);
    a64_b_if(&c->code, A64_NOT_EQUAL, miss);
}

void target_decode_scalar(jit_compiler *c, uint8_t op, uint32_t at, uint32_t offset)
{
    move_scalar(c, op, P, (int32_t)at, RECORD, (int32_t)offset);
}

void target_decode_present(jit_compiler *c, uint32_t has)
{
    a64_mov_imm(&c->code, 9, 1);
    a64_strb(&c->code, 9, RECORD, (int32_t)has);
}

/* x10: how many bytes; x11: from where; x12: behind them in the input. */
void target_decode_text(jit_compiler *c, uint32_t at, uint32_t offset, jit_label slow)
{
    jit_code *code   = &c->code;
    int32_t   behind = (int32_t)at + 4;
    jit_label turn = code_label(code), done = code_label(code);
    a64_wldr(code, 10, P, (int32_t)at);
    a64_wrev(code, 10, 10);
    a64_add(code, 12, P, 10);
    a64_add_imm(code, 9, 12,
                behind + (c->viewed ? 0 : ARENA_SLACK)); /* as much may be read behind it */
    a64_cmp(code, 9, END);
    a64_b_if(code, A64_ABOVE, slow);
    if (c->viewed) {
        a64_add_imm(code, 11, P, behind);
        a64_mov(code, P, 12);
        store_span(c, offset, 11, 10);
        return;
    }
    a64_add(code, 9, CURSOR, 10);
    a64_cmp(code, 9, LIMIT);
    a64_b_if(code, A64_ABOVE, slow);
    a64_add_imm(code, 11, P, behind);
    a64_mov(code, P, 12);
    a64_mov(code, 13, CURSOR);
    a64_mov(code, CURSOR, 9);
    store_span(c, offset, 13, 10);
    move_32(c, 13, 11, 0);
    a64_wcmp_imm(code, 10, 32);
    a64_b_if_near(code, A64_NOT_ABOVE, done);
    code_bind(code, turn);
    a64_add_imm(code, 13, 13, 32);
    a64_add_imm(code, 11, 11, 32);
    move_32(c, 13, 11, 0);
    a64_add_imm(code, 14, 13, 32);
    a64_cmp(code, 14, 9);
    a64_b_if_near(code, A64_BELOW, turn);
    code_bind(code, done);
}

/* Room in the arena for x12 bytes, charged to the budget: x13 is its beginning, x14 its end. */
static void allocate(jit_compiler *c, uint32_t align, jit_label slow)
{
    jit_code *code  = &c->code;
    unsigned  shift = 0;
    while (1u << shift < align)
        shift++;
    a64_mov(code, 13, CURSOR);
    if (shift) {
        a64_add_imm(code, 13, 13, (int64_t)align - 1);
        a64_lsr(code, 13, 13, shift);
        a64_lsl(code, 13, 13, shift);
    }
    a64_add(code, 14, 13, 12);
    a64_cmp(code, 14, LIMIT);
    a64_b_if(code, A64_ABOVE, slow);
    a64_ldr(code, 9, CONTEXT, (int32_t)c->budget);
    a64_cmp(code, 9, 12);
    a64_b_if(code, A64_BELOW, slow);
    a64_sub(code, 9, 9, 12);
    a64_str(code, 9, CONTEXT, (int32_t)c->budget);
    a64_mov(code, CURSOR, 14);
}

/* Zeroes from x13 to x14, and up to 63 bytes more, which are the arena's. */
static void zero_loose(jit_compiler *c)
{
    jit_code *code = &c->code;
    jit_label turn = code_label(code);
    a64_mov(code, 15, 13);
    a64_vzero(code, 0);
    code_bind(code, turn);
    for (int32_t at = 0; at < 64; at += 16)
        a64_qstr(code, 0, 15, at);
    a64_add_imm(code, 15, 15, 64);
    a64_cmp(code, 15, 14);
    a64_b_if_near(code, A64_BELOW, turn);
}

#    define ITEMS_MAX 4096u /* bytes of elements that need no growing, whatever the input */

void target_decode_items(jit_compiler *c, const plan_step *step, uint32_t at, jit_label slow,
                         jit_label empty)
{
    jit_code           *code    = &c->code;
    const plan_routine *routine = &c->plan->routines[step->body];
    int32_t             behind  = (int32_t)at + 4;
    if (routine->stride > ITEMS_MAX || (routine->initialise && routine->initial)) {
        a64_b(code, slow);
        return;
    }
    a64_wldr(code, 10, P, (int32_t)at);
    a64_wrev(code, 10, 10);
    a64_wcbz(code, 10, empty);
    a64_wcmp_imm(code, 10, ITEMS_MAX / routine->stride);
    a64_b_if(code, A64_ABOVE, slow);
    a64_mov_imm(code, 9, routine->wire_min);
    a64_mul(code, 9, 9, 10);
    a64_add(code, 9, 9, P);
    a64_add_imm(code, 9, 9, behind);
    a64_cmp(code, 9, END);
    a64_b_if(code, A64_ABOVE, slow);
    a64_mov_imm(code, 12, routine->stride);
    a64_mul(code, 12, 12, 10);
    allocate(c, routine->align, slow);
    store_span(c, step->offset, 13, 10);
    if (routine->initialise)
        zero_loose(c);
    target_advance(c, behind);
    a64_mov(code, 2, 13);
    a64_mov(code, 3, 10);
    load_left(c, (uint32_t)step->depth + routine->depth);
    a64_bl(code, c->routines[step->body]);
}

void target_decode_empty(jit_compiler *c, uint32_t offset)
{
    a64_mov_imm(&c->code, 9, (uintptr_t)schema_empty);
    store_span(c, offset, 9, A64_ZR);
}

void target_decode_span(jit_compiler *c, const plan_step *step, uint32_t at, jit_label slow,
                        jit_label empty)
{
    jit_code *code   = &c->code;
    bool      bools  = step->op == PLAN_BOOLS;
    unsigned  shift  = bools ? 0 : step->shift;
    int32_t   behind = (int32_t)at + 4;
    jit_label turn   = code_label(code);
    a64_wldr(code, 10, P, (int32_t)at);
    a64_wrev(code, 10, 10);
    a64_wcbz(code, 10, empty);
    a64_wcmp_imm(code, 10, JIT_SPAN_MAX >> shift);
    a64_b_if(code, A64_ABOVE, slow);
    a64_lsl(code, 12, 10, shift);
    a64_add(code, 11, P, 12);
    a64_add_imm(code, 9, 11, behind + ARENA_SLACK);
    a64_cmp(code, 9, END);
    a64_b_if(code, A64_ABOVE, slow);
    allocate(c, bools ? 1 : 8, slow);
    store_span(c, step->offset, 13, 10);
    a64_add_imm(code, 12, P, behind);
    a64_mov(code, P, 11);
    if (bools)
        a64_vones(code, 2);
    code_bind(code, turn);
    for (int32_t move = 0; move < 32; move += 16) {
        a64_qldr(code, 0, 12, move);
        if (bools)
            a64_vmin(code, 0, 0, 2);
        else if (shift == 1)
            a64_vrev16(code, 0, 0);
        else if (shift == 2)
            a64_vrev32(code, 0, 0);
        else if (shift == 3)
            a64_vrev64(code, 0, 0);
        a64_qstr(code, 0, 13, move);
    }
    a64_add_imm(code, 12, 12, 32);
    a64_add_imm(code, 13, 13, 32);
    a64_cmp(code, 13, CURSOR);
    a64_b_if_near(code, A64_BELOW, turn);
}

void target_decode_behind(jit_compiler *c, const plan_step *step, jit_label slow)
{
    jit_code           *code    = &c->code;
    const plan_routine *routine = &c->plan->routines[step->body];
    if (routine->initial || routine->stride > ITEMS_MAX) {
        a64_b(code, slow);
        return;
    }
    a64_mov_imm(code, 12, routine->stride);
    allocate(c, routine->align, slow);
    a64_str(code, 13, RECORD, (int32_t)step->offset);
    zero_loose(c);
    a64_mov(code, 2, 13);
    a64_mov_imm(code, 3, 1);
    load_left(c, step->depth);
    a64_bl(code, c->routines[step->body]);
}

static void zero(jit_compiler *c, unsigned base, uint32_t offset, uint32_t size)
{
    jit_code *code = &c->code;
    int32_t   at = (int32_t)offset, end = at + (int32_t)size;
    if (size >= 16) {
        a64_vzero(code, 0);
        for (; end - at > 16; at += 16)
            a64_qstr(code, 0, base, at);
        a64_qstr(code, 0, base, end - 16);
        return;
    }
    for (; end - at >= 8; at += 8)
        a64_str(code, A64_ZR, base, at);
    for (; end - at >= 4; at += 4)
        a64_wstr(code, A64_ZR, base, at);
    for (; end - at >= 1; at++)
        a64_strb(code, A64_ZR, base, at);
}

void target_decode_zero(jit_compiler *c, uint32_t offset, uint32_t size)
{
    zero(c, RECORD, offset, size);
}

void target_decode_zero_root(jit_compiler *c, uint32_t size)
{
    zero(c, 2, 0, size);
}

void target_decode_missed(jit_compiler *c, const plan_step *step, jit_label to)
{
    a64_mov_imm(&c->code, 15, step->index);
    a64_b(&c->code, to);
}

/* x9: the byte of the type. */
static void miss_in_table(jit_compiler *c, const plan_scope *scope, jit_label fields,
                          jit_label look)
{
    jit_code *code = &c->code;
    a64_ldrh(code, 10, P, 1);
    a64_wrev16(code, 10, 10);
    a64_sxth(code, 10, 10);
    a64_mov_imm(code, 11, (uint32_t)scope->low);
    a64_wsub(code, 10, 10, 11);
    a64_wcmp_imm(code, 10, scope->span);
    a64_b_if(code, A64_NOT_BELOW, look);
    a64_adr(code, 11, fields);
    a64_ldr_index(code, 12, 11, 10);
    a64_lsr(code, 13, 12, 32);
    a64_wbits(code, 14, 13, 0, 8);
    a64_wcmp(code, 14, 9);
    a64_b_if(code, A64_NOT_EQUAL, look);
    a64_wbits(code, 14, 13, 8, MISS_FIELD_BITS);
    a64_wlsr(code, 13, 13, 8 + MISS_FIELD_BITS);
    a64_wsub(code, 14, 15, 14);
    a64_wcmp(code, 14, 13);
    a64_b_if(code, A64_ABOVE, look);
    a64_sxtw(code, 12, 12);
    a64_add(code, 12, 12, 11);
    a64_br(code, 12);
}

/* x15 is the index of the step that was expected. */
static void look_up(jit_compiler *c, const plan_scope *scope, const jit_scope_code *to)
{
    jit_code *code = &c->code;
    target_room(c, 4, to->look);
    a64_ldrb(code, 9, P, 0);
    a64_wcbz(code, 9, to->stop);
    if (scope->span && scope->count < MISS_FIELDS_MAX)
        miss_in_table(c, scope, to->fields, to->look);
    else
        a64_b(code, to->look);
}

void target_decode_dispatch(jit_compiler *c, const plan_step *step)
{
    a64_mov_imm(&c->code, 15, step->index);
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
    a64_wcmp_imm(code, 15, s->least[scope->count]);
    a64_b_if(code, A64_NOT_BELOW, s->after[scope->count]);

    code_bind(code, to->look);
    a64_mov_imm(code, 1, (uintptr_t)scope->step_of);
    a64_wldr_index(code, 1, 1, 15);
    a64_lsl(code, 1, 1, 6); /* a step is 64 bytes */
    a64_mov_imm(code, 9, (uintptr_t)c->plan->steps);
    a64_add(code, 1, 1, 9);
    begin_call(c);
    call_c(c, JIT_DECODE_RESYNC);
    a64_cbz(code, 0, c->fail);
    fetch_arena(c);
    /* p is behind a header, or behind the stop byte, and shall be before it */
    a64_wldr(code, 10, 0, (int32_t)offsetof(plan_step, index));
    a64_add_imm(code, P, 1, -3);
    a64_wcmp_imm(code, 10, scope->count);
    a64_b_if_near(code, A64_NOT_EQUAL, on);
    a64_add_imm(code, P, P, 2);
    code_bind(code, on);
    a64_adr(code, 11, indices);
    a64_ldrsw_index(code, 12, 11, 10);
    a64_add(code, 12, 12, 11);
    a64_br(code, 12);

    while (code->size % 8 && !code->failed)
        a64_word(code, 0xd503201f);
    code_mark(code, JIT_PART_DATA, 0);
    code_bind(code, to->fields);
    if (known)
        miss_put_fields(c, s, A64_TABLE);
    code_bind(code, indices);
    miss_put_indices(c, s, A64_TABLE);
}

void target_decode_rest_from(jit_compiler *c, const plan_step *step, jit_label rest)
{
    a64_mov_imm(&c->code, 1, (uintptr_t)step);
    a64_b(&c->code, rest);
}

void target_decode_rest(jit_compiler *c, jit_label end)
{
    call_helper(c, JIT_DECODE_REST);
    a64_b(&c->code, end);
}

#endif /* __aarch64__ */
