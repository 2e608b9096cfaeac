# SPDX-License-Identifier: MIT
"""Makes the compiled table of data/sensitive.toml: `sensitive_table.py IN OUT`."""

import sys
import tomllib


def literal(text):
    assert text.isascii() and '"' not in text and "\\" not in text, text
    return f'"{text}"'


def rows(rules, effect):
    whole = {name.lower() for rule in rules for name in rule["names"]}
    for rule in rules:
        names = rule["names"] if isinstance(rule["names"], list) else [rule["names"]]
        assert rule["source"] and rule["reason"], rule
        assert set(rule.get("sources", {})) <= set(names), rule
        for name in names:
            between = name.replace("/**/", "/")
            assert name == name.strip("/") and (name.count("/") < 3 or between != name), name
            kind = "Directory" if rule.get("directory") else "File"
            assert "*" not in between.rpartition("/")[0], name
            # An ending may be a name, too.
            if name.startswith("*") and name.count("*") == 1 and name[1:].lower() not in whole:
                name, kind = name[1:], "DirectoryEnding" if rule.get("directory") else "Ending"
            elif "*" in name:
                assert not rule.get("directory"), name
                kind = "Pattern"
            at_root = "true" if rule.get("at_root") else "false"
            alone = rule.get("alone", False)
            alone = str(alone if isinstance(alone, bool) else name in alone).lower()
            yield name.lower(), f"{{{literal(name.lower())}, SensitiveKind::{kind}, " \
                f"SensitiveEffect::{effect}, {at_root}, {alone}, {literal(rule['reason'])}}}"


def modules(rules):
    for rule in rules:
        assert rule["source"]
        kind = "NewPythonModule" if rule.get("if_new") else "PythonModule"
        # Python loads each package that a module is in before it.
        parts = [name.lower().split(".") for name in rule["modules"]]
        for name in sorted({"/".join(one[:end]) for one in parts for end in range(1, len(one) + 1)}):
            yield name, f"{{{literal(name)}, SensitiveKind::{kind}, SensitiveEffect::Stops, true, true, " \
                f"{literal(rule['reason'])}}}"


def leads_to(rule):
    return "Programs" if rule.get("programs") else "Directories" if rule.get("directories") else "Files"


with open(sys.argv[1], "rb") as f:
    data = tomllib.load(f)
table = sorted([*rows(data["rule"], "Stops"), *rows(data["note"], "Named"), *modules(data["python"])])
twice = {name for i, (name, _) in enumerate(table) if i and table[i - 1][0] == name}
assert not twice, f"named twice: {twice}"
with open(sys.argv[2], "w", encoding="utf-8") as out:
    out.write("// Made from data/sensitive.toml.\n"
              '#include "sensitive/names/sensitive_list.hpp"\n\n#include <array>\n\n'
              "namespace shadow::sensitive {\n\nstd::span<const SensitiveName> sensitive_names() {\n"
              f"  static constexpr std::array<SensitiveName, {len(table)}> kNames = {{{{\n")
    out.writelines(f"      {row},\n" for _, row in table)
    out.write("  }};\n  return kNames;\n}\n\n")
    leads = [f"      {{{literal(name.lower())}, {str(rule.get('words', False)).lower()}, LeadsTo::{leads_to(rule)}}},\n"
             for rule in data["leads"] for name in rule["names"]]
    out.write("std::span<const LeadingName> leading_names() {\n"
              f"  static constexpr std::array<LeadingName, {len(leads)}> kNames = {{{{\n")
    out.writelines(leads)
    out.write("  }};\n  return kNames;\n}\n\n}  // namespace shadow::sensitive\n")
