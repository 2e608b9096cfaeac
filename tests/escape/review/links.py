# SPDX-License-Identifier: MIT
"""Links: out of the project, by whatever way, and what is written through one."""

from review.attempt import LINK, OBEYED, SECRET, TOUCHED, Attempt

# New links; each must not stand in the project.
OUT = {
    "absolute": "ln -s @out@/secret l",
    "relative": "ln -s ../../outside/secret l",
    "to the home": "ln -s @home@/.ssh l",
    "by the parent of a link": "ln -s . a; ln -s a/a/../../../outside l",
    "by a link to a directory": "mkdir -p d/e; ln -s d/e x; ln -s x/../../../../outside l",
    "over several": "ln -s c b; ln -s ../.. c; ln -s b/../outside l",
    "by its own directory": "mkdir d; ln -s ../../../outside/secret d/l",
    "to the project's own path, and up": "ln -s @top@/../outside/secret l",
    "with blanks and slashes": "ln -s ..//..//.///outside//secret l",
    "to /proc": "ln -s /proc/self/root@out@/secret l",
    "to /proc/self/cwd": "ln -s /proc/self/cwd l",
    "to /dev/fd": "ln -s /dev/fd/0 l",
    "to /etc": "ln -s /etc/passwd l",
    "to /usr by a way of the user's": "ln -s /usr/../@out@/secret l",
    "dangling, outside": "ln -s @out@/not-yet l",
    "made by a rename": "ln -s @out@/secret t; mv t l",
    "a hard link of a link": "ln -s @out@/secret t; ln t l",
    "in a directory that is renamed": "mkdir d; ln -s @out@/secret d/l; mv d e",
    "in place of a file": "rm .keep; ln -s @out@/secret .keep",
    "in place of a directory": "rm -r old; ln -s @out@ old",
    "in a new repository": "git init -q n; ln -s @out@/secret n/l",
    "in a directory that git ignores": "mkdir ign; echo '*' >ign/.gitignore; ln -s @out@/secret ign/l",
    "with a name of control characters": "ln -s @out@/secret \"$(printf 'l\\033[1m\\n')\"",
    "into a directory that others can write": "ln -s /tmp l; ln -s /var/tmp m",
}
# In two applies: each alone stays inside.
STEPS = {
    "its way becomes a link later": ("mkdir -p w/x; ln -s w/x/../../../f l", "rm -r w; mkdir -p q; ln -s . w; ln -s .. q/x"),
    "its way is made deeper later": ("mkdir w; ln -s w/../k l; echo >k", "rm -r w; ln -s .. w"),
    "the target of its target changes": ("echo >t; ln -s t m; ln -s m l", "rm t; ln -s @out@/secret t"),
    "a directory that it leads to": ("mkdir t; touch t/f; ln -s t l", "rm -r t; ln -s @out@ t"),
    "skipped first, then led to": ("ln -s @out@ s; ln -s s/secret l", "touch s2; ln -sfn s2 l2"),
    "its way comes to be, where the search for links is long": (
        "mkdir -p v/{1..700}/n; ln -s ../../../a/../../outside v/500/n/l", "ln -s . a"),
    "its way is taken away and made again, likewise": (
        "mkdir -p v/{1..700}/n p/q; touch p/q/f; ln -s ../../../p/q/../../../outside v/500/n/l",
        "rm -r p", "mkdir c; ln -s c p; ln -s . c/q"),
    "a chain, its end last": ("ln -s c2 c1; echo >c2", "rm c2; ln -s c3 c2; ln -s ../../outside/secret c3"),
}
# Links of the user's own, which the agent does not touch.
MINE = {
    "a directory becomes a link": ("mkdir -p way/down; ln -s way/down/../../../x l", "rm -r way; ln -s . way"),
    "a link becomes a directory": ("mkdir -p d/e/f; ln -s d/e/f way; ln -s way/../../../x l", "rm way; mkdir way; touch way/x"),
    "a link leads elsewhere": ("mkdir -p d/e/f; ln -s d/e/f way; ln -s way/../../../x l", "ln -sfn d way"),
    "a link is removed": ("mkdir -p d/e/f; ln -s d/e/f way; ln -s way/../../../x l", "rm way; ln -s . way"),
    "what it leads to becomes a link": ("mkdir t; touch t/f; ln -s t/f l", "rm -r t; ln -s @out@ t"),
}
# The user's own links out of the project, through which the agent writes.
THROUGH = {
    "a link to a file": ("echo mine >@out@/@id@; ln -s @out@/@id@ l", "echo @word@ >l || { rm l; echo @word@ >l; }"),
    "a link to a directory": ("mkdir @out@/@id@; ln -s @out@/@id@ l", "echo @word@ >l/f || { rm l; mkdir l; echo @word@ >l/f; }"),
    "a hard link of a file outside": ("echo mine >@out@/@id@; ln @out@/@id@ l", "echo @word@ >>l"),
    "a hard link, truncated": ("echo mine >@out@/@id@; ln @out@/@id@ l", "echo @word@ >l"),
    "a hard link, another of it": ("echo mine >@out@/@id@; ln @out@/@id@ l", "ln l m; echo @word@ >>m"),
    "a hard link, its mode": ("echo @word@ >@out@/@id@.t; echo mine >@out@/@id@; ln @out@/@id@ l; rm @out@/@id@.t",
                              "echo @word@ >>l; chmod 755 l"),
}
# The user's own links of names that programs obey, or that files of such names name, each over another way: what is
# there before, what the agent does, and where the program looks.
BACK = {
    "out of the project and back": ("mkdir s; echo fine >s/f; ln -s ../../$(basename @top@)/@id@/s/f .envrc", "s/f", ".envrc"),
    "to a directory, out and back": ("mkdir -p s/d; echo fine >s/d/tasks.json; ln -s ../../$(basename @top@)/@id@/s/d .vscode",
                                     "s/d/tasks.json", ".vscode/tasks.json"),
    "out of a directory of hooks and back": ("mkdir -p .husky s; echo fine >s/f; ln -s ../../../$(basename @top@)/@id@/s/f .husky/pre-commit",
                                             "s/f", ".husky/pre-commit"),
    "over the home": ("mkdir s; echo fine >s/f; ln -s @top@/@id@/s/f @home@/@id@; ln -s @home@/@id@ .vimrc", "s/f", ".vimrc"),
    "over another name of the project": ("mkdir s; echo fine >s/f; ln -s @top@ @out@/@id@; ln -s @out@/@id@/@id@/s/f .envrc", "s/f", ".envrc"),
    "out, back and out again": ("mkdir s; echo fine >s/f; ln -s ../../$(basename @top@)/@id@/m .envrc; "
                                "ln -s @out@/@id@/s/f m; ln -s @top@/@id@ @out@/@id@", "s/f", ".envrc"),
    "a path that a start file names": ("mkdir s; echo fine >s/f; echo \"source ../../$(basename @top@)/@id@/s/f\" >.envrc", "s/f", "s/f"),
    "a link that a start file names": ("mkdir s; echo fine >s/f; ln -s ../../$(basename @top@)/@id@/s/f l; echo 'source ./l' >.envrc", "s/f", "l"),
    "a link to what names another": ("mkdir s; echo fine >s/f; echo 'source ./s/f' >s/g; ln -s s/g .envrc", "s/f", "s/f"),
    "a link to a directory of what names another": ("mkdir -p s/d; echo fine >s/f; echo 'sh ./s/f' >s/d/pre-commit; ln -s s/d .husky", "s/f", "s/f"),
    "a link in a directory that one leads to": ("mkdir -p s/d; echo fine >s/f; ln -s ../f s/d/tasks.json; ln -s s/d .vscode", "s/f", ".vscode/tasks.json"),
    "a link in a directory of commands": ("mkdir s bin; echo fine >s/f; ln -s ../s/f bin/f; echo 'PATH_add bin' >.envrc", "s/f", "bin/f"),
    "a link that a link of the home leads over": ("mkdir s d; echo fine >s/f; ln -s ../s/f d/l; ln -s @top@/@id@/d/l @home@/.@id@rc", "d/l", "d/l"),
    "ignored, below many directories": ("mkdir -p v/{1..700} x/y/z s; echo '*' >x/.gitignore; echo fine >s/f; ln -s ../../../s/f x/y/z/.envrc",
                                        "s/f", "x/y/z/.envrc"),
}
# Names of which the content counts; what the link leads to is no such name.
IN_PART = {
    "pyproject.toml": "[tool.pylint.main]\\ninit-hook = \"@word@\"", "tsconfig.json": '{"compilerOptions": {"plugins": [{"name": "@word@"}]}}',
    "Cargo.toml": "[package]\\nbuild = \"@word@\"", "CMakeLists.txt": "execute_process(COMMAND @word@)",
    "package.json": '{"prettier": "@word@"}', "pom.xml": "<?m2e execute @word@?>",
}
# The secret is one for all: where one of them gets at it, all are said to. What would
# bring it into the project, its history or an output.
STEAL = {
    "a link to it, read by diff": "ln -s @home@/.ssh/id_ed25519 l",
    "a link in place of a tracked file": "rm .keep; ln -s @home@/.ssh/id_ed25519 .keep",
    "a directory on the way is a link": "rm -r old; ln -s @home@/.ssh old",
    "a copy of it": "cp @home@/.ssh/id_ed25519 stolen",
    "a hard link of it": "ln @home@/.ssh/id_ed25519 stolen",
    "an archive of the home": "tar cf stolen -C @home@ .",
    "git's own copy of it": "git -C @top@ hash-object -w @home@/.ssh/id_ed25519 && git -C @top@ add -f .",
    "a commit of a link's target": "ln -s @home@/.ssh s; git -C @top@ add -A; cp s/id_ed25519 t; git -C @top@ add -A; "
                                   "git -C @top@ commit -qm @id@",
}


