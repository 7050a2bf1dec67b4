/* fuzz/decode_fuzz.c - the door of decoding. The first byte chooses a table, the second options,
 * the rest is the input. Beyond not crashing: twice the same input gives twice the same answer,
 * byte offset and path included; a failure leaves the record initialised and the arena where it
 * was, and is one of the statuses that bad input has; memory is bounded by the input; what can be
 * decoded can be skipped, and ends at the same byte; what was decoded is encoded, and decoded again
 * it is equal. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <frugal/frugal.h>

#include "fuzz_tables.h"

typedef struct outcome {
    frugal_status status;
    frugal_error  error;
    size_t        used;
    frugal_arena *arena;
    _Alignas(64) uint8_t record[FUZZ_RECORD_SIZE_MAX];
} outcome;

static frugal_decode_options options_of(const fuzz_case *from)
{
    return (frugal_decode_options){
        .struct_size       = sizeof(frugal_decode_options),
        .no_copy           = from->bits & 1,
        .strict            = from->bits & 2,
        .check_utf8        = from->bits & 4,
        .reject_duplicates = from->bits & 8,
        .keep_existing     = from->bits & 16,
        .interpreter_only  = from->bits & 32,
        .depth_max         = from->bits & 64 ? 4 : 0,
        .size_max          = from->bits & 128 ? 512 : 65536 + 64 * from->input.len,
    };
}

static bool is_about_input(frugal_status status)
{
    switch (status) {
    case FRUGAL_TRUNCATED:
    case FRUGAL_NEGATIVE:
    case FRUGAL_SIZE:
    case FRUGAL_MALFORMED:
    case FRUGAL_MISMATCH:
    case FRUGAL_MISSING:
    case FRUGAL_DUPLICATE:
    case FRUGAL_DEPTH:
    case FRUGAL_BUDGET:
    case FRUGAL_UTF8: return true;
    default: return false;
    }
}

static void check_failure(const fuzz_case *from, const outcome *it, size_t arena_before)
{
    _Alignas(64) static uint8_t initial[FUZZ_RECORD_SIZE_MAX];
    frugal_init((frugal_ref){ from->type, initial });
    assert(memcmp(initial, it->record, from->type->size) == 0);
    assert(is_about_input(it->status));
    assert(it->error.status == it->status);
    assert(it->error.offset <= from->input.len);
    assert(it->error.message[0] != '\0');
    assert(memchr(it->error.path, '\0', sizeof it->error.path) != NULL);
    assert(frugal_arena_used(it->arena) == arena_before);
}

static void decode(const fuzz_case *from, const frugal_decode_options *options, frugal_bytes input,
                   outcome *it)
{
    it->arena = frugal_arena_new(&(frugal_arena_options){ .block_size = 256 });
    assert(it->arena);
    void *mine = frugal_arena_alloc(it->arena, 10, 1);
    assert(mine);
    memset(mine, 0x77, 10);
    size_t before = frugal_arena_used(it->arena);
    memset(it->record, 0x99, from->type->size);
    if (options->keep_existing)
        frugal_init((frugal_ref){ from->type, it->record });
    it->used   = 0;
    it->status = frugal_decode((frugal_ref){ from->type, it->record }, input, it->arena, options,
                               &it->used, &it->error);
    if (it->status == FRUGAL_OK)
        assert(it->used <= input.len);
    else
        check_failure(from, it, before);
    /* A budget of its own, blocks that are used by half, and one of the smallest. */
    size_t budget = options->size_max ? options->size_max : 65536 + 64 * input.len;
    assert(frugal_arena_reserved(it->arena) <= 3 * budget + 8192);
}

static void release(outcome *it)
{
    frugal_arena_free(it->arena);
}

static frugal_view view_of(const fuzz_case *from, const outcome *it)
{
    return (frugal_view){ from->type, it->record };
}

static void check_skip(const fuzz_case *from, const frugal_decode_options *options,
                       const outcome *it)
{
    size_t        used   = 0;
    frugal_status status = frugal_skip(from->input, FRUGAL_WIRE_STRUCT, options, &used, NULL);
    assert(status == FRUGAL_OK && used == it->used);
}

static void check_again(const fuzz_case *from, const outcome *it)
{
    static outcome        again;
    frugal_decode_options options = { 0 };
    frugal_buf            out;
    size_t                size = 0;
    frugal_buf_init(&out, NULL, 0, NULL);
    frugal_status status = frugal_encode(view_of(from, it), NULL, &out, NULL);
    assert(status == FRUGAL_OK);
    status = frugal_encoded_size(view_of(from, it), NULL, &size, NULL);
    assert(status == FRUGAL_OK && size == out.size);
    options.size_max = (size_t)1 << 30;
    decode(from, &options, frugal_buf_bytes(&out), &again);
    assert(again.status == FRUGAL_OK && again.used == out.size);
    assert(frugal_equal(view_of(from, it), view_of(from, &again)));
    release(&again);
    frugal_buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static outcome first, second;
    fuzz_case      from;
    if (!fuzz_case_start(&from, data, size))
        return 0;
    frugal_decode_options options = options_of(&from);
    decode(&from, &options, from.input, &first);
    decode(&from, &options, from.input, &second);
    assert(first.status == second.status);
    if (first.status == FRUGAL_OK) {
        assert(first.used == second.used);
        assert(frugal_equal(view_of(&from, &first), view_of(&from, &second)));
        check_skip(&from, &options, &first);
        check_again(&from, &first);
    } else {
        assert(first.error.offset == second.error.offset);
        assert(strcmp(first.error.path, second.error.path) == 0);
        assert(strcmp(first.error.message, second.error.message) == 0);
    }
    release(&first);
    release(&second);
    return 0;
}
