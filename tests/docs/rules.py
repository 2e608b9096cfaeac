# SPDX-License-Identifier: MIT
"""The rules of the house that a compiler does not know: ARCHITECTURE.md and CONTRIBUTING.md."""

import re
import sys
from pathlib import Path

from tap import report

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()

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
    ["run", "apply", "discard", "doctor"],
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

# Each heavy library, and the mount calls, are seen from these places only.
ONLY_IN = {
    r"git2(/.*)?\.h": r"src/(git|review)/",
    r"sqlite3\.h": r"src/store/",
    r"(sys|linux)/mount\.h": r"src/(sys|sandbox)/",
    r"sched\.h": r"src/(sys|sandbox)/",
    r"seccomp\.h": r"src/sandbox/",
}
# The command line uses of the library what other programs may, the headers that are installed; and for its
# own errors that of the rooms, and `base`, which knows no word of ours.
CLI_MAY_USE = ("cli/", "base/", "shadow/error.hpp")
BANNED = r"iostream|regex|filesystem"
MAX_LINES = 400
MAX_LINES_OF_HEADER = 200
MAX_LINES_OF_FUNCTION = 70
MAX_SOURCES_OF_FOLDER = 14
QUOTED = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
ANGLED = re.compile(r"^\s*#\s*include\s*<([^>]+)>", re.MULTILINE)


def sources(*places, suffixes=(".cpp", ".hpp", ".c", ".h")):
    for place in places:
        for path in sorted((ROOT / place).rglob("*")):
            if path.suffix in suffixes and path.is_file():
                yield path.relative_to(ROOT), path.read_text(encoding="utf-8")


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


def installed_headers():
    listed = re.search(r"foreach name : \[([^]]*)\]\n    install_headers\(", (ROOT / "meson.build").read_text())
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
        named = {Path(name) for name in QUOTED.findall(text) if (ROOT / "src" / name).is_file()}
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
    wrong = [f"shadow/{path.name} is installed without {name}" for path, text in sources("include")
             if f"shadow/{path.name}" in installed for name in QUOTED.findall(text) if name not in installed]
    for path, text in sources("include"):
        for name in QUOTED.findall(text):
            if not name.startswith("shadow/"):
                wrong.append(f"{path} includes {name}")
        for name in ANGLED.findall(text):
            if not re.fullmatch(r"[a-z_]+|sys/types\.h|sys/stat\.h|std(def|int)\.h", name):
                wrong.append(f"{path} includes <{name}>")
    return wrong


def undocumented():
    """What other programs read. A comment stands on a declaration's lines or above it; one above the first of
    several lines is about all of them. What a compiler would declare by itself needs none."""
    type_of = re.compile(r"(?:typedef )?(?:class|struct|enum)(?: class)? (\w+)[^;(]*\{")
    function_of = re.compile(r"(?!using|friend|template)(?:\S[^=(]*?\W)?(operator\W+|~?\w+)\(")
    wrong = []
    for path, text in sources("include"):
        if f"shadow/{path.name}" not in installed_headers() | {"shadow/shadow.h"}:
            continue
        lines = text.splitlines()
        at, said, inside = 0, False, []  # of the types around a line: indent, name, access
        while at < len(lines):
            start, line = at, lines[at].strip()
            indent = len(lines[at]) - len(lines[at].lstrip())
            at += 1
            access = re.match(r"(public|protected|private):", line)
            if re.match(r"//|/\*|\* ", line):
                said = True
            elif access and inside:
                inside[-1][2], said = access.group(1), False
            elif inside and line.startswith("}") and indent == inside[-1][0]:
                inside.pop()
            elif not line or re.match(r"#|namespace|extern|\}", line):
                said = False
            else:
                while at < len(lines) and not re.search(r"[;{}]", lines[at - 1].split("//")[0]):
                    at += 1
                whole = " ".join(each.strip() for each in lines[start:at])
                a_type, function = type_of.match(whole), function_of.match(whole)
                name = (a_type or function or [None, None])[1]
                special = not a_type and (inside and name == inside[-1][1] or re.match("~|operator", name or ""))
                shown = all(around == "public" for *_, around in inside)
                if name and shown and not said and not special and not re.search(r"//|/\*", whole):
                    wrong.append(f"{path}:{start + 1}: {name} without a comment")
                if a_type and "}" not in whole:
                    inside.append([indent, name, "private" if line.startswith("class") else "public"])
                    said = False
                elif lines[at - 1].split("//")[0].rstrip().endswith("{"):  # a body
                    while not lines[at - 1].startswith(" " * indent + "}"):
                        at += 1
    return wrong


