"""frugal gen: files that appear whole, none when there is an error, and a rule for make. What the C says is
tested in tests/gen."""
import pathlib

from harness import DATA, expect, expect_error, fact, folder, main, run

SMALL = DATA / "gen/small.thrift"


@fact
def a_header_and_a_c_file_are_written():
    with folder() as there:
        expect(run("gen", "-o", there, SMALL), "")
        assert sorted(p.name for p in pathlib.Path(there).iterdir()) == ["small.c", "small.h"]
        for name in ("small.c", "small.h"):
            have, want = pathlib.Path(there, name).read_text(), (DATA / "gen" / name).read_text()
            assert have.partition("\n")[2] == want.partition("\n")[2], name


@fact
def without_a_folder_it_is_the_current_one():
    with folder() as there:
        expect(run("gen", "--no-tables", SMALL, cwd=there), "")
        assert [p.name for p in pathlib.Path(there).iterdir()] == ["small.h"]


@fact
def the_prefix_can_be_chosen():
    with folder() as there:
        expect(run("gen", "--prefix", "mine", "-o", there, SMALL), "")
        assert "struct mine_item {" in pathlib.Path(there, "small.h").read_text()
        expect_error(run("gen", "--prefix", "a-b", "-o", there, SMALL), "a-b", code=2)


@fact
def an_error_leaves_the_folder_as_it_was():
    with folder() as there:
        idl = pathlib.Path(there, "x.thrift")
        pathlib.Path(there, "x.h").write_text("before")
        idl.write_text("struct UserName {}\nstruct User_name {}\n")
        expect_error(run("gen", "-o", there, idl), f"{idl}:2:8: ", "x_user_name", "line 1")
        idl.write_text("struct A { 1: Missing m }\n")
        expect_error(run("gen", "-o", there, idl), f"{idl}:1:15: ", "Missing")
        assert sorted(p.name for p in pathlib.Path(there).iterdir()) == ["x.h", "x.thrift"]
        assert pathlib.Path(there, "x.h").read_text() == "before"


@fact
def what_cannot_be_opened_is_said():
    with folder() as there:
        expect_error(run("gen", "-o", pathlib.Path(there, "no"), SMALL), "no/small.h")
        expect_error(run("gen", pathlib.Path(there, "no.thrift")), "no.thrift")
    expect_error(run("gen"), code=2)


@fact
def includes_are_written_when_told_and_named_in_the_rule():
    with folder() as there:
        here = pathlib.Path(there)
        (here / "idl").mkdir()
        (here / "out put").mkdir()
        (here / "idl/b.thrift").write_text("struct B {}\n")
        (here / "a.thrift").write_text('include "b.thrift"\nstruct A { 1: b.B b }\n')
        rule = ("gen", "-I", "idl", "-o", "out put", "--depfile", "a.d", "a.thrift")
        expect(run(*rule, cwd=there), "")
        assert sorted(p.name for p in (here / "out put").iterdir()) == ["a.c", "a.h"]
        assert (here / "a.d").read_text() == "out\\ put/a.h out\\ put/a.c: a.thrift idl/b.thrift\n"
        expect(run("gen", "-r", *rule[1:], cwd=there), "")
        assert sorted(p.name for p in (here / "out put").iterdir()) == ["a.c", "a.h", "b.c", "b.h"]


main()
