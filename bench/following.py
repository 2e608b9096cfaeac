# SPDX-License-Identifier: MIT
"""How soon a run that goes on sees what the user saves."""

import contextlib
import os
import random
import subprocess
import sys
import time

from measuring import ENV, QUICK, SHADOW

SAVES = 100 if QUICK else 1000
PROMISED = [0.3]

# Says when it sees another file at the name; on a line of input, looks at every name of the project
# first, so that the view has all of them to forget.
LOOKER = r"""
import os, subprocess, sys, time
name = sys.argv[1]
print(flush=True)
for line in sys.stdin:
    if line.strip() == 'all':
        subprocess.run('find . -type f -exec stat -c %s {} + >/dev/null', shell=True, check=True)
    before = os.stat(name).st_ino
    print(flush=True)
    while os.stat(name).st_ino == before:
        time.sleep(0.001)
    print(time.monotonic_ns(), flush=True)
"""


@contextlib.contextmanager
def looker(project, name):
    run = subprocess.Popen([SHADOW, "run", "--", sys.executable, "-c", LOOKER, name], cwd=project,
                           env=ENV, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    run.stdout.readline()
    time.sleep(4)  # until somebody follows
    try:
        yield run
    finally:
        run.stdin.close()
        run.wait()


def seconds_to_see(run, path, word, number):
    run.stdin.write(word + "\n")
    run.stdin.flush()
    run.stdout.readline()
    time.sleep(random.uniform(0, 0.25))
    new = f"{path}.new"
    with open(new, "w", encoding="ascii") as f:
        f.write(f"{number}\n")
    begin = time.monotonic_ns()
    os.rename(new, path)
    return (int(run.stdout.readline()) - begin) / 1e9


def user_saves(table, project, size):
    random.seed(1)
    name = "dir0/saved"
    (project / name).write_text("0\n")
    with looker(project, name) as run:
        times = [seconds_to_see(run, project / name, "", n) for n in range(SAVES)]
        table.add(f"{size} files, the user saves until a live run sees it / 0.3 s", times, PROMISED, 1)
        table.add("the same, the worst", [max(times)], PROMISED, 1)
        times = [seconds_to_see(run, project / name, "all", n) for n in range(10)]
        table.add("the same, every name looked up before", times, PROMISED, 1)
    (project / name).unlink()
