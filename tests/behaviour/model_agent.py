# SPDX-License-Identifier: MIT
"""Who acts in a round of the model, and in what: the built actor, in the project itself or in runs."""

import json
import os
import shutil
import subprocess
import tempfile

import harness

ACTOR = os.path.join(os.path.dirname(harness.SHADOW), os.pardir, "tests", "behaviour", "model-actor")


def begin_project(w, files, begun={}):  # pylint: disable=dangerous-default-value
    """As World.git_project, but what git makes of the same files is made once: a tenth of a round."""
    if not begun:
        with tempfile.TemporaryDirectory() as made:
            first = harness.World(made)
            first.git_project(files)
            for folder, _, names in os.walk(first.path(".git")):
                for name in names:
                    with open(os.path.join(folder, name), "rb") as f:
                        begun[os.path.relpath(os.path.join(folder, name), first.project)] = f.read()
    for name, content in {**begun, **files}.items():
        if not name.startswith(".git/hooks/"):
            w.write(name, content)
    os.makedirs(w.path(".git", "refs", "tags"))
    w.git("add", "-A")


class Actor:
    """A process that does one step after the other in its working directory."""

    def __init__(self, process):
        self.process = process

    def do(self, *batch):
        self.process.stdin.write("".join(json.dumps(one) + "\n" for one in batch).encode())
        self.process.stdin.flush()
        answers = [self.process.stdout.readline() for _ in batch]
        assert all(answers), "what acts has ended"
        return [json.loads(answer) for answer in answers]

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(timeout=30)


class Agent:
    """What acts in views: one run for all, or one for each batch."""

    def __init__(self, w, live):
        self.w = w
        # In the home, because what temporary files there are is the session's own.
        self.program = shutil.copy(ACTOR, w.home)
        self.begun = set()  # sessions, by their directories' inodes
        self.live = Actor(self.start()) if live else None
        self.seen = None  # at the last look
        if live:
            self.live.do(["look"])
            self.await_beginning()

    def start(self):
        return self.w.start("run", "--", self.program, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def do(self, *batch):
        if self.live is not None:
            answers = self.live.do(*batch)
        else:
            text = "".join(json.dumps(one) + "\n" for one in batch).encode()
            answers = [json.loads(line) for line in self.w.run(self.program, stdin=text).out.splitlines()]
            self.await_beginning()
        if batch[-1] == ["look"]:
            self.seen = answers[-1]
        return answers

    def await_beginning(self):
        """Of what is saved before a new session's base tree has been looked up, some hundredths of a second, no base is
        known: that it is a conflict then is no mistake."""
        sessions = os.path.join(self.w.state, "sessions")
        for name in os.listdir(sessions):
            directory = os.path.join(sessions, name)
            inode = os.stat(directory).st_ino
            if inode not in self.begun:
                harness.wait_until(lambda: os.path.exists(os.path.join(directory, "base-tree")), what="the base tree")
                self.begun.add(inode)

    def look(self):
        return self.do(["look"])[0]

    def names(self):
        """Those of the view, or what they were: a run of its own is not worth the last of them. The session begins
        with the first."""
        return self.look() if self.live is not None or self.seen is None else self.seen

    def do_in_two_runs(self, *batches):
        """Each batch in a run of its own, both at once."""
        runs = [self.start() for _ in batches]
        for run, batch in zip(runs, batches):
            run.stdin.write("".join(json.dumps(one) + "\n" for one in batch).encode())
            run.stdin.flush()
        told = [run.communicate()[0].splitlines() for run in runs]
        assert all(run.returncode == 0 for run in runs), [run.returncode for run in runs]
        self.await_beginning()
        return [[json.loads(line) for line in lines] for lines in told]

    def close(self):
        if self.live is not None:
            self.live.close()
