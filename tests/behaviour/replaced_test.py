# SPDX-License-Identifier: MIT
"""Projects in whose place another directory is by now."""

import contextlib
import json
import os
import sqlite3
import sys

import harness


def test_replaced_project_is_refused(world):
    """A project that was moved away and made anew is refused with an explanation."""
    world.sh("echo x > made")
    os.rename(world.project, world.project + ".old")
    os.mkdir(world.project)
    done = world.sh("echo ran", check=False)
    assert done.returncode == 125 and "replaced" in done.err and "hint:" in done.err, done
    assert os.listdir(world.project) == []


def test_work_of_a_replaced_project_is_named(world):
    """What a refused run names is where the session's work is, be it in the home or in the temporary files; doctor says
    that the run is refused; gc holds the session while it may be wanted, and removes it later."""
    for number, (script, layers) in enumerate((("echo x >~/kept", ["home/upper"]), ("echo x >/tmp/kept", ["temporary/upper"]),
                                               ("echo x >made; echo x >~/kept", ["project/upper", "home/upper"]))):
        world.sh(script)
        world.wait_settled()
        os.rename(world.project, f"{world.project}.{number}")
        os.mkdir(world.project)
        refused = world.sh("echo ran", check=False)
        found = [layer for layer in ("project/upper", "home/upper", "temporary/upper") if "/" + layer in refused.err]
        assert refused.returncode == 125 and found == layers, refused
        doctor = json.loads(world.shadow("doctor", "--json", check=False).stdout)
        session = {one["name"]: one for one in doctor["findings"]}["session of 'default'"]
        assert doctor["health"] == session["health"] == "cannot" and session["mend"] in refused.err, doctor
        for words in (("gc", "-n", "--json"), ("gc", "--json")):
            report = json.loads(world.shadow(*words).stdout)
            assert [one["agent"] for one in report["held"]] == ["default"] and not report["sessions"], report
        with contextlib.closing(sqlite3.connect(os.path.join(world.state, "shadow.db"))) as db, db:
            db.execute("UPDATE sessions SET used_ns = 1")
        report = json.loads(world.shadow("gc", "-n", "--json").stdout)
        assert not report["held"] and [one["agent"] for one in report["sessions"]] == ["default"], report
        assert "removed session 'default'" in world.shadow("gc").out
        assert world.sh("echo ran").out == "ran\n"
        world.shadow("discard", "--yes")


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
