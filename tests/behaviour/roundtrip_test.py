# SPDX-License-Identifier: MIT
"""Every kind of change through run, diff and apply, compared with the view in full.

Two comparisons for each: the real tree after `apply` is the view, byte for byte, mode for mode and
link for link; and `diff --binary` applied by git to a copy of the base gives the view's files.
"""

import ast
import errno
import glob
import os
import random
import shutil
import stat
import subprocess
import sys

import harness
from harness import NotHere, Skip, difference, fingerprint, walk, walk_script

CASES = {
    # name: (real tree, by a shell), (what the run does, by a shell)
    "new file": ("echo a > a", "echo b > b"),
    "modified file": ("printf 'one\\ntwo\\n' > a", "printf 'one\\nTWO\\n' > a"),
    "no newline at the end": ("printf 'one\\ntwo' > a", "printf 'one\\ntwo\\nthree' > a"),
    "mode only": ("echo a > a", "chmod 755 a"),
    "odd mode": ("echo a > a", "chmod 640 a; echo b > b; chmod 600 b"),
    "deleted file": ("echo a > a; echo b > b", "rm a"),
    "deleted tree": ("mkdir -p d/e; echo a > d/a; echo b > d/e/b; echo c > c", "rm -r d"),
    "opaque directory": ("mkdir -p d/e; echo a > d/a; echo b > d/e/b", "rm -r d; mkdir d; echo n > d/n; mkdir d/e; echo b > d/e/b"),
    "file to directory": ("echo a > x", "rm x; mkdir x; echo a > x/a"),
    "directory to file": ("mkdir -p x/y; echo a > x/y/a", "rm -r x; echo f > x"),
    "directory to symlink": ("mkdir x; echo a > x/a; echo t > t", "rm -r x; ln -s t x"),
    "symlink to directory": ("ln -s t x; echo t > t", "rm x; mkdir x; echo a > x/a"),
    "symlink to file": ("echo t > t; ln -s t x", "rm x; echo f > x"),
    "file to symlink": ("echo t > t; echo f > x", "ln -sf t x"),
    "symlink target": ("echo 1 > a; echo 2 > b; ln -s a x", "ln -sfn b x"),
    "dangling symlink": ("echo a > a", "ln -s nowhere x; ln -s /no/such y"),
    "fifo": ("echo a > a", "mkfifo p; chmod 640 p"),
    "socket": ("echo a > a", "python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"s\")'"),
    "hard links": ("echo a > a", "echo n > n; ln n m; ln a b"),
    "another name of a file": ("echo a > a; echo c > c; ln c d", "ln a b; ln b e; rm c; ln a c; echo more >> d"),
    "hard link broken by a write": ("echo a > a; ln a b", "echo more >> a"),
    "sparse file": ("echo a > a", "truncate -s 8M s; printf x | dd of=s bs=1 seek=5M conv=notrunc 2>/dev/null"),
    "empty file and directory": ("echo a > a", "touch e; mkdir d"),
    "emptied file": ("echo a > a", ": > a"),
    "odd names": ("echo a > a", "for n in 'a b' '-dash' \"$(printf 'new\\nline')\" \"$(printf '\\377')\" 'q\"uote' '*' ':,\\'; do echo x > \"./$n\"; done"),
    "odd names changed": ("for n in 'a b' '-dash' \"$(printf 'new\\nline')\" \"$(printf '\\377')\"; do echo x > \"./$n\"; done", "for n in ./*; do echo y >> \"$n\"; done; rm ./-dash"),
    "name of 255 bytes": ("echo a > a", "echo x > $(printf '%0255d' 7)"),
    "mode 000": ("echo a > a; echo b > b", "chmod 000 a; echo c > c; chmod 000 c"),
    "read-only directory": ("mkdir d; echo a > d/a; chmod 555 d", "chmod 755 d; echo b > d/b; echo c >> d/a; chmod 555 d"),
    "new read-only directory": ("echo a > a", "mkdir r; echo x > r/x; chmod 500 r"),
    "copied up but equal": ("echo a > a; mkdir d; echo b > d/b", "touch a d/b; chmod 600 a; chmod 644 a; cp -p d/b t; cat t > d/b; rm t"),
    "moved file": ("seq 100 > a", "mv a b"),
    "moved directory": ("mkdir d; for i in 1 2 3; do seq $i 50 > d/$i; done", "mv d e"),
    "swapped names": ("echo 1 > a; echo 2 > b", "mv a t; mv b a; mv t b"),
    "binary file": ("head -c 5000 /dev/zero | tr '\\0' '\\1' > a", "head -c 6000 /dev/zero | tr '\\0' '\\2' > a; printf 'a\\0b' > b"),
    "deleted and made again": ("echo a > a; mkdir d; echo x > d/x", "rm a; echo a > a; rm -r d; mkdir d; echo x > d/x"),
}


