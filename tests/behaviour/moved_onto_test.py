# SPDX-License-Identifier: MIT
"""A file that the agent moves over another one brings nothing along that the user takes back of it meanwhile."""

import os
import shutil
import sys
import time

import harness
from applies import CONFLICT, offered
from following import followed, seen, noted
from live_server import server

TEXT = "".join(f"line {n}\n" for n in range(20))
OTHER = "".join(f"other {n}\n" for n in range(20))
SAVED = TEXT.replace("5\n", "5\nuser\n", 1)


def begin(w, **files):
    w.git_project({"a": TEXT, "d/b": TEXT.upper(), "e/x": OTHER, "y": OTHER.upper(), "z": "z\n", **files})


def start_again(w):
    w.shadow("discard", "--yes")
    shutil.rmtree(w.path(".git"))


def apply_and_undo(w, applied, undone):
    """Several times: each gives the same."""
    for then, files in (("apply", applied), ("undo", undone)) * 2:
        w.shadow(then, "--yes")
        now = {path: w.read(path) if w.exists(path) else None for path in files}
        assert now == files, f"{then}: {now}"


def test_one_after_the_other(w):
    """A file that is moved to the place of one that went to a conflict stays with it, and so does the next: no text of yours is
    in the session alone."""
    begin(w)
    w.sh("rm e/x; mv d/b e/x; mv a d/b; mv y a; sed -i '3s/.*/agent/' d/b")
    w.wait_settled()
    time.sleep(0.05)
    w.write("e/x", OTHER + "user\n")
    before = {path: w.read(path) for path in ("a", "d/b", "e/x", "y")}
    assert offered(w).count("depends on") == 3, offered(w)
    done = w.shadow("apply", "--yes", "--on-conflict=skip", check=False)
    assert {path: w.read(path) for path in before} == before, done.out
    w.shadow("apply", "--yes", "--on-conflict=theirs")
    assert w.read("e/x") == TEXT.upper() and w.read("a") == OTHER.upper() and not w.exists("y")


def test_files_like_each_other(w):
    """Your edit of one of several files that are much alike goes to the new name of that one, whatever the agent has made of
    each when it moved them."""
    names = ("a", "b", "c")
    common = "".join(f"common line {n}\n" for n in range(40))
    edits = {"a": "", "b": "; seq -f 'agent %g' 6 >>n/b", "c": "; sed -i 's/^common line 3$/agent/' n/c"}
    w.git_project({f"d/{name}": common + f"only {name}\n" for name in names})
    for edited in names:
        w.sh("mv d n" + "".join(edits.values()))
        w.wait_settled()
        time.sleep(0.05)
        w.write(f"d/{edited}", w.read(f"d/{edited}").replace("line 20\n", "line 20 USER\n"))
        w.shadow("apply", "--yes")
        assert [name for name in names if "USER" in w.read(f"n/{name}")] == [edited], w.shadow("diff").out
        w.shadow("undo", "--yes")
        w.shadow("discard", "--yes")
        w.git("checkout", "-q", ".")
        w.git("clean", "-qfd")


def test_files_with_one_text(w):
    """Your edit of a file goes to no new name that may be another's with the same text: a copy's, or that of one which the
    agent has moved; it goes to its own."""
    w.git_project()
    for name in ("a", "b", "d/a", "d/b"):
        w.write(name, TEXT)
        time.sleep(0.01)
    w.git("add", "-A")
    w.git("commit", "-qm", "twins")
    for script, edited, wanted in (("rm b; cp a new", "b", None),
                                   ("mkdir n; rm d/a; mv d/b n/new", "d/a", None),
                                   ("mkdir n; rm d/a; mv d/b n/new; sed -i s/7/agent/ n/new", "d/b", None),
                                   ("mkdir n; rm d/a; mv d/b n/new", "d/b", "n/new"),
                                   ("mv d n", "d/a", "n/a")):
        w.sh(script)
        w.wait_settled()
        time.sleep(0.05)
        w.write(edited, SAVED)
        done = w.shadow("apply", "--yes", check=False)
        if wanted is None:
            assert done.returncode == CONFLICT and f"'{edited}' (changed in the project, deleted" in done.err, (script, done.err)
            assert w.read(edited) == SAVED
        else:
            assert done.returncode == 0 and w.read(wanted) == SAVED, (script, done.err)
        w.shadow("discard", "--yes", check=False)
        w.git("checkout", "-q", ".")
        w.git("clean", "-qfd")
        w.wait_settled()


