# SPDX-License-Identifier: MIT
"""Commits of an agent's that were made from what the project had before the user's last commit."""

import os
import sys
import time

import harness
from applies import lines
from repository import check_whole, text, tip

ASIDE = "kept as refs/shadow/{}/main (it takes back what you committed to '{}'"


def settled(w, words, agent="default"):
    w.shadow("run", "--as", agent, "--", "sh", "-c", words)
    w.wait_settled()
    time.sleep(0.3 * harness.TIME_FACTOR)


def user_commits(w, name, content):
    w.write(name, content)
    w.git("commit", "-qam", "Mine")
    return tip(w, "main")


def test_of_the_same_file(w):
    """You commit a line of a file that the agent is editing, and it commits the file: your line stays in the branch, and
    both are in the work tree. So where the agent moved the file, and on a branch of its own."""
    w.git_project({"f": lines()})
    for agent, edit, commit in (("edits", "sed -i 's/^3$/agent/' f", "git commit -qam A"),
                                ("moves", "git mv f g", "git commit -qm A"),
                                ("branch", "sed -i 's/^3$/agent/' f", "git checkout -qb topic; git commit -qam A")):
        settled(w, "true", agent)
        settled(w, edit, agent)
        head = user_commits(w, "f", lines(l20="user"))
        settled(w, commit, agent)
        out = w.shadow("apply", "--as", agent, "--yes").out
        aside = ASIDE.format(agent, "f").replace("main", "topic" if agent == "branch" else "main")
        assert aside in out, (agent, out)
        assert tip(w, "main") == head and "user\n" in w.read("g" if agent == "moves" else "f")
        w.git("reset", "-q", "--hard", "HEAD~1")
        w.git("clean", "-qfd")


def test_of_a_file_without_a_change_of_its_own(w):
    """So where the session has nothing of its own in that file any more, and an older text: you made the agent's change
    yourself."""
    w.git_project({"f": lines(), "g": "g\n"})
    settled(w, "true")
    settled(w, "chmod +x f; rm g")
    head = user_commits(w, "f", lines(l20="user"))
    os.chmod(w.path("f"), 0o755)
    settled(w, "git commit -qam A")
    assert ASIDE.format("default", "f") in w.shadow("status").out, w.shadow("status").out
    assert ASIDE.format("default", "f") in w.shadow("apply", "--yes").out
    assert tip(w, "main") == head and w.read("f") == lines(l20="user") and not w.exists("g")


def test_refreshed_and_amended(w):
    """Brought up to the project and amended the commit has your line too, and goes where the branch is."""
    w.git_project({"f": lines()})
    settled(w, "true")
    settled(w, "sed -i 's/^3$/agent/' f")
    user_commits(w, "f", lines(l20="user"))
    settled(w, "git commit -qam A")
    w.shadow("refresh")
    assert ASIDE.format("default", "f") in w.shadow("apply", "--yes").out
    settled(w, "git commit -qa --amend --no-edit")
    w.shadow("apply", "--yes")
    assert text(w, "log", "--format=%s").splitlines()[:2] == ["A", "Mine"]
    assert text(w, "show", "main:f") + "\n" == lines(l3="agent", l20="user")
    check_whole(w)


def test_staged_before_you_went_on(w):
    """You apply what the agent has staged, write on and commit that; its own commit then takes nothing of it back."""
    w.git_project({"f": lines()})
    settled(w, "true")
    settled(w, "sed -i 's/^3$/agent/' f; git add f")
    w.shadow("apply", "--yes")
    head = user_commits(w, "f", lines(l3="agent", l20="user"))
    settled(w, "git commit -qm A")
    assert ASIDE.format("default", "f") in w.shadow("apply", "--yes").out
    assert tip(w, "main") == head


def test_of_two_agents(w):
    """A commit that came from one agent is not taken back by another's older index either."""
    w.git_project({"f": "f\n", "o": "o\n"})
    settled(w, "echo b >>o; git add o; cp .git/index .git/old", "second")
    settled(w, "echo a >>f; git commit -qam A", "first")
    w.shadow("apply", "--as", "first", "--yes")
    head = tip(w, "main")
    settled(w, "cp .git/old .git/index; git commit -qm B", "second")
    assert ASIDE.format("second", "f") in w.shadow("apply", "--as", "second", "--yes").out
    assert tip(w, "main") == head and text(w, "show", "main:f") == "f\na"


