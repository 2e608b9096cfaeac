# SPDX-License-Identifier: MIT
"""Measures the rows of the speed budget, beside each other, and prints one table of ratios.

Run by tools/bench, from a directory that also holds `shadow`, `shadow-review` and `floor`. Every
ratio is that of two medians, taken in alternation: on a busy machine absolute times mean little, and
two series one after the other not much more. Words on the command line name the groups to measure.
"""

import json
import os
import sys

import following
import growing
import reviewing
import running
import sources
import viewing
from measuring import ENV, HOME, LARGE, PLACE, QUICK, Table
from trees import make_tree

# What removes many files comes late: ext4 is slow to create files for some minutes after that.
GROUPS = ("promoting", "viewing", "running", "following", "reviewing", "growing")


def measure_running(table, small, large):
    running.latency(table, small)
    running.beside_former(table, small)
    running.concurrency(table, small)
    running.peers(table, small)
    running.tool_calls(table)
    running.ignored_files(table)
    running.first_runs(table, small, large)


def measure_viewing(table, _small, large):
    viewing.touching(table, large)
    viewing.reading(table, large)
    real = None if QUICK else sources.real_sources()
    if real:
        viewing.real_sources(table, real)


def measure_promoting(table, _small, large):
    reviewing.promoting(table, large)
    reviewing.bulk(table)


def measure_following(table, _small, large):
    following.user_saves(table, make_tree(HOME / "hundred", 100, ENV), 100)
    following.user_saves(table, large, LARGE)


def measure_reviewing(table, _small, large):
    reviewing.looking(table, large)
    reviewing.one_large_file(table)
    reviewing.renamed_directory(table)


def measure_growing(table, _small, large):
    growing.with_project_size(table)
    growing.with_change_size(table, large)
    growing.with_applied_paths(table)
    growing.with_sessions(table)
    growing.with_runs(table)


def main():
    asked = [name for name in GROUPS if name in sys.argv[1:]] or list(GROUPS)
    HOME.mkdir()
    small = make_tree(HOME / "small", 10, ENV)
    large = make_tree(HOME / "large", LARGE, ENV)
    table = Table()
    for group in asked:
        table.head(group)
        globals()[f"measure_{group}"](table, small, large)
    (PLACE / "results.json").write_text(json.dumps(
        {"quick": QUICK, "kernel": os.uname().release, "processors": os.cpu_count(),
         "rows": table.rows, "growth": table.growth}, indent=1) + "\n")
    slow = table.too_slow()
    for name in slow:
        print(f"more than twice its bar: {name}")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
