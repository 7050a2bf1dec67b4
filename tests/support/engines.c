/* support/engines.c - units of machine code behind doors that count. */
#include "support/engines.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "codec/machine.h"

engines_tally engines_tallies[ENGINES_MAX][JIT_KINDS];

/* A unit as the codec sees it: as the real one, but for the address of its door. */
typedef struct door {
    jit_unit    unit;
    jit_unit   *real;
    struct set *set;
    uint8_t     engine, kind;
} door;

/* What a plan has. */
typedef struct set {
    door doors[ENGINES_MAX][JIT_KINDS]; /* none for the interpreter */
} set;

static engines_tally *running; /* of the root that is read */

/* ---- which there are ------------------------------------------------------------------------ */

/* A CPU that lacks a feature runs the same code under two names. */
#ifdef __x86_64__
#    define MACHINES_MAX (ENGINES_MAX - 1)
#else
#    define MACHINES_MAX 1
#endif

static unsigned features_of(unsigned engine)
{
    static const unsigned masked[ENGINES_MAX] = { 0, 0, JIT_AVX2, JIT_MOVBE, JIT_AVX2 | JIT_MOVBE };
    return jit_cpu_features() & ~masked[engine];
}

unsigned engines_count(void)
{
    return jit_available() ? 1 + MACHINES_MAX : 1;
}

const char *engines_name(unsigned engine)
{
    static const char *const names[ENGINES_MAX] = { "interpreter", "machine",
                                                    "machine without avx2", "machine without movbe",
                                                    "machine without both" };
    return names[engine];
}

/* ---- doors ---------------------------------------------------------------------------------- */

static void count_root(const door *at, bool served)
{
    engines_tallies[at->engine][at->kind].entered++;
    engines_tallies[at->engine][at->kind].served += served;
}

/* Containers in C come by here, too, for their elements: they begin behind the start. */
static const uint8_t *enter_decoder(decode_context *ctx, const uint8_t *p, uint8_t *record,
                                    size_t count, uint32_t left, const void *routine)
{
    const door       *at = (const door *)(const void *)ctx->unit;
    jit_decode_enter *enter;
    memcpy(&enter, &at->real->enter, sizeof enter);
    running            = &engines_tallies[at->engine][at->kind];
    const uint8_t *end = enter(ctx, p, record, count, left, routine);
    if (p == ctx->start)
        count_root(at, end != NULL);
    return end;
}

static const door *door_of(const struct plan *plan, jit_kind kind)
{
    return (const door *)(const void *)plan->machine->units[kind];
}

static uint8_t *enter_encoder(encode_context *ctx, uint8_t *p, const uint8_t *record, size_t count,
                              uint32_t left, const void *routine)
{
    const door       *at = door_of(ctx->plan, JIT_ENCODE);
    jit_encode_enter *enter;
    memcpy(&enter, &at->real->enter, sizeof enter);
    uint8_t *end = enter(ctx, p, record, count, left, routine);
    count_root(at, end != NULL);
    return end;
}

static uint64_t enter_measurer(void *context, uint64_t sum, const uint8_t *record, size_t count,
                               uint32_t left, const void *routine)
{
    const machine_size_context *ctx = context;
    const door                 *at  = door_of(ctx->plan, JIT_SIZE);
    jit_size_enter             *enter;
    memcpy(&enter, &at->real->enter, sizeof enter);
    uint64_t size = enter(context, sum, record, count, left, routine);
    count_root(at, size <= INT32_MAX);
    return size;
}

/* ---- helpers -------------------------------------------------------------------------------- */

typedef decode_resume resync(decode_context *ctx, const plan_step *step, const uint8_t *p,
                             uint8_t *record, uint32_t left);

static const uint8_t *rest(decode_context *ctx, const plan_step *step, const uint8_t *p,
                           uint8_t *record, uint32_t left)
{
    running->rested++;
    jit_decode_helper *helper = (jit_decode_helper *)machine_decoding.helpers[JIT_DECODE_REST];
    return helper(ctx, step, p, record, left);
}

