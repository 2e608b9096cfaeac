# SPDX-License-Identifier: MIT
"""Real tools at work in a view: git, make, meson, python, npm."""

import os
import shutil
import subprocess
import sys

import harness
from harness import NotHere, Skip, fingerprint


def need(tool):
    if not shutil.which(tool):
        raise NotHere(f"{tool} is not installed")


def test_git_at_work(world):
    """git clone, commit, checkout, rebase, stash, gc, worktree and fsck work in the view."""
    world.git_project({"a.txt": "one\n", "d/b.txt": "two\n", ".gitignore": "ignored/\n"})
    before = fingerprint(world.project)
    done = world.sh("""set -e
        git status --porcelain
        git checkout -q -b feature; echo more >> a.txt; git commit -qam one
        git checkout -q main; echo other > c; git add c; git commit -qm two
        git checkout -q feature; git rebase -q main
        echo wip >> a.txt; git stash -q; git stash pop -q; git checkout -q a.txt
        mv d e; git add -A; git commit -qm moved
        git gc -q --prune=now; git fsck --strict
        git clone -q . /tmp/clone; git -C /tmp/clone log --oneline | wc -l
        git worktree add -q /tmp/tree main; git -C /tmp/tree status --porcelain; git worktree remove /tmp/tree
        git log --oneline | wc -l""")
    assert done.out.split() == ["4", "4"], done
    assert fingerprint(world.project) == before
    assert world.sh("git status --porcelain; git fsck --strict").out == ""


def test_commits_in_a_linked_work_tree(world):
    """In a linked work tree commits work, and reach neither it nor its main repository."""
    world.git_project()
    main, world.project = world.project, os.path.join(world.tmp, "tree")
    world.git("worktree", "add", "-q", "-b", "side", world.project, cwd=main)
    before = fingerprint(main), fingerprint(world.project)
    world.sh("echo more >> a.txt; git commit -qam work; git status --porcelain; git fsck --strict")
    assert world.sh("git log --oneline | wc -l").out.strip() == "2"
    assert (fingerprint(main), fingerprint(world.project)) == before


def test_git_status_copies_nothing_up(world):
    """git status in a view changes nothing: there is nothing to review after it."""
    world.git_project()
    os.utime(world.path("a.txt"), (1, 1))
    world.sh("git status; git diff; git log >/dev/null")
    assert world.shadow("status", "--porcelain").out == ""


def test_make_builds(world):
    """make builds in the view, again only what changed, and the objects stay out of the real tree."""
    need("make")
    need("cc")
    world.write("Makefile", "prog: a.o b.o\n\tcc -o prog a.o b.o\n%.o: %.c\n\tcc -c $<\n")
    world.write("a.c", "int b(void); int main(void) { return b(); }\n")
    world.write("b.c", "int b(void) { return 3; }\n")
    world.sh("make")
    assert world.sh("./prog", check=False).returncode == 3
    assert "up to date" in world.sh("make").out
    world.write("b.c", "int b(void) { return 4; }\n")
    assert world.sh("make >/dev/null; ./prog", check=False).returncode == 4
    assert sorted(os.listdir(world.project)) == ["Makefile", "a.c", "b.c"]


def test_meson_configures_this_project(world):
    """meson configures and compiles a part of this very project in a view of it."""
    need("meson")
    source = os.environ.get("SHADOW_SOURCE")
    if not source:
        raise NotHere("SHADOW_SOURCE does not name the source tree")
    shutil.copytree(source, world.path("src"), ignore=shutil.ignore_patterns("build*", ".git", "__pycache__"))
    before = fingerprint(world.project)
    world.sh("cd src && meson setup build -Dtests=false >/dev/null && ninja -C build src/libshadow-core.a.p/base_text.cpp.o",
             timeout=600)
    assert fingerprint(world.project) == before
    assert world.sh("ls src/build/build.ninja").out == "src/build/build.ninja\n"


def test_python_venv(world):
    """A Python virtual environment made in one run works in the next."""
    done = world.sh("python3 -m venv --without-pip venv", check=False)
    if done.returncode and "ensurepip" in done.out + done.err:
        raise Skip("python3-venv is not installed")
    assert done.returncode == 0, done
    assert world.sh("venv/bin/python -c 'import sys; print(sys.prefix)'").out.strip().endswith("/venv")


def test_npm(world):
    """npm installs a package of the project's own into node_modules, and removes it."""
    need("npm")
    world.write("package.json", '{"name": "x", "version": "1.0.0"}\n')
    world.write("lib/package.json", '{"name": "lib", "version": "1.0.0"}\n')
    world.sh("npm install --offline --no-audit --no-fund ./lib", timeout=120)
    assert world.sh("test -e node_modules/lib/package.json && cat package.json").out.count("lib") >= 1
    world.sh("npm uninstall --offline --no-audit --no-fund lib", timeout=120)
    assert world.read("package.json") == '{"name": "x", "version": "1.0.0"}\n'


def test_cargo(world):
    """cargo builds, tests and cleans a crate."""
    need("cargo")
    if subprocess.run(["cargo", "--version"], env=world.env, capture_output=True, check=False).returncode:
        raise NotHere("cargo does not work for this user")
    world.write("Cargo.toml", '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n')
    world.write("src/main.rs", 'fn main() { println!("built"); }\n')
    assert "built\n" in world.sh("cargo run -q --offline", timeout=300).out
    world.sh("cargo clean --offline -q")
    assert sorted(os.listdir(world.project)) == ["Cargo.toml", "src"]


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
