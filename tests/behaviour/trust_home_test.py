# SPDX-License-Identifier: MIT
"""What runs because the user's home or environment leads to it: links, start files, and directories that are searched."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import harness  # noqa: E402
from applies import goes  # noqa: E402
from trust import held  # noqa: E402


def in_home(w, name):
    path = os.path.join(w.home, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    return path


def put(w, name, text):
    with open(in_home(w, name), "w", encoding="utf-8") as f:
        f.write(text)


def test_small_places_of_a_large_home(w):
    """However much lies in ~/.config, links in the places where commands, agents and editors look are found."""
    w.git_project({"tool": "1\n", "agent.md": "1\n", "init.lua": "1\n", "deep/a": "1\n"})
    for n in range(40):
        for m in range(30):
            os.makedirs(os.path.join(w.home, f".config/app{n}/in{m}"))
    for name, target in ((".local/bin/tool", "tool"), (".claude/commands/agent.md", "agent.md"), (".vim/plugin/a.lua", "init.lua"),
                         (".config/zzz/settings", "deep/a")):
        os.symlink(w.path(target), in_home(w, name))
    for path in ("tool", "agent.md", "init.lua", "deep/a"):
        held(w, f"echo evil >>{path}", path)


def test_places_of_plugins(w):
    """A link where an editor, a shell, docker or an agent looks for its plugins makes what it leads to obeyed."""
    w.git_project({"sub/a": "1\n", "b": "1\n"})
    for name in (".vim/pack/p/start/x", ".vim/pack/p/opt/x", ".config/nvim/pack/p/start/x", ".local/share/nvim/site/pack/p/start/x",
                 ".oh-my-zsh/custom/plugins/x", ".oh-my-zsh/custom/themes/x", ".emacs.d/straight/repos/x", ".docker/cli-plugins/docker-x",
                 ".vscode/extensions/x", ".vscode-server/extensions/x", ".cursor/extensions/x", ".gemini/extensions/x", ".qwen/agents/x",
                 ".config/opencode/plugin/x"):
        os.symlink(w.path("sub"), in_home(w, name))
        held(w, "echo evil >>sub/a", "sub/a")
        os.unlink(in_home(w, name))
    os.symlink(w.project, in_home(w, ".vscode/extensions/mine"))
    held(w, "echo evil >>b", "b")
    os.unlink(in_home(w, ".vscode/extensions/mine"))
    goes(w, "echo fine >>sub/a; echo fine >>b")


def test_links_in_directories_of_the_path(w):
    """A link in any directory on the PATH makes a program of what it leads to, also over the directory that npm makes a link."""
    w.git_project({"bin/cli.js": "1\n", "tool": "1\n", "other": "1\n"})
    node = in_home(w, ".nvm/versions/node/v1/bin/x")
    os.makedirs(in_home(w, ".nvm/versions/node/v1/lib/node_modules/x"))
    os.rmdir(in_home(w, ".nvm/versions/node/v1/lib/node_modules/x"))
    os.symlink(w.project, in_home(w, ".nvm/versions/node/v1/lib/node_modules/x"))
    os.symlink("../lib/node_modules/x/bin/cli.js", node)
    local = os.path.join(w.tmp, "local")
    os.mkdir(local)
    os.symlink(w.path("tool"), os.path.join(local, "t"))
    env = {"PATH": f"{os.path.dirname(node)}:{local}:{os.environ['PATH']}"}
    held(w, "echo evil >>bin/cli.js", "bin/cli.js", env=env)
    held(w, "echo evil >>tool", "tool", env=env)
    goes(w, "echo fine >>other", env=env)
    goes(w, "echo fine >>tool")


def test_start_files(w):
    """Start files of agents, editors, shells, terminals and window managers lead to the programs that they name."""
    w.git_project({"tools/a": "1\n"})
    path = w.path("tools/a")
    for name, text in ((".config/lectic/lectic.yaml", "tools:\n  - exec: {}\n"), (".config/opencode/opencode.json", '{{"mcp": {{"command": ["{}"]}}}}'),
                       (".config/Code/User/mcp.json", '{{"servers": {{"a": {{"command": "{}"}}}}}}'), (".qwen/settings.json", '{{"hooks": "{}"}}'),
                       (".copilot/mcp-config.json", '{{"command": "{}"}}'), (".factory/settings.json", '{{"hooks": "{}"}}'),
                       (".kiro/settings/mcp.json", '{{"command": "{}"}}'), (".cshrc", "source {}\n"), (".tcshrc", "source {}\n"),
                       (".config/nushell/config.nu", "source {}\n"), (".config/elvish/rc.elv", "eval (slurp < {})\n"),
                       (".config/kitty/kitty.conf", "map f1 launch {}\n"), (".config/alacritty/alacritty.toml", 'program = "{}"\n'),
                       (".wezterm.lua", 'default_prog = {{ "{}" }}\n'), (".hgrc", "[hooks]\nupdate = {}\n"), (".config/jj/config.toml", 'editor = "{}"\n'),
                       (".config/starship.toml", '[custom.a]\ncommand = "{}"\n'), (".config/sway/config", "exec {}\n"), (".config/i3/config", "exec {}\n")):
        put(w, name, text.format(path))
        held(w, "echo evil >>tools/a", "tools/a")
        os.unlink(in_home(w, name))
    goes(w, "echo fine >>tools/a")


def test_a_large_file_of_an_agent(w):
    """Of ~/.claude.json, which grows large, the servers and hooks count, and not what it notes of projects."""
    w.git_project({"server.js": "1\n", "other.js": "1\n"})
    notes = ",".join(f'"{n}": "see {w.path("other.js")}"' for n in range(40000))
    put(w, ".claude.json", f'{{"projects": {{"{w.project}": {{"history": {{{notes}}}, "mcpServers": {{}}}}}}, '
                           f'"mcpServers": {{"a": {{"command": "node", "args": ["{w.path("server.js")}"]}}}}}}')
    assert os.path.getsize(in_home(w, ".claude.json")) > 1 << 20
    held(w, "echo evil >>server.js", "server.js")
    goes(w, "echo fine >>other.js")


def test_homes_elsewhere(w):
    """What ZDOTDIR and XDG_CONFIG_HOME of the caller have in the place of the home is read there."""
    w.git_project({"a.zsh": "1\n", "b": "1\n", "c": "1\n"})
    zsh, config = os.path.join(w.tmp, "zsh"), os.path.join(w.tmp, "config")
    os.makedirs(zsh)
    os.makedirs(os.path.join(config, "systemd/user"))
    os.makedirs(os.path.join(config, "nvim"))
    with open(os.path.join(zsh, ".zshrc"), "w", encoding="utf-8") as f:
        f.write(f"source {w.path('a.zsh')}\n")
    with open(os.path.join(config, "systemd/user/a.service"), "w", encoding="utf-8") as f:
        f.write(f"ExecStart={w.path('b')}\n")
    os.symlink(w.path("c"), os.path.join(config, "nvim/init.lua"))
    env = {"ZDOTDIR": zsh, "XDG_CONFIG_HOME": config}
    held(w, "for f in a.zsh b c; do echo evil >>$f; done", "a.zsh", "b", "c", env=env)
    goes(w, "for f in a.zsh b c; do echo fine >>$f; done")


def test_the_current_directory_on_the_path(w):
    """An empty or relative entry of PATH is whichever directory the user stands in."""
    w.git_project({"src/a": "1\n", "b": "1\n"})
    path = os.environ["PATH"]
    for entries in (f".:{path}", f":{path}", f"{path}:", f"{path}::/x", f"./:{path}"):
        held(w, "echo evil >ls", "ls", env={"PATH": entries})
        held(w, "printf '#!/bin/sh\n' >src/ls; chmod +x src/ls", "src/ls", env={"PATH": entries})
        goes(w, "echo more >>src/a", env={"PATH": entries})
    for entries in (f"bin:{path}", f"bin/:{path}", f"{path}:../bin"):
        held(w, "mkdir bin; echo evil >bin/ls", "bin/ls", env={"PATH": entries})
        held(w, "mkdir src/bin; echo evil >src/bin/ls", "src/bin/ls", env={"PATH": entries})
    for line in ("PATH=.:$PATH", 'export PATH="$PATH:"', "PATH=bin:$PATH", "export PATH=/x:./bin:$PATH"):
        put(w, ".bashrc", line + "\n")
        name = "bin/ls" if "bin" in line else "ls"
        held(w, f"mkdir bin; echo evil >{name}", name)
    put(w, ".bashrc", 'export PATH="${PATH:+$PATH:}$HOME/.local/bin"\nexport PATH=$HOME/bin:$PATH\n. /etc/x\n')
    goes(w, "mkdir bin; echo fine >ls; echo fine >bin/ls")


def test_the_current_directory_of_other_lists(w):
    """So it is to the linker, Python and Java where a list of theirs has an empty or a relative entry."""
    w.git_project({"src/a": "1\n"})
    for value in ("/opt/x:", ":/opt/x", "/opt/x::/y", "/opt/x;", ".", "./"):
        held(w, "echo evil >libc.so.6", "libc.so.6", env={"LD_LIBRARY_PATH": value})
        held(w, "echo evil >src/libc.so.6", "src/libc.so.6", env={"LD_LIBRARY_PATH": value})
    held(w, "mkdir -p src/lib; echo evil >src/lib/libz.so", "src/lib/libz.so", env={"LD_LIBRARY_PATH": "lib:/x"})
    held(w, "echo evil >A.class", "A.class", env={"CLASSPATH": "/x.jar:"})
    held(w, "echo evil >as", "as", env={"COMPILER_PATH": "/x:"})
    held(w, "echo evil >json.py", "json.py", env={"PYTHONPATH": "/x:"})
    goes(w, "echo fine >A.class; echo fine >src/x.so", env={"XDG_DATA_DIRS": "/usr/share:", "PERL5LIB": "/x:", "LD_LIBRARY_PATH": "/opt/x"})


def test_many_hooks(w):
    """More than a hundred hooks and included configurations are read."""
    w.git_project({"tools/check": "1\n", "hk/pre-push": "1\n"})
    for n in range(150):
        put(w, f"inc/{n:03}", f"[include]\n\tpath = {n + 1:03}\n")
    put(w, "inc/150", f"[core]\n\tpager = {w.path('hk/pre-push')}\n")
    w.git("config", "--global", "include.path", in_home(w, "inc/000"))
    held(w, "echo evil >>hk/pre-push", "hk/pre-push")
    for n in range(150):
        w.write(f".git/hooks/a{n:03}", "true\n")
    w.write(".git/hooks/pre-commit", "sh tools/check\n")
    held(w, "echo evil >>tools/check", "tools/check")


def test_scripts_by_any_name(w):
    """What is sourced, or given to an interpreter, is a program whatever it is called, over several steps, and after very many words."""
    w.git_project({".husky/pre-commit": "sh tools/a.sh\n", "tools/a.sh": "true word x\n" * 5000 + '. "$(dirname "$0")/b.conf"\ngrep x data/list.conf\n',
                   "tools/b.conf": "bash -eu tools/c.rc\nsource tools/d.inc\n", "tools/c.rc": "python3 tools/e.data\n", "tools/d.inc": "1\n",
                   "tools/e.data": "1\n", "data/list.conf": "1\n"})
    for name in ("tools/b.conf", "tools/c.rc", "tools/d.inc", "tools/e.data"):
        held(w, f"echo evil >>{name}", name)
    goes(w, "echo fine >>data/list.conf")


def test_names_of_the_list(w):
    """Files that interpreters, tools around git, linters, agents and CI obey are held by their names."""
    w.git_project({"a": "1\n"})
    names = [".phpdbginit", ".pymolrc", "pymolrc.pml", ".bumpversion.toml", ".bumpversion.cfg", "cliff.toml", "vacuum.conf.yaml", "marko.json",
             "marko-tag.json", ".gitlab/duo/agent-config.yml", ".taskcluster.yml", "debian/salsa-ci.yml", "bin/hermit.hcl", "aqua.yaml", "gmt.conf",
             ".cdsinit", ".synopsys_dc.setup", "west.yml", "notes.lec", "__pypackages__/3.11/lib/x.py"]
    held(w, "".join(f"mkdir -p $(dirname {name}); echo evil >{name}\n" for name in names), *names)


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
