# SPDX-License-Identifier: MIT
"""What the user does: reviews without --allow-sensitive, and then ordinary commands of git, a shell with direnv, vim and an
editor with tasks, at the top and in each directory that came."""

import os
import shlex
import signal
import subprocess

from fuzz import vscode

REVIEWS = {
    "look": 4, "whole": 8, "path": 3, "parts": 2, "parts, some": 1, "theirs": 1, "markers": 1, "branch": 1, "no commits": 1,
    "undo": 2, "refresh": 2, "discard a path": 1, "discard": 1, "edit": 3, "commit": 2, "checkout": 1, "stash": 1,
}
MOST_PLACES = 5


def draw(chance):
    return chance.choices(list(REVIEWS), weights=list(REVIEWS.values()))[0]


def review(scene, what, chance):
    """One command of the user's, or some, between runs of the session."""
    names = sorted(scene.names)
    path = chance.choice(names)
    tell = lambda *words, **options: scene.told(scene.shadow(*words, check=False, timeout=60, **options))  # noqa: E731
    answers = {"parts": b"y\n" * 400, "parts, some": b"".join(chance.choice((b"y\n", b"n\n")) for _ in range(400))}
    if what == "look":
        look(scene)
    elif what in ("whole", "theirs", "markers", "no commits", "path"):
        words = {"whole": [], "no commits": ["--no-commits"], "path": ["--", path]}.get(what, [f"--on-conflict={what}"])
        apply(scene, words)
    elif what in answers:
        for extra in ([], ["--skip-sensitive"]):
            scene.applied(("apply", "-p", *extra, *scene.extra), stdin=answers[what])
    elif what == "branch":
        scene.applied(("apply", "--yes", "--skip-sensitive", f"--branch=agent-{chance.randrange(2)}", *scene.extra))
    elif what == "discard a path":
        tell("discard", "--yes", "--", path)
    elif what in ("undo", "refresh", "discard"):
        tell(what, *([] if what == "refresh" else ["--yes"]))
    elif what == "edit":
        scene.directly([f"echo mine >>{shlex.quote(path)}"])
    else:
        scene.git(*{"commit": ("commit", "-qam", "work"), "checkout": ("checkout", "-q", "other"), "stash": ("stash", "-q")}[what],
                  check=False)


def look(scene):
    for words in (("status",), ("diff",), ("diff", "--commits", "-p")):
        scene.told(scene.shadow(*words, check=False, timeout=60))
    scene.seen = True


def apply(scene, words):
    """As users do: whole, and where that stops, without what is sensitive."""
    done = scene.applied(("apply", "--yes", *scene.extra, *words))
    if done.returncode == scene.NOTHING_WRITTEN and not scene.extra:
        scene.applied(("apply", "--yes", "--skip-sensitive", *words))


GIT = """echo more >>f.dat
git status >/dev/null
git -p log -p -2 >/dev/null
git diff >/dev/null
echo work >>a.txt
git commit -a >/dev/null
git branch -f mine
git checkout -q other
git checkout -q -
echo work >>a.txt
git stash -q
git stash pop -q
git fetch -q origin
git submodule status >/dev/null
"""


def work(scene, places):
    """One interactive shell that goes about, with its prompt after each line; vim; and the editor with tasks."""
    lines = GIT
    for place in places:
        lines += f"cd {shlex.quote(place)}\nls >/dev/null\ngit status >/dev/null\n"
        if any(os.path.lexists(os.path.join(place, name)) for name in (".git", "HEAD", "h", "near")):
            lines += "git log -p -1 >/dev/null\ngit commit -qm x --allow-empty\n"
        if scene.has["vim"]:
            lines += "vim -T dumb -n --not-a-term -c 'qa!' -- $(ls -p | grep -v / | head -n 3) >/dev/null\n"
    shell(scene, lines + "exit\n")
    for place in [scene.project, *places]:
        if any(os.path.exists(os.path.join(place, name)) for name in (".vscode", ".venv", "env312", "env2", "setup.cfg", "pyproject.toml",
                                                                         ".pylintrc", "mypy.ini")):
            vscode.Folder(place, scene.env).open()


def shell(scene, lines):
    process = subprocess.Popen(["bash", "-i"], cwd=scene.project, env=scene.env, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        process.communicate(lines.encode(errors="surrogateescape"), timeout=60)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise


def places(scene):
    """The directories that a user may go into: those that came, those with names that something reads, the others."""
    found = []
    for folder, names, files in os.walk(scene.project):
        names[:] = [name for name in names if name not in (".git", "objects") and folder.count("/") < scene.project.count("/") + 5]
        for name in names + (files if folder != scene.project else []):
            path = folder if name in files else os.path.join(folder, name)
            if path != scene.project and path not in found:
                found.append(path)
    marked = [path for path in found if any(name in (".git", "HEAD", ".exrc", ".vimrc", ".envrc", "_exrc") for name in listing(path))]
    fresh = [path for path in found if path not in scene.known]
    return list(dict.fromkeys([*marked, *fresh, *found]))[:MOST_PLACES]


def listing(path):
    try:
        return os.listdir(path)
    except OSError:
        return []
