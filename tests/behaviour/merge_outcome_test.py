# SPDX-License-Identifier: MIT
"""What an apply makes of a conflict as it was told to, and what is left when it fails or is undone."""

import json
import os
import shutil
import sys
import time

import harness
from applies import apply, lines, refused
from following import followed, seen
from harness import Skip, difference, walk
from live_server import server
from merges import check_same, edit_agent, edit_user, known


def test_markers(w):
    """Lines that both changed are written side by side when asked for; status is empty then."""
    known(w)
    edit_agent(w, lines(l5="agent"))
    edit_user(w, lines(l5="user", l25="user"))
    assert "the same lines" in refused(w, "merge")
    done = apply(w, "markers")
    assert "conflict markers are in" in done.out and "F" in done.out
    text = w.read("F")
    wanted = ("<<<<<<< project\nuser\n||||||| base\n5\n=======\nagent\n"
              ">>>>>>> session: default\n")
    assert wanted in text and "user\n26" in text
    check_same(w)
    w.shadow("undo")
    assert w.read("F") == lines(l5="user", l25="user")


def test_ours_and_theirs(w):
    """ours keeps the project's file and leaves the session's there; theirs writes the session's."""
    known(w, G="g\n")
    w.run("sh", "-c", "echo agent >>G; sed -i s/^5$/agent/ F")
    w.wait_settled()
    edit_user(w, lines(l5="user"))
    done = apply(w, "ours")
    assert w.read("F") == lines(l5="user") and w.read("G") == "g\nagent\n"
    assert "the project's version stays" in done.out
    assert w.run("sed", "-n", "5p", "F").out == "agent\n"
    w.wait_settled()
    refused(w)
    apply(w, "theirs")
    assert w.read("F") == lines(l5="agent")
    check_same(w)
    w.shadow("undo")
    assert w.read("F") == lines(l5="user")


def test_skip(w):
    """What goes together is applied, with the directories that lead there; a conflict stays, and is named."""
    known(w, "F", "G", "target", **{"d/h": "h\n", "kept": "k\n", "old": lines(l9="old")})
    w.sh("sed -i s/^20$/agent/ F; sed -i s/^5$/agent/ G; mkdir -p n/m; echo n >n/m/x; rm d/h; rmdir d;"
         "mv old target; ln G linked; echo one >one; echo agent >kept")
    w.wait_settled()
    w.write("F", lines(l5="user"))
    w.write("G", lines(l5="user"))
    w.write("target", lines(l9="user"))
    w.write("kept", "user\n")
    os.unlink(w.path("kept"))
    refused(w, "merge")
    done = apply(w, "skip")
    said = done.err
    assert "G" not in done.out.split() and "kept" not in done.out.split(), done.out
    assert w.read("F") == lines(l5="user", l20="agent") and w.read("n/m/x") == "n\n"
    assert not os.path.exists(w.path("d")) and w.read("one") == "one\n"
    for name in ("G", "target", "kept"):
        assert f"left in the session: '{name}' (" in said, said
    # The other half of what stays, and the other name.
    assert w.read("old") == lines(l9="old") and not os.path.exists(w.path("linked"))
    assert w.read("G") == lines(l5="user") and w.read("target") == lines(l9="user")
    left = {one["path"] for one in json.loads(w.shadow("status", "--json").out)["changes"]}
    assert left == {"G", "target", "kept", "old", "linked"}, left
    # Now there is nothing that goes together.
    assert "nothing was written" in refused(w, "skip")
    apply(w, "theirs")
    assert w.read("target") == lines(l9="old") and not os.path.exists(w.path("old"))
    assert w.read("kept") == "agent\n" and w.read("linked") == w.read("G") == lines(l5="agent")
    check_same(w)


def test_skip_of_a_move_below_a_conflict(w):
    """What was moved to a place below a conflict keeps its old name, and its text is in the project."""
    known(w, f=lines(), **{"to/kept": "k\n", "to.b": "b\n"})
    w.sh("mkdir to/new; mv f to/new/f; echo agent >>to/kept; echo agent >to.b")
    w.wait_settled()
    shutil.rmtree(w.path("to"))
    w.write("to", "user\n")
    w.write("to.b", "user\n")
    said = apply(w, "skip", check=False).err
    assert w.read("f") == lines() and w.read("to") == "user\n", said
    left = {one["path"] for one in json.loads(w.shadow("status", "--json").out)["changes"]}
    assert {"f", "to/new/f"} <= left, left


