# SPDX-License-Identifier: MIT
"""What the agent makes of the user's saves that have come into a live view."""

import os
import shutil
import signal
import sys
import time

import harness
from applies import CONFLICT, lines, offered
from following import followed, project, seen, noted
from live_server import just_begun, server


def save_and_see(w, run, *names):
    """The user saves over what was applied, and the live run sees it."""
    followed(w)
    w.shadow("apply", "--yes")
    for name in names:
        w.write(name, "user\n")
    seen(run, "cat " + " ".join(names), len(names) * "user\n")
    time.sleep(0.3 * harness.TIME_FACTOR)


def test_worked_on_after_it_was_shown(w):
    """What the agent makes of your save after its view has shown it is a change as any other, and where it takes your
    line back that is said, also when the last run has ended."""
    project(w)
    with server(w) as run:
        run.do("echo agent >f; echo agent >d/a")
        save_and_see(w, run, "f", "d/a")
        run.do("echo more >>f; echo agent >d/a")
        offer = offered(w)
        assert offer == "  M  d/a  (conflict: the session's version takes a change of the project's back)\n  M  f", offer
    w.wait_settled()
    assert offered(w) == offer, offered(w)
    w.shadow("apply", "--yes", "f")
    assert w.read("f") == "user\nmore\n" and w.read("d/a") == "user\n"


def test_taken_back_by_the_run(w):
    """What the agent takes back of its own work hides your saves no longer: at once, and when you save or apply anything."""
    project(w)
    with server(w) as run:
        run.do("cp -p f f.old; echo agent >>f; rm d/a")
        followed(w)
        w.write("f", "user\n" + w.read("f"))
        w.write("d/a", "user\n")
        time.sleep(0.5 * harness.TIME_FACTOR)
        assert run.do("tail -1 f; ls d") == "agent\nb\n"
        run.do("mv f.old f; echo a >d/a")
        seen(run, "cat f d/a", w.read("f") + "user\n")
        # Or once you apply what there is.
        run.do("cp -p d/b b.old; echo agent >d/b")
        w.write("d/b", "user\n")
        time.sleep(0.5 * harness.TIME_FACTOR)
        assert run.do("cat d/b") == "agent\n"
        run.do("mv b.old d/b")
        w.shadow("apply", "--yes")
        assert run.do("cat d/b") == "user\n"
        assert "no changes" in w.shadow("status").out, w.shadow("status").out


def test_from_memory_after_the_last_run(w):
    """What the agent writes from memory takes your save back, and is a conflict, also where it had written the file as it
    was before, and its last run has ended since."""
    w.git_project({"f": lines(), "g": lines()})
    w.run("sh", "-c", "echo new >pending")  # else it begins anew with the next run
    w.wait_settled()
    for name in ("f", "g"):
        with server(w) as run:
            followed(w)
            run.do(f"cp {name} kept; echo agent >>{name}; cp kept {name}; rm kept")
            if name == "g":  # applied
                run.do(f"sed -i 20i+agent {name}")
                w.shadow("apply", "--yes", name)
            w.write(name, "user\n" + w.read(name))
            seen(run, f"head -1 {name}", "user\n")
        w.wait_settled()
        assert offered(w) == "  A  pending", offered(w)
        text = w.read(name).removeprefix("user\n") + "more\n"
        w.run("sh", "-c", f"cat >{name}", stdin=text.encode())
        w.wait_settled()
        said = w.shadow("apply", "--yes", name, check=False)
        assert said.returncode == CONFLICT and "takes a change of the project's back" in said.err, (name, said.out, said.err)
        w.shadow("discard", "--yes", name)


