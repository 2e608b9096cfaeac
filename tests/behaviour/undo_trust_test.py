# SPDX-License-Identifier: MIT
"""What an undo, or a checkout, brings back is judged with what an agent has put beside it: each test also shows what
comes of it where that is allowed."""

import os
import subprocess
import sys

import harness

HEAD = "ref: refs/heads/x\n"
PARTS = """mkdir -p near/objects near/refs; touch near/objects/k near/refs/k
printf '[core]\\nfsmonitor=touch "$HOME/ran";false\\nrepositoryformatversion=0\\nbare=false\\nworktree=..\\n' >near/config"""
HOOK = "mkdir hk; printf '#!/bin/sh\\ntouch \"$HOME/ran\"\\n' >hk/post-checkout; chmod +x hk/post-checkout"
REFUSED = 4


def ran(w):
    """What an ordinary use of git runs."""
    w.git("status", cwd=w.path("near") if os.path.isdir(w.path("near")) else None, check=False)
    w.git("checkout", "-q", "HEAD", check=False)
    return os.path.exists(os.path.join(w.home, "ran"))


def applied(w, script, *words):
    w.sh(script)
    return w.shadow("apply", "--yes", *words).out


def refused(w, *words, path):
    before = harness.walk(w.project)
    done = w.shadow(*words, "--yes", check=False)
    assert done.returncode == REFUSED and path in done.err, (done.returncode, done.err)
    assert harness.walk(w.project) == before
    return done.err


def test_undo_of_a_repository_that_is_in_use(w):
    """A repository that came by an apply, and in which you have committed, made or packed a branch, stays whole; one that you
    only looked into goes."""
    uses = {"": False, "git log": False, "echo mine >>f; git add f; git commit -qm mine": True,
            "git branch side": True, "git checkout -qb side": True, "git pack-refs --all": True, "git tag t": True}
    for number, (use, stays) in enumerate(uses.items()):
        w.project = os.path.join(w.tmp, f"p{number}")
        os.mkdir(w.project)
        w.git_project()
        applied(w, "git init -q -b main n; cd n; echo 1 >f; git add f; git commit -qm theirs")
        subprocess.run(["sh", "-c", f"cd n; {use}"], cwd=w.project, stdout=subprocess.DEVNULL, check=True, env={
            **w.env, **{f"GIT_{who}_{what}": "u@h" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}})
        done = w.shadow("undo", "--yes", check=False)
        assert done.returncode == (1 if stays else 0), (use, done.out, done.err)
        assert ("worked in that repository" in done.out) == stays, (use, done.out)
        assert os.path.exists(w.path("n/.git/HEAD")) == stays, use
        if stays:
            told = subprocess.run(["git", "fsck", "--strict", "--no-dangling"], cwd=w.path("n"), env=w.env, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, check=False)
            assert told.returncode == 0 and told.stdout == b"", (use, told.stdout)
            assert "theirs" in w.git("log", "--format=%s", cwd=w.path("n")).stdout.decode(), use


def test_undo_that_completes_a_repository(w):
    """The agent takes its HEAD out again, brings the rest, and the undo would bring the HEAD back."""
    w.git_project()
    applied(w, f"mkdir near; printf '{HEAD}' >near/HEAD; echo r >near/README", "--allow-sensitive")
    applied(w, "rm near/HEAD")
    applied(w, PARTS)
    refused(w, "undo", "2", path="near/HEAD (part of a git repository)")
    assert not ran(w)
    dry = w.shadow("undo", "-n", "2", check=False)
    assert dry.returncode == REFUSED and "near/HEAD" in dry.out, (dry.out, dry.err)
    w.shadow("undo", "--yes", "--allow-sensitive", "2")
    assert ran(w)


def test_undo_that_completes_a_repository_by_the_users_file(w):
    """The HEAD is the user's own, and git does not know it."""
    w.git_project()
    w.write("near/HEAD", HEAD)
    w.write("near/README", "r\n")
    applied(w, "rm near/HEAD")
    applied(w, PARTS)
    refused(w, "undo", "1", path="near/config (part of a git repository, once this is taken back)")
    refused(w, "undo", "1", "--allow-sensitive=near/config", path="near/refs/k")
    w.shadow("undo", "--yes", "--allow-sensitive=near", "1")
    assert ran(w)


def test_misspelt_permission(w):
    """As of an apply: one that nothing sensitive answers to is not taken for one that was heard."""
    w.git_project()
    w.write("near/HEAD", HEAD)
    applied(w, "rm near/HEAD; echo a >f")
    applied(w, PARTS)
    before = harness.walk(w.project)
    for words in (["--allow-sensitive=naer"], ["--allow-sensitive=near", "--allow-sensitive=f"]):
        done = w.shadow("undo", "--yes", *words, "1", check=False)
        assert done.returncode == 1 and words[-1].partition("=")[2] in done.err, (done.returncode, done.err)
        assert harness.walk(w.project) == before
    w.shadow("undo", "--yes", "--allow-sensitive=near", "1")


def test_checkout_that_completes_a_repository(w):
    """The HEAD is the user's own, and in git's index: `git checkout .` brings it back."""
    w.git_project({"near/HEAD": HEAD, "near/README": "r\n"})
    applied(w, "rm near/HEAD")
    w.sh(PARTS)
    refused(w, "apply", path="near/config (part of a git repository)")
    w.git("checkout", ".")
    assert not ran(w)
    w.shadow("apply", "--yes", "--allow-sensitive")
    assert ran(w)


