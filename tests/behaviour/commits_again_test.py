# SPDX-License-Identifier: MIT
"""The daily loop: the agent commits, you apply, you commit, the agent commits again."""

import os
import signal
import subprocess
import sys
import time

import harness
from repository import check_whole, text, tip


def subjects(w, ref="main"):
    return text(w, "log", "--format=%s", ref).split("\n")


def agent_commits(w, line, name="a"):
    w.shadow("run", "--", "sh", "-c", f"echo {line} >>{name}; git commit -qam {line}")


def test_your_commit_between(w):
    """What the agent commits on top of your last commit arrives in the branch, whatever you did there after the apply
    before: a commit, an amend, a commit dropped, a branch merged; and whatever you looked at between."""
    w.git_project({"a": "a\n", "b": "b\n"})

    def commit():
        w.write("b", w.read("b") + "user\n")
        w.git("commit", "-qam", "Mine")

    def merge():
        w.git("checkout", "-qb", "topic")
        commit()
        w.git("checkout", "-q", "main")
        w.git("merge", "-q", "--no-ff", "-m", "Merged", "topic")
        w.git("branch", "-qd", "topic")
    agent_commits(w, "first")
    w.shadow("apply", "--yes")
    for n, between in enumerate((commit, lambda: w.git("commit", "-q", "--amend", "-m", "Amended"),
                                 lambda: w.git("reset", "-q", "--hard", "HEAD~"), merge,
                                 lambda: (w.git("reset", "-q", "--soft", "HEAD~"), w.git("commit", "-qm", "Again")))):
        between()
        if n % 2:
            w.wait_settled()
            w.shadow("status")
            w.shadow("refresh")
        head = tip(w, "main")
        agent_commits(w, f"agent{n}")
        out = w.shadow("apply", "--yes").out
        assert "main: 1 commit\n" in out, (n, out)
        assert text(w, "rev-parse", "main~") == head and subjects(w)[0] == f"agent{n}", (n, subjects(w))
        assert text(w, "status", "--porcelain") == "", n
    check_whole(w)


def test_dropped_by_you(w):
    """A commit that you have dropped meanwhile does not come back with those that the agent made on top of it."""
    w.git_project({"a": "a\n"})
    agent_commits(w, "first")
    w.shadow("apply", "--yes")
    w.write("b", "user\n")
    w.git("add", "b")
    w.git("commit", "-qm", "Mine")
    agent_commits(w, "second")
    w.git("reset", "-q", "--hard", "HEAD~")
    assert "(the project's branch moved too)" in w.shadow("apply", "--yes").out
    assert subjects(w)[0] == "first"


def test_branch_made_anew(w):
    """A branch that you have merged and deleted is a new one when the agent makes it anew."""
    w.git_project({"a": "a\n"})
    for n in ("one", "two"):
        w.shadow("run", "--", "sh", "-c",
                 f"git checkout -qb topic; echo {n} >>a; git commit -qam {n}; git checkout -q main")
        assert "topic: 1 commit, a new branch\n" in w.shadow("apply", "--yes", "--on-conflict=skip").out
        w.git("checkout", "-q", "main")
        w.git("merge", "-q", "topic")
        w.git("branch", "-qd", "topic")
    assert subjects(w)[:2] == ["two", "one"]


def test_a_run_ends_during_the_apply(w):
    """A run that ends while an apply is about to move the branch tidies up too early: what arrives leaves the session all
    the same, and the next run is where you are."""
    w.git_project({"a": "a\n"})
    agent_commits(w, "first")
    w.wait_settled()
    apply = w.start("apply", "--yes", env={"SHADOW_FAIL": "git-ref-noted:1=stop"}, stdout=subprocess.PIPE)
    _, status = os.waitpid(apply.pid, os.WUNTRACED)
    if not os.WIFSTOPPED(status):
        raise harness.Skip("built without fail points")
    try:
        w.shadow("run", "--", "true")
        time.sleep(0.5 * harness.TIME_FACTOR)
    finally:
        os.kill(apply.pid, signal.SIGCONT)
        apply.communicate()
    assert subjects(w)[0] == "first"
    w.wait_settled()
    assert w.shadow("status").out.endswith("no changes\n"), w.shadow("status").out


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
