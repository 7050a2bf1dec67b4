"""frugal encode: JSON becomes bytes; what is wrong with the JSON has file, line, column and path."""
from harness import HERE, expect, expect_error, fact, folder, main, run

USER = ["-i", HERE / "user.thrift", "-t", "User"]
CHOICE = ["-i", HERE / "user.thrift", "-t", "Choice"]
TWO = ["-i", HERE / "two.thrift"]


def line(hex_text):
    return "".join(hex_text[i:i + 64] + "\n" for i in range(0, len(hex_text), 64))


ONLY = "80010001000000046f6e6c790000000000"


@fact
def a_struct_is_one_value():
    expect(run("encode", "-x", *USER, stdin=' {"id": 42}\n'), "0a0001000000000000002a00\n")
    expect(run("encode", *USER, stdin='{"id": 42}'), bytes.fromhex("0a0001000000000000002a00"))
    expect_error(run("encode", *USER, stdin='{"id": 42} {"id": 43}'), "stdin:1:12:")
    expect_error(run("encode", *USER, stdin=""), "stdin:1:1:")


@fact
def what_is_wrong_has_a_place_and_a_path():
    for text, words in [
        ('{"id": }', ["stdin:1:8:"]),
        ('{"id": 42,\n  "name": 5}', ["stdin:2:11:", "at name"]),
        ('{"id": 42,\n "home": {"street": "x",\n   "zip": 3000000000}}', ["stdin:3:11:", "at home.zip"]),
        ('{"name": "x"}', ["stdin:1:13: at id: a required field is missing"]),
        ('{"id": 1, "friends": [{"id": 1}, {}]}', ["at friends[1]"]),
        ('{"id": 1, "photo": "ab%c"}', ["stdin:1:23: at photo: no base64: '%', byte 2 of the text"]),
        ('{"id": 1, "photo": "ü"}', ["stdin:1:21: at photo: no base64: 'ü', byte 0"]),
        ('{"id": 1, "photo": "\\u0007"}', ["at photo: no base64: 0x07, byte 0"]),
        ('{"id": 1, "mood": "MAD"}', ["at mood"]),
        ('{"id": 1, "mood": "GALD"}', ['at mood: enum Mood has no item "GALD"; did you mean GLAD?']),
        ('{"id": 1,}', ["stdin:1:10: no comma before }"]),
        ('{"id": 1, "friends": [{"id": 1},]}', ["stdin:1:33: no comma before ]"]),
        ('{"id": 1', ["stdin:1:9:"]),
        ('[' * 2000, ["stdin:1:"]),
        ('{"id": 1e400}', ["at id"]),
    ]:
        expect_error(run("encode", *USER, stdin=text), *words)
    with folder() as at:
        path = f"{at}/bad.json"
        with open(path, "w") as file:
            file.write('{\n"id": "x"}')
        expect_error(run("encode", *USER, path), f"frugal: {path}:2:7: at id:")


@fact
def what_has_no_place_in_a_struct_is_told_and_under_strict_an_error():
    for options, text, said, guess in [
        (USER, '{"id": 42, "nme": "x"}', '1:12: no field "nme"; left out', "name"),
        (USER, '{"id": 42, "xyzzy": {"$hex": 1}}', '1:12: no field "xyzzy"; left out', None),
        (USER, '{"id": 41, "id": 42}', "1:12: id was there before; the last one counts", None),
    ]:
        expect(run("encode", "-x", *options, stdin=text), "0a0001000000000000002a00\n",
               f"frugal: stdin:{said}{f'; did you mean {guess}?' if guess else ''}\n")
        expect_error(run("encode", "--strict", *options, stdin=text), "stdin:1:12:", guess or "")
    deep = '{"id":1,"home":{"stret":1},\n"friends":[{"id":2},{"id":3,"naem":""}],"scores":{"naem":1}}'
    done = run("encode", *USER, stdin=deep)
    assert done.code == 0 and done.err.decode().splitlines() == [
        'frugal: stdin:1:17: at home: no field "stret"; left out; did you mean street?',
        'frugal: stdin:2:29: at friends[1]: no field "naem"; left out; did you mean name?'], done
    expect(run("encode", *CHOICE, stdin='{"number":1,"text":"x"}'), bytes.fromhex("0b0002000000017800"),
           "frugal: stdin:1:13: a union has one arm; the last one counts, number is left out\n")
    expect(run("encode", *CHOICE, stdin='{"number":null,"text":"x"}'), bytes.fromhex("0b0002000000017800"))
    expect_error(run("encode", "--strict", *CHOICE, stdin='{"number":1,"text":"x"}'), "has an arm already")
    many = "{" + ",".join(f'"zzzzzz{i}":1' for i in range(100)) + "}"
    done = run("encode", "-i", HERE / "user.thrift", "-t", "Short", stdin=many)
    assert done.code == 0 and done.err.count(b"\n") == 21 and done.err.endswith(b"more members like these are left out\n")


