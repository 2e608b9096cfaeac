# SPDX-License-Identifier: MIT
"""Both sides change the project: what apply merges, what it refuses, and what is left of each."""

import os
import shutil
import sys

import harness
from applies import CONFLICT, apply, lines, refused
from merges import check_same, edit_agent, edit_user, known


def test_read_then_edited_then_written_whole(w):
    """Run 1 reads a file, the user edits it, run 2 writes it whole from what run 1 read: it stops."""
    w.write("F", lines())
    w.run("cat", "F")
    w.wait_settled()
    w.write("F", lines(l5="user"))
    w.run("sh", "-c", 'cat >F.n; mv F.n F', stdin=lines(l20="agent").encode())
    refused(w)
    done = apply(w, "merge", check=False)
    assert done.returncode in (0, CONFLICT)
    text = w.read("F")
    assert "user" in text
    if done.returncode == 0:
        assert text == lines(l5="user", l20="agent")


def test_written_then_edited_then_written_whole(w):
    """A file that the session has is merged when both sides changed it, and never without being asked."""
    known(w)
    edit_agent(w, lines(l10="agent"))
    w.write("F", lines(l5="user"))
    w.run("sh", "-c", 'cat >F.n; mv F.n F', stdin=lines(l10="agent", l20="agent").encode())
    assert "can be merged" in refused(w)
    apply(w, "merge")
    assert w.read("F") == lines(l5="user", l10="agent", l20="agent")
    check_same(w)


def test_by_default_and_as_configured(w):
    """A clean merge is what apply does unless told otherwise: on its line, or in the configuration."""
    directory = os.path.join(w.home, ".config", "shadow")
    os.makedirs(directory)

    def configured(text):
        with open(os.path.join(directory, "config.toml"), "w", encoding="utf-8") as file:
            file.write(text)

    known(w)
    w.run("sed", "-i", "s/^20$/agent/", "F")
    w.wait_settled()
    w.write("F", lines(l5="user"))
    here = f'[project."{w.project}"]\n'
    for stops in ('on_conflict = "stop"', here + 'on-conflict = "stop"',
                  f'on_conflict = "skip"\n{here}on_conflict = "stop"'):
        configured(stops)
        assert "can be merged" in refused(w, None)
    for wrong, hint in (('"merg"', 'did you mean "merge"?'), ('"theirs"', ""), ("3", "")):
        configured(f"on_conflict = {wrong}")
        done = apply(w, check=False)
        assert done.returncode == 2 and "config.toml' line 1" in done.err and hint in done.err, done.err
    configured('on_conflict = "stop"')
    assert "to be merged" in w.shadow("apply", "-n", "--on-conflict=merge").out
    configured("")
    apply(w)
    assert w.read("F") == lines(l5="user", l20="agent")
    check_same(w)


def test_first_timing_trap(w):
    """Agent saves by rename, user edits, agent saves by rename again: the user's edit is not lost."""
    w.write("F", lines())
    w.run("sed", "-i", "s/^10$/agent 10/", "F")
    w.wait_settled()
    w.write("F", lines(l5="user"))
    w.run("sed", "-i", "s/^20$/agent 20/", "F")
    refused(w)
    apply(w, "merge")
    assert w.read("F") == lines(l5="user", l10="agent 10", l20="agent 20")
    check_same(w)


def test_second_timing_trap(w):
    """Agent reads, user edits, agent writes in place: merged or refused, never silently undone."""
    w.write("F", lines())
    w.run("true")
    w.wait_settled()
    w.write("F", lines(l5="user"))
    w.run("sh", "-c", "cat >F", stdin=lines(l20="agent").encode())
    refused(w)
    assert w.read("F") == lines(l5="user")