def test_worked_on_after_git_caught_up(w):
    """The same where git gave it what you had saved and committed meanwhile: the end of the run changes nothing."""
    w.git_project({"f": lines(), "g": lines()})
    with server(w) as run:
        followed(w)
        w.write("f", lines(l7="saved\n7"))
        seen(run, "cat f", lines(l7="saved\n7"))
        noted(w, "f")
        run.do("sed -i 20d f")
        w.shadow("status")
        shutil.copy2(w.path("f"), w.path("again"))
        os.rename(w.path("again"), w.path("f"))
        w.git("commit", "-qam", "saved")
        seen(run, "git status --porcelain", " M f\n")
        run.do("git checkout -q .")
        w.write("g", "saved\n")
        seen(run, "cat g", "saved\n")
        time.sleep(0.3 * harness.TIME_FACTOR)
        run.do("sed -i '/saved/i agent' f")
        assert offered(w) == "  M  f", offered(w)
    w.wait_settled()
    assert offered(w) == "  M  f", offered(w)


def test_its_own_work_put_back(w):
    """What you saved and took away again stays away where the agent, which had worked on it, puts back its own work
    alone."""
    w.git_project({"f": lines()})
    with server(w) as run:
        followed(w)
        w.write("f", lines(l7="saved"))
        seen(run, "cat f", lines(l7="saved"))
        noted(w, "f")
        run.do("cp f /tmp/keep; sed -i 3d f")
        time.sleep(0.3 * harness.TIME_FACTOR)
        w.write("f", lines())
        time.sleep(0.3 * harness.TIME_FACTOR)
        assert offered(w) == "  M  f  (changed in the project too, can be merged)"
        run.do("cat /tmp/keep >f")
        assert "no changes" in w.shadow("status").out
    w.wait_settled()
    assert "no changes" in w.shadow("status").out


def test_taken_back_before_anybody_looked(w):
    """What the agent puts back of your save before its run is followed stays in its view."""
    project(w)
    with server(w) as run:
        run.do("cp f /tmp/f")
        w.write("f", "user\n")
        time.sleep(0.05)
        run.do("cat /tmp/f >f.new; mv f.new f")
        followed(w)
        w.write("d/a", "user\n")
        seen(run, "cat d/a", "user\n")
        assert run.do("cat f") == lines(), run.do("cat f")
        assert "takes a change of the project's back" in offered(w), offered(w)


def test_deleted_with_its_directory(w):
    """A file that you have edited and that the agent then deletes with its directory is a conflict, also when the last
    run has ended."""
    project(w)
    with server(w) as run:
        run.do("echo agent >d/a")
        save_and_see(w, run, "d/a")
        run.do("rm -r d; echo file >d")
        assert "d/a  (conflict: changed in the project, deleted in the session)" in offered(w)
    w.wait_settled()
    assert "d/a  (conflict: changed in the project, deleted in the session)" in offered(w)
    assert w.shadow("apply", "--yes", check=False).returncode == CONFLICT
    assert w.read("d/a") == "user\n"


def test_in_a_directory_that_came_back(w):
    """What the agent makes in a directory that is back in the place of its own file stays in it when you delete that: a
    conflict of the file alone, also when the last run has ended."""
    project(w)
    with server(w) as run:
        run.do("rm -r d; echo agent >d")
        followed(w)
        w.shadow("apply", "--yes")
        os.unlink(w.path("d"))
        w.git("checkout", "d")
        seen(run, "cat d/a 2>/dev/null || :", "a\n", 5)
        time.sleep(0.3 * harness.TIME_FACTOR)
        run.do("echo more >>d/a")
        shutil.rmtree(w.path("d"))
        time.sleep(0.5 * harness.TIME_FACTOR)
        offer = offered(w)
        assert "d/a  (conflict" in offer and "d/  (conflict" not in offer, offer
    w.wait_settled()
    assert offered(w) == offer, offered(w)


def test_written_in_a_directory_that_is_gone(w):
    """What the agent wrote into the only file of a directory that was brought back, and that you have removed since, is
    its work when its run ends."""
    project(w)
    os.unlink(w.path("d/b"))
    w.git("commit", "-qam", "less")
    with server(w) as run:
        run.do("rm -r d")
        followed(w)
        w.shadow("apply", "--yes")
        w.git("checkout", "d")
        seen(run, "cat d/a 2>/dev/null || :", "a\n", 5)
        time.sleep(0.3 * harness.TIME_FACTOR)
        run.do("echo more >>d/a")
        shutil.rmtree(w.path("d"))
        time.sleep(0.5 * harness.TIME_FACTOR)
        offer = offered(w)
        assert "d/a  (conflict" in offer, offer
    w.wait_settled()
    assert offered(w) == offer, offered(w)
    assert w.sh("cat d/a").out == "a\nmore\n"


