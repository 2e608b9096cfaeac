# SPDX-License-Identifier: MIT
"""Limits hold, and what the run does against them leaves the host as it was.

Where this machine has no control group for a limit, the test proves the error that says so instead:
the same limit is proved to hold where there is one (root's run of the suite, on most machines).
"""

import json
import os
import re
import subprocess
import sys
import time

import harness
from runs import BOMB, HOG, MEGABYTE, limited


# The same with a user namespace for each, which count processes of their own.
NESTED_BOMB = BOMB.replace("    try:\n        pid", "    unshare(0x10000000)\n    try:\n        pid").replace(
    "import os, time\n", "import ctypes, os, time\nunshare = ctypes.CDLL(None).unshare\n")
SPIN = """
import time
begun, end = time.process_time(), time.time() + 1.5
while time.time() < end:
    pass
print((time.process_time() - begun) / 1.5)
"""


def test_memory(world):
    """--memory holds for all processes together; what exceeds it is killed, and the log says so."""
    two = f'"{sys.executable}" hog.py > one & "{sys.executable}" hog.py > two & wait; cat one two'
    world.write("hog.py", HOG)
    done = limited(world, "--memory=96M", "--", "sh", "-c", two)
    if done is None:
        return
    sums = [int(line) for line in done.out.split() if line.isdigit()]
    assert sums.count(200) == 0 and max(sums) < 96, done.out[-200:]
    done = world.shadow("run", "--memory=64M", "--", sys.executable, "hog.py", check=False)
    assert done.returncode == 137, done
    assert "memory" in world.shadow("--json", "log").out.splitlines()[0]


def test_memory_of_a_profile_falls_back(world):
    """A memory limit that only a profile brings holds, in sum or, with a warning, per process."""
    world.write("hog.py", HOG.replace("range(400)", "range(700)"))
    done = world.shadow("run", "--profile=strict", "--", sys.executable, "hog.py", check=False)
    lines = done.out.split()
    reached = max(int(line) for line in lines if line.isdigit())
    assert reached < 520, reached
    if done.err:
        assert "per process" in done.err and done.err.count("\n") == 1, done.err
        shown = world.shadow("run", "--profile=strict", "--print-policy")
        assert "per process" in shown.err, shown


def test_processors(world):
    """--cpus holds: half a processor does half the work."""
    done = limited(world, "--cpus=0.5", "--", sys.executable, "-c", SPIN)
    if done is not None:
        assert float(done.out) < 0.75, done.out


def test_processes(world):
    """--pids holds against a fork bomb, which ends with its run and leaves the host as it was."""
    done = limited(world, "--pids=20", "--timeout=20s", "--", sys.executable, "-c", BOMB)
    if done is None:
        return
    nested = limited(world, "--pids=20", "--timeout=20s", "--", sys.executable, "-c", NESTED_BOMB)
    for out in (done.out, nested.out):
        counts = [int(line.split()[1]) for line in out.splitlines() if line.startswith("proc")]
        assert counts and max(counts) <= 21, out  # 1: the run's own
    harness.wait_until(lambda: not world.processes(), what="the bomb's end")
    # Another run of the session has its own count.
    assert limited(world, "--pids=20", "--", "echo", "fine").out == "fine\n"


def test_size_of_tmp(world):
    """--tmp-size holds: what fills /tmp meets its end there, and the next run finds it empty."""
    done = world.shadow("run", "--tmp-size=2M", "--", "sh", "-c",
                        "head -c 50000000 /dev/zero > /tmp/full; stat -c %s /tmp/full; df -k /tmp",
                        check=False)
    assert "No space left" in done.err, done
    assert int(done.out.split()[0]) <= 2 * MEGABYTE and " 2048 " in done.out, done.out
    assert "full" not in world.shadow("run", "--tmp-size=2M", "--", "ls", "/tmp").out


def test_size_of_a_file(world):
    """--file-size ends runaway output at its bound."""
    done = world.shadow("run", "--file-size=1M", "--", "sh", "-c",
                        "(yes runaway > log); stat -c %s log", check=False)
    assert int(done.out.split()[0]) == MEGABYTE, done


