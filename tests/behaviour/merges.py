# SPDX-License-Identifier: MIT
"""Files that both sides edited, and what an apply makes of them."""

import ast
import json

from applies import lines
from harness import difference, walk, walk_script


def view_of(w):
    return ast.literal_eval(w.run("python3", "-c", walk_script()).out)


def check_same(w):
    """Nothing is left to apply, and the view is the project."""
    assert w.shadow("diff").out == "", w.shadow("diff").out
    assert json.loads(w.shadow("status", "--json").out)["changes"] == []
    w.wait_settled()
    told = difference(walk(w.project), view_of(w))
    assert not told, told


def known(w, *names, **others):
    """A session that began after these files and has the bases of `names`: it changed them and
    changed them back."""
    w.shadow("discard", "--yes", check=False)
    names = names or ("F",)
    for name in names:
        w.write(name, lines())
    for name, text in others.items():
        w.write(name, text)
    for name in names:
        w.run("sh", "-c", 'printf x >>"$0"; head -c -1 "$0" >/tmp/known-copy; cat /tmp/known-copy >"$0"', name)
    w.wait_settled()


def edit_user(w, text):
    w.write("F", text)


def edit_agent(w, text):
    w.run("sh", "-c", "cat >F", stdin=text.encode())
    w.wait_settled()
