/* jit/lower_a64.c - what the compiler asks for, in AArch64 instructions. AAPCS64.
 *
 *   x19  p, the position in input or output   x21  end of input or output
 *   x20  the record                           x22  the context
 *   x23  decoding: the arena's cursor         x24  decoding: the arena's limit
 *        measuring: what is odd gathers
 *   [sp] levels left   [sp + 8] records left   [sp + 16] the caller's record   [sp + 24] x30
 *
 * As lower_x64.c: routines call each other with the record in x2, the count in x3 and the levels in
 * x4. */
#include "jit/target.h"

#ifdef __aarch64__

#    include "core/arena.h"
#    include "jit/emit_a64.h"

#    define ARENA_CURSOR ((int32_t)offsetof(frugal_arena, cursor))
#    define ARENA_LIMIT  ((int32_t)offsetof(frugal_arena, limit))

enum { P = 19, RECORD = 20, END = 21, CONTEXT = 22, CURSOR = 23, LIMIT = 24, ODD = 23 };

#    define LEFT  0
#    define COUNT 8
#    define FRAME 32

/* ---- routines ------------------------------------------------------------------------------- */

static bool has_arena(const jit_compiler *c)
{
    return c->arena != JIT_NO_OFFSET;
}

static void fetch_arena(jit_compiler *c)
{
    a64_ldr(&c->code, 9, CONTEXT, (int32_t)c->arena);
    a64_ldr(&c->code, CURSOR, 9, ARENA_CURSOR);
    a64_ldr(&c->code, LIMIT, 9, ARENA_LIMIT);
}

static void put_arena(jit_compiler *c)
{
    a64_ldr(&c->code, 9, CONTEXT, (int32_t)c->arena);
    a64_str(&c->code, CURSOR, 9, ARENA_CURSOR);
}

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

