/* fuzz/message_fuzz.c - the message envelope, and an application exception behind it. What was read
 * is written again: the envelope gives the same bytes, the exception the same value. */
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <frugal/message.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool same_text(frugal_str a, frugal_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static void check_failure(frugal_status status, const frugal_error *error, size_t size)
{
    assert(status == error->status);
    assert(error->offset <= size);
    assert(error->message[0] != '\0');
}

static void check_written(frugal_bytes input, const frugal_message *message, size_t used)
{
    frugal_buf out;
    assert(used <= input.len);
    frugal_buf_init(&out, NULL, 0, NULL);
    frugal_status status = frugal_message_write(message, NULL, &out, NULL);
    assert(status == FRUGAL_OK);
    assert(out.size == used && memcmp(out.data, input.ptr, used) == 0);
    frugal_buf_release(&out);
    (void)status;
}

/* Strict reading takes the same messages but the old ones. */
static void check_strict(frugal_bytes input, frugal_status status, const frugal_message *message)
{
    frugal_message_options strict = { .strict_only = true };
    frugal_message         other;
    frugal_status          answer = frugal_message_read(input, &strict, &other, NULL, NULL);
    if (status == FRUGAL_OK)
        assert(answer == (message->old ? FRUGAL_VERSION : FRUGAL_OK));
    else
        assert(answer != FRUGAL_OK);
    (void)answer;
}

static void check_exception(frugal_bytes input)
{
    frugal_application_exception first, again;
    frugal_error                 error = { .status = FRUGAL_OK }, other = { .status = FRUGAL_OK };
    size_t                       used = 0, skipped = 0;
    frugal_status status = frugal_application_exception_read(input, NULL, &first, &used, &error);
    frugal_status skip   = frugal_skip(input, FRUGAL_WIRE_STRUCT, NULL, &skipped, &other);
    assert(status == skip && used == skipped && error.offset == other.offset);
    assert(strcmp(error.message, other.message) == 0);
    (void)skip;
    if (status != FRUGAL_OK) {
        check_failure(status, &error, input.len);
        return;
    }
    frugal_buf out;
    frugal_buf_init(&out, NULL, 0, NULL);
    status = frugal_application_exception_write(&first, NULL, &out, NULL);
    assert(status == FRUGAL_OK);
    status = frugal_application_exception_read(frugal_buf_bytes(&out), NULL, &again, &used, NULL);
    assert(status == FRUGAL_OK && used == out.size);
    assert(first.type == again.type && same_text(first.message, again.message));
    frugal_buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    frugal_bytes   input = { data, size };
    frugal_message message;
    frugal_error   error;
    size_t         used   = 0;
    frugal_status  status = frugal_message_read(input, NULL, &message, &used, &error);
    check_strict(input, status, &message);
    if (status == FRUGAL_OK)
        check_written(input, &message, used);
    else
        check_failure(status, &error, size);
    check_exception((frugal_bytes){ data + used, size - used });
    return 0;
}
