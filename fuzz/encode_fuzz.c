/* fuzz/encode_fuzz.c - encoding whatever decodes. The first byte chooses a table, the second
 * options, the rest is decoded; then size, append and write say the same, and one byte less room is
 * too little; what is written decodes, to a record that is equal, or is written as the same bytes;
 *   a copy is written as the same bytes, and printing it does no harm. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <frugal/frugal.h>

#include "fuzz_tables.h"

typedef struct records {
    _Alignas(64) uint8_t first[FUZZ_RECORD_SIZE_MAX];
    _Alignas(64) uint8_t second[FUZZ_RECORD_SIZE_MAX];
    frugal_arena *arena;
} records;

static frugal_encode_options options_of(const fuzz_case *from)
{
    return (frugal_encode_options){ .struct_size      = sizeof(frugal_encode_options),
                                    .canonical        = from->bits & 1,
                                    .skip_defaults    = from->bits & 2,
                                    .interpreter_only = from->bits & 4 };
}

/* Appends to `out` and holds the other two doors against it. */
static void encode(frugal_view value, const frugal_encode_options *options, frugal_buf *out)
{
    size_t        size = 0, written = 0;
    frugal_status status = frugal_encode(value, options, out, NULL);
    assert(status == FRUGAL_OK);
    status = frugal_encoded_size(value, options, &size, NULL);
    assert(status == FRUGAL_OK && size == out->size);

    uint8_t *exact = malloc(size);
    assert(exact);
    status = frugal_encode_to(value, options, exact, size, &written, NULL);
    assert(status == FRUGAL_OK && written == size && memcmp(exact, out->data, size) == 0);
    status = frugal_encode_to(value, options, exact, size - 1, &written, NULL);
    assert(status == FRUGAL_NOSPACE);
    free(exact);
}

static void decode(records *at, const frugal_struct *type, void *record, frugal_bytes input)
{
    frugal_decode_options options = { .size_max = (size_t)1 << 30 };
    size_t                used    = 0;
    frugal_status         status =
        frugal_decode((frugal_ref){ type, record }, input, at->arena, &options, &used, NULL);
    assert(status == FRUGAL_OK && used == input.len);
}

static void check_copy(records *at, frugal_view value, const frugal_encode_options *options,
                       const frugal_buf *expected)
{
    static const frugal_print_options some   = { .string_max = 20, .element_max = 5 };
    frugal_ref                        copy   = { value.type, at->second };
    frugal_status                     status = frugal_copy(copy, value, at->arena, NULL);
    assert(status == FRUGAL_OK);
    frugal_buf out;
    frugal_buf_init(&out, NULL, 0, NULL);
    encode((frugal_view){ value.type, at->second }, options, &out);
    assert(out.size == expected->size && memcmp(out.data, expected->data, out.size) == 0);
    out.size = 0;
    status   = frugal_print(value, &some, &out, NULL);
    assert(status == FRUGAL_OK);
    frugal_buf_release(&out);
}

static void check_again(records *at, frugal_view value, const frugal_encode_options *options,
                        const frugal_buf *written)
{
    frugal_view again = { value.type, at->second };
    frugal_buf  out;
    decode(at, value.type, at->second, frugal_buf_bytes(written));
    if (!options->canonical && !options->skip_defaults)
        assert(frugal_equal(value, again));
    frugal_buf_init(&out, NULL, 0, NULL);
    encode(again, options, &out);
    assert(out.size == written->size && memcmp(out.data, written->data, out.size) == 0);
    frugal_buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static records        at;
    fuzz_case             from;
    frugal_decode_options decode_options = { 0 };
    if (!fuzz_case_start(&from, data, size))
        return 0;
    at.arena                = frugal_arena_new(NULL);
    decode_options.no_copy  = from.bits & 8;
    decode_options.size_max = 65536 + 64 * from.input.len;
    if (frugal_decode((frugal_ref){ from.type, at.first }, from.input, at.arena, &decode_options,
                      NULL, NULL)
        == FRUGAL_OK) {
        frugal_view           value   = { from.type, at.first };
        frugal_encode_options options = options_of(&from);
        frugal_buf            out;
        frugal_buf_init(&out, NULL, 0, NULL);
        encode(value, &options, &out);
        check_copy(&at, value, &options, &out);
        check_again(&at, value, &options, &out);
        frugal_buf_release(&out);
    }
    frugal_arena_free(at.arena);
    return 0;
}
