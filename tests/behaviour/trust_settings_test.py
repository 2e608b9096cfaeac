# SPDX-License-Identifier: MIT
"""What git and shells run by the user's settings, wherever these are: of the repository around the project, of another
user's home, of the environment; and what stays an ordinary change all the same."""

import os
import pwd
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import harness  # noqa: E402
from applies import goes, held  # noqa: E402

EVIL_HOOK = "printf '#!/bin/sh\\ntouch \"$HOME/ran\"\\n' >%s; chmod +x %s"


def hook(path):
    return EVIL_HOOK % (path, path)


def below(w, *names):
    """The project is this directory of the repository."""
    place = w.path(*names)
    os.makedirs(place, exist_ok=True)
    w.shadow("-C", place, "run", "--", "true", cwd=place)
    return place


def move_project(w, *names):
    """The project is this directory of the home, and a repository of its own."""
    os.rmdir(w.project)
    w.project = os.path.join(w.home, *names)
    os.makedirs(w.project)
    w.git_project({"README.md": "x\n", "a.txt": "x\n"})


def test_hooks_in_the_projects_top(w):
    """Where core.hooksPath leads to the project's top, by whatever way, each file there may be a hook."""
    w.git_project({"src/a": "x\n", "README.md": "x\n"})
    for value in (w.project, "src/..", ".", "~/../project"):
        w.git("config", "core.hooksPath", value)
        held(w, hook("post-checkout"), "post-checkout")
    w.git("config", "--unset", "core.hooksPath")
    goes(w, "echo more >>README.md; echo fine >post-checkout")


def test_a_link_to_the_top_as_hooks(w):
    """The same by `.git/hooks`, and by a link of the project on the way."""
    w.git_project({"src/a": "x\n"})
    os.rename(w.path(".git/hooks"), w.path(".git/other"))
    os.symlink("..", w.path(".git/hooks"))
    held(w, hook("post-checkout"), "post-checkout")
    os.unlink(w.path(".git/hooks"))
    os.symlink("..", w.path("src/up"))
    w.git("config", "core.hooksPath", "src/up")
    held(w, hook("post-checkout"), "post-checkout")


def test_a_way_back_through_a_link(w):
    """A way that leaves the project and comes back by a link of it: the link counts, not only where it leads."""
    w.git_project({"hk/x": "x\n", "src/a": "x\n"})
    os.symlink("hk", w.path("link"))
    os.symlink(w.path("link"), os.path.join(w.home, "hooks"))
    w.git("add", "-A")
    w.git("commit", "-qm", "link")
    for value in ("~/hooks", "../home/hooks"):
        w.git("config", "core.hooksPath", value)
        held(w, f"rm link; mkdir -p own; ln -s own link; {hook('own/post-checkout')}", "link")
        held(w, hook("hk/post-checkout"), "hk/post-checkout")
    goes(w, hook("src/post-checkout"))


def test_a_way_through_a_link(w):
    """Two dots after a link are the parent of its target."""
    w.git_project({"a/b/x": "x\n", "a/hk/x": "x\n", "hk/x": "x\n"})
    os.symlink("a/b", w.path("in"))
    w.git("config", "core.hooksPath", "in/../hk")
    held(w, hook("a/hk/post-checkout"), "a/hk/post-checkout")


def test_a_project_that_is_the_users_hooks(w):
    """A project that all repositories' hooks, or the template of new ones, lie in: all but what is for people."""
    move_project(w, "githooks")
    w.git("config", "--global", "core.hooksPath", "~/githooks")
    held(w, hook("pre-commit") + "; echo more >>README.md", "pre-commit")
    goes(w, "echo more >>README.md")


def test_a_project_that_is_a_template(w):
    """The same of init.templateDir, at whatever depth the project lies in it."""
    move_project(w, "tpl", "hooks")
    w.git("config", "--global", "init.templateDir", "~/tpl")
    held(w, hook("post-checkout"), "post-checkout")
    w.git("config", "--global", "init.templateDir", "~/tpl/hooks/sub")
    goes(w, "echo fine >pre-commit")


