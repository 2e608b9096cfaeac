# SPDX-License-Identifier: MIT
"""The session is brought up to what the user has changed in the project meanwhile."""

import glob
import json
import os
import signal
import stat
import subprocess
import sys

import harness
from applies import CONFLICT, lines
from following import followed, seen
from harness import Skip, difference, walk
from live_server import server
from merges import view_of
from refreshes import EDIT, refresh, session, view

REFUSED = 4


def upper(w):
    """The names in the session's layer."""
    (root,) = glob.glob(os.path.join(w.state, "sessions", "*", "project", "upper"))
    found = []
    for folder, dirs, files in os.walk(root):
        found += [os.path.relpath(os.path.join(folder, name), root) for name in dirs + files]
    return sorted(found)


def changed(w):
    return w.shadow("diff", "--name-status").out.split("\n")[:-1]


OTHER = "".join(f"another {n}\n" for n in range(30))


def test_what_merges_goes_on_from_the_newest(w):
    """Text that both edited is merged into the session; diff shows its own part, and apply writes it."""
    session(w, EDIT)
    w.write("F", lines(l5="user"))
    assert "shadow refresh" in w.shadow("status").out
    assert json.loads(w.shadow("status", "--json").out)["behind"] == 1
    told = refresh(w)
    assert told.out == "merged with the project's changes:\n  M  F\n", told.out
    assert view(w, "F") == lines(l5="user", l20="agent")
    patch = w.shadow("diff").out
    assert "+agent" in patch and "+user" not in patch and "-user" not in patch, patch
    assert "refresh" not in w.shadow("status").out
    assert refresh(w).out == "the session is up to date\n"
    w.shadow("apply", "--yes")
    assert w.read("F") == lines(l5="user", l20="agent")
    assert changed(w) == []
    assert w.run("cat", "F").out == w.read("F")