def libraries():
    wrong = []
    for path, text in sources("src", "include"):
        for name in ANGLED.findall(text):
            for header, place in ONLY_IN.items():
                if re.fullmatch(header, name) and not re.match(place, str(path)):
                    wrong.append(f"{path} includes <{name}>, which only {place} may")
            if re.fullmatch(BANNED, name):
                wrong.append(f"{path} includes <{name}>")
    return wrong


def launcher_has_no_libgit2():
    """`core_sources` are what `shadow run` is made of: none may lead into the rooms of git."""
    wrong = []
    for build in sorted((ROOT / "src").glob("*/meson.build")):
        text = build.read_text()
        for block in re.findall(r"core_sources\s*\+=\s*files\(([^)]*)\)", text):
            for name in re.findall(r"'([^']+\.cpp)'", block):
                source = build.parent / name
                seen, queue = set(), [source]
                while queue:
                    for include in QUOTED.findall(queue.pop().read_text(encoding="utf-8")):
                        header = ROOT / "src" / include
                        if header.is_file() and header not in seen:
                            seen.add(header)
                            queue.append(header)
                wrong += [
                    f"{source.relative_to(ROOT)} reaches {header.relative_to(ROOT)}"
                    for header in seen
                    if {"git", "review"} & set(header.relative_to(ROOT).parts)
                ]
    return wrong


def sizes():
    return [
        f"{path}: {lines} lines, {most} at most"
        for path, text in sources("src", "include", "tests", "bench",
                                  suffixes=(".cpp", ".hpp", ".c", ".h", ".py"))
        if (lines := text.count("\n")) >
        (most := MAX_LINES_OF_HEADER if path.suffix in (".hpp", ".h") else MAX_LINES)
    ]


def full_folders():
    sources_of = {}
    for path, _ in sources("src", suffixes=(".cpp",)):
        sources_of[path.parent] = sources_of.get(path.parent, 0) + 1
    return [
        f"{folder}: {count} sources, {MAX_SOURCES_OF_FOLDER} at most"
        for folder, count in sources_of.items()
        if count > MAX_SOURCES_OF_FOLDER
    ]


def long_functions():
    """clang-format puts a function's last brace below the first letter of its first line."""
    begins = re.compile(r"( *)(?!TEST_SUITE|if\b|for\b|while\b|switch\b|return\b|else\b)[\w\[~][^=;{}]*\(")
    found = []
    for path, text in sources("src", "include", "tests", "bench", suffixes=(".cpp", ".hpp", ".c")):
        lines = text.splitlines()
        for at, line in enumerate(lines):
            begin = begins.match(line)
            signature = next((to for to in range(at, len(lines)) if re.search(r"[;{}]", lines[to])), at)
            if not begin or not lines[signature].endswith("{"):
                continue
            indent = begin.group(1)
            outside = re.compile(rf"(?!{indent} )\s*\S")  # the last line, or this is the rest of a longer one
            end = next((to for to in range(signature + 1, len(lines)) if outside.match(lines[to])), at)
            length = end - at + 1
            if lines[end].startswith(indent + "}") and length > MAX_LINES_OF_FUNCTION:
                found.append(f"{path}:{at + 1}: {length} lines, {MAX_LINES_OF_FUNCTION} at most")
    return found


def licence():
    return [
        str(path)
        for path, text in sources("src", "include", "tests", "bench",
                                  suffixes=(".cpp", ".hpp", ".c", ".py"))
        if "SPDX-License-Identifier: MIT" not in "".join(text.splitlines(True)[:3])
    ]


def every_text():
    skipped = {".git", ".cache", "subprojects", "__pycache__"}
    for path in sorted(ROOT.rglob("*")):
        parts = path.relative_to(ROOT).parts
        if skipped & set(parts) or parts[0].startswith("build") or not path.is_file():
            continue
        try:
            yield path.relative_to(ROOT), path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue


