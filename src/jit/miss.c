/* jit/miss.c - writing the tables of a miss. A field of a table holds its own distance from the
 * beginning of it until it is linked. */
#include "jit/miss.h"

void miss_put_fields(jit_compiler *c, const jit_scope *s, uint8_t table_kind)
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
        code_refer(code, at, s->after[step->index], table_kind);
        code_u32(code, at - base);
        code_u32(code, step->wire | least << 8 | (step->index - least) << (8 + MISS_FIELD_BITS));
    }
}

void miss_put_indices(jit_compiler *c, const jit_scope *s, uint8_t table_kind)
{
    uint32_t base = c->code.size;
    for (uint32_t i = 0; i <= s->scope->count; i++) {
        code_refer(&c->code, c->code.size, s->after[i], table_kind);
        code_u32(&c->code, c->code.size - base);
    }
}
