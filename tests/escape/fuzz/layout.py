# SPDX-License-Identifier: MIT
"""What a project is like before the session: a base that all have, and features of which each round has some. Each is
something that people set up and that runs something of the project by itself; none of it touches a canary."""

import os

# Every round's project. What nothing runs by itself is here too: tools/unused.sh, src.
FILES = {
    "a.txt": "one\ntwo\nthree\n", "src/b.txt": "one\n", "src/c.py": "x = 1\n", "src/d.dat": "data\n", "docs/e.md": "text\n",
    "README.md": "about\n", "Makefile": "all:\n\ttrue\n", ".gitignore": "*.o\nignored/\n", "tools/unused.sh": "#!/bin/sh\n",
    "sub/f.txt": "f\n", "sub/deep/g.txt": "g\n", "f.dat": "data\n",
}
HOME = {
    ".vimrc": "set nocompatible exrc modeline modelines=5\n",
    ".gitconfig": "[protocol \"file\"]\n\tallow = always\n[user]\n\tname = U\n\temail = u@example.org\n[init]\n\tdefaultBranch = main\n",
    ".bashrc": "[ ! -e /usr/lib/git-core/git-sh-prompt ] || . /usr/lib/git-core/git-sh-prompt\n"
               "GIT_PS1_SHOWDIRTYSTATE=1\nPS1='$(__git_ps1 %s)$ '\n"
               "command -v direnv >/dev/null && eval \"$(direnv hook bash)\"\n",
}
EDITOR = "#!/bin/sh\necho message >>\"$1\"\n"


class Feature:
    """Files of the project, lines for files of the home, and shell that sets things up once these are there.
    `@top@`, `@home@` and `@out@` stand for the places."""

    def __init__(self, files=None, home=None, script="", late="", before="", excludes=(), program=(), path=""):
        self.files = files or {}
        self.home = home or {}
        self.before = before      # in place of the project, before it is a repository
        self.script = script      # in the project, before its first commit
        self.late = late          # in the project, after that
        self.excludes = excludes  # features that it does not go with
        self.program = program    # what it takes
        self.path = path          # directory that comes first on the caller's PATH


