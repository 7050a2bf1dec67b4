/* frame/vectors_test.c - recorded streams of Kitex, gopkg and Apache Thrift, cut at every byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <frugal/message.h>

#include "frame/feed.h"
#include "support/vectors.h"

static feed_result result; /* of what is being tested */

static const frame_options checking = { .check_content = true };

/* ---- TTHeader ------------------------------------------------------------------------------- */

static bool same_text(frugal_str a, const char *b)
{
    return a.len == strlen(b) && memcmp(a.ptr, b, a.len) == 0;
}

/* Every key of the row is in the header with its value, and no other. */
static void check_info(const char *id, const json_t *row, const frame_header *header)
{
    static frame_info items[1024];
    size_t      count = feed_items(header, items, sizeof items / sizeof items[0]), expected = 0;
    const char *key;
    json_t     *value;
    frugal_str  found = { NULL, 0 };
    json_object_foreach(json_object_get(row, "int_info"), key, value)
    {
        assert_true(frame_info_int(header, (uint16_t)atoi(key), &found));
        assert_true(same_text(found, json_string_value(value)));
        expected++;
    }
    json_object_foreach(json_object_get(row, "str_info"), key, value)
    {
        if (!frame_info_str(header, (frugal_str){ key, strlen(key) }, &found)
            || !same_text(found, json_string_value(value)))
            fail_msg("%s: key \"%s\"", id, key);
        expected++;
    }
    size_t real = 0;
    for (size_t i = 0; i < count; i++)
        real += !items[i].empty && items[i].kind != FRAME_INFO_PADDING;
    assert_int_equal(real, expected);
}

static void check_ttheader(const json_t *row)
{
    const char  *id       = vectors_text(row, "id");
    frugal_bytes stream   = vectors_hex(row, "frame_hex");
    int          protocol = (int)json_integer_value(json_object_get(row, "protocol_id"));
    vectors_watch(id);
    feed_every_way(id, &checking, stream, &result);
    if (protocol == 2) {
        assert_int_equal(result.status, FRUGAL_HEADER);
        assert_string_equal(result.error.message, "unsupported ProtocolID[2]");
        assert_int_equal(result.error.offset, 14);
        vectors_free(stream);
        return;
    }
    if (result.status != FRUGAL_OK || result.count != 1)
        fail_msg("%s: %zu messages, byte %zu: %s", id, result.count, result.error.offset,
                 result.error.message);
    const frame_message *message = &result.messages[0];
    const frame_header  *header  = &message->header;
    bool                 framed  = strcmp(vectors_text(row, "transport"), "TTHeaderFramed") == 0;
    assert_int_equal(message->framing, framed ? FRAME_TTHEADER_FRAMED : FRAME_TTHEADER);
    assert_int_equal(header->flags, json_integer_value(json_object_get(row, "flags")));
    assert_int_equal(header->sequence_id, json_integer_value(json_object_get(row, "seqid")));
    assert_int_equal(header->protocol, protocol);
    assert_int_equal(message->payload_offset - (framed ? 4 : 0),
                     json_integer_value(json_object_get(row, "header_len")));
    frugal_bytes payload = vectors_hex(row, "message_hex_in_payload");
    if (payload.len == 0)
        assert_true(message->content == FRAME_PAYLOAD_NONE || protocol == 16);
    else
        assert_true(message->payload.len == payload.len
                    && memcmp(message->payload.ptr, payload.ptr, payload.len) == 0);
    check_info(id, row, header);
    feed_assert_rebuilt(id, message);
    vectors_free(payload);
    vectors_free(stream);
}

static void every_ttheader_is_read_and_written_again(void **state)
{
    json_t *rows = vectors_rows("vectors/messages/ttheader.jsonl"), *row;
    size_t  i;
    (void)state;
    assert_true(json_array_size(rows) >= 20);
    json_array_foreach(rows, i, row) check_ttheader(row);
    json_decref(rows);
}

/* ---- THeader -------------------------------------------------------------------------------- */

static void every_apache_theader_is_refused_by_name(void **state)
{
    json_t *rows = vectors_rows("vectors/messages/theader.jsonl"), *row;
    size_t  i;
    (void)state;
    assert_true(json_array_size(rows) >= 8);
    json_array_foreach(rows, i, row)
    {
        frugal_bytes stream = vectors_hex(row, "frame_hex");
        feed_every_way(vectors_text(row, "id"), &checking, stream, &result);
        assert_int_equal(result.status, FRUGAL_FRAME);
        assert_int_equal(result.count, 0);
        assert_non_null(strstr(result.error.message, "this is Apache THeader"));
        vectors_free(stream);
    }
    json_decref(rows);
}

/* ---- streams and envelopes ------------------------------------------------------------------ */

