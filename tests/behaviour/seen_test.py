# SPDX-License-Identifier: MIT
"""Which of the user's edits the session can have seen, and what follows from that for an apply."""

import os
import sys

import harness
from applies import CONFLICT, lines
from seen_edits import apply, begin, by_agent, by_user, refused, tick


def same(w, name, text):
    assert w.read(name) == text, w.read(name)
    assert w.shadow("diff").out == "" and w.run("cat", name).out == text


def test_agent_goes_on_from_the_users_edit(w):
    """You edit, the next run changes that very line: its version is applied, and status says so."""
    begin(w, {"f": lines(), "g": lines()})
    by_user(w, "f", lines(l5="five"))
    by_agent(w, "f", lines(l5="FIVE"))
    by_user(w, "g", lines(l5="five"))
    by_agent(w, "g", lines(l5="five", l20="agent"))
    status = w.shadow("status").out
    assert "replaces what the project changed" in status and "conflict" not in status, status
    patch = w.shadow("diff", "f").out
    assert "-five" in patch and "+FIVE" in patch and "-5" not in patch.split("\n"), patch
    assert "replaces what the project changed" in refused(w, "--on-conflict=stop")
    apply(w)
    same(w, "f", lines(l5="FIVE"))
    same(w, "g", lines(l5="five", l20="agent"))


def test_written_from_memory(w):
    """You edit line 5, a later run writes the file as it was with a new line 20: nobody can tell
    whether the old line 5 was meant, so the apply stops and says why; either side can be taken."""
    for name, how, wanted in (("f", "ours", lines(l5="user")), ("g", "theirs", lines(l20="agent"))):
        begin(w, {name: lines()})
        by_user(w, name, lines(l5="user"))
        by_agent(w, name, lines(l20="agent"))
        assert "takes a change of the project's back" in refused(w)
        assert "apply -p" in refused(w, "--on-conflict=stop")
        assert "takes a change" in w.shadow("status").out
        apply(w, "--on-conflict=" + how)
        assert w.read(name) == wanted
        w.shadow("discard", "--yes")


def test_taken_back_in_part(w):
    """`apply -p` asks about each place where the session takes your edit back; what you refuse does
    not come with the next apply either."""
    begin(w, {"f": lines()})
    by_user(w, "f", lines(l5="user"))
    by_agent(w, "f", lines(l20="agent"))
    done = w.shadow("apply", "-p", stdin=b"n\ny\n")
    assert "-user" in done.out and "+agent" in done.out, done.out
    assert w.read("f") == lines(l5="user", l20="agent")
    apply(w)
    assert w.read("f") == lines(l5="user", l20="agent")
    w.shadow("refresh")
    same(w, "f", lines(l5="user", l20="agent"))


def test_changed_and_changed_back(w):
    """What you change and change back counts as unchanged: what a run made of what was there in between is written
    without it."""
    begin(w, {"f": lines()})
    by_user(w, "f", lines(l5="user"))
    by_agent(w, "f", lines(l5="user", l20="agent"))
    by_user(w, "f", lines())
    patch = w.shadow("diff").out.split("\n")
    assert "+user" not in patch and "+agent" in patch, patch
    apply(w)
    same(w, "f", lines(l20="agent"))


def test_line_that_is_gone_again(w):
    """A line that you put in and a later run wrote without: a conflict, wherever it stands."""
    for name, after, own in (("f", 5, {"l20": "agent"}), ("g", 5, {"l6": "agent"}),
                             ("h", 30, {"l1": "agent"})):
        begin(w, {name: lines()})
        by_user(w, name, lines(**{f"a{after}": "new"}))
        by_agent(w, name, lines(**own))
        assert "takes a change of the project's back" in refused(w), name
        w.shadow("discard", "--yes")


def test_written_before_the_users_edit(w):
    """A run writes, then you edit elsewhere: the two are merged, and nothing is asked."""
    begin(w, {"f": lines()})
    by_agent(w, "f", lines(l20="agent"))
    by_user(w, "f", lines(l5="user"))
    apply(w)
    same(w, "f", lines(l5="user", l20="agent"))


def test_hidden_since_before(w):
    """A file that the session has changed already hides your edit from it: what it writes next is
    merged, also when it is written later."""
    begin(w, {"f": lines()})
    by_agent(w, "f", lines(l20="agent"))
    by_user(w, "f", lines(l5="user"))
    by_agent(w, "f", lines(l20="agent", l25="later"))
    apply(w)
    same(w, "f", lines(l5="user", l20="agent", l25="later"))
    # The same once more, from what was applied.
    by_agent(w, "f", lines(l5="user", l20="again", l25="later"))
    by_user(w, "f", lines(l5="user", l20="agent", l25="later", l10="mine"))
    by_agent(w, "f", lines(l5="user", l20="again", l25="later", l28="last"))
    apply(w)
    same(w, "f", lines(l5="user", l20="again", l25="later", l10="mine", l28="last"))


