# SPDX-License-Identifier: MIT
"""What a user can rely on when a command is wrapped: streams, status, place, persistence."""

import json
import os
import subprocess
import sys
import time

import harness
from harness import NotHere, fingerprint


def test_devices_keep_their_attributes(world):
    """A run writes to /dev/null, but changes nothing of the host's device itself, root's run neither."""
    before = os.lstat("/dev/null")
    done = world.run("sh", "-c", "echo x > /dev/null && ! chmod 666 /dev/null && ! touch -d @0 /dev/null")
    assert "/dev/null" in done.err, done.err
    after = os.lstat("/dev/null")
    assert (after.st_mode, after.st_ctime_ns) == (before.st_mode, before.st_ctime_ns)


def test_writes_stay_in_the_session(world):
    """Nothing a run does changes the real project, and the next run sees what the last one did."""
    world.write("a.txt", "one\n")
    world.write("sub/b.txt", "two\n")
    before = fingerprint(world.project)
    world.sh("echo changed > a.txt; rm -r sub; mkdir new; echo x > new/f; ln -s a.txt link")
    done = world.sh("cat a.txt; ls -A; cat new/f")
    assert done.out == "changed\na.txt\nlink\nnew\nx\n", done.out
    assert fingerprint(world.project) == before


def test_streams_and_status_pass_through(world):
    """stdin, stdout, stderr and the exit status are the command's own, and shadow is silent."""
    done = world.sh("cat; echo err >&2; exit 7", stdin=b"in", check=False)
    assert (done.returncode, done.out, done.err) == (7, "in", "err\n"), done
    done = world.run("true")
    assert (done.out, done.err) == ("", "")
    done = world.sh("kill -USR1 $$", check=False)
    assert done.returncode == 128 + 10


def test_command_not_found_and_not_executable(world):
    """A command that does not exist ends in 127, one that cannot be executed in 126."""
    world.write("plain", "x")
    missing = world.run("no-such-command-here", check=False)
    assert missing.returncode == 127 and missing.err.startswith("shadow: cannot execute"), missing
    assert world.run("./plain", check=False).returncode == 126


def test_program_in_a_temporary_directory(world):
    """A program of the host's /tmp is not found in a run, which has its own, and it is said how it could be."""
    folder = os.path.join(world.tmp, "x")
    os.mkdir(folder)
    program = os.path.join(folder, "srv")
    with open(program, "w", encoding="utf-8") as f:
        f.write("#!/bin/sh\necho served\n")
    os.chmod(program, 0o755)
    own = "/" + "/".join(folder.split("/")[1:3 if folder.startswith("/var/") else 2])
    for command, env in ((program, {}), ("srv", {"PATH": f"{folder}:{world.env['PATH']}"})):
        done = world.shadow("--as", command, "run", "--", command, check=False, env=env)
        assert done.returncode == 127 and f"hint: {own} of a run is the session's" in done.err, done
        assert f"--ro {program}" in done.err, done
        assert world.shadow("run", "--ro", program, "--", command, env=env).out == "served\n"
    assert "hint" not in world.run(folder + "/missing", check=False).err
    world.write("script", "#!/nowhere/at/all\n", 0o755)
    assert "hint" not in world.run("./script", check=False).err


def test_program_of_the_home_in_a_private_one(world):
    """A program of the home that a private one has not is not found, and it is said where it is."""
    program = os.path.join(world.home, "tools/srv")
    os.mkdir(os.path.dirname(program))
    with open(program, "w", encoding="utf-8") as f:
        f.write("#!/bin/sh\necho served\n")
    os.chmod(program, 0o755)
    env = {"PATH": f"{os.path.dirname(program)}:{world.env['PATH']}"}
    for home in ("private", "allow"):
        words = ("--as", home, "run", f"--home={home}")
        done = world.shadow(*words, "--", "srv", check=False, env=env)
        assert done.returncode == 127 and f"hint: the host has '{program}'" in done.err, done
        assert world.shadow(*words, "--ro", program, "--", "srv", env=env).out == "served\n"


