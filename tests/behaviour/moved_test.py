# SPDX-License-Identifier: MIT
"""What the agent moves and the user deletes, or moves elsewhere, does not come back under its new name unasked."""

import glob
import os
import shutil
import subprocess
import sys
import time

import harness
from applies import CONFLICT
from following import followed, seen, noted
from live_server import server

TEXT = "".join(f"line {n}\n" for n in range(20))


def begin(w):
    w.git_project({"d/a": TEXT, "d/b": "other\n", "tree/one": TEXT.upper(), "tree/two": "2\n" * 9,
                   "solo/one": TEXT.upper() * 2, "beside": "b\n" * 5})


def in_conflict(w, *paths):
    shown = {line.split("  ")[2]: line for line in w.shadow("status").out.splitlines() if line.startswith("  A  ")}
    assert set(shown) >= set(paths), shown
    for path, line in shown.items():
        assert ("conflict: deleted in the project" in line) == (path in paths), line
    refused = w.shadow("apply", "--yes", check=False)
    assert refused.returncode == CONFLICT, refused
    assert not any(w.exists(path) for path in paths)


def moved(w, command, user):
    begin(w)
    w.sh(command)
    w.wait_settled()
    user()


def test_a_file(w):
    """Also with an edit, whatever else the session deletes or makes."""
    moved(w, "mv d/a x; echo more >>x; rm beside; echo new >y", lambda: os.unlink(w.path("d/a")))
    in_conflict(w, "x")
    w.shadow("apply", "--yes", "--on-conflict=skip")
    assert w.read("y") == "new\n" and not w.exists("x") and not w.exists("beside")
    in_conflict(w, "x")
    w.shadow("apply", "--yes", "--on-conflict=theirs")
    assert w.read("x") == TEXT + "more\n" and not w.exists("d/a")


def test_a_directory(w):
    """Each of its files is in conflict, and stays so when the session is used on."""
    moved(w, "mv tree wood", lambda: shutil.rmtree(w.path("tree")))
    in_conflict(w, "wood/one", "wood/two")
    w.sh("echo z >z")
    w.wait_settled()
    in_conflict(w, "wood/one", "wood/two")
    assert w.shadow("refresh", check=False).returncode == CONFLICT
    in_conflict(w, "wood/one", "wood/two")
    w.shadow("apply", "--yes", "--on-conflict=ours")
    assert not w.exists("wood") and w.read("z") == "z\n"


def test_a_directory_that_the_session_deletes(w):
    """Also in part: what it moved out of it is in conflict where the user has deleted that, whatever else was in it."""
    for command in ("mv tree/one x; rm -r tree", "mv tree/one x; rm -r tree; mkdir tree; echo new >tree/new",
                    "mv tree/one x; rm -r tree; echo file >tree"):
        moved(w, command, lambda: os.unlink(w.path("tree/one")))
        in_conflict(w, "x")
        w.shadow("discard", "--yes")
        shutil.rmtree(w.path(".git"))


def test_of_a_removed_directory_that_you_edited(w):
    """A move out of a directory that the agent then makes anew is merged with your edit of the file, though nobody has
    looked before that."""
    begin(w)
    with server(w) as run:
        followed(w)
        run.do("echo more >>tree/one; mv tree/one x")
        edited = w.read("tree/one").replace("LINE 7\n", "")
        w.write("tree/one", edited)
        run.do("rm -r tree; mkdir tree; echo new >tree/two")
        w.shadow("apply", "--yes")
        assert w.read("x") == edited + "more\n" and not w.exists("tree/one"), w.shadow("status").out


def test_in_its_place(w):
    """Also where the agent has put something else in its old place."""
    for command in ("mv d/a tree/x; ln -s b d/a", "sed -i 1d d/a; mv d/a tree/x; ln -s b d/a", "mv d/a tree/x; echo new >d/a",
                    "mv d/a tree/x; mkdir d/a; echo new >d/a/b"):
        moved(w, command, lambda: os.unlink(w.path("d/a")))
        offer = w.shadow("status").out
        assert "A  tree/x  (conflict: deleted in the project" in offer, offer
        w.shadow("apply", "--yes", "--on-conflict=skip", check=False)
        assert not w.exists("tree/x")
        w.shadow("discard", "--yes")
        shutil.rmtree(w.path(".git"))


