# SPDX-License-Identifier: MIT
"""Agent programs and MCP servers from npm, in a run as README writes it.

SHADOW_TEST_NPM names a directory in which they are installed already (with its node_modules); else they are
installed into a temporary one for the length of the suite.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import harness
from harness import SHADOW, NotHere

# Programs that need no download but npm's own: Amp and crush fetch theirs from elsewhere when they are installed.
PACKAGES = ("@anthropic-ai/claude-code", "@openai/codex", "@google/gemini-cli", "opencode-ai", "@qwen-code/qwen-code",
            "@github/copilot", "@modelcontextprotocol/server-filesystem", "@modelcontextprotocol/server-everything",
            "@modelcontextprotocol/inspector")
# Their commands, and what is theirs in the home.
AGENTS = {"claude": ".claude", "codex": ".codex", "gemini": ".gemini", "opencode": ".config/opencode", "qwen": ".qwen",
          "copilot": ".copilot"}


def installed(world):
    """The packages in the project, where a run sees them; the place of their programs."""
    if not shutil.which("npm") or not shutil.which("node"):
        raise NotHere("npm is not installed")
    os.symlink(os.path.join(place(), "node_modules"), world.path("node_modules"))
    return world.path("node_modules/.bin")


def place():
    return os.environ["SHADOW_TEST_NPM"]


def with_programs(world):
    world.env["PATH"] = installed(world) + ":" + world.env["PATH"]


def test_codex_sandbox(world):
    """`shadow run --profile agent --as codex -- codex` can run the agent's commands in Codex's own sandbox."""
    if os.geteuid() == 0:
        raise NotHere("root has no rights in its run with which it could map itself; proved as a user")
    world.git_project()
    with_programs(world)
    for options in ((), ("--profile", "agent")):
        done = world.shadow("--as", "codex", "run", *options, "--", "codex", "sandbox", "--", "sh", "-c",
                            "echo inside; ls -d /tmp", timeout=300)
        assert done.out == "inside\n/tmp\n", done


def test_codex_finds_its_home(world):
    """Codex finds and keeps its own directory in the profile `agent`, be it the first time."""
    with_programs(world)
    done = world.shadow("--as", "codex", "run", "--profile", "agent", "--", "codex", "--version", timeout=300)
    assert "codex" in done.out and os.stat(world.home + "/.codex").st_mode & 0o777 == 0o700, done


def in_profile(world, name, *words):
    return world.shadow("--as", name, "run", "--profile", "agent", "--", name, *words, timeout=300)


def test_agent_programs_start(world):
    """Agent programs start in the profile `agent`, npx too; what is theirs in the home is real, and closed to others."""
    with_programs(world)
    for name, place in AGENTS.items():
        assert re.search(r"\d+\.\d+\.\d+", in_profile(world, name, "--version").out), name
        in_profile(world, name, "mcp", "list")
        assert os.stat(os.path.join(world.home, place)).st_mode & 0o777 == 0o700, name
        assert world.shadow("--as", name, "status", "--porcelain").out == "", name
    done = world.shadow("run", "--profile", "agent", "--", "npx", "--no", "--", "codex", "--version", timeout=300)
    assert "codex" in done.out, done


def test_claude_reaches_its_server(world):
    """Claude Code starts an MCP server in its own run and is connected to it; what it noted in its file is kept."""
    with_programs(world)
    in_profile(world, "claude", "mcp", "add", "files", "--", "mcp-server-filesystem", world.project)
    assert "Connected" in in_profile(world, "claude", "mcp", "list").out
    with open(os.path.join(world.home, ".claude.json"), encoding="utf-8") as f:
        assert "mcp-server-filesystem" in f.read()


def test_everything_server_by_its_client(world):
    """A server of any kind answers its client through `shadow run`."""
    with_programs(world)
    told = subprocess.run(["mcp-inspector", "--cli", SHADOW, "-C", world.project, "run", "--as", "all", "--",
                           "mcp-server-everything", "--method", "tools/call", "--tool-name", "echo", "--tool-arg",
                           "message=there and back"], cwd=world.project, env=world.env, check=True,
                          capture_output=True, timeout=300).stdout
    assert "there and back" in json.loads(told)["content"][0]["text"], told


def test_filesystem_server_by_its_client(world):
    """An MCP client drives the filesystem server in a run; what it writes is reviewed, not written."""
    with_programs(world)
    world.write("a.txt", "one\n")
    ask = ["mcp-inspector", "--cli", SHADOW, "-C", world.project, "run", "--as", "files", "--",
           "mcp-server-filesystem", world.project, "--method", "tools/call", "--tool-name"]
    subprocess.run([*ask, "write_file", "--tool-arg", f"path={world.project}/b.txt", "--tool-arg", "content=two"],
                   cwd=world.project, env=world.env, check=True, capture_output=True, timeout=300)
    told = subprocess.run([*ask, "read_text_file", "--tool-arg", f"path={world.project}/b.txt"], cwd=world.project,
                          env=world.env, check=True, capture_output=True, timeout=300).stdout
    assert json.loads(told)["content"][0]["text"] == "two", told
    assert not os.path.exists(world.path("b.txt"))
    assert "b.txt" in world.shadow("--as", "files", "status", "--porcelain").out


def main():
    module = sys.modules[__name__]
    # Not below /tmp or /var/tmp: of those a run has its own, and Codex makes no helpers in a home there.
    tempfile.tempdir = os.environ.get("SHADOW_TEST_DIR", os.path.expanduser("~"))
    if os.environ.get("SHADOW_TEST_NPM") or not shutil.which("npm"):
        harness.main(module)
    with tempfile.TemporaryDirectory(prefix="shadow-clients-") as made:
        subprocess.run(["npm", "install", "--prefix", made, "--no-audit", "--no-fund", "--loglevel=error", *PACKAGES], check=True)
        os.environ["SHADOW_TEST_NPM"] = made
        harness.main(module)


if __name__ == "__main__":
    main()
