# SPDX-License-Identifier: MIT
"""What you commit beside an agent is in its branch and its index too, and its next commit goes on from yours."""

import os
import signal
import subprocess
import sys
import time

import harness
from applies import lines
from followed_commits import commit, seen
from following import by_the_clock, followed, followers
from live_server import just_begun, server
from moves import stop_follower
from repository import check_whole, text, tip

WITH_INDEX = "touch -d @1000000000 f; git update-index -q --refresh"  # git writes an index of the session's


def project(w):
    w.git_project({"f": lines(), "g": lines(), "d/h": lines()})


def arrived(w, subject):
    out = w.shadow("apply", "--yes").out
    assert "main: 1 commit\n" in out, out
    assert text(w, "log", "-1", "--format=%s", "main") == subject
    assert text(w, "status", "--porcelain") == ""
    check_whole(w)


def clean(run, staged=""):
    """The run's git finds nothing staged but that, and no branch of its own beside the project's."""
    seen(run, "git status --porcelain", staged)


def commit_and_see(w, run, name, n):
    """A line of yours, committed, which the run's git has soon."""
    commit(w, name, n)
    seen(run, "git rev-parse HEAD", tip(w, "main") + "\n")
    clean(run)


def test_index_of_a_live_run(w):
    """An agent that has looked at git's status commits only what it has staged itself, whatever you commit meanwhile, and
    however: a commit, an amend, a reset, a merge, a file added, moved, deleted."""
    project(w)
    with server(w) as run:
        run.do(WITH_INDEX + "; echo own >n; git add n")
        followed(w)

        def merge():
            w.git("checkout", "-qb", "topic")
            commit(w, "g", 7)
            w.git("checkout", "-q", "main")
            commit(w, "f", 8)
            w.git("merge", "-q", "--no-ff", "-m", "Merged", "topic")

        def move():
            w.git("mv", "g", "moved")
            w.git("rm", "-q", "d/h")
            w.write("new", "new\n")
            w.git("add", "new")
            w.git("commit", "-qam", "Moved")
        for change in (lambda: commit(w, "f", 2), lambda: (commit(w, "g", 3), commit(w, "g", 4)),
                       lambda: w.git("commit", "-q", "--amend", "-m", "Amended"),
                       lambda: w.git("reset", "-q", "--hard", "HEAD~"), merge, move):
            change()
            seen(run, "git rev-parse HEAD", tip(w, "main") + "\n")
            clean(run, "A  n\n")
        run.do("git commit -qm agent")
        arrived(w, "agent")
        assert text(w, "diff", "--name-status", "main~", "main") == "A\tn"


def test_branch_after_an_apply(w):
    """After an agent's commits were applied its branch follows yours, and so on: what it commits next arrives."""
    project(w)
    with server(w) as run:
        followed(w)
        for n in range(1, 4):
            run.do(f"sed -i 's/^{n}$/agent/' g; git commit -qam agent{n}")
            arrived(w, f"agent{n}")
            commit(w, "f", n)
            seen(run, "git rev-parse main", tip(w, "main") + "\n")
            clean(run)
        assert "follow the project" in run.do("git reflog")
    assert w.shadow("status", "--porcelain").out == ""


def test_what_the_agent_staged_stays(w):
    """What the agent has staged stays so: an edit of a file of which you commit another line, an older version that it
    restored, a deletion, a file that it means to add."""
    project(w)
    commit(w, "g", 9)
    with server(w) as run:
        run.do(WITH_INDEX)
        followed(w)
        commit(w, "d/h", 5)
        seen(run, "git rev-parse HEAD", tip(w, "main") + "\n")
        clean(run)
        run.do("sed -i 's/^1$/agent/' f; git add f; git checkout -q HEAD~ -- d/h; git rm -q g; echo n >n; git add -N n")
        staged = run.do("git diff --cached d/h g; git show :f")
        commit(w, "f", 9)
        w.write("other", "other\n")
        w.git("add", "other")
        w.git("commit", "-qm", "Other")
        seen(run, "git rev-parse HEAD", tip(w, "main") + "\n")
        seen(run, "git ls-files other", "other\n")
        assert run.do("git diff --cached d/h g; git show :f") == staged
        assert run.do("git status --porcelain n") == " A n\n"


