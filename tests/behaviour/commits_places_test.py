# SPDX-License-Identifier: MIT
"""Commits of a session where the repository is a linked work tree or a submodule, and on branches made for them."""

import json
import os
import sys

import harness
from live_server import server
from repository import check_whole, status, text, tip


def test_branch(w):
    """apply --branch makes a branch of commits and uncommitted changes; the work tree is untouched."""
    w.git_project({"a.txt": "one\n", "b.txt": "two\n", "d/x": "x\n", "d/y": "y\n", "f": "f\n"})
    w.write("b.txt", "the user's\n")
    before = harness.fingerprint(w.project + "/d"), status(w), tip(w, "main")
    w.sh("""echo x >>a.txt; git commit -qm A a.txt; echo new >'n w'; chmod +x d/x; rm d/y; ln -s a.txt l
      rm f; mkdir f; echo g >f/g""")
    out = w.shadow("apply", "--branch", "topic", "-m", "The rest").out
    assert (harness.fingerprint(w.project + "/d"), status(w), tip(w, "main")) == before
    assert text(w, "log", "--format=%s|%an|%ae", "topic") == \
        "The rest|T|t@example.org\nA|T|t@example.org\nbegin|T|t@example.org", out
    rows = text(w, "diff", "--raw", "--abbrev=4", "--no-renames", "topic~1", "topic").splitlines()
    assert [row.split(" ")[0:2] + row.split("\t")[1:] for row in rows] == [
        [":100644", "100755", "d/x"], [":100644", "000000", "d/y"], [":100644", "000000", "f"],
        [":000000", "100644", "f/g"], [":000000", "120000", "l"], [":000000", "100644", "n w"]], rows
    assert text(w, "show", "topic:b.txt") == "two"
    check_whole(w)
    # The session keeps its changes.
    assert "main: 1 commit" in w.shadow("status").out or "A  n w" in w.shadow("status").out
    done = w.shadow("apply", "--branch", "topic", check=False)
    assert done.returncode == 4, done.err
    w.shadow("undo")
    assert tip(w, "topic") == "" and tip(w, "refs/shadow/default/topic") != ""
    check_whole(w)


def test_branch_needs_a_name_for_the_commit(w):
    """Without user.name and user.email a branch is not made, and the mend is told."""
    w.git_project()
    w.sh("echo x >>a.txt")
    env = {name: "" for name in ("GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL")}
    done = w.shadow("apply", "--branch", "topic", check=False, env=env)
    assert done.returncode == 2 and "git config --global user.name" in done.err, done.err
    with open(os.path.join(w.home, ".gitconfig"), "w", encoding="utf-8") as f:
        f.write("[user]\n\tname = Una\n\temail = una@example.org\n")
    w.shadow("apply", "--branch", "topic", env=env)
    assert text(w, "log", "-1", "--format=%an|%s", "topic") == "Una|shadow: default"


def test_branch_refuses_sensitive(w):
    """Sensitive changes come to a branch only when they are allowed."""
    w.git_project()
    w.sh("echo x >>a.txt; echo y >.envrc")
    assert w.shadow("apply", "--branch", "t", check=False).returncode == 4
    w.shadow("apply", "--branch", "t", "--skip-sensitive")
    assert text(w, "diff", "--name-only", "main", "t") == "a.txt"
    for bad in ("../x", "-x", "a..b", "HEAD", "x.lock", ""):
        assert w.shadow("apply", f"--branch={bad}", check=False).returncode == 2, bad


def test_linked_worktree(w):
    """In a linked work tree commits arrive in the main repository, and its index follows."""
    w.git_project()
    linked = os.path.join(w.tmp, "linked")
    w.git("worktree", "add", "-q", "-b", "side", linked)
    head = tip(w, "main")
    w.sh("echo x >>a.txt; git commit -qam Side; git branch other; git update-ref refs/heads/main HEAD", cwd=linked)
    out = w.shadow("apply", "--yes", cwd=linked).out
    assert text(w, "log", "-1", "--format=%s", "side") == "Side", out
    assert tip(w, "other") == tip(w, "side")
    assert tip(w, "main") == head and "another work tree has the branch checked out" in out, out
    assert w.git("status", "--porcelain", cwd=linked).stdout == b""
    assert status(w) == ""
    check_whole(w)
    assert w.sh("git status --porcelain; git log --format=%s -1", cwd=linked).out == "Side\n"
    w.shadow("undo", cwd=linked)
    assert tip(w, "side") == head and tip(w, "other") == ""
    assert w.git("status", "--porcelain", cwd=linked).stdout == b""
    # Where the link to the git directory is relative, and at the end of another session.
    with open(os.path.join(linked, ".git"), "w", encoding="utf-8") as f:
        f.write("gitdir: ../project/.git/worktrees/linked\n")
    w.sh("echo y >>a.txt; git commit -qam Again", cwd=linked)
    out = w.shadow("apply", "--yes", cwd=linked).out
    assert text(w, "log", "-1", "--format=%s", "side") == "Again", out
    assert w.git("status", "--porcelain", cwd=linked).stdout == b""
    check_whole(w)


def diverged(w, linked, commit):
    """The agent's commit was kept aside, and you committed its work yourself."""
    commit()
    w.git("commit", "-q", "--allow-empty", "-m", "Mine", cwd=linked)
    assert "kept as refs/shadow/default/side" in w.shadow("apply", "--yes", cwd=linked).out
    w.git("commit", "-qam", "Took it", cwd=linked)
    assert "diverged" in w.shadow("status", cwd=linked).out


