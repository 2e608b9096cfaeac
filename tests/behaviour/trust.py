# SPDX-License-Identifier: MIT
"""What a review holds back as sensitive."""

from applies import stops


def held(w, script, *paths, env=None):
    """Made in a session, these stop an apply, and all else arrives."""
    stops(w, script, *paths, env=env)
    w.shadow("apply", "--yes", "--skip-sensitive", env=env)
    left = w.shadow("status", env=env).out
    for path in paths:
        assert path in left, (path, left)
    w.shadow("discard", "--yes")
