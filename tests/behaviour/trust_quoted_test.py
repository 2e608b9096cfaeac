# SPDX-License-Identifier: MIT
"""What runs by a path that has a blank in it, or another sign that parts words: hooks, set-ups and start files quote it."""

import json
import os
import shlex
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import harness  # noqa: E402

# A hook, and a file that it runs.
HOOKS = [
    ('sh "my tools/x.txt"', "my tools/x.txt"),
    (r"sh my\ tools/x.txt", "my tools/x.txt"),
    ("sh my' 'tools/x.txt", "my tools/x.txt"),
    ('sh ./"my tools"/x.txt', "my tools/x.txt"),
    ('sh "$PWD"/"my tools/x.txt"', "my tools/x.txt"),
    ("sh \\\n  'my tools/x.txt'", "my tools/x.txt"),
    ('exec "$(git rev-parse --show-toplevel)/my tools/x"', "my tools/x"),
    ('exec "$(git rev-parse --show-toplevel)"/my\\ tools/x', "my tools/x"),
    ('cd "my tools" && sh x', "my tools/x"),
    ('D="my tools"; sh "$D/x"', "my tools/x"),
    ('D="$PWD/my tools"\nfor f in "$D"/*.sh; do sh "$f"; done', "my tools/x.sh"),
    ("sh -c 'sh \"my tools/x.txt\"'", "my tools/x.txt"),
    ('sh -c "sh \'my tools/x.txt\'"', "my tools/x.txt"),
    ('eval "sh \\"my tools/x.txt\\""', "my tools/x.txt"),
    ('run() { sh "my tools/$1"; }; run x.txt', "my tools/x.txt"),
    ('make -C "my tools"', "my tools/Makefile"),
    (r'find "my tools" -type f -exec sh {} \;', "my tools/x"),
    ('python3 -c "import sys; sys.path.insert(0, \'my tools\'); import x"', "my tools/x.py"),
    ('ruby -I"my tools" -rx -e 1', "my tools/x.rb"),
    ("sh tools/a,b.sh", "tools/a,b.sh"),
    ("sh tools/a=b.sh", "tools/a=b.sh"),
    ("sh tools/a:b.sh", "tools/a:b.sh"),
    ("sh 'tools/a!b.sh'", "tools/a!b.sh"),
    ('sh "tools/(a)&b.txt"', "tools/(a)&b.txt"),
    (r"sh tools/it\'s.txt", "tools/it's.txt"),
]

# A hook, and a file that it only works on.
WORKED_ON = [
    ('echo "see my src/a.py.txt, and sh it"', "my src/a.py.txt"),
    ('cd src && for f in *.txt; do black "my $f"; echo "sh it"; done', "my src/log.txt"),
]

# Files of the project that programs obey, and one that these lead to.
SERVER = '{"mcpServers": {"s": %s}}'
LED = [
    ({".husky/pre-commit": 'sh "my tools/x.txt"\n'}, "my tools/x.txt"),
    ({".envrc": 'source "$PWD/my env/vars.txt"\n'}, "my env/vars.txt"),
    ({".envrc": "source my\\ env/vars.txt\n"}, "my env/vars.txt"),
    ({".envrc": 'PATH_add "my bin"\n'}, "my bin/ls"),
    ({".envrc": 'export LD_LIBRARY_PATH="$PWD/my lib"\n'}, "my lib/a.so"),
    ({"mise.toml": '[tasks.a]\nrun = "sh \'my tools/x.txt\'"\n'}, "my tools/x.txt"),
    ({"mise.toml": '[env]\n_.file = "my env/vars.txt"\n'}, "my env/vars.txt"),
    ({".pre-commit-config.yaml": "repos:\n- repo: local\n  hooks:\n  - id: x\n    entry: sh 'my tools/x.txt'\n"}, "my tools/x.txt"),
    ({".pre-commit-config.yaml": "repos:\n- repo: local\n  hooks:\n  - id: x\n    entry: 'sh \"my tools/x.txt\"'\n"},
     "my tools/x.txt"),
    ({"lefthook.yml": 'pre-commit:\n  commands:\n    a:\n      root: "my tools/"\n      run: sh x\n'}, "my tools/x"),
    ({".mcp.json": SERVER % '{"command": "sh", "args": ["my tools/x.txt"]}'}, "my tools/x.txt"),
    ({".mcp.json": SERVER % '{"command": "node", "args": ["x.js"], "cwd": "server dir"}'}, "server dir/x.js"),
    ({".mcp.json": SERVER % '{"command": "sh", "args": ["my tools\\/x.txt"]}'}, "my tools/x.txt"),
    ({".mcp.json": SERVER % '{"command": "sh", "args": ["too\\u006cs/x.txt"]}'}, "tools/x.txt"),
    ({".claude/settings.json": '{"hooks": {"Stop": [{"command": "sh \\"$CLAUDE_PROJECT_DIR/my tools/x.txt\\""}]}}'},
     "my tools/x.txt"),
    ({".lvimrc": "source my\\ tools/x.txt\n"}, "my tools/x.txt"),
]

