# SPDX-License-Identifier: MIT
"""Commits of the user that a live session sees."""

import re

import following

# Other suites are at work beside this one; how soon a save is seen is following's.
WITHIN = 3 * following.SEEN_WITHIN


def seen(run, script, wanted):
    following.seen(run, script, wanted, WITHIN)


def commit(w, name="f", n=1, what="user"):
    """A line of yours in a file, committed."""
    w.write(name, re.sub(f"(?m)^{n}$", what, w.read(name), count=1))
    w.git("commit", "-qam", f"{what} {n}")
