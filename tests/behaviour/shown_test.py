# SPDX-License-Identifier: MIT
"""An apply is bound to what was shown: what changed since it was looked at is not written without a
word, whatever the file's times say."""

import json
import os
import re
import shutil
import subprocess
import sys

import harness
from dialogue import Terminal, lines
from shows import REFUSED, edit, merging, project, refused


def test_changed_after_it_was_shown(w):
    """What a run changes after a diff showed it is not written: it is named, with when it was shown,
    also in JSON; a new look, or --unseen, goes on."""
    project(w)
    edit(w, "f", "g")
    w.shadow("diff")
    edit(w, "f", text="other")
    done = refused(w)
    assert "'g'" not in done.err, done.err
    done = w.shadow("apply", "--yes", "--json", check=False)
    error = json.loads(done.err)["error"]
    assert done.returncode == REFUSED and error["kind"] == "refused", done.err
    assert error["paths"] == [{"path": "f"}] and "--unseen" in error["hint"], done.err
    assert w.shadow("apply", "-n", check=False).returncode == REFUSED
    w.shadow("apply", "--yes", "g")
    assert w.read("g") == lines(l2="two")
    w.shadow("diff", "f")
    w.shadow("apply", "--yes")
    assert w.read("f") == lines(l2="other")
    edit(w, "f", text="more")
    w.shadow("diff")
    edit(w, "f", text="most")
    refused(w)
    w.shadow("apply", "--yes", "--unseen")
    assert w.read("f") == lines(l2="most")


def test_every_kind_of_change(w):
    """A mode, a link's target, a type, a deletion and a new file are bound like a content; all that
    changed is named at once."""
    project(w)
    w.sh("chmod 755 f; ln -s f link; rm del; echo 1 >new; echo 1 >g; ln h hard; echo 1 >>h")
    w.shadow("diff")
    w.shadow("apply", "-n")
    w.sh("chmod 700 f; ln -sf g link; echo back >del; rm new; rm g; mkdir g; touch g/x; "
         "echo 2 >>h")
    refused(w, names=("f", "link", "del", "g", "h", "hard"))
    w.shadow("diff")
    w.shadow("apply", "--yes")
    assert os.readlink(w.path("link")) == "g" and w.read("del") == "back\n"
    assert w.read("hard") == lines() + "1\n2\n" and os.path.isdir(w.path("g"))
    assert w.shadow("diff").out == ""


def test_unchanged_goes_on(w):
    """What is as it was shown is applied, of whatever kind it is; a moved file, one with another
    name, one that nobody may read and one that only got another mode among them."""
    project(w)
    w.write("deep/a", lines())
    w.write("deep/b", "b\n")
    os.link(w.path("deep/b"), w.path("deep/c"))
    w.sh("mv deep/a deep/z; chmod 755 deep/b; chmod 600 f; sed -i 3d g; chmod 000 g; rm del; "
         "ln h h2; ln -s f link; mkfifo pipe; mkdir -p n/m; echo 1 >n/m/x; printf '\\0b' >bin; >empty")
    shown = w.shadow("diff").out
    assert "rename from deep/a" in shown, shown
    w.shadow("apply", "--yes")
    assert w.shadow("diff").out == "" and not os.path.exists(w.path("deep/a"))


def test_what_shows_nothing(w):
    """Names alone are no look at a content: status, --stat, --name-only, --json and a dry run do not
    count as one, nor does a diff of other paths."""
    project(w)
    edit(w, "f", "g")
    for words in (("status",), ("diff", "--stat"), ("diff", "--name-only"), ("diff", "--json"),
                  ("diff", "--numstat"), ("apply", "-n"), ("diff", "g"), ("log",)):
        w.shadow(*words)
    edit(w, "f", text="other")
    w.shadow("apply", "--yes")
    assert w.read("f") == lines(l2="other")


def test_plan_as_patch(w):
    """The patch of a dry run is a look, too."""
    project(w)
    edit(w, "f")
    w.shadow("apply", "-n", "--diff")
    edit(w, "f", text="other")
    refused(w)
    patch = json.loads(w.shadow("apply", "-n", "--diff", "--json").out)["patch"]
    assert "+other" in patch, patch
    w.shadow("apply", "--yes")
    assert w.read("f") == lines(l2="other")


