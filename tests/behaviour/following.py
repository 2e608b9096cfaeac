# SPDX-License-Identifier: MIT
"""A live session that follows the project, and how soon it sees a save."""

import contextlib
import os
import sqlite3
import subprocess
import time

import harness
from applies import lines
from edits import settled_git
from live_server import SERVER, Server

# What a run is promised to see after, and what a busy test machine may add to it.
SEEN_WITHIN = 0.3 + 0.7 * harness.TIME_FACTOR


def parent_of(pid):
    """None of a process that has ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as f:
            return int(f.read().rpartition(")")[2].split()[1])
    except OSError:
        return None


def followers(w):
    """Without the processes that one of them forks for a moment."""
    found = w.processes("--follow")
    parents = {pid: parent_of(pid) for pid in found}
    return [pid for pid in found if parents[pid] is not None and parents[pid] not in found]


def followed(w):
    """Waits until a process follows, and has looked at all directories: it sleeps then."""
    harness.wait_until(lambda: followers(w), what="a process that follows the project")
    time.sleep(0.5 * harness.TIME_FACTOR)


def processor_time(pid):
    """In seconds, with that of the processes that it has waited for."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as f:
        return sum(int(field) for field in f.read().rsplit(")", 1)[1].split()[11:15]) / os.sysconf("SC_CLK_TCK")


def save(path, text):
    """As most editors do: a new file takes the name."""
    with open(path + "~", "w", encoding="ascii") as f:
        f.write(text)
    os.rename(path + "~", path)


def seen(run, script, wanted, within=SEEN_WITHIN):
    """The run's answer becomes what is wanted soon after the user's change. Until then a name may be missing."""
    begin = time.monotonic()
    while True:
        got = run.do("{ " + script + "; } || :")
        if got == wanted:
            return time.monotonic() - begin
        assert time.monotonic() - begin < within, (script, got, wanted)
        time.sleep(0.005)


def project(w):
    settled_git(w, {"f": lines(), "d/a": "a\n", "d/b": "b\n", ".gitignore": "build/\n"})


@contextlib.contextmanager
def by_the_clock(w):
    """A run whose user may watch too few directories."""
    limited = ["unshare", "-Ur", "sh", "-c",
               'echo 10 >/proc/sys/user/max_inotify_watches && exec "$@"', "sh"]
    if subprocess.run([*limited, "true"], stderr=-1, check=False).returncode != 0:
        raise harness.NotHere("no limit can be set here")
    process = subprocess.Popen([*limited, harness.SHADOW, "run", "--", "sh", "-c", SERVER],
                               cwd=w.project, env=w.env, stdin=-1, stdout=-1)
    assert process.stdout.readline() == b"ready\n"
    yield Server(process)
    process.stdin.close()
    process.stdout.close()
    process.wait(timeout=30)


def noted(w, *names):
    """Waits until what the project has at these paths is noted as shown."""
    db = sqlite3.connect(os.path.join(w.state, "shadow.db"))
    find = "SELECT kind, text FROM shown_versions WHERE path = ? ORDER BY noted_ns DESC"

    def is_noted(name):
        row = db.execute(find, (name.encode(),)).fetchone()
        if row is None or not os.path.lexists(w.path(name)):
            return row is not None and row[0] == 0
        return row[0] != 0 and (row[1] is None or row[1] == w.read(name).encode())

    harness.wait_until(lambda: all(is_noted(name) for name in names), what=f"a note of {names}")
