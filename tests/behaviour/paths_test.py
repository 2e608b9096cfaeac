#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Paths as a user of git expects them, in arguments and in output."""

import json
import os
import sys

import harness
from harness import SHADOW

# Every command that takes paths, in a form that needs no terminal.
TAKERS = (("status",), ("diff",), ("apply", "--yes"), ("apply", "-n"), ("discard", "--yes"),
          ("refresh",), ("refresh", "-n"), ("log",))


def project(world):
    world.git_project({"one.txt": "1\n", "two.txt": "1\n", "src/hello.c": "1\n", "same.c": "1\n"})
    world.sh("echo 2 >one.txt; echo 2 >two.txt; echo 2 >src/hello.c; mkdir new; echo n >new/a*b; "
             "echo n >new/axb; echo n >:odd; echo n >'?'")


def names(done):
    return done.out.splitlines()


def test_a_path_that_matches_nothing_stops_every_command(world):
    """A path of which there is no change is an error, and what else was named is left alone."""
    project(world)
    before = harness.fingerprint(world.project)
    for words in TAKERS:
        for path in ("tow.txt", "same.c", "*.nothing"):
            done = world.shadow(*words, "one.txt", path, check=False)
            assert done.returncode == 1, (words, path, done.returncode, done.err)
            assert f"at or below '{path}'" in done.err and done.out == "", (words, done.err)
    hint = world.shadow("status", "tow.txt", check=False).err
    assert "hint: did you mean 'two.txt'?" in hint, hint
    record = world.shadow("--json", "diff", "tow.txt", check=False).err
    assert json.loads(record)["error"]["kind"] == "no", record
    assert harness.fingerprint(world.project) == before
    assert len(names(world.shadow("diff", "--name-only"))) == 7


def test_what_is_printed_is_taken_where_one_stands(world):
    """Each name that a list shows, typed back in the same directory, means the same change."""
    project(world)
    for place in (world.project, world.path("src"), world.path("new2")):
        os.makedirs(place, exist_ok=True)
        shown = world.shadow("diff", "--name-only", "-z", cwd=place).out.split("\0")[:-1]
        assert len(shown) == 7, shown
        for name in shown:
            again = world.shadow("diff", "--name-only", "-z", ":(literal)" + name
                                 if name[0] != ":" else name, cwd=place).out
            assert again == name + "\0", (place, name, again)
        lines = [line[5:] for line in names(world.shadow("status", cwd=place))
                 if line[:2] == "  " and line[3:5] == "  "]
        assert sorted(lines) == sorted(shown), (lines, shown)
    assert "  M  hello.c\n" in world.shadow("status", cwd=world.path("src")).out
    assert "  M  ../one.txt\n" in world.shadow("status", cwd=world.path("src")).out


def test_an_undo_names_paths_from_where_one_stands(world):
    """Its plan, and what it leaves because it was changed since."""
    world.write("a/b/f", "1\n")
    world.write("g", "1\n")
    world.sh("echo agent >a/b/f; echo agent >g")
    world.shadow("apply", "--yes")
    world.write("g", "user\n")
    place = world.path("a/b")
    out = world.shadow("undo", "-n", cwd=place, check=False).out
    assert "\n  M  f\nleft as it is: ../../g (" in out, out
    out = world.shadow("undo", "--yes", cwd=place, check=False).out
    assert "left as it is: ../../g (" in out and "took back 1 change" in out, out


def test_patches_and_records_are_read_from_the_root(world):
    """A patch, --porcelain and --json name paths from the project's root wherever one stands."""
    project(world)
    src = world.path("src")
    for words in (("diff",), ("status", "--porcelain"), ("status", "-z"), ("--json", "status"),
                  ("--json", "diff")):
        assert world.shadow(*words, cwd=src).out == world.shadow(*words).out, words


