# SPDX-License-Identifier: MIT
"""libshadow, installed into a directory of its own."""

import atexit
import functools
import os
import shutil
import subprocess
import tempfile

BUILD = os.environ["SHADOW_TEST_BUILD"]
PREFIX = os.environ["SHADOW_TEST_PREFIX"]
LIBDIR = os.path.join(PREFIX, os.environ["SHADOW_TEST_LIBDIR"])
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Place:
    def __init__(self):
        self.root = tempfile.mkdtemp(prefix="shadow-library-")
        atexit.register(shutil.rmtree, self.root, ignore_errors=True)
        self.call("meson", "install", "-C", BUILD, "--no-rebuild", "--quiet", "--destdir", self.root)
        self.libraries = self.root + LIBDIR
        self.headers = os.path.join(self.root + PREFIX, "include")
        self.library = os.path.join(self.libraries, "libshadow.so.0.1")

    def call(self, *words):
        env = {**os.environ, "PKG_CONFIG_PATH": self.root + os.path.join(LIBDIR, "pkgconfig"),
               "PKG_CONFIG_SYSROOT_DIR": self.root}
        done = subprocess.run(words, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False)
        assert done.returncode == 0, f"{words}: {done.stdout}"
        return done.stdout

    def flags(self, what):
        return self.call("pkg-config", what, "shadow").split()

    def compile(self, compiler, *words):
        said = self.call(compiler, "-Wall", "-Wextra", "-Werror", *words, *self.flags("--cflags"))
        assert said == "", said

    def program(self, compiler, standard, source):
        """A source of this tree, compiled and linked as somebody else's program is."""
        made = os.path.join(self.root, os.path.basename(source).replace(".", "-"))
        self.compile(compiler, f"-std={standard}", "-o", made, os.path.join(SOURCE, source),
                     *self.flags("--libs"))
        return made


@functools.lru_cache(maxsize=None)
def installed():
    return Place()
