# SPDX-License-Identifier: MIT
"""apply -p: what was answered with no does not arrive, beside what was answered with yes, in whatever form it is
offered."""

from review.attempt import DECLINED, Attempt

LINES = "seq 1 30 >f"
# Each is two parts: the first is taken, the second is not.
TWO = {
    "two hunks": (LINES, "sed -i -e 's/^2$/two/' -e 's/^25$/@word@/' f"),
    "an added line": (LINES, "sed -i -e 's/^2$/two/' -e '25a @word@' f"),
    "at the end, without a line end": (LINES, "sed -i 's/^2$/two/' f; printf @word@ >>f"),
    "at the end of one without a line end": ("seq 1 30 >f; printf x >>f", "sed -i 's/^2$/two/' f; printf @word@ >>f"),
    "with carriage returns": ("seq 1 30 | sed 's/$/\\r/' >f", "sed -i -e 's/^2\\r$/two\\r/' -e 's/^25\\r$/@word@\\r/' f"),
    "lines like those of a patch": (LINES, "sed -i -e 's/^2$/two/' -e 's/^25$/@@ -1 +1 @@\\n+++ b\\/f\\n@word@/' f"),
    "a line like an answer": (LINES, "sed -i -e 's/^2$/y/' -e 's/^25$/y\\ny\\n@word@/' f"),
    "many lines alike": ("yes a | head -n 200 >f", "sed -i -e '2s/.*/two/' -e '150s/.*/@word@/' f"),
    "one of the same text": (LINES, "sed -i -e 's/^2$/@word@x/' -e 's/^25$/y @word@/' f; sed -i 's/@word@x/two/' f"),
    "two new files": ("", "echo fine >a; echo @word@ >b"),
    "two links": ("", "ln -s .keep a; ln -s @word@ b"),
    "a file and a directory": ("", "echo fine >a; mkdir b; echo @word@ >b/f"),
    "a binary file": ("", "echo fine >a; printf '\\0\\1\\2@word@' >b"),
    "a file becomes a link": ("touch b", "echo fine >a; rm b; ln -s @word@ b"),
    "a file is renamed and edited": ("seq 1 30 >b", "echo fine >a; sed -i 's/^3$/@word@/' b; mv b c"),
    "a mode, then a hunk": ("echo x >f", "chmod 755 f; echo @word@ >>f"),
    "a hard link of what is taken": ("seq 1 30 >f", "sed -i -e 's/^2$/two/' f; echo @word@ >z"),
}
# Of one part, declined.
ONE = {
    "a new file": ("", "echo @word@ >f"),
    "an empty directory": ("", "mkdir @word@"),
    "a file of a long line": ("", "head -c 100000 /dev/zero | tr '\\0' x >f; echo @word@ >>f"),
    "a new name": ("seq 30 >f", "mv f @word@"),
    "a commit of it": ("", "cd @top@; echo @word@ >c-@id@; git add c-@id@; git commit -qm c; rm c-@id@"),
    "a new repository": ("", "git init -q n; echo @word@ >n/f"),
}


def attempts():
    found = [Attempt("the second of two parts, declined", how, DECLINED, (script,), first=first)
             for how, (first, script) in TWO.items()]
    return found + [Attempt("a part, declined", how, DECLINED, (script,), first=first)
                    for how, (first, script) in ONE.items()]


def answers(stage, attempts_, second):
    """apply -p of each attempt's directory: yes, and then the answer to all that follows."""
    stage.work(attempts_, 0)
    for attempt in attempts_:
        given = ("y\n" if attempt.what.startswith("the second") else "") + f"{second}\n" * 50
        stage.told(stage.shadow("apply", "-p", "--", attempt.place, stdin=given.encode(), check=False))
        stage.told(stage.shadow("apply", "-p", "--", "@word@", stdin=given.encode(), check=False))
    stage.told(stage.shadow("apply", "-p", stdin=f"{second}\n".encode() * 500, check=False))


def guarded(stage, attempts_):
    answers(stage, attempts_, "n")


def unguarded(stage, attempts_):
    """The same, answered with yes."""
    stage.guarded = True
    answers(stage, attempts_, "y")
    stage.apply()  # -p leaves the commits
