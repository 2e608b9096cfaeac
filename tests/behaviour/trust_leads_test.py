# SPDX-License-Identifier: MIT
"""What runs by way of something else: a project that programs obey as a whole, what the PATH leads to, parts of files;
and what stays an ordinary change all the same."""

import os
import sys

import harness
from applies import goes
from trust import held

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))


def in_home(w, name, link=False):
    """A project that lies in the home under this name, or to which that is a link."""
    place = os.path.join(w.home, name)
    os.makedirs(os.path.dirname(place), exist_ok=True)
    if link:
        os.symlink(w.project, place)
    else:
        os.rmdir(w.project)
        os.mkdir(place)
        w.project = place
    w.git_project({"README.md": "x\n", "tool": "#!/bin/sh\n", "lua/a.lua": "x\n"})


def test_a_project_that_is_the_users_commands(w):
    """Where the project is ~/bin each file of it is a command; what is for people to read is not."""
    in_home(w, "bin")
    held(w, "echo evil >>tool; echo evil >git; echo more >>README.md", "tool", "git")
    assert w.read("README.md") == "x\nmore\n" and not os.path.exists(w.path("git"))


def test_a_project_that_is_an_editors_configuration(w):
    """Where the project lies in ~/.config each file of it is obeyed."""
    in_home(w, ".config/nvim")
    held(w, "echo evil >>lua/a.lua; mkdir plugin; echo evil >plugin/x.vim", "lua/a.lua", "plugin/x.vim")


def test_a_project_that_a_link_of_the_home_leads_to(w):
    """Where ~/.vim is a link to the project each file of it is obeyed; not where ~/.dotfiles is one."""
    in_home(w, ".vim", link=True)
    held(w, "mkdir plugin; echo evil >plugin/x.vim", "plugin/x.vim")
    os.rename(os.path.join(w.home, ".vim"), os.path.join(w.home, ".dotfiles"))
    goes(w, "mkdir plugin; echo fine >plugin/x.vim")


def test_what_the_path_leads_to(w):
    """What is in a directory on the caller's PATH is run in the place of other programs."""
    w.git_project({"bin/mine": "#!/bin/sh\n", "src/a": "x\n"})
    path = os.environ["PATH"]
    held(w, "echo evil >bin/git", "bin/git", env={"PATH": f"{w.path('bin')}:{path}"})
    held(w, "mkdir -p src/node_modules/.bin; echo evil >src/node_modules/.bin/ls", "src/node_modules/.bin/ls",
         env={"PATH": f"./node_modules/.bin:{path}"})
    goes(w, "echo fine >bin/ls")


def test_links_on_the_way_of_what_is_relative(w):
    """A link in the place of a directory above what a relative setting names leads to it, in any work tree."""
    w.git_project({"tools/hooks/pre-commit": "#!/bin/sh\n", "a": "x\n"})
    w.git("init", "-q", "in")
    w.git("config", "--global", "core.hooksPath", "tools/hooks")
    evil = "mkdir -p o/hooks; echo evil >o/hooks/pre-commit; "
    held(w, evil + "ln -s ../o in/tools", "in/tools")
    held(w, evil + "mkdir in/tools; ln -s ../../o/hooks in/tools/hooks", "in/tools/hooks")
    goes(w, "mkdir -p p/hooks; echo fine >p/hooks/pre-commit; ln -s p docs")


def test_attributes_that_go(w):
    """A .gitattributes that named filters cannot go unseen, nor can one that takes another's away."""
    w.git_project({".gitattributes": "*.key filter=crypt\n", "sub/.gitattributes": "*.c text\n", "a": "x\n",
                   "docs/.gitattributes": "*.filter text eol=lf\n"})
    held(w, "rm .gitattributes", ".gitattributes")
    held(w, "echo '*.c text' >.gitattributes", ".gitattributes")
    held(w, "echo '* -filter' >sub/.gitattributes", "sub/.gitattributes")
    held(w, "mkdir new; echo '* secret' >new/.gitattributes", "new/.gitattributes")
    held(w, "printf '\"*\" crypt \"\\n' >sub/.gitattributes", "sub/.gitattributes")
    goes(w, "echo '*.h text eol=lf linguist-vendored' >>sub/.gitattributes; rm docs/.gitattributes")


