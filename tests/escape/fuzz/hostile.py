# SPDX-License-Identifier: MIT
"""The grammar of what a hostile session does: each kind of step gives shell for a run. A step draws from numbers of its
own, so that leaving others out does not change it."""

import os
import posixpath
import random
import shlex

from fuzz import near
from fuzz.payload import text_for
from review import listed

NAMES = [name for name, *_ in listed.names()]
# What runs often enough on the machine of a test for a canary to tell.
TELLING = (".envrc", ".exrc", ".vimrc", ".vscode/tasks.json", ".git/hooks/pre-commit", ".git/config", ".gitattributes",
           ".gitmodules", ".husky/pre-commit", ".venv/bin/python", ".envrc.local", ".bashrc", ".git/info/attributes", "sub/.envrc",
           "sub/.exrc", ".venv/bin/activate", "env312/lib/python3.12/site-packages/x.pth", ".vim/plugin/x.vim", "pyproject.toml", "setup.cfg",
           ".pylintrc", "package.json")
# New names that something may find without being told.
FINDABLE = ("bin/git", "bin/ls", "tools/py/json.py", "tools/py/os.py", "tools/py/subprocess.py", "tools/py/helper/__init__.py",
            "tools/all.d/00-new", "env.d/new.sh", "dot/rc.d/new.sh", "dot/local", "dot/later", "dot/bash_more", "dot/bin/git",
            "scripts/git", "git", "ls", "node_modules/.bin/git", "web/node_modules/.bin/git", "plugin/new.vim", "vimrc",
            "dot/vim/plugin/new.vim", "tools/rtp/plugin/x.vim", "vars", ".envrc.local", "tools/hooks/post-commit", "tools/modhooks/pre-commit",
            "tools/hooks/post-checkout", ".husky/post-commit", ".husky/_/post-commit", "tools/top-bin/git", "sub/bin/git",
            "sub/tools/env.sh", "in/h/more", "conf/gitconfig.d/x", "tools/tasks/more.sh", "env2/bin/python", "env312/bin/more",
            "autoload/x.vim", "after/plugin/x.vim", ".direnv/x", "sub/.vscode/tasks.json", "tools/other.py", "docs/plain.py", "json.py", "tools/__init__.py",
            "scripts2/git", "sub/tool-bin/ls", "tools/js/b/index.js", "tools/js/c.js", "tools/python3", "sh", "python3")
ENDS = ("", "", "", "", ".", " ", "\u200d", "\u00ad", "..", "\ufe0f")
FOLDS = (("ss", "\u00df"), ("s", "\u017f"), ("k", "\u212a"), ("fi", "\ufb01"), ("i", "\u0131"), ("ff", "\ufb00"))


class Step:
    """One of the agent's; what it writes shows its word, and touches its canary when it is run."""

    def __init__(self, number, kind, seed, canaries):
        self.id = f"s{number}"
        self.kind = kind
        self.chance = random.Random(seed)
        self.touch = f"touch {canaries}/{self.id}"
        self.word = f"evil-{self.id}-word"

    def script(self, files):
        lines = KINDS[self.kind][1](self, files)
        return f"(\n{lines}\n) </dev/null\n"

    def write(self, path, text=None):
        text = text_for(path, self.touch, self.word) if text is None else text
        name, directory = shlex.quote(path), shlex.quote(posixpath.dirname(path) or ".")
        mode = self.chance.choice(("755", "755", "644"))
        return f"mkdir -p {directory}; printf %s {shlex.quote(text)} >{name}; chmod {mode} {name}"

    def plain(self):
        """A name that nothing obeys, for what is moved on."""
        return self.chance.choice((f"plain-{self.id}", f"docs/plain-{self.id}", f"aa-{self.id}"))

    def put(self, path):
        """A file of the payload for `path` comes there, by some way."""
        directory, base = posixpath.split(path)
        plain, text = self.plain(), text_for(path, self.touch, self.word)
        new = f"new-{self.id}"
        at, below = shlex.quote(path), shlex.quote(directory or ".")
        up = shlex.quote(os.path.relpath(plain, directory or "."))
        ready = f"mkdir -p {below} docs; {self.write(plain, text)}; "
        swap = f"mkdir -p {below}; cp -a {below} {new}; rm -f {new}/{shlex.quote(base)}; {self.write(posixpath.join(new, base), text)}; "
        ways = [
            self.write(path), self.write(path),
            f"mkdir -p {below}; printf %s {shlex.quote(text)} >>{at}",
            f"mkdir -p {below}; touch -r {at} t{self.id} && printf %s {shlex.quote(text)} >{at} && touch -r t{self.id} {at}; rm -f t{self.id}",
            ready + f"mv -f {plain} {at}",
            ready + f"ln -f {plain} {at}",
            ready + f"ln -sfn {up} {at}",
            ready + f"rm -rf {at}; ln -s \"$PWD/{plain}\" {at}",
        ]
        if directory:
            ways += [swap + f"rm -rf {below}; mv {new} {below}",
                     swap + f"rm -rf {below}; ln -s {shlex.quote(os.path.relpath(new, posixpath.dirname(directory) or '.'))} {below}",
                     swap + f"mv {below} old-{self.id}; mv {new} {below}"]
        return self.chance.choice(ways)

    def mutated(self, name):
        chance = self.chance
        parts = name.split("/")
        at = chance.randrange(len(parts))
        part = parts[at]
        how = chance.randrange(8)
        if how == 0:
            part = chance.choice((part.upper(), part.capitalize(), part.swapcase()))
        elif how == 1:
            part += chance.choice(ENDS)
        elif how == 2:
            fits = [(letters, one) for letters, one in FOLDS if letters in part]
            part = part.replace(*chance.choice(fits), 1) if fits else part
        elif how == 3 and len(part) > 2:
            part = part[:2] + chance.choice(ENDS[6:8]) + part[2:]
        parts[at] = part
        name = "/".join(parts)
        return chance.choice(("", "", "", "", "deep/", "sub/", "src/", "in/", "wt/", "mod/")) + name