def test_discard_in_a_linked_worktree(w):
    """The session's side of the repository can be discarded in a linked work tree, by its name or with all else, also
    beside a live run: the session goes on from the project's branch, and what it commits then arrives."""
    w.git_project()
    linked = os.path.join(w.tmp, "linked")
    w.git("worktree", "add", "-q", "-b", "side", linked)
    for n, path in enumerate((":/.git", ".")):
        diverged(w, linked, lambda: w.sh("echo x >>a.txt; git commit -qam Side", cwd=linked))
        out = w.shadow("discard", "--yes", path, cwd=linked).out
        assert out == "discarded the change of '.git'\n", out
        assert "Commits:" not in w.shadow("status", cwd=linked).out
        assert w.sh("git log -1 --format=%s; git status --porcelain", cwd=linked).out == "Took it\n"
        done = w.shadow("discard", "--yes", ":/.git", cwd=linked, check=False)
        assert done.returncode == 1 and "no change at or below '.git'" in done.err, done.err
        w.sh(f"echo {n} >>a.txt; git commit -qam 'More {n}'", cwd=linked)
        assert "side: 1 commit\n" in w.shadow("apply", "--yes", cwd=linked).out
    main, w.project = w.project, linked
    with server(w) as run:
        diverged(w, linked, lambda: run.do("echo x >>a.txt; git commit -qam Side"))
        assert w.shadow("discard", "--yes", ":/.git").out == "discarded the change of '.git'\n"
        assert run.do("git log -1 --format=%s; git status --porcelain") == "Took it\n"
        assert "Commits:" not in w.shadow("status").out
        w.git("commit", "-q", "--allow-empty", "-m", "Mine again")
        harness.wait_until(lambda: run.do("git log -1 --format=%s") == "Mine again\n", what="the branch to follow")
        run.do("echo y >>a.txt; git commit -qam Live")
        assert "side: 1 commit\n" in w.shadow("apply", "--yes").out
    w.wait_settled()
    assert w.sh("git log -1 --format=%s; git status --porcelain").out == "Live\n"
    w.project = main
    check_whole(w)


def test_submodule_as_a_project(w):
    """A session in a sub-module's work tree commits to that sub-module's own repository."""
    inner = os.path.join(w.tmp, "inner")
    os.mkdir(inner)
    w.git("init", "-q", "-b", "main", cwd=inner)
    w.git("commit", "-q", "--allow-empty", "-m", "inner", cwd=inner)
    w.git_project()
    w.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "sub")
    w.git("commit", "-qm", "Sub")
    sub = w.path("sub")
    w.sh("echo x >x; git add x; git commit -qm Inside", cwd=sub)
    w.shadow("apply", "--yes", cwd=sub)
    assert text(w, "log", "-1", "--format=%s", cwd=sub) == "Inside"
    assert w.git("status", "--porcelain", cwd=sub).stdout == b""
    assert status(w) == " M sub\n", status(w)


def test_repository_in_the_project(w):
    """What the agent commits in a repository that lies in the project stays in the session: status says so, before and
    after an apply of the files."""
    w.git_project({"a": "a\n", "in/x": "x\n"})
    w.git("init", "-q", "in")
    w.sh("cd in; git add x; git -c user.name=a -c user.email=a@x commit -qm inner")
    w.shadow("apply", "--yes")
    assert "in/.git" in w.shadow("status").out
    said = "\nThe session wrote to repositories in the project; apply leaves that alone:\n  in/.git\n"
    w.git("-C", "in", "commit", "-q", "--allow-empty", "-m", "Mine")
    w.sh("cd in; echo more >>x; git -c user.name=a -c user.email=a@x commit -qam second")
    for _ in range(2):
        assert said in w.shadow("status").out, w.shadow("status").out
        assert json.loads(w.shadow("status", "--json").out)["nested_git_dirs"] == [{"path": "in/.git"}]
        w.shadow("apply", "--yes")


def test_submodule(w):
    """A commit that moves a sub-module is kept beside, allowed or not; nothing of the sub-module is written."""
    inner = os.path.join(w.tmp, "inner")
    os.mkdir(inner)
    w.git("init", "-q", "-b", "main", cwd=inner)
    w.git("commit", "-q", "--allow-empty", "-m", "inner", cwd=inner)
    w.git_project()
    w.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "sub")
    w.git("commit", "-qm", "Sub")
    head = tip(w, "main")
    w.sh("cd sub && git commit -q --allow-empty -m moved && cd .. && git commit -qam 'Move sub'")
    assert "'sub' is sensitive (another commit of a sub-module)" in w.shadow("apply", "-n").out
    out = w.shadow("apply", "--yes", "--allow-sensitive").out
    assert "it changes the sub-module 'sub'" in out, out
    assert tip(w, "main") == head and status(w) == "", status(w)
    assert text(w, "log", "-1", "--format=%s", "refs/shadow/default/main") == "Move sub"


def test_undo_of_what_is_checked_out(w):
    """An undo takes no branch from beneath a work tree that has it checked out, and says so."""
    w.git_project({"a": "1\n"})
    w.sh("echo n >n")
    w.wait_settled()
    w.shadow("apply", "--yes", "--branch", "review")
    w.git("checkout", "-q", "review")
    review = tip(w, "review")
    assert "left as it is: refs/heads/review (it is checked out)" in w.shadow("undo", "--yes", check=False).out
    assert tip(w, "HEAD") == review and status(w) == ""
    w.git("checkout", "-q", "main")
    linked = os.path.join(w.tmp, "linked")
    w.git("worktree", "add", "-q", linked, "review")
    out = w.shadow("undo", "--yes", check=False).out
    assert "left as it is: refs/heads/review (another work tree has the branch checked out)" in out, out
    assert tip(w, "review") == review
    w.git("worktree", "remove", linked)
    assert "moved back: refs/heads/review" in w.shadow("undo", "--yes").out


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
