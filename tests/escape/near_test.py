# SPDX-License-Identifier: MIT
"""near_test.py: thousands of directories that git takes for a repository, or nearly: each of random pieces, made in one
or two runs, taken by an ordinary apply. Where git says afterwards that a directory is one, its configuration, hooks and
attributes are to be what git init writes.

SHADOW_NEAR_DIRECTORIES says how many (100 unless told), SHADOW_TEST_SEED where to begin. The first hundred are made
where nothing guards as well: then a good share must have what is to be kept out.
"""

import os
import random
import shlex
import subprocess
import sys
import time

from identity import report, round_of_attacks, users
from review.stage import Stage

IN_A_LOT = 50
CONTROL = 100  # directories, made where nothing guards
LEAST_SHARE = 0.2  # of these
WORD = "evilword"
CONFIG = f"[core]\n\trepositoryformatversion = 0\n\tbare = BARE\n\tfsmonitor = true; false\n\thooksPath = ../k\n[{WORD}]\n\tx = y\n"
BRANCH = "ref: refs/heads/main\n"

# Names as git has them, and as a file system may fold them.
SPELT = {"HEAD": ("HEAD",) * 8 + ("head", "Head"), "config": ("config",) * 8 + ("Config", "config "),
         "objects": ("objects",) * 8 + ("Objects",), "refs": ("refs",) * 8 + ("REFS",),
         "hooks": ("hooks",) * 8 + ("Hooks",), ".git": (".git",) * 8 + (".Git", "git~1", ".git ", ".g\u200cit"),
         "commondir": ("commondir",), "info": ("info",), "config.worktree": ("config.worktree",)}


