# SPDX-License-Identifier: MIT
"""Directories that git takes for repositories: forms of a HEAD, ways to bring what git obeys there, and the
repositories that the user has in the project already."""

from review.attempt import RUN, SET, Attempt

# How @D@ becomes a git directory.
HEADS = {
    "a branch": "echo 'ref: refs/heads/main' >@D@/HEAD",
    "an id in capitals": "echo ABCDEFABCDEFABCDEFABCDEFABCDEFABCDEFABCD >@D@/HEAD",
    "an id of SHA-256": "printf '%064d\\n' 1 >@D@/HEAD",
    "a dangling link": "ln -s refs/heads/none @D@/HEAD",
    "no blank": "printf 'ref:refs/heads/x' >@D@/HEAD",
    "a hard link": "echo 'ref: refs/heads/x' >h; ln h @D@/HEAD",
    "renamed from head": "echo 'ref: refs/heads/x' >@D@/head; mv @D@/head @D@/HEAD",
    "commondir": "mkdir c; mv @D@/objects @D@/refs c/; mv @D@/config c/; mv @D@/more c/; echo ../c >@D@/commondir; "
                 "echo 'ref: refs/heads/x' >@D@/HEAD",
}
# How what git obeys comes there.
BRINGS = {
    "a file": "printf 'CONFIG' >@D@/config",
    "a hard link": "printf 'CONFIG' >x; ln x @D@/config",
    "a link": "printf 'CONFIG' >x; ln -s ../x @D@/config",
    "a rename": "printf 'CONFIG' >x; mv x @D@/config",
    "a rename of the directory": "mkdir t; printf 'CONFIG' >t/config; mv @D@/* t/; rmdir @D@; mv t @D@",
    "an include": "printf 'CONFIG' >@D@/more; printf '[core]\\n\\trepositoryformatversion = 0\\n[include]\\n\\tpath = more\\n' >@D@/config",
    "a link in place of objects": "printf 'CONFIG' >@D@/config; mv @D@/objects o; ln -s ../o @D@/objects",
}
CONFIG = "[core]\\n\\trepositoryformatversion = 0\\n\\tbare = true\\n\\tfsmonitor = @touch@; false\\n\\tpager = @touch@; cat\\n" \
         "[review]\\n\\tword = @word@\\n"
WORK_TREE = CONFIG.replace("bare = true", "bare = false\\n\\tworktree = ..")
HOOK = "#!/bin/sh\\n@touch@\\n"
PARTS = "mkdir -p @D@/objects @D@/refs; touch @D@/objects/k @D@/refs/k; "
# A repository of the user's own in the project, with a commit.
NESTED = "git init -q n; touch n/f; git -C n add f; git -C n commit -qm n"
HOOKED = "for h in pre-commit post-commit reference-transaction; do printf '" + HOOK + "' >G/hooks/$h; " \
         "chmod +x G/hooks/$h; done"


def near_repositories():
    for head, make in HEADS.items():
        for bring, put in BRINGS.items():
            if "commondir" in head and ("@D@/*" in put or "objects" in put):
                continue
            script = PARTS + put.replace("CONFIG", WORK_TREE) + "; " + make
            goal = SET if head == "commondir" or "include" in bring else RUN
            yield Attempt(f"a repository by another name, HEAD is {head}", f"its config comes as {bring}", goal,
                          (script.replace("@D@", "near"),))


def in_parts():
    """The same pieces, each with an apply of its own."""
    config = f"mkdir -p near; printf '{WORK_TREE}' >near/config"
    head = "mkdir -p near; echo 'ref: refs/heads/x' >near/HEAD"
    rest = "mkdir -p near/objects near/refs; touch near/objects/k near/refs/k"
    for name, steps in (("config, HEAD, the rest", (config, head, rest)), ("HEAD, the rest, config", (head, rest, config)),
                        ("the rest, config, HEAD", (rest, config, head)),
                        ("the rest, HEAD and config", (rest, head + "; " + config))):
        yield Attempt("a repository by another name, in parts", name, RUN, steps)
    for name, goal, steps in (
            ("commondir comes last", SET, (f"mkdir -p near c/objects c/refs; touch c/objects/k c/refs/k; printf '{WORK_TREE}' "
                                      ">c/config", "mkdir -p near; echo 'ref: refs/heads/x' >near/HEAD",
                                      "mkdir -p near; echo ../c >near/commondir")),
            ("a directory is renamed into it", RUN, (f"mkdir -p q/objects q/refs; touch q/objects/k q/refs/k; printf '{WORK_TREE}' "
                                                ">q/conf; echo 'ref: refs/heads/x' >q/head_",
                                                "mv q near; mv near/conf near/config; mv near/head_ near/HEAD"))):
        yield Attempt("a repository by another name, in parts", name, goal, steps)


