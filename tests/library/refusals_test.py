# SPDX-License-Identifier: MIT
"""What the command line refuses, libshadow refuses: with a kind, and nothing written."""

import os
import sys
import time

import harness
from binding import OURS, SKIP, STOP, THEIRS, Session, fails

TEXT = "".join(f"{n}\n" for n in range(1, 20))


def refused(w, kind, session, **options):
    before = harness.walk(w.project)
    failure = fails(kind, session.apply, **options)
    assert harness.walk(w.project) == before and not failure.written, failure
    return failure


def session_with(w, script, files=None, agent="agent"):
    w.git_project(files or {"a.txt": TEXT, "b.txt": "b\n"})
    time.sleep(0.03)
    session = Session(w, agent)
    assert session.run("true") == 0
    w.wait_settled()
    assert session.sh(script) == 0
    return session


def test_no_session(w):
    """Before anything was run for an agent, every call says that there is no session."""
    session = Session(w)
    for call in (session.changes, session.patch, session.apply):
        failure = fails("no-session", call)
        assert "agent" in failure.message and w.project in failure.message, failure.message
    fails("nothing", session.undo)
    assert session.run("true") == 0
    assert session.changes() == [] and session.patch() == "" and session.apply().id == 0
    fails("no-session", Session(w, "another").changes)


def test_conflict(w):
    """A conflict is told as data, refuses the whole apply, and goes as I say."""
    session = session_with(w, "sed -i 's/^5$/agent/' a.txt; echo more >>b.txt")
    w.write("a.txt", TEXT.replace("5\n", "user\n", 1))
    rows = {path: conflict for _, path, _, _, conflict in session.changes()}
    assert rows["a.txt"] and not rows["b.txt"], rows
    assert "a.txt" not in session.patch() and "b.txt" in session.patch()
    for how in (0, STOP):
        failure = refused(w, "conflict", session, on_conflict=how)
        assert failure.paths == ["a.txt"], failure.paths
    refused(w, "conflict", session, dry_run=1)
    assert session.apply(on_conflict=SKIP).paths == 1
    assert w.read("b.txt") == "b\nmore\n" and "user" in w.read("a.txt")
    assert session.apply(on_conflict=OURS).paths == 0
    assert session.apply(on_conflict=THEIRS, paths=["a.txt"]).paths == 1
    assert w.read("a.txt") == TEXT.replace("5\n", "agent\n", 1)


def test_sensitive(w):
    """What would run by itself on my side stops an apply until I allow just that, or leave it out."""
    session = session_with(w, "mkdir .vscode; echo {} >.vscode/tasks.json; echo x >.envrc; echo c >c.txt")
    rows = {path: sensitive for _, path, _, sensitive, _ in session.changes()}
    assert rows[".vscode/tasks.json"] and rows[".envrc"] and not rows["c.txt"], rows
    failure = refused(w, "sensitive", session)
    assert sorted(failure.paths) == [".envrc", ".vscode/tasks.json"], failure.paths
    failure = refused(w, "sensitive", session, allow_sensitive_at=[".vscode"])
    assert failure.paths == [".envrc"], failure.paths
    refused(w, "invalid", session, allow_sensitive_at=[".vscode/../.envrc"])
    session.apply(skip_sensitive=1)
    assert os.path.exists(w.path("c.txt")) and not os.path.exists(w.path(".envrc"))
    session.apply(allow_sensitive_at=[".envrc"], paths=[".envrc"])
    assert os.path.exists(w.path(".envrc")) and not os.path.exists(w.path(".vscode"))


def test_unseen(w):
    """What changed after its patch was taken is not written, by whichever way it was shown."""
    session = session_with(w, "echo shown >b.txt")
    assert "+shown" in session.patch()
    assert session.sh("echo another >b.txt") == 0
    assert refused(w, "unseen", session).paths == ["b.txt"]
    refused(w, "unseen", session, dry_run=1)
    assert w.shadow("--as", "agent", "apply", "--yes", check=False).returncode == 4
    w.shadow("--as", "agent", "diff")
    assert session.sh("echo third >b.txt") == 0
    refused(w, "unseen", session)
    assert session.apply(unseen=1).paths == 1 and w.read("b.txt") == "third\n"


