/* fuzz/engines_fuzz.c - the interpreter and machine code are one. Both decode the same input, and
 * both encode what was decoded: the same status, bytes, record, offset, path, sentence. Input,
 * output and records end at guard pages, for no sanitizer looks into machine code.
 *
 * The first byte chooses a table: one of fuzz_tables, or, from 128 on, one made by chance; the
 * second the machine code's CPU and what is encoded; the third options of decoding. For a made
 * table, bit 7 of the third says that the rest are not the input itself: a value is made by the
 * byte that follows, written, and changed by what comes then, three bytes a change. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <frugal/frugal.h>

#include "fuzz_tables.h"
#include "support/engines.h"
#include "support/gen_table.h"
#include "support/gen_value.h"
#include "support/guard.h"
#include "support/law.h"
#include "support/law_reference.h"

#define ROOM_MAX ((size_t)1 << 18) /* bytes of an input, of an output, of a record */
#define MADE_MAX 128               /* tables made by chance */

static struct {
    guard input, output, records[2];
} pages;

typedef struct outcome {
    frugal_status status;
    frugal_error  error;
    size_t        used;
    frugal_arena *arena;
    void         *record;
} outcome;

/* What the first bytes say. */
typedef struct plea {
    const frugal_struct  *type;
    unsigned              engine;
    uint8_t               bits; /* of encoding */
    frugal_decode_options options;
    frugal_bytes          input;
} plea;

/* ---- tables --------------------------------------------------------------------------------- */

static const frugal_struct *made_table(unsigned number)
{
    static gen_pool             pool; /* for good */
    static const frugal_struct *tables[MADE_MAX];
    if (tables[number] == NULL) {
        gen_random random = gen_random_for(1, "engines_fuzz", number);
        tables[number]    = gen_graph_make(&random, &pool).records;
    }
    return tables[number];
}

/* A value of the table, written and changed; false when it is too large. */
static bool make_input(const frugal_struct *type, const uint8_t *data, size_t size, gen_bytes *out)
{
    gen_random random = gen_random_for(2, type->name, size ? data[0] : 0);
    gen_pool   pool   = { 0 };
    gen_values values = gen_values_start(&random, &pool);
    void      *record = gen_alloc(&pool, type->size, type->align);
    gen_record(&values, type, record);
    law_reference_encode(type, record, NULL, out);
    gen_pool_release(&pool);
    for (size_t i = 1; i + 3 <= size; i += 3) {
        size_t place = (size_t)(data[i] | data[i + 1] << 8) % (out->len + 1);
        if (place == out->len)
            gen_bytes_put(out, data[i + 2]);
        else if (data[i + 2] == 0xff)
            out->len = place; /* cut */
        else
            out->data[place] ^= data[i + 2];
    }
    return out->len <= ROOM_MAX;
}

static frugal_decode_options options_of(uint8_t bits, size_t len)
{
    return (frugal_decode_options){
        .struct_size = sizeof(frugal_decode_options),
        .no_copy     = bits & 1,
        .strict      = (bits & 14) == 2,
        .check_utf8  = (bits & 14) == 4,
        .depth_max   = bits & 16 ? 1 + (bits >> 1 & 7) : 0,
        .size_max    = bits & 32 ? 100 + 3 * len : 65536 + 64 * len,
    };
}

static bool start(plea *to, const uint8_t *data, size_t size)
{
    gen_bytes bytes = { 0 };
    if (size < 3)
        return false;
    bool made  = data[0] >= 128;
    to->type   = made ? made_table(data[0] - 128) : fuzz_tables[data[0] % FUZZ_TABLES];
    to->engine = ENGINE_MACHINE + data[1] % 4 % (engines_count() > 1 ? engines_count() - 1 : 1);
    to->bits   = data[1] >> 2;
    bool fits  = to->type->size <= ROOM_MAX;
    if (made && data[2] & 128)
        fits = make_input(to->type, data + 3, size - 3, &bytes) && fits;
    else
        gen_bytes_append(&bytes, data + 3, size - 3);
    fits = fits && bytes.len <= ROOM_MAX;
    if (fits)
        to->input = (frugal_bytes){ guard_put(&pages.input, bytes.data, bytes.len), bytes.len };
    to->options = options_of(data[2], bytes.len);
    gen_bytes_release(&bytes);
    return fits;
}

/* ---- decoding ------------------------------------------------------------------------------- */

static void decode(const plea *from, unsigned which, outcome *it)
{
    frugal_decode_options options = from->options;
    options.interpreter_only      = which == 0;
    it->arena                     = frugal_arena_new(&(frugal_arena_options){ .block_size = 256 });
    it->record                    = pages.records[which].end - from->type->size;
    assert(it->arena);
    memset(it->record, 0x99, from->type->size);
    it->used   = SIZE_MAX;
    it->status = frugal_decode((frugal_ref){ from->type, it->record }, from->input, it->arena,
                               &options, &it->used, &it->error);
}

