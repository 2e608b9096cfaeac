# SPDX-License-Identifier: MIT
"""Commits are reviewed like files: what they bring is shown, and judged one by one."""

import json
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import harness  # noqa: E402
from repository import check_whole, text, tip  # noqa: E402

HIDE = "echo evil >>a.txt; git commit -qam Hidden; git show HEAD~1:a.txt >a.txt"


def test_a_commit_that_the_work_tree_does_not_show(w):
    """What a commit brings and the diff does not is named by status, apply and the dry run."""
    w.git_project()
    w.sh(HIDE)
    assert w.shadow("diff").out == ""
    line = "commits bring changes that the work tree does not show: a.txt"
    for words in (("status",), ("apply", "-n"), ("apply", "-n", "--diff")):
        out = w.shadow(*words).out
        assert line in out, (words, out)
    assert "# +evil" in w.shadow("apply", "-n", "--diff").out
    assert json.loads(w.shadow("status", "--json").out)["not_shown"] == [{"path": "a.txt"}]
    patch = w.shadow("diff", "--commits", "-p").out
    assert "+evil" in patch and "Hidden" in patch and "(main)" in patch, patch
    assert line in w.shadow("apply", "--yes").out


def test_only_history_has_it(w):
    """A change that a later commit takes back, or replaces, is named as well."""
    w.git_project()
    w.sh("echo evil >x; git add x; git commit -qm One; echo fine >x; git commit -qam Two")
    assert "does not show: x\n" in w.shadow("status").out
    assert "# +evil" in w.shadow("apply", "-n", "--diff").out
    w.shadow("discard", "--yes")
    w.sh("echo evil >>a.txt; git commit -qam One; git revert -n HEAD; git commit -qm Two; echo n >n")
    assert "does not show: a.txt" in w.shadow("status").out
    w.shadow("discard", "--yes")
    w.sh("echo fine >>a.txt; git commit -qam One; echo n >n; git add n; git commit -qm N")
    assert "does not show" not in w.shadow("status").out


def test_versions_on_the_way(w):
    """Of commits one after the other to a file only what the diff has no line of is named."""
    w.git_project({"a.txt": "one\ntwo\n", "run": "1\n"})
    w.sh("echo three >>a.txt; git commit -qam One; echo four >>a.txt; git commit -qam Two; sed -i s/one/1/ a.txt")
    w.sh("echo x >new; git add new; git commit -qm N; echo y >>new; git commit -qam M; echo z >>new")
    assert "does not show" not in w.shadow("status").out, w.shadow("status").out
    # But in another order, or as a program; and how another branch ends.
    w.sh("printf 'z\\nx\\n' >new; git commit -qam O; printf 'x\\ny\\nz\\n' >new")
    w.sh("echo 2 >>run; chmod +x run; git commit -qam P; echo 3 >>run; chmod -x run")
    w.sh("git add -A; git commit -qm End")
    named = w.shadow("status").out
    assert "does not show: new, run\n" in named, named
    w.shadow("discard", "--yes")
    w.sh("echo x >new; git add new; git commit -qm N; git branch other; echo y >>new; git commit -qam M")
    assert "does not show: new\n" in w.shadow("status").out
    w.sh("git branch -qD other")
    assert "does not show" not in w.shadow("status").out


def test_history_of_a_new_repository(w):
    """The commits of a repository that the session made are told, shown and judged as those of the project's own; one
    with a sensitive file stays in the session, and so does an index that nobody was shown."""
    w.write("sub/mine", "mine\n")
    w.sh("cd sub; git init -q -b main .; git add .; git commit -qm One; echo evil >x; git add x; git commit -qm Two; git rm -q x; "
         "git commit -qm Three")
    assert "\n  sub/.git/  (3 commits)\n    its commits bring changes that the work tree does not show: sub/x\n" \
        in w.shadow("status").out
    assert "sub/.git/ (a new git repository)" in w.shadow("diff").err
    shown = w.shadow("diff", "--commits", "-p").out
    assert "(sub/: main)" in shown and "+++ b/sub/x" in shown and "+evil" in shown, shown
    assert "# +evil" in w.shadow("apply", "-n", "--diff").out
    assert "sub/: main" in w.shadow("diff", "--commits").out
    w.sh("cd sub; echo more >y; git add y; git commit -qm Four; rm y; git rm -q --cached y")
    done = w.shadow("apply", "--yes", check=False)
    assert done.returncode == 4 and "commits of 'sub/: main' (changed after" in done.err, done.err
    assert not os.path.exists(w.path("sub/.git"))
    w.shadow("diff", "--commits", "-p")
    w.shadow("apply", "--yes")
    assert text(w, "log", "--format=%s", cwd=w.path("sub")).split() == ["Four", "Three", "Two", "One"]


