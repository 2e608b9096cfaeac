# SPDX-License-Identifier: MIT
"""What is looked at from outside before and after the attacks."""

import fcntl
import os
import socket
import termios

from harness import fingerprint


def mounts_of_attacks():
    with open("/proc/self/mountinfo", encoding="utf-8") as f:
        return [line for line in f if "/escape-" in line]


def look(scene, victim):
    """Everything of the host that an attack could have changed."""
    return {
        "the project": fingerprint(scene.project),
        "the home": fingerprint(scene.home),
        "the files outside": fingerprint(scene.outside),
        "the host's name": socket.gethostname(),
        "the victim's priority": os.getpriority(os.PRIO_PROCESS, victim.pid),
        "the victim's processors": os.sched_getaffinity(victim.pid),
        "the host's mounts": mounts_of_attacks(),
        "/etc": os.path.exists("/etc/shadow-escape"),
    }


def compare(table, scene, victim, before):
    table.check("the victim lives", "kill, ptrace, limits", victim.poll() is None,
                f"ended with {victim.returncode}")
    after = look(scene, victim) if victim.poll() is None else {}
    for what in before:
        if what in after:
            table.check(f"{what} is as before", "compared with before the attacks",
                        after[what] == before[what], difference(before[what], after[what]))


def difference(before, after):
    if isinstance(before, list):
        return str([item for item in after if item not in before][:3])
    return f"{before} -> {after}"


def look_at_input(table, slave):
    """Whether something waits on the terminal that nobody has typed."""
    waiting = fcntl.ioctl(slave, termios.FIONREAD, bytes(4))
    table.check("nothing was typed", "FIONREAD of the caller's terminal", waiting == bytes(4),
                repr(waiting))
