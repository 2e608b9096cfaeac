# SPDX-License-Identifier: MIT
"""`shadow doctor` is right about the place it is started in, and runs do what it says."""

import json
import os
import platform
import re
import shlex
import socket
import struct
import subprocess
import sys
import time
from signal import SIGHUP, SIGINT, SIGKILL, SIGTERM

import harness
from container import bwrap
from harness import SHADOW, NotHere, wait_until

NOT_STARTED = 125


def outcome(w, around, *words, env=None):
    """What `shadow WORDS` says when it is started through the words of `around`."""
    return subprocess.run([*around, SHADOW, *words], cwd=w.project, env={**w.env, **(env or {})},
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
                          check=False)


def findings(w, around=(), env=None):
    """The findings by name."""
    done = outcome(w, around, "doctor", "--json", env=env)
    assert done.stdout, (done.returncode, done.stderr)
    found = json.loads(done.stdout)["findings"]
    return {one["name"]: one for one in found}


def health(found, name):
    return found[name]["health"]


def check_works(w, around=(), env=None):
    """A run and an apply do their job."""
    w.git_project()
    ran = outcome(w, around, "run", "--", "sh", "-c", "echo agent >> a.txt", env=env)
    assert ran.returncode == 0, ran.stderr
    assert "agent" not in w.read("a.txt")
    applied = outcome(w, around, "apply", "--yes", env=env)
    assert applied.returncode == 0, applied.stderr
    assert w.read("a.txt").endswith("agent\n")


def test_plain(w):
    """On a machine on which runs work everything that they need is ok."""
    found = findings(w)
    for name in ["user namespaces", "nested namespaces", "read-only host", "private network",
                 "terminal filter", "state directory", "overlay", "project"]:
        assert health(found, name) == "ok", found[name]
    check_works(w)


def test_inside_bwrap(w):
    """In the sandbox of another program runs work where it lets them, and the doctor says so."""
    around = bwrap(w)
    found = findings(w, around)
    assert health(found, "overlay") == "ok"
    if health(found, "nested namespaces") == "ok":
        check_works(w, around)
        return
    # Root's bubblewrap covers parts of /proc, and the kernel then refuses a new one.
    ran = outcome(w, around, "run", "--", "touch", "made")
    assert ran.returncode == NOT_STARTED, ran.stderr
    assert found["nested namespaces"]["cause"] in ran.stderr, (found, ran.stderr)
    assert not os.path.exists(w.path("made"))


def test_without_namespaces(w):
    """Where no user namespace can be made the doctor says why, and a run does not start."""
    around = bwrap(w, "--unshare-user", "--disable-userns")
    found = findings(w, around)
    assert health(found, "user namespaces") == "cannot"
    assert "user.max_user_namespaces" in found["user namespaces"]["cause"], found
    ran = outcome(w, around, "run", "--", "touch", "made")
    assert ran.returncode == NOT_STARTED and "max_user_namespaces" in ran.stderr, ran.stderr
    assert not os.path.exists(w.path("made"))


def container_filter():
    """What container runtimes refuse by default: unshare(2), clone(2) with CLONE_NEWUSER (EPERM) and
    clone3(2) (ENOSYS, so that the C library falls back)."""
    if platform.machine() != "x86_64":
        raise NotHere("the numbers of system calls are those of x86_64")
    load, equal, any_bit, give = 0x20, 0x15, 0x45, 0x06
    refuse, allow = 0x00050000, 0x7FFF0000
    unshare, clone, clone3, new_user = 272, 56, 435, 0x10000000
    program = [
        (load, 0, 0, 0),
        (equal, 4, 0, unshare),
        (equal, 4, 0, clone3),
        (equal, 0, 4, clone),
        (load, 0, 0, 16),
        (any_bit, 0, 2, new_user),
        (give, 0, 0, refuse | 1),
        (give, 0, 0, refuse | 38),
        (give, 0, 0, allow),
    ]
    return b"".join(struct.pack("HBBI", *instruction) for instruction in program)


def test_in_a_container(w):
    """Where a container's filter refuses new namespaces nothing runs unprotected."""
    path = os.path.join(w.tmp, "filter")
    with open(path, "wb") as f:
        f.write(container_filter())
    around = ["sh", "-c", f'exec 9<"{path}"; exec "$@"', "sh", *bwrap(w), "--seccomp", "9"]
    found = findings(w, around)
    assert health(found, "user namespaces") == "cannot"
    ran = outcome(w, around, "run", "--", "touch", "made")
    assert ran.returncode == NOT_STARTED and "seccomp" in ran.stderr, ran.stderr
    # A run's error names the doctor, which does not name itself.
    assert "shadow doctor" in ran.stderr
    assert not [one for one in found.values() if "shadow doctor" in one["mend"]], found
    assert not os.path.exists(w.path("made"))