def test_hidden_since_a_moment_before(w):
    """So it is where the runs follow each other at once, and you save in between."""
    begin(w, {"f": lines()})
    write = ["run", "--", "sh", "-c", 'cat >f.n && mv f.n f']
    w.shadow(*write, stdin=lines(l20="agent").encode())
    harness.time.sleep(0.1 * harness.TIME_FACTOR)
    w.write("f", lines(l5="user"))
    tick()
    w.shadow(*write, stdin=lines(l20="agent", l25="later").encode())
    w.wait_settled()
    apply(w)
    same(w, "f", lines(l5="user", l20="agent", l25="later"))


def test_while_a_run_is_live(w):
    """One run lives while you edit: what it wrote before is merged; what it wrote after is applied
    where it has your text, and else a conflict, because it may have read either."""
    begin(w, {"f": lines(), "g": lines(), "h": lines()})
    live = w.start("run", "--", "sh", "-c", "read go; sed -i s/^20$/agent/ f; echo done; read go; "
                   "cat g >/dev/null; sed -i s/^20$/agent/ g; "
                   "sed -i s/^user$/agent/ h; sed -i s/^5$/agent/ h; echo done; read end",
                   stdin=harness.subprocess.PIPE, stdout=harness.subprocess.PIPE)
    live.stdin.write(b"go\n")
    live.stdin.flush()
    assert live.stdout.readline() == b"done\n"
    tick()
    for name in "fgh":
        w.write(name, lines(l5="user"))
    tick()
    w.run("true")  # from now on the view has what the user wrote
    live.stdin.write(b"go\n")
    live.stdin.flush()
    assert live.stdout.readline() == b"done\n"
    assert "'h' (the same lines were changed on both sides)" in refused(w)
    apply(w, "--on-conflict=skip", check=False)
    assert w.read("f") == w.read("g") == lines(l5="user", l20="agent")
    assert w.read("h") == lines(l5="user")
    live.communicate(b"end\n")
    w.wait_settled()
    assert "'h'" in refused(w)
    apply(w, "--on-conflict=theirs")
    assert w.read("h") == lines(l5="agent")


def test_a_live_run_deletes_your_new_file(w):
    """A run that lives deletes a file, and later one that you have made meanwhile: that is a conflict, not nothing."""
    begin(w, {"f": lines(), "g": lines()})
    live = w.start("run", "--", "sh", "-c", "rm f; echo done; read go; rm new; echo done; read end",
                   stdin=harness.subprocess.PIPE, stdout=harness.subprocess.PIPE)
    assert live.stdout.readline() == b"done\n"
    tick()
    by_user(w, "new", "one\n")
    tick()
    w.run("cat", "new")  # from now on the view has it
    live.stdin.write(b"go\n")
    live.stdin.flush()
    assert live.stdout.readline() == b"done\n"
    assert "'new' (changed in the project, deleted in the session)" in refused(w)
    live.communicate(b"end\n")
    w.wait_settled()
    assert "'new' (changed in the project, deleted in the session)" in refused(w)
    apply(w, "--on-conflict=theirs")
    assert not os.path.exists(w.path("new"))


def test_new_in_the_project(w):
    """A file that you made after the session began, and that a later run went on from, is applied;
    one that it wrote anew is, too, and one that both made apart is a conflict."""
    begin(w, {"f": lines()})
    by_user(w, "new", "one\n")
    w.run("sh", "-c", "echo agent >>new")
    by_agent(w, "both", "agent\n")
    by_user(w, "both", "user\n")
    w.wait_settled()
    assert "'both' (added on both sides)" in refused(w)
    apply(w, "--on-conflict=skip", check=False)
    assert w.read("new") == "one\nagent\n" and w.read("both") == "user\n"


def test_not_text(w):
    """What cannot be merged as text is the session's where its run began after your change, and a
    conflict where it did not."""
    begin(w, {"later": "a\0b", "before": "a\0b", "back": "a\0b"})
    by_user(w, "later", "user\0")
    by_user(w, "back", "user\0")
    by_agent(w, "later", "agent\0")
    by_agent(w, "before", "agent\0")
    by_agent(w, "back", "a\0b")
    by_user(w, "before", "user\0")
    said = refused(w)
    assert "'back' (the session's version takes" in said and "'before'" in said, said
    assert "'later'" not in said, said
    apply(w, "later")
    assert w.read("later") == "agent\0"


def test_modes(w):
    """A mode that both changed is the session's where its run began after your change."""
    begin(w, {"f": lines(), "g": lines()})
    os.chmod(w.path("f"), 0o700)
    tick()
    w.run("chmod", "755", "f", "g")
    w.wait_settled()
    tick()
    os.chmod(w.path("g"), 0o700)
    assert "'g' (another mode on each side)" in refused(w)
    apply(w, "f")
    assert os.stat(w.path("f")).st_mode & 0o777 == 0o755


