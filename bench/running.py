# SPDX-License-Identifier: MIT
"""What a run costs its caller."""

import os
import statistics
import subprocess
import time
from pathlib import Path

from measuring import (ENV, FLOOR, FORMER, HOME, LARGE, PLACE, QUICK, ROUNDS, SHADOW, do, hyperfine,
                       live, percentile, settled, timed, works)
from trees import make_tree

RUN = f"{SHADOW} run -- true"
# Every limit; where the host gives no cgroup to this user, the nearest exact one (shadow(1)).
STRICT = f"{SHADOW} run --profile strict --timeout 1h -- true"


def bwrap(project, command="true"):
    return ("bwrap --unshare-user --unshare-pid --unshare-ipc --unshare-uts --die-with-parent"
            " --ro-bind / / --dev /dev --proc /proc --tmpfs /dev/shm --tmpfs /tmp --tmpfs /var/tmp"
            f" --tmpfs /run --bind {HOME} {HOME} --bind {project} {project} --chdir {project}"
            f" {command}")


def latency(table, small):
    layers = PLACE / "floor"
    for name in ("project/upper", "project/work", "home/upper", "home/work", "tmp/a", "tmp/b"):
        (layers / name).mkdir(parents=True)
    do(SHADOW, "run", "--", "true", cwd=small)
    loop, other, bare = hyperfine(small, [RUN, bwrap(small), "true"])
    table.add("run in a loop / bwrap without overlay in a loop", loop, other, 1.0)
    table.add("run in a loop / fork and exec", loop, bare)
    table.add("run in a loop, p99 / bwrap, p99", [percentile(loop, 0.99)],
              [percentile(other, 0.99)])
    # A session keeps its mount for 0.2 s after a run: longer pauses let it go.
    cold, other, floor, bare = hyperfine(
        small, [RUN, bwrap(small), f"{FLOOR} cold {small} {layers} true", "true"], runs=6, pause=0.4)
    table.add("run, new mounts / bwrap without overlay", cold, other, 1.0)
    table.add("run, new mounts / the same system calls in C", cold, floor, 1.3)
    table.add("run, new mounts / fork and exec", cold, bare)
    table.add("run, new mounts, p99 / bwrap, p99", [percentile(cold, 0.99)],
              [percentile(other, 0.99)])
    holder = subprocess.Popen([FLOOR, "hold", small, layers], env=ENV, cwd=small, text=True,
                              stdout=subprocess.PIPE)
    pid = holder.stdout.readline().strip()
    with live(small):
        join, other, floor = hyperfine(
            small, [RUN, bwrap(small), f"{FLOOR} join {small} {pid} true"])
        memory = supervisor_memory()
    holder.terminate()
    holder.wait()
    table.add("run, joining / bwrap without overlay", join, other, 0.6)
    table.add("run, joining / the same system calls in C", join, floor, 1.5)
    table.add("run, joining, p99 / bwrap, p99", [percentile(join, 0.99)], [percentile(other, 0.99)])
    table.add("private memory of the waiting supervisor / 4 MiB", [memory], [4.0], 1.0, "MiB")
    offline, strict, plain = hyperfine(
        small, [f"{SHADOW} run --net none -- true", STRICT, RUN])
    table.add("run --net none / run", offline, plain)
    table.add("run --profile strict (every limit) / run", strict, plain)


def beside_former(table, small):
    """The same runs by another build, where SHADOW_BENCH_FORMER named one."""
    if not os.path.exists(FORMER):
        return
    before = f"{FORMER} run -- true"
    rows = (("in a loop", {"runs": 60}), ("with new mounts", {"runs": 12, "pause": 0.4}))
    for name, how in rows:
        now, former = hyperfine(small, [RUN, before], **how)
        table.add(f"run {name} / the same by the former build", now, former, 1.03)


def supervisor_memory():
    """MiB of private memory of the process that waits for a live run."""
    found = []
    for status in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = status.read_bytes().split(b"\0")
            if words[0] == SHADOW.encode() and b"sleep" in b" ".join(words):
                text = (status.parent / "smaps_rollup").read_text()
                found.append(sum(int(line.split()[1]) for line in text.splitlines()
                                 if line.startswith(("Private_Clean", "Private_Dirty"))) / 1024)
        except OSError:
            continue
    return max(found)


def peers(table, small):
    """Other ways to give a command a place of its own."""
    layers = PLACE / "peers"
    for name in ("upper", "work", "merged", "copies"):
        (layers / name).mkdir(parents=True)
    options = f"lowerdir={small},upperdir={layers}/upper,workdir={layers}/work"
    enter = f"(cd {layers}/merged && true)"
    commands = {
        "unshare and mount an overlay": [
            "unshare", "-Urm", "sh", "-c",
            f"mount -t overlay -o {options},userxattr overlay {layers}/merged && {enter}"],
        "fuse-overlayfs": [
            "unshare", "-Urm", "sh", "-c",
            # It remarks on each option of mount(2) that it does not know.
            f"fuse-overlayfs -o {options} {layers}/merged 2>{layers}/said ||"
            f" {{ cat {layers}/said >&2; exit 1; }}; {enter}; umount {layers}/merged"],
        "firejail": ["firejail", "--quiet", "--noprofile", "--private-tmp", "true"],
        "cp -r to a directory of its own": [
            "sh", "-c", f'd={layers}/copies/$(printf %s "$PWD" | md5sum | cut -d" " -f1);'
            ' rm -rf "$d"; cp -r . "$d"; cd "$d"; true'],
        "git worktree add and remove": [
            "sh", "-c", f"git worktree add -q --detach {layers}/tree && cd {layers}/tree && true;"
            f" cd {small}; git worktree remove --force {layers}/tree"],
    }
    for name, command in commands.items():
        if not works(name, command, small):
            continue
        ours, theirs = [], []
        for _ in range(ROUNDS * 3):
            ours.append(timed(*RUN.split(), cwd=small))
            theirs.append(timed(*command, cwd=small))
        table.add(f"run in a loop, 10 files / {name}", ours, theirs)