def test_directory_of_applied_files_in_the_first_moments(w):
    """A directory that you delete after all that the agent did in it was applied is in no conflict, though the run has
    not been followed yet."""
    project(w)
    with just_begun(w) as run:
        time.sleep(0.2 * harness.TIME_FACTOR)
        run.do("echo agent >>d/a; touch d/b")
        w.shadow("apply", "--yes")
        shutil.rmtree(w.path("d"))
        assert "no changes" in w.shadow("status").out, w.shadow("status").out
        # A slow machine's run is followed by now, and has no directory any more.
        if run.do("echo agent >d/new && echo written || :"):
            assert "d/  (conflict: deleted in the project, changed in the session)" in w.shadow("status").out


def test_touched_in_the_first_moments(w):
    """A file that the agent has only touched since its change was discarded is gone when you delete it, though its run
    has not been followed yet."""
    project(w)
    with just_begun(w) as run:
        run.do("echo agent >>f")
        w.shadow("discard", "--yes", "f")
        os.unlink(w.path("f"))
        run.do("touch f")
    w.wait_settled()
    assert "no changes" in w.shadow("status").out, w.shadow("status").out


def test_touched_and_taken_back(w):
    """What the agent has only touched since you saved it does not come back when you take it away."""
    project(w)
    with server(w) as run:
        followed(w)
        w.write("f", "user\n" + w.read("f"))
        seen(run, "head -n 1 f", "user\n")
        time.sleep(0.3 * harness.TIME_FACTOR)
        run.do("touch f; echo agent >>d/b")
        w.git("stash")
        w.shadow("apply", "--yes")
    assert w.read("f") == lines() and w.read("d/b") == "b\nagent\n"


def test_made_again_after_a_deletion(w):
    """What the agent adds to a file that you have made again, where its deletion was applied, is no conflict: beside
    the run and afterwards."""
    project(w)
    with server(w) as run:
        followed(w)
        run.do("rm d/a d/b")
        w.shadow("apply", "--yes")
        shutil.rmtree(w.path("d"), ignore_errors=True)
        time.sleep(harness.TIME_FACTOR)
        w.write("d/a", "user\n")
        seen(run, "cat d/a 2>/dev/null || :", "user\n")
        time.sleep(0.3 * harness.TIME_FACTOR)
        run.do("echo more >>d/a")
        assert offered(w) == "  M  d/a", offered(w)
    w.wait_settled()
    assert offered(w) == "  M  d/a", offered(w)


def test_made_where_the_run_cannot_look(w):
    """A file that you make in a directory that the agent has deleted, and that it makes too, never having seen yours, is
    a conflict: beside the run and afterwards."""
    project(w)
    with server(w) as run:  # which is not followed yet
        run.do("rm -r d")
        w.write("d/new", "user\n")
        run.do("mkdir d; echo agent >d/new")
        assert "M  d/new  (conflict: added on both sides)" in offered(w), offered(w)
        w.shadow("apply", "--yes", "--on-conflict=skip", check=False)
        assert w.read("d/new") == "user\n"
    w.wait_settled()
    assert "M  d/new  (conflict: added on both sides)" in offered(w), offered(w)


