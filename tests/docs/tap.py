# SPDX-License-Identifier: MIT
"""Runs checks that return a list of complaints, and prints TAP."""


def report(checks):
    """`checks` maps a sentence to a function of no arguments; returns the exit status."""
    print(f"1..{len(checks)}")
    failed = 0
    for number, (sentence, check) in enumerate(checks.items(), 1):
        complaints = check()
        for complaint in complaints:
            print(f"# {complaint}")
        failed += bool(complaints)
        print(f"{'not ok' if complaints else 'ok'} {number} - {sentence}", flush=True)
    return 1 if failed else 0
