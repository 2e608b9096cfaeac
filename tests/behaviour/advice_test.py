# SPDX-License-Identifier: MIT
"""What the doctor and a refused run advise on machines that lack something; each is made here."""

import errno
import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys

import harness
from container import container, mapped_root, real_root, tried
from harness import SHADOW, NotHere, Skip

NOT_STARTED = 125
CANNOT = 2

# Refuses new user namespaces with the errno $1, as a container's filter or AppArmor, and clone3(2)
# with ENOSYS, so that the C library falls back. Then executes the other words.
REFUSE = """
import ctypes, os, struct, sys
load, equal, any_bit, give = 0x20, 0x15, 0x45, 0x06
unshare, clone, clone3, new_user = 272, 56, 435, 0x10000000
program = b"".join(struct.pack("HBBI", *one) for one in [
    (load, 0, 0, 0), (equal, 4, 0, unshare), (equal, 4, 0, clone3), (equal, 0, 4, clone),
    (load, 0, 0, 16), (any_bit, 0, 2, new_user), (give, 0, 0, 0x00050000 | int(sys.argv[1])),
    (give, 0, 0, 0x00050000 | 38), (give, 0, 0, 0x7FFF0000)])
code = ctypes.create_string_buffer(program)
filter = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(code)))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, filter, 0, 0) == 0, ctypes.get_errno()
os.execvp(sys.argv[2], sys.argv[2:])
"""


def refusing(error):
    if platform.machine() != "x86_64":
        raise NotHere("the numbers of system calls are those of x86_64")
    return [sys.executable, "-c", REFUSE, str(error)]


def machine(w, sysctls=(), files=()):
    """The words around a command that see this machine as an ordinary user would, with these sysctls
    of the kernel ("NAME=VALUE") and files, and no mark of a container's but those."""
    if not shutil.which("bwrap"):
        raise Skip("bubblewrap is not installed")
    words = ["bwrap", "--unshare-user", "--uid", "1000", "--gid", "1000"]
    for name in sorted(os.listdir("/")):
        path = "/" + name
        if os.path.islink(path):
            words += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path) and name not in ("proc", "dev", "tmp", "run"):
            words += ["--ro-bind", path, path]
    empty = os.path.join(w.tmp, "empty")
    with open(empty, "w", encoding="utf-8"):
        pass
    words += ["--dev", "/dev", "--proc", "/proc", "--dir", "/tmp", "--dir", "/run", "--bind", w.tmp, w.tmp]
    if sysctls:
        words += ["--tmpfs", "/proc/sys/kernel"]
        words += ["--ro-bind", "/proc/sys/kernel/random", "/proc/sys/kernel/random"]
    for number, setting in enumerate(sysctls):
        name, value = setting.split("=")
        path = os.path.join(w.tmp, f"sysctl{number}")
        with open(path, "w", encoding="utf-8") as f:
            f.write(value + "\n")
        words += ["--ro-bind", path, "/proc/sys/kernel/" + name]
    for path in files:
        words += ["--ro-bind", empty, path]
    return tried(words)


def installed(w):
    """A copy of the programs as an installation has them, at a place that no build was told of."""
    prefix = os.path.join(w.tmp, "a prefix")
    helpers = os.path.join(prefix, "libexec", "shadow")
    os.makedirs(os.path.join(prefix, "bin"))
    os.makedirs(helpers)
    shutil.copy(SHADOW, os.path.join(prefix, "bin", "shadow"))
    for name in ("shadow-review", "shadow-proxy"):
        shutil.copy(os.path.join(os.path.dirname(SHADOW), name), helpers)
    return prefix


def started(w, around, *words, env=None, program=SHADOW):
    return subprocess.run([*around, program, *words], cwd=w.project, env={**w.env, **(env or {})},
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
                          check=False)


def refused(w, around, name, env=None):
    """The doctor's finding of that name. A run is refused as well, and says the same cause."""
    done = started(w, around, "doctor", "--json", env=env)
    assert done.returncode == CANNOT, (done.stdout, done.stderr)
    found = {one["name"]: one for one in json.loads(done.stdout)["findings"]}[name]
    assert found["health"] == "cannot" and found["mend"], found
    ran = started(w, around, "run", "--", "touch", "made", env=env)
    assert ran.returncode == NOT_STARTED and not os.path.exists(w.path("made")), ran
    assert "shadow doctor" not in found["mend"], found
    return found, ran.stderr


