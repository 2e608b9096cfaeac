# SPDX-License-Identifier: MIT
"""What commands cost inside the view."""

from measuring import (ENV, HOME, LARGE, MANY, PLACE, ROUNDS, SHADOW, do, in_view, inside, live,
                       outside)


def plain_overlay(project):
    """The kernel's overlay over the project, and nothing else: what no program can be faster than."""
    layers = PLACE / "plain"
    for name in ("upper", "work", "merged"):
        (layers / name).mkdir(parents=True, exist_ok=True)
    options = f"lowerdir={project},upperdir={layers}/upper,workdir={layers}/work,userxattr"
    return {"path": project, "through": [
        "unshare", "-Urm", "sh", "-c",
        f'mount -t overlay -o {options} overlay {layers}/merged && cd {layers}/merged && exec "$@"',
        "sh"]}


def reading(table, large):
    commands = [
        ("git status", "git status --porcelain", 1.1),
        ("find", "find . -type f", 1.1),
        ("grep -r", "! grep -r absent .", 1.1),
        ("a compile", "cc -O1 -c -o /dev/null dir0/unit.c", 1.1),
    ]
    view, real, plain = in_view(large), outside(large), plain_overlay(large)
    with live(large):
        for name, script, bar in commands:
            ours, theirs, bare = [], [], []
            for place in (view, real, plain):
                inside(place, script)
            for _ in range(ROUNDS):
                ours.append(inside(view, script, 3))
                theirs.append(inside(real, script, 3))
                bare.append(inside(plain, script, 3))
            table.add(f"{name} in the view / outside", ours, theirs, bar)
            table.add(f"{name} in the view / in a plain overlay", ours, bare, bar)
            table.add(f"{name} in a plain overlay / outside", bare, theirs)


def touching(table, large):
    """The first write to a file copies it up. Other files each round, and nothing is removed in
    between: ext4 takes its time for a new inode where many were freed within the last minute."""
    rounds = 3
    count = min(MANY, LARGE // rounds)
    touch = ("find . -name 'file*' | sort | tail -n +{0} | head -n {1} | xargs touch")
    times = {"view": [], "outside": [], "plain": []}
    places = {"view": in_view(large), "outside": outside(large), "plain": plain_overlay(large)}
    for number in range(rounds):
        for name, place in places.items():
            do("sync")
            times[name].append(inside(place, touch.format(number * count + 1, count)))
    do(SHADOW, "discard", "--yes", cwd=large)
    do("sh", "-c", "chmod -R u+rwX plain && rm -rf plain", cwd=PLACE)
    do("git", "update-index", "-q", "--refresh", cwd=large)
    table.add(f"touch {count} files in the view / outside", times["view"], times["outside"], 6)
    table.add(f"touch {count} files in the view / in a plain overlay", times["view"], times["plain"])


def real_sources(table, path):
    """The same on the sources of a program that people use."""
    view, real = in_view(path), outside(path)
    scripts = {"git status": "git status --porcelain", "grep -r": "! grep -rq no.such.word ."}
    with live(path):
        for name, script in scripts.items():
            ours, theirs = [], []
            for place in (view, real):
                inside(place, script)
            for _ in range(ROUNDS):
                ours.append(inside(view, script))
                theirs.append(inside(real, script))
            table.add(f"{name} in the view of real sources / outside", ours, theirs)
