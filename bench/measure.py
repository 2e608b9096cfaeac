# SPDX-License-Identifier: MIT
"""Measures the rows of the speed budget, beside each other, and prints one table of ratios.

Run by tools/bench, from a directory that also holds `shadow`, `shadow-review` and `floor`. Every
ratio is that of two medians, taken in alternation: on a busy machine absolute times mean little, and
two series one after the other not much more.
"""

import json
import os
import signal
import statistics
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

from trees import change_some, make_tree

BIN = Path(__file__).resolve().parent
PLACE = BIN.parent
QUICK = "--quick" in sys.argv
LARGE = 10_000 if QUICK else 100_000
MANY = 2_000 if QUICK else 10_000
ROUNDS = 3 if QUICK else 10
SHADOW = str(BIN / "shadow")
FLOOR = str(BIN / "floor")
HOME = PLACE / "home"
ENV = {
    **{key: value for key, value in os.environ.items() if not key.startswith("SHADOW_")},
    "HOME": str(HOME), "LC_ALL": "C.UTF-8",
    "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "b", "GIT_AUTHOR_EMAIL": "b@example.org",
    "GIT_COMMITTER_NAME": "b", "GIT_COMMITTER_EMAIL": "b@example.org",
}


def do(*words, cwd=None):
    subprocess.run([str(word) for word in words], cwd=cwd, env=ENV, check=True,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def timed(*words, cwd):
    begin = time.perf_counter()
    do(*words, cwd=cwd)
    return time.perf_counter() - begin


def hyperfine(cwd, commands, rounds=ROUNDS, runs=20, pause=0.0):
    """Times of short commands, without a shell, in alternation; with `pause` seconds before each."""
    times = [[] for _ in commands]
    report = PLACE / "hyperfine.json"
    for _ in range(rounds):
        for series, command in zip(times, commands):
            subprocess.run(
                ["hyperfine", "-N", "--style", "none", "--warmup", "2", "--runs", str(runs),
                 *(["--prepare", f"sleep {pause}"] if pause else []),
                 "--export-json", str(report), command],
                cwd=cwd, env=ENV, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )
            series += json.loads(report.read_text())["results"][0]["times"]
    return times


def inside(project, script, repeat=1):
    """Seconds that a shell script takes in the view, the run itself not counted."""
    timer = ("import subprocess, sys, time\n"
             "b = time.perf_counter()\n"
             "for _ in range(int(sys.argv[2])): subprocess.run(['sh', '-c', sys.argv[1]], "
             "stdout=subprocess.DEVNULL, check=True)\n"
             "print(time.perf_counter() - b)\n")
    command = ["python3", "-c", timer, script, str(repeat)]
    done = subprocess.run([SHADOW, "run", "--", *command] if project["view"] else command,
                          cwd=project["path"], env=ENV, check=True, capture_output=True, text=True)
    return float(done.stdout)


@contextmanager
def live(project):
    """A run of the project's session goes on."""
    run = subprocess.Popen([SHADOW, "run", "--", "sh", "-c", "echo; exec sleep 3600"], cwd=project,
                           env=ENV, stdout=subprocess.PIPE)
    run.stdout.readline()
    try:
        yield run
    finally:
        run.send_signal(signal.SIGTERM)
        run.wait()


class Table:
    """The rows so far. A bar is the worst ratio that the budget allows."""

    def __init__(self):
        self.rows = []

    def add(self, name, ours, reference, bar=None, unit="ms"):
        scale = 1000 if unit == "ms" else 1
        row = {
            "name": name, "bar": bar,
            "ours": statistics.median(ours) * scale,
            "reference": statistics.median(reference) * scale,
            "spread": spread(ours), "unit": unit, "samples": len(ours),
        }
        row["ratio"] = row["ours"] / row["reference"]
        self.rows.append(row)
        mark = "" if bar is None else "  ok" if row["ratio"] <= bar else "  OVER"
        limit = "" if bar is None else f"{bar:.2f}"
        print(f"{name:<58} {row['ratio']:8.2f} {limit:>6}{mark:<6}"
              f" {row['ours']:10.2f} {row['reference']:10.2f} {unit:<3} +-{row['spread']:.0%}",
              flush=True)

    def head(self):
        print(f"{'':<58} {'ratio':>8} {'bar':>6}{'':<6} {'ours':>10} {'reference':>10}")

    def too_slow(self):
        return [row["name"] for row in self.rows if row["bar"] and row["ratio"] > 2 * row["bar"]]


def spread(times):
    """Half the distance of the quartiles, as a share of the median."""
    if len(times) < 4:
        return 0.0
    low, middle, high = statistics.quantiles(times, n=4)
    return (high - low) / 2 / middle


def bwrap(project):
    return ("bwrap --unshare-user --unshare-pid --unshare-ipc --unshare-uts --die-with-parent"
            " --ro-bind / / --dev /dev --proc /proc --tmpfs /dev/shm --tmpfs /tmp --tmpfs /var/tmp"
            f" --tmpfs /run --bind {HOME} {HOME} --bind {project} {project} --chdir {project} true")


def latency(table, small):
    run = f"{SHADOW} run -- true"
    layers = PLACE / "floor"
    for name in ("project/upper", "project/work", "home/upper", "home/work", "tmp/a", "tmp/b"):
        (layers / name).mkdir(parents=True)
    do(SHADOW, "run", "--", "true", cwd=small)
    loop, other, bare = hyperfine(small, [run, bwrap(small), "true"])
    table.add("run in a loop / bwrap without overlay in a loop", loop, other, 1.0)
    table.add("run in a loop / fork and exec", loop, bare)
    # A session keeps its mount for 0.2 s after a run: longer pauses let it go.
    cold, other, floor, bare = hyperfine(
        small, [run, bwrap(small), f"{FLOOR} cold {small} {layers} true", "true"], runs=6, pause=0.4)
    table.add("run, new mounts / bwrap without overlay", cold, other, 1.0)
    table.add("run, new mounts / the same system calls in C", cold, floor, 1.3)
    table.add("run, new mounts / fork and exec", cold, bare)
    holder = subprocess.Popen([FLOOR, "hold", small, layers], env=ENV, cwd=small, text=True,
                              stdout=subprocess.PIPE)
    pid = holder.stdout.readline().strip()
    with live(small):
        join, other, floor = hyperfine(
            small, [run, bwrap(small), f"{FLOOR} join {small} {pid} true"])
        memory = supervisor_memory()
    holder.terminate()
    holder.wait()
    table.add("run, joining / bwrap without overlay", join, other, 0.6)
    table.add("run, joining / the same system calls in C", join, floor, 1.5)
    table.add("private memory of the waiting supervisor / 4 MiB", [memory], [4.0], 1.0, "MiB")
    offline, plain = hyperfine(small, [f"{SHADOW} run --net none -- true", run])
    table.add("run --net none / run", offline, plain)
    others = {"firejail": f"firejail --quiet --noprofile --private-tmp --chdir={small} true"}
    for name, command in others.items():
        if subprocess.run(command.split(), cwd=small, env=ENV, capture_output=True).returncode == 0:
            ours, theirs = hyperfine(small, [run, command], rounds=2, runs=5)
            table.add(f"run in a loop / {name}", ours, theirs)


def supervisor_memory():
    """MiB of private memory of the process that waits for a live run."""
    found = []
    for status in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = status.read_bytes().split(b"\0")
            if words[0] == SHADOW.encode() and b"sleep" in b" ".join(words):
                text = (status.parent / "smaps_rollup").read_text()
                found.append(sum(int(line.split()[1]) for line in text.splitlines()
                                 if line.startswith(("Private_Clean", "Private_Dirty"))) / 1024)
        except OSError:
            continue
    return max(found)


def first_runs(table, small, large):
    """A session's birth must not depend on the project's size."""
    times = {small: [], large: []}
    for number in range(ROUNDS * 5):
        for project, series in times.items():
            series.append(timed(SHADOW, "run", "--as", f"first {number}", "--", "true", cwd=project))
    table.add(f"first run of a {LARGE}-file project / of a 10-file one", times[large], times[small],
              1.1)
    for project in times:
        do(SHADOW, "discard", "--yes", "--all-sessions", cwd=project)
    copies = []
    for number in range(3):
        copies.append(timed("cp", "-r", large, PLACE / f"copy{number}", cwd=PLACE))
        do("rm", "-rf", PLACE / f"copy{number}")
    table.add(f"first run of a {LARGE}-file project / cp -r of it", times[large], copies)
    worktrees = []
    for number in range(3):
        worktrees.append(timed("git", "worktree", "add", "-q", "--detach", PLACE / "tree", cwd=large))
        do("git", "worktree", "remove", "--force", PLACE / "tree", cwd=large)
    table.add(f"first run of a {LARGE}-file project / git worktree add", times[large], worktrees)


def in_the_view(table, large):
    commands = [
        ("git status", "git status --porcelain", 1.1),
        ("find", "find . -type f", 1.1),
        ("grep -r", "! grep -r absent .", 1.1),
        ("a compile", "cc -O1 -c -o /dev/null dir0/unit.c", 1.1),
    ]
    view, outside = {"path": large, "view": True}, {"path": large, "view": False}
    with live(large):
        for name, script, bar in commands:
            inside(view, script), inside(outside, script)
            ours, theirs = [], []
            for _ in range(ROUNDS):
                ours.append(inside(view, script, 3))
                theirs.append(inside(outside, script, 3))
            table.add(f"{name} in the view / outside", ours, theirs, bar)
    touch = f"find . -name 'file*' | head -n {MANY} | xargs touch"
    ours, theirs = [], []
    for _ in range(3):
        ours.append(inside(view, touch))
        do(SHADOW, "discard", "--yes", cwd=large)
        theirs.append(inside(outside, touch))
    do("git", "update-index", "-q", "--refresh", cwd=large)
    table.add(f"touch {MANY} files in the view / outside", ours, theirs, 6)


def review(table, large):
    view = {"path": large, "view": True}
    do(SHADOW, "run", "--", "python3", "-c", change_some(1000), cwd=large)
    do(SHADOW, "status", cwd=large)
    do(SHADOW, "run", "--", "git", "status", cwd=large)
    pairs = {"status": ("git status", 0.2), "diff": ("git diff", 1.0)}
    for verb, (reference, bar) in pairs.items():
        ours, theirs = [], []
        for _ in range(ROUNDS):
            ours.append(timed(SHADOW, verb, cwd=large))
            theirs.append(inside(view, reference))
        table.add(f"{verb}, 1000 changed of {LARGE} files / {reference} there", ours, theirs, bar)
    do(SHADOW, "discard", "--yes", cwd=large)


def promote(table, small):
    bulk = ("import os; os.makedirs('new', exist_ok=True)\n"
            f"for i in range({MANY}): open(f'new/f{{i}}', 'w').write(f'content {{i}}\\n' * 20)\n")
    applied, copied, dropped, removed = [], [], [], []
    for _ in range(3):
        do(SHADOW, "run", "--", "python3", "-c", bulk, cwd=small)
        do("sync")
        applied.append(timed(SHADOW, "apply", "--yes", cwd=small))
        do("sync")
        copied.append(timed("sh", "-c", "cp -a new new2 && sync", cwd=small))
        do("rm", "-rf", "new2", cwd=small)
        do("sync")
        do(SHADOW, "run", "--", "sh", "-c", "for f in new/*; do echo more >>$f; done", cwd=small)
        do(SHADOW, "status", cwd=small)
        dropped.append(timed(SHADOW, "discard", "--yes", cwd=small))
        removed.append(timed("rm", "-rf", "new", cwd=small))
    table.add(f"apply of {MANY} new files / cp -a and sync", applied, copied, 1.3)
    table.add(f"discard of {MANY} changed files / rm -rf of them", dropped, removed, 0.2)


def main():
    HOME.mkdir()
    small = make_tree(HOME / "small", 10, ENV)
    large = make_tree(HOME / "large", LARGE, ENV)
    table = Table()
    table.head()
    latency(table, small)
    first_runs(table, small, large)
    in_the_view(table, large)
    review(table, large)
    promote(table, small)
    (PLACE / "results.json").write_text(json.dumps(
        {"quick": QUICK, "kernel": os.uname().release, "rows": table.rows}, indent=1) + "\n")
    slow = table.too_slow()
    for name in slow:
        print(f"more than twice its bar: {name}")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
