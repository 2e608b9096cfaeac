# SPDX-License-Identifier: MIT
"""What hooks of the project's git run in the project, by whatever form they name it, and what set-ups lead to."""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import harness  # noqa: E402

# A hook, and a file that it runs.
RUN = [
    ('D=tl; sh "$D/x"', "tl/x"),
    ("export D=tl\n. ${D}/x", "tl/x"),
    ("D=${HOOKS:-tl}\nsh $D/x", "tl/x"),
    ('ROOT=$(git rev-parse --show-toplevel)\nTOOLS="$ROOT/tl"\nexec "$TOOLS/x" "$@"', "tl/x"),
    ('D="$(dirname "$0")/../../tl"\nsh "$D/x"', "tl/x"),
    ('D="$(cd "$(dirname "$0")/../../tl" && pwd)"\nsh "$D/x"', "tl/x"),
    ("N=x\nsh tl/$N.sh", "tl/x.sh"),
    ('ALL=(tl/x tl/y)\nfor h in "${ALL[@]}"; do sh "$h"; done', "tl/x"),
    ('for n in a x; do\n  sh "tl/$n"\ndone', "tl/x"),
    ('D=tl\nfor f in "$D"/*; do sh "$f"; done', "tl/x"),
    ('D=tl\nrun-parts "$D"', "tl/x"),
    ('D=tl\nexec "$D/$(basename "$0")" "$@"', "tl/pre-commit"),
    ('exec "tl/${0##*/}"', "tl/pre-commit"),
    ('run() { sh "tl/$1.sh"; }\nrun x', "tl/x.sh"),
    ('ls tl | while read f; do sh "tl/$f"; done', "tl/x"),
    ("ls tl/* | xargs -n1 sh", "tl/x"),
    (r"find tl -type f -exec sh {} \;", "tl/x"),
    ("find tl -print0 | xargs -0 --no-run-if-empty bash", "tl/x"),
    ('for f in $(find tl -name "*.sh"); do\n  sh "$f"\ndone', "tl/x.sh"),
    ('for f in $(find tl -name "*.sh"); do . "$f"; done', "tl/x.sh"),
    ("cd tl\nsh x", "tl/x"),
    ('for f in *.check; do sh "./$f"; done', "x.check"),
    ('for f in *.check\ndo\n  bash -eu "$f" || exit 1\ndone', "x.check"),
    ('for f in ./*.check; do "$f"; done', "x.check"),
    ('(cd tl && for f in *; do sh "$f"; done)', "tl/x"),
    ('cd tl && exec "./${0##*/}"', "tl/pre-commit"),
    ("go -C tl run .", "tl/main.go"),
    ("cargo run -q --manifest-path tl/Cargo.toml", "tl/main.rs"),
    ("ruby -Itl -rload -e 1", "tl/load.rb"),
    ("perl -I tl -MA::B=c -e 1", "tl/A/B.pm"),
    ("go -C ./tl/in run .", "tl/in/main.go"),
    ("ls tl/*.sh | parallel bash", "tl/x.sh"),
    ("sudo -D tl sh x", "tl/x"),
    ("uv --directory tl run x.py", "tl/x.py"),
    ("make -C tl", "tl/Makefile"),
    ("java -cp tl Main", "tl/Main.class"),
    ("python3 tl", "tl/__main__.py"),
    ("node tl", "tl/index.js"),
    ("python3 -c 'import tl.x'", "tl/x.py"),
    ("python3 - <<EOF\nimport sys\nsys.path.insert(0, 'tl')\nimport x\nEOF", "tl/x.py"),
]

