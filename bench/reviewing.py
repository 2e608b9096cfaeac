# SPDX-License-Identifier: MIT
"""What looking at changes, promoting and dropping them costs."""

import time

from measuring import (ENV, HOME, LARGE, MANY, PLACE, QUICK, ROUNDS, SHADOW, do, in_view, inside,
                       peak_memory, settled, timed)
from trees import change_some, make_tree


def looking(table, large):
    """Against what git says of the same change in the same place."""
    view = in_view(large)
    for count in (1, 100, 1000, MANY):
        # The budget is that of the large project: git's time is of its size, ours of the change's.
        bars = {"status": 0.2, "diff": 1.0} if count == 1000 and not QUICK else {}
        do(SHADOW, "run", "--", "python3", "-c", change_some(count), cwd=large)
        settled(large)
        inside(view, "git status")
        pairs = {"status": "git status", "diff": "git diff", "diff --stat": "git diff --stat",
                 "diff --name-only": "git diff --name-only", "log": "git status"}
        for verb, reference in pairs.items():
            ours, theirs = [], []
            for _ in range(ROUNDS):
                ours.append(timed(SHADOW, *verb.split(), cwd=large))
                theirs.append(inside(view, reference))
            table.add(f"{verb}, {count} of {LARGE} files changed / {reference} there", ours, theirs,
                      bars.get(verb))
        if count == MANY:
            peak = peak_memory([SHADOW, "diff"], large)
            table.add(f"peak memory of diff, {count} changed files / 256 MiB", [peak], [256.0],
                      unit="MiB")
        do(SHADOW, "discard", "--yes", cwd=large)


def promoting(table, large):
    """Changed files, written to the real tree and taken back."""
    for count in (1, 100, MANY):
        applied, copied, undone = [], [], []
        for _ in range(3):
            do(SHADOW, "run", "--", "python3", "-c", change_some(count), cwd=large)
            settled(large)
            applied.append(timed(SHADOW, "apply", "--yes", cwd=large))
            do("sync")
            undone.append(timed(SHADOW, "undo", cwd=large))
            do("sync")
            names = "git ls-files 'dir*/file*.txt' | awk -v n={0} 'NR<=n' | xargs -d '\\n' cp -a -t {1}"
            do("mkdir", PLACE / "copied")
            copied.append(timed("sh", "-c", names.format(count, PLACE / "copied") + " && sync",
                                cwd=large))
            do("rm", "-rf", PLACE / "copied")
            do(SHADOW, "discard", "--yes", cwd=large)
            do("git", "checkout", "-q", ".", cwd=large)
        table.add(f"apply of {count} changed files / cp -a of as many and sync", applied, copied)
        table.add("undo of it / cp -a of as many and sync", undone, copied)


def bulk(table, small):
    """New files: promoted, and dropped."""
    make = ("import os; os.makedirs('new', exist_ok=True)\n"
            f"for i in range({MANY}): open(f'new/f{{i}}', 'w').write(f'content {{i}}\\n' * 20)\n")
    applied, copied, dropped, removed = [], [], [], []
    for _ in range(3):
        do(SHADOW, "run", "--", "python3", "-c", make, cwd=small)
        settled(small)
        applied.append(timed(SHADOW, "apply", "--yes", cwd=small))
        do("sync")
        copied.append(timed("sh", "-c", "cp -a new new2 && sync", cwd=small))
        do("rm", "-rf", "new2", cwd=small)
        do("sync")
        do(SHADOW, "run", "--", "sh", "-c", "for f in new/*; do echo more >>$f; done", cwd=small)
        settled(small)
        dropped.append(timed(SHADOW, "discard", "--yes", cwd=small))
        removed.append(timed("rm", "-rf", "new", cwd=small))
    table.add(f"apply of {MANY} new files / cp -a and sync", applied, copied, 1.3)
    table.add(f"discard of {MANY} changed files / rm -rf of them", dropped, removed, 0.2)


def one_large_file(table):
    """Changed in place: the kernel copies the whole file up, and so does an apply."""
    size = 128 if QUICK else 1024
    project = make_tree(HOME / "image", 10, ENV)
    image = project / "image"
    do("sh", "-c", f"head -c {size}M /dev/urandom > image && git add . && git commit -qm image",
       cwd=project)
    change = "printf changed | dd of=image bs=1 seek=1000000 conv=notrunc status=none"
    do("sync")
    begin = time.perf_counter()
    do(SHADOW, "run", "--", "sh", "-c", change, cwd=project)
    first = time.perf_counter() - begin
    settled(project)
    copied = timed("sh", "-c", "cp image copy && sync", cwd=project)
    table.add(f"{size} MiB file changed in place, the run / cp and sync", [first], [copied])
    view = in_view(project)
    for verb in ("status", "diff"):
        times, reference = [], []
        for _ in range(3):
            times.append(timed(SHADOW, verb, cwd=project))
            reference.append(inside(view, f"git {verb}"))
        table.add(f"{verb} of it / git {verb} there", times, reference)
    stored = (mebibytes_below(PLACE / "home/.local/state") or 1.0)
    table.add("disk used for it / its size", [stored], [float(size)], unit="MiB")
    do("rm", "copy", cwd=project)
    do("sync")
    applied = timed(SHADOW, "apply", "--yes", cwd=project)
    table.add("apply of it / cp and sync", [applied], [copied])
    image.unlink()


def mebibytes_below(path):
    blocks = 0
    for entry in path.rglob("*"):
        if not entry.is_symlink():
            blocks += entry.stat().st_blocks
    return blocks * 512 / (1 << 20)


def renamed_directory(table):
    """Every file of it is a deletion and an addition; the renames are found by content."""
    count = 1_000 if QUICK else 5_000
    project = make_tree(HOME / "moved", count, ENV)
    do("sh", "-c", "mkdir a && git mv dir* a && git commit -qm a", cwd=project)
    do(SHADOW, "run", "--", "mv", "a", "b", cwd=project)
    settled(project)
    view = in_view(project)
    inside(view, "git add -N . && git status")
    for verb, reference in (("status", "git status"), ("diff", "git diff -M")):
        ours, theirs = [], []
        for _ in range(ROUNDS):
            ours.append(timed(SHADOW, verb, cwd=project))
            theirs.append(inside(view, reference))
        table.add(f"{verb} of a renamed directory of {count} files / {reference}", ours, theirs)
