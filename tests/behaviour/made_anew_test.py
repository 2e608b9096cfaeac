# SPDX-License-Identifier: MIT
"""Directories that the agent deletes and makes again, and what the user puts there meanwhile, beside the run."""

import os
import shutil
import sys
import time

import harness
from applies import lines
from following import followed, seen
from live_server import server
from moves import changes, listed, settle


def test_what_comes_after_it(w):
    """What you put into a directory that the agent has made anew, or bring back there, is yours alone: no deletion of the
    agent's, shown to the run, and safe from an apply that takes the agent's side of something else."""
    w.git_project({"d/a": "a\n", "o": lines()})
    with server(w) as run:
        followed(w)
        run.do("rm -r d; mkdir d; echo x >d/x")
        w.shadow("apply", "--yes")
        w.put("d/new", "mine\n")
        w.git("checkout", "--", "d/a")
        settle()
        listed(w, "")
        seen(run, "cat d/new d/a 2>&1", "mine\na\n")
        run.do("sed -i 's/^3$/agent/' o")
        w.write("o", lines(l3="user"))
        settle()
        w.shadow("apply", "--yes", "--on-conflict=theirs")
        assert w.read("d/new") == "mine\n" and w.read("d/a") == "a\n" and "agent\n" in w.read("o")
        run.do("rm d/new")
        settle()
        listed(w, "  D  d/new")
    w.wait_settled()
    listed(w, "  D  d/new")


def test_before_an_apply(w):
    """The same where nothing was applied yet; what was there before, and you edit afterwards, is a conflict."""
    w.git_project({"d/a": "a\n", "d/b": "b\n"})
    with server(w) as run:
        followed(w)
        run.do("rm -r d; mkdir d; echo x >d/x")
        settle()
        w.write("d/new", "mine\n")
        w.write("d/b", "b\nmine\n")
        settle()
        shown = changes(w)
        assert "d/new" not in shown and "  D  d/a\n" in shown, shown
        assert "  D  d/b  (conflict: changed in the project, deleted in the session)" in shown, shown
        seen(run, "cat d/new 2>&1", "mine\n")


def test_taken_away_or_put_back(w):
    """You take such a directory away once it was applied, or put back the file or link that was there: the run sees it,
    and nothing is in conflict, then or when it has ended."""
    w.git_project({"d/a": "a\n", "f": "f\n", "o": "o\n"})
    os.symlink("d", w.path("l"))
    with server(w) as run:
        followed(w)
        run.do("rm -r d l f; mkdir d l f; for i in d l f; do echo x >$i/x; done")
        w.shadow("apply", "--yes")
        for name in ("d", "l", "f"):
            shutil.rmtree(w.path(name))
        w.write("f", "user\n")
        os.symlink("o", w.path("l"))
        settle()
        listed(w, "")
        seen(run, "cat f l 2>&1; ls -d d 2>/dev/null || echo gone", "user\no\ngone\n")
        w.write("d", "user\n")
        settle()
        seen(run, "cat d 2>&1", "user\n")
    w.wait_settled()
    listed(w, "")


def test_made_by_both(w):
    """A directory that you and the agent have both made keeps your mode, and gets what is in the agent's."""
    w.git_project({"a": "a\n"})
    w.sh("true")
    w.wait_settled()
    settle()
    w.sh("mkdir d; echo agent >d/x")
    os.mkdir(w.path("d"), 0o700)
    w.write("d/secret", "mine\n")
    w.shadow("apply", "--yes")
    assert os.stat(w.path("d")).st_mode & 0o777 == 0o700 and w.read("d/x") == "agent\n"
    listed(w, "")


def test_what_took_the_place_of_a_link(w):
    """What the agent edits of a file that you have put in the place of a link before is no conflict."""
    w.git_project({"a": "a\n"})
    os.symlink("a", w.path("l"))
    w.sh("true")
    w.wait_settled()
    settle()
    os.unlink(w.path("l"))
    w.write("l", lines())
    settle()
    w.sh("sed -i 's/^3$/agent/' l")
    w.shadow("apply", "--yes")
    assert w.read("l") == lines(l3="agent")