def test_hooks_of_the_repository_around(w):
    """Where the project is a part of a work tree, that one's core.hooksPath counts, whatever the project is to it."""
    w.git_project({"sub/x": "x\n", "tools/hooks/y": "x\n"})
    sub, hooks = below(w, "sub"), below(w, "tools", "hooks")
    w.git("config", "core.hooksPath", "sub/hk")
    held(w, "mkdir -p hk; " + hook("hk/post-checkout"), "hk/post-checkout", cwd=sub)
    w.git("config", "core.hooksPath", "tools/hooks")
    held(w, hook("post-checkout"), "post-checkout", cwd=hooks)
    goes(w, "mkdir -p hk; echo fine >hk/post-checkout", cwd=sub)


def test_what_the_repository_around_names(w):
    """Its hooks, commands, included files; and an .envrc or an editor's tasks above."""
    w.git_project({"sub/tools/lint": "#!/bin/sh\n", "sub/conf": "\n", "sub/bin/x": "x\n", "sub/data": "x\n"})
    sub = below(w, "sub")
    w.write(".git/hooks/pre-commit", "#!/bin/sh\ncd sub && tools/lint\n", 0o755)
    held(w, "echo evil >>tools/lint", "tools/lint", cwd=sub)
    os.unlink(w.path(".git/hooks/pre-commit"))
    for setting, path in (("core.fsmonitor", "tools/lint"), ("core.editor", "tools/lint")):
        w.git("config", setting, "sub/" + path)
        held(w, f"echo evil >>{path}", path, cwd=sub)
        w.git("config", "--unset", setting)
    w.git("config", "include.path", "../sub/conf")
    held(w, "echo '[core]' >conf", "conf", cwd=sub)
    w.git("config", "--unset", "include.path")
    w.write(".envrc", "PATH_add sub/bin\nsource_env sub/tools/lint\n")
    held(w, "echo evil >bin/ls; echo evil >>tools/lint", "bin/ls", "tools/lint", cwd=sub)
    os.unlink(w.path(".envrc"))
    w.write(".vscode/tasks.json", '{"command": "sub/tools/lint"}')
    held(w, "echo evil >>tools/lint", "tools/lint", cwd=sub)
    os.unlink(w.path(".vscode/tasks.json"))
    goes(w, "echo fine >>tools/lint; echo fine >bin/ls; echo fine >data; echo >>conf", cwd=sub)


def test_an_envrc_above_without_a_repository(w):
    """direnv takes the next .envrc above, in whichever directory that is."""
    w.write("x/tools/env", "x\n")
    place = below(w, "x")
    w.write(".envrc", "source_env x/tools/env\n")
    held(w, "echo evil >tools/env", "tools/env", cwd=place)


def test_linked_work_trees_and_links_around(w):
    """The repository around may be a linked work tree, or have a link for its .git."""
    w.git_project({"sub/x": "x\n"})
    w.git("config", "core.hooksPath", "sub/hk")
    tree = os.path.join(w.tmp, "tree")
    w.git("worktree", "add", "-q", tree)
    evil = "mkdir -p hk; " + hook("hk/post-checkout")
    sub = os.path.join(tree, "sub")
    w.shadow("-C", sub, "run", "--", "true", cwd=sub)
    held(w, evil, "hk/post-checkout", cwd=sub)
    os.rename(w.path(".git"), os.path.join(w.tmp, "real.git"))
    os.symlink("../real.git", w.path(".git"))
    held(w, evil, "hk/post-checkout", cwd=below(w, "sub"))
    held(w, "mkdir -p sub/hk; " + hook("sub/hk/post-checkout"), "sub/hk/post-checkout")


def test_projects_that_are_a_sensitive_directory(w):
    """Names count from the work tree's top; without a repository, from the directories above."""
    w.git_project({".husky/a": "x\n", ".github/workflows/a.yml": "x\n", ".vscode/a/b": "x\n", "docs/.github/workflows/x": "x\n"})
    for names in ((".husky",), (".github", "workflows"), (".vscode", "a"), (".github",), (".claude",)):
        place = below(w, *names)
        path = {".github": "workflows/b.yml"}.get(names[-1], "b")
        held(w, f"mkdir -p workflows; echo evil >{path}", path, cwd=place)
    goes(w, "echo fine >b", cwd=below(w, "docs", ".github", "workflows"))
    goes(w, "echo fine >b", cwd=below(w, "docs"))
    plain = os.path.join(w.tmp, "plain", ".devcontainer")
    os.makedirs(plain)
    w.shadow("-C", plain, "run", "--", "true", cwd=plain)
    held(w, "echo evil >devcontainer.json", "devcontainer.json", cwd=plain)


