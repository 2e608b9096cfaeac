#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The completion scripts in the shells that they are for: TAB on a terminal, or the shell's own way
to ask what TAB would offer."""

import os
import re
import shutil
import subprocess
import sys
import time

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

ODD = r"""it's $x \ `y` "z" !w"""
# What is typed, and the last argument that TAB makes of it.
COMPLETED = (
    (r"diff dir\ w", "dir with space/a b"),
    ('diff "dir w', "dir with space/a b"),
    ("diff 'dir w", "dir with space/a b"),
    (r"diff dir\ with\ space/", "dir with space/a b"),
    ('diff "dir with space/', "dir with space/a b"),
    ("diff it", ODD),
    ('diff "it', ODD),
    ("diff 'it", ODD),
    (r"diff it\'s\ \$", ODD),
    ("diff \"it's \\$", ODD),
    ("diff k=", "k=v w"),
    ("diff 'k=v", "k=v w"),
    ("diff ./-", "./-dash"),
    ("diff ./:", "./:colon: x"),
    ("diff ./:colon:", "./:colon: x"),
    ('diff "./:c', "./:colon: x"),
    (r"diff \~", "~tilde*!"),
    ('diff "6', '6"'),
    ("diff '7", "7'"),
    ("diff new", "new\nli'ne"),
    ("diff bad", "bad\udcff"),
    # What has no text that could differ, or none to show.
    ("discard bu", "build/"),
    ("status em", "emp ty/x"),
    ("apply pi", "pipe"),
    ("refresh mo", "mode"),
    # What has been applied is no change any more.
    ("diff app", "app"),
    ("log app", "applied file"),
    ("log 'applied", "applied file"),
)
# Fish has no $'..', and looks for what is typed inside of the names, too.
COMPLETED_POSIX = (
    ("diff $'it", ODD),
    ("diff $'7", "7'"),
    ("diff zq", "zq\tx"),
    ('diff "~', "~tilde*!"),
    ("diff li", "li"),
)


def agents(world):
    world.git_project()
    world.shadow("--as", "codex", "run", "--", "sh", "-c", "mkdir src; echo 1 >src/c; echo 1 >codex.txt")
    world.shadow("--as", "other", "run", "--", "sh", "-c", "echo 1 >other.txt")
    on_path(world)


def hostile(world):
    """A session with changes of every kind, and names that a shell must quote."""
    world.git_project({".gitignore": "build/\n", "applied file": "1\n", "mode/a": "1\n", "src/deep/a": "1\n",
                       "dir of it/a": "1\n"})
    os.chmod(world.path("mode"), 0o755)
    world.sh("echo 2 >'applied file'")
    world.shadow("apply", "-y")
    names = ("dir with space/a b", ODD, "k=v w", "-dash", ":colon: x", "~tilde*!", "new\nli'ne", "zq\tx", '6"', "7'",
             "bad\udcff", "build/o")
    world.run(sys.executable, "-c", f"""import os
for name in {names!r}:
    os.makedirs(os.path.dirname(name) or '.', exist_ok=True)
    open(name, 'w').close()
os.makedirs('emp ty/x')
os.mkdir('src/deep/new')
os.mkfifo('pipe')
os.chmod('mode', 0o700)
""")
    on_path(world)


def on_path(world):
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


# Where the session's paths have other names, or what is done there has.
ELSEWHERE = (
    ("discard ../../bu", "../../build/", "src/deep"),
    ("diff ../../dir\\ w", "../../dir with space/a b", "src/deep"),
    ("discard de", "deep/new", "src"),
    ("-C 'PROJECT' diff em", "emp ty/x", "/"),
)


def check_completed(world, completed, more):
    wrong = []
    for typed, wanted, cwd in (*((*case, "") for case in COMPLETED + more), *ELSEWHERE):
        found = completed(typed.replace("PROJECT", world.project), world.path(cwd))
        if found != wanted:
            wrong.append(f"{typed!r} in {cwd!r}: {found!r}")
    assert not wrong, "\n".join(wrong)


FISH_COMPLETED = r"""
shadow completion fish | source
for word in (complete -C --escape "shadow $argv[1]" | string replace -r '\t.*' '')
    eval set word $word
    printf '%s\0' $word
end
true
"""


def test_fish_completes_any_name(world):
    """In fish TAB completes a name whatever is in it, and finds changes of every kind."""
    need("fish")
    hostile(world)

    def completed(typed, cwd):
        done = subprocess.run(["fish", "-c", FISH_COMPLETED, "--", typed], cwd=cwd, env=world.env,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, check=True)
        assert done.stderr == b"", done.stderr.decode()
        return os.fsdecode(done.stdout).removesuffix("\0") or typed.split()[-1]

    # What is behind a tab would be taken for the description of what is before it.
    check_completed(world, completed, (("diff zq", "zq"),))


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


def check_typed(world, argv, setup, more=()):
    """Types each line and TAB in a shell in which `typed` completes as shadow does, and lets that say what it got."""
    got = os.path.join(world.tmp, "got")
    with Terminal(argv, world.project, {**world.env, "TERM": "xterm"}, rows=200, columns=200) as terminal:
        terminal.type(f"typed() {{ printf '%s\\0' \"$@\" >'{got}.new'; mv '{got}.new' '{got}'; }}; "
                      f"{setup}; PS1=re''ady:\n")
        terminal.expect("ready:", 60)

        def completed(typed, cwd):
            terminal.type(f"cd '{cwd}'\ntyped {typed}\t\n")
            deadline = time.time() + 20 * harness.TIME_FACTOR
            while not os.path.exists(got):
                terminal.read_more(0.02)
                if time.time() > deadline:
                    terminal.type("\x03")  # a quote is open still
                    return None
            with open(got, encoding="utf-8", errors="surrogateescape") as f:
                words = f.read().split("\0")
            os.remove(got)
            return words[-2]

        check_completed(world, completed, COMPLETED_POSIX + more)


def test_bash_completes_any_name(world):
    """In bash TAB completes a name whatever is in it, and finds changes of every kind."""
    need("bash")
    hostile(world)
    check_typed(world, ["bash", "--norc", "--noprofile", "-i"],
                "bind 'set enable-bracketed-paste off'; eval \"$(shadow completion bash)\"; complete -F _shadow typed",
                ((r"diff $'new\nl", "new\nli'ne"), (r"-C dir\ o", "dir of it/"), ('-C "dir o', "dir of it/")))


def test_zsh_completes_any_name(world):
    """In zsh TAB completes a name whatever is in it, and finds changes of every kind."""
    need("zsh")
    hostile(world)
    check_typed(world, ["zsh", "-f", "-i"],
                "autoload -Uz compinit; compinit -u -D; unset zle_bracketed_paste; "
                "eval \"$(shadow completion zsh)\"; compdef _shadow typed")


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