def test_ubuntu(w):
    """Where AppArmor restricts user namespaces the doctor prints the command that allows shadow's."""
    around = machine(w, ["apparmor_restrict_unprivileged_userns=1"]) + refusing(errno.EACCES)
    found, said = refused(w, around, "user namespaces")
    assert "AppArmor restricts" in found["cause"] and "AppArmor restricts" in said, (found, said)
    assert "'shadow doctor' prints" in said
    # As it stands, by any shell; sudo only notes what it was to do.
    tools = os.path.join(w.tmp, "tools")
    os.mkdir(tools)
    with open(os.path.join(tools, "sudo"), "w", encoding="utf-8") as f:
        f.write('#!/bin/sh\necho "$@" >>"$0.log"\n[ "$1" != tee ] || cat >"$0.profile"\n')
    os.chmod(os.path.join(tools, "sudo"), 0o755)
    subprocess.run(["sh", "-c", found["mend"]], check=True,
                   env={"PATH": tools + ":" + os.environ["PATH"]})
    with open(os.path.join(tools, "sudo.log"), encoding="utf-8") as f:
        assert f.read() == "tee /etc/apparmor.d/shadow\napparmor_parser -r /etc/apparmor.d/shadow\n"
    with open(os.path.join(tools, "sudo.profile"), encoding="utf-8") as f:
        profile = f.read()
    assert f"{os.path.dirname(SHADOW)[1:]}/shadow," in profile and "userns," in profile, profile


def test_installation_that_was_moved(w):
    """An installation works wherever its directory is put, and AppArmor's profile names it there."""
    prefix = installed(w)
    program = os.path.join(prefix, "bin", "shadow")
    w.git_project()
    ran = started(w, [], "run", "--net=allow:localhost", "--", "sh", "-c", "echo agent >>a.txt",
                  program=program)
    assert ran.returncode == 0, ran.stderr
    shown = started(w, [], "diff", "--name-only", program=program)
    assert (shown.returncode, shown.stdout) == (0, "a.txt\n"), shown
    around = machine(w, ["apparmor_restrict_unprivileged_userns=1"]) + refusing(errno.EACCES)
    done = started(w, around, "doctor", "--json", program=program)
    found = {one["name"]: one for one in json.loads(done.stdout)["findings"]}["user namespaces"]
    assert f'"/{{{program[1:]},{prefix[1:]}/libexec/shadow/shadow-review}}"' in found["mend"], found


def test_ubuntu_around_a_container(w):
    """In a container it is the host that has to lift AppArmor's restriction."""
    around = machine(w, ["apparmor_restrict_unprivileged_userns=1"], ["/.dockerenv"])
    found, _ = refused(w, around + refusing(errno.EACCES), "user namespaces")
    assert found["mend"] == "on the host: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0"
    # Its own filter comes first.
    found, _ = refused(w, around + refusing(errno.EPERM), "user namespaces")
    assert "seccomp" in found["cause"] and "docker run" in found["mend"], found


def test_sysctl_of_debian(w):
    """Where a sysctl forbids user namespaces its name and its value are said."""
    around = machine(w, ["unprivileged_userns_clone=0"]) + refusing(errno.EPERM)
    found, said = refused(w, around, "user namespaces")
    assert found["mend"].startswith("sudo sysctl kernel.unprivileged_userns_clone=1"), found
    assert found["mend"] in said


def test_filter_of_a_container(w):
    """Where a container's filter refuses namespaces, the engine's own option is said."""
    for files, env, words in [
            (["/.dockerenv"], {}, "docker run --security-opt seccomp=unconfined"),
            (["/run/.containerenv"], {}, "podman run --security-opt seccomp=unconfined"),
            ([], {"KUBERNETES_SERVICE_HOST": "10.0.0.1"}, "seccompProfile: {type: Unconfined}"),
            ([], {}, "RestrictNamespaces=no")]:
        found, said = refused(w, machine(w, files=files) + refusing(errno.EPERM), "user namespaces", env)
        assert "seccomp" in found["cause"] and words in found["mend"], found
        assert words in said, said


