# SPDX-License-Identifier: MIT
"""Attacks of one run of a session on the next, or on one that joins it."""

import fcntl
import os
import socket
import subprocess

import harness

LATER = "open: Secrets that appear during a run"
# What undoes a mask: a file or directory of one's own over the whiteout, and away with it.
LIFT = ("touch ~/.netrc ~/.config/hub; rm ~/.netrc ~/.config/hub; mkdir ~/.aws ~/.config/gh; "
        "rmdir ~/.aws ~/.config/gh; rm -rf ~/.kube ~/.local; mkdir -p ~/.local/share; ")
CLOSE = "touch ~/.netrc ~/.config/hub; rm ~/.netrc ~/.config/hub; chmod 0 ~/.config ~; "
SECRETS = (".netrc", ".config/hub", ".aws/credentials", ".config/gh/hosts.yml", ".kube/config",
           ".local/share/keyrings/login.keyring")
READ = "for f in " + " ".join(f"~/{name}" for name in SECRETS) + "; do cat $f 2>/dev/null || :; done; "


class Live:
    """A run that does `script`, and then `after` once it is told to."""

    def __init__(self, world, script, after, *options, cwd=None, env=None):
        self.run = world.start("run", *options, "--", "sh", "-c",
                               f"{script} echo ready; read go; {after} true", cwd=cwd, env=env,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
        assert self.run.stdout.readline() == b"ready\n"

    def end(self):
        out, _ = self.run.communicate(b"go\n", timeout=20)
        return out.decode(errors="backslashreplace")


def tell_secrets(world):
    for name in SECRETS:
        path = os.path.join(world.home, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write("secret\n")


def lift_masks(world):
    """The home's masks hold for what the user puts there later, whatever runs did about them."""
    for folder in (".config", ".local/share"):
        os.makedirs(os.path.join(world.home, folder))
    world.run("true")
    world.sh(LIFT)
    world.sh(CLOSE)
    live = Live(world, LIFT, READ)
    elsewhere = Live(world, LIFT, READ, "--home=private")
    alone = Live(world, LIFT, READ, env={"SHADOW_INTERLOCUTOR": "alone"})
    tell_secrets(world)
    joining = world.sh(READ).out
    private = elsewhere.end()
    seen = alone.end()
    live.end()
    later = world.sh("chmod u+rwx ~ ~/.config; " + READ).out
    return [("read a secret made after its mask was lifted", "the next run", later == "", later),
            ("read a secret made after its mask was lifted", "a run that joins", joining == "",
             joining),
            ("read a secret made after its mask was lifted", "--home=private", private == "",
             private),
            ("read a secret made after its mask was lifted", "the run that lifted it", LATER,
             "OK" if seen else "held")]


def lead_astray(world):
    """Where its parents are a run's own, a run may move the view; another one does not go along."""
    project = os.path.join(world.home, "src/project")
    os.makedirs(project)
    here = {"cwd": project}
    results = []
    for target in ("/dev", "/", "../src-away/project"):
        world.shadow("run", "--home=private", "--", "true", **here)
        live = Live(world, f"cd ~; mv src src-away; mkdir src; ln -s {target} src/project;",
                    "grep ' /dev ' /proc/self/mountinfo | tail -n 1;", "--home=private", **here)
        joined = world.shadow("run", "--home=private", "--", "sh", "-c", "echo ran in $(ls)",
                              check=False, **here)
        out = live.end()
        held = joined.returncode == 125 and joined.out == "" and "ro," in out
        results.append(("have another run join elsewhere", f"mv the view away, ln -s {target}",
                        held, f"{joined.out}{joined.err}{out}"))
        world.wait_settled()
        after = world.shadow("run", "--home=private", "--", "echo", "ran", check=False, **here)
        results.append(("have the next run start elsewhere", f"ln -s {target} is still there",
                        after.returncode == 125 and after.out == "" and "discard" in after.err,
                        after.err))
        world.shadow("discard", "--yes", **here)
    return results


def directory_as_stream(world):
    """A directory as 0, 1 or 2 would be the real tree, and what is above it."""
    results = []
    for number, redirection in ((0, "<."), (1, "1<."), (2, "2<.")):
        done = subprocess.run(
            ["sh", "-c", f"\"$0\" run -- sh -c 'for n in 0 1 2; do "
             f"echo x > /proc/self/fd/$n/escaped; done' {redirection}", harness.SHADOW],
            cwd=world.project, env=world.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL, check=False)
        results.append(("write by a directory that was handed over", f"descriptor {number}",
                        done.returncode == 125 and os.listdir(world.project) == [],
                        f"status {done.returncode}, {os.listdir(world.project)}"))
    return results


def link_in_writable_path(world):
    """What --rw makes writable holds links that a run made: no other rule follows one out of it."""
    shared = os.path.join(world.tmp, "shared")
    target = os.path.join(world.tmp, "target")
    for folder in (shared, target, os.path.join(shared, "part")):
        os.mkdir(folder)
    world.shadow("run", "--rw", shared, "--", "sh", "-c",
                 f"rmdir {shared}/part; ln -s {target} {shared}/part")
    done = world.shadow("run", "--rw", shared, "--rw", f"{shared}/part", "--", "sh", "-c",
                        f"echo x > {shared}/part/escaped", check=False)
    return [("have --rw follow a link of one's own", "rmdir, ln -s below another --rw",
             done.returncode == 125 and os.listdir(target) == [], done.err)]


def renamed_in_writable_path(world):
    """A mask in what --rw makes writable lasts for its run: a real directory can be renamed."""
    shared = os.path.join(world.tmp, "shared")
    os.makedirs(os.path.join(shared, "deep"))
    secret = os.path.join(shared, "deep/secret")
    with open(secret, "w", encoding="utf-8") as f:
        f.write("secret\n")
    words = ("run", "--rw", shared, "--hide", secret, "--", "sh", "-c")
    now = world.shadow(*words, f"mv {shared}/deep {shared}/moved; cat {shared}/moved/secret").out
    later = world.shadow(*words, f"cat {shared}/moved/secret").out
    return [("move what is hidden below --rw", "mv of its directory, same run", now == "", now),
            ("move what is hidden below --rw", "mv of its directory, next run",
             "open: Paths named with --rw", "OK" if later else "held")]


def replaced_outside(world):
    """A program that writes a login anew replaces its file; a mount on the old one goes with that."""
    results = []
    shared = os.path.join(world.tmp, "shared")
    os.mkdir(shared)
    words = {"--home=overlay": ("held", os.path.join(world.home, ".netrc")),
             "--home=ro": ("held", os.path.join(world.home, ".netrc")),
             "--hide of its directory": ("held", os.path.join(shared, "secret")),
             "--hide of the file": ("open: Hidden files that are replaced",
                                    os.path.join(shared, "secret"))}
    for how, (expected, secret) in words.items():
        options = [how] if how.startswith("--home") else \
            ["--ro", shared, "--hide", shared if "directory" in how else secret]
        with open(secret, "w", encoding="utf-8") as f:
            f.write("old\n")
        live = Live(world, f"cat {secret};", f"cat {secret};", *options,
                    env={"SHADOW_INTERLOCUTOR": how})
        with open(secret + ".new", "w", encoding="utf-8") as f:
            f.write("secret\n")
        os.rename(secret + ".new", secret)
        seen = live.end()
        results.append(("read a masked file that was replaced", how, expected,
                        "OK" if seen else "held"))
    later = os.path.join(shared, "later")
    live = Live(world, "", f"cat {later};", "--ro", shared, "--hide", later,
                env={"SHADOW_INTERLOCUTOR": "later"})
    with open(later, "w", encoding="utf-8") as f:
        f.write("secret\n")
    results.append(("read a hidden file that was not there", "--hide of the file",
                    "open: Hidden files that are replaced", "OK" if live.end() else "held"))
    return results


def link_instead_of_file(world):
    """What a policy names inside of the project is what the view has there, and no link of a run."""
    world.write("file", "real\n")
    world.write("part/file", "real\n")
    with open(os.path.join(world.home, "private"), "w", encoding="utf-8") as f:
        f.write("secret\n")
    world.sh("mv part moved; rm file; ln -s ~/private file; ln -s ~ part")
    results = []
    for option, name in (("--only", "file"), ("--only", "part/file"), ("--ro", "part"),
                         ("--ro", "part/file")):
        done = world.shadow("run", option, name, "--", "sh", "-c", f"echo ran; cat {name}",
                            check=False)
        results.append(("have an option follow a link in the view", f"{option} {name}",
                        done.returncode == 125 and done.out == "", done.out + done.err))
    return results


def borrow_network(world):
    """A run without network asks one that has it, by a FIFO of the view they share."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        listener.settimeout(5)
        port = listener.getsockname()[1]
        script = f"exec 9<>/dev/tcp/127.0.0.1/{port}"
        alone = world.shadow("run", "--net=none", "--", "bash", "-c", script, check=False)
        world.sh("mkfifo wire")
        lender = world.start("run", "--", "bash", "-c", f"read line < wire; {script}",
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        world.shadow("run", "--net=none", "--", "bash", "-c", "echo hello > wire")
        lender.wait(timeout=10)
        try:
            listener.accept()[0].close()
            reached = "OK"
        except TimeoutError:
            reached = "held"
        # Another session has nothing to share.
        other = {"SHADOW_INTERLOCUTOR": "other"}
        seen = world.sh("ls", env=other).out
    return [("use the network", "--net=none, alone", alone.returncode != 0),
            ("use the network of another session's run", "a FIFO of the view", "wire" not in seen),
            ("use the network of another run of the session", "a FIFO of the view",
             "open: Another run of the session", reached)]


def lock_outside(world):
    """Who may read a file may lock it."""
    path = os.path.realpath("/bin/sh")  # which every run sees
    with open(path, "rb") as f:
        live = Live(world, f"exec 9<{path}; flock 9;", "")
        try:
            fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
            held = True
        except BlockingIOError:
            held = False
        live.end()
    return [("lock a file outside", "flock of a descriptor for reading",
             "open: Side channels and denial of service", "held" if held else "OK")]


ATTACKS = [lift_masks, lead_astray, directory_as_stream, link_in_writable_path,
           renamed_in_writable_path, replaced_outside, link_instead_of_file, borrow_network,
           lock_outside]
