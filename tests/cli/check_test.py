"""frugal check and frugal plan: all findings with their places, for people and for editors."""
import json

from harness import HERE, SHARED, expect, expect_error, fact, folder, main, run, rows

BROKEN = HERE / "broken.thrift"


@fact
def good_files_are_silent():
    expect(run("check", HERE / "user.thrift", HERE / "place.thrift", HERE / "two.thrift"), "")
    expect(run("check", "--format", "json", HERE / "user.thrift"), "")


@fact
def every_error_is_a_line_with_its_place():
    done = run("check", BROKEN)
    assert done.code == 1 and done.out == b"", done
    lines = done.err.decode().splitlines()
    assert [line.split(": ")[1] for line in lines] == [f"{BROKEN}:3:3", f"{BROKEN}:4:6", f"{BROKEN}:6:17"], done
    assert "Missing" in lines[1], done


def findings(text):
    """Line, column and sentence of each, in their order; the whole line when it has no place."""
    with folder() as at:
        with open(f"{at}/a.thrift", "w") as file:
            file.write(text)
        done = run("check", f"{at}/a.thrift")
        assert done.code == 1 and done.out == b"", done
        return [line.removeprefix(f"frugal: {at}/a.thrift:").strip() for line in done.err.decode().splitlines()]


@fact
def findings_come_in_the_order_of_lines():
    assert findings("struct A {\n 1: Missing a\n 2: i32 b\n 2: i32 c\n}\nstruct A {}\n") == [
        "2:5: no type is called Missing", "4:2: the id 2 of c is another field's already",
        "6:8: A is defined already, in line 1"]


@fact
def it_is_said_when_names_were_not_looked_at():
    assert findings("struct A { 1: Missing a }\nstruct B { 1: }\n") == [
        "2:15: expected a type, found `}`", "names were not checked, because of what is above"]


@fact
def words_of_other_languages_and_misspelt_ones_have_a_hint():
    for word, meant in [("int64", "i64"), ("uint32", "i32"), ("float", "double"), ("boolean", "bool")]:
        assert findings(f"struct A {{ 1: list<{word}> a }}") == [f"1:20: no type is called {word}; is it {meant}?"]
    for word, meant in [("requred", "required"), ("Required", "required"), ("requierd", "required"),
                        ("optonal", "optional")]:
        assert findings(f"struct A {{\n 1: {word} i64 id\n 2: {word} map<i32, i32> m\n}}")[:2] == [
            f"2:5: no type is called {word}; is it {meant}?", f"3:5: no type is called {word}; is it {meant}?"]
    expect(run("check", "/dev/stdin", stdin="struct Requir { }\nstruct A { 1: Requir i64, 2: Requir required }"), "")


@fact
def errors_of_several_files_come_file_by_file():
    done = run("check", BROKEN, HERE / "user.thrift", "/no/such.thrift")
    assert done.code == 1 and done.err.decode().count("\n") == 4 and b"/no/such.thrift" in done.err, done
    assert run("check", HERE / "user.thrift", BROKEN).code == 1, "not only the last file counts"


@fact
def editors_get_an_object_a_line():
    done = run("check", "--format", "json", BROKEN)
    assert done.code == 1 and done.err == b"", done
    found = [json.loads(line) for line in done.out.splitlines()]
    assert [(one["line"], one["column"], one["severity"]) for one in found] == [
        (3, 3, "error"), (4, 6, "error"), (6, 17, "error")], done
    assert all(list(one) == ["file", "line", "column", "severity", "word", "message"] for one in found), done
    assert found[1]["word"] == "Missing" and found[1]["file"] == str(BROKEN), done


@fact
def warnings_are_shown_and_are_no_errors():
    with folder() as at:
        path = f"{at}/warn.thrift"
        with open(path, "w") as file:
            file.write("struct S { i32 a }\n")
        done = run("check", path)
        assert done.code == 0 and done.err.decode().startswith(f"frugal: {path}:1:") and b" warning: " in done.err, done
        shown = run("check", "--format", "json", path)
        assert shown.code == 0 and json.loads(shown.out)["severity"] == "warning", shown
        expect(run("decode", "-x", "-i", path, "-t", "S", stdin="08ffff0000000100"), '{"a":1}\n')
        expect(run("decode", "-x", "-i", path, "-t", "S", "--auto-ids", "thriftgo", stdin="0800010000000100"), '{"a":1}\n')


@fact
def includes_are_looked_for_in_the_folders_given():
    with folder() as at:
        with open(f"{at}/main.thrift", "w") as file:
            file.write('include "place.thrift"\nstruct S { 1: place.Home h }\n')
        done = run("check", f"{at}/main.thrift")
        assert done.code == 1 and done.err.decode().splitlines() == [
            f"frugal: {at}/main.thrift:1:9: place.thrift is neither beside this file nor in a folder for includes (-I)",
            f"frugal: {at}/main.thrift: names were not checked, because of what is above"], done
        expect(run("check", "-I", f"{at}/none", "-I", HERE, f"{at}/main.thrift"), "",
               f"frugal: warning: -I {at}/none: No such file or directory\n")
        expect(run("check", "-I", at, "-I", HERE, f"{at}/main.thrift"), "")


@fact
def a_broken_idl_stops_the_other_commands_with_all_its_errors():
    for argv in (["decode", "-i", BROKEN], ["encode", "-i", BROKEN], ["plan", "-i", BROKEN, "-t", "Broken"]):
        done = run(*argv)
        assert done.code == 1 and done.err.decode().count("\n") == 3, done


@fact
def the_cases_from_the_field_end_as_they_should():
    if not SHARED:
        return "not here: ../shared is missing"
    count = 0
    for row in rows(SHARED / "cases/idl/expect.jsonl"):
        done = run("check", SHARED / "cases/idl" / row["file"])
        ended = "error" if done.code else "ok"
        assert ended in (row["expect"], row.get("also_accept")) or row["level"] == "choice", (row, done)
        assert done.code == 0 or done.err, done
        count += 1
    return f"{count} files"


@fact
def a_plan_is_the_text_of_the_library():
    done = expect(run("plan", "-i", HERE / "user.thrift", "-t", "User"))
    assert b"name" in done.out and done.out.count(b"\n") > 10, done
    assert done.out == expect(run("plan", "-i", HERE / "user.thrift", "-t", "user.User")).out
    short = ["plan", "-i", HERE / "user.thrift", "-t", "Short"]
    assert expect(run(*short)).out != expect(run(*short, "--presence")).out
    expect_error(run("plan", "-i", HERE / "user.thrift", "-t", "Home2"), 'no type "Home2"; did you mean Home?')


main()
