# SPDX-License-Identifier: MIT
"""Discard, refresh and undo work while a run goes on: the run sees what they did at once."""

import base64
import os
import shutil
import signal
import subprocess
import sys

import harness
from applies import lines
from edits import settled_git
from live_server import server, upper

REFUSED = 4


# Every name with kind, mode and target, and every file's content; a server's one line.
TREE = ("(find . -name .git -prune -o -printf '%p %y %m %l\\n'; find . -name .git -prune -o -type f "
        "-perm -400 -exec sha1sum {} +) 2>/dev/null | LC_ALL=C sort")


def view(run):
    """All of the project as the live run sees it."""
    return run.do(TREE)


def real(w):
    return subprocess.run(["sh", "-c", TREE], cwd=w.project, stdout=-1, check=True).stdout.decode()


def project(w):
    settled_git(w, {**{name: lines() for name in "fgh"}, "d/a": "a\n", "d/b": "b\n", "d/e/c": "c\n", "x": "x\n"})
    os.symlink("f", w.path("link"))


def test_discard_beside_a_live_run(w):
    """One file of a live agent can be rejected: the agent goes on, and sees the project's again."""
    project(w)
    with server(w) as run:
        run.do("echo agent >>f; echo agent >>g; rm x; echo n >new; mkdir -p nd/deep; echo n >nd/deep/n")
        w.shadow("discard", "--yes", "f", "x", "new", "nd")
        assert run.do("cat f x; ls") == lines() + "x\nd\nf\ng\nh\nlink\nx\n"
        assert w.shadow("status", "--porcelain").out == "M.. g\n"
        run.do("echo more >>f")
        assert w.shadow("status", "--porcelain").out == "M.. f\nM.. g\n"
    w.shadow("apply", "--yes")
    assert w.read("f") == lines() + "more\n"
    assert w.read("g") == lines() + "agent\n"
    w.wait_settled()
    assert w.shadow("status", "--porcelain").out == ""


def test_discard_of_every_kind_of_change(w):
    """Whatever the agent made of a path, a discard makes it the project's: modes, links, trees."""
    project(w)
    before = None
    for change in ("chmod 700 f", "rm f; ln -s g f", "rm f; mkdir f; echo n >f/in", "rm -r d", "mv d e",
                   "rm -r d; mkdir d; echo n >d/a; echo n >d/new", "rm -r d; echo n >d",
                   "chmod 700 d; echo n >>d/e/c; rm d/b", "rm link; echo n >link", "mkfifo pipe",
                   "ln -sfn x link", "ln f hard; echo n >>f", "mv f f2; mv x f; mv f2 x", "rm -r *",
                   "rm -r d; mkdir d; chmod 0 d", "chmod 0 f", "printf '' >f"):
        with server(w) as run:
            before = before or view(run)
            run.do(change)
            assert view(run) != before or "chmod" in change, change
            names = w.shadow("status", "--porcelain", "-z").out.split("\0")[:-1]
            assert names, change
            done = w.shadow("discard", "--yes", "*", check=False)
            assert done.returncode == 0, (change, done.err)
            assert view(run) == before, (change, view(run), before)
            assert w.shadow("status", "--porcelain").out == "", change
        w.wait_settled()
        assert w.shadow("status", "--porcelain").out == "", change
        assert upper(w) == [], (change, upper(w))


def test_discard_then_apply(w):
    """After a live discard an apply makes project and view the same."""
    project(w)
    with server(w) as run:
        run.do("echo agent >>f; rm -r d; mkdir d; echo n >d/new; rm x; ln -s f nl")
        w.shadow("discard", "--yes", "d/a", "d/e/c")
        w.shadow("apply", "--yes")
        assert sorted(os.listdir(w.path("d"))) == ["a", "e", "new"]
        assert view(run) == real(w)
    w.wait_settled()
    assert w.shadow("status", "--porcelain").out == ""
    assert upper(w) == []


def test_open_for_writing_is_refused(w):
    """What a process of the run is writing just then is named and left as it is."""
    project(w)
    with server(w) as run:
        run.do("echo agent >>f; echo n >>g; exec 7>>f")
        done = w.shadow("discard", "--yes", "g", "f", check=False)
        assert done.returncode == REFUSED, done.err
        assert "'f' is open for writing in process" in done.err and "('sh')" in done.err, done.err
        assert "all else is discarded" in done.err and run.do("cat g") == lines()
        assert w.shadow("status", "--porcelain").out == "M.. f\n"
        run.do("exec 7>&-; exec 8<f")
        w.shadow("discard", "--yes", "f")
        assert run.do("cat f g") == lines() * 2
        assert run.do("cat <&8") == lines() + "agent\n"  # what was opened stays what it was
        run.do("exec 8<&-")


MAPS = ("import mmap; f = open('f', 'r+'); m = mmap.mmap(f.fileno(), 0); m[:1] = b'#'; f.close(); "
        "print('mapped', flush=True); input()")


