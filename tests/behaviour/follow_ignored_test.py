# SPDX-License-Identifier: MIT
"""A live run sees what you do in directories that git ignores, too: packages, build results, virtual environments."""

import os
import shutil
import sys
import time

import harness
from edits import settled_git
from following import followed, followers, processor_time, save, seen
from live_server import server


def project(w):
    settled_git(w, {".gitignore": "node_modules/\nout/\n", "f": "1\n"})
    w.write("node_modules/a/index.js", "1\n")
    w.write("node_modules/a/lib/deep/x.js", "1\n")
    w.write("node_modules/.cache/x", "1\n")


def looked_up(w, run, script):
    """Names that the view remembers: at first it is made to forget all a few times."""
    followed(w)
    time.sleep(harness.TIME_FACTOR)
    run.do(script)


def test_saves_are_seen(w):
    """Replaced, made at a name once looked for, deleted, a directory made, swapped and removed."""
    project(w)
    with server(w) as run:
        looked_up(w, run, "cat node_modules/a/index.js node_modules/a/lib/deep/x.js node_modules/b/index.js out/x || :")
        save(w.path("node_modules/a/index.js"), "2\n")
        seen(run, "cat node_modules/a/index.js", "2\n")
        save(w.path("node_modules/a/lib/deep/x.js"), "2\n")
        seen(run, "cat node_modules/a/lib/deep/x.js", "2\n")
        w.write("node_modules/b/index.js", "new\n")
        seen(run, "cat node_modules/b/index.js 2>&1 || :", "new\n")
        w.write("out/x", "built\n")
        seen(run, "cat out/x 2>&1 || :", "built\n")
        save(w.path("node_modules/b/index.js"), "newer\n")
        seen(run, "cat node_modules/b/index.js", "newer\n")
        os.rename(w.path("node_modules/a"), w.path("node_modules/a.old"))
        w.write("node_modules/a/index.js", "3\n")
        shutil.rmtree(w.path("node_modules/a.old"))
        seen(run, "cat node_modules/a/index.js; ls node_modules node_modules/a", "3\nnode_modules:\na\nb\n\nnode_modules/a:\nindex.js\n")
        shutil.rmtree(w.path("node_modules"))
        seen(run, "ls -A", ".git\n.gitignore\nf\nout\n")


def test_what_a_run_touched(w):
    """A file that the run has only touched is followed there, saved by rename or in place."""
    project(w)
    with server(w) as run:
        run.do("touch node_modules/a/index.js node_modules/a/lib/deep/x.js")
        followed(w)
        save(w.path("node_modules/a/index.js"), "2\n")
        seen(run, "cat node_modules/a/index.js", "2\n")
        w.write("node_modules/a/lib/deep/x.js", "2\n")
        seen(run, "cat node_modules/a/lib/deep/x.js", "2\n")


def test_what_a_run_wrote(w):
    """What it wrote itself stays what it is."""
    project(w)
    with server(w) as run:
        run.do("echo agent >node_modules/a/index.js; rm -r node_modules/a/lib; mkdir node_modules/own; echo 1 >node_modules/own/x")
        followed(w)
        save(w.path("node_modules/a/index.js"), "2\n")
        w.write("node_modules/a/lib/deep/x.js", "2\n")
        w.write("node_modules/own/x", "2\n")
        w.write("node_modules/last", "seen\n")
        seen(run, "cat node_modules/last", "seen\n")
        assert run.do("cat node_modules/a/index.js node_modules/own/x; ls node_modules/a") == "agent\n1\nindex.js\n"


def test_the_upper_ones_come_first(w):
    """Of very many directories the upper ones are watched, and the deep ones change with them; the rest of the project is
    followed as ever, and nobody's watches are used up."""
    project(w)
    for i in range(100):
        for j in range(100):
            os.makedirs(w.path(f"node_modules/p{i}/d{j}"))
    with server(w) as run:
        looked_up(w, run, "cat f node_modules/p99/d99/new node_modules/p99/new || :")
        w.write("node_modules/p99/d99/new", "deep\n")
        w.write("node_modules/p99/new", "upper\n")
        seen(run, "cat node_modules/p99/new node_modules/p99/d99/new 2>&1 || :", "upper\ndeep\n")
        save(w.path("f"), "2\n")
        seen(run, "cat f", "2\n")
        (follower,) = followers(w)
        used = 0
        for fd in os.listdir(f"/proc/{follower}/fdinfo"):
            with open(f"/proc/{follower}/fdinfo/{fd}", encoding="ascii") as f:
                used += sum(line.startswith("inotify ") for line in f)
        assert 8192 < used < 8300, used
        assert "by the clock" not in w.shadow("status").out


def test_a_build_beside_it_costs_little(w):
    """While you build there, the follower takes a small part of a processor."""
    project(w)
    with server(w) as run:
        run.do("mkdir -p own; for i in $(seq 500); do echo $i >own/$i; done; touch node_modules/a/index.js")
        followed(w)
        (follower,) = followers(w)
        begin, before = time.monotonic(), processor_time(follower)
        number = 0
        while time.monotonic() < begin + 3:
            number += 1
            w.write(f"out/{number % 300}.o", f"{number}\n")
            time.sleep(0.001)
        part = (processor_time(follower) - before) / (time.monotonic() - begin)
        assert part < 0.3, part
        w.write("out/last", "seen\n")
        seen(run, "cat out/last", "seen\n")


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
