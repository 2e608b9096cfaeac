# SPDX-License-Identifier: MIT
"""The project's branch in a round of the model."""

from model_lines import OWN

# What an agent asks of git.
SCRIPTS = {"stage": "git add -A", "commit": "git add -A; git commit -qm agent"}


def committed(w):
    """The lines of the branch that is checked out."""
    return set(w.git("grep", "-h", "", "HEAD", check=False).stdout.decode().splitlines())


def check_kept(w, before, asked, what):
    """Of what you have committed nothing is gone that nobody took away, whatever index the agent's commits came from."""
    gone = {line for line in before - asked - committed(w) if not OWN.fullmatch(line)}
    assert not gone, f"taken from the branch by {what}: {gone}"


def check_whole(w):
    done = w.git("fsck", "--strict", "--no-dangling", check=False)
    assert done.returncode == 0 and not done.stderr, f"a repository that is not whole: {done.stdout} {done.stderr}"