HOOK = "#!/bin/sh\n"
FEATURES = {
    "hooks path": Feature({"tools/hooks/pre-commit": HOOK + ". \"$(dirname \"$0\")/../lib/common.sh\"\n",
                           "tools/lib/common.sh": "#\n"}, late="git config core.hooksPath tools/hooks"),
    "a hook that changes its directory": Feature(
        {"tools/check.sh": HOOK + "true\n", "tools/unit/all.sh": HOOK}, excludes=("hooks path", "husky"),
        late="printf '#!/bin/sh\\ncd \"$(git rev-parse --show-toplevel)/tools\" && ./check.sh && cd unit && sh all.sh\\n' "
             ">.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit"),
    "a hook that calls what calls": Feature(
        {"tools/first.sh": HOOK + "exec tools/second.sh\n", "tools/second.sh": HOOK + "exec sh tools/third.sh\n",
         "tools/third.sh": HOOK}, excludes=("hooks path", "husky"),
        late="printf '#!/bin/sh\\ntools/first.sh\\n' >.git/hooks/post-checkout; chmod +x .git/hooks/post-checkout"),
    "a hook in python": Feature(
        {"tools/py/lint.py": "import helper\nimport os\nimport lib.more\n", "tools/py/helper.py": "\n",
         "tools/py/lib/__init__.py": "\n", "tools/py/lib/more.py": "\n"}, excludes=("hooks path", "husky"),
        late="printf '#!/bin/sh\\npython3 -B tools/py/lint.py\\n' >.git/hooks/post-commit; chmod +x .git/hooks/post-commit"),
    "a hook for all of a directory": Feature(
        {"tools/all.d/10-a": HOOK, "tools/all.d/20-b.sh": HOOK}, excludes=("hooks path", "husky"),
        late="printf '#!/bin/sh\\nfor f in tools/all.d/*; do sh \"$f\"; done\\n' >.git/hooks/prepare-commit-msg; "
             "chmod +x .git/hooks/prepare-commit-msg"),
    "a hook that is a module": Feature(
        {"tools/mod.py": "import json\n", "tools/py2.py": "\n"}, excludes=("hooks path", "husky"),
        late="printf '#!/bin/sh\\npython3 -B -m tools.mod\\n' >.git/hooks/post-commit; chmod +x .git/hooks/post-commit"),
    "a hook in node": Feature(
        {"tools/js/a.js": "require('./b'); require('./c/')\n", "tools/js/b.js": "\n", "tools/js/c/index.js": "\n"},
        excludes=("hooks path", "husky"), program=("node",),
        late="printf '#!/bin/sh\\nnode tools/js/a.js\\n' >.git/hooks/post-commit; chmod +x .git/hooks/post-commit"),
    "a path of the caller's": Feature({"scripts2/mine": HOOK}, path="scripts2"),
    "a relative path of the caller's": Feature({"sub/tool-bin/mine": HOOK}, path="./tool-bin"),
    "an .envrc over a link": Feature(
        {".envrc": ". ./tools/link\n. @top@/tools/whole\n", "tools/linked": "\n", "tools/whole": "\n"}, program=("direnv",),
        script="ln -s linked tools/link", late="direnv allow .", excludes=("direnv", "direnv further down", "links of one's own")),
    "husky": Feature({".husky/pre-commit": "sh tools/husky.sh\n", "tools/husky.sh": HOOK,
                      ".husky/_/pre-commit": "#!/bin/sh\nsh -e .husky/pre-commit\n"},
                     late="git config core.hooksPath .husky/_"),
    "included configuration": Feature({"conf/gitconfig": "[alias]\n\tst = status\n"},
                                      late="git config include.path ../conf/gitconfig"),
    "attributes by configuration": Feature(
        {"conf/attributes": "*.dat diff=mine\n", "tools/text.sh": HOOK + "cat \"$1\"\n"},
        late="git config core.attributesFile conf/attributes; git config diff.mine.textconv tools/text.sh"),
    "filters": Feature(
        {".gitattributes": "*.dat filter=mine\n", "src/.gitattributes": "* -filter\n", "tools/clean.sh": HOOK + "cat\n"},
        late="git config filter.mine.clean 'sh tools/clean.sh'"),
    "a monitor": Feature({"tools/watch": HOOK + "printf '\\0'\n"}, late="git config core.fsmonitor tools/watch"),
    "an alias for the pager": Feature({"tools/page": HOOK + "cat\n"}, late="git config pager.log tools/page"),
    "direnv": Feature(
        {".envrc": "PATH_add bin\n. ./tools/env.sh\nfor f in env.d/*.sh; do . \"$f\"; done\ndotenv_if_exists vars\n"
                   "source_env_if_exists .envrc.local\n",
         "bin/mine": HOOK, "tools/env.sh": ". tools/env2.sh\n", "tools/env2.sh": "\n", "env.d/a.sh": "\n"},
        late="direnv allow .", program=("direnv",)),
    "direnv with a layout": Feature(
        {"web/.envrc": "layout node\n", "web/package.json": "{}\n", "web/node_modules/.bin/mine": HOOK},
        late="direnv allow web", program=("direnv",)),
    "direnv further down": Feature(
        {".envrc": "export TOP=1\nPATH_add tools/top-bin\n", "sub/.envrc": "export SUB=1\ncd tools && . ./here.sh\n",
         "sub/tools/here.sh": "\n", "tools/top-bin/mine": HOOK}, excludes=("direnv",),
        late="direnv allow .; direnv allow sub", program=("direnv",)),
    "tasks": Feature(
        {".vscode/tasks.json": '{ // tasks\n "version": "2.0.0", "tasks": [\n  {"label": "a", "type": "shell", "command": '
         '"./start.sh", "options": {"cwd": "${workspaceFolder}/tools/tasks"}, "runOptions": {"runOn": "folderOpen"}},\n'
         '  {"label": "b", "type": "process", "command": "sh", "args": ["${workspaceFolder}/tools/two.sh"], "runOptions": '
         '{"runOn": "folderOpen"}},\n ]}\n', "tools/tasks/start.sh": HOOK, "tools/two.sh": HOOK}),
    "editor settings": Feature(
        {".vscode/settings.json": '{"python.defaultInterpreterPath": "${workspaceFolder}/run/py"}\n', "run/py": HOOK}),
    "a virtual environment": Feature(
        {".venv/pyvenv.cfg": "home = /usr/bin\n", ".venv/bin/python": HOOK, ".venv/bin/activate": "\n"}),
    "a virtual environment by another name": Feature(
        {"env312/pyvenv.cfg": "home = /usr/bin\n", "env312/bin/python": HOOK + "exec \"$(dirname \"$0\")/python3\"\n",
         "env312/bin/python3": HOOK, "env312/bin/activate": ". \"$VIRTUAL_ENV/bin/more\" 2>/dev/null\n"}),
    "plugins of a linter": Feature(
        {"pyproject.toml": "[project]\nname = 'x'\n\n[tool.mypy]\nplugins = ['tools/mypy_one.py', 'tools.mypy_two']\n",
         "tools/mypy_one.py": "import tools_more\n", "tools/mypy_two.py": "\n", "tools/tools_more.py": "\n"}),
    "a linter's own configuration": Feature({".pylintrc": "[MASTER]\ninit-hook = import runpy; runpy.run_path('tools/lint_hook.py')\n",
                                             "tools/lint_hook.py": "\n", "setup.cfg": "[metadata]\nname = x\n"}),
    "a start file that reads": Feature(
        {"dot/rc": "\n", "dot/rc.d/a.sh": "\n", "dot/bin/mine": HOOK},
        {".bashrc": ". @top@/dot/rc\n[ ! -e @top@/dot/local ] || . @top@/dot/local\nfor f in @top@/dot/rc.d/*.sh; do . \"$f\"; done\n"
                    "PATH=@top@/dot/bin:$PATH\n"}),
    "a start file by a link to the project": Feature(
        {"dot/rc": ". ~/dots/dot/more\n", "dot/more": "\n"},
        {".bashrc": ". ~/dots/dot/rc\n[ ! -e ~/dots/dot/later ] || . ~/dots/dot/later\n"}, late="ln -sfn @top@ @home@/dots",
        excludes=("a start file that reads",)),
    "links of the home": Feature(
        {"dot/aliases": "\n", "dot/vim/plugin/a.vim": "\"\n", "dot/gitconfig": "\n"},
        {".bashrc": ". ~/.bash_aliases\n[ ! -e ~/.bash_more ] || . ~/.bash_more\n", ".gitconfig": "[include]\n\tpath = ~/.more\n"},
        late="ln -s @top@/dot/aliases @home@/.bash_aliases; ln -s @top@/dot/vim @home@/.vim; "
             "ln -s @top@/dot/gitconfig @home@/.more; ln -s @top@/dot/bash_more @home@/.bash_more"),
    "a path of one's own": Feature({"scripts/mine": HOOK}, {".bashrc": "PATH=$HOME/proj/scripts:$PATH\n"},
                                   late="ln -s @top@ @home@/proj"),
    "a relative path": Feature({"node_modules/.bin/mine": HOOK}, {".bashrc": "PATH=./node_modules/.bin:$PATH\n"}),
    "vim reads": Feature({"tools/vim/x.vim": "\"\n"}, {".vimrc": "source @top@/tools/vim/x.vim\nset rtp+=@top@/tools/rtp\n"}),
    "links of one's own": Feature(
        {"tools/env": "\n", "ci/all.yml": "x\n"}, excludes=("direnv", "direnv further down"),
        script="ln -s tools/env .envrc; mkdir -p .github; ln -s ../ci .github/workflows", late="direnv allow .",
        program=("direnv",)),
    "a sub-module": Feature(script="git init -q @out@/m; git -C @out@/m commit -q --allow-empty -m m; touch @out@/m/k; "
                                   "git -C @out@/m add k; git -C @out@/m commit -qm k; git submodule add -q @out@/m mod",
                            late="git -C mod config core.hooksPath ../tools/modhooks"),
    "a repository within": Feature(
        script="git init -q in; touch in/k; git -C in add k; git -C in commit -qm k; echo in >>.gitignore",
        late="mkdir -p in/h; printf '#!/bin/sh\\n./h/called\\n' >in/.git/hooks/pre-commit; chmod +x in/.git/hooks/pre-commit; "
             "printf '#!/bin/sh\\n' >in/h/called; chmod +x in/h/called"),
    "a bare repository within": Feature(script="git init -q --bare store.git", late="git remote add store ./store.git; "
                                        "git push -q store HEAD"),
    "a work tree within": Feature(late="git worktree add -q wt -b wt"),
    "a linked work tree": Feature(before="git init -q @out@/main; git -C @out@/main commit -q --allow-empty -m m; "
                                         "git -C @out@/main worktree add -q @top@ -b work",
                                  excludes=("a work tree within", "a hook that changes its directory",
                                            "a hook that calls what calls", "a hook in python", "a hook for all of a directory")),
    "an editor's own": Feature({".exrc": "\"\n", "sub/.exrc": "\"\n", ".editorconfig": "[*]\n", "sub/.editorconfig": "root = true\n"}),
    "a directory of commands": Feature({"mine": HOOK}, {".bashrc": "PATH=~/bin:$PATH\n"}, late="ln -s @top@ @home@/bin",
                                       excludes=("a path of one's own",)),
    "a directory of vim's": Feature({"plugin/a.vim": "\"\n", "vimrc": "\"\n"}, late="ln -s @top@ @home@/.vim",
                                    excludes=("links of the home",)),
}


