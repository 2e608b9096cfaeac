# SPDX-License-Identifier: MIT
"""The project trees to measure on: the same for everybody, from a seed."""

import random
import subprocess

WORDS = "alpha beta gamma delta return while int static const value node list tree".split()
PER_DIRECTORY = 50


def text(rng):
    lines = rng.randint(5, 60)
    return "".join(" ".join(rng.choices(WORDS, k=rng.randint(2, 9))) + "\n" for _ in range(lines))


def make_tree(root, files, env):
    """A committed git project of that many small text files, and one C source; returns its path."""
    rng = random.Random(files)
    root.mkdir(parents=True)
    for number in range(files):
        directory = root / f"dir{number // PER_DIRECTORY}"
        if number % PER_DIRECTORY == 0:
            directory.mkdir()
            if number == 0:
                functions = "".join(f"int f{i}(int x) {{ return x * {i} + x; }}\n" for i in range(900))
                (directory / "unit.c").write_text(functions)
        (directory / f"file{number}.txt").write_text(text(rng))
    # Git would pack so many new objects in the background, in the middle of a measurement.
    for words in (["init", "-q"], ["config", "gc.auto", "0"], ["add", "."],
                  ["commit", "-q", "-m", "begin"]):
        subprocess.run(["git", *words], cwd=root, env=env, check=True)
    return root


def change_some(count, first=0):
    """A Python program that changes a line in that many of the tree's files, spread evenly from the
    given one on."""
    return (
        "import glob\n"
        "files = sorted(glob.glob('dir*/file*.txt'))\n"
        f"for name in files[{first}::max(1, len(files) // {count})][:{count}]:\n"
        "    lines = open(name).read().splitlines(True)\n"
        "    lines[len(lines) // 2] = 'changed by the benchmark\\n'\n"
        "    open(name, 'w').writelines(lines)\n"
    )
