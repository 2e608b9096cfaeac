# SPDX-License-Identifier: MIT
"""How runs begin, overlap and end: joining, fresh views, signals, nothing left behind."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time

import harness
from container import mapped_root
from harness import SHADOW, Skip, fingerprint, wait_until


def sessions(world):
    return os.listdir(os.path.join(world.state, "sessions"))


def hold(world, script="echo ready; cat >/dev/null", **options):
    """A run that stays live until its stdin is closed."""
    process = world.start("run", "--", "sh", "-c", script, stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, **options)
    assert process.stdout.readline() == b"ready\n"
    return process


def release(process):
    process.stdin.close()
    assert process.wait(timeout=10) == 0
    process.stdout.close()


def test_parallel_first_runs(world):
    """32 simultaneous first runs make one session; each one's work is there, and each has a record."""
    world.write("real", "r\n")
    runs = [world.start("run", "--", "sh", "-c", f"cat real; echo {n} > made-{n}",
                        stdout=subprocess.PIPE, stderr=subprocess.PIPE) for n in range(32)]
    for process in runs:
        out, err = process.communicate(timeout=60)
        assert (process.returncode, out, err) == (0, b"r\n", b""), (process.returncode, out, err)
    assert len(sessions(world)) == 1
    assert world.sh("cat made-* | wc -l").out.strip() == "32"
    log = world.shadow("log").out
    assert log.count("made-") >= 32, log


def test_joining_runs_share_one_mount(world):
    """A run that starts while another is live sees its files at once, and the other way round."""
    first = hold(world, "echo a > from-first; echo ready; cat; cat from-second")
    assert world.sh("cat from-first; echo b > from-second").out == "a\n"
    first.stdin.close()
    assert first.stdout.read() == b"b\n"
    assert first.wait(timeout=10) == 0


def test_the_first_may_end_before_the_second(world):
    """The mount lives while any run lives, whichever started it."""
    first = hold(world, "echo 1 > one; echo ready; cat >/dev/null")
    second = hold(world, "echo 2 > two; echo ready; cat >/dev/null; cat one two three")
    release(first)
    assert world.sh("echo 3 > three; cat one two").out == "1\n2\n"
    second.stdin.close()
    assert second.stdout.read() == b"1\n2\n3\n"
    assert second.wait(timeout=10) == 0
    assert world.sh("cat one two three").out == "1\n2\n3\n"


def test_edits_of_the_real_tree_show_in_the_next_run(world):
    """Edits the user makes in the real tree show up in the next run, also while another is live."""
    for name in ("in-place", "replaced", "deleted"):
        world.write(name, "old\n")
    world.sh("true")
    live = hold(world, "cat in-place replaced deleted >/dev/null; cat absent 2>/dev/null; echo ready; cat >/dev/null")
    world.write("in-place", "new\n")
    world.write("replaced.tmp", "new\n")
    os.rename(world.path("replaced.tmp"), world.path("replaced"))
    os.unlink(world.path("deleted"))
    world.write("absent", "new\n")
    done = world.sh("cat in-place replaced absent; ls", check=False)
    assert done.out == "new\nnew\nnew\nabsent\nin-place\nreplaced\n", done.out
    release(live)
    assert world.sh("cat in-place replaced absent").out == "new\nnew\nnew\n"


def test_a_script_written_just_before_the_run(world):
    """A .lectic_script-* that the host writes beside the project's files is seen, idle or live."""
    world.sh("ls >/dev/null")
    for live in (None, hold(world, "ls .lectic_script-1 2>/dev/null; echo ready; cat >/dev/null")):
        name = world.write(".lectic_script-1", "echo from-script\n")
        assert world.run("sh", name).out == "from-script\n"
        os.unlink(name)
        if live:
            release(live)


