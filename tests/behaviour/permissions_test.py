# SPDX-License-Identifier: MIT
"""Rights: an apply, an undo and a refresh never widen what others may do with a file.

ACLs that can be kept are kept, as are groups; where not, the narrower form is taken.
"""

import os
import shutil
import stat
import subprocess
import sys

import harness
from container import mapped_root
from dialogue import Terminal
from harness import NotHere
from shows import project, refused

OTHER = "daemon"  # a user and a group that every system has, and that is not the caller's


def acl(path):
    """The entries of both ACLs, numeric."""
    out = subprocess.run(["getfacl", "-cnp", path], stdout=subprocess.PIPE, check=True).stdout
    return sorted(line.split("\t")[0] for line in out.decode().split("\n") if line)


def setfacl(*words):
    if shutil.which("setfacl") is None:
        raise harness.Skip("no setfacl(1)")
    subprocess.run(["setfacl", *words], check=True)


def mode(path):
    return stat.S_IMODE(os.lstat(path).st_mode)


def shared_file(world, name="f", content="one\ntwo\n"):
    """The owning group may read, somebody else may write: the mask says more than the group has."""
    path = world.write(name, content, 0o644)
    setfacl("-m", f"u:{OTHER}:rw", path)
    assert mode(path) == 0o664, oct(mode(path))
    return path


def test_edited_file_keeps_its_acl(world):
    """A file with an ACL that names others is applied as any other, and keeps the ACL."""
    path = shared_file(world)
    before = acl(path)
    world.sh("echo three >>f")
    assert "ACL" not in world.shadow("status").out
    world.shadow("apply", "--yes")
    assert world.read("f") == "one\ntwo\nthree\n"
    assert acl(path) == before, acl(path)
    world.shadow("undo")
    assert world.read("f") == "one\ntwo\n"
    assert acl(path) == before, acl(path)


def test_replaced_file_keeps_its_acl(world):
    """sed -i, and removing a file and making it anew, cannot take the ACL along: the project's stays."""
    for script in ("sed -i s/one/ONE/ f", "rm f; echo new >f; chmod 664 f",
                   "echo new >t; chmod 664 t; mv t f"):
        path = shared_file(world)
        before = acl(path)
        world.sh(script)
        world.shadow("apply", "--yes")
        assert acl(path) == before, (script, acl(path))
        world.shadow("undo")
        assert acl(path) == before, (script, acl(path))
        world.shadow("discard", "--yes")


def test_mode_narrows_a_kept_acl(world):
    """chmod in the view does to the ACL what it does in the project: it sets the mask."""
    path = shared_file(world)
    world.sh("echo x >>f; chmod 600 f")
    world.shadow("apply", "--yes")
    assert mode(path) == 0o600
    assert "mask::---" in acl(path), acl(path)
    world.shadow("undo")
    assert mode(path) == 0o664 and "mask::rw-" in acl(path)


def test_directory_with_default_acl(world):
    """In a directory whose ACL is handed down, new files and directories arrive with it."""
    for name in ("d", "like"):
        os.mkdir(world.path(name))
        setfacl("-m", f"d:u:{OTHER}:rwx,d:g::r-x,d:o::---", world.path(name))
    world.write("d/old", "a\n")
    assert any(line.startswith("user:") and not line.startswith("user::") for line in acl(world.path("d/old")))
    world.write("like/file", "n\n")
    os.mkdir(world.path("like/dir"))
    seen = {"new": acl(world.path("like/file")), "sub": acl(world.path("like/dir"))}
    world.sh("echo b >>d/old; echo n >d/new; mkdir -p d/sub/deep; echo m >d/sub/deep/m")
    before = acl(world.path("d/old"))
    world.shadow("apply", "--yes")
    assert acl(world.path("d/old")) == before
    assert acl(world.path("d/new")) == seen["new"], acl(world.path("d/new"))
    assert acl(world.path("d/sub")) == seen["sub"], acl(world.path("d/sub"))
    assert acl(world.path("d/sub/deep/m")) == seen["new"]


