# SPDX-License-Identifier: MIT
"""The rules of the house that a compiler does not know: ARCHITECTURE.md and CONTRIBUTING.md."""

import re
import sys
from pathlib import Path

import rooms
from rooms import BELOW, installed_headers
from tap import report
from tree import ANGLED, ROOT, sources

# Each heavy library, and the mount calls, are seen from these places only.
ONLY_IN = {
    r"git2(/.*)?\.h": r"src/(git|review)/",
    r"sqlite3\.h": r"src/store/",
    r"(sys|linux)/mount\.h": r"src/(sys|sandbox)/",
    r"sched\.h": r"src/(sys|sandbox)/",
    r"seccomp\.h": r"src/sandbox/",
}
BANNED = r"iostream|regex|filesystem"
MAX_LINES = 400
MAX_LINES_OF_HEADER = 200
MAX_LINES_OF_FUNCTION = 70
MAX_SOURCES_OF_FOLDER = 14


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
              for name in re.findall(r"`([\w.-]+/[^`\s]*)`", rooms.without_faces((ROOT / page).read_text()))
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


def suites_that_import_suites():
    """What two suites need is in a module of its own beside them: importing a suite takes its tests along."""
    suite = re.compile(r"^\s*(?:from|import) (\w+_test)\b", re.MULTILINE)
    return [f"{path} imports {name}" for path, text in sources("tests", suffixes=(".py",))
            if path.parent != Path("tests/docs") for name in suite.findall(text)]


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


CHECKS = {
    "each declaration in a header that is installed has a comment": undocumented,
    "each library is included from its own room only": libraries,
    f"no source is longer than {MAX_LINES} lines, no header than {MAX_LINES_OF_HEADER}": sizes,
    f"no function is longer than {MAX_LINES_OF_FUNCTION} lines": long_functions,
    f"no folder of src/ has more than {MAX_SOURCES_OF_FOLDER} sources": full_folders,
    "every source names its licence": licence,
    "files that comments and pages name are there": named_files,
    "tests that ARCHITECTURE.md names for a kernel are there": tests_of_kernels,
    "no suite imports another suite": suites_that_import_suites,
    "no path of somebody's machine is in the tree": machine_paths,
    "nothing is left unfinished, and no lint is silenced without a reason": unfinished,
}

if __name__ == "__main__":
    sys.exit(report(rooms.CHECKS | CHECKS))
