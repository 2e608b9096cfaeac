# SPDX-License-Identifier: MIT
"""You switch branches beside an agent that has committed on the one you leave: its index comes along, and its next commit
has what it staged itself and nothing else."""

import sys

import harness
from applies import lines
from followed_commits import commit, seen
from following import followed
from live_server import server
from repository import check_whole, text, tip


def project(w):
    """On feat with a commit of yours; main is one behind."""
    w.git_project({"b": lines(), "c": lines()})
    w.git("checkout", "-qb", "feat")
    commit(w, "b", 1, "feat")


def only(w, what, name):
    """The last commit on main is that one and touches that file alone."""
    assert text(w, "show", "--format=%s", "--name-only", "main").split() == [what, name]
    check_whole(w)


def commits_c(run):
    run.do("sed -i 's/^5$/agent/' c; git add c; git commit -qm a2")


def test_beside_a_live_run(w):
    """After you have left the branch on which a live agent has committed nothing is staged that nobody has staged, before and
    after you apply; what it commits then arrives."""
    project(w)
    with server(w) as run:
        followed(w)
        run.do("sed -i 's/^20$/agent/' b; git commit -qam a1")
        w.git("checkout", "-q", "main")
        seen(run, "git symbolic-ref --short HEAD; git diff --cached --name-only", "main\n")
        w.shadow("apply", "--yes")
        assert run.do("git diff --cached --name-only") == ""
        assert text(w, "log", "-1", "--format=%s", "feat") == "a1"
        commits_c(run)
        out = w.shadow("apply", "--yes").out
        assert "main: 1 commit\n" in out, out
        only(w, "a2", "c")


def test_away_and_back(w):
    """Nor is anything when you come back to its branch, whatever you have committed elsewhere; what the agent has staged
    itself stays so."""
    project(w)
    with server(w) as run:
        followed(w)
        run.do("sed -i 's/^20$/agent/' b; git commit -qam a1; echo own >n; git add n")
        own = run.do("git rev-parse HEAD")
        w.git("checkout", "-q", "main")
        commit(w, "c", 9)
        seen(run, "git rev-parse HEAD; git diff --cached --name-only", tip(w, "main") + "\nn\n")
        w.git("checkout", "-q", "feat")
        seen(run, "git rev-parse HEAD; git diff --cached --name-only", own + "n\n")
        run.do("git commit -qm a2")
        assert "feat: 2 commits\n" in w.shadow("apply", "--yes").out
        assert text(w, "show", "--format=%s", "--name-only", "feat").split() == ["a2", "n"]
        check_whole(w)


def test_between_runs(w):
    """The same for runs of one command each: you switch and apply, in either order, before the next one."""
    for applied_first in (False, True):
        project(w)
        w.sh("sed -i 's/^20$/agent/' b; git commit -qam a1; git status -s")
        w.wait_settled()  # or the text that the checkout replaces is not known
        for step in ((lambda: w.shadow("apply", "--yes"), lambda: w.git("checkout", "-q", "main"))
                     if applied_first else
                     (lambda: w.git("checkout", "-q", "main"), lambda: w.shadow("apply", "--yes"))):
            step()
            w.wait_settled()
        assert w.sh("git diff --cached --name-only").out == "", applied_first
        w.sh("sed -i 's/^5$/agent/' c; git add c; git commit -qm a2")
        out = w.shadow("apply", "--yes").out
        assert "main: 1 commit\n" in out, (applied_first, out)
        only(w, "a2", "c")
        w.shadow("discard", "--yes")
        harness.subprocess.run(["rm", "-rf", w.path(".git")], check=True)


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
