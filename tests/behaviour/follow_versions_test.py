# SPDX-License-Identifier: MIT
"""What a live run makes of versions of yours that it alone has seen: you go on or back, and no review comes between."""

import os
import shutil
import sys
import time

import harness
from applies import CONFLICT, apply, lines
from edits import settled_git
from following import followed, noted, save, seen
from live_server import server


def settle():
    """A moment in which a save is noted."""
    time.sleep(0.4 * harness.TIME_FACTOR)


def begin(w, **files):
    settled_git(w, {"f": lines(), "g": lines(), "d/a": lines(), "d/b": "b\n", ".gitignore": "*.log\nbuild/\n", **files})


def refused(w, *names):
    """An apply meets these conflicts and no other, and writes nothing."""
    before = harness.fingerprint(w.project)
    done = apply(w, check=False)
    assert done.returncode == CONFLICT and harness.fingerprint(w.project) == before, (done.out, done.err)
    said = w.shadow("status").out
    found = [line.split()[1] for line in said.splitlines() if "conflict: " in line]
    found = [name for name in found if not name.endswith("/")]  # the directories that they need
    assert sorted(found) == sorted(names), said


def nothing(w):
    said = w.shadow("status").out
    assert "no changes" in said, said


def test_made_and_deleted(w):
    """Files that you make and delete again are no new ones of the agent's where it has edited them: a conflict, as for
    those that were there before."""
    begin(w)
    names = ("in_place", "d/replaced", "new/dir/file", "whole")
    with server(w) as run:
        run.do("cat f " + " ".join(names) + " 2>/dev/null || :")
        followed(w)
        for name in names:
            w.write(name, lines())
        seen(run, "cat whole 2>/dev/null || :", lines())
        noted(w, *names)
        run.do("echo agent >>in_place; sed -i s/^5$/agent/ d/replaced new/dir/file; echo agent >whole; echo agent >own")
        for name in names:
            os.unlink(w.path(name))
        shutil.rmtree(w.path("new"))
        settle()
        refused(w, *names)  # while it is live, and after that
    w.wait_settled()
    refused(w, *names)
    w.shadow("discard", "--yes", *names)
    apply(w)
    assert w.read("own") == "agent\n" and not os.path.exists(w.path("whole"))


def test_left_alone_and_deleted(w):
    """Files that you make and delete again are gone where the agent has only touched them."""
    begin(w)
    with server(w) as run:
        followed(w)
        w.write("new", lines())
        w.write("dir/new", lines())
        noted(w, "new", "dir/new")
        run.do("touch -r f keep; exec 7<>new; exec 7<&-; exec 7<>dir/new; exec 7<&-; rm keep; cat new dir/new")
        os.unlink(w.path("new"))
        shutil.rmtree(w.path("dir"))
        settle()
    w.wait_settled()
    nothing(w)


def test_deleted_before_the_agent_made_its_own(w):
    """What the agent makes after you have deleted yours is its own."""
    begin(w)
    with server(w) as run:
        followed(w)
        w.write("new", lines())
        noted(w, "new")
        os.unlink(w.path("new"))
        noted(w, "new")
        run.do("echo agent >new")
    w.wait_settled()
    apply(w)
    assert w.read("new") == "agent\n"


def test_made_by_both(w):
    """What you make where the agent has made a file of its own is another one, however often it replaces that."""
    begin(w)
    with server(w) as run:
        followed(w)
        run.do("echo agent >new")
        w.write("new", "yours\n")
        settle()
        run.do("echo other >new.tmp; mv new.tmp new")
        settle()
    w.wait_settled()
    refused(w, "new")
    os.unlink(w.path("new"))
    apply(w)
    assert w.read("new") == "other\n"


def test_taken_back(w):
    """A save that the agent has worked on and that you take back stays taken back."""
    begin(w)
    with server(w) as run:
        run.do("cat f g d/a")
        followed(w)
        w.write("f", lines(l5="yours"))
        save(w.path("g"), lines(l5="yours"))
        save(w.path("d/a"), lines(l5="yours"))
        noted(w, "f", "g", "d/a")
        run.do("sed -i s/^25$/agent/ f g; echo agent >>d/a")
        settle()
        w.git("checkout", "f", "g", "d/a")
        settle()
    w.wait_settled()
    assert "yours" not in w.shadow("diff").out
    apply(w)
    assert w.read("f") == w.read("g") == lines(l25="agent") and w.read("d/a") == lines() + "agent\n"


