# SPDX-License-Identifier: MIT
"""What was applied, or copied without a change, follows the user while a run goes on."""

import json
import os
import shutil
import subprocess
import sys
import time

import harness
from applies import lines
from edits import settled_git
from following import SEEN_WITHIN, followed, project, save, seen
from live_server import just_begun, server, upper


def test_what_was_applied_follows(w):
    """What was applied in a live run goes on to show what the user makes of it."""
    project(w)
    with server(w) as run:
        run.do("echo agent >f; echo agent >d/a; rm d/b; mkdir n; echo agent >n/x; ln -s f l; chmod 755 d/a")
        followed(w)
        w.shadow("apply", "--yes")
        save(w.path("f"), "renamed\n")
        seen(run, "cat f", "renamed\n")
        w.write("d/a", "in place\n")
        seen(run, "cat d/a; test -x d/a; echo $?", "in place\n0\n")
        w.write("d/b", "back\n")
        seen(run, "cat d/b 2>/dev/null || echo gone", "back\n")
        os.unlink(w.path("l"))
        os.symlink("d", w.path("l"))
        seen(run, "readlink l", "d\n")
        shutil.rmtree(w.path("n"))
        seen(run, "test -e n; echo $?", "1\n")
        for n in range(3):
            save(w.path("f"), f"{n}\n")
            seen(run, "cat f", f"{n}\n")
        assert w.shadow("status", "--porcelain").out == ""
        assert w.shadow("diff").out == ""
    w.wait_settled()
    assert w.sh("cat f d/a d/b").out == "2\nin place\nback\n"
    assert w.shadow("status", "--porcelain").out == ""


def test_discarded_in_the_first_moments(w):
    """A file of a run that has just begun is discarded, and you delete or save it at once: the run sees that once it is
    followed, and what it makes of your save is no conflict."""
    w.git_project({"f": lines(), "g": lines()})
    with just_begun(w) as run:
        run.do("echo agent >>f; echo agent >>g")
        w.shadow("discard", "--yes", "f", "g")
        os.unlink(w.path("f"))
        w.write("g", lines(l5="user"))
        followed(w)
        seen(run, "test -e f; echo $?", "1\n")
        seen(run, "cat g", lines(l5="user"))
        run.do("sed -i 's/^6$/agent/' g")
        w.shadow("apply", "--yes")
        assert w.read("g") == lines(l5="user", l6="agent") and not os.path.exists(w.path("f"))


def test_the_next_run_sees_later_saves(w):
    """What you make of applied files after the live run has ended is there for the next run, without any review."""
    project(w)
    with server(w) as run:
        run.do("echo agent >f; rm d/b")
        followed(w)
        w.shadow("apply", "--yes")
        save(w.path("d/a"), "user\n")
        seen(run, "cat d/a", "user\n")
        run.do("touch d/a")
    w.wait_settled()
    save(w.path("f"), "later\n")
    save(w.path("d/a"), "later\n")
    save(w.path("d/b"), "later\n")
    assert w.sh("cat f d/a d/b").out == 3 * "later\n"


def test_another_project_in_its_place(w):
    """Another directory in the project's place changes neither a live view nor, after the run, the session."""
    project(w)
    first = w.project + ".first"
    with server(w) as run:
        run.do("echo agent >f; echo more >g")
        followed(w)
        w.shadow("apply", "--yes", "f")
        os.rename(w.project, first)
        w.write("f", "another\n")
        time.sleep(0.5 * harness.TIME_FACTOR)
        assert run.do("cat f") == "agent\n"
    w.wait_settled()
    assert sorted(upper(w)) == ["f", "g"], upper(w)
    shutil.rmtree(w.project)
    os.rename(first, w.project)
    save(w.path("f"), "later\n")
    assert w.shadow("status", "--porcelain").out == "A.. g\n"
    assert w.sh("cat f").out == "later\n"


