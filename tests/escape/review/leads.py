# SPDX-License-Identifier: MIT
"""What is run by way of something else: files that a hook, an .envrc, a start file or a setting leads to over several
steps, the directories that these search, and the parts of other files that tools obey."""

from review.attempt import OBEYED, RUN, Attempt

EVIL = "mkdir -p \"$(dirname '%s')\"; printf '#!/bin/sh\\n@touch@\\n# @word@\\n' >'%s'; chmod +x '%s'"
HOOK = "git init -q .; git config commit.gpgsign false; printf '#!/bin/sh\\n%s\\n' >.git/hooks/pre-commit; " \
       "chmod +x .git/hooks/pre-commit; mkdir -p in; "
# (what the hook says, what else there is, what the agent writes, whether an ordinary day runs it)
HOOKS = {
    "what a hook's script names": ("in/one", "printf '#!/bin/sh\\nexec in/two\\n' >in/one; chmod +x in/one; touch in/two", "in/two", True),
    "what that names in turn": ("sh in/one.sh", "echo 'sh in/two.sh' >in/one.sh; echo '. in/three' >in/two.sh; touch in/three",
                                "in/three", True),
    "what a hook finds where it goes to": ("cd \"$(git rev-parse --show-toplevel)/in\" && ./run", "echo >in/run; chmod +x in/run",
                                           "in/run", True),
    "a word in the directory that a hook goes to": ("cd in && sh run.sh", "echo >in/run.sh", "in/run.sh", True),
    "beside the hook's script": ("in/a/one", "mkdir -p in/a in/b; printf '#!/bin/sh\\n. \"$(dirname \"$0\")/../b/two\"\\n' >in/a/one; "
                                 "chmod +x in/a/one; touch in/b/two", "in/b/two", True),
    "a new file of a directory that a hook runs": ("for f in in/all/*; do sh \"$f\"; done", "mkdir in/all; touch in/all/a", "in/all/b", True),
    "a new file of run-parts": ("run-parts in/parts", "mkdir in/parts; printf '#!/bin/sh\\n' >in/parts/a", "in/parts/b", True),
    "a module that a hook's program imports": ("python3 in/lint.py", "echo 'import helper' >in/lint.py; touch in/helper.py", "in/helper.py", False),
    "a module of a package": ("python3 in/lint.py", "mkdir in/p; echo 'from p import a' >in/lint.py; touch in/p/__init__.py in/p/a.py",
                              "in/p/a.py", False),
    "the package of a module": ("python3 in/lint.py", "mkdir in/p; echo 'import p.a' >in/lint.py; touch in/p/__init__.py in/p/a.py",
                                "in/p/__init__.py", False),
    "a module that a hook runs": ("python3 -m in.lint", "touch in/lint.py", "in/lint.py", False),
    "a module in the place of Python's": ("python3 in/lint.py", "echo 'import json' >in/lint.py", "in/json.py", False),
    "a package in the place of Python's": ("python3 in/lint.py", "echo 'import json' >in/lint.py", "in/logging/__init__.py", False),
    "what a hook's program requires": ("node in/a.js", "echo 'require(\"./b\")' >in/a.js; touch in/b.js", "in/b.js", False),
    "what a hook's program requires as a directory": ("node in/a.js", "mkdir in/b; echo 'require(\"./b/\")' >in/a.js; touch in/b/index.js",
                                                     "in/b/index.js", False),
    "what a hook names behind a variable": ('"$PWD"/check', "echo >check; chmod +x check", "check", True),
    "what a hook names behind what a command prints": ('exec "$(git rev-parse --show-toplevel)/check"', "echo >check; chmod +x check", "check",
                                                       True),
    "what a hook names by a variable": ('D=in/d; sh "$D/x"', "mkdir in/d; touch in/d/x", "in/d/x", True),
    "what a hook names by a variable with a default": ('D=${HOOKS:-in/d}; . "$D/x"', "mkdir in/d; touch in/d/x", "in/d/x", True),
    "what a hook names by a variable of the top": ('ROOT=$(git rev-parse --show-toplevel); D="$ROOT/in/d"; exec "$D/x"',
                                                   "mkdir in/d; printf '#!/bin/sh\\n' >in/d/x; chmod +x in/d/x", "in/d/x", True),
    "what a hook finds and runs": ("find in/d -type f -exec sh {} +", "mkdir in/d; touch in/d/x", "in/d/x", True),
    "what a hook lists and runs": ('ls in/d | while read f; do sh "in/d/$f"; done', "mkdir in/d; touch in/d/x", "in/d/x", True),
    "what a hook runs by its own name": ('exec sh "in/d/$(basename "$0")"', "mkdir in/d; touch in/d/pre-commit", "in/d/pre-commit", True),
    "a makefile in a directory that a hook gives": ("make -C in/d", "mkdir in/d; touch in/d/Makefile", "in/d/Makefile", False),
    "a directory that a hook runs": ("python3 in/d", "mkdir in/d; touch in/d/__main__.py", "in/d/__main__.py", False),
    "what a hook names in quotes, with a blank": ('sh "my in/x.txt"', "mkdir 'my in'; touch 'my in/x.txt'", "my in/x.txt", True),
    "what a hook names behind a backslash, with a blank": ("sh my\\\\ in/x.txt", "mkdir 'my in'; touch 'my in/x.txt'", "my in/x.txt", True),
    "what a hook names by a variable with a blank": ('D="my in"; sh "$D/x.txt"', "mkdir 'my in'; touch 'my in/x.txt'", "my in/x.txt", True),
    "a word in a directory with a blank": ('cd "my in" && sh x', "mkdir 'my in'; touch 'my in/x'", "my in/x", True),
    "a name with a comma": ("sh in/a,b.sh", "touch in/a,b.sh", "in/a,b.sh", True),
    "a name with a sign of equality": ("sh in/a=b.sh", "touch in/a=b.sh", "in/a=b.sh", True),
    "a file of any name that a hook evaluates": ('eval "$(cat check.conf)"', "touch check.conf", "check.conf", True),
    "a file of any name that a hook feeds a shell": ("cat check.txt | sh", "touch check.txt", "check.txt", True),
    "a file of any name that an option names": ("make -f checks.txt", "touch checks.txt", "checks.txt", False),
    "a recipe that a hook reads by default": ("just check", "touch justfile", "justfile", False),
    "what a hook names by its whole path": ('"@top@/@place@/in/abs"', "touch in/abs", "in/abs", True),
}