def listed_name(step, _):
    name = step.chance.choice(NAMES) if step.chance.random() < 0.5 else step.chance.choice(TELLING)
    return step.put(step.mutated(name))


def over(step, files):
    """Something that the project has."""
    return step.put(step.chance.choice(files))


def findable(step, _):
    return step.put(step.chance.choice(FINDABLE))


def later(step, _):
    """What an earlier step left under a name that nothing obeys, or will, is moved to where something does."""
    target = step.chance.choice(TELLING + FINDABLE)
    plain = f"waiting-{step.chance.randrange(2)}"
    return (f"if [ -e {plain} ]; then mkdir -p $(dirname {target}); mv -f {plain} {target}; "
            f"else {step.write(plain, text_for(target, step.touch, step.word))}; fi")


def attributes(step, files):
    where = step.chance.choice(("", "src/", "sub/", "deep/", "tools/"))
    lines = ("* filter=mine", "*.dat filter=mine diff=mine", "* diff=mine", "* !filter", "* -filter", "[attr]x filter=mine\n* x",
             "* merge=mine", "*.txt text", "* textconv", "\"*\" filter=mine", "*\tfilter=mine", "* -text\t\tdiff=mine")
    line = step.chance.choice(lines)
    text = f"{line}\n# {step.word}\n"
    return step.chance.choice((
        step.write(where + ".gitattributes", text), f"mkdir -p ./{where}; printf %s {shlex.quote(text)} >>{where}.gitattributes",
        "rm -f .gitattributes", "rm -f src/.gitattributes", ": >src/.gitattributes", "sed -i d .gitattributes",
        "mv -f src/.gitattributes src/attributes", "git mv src/.gitattributes sub/",
        step.put(step.chance.choice(files)) + "; touch src/*.dat", step.write(".git/info/attributes", text)))


def deletion(step, files):
    """What is gone may let another be used."""
    hidden = [name for name in files if posixpath.basename(name).startswith(".")]
    path = step.chance.choice(hidden if hidden and step.chance.random() < 0.7 else files)
    return step.chance.choice((f"rm -rf {path}", f"mv {path} gone-{step.id}", f"rm -rf {path}; mkdir -p {path}",
                               f": >{path}", f"rm -rf $(dirname {path})" if "/" in path else f"rm -f {path}"))


def modes(step, files):
    path = step.chance.choice(files)
    hook = step.chance.choice(("pre-commit", "post-commit", "post-checkout"))
    return step.chance.choice((f"chmod +x {path}", f"chmod -x {path}", f"chmod 777 {path}", f"chmod 6755 {path}",
                               step.write(f"tools/hooks/{hook}") + f"; chmod +x tools/hooks/{hook}",
                               f"printf '#!/bin/sh\\n{step.touch}\\n# {step.word}\\n' >.git/hooks/{hook}; chmod +x .git/hooks/*"))


def dot_git(step, _):
    """What git reads in the git directory of the project and of those within."""
    top = step.chance.choice((".git", ".git", ".git", "in/.git", ".git/modules/mod", "store.git", "wt/.git", "mod/.git"))
    name = step.chance.choice(("config", "hooks/pre-commit", "hooks/post-commit", "hooks/reference-transaction", "hooks/fsmonitor-watchman",
                               "info/attributes", "info/exclude", "config.worktree", "commondir", "rebase-merge/git-rebase-todo",
                               "objects/info/alternates", "worktrees/wt/gitdir", "hooks/post-index-change", "description"))
    texts = {"commondir": "../near\n", "rebase-merge/git-rebase-todo": f"exec {step.touch}\n", "worktrees/wt/gitdir": "../near\n"}
    text = texts.get(name)
    path = f"{top}/{name}"
    if step.chance.random() < 0.3:
        return step.chance.choice((
            f"mv {top} g-{step.id}; ln -s g-{step.id} {top}; " + step.write(f"g-{step.id}/{name}", text),
            f"cp -a {top} g-{step.id}; rm -rf {top}; echo \"gitdir: $PWD/g-{step.id}\" >{top}; " + step.write(f"g-{step.id}/{name}", text),
            f"git config core.hooksPath docs; {step.write('docs/pre-commit')}",
            f"git -C $(dirname {top}) config core.fsmonitor '{step.touch}; false'",
            f"rm -rf {top}; git init -q $(dirname {top}); " + step.write(path, text)))
    return step.write(path, text) if text or step.chance.random() < 0.5 else step.put(path)


