# SPDX-License-Identifier: MIT
"""A project with a user around it, and an agent in it: guarded by shadow, or, as the control that the attempts
are ones, right in the project."""

import os
import shlex
import subprocess

import harness
from review import oracles
from review.attempt import SECRET_TEXT, WIDER
from review.rights import rights

NOTHING_WRITTEN = 4


class Stage(harness.World):
    def __init__(self, base, guarded):
        super().__init__(base)
        self.guarded = guarded
        self.canaries = os.path.join(self.tmp, "canaries")
        self.outside = os.path.join(self.tmp, "outside")
        self.outputs = []  # of all that the user looked at
        self.rights = {}  # by path, before the session
        self.answers = []  # of git, asked for a setting that only the agent makes
        for directory in (self.canaries, self.outside, os.path.join(self.home, ".ssh")):
            os.mkdir(directory)
        for path in (os.path.join(self.outside, "secret"), os.path.join(self.home, ".ssh/id_ed25519")):
            with open(path, "w", encoding="utf-8") as f:
                f.write(SECRET_TEXT + "\n")
            os.chmod(path, 0o600)
        self.env["GIT_PAGER"] = "cat"
        self.env["GIT_EDITOR"] = "true"
        self.env["TERM"] = "dumb"

    def begin(self, attempts, first=""):
        """The user's project, with what each attempt needs to be there."""
        self.git_project({"a.txt": "one\ntwo\nthree\n", "src/b.txt": "one\n"})
        script = [first]
        for attempt in attempts:
            script.append(self.part(attempt, f"mkdir -p {attempt.place}; touch {attempt.place}/.keep",
                                    attempt.first))
        self.directly(script)
        for attempt in attempts:
            if attempt.goal == WIDER:
                path = oracles.place_of(self, attempt)
                if os.path.lexists(path):
                    self.rights[path] = rights(path)
        self.git("add", "-A", "--ignore-errors", check=False)
        self.git("commit", "-qm", "more", check=False)

    def part(self, attempt, before, script):
        inside = f"cd {shlex.quote(attempt.place)} && {{\n{attempt.fill(script, self)}\n}}" if script else ":"
        return f"({before}; {inside}) </dev/null\n"

    def directly(self, parts):
        """In the project itself, as the user or as an agent that nothing guards."""
        subprocess.run(["bash"], input="\n".join(parts).encode(), cwd=self.project, env=self.env,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, timeout=60)

    def work(self, attempts, step):
        """One run for the step of all attempts that have it."""
        parts = [self.part(attempt, f"mkdir -p {attempt.place}", attempt.steps[step])
                 for attempt in attempts if step < len(attempt.steps)]
        if self.guarded:
            self.told(self.shadow("run", "--", "bash", stdin="\n".join(parts).encode(), check=False))
        else:
            self.directly(parts)
            for name in os.listdir(self.canaries):  # what the agent ran itself
                os.unlink(os.path.join(self.canaries, name))

    def told(self, done):
        self.outputs += [done.stdout, done.stderr]
        return done

    def review(self):
        """What an ordinary user looks at before an apply."""
        for words in (("status",), ("diff",), ("diff", "--commits", "-p"), ("apply", "-n"), ("log",),
                      ("list",)):
            self.told(self.shadow(*words, check=False))

    def apply(self, *words):
        done = self.told(self.shadow("apply", "--yes", *words, check=False))
        if done.returncode == NOTHING_WRITTEN and not words:
            done = self.told(self.shadow("apply", "--yes", "--skip-sensitive", check=False))
        return done

    def apply_parts(self, answer="y"):
        """apply -p, and the same answer to every question."""
        answers = f"{answer}\n".encode() * 5000
        done = self.told(self.shadow("apply", "-p", stdin=answers, check=False))
        if done.returncode == NOTHING_WRITTEN:
            done = self.told(self.shadow("apply", "-p", "--skip-sensitive", stdin=answers, check=False))
        return done

    def shown(self):
        return b"\n".join(self.outputs)
