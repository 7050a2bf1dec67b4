#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "frame/feed.h"
#include "support/gen_pool.h"
#include "support/gen_random.h"
#include "support/hex.h"

#define PING "80010001 00000004 6563686f 00000007 00" /* 17 bytes */

static uint8_t    storage[1 << 20];
static frugal_buf out;

static frugal_status write_message(frame_framing framing, const frame_header *header,
                                   frugal_error *error)
{
    frame_writer writer;
    frugal_buf_init_fixed(&out, storage, sizeof storage);
    frugal_status status = frame_begin(&writer, framing, header, &out, error);
    if (status != FRUGAL_OK)
        return status;
    size_t size = 0;
    assert_int_equal(frame_prefix_size(framing, header, &size, NULL), FRUGAL_OK);
    assert_int_equal(out.size, size);
    assert_int_equal(frugal_buf_append(&out, hex_bytes(PING).ptr, 17), FRUGAL_OK);
    return frame_end(&writer, &out, 0, error);
}

static void assert_written(frame_framing framing, const frame_header *header, const char *hex)
{
    assert_int_equal(write_message(framing, header, NULL), FRUGAL_OK);
    frugal_bytes expected = hex_bytes(hex);
    assert_int_equal(out.size, expected.len);
    assert_memory_equal(out.data, expected.ptr, expected.len);
}

static void every_framing_is_written_as_kitex_writes_it(void **state)
{
    static const frame_info items[] = {
        { .kind = FRAME_INFO_ACL, .value = FRUGAL_STR_INIT("tok") },
        { .kind = FRAME_INFO_STR, .key = FRUGAL_STR_INIT("isn"), .value = FRUGAL_STR_INIT("Svc") },
        { .kind = FRAME_INFO_INT, .number = 22, .value = FRUGAL_STR_INIT("1") },
    };
    frame_header header = { .sequence_id = 7 };
    (void)state;
    assert_written(FRAME_BUFFERED, NULL, PING);
    assert_written(FRAME_FRAMED, NULL, "00000011" PING);
    assert_written(FRAME_TTHEADER, &header, "0000001f 10000000 00000007 0001 00000000" PING);
    assert_written(FRAME_TTHEADER_FRAMED, &header,
                   "00000023 10000000 00000007 0001 00000000 00000011" PING);
    assert_written(FRAME_TTHEADER, NULL, "0000001f 10000000 00000000 0001 00000000" PING);
    header.info       = items;
    header.info_count = 3;
    assert_written(FRAME_TTHEADER, &header,
                   "0000003b 10000000 00000007 0008 0000 11 0003 746f6b 01 0001 0003 69736e 0003 "
                   "537663 10 0001 0016 0001 31 000000" PING);
}

static void items_are_put_into_kitex_order(void **state)
{
    static const frame_info items[] = {
        { .kind = FRAME_INFO_INT, .number = 22, .value = FRUGAL_STR_INIT("1") },
        { .kind = FRAME_INFO_PADDING, .zeros = 5 },
        { .kind = FRAME_INFO_STR, .key = FRUGAL_STR_INIT("isn"), .value = FRUGAL_STR_INIT("S") },
        { .kind = FRAME_INFO_INT, .starts = true, .number = 6, .value = FRUGAL_STR_INIT("2") },
        { .kind = FRAME_INFO_STR, .empty = true },
        { .kind  = FRAME_INFO_STR,
          .key   = FRUGAL_STR_INIT(FRAME_ACL_KEY),
          .value = FRUGAL_STR_INIT("tok") },
    };
    frame_info   ordered[6];
    frame_header header = { .info = ordered };
    (void)state;
    header.info_count = frame_info_order(items, 6, ordered);
    assert_int_equal(header.info_count, 4);
    assert_written(
        FRAME_TTHEADER, &header,
        "0000003b 10000000 00000000 0008 0000 11 0003 746f6b 01 0001 0003 69736e 0001 53 "
        "10 0002 0016 0001 31 0006 0001 32" PING);
}

static void blocks_are_passed_on_as_they_are(void **state)
{
    frame_header header   = { .blocks = hex_bytes("") };
    uint8_t      blocks[] = { 0, 0, 1, 0, 0, 0x10, 0, 0, 0, 0 };
    (void)state;
    header.blocks = (frugal_bytes){ blocks, sizeof blocks };
    assert_written(FRAME_TTHEADER, &header,
                   "00000027 10000000 00000000 0003 0000 0000 010000 100000 0000" PING);
}

