# SPDX-License-Identifier: MIT
"""A run that goes on and does what it is told: it answers for the view that it has."""

import contextlib
import glob
import os


# Does what it is told, one line of shell at a time.
SERVER = 'echo ready; while IFS= read -r line; do eval "$line"; echo "[$?]"; done'


class Server:
    def __init__(self, process):
        self.process = process

    def do(self, script):
        """Runs one line in the live run; its output. A failure of it is one of the test."""
        self.process.stdin.write(script.encode() + b"\n")
        self.process.stdin.flush()
        out = b""
        while True:
            line = self.process.stdout.readline()
            assert line, "the run has ended"
            if line.startswith(b"[") and line.endswith(b"]\n"):
                assert line == b"[0]\n", (script, line, out)
                return out.decode()
            out += line


@contextlib.contextmanager
def just_begun(w, *options):
    """A run that lives for the block."""
    process = w.start("run", *options, "--", "sh", "-c", SERVER, stdin=-1, stdout=-1)
    try:
        assert process.stdout.readline() == b"ready\n"
        yield Server(process)
    finally:
        process.stdin.close()
        process.stdout.close()
        process.wait(timeout=30)


@contextlib.contextmanager
def server(w, *options):
    """The same, in a session that was there before."""
    w.run("true")
    w.wait_settled()
    with just_begun(w, *options) as run:
        yield run


def upper(w):
    """What is left in the session's layer, but for directories."""
    found = []
    for folder in glob.glob(os.path.join(w.state, "sessions", "*", "project", "upper")):
        for at, _, names in os.walk(folder):
            found += [os.path.relpath(os.path.join(at, name), folder) for name in names]
    return [name for name in found if not name.startswith(".git")]
