# SPDX-License-Identifier: MIT
"""git's own files of a repository that the session made: git and the review read them alike, or they do not arrive."""

import os
import subprocess
import sys

import harness

NEW = "git init -q -b main n; cd n; echo fine >f; git add f; git commit -qm f; "
EVIL = "echo evil >.envrc; "
APART = "git checkout -q --detach; " + EVIL + "git add .envrc; git commit -qm evil; e=$(git rev-parse HEAD); git checkout -q main; "

# Writes an index byte by byte: entries (path, id, mode, flags, extended flags), then extensions.
INDEX = r'''
import hashlib, struct, subprocess, sys
def git(*words):
    return subprocess.check_output(["git", *words]).decode().strip()
def blob(text):
    return subprocess.run(["git", "hash-object", "-w", "--stdin"], input=text, stdout=subprocess.PIPE, check=True).stdout.decode().strip()
def entry(path, id, mode=0o100644, flags=None, more=None):
    name = path.encode()
    out = struct.pack(">10I", 0, 0, 0, 0, 0, 0, mode, 0, 0, 0) + bytes.fromhex(id)
    out += struct.pack(">H", len(name) if flags is None else flags) + (b"" if more is None else struct.pack(">H", more)) + name
    return out + b"\0" * (8 - len(out) % 8)
def extension(kind, body):
    return kind + struct.pack(">I", len(body)) + body
def write(entries, extensions=b""):
    out = b"DIRC" + struct.pack(">II", 2, len(entries)) + b"".join(entries) + extensions
    open(".git/index", "wb").write(out + hashlib.sha1(out).digest())
f = git("rev-parse", "HEAD:f")
'''

HOOK = "printf '#!/bin/sh\\ntouch $HOME/RAN\\n' >.git/hooks/post-checkout; chmod +x .git/hooks/post-checkout; "


def made(w, script, program=None):
    """A new repository `n`, whose index a program has written; applied."""
    w.git_project()
    with open(os.path.join(w.home, "index.py"), "w", encoding="utf-8") as file:
        file.write(INDEX + (program or ""))
    w.sh(NEW + script + ("; python3 ~/index.py" if program else ""))
    w.shadow("status")
    w.shadow("diff", "--commits", "-p")
    return w.shadow("apply", "--yes", "--skip-sensitive", check=False)


def in_new(w, *words):
    done = subprocess.run(["git", *words], cwd=w.path("n"), env=w.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False)
    return done.stdout.decode(errors="replace")


def checked_out(w):
    """All that git brings to the work tree by itself, or lists as there."""
    listed = set(in_new(w, "ls-files").split())
    in_new(w, "checkout", ".")
    return listed | {name for name in os.listdir(w.path("n")) if name != ".git"}


def fresh(w, count):
    for number in range(count):
        w.project = os.path.join(w.tmp, f"p{number}")
        os.mkdir(w.project)
        yield number


INDEXES = {
    "a hook": (HOOK + "true", "write([entry('.git/hooks/post-checkout', blob(open('.git/hooks/post-checkout','rb').read()), "
               "0o100755), entry('f', f)])"),
    "what is skipped": (EVIL + "ln -s ../../outside l; git add -f .", None),
    "what git ignores": ("echo '*.o' >.gitignore; git add .gitignore; git commit -qm i; echo x >x.o; git add -f x.o", None),
    "a link with the id of a file": ("printf ../../outside >l; git add l; git commit -qm l; git update-index --cacheinfo "
                                     "120000,$(git rev-parse HEAD:l),l", None),
    "a name longer than its length": ("echo z >z", "write([entry('f', f, flags=70), entry('z', blob(b'z\\n'))], "
                                      "extension(b'ABCD', entry('x/.envrc', blob(b'evil\\n'))))"),
    "extended flags in version 2": ("cp f @", "write([entry('f', f, flags=0x4001, more=0x4000)])"),
    "a tree that no commit has": ("mkdir d; echo g >d/g; git add d; git commit -qm d", """
g, evil = git("rev-parse", "HEAD:d/g"), blob(b"evil\\n")
tree = subprocess.run(["git", "mktree"], input=f"100644 blob {evil}\\t.envrc\\n100644 blob {g}\\tg\\n".encode(),
                      stdout=subprocess.PIPE, check=True).stdout.decode().strip()
write([entry("d/g", g), entry("f", f)], extension(b"TREE", b"\\0-1 1\\nd\\x001 0\\n" + bytes.fromhex(tree)))
"""),
}


