# SPDX-License-Identifier: MIT
"""What of the home a run sees by exception: secrets that are asked for, places of a login, programs by a link."""

import os
import subprocess
import sys

import harness
from harness import fingerprint


def home_file(world, name, text, mode=0o600):
    path = os.path.join(world.home, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    os.chmod(path, mode)
    return path


def content(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def test_secrets_that_a_read_only_home_is_to_show(world):
    """With --home=ro a masked secret, in a masked directory or a file, is shown by --ro and written by --rw; the rest
    stays masked, in that run and in the next."""
    for name in (".netrc", ".ssh/config", ".ssh/id_a", ".aws/credentials", ".config/gh/hosts.yml", ".docker/config.json",
                 ".claude.json"):
        home_file(world, name, f"text of {name}\n")
    before = fingerprint(world.home)
    read = "cd; cat .netrc .ssh/config .ssh/id_a .aws/credentials .config/gh/hosts.yml .docker/config.json .claude.json"
    shown = [f"--ro={world.home}/{name}" for name in (".netrc", ".ssh/config", ".aws", ".config/gh/hosts.yml",
                                                     ".docker/config.json")]
    ro = ("--home", "ro")
    for words in ((*ro, *shown, f"--rw={world.home}/.claude.json"), (*ro, f"--ro={world.home}/.netrc")):
        done = world.shadow("run", *words, "--", "sh", "-c", read + "; echo x >.new", check=False)
        for name in (".netrc", ".ssh/config", ".aws/credentials", ".config/gh/hosts.yml", ".docker/config.json",
                     ".claude.json"):
            open_to_it = any(word.endswith((name, os.path.dirname(name) or "/")) for word in words)
            assert (f"text of {name}\n" in done.out) == open_to_it, (words, name, done)
        assert "id_a\n" not in done.out and "new: Read-only" in done.err, done
    done = world.shadow("run", *ro, "--", "sh", "-c", read, check=False)
    assert "text" not in done.out, done
    assert fingerprint(world.home) == before
    world.shadow("run", *ro, f"--rw={world.home}/.claude.json", "--", "sh", "-c", "echo new >~/.claude.json")
    assert content(os.path.join(world.home, ".claude.json")) == "new\n"
    # A run that joins a live one asks for more than that.
    with world.start("run", *ro, "--", "sh", "-c", "echo on; cat", stdin=subprocess.PIPE, stdout=subprocess.PIPE) as live:
        assert live.stdout.readline() == b"on\n"
        done = world.shadow("run", *ro, f"--ro={world.home}/.ssh/id_a", "--", "cat", f"{world.home}/.ssh/id_a")
        assert done.out == "text of .ssh/id_a\n"
    # The profile for agents does, and makes what there is not.
    world.shadow("--as", "claude", "run", *ro, "--profile=agent", "--", "sh", "-c", "echo key >~/.claude/.credentials.json")
    assert content(os.path.join(world.home, ".claude/.credentials.json")) == "key\n"


def test_first_login_where_a_variable_says(world):
    """A first login where CLAUDE_CONFIG_DIR or CODEX_HOME name a place of the home is kept, as one in the usual place is;
    no such directory is made elsewhere, nor where a secret is or may be."""
    os.symlink(world.tmp, os.path.join(world.home, "out"))
    login = ("--", "sh", "-c", 'mkdir -p "$CLAUDE_CONFIG_DIR" && echo key >"$CLAUDE_CONFIG_DIR/.credentials.json"')
    run = ("--as", "claude", "run", "--profile=agent")
    for place in (world.home + "/.ssh", world.home + "/.ssh/cc", world.home + "/.config", world.home + "/a/../../x",
                  world.home + "/out/cc", world.path("cc"), world.tmp + "/cc", world.state + "/cc", "cc"):
        world.shadow(*run, *login, check=False, env={"CLAUDE_CONFIG_DIR": place})
        assert not os.path.exists(place), place
    for place in ("cc", ".config/claude-work/2"):
        path = os.path.join(world.home, place)
        world.shadow(*run, *login, env={"CLAUDE_CONFIG_DIR": path + "/"})
        assert content(os.path.join(path, ".credentials.json")) == "key\n"
        assert os.stat(path).st_mode & 0o777 == 0o700
    world.shadow("--as", "codex", "run", "--profile=agent", "--", "true", env={"CODEX_HOME": world.home + "/co"})
    assert os.path.isdir(world.home + "/co")
    # The variable of another program is nothing to this one.
    world.shadow("--as", "gemini", "run", "--profile=agent", "--", "true", env={"CODEX_HOME": world.home + "/no"})
    assert not os.path.exists(world.home + "/no")


def test_a_file_in_the_place_of_a_directory(world):
    """Where the session has a directory for what is a file by now, a run says so and how to go on."""
    run = ("--as", "claude", "run", "--profile=agent", "--", "true")
    path = os.path.join(world.home, ".claude")
    world.shadow(*run)
    os.rmdir(path)
    home_file(world, ".claude", "text\n")
    refused = world.shadow(*run, check=False)
    assert refused.returncode == 125 and ".claude': the session has a directory in its place" in refused.err, refused
    assert "shadow discard --as claude --yes" in refused.err, refused
    world.shadow("--as", "claude", "discard", "--yes")
    world.shadow(*run)


def test_programs_that_update_themselves(world):
    """Homes of the session's own show what links among their programs lead to below ~/.local/share, by whatever way,
    and nothing beside it, no secret and nothing from elsewhere."""
    share = os.path.join(world.home, ".local/share")
    places = {"claude/versions/1.2": "version", "tool/versions/7/run": "tool", "claude/state": None, "tool/.env.key": None}
    for name, word in places.items():
        home_file(world, ".local/share/" + name, f"#!/bin/sh\necho {word}\n" if word else "private\n", 0o755 if word else 0o644)
    home_file(world, "elsewhere/other", "#!/bin/sh\necho other\n", 0o755)
    os.makedirs(os.path.join(world.home, ".local/bin"))
    os.symlink("versions/7", os.path.join(share, "tool/current"))
    for name, target in (("claude", f"{share}/claude/versions/1.2"), ("tool", "../share/tool/current/run"),
                         ("state", "../share/claude/state"), ("other", "../../elsewhere/other"), ("lost", "../share/no")):
        os.symlink(target, os.path.join(world.home, ".local/bin", name))
    script = ("cd ~/.local/bin; for p in claude tool state other lost; do ./$p; done; ls -R ~/.local/share; "
              "echo x >~/.local/share/claude/versions/1.2")
    for mode in ("private", "allow"):
        done = world.shadow("--as", mode, "run", f"--home={mode}", "--", "sh", "-c", script, check=False)
        assert done.out.startswith("version\ntool\n") and "other\n" not in done.out and "private" not in done.out, done
        assert "state" not in done.out and "key" not in done.out, done
        assert "1.2: Read-only" in done.err, done


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
