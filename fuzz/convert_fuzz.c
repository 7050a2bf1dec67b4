/* fuzz/convert_fuzz.c - what decode and encode make of strangers' bytes and text.
 *
 * The first byte chooses the direction and the options. Bytes: each message that is read becomes
 * JSON, the JSON becomes bytes, and these become the same JSON; when they are not the bytes that
 * came, there is a reason; and shown as bytes every message comes back. Text: what is taken for a
 * message becomes bytes that have the length they say. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/convert.h"
#include "core/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char idl[] =
    "enum E { A = 1, B = 2 }\n"
    "struct Leaf { 1: optional i32 n, 2: string s = \"d\", 3: required i8 r }\n"
    "union U { 1: i32 n, 2: string s, 3: Leaf leaf }\n"
    "exception X { 1: string why }\n"
    "struct All {\n"
    "  1: bool b, 2: i8 i1, 3: i16 i2, 4: i32 i4, 5: i64 i8, 6: double d,\n"
    "  7: string s, 8: binary bin, 9: E e, 10: Leaf leaf, 11: U u,\n"
    "  12: list<All> all, 13: set<i16> set16, 14: map<string, Leaf> m,\n"
    "  15: map<Leaf, list<E>> odd, 16: map<bool, map<i64, double>> mm,\n"
    "  17: list<string> ls, 18: map<E, binary> me, -1: optional i32 minus }\n"
    "service S { All f(1: All a, 2: E e) throws (1: X x), void p(),\n"
    "  oneway void o(1: U u), list<Leaf> l() }\n";

enum {
    BITS_TEXT   = 1,
    BITS_KEEP   = 2,
    BITS_STRICT = 4,
    BITS_UTF8   = 8,
    BITS_PRETTY = 16,
    BITS_NAMED  = 32
};

/* ---- the same for every input --------------------------------------------------------------- */

static frugal_schema *load(bool keep_unknown)
{
    frugal_schema_options options = { .presence = true, .keep_unknown = keep_unknown };
    frugal_schema        *schema;
    frugal_error          error;
    frugal_str            text = { idl, sizeof idl - 1 };
    if (frugal_schema_load_text("fuzz.thrift", text, &options, &schema, &error)) {
        fprintf(stderr, "%u:%u: %s\n", (unsigned)error.line, (unsigned)error.column, error.message);
        abort();
    }
    return schema;
}

static frugal_schema *schemas[2];
static frugal_arena  *arena;

static void release(void)
{
    frugal_schema_free(schemas[0]);
    frugal_schema_free(schemas[1]);
    frugal_arena_free(arena);
    convert_release(&(convert){ .schema = NULL });
}

static void start(convert *c, uint8_t bits)
{
    if (arena == NULL) {
        schemas[0] = load(false);
        schemas[1] = load(true);
        arena      = frugal_arena_new(NULL);
        atexit(release);
    }
    assert(arena);
    *c                   = (convert){ .arena = arena, .schema = schemas[(bits & BITS_KEEP) != 0] };
    c->write.pretty      = bits & BITS_PRETTY;
    c->write.binary_utf8 = bits & BITS_UTF8;
    c->read.binary_utf8  = bits & BITS_UTF8;
    c->read.depth_max    = CONVERT_DEPTH_JSON;
    c->read.strict = c->decode.strict = bits & BITS_STRICT;
    c->framing = bits & BITS_NAMED ? (frame_framing)(bits >> 6) + 1 : FRAME_AUTO;
}

/* ---- bytes ---------------------------------------------------------------------------------- */

/* The bytes of this JSON in `out`; false when encode does not take it. */
static bool rebuild(convert *c, const frugal_buf *text, frugal_buf *out)
{
    json_value    value;
    frugal_error  error;
    frugal_str    whole = { (const char *)text->data, text->size };
    frugal_status status =
        json_check(whole, JSON_PLACE_FIRST, CONVERT_DEPTH_JSON, &value, NULL, &error);
    assert(status == FRUGAL_OK && utf8_valid_prefix(whole.ptr, whole.len) == whole.len);
    out->size = 0;
    convert_reset(c);
    status = convert_message_in(c, &value, out, &error);
    if (status)
        assert(error.line > 0 && error.message[0] != '\0');
    return status == FRUGAL_OK;
}