# A hook, and a file of a plain name that some option, pipe or default has a program run.
HANDED = [
    ('eval "$(cat check.conf)"', "check.conf"),
    ("C=$(cat check.conf)\neval \"$C\"", "check.conf"),
    ("cat check.txt | sh", "check.txt"),
    ("sed s/a/b/ check.txt | envsubst | bash -eu", "check.txt"),
    ("cat check.txt | sh -s -- x", "check.txt"),
    ("sh <check.txt", "check.txt"),
    ('bash -c "$(< check.txt)"', "check.txt"),
    ('eval "$(<check.txt)"', "check.txt"),
    (". <(cat check.txt)", "check.txt"),
    ("python3 - <check.txt", "check.txt"),
    ("make -f checks.txt lint", "checks.txt"),
    ("make --makefile=checks.txt", "checks.txt"),
    ("awk -f check.prog a", "check.prog"),
    ("sed -n -f check.ed a", "check.ed"),
    ("perl -Mlib=lib -MChk -e 1", "lib/Chk.pm"),
    ("go run .", "main.go"),
    ("cargo run --bin chk", "src/bin/chk.rs"),
    ("cargo run -q -p chk", "crates/chk/main.rs"),
    ("cargo run", "src/main.rs"),
    ("dotnet run chk.cs", "chk.cs"),
    ("dotnet run --project tl", "tl/a.cs"),
    ("npx tsx chk", "chk.ts"),
    ("uv run chk.txt", "chk.txt"),
    ("vim -es -S chk.txt", "chk.txt"),
    ("bash --rcfile chk.txt -i", "chk.txt"),
    ("gdb -x chk.txt a", "chk.txt"),
    ("mypy --config-file mypy.txt src", "mypy.txt"),
    ("pylint --load-plugins=tl.p src", "tl/p.py"),
    ("just check", "justfile"),
    ("task lint", "Taskfile.yml"),
    ("rake lint", "Rakefile"),
    ("nox -s lint", "noxfile.py"),
    ("just -f chk.txt x", "chk.txt"),
]

# A hook, and a file that it works on.
WORKED_ON = [
    ("find src -name '*.py' -exec black {} +", "src/a.py"),
    (r"find src -name '*.sh' -exec bash -n {} \;", "src/a.sh"),
    ("find src -name '*.c' -exec sh -c 'clang-format -i \"$1\"' _ {} \\;", "src/a.c"),
    ("git diff --cached --name-only | xargs python3 -m black\ncd src && ls | xargs black", "src/a.py"),
    ("SRC=src\npython3 -m pytest $SRC", "src/a.py"),
    ('TO=src\ncp x "$TO/$f"', "src/a.py"),
    ('for f in *.py; do black "$f"; python3 -m flake8 "$f"; sh -n "$f"; echo "$f"; done', "a.py"),
    ('cd src && for f in *.py; do cp "$f" "/tmp/$f"; done', "src/a.py"),
    ("cargo fmt --manifest-path src/Cargo.toml; go -C src vet ./... && npm run x", "src/main.rs"),
    ("ls src/*.py | parallel black; make --parallel sh src/a.py.txt", "src/b.py"),
    ("cat data.txt | python3 tl/x.py; cat data.txt | python3 -m json.tool", "data.txt"),
    ("V=$(cat data.txt); W=$(<data.txt); grep -f data.txt a; rm -f data.txt", "data.txt"),
    ("cat data.txt | perl -ne print; cat data.txt | grep x", "data.txt"),
    ("npm run data.txt; docker run -p data.txt; git log -p data.txt", "data.txt"),
    ("# just make a task of data.txt", "justfile"),
]


