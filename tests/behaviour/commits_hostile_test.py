# SPDX-License-Identifier: MIT
"""Commits of an agent that means harm, of a user who works meanwhile, and applies that are killed."""

import os
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import harness  # noqa: E402
from repository import check_whole, status, text, tip  # noqa: E402


def test_hooks_are_not_run(w):
    """Hooks of the real repository are not run, whoever made them."""
    w.git_project()
    canary = os.path.join(w.tmp, "canary")
    for name in ("reference-transaction", "post-commit", "update", "post-index-change", "pre-commit",
                 "fsmonitor-watchman"):
        w.write(f".git/hooks/{name}", f"#!/bin/sh\ntouch {canary}\n", 0o755)
    w.git("config", "core.fsmonitor", f"touch {canary}; true")
    if os.path.exists(canary):
        os.remove(canary)
    w.sh("echo x >>a.txt; git -c core.fsmonitor= -c core.hooksPath=/dev/null commit -qam A")
    w.shadow("apply", "--yes")
    assert tip(w, "main") == tip(w, "HEAD")
    assert not os.path.exists(canary)


MAKE = r"""
import hashlib, os, sys, zlib
def put(kind, body, name=None):
    data = kind.encode() + b" " + str(len(body)).encode() + b"\0" + body
    name = name or hashlib.sha1(data).hexdigest()
    path = ".git/objects/" + name[:2] + "/" + name[2:]
    os.makedirs(os.path.dirname(path), exist_ok=True)
    open(path, "wb").write(zlib.compress(data))
    return name
def tree(*rows):
    return put("tree", b"".join(m.encode() + b" " + n + b"\0" + bytes.fromhex(i) for m, n, i in rows))
def commit(t, parent=None):
    who = b"T <t@example.org> 1 +0000"
    return put("commit", b"tree " + t.encode() + b"\n" +
               (b"parent " + parent.encode() + b"\n" if parent else b"") +
               b"author " + who + b"\ncommitter " + who + b"\n\nm\n")
def branch(name, i):
    os.makedirs(os.path.dirname(".git/refs/heads/" + name), exist_ok=True)
    open(".git/refs/heads/" + name, "w").write(i + "\n")
blob = put("blob", b"x\n")
"""


def test_crafted_objects(w):
    """Objects that git would not have made are not copied, and the branch is named with the reason."""
    w.git_project()
    before = harness.fingerprint(w.path(".git"))
    script = MAKE + r"""
bad = {"dotgit": [("40000", b".git", tree(("100644", b"config", blob)))],
       "case": [("100644", b".GIT", blob)], "ntfs": [("100644", b"git~1", blob)],
       "stream": [("100644", b".git::$INDEX_ALLOCATION", blob)], "dots": [("100644", b".git. .", blob)],
       "hfs": [("100644", b".g\xe2\x80\x8cit", blob)], "dotdot": [("40000", b"..", tree(("100644", b"x", blob)))],
       "slash": [("100644", b"a/../../x", blob)], "empty": [("100644", b"", blob)],
       "order": [("100644", b"b", blob), ("100644", b"a", blob)],
       "twice": [("100644", b"a", blob), ("100644", b"a", blob)],
       "mode": [("100777", b"a", blob)], "missing": [("100644", b"a", "12" * 20)],
       "kind": [("40000", b"a", blob)], "modules": [("120000", b".gitmodules", blob)]}
for name, rows in bad.items():
    branch(name, commit(tree(*rows)))
branch("option", commit(tree(("100644", b".gitmodules",
       put("blob", b'[submodule "a"]\n\turl = -u./x\n')))))
branch("wrong", put("commit", b"tree " + b"1" * 40 + b"\n", "ab" * 20))
branch("liar", commit(tree(("100644", b"a", put("blob", b"other", "cd" * 20)))))
branch("noparent", commit(tree(("100644", b"a", blob)), "34" * 20))
branch("header", put("commit", b"tree " + tree(("100644", b"a", blob)).encode() + b"\nauthor x\n\n"))
branch("blobby", blob)
branch("good", commit(tree(("100644", b"a", blob))))
"""
    w.run("python3", "-c", script)
    out = w.shadow("apply", "--yes").out
    for name in ("dotgit", "case", "ntfs", "stream", "dots", "hfs", "dotdot", "slash", "empty", "order",
                 "twice", "mode", "missing", "kind", "modules", "option", "wrong", "liar", "noparent",
                 "header", "blobby"):
        assert tip(w, name) == "", name
        assert tip(w, "refs/shadow/default/" + name) == "", name
        assert [line for line in out.splitlines() if line.startswith("  " + name)], (name, out)
    assert tip(w, "good") != ""
    check_whole(w)
    after = harness.fingerprint(w.path(".git"))
    assert len(after) < len(before) + 12, "objects of refused branches were copied"