def test_parts_of_files(w):
    """Of pyproject.toml, setup.cfg and package.json counts what linters, formatters and hooks obey, and no more."""
    w.git_project({"pyproject.toml": "[project]\nversion = '1'\n\n[tool.mypy]\nplugins = ['a']\n",
                   "package.json": '{"version": "1", "prettier": {"semi": true}, "scripts": {"test": "x"}}\n'})
    goes(w, "sed -i \"s/'1'/'2'/\" pyproject.toml; sed -i 's/\"1\"/\"2\"/; s/\"x\"/\"y\"/' package.json")
    held(w, "sed -i \"s/'a'/'evil'/\" pyproject.toml", "pyproject.toml")
    held(w, "sed -i 's/true/false/' package.json", "package.json")
    held(w, "rm pyproject.toml", "pyproject.toml")
    held(w, "printf '{\"\\\\u0068usky\": {\"hooks\": 1}}' >package.json", "package.json")
    held(w, "mkdir p; printf '{\"husky\": 1, \"x\": \"\\377\"}' >p/package.json", "p/package.json")
    goes(w, "printf '{\"words\": [\\n\"importable\"]}\\n' >cspell.json")
    held(w, "printf '{\"import\": [\\n\"./x.js\"],\\n\"words\": []}\\n' >cspell.json", "cspell.json")
    held(w, "printf 'import:\\n  - ./x.js\\n' >p.yaml; mkdir p; mv p.yaml p/.cspell.yaml", "p/.cspell.yaml")


def test_scripts_that_configure(w):
    """Of what editors run to configure a project counts what runs programs, and what takes in files that nobody judges."""
    w.git_project({"CMakeLists.txt": "project(a)\n"})
    held(w, "echo 'include(data.txt)' >>CMakeLists.txt; echo 'execute_process(COMMAND x)' >data.txt", "CMakeLists.txt")
    held(w, "mkdir subprojects; echo '[wrap-file]' >subprojects/z.wrap", "subprojects/z.wrap")
    held(w, "echo \"configure_file(output: 'a', command: ['x'])\" >meson.build", "meson.build")
    goes(w, "echo 'include(GNUInstallDirs)' >>CMakeLists.txt; echo 'add_library(a b.c)' >>CMakeLists.txt")


def test_modules_of_python(w):
    """At the project's top, where editors and tools start Python, nothing new goes by the name of a module of its own."""
    for script, name in (("echo evil >random.py", "random.py"), ("echo evil >json.cpython-311-x86_64-linux-gnu.so", None),
                         ("mkdir json; echo evil >json/__init__.py", "json/__init__.py"), ("echo evil >Shutil.pyc", "Shutil.pyc"),
                         ("mkdir p; echo evil >p/__init__.py; ln -s p typing", "typing"), ("echo evil >black.py", "black.py"),
                         ("mkdir -p org/python; echo evil >org/python/core.py", "org/python/core.py")):
        held(w, script, name or "json.cpython-311-x86_64-linux-gnu.so")
    # All of its names: an installed one may be found first, or is not there at all (msvcrt), and is imported if it is.
    names = sorted(sys.stdlib_module_names | {"_colorize", "compression"})
    w.sh("".join(f"echo evil >{name}.py\n" for name in names))
    left = w.shadow("apply", "--yes", "--skip-sensitive").out
    arrived = [name for name in names if os.path.exists(w.path(name + ".py"))]
    assert not arrived, (arrived, left)
    w.shadow("discard", "--yes")
    goes(w, "mkdir -p src json org/x; echo 1 >org/x/a.py; echo 1 >src/random.py; echo 1 >src/os.py; echo 1 >json/data.json; echo 1 >random.txt; echo 1 >mine.py")


