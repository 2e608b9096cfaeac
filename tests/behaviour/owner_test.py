# SPDX-License-Identifier: MIT
"""Root in a project of somebody else, as in most containers of agents: it works there as outside, on the
files of that owner, and on nobody else's."""

import json
import os
import shutil
import subprocess
import sys
import tempfile

import harness
from container import RIGHTS, container, real_root, with_rights
from harness import SHADOW, NotHere

OWNER = 64321  # nobody has this number
ANOTHER = 64322
OVER_FILES = 0b11011  # CAP_CHOWN, DAC_OVERRIDE, FOWNER, FSETID
CAPABILITY = "01000002" + "02000000" + "00000000" * 3  # of a file: DAC_OVERRIDE, effective


def as_root():
    if os.geteuid() != 0:
        raise NotHere("an ordinary user has no rights over the files of others; proved as root")


def give(path, owner=OWNER):
    for folder, directories, files in os.walk(path):
        for name in (".", *directories, *files):
            os.lchown(os.path.join(folder, name), owner, owner)


def theirs(w):
    """A project of somebody else, closed as theirs may be."""
    as_root()
    w.git_project({"f": "secret\n", "d/g": "old\n", "d/kept": "kept\n"})
    w.git("config", "--global", "safe.directory", "*")
    os.chmod(w.path("f"), 0o600)
    os.chmod(w.path("d"), 0o755)
    give(w.project)


def owner_of(path):
    st = os.lstat(path)
    return st.st_uid, st.st_gid


