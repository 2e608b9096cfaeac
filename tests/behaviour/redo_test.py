# SPDX-License-Identifier: MIT
"""What an undone apply that is made again is to a session that has gone on meanwhile: a change of the project's."""

import os
import subprocess
import sys
import time

import harness
from applies import lines, CONFLICT
from following import followed, seen
from live_server import server
from stopping import go_on, stopped

AGENT = lines(l3="3 agent")


def applied_and_undone(w):
    w.shadow("apply", "--yes")
    time.sleep(0.3)
    w.shadow("undo", "--yes")
    time.sleep(0.3)


def check_merged(w):
    """What was written again stays beside what the session has made of the old text; of what it brought back and the
    session changed one must be chosen."""
    assert w.read("a") == AGENT and not os.path.exists(w.path("b")), w.read("a")
    status = w.shadow("status").out
    assert "M  a  (changed in the project" in status and "b  (conflict: deleted in the project" in status, status
    assert w.shadow("apply", "--yes", "--on-conflict=skip", check=False).returncode in (0, CONFLICT)
    assert w.read("a") == lines(l3="3 agent", l8="8 later") and not os.path.exists(w.path("b")), w.read("a")


def test_made_from_the_old_text(w):
    """An apply that is made again is not taken back by what the session made from the old text."""
    w.git_project({"a": lines(), "b": lines()})
    w.sh("sed -i '3s/$/ agent/' a; rm b")
    applied_and_undone(w)
    w.shadow("discard", "--yes", ".")
    w.sh("sed -i '8s/$/ later/' a b")
    w.wait_settled()
    w.shadow("undo", "--yes", "2")
    check_merged(w)


def test_session_begun_anew(w):
    """Nor by that of a session that was begun anew."""
    w.git_project({"a": lines(), "b": lines()})
    w.sh("sed -i '3s/$/ agent/' a; rm b")
    applied_and_undone(w)
    w.shadow("discard", "--yes")
    w.sh("sed -i '8s/$/ later/' a b")
    w.wait_settled()
    w.shadow("undo", "--yes", "2")
    check_merged(w)


def test_copies_in_a_live_session(w):
    """A live view shows what was written again where its session has dropped it; what it changes is merged."""
    w.git_project({"a": lines(), "b": lines(), "c": "1\n", "d": "1\n"})
    with server(w) as run:
        followed(w)
        run.do("sed -i '3s/$/ agent/' a; rm b; echo agent >c; echo agent >d")
        applied_and_undone(w)
        w.shadow("discard", "--yes", ".")
        time.sleep(0.5 * harness.TIME_FACTOR)
        run.do("sed -i '8s/$/ later/' a b; echo own >d")
        w.shadow("undo", "--yes", "2")
        seen(run, "cat c", "agent\n")
        status = w.shadow("status").out
        assert "  c" not in status and "d  (conflict: " in status, status
        w.shadow("apply", "--yes", "--on-conflict=skip", check=False)
        assert w.read("c") == "agent\n" and w.read("d") == "agent\n"
    w.wait_settled()
    assert w.read("a") == lines(l3="3 agent", l8="8 later"), w.read("a")
    assert "  c" not in w.shadow("status").out


def test_the_session_has_it_again(w):
    """Where the session has what is written again, or its own version of a merge, nothing is pending afterwards, and an
    undo gives it back once more."""
    w.git_project({"a": lines(), "b": lines(), "m": lines()})
    w.sh("sed -i '3s/$/ agent/' a m; rm b; mkdir n; echo n >n/n")
    w.wait_settled()
    w.write("m", lines(l8="8 user"))
    shown = w.shadow("status").out
    applied_and_undone(w)
    again = w.shadow("undo", "--yes", "2")
    assert w.read("a") == AGENT and w.read("m") == lines(l3="3 agent", l8="8 user"), again.out
    assert w.shadow("status").out.endswith("no changes\n"), w.shadow("status").out
    w.shadow("undo", "--yes")
    assert w.shadow("status").out == shown, w.shadow("status").out
    assert w.read("a") == lines() and w.read("m") == lines(l8="8 user")


def test_taken_back_by_the_agent(w):
    """What the agent has taken back itself is its work: it does not go with what is written again without a word."""
    w.git_project({"a": lines()})
    w.sh("sed -i '3s/$/ agent/' a")
    applied_and_undone(w)
    w.sh("git checkout -q a")
    w.wait_settled()
    w.shadow("undo", "--yes", "2")
    status = w.shadow("status").out
    assert w.read("a") == AGENT
    w.shadow("apply", "--yes", check=False)
    assert w.read("a") == AGENT, status


def test_what_cannot_be_read(w):
    """What the session has in its place may be closed to you: the apply is made again all the same."""
    w.git_project({"a": lines(), "c": "1\n"})
    w.sh("sed -i '3s/$/ agent/' a; echo 2 >c")
    applied_and_undone(w)
    w.shadow("discard", "--yes", ".")
    w.sh("sed -i '8s/$/ later/' a; chmod 000 a")
    w.wait_settled()
    w.shadow("undo", "--yes", "2")
    assert w.read("a") == AGENT and w.read("c") == "2\n"
    assert "  c" not in w.shadow("status").out, w.shadow("status").out


def test_two_undos_at_once(w):
    """Of two undos at once the second says that it was done already, and not that the project has changed."""
    w.git_project({"a": lines()})
    w.sh("echo agent >>a; echo new >b")
    w.shadow("apply", "--yes")
    first = stopped(w, "before-swap:1", "undo", "--yes")
    second = w.start("undo", "--yes", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(0.5)
    assert second.poll() is None
    code, said = go_on(first)
    assert code == 0, said
    err = second.communicate(timeout=60)[1].decode()
    assert second.returncode == 1 and err.startswith("shadow: apply 1 was taken back already\nhint: 'shadow undo 2'"), err
    assert w.read("a") == lines() and not w.exists("b")


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
