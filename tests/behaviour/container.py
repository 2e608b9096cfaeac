# SPDX-License-Identifier: MIT
"""Machines within this one, as words around a command."""

import os
import shlex
import shutil
import subprocess

from harness import SHADOW, NotHere, Skip

# What Docker leaves root of a container by default.
RIGHTS = ["chown", "dac_override", "fsetid", "fowner", "mknod", "net_raw", "setgid", "setuid", "setfcap", "setpcap",
          "net_bind_service", "sys_chroot", "kill", "audit_write"]


def tried(words):
    done = subprocess.run([*words, "true"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise NotHere(f"{words[0]} does not work here: {done.stderr.strip()}")
    return words


def bwrap(w, *options):
    """The sandbox of another program."""
    if not shutil.which("bwrap"):
        raise Skip("bubblewrap is not installed")
    return tried(["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--bind", w.tmp, w.tmp, *options])


def mapped_root(script):
    """A shell as root of a user namespace of ours."""
    return tried(["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", f'{script}\nexec "$@"', "sh"])


def real_root(script):
    return ["unshare", "--mount", "--propagation", "private", "sh", "-c", f'{script}\nexec "$@"', "sh"]


def with_rights(rights):
    """Words that leave root these capabilities, as a container's engine does."""
    kept = ",".join(f"+{one}" for one in rights)
    return ["setpriv", f"--bounding-set=-all,{kept}", "--inh-caps=-all", "--"]


def container(w, volume=None, root=mapped_root):
    """The words around a command in a container: root of an overlay, with a container's capabilities and
    devices, programs as an image has them, the project a volume, and perhaps another one."""
    place = os.path.join(w.tmp, "container")
    script = ["set -e", f"mkdir -p {place}", f"mount -t tmpfs none {place}",
              f"cd {place}; mkdir lower upper work root",
              "mount -t overlay -o lowerdir=lower,upperdir=upper,workdir=work,userxattr none root",
              f"mkdir -p -m 1777 root/tmp root/var/tmp root/run root/dev root{w.home}"]
    shown = ["/proc", "/sys", w.project, os.path.dirname(SHADOW)] + ([volume] if volume else [])
    for name in ("bin", "sbin", "lib", "lib32", "lib64", "usr", "etc"):
        if os.path.islink("/" + name):
            script += [f"ln -s {os.readlink('/' + name)} root/{name}"]
        elif os.path.isdir("/" + name):
            shown += ["/" + name]
    script += ["mount -t tmpfs none root/dev", "mkdir root/dev/shm root/dev/pts",
               "for d in null zero full random urandom tty; do : >root/dev/$d; mount --bind /dev/$d root/dev/$d; done",
               "ln -s /proc/self/fd root/dev/fd",
               "mount -t tmpfs -o nosuid,nodev,noexec,size=64m,mode=1777 shm root/dev/shm",
               ": >root/.dockerenv"]
    for path in map(shlex.quote, [*shown, "/dev/pts"]):
        script += [f"mkdir -p root{path}", f"mount --rbind {path} root{path}"]
    script += ["cd root", "pivot_root . .", "umount -l .", f"cd {w.project}",
               "exec " + " ".join(with_rights(RIGHTS)) + ' "$@"']
    return root("\n".join(script))
