/* jit/emit_a64.h - the AArch64 instructions that the lowering needs, one function each.
 *
 * Names and order of operands are Arm's: destination first, except for stores. `w` in a name:
 * 32-bit registers. Encodings: Arm ARM (DDI 0487), C4 and C6; tests/jit/emit_a64_test.c compares
 * each with what an assembler made of it. */
#ifndef JIT_EMIT_A64_H
#define JIT_EMIT_A64_H

#include <assert.h>

#include "jit/code.h"

/* X0 .. X30 are their numbers; 31 is the zero register or the stack pointer, as the instruction
 * has it. */
enum { A64_FP = 29, A64_LR = 30, A64_ZR = 31, A64_SP = 31 };

typedef enum a64_condition {
    A64_EQUAL     = 0,
    A64_NOT_EQUAL = 1,
    A64_NOT_BELOW = 2,
    A64_BELOW     = 3,
    A64_ABOVE     = 8,
    A64_NOT_ABOVE = 9
} a64_condition;

/* Kinds of reference: which bits of the word hold how many words, from the word itself. */
enum {
    A64_IMM26, /* b, bl */
    A64_IMM19, /* b.cond, cbz, cbnz, ldr of a literal */
    A64_ADR,   /* bytes: adr */
    A64_TABLE  /* a word in a table: bytes from the table; it holds its own distance */
};

static inline void a64_word(jit_code *c, uint32_t word)
{
    code_u32(c, word);
}

/* op rd, rn, rm */
static inline void a64_3(jit_code *c, uint32_t op, unsigned d, unsigned n, unsigned m)
{
    a64_word(c, op | m << 16 | n << 5 | d);
}
static inline void a64_2(jit_code *c, uint32_t op, unsigned d, unsigned n)
{
    a64_word(c, op | n << 5 | d);
}

/* ---- moves and arithmetic ------------------------------------------------------------------- */

static inline void a64_mov(jit_code *c, unsigned d, unsigned m)
{
    a64_3(c, 0xaa000000, d, A64_ZR, m);
}
static inline void a64_wmov(jit_code *c, unsigned d, unsigned m)
{
    a64_3(c, 0x2a000000, d, A64_ZR, m);
}
/* sp is no operand of the plain one */
static inline void a64_mov_sp(jit_code *c, unsigned d, unsigned n)
{
    a64_2(c, 0x91000000, d, n);
}

/* Any value, in as few instructions as its halves that are neither 0 nor, when most are, 0xffff. */
static inline void a64_mov_imm(jit_code *c, unsigned d, uint64_t value)
{
    unsigned zeroes = 0, ones = 0;
    for (unsigned shift = 0; shift < 64; shift += 16) {
        zeroes += (value >> shift & 0xffff) == 0;
        ones += (value >> shift & 0xffff) == 0xffff;
    }
    bool     inverted = ones > zeroes, first = true;
    uint32_t skipped = inverted ? 0xffff : 0;
    for (unsigned part = 0; part < 4; part++) {
        uint32_t half = (uint32_t)(value >> (16 * part)) & 0xffff;
        if (half == skipped && !(part == 3 && first))
            continue;
        if (!first)
            a64_word(c, 0xf2800000 | part << 21 | half << 5 | d); /* movk */
        else if (inverted)
            a64_word(c, 0x92800000 | part << 21 | (half ^ 0xffff) << 5 | d); /* movn */
        else
            a64_word(c, 0xd2800000 | part << 21 | half << 5 | d); /* movz */
        first = false;
    }
}

static inline void a64_add(jit_code *c, unsigned d, unsigned n, unsigned m)
{
    a64_3(c, 0x8b000000, d, n, m);
}
static inline void a64_sub(jit_code *c, unsigned d, unsigned n, unsigned m)
{
    a64_3(c, 0xcb000000, d, n, m);
}
static inline void a64_wsub(jit_code *c, unsigned d, unsigned n, unsigned m)
{
    a64_3(c, 0x4b000000, d, n, m);
}
static inline void a64_orr(jit_code *c, unsigned d, unsigned n, unsigned m)
{
    a64_3(c, 0xaa000000, d, n, m);
}
static inline void a64_worr(jit_code *c, unsigned d, unsigned n, unsigned m)
{
    a64_3(c, 0x2a000000, d, n, m);
}
static inline void a64_mul(jit_code *c, unsigned d, unsigned n, unsigned m)
{
    a64_3(c, 0x9b007c00, d, n, m);
}
static inline void a64_cmp(jit_code *c, unsigned n, unsigned m)
{
    a64_3(c, 0xeb000000, A64_ZR, n, m);
}
static inline void a64_wcmp(jit_code *c, unsigned n, unsigned m)
{
    a64_3(c, 0x6b000000, A64_ZR, n, m);
}

