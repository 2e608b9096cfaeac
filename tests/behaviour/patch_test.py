# SPDX-License-Identifier: MIT
"""apply -p and discard -p: driven by a pipe and on a terminal, in every disturbance."""

import os
import re
import signal
import subprocess
import sys

import harness
from dialogue import Terminal, lines, wait_for_question
from harness import fingerprint, wait_until

ODD = "a b\n\x1b[31m"


def change(w, name):
    """A run that changes the lines 2, 4 and 25: two hunks, the first of which can be split."""
    w.run("sed", "-i", "-e", "2s/.*/two/", "-e", "4s/.*/four/", "-e", "25s/.*/late/", name)


def project(w, name="f"):
    w.git_project({name: lines(), "del": "gone\n", "other": "1\n"})
    change(w, name)


def test_pipe(w):
    """Hunks are taken and left by answers from a pipe; the next diff is the rest."""
    project(w)
    done = w.shadow("apply", "-p", stdin=b"s\ny\nn\ny\n")
    assert "Split into 2 hunks." in done.out and "applied 1 change" in done.out, done.out
    assert w.read("f") == lines(l2="two", l25="late")
    rest = w.shadow("diff").out
    assert re.findall(r"^[-+][^-+].*$", rest, re.M) == ["-line 4", "+four"], rest
    assert w.run("cat", "f").out == lines(l2="two", l4="four", l25="late")


def test_refused_stays_away(w):
    """What was refused does not arrive with a later apply of other paths."""
    project(w)
    w.sh("rm del; echo 2 >other; mkdir n; echo 1 >n/x")
    w.shadow("apply", "-p", stdin=b"n\nn\ny\nn\nn\n")
    w.shadow("apply", "--yes", "other")
    assert w.read("del") == "gone\n" and w.read("other") == "2\n"
    assert w.read("f") == lines(l25="late") and not os.path.exists(w.path("n"))
    names = w.shadow("diff", "--name-status").out
    assert names == "D\tdel\nM\tf\nA\tn/x\n", names
    w.shadow("apply", "--yes")
    assert w.read("f") == lines(l2="two", l4="four", l25="late")
    assert not os.path.exists(w.path("del")) and w.read("n/x") == "1\n"
    assert w.shadow("diff").out == ""


def test_end_of_input(w):
    """The end of input refuses the rest, and nothing at all is written when nothing was taken."""
    project(w)
    before = fingerprint(w.project)
    done = w.shadow("apply", "-p", check=False)
    assert done.returncode == 1 and "nothing was written" in done.err, done.err
    done = w.shadow("discard", "-p", check=False)
    assert done.returncode == 1 and "nothing was discarded" in done.err, done.err
    assert fingerprint(w.project) == before


def test_undo(w):
    """One apply of parts of several files is one transaction, and is taken back as one."""
    project(w)
    w.sh("rm del; chmod 755 other")
    w.shadow("apply", "-p", stdin=b"y\ny\nn\ny\n")
    assert w.read("f") == lines(l2="two", l4="four") and os.access(w.path("other"), os.X_OK)
    w.shadow("undo")
    assert w.read("f") == lines() and w.read("del") == "gone\n"
    assert not os.access(w.path("other"), os.X_OK)
    w.shadow("apply", "--yes")
    assert w.read("f") == lines(l2="two", l4="four", l25="late")


def test_terminal(w):
    """On a terminal one is asked and answers; no text of the agent's steers the screen."""
    project(w, ODD)
    w.run("sh", "-c", "printf 'evil\\033]0;title\\007\\n' >>\"$0\"", ODD)
    terminal = Terminal(w, "apply", "-p")
    terminal.answer("n")
    terminal.until("@@")
    shown = terminal.until("(2/2) Apply this hunk to the project [y,n,q,a,d,K,g,/,s,e,?]")
    assert "evil\\x1b]0;title\\x07" in shown and "\x1b]0" not in shown, shown
    os.write(terminal.fd, b"y\n")
    rest, status = terminal.end()
    assert status == 0 and "applied 1 change" in rest, rest
    assert w.read(ODD) == lines(l25="late") + "evil\x1b]0;title\x07\n"