def view_of(world):
    done = world.run("python3", "-c", walk_script())
    return ast.literal_eval(done.out)


def without_unpatchable(facts):
    """What a patch cannot carry: directories, FIFOs, sockets, modes but the executable bit."""
    kept = {}
    for path, fact in facts.items():
        kind = fact[0]
        if kind == stat.S_IFREG:
            kept[path] = (kind, bool(fact[1] & 0o100), fact[2])
        elif kind == stat.S_IFLNK:
            kept[path] = fact
    return kept


def remove_unpatchable(root):
    """FIFOs, sockets and empty directories: git cannot clear them away for a file of that name."""
    for folder, dirs, files in os.walk(os.fsencode(root), topdown=False):
        for name in dirs + files:
            path = os.path.join(folder, name)
            kind = os.lstat(path).st_mode & 0o170000
            if kind in (0o010000, 0o140000):
                os.unlink(path)
            elif kind == 0o040000 and os.access(path, os.R_OK) and not os.listdir(path):
                os.chmod(folder, 0o755)
                os.rmdir(path)


def as_readable(facts, view):
    """A run of root's has no capabilities, so root itself may read here what its run could not."""
    for path, fact in facts[0].items():
        if view[0].get(path, fact)[-1] == "unreadable" and fact[:2] == view[0][path][:2]:
            facts[0][path] = view[0][path]
    return facts


def touched_links(world, view):
    """The names of the project's hard links that the session has not changed, where it has copied one
    of them up: touching one (a time, a write of what it has) makes it a file of its own in the view
    alone."""
    uppers = glob.glob(os.path.join(world.state, "sessions", "*", "project", "upper"))
    facts, groups = as_readable(walk(world.project), view)
    unchanged = [[name for name in names if facts.get(name) == view[0].get(name)] for names in groups]
    return [names for names in unchanged
            if any(os.path.lexists(os.path.join(os.fsencode(upper), name))
                   for upper in uppers for name in names)]


def joined(tree, touched):
    """The tree with the names that touching them parted joined again, with what they are linked to."""
    facts, groups = tree
    together = []
    for group in [set(names) for names in groups + touched]:
        for other in [other for other in together if other & group]:
            together.remove(other)
            group |= other
        together.append(group)
    return facts, sorted(sorted(group) for group in together if len(group) > 1)


def as_applied(view, before):
    """No file that the project has gets another name by an apply: who writes to that would write to the file."""
    facts, groups = view
    known, linked = before
    kept = []
    for group in groups:
        if not any(name in known for name in group):
            kept.append(group)
        else:
            kept += [both for both in (sorted(set(group) & set(one)) for one in linked) if len(both) > 1]
    return facts, sorted(kept)


def git_gives_up(base, view):
    """Whether a file of the view is below what is a symbolic link into a loop in the base: git apply
    looks for the file through the link, and takes no answer but "there is none"."""
    for path in view[0]:
        try:
            os.lstat(os.path.join(os.fsencode(base), path))
        except OSError as error:
            if error.errno == errno.ELOOP:
                return True
    return False