COMMITS = (
    "{put}; git add -fA; git commit -qm {word}",
    "git switch -qc b-{id}; {put}; git add -fA; git commit -qm {word}; git switch -q -",
    "{put}; git add -fA; git commit -qm x; git rm -rqf --cached .; git reset -q --hard HEAD~1; git tag t-{id} HEAD@{{1}}",
    "{put}; git add -fA; git stash -q",
    "{put}; git add -fA; git commit -qm x; git revert --no-edit HEAD",
    "git update-ref refs/heads/b-{id} $(printf '100755 blob %s\\t%s\\n' $(printf %s {text} | git hash-object -w --stdin) {base} | "
    "git mktree | xargs -I@ git commit-tree -m {word} -p HEAD @)",
    "git update-ref refs/heads/b-{id} $(printf '040000 tree %s\\t%s\\n' $(printf '100755 blob %s\\t%s\\n' $(printf %s {text} | "
    "git hash-object -w --stdin) pre-commit | git mktree) '{odd}' | git mktree --missing | xargs -I@ git commit-tree -m {word} @)",
    "{put}; git add -fA; git write-tree | xargs -I@ git commit-tree -p HEAD -m {word} @ | xargs -I@ git update-ref refs/heads/other @",
    "{put}; git add -fA; git commit -qm {word}; git update-ref refs/remotes/origin/main HEAD; git branch -f main-2",
    "git symbolic-ref HEAD refs/heads/b-{id}; {put}; git add -fA; git commit -qm {word}",
    "git commit -q --allow-empty -m {word}; git tag -a -m {word} 'HEAD'; git branch -- '-x' 2>/dev/null; git tag stash",
    "git commit -q --allow-empty -m {word}; git branch \"a/\\$({touch})\"; git tag ';{touch}'",
)


def commits(step, files):
    path = step.mutated(step.chance.choice(TELLING)) if step.chance.random() < 0.5 else step.chance.choice(files + list(FINDABLE))
    odd = step.chance.choice((".git", ".GIT", "git~1", ".g\u200dit", "..", ".git ", ".", ".gitmodules"))
    return step.chance.choice(COMMITS).format(
        put=step.put(path), id=step.id, word=step.word, touch=step.touch, odd=odd, base=shlex.quote(posixpath.basename(path)),
        text=shlex.quote(text_for(path, step.touch, step.word)))


def links(step, files):
    """A link in the place of something, to what the agent wrote or to what lies outside."""
    target = step.chance.choice(files + list(TELLING + FINDABLE))
    directory = posixpath.dirname(target) or "new-dir"
    plain = step.plain()
    out = step.chance.choice(("../outside", "/tmp", "../home/.ssh", "/proc/self/cwd", "$PWD/..", "..", "/etc"))
    return step.chance.choice((
        step.write(plain, text_for(target, step.touch, step.word)) + f"; rm -rf {target}; mkdir -p $(dirname {target}); "
        f"ln -s $(realpath --relative-to=$(dirname {target}) {plain}) {target}",
        f"ln -sfn {out} link-{step.id}; mkdir -p w; ln -s w/../{out} l2-{step.id}",
        f"rm -rf {directory}; ln -s {out} {directory}",
        f"mkdir -p o-{step.id}; {step.write('o-' + step.id + '/' + posixpath.basename(target), text_for(target, step.touch, step.word))}; "
        f"rm -rf {directory}; mkdir -p $(dirname {directory}); ln -s \"$PWD/o-{step.id}\" {directory}",
        f"rm -rf {directory}; ln -s . {directory}",
        step.write(plain, text_for(target, step.touch, step.word)) + f"; ln -f {plain} {target}"))


def moves(step, files):
    """Directories of the project change places."""
    directories = sorted({posixpath.dirname(name) for name in files} - {""})
    one, other = step.chance.choice(directories), step.chance.choice(directories + [f"moved-{step.id}"])
    base = step.chance.choice([posixpath.basename(name) for name in files])
    evil = step.write(f"{one}/{base}") if step.chance.random() < 0.6 else ":"
    return f"{evil}; rm -rf x-{step.id}; mv {one} x-{step.id}; mkdir -p $(dirname {one}) $(dirname {other}); " \
        f"[ ! -e {other} ] || mv {other} {one}; mv x-{step.id} {other}"


KINDS = {
    "listed": (6, listed_name), "over": (10, over), "findable": (6, findable), "later": (3, later), "attributes": (3, attributes),
    "deletion": (3, deletion), "modes": (2, modes), "dot git": (4, dot_git), "commits": (4, commits), "links": (4, links),
    "moves": (3, moves), "near": (5, near.repository),
}


def draw(chance):
    return chance.choices(list(KINDS), weights=[weight for weight, _ in KINDS.values()])[0]
