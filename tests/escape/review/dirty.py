# SPDX-License-Identifier: MIT
"""What a run keeps mapped and dirty: another content is in it while it is copied than while it was judged, and no time
stamp tells. Objects, their indexes, refs and the index of new repositories and of the project's own, and files."""

import os
import subprocess

from review import histories
from review.attempt import OBEYED, UNSEEN, Attempt

REVIEWS = 3
# Writes the good version of files, and notes both versions for who keeps them dirty.
TWO = r'''
import hashlib, os, struct, subprocess, zlib
word = b"@word@"
fine = b"fine-@id@".ljust(len(word), b".")
def git(*words, give=None):
    return subprocess.run(["git", *words], check=True, stdout=subprocess.PIPE, input=give).stdout.decode().strip()
def two(path, good, evil):
    assert len(good) == len(evil), path
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    if os.path.lexists(path):
        os.unlink(path)
    with open(path, "wb") as f:
        f.write(good)
    with open("@home@/dirty-0", "a") as f:
        f.write(f"{os.path.abspath(path)} {good.hex()} {evil.hex()}\n")
def whole(kind, text):
    return kind.encode() + b" " + str(len(text)).encode() + b"\0" + text
def loose(kind, good, evil):
    name = hashlib.sha1(whole(kind, good)).hexdigest()
    two(f"{top}/objects/{name[:2]}/{name[2:]}", *(zlib.compress(whole(kind, text), 0) for text in (good, evil)))
    return name
def name_of(kind, text):
    return hashlib.sha1(whole(kind, text)).digest()
def entry(kind, text, level=0):
    number = {"commit": 1, "tree": 2, "blob": 3, "tag": 4}[kind]
    return bytes([(number << 4) | (len(text) & 15) | 128, len(text) >> 4]) + zlib.compress(text, level)
def pack_of(*entries):
    pack = b"PACK" + struct.pack(">II", 2, len(entries)) + b"".join(entries)
    return pack + hashlib.sha1(pack).digest()
def index_of(rows, trailer):
    """Of name, entry and offset."""
    rows = sorted(rows)
    fan = b"".join(struct.pack(">I", sum(row[0][0] <= i for row in rows)) for i in range(256))
    idx = b"\xfftOc" + struct.pack(">I", 2) + fan + b"".join(row[0] for row in rows)
    idx += b"".join(struct.pack(">I", zlib.crc32(row[1])) for row in rows) + b"".join(struct.pack(">I", row[2]) for row in rows)
    idx += trailer
    return idx + hashlib.sha1(idx).digest()
def packed(kind, good, evil):
    """git compares the end of a pack with its index alone."""
    name, bodies = name_of(kind, good), [entry(kind, text) for text in (good, evil)]
    pack = pack_of(bodies[0])
    base = f"{top}/objects/pack/pack-{name.hex()}"
    two(base + ".pack", pack, pack_of(bodies[1])[:-20] + pack[-20:])
    with open(base + ".idx", "wb") as f:
        f.write(index_of([(name, bodies[0], 12)], pack[-20:]))
    return name.hex()
def indexed(kind, good, evil):
    names = [name_of(kind, text) for text in (good, evil)]
    bodies = [entry(kind, text, 9) for text in (good, evil)]
    places = [12, 12 + len(bodies[0])]
    pack = pack_of(*bodies)
    base = f"{top}/objects/pack/pack-{names[0].hex()}"
    two(base + ".idx", *(index_of(list(zip(names, bodies, order)), pack[-20:]) for order in (places, places[::-1])))
    with open(base + ".pack", "wb") as f:
        f.write(pack)
    return names[0].hex()
def commit_text(tree, message):
    who = b"T <t@example.org> 1 +0000"
    return b"tree " + tree.encode() + b"\nauthor " + who + b"\ncommitter " + who + b"\n\n" + message + b"\n"
def tree_text(name, blob):
    return b"100644 " + name + b"\0" + bytes.fromhex(blob)
def commit(tree, message=b"m"):
    return git("hash-object", "-w", "-t", "commit", "--stdin", give=commit_text(tree, message))
def tree_with(blob, name=b"f"):
    return git("hash-object", "-w", "--literally", "-t", "tree", "--stdin", give=tree_text(name, blob))
def blob(text):
    return git("hash-object", "-w", "--stdin", give=text)
def tag_text(target, message):
    return (b"object " + target.encode() + b"\ntype commit\ntag t-@id@\ntagger T <t@example.org> 1 +0000\n\n" + message + b"\n")
'''
NEW = TWO + r'''
git("init", "-q", "-b", "main", "n")
os.chdir("n")
top = ".git"
with open("f", "wb") as f:
    f.write(fine)
def put(name, ref="refs/heads/main"):
    git("update-ref", "--no-deref", ref, name)
'''
OWN = TWO + r'''
os.chdir("@top@")
top = ".git"
def put(name, ref="refs/heads/b-@id@"):
    with open(f".git/{ref}", "w") as f:
        f.write(name + "\n")
'''
OBJECTS = {
    "a {0} blob": "put(commit(tree_with({0}('blob', fine, word))))",
    "a {0} commit": "t = tree_with(blob(fine)); put({0}('commit', commit_text(t, fine), commit_text(t, word)))",
    "a {0} tree": "b = blob(fine); put(commit({0}('tree', tree_text(fine, b), tree_text(word, b))))",
    "a {0} tag": "c = commit(tree_with(blob(fine))); put(c); put({0}('tag', tag_text(c, fine), tag_text(c, word)), 'refs/tags/t-@id@')",
}
COMMITS = "c = commit(tree_with(blob(fine))); d = commit(tree_with(blob(word), b'.envrc')); put(c); "
REFS = {
    "a branch": COMMITS + "two('.git/refs/heads/main', *(x.encode() + b'\\n' for x in (c, d)))",
    "a new branch": COMMITS + "two('.git/refs/heads/x', *(x.encode() + b'\\n' for x in (c, d)))",
    "a packed branch": COMMITS + "two('.git/packed-refs', *(b'# pack-refs with: peeled fully-peeled sorted \\n' + x.encode() + "
                                 "b' refs/heads/x\\n' for x in (c, d)))",
    "a detached HEAD": COMMITS + "two('.git/HEAD', *(x.encode() + b'\\n' for x in (c, d)))",
    "a remote's branch": COMMITS + "two('.git/refs/remotes/o/x', *(x.encode() + b'\\n' for x in (c, d)))",
    "the index": "b, e = blob(fine), blob(word); put(commit(tree_with(b))); v = []\n"
                 "for x in (b, e):\n    git('update-index', '--add', '--cacheinfo', '100644,' + x + ',f')\n"
                 "    with open('.git/index', 'rb') as f:\n        v.append(f.read())\n    os.unlink('.git/index')\n"
                 "two('.git/index', *v)",
}
FILES = {
    "a new file": TWO + "two('new', fine, word)",
    "a file of the user's": TWO + "two('mine', fine, word)",
    "a file of many pages": TWO + "two('large', fine + b'\\n' * 100000, word + b'\\n' * 100000)",
}
FLIP = r"""
import mmap, os, random, sys, time
evil_alone = sys.argv[2] == "evil"
maps = []
for line in open(sys.argv[1]):
    path, good, evil = line.split()
    with open(path, "r+b") as f:
        maps.append((mmap.mmap(f.fileno(), len(good) // 2), bytes.fromhex(good), bytes.fromhex(evil)))
while True:
    for pages, good, evil in maps:
        pages[:] = evil if evil_alone else random.choice((good, evil))
    if evil_alone:
        break
    print("ready", flush=True)
    time.sleep(random.random() / 40)
"""


