# SPDX-License-Identifier: MIT
"""What comes by commits, refs and the index, where no file of the work tree tells of it."""

import os

from review.attempt import LINK, OBEYED, RUN, UNSEEN, Attempt
from review.repositories import WORK_TREE

# Each on a branch of its own, in a work tree of its own, so that they do not disturb each other.
BEGIN = "T=$(mktemp -d); git -C @top@ worktree add -q -f --detach $T/w HEAD; cd $T/w; git switch -qc b-@id@; "
END = "; git -C @top@ worktree remove -f $T/w"
# (what it is a tag of, its own name, its message, the object)
MAKE_TAG = "printf 'type %s\\ntag %s\\ntagger x <a@b> 1 +0000\\n\\n%s\\n' | sed \"1i object %s\" | git hash-object -t tag -w --stdin"
TAG = MAKE_TAG + " | xargs git update-ref refs/tags/t-@id@"
# Unseen: bytes in the history of a branch or tag that no output showed.
HIDDEN = {
    "in a commit that the work tree does not show": "echo @word@ >>a.txt; git commit -qam 1",
    "taken back by the next commit": "echo @word@ >>a.txt; git commit -qam 1; git revert --no-edit HEAD",
    "on a side that was merged": "git switch -qc s-@id@; echo @word@ >s; git add s; git commit -qm s; git switch -q -; "
                                 "git merge -q --no-ff -s ours -m m s-@id@; git branch -D s-@id@",
    "in what a merge itself brings": "git switch -qc s-@id@; git commit -q --allow-empty -m s; git switch -q -; "
                                     "git commit -q --allow-empty -m t; git merge -q --no-ff --no-commit s-@id@; "
                                     "echo @word@ >m; git add m; git commit -qm m; git rm -q m; git commit -qm n",
    "in the message": "git commit -q --allow-empty -m @word@",
    "in an annotated tag": "git tag -a -m @word@ t-@id@",
    "in a tag's own name": TAG % ("commit", "@word@", "x", "$(git rev-parse HEAD)"),
    "in a tag of a tag": "in=$(" + MAKE_TAG % ("commit", "a", "@word@", "$(git rev-parse HEAD)") + "); " + TAG % ("tag", "t", "x", "$in"),
    "in a header by the name of another": "git cat-file commit HEAD >c; sed -i '/^committer/a tag @word@' c; "
                                          "git update-ref HEAD $(git hash-object -t commit -w --stdin <c)",
    "in a tag of a blob": "git tag t-@id@ $(echo @word@ | git hash-object -w --stdin)",
    "in a tag of a tree": "echo @word@ >x; git add x; git tag t-@id@ $(git write-tree)",
    "in a note": "git notes add -m @word@",
    "in a stash": "echo @word@ >>a.txt; git stash -q",
    "in a replacement": "git update-ref refs/replace/$(git rev-parse HEAD:a.txt) $(echo @word@ | git hash-object -w --stdin)",
    "in a ref of no kind": "git update-ref refs/other/@id@ $(git commit-tree -m @word@ HEAD^{tree})",
    "in a ref of a remote": "git update-ref refs/remotes/origin/@id@ $(git commit-tree -m @word@ HEAD^{tree})",
    "in refs/bisect": "git update-ref refs/bisect/bad $(git commit-tree -m @word@ HEAD^{tree})",
    "in the author": "git -c user.name=@word@ commit -q --allow-empty --author '@word@ <a@b>' -m x",
    "in the name of a file": "echo x >@word@; git add -A; git commit -qm x; git rm -q @word@; git commit -qm y",
    "in the target of a link": "ln -s @word@ l; git add -A; git commit -qm x; git rm -q l; git commit -qm y",
    "in a file that git ignores": "echo @word@ >ign; echo ign >.gitignore; git add -f ign .gitignore; git commit -qm x",
    "in a header of the commit": "git cat-file commit HEAD >c; sed -i '/^committer/a x-@word@ y' c; "
                                 "git update-ref HEAD $(git hash-object -t commit -w --stdin <c)",
}
INDEX = {
    "staged alone": "cd @top@; echo @word@ >>src/b.txt; git add src/b.txt; git show HEAD:src/b.txt >src/b.txt",
    "staged, a new file": "cd @top@; echo @word@ >new-@id@; git add new-@id@; rm new-@id@",
    "staged with a commit": "cd @top@; echo @word@ >new-@id@; git add new-@id@; rm new-@id@; git commit -q --allow-empty -m x; "
                            "git commit -qm y; git rm -q --cached new-@id@; git commit -qm z",
}
# Sensitive in a commit; the user checks the branch out, and a program reads it.
SENSITIVE = {
    "a file, .vscode/tasks.json": "mkdir -p .vscode; echo @word@ >.vscode/tasks.json; git add -fA; git commit -qm x",
    "and taken out again, .envrc": "echo @word@ >.envrc; git add -fA; git commit -qm x; git rm -q .envrc; git commit -qm y; git tag t-@id@ HEAD~1",
    "in other letters, .vscode/tasks.json": "mkdir .VSCode; echo @word@ >.VSCode/tasks.json; git add -fA; git commit -qm x",
    "as a link, .envrc": "echo @word@ >plain; ln -s plain .envrc; git add -fA; git commit -qm x",
    "in a merge, .npmrc": "git switch -qc s-@id@; git commit -q --allow-empty -m s; git switch -q -; git commit -q --allow-empty -m t; "
                  "git merge -q --no-ff --no-commit s-@id@; echo @word@ >.npmrc; git add -fA; git commit -qm m",
    "in the first commit of another root, .envrc": "git switch -q --orphan o-@id@; echo @word@ >.envrc; git add -fA; git commit -qm o; "
                                           "git switch -q b-@id@; git merge -q --allow-unrelated-histories -m m o-@id@",
    "filters, .gitattributes": "echo '* filter=x # @word@' >.gitattributes; git add -fA; git commit -qm x",
    "modules, .gitmodules": "printf '[submodule \"a\"]\\n\\tpath = a\\n\\turl = @word@\\n' >.gitmodules; git add -fA; git commit -qm x",
}
# In one tree, or on the way of a link that the work tree gets.
LINKS = {
    "a file": "ln -s @out@/secret l",
    "over another link of the same tree": "ln -s . a; ln -s a/a/../../../outside/secret l",
    "over a link in place of a directory": "mkdir -p x/y; echo >x/y/z; git add -A; git commit -qm d; rm -r x/y; ln -s .. x/y; "
                                           "ln -s x/y/../../../outside/secret l",
}
# The HEAD is in a commit, the rest in the work tree; then the user takes the directory out of the branch.
NEAR = "cd @top@; mkdir -p near-@id@/objects near-@id@/refs; touch near-@id@/objects/k near-@id@/refs/k; " \
       f"printf '{WORK_TREE}' >near-@id@/config; "