def test_interrupt(w):
    """Ctrl-C at a question writes nothing and leaves the session as it is."""
    project(w)
    before = fingerprint(w.project)
    for command in ("apply", "discard"):
        terminal = Terminal(w, command, "-p")
        terminal.answer("y")
        terminal.until("]? ")
        os.write(terminal.fd, b"\x03")
        _, status = terminal.end()
        assert status == -signal.SIGINT, status
    assert fingerprint(w.project) == before
    assert w.run("cat", "f").out == lines(l2="two", l4="four", l25="late")


def test_editor(w):
    """`e` starts the user's editor on the terminal, and never one that the project names."""
    project(w)
    w.git("config", "core.editor", f"touch {w.path('canary')}; false")
    editor = os.path.join(w.tmp, "an editor")
    with open(editor, "w", encoding="utf-8") as f:
        f.write("#!/bin/sh\ntest -t 0 && sed -i 's/^+late/+by hand/' \"$1\"\nls -ld \"${1%/*}\"\n")
    os.chmod(editor, 0o755)
    terminal = Terminal(w, "apply", "-p", env={"EDITOR": f"'{editor}'"})
    terminal.answer("n")
    terminal.answer("e")
    rest, status = terminal.end()
    assert status == 0 and "drwx------" in rest, rest
    assert w.read("f") == lines(l25="by hand")
    assert not os.path.exists(w.path("canary"))
    assert "+late" in w.shadow("diff").out and "-by hand" in w.shadow("diff").out


def test_user_edits_while_asked(w):
    """An edit of the real file between question and answer is a conflict, or has me try again, and nothing is
    lost."""
    project(w)
    asked = w.start("apply", "-p", stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE)
    wait_for_question(asked)
    w.write("f", "mine\n")
    _, err = asked.communicate(b"y\ny\n", timeout=60)
    assert asked.returncode in (3, 4) and b"'f'" in err, (asked.returncode, err)
    assert w.read("f") == "mine\n"
    assert w.run("cat", "f").out == lines(l2="two", l4="four", l25="late")


def test_agent_writes_while_asked(w):
    """What a run writes between question and answer is not written by an apply, which writes what it
    showed, and is not dropped either; all of it is in the session still."""
    w.git_project({"f": lines(), "new": "old\n"})
    for command in ("apply", "discard"):
        w.shadow("discard", "--yes", check=False)
        change(w, "f")
        w.sh("echo seen >new" if command == "apply" else "echo again >new")
        asked = w.start(command, "-p", "new", stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE)
        wait_for_question(asked)
        w.sh("echo unseen >new")
        _, err = asked.communicate(b"y\n", timeout=60)
        if command == "discard":
            assert asked.returncode in (2, 4) and b"'new'" in err, (asked.returncode, err)
            assert w.read("new") == "seen\n"
        else:
            assert asked.returncode == 0, (asked.returncode, err)
            assert w.read("new") == "seen\n"
            assert "-seen\n+unseen\n" in w.shadow("diff", "new").out
        assert w.run("cat", "new").out == "unseen\n"


def test_conflicts_and_sensitive(w):
    """A path that drifted and a sensitive one are refused before any question."""
    project(w)
    w.sh("echo 'x: 1' >.envrc")
    done = w.shadow("apply", "-p", check=False, stdin=b"y\n" * 9)
    assert done.returncode == 4 and ".envrc (" in done.err and done.out == "", done.err
    done = w.shadow("apply", "-p", "--allow-sensitive", "--dry-run", stdin=b"y\n" * 9)
    assert ".envrc" in done.out
    w.write("f", "mine\n")
    done = w.shadow("apply", "-p", "--skip-sensitive", check=False, stdin=b"y\n" * 9)
    assert done.returncode == 3 and "'f'" in done.err and done.out == "", done.err
    assert w.read("f") == "mine\n" and not os.path.exists(w.path(".envrc"))


