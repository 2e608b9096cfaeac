# SPDX-License-Identifier: MIT
"""The project's branch in a round of the model."""

import harness
from model_lines import OWN, related
from repository import tip

# What an agent asks of git; by the number which of two branches.
SCRIPTS = {
    "stage": "git add -A",
    "commit": "git add -A; git commit -qm agent",
    "put_back": "git checkout -q -- $(git ls-files | sed -n {2}p)",
    "put_all_back": "git checkout -q -- .",
    "stash": "git stash -q",
    "unstash": "git stash pop -q",
    "checkout": "git checkout -q -B agent{0} HEAD~1",
    "return": "git checkout -q main",
    "rebase": "git rebase -q {1} || git rebase --abort",
}

ASKED_OF_GIT = ("commit", "commits", "stash", "unstash", "checkout", "rebase", "put_back", "put_all_back")  # likewise by the user


def script(what, number):
    return SCRIPTS[what].format(number % 2, ("agent0", "agent1", "side0", "main")[number % 4], number % 6 + 1)


def ask_of_user(w, what, number):
    """What the user asks of it, likewise. It may refuse."""
    side = f"side{number % 2}"
    if what == "commit":
        w.git("add", "-A", check=False)
        w.git("commit", "-qm", "more", check=False)
    elif what == "commits":
        for line in w.git("status", "--porcelain", "-uall", "--no-renames").stdout.decode().splitlines():
            w.git("add", "-A", "--", line[3:], check=False)
            w.git("commit", "-qm", line[3:], check=False)
    elif what.startswith("put"):
        names = w.git("ls-files", check=False).stdout.decode().split()
        w.git("checkout", "-q", "--", names[number % len(names)] if names and what == "put_back" else ".", check=False)
    elif what == "checkout":
        w.git("checkout", "-q", "-B", side, "HEAD~1", check=False)
    elif what == "rebase":
        if w.git("rebase", "-q", side, check=False).returncode != 0:
            w.git("rebase", "--abort", check=False)
    else:
        w.git("stash", *(["pop", "-q"] if what == "unstash" else ["-q"]), check=False)


def committed(w):
    """The lines of the branch that is checked out."""
    return set(w.git("grep", "-h", "", "HEAD", check=False).stdout.decode().splitlines())


def check_kept(w, before, asked, what):
    """Of what you have committed nothing is gone that nobody took away, whatever index the agent's commits came from. What
    you have moved to another file, and not committed there, an agent takes away who commits your files as they are."""
    gone = {line for line in before - asked - committed(w) if not OWN.fullmatch(line)}
    assert not gone, f"taken from the branch by {what}: {gone}"


def check_whole(w):
    done = w.git("fsck", "--strict", "--no-dangling", check=False)
    assert done.returncode == 0 and not done.stderr, f"a repository that is not whole: {done.stdout} {done.stderr}"


class Staged:
    """What the agent's next commit would change, in a live view that follows: what it has staged, and nothing of yours."""

    def __init__(self, w, agent, followed):
        self.w, self.agent, self.followed, self.paths = w, agent, followed, None
        self.committed = set()  # of your edits, with its own

    def after(self, what):
        """What the agent asked of git, or somebody of shadow: some of that gives the session other commits."""
        if what == "commit":
            for words in (("diff", "--name-only", "HEAD"), ("ls-files", "--others")):
                self.committed |= set(self.w.git(*words, check=False).stdout.decode().split())
        if what in SCRIPTS and self.followed:
            self.paths = set(self.agent.do(["staged"])[0][1:])
        elif "undo" in what or what.startswith("discard"):
            self.paths = None

    def check(self, touched):
        """`touched` by the agent: what it has committed is staged where you switch to another branch beneath it."""
        def more():
            head, *paths = self.agent.do(["staged"])[0]
            own = self.paths | touched | self.committed
            return {path for path in paths if not related(path, own)} if head == tip(self.w, "HEAD") else set()
        others = self.paths is not None and harness.until_nothing(more)
        assert not others, f"staged in the live view, but not by the agent: {others}"
