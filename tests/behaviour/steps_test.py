# SPDX-License-Identifier: MIT
"""Each step of setting up a run, made to fail: the doctor and the run name it, and leave nothing.

The steps are those of src/sandbox/setup/step.hpp; there is one test for each.
"""

import contextlib
import json
import os
import re
import subprocess
import sys

import harness
from harness import Skip

NOT_STARTED = 125
DEGRADED, CANNOT = 1, 2
SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "sandbox")
NAMED = re.compile(r'StepName\{Step::(\w+),\s*"([^"]+)"\}')


def table():
    with open(os.path.join(SOURCES, "setup", "step.hpp"), encoding="utf-8") as f:
        return dict(NAMED.findall(f.read()))


@contextlib.contextmanager
def live(w):
    """A run of the session that goes on meanwhile."""
    run = w.start("run", "--", "sh", "-c", "echo on; read -r line", stdin=subprocess.PIPE,
                  stdout=subprocess.PIPE)
    try:
        assert run.stdout.readline() == b"on\n"
        yield
    finally:
        run.communicate(b"\n", timeout=60)


@contextlib.contextmanager
def linked_work_tree(w):
    w.git_project()
    w.git("worktree", "add", "-q", os.path.join(w.tmp, "linked"))
    w.project = os.path.join(w.tmp, "linked")
    yield


@contextlib.contextmanager
def lectic(w):
    w.git_project()
    w.env["LECTIC_FILE"] = "x"
    yield


@contextlib.contextmanager
def plain(w):
    os.mkdir(os.path.join(w.tmp, "host"))
    w.write("part/file", "text\n")
    w.write(".env", "SECRET=1\n")
    yield


# How a run comes to the step: what is there, and the options. Without a line here each run does.
REACHED = {
    "GitDirOverlay": (linked_work_tree, []),
    "PlaceGitDir": (linked_work_tree, []),
    "HomeOverlay": (plain, ["--home=overlay"]),
    "PrivateHome": (plain, ["--home=private"]),
    "ReadOnlyHome": (plain, ["--home=ro"]),
    "JoinSession": (live, []),
    "RefreshViews": (live, []),
    "TakeFromHost": (plain, ["--rw=../host"]),
    "PlaceFromHost": (plain, ["--rw=../host"]),
    "OtherHome": (live, ["--home=private"]),
    "SizedTmp": (plain, ["--tmp-size=1M"]),
    "LecticScripts": (lectic, []),
    "ReadOnlyPart": (plain, ["--ro=part"]),
    "ProjectSecrets": (plain, ["--hide-secrets"]),
    "OnlyFile": (plain, ["--only=part/file"]),
    "HiddenPaths": (plain, ["--hide=part"]),
    "Loopback": (plain, ["--net=none"]),
    "ProxySocket": (plain, ["--net=allow:localhost"]),
}
# Runs work without what these are for.
LESS = {"Loopback", "ProxySocket"}


def has_fail_points(w):
    first = next(iter(table().values()))
    return w.run("true", check=False, env={"SHADOW_FAIL": f"{first}:1=EIO"}).returncode != 0


def left_of_a_doctor(w):
    """What the doctor made and did not remove."""
    return [*os.listdir(os.path.join(w.state, "sessions")), *os.listdir(os.path.join(w.tmp, "tmp")),
            *os.listdir(os.path.join(w.state, "trash")),
            *(name for name in os.listdir(w.state) if name.startswith("trial-"))]


def mounts():
    with open("/proc/self/mountinfo", encoding="utf-8") as f:
        return f.read()


def check_step(w, step, words):
    os.mkdir(os.path.join(w.tmp, "tmp"))
    w.env["TMPDIR"] = os.path.join(w.tmp, "tmp")
    if not has_fail_points(w):
        raise Skip("the program has no fail points")
    w.shadow("discard", "--all-sessions", "--yes", check=False)
    failure = {"SHADOW_FAIL": f"{words}:1=EINVAL"}
    named = f"cannot set up the run: {words}: "
    before = mounts()

    done = w.shadow("doctor", "--json", check=False, env=failure)
    found = [one for one in json.loads(done.out)["findings"] if named in one["cause"]]
    assert found, done.out
    health, status = ("degraded", DEGRADED) if step in LESS else ("cannot", CANNOT)
    assert found[0]["health"] == health and done.returncode == status, done.out
    w.wait_settled()
    assert left_of_a_doctor(w) == [], left_of_a_doctor(w)
    assert mounts() == before

    around, options = REACHED.get(step, (plain, []))
    with around(w):
        ran = w.shadow("run", *options, "--", "touch", "made", check=False, env=failure)
        assert ran.returncode == NOT_STARTED and named in ran.err, (ran.returncode, ran.err)
        assert not os.path.exists(w.path("made"))
        # A session of which no run has begun is none.
        others = 1 if around is live else 0
        listed = json.loads(w.shadow("list", "--json").out)["sessions"]
        assert len(listed) == others, listed
        # The next one is none the worse for it.
        w.shadow("run", *options, "--", "true")
    assert mounts() == before


def test_no_step_is_forgotten(w):  # pylint: disable=unused-argument
    """Each step that has a name is begun somewhere, and no other is."""
    begun = set()
    for folder, _, names in os.walk(SOURCES):
        for name in (name for name in names if name.endswith(".cpp")):
            with open(os.path.join(folder, name), encoding="utf-8") as f:
                begun.update(re.findall(r"begin_step\(Step::(\w+)\)", f.read()))
    assert begun == set(table()), begun ^ set(table())
    assert set(REACHED) <= begun and LESS <= begun


def test_a_machine_on_which_all_steps_work(w):
    """The doctor comes to all of its runs where nothing is wrong, and leaves nothing either."""
    os.mkdir(os.path.join(w.tmp, "tmp"))
    w.env["TMPDIR"] = os.path.join(w.tmp, "tmp")
    done = w.shadow("doctor", "--json", check=False)
    found = {one["name"]: one for one in json.loads(done.out)["findings"]}
    for name in ["run", "joining run", "fresh view", "joining run with --home=private",
                 "run with --home=private", "run with --home=ro",
                 "run with --ro, --rw, --hide, --only, --tmp-size", "run with --net=none",
                 "run with --net=allow", "run in a linked work tree"]:
        assert found[name]["health"] == "ok", found[name]
    w.wait_settled()
    assert left_of_a_doctor(w) == []


def add_tests():
    for step, words in table().items():
        def test(w, step=step, words=words):
            check_step(w, step, words)
        test.__doc__ = f"A failure to {words} is named as such by the doctor and by the run."
        globals()["test_" + re.sub(r"(?<!^)(?=[A-Z])", "_", step).lower()] = test


add_tests()

if __name__ == "__main__":
    harness.main(sys.modules[__name__])