def test_question(w):
    """On a terminal the question says how much of it was never shown, and what changed since it was
    shown is told before anything is asked."""
    project(w)
    edit(w, "f", "g", "h")
    terminal = Terminal(w, "apply")
    assert "(none of it was ever shown)" in terminal.until("[y/N] ")
    os.write(terminal.fd, b"n\n")
    assert terminal.end()[1] == 1
    w.shadow("diff", "f")
    terminal = Terminal(w, "apply")
    assert "2 of 3 were never shown" in terminal.until("[y/N] ")
    os.write(terminal.fd, b"n\n")
    assert terminal.end()[1] == 1
    edit(w, "f", text="other")
    text, status = Terminal(w, "apply").end()
    assert status == REFUSED and "'f' (" in text and "[y/N]" not in text, text
    w.shadow("diff")
    terminal = Terminal(w, "apply")
    assert "shown" not in terminal.until("[y/N] ")
    os.write(terminal.fd, b"y\n")
    assert terminal.end()[1] == 0 and w.read("f") == lines(l2="other")


def test_undo_and_again(w):
    """What was applied or dropped counts as never shown when it comes back; a redo writes what the
    apply had written."""
    project(w)
    edit(w, "f", "g")
    w.shadow("diff")
    w.shadow("apply", "--yes")
    w.shadow("undo")
    w.shadow("undo", "2")
    assert w.read("f") == lines(l2="two")
    w.shadow("undo")
    edit(w, "f", text="other")
    w.shadow("apply", "--yes", "f")
    assert w.read("f") == lines(l2="other")
    w.shadow("diff")
    w.shadow("discard", "--yes", "g")
    edit(w, "g", text="new")
    w.shadow("apply", "--yes")
    assert w.read("g") == lines(l2="new")


def test_parts(w):
    """A part that was taken or dropped leaves the rest as bound as it was, or never shown."""
    project(w)
    w.run("sed", "-i", "-e", "2s/.*/two/", "-e", "25s/.*/late/", "f", "g")
    w.shadow("apply", "-p", "f", stdin=b"y\nn\n")
    w.shadow("apply", "--yes", "f")
    assert w.read("f") == lines(l2="two", l25="late")
    w.shadow("diff")
    w.shadow("discard", "-p", "g", stdin=b"y\nn\n")
    w.shadow("apply", "--yes")
    assert w.read("g") == lines(l25="late")


def test_merges(w):
    """Of a file that both sides changed the merge is what was shown: it is bound when the agent goes
    on, and when the user does; what was shown before the user's edit is merged with it."""
    project(w)
    merging(w)
    shown = w.shadow("diff", "f").out
    assert "+two" in shown and "user" not in re.sub(r"(?m)^ .*", "", shown), shown
    w.shadow("apply", "--yes", "--on-conflict=merge", "f")
    assert w.read("f") == lines(l2="two", l20="user")
    w.shadow("undo")
    w.shadow("diff", "f")
    edit(w, "f", n=3, text="three")
    refused(w, "--on-conflict=merge", "f")
    w.shadow("diff", "f")
    w.write("f", lines(l20="user", l28="more"))
    refused(w, "--on-conflict=merge", "f")
    w.shadow("diff", "f")
    w.shadow("apply", "--yes", "--on-conflict=skip")
    assert w.read("f") == lines(l2="two", l3="three", l20="user", l28="more")
    edit(w, "h")
    w.shadow("diff", "h")
    w.write("h", lines(l20="user"))
    w.shadow("apply", "--yes", "--on-conflict=merge", "h")
    assert w.read("h") == lines(l2="two", l20="user")
    assert w.read("g") == lines(l2="user")


