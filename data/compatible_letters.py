# SPDX-License-Identifier: MIT
"""Makes the table of code points that a filesystem may take for letters of ASCII: `compatible_letters.py OUT`.

By Python's copy of the Unicode database: NFKC and full case folding (UAX #15, CaseFolding.txt), applied until
nothing changes. With these forms ZFS compares names where it is set to (normalization=formKC or formKD, and
casesensitivity), and ext4 and f2fs fold the case (casefold). None of them makes a slash.
"""

import sys
import unicodedata

# Turkic: one with a dot above, one without. HFS+ and older tables fold them.
TURKIC = {0x130: "i", 0x131: "i"}


def folded(text):
    form = unicodedata.normalize("NFKC", text).casefold()
    return form if form == text else folded(form)


def is_plain(text):
    return text.isascii() and text.isprintable() and text != "" and "/" not in text


def runs():
    """Code points that follow each other, as their letters do, are one row."""
    found = []
    for point in range(0x80, sys.maxunicode + 1):
        letters = TURKIC.get(point) or folded(chr(point))
        if not is_plain(letters):
            continue
        if found and point == found[-1][1] + 1 and len(letters) == len(found[-1][2]) == 1 \
                and ord(letters) == ord(found[-1][2]) + point - found[-1][0]:
            found[-1][1] = point
        else:
            found.append([point, point, letters])
    return found


def literal(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


rows = runs()
with open(sys.argv[1], "w", encoding="utf-8") as out:
    out.write(f"// Made by data/compatible_letters.py from Unicode {unicodedata.unidata_version}.\n"
              '#include "sensitive/names/compatible_letters.hpp"\n\n#include <array>\n\n'
              "namespace shadow::sensitive {\n\nstd::span<const CompatibleLetters> compatible_letters() {\n"
              f"  static constexpr std::array<CompatibleLetters, {len(rows)}> kLetters = {{{{\n")
    out.writelines(f"      {{{first:#x}, {last:#x}, {literal(letters)}}},\n" for first, last, letters in rows)
    out.write("  }};\n  return kLetters;\n}\n\n}  // namespace shadow::sensitive\n")
