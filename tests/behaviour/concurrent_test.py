# SPDX-License-Identifier: MIT
"""Applies while somebody else writes: the session's own run, the user, another apply."""

import contextlib
import fcntl
import glob
import os
import signal
import subprocess
import sys
import time

import harness
from stopping import go_on, stopped

CONFLICT = 3
REFUSED = 4

# Whole versions of one file, each of one byte, by one call each.
WRITER = """
import os, sys
how, size = sys.argv[1], int(sys.argv[2])
version = 0
print("ready", flush=True)
while True:
    version = (version + 1) % 200
    text = bytes([32 + version % 90]) * size
    if how == "rename":
        with open("F.new", "wb") as f:
            f.write(text)
        os.rename("F.new", "F")
    else:
        file = os.open("F", os.O_WRONLY | os.O_CREAT)
        os.write(file, text)
        os.close(file)
"""


@contextlib.contextmanager
def ended_at_last(run):
    """A run that goes on until it is told to end, also where the test fails on the way."""
    try:
        yield run
    finally:
        run.terminate()
        run.communicate()


class Writer:
    """A live run that writes F over and over."""

    def __init__(self, w, how, size):
        self.run = w.start("run", "--", "python3", "-c", WRITER, how, str(size),
                           stdout=subprocess.PIPE)
        assert self.run.stdout.readline() == b"ready\n"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.run.terminate()
        self.run.communicate()


def whole(text):
    return len(set(text)) <= 1


def apply_many(w, size, words=("--yes",)):
    """How many of the applies wrote a version; each of the others said that it could not read one."""
    written = 0
    for _ in range(25):
        done = w.shadow("apply", *words, check=False)
        with open(w.path("F"), "rb") as f:
            text = f.read()
        assert whole(text), f"torn: {sorted(set(text))}"
        assert len(text) in (4, size)
        if done.returncode == 0:
            written += 1
        else:
            assert "F" in done.err and "chang" in done.err or "writ" in done.err, done
    return written


def test_written_over_in_place(w):
    """A file that a run writes over and over in place is applied as one of its versions, or not at all."""
    w.write("F", "aaaa")
    for size in (4096, 4 << 20):
        with Writer(w, "in place", size):
            apply_many(w, size, ("--yes", "--on-conflict=theirs"))
        w.wait_settled()
        w.shadow("discard", "--yes")
        w.write("F", "aaaa")


def test_replaced_by_rename(w):
    """A file that a run replaces over and over is applied as one of its versions, or not at all."""
    w.write("F", "aaaa")
    with Writer(w, "rename", 1 << 16):
        apply_many(w, 1 << 16, ("--yes", "--on-conflict=theirs", "F"))


# Two lines of equal length, far apart, change together: a version has the same number in both.
PAIR_WRITER = """
import os, sys, time
gap, number = "\\n" * 200000, 0
print("ready", flush=True)
while True:
    number = (number + 1) % 10
    text = f"first {number}\\n{gap}last {number}\\n"
    file = os.open("F", os.O_WRONLY | os.O_CREAT)
    os.write(file, text.encode())
    os.close(file)
    time.sleep(float(sys.argv[1]) * (number % 4))
"""


def pair_writer(w):
    """The command of a run; its longest pause has room for an apply on this machine, busy as it is."""
    begun = time.time()
    w.shadow("apply", "-n", check=False)
    return "python3", "-c", PAIR_WRITER, str(max(0.08, 4 * (time.time() - begun)))


def test_merged_or_picked_while_written(w):
    """What is merged, or taken hunk by hunk, of a file that a run writes over and over is one version."""
    gap = "\n" * 200000
    base = f"first -\n{gap}last -\n"
    mine = base.replace(gap, "\n" * 100000 + "mine\n" + "\n" * 99999)
    written = 0
    for words, wanted in ((("--on-conflict=merge", "--yes"), "mine"), (("-p",), "")):
        w.write("F", base)
        time.sleep(0.05)
        w.sh("echo >>F")
        w.wait_settled()
        with ended_at_last(w.start("run", "--", *pair_writer(w), stdout=subprocess.PIPE)) as run:
            assert run.stdout.readline() == b"ready\n"
            for _ in range(20):
                w.write("F", mine if wanted else base)
                done = w.shadow("apply", *words, check=False, stdin=b"y\ny\n")
                found = w.read("F").split()
                if done.returncode == 0:
                    written += 1
                    assert found[1] == found[-1] and (not wanted or wanted in found), found
                else:
                    assert found == (mine if wanted else base).split(), found
                    assert "chang" in done.err or "nothing" in done.err, done
        w.wait_settled()
        w.shadow("discard", "--yes", check=False)
    assert written > 0


def test_branch_made_while_written(w):
    """What apply --branch commits of a file that a run writes over and over is one version, or nothing."""
    w.git_project({"a.txt": "one\n"})
    made = 0
    with ended_at_last(w.start("run", "--", *pair_writer(w), stdout=subprocess.PIPE)) as run:
        assert run.stdout.readline() == b"ready\n"
        for number in range(20):
            done = w.shadow("apply", "--branch", f"b{number}", "-m", "m", check=False)
            if done.returncode == 0:
                made += 1
                found = w.git("show", f"b{number}:F").stdout.decode().split()
                assert found[1] == found[-1], found
            else:
                assert "'F' cannot be read" in done.err or "chang" in done.err, done
    assert made > 0


