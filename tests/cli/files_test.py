"""Input and output: files, standard streams, devices, and what can be wrong with them."""
import os
import resource
import signal
import stat
import subprocess

from harness import FRUGAL, HERE, expect, expect_error, fact, folder, main, run

USER = ["-i", HERE / "user.thrift", "-t", "User"]
HEX = "0a0001000000000000002a00"
BYTES = bytes.fromhex(HEX)
JSON = '{"id":42}\n'


@fact
def input_is_a_file_or_standard_input():
    with folder() as at:
        path = os.path.join(at, "user.bin")
        with open(path, "wb") as file:
            file.write(BYTES)
        expect(run("decode", *USER, path), JSON)
        expect(run("decode", *USER, stdin=BYTES), JSON)
        expect(run("decode", *USER, "-", stdin=BYTES), JSON)


@fact
def what_cannot_be_read_is_named():
    with folder() as at:
        missing = os.path.join(at, "missing.bin")
        expect_error(run("decode", *USER, missing), f"frugal: {missing}: No such file or directory")
        expect_error(run("decode", *USER, at), f"frugal: {at}: is a folder")
        expect_error(run("encode", *USER, at), "is a folder")
        expect_error(run("decode", "-i", missing, "-t", "User"), missing)
        expect_error(run("decode", "-i", at, "-t", "User"), at)
        expect_error(run("check", missing), missing)
        locked = os.path.join(at, "locked.bin")
        open(locked, "wb").close()
        os.chmod(locked, 0)
        if os.geteuid():
            expect_error(run("decode", *USER, locked), "Permission denied")
    expect_error(run("decode", *USER, "/proc/self/mem"), "/proc/self/mem: Input/output error")
    closed = subprocess.run(["sh", "-c", '"$0" "$@" <&-', FRUGAL, "decode", *map(str, USER)], capture_output=True)
    assert closed.returncode == 1 and closed.stderr == b"frugal: stdin: Bad file descriptor\n", closed
    return None if os.geteuid() else "but root reads files without permission"


@fact
def input_has_a_limit_and_the_sentence_says_which():
    expect(run("decode", *USER, "--input-max", "12", stdin=BYTES), JSON)
    expect_error(run("decode", *USER, "--input-max", "11", stdin=BYTES),
                 "stdin: larger than 11 bytes, the limit that --input-max sets")
    expect_error(run("encode", *USER, "--input-max", "1K", stdin=" " * 1025), "larger than 1024 bytes")
    expect(run("encode", *USER, "--input-max", "1K", stdin=JSON), BYTES)
    with open("/dev/zero", "rb") as endless:
        done = subprocess.run([FRUGAL, "decode", *map(str, USER), "--input-max", "1M"], stdin=endless,
                              capture_output=True, timeout=60)
    assert done.returncode == 1 and b"larger than 1048576 bytes" in done.stderr, done


@fact
def hexadecimal_text_is_read_with_white_space_and_its_faults_have_places():
    for text in (HEX, HEX.upper(), " ".join(HEX[i:i + 2] for i in range(0, len(HEX), 2)), f"\n{HEX}\r\n\t",
                 "0 a 0 0 0 1" + HEX[6:]):
        expect(run("decode", *USER, "-x", stdin=text), JSON)
    expect_error(run("decode", *USER, "-x", stdin="0a 00\n01 0g"), "stdin:2:5: 'g' is no hexadecimal digit")
    expect_error(run("decode", *USER, "-x", stdin=b"0a\x00"), "stdin:1:3: byte 0x00 is no hexadecimal digit")
    expect_error(run("decode", *USER, "-x", stdin="0a0"), "3 hexadecimal digits")
    expect(run("decode", *USER, "-x", stdin=" 0x" + HEX), JSON)
    expect_error(run("decode", *USER, "-x", stdin="0x0a 0x00"), "stdin:1:7: 'x' is no hexadecimal digit")
    expect_error(run("decode", *USER, "-x", stdin="00000000: 0a00"), "stdin:1:9: ':' is no hexadecimal digit", "xxd -p")
    expect(run("encode", *USER, "-x", stdin=JSON), HEX + "\n")
    long = expect(run("encode", *USER, "-x", stdin='{"id":42,"name":"%s"}' % ("x" * 100))).out.decode()
    assert max(map(len, long.splitlines())) == 64, long


@fact
def an_output_file_appears_whole_or_not_at_all():
    with folder() as at:
        path = os.path.join(at, "out.json")
        expect(run("decode", *USER, "-o", path, stdin=BYTES), "")
        assert open(path).read() == JSON
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o666 & ~current_umask()
        expect_error(run("decode", *USER, "-o", path, stdin=BYTES[:5]))
        assert open(path).read() == JSON, "the old file stays when the new one fails"
        os.chmod(path, 0o600)
        expect(run("decode", *USER, "--output", path, stdin=BYTES.replace(b"\x2a", b"\x2b")), "")
        assert open(path).read() == '{"id":43}\n'
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600, "the mode of the file stays"
        assert os.listdir(at) == ["out.json"], os.listdir(at)


def current_umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


@fact
def an_output_that_is_no_plain_file_is_not_replaced():
    with folder() as at:
        link, target = os.path.join(at, "link"), os.path.join(at, "target")
        open(target, "w").close()
        os.symlink("target", link)
        expect(run("decode", *USER, "-o", link, stdin=BYTES), "")
        assert os.path.islink(link) and open(target).read() == JSON
        expect(run("decode", *USER, "-o", "/dev/stdout", stdin=BYTES), JSON)
        expect(run("decode", *USER, "-o", "-", stdin=BYTES), JSON)
        expect(run("decode", *USER, "-o", "/dev/null", stdin=BYTES), "")
        assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
        expect_error(run("decode", *USER, "-o", at, stdin=BYTES), f"frugal: {at}: Is a directory")
        nowhere = os.path.join(at, "no/such/file")
        expect_error(run("decode", *USER, "-o", nowhere, stdin=BYTES), nowhere, "No such file")