def test_staged_after_an_apply(w):
    """The same of an older version that it restored after commits of its own were applied."""
    project(w)
    with server(w) as run:
        run.do(WITH_INDEX)
        followed(w)
        for n in (1, 2):
            commit_and_see(w, run, "d/h", n)
        run.do("sed -i 's/^1$/agent/' g; git commit -qam agent")
        arrived(w, "agent")
        clean(run)
    w.wait_settled()
    with server(w) as run:
        followed(w)
        run.do("git checkout -q HEAD~2 -- d/h; git rev-parse HEAD")
        staged = run.do("git diff --cached d/h")
        commit(w, "f", 9)
        seen(run, "git rev-parse HEAD", tip(w, "main") + "\n")
        time.sleep(0.5)
        assert staged and run.do("git diff --cached d/h") == staged, staged


def test_commits_of_its_own_stay(w):
    """A branch with commits that are not applied is the agent's: yours is not put in its place, nor into its index."""
    project(w)
    with server(w) as run:
        run.do("sed -i 's/^1$/agent/' g; git commit -qam agent")
        followed(w)
        own = run.do("git rev-parse main; git ls-files -s")
        commit(w, "f", 1)
        seen(run, "cat f", w.read("f"))
        time.sleep(0.5)
        assert run.do("git rev-parse main; git ls-files -s") == own


def test_another_branch(w):
    """You switch branches, and the agent's index comes along: here and back."""
    project(w)
    w.git("checkout", "-qb", "topic")
    commit(w, "f", 1)
    w.git("checkout", "-q", "main")
    with server(w) as run:
        run.do(WITH_INDEX)
        followed(w)
        for branch in ("topic", "main", "topic"):
            w.git("checkout", "-q", branch)
            seen(run, "git symbolic-ref HEAD; git rev-parse HEAD", f"refs/heads/{branch}\n{tip(w, branch)}\n")
            clean(run)


def test_away_right_after_an_apply(w):
    """The same where you go back at once from the agent's commits, which you have applied."""
    project(w)
    with server(w) as run:
        followed(w)
        run.do("echo own >n; git add n; git commit -qm agent")
        follower = stop_follower(w)
        w.shadow("apply", "--yes")
        w.git("checkout", "-qb", "side", "HEAD~1")
        os.kill(follower, signal.SIGCONT)
        seen(run, "git symbolic-ref --short HEAD", "side\n")
        clean(run)


def test_git_of_the_run_at_work(w):
    """While a git of the run has its index locked, the index stays what it read; it follows afterwards."""
    project(w)
    with server(w) as run:
        run.do(WITH_INDEX)
        followed(w)
        run.do(": >.git/index.lock")
        before = run.do("git ls-files -s")
        commit(w, "f", 1)
        seen(run, "git rev-parse HEAD", tip(w, "main") + "\n")
        time.sleep(0.5)
        after = run.do("git ls-files -s; ls .git/*.lock")
        assert after == before + ".git/index.lock\n", (before, after)
        run.do("rm .git/index.lock")
        clean(run)


def test_rebase_in_progress(w):
    """A rebase that the agent has in progress finds its branch where it was; afterwards that follows."""
    project(w)
    with server(w) as run:
        run.do("sed -i 's/^1$/agent/' g; git commit -qam agent")
        followed(w)
        arrived(w, "agent")
        run.do("git rebase -q -x false HEAD~ 2>/dev/null; test -d .git/rebase-merge")
        before = run.do("git rev-parse main; git ls-files -s")
        commit(w, "f", 2)
        seen(run, "cat f", w.read("f"))
        time.sleep(0.5)
        assert run.do("git rev-parse main; git ls-files -s") == before
        run.do("git rebase --quit; git checkout -q main")
        seen(run, "git rev-parse HEAD", tip(w, "main") + "\n")
        clean(run)


