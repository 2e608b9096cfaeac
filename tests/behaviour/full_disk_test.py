# SPDX-License-Identifier: MIT
"""Runs that leave nothing of the filesystem of the state, and what still works then."""

import errno
import os
import shlex
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import harness  # noqa: E402


def test_a_full_filesystem_can_be_left(w):
    """A run that takes the last byte or inode of the state's filesystem can be reviewed, applied in part and
    dropped all the same, and the next run works."""
    if os.geteuid() != 0:
        raise harness.NotHere("mounting needs root; what fills up is the same there")
    os.makedirs(w.state, exist_ok=True)
    for options in ("size=40m", "size=40m,nr_inodes=400"):
        subprocess.run(["mount", "-t", "tmpfs", "-o", options + ",mode=700", "none", w.state], check=True)
        try:
            w.run("true")
            harness.wait_until(lambda: os.path.exists(os.path.join(w.state, "reserve")), what="the reserve")
            w.wait_settled()
            w.shadow("run", "--", "sh", "-c", "i=0; while echo x >f$i; do i=$((i+1)); done; "
                     "dd if=/dev/zero of=big bs=64k", check=False)
            w.shadow("run", "--", "true", check=False)
            assert "A  f0" in w.shadow("status").out
            assert "+x" in w.shadow("diff", "f1").out
            w.shadow("apply", "--yes", "f1")
            assert w.read("f1") == "x\n"
            w.shadow("discard", "--yes", "f2")
            assert "  f2\n" not in w.shadow("status").out
            w.shadow("discard", "--yes")
            harness.wait_until(lambda: w.shadow("run", "--", "sh", "-c", "echo fine >f3", check=False)
                               .returncode == 0, what="room")
            w.shadow("apply", "--yes")
            assert w.read("f3") == "fine\n"
            w.wait_settled()
        finally:
            subprocess.run(["umount", "--lazy", w.state], check=True)
        os.unlink(w.path("f1"))
        os.unlink(w.path("f3"))


def test_the_very_first_run_can_fill_the_filesystem(w):
    """What a first run must leave is set aside before its command starts; and where nothing is left at all, the
    session can still be dropped whole."""
    if os.geteuid() != 0:
        raise harness.NotHere("mounting needs root; what fills up is the same there")
    os.makedirs(w.state, exist_ok=True)
    fill = "i=0; while echo x >f$i; do i=$((i+1)); done; dd if=/dev/zero of=big bs=64k"
    for options in ("size=60m", "nr_inodes=600"):
        for left in ("reserve", "nothing"):
            subprocess.run(["mount", "-t", "tmpfs", "-o", options + ",mode=700", "none", w.state], check=True)
            try:
                w.shadow("run", "--", "sh", "-c", fill, check=False)
                if left == "nothing":
                    shutil.rmtree(os.path.join(w.state, "reserve"))
                    w.shadow("run", "--", "sh", "-c", fill.replace("f$", "g$"), check=False)
                    assert w.shadow("discard", "--yes", "--kill").out.startswith("discarded")
                else:
                    assert "A  f0" in w.shadow("status").out
                    w.shadow("apply", "--yes", "f1")
                    assert w.read("f1") == "x\n"
                    os.unlink(w.path("f1"))
                    w.shadow("discard", "--yes", "--kill")
                harness.wait_until(lambda: w.shadow("run", "--", "sh", "-c", "echo fine >f3", check=False)
                                   .returncode == 0, what="room")
                assert "A  f3" in w.shadow("status").out
                w.wait_settled()
            finally:
                subprocess.run(["umount", "--lazy", w.state], check=True)


def test_no_room_for_a_run(w):
    """A run for whose session there is no room names the file that cannot be written, and says where to make room."""
    if os.geteuid() != 0:
        raise harness.NotHere("mounting needs root; what fills up is the same there")
    os.makedirs(w.state, exist_ok=True)
    for full_at_first in (True, False):
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m,mode=700", "none", w.state], check=True)
        try:
            w.shadow("list") if full_at_first else w.run("true")
            w.wait_settled()
            shutil.rmtree(os.path.join(w.state, "reserve"), ignore_errors=True)
            subprocess.run(["dd", "if=/dev/zero", "of=" + os.path.join(w.state, "fill"), "bs=4k"], check=False,
                           stderr=subprocess.DEVNULL)
            refused = w.shadow("run", "--", "true", check=False)
            if full_at_first or refused.returncode != 0:
                assert refused.returncode == 125 and "no space left on device" in refused.err, refused
                assert "a file:" not in refused.err and "hint: " in refused.err and w.state in refused.err, refused
            os.unlink(os.path.join(w.state, "fill"))
            w.run("true")
            w.wait_settled()
        finally:
            subprocess.run(["umount", "--lazy", w.state], check=True)