def test_deleted_and_undone(world):
    """Undo brings back what an apply deleted with its ACL, a directory's default ACL too."""
    path = shared_file(world)
    os.mkdir(world.path("d"))
    setfacl("-m", f"d:u:{OTHER}:rwx", world.path("d"))
    setfacl("-m", f"g:{OTHER}:r-x", world.path("d"))
    world.write("d/in", "x\n")
    before = {name: acl(world.path(name)) for name in ("f", "d", "d/in")}
    world.sh("rm -r f d")
    world.shadow("apply", "--yes")
    assert not os.path.exists(path)
    world.shadow("undo")
    for name, entries in before.items():
        assert acl(world.path(name)) == entries, (name, acl(world.path(name)))


def test_acl_set_in_the_view_is_a_change(world):
    """setfacl on a file in the view is shown as a change, arrives, and can be undone."""
    world.write("f", "x\n", 0o640)
    uid = os.getuid()
    world.sh(f"setfacl -m u:{uid}:r f")
    status = world.shadow("status").out
    assert "ACL changed" in status, status
    assert world.shadow("status", "--json").out.count('"acl_changed": true') or \
        '"acl_changed":true' in world.shadow("status", "--json").out
    before = acl(world.path("f"))
    world.shadow("apply", "--yes")
    assert f"user:{uid}:r--" in acl(world.path("f")), acl(world.path("f"))
    assert world.shadow("status").out.count("ACL") == 0
    world.shadow("undo")
    assert acl(world.path("f")) == before


def test_new_file_with_an_acl(world):
    """A new file's ACL arrives with it; the mask never becomes the right of the group."""
    uid = os.getuid()
    world.sh(f"echo k >k; chmod 640 k; setfacl -m u:{uid}:rwx k; stat -c %a k")
    world.shadow("apply", "--yes")
    entries = acl(world.path("k"))
    assert "group::r--" in entries and f"user:{uid}:rwx" in entries, entries


def test_removed_acl_leaves_the_group_what_it_had(world):
    """Where the session's file has no ACL any more, the group gets its own rights, not the mask's."""
    path = shared_file(world)
    world.write("plain", "p\n", 0o664)
    world.sh("mv plain f")
    assert "ACL changed" in world.shadow("status").out
    result = world.shadow("apply", "--yes")
    assert mode(path) == 0o644, oct(mode(path))
    assert "narrow" in result.out + result.err, result.out + result.err


def test_setfacl_minus_b(world):
    """setfacl -b in the view takes the ACL away in the project."""
    world.write("f", "x\n", 0o640)
    setfacl("-m", f"u:{os.getuid()}:rw", world.path("f"))
    world.sh("setfacl -b f")
    world.shadow("apply", "--yes")
    assert len(acl(world.path("f"))) == 3, acl(world.path("f"))
    assert mode(world.path("f")) == 0o640


def test_refresh_with_an_acl(world):
    """A refresh merges a file with an ACL as any other; the view's file keeps it."""
    path = shared_file(world, content="1\n2\n3\n4\n5\n6\n7\n8\n")
    world.run("true")
    world.wait_settled()
    world.sh("sed s/^8$/eight/ f >t; cat t >f; rm t; echo 9 >>f")
    world.wait_settled()
    with open(path, "r+", encoding="ascii") as real:
        text = real.read().replace("1\n", "one\n", 1)
        real.seek(0)
        real.truncate()
        real.write(text)
    before = acl(path)
    world.shadow("refresh")
    world.shadow("apply", "--yes")
    assert world.read("f") == "one\n2\n3\n4\n5\n6\n7\neight\n9\n", world.read("f")
    assert acl(path) == before


def test_parts_of_a_file_with_an_acl(world):
    """apply -p and discard -p write a part of such a file, ACL kept."""
    lines = "".join(f"{i}\n" for i in range(1, 41))
    path = shared_file(world, content=lines)
    before = acl(path)
    world.sh("sed -e s/^2$/two/ -e s/^39$/end/ f >t; cat t >f; rm t")
    world.shadow("apply", "-p", stdin=b"y\nn\n")
    assert "two\n" in world.read("f") and "39\n" in world.read("f")
    assert acl(path) == before
    world.shadow("discard", "-p", stdin=b"n\ny\n", check=False)
    assert acl(path) == before