def draw(chance):
    found = []
    for name in chance.sample(sorted(FEATURES), chance.choice((1, 2, 2, 3, 4, 6))):
        if not any(name in FEATURES[other].excludes or other in FEATURES[name].excludes for other in found):
            found.append(name)
    return found


def filled(text, scene):
    for mark, value in (("@top@", scene.project), ("@home@", scene.home), ("@out@", scene.outside)):
        text = text.replace(mark, value)
    return text


def build(scene, features):
    """The user's project as it is before the session, committed and with a remote."""
    chosen = [FEATURES[name] for name in features]
    for name, text in HOME.items():
        more = "".join(filled(one.home.get(name, ""), scene) for one in chosen)
        with open(os.path.join(scene.home, name), "w", encoding="utf-8") as f:
            f.write(text + more)
    before = "".join(filled(one.before, scene) + "\n" for one in chosen)
    if before.strip():
        os.rmdir(scene.project)
    scene.directly([before + f"mkdir -p {scene.project}"], cwd=scene.tmp)
    names = dict(FILES)
    for one in chosen:
        names.update(one.files)
    for name, text in names.items():
        scene.write(name, filled(text, scene), 0o755 if text.startswith("#!") else None)
    setup = ["[ -e .git ] || git init -q -b main"] + [filled(one.script, scene) for one in chosen]
    setup += ["git add -fA; git commit -qm begin; git init -q --bare @out@/up.git; git remote add origin @out@/up.git; "
              "git push -q origin HEAD; git branch other"]
    setup += [filled(one.late, scene) for one in chosen]
    scene.directly([filled(line, scene) for line in setup])
    for one in chosen:
        if one.path:
            first = one.path if one.path.startswith("./") else scene.path(one.path)
            scene.env["PATH"] = f"{first}:{scene.env['PATH']}"
