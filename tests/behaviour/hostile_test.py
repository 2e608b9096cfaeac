# SPDX-License-Identifier: MIT
"""Trees that a run made to make review hang, fill the disk, follow or execute something."""

import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import harness  # noqa: E402
from repository import check_whole, status, text, tip  # noqa: E402

TIB = 1 << 40


def used(*places):
    """Bytes on the disk below these directories."""
    total = 0
    for place in places:
        for folder, _, files in os.walk(place):
            total += sum(os.lstat(os.path.join(folder, name)).st_blocks * 512 for name in files)
    return total


class Quick:
    """What takes longer than this hangs, as far as a person can tell."""

    def __init__(self, seconds):
        self.seconds = seconds

    def __enter__(self):
        self.begun = time.time()

    def __exit__(self, kind, *_):
        if kind is None:
            taken = time.time() - self.begun
            assert taken < self.seconds, f"took {taken:.1f} s"


def test_sparse_file_of_a_tib(w):
    """A file that claims to be a TiB long costs neither time nor disk: review, apply, undo, discard."""
    w.write("a", "a\n")
    probe = w.path("probe")
    with open(probe, "wb") as f:
        try:
            f.truncate(2 * TIB)
        except OSError as reason:
            raise harness.NotHere(f"no file here can be so large: {reason}") from reason
    os.unlink(probe)
    w.sh("truncate -s 1T big; printf x | dd of=big bs=1 seek=600000000000 conv=notrunc status=none")
    with Quick(20):
        w.wait_settled()
        assert "A  big" in w.shadow("status").out
        assert "big" in w.shadow("diff", "--stat").out
        assert "Binary files" in w.shadow("diff").out
        w.shadow("apply", "-n")
        w.shadow("apply", "--yes")
        assert w.shadow("diff").out == ""
    assert os.lstat(w.path("big")).st_size == TIB and os.lstat(w.path("big")).st_blocks < 1000
    # The whole of it is copied up by the kernel, which knows holes as well.
    w.sh("printf y | dd of=big bs=1 seek=5 conv=notrunc status=none; mv big 'b ig'")
    w.wait_settled()
    with Quick(20):
        assert w.shadow("diff", "--name-status", "-M").out.splitlines() == ["A\tb ig", "D\tbig"]
        w.shadow("apply", "--yes")
        with open(w.path("b ig"), "rb") as f:
            assert f.read(6) == b"\0\0\0\0\0y"
        w.shadow("undo")
        w.shadow("undo", "3")
        w.shadow("undo", "4")
        assert os.lstat(w.path("big")).st_size == TIB
    with Quick(20):
        w.sh("mv big other; truncate -s 0 other; truncate -s 1T other")
        w.wait_settled()
        w.shadow("status")
        w.shadow("refresh", check=False)
        w.shadow("discard", "--yes")
        w.shadow("gc")
    assert used(w.state, w.project) < 64 << 20


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
