/* jit/lower_a64_encode.c - encoding and measuring, in AArch64 instructions. Registers: lower_a64.h.
 */
#include "jit/target.h"

#ifdef __aarch64__

#    include "jit/lower_a64.h"

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

#endif /* __aarch64__ */
