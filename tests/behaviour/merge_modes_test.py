# SPDX-License-Identifier: MIT
"""Modes, binary files and links that both sides changed."""

import json
import os
import stat
import sys

import harness
from applies import apply, lines, refused
from merges import check_same, edit_agent, edit_user, known


def test_modes(w):
    """A mode that one side changed goes with the text that the other did; two modes clash."""
    known(w)
    w.run("chmod", "755", "F")
    w.wait_settled()
    edit_user(w, lines(l5="user"))
    apply(w, "merge")
    assert stat.S_IMODE(os.stat(w.path("F")).st_mode) == 0o755
    assert w.read("F") == lines(l5="user")
    check_same(w)
    edit_agent(w, lines(l5="user", l20="agent"))
    os.chmod(w.path("F"), 0o700)
    apply(w, "merge")
    assert stat.S_IMODE(os.stat(w.path("F")).st_mode) == 0o700
    assert w.read("F") == lines(l5="user", l20="agent")
    check_same(w)
    w.run("chmod", "711", "F")
    w.wait_settled()
    os.chmod(w.path("F"), 0o640)
    assert "another mode on each side" in refused(w, "markers")


def test_mode_of_a_directory(w):
    """The mode that the user gives a directory stays when the session only changed a file in it."""
    w.write("d/F", lines())
    w.write("d/G", lines())
    w.run("sed", "-i", "s/^20$/agent/", "d/F")
    w.wait_settled()
    os.chmod(w.path("d"), 0o700)
    assert [c["path"] for c in json.loads(w.shadow("status", "--json").out)["changes"]] == ["d/F"]
    apply(w)
    assert stat.S_IMODE(os.stat(w.path("d")).st_mode) == 0o700
    assert w.read("d/F") == lines(l20="agent")
    # Two different ones are a conflict, unless the session began anew with the user's before it. The session's alone
    # comes along.
    w.run("touch", "own")
    w.wait_settled()
    os.chmod(w.path("d"), 0o711)
    w.run("chmod", "750", "d")
    assert "mode" in refused(w)
    w.shadow("discard", "--yes")
    w.run("chmod", "750", "d")
    w.shadow("apply", "--yes")
    assert stat.S_IMODE(os.stat(w.path("d")).st_mode) == 0o750
    w.write("e/F", lines())
    w.run("chmod", "750", "e")
    w.shadow("apply", "--yes", "e")
    assert stat.S_IMODE(os.stat(w.path("e")).st_mode) == 0o750


def test_binary_and_links(w):
    """Binary files and symbolic links that both changed are conflicts, with markers too."""
    w.write("bin", b"a\0b" * 100)
    os.symlink("here", w.path("link"))
    w.run("sh", "-c", "printf 'agent\\0' >>bin; ln -sfn there link")
    w.wait_settled()
    w.write("bin", b"a\0b" * 100 + b"user\0")
    os.unlink(w.path("link"))
    os.symlink("elsewhere", w.path("link"))
    said = refused(w, "markers")
    assert "not text" in said and "the link leads to another place" in said


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
