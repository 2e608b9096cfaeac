# SPDX-License-Identifier: MIT
"""What an undo gives back: the project's files to the project, and the changes to the session."""

import json
import os
import subprocess
import sys
import time

import harness
from live_server import server

FILES = {"a": "1\n2\n3\n", "gone": "old\n", "mode": "same\n", "dir/x": "x\n", "to-dir": "old\n"}
CHANGE = ("echo agent >>a; rm gone; chmod 755 mode; rm -r dir; rm to-dir; mkdir to-dir; "
          "echo in >to-dir/in; ln -s a link; mkdir -p made/deep; echo n >made/deep/new")


def status(w, *more):
    return w.shadow("status", "--porcelain", *more).out


def begin(w, change=CHANGE):
    """A session with changes that are applied; the tree before, and what status said."""
    for name, text in FILES.items():
        w.write(name, text)
    w.shadow("run", "--", "true")
    time.sleep(0.5)
    before = harness.walk(w.project)
    w.sh(change)
    view = w.shadow("run", "--", sys.executable, "-c", harness.walk_script()).out
    shown = status(w)
    assert shown, "the session has changes"
    w.shadow("apply", "--yes")
    assert status(w) == "", status(w)
    return before, view, shown


def view_of(w):
    return w.shadow("run", "--", sys.executable, "-c", harness.walk_script()).out


def test_changes_are_pending_again(w):
    """After apply and undo status, diff and the run's view are what they were before the apply; apply works again."""
    before, view, shown = begin(w)
    after = harness.walk(w.project)
    done = w.shadow("undo")
    assert "again" in done.out, done.out
    assert harness.walk(w.project) == before, harness.difference(harness.walk(w.project), before)
    assert status(w) == shown, (status(w), shown)
    assert view_of(w) == view
    assert status(w) == shown, (status(w), shown)
    w.shadow("apply", "--yes")
    assert harness.walk(w.project) == after, harness.difference(harness.walk(w.project), after)
    assert status(w) == "", status(w)


def test_undo_and_undo_of_it_many_times(w):
    """An undo of the undo writes the changes again, and the session has none then; as often as one likes."""
    before, view, shown = begin(w)
    after = harness.walk(w.project)
    last = 1
    for times in range(1, 6):
        last = json.loads(w.shadow("--json", "undo", str(last)).out)["undo"]
        undone = times % 2 == 1
        now, wanted = harness.walk(w.project), before if undone else after
        assert now == wanted, (times, harness.difference(now, wanted))
        assert status(w) == (shown if undone else ""), (times, status(w))
        assert view_of(w) == view, times
        state = json.loads(w.shadow("undo", "--list", "--json").out)["applies"][-1]
        assert state["undone"] == undone, (times, state)


def test_the_base_comes_back(w):
    """A merge works after apply and undo as it would have before: both edits arrive."""
    w.write("f", "".join(f"{n}\n" for n in range(1, 25)))
    w.sh("sed -i '20s/$/ agent/' f")
    w.shadow("apply", "--yes")
    w.shadow("undo")
    text = w.read("f").replace("5\n", "5 user\n", 1)
    w.write("f", text)
    w.shadow("apply", "--yes", "--on-conflict=merge")
    assert "5 user\n" in w.read("f") and "20 agent\n" in w.read("f"), w.read("f")


def test_undo_of_a_merge_gives_both_sides_back(w):
    """After the undo of a merge the project has the user's version and the session its own."""
    w.write("f", "".join(f"{n}\n" for n in range(1, 25)))
    w.run("true")
    time.sleep(0.5)
    w.sh("sed -i '20s/$/ agent/' f")
    w.write("f", w.read("f").replace("5\n", "5 user\n", 1))
    mine = w.read("f")
    shown = status(w)
    w.shadow("apply", "--yes", "--on-conflict=merge")
    merged = w.read("f")
    assert "5 user" in merged and "20 agent" in merged
    w.shadow("undo")
    assert w.read("f") == mine
    assert status(w) == shown, (status(w), shown)
    assert "20 agent" in w.run("cat", "f").out
    w.shadow("apply", "--yes", "--on-conflict=merge")
    assert w.read("f") == merged