def at_once(command, count, cwd):
    """Seconds that each of `count` commands started together took."""
    begin = {}
    for _ in range(count):
        at = time.perf_counter()
        child = subprocess.Popen(command, cwd=cwd, env=ENV, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL)
        begin[child.pid] = (at, child)
    times = []
    while begin:
        pid, status = os.waitpid(-1, 0)
        if pid in begin:
            at, child = begin.pop(pid)
            child.returncode = os.waitstatus_to_exitcode(status)
            times.append(time.perf_counter() - at)
            if child.returncode != 0:
                raise RuntimeError(f"{command} ended with {child.returncode}")
    return times


def concurrency(table, small):
    with live(small):
        for count in (1, 8, 32):
            ours, theirs = [], []
            for _ in range(ROUNDS * (4 if count == 1 else 1)):
                ours += at_once(RUN.split(), count, small)
                theirs += at_once(bwrap(small).split(), count, small)
            table.add(f"{count} runs at once, joining / as many bwrap", ours, theirs)
            table.add(f"{count} runs at once, p99 / as many bwrap, p99", [percentile(ours, 0.99)],
                      [percentile(theirs, 0.99)])


def first_runs(table, small, large):
    """A session's birth must not depend on the project's size."""
    times = {small: [], large: []}
    for number in range(ROUNDS * 5):
        for project, series in times.items():
            series.append(timed(SHADOW, "run", "--as", f"first {number}", "--", "true", cwd=project))
            # Behind it the base tree is taken, which the next one is not to compete with.
            time.sleep(1.5)
    table.add(f"first run of a {LARGE}-file project / of a 10-file one", times[large], times[small],
              1.1)
    for project in times:
        do(SHADOW, "discard", "--yes", "--all-sessions", cwd=project)
    copies = []
    for number in range(3):
        copies.append(timed("cp", "-r", large, PLACE / f"copy{number}", cwd=PLACE))
        do("rm", "-rf", PLACE / f"copy{number}")
    table.add(f"first run of a {LARGE}-file project / cp -r of it", times[large], copies)
    worktrees = []
    for number in range(3):
        worktrees.append(timed("git", "worktree", "add", "-q", "--detach", PLACE / "tree", cwd=large))
        do("git", "worktree", "remove", "--force", PLACE / "tree", cwd=large)
    table.add(f"first run of a {LARGE}-file project / git worktree add", times[large], worktrees)


def tool_calls(table):
    """A loop of calls as an agent makes them, each a run of its own."""
    project = make_tree(HOME / "calls", 200, ENV)
    kinds = [
        ["cat", "dir0/file1.txt"],
        ["grep", "-rn", "value", "dir1"],
        ["sed", "-i", "s/alpha/omega/", "dir0/file2.txt"],
        ["git", "status", "--porcelain"],
        ["ls", "-la", "dir2"],
        ["sh", "-c", "echo note >> notes.txt"],
        ["cc", "-O1", "-c", "-o", "/dev/null", "dir0/unit.c"],
        ["git", "diff", "--stat"],
        ["find", ".", "-name", "*.c"],
        ["python3", "-c", "print(len(open('dir0/file3.txt').read()))"],
    ]
    calls = 100 if QUICK else 500
    loops = {True: [], False: []}
    for _ in range(2 if QUICK else 3):
        for shadowed, series in loops.items():
            begin = time.perf_counter()
            for number in range(calls):
                command = kinds[number % len(kinds)]
                do(*([SHADOW, "run", "--"] if shadowed else []), *command, cwd=project)
            series.append(time.perf_counter() - begin)
    table.add(f"{calls} tool calls as runs / the same outside", loops[True], loops[False])
    added = (statistics.median(loops[True]) - statistics.median(loops[False])) / calls
    print(f"    that is {added * 1000:.1f} ms more per call", flush=True)


def ignored_files(table):
    """What earlier runs left that nobody reviews must not slow a later one down."""
    count = 5_000 if QUICK else 50_000
    project = make_tree(HOME / "modules", 10, ENV)
    (project / ".gitignore").write_text("node_modules/\n")
    fill = ("import os\n"
            f"for i in range({count}):\n"
            "    d = f'node_modules/p{i // 50}'\n"
            "    if i % 50 == 0: os.makedirs(d)\n"
            "    open(f'{d}/m{i}.js', 'w').write('x')\n")
    do(SHADOW, "run", "--as", "full", "--", "python3", "-c", fill, cwd=project)
    do(SHADOW, "run", "--as", "fresh", "--", "true", cwd=project)
    settled(project, "full")
    time.sleep(5)
    for name, pause in (("in a loop", 0.0), ("new mounts", 1.0)):
        full, fresh = hyperfine(project, [f"{SHADOW} run --as full -- true",
                                          f"{SHADOW} run --as fresh -- true"],
                                runs=6 if pause else 20, pause=pause)
        table.add(f"run with {count} ignored files, {name} / without", full, fresh, 1.1)
    do(SHADOW, "discard", "--yes", "--all-sessions", cwd=project)
