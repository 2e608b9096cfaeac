#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The list of all sessions: its numbers are those of the last look, and it walks nobody's files."""

import ctypes
import fcntl
import json
import os
import signal
import sqlite3
import struct
import sys
import time

import harness


def listed(w, *options):
    return json.loads(w.shadow("list", "--json", *options).out)["sessions"]


def settled(w):
    """The only session as it is listed once nothing of it is left to be counted."""
    found = []

    def is_counted():
        found[:] = listed(w)
        return not found[0]["outdated"]

    harness.wait_until(is_counted, what="the count")
    return found[0]


def session_dir(w):
    (session,) = os.listdir(os.path.join(w.state, "sessions"))
    return os.path.join(w.state, "sessions", session)


def change_tally(w, sql):
    w.wait_settled()
    with sqlite3.connect(os.path.join(w.state, "shadow.db")) as db:
        db.execute(sql)
    db.close()


class Opened:
    """Counts how often directories are opened while it goes on, by inotify(7)."""

    IN_OPEN, IN_NONBLOCK = 0x20, 0o4000

    def __init__(self, top):
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.fd = self.libc.inotify_init1(self.IN_NONBLOCK)
        self.top = top
        self.count = 0

    def __enter__(self):
        for place, _, _ in os.walk(self.top):
            assert self.libc.inotify_add_watch(self.fd, os.fsencode(place), self.IN_OPEN) >= 0
        self.read()
        return self

    def __exit__(self, *_):
        self.count = self.read()
        os.close(self.fd)

    def read(self):
        """Directories that were opened themselves: an event without a name."""
        count = 0
        while True:
            try:
                data = os.read(self.fd, 1 << 16)
            except BlockingIOError:
                return count
            while data:
                length = struct.unpack_from("iIII", data)[3]
                count += length == 0
                data = data[16 + length:]


def test_numbers_follow_the_session(w):
    """After whatever changes what a session holds, the list has its numbers without a status in between."""
    w.write("a", "a\n")
    w.write("b", "b\n")
    w.run("sh", "-c", "echo more >>a; rm b; mkdir new; echo x >new/x; echo y >new/y; echo kept >~/kept")
    now = settled(w)
    assert (now["changes"], now["bytes"], now["home_bytes"]) == (4, 11, 5), now
    assert now["counted"].endswith("Z"), now
    w.shadow("apply", "--yes", "new/x")
    assert settled(w)["changes"] == 3
    w.shadow("discard", "--yes", "b")
    assert settled(w)["changes"] == 2
    w.shadow("undo", "--yes")
    assert settled(w)["changes"] == 3
    w.shadow("apply", "--yes")
    now = settled(w)
    assert (now["changes"], now["bytes"], now["home_bytes"]) == (0, 0, 5), now
    w.run("sh", "-c", "echo longer >~/kept")
    assert settled(w)["home_bytes"] == 7
    w.run("sh", "-c", "echo again >>a")
    w.write("a", w.read("a") + "again\n")
    # What the user did meanwhile is in it as of the next look at all of the session, or a refresh.
    w.shadow("refresh")
    assert settled(w)["changes"] == 0
    assert w.shadow("list").out.split("\n")[1].split()[1] == "0"


def test_a_run_that_is_recorded_meanwhile(w):
    """A run that is recorded just while a list looks at the session does not leave the former number
    unmarked."""
    w.run("sh", "-c", "echo x >x; printf 12 >~/h")
    assert settled(w)["home_bytes"] == 2
    w.run("sh", "-c", "printf 3456 >>~/h")
    stopped = w.start("list", "--json", env={"SHADOW_FAIL": "runs-looked-at:1=stop"}, stdout=-1)
    assert os.waitpid(stopped.pid, os.WUNTRACED)[1] & 0xFF == 0x7F, "not stopped"
    w.shadow("status")  # records it
    os.kill(stopped.pid, signal.SIGCONT)
    (session,) = json.loads(stopped.communicate(timeout=30)[0])["sessions"]
    assert session["outdated"] or session["home_bytes"] == 6, session


def test_many_applied_at_once_are_counted(w):
    """An apply that is cleaned up in the background leaves no old number behind."""
    w.run("sh", "-c", "for i in $(seq 120); do echo $i >f$i; done")
    assert settled(w)["changes"] == 120
    w.shadow("apply", "--yes")
    w.wait_settled()
    now = settled(w)
    assert (now["changes"], now["bytes"]) == (0, 0), now


def test_looks_record_what_the_user_did(w):
    """A status of the whole session brings the list up to what the user has changed in the project."""
    w.write("a", "a\n")
    w.run("sh", "-c", "echo b >>a; echo new >new")
    assert settled(w)["changes"] == 2
    w.write("new", "new\n")
    assert settled(w)["changes"] == 2
    w.shadow("status")
    assert settled(w)["changes"] == 1
    w.shadow("status", "a")
    assert settled(w)["changes"] == 1


