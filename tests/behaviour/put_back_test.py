# SPDX-License-Identifier: MIT
"""What an agent has changed and put back is no change of its own: its next run has what you saved there meanwhile."""

import glob
import itertools
import os
import signal
import sqlite3
import sys
import time

import harness
from following import followed, seen
from live_server import server
from moves import listed, stop_follower
from repository import text

FILES = {"f": "1\n", "z": "z\n"}
IN_DIRECTORY = {"d/f": "1\n", "d/g": "g\n", "z": "z\n"}


def saved(w):
    w.write("f", "1\nuser\n")


def deleted(w):
    os.unlink(w.path("f"))


def made(w):
    w.write("new", "user\n")


CASES = {
    "written": ("echo agent >>f", saved, "printf '1\\n' >f"),
    "by git": ("echo agent >>f", saved, "git checkout -q ."),
    "made anew": ("rm f", saved, "printf '1\\n' >f"),
    "mode": ("chmod +x f", saved, "chmod -x f"),
    "moved away": ("mv f g", saved, "mv g f"),
    "deleted by you": ("echo agent >>f", deleted, "printf '1\\n' >f"),
    "made by both": ("echo agent >new", made, "rm new"),
}


def test_seen_by_the_next_run(w):
    """The next run has it, whatever the agent had done, alone or beside a change."""
    w.git_project(FILES)
    for beside in ("", "; echo agent >>z"):
        for name, (first, user, second) in CASES.items():
            w.sh(first)
            w.wait_settled()
            time.sleep(0.02)
            user(w)
            time.sleep(0.02)
            w.sh(second + beside)
            w.wait_settled()
            names = [name for name in ("f", "new") if os.path.exists(w.path(name))]
            assert w.sh("ls f new 2>/dev/null; true").out.split() == names, (name, beside)
            shown = w.run("cat", *names, "z").out
            assert shown == "".join(map(w.read, names)) + "z\n" + ("agent\n" if beside else ""), (name, beside, shown)
            changed = [line.split()[-1] for line in w.shadow("status", "--porcelain").out.splitlines()]
            assert changed == (["z"] if beside else []), (name, beside, changed)
            w.shadow("discard", "--yes")
            w.git("checkout", "-q", ".")
            w.git("clean", "-qfd")


def test_in_a_directory_that_was_made_again(w):
    """Likewise in a directory that one run has deleted and a later one has brought back, by git or by itself."""
    w.git_project(IN_DIRECTORY)
    ways = ("git checkout -q d", "mkdir d; printf '1\\n' >d/f; printf 'g\\n' >d/g")
    for way, beside in itertools.product(ways, ("", "; echo agent >>z", "; echo agent >d/new")):
        w.sh("rm -r d")
        w.wait_settled()
        time.sleep(0.02)
        w.write("d/f", "1\nuser\n")
        time.sleep(0.02)
        w.sh(way + beside)
        w.wait_settled()
        shown = w.run("cat", "d/f", "d/g").out
        assert shown == "1\nuser\ng\n", (way, beside, shown)
        changed = [line.split()[-1] for line in w.shadow("status", "--porcelain").out.splitlines()]
        assert changed == beside.replace(">>", ">").split(">")[1:], (way, beside, changed)
        w.shadow("discard", "--yes")
        w.git("checkout", "-q", ".")


def test_what_you_add_to_a_directory_that_was_made_again(w):
    """What you put into a directory that the agent has deleted is shown to it once a part of the directory is back, by
    the agent, a discard or an apply, and is never its to delete."""
    w.git_project(IN_DIRECTORY)
    shadow = {"discard": ("discard", "--yes", "d/f"), "apply": ("apply", "--yes", "d/f")}
    ways = {
        "by git": ("git checkout -q d/f", None, ["d/g"]),
        "by itself": ("mkdir d; printf '1\\n' >d/f", None, ["d/g"]),
        "with more": ("git checkout -q d; echo agent >d/own", None, ["d/own"]),
        "discarded": ("true", "discard", ["d/g"]),
        "another, discarded": ("mkdir d; echo agent >d/f", "discard", ["d/g"]),
        "applied": ("mkdir d; echo agent >d/f", "apply", ["d/g"]),
    }
    for name, (way, command, wanted) in ways.items():
        w.sh("rm -r d")
        w.wait_settled()
        time.sleep(0.02)
        w.write("d/mine", "mine\n")
        w.write("d/s/mine", "mine\n")
        time.sleep(0.02)
        w.sh(way)
        w.wait_settled()
        if command:
            w.shadow(*shadow[command])
        for _ in range(2):
            assert w.sh("cat d/mine d/s/mine; git add -A").out == "mine\nmine\n", name
            w.wait_settled()
            changed = [line.split()[-1] for line in w.shadow("status", "--porcelain").out.splitlines()]
            assert changed == wanted, (name, changed)
        w.shadow("apply", "--yes")
        assert w.read("d/mine") == w.read("d/s/mine") == "mine\n", name
        w.git("checkout", "-q", ".")
        w.git("clean", "-qfd")
        w.shadow("discard", "--yes")


