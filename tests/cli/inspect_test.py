"""frugal inspect: what it makes of bytes, with no IDL, and where it says that they make no sense."""
import random
import re

from harness import SHARED, DATA, each, expect, expect_error, fact, folder, main, rows, run, vectors

PING = "80010001 00000004 6563686f 00000007"


def hexed(text, *options, **more):
    return run("inspect", "-x", *options, stdin=text, **more)


@fact
def every_kind_of_field_is_a_line_of_a_tree():
    expect(hexed(PING + "020001 01 030002 f8 040003 4004000000000000 060004 ffff 080005 00000001"
                 "0a0006 ffffffffffffffff 0b0007 00000002 6869 0b0008 00000002 ff00 0c0009 080001 00000002 00"
                 "0d000a 0b08 00000001 00000001 61 00000001 0e000b 06 00000002 0001 0002 0f000c 0b 00000000"
                 "0f000d 0c 00000002 00 080001 00000001 00 0d000e 080f 00000001 00000005 02 00000002 0100"
                 "0f000f 00 00000000 0d0010 0000 00000000 0c0011 00 00"),
           'message 1: buffered, 184 bytes from byte 0\n'
           '    call "echo", seq 7\n'
           '        1: bool = true\n'
           '        2: i8 = -8\n'
           '        3: double = 2.5\n'
           '        4: i16 = -1\n'
           '        5: i32 = 1\n'
           '        6: i64 = -1\n'
           '        7: string = "hi"\n'
           '        8: string = 0xff00\n'
           '        9: struct = {\n'
           '            1: i32 = 2\n'
           '        }\n'
           '        10: map<string, i32> = {"a": 1}\n'
           '        11: set<i16> = {1, 2}\n'
           '        12: list<string> = []\n'
           '        13: list<struct> = [\n'
           '            {}\n'
           '            {\n'
           '                1: i32 = 1\n'
           '            }\n'
           '        ]\n'
           '        14: map<i32, list> = {\n'
           '            5: list<bool> [true, false]\n'
           '        }\n'
           '        15: list<> = []\n'
           '        16: map<> = {}\n'
           '        17: struct = {}\n')


@fact
def a_header_is_shown_with_the_names_of_known_keys():
    expect(hexed("0000003b 1000 0001 00000007 0008 00 00 11 0003 746f6b 01 0001 0003 69736e 0003 537663 "
                 "10 0001 0016 0001 31 000000" + PING + "00"),
           'message 1: ttheader, 63 bytes from byte 0\n'
           '    header: flags 0x0001 (out of order), seq 7, protocol 0 (Thrift Binary)\n'
           '        acl = "tok"\n'
           '        str "isn" = "Svc"\n'
           '        int 22 (MsgType) = "1"\n'
           '    call "echo", seq 7\n')


@fact
def an_application_exception_is_shown_with_its_words():
    expect(hexed("80010003 00000001 61 00000001 0b0001 00000002 6e6f 080002 00000001 00"),
           'message 1: buffered, 30 bytes from byte 0\n'
           '    exception "a", seq 1: application exception 1, unknown method\n'
           '        1: string = "no"\n'
           '        2: i32 = 1\n')


@fact
def several_messages_of_different_framings_are_shown():
    out = hexed("00000011" + PING + "00" + PING + "00" + "0000001f 1000 0000 00000007 0001 00 00 0000" + PING + "00"
                "00000023 1000 0000 00000007 0001 00 00 0000 00000011" + PING + "00").out.decode()
    assert re.findall(r"^message (\d): (\S+),", out, re.M) == [
        ("1", "framed"), ("2", "buffered"), ("3", "ttheader"), ("4", "ttheader-framed")], out


@fact
def a_bare_struct_is_recognised_even_where_it_looks_like_a_message():
    # Eight bytes that are a TTHeader for a reader of streams.
    expect(hexed("080001 00100000 00"), 'struct, 8 bytes\n    1: i32 = 1048576\n')
    expect(hexed("00"), 'struct, 1 byte\n')
    expect(hexed("0b0001 00000001 61 00", "--bare"), 'struct, 9 bytes\n    1: string = "a"\n')
    expect(hexed("00000009 0b0001 00000001 61 00"),
           'message 1: framed, 13 bytes from byte 0\n    struct without an envelope\n        1: string = "a"\n')


@fact
def an_old_envelope_is_recognised_bare_and_framed():
    old = "00000004 6563686f 01 00000007 0b0001 00000001 61 00"
    expect(hexed(old), 'message 1: buffered, 22 bytes from byte 0\n'
                       '    call "echo", seq 7, old envelope\n        1: string = "a"\n')
    expect(hexed("00000016" + old), 'message 1: framed, 26 bytes from byte 0\n'
                                    '    call "echo", seq 7, old envelope\n        1: string = "a"\n')