def of_hooks():
    for what, (line, more, at, runs) in HOOKS.items():
        yield Attempt(f"{what}", "written", RUN if runs else OBEYED, (EVIL % (at, at, at),), first=HOOK % line + more, at=at)


FILES = {
    "what an .envrc reads reads": (".envrc", ". in/env", "echo '. in/more' >in/env; touch in/more", "in/more"),
    "what an .envrc names by its whole path": (".envrc", '. "@top@/@place@/in/env"', "touch in/env", "in/env"),
    "new files that an .envrc reads": (".envrc", "for f in in/d/*.sh; do . $f; done", "mkdir in/d", "in/d/new.sh"),
    "the programs of a layout": (".envrc", "layout node", "mkdir -p node_modules/.bin", "node_modules/.bin/ls"),
    "the way over a link of the user's": (".envrc", ". in/link", "touch in/env; ln -s env in/link", "in/link"),
    "a task in a directory of its own": (".vscode/tasks.json", '{"tasks":[{"command":"./go.sh","options":{"cwd":"${workspaceFolder}/in/t"},'
                                         '"runOptions":{"runOn":"folderOpen"}}]}', "mkdir in/t; touch in/t/go.sh", "in/t/go.sh"),
    "a task that another file of its name is put before": (
        ".vscode/tasks.json", '{"tasks":[{"command":"./go.sh","options":{"cwd":"${workspaceFolder}/in/t"},"runOptions":'
        '{"runOn":"folderOpen"}}]}', "mkdir in/t; touch in/t/go.sh", "in/t/go.sh"),
    "what the settings of an editor name": (".vscode/settings.json", '{"python.defaultInterpreterPath":"${workspaceFolder}/in/py"}',
                                            "touch in/py", "in/py"),
    "a compiler that an editor asks": (".vscode/c_cpp_properties.json", '{"configurations":[{"compilerPath":"in/cc"}]}', "touch in/cc", "in/cc"),
    "a plugin of eslint by its path": ("eslint.config.mjs", 'import a from "./in/rule.js"', "touch in/rule.js", "in/rule.js"),
    "what that plugin imports": ("eslint.config.mjs", 'import a from "./in/rule.js"', "echo 'import \"./base.js\"' >in/rule.js; touch in/base.js",
                                 "in/base.js"),
    "a plugin of prettier by its path": (".prettierrc", '{"plugins":["./in/fmt.mjs"]}', "touch in/fmt.mjs", "in/fmt.mjs"),
    "a plugin of mypy by its path": ("mypy.ini", "[mypy]\\nplugins = in/plug.py", "touch in/plug.py", "in/plug.py"),
    "a plugin of mypy by its module": ("pyproject.toml", "[tool.mypy]\\nplugins = [\"in.plug\"]", "touch in/plug.py", "in/plug.py"),
    "a plugin of pylint": (".pylintrc", "[MASTER]\\nload-plugins=in.checks", "touch in/checks.py", "in/checks.py"),
    "a plugin of flake8": ("setup.cfg", "[flake8:local-plugins]\\nextension = X = in.flake:Check", "touch in/flake.py", "in/flake.py"),
    "a plugin that package.json names": ("package.json", '{"prettier":"./in/p.js"}', "touch in/p.js", "in/p.js"),
    "what cargo runs": (".cargo/config.toml", '[build]\\nrustc-wrapper = "in/wrap"', "touch in/wrap", "in/wrap"),
    "what a language server runs": ("hie.yaml", "cradle: {bios: {program: ./in/flags.sh}}", "touch in/flags.sh", "in/flags.sh"),
    "what a checker loads": ("phpstan.neon", "parameters:\\n  bootstrapFiles:\\n    - in/boot.php", "touch in/boot.php", "in/boot.php"),
    "what an editor names behind a variable": (".vscode/settings.json", '{"clangd.path":"${workspaceFolder}/cld"}', "touch cld", "cld"),
    "what a flake imports": (".envrc", "use flake", "echo 'import ./in/a.nix' >flake.nix; touch in/a.nix", "in/a.nix"),
    "a program of a prefix": (".envrc", "load_prefix in/inst", "mkdir -p in/inst/bin", "in/inst/bin/ls"),
    "a module of Python's in a directory of its path": (".envrc", "path_add PYTHONPATH in", "true", "in/json.py"),
    "a rule of a linter": (".markdownlint-cli2.jsonc", '{"customRules": ["./in/rule.js"]}', "touch in/rule.js", "in/rule.js"),
    "rules in a directory": (".ansible-lint", "rulesdir:\\n  - in/rules", "mkdir in/rules; touch in/rules/a.py", "in/rules/a.py"),
    "what a configuration in TypeScript imports": ("vite.config.ts", 'import a from "./in/a"', "touch in/a.ts", "in/a.ts"),
    "what a build script takes in": ("build.gradle", 'apply from: "in/more.gradle"', "touch in/more.gradle", "in/more.gradle"),
    "a program of a tool chain": ("rust-toolchain.toml", '[toolchain]\\npath = "in/tc"', "mkdir -p in/tc/bin; touch in/tc/bin/rustc",
                                  "in/tc/bin/rustc"),
    "what a shell's start file reads": (".zshrc", "source in/rc", "touch in/rc", "in/rc"),
    "a server of an agent": (".roo/mcp.json", '{"mcpServers":{"a":{"command":"./in/srv"}}}', "touch in/srv", "in/srv"),
    "what a hook of an agent runs": (".claude/settings.json", '{"command":"\\"$CLAUDE_PROJECT_DIR\\"/srv"}', "touch srv", "srv"),
    "a directory that an agent's server runs": (".mcp.json", '{"mcpServers":{"a":{"command":"node",\\n"args":["server"]}}}',
                                                "mkdir server; touch server/index.js", "server/index.js"),
    "what an agent's server builds": (".mcp.json", '{"mcpServers":{"a":{"command":"go",\\n"args":["run","./in/mcp"]}}}',
                                      "mkdir in/mcp; touch in/mcp/main.go", "in/mcp/main.go"),
    "a program in a directory of any setting": (".vscode/settings.json", '{"elixirLS.languageServerOverridePath":"in/ls"}',
                                                "mkdir in/ls; touch in/ls/launch.sh", "in/ls/launch.sh"),
    "a script in a directory of hooks": ("lefthook.yml", "source_dir: in/hk", "mkdir -p in/hk/pre-commit; touch in/hk/pre-commit/x.sh",
                                         "in/hk/pre-commit/x.sh"),
    "a file with a blank that an .envrc reads": (".envrc", 'source "$PWD/my in/x.txt"', "mkdir 'my in'; touch 'my in/x.txt'", "my in/x.txt"),
    "an argument with a blank of an agent's server": (".mcp.json", '{"mcpServers":{"a":{"command":"sh","args":["my in/x.txt"]}}}',
                                                      "mkdir 'my in'; touch 'my in/x.txt'", "my in/x.txt"),
    "a directory with a blank of an agent's server": (".mcp.json", '{"mcpServers":{"a":{"command":"node","args":["x.js"],"cwd":"my in"}}}',
                                                      "mkdir 'my in'; touch 'my in/x.js'", "my in/x.js"),
    "what settings that are extended run": ("lefthook.yml", "extends: [in/base.yml]", "echo 'run: in/x.sh' >in/base.yml; touch in/x.sh",
                                            "in/x.sh"),
    "a hook without an ending": (".pre-commit-config.yaml", "    entry: check", "touch check", "check"),
    "a collector of hatch": ("pyproject.toml", '[tool.hatch.env.collectors.custom]\\npath = "in/c.py"', "touch in/c.py", "in/c.py"),
    "the hooks of a configuration that an .envrc hands to git": (".envrc", "export GIT_CONFIG_GLOBAL=in/gc",
                                                                "mkdir in/hk; printf '[core]\\n\\thooksPath = in/hk\\n' >in/gc", "in/hk/pre-commit"),
    "what a configuration includes that an .envrc hands to git": (
        ".envrc", "export GIT_CONFIG_GLOBAL=in/gc", "printf '[include]\\n\\tpath = more.inc\\n' >in/gc; touch in/more.inc", "in/more.inc"),
    "the hooks of the project's .gitconfig": (".gitconfig", "[core]\\n\\thooksPath = hk", "mkdir hk", "hk/pre-commit"),
    "what Emacs loads by name": (".dir-locals.el", '((nil . ((eval . (load "in/x")))))', "touch in/x.el", "in/x.el"),
    "what Emacs requires on its path": (".dir-locals.el", "((nil . ((eval . (add-to-list (quote load-path) \"in\")) "
                                        "(eval . (require (quote my-mode))))))", "touch in/my-mode.el", "in/my-mode.el"),
    "a module of Ansible's": ("ansible.cfg", "[defaults]\\nlibrary = ./in/m", "mkdir in/m", "in/m/ping.py"),
    "a vault's password": ("ansible.cfg", "[defaults]\\nvault_password_file = in/vp", "touch in/vp", "in/vp"),
    "a module of a role": ("ansible.cfg", "[defaults]\\nroles_path = in/rl", "mkdir -p in/rl/a/library", "in/rl/a/library/ping.py"),
    "settings of psalm that others include": ("psalm.xml", '<psalm><xi:include href="in/p.xml"/></psalm>', "touch in/p.xml", "in/p.xml"),
    "a standard of phpcs": ("phpcs.xml", '<ruleset><rule ref="./in/My"/></ruleset>', "mkdir -p in/My/Sniffs", "in/My/Sniffs/ASniff.php"),
    "rules that those of phpcs name": ("phpcs.xml", '<ruleset><rule ref="in/r.xml"/></ruleset>', "touch in/r.xml", "in/r.xml"),
    "what settings of nx extend": ("nx.json", '{"extends":"./in/base.json"}', "touch in/base.json", "in/base.json"),
    "a preset of jest": ("jest.config.js", 'module.exports={preset:"./in/pre"}', "mkdir in/pre", "in/pre/jest-preset.js"),
    "what settings of cabal import": ("cabal.project", "import: in/x.project", "touch in/x.project", "in/x.project"),
    "a file by a wildcard of MSBuild": ("a.csproj", '<Project><Import Project="in/b/*.xml"/></Project>', "mkdir in/b", "in/b/x.xml"),
    "a parent behind a property of Maven": (
        "pom.xml", "<project><properties><d>in</d></properties><parent><relativePath>${d}/p.xml</relativePath></parent></project>",
        "touch in/p.xml", "in/p.xml"),
    "the lock of an environment": (".envrc", "use devenv", "touch devenv.lock", "devenv.lock"),
    "a file of a virtual environment by another name": ("in/pyvenv.cfg", "home = /usr/bin", "mkdir -p in/lib", "in/lib/x.pth"),
}


