# SPDX-License-Identifier: MIT
"""What was shown of commits and branches binds an apply, as what was shown of files does."""

import os
import sys

import harness
from dialogue import Terminal, lines
from shows import REFUSED, edit, project


def test_branch(w):
    """A new branch does not get what changed after it was shown either."""
    project(w)
    edit(w, "f", "g")
    w.shadow("diff")
    edit(w, "f", text="other")
    done = w.shadow("apply", "--branch", "b", "-m", "x", check=False)
    assert done.returncode == REFUSED and "'f' (" in done.err and "--unseen" in done.err, done.err
    assert w.git("branch", "--list", "b").stdout == b""
    w.shadow("apply", "--branch", "b", "-m", "x", "--unseen")
    assert w.git("show", "b:f").stdout.decode() == lines(l2="other")


def test_question_of_commits(w):
    """The question on a terminal says of how many refs the commits were never shown."""
    project(w)
    w.sh("echo x >>f; git commit -qam one; git branch topic")
    for words, said in (((), "(none of it was ever shown)"), (("diff",), "(the commits of 2 refs were never shown)"),
                        (("diff", "--commits", "-p"), "project? ")):
        w.shadow(*words or ("status",))
        terminal = Terminal(w, "apply")
        shown = terminal.until("[y/N] ")
        assert said in shown and ("shown)" in shown) == ("shown)" in said), (words, shown)
        os.write(terminal.fd, b"n\n")
        terminal.end()


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