def test_same_path_and_directory(world):
    """The command finds the project at its own path and starts in the caller's directory."""
    os.makedirs(world.path("sub/deep"))
    done = world.run("pwd", cwd=world.path("sub/deep"))
    assert done.out.strip() == os.path.realpath(world.path("sub/deep"))
    # Without git the deepest directory that already has a session is the project.
    world.sh("true", cwd=world.project)


def test_sub_directory_of_a_git_project(world):
    """Started in a sub-directory of a git work tree, the whole work tree is the project."""
    world.git_project({"top.txt": "t\n", "sub/f": "f\n"})
    world.sh("echo changed > ../top.txt", cwd=world.path("sub"))
    assert world.read("top.txt") == "t\n"
    assert world.sh("cat top.txt").out == "changed\n"


def test_closed_and_missing_streams(world):
    """With stdin, stdout and stderr closed the command runs all the same."""
    done = subprocess.run(["sh", "-c", f"exec {harness.SHADOW} run -- sh -c 'echo x > made' <&- >&- 2>&-"],
                          cwd=world.project, env=world.env, check=False)
    assert done.returncode == 0, done
    assert world.sh("cat made").out == "x\n"
    assert not os.path.exists(world.path("made"))


def test_closed_streams_stay_closed(world):
    """The command finds closed what its caller has closed, and nothing of ours in its place."""
    script = "for n in 0 1 2; do test -e /proc/$$/fd/$n && echo $n >>open; done; :"
    for closed, left in (("<&-", "1\n2\n"), (">&-", "0\n2\n"), ("2>&-", "0\n1\n"), ("<&- >&- 2>&-", "")):
        command = f"exec {harness.SHADOW} run -- sh -c 'rm -f open; touch open; {script}' {closed}"
        done = subprocess.run(["sh", "-c", command], cwd=world.project, env=world.env, check=False, capture_output=True,
                              stdin=subprocess.DEVNULL)
        assert done.returncode == 0, done
        assert world.sh("cat open").out == left, (closed, world.sh("cat open").out)


def test_no_inherited_descriptors(world):
    """The command inherits no descriptor beyond 0, 1 and 2."""
    world.write("secret", "x")
    fd = os.open(world.path("secret"), os.O_RDWR)
    os.set_inheritable(fd, True)
    done = subprocess.run([harness.SHADOW, "run", "--", "ls", "/proc/self/fd"], cwd=world.project,
                          env=world.env, pass_fds=[fd], stdout=subprocess.PIPE, check=True)
    os.close(fd)
    assert set(done.stdout.split()) <= {b"0", b"1", b"2", b"3"}, done.stdout  # 3: ls' own


def test_no_privileges(world):
    """The command has no capabilities, cannot gain any, and sees only its own processes."""
    done = world.sh("cat /proc/self/status; ls /proc | grep -c '^[0-9]'")
    assert "CapEff:\t0000000000000000" in done.out, done.out
    assert "CapBnd:\t0000000000000000" in done.out
    assert "NoNewPrivs:\t1" in done.out
    assert int(done.out.splitlines()[-1]) <= 6


def test_host_is_read_only(world):
    """Outside the project, the home and the temporary directories nothing can be written."""
    outside = os.path.join(world.tmp, "outside")
    os.mkdir(outside)
    if world.tmp.startswith("/tmp/"):
        done = world.sh("test -e " + outside, check=False)
        assert done.returncode == 1, "the host's /tmp shows"
    done = world.sh("echo x > /etc/shadow-was-here", check=False)
    assert done.returncode != 0 and not os.path.exists("/etc/shadow-was-here")
    done = world.sh("echo x > /var/lib/shadow-was-here", check=False)
    assert done.returncode != 0


def test_temporary_files_are_private_and_kept(world):
    """/tmp is the session's own: the host does not see it, the next run does."""
    world.sh("echo kept > /tmp/shadow-private; echo v > /var/tmp/v")
    assert not os.path.exists("/tmp/shadow-private")
    assert world.sh("cat /tmp/shadow-private /var/tmp/v").out == "kept\nv\n"


