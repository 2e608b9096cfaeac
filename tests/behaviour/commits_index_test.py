# SPDX-License-Identifier: MIT
"""The user's index, and a user who works on while commits arrive from the session."""

import os
import sys

import harness
from repository import check_whole, status, text, tip


def test_staged_work_of_the_user_stays_staged(w):
    """What the user had staged or edited elsewhere is so afterwards too."""
    w.git_project({"a.txt": "one\n", "b.txt": "two\n", "c.txt": "three\n"})
    w.write("b.txt", "staged\n")
    w.git("add", "b.txt")
    w.write("c.txt", "edited\n")
    w.write("e.txt", "added\n")
    w.git("add", "e.txt")
    w.sh("echo x >>a.txt; git commit -qm A a.txt")
    w.shadow("apply", "--yes")
    assert status(w) == "M  b.txt\n M c.txt\nA  e.txt\n", status(w)
    assert text(w, "log", "-1", "--format=%s") == "A"
    check_whole(w)


def test_index_formats(w):
    """Index versions 2, 3 and 4 keep their version and entries; a split index is left alone."""
    for version in ("2", "4"):
        w.project = os.path.join(w.tmp, "p" + version)
        os.mkdir(w.project)
        w.git_project({f"dir/file{i}.txt": "x\n" for i in range(30)})
        w.git("update-index", "--index-version", version)
        w.sh("echo y >dir/file3.txt; git rm -q dir/file4.txt; git commit -qam C")
        w.shadow("apply", "--yes")
        assert status(w) == "", status(w)
        with open(w.path(".git/index"), "rb") as f:
            assert f.read(8)[7] == int(version)
        check_whole(w)
    w.project = os.path.join(w.tmp, "split")
    os.mkdir(w.project)
    w.git_project()
    w.git("update-index", "--split-index")
    head = tip(w, "HEAD")
    w.sh("echo y >>a.txt; git commit -qam C")
    out = w.shadow("apply", "--yes").out
    assert "refs/shadow/default/main" in out and "split" in out, out
    assert tip(w, "HEAD") == head and status(w) == " M a.txt\n"


def test_marked_entries_are_left(w):
    """A path that the user marked (skip-worktree, intent-to-add) keeps its branch where it is."""
    w.git_project({"a.txt": "one\n", "b.txt": "two\n"})
    w.git("update-index", "--skip-worktree", "a.txt")
    head = tip(w, "main")
    w.sh("git update-index --no-skip-worktree a.txt; echo x >>a.txt; git commit -qam A")
    out = w.shadow("apply", "--yes").out
    assert "'a.txt' is staged or marked in the project" in out, out
    assert tip(w, "main") == head
    assert text(w, "show", "refs/shadow/default/main:a.txt") == "one\nx"


def test_staged_in_the_way(w):
    """Where the user has staged what the commits change, they go to refs/shadow and apply says so."""
    w.git_project({"a.txt": "one\n", "b.txt": "two\n"})
    w.sh("echo x >>b.txt; git commit -qam B")
    w.shadow("status")  # what the files were is known by then
    w.write("b.txt", "mine\n")
    w.git("add", "b.txt")
    w.write("b.txt", "two\n")
    head = tip(w, "main")
    out = w.shadow("apply", "--yes").out
    assert "kept as refs/shadow/default/main" in out and "staged" in out, out
    assert tip(w, "main") == head
    assert text(w, "show", ":b.txt") == "mine"
    check_whole(w)


def test_users_own_commits_meanwhile(w):
    """A branch that moved in the project too is not touched: both histories are kept."""
    w.git_project({"a.txt": "one\n", "b.txt": "two\n"})
    w.sh("echo x >>a.txt; git commit -qam Theirs")
    w.write("b.txt", "mine\n")
    w.git("commit", "-qam", "Mine")
    head = tip(w, "main")
    out = w.shadow("apply", "--yes").out
    assert "kept as refs/shadow/default/main" in out, out
    assert tip(w, "main") == head
    assert text(w, "log", "-1", "--format=%s", "refs/shadow/default/main") == "Theirs"
    assert status(w) == " M a.txt\n", status(w)
    check_whole(w)
    # Said once: the same commits are not kept twice.
    again = w.shadow("apply", "--yes").out
    assert "main-2" not in again, again
    assert text(w, "for-each-ref", "--format=%(refname)", "refs/shadow") == \
        "refs/shadow/default/main"


