# SPDX-License-Identifier: MIT
"""Commits that an agent made, in the project's own repository after an apply."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import harness  # noqa: E402
from repository import check_whole, status, text, tip  # noqa: E402


def test_commits_arrive_as_they_were_made(w):
    """Commits arrive with their ids, authors, dates and messages; status and fsck are clean."""
    w.git_project({"a.txt": "one\n", "d/b.txt": "two\n", "tool": "x\n"})
    w.sh("""set -e
      echo more >>a.txt; git commit -qam 'Change a' --date 2001-02-03T04:05:06Z \
        --author 'Ann Other <ann@example.org>'
      mkdir -p n; printf 'x' >"n/a b"; ln -s a.txt n/link; chmod +x tool; git rm -q d/b.txt
      git add -A; git commit -qm 'Many kinds'; git rev-parse HEAD >/tmp/id""")
    w.shadow("apply", "--yes")
    log = text(w, "log", "--format=%an|%ae|%at|%s")
    assert log.splitlines()[1] == "Ann Other|ann@example.org|981173106|Change a", log
    assert len(log.splitlines()) == 3
    assert status(w) == "", status(w)
    check_whole(w)
    assert "shadow: apply" in text(w, "reflog")
    assert (out := w.shadow("status").out).endswith("no changes\n"), out
    # The session is the project again, and goes on from there.
    assert w.sh("git status --porcelain; git log --oneline | wc -l").out == "3\n"


def test_uncommitted_changes_stay_uncommitted(w):
    """What the agent did not commit arrives as a change of the work tree on top of its commits."""
    w.git_project({"a.txt": "one\n", "b.txt": "two\n"})
    w.sh("echo x >>a.txt; git commit -qam A; echo y >>a.txt; echo z >>b.txt; echo n >new")
    w.shadow("apply", "--yes")
    assert status(w) == " M a.txt\n M b.txt\n?? new\n", status(w)
    assert text(w, "show", "HEAD:a.txt") == "one\nx"
    check_whole(w)


def test_moved_back_in_the_session(w):
    """A branch that the session moved back is named; the project's stays."""
    w.git_project()
    w.write("a.txt", "second\n")
    w.git("commit", "-qam", "Second")
    w.sh("git reset -q --soft HEAD~1")
    assert "main: nothing that the project has not, diverged" in w.shadow("status").out
    w.shadow("apply", "--yes")
    assert text(w, "log", "-1", "--format=%s", "main") == "Second"


def test_amend_and_rebase(w):
    """History that the session rewrote is kept beside, never put in the branch's place."""
    w.git_project({"a.txt": "one\n"})
    w.write("a.txt", "two\n")
    w.git("commit", "-qam", "Second")
    head = tip(w, "main")
    w.sh("git commit -q --amend -m Amended; echo z >z; git add z; git commit -qm More")
    out = w.shadow("apply", "--yes").out
    assert "rewritten in the session" in out or "not a fast-forward" in out, out
    assert tip(w, "main") == head
    assert text(w, "log", "--format=%s", "-2", "refs/shadow/default/main") == "More\nAmended"
    assert status(w) == "?? z\n"
    check_whole(w)


def test_rewritten_and_picked_by_the_user(w):
    """Where the user has amended and picked, only what is nowhere is said not to be shown, and the session can be led
    to the user's branch."""
    w.git_project({"a.txt": "one\n"})
    w.write("b.txt", "two\n")
    w.write("a.txt", "one\n1\n")
    w.git("add", "-A")
    w.git("commit", "-qm", "Second")
    w.sh("echo agent >>a.txt; git commit -qam Agent")
    w.git("commit", "-q", "--amend", "-m", "Amended")
    told = w.shadow("status").out
    assert "2 commits not in the project, diverged" in told and "does not show" not in told, told
    assert "note:" not in w.shadow("apply", "--yes").out
    w.git("checkout", "-q", "a.txt")
    w.git("cherry-pick", "refs/shadow/default/main")
    told = w.shadow("status").out
    assert "nothing that the project has not, diverged" in told and "does not show" not in told, told
    assert "shadow discard :/.git" in told, told
    w.shadow("discard", "--yes", ":/.git")
    assert w.shadow("status").out.endswith("no changes\n")
    assert w.sh("git log --format=%s; git status --porcelain").out == "Agent\nAmended\nbegin\n", w.sh("git log").out
    # What the session reverts of the user's is nowhere in the work tree.
    w.sh("echo x >>b.txt; git add b.txt; cp .git/index .git/old")
    w.wait_settled()
    w.write("a.txt", "one\n1\nagent\nuser\n")
    w.git("commit", "-qam", "User")
    w.sh("mv .git/old .git/index; git commit -qm Stale")
    assert "does not show: a.txt" in w.shadow("status").out


