# SPDX-License-Identifier: MIT
"""A run that has been live for a while sees what the user does, without anything being asked for."""

import json
import os
import shutil
import subprocess
import sys
import time

import harness
from applies import apply, lines
from edits import settled_git
from following import SEEN_WITHIN, by_the_clock, followed, followers, processor_time, project, save, seen
from live_server import SERVER, Server, server


def test_saves_are_seen(w):
    """Saved by rename or in place, made at a name once looked for, deleted: a live run sees it."""
    project(w)
    with server(w) as run:
        run.do("cat f d/a d/b; cat new d/new nd/x 2>/dev/null || :")
        followed(w)
        save(w.path("f"), "one\n")
        seen(run, "cat f", "one\n")
        save(w.path("d/a"), "two\n")
        seen(run, "cat d/a", "two\n")
        w.write("d/b", "three\n")
        seen(run, "cat d/b", "three\n")
        w.write("new", "four\n")
        seen(run, "cat new 2>/dev/null || :", "four\n")
        os.makedirs(w.path("nd"))
        w.write("nd/x", "five\n")
        seen(run, "cat nd/x 2>/dev/null || :", "five\n")
        run.do("cat nd/y 2>/dev/null || :")
        w.write("nd/y", "six\n")
        seen(run, "cat nd/y 2>/dev/null || :", "six\n")
        os.unlink(w.path("d/a"))
        seen(run, "cat d/a 2>/dev/null || echo gone", "gone\n")
        os.rename(w.path("d"), w.path("e"))
        seen(run, "cat d/b 2>/dev/null || echo gone; cat e/b", "gone\nthree\n")
        save(w.path("e/b"), "seven\n")
        seen(run, "cat e/b", "seven\n")
        shutil.rmtree(w.path("e"))
        seen(run, "ls", "f\nnd\nnew\n")
        os.chmod(w.path("f"), 0o755)
        seen(run, "test -x f; echo $?", "0\n")
    assert w.shadow("status", "--porcelain").out == ""


LOOKER = ("import os, sys, time\n"
          "print(flush=True)\n"
          "for line in sys.stdin:\n"
          "    while open('f').read() != line: pass\n"
          "    print(flush=True)\n")


def test_a_run_that_looks_all_the_time(w):
    """What a run has in use at the very moment of the user's save is seen all the same."""
    w.write("f", "0\n")
    process = w.start("run", "--", "python3", "-c", LOOKER, stdin=-1, stdout=-1)
    process.stdout.readline()
    followed(w)
    worst = 0
    for n in range(50):
        process.stdin.write(f"{n + 1}\n".encode())
        process.stdin.flush()
        time.sleep(0.02)
        begin = time.monotonic()
        save(w.path("f"), f"{n + 1}\n")
        process.stdout.readline()
        worst = max(worst, time.monotonic() - begin)
    assert worst < SEEN_WITHIN, worst
    process.communicate(timeout=30)


def test_killed(w):
    """That what follows was killed is said by the next command that looks at the session, and another run starts it again."""
    w.write("f", "0\n")
    with server(w) as run:
        followed(w)
        assert run.do("cat f; sleep 3") == "0\n"
        assert not w.shadow("status").err
        harness.kill(followers(w)[0])
        save(w.path("f"), "1\n")
        assert "do not see what you change" in w.shadow("status").err
        w.run("sleep", "2")
        seen(run, "cat f", "1\n", within=2)


def test_what_is_open_stays(w):
    """A file that a run keeps open stays what it was, for however long, and is the user's once it is closed."""
    w.write("f", "0\n")
    w.write("g", "0\n")
    with server(w) as run:
        run.do("exec 7<f; exec 8>>g")
        followed(w)
        (follower,) = followers(w)
        for name in ("f", "g"):
            save(w.path(name), "1\n")
        used = processor_time(follower)
        time.sleep(13)
        assert run.do("cat <&7; cat g") == "0\n0\n"
        assert processor_time(follower) - used < 0.01 * 13 + 0.3, processor_time(follower) - used
        run.do("exec 7<&-; exec 8>&-")
        seen(run, "cat f g", "1\n1\n", within=10.5 + SEEN_WITHIN)


