# SPDX-License-Identifier: MIT
"""Whose a line is in a round of the model."""

import collections
import difflib
import re

OWN = re.compile(r"a\d+")  # the agent's lines
MARKER = re.compile(r"<{7} |[|]{7} |={7}$|>{7} ")  # nobody's: of a conflict written into a file


def lines_in(tree):
    return {line for kind, _, text in tree.values() if kind == "file" for line in text.splitlines()
            if not MARKER.match(line)}


def rarer(before, after):
    """The lines that fewer files of the second tree have."""
    had, has = (collections.Counter(line for path, fact in tree.items() for line in lines_in({path: fact}))
                for tree in (before, after))
    return {line for line in had if has[line] < had[line]}


def at_or_below(path, tree):
    return {name: fact for name, fact in tree.items() if name == path or name.startswith(path + "/")}


def related(path, paths):
    return any(path == other or path.startswith(other + "/") or other.startswith(path + "/") for other in paths)


def cut_in(paths, before, after):
    """What was taken out of these files, though it may be in another one, too."""
    return {line for path in set(paths) & before.keys() & after.keys()
            for line in lines_in({path: before[path]}) - lines_in({path: after[path]})}


def worked_on(before, after):
    """The lines of a file in whose place there are others that nobody had before, as many or more."""
    had, has = before.splitlines(), after.splitlines()
    return {line for what, i, j, k, l in difflib.SequenceMatcher(a=had, b=has, autojunk=False).get_opcodes()
            if what == "replace" and l - k >= j - i and not set(has[k:l]) & set(had) for line in had[i:j]}


def alike(one, other):
    """Whether half of the larger text's bytes are in lines of both: a file that was moved, as git sees it."""
    had, has = (collections.Counter(text.splitlines(keepends=True)) for text in (one, other))
    return 2 * sum(len(line) * n for line, n in (had & has).items()) >= max(len(one), len(other))


class Moves:
    """What the agent moved, and what the user had there."""

    def __init__(self):
        self.texts = {}  # by the name that it has now
        self.first = {}  # by that, the name that the user has it by

    def note(self, old, new, texts):
        self.texts[new] = self.texts.pop(old, None) or texts
        self.first[new] = self.first.pop(old, old)

    def other_than_moved(self, tree):
        """The user's lines in what has become another file since, or is a copy, with another one at its old name: no
        deletion of the old one reaches them."""
        self.texts = {path: texts for path, texts in self.texts.items() if path in tree}
        return {line for path, texts in self.texts.items()
                if self.first[path] in tree or not any(alike(text, tree[path][2]) for text in texts)
                for line in set("".join(texts).splitlines()) & lines_in({path: tree[path]})}


def as_gone(before, after):
    """Where lines of a file are that went: moved back there, it may be, and is in conflict where the user had moved it.
    And the directories that were emptied, which git removes."""
    went = before.keys() - after.keys()
    gone = lines_in({path: before[path] for path in went})
    emptied = {path.rpartition("/")[0] for path in went} - {path.rpartition("/")[0] for path in after}
    return {path for path, fact in after.items() if lines_in({path: fact}) & gone} | emptied - {""}
