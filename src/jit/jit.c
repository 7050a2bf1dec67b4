/* jit/jit.c - from a plan to a unit: labels, code, links, pages. */
#include "jit/jit.h"

#include "core/allocator.h"
#include "jit/decode.h"
#include "jit/encode.h"
#include "jit/inspect.h"
#include "jit/pages.h"

#ifdef __x86_64__
#    include <cpuid.h>
#endif

#if !defined(FRUGAL_NO_JIT) \
    && (defined(__x86_64__) || (defined(__aarch64__) && BYTES_LITTLE_ENDIAN))

/* Asked once: where a hypervisor answers for the CPU, that takes tens of microseconds. */
#    define FEATURES_KNOWN 0x80000000u

unsigned jit_cpu_features(void)
{
    static unsigned known;
    unsigned        features = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (features)
        return features & ~FEATURES_KNOWN;
#    ifdef __x86_64__
    unsigned a, b, c, d;
    __builtin_cpu_init();
    features |= __builtin_cpu_supports("avx2") ? JIT_AVX2 : 0;
    /* clang 14 does not know this one by name */
    features |= __get_cpuid(1, &a, &b, &c, &d) && (c & bit_MOVBE) ? JIT_MOVBE : 0;
#    endif
    __atomic_store_n(&known, features | FEATURES_KNOWN, __ATOMIC_RELAXED);
    return features;
}

/* The addresses of helpers, called through their labels. */
static void put_helpers(jit_compiler *c, uintptr_t const *addresses, unsigned count)
{
    while (c->code.size % 8)
        code_u8(&c->code, 0);
    for (unsigned i = 0; i < count; i++) {
        code_bind(&c->code, c->helpers[i]);
        code_u64(&c->code, addresses[i]);
    }
}

static jit_unit *make_unit(jit_compiler *c, jit_kind kind)
{
    const frugal_allocator *a      = c->code.allocator;
    uint32_t                count  = c->plan->routine_count;
    size_t                  memory = sizeof(jit_unit) + count * sizeof(void *);
    if (!target_link(&c->code))
        return NULL;
    jit_unit *unit = a->resize(a->context, NULL, 0, memory);
    if (unit == NULL)
        return NULL;
    *unit              = (jit_unit){ .size = c->code.size, .memory = memory };
    unit->routines     = (const void **)(void *)(unit + 1);
    pages_unit written = { c->code.bytes, c->code.size, NULL };
    unit->region       = pages_new(&written, 1, a);
    if (unit->region == NULL) {
        a->resize(a->context, unit, memory, 0);
        return NULL;
    }
    uint8_t *base     = written.code;
    unit->enter       = base + c->code.labels[c->enter];
    unit->initialises = c->initialises;
    for (uint32_t i = 0; i < count; i++)
        unit->routines[i] = base + c->code.labels[c->routines[i]];
    unit->root = c->initialises ? base + c->code.labels[c->root] : unit->routines[0];
    unit->seen = inspect_made(c, kind, base);
    return unit;
}

static void put_code(jit_compiler *c, jit_kind kind)
{
    if (kind <= JIT_DECODE_VIEWS)
        jit_put_decoder(c);
    else if (kind == JIT_ENCODE)
        jit_put_encoder(c);
    else
        jit_put_measurer(c);
}

static size_t labels_size(const jit_compiler *c)
{
    return ((size_t)c->plan->routine_count + (size_t)4 * c->plan->scope_count) * sizeof(jit_label);
}

/* All of the code, not linked. Nothing but the code must be released when c->routines is NULL. */
static void generate(jit_compiler *c, jit_kind kind, const jit_context *context)
{
    uint32_t  count = c->plan->routine_count + 4 * c->plan->scope_count;
    uintptr_t addresses[8];
    c->routines = code_scratch(&c->code, labels_size(c));
    if (c->routines == NULL)
        return;
    c->scopes = (jit_scope_code *)(void *)(c->routines + c->plan->routine_count);
    c->enter  = code_label(&c->code);
    c->fail   = code_label(&c->code);
    c->copy   = code_label(&c->code);
    c->root   = code_label(&c->code);
    for (uint32_t i = 0; i < count; i++)
        c->routines[i] = code_label(&c->code);
    for (unsigned i = 0; i < 5; i++)
        c->masks[i] = code_label(&c->code);
    for (unsigned i = 0; i < context->helper_count; i++) {
        c->helpers[i] = code_label(&c->code);
        addresses[i]  = (uintptr_t)context->helpers[i];
    }
    code_mark(&c->code, JIT_PART_ENTER, 0);
    put_code(c, kind);
    code_mark(&c->code, JIT_PART_DATA, 0);
    target_constants(c);
    put_helpers(c, addresses, context->helper_count);
}

static jit_compiler compiler_of(const struct plan *plan, jit_kind kind, const jit_context *context,
                                unsigned features, const frugal_allocator *allocator)
{
    jit_compiler c = { .plan     = plan,
                       .features = features,
                       .unwind   = context->unwind,
                       .end      = context->end,
                       .arena    = context->arena,
                       .budget   = context->budget,
                       .viewed   = kind == JIT_DECODE_VIEWS };
    code_init(&c.code, allocator);
    return c;
}

jit_unit *jit_compile(const struct plan *plan, jit_kind kind, const jit_context *context,
                      unsigned features, const frugal_allocator *allocator)
{
    jit_compiler c    = compiler_of(plan, kind, context, features, allocator);
    jit_unit    *unit = NULL;
    generate(&c, kind, context);
    if (c.routines)
        unit = make_unit(&c, kind);
    code_scratch_free(&c.code, c.routines, labels_size(&c));
    code_release(&c.code);
    return unit;
}

bool jit_list(const struct plan *plan, jit_kind kind, const jit_context *context, unsigned features,
              const frugal_allocator *allocator, struct jit_code *code)
{
    jit_compiler c = compiler_of(plan, kind, context, features, allocator);
    c.code.marked  = true;
    generate(&c, kind, context);
    bool good = c.routines && target_link(&c.code);
    code_scratch_free(&c.code, c.routines, labels_size(&c));
    *code = c.code;
    return good;
}

void jit_unit_free(jit_unit *unit, const frugal_allocator *allocator)
{
    const frugal_allocator *a = allocator_or_malloc(allocator);
    if (unit == NULL)
        return;
    inspect_gone(unit->seen);
    pages_free(unit->region);
    a->resize(a->context, unit, unit->memory, 0);
}

bool jit_available(void)
{
    return pages_allowed();
}

const char *jit_refusal(void)
{
    return pages_refusal();
}

#else /* no lowering for this CPU */

unsigned jit_cpu_features(void)
{
    return 0;
}

bool jit_available(void)
{
    return false;
}

const char *jit_refusal(void)
{
#    ifdef FRUGAL_NO_JIT
    return "built without it";
#    else
    return "not for this CPU";
#    endif
}

jit_unit *jit_compile(const struct plan *plan, jit_kind kind, const jit_context *context,
                      unsigned features, const frugal_allocator *allocator)
{
    (void)plan;
    (void)kind;
    (void)context;
    (void)features;
    (void)allocator;
    return NULL;
}

bool jit_list(const struct plan *plan, jit_kind kind, const jit_context *context, unsigned features,
              const frugal_allocator *allocator, struct jit_code *code)
{
    (void)plan;
    (void)kind;
    (void)context;
    (void)features;
    code_init(code, allocator);
    return false;
}

void jit_unit_free(jit_unit *unit, const frugal_allocator *allocator)
{
    (void)unit;
    (void)allocator;
}

#endif