def test_a_caller_that_does_not_wait(w):
    """A run that has ended is over for the others, also while whoever started it has not looked: their view follows, and
    commands work on the session."""
    w.write("f", "0\n")
    begun = w.start("run", "--", "true")
    while os.waitid(os.P_PID, begun.pid, os.WEXITED | os.WNOWAIT) is None:
        time.sleep(0.01)
    with server(w) as run:
        second = w.start("run", "--", "true")
        os.waitid(os.P_PID, second.pid, os.WEXITED | os.WNOWAIT)
        followed(w)
        save(w.path("f"), "1\n")
        seen(run, "cat f", "1\n")
        w.shadow("refresh")
        assert w.shadow("status").out.count("  run ") == 1
    assert not begun.wait() and not second.wait()


def test_what_was_replaced_before_anybody_followed(w):
    """A directory that a run has open as the user replaces it is seen once it is closed, also when that was in the
    run's first moments."""
    project(w)
    w.write("new/b", "new\n")
    with server(w) as run:
        run.do("exec 7<d; cat d/b")
        os.rename(w.path("d"), w.path("old"))
        os.rename(w.path("new"), w.path("d"))
        followed(w)
        run.do("exec 7<&-")
        seen(run, "cat d/b; ls d", "new\nb\n", within=3 * SEEN_WITHIN)


def test_branches_are_switched(w):
    """The user checks out another branch of a thousand files: the live run has all of them."""
    settled_git(w, {f"d{n % 20}/f{n}": "1\n" for n in range(1000)})
    w.git("checkout", "-qb", "other")
    for n in range(1000):
        w.write(f"d{n % 20}/f{n}", "2\n")
    w.write("more/new", "2\n")
    w.git("add", "-A")
    w.git("commit", "-qm", "other")
    w.git("checkout", "-q", "main")
    count = "cat d*/f* more/new 2>/dev/null | sort | uniq -c | tr -s ' '"
    with server(w) as run:
        assert run.do(count) == " 1000 1\n"
        followed(w)
        w.git("checkout", "-q", "other")
        seen(run, count, " 1001 2\n")
        assert run.do("git -C . log -1 --format=%s") == "other\n"
        w.git("checkout", "-q", "main")
        seen(run, count, " 1000 1\n")


def test_switched_away_and_back(w):
    """The user switches to another branch and back while a run edits, before, between and after: nothing of it is a
    conflict, the view follows each time, and an apply writes what the run changed on the branch that is there."""
    settled_git(w, {**{name: lines() for name in ("f", "g", "h", "k", "gone")}, "d/a": "a\n", "d/b": "b\n"})
    w.git("checkout", "-qb", "other")
    for name in ("f", "k"):
        w.write(name, lines(l5="other"))
    w.write("n", "other\n")
    w.write("d/a", "other\n")
    os.remove(w.path("gone"))
    os.chmod(w.path("d/b"), 0o755)
    w.git("add", "-A")
    w.git("commit", "-qm", "other")
    w.git("checkout", "-q", "main")
    look = "head -5 k | tail -1; cat d/a; ls"
    on_main, on_other = "5\na\nd\nf\ng\ngone\nh\nk\n", "other\nother\nd\nf\ng\nh\nk\nn\n"

    def conflicts():
        done = w.shadow("--json", "apply", "-n", check=False)
        return json.loads(done.out.splitlines()[0])["conflicts"]

    with server(w) as run:
        run.do("sed -i s/^20$/before/ f; ls; cat k d/a n gone 2>/dev/null || :")
        followed(w)
        w.git("checkout", "-q", "other")
        seen(run, look, on_other)
        assert conflicts() == []
        run.do("sed -i s/^25$/between/ f; sed -i s/^20$/between/ g; sed -i s/^20$/between/ h")
        assert conflicts() == []
        w.git("checkout", "-q", "-")
        seen(run, look, on_main)
        run.do("sed -i s/^28$/after/ f; sed -i s/^28$/after/ gone; cat d/b")
        assert conflicts() == []
        for _ in range(3):  # to and fro at once
            w.git("checkout", "-q", "-")
            w.git("checkout", "-q", "-")
        seen(run, look, on_main)
        assert conflicts() == []
        apply(w)
        assert w.git("status", "--porcelain").stdout.decode() == " M f\n M g\n M gone\n M h\n"
        seen(run, look, on_main)
    assert w.read("f") == lines(l20="before", l25="between", l28="after") and w.read("k") == lines()
    assert w.read("g") == w.read("h") == lines(l20="between") and w.read("gone") == lines(l28="after")
    assert w.shadow("status", "--porcelain").out == ""