def test_undo_of_a_mode_keeps_the_base(w):
    """A mode was applied, you and the agent each edited the file since: after the undo the two still merge."""
    text = "".join(f"{n}\n" for n in range(1, 25))
    w.write("f", text, 0o644)
    w.write("same size and time", text, 0o644)
    w.run("true")
    w.wait_settled()
    w.sh("chmod 755 *")
    w.shadow("apply", "--yes")
    w.sh("sed -i '20s/$/ agent/' *")
    w.wait_settled()
    w.write("f", text.replace("5\n", "5 user\n", 1))
    time_ns = os.stat(w.path("same size and time")).st_mtime_ns
    w.write("same size and time", text.replace("5\n", "u\n", 1))
    os.utime(w.path("same size and time"), ns=(time_ns, time_ns))
    w.shadow("undo", "--yes")
    w.shadow("apply", "--yes")
    assert w.read("same size and time") == text.replace("5\n", "u\n", 1).replace("20\n", "20 agent\n", 1)
    assert w.read("f") == text.replace("5\n", "5 user\n", 1).replace("20\n", "20 agent\n", 1), w.read("f")
    assert os.stat(w.path("f")).st_mode & 0o777 == 0o755


def moved(w, edit, there):
    """The agent moved a file that you edited, both were applied, and `there` is at its old name by now."""
    text = "".join(f"{n}\n" for n in range(1, 25))
    w.write("b", text)
    w.run("true")
    w.wait_settled()
    w.sh(f"mv b c; {edit}")
    w.write("b", text.replace("5\n", "5 user\n", 1))
    mine = w.read("b")
    w.shadow("apply", "--yes")
    assert not os.path.exists(w.path("b")) and "5 user\n" in w.read("c"), w.read("c")
    w.write("b", {"else": text, "same": mine}[there])
    return mine


def test_a_moved_and_merged_file_stays_where_its_old_name_is_taken(w):
    """Your edits that went along to a new name are not taken out of the project where they cannot go back."""
    moved(w, "sed -i '20s/$/ agent/' c", "else")
    merged = w.read("c")
    assert "20 agent\n" in merged
    done = w.shadow("undo", check=False)
    assert done.returncode == 1 and "moved from 'b'" in done.out + done.err, (done.out, done.err)
    assert w.read("c") == merged
    assert "user" not in w.read("b")


def test_a_moved_file_goes_where_its_old_name_has_the_text_again(w):
    """You brought the file back under its old name: the undo takes out the new one, as nothing goes with it."""
    for edit in ("sed -i '20s/$/ agent/' c", "true"):
        mine = moved(w, edit, "same")
        w.shadow("undo", check=False)
        assert w.read("b") == mine and not os.path.exists(w.path("c")), edit
        w.shadow("discard", "--yes")


def test_a_newer_version_of_the_session_stays(w):
    """What the session wrote after the apply stays, is said, and is what status shows."""
    w.write("a", "1\n")
    w.write("b", "1\n")
    w.sh("echo two >>a; echo two >>b")
    w.shadow("apply", "--yes")
    w.sh("echo three >>a")
    out = w.shadow("undo").out
    assert "newer in the session, which keeps it: a\n" in out, out
    assert w.read("a") == "1\n"
    assert w.run("cat", "a").out == "1\ntwo\nthree\n"
    assert w.run("cat", "b").out == "1\ntwo\n"
    w.shadow("apply", "--yes")
    assert w.read("a") == "1\ntwo\nthree\n" and w.read("b") == "1\ntwo\n"