static void check_same_error(const frugal_error *one, const frugal_error *other)
{
    assert(one->status == other->status);
    assert(one->offset == other->offset);
    assert(strcmp(one->path, other->path) == 0);
    assert(strcmp(one->message, other->message) == 0);
}

static void check_decoded(const plea *from, const outcome *one, const outcome *other)
{
    frugal_view a = { from->type, one->record }, b = { from->type, other->record };
    assert(one->status == other->status);
    assert(one->used == other->used);
    assert(law_same_memory(from->type, one->record, other->record));
    if (one->status == FRUGAL_OK) {
        assert(frugal_equal(a, b));
    } else {
        check_same_error(&one->error, &other->error);
        assert(frugal_arena_used(one->arena) == 0 && frugal_arena_used(other->arena) == 0);
    }
}

/* ---- encoding ------------------------------------------------------------------------------- */

typedef struct writing {
    frugal_status status;
    frugal_error  error;
    size_t        size;
} writing;

static void check_written(const writing *one, const writing *other)
{
    assert(one->status == other->status && one->size == other->size);
    if (one->status != FRUGAL_OK)
        check_same_error(&one->error, &other->error);
}

static void append(const plea *from, frugal_view value, bool by_machine, frugal_buf *out,
                   writing *it)
{
    frugal_encode_options options = { .interpreter_only = !by_machine,
                                      .depth_max        = from->bits & 1 ? 3 : 0 };
    *it                           = (writing){ 0 };
    it->status                    = frugal_encode(value, &options, out, &it->error);
    it->size                      = out->size;
}

static void measure(const plea *from, frugal_view value, bool by_machine, writing *it)
{
    frugal_encode_options options = { .interpreter_only = !by_machine,
                                      .depth_max        = from->bits & 1 ? 3 : 0 };
    *it                           = (writing){ .size = SIZE_MAX };
    it->status                    = frugal_encoded_size(value, &options, &it->size, &it->error);
}

/* Into `room` bytes before a guard page. */
static void write_into(frugal_view value, bool by_machine, size_t room, writing *it)
{
    frugal_encode_options options = { .interpreter_only = !by_machine };
    *it                           = (writing){ .size = SIZE_MAX };
    it->status =
        frugal_encode_to(value, &options, pages.output.end - room, room, &it->size, &it->error);
}

static void check_room(frugal_view value, const frugal_buf *meant, size_t room)
{
    writing one, other;
    write_into(value, false, room, &one);
    write_into(value, true, room, &other);
    check_written(&one, &other);
    assert((one.status == FRUGAL_OK) == (room >= meant->size));
    if (one.status == FRUGAL_OK)
        assert(memcmp(pages.output.end - room, meant->data, meant->size) == 0);
}

static void check_encoding(const plea *from, frugal_view value)
{
    writing    one, other;
    frugal_buf by_interpreter, by_machine;
    uint8_t    storage[2][32];
    frugal_buf_init(&by_interpreter, storage[0], from->bits & 31, NULL);
    frugal_buf_init(&by_machine, storage[1], from->bits & 31, NULL);
    append(from, value, false, &by_interpreter, &one);
    append(from, value, true, &by_machine, &other);
    check_written(&one, &other);
    assert(one.size == 0 || memcmp(by_interpreter.data, by_machine.data, one.size) == 0);
    if (one.status == FRUGAL_OK && one.size <= ROOM_MAX) {
        check_room(value, &by_machine, one.size);
        check_room(value, &by_machine, one.size - 1);
        check_room(value, &by_machine, one.size * (from->bits & 31) / 32);
    }
    size_t size = one.size;
    measure(from, value, false, &one);
    measure(from, value, true, &other);
    check_written(&one, &other);
    assert(one.status != FRUGAL_OK || one.size == size);
    frugal_buf_release(&by_interpreter);
    frugal_buf_release(&by_machine);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static outcome one, other;
    plea           from;
    if (pages.input.end == NULL) {
        pages.input  = guard_new(ROOM_MAX);
        pages.output = guard_new(ROOM_MAX);
        for (int i = 0; i < 2; i++)
            pages.records[i] = guard_new(ROOM_MAX);
    }
    if (!start(&from, data, size))
        return 0;
    engines_use(from.type, from.engine);
    decode(&from, 0, &one);
    decode(&from, 1, &other);
    check_decoded(&from, &one, &other);
    if (one.status == FRUGAL_OK)
        check_encoding(&from, (frugal_view){ from.type, other.record });
    frugal_arena_free(one.arena);
    frugal_arena_free(other.arena);
    return 0;
}
