# SPDX-License-Identifier: MIT
"""Edits that a session has read, or has not."""

import harness
from applies import CONFLICT


def apply(w, *words, check=True):
    return w.shadow("apply", "--yes", *words, check=check)


def refused(w, *words):
    before = harness.fingerprint(w.project)
    done = apply(w, *words, check=False)
    assert done.returncode == CONFLICT and harness.fingerprint(w.project) == before, (done.out, done.err)
    return done.err


def tick():
    """Files' times are those of a clock that stands still for some milliseconds."""
    harness.time.sleep(0.03)


def begin(w, files, git=True):
    """A session whose first run has read the files; what they were is recorded."""
    if git:
        w.git_project(files)
    else:
        for name, text in files.items():
            w.write(name, text)
    tick()
    w.run("sh", "-c", "find . -name .git -prune -o -type f -exec cat {} +")
    w.wait_settled()
    tick()


def by_user(w, name, text):
    w.write(name, text)
    tick()


def by_agent(w, name, text):
    """A run that writes the file whole, as an editor does."""
    w.run("sh", "-c", 'cat >"$0.n" && mv -- "$0.n" "$0"', "./" + name, stdin=text.encode())
    w.wait_settled()
    tick()
