"""`frugal disasm`: machine code under the steps that it is for."""
import pathlib
import re

from harness import HERE, expect_error, fact, folder, main, run

USER = HERE / "user.thrift"
DIRECTIONS = ["decode", "decode-views", "encode", "size"]


def listed(*argv):
    """The text; None where this CPU has no machine code."""
    result = run("disasm", "-i", USER, "-t", "User", *argv)
    if result.code == 1 and b"no machine code" in result.err:
        print("NOT TESTED: no machine code on this CPU")
        return None
    assert result.code == 0, result
    return result.out.decode()


@fact
def every_byte_is_shown_once_and_in_order():
    for direction in DIRECTIONS:
        text = listed("--direction", direction, "--raw")
        if text is None:
            return
        size = int(re.match(rf"; {direction} of User, (\d+) bytes\n", text)[1])
        at = 0
        for offset, digits in re.findall(r"^ *([0-9a-f]+) ((?: [0-9a-f]{2})+)$", text, re.M):
            assert int(offset, 16) == at, (direction, offset, at)
            at += len(digits.split())
        assert at == size > 0, (direction, at, size)


@fact
def code_stands_under_the_words_of_its_plan():
    plan = run("plan", "-i", USER, "-t", "User").out.decode()
    steps = dict(re.findall(r"^ +(\d+) (\w+ .*)$", plan, re.M))
    for direction in DIRECTIONS[:3]:
        text = listed("--direction", direction)
        if text is None:
            return
        named = dict(re.findall(r"^; step (\d+): (.*)$", text, re.M))
        for number, words in steps.items():
            if ":name" in words or ":scores" in words or ":height" in words:
                assert named.get(number) == words, (direction, number, words, named.get(number))


@fact
def a_type_is_needed_and_must_be_there():
    expect_error(run("disasm", "-i", USER), "of which type?", code=2)
    expect_error(run("disasm", "-i", USER, "-t", "Usr"), "User", code=1)
    expect_error(run("disasm", "-i", USER, "-t", "User", "--direction", "up"), "--direction is", code=2)


@fact
def output_goes_to_a_file():
    if listed() is None:
        return
    with folder() as there:
        assert run("disasm", "-i", USER, "-t", "User", "-o", pathlib.Path(there, "out")).code == 0
        # addresses of helpers differ from process to process
        assert pathlib.Path(there, "out").read_text().splitlines()[0] == listed().splitlines()[0]


main()