def test_parts_of_files_in_commits(w):
    """The same in commits, each judged by what the project has: also one that edits what an earlier one made."""
    w.git_project()
    w.sh("echo '{\"name\": 1}' >package.json; git add -A; git commit -qm 1; echo '{\"name\": 2}' >package.json; "
         "git commit -qam 2; printf '[project]\\na = 1\\n' >pyproject.toml; git add -A; git commit -qm 3")
    w.shadow("apply", "--yes")
    assert len(w.git("log", "--format=%s").stdout.split()) == 4
    for text in ("[tool.mypy]\\nplugins = 1\\n", "[project]\\n\" && head -c 3000000 /dev/zero | tr '\\0' '#' && printf \"\\n"):
        w.sh(f"(printf \"{text}\") >pyproject.toml; git commit -qam evil; git revert --no-edit HEAD")
        done = w.shadow("apply", "--yes", check=False)
        assert "pyproject.toml" in done.out + done.err, (done.out, done.err)
        assert b"evil" not in w.git("log", "--format=%s").stdout
        w.shadow("discard", "--yes")


def test_files_of_the_list_lead_on(w):
    """What a file that is sensitive by its name names or imports, as a program, is as sensitive; other files are not."""
    w.git_project({
        "vite.config.ts": "import a from './tools/plugin'\nexport default {build: {lib: {entry: 'src/main.ts'}}}\n",
        ".rubocop.yml": "require:\n  - ./tools/cop.rb\nAllCops:\n  Exclude:\n    - 'db/schema.rb'\n",
        ".gitlab-ci.yml": "script: ci/deploy.sh\n", "docs/conf.py": "import lib\n", ".clangd": "Compiler: tools/cc\n",
        "rust-toolchain.toml": "[toolchain]\npath = \"tools/rust\"\n", "tools/rust/bin/rustc": "x\n", "tools/cc": "x\n",
        "tools/plugin.ts": "x\n", "tools/cop.rb": "x\n", "src/main.ts": "x\n", "db/schema.rb": "x\n", "ci/deploy.sh": "x\n",
        "lib/__init__.py": "x\n", "graphql.config.yml": "documents: src/main.graphql\n", "src/main.graphql": "x\n",
    })
    held(w, "for f in tools/plugin.ts tools/cop.rb tools/cc tools/rust/bin/rustc; do echo evil >>$f; done",
         "tools/plugin.ts", "tools/cop.rb", "tools/cc", "tools/rust/bin/rustc")
    goes(w, "for f in src/main.ts src/main.graphql db/schema.rb ci/deploy.sh lib/__init__.py; do echo more >>$f; done")


def test_directories_of_the_list_that_are_links(w):
    """What a hook runs is held where its directory is a link of the user's, in a project of many files of the list, too."""
    many = {f"packages/p{i}/tsconfig.json": "{}\n" for i in range(400)}
    w.git_project({"hooks/own/pre-commit": "sh ./tools/check\n", "tools/check": "fine\n", **many})
    os.symlink("hooks/own", w.path(".husky"))
    held(w, "rm tools/check; echo evil >tools/check", "tools/check")


def test_what_start_files_and_variables_name(w):
    """Units, agents' settings and ssh's configuration in the home lead into the project, and so do variables of tools."""
    w.git_project({"tools/a": "x\n", "tools/b": "x\n", "tools/c": "x\n", "tools/d.js": "x\n", "src/m.py": "x\n"})
    for name, text in ((".config/systemd/user/a.service", f"ExecStart={w.path('tools/a')}\n"),
                       (".claude/settings.json", f'{{"hooks": {{"x": [{{"command": "{w.path("tools/b")}"}}]}}}}\n'),
                       (".ssh/config", f"Host x\n  ProxyCommand {w.path('tools/c')} %h\n")):
        os.makedirs(os.path.dirname(os.path.join(w.home, name)), exist_ok=True)
        with open(os.path.join(w.home, name), "w", encoding="utf-8") as f:
            f.write(text)
    held(w, "for f in a b c; do echo evil >>tools/$f; done", "tools/a", "tools/b", "tools/c")
    held(w, "echo evil >>tools/d.js", "tools/d.js", env={"NODE_OPTIONS": f"--require {w.path('tools/d.js')}"})
    held(w, "echo evil >src/json.py", "src/json.py", env={"PYTHONPATH": w.path("src")})
    goes(w, "echo fine >src/json.py; echo more >>tools/d.js; echo more >>src/m.py")