def test_the_same_on_both_sides(w):
    """What you have made of a file as the agent did hides nothing of yours once an apply has found nothing to do: your next
    save is shown to the next run, and is no conflict with what that adds."""
    text20 = "".join(f"{n}\n" for n in range(20))
    w.git_project({"f": text20, "d/g": text20, "l": "l\n"})
    w.sh("sed -i s/^5$/agent/ f d/g; echo new >new; rm l; ln -s f l")
    w.wait_settled()
    for path in ("f", "d/g"):
        w.write(path, text20.replace("5\n", "agent\n", 1))
    w.write("new", "new\n")
    os.unlink(w.path("l"))
    os.symlink("f", w.path("l"))
    time.sleep(0.02)
    assert "nothing to apply" in w.shadow("apply", "--yes").out
    for path in ("f", "d/g"):
        w.write(path, w.read(path).replace("19\n", "user\n"))
    w.write("new", "new\nuser\n")
    time.sleep(0.02)
    assert w.run("tail", "-qn", "1", "f", "d/g", "new").out == "user\n" * 3
    w.sh("sed -i s/^user$/user+agent/ f; echo more >>new")
    w.wait_settled()
    w.shadow("apply", "--yes")
    assert w.read("f").endswith("user+agent\n") and w.read("new") == "new\nuser\nmore\n"


def test_a_base_that_nobody_noted(w):
    """A file that you were writing whenever the ledger looked has its base from the session's beginning: the two changes are
    shown and merged as ever."""
    text20 = "".join(f"{n}\n" for n in range(20))
    w.git_project({"f": text20, "g": text20})
    w.sh("sed -i s/^5$/agent/ f g")
    w.wait_settled()
    with sqlite3.connect(glob.glob(w.state + "/*.db")[0]) as database:
        assert database.execute("DELETE FROM bases WHERE path = CAST('f' AS BLOB)").rowcount == 1
    database.close()
    w.write("f", text20 + "user\n")
    assert "-user" not in w.shadow("diff").out
    w.shadow("apply", "--yes")
    assert w.read("f") == text20.replace("5\n", "agent\n", 1) + "user\n"


def test_not_taken_out_of_your_branch(w):
    """A commit of all that the agent has changed leaves alone what you committed where it has put back its own."""
    w.git_project(FILES)
    w.sh("echo agent >>f")
    w.wait_settled()
    saved(w)
    time.sleep(0.02)
    w.sh("git checkout -q .; echo agent >>z")
    w.git("commit", "-qam", "user")
    w.wait_settled()
    w.sh("git commit -qam agent")
    w.wait_settled()
    w.shadow("apply", "--yes")
    assert text(w, "diff", "--name-only", "HEAD~", "HEAD") == "z"
    assert text(w, "show", "HEAD:f") == "1\nuser" and w.read("f") == "1\nuser\n"
    assert text(w, "status", "--porcelain") == ""


def test_what_it_was_shown_and_took_back_is_a_change(w):
    """An agent that takes back what it was shown of yours has changed that."""
    w.git_project(FILES)
    w.sh("echo agent >>z")
    w.wait_settled()
    saved(w)
    assert w.run("cat", "f").out == "1\nuser\n"
    w.sh("git checkout -q f")
    w.wait_settled()
    assert w.run("cat", "f").out == "1\n"
    assert "f" in w.shadow("status", "--porcelain").out


def test_what_you_delete_after_it(w):
    """A live run's git writes a file anew as you have saved it, and you delete the file: your deletion stands, while the
    run goes on and when it has ended before its view could follow."""
    w.git_project(FILES)
    for ends in (False, True):
        with server(w) as run:
            followed(w)
            saved(w)
            w.git("commit", "-qam", "user")
            seen(run, "cat f; git status --porcelain", "1\nuser\n", 5)
            follower = stop_follower(w)
            run.do("rm f; git checkout -q f")
            w.shadow("status")
            deleted(w)
            listed(w, "")
            if not ends:
                os.kill(follower, signal.SIGCONT)
                seen(run, "ls", "z\n", 5)
        if ends:
            os.kill(follower, signal.SIGCONT)
        w.wait_settled()
        listed(w, "")
        assert w.run("ls").out == "z\n"
        w.write("f", "1\n")
        w.git("commit", "-qam", "back")


def refused_discards(w):
    w.sh("echo agent >>b; rm -r e; echo agent >e")
    time.sleep(0.3 * harness.TIME_FACTOR)
    w.write("e/a", "1\nuser\n")
    for words in (["--yes", "e/a"], ["--yes", "b", "e/a"], ["-p", "b", "e/a"]):
        done = w.shadow("discard", *words, check=False, stdin=b"y\ny\n")
        assert done.returncode == 2 and "'e' is a file in the session" in done.err, (done.returncode, done.err)
        status = w.shadow("status").out
        assert "M  b\n" in status and "D  e/a  (conflict" in status, (words, status)
    w.shadow("apply", "--yes", "--on-conflict=skip", check=False)
    assert w.read("e/a") == "1\nuser\n" and w.read("b") == "b\nagent\n"


def test_a_discard_that_is_refused(w):
    """What cannot be discarded alone stays what it was, and so does what was named beside it: a file of yours that the
    agent has deleted with its directory, and you have changed, is in conflict as before."""
    w.git_project({"b": "b\n", "e/a": "1\n", "e/b": "2\n"})
    refused_discards(w)


def test_a_discard_that_is_refused_beside_a_run(w):
    """Likewise while a run goes on."""
    w.git_project({"b": "b\n", "e/a": "1\n", "e/b": "2\n"})
    with server(w):
        refused_discards(w)


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
