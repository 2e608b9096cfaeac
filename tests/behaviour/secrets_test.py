# SPDX-License-Identifier: MIT
"""What a run does not get to see of the user: logins, tokens, histories, sockets, and who decides that."""

import glob
import json
import os
import pwd
import socket
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import harness  # noqa: E402
from container import bwrap  # noqa: E402
from harness import SHADOW, NotHere  # noqa: E402


def home_file(w, name, text="secret\n"):
    path = os.path.join(w.home, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path


def config(w, text, mode=0o600):
    path = home_file(w, ".config/shadow/config.toml", text)
    os.chmod(path, mode)
    return path


def test_secrets_of_the_environment(w):
    """Variables are kept back by the words of their names, and by a password in their value; print-policy names them."""
    env = {"TOKEN": "secret", "PASSWORD_OF_DB": "secret", "npm_config_//r.example.org/:_authToken": "secret",
           "STRIPE_KEY": "secret", "DATABASE_URL": "postgres://u:secret@db/x", "HTTPS_PROXY": "http://u:secret@p:1",
           "HARMLESS": "postgres://db/x", "token": "argument", "CARGO_BUILD_KEY": "plain"}
    out = w.shadow("run", "--", "env", env=env).out
    assert "secret" not in out, out
    for line in ("HARMLESS=postgres://db/x", "token=argument", "CARGO_BUILD_KEY=plain"):
        assert line in out.splitlines(), out
    kept = json.loads(w.shadow("--json", "run", "--print-policy", "--", "true", env=env).out)["env_kept_back"]
    names = {one["name"] for one in kept}
    assert {"TOKEN", "PASSWORD_OF_DB", "STRIPE_KEY", "DATABASE_URL", "HTTPS_PROXY"} <= names, names
    assert not {"HARMLESS", "token", "PATH"} & names, names
    text = w.shadow("run", "--print-policy", "--", "true", env=env).out
    assert "keep back DATABASE_URL" in text and ":secret" not in text, text
    assert "secret" in w.shadow("run", "--env", "DATABASE_URL", "--", "env", env=env).out


def test_allowed_home(w):
    """--home=allow shows toolchains and who commits, and nothing else of the home; what is written there is kept."""
    home_file(w, ".cargo/bin/tool", "#!/bin/sh\necho tool\n")
    os.chmod(os.path.join(w.home, ".cargo/bin/tool"), 0o755)
    home_file(w, ".cargo/credentials.toml")
    for name in (".bashrc", ".profile", ".ssh/id_rsa", ".toolrc", "notes", ".config/git/credentials", "bin/x"):
        home_file(w, name)
    home_file(w, ".config/git/config", '[user]\n\tname = First\n\temail = f@example.org\n')
    home_file(w, ".gitconfig", '[user]\n\tname = "A \\"B\\" \\\\ C"\n[credential]\n\thelper = "!echo secret"\n'
                               '[url "https://secret@x/"]\n\tinsteadOf = https://x/\n')
    words = ("run", "--home=allow", "--", "sh", "-c")
    done = w.shadow(*words, "cd; find . | sort; cat .gitconfig; .cargo/bin/tool; git config user.name; "
                            "git config user.email; echo x >.cargo/bin/tool; grep -r secret . ; echo kept >mine", check=False)
    assert "secret" not in done.out, done.out
    lines = done.out.splitlines()
    assert "tool" in lines and 'A "B" \\ C' in lines and "f@example.org" in lines, done.out
    assert {"./.cargo/bin/tool", "./.gitconfig"} <= set(lines) and "Read-only" in done.err, (done.out, done.err)
    assert not {"./.bashrc", "./notes", "./bin", "./.config/git"} & set(lines), lines
    assert w.shadow(*words, "cat ~/mine").out == "kept\n"
    assert not os.path.exists(os.path.join(w.home, "mine"))
    with w.start("run", "--", "sleep", "100") as live:
        assert w.sh("cat ~/notes").out == "secret\n"
        done = w.shadow(*words, "cat ~/mine; cat ~/notes ~/.bashrc", check=False)
        assert done.out == "kept\n", done
        live.terminate()


def test_logins_in_tools_of_a_private_home(w):
    """The tools that --home=private shows bring no login along."""
    home_file(w, ".config/git/credentials")
    home_file(w, ".config/git/config", "[user]\n\tname = N\n")
    done = w.shadow("run", "--home=private", "--", "sh", "-c", "cat ~/.config/git/credentials; git config user.name")
    assert done.out == "N\n", done


def test_read_only_socket(w):
    """--ro of a socket, or of a directory of sockets of the host, is refused: a mount keeps nobody from connecting."""
    path = os.path.join(w.tmp, "socket")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        for name in (path, "/run", "/run/lock"):
            done = w.shadow("run", f"--ro={name}", "--", "echo", "ran", check=False)
            assert done.returncode == 125 and "connect" in done.err and done.out == "", (name, done)
        assert "--rw" in w.shadow("run", f"--ro={path}", "--", "true", check=False).err
        assert w.shadow("run", f"--rw={path}", "--", "test", "-S", path).returncode == 0


def test_configuration_that_others_can_write(w):
    """A configuration that another user owns or can write, or whose directory is such, is refused by name."""
    path = config(w, 'net = "none"\n')
    folder = os.path.dirname(path)
    w.sh("true")
    for place, mode in ((path, 0o620), (path, 0o602), (folder, 0o770), (os.path.dirname(folder), 0o777),
                        (w.home, 0o772)):
        before = os.stat(place).st_mode & 0o7777
        os.chmod(place, mode)
        for words in (("run", "--", "echo", "ran"), ("status",)):
            done = w.shadow(*words, check=False)
            assert done.returncode in (2, 125) and place in done.err and "write" in done.err, (place, words, done)
            assert "chmod go-w" in done.err and done.out == "", done
        os.chmod(place, before)
    # Through a link, as directories of dotfiles have it.
    os.rename(folder, os.path.join(w.home, "dotfiles"))
    os.symlink("../dotfiles", folder)
    w.sh("true")
    os.chmod(os.path.join(w.home, "dotfiles"), 0o777)
    assert w.sh("true", check=False).returncode == 125
    os.chmod(os.path.join(w.home, "dotfiles"), 0o700)
    os.unlink(os.path.join(w.home, "dotfiles/config.toml"))
    w.sh("true")
    os.chmod(os.path.join(w.home, "dotfiles"), 0o777)
    assert w.sh("true", check=False).returncode == 125, "the directory counts before there is a file"


def test_configuration_of_another_user(w):
    """A configuration that belongs to another user is refused, by root as well."""
    if os.geteuid() != 0:
        raise harness.NotHere("only root can give a file to another user")
    path = config(w, 'net = "none"\n')
    for place in (path, os.path.dirname(path), os.path.join(w.home, ".config")):
        os.chown(place, pwd.getpwnam("daemon").pw_uid, -1)
        done = w.sh("echo ran", check=False)
        assert done.returncode == 125 and "another user" in done.err and done.out == "", (place, done)
        os.chown(place, 0, -1)
    w.sh("true")


HIDDEN = (".foo_history", ".pythonhist", ".lesshst", ".zsh_history-1234.new", ".config/google-chrome-unstable/Cookies",
          ".config/Code/User/globalStorage/state.vscdb", ".config/Code - Insiders/x", ".netrc~", ".netrc.bak", ".ssh.bak/id_rsa",
          ".ssh-old/id_rsa", ".gnupg.tar.gz", ".cargo/.credentials.toml.swp", ".docker/config.json.old", ".claude.json.backup",
          ".claude/projects/p/1.jsonl", ".claude/history.jsonl", ".codex/sessions/1.jsonl", ".local/share/jupyter/runtime/x.json",
          ".config/code-server/config.yaml", ".namecoin/wallet.dat", ".electrum/wallets/w", "wallet.dat", "passwords.txt",
          "github-token", ".github_token", ".anthropic_api_key", "server.pem", "id_work", "keys.kdbx", ".config/app/credentials",
          ".config/app/auth-token.json", ".local/share/some-keystore/x", ".local/state/app_history", ".mail/inbox",
          ".config/discordptb/x", ".local/share/Trash/files/x", ".authinfo", ".vscode-server/data/User/x", ".config/syncthing/config.xml",
          ".any-tool/credentials", ".local/share/any/auth.json", ".cache/Franz/x", "wallet.dat.bak",
          ".config/mozilla/firefox/p/logins.json", ".tor-browser_en-US/x", ".local/share/recently-used.xbel",
          ".sui/sui_config/sui.keystore", ".gcalcli_oauth", ".local/share/any/oauth", ".local/share/data/Mega Limited/MEGAsync/x",
          ".config/httpie/sessions/host/me.json", ".taskrc", ".cache/ncspot/librespot/x", ".config/rustdesk/RustDesk.toml")
SHOWN = (".tokenizers/x", ".cookiecutters/x", ".npm/x", ".config/app/settings", ".config/nvim/init.lua", ".cargo/config.toml",
         ".cargo/registry/x", ".rustup/settings.toml", "mail-server/x", "history.md", "Documents/secrets-of-the-sea/x",
         ".local/share/uv/x", ".cache/pip/x", ".claude/settings.json", ".vscode/extensions/x", "tokens/x", ".mailcap", ".gitconfig",
         ".config/opencode/config.json", ".local/share/bash-completion/x", ".local/share/solana/bin/s", ".server.pem.pub",
         ".config/httpie/config.json", ".config/app/oauth-settings.html")


def test_secrets_by_rule(w):
    """Histories, tokens, wallets, browsers, editors' storage, transcripts, and copies of any of it are out of sight."""
    for name in (*HIDDEN, *SHOWN):
        home_file(w, name, "[user]\n")
    for mode in ("overlay", "ro"):
        done = w.shadow("--as", mode, "run", f"--home={mode}", "--", "sh", "-c",
                        'for f; do cat "$HOME/$f" >/dev/null 2>&1 && echo "$f"; done; :', "sh", *HIDDEN, *SHOWN)
        got = set(done.out.splitlines())
        assert not got & set(HIDDEN), (mode, sorted(got & set(HIDDEN)))
        assert got >= set(SHOWN), (mode, sorted(set(SHOWN) - got))
    # They are hidden, not deleted, and what a run writes there is its own.
    w.shadow("--as", "overlay", "run", "--", "sh", "-c", "echo mine >~/.foo_history; cat ~/.foo_history")
    assert w.shadow("--as", "overlay", "run", "--", "cat", f"{w.home}/.foo_history").out == "mine\n"
    for name in HIDDEN:
        assert os.path.exists(os.path.join(w.home, name)), name


def test_secrets_that_come_later_in_a_programs_directory(w):
    """Who logs in with a program that was there already has that hidden from the next run on, two seconds after the last."""
    for name in (".tool/x", ".config/app/x", ".docker/x", "below/x"):
        home_file(w, name)
    w.sh("true")
    w.sh("mkdir ~/.made; touch ~/.tool/own")  # of the run's own layer
    names = (".tool/credentials", ".config/app/auth.json", ".docker/access_token", ".late/credentials")
    for round_of_it in ("1", "2"):
        (marker,) = glob.glob(w.state + "/sessions/*/home/looked")
        os.utime(marker, (0, 0))
        for name in names:
            home_file(w, name + round_of_it, "login\n")
            os.rename(os.path.join(w.home, name + round_of_it), os.path.join(w.home, name))
        done = w.sh("cat " + " ".join("~/" + name for name in names) + "; cat ~/.tool/x; ls ~/.tool")
        assert done.out == "secret\nown\nx\n", (round_of_it, done.out)
        for name in names:
            os.unlink(os.path.join(w.home, name))
        w.sh("true")


def test_secrets_that_come_later(w):
    """What a rule hides counts from the next run on where it appears later; what the list hides, at once."""
    home_file(w, ".config/app/x")
    w.sh("true")
    names = (".new_history", ".netrc.bak", ".config/chromium-dev/x", "token.txt", ".kube.old/config", ".gem/credentials",
             ".codex/sessions/x", ".kde/share/apps/klipper/x", ".config/late/token")
    for name in names:
        home_file(w, name)
        assert w.run("cat", os.path.join(w.home, name), check=False).out == "", name
    with w.start("run", "--", "sleep", "100") as live:
        w.sh("true")
        for name in (".later_history", ".docker/config.json~", ".ssh/id_rsa"):
            home_file(w, name)
            assert w.run("cat", os.path.join(w.home, name), check=False).out == "", name
        live.terminate()


def test_home_of_the_caller(w):
    """Where HOME is unset or names another directory, the secrets of the caller's own home are masked all the same."""
    if os.geteuid() == 0:
        raise NotHere("for root all homes are; proved as a user")
    own = os.path.join(w.tmp, "own")
    os.makedirs(os.path.join(own, ".ssh"))
    for name, text in ((".ssh/id_rsa", "secret\n"), ("plain", "plain\n")):
        with open(os.path.join(own, name), "w", encoding="utf-8") as f:
            f.write(text)
    passwd = os.path.join(w.tmp, "passwd")
    with open(passwd, "w", encoding="utf-8") as f:
        f.write(f"root:x:0:0::/root:/bin/sh\nme:x:{os.getuid()}:{os.getgid()}::/mnt:/bin/sh\n")
    # Not below /tmp, of which a run has its own.
    around = bwrap(w, "--ro-bind", passwd, "/etc/passwd", "--bind", own, "/mnt")
    for home in (w.home, "", "/nonexistent", "/dev/null", "/proc", "/mnt"):
        for mode in ("auto", "private", "ro"):
            ran = subprocess.run([*around, SHADOW, "run", f"--home={mode}", "--", "sh", "-c",
                                  "cat /mnt/plain; cat /mnt/.ssh/id_rsa"], cwd=w.project,
                                 env={**w.env, "HOME": home}, capture_output=True, text=True, timeout=60, check=False)
            assert "secret" not in ran.stdout and ran.returncode == 1, (home, mode, ran)
            assert "plain" in ran.stdout or (home == "/mnt" and mode == "private"), (home, mode, ran)


def test_project_whose_name_sounds_secret(w):
    """No rule hides the project, wherever in the home it lies."""
    for name in (".secret-things/p", "wallet", ".config/token-tool", ".ssh.bak/p", ".bash_history.d"):
        w.project = os.path.join(w.home, name)
        os.makedirs(w.project)
        w.write("f", "one\n")
        w.sh("echo two >>f")
        w.shadow("apply", "--yes", "--allow-sensitive")  # of what is in ~/.config
        assert w.read("f") == "one\ntwo\n", name


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
