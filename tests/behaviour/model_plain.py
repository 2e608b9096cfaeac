# SPDX-License-Identifier: MIT
"""What is asked of shadow in a round of the model, and leaves the project alone: that is checked after each."""

import glob
import os

import harness


class Plain:
    """Of a round, whose world `w` is."""

    def directories(self):
        """Of the project, but for git's."""
        return {os.path.relpath(at, self.w.project) for at, _, _ in os.walk(self.w.project) if "/.git" not in at}

    def do_status(self, *_):
        self.w.shadow("status")

    def do_diff(self, *_):
        self.w.shadow("diff")

    def do_gc(self, *_):
        self.w.shadow("gc", check=False)

    def do_discard(self, *_):
        self.w.shadow("discard", "--yes", check=False)

    def do_discard_path(self, path, *_):
        self.w.shadow("discard", "--yes", "--", path, check=False)

    def do_discard_p(self, *_):
        self.w.shadow("discard", "-p", check=False, stdin=b"y\nn\n" * 100)

    def do_refresh_path(self, path, *_):
        self.w.shadow("refresh", "--", path, check=False)

    def do_refresh(self, *_):
        self.w.shadow("refresh", check=False)
        # What both write before the project has been recorded again has no base.
        harness.until_nothing(lambda: not glob.glob(self.w.state + "/sessions/*/base-tree"))