def test_bombs(w):
    """Objects that unpack to very much, rings and deep trees cost a bound, not the machine."""
    w.git_project()
    script = MAKE + r"""
body = b"blob 1500000000\0"
packer = zlib.compressobj(9)
data = packer.compress(body)
zero = bytes(1 << 20)
for _ in range(1430):
    data += packer.compress(zero)
data += packer.flush()
name = "ef" * 20
os.makedirs(".git/objects/ef", exist_ok=True)
open(".git/objects/ef/" + name[2:], "wb").write(data)
branch("bomb", commit(tree(("100644", b"a", name))))
deep = tree(("100644", b"a", blob))
for _ in range(3000):
    deep = tree(("40000", b"d", deep))
branch("deep", commit(deep))
"""
    w.run("python3", "-c", script)
    begun = time.time()
    out = w.shadow("apply", "--yes", timeout=300).out
    assert time.time() - begun < 120 * harness.TIME_FACTOR
    assert tip(w, "bomb") == "" and "bomb" in out, out
    assert tip(w, "deep") == "" and "deep" in out, out
    check_whole(w)


def test_commits_that_are_long_in_comparing(w):
    """Very many parents, and trees of very many trees with nothing in them, cost a review a bound; an honest branch arrives."""
    w.git_project()
    script = MAKE + r"""
blank = tree()
for _ in range(7):
    blank = tree(*(("40000", b"d%02d" % i, blank) for i in range(10)))
who = b"T <t@example.org> 1 +0000"
head = open(".git/refs/heads/main", "rb").read().strip()
branch("parents", put("commit", b"tree " + tree(("100644", b"a", blob)).encode() + b"\n" + (b"parent " + head + b"\n") * 200000 +
                      b"author " + who + b"\ncommitter " + who + b"\n\nm\n"))
branch("blank", commit(blank, head.decode()))
branch("honest", commit(tree(("100644", b"a", blob)), head.decode()))
"""
    w.run("python3", "-c", script)
    begun = time.time()
    out = w.shadow("apply", "-n", timeout=300).out
    assert time.time() - begun < 120 * harness.TIME_FACTOR
    lines = [line for line in out.splitlines() if line.startswith(("  blank", "  honest"))]
    assert len(lines) == 2 and "stays" in lines[0] and "stays" not in lines[1], out


def test_branch_that_cannot_be_read(w):
    """A review of the commits with their patches names a branch of which it can show nothing."""
    w.git_project()
    w.sh("echo 1212121212121212121212121212121212121212 >.git/refs/heads/broken; git commit -q --allow-empty -m made")
    done = w.shadow("diff", "--commits", "-p")
    assert "made" in done.out and "broken: cannot be read, and is not shown" in done.out, (done.out, done.err)


def test_hostile_refs(w):
    """Refs that are links, loops, or lead out of refs are not followed, in the view or in the project."""
    w.git_project()
    outside = os.path.join(w.tmp, "outside")
    with open(outside, "w", encoding="utf-8") as f:
        f.write(tip(w, "main") + "\n")
    w.sh("""echo x >>a.txt; git commit -qam A
      git branch fine; ln -s ../../../../outside .git/refs/heads/link; mkfifo .git/refs/heads/pipe
      echo 'ref: refs/heads/loop' >.git/refs/heads/loop; echo 'ref: refs/heads/../../x' >.git/refs/heads/up
      cp .git/refs/heads/main '.git/refs/heads/a..b'; cp .git/refs/heads/main '.git/refs/heads/x.lock'""")
    w.shadow("apply", "--yes")
    assert text(w, "for-each-ref", "--format=%(refname)").split() == \
        ["refs/heads/fine", "refs/heads/main"]
    check_whole(w)


def test_links_in_the_real_git_directory(w):
    """A symlink in the project's own git directory is never written through."""
    w.git_project()
    elsewhere = os.path.join(w.tmp, "elsewhere")
    os.mkdir(elsewhere)
    w.sh("git switch -qc sub/topic; echo x >>a.txt; git commit -qam A")
    os.symlink(elsewhere, w.path(".git/refs/heads/sub"))
    out = w.shadow("apply", "--yes").out
    assert os.listdir(elsewhere) == [], out
    os.remove(w.path(".git/refs/heads/sub"))
    check_whole(w)


