# SPDX-License-Identifier: MIT
"""The user works beside a run that goes on: nothing of either side is lost, and nothing is called
what it is not."""

import json
import os
import shutil
import sys
import time

import harness
from applies import CONFLICT, apply, lines, refused
from edits import begin, settled_git
from runs import live


def changes(w, *paths):
    """What status says of each path that has a change: its letter, and why it clashes."""
    told = json.loads(w.shadow("status", "--json", *paths).out)
    return {item["path"]: (item["change"][0].upper(), item.get("reason", ""))
            for item in told["changes"] if item["standing"] == "normal"}


def git_files(w):
    settled_git(w, {"c": lines(), "d/e": lines(), "g": lines(), ".gitignore": "*.o\nbuild/\n"})
    w.write("x.o", lines())
    w.write("build/deep/y", lines())
    os.utime(w.path("."), (1_600_000_000, 1_600_000_000))


def plain_files(w):
    for name in ("c", "d/e", "g", "x.o", "build/deep/y"):
        w.write(name, lines())


def check_deletion(w, name, delete, *options):
    """The user's deletion of what a live run changed stops an apply; each side can be had."""
    delete()
    done = w.shadow("apply", "--yes", *options, check=False)
    assert done.returncode == CONFLICT, (name, done.returncode, done.out, done.err)
    assert f"'{name}' (deleted in the project" in done.err, done.err
    assert "added on both" not in done.err, done.err
    w.shadow("apply", "--yes", "--on-conflict=ours", *options)
    assert not os.path.exists(w.path(name))
    w.shadow("apply", "--yes", "--on-conflict=theirs", *options)
    assert "agent" in w.read(name)


def deletions(w):
    append = "echo agent >>{0}"
    whole = "(cat {0}; echo agent) >/tmp/n; cp /tmp/n {0}.n; mv {0}.n {0}"
    for how in (append, whole):
        for name, delete in (("c", lambda: os.unlink(w.path("c"))),
                             ("c", lambda: os.rename(w.path("c"), w.path("c2"))),
                             ("d/e", lambda: shutil.rmtree(w.path("d")))):
            with live(w, how.format(name)):
                check_deletion(w, name, delete)
            w.shadow("discard", "--yes")
            shutil.rmtree(w.path("d"), ignore_errors=True)
            plain_files(w)
        for name, delete in (("x.o", lambda: os.unlink(w.path("x.o"))),
                             ("build/deep/y", lambda: os.unlink(w.path("build/deep/y"))),
                             ("build/deep/y", lambda: shutil.rmtree(w.path("build")))):
            with live(w, how.format(name)):
                check_deletion(w, name, delete, "--ignored")
            w.shadow("discard", "--yes")
            plain_files(w)


def test_user_deletes_beside_a_live_run(w):
    """A file that a live run changed and the user deletes or renames does not come back silently."""
    git_files(w)
    deletions(w)


def test_user_deletes_beside_a_live_run_without_git(w):
    """The same in a project that is no repository."""
    plain_files(w)
    deletions(w)


def test_user_deletes_what_was_never_looked_at(w):
    """A file younger than the session, changed by a live run and deleted by the user: a conflict."""
    git_files(w)
    w.run("true")
    w.wait_settled()
    w.write("late", lines())
    w.write("d/late.o", lines())
    with live(w, "echo agent >>late; echo agent >>d/late.o", settled=False):
        os.unlink(w.path("late"))
        os.unlink(w.path("d/late.o"))
        assert changes(w)["late"][0] == "A"
        refused(w)
        done = w.shadow("apply", "--yes", "--ignored", "d", check=False)
        assert done.returncode == CONFLICT, done.err
    w.wait_settled()
    refused(w)


def test_new_files_are_new(w):
    """What a run makes or moves is no conflict where the user made and deleted other files."""
    git_files(w)
    with live(w, "echo n >new; echo n >d/new; mkdir f; echo n >f/new; mv c moved; ln g linked;"
                 "mv d/e e; rm -r d; echo n >new.o; mkdir build/more; echo n >build/more/z"):
        for name in ("other", "d/other", "other.o", "build/other"):
            w.write(name, "user\n")
        w.write("gone", "user\n")
        os.unlink(w.path("gone"))
        told = changes(w)
        for name in ("new", "f/new", "moved", "linked", "e"):
            assert told[name] == ("A", ""), (name, told)
        assert changes(w, "moved")["moved"] == ("A", "")
        assert changes(w, "e")["e"] == ("A", "")
        w.shadow("apply", "--yes", "--ignored", "new", "f", "moved", "linked", "e", "new.o", "build", "c")
    assert w.read("moved") == w.read("e") == w.read("linked") == lines()
    assert not os.path.exists(w.path("c")) and w.read("build/more/z") == "n\n"


