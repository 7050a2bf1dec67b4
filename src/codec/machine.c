/* codec/machine.c - when machine code is made, and what is told about it. */
#define _POSIX_C_SOURCE 200809L
#include "codec/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* ---- whether -------------------------------------------------------------------------------- */

enum { ASKED_NOT_YET, ASKED_OFF, ASKED_ON };

/* FRUGAL_JIT=off turns it off for the process; looked at once. */
static bool is_wanted(void)
{
    static int asked;
    int        now = __atomic_load_n(&asked, __ATOMIC_RELAXED);
    if (now == ASKED_NOT_YET) {
        const char *value = getenv("FRUGAL_JIT");
        now               = value && !strcmp(value, "off") ? ASKED_OFF : ASKED_ON;
        __atomic_store_n(&asked, now, __ATOMIC_RELAXED);
    }
    return now == ASKED_ON;
}

/* ---- counts --------------------------------------------------------------------------------- */

static uint64_t counted_units, counted_bytes, counted_ns;

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void frugal_jit_count(frugal_jit_counts *counts)
{
    if (counts == NULL)
        return;
    counts->units        = __atomic_load_n(&counted_units, __ATOMIC_RELAXED);
    counts->bytes        = __atomic_load_n(&counted_bytes, __ATOMIC_RELAXED);
    counts->microseconds = __atomic_load_n(&counted_ns, __ATOMIC_RELAXED) / 1000;
}

/* ---- making --------------------------------------------------------------------------------- */

static void release(plan_machine *machine, const frugal_allocator *allocator)
{
    for (unsigned kind = 0; kind < PLAN_MACHINES; kind++)
        jit_unit_free(machine->units[kind], allocator);
}

static const jit_context *context_of(jit_kind kind)
{
    switch (kind) {
    case JIT_ENCODE: return &machine_encoding;
    case JIT_SIZE: return &machine_measuring;
    default: return &machine_decoding;
    }
}

_Static_assert((int)JIT_KINDS == PLAN_MACHINES, "a place for each kind");

const jit_unit *machine_make(const struct plan *plan, jit_kind kind)
{
    plan_machine *machine = plan->machine;
    uint8_t       untried = MACHINE_UNTRIED;
    if (!__atomic_compare_exchange_n(&machine->states[kind], &untried, MACHINE_MAKING, false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return NULL;
    uint64_t  begin = now_ns();
    jit_unit *unit  = NULL;
    if (is_wanted())
        unit =
            jit_compile(plan, kind, context_of(kind), jit_cpu_features(), plan->arena->allocator);
    if (unit) {
        __atomic_store_n(&machine->release, release, __ATOMIC_RELAXED);
        __atomic_store_n(&machine->units[kind], unit, __ATOMIC_RELEASE);
        __atomic_fetch_add(&counted_units, 1, __ATOMIC_RELAXED);
        __atomic_fetch_add(&counted_bytes, unit->size, __ATOMIC_RELAXED);
        __atomic_fetch_add(&counted_ns, now_ns() - begin, __ATOMIC_RELAXED);
    }
    __atomic_store_n(&machine->states[kind], unit ? MACHINE_MADE : MACHINE_DECLINED,
                     __ATOMIC_RELEASE);
    return unit;
}

void machine_pretouch(const struct plan *plan)
{
    machine_unit(plan, JIT_DECODE);
    machine_unit(plan, JIT_ENCODE);
    machine_unit(plan, JIT_SIZE);
}

/* ---- telling -------------------------------------------------------------------------------- */

frugal_status machine_describe(const struct plan *plan, frugal_buf *text)
{
    static const char *const names[JIT_KINDS] = { "decode", "decode views", "encode", "size" };
    char                     line[256];
    int                      len = snprintf(line, sizeof line, "machine code:");
    bool                     any = false;
    for (unsigned kind = 0; kind < JIT_KINDS; kind++) {
        const jit_unit *unit = __atomic_load_n(&plan->machine->units[kind], __ATOMIC_ACQUIRE);
        if (unit)
            len += snprintf(line + len, sizeof line - (size_t)len, "%s %s %zu bytes",
                            any ? "," : "", names[kind], unit->size);
        any = any || unit;
    }
    if (!any)
        len += snprintf(line + len, sizeof line - (size_t)len, " none, %s",
                        !is_wanted()      ? "FRUGAL_JIT=off"
                        : jit_available() ? "not made yet"
                                          : jit_refusal());
    if ((size_t)len >= sizeof line) /* what snprintf would have written */
        len = (int)sizeof line - 1;
    line[len++] = '\n';
    return frugal_buf_append(text, line, (size_t)len);
}