def test_replaced_by_the_user(w):
    """Also where you have put a directory or a link in its old place, or in that of the directory that it lay in."""

    def directory():
        os.unlink(w.path("d/a"))
        w.write("d/a/new", "user\n")

    def link():
        os.unlink(w.path("d/a"))
        os.symlink("b", w.path("d/a"))

    def file_above():
        shutil.rmtree(w.path("d"))
        w.write("d", "user\n")

    for command in ("mv d/a x", "mv d/a x; echo more >>x; rm -r d", "mv d/a x; ln -s ../beside d/a",
                    "mv d/a x; echo new >d/a"):
        for user in (directory, link, file_above):
            moved(w, command, user)
            offer = w.shadow("status").out
            assert "A  x  (conflict: deleted in the project" in offer, (command, user, offer)
            w.shadow("apply", "--yes", "--on-conflict=skip", check=False)
            assert not w.exists("x"), (command, user)
            w.shadow("apply", "--yes", "--on-conflict=theirs", "x")
            assert w.read("x").startswith(TEXT), (command, user)
            w.shadow("discard", "--yes", check=False)
            shutil.rmtree(w.path(".git"))
            os.unlink(w.path("x"))
            (os.unlink if user is file_above else shutil.rmtree)(w.path("d"))


def test_replaced_beside_a_run(w):
    """Also a file that you made in the place of a directory beside a live run, once the directory is there again."""
    begin(w)
    with server(w) as run:
        followed(w)
        shutil.rmtree(w.path("tree"))
        w.write("tree", "user\n")
        noted(w, "tree")
        run.do("mv tree x; echo more >>x")
        w.git("stash")
        in_conflict(w, "x")
    w.wait_settled()
    in_conflict(w, "x")
    w.shadow("apply", "--yes", "--on-conflict=ours")
    assert not w.exists("x") and w.exists("tree/one")


def test_too_large_to_be_kept(w):
    """A file of which no text is kept, in a directory, is known by its size and time."""
    begin(w)
    large = b"0123456789abcde\n" * (9 << 16)
    w.write("d/large", large)
    w.git("add", "-A")
    w.git("commit", "-qm", "large")
    w.sh("mv d/large tree/x; mv solo/one tree/y")
    w.wait_settled()
    os.unlink(w.path("d/large"))
    in_conflict(w, "tree/x")


def test_written_anew_first(w):
    """A file that the agent wrote anew in one run, you deleted or put something else in the place of, and it moved in the next."""
    for user in ("rm d/a", "rm -r d; echo user >d", "rm d/a; mkdir d/a; echo user >d/a/new"):
        begin(w)
        w.run("sed", "-i", "$d", "d/a")
        w.wait_settled()
        subprocess.run(["sh", "-c", user], cwd=w.project, check=True)
        w.run("mv", "d/a", "x")
        w.run("sh", "-c", "echo own >new")
        w.wait_settled()
        offer = w.shadow("status").out
        assert "A  x  (conflict: deleted in the project" in offer and "A  new\n" in offer, (user, offer)
        w.shadow("discard", "--yes")
        shutil.rmtree(w.path(".git"))
        (os.unlink if os.path.isfile(w.path("d")) else shutil.rmtree)(w.path("d"))


def test_elsewhere(w):
    """A file that both moved, each to another name."""
    moved(w, "mv d/a x", lambda: os.rename(w.path("d/a"), w.path("d/c")))
    in_conflict(w, "x")