def test_an_edit_after_a_merge_was_shown(w):
    """An edit of yours to a file that the session alone had changed leaves it shown; after a merge was shown, each
    makes another merge of it, and that you took your edit back is not said of the session."""
    project(w)
    edit(w, "f", n=2, text="two")
    w.wait_settled()
    w.shadow("diff")
    w.write("f", lines(l15="user"))
    w.shadow("apply", "-n")
    w.shadow("diff")
    w.write("f", lines(l15="user", l20="more"))
    assert "not the merge that was shown" in refused(w).err
    w.git("checkout", "f")
    said = refused(w).err
    assert "not what was shown" in said and "changed after" not in said, said
    w.shadow("diff")
    edit(w, "f", n=4, text="four")
    assert "changed after it was shown" in refused(w).err


def test_conflicts(w):
    """Of a conflict the session's version is what was shown: it may be taken or marked, unless it
    changed since; to keep one's own nothing needs to be looked at."""
    project(w)
    for how, wanted in (("theirs", lines(l2="two")), ("markers", None), ("ours", lines(l2="user"))):
        for unseen in (False, True):
            merging(w)
            w.shadow("diff")
            if unseen:
                edit(w, "g", n=3, text="three")
                if how != "ours":
                    refused(w, f"--on-conflict={how}", "g", names=("g",))
                    w.shadow("diff", "g")
            w.shadow("apply", "--yes", f"--on-conflict={how}", "g", check=how != "ours")
            if wanted is None:
                assert "<<<<<<<" in w.read("g") and "two" in w.read("g"), w.read("g")
            elif not unseen:
                assert w.read("g") == wanted, (how, w.read("g"))
            w.shadow("discard", "--yes")
            w.git("checkout", "-q", ".")


def test_moved_and_edited(w):
    """A file that the session moved and the user edited is written merged; it is bound to the
    session's version, which is what a diff shows of it."""
    project(w)
    w.sh("mv f moved; sed -i 2s/.*/two/ moved")
    w.wait_settled()
    w.write("f", lines(l20="user"))
    w.shadow("diff")
    edit(w, "moved", n=3, text="three")
    refused(w, "--on-conflict=merge", "f", "moved", names=("moved",))
    w.shadow("diff")
    w.shadow("apply", "--yes", "--on-conflict=merge", "f", "moved")
    assert w.read("moved") == lines(l2="two", l3="three", l20="user")


def test_attributes(w):
    """What a file has besides its content, user attributes and ACLs, is shown before the patch and bound as it was
    shown: of a new file, of one that was edited, of one of which nothing else changed, and of a merge."""
    project(w)
    w.sh("setfattr -n user.mine -v 'a b' f; echo 1 >new; setfattr -n user.new -v 1 new; sed -i 2s/.*/two/ g; "
         "setfattr -n user.g -v 1 g; printf 'a\\033b' | xargs -0 setfattr h -n user.h -v")
    shown = w.shadow("diff").out
    for line in ("# attributes of f: user.mine 'a b'\n", "# attributes of new: user.new '1'\n", "# attributes of g: user.g '1'\n",
                 "# attributes of h: user.h 'a\\x1bb'\n"):
        assert line in shown, shown
    assert "new  (with extended attributes)" in w.shadow("status").out
    subprocess.run(["git", "apply", "--check", "-"], cwd=w.project, input=shown.encode(), check=True)
    w.sh("setfattr -n user.mine -v other f; setfattr -n user.more -v 1 new; setfattr -x user.g g; setfattr -n user.h -v 2 h")
    refused(w, names=("f", "new", "g", "h"))
    w.shadow("diff")
    w.shadow("apply", "--yes")
    assert {name: sorted(os.listxattr(w.path(name))) for name in ("f", "new", "g", "h")} == {
        "f": ["user.mine"], "new": ["user.more", "user.new"], "g": [], "h": ["user.h"]}
    assert os.getxattr(w.path("f"), "user.mine") == b"other"
    w.sh("setfattr -x user.mine f")
    assert "# attributes of f: none any more\n" in w.shadow("diff").out
    w.shadow("apply", "--yes")
    assert os.listxattr(w.path("f")) == []


