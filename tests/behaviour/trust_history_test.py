# SPDX-License-Identifier: MIT
"""What commits bring that no work tree shows: files of other trees, links that lead on in them, older versions."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import harness  # noqa: E402
from repository import check_whole, text, tip  # noqa: E402

PARTS = "mkdir -p near/objects near/refs; touch near/objects/k near/refs/k near/config; "
HEAD = "mkdir -p near; echo 'ref: refs/heads/x' >near/HEAD; git add near/HEAD; git commit -qm H; "
NOT_SHOWN = "commits bring changes that the work tree does not show: "
REFUSED = 4


def projects(w, count):
    """Fresh ones, one after the other."""
    for number in range(count):
        w.project = os.path.join(w.tmp, f"p{number}")
        os.mkdir(w.project)
        w.git_project()
        yield number


def test_a_git_directory_whose_head_comes_by_a_commit(w):
    """A HEAD that git would take for one does not arrive by a commit, whatever else brings the rest."""
    cases = (
        (HEAD + "rm near/HEAD; " + PARTS,),
        ("git switch -qc f; " + HEAD + "git switch -q main; " + PARTS,),
        (PARTS, HEAD + "rm near/HEAD"),
        (HEAD + "rm near/HEAD", PARTS),
        ("git switch -qc f; " + HEAD + "git switch -q main", PARTS),
        ("mkdir near; ln -s refs/heads/x near/HEAD; git add near/HEAD; git commit -qm H; rm near/HEAD; " + PARTS,),
        ("mkdir near; echo ABCDEFABCDEFABCDEFABCDEFABCDEFABCDEFABCDx >near/head; git add near; git commit -qm H; "
         "rm near/head; " + PARTS,),
        (PARTS + "git add -A; git commit -qm P; git rm -rq --cached near; git commit -qm Q; git rm -q --cached near/x 2>x; "
         "rm x; rm -r near; git switch -qc f HEAD~1; git switch -q main",
         "mkdir near; echo 'ref: refs/heads/x' >near/HEAD"))
    for number in projects(w, len(cases)):
        for script in cases[number]:
            w.sh(script)
            w.shadow("apply", "--yes", "--skip-sensitive", check=False)
        for ref in text(w, "for-each-ref", "--format=%(refname)", "refs/heads", "refs/tags").split():
            w.git("checkout", "-qf", ref, check=False)
            assert not os.path.lexists(w.path("near/HEAD")) and not os.path.lexists(w.path("near/head")), (number, ref)


def test_a_file_called_head(w):
    """A file of that name that no git takes for a HEAD stops nothing."""
    w.git_project()
    w.sh("mkdir -p page/head; echo '<head>' >page/head/index; echo the front >HEAD; "
         "git add -A; git commit -qm x")
    w.shadow("apply", "--yes")
    assert tip(w, "main") and w.read("HEAD") == "the front\n" and text(w, "log", "--format=%s", "-1") == "x"


def test_links_of_commits(w):
    """Links that lead out of the project with others of their commit's tree, or of the work tree, do not arrive."""
    cases = (
        "git switch -qc f; ln -s . a; ln -s a/a/../outside l; git add -A; git commit -qm l; git switch -q main",
        "ln -s . a; ln -s a/a/../outside l; git add -A; git commit -qm l; rm a l",
        "ln -s . a; ln -s a/a/../outside l; git add -A; git commit -qm l; git tag t; git reset -q --hard HEAD~1",
        "mkdir -p x/y; touch x/y/z; git add -A; git commit -qm d; git switch -qc f; rm -r x/y; ln -s .. x/y; "
        "ln -s x/y/../outside l; git add -A; git commit -qm l; git switch -q main",
        "git switch -qc f; ln -s . a; git add -A; git commit -qm l; git switch -q main; ln -s a/../outside l",
        "git switch -qc f; ln -s . a; git add -A; git commit -qm l; git switch -q main; mkdir a; touch a/x; "
        "ln -s a/../outside l",
    )
    with open(os.path.join(w.tmp, "outside"), "w", encoding="utf-8") as f:
        f.write("x")
    for number in projects(w, len(cases)):
        w.sh(cases[number])
        out = w.shadow("apply", "--yes", "--skip-sensitive").out
        w.git("clean", "-qfd", "a", check=False)
        for ref in text(w, "for-each-ref", "--format=%(refname)", "refs/heads", "refs/tags").split():
            w.git("checkout", "-qf", ref, check=False)
            end = os.path.realpath(w.path("l"))
            assert not os.path.islink(w.path("l")) or end.startswith(w.project + "/"), (number, ref, end, out)


