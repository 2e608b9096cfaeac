# SPDX-License-Identifier: MIT
"""Directories that the user deletes, renames or replaces while a run works in them, which nobody has looked at yet."""

import os
import shutil
import sys
import time

import harness
from edits import remove
from following import followed, seen
from live_server import just_begun, server
from moves import changes, listed, settle

CONFLICT = 3
GONE = "(conflict: deleted in the project, changed in the session)"
OTHER = "conflict: something else on each side)"


def offered(w, wanted):
    """Now, after another look and after the end of the run: looking changes no verdict."""
    settle()
    listed(w, wanted)
    listed(w, wanted)


def played(w, files, agent, user, wanted, before=None):
    """What the user does beside the run, unlooked at; then refused by an apply."""
    w.git_project({"o": "o\n", **files})
    with server(w) as run:
        followed(w)
        if before:
            before(w)
            settle()
        run.do(agent)
        user(w)
        offered(w, wanted)
    w.wait_settled()
    listed(w, wanted)
    before_apply = sorted(os.listdir(w.project))
    done = w.shadow("apply", "--yes", check=False)
    assert done.returncode == (CONFLICT if "conflict" in wanted else 0), (done.returncode, done.out, done.err)
    return before_apply


def refused(*arguments, **options):
    w = arguments[0]
    before = played(*arguments, **options)
    assert sorted(os.listdir(w.project)) == before


def rename(w):
    os.rename(w.path("g"), w.path("h"))


def test_removed(w):
    """A directory that you delete while the agent makes something in it is a conflict, though nobody has looked yet."""
    refused(w, {"g/1": "1\n"}, "echo n >g/n", remove, f"  A  g/  {GONE}\n  A  g/n  (depends on 'g')")


def test_renamed(w):
    """A directory that you rename while the agent makes something in it is not made again under its old name."""
    refused(w, {"g/1": "1\n"}, "echo n >g/n", rename, f"  A  g/  {GONE}\n  A  g/n  (depends on 'g')")


def test_deeper(w):
    """Each directory that the agent's new file lies in was yours to delete."""
    refused(w, {"g/h/1": "1\n"}, "echo n >g/h/n", remove,
            f"  A  g/  {GONE}\n  A  g/h/  {GONE}\n  A  g/h/n  (depends on 'g')")


def test_only_its_mode(w):
    """A directory whose mode the agent has set is a conflict when you delete it."""
    refused(w, {"g/1": "1\n"}, "chmod 700 g", remove, f"  A  g/  {GONE}")


def test_made_by_the_user(w):
    """So is one that you had made after the session began."""
    refused(w, {}, "echo n >g/n", remove, f"  A  g/  {GONE}\n  A  g/n  (depends on 'g')",
            before=lambda w: w.write("g/1", "1\n"))


def test_made_anew_by_the_agent(w):
    """And one that the agent has deleted and made anew, as a directory or as a file."""
    refused(w, {"g/1": "1\n"}, "rm -r g; mkdir g; echo n >g/n", remove, f"  A  g/  {GONE}\n  A  g/n  (depends on 'g')")


def test_a_file_in_its_place(w):
    """The same where the agent has made a file of it."""
    refused(w, {"g/1": "1\n"}, "rm -r g; echo n >g", remove, f"  A  g  {GONE}")


def test_the_agents_own(w):
    """A directory that the agent has made is no conflict, whatever you delete beside it."""
    played(w, {"g/1": "1\n"}, "mkdir n; echo n >n/n", remove, "  A  n/n")
    assert w.read("n/n") == "n\n" and not os.path.exists(w.path("g"))


def test_made_once_more(w):
    """Nor one that the agent makes once it has seen that yours is gone."""
    w.git_project({"o": "o\n", "g/1": "1\n"})
    with server(w) as run:
        followed(w)
        remove(w)
        seen(run, "ls", "o\n")
        run.do("mkdir g; echo n >g/n")
        offered(w, "  A  g/n")
    w.wait_settled()
    listed(w, "  A  g/n")


def put_back_at_once(w, take_away, how, name):
    """You delete what a run has just begun with, it puts that back, and you save a file by rename."""
    w.run("true")
    w.wait_settled()
    with just_begun(w) as run:
        take_away()
        time.sleep(0.05)
        run.do(how)
        time.sleep(0.05)
        w.write("saved", "saved\n")
        os.rename(w.path("saved"), w.path(name))
    w.wait_settled()