class Maker:
    """Shell for one directory, in a random number of runs."""

    def __init__(self, chance):
        self.chance = chance
        self.dir = self.place()

    def spelt(self, name):
        return self.chance.choice(SPELT[name])

    def place(self):
        dot = self.spelt(".git")
        return self.chance.choice(("r", "r", "r.git", dot, dot, "w/" + dot, "sub/r", "r/refs", "w/" + dot + "/modules/m",
                                   "w/" + dot + "/worktrees/x"))

    def at(self, name):
        return shlex.quote(f"{self.dir}/{name}")

    def put(self, name, text):
        """A file, by one of the ways to have it there."""
        file, text = self.at(name), shlex.quote(text)
        return self.chance.choice((
            f"printf %s {text} >{file}", f"printf %s {text} >{file}", f"printf %s {text} >x; ln -f x {file}",
            f"printf %s {text} >x; mv x {file}", f"printf %s {text} >y; ln -sfn $PWD/y {file}",
            f"printf %s {text} >{file}; chmod {self.chance.choice(('600', '755', '444'))} {file}"))

    def head(self):
        return self.put(self.spelt("HEAD"), self.chance.choice((
            *(BRANCH,) * 9, "ref:refs/heads/x", "ref: refs/x\r\n", "ref: \t refs/heads/x", "A" * 40, "a" * 40 + " tail",
            "0" * 64, "ref: refs/../x", "ref: heads/x", "a" * 39))) if self.chance.random() < 0.85 else \
            f"ln -sfn {self.chance.choice(('refs/heads/none', 'refs/', 'refs', '../refs/x'))} {self.at(self.spelt('HEAD'))}"

    def directory(self, name):
        here = self.at(self.spelt(name))
        return self.chance.choice((
            f"mkdir -p {here}; touch {here}/k", f"mkdir -p {here}; touch {here}/k", f"mkdir -p o; touch o/k; ln -sfn $PWD/o {here}",
            f"mkdir -p t/{name}; touch t/{name}/k; mv t/{name} {here}", f"printf x >{here}", f"mkdir -p {here}/heads; touch {here}/heads/k"))

    def config(self):
        text = CONFIG.replace("BARE", self.chance.choice(("true", "false\n\tworktree = ..", "false")))
        how = self.chance.random()
        if how < 0.15:
            return self.put(self.spelt("config"), "[include]\n\tpath = more\n") + "; " + self.put("more", text)
        if how < 0.25:
            own = "[extensions]\n\tworktreeConfig = true\n[core]\n\trepositoryformatversion = 1\n"
            return self.put("config", own) + "; " + self.put(self.spelt("config.worktree"), text)
        return self.put(self.spelt("config"), text)

    def hooks(self):
        hooks, name = self.at(self.spelt("hooks")), self.chance.choice(("pre-commit", "post-checkout", "reference-transaction"))
        script = f"'#!/bin/sh\\n: {WORD}\\n'"
        return self.chance.choice((
            f"mkdir -p {hooks}; printf {script} >{hooks}/{name}; chmod 755 {hooks}/{name}",
            f"mkdir -p hk; printf {script} >hk/{name}; chmod 755 hk/{name}; ln -sfn $PWD/hk {hooks}",
            f"mkdir -p {hooks}; printf {script} >x; chmod 755 x; ln -f x {hooks}/{name}"))

    def attributes(self):
        return f"mkdir -p {self.at(self.spelt('info'))}; " + self.put("info/attributes", f"* filter={WORD} diff={WORD}\n")

    def commondir(self):
        """The parts that belong there are put there."""
        to = self.chance.choice(("../c", "$PWD/c", "../../c", "./"))
        text = CONFIG.replace("BARE", "true")
        return f"mkdir -p c/objects c/refs {self.dir}/../c; touch c/objects/k c/refs/k; printf %s {shlex.quote(text)} >c/config; " \
               f"echo {to} >{self.at('commondir')}"

    def points_here(self):
        other = shlex.quote(self.spelt(".git"))
        return self.chance.choice((
            f"mkdir -p p; echo gitdir: $PWD/{self.dir} >p/{other}", f"mkdir -p p; ln -sfn $PWD/{self.dir} p/{other}",
            f"mkdir -p p; echo gitdir: ../{self.dir} >x; ln -f x p/{other}"))

    def by_git(self):
        text = shlex.quote(CONFIG.replace("BARE", "false"))
        return self.chance.choice((
            f"git init -q {self.dir}; printf %s {text} >{self.dir}/.git/config",
            f"git init -q --bare {self.dir}; printf %s {text} >>{self.dir}/config",
            f"git init -q --separate-git-dir=sep {self.dir}; printf %s {text} >sep/config",
            f"git init -q {self.dir}; mv {self.dir}/.git {self.dir}/g; printf %s {text} >{self.dir}/g/config; mv {self.dir}/g {self.dir}/.git"))

    def renamed(self):
        return self.chance.choice((f"mv {self.dir} z; mkdir -p $(dirname {self.dir}); mv z {self.dir}", f"mv {self.dir} r2",
                                   f"cp -a {self.dir} r3", f"mkdir -p v; ln -sfn $PWD/{self.dir} v/.git"))

    def runs(self):
        """Two scripts; the second is often empty."""
        pieces = [self.head(), self.directory("objects"), self.directory("refs"), self.config(), self.hooks(), self.attributes()]
        pieces = [piece for piece in pieces if self.chance.random() < 0.95]
        for more, share in ((self.commondir, 0.15), (self.points_here, 0.3), (self.by_git, 0.1)):
            if self.chance.random() < share:
                pieces.append(more())
        self.chance.shuffle(pieces)
        if self.chance.random() < 0.2:
            pieces.append(self.renamed())
        cut = self.chance.randint(0, len(pieces)) if self.chance.random() < 0.3 else len(pieces)
        begin = f"mkdir -p {shlex.quote(self.dir)}"
        return ["; ".join([begin, *part]) if part else "" for part in (pieces[:cut], pieces[cut:])]


def directories(root):
    """All that git may be asked about, by every way that leads there once."""
    for folder, names, _ in os.walk(root):  # follows no links
        yield folder
        for name in names:
            path = os.path.join(folder, name)
            if os.path.islink(path):
                yield path


