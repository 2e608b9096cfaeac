# SPDX-License-Identifier: MIT
"""Rights that an apply gives to others are told before it, also where a patch shows nothing but a move."""

import os
import shutil
import subprocess
import sys

import harness
from dialogue import Terminal

TEXT = "".join(f"line {n}\n" for n in range(20))


def told(w, word, path):
    """By all that a person looks at."""
    pair = f"{path}  ({word}"
    for words in (("status",), ("apply", "-n")):
        out = w.shadow(*words, check=False).out
        assert pair in out, (words, out)
    diff = w.shadow("diff")
    assert pair.replace("  ", " ") in diff.err, (diff.out, diff.err)
    terminal = Terminal(w, "apply", "-p")
    terminal.answer("n")  # the deletion
    terminal.until(word)
    terminal.answer("q")
    terminal.end()
    # Also to one who has seen none of that.
    out = w.shadow("apply", "--yes").out
    assert "others have got rights:\n" in out and pair in out, out


def not_told(w):
    for words in (("status",), ("apply", "-n"), ("diff",), ("apply", "--yes")):
        done = w.shadow(*words)
        said = done.out + done.err
        assert not any(word in said for word in ("others have", "(mode", "of mode")), (words, said)


def begin(w, mode, name="key"):
    w.git_project()
    w.write(name, TEXT, mode)
    w.git("add", "-A")
    w.git("commit", "-qm", "key")
    os.umask(0o022)


def test_moved_file_that_others_may_read(w):
    """A key of mode 600 gets another name, and 644."""
    begin(w, 0o600)
    w.sh("mv key pub; chmod 644 pub")
    told(w, "mode 600 became 644", "pub")


def test_moved_file_that_was_edited_too(w):
    """By another content of the same lines."""
    begin(w, 0o640)
    w.sh("sed s/19/x/ key >pub; rm key; chmod 755 pub")
    told(w, "mode 640 became 755", "pub")


def test_moved_directory_that_others_may_enter(w):
    """Its files keep their modes; it was the directory that kept others out."""
    begin(w, 0o644, "priv/key")
    os.chmod(w.path("priv"), 0o700)
    w.sh("mv priv pub; chmod 755 pub")
    told(w, "moved out of a directory of mode 700", "pub/key")


def test_file_moved_out_of_a_closed_directory(w):
    """The directory itself stays as it is."""
    begin(w, 0o644, "priv/in/key")
    os.chmod(w.path("priv"), 0o750)
    w.sh("mv priv/in/key tools")
    told(w, "moved out of a directory of mode 750", "tools")


def test_moves_that_give_nobody_more(w):
    """Within a closed directory, with its mode, to a narrower one, and of what everybody reads."""
    begin(w, 0o600)
    w.write("priv/a", TEXT.replace("line", "a"), 0o644)
    w.write("plain", TEXT.replace("line", "b"), 0o644)
    os.chmod(w.path("priv"), 0o700)
    w.sh("mv key other; mv priv/a priv/b; mv plain plainer; mv priv closed")
    not_told(w)


def test_rights_of_what_is_new_or_was_closed(w):
    """An apply without a question names what others may write or read from then on; what they may read they may execute."""
    begin(w, 0o600)
    w.write("tool", "#!/bin/sh\n", 0o644)
    w.sh("umask 0; echo n >new; mkdir nd; echo 1 >nd/x; chmod 644 key; chmod 755 tool; umask 22; echo 1 >plain")
    out = w.shadow("apply", "--yes").out
    told_of = out.split("others have got rights:\n")[1]
    for line in ("  key  (mode 600 became 644)", "  nd/  (mode 777, for everybody to write)",
                 "  nd/x  (mode 666, for everybody to write)", "  new  (mode 666, for everybody to write)"):
        assert line + "\n" in told_of, (line, out)
    assert "tool" not in told_of and "plain" not in told_of, out


def test_new_repository(w):
    """A new repository has the rights that git would give to it, whatever the agent gave: nobody else writes there."""
    if shutil.which("setfacl") is None:
        raise harness.Skip("no setfacl(1)")
    w.write("a", "a\n")
    made = "umask 022; git init -q; echo 1 >1; git add 1; git commit -qm n; git pack-refs --all; git tag t; "
    w.sh(made + "chmod -R go+w .git; setfacl -d -m o::rwx .git .git/refs; setfacl -m m::rwx .git/HEAD")
    umask = os.umask(0o027)
    try:
        w.shadow("apply", "--yes")
    finally:
        os.umask(umask)
    for folder, folders, files in os.walk(w.path(".git")):
        for name in [".", *folders, *files]:
            path = os.path.join(folder, name)
            assert os.lstat(path).st_mode & 0o027 == 0, (path, oct(os.lstat(path).st_mode))
            assert "system.posix_acl_default" not in os.listxattr(path), path
    assert w.git("status", "--porcelain").stdout == b"?? a\n"
    assert "no changes" in w.shadow("status").out


def test_new_file_wider_than_the_default_acl(w):
    """Its directory gives new files nothing for others."""
    if shutil.which("setfacl") is None:
        raise harness.Skip("no setfacl(1)")
    begin(w, 0o600)
    os.mkdir(w.path("d"))
    subprocess.run(["setfacl", "-d", "-m", "g::---,o::---", w.path("d")], check=True)
    w.sh("echo x >d/plain; mkdir d/sub; echo x >d/sub/plain")
    not_told(w)
    w.sh("echo x >d/f; chmod 644 d/f; mkdir d/new; echo x >d/new/g; chmod 604 d/new/g")
    status = w.shadow("status").out
    assert "d/new/g  (mode 604, for everybody to read)" in status, status
    assert "d/f  (mode 644, for everybody to read)" in status, status


def test_new_repository_below_a_default_acl(w):
    """There a new repository has what the directory gives, and not what the agent gave."""
    if shutil.which("setfacl") is None:
        raise harness.Skip("no setfacl(1)")
    for name in ("d", "like"):
        os.mkdir(w.path(name))
        subprocess.run(["setfacl", "-d", "-m", "g::rwx,o::---", w.path(name)], check=True)
    w.git("init", "-q", w.path("like"))
    w.sh("git init -q d; setfacl -R -m g::rwX,o::rwX d/.git; setfacl -d -m o::rwx d/.git/refs; setfacl -k d/.git/objects")
    w.shadow("apply", "--yes")
    for name in ("", "/HEAD", "/config", "/refs", "/refs/heads", "/objects"):
        got = subprocess.run(["getfacl", "-cp", w.path("d/.git" + name)], capture_output=True, check=True).stdout
        assert got == subprocess.run(["getfacl", "-cp", w.path("like/.git" + name)], capture_output=True,
                                     check=True).stdout, (name, got)


def test_new_directory_with_another_default_acl(w):
    """Where a default ACL is handed down, one that was changed in a new directory, or taken away, is told."""
    if shutil.which("setfacl") is None:
        raise harness.Skip("no setfacl(1)")
    os.mkdir(w.path("d"))
    subprocess.run(["setfacl", "-d", "-m", "g::---,o::---", w.path("d")], check=True)
    w.sh("mkdir d/plain d/wider d/none; setfacl -d -m o::rwx d/wider; setfacl -k d/none; touch d/plain/f d/wider/f d/none/f")
    for words in (("status",), ("apply", "-n")):
        out = w.shadow(*words).out
        assert "d/wider/  (with an ACL)" in out and "d/none/  (without its directory's ACL)" in out and "d/plain/ " not in out, out


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
