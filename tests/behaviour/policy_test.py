# SPDX-License-Identifier: MIT
"""What a run may see, reach and use, as the options and the configuration say it."""

import json
import os
import socket
import sys

import harness
from harness import fingerprint
from runs import CONNECT, config, policy


def home_file(world, name, content):
    path = os.path.join(world.home, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(content)
    return path


def real(world, name, content=""):
    """A file outside of the project."""
    path = os.path.join(world.tmp, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(content)
    return path


def test_no_network(world):
    """With --net=none there is no TCP, no UDP and no abstract socket, but loopback works."""
    tcp, udp, abstract = (socket.socket(family, kind) for family, kind in
                          ((socket.AF_INET, socket.SOCK_STREAM),
                           (socket.AF_INET, socket.SOCK_DGRAM),
                           (socket.AF_UNIX, socket.SOCK_STREAM)))
    with tcp, udp, abstract:
        tcp.bind(("127.0.0.1", 0))
        udp.bind(("127.0.0.1", 0))
        name = f"\0shadow-policy-{os.getpid()}"
        abstract.bind(name)
        tcp.listen()
        abstract.listen()
        targets = [(int(socket.AF_INET), int(socket.SOCK_STREAM), tcp.getsockname()),
                   (int(socket.AF_INET), int(socket.SOCK_DGRAM), udp.getsockname()),
                   (int(socket.AF_UNIX), int(socket.SOCK_STREAM), name),
                   (int(socket.AF_INET), int(socket.SOCK_DGRAM), ("192.0.2.1", 53))]
        for target in targets:
            done = world.shadow("run", "--net=none", "--", sys.executable, "-c", CONNECT,
                                repr(target))
            assert done.out.startswith("refused"), (target, done.out)
        done = world.run(sys.executable, "-c", CONNECT, repr(targets[0]))
        assert done.out == "reached\n", done.out
    own = ("import socket; s = socket.create_server(('127.0.0.1', 0)); "
           "socket.create_connection(s.getsockname()); print('loopback')")
    done = world.shadow("run", "--net=none", "--", sys.executable, "-c", own)
    assert done.out == "loopback\n", done
    interfaces = world.shadow("run", "--net=none", "--", "cat", "/proc/net/dev").out
    assert [line.split(":")[0].strip() for line in interfaces.splitlines()[2:]] == ["lo"]


def test_read_only_part_of_the_project(world):
    """--ro makes a part of the view read-only, and shows a path of the host that is hidden."""
    world.write("src/main.c", "code\n")
    shown = real(world, "shown/file", "host\n")
    done = world.shadow("run", "--ro", "src", "--ro", os.path.dirname(shown), "--", "sh", "-c",
                        f"echo x > src/main.c; echo x > {shown}; cat {shown}; echo y > other",
                        check=False)
    assert "host\n" in done.out, done
    assert done.err.count("Read-only file system") == 2, done.err
    assert world.sh("cat src/main.c other").out == "code\ny\n"
    assert harness.content(shown) == "host\n"


def test_real_path_is_written_and_said_so(world):
    """--rw lets a run write to a real path; status and log say that it was outside of review."""
    outside = real(world, "artifacts/log", "old\n")
    folder = os.path.dirname(outside)
    world.shadow("run", "--rw", folder, "--", "sh", "-c", f"echo new > {outside}; echo x > inside")
    assert harness.content(outside) == "new\n"
    status = world.shadow("status").out
    assert folder in status and "inside" in status, status
    log = world.shadow("log").out
    assert folder in log, log
    assert not os.path.exists(world.path("inside"))


def test_writable_paths_that_undo_the_isolation(world):
    """--rw of the project, of the home, of shadow's state or of /proc is refused."""
    world.run("true")
    for path in (world.project, world.home, world.tmp, world.state, "/", "/proc", "/sys", "/dev",
                 os.path.join(world.state, "sessions")):
        done = world.shadow("run", "--rw", path, "--", "echo", "ran", check=False)
        assert done.returncode == 125 and done.out == "" and "--rw" in done.err, (path, done)


def test_single_device_may_be_named(world):
    """A device that --rw names can be used, all others are absent."""
    done = world.shadow("run", "--rw", "/dev/full", "--", "sh", "-c",
                        "exec 3<>/dev/full && echo opened; ls /dev")
    assert "opened\n" in done.out, done
    names = set(done.out.split()) - {"opened"}
    assert names <= {"fd", "full", "null", "ptmx", "pts", "random", "shadow-session", "shm",
                     "stderr", "stdin", "stdout", "tty", "urandom", "zero"}, names


def test_hidden_paths(world):
    """--hide replaces a path by something empty, which review does not take for a deletion."""
    world.write("secret/key", "key\n")
    world.write("notes.txt", "notes\n")
    done = world.shadow("run", "--hide", "secret", "--hide", "notes.txt", "--hide", "/etc/passwd",
                        "--", "sh", "-c", "ls -A secret; cat notes.txt /etc/passwd; echo done")
    assert done.out == "done\n", done.out
    assert world.shadow("diff", "--name-status").out == ""


def test_secrets_of_the_project_are_hidden(world):
    """--hide-secrets hides .env, *.pem and id_*; that they are not there is no deletion."""
    for name in (".env", ".env.local", "deep/server.pem", "id_rsa", "id_list.py", ".env.example",
                 "my token"):
        world.write(name, "secret\n")
    config(world, 'secret_patterns = ["my *"]\n')
    show = "for f in .env .env.local deep/server.pem id_rsa 'my token'; do cat \"$f\"; done 2>&1"
    done = world.shadow("run", "--hide-secrets", "--", "sh", "-c", show + "; cat id_list.py .env.example")
    assert done.out.count("secret") == 2, done.out
    for words in (("diff", "--name-status"), ("status", "--porcelain")):
        assert world.shadow(*words).out == "", words
    assert world.sh("cat .env").out == "secret\n"


def test_secrets_of_the_home_are_masked_in_every_mode(world):
    """Keys and logins in the home are out of sight with every --home, and the config adds more."""
    home_file(world, ".ssh/id_rsa", "secret\n")
    home_file(world, ".config/gh/hosts.yml", "secret\n")
    home_file(world, ".config/tool/token", "secret\n")
    home_file(world, "dotfiles/aws/credentials", "secret\n")
    os.symlink("dotfiles/aws", os.path.join(world.home, ".aws"))
    home_file(world, ".toolrc", "plain\n")
    config(world, 'secrets = [".config/tool/token"]\n')
    for mode in ("auto", "overlay", "private", "ro"):
        done = world.shadow("--as", mode, "run", f"--home={mode}", "--", "sh", "-c",
                            "cat ~/.ssh/id_rsa ~/.aws/credentials ~/.config/gh/hosts.yml "
                            "~/.config/tool/token; "
                            "cat ~/.config/shadow/config.toml; cat ~/.toolrc", check=False)
        assert "secret" not in done.out, (mode, done.out)
        assert ("plain\n" in done.out) == (mode != "private"), (mode, done)


def test_home_modes(world):
    """overlay and private keep what was written, ro refuses it; the real home stays as it is."""
    home_file(world, ".toolrc", "real\n")
    before = fingerprint(world.home)
    for mode in ("auto", "overlay", "private"):
        words = ("--as", mode, "run", f"--home={mode}", "--", "sh", "-c")
        world.shadow(*words, "echo kept > ~/.toolrc")
        assert world.shadow(*words, "cat ~/.toolrc").out == "kept\n", mode
    done = world.shadow("--as", "ro", "run", "--home=ro", "--", "sh", "-c",
                        "cat ~/.toolrc; echo x > ~/.toolrc", check=False)
    assert done.out == "real\n" and "Read-only" in done.err, done
    assert fingerprint(world.home) == before


def test_only_one_file(world):
    """With --only FILE the command has that file alone to work on; it is reviewed and applied."""
    world.write("dir/one file", "one\n")
    world.write("dir/two", "two\n")
    done = world.shadow("run", "--only", "dir/one file", "--", "sh", "-c",
                        "find . -type f; echo more >> 'dir/one file'; echo x > dir/new", check=False)
    assert done.out == "./dir/one file\n" and "Read-only" in done.err, done
    assert world.read("dir/one file") == "one\n"
    assert "dir/one file" in world.shadow("diff", "--name-only").out
    world.shadow("apply", "--yes")
    assert world.read("dir/one file") == "one\nmore\n"
    done = world.shadow("run", "--only", "dir", "--", "true", check=False)
    assert done.returncode == 125 and "not a regular file" in done.err, done


def test_environment_options(world):
    """--env passes or sets a variable, --unset keeps one back, --clear-env keeps all others back."""
    env = {"GITHUB_TOKEN": "t", "PLAIN": "p", "OTHER": "o", "TERM": "dumb"}

    def names(*words):
        out = world.shadow("run", *words, "--", "env", env=env).out
        return dict(line.split("=", 1) for line in out.splitlines() if "=" in line)

    got = names("--env", "GITHUB_TOKEN", "--env", "NEW=a b=c", "--unset", "PLAIN")
    assert got["GITHUB_TOKEN"] == "t" and got["NEW"] == "a b=c" and got["OTHER"] == "o", got
    assert "PLAIN" not in got
    got = names("--clear-env", "--env", "PLAIN")
    own = {"GIT_OPTIONAL_LOCKS", "PWD", "SHADOW_SESSION", "SHADOW_INTERLOCUTOR"}
    assert set(got) - own == {"PATH", "HOME", "TERM", "TZ", "PLAIN"}, set(got)


def test_strict_profile(world):
    """strict has no network, an empty home, a minimal environment, and its limits."""
    home_file(world, ".toolrc", "real\n")
    done = world.shadow("run", "--profile=strict", "--", "sh", "-c",
                        "ls -A ~; env; grep -c : /proc/net/dev; df -k /tmp | tail -1",
                        env={"PLAIN": "p"})
    assert ".toolrc" not in done.out and "PLAIN" not in done.out, done.out
    assert done.out.splitlines()[-2] == "1" and done.out.splitlines()[-1].split()[1] == "65536", done
    shown = policy(world, "--profile=strict")
    assert shown["net"] == {"value": "none", "origin": "profile"}, shown
    assert shown["limits"]["memory_bytes"]["value"] == 512 * 2**20
    assert shown["limits"]["milli_cpus"]["value"] == 500
    assert shown["limits"]["pids"]["value"] == 64


def test_agent_profile(world):
    """agent gives an agent program its own state, real and writable, and its API key."""
    state = home_file(world, ".claude/settings.json", "old\n")
    home_file(world, ".ssh/id_rsa", "secret\n")
    done = world.shadow("run", "--profile=agent", "--", "sh", "-c",
                        "echo new > ~/.claude/settings.json; echo $ANTHROPIC_API_KEY$GITHUB_TOKEN; "
                        "cat ~/.ssh/id_rsa", check=False,
                        env={"ANTHROPIC_API_KEY": "key", "GITHUB_TOKEN": "t"})
    assert done.out == "key\n" and done.returncode != 0, done
    assert harness.content(state) == "new\n"
    # It was outside of review, and that is said.
    assert os.path.dirname(state) in world.shadow("status").out
    assert os.path.dirname(state) in world.shadow("log").out


def test_agent_profile_with_a_second_login(world):
    """A second login of an agent is hidden as the first one, and open to that agent by the variable that names it."""
    login = home_file(world, ".claude-work/.credentials.json", "key\n")
    named = {"CLAUDE_CONFIG_DIR": os.path.dirname(login)}
    show = ("--", "sh", "-c", "cat ~/.claude-work/.credentials.json && echo new > ~/.claude-work/.credentials.json")
    done = world.shadow("run", *show, check=False, env=named)
    assert done.out == "" and done.returncode != 0, done
    assert world.shadow("run", "--profile=agent", *show, check=False).returncode != 0
    assert world.shadow("run", "--profile=agent", *show, env=named).out == "key\n"
    assert harness.content(login) == "new\n"
    # None of these would leave anything to be reviewed, or hidden.
    for everything in ("/", world.home, world.home + "/", world.project, os.path.dirname(world.project)):
        done = world.shadow("run", "--profile=agent", "--", "sh", "-c", "echo x >x; echo x >~/x",
                            env={"CODEX_HOME": everything})
        assert not os.path.exists(world.path("x")) and not os.path.exists(os.path.join(world.home, "x")), done


def test_policy_can_be_printed(world):
    """--print-policy says what would hold and who said so, as text and as JSON, and runs nothing."""
    config(world, 'net = "none"\nfile_size = "1G"\n')
    words = ("--pids", "9", "--hide", "x", "--", "sh", "-c", "echo ran > ran")
    text = world.shadow("run", "--print-policy", *words).out
    lines = {line.split()[0]: line for line in text.splitlines()}
    assert "none" in lines["net"] and "config" in lines["net"], text
    assert "9" in lines["pids"] and "command line" in lines["pids"], text
    assert lines["profile"].split()[1] == "default" and "built-in" in lines["profile"], text
    data = policy(world, *words)
    assert data["net"]["value"] == "none" and data["limits"]["pids"]["value"] == 9, data
    assert data["limits"]["file_size_bytes"]["value"] == 2**30
    assert data["paths"][0]["access"] == "hide" and data["paths"][0]["path"] == world.path("x")
    assert world.sh("ls").out == ""


def test_configuration(world):
    """The global configuration holds for all projects, [project."PATH"] for one, flags over both."""
    other = os.path.join(world.tmp, "other")
    os.mkdir(other)
    config(world, f'net = "none"\npids = 20\n[project."{world.project}"]\nnet = "host"\n'
                  f'env = ["FROM_CONFIG=yes"]\n[project."{other}"]\nhide = ["/etc/passwd"]\n')
    here, there = policy(world), policy(world, cwd=other)
    assert here["net"]["value"] == "host" and there["net"]["value"] == "none", (here, there)
    assert here["limits"]["pids"]["value"] == 20 and here["paths"] == []
    assert there["paths"][0]["path"] == "/etc/passwd"
    assert policy(world, "--net=none")["net"] == {"value": "none", "origin": "command line"}
    assert world.sh("echo $FROM_CONFIG").out == "yes\n"
    assert world.sh("cat /etc/passwd", cwd=other).out == ""


def test_configuration_of_a_project_by_another_path(world):
    """A project's part of the configuration holds by whatever path it names the project."""
    link = os.path.join(world.tmp, "link")
    os.symlink(world.tmp, link)
    for path in (world.project, f"{link}/project", f"{world.tmp}//x/../project/", f"{link}/other"):
        config(world, f'[project."{path}"]\nnet = "none"\n')
        expected = "host" if path.endswith("other") else "none"
        assert policy(world)["net"]["value"] == expected, path


def test_wrong_configuration_runs_nothing(world):
    """A mistake in the configuration names its file and line, and nothing is run."""
    for text, part in (("nett = 'none'\n", "did you mean 'net'"), ("net = 'maybe'\n", "line 1"),
                       ("\nmemory = \n", "line 2"), ("pids = -1\n", "line 1")):
        config(world, text)
        done = world.sh("echo ran", check=False)
        assert done.returncode == 125 and done.out == "", (text, done)
        assert "config.toml" in done.err and part in done.err, done.err


def test_configuration_inside_the_project_has_no_effect(world):
    """A configuration file in the project, which an agent can write, has no effect and is named."""
    outside = real(world, "outside/file", "real\n")
    for name in ("shadow.toml", ".shadow.toml", ".shadow/config.toml"):
        world.write(name, f'rw = ["{os.path.dirname(outside)}"]\nnet = "none"\n')
        done = world.sh(f"echo escaped > {outside}", check=False)
        assert harness.content(outside) == "real\n"
        assert name in done.err and "no effect" in done.err, done.err
        assert policy(world)["net"]["value"] == "host"
        os.unlink(world.path(name))


def test_log_tells_the_policy(world):
    """log and show tell the policy of each run: its profile, network, paths and limits."""
    real(world, "artifacts/log")
    folder = os.path.join(world.tmp, "artifacts")
    world.shadow("run", "--profile=strict", "--rw", folder, "--env", "SECRET=hidden-value", "--",
                 "true")
    shown = world.shadow("show", "1").out
    for part in ("strict", "none", folder, "SECRET"):
        assert part in shown, shown
    assert "hidden-value" not in shown
    record = json.loads(world.shadow("--json", "log").out.splitlines()[0])
    assert "strict" in json.dumps(record), record


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