def test_skip_of_a_move_over_a_conflict(w):
    """What was moved over a file in conflict stays in the project, also where the agent has made something else at its
    old name; a file that was only edited is applied, though it is much like the one in conflict."""
    known(w, f=lines(), edited="".join(f"edited {n}\n" for n in range(20)))
    w.sh("mv F G; echo agent >F; sed -i s/^5$/agent/ f; sed -i '$d' edited; cp edited new")
    w.wait_settled()
    w.write("G", "user\n")
    said = apply(w, "skip", check=False).err
    assert "'G'" in said and w.read("F") == lines() and w.read("G") == "user\n", said
    assert w.read("f") == lines(l5="agent") and w.read("new") == w.read("edited"), said
    left = {one["path"] for one in json.loads(w.shadow("status", "--json").out)["changes"]}
    assert left == {"F", "G"}, left


def test_skip_beside_a_live_run(w):
    """The same while the run goes on, and by path."""
    w.write("F", lines())
    w.write("G", lines())
    w.run("true")
    w.wait_settled()
    live = w.start("run", "--", "sh", "-c", "sed -i s/^5$/agent/ F G; echo n >n; echo; read line",
                   stdin=-1, stdout=-1)
    try:
        live.stdout.readline()
        w.write("G", lines(l5="user"))
        assert "'G'" in apply(w, "skip").err
        assert w.read("F") == lines(l5="agent") and w.read("n") == "n\n"
        assert w.read("G") == lines(l5="user")
        assert "'G'" in w.shadow("apply", "--yes", "--on-conflict=skip", "G", check=False).err
    finally:
        live.communicate(b"go\n", timeout=30)


def test_undo_of_a_merge(w):
    """An undo gives the user's version back to the project and the session its own; an undo of that, the merge."""
    known(w)
    edit_agent(w, lines(l20="agent"))
    edit_user(w, lines(l5="user"))
    apply(w, "merge")
    w.shadow("undo")
    assert w.read("F") == lines(l5="user")
    assert w.run("cat", "F").out == lines(l20="agent")
    w.wait_settled()
    newest = json.loads(w.shadow("undo", "--list", "--json").out)["applies"][0]
    assert newest["kind"] == "undo"
    w.shadow("undo", str(newest["id"]))
    assert w.read("F") == lines(l5="user", l20="agent")
    check_same(w)


def undo_of_what_was_made_from_an_edit(w, live):
    w.git_project({"F": lines(), "G": lines(), "gone": lines(), "bin": "\0old"})
    known(w)
    edit_user(w, lines(l5="user"))
    for name, text in (("G", lines(l5="user")), ("gone", lines(l5="user")), ("bin", "\0user"), ("new", "user\n")):
        w.write(name, text)
    harness.time.sleep(0.05)
    change = "sed -i 5s/user/agent/ F; sed -i 6s/6/agent/ G; rm gone; printf '\\0agent' >bin; echo agent >new"
    run = w.start("run", "--", "sh", "-c", change + "; echo; read line", stdin=-1, stdout=-1)
    run.stdout.readline()
    if not live:
        run.communicate(b"go\n", timeout=30)
        w.wait_settled()
    shown, before = w.shadow("status").out, walk(w.project)
    assert "conflict" not in shown and "replaces what the project changed" in shown, shown
    apply(w)
    after = walk(w.project)
    w.shadow("undo")
    assert walk(w.project) == before, difference(walk(w.project), before)
    apply(w)
    assert walk(w.project) == after, difference(walk(w.project), after)
    w.shadow("undo")
    edit_user(w, lines(l5="user", l20="later"))
    apply(w)
    assert w.read("F") == lines(l5="agent", l20="later")
    if live:
        run.communicate(b"go\n", timeout=30)


def test_undo_of_what_was_made_from_an_edit(w):
    """The agent went on from your edits, and that was applied and undone: it applies again as it did, without a
    conflict, and your next edit then counts as yours."""
    undo_of_what_was_made_from_an_edit(w, live=False)


def test_undo_of_what_a_live_run_made_from_an_edit(w):
    """The same while the run goes on."""
    undo_of_what_was_made_from_an_edit(w, live=True)


def test_directory_that_became_a_file(w):
    """What is left of a directory whose only change was discarded does not hide the file that you put in its place."""
    w.git_project({"e/a": lines(), "e/b": lines(), "l/a": lines()})
    w.run("true")
    w.wait_settled()
    w.run("sh", "-c", "echo agent >>e/a")
    w.wait_settled()
    live = w.start("run", "--", "sh", "-c", "echo agent >>l/a; echo; read line; cat l", stdin=-1, stdout=-1)
    live.stdout.readline()
    for name in ("e", "l"):
        shutil.rmtree(w.path(name))
        w.write(name, "user\n")
    w.shadow("discard", "--yes", "l/a")
    assert live.communicate(b"go\n", timeout=30)[0] == b"user\n"
    w.wait_settled()
    w.shadow("discard", "--yes", "e/a")
    assert w.run("cat", "e", "l").out == "user\nuser\n"
    w.wait_settled()
    assert "no changes" in w.shadow("status").out, w.shadow("status").out


