# SPDX-License-Identifier: MIT
"""A real source tree: git's own, as the distribution packages it."""

import subprocess
from pathlib import Path

from measuring import ENV, HOME, PLACE, do

DEBIAN = Path("/etc/apt/sources.list.d/debian.sources")
UBUNTU = Path("/etc/apt/sources.list.d/ubuntu.sources")


def real_sources():
    """A committed project with the sources; None, and a line that says why, without a source.

    The package lists are the bench's own, so that no privilege is needed and nothing of the machine
    is changed; apt checks signatures and hashes.
    """
    listed = next((path for path in (DEBIAN, UBUNTU) if path.exists()), None)
    if listed is None:
        print("not measured: real sources (no list of the distribution's sources)", flush=True)
        return None
    apt = PLACE / "apt"
    for name in ("sources.d", "lists/partial", "cache/archives/partial"):
        (apt / name).mkdir(parents=True)
    (apt / "sources.d" / listed.name).write_text(
        listed.read_text().replace("Types: deb\n", "Types: deb-src\n"))
    options = [f"-o{key}={value}" for key, value in {
        "Dir::Etc::SourceList": "/dev/null", "Dir::Etc::SourceParts": apt / "sources.d",
        "Dir::State::Lists": apt / "lists", "Dir::Cache": apt / "cache"}.items()]
    for words in (["update"], ["source", "--download-only", "git"]):
        done = subprocess.run(["apt-get", "-q", *options, *words], cwd=apt, env=ENV, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True)
        if done.returncode != 0:
            why = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            print(f"not measured: real sources ({why})", flush=True)
            return None
    root = HOME / "git-sources"
    root.mkdir()
    do("sh", "-c", 'tar -x --strip-components=1 -f "$1"/git_*.orig.tar.* && git init -q'
       " && git add -A . && git commit -q -m sources", "sh", apt, cwd=root)
    return root