@fact
def a_required_field_that_is_misspelt_is_told_with_the_name():
    done = run("encode", *USER, stdin='{"idd": 42}')
    assert done.code == 1 and done.err.decode().splitlines() == [
        'frugal: stdin:1:2: no field "idd"; left out; did you mean id?',
        "frugal: stdin:1:11: at id: a required field is missing"], done


@fact
def unknown_members_around_a_struct_are_errors():
    for text, words in [
        ('{"method":"only","args":{},"note":1}', '1:28: no member is called "note"'),
        ('{"metod":"only","args":{}}', '1:2: no member is called "metod"; did you mean method?'),
        ('{"method":"only","method":"only","args":{}}', "1:18: this member is there twice"),
        ('{"framing":"ttheader","header":{"flag":1},"method":"only","args":{}}', "did you mean flags?"),
        ('{"method":"only","args":{},"result":{}}', "1:37: args and result: a message has one of them"),
        ('{"method":"only","header":{"seq":1},"args":{}}', "1:27: a header needs framing ttheader or ttheader-framed"),
        ('{"framing":"framed","method":"only","header":{},"args":{}}', "1:46: a header needs framing"),
    ]:
        expect_error(run("encode", *TWO, stdin=text), f"stdin:" if words[0] != "1" else f"stdin:{words}", words)


@fact
def the_framing_that_is_named_wins():
    header = "0000001f" + "10000000" + "00000000" + "0001" + "00000000" + ONLY
    for framing in '"framing":"buffered",', '"framing":"framed",', "":
        expect(run("encode", "-x", *TWO, "--framing", "ttheader", stdin='{%s"method":"only","args":{}}' % framing), line(header))
    full = '{"framing":"ttheader","header":{"seq":5},"method":"only","args":{}}'
    expect(run("encode", "-x", *TWO, "--framing", "buffered", stdin=full), line(ONLY))
    expect(run("encode", "-x", *TWO, "--framing", "ttheader", stdin='{"header":{},"method":"only","args":{}}'), line(header))
    expect_error(run("encode", "-x", "--framing", "buffered", stdin='{"framing":"ttheader","payload":{"$hex":"0102"}}'),
                 "1:33: a payload that is no message stays in its framing, ttheader")


@fact
def a_message_by_hand_may_leave_out_what_is_usual():
    expect(run("encode", "-x", *TWO, stdin='{"method":"only","args":{}}'), line(ONLY))
    expect(run("encode", "-x", *TWO, "--framing", "framed", stdin='{"method":"only","args":{}}'), line("00000011" + ONLY))
    expect(run("encode", "-x", *TWO, stdin='{"framing":"framed","method":"only","args":{}}'), line("00000011" + ONLY))
    expect(run("encode", "-x", *TWO, stdin='{"framing":"ttheader","method":"only","args":{}}'),
           line("0000001f" + "10000000" + "00000000" + "0001" + "00000000" + ONLY))
    expect(run("encode", "-x", *TWO, stdin='{"method":"only","result":{}}'), line(ONLY.replace("80010001", "80010002")))
    expect(run("encode", "-x", stdin='{"method":"x","exception":{"message":"m","type":1}}'),
           line("8001000300000001780000000" + "0" + "0b0001000000016d0800020000000100"))
    expect(run("encode", "-x", stdin='{"method":"only","args":{"$hex":"00"}}'), line(ONLY))


@fact
def several_messages_follow_each_other():
    expect(run("encode", "-x", *TWO, stdin='{"method":"only","args":{}}\n{"method":"only","args":{}}'), line(ONLY) * 2)
    expect(run("encode", *TWO, stdin=""), "")
    expect(run("encode", *TWO, stdin=" \n\t"), "")
    done = run("encode", "-x", *TWO, stdin='{"method":"only","args":{}}\n\n  {"method":"only"}')
    assert done.out.decode() == line(ONLY)
    expect_error(done, 'stdin:3:3: a message of kind call needs "args"')