def test_directory_from_before_the_session_began_anew(w):
    """A directory that a run left as it was is older than the file that you put in its place, whatever runs come after:
    that file is never written over without a word."""
    w.git_project({"e/a": lines(), "d/a": lines()})
    w.run("true")
    w.wait_settled()
    w.run("sh", "-c", "echo >e/new; echo >d/new; rm e/new d/new")
    w.wait_settled()
    for name in ("e", "d"):
        shutil.rmtree(w.path(name))
        w.write(name, "user\n")
    harness.time.sleep(0.05)
    w.run("true")  # begins anew: it has no changes
    w.wait_settled()
    w.run("sh", "-c", "mkdir -p d && echo agent >d/x; echo agent >k")
    w.wait_settled()
    apply(w, "skip")
    assert (w.read("e"), w.read("d"), w.read("k")) == ("user\n", "user\n", "agent\n")


def test_dry_run(w):
    """-n tells of each path what becomes of it, and --diff the patch from the real tree."""
    known(w, **{"gone": "x\n", ".gitignore": "*.o\n"})
    w.run("sh", "-c", "sed -i s/^20$/agent/ F; rm gone; echo n >new; echo o >x.o; echo e >.envrc")
    w.wait_settled()
    edit_user(w, lines(l5="user"))
    before = harness.fingerprint(w.project)
    plan = json.loads(w.shadow("apply", "-n", "--json", "--on-conflict=stop", check=False).out.splitlines()[0])["plan"]
    assert {entry["path"]: entry["plan"] for entry in plan} == {
        "F": "conflict", "gone": "delete", "new": "write", "x.o": "ignored", ".envrc": "sensitive"}
    words = ["apply", "-n", "--skip-sensitive"]
    plan = json.loads(w.shadow(*words, "--json").out)["plan"]
    assert {entry["path"]: entry["plan"] for entry in plan} == {
        "F": "merge", "gone": "delete", "new": "write", "x.o": "ignored", ".envrc": "sensitive"}
    patch = w.shadow(*words, "--diff").out
    assert harness.fingerprint(w.project) == before
    copy = os.path.join(w.tmp, "copy")
    shutil.copytree(w.project, copy)
    with open(os.path.join(w.tmp, "patch"), "w", encoding="utf-8") as file:
        file.write(patch)
    w.git("apply", "--unsafe-paths", os.path.join(w.tmp, "patch"), cwd=copy)
    apply_words = ["apply", "--yes", "--skip-sensitive", "--on-conflict=merge"]
    w.shadow(*apply_words)
    told = difference(walk(copy), walk(w.project))
    assert not told, told
    assert w.read("F") == lines(l5="user", l20="agent")


def test_after_a_failed_apply(w):
    """An apply that failed and was rolled back works when it is tried again."""
    for n in range(3):
        w.write(f"d/x{n}", "x\n")
    w.write("F", lines())
    w.run("sh", "-c", "rm -r d; echo agent >>F; echo n >new")
    w.shadow("run", "--as", "other", "--", "rm", "-r", "d")
    w.wait_settled()
    w.env["SHADOW_INTERLOCUTOR"] = "default"
    failed = w.shadow("apply", "--yes", check=False, env={"SHADOW_FAIL": "before-commit:1=ENOSPC"})
    if failed.returncode == 0:
        raise Skip("the program has no fail points")
    assert sorted(os.listdir(w.path("d"))) == ["x0", "x1", "x2"]
    assert "conflict" not in w.shadow("status").out
    assert "conflict" not in w.shadow("status", "--as", "other").out
    killed = w.shadow("apply", "--yes", check=False, env={"SHADOW_FAIL": "before-commit:1=kill"})
    assert killed.returncode != 0
    w.shadow("status")
    assert sorted(os.listdir(w.path("d"))) == ["x0", "x1", "x2"]
    apply(w)
    assert not os.path.exists(w.path("d")) and os.path.exists(w.path("new"))
    check_same(w)


def test_failed_apply_hides_no_edit(w):
    """What was in conflict before a failed apply is in conflict after it."""
    known(w)
    edit_agent(w, lines(l5="agent"))
    edit_user(w, lines(l5="user"))
    failed = w.shadow("apply", "--yes", "--on-conflict=theirs", check=False,
                      env={"SHADOW_FAIL": "before-commit:1=EIO"})
    if failed.returncode == 0:
        raise Skip("the program has no fail points")
    assert w.read("F") == lines(l5="user")
    refused(w)


