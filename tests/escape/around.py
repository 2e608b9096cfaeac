# SPDX-License-Identifier: MIT
"""Attacks that need the outside to move: what happens to the project, the state and the caller's
processes while a run lives, and what is left when it has ended."""

import os
import shutil
import signal
import subprocess
import time

import between
import harness
from harness import World, fingerprint, wait_until

# $1: where to note a signal, $2: shadow.
PIPELINE = """
trap : USR1
sh -c 'trap ": > $0" USR1; : > $0.ready; while :; do sleep 0.05; done' "$1" &
while [ ! -e "$1.ready" ]; do sleep 0.01; done
"$2" run -- sh -c 'trap "" USR1; kill -USR1 0; renice -n 5 -g 0' >/dev/null 2>&1
sleep 0.2
echo nice $(ps -o nice= -p $!)
kill -KILL $!
"""
DOCUMENTED_SIGNALS = "open: Signals to the caller's process group"


def landlock_abi():
    """What Landlock can: since 6 it keeps signals in. 444 is landlock_create_ruleset everywhere."""
    import ctypes  # pylint: disable=import-outside-toplevel
    return ctypes.CDLL(None).syscall(444, None, 0, 1)


class Waiting:
    """A run that waits until the outside has moved, and then tries `attempt` in sh."""

    def __init__(self, world, attempt):
        world.run("true")  # the session exists, its base is taken
        script = f": > started; read go; {attempt}"
        self.world = world
        self.run = world.start("run", "--", "sh", "-c", script, stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        sessions = os.path.join(world.state, "sessions")
        self.session = os.path.join(sessions, os.listdir(sessions)[0])
        wait_until(lambda: os.path.exists(os.path.join(self.session, "project/upper/started")))

    def go(self):
        try:
            return self.run.communicate(b"\n", timeout=20)[0].decode(errors="backslashreplace")
        finally:
            self.run.kill()
            self.run.wait()


def moved_away(world):
    world.write("file", "real\n")
    away = world.project + "-away"
    waiting = Waiting(world, f"echo escaped > {world.project}/file; echo escaped > file; "
                             f"mkdir {world.project}/made; echo escaped > {world.project}/new")
    os.rename(world.project, away)
    os.mkdir(world.project)
    before = fingerprint(away)
    waiting.go()
    held = os.listdir(world.project) == [] and fingerprint(away) == before
    return [("write when the project was moved away", "mv project; mkdir project", held)]


def removed(world):
    world.write("sub/file", "real\n")
    waiting = Waiting(world, f"echo escaped > {world.project}/new; echo escaped > sub/file; "
                             f"mkdir -p {world.project}/sub; cd /; ls {world.project}")
    subprocess.run(["rm", "-r", world.project], check=True)
    os.mkdir(world.project)
    waiting.go()
    return [("write when the project was removed", "rm -r project; mkdir project",
             os.listdir(world.project) == [])]


def replaced_by_link(world):
    target = os.path.join(world.tmp, "target")
    os.mkdir(target)
    waiting = Waiting(world, f"echo escaped > {world.project}/new; echo escaped > new")
    os.rename(world.project, world.project + "-away")
    os.symlink(target, world.project)
    waiting.go()
    refused = world.sh("echo escaped > new", check=False)
    held = os.listdir(target) == [] and os.listdir(world.project + "-away") == []
    # The next run is of another project, which the link names: it has a session of its own.
    return [("write when a link replaced the project", "ln -s elsewhere project", held),
            ("run in a project that became a link", "shadow run", os.listdir(target) == [],
             refused.err)]


def link_appears(world):
    target = os.path.join(world.tmp, "target")
    with open(target, "w", encoding="utf-8") as f:
        f.write("real\n")
    os.chmod(target, 0o666)
    waiting = Waiting(world, "echo escaped > link; echo escaped > hard")
    os.symlink(target, world.path("link"))
    os.link(target, world.path("hard"))
    waiting.go()
    with open(target, encoding="utf-8") as f:
        held = f.read() == "real\n"
    return [("write through links made meanwhile", "ln, ln -s into the project", held)]


def second_run(world):
    """Two mounts of one upper corrupt it: a second run has to join the first one's."""
    device = f"stat -c %d {world.project}"
    waiting = Waiting(world, device)
    other = world.sh(device + "; echo other > both").out
    own = waiting.go()
    return [("mount the upper twice by a second run", "two runs at a time, device of the view",
             own.strip() == other.strip() != ""),
            ("lose the second run's write", "the first one's mount lives on",
             world.sh("cat both").out == "other\n")]


def shadow_inside(world):
    """A run that starts shadow again: the command is the outer session's, and the host's state is
    never reached."""
    world.write("file", "real\n")
    # Where the view shows it, which below /tmp it would not.
    for name in ("shadow", "shadow-review"):
        shutil.copy(os.path.join(os.path.dirname(harness.SHADOW), name), world.path(name))
    inner = world.path("shadow")
    before = fingerprint(world.project)
    done = world.run(inner, "run", "--", "sh", "-c", "echo inner > file", check=False)
    outer = world.sh("cat file").out
    listed = world.shadow("list").out
    held = fingerprint(world.project) == before
    held_state = not os.path.isdir(os.path.join(world.home, ".local"))
    return [("run shadow in a run", "shadow run -- shadow run -- write", held and held_state),
            ("confuse shadow by running it in a run", "status, the outer session's file",
             done.returncode == 0 and outer == "inner\n" and "\n" in listed,
             f"status {done.returncode}, {done.err!r}, {outer!r}"),
            ("apply from a run", "shadow run -- shadow apply",
             world.run(inner, "apply", "--yes", check=False).returncode != 0 and
             fingerprint(world.project) == before)]


def orphans(world):
    """Processes that leave session, group and parent behind them end with the run all the same."""
    script = ("(setsid sh -c 'trap \"\" HUP TERM INT; while :; do date > alive; sleep 0.02; done' "
              "</dev/null >/dev/null 2>&1 &) ; while [ ! -s alive ]; do sleep 0.05; done")
    results = []
    world.sh(script)
    results.append(("live on after the run", "setsid, double fork, signals ignored",
                    nobody_writes(world)))
    for name, number in (("SIGKILL", signal.SIGKILL), ("SIGTERM", signal.SIGTERM)):
        run = world.start("run", "--", "sh", "-c", script + "; sleep 100")
        wait_until(lambda: world_writes(world))
        run.send_signal(number)
        run.wait()
        results.append((f"live on when shadow gets {name}", "setsid, double fork, signals ignored",
                        nobody_writes(world)))
    return results


def alive_file(world):
    sessions = os.path.join(world.state, "sessions")
    for name in os.listdir(sessions):
        path = os.path.join(sessions, name, "project/upper/alive")
        if os.path.exists(path):
            return path
    return None


def world_writes(world):
    path = alive_file(world)
    return path and time.time() - os.stat(path).st_mtime < 0.1 * harness.TIME_FACTOR


def nobody_writes(world):
    path = alive_file(world)
    if not path:
        return False
    try:
        wait_until(lambda: time.time() - os.stat(path).st_mtime > 0.3 * harness.TIME_FACTOR, seconds=3)
        return True
    except AssertionError:
        return False


def group_of_caller(world):
    """What a pipeline shares with the run: its process group."""
    signalled = os.path.join(world.tmp, "signalled")
    done = subprocess.run(["sh", "-c", PIPELINE, "sh", signalled, harness.SHADOW],
                          cwd=world.project, env=world.env, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, start_new_session=True, check=False)
    reached = os.path.exists(signalled)
    table = [("signal the rest of the pipeline", "kill(0)",
              DOCUMENTED_SIGNALS if landlock_abi() < 6 else "held", "OK" if reached else "held")]
    slowed = b"nice 5" in done.stdout
    table.append(("slow the rest of the pipeline", "renice -g 0",
                  "open: Side channels and denial of service", "OK" if slowed else "held"))
    return table


def standard_input(world):
    """A descriptor that was handed over leads to the real file, past every mount of the run."""
    path = os.path.join(world.tmp, "input")
    with open(path, "w", encoding="utf-8") as f:
        f.write("real\n")
    with open(path, "rb") as f:
        world.start("run", "--", "sh", "-c", "echo escaped > /proc/self/fd/0", stdin=f).wait()
    with open(path, encoding="utf-8") as f:
        changed = f.read() != "real\n"
    return [("write to a file that is the standard input", "open /proc/self/fd/0",
             "open: Standard input, output and error", "OK" if changed else "held")]


def other_name_of_state(world):
    """Only root can give a directory a second name: a bind mount."""
    if os.geteuid() != 0:
        return []
    other = os.path.join(world.tmp, "other-name")
    os.mkdir(other)
    world.run("true")
    world.wait_settled()  # what is done in the background makes and renames files, too
    subprocess.run(["mount", "--bind", world.state, other], check=True)
    try:
        before = sorted(os.listdir(world.state))
        listed = world.sh(f"ls {other}", check=False).out
        world.sh(f"echo x > {other}/escaped; echo x > {other}/shadow.db", check=False)
        hidden = world.shadow("run", "--hide", other, "--", "ls", "-A", other, check=False).out
        held = "escaped" not in os.listdir(other) and \
            set(before) <= set(os.listdir(world.state)) and \
            os.path.getsize(os.path.join(world.state, "shadow.db")) > 100
    finally:
        subprocess.run(["umount", other], check=True)
    return [("write the state by another name", "a bind mount of it", held),
            ("list the state by another name, hidden", "--hide of the bind mount", hidden == ""),
            ("list the state by another name", "a bind mount of it",
             "open: Other names of hidden files", "OK" if listed else "held")]


ATTACKS = [moved_away, removed, replaced_by_link, link_appears, second_run, shadow_inside, orphans,
           group_of_caller, standard_input, other_name_of_state]


def attack_all(table, base):
    for attack in [*ATTACKS, *between.ATTACKS]:
        world = World(base)
        try:
            for line in attack(world):
                if isinstance(line[2], str):
                    table.add("around", *line)
                else:
                    table.check(*line)
        finally:
            world.close()
