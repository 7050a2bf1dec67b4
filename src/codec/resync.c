/* codec/resync.c - when the wire does not follow the plan: absent, unknown, mistyped, repeated,
 * reordered.
 *
 * The invariant of the loop is that every required field before the expected step has been read. So
 * as long as fields are absent but in order, nothing needs to be remembered: decode_resync finds
 * the step that a header belongs to and hands it back, without reading the value. Only when a field
 * comes that lies before, or when a required one would be passed over, is the rest of that struct
 * read here, with a bit for each field (decode_careful). What is nested inside is read by the loop
 * again. */
#include "codec/decode.h"

static const decode_resume failed = { NULL, NULL };

/* ---- one header ----------------------------------------------------------------------------- */

typedef struct field_header {
    uint8_t type; /* 0: the stop byte */
    int16_t id;
} field_header;

/* Reads the header at `p`, whose size is 1 or 3. False: the input ends inside it. */
static bool read_header(decode_context *ctx, const uint8_t *p, field_header *header)
{
    size_t rest = (size_t)(ctx->end - p);
    header->id  = 0;
    if (rest == 0) {
        decode_fault(ctx, WIRE_FAULT_EOF, p, 1, 0, 0);
        return false;
    }
    header->type = p[0];
    if (header->type == FRUGAL_WIRE_STOP)
        return true;
    if (rest < BINARY_FIELD_SIZE) {
        decode_fault(ctx, WIRE_FAULT_EOF, p, BINARY_FIELD_SIZE - rest, 0, 0);
        return false;
    }
    header->id = (int16_t)load_be16(p + 1);
    return true;
}

/* The blame of something that is wrong with a struct, not with one of its fields. */
static void blame_scope(decode_context *ctx, uint32_t scope)
{
    uint32_t enter = ctx->plan->scopes[scope].parent_step;
    if (enter != PLAN_NONE)
        codec_blame(&ctx->path, ctx->plan, &ctx->plan->steps[enter]);
}

/* ---- unknown fields ------------------------------------------------------------------------- */

/* Kept bytes have room for the next power of two, so that many unknown fields are not copied many
 * times; the room follows from the length alone and need not be stored. */
static size_t keeper_capacity(size_t len)
{
    size_t capacity = 64;
    if (len == 0)
        return 0;
    while (capacity < len)
        capacity *= 2;
    return capacity;
}

static bool keep(decode_context *ctx, schema_span *keeper, const uint8_t *bytes, size_t size)
{
    size_t len = keeper->len + size;
    if (len > keeper_capacity(keeper->len)) {
        uint8_t *larger = decode_alloc(ctx, keeper_capacity(len), 1, bytes);
        if (larger == NULL)
            return false;
        if (keeper->len)
            memcpy(larger, keeper->ptr, keeper->len);
        keeper->ptr = larger;
    }
    /* What the keeper points at is the arena's, made above: it was const for its readers. */
    memcpy((uint8_t *)(uintptr_t)keeper->ptr + keeper->len, bytes, size);
    keeper->len = len;
    return true;
}

/* One past the field whose header is at `p`; `keeper` NULL: its bytes are dropped. */
static const uint8_t *pass_field(decode_context *ctx, const plan_scope *scope, const uint8_t *p,
                                 schema_span *keeper, uint32_t left)
{
    uint32_t depth =
        scope->parent_step == PLAN_NONE ? 0 : ctx->plan->steps[scope->parent_step].depth;
    const uint8_t *after = binary_skip(p + BINARY_FIELD_SIZE, ctx->end, p[0], left - depth,
                                       decode_depth_max(ctx), &ctx->fault);
    if (after == NULL) {
        if (p[0] > FRUGAL_WIRE_LIST || binary_least_size[p[0]] == 0)
            ctx->fault.at = p; /* the type that does not exist is the field's own */
        path_init(&ctx->path);
        return NULL;
    }
    if (keeper && !keep(ctx, keeper, p, (size_t)(after - p)))
        return NULL;
    return after;
}

static schema_span *keeper_of(const plan_scope *scope, uint8_t *record)
{
    return scope->keeper == PLAN_NONE ? NULL : (schema_span *)(void *)(record + scope->keeper);
}