def asked(stage, folder, *words):
    # Of this directory alone, where a link leads: not of the user's repository around it.
    env = {**stage.env, "GIT_CEILING_DIRECTORIES": os.path.dirname(os.path.realpath(folder))}
    done = subprocess.run(["git", "-C", folder, *words], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False)
    return done.stdout.decode(errors="replace").splitlines() if done.returncode == 0 else None


AS_INIT_WRITES = ("core.repositoryformatversion=", "core.filemode=", "core.bare=", "core.logallrefupdates=", "core.ignorecase=",
                  "core.precomposeunicode=", "core.symlinks=", "extensions.objectformat=")


def obeyed(stage, folder):
    """None where git says that it is no repository; else what git obeys there that git init does not write."""
    places = asked(stage, folder, "rev-parse", "--git-path", "hooks", "--git-path", "info/attributes")
    if places is None:
        return None
    hooks, attributes = (os.path.join(folder, place) for place in places)
    settings = asked(stage, folder, "config", "--local", "--includes", "--list") or []
    settings += asked(stage, folder, "config", "--worktree", "--includes", "--list") or []
    found = sorted({line for line in settings if not line.startswith(AS_INIT_WRITES)})
    if os.path.isdir(hooks):
        for name in os.listdir(hooks):
            path = os.path.join(hooks, name)
            if os.path.isfile(path) and os.access(path, os.X_OK) and not name.endswith(".sample"):
                found.append("hook " + name)
    if os.path.exists(attributes):
        found.append("attributes")
    return found


def judged(stage, seeds):
    """How many are repositories, and those that obey something, by seed."""
    repositories, wrong = 0, {}
    for seed in seeds:
        for folder in directories(os.path.join(stage.project, f"n-{seed}")):
            found = obeyed(stage, folder)
            repositories += found is not None
            if found:
                wrong.setdefault(seed, []).append((os.path.relpath(folder, stage.project), found))
    return repositories, wrong


def play(base, seeds, guarded, take=Stage.apply):
    stage = Stage(base, guarded)
    try:
        stage.begin([])
        scripts = {seed: Maker(random.Random(seed)).runs() for seed in seeds}
        for number in range(2):
            parts = [f"(mkdir -p n-{seed}; cd n-{seed}; {runs[number]}) </dev/null\n" for seed, runs in scripts.items() if runs[number]]
            if not guarded:
                stage.directly(parts)
            elif parts:
                stage.shadow("run", "--", "bash", stdin="\n".join(parts).encode(), check=False)
                take(stage)
        return judged(stage, seeds)
    finally:
        stage.close()


def tell(seed, wrong, way):
    print(f"not ok - seed {seed}, {way}: {wrong}\n  " + "\n  then ".join(Maker(random.Random(seed)).runs()), flush=True)


def try_all(base):
    first = int(os.environ.get("SHADOW_TEST_SEED") or time.time_ns() % 1_000_000_000)
    count = int(os.environ.get("SHADOW_NEAR_DIRECTORIES", "100"))
    print(f"# seeds from {first}", flush=True)
    failed = repositories = 0
    lots = [range(at, min(at + IN_A_LOT, first + count)) for at in range(first, first + count, IN_A_LOT)]
    _, unguarded = play(base, range(first, first + CONTROL), False)
    share = len(unguarded) / CONTROL
    print(f"{'ok' if share >= LEAST_SHARE else 'not ok'} - where nothing guards {share:.0%} of the directories obey the agent")
    for number, lot in enumerate(lots):
        way, take = (("apply", Stage.apply), ("apply -p", Stage.apply_parts))[number % 2]
        found, wrong = play(base, lot, True, take)
        repositories += found
        failed += len(wrong)
        for seed, what in wrong.items():
            tell(seed, what, way)
    print(f"# {count} directories, {repositories} of what arrived are repositories, {failed} obey what the agent wrote", flush=True)
    return count - failed, 0, failed + (share < LEAST_SHARE) + (repositories == 0)


def main():
    results = []
    os.umask(0o022)
    report(results, [round_of_attacks(users()[0], None, lambda base, _: try_all(base), results)])


if __name__ == "__main__":
    sys.exit(main())
