/* jit/emit_x64.h - the x86-64 instructions that the lowering needs, one function each.
 *
 * Names and order of operands are Intel's: destination first. A memory operand is base and
 * displacement. Encodings: Intel SDM volume 2; tests/jit/emit_x64_test.c compares each with what an
 * assembler made of it. */
#ifndef JIT_EMIT_X64_H
#define JIT_EMIT_X64_H

#include <assert.h>

#include "jit/code.h"

typedef enum x64_reg {
    RAX,
    RCX,
    RDX,
    RBX,
    RSP,
    RBP,
    RSI,
    RDI,
    R8,
    R9,
    R10,
    R11,
    R12,
    R13,
    R14,
    R15
} x64_reg;

typedef enum x64_condition {
    X64_BELOW     = 0x2,
    X64_NOT_BELOW = 0x3,
    X64_EQUAL     = 0x4,
    X64_NOT_EQUAL = 0x5,
    X64_NOT_ABOVE = 0x6,
    X64_ABOVE     = 0x7
} x64_condition;

/* Kinds of reference. */
enum {
    X64_REL32, /* a signed displacement from the end of the field */
    X64_TABLE  /* from the beginning of the table that the field is in; it holds its own distance */
};

/* What comes before the opcode, and its length. */
enum x64_form {
    X64_W   = 1,  /* 64-bit operands */
    X64_66  = 2,  /* prefix 66 */
    X64_F3  = 4,  /* prefix F3 */
    X64_0F  = 8,  /* opcode 0F xx */
    X64_38  = 16, /* opcode 0F 38 xx, together with X64_0F */
    X64_REX = 32  /* a byte register that needs REX (spl .. dil) */
};

static inline void x64_prefixes(jit_code *c, unsigned form, unsigned reg, unsigned base,
                                uint8_t opcode)
{
    if (form & X64_66)
        code_u8(c, 0x66);
    if (form & X64_F3)
        code_u8(c, 0xf3);
    unsigned rex = (form & X64_W ? 8 : 0) | (reg >> 3 << 2) | (base >> 3);
    if (rex || (form & X64_REX))
        code_u8(c, (uint8_t)(0x40 | rex));
    if (form & X64_0F)
        code_u8(c, 0x0f);
    if (form & X64_38)
        code_u8(c, 0x38);
    code_u8(c, opcode);
}

/* ModRM, SIB and displacement of [base + at]. */
static inline void x64_address(jit_code *c, unsigned reg, unsigned base, int32_t at)
{
    unsigned mode = at == 0 && (base & 7) != 5 ? 0 : at >= -128 && at <= 127 ? 1 : 2;
    code_u8(c, (uint8_t)(mode << 6 | (reg & 7) << 3 | (base & 7)));
    if ((base & 7) == 4)
        code_u8(c, 0x24); /* rsp and r12 are said by a SIB byte */
    if (mode == 1)
        code_u8(c, (uint8_t)at);
    else if (mode == 2)
        code_u32(c, (uint32_t)at);
}

static inline void x64_memory(jit_code *c, unsigned form, uint8_t opcode, unsigned reg,
                              x64_reg base, int32_t at)
{
    x64_prefixes(c, form, reg, base, opcode);
    x64_address(c, reg, base, at);
}

static inline void x64_direct(jit_code *c, unsigned form, uint8_t opcode, unsigned reg, unsigned rm)
{
    x64_prefixes(c, form, reg, rm, opcode);
    code_u8(c, (uint8_t)(0xc0 | (reg & 7) << 3 | (rm & 7)));
}

/* ---- moves ---------------------------------------------------------------------------------- */

static inline void x64_mov(jit_code *c, x64_reg to, x64_reg from)
{
    x64_direct(c, X64_W, 0x8b, to, from);
}
static inline void x64_mov32(jit_code *c, x64_reg to, x64_reg from)
{
    x64_direct(c, 0, 0x8b, to, from);
}

