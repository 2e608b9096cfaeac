# SPDX-License-Identifier: MIT
"""What was shown of a file that a live run keeps changing is what is written."""

import glob
import os
import signal
import sys

import harness
from dialogue import lines, wait_for_question
from runs import live
from shows import FLIP, edit, merging, project, refused


def flipping(w):
    """A live run that flips f at a word; whether its time stamps stayed the same is what it answers."""
    project(w)
    edit(w, "f", n=25, text="late")
    process = w.start("run", "--", sys.executable, "-c", FLIP, stdin=-1, stdout=-1)
    assert process.stdout.readline() == b"ready\n"
    return process


def flip(process, word):
    process.stdin.write(word + b"\n")
    process.stdin.flush()
    return process.stdout.readline() == b"1\n"


def written_meanwhile(w, *words):
    """Status and output of a command during which f is written, as it begins with what goes together."""
    w.sh("echo one >f")
    reader = w.start(*words, stdout=-1, stderr=-1, env={"SHADOW_FAIL": "patch-begun:1=stop"})
    harness.wait_until(w.stopped, what="the command")
    w.sh("echo two >f")
    os.kill(w.stopped()[0], signal.SIGCONT)
    out, err = reader.communicate(timeout=60)
    return reader.returncode, out, err


def test_file_written_while_it_is_read(w):
    """A file that the agent writes while it is shown is shown as it is then, and what came before it once."""
    w.git_project({"conflict": "old\n", "f": "old\n"})
    w.sh("echo agent >conflict")
    w.write("conflict", "user\n")
    status, out, err = written_meanwhile(w, "diff")
    assert (status, out.count(b"# conflict ("), out.count(b"+two\n"), out.count(b"+one\n")) == (0, 1, 1, 0), (out, err)
    for words in ([], ["--json"]):
        status, out, err = written_meanwhile(w, *words, "apply", "-n", "--diff", "--on-conflict=skip")
        assert (status, out.count(b"+two"), out.count(b"+one")) == (0, 1, 0), (status, out, err)


def test_page_kept_dirty(w):
    """A run that changes a mapped page after the look, which no time stamp tells, has it refused."""
    process = flipping(w)
    try:
        for _ in range(20):
            flip(process, b"shown ")
            assert "+shown \n" in w.shadow("diff").out
            if not flip(process, b"unseen"):
                continue  # the page was written out meanwhile: the times tell
            refused(w)
            break
        else:
            raise harness.Skip("every page is written out at once here")
        assert w.read("f") == lines()
    finally:
        process.communicate(timeout=30)
    assert "+unseen\n" in w.shadow("diff").out
    w.shadow("apply", "--yes")
    assert w.read("f").startswith("unseen\n")


def stamps(w):
    """Of f in the session's layer."""
    (upper,) = glob.glob(os.path.join(w.state, "sessions", "*", "project", "upper"))
    there = os.stat(os.path.join(upper, "f"))
    return there.st_mtime_ns, there.st_ctime_ns


def test_parts_of_a_page_kept_dirty(w):
    """Offers are copies: what a run makes of a mapped page between question and answer is not
    written, whether all of a file is taken or a part of it, and stays in the session."""
    process = flipping(w)
    try:
        for answers, late in ((b"y\nn\n", "line 25"), (b"y\ny\n", "late")):
            for _ in range(20):
                flip(process, b"shown ")
                asked = w.start("apply", "-p", stdin=-1, stdout=-1, stderr=-1)
                wait_for_question(asked)
                before = stamps(w)
                flip(process, b"unseen")
                _, err = asked.communicate(answers, timeout=60)
                if asked.returncode == 0:
                    break
                # Somebody had the whole filesystem written out meanwhile: the page's next change is told.
                assert stamps(w) != before and b"'f': it changed meanwhile" in err, err
            text = w.read("f")
            assert text.startswith("shown \nline 2\n") and f"\n{late}\n" in text, text
            assert "-shown \n+unseen\n" in w.shadow("diff", "f").out
            w.shadow("undo")
    finally:
        process.communicate(timeout=30)
    assert w.run("head", "-n1", "f").out == "unseen\n"


def test_parts_of_a_merge(w):
    """The merge that is offered is the one that is written, and what the agent makes of its side
    meanwhile is a change of the session still."""
    project(w)
    merging(w)
    asked = w.start("apply", "-p", "f", stdin=-1, stdout=-1, stderr=-1)
    wait_for_question(asked)
    edit(w, "f", n=28, text="more")
    _, err = asked.communicate(b"y\n", timeout=60)
    assert asked.returncode == 0, err
    assert w.read("f") == lines(l2="two", l20="user")
    w.shadow("apply", "--yes", "--on-conflict=merge", "f")
    assert w.read("f") == lines(l2="two", l20="user", l28="more")