def test_an_old_copy_no_longer_hides(w):
    """A file that the session copied up and left as it was shows the project's again once its last run has ended, also
    what its first run left, and one that ended while another went on."""
    for name, text in {"F": lines(), "G": lines(), "sub/a b": "1\n"}.items():
        w.write(name, text)
    live = w.start("run", "--", "sh", "-c", "cat F >/tmp/copy; echo x >>F; cat /tmp/copy >F; chmod 700 G; chmod 644 G; "
                   "mkdir -p d; touch d; echo ready; read end", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert live.stdout.readline() == b"ready\n"
    w.run("touch", "sub/a b")
    w.shadow("status")
    w.run("true")  # records what the run before it did, while the first one goes on
    live.communicate(b"end\n")
    w.wait_settled()
    assert upper(w) == ["d"], upper(w)
    w.write("F", lines(l5="user"))
    w.write("sub/a b", "2\n")
    os.chmod(w.path("G"), 0o600)
    assert view(w, "F") == lines(l5="user") and view(w, "sub/a b") == "2\n"
    assert w.run("stat", "-c", "%a", "G").out == "600\n"
    assert "Behind" not in w.shadow("status").out, w.shadow("status").out
    assert refresh(w).out == "the session is up to date\n"


def test_deleted_by_the_user(w):
    """A file that the user deleted goes from the view, with its directory, when the session left it alone."""
    session(w, "touch d/e/f d/g; echo new >d/new", **{"d/e/f": "1\n", "d/g": "1\n", "k/l": "1\n"})
    w.run("touch", "k/l")
    w.wait_settled()
    for name in ("d/e/f", "d/g", "k/l"):
        os.unlink(w.path(name))
    os.rmdir(w.path("d/e"))
    os.rmdir(w.path("k"))
    refresh(w)
    assert w.run("find", "d", "k", "-type", "f", check=False).out == "d/new\n"
    assert w.run("ls").out == "F\nG\nd\n"
    assert upper(w) == ["d", "d/new"], upper(w)


def test_conflicts_are_left(w):
    """What does not go together is named and left as it is, with status 3; the rest is brought up."""
    session(w, EDIT + "; sed -i s/^20$/agent/ G; printf 'a\\0agent' >bin; rm gone kept; rm -r dir; ln -sfn agent link;"
            "mv kind kind.n; mkdir kind; mv kind.n kind/x",
            bin="a\0", gone="gone\n", kept="kept\n", kind="kind\n", **{"dir/a": "a\n", "dir/b": "b\n"})
    w.write("F", lines(l5="user"))
    w.write("G", lines(l20="user"))
    w.write("bin", "a\0user")
    w.write("gone", "gone\n2\n")
    w.write("dir/a", "a\n2\n")
    w.write("kind", "kind\n2\n")
    os.symlink("user", w.path("link"))
    before = [name for name in upper(w) if name != "F"]
    content = {name: view(w, name) for name in ("G", "bin")}
    told = refresh(w, code=CONFLICT)
    assert "merged with the project's changes:\n  M  F\n" in told.out, told.out
    for name, reason in (("G", "the same lines"), ("bin", "not text"), ("gone", "deleted in the session"),
                         ("dir/a", "deleted in the session"), ("kind", ""), ("link", "both sides")):
        assert any(f"  {name}" in line and reason in line for line in told.out.splitlines()), (name, told.out)
    assert [name for name in upper(w) if name != "F"] == before
    assert content == {name: view(w, name) for name in ("G", "bin")}
    assert view(w, "F") == lines(l5="user", l20="agent")
    found = json.loads(refresh(w, "--json", code=CONFLICT).out)
    assert found["refreshed"] == []
    assert {"G", "bin", "gone"} <= {one["path"] for one in found["conflicts"]}
    assert all(one["reason"] for one in found["conflicts"])


def test_a_conflict_is_known_afterwards(w):
    """What a refresh leaves in conflict keeps its reason, and settles when one side gives way."""
    w.write("d/old", lines())
    session(w, "echo agent >new; rm -r d; echo own >>F")
    w.write("new", "user\n")
    w.write("d/old", lines(l5="user"))
    before = w.shadow("status", "new", "d").out
    assert "added on both sides" in before and "deleted in the session" in before, before
    refresh(w, code=CONFLICT)
    w.wait_settled()
    assert w.shadow("status", "new", "d").out == before
    os.unlink(w.path("new"))
    w.write("d/old", lines())
    w.shadow("apply", "--yes")
    assert w.read("new") == "agent\n" and not os.path.exists(w.path("d"))


def test_conflicts_in_a_removed_directory_are_left(w):
    """What the user edits in a directory that the agent worked in and then removed stays a conflict."""
    os.makedirs(w.path("d"))
    w.write("d/mine", lines())
    w.write("d/other", lines())
    session(w, "echo more >>d/mine; echo more >>d/other")
    w.write("d/mine", lines(l3="user"))
    w.sh("rm -r d")
    w.wait_settled()
    for _ in range(2):
        assert "d/mine" in refresh(w, code=CONFLICT).out
    done = w.shadow("apply", "--yes", check=False)
    assert done.returncode == CONFLICT and "d/mine" in done.err, done.err
    assert w.read("d/mine") == lines(l3="user")


def test_an_apply_shows_what_a_touched_file_hid(w):
    """What a run touched without a change hides what the user made of it until the next apply, which has nothing to
    write of it; an agent that has not looked again takes nothing back."""
    session(w, "touch F; cat G >/tmp/copy; cat /tmp/copy >G")
    w.write("F", lines(l5="user"))
    os.unlink(w.path("G"))
    before = harness.fingerprint(w.project)
    w.shadow("apply", "--yes", check=False)
    assert harness.fingerprint(w.project) == before
    assert view(w, "F") == lines(l5="user")
    assert w.run("test", "-e", "G", check=False).returncode == 1
    assert changed(w) == []
    w.sh(f"printf '{lines(l20='agent')}' >F")
    done = w.shadow("apply", "--yes", check=False)
    assert done.returncode == CONFLICT and "takes a change of the project's back" in done.err, done.err
    assert w.read("F") == lines(l5="user")


def test_both_the_same(w):
    """What both deleted or changed alike is nobody's change any more, and later edits show."""
    session(w, EDIT + "; rm G; echo new >n")
    w.write("F", lines(l20="agent"))
    os.unlink(w.path("G"))
    w.write("n", "new\n")
    assert refresh(w).out == "the session is up to date\n"
    assert upper(w) == [], upper(w)
    w.write("F", "later\n")
    w.write("G", "later\n")
    w.write("n", "later\n")
    assert view(w, "F") + view(w, "G") + view(w, "n") == "later\n" * 3
    assert changed(w) == []


def test_renamed_by_the_agent(w):
    """An edit of a file that the session renamed goes along to the new name."""
    session(w, EDIT + "; mv F 'new\nname'; mv G H", G=OTHER)
    w.write("F", lines(l5="user"))
    w.write("G", "user\n" + OTHER)
    told = refresh(w)
    assert "was F, which the project changed" in told.out, told.out
    assert view(w, "new\nname") == lines(l5="user", l20="agent")
    assert view(w, "H") == "user\n" + OTHER
    assert refresh(w).out == "the session is up to date\n"
    w.shadow("apply", "--yes")
    assert sorted(os.listdir(w.project)) == ["H", "new\nname"]
    assert w.read("new\nname") == lines(l5="user", l20="agent")
    assert w.read("H") == "user\n" + OTHER


def test_modes(w):
    """A mode that one side changed goes with the text that the other did."""
    session(w, EDIT + "; chmod 755 G")
    os.chmod(w.path("F"), 0o600)
    w.write("G", lines(l5="user"))
    refresh(w)
    assert w.run("stat", "-c", "%a", "F", "G").out == "600\n755\n"
    assert view(w, "G") == lines(l5="user")
    w.shadow("apply", "--yes")
    assert stat.S_IMODE(os.stat(w.path("F")).st_mode) == 0o600
    assert w.read("F") == lines(l20="agent")
    assert stat.S_IMODE(os.stat(w.path("G")).st_mode) == 0o755


def test_ignored_that_both_changed(w):
    """Files that git ignores are left, and named: a directory with many of them once. That is no failure."""
    w.git_project({".gitignore": "*.log\nout/\n", "F": lines()})
    for name in ("a\nb.log", "same.log", "out/1", "out/2", "out/3"):
        w.write(name, "1\n")
    w.sh("for i in *.log out/1 out/2; do echo agent >\"$i\"; done; echo agent >out/new")
    w.wait_settled()
    for name in ("a\nb.log", "out/1", "out/2", "out/3"):
        w.write(name, "user\n")
    w.write("same.log", "agent\n")
    told = "ignored and changed on both sides, and left as it is:\n  a\\nb.log\n  out  (2 files)\n"
    assert refresh(w, "-n").out == told, refresh(w, "-n").out
    assert refresh(w).out == told
    assert refresh(w, "out/1").out.endswith(":\n  out\n")
    assert json.loads(refresh(w, "--json").out)["left_ignored"] == [{"path": "a\nb.log", "files": 1},
                                                                    {"path": "out", "files": 2}]
    assert w.read("out/1") == "user\n" and view(w, "out/1") == "agent\n"


def test_made_anew_with_what_was_there(w):
    """Of a directory that the session deleted and made anew only the differences are left once its last run has ended:
    what you change or add there afterwards is seen."""
    session(w, "cp -a d /tmp/d; rm -r d; cp -a /tmp/d d; echo agent >d/new; rm d/gone",
            **{"d/same": "1\n", "d/gone": "1\n", "d/sub/x": "1\n"})
    w.write("d/same", "2\n")
    w.write("d/sub/x", "2\n")
    w.write("d/added", "user\n")
    assert refresh(w).out == "the session is up to date\n"
    assert sorted(w.run("find", "d", "-type", "f").out.split()) == ["d/added", "d/new", "d/same", "d/sub/x"]
    assert view(w, "d/same") == view(w, "d/sub/x") == "2\n"
    assert changed(w) == ["D\td/gone", "A\td/new"], changed(w)


def test_hard_links(w):
    """A file with other names in the session is left, not torn from them."""
    session(w, EDIT + "; ln F F2; ln G G2")
    w.write("F", lines(l5="user"))
    w.write("G", lines(l5="user"))
    told = refresh(w, code=CONFLICT)
    assert told.out.count("other names in the session") == 2, told.out
    assert w.run("stat", "-c", "%h", "F", "F2", "G", "G2").out == "2\n" * 4


def test_ignored(w):
    """What git ignores, and the git directory, are not touched, but for a file that the agent has only touched and you
    have changed since: that is said before, and a live run follows it."""
    w.git_project({".gitignore": "*.o\n", "F": lines()})
    for name in ("x.o", "z.o"):
        w.write(name, "1\n")
    w.sh("touch x.o z.o; echo agent >y.o; git commit -q --allow-empty -m empty")
    w.wait_settled()
    before = upper(w)
    w.write("x.o", "2\n")
    w.git("commit", "-q", "--allow-empty", "-m", "other")
    assert "Behind the project at 1 path" in w.shadow("status").out
    refresh(w)
    assert w.run("cat", "x.o", "y.o").out == "2\nagent\n"
    assert upper(w) == [name for name in before if name != "x.o"]
    assert refresh(w).out == "the session is up to date\n"
    with server(w) as run:
        run.do("touch x.o; cat x.o z.o")
        followed(w)
        w.write("x.o", "3\n")
        os.unlink(w.path("z.o"))
        seen(run, "cat x.o; ls z.o 2>/dev/null || :", "3\n")


def test_log(w):
    """What a refresh rewrites is no work of the next run."""
    session(w, EDIT + "; touch G d/a; rm -r e; mkdir e; cp F e/x; echo 1 >e/y",
            **{"d/a": "1\n", "e/y": "1\n", "e/z": "1\n"})
    for name in ("F", "G"):
        w.write(name, lines(l5="user"))
    w.write("d/a", "2\n")
    w.write("e/y", "2\n")
    refresh(w)
    w.run("touch", "other")
    w.wait_settled()
    run = json.loads(w.shadow("log", "--json", "other").out.splitlines()[0])
    shown = w.shadow("show", str(run["run"])).out
    for name in ("F", "G", "d/a", "e/y", "e/z"):
        assert f" {name}\n" not in shown, shown
    assert "other" in shown


def test_killed_anywhere(w):
    """Killed at any step nothing is lost, and another refresh finishes."""
    for point in range(1, 40):
        w.shadow("discard", "--yes", check=False)
        w.wait_settled()
        session(w, EDIT + "; mv G H; touch t; chmod 755 m; rm both",
                t="1\n", m=lines(), both="1\n")
        w.write("F", lines(l5="user"))
        w.write("G", lines(l5="user"))
        w.write("t", "2\n")
        w.write("m", lines(l5="user"))
        os.unlink(w.path("both"))
        done = w.shadow("refresh", check=False, env={"SHADOW_FAIL": f"*:{point}=kill"})
        if point == 1 and done.returncode == 0:
            raise Skip("built without fail points")
        patch = w.shadow("diff").out
        assert "-user" not in patch, (point, patch)
        last = refresh(w)
        assert view(w, "F") == lines(l5="user", l20="agent"), point
        assert view(w, "H") == lines(l5="user"), (point, last.out)
        assert view(w, "t") == "2\n" and view(w, "m") == lines(l5="user")
        w.shadow("apply", "--yes")
        assert w.read("F") == lines(l5="user", l20="agent"), point
        assert w.read("H") == lines(l5="user") and not os.path.exists(w.path("G"))
        assert changed(w) == [], (point, changed(w))
        told = difference(walk(w.project), view_of(w))
        assert not told, (point, told)
        os.unlink(w.path("H"))
        if done.returncode == 0:
            assert point > 8, point
            return
    raise AssertionError("it never ended")


def test_edited_meanwhile(w):
    """An edit of the real file while it is merged is neither lost nor taken back."""
    for name in ("refresh-noted", "refresh-written", "refresh-synced"):
        w.shadow("discard", "--yes", check=False)
        w.wait_settled()
        session(w, EDIT + "; touch G")
        w.write("F", lines(l5="user"))
        w.write("G", lines(l5="user"))
        run = w.start("refresh", env={"SHADOW_FAIL": f"{name}:1=stop"}, stdout=subprocess.PIPE)
        _, status = os.waitpid(run.pid, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            raise Skip("built without fail points")
        w.write("F", lines(l5="user", l10="later"))
        w.write("G", lines(l5="user", l10="later"))
        os.kill(run.pid, signal.SIGCONT)
        _, status = os.waitpid(run.pid, 0)
        run.stdout.close()
        assert os.waitstatus_to_exitcode(status) == 0
        assert "-later" not in w.shadow("diff").out
        refresh(w)
        assert view(w, "F") == lines(l5="user", l10="later", l20="agent")
        assert view(w, "G") == lines(l5="user", l10="later")


def test_out_of_space(w):
    """A refresh that fails leaves the session as good as it was."""
    session(w, EDIT)
    w.write("F", lines(l5="user"))
    failed = w.shadow("refresh", check=False, env={"SHADOW_FAIL": "refresh-noted:1=ENOSPC"})
    if failed.returncode == 0:
        raise Skip("built without fail points")
    assert failed.returncode == 2, failed.err
    assert view(w, "F") == lines(l20="agent")
    refresh(w)
    assert view(w, "F") == lines(l5="user", l20="agent")


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
