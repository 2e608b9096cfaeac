# SPDX-License-Identifier: MIT
"""What programs that start shadow do: Lectic, MCP clients, agent programs; and shadow in a run."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import harness
from harness import SHADOW, wait_until


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as f:
            return f.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def started_by_a_shell(world, *words, env=None):
    """`shadow run WORDS` as a shell's child; the shell, and shadow's pid once the command runs."""
    shell = subprocess.Popen(["bash", "-c", '"$@" & echo $! >../pid; exec sleep 99', "bash", SHADOW, "run", *words,
                              "--", "sh", "-c", ": >/tmp/begun; exec sleep 99"],
                             cwd=world.project, env={**world.env, **(env or {})})
    wait_until(lambda: world.sh("test -e /tmp/begun", check=False).returncode == 0, 30)
    with open(world.path("../pid"), encoding="utf-8") as f:
        return shell, int(f.read())


def ends(pid):
    deadline = time.time() + 10
    while time.time() < deadline and alive(pid):
        time.sleep(0.05)
    return not alive(pid)


def test_dies_with_its_parent(world):
    """With --die-with-parent a run ends when what started it is killed; without it the run goes on."""
    for words, env, dies in ((["--die-with-parent"], {}, True), (["--profile", "agent"], {}, True),
                             ([], {"LECTIC_INTERLOCUTOR": "default"}, True), ([], {}, False),
                             (["--profile", "agent", "--no-die-with-parent"], {}, False),
                             (["--no-die-with-parent"], {"LECTIC_INTERLOCUTOR": "default"}, False)):
        shell, run = started_by_a_shell(world, *words, env=env)
        shell.kill()
        shell.wait()
        if dies:
            assert ends(run), (words, env)
        else:
            time.sleep(0.5)
            assert alive(run), (words, env)
            os.kill(run, signal.SIGTERM)
            assert ends(run)
        world.shadow("discard", "--yes", "--kill")


def test_a_thread_is_no_parent(world):
    """A run does not end with the thread that started it, as long as the program goes on."""
    runs = []
    thread = threading.Thread(target=lambda: runs.append(world.start(
        "run", "--die-with-parent", "--", "sh", "-c", "sleep 1; echo here", stdout=subprocess.PIPE)))
    thread.start()
    thread.join()
    assert runs[0].communicate()[0] == b"here\n" and runs[0].returncode == 0


def configure(world, text):
    os.makedirs(world.home + "/.config/shadow", exist_ok=True)
    with open(world.home + "/.config/shadow/config.toml", "w", encoding="utf-8") as f:
        f.write(text)


def test_configured_state_and_name(world):
    """state_dir and a project's `as` bring callers with and without variables to one session."""
    configure(world, f'state_dir = "~/kept"\n[project."{world.project}"]\nas = "my agent"\n')
    bare = {"HOME": world.home, "PATH": world.env["PATH"]}
    done = subprocess.run([SHADOW, "run", "--", "sh", "-c", "echo $SHADOW_INTERLOCUTOR; echo 1 >f"],
                          cwd=world.project, env=bare, capture_output=True, check=True)
    assert done.stdout == b"my agent\n", done
    for more in ({"XDG_STATE_HOME": world.tmp + "/xdg"}, {"SHADOW_INTERLOCUTOR": "my agent"}):
        done = subprocess.run([SHADOW, "status", "--porcelain"], cwd=world.project, env={**bare, **more},
                              capture_output=True, check=False)
        assert b"f" in done.stdout, (more, done)
    assert os.path.isdir(world.home + "/kept/sessions") and not os.path.exists(world.tmp + "/xdg")
    for text, why in (('as = "x"\n', "belongs to a project"), ('state_dir = "x"\n', "state_dir"),
                      ('[project."/x"]\nstate_dir = "/x"\n', "does not belong to a project")):
        configure(world, text)
        done = subprocess.run([SHADOW, "run", "--", "true"], cwd=world.project, env=bare, capture_output=True,
                              check=False)
        assert done.returncode == 125 and why.encode() in done.stderr, (text, done)
    world.env["SHADOW_STATE_DIR"] = world.home + "/kept"


