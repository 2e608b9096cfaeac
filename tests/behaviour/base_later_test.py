# SPDX-License-Identifier: MIT
"""A session's file that was made from something later than its base: what you saved between its runs."""

import os
import shutil
import sys
import time

import harness
from applies import CONFLICT, apply, lines
from following import followed, seen
from live_server import server


def begin(w):
    """A session with a change of its own: it does not begin anew."""
    w.git("init", "-q")
    for name in ("f", "own"):
        w.write(name, lines())
    w.git("add", "-A")
    w.git("commit", "-qm", "begin")
    w.run("sh", "-c", "cat f >/dev/null; echo more >>own")
    w.wait_settled()


def edit(w, text):
    """You save that, and the next run edits line 25 of it."""
    w.write("f", text)
    time.sleep(0.02)
    w.run("sed", "-i", "s/^25$/agent/", "f")
    w.wait_settled()


def test_stashed(w):
    """You stash what the agent has worked on: the stash has it, and an apply brings the agent's lines alone."""
    begin(w)
    edit(w, lines(l5="yours"))
    w.git("stash")
    assert "yours" not in w.shadow("diff").out
    apply(w)
    assert w.read("f") == lines(l25="agent")
    w.git("commit", "-qam", "the agent's")
    w.git("stash", "pop")
    assert w.read("f") == lines(l5="yours", l25="agent")


def test_undone_beside_your_edit(w):
    """An undo that takes back a mode alone leaves your edit, and does not make it the session's."""
    begin(w)
    w.run("chmod", "700", "f")
    w.wait_settled()
    apply(w)
    w.write("f", lines(l5="yours"))
    w.shadow("undo")
    w.git("stash")
    assert "yours" not in w.shadow("diff").out
    apply(w)
    assert w.read("f") == lines()


def beside_yours(w, edit, seen):
    """The agent edits beside two lines of yours, and you take both back: an apply stops."""
    begin(w)
    w.write("f", lines(l5="5\nyours\nyours, too"))
    time.sleep(0.02)
    w.run("sed", "-i", edit, "f")
    w.wait_settled()
    assert seen in w.run("cat", "f").out
    w.git("checkout", "-q", "f")
    assert apply(w, check=False).returncode == CONFLICT and w.read("f") == lines()


def test_put_between(w):
    """What the agent puts between two lines of yours does not bring them back when you have taken them away."""
    beside_yours(w, "s/^yours$/yours\\nagent/", "yours\nagent\nyours, too\n")


def test_one_of_two_lines(w):
    """The agent deletes one of two lines of yours, and you take both back: the other one does not come back unasked."""
    beside_yours(w, "/^yours$/d", "5\nyours, too\n6\n")


def test_one_of_two_places(w):
    """Where your two edits are apart, and the agent undoes one, the other goes as you take it back."""
    begin(w)
    w.write("f", lines(l5="yours", l15="yours, too"))
    time.sleep(0.02)
    w.run("sed", "-i", "s/^yours$/5/;s/^25$/agent/", "f")
    w.wait_settled()
    w.git("checkout", "-q", "f")
    apply(w, check=False)
    assert "yours" not in w.read("f")


def test_stashed_at_once(w):
    """Also right after a run that followed on others, as a script does."""
    begin(w)
    done = {}
    for line in range(12, 24, 4):
        w.run("true")
        w.write("f", lines(l5="yours", **done))
        time.sleep(0.02)
        w.run("sed", "-i", f"s/^{line}$/agent/", "f")
        time.sleep(0.1 * harness.TIME_FACTOR)
        w.git("stash")
        apply(w)
        done[f"l{line}"] = "agent"
        assert w.read("f") == lines(**done)
        w.git("commit", "-qam", "the agent's")
        w.git("stash", "drop")


