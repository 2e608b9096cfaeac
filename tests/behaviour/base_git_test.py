# SPDX-License-Identifier: MIT
"""What git knows of the project's files when a session begins serves as their base."""

import os
import shutil
import sys

import harness
from applies import CONFLICT, apply, lines, refused
from edits import begin, edit_both, merges, old_files, settled_git, write_beside, write_in_view
from live_server import server


def test_committed_and_collected(w):
    """The user commits the edit and collects garbage in between."""
    settled_git(w, {"F": lines()})
    begin(w)

    def commit_and_collect():
        w.git("commit", "-qam", "user")
        w.git("gc", "-q", "--prune=now")

    write_beside(w, "F", lines(l20="agent"), lines(l5="user"), commit_and_collect)
    merges(w)


def test_object_is_gone(w):
    """When the object is gone from the repository there is no text, and nothing is guessed."""
    settled_git(w, {"F": lines()})
    begin(w)
    w.write("F", lines(l5="user"))
    w.git("commit", "-qam", "user", "--amend")
    w.git("reflog", "expire", "--expire=now", "--all")
    w.git("gc", "-q", "--prune=now")
    write_in_view(w, "F", lines(l20="agent"))
    refused(w, "merge")
    assert w.read("F") == lines(l5="user")


def test_text_is_kept_once_it_was_needed(w):
    """What a review found in the repository does not depend on it any more."""
    settled_git(w, {"F": lines()})
    begin(w)
    edit_both(w)
    w.shadow("status")
    shutil.rmtree(w.path(".git", "objects"))
    merges(w)


def test_line_ends(w):
    """A file whose line ends git converts has no base text in the repository."""
    crlf = lines().replace("\n", "\r\n")
    settled_git(w, {".gitattributes": "*.txt eol=crlf\n", "F.txt": crlf, "G": lines()})
    begin(w, "F.txt")
    w.write("F.txt", crlf.replace("5\r\n", "user\r\n", 1))
    write_in_view(w, "F.txt", crlf.replace("20\r\n", "agent\r\n"))
    done = apply(w, "merge", check=False)
    text = w.read("F.txt")
    assert "user\r\n" in text and text.count("\r\n") == text.count("\n"), text
    assert done.returncode == CONFLICT or "agent\r\n" in text
    edit_both(w, "G")


def test_filters(w):
    """What a filter made of an object is kept by content, also where the size is the same."""
    swap = "tr 0-9 9876543210"
    settled_git(w, {".gitattributes": "*.x filter=swap\n", "F.x": lines(), "F": lines()},
                ["filter.swap.clean", swap], ["filter.swap.smudge", swap])
    assert w.git("show", ":F.x").stdout.decode() != lines()
    begin(w, "F.x")
    edit_both(w, "F.x")
    edit_both(w)
    refused(w)
    apply(w, "merge")
    assert w.read("F.x") == w.read("F") == lines(l5="user", l20="agent")


def test_filters_elsewhere(w):
    """Attributes outside of the work tree count too."""
    swap = "tr 0-9 9876543210"
    for number, place in enumerate(["info", "user", "setting", "included"]):
        name = f"F{number}"
        w.shadow("discard", "--yes", check=False)
        shutil.rmtree(w.path(".git"), ignore_errors=True)
        shutil.rmtree(w.home)
        os.makedirs(w.home + "/.config/git")
        rules = f"{name} filter=swap\n"
        w.git("init", "-q", "-b", "main")
        w.git("config", "filter.swap.clean", swap)
        w.git("config", "filter.swap.smudge", swap)
        os.makedirs(w.path(".git/info"), exist_ok=True)
        target = {"info": w.path(".git/info/attributes"),
                  "user": w.home + "/.config/git/attributes"}.get(place, w.home + "/rules")
        with open(target, "w", encoding="utf-8") as file:
            file.write(rules)
        setting = f"[core]\n\tattributesFile = {w.home}/rules\n"
        if place == "included":
            with open(w.home + "/more", "w", encoding="utf-8") as file:
                file.write(setting)
            setting = "[include]\n\tpath = more\n"
        if place in ("setting", "included"):
            with open(w.home + "/.gitconfig", "w", encoding="utf-8") as file:
                file.write(setting)
        settled_git(w, {name: lines()})
        assert w.git("show", f":{name}").stdout.decode() != lines(), place
        begin(w, name)
        edit_both(w, name)
        merges(w, name)


def test_converted_contents(w):
    """What git converts (autocrlf, ident, LFS, an encoding) never becomes a base text as git has it."""
    crlf = lines().replace("\n", "\r\n")
    utf16 = lines().encode("utf-16")
    pointer = "printf 'version https://git-lfs.github.com/spec/v1\\noid '; sha256sum | cut -c-64"
    for number, (rules, content, attributes) in enumerate([
            (None, crlf, ["core.autocrlf", "true"]),
            (None, crlf, ["core.autocrlf", "input"]),
            ("F text\n", crlf, ["core.eol", "crlf"]),
            ("F filter=lfs diff=lfs merge=lfs -text\n", lines(), ["filter.lfs.clean", pointer]),
            ("F ident\n", lines(l1="$Id$"), []),
            ("F working-tree-encoding=UTF-16\n", utf16, [])]):
        w.project = os.path.join(w.tmp, f"p{number}")
        os.mkdir(w.project)
        settled_git(w, {".gitattributes": rules, "F": content} if rules else {"F": content},
                    *([attributes] if attributes else []))
        if rules and "ident" in rules:
            os.unlink(w.path("F"))
            w.git("checkout", "-q", "F")
            content = w.read("F")
            assert "$Id: " in content
            old_files(w)
        begin(w, "F")
        raw = content if isinstance(content, bytes) else content.encode()
        line_of = (lambda text: text.encode("utf-16-le")) if raw is utf16 else str.encode
        mine = raw.replace(line_of("\n5" if raw is utf16 else "5"), line_of("\nU" if raw is utf16 else "U"), 1)
        theirs = raw.replace(line_of("25"), line_of("agent"), 1)
        assert mine != raw != theirs
        write_beside(w, "F", theirs, mine)
        done = apply(w, "merge", check=False)
        with open(w.path("F"), "rb") as file:
            found = file.read()
        both = mine.replace(line_of("25"), line_of("agent"), 1)
        # Merged with the bytes that the session began with, or a conflict.
        assert found == (both if done.returncode == 0 else mine), (number, found[:200])
        assert done.returncode in (0, CONFLICT) and (raw is not utf16 or done.returncode), number