def test_merge_given_up(w):
    """What you commit while the agent has a merge in progress is in its index once it gives that up."""
    project(w)
    w.git("checkout", "-qb", "topic")
    commit(w, "f", 1, "topic")
    w.git("checkout", "-q", "main")
    commit(w, "f", 1)
    with server(w) as run:
        run.do(WITH_INDEX + "; git merge -q topic >/dev/null 2>&1; test -f .git/MERGE_HEAD")
        followed(w)
        commit(w, "g", 2)
        seen(run, "git rev-parse HEAD", tip(w, "main") + "\n")
        time.sleep(0.5)
        run.do("git checkout -q -f HEAD f; rm .git/MERGE_*")
        clean(run)


def test_many_commits_in_a_row(w):
    """However fast your commits follow each other, as in a rebase, none is missing in the agent's index."""
    names = [f"n{k}" for k in range(40)]
    w.git_project({"f": lines(), **{name: "0\n" for name in names}})
    with server(w) as run:
        run.do(WITH_INDEX)
        followed(w)
        for n in range(1, 4):
            for name in names:
                w.write(name, f"{n}\n")
                w.git("commit", "-qam", name)
            seen(run, "git rev-parse HEAD", tip(w, "main") + "\n")
            clean(run)


def test_without_enough_watches(w):
    """The same where time does it, because the kernel lets the user watch too few directories."""
    w.git_project({"f": lines(), **{f"d{n}/f": "1\n" for n in range(40)}})
    with by_the_clock(w) as run:
        run.do(WITH_INDEX)
        followed(w)
        for n in (2, 3):
            commit_and_see(w, run, "f", n)


def test_linked_work_tree(w):
    """The same in a linked work tree, whose git directory lies elsewhere."""
    project(w)
    main = w.project
    w.git("worktree", "add", "-q", "-b", "linked", os.path.join(w.tmp, "linked"))
    w.project = os.path.join(w.tmp, "linked")
    with server(w) as run:
        run.do(WITH_INDEX + "; echo own >n; git add n")
        followed(w)
        commit(w, "f", 1)
        seen(run, "git rev-parse HEAD", tip(w, "linked") + "\n")
        clean(run, "A  n\n")
        run.do("git commit -qm agent")
        assert "linked: 1 commit\n" in w.shadow("apply", "--yes").out
        commit(w, "f", 2)
        seen(run, "git rev-parse HEAD", tip(w, "linked") + "\n")
        clean(run)
    w.run("sh", "-c", WITH_INDEX)
    w.wait_settled()
    commit(w, "f", 3)
    assert w.run("git", "status", "--porcelain").out == ""
    w.project = main


def test_one_run_after_the_other(w):
    """The same for runs of one command each: what you commit between them is no part of what the agent commits next."""
    project(w)
    w.run("sh", "-c", WITH_INDEX)
    for n in range(1, 4):
        w.wait_settled()
        commit(w, "f", n)
        w.run("sh", "-c", f"echo own >n{n}; git add n{n}")
        w.wait_settled()
        commit(w, "g", n)
        assert w.run("git", "status", "--porcelain").out == f"A  n{n}\n"
        w.run("git", "commit", "-qm", f"agent{n}")
        arrived(w, f"agent{n}")


def test_committed_at_once(w):
    """The same for what you commit in the first moment of a session, before anything of the project is noted."""
    project(w)
    w.env["SHADOW_FAIL"] = "base-tree-begun:1=stop"
    w.run("sh", "-c", WITH_INDEX)
    del w.env["SHADOW_FAIL"]
    harness.wait_until(w.stopped, what="who notes the project")
    commit(w, "g", 2)
    os.kill(w.stopped()[0], signal.SIGCONT)
    w.wait_settled()
    assert w.run("git", "status", "--porcelain").out == ""