def test_taken_back_and_edited_again(w):
    """Also where the agent edits its file once more after that, and while it is live."""
    begin(w)
    with server(w) as run:
        followed(w)
        save(w.path("f"), lines(l5="yours"))
        noted(w, "f")
        run.do("sed -i s/^25$/agent/ f")
        w.git("stash")
        settle()
        run.do("sed -i s/^20$/more/ f")
        settle()
        apply(w)
        assert w.read("f") == lines(l20="more", l25="agent")


def test_written_on(w):
    """You write on beside an edit of yours that the agent has seen: merged."""
    begin(w)
    with server(w) as run:
        followed(w)
        save(w.path("f"), lines(l1="call("))
        save(w.path("new"), lines(l1="call("))
        noted(w, "f", "new")
        run.do("sed -i s/^25$/agent/ f new")
        save(w.path("f"), lines(l1="call(1, 2)", l2="next"))
        save(w.path("new"), lines(l1="call(1, 2)", l2="next"))
        settle()
    w.wait_settled()
    apply(w)
    assert w.read("f") == w.read("new") == lines(l1="call(1, 2)", l2="next", l25="agent")


def test_saved_between_runs(w):
    """What you saved before the run began and take back while it goes on stays taken back."""
    begin(w)
    w.run("sh", "-c", "echo more >>g")
    w.wait_settled()
    w.write("f", lines(l5="yours"))
    w.write("new", lines())
    time.sleep(0.02)
    with server(w) as run:
        followed(w)
        noted(w, "f", "new")
        run.do("sed -i s/^25$/agent/ f new")
        w.git("checkout", "f")
        os.unlink(w.path("new"))
        settle()
    w.wait_settled()
    refused(w, "new")
    apply(w, "skip")
    assert w.read("f") == lines(l25="agent")


def test_from_memory(w):
    """What the agent writes with the old lines takes your save back, seen or not: that stays a conflict."""
    begin(w)
    with server(w) as run:
        followed(w)
        save(w.path("f"), lines(l5="yours"))
        noted(w, "f")
        run.do("seq 30 | sed s/^25$/agent/ >f")
    w.wait_settled()
    refused(w, "f")


def test_edited_before_the_view_follows(w):
    """What the agent edits in the moment of your save, or has read before it, is made of what it read."""
    begin(w)
    with server(w) as run:
        followed(w)
        save(w.path("f"), lines(l5="yours"))
        noted(w, "f")
        run.do("exec 7<f")
        save(w.path("f"), lines(l5="yours", l15="later"))
        w.write("g", lines(l5="yours"))
        w.write("new", lines())
        time.sleep(0.02)
        run.do("sed s/^25$/agent/ <&7 >f.n; mv f.n f; sed -i s/^25$/agent/ g new")
        settle()
        w.git("checkout", "f", "g")
        os.unlink(w.path("new"))
        settle()
    w.wait_settled()
    refused(w, "new")
    apply(w, "skip")
    assert w.read("f") == w.read("g") == lines(l25="agent")


def test_moved(w):
    """Files and directories that you move, and move back, are where you have them; what the agent edits under the new
    names is in conflict."""
    begin(w, **{"e/deep/x": lines(), "e/y": lines()})
    with server(w) as run:
        run.do("cat f e/y e/deep/x >/dev/null; ls -R moved 2>/dev/null || :")
        followed(w)
        os.rename(w.path("f"), w.path("f2"))
        os.rename(w.path("e"), w.path("moved"))
        noted(w, "f2", "moved/deep/x", "moved/y")
        run.do("sed -i s/^25$/agent/ f2 moved/deep/x; echo agent >>moved/y")
        os.rename(w.path("f2"), w.path("f"))
        os.rename(w.path("moved"), w.path("e"))
        settle()
    w.wait_settled()
    refused(w, "f2", "moved/deep/x", "moved/y")


def test_branches(w):
    """You switch to a branch and back: the agent's lines alone come, where they belong."""
    begin(w, **{f"m/{n}": lines() for n in range(300)})
    w.git("checkout", "-qb", "side")
    for n in range(300):
        w.write(f"m/{n}", lines(l5="side"))
        w.write(f"n/{n}", lines())
    w.git("add", "-A")
    w.git("commit", "-qm", "side")
    w.git("checkout", "-q", "-")
    w.run("true")
    w.wait_settled()
    w.shadow("refresh", check=False)
    w.wait_settled()
    with server(w) as run:
        run.do("ls -R >/dev/null; cat m/*")
        followed(w)
        w.git("checkout", "-q", "side")
        noted(w, "m/7", "m/299", "n/8", "n/298")
        run.do("sed -i s/^25$/agent/ m/7 m/299 n/8 n/298")
        w.git("checkout", "-q", "-")
        settle()
    w.wait_settled()
    refused(w, "n/298", "n/8")
    apply(w, "skip")
    assert w.read("m/7") == w.read("m/299") == lines(l25="agent")


