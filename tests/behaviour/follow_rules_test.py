# SPDX-License-Identifier: MIT
"""What is followed where that is not plain: directories that an ordinary user may not look into, other rules of what
git ignores."""

import os
import sys
import time

import harness
from applies import lines
from following import followed, save, seen
from harness import NotHere
from live_server import server
from moves import listed


def ordinary():
    if os.geteuid() == 0:
        raise NotHere("root may look into every directory")


def test_of_the_project(w):
    """A live run sees your saves beside a directory of yours that may be listed and not entered."""
    ordinary()
    w.git_project({"d/x": "1\n", "f": "1\n"})
    os.chmod(w.path("d"), 0o644)
    try:
        with server(w) as run:
            assert run.do("cat f") == "1\n"
            followed(w)
            save(w.path("f"), "2\n")
            seen(run, "cat f", "2\n")
    finally:
        os.chmod(w.path("d"), 0o755)


def test_of_the_run(w):
    """And beside one that the run has shut, also at what was applied."""
    ordinary()
    w.git_project({"d/x": "1\n", "f": "1\n", "g": "1\n"})
    with server(w) as run:
        run.do("cat g; echo agent >f; chmod 0 d; mkdir -m 0 locked")
        followed(w)
        w.shadow("apply", "--yes", "f")
        w.write("d/x", "2\n")
        save(w.path("f"), "2\n")
        save(w.path("g"), "2\n")
        seen(run, "cat f g", "2\n2\n")
        run.do("chmod 755 d locked")


def test_after_a_run(w):
    """What a run changed is known at its end as it is without such a directory."""
    ordinary()
    w.git_project({"f": "1\n"})
    w.run("true")
    w.wait_settled()
    w.write("new", lines())
    w.run("sh", "-c", "mkdir -m 0 locked; sed -i s/^20$/agent/ new")
    w.wait_settled()
    time.sleep(0.5)
    w.write("new", lines(l5="user"))
    listed(w, "  A  locked/\n  M  new  (changed in the project too, can be merged)")
    w.run("chmod", "755", "locked")


def test_no_longer_ignored(w):
    """What git ignores no more, by an edit or on another branch, is followed from then on."""
    w.git_project({".gitignore": "gen/\nold/\n", "f": "1\n"})
    for name in ("gen/a", "old/a"):
        w.write(name, "1\n")
    with server(w) as run:
        assert run.do("cat gen/a old/a") == "1\n1\n"
        followed(w)
        w.write(".gitignore", "old/\n")
        time.sleep(harness.TIME_FACTOR)
        assert run.do("cat gen/a") == "1\n"
        save(w.path("gen/a"), "2\n")
        seen(run, "cat gen/a", "2\n")
        w.git("checkout", "-qb", "none")
        w.git("rm", "-qf", ".gitignore")
        w.git("commit", "-qm", "none")
        time.sleep(harness.TIME_FACTOR)
        assert run.do("cat old/a") == "1\n"
        save(w.path("old/a"), "2\n")
        seen(run, "cat old/a", "2\n")


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