static void check_envelope(const char *id, const frame_message *message, const char *name)
{
    frugal_message envelope;
    if (frugal_message_read(message->payload, NULL, &envelope, NULL, NULL) != FRUGAL_OK
        || !same_text(envelope.name, name))
        fail_msg("%s: the message is not %s", id, name);
}

static void a_stream_of_messages_is_taken_apart(void **state)
{
    json_t *rows = vectors_rows("vectors/messages/streams.jsonl"), *row;
    size_t  i, binary = 0;
    (void)state;
    json_array_foreach(rows, i, row)
    {
        const char  *id       = vectors_text(row, "id");
        frugal_bytes stream   = vectors_hex(row, "bytes_hex");
        bool         compact  = strcmp(vectors_text(row, "protocol"), "compact") == 0;
        bool         framed   = strcmp(vectors_text(row, "transport"), "framed") == 0;
        size_t       expected = json_array_size(json_object_get(row, "messages"));
        feed_every_way(id, &checking, stream, &result);
        if (compact) {
            assert_int_equal(result.status, FRUGAL_FRAME);
            assert_non_null(strstr(result.error.message, "framed Thrift Compact"));
            /* Named, a frame may hold anything. */
            feed_every_way(id, &(frame_options){ .framing = FRAME_FRAMED }, stream, &result);
            assert_int_equal(result.messages[0].content, FRAME_PAYLOAD_OTHER);
        }
        assert_int_equal(result.status, FRUGAL_OK);
        assert_int_equal(result.count, expected);
        for (size_t k = 0; k < expected; k++)
            assert_int_equal(result.messages[k].framing, framed ? FRAME_FRAMED : FRAME_BUFFERED);
        binary += !compact;
        vectors_free(stream);
    }
    assert_true(binary >= 4);
    json_decref(rows);
}

static void check_row(const json_t *row, const char *key, frame_framing named,
                      frame_framing expected)
{
    const char   *id      = vectors_text(row, "id");
    frugal_bytes  stream  = vectors_hex(row, key);
    frame_options options = { .framing = named, .check_content = true };
    feed_every_way(id, &options, stream, &result);
    if (result.status != FRUGAL_OK || result.count != 1)
        fail_msg("%s %s: %zu messages, byte %zu: %s", id, key, result.count, result.error.offset,
                 result.error.message);
    assert_int_equal(result.messages[0].framing, expected);
    assert_int_equal(result.messages[0].bytes.len, stream.len);
    check_envelope(id, &result.messages[0], vectors_text(row, "name"));
    vectors_free(stream);
}

static void every_envelope_is_found_bare_and_framed(void **state)
{
    json_t *rows = vectors_rows("vectors/messages/envelopes.jsonl"), *row;
    size_t  i;
    (void)state;
    assert_true(json_array_size(rows) >= 30);
    json_array_foreach(rows, i, row)
    {
        vectors_watch(vectors_text(row, "id"));
        check_row(row, "binary_strict_hex", FRAME_AUTO, FRAME_BUFFERED);
        check_row(row, "binary_strict_hex", FRAME_BUFFERED, FRAME_BUFFERED);
        check_row(row, "binary_old_hex", FRAME_BUFFERED, FRAME_BUFFERED);
        check_row(row, "framed_binary_hex", FRAME_AUTO, FRAME_FRAMED);
        check_row(row, "framed_binary_hex", FRAME_FRAMED, FRAME_FRAMED);
    }
    json_decref(rows);
}

/* ---- malformed ------------------------------------------------------------------------------ */

/* What we say to each kind: a verdict that a peer's looseness does not change. */
static void every_malformed_transport_is_refused(void **state)
{
    json_t *rows = vectors_rows("vectors/malformed/transports.jsonl"), *row;
    size_t  i;
    (void)state;
    assert_true(json_array_size(rows) >= 50);
    json_array_foreach(rows, i, row)
    {
        const char   *id      = vectors_text(row, "id");
        frugal_bytes  stream  = vectors_hex(row, "hex");
        bool          framed  = strcmp(vectors_text(row, "transport"), "framed") == 0;
        frame_options options = { .framing       = framed ? FRAME_FRAMED : FRAME_AUTO,
                                  .check_content = true };
        vectors_watch(id);
        feed_every_way(id, &options, stream, &result);
        /* An ACL token that is other than it was meant is still a token. */
        bool fine = strcmp(id, "ttheader/info-length/46") == 0;
        if ((result.status == FRUGAL_OK) != fine)
            fail_msg("%s: %s \"%s\"", id, frugal_status_name(result.status), result.error.message);
        if (!fine)
            assert_true(result.error.message[0] != '\0' && result.error.offset <= stream.len);
        vectors_free(stream);
    }
    json_decref(rows);
}