NEAR_HEAD = BEGIN + "mkdir near-@id@; echo 'ref: refs/heads/x' >near-@id@/HEAD; git add -A; git commit -qm x" + END + "; "
APART = {"in one apply": (NEAR_HEAD + NEAR,), "the HEAD first": (NEAR_HEAD, NEAR)}
NAMES = ("-x", "--upload-pack=@touch@", "HEAD", "main", "origin/main", "@{-1}", "a..b", "x.lock", "FETCH_HEAD",
         "refs/heads/main", "0123456789012345678901234567890123456789", "$(@touch@)", ";@touch@", "|@touch@", "a b", "stash")


def after(stage):
    """The user checks every branch and tag out, but for what shadow put aside, and works in each."""
    refs = stage.git("for-each-ref", "--format=%(refname)", "refs/heads", "refs/tags", check=False).stdout.decode()
    for ref in refs.split():
        name = ref.split("/", 2)[2]
        place = stage.path("checked", name)
        stage.git("worktree", "add", "-f", "--detach", place, ref, check=False)
        stage.git("checkout", ref, "--", "near-*", check=False)
    for name in os.listdir(stage.project):
        if name.startswith("near-"):
            stage.git("-C", name, "status", check=False)


def attempts():
    found = []
    for how, script in HIDDEN.items():
        found.append(Attempt("a text in history that no output shows", how, UNSEEN, (BEGIN + script + END,),
                             harmless="a work tree's own ref goes with it" if "bisect" in how else ""))
    for how, script in INDEX.items():
        found.append(Attempt("a text in the index that no output shows", how, UNSEEN, (script,)))
    for how, script in SENSITIVE.items():
        ref = "t-@id@" if " t-@id@" in script else "b-@id@"
        found.append(Attempt("something sensitive in a commit, checked out", how, OBEYED, (BEGIN + script + END,),
                             at=f"/checked/{ref}/{how.split(', ')[-1]}"))
    for how, script in LINKS.items():
        found.append(Attempt("a link out of the project in a commit, checked out", how, LINK,
                             (BEGIN + script + "; git add -A; git commit -qm x" + END,), at="/checked/b-@id@/l"))
    for how, steps in APART.items():
        found.append(Attempt("a repository by another name whose HEAD comes by a commit", how, RUN, steps))
    found.append(Attempt("a branch moved to what a remote has, of no review", "a fast-forward", UNSEEN,
                         ("cd @top@; git update-ref refs/heads/mine-@id@ refs/remotes/origin/pr-@id@",),
                         first="cd @top@; git branch mine-@id@; git update-ref refs/remotes/origin/pr-@id@ "
                               "$(T=$(mktemp); export GIT_INDEX_FILE=$T; git read-tree HEAD; git update-index --add --cacheinfo "
                               "100644,$(echo @word@ | git hash-object -w --stdin),.envrc; git commit-tree -p HEAD -m x "
                               "$(git write-tree))"))
    for name in NAMES:
        found.append(Attempt("a ref of a name that is something else", name, RUN,
                             (f"mkdir -p \"$(dirname '@top@/.git/refs/heads/{name}')\"; git -C @top@ rev-parse HEAD "
                              f">'@top@/.git/refs/heads/{name}'",), harmless="git quotes names itself"))
    return found