def test_a_nameless_session_beside_named_ones_is_told(world):
    """A session `default` that begins in a project where others have names is told of once."""
    assert world.run("true").err == ""
    world.shadow("discard", "--yes")
    world.shadow("--as", "Assistant", "run", "--", "true")
    told = world.run("true")
    assert told.err.count("\n") == 1 and "'Assistant'" in told.err, told.err
    assert world.run("true").err == ""
    assert world.shadow("--as", "another", "run", "--", "true").err == ""


def test_first_login_is_kept(world):
    """What an agent program makes in its own place of the home at a first login is real."""
    world.shadow("run", "--profile", "agent", "--as", "claude", "--", "sh", "-c",
                 "echo k >~/.claude/.credentials.json; echo '{\"a\": 1}' >~/.claude.json")
    with open(world.home + "/.claude/.credentials.json", encoding="utf-8") as f:
        assert f.read() == "k\n"
    with open(world.home + "/.claude.json", encoding="utf-8") as f:
        assert json.load(f) == {"a": 1}
    assert [os.stat(world.home + name).st_mode & 0o777 for name in ("/.claude", "/.claude.json")] == [0o700, 0o600]
    assert not os.path.exists(world.home + "/.codex")
    told = world.shadow("run", "--profile", "agent", "--", "sh", "-c", "mkdir ~/.codex")
    assert ".codex" in told.err and not os.path.exists(world.home + "/.codex"), told
    assert world.shadow("run", "--profile", "agent", "--as", "x", "--", "true").err.count(".codex") == 0
    os.symlink(world.home, world.path("link"))
    told = world.shadow("run", "--profile", "agent", "--as", "y", "--", "sh", "-c", "mkdir ~/.gemini",
                        env={"HOME": world.path("link")})
    assert ".gemini" in told.err, told
    policy = json.loads(world.shadow("--json", "run", "--profile", "agent", "--print-policy").out)
    assert world.home + "/.codex" in policy["missing"] and world.home + "/.claude" not in policy["missing"], policy


def test_places_are_made_for_the_program_alone(world):
    """A file or an argument that is called like an agent program makes nothing in the home; npx and the like do; and a home
    that cannot be written is no reason to refuse the run."""
    world.write("claude.md", "text\n")
    for words in (["cat", "claude.md"], ["sh", "-c", "true", "codex.md"], ["true", "claude"]):
        world.shadow("run", "--profile", "agent", "--as", "x", "--", *words)
    assert not os.path.exists(world.home + "/.claude") and not os.path.exists(world.home + "/.codex")
    world.shadow("run", "--profile", "agent", "--as", "x", "--", "env", "codex", check=False)
    assert os.path.isdir(world.home + "/.codex")
    if os.geteuid() == 0:
        return
    os.chmod(world.home, 0o555)
    try:
        done = world.shadow("run", "--profile", "agent", "--as", "claude", "--", "echo", "works")
        assert done.out == "works\n" and "a login there stays in the session" in done.err, done
    finally:
        os.chmod(world.home, 0o755)


def test_kept_back_variables_are_named(world):
    """--print-policy names the variables of the environment that a run does not get."""
    env = {"ZAI_API_KEY": "k", "PLAIN": "p", "GONE": "g"}
    text = world.shadow("run", "--unset", "GONE", "--print-policy", env=env).out
    assert "keep back ZAI_API_KEY" in text and "keep back GONE" in text and "PLAIN" not in text, text
    kept = json.loads(world.shadow("--json", "run", "--env", "ZAI_API_KEY", "--print-policy", env=env).out)
    assert "ZAI_API_KEY" not in [one["name"] for one in kept["env_kept_back"]], kept


def in_view(world):
    """A command line for the view: the program, where a run can see it."""
    there = world.path("built")
    os.makedirs(there + "/src", exist_ok=True)
    for name in ("shadow", "shadow-review", "shadow-proxy"):
        if not os.path.exists(f"{there}/src/{name}"):
            os.link(f"{os.path.dirname(SHADOW)}/{name}", f"{there}/src/{name}") if \
                os.stat(SHADOW).st_dev == os.stat(there).st_dev and os.geteuid() == 0 else \
                subprocess.run(["cp", f"{os.path.dirname(SHADOW)}/{name}", f"{there}/src/"], check=True)
    return f"{there}/src/shadow"