def script(text):
    return f"python3 - <<'EOF'\n{text}\nEOF"


def attempts():
    found = []
    for where, begin in (("in a new repository", NEW), ("in the project's own", OWN)):
        for form in ("loose", "packed", "indexed"):
            for how, text in OBJECTS.items():
                found.append((f"{how.format(form)} {where}", begin + text.format(form)))
    what = "bytes that are others by then"
    return [*(Attempt(what, how, UNSEEN, (script(text),)) for how, text in found),
            *(Attempt(what, how, UNSEEN, ("", script(text.replace("dirty-0", "dirty-1"))), first="echo 1 >mine")
              for how, text in FILES.items()),
            *(Attempt("a ref that is another by then", f"{how} of a new repository", OBEYED, (script(NEW + text),), at="found")
              for how, text in REFS.items())]


def guarded(stage, attempts_):
    """Made, and reviewed and applied a few times while a run changes all of it."""
    for step in (0, 1):
        stage.work(attempts_, step)
        live = stage.start("run", "--", "python3", "-c", FLIP, f"{stage.home}/dirty-{step}", "both", stdout=subprocess.PIPE)
        try:
            assert live.stdout.readline() == b"ready\n"
            review_each(stage, [one for one in attempts_ if len(one.steps) == step + 1])
            if step == 0:
                stage.apply()  # of the commits
        finally:
            live.terminate()
            live.communicate(timeout=60)


def review_each(stage, attempts_):
    """One by one: what changes at the wrong moment stops only itself. After it has arrived nothing was shown of it."""
    arrived = set()
    for _ in range(REVIEWS):
        for attempt in attempts_:
            place = ("--", attempt.place)
            if place not in arrived and stage.told(stage.shadow("diff", *place, check=False)).returncode == 0:
                done = stage.told(stage.shadow("apply", "--yes", "--skip-sensitive", *place, check=False))
                arrived.update({place} if done.returncode == 0 else ())


def unguarded(stage, attempts_):
    for step in (0, 1):
        stage.work(attempts_, step)
        subprocess.run(["python3", "-c", FLIP, f"{stage.home}/dirty-{step}", "evil"], check=True)


def after(stage):
    """What git tells of each new repository, and of each ref of the project's own: together they would stop it at the
    first that is damaged."""
    histories.after(stage)
    refs = stage.git("for-each-ref", "--format=%(refname)", check=False).stdout.decode().split()
    for attempt in os.listdir(stage.project):
        new = stage.path(attempt, "n")
        tell = ("for-each-ref", "--format=%(contents)")
        seen = [stage.git(*tell, cwd=new, check=False).stdout] if os.path.isdir(new) else []
        for ref in refs:
            if ref.endswith("-" + attempt) and not ref.startswith("refs/shadow/"):
                for words in (("cat-file", "-p"), ("log", "-p"), ("ls-tree", "-r"), ("show",)):
                    seen.append(stage.git(*words, ref, check=False).stdout)
        if seen:
            with open(stage.path(attempt, "told"), "wb") as f:
                f.write(b"\n".join(seen))
