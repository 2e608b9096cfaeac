# SPDX-License-Identifier: MIT
"""Commands that wait at a fail point, so that others come between."""

import os
import signal
import subprocess

from harness import Skip


def stopped(w, point, *words, env=None):
    """A command that waits at a fail point."""
    run = w.start(*words, env={"SHADOW_FAIL": f"{point}=stop", **(env or {})},
                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    _, status = os.waitpid(run.pid, os.WUNTRACED)
    if not os.WIFSTOPPED(status):
        raise Skip("built without fail points")
    return run


def go_on(run):
    """Its status and what it said."""
    os.kill(run.pid, signal.SIGCONT)
    out, err = run.communicate(timeout=60)
    return run.returncode, out.decode() + err.decode()
