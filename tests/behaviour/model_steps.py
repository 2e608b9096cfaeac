# SPDX-License-Identifier: MIT
"""The steps of a round of the model."""

import random

# (who, what): how often, beside the others.
STEPS = {
    ("user", "insert"): 10, ("user", "cut"): 4, ("user", "create"): 3, ("user", "delete"): 2, ("user", "rename"): 1,
    ("user", "chmod"): 1, ("user", "touch"): 1, ("user", "remove_tree"): 1, ("user", "swap_kind"): 1,
    ("user", "link"): 1, ("user", "restore"): 2, ("user", "commit"): 2, ("user", "commits"): 1,
    ("user", "stash"): 1, ("user", "unstash"): 1, ("user", "checkout"): 1, ("user", "rebase"): 1,
    ("user", "put_back"): 1, ("user", "put_all_back"): 1,
    ("agent", "insert"): 10, ("agent", "cut"): 4, ("agent", "create"): 3, ("agent", "delete"): 2, ("agent", "rename"): 1,
    ("agent", "chmod"): 1, ("agent", "touch"): 1, ("agent", "remove_tree"): 1, ("agent", "swap_kind"): 1,
    ("agent", "link"): 1, ("agent", "memory"): 4, ("agent", "pair"): 2,
    ("agent", "commit"): 3, ("agent", "stage"): 2, ("agent", "stash"): 1, ("agent", "unstash"): 1,
    ("agent", "checkout"): 1, ("agent", "return"): 1, ("agent", "rebase"): 1, ("agent", "put_back"): 2,
    ("agent", "put_all_back"): 1,
    ("shadow", "status"): 2, ("shadow", "diff"): 2, ("shadow", "apply"): 5, ("shadow", "apply_skip"): 3,
    ("shadow", "apply_path"): 2, ("shadow", "apply_p"): 1, ("shadow", "apply_p_some"): 1, ("shadow", "apply_side"): 1,
    ("shadow", "apply_stop"): 1, ("shadow", "apply_undo"): 3, ("shadow", "undo"): 1, ("shadow", "discard"): 1,
    ("shadow", "discard_path"): 2, ("shadow", "discard_p"): 1, ("shadow", "refresh"): 2, ("shadow", "refresh_path"): 1,
    ("shadow", "gc"): 1,
}


def draw(seed):
    """The steps of a round: (who, what, three numbers), and whether the agent is one live run; "early" if so, and the
    steps begin before that run is followed. In some rounds nobody looks before an apply at the end."""
    chance = random.Random(seed)
    kinds = chance.choices(list(STEPS), weights=list(STEPS.values()), k=chance.randint(4, 30))
    steps = [(who, what, [chance.randrange(1000) for _ in range(3)]) for who, what in kinds]
    live = chance.random() < 0.5
    if chance.random() < 0.3:
        steps = [step for step in steps if step[0] != "shadow"]
        steps.append(("shadow", chance.choice(("apply", "apply_skip")), [0, 0, 0]))
    return steps, "early" if live and chance.random() < 0.3 else live


def shrunk(play, steps, live, wrong):
    """Fewer steps that go wrong in the same way."""
    at = 0
    while at < len(steps):
        fewer = steps[:at] + steps[at + 1:]
        if (play(fewer, live) or "").partition(":")[0] == wrong.partition(":")[0]:
            steps = fewer
        else:
            at += 1
    return steps