/* A field of the description that came with another wire type: passed over, unless strict. */
static bool refuse_mismatch(decode_context *ctx, const plan_step *step, const uint8_t *p)
{
    if (!ctx->options->strict)
        return false;
    decode_fault(ctx, WIRE_FAULT_FIELD, p, step->wire, p[0], 0);
    codec_blame(&ctx->path, ctx->plan, step);
    return true;
}

/* ---- out of order --------------------------------------------------------------------------- */

/* Reads the value of one step, and nothing after it. The loop runs until END, so it is given this
 * one step, in an element place, and an END. A struct by value is read by its own routine and
 * starts afresh: a repeated one replaces the first, whole. */
const uint8_t *decode_one(decode_context *ctx, const plan_step *step, const uint8_t *p,
                          uint8_t *record, uint32_t left)
{
    plan_step one[2] = {
        *step, { .op = PLAN_END, .code = PLAN_CODE(PLAN_END, PLAN_ELEMENT), .scope = PLAN_NONE }
    };
    if (step->op == PLAN_ENTER || step->op == PLAN_RECORD) {
        one[0].op = PLAN_RECORD;
        one[0].flags |= PLAN_INIT;
    }
    one[0].code = PLAN_CODE(one[0].op, PLAN_ELEMENT);
    codec_engine_of(ctx->plan)->decode(NULL, one, NULL, NULL, 2, 0); /* as codec_prepare */
    p = codec_engine_of(ctx->plan)->decode(ctx, one, p, record, 1, left);
    if (p && step->code / PLAN_OPS == PLAN_BY_HAS)
        record[step->has] = 1;
    return p;
}

/* A struct by value that comes again is cleared again. That takes no memory, but is charged as if
 * it did: else a few bytes of wire would buy the clearing of a wide record, any number of times. */
static bool charge_again(decode_context *ctx, const plan_step *step, const uint8_t *at)
{
    if ((step->op != PLAN_ENTER && step->op != PLAN_RECORD) || (step->flags & PLAN_INDIRECT))
        return true;
    size_t size = ctx->plan->routines[step->body].stride;
    if (size > ctx->budget) {
        decode_fault(ctx, WIRE_FAULT_BUDGET, at, size, decode_size_max(ctx), 0);
        codec_blame(&ctx->path, ctx->plan, step);
        return false;
    }
    ctx->budget -= size;
    return true;
}

/* Which fields were seen. Most structs fit the words here. */
typedef struct seen_set {
    uint64_t *words;
    uint64_t  inside[8];
} seen_set;

static bool seen_init(decode_context *ctx, seen_set *seen, uint32_t count, const uint8_t *at)
{
    size_t words = ((size_t)count + 63) / 64;
    seen->words  = seen->inside;
    if (words > sizeof seen->inside / sizeof seen->inside[0])
        seen->words = decode_alloc(ctx, words * sizeof(uint64_t), sizeof(uint64_t), at);
    if (seen->words)
        memset(seen->words, 0, words * sizeof(uint64_t));
    return seen->words != NULL;
}

static void seen_add(seen_set *seen, uint32_t index)
{
    seen->words[index / 64] |= UINT64_C(1) << index % 64;
}

static bool seen_has(const seen_set *seen, uint32_t index)
{
    return seen->words[index / 64] >> index % 64 & 1;
}

/* The stop byte is at `p`: the lowest required field that did not come is the fault. */
static bool require_all(decode_context *ctx, const plan_scope *scope, const seen_set *seen,
                        const uint8_t *p)
{
    for (uint32_t i = 0; i < scope->count; i++) {
        const plan_step *step = &ctx->plan->steps[scope->step_of[i]];
        if ((step->flags & PLAN_REQUIRED) && !seen_has(seen, i)) {
            decode_fault(ctx, WIRE_FAULT_MISSING, p, (uint64_t)(int64_t)scope->ids[i], 0, 0);
            codec_blame(&ctx->path, ctx->plan, step);
            return false;
        }
    }
    return true;
}