def test_detached_head(w):
    """Commits on no branch are kept as refs/shadow/SESSION/HEAD."""
    w.git_project()
    w.sh("git checkout -q --detach; echo x >>a.txt; git commit -qam Loose")
    out = w.shadow("apply", "--yes").out
    assert "refs/shadow/default/HEAD" in out, out
    assert text(w, "log", "-1", "--format=%s", "refs/shadow/default/HEAD") == "Loose"
    assert text(w, "symbolic-ref", "HEAD") == "refs/heads/main"
    assert status(w) == " M a.txt\n"
    check_whole(w)


def test_branch_switched_in_the_session(w):
    """A new branch arrives; what the project has checked out stays, and apply says so."""
    w.git_project()
    w.sh("git switch -qc topic/one; echo x >>a.txt; git commit -qam Topic")
    out = w.shadow("apply", "--yes").out
    assert "'topic/one' checked out, the project 'main'" in out, out
    assert text(w, "log", "-1", "--format=%s", "topic/one") == "Topic"
    assert text(w, "symbolic-ref", "HEAD") == "refs/heads/main"
    assert status(w) == " M a.txt\n", status(w)
    check_whole(w)


def test_stash(w):
    """A stash made in the session is kept beside the project's own."""
    w.git_project()
    w.write("a.txt", "mine\n")
    w.git("stash", "-q")
    mine = tip(w, "refs/stash")
    w.sh("echo theirs >a.txt; git stash -q")
    out = w.shadow("apply", "--yes").out
    assert "refs/shadow/default/stash" in out, out
    assert tip(w, "refs/stash") == mine
    assert "theirs" in text(w, "show", "refs/shadow/default/stash:a.txt")
    check_whole(w)


def test_merge_in_progress(w):
    """Of a merge that goes on in the session only what is committed arrives, and that is said."""
    w.git_project({"a.txt": "one\n", "b.txt": "b\n"})
    w.sh("""git switch -qc side; echo side >a.txt; git commit -qam Side; git switch -q main
      echo main >a.txt; git commit -qam Main; git merge -q side; true""")
    out = w.shadow("apply", "--yes").out
    assert "a merge or rebase goes on in the session" in out, out
    assert text(w, "log", "-1", "--format=%s", "main") == "Main"
    assert text(w, "log", "-1", "--format=%s", "side") == "Side"
    check_whole(w)


def test_merge_in_the_project(w):
    """While the user is in the middle of a merge the checked-out branch stays."""
    w.git_project({"a.txt": "one\n", "b.txt": "b\n"})
    w.git("switch", "-qc", "side")
    w.write("a.txt", "side\n")
    w.git("commit", "-qam", "Side")
    w.git("switch", "-q", "main")
    w.write("a.txt", "main\n")
    w.git("commit", "-qam", "Main")
    w.sh("echo x >b.txt; git commit -qam B")
    w.git("merge", "side", check=False)
    head = tip(w, "main")
    out = w.shadow("apply", "--yes").out
    assert "a merge or rebase goes on in the project" in out, out
    assert tip(w, "main") == head


def test_between_two_commits_of_a_pick_in_the_project(w):
    """While you pick several commits, and have just made one of them yourself, no branch is moved beneath that."""
    w.git_project({"a": "a\n", "b": "b\n"})
    w.git("checkout", "-qb", "topic")
    for name in ("a", "b"):
        w.write(name, "topic\n")
        w.git("commit", "-qam", name)
    w.git("checkout", "-q", "main")
    for name in ("a", "b"):
        w.write(name, "main\n")
        w.git("commit", "-qam", "main " + name)
    assert w.git("cherry-pick", "main..topic", check=False).returncode != 0
    w.write("a", "both\n")
    w.git("commit", "-qam", "picked")
    assert os.path.isdir(w.path(".git/sequencer")) and not os.path.exists(w.path(".git/CHERRY_PICK_HEAD"))
    w.sh("echo s >s; git add s; git commit -qm S")
    before = tip(w, "main")
    out = w.shadow("apply", "--yes").out
    assert "a merge or rebase goes on in the project" in out and tip(w, "main") == before, out


def test_unborn_branch(w):
    """The first commit of a repository without commits arrives."""
    w.git("init", "-q", "-b", "main")
    w.write("a.txt", "one\n")
    w.write("b.txt", "two\n")
    w.git("add", "b.txt")
    w.sh("git add a.txt b.txt; git commit -qm First")
    w.shadow("apply", "--yes")
    assert text(w, "log", "--format=%s") == "First"
    assert status(w) == "", status(w)
    check_whole(w)
    w.shadow("undo")
    assert tip(w, "HEAD") == ""
    assert text(w, "log", "-1", "--format=%s", "refs/shadow/default/main") == "First"