def test_fifos_that_git_reads(w):
    """A FIFO in the place of a file that git or tools read would stop them for ever; any other is an ordinary change."""
    w.git_project({"a": "x\n"})
    held(w, "mkdir d; mkfifo .gitattributes d/.gitignore .mailmap package.json",
         ".gitattributes", "d/.gitignore", ".mailmap", "package.json")
    goes(w, "mkfifo pipe; echo '*.o' >.gitignore")


def test_the_git_directory_itself(w):
    """A .git that a session makes a link or a file stays in the session."""
    w.git_project({"a.txt": "x\n"})
    for script in ("mv .git g; ln -s g .git", "mv .git g; echo 'gitdir: g' >.git"):
        w.sh(script + "; git config core.fsmonitor 'touch canary'; echo more >>a.txt")
        w.shadow("apply", "--yes", "--skip-sensitive")
        assert os.path.isdir(w.path(".git")) and not os.path.islink(w.path(".git"))
        assert not os.path.exists(w.path("g/config")) and not os.path.exists(w.path("g/HEAD"))
        assert w.git("config", "core.fsmonitor", check=False).returncode != 0
        w.shadow("discard", "--yes")


def test_what_stays_ordinary(w):
    """In a project with hooks, an .envrc, editors' settings and linters, work on sources and packages stops nothing."""
    w.git_project({
        ".husky/pre-commit": "npm test\nnpx prettier --check \"src/**/*.js\" README.md\n", ".envrc": "export A=1\nuse flake\n",
        ".vscode/settings.json": '{"files.exclude": {"**/build": true, "docs/out": true}, "editor.tabSize": 2}\n',
        ".vscode/tasks.json": '{"tasks": [{"label": "b", "command": "tools/build.sh"}]}\n',
        "tools/build.sh": "#!/bin/sh\ncc src/main.c -o main && tools/strip.sh\n", "tools/strip.sh": "#!/bin/sh\n",
        ".eslintrc.json": '{"extends": "airbnb", "rules": {}}\n', "src/main.c": "x\n", "src/a.js": "x\n", "test/a.js": "x\n",
        "package.json": '{"scripts": {"test": "node test/a.js"}, "dependencies": {}}\n', "README.md": "x\n", "Makefile": "all:\n",
        "pyproject.toml": "[project]\nname = 'x'\n", "docs/out/a": "x\n", "lib/m.py": "x\n",
    })
    w.git("config", "core.hooksPath", ".husky/_")
    goes(w, "for f in src/main.c src/a.js test/a.js README.md Makefile docs/out/a lib/m.py tools/strip.sh; do echo more >>$f; done; "
            "echo new >src/new.js; echo new >lib/json.py; mkdir src/deep; echo new >src/deep/b.js; "
            "sed -i 's/{}/{\"a\": \"1\"}/' package.json; sed -i 's/x/y/' pyproject.toml")


def test_packages_of_the_workspace(w):
    """What a configuration loads by the name of a package is the project's, where node_modules has a link to it."""
    w.git_project({"eslint.config.mjs": 'import a from "@acme/eslint-config/base"\n', "app/.eslintrc.json": '{"extends": ["acme", "other"]}\n',
                   "packages/config/base.js": "1\n", "packages/acme/index.js": "1\n", "packages/ui/index.js": "1\n", ".gitignore": "node_modules\n"})
    for name, target in (("node_modules/@acme/eslint-config", "../../packages/config"), ("app/node_modules/eslint-config-acme", "../../packages/acme"),
                         ("node_modules/ui", "../packages/ui")):
        os.makedirs(os.path.dirname(w.path(name)), exist_ok=True)
        os.symlink(target, w.path(name))
    held(w, "echo evil >packages/config/base.js", "packages/config/base.js")
    held(w, "echo evil >packages/config/new.js", "packages/config/new.js")
    held(w, "echo evil >packages/acme/index.js", "packages/acme/index.js")
    goes(w, "echo fine >packages/ui/index.js")


