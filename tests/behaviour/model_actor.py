# SPDX-License-Identifier: MIT
"""What a user or an agent does to a tree, by name and numbers: run in the project by the test, and in a view by a
run. Started as a program it takes one line of JSON after the other, [name, argument...], and answers each."""

import json
import os
import shutil
import stat
import sys

NAMES = ["a", "b", "c", "d/a", "d/b", "e/a", "e/b", "x"]


def look(root):
    """{path: [kind, mode, text]} of all but git's own."""
    found = {}
    for folder, dirs, files in os.walk(root):
        dirs[:] = sorted(name for name in dirs if name != ".git")
        for name in sorted(files) + [name for name in dirs if os.path.islink(os.path.join(folder, name))]:
            path = os.path.join(folder, name)
            try:
                mode = os.lstat(path).st_mode
                if stat.S_ISLNK(mode):
                    fact = ["link", 0, os.readlink(path)]
                else:
                    with open(path, encoding="utf-8") as f:
                        fact = ["file", stat.S_IMODE(mode), f.read()]
            except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
                continue  # a live view shows what the project has become a moment later
            found[os.path.relpath(path, root)] = fact
    return found


def files(root):
    return [path for path, fact in look(root).items() if fact[0] == "file"]


def lines_of(path):
    with open(path, encoding="utf-8") as f:
        return f.read().splitlines(keepends=True)


def save(path, text, how):
    """In place, over what is there, or by a rename, as editors do."""
    if how % 2 == 0 or not os.path.exists(path):
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return
    with open(path + "~", "w", encoding="utf-8") as f:
        f.write(text)
    shutil.copymode(path, path + "~")
    os.replace(path + "~", path)


def room_for(root, name):
    """Whether a file of that name can be made: nothing is there, and no file stands in the way."""
    path = os.path.join(root, name)
    above = os.path.dirname(path)
    if os.path.lexists(path) or (os.path.lexists(above) and not os.path.isdir(above)):
        return False
    os.makedirs(above, exist_ok=True)
    return True


def insert(root, which, where, token, how):
    there = files(root)
    if there:
        path = os.path.join(root, there[which % len(there)])
        lines = lines_of(path)
        lines.insert(where % (len(lines) + 1), token + "\n")
        save(path, "".join(lines), how)
        return [path]
    return []


def cut(root, which, where, how):
    there = files(root)
    if there:
        path = os.path.join(root, there[which % len(there)])
        lines = lines_of(path)
        if lines:
            del lines[where % len(lines)]
            save(path, "".join(lines), how)
            return [path]
    return []


def overwrite(root, name, text, mtime=None):
    path = os.path.join(root, name)
    if os.path.isfile(path) and not os.path.islink(path):
        save(path, text, 1)
        if mtime is not None:
            os.utime(path, ns=(mtime, mtime))
        return [path]
    return []


def create(root, which, tokens):
    name = NAMES[which % len(NAMES)]
    if room_for(root, name):
        save(os.path.join(root, name), "".join(token + "\n" for token in tokens), 0)
        return [os.path.join(root, name)]
    return []


def delete(root, which):
    there = files(root)
    if there:
        path = os.path.join(root, there[which % len(there)])
        os.unlink(path)
        return [path]
    return []


def rename(root, which, to):
    there = files(root)
    name = NAMES[to % len(NAMES)]
    if there and room_for(root, name):
        path = os.path.join(root, there[which % len(there)])
        os.rename(path, os.path.join(root, name))
        return [path, os.path.join(root, name)]
    return []


def chmod(root, which):
    there = files(root)
    if there:
        path = os.path.join(root, there[which % len(there)])
        os.chmod(path, stat.S_IMODE(os.stat(path).st_mode) ^ 0o111)
        return [path]
    return []


def touch(root, which):
    there = files(root)
    if there:
        path = os.path.join(root, there[which % len(there)])
        os.utime(path)
        return [path]
    return []


def remove_tree(root, which):
    path = os.path.join(root, ("d", "e")[which % 2])
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
        return [path]
    return []


def swap_kind(root, which, token):
    """A directory takes the place of a file, or a file that of a directory."""
    path = os.path.join(root, ("d", "e", "x")[which % 3])
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
        save(path, token + "\n", 0)
    elif os.path.lexists(path):
        os.unlink(path)
        os.mkdir(path)
        save(os.path.join(path, "a"), token + "\n", 0)
    else:
        return []
    return [path]


def link(root, which, to):
    there = files(root)
    name = NAMES[to % len(NAMES)]
    if there and room_for(root, name):
        target = os.path.join(root, there[which % len(there)])
        os.symlink(os.path.relpath(target, os.path.dirname(os.path.join(root, name))), os.path.join(root, name))
        return [os.path.join(root, name)]
    return []


def act(root, name, *arguments):
    """Does it; which paths below the root were touched. A live view may not know yet what has gone."""
    try:
        return [os.path.relpath(path, root) for path in ACTIONS[name](root, *arguments)]
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        return []


ACTIONS = {action.__name__: action for action in (insert, cut, overwrite, create, delete, rename, chmod, touch,
                                                  remove_tree, swap_kind, link)}


def main():
    for line in sys.stdin:
        name, *arguments = json.loads(line)
        answer = look(".") if name == "look" else act(".", name, *arguments)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