def test_other_branch(w):
    """The agent edits a file on one branch and you go to another one, or cut a line: nothing of yours comes back."""
    begin(w)
    w.git("checkout", "-qb", "side")
    w.write("f", lines(l5="side"))
    w.git("commit", "-qam", "side")
    edit(w, lines(l5="side"))
    w.git("checkout", "-q", "-")
    apply(w)
    assert w.read("f") == lines(l25="agent")
    w.shadow("discard", "--yes", check=False)
    begin_text = w.read("f")
    w.run("sh", "-c", "echo more >>own")
    w.wait_settled()
    w.write("f", begin_text + "a line\n")
    time.sleep(0.02)
    w.run("sed", "-i", "s/^10$/agent/", "f")
    w.wait_settled()
    w.write("f", begin_text)
    apply(w)
    assert w.read("f") == lines(l10="agent", l25="agent")


def test_written_on(w):
    """You write on beside your own edit that the agent has seen: merged, and no conflict of yours with yours."""
    begin(w)
    edit(w, lines(l1="call("))
    w.write("f", lines(l1="call(1, 2)", l2="next"))
    assert "can be merged" in w.shadow("status").out
    apply(w)
    assert w.read("f") == lines(l1="call(1, 2)", l2="next", l25="agent")


def test_written_on_while_live(w):
    """The same while a run goes on, once a review has looked at what it made."""
    begin(w)
    live = w.start("run", "--", "sh", "-c", "read line; sed -i s/^25$/agent/ f; echo done; read line",
                   stdin=-1, stdout=-1)
    try:
        time.sleep(0.2)
        w.write("f", lines(l5="yours"))
        time.sleep(0.02)
        live.stdin.write(b"go\n")
        live.stdin.flush()
        live.stdout.readline()
        w.shadow("status")
        w.git("stash")
        apply(w)
        assert w.read("f") == lines(l25="agent")
    finally:
        live.communicate(b"go\n", timeout=30)


def test_taken_back(w):
    """What the agent writes with the old lines, from memory, takes your edit back: that stays a conflict."""
    begin(w)
    w.write("f", lines(l5="yours"))
    time.sleep(0.02)
    w.run("sh", "-c", "cat >f", stdin=lines(l25="agent").encode())
    w.wait_settled()
    before = harness.fingerprint(w.project)
    assert apply(w, check=False).returncode == CONFLICT
    assert harness.fingerprint(w.project) == before
    # Written after the agent's, an edit is merged with it: nothing of yours is lost.
    w.write("f", lines(l5="yours", l10="more"))
    apply(w)
    assert w.read("f") == lines(l5="yours", l10="more", l25="agent")


def test_file_in_the_place_of_something_else(w):
    """You put a file in the place of a directory or a link, the agent cuts lines out of it, and you put back what there
    was: your lines do not come in its place unasked."""
    w.write("d/a", lines())
    os.symlink("own", w.path("link"))
    begin(w)
    w.sh("echo once >>own")
    w.wait_settled()
    shutil.rmtree(w.path("d"))
    os.unlink(w.path("link"))
    for name in ("d", "link"):
        w.write(name, lines(l5="yours"))
    time.sleep(0.02)
    w.run("sed", "-i", "/^25$/d", "d", "link")
    w.wait_settled()
    w.git("stash", "-q")
    assert os.path.isdir(w.path("d")) and os.path.islink(w.path("link"))
    assert apply(w, check=False).returncode == CONFLICT
    w.shadow("apply", "--yes", "--on-conflict=skip", check=False)
    assert os.path.isdir(w.path("d")) and os.path.islink(w.path("link"))


def test_written_on_in_the_place_of_a_directory(w):
    """What the agent writes in a file that you put in the place of a directory is merged with what you write next."""
    w.write("d/a", lines())
    os.mkdir(w.path("empty"))
    begin(w)
    shutil.rmtree(w.path("d"))
    os.rmdir(w.path("empty"))
    for name in ("d", "empty"):
        w.write(name, lines(l5="yours"))
    time.sleep(0.02)
    w.run("sed", "-i", "s/^25$/agent/", "d", "empty")
    w.wait_settled()
    assert "conflict" not in w.shadow("status").out
    for name in ("d", "empty"):
        w.write(name, lines(l5="yours", l10="more"))
    apply(w)
    for name in ("d", "empty"):
        assert w.read(name) == lines(l5="yours", l10="more", l25="agent")