def test_made_from_an_index_of_before(w):
    """A commit that the agent makes of what it had staged before yours does not take yours back: it is kept beside, and
    apply names the file."""
    w.git_project({"a.txt": "one\n", "b.txt": "two\n", "gone.txt": "three\n"})
    w.sh("echo agent >f; git add f")
    w.write("b.txt", "mine\n")
    w.write("new.txt", "new\n")
    w.git("rm", "-q", "gone.txt")
    w.git("add", "-A")
    w.git("commit", "-qm", "Mine")
    head = tip(w, "main")
    w.sh("git commit -qm 'Add f'")
    out = w.shadow("apply", "--yes").out
    assert "takes back what you committed to 'b.txt'" in out and "kept as refs/shadow/default/main" in out, out
    assert tip(w, "main") == head and text(w, "show", "main:b.txt") == "mine"
    assert w.read("f") == "agent\n" and w.read("b.txt") == "mine\n"
    # Staged anew and amended it has the user's too, and goes where the branch is.
    w.sh("git add -A; git commit -q --amend --no-edit")
    w.shadow("apply", "--yes")
    assert text(w, "log", "--format=%s").splitlines()[:2] == ["Add f", "Mine"]
    assert text(w, "show", "main:b.txt") == "mine" and text(w, "show", "main:new.txt") == "new"
    check_whole(w)


def test_what_the_agent_takes_back_knowingly(w):
    """What the agent reverts of your commits, and has in its work tree so, goes forward as any commit."""
    w.git_project({"a.txt": "one\n", "b.txt": "two\n"})
    w.sh("true")
    w.write("b.txt", "mine\n")
    w.git("commit", "-qam", "Mine")
    w.sh("git revert --no-edit HEAD; git rm -q --cached a.txt; git commit -qm 'Keep a.txt out'")
    w.shadow("apply", "--yes", "--on-conflict=theirs")  # the agent's
    assert text(w, "show", "main:b.txt") == "two" and w.read("b.txt") == "two\n"
    assert text(w, "ls-tree", "--name-only", "main") == "b.txt"
    check_whole(w)


def test_merged_by_the_user(w):
    """Commits that were put aside and then merged by the user have arrived: nothing is left to say."""
    w.git_project({"a.txt": "one\n", "b.txt": "two\n", "c.txt": "three\n"})
    w.sh("echo x >>a.txt; git commit -qam Theirs")
    w.write("b.txt", "mine\n")
    w.git("commit", "-qam", "Mine")
    w.shadow("apply", "--yes")
    aside = "refs/shadow/default/main"
    assert text(w, "log", "-1", "--format=%s", aside) == "Theirs"
    assert "Commits:" in w.shadow("status").out
    w.git("checkout", "-q", "a.txt")
    w.git("merge", "-q", "-m", "Merged", aside)
    assert "Commits:" not in w.shadow("status").out
    assert w.shadow("diff", "--commits").out == "no commits\n"
    out = w.shadow("apply", "--yes").out
    assert f"{aside} removed: a branch of the project has all of it" in out and "moved too" not in out, out
    assert text(w, "for-each-ref", "--format=%(refname)", "refs/shadow") == ""
    check_whole(w)
    # The session goes on from the user's branch.
    assert w.sh("git log -1 --format=%s; git status --porcelain; cat b.txt").out == "Merged\nmine\n"
    w.sh("echo y >>c.txt; git commit -qam More")
    w.shadow("apply", "--yes")
    assert text(w, "log", "-2", "--format=%s", "--first-parent", "main") == "More\nMerged"
    assert status(w) == "", status(w)
    check_whole(w)


def test_merged_by_the_user_while_work_is_staged(w):
    """What the session has staged stays staged when its branch follows the user's merge of that."""
    w.git_project({"a.txt": "one\n", "b.txt": "two\n", "c.txt": "three\n"})
    w.sh("echo x >>a.txt; git commit -qam Theirs; echo s >>c.txt; git add c.txt")
    w.write("b.txt", "mine\n")
    w.git("commit", "-qam", "Mine")
    w.shadow("apply", "--yes")
    w.git("stash", "-q")
    w.git("merge", "-q", "-m", "Merged", "refs/shadow/default/main")
    assert "Commits:" not in w.shadow("status").out
    w.shadow("apply", "--yes", check=False)
    assert w.sh("git log -1 --format=%s; git diff --cached --name-only").out == "Merged\nc.txt\n"
    # Moved back in the session: nothing is lost, and it is named.
    w.sh("git reset -q --hard; git reset -q --hard HEAD~1")
    assert text(w, "log", "-1", "--format=%s", "main") == "Merged"


def test_what_the_user_took_back_stays_back(w):
    """A branch that the user moved back since the session began is not moved forward over that."""
    w.git_project()
    w.write("a.txt", "second\n")
    w.git("commit", "-qam", "Second")
    w.sh("echo x >new; git add new; git commit -qm Third")
    w.git("reset", "-q", "--hard", "HEAD~1")
    head = tip(w, "main")
    out = w.shadow("apply", "--yes", "--on-conflict=ours").out
    assert tip(w, "main") == head
    assert "moved too" in out, out


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