def test_two_applies_of_one_session(w):
    """Of two applies at once the second waits, and finds nothing left to do."""
    w.write("F", "base\n")
    w.sh("echo one >F; echo two >G")
    first = stopped(w, "before-swap:1", "apply", "--yes")
    second = w.start("apply", "--yes", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(0.3)
    assert second.poll() is None
    code, said = go_on(first)
    assert code == 0, said
    out, err = second.communicate(timeout=60)
    assert second.returncode in (0, CONFLICT, REFUSED), (out, err)
    assert w.read("F") == "one\n" and w.read("G") == "two\n"
    assert w.shadow("diff").out == ""
    assert sorted(os.listdir(w.project)) == ["F", "G"]


def test_a_directory_that_goes_under_an_apply(w):
    """Where a run removes a directory while an apply reads it, the apply looks again, or names it, as it does a file."""
    w.write("F", "base\n")
    live = w.start("run", "--", "sh", "-c", "echo one >F; mkdir dd; echo 1 >dd/1; echo; read line; rm -rf dd; echo; "
                   "read line", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        live.stdout.readline()
        apply = stopped(w, "journal-begun:1", "apply", "--yes")
        live.stdin.write(b"\n")
        live.stdin.flush()
        live.stdout.readline()
        code, said = go_on(apply)
        assert code == 0 or (code == REFUSED and "'dd" in said and "look at the changes again" in said), (code, said)
        assert w.read("F") == ("one\n" if code == 0 else "base\n") and os.listdir(w.project) == ["F"]
    finally:
        live.communicate(b"\n", timeout=30)


def test_two_applies_of_two_sessions(w):
    """Two sessions applied at once come one after the other; the later one meets the earlier as a conflict."""
    for order in (("a", "b"), ("b", "a")):
        w.write("F", "base\n")
        for name in "ab":
            w.shadow("discard", "--as", name, "--yes", check=False)
            w.shadow("run", "--as", name, "--", "sh", "-c", f"echo {name} >F; echo {name} >{name}")
        w.wait_settled()
        first = stopped(w, "before-swap:1", "apply", "--as", order[0], "--yes")
        second = w.start("apply", "--as", order[1], "--yes", stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE)
        time.sleep(0.3)
        assert go_on(first)[0] == 0
        out, err = second.communicate(timeout=60)
        assert second.returncode == CONFLICT, (second.returncode, out, err)
        assert w.read("F") == order[0] + "\n"
        assert not os.path.exists(w.path(order[1]))
        w.shadow("apply", "--as", order[1], "--yes", order[1])
        assert w.read(order[1]) == order[1] + "\n"
        for name in "ab":
            os.unlink(w.path(name))


def test_waits_only_so_long(w):
    """An apply that another one keeps waiting is told so, and works later."""
    w.write("F", "base\n")
    w.sh("echo one >F")
    w.shadow("run", "--as", "other", "--", "sh", "-c", "echo two >G")
    first = stopped(w, "before-swap:1", "apply", "--as", "default", "--yes")
    second = w.shadow("apply", "--as", "other", "--yes", check=False)
    assert second.returncode == REFUSED and "another apply" in second.err, second.err
    assert go_on(first)[0] == 0
    w.shadow("apply", "--as", "other", "--yes")
    assert w.read("G") == "two\n"


def test_edited_between_check_and_swap(w):
    """An edit of the user's that lands between check and swap is a conflict, and stays."""
    def replace():
        w.write("F.user", "user\n")
        os.rename(w.path("F.user"), w.path("F"))

    edits = {"in place": lambda: w.write("F", "user\n"), "replaced": replace,
             "deleted": lambda: os.unlink(w.path("F"))}
    for name, edit in edits.items():
        for point in ("journal-begun:1", "staged:1", "before-swap:1"):
            w.write("F", "base\n")
            w.shadow("discard", "--yes", check=False)
            w.sh("echo agent >F; echo agent >G")
            w.wait_settled()
            run = stopped(w, point, "apply", "--yes")
            edit()
            code, said = go_on(run)
            assert code == CONFLICT and "F" in said, (name, point, code, said)
            if name == "deleted":
                assert not os.path.exists(w.path("F"))
            else:
                assert w.read("F") == "user\n", (name, point)
            assert not os.path.exists(w.path("G"))
            assert w.run("cat", "F", "G").out == "agent\nagent\n"
            assert [n for n in os.listdir(w.project) if n != "F"] == []


NEW_DIRECTORY = "mkdir -p new/sub; for f in f f-old sub/g; do echo agent >new/$f; done; echo agent >G"


def test_directory_made_by_the_user_meanwhile(w):
    """A directory that the user makes where an apply is about to put one is a conflict, and stays."""
    for point in ("journal-begun:1", "staged:1", "journal-staged:1"):
        w.sh(NEW_DIRECTORY)
        w.wait_settled()
        run = stopped(w, point, "apply", "--yes")
        os.mkdir(w.path("new"))
        w.write("new/f", "user\n")
        code, said = go_on(run)
        assert code == CONFLICT and "new" in said, (point, code, said)
        assert os.listdir(w.project) == ["new"] and os.listdir(w.path("new")) == ["f"], point
        assert w.read("new/f") == "user\n"
        os.unlink(w.path("new/f"))
        os.rmdir(w.path("new"))
        w.shadow("discard", "--yes")


def test_worked_in_before_a_rollback(w):
    """What the user edits in or adds to a directory of an interrupted apply stays when that is taken back."""
    for point in ("swapped:1", "before-commit:1"):
        w.sh(NEW_DIRECTORY)
        w.wait_settled()
        run = stopped(w, point, "apply", "--yes")
        assert w.read("new/f-old") == "agent\n", "the directory is not there yet"
        w.write("new/f", "the user's\n")
        w.write("new/sub/mine", "mine\n")
        os.kill(run.pid, signal.SIGKILL)
        run.communicate()
        w.shadow("status")
        left = sorted(os.path.relpath(os.path.join(place, name), w.project)
                      for place, _, names in os.walk(w.project) for name in names)
        assert left == ["new/f", "new/sub/mine"], (point, left)
        assert w.read("new/f") == "the user's\n" and w.read("new/sub/mine") == "mine\n"
        assert w.run("cat", "new/f-old", "new/sub/g", "G").out == "agent\n" * 3
        w.shadow("discard", "--yes")
        for name in ("new/f", "new/sub/mine"):
            os.unlink(w.path(name))
        os.rmdir(w.path("new/sub"))
        os.rmdir(w.path("new"))


def test_refresh_waits_for_an_apply(w):
    """A refresh waits for an apply of another session, and merges what it wrote."""
    lines = "".join(f"{n}\n" for n in range(30))
    w.write("F", lines)
    w.shadow("run", "--as", "a", "--", "sed", "-i", "s/^5$/a/", "F")
    w.shadow("run", "--as", "b", "--", "sed", "-i", "s/^20$/b/", "F")
    w.wait_settled()
    first = stopped(w, "swapped:1", "apply", "--as", "a", "--yes")
    second = w.start("refresh", "--as", "b", stdout=subprocess.PIPE)
    time.sleep(0.3)
    assert second.poll() is None
    assert go_on(first)[0] == 0
    out, _ = second.communicate(timeout=60)
    assert second.returncode == 0 and b"merged" in out, out
    w.shadow("apply", "--as", "b", "--yes")
    assert w.read("F") == lines.replace("\n5\n", "\na\n").replace("\n20\n", "\nb\n")


def test_a_run_that_cannot_begin_says_so(w):
    """Where what the last run left neither ends nor lets anybody join, the next run does not wait for ever; another
    session's begins."""
    w.run("true")
    w.wait_settled()
    (live,) = glob.glob(os.path.join(w.state, "sessions", "*", "live"))
    with open(live) as held:
        fcntl.flock(held, fcntl.LOCK_SH)
        began = time.monotonic()
        done = w.run("true", check=False)
        assert done.returncode == 125 and "do not end" in done.err and "--as" in done.err, done
        assert time.monotonic() - began < 20 * harness.TIME_FACTOR
        assert w.shadow("run", "--as", "other", "--", "true").returncode == 0
    assert w.run("true").returncode == 0


def test_a_run_waits_until_the_last_one_is_recorded(w):
    """A run that needs a mount of its own waits while a process records what the run before it left, which takes
    long where that is very much."""
    w.run("true")
    w.wait_settled()
    w.shadow("run", "--", "touch", "new", env={"SHADOW_FAIL": "runs-imported:1=stop"})
    harness.wait_until(lambda: w.stopped(), what="the process that records the run")
    waiting = w.start("run", "--home=private", "--", "echo", "begun", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(12)
    assert waiting.poll() is None, waiting.communicate()
    os.kill(w.stopped()[0], signal.SIGCONT)
    out, err = waiting.communicate(timeout=60)
    assert (waiting.returncode, out) == (0, b"begun\n"), err


def test_a_discard_waits_until_the_last_run_is_recorded(w):
    """A session is not called live while a process records what its last run left, which takes long where that is very
    much: a discard waits for it."""
    discards = {"one": ["discard", "--yes"], "two": ["discard", "--yes", "--kill"]}
    for name in discards:
        w.shadow("run", "--as", name, "--", "true")
    w.wait_settled()
    for count, name in enumerate(discards, 1):
        w.shadow("run", "--as", name, "--", "touch", "new", env={"SHADOW_FAIL": "runs-imported:1=stop"})
        harness.wait_until(lambda: len(w.stopped()) == count, what="the process that records the run")
    waiting = [w.start(*words, "--as", name, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
               for name, words in discards.items()]
    time.sleep(12)
    for discard in waiting:
        assert discard.poll() is None, discard.communicate()
    for process in w.stopped():
        os.kill(process, signal.SIGCONT)
    for discard in waiting:
        assert discard.wait(60) == 0, discard.communicate()


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