def test_an_edit_taken_back(w):
    """What you take back of your own after the agent has moved the file over another one does not come back there; the
    next time neither, when you undo that: live and afterwards."""
    begin(w)
    w.write("a", SAVED)
    w.write("d/b", SAVED.upper())
    w.git("stash")
    before = {"a": TEXT, "d/b": TEXT.upper(), "e/x": OTHER, "y": OTHER.upper()}
    after = {"a": None, "d/b": None, "e/x": TEXT, "y": TEXT.upper() + "agent\n"}
    with server(w) as run:
        followed(w)
        w.git("stash", "pop")
        noted(w, "a", "d/b")
        run.do("mv a e/x; mv d/b y; echo agent >>y")
        w.git("stash")
        assert offered(w).count("which the project changed") == 2, offered(w)
        apply_and_undo(w, after, before)
    w.wait_settled()
    apply_and_undo(w, after, before)
    w.shadow("apply", "--yes")
    assert {path: w.read(path) if w.exists(path) else None for path in after} == after


def test_between_runs(w):
    """As beside one, also over a file that git does not track and one that the agent had edited."""
    begin(w)
    w.write("untracked", OTHER)
    w.sh("echo agent >>y")
    w.wait_settled()
    w.write("a", SAVED)
    w.write("d/b", SAVED.upper())
    w.sh("mv a untracked; mv d/b y")
    w.wait_settled()
    w.git("checkout", "a", "d/b")
    assert "+user" not in w.shadow("diff").out.lower(), w.shadow("diff").out
    w.shadow("apply", "--yes")
    assert w.read("untracked") == TEXT and w.read("y") == TEXT.upper() and not w.exists("a") and not w.exists("d/b")


def test_over_a_name_that_comes_back(w):
    """Also over one that you had deleted by then, and that is there again with what you take back."""
    begin(w)
    w.write("a", SAVED)
    w.git("commit", "-qam", "more")
    w.git("checkout", "-q", "HEAD~1")
    with server(w) as run:
        followed(w)
        w.git("checkout", "-q", "-")
        noted(w, "a")
        shutil.rmtree(w.path("e"))
        seen(run, "ls e 2>&1 || :", "ls: cannot access 'e': No such file or directory\n")
        run.do("mkdir e; mv a e/x")
        w.git("checkout", "-q", ".")
        w.git("checkout", "-q", "HEAD~1")
        w.shadow("apply", "--yes")
        assert w.read("e/x") == TEXT and not w.exists("a")


def test_an_edit(w):
    """What you save at the old name after that goes with the file, or is a conflict of both names."""
    begin(w)
    w.sh("mv a e/x; sed -i '1s/$/ agent/' e/x")
    w.wait_settled()
    w.write("a", SAVED)
    assert "e/x  (was a, which the project changed)" in offered(w), offered(w)
    apply_and_undo(w, {"a": None, "e/x": SAVED.replace("0\n", "0 agent\n", 1)}, {"a": SAVED, "e/x": OTHER})
    clash = SAVED.replace("line 0\n", "")
    w.write("a", clash)
    assert "a  (conflict: the same lines were changed on both sides; it became e/x)" in offered(w), offered(w)
    assert w.shadow("apply", "--yes", check=False).returncode == CONFLICT
    w.shadow("apply", "--yes", "--on-conflict=skip", check=False)
    assert w.read("a") == clash and w.read("e/x") == OTHER
    w.shadow("apply", "--yes", "--on-conflict=theirs")
    assert not w.exists("a") and w.read("e/x") == TEXT.replace("0\n", "0 agent\n", 1)


def test_refreshed(w):
    """A refresh puts the merge into the session."""
    begin(w)
    w.sh("mv a e/x; echo agent >>e/x")
    w.wait_settled()
    w.write("a", SAVED)
    w.shadow("refresh")
    assert w.sh("cat e/x").out == SAVED + "agent\n"
    w.shadow("apply", "--yes")
    assert w.read("e/x") == SAVED + "agent\n" and not w.exists("a")


def test_an_edit_alone(w):
    """Where the agent has only moved the file it is your version that comes, with the mode that you gave it."""
    begin(w)
    w.sh("mv a e/x")
    w.wait_settled()
    w.write("a", SAVED)
    os.chmod(w.path("a"), 0o755)
    w.shadow("apply", "--yes")
    assert w.read("e/x") == SAVED and not w.exists("a") and os.stat(w.path("e/x")).st_mode & 0o777 == 0o755