/* The levels that are left for what lies `depth` below. */
static void load_left(jit_compiler *c, uint32_t depth)
{
    a64_wldr(&c->code, 4, A64_SP, LEFT);
    if (depth)
        a64_wsub_imm12(&c->code, 4, 4, depth);
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

/* ---- calls ---------------------------------------------------------------------------------- */

/* x1 is the step. */
static void begin_call(jit_compiler *c)
{
    jit_code *code = &c->code;
    if (has_arena(c))
        put_arena(c);
    a64_mov(code, 0, CONTEXT);
    a64_mov(code, 2, P);
    a64_mov(code, 3, RECORD);
    a64_wldr(code, 4, A64_SP, LEFT);
}

static void call_c(jit_compiler *c, unsigned helper)
{
    a64_adr(&c->code, 16, c->helpers[helper]);
    a64_ldr(&c->code, 16, 16, 0);
    a64_blr(&c->code, 16);
}

/* x0 is the new p, or NULL. Output may have moved. */
static void helper_done(jit_compiler *c)
{
    a64_cbz(&c->code, 0, c->fail);
    a64_mov(&c->code, P, 0);
    if (has_arena(c))
        fetch_arena(c);
    else if (c->end != JIT_NO_OFFSET)
        a64_ldr(&c->code, END, CONTEXT, (int32_t)c->end);
}

static void call_helper(jit_compiler *c, unsigned helper)
{
    begin_call(c);
    call_c(c, helper);
    helper_done(c);
}

void target_call(jit_compiler *c, unsigned helper, const void *what)
{
    a64_mov_imm(&c->code, 1, (uintptr_t)what);
    call_helper(c, helper);
}

/* ---- decoding: headers and scalars ---------------------------------------------------------- */

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

/* One scalar between the wire and the record, either way: the bytes are turned round. */
static void move_scalar(jit_compiler *c, uint8_t op, unsigned from, int32_t from_at, unsigned to,
                        int32_t to_at)
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

void target_decode_scalar(jit_compiler *c, uint8_t op, uint32_t at, uint32_t offset)
{
    move_scalar(c, op, P, (int32_t)at, RECORD, (int32_t)offset);
}

void target_decode_present(jit_compiler *c, uint32_t has)
{
    a64_mov_imm(&c->code, 9, 1);
    a64_strb(&c->code, 9, RECORD, (int32_t)has);
}

/* ---- decoding: text ------------------------------------------------------------------------- */

static void move_32(jit_compiler *c, unsigned to, unsigned from, int32_t at)
{
    a64_qldr(&c->code, 0, from, at);
    a64_qldr(&c->code, 1, from, at + 16);
    a64_qstr(&c->code, 0, to, at);
    a64_qstr(&c->code, 1, to, at + 16);
}

static void store_span(jit_compiler *c, uint32_t offset, unsigned ptr, unsigned len)
{
    a64_str(&c->code, ptr, RECORD, (int32_t)offset);
    a64_str(&c->code, len, RECORD, (int32_t)offset + 8);
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

/* ---- decoding: containers and structs ------------------------------------------------------- */

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

/* ---- decoding: misses ----------------------------------------------------------------------- */

void target_decode_missed(jit_compiler *c, const plan_step *step, jit_label to)
{
    a64_mov_imm(&c->code, 15, step->index);
    a64_b(&c->code, to);
}

/* As in lower_x64.c: distance of the code, wire type, least index, indices from that to its own. */
#    define FIELD_BITS 12u
#    define FIELDS_MAX (1u << FIELD_BITS)

static void put_fields(jit_compiler *c, const jit_scope *s)
{
    jit_code *code = &c->code;
    uint32_t  base = code->size;
    for (uint32_t slot = 0; slot < s->scope->span; slot++) {
        const plan_step *step = &c->plan->steps[s->scope->by_id[slot]];
        uint32_t         at   = code->size;
        if (step->wire == 0) {
            code_u64(code, 0);
            continue;
        }
        uint32_t least = s->least[step->index];
        code_refer(code, at, s->after[step->index], A64_TABLE);
        code_u32(code, at - base);
        code_u32(code, step->wire | least << 8 | (step->index - least) << (8 + FIELD_BITS));
    }
}

static void put_indices(jit_compiler *c, const jit_scope *s)
{
    uint32_t base = c->code.size;
    for (uint32_t i = 0; i <= s->scope->count; i++) {
        code_refer(&c->code, c->code.size, s->after[i], A64_TABLE);
        code_u32(&c->code, c->code.size - base);
    }
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
    a64_wbits(code, 14, 13, 8, FIELD_BITS);
    a64_wlsr(code, 13, 13, 8 + FIELD_BITS);
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
    if (scope->span && scope->count < FIELDS_MAX)
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
    bool                  known = scope->span && scope->count < FIELDS_MAX;

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
        put_fields(c, s);
    code_bind(code, indices);
    put_indices(c, s);
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

/* ---- encoding ------------------------------------------------------------------------------- */

void target_encode_more(jit_compiler *c, unsigned helper, uint32_t bytes)
{
    jit_code *code = &c->code;
    a64_mov(code, 0, CONTEXT);
    a64_mov(code, 1, P);
    a64_mov_imm(code, 2, bytes);
    a64_mov(code, 3, A64_ZR);
    call_c(c, helper);
    helper_done(c);
}

void target_encode_head(jit_compiler *c, uint32_t at, uint32_t head)
{
    a64_mov_imm(&c->code, 9, head);
    a64_wstr(&c->code, 9, P, (int32_t)at);
}

void target_encode_stop(jit_compiler *c, uint32_t at)
{
    a64_strb(&c->code, A64_ZR, P, (int32_t)at);
}

void target_encode_byte(jit_compiler *c, uint32_t at, uint8_t value)
{
    a64_mov_imm(&c->code, 9, value);
    a64_strb(&c->code, 9, P, (int32_t)at);
}

void target_encode_count(jit_compiler *c, uint32_t at, uint32_t count)
{
    a64_mov_imm(&c->code, 9, __builtin_bswap32(count));
    a64_wstr(&c->code, 9, P, (int32_t)at);
}

void target_encode_scalar(jit_compiler *c, uint8_t op, uint32_t at, uint32_t offset)
{
    move_scalar(c, op, RECORD, (int32_t)offset, P, (int32_t)at);
}

static void store_length(jit_compiler *c, unsigned len, uint32_t at)
{
    a64_wrev(&c->code, 9, len);
    a64_wstr(&c->code, 9, P, (int32_t)at);
}

/* x11 the bytes, x10 how many, x13 where to. */
void target_encode_text(jit_compiler *c, uint32_t at, uint32_t offset, jit_label null,
                        jit_label more)
{
    jit_code *code = &c->code;
    a64_ldr(code, 11, RECORD, (int32_t)offset);
    a64_ldr(code, 10, RECORD, (int32_t)offset + 8);
    a64_cbz(code, 11, null);
    a64_sub(code, 9, END, P);
    a64_add_imm(code, 9, 9, -(int64_t)(at + 4));
    a64_cmp(code, 10, 9);
    a64_b_if(code, A64_ABOVE, more);
    a64_add_imm(code, 13, P, at + 4);
    store_length(c, 10, at);
    a64_bl(code, c->copy);
}

void target_encode_text_null(jit_compiler *c, uint32_t at, jit_label back)
{
    a64_cbnz(&c->code, 10, c->fail);
    a64_wstr(&c->code, A64_ZR, P, (int32_t)at);
    a64_add_imm(&c->code, P, P, at + 4);
    a64_b(&c->code, back);
}

void target_encode_text_more(jit_compiler *c, uint32_t at, unsigned helper, jit_label again)
{
    jit_code *code = &c->code;
    a64_mov(code, 0, CONTEXT);
    a64_mov(code, 1, P);
    a64_mov_imm(code, 2, at + 4);
    a64_mov(code, 3, 10);
    call_c(c, helper);
    helper_done(c);
    a64_b(code, again);
}

/* x10 bytes from x11 to x13, nothing outside of them; p becomes the end. */
void target_encode_copy(jit_compiler *c)
{
    jit_code *code  = &c->code;
    jit_label small = code_label(code), turn = code_label(code), last = code_label(code);
    jit_label eight = code_label(code), four = code_label(code), few = code_label(code),
              none = code_label(code);
    code_bind(code, c->copy);
    a64_add(code, P, 13, 10);
    a64_add(code, 12, 11, 10); /* the end of the source */
    a64_subs_imm12(code, 9, 10, 32);
    a64_b_if_near(code, A64_BELOW, small);
    a64_add_imm(code, 14, P, -32);
    code_bind(code, turn);
    a64_cmp(code, 13, 14);
    a64_b_if_near(code, A64_NOT_BELOW, last);
    move_32(c, 13, 11, 0);
    a64_add_imm(code, 13, 13, 32);
    a64_add_imm(code, 11, 11, 32);
    a64_b(code, turn);
    code_bind(code, last);
    move_32(c, P, 12, -32);
    a64_ret(code);

    code_bind(code, small);
    a64_wcmp_imm(code, 10, 16);
    a64_b_if_near(code, A64_BELOW, eight);
    a64_qldr(code, 0, 11, 0);
    a64_qldr(code, 1, 12, -16);
    a64_qstr(code, 0, 13, 0);
    a64_qstr(code, 1, P, -16);
    a64_ret(code);
    code_bind(code, eight);
    a64_wcmp_imm(code, 10, 8);
    a64_b_if_near(code, A64_BELOW, four);
    a64_ldr(code, 9, 11, 0);
    a64_ldr(code, 14, 12, -8);
    a64_str(code, 9, 13, 0);
    a64_str(code, 14, P, -8);
    a64_ret(code);
    code_bind(code, four);
    a64_wcmp_imm(code, 10, 4);
    a64_b_if_near(code, A64_BELOW, few);
    a64_wldr(code, 9, 11, 0);
    a64_wldr(code, 14, 12, -4);
    a64_wstr(code, 9, 13, 0);
    a64_wstr(code, 14, P, -4);
    a64_ret(code);
    code_bind(code, few);
    a64_wcbz(code, 10, none);
    a64_ldrb(code, 9, 11, 0);
    a64_ldrb(code, 14, 12, -1);
    a64_wlsr(code, 10, 10, 1);
    a64_add(code, 11, 11, 10);
    a64_add(code, 10, 13, 10);
    a64_ldrb(code, 11, 11, 0);
    a64_strb(code, 9, 13, 0);
    a64_strb(code, 11, 10, 0);
    a64_strb(code, 14, P, -1);
    code_bind(code, none);
    a64_ret(code);
}

/* x2 the elements, x3 how many, at most 2^31 - 1; the count is written. */
static void encode_items_count(jit_compiler *c, const plan_step *step, uint32_t at, jit_label null)
{
    jit_code *code = &c->code;
    a64_ldr(code, 2, RECORD, (int32_t)step->offset);
    a64_ldr(code, 3, RECORD, (int32_t)step->offset + 8);
    a64_cbz(code, 2, null);
    a64_lsr(code, 9, 3, 31);
    a64_cbnz(code, 9, c->fail);
    store_length(c, 3, at);
}

void target_encode_items(jit_compiler *c, const plan_step *step, uint32_t at, jit_label null,
                         jit_label none)
{
    encode_items_count(c, step, at, null);
    target_advance(c, (int32_t)at + 4);
    a64_cbz(&c->code, 3, none);
    load_left(c, (uint32_t)step->depth + c->plan->routines[step->body].depth);
    a64_bl(&c->code, c->routines[step->body]);
}

#    define SPAN_MAX \
        64u /* bytes swapped one element after the other; above, by the helper's vectors */

void target_encode_span(jit_compiler *c, const plan_step *step, uint32_t at, jit_label null,
                        jit_label slow)
{
    jit_code *code = &c->code;
    jit_label turn = code_label(code), done = code_label(code);
    if (step->op == PLAN_BOOLS || step->shift < 2) {
        a64_b(code, slow);
        return;
    }
    encode_items_count(c, step, at, null);
    a64_wcmp_imm(code, 3, SPAN_MAX >> step->shift);
    a64_b_if(code, A64_ABOVE, slow);
    a64_lsl(code, 10, 3, step->shift);
    a64_add_imm(code, 13, P, at + 4);
    a64_add(code, 10, 10, 13);
    a64_cmp(code, 10, END);
    a64_b_if(code, A64_ABOVE, slow);
    a64_mov(code, P, 10);
    code_bind(code, turn);
    a64_cmp(code, 13, P);
    a64_b_if_near(code, A64_EQUAL, done);
    move_scalar(c, step->shift == 3 ? PLAN_I64 : PLAN_I32, 2, 0, 13, 0);
    a64_add_imm(code, 2, 2, 1 << step->shift);
    a64_add_imm(code, 13, 13, 1 << step->shift);
    a64_b(code, turn);
    code_bind(code, done);
}

void target_absent_has(jit_compiler *c, uint32_t has, jit_label absent)
{
    a64_ldrb(&c->code, 9, RECORD, (int32_t)has);
    a64_wcbz(&c->code, 9, absent);
}

void target_absent_pointer(jit_compiler *c, uint32_t offset, jit_label absent)
{
    a64_ldr(&c->code, 9, RECORD, (int32_t)offset);
    a64_cbz(&c->code, 9, absent);
}

void target_present_has(jit_compiler *c, uint32_t has, jit_label present)
{
    a64_ldrb(&c->code, 9, RECORD, (int32_t)has);
    a64_wcbnz(&c->code, 9, present);
}

void target_present_pointer(jit_compiler *c, uint32_t offset, bool has_length, jit_label present)
{
    jit_code *code = &c->code;
    a64_ldr(code, 9, RECORD, (int32_t)offset);
    if (has_length) {
        a64_ldr(code, 10, RECORD, (int32_t)offset + 8);
        a64_orr(code, 9, 9, 10);
    }
    a64_cbnz(code, 9, present);
}

void target_null_length(jit_compiler *c, uint32_t offset, jit_label empty)
{
    a64_ldr(&c->code, 9, RECORD, (int32_t)offset + 8);
    a64_cbz(&c->code, 9, empty);
    a64_b(&c->code, c->fail);
}

/* ---- measuring ------------------------------------------------------------------------------ */

static void add_each(jit_compiler *c, unsigned len, uint32_t each)
{
    jit_code *code = &c->code;
    if (each == 1) {
        a64_add(code, P, P, len);
        return;
    }
    a64_mov_imm(code, 9, each);
    a64_mul(code, 9, 9, len);
    a64_add(code, P, P, 9);
}

void target_size_length(jit_compiler *c, uint32_t offset, uint32_t each)
{
    a64_ldr(&c->code, 10, RECORD, (int32_t)offset + 8);
    a64_orr(&c->code, ODD, ODD, 10);
    add_each(c, 10, each);
}

void target_size_items(jit_compiler *c, const plan_size *z, jit_label null, jit_label none)
{
    jit_code *code = &c->code;
    a64_ldr(code, 2, RECORD, (int32_t)z->offset);
    a64_ldr(code, 3, RECORD, (int32_t)z->offset + 8);
    a64_cbz(code, 2, null);
    a64_lsr(code, 9, 3, 31);
    a64_cbnz(code, 9, c->fail);
    add_each(c, 3, z->each);
    target_advance(c, (int32_t)z->fixed);
    a64_cbz(code, 3, none);
    load_left(c, (uint32_t)z->depth + c->plan->routines[z->body].depth);
    a64_bl(code, c->routines[z->body]);
}

/* ---- links ---------------------------------------------------------------------------------- */

void target_constants(jit_compiler *c)
{
    (void)c;
}

bool target_link(jit_code *code)
{
    return a64_link(code);
}

#endif /* __aarch64__ */
