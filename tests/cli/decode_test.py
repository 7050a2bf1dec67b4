"""frugal decode: what JSON it makes, and what it says about bytes that are wrong or cannot be rebuilt."""
import json
import re

from harness import HERE, expect, expect_error, fact, main, run, value

USER = ["-i", HERE / "user.thrift", "-t", "User"]
TWO = ["-i", HERE / "two.thrift"]


def call(method, body="00", kind=1, seq=7):
    return f"8001{kind:04x}{len(method):08x}{method.encode().hex()}{seq & 0xffffffff:08x}{body}"


def frame(payload):
    return f"{len(payload) // 2:08x}{payload}"


def text(field, string):
    data = string.encode().hex()
    return f"0b{field:04x}{len(data) // 2:08x}{data}"


ID = "0a0001000000000000002a"


@fact
def a_struct_is_an_object_of_its_present_fields():
    body = (ID + text(2, "Ada") + text(3, "\0\1") + "08000400000002" + "0f00050c00000001" + ID + "00"
            + "0c0006" + text(1, "Elm St") + "00" + "0d00070b0800000001" + "00000001" + b"x".hex() + "00000005"
            + "02000801" + "0400093ff8000000000000" + "00")
    expect(run("decode", "-x", *USER, stdin=body),
           '{"id":42,"name":"Ada","photo":"AAE=","mood":"SAD","friends":[{"id":42}],"home":{"street":"Elm St"},'
           '"scores":{"x":5},"active":true,"height":1.5}\n')


@fact
def the_style_options_change_the_json_and_encode_takes_it_back():
    body = ID + text(3, "ab") + "08000400000002" + "00"
    for options, wanted in [
        ([], '{"id":42,"photo":"YWI=","mood":"SAD"}\n'),
        (["--compact-json"], '{"id":42,"photo":"YWI=","mood":"SAD"}\n'),
        (["--pretty"], '{\n  "id": 42,\n  "photo": "YWI=",\n  "mood": "SAD"\n}\n'),
        (["--enum", "number"], '{"id":42,"photo":"YWI=","mood":2}\n'),
        (["--i64", "string"], '{"id":"42","photo":"YWI=","mood":"SAD"}\n'),
        (["--binary", "utf8"], '{"id":42,"photo":"ab","mood":"SAD"}\n'),
    ]:
        made = expect(run("decode", "-x", *USER, *options, stdin=body), wanted)
        back = [word for word in options if word in ("--binary", "utf8")]
        expect(run("encode", "-x", *USER, *back, stdin=made.out), body + "\n")


@fact
def bytes_that_are_wrong_have_a_place_and_a_path():
    for body, words in [
        ("", ["stdin: byte 0:"]),
        ("0a0001", ["stdin: byte", "at id"]),
        ("00", ["at id", "required"]),
        (ID + "0c0006" + "0b0001" + "00000010" + "6162" + "00", ["at home.street"]),
        (ID + "00" + "ff", ["stdin: byte 12:", "1 byte behind the end of the User"]),
        (ID + "11000900", ["stdin: byte 11"]),
        (ID + "0f00050c7fffffff", ["at friends"]),
    ]:
        expect_error(run("decode", "-x", *USER, stdin=body), *words)


@fact
def nothing_is_decoded_from_nothing_but_a_struct_needs_bytes():
    expect(run("decode", *TWO, stdin=""), "")
    expect(run("decode", stdin=""), "")
    expect_error(run("decode", *USER, stdin=""), "byte 0")


