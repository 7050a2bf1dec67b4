/* support/law_engines.c - one call, each engine. */
#include "support/law_engines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- which ---------------------------------------------------------------------------------- */

static bool use_all;

void law_use_all_engines(void)
{
    use_all = true;
}

law_choice law_choose(law_case *at)
{
    const char *only     = getenv("FRUGAL_LAW_ENGINE");
    unsigned    machines = engines_count() - 1;
    if (only && *only) {
        unsigned engine = (unsigned)strtoul(only, NULL, 0);
        return (law_choice){ engine, engine };
    }
    if (use_all || machines == 0)
        return (law_choice){ ENGINE_MACHINE, machines };
    unsigned engine = ENGINE_MACHINE + at->turn++ % machines;
    return (law_choice){ engine, engine };
}

/* Roots that this engine did, and records that it left to the interpreter on the way. */
typedef struct tally {
    uint64_t served, rested;
} tally;

static tally add_up(unsigned engine)
{
    tally sum = { 0 };
    for (unsigned kind = 0; kind < JIT_KINDS; kind++) {
        sum.served += engines_tallies[engine][kind].served;
        sum.rested += engines_tallies[engine][kind].rested;
    }
    return sum;
}

static tally before;

bool law_engine_begin(law_case *at, unsigned engine)
{
    before = add_up(engine);
    return engines_use(at->type, engine);
}

void law_engine_end(law_case *at, unsigned engine)
{
    tally now = add_up(engine);
    if (now.served > before.served && now.rested == before.rested)
        at->served |= 1u << engine;
}

/* ---- the same ------------------------------------------------------------------------------- */

void law_same_error(const law_case *at, const char *engine, const frugal_error *one,
                    const frugal_error *other)
{
    LAW(at, one->status == other->status, "%s: %s, %s by the interpreter", engine,
        frugal_status_name(other->status), frugal_status_name(one->status));
    LAW(at, one->offset == other->offset, "%s: at %zu, %zu by the interpreter: %s", engine,
        other->offset, one->offset, one->message);
    LAW(at, strcmp(one->path, other->path) == 0, "%s: in %s, %s by the interpreter", engine,
        other->path, one->path);
    LAW(at, strcmp(one->message, other->message) == 0, "%s: `%s`, `%s` by the interpreter", engine,
        other->message, one->message);
}

/* What one engine answered. */
typedef struct answer {
    frugal_status status;
    frugal_error  error;
    size_t        size;
} answer;

static void check_same(const law_case *at, unsigned engine, const answer *one, const answer *other)
{
    const char *name = engines_name(engine);
    LAW(at, one->status == other->status, "%s: %s, %s by the interpreter: %s", name,
        frugal_status_name(other->status), frugal_status_name(one->status),
        one->status == FRUGAL_OK ? other->error.message : one->error.message);
    LAW(at, one->size == other->size, "%s: %zu bytes, %zu by the interpreter", name, other->size,
        one->size);
    if (one->status != FRUGAL_OK)
        law_same_error(at, name, &one->error, &other->error);
}

static frugal_encode_options options_for(const frugal_encode_options *options, unsigned engine)
{
    frugal_encode_options mine = { 0 };
    if (options)
        mine = *options;
    mine.interpreter_only = engine == ENGINE_INTERPRETER;
    return mine;
}

/* ---- into memory ---------------------------------------------------------------------------- */

typedef struct written {
    law_case                    *at;
    const frugal_encode_options *options;
    uint8_t                     *out;
    size_t                       capacity;
} written;

static answer write_once(const written *to, unsigned engine)
{
    frugal_encode_options mine = options_for(to->options, engine);
    answer                it   = { .size = SIZE_MAX };
    it.status =
        frugal_encode_to(law_view(to->at), &mine, to->out, to->capacity, &it.size, &it.error);
    return it;
}

static void hand_out(const answer *it, size_t *size, frugal_error *error)
{
    if (it->status == FRUGAL_OK && size)
        *size = it->size;
    if (it->status != FRUGAL_OK && error)
        *error = it->error;
}

