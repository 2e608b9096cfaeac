# SPDX-License-Identifier: MIT
"""The table of attacks: each line is judged, printed and counted."""

import re


class Table:
    """`manual` is the text of shadow-security(7): what stays open must have its title there."""

    def __init__(self, manual):
        self.manual = manual
        self.titles = set(re.findall(r"^\.It (.+)$", manual, re.MULTILINE))
        self.held = self.open = self.failed = 0
        self.where = ""
        self.strict = False
        self.topics = []  # of attacks from inside

    def add(self, topic, attack, how, expected, observed):
        verdict = self.judge(expected, observed)
        good = verdict != "NOT HELD"
        self.held += verdict == "held"
        self.open += verdict == "open"
        self.failed += not good
        wanted = "" if good else f" (expected {expected})"
        print(f"{'ok' if good else 'not ok'} - [{self.where}] {topic}: {attack} | {how} | "
              f"{observed}{wanted} | {verdict}", flush=True)

    def judge(self, expected, observed):
        documented = re.fullmatch(r"open(?P<default> in default)?: (?P<title>.+)", expected)
        if not documented:
            allowed = expected.split("|")
            return "held" if observed in allowed or no_namespace(observed) else "NOT HELD"
        if documented["title"] not in self.titles:
            return "NOT HELD"  # the manual has to say so
        if observed != "OK":
            return "held"
        return "NOT HELD" if documented["default"] and self.strict else "open"

    def check(self, attack, how, holds, observed=""):
        """An attack whose effect is looked for from outside."""
        self.add("outside", attack, how, "held", "held" if holds else f"LEAK {observed}")


def no_namespace(observed):
    """Where further user namespaces cannot be made they help no attack."""
    return observed.startswith("no namespace (")
