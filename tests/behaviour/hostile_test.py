# SPDX-License-Identifier: MIT
"""Trees that a run made to make review hang, fill the disk, follow or execute something."""

import os
import sys
import time

import harness
from repository import check_whole, status, text, tip
from runs import MAKE_MANY

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))


TIB = 1 << 40


def used(*places):
    """Bytes on the disk below these directories."""
    total = 0
    for place in places:
        for folder, _, files in os.walk(place):
            total += sum(os.lstat(os.path.join(folder, name)).st_blocks * 512 for name in files)
    return total


class Quick:
    """What takes longer than this hangs, as far as a person can tell."""

    def __init__(self, seconds):
        self.seconds = seconds

    def __enter__(self):
        self.begun = time.time()

    def __exit__(self, kind, *_):
        if kind is None:
            taken = time.time() - self.begun
            assert taken < self.seconds, f"took {taken:.1f} s"


def test_sparse_file_of_a_tib(w):
    """A file that claims to be a TiB long costs neither time nor disk: review, apply, undo, discard."""
    w.write("a", "a\n")
    probe = w.path("probe")
    with open(probe, "wb") as f:
        try:
            f.truncate(2 * TIB)
        except OSError as reason:
            raise harness.NotHere(f"no file here can be so large: {reason}") from reason
    os.unlink(probe)
    w.sh("truncate -s 1T big; printf x | dd of=big bs=1 seek=600000000000 conv=notrunc status=none")
    with Quick(20):
        w.wait_settled()
        assert "A  big" in w.shadow("status").out
        assert "big" in w.shadow("diff", "--stat").out
        assert "Binary files" in w.shadow("diff").out
        w.shadow("apply", "-n")
        w.shadow("apply", "--yes")
        assert w.shadow("diff").out == ""
    assert os.lstat(w.path("big")).st_size == TIB and os.lstat(w.path("big")).st_blocks < 1000
    # The whole of it is copied up by the kernel, which knows holes as well.
    w.sh("printf y | dd of=big bs=1 seek=5 conv=notrunc status=none; mv big 'b ig'")
    w.wait_settled()
    with Quick(20):
        assert w.shadow("diff", "--name-status", "-M").out.splitlines() == ["A\tb ig", "D\tbig"]
        w.shadow("apply", "--yes")
        with open(w.path("b ig"), "rb") as f:
            assert f.read(6) == b"\0\0\0\0\0y"
        w.shadow("undo")
        w.shadow("undo", "3")
        w.shadow("undo", "4")
        assert os.lstat(w.path("big")).st_size == TIB
    with Quick(20):
        w.sh("mv big other; truncate -s 0 other; truncate -s 1T other")
        w.wait_settled()
        w.shadow("status")
        w.shadow("refresh", check=False)
        w.shadow("discard", "--yes")
        w.shadow("gc")
    assert used(w.state, w.project) < 64 << 20


def test_control_files_of_a_tib(w):
    """Files that shadow and git obey are not read when no list of rules is as long: they are named."""
    w.git_project()
    w.sh("""for name in .gitignore .gitattributes .gitmodules .envrc .git/config .git/index .git/packed-refs \
        .git/refs/heads/main .git/shallow .git/info/exclude; do truncate -s 1T $name; done; echo x >>a.txt""")
    w.wait_settled()
    before = harness.fingerprint(w.path(".git"))
    with Quick(20):
        said = w.shadow("status").out
        assert "A  .gitattributes  (sensitive: it names filters" in said and "M  a.txt" in said, said
        assert "main: cannot be read" in said, said
        w.shadow("diff")
        w.shadow("diff", "--commits")
        assert w.shadow("apply", "--yes", check=False).returncode == 4
        w.shadow("apply", "--yes", "--skip-sensitive", "a.txt")
        w.shadow("refresh")
    assert w.read("a.txt").endswith("x\n") and harness.fingerprint(w.path(".git")) == before
    with Quick(20):
        done = w.shadow("apply", "--branch", "b", "--allow-sensitive", check=False)
        assert done.returncode == 2 and "larger than 1 GiB" in done.err, done.err
        w.shadow("discard", "--yes")


