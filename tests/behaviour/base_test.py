# SPDX-License-Identifier: MIT
"""What the project's files were when a session began, kept for files that it did not touch yet."""

import json
import os
import shutil
import subprocess
import sys

import harness

CONFLICT = 3


def lines(**changed):
    """Thirty lines, those named l5="x" replaced."""
    return "".join(f"{changed.get(f'l{n}', n)}\n" for n in range(1, 31))


def apply(w, how=None, check=True):
    return w.shadow("apply", "--yes", *([f"--on-conflict={how}"] if how else []), check=check)


def refused(w, how="stop"):
    """Apply stops, names the conflict and writes nothing; what it said."""
    before = harness.fingerprint(w.project)
    done = apply(w, how, check=False)
    assert done.returncode == CONFLICT, (done.returncode, done.out, done.err)
    assert harness.fingerprint(w.project) == before
    return done.err


def begin(w, name="F"):
    """A run that only reads; the base tree is there afterwards."""
    w.run("cat", "--", name)
    w.wait_settled()


def write_in_view(w, name, text):
    """A run that writes the file whole, as from what an earlier one read."""
    data = text if isinstance(text, bytes) else text.encode()
    w.run("sh", "-c", 'cat >"$0.n" && mv -- "$0.n" "$0"', "./" + name, stdin=data)
    w.wait_settled()