static inline void x64_load64(jit_code *c, x64_reg to, x64_reg base, int32_t at)
{
    x64_memory(c, X64_W, 0x8b, to, base, at);
}
static inline void x64_load32(jit_code *c, x64_reg to, x64_reg base, int32_t at)
{
    x64_memory(c, 0, 0x8b, to, base, at);
}
static inline void x64_load16(jit_code *c, x64_reg to, x64_reg base, int32_t at)
{
    x64_memory(c, X64_0F, 0xb7, to, base, at);
} /* movzx */
static inline void x64_load8(jit_code *c, x64_reg to, x64_reg base, int32_t at)
{
    x64_memory(c, X64_0F, 0xb6, to, base, at);
} /* movzx */
static inline void x64_load_swapped64(jit_code *c, x64_reg to, x64_reg base, int32_t at)
{
    x64_memory(c, X64_W | X64_0F | X64_38, 0xf0, to, base, at);
} /* movbe */
static inline void x64_load_swapped32(jit_code *c, x64_reg to, x64_reg base, int32_t at)
{
    x64_memory(c, X64_0F | X64_38, 0xf0, to, base, at);
}
static inline void x64_store_swapped64(jit_code *c, x64_reg base, int32_t at, x64_reg from)
{
    x64_memory(c, X64_W | X64_0F | X64_38, 0xf1, from, base, at);
}
static inline void x64_store_swapped32(jit_code *c, x64_reg base, int32_t at, x64_reg from)
{
    x64_memory(c, X64_0F | X64_38, 0xf1, from, base, at);
}

static inline void x64_store64(jit_code *c, x64_reg base, int32_t at, x64_reg from)
{
    x64_memory(c, X64_W, 0x89, from, base, at);
}
static inline void x64_store32(jit_code *c, x64_reg base, int32_t at, x64_reg from)
{
    x64_memory(c, 0, 0x89, from, base, at);
}
static inline void x64_store16(jit_code *c, x64_reg base, int32_t at, x64_reg from)
{
    x64_memory(c, X64_66, 0x89, from, base, at);
}
static inline void x64_store8(jit_code *c, x64_reg base, int32_t at, x64_reg from)
{
    x64_memory(c, from >= RSP ? X64_REX : 0, 0x88, from, base, at);
}

static inline void x64_store_imm8(jit_code *c, x64_reg base, int32_t at, uint8_t value)
{
    x64_memory(c, 0, 0xc6, 0, base, at);
    code_u8(c, value);
}

static inline void x64_store_imm16(jit_code *c, x64_reg base, int32_t at, uint16_t value)
{
    x64_memory(c, X64_66, 0xc7, 0, base, at);
    code_u8(c, (uint8_t)value);
    code_u8(c, (uint8_t)(value >> 8));
}

static inline void x64_store_imm32(jit_code *c, x64_reg base, int32_t at, uint32_t value)
{
    x64_memory(c, 0, 0xc7, 0, base, at);
    code_u32(c, value);
}

/* mov r64, imm, in the shortest of its forms; flags stay as they are, so that 0 is no xor. */
static inline void x64_mov_imm(jit_code *c, x64_reg to, uint64_t value)
{
    if (value <= UINT32_MAX) {
        x64_prefixes(c, 0, 0, to, (uint8_t)(0xb8 | (to & 7)));
        code_u32(c, (uint32_t)value);
    } else if (value >= (uint64_t)INT32_MIN) { /* sign-extended */
        x64_direct(c, X64_W, 0xc7, 0, to);
        code_u32(c, (uint32_t)value);
    } else {
        x64_prefixes(c, X64_W, 0, to, (uint8_t)(0xb8 | (to & 7)));
        code_u64(c, value);
    }
}

static inline void x64_lea(jit_code *c, x64_reg to, x64_reg base, int32_t at)
{
    x64_memory(c, X64_W, 0x8d, to, base, at);
}