def test_home_reads_through_and_keeps_writes(world):
    """The real home is readable, writes to it stay in the session, secrets are masked."""
    with open(os.path.join(world.home, ".toolrc"), "w", encoding="utf-8") as f:
        f.write("real\n")
    for secret in (".ssh", ".aws"):
        os.mkdir(os.path.join(world.home, secret))
        with open(os.path.join(world.home, secret, "key"), "w", encoding="utf-8") as f:
            f.write("secret\n")
    before = fingerprint(world.home)
    done = world.sh("cat ~/.toolrc; echo agent >> ~/.toolrc; mkdir -p ~/.cache/x; ls -A ~; cat ~/.ssh/key",
                    check=False)
    assert "real\n" in done.out and "secret" not in done.out and ".ssh" not in done.out, done.out
    assert done.returncode != 0
    assert world.sh("cat ~/.toolrc; ls -A ~/.cache").out == "real\nagent\nx\n"
    assert fingerprint(world.home) == before
    # Masked also when it appears later, and when the agent makes one of its own.
    os.mkdir(os.path.join(world.home, ".gnupg"))
    with open(os.path.join(world.home, ".gnupg", "key"), "w", encoding="utf-8") as f:
        f.write("secret\n")
    assert world.sh("cat ~/.gnupg/key", check=False).returncode != 0
    assert world.sh("mkdir ~/.ssh; ls -A ~/.ssh").out == ""


def test_runs_that_follow_closely_see_the_project_as_it_is(world):
    """A loop of runs shares a mount, and still each of them sees the user's latest edits."""
    world.write("kept", "1\n")
    world.write("gone", "1\n")
    world.sh("cat kept gone; ls -d new? || true")
    devices = set()
    for number in range(5):
        with open(world.path("kept.tmp"), "w", encoding="utf-8") as f:
            f.write(f"{number}\n")
        os.rename(world.path("kept.tmp"), world.path("kept"))
        world.write(f"new{number}", "")
        if number == 2:
            os.unlink(world.path("gone"))
        out = world.sh(f"cat kept; test -e gone; echo $?; test -e new{number}; echo $?; stat -c %d .").out.split()
        assert out[:3] == [str(number), "0" if number < 2 else "1", "0"], (number, out)
        devices.add(out[3])
    assert len(devices) == 1, f"mounted anew: {devices}"


def test_nothing_waits_for_the_kept_mount(world):
    """Right after a run: another home, list, apply and discard work as if it had ended long ago."""
    world.write("a", "a\n")
    world.sh("echo b > b; echo kept > ~/in-home")
    assert world.sh("cat ~/in-home; cat b", ).out == "kept\nb\n"
    done = world.shadow("run", "--home=private", "--", "sh", "-c", "cat ~/in-home 2>&1 || cat b")
    assert done.out.endswith("b\n") and "kept" not in done.out, done.out
    assert world.sh("cat ~/in-home").out == "kept\n"
    begun = time.monotonic()
    assert not json.loads(world.shadow("list", "--json").out)["sessions"][0]["live"]
    world.shadow("apply", "--yes")
    world.sh("true")
    world.shadow("discard", "--yes")
    assert time.monotonic() - begun < harness.TIME_FACTOR, "something waited"
    assert world.sh("ls ~").out == ""


