# SPDX-License-Identifier: MIT
"""What the attacks aim at: files, processes, sockets and objects outside of the run."""

import array
import os
import shutil
import signal
import socket
import stat
import subprocess
import threading

import harness
from kernel_objects import Key, MessageQueue, SystemV, file_handle, mount_namespace_id

def root_device():
    with open("/proc/self/mountinfo", encoding="utf-8") as mounts:
        for line in mounts:
            fields = line.split()
            if fields[4] == "/":
                source = fields[fields.index("-") + 2]
                return source if source.startswith("/dev/") else "/dev/sda"
    return "/dev/sda"


class Servers:
    """Listeners outside: a connection to one is taken, and given a descriptor of `gift`."""

    def __init__(self, gift):
        self.gift = os.open(gift, os.O_RDONLY | os.O_DIRECTORY)
        self.sockets = []
        self.paths = []

    def by_path(self, path):
        listener = socket.socket(socket.AF_UNIX)
        # The address of a socket is short, its directory's path may be long.
        directory = os.open(os.path.dirname(path), os.O_RDONLY | os.O_DIRECTORY)
        listener.bind(f"/proc/self/fd/{directory}/{os.path.basename(path)}")
        os.close(directory)
        self.paths.append(path)
        self.serve(listener)
        return path

    def abstract(self, name, kind=socket.SOCK_STREAM):
        listener = socket.socket(socket.AF_UNIX, kind)
        listener.bind("\0" + name)
        if kind == socket.SOCK_STREAM:
            self.serve(listener)
        else:
            self.sockets.append(listener)
        return name

    def internet(self, kind):
        listener = socket.socket(socket.AF_INET, kind)
        listener.bind(("127.0.0.1", 0))
        if kind == socket.SOCK_STREAM:
            self.serve(listener)
        else:
            self.sockets.append(listener)
        return listener.getsockname()[1]

    def serve(self, listener):
        listener.listen(64)
        self.sockets.append(listener)
        threading.Thread(target=self.answer, args=(listener,), daemon=True).start()

    def answer(self, listener):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                gift = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [self.gift]))]
                try:
                    if connection.family == socket.AF_UNIX:
                        connection.sendmsg([b"x"], gift)
                    connection.recv(2)
                except OSError:
                    pass

    def close(self):
        for listener in self.sockets:
            try:
                listener.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            listener.close()
        for path in self.paths:
            os.unlink(path)
        os.close(self.gift)