def test_open_files(world):
    """--open-files bounds the descriptors of each process, and no process can raise it."""
    script = ("import os, resource\n"
              "try:\n    resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100))\n    print('raised')\n"
              "except ValueError:\n    pass\n"
              "held = []\n"
              "try:\n    while True:\n        held.append(os.dup(0))\n"
              "except OSError as error:\n    print(len(held) + 3)\n")
    done = world.shadow("run", "--open-files=40", "--", sys.executable, "-c", script)
    assert done.out == "40\n", done


def test_timeout(world):
    """--timeout ends the run with status 124, also one that ignores signals, and log says so."""
    script = "trap '' TERM; (setsid sleep 1000 &); while :; do sleep 0.05; done"
    begun = time.time()
    done = world.shadow("run", "--timeout=300ms", "--", "sh", "-c", script, check=False)
    assert done.returncode == 124 and time.time() - begun < 8 * harness.TIME_FACTOR, (done, time.time() - begun)
    harness.wait_until(lambda: not world.processes(), what="no process left")
    assert "time-out" in world.shadow("log").out
    record = json.loads(world.shadow("--json", "log").out.splitlines()[0])
    assert "timeout" in json.dumps(record), record
    assert world.shadow("run", "--timeout=10s", "--", "echo", "in time").out == "in time\n"


def test_runaway_output(world):
    """Output without end goes to its reader as fast as that reads, and ends when it leaves."""
    run = world.start("run", "--", "yes", stdout=subprocess.PIPE)
    assert len(run.stdout.read(MEGABYTE)) == MEGABYTE
    run.stdout.close()
    assert run.wait(timeout=10) in (1, 128 + 13), run.returncode  # SIGPIPE, or yes says why
    harness.wait_until(lambda: not world.processes(), what="no process left")


def test_limits_cannot_be_lifted_from_inside(world):
    """A run cannot raise its limits, leave its control groups, or make namespaces to do so."""
    script = ("ulimit -n 100; ulimit -f 100000; ulimit -u 1000; "
              "for d in /sys/fs/cgroup /sys/fs/cgroup/*/; do mkdir $d/x; "
              "echo $$ > $d/cgroup.procs; done; unshare -Ur --mount --cgroup sh -c "
              "'mount -t cgroup2 none /mnt && echo $$ >/mnt/cgroup.procs && echo lifted'")
    done = world.shadow("run", "--open-files=40", "--file-size=1M", "--", "sh", "-c", script + "; true")
    assert "lifted" not in done.out, done
    refused = [line for line in done.err.splitlines() if line]
    assert len(refused) >= 3, done.err


def test_wrong_limits_are_named(world):
    """A limit that is no number is an error that names the option, and nothing is run."""
    for option, value in (("memory", "lots"), ("cpus", "-1"), ("pids", "1.5"), ("tmp-size", "5X"),
                          ("timeout", "soon"), ("open-files", ""), ("file-size", "-")):
        done = world.shadow("run", f"--{option}={value}", "--", "echo", "ran", check=False)
        assert done.returncode == 125 and done.out == "" and option in done.err, (option, done)


def test_limit_that_cannot_be_had(world):
    """A limit asked for by name that this host cannot enforce is an error that names the mend."""
    if os.geteuid() == 0:
        raise harness.NotHere("root may make control groups; the error is proved as a user")
    outcomes = [limited(world, f"--{option}", "--", "echo", "ran")
                for option in ("memory=64M", "cpus=0.5")]
    for done in outcomes:  # enforced, or refused with the mend: never ignored
        assert done is None or (done.out == "ran\n" and done.err == ""), done


def delegated_groups(uid):
    """Control groups for `uid`, as an administrator hands them over: where to move in, what to remove."""
    move, made = [], []
    with open("/proc/self/mountinfo", encoding="utf-8") as mounts:
        lines = [line.split() for line in mounts]
    for fields in lines:
        kind, _, options = fields[fields.index("-") + 1:]
        if kind == "cgroup2" and "memory" in harness.content(f"{fields[4]}/cgroup.controllers"):
            with open(f"{fields[4]}/cgroup.subtree_control", "w", encoding="utf-8") as f:
                f.write("+memory +cpu")
            top = f"{fields[4]}/shadow-test-{uid}"
            made += [top, f"{top}/leaf"]
            move.append(f"{top}/leaf/cgroup.procs")
        elif kind == "cgroup" and {"memory", "cpu"} & set(options.split(",")):
            made.append(f"{fields[4]}/shadow-test-{uid}")
            move.append(f"{made[-1]}/cgroup.procs")
    for path in made:
        os.mkdir(path)
        os.chown(path, uid, uid)
        for name in ("cgroup.procs", "cgroup.subtree_control"):
            if os.path.exists(f"{path}/{name}"):
                os.chown(f"{path}/{name}", uid, uid)
    return move, made