def both_edit(w):
    """The agent edits lines 2, 4 and 25 of f and line 2 of g, the user line 15 of f and line 2 of g."""
    w.git_project({"f": lines(), "g": lines(), "h": lines()})
    change(w, "f")
    w.run("sed", "-i", "2s/.*/two/", "g", "h")
    w.wait_settled()
    w.write("f", lines(l15="user"))
    w.write("g", lines(l2="user"))


def test_both_sides(w):
    """What the user edited too is offered as the hunks of the merge, against the real file; a
    conflict is left out and said, and stops nothing else."""
    both_edit(w)
    asked = w.shadow("apply", "-p", stdin=b"y\nn\ny\n")
    assert "-user" not in asked.out and "+user" not in asked.out and " user" not in asked.out
    assert "'g' (the same lines" in asked.err, asked.err
    assert w.read("f") == lines(l2="two", l4="four", l15="user")
    assert w.read("g") == lines(l2="user") and w.read("h") == lines(l2="two")
    # The rest goes with the user's edit, and with later ones.
    w.write("f", lines(l2="two", l4="four", l15="user", l10="later"))
    w.shadow("apply", "-p", "f", stdin=b"y\n")
    assert w.read("f") == lines(l2="two", l4="four", l15="user", l10="later", l25="late")
    assert "f\n" not in w.shadow("diff", "--name-only").out
    assert w.run("cat", "f").out == w.read("f")
    done = w.shadow("apply", "-p", "g", check=False)
    assert done.returncode == 3 and "nothing was written" in done.err, done.err


def test_both_sides_and_undone(w):
    """An undo of a part of a merge leaves the user's edit, and the session's change can be had again."""
    both_edit(w)
    w.shadow("apply", "-p", "f", stdin=b"y\nn\n")
    assert w.read("f") == lines(l2="two", l4="four", l15="user")
    w.shadow("undo")
    assert w.read("f") == lines(l15="user")
    w.shadow("apply", "--yes", "--on-conflict=merge", "f")
    assert w.read("f") == lines(l2="two", l4="four", l15="user", l25="late")


def test_refused_part_of_a_merge(w):
    """Refused, a merge writes nothing; taken whole it is the merge."""
    both_edit(w)
    before = fingerprint(w.project)
    assert w.shadow("apply", "-p", "f", stdin=b"n\nn\n", check=False).returncode == 1
    assert fingerprint(w.project) == before
    w.shadow("apply", "-p", "f", stdin=b"a\n")
    assert w.read("f") == lines(l2="two", l4="four", l15="user", l25="late")
    assert w.run("cat", "f").out == w.read("f")


def test_live(w):
    """While a run goes on parts are applied, and dropped, with its end only where that is asked for."""
    project(w)
    run = w.start("run", "--", "sh", "-c", "touch started; sleep 30")
    wait_until(lambda: "started" in w.shadow("diff", "--name-only").out, what="the run")
    w.shadow("apply", "-p", "f", stdin=b"n\ny\n")
    assert w.read("f") == lines(l25="late")
    assert w.run("cat", "f").out == lines(l2="two", l4="four", l25="late")
    w.sh("echo n >new")
    w.shadow("discard", "-p", "new", stdin=b"y\n")
    assert run.poll() is None and "new" not in w.run("ls").out
    w.shadow("discard", "-p", "--kill", "f", stdin=b"y\n")
    run.wait(timeout=20)
    assert w.run("cat", "f").out == lines(l25="late")
    assert w.read("f") == lines(l25="late")


