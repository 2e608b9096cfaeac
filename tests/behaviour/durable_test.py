# SPDX-License-Identifier: MIT
"""What reaches the disk before what, as far as the system calls of an apply tell; and what gc keeps."""

import glob
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys

import harness

CALLS = "fsync,fdatasync,syncfs,renameat2,unlinkat,mkdirat,symlinkat,linkat,copy_file_range,ioctl,write"


class Trace:
    """The calls that succeeded, in order, as (name, rest of the line)."""

    def __init__(self, w, *words):
        if shutil.which("strace") is None:
            raise harness.Skip("strace(1) is missing")
        log = os.path.join(w.tmp, "trace")
        done = subprocess.run(["strace", "-f", "-y", "-qq", "-o", log, "-e", "trace=" + CALLS,
                               harness.SHADOW, *words], cwd=w.project, env=w.env, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if b"ptrace" in done.stderr.lower():
            raise harness.Skip("strace(1) may not trace here")
        assert done.returncode == 0, done.stderr
        self.project = w.project
        self.calls = []
        begun = {}  # of another thread's call while this one's went on, by thread
        with open(log, encoding="utf-8", errors="replace") as f:
            for line in f:
                thread, _, text = line.rstrip("\n").partition(" ")
                text = text.lstrip()
                if text.endswith("<unfinished ...>"):
                    begun[thread] = text.removesuffix("<unfinished ...>")
                    continue
                resumed = re.match(r"<\.\.\. \w+ resumed>", text)
                if resumed:
                    text = begun.pop(thread, "") + text[resumed.end():]
                found = re.match(r"(\w+)\((.*)\) += \d", text)
                if found:
                    self.calls.append((found[1], found[2]))

    def where(self, name, *texts, after=-1):
        return [at for at, (call, rest) in enumerate(self.calls)
                if at > after and re.fullmatch(name, call) and all(text in rest for text in texts)]

    def synced(self, path, begin, end):
        """Whether what is written of `path` (a descriptor's, as strace shows it) is on disk by then."""
        return any(begin < at < end for at in self.where("syncfs", f"<{self.project}")) or \
            any(begin < at < end for at in self.where("fsync|fdatasync", f"<{path}>"))

    def journalled(self, begin, end):
        return any(begin < at < end for at in self.where("fdatasync", "shadow.db-wal"))


def check_order(w, *words):
    trace = Trace(w, *words)
    shared = trace.where("ioctl", "FICLONE", ".shadow-")  # by xfs and btrfs
    staging = sorted(at for at in trace.where("mkdirat|symlinkat|copy_file_range|write", ".shadow-") + shared
                     if f"<{trace.project}" in trace.calls[at][1])
    swaps = [at for at in trace.where("renameat2", ".shadow-", f"<{trace.project}")
             if "/pre-images/" not in trace.calls[at][1]]
    assert staging and swaps and max(staging) < min(swaps), trace.calls
    marker = trace.where("write", "/applying/")
    assert marker and trace.synced(w.state + "/applying", marker[0], staging[0]), "the marker"
    assert trace.journalled(marker[0], staging[0]), "the journal before anything is written"
    for at in staging:
        path = re.findall(r"<([^>]*)>", trace.calls[at][1])[0 if at in shared else -1]
        assert trace.synced(path, at, swaps[0]), ("staged", trace.calls[at])
    assert trace.journalled(staging[-1], swaps[0]), "the journal before the first swap"
    for at in swaps:
        for folder in re.findall(r"<([^>]*)>", trace.calls[at][1]):
            later = trace.where("fdatasync", "shadow.db-wal", after=swaps[-1])
            assert any(trace.synced(folder, swaps[-1], end) for end in later), ("swapped", trace.calls[at])
    done = trace.where("fdatasync", "shadow.db-wal", after=swaps[-1])[0]
    for at in trace.where("unlinkat", ".shadow-") + trace.where("renameat2", ".shadow-", "/pre-images/"):
        assert at > done, ("what was there before", trace.calls[at])
    assert trace.where("unlinkat", "/applying>", after=done), "the marker goes last"


def test_order_of_syncs(w):
    """New content is on disk before it is swapped in, the names before the journal says done."""
    w.write("a", "a\n")
    w.write("d/b", "b\n")
    w.sh("echo x >a; rm d/b; echo n >'n w'; mkdir e; echo f >e/f; ln -s a l")
    w.wait_settled()
    check_order(w, "apply", "--yes")
    check_order(w, "undo")
    w.sh("for i in $(seq 200); do echo $i >f$i; done")
    w.wait_settled()
    check_order(w, "apply", "--yes")


LINES = "".join(f"{n}\n" for n in range(1, 31))
AGENT = """sed -i 's/^20$/agent/' m; echo x >a; rm d/b; echo n >'n w'; mkdir e; echo f >e/f; ln -s a l
    chmod 700 x; mv r s; ln a a2"""


def edited_session(w):
    """The project with an edit of the user's in a file that the session changed too, among others."""
    w.shadow("discard", "--yes", check=False)
    w.wait_settled()
    subprocess.run(["rm", "-rf", w.project], check=True)
    os.mkdir(w.project)
    for name, content in (("m", LINES), ("a", "a\n"), ("d/b", "b\n"), ("x", "x\n"), ("r", "r\n" * 9)):
        w.write(name, content)
    harness.time.sleep(0.01)
    w.sh(AGENT)
    w.wait_settled()
    w.write("m", LINES.replace("5\n", "user\n", 1))


def view_of(w):
    return eval(w.run("python3", "-c", harness.walk_script()).out)  # pylint: disable=eval-used


def killed_at(w, before, after, where, command=(), env=None):
    """Whether it was killed there; then nothing may be torn or lost, and another apply finishes."""
    edited_session(w)
    done = subprocess.run([*command, harness.SHADOW, "apply", "--yes", "--on-conflict=merge"],
                          cwd=w.project, env={**w.env, **(env or {})}, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    killed = done.returncode in (-9, 137)
    assert killed or done.returncode == 0, (where, done)
    w.shadow("status")
    found = harness.walk(w.project)
    assert found in (before, after), (where, harness.difference(found, after))
    seen = view_of(w)
    if found == after:
        assert seen == after, (where, harness.difference(seen, after))
    w.wait_settled()
    if killed:
        w.shadow("apply", "--yes", "--on-conflict=merge")
    assert harness.walk(w.project) == after, where
    assert w.shadow("diff").out == "", (where, w.shadow("diff").out)
    seen = view_of(w)
    assert seen == after, (where, harness.difference(seen, after))
    return killed


def test_killed_anywhere(w):
    """Killed at any step of an apply, also as it tidies up the session: nothing is torn and nothing lost."""
    edited_session(w)
    before = harness.walk(w.project)
    w.shadow("apply", "--yes", "--on-conflict=merge")
    after = harness.walk(w.project)
    assert w.read("m") == LINES.replace("5\n", "user\n", 1).replace("20\n", "agent\n")
    killed = 0
    # All of them take two minutes.
    stride = int(os.environ.get("SHADOW_TEST_STRIDE", "6"))
    for point in range(1, 400, stride):
        if not killed_at(w, before, after, point, env={"SHADOW_FAIL": f"*:{point}=kill"}):
            break
        killed += 1
    if shutil.which("strace"):
        for call in ("renameat2", "unlinkat", "fdatasync", "fchmod"):
            for number in range(1, 100, stride):
                strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}",
                          "-e", f"inject={call}:signal=KILL:when={number}"]
                if not killed_at(w, before, after, (call, number), strace):
                    break
                killed += 1
    if killed == 0:
        raise harness.Skip("built without fail points, and without strace(1)")
    print(f"# killed at {killed} points")