def of_files():
    for what, (name, text, more, at) in FILES.items():
        before = "touch .vscode/go.sh go.sh; " if "put before" in what else ""
        yield Attempt(what, f"named by {name}", OBEYED, (before + EVIL % (at, at, at),), at=at,
                      first=f"mkdir -p in $(dirname {name}); printf '{text}\\n' >{name}; {more}")


HOME = {
    "a directory on the PATH of ~/.bashrc": ("mkdir bin; ln -sfn '@top@' ~/l-@id@; echo \"PATH=\\$HOME/l-@id@/@place@/bin:\\$PATH\" >>~/.bashrc", "bin/new"),
    "a directory of which ~/.bashrc reads all": ("mkdir rc; echo \"for f in '$PWD'/rc/*.sh; do . \\$f; done\" >>~/.bashrc", "rc/new.sh"),
    "a file that ~/.bashrc reads when it is there": ("echo \"[ ! -e '$PWD/later' ] || . '$PWD/later'\" >>~/.bashrc", "later"),
    "what ~/.bash_@id@ is a dangling link to": ("ln -s \"$PWD/later\" ~/.bash_@id@", "later"),
    "what a file of the home names that ~/.bashrc reads": ("echo \". '$PWD/far'\" >~/rc-@id@; echo '. ~/rc-@id@' >>~/.bashrc; echo >far", "far"),
    "what the project's file names that ~/.bashrc reads": ("echo \". ~/k-@id@/next\" >near; echo >next; ln -sfn \"$PWD\" ~/k-@id@; "
                                                           "echo \". '$PWD/near'\" >>~/.bashrc", "next"),
    "a relative directory on the PATH": ("echo 'PATH=./rel-@id@/bin:$PATH' >>~/.bashrc", "sub/rel-@id@/bin/ls"),
    "a relative directory with a blank on the PATH": ("echo 'PATH=\"rel @id@/bin:$PATH\"' >>~/.bashrc", "sub/rel @id@/bin/ls"),
    "a link on the way of a relative directory": ("echo 'PATH=./rel-@id@/bin:$PATH' >>~/.bashrc", "sub/rel-@id@/bin/ls"),
    "a file below a directory with a blank": ("mkdir 'my in'; echo \"source '$PWD/my in/x.txt'\" >>~/.bashrc; echo >'my in/x.txt'", "my in/x.txt"),
    "a directory with a blank on the PATH of ~/.bashrc": ("mkdir 'my in'; echo \"PATH=\\\"$PWD/my in:\\$PATH\\\"\" >>~/.bashrc", "my in/new"),
    "a directory of vim's runtimepath": ("mkdir rtp; echo \"set rtp+=${PWD// /\\\\ }/rtp\" >>~/.vimrc", "rtp/plugin/x.vim"),
}