@fact
def what_encode_cannot_rebuild_is_said_with_the_reason():
    name, photo = text(2, "Ada"), text(3, "x")
    for body, word in [
        (name + ID + "00", "field 1 (id) stands behind field 2"),
        (ID + name + name + "00", "field 2 (name) is there twice"),
        (ID + "08006300000001" + "00", "no field 99 in User; --keep-unknown keeps it"),
        (ID + "08000200000001" + "00", "field 2 has wire type 8"),
        (ID + "02000802" + "00", "the bool is the byte 2"),
        (ID + "0400097ff8000000000001" + "00", "the NaN has bits of its own"),
        (ID + "040009fff8000000000000" + "00", "the NaN has bits of its own"),
        (ID + "0f0005" + "0800000000" + "00", "the empty list is of type 8, and of 12 in the IDL"),
        (ID + "0d0007" + "000000000000" + "00", "the empty map's key is of type 0"),
        (ID + "0c0006" + "08000200000001" + text(1, "s") + "00" + "00", "at home: field 1 (street) stands behind"),
    ]:
        done = run("decode", "-x", *USER, stdin=body)
        assert done.code == 0, done
        line = done.err.decode()
        assert re.fullmatch(r"frugal: stdin: not reproducible: byte \d+: .*\n", line) and word in line, (word, done)
    done = run("decode", "-x", "-i", HERE / "user.thrift", "-t", "Choice", stdin="08000100000001" + text(2, "b") + "00")
    assert done.code == 0 and b"the union has a second arm, field 2 (text)" in done.err, done


@fact
def unknown_fields_are_kept_on_request_and_come_back():
    body = ID + "08006300000001" + "00"
    kept = expect(run("decode", "-x", "--keep-unknown", *USER, stdin=body),
                  '{"id":42,"$unknown":{"$hex":"08006300000001"}}\n')
    expect(run("encode", "-x", *USER, stdin=kept.out), body + "\n")
    early = run("decode", "-x", "--keep-unknown", *USER, stdin="08006300000001" + ID + "00")
    assert early.code == 0 and b"the unknown field 99 stands before field 1 (id)" in early.err, early
    mistyped = ID + "08000200000001" + "00"
    kept = expect(run("decode", "-x", "--keep-unknown", *USER, stdin=mistyped))
    expect(run("encode", "-x", *USER, stdin=kept.out), mistyped + "\n")


@fact
def strict_refuses_a_field_of_another_type():
    expect_error(run("decode", "-x", "--strict", *USER, stdin=ID + "08000200000001" + "00"), "at name", "type mismatch")


@fact
def defaults_are_shown_on_request_and_it_is_said_that_they_do_not_come_back():
    done = run("decode", "-x", "--defaults", *USER, stdin=ID + "00")
    assert done.code == 0 and done.out == b'{"id":42,"greeting":"hello"}\n', done
    assert done.err == b"frugal: stdin: not reproducible: byte 11: field 10 (greeting) is absent, and --defaults shows it\n", done


@fact
def statistics_go_to_standard_error():
    done = run("decode", "-x", "--stats", *USER, stdin=ID + text(2, "Ada") + "00")
    assert done.code == 0 and re.fullmatch(
        rb"frugal: stdin: 1 value, 22 bytes read, \d+ bytes of arena for the largest, \d+ reserved\n", done.err), done


# ---- messages -----------------------------------------------------------------------------------

@fact
def a_message_has_the_documented_form():
    expect(run("decode", "-x", *TWO, "-s", "Left", stdin=call("get", "08000100000005" + "00")),
           '{"framing":"buffered","method":"get","kind":"call","seq":7,"args":{"id":5}}\n')
    expect(run("decode", "-x", *TWO, "-s", "Left", stdin=frame(call("get", "0c0000" + text(1, "n") + "00" + "00", 2))),
           '{"framing":"framed","method":"get","kind":"reply","seq":7,"result":{"success":{"name":"n"}}}\n')
    expect(run("decode", "-x", *TWO, stdin=call("get", text(1, "no") + "08000200000006" + "00", 3, -1)),
           '{"framing":"buffered","method":"get","kind":"exception","seq":-1,"exception":{"message":"no","type":6},'
           '"meaning":"unknown internal error"}\n')
    expect(run("decode", "-x", *TWO, stdin=call("tell", text(1, "x") + "00", 4)),
           '{"framing":"buffered","method":"tell","kind":"oneway","seq":7,"args":{"what":"x"}}\n')