def test_applied_and_undone(w):
    """What you take back, or save once more, after the agent has worked on your save is merged by an apply, and by the
    next one when you undo the first: live and afterwards."""
    project(w)
    w.write("g", lines())
    w.git("add", "g")
    w.git("commit", "-qm", "more")

    def apply_and_undo(live):
        for then, f, g in (("apply", lines(l20="agent"), merged), ("undo", lines(), late)) * 2:
            w.shadow(then, "--yes")
            assert w.read("f") == f and w.read("g") == g, f"{live} {then}: {w.read('f')} {w.read('g')}"

    late, merged = (lines(l9=nine + "user", l11="late") for nine in ("9\n", ""))
    with server(w) as run:
        followed(w)
        w.write("f", lines(l2="2\nuser"))
        w.write("g", lines(l9="9\nuser"))
        seen(run, "cat f g", lines(l2="2\nuser") + lines(l9="9\nuser"))
        noted(w, "f", "g")
        run.do("sed -i 's/^20$/agent/' f; sed -i '/^9$/d' g")
        w.write("f", lines())
        w.write("g", late)
        apply_and_undo("live")
    w.wait_settled()
    apply_and_undo("idle")


def test_saves_soon_after_each_other(w):
    """A file that you make beside the run, and save again a moment later: what the agent writes of the first is a
    conflict with the second."""
    project(w)
    with server(w) as run:
        followed(w)
        w.write("new", "one\n")
        noted(w, "new")
        time.sleep(0.15)
        with open(w.path("new"), "a", encoding="ascii") as f:
            f.write("two\n")
        noted(w, "new")
        run.do("echo one >new; echo agent >>new")
        assert offered(w).startswith("  M  new  (conflict: "), offered(w)


def changed_as_it_comes(w, before, act, offer, begun=server):
    """The agent acts on a save after it has come into the view, and before that is written down."""
    project(w)
    w.env["SHADOW_FAIL"] = "keep-up-placed:1=stop"
    with begun(w) as run:
        run.do(before)
        if begun is server:
            followed(w)
            w.shadow("apply", "--yes")
        else:
            time.sleep(0.3 * harness.TIME_FACTOR)
        w.write("f", "user\n")
        harness.wait_until(w.stopped, what="the copy in the view")
        run.do("grep -q user f; " + act)
        os.kill(w.stopped()[0], signal.SIGCONT)
        time.sleep(0.5 * harness.TIME_FACTOR)
        assert offered(w) == offer, offered(w)
    w.wait_settled()
    assert offered(w) == offer, offered(w)


def test_deleted_as_it_comes(w):
    """A file of yours that the agent deletes at the moment in which it comes stays deleted in its view."""
    changed_as_it_comes(w, "rm f", "rm f", "  D  f")


def test_edited_as_it_comes(w):
    """A file of yours that the agent edits at the moment in which it comes is a change as any other."""
    changed_as_it_comes(w, "rm f", "echo more >>f", "  M  f")


def test_edited_as_the_next_version_comes(w):
    """So is one of which the session has another version."""
    changed_as_it_comes(w, "echo agent >f", "echo more >>f", "  M  f")


def test_overwritten_as_it_comes(w):
    """Where the agent had only touched the file, and overwrites your save with what it remembers, that is a conflict."""
    changed_as_it_comes(w, "touch f; cp f /tmp/f", "cat /tmp/f >f; echo more >>f",
                        "  M  f  (conflict: the session's version takes a change of the project's back)", just_begun)


def test_given_up_and_worked_on(w):
    """You give up lines that the agent has in its version; it cuts another of yours: no merge brings the former back."""
    w.git_project({"f": lines()})
    with server(w) as run:
        followed(w)
        later = "own\n" + lines(l9="9\nlater")
        for text in ("own\n" + lines(), later, later.replace("\n5\n", "\n")):
            w.write("f", text)
            seen(run, "cat f", text)
            w.git("commit", "-qm", "user", *(["-a"] if text != later else ["--allow-empty"]))
        in_place = "sed '%s' f >/tmp/f; cat /tmp/f >f"
        run.do(in_place % "/^later$/i agent")
        w.git("checkout", "-q", "HEAD~1")
        run.do(in_place % "/^own$/d")
        harness.wait_until(lambda: "a change of the project's back" in offered(w), what="the conflict")
        assert w.shadow("apply", "--yes", check=False).returncode == CONFLICT
        assert w.read("f") == "own\n" + lines()


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
