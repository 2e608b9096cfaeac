# SPDX-License-Identifier: MIT
"""What the project's files were when a session began, kept for files that it did not touch yet."""

import json
import os
import shutil
import subprocess
import sys

import harness
from applies import CONFLICT, apply, lines, refused
from edits import base_tree, begin, edit_both, merges, settled_git, write_beside, write_in_view


def kept_blobs(w):
    found = []
    for folder, _, names in os.walk(os.path.join(w.state, "blobs")):
        found += [os.path.join(folder, name) for name in names]
    return found


def test_clean_tracked_file(w):
    """Written by the agent, and by the user before the run's end: stops, and merges when asked."""
    settled_git(w, {"new\nline": lines(), "-dash": lines(), "other": "o\n"})
    begin(w, "new\nline")
    assert kept_blobs(w) == [], "a clean file's text is in the project's object store"
    edit_both(w, "new\nline")
    edit_both(w, "-dash")
    assert "can be merged" in refused(w)
    apply(w, "merge")
    for name in ("new\nline", "-dash"):
        assert w.read(name) == lines(l5="user", l20="agent")
    assert w.shadow("diff").out == ""


def test_without_git(w):
    """The same in a project that is no repository."""
    w.write("d/F", lines())
    begin(w, "d/F")
    edit_both(w, "d/F")
    merges(w, "d/F")


def test_dirty_and_untracked(w):
    """Files that were edited or not tracked when the session began: their state then is the base."""
    settled_git(w, {"F": "committed\n", ".gitignore": "*.o\n"})
    w.write("F", lines())
    w.write("new", lines())
    w.write("x.o", lines())
    begin(w)
    edit_both(w)
    edit_both(w, "new")
    edit_both(w, "x.o")
    refused(w)
    apply(w, "merge")
    assert w.read("F") == w.read("new") == lines(l5="user", l20="agent")
    # Of what is ignored nothing is kept.
    assert w.read("x.o") == lines(l5="user")
    done = w.shadow("apply", "--yes", "--ignored", "--on-conflict=merge", check=False)
    assert done.returncode == CONFLICT and w.read("x.o") == lines(l5="user")


def test_edit_in_a_long_first_run(w):
    """The user edits while the first run still goes on."""
    settled_git(w, {"F": lines()})
    write_beside(w, "F", lines(l20="agent"), lines(l5="user"),
                 before=lambda: harness.wait_until(lambda: base_tree(w), what="the base tree"))
    merges(w)


def test_user_deletes_what_the_agent_writes(w):
    """The user deletes a file that was there at first, and the agent writes it: a conflict."""
    settled_git(w, {"F": lines(), "G": lines()})
    begin(w)
    os.unlink(w.path("F"))
    os.unlink(w.path("G"))
    write_in_view(w, "F", lines(l20="agent"))
    write_in_view(w, "G", lines())
    said = refused(w, "merge")
    assert "'F' (deleted in the project" in said and "'G' (deleted in the project" in said, said
    apply(w, "theirs")
    assert w.read("F") == lines(l20="agent") and w.read("G") == lines()


def test_agent_edits_what_the_user_made(w):
    """You make a file, the next run edits it, and you go on: another line is merged, its deletion is a conflict."""
    settled_git(w, {"own": lines()})
    begin(w, "own")
    for names in (("F", "G"), ("H", "I")):
        for name in names:
            w.write(name, lines())
        harness.time.sleep(0.02)
        for name in names:
            w.run("sed", "-i", "s/^20$/agent/", name)
        w.wait_settled()
        w.write(names[0], lines(l5="user"))
        os.unlink(w.path(names[1]))
        assert f"'{names[1]}' (deleted in the project" in refused(w, "merge")
        apply(w, "skip")
        assert w.read(names[0]) == lines(l5="user", l20="agent") and not os.path.exists(w.path(names[1]))


def test_agent_deletes_what_the_user_edits(w):
    """The user edits a file before the agent, which is at work already, deletes it: a conflict."""
    settled_git(w, {"F": lines(), "G": lines()})
    begin(w)
    write_in_view(w, "own", "agent\n")
    w.write("F", lines(l5="user"))
    w.run("rm", "F", "G")
    w.wait_settled()
    assert "deleted in the session" in refused(w, "merge")
    apply(w, "ours")
    assert w.read("F") == lines(l5="user") and not os.path.exists(w.path("G"))