@fact
def what_is_not_thrift_binary_is_named():
    for text, word in [("505249202a20485454502f322e300d0a", "HTTP/2"), ("474554202f20485454502f31", "HTTP/1"),
                       ("16030100a501000000", "TLS"), ("fff4fffd06000000", "telnet"),
                       ("8221000470696e6700", "Thrift Compact"), ("00000009 8221000470696e6700", "Thrift Compact"),
                       ("5b312c2270696e67222c312c302c7b7d5d", "Thrift JSON"), ("68656c6c6f20776f726c64", "text"),
                       ("0000001f0fff00000000000000010000000080010001", "Apache THeader"),
                       ("deadbeefdeadbeef", "nothing that we know"), ("ff", "nothing that we know")]:
        result = expect_error(hexed(text), "byte 0: ", word)
        assert b"bytes from 0 on: 0x" + text.replace(" ", "")[:32].encode() in result.out, result
    expect(hexed(""), "empty\n")


@fact
def kitex_protobuf_and_mesh_headers_are_shown():
    expect(hexed("00000008 90010001 00000000"),
           'message 1: framed, 12 bytes from byte 0\n    Kitex protobuf, 8 bytes: 0x9001000100000000\n')
    expect(hexed("ffaf0008 0001 0001 6b 0001 76" + PING + "00"),
           'message 1: mesh, 29 bytes from byte 0\n    mesh header\n        str "k" = "v"\n    call "echo", seq 7\n')
    expect(hexed("00000017 1000 0002 00000001 0003 10 00 10 0001 001b 0001 33 0000 00"),
           'message 1: ttheader, 27 bytes from byte 0\n'
           '    header: flags 0x0002 (streaming), seq 1, protocol 16 (Thrift struct)\n'
           '        int 27 (FrameType) = "3"\n    struct without an envelope\n')


@fact
def a_fault_is_told_with_byte_and_path_behind_all_that_made_sense():
    result = expect_error(hexed(PING + "080001 00000005 0f0002 0c 00000002 00 080001 00000001 010002 00 00"),
                          "frugal: stdin: byte 39: at 2[1]: unknown wire type 1")
    expect(result, 'message 1: buffered, 44 bytes from byte 0, broken\n'
                   '    call "echo", seq 7\n'
                   '        1: i32 = 5\n'
                   '        2: list<struct> = [\n'
                   '            {}\n'
                   '            {\n'
                   '                1: i32 = 1\n'
                   '            }\n'
                   '        ]\n'
                   '        stops at byte 39, at 2[1]: unknown wire type 1\n'
                   '        bytes from 39 on: 0x0100020000\n',
           err=result.err, code=1)


@fact
def a_message_that_is_cut_is_shown_as_far_as_it_goes():
    result = expect_error(hexed("00000025" + PING + "080001 00000005 0b0002 00000006 616263"),
                          "byte 30: at 2: unexpected EOF: 3 bytes short")
    expect(result, 'message 1: framed, 37 bytes from byte 0, not whole\n'
                   '    call "echo", seq 7\n'
                   '        1: i32 = 5\n'
                   '        2: string = "abc" (of 6 bytes)\n'
                   '        stops at byte 30, at 2: unexpected EOF: 3 bytes short\n'
                   '        bytes from 30 on: 0x00000006616263\n', err=result.err, code=1)


@fact
def faults_have_paths_of_ids_indexes_and_entries():
    for body, path in [("080001 0000", "at 1: unexpected EOF: 2 bytes short"),
                       ("0c0001 0c0002 0b0003 00000010 61", "at 1.2.3: unexpected EOF: 15 bytes short"),
                       ("0f0001 08 00000003 00000001", "at 1: 3 elements need at least 12 bytes, 4 left"),
                       ("0d0001 0b0c 00000001 00000001 61 0c0002 02", "at 1{#0}.2: unexpected EOF: 2 bytes short"),
                       ("0d0001 0b0b 00000001 00000001 61 ffffffff 00", "at 1{#0}: negative size: -1"),
                       ("0d0001 0c0b 00000001 010001 00000000 000000", "at 1{#0}key: unknown wire type 1"),
                       ("0f0001 0f 00000001 01 00000001 00", "at 1[0]: unknown wire type 1"),
                       ("0c0001" * 64, "nested deeper than 64 levels (depth_max)")]:
        expect_error(hexed(PING + body), path)
        expect_error(hexed("0000" + f"{16 + len(body.replace(' ', '')) // 2:04x}" + PING + body), path)


@fact
def a_fault_inside_a_frame_does_not_hide_what_is_behind_the_frame():
    result = hexed("00000011" + PING + "01" + "00000014" + PING + "000000ff" + "00000011" + PING + "00")
    lines = result.err.decode().splitlines()
    assert result.code == 1 and len(lines) == 2, result
    assert "byte 20: unexpected EOF: 2 bytes short" in lines[0], result
    assert "byte 42: 3 bytes behind the message in a frame of 20" in lines[1], result
    assert b"message 3: framed, 21 bytes from byte 45\n" in result.out, result