def test_what_stays_of_a_new_repository(w):
    """What speaks against it is told with its reason; the rest of the session's work arrives, and the repository when it
    is allowed by its path."""
    w.sh("git init -q -b main a; cd a; echo x >.envrc; git add -f .envrc; git commit -qm One; git rm -q .envrc; git commit -qm Two; "
         "echo f >f; cd ..; git init -q -b main b; cd b; echo one >f; git add f; git commit -qm One; echo two >f; git add f; echo three >f")
    for out in (w.shadow("status").out, w.shadow("apply", "--yes").out):
        assert "'a/.envrc' is sensitive (direnv runs it)" in out, out
        assert "'b/f' is staged otherwise than the work tree shows" in out, out
    assert w.read("a/f") == "f\n" and not os.path.exists(w.path("a/.git"))
    assert w.read("b/f") == "three\n" and text(w, "diff", "--cached", "--name-only", cwd=w.path("b")) == ""
    assert text(w, "log", "--format=%s", cwd=w.path("b")) == "One"
    w.shadow("apply", "--yes", "--allow-sensitive=a/.git")
    assert text(w, "log", "--format=%s", cwd=w.path("a")) == "Two\nOne"


# Puts another content under the name of an object, where only a hash of it tells; in a pack with P.
LIE = r"""
import hashlib, os, struct, sys, zlib
kind, size, good, evil, packed = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4].encode(), sys.argv[5] == "P"
loose = f".git/objects/{good[:2]}/{good[2:]}"
os.unlink(loose)
if not packed:
    open(loose, "wb").write(zlib.compress(f"{kind} {len(evil)}\0".encode() + evil))
    sys.exit()
number = {"commit": 1, "tree": 2, "blob": 3}[kind]
assert len(evil) < 2048
body = bytes([(number << 4) | (len(evil) & 15) | 128, len(evil) >> 4]) + zlib.compress(evil)
pack = b"PACK" + struct.pack(">II", 2, 1) + body
pack += hashlib.sha1(pack).digest()
name = bytes.fromhex(good)
fan = b"".join(struct.pack(">I", int(i >= name[0])) for i in range(256))
idx = b"\xfftOc" + struct.pack(">I", 2) + fan + name + struct.pack(">II", zlib.crc32(body), 12) + pack[-20:]
base = ".git/objects/pack/pack-" + good
open(base + ".pack", "wb").write(pack)
open(base + ".idx", "wb").write(idx + hashlib.sha1(idx).digest())
"""


def test_objects_that_lie(w):
    """What a new repository has under the name of an object that was judged is that object: git does not compare the
    two when it checks a file out."""
    for number, packed in enumerate("PL"):
        w.write("lie.py", LIE)
        w.run("sh", "-c", f"git init -q -b main n{number}; cd n{number}; echo fine >f; git add f; git commit -qm f; "
              f"python3 ../lie.py blob 5 $(git rev-parse HEAD:f) evil {packed}")
        told = w.shadow("apply", "--yes").out
        assert "an object is damaged, or not what its name says" in told, told
        assert w.read(f"n{number}/f") == "fine\n" and not os.path.exists(w.path(f"n{number}/.git/HEAD")), packed


def test_objects_of_every_size(w):
    """Small and large objects, many loose ones and packs arrive as they were judged, and go again with an undo."""
    w.sh("git init -q -b main n; cd n; for i in $(seq 150); do echo $i >f$i; done; head -c 200000 /dev/urandom >g; git add .; "
         "git commit -qm loose; git clone -q --no-local . ../p; cd ../p; git gc -q; cp -r ../n/f1 new; git add new; git commit -qm packed")
    w.shadow("apply", "--yes")
    for name, commits in (("n", ["loose"]), ("p", ["packed", "loose"])):
        assert w.git("fsck", "--strict", cwd=w.path(name)).stderr == b"", name
        assert text(w, "log", "--format=%s", cwd=w.path(name)).split() == commits
        assert text(w, "--no-optional-locks", "status", "--porcelain", cwd=w.path(name)) == "", name
    w.shadow("undo")
    assert os.listdir(w.project) == []


