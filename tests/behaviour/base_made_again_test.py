# SPDX-License-Identifier: MIT
"""The base is taken anew after an apply or a discard, and where something was made once more."""

import os
import shutil
import signal
import subprocess
import sys
import time

import harness
from applies import apply, lines, refused
from edits import base_tree, begin, edit_both, settled_git, write_beside, write_in_view

CONFLICT = 3


def test_after_an_apply(w):
    """After an apply its result is the base, and after an undo what the undo left."""
    settled_git(w, {"F": lines()})
    begin(w)
    write_in_view(w, "F", lines(l10="agent"))
    apply(w)
    write_beside(w, "F", lines(l10="agent", l20="agent"), lines(l10="agent", l5="user"))
    assert "can be merged" in refused(w)
    apply(w, "merge")
    assert w.read("F") == lines(l10="agent", l5="user", l20="agent")
    w.shadow("undo")
    assert w.read("F") == lines(l10="agent", l5="user")
    write_beside(w, "F", lines(l10="agent", l5="user", l15="agent"),
                 lines(l10="agent", l5="user", l25="user"))
    apply(w, "merge")
    assert w.read("F") == lines(l10="agent", l5="user", l15="agent", l25="user")


def test_after_a_discard(w):
    """After a discard of a path what the project has there is the base."""
    settled_git(w, {"F": lines()})
    begin(w)
    write_in_view(w, "F", lines(l10="agent"))
    w.write("F", lines(l2="early"))
    w.shadow("discard", "--yes", "F")
    w.wait_settled()
    assert w.run("cat", "F").out == lines(l2="early")
    w.wait_settled()
    write_beside(w, "F", lines(l2="early", l20="agent"), lines(l2="early", l5="user"))
    refused(w)
    apply(w, "merge")
    assert w.read("F") == lines(l2="early", l5="user", l20="agent")


def test_made_once_more(w):
    """What was applied, deleted by the user and made again by the agent is seen."""
    w.write("a", "a\n")
    begin(w, "a")
    w.sh("echo new >'N n'; rm a")
    w.wait_settled()
    apply(w)
    os.unlink(w.path("N n"))
    w.write("a", "again\n")
    w.sh("echo new >'N n'; touch -d @1000000000 'N n'; rm a")
    w.wait_settled()
    assert w.shadow("diff", "--name-only").out.splitlines() == ["N n", "a"]
    said = refused(w)
    assert "'N n' (deleted in the project, changed in the session)" in said and "'a'" in said
    apply(w, "theirs")
    assert w.read("N n") == "new\n" and not os.path.exists(w.path("a"))
    assert w.shadow("diff").out == ""


def test_empty_directory_made_once_more(w):
    """An empty directory that the user deleted and the agent made again is seen."""
    w.write("a", "a\n")
    os.mkdir(w.path("old"))
    begin(w, "a")
    w.sh("mkdir new; mkdir -m 700 private; touch old/x; rm old/x")
    w.wait_settled()
    apply(w)
    for name in ("new", "private", "old"):
        os.rmdir(w.path(name))
    assert "no changes" in w.shadow("status").out
    w.wait_settled()
    w.sh("rmdir old 2>/dev/null; mkdir new; mkdir -m 700 private; mkdir old; mkdir way; touch way/x")
    w.wait_settled()
    assert w.shadow("diff", "--name-only").out.splitlines() == ["way/x"]  # a patch has no directories
    said = refused(w)
    for name in ("new", "private", "old"):
        assert f"'{name}' (deleted in the project, changed in the session)" in said, (name, said)
    apply(w, "theirs")
    assert all(os.path.isdir(w.path(name)) for name in ("new", "private", "old", "way"))


def test_taken_again(w):
    """A tree that was not finished is taken after the next run, of what is still as old."""
    w.write("F", lines())
    w.write("G", lines())
    begin(w)
    session = base_tree(w)[0]
    os.unlink(os.path.join(w.state, "sessions", session, "base-tree"))
    w.write("G", lines(l5="user"))
    begin(w)
    assert base_tree(w) == [session]
    edit_both(w)
    write_in_view(w, "G", lines(l20="agent"))
    assert "'G'" in refused(w, "merge")
    apply(w, "ours")
    assert w.read("F") == lines(l5="user", l20="agent") and w.read("G") == lines(l5="user")


STOPPED = {"SHADOW_FAIL": "base-tree-begun:1=stop"}


def taker(w):
    """The process that is stopped where it is about to take the base tree."""
    harness.wait_until(lambda: w.stopped(), what="the process that takes the tree")
    return w.stopped()[0]


def let_others_go(w, process):
    """A run has two processes that may take the tree, one while it goes on and one after it."""
    for other in w.stopped():
        if other != process:
            os.kill(other, signal.SIGCONT)


def write_while_stopped(w, run, process):
    """The run writes before the process goes on; then both end."""
    run.stdin.write(b"go\n")
    run.stdin.flush()
    assert run.stdout.readline() == b"done\n"
    os.kill(process, signal.SIGCONT)
    run.communicate(b"end\n")
    w.wait_settled()


