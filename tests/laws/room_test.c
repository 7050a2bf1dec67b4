/* laws/room_test.c - encoding writes into the room that it was given and never one byte further,
 * whatever was said about the size before: a guard page stands behind every buffer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/guard.h"
#include "support/law.h"
#include "support/law_reference.h"

#define GUARD_SIZE ((size_t)1 << 20)

static guard pages;

static int make_guard(void **state)
{
    (void)state;
    pages = guard_new(GUARD_SIZE);
    return 0;
}

static int release_guard(void **state)
{
    (void)state;
    guard_free(&pages);
    return 0;
}

/* Encodes into exactly `room` bytes before the guard page. */
static frugal_status encode_into(law_case *at, size_t room, size_t *size)
{
    frugal_error  error  = { 0 };
    uint8_t      *start  = pages.end - room;
    frugal_status status = law_encode_to(at, NULL, start, room, size, &error);
    if (status != FRUGAL_OK) {
        LAW(at, error.status == status, "%s in the error", frugal_status_name(error.status));
        LAW(at, status == FRUGAL_NOSPACE, "%s: %s", frugal_status_name(status), error.message);
        LAW(at, error.message[0] != '\0', "no sentence");
    }
    return status;
}

static void check_room(law_case *at)
{
    size_t size = 0, len = at->bytes.len;
    if (len > GUARD_SIZE)
        return;
    LAW(at, encode_into(at, len, &size) == FRUGAL_OK, "%zu bytes of room", len);
    LAW(at, size == len && memcmp(pages.end - len, at->bytes.data, len) == 0, "other bytes");
    LAW(at, encode_into(at, len - 1, &size) == FRUGAL_NOSPACE, "one byte less");
    size_t roomy = len + 1 + gen_below(&at->random, 100);
    memset(pages.end - roomy, 0x77, roomy);
    LAW(at, encode_into(at, roomy, &size) == FRUGAL_OK, "%zu bytes of room", roomy);
    LAW(at, size == len && memcmp(pages.end - roomy, at->bytes.data, len) == 0, "other bytes");
}

static void exact_room_suffices_and_one_byte_less_does_not(void **state)
{
    (void)state;
    law_run("room", 1200, 3, check_room);
}

static void check_every_room(law_case *at)
{
    size_t size = 0, step = at->bytes.len / 600 + 1;
    if (at->bytes.len > GUARD_SIZE)
        return;
    for (size_t room = 0; room < at->bytes.len; room += step)
        LAW(at, encode_into(at, room, &size) == FRUGAL_NOSPACE, "%zu of %zu bytes", room,
            at->bytes.len);
}

static void every_smaller_room_is_refused(void **state)
{
    (void)state;
    law_run("every_room", 250, 1, check_every_room);
}

/* A fixed buffer, and what stands before the record in it. */
static void check_fixed(law_case *at)
{
    frugal_buf   out;
    frugal_error error = { 0 };
    size_t       front = gen_below(&at->random, 9), room = gen_below(&at->random, 3);
    if (at->bytes.len + 32 > GUARD_SIZE || at->bytes.len + room < 1)
        return;
    size_t capacity = front + at->bytes.len - 1 + room;
    frugal_buf_init_fixed(&out, pages.end - capacity, capacity);
    assert_int_equal(frugal_buf_append(&out, "12345678", front), FRUGAL_OK);
    frugal_status status = law_encode(at, law_view(at), NULL, &out, &error);
    LAW(at, status == (room ? FRUGAL_OK : FRUGAL_NOSPACE), "%zu bytes of room: %s",
        at->bytes.len - 1 + room, error.message);
    LAW(at, out.size == front + (room ? at->bytes.len : 0), "size %zu", out.size);
    LAW(at, memcmp(out.data, "12345678", front) == 0, "the front has changed");
    if (room == 0)
        LAW(at, strstr(error.message, "1 byte"), "how many are short: %s", error.message);
}

static void a_fixed_buffer_is_never_passed(void **state)
{
    (void)state;
    law_run("fixed", 700, 2, check_fixed);
}

/* Measured as one record, written as another: what a record that changed between the two passes
 * looks like to the writer. */
static void check_changed(law_case *at)
{
    size_t     measured = 0, size = 0;
    gen_values values = gen_values_start(&at->random, &at->pool);
    void      *other  = gen_alloc(&at->pool, at->type->size, at->type->align);
    gen_bytes  bytes  = { 0 };
    assert_int_equal(law_encoded_size(at, NULL, &measured, NULL), FRUGAL_OK);
    gen_record(&values, at->type, other);
    law_reference_encode(at->type, other, NULL, &bytes);
    at->record = other;
    if (measured <= GUARD_SIZE) {
        frugal_status status = encode_into(at, measured, &size);
        bool          fits   = bytes.len <= measured;
        LAW(at, status == (fits ? FRUGAL_OK : FRUGAL_NOSPACE), "measured %zu, now %zu", measured,
            bytes.len);
        if (fits)
            LAW(at, size == bytes.len && memcmp(pages.end - measured, bytes.data, size) == 0,
                "other bytes");
    }
    gen_bytes_release(&bytes);
}

static void a_record_that_grew_after_it_was_measured_is_refused(void **state)
{
    (void)state;
    law_run("changed", 1500, 3, check_changed);
}

/* The same, once for every cell: so every kind of field has grown somewhere. */
static void every_kind_of_field_that_grew_is_refused(void **state)
{
    (void)state;
    for (unsigned step = 0; step < GEN_STEP_COUNT; step++)
        for (unsigned place = 0; place < GEN_PLACE_COUNT; place++)
            if (gen_cell_exists((gen_step)step, (gen_place)place))
                law_run_cell("changed_cell", (gen_step)step, (gen_place)place, 4, 4, check_changed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_room_suffices_and_one_byte_less_does_not),
        cmocka_unit_test(every_smaller_room_is_refused),
        cmocka_unit_test(a_fixed_buffer_is_never_passed),
        cmocka_unit_test(a_record_that_grew_after_it_was_measured_is_refused),
        cmocka_unit_test(every_kind_of_field_that_grew_is_refused),
    };
    return cmocka_run_group_tests_name("laws: room", tests, make_guard, release_guard);
}
