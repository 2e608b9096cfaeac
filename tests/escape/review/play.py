# SPDX-License-Identifier: MIT
"""Plays the attempts of one class: in a session with the user's review and apply, and, as the control, where
nothing guards. A class may do either in a way of its own, by functions `guarded` and `unguarded`."""

from review import day, oracles
from review.attempt import number
from review.stage import Stage


# A module beside this one each. Those of the last are the names of data/sensitive.toml in many forms.
CLASSES = ("repositories", "git_configuration", "commits", "links", "rights", "names", "bound", "dirty", "hunks", "turning",
           "leads", "histories", "listed")


def title_of(name):
    return name.replace("_", " ")


def attempts_of(kind):
    return number(kind.attempts(), kind.__name__.rpartition(".")[2][0])


def ways_of(kind):
    """By name, how the user takes what the agent did."""
    if hasattr(kind, "guarded"):
        return {"its own way": None}
    return getattr(kind, "TAKES", {"apply": Stage.apply, "apply -p": Stage.apply_parts})


def guarded(base, kind, attempts, take):
    stage = Stage(base, True)
    try:
        stage.begin(attempts)
        if take is None:
            kind.guarded(stage, attempts)
        else:
            for step in range(max(len(attempt.steps) for attempt in attempts)):
                stage.work(attempts, step)
                stage.review()
                take(stage)
        return outcomes(stage, kind, attempts)
    finally:
        stage.close()


def unguarded(base, kind, attempts):
    stage = Stage(base, False)
    try:
        stage.begin(attempts)
        if hasattr(kind, "unguarded"):
            kind.unguarded(stage, attempts)
        else:
            for step in range(max(len(attempt.steps) for attempt in attempts)):
                stage.work(attempts, step)
        return outcomes(stage, kind, attempts)
    finally:
        stage.close()


def outcomes(stage, kind, attempts):
    day.live_on(stage)
    if hasattr(kind, "after"):
        kind.after(stage)
    evidence = oracles.Evidence(stage)
    return {one.id: evidence.judge(one) for one in attempts}
