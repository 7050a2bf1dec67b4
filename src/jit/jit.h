/* jit/jit.h - a plan becomes machine code.
 *
 * The compiler knows plans and CPUs; what a step needs that is done better in C, and what is out of
 * the ordinary, it calls: helpers that the codec hands over in tables. Machine code never words an
 * error. When anything is wrong it returns NULL, and the interpreter reads or writes once more; its
 * answer stands. */
#ifndef JIT_JIT_H
#define JIT_JIT_H

#include "plan/plan.h"

/* What this CPU has beyond the floor of its architecture. */
enum jit_feature { JIT_AVX2 = 1, JIT_MOVBE = 2 };
unsigned jit_cpu_features(void);

/* Whether machine code can be made at all: a CPU with a lowering, and a kernel that allows it. */
bool jit_available(void);

/* Why not. Static text. */
const char *jit_refusal(void);

/* ---- decoding ------------------------------------------------------------------------------- */

struct decode_context;

/* One step, or what follows from it, in C: from `p`, into the routine's `record`. One past what was
 * read; NULL: failed. */
typedef const uint8_t *jit_decode_helper(struct decode_context *ctx, const plan_step *step,
                                         const uint8_t *p, uint8_t *record, uint32_t left);

typedef enum jit_decode_call {
    JIT_DECODE_REST,   /* the rest of this record, from the header (or element) of `step` on */
    JIT_DECODE_RESYNC, /* a jit_resume instead: where to go on, behind a header or stop byte */
    JIT_DECODE_TEXT,   /* a text, `p` at its length */
    JIT_DECODE_SPAN,   /* VECTOR, BOOLS; `p` at the element type */
    JIT_DECODE_ITEMS,  /* LIST, MAP */
    JIT_DECODE_RECORD, /* a struct behind a pointer */
    JIT_DECODE_INIT,   /* gives a struct by value its initial value; returns `p` */
    JIT_DECODE_UNION,  /* the whole of a union */
    JIT_DECODE_CALLS
} jit_decode_call;

/* Reads `count` records of a routine, as the interpreter's loop does; `routine` is an element of
 * jit_unit.routines. */
typedef const uint8_t *jit_decode_enter(struct decode_context *ctx, const uint8_t *p,
                                        uint8_t *record, size_t count, uint32_t left,
                                        const void *routine);

/* ---- encoding ------------------------------------------------------------------------------- */

struct encode_context;

/* One step in C, header included: at `p`, from the routine's `record`. One past what was written;
 * NULL: failed. MORE is another function: more(context, p, fixed, size), room for that many bytes.
 */
typedef enum jit_encode_call {
    JIT_ENCODE_MORE,
    JIT_ENCODE_SPAN, /* VECTOR, BOOLS */
    JIT_ENCODE_UNION,
    JIT_ENCODE_KEEP,
    JIT_ENCODE_CALLS
} jit_encode_call;

typedef uint8_t *jit_encode_enter(struct encode_context *ctx, uint8_t *p, const uint8_t *record,
                                  size_t count, uint32_t left, const void *routine);

/* ---- measuring ------------------------------------------------------------------------------ */

/* One variable part in C: helper(context, size, sum, record, left), the new sum, 0: failed. */
typedef enum jit_size_call {
    JIT_SIZE_PART, /* unions, kept bytes */
    JIT_SIZE_CALLS
} jit_size_call;

/* As jit_decode_enter. The sum is not 0 at the beginning; the result is above 2^31-1 when anything
 * is wrong. */
typedef uint64_t jit_size_enter(void *context, uint64_t sum, const uint8_t *record, size_t count,
                                uint32_t left, const void *routine);

/* ---- compiled ------------------------------------------------------------------------------- */

typedef struct jit_unit {
    void *enter; /* jit_decode_enter, ...: a function pointer as the standard's dlsym has it */
    const void **routines; /* by index in plan->routines */
    const void  *root; /* routines[0], and before it the record is given its initial value if ... */
    bool         initialises;
    size_t       size; /* bytes of machine code */
    struct pages_region *region;
    struct inspect_unit *seen;   /* who was told of it */
    size_t               memory; /* bytes of this block, told when it is freed */
} jit_unit;

typedef enum jit_kind {
    JIT_DECODE,       /* texts are copied */
    JIT_DECODE_VIEWS, /* texts are views into the input */
    JIT_ENCODE,
    JIT_SIZE,
    JIT_KINDS
} jit_kind;

/* What the codec tells of one kind: helpers, and where machine code finds what it needs in the
 * context. */
typedef void jit_helper(void); /* any function; called as its enumerator says */
typedef struct jit_context {
    uint32_t unwind;     /* offset of a void * that is machine code's */
    uint32_t end, arena; /* offsets of the end of input or output, of the arena; or JIT_NO_OFFSET */
    uint32_t budget;     /* decoding: of the arena bytes that may still be taken */
    uint32_t helper_count;
    jit_helper *helpers[8];
} jit_context;
#define JIT_NO_OFFSET UINT32_MAX

/* Compiles all routines of a plan. NULL when it cannot be done: no memory, or the kernel refuses.
 */
jit_unit *jit_compile(const struct plan *plan, jit_kind kind, const jit_context *context,
                      unsigned features, const frugal_allocator *allocator);
void      jit_unit_free(jit_unit *unit, const frugal_allocator *allocator);

/* The same code that nobody runs, for people: bytes, and marks of what each part is for. The caller
 * releases it (code.h), also after false: no memory, or no lowering for this CPU. */
struct jit_code;
bool jit_list(const struct plan *plan, jit_kind kind, const jit_context *context, unsigned features,
              const frugal_allocator *allocator, struct jit_code *code);

#endif /* JIT_JIT_H */