def test_repositories_within_a_sensitive_directory(w):
    """A repository of its own counts by its own name, if that is hidden; one further below is a project like others."""
    w.git_project({"a": "x\n"})
    for names, sensitive in ((("deps", ".vscode"), True), ((".claude", "worktrees", "x"), False), (("mise",), False)):
        place = w.path(*names)
        os.makedirs(place)
        w.git("init", "-q", place)
        if sensitive:
            held(w, "echo evil >tasks.json", "tasks.json", cwd=place)
        else:
            goes(w, "echo fine >tasks.json", cwd=place)


def test_a_project_within_a_git_directory(w):
    """Everything in one is git's, its hooks above all; not in a work tree that lies in a bare repository."""
    w.git_project({"a": "x\n"})
    w.git("init", "-q", "--bare", os.path.join(w.tmp, "bare.git"))
    for place in (w.path(".git", "hooks"), os.path.join(w.tmp, "bare.git", "hooks")):
        w.shadow("-C", place, "run", "--", "true", cwd=place)
        held(w, hook("post-checkout"), "post-checkout", cwd=place)
    tree = os.path.join(w.tmp, "bare.git", "tree")
    w.git("-C", os.path.join(w.tmp, "bare.git"), "worktree", "add", "-q", "--orphan", "-b", "x", tree, check=False)
    if not os.path.isdir(tree):
        w.git("clone", "-q", w.project, tree)
    goes(w, "mkdir -p hooks; echo fine >hooks/post-checkout", cwd=tree)


def test_homes_by_a_users_name(w):
    """git and shells take "~user" for that user's home."""
    user = pwd.getpwuid(os.getuid())
    way = f"~{user.pw_name}/" + os.path.relpath(w.project, os.path.realpath(user.pw_dir))
    w.git_project({"tools/x": "x\n", "conf": "\n"})
    w.git("config", "core.hooksPath", way + "/tools")
    held(w, hook("tools/post-checkout"), "tools/post-checkout")
    w.git("config", "core.hooksPath", "~nobody-of-this-name/tools")
    w.git("config", "include.path", way + "/conf")
    held(w, "echo '[core]' >conf", "conf")
    w.git("config", "--unset", "include.path")
    with open(os.path.join(w.home, ".bashrc"), "w", encoding="utf-8") as f:
        f.write(f". {way}/tools/rc\n")
    held(w, "echo evil >tools/rc", "tools/rc")


def test_variables(w):
    """What variables of the caller's name runs as what a setting names does, also relative to where the user stands."""
    w.git_project({"tools/check": "#!/bin/sh\n", "src/tools/x": "x\n", "conf": "\n"})
    for name in ("GIT_EXTERNAL_DIFF", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_PAGER", "GIT_ASKPASS",
                 "GIT_PROXY_COMMAND", "EDITOR", "VISUAL", "PAGER", "LESSOPEN", "BASH_ENV", "ENV", "SSH_ASKPASS", "PYTHONSTARTUP"):
        for value in ("tools/check", w.path("tools/check"), "~/../project/tools/check"):
            held(w, "echo evil >>tools/check", "tools/check", env={name: value})
    held(w, "echo evil >src/tools/check", "src/tools/check", env={"PYTHONSTARTUP": "tools/check"})
    held(w, "echo evil >rc", "rc", env={"BASH_ENV": "rc"})
    held(w, "echo evil >>tools/check", "tools/check", env={"LESSOPEN": "|sh tools/check %s"})
    held(w, "mkdir tpl; echo evil >tpl/x", "tpl/x", env={"GIT_TEMPLATE_DIR": w.path("tpl")})
    goes(w, "mkdir less test vim dev; echo fine >less/a; echo fine >test/b; echo fine >vim/c; echo fine >dev/d; echo >less/vim; "
         "mkdir -p usr/bin; echo fine >usr/bin/vim; echo fine >code",
         env={"PAGER": "less -R", "ENV": "test", "EDITOR": "vim", "VISUAL": "code --wait", "GIT_EDITOR": "/usr/bin/vim"})