@fact
def what_is_wrong_with_a_message_has_a_place():
    for text, words in [
        ("[]", ["1:1: a message is an object"]),
        ('{"args":{}}', ["1:1: a message needs a method"]),
        ('{"method":5,"args":{}}', ["1:11:"]),
        ('{"method":"only","kind":"cal","args":{}}', ["1:25: kind is call, reply, exception or oneway"]),
        ('{"method":"only","seq":3000000000,"args":{}}', ["1:24:"]),
        ('{"method":"only","seq":"x","args":{}}', ["1:24:"]),
        ('{"method":"only","envelope":"new","args":{}}', ["1:29: envelope is strict or old"]),
        ('{"framing":"boxed","method":"only","args":{}}', ["1:12: framing is"]),
        ('{"framing":"mesh","method":"only","args":{}}', ["1:12: mesh headers are read, never written"]),
        ('{"method":"nosuch","args":{}}', ["1:11: no method nosuch in the IDL\n"]),
        ('{"method":"onyl","args":{}}', ["1:11: no method onyl in the IDL; did you mean only?"]),
        ('{"method":"get","args":{"id":1}}', ["1:1:", "method get is in Left and in Right"]),
        ('{"method":"tell","kind":"reply","result":{}}', ["1:11: no method tell that is answered"]),
        ('{"method":"only","args":{"$hex":"0"}}', ["1:33:"]),
        ('{"method":"only","args":{"$hex":"0800"}}', ["1:25: these bytes are no struct"]),
        ('{"method":"only","args":{"$hex":"0000"}}', ["1:25: the struct in these bytes ends at 1"]),
        ('{"framing":"ttheader","header":5,"method":"only","args":{}}', ["1:32: header is an object"]),
        ('{"framing":"ttheader","header":{"flags":70000},"method":"only","args":{}}', ["1:41:"]),
        ('{"framing":"ttheader","header":{"info":{}},"method":"only","args":{}}', ["1:40: info is an array"]),
        ('{"framing":"ttheader","header":{"info":[5]},"method":"only","args":{}}', ["1:41: an item of info is"]),
        ('{"framing":"ttheader","header":{"info":[["x"]]},"method":"only","args":{}}', ["1:41: an item of info is"]),
        ('{"framing":"ttheader","header":{"info":[["int",1]]},"method":"only","args":{}}', ["1:41: this item needs"]),
        ('{"framing":"ttheader","header":{"info":[["int",-1,""]]},"method":"only","args":{}}', ["1:48:"]),
        ('{"framing":"ttheader","header":{"transforms":[256]},"method":"only","args":{}}', ["1:47:"]),
    ]:
        expect_error(run("encode", *TWO, stdin=text), *[f"stdin:{words[0]}", *words[1:]])
    expect_error(run("encode", stdin='{"method":"only","args":{}}'), "without an IDL")


@fact
def an_encode_that_fails_leaves_no_output_file():
    import os
    with folder() as at:
        path = f"{at}/out.bin"
        expect_error(run("encode", *TWO, "-o", path, stdin='{"method":"only","args":{}} {'))
        assert os.listdir(at) == []


@fact
def memory_has_a_limit_and_every_sentence_says_which():
    with folder() as at:
        idl = f"{at}/wide.thrift"
        with open(idl, "w") as file:
            file.write("struct W {" + "".join(f"{i}: optional i32 f{i}\n" for i in range(1, 301)) + "} struct P {1: list<W> l}")
        wide = b"\x0f\0\1\x0c" + (10000).to_bytes(4, "big") + b"\x08\0\1\0\0\0\5\0" * 10000 + b"\0"
        made = expect(run("decode", "-i", idl, "-t", "P", stdin=wide))
        expect(run("encode", "-i", idl, "-t", "P", stdin=made.out), wide)
        limit = ["-i", idl, "-t", "P", "--memory-max"]
        expect_error(run("decode", *limit, "1M", stdin=wide), "at l: ", "--memory-max allows more")
        expect_error(run("encode", *limit, "1M", stdin=made.out), "at l[", "--memory-max allows more")
        told = run("decode", *limit, "64M", stdin=wide)
        expect_error(told, "not reproducible: encode refuses it: at l[", "--memory-max allows more", code=0)


@fact
def what_is_too_deep_has_the_place_of_its_level():
    with folder() as at:
        with open(f"{at}/deep.thrift", "w") as file:
            file.write("struct R {1: optional R r}")
        expect_error(run("encode", "-i", f"{at}/deep.thrift", "-t", "R", stdin='{"r":\n' * 70 + "{}" + "}" * 70),
                     "stdin:65:1: ", "nested deeper than 64 levels")


main()