/* An immediate of 12 bits. */
static inline void a64_imm12(jit_code *c, uint32_t op, unsigned d, unsigned n, uint32_t value)
{
    assert(value < 4096);
    a64_word(c, op | value << 10 | n << 5 | d);
}
static inline void a64_subs_imm12(jit_code *c, unsigned d, unsigned n, uint32_t value)
{
    a64_imm12(c, 0xf1000000, d, n, value);
}
static inline void a64_wsub_imm12(jit_code *c, unsigned d, unsigned n, uint32_t value)
{
    a64_imm12(c, 0x51000000, d, n, value);
}

/* Any immediate; x16 is used when it is large. Not for sp then. */
static inline void a64_add_imm(jit_code *c, unsigned d, unsigned n, int64_t value)
{
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    uint32_t op   = value < 0 ? 0xd1000000 : 0x91000000;
    if (size >= 1u << 24) {
        assert(d != A64_SP && n != A64_SP);
        a64_mov_imm(c, 16, (uint64_t)value);
        a64_add(c, d, n, 16);
        return;
    }
    if (size >= 4096) {
        a64_word(c, op | 1u << 22 | (uint32_t)(size >> 12) << 10 | n << 5 | d);
        n = d;
        size &= 4095;
        if (size == 0)
            return;
    }
    if (size || d != n)
        a64_imm12(c, op, d, n, (uint32_t)size);
}

static inline void a64_wcmp_imm(jit_code *c, unsigned n, uint32_t value)
{
    if (value < 4096) {
        a64_imm12(c, 0x71000000, A64_ZR, n, value);
        return;
    }
    a64_mov_imm(c, 16, value);
    a64_wcmp(c, n, 16);
}

static inline void a64_lsl(jit_code *c, unsigned d, unsigned n, unsigned count)
{
    a64_2(c, 0xd3400000 | ((64 - count) & 63) << 16 | (63 - count) << 10, d, n);
}
static inline void a64_lsr(jit_code *c, unsigned d, unsigned n, unsigned count)
{
    a64_2(c, 0xd340fc00 | count << 16, d, n);
}
static inline void a64_wlsl(jit_code *c, unsigned d, unsigned n, unsigned count)
{
    a64_2(c, 0x53000000 | ((32 - count) & 31) << 16 | (31 - count) << 10, d, n);
}
static inline void a64_wlsr(jit_code *c, unsigned d, unsigned n, unsigned count)
{
    a64_2(c, 0x53007c00 | count << 16, d, n);
}
static inline void a64_wbits(jit_code *c, unsigned d, unsigned n, unsigned low, unsigned width)
{
    a64_2(c, 0x53000000 | low << 16 | (low + width - 1) << 10, d, n);
} /* ubfx */
static inline void a64_low_bits(jit_code *c, unsigned d, unsigned n, unsigned width)
{
    a64_2(c, 0xd3400000 | (width - 1) << 10, d, n);
}
static inline void a64_sxth(jit_code *c, unsigned d, unsigned n)
{
    a64_2(c, 0x13003c00, d, n);
}
static inline void a64_sxtw(jit_code *c, unsigned d, unsigned n)
{
    a64_2(c, 0x93407c00, d, n);
}
static inline void a64_rev(jit_code *c, unsigned d, unsigned n)
{
    a64_2(c, 0xdac00c00, d, n);
}
static inline void a64_wrev(jit_code *c, unsigned d, unsigned n)
{
    a64_2(c, 0x5ac00800, d, n);
}
static inline void a64_wrev16(jit_code *c, unsigned d, unsigned n)
{
    a64_2(c, 0x5ac00400, d, n);
}
static inline void a64_wset(jit_code *c, unsigned d, a64_condition condition)
{
    a64_word(c, 0x1a9f07e0 | (condition ^ 1u) << 12 | d);
}

/* ---- memory --------------------------------------------------------------------------------- */

/* A load or store of 1 << shift bytes; `op` is the form with an unsigned scaled offset. The form of
 * the vector registers differs in bits that all forms share. x16 is used when the distance is
 * large. */
