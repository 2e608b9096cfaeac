# SPDX-License-Identifier: MIT
"""What a session knows that is used while it has neither changes nor another run."""

import os
import shutil
import subprocess
import sys
import time

import harness
from applies import lines
from seen_edits import apply, begin, by_agent, by_user, refused, tick

PICTURE = "GIF89a\0"
STAMPED_FINELY = ("ext2/ext3", "xfs", "btrfs", "tmpfs")


def settled_run(w, *words):
    w.run(*words)
    w.wait_settled()
    tick()


def test_begun_anew(w):
    """A session without changes that is used after your change has that before it: what a run then deletes, or makes
    something else of, is no conflict. Only a text with the old lines still is."""
    begin(w, {"gone": "1\n", "link": "2\n", "dir": "3\n", "mode": "4\n", "f": lines(), "d/gone": "5\n",
              "d/kept": "6\n"})
    for name in ("gone", "link", "dir", "d/gone"):
        by_user(w, name, "user\n")
    by_user(w, "f", lines(l5="user"))
    by_user(w, "new", "user\n")
    by_user(w, "d/new", "user\n")
    by_user(w, "into/new", "user\n")
    os.chmod(w.path("mode"), 0o700)
    tick()
    settled_run(w, "sh", "-c", "rm -r gone new d into; rm link dir; ln -s f link; mkdir dir; echo agent >dir/x; "
                "chmod 755 mode")
    by_agent(w, "f", lines(l20="agent"))
    said = refused(w)
    assert "'f' (the session's version takes a change of the project's back)" in said, said
    assert said.count("(") == 1, said
    status = w.shadow("status").out
    assert status.count("replaces what the project changed") >= 5, status
    assert "'gone'" in refused(w, "--on-conflict=stop", "gone")
    apply(w, "--on-conflict=skip", check=False)
    left = sorted(os.listdir(w.project))
    assert left == [".git", "dir", "f", "link", "mode"], (left, w.shadow("status").out)
    assert os.readlink(w.path("link")) == "f" and w.read("dir/x") == "agent\n"
    assert os.stat(w.path("mode")).st_mode & 0o777 == 0o755 and w.read("f") == lines(l5="user")


def test_changed_right_before_a_run(w):
    """What a script changes just before it starts a run is before that; on a kernel that stamps no finer, but for what
    falls into the same tick of the clock."""
    begin(w, {"f": lines()})
    fine = tuple(int(part) for part in os.uname().release.split(".")[:2]) >= (6, 13) and subprocess.run(
        ["stat", "-f", "-c", "%T", w.project], stdout=-1, check=True).stdout.decode().strip() in STAMPED_FINELY
    conflicts = 0
    for n in range(12):
        settled_run(w, "true")
        w.write(f"n{n}", "user\n")
        if not fine:
            tick()
        w.run("rm", f"n{n}")
        w.wait_settled()
        conflicts += "conflict" in w.shadow("status").out
        w.shadow("discard", "--yes", f"n{n}")
    assert conflicts == 0, conflicts


def test_over_at_once(w):
    """A run that is over within a tick of the clock has what you changed before it, as a longer one has."""
    begin(w, {"f": lines()})
    conflicts = 0
    for n in range(16):
        by_user(w, "f", lines(l5=f"user {n}"))
        w.run("rm", "f")
        w.wait_settled()
        conflicts += "conflict" in w.shadow("status").out
        w.shadow("discard", "--yes", "f")
    assert conflicts == 0, conflicts


def test_deleted_beside_changes(w):
    """Where the session had changes as the run began, or another run went on, what it deletes of what you changed is a
    conflict: it may go on from what it read before."""
    begin(w, {"f": lines(), "g": lines()})
    by_agent(w, "own", "agent\n")
    by_user(w, "f", lines(l5="user"))
    settled_run(w, "rm", "f")
    assert "'f' (changed in the project, deleted in the session)" in refused(w)
    w.shadow("discard", "--yes")
    settled_run(w, "true")
    by_user(w, "g", lines(l5="user"))
    live = w.start("run", "--", "cat", stdin=harness.subprocess.PIPE)
    harness.time.sleep(0.5 * harness.TIME_FACTOR)
    by_user(w, "g", lines(l5="once more"))
    w.run("rm", "g")
    live.communicate()
    w.wait_settled()
    said = refused(w)
    assert "'g' (changed in the project, deleted in the session)" in said, said


def test_changed_since_the_session_began_anew(w):
    """What you change after the run began, or move there with a directory, was not before it."""
    begin(w, {"f": lines(), "d/f": lines(), "other/f": lines()})
    by_user(w, "f", lines(l5="user"))
    by_user(w, "other/f", lines(l5="user"))
    settled_run(w, "sh", "-c", "rm f d/f")
    by_user(w, "f", lines(l5="once more"))
    os.rename(w.path("d"), w.path("old"))
    os.rename(w.path("other"), w.path("d"))
    tick()
    said = refused(w)
    assert "'f' (changed in the project" in said and "'d/f' (" in said, said


def test_anew_after_an_apply(w):
    """What was applied is no change any more: the session begins anew with the next run."""
    begin(w, {"f": lines(), "d/g": lines(), "d/stays": "x\n"})
    by_agent(w, "f", lines(l20="agent"))
    by_agent(w, "d/g", lines(l20="agent"))
    apply(w)
    by_user(w, "f", lines(l5="user", l20="agent"))
    by_user(w, "d/g", lines(l5="user", l20="agent"))
    settled_run(w, "rm", "f", "d/g")
    by_user(w, "d/other", "user\n")
    by_user(w, "other", "user\n")
    apply(w)
    assert not os.path.exists(w.path("f")) and not os.path.exists(w.path("d/g"))


def test_pulled_without_a_base(w):
    """What is no text, or gone, needs no base: a picture that you replaced, of which none is known, is the next
    run's."""
    begin(w, {"f": lines()})
    by_user(w, ".gitignore", "*.png\n")
    by_user(w, "a.png", PICTURE + "user")
    by_user(w, "b.png", PICTURE + "user")
    w.shadow("discard", "--yes")
    w.run("true")
    w.wait_settled()
    by_user(w, "a.png", PICTURE + "again")
    by_user(w, "b.png", PICTURE + "again")
    settled_run(w, "sh", "-c", "printf 'GIF89a\\0agent' >a.png; rm b.png")
    apply(w, "--ignored")
    assert w.read("a.png") == PICTURE + "agent" and not os.path.exists(w.path("b.png"))


def test_undone_again(w):
    """A file that you have put in the place of a directory, and that the agent deletes: applied and undone, it is no
    conflict."""
    w.git_project({"d/a": "one\n", "b": "two\n"})
    w.sh("true")
    w.wait_settled()
    shutil.rmtree(w.path("d"))
    w.write("d", "mine\n")
    time.sleep(0.3 * harness.TIME_FACTOR)
    w.sh("rm d")
    assert w.shadow("status").out.split("\n\n")[1].rstrip() == "  D  d"
    w.shadow("apply", "--yes")
    w.shadow("undo", "--yes")
    assert w.read("d") == "mine\n"
    assert w.shadow("status").out.split("\n\n")[1].rstrip() == "  D  d"


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