def write_beside(w, name, text, by_user, afterwards=lambda: None, before=lambda: None):
    """A run writes the file whole, and the user does while that run goes on, before anything else
    looks at what it wrote: only what is known of the project tells what both started from."""
    data = text if isinstance(text, bytes) else text.encode()
    run = w.start("run", "--", "sh", "-c",
                  'head -c "$1" >"$0.n" && mv -- "$0.n" "$0" && echo written && read end',
                  "./" + name, str(len(data)),
                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    before()
    run.stdin.write(data)
    run.stdin.flush()
    assert run.stdout.readline() == b"written\n"
    harness.time.sleep(0.02)
    w.write(name, by_user)
    afterwards()
    run.communicate(b"end\n")
    w.wait_settled()


def edit_both(w, name="F"):
    """The agent writes line 20, and the user line 5."""
    write_beside(w, name, lines(l20="agent"), lines(l5="user"))


def merges(w, name="F"):
    assert "can be merged" in refused(w)
    apply(w, "merge")
    assert w.read(name) == lines(l5="user", l20="agent"), w.read(name)
    assert w.shadow("diff").out == ""


def old_files(w):
    """git trusts a file's times only when they are older than its index."""
    for folder, _, names in os.walk(w.project):
        if ".git" not in folder.split(os.sep):
            for name in names:
                os.utime(os.path.join(folder, name), (1_600_000_000, 1_600_000_000),
                         follow_symlinks=False)


def settled_git(w, files, *attributes):
    """A git project whose index says that all of its files are clean."""
    w.git("init", "-q", "-b", "main")
    for name, content in files.items():
        w.write(name, content)
    for words in attributes:
        w.git("config", *words)
    old_files(w)
    w.git("add", "-A")
    w.git("commit", "-qm", "begin")
    harness.time.sleep(0.02)
    w.git("update-index", "-q", "--refresh", check=False)
    # Written again, later than all of the files.
    w.git("update-index", "--force-write-index", check=False)
    w.git("status")


def kept_blobs(w):
    found = []
    for folder, _, names in os.walk(os.path.join(w.state, "blobs")):
        found += [os.path.join(folder, name) for name in names]
    return found


def test_clean_tracked_file(w):
    """Written by the agent, and by the user before the run's end: stops, and merges when asked."""
    settled_git(w, {"new\nline": lines(), "-dash": lines(), "other": "o\n"})
    begin(w, "new\nline")
    assert kept_blobs(w) == [], "a clean file's text is in the project's object store"
    edit_both(w, "new\nline")
    edit_both(w, "-dash")
    assert "can be merged" in refused(w)
    apply(w, "merge")
    for name in ("new\nline", "-dash"):
        assert w.read(name) == lines(l5="user", l20="agent")
    assert w.shadow("diff").out == ""


def test_without_git(w):
    """The same in a project that is no repository."""
    w.write("d/F", lines())
    begin(w, "d/F")
    edit_both(w, "d/F")
    merges(w, "d/F")


def test_dirty_and_untracked(w):
    """Files that were edited or not tracked when the session began: their state then is the base."""
    settled_git(w, {"F": "committed\n", ".gitignore": "*.o\n"})
    w.write("F", lines())
    w.write("new", lines())
    w.write("x.o", lines())
    begin(w)
    edit_both(w)
    edit_both(w, "new")
    edit_both(w, "x.o")
    refused(w)
    apply(w, "merge")
    assert w.read("F") == w.read("new") == lines(l5="user", l20="agent")
    # Of what is ignored nothing is kept.
    assert w.read("x.o") == lines(l5="user")
    done = w.shadow("apply", "--yes", "--ignored", "--on-conflict=merge", check=False)
    assert done.returncode == CONFLICT and w.read("x.o") == lines(l5="user")


def test_edit_in_a_long_first_run(w):
    """The user edits while the first run still goes on."""
    settled_git(w, {"F": lines()})
    write_beside(w, "F", lines(l20="agent"), lines(l5="user"),
                 before=lambda: harness.wait_until(lambda: base_tree(w), what="the base tree"))
    merges(w)


def base_tree(w):
    sessions = os.path.join(w.state, "sessions")
    if not os.path.isdir(sessions):
        return []
    return [name for name in os.listdir(sessions)
            if os.path.exists(os.path.join(sessions, name, "base-tree"))]


def test_user_deletes_what_the_agent_writes(w):
    """The user deletes a file that was there at first, and the agent writes it: a conflict."""
    settled_git(w, {"F": lines(), "G": lines()})
    begin(w)
    os.unlink(w.path("F"))
    os.unlink(w.path("G"))
    write_in_view(w, "F", lines(l20="agent"))
    write_in_view(w, "G", lines())
    said = refused(w, "merge")
    assert "'F' (deleted in the project" in said and "'G' (deleted in the project" in said, said
    apply(w, "theirs")
    assert w.read("F") == lines(l20="agent") and w.read("G") == lines()


def test_agent_deletes_what_the_user_edits(w):
    """The user edits a file before the agent deletes it: a conflict."""
    settled_git(w, {"F": lines(), "G": lines()})
    begin(w)
    w.write("F", lines(l5="user"))
    w.run("rm", "F", "G")
    w.wait_settled()
    assert "deleted in the session" in refused(w, "merge")
    apply(w, "ours")
    assert w.read("F") == lines(l5="user") and not os.path.exists(w.path("G"))


def test_agent_takes_the_users_edit_back(w):
    """What the agent wrote after the user's edit is never hidden as if it said nothing."""
    settled_git(w, {"F": lines(), "touched": lines()})
    begin(w)
    w.write("F", lines(l5="user"))
    w.write("touched", lines(l5="user"))
    write_in_view(w, "F", lines())
    w.run("touch", "touched")
    w.wait_settled()
    assert "'F'" in refused(w) and "F" in w.shadow("diff", "--name-only").out
    assert "touched" not in w.shadow("diff", "--name-only").out
    apply(w, "theirs")
    assert w.read("F") == lines() and w.read("touched") == lines(l5="user")


def test_rename_of_what_the_user_edits(w):
    """The user edits a file before the agent renames and edits it: the edit goes along."""
    settled_git(w, {"old name": lines()})
    begin(w, "old name")
    w.write("old name", lines(l5="user"))
    write_in_view(w, "-new", lines(l20="agent"))
    w.run("rm", "old name")
    w.wait_settled()
    refused(w)
    apply(w, "merge")
    assert w.read("-new") == lines(l5="user", l20="agent")
    assert not os.path.exists(w.path("old name"))


def test_one_side_only(w):
    """What one side alone changed never conflicts."""
    settled_git(w, {"mine": lines(), "yours": lines()})
    begin(w, "mine")
    w.write("yours", lines(l5="user"))
    write_in_view(w, "mine", lines(l20="agent"))
    apply(w)
    assert w.read("mine") == lines(l20="agent") and w.read("yours") == lines(l5="user")


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


def test_after_an_apply(w):
    """After an apply its result is the base, and after an undo what the undo left."""
    settled_git(w, {"F": lines()})
    begin(w)
    write_in_view(w, "F", lines(l10="agent"))
    apply(w)
    write_beside(w, "F", lines(l10="agent", l20="agent"), lines(l10="agent", l5="user"))
    assert "can be merged" in refused(w)
    apply(w, "merge")
    assert w.read("F") == lines(l10="agent", l5="user", l20="agent")
    w.shadow("undo")
    assert w.read("F") == lines(l10="agent", l5="user")
    write_beside(w, "F", lines(l10="agent", l5="user", l15="agent"),
                 lines(l10="agent", l5="user", l25="user"))
    apply(w, "merge")
    assert w.read("F") == lines(l10="agent", l5="user", l15="agent", l25="user")


def test_after_a_discard(w):
    """After a discard of a path what the project has there is the base."""
    settled_git(w, {"F": lines()})
    begin(w)
    write_in_view(w, "F", lines(l10="agent"))
    w.write("F", lines(l2="early"))
    w.shadow("discard", "--yes", "F")
    w.wait_settled()
    assert w.run("cat", "F").out == lines(l2="early")
    w.wait_settled()
    write_beside(w, "F", lines(l2="early", l20="agent"), lines(l2="early", l5="user"))
    refused(w)
    apply(w, "merge")
    assert w.read("F") == lines(l2="early", l5="user", l20="agent")


def test_made_once_more(w):
    """What was applied, deleted by the user and made again by the agent is seen."""
    w.write("a", "a\n")
    begin(w, "a")
    w.sh("echo new >'N n'; rm a")
    w.wait_settled()
    apply(w)
    os.unlink(w.path("N n"))
    w.write("a", "again\n")
    w.sh("echo new >'N n'; touch -d @1000000000 'N n'; rm a")
    w.wait_settled()
    assert w.shadow("diff", "--name-only").out.splitlines() == ["N n", "a"]
    said = refused(w)
    assert "'N n' (deleted in the project, changed in the session)" in said and "'a'" in said
    apply(w, "theirs")
    assert w.read("N n") == "new\n" and not os.path.exists(w.path("a"))
    assert w.shadow("diff").out == ""


def test_empty_directory_made_once_more(w):
    """An empty directory that the user deleted and the agent made again is seen."""
    w.write("a", "a\n")
    os.mkdir(w.path("old"))
    begin(w, "a")
    w.sh("mkdir new; mkdir -m 700 private; touch old/x; rm old/x")
    w.wait_settled()
    apply(w)
    for name in ("new", "private", "old"):
        os.rmdir(w.path(name))
    assert "no changes" in w.shadow("status").out
    w.wait_settled()
    w.sh("rmdir old 2>/dev/null; mkdir new; mkdir -m 700 private; mkdir old; mkdir way; touch way/x")
    w.wait_settled()
    assert w.shadow("diff", "--name-only").out.splitlines() == ["way/x"]  # a patch has no directories
    said = refused(w)
    for name in ("new", "private", "old"):
        assert f"'{name}' (deleted in the project, changed in the session)" in said, (name, said)
    apply(w, "theirs")
    assert all(os.path.isdir(w.path(name)) for name in ("new", "private", "old", "way"))


def test_touched_is_no_change(w):
    """A file that the agent only rewrote as it was stays the user's to change or delete."""
    settled_git(w, {"F": lines(), "G": lines()})
    begin(w)
    write_in_view(w, "F", lines())
    write_in_view(w, "G", lines())
    w.write("F", lines(l5="user"))
    os.unlink(w.path("G"))
    assert w.shadow("diff").out == ""
    write_in_view(w, "other", "o\n")
    apply(w)
    assert w.read("F") == lines(l5="user") and not os.path.exists(w.path("G"))


def test_taken_again(w):
    """A tree that was not finished is taken after the next run, of what is still as old."""
    w.write("F", lines())
    w.write("G", lines())
    begin(w)
    session = base_tree(w)[0]
    os.unlink(os.path.join(w.state, "sessions", session, "base-tree"))
    w.write("G", lines(l5="user"))
    begin(w)
    assert base_tree(w) == [session]
    edit_both(w)
    write_in_view(w, "G", lines(l20="agent"))
    assert "'G'" in refused(w, "merge")
    apply(w, "ours")
    assert w.read("F") == lines(l5="user", l20="agent") and w.read("G") == lines(l5="user")


def test_limits(w):
    """Of a file that is too large nothing is kept; where that stands in the way it is said."""
    large = "line\n" * (2 << 20)
    w.write("large", large)
    w.write("F", lines())
    begin(w)
    edit_both(w)
    assert "too large" not in w.shadow("status").out
    w.write("large", large + "user\n")
    write_in_view(w, "large", large + "agent\n")
    said = w.shadow("status").out
    assert "1 file was too many or too large to keep" in said, said
    assert json.loads(w.shadow("status", "--json").out)["base_left_out"] == 1
    refused(w, "merge")


def test_moved_directory(w):
    """A directory put in the place of another, with files older than the session: no wrong base."""
    settled_git(w, {"d/F": lines(), "e/F": lines(l5="user")})
    begin(w, "d/F")
    os.rename(w.path("d"), w.path("old"))
    os.rename(w.path("e"), w.path("d"))
    write_in_view(w, "d/F", lines(l20="agent"))
    refused(w)
    apply(w, "merge")
    assert w.read("d/F") == lines(l5="user", l20="agent")


def test_hostile_project(w):
    """FIFOs, links and broken indexes in the real project neither hang nor lead astray."""
    settled_git(w, {"F": lines()})
    outside = os.path.join(w.tmp, "outside")
    with open(outside, "w", encoding="utf-8") as file:
        file.write("secret\n")
    os.mkfifo(w.path(".gitattributes"))
    os.mkfifo(w.path("fifo"))
    os.symlink(outside, w.path("link"))
    os.symlink("/", w.path("root"))
    with open(w.path(".git/index"), "r+b") as file:
        file.truncate(40)
    begin(w)
    edit_both(w)
    merges(w)
    blobs = [open(path, "rb").read() for path in kept_blobs(w)]
    assert b"secret\n" not in blobs


def test_first_run_leaves_nothing_waiting(w):
    """The process that takes the tree holds none of the caller's pipes."""
    w.write("F", lines())
    read_end, write_end = os.pipe()
    done = subprocess.run([harness.SHADOW, "run", "--", "true"], cwd=w.project, env=w.env,
                          stdout=write_end, stderr=write_end, pass_fds=[write_end], check=True,
                          timeout=20)
    os.close(write_end)
    assert done.returncode == 0 and os.read(read_end, 1) == b""
    os.close(read_end)



def test_directory_removed_as_a_whole(w):
    """What the agent removed with its directory has a base like any other: the same text written anew is no conflict,
    an edit is one, and it is said which."""
    w.git_project({"d/a": lines(), "d/b": lines()})
    begin(w, "d/a")
    w.run("rm", "-r", "d")
    w.wait_settled()
    w.write("d/a.n", lines())
    os.rename(w.path("d/a.n"), w.path("d/a"))
    assert "conflict" not in w.shadow("status").out
    w.write("d/b", lines(l5="user"))
    assert "'d/b' (changed in the project, deleted in the session)" in refused(w)
    w.write("d/b", lines())
    apply(w)
    assert not os.path.exists(w.path("d"))


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