/* ModRM, SIB and displacement of [base + (index << scale)]. Without a displacement byte where the
 * base allows it: lea of three parts takes three cycles instead of one on many CPUs. */
static inline void x64_indexed(jit_code *c, unsigned form, uint8_t opcode, x64_reg to, x64_reg base,
                               x64_reg index, unsigned scale)
{
    bool displaced = (base & 7) == 5;
    assert(index != RSP);
    unsigned rex = (form & X64_W ? 8 : 0) | (to >> 3 << 2) | (index >> 3 << 1) | (base >> 3);
    if (rex)
        code_u8(c, (uint8_t)(0x40 | rex));
    code_u8(c, opcode);
    code_u8(c, (uint8_t)((displaced ? 0x44 : 4) | (to & 7) << 3));
    code_u8(c, (uint8_t)(scale << 6 | (index & 7) << 3 | (base & 7)));
    if (displaced)
        code_u8(c, 0);
}

/* lea to, [base + index] */
static inline void x64_lea_sum(jit_code *c, x64_reg to, x64_reg base, x64_reg index)
{
    x64_indexed(c, X64_W, 0x8d, to, base, index, 0);
}
/* movsxd to, [base + 4 * index] */
static inline void x64_movsxd_index(jit_code *c, x64_reg to, x64_reg base, x64_reg index)
{
    x64_indexed(c, X64_W, 0x63, to, base, index, 2);
}
/* mov to32, [base + 4 * index] */
static inline void x64_load32_index(jit_code *c, x64_reg to, x64_reg base, x64_reg index)
{
    x64_indexed(c, 0, 0x8b, to, base, index, 2);
}
/* mov to, [base + 8 * index] */
static inline void x64_load64_index(jit_code *c, x64_reg to, x64_reg base, x64_reg index)
{
    x64_indexed(c, X64_W, 0x8b, to, base, index, 3);
}

static inline void x64_push(jit_code *c, x64_reg reg)
{
    x64_prefixes(c, 0, 0, reg, (uint8_t)(0x50 | (reg & 7)));
}
static inline void x64_pop(jit_code *c, x64_reg reg)
{
    x64_prefixes(c, 0, 0, reg, (uint8_t)(0x58 | (reg & 7)));
}
static inline void x64_push_memory(jit_code *c, x64_reg base, int32_t at)
{
    x64_memory(c, 0, 0xff, 6, base, at);
}
static inline void x64_pop_memory(jit_code *c, x64_reg base, int32_t at)
{
    x64_memory(c, 0, 0x8f, 0, base, at);
}

/* ---- arithmetic ----------------------------------------------------------------------------- */

/* The eight operations that share an encoding. */
typedef enum x64_alu {
    X64_ADD,
    X64_OR,
    X64_ADC,
    X64_SBB,
    X64_AND,
    X64_SUB,
    X64_XOR,
    X64_CMP
} x64_alu;

static inline void x64_alu64(jit_code *c, x64_alu op, x64_reg a, x64_reg b)
{
    x64_direct(c, X64_W, (uint8_t)(op << 3 | 3), a, b);
}
static inline void x64_alu32(jit_code *c, x64_alu op, x64_reg a, x64_reg b)
{
    x64_direct(c, 0, (uint8_t)(op << 3 | 3), a, b);
}
static inline void x64_alu64_memory(jit_code *c, x64_alu op, x64_reg a, x64_reg base, int32_t at)
{
    x64_memory(c, X64_W, (uint8_t)(op << 3 | 3), a, base, at);
}

/* op [base + at], reg */
static inline void x64_memory_alu64(jit_code *c, x64_alu op, x64_reg base, int32_t at, x64_reg reg)
{
    x64_memory(c, X64_W, (uint8_t)(op << 3 | 1), reg, base, at);
}
static inline void x64_memory_alu64_imm8(jit_code *c, x64_alu op, x64_reg base, int32_t at,
                                         int8_t value)
{
    x64_memory(c, X64_W, 0x83, op, base, at);
    code_u8(c, (uint8_t)value);
}

