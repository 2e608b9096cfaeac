# SPDX-License-Identifier: MIT
"""What tests ask of an apply: whether it goes, what it names when it stops."""

import harness

CONFLICT = 3
REFUSED = 4


def lines(**changed):
    """Thirty lines, those named l5="x" replaced, and those named a5="x" followed by one more."""
    text = ""
    for n in range(1, 31):
        text += f"{changed.get(f'l{n}', n)}\n"
        text += f"{changed[f'a{n}']}\n" if f"a{n}" in changed else ""
    return text


def offered(w):
    """The changes that status lists."""
    return w.shadow("status").out.split("\n\n")[1].rstrip("\n")


def apply(w, how=None, check=True):
    return w.shadow("apply", "--yes", *([f"--on-conflict={how}"] if how else []), check=check)


def refused(w, how="stop"):
    """Apply stops, names the conflict and writes nothing; what it said."""
    before = harness.fingerprint(w.project)
    done = apply(w, how, check=False)
    assert done.returncode == CONFLICT, (done.returncode, done.out, done.err)
    assert harness.fingerprint(w.project) == before
    return done.err


def goes(w, script, cwd=None, env=None):
    """What the script makes in a session is applied at once. A script that makes nothing shows nothing."""
    w.sh(script, cwd=cwd)
    done = w.shadow("apply", "--yes", check=False, cwd=cwd, env=env)
    assert done.returncode == 0 and done.out.startswith("applied "), (script, done.returncode, done.out, done.err)


def stops(w, script, *paths, cwd=None, env=None):
    """What the script makes at these paths in a session stops an apply, which names them; what it said."""
    w.sh(script, cwd=cwd)
    done = w.shadow("apply", "--yes", check=False, cwd=cwd, env=env)
    assert done.returncode == REFUSED, (script, done.returncode, done.out, done.err)
    for path in paths:
        assert f"  {path} (" in done.err, (script, path, done.err)
    return done.err


def held(w, script, *paths, cwd=None, env=None):
    """The same, and nothing of it arrives: it is dropped."""
    said = stops(w, script, *paths, cwd=cwd, env=env)
    w.shadow("discard", "--yes", cwd=cwd)
    return said