def test_globs_and_magic_are_those_of_git(world):
    """What git diff would take of a path argument, shadow takes, and nothing else."""
    files = ["a.txt", "b.TXT", "d/a.txt", "d/e/a.txt", "d/x[1].c", "d/x1.c", "*.txt", ":c", "-d"]
    world.git_project({"z": "1\n"})
    world.sh("mkdir -p d/e; for f in " + " ".join(f"'{f}'" for f in files) + "; do echo 1 >\"./$f\"; done")
    mirror = os.path.join(world.tmp, "mirror")
    os.mkdir(mirror)
    world.git("init", "-q", cwd=mirror)
    for name in files:
        os.makedirs(os.path.dirname(os.path.join(mirror, name)), exist_ok=True)
        open(os.path.join(mirror, name), "w", encoding="utf-8").close()
    world.git("add", "-A", cwd=mirror)
    os.makedirs(world.path("d/e"))
    asked = [["*.txt"], ["d"], ["d/"], ["d/*"], [":(glob)*.txt"], [":(glob)d/*"], [":(glob)**/a.txt"],
             [":(glob)d/**"], [":(icase)B.txt"], [":(icase)*.txt"], [":(icase,glob)*.TXT"],
             [":(literal)*.txt"], ["./:c"], [":(top)a.txt"], [":/a.txt"], [":/*.c"],
             [":!*.txt"], [":^d"], [".", ":!d"], ["d", ":!*.c"], [":(exclude)d/e"], ["d/x[1].c"],
             ["d/x?.c"], ["?.txt"], ["./-d"], [":(top,icase)A.TXT"], ["d/e/../a.txt"],
             [":(glob)d/[a-z]*.c"], ["[!a]*"], ["d\\/a.txt"], ["../a.txt"], ["e/*"], ["../*.txt"]]
    for place in ("", "d"):
        for words in asked:
            real = world.git("diff", "--cached", "--name-only", "-z", "--", *words,
                             cwd=os.path.join(mirror, place), check=False)
            ours = world.shadow("--json", "diff", "--", *words, cwd=world.path(place), check=False)
            if real.returncode != 0:
                assert ours.returncode == 2, (place, words, ours.out, real.stderr)
                continue
            expected = sorted(real.stdout.decode().split("\0")[:-1])
            found = sorted(f["path"] for f in json.loads(ours.out)["files"]) if ours.out else []
            assert found == expected, (place, words, found, expected)
            assert ours.returncode == (0 if expected else 1), (place, words, ours.returncode)


def test_unknown_magic_is_refused(world):
    """Magic that is not known is an error, and never a path of that name."""
    project(world)
    for word in (":(attr:x)one.txt", ":(top", ":%one.txt", ":(glob,literal)one.txt"):
        done = world.shadow("apply", "--yes", word, check=False)
        assert done.returncode == 2 and "cannot understand" in done.err, (word, done.err)
    assert world.read("one.txt") == "1\n"


def test_absolute_paths_lead_into_the_project(world):
    """An absolute path is taken, also by a link that leads to the project, and none outside."""
    project(world)
    link = os.path.join(world.tmp, "link")
    os.symlink(world.project, link)
    for path in (world.path("one.txt"), link + "/one.txt", world.project + "/src/../one.txt"):
        assert names(world.shadow("diff", "--name-only", path)) == ["one.txt"], path
    for path in ("/etc/passwd", "../state", world.project + "x"):
        done = world.shadow("diff", path, check=False)
        assert done.returncode == 2 and "is not in the project" in done.err, done.err


def test_a_link_is_left_to_where_it_leads(world):
    """After a link to a directory of the project '..' may be written as the kernel reads it, from outside too."""
    project(world)
    link = os.path.join(world.tmp, "link")
    os.symlink(world.path("src"), link)
    for path in (link + "/../one.txt", "../link/../one.txt", world.path("src/../one.txt")):
        assert names(world.shadow("diff", "--name-only", path)) == ["one.txt"], path
    for path in (link + "/../../one.txt", "../link/../../x", "../link/../../state"):
        done = world.shadow("diff", path, check=False)
        assert done.returncode == 2 and "is not in the project" in done.err, done.err


def test_a_glob_discards_what_it_matches_and_nothing_beside(world):
    """A discard by glob, or but for a path, drops no directory in which something is to stay."""
    world.git_project()
    world.sh("mkdir -p d/e; echo 1 >d/a.o; echo 1 >d/keep; echo 1 >d/e/b.o; mkdir f; echo 1 >f/c.o")
    world.shadow("discard", "--yes", "*.o")
    assert names(world.shadow("diff", "--name-only")) == ["d/keep"]
    assert world.sh("find . -name .git -prune -o -type d -print").out.split() == [".", "./d"]
    world.sh("mkdir -p g/h; echo 1 >g/h/x; echo 1 >g/y")
    world.shadow("discard", "--yes", "g", ":!g/h")
    assert names(world.shadow("diff", "--name-only")) == ["d/keep", "g/h/x"]