/* The immediate is sign-extended from a byte where it can be, and eax and rax have a form of their
 * own. */
static inline void x64_alu_imm(jit_code *c, unsigned form, x64_alu op, x64_reg a, int32_t value)
{
    if (value >= -128 && value <= 127) {
        x64_direct(c, form, 0x83, op, a);
        code_u8(c, (uint8_t)value);
        return;
    }
    if (a == RAX)
        x64_prefixes(c, form, 0, 0, (uint8_t)(op << 3 | 5));
    else
        x64_direct(c, form, 0x81, op, a);
    code_u32(c, (uint32_t)value);
}
static inline void x64_alu64_imm(jit_code *c, x64_alu op, x64_reg a, int32_t value)
{
    x64_alu_imm(c, X64_W, op, a, value);
}
static inline void x64_alu32_imm(jit_code *c, x64_alu op, x64_reg a, int32_t value)
{
    x64_alu_imm(c, 0, op, a, value);
}

static inline void x64_cmp8_imm(jit_code *c, x64_reg base, int32_t at, uint8_t value)
{
    x64_memory(c, 0, 0x80, X64_CMP, base, at);
    code_u8(c, value);
}

static inline void x64_cmp16_imm(jit_code *c, x64_reg base, int32_t at, uint16_t value)
{
    bool small = (int16_t)value >= -128 && (int16_t)value <= 127;
    x64_memory(c, X64_66, small ? 0x83 : 0x81, X64_CMP, base, at);
    code_u8(c, (uint8_t)value);
    if (!small)
        code_u8(c, (uint8_t)(value >> 8));
}

static inline void x64_cmp32_imm(jit_code *c, x64_reg base, int32_t at, uint32_t value)
{
    bool small = (int32_t)value >= -128 && (int32_t)value <= 127;
    x64_memory(c, 0, small ? 0x83 : 0x81, X64_CMP, base, at);
    if (small)
        code_u8(c, (uint8_t)value);
    else
        code_u32(c, value);
}

static inline void x64_cmp64_imm8(jit_code *c, x64_reg base, int32_t at, int8_t value)
{
    x64_memory_alu64_imm8(c, X64_CMP, base, at, value);
}

static inline void x64_test(jit_code *c, x64_reg a, x64_reg b)
{
    x64_direct(c, X64_W, 0x85, b, a);
}
static inline void x64_test32(jit_code *c, x64_reg a, x64_reg b)
{
    x64_direct(c, 0, 0x85, b, a);
}

static inline void x64_bswap64(jit_code *c, x64_reg reg)
{
    x64_prefixes(c, X64_W | X64_0F, 0, reg, (uint8_t)(0xc8 | (reg & 7)));
}
static inline void x64_bswap32(jit_code *c, x64_reg reg)
{
    x64_prefixes(c, X64_0F, 0, reg, (uint8_t)(0xc8 | (reg & 7)));
}
/* 4 shl, 5 shr, 7 sar */
static inline void x64_shift(jit_code *c, unsigned form, unsigned op, x64_reg reg, uint8_t count)
{
    x64_direct(c, form, count == 1 ? 0xd1 : 0xc1, op, reg);
    if (count != 1)
        code_u8(c, count);
}
static inline void x64_shift32(jit_code *c, unsigned op, x64_reg reg, uint8_t count)
{
    x64_shift(c, 0, op, reg, count);
}
static inline void x64_shift64(jit_code *c, unsigned op, x64_reg reg, uint8_t count)
{
    x64_shift(c, X64_W, op, reg, count);
}
static inline void x64_rol16_8(jit_code *c, x64_reg reg) /* swaps the two low bytes */
{
    x64_direct(c, X64_66, 0xc1, 0, reg);
    code_u8(c, 8);
}
static inline void x64_movsx16(jit_code *c, x64_reg to, x64_reg from)
{
    x64_direct(c, X64_0F, 0xbf, to, from);
}
static inline void x64_neg64(jit_code *c, x64_reg reg)
{
    x64_direct(c, X64_W, 0xf7, 3, reg);
}
static inline void x64_and_imm64(jit_code *c, x64_reg reg, int32_t value)
{
    x64_alu64_imm(c, X64_AND, reg, value);
}
static inline void x64_movsxd(jit_code *c, x64_reg to, x64_reg from)
{
    x64_direct(c, X64_W, 0x63, to, from);
}

