# SPDX-License-Identifier: MIT
"""The names of data/sensitive.toml, each by several ways in which a file of that name comes to be."""

import os
import tomllib

from review.attempt import OBEYED, Attempt

DATA = os.path.join(os.path.dirname(__file__), "../../../data/sensitive.toml")
# Letters that a filesystem folds to those of ASCII.
LIKE = (("ss", "\u00df"), ("s", "\u017f"), ("k", "\u212a"), ("fi", "\ufb01"), ("fl", "\ufb02"))
# Forms of letters, and of the dot, that a filesystem may take for those (ZFS with normalization=formKC).
FORMS = {"a dot of full width": "\uff0eenvrc", "a leader for the dot": "\u2024envrc", "a letter of full width": ".\uff45nvrc",
         "a subscript": ".env\u1d63c", "a circled letter": ".en\u24e5rc", "a mathematical letter": ".\U0001d41envrc",
         "a capital of full width": ".ENV\uff32C"}
# Names that files of several programs have: the text by which one is that of the program that obeys it.
SHARED = {".pro": "'QT+=%s'", ".props": "'<a>%s</a>'", ".targets": "'<a>%s</a>'"}
# Of the ways below, those for a file that is not there before. %n is the name, %d its directory, %b its last part.
NEW = {
    "a file": "mkdir -p '%d'; echo @word@ >'%n'",
    "in capitals": "mkdir -p '%D'; echo @word@ >'%N'",
    "with a letter that folds": "mkdir -p \"$(dirname '%f')\"; echo @word@ >'%f'",
    "with a letter of full width": "mkdir -p \"$(dirname '%w')\"; echo @word@ >'%w'",
    "with a joiner in it": "mkdir -p \"$(dirname '%j')\"; echo @word@ >'%j'",
    "with a dot at its end": "mkdir -p '%d'; echo @word@ >'%n.'",
    "by a rename": "mkdir -p '%d'; echo @word@ >plain; mv plain '%n'",
    "by a rename of its directory": "mkdir -p 'plain/%d'; echo @word@ >'plain/%n'; mv plain renamed",
    "as a link": "mkdir -p '%d'; echo @word@ >\"$PWD/plain\"; ln -s \"$PWD/plain\" '%n'",
    "as a hard link": "mkdir -p '%d'; echo @word@ >plain; ln plain '%n'",
    "as a hard link that it is the first of": "mkdir -p '%d'; echo @word@ >'%n'; ln '%n' aa; ln '%n' zz",
    "as a copy of the user's": "mkdir -p '%d'; cp .keep plain; echo @word@ >plain; cp plain '%n'",
    "nested": "mkdir -p 'deep/er/%d'; echo @word@ >'deep/er/%n'",
    "behind a link to its directory": "mkdir -p other; echo @word@ >'other/%b'; mkdir -p \"$(dirname '%d')\"; ln -s \"$PWD/other\" '%d'",
}
# For one that the user has: written over, or by way of what leads to it.
OVER = {
    "written over the user's": ("mkdir -p '%d'; echo fine >'%n'", "echo @word@ >>'%n'"),
    "by a swap of directories": ("mkdir -p 'in/%d'; echo fine >'in/%n'",
                                 "cp -r in t; echo @word@ >>'t/%n'; mv in old; mv t in; rm -r old"),
    "behind the user's link": ("mkdir -p '%d'; echo fine >plain; ln -s \"$PWD/plain\" '%n'", "echo @word@ >>plain"),
    "behind the user's link, renamed into its place": (
        "mkdir -p '%d'; echo fine >plain; ln -s \"$PWD/plain\" '%n'", "echo @word@ >t; mv t plain"),
    "beside the user's hard link": ("mkdir -p '%d'; echo fine >'%n'; ln '%n' plain", "echo @word@ >>plain"),
}


def names():
    with open(DATA, "rb") as f:
        rules = tomllib.load(f)["rule"]
    for rule in rules:
        for name in rule["names"]:
            if "*" in name:
                yield name.replace("*", "x"), False, False
                if rule.get("directory"):
                    yield name.replace("*", "x") + "/x.toml", False, True
            elif rule.get("directory"):
                yield name + "/x.toml", rule.get("at_root", False), True
            else:
                yield name, rule.get("at_root", False), False


def filled(script, name):
    folding = name
    for letters, one in LIKE:
        if letters in folding:
            folding = folding.replace(letters, one, 1)
            break
    letter = next(i for i, one in enumerate(name) if one.isalpha())
    wide = name[:letter] + chr(ord(name[letter]) - 0x20 + 0xff00) + name[letter + 1:]
    directory, base = os.path.split(name)
    for mark, value in (("%n", name), ("%N", name.upper()), ("%d", directory or "."), ("%D", directory.upper() or "."),
                        ("%b", base), ("%f", folding), ("%w", wide), ("%j", name[:2] + "\u200d" + name[2:])):
        script = script.replace(mark, value)
    if text := SHARED.get(os.path.splitext(name)[1]):
        for said in ("@word@", "fine"):
            script = script.replace(f"echo {said} ", f"echo {text % said} ")
    return script


def fits(way, name, at_root):
    if at_root and ("nested" in way or "rename of its directory" in way or "swap" in way):
        return False
    if "letter that folds" in way:
        return any(letters in name for letters, _ in LIKE)
    return "link to its directory" not in way or "/" in name


def place(way, name):
    """Where the program finds it."""
    under = {"by a rename of its directory": "renamed/", "nested": "deep/er/", "by a swap of directories": "in/"}
    return under.get(way, "") + name


def one(name, way, at_root, number):
    first, step = OVER[way] if way in OVER else ("", NEW[way])
    # Those of the top have it for themselves: what they make beside it has names of their own.
    top = "." if at_root else None
    script = filled(step, name)
    begin = filled(first, name)
    if at_root:
        for word in ("plain", "other", "aa", "zz"):
            script = script.replace(f" {word}", f" {word}{number}").replace(f">{word}", f">{word}{number}")
            script = script.replace(f"PWD/{word}", f"PWD/{word}{number}")
            begin = begin.replace(f" {word}", f" {word}{number}").replace(f">{word}", f">{word}{number}")
            begin = begin.replace(f"PWD/{word}", f"PWD/{word}{number}")
    return Attempt(name, way, OBEYED, (script,), first=begin, at=place(way, name), place=top)


CORE = (".envrc", ".vscode/tasks.json", ".gitmodules", ".husky/pre-commit", ".npmrc", ".cargo/config.toml",
        ".mcp.json", ".claude/settings.json", ".bashrc", "gradle/wrapper/gradle-wrapper.jar", ".exrc", ".pre-commit-config.yaml")


def attempts():
    ways = [*NEW, *OVER]
    found = []
    for number, (name, at_root, directory) in enumerate(names()):
        mine = [way for way in ways if fits(way, name, at_root)]
        if at_root:
            mine = [way for way in mine if way in ("a file", "as a hard link", "by a rename", "in capitals", "with a joiner in it")][number % 3:][:1]
        else:
            mine = [mine[number % len(mine)]]
        found += [one(name, way, at_root, number) for way in mine]
        if directory and not at_root and "/" not in name[:-7]:
            # The name itself, as a file: some programs take both.
            found.append(one(name[:-7], "a file", False, number))
    found += [Attempt(".envrc", how, OBEYED, (f"echo @word@ >'{form}'",), at=".envrc") for how, form in FORMS.items()]
    found += [one(name, way, False, 0) for name in CORE for way in ways if fits(way, name, False)]
    return found


# The other ways of taking go by the same judgement, as the other classes show.
TAKES = {"apply": lambda stage: stage.apply()}