def test_refresh(w):
    """A refresh brings the index of a session along that is at rest."""
    project(w)
    w.run("sh", "-c", WITH_INDEX + "; echo own >n; git add n")
    w.wait_settled()
    commit(w, "f", 1)
    w.shadow("refresh")
    session = os.listdir(os.path.join(w.state, "sessions"))[0]
    index = os.path.join(w.state, "sessions", session, "project/upper/.git/index")
    own = subprocess.run(["git", "ls-files", "-s"], cwd=w.project, env=w.env | {"GIT_INDEX_FILE": index}, stdout=-1,
                         check=True).stdout.decode()
    assert [line for line in own.splitlines() if not line.endswith("\tn")] == text(w, "ls-files", "-s").splitlines()
    assert "\tn\n" in own


def test_sparse_checkout(w):
    """The index of a sparse checkout stays as it is: no file outside of it counts as deleted."""
    project(w)
    w.git("sparse-checkout", "set", "--no-cone", "/f", "/g")
    w.run("sh", "-c", WITH_INDEX)
    w.wait_settled()
    w.write("d/new", "new\n")
    w.git("add", "--sparse", "d/new")
    w.git("commit", "-qm", "New")
    w.git("sparse-checkout", "reapply")
    assert not os.path.exists(w.path("d/new"))
    w.run("true")
    assert " D" not in w.run("git", "status", "--porcelain").out


def test_links_and_pipes(w):
    """What a run puts in the place of its index or its git directory leads nowhere and holds nobody up."""
    project(w)
    secret = os.path.join(w.tmp, "secret")
    with open(secret, "w", encoding="utf-8") as file:
        file.write("secret\n")
    for n, trick in enumerate(("mkfifo .git/index", f"ln -s {secret} .git/index", f"ln -s {secret} .git/index.lock",
                               "mkdir .git/index", "rm -r .git/refs; ln -s / .git/refs", f"rm -rf .git; ln -s {w.tmp} .git")):
        with just_begun(w, "--as", f"t{n}") as run:
            run.do("git status --short; rm -f .git/index; " + trick)
            followed(w)
            commit(w, "f", n + 1)
            seen(run, "cat f", w.read("f"))
        w.wait_settled()
        w.shadow("status", "--as", f"t{n}")
        assert w.shadow("refresh", "--as", f"t{n}", check=False).returncode in (0, 3), trick
        assert open(secret, encoding="utf-8").read() == "secret\n", trick
    check_whole(w)


def test_killed_on_the_way(w):
    """Whoever brings the branch and the index along and is killed leaves a git that works, and the next one ends it."""
    project(w)
    for n, point in enumerate(("git-lock-made", "git-locked", "follow-index-written"), 1):
        w.sh(f"sed -i 's/^{n}$/agent/' g; git commit -qam agent{n}")
        w.wait_settled()
        with server(w) as run:
            arrived(w, f"agent{n}")
            followed(w)
            (follower,) = followers(w)
            w.shadow("list")  # what settles the run needs the database
            os.kill(follower, signal.SIGKILL)
            harness.wait_until(lambda: not followers(w), what="a killed process")
            w.env["SHADOW_FAIL"] = f"{point}:1=kill"
            begun = w.start("run", "--", "sleep", str(3 * harness.TIME_FACTOR))
            followed(w)
            del w.env["SHADOW_FAIL"]
            commit(w, "f", n)
            harness.wait_until(lambda: not followers(w), what="a killed process")
            begun.wait(timeout=30)
            seen(run, "cat f", w.read("f"))
        w.wait_settled()
        assert w.run("git", "status", "--porcelain").out == "", point
        assert w.run("git", "rev-parse", "HEAD").out == tip(w, "main") + "\n", point
        assert w.run("sh", "-c", "find .git -name '*.lock' -o -name '*.tmp'").out == "", point
    check_whole(w)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