def test_link_put_back(w):
    """You point a link elsewhere and back: the file that the agent has put in its place is a change as any other."""
    os.symlink("own", w.path("link"))
    begin(w)
    for target in ("f", "own"):
        os.unlink(w.path("link"))
        os.symlink(target, w.path("link"))
        if target == "f":
            time.sleep(0.02)
            w.run("sh", "-c", "rm link; echo agent >link")
            w.wait_settled()
    apply(w)
    assert not os.path.islink(w.path("link")) and w.read("link") == "agent\n"


def there_and_back(w):
    """You check out the first branch and come back: each file has a new time."""
    w.git("checkout", "-q", "-")
    time.sleep(0.02)
    w.git("checkout", "-q", "-")


def side_branch(w):
    """Another branch, with changes to what the session began with."""
    w.write("binary", "\0first")
    w.write("gone", lines())
    os.symlink("f", w.path("link"))
    w.git("add", "-A")
    w.git("commit", "-qm", "more")
    w.shadow("refresh")
    w.wait_settled()
    w.git("checkout", "-qb", "side")
    w.write("f", lines() + "31\n32\n")
    w.write("binary", "\0second")
    w.write("gone", lines(l5="side"))
    os.unlink(w.path("link"))
    os.symlink("gone", w.path("link"))
    w.git("commit", "-qam", "side")
    time.sleep(0.02)


def test_there_and_back(w):
    """You go to another branch and back, or stash and pop: what the agent had seen it has seen."""
    begin(w)
    side_branch(w)
    w.sh("echo agent >>f; printf '\\0third' >binary; chmod +x binary; ln -sfn own link")
    w.wait_settled()
    before = w.shadow("status").out
    assert "conflict" not in before and "merged" not in before, before
    for _ in range(2):
        there_and_back(w)
        assert w.shadow("status").out == before, w.shadow("status").out
    w.write("f", lines(l5="yours") + "31\n32\n")
    w.git("stash")
    w.git("stash", "pop")
    apply(w)
    assert w.read("f") == lines(l5="yours") + "31\n32\nagent\n"
    assert w.read("binary") == "\0third" and os.readlink(w.path("link")) == "own"


def test_there_and_back_of_what_was_taken_over(w):
    """Also what the agent deletes in a session that began anew on that branch."""
    begin(w)
    apply(w)
    w.git("commit", "-qam", "own")
    side_branch(w)
    w.run("true")
    w.sh("rm gone link; sed -i s/^32$/agent/ f; chmod +x binary")
    w.wait_settled()
    before = w.shadow("status").out
    assert "conflict" not in before and "merged" not in before, before
    there_and_back(w)
    assert w.shadow("status").out == before, w.shadow("status").out
    apply(w)
    assert not os.path.exists(w.path("gone")) and not os.path.lexists(w.path("link"))


def test_there_and_back_from_memory(w):
    """Nor is what the agent has not seen any more: its version from memory stays a conflict."""
    begin(w)
    w.git("checkout", "-qb", "side")
    w.write("f", lines(l5="side"))
    w.git("commit", "-qam", "side")
    time.sleep(0.02)
    w.run("sh", "-c", "cat >f", stdin=lines(l25="agent").encode())
    w.wait_settled()
    there_and_back(w)
    assert apply(w, check=False).returncode == CONFLICT and w.read("f") == lines(l5="side")


def test_put_back_after_you_deleted_it(w):
    """A file that you saved, and deleted while the agent had its own, is gone also where the agent puts the older
    version back: at the end of the run no less than before."""
    w.git_project({"f": "1\n"})
    with server(w) as run:
        followed(w)
        run.do("cp -p f /tmp/f; echo agent >>f; cp -p /tmp/f f")
        w.write("f", "user\n1\n")
        seen(run, "cat f", "user\n1\n")
        time.sleep(0.3 * harness.TIME_FACTOR)
        run.do("echo agent >>f")
        os.unlink(w.path("f"))
        time.sleep(0.3 * harness.TIME_FACTOR)
        run.do("rm f; echo 1 >f")
        assert "no changes\n" in w.shadow("status").out, w.shadow("status").out
    w.wait_settled()
    assert w.shadow("status").out.endswith("no changes\n"), w.shadow("status").out


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