def test_live(w):
    """As in an idle session."""
    begin(w)
    run = w.start("run", "--", "sh", "-c", "mv d/a x; echo ready; read -r x", stdin=subprocess.PIPE,
                  stdout=subprocess.PIPE)
    assert run.stdout.readline() == b"ready\n"
    harness.wait_until(lambda: glob.glob(w.state + "/sessions/*/base-tree"), what="the base tree")
    os.unlink(w.path("d/a"))
    in_conflict(w, "x")
    run.communicate(b"\n")
    in_conflict(w, "x")


def test_a_directory_of_a_live_run(w):
    """It is in conflict after the run has followed that the directory has gone, and after the run's end."""
    begin(w)
    with server(w) as run:
        run.do("mv solo/one x")
        followed(w)
        shutil.rmtree(w.path("solo"))
        w.write("later", "seen\n")
        seen(run, "cat later || true", "seen\n")
        time.sleep(3 * harness.TIME_FACTOR)
    w.wait_settled()
    in_conflict(w, "x")


def test_what_was_applied(w):
    """A file that an apply has brought, and a live run moves, is in conflict when you put another thing in the place of
    its directory; before and after the run has followed that, and after its end."""
    begin(w)
    with server(w) as run:
        run.do("echo more >>solo/one")
        followed(w)
        w.shadow("apply", "--yes")
        run.do("mv solo/one x; rm beside")
        shutil.rmtree(w.path("solo"))
        w.write("solo", "a file\n")
        in_conflict(w, "x")
        w.write("later", "seen\n")
        seen(run, "cat later || true", "seen\n")
        time.sleep(3 * harness.TIME_FACTOR)
        in_conflict(w, "x")
    w.wait_settled()
    in_conflict(w, "x")


def test_deleted_first(w):
    """A file that the agent works on, you delete, and the agent moves then, is in conflict: also one that you made
    beside the run, where somebody has looked in between."""
    for look, moved_to in ((True, ("tree/x", "tree/y", "tree/z")), (False, ("tree/x", "tree/y"))):
        begin(w)
        w.write("made", TEXT.title())
        with server(w) as run:
            followed(w)
            w.write("later", TEXT.swapcase() * 2)
            noted(w, "later")
            run.do("for f in d/a made later; do echo more >>$f; done")
            if look:
                w.shadow("status")
            for path in ("d/a", "made", "later"):
                os.unlink(w.path(path))
            w.write("mark", f"{look}\n")
            seen(run, "cat mark || true", f"{look}\n")
            run.do("mv d/a tree/x; mv made tree/y" + ("; mv later tree/z" if look else "; rm later"))
            in_conflict(w, *moved_to)
        w.wait_settled()
        in_conflict(w, *moved_to)
        assert w.shadow("refresh", check=False).returncode == CONFLICT
        in_conflict(w, *moved_to)
        w.shadow("discard", "--yes")
        shutil.rmtree(w.path(".git"))


def test_an_edit_taken_back(w):
    """What you take back of your own after the agent has moved the file does not come back under its new name; the next
    time neither, when you undo that: live and afterwards."""
    begin(w)
    for path in ("d/a", "solo/one"):
        w.write(path, w.read(path).replace("5\n", "5\nuser\n", 1))
    w.git("stash")

    def apply_and_undo(*words):
        for then in words:
            w.shadow(then, "--yes")
            assert w.exists("d/a") == w.exists("solo/one") == (then == "undo")
            if then == "apply":
                assert w.read("x") == TEXT and w.read("y") == TEXT.upper() * 2 + "agent\n", w.read("x") + w.read("y")

    with server(w) as run:
        followed(w)
        w.git("stash", "pop")
        noted(w, "d/a", "solo/one")
        run.do("mv d/a x; mv solo/one y; echo agent >>y")
        w.shadow("status")
        w.git("stash")
        apply_and_undo("apply", "undo", "apply", "undo")
    w.wait_settled()
    apply_and_undo("apply", "undo", "apply")


