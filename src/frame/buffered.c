/* frame/buffered.c - where a message without a length ends.
 *
 * The hard part is that the message may come in any number of pieces, and that looking at it again
 * from its start for each piece would make a slow sender expensive: quadratic in its length. So it
 * is tried once in one go by wire's skip, which is the fast way and the usual case; when it is not
 * all there, a walk with a stack of its own goes on piece by piece, and stops before the first
 * piece that is not whole. A piece is what can be looked at again in a few steps: a field's header
 * and its number, its whole text, or the header of the container behind it.
 *
 * Both ways find the same faults at the same bytes; what only the end of the stream makes a fault
 * (a text longer than what comes) is told by frame_pass_whole, with the words of wire. */
#include <frugal/message.h>

#include "frame/parts.h"
#include "wire/binary.h"

typedef enum step { STEP_DONE, STEP_MORE, STEP_FAULT, STEP_LIMIT } step;

typedef struct walk {
    const uint8_t *start;
    size_t         have;  /* bytes at start */
    uint64_t       limit; /* bytes the message may have */
    frame_skipper *skipper;
    frame_level   *levels;
    uint32_t       depth_max;
    uint64_t       need; /* STEP_MORE: bytes short; STEP_LIMIT: the size it would have */
    wire_fault     fault;
} walk;

/* ---- pieces --------------------------------------------------------------------------------- */

static step fail(walk *w, wire_fault_kind kind, size_t at, uint64_t a)
{
    wire_fault_set(&w->fault, kind, w->start + at, a, 0, 0);
    return STEP_FAULT;
}

/* Whether `size` bytes from `from` on are there. `at`: the place to name when they never may be. */
ALWAYS_INLINE step require(walk *w, size_t from, uint64_t size, size_t at)
{
    if (UNLIKELY(size > w->limit - from)) {
        w->fault.at = w->start + at;
        w->need     = from + size;
        return STEP_LIMIT;
    }
    if (UNLIKELY(size > w->have - from)) {
        w->need = size - (w->have - from);
        return STEP_MORE;
    }
    return STEP_DONE;
}

/* A value is passed: its parent has one less; in a struct nobody counts. */
ALWAYS_INLINE void commit(walk *w, size_t after)
{
    w->skipper->at = after;
    w->levels[w->skipper->depth - 1].left--;
}

static void enter(walk *w, frame_level level, size_t after)
{
    commit(w, after);
    w->levels[w->skipper->depth++] = level;
}

static step pass_text(walk *w, size_t at)
{
    step now = require(w, at, BINARY_TEXT_SIZE, at);
    if (now != STEP_DONE)
        return now;
    uint32_t len = load_be32(w->start + at);
    if (len > INT32_MAX)
        return fail(w, WIRE_FAULT_NEGATIVE, at, len);
    now = require(w, at + BINARY_TEXT_SIZE, len, at);
    if (now == STEP_DONE)
        commit(w, at + BINARY_TEXT_SIZE + len);
    return now;
}

/* The wire type at `at` as that of elements; 0 with a fault when there is no such type. */
static uint32_t least_size(walk *w, size_t at)
{
    uint8_t  type  = w->start[at];
    uint32_t least = type <= FRUGAL_WIRE_LIST ? binary_least_size[type] : 0;
    if (least == 0)
        fail(w, WIRE_FAULT_TYPE, at, type);
    return least;
}