def named_files():
    """Paths in comments and in the backquotes of pages for those who write here; those of rooms begin in src/."""
    tops = {path.name for path in ROOT.iterdir() if path.is_dir()}
    in_comment = re.compile(rf"(?<![\w./-])(?:src/[\w/.*-]*\w|(?:{'|'.join(BELOW)})/[\w/]+\.(?:[ch]pp|sql))\b")
    named = [(path, name) for path, text in sources("src", "include", "tests", "bench")
             for comment in re.findall(r"(?://|/\*|^ \*).*", text, re.MULTILINE)
             for name in in_comment.findall(comment)]
    named += [(page, name) for page in ("ARCHITECTURE.md", "CONTRIBUTING.md")
              for name in re.findall(r"`([\w.-]+/[^`\s]*)`", (ROOT / page).read_text())
              if name.split("/")[0] in tops | set(BELOW)]
    wrong = []
    for where, name in named:
        place = ROOT / "src" if name.split("/")[0] in BELOW else ROOT
        if not [*place.glob(name.rstrip("/")), *place.glob(name + ".*")]:
            wrong.append(f"{where}: there is no {name}")
    return wrong


def tests_of_kernels():
    """The last column of the table names a suite of `behaviour`, one of its tests, or a text of another suite's."""
    section = (ROOT / "ARCHITECTURE.md").read_text().split("\n## Kernels\n")[1].split("\n## ")[0]
    rows = [line.split("|")[-2].strip() for line in section.splitlines() if line.startswith("| ")][1:]
    behaviour = "".join(path.read_text() for path in (ROOT / "tests/behaviour").glob("*_test.py"))
    wrong = [] if len(rows) > 5 else ["the table is not there"]
    for row in rows:
        suite = (re.match(r"(unit|integration|escape) \"", row) or [None, None])[1]
        for name in re.findall(r"[^\s,][^,]*", row.removeprefix(f"{suite} ")):
            if suite:
                found = any(name.strip('"') in text for _, text in sources(f"tests/{suite}", suffixes=(".cpp", ".py")))
            elif name.startswith("`"):
                found = f"def {name.strip('`')}(" in behaviour
            else:
                found = name == "all of `behaviour`" or (ROOT / f"tests/behaviour/{name}_test.py").exists()
            wrong += [] if found else [f"there is no test {name}"]
    return wrong


def machine_paths():
    """Where this very tree lies, or its owner's home, was written into it."""
    places = [str(ROOT), *([] if Path.home() in (Path("/"), Path("/root")) else [str(Path.home())])]
    return [f"{path}: {place}" for path, text in every_text() for place in places if place in text]


def unfinished():
    found = re.compile("TO" + "DO|FIX" + r"ME|\bXX" + r"X\b|NOLINT(?!(NEXTLINE|BEGIN|END)?\([^)]*\): )")
    allowed = {Path("CONTRIBUTING.md"), Path("tests/docs/rules.py")}
    return [
        f"{path}: {match.group()}"
        for path, text in every_text()
        if path not in allowed
        for match in found.finditer(text)
    ]


sys.exit(report({
    "arrows between the rooms go down only": arrows,
    "the command line uses what other programs may": command_line,
    "no source leads back to itself": cycles,
    "no folder of a room leads back to itself": cycles_of_folders,
    "each room's code is in the room's namespace": namespaces,
    "the public headers need only each other and the standard library": contracts,
    "each declaration in a header that is installed has a comment": undocumented,
    "each library is included from its own room only": libraries,
    "the program that runs commands never reaches libgit2": launcher_has_no_libgit2,
    f"no source is longer than {MAX_LINES} lines, no header than {MAX_LINES_OF_HEADER}": sizes,
    f"no function is longer than {MAX_LINES_OF_FUNCTION} lines": long_functions,
    f"no folder of src/ has more than {MAX_SOURCES_OF_FOLDER} sources": full_folders,
    "every source names its licence": licence,
    "files that comments and pages name are there": named_files,
    "tests that ARCHITECTURE.md names for a kernel are there": tests_of_kernels,
    "no path of somebody's machine is in the tree": machine_paths,
    "nothing is left unfinished, and no lint is silenced without a reason": unfinished,
}))