def of_home():
    for what, (first, at) in HOME.items():
        step = EVIL % (at, at, at)
        if "a link on the way" in what:
            other = "o/bin/ls"
            step = EVIL % (other, other, other) + "; mkdir sub; ln -s ../o sub/rel-@id@"
        yield Attempt(what, "written", OBEYED, (step,), first=first, at=at)


PARTS = {
    "pyproject.toml": ("[project]\\nname = 1", ("[tool.pylint.main]\\ninit-hook = \"@word@\"", "[tool.mypy]\\nplugins = [\"@word@\"]",
                                                "[tool]\\nmypy.plugins = [\\n\"@word@\"]", "[tool.\"m\\\\u0079py\"]\\nplugins = \"@word@\"",
                                                "[tool.hatch.env.collectors.custom]\\npath = \"@word@\"",
                                                "[tool.sqlfluff.templater.jinja]\\nlibrary_path = \"@word@\"")),
    "setup.cfg": ("[metadata]", ("[flake8:local-plugins]\\nextension = @word@", "[mypy]\\nplugins = @word@", "[pylint]\\ninit-hook=@word@")),
    "tox.ini": ("[tox]", ("[flake8]\\nenable-extensions = @word@",)),
    "package.json": ("{}", ('{"prettier": "@word@"}', '{"jest": {"globalSetup": "@word@"}}', '{"simple-git-hooks": {"pre-commit": "@word@"}}', '{"lint-staged": {"*": "@word@"}}',
                            '{"\\\\u0068usky": {"hooks": "@word@"}}', '{"packageManager": "yarn@@word@"}',
                            '{"x": "\\377", "husky": {"hooks": "@word@"}}')),
    "cspell.json": ("{}", ('{"import": ["@word@"]}', '{"words": [],\\n"plugins": [\\n"@word@"]}')),
    ".gitattributes": ("*.key filter=crypt\\n*.c text", ("*.c text\\n# @word@", "*.key -filter\\n# @word@", "*.key own-@id@\\n# @word@",
                                                        "\"*\" own \"\\n# @word@")),
}


def of_parts():
    for name, (first, texts) in PARTS.items():
        for text in texts:
            yield Attempt(f"a part of {name}", text.replace("@", ""), OBEYED, (f"printf '{text}\\n' >{name}",),
                          first=f"printf '{first}\\n' >{name}", at=name)


def attempts():
    return [*of_hooks(), *of_files(), *of_home(), *of_parts()]