def test_unseen_commits(w):
    """What was committed after the commits were shown moves no branch."""
    session = session_with(w, "echo two >>a.txt; git -c user.name=a -c user.email=a@b commit -qam two", {"a.txt": "one\n"})
    tip = w.git("rev-parse", "HEAD").stdout
    w.shadow("--as", "agent", "diff", "--commits", "-p")
    assert session.sh("echo three >>a.txt; git -c user.name=a -c user.email=a@b commit -qam three") == 0
    w.shadow("--as", "agent", "diff")
    refused(w, "unseen", session)
    assert w.git("rev-parse", "HEAD").stdout == tip
    session.apply(unseen=1)
    assert w.git("rev-parse", "HEAD").stdout != tip and w.read("a.txt") == "one\ntwo\nthree\n"


def test_paths_are_names(w):
    """A path is a name, whatever is in it, and nothing but that is written."""
    session = session_with(w, "for f in 'x*' xy ':!n' ' '; do echo 1 >\"$f\"; done; mkdir d; echo 1 >d/e")
    assert [row[1] for row in session.changes(["x*"])] == ["x*"]
    assert "xy" not in session.patch(["x*", " "])
    assert session.apply(paths=["x*"]).paths == 1
    assert os.path.exists(w.path("x*")) and not os.path.exists(w.path("xy"))
    assert session.apply(paths=["d", ":!n"]).paths == 3
    for paths in ([], [""], ["/etc"], ["../a"], ["d/../xy"], ["./xy"], ["d//e"], ["xy/"]):
        refused(w, "invalid", session, paths=paths)
    for call in (session.changes, session.patch):
        assert fails("nothing", call, ["nowhere"]).paths == ["nowhere"]
    refused(w, "nothing", session, paths=["nowhere"])


def test_undo(w):
    """An undo takes back what still is as it was written, and says what it left."""
    session = session_with(w, "echo 1 >>a.txt; echo 1 >>b.txt")
    done = session.apply()
    assert done.paths == 2
    w.write("b.txt", "mine\n")
    undone = session.undo(done.id)
    assert (undone.of, undone.paths, undone.kept) == (done.id, 1, 1), (undone.of, undone.paths, undone.kept)
    assert w.read("a.txt") == TEXT and w.read("b.txt") == "mine\n"
    again = session.undo(done.id)
    assert (again.paths, again.kept) == (0, 1) and w.read("b.txt") == "mine\n", (again.paths, again.kept)
    fails("nothing", session.undo, 99)
    fails("nothing", Session(w, "another").undo, undone.id)
    assert session.undo(undone.id).paths == 1 and w.read("a.txt").endswith("19\n1\n")
    fails("nothing", session.undo, undone.id)


def test_interrupted_apply(w):
    """An apply that was interrupted by a kill is finished or rolled back by the next call, which says so."""
    session = session_with(w, "for n in 1 2 3; do echo new >n$n; done")
    for number in range(1, 60):
        done = w.shadow("--as", "agent", "apply", "--yes", check=False, env={"SHADOW_FAIL": f"*:{number}=kill"})
        session.notes.clear()
        changes = session.changes()
        there = [os.path.exists(w.path(f"n{n}")) for n in (1, 2, 3)]
        assert all(there) or not any(there), (number, there)
        if session.notes:
            assert "interrupted apply" in session.notes[0], session.notes
            assert any(there) == (not changes), (number, there, changes)
            return
        assert done.returncode != 0, f"no apply was interrupted up to {number}"
    raise AssertionError("no note")


def test_invalid(w):
    """What has no meaning is refused before anything is done."""
    for agent, project in (("", None), ("agent", "/"), ("agent", w.home), ("agent", w.tmp)):
        fails("invalid", Session, w, agent, project)
    fails("system", Session, w, "agent", w.path("nowhere"))
    fails("invalid", Session, w, "agent", None, "relative")
    session = Session(w)
    fails("invalid", session.run)
    for word in ("--", "true", "-C/", "--as=other", "--as"):
        fails("invalid", session.run, "true", policy=[word])
    assert not os.path.exists(os.path.join(w.state, "shadow.db")) or "other" not in w.shadow("list").out
    assert session.sh("exit 3") == 3 and session.run("nowhere-to-be-found") == 127


if __name__ == "__main__":
    harness.main(sys.modules["__main__"])
