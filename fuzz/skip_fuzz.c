/* fuzz/skip_fuzz.c - frugal_skip. The first byte picks the type (low half) and depth_max (high
 * half: 0 the default, 15 the most, else itself); the rest is the value. */
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <frugal/codec.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct answer {
    frugal_status status;
    size_t        used;
    frugal_error  error;
} answer;

static answer ask(frugal_bytes input, frugal_wire_type type, uint32_t depth_max)
{
    frugal_decode_options options = { .depth_max = depth_max };
    answer                it      = { FRUGAL_OK, SIZE_MAX, { .status = FRUGAL_OK } };
    it.status                     = frugal_skip(input, type, &options, &it.used, &it.error);
    assert(it.status == FRUGAL_OK ? it.used <= input.len : it.used == SIZE_MAX);
    assert(it.status == it.error.status);
    assert(it.error.offset <= input.len);
    assert(it.status == FRUGAL_OK || it.error.message[0] != '\0');
    return it;
}

static bool same(const answer *a, const answer *b)
{
    return a->status == b->status && a->used == b->used && a->error.offset == b->error.offset
           && strcmp(a->error.message, b->error.message) == 0;
}

/* The value alone is the same value, and one byte less is no value. */
static void check_size(frugal_bytes input, frugal_wire_type type, uint32_t depth_max,
                       const answer *first)
{
    frugal_bytes exact = { input.ptr, first->used };
    answer       again = ask(exact, type, depth_max);
    assert(same(first, &again));
    assert(exact.len > 0);
    exact.len--;
    again = ask(exact, type, depth_max);
    assert(again.status == FRUGAL_TRUNCATED || again.status == FRUGAL_SIZE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    frugal_bytes     input     = { data + 1, size - 1 };
    frugal_wire_type type      = (frugal_wire_type)(data[0] & 15);
    uint32_t         depth_max = data[0] >> 4 == 15 ? FRUGAL_DEPTH_MAX : data[0] >> 4;
    answer           first     = ask(input, type, depth_max);
    answer           again     = ask(input, type, depth_max);
    assert(same(&first, &again));
    if (first.status == FRUGAL_OK)
        check_size(input, type, depth_max, &first);
    if (first.status != FRUGAL_DEPTH) {
        again = ask(input, type, FRUGAL_DEPTH_MAX); /* more room changes nothing else */
        assert(same(&first, &again));
    }
    return 0;
}
