# SPDX-License-Identifier: MIT
"""The history of a repository that the session made: what its commits, refs and index hold and its files do not tell,
which any use of git brings to the work tree."""

import os
import subprocess

from review.attempt import OBEYED, UNSEEN, Attempt

MADE = "git init -q -b main n; cd n; echo fine >f; git add f; git commit -qm f; "
ENV = "echo @word@ >.envrc; git add -f .envrc; "
# Commits the file on a detached HEAD, and gives its id.
APART = "git checkout -q --detach; " + ENV + "git commit -qm x; id=$(git rev-parse HEAD); git checkout -q main; "
SENSITIVE = {
    "taken out of the work tree": ENV + "git commit -qm x; rm .envrc",
    "taken out by the next commit": ENV + "git commit -qm x; git rm -q .envrc; git commit -qm y",
    "on another branch": "git checkout -qb other; " + ENV + "git commit -qm x; git checkout -q main",
    "in a tag": APART + "git tag t $id",
    "in an annotated tag": APART + "git tag -a -m t t $id",
    "on a detached HEAD": APART + "git checkout -q $id; rm .envrc",
    "in the stash": ENV + "git stash -q",
    "in an older stash": ENV + "git stash -q; echo x >>f; git stash -q",
    "in a replacement": APART + "git replace $(git rev-parse main) $id",
    "in a replacement that is packed": APART + "git replace $(git rev-parse main) $id; git pack-refs --all",
    "in the reflog": ENV + "git commit -qm x; git reset -q --hard HEAD~1",
    "as ORIG_HEAD": APART + "echo $id >.git/ORIG_HEAD",
    "as MERGE_HEAD": APART + "echo $id >.git/MERGE_HEAD",
    "as FETCH_HEAD": APART + "printf '%s\\t\\tbranch x of y\\n' $id >.git/FETCH_HEAD",
    "on a remote's branch": APART + "git update-ref refs/remotes/origin/x $id",
    "on a ref of no kind": APART + "git update-ref refs/other/x $id",
    "on the ref that is checked out, of no kind": APART + "git update-ref refs/other/x $id; "
                                                  "echo 'ref: refs/other/x' >.git/HEAD",
    "in a pack": ENV + "git commit -qm x; rm .envrc; git repack -adq; git pack-refs --all",
    "staged alone": ENV + "rm .envrc",
    "staged, and marked as unchanged": ENV + "git update-index --assume-unchanged .envrc; rm .envrc",
    "staged in a shared index": ENV + "git update-index --split-index; rm .envrc",
    "in a merge": "git checkout -qb s; git commit -q --allow-empty -m s; git checkout -q main; git commit -q "
                  "--allow-empty -m t; git merge -q --no-ff --no-commit s; " + ENV + "git commit -qm m; rm .envrc",
    "in other letters": "echo @word@ >.ENVRC; git add -f .ENVRC; git commit -qm x; rm .ENVRC",
    "as a link": "echo @word@ >plain; ln -s plain .envrc; git add -f .; git commit -qm x; rm .envrc",
    "in a directory": "mkdir -p in/.vscode; echo @word@ >in/.vscode/tasks.json; git add -f .; git commit -qm x; rm -r in",
    "in a tree with odd names": "b=$(echo @word@ | git hash-object -w --stdin); t=$(printf '100644 blob %s\\t.envrc\\n' $b "
                                "| git mktree); git update-ref refs/heads/odd $(printf '040000 tree %s\\t.\\n' $t | git mktree "
                                "| xargs git commit-tree -m x)",
    "where a shallow file hides it": ENV + "git commit -qm x; git rm -q .envrc; git commit -qm y; git rev-parse HEAD~1 "
                                     ">.git/shallow",
}
# A blob of the evil text under the name of the good one, in a pack, which git reads first.
TWICE = r'''
import hashlib, struct, subprocess, sys, zlib
good, evil = b"fine\n", sys.argv[1].encode() + b"\n"
name = hashlib.sha1(b"blob %d\0" % len(good) + good).digest()
head = bytes([(3 << 4) | (len(evil) & 15) | (128 if len(evil) > 15 else 0)]) + (bytes([len(evil) >> 4]) if len(evil) > 15 else b"")
body = head + zlib.compress(evil)
pack = b"PACK" + struct.pack(">II", 2, 1) + body
pack += hashlib.sha1(pack).digest()
fan = b"".join(struct.pack(">I", int(i >= name[0])) for i in range(256))
idx = b"\xfftOc" + struct.pack(">I", 2) + fan + name + struct.pack(">II", zlib.crc32(body), 12) + pack[-20:]
idx += hashlib.sha1(idx).digest()
base = ".git/objects/pack/pack-" + hashlib.sha1(name).hexdigest()
open(base + ".pack", "wb").write(pack)
open(base + ".idx", "wb").write(idx)
'''
HIDDEN = {
    "in an older version": "echo @word@ >g; git add g; git commit -qm g; echo fine >g; git commit -qam h",
    "in the message": "git commit -q --allow-empty -m @word@",
    "in the name of a branch": "git branch @word@",
    "in an object of two contents": "python3 - @word@ <<'E'\n" + TWICE + "E\nrm .git/index; git reset -q",
    "in what it does not show of itself": "echo @word@ >.git/info/exclude",
    "in its description": "echo @word@ >.git/description",
    "in the message that a commit begins with": "echo @word@ >.git/COMMIT_EDITMSG",
    "in a file that is staged": "echo @word@ >f; git add f; echo fine >f",
}


