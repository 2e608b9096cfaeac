# SPDX-License-Identifier: MIT
"""A live run sees what another machine saves on a filesystem that both have mounted."""

import contextlib
import os
import subprocess
import sys
import time

import harness
from following import followed, followers, processor_time, save, seen
from harness import NotHere
from live_server import server


@contextlib.contextmanager
def shared(w):
    """The project, on a filesystem that a program serves, and the directory in which its files change without the
    kernel's knowledge."""
    if not os.access("/dev/fuse", os.R_OK | os.W_OK):
        raise NotHere("/dev/fuse is not for this user")
    places = {name: os.path.join(w.tmp, name) for name in ("lower", "upper", "work")}
    for place in places.values():
        os.mkdir(place)
    options = ",".join(["timeout=0", *(f"{name}dir={place}" for name, place in places.items())])
    subprocess.run(["fuse-overlayfs", "-o", options, w.project], check=True)
    try:
        yield places["upper"]
    finally:
        subprocess.run(["umount", "-l", w.project], check=True)


def test_edits_of_another_machine(w):
    """Saved by rename, made at a name once looked for, deleted: the clock brings it, and status says so."""
    with shared(w) as elsewhere:
        for name, text in {"f": "1\n", "g": "1\n"}.items():
            w.write(name, text)
        with server(w) as run:
            run.do("cat f g; cat new || :")
            followed(w)
            time.sleep(harness.TIME_FACTOR)
            run.do("cat f g; cat new || :")
            # All are of one size: the server remembers that of an inode, which the next file may have.
            save(os.path.join(elsewhere, "f"), "2\n")
            save(os.path.join(elsewhere, "new"), "n\n")
            seen(run, "cat f new 2>&1 || :", "2\nn\n")
            os.unlink(os.path.join(elsewhere, "g"))
            seen(run, "cat g 2>&1 || :", "cat: g: No such file or directory\n")
            assert "by the clock: other machines can change" in w.shadow("status").out, w.shadow("status").out
            (follower,) = followers(w)
            begin, before = time.monotonic(), processor_time(follower)
            time.sleep(3)
            part = (processor_time(follower) - before) / (time.monotonic() - begin)
            assert part < 0.05, part


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