def test_covered_proc(w):
    """Where parts of /proc are covered, as a container does, the option that uncovers them is said."""
    around = machine(w, ["ostype=Linux"])
    found, said = refused(w, around, "nested namespaces")
    assert "/proc are covered" in found["cause"] and "systempaths=unconfined" in found["mend"], found
    assert "cannot mount /proc for the run" in said and "unmask=ALL" in said, said
    found, _ = refused(w, machine(w, ["ostype=Linux"], ["/.dockerenv"]), "nested namespaces")
    assert "docker run" in found["mend"] and "systempaths=unconfined" in found["mend"], found


def test_limits_of_namespaces(w):
    """Where a limit of the sandbox around leaves no namespace, it is named, and who set it."""
    for name in ["max_user_namespaces", "max_mnt_namespaces"]:
        around = mapped_root(f"echo 0 >/proc/sys/user/{name}")
        found, said = refused(w, around, "user namespaces")
        assert f"user.{name} is 0" in found["cause"] and "outside" in found["mend"], found
        assert found["mend"] in said, said
    # The session's fits, and the run's does not.
    around = mapped_root("echo 1 >/proc/sys/user/max_user_namespaces")
    found, said = refused(w, around, "nested namespaces")
    assert "sudo sysctl user.max_user_namespaces=10000 user.max_mnt_namespaces=10000" in found["mend"], found
    assert "cannot set up the run: make the run's namespaces: " in said, said
    assert found["mend"] in said, said


def test_chroot(w):
    """In a chroot(2), where the kernel makes no user namespace, that is said."""
    root = os.path.join(w.tmp, "root")
    os.mkdir(root)
    script = []
    for name in sorted(os.listdir("/")):
        there = os.path.join(root, name)
        if os.path.islink("/" + name):
            os.symlink(os.readlink("/" + name), there)
        elif os.path.isdir("/" + name):
            os.mkdir(there)
            script.append(f"mount --rbind /{name} {there} 2>/dev/null || :")
    around = [*mapped_root("\n".join(script)), "chroot", root, "sh", "-c",
              f'cd {shlex.quote(w.project)}; exec "$@"', "sh"]
    found, said = refused(w, tried(around), "user namespaces")
    assert "chroot" in found["cause"] and "chroot" in said and "pivot_root" in found["mend"], found


def check_moved(w, around, state):
    """The state cannot lie there; set as is advised, it can, and a run works."""
    found, _ = refused(w, around, "state directory", {"SHADOW_STATE_DIR": state})
    advised = re.fullmatch(r"export SHADOW_STATE_DIR=(\S+)(  # in memory.*)?", found["mend"])
    assert advised, found
    place = shlex.split(advised[1])[0]
    assert place == f"{w.home}/.local/state/shadow", found
    ran = started(w, around, "run", "--", "sh", "-c", "echo x >made && cat made",
                  env={"SHADOW_STATE_DIR": place})
    assert ran.stdout == "x\n" and not os.path.exists(w.path("made")), ran
    started(w, around, "discard", "--all-sessions", "--yes", env={"SHADOW_STATE_DIR": place})


def test_state_on_an_overlay(w):
    """Where the state lies on overlayfs a directory of this machine is named that will do."""
    for name in ["lower", "upper", "work", "merged"]:
        os.mkdir(os.path.join(w.tmp, name))
    options = ",".join(f"{name}dir={w.tmp}/{name}" for name in ["lower", "upper", "work"])
    around = mapped_root(f"mount -t overlay -o {options},userxattr none {w.tmp}/merged")
    check_moved(w, around, f"{w.tmp}/merged/state")


def test_state_without_attributes(w):
    """So it is on a filesystem without user.* attributes, as tmpfs before Linux 6.6."""
    around = mapped_root(f"mkdir {w.tmp}/mem 2>/dev/null; mount -t ramfs none {w.tmp}/mem")
    check_moved(w, around, f"{w.tmp}/mem/state")