def test_a_glob_applies_what_it_matches_and_makes_no_other_directory(world):
    """An apply by glob makes only the directories that it needs."""
    world.git_project()
    world.sh("mkdir -p d/e f; echo 1 >d/e/a.c; echo 1 >f/b.h")
    world.shadow("apply", "--yes", "*.c")
    assert os.path.exists(world.path("d/e/a.c")) and not os.path.exists(world.path("f"))
    world.shadow("apply", "--yes", ":(glob)*", check=False)
    assert not os.path.exists(world.path("f"))


def test_each_sensitive_change_is_told_with_its_reason(world):
    """The refusal names every sensitive file once with its own reason, the worst first."""
    world.git_project()
    world.sh("mkdir -p .github/workflows .vscode web; echo x >.envrc; echo x >.github/workflows/ci.yml; "
             "echo {} >.vscode/settings.json; ln -s /etc/passwd web/pw; echo 1 >ok")
    done = world.shadow("apply", "--yes", check=False)
    told = [line.strip() for line in done.err.splitlines() if line.startswith("  ")]
    assert done.returncode == 4 and "4 sensitive changes" in done.err, done.err
    assert [line.split(" (")[0] for line in told] == \
        ["web/pw", ".envrc", ".vscode/settings.json", ".github/workflows/ci.yml"], told
    assert all(line.endswith(")") for line in told) and len(set(told)) == 4, told
    assert "5 changes, 4 sensitive" in world.shadow("status").out
    assert sorted(os.listdir(world.project)) == [".git", "a.txt"]


def test_skipped_sensitive_changes_leave_nothing_behind(world):
    """What is skipped makes no empty directory, is not counted, and its discard leaves none."""
    world.git_project()
    world.sh("mkdir -p .github/workflows .vscode; echo x >.github/workflows/ci.yml; "
             "echo {} >.vscode/settings.json; echo 1 >ok")
    done = world.shadow("apply", "--yes", "--skip-sensitive")
    assert done.out.startswith("applied 1 change;"), done.out
    assert sorted(os.listdir(world.project)) == [".git", "a.txt", "ok"]
    world.shadow("discard", "--yes", ".github/workflows/ci.yml", ".vscode")
    assert "no changes" in world.shadow("status").out
    assert world.sh("ls -A").out.split() == [".git", "a.txt", "ok"]


def test_summaries_of_binary_files_are_those_of_git(world):
    """--numstat and --stat say of binary files what git says, moved, changed, or made executable."""
    content = b"a\0" + bytes(range(1, 200)) * 20
    world.git_project({"b": content, "d": content[::-1], "m": b"x\0y", "text": "1\n", "t": "a\nb\n"})
    world.sh("git mv b c; git mv d e; printf z >>e; chmod +x m; git mv t u; echo 2 >text")
    ours = {form: world.shadow("diff", form).out for form in ("--numstat", "--stat")}
    world.shadow("apply", "--yes", "--no-commits")
    world.git("add", "-A")
    for form, text in ours.items():
        assert text == world.git("diff", "--cached", "-M", form).stdout.decode(), (form, text)


def test_rules_of_the_repository_above(w):
    """In a project that is a directory of a repository git's ignore rules hold from its top on, but where they ignore the
    project as a whole."""
    w.git_project({".gitignore": "modules/\n*.log\n/sub/made\n/scratch\n", "sub/f": "1\n", "sub/.gitignore": "!keep.log\n"})
    w.write("scratch/f", "1\n")
    change = "mkdir modules made; echo 1 >modules/x; echo 1 >made/x; echo 1 >a.log; echo 1 >keep.log; echo 2 >f"
    for place, wanted in (("sub", ["M  f", "A  keep.log"]),
                          ("scratch", ["A  a.log", "M  f", "A  keep.log", "A  made/x", "A  modules/x"])):
        w.shadow("-C", w.path(place), "run", "--", "sh", "-c", change)
        shown = w.shadow("-C", w.path(place), "status").out.split("\n\n")[1].splitlines()
        assert [line.strip() for line in shown] == wanted, shown
        w.shadow("-C", w.path(place), "apply", "--yes")
        assert os.path.exists(w.path(place, "made")) == (place == "scratch") and w.read(place + "/f") == "2\n"


if __name__ == "__main__":
    assert SHADOW
    harness.main(sys.modules["__main__"])
