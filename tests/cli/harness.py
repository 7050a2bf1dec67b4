"""Running the command in tests: facts about what it prints, and its exit code.

A test file is a module of functions marked @fact; the name of each is what it protects. `main()` at its end
runs them all (or those named on the command line) and counts. Environment: FRUGAL is the command, FRUGAL_SHARED
the folder with the full vectors or empty, FRUGAL_TEST_DATA that of the committed selection, FRUGAL_SLOW is set
where a process is dear (sanitizers): then of a long row of values only every 25th or so is taken.
"""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import traceback

FRUGAL = os.environ["FRUGAL"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent / "data"
SHARED = pathlib.Path(os.environ["FRUGAL_SHARED"]) if os.environ.get("FRUGAL_SHARED") else None
DATA = pathlib.Path(os.environ.get("FRUGAL_TEST_DATA") or ROOT / "tests/data")
SLOW = bool(os.environ.get("FRUGAL_SLOW"))
TIMEOUT = 120

facts = []


def fact(function):
    facts.append(function)
    return function


class Result:
    def __init__(self, argv, done):
        self.argv, self.code, self.out, self.err = argv, done.returncode, done.stdout, done.stderr

    def __repr__(self):
        return (f"{' '.join(map(str, self.argv))}\n  exit {self.code}\n  stdout {self.out[:2000]!r}\n"
                f"  stderr {self.err[:2000]!r}")


def run(*argv, stdin=b"", cwd=None, env=None, stdout=subprocess.PIPE):
    """Runs `frugal ARGV`. Whatever a sanitizer or a signal says is a failure here, not a result."""
    if isinstance(stdin, str):
        stdin = stdin.encode()
    argv = [FRUGAL, *map(str, argv)]
    done = subprocess.run(argv, input=stdin, stdout=stdout, stderr=subprocess.PIPE, cwd=cwd, timeout=TIMEOUT,
                          env={**os.environ, **(env or {})})
    result = Result(argv, done)
    assert done.returncode in (0, 1, 2, 3), f"crashed: {result}"
    assert b"Sanitizer" not in done.stderr and b"runtime error" not in done.stderr, result
    return result


def expect(result, out=None, err=None, code=0):
    """`out` and `err` are the whole text; None for err: there is none, for out: it does not matter."""
    def same(have, want):
        return have == (want.encode() if isinstance(want, str) else want)
    assert result.code == code, f"exit {code} wanted: {result}"
    if out is not None:
        assert same(result.out, out), f"stdout {out!r} wanted: {result}"
    assert same(result.err, err or ""), f"stderr {err!r} wanted: {result}"
    return result


def expect_error(result, *words, code=1):
    """One line on standard error, in our form, with these words in it."""
    text = result.err.decode()
    assert result.code == code, f"exit {code} wanted: {result}"
    assert text.startswith("frugal: ") and text.endswith("\n") and text.count("\n") == 1, \
        f"one line wanted: {result}"
    for word in words:
        assert word in text, f"{word!r} wanted: {result}"
    return result


def known(result):
    """Without the lines about methods that the IDL does not have."""
    result.err = b"".join(line for line in result.err.splitlines(keepends=True)
                          if not line.endswith(b" is not in the IDL; shown as bytes\n"))
    return result


def value(text):
    """JSON without loss: big integers stay exact, and the order of members counts."""
    return json.loads(text, object_pairs_hook=lambda pairs: pairs)


def rows(path):
    """Rows of a .jsonl; a string may hold U+2028."""
    with open(path, encoding="utf-8", newline="\n") as file:
        return [json.loads(line) for line in file if line != "\n"]


def vectors(part):
    """The full set where it is, else the committed selection."""
    full = SHARED / part if SHARED else None
    return full if full and full.exists() else DATA / "peers" / part


def schema_of(schema):
    """The path of "idl/scalars.thrift"."""
    return vectors("vectors/" + schema)


def each(function, items, slow_step=25):
    """Two at a time; every failure is told. Returns how many were run."""
    items = list(items)
    if SLOW:
        items = items[::slow_step]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        futures = [(item, pool.submit(function, item)) for item in items]
    failed = [f"{item.get('id', item) if isinstance(item, dict) else item}: {future.exception()!r}"
              for item, future in futures if future.exception()]
    assert not failed, f"{len(failed)} of {len(items)} failed:\n" + "\n".join(failed[:20])
    assert items, "no items"
    return len(items)


def folder():
    return tempfile.TemporaryDirectory(prefix="frugal-test-")


def main():
    wanted = sys.argv[1:]
    failures = 0
    for function in facts:
        if wanted and function.__name__ not in wanted:
            continue
        try:
            note = function()
            print(f"ok      {function.__name__}{f' ({note})' if note else ''}")
        except Exception as error:  # also a timeout, a missing file
            failures += 1
            print(f"FAILED  {function.__name__}")
            if isinstance(error, AssertionError):
                print("    " + str(error).replace("\n", "\n    "))
            else:
                traceback.print_exc(file=sys.stdout)
    print(f"{len(facts)} facts, {failures} failed")
    sys.exit(failures > 0)