static void assert_not_written(frame_framing framing, const frame_header *header,
                               frugal_status status, const char *message)
{
    frugal_error error;
    assert_int_equal(write_message(framing, header, &error), status);
    assert_string_equal(error.message, message);
    assert_int_equal(out.size, 0);
}

static void what_does_not_fit_a_header_is_refused(void **state)
{
    static char  text[65536];
    frame_info   items[5] = { { .kind = FRAME_INFO_INT, .value = { text, 65536 } } };
    frame_header header   = { .info = items, .info_count = 1 };
    (void)state;
    memset(text, 'x', sizeof text);
    assert_not_written(FRAME_TTHEADER, &header, FRUGAL_SIZE,
                       "string exceeded 65535B max size (actual: 65536B, preview: "
                       "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...\")");
    for (int i = 0; i < 5; i++)
        items[i] = (frame_info){ .kind = FRAME_INFO_INT, .value = { text, 65535 } };
    header.info_count = 5;
    assert_not_written(FRAME_TTHEADER, &header, FRUGAL_SIZE, "invalid header length[262161]");
    header.info_count = 3;
    assert_int_equal(write_message(FRAME_TTHEADER, &header, NULL), FRUGAL_OK);
    items[0].kind = (frame_info_kind)9;
    assert_not_written(FRAME_TTHEADER, &header, FRUGAL_INVALID,
                       "an item of a header of unknown kind 9");
    assert_not_written(FRAME_TTHEADER, &(frame_header){ .mesh = true }, FRUGAL_INVALID,
                       "a mesh header is not written");
    assert_not_written(FRAME_MESH, NULL, FRUGAL_INVALID, "framing \"mesh\" is not written");
    assert_not_written(FRAME_AUTO, NULL, FRUGAL_INVALID, "framing \"auto\" is not written");
}

static void the_largest_header_can_be_written(void **state)
{
    static char  text[65535];
    frame_info   items[4];
    frame_header header = { .info = items, .info_count = 4 };
    size_t       size   = 0;
    (void)state;
    for (int i = 0; i < 4; i++)
        items[i] = (frame_info){ .kind = FRAME_INFO_ACL, .value = { text, 65535 } };
    items[3].value.len = FRAME_TTHEADER_MAX - 2 - 3 * 65538 - 3;
    assert_int_equal(frame_prefix_size(FRAME_TTHEADER, &header, &size, NULL), FRUGAL_OK);
    assert_int_equal(size, 14 + FRAME_TTHEADER_MAX);
    assert_int_equal(write_message(FRAME_TTHEADER, &header, NULL), FRUGAL_OK);
    items[3].value.len++;
    assert_int_equal(frame_prefix_size(FRAME_TTHEADER, &header, &size, NULL), FRUGAL_SIZE);
}

static void a_message_above_the_limit_leaves_nothing_behind(void **state)
{
    frame_writer writer;
    frugal_error error;
    (void)state;
    frugal_buf_init_fixed(&out, storage, sizeof storage);
    assert_int_equal(frugal_buf_append(&out, "before", 6), FRUGAL_OK);
    assert_int_equal(frame_begin(&writer, FRAME_TTHEADER_FRAMED, NULL, &out, NULL), FRUGAL_OK);
    assert_int_equal(frugal_buf_append(&out, hex_bytes(PING).ptr, 17), FRUGAL_OK);
    assert_int_equal(frame_end(&writer, &out, 16, &error), FRUGAL_SIZE);
    assert_string_equal(error.message, "invalid data: payload size(17) larger than the limit(16)");
    assert_int_equal(out.size, 6);
}

static void a_buffer_without_room_is_left_as_it_was(void **state)
{
    frame_writer writer;
    (void)state;
    frugal_buf_init_fixed(&out, storage, 17);
    assert_int_equal(frame_begin(&writer, FRAME_TTHEADER, NULL, &out, NULL), FRUGAL_NOSPACE);
    assert_int_equal(out.size, 0);
    assert_int_equal(frame_begin(&writer, FRAME_FRAMED, NULL, &out, NULL), FRUGAL_OK);
}

/* ---- law ------------------------------------------------------------------------------------ */

enum { HEADERS = 800, ITEMS_MAX = 40 };

static frugal_str gen_str(gen_random *random, gen_pool *pool)
{
    size_t len  = gen_below(random, 12);
    char  *text = gen_alloc(pool, len, 1);
    for (size_t i = 0; i < len; i++)
        text[i] = (char)gen_next(random);
    return (frugal_str){ text, len };
}