def test_killed_after_a_merge(w):
    """Killed at any point of a merge and repaired: both edits are there, in one tree or in two."""
    points = 0
    for point in range(1, 60):
        known(w)
        edit_agent(w, lines(l20="agent"))
        edit_user(w, lines(l5="user"))
        done = w.shadow("apply", "--yes", "--on-conflict=merge", check=False,
                        env={"SHADOW_FAIL": f"*:{point}=kill"})
        w.shadow("status")
        text = w.read("F")
        assert text in (lines(l5="user"), lines(l5="user", l20="agent")), text
        if done.returncode == 0:
            break
        points += 1
        apply(w, "merge")
        assert w.read("F") == lines(l5="user", l20="agent")
        check_same(w)
    if points == 0:
        raise Skip("the program has no fail points")
    assert points > 5, points


def test_diff_of_text_and_mode(w):
    """What the agent wrote and the user made executable meanwhile is shown, and applied, as both."""
    w.write("F", lines())
    w.sh("sed -i s/^20$/agent/ F; echo n >new")
    w.wait_settled()
    os.chmod(w.path("F"), 0o755)
    shown = w.shadow("diff", "F").out
    assert "+agent" in shown and "100755" in shown and "mode 100644" not in shown, shown
    w.shadow("apply", "--yes")
    assert w.read("F") == lines(l20="agent") and os.stat(w.path("F")).st_mode & 0o777 == 0o755


def test_ignored_paths_that_both_changed(w):
    """What stops apply --ignored is told by status in its letters and in JSON."""
    w.git_project({".gitignore": "*.ign\nbuild/\n"})
    for name in ("x.ign", "y.ign", "build/z"):
        w.write(name, lines())
    w.sh("for f in x.ign y.ign build/z; do echo agent >>$f; done")
    w.wait_settled()
    assert w.shadow("status", "--porcelain").out == "I.. build/\nI.. x.ign\nI.. y.ign\n"
    os.unlink(w.path("x.ign"))
    w.write("build/z", lines() + "user\n")
    assert w.shadow("status", "--porcelain").out == "IC. build/\nIV. x.ign\nI.. y.ign\n"
    told = json.loads(w.shadow("status", "--json").out)["ignored"]
    assert [(one["path"], one["both_changed"]) for one in told] == [("build", 1), ("x.ign", 1), ("y.ign", 0)], told
    assert "1 changed in the project too" in w.shadow("status").out
    assert w.shadow("apply", "--yes", "--ignored", check=False).returncode == 3


def test_directories_of_ignored_files_alone(w):
    """A directory in which git sees nothing, as a build makes it, is ignored with what is in it; an empty one is not."""
    w.git_project({"src/m.py": "1\n", ".gitignore": "*.pyc\n"})
    w.sh("mkdir -p src/__pycache__ x/y empty seen/deep; echo >src/__pycache__/m.pyc; echo >x/y/a.pyc; "
         "echo >seen/f; echo >seen/deep/a.pyc; echo 2 >>src/m.py")
    w.wait_settled()
    status = json.loads(w.shadow("status", "--json").out)
    assert sorted(one["path"] for one in status["changes"]) == ["empty", "seen/f", "src/m.py"], status["changes"]
    assert sorted(one["path"] for one in status["ignored"]) == ["seen/deep", "src/__pycache__", "x"], status["ignored"]
    w.shadow("apply", "--yes")
    assert "no changes" in w.shadow("status").out and not os.path.exists(w.path("x"))
    assert w.shadow("diff", "--exit-code", check=False).returncode == 0
    w.shadow("apply", "--yes", "--ignored")
    for name in ("src/__pycache__/m.pyc", "x/y/a.pyc", "seen/deep/a.pyc"):
        assert w.read(name) == "\n", name
    w.shadow("undo")
    assert not os.path.exists(w.path("x")) and not os.path.exists(w.path("seen/deep"))


def test_markers_settled_by_a_live_run(w):
    """Whichever side the agent of a live run takes between the markers that it is shown: that is a change as any other."""
    w.git_project({"a": lines()})
    texts = []
    with server(w) as run:
        followed(w)
        for script in ("-e '/^[<=>|]/d' -e '/^3$/d'", "-e '/^<<</,/^===/d' -e '/^>>>/d'", "-e '/^|||/,/^>>>/d' -e '/^<<</d'"):
            w.write("a", lines())
            seen(run, "cat a", lines())
            time.sleep(0.3 * harness.TIME_FACTOR)
            run.do(f"sed -i 's/^3$/agent {len(texts)}/' a")
            w.write("a", lines(l3="user"))
            time.sleep(0.3 * harness.TIME_FACTOR)
            w.shadow("apply", "--yes", "--on-conflict=markers")
            seen(run, "cat a", w.read("a"), 5)
            run.do(f"sed -i {script} a")
            assert "\n  M  a\n" in w.shadow("status").out, w.shadow("status").out
            w.shadow("apply", "--yes")
            texts.append(w.read("a"))
    assert texts == [lines(l3="user\nagent 0"), lines(l3="agent 1"), lines(l3="user")], texts


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