def test_no_room_for_a_discard(w):
    """A discard of a path that cannot be written down drops nothing; one that is done says so."""
    if os.geteuid() != 0:
        raise harness.NotHere("mounting needs root; what fills up is the same there")
    os.makedirs(w.state, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m,mode=700", "none", w.state], check=True)
    try:
        for name in ("f1", "f2", "f3"):
            w.write(name, "one\ntwo\n")
        w.sh("for f in f1 f2 f3; do echo agent >>$f; done")
        w.wait_settled()
        fill = os.path.join(w.state, "fill")
        for words, stdin in ((["--yes", "f3"], b""), (["-p", "f2"], b"y\n")):
            subprocess.run(["dd", "if=/dev/zero", "of=" + fill, "bs=4k"], check=False, stderr=subprocess.DEVNULL)
            done = w.shadow("discard", *words, check=False, stdin=stdin)
            os.unlink(fill)
            text = w.run("tail", "-n", "1", words[1]).out
            w.wait_settled()
            listed = words[1] in w.shadow("status").out
            assert (done.returncode == 0) == (text == "two\n") == (not listed), (done.returncode, done.err, text, listed)
        assert "f1" in w.shadow("status").out
        w.shadow("discard", "--yes", "f1")
        assert w.run("tail", "-n", "1", "f1").out == "two\n"
    finally:
        subprocess.run(["umount", "--lazy", w.state], check=True)
    for name in ("f1", "f2", "f3"):
        os.unlink(w.path(name))


def test_no_room_for_an_undo(w):
    """What is to be replaced and cannot be kept for an undo, on another filesystem than the state's, stops an apply or
    undo before it writes; all else goes on."""
    if os.geteuid() != 0:
        raise harness.NotHere("mounting needs root; what fills up is the same there")
    os.makedirs(w.state, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m,mode=700", "none", w.state], check=True)
    try:
        w.write("large", "x" * (30 << 20))
        w.write("small", "x\n")
        w.sh("rm large; echo new >small")
        w.wait_settled()
        before = harness.fingerprint(w.project)
        refused = w.shadow("apply", "--yes", check=False)
        assert refused.returncode == 2 and "earlier content of 'large'" in refused.err, refused.err
        assert "hint: make room" in refused.err and harness.fingerprint(w.project) == before
        w.shadow("apply", "--yes", "small")
        assert w.read("small") == "new\n"
        w.shadow("undo")
        assert w.read("small") == "x\n" and sorted(os.listdir(w.project)) == ["large", "small"]
        w.shadow("discard", "--yes")
    finally:
        subprocess.run(["umount", "--lazy", w.state], check=True)


def fill_up(place, what):
    """Leaves no byte, or no inode, of its filesystem."""
    if what == "bytes":
        subprocess.run(["dd", "if=/dev/zero", "of=" + place + "/fill", "bs=4k"], check=False, stderr=subprocess.DEVNULL)
        return
    os.mkdir(place + "/fill")
    try:
        for number in range(100_000):
            os.mknod(f"{place}/fill/{number}")
    except OSError as error:
        assert error.errno == errno.ENOSPC, error


def make_room(place):
    subprocess.run(["rm", "-rf", place + "/fill"], check=True)


def test_every_command_answers(w):
    """With no byte or no inode left where the state is, each command does what it is for or says in a line why not; nothing
    is written to the project halfway, and nothing of the session is lost."""
    if os.geteuid() != 0:
        raise harness.NotHere("mounting needs root; what fills up is the same there")
    os.makedirs(w.state, exist_ok=True)
    commands = ["status", "status --json", "diff", "diff --commits", "log", "show 1", "list", "list --all", "refresh", "gc", "gc -n",
                "apply -n", "apply -p", "apply --yes f1", "undo -n", "undo --yes", "discard --yes f2", "discard -p f3",
                "refresh f3", "apply --yes", "undo --yes", "run -- true", "run -- sh -c 'echo more >f4'", "doctor"]
    for what, options in (("bytes", "size=24m"), ("inodes", "size=24m,nr_inodes=3000")):
        for name in ("f1", "f2", "f3"):
            w.write(name, "one\ntwo\n")
        subprocess.run(["mount", "-t", "tmpfs", "-o", options + ",mode=700", "none", w.state], check=True)
        try:
            w.sh("for f in f1 f2 f3; do echo agent >>$f; done; echo new >f4")
            w.wait_settled()
            w.write("f2", "user\none\ntwo\n")
            for command in commands:
                fill_up(w.state, what)
                before = harness.fingerprint(w.project)
                done = w.shadow(*shlex.split(command), check=False, stdin=b"y\ny\ny\ny\n")
                after = harness.fingerprint(w.project)
                make_room(w.state)
                assert 0 <= done.returncode < 126, (what, command, done)
                says = done.out if command == "doctor" else done.err.removeprefix("shadow: ")
                assert done.returncode in (0, 1) or (says and says != done.err), (what, command, done)
                assert len(done.err.splitlines()) < 8 and "terminate" not in done.err, (what, command, done)
                writes = command.split()[0] in ("apply", "undo") and "-n" not in command.split()
                assert before == after or (writes and done.returncode in (0, 4)), (what, command, done)
            w.wait_settled()
            w.shadow("undo", "--yes", check=False)
            assert "new\n" == w.run("cat", "f4").out or "more\n" == w.run("cat", "f4").out
            view = w.run("cat", "f1").out
            assert view == "one\ntwo\nagent\n", view
            w.shadow("discard", "--yes")
        finally:
            subprocess.run(["umount", "--lazy", w.state], check=True)
        for name in os.listdir(w.project):
            os.unlink(w.path(name))


def test_what_cannot_be_tidied_up_is_in_nobodys_way(w):
    """An apply that is written but whose pre-images cannot be kept yet stops no other command, and is finished later."""
    w.write("a", "old\n")
    os.link(w.path("a"), w.path("b"))
    w.sh("echo new >a.n; mv a.n a; echo more >c")
    w.wait_settled()
    full = {"SHADOW_FAIL": "pre-image-copied:1=ENOSPC"}
    w.shadow("apply", "--yes", env=full)
    if not [name for name in os.listdir(w.project) if name.startswith(".shadow-")]:
        raise harness.Skip("built without fail points")
    for words in (["status"], ["run", "--", "true"], ["discard", "--yes"]):
        done = w.shadow(*words, env=full)
        assert "apply 1 is written, but not tidied up" in done.err, done.err
    assert w.shadow("list").out == "no sessions\n"
    w.run("true")
    assert sorted(os.listdir(w.project)) == ["a", "b", "c"]
    w.shadow("undo", "1")
    assert w.read("a") == "old\n" and sorted(os.listdir(w.project)) == ["a", "b"]


def test_a_limit_on_the_size_of_files(w):
    """An apply that meets its caller's limit (ulimit -f) says so and writes nothing, as on a full disk."""
    w.write("a", "old\n")
    w.sh("echo new >a; head -c 20M /dev/zero >big; echo z >z")
    done = subprocess.run(["bash", "-c", 'ulimit -f 10240; exec "$0" apply --yes', harness.SHADOW], cwd=w.project,
                          env=w.env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2 and "cannot" in done.stderr and "file too large" in done.stderr, done
    assert os.listdir(w.project) == ["a"] and w.read("a") == "old\n"
    w.shadow("apply", "--yes")
    assert w.read("a") == "new\n" and os.stat(w.path("big")).st_size == 20 << 20


def test_a_run_under_a_limit_on_the_size_of_files(w):
    """The limit stops no run by a signal: it begins, or says why not; its command meets the limit as elsewhere."""
    w.run("true")
    w.wait_settled()

    def limited(blocks, *words):
        return subprocess.run(["bash", "-c", f'ulimit -f {blocks}; exec "$0" run -- "$@"', harness.SHADOW, *words],
                              cwd=w.project, env=w.env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=60, check=False)

    done = limited(0, "echo", "ran")
    assert done.returncode == 125 and done.stderr.startswith("shadow: cannot ") and done.stdout == "", done
    done = limited(2048, "sh", "-c", "echo ran; exec head -c 20M /dev/zero >big")
    assert done.returncode == 128 + 25 and done.stdout == "ran\n", done
    w.shadow("run", "--", "rm", "big")
    assert w.shadow("status", "--porcelain").out == ""


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