def test_sigterm_ends_the_whole_tree(world):
    """SIGTERM to shadow ends every process of the run at once and closes its pipes."""
    process = world.start("run", "--", "sh", "-c",
                          "trap '' TERM; sleep 1000 & (trap '' TERM HUP; sleep 1000) & echo ready; wait",
                          stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"ready\n"
    begun = time.time()
    process.send_signal(signal.SIGTERM)
    assert process.stdout.read() == b""
    assert process.wait(timeout=10) != 0
    assert time.time() - begun < 3 * harness.TIME_FACTOR
    wait_until(lambda: not world.processes(), what="no process left")


def test_sigterm_reaches_a_command_that_handles_it(world):
    """A command that handles SIGTERM may clean up, and its exit status is passed on."""
    process = world.start("run", "--", "sh", "-c", "trap 'echo bye; exit 3' TERM; echo ready; sleep 1000 & wait",
                          stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"ready\n"
    process.send_signal(signal.SIGTERM)
    assert process.stdout.read() == b"bye\n" and process.wait(timeout=10) == 3


def test_sigkill_of_shadow_leaves_nothing(world):
    """shadow killed with SIGKILL leaves no process, and the session goes on with the next run."""
    process = world.start("run", "--", "sh", "-c", "echo kept > kept; sleep 1000 & echo ready; sleep 1000",
                          stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"ready\n"
    process.kill()
    assert process.stdout.read() == b""
    process.wait()
    wait_until(lambda: not world.processes(), what="no process left")
    assert world.sh("cat kept").out == "kept\n"


def test_killed_at_each_step_of_the_start(world):
    """Whichever process of a start is killed, at whatever it writes, none is left waiting for it."""
    if not shutil.which("strace"):
        raise harness.Skip("strace is not installed")
    world.run("true")
    killed = 0
    for number in range(1, 12):
        words = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=write", "-e",
                 f"inject=write:signal=SIGKILL:when={number}", harness.SHADOW, "run", "--", "true"]
        with subprocess.Popen(words, cwd=world.project, env=world.env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as start:
            try:
                # strace waits for every process that it follows.
                err = start.communicate(timeout=20)[1]
            finally:
                start.kill()
        assert b"ptrace" not in err, err
        killed += start.returncode != 0
        wait_until(lambda: not world.processes(), what=f"no process left, write {number}")
    assert killed > 1, killed
    assert world.sh("echo fine").out == "fine\n"


def test_refresh_that_comes_to_nothing(world):
    """A run that joins is not started when the view cannot be refreshed, or who does that is killed."""
    if shutil.which("strace") is None:
        raise harness.Skip("strace(1) is missing")
    live = hold(world)
    for how, said in (("error=EPERM", "refresh the session's view: "),
                      ("signal=SIGKILL", "the process that sets it up was killed")):
        done = subprocess.run(["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fspick",
                               "-e", "inject=fspick:" + how, harness.SHADOW, "run", "--",
                               "touch", "made"], cwd=world.project, env=world.env, check=False,
                              timeout=20, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if b"ptrace" in done.stderr.lower():
            release(live)
            raise harness.Skip("strace(1) may not trace here")
        assert done.returncode == 125 and said in done.stderr.decode(), done
    release(live)
    assert world.sh("ls made || echo none").out == "none\n"


def test_left_over_daemons(world):
    """A background process left behind neither hangs the caller's pipes nor survives."""
    begun = time.time()
    done = world.sh("sleep 1000 & setsid sleep 1000 & (sleep 1000 &) ; echo done")
    assert done.out == "done\n" and time.time() - begun < 5 * harness.TIME_FACTOR
    wait_until(lambda: not world.processes(), what="no process left")


def test_five_hundred_runs_leave_nothing(world):
    """Many runs in a row leave no process, mount, temporary file or descriptor behind."""
    rounds = int(os.environ.get("SHADOW_TEST_RUNS", "100"))
    mounts = open("/proc/self/mountinfo", encoding="utf-8").read()
    world.sh("echo x > f")
    for _ in range(rounds):
        world.run("true")
    world.wait_settled()
    assert not world.processes()
    assert open("/proc/self/mountinfo", encoding="utf-8").read() == mounts
    (session,) = sessions(world)
    files = sorted(os.listdir(os.path.join(world.state, "sessions", session)))
    assert not [f for f in files if ".new." in f], files
    assert world.shadow("log").out.count("true") >= rounds


def test_time_out(world):
    """--timeout ends the run with all it started, with status 124."""
    begun = time.time()
    done = world.shadow("run", "--timeout=300ms", "--", "sh", "-c", "sleep 1000 & sleep 1000", check=False)
    assert done.returncode == 124 and time.time() - begun < 5 * harness.TIME_FACTOR, done


def test_real_tree_replaced_while_live(world):
    """When the project is moved away during a run, nothing reaches the new directory at its path."""
    live = hold(world, "echo ready; cat >/dev/null; echo bad > written; ls; true")
    os.rename(world.project, world.project + ".old")
    os.mkdir(world.project)
    live.stdin.close()
    live.wait(timeout=10)
    assert os.listdir(world.project) == []


def make_anew(world):
    shutil.rmtree(world.project)
    os.mkdir(world.project)
    world.write("a", "new\n")


def test_a_project_made_anew_begins_anew(world):
    """Where a session holds nothing, a project that was removed and made anew is used at once."""
    for begun in (("run", "--", "true"), ("status",)):
        world.write("a", "old\n")
        world.sh("cat a")
        world.wait_settled()
        before = sessions(world)
        make_anew(world)
        done = world.shadow(*begun, check=False)
        if begun == ("status",):
            assert done.returncode == 2 and "the project has none" in done.err, done
        else:
            assert (done.returncode, done.err) == (0, ""), done
        assert world.sh("cat a; echo more > a").out == "new\n"
        assert sessions(world) == before
        assert world.shadow("diff", "--name-status").out == "M\ta\n"
        world.shadow("discard", "--yes")


def test_a_session_with_work_outlives_its_project(world):
    """What a session holds of a project that was removed stays, wherever it lies, and is said."""
    for made, layer in (("echo work > mine", "project"), ("rm a", "project"), ("echo work > ~/mine", "home"),
                        ("echo work > /tmp/mine", "temporary")):
        world.write("a", "old\n")
        world.sh(made)
        world.wait_settled()
        make_anew(world)
        done = world.shadow("run", "--", "true", check=False)
        refused = world.shadow("status", check=False).err
        assert done.returncode == 125 and "was replaced by another" in done.err and "replaced" in refused, (made, done)
        upper = os.path.join(world.state, "sessions", sessions(world)[0], layer, "upper")
        assert os.path.isdir(upper) and upper in done.err and upper in refused, (done, refused)
        assert "project was replaced" in world.shadow("list").out
        assert world.shadow("gc", "-n").out.startswith("left session 'default'"), world.shadow("gc", "-n").out
        world.shadow("gc")
        assert len(sessions(world)) == 1
        world.shadow("discard", "--yes")


def test_a_project_whose_filesystem_is_mounted_anew(world):
    """Where a filesystem has a number of its own for each mount and no handles, as a container's root has, a session
    is the project's after the next mount too, and not another directory's there."""
    for name in ("lower/p", "upper", "work"):
        os.makedirs(os.path.join(world.tmp, name))
    with open(os.path.join(world.tmp, "lower/p/a"), "w", encoding="utf-8") as f:
        f.write("old\n")
    options = ",".join(f"{name}dir={world.tmp}/{name}" for name in ("lower", "upper", "work"))

    def with_mount(*words, number, first=":"):
        # Each filesystem before it takes a number.
        others = ["mount -t tmpfs none /mnt"] * number
        around = mapped_root("\n".join([*others, f"mount -t overlay -o {options},userxattr none {world.project}",
                                        f"cd {world.project}/p", first]))
        return subprocess.run([*around, "sh", "-c", 'stat -c %d . >&2; exec "$0" "$@"', SHADOW, *words], env=world.env,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)

    ran = with_mount("run", "--", "sh", "-c", "echo mine >>a", number=1)
    assert ran.returncode == 0, ran
    world.wait_settled()
    for number, words, said in ((2, ("run", "--", "cat", "a"), "old\nmine\n"), (3, ("diff", "--name-only"), "a\n")):
        # What others mount and unmount meanwhile may leave the same number.
        again = next(one for more in range(20) if (one := with_mount(*words, number=number + more)).stderr != ran.stderr)
        assert (again.returncode, again.stdout) == (0, said), again
        world.wait_settled()
    other = with_mount("run", "--", "true", number=1, first="cd ..; mv p q; mkdir p; cd p")
    assert other.returncode == 125 and "was replaced by another" in other.stderr, other


def test_gc_takes_empty_sessions_of_replaced_projects(world):
    """Sessions that hold nothing of projects that were made anew do not pile up."""
    world.write("a", "old\n")
    world.sh("true")
    world.wait_settled()
    make_anew(world)
    listed = json.loads(world.shadow("list", "--json").out)["sessions"]
    assert [one["project_replaced"] for one in listed] == [True], listed
    assert "would remove" in world.shadow("gc", "-n").out
    assert len(sessions(world)) == 1
    assert "removed" in world.shadow("gc").out
    assert sessions(world) == []


def test_live_runs_are_compared_anew(world):
    """While a command runs, each review reads what it may be writing."""
    world.write("image", "0123456789abcdef" * 70000)
    time.sleep(0.3)
    script = ("import mmap, sys, time\n"
              "f = open('image', 'r+b'); m = mmap.mmap(f.fileno(), 0); m[0:1] = b'0'\n"
              "print(flush=True); sys.stdin.readline()\n"
              "m[1:2] = b'X'\n"
              "print(flush=True); sys.stdin.readline()\n")
    process = world.start("run", "--", "python3", "-c", script, stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE)
    process.stdout.readline()
    time.sleep(0.3)
    assert world.shadow("diff", "--name-only").out == ""
    process.stdin.write(b"\n")
    process.stdin.flush()
    process.stdout.readline()
    assert world.shadow("diff", "--name-only").out == "image\n"
    process.stdin.write(b"\n")
    process.stdin.close()
    process.wait()


def test_the_machine_stopped_during_a_run(world):
    """After the machine died during a run the session says so, names the run, and goes on."""
    world.run("sh", "-c", "echo kept >kept")
    world.wait_settled()
    session = os.path.join(world.state, "sessions", sessions(world)[0])
    mark = os.path.join(session, "unsynced")
    assert not os.path.lexists(mark), "synced, and still said not to be"
    live = hold(world)
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as boot:
        assert os.readlink(mark) == boot.read().strip()
    release(live)
    world.wait_settled()
    # What another boot and its kernel would have left behind.
    os.symlink("00000000-0000-0000-0000-000000000000", mark)
    for layer in ("project", "home"):
        if os.path.isdir(os.path.join(session, layer)):
            marker = os.path.join(session, layer, "work/work/incompat/volatile")
            os.makedirs(marker)
            with open(os.path.join(marker, "dirty"), "w", encoding="ascii"):
                pass
    done = world.shadow("run", "--", "cat", "kept")
    assert done.out == "kept\n"
    assert "machine stopped" in done.err and "(run 2)" in done.err, done.err
    assert world.shadow("run", "--", "cat", "kept").err == ""
    assert "machine stopped" in world.shadow("status").err
    assert "machine stopped" in world.shadow("apply", "--yes").err
    assert world.read("kept") == "kept\n"
    assert world.shadow("status").err == "", "said of changes that are not there any more"


def test_two_agents_do_not_see_each_other(world):
    """Each agent has a session of its own over the same project."""
    world.write("f", "real\n")
    world.shadow("--as", "one", "run", "--", "sh", "-c", "echo 1 > f")
    world.shadow("--as", "two", "run", "--", "sh", "-c", "echo 2 > f")
    assert world.shadow("--as", "one", "run", "--", "cat", "f").out == "1\n"
    assert world.shadow("--as", "two", "run", "--", "cat", "f").out == "2\n"
    assert world.read("f") == "real\n"


def test_a_run_repairs_a_killed_apply(world):
    """No command sees half of an apply: a run after a killed one has it rolled back or finished first."""
    world.write("a", "old\n")
    world.write("b", "old\n")
    world.sh("echo new > a; echo new > b")
    for number in range(1, 200):
        done = world.shadow("apply", "--yes", check=False, env={"SHADOW_FAIL": f"*:{number}=kill"})
        if done.returncode == 0:
            break
        run = world.run("cat", "a", "b", env={"SHADOW_INTERLOCUTOR": "other"})
        assert run.out in ("old\nold\n", "new\nnew\n"), (number, run.out)
        assert run.out == world.read("a") + world.read("b")
        if run.out.startswith("new"):
            assert "finished" in run.err, run.err
            break
    if number == 1:
        raise Skip("this build has no fail points")
    assert number > 5, number


def test_a_first_run_killed_half_way(world):
    """A first run killed at any moment leaves a session that the next run completes."""
    before = fingerprint(world.project)
    for delay in range(0, 12):
        process = world.start("--as", f"n{delay}", "run", "--", "true")
        time.sleep(delay / 1000)
        process.kill()
        process.wait()
        assert world.shadow("--as", f"n{delay}", "run", "--", "sh", "-c", "echo x > f; cat f").out == "x\n"
    assert fingerprint(world.project) == before


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