# Everything in a git directory that makes some git program run something.
EVIL = """
evil() {
  mkdir -p "$1/objects/info" "$1/objects/pack" "$1/refs/heads" "$1/hooks" "$1/info"
  echo 'ref: refs/heads/main' >"$1/HEAD"
  cat >"$1/config" <<END
[core]
	repositoryformatversion = 0
	bare = $2
	fsmonitor = "touch $CANARY; false"
	hooksPath = $PWD/$1/hooks
	pager = touch $CANARY
	editor = touch $CANARY
	sshCommand = touch $CANARY
	gitProxy = touch $CANARY
	askPass = $PWD/$1/hooks/any
	attributesFile = $PWD/$1/info/attributes
	excludesFile = $PWD/fifo
[diff]
	external = touch $CANARY
[diff "evil"]
	command = touch $CANARY
	textconv = touch $CANARY;
[filter "evil"]
	clean = touch $CANARY; cat
	smudge = touch $CANARY; cat
	process = touch $CANARY
	required = true
[merge "evil"]
	driver = touch $CANARY
[include]
	path = $PWD/$1/more
[includeIf "gitdir:/"]
	path = $PWD/fifo
[alias]
	status = !touch $CANARY
[credential]
	helper = !touch $CANARY
[gpg]
	program = touch $CANARY
END
  [ -n "$3" ] && printf '[core]\\n\\tworktree = /\\n' >>"$1/config"
  printf '[core]\\n\\tfsmonitor = touch %s\\n' "$CANARY" >"$1/more"
  echo '* filter=evil diff=evil merge=evil' >"$1/info/attributes"
  for hook in any pre-commit post-commit post-checkout reference-transaction post-index-change \\
      pre-applypatch fsmonitor-watchman post-merge pre-auto-gc; do
    printf '#!/bin/sh\\ntouch %s\\n' "$CANARY" >"$1/hooks/$hook"; chmod +x "$1/hooks/$hook"
  done
}
"""

FORMS = {
    "in the git directory": "evil .git false worktree; cp .git/info/attributes .gitattributes",
    "a symlink": "evil real.git true; rm -rf .git; ln -s real.git .git",
    "a symlink out": "evil real.git true; rm -rf .git; ln -s /proc/self/root$PWD/real.git .git",
    "a file": "evil real.git false; rm -rf .git; echo 'gitdir: real.git' >.git",
    "a FIFO": "rm -rf .git; mkfifo .git",
    "a bare repository": "evil . true; evil sub true",
    "further down": "evil sub/.git false; evil sub/deep/.GIT false; echo 'gitdir: ../real.git' >d/.git",
    "new": "rm -rf .git; evil .git false",
}


def test_git_directory_of_any_form(w):
    """Whatever a run makes of .git, no command executes, follows or hangs on it."""
    canary = os.path.join(w.tmp, "canary")
    for form, script in FORMS.items():
        w.project = os.path.join(w.tmp, form)
        os.mkdir(w.project)
        w.git_project({"a.txt": "one\n", "d/b.txt": "two\n"})
        w.sh(f"{EVIL}\nCANARY='{canary}'; mkfifo fifo; {script}\necho x >>a.txt; echo n >new; rm d/b.txt")
        w.wait_settled()
        before = harness.fingerprint(w.path(".git"))
        with Quick(30):
            for words in (("status",), ("diff",), ("diff", "--commits"), ("diff", "-M", "--stat"),
                          ("apply", "-n", "--diff"), ("refresh", "-n"), ("list",), ("log",)):
                w.shadow(*words, check=False, timeout=30)
            if form == "a bare repository":
                said = w.shadow("status").out
                assert "A  config  (sensitive: part of a git repository)" in said, said
                assert "A  sub/config  (sensitive: part of a git repository)" in said, said
            w.shadow("apply", "--yes", "--skip-sensitive", "a.txt", "new", timeout=30)
            assert w.read("new") == "n\n" and w.read("a.txt") == "one\nx\n", form
            w.shadow("apply", "--yes", "--skip-sensitive", check=False, timeout=30)
            w.shadow("apply", "--branch", "b", "-m", "m", "--skip-sensitive", check=False, timeout=30)
            w.shadow("undo", check=False, timeout=30)
            w.shadow("refresh", check=False, timeout=30)
            w.shadow("discard", "--yes", timeout=30)
        assert not os.path.exists(canary), form
        assert os.path.isdir(w.path(".git")) and not os.path.islink(w.path(".git")), form
        kept = {row[1]: row[2:5] for row in before if row[0] == os.fsencode(w.path(".git"))}
        now = {row[1]: row[2:5] for row in harness.fingerprint(w.path(".git"))
               if row[0] == os.fsencode(w.path(".git"))}
        assert kept[b"config"] == now[b"config"] and kept[b"HEAD"] == now[b"HEAD"], form
        hooks = os.listdir(w.path(".git/hooks")) if os.path.isdir(w.path(".git/hooks")) else []
        assert all(name.endswith(".sample") for name in hooks), form
        check_whole(w)


