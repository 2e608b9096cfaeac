# SPDX-License-Identifier: MIT
"""The C layer of libshadow from Python, whose process is the host: as somebody else's program."""

import ctypes
import functools
import os
from ctypes import POINTER, byref, c_char, c_char_p, c_int, c_int64, c_size_t, c_void_p

from place import installed

STOP, MERGE, SKIP, OURS, THEIRS, MARKERS = range(1, 7)
NOTE = ctypes.CFUNCTYPE(None, c_void_p, c_char_p)


class Change(ctypes.Structure):
    _fields_ = [("path", c_char_p), ("kind", c_char), ("ignored", c_int), ("sensitive", c_char_p),
                ("conflict", c_char_p)]


class Options(ctypes.Structure):
    _fields_ = [("paths", POINTER(c_char_p)), ("on_conflict", c_int), ("ignored", c_int),
                ("allow_sensitive_at", POINTER(c_char_p)), ("allow_sensitive", c_int),
                ("skip_sensitive", c_int), ("no_commits", c_int), ("unseen", c_int), ("keep_mtime", c_int),
                ("dry_run", c_int)]


class Applied(ctypes.Structure):
    _fields_ = [("id", c_int64), ("paths", c_size_t), ("refs", c_size_t)]


class Undone(ctypes.Structure):
    _fields_ = [("id", c_int64), ("of", c_int64), ("paths", c_size_t), ("kept", c_size_t)]


class Failure(Exception):
    def __init__(self, kind, message, hint, paths, written):
        super().__init__(f"{kind}: {message}")
        self.kind, self.message, self.hint, self.paths, self.written = kind, message, hint, paths, written


@functools.lru_cache(maxsize=None)
def library(path=None):
    lib = ctypes.CDLL(path or installed().library)
    for name, result in (("shadow_kind_word", c_char_p), ("shadow_error_message", c_char_p),
                         ("shadow_error_hint", c_char_p), ("shadow_error_path", c_char_p),
                         ("shadow_open", c_void_p), ("shadow_run", c_void_p),
                         ("shadow_list_changes", c_void_p), ("shadow_patch", c_void_p),
                         ("shadow_apply", c_void_p), ("shadow_undo", c_void_p),
                         ("shadow_changes_count", c_size_t), ("shadow_changes_at", POINTER(Change))):
        getattr(lib, name).restype = result
    return lib


def check(lib, error):
    if not error:
        return
    error = c_void_p(error)
    paths = []
    while (path := lib.shadow_error_path(error, c_size_t(len(paths)))) is not None:
        paths.append(os.fsdecode(path))
    failure = Failure(lib.shadow_kind_word(lib.shadow_error_kind(error)).decode(),
                      lib.shadow_error_message(error).decode(), lib.shadow_error_hint(error).decode(), paths,
                      lib.shadow_error_written(error))
    lib.shadow_error_free(error)
    raise failure


def listed(words):
    """NULL for all."""
    return None if words is None else (c_char_p * (len(words) + 1))(*map(os.fsencode, words), None)


class Session:
    def __init__(self, world, agent="agent", project=None, state="", lib=None):
        """`state` None: the one that the environment names."""
        os.environ["HOME"] = world.home
        self.lib = lib or library()
        self.notes = []
        self.note = NOTE(lambda data, text: self.notes.append(text.decode()))
        self.handle = c_void_p()
        where = None if state is None else os.fsencode(state or world.state)
        check(self.lib, self.lib.shadow_open(where, os.fsencode(project or world.project), os.fsencode(agent),
                                             self.note, None, byref(self.handle)))

    def close(self):
        self.lib.shadow_close(self.handle)

    def run(self, *command, policy=None, streams=None):
        status = c_int()
        check(self.lib, self.lib.shadow_run(self.handle, listed(command), listed(policy),
                                            (c_int * 3)(*streams) if streams else None, byref(status)))
        return status.value

    def sh(self, script, **options):
        return self.run("sh", "-c", script, **options)

    def changes(self, paths=None):
        made = c_void_p()
        check(self.lib, self.lib.shadow_list_changes(self.handle, listed(paths), byref(made)))
        found = []
        for index in range(self.lib.shadow_changes_count(made)):
            row = self.lib.shadow_changes_at(made, c_size_t(index)).contents
            found.append((row.kind.decode(), os.fsdecode(row.path), bool(row.ignored), row.sensitive.decode(),
                          row.conflict.decode()))
        self.lib.shadow_changes_free(made)
        return found

    def patch(self, paths=None):
        text, size = c_void_p(), c_size_t()
        check(self.lib, self.lib.shadow_patch(self.handle, listed(paths), byref(text), byref(size)))
        patch = ctypes.string_at(text, size.value)
        self.lib.shadow_text_free(text)
        return patch.decode()

    def apply(self, **given):
        options = Options()
        for name, value in given.items():
            if name in ("paths", "allow_sensitive_at"):
                value = ctypes.cast(listed(value), POINTER(c_char_p))
            setattr(options, name, value)
        done = Applied()
        check(self.lib, self.lib.shadow_apply(self.handle, byref(options), byref(done)))
        return done

    def undo(self, number=0):
        done = Undone()
        check(self.lib, self.lib.shadow_undo(self.handle, c_int64(number), byref(done)))
        return done


def fails(kind, call, *words, **options):
    """What the call fails with, which must be of this kind."""
    try:
        result = call(*words, **options)
    except Failure as failure:
        assert failure.kind == kind, failure
        return failure
    raise AssertionError(f"no failure, but {result}")