def capabilities(w, *around):
    done = subprocess.run([*around, SHADOW, "run", "--", "grep", "^Cap", "/proc/self/status"], cwd=w.project, env=w.env,
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done
    return {name: int(value, 16) for name, value in (line.split(":\t") for line in done.stdout.splitlines())}


def test_root_works_on_the_files_of_the_owner(w):
    """Root reads, changes, makes and deletes in a run what belongs to the project's owner; apply and undo keep
    whose it is."""
    theirs(w)
    before = harness.fingerprint(w.project)
    done = w.sh("set -e; cat f; echo more >>f; rm d/g; echo n >d/new; echo o >own; chown $0:$0 own; chmod 640 d/kept; "
                "stat -c '%u:%g %a %n' . f d d/new own d/kept".replace("$0", str(OWNER)))
    assert done.out == (f"secret\n{OWNER}:{OWNER} 755 .\n{OWNER}:{OWNER} 600 f\n{OWNER}:{OWNER} 755 d\n0:0 644 d/new\n"
                        f"{OWNER}:{OWNER} 644 own\n{OWNER}:{OWNER} 640 d/kept\n"), done.out
    assert harness.fingerprint(w.project) == before
    w.shadow("apply", "--yes")
    assert w.read("f") == "secret\nmore\n" and not os.path.exists(w.path("d/g"))
    for name in (".", "f", "d", "own", "d/kept"):
        assert owner_of(w.path(name)) == (OWNER, OWNER), name
    assert owner_of(w.path("d/new")) == (0, 0)
    assert os.stat(w.path("f")).st_mode & 0o777 == 0o600 and os.stat(w.path("d/kept")).st_mode & 0o777 == 0o640
    w.shadow("undo", "--yes")
    assert w.read("f") == "secret\n" and w.read("d/g") == "old\n"
    for name in ("f", "d/g", "d/kept"):
        assert owner_of(w.path(name)) == (OWNER, OWNER), name


def foreign(w):
    """What in the git directory is not the owner's."""
    return sorted(os.path.relpath(os.path.join(folder, name), w.project)
                  for folder, directories, files in os.walk(w.path(".git")) for name in (*directories, *files)
                  if owner_of(os.path.join(folder, name)) != (OWNER, OWNER))


def as_owner(w, *words):
    """git, run by the project's owner."""
    os.chmod(w.tmp, 0o711)
    done = subprocess.run(["git", *words], cwd=w.project, env={**w.env, "HOME": "/"}, capture_output=True, text=True,
                          check=False, user=OWNER, group=OWNER, extra_groups=[])
    assert done.returncode == 0, done
    return done.stdout


def test_the_owner_can_commit_after_root(w):
    """What an apply of root's makes and replaces in the owner's git directory is the owner's, with branches and logs, and
    so it is after an undo: the owner commits as before."""
    theirs(w)
    w.sh("set -e; echo more >>f; mkdir nd; echo n >nd/n; git add -A; git commit -qm w; git branch deep/er/x; git tag t")
    w.shadow("apply", "--yes", "--allow-sensitive")
    assert foreign(w) == [], foreign(w)
    assert as_owner(w, "log", "--format=%s", "deep/er/x").split() == ["w", "begin"]
    assert as_owner(w, "status", "--porcelain") == ""
    w.shadow("undo", "--yes")
    assert foreign(w) == [], foreign(w)
    w.shadow("apply", "--yes", "--allow-sensitive")
    for number in range(2):
        as_owner(w, "commit", "-qam", f"later {number}", "--allow-empty")
    assert foreign(w) == [], foreign(w)


def test_the_owner_gets_the_branch_of_an_apply(w):
    """So it is with the branch that `apply --branch` makes and its undo takes from the packed refs, and with commits that
    wait aside."""
    theirs(w)
    w.sh("echo more >>f; git commit -qam one")
    w.shadow("apply", "--yes", "--branch", "review/one")
    assert foreign(w) == [], foreign(w)
    as_owner(w, "pack-refs", "--all")
    as_owner(w, "checkout", "-q", "review/one")
    as_owner(w, "commit", "-qm", "mine", "--allow-empty")
    as_owner(w, "checkout", "-q", "main")
    as_owner(w, "branch", "-q", "-f", "review/one", "HEAD@{1}~1")
    as_owner(w, "pack-refs", "--all")
    w.shadow("undo", "--yes")
    assert foreign(w) == [], foreign(w)
    as_owner(w, "commit", "-qm", "mine", "--allow-empty")
    w.shadow("apply", "--yes")  # beside a branch that went on: its commit is kept aside
    assert foreign(w) == [], foreign(w)
    as_owner(w, "pack-refs", "--all")


def test_a_repository_that_is_new(w):
    """A repository that the session has made in a directory of the owner's is the owner's as well."""
    as_root()
    w.write("f", "text\n")
    give(w.project)
    w.git("config", "--global", "safe.directory", "*")
    w.sh("git init -q -b main && git add -A && git commit -qm begin")
    w.shadow("apply", "--yes", "--allow-sensitive")
    assert foreign(w) == [] and owner_of(w.path(".git")) == (OWNER, OWNER), foreign(w)
    as_owner(w, "commit", "-qm", "mine", "--allow-empty")


def test_root_works_beside_a_live_run(w):
    """So do a run that joins, and a refresh and a discard beside it."""
    theirs(w)
    with subprocess.Popen([SHADOW, "run", "--", "sh", "-c", "echo live >>f; echo on; read -r line; cat f"], cwd=w.project,
                          env=w.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as live:
        assert live.stdout.readline() == b"on\n"
        assert w.sh("cat f; rm d/g; stat -c %u f").out == f"secret\nlive\n{OWNER}\n"
        w.shadow("discard", "--yes", "f")
        with open(w.path("f"), "a", encoding="utf-8") as f:
            f.write("user\n")
        w.shadow("refresh")
        assert live.communicate(b"\n", timeout=30)[0] == b"secret\nuser\n"
    assert w.shadow("status", "--porcelain").out.split() == ["D..", "d/g"]


def test_files_of_others_stay_closed(w):
    """What belongs to a third user is as closed as to anybody, in the project and outside; the rest of the
    machine is read-only, whoever owns it."""
    theirs(w)
    w.write("other", "other\n", 0o600)
    give(w.path("other"), ANOTHER)
    os.lchown(w.path("other"), ANOTHER, ANOTHER)
    place = tempfile.mkdtemp(prefix="shadow-owner-", dir="/var/lib")
    try:
        os.chmod(place, 0o755)
        for name, owner in (("owners", OWNER), ("another", ANOTHER)):
            path = os.path.join(place, name)
            with open(path, "w", encoding="utf-8") as f:
                f.write(name + "\n")
            os.chmod(path, 0o600)
            os.lchown(path, owner, owner)
        os.mkdir(os.path.join(place, "private"), 0o700)
        os.lchown(os.path.join(place, "private"), ANOTHER, ANOTHER)
        tried = w.sh(f"cd {place}; cat owners; cat another; ls private; echo x >>owners; chown 0 owners; chmod 666 owners; "
                     f"rm owners; cat {w.project}/other; echo x >>{w.project}/other; chown {OWNER} {w.project}/other; "
                     f"chown {ANOTHER} {w.project}/f; setfattr -n security.capability -v 0x{CAPABILITY} {w.project}/f", check=False)
        assert tried.out == "owners\n", tried
        said = tried.err.splitlines()
        assert len(said) == 11 and said[0].endswith("another: Permission denied"), tried.err
        assert owner_of(place + "/owners") == (OWNER, OWNER) and os.stat(place + "/owners").st_mode & 0o777 == 0o600
    finally:
        shutil.rmtree(place)
    assert w.shadow("status", "--porcelain").out == "", w.shadow("status").out


def test_secrets_of_the_owner_stay_masked(w):
    """The owner's keys are masked in its home, also where that is a service's and lies anywhere."""
    as_root()
    place = tempfile.mkdtemp(prefix="shadow-owner-", dir="/var/lib")
    try:
        for name, text in ((".ssh/id_a", "key\n"), (".netrc", "login\n"), ("notes", "notes\n"), ("ws/f", "file\n")):
            path = os.path.join(place, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            os.chmod(path, 0o600)
        service = 321
        give(place, service)
        passwd = os.path.join(w.tmp, "passwd")
        with open(passwd, "w", encoding="utf-8") as f:
            f.write(f"root:x:0:0::/root:/bin/sh\nservice:x:{service}:{service}::{place}:/bin/sh\n")
        around = real_root(f"mount --bind {passwd} /etc/passwd; cd {place}/ws")
        done = subprocess.run([*around, SHADOW, "run", "--", "sh", "-c", "cat f ../notes; cat ../.netrc; ls -A ../.ssh"],
                              cwd=w.project, env=w.env, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, "file\nnotes\n", ""), done
    finally:
        w.wait_settled()
        shutil.rmtree(place)


def test_rights_are_those_that_root_has(w):
    """A run has no right that its caller lacks, none beside those over files, and none at all in root's own
    project."""
    theirs(w)
    sets = capabilities(w)
    assert sets == {"CapInh": 0, "CapPrm": OVER_FILES, "CapEff": OVER_FILES, "CapBnd": OVER_FILES, "CapAmb": 0}, sets
    sets = capabilities(w, *with_rights(set(RIGHTS) - {"dac_override", "fowner"}))
    assert sets["CapEff"] == sets["CapBnd"] == 0b10001, sets
    shown = w.shadow("run", "--print-policy").out
    assert f"root's over files of user {OWNER}" in shown, shown
    give(w.project, 0)
    assert not any(capabilities(w).values())
    assert json.loads(w.shadow("--json", "run", "--print-policy").out)["rights_over"] is None


def test_root_of_a_container(w):
    """In a container with the rights that it has by default root does an agent's work in a tree of its user."""
    theirs(w)
    script = """
      set -e; "$0" run -- sh -c 'cat f; echo more >>f; rm d/g; echo n >d/new' && cat f && "$0" apply --yes >/dev/null &&
      stat -c '%u %a %n' f d d/new && tail -n 1 f && "$0" undo --yes >/dev/null && cat d/g && stat -c '%u %n' f d/g"""
    done = subprocess.run([*container(w, root=real_root), "sh", "-c", script, SHADOW], cwd=w.project,
                          env={**w.env, "SHADOW_STATE_DIR": "tmpfs"}, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=120, check=False)
    assert done.stdout == (f"secret\nsecret\n{OWNER} 600 f\n{OWNER} 755 d\n0 644 d/new\nmore\nold\n{OWNER} f\n"
                           f"{OWNER} d/g\n"), done


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