def test_container(w):
    """In a container, where all lies on overlayfs, what gives the state a volume is said, and memory will do
    at once; sessions there are said to end with the container."""
    w.git_project()
    around = container(w)
    home = {"SHADOW_STATE_DIR": ""}
    found, said = refused(w, around, "state directory", home)
    state = f"{w.home}/.local/state/shadow"
    for advice in [f"docker run -v shadow-state:{state}\n",
                   f'"mounts": ["source=shadow-state,target={state},type=volume"]',
                   "export SHADOW_STATE_DIR=tmpfs"]:
        assert advice in found["mend"] and advice in said, (found, said)
    # One container, several commands.
    script = """
      "$0" run -- sh -c 'echo agent >>a.txt' && "$0" run -- tail -n 1 a.txt && ! grep -q agent a.txt &&
      "$0" apply --yes && grep agent a.txt && "$0" discard --yes"""
    for memory in [{"SHADOW_STATE_DIR": "tmpfs"}, {**home, "XDG_CONFIG_HOME": w.path("config")}]:
        w.write("config/shadow/config.toml", 'state_dir = "tmpfs"\n')
        ran = subprocess.run([*around, "sh", "-c", script, SHADOW], cwd=w.project, env={**w.env, **memory},
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)
        assert ran.returncode == 0, ran
        assert ran.stderr.count("in memory: it ends with") == 1, ran.stderr
        assert ran.stdout.startswith("agent\n"), ran
        w.git("checkout", "a.txt")


def test_container_of_an_ordinary_user(w):
    """So it is for an ordinary user of a container (vscode, node), who is told as well how to get a volume that the
    engine made as root, and where a state in memory would last."""
    if os.geteuid() != 0:
        raise NotHere("root makes the container; proved as root")
    user = 64321
    as_user = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--"]
    w.git_project()
    os.chmod(w.tmp, 0o755)
    for place in (w.project, *(os.path.join(folder, name) for folder, names, files in os.walk(w.project)
                               for name in names + files)):
        os.lchown(place, user, user)
    state = f"{w.home}/.local/state/shadow"
    volume = f"docker run -v shadow-state:{state}\n"
    own = f"sudo chown {user}:{user} {state}"
    home = {"SHADOW_STATE_DIR": ""}
    w.state = ""  # whose processes are waited for
    found, said = refused(w, container(w, root=real_root) + as_user, "state directory", home)
    for advice in (volume, own, "export SHADOW_STATE_DIR=tmpfs"):
        assert advice in found["mend"] and advice in said, (found, said)
    memory = started(w, container(w, root=real_root) + as_user, "doctor", "--json", env={"SHADOW_STATE_DIR": "tmpfs"})
    found = {one["name"]: one for one in json.loads(memory.stdout)["findings"]}["state directory"]
    assert found["health"] == "degraded" and volume in found["mend"] and own in found["mend"], found
    assert "unset SHADOW_STATE_DIR" in found["mend"] and "/dev/shm" not in found["mend"], found
    os.makedirs(state)
    around = container(w, state, root=real_root) + as_user
    ran = started(w, around, "run", "--", "true", env=home)
    assert ran.returncode == NOT_STARTED and own in ran.stderr, ran
    os.chown(state, user, user)
    ran = started(w, around, "run", "--", "sh", "-c", "echo agent >>a.txt; id -u", env=home)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, f"{user}\n", ""), ran
    assert started(w, around, "apply", "--yes", env=home).returncode == 0 and w.read("a.txt").endswith("agent\n")


def test_container_with_a_volume(w):
    """With the volume that is advised a container's sessions outlive it."""
    w.git_project()
    w.state = ""  # whose processes are waited for
    state = f"{w.home}/.local/state/shadow"
    os.makedirs(state, mode=0o700)
    for words, said in [(["run", "--", "sh", "-c", "echo agent >>a.txt"], ""), (["diff", "--name-only"], "a.txt\n")]:
        done = started(w, container(w, state), *words, env={"SHADOW_STATE_DIR": ""})
        assert (done.returncode, done.stdout, done.stderr) == (0, said, ""), done


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
