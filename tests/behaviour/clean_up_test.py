# SPDX-License-Identifier: MIT
"""What follows a large apply in the background holds nobody up, and may be killed."""

import json
import os
import signal
import sys

import harness


MANY = 400


def many_applied(w):
    """A session whose many changes were applied this very moment."""
    w.run("sh", "-c", f"mkdir new; for i in $(seq {MANY}); do echo agent >new/$i; done")
    w.shadow("apply", "--yes")


def upper_names(w):
    return [name for place, _, names in os.walk(os.path.join(w.state, "sessions"))
            for name in names if "/project/upper" in place]


def test_a_run_right_after_a_large_apply(w):
    """A run that is started while the session is still being cleaned up sees the project as it is."""
    many_applied(w)
    w.write("new/7", "user\n")
    assert w.run("cat", "new/7").out == "user\n"
    assert w.shadow("diff").out == ""
    w.wait_settled()
    assert upper_names(w) == []
    w.run("sh", "-c", "echo more >>new/8")
    w.shadow("apply", "--yes")
    assert w.read("new/7") == "user\n" and w.read("new/8") == "agent\nmore\n"


def test_apply_gives_its_caller_back(w):
    """Who reads what apply prints to its end does not wait for the clean-up, nor for its locks."""
    many_applied(w)
    for _ in range(3):
        w.run("sh", "-c", "for f in new/*; do echo more >>$f; done")
        assert "applied 400 changes" in w.shadow("apply", "--yes").out
        assert json.loads(w.shadow("status", "--json").out)["changes"] == []
    w.wait_settled()
    assert upper_names(w) == []


def test_clean_up_that_is_killed(w):
    """A clean-up that was killed is made good by the next command; nothing is lost or undone."""
    many_applied(w)
    for pid in w.processes():
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    assert w.shadow("diff").out == ""
    assert w.run("sh", "-c", "cat new/* | sort | uniq -c").out.split() == [str(MANY), "agent"]
    w.shadow("status")
    w.wait_settled()
    assert upper_names(w) == []
    assert w.read("new/9") == "agent\n"


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