def test_discard_killed_anywhere(w):
    """Killed at any call that changes something, a discard of a directory has dropped all of it or nothing; the next one
    ends what it began."""
    if not shutil.which("strace"):
        raise harness.Skip("needs strace(1)")
    w.write("was", "a file\n")
    ends = set()
    for call in ("unlinkat", "renameat,renameat2"):
        for number in range(1, 30):
            w.sh("rm -rf was; mkdir was; for i in 1 2 3; do mkdir was/$i; echo $i >was/$i/f; done; chmod 555 was")
            w.wait_settled()
            strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}",
                      "-e", f"inject={call}:signal=KILL:when={number}"]
            done = subprocess.run([*strace, harness.SHADOW, "discard", "--yes", "--", "was"], cwd=w.project, env=w.env,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            seen = w.sh("if [ -d was ]; then cat was/*/f; else cat was; fi").out
            assert seen in ("a file\n", "1\n2\n3\n"), (call, number, seen)
            ends.add((done.returncode == 0, seen))
            w.shadow("discard", "--yes", "--", "was", check=False)
            assert w.run("cat", "was").out == "a file\n", (call, number)
            if done.returncode == 0:
                break
    left = [folder for folder, names, _ in os.walk(w.state) if "dropped" in names]
    assert left == [] and len(ends) >= 3, (left, ends)


MANY = 400


def many(what):
    return {f"d{n % 20}/f {n}": f"{what} {n}\n" for n in range(MANY)}


REPLACE_ALL = f"""import os
for n in range({MANY}):
    open("t", "w").write(f"new {{n}}\\n")
    os.rename("t", f"d{{n % 20}}/f {{n}}")
"""


def contents(w):
    found = {}
    for folder, _, files in os.walk(w.project):
        for name in files:
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as f:
                found[os.path.relpath(path, w.project)] = f.read()
    return found


def test_many_files_killed_anywhere(w):
    """Hundreds of files, which several threads write: killed or out of space anywhere, all are as before or all as after."""
    before, after = many("old"), many("new")
    for name, content in before.items():
        w.write(name, content)
    for name in before:
        if name.endswith("7"):
            os.link(w.path(name), w.path(name + " too"))
    before = contents(w)
    after = {**before, **after}
    ends = set()
    for what, stride in (("kill", 401), ("ENOSPC", 397)):
        w.run("python3", "-c", REPLACE_ALL)
        for words, start, goal in ((("apply", "--yes"), before, after), (("undo",), after, before)):
            for number in range(stride // 2, 100 * MANY, stride):
                done = w.shadow(*words, check=False, env={"SHADOW_FAIL": f"*:{number}={what}"})
                if not ends and done.returncode == 0:
                    raise harness.Skip("this build has no fail points")
                w.shadow("status")
                found = contents(w)
                assert found in (start, goal), (words, what, number)
                assert done.returncode != 0 or found == goal, (words, what, number)
                ends.add((words[0], what, found == goal))
                if found == goal:
                    break
    # Each of the four was stopped at least once before it got through.
    assert len(ends) == 8, ends


def test_an_edit_while_many_files_are_written(w):
    """Somebody edits one of hundreds of files as the apply goes on: the edit stays, the rest is as before or as after."""
    before, after = many("old"), many("new")
    for name, content in before.items():
        w.write(name, content)
    w.run("python3", "-c", REPLACE_ALL)
    outcomes = set()
    for number in range(1, 2 * MANY, 97):
        run = w.start("apply", "--yes", env={"SHADOW_FAIL": f"before-swap:{number}=stop"},
                      stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        _, status = os.waitpid(run.pid, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            run.returncode = os.waitstatus_to_exitcode(status)
            run.communicate()
            assert number > 1 or run.returncode != 0, "this build has fail points, or fails"
            break
        name = f"d{number % 20}/f {number % MANY}"
        w.write(name, "mine\n")
        os.kill(run.pid, signal.SIGCONT)
        _, said = run.communicate(timeout=60)
        found = contents(w)
        assert found.pop(name) == "mine\n", (number, said)
        whole = {path: text for path, text in (before if run.returncode else after).items() if path != name}
        assert found == whole, (number, said)
        outcomes.add(run.returncode)
        w.write(name, before[name])
        if run.returncode == 0:
            w.shadow("undo", check=False)
            w.write(name, before[name])
            assert contents(w) == before
            w.run("python3", "-c", REPLACE_ALL)
    if not outcomes:
        raise harness.Skip("this build has no fail points")
    assert outcomes == {0, 3}, outcomes


def test_an_editor_that_holds_the_replaced_file(w):
    """What an editor writes to a file that an apply has replaced meanwhile is not lost: undo says where it is."""
    w.write("a", "old\n")
    w.write("b", "old\n")
    w.sh("echo new >a; echo new >b")
    with open(w.path("a"), "a", encoding="utf-8") as editor:
        w.shadow("apply", "--yes")
        editor.write("mine\n")
    done = w.shadow("undo", check=False)
    assert done.returncode == 1, done
    assert (w.read("a"), w.read("b")) == ("new\n", "old\n")
    where = re.search(r"is at '([^']*)'", done.out + done.err)
    with open(where[1], encoding="utf-8") as kept:
        assert kept.read() == "old\nmine\n"


def test_applies_are_kept_as_long_as_told(w):
    """gc forgets applies, and what they overwrote, after the time that the configuration says."""
    w.write("a", "the only copy\n")
    w.write("b", "b\n")
    w.sh("echo new >a")
    w.shadow("apply", "--yes")
    w.sh("echo new >b")
    w.shadow("apply", "--yes")
    w.shadow("discard", "--yes", check=False)
    config = os.path.join(w.home, ".config/shadow")
    os.makedirs(config)
    database = sqlite3.connect(os.path.join(w.state, "shadow.db"))
    day = 86_400 * 10**9
    for days, kept in ((10, 2), (3, 1)):
        with open(os.path.join(config, "config.toml"), "w", encoding="utf-8") as f:
            f.write(f"retention_days = {days}\n")
        with database:
            database.execute("update applies set started_ns = ?, ended_ns = ? where id = 1",
                             2 * (harness.time.time_ns() - 5 * day,))
        w.shadow("gc")
        listed = json.loads(w.shadow("undo", "--list", "--json").out)["applies"]
        assert len(listed) == kept, (days, listed)
    assert w.shadow("undo", "1", check=False).returncode != 0
    assert w.read("a") == "new\n"
    w.shadow("undo", "2")
    assert w.read("b") == "b\n"


def test_sensitive_paths_of_the_configuration(w):
    """What the configuration calls sensitive is held back like the rest of the list."""
    config = os.path.join(w.home, ".config/shadow")
    os.makedirs(config)
    with open(os.path.join(config, "config.toml"), "w", encoding="utf-8") as f:
        f.write('sensitive = ["deploy/**", "*.key"]\n')
    w.write("a", "a\n")
    w.sh("mkdir deploy; echo x >deploy/run; echo x >my.key; echo x >b")
    said = w.shadow("status").out
    assert said.count("your configuration names it") == 2, said
    assert w.shadow("apply", "--yes", check=False).returncode == 4
    assert sorted(os.listdir(w.project)) == ["a"]
    w.shadow("apply", "--yes", "--allow-sensitive=my.key", "--skip-sensitive")
    assert sorted(os.listdir(w.project)) == ["a", "b", "my.key"]


def test_a_lost_database(w):
    """Where the database was lost, what the session's layer has is reviewed and applied as ever."""
    w.git_project()
    w.sh("echo agent >>a.txt; echo new >new")
    w.shadow("run", "--as", "other", "--", "sh", "-c", "echo other >other")
    w.wait_settled()
    for name in glob.glob(os.path.join(w.state, "shadow.db*")):
        os.unlink(name)
    assert w.shadow("status", "--porcelain").out == "M.. a.txt\nA.. new\n"
    assert w.shadow("status", "--porcelain", "--as", "other").out == "A.. other\n"
    w.shadow("apply", "--yes", "--as", "default")
    assert w.read("a.txt").endswith("agent\n") and w.read("new") == "new\n"


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