/* A list or set (key alone) or a map, whose types stand at `at`, its count behind them. */
static step pass_container(walk *w, size_t at, uint8_t kind)
{
    unsigned types = kind == FRUGAL_WIRE_MAP ? 2 : 1;
    size_t   after = at + types + 4;
    step     now   = require(w, at, types + 4, at);
    if (now != STEP_DONE)
        return now;
    uint32_t count = load_be32(w->start + at + types);
    if (count == 0) {
        commit(w, after);
        return STEP_DONE;
    }
    if (count > INT32_MAX)
        return fail(w, WIRE_FAULT_NEGATIVE, at + types, count);
    uint32_t least = least_size(w, at), value_least = types == 2 ? 1 : 0;
    if (least && value_least)
        value_least = least_size(w, at + 1);
    if (least == 0 || (types == 2 && value_least == 0))
        return STEP_FAULT;

    const uint8_t *type  = w->start + at;
    uint64_t       size  = (uint64_t)count * (least + value_least);
    bool           fixed = binary_fixed_size[type[0]] && (types == 1 || binary_fixed_size[type[1]]);
    now                  = require(w, after, size, at + types);
    if (now == STEP_LIMIT || (fixed && now == STEP_MORE))
        return now;
    if (fixed)
        commit(w, after + (size_t)size);
    else
        enter(w, (frame_level){ count * types, kind, type[0], type[types - 1] }, after);
    return STEP_DONE;
}

static step pass_value(walk *w, size_t at, uint8_t type, size_t type_at)
{
    if (UNLIKELY(type > FRUGAL_WIRE_LIST || binary_least_size[type] == 0))
        return fail(w, WIRE_FAULT_TYPE, type_at, type);
    size_t size = binary_fixed_size[type];
    if (size) {
        step now = require(w, at, size, at);
        if (now == STEP_DONE)
            commit(w, at + size);
        return now;
    }
    if (type == FRUGAL_WIRE_STRING)
        return pass_text(w, at);
    if (w->skipper->depth == w->depth_max)
        return fail(w, WIRE_FAULT_DEPTH, at, w->depth_max);
    if (type != FRUGAL_WIRE_STRUCT)
        return pass_container(w, at, type);
    enter(w, (frame_level){ 0, FRUGAL_WIRE_STRUCT, 0, 0 }, at);
    return STEP_DONE;
}

/* ---- the walk ------------------------------------------------------------------------------- */

static step pass_field(walk *w)
{
    size_t at  = w->skipper->at;
    step   now = require(w, at, 1, at);
    if (now != STEP_DONE)
        return now;
    uint8_t type = w->start[at];
    if (type == FRUGAL_WIRE_STOP) {
        w->skipper->at++;
        w->skipper->depth--;
        return STEP_DONE;
    }
    now = require(w, at, BINARY_FIELD_SIZE, at);
    return now == STEP_DONE ? pass_value(w, at + BINARY_FIELD_SIZE, type, at) : now;
}

static step pass_element(walk *w, const frame_level *top)
{
    if (top->left == 0) {
        w->skipper->depth--;
        return STEP_DONE;
    }
    /* Of a map's values the keys come when an even number is left. */
    bool    is_value = top->kind == FRUGAL_WIRE_MAP && top->left % 2 == 1;
    uint8_t type     = is_value ? top->value : top->key;
    return pass_value(w, w->skipper->at, type, w->skipper->at);
}

/* Each turn passes a byte at least, but for a container's last, which leaves a level. */
static step pass_all(walk *w)
{
    while (w->skipper->depth) {
        const frame_level *top = &w->levels[w->skipper->depth - 1];
        step now = top->kind == FRUGAL_WIRE_STRUCT ? pass_field(w) : pass_element(w, top);
        if (now != STEP_DONE)
            return now;
    }
    return STEP_DONE;
}

/* The struct in one go; STEP_MORE when that did not come to its end. */
static step pass_at_once(walk *w)
{
    size_t         end   = w->have < w->limit ? w->have : (size_t)w->limit;
    const uint8_t *after = binary_skip(w->start + w->skipper->at, w->start + end,
                                       FRUGAL_WIRE_STRUCT, w->depth_max, w->depth_max, &w->fault);
    if (after) {
        w->skipper->at = (size_t)(after - w->start);
        return STEP_DONE;
    }
    wire_fault_kind kind = w->fault.kind;
    bool ended = kind == WIRE_FAULT_EOF || kind == WIRE_FAULT_LENGTH || kind == WIRE_FAULT_COUNT;
    return ended ? STEP_MORE : STEP_FAULT;
}

