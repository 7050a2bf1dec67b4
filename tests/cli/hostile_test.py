"""Broken and odd inputs: an error in one line or a result, never a crash, and soon."""
import random

from harness import ROOT, each, expect_error, fact, folder, known, main, rows, run, schema_of, vectors


def calls_idl():
    return schema_of("idl/calls.thrift")


def checked(result, wanted):
    known(result)
    if result.code == 0:
        assert all(b": not reproducible: " in line for line in result.err.splitlines()), result
    else:
        expect_error(result, "frugal: stdin: byte ")
    if wanted is not None:
        assert (result.code == 0) == (wanted == "ok"), f"{wanted} wanted: {result}"


@fact
def malformed_structs_end_as_they_should():
    def check(row):
        wanted = row["expect"] if row["confidence"] == "firm" else None
        checked(run("decode", "-i", schema_of(row["schema"]), "-t", row["type"], stdin=bytes.fromhex(row["hex"])),
                None if row["expect"] == "ok" else wanted)
    binary = [row for row in rows(vectors("vectors/malformed/structs.jsonl")) if row["protocol"] == "binary"]
    return f"{each(check, binary, 8)} inputs"


@fact
def malformed_messages_end_as_they_should():
    def check(row):
        result = run("decode", "-i", calls_idl(), stdin=bytes.fromhex(row["hex"]))
        firm = row["confidence"] == "firm" and row["protocol"] == "binary" and row["expect"] == "error"
        checked(result, "error" if firm else None)
    return f"{each(check, rows(vectors('vectors/malformed/messages.jsonl')), 8)} inputs"


@fact
def malformed_frames_end_as_they_should():
    def check(row):
        result = run("decode", "-i", calls_idl(), stdin=bytes.fromhex(row["hex"]))
        checked(result, "error" if row["confidence"] == "firm" and row["expect"] == "error" else None)
    return f"{each(check, rows(vectors('vectors/malformed/transports.jsonl')), 8)} inputs"


@fact
def cases_from_the_field_end_as_they_should():
    def check(row):
        data = bytes.fromhex(row["wire_hex"])
        with folder() as at:
            path = f"{at}/case.thrift"
            with open(path, "w") as file:
                file.write(row["idl"])
            options = ["-t", row["type"]] if row["layer"] == "struct" else []
            if row["layer"] in ("framed", "ttheader"):
                options = ["--framing", row["layer"]]
            result = run("decode", "-i", path, *options, stdin=data)
        lenient = row["level"] == "choice" or "also_accept" in row or row.get("mode")
        wanted = None if lenient or row["layer"] != "struct" or row["expect"] == "ok" else row["expect"]
        checked(result, wanted)
    binary = [row for row in rows(vectors("cases/codec.jsonl")) if row["protocol"] == "binary" and "idl" in row]
    return f"{each(check, binary, 8)} cases"


@fact
def no_cut_or_changed_capture_is_a_crash():
    chance = random.Random(7)
    paths = sorted((ROOT / "examples/captures/data").glob("ttheader*-*.bin"))
    idl = ROOT / "examples/captures/peer.thrift"

    def check(index):
        data = bytearray(paths[index % len(paths)].read_bytes())
        if not data:
            return
        at = chance.randrange(len(data))
        data = data[:at] if index % 3 == 0 else data
        if index % 3:
            data[at] ^= 1 << chance.randrange(8)
        result = run("decode", "-i", idl, *(["--keep-unknown"] if index % 2 else []), stdin=bytes(data))
        checked(result, None)
    return f"{each(check, range(300), 15)} inputs"


@fact
def text_that_is_no_message_is_an_error_with_a_place():
    chance = random.Random(8)
    good = b'{"framing":"ttheader","method":"Ping","kind":"call","seq":1,"header":{"flags":0,"seq":1,"protocol":0,' \
           b'"info":[["acl","t"],["int",6,"x"],["str","isn","Peer"]]},"args":{}}'
    idl = ROOT / "examples/captures/peer.thrift"

    def check(index):
        data = bytearray(good)
        at = chance.randrange(len(data))
        if index % 2:
            data[at] = chance.choice(b'{}[]",:x5\\\x00\xff')
        else:
            data = data[:at]
        result = run("encode", "-i", idl, stdin=bytes(data))
        if result.code:
            expect_error(result, "frugal: stdin:")
        else:
            assert result.err == b"", result
    return f"{each(check, range(200), 15)} inputs"


main()
