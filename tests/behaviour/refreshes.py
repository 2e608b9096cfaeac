# SPDX-License-Identifier: MIT
"""A refresh, and the session that it is for."""

import harness
from applies import lines

EDIT = "sed -i s/^20$/agent/ F"


def session(w, script, **others):
    """A session that began after F, G and the others were there, and ran this."""
    for name, text in {"F": lines(), "G": lines(), **others}.items():
        w.write(name, text)
    w.sh(script)
    w.wait_settled()


def refresh(w, *words, code=0, **options):
    """What a refresh says; it writes nothing to the project."""
    before = harness.fingerprint(w.project)
    done = w.shadow("refresh", *words, check=False, **options)
    assert done.returncode == code, (done.returncode, done.out, done.err)
    assert harness.fingerprint(w.project) == before
    return done


def view(w, name):
    return w.run("cat", name).out