# Keeps the pages of many objects dirty: now the one content, now the other, which is of the same length.
DIRTY = r"""
import mmap, os, random, subprocess, sys, time, zlib
maps = []
for at in range(int(sys.argv[1])):
    top = f"n{at}"
    def git(*words):
        return subprocess.run(["git", "-C", top, *words], check=True, stdout=subprocess.PIPE).stdout.decode().strip()
    subprocess.run(["git", "init", "-q", "-b", "main", top], check=True)
    with open(top + "/f", "w") as f:
        f.write("fine\n")
    git("add", "f")
    git("commit", "-qm", "f")
    name = git("rev-parse", "HEAD:f")
    path = f"{top}/.git/objects/{name[:2]}/{name[2:]}"
    good, evil = (zlib.compress(b"blob 5\0" + text, 0) for text in (b"fine\n", b"evil\n"))
    os.unlink(path)
    with open(path, "w+b") as f:
        f.write(good)
        f.flush()
        maps.append([mmap.mmap(f.fileno(), len(good)), good, evil])
print("ready", flush=True)
while True:
    for pages, good, evil in maps:
        pages[:] = random.choice((good, evil))
    time.sleep(random.random() / 50)
"""


def test_objects_kept_dirty(w):
    """A run that keeps the pages of its objects dirty, and has another content there while they are copied than while
    they were judged, brings nothing else than what was judged."""
    w.write("dirty.py", DIRTY)
    many = 12
    process = w.start("run", "--", sys.executable, "dirty.py", str(many), stdin=-1, stdout=-1)
    try:
        assert process.stdout.readline() == b"ready\n"
        arrived = 0
        for _ in range(6):
            w.shadow("apply", "--yes", check=False)
        for at in range(many):
            if os.path.exists(w.path(f"n{at}/.git/HEAD")):
                assert text(w, "show", "HEAD:f", cwd=w.path(f"n{at}")) == "fine", at
                assert w.git("fsck", cwd=w.path(f"n{at}")).returncode == 0
                arrived += 1
        assert arrived, "none was ever good while it was looked at"
    finally:
        process.terminate()
        process.communicate(timeout=30)


def test_show_a_commit(w):
    """A new commit is shown by its id or the beginning of it; the number of a run goes on to work."""
    w.git_project()
    w.sh("echo b >b; chmod +x b; ln -s b l; git add -A; git commit -qm Add; git branch topic")
    commit = w.sh("git rev-parse HEAD").out.strip()
    for name in (commit, commit[:10], commit[:10].upper()):
        out = w.shadow("show", name).out
        assert out.startswith(f"commit {commit} (main, topic)\n") and "+b\n" in out, out
        assert "new file mode 100755" in out and "new file mode 120000" in out, out
    assert json.loads(w.shadow("show", commit, "--json").out)["commit"]["id"] == commit
    assert "git add -A" in w.shadow("show", "1").out
    for wrong in ("abcdef0123", "x", "99999999999"):
        assert w.shadow("show", wrong, check=False).returncode != 0, wrong
    # What is shown for review is what git shows.
    theirs = w.sh("git show --format= HEAD").out
    ours = w.shadow("show", commit).out
    assert ours[ours.index("diff --git"):] == theirs, (ours, theirs)


def test_each_commit_is_judged(w):
    """A sensitive path in any of the commits puts a branch or tag aside, also when it is gone at the tip."""
    w.git_project()
    w.sh("echo x >.envrc; git add -A; git commit -qm One; git tag v1; git rm -q .envrc; "
         "echo x >b; git add b; git commit -qm Two; git branch topic; git tag -a -m T v2")
    for _ in range(2):  # what was put aside is as new as before
        out = w.shadow("apply", "--yes").out
        assert text(w, "log", "-1", "--format=%s", "main") == "begin", out
        assert tip(w, "refs/heads/topic") == "" and tip(w, "refs/tags/v1") == "" and \
            tip(w, "refs/tags/v2") == "", out
        assert "'.envrc' is sensitive" in out, out
    assert w.shadow("apply", "--branch", "t", check=False).returncode == 4
    w.shadow("apply", "--yes", "--allow-sensitive=.envrc")
    assert text(w, "log", "-1", "--format=%s", "main") == "Two"
    assert tip(w, "refs/tags/v2") != ""
    check_whole(w)


