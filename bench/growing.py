# SPDX-License-Identifier: MIT
"""How times grow with what they should and should not depend on; each with its fitted exponent."""

import statistics
import subprocess
import time

from measuring import ENV, HOME, PLACE, QUICK, ROUNDS, SHADOW, do, settled, timed
from trees import change_some, make_tree

# A line through a few noisy points: what is independent seldom comes out as exactly 0, and what is
# linear has a fixed part, which pulls it below 1.
INDEPENDENT = 0.1
LINEAR = 1.1


def median_of(verb, cwd, times=None):
    times = times or ROUNDS * 2
    return statistics.median(timed(SHADOW, *verb, cwd=cwd) for _ in range(times))


def with_project_size(table):
    sizes = (10, 1_000, 10_000) if QUICK else (10, 1_000, 10_000, 100_000)
    points = {"run": [], "status": [], "diff": []}
    for size in sizes:
        project = make_tree(HOME / f"grow{size}", size, ENV)
        do(SHADOW, "run", "--", "python3", "-c", change_some(10), cwd=project)
        settled(project)
        time.sleep(1)
        points["run"].append((size, median_of(["run", "--", "true"], project)))
        settled(project)
        points["status"].append((size, median_of(["status"], project)))
        points["diff"].append((size, median_of(["diff"], project)))
        do(SHADOW, "discard", "--yes", cwd=project)
    for verb, series in points.items():
        table.add_growth(verb, "files of the project", series, INDEPENDENT)


def with_change_size(table, large):
    sizes = (10, 100, 1_000) if QUICK else (10, 100, 1_000, 10_000)
    points = {"run": [], "status": [], "diff": [], "apply": []}
    for size in sizes:
        do(SHADOW, "run", "--", "python3", "-c", change_some(size), cwd=large)
        settled(large)
        time.sleep(1)
        points["run"].append((size, median_of(["run", "--", "true"], large)))
        settled(large)
        points["status"].append((size, median_of(["status"], large)))
        points["diff"].append((size, median_of(["diff"], large)))
        points["apply"].append((size, median_of(["apply", "--yes"], large, 1)))
        do("git", "checkout", "-q", ".", cwd=large)
        do(SHADOW, "discard", "--yes", cwd=large)
    for verb, series in points.items():
        table.add_growth(verb, "changed files", series, INDEPENDENT if verb == "run" else LINEAR)


def with_applied_paths(table):
    """A session keeps a base of every path that was ever applied."""
    sizes = (10, 100, 1_000) if QUICK else (10, 100, 1_000, 10_000)
    project = make_tree(HOME / "applied", 10, ENV)
    points = {"status": [], "apply": []}
    made = 0
    for size in sizes:
        make = (f"import os; os.mkdir('new{size}')\n"
                f"for i in range({size - made}): open(f'new{size}/f{{i}}', 'w').write(f'{{i}}\\n')\n")
        made = size
        do(SHADOW, "run", "--", "python3", "-c", make, cwd=project)
        do(SHADOW, "apply", "--yes", cwd=project)
        settled(project)
        status, apply = [], []
        for _ in range(ROUNDS):
            do(SHADOW, "run", "--", "sh", "-c", "echo line >>one", cwd=project)
            settled(project)
            status.append(timed(SHADOW, "status", cwd=project))
            apply.append(timed(SHADOW, "apply", "--yes", cwd=project))
        points["status"].append((size, statistics.median(status)))
        points["apply"].append((size, statistics.median(apply)))
    for verb, series in points.items():
        table.add_growth(f"{verb} of one change", "paths ever applied", series, INDEPENDENT)


def with_sessions(table):
    sizes = (1, 10, 100) if QUICK else (1, 100, 1_000)
    project = make_tree(HOME / "sessions", 10, ENV)
    points = {"run": [], "status": [], "list": []}
    made = 0
    for size in sizes:
        while made < size:
            made += 1
            do(SHADOW, "run", "--as", f"agent {made}", "--", "true", cwd=project)
        time.sleep(1.5)
        points["run"].append((size, median_of(["run", "--as", "agent 1", "--", "true"], project)))
        points["status"].append((size, median_of(["status", "--as", "agent 1"], project)))
        points["list"].append((size, median_of(["list"], project)))
    for verb, series in points.items():
        table.add_growth(verb, "sessions", series, LINEAR if verb == "list" else INDEPENDENT)
    do(SHADOW, "discard", "--yes", "--all-sessions", cwd=project)


def with_runs(table):
    """A log of many runs: what it costs the next run, the log, and the disk."""
    sizes = (10, 100, 500) if QUICK else (100, 1_000, 10_000)
    project = make_tree(HOME / "runs", 10, ENV)
    loop = ("for i in $(seq \"$1\"); do \"$2\" run -- true || exit 1; done")
    points = {"run": [], "status": [], "log": []}
    made = 0
    for size in sizes:
        subprocess.run(["sh", "-c", loop, "sh", str(size - made), SHADOW], cwd=project, env=ENV,
                       check=True)
        made = size
        settled(project)
        time.sleep(1)
        points["run"].append((size, median_of(["run", "--", "true"], project)))
        settled(project)
        points["status"].append((size, median_of(["status"], project)))
        points["log"].append((size, median_of(["log"], project)))
    for verb, series in points.items():
        table.add_growth(verb, "runs in the log", series, LINEAR if verb == "log" else INDEPENDENT)
    database = (PLACE / "home/.local/state/shadow/shadow.db").stat().st_size / 1024
    table.add(f"database after {made} runs / 1 KiB for each", [database], [float(made)], unit="KiB")
    do(SHADOW, "discard", "--yes", cwd=project)