def go_on_from_the_users(w):
    """Agent and user write at one file, one after the other: nothing of that is a conflict."""
    w.wait_settled()
    w.sh("sed -i s/^user$/USER/ F; echo agent >>new")
    w.shadow("apply", "--yes")
    assert w.read("F") == lines(l5="USER") and w.read("new") == "made\nagent\n"


def test_saved_as_a_refresh_goes_on(w):
    """What the user saves or makes while the session's bases are being renewed is the base: an agent that goes on
    from it meets no conflict."""
    settled_git(w, {"F": lines(), "G": lines()})
    begin(w)
    w.shadow("refresh", env=STOPPED)
    process = taker(w)
    w.write("F", lines(l5="user"))
    w.write("new", "made\n")
    os.kill(process, signal.SIGCONT)
    go_on_from_the_users(w)


def test_refreshed_before_the_first_tree_was_taken(w):
    """A refresh in a session's first moments renews its bases, also those that are just being taken, however long that
    takes."""
    settled_git(w, {"F": lines(), "G": lines()})
    w.run("cat", "F", env=STOPPED)
    process = taker(w)
    w.shadow("refresh")
    w.write("F", lines(l5="user"))
    w.write("new", "made\n")
    harness.wait_until(lambda: let_others_go(w, process) or base_tree(w), what="the base tree")
    os.kill(process, signal.SIGCONT)
    go_on_from_the_users(w)


def test_renewed_by_the_next_process(w):
    """Where the process that renews a session's bases is killed, the next one renews them just so."""
    settled_git(w, {"F": lines(), "G": lines()})
    begin(w)
    begun = harness.time.time()
    w.shadow("refresh", env=STOPPED)
    w.write("F", lines(l5="user"))
    w.write("new", "made\n")
    os.kill(taker(w), signal.SIGKILL)
    w.run("true")
    late = harness.time.time() - begun > 2
    w.wait_settled()
    if late:
        raise harness.NotHere("a process that comes so late is careful, and takes what is there for no base")
    go_on_from_the_users(w)


