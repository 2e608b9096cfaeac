# SPDX-License-Identifier: MIT
"""review_test.py MANUAL [CLASS...]: hostile sessions that try to get in by the review.

A class of attempts is a module in review/. Each attempt is made in a session, reviewed and applied as an ordinary
user does, who then works on in the project with the real git, shells and vim; and, the first time, where nothing
guards, which shows that it is one: an attempt that gets nowhere there must say why, or fails. Every line says what
was tried, how it was taken, and what came of it.
"""

import importlib
import os
import re
import sys
import time

from identity import report, round_of_attacks, users
from review import play
from table import Table

# Before another user's process could have less of Python's modules to read.
KINDS = {name: importlib.import_module("review." + name) for name in play.CLASSES}


def control(table, base, kind, attempts):
    """Where nothing guards; what an attempt comes to there."""
    found = play.unguarded(base, kind, attempts)
    for one in attempts:
        fires = found[one.id] is not None
        if fires == bool(one.harmless):
            table.check(f"the control of: {one.what}", one.how, False, f"{found[one.id]}; said to be {one.harmless!r}")
    return sum(value is not None for value in found.values())


def try_class(table, base, name, with_control):
    kind = KINDS[name]
    attempts = play.attempts_of(kind)
    title = play.title_of(name)
    table.check("a class that the manual does not have", title, f"review: {title}" in table.titles)
    told = re.search(rf"^\.It review: {title}\n(More than )?(\d+) attempts, none got in\.$", table.manual, re.MULTILINE)
    table.check("a class with as many attempts as the manual says", title, bool(told) and
                (len(attempts) > int(told[2]) if told[1] else len(attempts) == int(told[2])), f"{len(attempts)}")
    begun = time.time()
    fired = control(table, base, kind, attempts) if with_control else None
    for way, take in play.ways_of(kind).items():
        found = play.guarded(base, kind, attempts, take)
        for one in attempts:
            table.add(title, f"{one.what}: {one.how}", way, "held", found[one.id] or "held")
    unguarded = "" if fired is None else f", {fired} of which get in where nothing guards"
    print(f"# [{table.where}] {name}: {len(attempts)} attempts{unguarded}, {time.time() - begun:.0f} s", flush=True)


def main():
    page, *classes = sys.argv[1:]
    with open(page, encoding="utf-8") as f:
        manual = f.read()
    first = users()[0]

    def attack_as(uid):
        def work(base, _):
            table = Table(manual)
            table.where = "root" if uid == 0 else "user"
            for name in classes or play.CLASSES:
                try_class(table, base, name, uid == first)
            return table.held, table.open, table.failed
        return work

    results = []
    os.umask(0o022)
    report(results, [round_of_attacks(uid, None, attack_as(uid), results) for uid in users()])


main()