def test_agent_takes_the_users_edit_back(w):
    """What the agent wrote after the user's edit is never hidden as if it said nothing."""
    settled_git(w, {"F": lines(), "touched": lines()})
    begin(w)
    w.write("F", lines(l5="user"))
    w.write("touched", lines(l5="user"))
    write_in_view(w, "F", lines())
    w.run("touch", "touched")
    w.wait_settled()
    assert "'F'" in refused(w) and "F" in w.shadow("diff", "--name-only").out
    assert "touched" not in w.shadow("diff", "--name-only").out
    apply(w, "theirs")
    assert w.read("F") == lines() and w.read("touched") == lines(l5="user")


def test_rename_of_what_the_user_edits(w):
    """The user edits a file before the agent renames and edits it: the edit goes along."""
    settled_git(w, {"old name": lines()})
    begin(w, "old name")
    w.write("old name", lines(l5="user"))
    write_in_view(w, " -new", lines(l20="agent"))
    w.run("rm", "old name")
    w.wait_settled()
    refused(w)
    apply(w, "merge")
    assert w.read(" -new") == lines(l5="user", l20="agent")
    assert not os.path.exists(w.path("old name"))


def test_rename_of_a_directory(w):
    """Also with the directory that it is in, which mv(1) copies: nothing but the base tree has its base."""
    settled_git(w, {"src/a/F": lines(), "src/G": "other\n" * 9})
    begin(w, "src/G")
    w.sh("mv src lib; sed -i s/^20$/agent/ lib/a/F")
    w.wait_settled()
    w.write("src/a/F", lines(l5="user"))
    refused(w)
    apply(w, "merge")
    assert w.read("lib/a/F") == lines(l5="user", l20="agent")
    assert not os.path.exists(w.path("src"))
    w.shadow("undo")
    assert w.read("src/a/F") == lines(l5="user")
    w.shadow("refresh")
    assert w.run("cat", "lib/a/F").out == lines(l5="user", l20="agent")


def test_one_side_only(w):
    """What one side alone changed never conflicts."""
    settled_git(w, {"mine": lines(), "yours": lines()})
    begin(w, "mine")
    w.write("yours", lines(l5="user"))
    write_in_view(w, "mine", lines(l20="agent"))
    apply(w)
    assert w.read("mine") == lines(l20="agent") and w.read("yours") == lines(l5="user")


def test_touched_is_no_change(w):
    """A file that the agent only rewrote as it was stays the user's to change or delete."""
    settled_git(w, {"F": lines(), "G": lines()})
    begin(w)
    write_in_view(w, "F", lines())
    write_in_view(w, "G", lines())
    w.write("F", lines(l5="user"))
    os.unlink(w.path("G"))
    assert w.shadow("diff").out == ""
    write_in_view(w, "other", "o\n")
    apply(w)
    assert w.read("F") == lines(l5="user") and not os.path.exists(w.path("G"))


def test_touched_hides_nothing(w):
    """Files that the agent touched, or rewrote as they were, are yours again once its run has ended: what you make of them
    is there for the next run, without a review. What git ignores keeps the agent's times, for whoever builds by them."""
    settled_git(w, {"F": lines(), "G": lines(), "H": lines(), "d/K": lines(), ".gitignore": "*.o\n"})
    w.write("x.o", "built\n")
    os.utime(w.path("x.o"), (1, 1))
    begin(w)
    w.write("y.o", "built later\n")
    os.utime(w.path("y.o"), (1, 1))
    w.run("sh", "-c", "touch F x.o y.o; sed -i s/none/more/ G d/K; sed -i s/7/agent/ H")
    w.wait_settled()
    for name in ("F", "G", "d/K"):
        w.write(name, lines(l5="user"))
    os.unlink(w.path("d/K"))
    assert w.sh("cat F G; ls d").out == 2 * lines(l5="user")
    assert "1" not in w.sh("stat -c %Y x.o y.o").out.split()
    assert w.shadow("status", "--porcelain").out == "M.. H\n"