def test_every_order(w):
    """Edits of both sides in every order: merged with both in it, or refused where the agent wrote the file without an
    edit that its view had; never one lost."""
    first_user = lines(l5="user")
    both_user = lines(l5="user", l7="user too")
    orders = ["ua", "au", "uau", "aua", "uua", "aau", "auu", "auau"]
    for order in orders:
        known(w)
        user = agent = 0
        for who in order:
            if who == "u":
                user += 1
                edit_user(w, first_user if user == 1 else both_user)
            else:
                agent += 1
                edit_agent(w, lines(l20="agent") if agent == 1 else lines(l20="agent", l25="agent"))
        took_back = "takes a change of the project's back" in refused(w)
        assert took_back == (order in ("ua", "uua")), order
        if took_back:
            continue
        apply(w, "merge")
        text = w.read("F")
        for word in ["user", "agent"]:
            assert word in text, (order, text)
        assert ("user too" in text) == (user == 2), (order, text)
        check_same(w)


def test_second_round(w):
    """After an apply both sides edit again, and that is merged too."""
    known(w)
    edit_agent(w, lines(l20="agent"))
    apply(w)
    check_same(w)
    edit_agent(w, lines(l20="agent", l25="agent"))
    edit_user(w, lines(l20="agent", l5="user"))
    refused(w)
    apply(w, "merge")
    assert "agent" in w.read("F") and "user" in w.read("F")
    check_same(w)
    # And after the merge once more.
    edit_agent(w, w.read("F").replace("28\n", "agent 28\n"))
    edit_user(w, w.read("F").replace("1\n2\n", "user 1\n2\n", 1))
    apply(w, "merge")
    text = w.read("F")
    assert "agent 28" in text and "user 1" in text and "user\n" in text
    check_same(w)


def test_edit_after_a_merge(w):
    """After a merge the session starts from what came of it: its next edit is no conflict."""
    known(w)
    w.run("sed", "-i", "s/^20$/agent/", "F")
    w.shadow("diff")
    w.write("F", lines(l5="user"))
    apply(w, "merge")
    w.run("sed", "-i", "s/^25$/again/", "F")
    apply(w)
    assert w.read("F") == lines(l5="user", l20="agent", l25="again")
    # The same of an edit that the view could not show while the session's own version hid it.
    w.run("sed", "-i", "s/^28$/more/", "F")
    w.shadow("diff")
    w.write("F", lines(l5="user", l10="mine", l20="agent", l25="again"))
    apply(w, "merge")
    w.write("F", w.read("F").replace("mine", "theirs"))
    w.run("sed", "-i", "s/^29$/last/", "F")
    apply(w, "stop")
    assert w.read("F") == lines(l5="user", l10="theirs", l20="agent", l25="again", l28="more", l29="last")
    check_same(w)


def test_both_add(w):
    """Both sides add a file of one name: a conflict, unless it is the same."""
    w.run("true")
    w.wait_settled()
    w.run("sh", "-c", "echo agent >'new\nline'; echo same >same")
    w.wait_settled()
    w.write("new\nline", "user\n")
    w.write("same", "same\n")
    assert "added on both sides" in refused(w)
    assert "added on both sides" in refused(w, "merge")
    apply(w, "markers")
    text = w.read("new\nline")
    assert "<<<<<<< project\nuser\n" in text and ">>>>>>> session: default\n" in text
    check_same(w)


def test_user_deletes_agent_edits(w):
    """A file that the user deleted and the agent edited: a conflict; theirs brings it back."""
    known(w)
    edit_agent(w, lines(l20="agent"))
    os.unlink(w.path("F"))
    assert "deleted in the project" in refused(w)
    refused(w, "merge")
    refused(w, "markers")
    kept = apply(w, "ours")
    assert not os.path.exists(w.path("F")) and "F" in kept.out
    apply(w, "theirs")
    assert w.read("F") == lines(l20="agent")
    check_same(w)


def test_agent_deletes_user_edits(w):
    """A file that the agent deleted and the user edited: a conflict; ours keeps it."""
    known(w, G="g\n")
    w.run("rm", "F", "G")
    w.wait_settled()
    edit_user(w, lines(l5="user"))
    assert "deleted in the session" in refused(w)
    refused(w, "merge")
    apply(w, "ours")
    assert w.read("F") == lines(l5="user") and not os.path.exists(w.path("G"))
    assert "1 conflict" in w.shadow("status").out
    apply(w, "theirs")
    assert not os.path.exists(w.path("F"))
    check_same(w)
    w.shadow("undo")
    assert w.read("F") == lines(l5="user")


