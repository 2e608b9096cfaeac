# SPDX-License-Identifier: MIT
"""Extended attributes and ACLs that one side changed, beside what the other did."""

import json
import os
import shutil
import stat
import subprocess
import sys

import harness
from applies import apply, lines, refused
from merges import check_same

OTHER = 1


def need_tools():
    if shutil.which("setfacl") is None or shutil.which("setfattr") is None:
        raise harness.Skip("no setfacl(1) or setfattr(1)")


def setfacl(*words):
    subprocess.run(["setfacl", *words], check=True)


def acl(path):
    out = subprocess.run(["getfacl", "-cnp", path], stdout=subprocess.PIPE, check=True).stdout.decode()
    return [line.split("\t")[0] for line in out.split("\n") if line]


def attributes(path):
    return {name: os.getxattr(path, name) for name in os.listxattr(path) if name.startswith("user.")}


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


def status_of(w, path="F"):
    return [line for line in w.shadow("status").out.splitlines() if line.endswith(path) or f" {path} " in line]


def change_of(w, path="F"):
    return [c for c in json.loads(w.shadow("status", "--json").out)["changes"] if c["path"] == path]


def edited(w, script="sed -i s/^20$/agent/ F.n; cat F.n >F; rm F.n", text=None):
    """The agent edits the file in its place, as most tools do."""
    w.sh("cp F F.n; " + script if text is None else text)
    w.wait_settled()


def test_users_attributes_beside_the_agents_text(w):
    """An ACL or an attribute that I give a file that the agent edits stays, and the agent's text comes."""
    need_tools()
    for name, change, check in (
            ("acl", lambda path: setfacl("-m", f"u:{OTHER}:rw", path), lambda path: f"user:{OTHER}:rw-" in acl(path)),
            ("xattr", lambda path: os.setxattr(path, "user.t", b"1"),
             lambda path: attributes(path) == {"user.t": b"1"})):
        for editor in ("cp F F.n; sed -i s/^20$/agent/ F.n; cat F.n >F; rm F.n", "sed -i s/^20$/agent/ F"):
            path = w.write("F", lines(), 0o644)
            w.wait_settled()
            w.sh(editor)
            w.wait_settled()
            change(path)
            before = mode(path)
            told = w.shadow("status").out
            assert "conflict" not in told and "ACL" not in told and "attributes" not in told, (name, told)
            assert "attributes of" not in w.shadow("diff").out
            apply(w)
            assert w.read("F") == lines(l20="agent") and check(path) and mode(path) == before, (name, acl(path))
            check_same(w)
            w.shadow("undo")
            assert w.read("F") == lines() and check(path), (name, acl(path))
            w.shadow("discard", "--yes")
            os.unlink(path)


def test_users_attributes_and_text(w):
    """The user's attributes stay beside a text that both sides changed; what the user takes away is not given back."""
    need_tools()
    path = w.write("F", lines(), 0o644)
    setfacl("-m", f"u:{OTHER}:rw", path)
    os.setxattr(path, "user.old", b"1")
    edited(w)
    setfacl("-b", path)
    os.removexattr(path, "user.old")
    w.write("F", lines(l5="user"))
    assert "conflict" not in w.shadow("status").out
    w.shadow("diff")
    apply(w)
    assert w.read("F") == lines(l5="user", l20="agent")
    assert acl(path) == ["user::rw-", "group::r--", "other::r--"] and mode(path) == 0o644, acl(path)
    assert attributes(path) == {}
    check_same(w)


def test_agents_attributes_beside_the_users_text(w):
    """An attribute or ACL that the agent sets goes with a text that the user edits."""
    need_tools()
    uid = os.getuid()
    for script, check in ((f"setfacl -m u:{uid}:r F", lambda path: f"user:{uid}:r--" in acl(path)),
                          ("setfattr -n user.t -v 1 F", lambda path: attributes(path) == {"user.t": b"1"})):
        path = w.write("F", lines(), 0o644)
        w.wait_settled()
        w.sh(script)
        w.wait_settled()
        w.write("F", lines(l5="user"))
        assert "conflict" not in w.shadow("status").out, w.shadow("status").out
        w.shadow("diff")
        apply(w)
        assert w.read("F") == lines(l5="user") and check(path), acl(path)
        check_same(w)
        w.shadow("undo")
        assert w.read("F") == lines(l5="user") and not check(path)
        w.shadow("discard", "--yes")


def test_attributes_of_both_sides(w):
    """Other attributes on both sides are a conflict that says so, and nothing is widened."""
    need_tools()
    path = w.write("F", lines(), 0o644)
    w.wait_settled()
    w.sh("setfattr -n user.t -v agent F")
    w.wait_settled()
    os.setxattr(path, "user.t", b"user")
    assert "both sides may have changed" in refused(w, "merge")
    # The user's mode is not undone by an ACL of the agent's, whose mask it bounds.
    w.shadow("discard", "--yes")
    w.wait_settled()
    w.sh(f"setfacl -m u:{os.getuid()}:rw,m::r F")
    w.wait_settled()
    os.chmod(path, 0o600)
    apply(w)
    assert mode(path) == 0o600 and "mask::---" in acl(path), acl(path)


def test_refresh_with_attributes(w):
    """A refresh gives the session's file what the user gave the project's, and later changes are told apart again."""
    need_tools()
    path = w.write("F", lines(), 0o644)
    edited(w)
    setfacl("-m", f"u:{OTHER}:rw", path)
    w.shadow("refresh")
    assert "ACL" not in w.shadow("status").out and "mode" not in w.shadow("status").out, w.shadow("status").out
    os.setxattr(path, "user.t", b"1")
    assert "conflict" not in w.shadow("status").out, w.shadow("status").out
    apply(w)
    assert w.read("F") == lines(l20="agent") and f"user:{OTHER}:rw-" in acl(path)
    assert attributes(path) == {"user.t": b"1"}
    check_same(w)


def test_refresh_beside_a_run(w):
    """Beside a run a refresh takes nothing from the user's ACL either."""
    need_tools()
    path = w.write("F", lines(), 0o644)
    edited(w)
    run = w.start("run", "--", "sh", "-c", "echo ready; read end", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert run.stdout.readline() == b"ready\n"
    try:
        setfacl("-m", f"u:{OTHER}:rw", path)
        w.shadow("refresh", check=False)
        assert "ACL" not in w.shadow("status").out, w.shadow("status").out
        apply(w)
        assert w.read("F") == lines(l20="agent") and f"user:{OTHER}:rw-" in acl(path), acl(path)
    finally:
        run.communicate(b"\n")


def test_what_was_taken_from_the_project_is_no_change_of_the_agents(w):
    """Attributes that a discard of a part has put back are not the agent's when the user takes them away."""
    need_tools()
    path = w.write("F", lines(), 0o644)
    w.wait_settled()
    w.sh("cp F F.n; sed -i s/^20$/agent/ F.n; cat F.n >F; rm F.n; setfattr -n user.agent -v 1 F")
    w.wait_settled()
    setfacl("-m", f"u:{OTHER}:r", path)
    w.shadow("discard", "-p", stdin=b"y\nn\nn\n", check=False)
    setfacl("-b", path)
    apply(w, check=False)
    assert f"user:{OTHER}:r--" not in acl(path), acl(path)


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