def test_made_anew_and_worked_on(w):
    """You make a file and a directory anew whose deletion was applied; what the live run then makes of them is a change
    as any other, and merges with your own."""
    project(w)
    with server(w) as run:
        run.do("rm -r f d")
        followed(w)
        w.shadow("apply", "--yes")
        w.write("f", lines())
        w.write("d/e/g", lines())
        seen(run, "cat f d/e/g 2>/dev/null || :", 2 * lines(), 5)
        time.sleep(0.3 * harness.TIME_FACTOR)
        run.do("sed -i s/^1$/agent/ f d/e/g; chmod 700 d")
        assert w.shadow("status", "--porcelain").out == "M.. d\nM.. d/e/g\nM.. f\n"
        save(w.path("f"), lines().replace("9\n", "user\n"))
        assert w.shadow("status", "--porcelain").out == "M.. d\nM.. d/e/g\nMM. f\n"
    w.wait_settled()
    assert w.shadow("status", "--porcelain").out == "M.. d\nM.. d/e/g\nMM. f\n"
    save(w.path("d/e/g"), lines().replace("9\n", "user\n"))
    w.shadow("apply", "--yes")
    both = lines().replace("9\n", "user\n").replace("1\n", "agent\n", 1)
    assert w.read("f") == w.read("d/e/g") == both and os.stat(w.path("d")).st_mode & 0o777 == 0o700


def test_the_log_knows_who_wrote_it(w):
    """What a live run wrote is its own in the log, also where something newer took the place of it meanwhile."""
    project(w)
    w.sh("echo first >f; echo x >g")
    w.shadow("apply", "--yes")
    w.wait_settled()
    with server(w) as run:
        run.do("echo agent >f; echo agent >d/a; rm d/b; echo agent >n")
        followed(w)
        w.shadow("apply", "--yes")
        for name in ("f", "d/a", "d/b", "n"):
            save(w.path(name), "user\n")
            seen(run, f"cat {name} 2>/dev/null || :", "user\n")
    w.wait_settled()
    logged = [json.loads(line) for line in w.shadow("log", "--json").out.splitlines()]
    told = json.loads(w.shadow("show", str(logged[0]["run"]), "--json").out)
    changed = {change["path"]: change["what"] for change in told["changes"]}
    assert {name: changed.get(name) for name in ("f", "d/a", "d/b", "n", "g")} == {
        "f": "written", "d/a": "written", "d/b": "deleted", "n": "written", "g": None}, told
    assert not any("among" in change for change in told["changes"]), told


def test_a_directory_becomes_a_file_and_one_again(w):
    """You put a file in the place of a directory in which something was applied, and the directory back."""
    project(w)
    with server(w) as run:
        run.do("echo agent >d/b")
        followed(w)
        w.shadow("apply", "--yes")
        shutil.move(w.path("d"), w.path("kept"))
        w.write("d", "file\n")
        w.shadow("refresh", check=False)
        seen(run, "cat d", "file\n")
        os.unlink(w.path("d"))
        shutil.move(w.path("kept"), w.path("d"))
        seen(run, "cat d/b 2>/dev/null || :", "agent\n", 5)  # what is young is tried again
        seen(run, "ls d", "".join(f"{name}\n" for name in sorted(os.listdir(w.path("d")))))
        assert w.shadow("status", "--porcelain").out == ""


def test_deleted_applied_and_put_back(w):
    """What the agent deletes and, once that is applied, puts back as you had it is new: you did not delete it."""
    w.git_project({"f": lines(), "d/a": lines(), "o": "o\n"})
    with server(w) as run:
        followed(w)
        for name in ("f", "d/a"):
            w.write(name, lines(l5="user"))
        seen(run, "cat f d/a", 2 * lines(l5="user"))
        time.sleep(0.3 * harness.TIME_FACTOR)
        run.do("mkdir /tmp/keep; cp -r f d /tmp/keep; rm -r f d; echo agent >d")
        w.shadow("apply", "--yes", "--on-conflict=theirs")
        assert w.read("d") == "agent\n" and not os.path.exists(w.path("f"))
        run.do("rm d; cp -r /tmp/keep/* .")
        assert "  A  d/a\n  A  f\n" in w.shadow("status").out, w.shadow("status").out
        w.shadow("apply", "--yes")
        assert w.read("f") == w.read("d/a") == lines(l5="user")


def test_a_directory_that_was_emptied_becomes_a_file(w):
    """You put a file in the place of a directory whose last files the agent deleted, and remove it again."""
    project(w)
    shutil.rmtree(w.path("d"))
    w.write("d/e/b", "b\n")
    with server(w) as run:
        run.do("rm d/e/b")
        followed(w)
        w.shadow("apply", "--yes", "--", "d/e/b")
        shutil.rmtree(w.path("d"))
        w.write("d", "file\n")
        seen(run, "cat d 2>/dev/null || :", "file\n", 5)
        os.unlink(w.path("d"))
        seen(run, "ls -d d 2>/dev/null || echo gone", "gone\n", 5)
        w.write("d/e/b", "again\n")
        seen(run, "cat d/e/b 2>/dev/null || :", "again\n", 5)
        assert w.shadow("status", "--porcelain").out == ""


