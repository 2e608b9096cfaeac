# SPDX-License-Identifier: MIT
"""What the user puts into a directory that the session has deleted whole: the session never had it."""

import os
import sys

import harness
from following import followed, seen
from live_server import server
from statuses import listed


DELETED = ["D  d/a", "D  d/b/c"]


def begun(w):
    w.git_project({"d/a": "a\n", "d/b/c": "c\n", "f": "f\n"})


def fill(w):
    w.write("d/new", "new\n")
    os.makedirs(w.path("d/sub/deep"))
    w.write("d/sub/deep/x", "x\n")
    w.write("d/b/y", "y\n")
    os.mkdir(w.path("d/empty"))


def filled_alone(w):
    """In the project there is what the user made, and nothing that the session deleted."""
    return w.read("d/new") == "new\n" and w.read("d/sub/deep/x") == "x\n" and w.read("d/b/y") == "y\n" and \
        os.path.isdir(w.path("d/empty")) and not os.path.exists(w.path("d/a")) and not os.path.exists(w.path("d/b/c"))


SHOWN = "d/b/y\nd/new\nd/sub/deep/x\nd/empty\n"
SHOW = "find d -type f | sort; find d -empty -type d"


def test_after_its_run(w):
    """It is no conflict: an apply takes away what the session deleted, and leaves yours; an undo brings that back."""
    begun(w)
    w.sh("rm -r d")
    w.wait_settled()
    fill(w)
    assert listed(w) == DELETED, listed(w)
    assert "applied 2 changes" in w.shadow("apply", "--yes").out
    assert filled_alone(w)
    assert "no changes\n" in w.shadow("status").out, w.shadow("status").out
    assert w.sh(SHOW).out == SHOWN
    w.shadow("undo", "--yes")
    assert w.read("d/a") == "a\n" and w.read("d/b/c") == "c\n" and w.read("d/new") == "new\n"
    assert listed(w) == DELETED, listed(w)
    assert w.sh(SHOW).out == SHOWN


def test_next_run(w):
    """The next run has it, however short, and not what was deleted; what it makes of it is a change."""
    begun(w)
    w.sh("rm -r d")
    w.wait_settled()
    fill(w)
    assert w.sh(SHOW + "; echo more >>d/new").out == SHOWN
    w.wait_settled()
    assert listed(w) == [DELETED[0], DELETED[1], "M  d/new"], listed(w)
    w.shadow("apply", "--yes")
    assert w.read("d/new") == "new\nmore\n"


def test_beside_a_live_run(w):
    """A run that goes on sees it."""
    begun(w)
    with server(w) as run:
        followed(w)
        run.do("rm -r d")
        assert listed(w) == DELETED, listed(w)
        fill(w)
        seen(run, SHOW + " 2>&1", SHOWN, 5)
        assert listed(w) == DELETED, listed(w)
        w.shadow("apply", "--yes")
        assert filled_alone(w)
        assert "no changes\n" in w.shadow("status").out, w.shadow("status").out
        assert run.do(SHOW) == SHOWN
    w.wait_settled()
    assert "no changes\n" in w.shadow("status").out, w.shadow("status").out


def test_refreshed(w):
    """A refresh brings it, and the directory to be deleted is none any more."""
    begun(w)
    w.sh("rm -r d")
    w.wait_settled()
    fill(w)
    w.shadow("refresh")
    assert listed(w) == DELETED, listed(w)
    assert w.sh(SHOW).out == SHOWN


def test_moved_away(w):
    """So where the session has given the directory another name: its files move, and yours stays."""
    begun(w)
    w.sh("mv d e")
    w.wait_settled()
    w.write("d/new", "new\n")
    assert "applied" in w.shadow("apply", "--yes").out
    assert w.read("e/a") == "a\n" and w.read("e/b/c") == "c\n" and w.read("d/new") == "new\n"
    assert not os.path.exists(w.path("d/a")) and not os.path.exists(w.path("d/b"))
    assert w.sh("cat d/new").out == "new\n"


def test_deleted_with_it(w):
    """What the view had shown before, and the agent deleted with the directory, is a conflict as any other deletion."""
    begun(w)
    with server(w) as run:
        followed(w)
        w.write("d/new", "new\n")
        seen(run, "cat d/new 2>&1", "new\n", 5)
        run.do("rm -r d")
        assert listed(w) == DELETED + ["D  d/new  (conflict: changed in the project, deleted in the session)"], listed(w)
        assert os.path.exists(w.path("d/new"))


def test_moved_there(w):
    """An older directory of yours that you move there is not deleted with it: nothing tells that it is new, a conflict. So
    where the agent has made the directory again."""
    w.git_project({"d/a": "a\n", "e/a": "a\n", "f": "f\n"})
    for name in ("d", "e"):
        os.makedirs(w.path(f"../{name}-old"))
        with open(w.path(f"../{name}-old/x"), "w", encoding="ascii") as f:
            f.write("x\n")
    w.run("true")
    w.wait_settled()
    w.sh("rm -r d e; mkdir e; echo new >e/a")
    w.wait_settled()
    for name in ("d", "e"):
        os.rename(w.path(f"../{name}-old"), w.path(name + "/old"))
    conflict = "(conflict: changed in the project, deleted in the session)"
    assert listed(w) == ["D  d/a", f"D  d/old/x  {conflict}", "M  e/a", f"D  e/old/x  {conflict}"], listed(w)
    w.shadow("apply", "--yes", "--on-conflict=skip", check=False)
    assert w.read("d/old/x") == "x\n" and w.read("e/old/x") == "x\n" and w.read("e/a") == "new\n"


def touch_what_was_deleted(w, deletion):
    """The agent deletes a directory with a file of yours that it had seen; you touch that, and make another one."""
    begun(w)
    with server(w) as run:
        followed(w)
        w.write("d/new", "new\n")
        seen(run, "cat d/new 2>&1", "new\n", 5)
        run.do(deletion)
        listed(w)
    w.wait_settled()
    os.utime(w.path("d/new"))
    assert any(line.startswith("D  d/new") for line in listed(w)), listed(w)
    w.write("d/other", "other\n")
    assert w.sh("find d -type f").out == "d/other\n"
    w.wait_settled()
    assert any(line.startswith("D  d/new") for line in listed(w)), listed(w)
    assert "d/other" not in w.shadow("status").out, w.shadow("status").out


def test_touched(w):
    """So it stays when you only touch it, after the run has ended, too."""
    touch_what_was_deleted(w, "rm -r d")


def test_touched_where_it_was_made_anew(w):
    """The same in a directory that the agent has made again."""
    touch_what_was_deleted(w, "rm -r d; mkdir d")


def test_a_file_of_the_old_name(w):
    """A deleted file that you change is a conflict, beside what you have added."""
    begun(w)
    w.sh("rm -r d")
    w.wait_settled()
    w.write("d/a", "yours\n")
    w.write("d/new", "new\n")
    assert listed(w) == ["D  d/a  (conflict: changed in the project, deleted in the session)", "D  d/b/c"], listed(w)
    assert w.shadow("apply", "--yes", "--on-conflict=skip", check=False).returncode == 0
    assert w.read("d/a") == "yours\n" and w.read("d/new") == "new\n" and not os.path.exists(w.path("d/b/c"))


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