# Files of the project that programs obey, and one that these lead to.
SERVER = '{"mcpServers": {"s": {"command": "%s",\n"args": %s}}}'
PRE_COMMIT = "repos:\n- repo: local\n  hooks:\n  - id: x\n"
LED = [
    ({".mcp.json": SERVER % ("uv", '["--directory", "tl", "run", "x.py"]')}, "tl/x.py"),
    ({".mcp.json": SERVER % ("uv", '[\n"--directory",\n"tl",\n"run",\n"x.py"]')}, "tl/x.py"),
    ({".mcp.json": SERVER % ("npx", '["-y", "./tl"]'), "tl/package.json": '{"bin": {"x": "lib/x.js"}}'}, "tl/lib/x.js"),
    ({".mcp.json": SERVER % ("npm", '["--prefix", "tl", "start"]'),
      "tl/package.json": '{"scripts": {"start": "node x.js"}}'}, "tl/x.js"),
    ({"eslint.config.js": 'module.exports = [require("./tl")]\n', "tl/package.json": '{"main": "lib/x.js"}'},
     "tl/lib/x.js"),
    ({"lefthook.yml": "pre-commit:\n  commands:\n    a:\n      root: tl/\n      run: sh x\n"}, "tl/x"),
    ({"lefthook.yml": "extends:\n  - tl/*.yml\n"}, "tl/x.yml"),
    ({".pre-commit-config.yaml": "repos:\n- repo: local\n  hooks:\n  - id: x\n    entry: make -C tl lint\n"},
     "tl/Makefile"),
    ({".rubocop.yml": "inherit_from:\n  - tl/*.yml\n"}, "tl/x.yml"),
    ({".vscode/settings.json": '{"go.toolsGopath": "${workspaceFolder}/tl"}'}, "tl/bin/gopls"),
    ({".envrc": 'D=$PWD/tl\nexport PATH="$D/bin:$PATH"\n'}, "tl/bin/git"),
    ({".envrc": "P=$PWD; . $P/tl/x\n"}, "tl/x"),
    ({".envrc": "export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath\nexport GIT_CONFIG_VALUE_0=$PWD/tl\n"},
     "tl/pre-commit"),
    ({".mcp.json": SERVER % ("go", '["run", "./tl/mcp"]')}, "tl/mcp/main.go"),
    ({".mcp.json": SERVER % ("cargo", '[\n"run",\n"--manifest-path",\n"tl/Cargo.toml"]')}, "tl/src/main.rs"),
    ({".mcp.json": SERVER % ("dotnet", '["run", "--project", "tl"]')}, "tl/Program.cs"),
    ({".mcp.json": SERVER % ("python", '["-m", "chk.srv"], "env": {"PYTHONPATH": "lib"}')}, "lib/chk/srv.py"),
    ({".mcp.json": SERVER % ("node", '["server"]')}, "server/index.js"),
    ({".mcp.json": SERVER % ("node", '["server"], "cwd": "my tl"')}, "my tl/server/index.js"),
    ({".mcp.json": '{"mcpServers": {"s": {"args": ["chk.txt"], "command": "sh"}}}'}, "chk.txt"),
    ({".mcp.json": SERVER % ("sh", '["tl\\/x.txt"]')}, "tl/x.txt"),
    ({".codex/config.toml": '[mcp_servers.a]\ncommand = "go"\nargs = ["run", "./tl"]\n\n[mcp_servers.b]\nx = 1\n'}, "tl/main.go"),
    ({"opencode.json": '{"mcp": {"a": {"type": "local", "command": ["node", "server"]}}}'}, "server/index.js"),
    ({".pre-commit-config.yaml": PRE_COMMIT + "    entry: pylint\n    args: [--load-plugins=checks.p]\n"}, "checks/p.py"),
    ({".pre-commit-config.yaml": PRE_COMMIT + "    entry: mypy\n    args: [--config-file, mypy-strict.txt]\n"},
     "mypy-strict.txt"),
    ({".pre-commit-config.yaml": PRE_COMMIT + "    entry: mypy\n    args:\n    - --config-file\n    - mypy-strict.txt\n"},
     "mypy-strict.txt"),
    ({".pre-commit-config.yaml": PRE_COMMIT + '    entry: "sh tl\\/x.txt"\n'}, "tl/x.txt"),
    ({"mise.toml": '[hooks]\nenter = "just check"\n'}, "justfile"),
    ({"lefthook.yml": "pre-commit:\n  commands:\n    a:\n      run: task lint\n"}, "Taskfile.yml"),
    ({".envrc": "just env\n"}, "justfile"),
    ({".cargo/config.toml": '[alias]\nchk = "run --package chk --"\n'}, "chk/src/main.rs"),
    ({".nvim.lua": 'package.path = "./tl/?.lua;" .. package.path\nrequire("x")\n'}, "tl/x.lua"),
    ({".nvim.lua": 'vim.opt.rtp:append("tl")\n'}, "tl/plugin/x.vim"),
    ({".gdbinit": 'python\nimport sys\nsys.path.insert(0, "tl")\nimport x\nend\n'}, "tl/x.py"),
]


