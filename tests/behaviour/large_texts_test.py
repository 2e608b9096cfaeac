# SPDX-License-Identifier: MIT
"""Texts that are made to be slow to compare, or that are very large, stall no review."""

import random
import resource
import subprocess
import sys
import time

import harness

MOST_MEMORY = 512 << 20
CODE = "import random; open('slow', 'w').write('\\n'.join(random.Random(2).choices('012', k=1_000_000)) + '\\n')"


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def test_slow_to_compare(w):
    """A million lines of three kinds in another order come as a binary after some seconds, and are applied."""
    lines = random.Random(1).choices("012", k=1_000_000)
    w.git_project({"slow": "\n".join(lines) + "\n", "quick": "\n".join(map(str, range(300_000))) + "\n"})
    w.run("python3", "-c", CODE)
    w.sh("sed -i -e 1s/.*/x/ -e '$s/.*/y/' quick")
    begin = time.monotonic()
    shown = w.shadow("diff").out
    took = time.monotonic() - begin
    assert "Binary files a/slow and b/slow differ" in shown and "\n+x\n" in shown and "\n+y\n" in shown, shown[:2000]
    assert took < 20 * harness.TIME_FACTOR, took
    done = subprocess.run(["git", "apply", "--check"], cwd=w.project, env=w.env, check=False,
                          input=w.shadow("diff", "--binary").stdout)
    assert done.returncode == 0
    w.shadow("apply", "--yes")
    assert w.shadow("status", "--porcelain").out == ""


def test_very_large(w):
    """A text of a hundred MiB is not read to be shown."""
    w.git_project({"f": "f\n"})
    w.sh("yes 0123456789012345 | head -c 100M >large; echo 1 >>f")
    for words in (["diff"], ["diff", "--stat"], ["apply", "-n", "--diff"]):
        done = subprocess.run([harness.SHADOW, *words], cwd=w.project, env=w.env, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, preexec_fn=limited, check=False)
        assert done.returncode == 0, (words, done.stderr)


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
