# SPDX-License-Identifier: MIT
"""review_fuzz.py: hostile sessions of random steps, ordinary reviews, and an ordinary day after them, against canaries.

SHADOW_FUZZ_ROUNDS or SHADOW_FUZZ_SECONDS say how long (24 rounds unless told), SHADOW_TEST_SEED where to begin. A round
that goes wrong is printed, shrunk to what it needs. `--control` gives --allow-sensitive to each apply: then a good share
of the rounds must go wrong, or the fuzzer would see nothing. `--round SEED` plays one again.
"""

import collections
import os
import sys
import time

from fuzz import scene
from identity import report, round_of_attacks, users

LEAST_SHARE = 0.4  # of the rounds of a control
TELL_EVERY = 300   # seconds


def signature(found):
    return {(what.split(" ")[0], what.split(" ")[1] if " " in what else "") for _, what in found}


def shrunk(base, features, acts, found):
    """Fewer features and acts that go wrong in the same way."""
    wanted = signature(found)

    def still(some, others):
        try:
            return bool(wanted & signature(scene.play(base, some, others)))
        except Exception:  # pylint: disable=broad-except
            return False
    for at in range(len(features) - 1, -1, -1):
        if still(features[:at] + features[at + 1:], acts):
            features = features[:at] + features[at + 1:]
    for at in range(len(acts) - 1, -1, -1):
        if still(features, acts[:at] + acts[at + 1:]):
            acts = acts[:at] + acts[at + 1:]
    return features, acts


def told(base, seed, features, acts, found):
    print(f"not ok - round {seed}: {found}", flush=True)
    features, acts = shrunk(base, features, acts, found)
    print(f"  features: {features}")
    found = scene.play(base, features, acts, tell=lambda text: print("  " + text.replace("\n", "\n    ")))
    print(f"  which comes to: {found}", flush=True)


def rounds(first):
    """Seeds, until the time or the number is over."""
    seconds = float(os.environ.get("SHADOW_FUZZ_SECONDS", "0"))
    most = int(os.environ.get("SHADOW_FUZZ_ROUNDS", "0")) or (1 << 40 if seconds else 24)
    begun = time.time()
    for seed in range(first, first + most):
        if seconds and time.time() - begun > seconds:
            return
        yield seed


def fuzz(base, control):
    first = int(os.environ.get("SHADOW_TEST_SEED") or time.time_ns() % 1_000_000_000)
    print(f"# seeds from {first}{', --allow-sensitive' if control else ''}", flush=True)
    begun, wrong, count, last = time.time(), 0, 0, time.time()
    kinds = collections.Counter()
    for seed in rounds(first):
        features, acts = scene.draw(seed)
        found = scene.play(base, features, acts, ("--allow-sensitive",) if control else ())
        count += 1
        if time.time() - last > TELL_EVERY:
            last = time.time()
            print(f"# {count} rounds, {wrong} went wrong, {last - begun:.0f} s", flush=True)
        kinds.update({(what.split(" ")[0]) for _, what in found})
        if found:
            wrong += 1
            if not control:
                told(base, seed, features, acts, found)
    took = time.time() - begun
    print(f"# {count} rounds, {wrong} went wrong, {count * 60 / took:.0f} a minute {dict(kinds)}", flush=True)
    if control:
        enough = wrong >= LEAST_SHARE * count
        print(f"{'ok' if enough else 'not ok'} - with --allow-sensitive {wrong} of {count} rounds go wrong", flush=True)
        return count, 0, 0 if enough else 1
    return count - wrong, 0, wrong


def main():
    words = sys.argv[1:]
    if "--round" in words:
        os.environ["SHADOW_TEST_SEED"] = words[words.index("--round") + 1]
        os.environ["SHADOW_FUZZ_ROUNDS"] = "1"
    # One user is enough: an ordinary one where there is a choice.
    results = []
    os.umask(0o022)
    report(results, [round_of_attacks(users()[0], None, lambda base, _: fuzz(base, "--control" in words), results)])


main()
