# SPDX-License-Identifier: MIT
"""PYTHONPATH=tests/behaviour attempts_page.py: prints shadow-attempts(7), each attempt that review_test.py makes, with its
outcome. That suite fails where one of them gets in."""

import importlib
import itertools
import sys

from review import play
from review.rights import ROOTS_ALONE

HEAD = """\
.\\" SPDX-License-Identifier: MIT
.\\" Written by tests/escape/attempts_page.py.
.Dd November 28, 2026
.Dt SHADOW-ATTEMPTS 7
.Os
.Sh NAME
.Nm shadow-attempts
.Nd attempts to get in by the review of a session, each with its outcome
.Sh DESCRIPTION
The suite
.Pa tests/escape/review_test.py
plays these attempts, as an ordinary user and as root;
.Xr shadow-security 7
tells how, and what counts as success.
Each is made once with a review and
.Ql shadow apply ,
once by
.Ql shadow apply -p
where its class says no other way, and once without any guard, which shows what it would come to.
.Pp
The outcome of each is
.Dq held :
what it was made for did not happen.
Some get nowhere without a guard either; the reason is beside them.
The attempts of one more class try each name of
.Pa data/sensitive.toml ,
which lists them.
"""

FOOT = """\
.Sh SEE ALSO
.Xr shadow 1 ,
.Xr shadow-security 7
"""


def text(words):
    """A line of mdoc that is none of its macros."""
    words = words.replace("@touch@", "COMMAND").replace("\\", "\\e")
    return ("\\&" if words[:1] in (".", "'") else "") + words[:1] + words[1:].replace("-", "\\-")


def item(attempt):
    # The page is the same whoever prints it.
    harmless = "" if attempt.harmless == ROOTS_ALONE else attempt.harmless
    outcome = "held" + (f", and without a guard: {harmless}" if harmless else "")
    return f".It\n{text(attempt.how)}: {text(outcome)}\n"


def section(name):
    attempts = play.attempts_of(importlib.import_module("review." + name))
    out = f".Sh {play.title_of(name).upper()}\n{len(attempts)} attempts.\n.Bl -tag -width Ds\n"
    for what, group in itertools.groupby(attempts, key=lambda attempt: attempt.what):
        out += f".It \\&{text(what)}\n.Bl -dash -compact\n" + "".join(map(item, group)) + ".El\n"
    return out + ".El\n"


def main():
    sys.stdout.write(HEAD + "".join(section(name) for name in play.CLASSES if name != "listed") + FOOT)


main()