def test_reset_that_completes_a_repository(w):
    """The HEAD is the user's own; what was applied is staged, and `git reset --hard` brings it back."""
    w.git_project({"near/HEAD": HEAD, "near/README": "r\n", "link/x": "x\n"})
    os.symlink(".", w.path("a"))
    w.git("add", "-A")
    w.git("commit", "-qm", "more")
    w.write("near/objects/k")
    applied(w, "rm near/HEAD a")
    w.git("rm", "-q", "--cached", "near/HEAD", "a")
    w.sh(f"{PARTS}; ln -s a/../outside l")
    done = refused(w, "apply", path="near/config (part of a git repository)")
    assert "l (a symlink " in done, done
    w.git("reset", "-q", "--hard")
    assert not ran(w)
    w.shadow("apply", "--yes", "--allow-sensitive")
    assert ran(w) and os.path.realpath(w.path("l")) == os.path.join(w.tmp, "outside")


def test_link_that_leads_out_by_what_comes_back(w):
    """A new link through the name of one that the user had: `a -> .`, `l -> a/../outside`."""
    for tracked in (True, False):
        name = f"a{tracked}"
        if not os.path.exists(w.path(".git")):
            w.git_project()
        os.symlink(".", w.path(name))
        if tracked:
            w.git("add", "-A")
            w.git("commit", "-qm", "link")
        applied(w, f"rm {name}")
        w.sh(f"ln -s {name}/../outside l{tracked}")
        refused(w, "apply", path=f"l{tracked} (a symlink ")
        w.shadow("apply", "--yes", "--allow-sensitive")
        if tracked:
            w.git("checkout", ".")
        else:
            w.shadow("undo", "--yes", w.shadow("undo", "--list").out.split("\n")[1].split()[0])
        assert os.path.realpath(w.path(f"l{tracked}")) == os.path.join(w.tmp, "outside")
        w.shadow("discard", "--yes", check=False)


def test_undo_of_an_undo(w):
    """What an apply may not bring, the undo of an undo may not either."""
    w.git_project()
    applied(w, HOOK)
    w.shadow("undo", "--yes")
    w.git("config", "core.hooksPath", "hk")
    refused(w, "apply", path="hk/post-checkout")
    refused(w, "undo", "2", path="hk/post-checkout (git runs it (core.hooksPath))")
    assert not ran(w)
    w.shadow("undo", "--yes", "--allow-sensitive=hk", "2")
    assert ran(w)


def test_undo_that_brings_back_what_an_agent_made(w):
    """Meanwhile the user has made a directory of hooks of it."""
    w.git_project()
    applied(w, HOOK)
    applied(w, "rm hk/post-checkout")
    w.git("config", "core.hooksPath", "hk")
    refused(w, "undo", "2", path="hk/post-checkout")
    w.shadow("undo", "--yes", "--allow-sensitive", "2")
    assert ran(w)


def test_undo_by_which_the_users_file_names_an_agents(w):
    """direnv knows the user's own .envrc already."""
    w.git_project({".envrc": "source tools/env\n", "tools/check": "x\n"})
    applied(w, "rm .envrc", "--allow-sensitive")
    applied(w, "echo evil >tools/env")
    refused(w, "undo", "1", path="tools/env (the project's .envrc names it, once this is taken back)")


def test_the_users_own_files_come_back_without_a_question(w):
    """Changed, deleted, as a link, as a repository: nothing of it is an agent's."""
    w.git_project({".envrc": "mine\n", ".vscode/tasks.json": "{}\n"})
    w.git("init", "-q", "--bare", "fixture.git")
    os.symlink("/var/tmp", w.path("out"))
    before = harness.walk(w.project)
    for script in ("echo x >>.envrc; echo x >.vscode/tasks.json", "rm -r .envrc .vscode", "rm out", "rm -r fixture.git",
                   "rm out; echo text >out"):
        applied(w, script, "--allow-sensitive")
        assert harness.walk(w.project) != before
        w.shadow("undo", "--yes")
        assert harness.walk(w.project) == before, (script, harness.difference(harness.walk(w.project), before))
        w.shadow("discard", "--yes")


def test_what_was_allowed_once_comes_back_without_a_question(w):
    """An agent's file of a sensitive name, as it was before the agent's last edit."""
    w.git_project()
    applied(w, "mkdir -p .github/workflows; echo a >.github/workflows/x.yml", "--allow-sensitive")
    applied(w, "echo b >.github/workflows/x.yml", "--allow-sensitive")
    w.shadow("undo", "--yes")
    assert w.read(".github/workflows/x.yml") == "a\n"


def test_a_new_repository_comes_again(w):
    """Its own parts are those that the apply judged."""
    w.git_project()
    applied(w, "git init -q n; echo x >n/f; git -C n add f; git -C n commit -qm n")
    after = harness.walk(w.project)
    w.shadow("undo", "--yes")
    w.shadow("undo", "--yes", "2")
    assert harness.walk(w.project) == after, harness.difference(harness.walk(w.project), after)


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