def test_alternates_and_replaced_objects(w):
    """Objects of other repositories are not fetched by a ref to them, and replaced ones not believed."""
    w.git_project()
    outside = os.path.join(w.tmp, "outside")
    os.mkdir(outside)
    w.git("init", "-q", "-b", "main", cwd=outside)
    with open(os.path.join(outside, "secret"), "w", encoding="utf-8") as f:
        f.write("secret\n")
    w.git("add", "-A", cwd=outside)
    w.git("commit", "-qm", "Secret", cwd=outside)
    secret = text(w, "rev-parse", "main", cwd=outside)
    w.sh(f"""echo x >>a.txt; git commit -qam Good
        good=$(git rev-parse main); evil=$(echo Evil | git commit-tree $good^{{tree}})
        echo {outside}/.git/objects >.git/objects/info/alternates
        echo http://localhost/ >.git/objects/info/http-alternates
        mkdir -p .git/refs/replace .git/info; echo $evil >.git/refs/replace/$good
        echo $good $evil >.git/info/grafts; echo $good >.git/shallow
        echo {secret} >.git/refs/heads/steal; git branch fine $good""")
    said = w.shadow("apply", "--yes").out
    assert tip(w, "steal") == "" and tip(w, "refs/shadow/default/steal") == "", said
    assert "steal" in said, said
    assert text(w, "log", "--format=%s", "main") == "Good\nbegin"
    assert text(w, "log", "--format=%s", "fine") == "Good\nbegin"
    assert text(w, "for-each-ref", "--format=%(refname)").split() == \
        ["refs/heads/fine", "refs/heads/main"]
    for name in ("objects/info/alternates", "objects/info/http-alternates", "info/grafts", "shallow"):
        assert not os.path.exists(w.path(".git", name)), name
    assert w.git("cat-file", "-e", secret, check=False).returncode != 0
    assert status(w) == "", status(w)
    check_whole(w)


# After a good commit: packs, indexes of packs and the files that git makes to be quicker.
CRAFT = r"""
import os, struct, zlib, hashlib
os.makedirs(".git/objects/pack", exist_ok=True)
def put(name, data):
    open(".git/objects/pack/" + name, "wb").write(data)
def idx(names, offsets, pack):
    fan = b"".join(struct.pack(">I", sum(n[0] <= i for n in names)) for i in range(256))
    body = b"\xfftOc\0\0\0\2" + fan + b"".join(names) + bytes(4 * len(names)) + \
        b"".join(struct.pack(">I", o) for o in offsets) + pack[-20:]
    return body + hashlib.sha1(body).digest()
def pack(count, body):
    data = b"PACK\0\0\0\2" + struct.pack(">I", count) + body
    return data + hashlib.sha1(data).digest()
names = [bytes([i]) * 20 for i in range(1, 4)]
delta = zlib.compress(b"\5\5\x90\5")
huge = pack(1, b"\xbf\xff\xff\xff\xff\xff\xff\x7f" + zlib.compress(b"x"))  # a size of its own
first = b"\x74" + names[1] + delta
ring = pack(2, first + b"\x74" + names[0] + delta)                         # deltas of each other
back = pack(1, b"\x64\xff\xff\xff\xff\x7f" + delta)                        # from before the start
for number, (data, offsets) in enumerate([(huge, [12]), (ring, [12, 12 + len(first)]), (back, [12]),
                                          (pack(1 << 31, b"x"), [1 << 31]), (b"PACK", [0])]):
    put("pack-%040d.pack" % number, data)
    put("pack-%040d.idx" % number, idx(names[:len(offsets)], offsets, data))
put("pack-%040d.pack" % 7, huge)
put("pack-%040d.idx" % 7, b"\xfftOc\0\0\0\2" + b"\xff\xff\xff\xff" * 256)  # more names than bytes
put("pack-%040d.idx" % 8, b"")
put("multi-pack-index", b"MIDX\1\1\4\0\xff\xff\xff\xff" + os.urandom(4096))
os.makedirs(".git/objects/info", exist_ok=True)
open(".git/objects/info/commit-graph", "wb").write(b"CGPH\1\1\3\0" + os.urandom(4096))
for number, name in enumerate(names):
    open(".git/refs/heads/crafted%d" % number, "w").write(name.hex() + "\n")
index = bytearray(open(".git/index", "rb").read())
for at in range(5, len(index), 37):
    index[at] ^= 0x41
open(".git/index", "wb").write(index[:-9])
"""


