# SPDX-License-Identifier: MIT
"""Whom the attacks are tried as: when root starts them, an ordinary user of no name as well."""

import os
import shutil
import sys
import tempfile
import traceback

# No user has this number; nothing but the scene's own files belongs to it.
NOBODYS_UID = 64321


def users():
    return [NOBODYS_UID, 0] if os.geteuid() == 0 else [os.geteuid()]


def in_child(uid, work):
    """`work` as another user, in a process of its own; its exit status."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            if uid != os.geteuid():
                os.setgroups([])
                os.setresgid(uid, uid, uid)
                os.setresuid(uid, uid, uid)
            status = work()
        except BaseException:  # pylint: disable=broad-except
            traceback.print_exc(file=sys.stdout)
        sys.stdout.flush()
        os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def place():
    """Where the run shows the host's files: below /tmp and /var/tmp it has directories of its own."""
    return os.environ.get("SHADOW_TEST_DIR") or ("/var/lib" if os.geteuid() == 0 else None)


def round_of_attacks(uid, prepare, work, results):
    """`work(base, prepared)` as the user, in a new directory of that user's; it gives back its counts of
    attacks held, open and failed. `prepare(base)` is done by whoever started this."""
    base = tempfile.mkdtemp(prefix="shadow-escape-", dir=place())
    os.chmod(base, 0o755)
    prepared = prepare(base) if prepare else None
    os.chown(base, uid, uid)

    def counted():
        counts = work(base, prepared)
        with open(os.path.join(base, "result"), "w", encoding="utf-8") as f:
            f.write(" ".join(str(count) for count in counts))
        return 1 if counts[2] else 0

    try:
        status = in_child(uid, counted)
        if status < 0:
            print(f"not ok - the attacks of user {uid}: killed by signal {-status}", flush=True)
        with open(os.path.join(base, "result"), encoding="utf-8") as f:
            results.append([int(word) for word in f.read().split()])
        return status
    except OSError:
        traceback.print_exc(file=sys.stdout)
        return 1
    finally:
        shutil.rmtree(base, ignore_errors=True)


def report(results, statuses):
    held, opened, failed = (sum(column) for column in zip(*results)) if results else (0, 0, 1)
    print(f"# {held + opened + failed} attacks, {held} held, {opened} open and documented, {failed} got out")
    sys.exit(max(1 if status else 0 for status in statuses))
