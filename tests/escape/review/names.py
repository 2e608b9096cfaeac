# SPDX-License-Identifier: MIT
"""Text of the agent's on the user's terminal: control characters, and what is drawn as nothing or turns the rest
around, wherever an output shows what the agent wrote."""

import os
import subprocess
import termios

import harness
from review.attempt import TERMINAL, Attempt
from review.turning import READ_ONLY_COMMANDS

CHARACTERS = {
    "an escape sequence": "\\033[2K", "a title": "\\033]0;x\\007", "a carriage return": "\\r", "a backspace": "\\010",
    "a delete": "\\177", "a C1 control": "\\302\\233", "right to left": "\\342\\200\\256", "no width": "\\342\\200\\213",
    "a tag": "\\363\\240\\201\\201", "a line separator": "\\342\\200\\250",
}
PLACES = {
    "the name of a file": "echo x >\"N\"",
    "the name of a directory": "mkdir \"N\"; echo x >\"N/f\"",
    "the name of an empty directory": "mkdir \"N\"",
    "the target of a link": "ln -s \"N\" l",
    "the content of a file": "printf '%s\\n' \"N\" >f",
    "a line that goes": "sed -i d mine",
    "the subject of a commit": "git -C @top@ commit -q --allow-empty -m \"N\"",
    "the text of a commit": "git -C @top@ commit -q --allow-empty -m x -m \"N\"",
    "the author of a commit": "git -C @top@ commit -q --allow-empty --author \"N <a@b>\" -m x",
    "the text of a tag": "git -C @top@ tag -a t-@id@ -m \"N\"",
    "a new name of a file": "mv .keep \"N\"",
    "the name of something sensitive": "mkdir \"N\"; echo x >\"N/.envrc\"",
    "the name of a repository": "git init -q \"N\"",
    "the name of a FIFO": "mkfifo \"N\"",
    "the name of what is ignored": "echo '*' >.gitignore; echo x >\"N\"",
    "the name of something with rights": "mkdir \"N\"; chmod 777 \"N\"",
    "a mode": "echo x >\"N\"; chmod 707 \"N\"",
}


def attempts():
    found = []
    for number, (place, script) in enumerate(PLACES.items()):
        for i, (what, code) in enumerate(CHARACTERS.items()):
            # Every place with the most telling ones, the others in turn.
            if i > 2 and (i + number) % 3:
                continue
            name = f"$(printf 'a{code}@word@')"
            first = f"printf 'a{code}@word@\\n' >mine" if "goes" in place else ""
            found.append(Attempt(f"{what} in {place}", "shown on a terminal", TERMINAL, (script.replace("N", name),),
                                 first=first))
    return found


def on_terminal(stage, words):
    """What the command prints where its output is a terminal, as it is."""
    master, slave = os.openpty()
    attributes = termios.tcgetattr(slave)
    attributes[1] = 0  # no line end of its own
    termios.tcsetattr(slave, 0, attributes)
    process = subprocess.Popen(words, cwd=stage.project, env={**stage.env, "NO_COLOR": "1", "TERM": "xterm"},
                               stdin=subprocess.DEVNULL, stdout=slave, stderr=slave)
    os.close(slave)
    pieces = []
    while True:
        try:
            piece = os.read(master, 1 << 16)
        except OSError:
            break
        if not piece:
            break
        pieces.append(piece)
    process.wait()
    os.close(master)
    return b"".join(pieces)


def take(stage):
    stage.outputs.clear()  # of pipes, which get a patch as it is
    for words in (*READ_ONLY_COMMANDS, ("apply", "--yes"), ("apply", "--yes", "--skip-sensitive"), ("undo",)):
        stage.outputs.append(on_terminal(stage, [harness.SHADOW, *words]))


def after(stage):
    if not stage.guarded:
        for words in (("git", "log", "--format=%an %B"), ("git", "tag", "-n9"), ("find", ".", "-printf", "%p %l\n"),
                      ("git", "log", "-p"), ("grep", "-rh", "evil", ".")):
            stage.outputs.append(subprocess.run(words, cwd=stage.project, env=stage.env, stdout=subprocess.PIPE,
                                                stderr=subprocess.STDOUT, check=False).stdout)


TAKES = {"a terminal": take}
