# SPDX-License-Identifier: MIT
"""Sandboxes inside a run: what agent programs build around their own commands."""

import os
import shutil
import subprocess
import sys

import harness
from harness import NotHere, Skip

# Prints the writable mounts that would have a second name which leads nowhere: "POINT NAME". As
# programs find them that want to hide a directory under all its names: another mount of the same
# filesystem that shows a directory at or above this one's root.
SECOND_NAMES = r"""
import os, re
def plain(text):
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), text)
mounts = []
for line in open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape"):
    words = line.split(" ")
    mounts.append((words[2], plain(words[3]), plain(words[4]), "rw" in words[5].split(",")))
for device, root, point, writable in mounts:
    for other, above, place, _ in mounts:
        if not writable or other != device or not (root + "/").startswith(above.rstrip("/") + "/"):
            continue
        name = os.path.normpath(place + "/" + root[len(above.rstrip("/")):])
        if name != point and not (os.path.exists(name) and os.path.samefile(name, point)):
            print(point, name)
"""


def test_no_mount_points_elsewhere(world):
    """No mount of a run names a place that is not there: /tmp and the home have one name each."""
    world.git_project()
    for options in ([], ["--home=private"], ["--home=ro"], ["--profile", "agent"], ["--rw", world.home + "/kept"]):
        os.makedirs(world.home + "/kept", exist_ok=True)
        found = world.shadow("--as", "of " + " ".join(options), "run", *options, "--", "python3", "-c", SECOND_NAMES)
        assert found.out == "", (options, found.out)


def test_state_is_not_named_as_a_root(world):
    """The mounts' roots do not tell where the state lies, in a linked work tree neither."""
    world.git_project()
    main, world.project = world.project, os.path.join(world.tmp, "tree")
    world.git("worktree", "add", "-q", "-b", "side", world.project, cwd=main)
    for options in ([], ["--home=private"]):
        roots = world.shadow("--as", "of " + " ".join(options), "run", *options, "--", "cut", "-d ", "-f4",
                             "/proc/self/mountinfo")
        assert world.state not in roots.out, roots.out


def test_tmp_is_kept_as_before(world):
    """What an earlier version kept in /tmp, /var/tmp and a private home is still there."""
    world.shadow("run", "--home=private", "--", "sh", "-c", "echo t >/tmp/f; echo v >/var/tmp/f; echo h >~/f")
    world.wait_settled()
    sessions = os.path.join(world.state, "sessions")
    session = os.path.join(sessions, os.listdir(sessions)[0])
    for layer, former in (("temporary", "tmp"), ("home-private", "private-home")):
        os.rename(f"{session}/{layer}/upper", f"{session}/{former}")
        subprocess.run(["chmod", "-R", "u+rwx", f"{session}/{layer}"], check=True)
        shutil.rmtree(f"{session}/{layer}")
    found = world.shadow("run", "--home=private", "--", "sh", "-c", "cat /tmp/f /var/tmp/f ~/f")
    assert found.out == "t\nv\nh\n", found


def test_tmp_is_an_ordinary_directory(world):
    """In /tmp directories can be renamed, links, sockets and pipes made, and it is sticky."""
    world.sh("""set -e
        cd /tmp; mkdir a a/b; mv a c; : >c/b/f; ln c/b/f g; mkfifo p
        python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.bind("/tmp/s"); s.listen()'
        rm -r c; test "$(cat g)" = ""; test "$(stat -c %a /tmp /var/tmp)" = "$(printf '1777\\n1777')" """)
    assert world.sh("cd /tmp; ls -d g p s c 2>/dev/null", check=False).out.split() == ["g", "p", "s"]


def bubblewrap():
    if not shutil.which("bwrap"):
        raise Skip("bwrap is not installed")
    if os.geteuid() == 0:
        raise NotHere("root has no rights in its run with which it could map itself; proved as a user")


def test_bubblewrap_works_inside(world):
    """bwrap works in a run in the forms that agent programs use, --unshare-all among them."""
    bubblewrap()
    for form in ("--unshare-all --ro-bind / / --dev /dev --proc /proc",
                 "--unshare-all --share-net --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --die-with-parent",
                 "--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try "
                 "--new-session --ro-bind / / --dev /dev --proc /proc --bind $PWD $PWD",
                 "--unshare-net --dev-bind / / --proc /proc",
                 "--unshare-user --dev-bind / / --tmpfs /tmp/hidden --perms 000"):
        done = world.sh(f"mkdir -p /tmp/hidden; exec bwrap {form} true", check=False)
        assert done.returncode == 0 and done.err == "", (form, done)


def test_bubblewrap_hides_what_it_hides(world):
    """A directory of /tmp that bwrap masks in a run is masked, and the project is what it binds."""
    bubblewrap()
    world.write("f", "real\n")
    done = world.sh("mkdir /tmp/secret; echo s >/tmp/secret/s; exec bwrap --unshare-all --ro-bind / / --dev /dev "
                    "--proc /proc --bind $PWD $PWD --perms 000 --tmpfs /tmp/secret sh -c "
                    "'cat /tmp/secret/s; echo new >f; echo no >/tmp/other; cat f'", check=False)
    assert done.out == "new\n" and world.read("f") == "real\n", done


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