static inline void a64_memory(jit_code *c, uint32_t op, unsigned shift, unsigned t, unsigned n,
                              int32_t at)
{
    if (at >= 0 && at < 4096 << shift && (at & ((1 << shift) - 1)) == 0) {
        a64_word(c, op | (uint32_t)(at >> shift) << 10 | n << 5 | t);
    } else if (at >= -256 && at < 256) {
        a64_word(c, (op & ~0x01000000u) | ((uint32_t)at & 0x1ff) << 12 | n << 5 | t);
    } else {
        a64_mov_imm(c, 16, (uint64_t)(int64_t)at);
        a64_word(c, (op & ~0x01000000u) | 0x00206800 | 16u << 16 | n << 5 | t);
    }
}
static inline void a64_ldr(jit_code *c, unsigned t, unsigned n, int32_t at)
{
    a64_memory(c, 0xf9400000, 3, t, n, at);
}
static inline void a64_wldr(jit_code *c, unsigned t, unsigned n, int32_t at)
{
    a64_memory(c, 0xb9400000, 2, t, n, at);
}
static inline void a64_ldrh(jit_code *c, unsigned t, unsigned n, int32_t at)
{
    a64_memory(c, 0x79400000, 1, t, n, at);
}
static inline void a64_ldrb(jit_code *c, unsigned t, unsigned n, int32_t at)
{
    a64_memory(c, 0x39400000, 0, t, n, at);
}
static inline void a64_str(jit_code *c, unsigned t, unsigned n, int32_t at)
{
    a64_memory(c, 0xf9000000, 3, t, n, at);
}
static inline void a64_wstr(jit_code *c, unsigned t, unsigned n, int32_t at)
{
    a64_memory(c, 0xb9000000, 2, t, n, at);
}
static inline void a64_strh(jit_code *c, unsigned t, unsigned n, int32_t at)
{
    a64_memory(c, 0x79000000, 1, t, n, at);
}
static inline void a64_strb(jit_code *c, unsigned t, unsigned n, int32_t at)
{
    a64_memory(c, 0x39000000, 0, t, n, at);
}
static inline void a64_qldr(jit_code *c, unsigned t, unsigned n, int32_t at)
{
    a64_memory(c, 0x3dc00000, 4, t, n, at);
}
static inline void a64_qstr(jit_code *c, unsigned t, unsigned n, int32_t at)
{
    a64_memory(c, 0x3d800000, 4, t, n, at);
}

/* ldr x, [n, m, lsl 3]; ldrsw x and ldr w, [n, m, lsl 2] */
static inline void a64_ldr_index(jit_code *c, unsigned t, unsigned n, unsigned m)
{
    a64_3(c, 0xf8607800, t, n, m);
}
static inline void a64_ldrsw_index(jit_code *c, unsigned t, unsigned n, unsigned m)
{
    a64_3(c, 0xb8a07800, t, n, m);
}
static inline void a64_wldr_index(jit_code *c, unsigned t, unsigned n, unsigned m)
{
    a64_3(c, 0xb8607800, t, n, m);
}

/* Pairs: stp with the base moved before, ldp with it moved behind; at a distance. */
static inline void a64_pair(jit_code *c, uint32_t op, unsigned a, unsigned b, unsigned n,
                            int32_t at)
{
    assert(at % 8 == 0 && at >= -512 && at < 512);
    a64_word(c, op | ((uint32_t)(at / 8) & 0x7f) << 15 | b << 10 | n << 5 | a);
}
static inline void a64_push2(jit_code *c, unsigned a, unsigned b, int32_t at)
{
    a64_pair(c, 0xa9800000, a, b, A64_SP, at);
}
static inline void a64_pop2(jit_code *c, unsigned a, unsigned b, int32_t at)
{
    a64_pair(c, 0xa8c00000, a, b, A64_SP, at);
}
static inline void a64_stp(jit_code *c, unsigned a, unsigned b, unsigned n, int32_t at)
{
    a64_pair(c, 0xa9000000, a, b, n, at);
}
static inline void a64_ldp(jit_code *c, unsigned a, unsigned b, unsigned n, int32_t at)
{
    a64_pair(c, 0xa9400000, a, b, n, at);
}

/* ---- jumps ---------------------------------------------------------------------------------- */