def test_locks_are_respected(w):
    """A lock that git holds is not taken away: the commits are kept beside."""
    w.git_project()
    head = tip(w, "main")
    w.sh("echo x >>a.txt; git commit -qam A; git branch topic")
    w.write(".git/refs/heads/topic.lock")
    w.write(".git/index.lock")
    out = w.shadow("apply", "--yes").out
    assert tip(w, "main") == head and tip(w, "topic") == ""
    assert tip(w, "refs/shadow/default/main") and tip(w, "refs/shadow/default/topic"), out
    assert os.path.exists(w.path(".git/index.lock"))
    os.remove(w.path(".git/index.lock"))
    os.remove(w.path(".git/refs/heads/topic.lock"))
    check_whole(w)


def test_the_user_commits_during_applies(w):
    """Commits of the user that race with applies are never lost, and neither are the agent's."""
    w.git_project({"a.txt": "one\n", "b.txt": "two\n"})
    stop = threading.Event()
    made = []

    def commit():
        number = 0
        while not stop.is_set():
            number += 1
            w.write("b.txt", f"{number}\n")
            if w.git("commit", "-qam", f"mine {number}", check=False).returncode == 0:
                made.append(f"mine {number}")

    user = threading.Thread(target=commit)
    user.start()
    theirs = []
    try:
        for number in range(8):
            # A run that sees the user's index.lock sees it to its end.
            script = f"echo {number} >f{number}; git add f{number} && git commit -qm 'agent {number}'"
            harness.wait_until(lambda: w.sh(script, check=False).returncode == 0, 60, "a commit")
            theirs.append(f"agent {number}")
            w.shadow("apply", "--yes", check=False)
    finally:
        stop.set()
        user.join()
    subjects = set(text(w, "log", "--all", "--format=%s").splitlines())
    held = set(w.sh("git log --all --format=%s", check=False).out.splitlines())
    assert set(made) <= subjects, set(made) - subjects
    assert set(theirs) <= subjects | held, set(theirs) - subjects
    check_whole(w)


def test_killed_anywhere(w):
    """Killed at any step of an apply with commits: the next command mends, and nothing is lost."""
    killed = 0
    for name in ("git-object-written", "git-object-placed", "git-lock-made", "git-locked",
                 "git-renamed", "git-ref-noted", "committed", "before-commit"):
        for number in range(1, 7):
            w.project = os.path.join(w.tmp, f"{name}-{number}")
            os.mkdir(w.project)
            w.git_project({"a.txt": "one\n"})
            # As loose objects, and as a pack.
            many = 40 * (number % 4)
            w.sh(f"""echo x >>a.txt; echo n >n; for i in $(seq {many}); do echo $i >f$i; done
                git add -A; git commit -qm A; git branch topic""")
            done = w.shadow("apply", "--yes", check=False, env={"SHADOW_FAIL": f"{name}:{number}=kill"})
            if done.returncode >= 0 and done.returncode != 137:
                assert done.returncode == 0, done.err
                break
            killed += 1
            w.shadow("status")
            again = w.shadow("apply", "--yes", check=False)
            assert tip(w, "topic"), (name, number, again.returncode, again.out, again.err)
            assert len(os.listdir(w.path(".git/objects/pack"))) in (0, 2)
            assert text(w, "log", "--format=%s", "main") == "A\nbegin", (name, number)
            assert text(w, "log", "-1", "--format=%s", "topic") == "A", (name, number)
            assert status(w) == "", (name, number, status(w))
            check_whole(w)
    if killed == 0:
        raise harness.Skip("built without fail points")
    print(f"# killed at {killed} points")


def test_errors_anywhere(w):
    """Out of disk or quota, or an error of the disk, at any step: nothing is lost, the next apply does it."""
    failed = 0
    for name in ("git-object-written", "git-object-placed", "git-lock-made", "git-locked",
                 "git-renamed", "git-ref-noted"):
        for number in range(1, 5):
            for error in ("ENOSPC", ("EIO", "EDQUOT", "EROFS", "EACCES")[(number + len(name)) % 4]):
                w.project = os.path.join(w.tmp, f"{name}-{number}-{error}")
                os.mkdir(w.project)
                w.git_project({"a.txt": "one\n"})
                w.sh("echo x >>a.txt; git commit -qam A; git branch topic")
                done = w.shadow("apply", "--yes", check=False,
                                env={"SHADOW_FAIL": f"{name}:{number}={error}"})
                failed += done.returncode != 0
                w.shadow("status")
                w.shadow("apply", "--yes", check=False)
                assert text(w, "log", "--format=%s", "main") == "A\nbegin", (name, number, error)
                assert text(w, "log", "-1", "--format=%s", "topic") == "A", (name, number, error)
                assert status(w) == "", (name, number, error, status(w))
                check_whole(w)
    if failed == 0:
        raise harness.Skip("built without fail points")
    print(f"# failed at {failed} points")


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
