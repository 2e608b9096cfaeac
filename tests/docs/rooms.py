# SPDX-License-Identifier: MIT
"""The rooms of src/: which may include which, and what of each other. ARCHITECTURE.md says the same in words."""

import re
from pathlib import Path

import tree
from tree import ANGLED, QUOTED, sources

# The rooms from the lowest to the highest. A room may include itself and what is in lower lines;
# every room may also use include/shadow.
LEVELS = [
    ["base"],
    ["sys"],
    ["overlay", "store", "policy"],
    ["git", "sandbox"],
    ["review"],
    ["promote", "proxy"],
    ["session"],
    ["live"],
    ["bases"],
    ["sensitive"],
    ["changes"],
    ["commits"],
    ["hunks"],
    ["upkeep", "watch"],
    ["status", "refresh"],
    ["follow"],
    ["run", "apply", "discard"],
    ["doctor"],
    ["cli", "workspace"],
    ["launcher", "helpers"],
]
BELOW = {
    room: {lower for line in LEVELS[:level] for lower in line}
    for level, line in enumerate(LEVELS)
    for room in line
}
BELOW["pch"] = set()  # no room: headers that are compiled once
# These stand apart: what faces a run holds little, and no run needs what reviews it.
BELOW["proxy"] = {"sandbox", "policy", "sys", "base"}
BELOW["promote"] -= {"sandbox"}
BELOW["review"] -= {"sandbox"}
for room in set(BELOW) - {"proxy"}:
    BELOW[room] -= {"proxy"}

# Rooms and sources without the room's namespace, and the reason.
NO_NAMESPACE = {
    "base": "the words that all rooms share, as include/shadow",
    "workspace": "shadow::workspace is what the library shows; what stands behind it is in shadow",
    "pch": "no room",
    "sandbox/bounds/seccomp_generate.cpp": "a program, which the build runs",
}
# The command line uses of the library what other programs may, the headers that are installed; and for its
# own errors that of the rooms, and `base`, which knows no word of ours.
CLI_MAY_USE = ("cli/", "base/", "shadow/error.hpp")
# Headers of include/shadow that are not installed: too many rooms speak of them for one to own them.
WORDS_OF_ROOMS = ("error", "session", "base", "patch", "apply")


FACES = re.compile(r"^\| room \| its face \|\n\|---\|---\|\n((?:\|.*\n)+)", re.MULTILINE)


def without_faces(text):
    """Names in that table begin in the room of their row."""
    return FACES.sub("", text)


def arrows():
    wrong = []
    for path, text in sources("src"):
        if len(path.parts) < 3:
            continue
        room = path.parts[1]
        if room not in BELOW:
            wrong.append(f"{path}: the room '{room}' is not in the table")
            continue
        allowed = {room, "shadow", *BELOW[room]}
        for name in QUOTED.findall(text):
            target = name.split("/")[0] if "/" in name else room
            if target not in allowed and (target in BELOW or target == "shadow"):
                wrong.append(f"{path} includes {name}: {room} may not use {target}")
    return wrong


def face_table():
    """Of ARCHITECTURE.md: a room's face, as its words ("all", "all but", "none" or nothing) and the headers named."""
    table = FACES.search((tree.ROOT / "ARCHITECTURE.md").read_text()).group(1)
    rows = (re.fullmatch(r"\| `(\w+)` \| (all but|all|none|)(.*) \|", row) for row in table.splitlines())
    return {row[1]: (row[2], {f"{row[1]}/{name}" for name in re.findall(r"`([\w/]+)`", row[3])}) for row in rows}


def faces():
    """A room's headers that others may include. The programs' own sources, which lie in no room, are others."""
    table, used, wrong = face_table(), set(), []
    for path, text in sources("src"):
        room = path.parts[1] if len(path.parts) > 2 else None
        for name in QUOTED.findall(text):
            of = name.split("/")[0]
            if of == room or of not in table or not (tree.ROOT / "src" / name).is_file():
                continue
            header = name.removesuffix(".hpp")
            words, named = table[of]
            used.add(header)
            if words == "none" or (words == "all but") == (header in named) and words != "all":
                wrong.append(f"{path} includes {name}, which the face of {of} in ARCHITECTURE.md does not have")
    wrong += [f"ARCHITECTURE.md names {name} in a face, which no other room includes"
              for words, named in table.values() if not words for name in sorted(named - used)]
    wrong += [f"ARCHITECTURE.md names {name}, which is not there"
              for _, named in table.values() for name in sorted(named) if not (tree.ROOT / f"src/{name}.hpp").is_file()]
    return wrong + [f"{room} has no face" for room in sorted(set(BELOW) - {"pch"} - set(table))]


def installed_headers():
    listed = re.search(r"foreach name : \[([^]]*)\]\n    install_headers\(", (tree.ROOT / "meson.build").read_text())
    return {f"shadow/{name}.hpp" for name in re.findall(r"'(\w+)'", listed.group(1))}