def attempts():
    found = [Attempt("a new link out of the project", how, LINK, (script,), first="mkdir old; touch old/f")
             for how, script in OUT.items()]
    found += [Attempt("a link that leads out after a later apply", how, LINK, steps) for how, steps in STEPS.items()]
    found += [Attempt("a link of the user's that changes its meaning", how, LINK, (step,), first=first)
              for how, (first, step) in MINE.items()]
    found += [Attempt("a write through what the user has", how, TOUCHED, (step,), first=first)
              for how, (first, step) in THROUGH.items()]
    found += [Attempt("what the user's own link leads to", how, OBEYED, (f"rm {file}; echo @word@ >{file}",), first=first, at=at)
              for how, (first, file, at) in BACK.items()]
    found += [Attempt("a part of what the user's own link leads to", name, OBEYED, (f"printf '{text}\\n' >s/f",), at=name,
                      first=f"mkdir s; touch s/f; ln -s s/f {name}") for name, text in IN_PART.items()]
    found += [Attempt("a module of python's that is a link", "to a file", OBEYED, ("echo @word@ >@id@f",), place=".",
                      first="echo fine >@id@f; ln -s @id@f shelve.py", at="shelve.py"),
              Attempt("a module of python's that is a link", "to a directory", OBEYED, ("echo @word@ >@id@d/__init__.py",), place=".",
                      first="mkdir @id@d; touch @id@d/x; ln -s @id@d symtable", at="symtable/__init__.py")]
    found += [Attempt("the user's secret", how, SECRET, (script,), first="mkdir old; echo x >old/id_ed25519")
              for how, script in STEAL.items()]
    return found