def test_run_inside_a_run(world):
    """Inside a run `shadow run` runs the command in the same view; what it cannot hold it refuses."""
    world.write("f", "real\n")
    shadow = in_view(world)
    done = world.sh(f"{shadow} run -- sh -c 'echo new >f; exit 3'; echo $?; cat f; {shadow} run nowhere; echo $?; "
                    f"cd built; {shadow} -C .. --as default run --env A=b --net host -- sh -c 'echo $A $PWD'; "
                    f"cd /; {shadow} -C {world.project} run -- pwd")
    assert done.out == f"3\nnew\n127\nb {world.project}/built\n{world.project}\n", done
    assert world.read("f") == "real\n"
    for words in ("run --net none --", "run --memory 1G --", "run --hide /etc --", "run --only f --", "run --ro /etc --",
                  "run --rw /etc --", "run --timeout 1s --", "run --profile strict --", "--as other run --", "-C /etc run --",
                  "run --home=private --", "run --hide-secrets --"):
        done = world.sh(f"{shadow} {words} touch made; echo $?; ls made", check=False)
        assert done.out == "125\n" and "inside" in done.err, (words, done)


def test_inside_without_variables(world):
    """So it is for a client that passes few variables on, and where a start file names memory for the state."""
    shadow = in_view(world)
    for where in ("env -i PATH=$PATH HOME=$HOME", "env SHADOW_STATE_DIR=tmpfs"):
        done = world.shadow("--as", "an agent", "run", "--", "sh", "-c",
                            f"{where} {shadow} run -- sh -c 'echo new >g'; cat g; {where} {shadow} --as 'an agent' "
                            f"-C {world.project} run -- cat g; {where} {shadow} status; rm g", check=False)
        assert done.out == "new\nnew\n" and "inside of the session of 'an agent'" in done.err, (where, done)


def test_review_inside_a_run(world):
    """Inside a run every other command says where it is and leaves no state behind."""
    shadow = in_view(world)
    world.shadow("--as", "an agent", "run", "--", "true")
    before = world.shadow("--as", "an agent", "run", "--", "find", world.home).out
    for verb in ("status", "diff", "apply --yes", "discard --yes", "list", "log", "undo", "refresh", "gc", "doctor", "show 1"):
        done = world.shadow("--as", "an agent", "run", "--", "sh", "-c", f"{shadow} {verb}", check=False)
        assert done.returncode == 2 and "inside of the session of 'an agent'" in done.err, (verb, done)
    assert world.shadow("--as", "an agent", "run", "--", "find", world.home).out == before


def test_the_variable_alone_changes_nothing(world):
    """Outside of a run SHADOW_SESSION is only a variable: the command is isolated as ever."""
    world.write("f", "real\n")
    session = world.sh("echo $SHADOW_SESSION").out.strip()
    for value in (session, "x", "", "../../.."):
        world.run("sh", "-c", "echo new >f", env={"SHADOW_SESSION": value})
        assert world.read("f") == "real\n"
        assert "f" in world.shadow("status", "--porcelain", env={"SHADOW_SESSION": value}).out
        world.shadow("discard", "--yes")


def test_lectic_scripts_stay_out_of_commits(world):
    """`git add -A` in a script of a Lectic tool, or beside one, does not add the script."""
    world.git_project()
    world.write(".git/info/exclude", "mine\n")
    script = world.write(".lectic_script-0198", "echo x >x; : >mine; git add -A; git commit -qm work; git status --porcelain\n")
    assert world.run("bash", script).out == ""
    beside = world.sh("git add -A; git ls-files", env={"LECTIC_INTERLOCUTOR": "default"})
    assert beside.out.split() == ["a.txt", "x"], beside
    os.unlink(script)
    assert world.shadow("status", "--porcelain").out.count("exclude") == 0
    world.shadow("apply", "--yes")
    assert world.git("ls-files").stdout.split() == [b"a.txt", b"x"]
    assert world.git("status", "--porcelain").stdout == b""


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
