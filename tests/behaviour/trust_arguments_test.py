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


def test_packages_that_git_does_not_ignore(w):
    """What node finds by its name is sensitive where git does not ignore it, in the work tree and in commits."""
    w.git_project({".gitignore": "/node_modules\n", "tl/node_modules/old/index.js": "old\n"})
    make(w, ["node_modules/a/index.js", "tl/node_modules/b/index.js", "tl/Node_Modules/c.js", "tl/node_modules/old/index.js",
             "tl/node_modules.txt", "src/b.js"])
    found = reasons(w)
    for name in ("tl/node_modules/b/index.js", "tl/Node_Modules/c.js", "tl/node_modules/old/index.js"):
        assert found[name] == "programs load it by its name", found
    assert not found["src/b.js"] and not found["tl/node_modules.txt"], found
    w.shadow("apply", "--yes", "--ignored", "--skip-sensitive")
    assert w.read("node_modules/a/index.js") == "x\n" and not os.path.exists(w.path("tl/node_modules/b"))
    assert w.shadow("undo", "--yes").returncode == 0 and not os.path.exists(w.path("node_modules"))
    w.shadow("discard", "--yes")
    w.sh("mkdir -p node_modules; echo x >node_modules/d.js; git add -f node_modules; git commit -qm evil; git rm -rq node_modules; "
         "git commit -qm gone")
    done = w.shadow("apply", "--yes", check=False)
    assert "node_modules/d.js" in done.out + done.err and b"evil" not in w.git("log", "--format=%s").stdout, (done.out, done.err)


def test_what_is_found_in_the_place_of_a_source(w):
    """What Perl and Emacs load in the place of a sensitive source is as sensitive."""
    w.git_project({".envrc": "perl tl/x.pl\n", "tl/x.pl": "require './tl/y.pm';\n", "tl/y.pm": "1;\n"})
    make(w, ["tl/y.pmc", "tl/z.pmc", "home/.emacs.elc", ".emacs.d/init.elc", "src/a.elc"])
    found = reasons(w)
    assert found["tl/y.pmc"] and found["home/.emacs.elc"] and found[".emacs.d/init.elc"], found
    assert not found["tl/z.pmc"] and not found["src/a.elc"], found


def test_packages_of_node_without_git(w):
    """Where there is no repository nothing tells packages from what else there is: they come as all does."""
    w.write("a.js", "a\n")
    make(w, ["node_modules/b/index.js"])
    w.shadow("apply", "--yes")
    assert w.read("node_modules/b/index.js") == "x\n"


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
