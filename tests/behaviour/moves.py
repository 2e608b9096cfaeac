# SPDX-License-Identifier: MIT
"""Moved files in a session, and what a review lists of them."""

import os
import signal
import time

import harness
from following import followers


def settle():
    time.sleep(0.8 * harness.TIME_FACTOR)


def stop_follower(w):
    """Between two pieces of its work: within one it has the session, or the index of the view, locked."""
    settle()
    (follower,) = followers(w)
    os.kill(follower, signal.SIGSTOP)
    return follower


def changes(w):
    """Those that status lists; "" for none."""
    out = w.shadow("status").out
    return "" if "no changes" in out.partition("\n")[0] else out.split("\n\n")[1].rstrip("\n")


def listed(w, wanted):
    """What a live view has not been shown yet may still be listed for a moment."""
    other = harness.until_nothing(lambda: [got] if (got := changes(w)) != wanted else [])
    assert not other, other