# $1: the number of a system call that the kernel is not to have. Then the words to start.
WITHOUT_CALL = """
import ctypes, os, struct, sys
load, equal, give = 0x20, 0x15, 0x06
program = b"".join(struct.pack("HBBI", *one) for one in [
    (load, 0, 0, 0), (equal, 0, 1, int(sys.argv[1])), (give, 0, 0, 0x00050000 | 38),
    (give, 0, 0, 0x7FFF0000)])
code = ctypes.create_string_buffer(program)
filter = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(code)))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, filter, 0, 0) == 0, ctypes.get_errno()
os.execvp(sys.argv[2], sys.argv[2:])
"""
LANDLOCK_CREATE_RULESET = 444  # on every architecture


def without(call):
    return [sys.executable, "-c", WITHOUT_CALL, str(call)]


def test_without_landlock(w):
    """On a kernel without Landlock runs work, and the doctor says what is less."""
    around = without(LANDLOCK_CREATE_RULESET)
    found = findings(w, around)
    assert health(found, "Landlock") == "degraded", found
    assert "--net=none" in found["Landlock"]["mend"], found
    check_works(w, around)
    for words, gaps in [([], ["abstract sockets", "signals to the caller's process group"]),
                        (["--net=none"], ["signals to the caller's process group"])]:
        shown = outcome(w, around, "--json", "run", *words, "--print-policy")
        assert json.loads(shown.stdout)["left_open"] == gaps, shown
        text = outcome(w, around, "run", *words, "--print-policy").stdout
        assert [line.split("  ")[0] for line in text.splitlines()].count("left open") == len(gaps)
    with socket.socket(socket.AF_UNIX) as listener:
        name = f"shadow-doctor-{os.getpid()}"
        listener.bind("\0" + name)
        listener.listen()
        script = f"import socket; socket.socket(socket.AF_UNIX).connect('\\0{name}')"
        reached = outcome(w, around, "run", "--", sys.executable, "-c", script)
        assert reached.returncode == 0, reached.stderr  # as the manual says, before Linux 6.12
        closed = outcome(w, around, "run", "--net=none", "--", sys.executable, "-c", script)
        assert closed.returncode != 0 and "refused" in closed.stderr, closed


def test_without_seccomp(w):
    """On a kernel without seccomp nothing runs: input could be pushed into the terminal."""
    if platform.machine() != "x86_64":
        raise NotHere("the numbers of system calls are those of x86_64")
    around = without(317)  # seccomp(2)
    found = findings(w, around)
    assert health(found, "terminal filter") == "cannot", found
    ran = outcome(w, around, "run", "--", "touch", "made")
    assert ran.returncode == NOT_STARTED and "terminal filter" in ran.stderr, ran.stderr
    assert not os.path.exists(w.path("made"))


def test_without_new_mount_calls(w):
    """On a kernel that lacks what the view is made with, nothing runs."""
    for call in (430, 442):  # fsopen(2), mount_setattr(2), on every architecture
        ran = outcome(w, without(call), "run", "--", "touch", "made")
        assert ran.returncode == NOT_STARTED and "not implemented" in ran.stderr, ran.stderr
    assert not os.path.exists(w.path("made"))
    done = outcome(w, without(442), "doctor", "--json")
    assert done.returncode == 2, done


def mapped_root(script):
    """A shell as root of a user namespace that maps one id, as a rootless container may."""
    around = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
              f'{script}\nexec "$@"', "sh"]
    tried = subprocess.run([*around, "true"], capture_output=True, text=True, check=False)
    if tried.returncode != 0:
        raise NotHere(f"unshare does not work here: {tried.stderr.strip()}")
    return around


def test_root_of_a_container(w):
    """The root of a user namespace has its own ids only, and works with these."""
    around = mapped_root("")
    assert health(findings(w, around), "user namespaces") == "ok"
    check_works(w, around)


def test_state_in_memory(w):
    """A state in memory works, and is said not to last; where it cannot work, doctor says what a run says."""
    around = mapped_root(f"mkdir -p {w.tmp}/mem; mount -t tmpfs none {w.tmp}/mem")
    env = {"SHADOW_STATE_DIR": f"{w.tmp}/mem/state"}
    found = findings(w, around, env)["state directory"]
    w.git_project()
    ran = outcome(w, around, "run", "--", "sh", "-c", "echo x > made && cat made", env=env)
    if not harness.tmpfs_holds_attributes():
        assert found["health"] == "cannot" and "attributes" in found["cause"], found
        assert ran.returncode == NOT_STARTED and "attributes" in ran.stderr, ran.stderr
        return
    assert found["health"] == "degraded" and "restart" in found["cause"], found
    assert ran.stdout == "x\n", (ran.returncode, ran.stderr)
    assert not os.path.exists(w.path("made"))