def of_dot_git():
    pieces = PARTS.replace("@D@", "near") + f"printf '{WORK_TREE}' >near/config; echo 'ref: refs/heads/x' >near/HEAD; "
    for name, script in (
            ("a .git file", pieces + "mkdir w; echo 'gitdir: ../near' >w/.git"),
            ("a .git file, absolute", pieces + "mkdir w; echo \"gitdir: $PWD/near\" >w/.git"),
            ("a .git link", pieces + "mkdir w; ln -s ../near w/.git"),
            ("a new repository's config", f"git init -q w; printf '{CONFIG.replace('true', 'false')}' >w/.git/config"),
            ("a new repository's config, a hard link",
             f"git init -q w; rm w/.git/config; printf '{CONFIG.replace('true', 'false')}' >x; ln x w/.git/config"),
            ("a new repository's hooks", "git init -q w; " + HOOKED.replace("G", "w/.git")),
            ("a new repository's commondir", pieces + "git init -q w; echo ../../near >w/.git/commondir"),
            ("a new repository's config.worktree",
             f"git init -q w; git -C w config extensions.worktreeConfig true; printf '{CONFIG.replace('true', 'false')}' "
             ">w/.git/config.worktree"),
            ("hooks as a link", "git init -q w; mkdir hk; " + HOOKED.replace("G/hooks", "hk")
             + "; rm -rf w/.git/hooks; ln -s ../../hk w/.git/hooks"),
            ("a rename of a new repository", f"git init -q w; printf '{CONFIG.replace('true', 'false')}' >w/.git/config; "
             "mv w v; mv v w2")):
        yield Attempt("what git obeys in a new repository", name, RUN, (script,))


def of_the_user():
    config = CONFIG.replace("bare = true", "bare = false")
    for name, script in (
            ("config", f"printf '{config}' >>n/.git/config"),
            ("config by a rename", f"printf '{config}' >x; mv x n/.git/config"),
            ("hooks", HOOKED.replace("G", "n/.git")),
            ("hooks by a rename", "mkdir t; " + HOOKED.replace("G/hooks", "t") + "; rm -rf n/.git/hooks; mv t n/.git/hooks"),
            ("commondir", f"mkdir -p c; cp -r n/.git/. c/; printf '{config}' >>c/config; echo ../../c >n/.git/commondir"),
            ("worktree config", "git -C n config extensions.worktreeConfig true; "
             f"printf '{config}' >n/.git/config.worktree"),
            (".git made a file", f"mv n/.git g; printf '{config}' >>g/config; echo 'gitdir: ../g' >n/.git"),
            (".git made a link", f"mv n/.git g; printf '{config}' >>g/config; ln -s ../g n/.git"),
            (".git made anew", "rm -rf n/.git; git init -q n; " + f"printf '{config}' >>n/.git/config"),
            ("its directory by another", f"cp -r n m; printf '{config}' >>m/.git/config; rm -rf n; mv m n"),
            ("its directory by a link", f"cp -r n m; printf '{config}' >>m/.git/config; rm -rf n; ln -s m n")):
        yield Attempt("a repository that the user has in the project", name, RUN, (script,), first=NESTED)
    bare = "git clone -q --bare @top@ b.git"
    for name, script in (
            ("config", f"printf '{CONFIG}' >>b.git/config"),
            ("hooks", HOOKED.replace("G", "b.git") + "; cp b.git/hooks/pre-commit b.git/hooks/post-index-change"),
            ("config.worktree", f"git --git-dir b.git config extensions.worktreeConfig true; printf '{CONFIG}' "
             ">b.git/config.worktree"),
            ("commondir", f"cp -r b.git c; printf '{CONFIG}' >>c/config; echo ../c >b.git/commondir")):
        yield Attempt("a bare repository that the user has in the project", name, RUN,
                      (script.replace("bare = true", "bare = false\\n\\tworktree = .."),), first=bare)
    top = "git init -q t; touch t/f; git -C t add f; git -C t commit -qm n; mkdir -p wt; " \
          "git -C t worktree add -q ../wt/x -b x"
    for name, script in (("its .git file", "cp -r t/.git g; " + f"printf '{config}' >>g/config; "
                          "echo \"gitdir: $PWD/g\" >wt/x/.git"),
                         ("config of the main one", f"printf '{config}' >>t/.git/config"),
                         ("commondir of its git directory", f"cp -r t/.git g; printf '{config}' >>g/config; "
                          "echo $PWD/g >t/.git/worktrees/x/commondir")):
        yield Attempt("a work tree that the user has in the project", name, RUN, (script,), first=top)


def attempts():
    return [*near_repositories(), *in_parts(), *of_dot_git(), *of_the_user()]