def test_no_directory_of_a_session_is_opened(w):
    """The list opens no directory of what a session wrote, however many there are."""
    w.run("sh", "-c", "mkdir -p a/b/c d ~/e; echo x >a/b/c/x; echo y >~/e/y")
    assert settled(w)["changes"] == 2
    w.wait_settled()
    layers = [os.path.join(session_dir(w), layer) for layer in ("project", "home")]
    watches = [Opened(layer) for layer in layers]
    for watch in watches:
        watch.__enter__()
    assert "default" in w.shadow("list").out
    for watch in watches:
        watch.__exit__()
    assert [watch.count for watch in watches] == [0, 0]
    with Opened(layers[0]) as status:
        w.shadow("status")
    assert status.count > 0  # else this test could not fail


def test_a_live_session_is_told_approximately(w):
    """Of a session that is live or not counted since its last run the number is one of before, and is
    marked."""
    w.run("sh", "-c", "echo x >x")
    assert settled(w)["changes"] == 1
    live = w.start("run", "--", "sh", "-c", "echo y >y; echo ready; exec sleep 60", stdout=-1)
    assert live.stdout.readline() == b"ready\n"

    def is_noticed():
        now = listed(w)[0]
        assert now["outdated"] and now["live"], now
        return now["changes"] == 2  # the last list had it counted

    harness.wait_until(is_noticed, what="the count of a live session")
    assert w.shadow("list").out.split("\n")[1].split()[1] == "~2"
    live.terminate()
    live.wait()
    live.stdout.close()
    assert settled(w)["changes"] == 2


def test_a_session_that_is_long_in_counting_holds_up_no_list(w):
    """While a session is being counted, the list shows what was known of it, marked, without waiting for
    long; and nothing known is no number."""
    w.run("sh", "-c", "echo x >x")
    assert settled(w)["changes"] == 1
    change_tally(w, "UPDATE tallies SET version = version + 1")
    with open(os.path.join(session_dir(w), "counting"), "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        begun = time.monotonic()
        (now,) = listed(w)
        assert time.monotonic() - begun < 2 * harness.TIME_FACTOR
        assert now["outdated"] and now["changes"] == 1, now
        assert w.shadow("list").out.split("\n")[1].split()[1:3] == ["~1", "~2"]
        change_tally(w, "DELETE FROM tallies")
        (now,) = listed(w)
        assert now["outdated"], now
        assert [now[name] for name in ("changes", "bytes", "home_bytes", "counted")] == [None] * 4, now
        assert w.shadow("list").out.split("\n")[1].split()[1:3] == ["?", "?"]
    # So is one of a state that an older program has left: the first list has it counted.
    assert settled(w)["changes"] == 1


def test_no_wrong_number_loses_work(w):
    """A number that says that a session has nothing is believed by no command: gc, a run and a review of the
    only session with changes look for themselves."""
    w.write("a", "a\n")
    w.shadow("run", "--as", "empty", "--", "true")
    w.shadow("run", "--as", "worker", "--", "sh", "-c", "echo work >work")
    harness.wait_until(lambda: not any(one["outdated"] for one in listed(w)), what="the count")
    change_tally(w, "UPDATE tallies SET changes = 0, bytes = 0, home_bytes = 0")
    assert [one["changes"] for one in listed(w)] == [0, 0]
    w.shadow("gc")
    assert len(listed(w)) == 2
    assert "A  work" in w.shadow("status").out  # of the only one that has changes
    w.shadow("apply", "--yes")
    assert w.read("work") == "work\n"


def test_work_outlives_a_project_that_is_gone(w):
    """A session with work stays while its project is away, as a disk is that is not mounted, but not for ever."""
    w.write("a", "a\n")
    w.shadow("run", "--as", "empty", "--", "true")
    w.sh("echo work >work")
    w.wait_settled()
    os.rename(w.project, w.project + ".away")
    left = "holds work; it is removed when it was not used for 'retention_days'"
    assert left in w.shadow("gc", "-n", cwd=w.home).out
    said = json.loads(w.shadow("--json", "gc", cwd=w.home).out)
    assert [len(said[what]) for what in ("sessions", "held", "live")] == [1, 1, 0], said
    os.rename(w.project + ".away", w.project)
    assert w.shadow("apply", "--yes").returncode == 0 and w.read("work") == "work\n"
    w.sh("echo more >more")
    w.wait_settled()
    change_tally(w, f"UPDATE sessions SET used_ns = {time.time_ns() - 31 * 86400 * 10**9}")
    os.rename(w.project, w.project + ".away")
    assert "removed session" in w.shadow("gc", cwd=w.home).out
    os.rename(w.project + ".away", w.project)
    assert not listed(w)


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