def test_attributes_of_a_plan(w):
    """So it is where a plan is looked at as a patch, and of the side that settles a conflict."""
    project(w)
    w.sh("setfattr -n user.x -v 1 h")
    assert "# attributes of h: user.x '1'" in w.shadow("apply", "-n", "--diff", "h").out
    w.sh("setfattr -n user.x -v 2 h")
    refused(w, "h", names=("h",))
    merging(w)
    w.sh("setfattr -n user.x -v 3 g")
    assert "# attributes of g: user.x '3'" in w.shadow("diff", "g").out
    w.sh("setfattr -n user.x -v 4 g")
    refused(w, "--on-conflict=theirs", "g", names=("g",))
    w.shadow("diff", "g")
    w.shadow("apply", "--yes", "--on-conflict=theirs", "g")
    assert os.getxattr(w.path("g"), "user.x") == b"4" and w.read("g") == lines(l2="two")


def test_acls(w):
    """An ACL is shown as setfacl takes it, and bound; one of the project's own that stays is no change, and none of it
    is in the way."""
    if shutil.which("setfacl") is None:
        raise harness.Skip("no setfacl(1)")
    project(w)
    w.write("kept", "1\n")
    subprocess.run(["setfacl", "-m", "u:1:r", w.path("kept")], check=True)
    uid = os.geteuid()
    w.sh(f"setfacl -m u:{uid}:rwx,m::rwx f; sed -i s/1/2/ kept")
    shown = w.shadow("diff").out
    assert f"# attributes of f: ACL user::rw-,user:{uid}:rwx,group::r--,mask::rwx,other::r--\n" in shown, shown
    assert "attributes of kept" not in shown, shown
    w.sh("setfacl -m o::rw f")
    refused(w)
    w.shadow("diff")
    w.shadow("apply", "--yes")
    assert w.read("kept") == "2\n" and "system.posix_acl_access" in os.listxattr(w.path("kept"))


def test_no_such_pager(w):
    """A pager that cannot be run has shown nothing: that is an error, and what it was given counts as never shown."""
    project(w)
    w.sh("seq 50000 >>f")
    for pager in ("no-such-pager --it", "/dev/null"):
        text, status = Terminal(w, "diff", env={"SHADOW_PAGER": pager}).end()
        assert status == 2 and f"cannot run the pager '{pager}'" in text, (status, text)
        assert "none of it was ever shown" in Terminal(w, "apply").until("[y/N] ")
    text, status = Terminal(w, "diff", env={"SHADOW_PAGER": "head -n 3"}).end()
    assert status == 0 and "diff --git a/f b/f" in text, (status, text)


def test_attributes_in_parts(w):
    """apply -p shows the attributes that it asks about, and writes these."""
    project(w)
    w.sh("sed -i 2s/.*/two/ f; setfattr -n user.x -v 1 f; echo 1 >new; setfattr -n user.y -v 2 new")
    done = w.shadow("apply", "-p", stdin=b"y\nn\ny\n")
    assert "# attributes of f: user.x '1'" in done.out and "# attributes of new: user.y '2'" in done.out, done.out
    assert os.getxattr(w.path("f"), "user.x") == b"1" and w.read("f") == lines()
    assert os.getxattr(w.path("new"), "user.y") == b"2"


def test_many_large_parts(w):
    """More large files can be offered than a process may have open at first; where it may not have more, that is said,
    and nothing is written."""
    project(w)
    w.sh("mkdir many; head -c 70000 /dev/urandom >big; for i in $(seq 150); do cp big many/$i; done; rm big")
    limited = ["sh", "-c", "ulimit -Sn 128; [ $0 = all ] || ulimit -Hn 128; exec \"$@\""]
    for how, status in (("few", 2), ("all", 0)):
        done = subprocess.run([*limited, how, harness.SHADOW, "apply", "-p"], cwd=w.project, env=w.env, input=b"a\n" * 150,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        assert done.returncode == status, (how, done.returncode, done.stderr)
        if how == "few":
            assert b"so many large files" in done.stderr and b"apply -p PATH" in done.stderr, done.stderr
            assert not os.path.exists(w.path("many"))
    assert len(os.listdir(w.path("many"))) == 150


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
