# SPDX-License-Identifier: MIT
"""The dialogue of `-p`, answered as by a person."""

import os
import pty
import select
import time

import harness

LINES = [f"line {n}\n" for n in range(1, 31)]


def lines(**changed):
    """The thirty lines, with some replaced: lines(l2='two')."""
    text = list(LINES)
    for name, line in changed.items():
        text[int(name[1:]) - 1] = line + "\n"
    return "".join(text)


def wait_for_question(asked):
    seen = b""
    while b"]? " not in seen:
        piece = os.read(asked.stdout.fileno(), 65536)
        assert piece, seen
        seen += piece


class Terminal:
    """shadow on a terminal of its own, answered as by a person who reads first."""

    def __init__(self, w, *words, env=None):
        self.seen = b""
        pid, self.fd = pty.fork()
        if pid == 0:
            os.chdir(w.project)
            os.execve(harness.SHADOW, ["shadow", *words],
                      {**w.env, "TERM": "xterm", "NO_COLOR": "1", **(env or {})})
        self.pid = pid

    def until(self, text, seconds=20):
        """Reads on until the text comes; what came before it."""
        deadline = time.time() + seconds * harness.TIME_FACTOR
        while text.encode() not in self.seen:
            ready = select.select([self.fd], [], [], max(0, deadline - time.time()))[0]
            assert ready, f"no {text!r} in {self.seen!r}"
            try:
                self.seen += os.read(self.fd, 65536)
            except OSError as error:
                raise AssertionError(f"no {text!r} in {self.seen!r}") from error
        before, _, self.seen = self.seen.partition(text.encode())
        return before.decode(errors="surrogateescape")

    def answer(self, text):
        self.until("]? ")
        os.write(self.fd, text.encode() + b"\n")

    def end(self):
        """The rest of what it printed, and its status."""
        rest = self.seen
        while True:
            try:
                piece = os.read(self.fd, 65536)
            except OSError:
                break
            if not piece:
                break
            rest += piece
        os.close(self.fd)
        status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return rest.decode(errors="surrogateescape"), status