@fact
def a_header_that_is_wrong_is_told_with_its_byte():
    result = expect_error(hexed("0000001f 1000 0000 00000007 0001 00 00 0900" + PING + "00"),
                          "byte 16: ttHeader read kv info failed, invalid infoIDType[0x9]")
    assert b"message 1: ttheader, 35 bytes from byte 0, broken\n" in result.out, result


@fact
def a_named_framing_is_believed():
    expect_error(hexed(PING + "00", "--framing", "ttheader"), "not TTHeader protocol")
    expect_error(hexed(PING + "00", "--framing", "framed"), "negative size: -2147418111")
    expect(hexed("00000011" + PING + "00", "--framing", "framed"),
           'message 1: framed, 21 bytes from byte 0\n    call "echo", seq 7\n')
    assert hexed("00", "--bare", "--framing", "framed").code == 2


@fact
def text_from_strangers_does_not_move_the_cursor():
    result = hexed("0b0001 0000000b 1b5b324a c285 e280ae 22 5c 00")
    expect(result, 'struct, 19 bytes\n    1: string = "\\x1b[2J\\xc2\\x85\\xe2\\x80\\xae\\"\\\\"\n')


@fact
def long_things_are_cut_with_a_count_and_all_shows_all():
    text = "0b0001 00001000" + "61" * 4096 + "0f0002 03 00000100" + "07" * 256 + "00"
    short = hexed(text).out.decode()
    assert '"... (4096 bytes)\n' in short and "7, ... 224 more]\n" in short, short
    assert short.endswith("(some of it is left out; --all shows all)\n") and len(short) < 400, short
    long = hexed(text, "--all").out.decode()
    assert "a" * 4096 in long and long.count("7") == 256 + 0 and "left out" not in long, long[:200]


@fact
def output_is_bounded_and_faults_in_what_is_hidden_are_told():
    many = "080001 00000001" * 100000
    result = hexed(many + "00")
    assert result.code == 0 and len(result.out) < 100000 and b"... 98001 more fields" in result.out, result
    expect_error(hexed(many + "010001"), "byte 700000: unknown wire type 1")
    stream = hexed(("00000011" + PING + "00") * 5000 + PING + "01")
    assert stream.code == 1 and len(stream.out) < 120000, (stream.code, len(stream.out))
    assert b"\n5001 messages in all\n" in stream.out and b"byte 105016: unexpected EOF" in stream.err, stream
    nested = "0f0001 0c 00000064" + "00" * 99 + "01000000"
    expect_error(hexed(nested), "at 1[99]: unknown wire type 1")


@fact
def the_output_file_is_kept_when_the_input_is_at_fault():
    with folder() as at:
        path = f"{at}/out.txt"
        expect_error(run("inspect", "-x", "-o", path, stdin=PING + "01"), "byte 16")
        with open(path) as file:
            assert 'call "echo", seq 7' in file.read()


@fact
def every_capture_is_shown_to_its_end():
    paths = sorted(((SHARED if SHARED else DATA / "peers") / "captures").glob("*.bin"))

    def check(path):
        result = run("inspect", path)
        if path.name.startswith("h2-"):
            assert result.code == (1 if path.stat().st_size else 0), result
            return
        expect(result)
        sizes = [int(size) for size in re.findall(r"^message \d+: \S+, (\d+) bytes", result.out.decode(), re.M)]
        assert sum(sizes) == path.stat().st_size, result
    return f"{each(check, paths)} captures"


@fact
def every_value_is_shown_as_one_struct():
    def check(row):
        result = run("inspect", "--bare", "--all", stdin=bytes.fromhex(row["binary_hex"]))
        expect(result)
        assert result.out.startswith(b"struct, "), result
    chosen = [row for name in ("scalars", "containers", "recur", "unions")
              for row in rows(vectors(f"vectors/values/{name}.jsonl"))[::4] if row.get("binary_hex")]
    return f"{each(check, chosen)} values"


@fact
def no_cut_or_changed_input_is_a_crash():
    chance = random.Random(11)
    whole = [bytes.fromhex(row["frame_hex"]) for row in rows(vectors("vectors/messages/ttheader.jsonl"))
             if len(row["frame_hex"]) < 1500]

    def check(index):
        data = bytearray(whole[index % len(whole)])
        at = chance.randrange(len(data))
        if index % 2:
            data = data[:at]
        else:
            data[at] ^= 1 << chance.randrange(8)
        result = run("inspect", stdin=bytes(data))
        assert result.code in (0, 1) and (result.code == 0) == (not result.err), result
    return f"{each(check, range(150), 3)} inputs"


if __name__ == "__main__":
    main()
