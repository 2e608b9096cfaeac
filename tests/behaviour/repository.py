# SPDX-License-Identifier: MIT
"""What tests about commits ask of the project's repository, with the real git."""

import os

import harness


def text(world, *words, cwd=None):
    done = world.git(*words, cwd=cwd, check=False)
    assert done.returncode == 0, f"git {words}: {done.stderr.decode()}"
    return done.stdout.decode().strip()


def tip(world, ref):
    done = world.git("rev-parse", "-q", "--verify", ref, check=False)
    return done.stdout.decode().strip()


def status(world):
    return world.git("status", "--porcelain").stdout.decode()


def check_whole(world):
    """The repository is in order, and nothing of ours lies about in it."""
    done = world.git("fsck", "--strict", "--no-dangling", check=False)
    assert done.returncode == 0 and not done.stdout and not done.stderr, \
        f"{done.stdout} {done.stderr}"
    world.shadow("gc")
    for folder, _, files in os.walk(world.path(".git")):
        for name in files:
            assert "shadow-" not in name and "tmp_obj_shadow" not in name and \
                not name.endswith(".lock"), os.path.join(folder, name)
    for place in ("git-locks", "commits"):
        path = os.path.join(world.state, place)
        # A live run may be about to follow what was committed.
        left = os.path.isdir(path) and harness.until_nothing(lambda: os.listdir(path))  # pylint: disable=cell-var-from-loop
        assert not left, (place, left)