def test_offers_count_as_shown(w):
    """What -p showed to its last part, and was not taken, is bound; what it did not come to is not."""
    project(w)
    w.run("sed", "-i", "-e", "2s/.*/two/", "-e", "25s/.*/late/", "f", "g")
    w.shadow("apply", "-p", stdin=b"n\nn\nq\n", check=False)
    edit(w, "f", "g", n=3, text="three")
    refused(w)
    w.shadow("apply", "--yes", "g")
    assert w.read("g") == lines(l2="two", l3="three", l25="late")


def test_offered_files_of_every_kind(w):
    """Large files, other names of a file, attributes and modes are offered and written as they were
    when the first question came."""
    project(w)
    w.write("big", "x" * 200_000)
    w.write("attr", "1\n")
    w.sh("ln f hard; echo 1 >>f; echo y >>big; ln big big2; chmod 750 attr; ln -s f link; rm del; "
         "mkdir -p n; echo 1 >n/x; ln n/x n/y; rm g; mkdir g; echo 1 >g/z")
    view = harness.walk_script()
    wanted = w.run("python3", "-c", view).out
    asked = w.start("apply", "-p", stdin=-1, stdout=-1, stderr=-1)
    wait_for_question(asked)
    w.sh("echo 2 >>f; echo z >>big; chmod 700 attr; echo 2 >>n/x; echo 2 >>g/z; echo 2 >other")
    _, err = asked.communicate(b"y\n" * 30, timeout=60)
    assert asked.returncode == 0, err
    facts, _ = harness.walk(w.project, skip=(b".git",))
    for path, fact in eval(wanted)[0].items():  # pylint: disable=eval-used
        if not path.startswith(b".git") and path != b"":
            assert facts[path] == fact, (path, facts[path], fact)
    names = w.shadow("diff", "--name-only").out.split()
    assert names == ["big", "big2", "f", "g/z", "hard", "n/x", "n/y", "other"], names


def test_no_mark_of_a_look(w):
    """A review leaves no access time by which a run could learn that it was looked at."""
    project(w)
    w.sh("sed -i 2s/.*/two/ f; mkdir d; echo 1 >d/x; truncate -s 3M big; echo 1 >>big")
    # Older than what it was last written, or the kernel would not renew it anyway.
    w.sh("touch -a -d 2001-01-01 f d/x d big .")
    for words in (("status",), ("diff",), ("diff", "--stat"), ("apply", "-n", "--diff"),
                  ("apply", "-p"), ("apply", "-n")):
        w.shadow(*words, check=False)
    times = w.run("stat", "-c", "%n %x", "f", "d/x", "big", "d").out.splitlines()
    assert all(" 2001-01-01 " in line for line in times), times


def test_live_and_long(w):
    """While a run goes on and writes, a diff binds what it showed of it, and the rest arrives."""
    project(w)
    with live(w, "sed -i 2s/.*/two/ f g"):
        w.shadow("diff")
        edit(w, "f", text="other")
        refused(w)
        w.shadow("apply", "--yes", "g")
    assert w.read("g") == lines(l2="two") and w.read("f") == lines()


def save(w, name, text):
    """As an editor does."""
    w.write(name + "~", text)
    os.rename(w.path(name + "~"), w.path(name))


def test_saved_while_asked(w):
    """A file that you save while you are asked about others stops nothing if nothing of it was taken; one that you save
    before its turn is left out by name."""
    w.git_project({"f": lines(), "g": lines(), "h": lines()})
    w.run("sed", "-i", "-e", "2s/.*/two/", "-e", "25s/.*/late/", "f", "g", "h")
    w.wait_settled()
    for saved, answers, others in (("f", b"n\nn\ny\ny\ny\ny\n", "gh"), ("g", b"n\nn\ny\nn\n", "h")):
        asked = w.start("apply", "-p", stdin=-1, stdout=-1, stderr=-1)
        wait_for_question(asked)
        asked.stdin.write(b"n\n")
        asked.stdin.flush()
        wait_for_question(asked)
        save(w, saved, lines(l15="user"))
        _, err = asked.communicate(answers[2:], timeout=60)
        assert asked.returncode == 0, err
        assert (b"left out: 'g' (it changed meanwhile; 'shadow apply -p g' asks" in err) == (saved == "g"), err
        assert w.read("f") == lines(l15="user") if saved == "f" else w.read("g") == lines(l15="user")
        for name in others:
            assert "two" in w.read(name), (name, w.read(name))
        w.shadow("undo")
    # What was taken of the file is not written over what you saved, and is still the session's.
    asked = w.start("apply", "-p", "h", stdin=-1, stdout=-1, stderr=-1)
    wait_for_question(asked)
    save(w, "h", lines(l15="user"))
    _, err = asked.communicate(b"y\nn\n", timeout=60)
    assert asked.returncode == 4 and b"'h'" in err and b"have ended" not in err, err
    assert w.read("h") == lines(l15="user")
    assert w.shadow("apply", "-p", "h", stdin=b"y\nn\n").returncode == 0
    assert w.read("h") == lines(l2="two", l15="user")


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