frugal_status law_encode_to(law_case *at, const frugal_encode_options *options, void *out,
                            size_t capacity, size_t *size, frugal_error *error)
{
    written    to     = { at, options, out, capacity };
    law_choice choice = law_choose(at);
    answer     one    = write_once(&to, ENGINE_INTERPRETER);
    uint8_t   *bytes  = malloc(one.status == FRUGAL_OK ? one.size : 1);
    assert_non_null(bytes);
    if (one.status == FRUGAL_OK)
        memcpy(bytes, out, one.size);
    at->served = 1u << ENGINE_INTERPRETER;
    for (unsigned engine = choice.first; engine <= choice.last; engine++) {
        if (!law_engine_begin(at, engine))
            continue;
        if (one.status == FRUGAL_OK)
            memset(out, 0x3c, one.size);
        answer other = write_once(&to, engine);
        law_engine_end(at, engine);
        check_same(at, engine, &one, &other);
        if (one.status == FRUGAL_OK)
            LAW(at, memcmp(bytes, out, one.size) == 0, "%s: other bytes", engines_name(engine));
    }
    free(bytes);
    hand_out(&one, size, error);
    return one.status;
}

/* ---- measuring ------------------------------------------------------------------------------ */

static answer measure_once(law_case *at, const frugal_encode_options *options, unsigned engine)
{
    frugal_encode_options mine = options_for(options, engine);
    answer                it   = { .size = SIZE_MAX };
    it.status                  = frugal_encoded_size(law_view(at), &mine, &it.size, &it.error);
    return it;
}

frugal_status law_encoded_size(law_case *at, const frugal_encode_options *options, size_t *size,
                               frugal_error *error)
{
    law_choice choice = law_choose(at);
    answer     one    = measure_once(at, options, ENGINE_INTERPRETER);
    at->served        = 1u << ENGINE_INTERPRETER;
    for (unsigned engine = choice.first; engine <= choice.last; engine++) {
        if (!law_engine_begin(at, engine))
            continue;
        answer other = measure_once(at, options, engine);
        law_engine_end(at, engine);
        check_same(at, engine, &one, &other);
    }
    hand_out(&one, size, error);
    return one.status;
}

/* ---- appending ------------------------------------------------------------------------------ */

/* A buffer as it was before, in memory of its own; a fixed one in the same, for behind that may be
 * a guard page. */
typedef struct before_call {
    frugal_buf buf;
    uint8_t   *front; /* what is in it */
    uint8_t   *storage;
} before_call;

static uint8_t *memory_of(size_t size)
{
    uint8_t *memory = malloc(size ? size : 1);
    assert_non_null(memory);
    return memory;
}

static before_call remember(const frugal_buf *buf)
{
    before_call it = { *buf, memory_of(buf->size), memory_of(buf->capacity) };
    if (buf->size)
        memcpy(it.front, buf->data, buf->size);
    return it;
}

static frugal_buf start_again(const before_call *it)
{
    frugal_buf twin = it->buf;
    if (!twin.fixed) {
        twin.data      = it->storage;
        twin.owned     = false;
        twin.allocator = NULL;
        if (twin.size)
            memcpy(twin.data, it->front, twin.size);
    }
    return twin;
}

static void forget(before_call *it)
{
    free(it->front);
    free(it->storage);
}

static answer append_once(frugal_view value, const frugal_encode_options *options, unsigned engine,
                          frugal_buf *out)
{
    frugal_encode_options mine = options_for(options, engine);
    answer                it   = { 0 };
    it.status                  = frugal_encode(value, &mine, out, &it.error);
    it.size                    = out->size;
    return it;
}

frugal_status law_encode(law_case *at, frugal_view value, const frugal_encode_options *options,
                         frugal_buf *out, frugal_error *error)
{
    law_choice  choice = law_choose(at);
    before_call start  = remember(out);
    answer      one    = append_once(value, options, ENGINE_INTERPRETER, out);
    uint8_t    *bytes  = memory_of(one.size);
    if (one.size)
        memcpy(bytes, out->data, one.size);
    at->served = 1u << ENGINE_INTERPRETER;
    for (unsigned engine = choice.first; engine <= choice.last; engine++) {
        if (!law_engine_begin(at, engine))
            continue;
        frugal_buf twin  = start_again(&start);
        answer     other = append_once(value, options, engine, &twin);
        law_engine_end(at, engine);
        check_same(at, engine, &one, &other);
        LAW(at, one.size == 0 || memcmp(twin.data, bytes, one.size) == 0, "%s: other bytes",
            engines_name(engine));
        frugal_buf_release(&twin);
    }
    free(bytes);
    forget(&start);
    hand_out(&one, NULL, error);
    return one.status;
}
