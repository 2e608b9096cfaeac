# SPDX-License-Identifier: MIT
"""What libshadow leaves of the process that it is in, and how it shares it."""

import os
import shutil
import subprocess
import sys
import threading
import time

import harness
from binding import Session, fails
from place import installed


def threads():
    return len(os.listdir("/proc/self/task"))


def facts():
    """What a library must leave as it is; of a process whose threads stay, for one that ends has no list of children."""
    with open("/proc/self/status", encoding="utf-8") as status:
        kept = [line for line in status
                if line.startswith(("Umask", "SigBlk", "SigIgn", "SigCgt", "CapEff", "NoNewPrivs", "Uid", "Gid"))]
    children = []
    for task in os.listdir("/proc/self/task"):
        with open(f"/proc/self/task/{task}/children", encoding="utf-8") as f:
            children += f.read().split()
    return {"status": kept, "children": children, "descriptors": sorted(os.listdir("/proc/self/fd")),
            "namespaces": [os.readlink(f"/proc/self/ns/{name}") for name in ("user", "mnt", "pid")],
            "directory": os.getcwd(), "environment": sorted(os.environ.items()),
            "threads": threads()}


def repository(w):
    w.git_project({"a.txt": "a\n", "f": "f\n"})
    time.sleep(0.03)


def test_leaves_the_process(w):
    """My process has the descriptors, children, rights, namespaces and signals that it had before."""
    repository(w)
    session = Session(w)
    session.run("true")
    session.close()
    # The C library has signals of its own with the first thread, whoever starts that.
    first = threading.Thread(target=lambda: None)
    first.start()
    first.join()
    harness.wait_until(lambda: threads() == 1, 10, "the thread is gone")
    before = facts()
    session = Session(w)
    assert session.sh("for n in $(seq 100); do echo $n >n$n; done; git add -A; git commit -qm agent",
                      policy=["--env=GIT_AUTHOR_NAME=A", "--env=GIT_AUTHOR_EMAIL=a@b.c",
                              "--env=GIT_COMMITTER_NAME=A", "--env=GIT_COMMITTER_EMAIL=a@b.c"]) == 0
    assert len(session.changes()) == 100 and "+100\n" in session.patch()
    done = session.apply()
    assert (done.paths, done.refs) == (100, 1), (done.paths, done.refs)
    assert b"agent" in w.git("log", "-1", "--format=%s").stdout
    assert session.undo().paths == 100
    assert b"begin" in w.git("log", "-1", "--format=%s").stdout
    fails("nothing", session.apply, paths=["nowhere"])
    session.close()
    harness.wait_until(lambda: threads() == 1, 10, "the library's threads are gone")
    after = facts()
    assert after == before, {name: (before[name], after[name]) for name in before if before[name] != after[name]}


def test_unreadable_files(w):
    """A file without rights does not move my process into a namespace: the call says what it could not do."""
    repository(w)
    session = Session(w)
    assert session.sh("echo secret >closed; chmod 0 closed; echo open >open") == 0
    before = facts()["namespaces"]
    if os.geteuid() == 0:
        assert session.apply().paths == 2
    else:
        tree = harness.walk(w.project)
        fails("system", session.apply)
        assert harness.walk(w.project) == tree
        assert session.apply(paths=["open"]).paths == 1
    assert facts()["namespaces"] == before


def test_live_session(w):
    """While a run goes on, another thread lists, applies and takes back, and the run sees it."""
    repository(w)
    session, other = Session(w), Session(w)
    ended = []
    run = threading.Thread(target=lambda: ended.append(session.sh(
        "echo new >new; echo 2 >>a.txt; until test -e stop; do sleep 0.05; done; cat f")))
    run.start()
    harness.wait_until(lambda: has(other, "new"), 20, "the run's file")
    assert other.apply().paths == 2 and w.read("new") == "new\n"
    assert other.undo().paths == 2 and not os.path.exists(w.path("new"))
    assert other.apply(paths=["new"]).paths == 1
    assert not ended
    w.write("stop")
    run.join(30 * harness.TIME_FACTOR)
    assert ended == [0], ended
    assert w.read("a.txt") == "a\n" and [row[1] for row in session.changes()] == ["a.txt"]


def has(session, path):
    try:
        return path in [row[1] for row in session.changes()]
    except Exception as failure:  # pylint: disable=broad-except
        assert getattr(failure, "kind", "") in ("no-session", "stale", "busy"), failure
        return False


def test_threads(w):
    """Several threads call at once, each for a session of its own; every answer is right."""
    repository(w)
    wrong = []

    def work(number):
        try:
            session = Session(w, f"agent {number}")
            for turn in range(3):
                assert session.sh(f"echo {turn} >mine{number}; mkdir -p d; echo {turn} >d/{number}") == 0
                assert {row[1] for row in session.changes()} == {f"mine{number}", f"d/{number}"}
                assert session.apply(paths=[f"mine{number}"]).paths == 1
                assert w.read(f"mine{number}") == f"{turn}\n"
            session.close()
        except BaseException as failure:  # pylint: disable=broad-except
            wrong.append((number, failure))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120 * harness.TIME_FACTOR)
    assert not wrong, wrong