def attempts():
    found = [Attempt("something sensitive in a new repository's history", how, OBEYED, (MADE + script,), at="found",
                     harmless=harmless(how)) for how, script in SENSITIVE.items()]
    found += [Attempt("a text in a new repository's history", how, UNSEEN, (MADE + script,)) for how, script in HIDDEN.items()]
    beside = "cd n; git init -q -b main .; git add f; " + ENV + "git commit -qm x; rm .envrc; git update-index -q --force-remove .envrc"
    found.append(Attempt("something sensitive in a new repository's history", "made around what the user has", OBEYED,
                         (beside,), first="mkdir n; echo mine >n/f", at="found"))
    ignored = MADE + ENV + "git commit -qm x; rm .envrc"
    found.append(Attempt("something sensitive in a new repository's history", "in a directory that git ignores", OBEYED,
                         ("mkdir deep; cd deep; " + ignored,), first="echo deep >.gitignore", at="found"))
    return found


def harmless(how):
    return "git checks no such tree out" if "odd names" in how else ""


REVISIONS = ("stash@{0}", "stash@{1}", "HEAD@{1}", "HEAD@{2}", "ORIG_HEAD", "MERGE_HEAD", "FETCH_HEAD")


def after(stage):
    """The user works on in each repository: takes what was staged, and looks at all that it has a name for."""
    for folder, names, _ in os.walk(stage.project):
        if ".git" in names and folder != stage.project:
            names.clear()
            use(stage, folder)


def use(stage, folder):
    def git(*words):
        return subprocess.run(["git", *words], cwd=folder, env=stage.env, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, check=False).stdout
    seen = [git("log", "--all", "-p"), git("branch", "-a"), git("show", "HEAD:f"), texts(os.path.join(folder, ".git"))]
    git("checkout", "-f", ".")
    seen.append(texts(folder))
    git("stash")
    for name in (*git("for-each-ref", "--format=%(refname)").decode(errors="replace").split(), "HEAD", *REVISIONS):
        git("checkout", "-qf", "--detach", name)
        seen.append(texts(folder))
    place = os.path.relpath(folder, stage.project).split("/", 1)[0]
    for name, pieces in (("history", seen[:4]), ("found", seen[4:])):
        with open(stage.path(place, name), "ab") as f:
            f.write(b"\n".join(pieces))


def texts(folder):
    """Of what a program would find there."""
    found = []
    for directory, names, files in os.walk(folder):
        if ".git" in names:
            names.remove(".git")
        for name in files:
            path = os.path.join(directory, name)
            if os.path.isfile(path):
                with open(path, "rb") as f:
                    found.append(f.read())
    return b"\n".join(found)
