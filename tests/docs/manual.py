# SPDX-License-Identifier: MIT
"""The manual is clean mdoc, and says all that `shadow --help` and `shadow CMD --help` say."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tap import report

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
SHADOW = os.environ["SHADOW"]
PAGES = sorted(ROOT.glob("man/*.[1-9]"))


def shown(*words):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout


def rendered(page):
    text = shown("mandoc", "-T", "utf8", "-O", "width=200", str(page))
    return re.sub(".\b", "", text)


def commands():
    """The names listed by `shadow --help`, whatever the help calls that list."""
    found, inside = [], False
    for line in shown(SHADOW, "--help").splitlines():
        if re.match(r"(?i)(sub)?commands:", line):
            inside = True
        elif inside and (match := re.match(r"  ([a-z][a-z-]*)(\s|$)", line)):
            found.append(match.group(1))
    return found


def lint():
    out = shown("mandoc", "-T", "lint", "-W", "warning", *map(str, PAGES))
    return [line.replace(f"{ROOT}/", "") for line in out.splitlines()]


def pages_present():
    needed = ["shadow.1", "shadow-security.7", "shadow-attempts.7", "shadow-layout.5", "libshadow.3"]
    return [f"man/{name} is missing" for name in needed if not (ROOT / "man" / name).exists()]


def each_command_has_a_section():
    source = (ROOT / "man" / "shadow.1").read_text()
    listed = commands()
    wrong = [] if len(listed) >= 5 else [f"`shadow --help` lists only {listed}"]
    return wrong + [
        name for name in listed if not re.search(rf"^\.(Ss|It) .*\b{re.escape(name)}\b", source, re.M)
    ]


def each_option_is_described():
    text = rendered(ROOT / "man" / "shadow.1")
    wrong = []
    for command in [[], *([name] for name in commands())]:
        help_text = shown(SHADOW, *command, "--help")
        for option in sorted(set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", help_text))):
            if not re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", text):
                wrong.append(" ".join(["shadow", *command, option]))
    return wrong


def each_flag_is_one_word():
    """`.Fl -net none` prints a dash before every word: a value has a macro of its own."""
    wrong = []
    for page in PAGES:
        for number, line in enumerate(page.read_text().splitlines(), 1):
            words = re.findall(r'"[^"]*"|\S+', line) if line.startswith(".") else []
            after = None  # how many words stand after the last Fl
            for word in words:
                if word.lstrip(".") == "Fl":
                    after = 0
                elif re.fullmatch(r"\.?[A-Z][a-z]|[][(){}|,.:;!?]+", word):
                    after = None
                elif after is not None:
                    after += 1
                    if after > 1 and not word.startswith("-"):
                        wrong.append(f"{page.name}:{number}: {word}")
    return wrong


def no_option_is_invented():
    # shadow-security(7) compares with other programs.
    text = "".join(rendered(page) for page in PAGES if page.suffix != ".7")
    known = set()
    for command in [[], *([name] for name in commands())]:
        known |= set(re.findall(r"--[a-z][a-z-]+", shown(SHADOW, *command, "--help")))
    # Options of other programs that the page's examples use.
    foreign = {"--oneline", "--index", "--3way", "--cflags", "--libs"}
    return sorted(set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text)) - known - foreign)


def each_json_key_is_named():
    """Of the objects that `--json` prints; the policy in a run's record is the configuration's."""
    text = rendered(ROOT / "man" / "shadow.1")
    section = set(re.findall(r"\w+", text[text.index("\nJSON OUTPUT"):text.index("\nCONFIGURATION")]))
    sources = "".join(path.read_text() for path in (ROOT / "src" / "cli").rglob("*.cpp"))
    keys = set(re.findall(r'\b\w+\["([a-z_]+)"\] ?(?:=|\.push_back)', sources))
    keys |= set(re.findall(r'\bset_bytes\(\w+, "([a-z_]+)"', sources))
    return (["no keys were found"] if len(keys) < 50 else []) + sorted(keys - section)


def each_command_helps():
    wrong = []
    for name in commands():
        done = subprocess.run([SHADOW, name, "--help"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
        if done.returncode or not done.stdout or done.stderr:
            wrong.append(f"shadow {name} --help: status {done.returncode}")
    return wrong


def each_named_test_exists():
    """shadow-security(7) backs each protection by a test, some by an attack of tests/escape too."""
    page = (ROOT / "man" / "shadow-security.7").read_text()
    tests = "".join(path.read_text() for path in (ROOT / "tests" / "behaviour").glob("*_test.py"))
    attacks = "".join(path.read_text() for path in (ROOT / "tests" / "escape").glob("*.*"))
    attacks += " ".join(f"live on when shadow gets {name}" for name in ("SIGKILL", "SIGTERM"))
    named = re.findall(r"^\.Li (test_\w+)", page, re.M)
    return ([] if named else ["no test is named"]) + [
        name for name in named if f"def {name}(world)" not in tests
    ] + [name for name in re.findall(r"^\.Dq (.+)$", page, re.M) if name not in attacks]


def each_table_is_described():
    schema = "".join(path.read_text() for path in (ROOT / "src" / "store" / "database").glob("*.sql"))
    gone = set(re.findall(r"^DROP TABLE (?:IF EXISTS )?(\w+)", schema, re.M))
    tables = set(re.findall(r"^CREATE TABLE (\w+)", schema, re.M)) - gone
    page = (ROOT / "man" / "shadow-layout.5").read_text()
    section = page[page.index(".Ss The database"):page.index(".Ss What survives")]
    described = set(re.findall(r"\bVa (\w+)", "".join(re.findall(r"^\.It .*\n", section, re.M))))
    return [f"{name} is a table or described, but not both" for name in sorted(tables ^ described)]


def each_attempt_is_listed():
    script = ROOT / "tests" / "escape" / "attempts_page.py"
    page = subprocess.run([sys.executable, str(script)], stdout=subprocess.PIPE, text=True, check=True,
                          env={**os.environ, "PYTHONPATH": str(ROOT / "tests" / "behaviour"), "PYTHONDONTWRITEBYTECODE": "1"})
    wrong = page.stdout != (ROOT / "man" / "shadow-attempts.7").read_text()
    return [f"{script.name} prints another page than man/shadow-attempts.7"] if wrong else []


sys.exit(report({
    "the manual pages are there": pages_present,
    "mandoc has no warning": lint,
    "every command prints its help": each_command_helps,
    "every command has a section in shadow(1)": each_command_has_a_section,
    "every test that shadow-security(7) names exists": each_named_test_exists,
    "shadow-layout(5) describes the tables of the database": each_table_is_described,
    "shadow-attempts(7) has every attempt of the suite": each_attempt_is_listed,
    "every long option is described in shadow(1)": each_option_is_described,
    "every key of JSON output is named in shadow(1)": each_json_key_is_named,
    "the pages describe no option that does not exist": no_option_is_invented,
    "a flag of the pages is one word": each_flag_is_one_word,
}))
