/* jit/target.h - what the compiler asks of a CPU: one function for each thing that is lowered.
 *
 * In decoding, code has the input's position p, the record, the end of the input, the context, the
 * arena, the count of records that are left, and the levels that are left, in places of the
 * target's choice. `at` is a static distance from p: p itself moves only when it must. */
#ifndef JIT_TARGET_H
#define JIT_TARGET_H

#include "jit/code.h"
#include "jit/jit.h"

#define JIT_FRAMED 16u

/* Where the miss of a scope begins, and its parts. */
typedef struct jit_scope_code {
    jit_label miss, stop, look, fields;
} jit_scope_code;

typedef struct jit_compiler {
    jit_code           code;
    const struct plan *plan;
    unsigned           features;
    jit_label          enter, fail;
    jit_label         *routines; /* by index in plan->routines: where each begins */
    jit_scope_code    *scopes;   /* by index in plan->scopes */
    jit_label          helpers[8];
    uint32_t           unwind, end, arena, budget; /* offsets in the context; JIT_NO_OFFSET: none */
    jit_label          copy;                       /* encoding: the shared copy of a text */
    jit_label          masks[5]; /* constants, by log2 of the width; [4]: of bools */
    bool               mask_used[5];
    bool               viewed;
    uint32_t           framed[JIT_FRAMED]; /* where the frame of `enter` changes: unwind.c */
    uint32_t           framed_count;
    jit_label          root; /* decoding: the root is initialised here first */
    bool               initialises;
} jit_compiler;

/* Called by target_enter behind each instruction that changes its frame. */
static inline void target_framed(jit_compiler *c)
{
    if (c->framed_count < JIT_FRAMED)
        c->framed[c->framed_count++] = c->code.size;
}

/* ---- all directions ------------------------------------------------------------------------- */

/* What C calls: saves, loads the fixed registers, calls the routine; and where failures end. */
void target_enter(jit_compiler *c, uint64_t failure);

/* The routine's beginning; fails when fewer than `depth` levels are left. */
void target_begin(jit_compiler *c, uint32_t depth);
/* One record done: the next one, `stride` further, at `again`, or the routine returns. */
void target_end(jit_compiler *c, uint32_t stride, jit_label again);
void target_jump(jit_compiler *c, jit_label label);
void target_advance(jit_compiler *c, int32_t bytes);
/* A struct by value through its routine. */
void target_record(jit_compiler *c, uint32_t offset, uint32_t depth, jit_label routine);
/* Room for so many bytes from p on, else to `short_of`. */
void target_room(jit_compiler *c, uint32_t bytes, jit_label short_of);
/* helper(context, what, p, record, left): p is what it returns. */
void target_call(jit_compiler *c, unsigned helper, const void *what);

/* ---- decoding ------------------------------------------------------------------------------- */

void target_decode_head(jit_compiler *c, uint32_t at, uint32_t head, unsigned size, jit_label miss);
void target_decode_stop(jit_compiler *c, uint32_t at, jit_label miss);
void target_decode_scalar(jit_compiler *c, uint8_t op, uint32_t at, uint32_t offset);
void target_decode_present(jit_compiler *c, uint32_t has);

/* A text whose length is at `at`: p moves by its length, and `at` + 4 is behind it then. What is
 * not the common case goes to `slow`, with p as it was. */
void target_decode_text(jit_compiler *c, uint32_t at, uint32_t offset, jit_label slow);

/* The elements of a list or map, whose count is at `at`, its last four bytes of header: room in the
 * arena, the routine for all of them; p is behind them afterwards. To `slow`, p as it was, for what
 * is not the common case, to `empty` for none. */
void target_decode_items(jit_compiler *c, const plan_step *step, uint32_t at, jit_label slow,
                         jit_label empty);
/* Integers or bools likewise; p moves by their bytes, and `at` + 4 is behind them then. */
#define JIT_SPAN_MAX \
    1024u /* bytes of integers in place; longer ones are C's, whose loops are as fast */
void target_decode_span(jit_compiler *c, const plan_step *step, uint32_t at, jit_label slow,
                        jit_label empty);
void target_decode_empty(jit_compiler *c, uint32_t offset);
/* One byte that must be `value`. */
void target_decode_byte(jit_compiler *c, uint32_t at, uint8_t value, jit_label miss);
/* A struct behind a pointer: room, initial value, routine; p is at its first field. */
void target_decode_behind(jit_compiler *c, const plan_step *step, jit_label slow);

