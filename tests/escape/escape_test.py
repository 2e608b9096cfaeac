# SPDX-License-Identifier: MIT
"""escape_test.py ATTACK MANUAL [TOPIC...]: tries to get out of a run, in the default and the strict profile.

As an ordinary user, and when root starts it first as a user of no name, then as root, and as root in a
project of somebody else, in which a run of root's keeps rights over files. Every line says what was tried, how, and what came of it; the last one how many attacks were held. With topics only
these attacks from inside are tried, and what is done from around a run.
"""

import contextlib
import os
import pty
import subprocess
import sys

import around
import harness
import outside
from identity import NOBODYS_UID, report, round_of_attacks, users
from scene import Scene, end, make_gifts
from table import Table

TOPICS = ["mounts", "new-mounts", "processes", "pid1", "files", "kernel", "kernel-files", "ipc",
          "read-only", "terminal"]
OVER_FILES = 0b11011  # CAP_CHOWN, DAC_OVERRIDE, FOWNER, FSETID


def attack_from_inside(table, scene, profile):
    """One run with a terminal and a process group that others are in too."""
    words = [harness.SHADOW, "run", f"--profile={profile}", "--", "./attack", "bait", *table.topics]
    victim = scene.victim()
    master, slave = pty.openpty()
    scene.bait.update({"victim": victim.pid, "net": "none" if profile == "strict" else "host",
                       "capabilities": f"{OVER_FILES if scene.owner else 0:016x}"})
    scene.write("bait", "".join(f"{name}={value}\n" for name, value in scene.bait.items()))
    leak = os.open(scene.project, os.O_RDONLY)
    before = outside.look(scene, victim)

    def take_terminal():
        os.setsid()
        os.close(os.open(os.ttyname(slave), os.O_RDWR))

    run = subprocess.Popen(words, cwd=scene.project, env=scene.env, stdin=slave,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, pass_fds=[leak],
                           preexec_fn=take_terminal)
    try:
        out, err = run.communicate(timeout=60)
    finally:
        end(run)
    os.close(leak)
    lines = out.decode(errors="backslashreplace").splitlines()
    for line in lines:
        table.add(*line.split("\t"))
    if run.returncode != 0 or len(lines) < 10 * len(table.topics):
        table.check("the attacks run", " ".join(words[1:5]), False,
                    f"status {run.returncode}, {len(lines)} lines, {err.decode()}")
    outside.compare(table, scene, victim, before)
    outside.look_at_input(table, slave)
    end(victim)
    os.close(master)
    os.close(slave)


def attack_all(table, base, gifts, attack, owner):
    scene = Scene(base, gifts, attack)
    who = "root" if os.geteuid() == 0 else "user"
    if owner:
        scene.give_to(owner)
        who = "root, another's project"
    try:
        for profile in ("default", "strict"):
            table.where = f"{who}, {profile}"
            table.strict = profile == "strict"
            attack_from_inside(table, scene, profile)
    finally:
        scene.close()


def attack_as(uid, owner, attack, manual, topics):
    """What one user tries, in a project of its own or of that owner."""
    def work(base, gifts):
        table = Table(manual)
        table.topics = topics
        attack_all(table, base, gifts, attack, owner)
        table.where = "root" if uid == 0 else "user"
        if not owner:
            around.attack_all(table, base)
        return table.held, table.open, table.failed
    return work


@contextlib.contextmanager
def control_group():
    """A control group to which root could move: one that its files let it, mounted read-only or not."""
    path = None
    with open("/proc/self/mountinfo", encoding="utf-8") as mounts:
        for line in mounts:
            fields = line.split()
            if fields[fields.index("-") + 1] == "cgroup2" and os.access(fields[4], os.W_OK):
                path = f"{fields[4]}/shadow-escape-{os.getpid()}"
    if path:
        try:
            os.mkdir(path)
        except OSError:
            path = None
    try:
        yield
    finally:
        if path:
            os.rmdir(path)


def main():
    attack, page, *topics = sys.argv[1:]
    with open(page, encoding="utf-8") as f:
        manual = f.read()
    results = []
    with control_group():
        rounds = [(uid, None) for uid in users()] + ([(0, NOBODYS_UID)] if os.geteuid() == 0 else [])
        statuses = [round_of_attacks(uid, (lambda base, who=uid: make_gifts(base, who)) if os.geteuid() == 0 else None,
                                     attack_as(uid, owner, attack, manual, topics or TOPICS), results)
                    for uid, owner in rounds]
    report(results, statuses)


main()