@fact
def a_declared_exception_is_in_the_result():
    expect(run("decode", "-x", *TWO, "-s", "Left", stdin=call("get", "0c0001" + text(1, "why") + "00" + "00", 2)),
           '{"framing":"buffered","method":"get","kind":"reply","seq":7,"result":{"gone":{"why":"why"}}}\n')


@fact
def a_ttheader_is_shown_in_its_order():
    payload = call("only")
    header = ("0000" + "11" + "0005" + b"token".hex() + "10" + "0001" + "0006" + "0005" + b"a.b.c".hex()
              + "01" + "0001" + "0003" + b"isn".hex() + "0004" + b"Left".hex())
    header += "00" * (-(len(header) // 2) % 4)
    rest = "1000" + "0000" + "00000007" + f"{len(header) // 8:04x}" + header + payload
    done = expect(run("decode", "-x", *TWO, stdin=frame(rest)),
                  '{"framing":"ttheader","method":"only","kind":"call","seq":7,"header":{"flags":0,"seq":7,"protocol":0,'
                  '"info":[["acl","token"],["int",6,"a.b.c"],["str","isn","Left"]]},"args":{}}\n')
    made = run("encode", "-x", *TWO, stdin=done.out)
    assert made.out.decode().replace("\n", "") == frame(rest), made


@fact
def several_messages_are_several_values_and_a_broken_one_stops_them():
    good = call("only")
    expect(run("decode", "-x", *TWO, stdin=good + frame(good)),
           '{"framing":"buffered","method":"only","kind":"call","seq":7,"args":{}}\n'
           '{"framing":"framed","method":"only","kind":"call","seq":7,"args":{}}\n')
    for tail, place in (good[:20], "byte"), ("00", "byte"), (frame(good)[:-2], "byte"):
        done = run("decode", "-x", *TWO, stdin=good + tail)
        assert done.out == b'{"framing":"buffered","method":"only","kind":"call","seq":7,"args":{}}\n', done
        expect_error(done, "frugal: stdin: byte ")


@fact
def the_service_is_found_or_asked_for():
    get = call("get", "08000100000005" + "00")
    expect_error(run("decode", "-x", *TWO, stdin=get), "method get is in Left and in Right; --service says which")
    assert value(expect(run("decode", "-x", *TWO, "-s", "Below", stdin=get)).out)[-1][0] == "args"
    assert b'"id":5' in expect(run("decode", "-x", *TWO, stdin=call("Left:get", "08000100000005" + "00"))).out
    assert b'"id":5' in expect(run("decode", "-x", *TWO, stdin=call("Below:get", "08000100000005" + "00"))).out
    expect_error(run("decode", "-x", *TWO, "-s", "Lift", stdin=get), 'no service "Lift"; did you mean Left?')
    expect_error(run("decode", "-i", HERE / "user.thrift", "-t", "Usr", stdin=""), 'no type "Usr"; did you mean User?')


@fact
def a_method_without_an_idl_shows_its_bytes_and_fields():
    body = text(1, "hello") + "0800020000002a" + "00"
    for options in [], TWO:
        done = expect(run("decode", "-x", *options, stdin=call("nosuch", body) * 2), None,
                      options and "frugal: stdin: method nosuch is not in the IDL; shown as bytes\n")
        done.out = done.out.splitlines()[0]
        shown = dict(value(done.out))
        assert dict(shown["args"])["$hex"] == body, done
        assert "hello" in json.dumps(shown["fields"]) and "42" in json.dumps(shown["fields"]), done
        expect(run("encode", "-x", stdin=done.out), call("nosuch", body)[:64] + "\n" + call("nosuch", body)[64:] + "\n")


@fact
def with_exact_what_cannot_be_rebuilt_keeps_its_bytes():
    odd = call("get", "08000100000005" + "08000900000001" + "00")
    done = expect(run("decode", "-x", *TWO, "-s", "Left", "--exact", stdin=odd),
                  '{"framing":"buffered","method":"get","kind":"call","seq":7,'
                  '"args":{"$hex":"080001000000050800090000000100"},"decoded":{"id":5}}\n')
    expect(run("encode", *TWO, "--strict", stdin=done.out), bytes.fromhex(odd))
    changed = done.out.replace(b'{"id":5}', b'{"id":6}')
    expect(run("encode", *TWO, "-s", "Left", stdin=changed), bytes.fromhex(odd),
           "frugal: stdin:1:119: decoded is not what the bytes say; the bytes in $hex are written\n")
    for style in (b'{"id":"5"}', b'{ "id" : 5.0 }'):
        expect(run("encode", *TWO, "-s", "Left", stdin=done.out.replace(b'{"id":5}', style)), bytes.fromhex(odd))
    plain = call("get", "08000100000005" + "00")
    assert b"decoded" not in expect(run("decode", "-x", *TWO, "-s", "Left", "--exact", stdin=plain)).out


@fact
def fields_that_were_changed_beside_the_bytes_are_told():
    body = text(1, "hello") + "0f000208000000020000000100000002" + "00"
    shown = expect(run("decode", "-x", stdin=call("x", body))).out
    expect(run("encode", stdin=shown), bytes.fromhex(call("x", body)))
    for old, new in (b"hello", b"help"), (b'[1, 2]"', b'[1, 2]","3: i32 = 1"'), (b'"2: list<i32> = [1, 2]"', b""):
        changed = shown.replace(old, new).replace(b",]", b"]")
        assert changed != shown
        done = run("encode", stdin=changed)
        assert done.out.hex() == call("x", body), done
        assert done.code == 0 and done.err.endswith(b": fields is not what the bytes say; the bytes in $hex are written\n"), done


@fact
def an_old_envelope_is_marked_and_comes_back():
    old = "00000004" + b"only".hex() + "01" + "00000007" + "00"
    for bytes_ in old, frame(old):
        done = expect(run("decode", "-x", *TWO, stdin=bytes_))
        assert b'"envelope":"old"' in done.out, done
        expect(run("encode", "-x", *TWO, stdin=done.out), bytes_ + "\n")


@fact
def a_framing_that_is_named_is_taken():
    assert b'"framing":"framed"' in expect(run("decode", "-x", *TWO, "--framing", "framed",
                                               stdin=frame(call("only")))).out
    expect_error(run("decode", "-x", *TWO, "--framing", "ttheader", stdin=frame(call("only"))), "byte",
                 "; --framing auto finds framed\n")


@fact
def what_the_input_may_be_instead_is_suggested():
    expect_error(run("decode", "-x", *TWO, stdin=ID + "00"), "byte 0: ", "; one struct? name it with -t\n")
    for bytes_, framing in (call("only"), "buffered"), (frame(call("only")), "framed"):
        expect_error(run("decode", "-x", *USER, stdin=bytes_), f"; looks like messages ({framing}); leave out -t\n")
    expect_error(run("decode", "-x", *TWO, "-t", "Left", stdin=""), "Left is a service, not a type: -s Left")
    expect_error(run("decode", "-x", "-i", HERE / "user.thrift", "-t", "Mood", stdin=""), "Mood is an enum")


@fact
def other_things_are_refused_by_their_names():
    for data, word in [(b"PRI * HTTP/2.0\r\n\r\n", "HTTP/2"), (b"GET / HTTP/1.1\r\n\r\n", "HTTP/1"),
                       (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc", "TLS"), (b'{"json": true}', ""),
                       (bytes.fromhex("8221000470696e6700"), "Compact")]:
        expect_error(run("decode", stdin=data), "frugal: stdin: byte 0: ", word)


main()