def test_mapped_for_writing_is_refused(w):
    """A file that is mapped and may be written to without being open counts as being written."""
    project(w)
    with server(w) as run:
        run.do("mkfifo /tmp/in /tmp/out")
        run.do(f'python3 -c "{MAPS}" </tmp/in >/tmp/out & exec 7>/tmp/in 6</tmp/out; read word <&6')
        done = w.shadow("discard", "--yes", "f", check=False)
        assert done.returncode == REFUSED and "'f' is open for writing" in done.err, done.err
        run.do("echo >&7; exec 7>&-; wait")
        w.shadow("discard", "--yes", "f")
        assert run.do("head -1 f") == "1\n"


def test_discard_hunks_beside_a_live_run(w):
    """A part of a file can be rejected while the agent goes on; the rest stays the session's."""
    project(w)
    with server(w) as run:
        run.do("sed -i '2s/$/ bad/;28s/$/ good/' f; echo bad >>g; chmod 755 g; echo n >new; mkdir nd; echo n >nd/n")
        w.shadow("discard", "-p", "f", "g", "nd", stdin=b"y\nn\nn\ny\ny\n")
        got = run.do("sed -n '2p;28p' f; tail -1 g; stat -c %a g; ls")
        assert got == "2\n28 good\n30\n755\nd\nf\ng\nh\nlink\nnew\nx\n", got
        assert w.shadow("status", "--porcelain").out == "M.. f\nM.. g\nA.. new\n"
        w.shadow("apply", "--yes")
        assert view(run) == real(w)


def both_edit(w, run):
    """The agent's edit is older than the user's, in other lines of each file."""
    run.do("echo agent >>f; chmod 755 g; echo n >>h; rm x; echo n >d/n")
    w.shadow("apply", "--yes", "h")
    w.write("f", "user\n" + lines())
    w.write("g", "user\n" + lines())
    w.write("h", "user\n" + lines())  # applied before: the session has nothing of its own there
    w.write("d/a", "user\n")


def test_refresh_beside_a_live_run(w):
    """A live session is brought up to the project: merges, and files that are the base still."""
    project(w)
    with server(w) as run:
        both_edit(w, run)
        w.shadow("refresh")
        assert run.do("cat f") == "user\n" + lines() + "agent\n"
        assert run.do("cat g h d/a; stat -c %a g") == ("user\n" + lines()) * 2 + "user\n755\n"
        assert w.shadow("status", "--porcelain").out == "A.. d/n\nM.. f\nM.. g\nD.. x\n"
        w.shadow("apply", "--yes")
        assert view(run) == real(w)
    w.wait_settled()
    assert w.shadow("status", "--porcelain").out == ""


def test_refresh_leaves_what_is_being_written(w):
    """A file that a run has open for writing is not merged under its hands; all else is brought up to date."""
    project(w)
    with server(w) as run:
        both_edit(w, run)
        run.do("exec 7>>f")
        done = w.shadow("refresh", check=False)
        assert done.returncode == REFUSED and "'f' is open for writing" in done.err, done.err
        assert run.do("cat f g") == lines() + "agent\nuser\n" + lines()
        run.do("exec 7>&-")
        w.shadow("refresh")
        assert run.do("cat f") == "user\n" + lines() + "agent\n"


CHANGES = ("echo agent >>f; rm x; mkdir -p nd; echo n >nd/n; echo n >new; chmod 755 g; ln -sfn g link; "
           "rm -r d/e")


def test_undo_beside_a_live_run(w):
    """An undo gives a live session its side back at once: what it takes is the session's change."""
    project(w)
    before = real(w)
    with server(w) as run:
        run.do(CHANGES)
        changed = view(run)
        status = w.shadow("status", "--porcelain").out
        w.shadow("apply", "--yes")
        assert real(w) == changed
        w.shadow("undo", "--yes")
        assert real(w) == before
        assert view(run) == changed
        assert w.shadow("status", "--porcelain").out == status
    w.wait_settled()
    w.shadow("apply", "--yes")
    assert real(w) == changed


def test_undo_after_the_copies_were_taken_out(w):
    """The same where the session has nothing left of what was applied: it went while it was idle."""
    project(w)
    before = real(w)
    w.sh(CHANGES)
    status = w.shadow("status", "--porcelain").out
    w.shadow("apply", "--yes")
    w.wait_settled()
    assert upper(w) == []
    changed = real(w)
    with server(w) as run:
        w.shadow("undo", "--yes")
        assert real(w) == before
        assert view(run) == changed, (view(run), changed)
        assert w.shadow("status", "--porcelain").out == status
    w.wait_settled()
    assert w.shadow("status", "--porcelain").out == status


def test_killed_on_the_way(w):
    """Killed anywhere, each path is the session's or the project's, and the next command goes on."""
    project(w)
    change = "echo agent >>f; rm -r d; rm x; ln -sfn g link; mkdir nd; echo n >nd/n"
    with server(w) as run:
        whole = view(run)
        for place in ("view-staged", "view-named", "view-placed"):
            for count in range(1, 6):
                run.do(change)
                done = w.shadow("discard", "--yes", "*", env={"SHADOW_FAIL": f"{place}:{count}=kill"},
                                check=False)
                for line in view(run).splitlines():
                    path = line.split()[0]
                    assert ".shadow-" not in path or done.returncode != 0, line
                out = w.shadow("status", "--porcelain").out
                assert ".shadow-" not in out, out
                assert ".shadow-" not in view(run)
                w.shadow("discard", "--yes", "*", check=False)
                assert view(run) == whole, (place, count)
                assert w.shadow("status", "--porcelain").out == ""
                if done.returncode == 0:
                    break


