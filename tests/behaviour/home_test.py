# SPDX-License-Identifier: MIT
"""The home in a run, wherever it lies: read through where the kernel can, else an own one, and said."""

import json
import os
import shutil
import subprocess
import sys

import harness
from harness import SHADOW, NotHere, Skip, World

SOMEBODY = 64322  # no user has this number


def put(path, text="real\n"):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path


def outcome(world, around, *words, env=None, cwd=None):
    return subprocess.run([*around, SHADOW, *words], cwd=cwd or world.project,
                          env={**world.env, **(env or {})}, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=120, check=False)


def with_mount_at(world, point):
    """Words that start a program where something is mounted at `point`."""
    if os.geteuid() == 0:
        return ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs t "$0"; exec "$@"', point]
    if not shutil.which("bwrap"):
        raise Skip("bubblewrap is not installed")
    words = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--bind", world.tmp,
             world.tmp, "--tmpfs", point]
    tried = subprocess.run([*words, "true"], capture_output=True, text=True, check=False)
    if tried.returncode != 0:
        raise NotHere(f"bwrap does not work here: {tried.stderr.strip()}")
    return words


def check_private(world, around, why, env=None, cwd=None):
    """`auto` is `private`: --print-policy says so and why, runs do it without a word, log knows."""
    shown = outcome(world, around, "run", "--print-policy", env=env, cwd=cwd)
    (line,) = [line for line in shown.stdout.splitlines() if line.startswith("home ")]
    assert line.split()[1] == "private", shown.stdout
    assert "the home is private here" in shown.stderr and why in shown.stderr, shown.stderr
    shown = outcome(world, around, "--json", "run", "--print-policy", env=env, cwd=cwd)
    assert json.loads(shown.stdout)["home"]["value"] == "private", shown.stdout
    done = outcome(world, around, "run", "--", "sh", "-c", "cat ~/file; echo kept > ~/made", env=env,
                   cwd=cwd)
    assert done.returncode == 0 and done.stdout == "" and "file" in done.stderr, done
    assert outcome(world, around, "run", "--", "cat", os.path.join((env or world.env)["HOME"], "made"),
                   env=env, cwd=cwd).stdout == "kept\n"
    log = outcome(world, around, "--json", "log", env=env, cwd=cwd).stdout
    assert json.loads(log.splitlines()[0])["policy"]["home"] == "private", log
    refused = outcome(world, around, "--as", "named", "run", "--home=overlay", "--", "echo", "ran",
                      env=env, cwd=cwd)
    assert refused.returncode == 125 and refused.stdout == "", refused
    return refused


def check_overlay(world, around=(), env=None, cwd=None):
    """The home is read through and its secrets are masked; writes stay in the session."""
    home = (env or world.env)["HOME"]
    shown = outcome(world, around, "run", "--print-policy", env=env, cwd=cwd)
    (line,) = [line for line in shown.stdout.splitlines() if line.startswith("home ")]
    assert line.split()[1] == "auto" and shown.stderr == "", shown
    done = outcome(world, around, "run", "--", "sh", "-c",
                   f"cat {home}/file; echo more >> {home}/file; cat {home}/.ssh/key", env=env, cwd=cwd)
    assert done.stdout == "real\n" and "more" not in open(f"{home}/file", encoding="utf-8").read(), done
    assert outcome(world, around, "run", "--", "tail", "-n1", f"{home}/file", env=env,
                   cwd=cwd).stdout == "more\n"


