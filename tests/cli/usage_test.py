"""Command lines: what is wrong with them is said in one line, with exit code 2."""
import os
import pty
import re

from harness import FRUGAL, HERE, ROOT, expect, expect_error, fact, folder, main, run

COMMANDS = ["decode", "encode", "inspect", "check", "gen", "plan", "disasm", "help"]
USER = HERE / "user.thrift"


def wrong(argv, *words):
    expect_error(run(*argv), *words, code=2)


@fact
def a_wrong_command_line_is_one_line_and_exit_2():
    for argv, words in [
        ([], ["which command?", "frugal help"]),
        (["decod"], ['no command "decod"', "did you mean decode?"]),
        (["inspcet"], ["did you mean inspect?"]),
        (["frobnicate"], ['no command "frobnicate"']),
        (["version"], ["it is frugal --version"]),
        (["decode", "a.thrift"], ["decode: the IDL goes with -i: -i a.thrift"]),
        (["encode", "a.thrift", "-t", "User", "b.json"], ["the IDL goes with -i: -i a.thrift"]),
        (["--frobnicate"], ["no option --frobnicate"]),
        (["decode", "--hexx"], ["decode: no option --hexx; did you mean --hex?"]),
        (["decode", "--keep"], ["did you mean --keep-unknown?"]),
        (["decode", "--zzzzzzzzz"], ["no option --zzzzzzzzz (see"]),
        (["decode", "-Z"], ["no option -Z"]),
        (["decode", "-xZ"], ["no option -Z"]),
        (["decode", "-i"], ["--idl needs a value: FILE"]),
        (["decode", "--enum"], ["--enum needs a value: name|number"]),
        (["decode", "--enum", "nam"], ['--enum is name|number, not "nam"']),
        (["decode", "--enum="], ["--enum is name|number"]),
        (["decode", "--idl="], ["--idl has an empty value"]),
        (["decode", "--hex=1"], ["--hex takes no value"]),
        (["decode", "-t", "A", "-t", "B"], ["--type is given twice"]),
        (["decode", "a", "b"], ['"b" is one operand too many']),
        (["check"], ["wants FILE"]),
        (["plan", "-i", USER], ["--type NAME"]),
        (["plan", "-t", "User"], ["--idl FILE"]),
        (["decode", "-t", "User"], ["--idl FILE"]),
        (["decode", "-s", "Peer"], ["--idl FILE"]),
        (["decode", "-i", USER, "-t", "User", "-s", "S"], ["--type is for structs"]),
        (["decode", "-i", USER, "-t", "User", "--framing", "framed"], ["--framing for messages"]),
        (["decode", "-i", USER, "-t", "User", "--exact"], ["--exact is for messages"]),
        (["decode", "--engine", "fast"], ['--engine is auto|interpreter|jit, not "fast"']),
        (["decode", "--pretty", "--compact-json"], ["contradict"]),
        (["decode", "-p", "compact"], ["--protocol compact is not built yet"]),
        (["encode", "-p", "tjson"], ["--protocol tjson is not built yet"]),
        (["encode", "-p", "protobuf"], ["--protocol protobuf is not built yet"]),
        (["decode", "-p", "protobof"], ['--protocol is auto|binary, not "protobof"']),
        (["decode", "--input-max", "12x"], ["--input-max is a size"]),
        (["decode", "--input-max", "-1"], ["--input-max is a size"]),
        (["decode", "--input-max", "99999999999G"], ["--input-max is a size"]),
        (["help", "decod"], ["did you mean decode?"]),
        (["help", "--completion", "fish"], ["--completion is bash|zsh"]),
    ]:
        wrong(argv, *words)


@fact
def words_in_an_error_cannot_break_its_line():
    wrong(["a\nb\x1b[31m\u202ec"], 'no command "a\\nb\\x1b[31m\\xe2\\x80\\xaec"')
    wrong(["decode", "--hex\rx"], "\\rx")
    wrong([b"\xff\xfe".decode("utf-8", "surrogateescape")], "\\xff\\xfe")