def test_state_by_its_path(w):
    """A state that my environment does not name is used for all of it, by what goes on in the background, too."""
    repository(w)
    elsewhere = os.path.join(w.tmp, "elsewhere")
    os.environ["SHADOW_STATE_DIR"] = elsewhere
    try:
        session = Session(w)
        assert session.sh("for n in $(seq 200); do echo $n >n$n; done") == 0
        assert session.apply().paths == 200
        layer = os.path.join(w.state, "sessions", os.listdir(os.path.join(w.state, "sessions"))[0], "project", "upper")
        harness.wait_until(lambda: not os.listdir(layer), 20, "what was applied has left the session")
        assert not os.path.exists(elsewhere)
        assert w.shadow("--as", "agent", "undo").returncode == 0
        assert os.environ["SHADOW_STATE_DIR"] == elsewhere
        by_environment = Session(w, state=None)
        fails("no-session", by_environment.changes)
        assert os.path.exists(elsewhere)
    finally:
        del os.environ["SHADOW_STATE_DIR"]


INSIDE = """
import ctypes, sys
lib = ctypes.CDLL("./libshadow.so.0.1")
lib.shadow_open.restype = ctypes.c_void_p
lib.shadow_kind_word.restype = ctypes.c_char_p
session = ctypes.c_void_p()
error = lib.shadow_open(None, b".", b"agent", None, None, ctypes.byref(session))
print(lib.shadow_kind_word(lib.shadow_error_kind(ctypes.c_void_p(error))).decode())
"""


def test_inside_of_a_run(w):
    """In a run the library does not review: that is done from outside."""
    shutil.copy(installed().library, w.path("libshadow.so.0.1"))
    done = w.run("python3", "-c", INSIDE)
    assert done.out == "inside\n", (done.out, done.err)


ALONE = """
import ctypes, os, sys
lib = ctypes.CDLL(sys.argv[1])
lib.shadow_open.restype = lib.shadow_run.restype = ctypes.c_void_p
lib.shadow_kind_word.restype = lib.shadow_error_message.restype = ctypes.c_char_p
session, status = ctypes.c_void_p(), ctypes.c_int()
assert not lib.shadow_open(None, b".", b"agent", None, None, ctypes.byref(session))
error = ctypes.c_void_p(lib.shadow_run(session, (ctypes.c_char_p * 2)(b"true", None), None, None, ctypes.byref(status)))
print(lib.shadow_kind_word(lib.shadow_error_kind(error)).decode(), lib.shadow_error_message(error).decode())
"""


def test_programs_are_those_of_the_library(w):
    """A program called shadow in my directory, or in PATH, is never taken for the installed one."""
    place = os.environ["SHADOW_TEST_PREFIX"] + "/bin/shadow"
    if os.path.exists(place):
        raise harness.NotHere("shadow is installed on this machine")
    os.makedirs(w.path("lib"))
    shutil.copy(installed().library, w.path("lib", "libshadow.so.0.1"))
    for trap in ("shadow", "bin/shadow", "usr/local/bin/shadow"):
        w.write(trap, "#!/bin/sh\ntouch trapped\n", 0o755)
    env = {**w.env, "PATH": f"{w.project}:{w.env['PATH']}"}
    for name in (w.path("lib", "libshadow.so.0.1"), "lib/libshadow.so.0.1"):
        done = subprocess.run([sys.executable, "-c", ALONE, name], cwd=w.project, env=env, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        assert done.stdout.startswith("not-started ") and place in done.stdout, (done.stdout, done.stderr)
    assert not os.path.exists(w.path("trapped"))


def test_runs(w):
    """A run gets the three descriptors that I name and no other, and ends with its object."""
    place = installed()
    program = place.program("c++", "c++17", "tests/library/runs.cpp")
    repository(w)
    done = subprocess.run([program, w.state, w.project], env={**w.env, "LD_LIBRARY_PATH": place.libraries},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=False)
    assert done.returncode == 0 and done.stdout == "well\n", done.stdout


def test_reviews(w):
    """My program shows, asks and does all that the command line does, by the headers that are installed."""
    place = installed()
    program = place.program("c++", "c++17", "tests/library/reviews.cpp")
    w.git_project({"a.txt": "one\n"})
    time.sleep(0.03)
    done = subprocess.run([program, w.state, w.project], env={**w.env, "LD_LIBRARY_PATH": place.libraries},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=False)
    assert done.returncode == 0 and done.stdout == "well\n", done.stdout
    assert w.read("a.txt") == "one\n" and not os.path.exists(w.path("b.txt"))


def test_same_as_the_command_line(w):
    """What the command line made is there for the library, and the other way round, word for word."""
    repository(w)
    w.shadow("--as", "agent", "run", "--", "sh", "-c", "echo 2 >>a.txt; ln -s a.txt link; rm f; printf '\\0' >bin")
    session = Session(w)
    assert [(row[0], row[1]) for row in session.changes()] == [("M", "a.txt"), ("A", "bin"), ("D", "f"), ("A", "link")]
    assert session.patch() == w.shadow("--as", "agent", "diff", "--binary").out
    assert session.apply(dry_run=1).paths == 4 and w.read("a.txt") == "a\n"
    done = session.apply()
    assert w.shadow("--as", "agent", "undo", str(done.id)).returncode == 0 and w.read("a.txt") == "a\n"


if __name__ == "__main__":
    harness.main(sys.modules["__main__"])
