# SPDX-License-Identifier: MIT
"""Of a file that is sensitive in part, what is written is judged: a merge, a part of a change, and what a run makes of
it after it was judged."""

import subprocess
import sys

import harness

REFUSED = 4
EVIL = 'python_executable = "./evil"'
# Of the session's change the two parts go together: the second alone adds to the table of mypy.
TWO_PARTS = f"sed -i 's/^strict.*/&\\n[tool.mine]\\nname = 1/' pyproject.toml; echo '{EVIL}' >>pyproject.toml"
COMMENTS = "".join(f"# {n}\n" for n in range(20))

# A run that keeps mapped pages of many files changing between two texts of one length.
TURNS = """
import mmap, os, time
good, evil = b'{"a": 2,      "x":"y"}\\n', b'{"a": 2, "husky": "y"}\\n'
pages = []
for n in range(60):
    with open(f"d{n}/package.json", "wb") as f:
        f.write(good)
    f = os.open(f"d{n}/package.json", os.O_RDWR)
    pages.append(mmap.mmap(f, len(good)))
print("ready", flush=True)
while not os.path.exists("stop"):
    for text in (evil, good):
        for page in pages:
            page[:] = text
"""


def refused(w, *words, stdin=b""):
    done = w.shadow("apply", *words, check=False, stdin=stdin)
    assert done.returncode == REFUSED, (done.returncode, done.out, done.err)
    assert "  pyproject.toml (" in done.err and "nothing was written" in done.err, done.err
    assert EVIL not in w.read("pyproject.toml")


def test_a_part_of_a_change(w):
    """Of a change that is harmless as a whole, a part may not be: it needs the same word."""
    w.git_project({"pyproject.toml": "[tool.mypy]\nstrict = true\n" + COMMENTS})
    w.sh(TWO_PARTS)
    refused(w, "-p", stdin=b"n\ny\n")
    w.shadow("apply", "-p", "--allow-sensitive=pyproject.toml", stdin=b"n\ny\n")
    assert w.read("pyproject.toml").endswith(EVIL + "\n")
    w.shadow("undo")
    w.shadow("apply", "-p", stdin=b"y\ny\n")
    assert "[tool.mine]" in w.read("pyproject.toml")


def test_a_merge(w):
    """A change that is harmless by itself may not be with the user's."""
    text = f"[tool.mypy]\nstrict = true\n{COMMENTS}[tool.mine]\n{COMMENTS}"
    w.git_project({"pyproject.toml": text, "a": "1\n"})
    w.sh(f"echo '{EVIL}' >>pyproject.toml; echo 2 >a")
    w.wait_settled()
    w.write("pyproject.toml", text.replace("[tool.mine]\n", ""))
    refused(w, "--yes")
    done = w.shadow("apply", "--yes", "--skip-sensitive")
    assert w.read("a") == "2\n" and EVIL not in w.read("pyproject.toml"), done.out
    w.shadow("apply", "--yes", "--allow-sensitive")
    assert EVIL in w.read("pyproject.toml")


def test_a_text_that_changes_after_it_was_judged(w):
    """What a run makes of a file once it was judged does not arrive, neither in the project nor on a branch."""
    w.git_project({f"d{n}/package.json": '{"a": 1}\n' for n in range(60)})
    run = w.start("run", "--", "python3", "-c", TURNS, stdout=subprocess.PIPE)
    assert run.stdout.readline() == b"ready\n"
    try:
        for n in range(6):
            w.shadow("apply", "--branch", f"b{n}", "--yes", "--skip-sensitive", check=False)
            w.shadow("apply", "--yes", "--skip-sensitive", "--on-conflict=theirs", check=False)
            assert "husky" not in "".join(w.read(f"d{n}/package.json") for n in range(60))
    finally:
        w.sh("touch stop")
        run.communicate(timeout=60)
    for ref in w.git("for-each-ref", "--format=%(refname)").stdout.split():
        assert b"husky" not in w.git("grep", "-c", "husky", ref, check=False).stdout, ref


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