def test_names_of_a_package_map(w):
    """What a configuration in JavaScript imports by a name of the package's own map is as sensitive as by its path, and so is
    that map."""
    package = ('{"name": "@acme/app", "imports": {"#rules": {"node": "./lib/rules.js"}, "#lint/*": "./lint/*.mjs"}, '
               '"exports": {".": "./src/index.js", "./config": [{"import": "./src/config.js"}]}, "version": "1"}\n')
    w.git_project({"eslint.config.mjs": "import a from '#rules'\nimport b from \"#lint/b\"\nimport c from '@acme/app/config'\n",
                   "app/vite.config.ts": "import d from 'own/'\nimport e from 'own/e.ts'\n",
                   "package.json": package, "app/deno.json": '{"imports": {"own/": "./mine/", "x": "./mine/x.ts"}}\n',
                   "lib/rules.js": "import '#lint/further'\n", "lint/b.mjs": "1\n", "lint/further.mjs": "1\n", "lint/other.mjs": "1\n",
                   "src/index.js": "1\n", "src/config.js": "1\n", "app/mine/e.ts": "1\n", "app/mine/x.ts": "1\n"})
    for path in ("lib/rules.js", "lint/b.mjs", "lint/further.mjs", "src/config.js", "app/mine/e.ts"):
        held(w, f"echo evil >{path}", path)
    held(w, "sed -i 's,src/config.js,src/evil.js,' package.json; echo evil >src/evil.js", "package.json")
    held(w, "sed -i 's,/mine/\",/evil/\",' app/deno.json", "app/deno.json")
    goes(w, "echo more >lint/other.mjs; echo more >src/index.js; echo more >app/mine/x.ts; sed -i 's/\"1\"/\"2\"/' package.json")


def test_names_of_typescripts_paths(w):
    """So is what the loaders of TypeScript find by its paths, also in a file that its configuration goes on with."""
    w.git_project({"playwright.config.ts": "import a from '@/setup'\nimport b from 'more/b'\n", "tsconfig.json": '{"extends": "./conf/base",}\n',
                   "conf/base.json": '{"compilerOptions": {"baseUrl": "../src", "paths": {"@/*": ["../lib/*"]}}, "exclude": []}\n',
                   "lib/setup.ts": "1\n", "src/more/b.ts": "1\n", "src/other.ts": "1\n"})
    for path in ("lib/setup.ts", "src/more/b.ts"):
        held(w, f"echo evil >{path}", path)
    held(w, "sed -i s,/lib/,/evil/, conf/base.json; mkdir evil; echo evil >evil/setup.ts", "conf/base.json")
    goes(w, "echo fine >src/other.ts; sed -i 's,\\[\\],[1],' conf/base.json")


def test_what_a_gem_requires(w):
    """A gem's specification finds what it requires in lib, too; a build's, what it imports."""
    w.git_project({"a.gemspec": '$LOAD_PATH.unshift File.expand_path("../lib", __FILE__)\nrequire "a/version"\n',
                   "lib/a/version.rb": "1\n", "lib/a.rb": "1\n", "build.zig": 'const b = @import("base.zig");\nconst s = "src/main.zig";\n',
                   "base.zig": "1\n", "src/main.zig": "1\n"})
    held(w, "echo evil >lib/a/version.rb", "lib/a/version.rb")
    held(w, "echo evil >base.zig", "base.zig")
    goes(w, "echo fine >lib/a.rb; echo fine >src/main.zig")


def test_compiled_forms(w):
    """What is taken in the place of a file that is run is as sensitive: zsh's and Python's compiled forms, a library or a file
    that is found first."""
    w.git_project({"aliases.zsh": "1\n", "functions/f": "1\n", "mypy.ini": "[mypy]\nplugins = in.plug\n", "in/plug.py": "1\n", "in/__init__.py": "",
                   "rules/index.js": "1\n", "eslint.config.cjs": 'const a = require("./rules")\n', ".githooks/pre-commit": "python3 py/lint.py\n",
                   "py/lint.py": "import helper\n", "py/helper.py": "1\n", "src/a.py": "1\n"})
    with open(os.path.join(w.home, ".zshrc"), "w", encoding="utf-8") as f:
        f.write(f"source {w.path('aliases.zsh')}\nfpath=({w.path('functions')} $fpath)\n")
    for name in ("aliases.zsh.zwc", "functions.zwc", ".zshrc.zwc", "in/__pycache__/plug.cpython-311.pyc", "in/plug.abi3.so", "rules.node",
                 "rules/package.json", "py/__pycache__/helper.cpython-311.pyc", "conf/__pycache__/sitecustomize.cpython-313.pyc"):
        held(w, f"mkdir -p $(dirname {name}); echo evil >{name}", name)
    goes(w, "mkdir -p src/__pycache__; echo fine >src/__pycache__/a.cpython-311.pyc; echo fine >src/a.abi3.so; echo fine >notes.zwc")