static inline void x64_imul_imm(jit_code *c, x64_reg to, x64_reg from, int32_t value)
{
    bool small = value >= -128 && value <= 127;
    x64_direct(c, X64_W, small ? 0x6b : 0x69, to, from);
    if (small)
        code_u8(c, (uint8_t)value);
    else
        code_u32(c, (uint32_t)value);
}

/* setcc of the low byte */
static inline void x64_set(jit_code *c, x64_condition condition, x64_reg to)
{
    x64_direct(c, X64_0F | (to >= RSP ? X64_REX : 0), (uint8_t)(0x90 | condition), 0, to);
}

/* ---- jumps ---------------------------------------------------------------------------------- */

static inline void x64_rel32(jit_code *c, jit_label label)
{
    code_refer(c, c->size, label, X64_REL32);
    code_u32(c, 0);
}

static inline void x64_jump_if(jit_code *c, x64_condition condition, jit_label label)
{
    code_u8(c, 0x0f);
    code_u8(c, (uint8_t)(0x80 | condition));
    x64_rel32(c, label);
}

static inline void x64_jump(jit_code *c, jit_label label)
{
    code_u8(c, 0xe9);
    x64_rel32(c, label);
}

static inline void x64_jump_reg(jit_code *c, x64_reg reg)
{
    x64_direct(c, 0, 0xff, 4, reg);
}

static inline void x64_call(jit_code *c, jit_label label)
{
    code_u8(c, 0xe8);
    x64_rel32(c, label);
}

static inline void x64_call_reg(jit_code *c, x64_reg reg)
{
    x64_direct(c, 0, 0xff, 2, reg);
}

/* Through the eight bytes at the label. */
static inline void x64_call_at(jit_code *c, jit_label label)
{
    code_u8(c, 0xff);
    code_u8(c, 0x15);
    x64_rel32(c, label);
}

static inline void x64_lea_label(jit_code *c, x64_reg to, jit_label label)
{
    x64_prefixes(c, X64_W, to, 0, 0x8d);
    code_u8(c, (uint8_t)((to & 7) << 3 | 5));
    x64_rel32(c, label);
}

static inline void x64_ret(jit_code *c)
{
    code_u8(c, 0xc3);
}

/* ---- vectors -------------------------------------------------------------------------------- */

/* movdqu xmm */
static inline void x64_load128(jit_code *c, unsigned xmm, x64_reg base, int32_t at)
{
    x64_memory(c, X64_F3 | X64_0F, 0x6f, xmm, base, at);
}
static inline void x64_store128(jit_code *c, x64_reg base, int32_t at, unsigned xmm)
{
    x64_memory(c, X64_F3 | X64_0F, 0x7f, xmm, base, at);
}
static inline void x64_zero128(jit_code *c, unsigned xmm)
{
    x64_direct(c, X64_66 | X64_0F, 0xef, xmm, xmm);
} /* pxor */

/* VEX, map 0F; wide: 256 bits; pp: 1 = 66, 2 = F3. With AVX all moves are of this form: on some
 * CPUs the older one after a 256-bit move costs a change of state, some seventy cycles. */
