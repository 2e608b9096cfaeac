# SPDX-License-Identifier: MIT
"""Both sides edit files; what the session has as their bases."""

import os
import shutil
import subprocess

import harness
from applies import apply, lines, refused


def begin(w, name="F"):
    """A run that only reads; the base tree is there afterwards."""
    w.run("cat", "--", name)
    w.wait_settled()


def write_in_view(w, name, text):
    """A run that writes the file whole, as from what an earlier one read."""
    data = text if isinstance(text, bytes) else text.encode()
    w.run("sh", "-c", 'cat >"$0.n" && mv -- "$0.n" "$0"', "./" + name, stdin=data)
    w.wait_settled()


def write_beside(w, name, text, by_user, afterwards=lambda: None, before=lambda: None):
    """A run writes the file whole, and the user does while that run goes on, before anything else
    looks at what it wrote: only what is known of the project tells what both started from."""
    data = text if isinstance(text, bytes) else text.encode()
    run = w.start("run", "--", "sh", "-c",
                  'head -c "$1" >"$0.n" && mv -- "$0.n" "$0" && echo written && read end',
                  "./" + name, str(len(data)),
                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    before()
    run.stdin.write(data)
    run.stdin.flush()
    assert run.stdout.readline() == b"written\n"
    harness.time.sleep(0.02)
    w.write(name, by_user)
    afterwards()
    run.communicate(b"end\n")
    w.wait_settled()


def edit_both(w, name="F"):
    """The agent writes line 20, and the user line 5."""
    write_beside(w, name, lines(l20="agent"), lines(l5="user"))


def merges(w, name="F"):
    assert "can be merged" in refused(w)
    apply(w, "merge")
    assert w.read(name) == lines(l5="user", l20="agent"), w.read(name)
    assert w.shadow("diff").out == ""


def old_files(w):
    """git trusts a file's times only when they are older than its index."""
    for folder, _, names in os.walk(w.project):
        if ".git" not in folder.split(os.sep):
            for name in names:
                os.utime(os.path.join(folder, name), (1_600_000_000, 1_600_000_000),
                         follow_symlinks=False)


def settled_git(w, files, *attributes):
    """A git project whose index says that all of its files are clean."""
    w.git("init", "-q", "-b", "main")
    for name, content in files.items():
        w.write(name, content)
    for words in attributes:
        w.git("config", *words)
    old_files(w)
    w.git("add", "-A")
    w.git("commit", "-qm", "begin")
    harness.time.sleep(0.02)
    w.git("update-index", "-q", "--refresh", check=False)
    # Written again, later than all of the files.
    w.git("update-index", "--force-write-index", check=False)
    w.git("status")


def base_tree(w):
    sessions = os.path.join(w.state, "sessions")
    if not os.path.isdir(sessions):
        return []
    return [name for name in os.listdir(sessions)
            if os.path.exists(os.path.join(sessions, name, "base-tree"))]


def remove(w):
    shutil.rmtree(w.path("g"))