/* Zeroes at most JIT_ZERO_MAX bytes of the record; `at_entry`: of the record that a routine is
 * called with. */
#define JIT_ZERO_MAX 256u
void target_decode_zero_root(jit_compiler *c, uint32_t size);
void target_decode_zero(jit_compiler *c, uint32_t offset, uint32_t size);

/* Another header than that of the step whose index comes with target_decode_missed is at p. What
 * the scope knows, and what lies no further than may be passed over, goes on at `after[field]` with
 * p at the header
 * (`after[count]`: at the stop byte); for all else, C looks. */
typedef struct jit_scope {
    const plan_scope *scope;
    const jit_label  *after;
    const uint32_t   *least; /* of each field: the first index from which it may be gone to */
} jit_scope;
void target_decode_missed(jit_compiler *c, const plan_step *step, jit_label to);
void target_decode_miss(jit_compiler *c, const jit_scope *scope);
/* The same in place, where any of many fields may come next: each place is predicted for itself. */
void target_decode_dispatch(jit_compiler *c, const plan_step *step);
/* The rest of the record in C, from the step of target_decode_rest_from on. */
void target_decode_rest_from(jit_compiler *c, const plan_step *step, jit_label rest);
void target_decode_rest(jit_compiler *c, jit_label end);

/* ---- encoding ------------------------------------------------------------------------------- */

/* In encoding p is the position in the output. */
void target_encode_more(jit_compiler *c, unsigned helper,
                        uint32_t bytes); /* room by helper(context, p, bytes, 0) */
void target_encode_head(jit_compiler *c, uint32_t at, uint32_t head);
void target_encode_stop(jit_compiler *c, uint32_t at);
void target_encode_scalar(jit_compiler *c, uint8_t op, uint32_t at, uint32_t offset);
/* Length and bytes of a text at p + at; p is behind it afterwards. To `null` when the pointer is
 * (length in place), which comes back to `copy` when it is empty; to `more` when there is no room:
 * as target_encode_text_more. */
void target_encode_text(jit_compiler *c, uint32_t at, uint32_t offset, jit_label null,
                        jit_label more);
void target_encode_text_null(jit_compiler *c, uint32_t at, jit_label back);
void target_encode_text_more(jit_compiler *c, uint32_t at, unsigned helper, jit_label again);
/* Count and elements behind the header of a list or map, whose count goes to `at`; to `null`, with
 * the length in place, when the pointer is, to `none` when there are none. p is behind them
 * afterwards. */
void target_encode_items(jit_compiler *c, const plan_step *step, uint32_t at, jit_label null,
                         jit_label none);
/* Integers likewise; what is not the common case goes to `slow`. */
void target_encode_span(jit_compiler *c, const plan_step *step, uint32_t at, jit_label null,
                        jit_label slow);
void target_encode_byte(jit_compiler *c, uint32_t at, uint8_t value);
void target_encode_count(jit_compiler *c, uint32_t at, uint32_t count);
void target_encode_copy(jit_compiler *c); /* the shared copy, bound at c->copy */
void target_absent_has(jit_compiler *c, uint32_t has, jit_label absent);
void target_absent_pointer(jit_compiler *c, uint32_t offset, jit_label absent);
void target_present_has(jit_compiler *c, uint32_t has, jit_label present);
/* Not NULL; a text or container also when it is NULL with a length, which is wrong. */
void target_present_pointer(jit_compiler *c, uint32_t offset, bool has_length, jit_label present);
/* A NULL with a length is a failure. */
void target_null_length(jit_compiler *c, uint32_t offset, jit_label empty);
/* A struct behind a pointer, to `null` when there is none. */
void target_record_behind(jit_compiler *c, uint32_t offset, uint32_t depth, jit_label routine,
                          jit_label null);

/* ---- measuring ------------------------------------------------------------------------------ */

/* In measuring p is the sum. */
void target_size_length(jit_compiler *c, uint32_t offset, uint32_t each);
/* And the variable parts of elements, of which there may be none: `none`. */
void target_size_items(jit_compiler *c, const plan_size *z, jit_label null, jit_label none);

/* The constants that were referred to. */
void target_constants(jit_compiler *c);

/* Writes the references into the bytes; false when one does not fit. */
bool target_link(jit_code *code);

#endif /* JIT_TARGET_H */
