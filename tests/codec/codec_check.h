/* codec/codec_check.h - bytes in hex to records and back, for the facts of this room. */
#ifndef TESTS_CODEC_CHECK_H
#define TESTS_CODEC_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <frugal/frugal.h>

#include "support/guard.h"
#include "support/hex.h"

/* What the last call left behind. Input lies before a guard page and is overwritten by the next
 * call; decoded records stay until the program ends. */
static struct check {
    guard         pages;
    frugal_arena *arena;
    frugal_error  error;
    size_t        used;
} check;

#define CHECK_INPUT_MAX 8192

static inline int check_set_up(void **state)
{
    (void)state;
    check.pages = guard_new(CHECK_INPUT_MAX);
    check.arena = frugal_arena_new(NULL);
    return check.arena == NULL;
}

static inline int check_tear_down(void **state)
{
    (void)state;
    frugal_arena_free(check.arena);
    guard_free(&check.pages);
    return 0;
}

static inline frugal_status decode_bytes(frugal_ref to, frugal_bytes input,
                                         const frugal_decode_options *options)
{
    const uint8_t *placed = guard_put(&check.pages, input.ptr, input.len);
    memset(&check.error, 0x55, sizeof check.error);
    check.used = SIZE_MAX;
    return frugal_decode(to, (frugal_bytes){ placed, input.len }, check.arena, options, &check.used,
                         &check.error);
}

static inline frugal_status decode_hex(frugal_ref to, const char *hex,
                                       const frugal_decode_options *options)
{
    return decode_bytes(to, hex_bytes(hex), options);
}

/* Reads all of it. */
static inline void assert_decodes_with(frugal_ref to, const char *hex,
                                       const frugal_decode_options *options)
{
    if (decode_hex(to, hex, options) != FRUGAL_OK)
        fail_msg("%s at %zu: %s: %s", check.error.path, check.error.offset,
                 frugal_status_name(check.error.status), check.error.message);
    assert_int_equal(check.used, hex_bytes(hex).len);
}

static inline void assert_decodes(frugal_ref to, const char *hex)
{
    assert_decodes_with(to, hex, NULL);
}

/* Fails so, leaving the record initialised and the arena as it was. */
static inline void assert_fails_with(frugal_ref to, const char *hex,
                                     const frugal_decode_options *options, frugal_status status,
                                     size_t offset, const char *path, const char *sentence)
{
    uint8_t initial[1024];
    size_t  arena_used = frugal_arena_used(check.arena);
    assert_true(to.type->size <= sizeof initial);
    assert_string_equal(frugal_status_name(decode_hex(to, hex, options)),
                        frugal_status_name(status));
    assert_int_equal(check.error.status, status);
    assert_string_equal(check.error.message, sentence);
    assert_string_equal(check.error.path, path);
    assert_int_equal(check.error.offset, offset);
    assert_int_equal(check.used, SIZE_MAX);
    frugal_init((frugal_ref){ to.type, initial });
    assert_memory_equal(to.ptr, initial, to.type->size);
    assert_int_equal(frugal_arena_used(check.arena), arena_used);
}

static inline void assert_fails(frugal_ref to, const char *hex, frugal_status status, size_t offset,
                                const char *path, const char *sentence)
{
    assert_fails_with(to, hex, NULL, status, offset, path, sentence);
}

/* Written so, in all three ways. */
static inline void assert_encodes_with(frugal_view value, const char *hex,
                                       const frugal_encode_options *options)
{
    frugal_bytes expected = hex_bytes(hex);
    size_t       size = 0, written = 0;
    frugal_buf   out;
    frugal_buf_init(&out, NULL, 0, NULL);
    if (frugal_encode(value, options, &out, &check.error) != FRUGAL_OK)
        fail_msg("%s: %s", check.error.path, check.error.message);
    assert_int_equal(out.size, expected.len);
    assert_memory_equal(out.data, expected.ptr, expected.len);
    frugal_buf_release(&out);
    assert_int_equal(frugal_encoded_size(value, options, &size, NULL), FRUGAL_OK);
    assert_int_equal(size, expected.len);
    uint8_t *to = check.pages.end - size;
    assert_int_equal(frugal_encode_to(value, options, to, size, &written, NULL), FRUGAL_OK);
    assert_int_equal(written, size);
    assert_memory_equal(to, expected.ptr, expected.len);
}

static inline void assert_encodes(frugal_view value, const char *hex)
{
    assert_encodes_with(value, hex, NULL);
}

/* Fails so in all three ways, and changes neither the buffer's size nor `*size`. */
static inline void assert_encode_fails_with(frugal_view value, const frugal_encode_options *options,
                                            frugal_status status, const char *path,
                                            const char *sentence)
{
    frugal_buf out;
    size_t     size = SIZE_MAX;
    uint8_t    storage[256];
    frugal_buf_init(&out, storage, sizeof storage, NULL);
    assert_int_equal(frugal_buf_append(&out, "abc", 3), FRUGAL_OK);
    memset(&check.error, 0x55, sizeof check.error);
    assert_string_equal(frugal_status_name(frugal_encode(value, options, &out, &check.error)),
                        frugal_status_name(status));
    assert_int_equal(check.error.status, status);
    assert_string_equal(check.error.message, sentence);
    assert_string_equal(check.error.path, path);
    assert_int_equal(out.size, 3);
    assert_memory_equal(out.data, "abc", 3);
    frugal_buf_release(&out);

    memset(&check.error, 0x55, sizeof check.error);
    assert_int_equal(frugal_encoded_size(value, options, &size, &check.error), status);
    assert_string_equal(check.error.message, sentence);
    assert_string_equal(check.error.path, path);
    assert_int_equal(size, SIZE_MAX);

    memset(&check.error, 0x55, sizeof check.error);
    assert_int_equal(frugal_encode_to(value, options, storage, sizeof storage, &size, &check.error),
                     status);
    assert_string_equal(check.error.message, sentence);
    assert_string_equal(check.error.path, path);
    assert_int_equal(size, SIZE_MAX);
}

static inline void assert_encode_fails(frugal_view value, frugal_status status, const char *path,
                                       const char *sentence)
{
    assert_encode_fails_with(value, NULL, status, path, sentence);
}

#endif /* TESTS_CODEC_CHECK_H */
