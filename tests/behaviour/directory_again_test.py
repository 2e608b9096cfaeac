# SPDX-License-Identifier: MIT
"""Directories that the user makes again beside a run, once they were replaced or deleted."""

import glob
import os
import shutil
import signal
import sys

import harness
from edits import remove
from following import followed, seen
from live_server import server, just_begun
from moves import changes, listed, settle, stop_follower


def test_comes_back(w):
    """You put a file in the place of a directory, the agent deletes that, and you bring the directory back: what is in it
    is not the agent's to delete, also when its run has ended."""
    w.git_project({"g/1": "1\n", "o": "o\n"})
    with just_begun(w) as run:
        harness.wait_until(lambda: glob.glob(w.state + "/sessions/*/base-tree"), what="the base tree")
        remove(w)
        w.write("g", "mine\n")
        seen(run, "cat g 2>&1 || :", "mine\n", 5)
        run.do("rm g")
        w.shadow("status")
        followed(w)
        os.unlink(w.path("g"))
        w.git("checkout", "g")
        settle()
        assert "  D  g/1  (conflict: something else on each side)" in changes(w), changes(w)
    w.wait_settled()
    assert "  D  g/1  (conflict: something else on each side)" in changes(w), changes(w)
    w.shadow("apply", "--yes", "--", "g/1", check=False)
    assert w.read("g/1") == "1\n"


def test_comes_back_from_a_copy(w):
    """What the view has followed you with, a file or nothing in a directory's place, is none of the agent's when the
    directory comes back."""
    w.git_project({"g/1": "1\n", "h/1": "1\n", "o": "o\n"})
    with server(w) as run:
        followed(w)
        run.do("rm g/1 h/1; git checkout -q g h")
        w.shadow("status")
        remove(w)
        w.write("g", "mine\n")
        shutil.rmtree(w.path("h"))
        settle()
        run.do("rm g/1 h/1 2>/dev/null || :")
        w.write("o", "saved\n")
        seen(run, "cat g o; ls", "mine\nsaved\ng\no\n")
        follower = stop_follower(w)
        os.unlink(w.path("g"))
        w.git("checkout", "g", "h")
        listed(w, "")
        os.kill(follower, signal.SIGCONT)
        seen(run, "cat g/1 h/1 || :", "1\n1\n")
        listed(w, "")
    w.wait_settled()
    assert "no changes" in w.shadow("status").out and w.run("cat", "g/1", "h/1").out == "1\n1\n"


def test_made_again_and_emptied(w):
    """Nor is a directory that you make again after its deletion was applied, empty, and remove."""
    w.git_project({"g/1": "1\n", "g/h/2": "2\n", "o": "o\n"})
    with server(w) as run:
        followed(w)
        run.do("rm -r g")
        w.shadow("apply", "--yes")
        w.git("checkout", ".")
        seen(run, "cat g/1 g/h/2 || :", "1\n2\n")
        os.unlink(w.path("g/1"))
        os.unlink(w.path("g/h/2"))
        seen(run, "find g", "g\ng/h\n")
        remove(w)
        seen(run, "ls", "o\n")
        listed(w, "")
    w.wait_settled()
    listed(w, "")


def test_made_again_where_both_had_deleted(w):
    """The agent deletes a file, you put another thing in the place of its directory, make that again, and the agent works
    on in it: the file that you bring back is seen, and no apply deletes it."""
    w.git_project({"g/1": "1\n", "g/2": "2\n", "o": "o\n"})
    with server(w) as run:
        run.do("rm g/2")
        followed(w)
        shutil.rmtree(w.path("g"))
        w.write("g", "mine\n")
        seen(run, "cat g 2>&1 || :", "mine\n")
        os.unlink(w.path("g"))
        w.write("g/1", "again\n")
        seen(run, "cat g/1 2>&1 || :", "again\n")
        settle()
        run.do("echo agent >>g/1")
        settle()
        w.write("g/2", "2\n")
        seen(run, "cat g/2 2>&1 || :", "2\n")
        listed(w, "  M  g/1")
    w.wait_settled()
    listed(w, "  M  g/1")


def test_made_again_where_both_had_deleted_a_file(w):
    """You delete the directory of a file that the agent has deleted, a review looks, and you make both again with another
    text: what the agent then changes in it conflicts with nothing."""
    w.git_project({"g/1": "1\n", "g/2": "2\n2\n", "o": "o\n"})
    with server(w) as run:
        run.do("rm g/2")
        followed(w)
        shutil.rmtree(w.path("g"))
        settle()
        listed(w, "")
        w.put("g/2", "mine\nmore\n")
        seen(run, "cat g/2 2>&1 || :", "mine\nmore\n")
        settle()
        run.do("echo agent >>g/2")
        listed(w, "  M  g/2")
        settle()
        listed(w, "  M  g/2")
    w.wait_settled()
    listed(w, "  M  g/2")


def test_made_again_after_the_view_showed_nothing(w):
    """Nor does what was applied hide that the agent deletes a file of yours, where for a moment there was nothing in the
    place of its directory."""
    w.git_project({"g/1": "1\n", "g/2": "2\n", "o": "o\n"})
    with server(w) as run:
        followed(w)
        run.do("rm -r g; echo agent >g")
        w.shadow("apply", "--yes")
        os.unlink(w.path("g"))
        seen(run, "ls", "o\n")
        settle()
        w.put("g/1", "mine\n")
        seen(run, "cat g/1 2>&1 || :", "mine\n")
        settle()
        run.do("rm g/1")
        settle()
        listed(w, "  D  g/1")
    w.wait_settled()
    listed(w, "  D  g/1")


def test_deleted_and_brought_back_by_an_undo(w):
    """What an undo brings back of such a directory is pending again as the agent left it: deleted."""
    w.git_project({"g/1": "1\n", "g/2": "2\n", "o": "o\n"})
    with server(w) as run:
        followed(w)
        run.do("rm -r g; echo agent >g")
        w.shadow("apply", "--yes")
        os.unlink(w.path("g"))
        w.put("g/1", "mine\n")
        seen(run, "cat g/1 2>&1 || :", "mine\n")
        settle()
        run.do("rm g/1")
        settle()
        listed(w, "  D  g/1")
        w.shadow("apply", "--yes")
        w.shadow("undo", "--yes")
        assert w.read("g/1") == "mine\n"
        settle()
        listed(w, "  D  g/1")
        assert run.do("ls g") == ""
    w.wait_settled()
    listed(w, "  D  g/1")


def test_goes_with_what_was_put_back(w):
    """You delete a directory in which the agent has worked, and its git puts that back as it was: your deletion stands,
    and nothing of the directory is left when the run has ended."""
    w.git_project({"g/1": "1\n", "o": "o\n"})
    with server(w) as run:
        followed(w)
        run.do("echo agent >g/1")
        w.shadow("status")
        remove(w)
        follower = stop_follower(w)
        run.do("rm -r g; git checkout -q g")
        listed(w, "")
    os.kill(follower, signal.SIGCONT)
    w.wait_settled()
    listed(w, "")


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
