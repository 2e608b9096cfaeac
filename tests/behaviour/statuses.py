# SPDX-License-Identifier: MIT
"""What `shadow status` says."""


def listed(w):
    """The changes that it lists, a line each."""
    shown = [line for line in w.shadow("status").out.split("\n\n")[1].splitlines() if line.startswith("  ")]
    return [line.strip() for line in shown]