def check_patch(world, label, patch, base, view):
    if patch:
        done = subprocess.run(["git", "apply", "--unsafe-paths", "--whitespace=nowarn", "-"], cwd=base,
                              input=patch, env={**world.env, "GIT_CEILING_DIRECTORIES": world.tmp},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        assert done.returncode == 0, f"{label}: git apply: {done.stdout.decode(errors='replace')}\n{patch.decode(errors='replace')}"
    got, want = without_unpatchable(walk(base)[0]), without_unpatchable(view[0])
    for path in [p for p, fact in want.items() if fact[-1] == "unreadable"]:
        # Mode 000 in the view, which a patch cannot carry: only that the file is there can be told.
        assert path in got, f"{label}: {path!r} is missing"
        del want[path], got[path]
    assert got == want, f"{label}: patch: {difference((got, []), (want, []))}"


def check_round_trip(world, label):
    """The two comparisons; the project is left applied."""
    before = fingerprint(world.project)
    view = view_of(world)
    touched = touched_links(world, view)
    view = as_applied(joined(view, touched), joined(walk(world.project), touched))
    base = os.path.join(world.tmp, "base")
    subprocess.run(["cp", "-a", world.project, base], check=True)
    subprocess.run(["find", base, "-type", "d", "-exec", "chmod", "u+rwx", "{}", "+"], check=True)
    remove_unpatchable(base)
    patch = world.shadow("diff", "--binary").stdout
    assert fingerprint(world.project) == before, f"{label}: diff wrote to the project"
    if git_gives_up(base, view):
        print(f"# {label}: not patched: a directory in place of a link into a loop", flush=True)
    else:
        check_patch(world, label, patch, base, view)
    subprocess.run(["chmod", "-R", "u+rwX", base], check=False)
    shutil.rmtree(base)
    world.shadow("apply", "--yes", "--allow-sensitive")
    real = as_readable(walk(world.project), view)
    assert real == view, f"{label}: apply: {difference(real, view)}"
    after = joined(view_of(world), touched)
    assert after == view, f"{label}: the view changed by apply: {difference(after, view)}"
    rest = world.shadow("diff", "--name-status").out
    assert rest == "", f"{label}: left after apply: {rest}"
    assert not [n for n in walk(world.project)[0] if b".shadow-" in n], "staging files left"


def test_each_case(world):
    """Each kind of change arrives in the real tree as the view has it, and the patch says the same."""
    for number, (label, (real, change)) in enumerate(CASES.items()):
        world.project = os.path.join(world.tmp, f"p{number}")
        os.mkdir(world.project)
        print(f"# {label}", flush=True)
        subprocess.run(["sh", "-c", real], cwd=world.project, env=world.env, check=True)
        before = fingerprint(world.project)
        done = world.sh(change)
        assert done.err == "", (label, done.err)
        assert fingerprint(world.project) == before, label
        check_round_trip(world, label)


def test_paths_longer_than_path_max(world):
    """A path may be as long in the project as the kernel takes, and so longer than it takes from the root."""
    script = ("import os\n"
              "for i in range(20):\n"
              "    os.mkdir('d' * 203); os.chdir('d' * 203)\n"
              "open('f', 'w').write('deep\\n')\n")
    world.write("a", "a\n")
    world.run("python3", "-c", script)
    assert world.shadow("diff", "--name-only").out.endswith("/f\n")
    world.shadow("apply", "--yes")
    here = os.getcwd()
    try:
        os.chdir(world.project)
        for _ in range(20):
            os.chdir("d" * 203)
        assert open("f", encoding="utf-8").read() == "deep\n"
    finally:
        os.chdir(here)
    assert world.shadow("diff", "--name-only").out == ""


def test_nothing_but_apply_writes(world):
    """No command but apply and undo changes the real tree, not even a change time."""
    world.git_project({"a.txt": "one\n", "d/b.txt": "two\n"})
    world.sh("echo x >> a.txt; rm -r d; echo n > n; git status; git add -A; git commit -qm work")
    before = fingerprint(world.project)
    for words in (["status"], ["status", "--porcelain"], ["status", "--json"], ["diff"], ["diff", "--stat"],
                  ["diff", "--numstat"], ["diff", "--name-only"], ["list"], ["list", "--json"], ["log"],
                  ["log", "a.txt"], ["apply", "-n"], ["show", "1"], ["gc", "--dry-run"]):
        world.shadow(*words)
        assert fingerprint(world.project) == before, words
    world.shadow("discard", "a.txt", "--yes")
    assert fingerprint(world.project) == before
    world.shadow("discard", "--yes")
    assert fingerprint(world.project) == before


NAMES = [b"a", b"b", b"c d", b"-e", b"f\ng", b"\xff", b"h\"i", b"j.txt", b"k", b"l"]
MANY_NAMES = NAMES + [b"n%d" % n for n in range(60)]


def random_operations(rng, count, outside, names):
    """A Python program of file operations on paths below '.', each ignoring what cannot be done.

    Links out of the project lead to `outside`, and are written through: outside of a run that must
    be nothing of the host's.
    """
    def path():
        return b"/".join(rng.choice(names) for _ in range(rng.randint(1, 3)))

    lines = ["import os, shutil", "def t(f, *a):", "    try: f(*a)", "    except OSError: pass",
             # O_NONBLOCK: a FIFO of that name must not stop the program.
             "def o(p, flags):",
             "    return os.fdopen(os.open(p, os.O_WRONLY | os.O_CREAT | os.O_NONBLOCK | flags, 0o644), 'wb')",
             "def w(p, c):", "    o(p, os.O_TRUNC).write(c)",
             "def a(p, c):", "    o(p, os.O_APPEND).write(c)",
             "def rt(p):", "    shutil.rmtree(p) if os.path.isdir(p) and not os.path.islink(p) else os.unlink(p)",
             # As mv(1), but never by copying: a link may lead a directory into itself.
             "def mv(p, q):", "    os.rename(p, os.path.join(q, os.path.basename(p)) if os.path.isdir(q) else q)",
             "def sw(p, c):", "    w(p + b'.tmp', c); os.rename(p + b'.tmp', p)",
             "def sp(p):", "    o(p, os.O_TRUNC).truncate(70000)"]
    for _ in range(count):
        content = rng.choice([b"", b"x", b"line\n" * rng.randint(1, 30), b"a\0b", b"no newline",
                              bytes(rng.randrange(256) for _ in range(rng.randint(1, 200)))])
        operation = rng.choice(["w", "w", "a", "mkdir", "makedirs", "rt", "rename", "link", "symlink",
                                "chmod", "utime", "fifo", "sw", "sp", "truncate"])
        p, q = path(), path()
        call = {
            "w": f"t(w, {p!r}, {content!r})", "a": f"t(a, {p!r}, {content!r})",
            "mkdir": f"t(os.mkdir, {p!r})", "makedirs": f"t(os.makedirs, {p!r})", "rt": f"t(rt, {p!r})",
            "rename": f"t(mv, {p!r}, {q!r})",
            "link": f"t(os.link, {p!r}, {q!r})",
            "symlink": f"t(os.symlink, {rng.choice([b'a', b'../b', outside, b'no where', q])!r}, {p!r})",
            "chmod": f"t(os.chmod, {p!r}, {rng.choice([0o644, 0o755, 0o600, 0o700, 0o400])!r}) if os.path.isfile({p!r}) and not os.path.islink({p!r}) else None",
            "utime": f"t(os.utime, {p!r}, (1, 1)) if not os.path.islink({p!r}) else None",
            "fifo": f"t(os.mkfifo, {p!r})", "sw": f"t(sw, {p!r}, {content!r})", "sp": f"t(sp, {p!r})",
            "truncate": f"t(os.truncate, {p!r}, {rng.randint(0, 50)}) if os.path.isfile({p!r}) and not os.path.islink({p!r}) else None",
        }[operation]
        lines.append(call)
    return "\n".join(lines) + "\n"


def run_random(world, rounds, count, seed, names=NAMES):
    rng = random.Random(seed)
    print(f"# seed {seed} (SHADOW_TEST_SEED={seed} gives it again), {rounds} rounds of {count}", flush=True)
    begin = os.path.join(world.tmp, "begin.py")
    for number in range(rounds):
        world.project = os.path.join(world.tmp, f"r{number}")
        os.mkdir(world.project)
        with open(begin, "w", encoding="utf-8") as f:
            f.write(random_operations(rng, count, b'/no/such/directory/file', names))
        subprocess.run([sys.executable, begin], cwd=world.project, check=True)
        program = random_operations(rng, count, b'/etc/passwd', names)
        for part in range(2):
            half = program if part == 0 else random_operations(rng, count // 4, b'/etc/passwd', names)
            with open(world.path(".lectic_script-1"), "w", encoding="utf-8") as f:
                f.write(half)
            world.run("python3", ".lectic_script-1")
            os.unlink(world.path(".lectic_script-1"))
        check_round_trip(world, f"seed {seed} round {number}")
        subprocess.run(["chmod", "-R", "u+rwX", world.project], check=False)
        shutil.rmtree(world.project)
    world.project = world.tmp


def test_random_operations(world):
    """Hundreds of random operations by a real program in the view arrive as the view has them."""
    rounds = int(os.environ.get("SHADOW_TEST_ROUNDS", "6"))
    seed = int(os.environ.get("SHADOW_TEST_SEED", random.randrange(1 << 30)))
    run_random(world, rounds, 200, seed)


def test_random_operations_on_many_files(world):
    """The same with so many files that several threads write them."""
    rounds = int(os.environ.get("SHADOW_TEST_ROUNDS", "2"))
    seed = int(os.environ.get("SHADOW_TEST_SEED", random.randrange(1 << 30)))
    run_random(world, rounds, 3000, seed, MANY_NAMES)


def on_loop_filesystem(kind, options=()):
    def test(world):
        if os.geteuid() != 0:
            raise NotHere("a loop mount needs root; the same is proved there")
        if not shutil.which(f"mkfs.{kind}"):
            raise Skip(f"mkfs.{kind} is not installed")
        image, mount = os.path.join(world.tmp, "image"), os.path.join(world.tmp, "mnt")
        subprocess.run(["truncate", "-s", "400M", image], check=True)
        subprocess.run([f"mkfs.{kind}", *options, image], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        os.mkdir(mount)
        done = subprocess.run(["mount", "-o", "loop", image, mount], stderr=subprocess.PIPE, check=False)
        if done.returncode:
            raise NotHere(f"cannot mount {kind}: {done.stderr.decode().strip()}")
        real = (world.tmp, world.state)
        try:
            # Once with the state beside the project, once with it on another filesystem.
            for state in (os.path.join(mount, "state"), real[1]):
                world.tmp, world.state = mount, state
                world.env["SHADOW_STATE_DIR"] = state
                run_random(world, 2, 150, int(os.environ.get("SHADOW_TEST_SEED", "1")))
                world.wait_settled()
        finally:
            world.tmp, world.state = real
            subprocess.run(["umount", mount], check=True)
    test.__doc__ = f"The same on {kind}, with the state beside the project and on another filesystem."
    return test


test_on_xfs = on_loop_filesystem("xfs")
test_on_btrfs = on_loop_filesystem("btrfs")
test_on_ext4 = on_loop_filesystem("ext4")


def test_on_tmpfs(world):
    """The same with project and state on tmpfs."""
    if not os.path.isdir("/dev/shm") or not os.access("/dev/shm", os.W_OK):
        raise NotHere("no writable tmpfs at /dev/shm")
    other = harness.World("/dev/shm")
    try:
        if not harness.tmpfs_holds_attributes():
            harness.refused_on_tmpfs(other, other.state)
            return
        run_random(other, 2, 150, int(os.environ.get("SHADOW_TEST_SEED", "2")))
    finally:
        other.close()


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