def test_pulled(w):
    """What you pull and the agent edits is as what was there."""
    begin(w)
    with server(w) as run:
        followed(w)
        w.write("f", lines(l5="pulled"))
        w.write("p/q", lines())
        w.git("add", "-A")
        w.git("commit", "-qm", "pulled")
        noted(w, "f", "p/q")
        run.do("sed -i s/^25$/agent/ f p/q")
        w.git("reset", "-q", "--hard", "HEAD~1")
        settle()
    w.wait_settled()
    refused(w, "p/q")
    apply(w, "skip")
    assert w.read("f") == lines(l25="agent")


def test_unpacked(w):
    """What you unpack or copy with old times, and remove again."""
    begin(w)
    os.makedirs(os.path.join(w.home, "old/sub"))
    for name in ("old/sub/a", "old/b"):
        with open(os.path.join(w.home, name), "w", encoding="ascii") as f:
            f.write(lines())
        os.utime(os.path.join(w.home, name), (10**9, 10**9))
    with server(w) as run:
        followed(w)
        os.rename(os.path.join(w.home, "old"), w.path("old"))
        shutil.copytree(w.path("old"), w.path("copy"))
        noted(w, "old/sub/a", "copy/sub/a", "old/b")
        run.do("sed -i s/^25$/agent/ old/sub/a copy/sub/a; echo agent >>old/b")
        shutil.rmtree(w.path("old"))
        shutil.rmtree(w.path("copy"))
        settle()
    w.wait_settled()
    refused(w, "old/sub/a", "copy/sub/a", "old/b")


def test_modes_and_links(w):
    """A mode that you set and take back, and links that you make and remove."""
    begin(w)
    os.symlink("f", w.path("link"))
    with server(w) as run:
        followed(w)
        os.chmod(w.path("f"), 0o755)
        os.symlink("g", w.path("new_link"))
        save(w.path("g"), lines(l5="yours"))
        os.chmod(w.path("g"), 0o755)
        noted(w, "g", "new_link")
        settle()
        run.do("test -x f; sed -i s/^25$/agent/ f g; ln -sf f new_link")
        os.chmod(w.path("f"), 0o644)
        w.git("checkout", "g")
        os.unlink(w.path("new_link"))
        settle()
    w.wait_settled()
    refused(w, "new_link")
    apply(w, "skip")
    for name in ("f", "g"):
        assert w.read(name) == lines(l25="agent")
        assert os.stat(w.path(name)).st_mode & 0o777 == 0o644, name


def test_ignored(w):
    """An ignored file that you make and delete again does not come back with what the agent made of it."""
    begin(w)
    with server(w) as run:
        followed(w)
        w.write("new.log", lines())
        noted(w, "new.log")
        run.do("sed -i s/^25$/agent/ new.log")
        os.unlink(w.path("new.log"))
        settle()
    w.wait_settled()
    done = w.shadow("apply", "--yes", "--ignored", check=False)
    assert done.returncode == CONFLICT and not os.path.exists(w.path("new.log")), (done.out, done.err)


def test_deleted_by_the_agent(w):
    """What you make, the agent deletes and you edit after that is in conflict; left alone it goes."""
    begin(w)
    with server(w) as run:
        followed(w)
        w.write("one", lines())
        w.write("two", lines())
        noted(w, "one", "two")
        run.do("rm one two")
        w.write("two", lines(l5="yours"))
        settle()
    w.wait_settled()
    refused(w, "two")
    apply(w, "skip")
    assert not os.path.exists(w.path("one"))


def test_over_what_was_applied(w):
    """A save over what was applied, which the agent has worked on and you take back."""
    begin(w)
    with server(w) as run:
        run.do("sed -i s/^20$/agent/ f")
        followed(w)
        apply(w)
        save(w.path("f"), lines(l20="agent", l5="yours"))
        seen(run, "cat f", lines(l20="agent", l5="yours"))
        settle()
        run.do("sed -i s/^25$/more/ f")
        save(w.path("f"), lines(l20="agent"))
        settle()
    w.wait_settled()
    apply(w)
    assert w.read("f") == lines(l20="agent", l25="more")


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
