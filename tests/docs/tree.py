# SPDX-License-Identifier: MIT
"""The tree that is checked: its place, and the text of its sources."""

import re
import sys
from pathlib import Path

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
QUOTED = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
ANGLED = re.compile(r"^\s*#\s*include\s*<([^>]+)>", re.MULTILINE)


def sources(*places, suffixes=(".cpp", ".hpp", ".c", ".h")):
    for place in places:
        for path in sorted((ROOT / place).rglob("*")):
            if path.suffix in suffixes and path.is_file():
                yield path.relative_to(ROOT), path.read_text(encoding="utf-8")