def test_index(w):
    """An index brings nothing but what the commit has that is checked out, whatever bytes it is made of."""
    names = list(INDEXES)
    for number in fresh(w, len(names)):
        script, program = INDEXES[names[number]]
        made(w, script, program)
        assert os.path.exists(w.path("n/f")), names[number]
        there = checked_out(w)
        assert there <= {"f", "l", "z", "@", "d", "d/g", "x.o", ".gitignore"}, (names[number], there)
        assert not os.path.islink(w.path("n/l")) and not os.path.lexists(w.path("n/x.o")), names[number]
        assert not os.path.exists(os.path.join(w.home, "RAN")), names[number]
        with open(w.path("n/f"), "a", encoding="utf-8") as file:
            file.write("my own work\n")
        in_new(w, "add", "f")
        in_new(w, "-c", "user.name=u", "-c", "user.email=u@h", "commit", "-qm", "mine")
        shown = in_new(w, "show", "--name-only", "--format=%s").split()
        assert shown == ["mine", "f"], (names[number], shown)


def test_clean(w):
    """What the agent has committed is clean in the project, and what it has only staged is there as a file."""
    assert made(w, "echo s >staged; git add staged; mkdir d; echo g >d/g; git add d; git commit -qm d; echo n >new; "
                   "git add new").returncode == 0
    assert in_new(w, "status", "--porcelain").split() == ["??", "new"], in_new(w, "status")
    assert in_new(w, "ls-files").split() == ["d/g", "f", "staged"]


REFS = {
    "a packed ref more than once": "rm .git/refs/heads/main; { echo '# pack-refs with: peeled fully-peeled sorted '; for i in 1 2 3; "
                                   "do echo \"$e refs/heads/main\"; done; echo \"$(git rev-parse HEAD~0) refs/heads/main\"; } "
                                   ">.git/packed-refs",
    "a packed ref out of order": "mv .git/refs/heads/main .git/m; { echo '# pack-refs with: peeled fully-peeled sorted '; "
                                 "echo \"$e refs/tags/z\"; echo \"$(cat .git/m) refs/heads/main\"; } >.git/packed-refs; rm .git/m",
    "more behind the id of a remote's branch": "mkdir -p .git/refs/remotes/origin; echo \"$e x\" >.git/refs/remotes/origin/t",
    "a remote's branch in capitals": "mkdir -p .git/refs/remotes/origin; echo $e | tr a-f A-F >.git/refs/remotes/origin/t",
    "a remote's branch with a NUL": "mkdir -p .git/refs/remotes/origin; printf '%s\\0x' $e >.git/refs/remotes/origin/t",
    "a symbolic branch": "echo 'ref: refs/remotes/../heads/main' >.git/refs/heads/s",
}


def test_refs(w):
    """No ref leads git elsewhere than it led the review."""
    names = list(REFS)
    for number in fresh(w, len(names)):
        script = REFS[names[number]].replace("$(git rev-parse HEAD~0)", "$m")
        made(w, APART + "m=$(git rev-parse main); " + script)
        if not os.path.isdir(w.path("n/.git")):
            continue
        for ref in ["HEAD", *in_new(w, "for-each-ref", "--format=%(refname)").split(), "refs/remotes/origin/t"]:
            in_new(w, "checkout", "-qf", ref)
            assert not os.path.lexists(w.path("n/.envrc")), (names[number], ref)


def test_refs_as_they_were(w):
    """Branches, tags and remotes of every usual form arrive."""
    done = made(w, "git tag t; git tag -a -m a annotated; git checkout -qb deep/er; git update-ref refs/remotes/origin/main main; "
                   "git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main; git pack-refs --all; git branch late; "
                   "git checkout -q main")
    assert done.returncode == 0, done.err
    refs = in_new(w, "for-each-ref", "--format=%(refname) %(objecttype)").split("\n")
    assert refs[:-1] == ["refs/heads/deep/er commit", "refs/heads/late commit", "refs/heads/main commit",
                         "refs/remotes/origin/HEAD commit", "refs/remotes/origin/main commit", "refs/tags/annotated tag",
                         "refs/tags/t commit"], refs
    assert in_new(w, "fsck", "--strict") == "" and in_new(w, "status", "--porcelain") == ""


def test_a_branch_too_deep(w):
    """A branch so deep that nobody reads it is named as what stays, and the rest is applied."""
    done = made(w, "p=.git/refs/heads/$(printf 'a/%.0s' $(seq 66)); mkdir -p $p; git rev-parse HEAD >$p/x")
    assert "cannot be read" in done.out + done.err and "changed meanwhile" not in done.err, (done.out, done.err)
    assert os.path.exists(w.path("n/f")) and not os.path.exists(w.path("n/.git/refs"))


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