def test_touched_after_your_edit_is_no_change(w):
    """What you edited or made, and the agent only touched or rewrote as you had it, stays yours: you may go back to
    what was there before, and neither status, apply nor the next run know anything of it."""
    settled_git(w, {name: lines() for name in ("F", "G", "H", "K")})
    begin(w)
    write_in_view(w, "other", "o\n")
    for name in ("F", "G", "H", "K", "new"):
        w.write(name, lines(l5="user"))
    w.run("sh", "-c", "touch F new")
    write_in_view(w, "G", lines(l5="user"))
    write_in_view(w, "H", lines(l5="user", l20="agent"))
    w.git("checkout", "-q", "F", "G", "H", "K")
    os.unlink(w.path("new"))
    assert w.shadow("status", "--porcelain").out == "MM. H\nA.. other\n"
    assert w.sh("cat F G K; ls new 2>/dev/null || :").out == 3 * lines()
    w.shadow("discard", "--yes", "H")
    apply(w)
    assert w.git("status", "--porcelain").stdout.decode() == "?? other\n"


def test_limits(w):
    """Of a file that is too large nothing is kept; where that stands in the way it is said."""
    large = "line\n" * (2 << 20)
    w.write("large", large)
    w.write("F", lines())
    begin(w)
    edit_both(w)
    assert "too large" not in w.shadow("status").out
    w.write("large", large + "user\n")
    write_in_view(w, "large", large + "agent\n")
    said = w.shadow("status").out
    assert "1 file was too many or too large to keep" in said, said
    assert json.loads(w.shadow("status", "--json").out)["base_left_out"] == 1
    refused(w, "merge")


def test_hostile_project(w):
    """FIFOs, links and broken indexes in the real project neither hang nor lead astray."""
    settled_git(w, {"F": lines()})
    outside = os.path.join(w.tmp, "outside")
    with open(outside, "w", encoding="utf-8") as file:
        file.write("secret\n")
    os.mkfifo(w.path(".gitattributes"))
    os.mkfifo(w.path("fifo"))
    os.symlink(outside, w.path("link"))
    os.symlink("/", w.path("root"))
    with open(w.path(".git/index"), "r+b") as file:
        file.truncate(40)
    begin(w)
    edit_both(w)
    merges(w)
    blobs = [open(path, "rb").read() for path in kept_blobs(w)]
    assert b"secret\n" not in blobs


def test_first_run_leaves_nothing_waiting(w):
    """The process that takes the tree holds none of the caller's pipes."""
    w.write("F", lines())
    read_end, write_end = os.pipe()
    done = subprocess.run([harness.SHADOW, "run", "--", "true"], cwd=w.project, env=w.env,
                          stdout=write_end, stderr=write_end, pass_fds=[write_end], check=True,
                          timeout=20)
    os.close(write_end)
    assert done.returncode == 0 and os.read(read_end, 1) == b""
    os.close(read_end)


def test_directory_removed_as_a_whole(w):
    """What the agent removed with its directory has a base like any other: the same text written anew is no conflict,
    an edit is one, and it is said which."""
    w.git_project({"d/a": lines(), "d/b": lines()})
    begin(w, "d/a")
    w.run("rm", "-r", "d")
    w.wait_settled()
    w.write("d/a.n", lines())
    os.rename(w.path("d/a.n"), w.path("d/a"))
    assert "conflict" not in w.shadow("status").out
    w.write("d/b", lines(l5="user"))
    assert "'d/b' (changed in the project, deleted in the session)" in refused(w)
    w.write("d/b", lines())
    apply(w)
    assert not os.path.exists(w.path("d"))


def test_both_removed_what_was_in_a_directory(w):
    """What the agent and you have both deleted hides nothing after the next apply: a file in the place of the directory
    is in the view."""
    w.git_project({"d/e/a": lines(), "d/b": lines(), "f": lines()})
    begin(w, "f")
    w.run("sh", "-c", "rm d/e/a && echo agent >>f")
    w.wait_settled()
    shutil.rmtree(w.path("d"))
    w.write("d", "file\n")
    apply(w)
    assert w.run("cat", "d").out == "file\n" and w.read("f") == lines() + "agent\n"
    assert w.shadow("status", "--porcelain").out == ""


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