def command_line():
    installed = installed_headers()
    return [f"{path} includes {used}" for path, text in sources("src/cli") for used in QUOTED.findall(text)
            if "/" in used and used not in installed and not used.startswith(CLI_MAY_USE)]


def cycles():
    """A source and its header are one unit. A unit on a way back to itself is part of a cycle."""
    uses = {}
    for path, text in sources("src"):
        unit = str(path.relative_to("src").with_suffix(""))
        named = {name.rsplit(".", 1)[0] for name in QUOTED.findall(text) if "/" in name}
        uses.setdefault(unit, set()).update(named - {unit})
    return ways_back(uses)


def cycles_of_folders():
    """What lies in a room itself counts as a folder by the room's name; what the build makes, not at all."""
    uses = {}
    for path, text in sources("src"):
        room, folder = path.parts[1], str(path.relative_to("src").parent)
        named = {Path(name) for name in QUOTED.findall(text) if (tree.ROOT / "src" / name).is_file()}
        within = {str(name.parent) for name in named if name.parts[0] == room}
        uses.setdefault(folder, set()).update(within - {folder})
    return ways_back(uses)


def ways_back(uses):
    wrong = []
    for start in sorted(uses):
        ways, seen = [[start]], set()
        while ways:
            way = ways.pop(0)
            for target in sorted(uses.get(way[-1], ())):
                if target == start:
                    wrong.append(" -> ".join([*way, start]))
                    ways = []
                    break
                if target not in seen:
                    seen.add(target)
                    ways.append([*way, target])
    return wrong


def namespaces():
    """A room's namespace has its name. What include/shadow declares is in `shadow` itself: a source may be
    about nothing else, and begins with that header then."""
    wrong = []
    for path, text in sources("src"):
        room = path.parts[1]
        if len(path.parts) < 3 or {room, str(path.relative_to("src"))} & set(NO_NAMESPACE):
            continue
        opened = re.findall(r"^namespace ([\w:]+) \{", text, re.MULTILINE)
        own = f"shadow::{room}" in opened or opened[:2] == ["shadow", room]
        defines = (QUOTED.findall(text) or [""])[0].startswith("shadow/")
        if not own and not (defines and path.suffix == ".cpp" and opened == ["shadow"]):
            wrong.append(f"{path} is in {', '.join(opened) or 'no namespace'}, not in shadow::{room}")
        elif path.suffix == ".hpp" and "shadow" in opened:
            wrong.append(f"{path} declares what include/shadow would")
    return wrong


def contracts():
    installed = installed_headers()
    shared = {f"shadow/{name}.hpp" for name in WORDS_OF_ROOMS}
    wrong = [f"include/shadow/{path.name} is neither installed nor the word of many rooms: it belongs into a room"
             for path, _ in sources("include", suffixes=(".hpp",)) if f"shadow/{path.name}" not in installed | shared]
    wrong += [f"shadow/{path.name} is installed without {name}" for path, text in sources("include")
             if f"shadow/{path.name}" in installed for name in QUOTED.findall(text) if name not in installed]
    for path, text in sources("include"):
        for name in QUOTED.findall(text):
            if not name.startswith("shadow/"):
                wrong.append(f"{path} includes {name}")
        for name in ANGLED.findall(text):
            if not re.fullmatch(r"[a-z_]+|sys/types\.h|sys/stat\.h|std(def|int)\.h", name):
                wrong.append(f"{path} includes <{name}>")
    return wrong


def launcher_has_no_libgit2():
    """`core_sources` are what `shadow run` is made of: none may lead into the rooms of git."""
    wrong = []
    for build in sorted((tree.ROOT / "src").glob("*/meson.build")):
        text = build.read_text()
        for block in re.findall(r"core_sources\s*\+=\s*files\(([^)]*)\)", text):
            for name in re.findall(r"'([^']+\.cpp)'", block):
                source = build.parent / name
                seen, queue = set(), [source]
                while queue:
                    for include in QUOTED.findall(queue.pop().read_text(encoding="utf-8")):
                        header = tree.ROOT / "src" / include
                        if header.is_file() and header not in seen:
                            seen.add(header)
                            queue.append(header)
                wrong += [
                    f"{source.relative_to(tree.ROOT)} reaches {header.relative_to(tree.ROOT)}"
                    for header in seen
                    if {"git", "review"} & set(header.relative_to(tree.ROOT).parts)
                ]
    return wrong


CHECKS = {
    "arrows between the rooms go down only": arrows,
    "a room is entered by its face": faces,
    "the command line uses what other programs may": command_line,
    "no source leads back to itself": cycles,
    "no folder of a room leads back to itself": cycles_of_folders,
    "each room's code is in the room's namespace": namespaces,
    "the public headers need only each other and the standard library": contracts,
    "the program that runs commands never reaches libgit2": launcher_has_no_libgit2,
}