def test_undone_on_another_branch(w):
    """What you undo while another branch is checked out is no commit of yours: it goes there when applied again."""
    w.git_project({"f": lines()})
    w.git("branch", "other")
    settled(w, "true")
    settled(w, "sed -i 's/^3$/agent/' f; git commit -qam A")
    w.shadow("apply", "--yes")
    w.git("checkout", "-q", "other")
    w.shadow("undo", "--yes", check=False)  # that you have changed f by the checkout
    w.git("checkout", "-q", "main")
    w.shadow("apply", "--yes")
    assert text(w, "log", "-1", "--format=%s", "main") == "A"


def test_a_branch_of_changes(w):
    """`apply --branch` makes no branch that takes back what you have committed: of the same file, from which a refresh
    leads out, and in a directory that the agent has deleted."""
    w.git_project({"f": lines(), "d/a": "a\n"})
    settled(w, "sed -i 's/^3$/agent/' f; rm -r d")
    w.write("d/new", "mine\n")
    w.git("add", "d/new")
    user_commits(w, "f", lines(l20="user"))
    done = w.shadow("apply", "--yes", "--branch", "b", check=False)
    assert done.returncode == 3 and "has not what you committed to 'f'" in done.err, (done.out, done.err)
    assert "'shadow refresh" in done.err and "--on-conflict" not in done.err, done.err
    w.shadow("refresh", "f")
    w.shadow("apply", "--yes", "--branch", "b")
    assert text(w, "show", "b:f") + "\n" == lines(l3="agent", l20="user")
    assert text(w, "ls-tree", "-r", "--name-only", "b") == "d/new\nf"


def test_a_new_branch_of_before(w):
    """A new branch that began before your commit takes nothing of it back; one that has it and deletes its files does."""
    w.git_project({"f": "f\n"})
    settled(w, "git checkout -qb topic; echo t >t; git add t; git commit -qm T; git checkout -q main")
    w.write("mine", "mine\n")
    w.git("add", "mine")
    w.git("commit", "-qm", "Mine")
    assert "a new branch" in w.shadow("apply", "--yes").out
    assert text(w, "log", "-1", "--format=%s", "topic") == "T" and text(w, "branch", "--show-current") == "main"
    settled(w, "git checkout -qb other; git rm -q mine; git commit -qm O; git checkout -q main")
    assert "it takes back what you committed to 'mine'" in w.shadow("apply", "--yes").out


def test_a_branch_beside_an_edit(w):
    """Your edit that is not committed is no matter of the branch, also where you had committed to the file before."""
    w.git_project({"f": lines()})
    settled(w, "true")
    user_commits(w, "f", lines(l10="committed"))
    settled(w, "sed -i 's/^3$/agent/' f")
    w.write("f", lines(l10="committed", l20="edited"))
    w.shadow("apply", "--yes", "--branch", "b")
    assert text(w, "show", "b:f") + "\n" == lines(l3="agent", l10="committed")


def test_in_a_linked_worktree(w):
    """The same where the project is a linked work tree, with a log of its own."""
    w.git_project({"f": "f\n", "o": "o\n"})
    tree = os.path.join(w.tmp, "tree")
    w.git("worktree", "add", "-q", "-b", "side", tree)
    shadow = lambda *words: w.shadow(*words, cwd=tree).out  # noqa: E731
    shadow("run", "--", "sh", "-c", "echo agent >>o; git add o; cp $(git rev-parse --git-path index) old")
    w.wait_settled()
    with open(os.path.join(tree, "f"), "w", encoding="utf-8") as file:
        file.write("mine\n")
    w.git("commit", "-qam", "Mine", cwd=tree)
    shadow("run", "--", "sh", "-c", "mv old $(git rev-parse --git-path index); git commit -qm A")
    w.wait_settled()
    assert "it takes back what you committed to 'f'" in shadow("apply", "--yes")
    assert text(w, "show", "side:f") == "mine"


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