def test_ordinary_links_of_commits(w):
    """Links that only go up and then down stop no commit."""
    w.git_project({"d/e/f": "x\n"})
    w.sh("ln -s d/e l; ln -s ../d/e/f d/g; ln -s l/f m; mkdir -p n/o; ln -s ../../d n/o/p; git add -A; git commit -qm l; "
         "git switch -qc f; git rm -q l; git commit -qm k; git switch -q main")
    w.shadow("apply", "--yes")
    assert text(w, "log", "--format=%s", "-1", "f") == "k" and text(w, "log", "--format=%s", "-1") == "l"


def test_shown_is_what_the_diff_leaves_there(w):
    """Commits bring something that is not shown unless a change of the diff leaves it at its path, with its mode."""
    cases = {
        "echo evil >>a.txt; git commit -qm 1 a.txt; git revert --no-edit HEAD; echo ok >>a.txt": "a.txt",
        "git add -f secret.key; git commit -qm 'fix typo'": "secret.key",
        "git commit -qm x b.txt": "b.txt",
        "chmod +x a.txt; git commit -qm m a.txt; chmod -x a.txt": "a.txt",
        "chmod +x a.txt; git commit -qm m a.txt; chmod -x a.txt; echo ok >>a.txt": "a.txt",
    }
    for number in projects(w, len(cases)):
        script, path = list(cases.items())[number]
        w.write("b.txt", "x\n")
        w.git("add", "b.txt")
        w.git("commit", "-qm", "b")
        w.write("b.txt", "the user's\n")
        w.write("secret.key", "the user's\n")
        w.sh(script)
        for words in (("status",), ("apply", "-n"), ("apply", "-n", "--diff"), ("apply", "--yes")):
            assert NOT_SHOWN + path + "\n" in w.shadow(*words).out, (script, words)


def test_merges_of_the_users_own(w):
    """What a merge has from the user's own branches is no news, unless it takes back what is checked out."""
    w.git_project({"a.txt": "1\n", "b.txt": "1\n"})
    w.git("switch", "-qc", "topic")
    w.write("t", "t\n")
    w.git("add", "t")
    w.git("commit", "-qm", "T")
    w.git("switch", "-q", "main")
    w.write("a.txt", "2\n")
    w.git("commit", "-qam", "M")
    w.sh("git switch -q topic; git merge -q --no-edit main; git switch -q main")
    assert NOT_SHOWN not in w.shadow("status").out
    w.shadow("discard", "--yes")
    w.sh("git merge -q --no-edit topic")
    assert NOT_SHOWN not in w.shadow("status").out
    w.shadow("discard", "--yes")
    w.sh("git reset -q --hard HEAD; c=$(git commit-tree -p HEAD -p HEAD~1 -m back HEAD~1^{tree}); git update-ref HEAD $c; "
         "git read-tree HEAD")
    assert NOT_SHOWN + "a.txt\n" in w.shadow("status").out


def test_a_branch_of_what_no_ref_lists(w):
    """--branch takes no commits but those that were judged, and only from a branch or a detached HEAD."""
    for number in projects(w, 3):
        head = ("refs/remotes/o/x", "refs/other/x", "refs/heads/x")[number]
        w.sh(f"git update-ref {head} HEAD; git symbolic-ref HEAD {head}; mkdir .vscode; echo evil >.vscode/tasks.json; "
             "git add -A; git commit -qm evil; git rm -q .vscode/tasks.json; echo x >>a.txt; git commit -qam fine")
        if number == 2:  # a ref that has no row of its own: it leads to another
            w.sh("git update-ref refs/remotes/o/x HEAD; git update-ref -d refs/heads/x; mkdir -p .git/refs/heads; "
                 "echo 'ref: refs/remotes/o/x' >.git/refs/heads/x")
        done = w.shadow("apply", "--yes", "--skip-sensitive", "--branch=new", check=False)
        assert done.returncode == REFUSED and "hint: " in done.err and tip(w, "new") == "", (head, done.err)
        if number < 2:
            assert "neither a branch nor a commit" in done.err, done.err
    w.sh("git switch -q --detach HEAD~2; echo y >y; git add y; git commit -qm y")
    w.shadow("apply", "--branch=new")
    assert text(w, "log", "--format=%s", "-1", "new") == "y"
    check_whole(w)