def test_while_the_session_is_live(w):
    """While a run goes on, an undo takes the project back, and the session has its changes still."""
    w.write("a", "1\n")
    run = w.start("run", "--", "sh", "-c", "echo two >>a; echo new >n; echo go; read x; cat a n",
                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert run.stdout.readline() == b"go\n"
    w.shadow("apply", "--yes")
    assert w.read("a") == "1\ntwo\n"
    w.shadow("undo")
    assert w.read("a") == "1\n" and not os.path.exists(w.path("n"))
    assert sorted(line.split()[-1] for line in status(w).splitlines()) == ["a", "n"], status(w)
    out, _ = run.communicate(b"\n")
    assert out == b"1\ntwo\nnew\n", out
    w.shadow("apply", "--yes")
    assert w.read("a") == "1\ntwo\n" and w.read("n") == "new\n"


def test_live_and_already_taken_out(w):
    """What a live session has no more comes back to it at once: its runs see it."""
    w.write("a", "1\n")
    w.write("d", "1\n")
    w.sh("echo two >>a; rm d; mkdir m; echo new >m/n")
    shown = status(w)
    w.shadow("apply", "--yes")
    run = w.start("run", "--", "sh", "-c", "echo go; read x; cat a m/n d", stdin=subprocess.PIPE,
                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert run.stdout.readline() == b"go\n"
    out = w.shadow("undo").out
    assert "when its runs have ended" not in out, out
    assert w.read("a") == "1\n" and w.read("d") == "1\n" and not os.path.exists(w.path("m"))
    assert status(w) == shown, (status(w), shown)
    assert run.communicate(b"\n")[0] == b"1\ntwo\nnew\n"
    assert status(w) == shown, (status(w), shown)
    assert w.run("cat", "a", "m/n").out == "1\ntwo\nnew\n"
    w.shadow("apply", "--yes")
    assert w.read("a") == "1\ntwo\n" and not os.path.exists(w.path("d"))


def test_live_and_then_a_run(w):
    """What waits for a live session is there for the next run, also when no other command comes first."""
    w.write("a", "1\n")
    w.sh("echo two >>a")
    w.shadow("apply", "--yes")
    run = w.start("run", "--", "sh", "-c", "echo go; read x", stdin=subprocess.PIPE,
                  stdout=subprocess.PIPE)
    assert run.stdout.readline() == b"go\n"
    w.shadow("undo")
    run.communicate(b"\n")
    harness.wait_until(lambda: not w.processes(), what="the session is idle")
    assert w.run("cat", "a").out == "1\ntwo\n"


def test_live_merge_in_a_new_directory(w):
    """An apply merged a file that the agent had moved into a directory of its own, and the view followed: the undo gives
    the live session its own version back."""
    w.git_project({"f": "".join(f"{n}\n" for n in range(1, 25)), "d/a": "a\n"})
    with server(w) as run:
        run.do("rm -r d")
        w.shadow("apply", "--yes")
        run.do("mkdir d; mv f d/a")
        own = run.do("cat d/a")
        w.write("f", own.replace("7\n", "7\nuser\n", 1))
        harness.wait_until(lambda: "can be merged" in w.shadow("status").out, what="the edit in the status")
        w.shadow("apply", "--yes")
        harness.wait_until(lambda: "user" in run.do("cat d/a"), what="the merge in the view")
        w.shadow("undo", "--yes")
        assert run.do("cat d/a") == own and "user" in w.read("f")
        w.shadow("apply", "--yes")
        assert "user" in w.read("d/a")


def test_of_the_named_session_only(w):
    """With --as an undo takes back an apply of that session only; with several and no name it asks for one."""
    w.write("f", "1\n")
    w.shadow("--as", "a", "run", "--", "sh", "-c", "echo a >a")
    w.shadow("--as", "a", "apply", "--yes")
    w.shadow("--as", "b", "run", "--", "sh", "-c", "echo b >b")
    w.shadow("--as", "b", "apply", "--yes")
    done = w.shadow("undo", check=False)
    assert done.returncode == 2 and "2 of 'b', 1 of 'a'" in done.err, done.err
    assert "--as" in done.err
    done = w.shadow("--as", "a", "undo", "2", check=False)
    assert done.returncode == 1 and "'b'" in done.err, done.err
    assert os.path.exists(w.path("b"))
    w.shadow("--as", "a", "undo")
    assert not os.path.exists(w.path("a")) and os.path.exists(w.path("b"))
    assert w.shadow("--as", "a", "undo", check=False).returncode == 1
    w.shadow("undo")  # only b has an apply that can be taken back
    assert not os.path.exists(w.path("b"))


def test_twice_the_same(w):
    """A second undo of the same apply says that it was taken back, and writes nothing."""
    w.write("f", "1\n")
    w.sh("echo 2 >f")
    w.shadow("apply", "--yes")
    w.shadow("undo", "1")
    done = w.shadow("undo", "1", check=False)
    assert done.returncode == 1 and "apply 1 was taken back already" in done.err, done.err
    assert "shadow undo 2" in done.err, done.err


def test_dry_run(w):
    """undo -n says what would be taken back, and writes nothing."""
    w.write("f", "1\n")
    w.sh("echo 2 >f; echo n >n")
    w.shadow("apply", "--yes")
    before = harness.fingerprint(w.project)
    out = w.shadow("undo", "-n").out
    assert "M  f" in out and "D  n" in out, out
    assert harness.fingerprint(w.project) == before
    listed = json.loads(w.shadow("undo", "--list", "--json").out)["applies"]
    assert len(listed) == 1 and listed[0]["agent"] == "default", listed


def test_after_a_discard_of_the_session(w):
    """An apply can be taken back when its session is gone; then that is said."""
    w.write("f", "1\n")
    w.sh("echo 2 >f")
    w.shadow("apply", "--yes")
    w.shadow("discard", "--yes")
    out = w.shadow("undo").out
    assert "is gone" in out, out
    assert w.read("f") == "1\n"
    w.shadow("undo", "2")
    assert w.read("f") == "2\n"
    listed = json.loads(w.shadow("undo", "--list", "--json").out)["applies"]
    assert [one["agent"] for one in listed] == ["default"] * 3, listed
    w.shadow("--as", "default", "undo", "3")
    assert w.read("f") == "1\n"


def test_an_error_is_no_edit(w):
    """An undo that cannot read a file takes back nothing, says why, and works when tried again."""
    for name in "abcde":
        w.write(name, "1\n")
    w.sh("for f in a b c d e; do echo 2 >>$f; done")
    shown = status(w)
    w.shadow("apply", "--yes")
    after = harness.walk(w.project)
    for error in ("EMFILE", "EIO", "ENOMEM"):
        failed = 0
        for number in range(1, 60):
            done = subprocess.run(
                ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=openat2", "-e",
                 f"inject=openat2:error={error}:when={number}", harness.SHADOW, "undo"],
                cwd=w.project, env=w.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                check=False)
            assert b"after the apply" not in done.stdout + done.stderr, done
            w.shadow("status")
            if done.returncode == 0:
                break
            failed += 1
            now = harness.walk(w.project)
            assert now == after, (error, number, done.stderr, harness.difference(now, after))
            assert status(w) == "", (error, number, status(w))
        assert failed > 5, (error, failed)
        assert status(w) == shown, status(w)
        w.shadow("apply", "--yes")


def test_killed_anywhere(w):
    """Killed at any moment an undo is done on both sides or on neither, and no work is lost."""
    before, view, shown = begin(w)
    after = harness.walk(w.project)
    killed = 0
    for number in range(1, 400):
        done = w.shadow("undo", check=False, env={"SHADOW_FAIL": f"*:{number}=kill"})
        w.shadow("status")
        now = harness.walk(w.project)
        if now == before:
            assert status(w) == shown, (number, status(w), shown)
            assert view_of(w) == view, number
            if done.returncode == 0:
                break
            w.shadow("apply", "--yes")
        else:
            assert now == after, (number, harness.difference(now, after))
            assert status(w) == "", (number, status(w))
        killed += 1
    assert killed > 20, killed


def test_commits_are_pending_again(w):
    """Commits that an undo takes from a branch are the session's again; a second apply brings them."""
    w.git_project()
    w.sh("echo agent >>a.txt; git commit -qam agent; echo more >>a.txt")
    tip = w.run("git", "rev-parse", "HEAD").out
    shown = status(w)
    w.shadow("apply", "--yes")
    assert w.git("rev-parse", "HEAD").stdout.decode() == tip
    out = w.shadow("undo").out
    assert "in the session again" in out, out
    assert w.git("rev-parse", "HEAD").stdout.decode() != tip
    assert w.git("status", "--porcelain").stdout == b""
    assert w.run("git", "rev-parse", "HEAD").out == tip
    assert w.run("git", "status", "--porcelain").out == " M a.txt\n"
    assert status(w) == shown, (status(w), shown)
    w.shadow("apply", "--yes")
    assert w.git("rev-parse", "HEAD").stdout.decode() == tip
    assert w.git("status", "--porcelain").stdout == b" M a.txt\n"
    assert status(w) == "", status(w)


def test_a_branch_made_of_changes(w):
    """A branch of `apply --branch` and its undo, taken back in turn, leave the session as it is."""
    w.git_project()
    w.sh("echo agent >>a.txt")
    shown = status(w)
    w.shadow("apply", "--yes", "--branch", "x")
    tip = w.git("rev-parse", "x").stdout
    for undone in (True, False, True):
        last = json.loads(w.shadow("undo", "--list", "--json").out)["applies"][0]["id"]
        assert w.shadow("undo", str(last)).out.startswith("took back 1 ref of "), last
        now = w.git("rev-parse", "-q", "--verify", "x", check=False).stdout
        assert now == (b"" if undone else tip), (undone, now)
        state = json.loads(w.shadow("undo", "--list", "--json").out)["applies"][-1]
        assert state["undone"] == undone, state
        assert status(w) == shown, (status(w), shown)


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