def mounted(world, *words, **options):
    """A mount that root makes for the time of the test."""
    if os.geteuid() != 0:
        raise NotHere("only root mounts it; root's run of the suite proves it")
    done = subprocess.run(words, capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        raise NotHere(f"{words[0]}: {done.stderr.strip()}")

    class Unmount:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            world.wait_settled()
            subprocess.run(["umount", words[-1]], check=True)

    return Unmount()


def test_mount_below_the_home(world):
    """A home with a mount below it becomes a private one, and that is said with the mount's name."""
    put(os.path.join(world.home, "file"))
    point = os.path.join(world.home, "mnt")
    os.mkdir(point)
    around = with_mount_at(world, point)
    refused = check_private(world, around, point)
    assert point in refused.stderr and "--home=private" in refused.stderr, refused.stderr
    check = json.loads(outcome(world, around, "doctor", "--json").stdout)
    home = {one["name"]: one for one in check["findings"]}["home"]
    assert home["health"] == "degraded" and point in home["cause"], home


def test_home_on_what_the_kernel_refuses(world):
    """A home of which the kernel makes no overlay, one on two overlays here, becomes a private one."""
    script = ("set -e; mount -t tmpfs t \"$0\"; cd \"$0\"; mkdir l u w m u2 w2 home project; "
              "echo real > l/file; "
              "mount -t overlay o -o lowerdir=l,upperdir=u,workdir=w,userxattr m; "
              "mount -t overlay o -o lowerdir=m,upperdir=u2,workdir=w2,userxattr home; "
              "cd project; exec \"$@\"")
    around = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, world.project]
    if subprocess.run([*around, "true"], capture_output=True, check=False).returncode != 0:
        raise NotHere("overlays cannot be stacked here")
    # The mounts live as long as the words, so that all is done in one go.
    home = os.path.join(world.project, "home")
    done = subprocess.run([*around, sys.executable, __file__, "stacked"], capture_output=True,
                          text=True, env={**world.env, "HOME": home, "SHADOW": SHADOW}, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def stacked():
    class Here:
        env = dict(os.environ)
        project = os.getcwd()

    check_private(Here, [], "cannot mount overlay", env=Here.env)
    # What the kernel says of a state there ends a line, which is none of the message's.
    state = os.path.dirname(Here.project) + "/m/s"
    said = outcome(Here, [], "run", "--print-policy", env={**Here.env, "SHADOW_STATE_DIR": state})
    assert "upperdir" in said.stderr and "\\n" not in said.stderr, said


def test_home_on_fuse(world):
    """A home on FUSE is read through; a state there is refused with the mend."""
    below = {name: os.path.join(world.tmp, name) for name in ("lower", "upper", "work")}
    for path in below.values():
        os.mkdir(path)
    put(os.path.join(below["lower"], "file"))
    put(os.path.join(below["lower"], ".ssh/key"), "secret\n")
    if not shutil.which("fuse-overlayfs"):
        raise Skip("fuse-overlayfs is not installed")
    options = "lowerdir={lower},upperdir={upper},workdir={work}".format(**below)
    with mounted(world, "fuse-overlayfs", "-o", options, world.home):
        check_overlay(world)
        refused = world.shadow("run", "--", "true", check=False,
                               env={"SHADOW_STATE_DIR": os.path.join(world.home, "state")})
        assert refused.returncode == 125 and "FUSE" in refused.err, refused.err
        assert "SHADOW_STATE_DIR" in refused.err, refused.err


def test_home_without_attributes(world):
    """A home on a filesystem without extended attributes is read through."""
    with mounted(world, "mount", "-t", "ramfs", "ramfs", world.home):
        put(os.path.join(world.home, "file"))
        put(os.path.join(world.home, ".ssh/key"), "secret\n")
        check_overlay(world)


def test_home_that_is_partly_anothers(world):
    """What another user owns in the home is read where it may be, and a change of it fails alone."""
    if os.geteuid() != 0:
        raise NotHere("only root gives files away; root's run of the suite proves it")
    put(os.path.join(world.home, "file"))
    put(os.path.join(world.home, ".ssh/key"), "secret\n")
    theirs = put(os.path.join(world.home, "theirs/file"))
    closed = put(os.path.join(world.home, "closed/file"))
    os.chmod(os.path.dirname(closed), 0o700)
    os.chmod(theirs, 0o666)
    os.chmod(world.tmp, 0o755)
    for folder, folders, files in os.walk(world.tmp):
        mine = not folder.endswith(("theirs", "closed"))
        for name in [".", *folders, *files]:
            if mine and name not in ("theirs", "closed"):
                os.chown(os.path.join(folder, name), SOMEBODY, SOMEBODY, follow_symlinks=False)
    around = ["setpriv", f"--reuid={SOMEBODY}", f"--regid={SOMEBODY}", "--clear-groups"]
    if subprocess.run([*around, SHADOW, "--version"], capture_output=True, check=False).returncode != 0:
        raise NotHere("another user cannot execute the built program")
    check_overlay(world, around)
    done = outcome(world, around, "run", "--", "sh", "-c",
                   f"cat {theirs}; echo x >> {theirs}; cat {closed}; echo y > {world.home}/mine")
    assert done.stdout == "real\n" and done.returncode == 0, done
    assert done.stderr.count("Permission denied") + done.stderr.count("too large") >= 2, done.stderr
    assert open(theirs, encoding="utf-8").read() == "real\n"


def test_home_that_holds_project_and_state(world):
    """Project and state below the home, as by default: each is what it is, in every kind of home."""
    project = os.path.join(world.home, "src/project")
    os.makedirs(project)
    put(os.path.join(world.home, "file"))
    put(os.path.join(world.home, ".ssh/key"), "secret\n")
    put(os.path.join(world.home, "src/other"))
    env = {"HOME": world.home, "SHADOW_STATE_DIR": ""}
    check_overlay(world, env=env, cwd=project)
    state = os.path.join(world.home, ".local/state/shadow")
    assert os.path.isdir(os.path.join(state, "sessions"))
    for mode in ("auto", "overlay", "private", "ro"):
        script = (f"ls -A {state}; cat {state}/shadow.db; echo {mode} > made; cat made; pwd; "
                  f"ls {world.home}/src; echo x > {world.home}/src/stray; echo x > ../stray2")
        done = outcome(world, (), "--as", mode, "run", f"--home={mode}", "--", "sh", "-c", script,
                       env=env, cwd=project)
        assert done.stdout.startswith(f"{mode}\n{project}\n"), (mode, done)
        assert ("other" in done.stdout) == (mode != "private"), (mode, done)
        names = outcome(world, (), "--as", mode, "diff", "--name-only", env=env, cwd=project)
        assert names.stdout == "made\n", (mode, names)
    assert sorted(os.listdir(os.path.join(world.home, "src"))) == ["other", "project"]
    assert os.listdir(project) == []
    # The home itself is no project: its sessions would hold all others.
    refused = outcome(world, (), "run", "--", "true", env=env, cwd=world.home)
    assert refused.returncode == 125, refused


def as_root_beside(home, script):
    """Words that start a program as root of a machine on which somebody else has this home, made by this
    script; root's own is /root, which is the somebody's secret too."""
    words = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", "--mount"]
    made = "set -e; mount -t tmpfs none /home; mount -t tmpfs none /root; mkdir -p /root/.ssh; " \
        f"echo root >/root/.ssh/key; mkdir {home}; cd {home}; {script}"
    return [*words, "sh", "-c", f'{made}; cd "$0"; exec "$@"']


def test_root_sees_no_secrets_of_any_home(world):
    """A run of root's reads the secrets of no home, whoever's it is, and the rest of them all."""
    around = as_root_beside("/home/dev", """
        mkdir -p .ssh .aws bin dot/gnupg .config; echo key >.ssh/id_a; echo login >.netrc; echo c >.aws/credentials
        ln -s dot/gnupg .gnupg; echo ring >dot/gnupg/ring; ln -s / .kube; ln -s ../../usr .docker
        echo tool >bin/tool; ln -s /etc/passwd .npmrc""")
    read = "cat bin/tool; ls -A .ssh .aws dot/gnupg; cat .netrc .ssh/id_a .aws/credentials .gnupg/ring " \
        "/root/.ssh/key; ls /etc/passwd /usr/bin >/dev/null && echo intact"
    for home in ["auto", "private", "ro"]:
        done = outcome(world, [*around, world.project], "run", f"--home={home}", "--", "sh", "-c",
                       f"cd /home/dev && {read}")
        assert done.stdout == "tool\n.aws:\n\n.ssh:\n\ndot/gnupg:\nintact\n", (home, done)
        assert "key" not in done.stdout.replace(".ssh/key", "") and done.returncode == 0, done
    # What is asked for by name comes, as from the own home.
    done = outcome(world, [*around, world.project], "run", "--ro", "/home/dev/.netrc", "--rw", "/home/dev/.aws",
                   "--", "sh", "-c", "cat /home/dev/.netrc /home/dev/.aws/credentials; ls -A /home/dev/.ssh")
    assert (done.returncode, done.stdout) == (0, "login\nc\n"), done


def test_root_sees_no_secrets_of_homes_that_passwd_does_not_know(world):
    """Nor of a home of a directory service's, and of the owner of the project whom only a container has a name for."""
    if os.geteuid() != 0:
        raise harness.NotHere("only root has files of others")
    around = as_root_beside("/home/dev", """
        mount -t tmpfs none /srv; mkdir -p /home/EXAMPLE/alice/.ssh /srv/homes/bob/.ssh /srv/homes/bob/src/project
        echo key >/home/EXAMPLE/alice/.ssh/id_a; echo key >/srv/homes/bob/.ssh/id_b; echo f >/srv/homes/bob/src/file
        chmod 600 /home/EXAMPLE/alice/.ssh/id_a /srv/homes/bob/.ssh/id_b; chown -R 4242:4242 /home/EXAMPLE/alice /srv/homes/bob""")
    done = outcome(world, [*around, "/srv/homes/bob/src/project"], "run", "--", "sh", "-c",
                   "cat ../file; cat /home/EXAMPLE/alice/.ssh/id_a /srv/homes/bob/.ssh/id_b; echo end")
    assert (done.returncode, done.stdout) == (0, "f\nend\n"), done


def test_root_works_in_a_project_in_another_home(world):
    """A run of root's in somebody else's home has its project there, and still none of the secrets."""
    around = as_root_beside("/home/dev", """
        mkdir -p .ssh .config/shadow/project web; echo key >.ssh/id_a; echo a >web/a; echo b >.config/shadow/project/b""")
    for place, name in [("/home/dev/web", "a"), ("/home/dev/.config/shadow/project", "b")]:
        done = outcome(world, [*around, place], "run", "--", "sh", "-c",
                       f"cat {name}; echo new >made; cat made; ls -A /home/dev/.ssh")
        assert (done.returncode, done.stdout) == (0, f"{name}\nnew\n"), done


def test_another_home_while_live(world):
    """A run with another $HOME joins no live session: that home would lie there with all its secrets."""
    other = os.path.join(world.home, "..", "other home")
    put(os.path.join(other, ".ssh/key"), "secret\n")
    live = world.start("run", "--", "sh", "-c", "echo ready; read go", stdin=subprocess.PIPE,
                       stdout=subprocess.PIPE)
    assert live.stdout.readline() == b"ready\n"
    read = ("run", "--", "sh", "-c", "echo ran; cat ~/.ssh/key")
    for _ in range(2):
        done = world.shadow(*read, env={"HOME": other}, check=False)
        assert done.returncode == 125 and done.out == "" and "HOME" in done.err, done
    live.communicate(b"go\n", timeout=10)
    world.wait_settled()
    done = world.shadow(*read, env={"HOME": other}, check=False)
    assert done.out == "ran\n", done


def linked_tree(world):
    """A work tree that is linked to the project's repository; the commits that a run sees there."""
    world.git_project()
    tree = os.path.join(world.tmp, "tree")
    world.git("worktree", "add", "-q", tree)
    return lambda *policy: world.shadow("run", *policy, "--", "git", "log", "--format=%s", cwd=tree).out


def test_another_home_over_a_main_repository(world):
    """A run with another home than the live session's has the main repository that lies in the home all the same."""
    world.home = world.env["HOME"] = world.tmp
    log = linked_tree(world)
    live = world.start("run", "--", "sh", "-c", "echo ready; read go", cwd=os.path.join(world.tmp, "tree"),
                       stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert live.stdout.readline() == b"ready\n"
    assert log("--home=private") == "begin\n"
    live.communicate(b"go\n", timeout=10)


def test_below_a_tmp_of_another_size(_world):
    """Where --tmp-size covers /tmp, a run has its home, its project and its main repository that lie there."""
    world = World(base="/tmp")
    try:
        put(os.path.join(world.home, ".gitconfig"), "[user]\n")
        words = ("run", "--home=private", "--tmp-size=8M", "--", "sh", "-c")
        world.shadow(*words, "echo kept >~/own; echo new >made")
        world.wait_settled()
        told = world.shadow(*words, "cat ~/own ~/.gitconfig made; ls /tmp | wc -l").out
        assert told == "kept\n[user]\nnew\n1\n", told
        assert linked_tree(world)("--tmp-size=8M") == "begin\n"
    finally:
        world.close()


def test_what_a_run_puts_in_the_place_of_a_tool(world):
    """In a private home a run keeps what it put where a tool comes later; the rest is shown."""
    words = ("run", "--home=private", "--", "sh", "-c")
    world.shadow(*words, "ln -s / ~/go; echo own > ~/.volta; ln -s /etc/passwd ~/.gitconfig")
    put(os.path.join(world.home, "go/bin/tool"))
    put(os.path.join(world.home, ".volta/bin/tool"))
    put(os.path.join(world.home, ".cargo/bin/tool"), "cargo\n")
    put(os.path.join(world.home, ".gitconfig"), "[user]\n")
    world.wait_settled()
    done = world.shadow(*words, "readlink ~/go; cat ~/.volta ~/.cargo/bin/tool ~/.gitconfig; "
                        "echo x > ~/.gitconfig", check=False)
    assert done.out == "/\nown\ncargo\n[user]\n" and "Read-only" in done.err, done


def test_state_in_memory_below_the_home(world):
    """A state on tmpfs does for a home on a disk, and the other way round."""
    put(os.path.join(world.home, "file"))
    put(os.path.join(world.home, ".ssh/key"), "secret\n")
    state = "/dev/shm/" + os.path.basename(world.tmp)
    os.mkdir(state, 0o700)
    try:
        if not harness.tmpfs_holds_attributes():
            harness.refused_on_tmpfs(world, state)
            return
        check_overlay(world, env={"HOME": world.home, "SHADOW_STATE_DIR": state})
        world.shadow("discard", "--yes", env={"SHADOW_STATE_DIR": state})
    finally:
        world.state = state
        world.wait_settled()  # the session is still being deleted
        subprocess.run(["chmod", "-R", "u+rwx", state], check=True)
        shutil.rmtree(state)


if __name__ == "__main__":
    if sys.argv[1:] == ["stacked"]:
        stacked()
    else:
        harness.main(sys.modules[__name__])