def test_packed_refs_and_objects(w):
    """Packed refs are respected, and objects are taken from packs too."""
    w.git_project({"a.txt": "one\n"})
    w.git("tag", "old")
    w.git("gc", "-q")
    assert not os.path.exists(w.path(".git/refs/heads/main"))
    w.sh("""for i in 1 2 3 4 5; do echo $i >>a.txt; git commit -qam "c $i"; done
      git repack -qad; git branch side; git pack-refs --all""")
    w.shadow("apply", "--yes")
    assert text(w, "log", "--format=%s", "-1", "main") == "c 5"
    assert tip(w, "side") == tip(w, "main")
    assert status(w) == ""
    check_whole(w)


def packs(w):
    return sorted(name for name in os.listdir(w.path(".git/objects/pack")) if name.endswith(".pack"))


def test_many_objects_come_as_a_pack(w):
    """Many objects arrive in one pack, each once, however many branches bring them."""
    w.git_project()
    w.sh("""mkdir d; for i in $(seq 150); do echo $i >d/f$i; done; git add -A; git commit -qm Many
        git branch same; git switch -qc more; for i in $(seq 120); do echo x$i >d/g$i; done; git add -A
        git commit -qm More; git switch -q main""")
    w.shadow("apply", "--yes")
    assert text(w, "log", "--format=%s", "more") == "More\nMany\nbegin"
    assert tip(w, "same") == tip(w, "main") and len(packs(w)) == 2, packs(w)
    counts = dict(row.split(": ") for row in text(w, "count-objects", "-v").splitlines())
    assert int(counts["in-pack"]) == 150 + 3 + 120 + 3, counts
    assert status(w) == "", status(w)
    check_whole(w)
    # The session reads the project's objects from then on.
    assert w.sh("git status --porcelain; git fsck --no-dangling; git log --format=%s -1 more").out == \
        "More\n"
    assert "no changes" in w.shadow("status").out
    w.shadow("undo")
    w.shadow("undo", "2")
    assert tip(w, "same") == tip(w, "main") and len(packs(w)) == 2
    check_whole(w)


def test_a_branch_that_cannot_be_copied_takes_nothing_from_others(w):
    """Objects that a refused branch shares with others still arrive with those."""
    w.git_project()
    w.sh("""mkdir d; for i in $(seq 150); do echo $i >d/f$i; done; git add -A; git commit -qm Many
        git switch -qc a-bad; echo bad >bad; git add bad; git commit -qm Bad; blob=$(git rev-parse :bad)
        git switch -qc z-good main; echo good >good; git add good; git commit -qm Good; git switch -q main
        rm -f .git/objects/$(echo $blob | cut -c-2)/$(echo $blob | cut -c3-)""")
    out = w.shadow("apply", "--yes").out
    assert "a-bad" in out and tip(w, "a-bad") == "", out
    assert text(w, "log", "--format=%s", "z-good") == "Good\nMany\nbegin"
    assert text(w, "log", "--format=%s", "main") == "Many\nbegin"
    check_whole(w)


def test_no_commits_and_paths(w):
    """With --no-commits, a path or -p only files are written; the commits stay for later."""
    w.git_project({"a.txt": "one\n", "b.txt": "two\n"})
    head = tip(w, "main")
    w.sh("echo x >>a.txt; git commit -qam A; echo x >>b.txt; git commit -qam B")
    w.shadow("apply", "--yes", "a.txt")
    assert tip(w, "main") == head and status(w) == " M a.txt\n"
    w.shadow("apply", "--yes", "--no-commits")
    assert tip(w, "main") == head and status(w) == " M a.txt\n M b.txt\n"
    assert "main: 2 commits not in the project" in w.shadow("status").out
    out = w.shadow("apply", "--yes").out
    assert "applied commits" in out, out
    assert text(w, "log", "--format=%s") == "B\nA\nbegin"
    assert status(w) == "", status(w)
    check_whole(w)


def test_sensitive_commits(w):
    """A commit with a sensitive file moves no branch unless that is allowed."""
    w.git_project()
    head = tip(w, "main")
    w.sh("echo x >.envrc; git add .envrc; git commit -qm Env; git branch topic")
    assert w.shadow("apply", "--yes", check=False).returncode == 4
    assert tip(w, "main") == head and tip(w, "topic") == ""
    out = w.shadow("apply", "--yes", "--skip-sensitive").out
    assert tip(w, "main") == head and tip(w, "topic") == ""
    assert "'.envrc' is sensitive" in out, out
    assert tip(w, "refs/shadow/default/topic")
    w.shadow("apply", "--yes", "--allow-sensitive=.envrc")
    assert text(w, "log", "-1", "--format=%s", "main") == "Env"
    assert status(w) == "", status(w)
    check_whole(w)