def test_discard(w):
    """What is dropped leaves the session, the rest stays, and the project is not touched."""
    project(w)
    w.shadow("log")  # settles: what runs of the same few milliseconds wrote cannot be told apart
    w.sh("rm del; mkdir -p new/sub; echo 1 >new/sub/x; chmod 600 f; echo 2 >other; ln other hard")
    before = fingerprint(w.project)
    done = w.shadow("discard", "-p", stdin=b"y\ny\nn\ny\nn\ny\n")
    assert fingerprint(w.project) == before
    assert done.out.endswith("discarded 4 parts\n"), done.out
    assert w.run("cat", "del").out == "gone\n"
    view = w.sh("cat f; stat -c %a f; test -e new; echo $?; cat other hard").out
    assert view == lines(l2="two", l4="four") + "644\n1\n2\n2\n", view
    w.shadow("discard", "-p", stdin=b"a\n" * 9)
    assert w.shadow("diff").out == "" and "no changes" in w.shadow("status").out
    assert w.shadow("log", "f").out.count("\n") == 2


def test_discard_after_a_drift(w):
    """Dropping a hunk of a file that the user edited too does not touch what the session has of it."""
    project(w)
    w.shadow("status")  # the base is recorded once the run has been settled
    w.write("f", lines(l15="mine"))
    done = w.shadow("discard", "-p", "f", stdin=b"y\nn\n")
    assert "mine" not in done.out, done.out
    assert w.run("cat", "f").out == lines(l25="late")
    assert "1 to be merged" in w.shadow("status").out
    assert w.shadow("apply", "--yes", "--on-conflict=stop", check=False).returncode == 3
    w.shadow("discard", "-p", "f", stdin=b"y\n")
    assert w.run("cat", "f").out == w.read("f") == lines(l15="mine")
    assert w.shadow("diff").out == ""


def test_modes(w):
    """A mode that git does not know is offered and said too."""
    project(w)
    w.sh("chmod 710 f; chmod 600 other")
    done = w.shadow("apply", "-p", stdin=b"y\nn\nn\ny\n")
    assert "(mode 644 became 710)" in done.out and "(mode 644 became 600)" in done.out, done.out
    assert os.stat(w.path("f")).st_mode & 0o777 == 0o710 and w.read("f") == lines()
    assert os.stat(w.path("other")).st_mode & 0o777 == 0o600


def test_hard_links(w):
    """Of a file with two names one may be taken in part; the other is not what was refused."""
    w.git_project({"f": lines(), "z": "z\n"})
    w.sh("ln f g; for n in 2 4 25; do sed \"${n}s/.*/x$n/\" f >t; cat t >f; done; rm t")
    done = w.shadow("apply", "-p", stdin=b"n\ny\ny\n")
    assert w.read("f") == lines(l25="x25"), done.out
    assert w.read("g") == lines(l2="x2", l4="x4", l25="x25"), done.out
    w.shadow("apply", "--yes")
    assert w.read("f") == w.read("g")


def test_large_and_odd(w):
    """Binary files, links, empty and unreadable files are offered as a whole."""
    w.git_project({"bin": b"\0a", "empty": "", "f": "1\n"})
    w.sh("printf '\\0b' >bin; ln -s f link; rm empty; mkfifo pipe; echo 2 >f; chmod 000 f")
    done = w.shadow("apply", "-p", stdin=b"y\n" * 9)
    assert done.out.count("]? y") == 6, done.out
    assert os.readlink(w.path("link")) == "f" and not os.path.exists(w.path("empty"))
    assert os.stat(w.path("f")).st_mode & 0o777 == 0
    assert w.shadow("diff").out == ""


def test_a_mode_that_stays(w):
    """What diff and status say of a mode is what an apply would change: yours stays where you alone have set it."""
    w.git_project({"f": "1\n"})
    w.shadow("run", "--", "sh", "-c", "echo 2 >>f")
    w.wait_settled()
    os.chmod(w.path("f"), 0o600)
    diff = w.shadow("diff")
    assert "+2" in diff.out and "mode" not in diff.out + diff.err + w.shadow("status").out
    w.shadow("apply", "--yes")
    assert os.stat(w.path("f")).st_mode & 0o777 == 0o600


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