# A setting of an editor's, and files that run by it, or do not.
SETTINGS = [
    ('"elixirLS.languageServerOverridePath": "tl"', "tl/launch.sh", True),
    ('"php.validate.pluginsDir": "${workspaceFolder}/my tl"', "my tl/in/x.php", True),
    ('"x.servers": {"a": {"home": "./tl"}}', "tl/bin/x", True),
    ('"x.servers": {"a": {"home": "./tl"}}', "tl/a.jar", True),
    ('"x.flags": ["--root=tl"]', "tl/x.py", True),
    ('"terminal.integrated.profiles.linux": {"a": {"path": "bash", "args": ["--init-file", "init.txt"]}}', "init.txt", True),
    ('"mypy-type-checker.args": ["--config-file=mypy.txt"]', "mypy.txt", True),
    ('"cmake.configureArgs": ["-DCMAKE_TOOLCHAIN_FILE=tc.txt"]', "tc.txt", True),
    ('"x.args": ["--some", "x.txt"]', "x.txt", True),
    ('"php.validate.pluginsDir": "tl"', "tl/data.json", False),
    ('"files.exclude": {"a": ["tl"]}, "search.x": "tl"', "tl/x.py", False),
    ('"eslint.workingDirectories": ["tl"], "python.analysis.extraPaths": ["tl"]', "tl/x.js", False),
    ('"cSpell.words": ["x.txt"], // "x.txt"\n"window.title": "x.txt"', "x.txt", False),
]


def reason(w, hook, file):
    """Why a change of that file is sensitive, or None."""
    with open(w.path(".git/hooks/pre-commit"), "w", encoding="ascii") as f:
        f.write(f"#!/bin/sh\n{hook}\n")
    os.chmod(f.name, 0o755)
    w.run("sh", "-c", f"echo agent >'{file}'")
    (change,) = json.loads(w.shadow("status", "--json").out)["changes"]
    assert change["path"] == file, change
    w.shadow("discard", "--yes")
    return change.get("sensitive")


def test_what_a_hook_runs(w):
    """A file that a hook of yours runs is sensitive, whatever the shell does to come to its name."""
    w.git_project({file: "x\n" for _, file in RUN})
    missed = [hook for hook, file in RUN if reason(w, hook, file) != "the hook pre-commit of git names it"]
    assert not missed, missed


def test_what_a_hook_hands_to_a_program(w):
    """A file that a program gets to run by an option, by a pipe, or by default is sensitive whatever it is called."""
    w.git_project({file: "x\n" for _, file in HANDED})
    missed = [(hook, file) for hook, file in HANDED if reason(w, hook, file) != "the hook pre-commit of git names it"]
    assert not missed, missed


def test_what_a_hook_works_on(w):
    """What a hook only formats, checks or copies is an ordinary change."""
    w.git_project({file: "x\n" for _, file in WORKED_ON})
    held = [hook for hook, file in WORKED_ON if reason(w, hook, file)]
    assert not held, held


def test_what_a_set_up_leads_to(w):
    """A file that runs by way of one that programs obey is sensitive, by whatever form that names it or a directory."""
    missed = []
    for i, (files, file) in enumerate(LED):
        w.project = os.path.join(w.tmp, f"p{i}")
        os.mkdir(w.project)
        w.git_project({**files, file: "x\n"})
        w.run("sh", "-c", f"echo agent >'{file}'")
        (change,) = json.loads(w.shadow("status", "--json").out)["changes"]
        assert change["path"] == file, change
        if "names it" not in change.get("sensitive", ""):
            missed.append((files, change))
    assert not missed, missed


def test_what_settings_of_an_editor_name(w):
    """A directory that any setting names counts with what in it can run, and a file in a list of arguments; not by keys that only say
    what is shown or searched."""
    wrong = []
    for i, (setting, file, runs) in enumerate(SETTINGS):
        w.project = os.path.join(w.tmp, f"s{i}")
        os.mkdir(w.project)
        w.git_project({".vscode/settings.json": "{" + setting + "}\n", file: "x\n"})
        w.run("sh", "-c", f"echo agent >'{file}'")
        (change,) = json.loads(w.shadow("status", "--json").out)["changes"]
        if ("names it" in change.get("sensitive", "")) != runs:
            wrong.append((setting, change))
    assert not wrong, wrong


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