decode_resume decode_careful(decode_context *ctx, const plan_step *step, const uint8_t *p,
                             uint8_t *record, uint32_t left)
{
    const plan_scope *scope = &ctx->plan->scopes[step->scope];
    seen_set          seen;
    field_header      header;
    if (!seen_init(ctx, &seen, scope->count, p)) {
        blame_scope(ctx, step->scope);
        return failed;
    }
    for (uint32_t i = 0; i < step->index; i++)
        seen_add(&seen, i);
    for (;;) {
        if (!read_header(ctx, p, &header))
            break;
        if (header.type == FRUGAL_WIRE_STOP) {
            if (!require_all(ctx, scope, &seen, p))
                return failed;
            return (decode_resume){ &ctx->plan->steps[scope->step_of[scope->count]], p + 1 };
        }
        const plan_step *hit = plan_find(ctx->plan, scope, header.id);
        if (hit && hit->wire == header.type) {
            if (seen_has(&seen, hit->index) && !charge_again(ctx, hit, p))
                return failed;
            seen_add(&seen, hit->index);
            p = decode_one(ctx, hit, p + BINARY_FIELD_SIZE, record, left);
            if (p == NULL)
                return failed;
            continue;
        }
        if (hit && refuse_mismatch(ctx, hit, p))
            return failed;
        p = pass_field(ctx, scope, p, keeper_of(scope, record), left);
        if (p == NULL)
            break;
    }
    blame_scope(ctx, step->scope);
    return failed;
}

/* ---- in order, with gaps -------------------------------------------------------------------- */

decode_resume decode_resync(decode_context *ctx, const plan_step *step, const uint8_t *p,
                            uint8_t *record, uint32_t left)
{
    const plan_scope *scope = &ctx->plan->scopes[step->scope];
    field_header      header;
    while (read_header(ctx, p, &header)) {
        const plan_step *hit  = header.type == FRUGAL_WIRE_STOP
                                    ? &ctx->plan->steps[scope->step_of[scope->count]]
                                    : plan_find(ctx->plan, scope, header.id);
        bool             fits = hit && hit->wire == header.type;
        if (fits && (uintptr_t)hit - (uintptr_t)step > hit->reach)
            return decode_careful(ctx, step, p, record, left);
        if (fits)
            return (decode_resume){ hit, p + (hit->op == PLAN_STOP ? 1 : BINARY_FIELD_SIZE) };
        if (hit && refuse_mismatch(ctx, hit, p))
            return failed;
        p = pass_field(ctx, scope, p, keeper_of(scope, record), left);
        if (p == NULL)
            break;
    }
    blame_scope(ctx, step->scope);
    return failed;
}

/* ---- unions --------------------------------------------------------------------------------- */

/* Makes the union empty before an arm is read into it. Clearing a union again and again is charged,
 * as for any record that is repeated. */
static bool clear_union(decode_context *ctx, const plan_step *step, uint8_t *record, bool again,
                        const uint8_t *at)
{
    if (again && step->stride > ctx->budget) {
        decode_fault(ctx, WIRE_FAULT_BUDGET, at, step->stride, decode_size_max(ctx), 0);
        return false;
    }
    if (again)
        ctx->budget -= step->stride;
    schema_init(ctx->plan->scopes[step->scope].type, record);
    return true;
}

const uint8_t *decode_union(decode_context *ctx, const plan_step *step, const uint8_t *p,
                            uint8_t *record, uint32_t left)
{
    const plan_scope *scope  = &ctx->plan->scopes[step->scope];
    schema_span      *keeper = keeper_of(scope, record);
    int32_t           which  = 0;
    field_header      header;
    while (read_header(ctx, p, &header)) {
        if (header.type == FRUGAL_WIRE_STOP)
            return p + 1;
        const plan_step *arm = plan_find(ctx->plan, scope, header.id);
        if (arm && arm->wire == header.type) {
            if (!clear_union(ctx, step, record, which != 0, p))
                return NULL;
            p = codec_engine_of(ctx->plan)->decode(ctx, arm, p + BINARY_FIELD_SIZE, record, 1,
                                                   left);
            if (p == NULL)
                return NULL;
            which = header.id;
            memcpy(record + step->has, &which, sizeof which);
            continue;
        }
        if (arm && refuse_mismatch(ctx, arm, p))
            return NULL;
        /* With an arm alive, kept bytes would become a second arm when they are written again. */
        p = pass_field(ctx, scope, p, which ? NULL : keeper, left);
        if (p == NULL)
            return NULL;
    }
    return NULL;
}