def test_merged_while_live(w):
    """A file that a live run and the user edited is merged, and never called new."""
    for make in (git_files, plain_files):
        make(w)
        with live(w, "sed -i s/^5$/agent/ c; sed -i s/^5$/agent/ g"):
            w.write("c", lines(l20="user"))
            w.write("g", lines(l5="user"))
            told = changes(w)
            assert told["c"] == ("M", ""), told
            assert told["g"][0] == "M" and "same lines" in told["g"][1], told
            refused(w, "merge")
            w.shadow("apply", "--yes", "--on-conflict=merge", "c")
            assert w.read("c") == lines(l5="agent", l20="user")
        w.shadow("discard", "--yes")
        shutil.rmtree(w.path(".git"), ignore_errors=True)


def test_touched_while_live(w):
    """A touch or a chmod by the user is no edit, also while the run goes on."""
    git_files(w)
    with live(w, "sed -i s/^5$/agent/ c g"):
        os.utime(w.path("c"))
        os.chmod(w.path("g"), 0o755)
        apply(w, "merge")
        assert w.read("c") == w.read("g") == lines(l5="agent")
        assert os.stat(w.path("g")).st_mode & 0o777 == 0o755


def test_edit_just_after_a_run(w):
    """A file that run and user made at the same time is a conflict for as long as both have it."""
    git_files(w)
    begin(w, "c")
    w.sh("echo s >f; echo s >h")
    w.write("f", "u\n")
    assert changes(w)["f"] == ("M", "added on both sides")
    w.wait_settled()
    w.write("h", "u\n")
    assert changes(w)["h"] == ("M", "added on both sides"), changes(w)
    refused(w)
    os.unlink(w.path("f"))
    os.unlink(w.path("h"))
    assert changes(w) == {"f": ("A", ""), "h": ("A", "")}
    apply(w)
    assert w.read("f") == w.read("h") == "s\n"


def test_first_second_of_a_session(w):
    """The user edits in the first second after the first run has begun: the edit has its base."""
    git_files(w)
    with live(w, "true", settled=False) as process:
        w.write("c", lines(l5="user"))
        told = w.shadow("status")
        assert "no changes" in told.out, told.out
    del process
    w.sh("sed -i s/^20$/agent/ g")
    # Until then a program in the background has asked the index, whose start alone takes 30 ms.
    time.sleep(0.2 * harness.TIME_FACTOR)
    w.write("g", lines(l5="user"))
    assert changes(w)["g"] == ("M", ""), changes(w)


def test_directory_that_the_user_removed(w):
    """A directory that the user deleted or replaced by a file is a conflict, which status shows, whatever came
    before."""
    def from_apply():
        w.sh("mkdir k; echo 1 >k/1")
        apply(w)
        w.sh("echo 2 >k/2; echo x >>o")

    def from_old():
        w.write("k/1", "1\n")
        w.sh("echo 2 >k/2; echo x >>o")

    def made_anew():
        w.write("k/1", "1\n")
        w.sh("echo 2 >>k/1")
        apply(w)
        w.sh("rm -r k; mkdir k; echo 2 >k/2; echo x >>o")

    def remove():
        shutil.rmtree(w.path("k"))

    def replace():
        remove()
        w.write("k", "user\n")

    for begins in (from_apply, from_old, made_anew):
        for user in (remove, replace):
            w.write("o", "o\n")
            begins()
            w.wait_settled()
            user()
            assert "conflict: " in w.shadow("status").out, w.shadow("status").out
            said = refused(w)
            assert "'k/2'" in said or "'k'" in said, said
            apply(w, "ours")
            assert not os.path.isdir(w.path("k")) and w.read("o") == "o\nx\n"
            apply(w, "theirs")
            assert w.read("k/2") == "2\n"
            assert w.shadow("diff").out == "", (begins.__name__, user.__name__)
            w.shadow("discard", "--yes")
            shutil.rmtree(w.path("k"))


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