def test_a_directory_comes_back_and_goes_again(w):
    """You bring back by git a directory whose removal was applied, put something into it, and remove it once more:
    nothing of it is the agent's but what the agent has made there meanwhile."""
    project(w)
    with server(w) as run:
        run.do("rm -r d")
        followed(w)
        w.shadow("apply", "--yes")
        w.git("checkout", "d")
        seen(run, "cat d/a d/b >/dev/null && echo all || echo none", "all\n", 5)
        w.write("d/c", "c\n")
        w.write("d/e/f/g", "g\n")
        seen(run, "cat d/c d/e/f/g 2>/dev/null || :", "c\ng\n", 5)
        save(w.path("d/a"), "later\n")
        os.unlink(w.path("d/b"))
        seen(run, "cat d/a; ls d", "later\na\nc\ne\n", 5)
        assert w.shadow("status", "--porcelain").out == ""
        shutil.rmtree(w.path("d"))
        seen(run, "ls -d d 2>/dev/null || echo gone", "gone\n", 5)
        assert w.shadow("status", "--porcelain").out == ""
        w.git("checkout", "d")
        seen(run, "cat d/a d/b >/dev/null && echo all || echo none", "all\n", 5)
        run.do("echo agent >d/new")
        shutil.rmtree(w.path("d"))
        seen(run, "ls d", "new\n", 5)
        w.shadow("apply", "--yes")
        assert os.listdir(w.path("d")) == ["new"] and w.read("d/new") == "agent\n"


def came_back_at_rest(w):
    """You bring back a directory whose removal was applied, the agent works in it, its run ends, and you put
    something into the directory."""
    project(w)
    with server(w) as run:
        run.do("rm -r d")
        followed(w)
        w.shadow("apply", "--yes")
        w.git("checkout", "d")
        w.write("d/e/f", "f\n")
        seen(run, "cat d/a d/b d/e/f 2>/dev/null || :", "a\nb\nf\n", 5)
        time.sleep(0.3 * harness.TIME_FACTOR)  # what is deleted just as it comes is a conflict
        run.do("rm d/b; chmod 700 d; echo agent >d/own")
    w.wait_settled()
    w.write("d/c", "c\n")
    w.write("d/e/g/h", "h\n")


IN_BOTH = "d:\na\nc\ne\nown\n\nd/e:\nf\ng\n\nd/e/g:\nh\n"


def test_a_directory_came_back_for_the_next_run(w):
    """What you put into a directory that you brought back is seen by the next run, and is no change of the agent's."""
    came_back_at_rest(w)
    assert w.sh("ls -R d").out == IN_BOTH
    assert w.shadow("status", "--porcelain").out == "M.. d\nD.. d/b\nA.. d/own\n"


def test_a_directory_came_back_before_an_apply(w):
    """An apply takes nothing of it for a deletion by the agent."""
    came_back_at_rest(w)
    w.shadow("apply", "--yes")
    assert subprocess.run(["ls", "-R", "d"], cwd=w.project, stdout=-1, check=True).stdout.decode() == IN_BOTH
    assert w.sh("ls -R d").out == IN_BOTH


def test_a_directory_came_back_before_a_refresh(w):
    """Nor does a refresh."""
    came_back_at_rest(w)
    w.shadow("refresh")
    assert w.shadow("status", "--porcelain").out == "M.. d\nD.. d/b\nA.. d/own\n"
    assert w.sh("ls -R d").out == IN_BOTH


def test_what_both_have_follows(w):
    """What the user made as the run has it is the user's from then on."""
    project(w)
    with server(w) as run:
        run.do("echo same >f; rm d/a; touch d/b")
        followed(w)
        save(w.path("f"), "same\n")
        os.unlink(w.path("d/a"))
        time.sleep(1.5 * harness.TIME_FACTOR)
        save(w.path("f"), "later\n")
        seen(run, "cat f", "later\n")
        w.write("d/a", "again\n")
        seen(run, "cat d/a 2>/dev/null || echo gone", "again\n")
        save(w.path("d/b"), "later\n")
        seen(run, "cat d/b", "later\n")
        assert w.shadow("status", "--porcelain").out == ""