def test_one_process_follows(w):
    """However many runs there are, one process follows, and ends with the last of them."""
    project(w)
    with server(w) as first:
        followed(w)
        with server(w) as second:
            time.sleep(2.5)
            assert len(followers(w)) == 1
            save(w.path("f"), "one\n")
            seen(second, "cat f", "one\n")
        time.sleep(0.2)
        assert len(followers(w)) == 1
        save(w.path("f"), "two\n")
        seen(first, "cat f", "two\n")
    harness.wait_until(lambda: not followers(w), seconds=2, what="the end of the process that follows")


def test_short_runs_pay_nothing(w):
    """A run of less than a second starts nothing."""
    project(w)
    w.run("true")
    w.run("sleep", "0.8")
    assert not os.path.exists(os.path.join(*session(w), "following"))


def session(w):
    folder = os.path.join(w.state, "sessions")
    return [os.path.join(folder, name) for name in os.listdir(folder)]


def test_without_enough_watches(w):
    """Where the kernel lets the user watch too few directories, time does it, and status says so."""
    for n in range(40):
        w.write(f"d{n}/f", "1\n")
    with by_the_clock(w) as run:
        run.do("cat d7/f d30/f")
        followed(w)
        save(w.path("d30/f"), "two\n")
        seen(run, "cat d30/f", "two\n")
        assert "follows your edits by the clock" in w.shadow("status").out


def test_nothing_happens_while_nothing_happens(w):
    """Who follows sleeps while the user does."""
    project(w)
    with server(w):
        followed(w)
        [pid] = followers(w)

        def ticks():
            with open(f"/proc/{pid}/stat", encoding="ascii") as f:
                fields = f.read().rsplit(")", 1)[1].split()
            with open(f"/proc/{pid}/status", encoding="ascii") as f:
                return fields[11:15], [line for line in f if "ctxt_switches" in line]

        before = ticks()
        time.sleep(2)
        assert ticks() == before


def work_of(pid):
    """Processor time and switches of a process: neither grows while it waits."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as f:
        fields = f.read().rsplit(")", 1)[1].split()
    with open(f"/proc/{pid}/status", encoding="ascii") as f:
        switches = [line for line in f if "ctxt_switches" in line]
    return fields[11:13], switches


def test_status_is_watched(w):
    """status --watch tells of the agent's changes, the user's and the runs, and idles in between."""
    project(w)
    w.run("sh", "-c", "echo 1 >n")
    w.wait_settled()
    watch = w.start("status", "--watch", "--json", stdout=subprocess.PIPE)
    try:
        def told(wanted):
            while True:
                record = json.loads(watch.stdout.readline())
                if wanted(record, {change["path"]: change for change in record["changes"]}):
                    return

        told(lambda record, changes: set(changes) == {"n"})
        time.sleep(0.5 * harness.TIME_FACTOR)
        before = work_of(watch.pid)
        time.sleep(1)
        assert work_of(watch.pid) == before
        process = w.start("run", "--", "sh", "-c", SERVER, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert process.stdout.readline() == b"ready\n"
        run = Server(process)
        told(lambda record, changes: record["live"])
        run.do("echo 2 >d/a")
        told(lambda record, changes: "d/a" in changes)
        w.write("d/a", "mine\n")
        told(lambda record, changes: changes["d/a"]["drift"] == "changed")
        run.do("rm -r d; mkdir new; echo 3 >new/x")
        told(lambda record, changes: "new/x" in changes)
        process.communicate(timeout=30)
        told(lambda record, changes: not record["live"])
        w.shadow("discard", "--yes")
        assert watch.wait(timeout=20) == 0
    finally:
        watch.kill()
        watch.wait()
        watch.stdout.close()


def test_watching_ends_with_the_session(w):
    """status --watch of a path waits for its changes, and ends with status 0 when the session is discarded."""
    w.write("d/f", "f\n")
    w.sh("echo x >other")
    watch = w.start("status", "--watch", "d", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert watch.stdout.readline() == b"no change at or below 'd'\n"
    w.sh("echo y >>d/f")
    while watch.stdout.readline() != b"  M  d/f\n":
        assert watch.poll() is None
    w.shadow("discard", "--yes")
    _, err = watch.communicate(timeout=30)
    assert watch.returncode == 0 and err == b"shadow: the session was discarded\n", (watch.returncode, err)


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