static frame_info gen_item(gen_random *random, gen_pool *pool, const frame_info *before)
{
    frame_info info = { .kind = (frame_info_kind)gen_below(random, 4) };
    if (info.kind == FRAME_INFO_PADDING) {
        info.zeros = 1 + gen_below(random, 9);
        return info;
    }
    if (info.kind != FRAME_INFO_ACL && gen_chance(random, 10)) {
        info.empty = true;
        return info;
    }
    /* `starts` is said only where it means something, as the reader does. */
    info.starts = before && before->kind == info.kind && !before->empty
                  && info.kind != FRAME_INFO_ACL && gen_chance(random, 20);
    info.value = gen_str(random, pool);
    if (info.kind == FRAME_INFO_STR)
        info.key = gen_str(random, pool);
    if (info.kind == FRAME_INFO_INT)
        info.number = (uint16_t)gen_next(random);
    return info;
}

static bool same_str(frugal_str a, frugal_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

/* Zeroes at the end are told in whole words, those between blocks all. */
static size_t compare_items(const frame_info *a, size_t count, const frame_info *b, size_t b_count)
{
    size_t k = 0;
    for (size_t i = 0; i < count; i++) {
        if (a[i].kind == FRAME_INFO_PADDING) {
            if (k == b_count || b[k].kind != FRAME_INFO_PADDING)
                continue; /* fewer than a word, at the end */
            while (i + 1 < count && a[i + 1].kind == FRAME_INFO_PADDING)
                i++;
            k++;
            continue;
        }
        assert_true(k < b_count);
        assert_int_equal(a[i].kind, b[k].kind);
        assert_int_equal(a[i].starts, b[k].starts);
        assert_int_equal(a[i].empty, b[k].empty);
        assert_int_equal(a[i].number, b[k].number);
        assert_true(same_str(a[i].key, b[k].key) && same_str(a[i].value, b[k].value));
        k++;
    }
    return k;
}

static void what_is_written_is_read_and_written_again_the_same(void **state)
{
    static feed_result result;
    static frame_info  items[ITEMS_MAX], read[ITEMS_MAX];
    (void)state;
    for (uint32_t i = 0; i < HEADERS; i++) {
        gen_random   random = gen_random_for(gen_seed(), "frame.header", i);
        gen_pool     pool   = { 0 };
        frame_header header = { .flags       = (uint16_t)gen_next(&random),
                                .sequence_id = (int32_t)gen_next(&random),
                                .info        = items };
        uint8_t      ids[3] = { 1, 2, 3 };
        header.transforms =
            (frugal_bytes){ ids, gen_chance(&random, 20) ? gen_below(&random, 4) : 0 };
        header.info_count = gen_below(&random, ITEMS_MAX);
        for (size_t k = 0; k < header.info_count; k++)
            items[k] = gen_item(&random, &pool, k ? &items[k - 1] : NULL);
        frame_framing framing = gen_chance(&random, 50) ? FRAME_TTHEADER : FRAME_TTHEADER_FRAMED;
        assert_int_equal(write_message(framing, &header, NULL), FRUGAL_OK);

        feed_every_way("generated", NULL, frugal_buf_bytes(&out), &result);
        assert_int_equal(result.status, FRUGAL_OK);
        assert_int_equal(result.count, 1);
        const frame_message *message = &result.messages[0];
        assert_int_equal(message->framing, framing);
        assert_int_equal(message->header.flags, header.flags);
        assert_int_equal(message->header.sequence_id, header.sequence_id);
        assert_int_equal(message->header.transforms.len, header.transforms.len);
        size_t count = feed_items(&message->header, read, ITEMS_MAX);
        assert_int_equal(compare_items(items, header.info_count, read, count), count);
        feed_assert_rebuilt("generated", message);
        gen_pool_release(&pool);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_framing_is_written_as_kitex_writes_it),
        cmocka_unit_test(items_are_put_into_kitex_order),
        cmocka_unit_test(blocks_are_passed_on_as_they_are),
        cmocka_unit_test(what_does_not_fit_a_header_is_refused),
        cmocka_unit_test(the_largest_header_can_be_written),
        cmocka_unit_test(a_message_above_the_limit_leaves_nothing_behind),
        cmocka_unit_test(a_buffer_without_room_is_left_as_it_was),
        cmocka_unit_test(what_is_written_is_read_and_written_again_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
