#!/usr/bin/env python3
"""compile_test.py --frugal PROGRAM --library FILE [--shared DIR] [--cc CC]... [--cflags FLAGS]

What `frugal gen` writes compiles without a warning as C11 and (the headers) as C++17, and its tables
are, offset for offset, those that frugal_schema_load makes of the same IDL. Every .thrift file of
tests/data/gen, and of vectors/idl and peers/idl when they are there, is written twice (the same bytes),
compiled, linked with compare.c and compared. --planted: shows that a wrong table is found. --corpus DIR
instead: what the inputs of fuzz/gen_fuzz.c become compiles. --random N [--seed S] instead: N IDLs by
chance."""
import argparse, pathlib, random, re, shlex, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
C = "-std=c11 -Wall -Wextra -pedantic -Werror".split()
CXX = "-std=c++17 -Wall -Wextra -Werror".split()


def run(*words, **more):
    done = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", timeout=300, **more)
    if done.returncode:
        sys.exit(f"{shlex.join(str(w) for w in words)}\nexit code {done.returncode}\n{done.stdout[:4000]}")
    return done.stdout


def driver(header):
    """A program that compares all tables and constants of one header with the loaded IDL."""
    text = header.read_text()
    prefix = re.search(r"#ifndef (\w+)_THRIFT_H", text)[1]
    lines = ['#include <stdio.h>', '#include <frugal/schema.h>', '#include <frugal/service.h>',
             f'#include "{header.name}"', '#include "gen/compare.h"', 'int main(int count, char **words) {',
             'frugal_schema *schema; frugal_error error; frugal_value value; bool good = count == 2;',
             'if (frugal_schema_load(words[1], NULL, &schema, &error)) { puts(error.message); return 1; }']
    for name in re.findall(r"^FRUGAL_DECLARE\((\w+)\);", text, re.M):
        lines.append(f'const frugal_struct *s_{name} = &frugal_struct_{name};'
                     f'{{ const frugal_struct *loaded = frugal_schema_struct(schema, s_{name}->name);'
                     f'if (loaded) good &= compare_structs(s_{name}, loaded);'
                     f'good &= frugal_struct_check(s_{name}, &error) == FRUGAL_OK; }}')
    for name in re.findall(r"^FRUGAL_DECLARE_ENUM\((\w+)\);", text, re.M):
        lines.append(f'good &= compare_enums(&frugal_enum_{name}, frugal_schema_enum(schema, '
                     f'frugal_enum_{name}.name));')
    for name in re.findall(r"^FRUGAL_DECLARE_SERVICE\((\w+)\);", text, re.M):
        lines.append(f'good &= compare_services(&frugal_service_{name}, frugal_schema_service(schema, '
                     f'frugal_service_{name}.name));'
                     f'good &= {name}_pretouch(NULL, &error) == FRUGAL_OK;')
    for name in re.findall(r"^extern FRUGAL_TABLE const .*?(\w+);", text, re.M):
        idl = name.upper()
        while prefix and not idl.startswith(prefix + "_"):
            prefix = prefix.rpartition("_")[0]
        lines.append(f'good &= frugal_schema_const(schema, "{idl[len(prefix) + 1:]}", &value)'
                     f'&& compare_values(value.type, &{name}, value.ptr);')
    return "\n".join(lines + ['printf("%u fields\\n", compare_count());',
                              'frugal_schema_free(schema); return !good; }\n'])


