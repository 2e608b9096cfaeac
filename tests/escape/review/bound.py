# SPDX-License-Identifier: MIT
"""What changes between the look and the apply: none of it is written, by whatever it is changed, and whatever the
times say."""

from review.attempt import UNSEEN, Attempt

BEGIN = "mkdir -p d; printf '1\\n2\\n3\\n' >d/f"
SHOWN = "echo shown >>d/f; mkdir n; echo shown >n/f; ln -s f d/l; echo shown >x; echo gone >y"
CHANGES = {
    "appended": "echo @word@ >>d/f",
    "rewritten": "echo @word@ >d/f",
    "rewritten, its time put back": "touch -r d/f t; echo @word@ >>d/f; touch -r t d/f; rm t",
    "of the same length, its time put back": "touch -r n/f t; printf '%s' @word@ >n/f; touch -r t n/f; rm t",
    "by a rename": "echo @word@ >t; mv t d/f",
    "by an exchange of names": "echo @word@ >t; mv d/f s; mv t d/f",
    "by another hard link": "ln d/f h; echo @word@ >>h",
    "by a descriptor that is kept": "exec 5>>d/f; echo @word@ >&5",
    "by a mapping": "python3 -c 'import mmap,os; f=open(\"d/f\",\"r+b\"); f.truncate(64); m=mmap.mmap(f.fileno(),64); "
                    "m[0:len(b\"@word@\")]=b\"@word@\"'",
    "by sed": "sed -i s/shown/@word@/ d/f",
    "in a new directory": "echo @word@ >>n/f",
    "a new directory, made anew": "rm -r n; mkdir n; echo @word@ >n/f",
    "a directory, exchanged": "mkdir t; echo @word@ >t/f; mv d s; mv t d",
    "a link's target": "ln -sfn @word@ d/l",
    "a file becomes a link": "rm x; ln -s @word@ x",
    "a link becomes a file": "rm d/l; echo @word@ >d/l",
    "a file becomes a directory": "rm x; mkdir x; echo @word@ >x/f",
    "a file that is deleted and back": "rm y; echo @word@ >y",
    "a file that was shown under another name": "mv x z; echo @word@ >x",
    "with zeros behind it": "printf '@word@\\0\\0' >>x",
    "with an ending that no terminal shows": "printf '\\r@word@\\r' >>x",
    "sparse": "truncate -s 1M x; printf @word@ >>x",
    "by a copy with all its times": "cp -a d/f t; echo @word@ >>t; touch -r d/f t; cp -a t d/f",
    "after its mode was changed": "chmod 0 x; chmod 644 x; echo @word@ >>x",
}
# On a branch of its own, which the first step made and showed.
BRANCH = "T=$(mktemp -d); git -C @top@ worktree add -q -f $T/w b-@id@; cd $T/w; "
FIRST = SHOWN + "; cd @top@; git update-ref refs/heads/b-@id@ $(git commit-tree -p HEAD -m shown HEAD^{tree}); " \
        "git tag -a -m shown t-@id@ b-@id@"
COMMITS = {
    "a commit more": "git commit -q --allow-empty -m @word@",
    "a commit amended": "git commit -q --allow-empty --amend -m @word@",
    "a commit that hides": "echo @word@ >>a.txt; git commit -qam x; git revert --no-edit HEAD",
    "a tag made anew": "git tag -f -a -m @word@ t-@id@",
    "a tag moved": "git commit -q --allow-empty -m @word@; git tag -f t-@id@ HEAD; git reset -q --hard HEAD~1",
}


def attempts():
    found = [Attempt("what was shown is changed before the apply", how, UNSEEN, (SHOWN, script), first=BEGIN)
             for how, script in CHANGES.items()]
    found += [Attempt("a history that was shown goes on before the apply", how, UNSEEN,
                      (FIRST, BRANCH + script + "; git -C @top@ worktree remove -f $T/w"), first=BEGIN)
              for how, script in COMMITS.items()]
    return found


def guarded(stage, attempts_, words=()):
    """Shown, changed, and applied one by one, so that one that is refused does not stop the others."""
    stage.work(attempts_, 0)
    stage.review()
    stage.work(attempts_, 1)
    for attempt in attempts_:
        stage.told(stage.shadow("apply", "--yes", "--skip-sensitive", *words, "--", attempt.place, check=False))
        stage.told(stage.shadow("discard", "--yes", "--", attempt.place, check=False))
    stage.told(stage.shadow("apply", "--yes", "--skip-sensitive", *words, check=False))


def unguarded(stage, attempts_):
    """The same with the word that lets it go on."""
    stage.guarded = True
    guarded(stage, attempts_, ("--unseen",))
