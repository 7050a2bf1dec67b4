"""Manual pages, completions and documents say what the command's tables say."""
import os
import re
import shutil
import subprocess

from harness import ROOT, expect, fact, folder, main, run

COMMANDS = re.findall(r"^  ([a-z]+) ", run("--help").out.decode().split("Commands\n")[1].split("\n\n")[0], re.M)


def tool(name):
    path = shutil.which(name)
    assert path, f"{name} is not installed (scripts/setup installs it)"
    return path


def options_of(command):
    text = run("help", command).out.decode().split("\nOptions\n")[1]
    return re.findall(r"^  (?:(-\w), |    )--([a-z0-9-]+)", text, re.M)


@fact
def manual_pages_are_those_that_the_command_makes():
    pages = {"frugal.1": run("help", "--man")} | {f"frugal-{name}.1": run("help", "--man", name) for name in COMMANDS}
    for name, made in pages.items():
        assert (ROOT / "man" / name).read_bytes() == made.out, f"man/{name} differs: run scripts/man"
    have = {path.name for path in (ROOT / "man").glob("*.1")}
    assert have == set(pages), have ^ set(pages)


@fact
def manual_pages_have_no_fault_that_mandoc_knows():
    for path in sorted((ROOT / "man").glob("*.1")):
        done = subprocess.run([tool("mandoc"), "-Tlint", "-W", "warning", path], capture_output=True, text=True)
        assert done.returncode == 0 and not done.stdout and not done.stderr, done.stdout + done.stderr


@fact
def completions_are_those_that_the_command_makes():
    for shell, path in ("bash", "completions/frugal.bash"), ("zsh", "completions/_frugal"):
        assert (ROOT / path).read_bytes() == run("help", "--completion", shell).out, f"{path} differs: run scripts/man"
        done = subprocess.run([tool(shell), "-n", ROOT / path], capture_output=True, text=True)
        assert done.returncode == 0 and not done.stderr, done


def completed(*words):
    """What bash offers for `frugal WORDS`, the last of which is being typed."""
    script = (f'. "$0"; COMP_WORDS=(frugal "$@"); COMP_CWORD=$#; _frugal; printf "%s\\n" "${{COMPREPLY[@]}}"')
    done = subprocess.run([tool("bash"), "-c", script, ROOT / "completions/frugal.bash", *words], capture_output=True,
                          text=True)
    assert done.returncode == 0 and not done.stderr, done
    return done.stdout.split()


@fact
def bash_offers_every_command_option_and_choice():
    assert completed("") == [*COMMANDS, "--help", "--version"]
    assert completed("de") == ["decode"]
    for command in COMMANDS:
        wanted = {f"--{long}" for _, long in options_of(command)} | {short for short, _ in options_of(command) if short}
        assert set(completed(command, "-")) == wanted - {"-h"}, (command, completed(command, "-"), wanted)
    assert completed("decode", "--enum", "") == ["name", "number"]
    assert completed("decode", "--enum", "=", "nu") == ["number"]
    assert completed("decode", "--enum", "=") == ["name", "number"]
    assert completed("help", "enc") == ["encode"]
    with folder() as at:
        path = os.path.join(at, "a b.thrift")
        open(path, "w").close()
        assert " ".join(completed("decode", "-i", os.path.join(at, "a"))) == path


@fact
def zsh_offers_every_option():
    text = (ROOT / "completions/_frugal").read_text()
    for command in COMMANDS:
        part = text.split(f"\n    {command})\n")[1].split(";;")[0]
        for short, long in options_of(command):
            assert f"--{long}" in part and (not short or f"{short}," in part or f"'{short}" in part), (command, long)


@fact
def the_guide_names_every_command():
    guide = (ROOT / "docs/guide/command.md").read_text()
    for command in COMMANDS:
        assert f"`frugal {command}`" in guide or f"frugal {command}" in guide, command


main()