def test_directories_that_are_searched(w):
    """Modules and rules are found in the directories that a setting names; a program may be made of a directory's files."""
    files = {".flake8": "[flake8:local-plugins]\nextension =\n  X = check:C\npaths =\n  ./flake\n",
             ".pylintrc": "[MASTER]\ninit-hook=import sys; sys.path.append('lint')\nload-plugins=check\n",
             "mypy.ini": "[mypy]\nmypy_path = types\nplugins = check\n",
             ".vscode/settings.json": '{"eslint.options": {"rulePaths": ["rules"]},\n"typescript.tsdk": "sdk/lib",\n"search.x": "src"}\n',
             ".mcp.json": '{"mcpServers": {"a": {"command": "go run ./cmd/a"}}}\n', ".githooks/pre-commit": "python3 -m tools.lint\n",
             "vite.config.ts": 'const a = await import(\n  "./in/a.js"\n)\nimport {\n  b } from\n  "./in/b.js"\n'}
    led = ("flake/check.py", "lint/check.py", "types/check.py", "rules/a.js", "sdk/lib/tsserver.js", "cmd/a/main.go", "tools/lint/__main__.py",
           "in/a.js", "in/b.js")
    w.git_project({**files, **{name: "1\n" for name in led}, "src/a.js": "1\n", "cmd/b/main.go": "1\n"})
    w.git("config", "core.hooksPath", ".githooks")
    for name in led:
        held(w, f"echo evil >{name}", name)
    held(w, "echo evil >user.bazelrc", "user.bazelrc")
    goes(w, "echo fine >src/a.js; echo fine >cmd/b/main.go")


def test_variables_that_lead_into_the_project(w):
    """What a variable that the project's .envrc sets leads to, in whichever form, is as sensitive: libraries and settings whatever
    they are, of modules what is new."""
    w.git_project({"lib/a.so": "1\n", "lib/p.pm": "1\n", "conf/a": "1\n", "rc": "1\n", "in/a": "1\n", "src/a.c": "1\n", "tools/env": "1\n"})
    trees = ("export LD_LIBRARY_PATH=$PWD/lib", "path_add LD_LIBRARY_PATH lib", "export LD_LIBRARY_PATH=\"${PWD}\"/lib:/usr/lib",
             "LD_LIBRARY_PATH=/x:\\\nlib\nexport LD_LIBRARY_PATH", "export PYTHONHOME=lib", "export DYLD_LIBRARY_PATH=./lib",
             "export GIT_EXEC_PATH=$(pwd)/lib", "load_prefix .\nexport R_LIBS='lib'", "export XDG_DATA_DIRS=/usr/share:$PWD/lib",
             "source_env tools/env", "dotenv", "dotenv x.env")
    w.write("tools/env", "export PATH=$PWD/lib:$PATH\n")
    w.write(".env", "GEM_PATH=lib\n")
    w.write("x.env", "EMACSLOADPATH=lib:\n")
    for text in trees:
        w.write(".envrc", text + "\n")
        held(w, "echo evil >>lib/a.so; echo evil >lib/libc.so.6", "lib/a.so", "lib/libc.so.6")
    for text in ("export PERL5LIB=lib", "path_add RUBYLIB lib", "export NODE_PATH=$PWD/lib", "export LUA_PATH=\"$PWD/lib/?.lua;;\"",
                 "export CLASSPATH=$PWD/lib"):
        w.write(".envrc", text + "\n")
        held(w, "mkdir lib/x; echo evil >lib/strict.pm; echo evil >lib/x/y", "lib/strict.pm", "lib/x/y")
        goes(w, "echo more >>lib/p.pm")
    for text in ("ZDOTDIR=conf", "export XDG_CONFIG_HOME=\"$PWD/conf\"", "export HOME=$PWD/conf"):
        w.write(".envrc", text + "\n")
        held(w, "mkdir conf/nvim; echo evil >conf/nvim/init.lua", "conf/nvim/init.lua")
    w.write(".envrc", "source tools/env\n")
    w.write("tools/env", "export BASH_ENV=rc PYTHONSTARTUP=$PWD/in/a\n")
    held(w, "echo evil >>rc; echo evil >>in/a", "rc", "in/a")
    w.write(".envrc", "PATH_add .\n")
    held(w, "echo evil >git", "git")
    goes(w, "echo fine >>src/a.c")
    w.write(".envrc", "export LD_LIBRARY_PATH=/usr/lib:$LD_LIBRARY_PATH MANPATH=$PWD/lib\necho \"$PYTHONHOME lib\"\n")
    goes(w, "echo fine >>lib/a.so; echo fine >lib/b.so; echo fine >>conf/a; echo fine >>rc")
    os.unlink(w.path(".envrc"))
    w.write("mise.toml", "[env]\nLD_LIBRARY_PATH = [\n  \"{{config_root}}/lib\",\n]\n")
    held(w, "echo evil >>lib/a.so", "lib/a.so")
    os.unlink(w.path("mise.toml"))
    for name in ("LD_LIBRARY_PATH", "PERL5LIB", "NODE_PATH", "GEM_PATH"):
        held(w, "echo evil >lib/new", "lib/new", env={name: f"/usr/lib:{w.path('lib')}"})
    goes(w, "echo fine >lib/new")