def test_no_name_of_ours_is_seen(w):
    """What is put into a live view has its own name alone: no run, as by `git add -A`, meets a half-made file."""
    project(w)
    with server(w) as run:
        harness.nameless_files(run, needed=True)
        run.do("echo agent >>f; echo new >new")
        before = run.do("ls -A . d")
        put = w.start("discard", "--yes", "f", env={"SHADOW_FAIL": "view-staged:1=stop"})
        assert os.waitpid(put.pid, os.WUNTRACED)[1] & 0xFF == 0x7F, "not stopped"
        assert run.do("ls -A . d") == before
        assert run.do("tail -n 1 f") == "agent\n"
        os.kill(put.pid, signal.SIGCONT)
        assert put.wait(timeout=30) == 0
        assert run.do("ls -A . d") == before
        assert run.do("cat f") == w.read("f")


def test_killed_and_then_idle(w):
    """What was staged in a view goes as well when the session has ended by the next command."""
    project(w)
    with server(w) as run:
        run.do("echo agent >>f")
        point = "view-named" if harness.nameless_files(run) else "view-staged"
        w.shadow("discard", "--yes", "f", env={"SHADOW_FAIL": point + ":1=kill"}, check=False)
        assert ".shadow-" in view(run)
    w.wait_settled()
    assert w.shadow("status", "--porcelain").out == "M.. f\n"


def test_a_run_that_swaps_directories_for_links(w):
    """What a hostile run puts in the way leads no discard out of the view: links are not followed."""
    project(w)
    outside = os.path.join(w.tmp, "outside")
    os.mkdir(outside)
    for name in ("n", "keep"):
        with open(os.path.join(outside, name), "w", encoding="ascii") as f:
            f.write("outside\n")
    with server(w) as run:
        run.do("mkdir nd; echo n >nd/n; (while [ ! -e /tmp/end ]; do mv nd nd2; "
               f"ln -s {outside} nd; rm nd; mv nd2 nd; done) >/dev/null 2>&1 & :")
        for _ in range(20):
            w.shadow("discard", "--yes", "nd/n", check=False)
            run.do("echo n >nd2/n || echo n >nd/n || :")
        run.do("touch /tmp/end; wait; rm -rf nd nd2")
    for name in ("n", "keep"):
        with open(os.path.join(outside, name), encoding="ascii") as f:
            assert f.read() == "outside\n"
    assert sorted(os.listdir(outside)) == ["keep", "n"]


# Saves `f` when the merge of it lies beside it, and once more when that has taken its place.
SAVER = """
import glob, os, time
def last_line():
    return open("f").read().splitlines()[-1]
def save(last):
    lines = open("f").read().splitlines()[:-1]
    with open("f~", "w") as f:
        f.write("\\n".join([*lines, last, ""]))
    os.rename("f~", "f")
def wait(condition):
    while not condition():
        time.sleep(0.002)
wait(lambda: glob.glob(".shadow-*"))
save("early")
wait(lambda: last_line() != "early")
save("late")
wait(lambda: not glob.glob(".shadow-*"))
print(last_line())
"""


def test_what_is_saved_while_a_refresh_tries_again_stays(w):
    """A run saves before the merge takes the place, and again before that is taken back: its last version stays."""
    if shutil.which("strace") is None:
        raise harness.Skip("strace(1) is missing")
    project(w)
    with server(w) as run:
        run.do(f"echo agent >>f; echo {base64.b64encode(SAVER.encode()).decode()} | base64 -d >/tmp/saver")
        run.do("(timeout 60 python3 /tmp/saver >/tmp/found 2>&1; touch /tmp/end) &")
        w.write("f", lines(l5="user"))
        slow = "inject=renameat2:delay_enter=300000:delay_exit=300000"
        subprocess.run(["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=renameat2", "-e", slow,
                        harness.SHADOW, "refresh"], cwd=w.project, env=w.env, stdout=-1, stderr=-1, check=False)
        assert run.do("while [ ! -e /tmp/end ]; do sleep 0.1; done; cat /tmp/found") == "late\n"
        w.shadow("refresh")
        assert run.do("sed -n 5p f; tail -n 1 f") == "user\nlate\n"


def test_user_removes_what_an_apply_emptied(w):
    """A directory in which nothing but an applied deletion is left for the session is the user's to remove."""
    settled_git(w, {"d/a": lines(), "d/e/b": lines(), "k": lines()})
    with server(w) as run:
        run.do("rm d/a d/e/b; echo agent >>k")
        w.shadow("apply", "--yes")
        shutil.rmtree(w.path("d"))
        assert "no changes" in w.shadow("status").out, w.shadow("status").out
        run.do("echo more >>k")
        w.shadow("apply", "--yes")
    assert w.read("k").endswith("agent\nmore\n") and not os.path.exists(w.path("d"))


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
