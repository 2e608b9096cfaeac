# SPDX-License-Identifier: MIT
"""What you delete of the agent's own is no conflict."""

import os
import sys
import time

import harness
from following import followed, seen
from live_server import server


def changes(w):
    listed = w.shadow("status").out.split("\n\n")
    return [] if "no changes" in listed[0] else [line.strip() for line in listed[1].splitlines()]


def test_your_deletion_of_its_empty_directories(w):
    """Empty directories that the agent made and you have applied are yours to delete: nothing is in conflict, and the run
    loses them. One that it makes once more is a change."""
    w.git_project({"z": "z\n"})
    with server(w) as run:
        followed(w)
        run.do("mkdir -p one deep/er")
        w.shadow("apply", "--yes")
        time.sleep(0.5 * harness.TIME_FACTOR)
        os.rmdir(w.path("one"))
        os.removedirs(w.path("deep/er"))
        seen(run, "ls", "z\n", 5)
        assert changes(w) == [], changes(w)
        run.do("mkdir one")
        assert changes(w) == ["A  one/"], changes(w)
    w.wait_settled()
    assert changes(w) == ["A  one/"], changes(w)
    w.shadow("apply", "--yes")
    assert os.path.isdir(w.path("one")) and not os.path.exists(w.path("deep"))


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