@fact
def a_name_of_a_descriptor_is_that_descriptor():
    with folder() as at:
        log, link = os.path.join(at, "log"), os.path.join(at, "link")
        os.symlink("/dev/stdout", link)
        for name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", link):
            with open(log, "w") as file:
                file.write("before\n")
            with open(log, "ab") as file:
                before = os.fstat(file.fileno()).st_ino
                expect(run("decode", *USER, "-o", name, stdin=BYTES, stdout=file))
            assert open(log).read() == "before\n" + JSON and os.stat(log).st_ino == before, name
        assert sorted(os.listdir(at)) == ["link", "log"], os.listdir(at)


@fact
def a_link_to_a_file_that_is_not_there_makes_it():
    with folder() as at:
        link = os.path.join(at, "link")
        os.symlink("target", link)
        expect(run("decode", *USER, "-o", link, stdin=BYTES), "")
        assert os.path.islink(link) and open(os.path.join(at, "target")).read() == JSON
        loop = os.path.join(at, "loop")
        os.symlink("loop", loop)
        expect_error(run("decode", *USER, "-o", loop, stdin=BYTES), "symbolic links")


@fact
def the_longest_name_is_as_good_as_any():
    with folder() as at:
        for size in (248, 255):
            expect(run("decode", *USER, "-o", os.path.join(at, "n" * size), stdin=BYTES), "")
            assert open(os.path.join(at, "n" * size)).read() == JSON
        expect_error(run("decode", *USER, "-o", os.path.join(at, "n" * 256), stdin=BYTES), "File name too long")


@fact
def messages_before_a_break_are_printed_but_a_file_is_all_or_nothing():
    ping = bytes.fromhex("00000011800100010000000470696e670000000000")
    with folder() as at:
        path = os.path.join(at, "out.json")
        expect_error(run("decode", "-o", path, stdin=ping * 2 + ping[:9]),
                     "stdin: byte 42: unexpected EOF: 12 bytes short; 2 whole messages before; -o keeps all or nothing, "
                     "`> FILE` keeps them")
        assert os.listdir(at) == []
    done = run("decode", stdin=ping * 2 + ping[:9])
    assert done.out.count(b"ping") == 2
    expect_error(done, "stdin: byte 42: unexpected EOF: 12 bytes short\n")


@fact
def a_full_disk_is_noticed():
    with open("/dev/full", "wb") as full:
        for argv, stdin in (("--help",), b""), (("decode", *USER), BYTES), (("encode", *USER), JSON):
            expect_error(run(*argv, stdin=stdin, stdout=full), "stdout: No space left on device")
    expect_error(run("decode", *USER, "-o", "/dev/full", stdin=BYTES), "/dev/full: No space left on device")


@fact
def a_file_that_may_not_grow_leaves_the_old_one():
    with folder() as at:
        path = os.path.join(at, "out.json")
        with open(path, "w") as file:
            file.write("old")
        big = BYTES[:-1] + b"\x0b\x00\x02" + (100_000).to_bytes(4, "big") + b"x" * 100_000 + b"\x00"
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        done = subprocess.run([FRUGAL, "decode", *map(str, USER), "-o", path], input=big, capture_output=True,
                              preexec_fn=limit)
        assert done.returncode == 1 and done.stderr == f"frugal: {path}: File too large\n".encode(), done
        assert os.listdir(at) == ["out.json"] and open(path).read() == "old"


@fact
def a_closed_pipe_ends_the_command_without_a_word():
    big = b"\x0a\x00\x01" + bytes(8) + b"\x0b\x00\x02" + (1 << 20).to_bytes(4, "big") + b"x" * (1 << 20) + b"\x00"
    process = subprocess.Popen([FRUGAL, "decode", *map(str, USER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    process.stdout.close()
    process.stdin.write(big)
    process.stdin.close()
    error = process.stderr.read()
    assert process.wait(60) == 1 and error == b"", (process.returncode, error)
    closed = subprocess.run(["sh", "-c", '"$0" "$@" >&-', FRUGAL, "decode", *map(str, USER)], input=BYTES,
                            capture_output=True)
    assert closed.returncode == 1 and closed.stderr == b"frugal: stdout: Bad file descriptor\n", closed


@fact
def an_interrupt_leaves_no_temporary_file():
    for number in (signal.SIGTERM, signal.SIGQUIT, signal.SIGXCPU):
        interrupt(number)


def interrupt(number):
    with folder() as at:
        fifo = os.path.join(at, "in")
        os.mkfifo(fifo)
        # The output is opened once the input is read: a stream that is written to for long is needed.
        framed = bytes.fromhex("00000011800100010000000470696e670000000000")
        process = subprocess.Popen([FRUGAL, "decode", "-o", os.path.join(at, "out"), fifo],
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
        with open(fifo, "wb") as file:
            file.write(framed * 200000)
        for _ in range(2000):
            if len(os.listdir(at)) > 1 or process.poll() is not None:
                break
            try:
                process.wait(0.005)
            except subprocess.TimeoutExpired:
                pass
        running = process.poll() is None
        process.send_signal(number)
        process.wait(60)
        left = [name for name in os.listdir(at) if name not in ("in", "out")]
        assert not left, left
        assert process.returncode == (-number if running else 0), process.returncode


main()
