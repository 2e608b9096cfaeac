# SPDX-License-Identifier: MIT
"""A world for one behaviour test: a home, a project and a state of its own, and the built program.

A test module defines functions `test_*`; the docstring of each is the user's sentence that it
proves. `main()` runs them and prints doctest-like totals. Tests use the real kernel, real mounts and
the built program; a missing precondition is a failure unless the test says why it skips, and with
SHADOW_TEST_NO_SKIP set a skip is a failure too.
"""

import contextlib
import hashlib
import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
import traceback

SHADOW = os.environ.get("SHADOW", "")
# How many times slower than a usual one this machine is, an emulated one for instance: every time-out
# here, and those given to programs that a test starts, are so many times longer.
TIME_FACTOR = float(os.environ.get("SHADOW_TEST_TIME_FACTOR", "1"))


class PatientPopen(subprocess.Popen):
    def wait(self, timeout=None):
        return super().wait(timeout and timeout * TIME_FACTOR)

    def communicate(self, input=None, timeout=None):  # pylint: disable=redefined-builtin
        return super().communicate(input, timeout and timeout * TIME_FACTOR)


subprocess.Popen = PatientPopen  # subprocess.run() uses it, too


class Skip(Exception):
    """A precondition is missing; the text says which. A failure where SHADOW_TEST_NO_SKIP is set."""


class NotHere(Skip):
    """What the test is about cannot be on this machine, or is proved by another run of the suite."""


class World:
    def __init__(self, base=None):
        self.tmp = tempfile.mkdtemp(prefix="shadow-test-", dir=base)
        self.home = os.path.join(self.tmp, "home")
        self.state = os.path.join(self.tmp, "state")
        self.project = os.path.join(self.tmp, "project")
        os.mkdir(self.home)
        os.mkdir(self.project)
        self.env = {
            "HOME": self.home,
            "SHADOW_STATE_DIR": self.state,
            "PATH": os.environ["PATH"],
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "T",
            "GIT_AUTHOR_EMAIL": "t@example.org",
            "GIT_COMMITTER_NAME": "T",
            "GIT_COMMITTER_EMAIL": "t@example.org",
        }
        # For sanitizer builds, whose options the caller chose.
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
            if name in os.environ:
                self.env[name] = os.environ[name]

    def close(self):
        for pid in self.stopped():  # what a fail point stopped would wait for ever
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        self.wait_settled()
        subprocess.run(["chmod", "-R", "u+rwX", self.tmp], stderr=subprocess.DEVNULL, check=False)
        # rm(1) goes deeper than Python does.
        subprocess.run(["rm", "-rf", self.tmp], stderr=subprocess.DEVNULL, check=False)

    def wait_settled(self):
        """Background work of ended runs holds the settle lock; wait for it, then for the sync."""
        if os.path.isdir(os.path.join(self.state, "sessions")):
            self.shadow("list", check=False)
        deadline = time.time() + 10 * TIME_FACTOR
        while time.time() < deadline and self.processes():
            time.sleep(0.02)

    def processes(self, word=""):
        """Processes of ours that have this world's state directory in their environment, and the word in their
        command."""
        found = []
        for pid in os.listdir("/proc"):
            if not pid.isdigit() or int(pid) == os.getpid():
                continue
            try:
                with open(f"/proc/{pid}/environ", "rb") as f:
                    ours = f"SHADOW_STATE_DIR={self.state}\0".encode() in f.read()
                with open(f"/proc/{pid}/cmdline", "rb") as f:
                    if ours and word.encode() in f.read():
                        found.append(int(pid))
            except OSError:
                pass
        return found

    def path(self, *parts):
        return os.path.join(self.project, *parts)

    def write(self, name, content="", mode=None):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(content.encode() if isinstance(content, str) else content)
        if mode is not None:
            os.chmod(path, mode)
        return path

    def put(self, name, content):
        """Writes it at once, as most editors do: no look finds the file half written."""
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        beside = os.path.join(self.tmp, "put")
        with open(beside, "w", encoding="utf-8") as f:
            f.write(content)
        os.rename(beside, self.path(name))

    def read(self, name):
        with open(self.path(name), "rb") as f:
            return f.read().decode()

    def exists(self, name):
        return os.path.lexists(self.path(name))

    def stopped(self):
        """Those of the processes that a signal has stopped, such as a fail point's."""
        found = []
        for pid in self.processes():
            with contextlib.suppress(OSError), open(f"/proc/{pid}/stat", encoding="ascii") as f:
                if f.read().rpartition(")")[2].split()[0] == "T":
                    found.append(pid)
        return found

    def start(self, *words, cwd=None, env=None, **options):
        return subprocess.Popen([SHADOW, *words], cwd=cwd or self.project,
                                env={**self.env, **(env or {})}, **options)

    def shadow(self, *words, check=True, cwd=None, env=None, stdin=b"", timeout=120):
        done = subprocess.run([SHADOW, *words], cwd=cwd or self.project,
                              env={**self.env, **(env or {})}, input=stdin,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout,
                              check=False)
        done.out = done.stdout.decode(errors="surrogateescape")
        done.err = done.stderr.decode(errors="surrogateescape")
        if check:
            assert done.returncode == 0, \
                f"shadow {words} -> {done.returncode}\nstdout: {done.out}\nstderr: {done.err}"
        return done

    def run(self, *argv, **options):
        return self.shadow("run", "--", *argv, **options)

    def sh(self, script, **options):
        return self.run("sh", "-c", script, **options)

    def git(self, *words, cwd=None, check=True):
        return subprocess.run(["git", *words], cwd=cwd or self.project, env=self.env,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=check)

    def git_project(self, files=None):
        self.git("init", "-q", "-b", "main")
        for name, content in (files or {"a.txt": "one\ntwo\nthree\n"}).items():
            self.write(name, content)
        self.git("add", "-A")
        self.git("commit", "-qm", "begin")


