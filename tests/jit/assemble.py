#!/usr/bin/env python3
"""tests/jit/assemble.py [--write] - the bytes in emit_*_cases.inc are what an assembler says.

Each row of those files is CASE(instruction of ours, "assembly", "bytes"). The assembly goes through GNU as,
and the bytes are compared, or with --write replaced. An assembler that is not there is said; without any, it
fails. `;` separates instructions."""
import pathlib, re, shutil, subprocess, sys, tempfile

FILES = {"emit_x64_cases.inc": ("x86_64-linux-gnu-", "as", ".intel_syntax noprefix\n", "x86_64"),
         "emit_a64_cases.inc": ("aarch64-linux-gnu-", "as", "", "aarch64")}
ROW = re.compile(r'(CASE\((?:[^"]*),\s*")([^"]*)(",\s*")([0-9a-f]*)("\))')

def tool(prefix, name):
    return shutil.which(prefix + name)

def assembled(texts, prefix, name, head):
    """The bytes of each text: they are assembled at once, each in a section of its own."""
    with tempfile.TemporaryDirectory() as folder:
        source, made, flat = (pathlib.Path(folder, n) for n in ("a.s", "a.o", "a.bin"))
        rows = "".join(f'.section .t{i}, "ax"\n{t.replace(";", chr(10))}\n' for i, t in enumerate(texts))
        source.write_text(head + rows)
        subprocess.run([tool(prefix, name), "-o", made, source], check=True)
        dump = subprocess.run([tool(prefix, "objdump"), "-s", made], check=True, capture_output=True, text=True)
    bytes_of, section = {}, None
    for line in dump.stdout.splitlines():
        if m := re.match(r"Contents of section \.t(\d+):", line):
            section = int(m[1])
        elif m := re.match(r" [0-9a-f]+ ((?:[0-9a-f]{2,8} ){1,4})", line):
            if section is not None:
                bytes_of[section] = bytes_of.get(section, "") + m[1].replace(" ", "")
        else:
            section = None
    return [bytes_of.get(i, "") for i in range(len(texts))]

def main():
    write, wrong, looked = "--write" in sys.argv[1:], 0, 0
    for file, (prefix, name, head, cpu) in FILES.items():
        path = pathlib.Path(__file__).parent / file
        if not tool(prefix, name):
            print(f"{file}: there is no {prefix}{name}: not compared")
            continue
        looked += 1
        text = path.read_text()
        rows = list(ROW.finditer(text))
        says = assembled([m[2] for m in rows], prefix, name, head)
        for m, said in zip(rows, says):
            if m[4] != said and not write:
                print(f"{file}: {m[2]}: {m[4]}, but the assembler says {said}")
                wrong += 1
        if write:
            turn = iter(says)
            path.write_text(ROW.sub(lambda m: m[1] + m[2] + m[3] + next(turn) + m[5], text))
        print(f"{file}: {len(rows)} rows")
    return 1 if wrong or not looked else 0

sys.exit(main())
