"""decode, then encode: the same bytes. Every recorded value and message, in both protocols of the command line."""
import subprocess

from harness import FRUGAL, ROOT, SHARED, each, expect, expect_error, fact, known, main, rows, run, schema_of, value, vectors

CAPTURES = ROOT / "examples/captures"


def there_and_back(options, data, *more, more_out=()):
    """The same bytes, without a warning; and once more through JSON: the same JSON."""
    made = known(run("decode", *options, *more, *more_out, stdin=data))
    assert made.code == 0 and made.err == b"", made
    back = run("encode", *options, *more, stdin=made.out)
    assert back.code == 0 and back.err == b"", back
    have = bytes.fromhex(back.out.decode()) if "-x" in more else back.out
    want = bytes.fromhex(data.decode()) if "-x" in more else data
    assert have == want, f"{want.hex()[:200]} became {have.hex()[:200]}"
    return made


def value_rows():
    folder = vectors("vectors/values")
    for path in sorted(folder.glob("*.jsonl")):
        for row in rows(path):
            row["idl"] = schema_of(row["schema"])
            row["data"] = (bytes.fromhex(row["binary_hex"]) if "binary_hex" in row
                           else (folder.parent / row["binary_file"]).read_bytes())
            yield row


@fact
def every_value_comes_back():
    def check(row):
        there_and_back(["-i", row["idl"], "-t", row["type"], "-p", "binary"], row["data"])
    return f"{each(check, value_rows())} values"


@fact
def every_value_comes_back_from_hexadecimal_text():
    def check(row):
        there_and_back(["-i", row["idl"], "-t", row["type"]], row["data"].hex().encode(), "-x", "--strict")
    return f"{each(check, value_rows())} values"


@fact
def every_style_comes_back():
    styles = [["--pretty"], ["--enum", "number"], ["--i64", "string"], ["--keep-unknown"], ["--binary", "utf8"]]

    def check(row):
        options = ["-i", row["idl"], "-t", row["type"]]
        style = styles[hash(row["id"]) % len(styles)]
        made = expect(run("decode", *options, *style, stdin=row["data"]))
        back = expect(run("encode", *options, *(style if style[0] == "--binary" else []), stdin=made.out))
        assert back.out == row["data"], (row["id"], style)
    return f"{each(check, value_rows(), 40)} values"


# ---- messages -----------------------------------------------------------------------------------

def envelopes():
    return rows(vectors("vectors/messages/envelopes.jsonl"))


KINDS = [None, "call", "reply", "exception", "oneway"]


def calls_idl():
    return schema_of("idl/calls.thrift")


@fact
def every_envelope_comes_back_alone_and_in_one_stream():
    options = ["-i", calls_idl()]
    count = 0
    for form, how in (("binary_strict_hex", []), ("framed_binary_hex", []),
                      ("binary_old_hex", ["--framing", "buffered"])):  # old and without a name is like nothing
        messages = [bytes.fromhex(row[form]) for row in envelopes() if form in row]
        made = there_and_back(options, b"".join(messages), *how)
        assert made.out.count(b"\n") == len(messages), (form, len(messages))
        count += len(messages)

    def check(row):
        made = there_and_back(options, bytes.fromhex(row["binary_strict_hex"]))
        shown = dict(value(made.out))
        assert shown["method"] == row["name"] and shown["seq"] == row["seqid"], made
        assert shown["kind"] == KINDS[row["message_type_number"]], made
    return f"{count} in streams, {each(check, envelopes())} alone"


@fact
def every_ttheader_comes_back():
    def check(row):
        made = run("decode", "-i", calls_idl(), stdin=bytes.fromhex(row["frame_hex"]))
        if row["protocol_id"] == 2:  # Compact, refused as by Kitex
            expect_error(made, "byte")
            return
        there_and_back(["-i", calls_idl()], bytes.fromhex(row["frame_hex"]))
    return f"{each(check, rows(vectors('vectors/messages/ttheader.jsonl')), 8)} frames"


@fact
def every_stream_comes_back():
    def check(row):
        if row["protocol"] == "binary":
            there_and_back(["-i", calls_idl()], bytes.fromhex(row["bytes_hex"]))
    return f"{each(check, rows(vectors('vectors/messages/streams.jsonl')), 4)} streams"


# ---- captures -----------------------------------------------------------------------------------

def captures():
    folders = [SHARED / "captures"] if SHARED else []
    for place in folders or [CAPTURES / "data"]:
        for path in sorted(place.glob("*.bin")):
            if not path.name.startswith("h2-"):
                yield path


# Kitex writes the fields of fixed size first, so a Request with a number in it is not in the order of ids.
OUT_OF_ORDER = ("-echofull.", "-fail.0.c2s", "-biz.0.c2s")


def in_order(path):
    return not any(word in path.name for word in OUT_OF_ORDER)


def idl_of(path):
    return CAPTURES / ("peerx.thrift" if "-unknown." in path.name else "peer.thrift")


@fact
def every_capture_comes_back_with_its_idl_and_without():
    def check(name):
        path = next(one for one in captures() if one.name == name)
        data = path.read_bytes()
        there_and_back([], data)
        if in_order(path):
            there_and_back(["-i", CAPTURES / "peer.thrift", "-s", "Peer"], data)
            made = there_and_back(["-i", idl_of(path)], data)
            assert b"$hex" not in made.out, made
    return f"{each(check, [path.name for path in captures()], 10)} connections"


@fact
def captures_that_are_out_of_order_say_so_and_lose_nothing():
    def check(name):
        path = next(one for one in captures() if one.name == name)
        made = run("decode", "-i", idl_of(path), path)
        assert made.code == 0 and made.err.count(b"\n") == 1 and b": not reproducible: byte " in made.err \
            and b"field 1 (action) stands behind field 3" in made.err, made
        again = expect(run("decode", "-i", idl_of(path), stdin=expect(run("encode", "-i", idl_of(path), stdin=made.out)).out))
        assert again.out == made.out
        exact = there_and_back(["-i", idl_of(path)], path.read_bytes(), more_out=["--exact"])
        assert b'"decoded":{' in exact.out and b'"$hex"' in exact.out, exact
    return f"{each(check, [path.name for path in captures() if not in_order(path)], 3)} connections"


@fact
def json_is_the_same_however_often_it_goes_round():
    for path in [path for path in captures() if in_order(path)][::9]:
        options = ["-i", idl_of(path)]
        first = expect(run("decode", *options, path)).out
        again = run("decode", *options, stdin=expect(run("encode", *options, stdin=first)).out)
        expect(again, first)


@fact
def a_pipe_of_both_is_the_identity():
    for path in [path for path in captures() if in_order(path)][::20]:
        done = subprocess.run(f'"{FRUGAL}" decode -i "{idl_of(path)}" "{path}" | "{FRUGAL}" encode -i "{idl_of(path)}"',
                              shell=True, capture_output=True)
        assert done.stdout == path.read_bytes() and done.stderr == b"", (path, done)


main()
