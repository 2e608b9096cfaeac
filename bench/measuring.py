# SPDX-License-Identifier: MIT
"""How things are measured: in alternation, as ratios, with one table to put them in."""

import json
import math
import os
import signal
import statistics
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

BIN = Path(__file__).resolve().parent
PLACE = BIN.parent
QUICK = "--quick" in sys.argv
LARGE = 10_000 if QUICK else 100_000
MANY = 2_000 if QUICK else 10_000
ROUNDS = 3 if QUICK else 10
SHADOW = str(BIN / "shadow")
FLOOR = str(BIN / "floor")
FORMER = str(BIN / "former" / "shadow")  # another build to compare with, where one was named
HOME = PLACE / "home"
ENV = {
    **{key: value for key, value in os.environ.items() if not key.startswith("SHADOW_")},
    "HOME": str(HOME), "LC_ALL": "C.UTF-8",
    "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "b", "GIT_AUTHOR_EMAIL": "b@example.org",
    "GIT_COMMITTER_NAME": "b", "GIT_COMMITTER_EMAIL": "b@example.org",
}
# The state of one version is not for an older one.
FORMER_ENV = {**ENV, "XDG_STATE_HOME": str(PLACE / "former-state")}


def do(*words, cwd=None):
    subprocess.run([str(word) for word in words], cwd=cwd, env=ENV, check=True,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def timed(*words, cwd):
    begin = time.perf_counter()
    do(*words, cwd=cwd)
    return time.perf_counter() - begin


def works(name, command, cwd):
    """Whether a peer can do its job here at all; says so when not."""
    done = subprocess.run(command, cwd=cwd, env=ENV, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        why = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        print(f"not measured: {name} ({why})", flush=True)
    return done.returncode == 0


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
                cwd=cwd, env=FORMER_ENV if command.startswith(FORMER) else ENV, check=True,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
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
    done = subprocess.run([*project["through"], *command], cwd=project["path"], env=ENV, check=True,
                          stdout=subprocess.PIPE, text=True)
    return float(done.stdout)


def in_view(path):
    return {"path": path, "through": [SHADOW, "run", "--"]}


def outside(path):
    return {"path": path, "through": []}


def settled(project, session=None):
    """Waits until nothing of the session's background work is left."""
    words = [SHADOW, "status", *(["--as", session] if session else [])]
    do(*words, cwd=project)
    time.sleep(0.5)
    do("sync")


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


def peak_memory(words, cwd):
    """MiB that a command had resident at its worst."""
    program = ("import resource, subprocess, sys\n"
               "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)\n"
               "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)\n")
    done = subprocess.run([sys.executable, "-c", program, *map(str, words)], cwd=cwd, env=ENV,
                          check=True, capture_output=True, text=True)
    return float(done.stdout)


def percentile(times, share):
    return sorted(times)[min(len(times) - 1, math.ceil(share * len(times)) - 1)]


def spread(times):
    """Half the distance of the quartiles (of the ends, where there are few), as a share of the
    median."""
    if len(times) < 4:
        return (max(times) - min(times)) / 2 / statistics.median(times)
    low, middle, high = statistics.quantiles(times, n=4)
    return (high - low) / 2 / middle


class Table:
    """The rows so far. A bar is the worst ratio that the budget allows."""

    def __init__(self):
        self.rows = []
        self.growth = []

    def head(self, title):
        print(f"\n{title:<62} {'ratio':>8} {'bar':>6}{'':<6} {'ours':>10} {'reference':>10}",
              flush=True)

    def add(self, name, ours, reference, bar=None, unit="ms"):
        scale = 1000 if unit == "ms" else 1
        row = {
            "name": name, "bar": bar,
            "ours": statistics.median(ours) * scale,
            "reference": statistics.median(reference) * scale,
            "p99": percentile(ours, 0.99) * scale,
            "spread": spread(ours), "unit": unit, "samples": len(ours),
        }
        row["ratio"] = row["ours"] / row["reference"]
        self.rows.append(row)
        mark = "" if bar is None else "  ok" if row["ratio"] <= bar else "  OVER"
        limit = "" if bar is None else f"{bar:.2f}"
        print(f"{name:<62} {row['ratio']:8.2f} {limit:>6}{mark:<6}"
              f" {row['ours']:10.2f} {row['reference']:10.2f} {unit:<3} +-{row['spread']:.0%}",
              flush=True)

    def add_growth(self, name, against, points, most=None):
        """Points are (size, seconds). The exponent is the slope of a line through their logarithms:
        0 is independent, 1 is linear."""
        xs = [math.log(size) for size, _ in points]
        ys = [math.log(seconds) for _, seconds in points]
        mean_x, mean_y = statistics.mean(xs), statistics.mean(ys)
        slope = (sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys))
                 / sum((x - mean_x) ** 2 for x in xs))
        self.growth.append({"name": name, "against": against, "exponent": slope, "most": most,
                            "points": [[size, seconds * 1000] for size, seconds in points]})
        mark = "" if most is None else "  ok" if slope <= most else "  OVER"
        limit = "" if most is None else f"{most:.2f}"
        cells = ", ".join(f"{size}: {seconds * 1000:.1f} ms" for size, seconds in points)
        print(f"{name + ' against ' + against:<62} {slope:8.2f} {limit:>6}{mark:<6} {cells}",
              flush=True)

    def too_slow(self):
        """What is worse than twice its bar: less may be noise. Exponents have no such factor."""
        slow = [row["name"] for row in self.rows if row["bar"] and row["ratio"] > 2 * row["bar"]]
        return slow + [row["name"] for row in self.growth
                       if row["most"] is not None and row["exponent"] > row["most"] + 0.3]