def test_what_the_run_changed_stays_its_own(w):
    """What a run has changed since the apply, or has open for writing, is not replaced."""
    project(w)
    with server(w) as run:
        run.do("echo agent >f; echo agent >d/a; echo agent >d/b")
        followed(w)
        w.shadow("apply", "--yes")
        run.do("echo more >>f; exec 7>>d/a")
        save(w.path("f"), "agent\nuser\n")
        save(w.path("d/a"), "user\n")
        save(w.path("d/b"), "user\n")
        seen(run, "cat d/b", "user\n")
        assert run.do("cat f") == "agent\nmore\n"
        run.do("echo late >&7; exec 7>&-")
        assert run.do("cat d/a") == "agent\nlate\n"
        assert w.shadow("status", "--porcelain").out.split()[1::2] == ["d/a", "f"]
        assert w.shadow("apply", "--yes", check=False).returncode == 3


def agent_writes(run, path, text):
    run.do(f"printf '{text}' >{path}.new; mv {path}.new {path}")


def test_what_is_written_from_memory_takes_nothing_back(w):
    """An agent that was not told of the user's edit and writes what it had takes no line back."""
    settled_git(w, {"f": lines()})
    with server(w) as run:
        run.do("sed -i s/^1$/agent/ f")
        followed(w)
        w.shadow("apply", "--yes")
        applied = w.read("f")
        edited = applied.replace("5\n", "user\n", 1)
        save(w.path("f"), edited)
        seen(run, "cat f", edited)
        agent_writes(run, "f", applied.replace("\n", "\\n"))
        done = w.shadow("apply", "--yes", check=False)
        assert done.returncode == 3 and "back" in done.err, (done.out, done.err)
        assert w.read("f") == edited
        # On top of the edit it is a change as any other.
        agent_writes(run, "f", edited.replace("9\n", "nine\n", 1).replace("\n", "\\n"))
        w.shadow("apply", "--yes")
        assert w.read("f") == edited.replace("9\n", "nine\n", 1)


def test_user_goes_back_to_before_the_apply(w):
    """The user takes back what was applied, by git, and brings it again: the live run sees both."""
    project(w)
    with server(w) as run:
        run.do("echo agent >f; echo agent >new")
        followed(w)
        w.shadow("apply", "--yes")
        before = w.git("show", "HEAD:f").stdout.decode()
        for _ in range(2):
            w.git("stash", "-qu")
            seen(run, "cat f; cat new 2>/dev/null || echo none", before + "none\n")
            w.git("stash", "pop", "-q")
            seen(run, "cat f; cat new 2>/dev/null || echo none", "agent\nagent\n")
        assert w.shadow("status", "--porcelain").out == ""


def test_branches_over_what_was_applied(w):
    """Hundreds of applied files and a stash: none of them hides what the user has."""
    settled_git(w, {f"d{n % 20}/f{n}": "1\n" for n in range(300)})
    count = "cat d*/f* | sort | uniq -c | tr -s ' '"
    with server(w) as run:
        run.do("for f in d*/f*; do echo 2 >$f; done")
        followed(w)
        w.shadow("apply", "--yes")
        assert run.do(count) == " 300 2\n"
        w.git("stash", "-q")
        first = seen(run, count, " 300 1\n", within=3 * SEEN_WITHIN)
        w.git("stash", "pop", "-q")
        print(f"# {first:.2f} and {seen(run, count, ' 300 2' + chr(10), within=3 * SEEN_WITHIN):.2f} s")
        assert w.shadow("status", "--porcelain").out == ""


def test_one_in_use_keeps_no_others_behind(w):
    """Of hundreds of files one is open for writing and one may not be read: all others are followed."""
    settled_git(w, {f"f{n:03}": "1\n" for n in range(200)})
    with server(w) as run:
        run.do("for f in f*; do echo 2 >$f; done")
        followed(w)
        w.shadow("apply", "--yes")
        run.do("exec 7>>f000")
        for n in range(200):
            save(w.path(f"f{n:03}"), "3\n")
        if os.getuid() != 0:
            os.chmod(w.path("f001"), 0)
        seen(run, "cat f??[2-9] | sort | uniq -c | tr -s ' '", " 160 3\n", within=3 * SEEN_WITHIN)
        assert run.do("cat f000") == "2\n"
        run.do("exec 7>&-")
        seen(run, "cat f000", "3\n", within=10 * SEEN_WITHIN)


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
