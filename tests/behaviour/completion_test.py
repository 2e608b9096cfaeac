#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The completion scripts in the shells that they are for: TAB on a terminal, or the shell's own way
to ask what TAB would offer."""

import os
import re
import shutil
import subprocess
import sys

import harness
from harness import SHADOW, Skip
from terminal import Terminal

# What is typed, and what the shell must offer for it, or must not.
OFFERS = (
    ("shadow sta", {"status"}, set()),
    ("shadow --as codex dif", {"diff"}, set()),
    ("shadow --as codex diff ", {"codex.txt", "src/c"}, {"other.txt"}),
    ("shadow diff --as other ", {"other.txt"}, {"codex.txt"}),
    ("shadow run --profile ", {"default", "strict", "agent"}, {"a.txt"}),
    ("shadow run --home=p", {"private"}, set()),
    ("shadow apply --on-conflict=", {"stop", "merge", "ours", "theirs", "markers"}, {"a.txt"}),
    ("shadow --as codex apply --branch ", set(), {"codex.txt", "a.txt"}),
    ("shadow --as ", {"codex", "other"}, set()),
    ("shadow completion ", {"bash", "fish", "zsh"}, set()),
    ("shadow --as codex show ", {"1"}, {"2"}),
    ("shadow help app", {"apply"}, set()),
)


def agents(world):
    world.git_project()
    world.shadow("--as", "codex", "run", "--", "sh", "-c", "mkdir src; echo 1 >src/c; echo 1 >codex.txt")
    world.shadow("--as", "other", "run", "--", "sh", "-c", "echo 1 >other.txt")
    directory = os.path.join(world.tmp, "bin")
    os.mkdir(directory)
    os.symlink(SHADOW, os.path.join(directory, "shadow"))
    world.env["PATH"] = directory + ":" + world.env["PATH"]


def need(shell):
    if not shutil.which(shell):
        raise Skip(f"{shell} is not installed")


def words_of(text):
    """Candidates as a shell lists them: values behind '=' without the option."""
    plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", " ", text)
    return {word.rpartition("=")[2].rstrip("/ ") for word in plain.split()}


def check(offered, shell):
    for typed, wanted, unwanted in OFFERS:
        found = offered(typed, wanted)
        assert wanted <= found, f"{shell}: {typed!r}: {wanted - found} missing of {found}"
        assert not unwanted & found, f"{shell}: {typed!r}: {unwanted & found} offered"


def fish(world, typed, cwd=None):
    done = subprocess.run(
        ["fish", "-c", "shadow completion fish | source; complete -C $argv[1]", typed],
        cwd=cwd or world.project, env=world.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        timeout=60, check=True)
    assert done.stderr == b"", done.stderr.decode()
    return {line.split("\t")[0].rpartition("=")[2] for line in done.stdout.decode().splitlines()}


def test_fish_offers_what_fits(world):
    """In fish TAB offers what fits where one is, and prints no error."""
    need("fish")
    agents(world)
    check(lambda typed, _: fish(world, typed), "fish")
    assert "run" in fish(world, "shadow ")
    os.mkdir(world.path("src"))
    assert "c" in fish(world, "shadow --as codex diff ", world.path("src"))
    assert "../codex.txt" in fish(world, "shadow --as codex diff ../", world.path("src"))
    assert "checkout" in fish(world, "shadow run git che")
    assert "checkout" in fish(world, "shadow --as codex run --net none -- git che")
    listed = subprocess.run(["fish", "-c", "shadow completion fish | source; "
                             "complete -C 'shadow --as codex show '"], cwd=world.project,
                            env=world.env, stdout=subprocess.PIPE, check=True).stdout.decode()
    assert re.search(r"^1\t\d{4}-\d\d-\d\d .*sh -c", listed), listed


def interactive(world, argv, setup):
    """A function that types a line and TAB into a fresh shell, and returns what is on the screen once
    all that is wanted is there, or after a while."""
    def offered(typed, wanted, cwd=None):
        with Terminal(argv, cwd or world.project, {**world.env, "TERM": "xterm"},
                      rows=200, columns=100) as terminal:
            # The prompt is not what is typed for it.
            terminal.type(setup + "; PS1=re''ady:\n")
            terminal.expect("ready:", 60)
            terminal.type(typed + "\t")
            found, silent, again = set(), 0, "\t"
            while silent < (20 if wanted - found else 2):
                silent = 0 if terminal.read_more(0.7) else silent + 1
                if silent and again:
                    terminal.type(again)  # a second one lists what the first could not choose
                    again = ""
                found = words_of(terminal.shown.decode(errors="replace"))
            return found
    return offered


def test_bash_offers_what_fits(world):
    """In bash TAB offers what fits where one is."""
    need("bash")
    agents(world)
    offered = interactive(
        world, ["bash", "--norc", "--noprofile", "-i"],
        "bind 'set page-completions off'; bind 'set completion-query-items 0'; "
        "bind 'set enable-bracketed-paste off'; eval \"$(shadow completion bash)\"")
    check(offered, "bash")
    os.mkdir(world.path("src"))
    assert "../codex.txt" in offered("shadow --as codex diff ../", {"../codex.txt"}, world.path("src"))


def test_zsh_offers_what_fits(world):
    """In zsh TAB offers what fits where one is."""
    need("zsh")
    agents(world)
    offered = interactive(
        world, ["zsh", "-f", "-i"],
        "autoload -Uz compinit; compinit -u -D; LISTMAX=0; unset zle_bracketed_paste; "
        "eval \"$(shadow completion zsh)\"")
    check(offered, "zsh")
    os.mkdir(world.path("src"))
    assert "../codex.txt" in offered("shadow --as codex diff ../", {"../codex.txt"}, world.path("src"))
    assert "checkout" in offered("shadow run git checko", {"checkout"})


if __name__ == "__main__":
    harness.main(sys.modules["__main__"])