def test_merges_are_judged(w):
    """What a merge brings beside its parents is judged, and so is its other side."""
    w.git_project()
    w.sh("git switch -qc side; echo x >.npmrc; git add -A; git commit -qm S; git rm -q .npmrc; "
         "git commit -qm T; git switch -q main; git merge -q --no-ff -m M side")
    w.shadow("apply", "--yes")
    assert text(w, "log", "-1", "--format=%s", "main") == "begin"
    w.shadow("discard", "--yes")
    w.sh("git switch -qc side; echo x >b; git add b; git commit -qm S; git switch -q main; "
         "git merge -q --no-ff --no-commit side; echo x >.envrc; git add -A; git commit -qm M; "
         "git rm -q .envrc; git commit -qm N")
    out = w.shadow("apply", "--yes").out
    assert text(w, "log", "-1", "--format=%s", "main") == "begin", out


def test_repositories_in_commits(w):
    """A commit whose tree has a directory that git takes for a repository is put aside."""
    for number, script in enumerate((
            "mkdir -p n/objects n/refs; touch n/objects/k n/refs/k; echo 'ref: refs/x' >n/HEAD",
            "mkdir n; ln -s refs/heads/x n/HEAD; echo ../c >n/commondir",
            "mkdir -p n/objects n/Refs; touch n/objects/k n/Refs/k; echo x >n/head")):
        w.project = os.path.join(w.tmp, f"p{number}")
        os.mkdir(w.project)
        w.git_project()
        w.sh(f"{script}; git add -A; git commit -qm N; git rm -rq n; git commit -qm M; git branch t")
        out = w.shadow("apply", "--yes").out
        assert tip(w, "t") == "" and "part of a git repository" in out, (script, out)


def test_names_of_refs(w):
    """A new ref that git would take for something else does not get its name."""
    w.git_project()
    w.git("branch", "topic")
    w.git("tag", "v1")
    w.git("update-ref", "refs/remotes/origin/main", "HEAD")
    w.git("remote", "add", "up/stream", "x")
    w.git("remote", "add", "fork", "x")
    head = tip(w, "HEAD")
    bad = {"refs/tags/origin/main", "refs/tags/main", "refs/heads/v1", "refs/heads/origin/main",
           "refs/heads/origin/new", "refs/heads/fork/x", "refs/tags/fork/x", "refs/heads/-x", "refs/tags/-x",
           "refs/heads/HEAD", "refs/tags/HEAD", "refs/heads/FETCH_HEAD", "refs/heads/" + head,
           "refs/tags/" + head[:7], "refs/heads/" + head[:4].upper(), "refs/heads/v1-0-gABCDEF0",
           "refs/tags/x-gabcd", "refs/heads/" + "a" * 64,
           "refs/tags/heads/main", "refs/heads/tags/v1", "refs/heads/refs/heads/main", "refs/heads/Main",
           "refs/heads/stash", "refs/heads/remotes/origin/main", "refs/heads/a/-b", "refs/tags/topic"}
    good = {"refs/heads/fine", "refs/heads/feature/config", "refs/tags/v2", "refs/heads/beefy",
            "refs/heads/2024", "refs/tags/release-1.0"}
    lines = "".join(f"mkdir -p .git/$(dirname {ref}); git rev-parse HEAD >.git/{ref}; "
                    for ref in sorted(bad | good, key=len) if not ref.startswith("refs/heads/stash"))
    w.sh("echo x >n; git add n; git commit -qm N; git rev-parse HEAD >.git/refs/heads/stash; " + lines)
    out = w.shadow("apply", "--yes").out
    for ref in good:
        assert tip(w, ref) != "", (ref, out)
    for ref in bad:
        assert not os.path.exists(w.path(".git", ref)), (ref, out)
    for word in ("main", "origin/main", "v1", head[:7]):
        done = w.git("rev-parse", "--verify", word)
        assert b"ambiguous" not in done.stderr, (word, done.stderr)
    assert tip(w, "origin/main") == head and tip(w, "v1") == head
    for line in text(w, "for-each-ref", "--format=%(refname)").splitlines():
        name = line.removeprefix("refs/heads/")
        if name != line:
            w.git("check-ref-format", "--branch", name)


