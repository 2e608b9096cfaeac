#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What reviews take of memory where a session has very many names. For the slow suite."""

import os
import resource
import subprocess
import sys
import tempfile

import harness
from runs import MAKE_MANY

MOST = 256 << 20  # what a command may take of a session of 100 000 changes

CHANGE_ALL = """
import os
for directory, _, files in os.walk("."):
    for name in files:
        with open(os.path.join(directory, name), "a") as f:
            f.write("changed\\n")
"""


def peak(w, *words, limit=None):
    """Runs a command, with so many bytes of data at most; returns its status, stderr and peak of memory."""
    def bound():
        if limit:
            resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))

    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        # pylint: disable-next=subprocess-popen-preexec-fn,consider-using-with
        process = subprocess.Popen([harness.SHADOW, *words], cwd=w.project, env=w.env, stdout=out, stderr=err,
                                   preexec_fn=bound)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        err.seek(0)
        return process.returncode, err.read().decode(), used.ru_maxrss * 1024


# Bytes for each change: a third more than was measured with 100 000 of them.
PER_CHANGE = {"list": 0, "gc": 0, "status": 750, "status --json": 1400, "diff --name-only": 1350, "diff --stat": 1350,
              "diff --json": 1900, "apply -n": 1300, "apply --yes": 1300, "undo": 1300, "discard --yes": 120}
# What the threads of an apply, and the allocator, have whatever the number.
FIXED = 12 << 20


def require_bounded(w, bounds, least, count):
    """Each command takes no more of memory than its bytes for each change, and of 100 000 changes less than MOST."""
    for words, each in bounds.items():
        status, err, most = peak(w, *words.split())
        print(f"# {words}: {(most - least) / count:.0f} bytes a change")
        assert status == 0, (words, err)
        assert most < least + FIXED + each * count, (words, least, most)
        each_used = max(0, most - least - FIXED) / count
        assert least + FIXED + each_used * 100_000 < MOST, (words, least, most)
        w.wait_settled()


def test_memory_of_very_many_files(w):
    """What a review takes of memory is in proportion to what the session has changed, and a list takes next to
    none."""
    count = int(os.environ.get("SHADOW_TEST_FILES", "50000"))
    w.run("true")
    w.wait_settled()
    least = peak(w, "status")[2]
    w.run("python3", "-c", MAKE_MANY, str(count), timeout=600)
    w.wait_settled()
    require_bounded(w, PER_CHANGE, least, count)


def test_memory_of_very_many_edits(w):
    """So it is of files that were changed, which are kept for an undo, and of those with long names."""
    count = int(os.environ.get("SHADOW_TEST_FILES", "50000")) // 5
    subprocess.run(["python3", "-c", MAKE_MANY.replace("/f{name}", "/{'x' * 200}{name}"), str(count)], cwd=w.project,
                   check=True)
    w.run("true")
    w.wait_settled()
    least = peak(w, "status")[2]
    w.run("python3", "-c", CHANGE_ALL, timeout=600)
    w.wait_settled()
    require_bounded(w, {"status": 1900, "diff --stat": 2400, "apply -n": 2400, "apply --yes": 2400, "undo": 2400}, least,
                    count)


def test_more_names_than_memory(w):
    """Where a session's names do not fit into memory, a review says so and what to do, and writes nothing; the
    list, gc, a part of the session and the way out of it work."""
    count = int(os.environ.get("SHADOW_TEST_FILES", "50000"))
    w.write("a", "a\n")
    w.run("python3", "-c", MAKE_MANY, str(count), timeout=600)
    w.wait_settled()
    limit = (16 << 20) + 250 * count
    for words, hint in ((("status",), "a smaller part needs less: 'shadow status DIRECTORY'"),
                        (("diff", "--stat"), "a smaller part needs less: 'shadow diff DIRECTORY'"),
                        (("apply", "-n"), "it needs memory for all"), (("apply", "--yes"), "it needs memory for all"),
                        (("apply", "--yes", "d0/e1"), "drop a part of that with 'shadow discard DIRECTORY'")):
        status, err, _ = peak(w, *words, limit=limit)
        assert status == 2 and "cannot go on: out of memory\nhint: " in err and hint in err, (words, status, err)
        assert os.listdir(w.project) == ["a"], words
    # What is built of the answer is taken apart again when there is no more.
    for words in (("status", "--json"), ("diff", "--json")):
        for each in range(250, 4000, 250):
            status, err, _ = peak(w, *words, limit=(16 << 20) + each * count)
            assert status == 0 or (status == 2 and '"message":"cannot go on: out of memory"' in err), (words, each, status, err)
    for words in (("status", "d0/e1"), ("diff", "d0/e1"), ("list",), ("gc",), ("discard", "--yes", "d0/e1"),
                  ("discard", "--yes")):
        status, err, _ = peak(w, *words, limit=limit)
        assert status == 0, (words, status, err)
    assert w.shadow("list").out == "no sessions\n"


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
