# SPDX-License-Identifier: MIT
"""The log tells of each change that a session has, whose run did it."""

import json
import sys

import harness
from live_server import just_begun, server

NOTHING = 1


def logged(w, *paths):
    return [json.loads(line) for line in w.shadow("log", "--json", *paths).out.splitlines()]


def test_changes_of_a_live_run(w):
    """`log PATH` lists a live run that has changed the path, as one that is not recorded yet; and not of another path."""
    w.write("old", "old\n")
    w.write("deep/old", "old\n")
    w.write("other", "other\n")
    with server(w) as run:
        run.do("echo n >n; rm old; echo more >>deep/old")
        (live, *_) = logged(w)
        for path in ("n", "old", "deep", "deep/old", "*ol*", ":/"):
            done = w.shadow("log", path)
            assert "not recorded yet" in done.out and "still running" in done.out, (path, done.out)
            (found, *_) = logged(w, path)
            assert (found["run"], found["live"], found["settled"]) == (live["run"], True, False), (path, found)
        wrong = w.shadow("log", "other", check=False)
        assert (wrong.returncode, wrong.out) == (NOTHING, ""), wrong
        near = w.shadow("log", "deep/odl", check=False)
        assert "did you mean 'deep/old'?" in near.err, near.err
    w.wait_settled()
    (found,) = logged(w, "n")
    assert (found["run"], found["live"], found["settled"]) == (live["run"], False, True), found


def test_changes_of_one_of_two_live_runs(w):
    """A run that goes on beside another is not listed for what that one alone can have changed."""
    with server(w) as first:
        first.do("echo a >a")
        assert [run["settled"] for run in logged(w, "a")] == [False]
        with just_begun(w) as second:
            second.do("echo b >b")
            assert len(logged(w, "a")) == 1, logged(w, "a")
            either = logged(w, "b")
            assert len(either) == 2 and all(run["unsure"] for run in either), either


def told(w, path):
    """By the script of each run that log lists for the path: whether it is sure."""
    return {run["argv"][-1]["word"]: not run.get("unsure") for run in logged(w, path)}


def test_runs_back_to_back(w):
    """Of runs back to back that write one file, in place or by another in its place, log lists each, or one of which it
    says that it may have; of one of the project's, and of one that a run makes. A file that one alone wrote is that one's."""
    for write in ("echo {n} >>{name}", "sed -i '$a {n}' {name}"):
        for name in ("shared", "made"):
            w.write("shared", "s\n")
            scripts = [write.format(n=n, name=name) + f"; echo {n} >own{n}" for n in range(6)]
            if name == "made":
                w.sh("echo begin >made")
                w.wait_settled()
            for script in scripts:
                w.sh(script)
            w.wait_settled()
            listed = told(w, name)
            assert set(scripts) <= set(listed), (write, name, listed)
            assert listed[scripts[-1]] or "sed" in write, (write, name, listed)
            for n, script in enumerate(scripts):
                found = told(w, f"own{n}")
                # A look between its making and its writing leaves open who made it.
                assert script in found and not any(found[other] for other in found if other != script), (n, found)
            assert sum(len(told(w, f"own{n}")) == 1 for n in range(6)) >= 3
            w.shadow("discard", "--yes")


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