def test_mount_below_the_project(w):
    """A project with another filesystem mounted below it is refused by name, also by a run."""
    os.mkdir(w.path("data"))
    around = mapped_root(f"mount -t tmpfs none {w.path('data')}")
    found = findings(w, around)
    assert health(found, "project") == "cannot"
    assert w.path("data") in found["project"]["cause"]
    ran = outcome(w, around, "run", "--", "touch", "made")
    assert ran.returncode == NOT_STARTED and w.path("data") in ran.stderr, ran.stderr
    assert not os.path.exists(w.path("made"))


def test_no_place_for_the_state(w):
    """Where the state can be neither made nor written, run, status and doctor say so and what will do; the doctor
    looks at the rest of the machine all the same."""
    none = {"SHADOW_STATE_DIR": "", "XDG_STATE_HOME": ""}
    made = os.path.join(w.tmp, "made", "state")
    os.makedirs(made, mode=0o700)
    read_only = mapped_root(f"mount --bind {w.tmp}/made {w.tmp}/made; mount -o remount,bind,ro {w.tmp}/made")
    for around, env, cause in [
            ((), {**none, "HOME": "/nonexistent"}, "cannot make"),
            ((), {**none, "XDG_STATE_HOME": "/dev/null"}, "not a directory"),
            ((), {**none, "HOME": "/dev/null"}, "not a directory"),
            (read_only, {"SHADOW_STATE_DIR": f"{w.tmp}/made/other"}, "read-only"),
            (read_only, {"SHADOW_STATE_DIR": made}, "cannot write to the state directory"),
            ((), {**none, "HOME": ""}, "HOME is not set"),
            ((), {**none, "HOME": "here"}, "HOME is 'here', which is not an absolute path")]:
        if env.get("HOME") == "/nonexistent" and os.geteuid() == 0:
            continue  # root can make it
        done = outcome(w, around, "doctor", "--json", env=env)
        found = {one["name"]: one for one in json.loads(done.stdout)["findings"]}
        assert done.returncode == 2, done
        assert health(found, "user namespaces") == "ok" and "run" not in found, found
        state = found["state directory"]
        assert state["health"] == "cannot" and cause in state["cause"] and state["mend"], state
        for words, status in ((["run", "--", "touch", "made"], NOT_STARTED), (["status"], 2)):
            refused = outcome(w, around, *words, env=env)
            assert refused.returncode == status, refused
            assert state["cause"] in refused.stderr and state["mend"] in refused.stderr, (state, refused)
        advised = re.match(r"export SHADOW_STATE_DIR=(\S+)", state["mend"])
        assert advised or "set HOME, or SHADOW_STATE_DIR" in state["mend"], state
        if advised:
            place = shlex.split(advised[1])[0]
            ours = not os.path.exists(place)
            ran = outcome(w, around, "run", "--", "true", env={**env, "SHADOW_STATE_DIR": place})
            assert ran.returncode == 0, (place, ran)
            outcome(w, around, "discard", "--all-sessions", "--yes", env={**env, "SHADOW_STATE_DIR": place})
            if ours and place.startswith("/var/tmp/"):  # where a process of the ended run may still be at work
                wait_until(lambda: subprocess.run(["sh", "-c", 'chmod -R u+rwX "$0"; rm -rf "$0"', place], check=False,
                                                  capture_output=True).returncode == 0)
    assert not os.path.exists(w.path("made"))


def test_sessions_in_a_state_that_became_read_only(w):
    """Where a state with sessions cannot be written any more, a review is told of them, not only of another place."""
    w.sh("echo x >made")
    w.wait_settled()
    read_only = mapped_root(f"mount --bind {w.state} {w.state}; mount -o remount,bind,ro {w.state}")
    for words in (["status"], ["diff"], ["apply", "--yes"], ["list"], ["run", "--", "true"]):
        refused = outcome(w, read_only, *words)
        hint = refused.stderr.partition("hint: ")[2]
        assert refused.returncode in (2, NOT_STARTED) and hint.startswith("the sessions in it can be reviewed"), refused
        assert "remount" in hint, hint


