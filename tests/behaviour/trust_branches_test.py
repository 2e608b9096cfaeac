# SPDX-License-Identifier: MIT
"""Commits on branches that the project has not checked out are judged by what these branches have."""

import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import harness  # noqa: E402
from repository import text, tip  # noqa: E402

FEATURE = {".envrc": "source ./tools/env.sh\n", "tools/env.sh": ". tools/more\n", "tools/more": "x=1\n", "tools/free": "y=1\n",
           "tools/linked": "z=1\n", ".hooks/pre-commit": "#!/bin/sh\n. tools/hook\n", "tools/hook": "h=1\n"}


def with_feature(w):
    """The user's own branch has an `.envrc`, which what is checked out has not."""
    w.git_project({"a.txt": "one\n"})
    w.git("checkout", "-q", "-b", "feature")
    for name, content in FEATURE.items():
        w.write(name, content)
    os.symlink("tools/linked", w.path(".bashrc"))
    w.git("add", "-A")
    w.git("commit", "-qm", "Feature")
    w.git("checkout", "-q", "main")
    shutil.rmtree(w.path(".git/logs"))  # what a checkout of the user's took away is another matter
    return tip(w, "feature")


def on_feature(w, script):
    w.sh("git checkout -q feature; " + script + "; git checkout -q main")
    return w.shadow("apply", "--yes", check=False).out


def test_what_the_files_of_another_branch_lead_to(w):
    """What a sensitive file of the branch itself names or leads to, as a link, is sensitive in commits for that branch, for
    a new one made of it and for a tag, although the project has neither checked out."""
    feature = with_feature(w)
    w.git("config", "core.hooksPath", ".hooks")
    for name in ("tools/env.sh", "tools/more", "tools/linked", "tools/hook"):
        out = on_feature(w, f"echo evil >>{name}; git commit -qam x")
        assert f"'{name}' is sensitive" in out and tip(w, "feature") == feature, (name, out)
        w.shadow("discard", "--yes")
    for make in ("git checkout -q -b topic", "git checkout -q --detach"):
        out = on_feature(w, make + "; echo evil >>tools/env.sh; git commit -qam x; git tag -a -m t tagged")
        assert "'tools/env.sh' is sensitive (the branch's .envrc names it)" in out, (make, out)
        refs = text(w, "for-each-ref", "--format=%(refname)", "refs/heads", "refs/tags").split()
        assert refs == ["refs/heads/feature", "refs/heads/main"], (make, refs)
        w.shadow("discard", "--yes")
    on_feature(w, "echo evil >>tools/env.sh; git commit -qam Allowed")
    w.shadow("apply", "--yes", "--allow-sensitive=tools/env.sh")
    assert text(w, "log", "-1", "--format=%s", "feature") == "Allowed"


def test_what_nothing_on_another_branch_leads_to(w):
    """Commits of other files move it, and on a branch made of what is checked out a file of that name is any file."""
    with_feature(w)
    out = on_feature(w, "echo fine >>tools/free; echo x >tools/new; git add .; git commit -qm Fine; git checkout -q -b topic main; "
                     "mkdir -p tools; echo x >tools/env.sh; git add .; git commit -qm Other")
    assert text(w, "log", "-1", "--format=%s", "feature") == "Fine", out
    assert text(w, "log", "-1", "--format=%s", "topic") == "Other", out


def test_names_that_read_as_another_branch(w):
    """A branch or tag whose name is drawn as that of another, or is one to a filesystem, is put aside."""
    w.git_project({"a.txt": "one\n"})
    names = ("m\u200bain", "\uff4d\uff41\uff49\uff4e", "MAIN", "ma\u00adin")
    w.sh("git commit -qm x --allow-empty; " + "; ".join(f"git branch '{name}'; git tag 't{name}'" for name in names))
    out = w.shadow("apply", "--yes").out
    assert text(w, "for-each-ref", "--format=%(refname)", "refs/heads").split() == ["refs/heads/main"], out
    assert out.count("its name is that of 'refs/heads/main' too") == len(names), out
    assert text(w, "tag") == "tMAIN" and out.count("its name is that of 'refs/tags/tMAIN' too") == 3, out


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
