# SPDX-License-Identifier: MIT
"""What a hook of the project's git runs in the project, by whatever form of the shell it names it."""

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
    ("sudo -D tl sh x", "tl/x"),
    ("uv --directory tl run x.py", "tl/x.py"),
    ("make -C tl", "tl/Makefile"),
    ("java -cp tl Main", "tl/Main.class"),
    ("python3 tl", "tl/__main__.py"),
    ("node tl", "tl/index.js"),
    ("python3 -c 'import tl.x'", "tl/x.py"),
    ("python3 - <<EOF\nimport sys\nsys.path.insert(0, 'tl')\nimport x\nEOF", "tl/x.py"),
]

# A hook, and a file that it works on.
WORKED_ON = [
    ("find src -name '*.py' -exec black {} +", "src/a.py"),
    (r"find src -name '*.sh' -exec bash -n {} \;", "src/a.sh"),
    ("find src -name '*.c' -exec sh -c 'clang-format -i \"$1\"' _ {} \\;", "src/a.c"),
    ("git diff --cached --name-only | xargs python3 -m black\ncd src && ls | xargs black", "src/a.py"),
    ("SRC=src\npython3 -m pytest $SRC", "src/a.py"),
    ('TO=src\ncp x "$TO/$f"', "src/a.py"),
]


def reason(w, hook, file):
    """Why a change of that file is sensitive, or None."""
    with open(w.path(".git/hooks/pre-commit"), "w", encoding="ascii") as f:
        f.write(f"#!/bin/sh\n{hook}\n")
    os.chmod(f.name, 0o755)
    w.run("sh", "-c", f"echo agent >{file}")
    (change,) = json.loads(w.shadow("status", "--json").out)["changes"]
    assert change["path"] == file, change
    w.shadow("discard", "--yes")
    return change.get("sensitive")


def test_what_a_hook_runs(w):
    """A file that a hook of yours runs is sensitive, whatever the shell does to come to its name."""
    w.git_project({file: "x\n" for _, file in RUN})
    missed = [hook for hook, file in RUN if reason(w, hook, file) != "the hook pre-commit of git names it"]
    assert not missed, missed


def test_what_a_hook_works_on(w):
    """What a hook only formats, checks or copies is an ordinary change."""
    w.git_project({file: "x\n" for _, file in WORKED_ON})
    held = [hook for hook, file in WORKED_ON if reason(w, hook, file)]
    assert not held, held


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
