# SPDX-License-Identifier: MIT
"""A run on a terminal behaves as the command alone would: keys, job control, editors; and leaves
nothing behind."""

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import termios
import time

import harness
from harness import Skip, wait_until
from terminal import Terminal

PROMPT = "ready> "
# Not in sh: its vfork keeps it from stopping when Ctrl-Z meets the child before its exec.
COUNTING = """
import os, time
print("started", flush=True)
while not os.path.exists("stop"):
    with open("count", "a") as f:
        f.write("x")
    time.sleep(0.02)
print("end", flush=True)
"""
PUSH = """
import fcntl, sys
for command in (0x5412, 0x541C, 0x5412 | 1 << 32):
    for fd in (0, 1, 2):
        try:
            fcntl.ioctl(fd, command, b"\\x03")
            print("pushed")
        except OverflowError:
            pass
        except OSError as error:
            print("refused", error.errno)
"""


def outer_shell(world):
    """An interactive shell of the caller's, with job control."""
    env = {**world.env, "PS1": PROMPT, "TERM": "dumb", "SHADOW": harness.SHADOW,
           "HISTFILE": "/dev/null"}
    terminal = Terminal(["bash", "--norc", "--noprofile", "-i"], world.project, env)
    terminal.expect(PROMPT)
    terminal.type("bind 'set enable-bracketed-paste off' 2>/dev/null; stty -echo\n")
    terminal.expect(PROMPT)
    return terminal


def test_ctrl_c(world):
    """Ctrl-C ends the command as without shadow: status 130, and the shell goes on."""
    with outer_shell(world) as shell:
        shell.type("$SHADOW run -- sh -c 'echo started; exec sleep 100'; echo status $?\n")
        shell.expect("started")
        shell.type("\x03")
        shell.expect("status 130")
        shell.expect(PROMPT)
        shell.type("$SHADOW run -- sh -c 'trap \"echo caught; exit 5\" INT; echo started; "
                   "while :; do sleep 0.05; done'; echo status $?\n")
        shell.expect("started")
        shell.type("\x03")
        shell.expect("caught")
        shell.expect("status 5")


def test_ctrl_z_and_fg(world):
    """Ctrl-Z stops the command, fg goes on with it, bg lets it go on by itself."""
    world.write("counting.py", COUNTING)
    count = "touch count; wc -c < count"
    with outer_shell(world) as shell:
        shell.type(f"$SHADOW run -- {sys.executable} counting.py\n")
        shell.expect("started")
        shell.type("\x1a")
        shell.expect("Stopped")
        shell.expect(PROMPT)
        # Another run of the session does not wait for the stopped one.
        first = world.sh(f"{count}; sleep 0.2; {count}", timeout=10).out.split()
        assert first[0] == first[1], f"still counting while stopped: {first}"
        shell.type("fg\n")
        wait_until(lambda: world.sh(count).out.split() != first[1:], what="fg goes on")
        shell.type("\x1a")
        shell.expect("Stopped")
        shell.expect(PROMPT)
        shell.type("bg\n")
        shell.expect(PROMPT)
        world.sh("touch stop")
        shell.expect("end")
        shell.type("wait; echo all done\n")
        shell.expect("all done")


def has_gone_on(shell):
    """Whether fg has given the terminal to the job and let it go on: a Ctrl-Z before that is the shell's, or is
    taken back by the kernel."""
    job = os.tcgetpgrp(shell.master)
    with open(f"/proc/{job}/stat", encoding="ascii") as f:
        return job != shell.pid and f.read().rpartition(")")[2].split()[0] != "T"


def test_ctrl_z_right_after_fg(world):
    """Ctrl-Z stops the command also in the moment in which fg has it go on."""
    world.write("counting.py", COUNTING)
    with outer_shell(world) as shell:
        shell.type(f"$SHADOW run -- {sys.executable} counting.py\n")
        shell.expect("started")
        for round_ in range(40):
            shell.type("\x1a")
            shell.expect("Stopped")
            shell.expect(PROMPT)
            shell.type("fg\n")
            shell.expect("counting.py")
            wait_until(lambda: has_gone_on(shell), what="fg lets the job go on")
            time.sleep(round_ % 8 * 0.002)
        world.write("stop", "")
        shell.expect("end")


