# SPDX-License-Identifier: MIT
"""Repositories in the project: what counts at the top of one, and commits that choose what a sub-module has."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import harness  # noqa: E402
from applies import goes, held  # noqa: E402
from repository import text, tip  # noqa: E402

WORKFLOW = "mkdir -p {0}.github/workflows; echo x >{0}.github/workflows/x.yml"


def inner_repository(w, path):
    w.git("init", "-q", "-b", "main", path)
    w.write(path + "/f", "x\n")
    w.git("add", "f", cwd=w.path(path))
    w.git("commit", "-qm", "inner", cwd=w.path(path))


def with_submodule(w):
    origin = os.path.join(w.tmp, "origin")
    w.git("init", "-q", "-b", "main", origin, cwd=w.tmp)
    w.git("commit", "-q", "--allow-empty", "-m", "inner", cwd=origin)
    w.git_project()
    w.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", origin, "sub")
    w.git("commit", "-qm", "Sub")


def test_tops_of_repositories_in_the_project(w):
    """A name that counts at the top of the project counts at that of a sub-module and of any other repository in it, and
    nowhere else."""
    with_submodule(w)
    inner_repository(w, "deep/In ner")
    for top in ("sub", "deep/In ner"):
        held(w, "cd '" + top + "'; " + WORKFLOW.format(""), top + "/.github/workflows/x.yml")
        held(w, f"mkdir '{top}/.circleci'; echo x >'{top}/.circleci/config.yml'", top + "/.circleci/config.yml")
        held(w, f"mkdir ci; echo x >ci/x.yml; ln -s ../ci '{top}/.GitHub'", top + "/.GitHub")
        held(w, f"echo x >'{top}/json.py'", top + "/json.py")
    goes(w, "mkdir -p sub/src; echo x >sub/src/json.py; " + WORKFLOW.format("sub/src/") + "; " + WORKFLOW.format("deep/"))


def test_repository_that_a_session_makes(w):
    """It has a top as well, in its work tree and in its commits, and what the project has there already awaits it."""
    w.git_project({"old/.circleci/config.yml": "x\n", "old/f": "x\n"})
    held(w, "git init -q new; cd new; " + WORKFLOW.format(""), "new/.github/workflows/x.yml")
    w.sh("git init -q -b main new; cd new; " + WORKFLOW.format("") + "; echo x >f; git add .; git commit -qm One; git rm -qr .github; "
         "git commit -qm Two")
    out = w.shadow("apply", "--yes").out
    assert "'new/.github/workflows/x.yml' is sensitive" in out, out
    assert w.read("new/f") == "x\n" and not os.path.exists(w.path("new/.git"))
    w.shadow("discard", "--yes")
    w.sh("git init -q old")
    out = w.shadow("apply", "--yes").out
    assert "with it 'old/.circleci' would be sensitive" in out, out
    assert not os.path.exists(w.path("old/.git"))


def test_links_of_repositories_in_the_project(w):
    """What a link of the user's there leads to counts by the link's name."""
    w.git_project({"ci/x.yml": "x\n", "all/workflows/x.yml": "x\n", "all/other": "x\n"})
    inner_repository(w, "one")
    inner_repository(w, "two")
    os.mkdir(w.path("one/.github"))
    os.symlink("../../ci", w.path("one/.github/workflows"))
    os.symlink("../all", w.path("two/.github"))
    held(w, "echo y >ci/x.yml", "ci/x.yml")
    held(w, "echo y >all/workflows/x.yml", "all/workflows/x.yml")
    goes(w, "echo y >all/other")


# Whatever the branch is, git would check out content of the sub-module that nobody was shown.
OTHER = "1234567890123456789012345678901234567890"
MOVE = f"git update-index --add --cacheinfo 160000,{OTHER},sub; git commit -qm Moved; "


def test_commit_that_chooses_what_a_sub_module_has(w):
    """A branch or tag whose commits choose another commit of a sub-module is kept beside, unless that is allowed; one that
    leaves it as it is moves."""
    with_submodule(w)
    w.git("branch", "mine")
    mine = tip(w, "mine")
    w.sh(MOVE + "git branch topic; git tag moved; git branch -f mine; git reset -q --hard HEAD~; git checkout -q -b fine; "
         "echo x >x; git add x; git commit -qm Fine; git checkout -q main; rm -f x")
    out = w.shadow("apply", "--yes").out
    assert "'sub' is sensitive (another commit of a sub-module)" in out, out
    assert w.git("rev-parse", "-q", "--verify", "topic", check=False).returncode != 0, out
    assert w.git("rev-parse", "-q", "--verify", "refs/tags/moved", check=False).returncode != 0, out
    assert tip(w, "mine") == mine and text(w, "log", "-1", "--format=%s", "fine") == "Fine", out
    assert text(w, "log", "-1", "--format=%s", "refs/shadow/default/topic") == "Moved"


def test_commit_with_a_new_sub_module(w):
    """So is one in which a sub-module is new; allowed, the ref moves."""
    w.git_project()
    w.sh(MOVE + "git branch topic; git reset -q --hard HEAD~")
    out = w.shadow("apply", "--yes").out
    assert "'sub' is sensitive (another commit of a sub-module)" in out, out
    assert w.git("rev-parse", "-q", "--verify", "topic", check=False).returncode != 0, out
    w.shadow("apply", "--yes", "--allow-sensitive")
    assert text(w, "log", "-1", "--format=%s", "topic") == "Moved"


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
