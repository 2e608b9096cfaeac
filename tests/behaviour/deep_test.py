# SPDX-License-Identifier: MIT
"""Directories nested as deep as a path goes."""

import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import harness  # noqa: E402


def test_deep_tree_is_taken_back(w):
    """What an undo gives back to the session takes time by the number of paths, not by the square of their depth."""
    w.sh("""python3 -c 'import os
for i in range(500):
    os.mkdir("d"); os.chdir("d"); open("z", "w").close()'""")
    w.wait_settled()
    w.shadow("apply", "--yes")
    w.wait_settled()
    begun = time.time()
    w.shadow("undo")
    taken = time.time() - begun
    assert w.shadow("status").out.count("\n") > 0
    again = time.time()
    w.shadow("apply", "--yes")
    assert taken < 5 + 4 * (time.time() - again), taken


def test_deep_tree_is_reviewed(w):
    """Nor does a review look at all that is above for each path anew."""
    w.sh("""python3 -c 'import os
for i in range(2000):
    os.mkdir("d"); os.chdir("d"); open("y", "w").close(); open("z", "w").close()'""")
    w.wait_settled()
    process = w.start("status", stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    taken = used.ru_utime + used.ru_stime
    assert taken < 5 * harness.TIME_FACTOR, taken


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