def test_a_branch_is_bound_to_what_was_shown(w):
    """--branch takes no commits that came after they were shown, and says what the work tree does not show."""
    w.git_project({"a.txt": "1\n", "b.txt": "1\n"})
    w.sh("echo x >>a.txt; git commit -qam one")
    w.shadow("diff")
    w.shadow("diff", "--commits", "-p")
    w.shadow("apply", "--branch=first")
    w.sh("echo evil >>b.txt; git commit -qam two; git revert --no-edit HEAD")
    done = w.shadow("apply", "--branch=new", check=False)
    assert done.returncode == REFUSED and "the commits of 'main' (changed after they were shown" in done.err, done.err
    assert tip(w, "new") == ""
    w.shadow("diff", "--commits", "-p")
    for words in (("-n",), ()):
        assert "note: " + NOT_SHOWN + "b.txt\n" in w.shadow("apply", "--branch=new", *words).out
    assert '"not_shown": [' in w.shadow("apply", "--branch=other", "--json").out.replace('":[', '": [')


def test_names_for_a_branch(w):
    """--branch takes no name that git would take for something else."""
    w.git_project()
    w.git("update-ref", "refs/remotes/origin/y", "HEAD")
    w.git("tag", "v1")
    w.sh("echo x >x")
    head = tip(w, "HEAD")
    for name in ("v1-0-gABCDEF0", "x-gabcd", "refs/heads/x", "origin/y", "origin/new", "v1", head, head[:5], "FETCH_HEAD"):
        done = w.shadow("apply", f"--branch={name}", check=False)
        assert done.returncode == REFUSED and "cannot make the branch" in done.err, (name, done.err)
    for name in ("x-gabc", "x-good", "topic/v1"):
        w.shadow("apply", f"--branch={name}")


def test_all_commits_are_shown(w):
    """What counts as shown was: the oldest of many commits, those that an earlier apply put aside, none too large."""
    many = "echo evil >h; git add h; git commit -qm evil; git rm -q h; git commit -qm fine; " \
           "for i in $(seq 52); do git commit -q --allow-empty -m $i; done"
    for _ in projects(w, 1):
        w.sh(many + "; git init -q -b main n; cd n; " + many)
        for words in (("diff", "--commits", "-p"), ("apply", "-n", "--diff")):
            assert w.shadow(*words).out.count("+evil") == 2, words
        assert "(main)" in w.shadow("show", w.shadow("run", "--", "git", "rev-parse", "HEAD~53").out[:12]).out
        w.shadow("apply", "--yes")
    w.write("b.txt", "x\n")
    w.sh("echo x >.envrc; git add -A; git commit -qm one; git rm -q .envrc; git commit -qm two")
    assert "refs/shadow/" in w.shadow("apply", "--yes").out
    assert "direnv" in w.shadow("apply", "--yes").out and "+x" in w.shadow("diff", "--commits", "-p").out
    w.shadow("discard", "--yes")
    w.sh("head -c 26000000 /dev/urandom >big; git add big; git commit -qm big")
    assert "too large" in w.shadow("diff", "--commits", "-p").out
    w.sh("git commit -q --allow-empty -m more")
    w.shadow("apply", "--yes")


def test_below_where_a_shallow_file_ends_it(w):
    """The history of a new repository is shown and judged as far as its commits are there, whatever its shallow file says:
    without that file git shows them."""
    w.write("a", "a\n")
    w.sh("git init -q; git config user.name x; git config user.email x@y; echo hidden >.envrc; git add -A; "
         "git commit -qm deep; git rm -q .envrc; git commit -qm middle; git commit -q --allow-empty -m top; "
         "git rev-parse HEAD >.git/shallow")
    shown = w.shadow("diff", "--commits", "-p").out
    assert "deep" in shown and "+hidden" in shown, shown
    w.shadow("apply", "--yes", check=False)
    assert not os.path.exists(w.path(".git", "objects")), os.listdir(w.path(".git"))


def test_a_shallow_clone(w):
    """In a shallow clone only what the run has committed is new, also where an earlier fetch has left older commits."""
    w.git_project({"a": "a\n"})
    for number in range(4):
        w.git("commit", "-q", "--allow-empty", "-m", f"c{number}")
    for fetched in ((), ("fetch", "-q", "--depth=1")):
        place = os.path.join(w.tmp, f"clone{len(fetched)}")
        w.git("clone", "-q", "--depth=3", f"file://{w.project}", place, cwd=w.tmp)
        if fetched:
            w.git(*fetched, cwd=place)
        w.shadow("run", "--", "sh", "-c", "echo agent >>a; git -c user.name=x -c user.email=x@y commit -qam agent", cwd=place)
        assert "main: 1 commit not in the project" in w.shadow("status", cwd=place).out
        w.shadow("apply", "--yes", cwd=place)
        assert w.git("log", "--format=%s", "-1", cwd=place).stdout == b"agent\n"


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