def test_moved_beside_a_deletion(w):
    """What the agent moves is its own where you delete a like file, or one that it has copied."""
    begin(w)
    w.write("like", TEXT)
    with server(w) as run:
        run.do("mv d/a x; echo more >>d/b; cp d/b y")
        os.unlink(w.path("like"))
        os.unlink(w.path("d/b"))
        run.do("rm d/b")
        assert "conflict" not in w.shadow("status").out, w.shadow("status").out
        w.shadow("apply", "--yes")
    assert w.read("x") == TEXT and w.read("y") == "other\nmore\n" and not w.exists("d/a")


def test_half_applied(w):
    """Where you have taken the deletion of the old name alone, the new one is no conflict: live and afterwards."""
    begin(w)
    with server(w) as run:
        followed(w)
        w.write("d/a", TEXT + "user\n")
        run.do("mv d/a x")
        w.shadow("apply", "--yes", "--on-conflict=theirs", "d/a")
        assert "conflict" not in w.shadow("status").out, w.shadow("status").out
    w.wait_settled()
    assert "conflict" not in w.shadow("status").out, w.shadow("status").out


def test_not_moved(w):
    """A copy of what the user deletes is something new; so is a like file, once the move was applied."""
    moved(w, "cp d/a x", lambda: os.unlink(w.path("d/a")))
    w.shadow("apply", "--yes")
    assert w.read("x") == TEXT
    w.sh("mv x y")
    w.shadow("apply", "--yes")
    os.unlink(w.path("y"))
    w.write("made", TEXT)
    w.sh("cp made z")
    w.wait_settled()
    w.shadow("apply", "--yes")
    assert w.read("z") == TEXT and not w.exists("y")


def test_like_another(w):
    """What the agent moves is not taken for a like file that both deleted."""
    begin(w)
    w.write("d/like", TEXT + "its own\n" * 3)
    w.git("add", "-A")
    w.git("commit", "-qm", "more")
    w.sh("rm d/a; mv d/like x; echo more >>x")
    w.wait_settled()
    os.unlink(w.path("d/a"))
    w.shadow("apply", "--yes")
    assert w.read("x") == TEXT + "its own\n" * 3 + "more\n" and not w.exists("d/like")


def test_brought_back(w):
    """A move is one again when the user brings the file back."""
    moved(w, "mv d/a x", lambda: os.unlink(w.path("d/a")))
    in_conflict(w, "x")
    w.git("checkout", "-q", "d/a")
    w.shadow("apply", "--yes", "--unseen")
    assert w.read("x") == TEXT and not w.exists("d/a")


def test_back_with_an_edit(w):
    """What the user has moved, and the agent moves back and edits, stays where it is until the conflict is settled, also
    where the user has put something else at the old name."""
    for other in (None, "mine\n" * 9):
        begin(w)
        w.run("true")
        w.wait_settled()
        os.rename(w.path("d/a"), w.path("x"))
        if other:
            w.write("d/a", other)
        w.sh("mv x d/a")
        w.sh("sed -i 3i+edit d/a")
        w.wait_settled()
        assert "  D  x  (depends on 'd/a')" in w.shadow("status").out, w.shadow("status").out
        w.shadow("apply", "--yes", "--on-conflict=skip", check=False)
        assert w.read("x") == TEXT
        w.shadow("discard", "--yes")


def test_put_back_in_a_live_run(w):
    """A stash of the agent's that puts back what you have moved leaves it at its new name, also while it is followed."""
    begin(w)
    w.sh("sed -i 3s/^/agent/ d/a")
    w.wait_settled()
    with server(w) as run:
        followed(w)
        os.rename(w.path("d"), w.path("e"))
        seen(run, "ls e", "a\nb\n")
        run.do("git add -A; git stash -q")
        time.sleep(0.6 * harness.TIME_FACTOR)
        said = w.shadow("status").out
        assert "  D  e/a  (depends on 'd/a')" in said and run.do("cat d/a") == TEXT, said
        w.shadow("apply", "--yes", "--on-conflict=skip", check=False)
    assert w.read("e/a") == TEXT


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
