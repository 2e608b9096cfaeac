# SPDX-License-Identifier: MIT
"""What came of a round: canaries that were touched, text of the session's where something obeys it, links out of the
project, set-id bits, and bytes that no output showed. Written apart from the program's own rules."""

import os
import re
import stat
import tomllib

from review import oracles
from review.listed import DATA

WORD = re.compile(rb"evil-(s\d+)-word")


def load():
    with open(DATA, "rb") as f:
        rules = tomllib.load(f)["rule"]
    exact, below, ends, at_root = set(), set(), [], set()
    for rule in rules:
        for name in rule["names"]:
            parts = tuple(name.lower().split("/"))
            if name.startswith("*"):
                ends.append(name[1:].lower())
            elif rule.get("at_root"):
                at_root.add(parts)
            else:
                (below if rule.get("directory") else exact).add(parts)
    return exact, below, ends, at_root


EXACT, BELOW, ENDS, AT_ROOT = load()
IN_GIT = {"hooks", "config", "config.worktree", "info", "commondir", "modules", "rebase-merge", "rebase-apply", "sequencer"}


def is_listed(path, project=None):
    """By the list alone; what is in a git directory by what git reads there. Each work tree in `project` has a top."""
    parts = [oracles.folded(part) for part in path.split("/")]
    for begin in range(len(parts)):
        for length in (1, 2, 3):
            run = tuple(parts[begin:begin + length])
            if run in BELOW or (run in AT_ROOT and is_top(path, begin, project)) or (run in EXACT and begin + length == len(parts)):
                return True
    if ".git" in parts and set(parts[parts.index(".git") + 1:][:1]) & IN_GIT and parts[-2:] != ["info", "exclude"]:
        return True
    return any(parts[-1].endswith(end) for end in ENDS)


def is_top(path, begin, project):
    above = path.split("/")[:begin]
    return begin == 0 or (project is not None and os.path.lexists(os.path.join(project, *above, ".git")))


def words_in(data):
    return {found.decode() for found in WORD.findall(data)}


def obeyed(scene):
    """Files that have a listed name, also by way of links to directories, and text of the session's."""
    found, seen = set(), set()
    stack = [("", 0)]
    while stack:
        directory, depth = stack.pop()
        real = os.path.realpath(os.path.join(scene.project, directory))
        if depth > 7 or (real, os.path.basename(directory)) in seen or not (real + "/").startswith(scene.project + "/"):
            continue
        seen.add((real, os.path.basename(directory)))
        for name in sorted(os.listdir(os.path.join(scene.project, directory))):
            path = os.path.join(directory, name)
            full = os.path.join(scene.project, path)
            if os.path.isdir(full):
                if name != "objects":
                    stack.append((path, depth + 1))
            elif is_listed(path, scene.project):
                found |= {(word, f"is obeyed at {path!r}") for word in words_in(oracles.text_of(full))}
    return found


def in_commits(scene):
    """Files of listed names in what branches and tags hold, the session's text in them."""
    found = set()
    refs = scene.git("for-each-ref", "--format=%(refname)", "refs/heads", "refs/tags", check=False).stdout.decode().split()
    for ref in refs:
        listing = scene.git("ls-tree", "-rz", ref, check=False).stdout
        for line in listing.split(b"\0"):
            head, _, name = line.partition(b"\t")
            if name and is_listed(os.fsdecode(name)):
                text = scene.git("cat-file", "-p", head.split()[2].decode(), check=False).stdout
                found |= {(word, f"is obeyed at {os.fsdecode(name)!r} of {ref}") for word in words_in(text)}
    return found


def entries(scene):
    for folder, names, files in os.walk(scene.project):
        if folder == scene.project and ".git" in names:
            names.remove(".git")
        for name in names + files:
            yield os.path.join(folder, name)


def links_out(scene):
    own = os.path.realpath(scene.project) + "/"
    found = set()
    for path in entries(scene):
        if os.path.islink(path):
            end = os.path.realpath(path)
            if not (end + "/").startswith(own) and not end.startswith(oracles.SYSTEM):
                found.add(path)
    return found


def set_ids(scene):
    return {path for path in entries(scene) if not os.path.islink(path) and os.lstat(path).st_mode & (stat.S_ISUID | stat.S_ISGID)
            and not os.path.isdir(path)}


def unseen(scene):
    shown = words_in(scene.shown())
    here = words_in(b"\n".join(oracles.contents(scene)))
    return {(word, "is bytes that no output showed") for word in here - shown}


def findings(scene):
    """(step, what it came to), sorted. `scene.linked` is what led out before the session."""
    found = {(name, "ran") for name in os.listdir(scene.canaries)}
    found |= obeyed(scene) | in_commits(scene)
    found |= {("link", f"leads out: {os.path.relpath(path, scene.project)}") for path in links_out(scene) - scene.linked}
    found |= {("mode", f"is set-id: {os.path.relpath(path, scene.project)}") for path in set_ids(scene)}
    if scene.held_to_shown:
        found |= unseen(scene)
    return sorted(found)
