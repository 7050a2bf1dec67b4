/* jit/code.h - machine code while it is being made: bytes, labels, references between them.
 *
 * Failure is sticky: after the first one (no memory, a displacement that does not fit) calls are
 * harmless and in vain, and the compiler looks once, at the end. Nothing here knows a CPU; how a
 * reference is written into an instruction is the target's business (target_link). */
#ifndef JIT_CODE_H
#define JIT_CODE_H

#include <frugal/memory.h>

#include "core/bytes.h"

typedef uint32_t jit_label; /* index in code->labels */
#define JIT_UNBOUND UINT32_MAX

/* A place that refers to a label: which kind of field is the target's. */
typedef struct jit_reference {
    uint32_t  at;
    jit_label label;
    uint8_t   kind;
} jit_reference;

/* What the code is for from `offset` on, up to the next mark: for people alone. */
typedef enum jit_part {
    JIT_PART_ENTER,   /* where C comes in and failures go out; `index` is nothing's */
    JIT_PART_ROUTINE, /* index in plan->routines: its beginning */
    JIT_PART_STEP,    /* index in plan->steps (of measuring: the step of a variable part) */
    JIT_PART_MISS,    /* the same: another header is there */
    JIT_PART_AFTER,   /* a miss goes on at this step */
    JIT_PART_SLOW,    /* what is not the common case of this step */
    JIT_PART_EMPTY,   /* nothing in this container */
    JIT_PART_REST,    /* index in plan->routines: the rest of a record in C */
    JIT_PART_SCOPE,   /* index in plan->scopes: which field is there instead */
    JIT_PART_COPY,    /* the shared copy of texts */
    JIT_PART_DATA,    /* constants, addresses */
    JIT_PARTS
} jit_part;

typedef struct jit_mark {
    uint32_t offset, index;
    jit_part part;
} jit_mark;

typedef struct jit_code {
    uint8_t                *bytes;
    uint32_t                size, capacity;
    uint32_t               *labels; /* where each is bound, or JIT_UNBOUND */
    uint32_t                label_count, label_capacity;
    jit_reference          *references;
    uint32_t                reference_count, reference_capacity;
    jit_mark               *marks;
    uint32_t                mark_count, mark_capacity;
    const frugal_allocator *allocator;
    bool                    marked; /* marks are wanted */
    bool                    failed;
} jit_code;

/* More is not made into one region: displacements stay far within 31 bits. */
#define JIT_CODE_MAX ((uint32_t)16 << 20)

void code_init(jit_code *code, const frugal_allocator *allocator);
void code_release(jit_code *code);

/* Room for `more` bytes; false when failed. */
bool code_reserve(jit_code *code, uint32_t more);

void      code_bytes(jit_code *code, const void *bytes, uint32_t size);
jit_label code_label(jit_code *code);
void      code_bind(jit_code *code, jit_label label);
/* Notes that the field at `at` refers to `label`. */
void code_refer(jit_code *code, uint32_t at, jit_label label, uint8_t kind);

void               code_mark_wanted(jit_code *code, jit_part part, uint32_t index);
static inline void code_mark(jit_code *code, jit_part part, uint32_t index)
{
    if (UNLIKELY(code->marked))
        code_mark_wanted(code, part, index);
}

/* Memory of the compiler's for a while, zeroed; NULL: failed. */
void *code_scratch(jit_code *code, size_t size);
void  code_scratch_free(jit_code *code, void *memory, size_t size);

static inline void code_u8(jit_code *code, uint8_t byte)
{
    if (LIKELY(code->size < code->capacity) || code_reserve(code, 1))
        code->bytes[code->size++] = byte;
}

/* Words of instructions and of tables are little-endian, whatever machine makes them. */
static inline uint32_t code_order(uint32_t word)
{
    return BYTES_LITTLE_ENDIAN ? word : __builtin_bswap32(word);
}

static inline void code_u32(jit_code *code, uint32_t word)
{
    if (LIKELY(code->capacity - code->size >= 4) || code_reserve(code, 4)) {
        store_u32(code->bytes + code->size, code_order(word));
        code->size += 4;
    }
}

static inline void code_u64(jit_code *code, uint64_t word)
{
    code_u32(code, (uint32_t)word);
    code_u32(code, (uint32_t)(word >> 32));
}

/* The word at `at`, which is there. */
static inline uint32_t code_word(const jit_code *code, uint32_t at)
{
    return code_order(load_u32(code->bytes + at));
}

static inline void code_set_word(jit_code *code, uint32_t at, uint32_t word)
{
    store_u32(code->bytes + at, code_order(word));
}

#endif /* JIT_CODE_H */
