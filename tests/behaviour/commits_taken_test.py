# SPDX-License-Identifier: MIT
"""You take the agent's commits by hand, beside it or not: what it commits next goes on from there."""

import os
import signal
import sys

import harness
from applies import lines
from following import followed
from live_server import server
from moves import stop_follower
from repository import check_whole, text, tip


def project(w):
    w.git_project({"a": lines(), "b": lines(), "c": lines()})


def agent(run, name, n, subject):
    run.do(f"sed -i 's/^{n}$/agent/' {name}; git commit -qam {subject}")


def subjects(w, ref="main"):
    return text(w, "log", "--format=%s", ref).split("\n")


def on_a_branch(w):
    """The commits as a branch for your look, which you merge."""
    w.shadow("apply", "--branch", "review")
    w.git("merge", "-q", "--ff-only", "review")


def kept_aside(w, take):
    """The commits kept below refs/shadow, since a commit of yours was in the way, which you dropped or moved."""
    w.git("commit", "-q", "--allow-empty", "-m", "Mine")
    out = w.shadow("apply", "--yes", "--on-conflict=theirs").out
    assert "kept as refs/shadow/default/main" in out, out
    w.git("checkout", "-q", "--", ".")
    w.git(*take)


WAYS = (on_a_branch, lambda w: kept_aside(w, ["reset", "-q", "--hard", "shadow/default/main"]),
        lambda w: kept_aside(w, ["rebase", "-q", "shadow/default/main"]))


def goes_on(w, run, name, way):
    """Takes one commit of the agent's in that way; its next one then arrives in your branch."""
    agent(run, name, 3, f"{way}-first")
    WAYS[way](w)
    took = tip(w, "main")
    if way == 2:  # the agent's branch follows yours, which has more
        harness.wait_until(lambda: run.do("git rev-parse main").strip() == took, what="the branch to follow")
    harness.wait_until(lambda: run.do(f"cat {name}") == w.read(name), what="the view to follow")
    agent(run, name, 20, f"{way}-second")
    out = w.shadow("apply", "--yes").out
    assert "main: 1 commit\n" in out, (way, out)
    assert text(w, "rev-parse", "main~") == took and subjects(w)[0] == f"{way}-second", (way, subjects(w))
    assert text(w, "status", "--porcelain") == "", way


def test_beside_a_live_run(w):
    """The next commits of a live agent arrive after you took those before by hand: from a branch made for you, by a reset to
    those that were kept, by a rebase on them."""
    project(w)
    with server(w) as run:
        followed(w)
        for way, name in enumerate("abc"):
            goes_on(w, run, name, way)
            check_whole(w)


def test_before_the_view_follows(w):
    """The same where you take them, and the agent goes on, before anything has looked at that."""
    project(w)
    with server(w) as run:
        followed(w)
        agent(run, "a", 3, "first")
        follower = stop_follower(w)
        w.shadow("apply", "--branch", "review")
        w.git("merge", "-q", "--ff-only", "review")
        agent(run, "b", 3, "second")
        out = w.shadow("apply", "--yes").out
        os.kill(follower, signal.SIGCONT)
        assert "main: 1 commit\n" in out, out
    assert subjects(w) == ["second", "first", "begin"]


def test_dropped_again(w):
    """A commit of the agent's that you took, and dropped again, does not come back with those on top of it."""
    project(w)
    with server(w) as run:
        followed(w)
        agent(run, "a", 3, "first")
        agent(run, "b", 3, "second")
        on_a_branch(w)
        w.git("branch", "-qD", "review")
        w.git("reset", "-q", "--hard", "HEAD~")
        agent(run, "c", 3, "third")
        out = w.shadow("apply", "--yes", "--on-conflict=ours").out
        assert "(the project's branch moved too)" in out, out
        assert subjects(w) == ["first", "begin"]


def test_rewritten_after_an_apply(w):
    """Once a live agent's commits were applied its branch follows yours also where you amend, reset or rebase that, and what
    it commits next arrives."""
    project(w)
    with server(w) as run:
        followed(w)
        for n, rewrite in enumerate((["commit", "-q", "--amend", "-m", "Amended"], ["reset", "-q", "--hard", "HEAD~"],
                                     ["rebase", "-q", "--exec", "git commit -q --amend -m Rebased", "HEAD~"])):
            agent(run, "a", n + 1, f"agent{n}")
            out = w.shadow("apply", "--yes").out
            assert "main: 1 commit\n" in out, (n, out)
            w.git(*rewrite)
            harness.wait_until(lambda: run.do("git rev-parse main").strip() == tip(w, "main"), what="the branch to follow")
            harness.wait_until(lambda: run.do("git status --porcelain") == "", what="the index to follow")
            assert "Commits:" not in w.shadow("status").out, n
        check_whole(w)
    assert subjects(w) == ["Rebased", "Amended", "begin"]


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