def test_large_files_by_pointer(w):
    """An LFS pointer that was not fetched is a text like any other, and its merge is a conflict."""
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 1\n"
    settled_git(w, {".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n",
                    "F.bin": pointer.format("a" * 64)})
    begin(w, "F.bin")
    write_beside(w, "F.bin", pointer.format("c" * 64), pointer.format("b" * 64))
    assert "'F.bin'" in refused(w, "merge")
    assert w.read("F.bin") == pointer.format("b" * 64)


def test_not_watched_by_git(w):
    """assume-unchanged and skip-worktree hide edits from git, not from the base tree."""
    settled_git(w, {"F": "x\n" * 40, "G": "y\n" * 40})
    w.git("update-index", "--assume-unchanged", "F")
    w.git("update-index", "--skip-worktree", "G")
    for name in "FG":
        w.write(name, lines())
    old_files(w)
    begin(w)
    for name in "FG":
        edit_both(w, name)
    refused(w)
    apply(w, "merge")
    assert w.read("F") == w.read("G") == lines(l5="user", l20="agent")


def test_deleted_after_an_applied_deletion(w):
    """What nobody but the agent's copy knows of, and the user deleted while the agent had it, does not come back
    without a word, also after a deletion of the agent's was applied."""
    settled_git(w, {".gitignore": "*.o\n", "F": lines(), "G": lines()})
    w.write("x.o", lines())
    with server(w) as run:
        run.do("rm G")
        w.shadow("apply", "--yes", "--", "G")
        run.do("echo agent >>x.o")
        os.unlink(w.path("x.o"))
        done = w.shadow("apply", "--yes", "--ignored", check=False)
    assert done.returncode == CONFLICT and "'x.o' (deleted in the project" in done.err, (done.out, done.err)


def test_sparse_checkout(w):
    """Files outside of a sparse checkout are not there, and what is written there is new."""
    settled_git(w, {"in/F": lines(), "out/F": lines()})
    w.git("sparse-checkout", "set", "--cone", "--sparse-index", "in")
    assert not os.path.exists(w.path("out"))
    begin(w, "in/F")
    edit_both(w, "in/F")
    w.sh("mkdir out; echo agent >out/F")
    w.wait_settled()
    refused(w)
    apply(w, "merge")
    assert w.read("in/F") == lines(l5="user", l20="agent") and w.read("out/F") == "agent\n"


def test_submodule(w):
    """In a submodule there is no base text: both edits end as a conflict, and neither is lost."""
    module = os.path.join(w.tmp, "module")
    os.mkdir(module)
    w.git("init", "-q", "-b", "main", cwd=module)
    with open(os.path.join(module, "F"), "w", encoding="utf-8") as file:
        file.write(lines())
    w.git("add", "F", cwd=module)
    w.git("commit", "-qm", "m", cwd=module)
    settled_git(w, {"a": "a\n"})
    w.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", module, "sub")
    w.git("commit", "-qm", "sub")
    begin(w, "sub/F")
    edit_both(w, "sub/F")
    refused(w, "merge")
    assert w.read("sub/F") == lines(l5="user")


def test_index_versions(w):
    """Indexes of every version, and a split one."""
    for setting in (["update-index", "--index-version", "2"],
                    ["update-index", "--index-version", "3"],
                    ["update-index", "--index-version", "4"], ["update-index", "--split-index"]):
        w.shadow("discard", "--yes", check=False)
        shutil.rmtree(w.path(".git"), ignore_errors=True)
        settled_git(w, {"F": lines(), "dir/F": lines(), "dir/gone": "g\n"})
        w.git(*setting)
        w.git("rm", "-q", "--cached", "dir/gone")
        w.write("late", lines())
        w.git("add", "late")
        begin(w)
        for name in ("F", "dir/F", "late"):
            edit_both(w, name)
        refused(w)
        apply(w, "merge")
        for name in ("F", "dir/F", "late"):
            assert w.read(name) == lines(l5="user", l20="agent"), (setting, name)


def test_linked_work_tree(w):
    """In a linked work tree the index and the objects lie outside of the project."""
    main = os.path.join(w.tmp, "main")
    os.mkdir(main)
    w.git("init", "-q", "-b", "main", cwd=main)
    with open(os.path.join(main, "F"), "w", encoding="utf-8") as file:
        file.write(lines())
    w.git("add", "F", cwd=main)
    w.git("commit", "-qm", "m", cwd=main)
    os.rmdir(w.project)
    w.git("worktree", "add", "-q", w.project, cwd=main)
    old_files(w)
    harness.time.sleep(0.02)
    w.git("status")
    begin(w)
    edit_both(w)
    merges(w)


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
