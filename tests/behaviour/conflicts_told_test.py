# SPDX-License-Identifier: MIT
"""What other programs are told of changes that are in conflict."""

import json
import sys

import harness
from applies import lines


def test_machines_are_told_what_is_in_conflict(w):
    """diff --json says of each file what status --json says of it: what is in conflict is not written by an apply."""
    w.git_project({"f": lines(), "g": lines(), "h": lines(), "i": lines(), "dir/x": "x\n"})
    w.sh("sed -i 3s/^/agent/ f g h; mv i j; rm -r dir; echo file >dir")
    w.wait_settled()
    w.write("f", lines(l3="user"))
    w.write("g", lines(l9="user"))
    w.write("i", lines(l3="user"))
    w.write("dir/x", "user\n")
    by_status = {one["path"]: one for one in json.loads(w.shadow("status", "--json").out)["changes"]}
    files = json.loads(w.shadow("diff", "--json").out)["files"]
    for one in files:
        for name in ("drift", "replaces", "resolution", "reason", "partner", "depends_on"):
            assert one.get(name) == by_status[one["path"]].get(name), (name, one, by_status[one["path"]])
    told = {one["path"]: one.get("resolution") for one in files}
    assert (told["f"], told["g"], told["h"], told["j"]) == ("conflict", "merge", None, "merge"), told
    assert told["dir/x"] == "conflict", told


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
