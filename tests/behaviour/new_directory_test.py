# SPDX-License-Identifier: MIT
"""Directories that the user makes within one that the session has made anew, which hides all that the project has in it:
they are not the session's to delete."""

import os
import sys

import harness
from following import followed, seen
from live_server import server


def changes(w):
    """The changes that status lists, and what apply would delete."""
    shown = [line for line in w.shadow("status").out.split("\n\n")[1].splitlines() if line.startswith("  ")]
    return [line.strip() for line in shown]


def make(w, top):
    """A directory of the user's with files and directories at several depths, one of them empty."""
    os.makedirs(w.path(top + "/new/deep/empty"))
    w.write(top + "/new/deep/f", "f\n")
    w.write(top + "/new/g", "g\n")
    os.makedirs(w.path(top + "/empty"))


def test_beside_runs_that_have_ended(w):
    """Between runs: neither status nor apply takes it for a deletion, and a refresh has the next run see it."""
    w.git_project({"pkg/1": "1\n", "pkg/2": "2\n", "pkg/old/x": "x\n"})
    w.sh("rm -r pkg; mkdir pkg; echo new >pkg/1")
    w.wait_settled()
    make(w, "pkg")
    w.write("pkg/old/y", "y\n")
    assert changes(w) == ["M  pkg/1", "D  pkg/2", "D  pkg/old/x"], changes(w)
    w.shadow("refresh")
    assert w.sh("cat pkg/new/deep/f pkg/new/g; ls -d pkg/empty pkg/new/deep/empty").out == \
        "f\ng\npkg/empty\npkg/new/deep/empty\n"
    w.shadow("apply", "--yes")
    assert w.read("pkg/new/deep/f") == "f\n" and w.read("pkg/old/y") == "y\n" and not os.path.exists(w.path("pkg/2"))
    assert os.path.isdir(w.path("pkg/empty")) and os.path.isdir(w.path("pkg/new/deep/empty"))


def test_apply_without_a_refresh(w):
    """An apply writes the session's changes there and leaves yours alone, one that empties such a directory, too."""
    w.git_project({"pkg/1": "1\n", "pkg/2": "2\n"})
    w.sh("rm -r pkg; mkdir pkg; echo new >pkg/1")
    w.wait_settled()
    make(w, "pkg")
    os.unlink(w.path("pkg/new/g"))
    assert "applied 2 changes" in w.shadow("apply", "--yes").out
    assert w.read("pkg/1") == "new\n" and w.read("pkg/new/deep/f") == "f\n" and os.path.isdir(w.path("pkg/empty"))
    w.wait_settled()
    assert w.shadow("status").out.endswith("no changes\n"), w.shadow("status").out
    assert w.sh("ls pkg pkg/new").out == "pkg:\n1\nempty\nnew\n\npkg/new:\ndeep\n"


def test_branch_switched_by_the_agent(w):
    """The agent goes to a branch without the directory and back; a live run sees what you make in it, and works on in it."""
    w.git_project({"pkg/1": "1\n", "pkg/2": "2\n"})
    w.git("checkout", "-qb", "other")
    w.git("rm", "-qr", "pkg")
    w.git("commit", "-qm", "other")
    w.git("checkout", "-q", "main")
    with server(w) as run:
        followed(w)
        run.do("git checkout -q other; git checkout -q main")
        make(w, "pkg")
        w.git("add", "-A")
        w.git("commit", "-qm", "new")
        seen(run, "cat pkg/new/deep/f pkg/new/g 2>&1; ls -d pkg/empty pkg/new/deep/empty 2>&1",
             "f\ng\npkg/empty\npkg/new/deep/empty\n", 5)
        assert "no changes\n" in w.shadow("status").out, w.shadow("status").out
        assert w.shadow("refresh").returncode == 0
        run.do("echo agent >>pkg/new/g; rmdir pkg/empty")
        harness.wait_until(lambda: changes(w) == ["D  pkg/empty/", "M  pkg/new/g"], what=changes(w))
        w.shadow("apply", "--yes")
        assert w.read("pkg/new/g") == "g\nagent\n" and not os.path.exists(w.path("pkg/empty"))
    w.wait_settled()
    assert "no changes\n" in w.shadow("status").out, w.shadow("status").out


def test_ignored(w):
    """In one that git ignores likewise: an apply of the ignored files deletes nothing of yours."""
    w.git_project({".gitignore": "modules\n", "f": "1\n"})
    w.write("modules/a/1", "1\n")
    w.run("true")
    w.wait_settled()
    w.sh("rm -r modules; mkdir -p modules/a; echo 2 >modules/a/1")
    w.wait_settled()
    make(w, "modules")
    done = w.shadow("apply", "--yes", "--ignored", "--allow-sensitive", check=False)
    assert done.returncode == 0, done
    assert w.read("modules/new/deep/f") == "f\n" and os.path.isdir(w.path("modules/empty")), done.out
    assert w.read("modules/a/1") == "2\n"


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