def test_delegated_groups(world):
    """An ordinary user to whom control groups were delegated has memory and processors limited in sum."""
    if os.geteuid() != 0:
        raise harness.NotHere("only root delegates; root's run of the suite proves it")
    uid = 64323  # no user has this number
    world.write("hog.py", HOG)
    os.chmod(world.tmp, 0o755)
    subprocess.run(["chown", "-R", f"{uid}:{uid}", world.tmp], check=True)
    try:
        move, made = delegated_groups(uid)
    except OSError as error:
        raise harness.NotHere(f"no control groups to delegate: {error}") from error
    python = "/usr/bin/python3"  # root's own may be closed to others
    script = f"for f in {' '.join(move)}; do echo $$ > $f; done; " \
             f'exec setpriv --reuid={uid} --regid={uid} --clear-groups "$@"'

    def run(*words):
        return subprocess.run(["sh", "-c", script, "sh", harness.SHADOW, "run", *words],
                              cwd=world.project, env=world.env, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=60, check=False)

    try:
        if subprocess.run(["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups",
                           harness.SHADOW, "--version"], capture_output=True, check=False).returncode:
            raise harness.NotHere("another user cannot execute the built program")
        if not move or not os.access(python, os.X_OK):
            raise harness.NotHere("this machine has no control groups, or no Python for all")
        done = run("--memory=64M", "--", "sh", "-c", "$0 hog.py; $0 hog.py", python)
        assert "cannot limit" not in done.stderr, done
        assert max(int(line) for line in done.stdout.split() if line.isdigit()) < 70, done
        done = run("--cpus=0.5", "--", python, "-c", SPIN)
        assert float(done.stdout) < 0.75, done
    finally:
        world.wait_settled()
        for path in reversed(made):
            harness.wait_until(lambda path=path: remove(path), what=f"{path} is empty")


def remove(path):
    try:
        os.rmdir(path)
    except OSError:
        return False
    return True



def test_the_way_to_groups_that_doctor_names(world):
    """Where nobody delegates control groups, doctor names a command for the user's shell; after it limits hold."""
    if os.geteuid() != 0:
        raise harness.NotHere("only root delegates; root's run of the suite proves it")
    uid = 64324  # no user has this number
    os.chmod(world.tmp, 0o755)
    subprocess.run(["chown", "-R", f"{uid}:{uid}", world.tmp], check=True)
    as_user = ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups"]

    def advice():
        done = subprocess.run([*as_user, harness.SHADOW, "doctor", "--json"], cwd=world.project, env=world.env,
                              capture_output=True, text=True, timeout=120, check=False)
        found = {finding["name"]: finding.get("mend", "") for finding in json.loads(done.stdout)["findings"]}
        return found["limit of memory"]

    if "sudo sh -c" not in (mend := advice()):
        raise harness.NotHere(f"no control groups to delegate: {mend}")
    way = mend[mend.index("sudo ") + len("sudo "):]
    place = re.search(r"D=([^;]*)", way)[1]
    try:
        # Root moves its shell, which then goes on as the user.
        done = subprocess.run(["sh", "-c", f'{way}; exec "$@"', "sh", *as_user, harness.SHADOW, "run", "--memory=64M",
                               "--", "echo", "limited"], cwd=world.project, env=world.env, capture_output=True,
                              text=True, timeout=60, check=False)
        assert done.stdout == "limited\n", (way, done)
    finally:
        world.wait_settled()
        for path in (f"{place}/shell", place):
            if os.path.exists(path):
                harness.wait_until(lambda path=path: remove(path), what=f"{path} is empty")


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