def test_what_one_side_changed(w):
    """git checkout, stash, an older copy with its times, touch and chmod between runs: what only one
    side changed is never a conflict, in any order."""
    begin(w, {"f": lines(), "g": lines(), "h": lines(), "k": lines()})
    w.git("config", "user.name", "u")
    w.git("config", "user.email", "u@h")
    w.write("f", lines(l1="other"))
    w.git("commit", "-qam", "second")
    w.git("checkout", "-q", "HEAD~1")
    tick()
    by_agent(w, "f", lines(l20="agent"))
    w.git("stash", "-q", check=False)
    w.git("checkout", "-q", "-")
    w.git("checkout", "-q", "HEAD~1")
    w.write("g", lines(l3="user"))
    os.utime(w.path("g"), (1_500_000_000, 1_500_000_000))
    tick()
    by_agent(w, "h", lines(l9="agent"))
    os.utime(w.path("h"))
    os.utime(w.path("k"))
    tick()
    w.run("touch", "k", "g")
    w.wait_settled()
    apply(w)
    assert w.read("f") == lines(l20="agent") and w.read("h") == lines(l9="agent")
    assert w.read("g") == lines(l3="user") and w.read("k") == lines()


def test_after_an_apply(w):
    """You edit what was applied, or take it back by git, and the next run goes on from that."""
    begin(w, {"f": lines(), "g": lines()})
    w.run("sh", "-c", "sed -i s/^5$/agent/ f; sed -i s/^5$/agent/ g")
    w.wait_settled()
    apply(w)
    tick()
    w.git("checkout", "f")
    by_user(w, "g", lines(l5="agent", l9="user"))
    w.run("sh", "-c", "sed -i s/^7$/next/ f; sed -i s/^20$/next/ g")
    w.wait_settled()
    apply(w)
    same(w, "f", lines(l7="next"))
    same(w, "g", lines(l5="agent", l9="user", l20="next"))


def test_refresh_renews_what_is_untouched(w):
    """`refresh` takes over all that you changed in what the session has not touched: a run that then
    writes the file whole has that as its base, and what it did touch keeps its own."""
    begin(w, {"f": lines(), "g": lines(), "gone": "x\n"})
    by_agent(w, "g", lines(l20="agent"))
    by_user(w, "f", lines(l5="user"))
    by_user(w, "new", lines(l6="user"))
    os.remove(w.path("gone"))
    tick()
    w.shadow("refresh")
    w.wait_settled()
    tick()
    # What was there before the refresh can be taken back on purpose.
    by_agent(w, "f", lines(l20="agent"))
    by_agent(w, "new", lines(l20="agent"))
    by_agent(w, "gone", "again\n")
    by_user(w, "g", lines(l5="user"))
    apply(w)
    assert w.read("f") == w.read("new") == lines(l20="agent")
    assert w.read("g") == lines(l5="user", l20="agent") and w.read("gone") == "again\n"


def test_refresh_keeps_conflicts(w):
    """What a refresh leaves because the two sides clash clashes afterwards, too."""
    begin(w, {"f": lines(), "gone": lines(), "both": "x\n"})
    by_agent(w, "f", lines(l5="agent"))
    by_agent(w, "gone", lines(l5="agent"))
    by_agent(w, "made", "agent\n")
    by_user(w, "f", lines(l5="user"))
    by_user(w, "made", "user\n")
    os.remove(w.path("gone"))
    tick()
    before = refused(w)
    assert all(f"'{name}'" in before for name in ("f", "gone", "made")), before
    w.shadow("refresh", check=False)
    w.wait_settled()
    after = refused(w)
    assert all(f"'{name}'" in after for name in ("f", "gone", "made")), after


def test_refresh_does_not_forget_what_was_seen(w):
    """You save by a rename, the agent takes your line away: still a conflict after a refresh of all else."""
    begin(w, {"f": lines()})
    w.write("f.n", lines(a5="user"))
    os.rename(w.path("f.n"), w.path("f"))
    tick()
    by_agent(w, "f", lines())
    refused(w)
    w.shadow("refresh", check=False)
    assert "takes a change of the project's back" in w.shadow("status").out, w.shadow("status").out
    refused(w)


def test_however_long_ago(w):
    """What a run read counts as known to the agent for as long as the session lives, whether it holds
    changes or not: only `refresh` or `discard` say that it starts from what the project is now."""
    begin(w, {"f": lines()})
    by_user(w, "f", lines(l5="user"))
    harness.time.sleep(3)
    w.run("true")
    w.wait_settled()
    harness.time.sleep(3)
    by_agent(w, "f", lines(l20="agent"))
    assert "takes a change of the project's back" in refused(w)


def test_runs_in_quick_succession(w):
    """What you save between runs in quick succession is not taken for seen: an apply stops, or merges all of it."""
    w.git_project({"f": lines()})
    os.unlink(w.path("f"))
    w.run("true")
    w.wait_settled()
    w.git("checkout", "-q", "f")
    w.run("true")
    w.sh("sed -i 's/^8$/8\\nagent 1/' f; sleep 0.03")
    by_user(w, "f", lines(a6="user"))
    w.sh("sed -i 's/^5$/5\\nagent 2/' f")
    told = apply(w, check=False).returncode, w.read("f")
    assert told in ((CONFLICT, lines(a6="user")), (0, lines(a5="agent 2", a6="user", a8="agent 1"))), told


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