def test_written_from_what_was_there_before_a_refresh(w):
    """A run that goes on over a refresh and writes a file before its base is renewed may have read what was there
    before: what the user saves meanwhile is not taken back without a word."""
    settled_git(w, {"F": lines(), "G": lines(), "d/H": lines()})
    begin(w)
    run = w.start("run", "--", "sh", "-c", "cat F >F.n; echo ready; read go; mv F.n F; rm -r d; echo done; read end",
                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert run.stdout.readline() == b"ready\n"
    w.shadow("refresh", env=STOPPED)
    process = taker(w)
    w.write("F", lines(l5="user"))
    w.write("d/H", lines(l5="user"))
    write_while_stopped(w, run, process)
    said = refused(w, "merge")
    assert "'F'" in said and "'d/H'" in said, said
    assert w.read("F") == lines(l5="user")


def test_saved_before_the_first_look(w):
    """What the user saves or makes before a new session's base tree has looked at it has no base: if a run changes it
    too, that is a conflict, and nothing of either side is lost."""
    settled_git(w, {"F": lines(), "G": lines(), "K": lines()})
    run = w.start("run", "--", "sh", "-c", "echo ready; read go; sed -i s/^20$/agent/ F; rm G; echo agent >new; "
                  "echo done; read end", stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=STOPPED)
    assert run.stdout.readline() == b"ready\n"
    process = taker(w)
    for name in ("F", "G", "K"):
        w.write(name, lines(l5="user"))
    w.write("new", "user\n")
    harness.time.sleep(0.03)
    write_while_stopped(w, run, process)
    said = refused(w, "merge")
    assert all(f"'{name}' (" in said for name in ("F", "G", "new")) and "'K'" not in said, said
    apply(w, "ours")
    assert w.read("F") == w.read("G") == w.read("K") == lines(l5="user") and w.read("new") == "user\n"
    assert "agent" in w.run("cat", "F").out and w.run("cat", "new").out == "agent\n"
    apply(w, "theirs")
    assert "agent" in w.read("F") and w.read("new") == "agent\n" and w.read("K") == lines(l5="user")


def test_moved_back(w):
    """A file that you moved, and that the agent moves back or over what you have put in its place, is not deleted under
    both names."""
    settled_git(w, {"d/F": lines(), "d/G": lines()})
    begin(w, "d/F")
    for name in ("F", "G"):
        os.rename(w.path("d", name), w.path("d", name + ".moved"))
    w.write("d/G", lines(l5="user"))
    harness.time.sleep(0.03)
    w.sh("echo agent >other")
    w.sh("mv d/F.moved d/F; mv d/G.moved d/G")
    w.write("d/later", "user\n")  # when the names went is not to be seen any more
    said = refused(w, "merge")
    assert "'d/F' (" in said and "'d/G' (" in said, said
    apply(w, "skip")
    assert "1\n2\n" in w.run("cat", "d/F").out and w.read("d/G") == lines(l5="user")
    apply(w, "theirs")
    assert w.read("d/F") == w.read("d/G") == lines() and sorted(os.listdir(w.path("d"))) == ["F", "G", "later"]


def test_moved_back_by_git(w):
    """So it is where git writes the old name anew, as a stash does, where you had edited the file at its new one, and
    where you had put another in its place."""
    settled_git(w, {"F": lines(), "G": lines(l9="G"), "H": lines(l9="H"), "o": "o\n"})
    w.sh("sed -i s/^5$/agent/ F G H")
    w.wait_settled()
    for name in ("F", "G", "H"):
        os.rename(w.path(name), w.path(name + ".moved"))
    w.write("G.moved", lines(l9="G", l20="user"))
    w.write("H", "user\n" * 4)
    w.sh("git add -A; git stash -q")
    w.wait_settled()
    said = refused(w, "merge")
    assert all(f"'{name}' (" in said for name in ("F", "G", "H")), said
    apply(w, "skip", check=False)
    assert (w.read("F.moved"), w.read("G.moved")) == (lines(), lines(l9="G", l20="user"))
    assert (w.read("H"), w.read("H.moved")) == ("user\n" * 4, lines(l9="H"))
    w.shadow("discard", "--yes")
    assert sorted(w.run("ls").out.split()) == ["F.moved", "G.moved", "H", "H.moved", "o"]


def test_half_of_a_move_given_back(w):
    """You discard the old name's part of a move: the new one is a file of the session's, whatever you do with the other."""
    settled_git(w, {"f": lines(), "o": "1\n"})
    for by_run in ("mv f g", "mv f g; sed -i s/^7$/agent/ g"):
        for by_user in (lambda: w.write("f", lines(l5="yours")), lambda: os.rename(w.path("f"), w.path("h")),
                        lambda: os.unlink(w.path("f"))):
            w.sh(by_run)
            w.wait_settled()
            w.shadow("discard", "--yes", "f")
            by_user()
            time.sleep(0.02)
            assert "conflict" not in w.shadow("status").out
            apply(w)
            assert w.read("g") == (lines(l7="agent") if "sed" in by_run else lines())
            w.git("checkout", "-q", ".")
            w.git("clean", "-qfd")
            w.shadow("discard", "--yes", check=False)


def test_moved_directory(w):
    """A directory put in the place of another, with files older than the session: no wrong base."""
    settled_git(w, {"d/F": lines(), "e/F": lines(l5="user")})
    begin(w, "d/F")
    os.rename(w.path("d"), w.path("old"))
    os.rename(w.path("e"), w.path("d"))
    write_in_view(w, "d/F", lines(l20="agent"))
    refused(w)
    apply(w, "merge")
    assert w.read("d/F") == lines(l5="user", l20="agent")


def test_another_project_when_a_run_ends(w):
    """Where another directory is in the project's place as a run ends, none of its files becomes a base."""
    settled_git(w, {"F": lines()})
    shutil.copytree(w.project, w.project + ".other")
    with open(w.project + ".other/F", "w", encoding="ascii") as f:
        f.write(lines(l5="other"))
    with open(w.project + ".other/new", "w", encoding="ascii") as f:
        f.write("other\n")
    harness.time.sleep(0.03)
    begin(w)
    run = w.start("run", "--", "sh", "-c", "sed -i s/^20$/agent/ F; echo agent >new; echo done; read end",
                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert run.stdout.readline() == b"done\n"
    os.rename(w.project, w.project + ".first")
    os.rename(w.project + ".other", w.project)
    run.communicate(b"end\n")
    harness.wait_until(lambda: not w.processes(), what="the end of what runs in the background")
    os.rename(w.project, w.project + ".other")
    os.rename(w.project + ".first", w.project)
    apply(w)
    assert w.read("F") == lines(l20="agent") and w.read("new") == "agent\n"


def test_made_in_what_the_session_did_not_show(w):
    """A file that you make in a directory, where the session has a file in its place, was never seen by the agent: one that
    its next run makes there is a conflict, and yours stays."""
    w.git_project({"d/1": "1\n", "o": "o\n"})
    w.sh("printf 'mine\\n' >x")
    w.wait_settled()
    os.mkdir(w.path("x"))
    w.write("x/new", "user\n")
    time.sleep(0.02)
    w.sh("rm x; mkdir x; echo agent >x/new")
    w.wait_settled()
    done = w.shadow("apply", "--yes", "--", "x/new", check=False)
    assert done.returncode == CONFLICT, (done.returncode, done.out, done.err)
    assert w.read("x/new") == "user\n"


def test_after_an_earlier_run(w):
    """What you make between two runs is the base of what the second does there, whatever the first has left: the deletions
    of runs that share a mount are one file, and what is moved keeps the time at which it was made."""
    w.git_project({"x": "x\n"})
    for first, second, wanted in (("rm x", "rm c", "D"), ("echo agent >n", "mv n c", "M")):
        w.run("true")
        w.wait_settled()
        w.sh(first)
        w.shadow("status")
        w.write("c", "user\n")
        time.sleep(0.02)
        w.sh("cat c >/dev/null; " + second)
        w.wait_settled()
        out = w.shadow("status").out
        assert f"  {wanted}  c\n" in out and "conflict" not in out, out
        w.shadow("discard", "--yes")


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