def test_window_size(world):
    """The command sees the terminal's size, and hears of its changes."""
    script = "trap 'stty size' WINCH; stty size; echo started; while :; do sleep 0.05; done"
    with Terminal([harness.SHADOW, "run", "--", "sh", "-c", script], world.project, world.env,
                  rows=31, columns=77) as terminal:
        terminal.expect("31 77")
        terminal.expect("started")
        terminal.resize(40, 99)
        terminal.expect("40 99")


def test_interactive_shell_with_job_control(world):
    """`shadow shell` is an interactive shell with job control, in the view."""
    with open(os.path.join(world.home, ".bashrc"), "w", encoding="utf-8") as f:
        f.write(f"PS1='{PROMPT}'\n")
    with outer_shell(world) as outer:
        outer.type("export SHELL=/bin/bash; $SHADOW shell\n")
        text = outer.expect(PROMPT)
        assert "no job control" not in text and "cannot set terminal" not in text, text
        outer.type("echo inside > made; sleep 100 & jobs\n")
        outer.expect("Running")
        outer.expect(PROMPT)
        outer.type("fg\n")
        outer.expect("sleep 100")
        time.sleep(0.3)  # bash says it before it hands the terminal over
        outer.type("\x1a")
        outer.expect("Stopped")
        outer.expect(PROMPT)
        outer.type("kill %1; wait; cat made; exit 6\n")
        outer.expect("inside")
        outer.expect(PROMPT)
        # The caller's shell has the terminal again.
        outer.type("echo status $?; sh -c 'echo going; exec sleep 100'\n")
        outer.expect("status 6")
        outer.expect("going")
        outer.type("\x03")
        outer.expect(PROMPT)
    assert not os.path.exists(world.path("made"))


def test_pager(world):
    """less shows a file, takes keys, and gives the terminal back as it was."""
    if not shutil.which("less"):
        raise Skip("less is not installed")
    world.write("long", "".join(f"line {number}\n" for number in range(200)))
    env = {**world.env, "TERM": "xterm", "LESS": ""}
    with Terminal([harness.SHADOW, "run", "--", "less", "long"], world.project, env) as terminal:
        before = termios.tcgetattr(terminal.master)
        terminal.expect("line 0")
        terminal.type("G")
        terminal.expect("line 199")
        terminal.type("q")
        assert terminal.end() == 0
        assert termios.tcgetattr(terminal.master)[3] == before[3] or \
            termios.tcgetattr(terminal.master)[3] & termios.ECHO


def test_pager_of_git(world):
    """diff takes the pager from where git has it, also with XDG_CONFIG_HOME empty, which is as good as unset."""
    world.run("touch", "made")
    place = os.path.join(world.home, ".config", "git")
    os.makedirs(place)
    with open(os.path.join(place, "config"), "w", encoding="utf-8") as config:
        config.write("[core]\n\tpager = sed \\\n's/^diff/of git: diff/'\n")
    with Terminal([harness.SHADOW, "diff"], world.project, {**world.env, "XDG_CONFIG_HOME": "", "PAGER": "cat"}) as terminal:
        terminal.expect("of git: diff --git a/made b/made")
        assert terminal.end() == 0


def test_editor(world):
    """vim edits a file of the view on the whole screen."""
    if not shutil.which("vim"):
        raise Skip("vim is not installed")
    world.write("text", "one\n")
    env = {**world.env, "TERM": "xterm"}
    with Terminal([harness.SHADOW, "run", "--", "vim", "-u", "NONE", "-i", "NONE", "text"],
                  world.project, env) as terminal:
        terminal.expect("one")
        terminal.type("otwo\x1b:wq\r")
        assert terminal.end() == 0
    assert world.read("text") == "one\n"
    assert world.sh("cat text").out == "one\ntwo\n"


def test_nothing_is_typed_into_the_terminal(world):
    """A run cannot put input into the caller's terminal (TIOCSTI, TIOCLINUX)."""
    with outer_shell(world) as shell:
        world.write("push.py", PUSH)
        shell.type(f"$SHADOW run -- {sys.executable} push.py; echo over\n")
        text = shell.expect("over")
        assert text.count("refused 1") >= 6 and "pushed" not in text, text
        waiting = fcntl.ioctl(shell.master, termios.FIONREAD, bytes(4))
        assert waiting == bytes(4) or b"\x03" not in shell.shown