def test_its_old_files_once_more(w):
    """What it puts back of a directory that you have deleted is not dropped, whatever else you save before anybody
    looks: by then nobody knows which was first, and so you are asked."""
    w.git_project({"o": "o\n", "g/1": "1\n", "g/s/2": "2\n"})
    put_back_at_once(w, lambda: remove(w), "mkdir -p g/s; echo 1 >g/1; echo 2 >g/s/2", "o")
    assert w.run("cat", "g/1", "g/s/2").out == "1\n2\n"
    listed(w, f"  A  g/1  {GONE}\n  A  g/s/2  {GONE}")


def test_its_old_file_once_more(w):
    """The same of one file, in the first moments of a run."""
    w.git_project({"o": "o\n", "g/1": "1\n", "g/2": "2\n"})
    put_back_at_once(w, lambda: os.unlink(w.path("g/1")), "echo 1 >g/1", "g/2")
    assert w.run("cat", "g/1").out == "1\n"
    listed(w, f"  A  g/1  {GONE}")


def all_gone(w, run=None):
    """Nothing is left in the view, of the run that goes on or of the next one, and no change."""
    if run:
        seen(run, "ls", "")
    else:
        assert w.run("ls").out == ""
    assert "no changes" in w.shadow("status").out, w.shadow("status").out


def test_rewritten_as_it_was_shown(w):
    """What the agent writes as its view shows it, as git does where only times differ, is not its own: your deletion of
    the file, or of the directory, stands, also where you had changed the file before."""
    w.git_project({"f": "1\n", "m": "2\n", "g/1": "3\n", "g/2": "4\n"})
    with server(w) as run:
        followed(w)
        w.write("f", "user\n")
        os.chmod(w.path("m"), 0o755)
        w.write("g/1", "user\n")
        seen(run, "cat f g/1; stat -c %a m", "user\nuser\n755\n")
        settle()
        run.do("for p in f m g/1; do cp -p $p t; rm $p; cp -p t $p; rm t; done")
        settle()
        os.unlink(w.path("f"))
        os.unlink(w.path("m"))
        remove(w)
        all_gone(w, run)
    w.wait_settled()
    all_gone(w)


def test_rewritten_as_it_was_all_along(w):
    """So is what git writes anew because you touched it, or put back a copy of it."""
    w.git_project({"f": "1\n", "g/1": "3\n", "g/2": "4\n"})
    with server(w) as run:
        followed(w)
        os.utime(w.path("f"), (1, 1))
        for name in ("g/1", "g/2"):
            shutil.copy(w.path(name), w.path("copy"))
            os.rename(w.path("copy"), w.path(name))
        settle()
        run.do("for p in f g/1 g/2; do cp -p $p t; rm $p; cp -p t $p; rm t; done")
        w.shadow("status")
        os.unlink(w.path("f"))
        remove(w)
        all_gone(w, run)
    w.wait_settled()
    all_gone(w)


def test_rewritten_as_it_was_made(w):
    """So is what the agent writes anew of files that you made beside it, whether or not anybody has looked since."""
    w.git_project({"g/1": "1\n"})
    for look in (False, True):
        w.write("g/1", "1\n")
        with server(w) as run:
            followed(w)
            w.write("f", "first\n")
            w.write("g/2", "2\n")
            seen(run, "cat f g/2", "first\n2\n")
            w.write("f", "user\n")
            seen(run, "cat f", "user\n")
            settle()
            run.do("for p in f g/2; do cp $p t; rm $p; cat t >$p; rm t; done")
            settle()
            if look:
                w.shadow("status")
            os.unlink(w.path("f"))
            remove(w)
            all_gone(w, run)
        w.wait_settled()
        all_gone(w)


def put_back(w, run, how):
    """The agent puts back what it knows to be gone; then the user saves beside it."""
    run.do(how)
    time.sleep(0.05)
    w.write("g/new", "saved\n")
    os.rename(w.path("g/new"), w.path("g/2"))
    settle()


def test_put_back_once_it_is_seen(w):
    """What the agent puts back of a file whose deletion its view shows is a conflict, whatever you save beside it."""
    w.git_project({"o": "o\n", "g/1": "1\n", "g/2": "2\n"})
    for how in ("echo 1 >g/1", "git checkout -q g/1"):
        with server(w) as run:
            followed(w)
            os.unlink(w.path("g/1"))
            seen(run, "ls g", "2\n")
            put_back(w, run, how)
            listed(w, f"  A  g/1  {GONE}")
        w.wait_settled()
        listed(w, f"  A  g/1  {GONE}")
        w.shadow("discard", "--yes")
        w.git("checkout", "-q", ".")