def test_crafted_packs_and_indexes(w):
    """Damaged packs and indexes of a run cost no more than their own branches."""
    w.git_project({f"f{i}": f"{i}\n" for i in range(20)})
    w.sh("echo x >>f1; git commit -qam Good")
    w.run("python3", "-c", CRAFT)
    with Quick(60):
        said = w.shadow("status").out
        assert "crafted0: cannot be read" in said, said
        w.shadow("diff", "--commits")
        w.shadow("apply", "--yes", timeout=60)
    assert text(w, "log", "-1", "--format=%s", "main") == "Good"
    assert text(w, "for-each-ref", "--format=%(refname)") == "refs/heads/main"
    assert status(w) == "", status(w)
    check_whole(w)
    w.shadow("discard", "--yes")


def test_very_many_files(w):
    """As many files as a run cares to make are reviewed, applied, taken back and dropped in time."""
    count = int(os.environ.get("SHADOW_TEST_FILES", "20000"))
    w.write("a", "a\n")
    w.run("python3", "-c", MAKE_MANY, str(count), timeout=600)
    # Several times what a usual machine takes: what is not in proportion to the number takes longer still.
    seconds = (30 + count / 1000) * harness.TIME_FACTOR
    for words in (("status",), ("diff", "--name-only"), ("apply", "--yes"), ("undo",),
                  ("discard", "--yes")):
        with Quick(seconds):
            out = w.shadow(*words, timeout=2 * seconds).out
        if words[0] == "diff":
            assert len(out.splitlines()) == count
        if words[0] == "apply":
            assert sum(len(files) for _, _, files in os.walk(w.project)) == count + 1
    assert os.listdir(w.project) == ["a"]


NEST = """
import os, sys
for _ in range(3000):
    os.mkdir("d")
    os.chdir("d")
open("deepest", "w").close()
"""


def test_nested_without_end(w):
    """Directories nested without end stall no command: what is deeper than a path can say is told once, and
    neither shown, nor applied, nor lost."""
    w.write("a", "a\n")
    w.write("old/kept", "old\n")
    w.run("sh", "-c", 'echo b >>a; rm -r old; exec python3 -c "$0"', NEST)
    seconds = 20 * harness.TIME_FACTOR
    told = "1 name in d/d/"
    for words in (("status",), ("list",), ("diff",), ("apply", "-n"), ("apply", "--yes"), ("status",)):
        with Quick(seconds):
            done = w.shadow(*words)
        if words[0] != "list":
            assert (done.out + done.err).count(told) == 1, (words, done.out[-300:], done.err)
    # As deep as a path goes, no deeper.
    assert w.read("a") == "a\nb\n" and not os.path.exists(w.path("old"))
    depth = 0
    here = os.open(w.project, os.O_PATH)
    while "d" in os.listdir(f"/proc/self/fd/{here}"):
        below = os.open("d", os.O_PATH, dir_fd=here)
        os.close(here)
        here, depth = below, depth + 1
    os.close(here)
    assert depth == os.pathconf("/", "PC_PATH_MAX") // 2, depth
    found = w.run("python3", "-c", "import os\nfor _ in range(3000): os.chdir('d')\nprint(os.listdir())")
    assert found.out == "['deepest']\n", found.out
    with Quick(seconds):
        w.shadow("undo")
    assert sorted(os.listdir(w.project)) == ["a", "old"] and w.read("old/kept") == "old\n"
    with Quick(seconds):
        w.shadow("discard", "--yes", "d")
    assert told not in w.shadow("status").out
    assert w.run("ls").out == "a\n"


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
