# SPDX-License-Identifier: MIT
"""What a live run has of the project's without a change of its own, and the user changes or deletes meanwhile, before
anybody has looked at the session."""

import os
import signal
import sys
import time

import harness
from applies import lines
from following import followed, seen
from live_server import server
from moves import changes, listed, settle


def mode(w, path):
    return oct(os.stat(w.path(path)).st_mode & 0o7777)[2:]


def test_rights_of_a_directory(w):
    """A directory in which a run has written keeps the rights that you give it; the view has them, too. Those that the
    run has changed are its change, whatever you have written there."""
    w.git_project({"d/a": "a\n", "e/a": "a\n", "both/a": "a\n"})
    with server(w) as run:
        followed(w)
        run.do("echo n >d/new; echo n >e/new; chmod 711 e; echo n >both/new; chmod 750 both")
        os.chmod(w.path("d"), 0o700)
        seen(run, "stat -c %a d", "700\n")
        w.write("e/mine", "mine\n")
        os.chmod(w.path("both"), 0o500)
        settle()
        wanted = "  M  both/  (mode 500 became 750; conflict: another mode on each side)\n" \
                 "  A  both/new  (depends on 'both')\n  A  d/new\n  M  e/  (mode 755 became 711)\n  A  e/new"
        listed(w, wanted)
        os.chmod(w.path("both"), 0o755)
        w.shadow("apply", "--yes")
        assert (mode(w, "d"), mode(w, "e"), mode(w, "both")) == ("700", "711", "750")
        assert run.do("stat -c %a d e both") == "700\n711\n750\n"
    w.wait_settled()
    listed(w, "")
    w.shadow("undo", "--yes")
    assert (mode(w, "d"), mode(w, "e"), mode(w, "both")) == ("700", "755", "755")


def test_rights_after_a_run(w):
    """The same once the run has ended."""
    w.git_project({"d/a": "a\n", "e/a": "a\n"})
    w.shadow("run", "--", "sh", "-c", "echo n >d/new; echo n >e/new; chmod 700 e")
    os.chmod(w.path("d"), 0o700)
    w.wait_settled()
    listed(w, "  A  d/new\n  M  e/  (mode 755 became 700)\n  A  e/new")
    w.shadow("apply", "--yes")
    assert (mode(w, "d"), mode(w, "e")) == ("700", "700")


def test_deleted_by_the_user(w):
    """A file that a run has only touched, or written again as it was, goes from the view when you delete it; one that it
    has edited is a conflict."""
    names = ("touched", "rewritten", "again", "d/x", "edited")
    w.git_project({name: f"{name}\n" for name in names})
    os.symlink("edited", w.path("link"))
    w.git("add", "link")
    w.git("commit", "-qm", "link")
    with server(w) as run:
        followed(w)
        run.do("touch -h link; touch touched d/x; sed -i s/nothing/x/ rewritten; rm again; git checkout -q again; echo more >>edited")
        w.git("rm", "-q", "link", *names)
        w.git("commit", "-qm", "gone")
        settle()
        listed(w, "  A  edited  (conflict: deleted in the project, changed in the session)")
        seen(run, "ls", "edited\n")
    w.wait_settled()
    listed(w, "  A  edited  (conflict: deleted in the project, changed in the session)")


def test_made_again_by_the_agent(w):
    """What the agent makes again after you have deleted it is a conflict, also with the text that it had."""
    w.git_project({"x": "x\n", "y": "y\n"})
    with server(w) as run:
        followed(w)
        os.unlink(w.path("x"))
        settle()
        run.do("git show HEAD:x >x")
        settle()
        listed(w, "  A  x  (conflict: deleted in the project, changed in the session)")
    w.wait_settled()
    assert "conflict" in changes(w)


def test_deleted_by_both(w):
    """A directory that you delete, and of which a run had deleted a file, is no change; also after a refresh."""
    w.git_project({"d/x": "x\n", "o": "o\n"})
    with server(w) as run:
        followed(w)
        run.do("rm d/x")
        w.git("rm", "-rq", "d")
        settle()
        listed(w, "")
        w.shadow("refresh")
        listed(w, "")
    w.wait_settled()
    listed(w, "")
    w.shadow("refresh")
    listed(w, "")
    assert w.shadow("run", "--", "ls").out == "o\n"


def test_something_else_in_its_place(w):
    """What you put in the place of a directory in which a run has made something and removed it again is in the view."""
    w.git_project({"d/x": "x\n", "o": "o\n"})
    with server(w) as run:
        followed(w)
        run.do("mkdir d/tmp; touch d/tmp/y; rm -r d/tmp")
        w.git("rm", "-rq", "d")
        w.write("d", "mine\n")
        settle()
        listed(w, "")
        w.shadow("refresh")
        seen(run, "cat d", "mine\n")
    w.wait_settled()
    listed(w, "")
    assert w.shadow("run", "--", "cat", "d").out == "mine\n"


def test_back_after_a_stash(w):
    """What you have stashed when the run edits the file is no edit that it takes back."""
    w.git_project({"g": lines()})
    with server(w) as run:
        followed(w)
        w.write("g", lines(l9="mine"))
        settle()
        w.git("stash", "-q")
        seen(run, "cat g", lines())
        settle()
        run.do("sed -i 's/^1$/agent/' g")
        w.git("stash", "pop", "-q")
        settle()
        listed(w, "  M  g  (changed in the project too, can be merged)")
        w.shadow("apply", "--yes")
    assert w.read("g") == lines(l1="agent", l9="mine")


def test_saved_beside_a_short_run(w):
    """What you save, delete or replace while a short run has it open, or writes it as it was, is in the next run's view."""
    w.git_project({name: f"{name}\n" for name in ("saved", "gone", "moved", "edited")})
    w.run("true")
    w.wait_settled()
    run = w.start("run", "--", "sh", "-c", "for p in saved gone moved; do cp $p /tmp/p; cat /tmp/p >$p; done; echo agent >>edited; sleep 0.8")
    time.sleep(0.4)
    w.write("saved", "mine\n")
    os.unlink(w.path("gone"))
    os.unlink(w.path("moved"))
    os.symlink("saved", w.path("moved"))
    w.write("edited", "mine\n")
    run.wait()
    w.wait_settled()
    harness.wait_until(lambda: w.run("sh", "-c", "cat saved; ls").out == "mine\nedited\nmoved\nsaved\n", what="the user's in the view")
    assert w.run("readlink", "moved").out == "saved\n"
    assert "conflict" in changes(w) and "saved" not in changes(w) and "gone" not in changes(w) and "moved" not in changes(w), changes(w)


def test_touched_before_anything_was_noted(w):
    """What a first run has only touched is yours again also where it ended before the project's files were noted."""
    w.git_project({"f": "f\n", "g": "g\n"})
    w.env["SHADOW_FAIL"] = "base-tree-begun:1=stop"
    w.run("sh", "-c", "touch f; echo agent >>g")
    del w.env["SHADOW_FAIL"]
    harness.wait_until(w.stopped, what="who notes the project")
    time.sleep(7)  # a run's end waits for it for five seconds
    os.kill(w.stopped()[0], signal.SIGCONT)
    w.wait_settled()
    w.run("true")
    w.wait_settled()
    w.write("f", "mine\n")
    assert w.run("cat", "f", "g").out == "mine\ng\nagent\n"


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
