# SPDX-License-Identifier: MIT
"""refresh while runs go on."""

import contextlib
import os
import signal
import subprocess
import sys

import harness
from applies import CONFLICT, lines
from following import followed
from live_server import server
from moves import stop_follower
from refreshes import EDIT, refresh, session, view


@contextlib.contextmanager
def unfollowed(w, script, **others):
    """A session whose run has done this, goes on, and whose view does not follow the project."""
    for name, text in {"F": lines(), "G": lines(), **others}.items():
        w.write(name, text)
    run = w.start("run", "--", "sh", "-c", script + "; echo ready; read end", stdin=subprocess.PIPE,
                  stdout=subprocess.PIPE)
    assert run.stdout.readline() == b"ready\n"
    followed(w)
    follower = stop_follower(w)
    try:
        yield
    finally:
        os.kill(follower, signal.SIGCONT)
        run.communicate(b"end\n")


def test_live(w):
    """A live session is brought up to the project too, at once for its runs."""
    session(w, EDIT)
    w.write("F", lines(l5="user"))
    run = w.start("run", "--", "sh", "-c", "echo; read x", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    run.stdout.readline()
    assert refresh(w, "-n").out == "to be merged with the project's changes:\n  M  F\n"
    assert "merged" in refresh(w).out
    assert view(w, "F") == lines(l5="user", l20="agent")
    run.communicate(b"\n")
    assert view(w, "F") == lines(l5="user", l20="agent")


def test_by_path(w):
    """Only what is named is brought up; -n does nothing."""
    with unfollowed(w, EDIT + "; sed -i s/^20$/agent/ G; touch d/f", **{"d/f": "1\n"}):
        w.write("F", lines(l5="user"))
        w.write("G", lines(l5="user"))
        w.write("d/f", "2\n")
        assert refresh(w, "-n", "G", "d").out == \
            "to be merged with the project's changes:\n  M  G\nto be as in the project:\n  d/f\n"
        assert view(w, "G") == lines(l20="agent")
        refresh(w, "G", "d")
        assert view(w, "G") == lines(l5="user", l20="agent")
        assert view(w, "F") == lines(l20="agent")
        assert view(w, "d/f") == "2\n"


def test_made_anew(w):
    """In a directory that the session deleted and made anew what it left alone changes, and what you add comes in."""
    with unfollowed(w, "cp -a d /tmp/d; rm -r d; cp -a /tmp/d d; echo agent >d/new; rm d/gone",
                    # Of another size: what has the content and the time of a deleted file may be that one, moved.
                    **{"d/same": "1\n", "d/gone": "gone\n", "d/sub/x": "1\n", "d/sub/y": "1\n"}):
        w.write("d/same", "2\n")
        w.write("d/sub/x", "2\n")
        w.write("d/added", "user\n")
        refresh(w)
        assert view(w, "d/same") == "2\n" and view(w, "d/sub/x") == "2\n"
        assert sorted(w.run("find", "d", "-type", "f").out.split()) == \
            ["d/added", "d/new", "d/same", "d/sub/x", "d/sub/y"]


def test_what_is_not_known_stays_so(w):
    """A conflict that a refresh leaves is one still, also where nothing had looked at the session before."""
    w.git_project({"e/a": lines(), "e/b": lines()})
    run = w.start("run", "--", "sh", "-c", "echo ready; read go; rm e/a; echo done; read end",
                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert run.stdout.readline() == b"ready\n"
    w.write("e/a", lines(l5="user"))
    os.unlink(w.path("e/b"))
    run.stdin.write(b"go\n")
    run.stdin.flush()
    assert run.stdout.readline() == b"done\n"
    w.write("e/a", lines(l5="user", l6="more"))
    refresh(w, code=CONFLICT)
    run.communicate(b"end\n", timeout=30)
    w.wait_settled()
    done = w.shadow("apply", "--yes", check=False)
    assert done.returncode == CONFLICT and "e/a" in done.err, done
    assert w.read("e/a") == lines(l5="user", l6="more")


def test_opened_just_then(w):
    """What a run opens for writing after it was looked at, and writes later, is not lost: the file stays, and is named."""
    for command in ("refresh", "discard"):
        for name in ("F", "G"):
            w.write(name, lines())
        with server(w) as run:
            run.do("sed -i s/^20$/agent/ F")
            followed(w)
            follower = stop_follower(w)
            w.write("F", lines(l5="user"))
            words = [command, "F"] if command == "refresh" else [command, "--yes", "F"]
            busy = w.start(*words, env={"SHADOW_FAIL": "view-staged:1=stop"}, stderr=subprocess.PIPE)
            assert os.waitpid(busy.pid, os.WUNTRACED)[1] & 0xFF == 0x7F, "not stopped"
            run.do("exec 7>>F")
            os.kill(busy.pid, signal.SIGCONT)
            _, err = busy.communicate(timeout=30)
            assert busy.returncode == 4 and b"cannot change 'F'" in err, (busy.returncode, err)
            assert run.do("echo late >&7; exec 7>&-; tail -n 1 F") == "late\n"
            os.kill(follower, signal.SIGCONT)
        w.wait_settled()
        w.shadow("discard", "--yes")


def test_all_that_is_open_is_named(w):
    """Of several files that a run has open for writing each is named, and all else is discarded."""
    w.git_project({name: "1\n" for name in ("a", "b", "c", "d")})
    with server(w) as run:
        run.do("for f in a b c d; do echo agent >>$f; done; exec 7>>a 8>>b 9>>c")
        done = w.shadow("discard", "--yes", ":/", check=False)
        assert done.returncode == 4 and "; so are 'b', 'c'\n" in done.err, (done.returncode, done.err)
        assert run.do("cat d") == "1\n"
        run.do("exec 7>&- 8>&- 9>&-")


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
