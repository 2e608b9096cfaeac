# SPDX-License-Identifier: MIT
"""escape_test.py ATTACK MANUAL [TOPIC...]: tries to get out of a run, in the default and the strict profile.

As an ordinary user, and when root starts it first as a user of no name and then as root. Every line
says what was tried, how, and what came of it; the last one how many attacks were held. With topics only
these attacks from inside are tried, and what is done from around a run.
"""

import contextlib
import os
import pty
import shutil
import subprocess
import sys
import tempfile
import traceback

import around
import harness
import outside
from scene import Scene, end, make_gifts
from table import Table

TOPICS = ["mounts", "new-mounts", "processes", "pid1", "files", "kernel", "kernel-files", "ipc",
          "read-only", "terminal"]
# No user has this number; nothing but the scene's own files belongs to it.
NOBODYS_UID = 64321


def attack_from_inside(table, scene, profile):
    """One run with a terminal and a process group that others are in too."""
    words = [harness.SHADOW, "run", f"--profile={profile}", "--", "./attack", "bait", *table.topics]
    victim = scene.victim()
    master, slave = pty.openpty()
    scene.bait.update({"victim": victim.pid, "net": "none" if profile == "strict" else "host"})
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


def attack_all(table, base, gifts, attack):
    scene = Scene(base, gifts, attack)
    who = "root" if os.geteuid() == 0 else "user"
    try:
        for profile in ("default", "strict"):
            table.where = f"{who}, {profile}"
            table.strict = profile == "strict"
            attack_from_inside(table, scene, profile)
    finally:
        scene.close()


def in_child(uid, work):
    """`work` as another user, in a process of its own; its exit status."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            if uid != os.geteuid():
                os.setgroups([])
                os.setresgid(uid, uid, uid)
                os.setresuid(uid, uid, uid)
            status = work()
        except BaseException:  # pylint: disable=broad-except
            traceback.print_exc(file=sys.stdout)
        sys.stdout.flush()
        os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def round_of_attacks(uid, attack, manual, topics, results):
    base = tempfile.mkdtemp(prefix="shadow-escape-", dir=place())
    os.chmod(base, 0o755)
    gifts = make_gifts(base, uid) if os.geteuid() == 0 else None
    os.chown(base, uid, uid)

    def work():
        table = Table(manual)
        table.topics = topics
        attack_all(table, base, gifts, attack)
        table.where = "root" if uid == 0 else "user"
        around.attack_all(table, base)
        with open(os.path.join(base, "result"), "w", encoding="utf-8") as f:
            f.write(f"{table.held} {table.open} {table.failed}")
        return 1 if table.failed else 0

    try:
        status = in_child(uid, work)
        if status < 0:
            print(f"not ok - the attacks of user {uid}: killed by signal {-status}", flush=True)
        with open(os.path.join(base, "result"), encoding="utf-8") as f:
            results.append([int(word) for word in f.read().split()])
        return status
    except OSError:
        traceback.print_exc(file=sys.stdout)
        return 1
    finally:
        shutil.rmtree(base, ignore_errors=True)


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


def place():
    """Where the run shows the host's files: below /tmp and /var/tmp it has directories of its own."""
    return os.environ.get("SHADOW_TEST_DIR") or ("/var/lib" if os.geteuid() == 0 else None)


def main():
    attack, page, *topics = sys.argv[1:]
    with open(page, encoding="utf-8") as f:
        manual = f.read()
    users = [NOBODYS_UID, 0] if os.geteuid() == 0 else [os.geteuid()]
    results = []
    with control_group():
        statuses = [round_of_attacks(uid, attack, manual, topics or TOPICS, results)
                    for uid in users]
    held, opened, failed = (sum(column) for column in zip(*results)) if results else (0, 0, 1)
    print(f"# {held + opened + failed} attacks, {held} held, {opened} open and documented, "
          f"{failed} got out")
    sys.exit(max(statuses))


main()
