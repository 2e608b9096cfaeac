# SPDX-License-Identifier: MIT
"""Names and places by which programs come to a file that nobody named to them."""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import harness  # noqa: E402

# New ones, each read as an option or a command of vim's where somebody types "*".
ARGUMENTS = ["-e sh x", "--checkpoint-action=exec=sh x", "d/-rf", "+!x", "+so x", "d/+q", "+page;!x"]
ROUTES = ["+page.svelte", "r/+page.server.ts", "r/+layout@admin.svelte", "r/+error.svelte", "r/+server.js", "app/+not-found.tsx",
          "a-b", "a+b", "d/x-", "c++/a"]


def reasons(w):
    """By path, why each change of the session's is sensitive."""
    return {one["path"]: one.get("sensitive", "") for one in json.loads(w.shadow("status", "--json").out)["changes"]}


def make(w, names, text="x"):
    for name in names:
        w.run("sh", "-c", 'mkdir -p "$(dirname "./$1")"; echo "$2" >"./$1"', "sh", name, text)


def test_names_that_are_arguments(w):
    """A new name that programs take for an option or a command stops an apply; one that the project has may change."""
    w.git_project({"-old": "a\n", "+old": "a\n", "-dir/old": "a\n"})
    make(w, ARGUMENTS + ROUTES + ["-old", "+old", "-dir/old", "-dir/new"])
    found = reasons(w)
    for name in ARGUMENTS:
        assert found[name] == ("vim takes the name for a command" if "+" in name else "programs take the name for an option"), (name, found)
    assert not [name for name in ROUTES + ["-old", "+old", "-dir/old", "-dir/new"] if found[name]], found
    w.sh("ln -s a.txt ./-link; rm ./-old")
    found = reasons(w)
    assert found["-link"] and not found["-old"], found
    w.shadow("apply", "--yes", "--skip-sensitive")
    assert not [name for name in ARGUMENTS + ["-link"] if os.path.lexists(w.path(name))]
    assert not os.path.lexists(w.path("-old")) and os.path.exists(w.path("r/+page.server.ts"))


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