def test_set_id_bits_never_come(world):
    """Setuid and setgid bits that a session adds stay behind, and status and apply say so."""
    world.write("f", "a\n")
    world.sh("cp f g; chmod 4755 g; cp f h; chmod 2755 h; mkdir d; chmod 2755 d; chmod 6755 f")
    status = world.shadow("status").out
    assert status.count("without its set") >= 4, status
    dry = world.shadow("apply", "-n").out
    assert "without its setuid bit" in dry, dry
    world.shadow("apply", "--yes")
    for name in ("f", "g", "h", "d"):
        assert mode(world.path(name)) == 0o755, (name, oct(mode(world.path(name))))
    assert "without" not in world.shadow("status").out


def test_set_id_bits_of_the_user_stay(world):
    """What had a setuid bit gets it back by an undo of its deletion."""
    world.write("f", "a\n", 0o4755)
    os.mkdir(world.path("d"))
    os.chmod(world.path("d"), 0o2775)
    world.sh("rm f; rmdir d")
    world.shadow("apply", "--yes")
    world.shadow("undo")
    assert mode(world.path("f")) == 0o4755
    assert mode(world.path("d")) == 0o2775


def test_capabilities_stay_behind(world):
    """File capabilities given in a view never arrive, and that is said."""
    world.write("tool", "#!/bin/true\n", 0o755)
    done = world.sh("unshare -Ur setcap cap_net_raw+ep tool && cp tool new && "
                    "unshare -Ur setcap cap_net_raw+ep new", check=False)
    if done.returncode != 0:
        raise NotHere("no way to give a file capabilities in a view here: " + done.err)
    status = world.shadow("status").out
    assert status.count("without its capabilities") == 2, status
    world.shadow("apply", "--yes")
    for name in ("tool", "new"):
        assert "security.capability" not in os.listxattr(world.path(name))
    assert "capabilities" not in world.shadow("status").out


def test_setgid_directory_gives_its_group(world):
    """A new file in a setgid directory gets the directory's group, as one that is made there."""
    if os.getuid() != 0:
        raise NotHere("another group is what root can give")
    os.mkdir(world.path("d"))
    os.chown(world.path("d"), -1, 1)
    os.chmod(world.path("d"), 0o2775)
    world.sh("echo n >d/n; mkdir -p d/sub/deep; echo m >d/sub/deep/m")
    world.shadow("apply", "--yes")
    for name in ("d/n", "d/sub", "d/sub/deep", "d/sub/deep/m"):
        assert os.lstat(world.path(name)).st_gid == 1, name
    assert mode(world.path("d/sub/deep")) & 0o2000


