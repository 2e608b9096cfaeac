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


def in_turns(number, ours, theirs):
    """Both, once the one and once the other first."""
    for measure in ((ours, theirs) if number % 2 == 0 else (theirs, ours)):
        measure()


def promoting(table, large):
    """Changed files, written to the real tree and taken back. Nothing is removed in between, and
    each round has files of its own: ext4 passes over recently freed inodes one by one, for minutes."""
    for count in (1, 100, MANY):
        applied, copied, undone = [], [], []
        names = ("git ls-files 'dir*/file*.txt' | awk -v n={0} 'NR<=n' | "
                 "xargs -d '\\n' cp -a -t {1} && sync")
        for number in range(3):
            do(SHADOW, "run", "--", "python3", "-c", change_some(count, number), cwd=large)
            settled(large)
            copies = PLACE / f"copied-{count}-{number}"
            do("mkdir", copies)

            def apply():
                applied.append(timed(SHADOW, "apply", "--yes", cwd=large))
                settled(large)

            def copy():
                copied.append(timed("sh", "-c", names.format(count, copies), cwd=large))

            in_turns(number, apply, copy)
        for _ in range(3):
            undone.append(timed(SHADOW, "undo", cwd=large))
            do("sync")
        table.add(f"apply of {count} changed files / cp -a of as many and sync", applied, copied,
                  1.3 if count == MANY else None)
        table.add("undo of it / cp -a of as many and sync", undone, copied)


def bulk(table):
    """New files: promoted, and dropped."""
    project = make_tree(HOME / "bulk", 10, ENV)
    applied, copied, dropped, removed = [], [], [], []
    for number in range(3):
        make = (f"import os; os.mkdir('new{number}')\n"
                f"for i in range({MANY}): "
                f"open(f'new{number}/f{{i}}', 'w').write(f'content {{i}}\\n' * 20)\n")
        do(SHADOW, "run", "--", "python3", "-c", make, cwd=project)
        settled(project)
        applied.append(timed(SHADOW, "apply", "--yes", cwd=project))
        settled(project)
        copied.append(timed("sh", "-c", f"cp -a new{number} copy{number} && sync", cwd=project))
    for number in range(3):
        do(SHADOW, "run", "--", "sh", "-c", f"for f in new{number}/*; do echo more >>$f; done",
           cwd=project)
        settled(project)
        dropped.append(timed(SHADOW, "discard", "--yes", cwd=project))
        removed.append(timed("rm", "-rf", f"new{number}", cwd=project))
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
