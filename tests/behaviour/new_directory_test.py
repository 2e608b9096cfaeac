# SPDX-License-Identifier: MIT
"""Directories that the user makes within one that the session has made anew, which hides all that the project has in it:
they are not the session's to delete."""

import glob
import os
import sys

import harness
from following import followed, seen
from live_server import server
from statuses import listed


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
    assert listed(w) == ["M  pkg/1", "D  pkg/2", "D  pkg/old/x"], listed(w)
    w.shadow("refresh")
    assert w.sh("cat pkg/new/deep/f pkg/new/g; ls -d pkg/empty pkg/new/deep/empty").out == \
        "f\ng\npkg/empty\npkg/new/deep/empty\n"
    w.shadow("apply", "--yes")
    assert w.read("pkg/new/deep/f") == "f\n" and w.read("pkg/old/y") == "y\n" and not os.path.exists(w.path("pkg/2"))
    assert os.path.isdir(w.path("pkg/empty")) and os.path.isdir(w.path("pkg/new/deep/empty"))


def test_next_run_sees_it(w):
    """The next run, however short, has what you made there meanwhile; what the session deleted stays away."""
    w.git_project({"pkg/1": "1\n", "pkg/2": "2\n", "pkg/old/x": "x\n", ".gitignore": "out\n", "out/o": "o\n"})
    w.sh("rm -r pkg out; mkdir -p pkg/old out; echo new >pkg/1; echo x2 >pkg/old/x")
    w.wait_settled()
    make(w, "pkg")
    w.write("pkg/a b\n", "a\n")
    w.write("pkg/old/y", "y\n")
    w.write("pkg/2", "yours\n")
    assert w.sh("cat pkg/new/deep/f pkg/new/g pkg/'a b\n' pkg/old/y; ls -d pkg/empty pkg/2 || :").out == \
        "f\ng\na\ny\npkg/empty\n"
    assert listed(w) == ["M  pkg/1", "D  pkg/2  (conflict: changed in the project, deleted in the session)",
                          "M  pkg/old/x"], listed(w)
    w.write("pkg/old/y", "y\ny\n")
    os.unlink(w.path("pkg/new/g"))
    w.write("pkg/old/z", "z\n")
    assert w.sh("cat pkg/old/y pkg/old/z; ls pkg/new").out == "y\ny\nz\ndeep\n"
    assert not w.exists("pkg/new/g") and w.read("pkg/2") == "yours\n"


def test_nothing_is_looked_for_twice(w):
    """Only what comes to such a directory has the next run look, and what git ignores has none."""
    w.git_project({"pkg/1": "1\n", ".gitignore": "out\n"})
    w.write("out/o", "o\n")
    w.sh("rm -r pkg out; mkdir pkg out; echo new >pkg/1; echo o >out/o")
    w.wait_settled()
    note = glob.glob(w.state + "/sessions/*/made-anew")[0]
    first = open(note, "rb").read()
    w.write("pkg/1", "yours\n")  # in conflict, in place
    w.run("true")
    assert open(note, "rb").read() == first
    w.write("out/p", "p\n")
    w.run("true")
    second = open(note, "rb").read()
    assert b"-1\0out\0" in second and second != first
    w.write("out/q", "q\n")
    w.run("true")
    assert open(note, "rb").read() == second


def test_made_within_one_of_its_own(w):
    """In a directory that the session made within the one made anew, too: what you add there is no conflict."""
    w.git_project({"pkg/old/x": "x\n"})
    w.sh("rm -r pkg; mkdir -p pkg/old; echo new >pkg/old/s")
    w.wait_settled()
    w.write("pkg/old/y", "y\n")
    assert listed(w) == ["A  pkg/old/s", "D  pkg/old/x"], listed(w)
    w.shadow("apply", "--yes")
    assert w.read("pkg/old/y") == "y\n" and w.read("pkg/old/s") == "new\n" and not w.exists("pkg/old/x")


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
        harness.wait_until(lambda: listed(w) == ["D  pkg/empty/", "M  pkg/new/g"], what=listed(w))
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