def test_settings_of_the_environment(w):
    """GIT_CONFIG_COUNT and GIT_CONFIG_PARAMETERS are configuration; GIT_DIR names a repository."""
    w.git_project({"tools/check": "#!/bin/sh\n"})
    evil = "mkdir -p hk; " + hook("hk/post-checkout")
    held(w, evil, "hk/post-checkout", env={"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.hooksPath", "GIT_CONFIG_VALUE_0": "hk"})
    for text in ("'core.hookspath=hk'", "'core.editor'='true' 'Core.hooksPath'='hk'"):
        held(w, evil, "hk/post-checkout", env={"GIT_CONFIG_PARAMETERS": text})
    w.git("init", "-q", "--bare", os.path.join(w.tmp, "other.git"))
    w.git("--git-dir", os.path.join(w.tmp, "other.git"), "config", "core.hooksPath", w.path("hk"))
    held(w, evil, "hk/post-checkout", env={"GIT_DIR": os.path.join(w.tmp, "other.git"), "GIT_WORK_TREE": w.tmp})
    goes(w, evil)


def test_relative_settings_of_every_repository(w):
    """Where a global setting is relative, it finds its file in each new repository, whichever comes first."""
    w.git_project({"a": "x\n", "src/hooks/x": "x\n"})
    make = "mkdir -p %s; git init -q %s; git -C %s commit -q --allow-empty -m x"
    for n, setting, value in (("n", "core.hooksPath", "hk"), ("o", "core.fsmonitor", "hk/post-checkout"),
                              ("p", "core.attributesFile", "hk/post-checkout")):
        w.git("config", "--global", setting, value)
        goes(w, f"mkdir -p {n}/hk; " + hook(f"{n}/hk/post-checkout"))
        for script in (make % (n, n, n), f"git init -q {n}"):
            w.sh(script)
            done = w.shadow("apply", "--yes", check=False)
            assert not os.path.exists(w.path(n, ".git")), (setting, done.returncode, done.out, done.err)
            assert n + "/hk" in done.out + done.err, (done.out, done.err)
            w.shadow("discard", "--yes")
        held(w, "git init -q m; mkdir m/hk; " + hook("m/hk/post-checkout"), "m/hk/post-checkout")
        w.git("config", "--global", "--unset", setting)
        goes(w, make % (n, n, n))
        assert os.path.exists(w.path(n, ".git"))
    w.git("config", "--global", "core.hooksPath", "hooks")
    goes(w, "echo fine >src/hooks/use.js")
    w.git("config", "--global", "init.templateDir", "tpl")
    held(w, "mkdir -p n/tpl/hooks; " + hook("n/tpl/hooks/pre-commit"), "n/tpl/hooks/pre-commit")


def test_drivers_that_git_has_built_in(w):
    """Attributes may name them, unless the user's configuration gives one of them a program."""
    w.git_project({"a": "x\n"})
    goes(w, "echo '*.py diff=python' >.gitattributes; mkdir d; echo 'CHANGES merge=union' >d/.gitattributes")
    w.git("config", "--global", "diff.python.xfuncname", "^def")
    goes(w, "echo '*.pyi diff=python' >>.gitattributes")
    w.git("config", "--global", "diff.python.textconv", "show-python")
    held(w, "echo '*.pyx diff=python' >>.gitattributes; echo '*.py diff=python' >>d/.gitattributes",
         ".gitattributes", "d/.gitattributes")


def test_a_new_repository_in_a_sensitive_directory(w):
    """It would take the project's names from the work tree around; elsewhere that one is an ordinary new repository."""
    w.git_project({"githooks/a": "x\n", "sub/a": "x\n"})
    hooks, sub = below(w, "githooks"), below(w, "sub")
    w.sh("git init -q .", cwd=hooks)
    w.shadow("apply", "--yes", check=False, cwd=hooks)
    assert not os.path.exists(os.path.join(hooks, ".git"))
    goes(w, "git init -q .; git add -A; git commit -qm x", cwd=sub)
    assert os.path.exists(os.path.join(sub, ".git"))


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