static bool same(frugal_bytes a, const frugal_buf *b)
{
    return a.len == b->size && (a.len == 0 || memcmp(a.ptr, b->data, a.len) == 0);
}

static void check_again(convert *c, const frame_message *frame, const frugal_buf *text,
                        const frugal_buf *bytes)
{
    convert_stream stream;
    frame_message  again;
    frugal_error   error;
    frugal_buf     more;
    bool           there;
    convert        named = *c;
    named.framing        = frame->framing;
    frugal_buf_init(&more, NULL, 0, NULL);
    convert_stream_init(&stream, &named, frugal_buf_bytes(bytes));
    frugal_status status = convert_stream_next(&stream, &again, &there, &error);
    assert(status == FRUGAL_OK && there && stream.at == bytes->size);
    status = convert_message_out(c, &again, &more, &error);
    assert(status == FRUGAL_OK && same(frugal_buf_bytes(&more), text));
    frugal_buf_release(&more);
    (void)status;
}

static void check_message(convert *c, const frame_message *frame, size_t size)
{
    frugal_buf   text, bytes;
    frugal_error error = { .offset = 0 };
    bool         mesh  = frame->framing == FRAME_MESH || frame->framing == FRAME_MESH_FRAMED;
    frugal_buf_init(&text, NULL, 0, NULL);
    frugal_buf_init(&bytes, NULL, 0, NULL);
    convert_reset(c);
    if (convert_message_out(c, frame, &text, &error)) {
        assert(error.offset <= size && error.message[0] != '\0');
    } else {
        bool taken = rebuild(c, &text, &bytes);
        assert(taken || mesh);
        if (taken)
            check_again(c, frame, &text, &bytes);
        if (!same(frame->bytes, &bytes)) {
            char why[CONVERT_WHY_MAX] = "";
            convert_message_why(c, frame, &(frugal_error){ .status = FRUGAL_OK }, why);
            assert(strncmp(why, "byte ", 5) == 0);
            c->as_bytes = true;
            text.size   = 0;
            convert_reset(c);
            frugal_status status = convert_message_out(c, frame, &text, &error);
            assert(status == FRUGAL_OK);
            taken = rebuild(c, &text, &bytes);
            assert(mesh || (taken && same(frame->bytes, &bytes)));
            c->as_bytes = false;
            (void)status;
        }
    }
    frugal_buf_release(&text);
    frugal_buf_release(&bytes);
}

static void check_bytes(convert *c, frugal_bytes input)
{
    convert_stream stream;
    frame_message  frame;
    frugal_error   error = { .offset = 0 };
    bool           more  = true;
    convert_stream_init(&stream, c, input);
    while (more) {
        if (convert_stream_next(&stream, &frame, &more, &error)) {
            assert(error.offset <= input.len && error.message[0] != '\0');
            return;
        }
        if (more)
            check_message(c, &frame, input.len);
    }
}

/* ---- text ----------------------------------------------------------------------------------- */

static void check_text(convert *c, frugal_str text)
{
    json_value   value;
    frugal_error error;
    frugal_buf   bytes;
    size_t       used;
    frugal_buf_init(&bytes, NULL, 0, NULL);
    convert_reset(c);
    if (json_check(text, JSON_PLACE_FIRST, CONVERT_DEPTH_JSON, &value, &used, &error)
        || convert_message_in(c, &value, &bytes, &error)) {
        assert(error.message[0] != '\0' && error.line > 0 && error.column > 0);
        assert(bytes.size == 0);
    } else {
        check_bytes(c, frugal_buf_bytes(&bytes));
    }
    frugal_buf_release(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    convert c;
    if (size == 0)
        return 0;
    start(&c, data[0]);
    /* Bytes in a block of their own, so that a sanitizer sees a read behind them. */
    uint8_t *copy = malloc(size - 1 ? size - 1 : 1);
    assert(copy != NULL);
    memcpy(copy, data + 1, size - 1);
    if (data[0] & BITS_TEXT)
        check_text(&c, (frugal_str){ (const char *)copy, size - 1 });
    else
        check_bytes(&c, (frugal_bytes){ copy, size - 1 });
    free(copy);
    return 0;
}
