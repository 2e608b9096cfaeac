# SPDX-License-Identifier: MIT
"""diff, status and apply -n show what an apply would write, also where both sides changed the project: git takes the
patch, and makes of the project what an apply of everything that is not in conflict does."""

import json
import os
import shutil
import subprocess
import sys

import harness
from harness import difference, walk

CONFLICT = 3


def seq(count, **changed):
    return "".join(f"{changed.get(f'l{n}', n)}\n" for n in range(1, count + 1))


def settled(w, files):
    """A project of git with these files, and a session that has read it."""
    w.git_project(files)
    w.run("true")
    w.wait_settled()


def agent(w, script):
    w.sh(script)
    w.wait_settled()


def save(w, name, text):
    """As an editor does."""
    with open(w.path(name) + "~", "w", encoding="utf-8") as f:
        f.write(text)
    os.rename(w.path(name) + "~", w.path(name))


def by_patch(w, patch):
    """The project as git makes it of the patch, without the index."""
    copy = os.path.join(w.tmp, "by-patch")
    shutil.copytree(w.project, copy, symlinks=True)
    done = subprocess.run(["git", "apply", "--allow-empty"], cwd=copy, env=w.env, input=patch, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.returncode == 0, (done.stderr, patch.decode())
    tree = walk(copy, skip=(b".git",))
    shutil.rmtree(copy)
    return tree


def without_empty_directories(w):
    """git makes and removes directories with what is in them."""
    for root, _, _ in os.walk(w.project, topdown=False):
        if root != w.project and not os.listdir(root):
            os.rmdir(root)


def check_written(w, *options, skip=True):
    """git applies what diff shows, and an apply writes the same; what diff showed."""
    patch = w.shadow("diff", "--binary", *options)
    made = by_patch(w, patch.stdout)
    done = w.shadow("apply", "--yes", *(["--on-conflict=skip"] if skip else []), check=False)
    assert done.returncode in (0, CONFLICT), (done.returncode, done.err)
    without_empty_directories(w)
    told = difference(made, walk(w.project, skip=(b".git",)))
    assert not told, (told, patch.out, done.out, done.err)
    return patch.out


def remarks_in(patch):
    return [line for line in patch.splitlines() if line.startswith("# ") and " (" in line]


def porcelain(w):
    return set(w.shadow("status", "--porcelain").out.splitlines())


def plan_of(w, check=True):
    return {one["path"]: one["plan"] for one in json.loads(w.shadow("--json", "apply", "-n", check=check).out)["plan"]}


def test_a_rename_with_your_edit(w):
    """Of a file that the agent renamed and you edited, diff shows the renamed file with both edits."""
    for options in ([], ["-M"]):
        settled(w, {"r.c": seq(30)})
        agent(w, "mv r.c src.c; sed -i 's/^20$/A/' src.c")
        save(w, "r.c", seq(30, l5="U"))
        shown = check_written(w, *options, skip=False)
        assert "# " not in shown and "rename to src.c" in shown, shown
        assert w.read("src.c") == seq(30, l5="U", l20="A")
        shutil.rmtree(w.path(".git"))
        os.unlink(w.path("src.c"))
        w.shadow("discard", "--yes")


def test_a_moved_file_with_your_edit(w):
    """The same of one that was moved with git, made executable by you, and not edited by the agent."""
    settled(w, {"r.c": seq(30), "more": "1\n"})
    agent(w, "mkdir src; git mv r.c src/r.c; echo 2 >>more")
    save(w, "r.c", seq(30, l5="U"))
    os.chmod(w.path("r.c"), 0o755)
    shown = check_written(w, skip=False)
    assert "# " not in shown, shown
    assert w.read("src/r.c") == seq(30, l5="U") and os.stat(w.path("src/r.c")).st_mode & 0o111


def test_a_rename_in_conflict(w):
    """A renamed file whose edit clashes with yours is in the comments, with both sides, whatever else is in conflict;
    nothing of it is shown as written."""
    settled(w, {"r.c": seq(30), "m": seq(30), "c": seq(30), "o": "1\n"})
    agent(w, "git mv r.c src.c; sed -i 's/^5$/A/' src.c c; sed -i 's/^20$/A/' m; echo 2 >>o")
    save(w, "r.c", seq(30, l5="U"))
    save(w, "c", seq(30, l5="U"))
    save(w, "m", seq(30, l5="U"))
    assert "AC. src.c" in porcelain(w), porcelain(w)
    shown = check_written(w)
    assert len(remarks_in(shown)) == 2 and "it became src.c" in shown, shown
    assert "# rename to src.c" in shown and "\n+++ b/src.c" not in shown, shown
    assert w.read("m") == seq(30, l5="U", l20="A") and not os.path.exists(w.path("src.c"))
    assert w.read("r.c") == seq(30, l5="U") and w.read("o") == "1\n2\n"


def test_what_depends_on_a_conflict(w):
    """A file in a directory for which a file of yours would have to go is shown as dependent on that, and not as
    written."""
    settled(w, {"o": "1\n", "d/x": "1\n"})
    agent(w, "rm d/x; mkdir d/x; echo in >d/x/in; echo 2 >>o")
    w.write("d/x", "user\n")
    assert "d/x/in  (depends on 'd/x')" in w.shadow("status").out
    assert porcelain(w) == {"TC. d/x", "AC. d/x/in", "M.. o"}, porcelain(w)
    changes = {one["path"]: one for one in json.loads(w.shadow("--json", "status").out)["changes"]}
    assert changes["d/x/in"]["depends_on"] == "d/x" and "depends_on" not in changes["o"]
    told = w.shadow("apply", "-n", check=False)
    assert "d/x/in  (depends on 'd/x')" in told.out.partition("in conflict")[2], told.out
    assert plan_of(w, check=False) == {"d/x": "conflict", "d/x/in": "conflict", "o": "write"}
    # Asked for by name, it depends on the same.
    assert "# d/x/in (depends on 'd/x')" in w.shadow("diff", "d/x/in").out
    shown = check_written(w)
    assert [line.partition(" (")[0] for line in remarks_in(shown)] == ["# d/x/", "# d/x/in"], shown
    assert w.read("d/x") == "user\n" and w.read("o") == "1\n2\n"


def test_a_new_directory_below_a_conflict(w):
    """A new directory that depends on a conflict is shown by what is in it."""
    settled(w, {"d/x": "1\n"})
    agent(w, "mkdir -p d/x.d/e; echo in >d/x.d/e/in; rm d/x; mkdir -p d/x/e; echo in >d/x/e/in")
    w.write("d/x", "user\n")
    shown = check_written(w)
    assert [line.partition(" (")[0] for line in remarks_in(shown)] == ["# d/x/", "# d/x/e/in"], shown


def test_what_depends_on_a_directory_that_you_removed(w):
    """The same of what the agent made in a directory that you removed meanwhile."""
    settled(w, {"o": "1\n", "d/x": "1\n"})
    agent(w, "ln -s x d/n3; echo 2 >>d/x; echo 2 >>o")
    shutil.rmtree(w.path("d"))
    state = porcelain(w)
    shown = check_written(w)
    written = {line[4:] for line in state if line[1] == "."}
    assert os.path.lexists(w.path("d/n3")) == ("d/n3" in written), (state, shown)
    assert w.read("o") == "1\n2\n"


def test_a_file_moved_over_a_conflict(w):
    """A file that was moved to a place where you edited another one is shown as staying, and does."""
    settled(w, {"a": seq(30), "b": "b\n", "o": "1\n"})
    agent(w, "mv a b; echo A >>b; echo 2 >>o")
    save(w, "b", "user\n")
    assert "D" + "C. a" in porcelain(w), porcelain(w)
    assert plan_of(w, check=False) == {"a": "conflict", "b": "conflict", "o": "write"}
    check_written(w)
    assert w.read("a") == seq(30) and w.read("b") == "user\n"


def test_ours_keeps_the_source_of_a_move(w):
    """With ours, too, a text that the session has at a place in conflict stays where the project has it."""
    settled(w, {"a": seq(30), "b": "b\n", "o": "1\n"})
    agent(w, "mv a b; echo A >>b; echo 2 >>o")
    save(w, "b", "user\n")
    w.shadow("apply", "--yes", "--on-conflict=ours")
    assert w.read("a") == seq(30) and w.read("b") == "user\n" and w.read("o") == "1\n2\n"
    w.shadow("discard", "--yes")
    assert w.read("a") == seq(30) and w.read("b") == "user\n"


def test_a_deletion_beside_a_like_file(w):
    """A deleted file is no rename to one that the project had, and that is in conflict for its own edit."""
    for user in (lambda: os.unlink(w.path("b")), lambda: save(w, "b", seq(30, l30="user"))):
        settled(w, {"a": seq(30), "b": seq(30)})
        agent(w, "rm a; sed -i 's/^30$/A/' b")
        user()
        assert plan_of(w, check=False) == {"a": "delete", "b": "conflict"}
        check_written(w)
        assert not os.path.exists(w.path("a"))
        shutil.rmtree(w.path(".git"))
        w.shadow("discard", "--yes")


def test_a_file_in_place_of_a_directory(w):
    """A file in the place of a directory in which something stays is not shown as written."""
    settled(w, {".gitignore": "*.o\n", "d/x": "1\n", "d/y": "1\n", "e/z": "1\n", "o": "1\n"})
    w.write("e/z.o", "built\n")
    agent(w, "rm -r d e; echo file >d; echo file >e; echo 2 >>o")
    save(w, "d/x", "user\n")
    shown = check_written(w)
    assert "# d (" in shown and "depends on 'd/x'" in shown and "depends on 'e/z.o'" in shown, shown
    assert w.read("d/x") == "user\n" and w.read("e/z.o") == "built\n" and w.read("o") == "1\n2\n"


def test_a_file_in_place_of_a_repository(w):
    """Nor is one in the place of a directory with a git directory in it, which stays, or with the file of a linked work
    tree."""
    settled(w, {"r/x": "1\n", "s/deep/x": "1\n", "o": "1\n"})
    w.write("r/.git/HEAD", "ref: refs/heads/main\n")
    w.write("s/deep/.git", "gitdir: elsewhere\n")
    agent(w, "rm -rf r s; echo file >r; echo file >s; echo 2 >>o")
    shown = check_written(w)
    assert "# r (" in shown and "depends on 'r/.git'" in shown and "depends on 's/deep/.git'" in shown, shown
    assert os.path.isdir(w.path("r/.git")) and os.path.isfile(w.path("s/deep/.git")) and w.read("o") == "1\n2\n"


def test_commits_that_an_undo_brings_back(w):
    """After an undo the commits are pending again, and every review says so."""
    settled(w, {"f": "1\n"})
    agent(w, "echo A >>f; git commit -qam agent")
    before = w.shadow("apply", "-n").out
    w.shadow("apply", "--yes")
    w.shadow("undo", "--yes")
    assert "agent" in w.shadow("diff", "--commits").out, w.shadow("diff", "--commits").out
    assert "nothing that the project has not" not in w.shadow("status").out, w.shadow("status").out
    assert w.shadow("apply", "-n").out == before, (before, w.shadow("apply", "-n").out)


def test_times_out_of_range(w):
    """A time of a file that 64 bits of nanoseconds do not have, or before 1970, is taken as near as there is one."""
    w.git_project({"f": "f\n"})
    w.sh("touch -d 2300-01-01 far; touch -d '1969-12-31 23:59:58.25 UTC' old; echo 1 >f; touch -d 2400-01-01 f")
    w.shadow("apply", "--yes", "--keep-mtime")
    assert os.stat(w.path("old")).st_mtime_ns == -1_750_000_000 and os.stat(w.path("far")).st_mtime > 9e9
    assert w.shadow("status", "--porcelain").out == ""


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
