# SPDX-License-Identifier: MIT
"""The rules about rooms find what breaks them."""

import shutil
import sys
import tempfile
from pathlib import Path

import rooms
import tree
from tap import report

TREE = tree.ROOT


class Copy:
    """What the rules about rooms read, to be broken."""

    def __enter__(self):
        self.scratch = tempfile.TemporaryDirectory()
        tree.ROOT = Path(self.scratch.name)
        for name in ("src", "include"):
            shutil.copytree(TREE / name, tree.ROOT / name)
        for name in ("ARCHITECTURE.md", "meson.build"):
            shutil.copy(TREE / name, tree.ROOT / name)
        return self

    def __exit__(self, *_):
        tree.ROOT = TREE
        self.scratch.cleanup()

    def add(self, path, text):
        with (tree.ROOT / path).open("a", encoding="utf-8") as file:
            file.write(text)

    def replace(self, path, old, new):
        text = (tree.ROOT / path).read_text()
        assert old in text
        (tree.ROOT / path).write_text(text.replace(old, new))


def complaints_of(check, *parts):
    """None but one that has all the parts."""
    found = check()
    fits = len(found) == 1 and all(part in found[0] for part in parts)
    return [] if fits else [f"expected one with {', '.join(parts)}, found: {'; '.join(found) or 'none'}"]


def private_header():
    with Copy() as copy:
        wrong = rooms.faces()
        copy.add("src/changes/lines.cpp", '#include "review/rows.hpp"\n')
        return wrong + complaints_of(rooms.faces, "src/changes/lines.cpp", "review/rows.hpp")


def program_and_private_header():
    with Copy() as copy:
        copy.add("src/main.cpp", '#include "launcher/nested.hpp"\n')
        return complaints_of(rooms.faces, "src/main.cpp", "launcher/nested.hpp")


def unused_name():
    with Copy() as copy:
        copy.replace("ARCHITECTURE.md", "| `proxy` | `server` |", "| `proxy` | `server`, `relay` |")
        return complaints_of(rooms.faces, "proxy/relay", "no other room")


def missing_name():
    with Copy() as copy:
        copy.replace("ARCHITECTURE.md", "| `review` | all but `rows`", "| `review` | all but `gone`, `rows`")
        return complaints_of(rooms.faces, "review/gone", "not there")


def arrow_up():
    with Copy() as copy:
        copy.add("src/base/text.cpp", '#include "store/database/database.hpp"\n')
        return complaints_of(rooms.arrows, "src/base/text.cpp", "base may not use store")


def word_of_no_room():
    with Copy() as copy:
        copy.add("include/shadow/private.hpp", "#pragma once\n")
        return complaints_of(rooms.contracts, "include/shadow/private.hpp", "belongs into a room")


sys.exit(report({
    "a header that is not of the face is not included from another room": private_header,
    "nor from a program's own source": program_and_private_header,
    "a name in a face that nobody uses is found": unused_name,
    "a name in a face that is not there is found": missing_name,
    "an arrow up is found": arrow_up,
    "a header for no program that links the library is found": word_of_no_room,
}))