def test_deleted_as_a_file(w):
    """The agent deletes a file that you have put in the place of a directory, and you bring the directory back: what is
    in it stays, and is a conflict."""
    w.git_project({"d/a": "a\n", "o": "o\n"})
    with server(w) as run:
        followed(w)
        shutil.rmtree(w.path("d"))
        w.write("d", "file\n")
        settle()
        run.do("rm d")
        os.unlink(w.path("d"))
        w.git("checkout", "--", "d")
        settle()
        assert "  D  d/a  (conflict: something else on each side)" in changes(w), changes(w)
    w.wait_settled()
    assert w.shadow("apply", "--yes", check=False).returncode == 3
    assert w.read("d/a") == "a\n"


def test_after_its_own_file(w):
    """The agent puts a file in the place of a directory, and makes the directory again after you have edited in it: your
    lines, which it cannot have seen, stay."""
    w.git_project({"d/a": lines(), "e/a": lines(), "o": "o\n"})
    w.sh("rm -r d e; echo file >d; echo more >>o")
    w.wait_settled()
    for name in ("d/a", "e/a"):
        w.write(name, lines(l3="user"))
    time.sleep(0.02)
    for name in ("d", "e"):
        w.run("sh", "-c", f"rm -f {name}; mkdir {name}; cat >{name}/a", stdin=lines(l9="agent").encode())
    w.wait_settled()
    assert "replaces" not in changes(w), changes(w)
    w.shadow("apply", "--yes", "--on-conflict=skip", check=False)
    for name in ("d/a", "e/a"):
        assert "user\n" in w.read(name), w.read(name)
    assert "agent\n" in w.read("d/a"), w.read("d/a")


def put_back_after_an_edit(w, run):
    """The agent deletes a directory, you edit in it, and the agent makes it as it was."""
    followed(w)
    run.do("cp -r e /tmp/kept; rm -r e")
    settle()
    w.write("e/a", lines(l3="user"))
    settle()
    run.do("mkdir e; cat /tmp/kept/a >e/a; cat /tmp/kept/b >e/b")


def test_put_back_after_its_deletion(w):
    """The agent deletes a directory, you edit in it meanwhile, and the agent puts it back as it was (`git stash`): your
    lines, which it has never seen, are no conflict, and what it sees then."""
    w.git_project({"e/a": lines(), "e/b": lines()})
    with server(w) as run:
        put_back_after_an_edit(w, run)
        seen(run, "cat e/a e/b", lines(l3="user") + lines())
        listed(w, "")
    w.wait_settled()
    listed(w, "")
    assert w.run("cat", "e/a").out == lines(l3="user")


def test_put_back_where_something_was_touched(w):
    """What it puts back of a directory in which it had only touched something takes back what you changed there meanwhile,
    and that it had seen: you are asked, beside the run and when it has ended."""
    w.git_project({"o": "o\n", "d/a": lines(), "d/q": "q\n"})
    taken_back = "  M  d/a  (conflict: the session's version takes a change of the project's back)"
    with server(w) as run:
        followed(w)
        run.do("touch d/q")
        settle()
        listed(w, "")
        w.write("d/a", lines(l3="user"))
        seen(run, "cat d/a", lines(l3="user"))
        settle()
        run.do("rm -r d; git checkout -q d")
        settle()
        listed(w, taken_back)
    w.wait_settled()
    listed(w, taken_back)
    assert w.run("cat", "d/a").out == lines()


def test_put_back_in_the_last_moment(w):
    """The same where the run ends at once: there is nothing to see any more, and no conflict."""
    w.git_project({"e/a": lines(), "e/b": lines()})
    with server(w) as run:
        put_back_after_an_edit(w, run)
    w.wait_settled()
    listed(w, "")


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