def test_deleted_directory(w):
    """A directory that the agent deleted while the user worked in it stays with the user's work."""
    w.write("d/a", "a\n")
    w.write("d-x", "x\n")
    w.write("d/b", "b\n")
    w.run("rm", "-r", "d", "d-x")
    w.wait_settled()
    w.write("d/b", "user\n")
    w.write("d/new", "user\n")
    refused(w)
    refused(w, "markers")
    apply(w, "ours")
    assert sorted(os.listdir(w.path("d"))) == ["b", "new"]
    assert w.read("d/b") == "user\n"
    assert not os.path.exists(w.path("d-x"))


def test_vanished_directory(w):
    """A directory that the user deleted is not made again for a file that stays away."""
    w.write("d/a", "a\n")
    w.write("other", "o\n")
    w.run("sh", "-c", "echo agent >>d/a; echo agent >>other")
    w.wait_settled()
    shutil.rmtree(w.path("d"))
    refused(w)
    apply(w, "ours")
    assert not os.path.exists(w.path("d")) and w.read("other") == "o\nagent\n"
    apply(w, "theirs")
    assert w.read("d/a") == "a\nagent\n"
    check_same(w)


def test_rename_carries_the_edit(w):
    """The agent renames and edits a file that the user edits: the edit is in the renamed file."""
    w.write("old name", lines())
    w.run("sh", "-c", "mv 'old name' -- x-new; sed -i 's/^20$/agent/' -- x-new")
    w.wait_settled()
    w.write("old name", lines(l5="user"))
    assert "it became x-new and can be merged" in w.shadow("status").out
    refused(w)
    apply(w, "merge")
    assert w.read("x-new") == lines(l5="user", l20="agent")
    assert not os.path.exists(w.path("old name"))
    check_same(w)
    w.shadow("undo")
    assert w.read("old name") == lines(l5="user") and not os.path.exists(w.path("x-new"))


def test_half_of_a_rename(w):
    """Of a file that the agent renamed, the old name alone may be applied: the new one is no conflict then."""
    w.write("F", lines())
    w.sh("mv F x")
    w.wait_settled()
    apply_one = w.shadow("apply", "--yes", "--", "F")
    assert apply_one.out.startswith("applied 1 change"), apply_one.out
    assert "conflict" not in w.shadow("status").out
    apply(w)
    check_same(w)
    assert w.read("x") == lines()


def test_rename_that_clashes(w):
    """A rename whose edit clashes with the user's stops; ours keeps the old file as well."""
    w.write("a", lines())
    w.run("sh", "-c", "mv a b; sed -i 's/^5$/agent/' b")
    w.wait_settled()
    w.write("a", lines(l5="user"))
    assert "the same lines" in refused(w, "merge")
    apply(w, "ours")
    assert w.read("a") == lines(l5="user") and w.read("b") == lines(l5="agent")


def test_one_side_only(w):
    """What one side alone changed never conflicts, whatever the other changed elsewhere."""
    known(w, "mine", "yours", "touched")
    edit = "sed -i s/^20$/agent/ "
    w.sh(edit + "mine; touch yours touched")
    w.wait_settled()
    w.write("yours", lines(l5="user"))
    os.utime(w.path("mine"))
    os.utime(w.path("touched"))
    apply(w)
    assert w.read("mine") == lines(l20="agent")
    assert w.read("yours") == lines(l5="user")


def test_live_session(w):
    """A merge while a run is live, and young: it has what was merged at once, and writes on in that."""
    known(w)
    edit_agent(w, lines(l20="agent"))
    live = w.start("run", "--", "sh", "-c", "read line; sed -i s/^25$/later/ F", stdin=-1)
    try:
        edit_user(w, lines(l5="user"))
        apply(w, "merge")
        assert w.read("F") == lines(l5="user", l20="agent")
        assert w.shadow("diff").out == ""
    finally:
        live.communicate(b"go\n", timeout=30)
    w.wait_settled()
    apply(w, "stop")
    assert w.read("F") == lines(l5="user", l20="agent", l25="later")
    check_same(w)


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