def content(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def walk(root, skip=()):
    """The tree as {path: facts}: type, mode, content, target, hard-link group."""
    root = os.fsencode(root)
    facts = {}
    links = {}

    def look(path, relative):
        st = os.lstat(path)
        kind = stat.S_IFMT(st.st_mode)
        fact = [kind, stat.S_IMODE(st.st_mode)]
        if kind == stat.S_IFREG:
            if st.st_nlink > 1:
                links.setdefault((st.st_dev, st.st_ino), []).append(relative)
            fact.append(content_hash(path, st))
        elif kind == stat.S_IFLNK:
            fact = [kind, os.readlink(path)]
        facts[relative] = tuple(fact)
        if kind == stat.S_IFDIR:
            if not os.access(path, os.R_OK | os.X_OK):
                return
            for name in sorted(os.listdir(path)):
                below = relative + b"/" + name if relative else name
                if below not in skip:
                    look(path + b"/" + name, below)

    def content_hash(path, st):
        if not os.access(path, os.R_OK):
            return "unreadable"
        with open(path, "rb") as f:
            return (st.st_size, hashlib.sha1(f.read()).hexdigest())

    look(root, b"")
    groups = sorted(sorted(g) for g in links.values() if len(g) > 1)
    return facts, groups


def walk_script():
    """A Python program that prints walk('.') of its working directory, to be run in a view."""
    source = open(__file__, encoding="utf-8").read()
    body = source[source.index("def walk(root"):source.index("def walk_script")]
    return ("import os, stat, hashlib, sys\n" + body +
            "\nsys.stdout.buffer.write(repr(walk('.')).encode())\n")


def fingerprint(root):
    """Everything about a tree that a write to it would change, change times included."""
    out = []
    for folder, dirs, files in os.walk(os.fsencode(root)):
        dirs.sort()
        for name in [b"."] + sorted(dirs) + sorted(files):
            st = os.lstat(os.path.join(folder, name))
            out.append((folder, name, st.st_mode, st.st_ino, st.st_size, st.st_mtime_ns,
                        st.st_ctime_ns, st.st_nlink))
    return out


def difference(a, b):
    """What differs between two walks, readable."""
    lines = []
    for path in sorted(set(a[0]) | set(b[0])):
        if a[0].get(path) != b[0].get(path):
            lines.append(f"{path!r}: {a[0].get(path)} != {b[0].get(path)}")
    if a[1] != b[1]:
        lines.append(f"hard links: {a[1]} != {b[1]}")
    return "\n".join(lines[:40])


def tmpfs_holds_attributes():
    """Whether this kernel's tmpfs has user.* attributes, which an upper layer needs: since Linux 6.6."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as directory:
        try:
            os.setxattr(directory, "user.shadow.test", b"")
            return True
        except OSError:
            return False


def refused_on_tmpfs(world, state):
    """Without them nothing is run, and it is said why."""
    done = world.run("touch", "made", check=False, env={"SHADOW_STATE_DIR": state})
    assert done.returncode == 125 and "attributes" in done.err and "6.6" in done.err, done.err
    assert not os.path.exists(world.path("made"))


def nameless_files(run, needed=False):
    """Whether overlayfs makes files that have no name yet, of which a live view is made: since Linux 6.10."""
    make = "import os; os.open('.', os.O_TMPFILE | os.O_RDWR)"
    there = run.do(f'"{sys.executable}" -c "{make}" 2>/dev/null && echo yes || :') != ""
    if needed and not there:
        raise NotHere("files in a view have a name before they have their content")
    return there


def wait_until(condition, seconds=10, what="condition"):
    deadline = time.time() + seconds * TIME_FACTOR
    while time.time() < deadline:
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError(f"not within {seconds} s: {what}")


def kill(pid):
    """Returns once it has ended, be it that nobody has waited for it: its locks are free by then, and not yet when its
    command line is gone."""
    def ended():
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as f:
                return f.read().rpartition(")")[2].split()[0] in "ZX"
        except OSError:
            return True
    os.kill(pid, signal.SIGKILL)
    wait_until(ended, what="a killed process")


def until_nothing(look):
    """What `look` finds in the end, or nothing as soon as it is so: a moment later a copy may be on its way into the
    view, under a name of its own."""
    deadline = time.time() + 5 * TIME_FACTOR
    while (found := look()) and time.time() < deadline:
        time.sleep(0.05)
    return found


def main(module):
    assert SHADOW and os.access(SHADOW, os.X_OK), "SHADOW must name the built program"
    only = sys.argv[1:]
    passed = failed = skipped = 0
    for name, test in list(vars(module).items()):
        if not name.startswith("test_") or (only and name not in only):
            continue
        world = World()
        begun = time.time()
        try:
            test(world)
            passed += 1
            print(f"ok - {test.__doc__.strip()} ({time.time() - begun:.2f} s)", flush=True)
        except Skip as reason:
            if os.environ.get("SHADOW_TEST_NO_SKIP") and not isinstance(reason, NotHere):
                failed += 1
                print(f"not ok - {name}: skipped: {reason}", flush=True)
            else:
                skipped += 1
                print(f"ok - {name} # SKIP {reason}", flush=True)
        except Exception:  # pylint: disable=broad-except
            failed += 1
            print(f"not ok - {name}: {test.__doc__.strip()}", flush=True)
            traceback.print_exc(file=sys.stdout)
        finally:
            world.close()
    print(f"behaviour: {passed} passed | {failed} failed | {skipped} skipped")
    sys.exit(1 if failed else 0)