/* ---- envelope ------------------------------------------------------------------------------- */

/* How many bytes the envelope has, from what is there of it. What frugal_message_read will refuse
 * anyway counts as whole. */
static uint64_t envelope_size(const frame_reader *reader, frugal_bytes input)
{
    if (input.len < 4)
        return 4;
    uint32_t first = load_be32(input.ptr);
    if (first <= INT32_MAX)
        return reader->options.strict_only ? 4 : (uint64_t)first + 9;
    if (first >> 16 != MAGIC_BINARY)
        return 4;
    if (input.len < 8)
        return 8;
    uint32_t len = load_be32(input.ptr + 4);
    return len > INT32_MAX ? 8 : (uint64_t)len + 12;
}

static step pass_envelope(walk *w, const frame_reader *reader, frugal_error *error,
                          frugal_status *status)
{
    frugal_bytes           input   = { w->start, w->have };
    frugal_message_options options = { .strict_only = reader->options.strict_only };
    frugal_message         message;
    bool                   is_strict = w->have && *w->start & 0x80; /* where the length is */
    step                   now = require(w, 0, envelope_size(reader, input), is_strict ? 4 : 0);
    if (now != STEP_DONE)
        return now;
    *status = frugal_message_read(input, &options, &message, &w->skipper->at, error);
    return *status == FRUGAL_OK ? STEP_DONE : STEP_FAULT;
}

/* ---- doors ---------------------------------------------------------------------------------- */

/* The struct behind the envelope; the first time in one go. */
static step pass_struct(walk *w)
{
    if (!w->skipper->begun) {
        w->skipper->begun = true;
        step now          = pass_at_once(w);
        if (now != STEP_MORE)
            return now;
        w->levels[0]      = (frame_level){ 0, FRUGAL_WIRE_STRUCT, 0, 0 };
        w->skipper->depth = 1;
    }
    return pass_all(w);
}

frugal_status frame_pass_message(frame_reader *reader, frugal_bytes input, size_t *need,
                                 frugal_error *error)
{
    const frame_options *options = &reader->options;
    frugal_status        status  = FRUGAL_OK;
    walk                 w       = { .start     = input.ptr,
                                     .have      = input.len,
                                     .limit     = options->message_max,
                                     .skipper   = &reader->skipper,
                                     .levels    = options->levels ? options->levels : reader->levels,
                                     .depth_max = options->depth_max };
    step now = w.skipper->begun ? STEP_DONE : pass_envelope(&w, reader, error, &status);
    if (status != FRUGAL_OK)
        return status;
    if (now == STEP_DONE)
        now = pass_struct(&w);
    *need = 0;
    switch (now) {
    case STEP_DONE: break;
    case STEP_MORE: *need = (size_t)w.need; break;
    case STEP_FAULT: return wire_fault_report(&w.fault, w.start, error);
    case STEP_LIMIT:
        return frame_too_large(error, (size_t)(w.fault.at - w.start), w.need, options->message_max);
    }
    return FRUGAL_OK;
}

frugal_status frame_pass_whole(const frame_reader *reader, frugal_bytes input, size_t *used,
                               frugal_error *error)
{
    frugal_message_options options = { .strict_only = reader->options.strict_only };
    frugal_message         message;
    size_t                 envelope;
    frugal_status status = frugal_message_read(input, &options, &message, &envelope, error);
    if (status != FRUGAL_OK)
        return status;
    frugal_decode_options skip = { .depth_max = reader->options.depth_max };
    frugal_bytes          rest = { input.ptr + envelope, input.len - envelope };
    status                     = frugal_skip(rest, FRUGAL_WIRE_STRUCT, &skip, used, error);
    if (status != FRUGAL_OK)
        return frame_shift(error, envelope, status);
    *used += envelope;
    return FRUGAL_OK;
}
