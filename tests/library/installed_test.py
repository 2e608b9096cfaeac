# SPDX-License-Identifier: MIT
"""What `meson install` leaves of libshadow is enough to build programs with, and they do their work."""

import os
import re
import subprocess
import sys

import declared
import harness
from place import SOURCE, installed

HEADERS = ["change.hpp", "commits.hpp", "entry.hpp", "failure.hpp", "findings.hpp", "hunk.hpp", "parts.hpp",
           "patch_text.hpp", "promotion.hpp", "rare.hpp", "rare_text.hpp", "records.hpp", "refresh.hpp", "resolution.hpp",
           "review.hpp", "shadow.h", "status.hpp", "steps.hpp", "workspace.hpp", "workspace_changes.hpp",
           "workspace_plan.hpp", "workspace_review.hpp", "workspace_run.hpp", "workspace_types.hpp"]


def example(world, program, *words, stdin=b""):
    env = {**world.env, "LD_LIBRARY_PATH": installed().libraries}
    done = subprocess.run([program, world.project, *words], env=env, input=stdin, cwd="/",
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=False)
    done.out = done.stdout.decode()
    done.err = done.stderr.decode()
    return done


def test_example_in_cpp(w):
    """My C++ program runs a command in a session, shows what it changed, and writes it when I say yes."""
    w.git_project()
    program = installed().program("c++", "c++17", "examples/run_and_apply.cpp")
    command = ["agent", "sh", "-c", "echo four >>a.txt; echo new >b.txt"]
    done = example(w, program, *command, stdin=b"n\n")
    assert done.returncode == 0 and "nothing was written" in done.out, (done.out, done.err)
    assert w.read("a.txt") == "one\ntwo\nthree\n" and not os.path.exists(w.path("b.txt"))
    done = example(w, program, "agent", "true", stdin=b"y\n")
    assert done.returncode == 0 and "wrote 2 paths" in done.out, (done.out, done.err)
    assert "M a.txt\nA b.txt\n" in done.out and "+four\n" in done.out, done.out
    assert w.read("a.txt") == "one\ntwo\nthree\nfour\n" and w.read("b.txt") == "new\n"
    assert "apply" in w.shadow("undo", "--list").out


def test_example_fails_in_kind(w):
    """It tells what a person must decide by a word, and writes nothing then."""
    w.git_project()
    program = installed().program("c++", "c++17", "examples/run_and_apply.cpp")
    before = harness.fingerprint(w.project)
    done = example(w, program, "agent", "sh", "-c", "mkdir .vscode; echo {} >.vscode/tasks.json", stdin=b"y\n")
    assert done.returncode == 1 and done.err.startswith("sensitive: "), (done.out, done.err)
    assert harness.fingerprint(w.project) == before
    done = example(w, program, "agent", "sh", "-c", "exit 7")
    assert done.returncode == 7, (done.out, done.err)


def test_example_in_c(w):
    """My C program runs, lists, applies and takes back."""
    w.git_project()
    program = installed().program("cc", "c99", "examples/run_and_apply.c")
    before = harness.walk(w.project)
    done = example(w, program, "agent", "sh", "-c", "echo four >>a.txt")
    assert done.returncode == 0 and done.err == "", (done.out, done.err)
    assert "M a.txt\n" in done.out and "wrote 1 paths" in done.out and "took 1 back" in done.out, done.out
    assert harness.walk(w.project) == before
    assert [line.split()[0] for line in w.shadow("undo", "--list").out.splitlines()] == ["2", "1"]


def test_headers(w):
    """The headers that are installed need nothing that is not, each by itself."""
    place = installed()
    found = sorted(os.listdir(os.path.join(place.headers, "shadow")))
    assert found == HEADERS, found
    for name in HEADERS:
        language, compiler = ("c", "cc") if name.endswith(".h") else ("c++", "c++")
        source = w.write("source.txt", f"#include <shadow/{name}>\n#include <shadow/{name}>\n")
        place.compile(compiler, "-fsyntax-only", "-x", language, source)
    both = w.write("both.txt", "#include <shadow/shadow.h>\n#include <shadow/workspace.hpp>\n#include <shadow.h>\n")
    place.compile("c++", "-fsyntax-only", "-x", "c++", both)


def test_symbols(_):
    """The library shows the functions of these headers, all of them and no other: nothing clashes with what I link besides."""
    said = installed().call("nm", "-DC", "--defined-only", installed().library)
    shown = set()
    for line in said.splitlines():
        symbol = line.split(" ", 1)[1].removesuffix("@@SHADOW_0")
        if symbol == "A SHADOW_0" or re.match(r"[RV] (typeinfo|typeinfo name|vtable) for shadow::workspace::Failure$|T shadow_", symbol):
            continue
        function = declared.named(symbol[2:])
        assert function and symbol[0] in "TW", symbol
        shown |= {function} if symbol[0] == "T" else set()  # the others are inline: every user has them as well
    wanted = set()
    for name in HEADERS:
        with open(os.path.join(installed().headers, "shadow", name), encoding="utf-8") as header:
            wanted |= declared.declared(header.read()) if name.endswith(".hpp") else set()
    assert shown == wanted, sorted(shown ^ wanted)
    with open(os.path.join(installed().headers, "shadow", "shadow.h"), encoding="utf-8") as header:
        calls = set(re.findall(r"\b(shadow_[a-z_]+)\(", header.read()))
    assert calls == set(re.findall(r" T (shadow_[a-z_]+)@", said)), calls


def test_version(_):
    """pkg-config and the library's name say the version, so that what I link is what I run."""
    place = installed()
    version = place.call("pkg-config", "--modversion", "shadow").strip()
    assert os.path.realpath(place.library).endswith(f"libshadow.so.{version}")
    assert f"libshadow.so.{version.rsplit('.', 1)[0]}]" in place.call("readelf", "-d", place.library)


def test_manual(_):
    """The manual page that comes with it names every call of the C layer and every kind of failure."""
    with open(os.path.join(SOURCE, "man", "libshadow.3"), encoding="utf-8") as page:
        manual = page.read()
    with open(os.path.join(SOURCE, "include", "shadow", "shadow.h"), encoding="utf-8") as header:
        text = header.read()
    names = set(re.findall(r"\b(shadow_[a-z_]+)\(", text)) | set(re.findall(r"\bSHADOW_[A-Z_]+\b(?=[, =])", text))
    names -= {"SHADOW_CHECKED"}
    missing = [name for name in sorted(names) if not re.search(rf"\b{name}\b", manual)]
    assert not missing, missing


if __name__ == "__main__":
    harness.main(sys.modules["__main__"])