static void every_malformed_message_is_refused_in_every_framing(void **state)
{
    json_t *rows = vectors_rows("vectors/malformed/messages.jsonl"), *row;
    size_t  i;
    (void)state;
    json_array_foreach(rows, i, row)
    {
        const char *id       = vectors_text(row, "id");
        const char *protocol = vectors_text(row, "protocol");
        if (strncmp(protocol, "binary", 6) != 0)
            continue;
        frugal_bytes  message = vectors_hex(row, "hex");
        bool          ok      = strcmp(vectors_text(row, "expect"), "ok") == 0;
        frame_options options = { .framing       = FRAME_BUFFERED,
                                  .check_content = true,
                                  .strict_only   = strcmp(protocol, "binary-strict-only") == 0 };
        feed_every_way(id, &options, message, &result);
        if ((result.status == FRUGAL_OK) != ok)
            fail_msg("%s: %s", id, frugal_status_name(result.status));

        frugal_buf   framed;
        frame_writer writer;
        feed_result *bare = malloc(sizeof *bare);
        assert_non_null(bare);
        *bare = result;
        frugal_buf_init(&framed, NULL, 0, NULL);
        assert_int_equal(frame_begin(&writer, FRAME_FRAMED, NULL, &framed, NULL), FRUGAL_OK);
        assert_int_equal(frugal_buf_append(&framed, message.ptr, message.len), FRUGAL_OK);
        assert_int_equal(frame_end(&writer, &framed, 0, NULL), FRUGAL_OK);
        options.framing = FRAME_FRAMED;
        feed_every_way(id, &options, frugal_buf_bytes(&framed), &result);
        assert_int_equal(result.status, bare->status);
        if (!ok) /* the same fault at the same byte, four bytes later */
            assert_int_equal(result.error.offset, bare->error.offset + 4);
        free(bare);
        frugal_buf_release(&framed);
        vectors_free(message);
    }
    json_decref(rows);
}

/* ---- captures ------------------------------------------------------------------------------- */

static frame_framing captured_framing(const char *name)
{
    if (strncmp(name, "buffered-mux", 12) == 0 || strncmp(name, "ttheader-", 9) == 0)
        return FRAME_TTHEADER;
    if (strncmp(name, "framed-mux", 10) == 0 || strncmp(name, "ttheaderframed-", 15) == 0)
        return FRAME_TTHEADER_FRAMED;
    return strncmp(name, "framed-", 7) == 0 ? FRAME_FRAMED : FRAME_BUFFERED;
}

static void check_capture(const char *name)
{
    char file[256];
    snprintf(file, sizeof file, "captures/%s", name);
    frugal_bytes stream = vectors_file(file);
    vectors_watch(name);
    feed_every_way(name, &checking, stream, &result);
    if (strncmp(name, "h2-", 3) == 0) {
        assert_int_equal(result.status, stream.len ? FRUGAL_FRAME : FRUGAL_OK);
        if (strstr(name, "c2s"))
            assert_non_null(strstr(result.error.message, "this is HTTP/2"));
        vectors_free(stream);
        return;
    }
    if (result.status != FRUGAL_OK)
        fail_msg("%s: byte %zu: %s", name, result.error.offset, result.error.message);
    bool several = strstr(name, "mux3") || strstr(name, "long3");
    bool silent  = strstr(name, "notifyonly") && strstr(name, "s2c");
    assert_true(result.count >= (silent ? 0U : several ? 3U : 1U));
    if (silent)
        assert_int_equal(result.count, 0);
    for (size_t i = 0; i < result.count; i++) {
        assert_int_equal(result.messages[i].framing, captured_framing(name));
        assert_int_equal(result.messages[i].content, FRAME_PAYLOAD_BINARY);
        feed_assert_rebuilt(name, &result.messages[i]);
        assert_null(frame_header_unused(&result.messages[i].header));
    }
    vectors_free(stream);
}

static void every_capture_is_read_and_its_headers_written_again(void **state)
{
    json_t *files = vectors_files("captures", ".bin"), *name;
    size_t  i, count = 0;
    (void)state;
    json_array_foreach(files, i, name)
    {
        check_capture(json_string_value(name));
        count++;
    }
    assert_true(count >= 8);
    json_decref(files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_ttheader_is_read_and_written_again),
        cmocka_unit_test(every_apache_theader_is_refused_by_name),
        cmocka_unit_test(a_stream_of_messages_is_taken_apart),
        cmocka_unit_test(every_envelope_is_found_bare_and_framed),
        cmocka_unit_test(every_malformed_transport_is_refused),
        cmocka_unit_test(every_malformed_message_is_refused_in_every_framing),
        cmocka_unit_test(every_capture_is_read_and_its_headers_written_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
