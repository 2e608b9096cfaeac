# SPDX-License-Identifier: MIT
"""The log of every command: what ran, under which policy, what it hit, and for how long that is kept."""

import json
import os
import signal
import sqlite3
import sys
import time

import harness
from runs import BOMB, HOG, limited

DAY_NS = 86_400 * 10**9


def lines(world, *words):
    """`log --json`: one object a line."""
    out = world.shadow("--json", "log", *words).out
    assert out.endswith("\n")
    return [json.loads(line) for line in out.splitlines()]


def last(world):
    return lines(world)[0]


def test_every_command_has_a_line(world):
    """Each command has its line, also one that failed, was killed, or could not be executed."""
    world.sh("exit 3", check=False)
    world.run("/no/such/program", check=False)
    world.sh("kill -9 $$", check=False)
    run = world.start("run", "--", "sleep", "1000", stdout=-3, stderr=-3)
    harness.wait_until(lambda: any(one["live"] for one in lines(world)), what="a live run")
    run.kill()
    run.wait()
    world.shadow("run", "--net=none", "--", "printf", "a b\nc\x1b[2J", "\udcff", "")
    found = lines(world)
    assert len(found) == 5, found
    words = [[item["word"] for item in one["argv"]] for one in reversed(found)]
    assert words[0] == ["sh", "-c", "exit 3"] and found[4]["exit"] == 3, words
    assert words[1] == ["/no/such/program"] and found[3]["exit"] == 127, found[3]
    assert found[2]["signal"] == 9, found[2]
    assert words[3] == ["sleep", "1000"] and found[1]["ending"] == "killed" and not found[1]["live"], found[1]
    assert words[4][:2] == ["printf", "a b\nc\x1b[2J"] and found[0]["policy"]["net"] == "none", found[0]
    for one in found:
        assert {"run", "session", "argv", "cwd", "policy", "started", "live", "files"} <= set(one), one
    # Nothing of it steers a terminal or breaks a line.
    text = world.shadow("log").out
    assert "\x1b" not in text and text.count("printf") == 1, text


def test_limits_that_were_hit_are_told(world):
    """log and show tell of time-out, and of memory and processes where the kernel counts them."""
    world.shadow("run", "--timeout=200ms", "--", "sleep", "100", check=False)
    record = last(world)
    assert record["ending"] == "timeout", record
    assert "time-out" in world.shadow("log").out
    assert "time-out" in world.shadow("show", str(record["run"])).out
    world.write("hog.py", HOG)
    if limited(world, "--memory=64M", "--", sys.executable, "hog.py") is not None:
        record = last(world)
        assert record["memory_kills"] >= 1 and record["policy"]["memory_bytes"] == 64 << 20, record
        for text in (world.shadow("log").out, world.shadow("show", str(record["run"])).out):
            assert "killed for memory" in text, text
    limited(world, "--pids=20", "--timeout=20s", "--", sys.executable, "-c", BOMB)
    record = last(world)
    assert record["policy"]["pids"] == 20, record
    if os.geteuid() == 0 and record["exit"] == 0:  # an ordinary user's are counted without a tally
        assert record["forks_refused"] >= 1, record
        for text in (world.shadow("log").out, world.shadow("show", str(record["run"])).out):
            assert "refused" in text, text


def test_lesser_limits_are_told(world):
    """A limit of a profile that this host keeps in a lesser way is in the run's record."""
    done = world.shadow("run", "--profile=strict", "--", "true")
    note = last(world).get("limits_note", "")
    assert bool(done.err) == bool(note) and note in done.err, (done.err, note)
    assert note in world.shadow("log").out.replace("\n       ", " ")


def test_retention(world):
    """Runs older than the configuration says are forgotten by gc, younger ones are not."""
    folder = os.path.join(world.home, ".config/shadow")
    os.makedirs(folder)
    with open(os.path.join(folder, "config.toml"), "w", encoding="utf-8") as f:
        f.write("retention_days = 10\n")
    for word in ("ancient", "recent", "new"):
        world.run("echo", word)
    assert len(lines(world)) == 3
    world.wait_settled()
    with sqlite3.connect(os.path.join(world.state, "shadow.db")) as db:
        for word, days in (("ancient", 11), ("recent", 9)):
            then = time.time_ns() - days * DAY_NS
            changed = db.execute("UPDATE runs SET started_ns = ?, ended_ns = ? WHERE instr(argv, ?)",
                                 (then, then, word.encode())).rowcount
            assert changed == 1, word
    db.close()
    assert len(lines(world)) == 3
    world.shadow("gc", "--dry-run")
    assert len(lines(world)) == 3
    world.shadow("gc")
    left = [one["argv"][1]["word"] for one in lines(world)]
    assert left == ["new", "recent"], left


def test_who_wrote_it_is_right_or_said_to_be_unsure(world):
    """Of runs within milliseconds of each other, one after the other and at the same time, each says what it
    wrote and deleted, and nothing of another's as its own; a number is given once."""
    for number in range(24):
        world.write(f"gone{number}", "x")
    numbers = set()
    told_apart = 0
    for round_ in range(3):
        runs = []
        for number in range(8 * round_, 8 * round_ + 8, 2):
            script = f"echo {number} >new{number}; rm gone{number}"
            other = f"echo {number + 1} >new{number + 1}; rm gone{number + 1}"
            beside = world.start("run", "--", "sh", "-c", script)
            world.shadow("run", "--", "sh", "-c", other)
            assert beside.wait(timeout=30) == 0
            runs += [(script, number), (other, number + 1)]
        world.wait_settled()
        logged = [json.loads(line) for line in world.shadow("log", "--json").out.splitlines()]
        by_script = {run["argv"][-1]["word"]: run["run"] for run in logged}
        numbers_of = {number: by_script[script] for script, number in runs}
        for number, run in numbers_of.items():
            shown = json.loads(world.shadow("show", str(run), "--json").out)["changes"]
            own = {(f"new{number}", "written"), (f"gone{number}", "deleted")}
            certain = {(change["path"], change["what"]) for change in shown if "among" not in change}
            assert certain <= own, (run, certain - own)
            told_apart += len(certain)
            assert own <= {(change["path"], change["what"]) for change in shown}, (run, shown)
            for change in shown:
                among = change.get("among")
                if among:
                    right = numbers_of[int(change["path"].lstrip("gonew"))]
                    assert among["first"] <= right <= among["last"], (run, change, right)
        assert not numbers & set(numbers_of.values())
        numbers |= set(numbers_of.values())
        world.shadow("discard", "--yes")
    assert told_apart > 0


def test_a_run_that_begins_as_another_is_recorded(world):
    """A deletion by a run that began while the one before it was being recorded is not taken for that one's."""
    world.write("first", "x")
    world.write("second", "x")
    world.write("third", "x")
    world.run("rm", "third")
    world.wait_settled()
    world.shadow("run", "--", "rm", "first", env={"SHADOW_FAIL": "runs-imported:1=stop"})
    harness.wait_until(lambda: world.stopped(), what="the process that records the run")
    (recorder,) = world.stopped()
    world.run("rm", "second")
    os.kill(recorder, signal.SIGCONT)
    world.wait_settled()
    shown = json.loads(world.shadow("show", "2", "--json").out)["changes"]
    assert {change["path"] for change in shown} >= {"first"}, shown
    assert not [change for change in shown if change["path"] == "second" and "among" not in change], shown
    other = json.loads(world.shadow("show", "3", "--json").out)["changes"]
    assert "second" in {change["path"] for change in other}, other


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