def test_configurations_of_other_names(w):
    """What a tsconfig.json extends or refers to counts as one, under any name, over several steps and where it is still to come."""
    w.git_project({"tsconfig.json": '{"files": [], "references": [{"path": "./o.json"}, {"path": "app"}], // a\n "extends": "./in/base"}\n', "o.json": "{}\n",
                   "in/base.json": '{"extends": ["../p.json"]}\n', "p.json": "{}\n", "q.json": "{}\n", "app/tsconfig.json": "{}\n",
                   "web/jsconfig.json": '{"extends": "./x.json",}\n'})
    for name in ("o.json", "in/base.json", "p.json", "web/x.json"):
        held(w, f"echo '{{\"compilerOptions\": {{\"plugins\": [{{\"name\": \"x\"}}]}}}}' >{name}", name)
    goes(w, "for f in o.json p.json web/x.json; do echo '{\"compilerOptions\": {\"strict\": true}}' >$f; done; "
            "echo '{\"compilerOptions\": {\"plugins\": [1]}}' >q.json")


def test_what_phpstan_loads(w):
    """The loaders of PHPStan's extensions are code; the container of Symfony's is data."""
    w.git_project({"phpstan.neon": "parameters:\n\tdoctrine:\n\t\tobjectManagerLoader: tests/orm.php\n\tsymfony:\n\t\tconsoleApplicationLoader: "
                                   "tests/console.php\n\t\tcontainerXmlPath: var/c.xml\n\tpaths:\n\t\t- src/a.php\n",
                   "tests/orm.php": "1\n", "tests/console.php": "1\n", "var/c.xml": "1\n", "src/a.php": "1\n"})
    held(w, "for f in orm console; do echo evil >tests/$f.php; done", "tests/orm.php", "tests/console.php")
    goes(w, "echo fine >var/c.xml; echo fine >src/a.php")


def test_leads_beside_very_many_files(w):
    """However many files a session changes that may lead somewhere, those of the user's are read."""
    many = {f"m/{n}/package.json": "{}\n" for n in range(3100)}
    w.git_project({**many, ".husky/pre-commit": "sh in/check.sh\n", "in/check.sh": "1\n"})
    held(w, "for n in m/*; do echo '{ }' >$n/package.json; done; echo evil >in/check.sh", "in/check.sh")


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
