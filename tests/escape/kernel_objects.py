# SPDX-License-Identifier: MIT
"""System calls that Python has no function for: what the scene puts out of the run's reach."""

import ctypes
import ctypes.util
import fcntl
import os
import struct

LIBC = ctypes.CDLL(None, use_errno=True)
IPC_CREAT, IPC_EXCL, IPC_RMID = 0o1000, 0o2000, 0
NS_GET_MNTNS_ID = 0x8008B705
AT_FDCWD = -100


def checked(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


class SystemV:
    """Shared memory, a message queue and a semaphore with one key, until close()."""

    def __init__(self):
        self.key = 0x53000000 | os.getpid() & 0xFFFFFF
        flags = IPC_CREAT | IPC_EXCL | 0o600
        self.memory = checked(LIBC.shmget(self.key, ctypes.c_size_t(4096), flags))
        self.queue = checked(LIBC.msgget(self.key, flags))
        self.semaphores = checked(LIBC.semget(self.key, 1, flags))

    def close(self):
        LIBC.shmctl(self.memory, IPC_RMID, None)
        LIBC.msgctl(self.queue, IPC_RMID, None)
        LIBC.semctl(self.semaphores, 0, IPC_RMID, 0)


class MessageQueue:
    """A POSIX message queue, until close()."""

    def __init__(self, name):
        library = LIBC
        if not hasattr(library, "mq_open"):  # before glibc 2.34 in a library of its own
            library = ctypes.CDLL("librt.so.1", use_errno=True)
        self.library = library
        self.name = ("/" + name).encode()
        checked(library.mq_open(self.name, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600, None))

    def close(self):
        self.library.mq_unlink(self.name)


class Key:
    """A key in the caller's session keyring, until close(); number 0 where there is no key service."""

    SESSION = -3

    def __init__(self):
        name = ctypes.util.find_library("keyutils")
        self.library = ctypes.CDLL(name, use_errno=True) if name else None
        self.number = 0
        if self.library:
            self.number = max(
                0, self.library.add_key(b"user", b"shadow-escape-bait", b"secret", 6, self.SESSION))

    def close(self):
        if self.number:
            self.library.keyctl_unlink(self.number, self.SESSION)


def file_handle(path):
    """The kernel's handle of a file, as open_by_handle_at(2) takes it, in hexadecimal."""
    room = 128
    handle = ctypes.create_string_buffer(struct.pack("Ii", room, 0) + bytes(room), 8 + room)
    mount = ctypes.c_int()
    checked(LIBC.name_to_handle_at(AT_FDCWD, os.fsencode(path), handle, ctypes.byref(mount), 0))
    used = struct.unpack_from("I", handle)[0]
    return handle.raw[:8 + used].hex()


def mount_namespace_id():
    """What listmount(2) calls this mount namespace; 1, some other one, before Linux 6.12."""
    with open("/proc/self/ns/mnt", "rb") as namespace:
        try:
            return struct.unpack("Q", fcntl.ioctl(namespace, NS_GET_MNTNS_ID, bytes(8)))[0]
        except OSError:
            return 1