def test_standard_input_of_every_kind(world):
    """Standard input may be a pipe, a file, nothing at all, or a terminal."""
    world.write("words", "from a file\n")
    assert world.run("cat", stdin=b"from a pipe\n").out == "from a pipe\n"
    for redirection, shown in (("<words", "from a file\n"), ("</dev/null", ""), ("<&-", "")):
        done = subprocess.run(["sh", "-c", f'"$0" run -- sh -c "cat 2>/dev/null; echo end" {redirection}',
                               harness.SHADOW], cwd=world.project, env=world.env,
                              stdout=subprocess.PIPE, check=True)
        assert done.stdout.decode() == shown + "end\n", (redirection, done)
    with Terminal([harness.SHADOW, "run", "--", "sh", "-c",
                   "test -t 0 && test -t 1 && echo terminal && read word && echo got $word"],
                  world.project, world.env) as terminal:
        terminal.expect("terminal")
        terminal.type("typed\n")
        terminal.expect("got typed")
        assert terminal.end() == 0


def test_background_run_does_not_take_the_terminal(world):
    """A run in the background leaves the terminal to the shell, and is stopped when it reads it."""
    with outer_shell(world) as shell:
        shell.type("$SHADOW run -- sh -c 'echo begun; cat' &\n")
        shell.expect("begun")
        shell.type("echo mine\n")
        shell.expect("mine")
        shell.type("until jobs | grep [S]topped; do sleep 0.3; done\n")
        shell.expect("Stopped")
        shell.type("kill -KILL %1; wait; echo over\n")
        shell.expect("over")


def test_killed_shadow_leaves_no_process(world):
    """When shadow is killed, all of the run's processes end, daemons included."""
    script = ("(setsid sh -c 'trap \"\" HUP TERM; while :; do sleep 0.05; done' &) ;"
              "sleep 1000 & : > started; wait")
    for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP):
        run = world.start("run", "--", "sh", "-c", "rm -f started; " + script)
        wait_until(lambda: "started" in world.sh("ls").out)
        run.send_signal(number)
        run.wait(timeout=10)
        wait_until(lambda: not world.processes(), what=f"no process after {number}")
        world.sh("rm -f started")


def left_behind(world):
    """What runs may not pile up: processes, mounts, temporary files, keys, files of the state."""
    world.wait_settled()
    with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as f:
        mounts = [line for line in f if world.tmp in line]
    with open("/proc/key-users", encoding="utf-8") as f:
        keys = [int(line.split()[1]) for line in f if line.split(":")[0].strip() == str(os.geteuid())]
    state = sum(len(files) + len(folders) for _, folders, files in os.walk(world.state))
    shared = [name for folder in ("/tmp", "/var/tmp", "/dev/shm") for name in os.listdir(folder)]
    return {"processes": world.processes(), "mounts": mounts, "keys": sum(keys), "state": state,
            "shared": len(shared), "temporary": os.listdir(world.env["TMPDIR"])}


def test_many_runs_leave_nothing_behind(world):
    """A long row of runs leaves no process, mount, descriptor, temporary file or key behind."""
    runs = int(os.environ.get("SHADOW_TEST_RUNS", "60"))
    world.env["TMPDIR"] = os.path.join(world.tmp, "temporary")
    os.mkdir(world.env["TMPDIR"])
    for number in range(5):
        world.sh(f"echo {number} > f; sleep 0.001 &")
    before = left_behind(world)
    descriptors = len(os.listdir("/proc/self/fd"))
    for number in range(runs):
        assert world.sh(f"echo {number} > f; cat f; (setsid sleep 100 &)").out == f"{number}\n"
    after = left_behind(world)
    assert after["processes"] == [] and after["mounts"] == [] and after["temporary"] == [], after
    # Others may make keys and files meanwhile; one for each run would show.
    assert after["keys"] - before["keys"] < runs / 4, (before, after)
    assert after["shared"] - before["shared"] < runs / 4, (before, after)
    assert after["state"] - before["state"] <= 4, (before["state"], after["state"])
    assert len(os.listdir("/proc/self/fd")) == descriptors


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