static decode_resume find(decode_context *ctx, const plan_step *step, const uint8_t *p,
                          uint8_t *record, uint32_t left)
{
    running->resynced++;
    resync *helper = (resync *)machine_decoding.helpers[JIT_DECODE_RESYNC];
    return helper(ctx, step, p, record, left);
}

static jit_context context_of(jit_kind kind)
{
    if (kind == JIT_ENCODE)
        return machine_encoding;
    if (kind == JIT_SIZE)
        return machine_measuring;
    jit_context context                = machine_decoding;
    context.helpers[JIT_DECODE_REST]   = (jit_helper *)rest;
    context.helpers[JIT_DECODE_RESYNC] = (jit_helper *)find;
    return context;
}

/* ---- plans ---------------------------------------------------------------------------------- */

static void release(plan_machine *machine, const frugal_allocator *allocator)
{
    set *doors = NULL;
    for (unsigned kind = 0; kind < JIT_KINDS; kind++)
        if (machine->units[kind])
            doors = ((door *)(void *)machine->units[kind])->set;
    for (unsigned engine = 0; doors && engine < ENGINES_MAX; engine++)
        for (unsigned kind = 0; kind < JIT_KINDS; kind++)
            jit_unit_free(doors->doors[engine][kind].real, allocator);
    free(doors);
}

static bool make_door(const struct plan *plan, set *doors, unsigned engine, jit_kind kind)
{
    jit_decode_enter *decoder  = enter_decoder;
    jit_encode_enter *encoder  = enter_encoder;
    jit_size_enter   *measurer = enter_measurer;
    jit_context       context  = context_of(kind);
    door             *at       = &doors->doors[engine][kind];
    *at      = (door){ .set = doors, .engine = (uint8_t)engine, .kind = (uint8_t)kind };
    at->real = jit_compile(plan, kind, &context, features_of(engine), plan->arena->allocator);
    if (at->real == NULL)
        return false;
    at->unit = *at->real;
    if (kind == JIT_ENCODE)
        memcpy(&at->unit.enter, &encoder, sizeof encoder);
    else if (kind == JIT_SIZE)
        memcpy(&at->unit.enter, &measurer, sizeof measurer);
    else
        memcpy(&at->unit.enter, &decoder, sizeof decoder);
    return true;
}

static bool install(const struct plan *plan)
{
    plan_machine *machine = plan->machine;
    for (unsigned kind = 0; kind < JIT_KINDS; kind++)
        if (machine->states[kind] != MACHINE_UNTRIED)
            return false;
    set *doors = calloc(1, sizeof *doors);
    assert(doors);
    for (unsigned engine = ENGINE_MACHINE; engine < engines_count(); engine++)
        for (unsigned kind = 0; kind < JIT_KINDS; kind++) {
            bool made = make_door(plan, doors, engine, (jit_kind)kind);
            assert(made && "every table can be compiled");
            (void)made;
            machine->units[kind]  = &doors->doors[engine][kind].unit;
            machine->states[kind] = MACHINE_MADE;
        }
    machine->release = release;
    return true;
}

static const struct plan *plan_of(const frugal_struct *type)
{
    const struct plan *plan = plan_ready(type, FRUGAL_PROTOCOL_BINARY);
    if (plan == NULL
        && plan_get_slow(type, FRUGAL_PROTOCOL_BINARY, codec_prepare, NULL, &plan, NULL)
               != FRUGAL_OK)
        return NULL;
    return plan;
}

bool engines_use(const frugal_struct *type, unsigned engine)
{
    const struct plan *plan = plan_of(type);
    if (plan == NULL || engine == ENGINE_INTERPRETER || engine >= engines_count())
        return false;
    if (plan->machine->release != release && !install(plan))
        return false;
    set *doors = door_of(plan, JIT_DECODE)->set;
    for (unsigned kind = 0; kind < JIT_KINDS; kind++)
        plan->machine->units[kind] = &doors->doors[engine][kind].unit;
    return true;
}

bool engines_expected(const frugal_struct *type, jit_kind kind)
{
    const struct plan *plan = plan_of(type);
    if (plan == NULL)
        return false;
    return kind == JIT_SIZE ? !plan->routines[0].only_texts
                            : kind == JIT_ENCODE || !plan->mixes_views;
}
