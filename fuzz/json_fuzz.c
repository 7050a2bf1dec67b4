/* fuzz/json_fuzz.c - the door of JSON. The first byte chooses a table, the second options, the rest
 * is text. Beyond not crashing: twice the same text gives twice the same answer, place and path
 * included; a failure leaves the record initialised and the arena where it was; what was read can
 * be checked as any JSON, is written in any style, reads as an equal record again, and is then
 * written as the same text. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <frugal/frugal.h>

#include "fuzz_tables.h"
#include "json/scan.h"

typedef struct outcome {
    frugal_status status;
    frugal_error  error;
    size_t        used;
    frugal_arena *arena;
    _Alignas(64) uint8_t record[FUZZ_RECORD_SIZE_MAX];
} outcome;

static frugal_json_read_options read_options(const fuzz_case *from)
{
    return (frugal_json_read_options){
        .struct_size   = sizeof(frugal_json_read_options),
        .strict        = from->bits & 1,
        .binary_utf8   = from->bits & 2,
        .keep_existing = from->bits & 4,
        .depth_max     = from->bits & 8 ? 4 : 0,
        .size_max      = from->bits & 16 ? 512 : 0,
    };
}

static frugal_json_write_options write_options(const fuzz_case *from)
{
    return (frugal_json_write_options){
        .struct_size  = sizeof(frugal_json_write_options),
        .pretty       = from->bits & 32,
        .enum_numbers = from->bits & 64,
        .i64_strings  = from->bits & 128,
        .binary_utf8  = from->bits & 2,
        .depth_max    = FRUGAL_DEPTH_MAX,
    };
}

static bool is_about_text(frugal_status status)
{
    switch (status) {
    case FRUGAL_TRUNCATED:
    case FRUGAL_SYNTAX:
    case FRUGAL_MISMATCH:
    case FRUGAL_SIZE:
    case FRUGAL_UTF8:
    case FRUGAL_MISSING:
    case FRUGAL_DUPLICATE:
    case FRUGAL_NOTFOUND:
    case FRUGAL_MALFORMED:
    case FRUGAL_DEPTH:
    case FRUGAL_BUDGET: return true;
    default: return false;
    }
}

static void check_failure(const fuzz_case *from, const outcome *it, size_t text_len,
                          size_t arena_before)
{
    _Alignas(64) static uint8_t initial[FUZZ_RECORD_SIZE_MAX];
    frugal_init((frugal_ref){ from->type, initial });
    assert(memcmp(initial, it->record, from->type->size) == 0);
    assert(is_about_text(it->status));
    assert(it->error.status == it->status);
    assert(it->error.offset <= text_len);
    assert(it->error.line >= 1 && it->error.column >= 1);
    assert(it->error.message[0] != '\0');
    assert(memchr(it->error.path, '\0', sizeof it->error.path) != NULL);
    assert(frugal_arena_used(it->arena) == arena_before);
}

static void read_text(const fuzz_case *from, const frugal_json_read_options *options,
                      frugal_str text, outcome *it)
{
    it->arena = frugal_arena_new(&(frugal_arena_options){ .block_size = 256 });
    assert(it->arena);
    void *mine = frugal_arena_alloc(it->arena, 10, 1);
    assert(mine);
    size_t before = frugal_arena_used(it->arena);
    memset(it->record, 0x99, from->type->size);
    if (options->keep_existing)
        frugal_init((frugal_ref){ from->type, it->record });
    it->used   = 0;
    it->status = frugal_json_read((frugal_ref){ from->type, it->record }, text, it->arena, options,
                                  &it->used, &it->error);
    if (it->status == FRUGAL_OK)
        assert(it->used <= text.len);
    else
        check_failure(from, it, text.len, before);
}

static frugal_view view_of(const fuzz_case *from, const outcome *it)
{
    return (frugal_view){ from->type, it->record };
}

static void write_text(const fuzz_case *from, const outcome *it, frugal_buf *text)
{
    frugal_json_write_options options = write_options(from);
    frugal_buf_init(text, NULL, 0, NULL);
    frugal_status status = frugal_json_write(view_of(from, it), &options, text, NULL);
    assert(status == FRUGAL_OK);
}

static void check_again(const fuzz_case *from, const outcome *it)
{
    static outcome           again;
    frugal_json_read_options options = { .binary_utf8 = from->bits & 2,
                                         .strict      = true,
                                         .depth_max   = FRUGAL_DEPTH_MAX,
                                         .size_max    = (size_t)1 << 30 };
    frugal_buf               text, twice;
    json_value               value;
    write_text(from, it, &text);
    frugal_str    all    = { (const char *)text.data, text.size };
    frugal_status status = json_check(all, JSON_PLACE_FIRST, FRUGAL_DEPTH_MAX, &value, NULL, NULL);
    assert(status == FRUGAL_OK);
    read_text(from, &options, all, &again);
    assert(again.status == FRUGAL_OK && again.used == text.size);
    assert(frugal_equal(view_of(from, it), view_of(from, &again)));
    write_text(from, &again, &twice);
    assert(text.size == twice.size && memcmp(text.data, twice.data, text.size) == 0);
    frugal_buf_release(&text);
    frugal_buf_release(&twice);
    frugal_arena_free(again.arena);
}

/* Whatever is a value of JSON has the same end for everybody, and can be walked. */
static void check_walk(const json_value *value, unsigned depth)
{
    for (json_walk walk = json_enter(value); json_next(&walk);) {
        assert(walk.value.text.len > 0);
        if (depth)
            check_walk(&walk.value, depth - 1);
    }
}

static void check_scan(const fuzz_case *from, frugal_str text, const outcome *it)
{
    json_value    value;
    size_t        used;
    frugal_status status =
        json_check(text, JSON_PLACE_FIRST, FRUGAL_DEPTH_MAX, &value, &used, NULL);
    if (status == FRUGAL_OK) {
        assert(used <= text.len);
        check_walk(&value, 8);
    }
    if (it->status == FRUGAL_OK && !(from->bits & 8))
        assert(status == FRUGAL_OK
               && it->used == (size_t)(value.text.ptr + value.text.len - text.ptr));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static outcome first, second;
    fuzz_case      from;
    if (!fuzz_case_start(&from, data, size))
        return 0;
    frugal_json_read_options options = read_options(&from);
    frugal_str               text    = { (const char *)from.input.ptr, from.input.len };
    read_text(&from, &options, text, &first);
    read_text(&from, &options, text, &second);
    assert(first.status == second.status);
    check_scan(&from, text, &first);
    if (first.status == FRUGAL_OK) {
        assert(first.used == second.used);
        assert(frugal_equal(view_of(&from, &first), view_of(&from, &second)));
        check_again(&from, &first);
    } else {
        assert(first.error.offset == second.error.offset);
        assert(strcmp(first.error.path, second.error.path) == 0);
        assert(strcmp(first.error.message, second.error.message) == 0);
    }
    frugal_arena_free(first.arena);
    frugal_arena_free(second.arena);
    return 0;
}
