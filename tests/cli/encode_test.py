"""frugal encode: JSON becomes bytes; what is wrong with the JSON has file, line, column and path."""
from harness import HERE, expect, expect_error, fact, folder, main, run

USER = ["-i", HERE / "user.thrift", "-t", "User"]
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
        ('{"id": 1, "photo": "%%"}', ["at photo"]),
        ('{"id": 1, "mood": "MAD"}', ["at mood"]),
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
def unknown_members_are_forgiven_unless_strict():
    expect(run("encode", "-x", *USER, stdin='{"id": 42, "nme": "x"}'), "0a0001000000000000002a00\n")
    expect_error(run("encode", "--strict", *USER, stdin='{"id": 42, "nme": "x"}'), "stdin:1:12:", "nme")
    expect(run("encode", "-x", *TWO, stdin='{"method":"only","args":{},"note":1}'), line(ONLY))
    expect_error(run("encode", "--strict", *TWO, stdin='{"method":"only","args":{},"note":1}'), "stdin:1:28:")


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
        ('{"method":"nosuch","args":{}}', ["1:11: no method nosuch in the IDL"]),
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


main()
