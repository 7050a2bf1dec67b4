/* jit/unwind.c - the .eh_frame of a unit: DWARF 4, section 6.4, as the LSB has it in memory.
 *
 * The rule of x86-64 is an expression. The context has the stack pointer of the innermost `enter`,
 * at which that of the one around it was saved. Machine code that called C, which entered machine
 * code again, has a stack pointer above the innermost: the expression goes outwards until it fits.
 */
#include "jit/unwind.h"

#include <assert.h>

#if defined(__x86_64__) || defined(__aarch64__)

enum {
    ADVANCE        = 0x04, /* DW_CFA_advance_loc4 */
    UNDO           = 0xc0, /* DW_CFA_restore: low bits are the register */
    SAVED_AT       = 0x80, /* DW_CFA_offset: likewise */
    CFA            = 0x0c, /* DW_CFA_def_cfa */
    CFA_OFFSET     = 0x0e,
    CFA_EXPRESSION = 0x0f
};

typedef struct writer {
    uint8_t *bytes;
    uint32_t size;
    uint32_t code; /* up to where the rules were told */
} writer;

static void put(writer *w, unsigned byte)
{
    assert(w->size < UNWIND_MAX);
    w->bytes[w->size++] = (uint8_t)byte;
}

static void put_u32(writer *w, uint32_t value)
{
    store_u32(w->bytes + w->size, value);
    w->size += 4;
}

static void put_u64(writer *w, uint64_t value)
{
    store_u64(w->bytes + w->size, value);
    w->size += 8;
}

static void put_uleb(writer *w, uint32_t value)
{
    for (; value > 127; value >>= 7)
        put(w, 128 | (value & 127));
    put(w, value);
}

static void advance(writer *w, uint32_t to)
{
    put(w, ADVANCE);
    put_u32(w, to - w->code);
    w->code = to;
}

static void cfa(writer *w, unsigned reg, uint32_t offset)
{
    put(w, CFA);
    put_uleb(w, reg);
    put_uleb(w, offset);
}

/* The caller's register lies so many words below the CFA. */
static void saved(writer *w, unsigned reg, uint32_t words)
{
    put(w, SAVED_AT | reg);
    put_uleb(w, words);
}

/* Length in front, and filled up to whole words with DW_CFA_nop. */
static void close_entry(writer *w, uint32_t begin)
{
    while ((w->size - begin) % 8 != 4)
        put(w, 0);
    store_u32(w->bytes + begin, w->size - begin - 4);
}

#    ifdef __x86_64__

enum { RETURN = 16, STACK = 7, CONTEXT = 13 };
enum {
    OP_DEREF  = 0x06,
    OP_DUP    = 0x12,
    OP_PLUS   = 0x23, /* of a constant */
    OP_BRANCH = 0x28, /* when what is on top is not 0 */
    OP_LESS   = 0x2d,
    OP_REG    = 0x70 /* and a constant */
};

static const uint8_t pushed[] = { 3, 6, 12, 13, 14, 15 }; /* rbx, rbp, r12 .. r15 */

/* What is not negative as a signed number. */
static void put_sleb(writer *w, uint32_t value)
{
    for (; value > 63; value >>= 7)
        put(w, 128 | (value & 127));
    put(w, value);
}

static void first_rules(writer *w)
{
    cfa(w, STACK, 8);
    saved(w, RETURN, 1);
}

/* From the context: the stack pointer of enter; under it are the slot's old value, the six
 * registers, the return address. */
static void inner_rule(writer *w, uint32_t unwind)
{
    writer expression = { w->bytes + w->size + 2, 0, 0 };
    put(&expression, OP_REG + CONTEXT);
    put_sleb(&expression, unwind);
    uint32_t again = expression.size;
    put(&expression, OP_DEREF);
    put(&expression, OP_DUP);
    put(&expression, OP_REG + STACK);
    put(&expression, 0);
    put(&expression, OP_LESS);
    put(&expression, OP_BRANCH);
    uint32_t back = again - (expression.size + 2);
    put(&expression, back & 0xff);
    put(&expression, back >> 8 & 0xff);
    put(&expression, OP_PLUS);
    put_uleb(&expression, 64);
    put(w, CFA_EXPRESSION);
    put(w, expression.size);
    w->size += expression.size;
}

static void rules(writer *w, const jit_compiler *c)
{
    const uint32_t *at = c->framed;
    for (uint32_t i = 0; i < 6; i++) {
        advance(w, at[i]);
        put(w, CFA_OFFSET);
        put_uleb(w, 8 * (i + 2));
        saved(w, pushed[i], i + 2);
    }
    advance(w, at[6]);
    put(w, CFA_OFFSET);
    put_uleb(w, 64);
    advance(w, at[7]);
    inner_rule(w, c->unwind);
    /* and out again */
    advance(w, at[8]);
    cfa(w, STACK, 56);
    for (uint32_t i = 6; i-- > 0;) {
        advance(w, at[14 - i]);
        put(w, UNDO | pushed[i]);
        put(w, CFA_OFFSET);
        put_uleb(w, 8 * (i + 1));
    }
    advance(w, at[15]);
    inner_rule(w, c->unwind);
    for (uint32_t i = 0; i < 6; i++)
        saved(w, pushed[i], i + 2);
}

enum { EVENTS = 16 };

#    else

enum { RETURN = 30, STACK = 31, FRAME_POINTER = 29 };

static void first_rules(writer *w)
{
    cfa(w, STACK, 0);
}

static void inner_rule(writer *w)
{
    cfa(w, FRAME_POINTER, 80);
    for (uint32_t i = 0; i < 6; i++)
        saved(w, 19 + i, 8 - i);
}

static void rules(writer *w, const jit_compiler *c)
{
    const uint32_t *at = c->framed;
    advance(w, at[0]);
    cfa(w, STACK, 80);
    saved(w, FRAME_POINTER, 10);
    saved(w, RETURN, 9);
    advance(w, at[1]);
    inner_rule(w);
    /* and out again */
    advance(w, at[2]);
    cfa(w, STACK, 0);
    for (unsigned reg = 19; reg <= 24; reg++)
        put(w, UNDO | reg);
    put(w, UNDO | FRAME_POINTER);
    put(w, UNDO | RETURN);
    advance(w, at[3]);
    inner_rule(w);
    saved(w, FRAME_POINTER, 10);
    saved(w, RETURN, 9);
}

enum { EVENTS = 4 };

#    endif

uint32_t unwind_write(const jit_compiler *c, const void *base, uint8_t frames[UNWIND_MAX])
{
    writer w = { frames, 0, 0 };
    if (c->framed_count != EVENTS)
        return 0;
    put_u32(&w, 0); /* the length comes last */
    put_u32(&w, 0); /* common information */
    put(&w, 1);     /* version */
    put(&w, 0);     /* no augmentation: addresses are absolute */
    put(&w, 1);     /* code is counted in bytes */
    put(&w, 0x78);  /* the stack in -8 */
    put(&w, RETURN);
    first_rules(&w);
    close_entry(&w, 0);
    uint32_t second = w.size;
    put_u32(&w, 0);
    put_u32(&w, w.size); /* how far back the common information is */
    put_u64(&w, (uintptr_t)base);
    put_u64(&w, c->code.size);
    rules(&w, c);
    close_entry(&w, second);
    put_u32(&w, 0);
    return w.size;
}

#else

uint32_t unwind_write(const jit_compiler *c, const void *base, uint8_t frames[UNWIND_MAX])
{
    (void)c;
    (void)base;
    (void)frames;
    return 0;
}

#endif