static inline void x64_vex(jit_code *c, bool wide, unsigned reg, unsigned second, unsigned base,
                           unsigned pp, uint8_t opcode)
{
    code_u8(c, 0xc4);
    code_u8(c, (uint8_t)((reg < 8 ? 0x80 : 0) | 0x40 | (base < 8 ? 0x20 : 0) | 1));
    code_u8(c, (uint8_t)((~second & 15) << 3 | (wide ? 4 : 0) | pp));
    code_u8(c, opcode);
}
static inline void x64_vex256(jit_code *c, unsigned reg, unsigned second, unsigned base,
                              unsigned pp, uint8_t opcode)
{
    x64_vex(c, true, reg, second, base, pp, opcode);
}
/* vmovdqu xmm, vpxor xmm */
static inline void x64_vload128(jit_code *c, unsigned xmm, x64_reg base, int32_t at)
{
    x64_vex(c, false, xmm, 0, base, 2, 0x6f);
    x64_address(c, xmm, base, at);
}
static inline void x64_vstore128(jit_code *c, x64_reg base, int32_t at, unsigned xmm)
{
    x64_vex(c, false, xmm, 0, base, 2, 0x7f);
    x64_address(c, xmm, base, at);
}
static inline void x64_vzero128(jit_code *c, unsigned xmm)
{
    x64_vex(c, false, xmm, xmm, xmm, 1, 0xef);
    code_u8(c, (uint8_t)(0xc0 | (xmm & 7) << 3 | (xmm & 7)));
}
/* vmovdqu ymm */
static inline void x64_load256(jit_code *c, unsigned ymm, x64_reg base, int32_t at)
{
    x64_vex256(c, ymm, 0, base, 2, 0x6f);
    x64_address(c, ymm, base, at);
}
static inline void x64_store256(jit_code *c, x64_reg base, int32_t at, unsigned ymm)
{
    x64_vex256(c, ymm, 0, base, 2, 0x7f);
    x64_address(c, ymm, base, at);
}
static inline void x64_zero256(jit_code *c, unsigned ymm) /* vpxor */
{
    x64_vex256(c, ymm, ymm, ymm, 1, 0xef);
    code_u8(c, (uint8_t)(0xc0 | (ymm & 7) << 3 | (ymm & 7)));
}
/* op ymm, ymm, [rip + label]: vpshufb (map 2, 00), vpminub (map 1, DA) */
static inline void x64_vex256_label(jit_code *c, unsigned map, uint8_t opcode, unsigned ymm,
                                    jit_label label)
{
    code_u8(c, 0xc4);
    code_u8(c, (uint8_t)((ymm < 8 ? 0x80 : 0) | 0x60 | map));
    code_u8(c, (uint8_t)((~ymm & 15) << 3 | 4 | 1));
    code_u8(c, opcode);
    code_u8(c, (uint8_t)((ymm & 7) << 3 | 5));
    x64_rel32(c, label);
}
static inline void x64_shuffle256(jit_code *c, unsigned ymm, jit_label mask)
{
    x64_vex256_label(c, 2, 0x00, ymm, mask);
}
static inline void x64_minimum256(jit_code *c, unsigned ymm, jit_label bytes)
{
    x64_vex256_label(c, 1, 0xda, ymm, bytes);
}
static inline void x64_vzeroupper(jit_code *c)
{
    code_u8(c, 0xc5);
    code_u8(c, 0xf8);
    code_u8(c, 0x77);
}

/* ---- links ---------------------------------------------------------------------------------- */

/* Writes the references into the bytes; false when failed, or when a label is not bound. Nothing is
 * too far: code is smaller than JIT_CODE_MAX. */
static inline bool x64_link(jit_code *code)
{
    for (uint32_t i = 0; i < code->reference_count && !code->failed; i++) {
        const jit_reference *reference = &code->references[i];
        uint32_t             at = reference->at, to = code->labels[reference->label];
        if (to == JIT_UNBOUND)
            return false;
        uint32_t from = at + 4;
        if (reference->kind == X64_TABLE)
            from = at - code_word(code, at);
        code_set_word(code, at, to - from);
    }
    return !code->failed;
}

#endif /* JIT_EMIT_X64_H */
