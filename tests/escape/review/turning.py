# SPDX-License-Identifier: MIT
"""Undo, refresh and discard of hostile states: what they write into a view, or back into the project, goes through
no link of the agent's, and gives nobody else's bytes away."""

import os
import subprocess

from review.attempt import SECRET, TOUCHED, Attempt

READ_ONLY_COMMANDS = (("status",), ("diff",), ("diff", "--commits", "-p"), ("apply", "-n"),
                      ("apply", "-n", "--diff"), ("list",), ("log",), ("show", "1"))
# What the agent makes of `d/f` once it was applied; the user then has the session brought up to the project, an
# apply taken back, or a change dropped, each of which writes `d/f` in the view.
SWAPS = {
    "the file is a link": "rm d/f; ln -s @out@/@id@ d/f",
    "the file is a link to a link": "rm d/f; ln -s l d/f; ln -s @out@/@id@ d/l",
    "its directory is a link": "mv d e; mkdir @out@/@id@; ln -s @out@/@id@ d",
    "its directory is a link to another": "mv d e; ln -s e2 d; ln -s @out@ e2",
    "its directory is a link to /proc": "mv d e; ln -s /proc/self/cwd/../outside d",
    "the file is a directory": "rm d/f; mkdir d/f; ln -s @out@/@id@ d/f/f",
    "the file is a FIFO": "rm d/f; mkfifo d/f",
    "the file is a socket": "rm d/f; python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"d/f\")'",
    "the file is a hard link": "rm d/f; echo >other; ln other d/f",
    "a staging name is a link": "for n in 1 2 3; do ln -s @out@/@id@ d/.shadow-$n; ln -s @out@/@id@ d/.f.shadow-$n; done; echo >>d/f",
    "the directory cannot be entered": "echo >>d/f; chmod 0 d",
}
READS = {
    "the file is a link to a secret": "rm d/f; ln -s @home@/.ssh/id_ed25519 d/f",
    "its directory is a link to the home": "mv d e; ln -s @home@/.ssh d; ln -s id_ed25519 e/f",
    "a link in place of a deleted file": "rm d/f; ln @home@/.ssh/id_ed25519 d/f || ln -s @home@/.ssh/id_ed25519 d/f",
}


def attempts():
    begin = "mkdir d; printf '1\\n2\\n3\\n' >d/f"
    first = "sed -i 's/3/three/' d/f"
    found = [Attempt("what undo, refresh and discard write", how, TOUCHED, (first, script), first=begin, at="d/f",
                     harmless="" if "is a link" in how and "staging" not in how and "/proc" not in how else
                     "who follows no name gets nowhere by it") for how, script in SWAPS.items()]
    found += [Attempt("what undo, refresh and discard read", how, SECRET, (first, script), first=begin, at="d/f")
              for how, script in READS.items()]
    return found


def user_edits(stage, attempts_):
    for attempt in attempts_:
        path = stage.path(attempt.place, "d/f")
        if os.path.isfile(path) and not os.path.islink(path):
            with open(path, "a", encoding="utf-8") as f:
                f.write(f"{attempt.word}\n")


def guarded(stage, attempts_):
    """Applied, edited by the user, made hostile, and then every way back, beside a run that goes on and idle."""
    stage.work(attempts_, 0)
    stage.review()
    stage.apply()
    user_edits(stage, attempts_)
    stage.work(attempts_, 1)
    live = stage.start("run", "--", "sh", "-c", "echo; read go", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    live.stdout.readline()
    try:
        turn(stage)
    finally:
        live.communicate(b"\n", timeout=60)
    turn(stage)


def turn(stage):
    for words in (("refresh",), ("undo",), ("undo",), ("refresh", "--on-conflict=ours"), ("discard", "--yes", "t0", "t1"),
                  *READ_ONLY_COMMANDS):
        stage.told(stage.shadow(*words, check=False))


def unguarded(stage, attempts_):
    """As a program would that opens the names as they are."""
    for step in (0, 1):
        stage.work(attempts_, step)
    for attempt in attempts_:
        path = stage.path(attempt.place, "d/f")
        if os.path.isfile(path):
            with open(path, "rb") as f:
                stage.outputs.append(f.read())
        try:
            with open(os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_CREAT), "wb") as f:
                f.write(attempt.word.encode())
        except OSError:
            pass
