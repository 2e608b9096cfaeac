# SPDX-License-Identifier: MIT
"""Looks at the real machine after the user's day: whether an attempt got in, and how. Each answers with a
word, or None when it did not."""

import os
import re
import stat
import subprocess
import unicodedata

from review import attempt as a
from review.rights import NEW_RIGHTS, rights

IGNORABLE = {0xAD, 0x34F, 0x61C, 0x180E, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0xFEFF, 0xFE0F}
SYSTEM = ("/usr/", "/bin/", "/lib")


def folded(name):
    """As the least exact filesystem compares names."""
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return "".join(c for c in text if ord(c) not in IGNORABLE).rstrip(" .")


def place_of(stage, attempt):
    at = attempt.fill(attempt.at, stage)
    return stage.path(at[1:]) if at.startswith("/") else stage.path(attempt.place, at)


def candidates(path, top):
    """What a program that opens `path` may get, on any filesystem, following links as it does."""
    found = [top]
    for wanted in os.path.relpath(path, top).split("/"):
        below = []
        for directory in found:
            if os.path.isdir(directory):
                below += [os.path.join(directory, name) for name in os.listdir(directory)
                          if name == wanted or folded(name) == folded(wanted)]
        found = below
    return found


def text_of(path):
    try:
        if stat.S_ISREG(os.stat(path).st_mode):
            with open(path, "rb") as f:
                return f.read(1 << 22)
    except OSError:
        pass
    return b""


def ran(stage, attempt):
    return "its program ran" if os.path.exists(os.path.join(stage.canaries, attempt.id)) else None


def obeyed(stage, attempt):
    word = attempt.word.encode()
    for path in candidates(place_of(stage, attempt), stage.project):
        if word in text_of(path):
            return f"{os.path.relpath(path, stage.project)} is obeyed"
    return None


def is_set(stage, attempt):
    return "its setting is git's" if attempt.word.encode() in b"".join(stage.answers) else None


def leads_out(stage, attempt):
    own = os.path.realpath(stage.project) + "/"
    place = place_of(stage, attempt)
    paths = [place]
    for folder, names, files in os.walk(place):
        paths += [os.path.join(folder, name) for name in names + files]
    for path in paths:
        end = os.path.realpath(path)
        if os.path.islink(path) and not (end + "/").startswith(own) and not end.startswith(SYSTEM):
            return f"{os.path.relpath(path, stage.project)} leads to {end}"
    return None


def contents(stage):
    """All bytes that are in the project and its history, but for what shadow put aside."""
    pieces = []
    for folder, names, files in os.walk(os.fsencode(stage.project)):
        if b".git" in names:
            names.remove(b".git")
        for name in files + names:
            path = os.path.join(folder, name)
            pieces += [name, os.fsencode(os.readlink(path)) if os.path.islink(path) else text_of(path)]
    return pieces + [history(stage)]


def history(stage):
    def git(*words, give=b""):
        return subprocess.run(["git", "--no-replace-objects", *words], cwd=stage.project, env=stage.env, input=give,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
    refs = [name for name in git("for-each-ref", "--format=%(refname)").decode().split()
            if not name.startswith("refs/shadow/")]
    ids = [line.split()[0] for line in git("rev-list", "--objects", "HEAD", *refs).splitlines()]
    ids += [line.split()[1] for line in git("ls-files", "-s").splitlines()]
    return git("cat-file", "--batch", give=b"\n".join(ids)) + b"\n" + "\n".join(refs).encode()


# Also what is drawn as nothing, turns the rest around, or breaks the line.
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\U000e0000-\U000e007f]")


class Evidence:
    """What many attempts are held against: read once."""

    def __init__(self, stage):
        self.stage = stage
        self.contents = b"\n".join(contents(stage))
        self.shown = stage.shown()

    def secret(self, _):
        word = a.SECRET_TEXT.encode()
        places = [name for name, text in (("the project", self.contents), ("an output", self.shown)) if word in text]
        return f"the secret is in {places[0]}" if places else None

    def unseen(self, attempt):
        word = attempt.word.encode()
        return "bytes that were not shown" if word in self.contents and word not in self.shown else None

    def declined(self, attempt):
        return "it was declined, and is there" if attempt.word.encode() in self.contents else None

    def terminal(self, attempt):
        word = attempt.word.encode()
        for line in self.shown.split(b"\n"):
            if word in line and CONTROL.search(line.decode(errors="replace")):
                return f"a control character in {line!r}"
        return None

    def touched(self, attempt):
        word = attempt.word.encode()
        for top in (self.stage.home, self.stage.outside):
            for folder, names, files in os.walk(top):
                for name in files + names:
                    if word in os.fsencode(name) or word in text_of(os.path.join(folder, name)):
                        return f"{os.path.join(folder, name)} was written"
        return None

    def wider(self, attempt):
        path = place_of(self.stage, attempt)
        got = rights(path) - self.stage.rights.get(path, NEW_RIGHTS)
        if not got:
            return None
        name = os.path.relpath(path, self.stage.project)
        mode = f"{os.lstat(path).st_mode & 0o777:03o}"
        told = re.search(rf"{re.escape(name)}[^\n]*\n(?:[^\n]*\n){{0,3}}?[^\n]*mode (100|40)?{mode}|"
                         rf"{re.escape(name)}/?[^\n]* [0-7]*{mode}\b", self.shown.decode(errors="replace"))
        told = told or re.search(rf"{re.escape(name)}/?[^\n]*\bACL", self.shown.decode(errors="replace"))
        return None if told else f"{' '.join(sorted(got))} that no output says"

    def judge(self, attempt):
        looks = {a.RUN: lambda one: ran(self.stage, one), a.OBEYED: lambda one: obeyed(self.stage, one), a.SET: lambda one: is_set(self.stage, one),
                 a.LINK: lambda one: leads_out(self.stage, one), a.SECRET: self.secret, a.UNSEEN: self.unseen,
                 a.TERMINAL: self.terminal, a.TOUCHED: self.touched, a.DECLINED: self.declined,
                 a.WIDER: self.wider}
        return looks[attempt.goal](attempt)
