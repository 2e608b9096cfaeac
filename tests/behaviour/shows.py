# SPDX-License-Identifier: MIT
"""Changes between a review and its apply."""

import re

import harness
from dialogue import lines

REFUSED = 4
# A run that maps a file, keeps its page dirty, and changes it at a word from outside without any
# system call on it: no time stamp tells. It says the file's times before and after.
FLIP = """
import mmap, os, sys
f = open("f", "r+b")
m = mmap.mmap(f.fileno(), 0)
def put(word):
    m[0:len(word)] = word
def times():
    st = os.fstat(f.fileno())
    return (st.st_mtime_ns, st.st_ctime_ns)
put(b"shown ")
print("ready", flush=True)
for line in sys.stdin:
    put(line[:1].encode())
    before = times()
    put(line.strip().encode().ljust(6))
    print(int(before == times()), flush=True)
"""


def project(w):
    w.git_project({"f": lines(), "g": lines(), "h": lines(), "del": "gone\n"})


def edit(w, *names, n=2, text="two"):
    w.run("sed", "-i", f"{n}s/.*/{text}/", *names)


def refused(w, *words, names=("f",)):
    """An apply that names these paths, with when they were shown, and writes nothing."""
    before = harness.fingerprint(w.project)
    done = w.shadow("apply", "--yes", *words, check=False)
    assert done.returncode == REFUSED, (done.returncode, done.out, done.err)
    for name in names:
        found = re.search(rf"'{name}' \(.* shown at \d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d\)", done.err)
        assert found, done.err
    assert "nothing was written" in done.err, done.err
    assert "shadow diff" in done.err and "--unseen" in done.err, done.err
    # Its staging came and went in the directories of the paths.
    after = harness.fingerprint(w.project)
    assert [x[:6] for x in before if x[1] != b"."] == [x[:6] for x in after if x[1] != b"."]
    return done


def merging(w):
    """The agent has line 2 of f and g, the user line 20 of f and line 2 of g."""
    edit(w, "f", "g")
    w.wait_settled()
    w.shadow("status")
    w.write("f", lines(l20="user"))
    w.write("g", lines(l2="user"))