def check(idl, folder, options):
    folder.mkdir(parents=True)
    again = folder / "again"
    again.mkdir()
    how = ["--names", "idl"] if options.keep else []
    run(options.frugal, "gen", "-r", *how, "-o", folder, idl)
    run(options.frugal, "gen", "-r", *how, "-o", again, idl)
    header = folder / f"{idl.stem}.h"
    sources = sorted(folder.glob("*.c"))
    for file in [*sources, *folder.glob("*.h")]:
        if file.read_bytes() != (again / file.name).read_bytes():
            sys.exit(f"{file.name} is not the same twice")
        if str(ROOT) in file.read_text() or str(folder) in file.read_text():
            sys.exit(f"{file.name} holds a path")
    alone = folder / "alone"
    alone.mkdir()
    run(options.frugal, "gen", *how, "-o", alone, idl)
    if header.read_bytes() != (alone / header.name).read_bytes():
        sys.exit(f"{header.name} is another one without -r")
    include = ["-I", folder, "-I", ROOT / "include", "-I", ROOT / "tests"]
    flags = shlex.split(options.cflags)
    if options.planted:
        table = folder / f"{idl.stem}.c"
        table.write_text(table.read_text().replace(*options.planted))
    (folder / "main_.c").write_text(driver(header))
    found = ""
    for cc in options.cc:
        for source in sources:
            run(cc, *C, *include, "-c", source, "-o", folder / (source.stem + ".o"))
        program = folder / f"compare-{cc.rpartition('/')[2]}"
        run(cc, "-std=c11", *flags, *include, folder / "main_.c", HERE / "compare.c",
            *(folder / (s.stem + ".o") for s in sources), options.library, "-lm", "-o", program)
        found = run(program, idl)
    for cxx in options.cxx:
        for file in folder.glob("*.h"):
            (folder / "use.cpp").write_text(f'#include "{file.name}"\n')
            run(cxx, *CXX, *include, "-fsyntax-only", folder / "use.cpp")
    return int(found.split()[-2])


FAULTS = [("offsetof(struct shop_order, items)", "offsetof(struct shop_order, extras)"),
          (".has = offsetof(struct shop_item, count.has)", ".has = offsetof(struct shop_item, count) + 5"),
          ("FRUGAL_NEED_REQUIRED", "FRUGAL_NEED_DEFAULT"),
          (".stride = sizeof(struct shop_item)", ".stride = sizeof(struct shop_item) + 8"),
          (".price = INT64_C(100)", ".price = INT64_C(101)"),
          ("const int32_t frugal_value_2 = 1;", "const int32_t frugal_value_2 = 2;"),
          ('FRUGAL_STR_INIT("green")', 'FRUGAL_STR_INIT("greem")'),
          ('{ "SENT", SHOP_STATE_SENT }', '{ "SENT", SHOP_STATE_NEW }'),
          ("      &frugal_struct_shop_shop_place_result }", "      &frugal_struct_shop_shop_place_args }")]


def plant(options):
    options.cc, options.cxx, missed = options.cc[:1], [], []
    for fault in [None, *FAULTS]:
        options.planted = fault
        with tempfile.TemporaryDirectory() as work:
            try:
                check(ROOT / "tests/data/gen/small.thrift", pathlib.Path(work, "0"), options)
                found = None
            except SystemExit as failure:
                found = str(failure).strip().splitlines()
        if bool(found) != bool(fault):
            missed.append(fault)
        print(f"{fault and fault[1]}: {found[2] if found else 'the same'}")
    sys.exit(f"not as planted: {missed}" if missed else 0)


BASES = "bool byte i8 i16 i32 i64 double string binary".split()
WORDS = "class which value has ptr len key int item NULL list_i32 x m_t1 frugal_str __x".split()


def random_idl(dice, count):
    """Definitions that refer to each other in any order, by value, in containers, in circles."""
    kinds = [dice.choice("struct struct struct union exception enum typedef".split()) for _ in range(count)]
    names = [f"{dice.choice(['T', 'Type', 'tYPE'])}{number}" for number in range(count)]
    def type_(depth, before):
        choice = dice.random()
        if depth < 4 and choice < 0.35:
            kind = dice.choice(["list", "set", "map"])
            inner = [type_(depth + 1, before) for _ in range(2 if kind == "map" else 1)]
            return f"{kind}<{', '.join(inner)}>"
        if choice < 0.65:
            return dice.choice(BASES)
        return names[dice.randrange(before)] if before else "i32"
    def default(base):
        if base in ("byte", "i8", "i16", "i32", "i64"):
            return f" = {dice.randrange(-128, 128)}"
        return {"string": ' = "a\\n\\"b"', "double": " = 0.1", "bool": " = true"}.get(base, "")
    text = []
    for number, (kind, name) in enumerate(zip(kinds, names)):
        if kind == "enum":
            items = [f"I{i} = {dice.randrange(-2**31, 2**31)}" for i in range(dice.randrange(4))]
            text.append(f"enum {name} {{ {', '.join(items)} }}")
        elif kind == "typedef":
            text.append(f"typedef {type_(0, number)} {name}")
        else:
            fields = []
            ids = dice.sample(range(1, 300), dice.randrange(9))
            for index, id_ in enumerate(ids):
                base = type_(0, count)
                need = "" if kind == "union" else dice.choice(["", "required ", "optional "])
                word = WORDS[index] if dice.random() < 0.3 else f"f{id_}"
                initial = default(base) if kind != "union" and dice.random() < 0.4 else ""
                fields.append(f"  {id_}: {need}{base} {word}{initial}")
            text.append(f"{kind} {name} {{\n" + "\n".join(fields) + "\n}")
    return "\n".join(text) + f"\nservice S {{ {type_(1, count)} f(1: {type_(0, count)} a) }}\n"