# A start file of the home, and a file of the project that it leads to: @ is the project, from the home.
HOME = [
    (".bashrc", 'source "$HOME/@/env.txt"', "env.txt"),
    (".bashrc", ". ~/@\\/env.txt", "env.txt"),
    (".bashrc", 'D="$HOME/@"; . "$D/env.txt"', "env.txt"),
    (".bashrc", 'PATH="$HOME/@/bin:$PATH"', "bin/ls"),
    (".bashrc", "alias x=\"sh '$HOME/@/x.txt'\"", "x.txt"),
    (".zshrc", "source ~/'@'/env.txt", "env.txt"),
    (".vimrc", "source ~/@\\/x.txt", "x.txt"),
    (".gitconfig", '[core]\n\tfsmonitor = "sh \\"~/@/x.txt\\""', "x.txt"),
    (".gitconfig", '[core]\n\tfsmonitor = \'$HOME/@/x.txt\'', "x.txt"),
    (".gitconfig", '[alias]\n\tst = "!sh \'~/@/x.txt\'"', "x.txt"),
    (".gitconfig", '[gpg]\n\tprogram = ~/@/x.txt', "x.txt"),
]


def judged(w, file):
    """Why a change of that file is sensitive, or an empty text."""
    w.run("sh", "-c", f"echo agent >{shlex.quote(file)}")
    (change,) = json.loads(w.shadow("status", "--json").out)["changes"]
    assert change["path"] == file, change
    w.shadow("discard", "--yes")
    return change.get("sensitive", "")


def of_hook(w, hook, file):
    with open(w.path(".git/hooks/pre-commit"), "w", encoding="ascii") as f:
        f.write(f"#!/bin/sh\n{hook}\n")
    os.chmod(f.name, 0o755)
    return judged(w, file)


def test_what_a_hook_runs(w):
    """A file that a hook runs is sensitive however the shell quotes its name."""
    w.git_project({file: "x\n" for _, file in HOOKS})
    missed = [hook for hook, file in HOOKS if of_hook(w, hook, file) != "the hook pre-commit of git names it"]
    assert not missed, missed


def test_what_a_hook_works_on(w):
    """What a hook only formats or says is an ordinary change, quoted or not."""
    w.git_project({file: "x\n" for _, file in [*HOOKS, *WORKED_ON]})
    held = [hook for hook, file in WORKED_ON if of_hook(w, hook, file)]
    assert not held, held


def test_what_a_set_up_leads_to(w):
    """A set-up's values may have blanks, and JSON's letters other forms."""
    missed = []
    for i, (files, file) in enumerate(LED):
        w.project = os.path.join(w.tmp, f"a b {i}")
        os.mkdir(w.project)
        w.git_project({**files, file: "x\n"})
        if "names it" not in judged(w, file):
            missed.append((files, file))
    assert not missed, missed


def test_start_files_of_the_home(w):
    """A project that lies below a directory with a blank in its name is found where the home names it."""
    missed = []
    for i, (name, text, file) in enumerate(HOME):
        place = f"My Projects/c {i}/in"
        w.project = os.path.join(w.home, place)
        os.makedirs(w.project)
        w.git_project({file: "x\n"})
        start = os.path.join(w.home, name)
        with open(start, "a+", encoding="utf-8") as f:
            f.seek(0)
            before = f.read()
            escaped = place.replace(" ", "\\ ")
            f.write(text.replace("@\\/", escaped + "/").replace("@", place) + "\n")
        if not judged(w, file):
            missed.append((name, text))
        with open(start, "w", encoding="utf-8") as f:
            f.write(before)
    assert not missed, missed


def test_values_of_the_projects_git(w):
    """A setting of git is a shell's command line, or one program, with blanks in it."""
    w.git_project({"my tools/fs": "x\n"})
    for key, value in (("core.fsmonitor", "'my tools/fs'"), ("core.fsmonitor", "my\\ tools/fs"), ("gpg.program", "my tools/fs"),
                       ("diff.x.textconv", 'sh "my tools/fs"'), ("alias.x", '!sh "my tools/fs"')):
        w.git("config", key, value)
        assert judged(w, "my tools/fs"), (key, value)
        w.git("config", "--unset", key)
    for value in ('sh "my tools/fs"', "my tools/fs"):
        w.run("sh", "-c", "echo agent >'my tools/fs'")
        (change,) = json.loads(w.shadow("status", "--json", env={"GIT_EDITOR": value}).out)["changes"]
        assert change.get("sensitive"), value
        w.shadow("discard", "--yes")
    assert not judged(w, "my tools/fs")


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