def test_group_of_many(world):
    """A file of one of the caller's other groups stays that group's: edited, deleted and undone."""
    if os.getuid() != 0:
        raise NotHere("only root can say who is in which group")
    user, group = 65533, 65532
    path = world.write("f", "a\n", 0o640)
    subprocess.run(["chown", "-R", f"{user}:{user}", world.tmp], check=True)
    os.chown(path, user, group)
    os.chmod(world.tmp, 0o755)
    as_user = ["setpriv", f"--reuid={user}", f"--regid={user}", f"--groups={group}"]

    def shadow(*words):
        done = subprocess.run([*as_user, harness.SHADOW, *words], cwd=world.project, env=world.env,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        assert done.returncode == 0, done.stdout.decode()

    shadow("run", "--", "sh", "-c", "cat f >t; rm f; echo b >>t; mv t f; chmod 640 f")
    shadow("apply", "--yes")
    assert world.read("f") == "a\nb\n"
    assert (os.lstat(path).st_gid, mode(path)) == (group, 0o640), os.lstat(path)
    shadow("run", "--", "sh", "-c", "rm f")
    shadow("apply", "--yes")
    shadow("undo")
    assert (os.lstat(path).st_gid, mode(path)) == (group, 0o640), os.lstat(path)


def test_group_that_cannot_be_kept(world):
    """Where a file cannot have its group again, its rights do not go to another one."""
    if os.getuid() != 0:
        raise NotHere("only root can give a file to a group that its owner is not in")
    user, group = 65533, 65532
    path = world.write("f", "a\n", 0o660)
    subprocess.run(["chown", "-R", f"{user}:{user}", world.tmp], check=True)
    os.chown(path, user, group)
    os.chmod(world.tmp, 0o755)
    as_user = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
    for words in (["run", "--", "sh", "-c", "cat f >t; rm f; echo b >>t; mv t f; chmod 660 f"], ["apply", "--yes"]):
        done = subprocess.run([*as_user, harness.SHADOW, *words], cwd=world.project, env=world.env,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        assert done.returncode == 0, done.stdout.decode()
    assert b"narrow" in done.stdout, done.stdout
    assert world.read("f") == "a\nb\n"
    assert (os.lstat(path).st_gid, mode(path)) == (user, 0o600), oct(mode(path))


def test_directories_as_they_were_shown(w):
    """The mode of a directory, of a FIFO, and a directory's ACL are bound as they were told; what was never told is
    counted in the question."""
    project(w)
    os.mkdir(w.path("d"), 0o700)
    os.mkdir(w.path("e"), 0o700)
    w.write("d/x", "1\n")
    w.write("e/x", "1\n")
    w.sh("chmod 750 d; mkdir new; echo 1 >new/x; mkfifo p; chmod 600 p")
    assert "d/ (mode 700 became 750)" in w.shadow("diff").err
    w.sh("chmod 777 d new; chmod 666 p")
    refused(w, names=("d", "new", "p"))
    assert "d/ (mode 700 became 777)" in w.shadow("diff").err
    w.shadow("apply", "--yes")
    assert [os.stat(w.path(name)).st_mode & 0o777 for name in ("d", "new", "p")] == [0o777, 0o777, 0o666]
    w.sh("chmod 770 d")
    w.shadow("apply", "-n", "--diff")
    w.sh("chmod 707 d; chmod 705 e")
    refused(w, names=("d",))
    w.shadow("diff", "d")
    terminal = Terminal(w, "apply")
    assert "(1 of 2 was never shown)" in terminal.until("[y/N] ")
    os.write(terminal.fd, b"y\n")
    assert terminal.end()[1] == 0
    assert os.stat(w.path("d")).st_mode & 0o777 == 0o707
    if shutil.which("setfacl") is None:
        return
    uid = os.geteuid()
    w.sh(f"setfacl -d -m u:{uid}:rwx d; setfacl -m u:{uid}:r-x e")
    shown = w.shadow("diff").out
    assert "# attributes of d: default ACL " in shown and "# attributes of e: ACL " in shown, shown
    w.sh("setfacl -d -m o::--- d; setfacl -m o::rwx e")
    refused(w, names=("d", "e"))
    w.shadow("diff")
    w.shadow("apply", "--yes")
    assert "system.posix_acl_default" in os.listxattr(w.path("d"))


def test_undo_of_a_chmod(world):
    """A chmod is undone exactly, on files and directories."""
    world.write("f", "a\n", 0o640)
    os.mkdir(world.path("d"), 0o750)
    os.chmod(world.path("d"), 0o750)
    world.sh("chmod 755 f d")
    world.shadow("apply", "--yes")
    assert (mode(world.path("f")), mode(world.path("d"))) == (0o755, 0o755)
    world.shadow("undo")
    assert (mode(world.path("f")), mode(world.path("d"))) == (0o640, 0o750)


def test_a_project_that_cannot_be_written(w):
    """What an apply could not write, make or take away it names by the path that the user knows."""
    w.write("f", "old\n")
    w.write("g", "old\n")
    w.sh("echo new >>f; rm g; mkdir d; echo x >d/x; ln -s f link")
    w.wait_settled()
    read_only = mapped_root(f"mount --bind {w.project} {w.project}; mount -o remount,bind,ro {w.project}; cd {w.project}")
    for path, said in (("f", "write 'f'"), ("g", "take away 'g'"), ("d", "make directory 'd'"), ("link", "make 'link'")):
        done = subprocess.run([*read_only, harness.SHADOW, "apply", "--yes", path], cwd=w.project, env=w.env,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 2 and f"cannot {said}: read-only file system" in done.stderr, done
    w.shadow("apply", "--yes")
    assert sorted(os.listdir(w.project)) == ["d", "f", "link"]


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