def modules_text(chance):
    """A `.gitmodules` as somebody may write it who knows the grammar too well."""
    def value():
        text_ = chance.choice(["../a", "-u./x", "./-x", "https://x.org/a", "https:///a", "http::-x", "a%0ab",
                               "..//x", "../../:x", "https::http://x/y", "https://x.org%0a/b", "!touch x",
                               "checkout", "ssh://-oProxy/x", "ftp://", "https://u@/x", "git://x/%0a",
                               "", "--x", "./../../../x", "..\\\\..\\\\:x", "http::x", "file:///x"])
        return chance.choice([text_, f'"{text_}"', "\\\n" + text_, f" {text_} ; x", text_ + "\\", '"' + text_,
                              f'""{text_}', text_[:1] + '""' + text_[1:]])
    lines = []
    for _ in range(chance.randrange(1, 4)):
        name = chance.choice(["a", "../x", ".\\./x", "a/../b", "a\\\\..\\\\b", "..", "a=b", "a]b", "", "x.y", "a/..b"])
        lines.append(chance.choice([f'[submodule "{name}"]', f'[Submodule "{name}"]', "[submodule.a]",
                                    f'[submodule  "{name}"] url = -x', f'[submodule"{name}"]', "[submodule]",
                                    f'\ufeff[submodule "{name}"]', f'# [submodule "{name}"]']))
        for _ in range(chance.randrange(0, 4)):
            key = chance.choice(["url", "URL", "path", "update", "ignore", "u-rl"])
            lines.append(chance.choice([f"\t{key} = {value()}", f"{key}={value()}", key, f"{key} {value()}"]))
    return chance.choice(["\n", "\r\n", "\n", "\n"]).join(lines) + chance.choice(["\n", ""])


SPELLINGS = (".gitmodules", ".gitmodules", ".GITMODULES", ".gitmodules ", ".gitmodules.", "gitmod~1", "GITMOD~4",
             "gi7eba~1", ".gitmodules::$DATA", ".g\u200citmodules", "a\\.gitmodules", "gitmodules", ".gitmodule",
             "gitmod~5", ".gitmodules::$INDEX_ALLOCATION", "gi7eb~10")


def test_as_strict_as_fsck(w):
    """What `git fsck --strict` calls an error in a `.gitmodules`, in any spelling, does not arrive."""
    seed = int(os.environ.get("SHADOW_TEST_SEED", "0")) or random.SystemRandom().randrange(1 << 32)
    rounds = 25 * int(os.environ.get("SHADOW_TEST_ROUNDS", "4"))
    print(f"# SHADOW_TEST_SEED={seed}")
    chance = random.Random(seed)
    w.git_project()
    judged = w.path("judged")
    w.git("init", "-q", "--bare", judged)
    script = ["set -e"]
    faults = {}
    for number in range(rounds):
        body = modules_text(chance).encode()
        name = chance.choice(SPELLINGS)
        mode = chance.choice(["100644"] * 5 + ["120000"])
        objects = []
        for kind, data in (("blob", body), ("tree", None), ("commit", None)):
            if kind == "tree":
                data = mode.encode() + b" " + name.encode() + b"\0" + bytes.fromhex(objects[0])
            elif kind == "commit":
                data = f"tree {objects[1]}\nauthor T <t@e.org> 1 +0000\ncommitter T <t@e.org> 1 +0000\n\nm\n".encode()
            done = subprocess.run(["git", "--git-dir", judged, "hash-object", "-w", "-t", kind, "--literally",
                                   "--stdin"], input=data, env=w.env, stdout=subprocess.PIPE, check=True)
            objects.append(done.stdout.decode().strip())
        faults[number] = objects
        script.append(f"echo {objects[2]} >.git/refs/heads/n{number}")
    done = subprocess.run(["git", "--git-dir", judged, "fsck", "--strict", "--no-dangling"], env=w.env,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    wrong = {line.split()[3].rstrip(":") for line in done.stdout.decode().splitlines()
             if line.startswith("error in ")}
    w.run("sh", "-c", "cp -r judged/objects/. .git/objects/\n" + "\n".join(script))
    w.shadow("apply", "--yes", "--allow-sensitive", timeout=300)
    refused = 0
    for number, objects in faults.items():
        bad = bool(wrong & set(objects))
        refused += bad
        assert not bad or tip(w, f"n{number}") == "", \
            (number, text(w, "--git-dir", judged, "cat-file", "-p", objects[0]), objects)
        assert not bad or tip(w, f"refs/shadow/default/n{number}") == "", number
    assert refused > rounds / 8, refused
    print(f"# git fsck refuses {refused} of {rounds}")
    # What cannot be parsed is a warning to git, and so it is here.
    assert w.git("fsck", "--strict", "--no-dangling", check=False).returncode == 0


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