def test_secrets_behind_links_are_masked(world):
    """Dotfiles that are links, into the home or out of it, do not show the secrets behind them."""
    def put(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write("secret\n")

    home, away = world.home, os.path.join(world.tmp, "away")
    if not away.startswith("/tmp/"):
        put(os.path.join(away, "aws/credentials"))
        os.symlink(os.path.join(away, "aws"), os.path.join(home, ".aws"))
    put(os.path.join(home, "dot/config/gh/hosts.yml"))
    put(os.path.join(home, "dot/ssh/id_rsa"))
    os.symlink("dot/config", os.path.join(home, ".config"))
    os.symlink("dot/ssh", os.path.join(home, ".ssh"))
    script = "grep -rs secret ~ ~/.config/gh/ ~/.ssh/ ~/.aws/ ~/dot/ " + away + "; true"
    for mode in ("overlay", "ro", "private"):
        out = world.shadow("run", f"--home={mode}", "--", "sh", "-c", script).out
        assert out == "", (mode, out)
    # Also what comes to be there later.
    put(os.path.join(home, "dot/config/gcloud/credentials.db"))
    world.wait_settled()
    for mode in ("overlay", "ro"):
        out = world.shadow("run", f"--home={mode}", "--", "sh", "-c", script).out
        assert out == "", (mode, out)


def test_private_home(world):
    """With --home=private the home is empty, kept with the session, and tools are read-only in it."""
    os.makedirs(os.path.join(world.home, ".local/bin"))
    with open(os.path.join(world.home, ".local/bin/tool"), "w", encoding="utf-8") as f:
        f.write("#!/bin/sh\necho tool\n")
    os.chmod(os.path.join(world.home, ".local/bin/tool"), 0o755)
    with open(os.path.join(world.home, "document"), "w", encoding="utf-8") as f:
        f.write("private\n")
    words = ["run", "--home=private", "--", "sh", "-c"]
    done = world.shadow(*words, "ls -A ~; ~/.local/bin/tool; echo x > ~/kept; echo y > ~/.local/bin/tool",
                        check=False)
    assert "document" not in done.out and "tool\n" in done.out and done.returncode != 0, done
    assert world.shadow(*words, "cat ~/kept").out == "x\n"
    assert not os.path.exists(os.path.join(world.home, "kept"))


def test_state_is_hidden(world):
    """A run cannot see shadow's own state, wherever it lies."""
    assert world.sh(f"ls -A {world.state}", check=False).out == ""
    state = os.path.join(world.home, ".local/state/shadow")
    done = world.sh(f"ls -A {state}", env={"SHADOW_STATE_DIR": state}, check=False)
    assert done.out == "", done.out
    assert os.path.exists(os.path.join(state, "shadow.db"))


def test_environment_is_filtered(world):
    """What looks like a secret is kept back, the rest is passed, --env brings one back."""
    env = {"GITHUB_TOKEN": "t", "MY_API_KEY": "k", "SSH_AUTH_SOCK": "/x", "PLAIN": "p",
           "LECTIC_FILE": "f"}
    done = world.sh("env", env=env)
    for name in ("GITHUB_TOKEN", "MY_API_KEY", "SSH_AUTH_SOCK"):
        assert name + "=" not in done.out
    assert "PLAIN=p\n" in done.out and "LECTIC_FILE=f\n" in done.out
    assert "GIT_OPTIONAL_LOCKS=0\n" in done.out and "SHADOW_SESSION=" in done.out
    done = world.shadow("run", "--env", "GITHUB_TOKEN", "--", "env", env=env)
    assert "GITHUB_TOKEN=t\n" in done.out and "MY_API_KEY" not in done.out


def test_odd_agent_names(world):
    """An agent's name is data: blanks, slashes, '..', newlines, 4-byte UTF-8, 10 000 letters."""
    names = ["a b", "a/b", "..", "../../x", "new\nline", "\U0001f600", "x" * 10000, "-dash", "'", "$HOME"]
    for number, name in enumerate(names):
        world.shadow("--as", name, "run", "--", "sh", "-c", f"echo {number} > who")
    for number, name in enumerate(names):
        assert world.shadow("--as", name, "run", "--", "cat", "who").out == f"{number}\n"
    assert sorted(os.listdir(world.tmp)) == ["home", "project", "state"]
    bad = world.shadow("run", "--", "true", env={"LECTIC_INTERLOCUTOR": "$LECTIC_INTERLOCUTOR"}, check=False)
    assert bad.returncode == 125 and "hint:" in bad.err, bad


def test_odd_project_paths(world):
    """A project's path may hold every byte but '/' and NUL, and be as long as the kernel allows."""
    odd = [b"a b", b"new\nline", b"\xff\xfe", b"-dash", b":,\\=\"'", b"tab\t", b"%s", b"$HOME", b"*?["]
    for name in odd:
        path = os.path.join(os.fsencode(world.tmp), name)
        os.mkdir(path)
        with open(os.path.join(path, b"f"), "wb") as f:
            f.write(b"real\n")
        world.sh("echo shadow > f", cwd=path)
        assert world.sh("cat f", cwd=path).out == "shadow\n", name
        with open(os.path.join(path, b"f"), "rb") as f:
            assert f.read() == b"real\n"
    deep = world.tmp
    while len(deep) < 3500:
        deep = os.path.join(deep, "d" * 200)
    os.makedirs(deep)
    world.sh("echo shadow > f", cwd=deep)
    assert world.sh("cat f", cwd=deep).out == "shadow\n"


def test_refused_projects(world):
    """'/', the home, the state directory and what contains it are refused, and nothing is run."""
    for place in ("/", world.home, world.tmp, world.state):
        done = world.shadow("-C", place, "run", "--", "echo", "ran", check=False)
        assert done.returncode == 125 and done.out == "", (place, done)
        assert done.err.startswith("shadow: cannot use") and "hint:" in done.err, done.err


def test_modes_and_attributes_of_the_root(world):
    """The view's root has the mode of the real one."""
    os.chmod(world.project, 0o750)
    assert world.run("stat", "-c", "%a", ".").out == "750\n"


def test_a_closed_root(world):
    """A run that closes the project's directory or the home hides nothing, and keeps no later run out."""
    os.chmod(world.project, 0o750)
    world.sh("echo work >work; chmod 0 ~ .")
    assert "work" in world.shadow("status").out
    assert "+work" in world.shadow("diff").out
    world.wait_settled()
    assert world.sh("stat -c %a .; cat work; ls ~ >/dev/null").out == "750\nwork\n"
    world.sh("chmod 0 .")
    world.shadow("apply", "--yes")
    assert world.read("work") == "work\n"
    assert os.stat(world.project).st_mode & 0o7777 == 0o750


def test_mount_below_the_project_is_named(world):
    """Where isolation cannot be had the command is not run, and the cause and a mend are named."""
    if os.geteuid() != 0:
        raise NotHere("mounting needs root; the same refusal is proved there")
    os.mkdir(world.path("mnt"))
    subprocess.run(["mount", "-t", "tmpfs", "none", world.path("mnt")], check=True)
    try:
        done = world.sh("echo ran", check=False)
        assert done.returncode == 125 and done.out == "" and "mount point" in done.err, done
    finally:
        subprocess.run(["umount", world.path("mnt")], check=True)


def test_first_runs_cost_the_same_in_a_large_project(world):
    """A session starts in constant time whatever the size of the project: another program walks it."""
    for folder in range(50):
        os.mkdir(world.path(f"d{folder}"))
        for number in range(40):
            world.write(f"d{folder}/f{number}", "x")
    logs = os.path.join(world.tmp, "calls")
    os.mkdir(logs)
    done = subprocess.run(["strace", "-ff", "-e", "trace=openat,execve", "-o", logs + "/p",
                           harness.SHADOW, "run", "--", "true"], cwd=world.project, env=world.env,
                          check=False)
    assert done.returncode == 0
    opened, behind = 0, []
    for name in os.listdir(logs):
        calls = open(os.path.join(logs, name), encoding="utf-8").read()
        if "shadow-review" in calls:
            behind.append(calls.count("openat("))
        else:
            opened += calls.count("openat(")
    # The end of the run starts it once more where it is not done yet: it waits then, and walks nothing.
    assert 0 < opened < 400 and sum(count >= 400 for count in behind) == 1, (opened, behind)


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
