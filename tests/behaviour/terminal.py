# SPDX-License-Identifier: MIT
"""A terminal with a program on it, typed at and read from by a test."""

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time

import harness


class Terminal:
    """`argv` as the leader of a session on a new terminal; use with `with`."""

    def __init__(self, argv, cwd, env, rows=24, columns=80):
        self.shown = b""
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            try:
                os.chdir(cwd)
                self.resize_fd(0, rows, columns)
                signal.signal(signal.SIGPIPE, signal.SIG_DFL)
                os.execvpe(argv[0], argv, env)
            finally:
                os._exit(127)
        self.status = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.status is None:
            os.kill(self.pid, signal.SIGHUP)
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.master)

    @staticmethod
    def resize_fd(fd, rows, columns):
        fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, rows, columns):
        self.resize_fd(self.master, rows, columns)

    def type(self, text):
        os.write(self.master, text if isinstance(text, bytes) else text.encode())

    def read_more(self, seconds):
        ready, _, _ = select.select([self.master], [], [], seconds)
        if not ready:
            return False
        try:
            more = os.read(self.master, 65536)
        except OSError:  # EIO: nobody holds the other side
            return False
        self.shown += more
        return bool(more)

    def expect(self, text, seconds=10):
        """Waits until `text` is shown; returns what came before and forgets both."""
        wanted = text.encode() if isinstance(text, str) else text
        deadline = time.time() + seconds * harness.TIME_FACTOR
        while wanted not in self.shown:
            if time.time() > deadline:
                raise AssertionError(f"not shown within {seconds} s: {text!r}; "
                                     f"shown: {self.shown.decode(errors='replace')}")
            self.read_more(0.2)
        before, _, self.shown = self.shown.partition(wanted)
        return before.decode(errors="replace")

    def end(self, seconds=10):
        """Waits for the end of the program; returns its exit status."""
        deadline = time.time() + seconds * harness.TIME_FACTOR
        while time.time() < deadline:
            self.read_more(0.05)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
                while self.read_more(0.05):
                    pass
                return self.status
        raise AssertionError(f"has not ended within {seconds} s; shown: {self.shown!r}")