def test_a_bare_repository_in_a_commit(w):
    """The settings of a repository that a commit brings are held back, also when the files are gone."""
    w.git_project()
    head = tip(w, "main")
    w.sh("""git init -q --bare --template= sub; touch sub/objects/k sub/refs/k; git add -A; git commit -qm Sub
        git branch topic; rm -r sub""")
    out = w.shadow("apply", "--yes").out
    assert tip(w, "main") == head and tip(w, "topic") == "" and "part of a git repository" in out, out


def test_merged_with_the_users_edit(w):
    """Where the user has edited the same file, the branch has the agent's, the file both."""
    w.git_project({"a.txt": "".join(f"{i}\n" for i in range(30))})
    w.sh("sed -i s/^3$/three/ a.txt; git commit -qam Three")
    w.shadow("status")
    w.write("a.txt", w.read("a.txt").replace("25\n", "mine\n"))
    w.shadow("apply", "--yes", "--on-conflict=merge")
    assert status(w) == " M a.txt\n"
    diff = text(w, "diff")
    assert "+mine" in diff and "three" not in diff.replace(" three", ""), diff
    check_whole(w)


def test_undo(w):
    """Undo moves the branch, its index and the files back; the commits are kept; undo it again."""
    w.git_project({"a.txt": "one\n"})
    head = tip(w, "main")
    w.sh("echo x >>a.txt; echo n >n; git add -A; git commit -qm A; git tag v1; git switch -qc topic")
    w.sh("git switch -q main")
    w.shadow("apply", "--yes")
    made = tip(w, "main")
    out = w.shadow("undo").out
    assert tip(w, "main") == head and status(w) == "", status(w)
    assert tip(w, "v1") == "" and tip(w, "topic") == ""
    assert tip(w, "refs/shadow/default/main") == made, out
    check_whole(w)
    w.shadow("undo", "2")
    assert tip(w, "main") == made and tip(w, "v1") == made and status(w) == "", status(w)
    check_whole(w)


def test_undo_after_the_user_went_on(w):
    """A branch that the user moved on since is left by undo, and named."""
    w.git_project({"a.txt": "one\n", "b.txt": "two\n"})
    w.sh("echo x >>a.txt; git commit -qam A")
    w.shadow("apply", "--yes")
    w.write("b.txt", "mine\n")
    w.git("commit", "-qam", "Mine")
    head = tip(w, "main")
    done = w.shadow("undo", check=False)
    assert done.returncode == 1 and "refs/heads/main (it was moved after" in done.out, done.out
    assert tip(w, "main") == head
    check_whole(w)


def test_discard_names_commits(w):
    """Before a session with commits is discarded, they are named."""
    w.git_project()
    w.sh("echo x >>a.txt; git commit -qam A; echo x >>a.txt; git commit -qam B")
    done = w.shadow("discard", check=False)
    assert done.returncode == 4 and "2 commits of 'main' that the project has not" in done.err, \
        done.err


def test_live_session(w):
    """Commits arrive while the session is live; the session's own stay in its view."""
    w.git_project()
    run = w.start("run", "--", "sh", "-c",
                  """echo x >>a.txt; git commit -qam A; echo ready; read line
                     echo y >>a.txt; git commit -qam B; echo again; read line""", stdin=subprocess.PIPE,
                  stdout=subprocess.PIPE)
    assert run.stdout.readline() == b"ready\n"
    w.shadow("apply", "--yes")
    assert text(w, "log", "-1", "--format=%s", "main") == "A"
    assert status(w) == "", status(w)
    run.stdin.write(b"\n")
    run.stdin.flush()
    assert run.stdout.readline() == b"again\n"
    assert "commits:\n  main: 1 commit\n" in w.shadow("apply", "--yes").out
    assert text(w, "log", "--format=%s") == "B\nA\nbegin" and status(w) == ""
    run.communicate()
    w.shadow("status")
    check_whole(w)
    assert w.sh("git status --porcelain; git log --format=%s -1").out == "B\n"


def test_commits_that_a_made_branch_has(w):
    """After apply --branch the next apply says where the branch goes, and not that there are 0 commits."""
    w.git_project({"a": "1\n"})
    w.sh("echo 2 >>a; git commit -qam two")
    w.shadow("apply", "--branch=rev")
    for words in (("status",), ("apply", "-n"), ("apply", "--yes")):
        told = w.shadow(*words).out
        assert "main: on to commits that the project has" in told and "0 commits" not in told, told
    assert w.git("rev-parse", "main").stdout == w.git("rev-parse", "rev").stdout


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