@fact
def options_are_taken_in_every_usual_form():
    hex_user = "0a0001000000000000002a00"
    for options in (["-i", USER, "-t", "User", "-x"], [f"-i{USER}", "-tUser", "-x"], [f"-xi{USER}", "-t", "User"],
                    [f"--idl={USER}", "--type=User", "--hex"], ["--idl", USER, "--type", "User", "--hex"],
                    ["-xi", USER, "-t", "User", "--"], ["-", "-xi", USER, "-t", "User"]):
        expect(run("decode", *options, stdin=hex_user), '{"id":42}\n')


@fact
def help_of_every_command_teaches():
    overview = expect(run("--help")).out.decode()
    assert overview == run("help").out.decode() == run("-h").out.decode()
    for command in COMMANDS:
        assert re.search(rf"^  {command} ", overview, re.M), command
        text = expect(run("help", command)).out.decode()
        assert text == run(command, "--help").out.decode() == run(command, "-h").out.decode()
        assert text.startswith(f"frugal {command} - ") and "\nExamples\n  # " in text, text
        assert f"\n  frugal {command}" in text and "  -h, --help" in text
        assert all(len(line) <= 100 for line in text.splitlines()), [l for l in text.splitlines() if len(l) > 100]
        assert "\x1b" not in text
        assert not re.search("compact\\||tjson|protobuf|network", text + overview), "not built yet"


@fact
def the_version_is_that_of_the_header():
    header = (ROOT / "include/frugal/version.h").read_text()
    number = ".".join(re.search(rf"FRUGAL_VERSION_{part} (\d+)", header)[1] for part in ("MAJOR", "MINOR", "PATCH"))
    for option in ("--version", "-V"):
        expect(run(option), f"frugal {number}\n")


def on_terminal(argv, **env):
    """What it prints when standard output and standard error are a terminal."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(FRUGAL, [FRUGAL, *argv], {**os.environ, "TERM": "xterm", **env})
    text = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        if not part:
            break
        text += part
    os.close(terminal)
    os.waitpid(pid, 0)
    return text


@fact
def colours_are_for_terminals_that_want_them():
    plain = {"NO_COLOR": ""}
    assert b"\x1b[" in on_terminal(["help", "decode"], **plain)
    assert b"\x1b[1;31mfrugal:" in on_terminal(["decod"], **plain)
    for env in ({"NO_COLOR": "1"}, {"NO_COLOR": "", "TERM": "dumb"}):
        assert b"\x1b" not in on_terminal(["help", "decode"], **env)
        assert b"\x1b" not in on_terminal(["decod"], **env)
    assert b"\x1b" not in run("decod", env={"TERM": "xterm"}).err


@fact
def json_is_indented_on_a_terminal():
    with folder() as at:
        path = os.path.join(at, "user.bin")
        with open(path, "wb") as file:
            file.write(bytes.fromhex("0a0001000000000000002a00"))
        argv = ["decode", "-i", str(USER), "-t", "User", path]
        assert on_terminal(argv).replace(b"\r\n", b"\n") == b'{\n  "id": 42\n}\n'
        assert on_terminal([*argv, "--compact-json"]).replace(b"\r\n", b"\n") == b'{"id":42}\n'
        expect(run(*argv), '{"id":42}\n')


@fact
def bytes_are_not_written_to_a_terminal():
    argv = ["encode", "-i", str(USER), "-t", "User", "/no/such/file"]
    assert b"binary to a terminal: use -o FILE or --hex" in on_terminal(argv)
    assert b"No such file" in on_terminal([*argv, "-x"])
    with folder() as at:
        path = os.path.join(at, "user.json")
        with open(path, "w") as file:
            file.write('{"id": 42}')
        assert on_terminal([*argv[:-1], path, "-x"]) == b"0a0001000000000000002a00\r\n"


main()