class Scene(harness.World):
    """A world with bait. `gifts` is a directory of things that only root can make, or None."""

    def __init__(self, base, gifts, attack):
        super().__init__(base)
        self.owner = None
        self.closing = []
        self.fifos = []
        self.files = []
        self.word = f"shadow-escape-{os.getpid()}"
        self.outside = os.path.join(self.tmp, "outside")
        self.make_files(gifts)
        shutil.copy(attack, self.path("attack"))
        self.sh("rm lower-only")
        other = os.path.join(self.tmp, "other")
        os.mkdir(other)
        self.sh("echo secret > theirs", cwd=other)
        self.make_bait(gifts)

    def make_files(self, gifts):
        os.mkdir(self.outside)
        os.chmod(self.outside, 0o777)
        for name in ("file", "linked"):
            with open(os.path.join(self.outside, name), "w", encoding="utf-8") as f:
                f.write("real\n")
            os.chmod(os.path.join(self.outside, name), 0o666)
        os.link(os.path.join(self.outside, "linked"), self.path("hard"))
        os.symlink(os.path.join(self.outside, "file"), self.path("symlink"))
        self.write("lower-only", "real\n")
        os.mkdir(os.path.join(self.home, ".ssh"))
        os.mkdir(os.path.join(self.home, ".config"))
        for name in (".ssh/id_ed25519", ".bashrc"):
            with open(os.path.join(self.home, name), "w", encoding="utf-8") as f:
                f.write("real\n")
        os.symlink(self.state, os.path.join(self.outside, "state-link"))
        if gifts:
            for name in os.listdir(gifts):
                os.rename(os.path.join(gifts, name), os.path.join(self.outside, name))
        else:
            program = os.path.join(self.outside, "setuid-cat")
            shutil.copy("/bin/cat", program)
            os.chmod(program, 0o4755)

    def give_to(self, owner):
        """The project is somebody else's, who has a closed file outside, too."""
        self.owner = owner
        closed = os.path.join(self.outside, "owners")
        with open(closed, "w", encoding="utf-8") as f:
            f.write("secret\n")
        os.chmod(closed, 0o600)
        for path in (closed, self.project, *(self.path(name) for name in os.listdir(self.project))):
            os.lchown(path, owner, owner)

    def session_upper(self, project):
        sessions = os.path.join(self.state, "sessions")
        marker = "theirs" if project == "other" else "attack"
        for name in os.listdir(sessions):
            upper = os.path.join(sessions, name, "project", "upper")
            if os.path.exists(os.path.join(upper, "theirs")) == (marker == "theirs"):
                return upper
        raise AssertionError("no session was made")

    def make_bait(self, gifts):
        servers = Servers(self.project)
        system_v, queue, key = SystemV(), MessageQueue(self.word), Key()
        self.closing += [servers, system_v, queue, key]
        run = "/run" if os.geteuid() == 0 else f"/run/user/{os.geteuid()}"
        shared = f"/dev/shm/{self.word}.memory"
        with open(shared, "w", encoding="utf-8") as f:
            f.write("secret")
        self.files.append(shared)
        fifos = [os.path.join(place, "fifo") for place in (self.outside, self.home)]
        for fifo in fifos:
            os.mkfifo(fifo)
            self.fifos.append(os.open(fifo, os.O_RDWR | os.O_NONBLOCK))
        self.terminals = os.openpty()
        self.bait = {
            "project": self.project, "home": self.home, "state": self.state,
            "outside": self.outside, "state-link": os.path.join(self.outside, "state-link"),
            "upper": self.session_upper("project"), "other-upper": self.session_upper("other"),
            "handle": file_handle(self.path("lower-only")),
            "host-mntns-id": mount_namespace_id(), "root-device": root_device(),
            "victim-word": self.word,
            "socket": servers.by_path(os.path.join(self.outside, "socket")),
            "project-socket": servers.by_path(self.path("socket")),
            "home-socket": servers.by_path(os.path.join(self.home, "socket")),
            "tmp-socket": servers.by_path(f"/tmp/{self.word}.socket"),
            "shm-socket": servers.by_path(f"/dev/shm/{self.word}.socket"),
            "run-socket": servers.by_path(f"{run}/{self.word}.socket") if os.access(run, os.W_OK)
            else f"{run}/{self.word}.socket",
            "abstract": servers.abstract(self.word),
            "abstract-datagram": servers.abstract(self.word + ".datagram", socket.SOCK_DGRAM),
            "tcp": servers.internet(socket.SOCK_STREAM),
            "udp": servers.internet(socket.SOCK_DGRAM),
            "fifo": fifos[0], "home-fifo": fifos[1], "shm": os.path.basename(shared), "queue": self.word,
            "sysv-shm": system_v.memory, "sysv-key": system_v.key, "key": key.number,
            "terminal": os.ttyname(self.terminals[1]),
        }

    def victim(self):
        """A process of the same user, in a session of its own, recognizable by its command line."""
        return subprocess.Popen([self.word, "1000"], executable=shutil.which("sleep"),
                                start_new_session=True)

    def close(self):
        for thing in self.closing:
            thing.close()
        if hasattr(self, "terminals"):
            for fd in (*self.fifos, *self.terminals):
                os.close(fd)
        for path in self.files:
            os.unlink(path)
        super().close()


def make_gifts(base, uid):
    """Root makes what an ordinary user cannot: for a run of `uid`, files that it must not use."""
    gifts = os.path.join(base, "gifts")
    os.mkdir(gifts)
    program = os.path.join(gifts, "setuid-cat")
    shutil.copy("/bin/cat", program)
    os.chmod(program, 0o4755)
    secret = os.path.join(gifts, "only-root")
    with open(secret, "w", encoding="utf-8") as f:
        f.write("secret\n")
    os.chmod(secret, 0o600)
    if uid == 0:
        os.chown(secret, 12345, 12345)  # root without capabilities owns its own files alone
    device = os.path.join(gifts, "device")
    os.mknod(device, stat.S_IFCHR | 0o666, os.makedev(1, 7))  # as /dev/full: opening does nothing
    os.chmod(device, 0o666)
    os.chown(gifts, uid, uid)
    return gifts


def end(process):
    if process.poll() is None:
        process.send_signal(signal.SIGKILL)
    process.wait()