def random_(options):
    fields = number = made = 0
    options.cc, options.cxx = options.cc[:1], options.cxx[:1]
    with tempfile.TemporaryDirectory() as work:
        while made < options.random:
            seed = options.seed + number
            idl = pathlib.Path(work, f"m{seed}.thrift")
            idl.write_text(random_idl(random.Random(seed), 4 + seed % 40))
            number += 1
            try:
                run(options.frugal, "check", idl)
                fields += check(idl, pathlib.Path(work, str(seed)), options)
                made += 1
            except SystemExit as failure:
                # a typedef of a later exception, a struct that holds itself: not every text is an IDL
                if " check " in str(failure).splitlines()[0] and number < 20 * options.random:
                    continue
                sys.exit(f"seed {seed}\n{idl.read_text()}\n{failure}")
    print(f"gen: {made} random IDLs of {number} from seed {options.seed}, {fields} fields")


def check_input(path, folder, options):
    """One input of fuzz/gen_fuzz.c or fuzz/idl_fuzz.c. False: it is no IDL, or has two things of one name."""
    data = path.read_bytes()
    if not data:
        return False
    root, *parts = data[1:].split(b"\n//// ")
    folder.mkdir()
    (folder / "root.thrift").write_bytes(root)
    for part in parts:
        name, _, text = part.partition(b"\n")
        name = name.decode(errors="replace")
        if re.fullmatch(r"[\w.-]+", name) and not (folder / name).exists():
            (folder / name).write_bytes(text)
    how = ["--auto-ids", "thriftgo"] if data[0] & 1 else []
    done = subprocess.run([options.frugal, "gen", "-r", *how, "-o", folder, folder / "root.thrift"],
                          capture_output=True, timeout=60)
    if done.returncode not in (0, 1):
        sys.exit(f"{path}: {done}")
    if done.returncode:
        return False
    include = ["-I", folder, "-I", ROOT / "include"]
    for cc in options.cc:
        for source in folder.glob("*.c"):
            run(cc, *C, *include, "-fsyntax-only", source)
    for cxx in options.cxx:
        for header in folder.glob("*.h"):
            (folder / "use.cpp").write_text(f'#include "{header.name}"\n')
            run(cxx, *CXX, *include, "-fsyntax-only", folder / "use.cpp")
    return True


def corpus(options):
    files = [file for folder in options.corpus for file in sorted(pathlib.Path(folder).iterdir())]
    with tempfile.TemporaryDirectory() as work:
        good = sum(check_input(file, pathlib.Path(work, str(number)), options)
                   for number, file in enumerate(files))
    print(f"gen: {good} of {len(files)} inputs became C, and all of it compiles")
    sys.exit(not good)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--frugal", required=True)
    parser.add_argument("--library", default="")
    parser.add_argument("--shared", default="")
    parser.add_argument("--cc", action="append", default=[])
    parser.add_argument("--cxx", action="append", default=[])
    parser.add_argument("--cflags", default="")
    parser.add_argument("--planted", action="store_true")
    parser.add_argument("--keep", action="store_true", help="with --names idl")
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corpus", action="append", default=[])
    options = parser.parse_args()
    options.cc = options.cc or ["gcc", "clang"]
    options.cxx = options.cxx or ["g++", "clang++"]
    if options.random:
        return random_(options)
    if options.corpus:
        return corpus(options)
    folders = [ROOT / "tests/data/gen"]
    if options.shared:
        folders += [pathlib.Path(options.shared) / part for part in ("vectors/idl", "peers/idl")]
    idls = [idl for folder in folders for idl in sorted(folder.glob("*.thrift"))]
    if options.planted:
        return plant(options)
    fields = 0
    with tempfile.TemporaryDirectory() as work:
        for number, idl in enumerate(idls):
            fields += check(idl, pathlib.Path(work, str(number)), options)
    print(f"gen: {len(idls)} IDLs, {fields} fields, {'+'.join(options.cc)} and {'+'.join(options.cxx)}")


main()