def test_put_back_what_was_gone_before(w):
    """The same of a file that was gone before the run, also beside a directory that nobody may look into."""
    w.git_project({"o": "o\n", "g/1": "1\n", "g/2": "2\n", "shut/s": "s\n"})
    w.run("true")
    w.wait_settled()
    os.unlink(w.path("g/1"))
    os.unlink(w.path("shut/s"))
    os.chmod(w.path("shut"), 0)
    with server(w) as run:
        followed(w)
        settle()
        put_back(w, run, "echo 1 >g/1")
        listed(w, f"  A  g/1  {GONE}")
    w.wait_settled()
    listed(w, f"  A  g/1  {GONE}")
    os.chmod(w.path("shut"), 0o700)


def test_before_it_is_followed(w):
    """What an agent has only touched goes with your directory also in the first moments of a run, without a look of
    yours."""
    w.git_project({"o": "o\n", "g/1": "1\n", "g/2": "2\n"})
    w.run("true")
    w.wait_settled()
    with just_begun(w) as run:
        run.do("touch g/1")
        time.sleep(0.05)
        remove(w)
        seen(run, "ls", "o\n", 5)
        listed(w, "")


def test_before_it_is_followed_a_file_in_its_place(w):
    """The same where you put a file in the directory's place."""
    w.git_project({"o": "o\n", "g/1": "1\n", "g/2": "2\n"})
    w.run("true")
    w.wait_settled()
    with just_begun(w) as run:
        run.do("cp -p g/1 t; rm g/1; mv t g/1")
        time.sleep(0.05)
        remove(w)
        w.write("g", "mine\n")
        seen(run, "cat g 2>&1 || :", "mine\n", 5)
        listed(w, "")


def test_nothing_of_its_own(w):
    """A directory that holds nothing of the agent's by then, or that both delete, is gone without a word."""
    for agent in ("rm g/1", "touch g/x; rm g/x", "touch g/1", "rm -r g"):
        w.git_project({"g/1": "1\n", "g/2": "2\n", "o": "o\n"})
        with server(w) as run:
            followed(w)
            run.do(agent)
            time.sleep(0.05)  # more than a tick of the clock that stamps files
            remove(w)
            offered(w, "")
        w.wait_settled()
        listed(w, "")
        assert w.run("ls").out == "o\n", agent
        w.shadow("discard", "--yes", check=False)
        shutil.rmtree(w.path(".git"))


def test_after_a_refresh(w):
    """A refresh does not forget what the directory was."""
    for agent, wanted in (("echo n >g/n", f"  A  g/  {GONE}\n  A  g/n  (depends on 'g')"), ("chmod 700 g", f"  A  g/  {GONE}")):
        w.git_project({"g/1": "1\n", "o": "o\n"})
        with server(w) as run:
            followed(w)
            run.do(agent)
            remove(w)
            offered(w, wanted)
            w.shadow("refresh", check=False)
            offered(w, wanted)
        w.wait_settled()
        listed(w, wanted)
        w.shadow("discard", "--yes")
        shutil.rmtree(w.path(".git"))


def test_something_else_in_its_place(w):
    """Where you put a file or a link in its place the reason says that, beside the run and afterwards."""
    def file(w):
        remove(w)
        w.write("g", "mine\n")

    def link(w):
        remove(w)
        os.symlink("o", w.path("g"))

    def begin(agent):
        w.git_project({"g/1": "1\n", "o": "o\n"})
        w.run("true")
        w.wait_settled()
        with server(w) as run:
            followed(w)
            run.do(agent)
            yield
        w.wait_settled()
        yield

    for user, agent in ((file, "echo n >g/n"), (link, "echo n >>g/1")):
        for beside_the_run in (True, False):
            looks = begin(agent)
            next(looks)
            if beside_the_run:
                user(w)
                settle()
                assert OTHER in changes(w), changes(w)
            next(looks)
            if not beside_the_run:
                user(w)
            assert OTHER in changes(w), changes(w)
            os.unlink(w.path("g"))
            w.shadow("discard", "--yes")
            shutil.rmtree(w.path(".git"))


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