def test_left_by_a_doctor(w):
    """An examination that a signal ends leaves nothing; what one that is killed leaves gc removes."""
    places = {"TMPDIR": w.tmp}

    def left():
        sessions = json.loads(w.shadow("list", "--json").stdout)["sessions"]
        return [name for name in os.listdir(w.tmp) if name.startswith("shadow-doctor-")], sessions

    def examined(signal, after):
        with w.start("doctor", env=places, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                     start_new_session=True) as doctor:
            wait_until(lambda: left()[0], what="its project")
            time.sleep(after)
            (os.killpg if signal == SIGINT else os.kill)(doctor.pid, signal)
            doctor.wait(timeout=60)
            return doctor.returncode

    for signal, after in ((SIGTERM, 0), (SIGINT, 0.1), (SIGHUP, 0.3), (SIGTERM, 0.6)):
        status = examined(signal, after)
        assert status in (-signal, 0, 1), status
        assert left() == ([], []), (signal, after, left())
    for after in (0.1, 0.2, 0.35, 0.5):
        examined(SIGKILL, after)
    w.wait_settled()
    directories, sessions = left()
    assert directories, "it ended too soon"
    wait_until(lambda: not json.loads(w.shadow("gc", "--json").stdout)["live"], what="the trial's end")
    w.shadow("gc")
    if sessions:
        assert left()[1] == [] and len(left()[0]) < len(directories), left()


def test_left_before_the_first_session(w):
    """What a doctor that was killed before its first run has left goes with gc, once it is old; nothing else does."""
    env = {"TMPDIR": w.tmp}
    for name, inside, old in (("shadow-doctor-aB3dE9", "project/part", True), ("shadow-doctor-young1", "project", False),
                              ("shadow-doctor-notes1", "mine", True), ("shadow-doctor-notes", "project", True)):
        os.makedirs(os.path.join(w.tmp, name, inside))
        if old:
            os.utime(os.path.join(w.tmp, name), (0, 0))
    assert json.loads(w.shadow("gc", "-n", "--json", env=env).out)["trash"] == 1
    w.shadow("gc", env=env)
    assert sorted(name for name in os.listdir(w.tmp) if name.startswith("shadow-doctor-")) == [
        "shadow-doctor-notes", "shadow-doctor-notes1", "shadow-doctor-young1"]


def test_a_place_that_is_no_project(w):
    """From the home, where one stands after the installation, the doctor has nothing to complain of; where a
    project was named that cannot be one, it says that this is left out."""
    done = outcome(w, (), "doctor", "--json", env={"HOME": w.project})
    assert done.stderr == "" and json.loads(done.stdout)["health"] != "cannot", done
    done = outcome(w, (), "-C", "/", "doctor", "--json")
    assert "the project is left out: cannot use '/'" in done.stderr and done.returncode != 2, done


def test_configuration(w):
    """A configuration that stops every run is found."""
    config = os.path.join(w.tmp, "config", "shadow")
    os.makedirs(config)
    env = {"XDG_CONFIG_HOME": os.path.dirname(config)}
    for text, cause, mend in (("net = none\n", "line 1", "quotes"), ('ro = ["/nowhere/at/all"]\n', "/nowhere/at/all", "")):
        with open(os.path.join(config, "config.toml"), "w", encoding="utf-8") as file:
            file.write(text)
        assert outcome(w, (), "run", "--", "true", env=env).returncode == NOT_STARTED
        done = outcome(w, (), "doctor", "--json", env=env)
        found = {one["name"]: one for one in json.loads(done.stdout)["findings"]}
        assert done.returncode == 2 and health(found, "configuration") == "cannot", done
        assert cause in found["configuration"]["cause"] and mend in found["configuration"]["mend"], found


def test_no_place_for_temporary_files(w):
    """Where neither /tmp nor /var/tmp can be written the doctor tries its run in the home, as runs work there."""
    around = bwrap(w, "--bind", "/proc", "/proc")  # all but this test's own directory is read-only there
    env = {"TMPDIR": "/nowhere"}
    check_works(w, around, env=env)
    found = findings(w, around, env=env)
    assert health(found, "run") == "ok", found
    assert not [name for name in os.listdir(w.home) if name.startswith("shadow-doctor")]


def test_read_only_proc(w):
    """In a container that has /proc read-only the doctor ends with its findings."""
    around = bwrap(w, "--unshare-user", "--uid", "1000", "--gid", "1000", "--ro-bind", "/proc", "/proc")
    done = outcome(w, around, "doctor", "--json")
    found = {one["name"]: one for one in json.loads(done.stdout)["findings"]}
    assert done.returncode == 2 and health(found, "user namespaces") == "cannot", done
    assert outcome(w, around, "run", "--", "true").returncode == NOT_STARTED


def test_any_directory_for_temporary_files(w):
    """Runs do not depend on TMPDIR, nor does what the doctor says of them."""
    os.mkdir(w.path("real"))
    os.symlink(w.path("real"), w.path("link"))
    for place in (".", w.path("link") + "/../link//", "/nonexistent"):
        found = findings(w, env={"TMPDIR": place})
        assert health(found, "run") == "ok", (place, found["run"])
        assert health(found, "run in a linked work tree") == "ok", found
    assert os.listdir(w.path("real")) == [] and sorted(os.listdir(w.project)) == ["link", "real"]


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
