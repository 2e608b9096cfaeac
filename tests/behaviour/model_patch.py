# SPDX-License-Identifier: MIT
"""In a round of the model: what `shadow diff` shows, brought in by git, against what an apply writes."""

import os
import shutil
import subprocess
import tempfile


def files_in(root):
    """By path, of files and links: kind, whether it is a program, and text or target. git knows no more of them."""
    found = {}
    for folder, names, files in os.walk(root):
        if folder == root:
            names.remove(".git")
        for name in [*names, *files]:
            path = os.path.join(folder, name)
            if os.path.islink(path):
                found[os.path.relpath(path, root)] = ("link", False, os.readlink(path))
            elif os.path.isfile(path):
                with open(path, encoding="utf-8") as f:
                    found[os.path.relpath(path, root)] = ("file", os.access(path, os.X_OK), f.read())
    return found


class Patched:
    """A copy of the project as it is now, with what `diff` shows."""

    def __init__(self, w):
        self.w = w
        self.patch = w.shadow("diff", "--binary", check=False).out
        self.copy = tempfile.mkdtemp(dir=w.home)
        shutil.copytree(w.project, self.copy, symlinks=True, dirs_exist_ok=True)

    def check_applied(self):
        """After all of it has been applied."""
        if self.patch:
            done = subprocess.run(["git", "apply", "--whitespace=nowarn"], input=self.patch.encode(), cwd=self.copy,
                                  env=self.w.env, stderr=subprocess.PIPE, check=False)
            assert done.returncode == 0, f"git refuses the patch: {done.stderr.decode()}\n{self.patch}"
        shown, real = files_in(self.copy), files_in(self.w.project)
        apart = {path: (shown.get(path), real.get(path)) for path in shown.keys() | real.keys()
                 if shown.get(path) != real.get(path)}
        assert not apart, f"an apply did not write what was shown: {apart}\n{self.patch}"
