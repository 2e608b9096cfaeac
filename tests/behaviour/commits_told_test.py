# SPDX-License-Identifier: MIT
"""Status says what becomes of the session's commits: which an apply keeps aside, where those are, and the way out."""

import json
import sys

import harness
from applies import lines
from following import followed
from live_server import server
from repository import text, tip

ASIDE = "refs/shadow/default/main"
AFTER = ("  'shadow apply' keeps these commits below refs/shadow; after it 'shadow discard :/.git' lets the session continue "
         "from the project's branch.\n")
NOW = "  'shadow discard :/.git' lets the session continue from the project's branch.\n"


def commits(w):
    """What status says of them."""
    return w.shadow("status").out.partition("\nCommits:\n")[2].partition("\n\n")[0].rstrip("\n")


def foreseen(w):
    (one,) = json.loads(w.shadow("status", "--json").out)["branches"]
    return {name: one[name] for name in ("fate", "why", "target", "kept")}


def agrees(w, why, kept):
    """Status and the apply say the same."""
    assert foreseen(w) == {"fate": "aside", "why": why, "target": ASIDE, "kept": kept}, foreseen(w)
    assert f"as {ASIDE} ({why})" in w.shadow("apply", "-n").out


def told(w, count, why):
    """Before and after an apply, and how it is settled."""
    line = f"  main: {count} not in the project"
    assert commits(w) == f"{line}, to be kept as {ASIDE} ({why})\n{AFTER}".rstrip("\n"), commits(w)
    agrees(w, why, False)
    w.shadow("apply", "--yes", "--on-conflict=ours")
    assert text(w, "rev-parse", ASIDE)
    assert commits(w) == f"{line}, kept as {ASIDE} ({why})\n{NOW}".rstrip("\n"), commits(w)
    agrees(w, why, True)
    w.shadow("discard", "--yes", ":/.git")
    assert commits(w) == "", commits(w)


def test_dropped_by_you(w):
    """A commit of a live agent's that you have dropped, with what it has made on top of that."""
    w.git_project({"a": lines(), "b": lines()})
    with server(w) as run:
        followed(w)
        run.do("sed -i 's/^3$/agent/' a; git commit -qam t1")
        w.shadow("apply", "--yes")
        run.do("sed -i 's/^3$/agent/' b; git commit -qam t2")
        w.git("reset", "-q", "--hard", "HEAD~1")
        told(w, "2 commits", "the project's branch moved too")
        harness.wait_until(lambda: run.do("git rev-parse main").strip() == tip(w, "main"), what="the project's branch")


def test_taken_back(w):
    """A commit that takes back what you committed, as it was made from an index of before."""
    w.git_project({"a": lines(), "b": lines()})
    w.sh("echo agent >f; git add f")
    w.write("b", "mine\n")
    w.git("commit", "-qam", "Mine")
    w.sh("git commit -qm 'Add f'")
    told(w, "1 commit", "it takes back what you committed to 'b', as it was made from an older version")


def test_branch_deleted(w):
    """Commits on a branch that you have deleted."""
    w.git_project({"a": lines()})
    w.git("branch", "topic")
    w.sh("git checkout -q topic; echo x >>a; git commit -qam t1")
    w.wait_settled()
    w.git("branch", "-qD", "topic")
    out = commits(w)
    assert "topic: 1 commit not in the project, a new branch, to be kept as refs/shadow/default/topic " \
        "(the project has deleted the branch)\n" in out and out.endswith(AFTER.rstrip("\n")), out


def test_diverged_beside_a_live_run(w):
    """The way out of a branch that has diverged is named also while the session is live, after an apply."""
    w.git_project({"a": lines()})
    with server(w) as run:
        followed(w)
        run.do("sed -i 's/^3$/agent/' a; git commit -qam t1")
        w.shadow("apply", "--yes", "a")
        w.git("commit", "-qam", "x")
        w.shadow("apply", "--yes")
        out = commits(w)
        assert "diverged" in out and out.endswith(NOW.rstrip("\n")), out
        w.shadow("discard", "--yes", ":/.git")
        assert commits(w) == ""


def test_those_that_arrive(w):
    """Nothing more is said of commits that move their branch; nor is a way out where others would go with it."""
    w.git_project({"a": lines()})
    w.sh("echo x >>a; git commit -qam t1")
    assert commits(w) == "  main: 1 commit not in the project", commits(w)
    assert foreseen(w) == {"fate": "move", "why": "", "target": "refs/heads/main", "kept": False}
    w.sh("git checkout -q --detach; git commit -q --allow-empty -m t2; git checkout -q main; git stash list")
    assert "discard" not in commits(w)
    assert tip(w, "main") == text(w, "rev-list", "--max-parents=0", "main")


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