def test_picked(w):
    """With -p it is the merge that is asked about; what is left out of it stays in the session."""
    begin(w)
    w.sh("mv a e/x; echo agent >>e/x")
    w.wait_settled()
    w.write("a", SAVED)
    done = w.shadow("apply", "-p", stdin=b"y\n" * 20)
    assert "+user" in done.out and w.read("e/x") == SAVED + "agent\n" and not w.exists("a"), done.out
    w.shadow("undo", "--yes")
    w.shadow("apply", "-p", stdin=b"n\n" * 20, check=False)
    assert w.read("e/x") == OTHER and w.read("a") == SAVED
    assert "e/x  (was a, which the project changed)" in offered(w), offered(w)


def taken_back(w, *paths, said=""):
    for path in paths:
        assert f"  {path}  ({said}conflict: the session's version takes a change of the project's back)" in offered(w), offered(w)
    assert w.shadow("apply", "--yes", check=False).returncode == CONFLICT


def test_a_deletion(w):
    """A file that you delete after that is a conflict where it has come, until you bring it back."""
    begin(w)
    w.sh("mv a e/x; mv d/b y; echo agent >>y")
    w.wait_settled()
    os.unlink(w.path("a"))
    os.unlink(w.path("d/b"))
    taken_back(w, "e/x", "y")
    w.shadow("apply", "--yes", "--on-conflict=skip", check=False)
    assert w.read("e/x") == OTHER and w.read("y") == OTHER.upper()
    w.shadow("refresh", check=False)
    taken_back(w, "e/x", "y")
    w.git("checkout", "d/b")
    w.shadow("apply", "--yes", "y", "d/b")
    assert w.read("y") == TEXT.upper() + "agent\n" and not w.exists("d/b")
    w.shadow("apply", "--yes", "--on-conflict=theirs")
    assert w.read("e/x") == TEXT


def test_deleted_first(w):
    """So is one that you delete while the agent works on it, and that it moves then: also over a name that you had
    deleted, too, and bring back."""
    begin(w)
    with server(w) as run:
        followed(w)
        run.do("echo agent >>a; echo agent >>d/b")
        harness.wait_until(lambda: "a" in offered(w), what="the agent's changes")
        for path in ("a", "d/b", "y"):
            os.unlink(w.path(path))
        seen(run, "cat y 2>/dev/null || :", "")
        run.do("mv a e/x; mv d/b y")
        w.git("checkout", "y")
        taken_back(w, "e/x", "y")
    w.wait_settled()
    taken_back(w, "e/x", "y")


def test_an_edit_of_both(w):
    """An edit of yours at the name that the agent has moved a file over, and one that you take back at the old name,
    do not go together: a conflict."""
    begin(w)
    w.run("true")
    w.wait_settled()
    w.write("e/x", OTHER + "user\n")
    time.sleep(0.1)
    w.write("a", SAVED)
    time.sleep(0.1)
    w.sh("mv a e/x")
    w.wait_settled()
    w.git("checkout", "a")
    taken_back(w, "e/x")
    w.shadow("apply", "--yes", "--on-conflict=skip", check=False)
    assert w.read("a") == TEXT and w.read("e/x") == OTHER + "user\n"


def test_over_a_link(w):
    """Over something that is no file it is a conflict, too."""
    begin(w)
    for name in ("link", "other"):
        os.symlink("z", w.path(name))
    w.run("true")
    w.wait_settled()
    w.write("a", SAVED)
    w.sh("mv a link; mv d/b other")
    w.wait_settled()
    w.git("checkout", "a")
    os.unlink(w.path("d/b"))
    taken_back(w, "link", "other", said="symlink became file; ")
    w.shadow("apply", "--yes", "--on-conflict=skip", check=False)
    assert w.read("a") == TEXT and os.path.islink(w.path("link")) and os.path.islink(w.path("other"))


def test_no_move(w):
    """What the agent makes of a file by itself is its own, whatever you do with a like one."""
    begin(w, like=OTHER + "like\n")
    # A copy; another text beside a deletion; an edit of a file beside the deletion of one that is like it.
    for command in ("cat a >y; echo agent >>a", "seq 30 >y; rm a", "echo agent >>e/x; rm like"):
        w.sh(command)
        w.wait_settled()
        for path in ("a", "like"):
            if not command.startswith("cat"):
                os.unlink(w.path(path))
        if command.startswith("cat"):
            w.write("a", SAVED)
        expected = w.sh("cat y e/x").out
        assert "conflict" not in offered(w) and "was" not in offered(w), offered(w)
        w.shadow("apply", "--yes")
        assert w.read("y") + w.read("e/x") == expected
        start_again(w)
        begin(w, like=OTHER + "like\n")


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