static inline void a64_to(jit_code *c, uint32_t op, jit_label label, uint8_t kind)
{
    code_refer(c, c->size, label, kind);
    a64_word(c, op);
}
static inline void a64_b(jit_code *c, jit_label label)
{
    a64_to(c, 0x14000000, label, A64_IMM26);
}
static inline void a64_bl(jit_code *c, jit_label label)
{
    a64_to(c, 0x94000000, label, A64_IMM26);
}
static inline void a64_adr(jit_code *c, unsigned d, jit_label label)
{
    a64_to(c, 0x10000000 | d, label, A64_ADR);
}
static inline void a64_ldr_literal(jit_code *c, unsigned t, jit_label label)
{
    a64_to(c, 0x58000000 | t, label, A64_IMM19);
}
static inline void a64_br(jit_code *c, unsigned n)
{
    a64_2(c, 0xd61f0000, 0, n);
}
static inline void a64_blr(jit_code *c, unsigned n)
{
    a64_2(c, 0xd63f0000, 0, n);
}
static inline void a64_ret(jit_code *c)
{
    a64_word(c, 0xd65f03c0);
}

/* A conditional branch reaches a megabyte; over a plain one, 128. */
static inline void a64_b_if(jit_code *c, a64_condition condition, jit_label label)
{
    a64_word(c, 0x54000000 | 2u << 5 | (condition ^ 1u));
    a64_b(c, label);
}
static inline void a64_cbz(jit_code *c, unsigned t, jit_label label) /* cbnz over the branch */
{
    a64_word(c, 0xb5000000 | 2u << 5 | t);
    a64_b(c, label);
}
static inline void a64_wcbz(jit_code *c, unsigned t, jit_label label)
{
    a64_word(c, 0x35000000 | 2u << 5 | t);
    a64_b(c, label);
}
static inline void a64_cbnz(jit_code *c, unsigned t, jit_label label)
{
    a64_word(c, 0xb4000000 | 2u << 5 | t);
    a64_b(c, label);
}
static inline void a64_wcbnz(jit_code *c, unsigned t, jit_label label)
{
    a64_word(c, 0x34000000 | 2u << 5 | t);
    a64_b(c, label);
}
/* The same where the label is near. */
static inline void a64_b_if_near(jit_code *c, a64_condition condition, jit_label label)
{
    a64_to(c, 0x54000000 | condition, label, A64_IMM19);
}

/* ---- vectors -------------------------------------------------------------------------------- */

static inline void a64_vzero(jit_code *c, unsigned d)
{
    a64_word(c, 0x6f00e400 | d);
} /* movi v.2d, 0 */
static inline void a64_vones(jit_code *c, unsigned d)
{
    a64_word(c, 0x4f00e420 | d);
} /* movi v.16b, 1 */
static inline void a64_vrev64(jit_code *c, unsigned d, unsigned n)
{
    a64_2(c, 0x4e200800, d, n);
}
static inline void a64_vrev32(jit_code *c, unsigned d, unsigned n)
{
    a64_2(c, 0x6e200800, d, n);
}
static inline void a64_vrev16(jit_code *c, unsigned d, unsigned n)
{
    a64_2(c, 0x4e201800, d, n);
}
static inline void a64_vmin(jit_code *c, unsigned d, unsigned n, unsigned m)
{
    a64_3(c, 0x6e206c00, d, n, m);
} /* umin .16b */

/* ---- links ---------------------------------------------------------------------------------- */

/* A signed distance as a field of so many bits; false: it does not fit. */
static inline bool a64_fits(int32_t distance, unsigned bits)
{
    return distance >= -(1 << (bits - 1)) && distance < 1 << (bits - 1);
}

/* Writes the references into the bytes; false when failed, when a label is not bound, or when one
 * is too far away. */
static inline bool a64_link(jit_code *code)
{
    for (uint32_t i = 0; i < code->reference_count && !code->failed; i++) {
        const jit_reference *reference = &code->references[i];
        uint32_t             at = reference->at, to = code->labels[reference->label];
        if (to == JIT_UNBOUND)
            return false;
        int32_t  distance = (int32_t)(to - at);
        uint32_t words = (uint32_t)(distance / 4), word = code_word(code, at);
        bool     fits = true;
        switch (reference->kind) {
        case A64_IMM26: word |= words & 0x3ffffff; break; /* 128 MiB, more than JIT_CODE_MAX */
        case A64_IMM19:
            fits = a64_fits(distance, 21);
            word |= (words & 0x7ffff) << 5;
            break;
        case A64_ADR:
            fits = a64_fits(distance, 21);
            word |= ((uint32_t)distance & 3) << 29 | ((uint32_t)distance >> 2 & 0x7ffff) << 5;
            break;
        default: word = to - (at - word); break;
        }
        if (!fits)
            return false;
        code_set_word(code, at, word);
    }
    return !code->failed;
}

#endif /* JIT_EMIT_A64_H */
