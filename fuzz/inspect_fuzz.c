/* inspect_fuzz.c - what the command shows of strangers' bytes.
 *
 * The first byte chooses the options. Fields without an IDL must stop where skip stops, with the
 * same words; all output is text without controls, and of bounded length. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <frugal/codec.h>

#include "cli/inspect.h"
#include "core/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LINES = 40, TEXT = 20, ITEMS = 5, OUTPUT_MAX = 1 << 20 };

typedef struct sink {
    char   text[OUTPUT_MAX];
    size_t size, faults;
    size_t input_size;
} sink;

static bool put(void *context, const void *bytes, size_t size)
{
    sink *to = context;
    assert(size <= sizeof to->text - to->size);
    memcpy(to->text + to->size, bytes, size);
    to->size += size;
    return true;
}

static void fault(void *context, const frugal_error *error)
{
    sink *to = context;
    assert(error->status != FRUGAL_OK && error->message[0] != '\0');
    assert(error->offset <= to->input_size);
    to->faults++;
}

static void check_text(const sink *to)
{
    assert(utf8_valid_prefix(to->text, to->size) == to->size);
    for (size_t i = 0; i < to->size; i++)
        assert((uint8_t)to->text[i] >= ' ' || to->text[i] == '\n');
}

static void check_fields(sink *to, frugal_bytes input, const raw_options *options)
{
    raw_printer  printer;
    frugal_error error = { .status = FRUGAL_OK }, other = { .status = FRUGAL_OK };
    size_t       used = 0, skipped = 0;
    raw_init(&printer, options, put, to);
    frugal_status status = raw_print(&printer, input, 1, &used, &error);
    frugal_status skip   = frugal_skip(input, FRUGAL_WIRE_STRUCT, NULL, &skipped, &other);
    assert(status == skip && error.offset == other.offset);
    assert(strcmp(error.message, other.message) == 0);
    assert(used <= input.len && (status != FRUGAL_OK || used == skipped));
    (void)skip;
    (void)status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static sink to;
    if (size == 0)
        return 0;
    inspect_options options = {
        .raw     = { .lines_max = LINES, .text_max = TEXT, .items_max = ITEMS },
        .framing = (frame_framing)(data[0] % 5),
        .bare    = data[0] & 0x10,
    };
    options.raw.all = (data[0] & 0x20) && size < 1000;
    /* Bytes in a block of their own, so that a sanitizer sees a read behind them. */
    uint8_t *copy = malloc(size - 1 ? size - 1 : 1);
    assert(copy != NULL);
    memcpy(copy, data + 1, size - 1);
    frugal_bytes input = { copy, size - 1 };
    to.input_size      = input.len;

    to.size = to.faults = 0;
    check_fields(&to, input, &options.raw);
    check_text(&to);
    to.size       = 0;
    size_t faults = inspect(input, &options, put, fault, &to);
    assert(faults == to.faults);
    (void)faults;
    check_text(&to);
    free(copy);
    return 0;
}
