# SPDX-License-Identifier: MIT
"""What VS Code does by itself in a folder that its user trusts, after its documentation.

Tasks of .vscode/tasks.json with runOn folderOpen are run (code.visualstudio.com/docs/debugtest/tasks, "Run behavior"
and "Schema for tasks.json": JSON with comments, `command` with `args`, options.cwd and options.env, dependsOn, the
properties of one system, variables). The Python extension runs the interpreter of the setting
python.defaultInterpreterPath, else those of virtual environments directly below the folder, and a new terminal reads
the `activate` beside it (code.visualstudio.com/docs/python/environments). Its linters do as they do everywhere: pylint
runs init-hook, and mypy loads plugins, by path or as modules (pylint.readthedocs.io, mypy.readthedocs.io), from
pyproject.toml, setup.cfg, .pylintrc and mypy.ini.
"""

import configparser
import json
import os
import re
import shlex
import subprocess
import tomllib

TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/|,(?=\s*[}\]])', re.DOTALL)


def json_with_comments(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as f:
            text = f.read(1 << 20)
        for _ in range(2):  # a comma before a comment
            text = TOKEN.sub(lambda found: found.group() if found.group().startswith('"') else " ", text)
        value = json.loads(text)
        return value if isinstance(value, dict) else {}
    except (OSError, ValueError):
        return {}


class Folder:
    def __init__(self, path, env):
        self.path = path
        self.env = env

    def call(self, words, cwd, env=None):
        try:
            subprocess.run(words, cwd=cwd, env={**self.env, **(env or {})}, stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, timeout=20)
        except (OSError, ValueError, subprocess.TimeoutExpired):
            pass

    def filled(self, text):
        known = {"workspaceFolder": self.path, "workspaceRoot": self.path, "userHome": self.env["HOME"], "pathSeparator": "/",
                 "workspaceFolderBasename": os.path.basename(self.path), "cwd": self.path}
        text = re.sub(r"\$\{env:(\w+)\}", lambda found: self.env.get(found.group(1), ""), str(text))
        return re.sub(r"\$\{(\w+)\}", lambda found: known.get(found.group(1), found.group()), text)

    def open(self):
        tasks = json_with_comments(os.path.join(self.path, ".vscode/tasks.json"))
        listed = [one for one in tasks.get("tasks", []) if isinstance(one, dict)]
        for one in listed:
            if isinstance(one.get("runOptions"), dict) and one["runOptions"].get("runOn") == "folderOpen":
                self.run(one, tasks, listed, 0)
        self.python()
        self.linters()

    def run(self, task, tasks, listed, depth):
        before = task.get("dependsOn", [])
        for label in before if isinstance(before, list) else [before]:
            for other in listed:
                if other.get("label") == label and depth < 4:
                    self.run(other, tasks, listed, depth + 1)
        own = task.get("linux") if isinstance(task.get("linux"), dict) else {}
        options = {**(tasks.get("options") or {}), **(task.get("options") or {}), **(own.get("options") or {})}
        cwd = os.path.join(self.path, self.filled(options.get("cwd", self.path)))
        command = self.filled(own.get("command", task.get("command", "")))
        words = [self.filled(word) for word in own.get("args", task.get("args", []))]
        if task.get("type") == "npm":
            scripts = json_with_comments(os.path.join(cwd, "package.json")).get("scripts", {})
            command, words = str(scripts.get(task.get("script"), "")), []
        if command and os.path.isdir(cwd):
            env = {name: self.filled(value) for name, value in (options.get("env") or {}).items()}
            shell = task.get("type") != "process"
            self.call(["bash", "-c", " ".join([command, *map(shlex.quote, words)])] if shell else [command, *words], cwd, env)

    def python(self):
        named = json_with_comments(os.path.join(self.path, ".vscode/settings.json")).get("python.defaultInterpreterPath")
        if isinstance(named, str):
            self.call([os.path.join(self.path, self.filled(named)), "-c", "pass"], self.path)
        for name in sorted(os.listdir(self.path)):
            place = os.path.join(self.path, name, "bin")
            if os.path.exists(os.path.join(place, "python")):
                self.call([os.path.join(place, "python"), "-I", "-c", "pass"], self.path)
                if os.path.exists(os.path.join(place, "activate")):
                    self.call(["bash", "-c", ". \"$1\"", "bash", os.path.join(place, "activate")], self.path,
                              {"VIRTUAL_ENV": os.path.dirname(place)})

    def linters(self):
        for name in ("pyproject.toml", "setup.cfg", ".pylintrc", "mypy.ini"):
            path = os.path.join(self.path, name)
            try:
                with open(path, "rb") as f:
                    hook, plugins = settings_of(name, f.read(1 << 20).decode())
            except (OSError, ValueError, configparser.Error):
                continue
            if hook:
                self.call(["python3", "-c", hook], self.path)
            for plugin in plugins:
                file = plugin if plugin.endswith(".py") else plugin.replace(".", "/") + ".py"
                if os.path.isfile(os.path.join(self.path, file)):
                    self.call(["python3", "-B", os.path.join(self.path, file)], self.path)


def settings_of(name, text):
    """(pylint's init-hook, mypy's plugins) of a configuration."""
    if name.endswith(".toml"):
        tools = tomllib.loads(text).get("tool", {})
        plugins = tools.get("mypy", {}).get("plugins", [])
        return tools.get("pylint", {}).get("main", {}).get("init-hook"), plugins if isinstance(plugins, list) else [plugins]
    parser = configparser.RawConfigParser(strict=False)
    parser.read_string(text)
    hooks = [parser.get(section, "init-hook") for section in parser.sections() if parser.has_option(section, "init-hook")]
    plugins = parser.get("mypy", "plugins", fallback="").split(",")
    return hooks[0] if hooks else None, [plugin.strip() for plugin in plugins if plugin.strip()]
