# SPDX-License-Identifier: MIT
"""A user and an agent at work on one project in any order, with reviews at any point, against a model.

Each line is unique: it is known whose it is, and who took it away. A round is a list of steps drawn from a seed; one
that fails is shrunk to the steps that it needs and printed."""

import json
import os
import subprocess
import sys
import time

import harness
from following import followed
from model_agent import ACTOR, Actor, Agent, begin_project
from model_git import ASKED_OF_GIT, SCRIPTS, Staged, ask_of_user, check_kept, check_whole, committed, script
from model_lines import OWN, Moves, as_gone, at_or_below, cut_in, lines_in, rarer, related, worked_on
from model_patch import Patched
from model_plain import Plain
from model_steps import draw, shrunk

CONFLICT, REFUSED = 3, 4


class Round(Plain):
    def __init__(self, w, live):
        self.w = w
        self.count = 0
        # Lines that the user took away, or the agent, knowing them; that the user took out of one file of several.
        self.user_took, self.user_cut = set(), set()
        self.agent_took, self.agent_cut, self.agent_back = set(), set(), set()  # out of all files; of one; and put back
        self.left_out = set()    # of what it took, when it made a commit, which stays as it is
        self.overwritten, self.recalled = set(), set()  # that it overwrote, and wrote, from memory or over a file
        self.dropped = set()     # that were given up by name: a discard, one side of a conflict
        self.back = set()        # that the user took away and brought back
        self.returned = set()    # that the user took away and the agent brought back: either may stand
        self.named = set()       # that were where an apply of one path was asked for
        self.written, self.user_touched, self.agent_touched = set(), set(), set()
        self.agent_has = set()  # of it, what has not been applied since
        self.brought = set()     # that an apply brought to the project, and its undo takes from it
        self.renamed, self.moves, self.older, self.remembered = False, Moves(), {}, {}
        self.first = ("a", "b", "d/a", "e/a", "e/b")  # what the project has when the session begins
        begin_project(w, {name: "".join(f"{name}-{n}\n" for n in range(10)) for name in self.first})
        self.hands = Actor(subprocess.Popen([ACTOR], cwd=w.project, stdin=subprocess.PIPE, stdout=subprocess.PIPE))
        self.written |= lines_in(self.real())
        self.agent, self.begun, self.early = Agent(w, live), time.time(), live == "early"
        if live and not self.early:
            followed(w)
        self.acted, self.staged = 0.0, Staged(w, self.agent, followed=live is True)  # when the agent did last

    def close(self):
        self.agent.close()
        self.hands.close()

    def end(self):
        """That its last run ends changes nothing of what the session has to offer; a conflict may turn out to be none."""
        before = self.offer() if self.agent.live is not None else None
        if before and "conflict" in before.values():  # the view may be about to follow
            time.sleep(0.6 * harness.TIME_FACTOR)
            before = self.offer()
        self.close()
        self.w.wait_settled()
        check_whole(self.w)
        after = self.offer()
        torn = [path + "/" for path, plan in (before or {}).items() if plan == "conflict"]
        below = {path for path in after if path.startswith(tuple(torn))}
        assert before is None or {**{path: plan for path, plan in after.items() if path in before or path not in below},
                                  **{path: plan for path, plan in before.items() if plan == "depends" or
                                     (plan == "conflict" and path not in after)}} == before, \
            f"the end of the run changes what an apply would do: {before} {after}"

    def real(self):
        return self.hands.do(["look"])[0]

    def token(self, who):
        self.count += 1
        return f"{who}{self.count}"

    def arguments(self, who, what, numbers):
        if what == "insert":
            return [numbers[0], numbers[1], self.token(who), numbers[2]]
        if what == "create":
            return [numbers[0], [self.token(who) for _ in range(4)]]
        if what == "swap_kind":
            return [numbers[0], self.token(who)]
        return numbers[:{"cut": 3, "rename": 2, "link": 2}.get(what, 1)]

    def user(self, what, numbers):
        # What a run has written is looked at within a tenth of a second.
        time.sleep(max(0.0, self.acted + 0.1 * harness.TIME_FACTOR - time.time()))
        before, places = self.real(), self.directories()
        for path, (kind, _, text) in before.items():
            if kind == "file":
                self.older.setdefault(path, []).append((text, os.stat(self.w.path(path)).st_mtime_ns))
        if what == "restore":
            self.restore(numbers)
        elif what in ASKED_OF_GIT:
            ask_of_user(self.w, what, numbers[0])
        else:
            self.hands.do([what, *self.arguments("u", what, numbers)])
            self.renamed |= what == "rename"
        after = self.real()
        self.user_touched |= {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
        self.user_touched |= places - self.directories()  # empty ones, too
        # Lines that the user took away and brings back: a session that went on without them has taken them away,
        # as far as anybody can tell.
        self.back |= lines_in(after) & (self.user_took | self.returned)
        self.user_took |= lines_in(before) - lines_in(after)
        self.user_took -= lines_in(after)
        self.returned -= lines_in(before) | lines_in(after)
        # A name that the user took away, moved elsewhere or not, is out of that file.
        self.user_cut |= rarer(before, after) | lines_in({name: before[name] for name in before.keys() - after.keys()})
        self.written |= lines_in(after)
        self.agent_took -= lines_in(after) - lines_in(before)
        self.dropped -= lines_in(after) - lines_in(before)
        self.check_followed(after)
        self.staged.check(self.agent_touched)

    def restore(self, numbers):
        if self.older:
            path = sorted(self.older)[numbers[0] % len(self.older)]
            text, mtime = self.older[path][numbers[1] % len(self.older[path])]
            self.hands.do(["overwrite", path, text, mtime])

    def agent_acts(self, what, numbers):
        time.sleep(0.005)  # no one answers to a save within one tick of the clock that stamps files
        if what == "memory":
            if not self.remembered:
                return
            path = sorted(self.remembered)[numbers[0] % len(self.remembered)]
            lines = self.remembered[path].splitlines(keepends=True)
            lines.insert(numbers[1] % (len(lines) + 1), self.token("a") + "\n")
            step = ["overwrite", path, "".join(lines)]
            self.recalled |= set(self.remembered[path].splitlines())
        elif what != "pair":
            step = ["git", script(what, numbers[0])] if what in SCRIPTS else [what, *self.arguments("a", what, numbers)]
            self.renamed |= what == "rename"
        if what == "pair":
            before = self.agent.look()
            both = [["insert", *self.arguments("a", "insert", [number, *numbers[1:]])] for number in numbers[:2]]
            touched = sum((answers[0] for answers in self.agent.do_in_two_runs(*([one] for one in both))), [])
            after = self.agent.look()
        else:
            before, touched, after = self.agent.do(["look"], step, ["look"])
        self.agent_touched |= set(touched)
        self.agent_has |= set(touched) | as_gone(before, after)
        real = self.real()
        own, taken = {path: fact for path, fact in after.items() if path in touched}, lines_in(before) - lines_in(after)
        # What it has left alone at names that the user has taken away is not there any more.
        stale = {path: fact for path, fact in after.items() if path in self.user_touched and path not in real}
        taken |= cut_in(touched, before, after) & lines_in(stale) - lines_in({**real, **own})
        if what == "memory":  # which knows of its own lines alone; of what came since it began no older ones are known
            known = self.agent.live is not None or path in self.first
            self.agent_took |= {line for line in taken if OWN.fullmatch(line) or not known}
            self.overwritten |= taken
        else:
            self.agent_took |= taken
            self.remembered = {path: fact[2] for path, fact in after.items() if fact[0] == "file"}
        # What it has written from memory over lines of the user's alone, then or later, passes for work on them: nobody can tell.
        for path in set(touched) & real.keys() & after.keys():
            self.agent_took |= self.overwritten & worked_on(real[path][2], after[path][2])
        gone = {path: real[path] for path in before.keys() & real.keys() - after.keys()}
        self.agent_took |= self.overwritten & lines_in(gone)
        if what == "rename":  # over another file: that has changed, as git sees it
            self.recalled |= lines_in({path: fact for path, fact in own.items() if path in before or path in real})
            for old, new in [touched] if touched else []:
                self.moves.note(old, new, [fact[2] for fact in [real.get(old)] if fact] +
                                [text for text, _ in self.older.get(old, [])])
        else:  # where it has moved a file from: that has changed, and what it has elsewhere is a copy
            for path in own.keys() - before.keys():
                older = "".join(text for text, _ in self.older.get(path, []))
                self.recalled |= lines_in({path: real[path]} if path in real else {}) | set(older.splitlines())
        self.recalled |= self.moves.other_than_moved(after)
        self.acted = time.time()
        self.written |= lines_in(after)
        # Where files were renamed it may see elsewhere what it took away.
        self.agent_back |= self.agent_took & lines_in(own if self.renamed else after)
        self.agent_took -= lines_in(own if self.renamed else after)
        self.agent_cut |= cut_in(touched, before, after)
        # Though it may have the lines elsewhere, too, where git has put back what had been moved, say.
        gone = {name: before[name] for name in before.keys() - after.keys()}
        for path in gone if what in SCRIPTS else touched if what in ("delete", "remove_tree", "swap_kind") else ():
            self.agent_cut |= lines_in(at_or_below(path, gone))
        # What it brings back from memory it may not know to be gone: the user's work stands where both are merged.
        # Nor does it bring back what a live view shows for a moment more; but for git, which writes what it then misses.
        if what != "memory":
            gone = after.keys() - real.keys() if what in SCRIPTS else set()
            shown = {path: fact for path, fact in before.items() if path not in gone}
            again = self.user_took & (lines_in({**own, **{path: after[path] for path in gone}}) - lines_in(shown))
            self.returned |= again
            self.user_took -= again
        self.dropped -= lines_in(after)
        if what == "commit":
            self.left_out = set(self.agent_took)
        self.staged.after(what)

    # What is asked of shadow.

    def shadow(self, what, numbers):
        before, took, branch = self.real(), set(self.user_took), committed(self.w)
        view = self.agent.look() if what.startswith("discard") or what in ("apply_side", "apply_undo") else None
        names = sorted(before.keys() | (self.agent.names() if view is None else view).keys())
        path = names[numbers[0] % len(names)] if names else "a"
        getattr(self, "do_" + what)(path, before, view)
        self.staged.after(what)
        if what not in ("status", "diff", "gc"):
            self.remembered = {}  # from here on the session starts from something newer
        after = self.real()
        if not what.startswith("apply") and what != "undo":
            assert before == after, f"{what} wrote to the project: {before} {after}"
        if what.startswith("discard") or what == "apply_side":
            # Of the agent's also what a live view did not show just then: a discard takes it from the layer.
            own = {line for line in self.written if OWN.fullmatch(line)}
            has = self.agent.look()
            left = lines_in(has)
            self.dropped |= (lines_in(before) | lines_in(view) | own) - lines_in(after) - left
            # And of what the agent had moved: the old name is still deleted there.
            self.dropped |= lines_in(view) - left
            # Where half of a move is discarded the new name is a copy: what the user takes out does not reach it.
            copies = lines_in({name: has[name] for name in has.keys() - before.keys()})
            self.recalled |= copies & (lines_in(before) | self.user_took)
        if what in ("apply_path", "apply_side"):  # of a move the new name alone: a copy, as the session has it
            copies = lines_in({name: after[name] for name in after.keys() - before.keys()})
            self.recalled |= copies
            self.agent_cut |= copies & lines_in({name: after[name] for name in after.keys() & before.keys()})
        if what.startswith("apply"):
            self.brought |= lines_in(after) - lines_in(before)
        if what in ("apply_path", "apply_side", "apply_skip", "apply_p_some"):
            self.recalled |= lines_in(before) - lines_in(after)  # of a move the old name alone: the session has them
        self.check_lost(what, after)
        # What a run has read before it was followed is known at its end alone.
        if what in ("apply", "apply_skip", "apply_path") and not self.early:
            came = lines_in(after) - lines_in(before)
            back = {line for line in came & took - self.recalled if not OWN.fullmatch(line)}
            assert not back, f"brought back by {what}: {back}"
        # Of what is the user's, and nobody took away, nothing may be left to a session alone.
        asked = self.agent_took | self.agent_cut | self.user_took | self.dropped | self.back | self.named
        if what == "undo":  # of what it had brought, or brought back, where the user has taken the older one out
            asked = asked | self.user_cut | self.agent_back | self.brought
        users = {line for line in lines_in(before) - asked if not OWN.fullmatch(line)}
        assert not users - lines_in(after), f"taken from the project by {what}: {users - lines_in(after)}"
        if "undo" not in what:
            check_kept(self.w, branch, asked | self.returned | self.left_out | self.user_cut & lines_in(after), what)

    def check_lost(self, what, real):
        """A live view may be behind the project for a moment: where a directory of it is gone, for one."""
        apart = self.agent_cut & self.user_cut  # one took it out of one file, the other out of another
        kept = self.written - self.user_took - self.returned - self.agent_took - self.dropped - self.back - apart
        kept -= lines_in(real)
        lost = kept and harness.until_nothing(lambda: kept - lines_in(self.agent.look()))
        assert not lost, f"lost by {what}: {lost}"

    def offer(self):
        """By path, what an apply would do, a conflict among it; "depends" where one stands in the way."""
        done = self.w.shadow("--json", "apply", "-n", "--allow-sensitive", check=False)
        if "cannot find a session" in done.err:
            return {}
        assert done.returncode in (0, CONFLICT, REFUSED), (done.returncode, done.out, done.err)
        plan = json.loads(done.out.splitlines()[0])["plan"] if done.out else []
        return {item["path"]: "depends" if item.get("reason", "").startswith("depends on") else item["plan"]
                for item in plan if item["plan"] != "git-dir"}

    def check_conflicts(self):
        for path, plan in self.offer().items():
            if plan == "conflict" and not self.renamed:
                assert related(path, self.user_touched) and related(path, self.agent_touched), \
                    f"{path} is in conflict: {self.user_touched} {self.agent_touched}"

    def apply(self, *words, stdin=b""):
        done = self.w.shadow("apply", "--allow-sensitive", *words, check=False, stdin=stdin)
        assert done.returncode in (0, 1, CONFLICT, REFUSED), (done.returncode, done.out, done.err)
        return done

    def changes(self):
        return {item["path"] for item in json.loads(self.w.shadow("--json", "status").out)["changes"]}

    def check_agree(self):
        def apart():
            view, real = self.agent.look(), self.real()
            return {path: (view.get(path), real.get(path)) for path in view.keys() | real.keys()
                    if view.get(path) != real.get(path)}
        difference = harness.until_nothing(apart)
        assert not difference, f"after an apply the view is not the project: {difference}"

    def do_apply(self, *_):
        self.check_conflicts()
        changes = self.changes()
        patched = None if self.agent.live else Patched(self.w)
        done = self.apply("--yes", "--unseen")
        if done.returncode == 0 and "left in the session" not in done.out:
            if patched:
                patched.check_applied()
            self.check_agree()
            self.agent_has -= changes

    def do_apply_skip(self, *_):
        self.apply("--yes", "--unseen", "--on-conflict=skip")

    def do_apply_path(self, path, before, _):
        # Of what the agent moved, the old name alone may be asked for: then the lines are in the session alone.
        self.named |= lines_in(at_or_below(path, before))
        self.apply("--yes", "--unseen", "--", path)

    def do_apply_stop(self, _, before, __):
        done = self.apply("--yes", "--unseen", "--on-conflict=stop")
        assert done.returncode != CONFLICT or self.real() == before, f"a part was applied: {before} {self.real()}"

    def do_apply_p_some(self, *_):
        self.do_apply_p(answers=b"y\nn\n" * 100)

    def do_apply_p(self, *_, answers=b"y\n" * 200):
        done = self.apply("-p", stdin=answers)
        # That the session's version replaces the project's is said before the patch, and each line that goes is
        # shown: a yes asks for that.
        changes = done.out.split("diff --git ")
        for told, change in zip(changes, changes[1:]):
            if "replaces what the project changed)" in " ".join(told.splitlines()[-2:]) or b"n" in answers:  # half of a move, say
                self.dropped |= {line[1:] for line in change.splitlines() if line.startswith("-")}

    def do_apply_side(self, path, before, view):
        self.named |= lines_in(at_or_below(path, before))  # as above
        how = ("ours", "theirs", "markers")[len(view) % 3]
        self.apply("--yes", "--unseen", f"--on-conflict={how}", "--", path)
        self.written |= lines_in(self.real())

    def do_apply_undo(self, _, before, view):
        if self.agent.live:  # it may be about to see what the user has just done, once it is followed
            time.sleep(max(0.5, self.begun + 2.5 - time.time()) * harness.TIME_FACTOR)
            view = self.agent.look()
        changes = self.changes()
        done = self.apply("--yes", "--unseen")
        if done.returncode == 0 and done.out.startswith("applied"):
            self.w.shadow("undo", "--yes")
            self.agent_has |= self.agent_touched
            assert self.real() == before, f"undo left {self.real()} of {before}"
            again = self.offer()
            assert "conflict" not in again.values(), f"what was applied and undone is in conflict: {again}"

            def apart():
                """But what was no change shows the project's by now, where it hid that before."""
                now = self.agent.look()
                return {path: (now.get(path), view.get(path)) for path in now.keys() | view.keys()
                        if now.get(path) != view.get(path) and
                        (related(path, changes) or now.get(path) != before.get(path))}
            harness.wait_until(lambda: not apart(), 5, f"the view as before the undone apply: {apart()}")

    def do_undo(self, *_):
        done = self.w.shadow("undo", "--yes", check=False)
        self.agent_has |= self.agent_touched
        if done.returncode == 0:
            self.dropped -= lines_in(self.real())

    def check_followed(self, real):
        """What the session has not touched, or all of which was applied, is in a live view what it is in the project."""
        if self.agent.live is None:
            return

        def behind():
            view = self.agent.look()
            return {path: (view.get(path), real.get(path)) for path in view.keys() | real.keys()
                    if view.get(path) != real.get(path) and not related(path, self.agent_has)}
        unseen = harness.until_nothing(behind)
        assert not unseen, f"not seen by the live run: {unseen}"


def play(steps, live):
    """What went wrong, or None."""
    w = harness.World()
    played = None
    try:
        played = Round(w, live)
        for who, what, numbers in steps:
            {"user": played.user, "agent": played.agent_acts, "shadow": played.shadow}[who](what, numbers)
        played.end()
        return None
    except AssertionError as error:
        return str(error)
    finally:
        if played is not None:
            played.close()
        w.close()


def test_any_order_of_work(w):
    """Whatever a user, an agent and reviews do in whatever order: nothing is lost, nothing is written unasked, one
    side's work alone never conflicts, and an undo is whole."""
    del w
    first = int(os.environ.get("SHADOW_TEST_SEED") or time.time_ns() % 1_000_000_000)
    rounds = int(os.environ.get("SHADOW_TEST_ROUNDS", "20"))
    print(f"# seeds {first} to {first + rounds - 1}", flush=True)
    for seed in range(first, first + rounds):
        steps, live = draw(seed)
        if wrong := play(steps, live):
            fewer = shrunk(play, steps, live, wrong)
            told = "\n".join(f"  {step!r}," for step in fewer)
            raise AssertionError(f"seed {seed}, live {live}: {wrong}\nshrunk: {play(fewer, live)}\n{told}")


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
