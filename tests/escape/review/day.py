# SPDX-License-Identifier: MIT
"""What an ordinary user does in the project after an apply, by the real programs."""

import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

GIT = (("status",), ("log", "-2"), ("diff",), ("add", "-A"), ("commit", "-qm", "work", "--allow-empty"),
       ("checkout", "-q", "-b", "next"), ("checkout", "-q", "-"), ("stash",), ("stash", "pop"))
MARKS = {".git", "head", "commondir", ".git ", ".git."}
PROMPT = "/usr/lib/git-core/git-sh-prompt"


def call(stage, words, cwd):
    done = subprocess.run(words, cwd=cwd, env={**stage.env, "GIT_PS1_SHOWDIRTYSTATE": "1"},
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                          timeout=60)
    return done.stdout


def directories(stage):
    """Those that may be repositories, by what lies in them."""
    found = []
    for folder, names, files in os.walk(stage.project):
        if folder.startswith(stage.path(".git")):
            names.clear()
        elif MARKS & {name.lower() for name in names + files}:
            found.append(folder)
    return found


def git(stage):
    """At the top, and in each directory that git takes for part of another repository."""
    for words in GIT:
        call(stage, ["git", *words], stage.project)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda folder: in_repository(stage, folder), directories(stage)))


def in_repository(stage, folder):
    taken_for = call(stage, ["git", "rev-parse", "--absolute-git-dir"], folder).decode(errors="replace").strip()
    if taken_for in ("", stage.path(".git")):
        return
    call(stage, ["git", "status"], folder)
    stage.answers.append(call(stage, ["git", "config", "--get-all", "review.word"], folder))
    hooks = call(stage, ["git", "rev-parse", "--git-path", "hooks"], folder).decode(errors="replace").strip()
    if any(not name.endswith(".sample") for name in names_in(os.path.join(folder, hooks))):
        call(stage, ["git", "commit", "-qm", "x", "--allow-empty"], folder)
        call(stage, ["git", "branch", "-f", "mine"], folder)


def names_in(directory):
    return os.listdir(directory) if os.path.isdir(directory) else []


def shell(stage):
    """bash -i in the project, with git's own prompt, also in those of its directories that git may heed."""
    script = f"[ ! -e {PROMPT} ] || . {PROMPT} && for d in . \"$@\"; do cd \"$d\" && __git_ps1 && cd - ; done"
    call(stage, ["bash", "-ic", script, "bash", *directories(stage)[:60]], stage.project)
    for program in ("zsh", "fish"):
        if shutil.which(program):
            call(stage, [program, "-ic", ":"], stage.project)


def editor(stage, places):
    """vim with `exrc` set, as its manual says how, opens a file in the project and in these directories."""
    for place in places:
        call(stage, ["env", "VIMINIT=set exrc modeline", "vim", "-T", "dumb", "-n", "--not-a-term", "-c", "qa!",
                     "a.txt"], place)


def live_on(stage):
    git(stage)
    shell(stage)
    if shutil.which("vim"):
        editor(stage, [stage.project])
