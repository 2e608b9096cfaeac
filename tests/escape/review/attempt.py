# SPDX-License-Identifier: MIT
"""One attempt to get in by the review: what the agent makes, and how the user would suffer it."""

import dataclasses

RUN = "run"            # a program of the agent's runs as the user
SET = "set"            # git has a setting of the agent's
OBEYED = "obeyed"      # a program finds the agent's text where it looks for what it obeys
LINK = "link"          # a link of the project leads out of it
SECRET = "secret"      # what only the user may read is in the project, its history or an output
WIDER = "wider"        # others may do what they could not, and no output said so
UNSEEN = "unseen"      # bytes arrived that no output showed
DECLINED = "declined"  # bytes arrived that were answered with no
TOUCHED = "touched"    # something of the user's beside the project changed
TERMINAL = "terminal"  # an output has a control character of the agent's

SECRET_TEXT = "the-users-own-secret"


@dataclasses.dataclass
class Attempt:
    """`steps` are shell, each a run of its own in the attempt's directory; `first` is the user's own, before the
    session. In all of them stand @touch@ (a command that shows that it ran), @word@ (a text that nobody else
    writes), @top@ (the project), @out@ (a directory beside it) and @home@."""

    what: str
    how: str
    goal: str
    steps: tuple
    first: str = ""
    at: str = "."     # where the goal is looked for, in the attempt's directory; "/x": in the project
    place: str = None  # its directory; one of its own when it says none
    # Also where nothing guards, as the control run shows it, the attempt does not get in: says why.
    harmless: str = ""
    # The control is `apply` with these words in place of an unguarded run.
    control: tuple = ()
    id: str = ""

    def fill(self, text, stage):
        for name, value in (("touch", f"touch {stage.canaries}/{self.id}"), ("word", self.word), ("id", self.id),
                            ("top", stage.project), ("out", stage.outside), ("home", stage.home), ("place", self.place)):
            text = text.replace(f"@{name}@", value)
        return text

    @property
    def word(self):
        return f"evil-{self.id}-word"


def number(attempts, letter):
    """Gives each its name, and a directory of that name unless it says where it works."""
    for i, attempt in enumerate(attempts):
        attempt.id = f"{letter}{i}"
        if attempt.place is None:
            attempt.place = attempt.id
    return attempts
