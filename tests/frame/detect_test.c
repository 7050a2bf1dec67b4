#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "frame/frame.h"
#include "support/hex.h"

static void the_first_eight_bytes_decide_in_kitex_order(void **state)
{
    static const struct {
        const char *hex;
        frame_look  look;
    } rows[] = {
        { "0000001f 10000000", FRAME_LOOK_TTHEADER },
        { "80010001 10000000", FRAME_LOOK_TTHEADER }, /* before all else, as in Kitex */
        { "ffaf0010 10000000", FRAME_LOOK_TTHEADER },
        { "ffaf0010 00010003", FRAME_LOOK_MESH },
        { "ffaf0010 80010001", FRAME_LOOK_MESH },
        { "80010001 00000004", FRAME_LOOK_BUFFERED },
        { "80010001 80010001", FRAME_LOOK_BUFFERED },
        { "00000011 80010001", FRAME_LOOK_FRAMED },
        { "50524920 80010001", FRAME_LOOK_FRAMED }, /* "PRI " before a frame is a length */
        { "00000011 90010001", FRAME_LOOK_PROTOBUF },
        { "0000001f 0fff0000", FRAME_LOOK_THEADER },
        { "50524920 2a204854", FRAME_LOOK_HTTP2 },
        { "47455420 2f204854", FRAME_LOOK_HTTP1 },
        { "16030100 a5010000", FRAME_LOOK_TLS },
        { "fff4fffd 06000000", FRAME_LOOK_TELNET },
        { "82210004 70696e67", FRAME_LOOK_COMPACT },
        { "00000009 82210004", FRAME_LOOK_COMPACT_FRAMED },
        { "5b312c22 70696e67", FRAME_LOOK_TJSON },
        { "00000020 5b312c22", FRAME_LOOK_TJSON },
        { "68656c6c 6f0d0a68", FRAME_LOOK_TEXT },
        { "00000004 70696e67", FRAME_LOOK_UNKNOWN },
        { "00000000 00000000", FRAME_LOOK_UNKNOWN },
        { "80020001 00000004", FRAME_LOOK_UNKNOWN },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (frame_detect(hex_bytes(rows[i].hex)) != rows[i].look)
            fail_msg("%s is \"%s\"", rows[i].hex,
                     frame_look_text(frame_detect(hex_bytes(rows[i].hex))));
    }
}

static void fewer_bytes_decide_nothing(void **state)
{
    (void)state;
    for (size_t len = 0; len < FRAME_LOOK_SIZE; len++) {
        frugal_bytes bytes = hex_bytes("5052492a 20485454");
        assert_int_equal(frame_detect((frugal_bytes){ bytes.ptr, len }), FRAME_LOOK_MORE);
    }
}

static void every_look_has_words(void **state)
{
    (void)state;
    for (int look = FRAME_LOOK_MORE; look <= FRAME_LOOK_TEXT; look++)
        for (int other = look + 1; other <= FRAME_LOOK_TEXT; other++)
            assert_string_not_equal(frame_look_text((frame_look)look),
                                    frame_look_text((frame_look)other));
}

static void a_framing_is_found_by_its_name(void **state)
{
    (void)state;
    for (int i = FRAME_AUTO; i <= FRAME_MESH_FRAMED; i++) {
        frame_framing found;
        const char   *name = frame_framing_name((frame_framing)i);
        assert_true(frame_framing_from_name((frugal_str){ name, strlen(name) }, &found));
        assert_int_equal(found, i);
    }
    frame_framing found = FRAME_FRAMED;
    assert_false(frame_framing_from_name((frugal_str){ "frame", 5 }, &found));
    assert_false(frame_framing_from_name((frugal_str){ NULL, 0 }, &found));
    assert_int_equal(found, FRAME_FRAMED);
    assert_string_equal(frame_framing_name((frame_framing)99), "unknown");
}

static void known_int_keys_have_kitex_names(void **state)
{
    (void)state;
    assert_string_equal(frame_key_name(FRAME_KEY_TO_SERVICE), "ToService");
    assert_string_equal(frame_key_name(0), "MeshVersion");
    assert_string_equal(frame_key_name(27), "FrameType");
    assert_null(frame_key_name(28));
    assert_null(frame_key_name(65535));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_eight_bytes_decide_in_kitex_order),
        cmocka_unit_test(fewer_bytes_decide_nothing),
        cmocka_unit_test(every_look_has_words),
        cmocka_unit_test(a_framing_is_found_by_its_name),
        cmocka_unit_test(known_int_keys_have_kitex_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
