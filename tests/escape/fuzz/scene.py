# SPDX-License-Identifier: MIT
"""One round: a project, a hostile session, reviews, and the user's work, as data that can be played again with less."""

import os
import random
import shutil
import subprocess

from fuzz import hostile, judge, layout, usage
from review.stage import Stage


class Scene(Stage):
    NOTHING_WRITTEN = 4

    def __init__(self, base, extra):
        super().__init__(base, True)
        self.extra = extra           # of each apply
        self.seen = False            # all that the session has was shown
        self.held_to_shown = True    # no apply wrote what was not
        self.names = set()           # of the project's files
        self.known = set()
        self.linked = set()
        self.has = {name: shutil.which(name) is not None for name in ("vim", "direnv")}
        editor = os.path.join(self.outside, "editor")
        with open(editor, "w", encoding="utf-8") as f:
            f.write(layout.EDITOR)
        os.chmod(editor, 0o755)
        self.env.update({"GIT_EDITOR": editor, "TERM": "dumb", "USER": "u", "VISUAL": editor, "EDITOR": editor})
        del self.env["GIT_CONFIG_NOSYSTEM"]
        self.env["GIT_CONFIG_SYSTEM"] = "/dev/null"

    def directly(self, parts, cwd=None):
        subprocess.run(["bash"], input="\n".join(parts).encode(), cwd=cwd or self.project, env=self.env,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, timeout=60)

    def applied(self, words, stdin=b""):
        parts = "-p" in words
        if not self.seen and not parts:
            self.held_to_shown = False
        return self.told(self.shadow(*words, check=False, stdin=stdin, timeout=60))

    def agent(self, steps, tell):
        self.seen = False
        script = "\n".join(step.script(sorted(self.names)) for step in steps)
        if tell:
            tell("agent:\n" + script)
        self.told(self.shadow("run", "--", "bash", stdin=script.encode(errors="surrogateescape"), check=False, timeout=60))


def draw(seed):
    """(features, acts): an act is (who, what, a number for it, a seed of its own)."""
    chance = random.Random(seed)
    features = layout.draw(chance)
    acts = []
    for number in range(chance.choice((1, 1, 2, 3))):
        for _ in range(chance.randint(2, 7)):
            acts.append(("agent", hostile.draw(chance), len(acts), chance.randrange(1 << 30)))
        if chance.random() < 0.8:
            acts.append(("user", "look", len(acts), 0))
        for _ in range(chance.choice((0, 0, 1, 2))):
            acts.append(("user", usage.draw(chance), len(acts), chance.randrange(1 << 30)))
        if number or chance.random() < 0.9:
            acts.append(("user", "whole", len(acts), 0))
    return features, acts


def runnable(features):
    return [name for name in features if all(shutil.which(program) for program in layout.FEATURES[name].program)]


def play(base, features, acts, extra=(), tell=None):
    """What the round came to: findings of judge.py. `tell` gets what the agent runs."""
    scene = Scene(base, extra)
    try:
        layout.build(scene, runnable(features))
        scene.names = {os.path.relpath(path, scene.project) for path in judge.entries(scene) if os.path.isfile(path)}
        scene.names = {name for name in scene.names if "/.git/" not in name and not name.startswith("store.git/")}
        scene.known = {path for path in judge.entries(scene) if os.path.isdir(path)}
        scene.linked = judge.links_out(scene)
        waiting = []
        for who, what, number, seed in [*acts, ("user", None, 0, 0)]:
            if who == "agent":
                waiting.append(hostile.Step(number, what, seed, scene.canaries))
                continue
            if waiting:
                scene.agent(waiting, tell)
                waiting = []
            if what:
                if tell:
                    tell("user: " + what)
                usage.review(scene, what, random.Random(seed))
        usage.work(scene, usage.places(scene))
        return judge.findings(scene)
    finally:
        scene.close()
