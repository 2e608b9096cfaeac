// SPDX-License-Identifier: MIT
#include "sensitive/names/embedded_settings.hpp"

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "base/tool_files.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace shadow::sensitive {

namespace {

// gitattributes(5), and what hosts of repositories read.
constexpr std::array<std::string_view, 13> kProperties = {"text",
                                                          "eol",
                                                          "crlf",
                                                          "binary",
                                                          "whitespace",
                                                          "ident",
                                                          "delta",
                                                          "encoding",
                                                          "diff",
                                                          "merge",
                                                          "working-tree-encoding",
                                                          "export-ignore",
                                                          "export-subst"};
constexpr std::array<std::string_view, 3> kProperty = {"linguist-", "gitlab-",
                                                       "conflict-marker-size"};

bool is_property(std::string_view attribute) {
  if (attribute.starts_with('-') || attribute.starts_with('!')) {
    attribute.remove_prefix(1);
  }
  const std::size_t equals = std::min(attribute.find('='), attribute.size());
  const std::string_view name = attribute.substr(0, equals);
  const bool driver = (name == "diff" || name == "merge") && equals < attribute.size();
  return !driver && (std::find(kProperties.begin(), kProperties.end(), name) != kProperties.end() ||
                     std::any_of(kProperty.begin(), kProperty.end(),
                                 [name](std::string_view one) { return name.starts_with(one); }));
}

// The attributes of a line are behind its pattern. One in quotes with a blank in it counts as more.
bool line_names_programs(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r\v\f";
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  if (line.empty() || line.starts_with('#')) {
    return false;
  }
  bool first = true;
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    if (line.empty()) {
      return false;
    }
    const std::size_t end = std::min(line.find_first_of(kBlanks), line.size());
    if (!first && !is_property(line.substr(0, end))) {
      return true;
    }
    first = false;
    line.remove_prefix(end);
  }
}

bool has_any(std::string_view text, const std::vector<std::string_view>& words) {
  return std::any_of(words.begin(), words.end(), [text](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

// True if the line has this key, of JSON, YAML or TOML.
bool has_key(std::string_view line, std::string_view key) {
  constexpr std::string_view kBetween = " \t\"'";
  for (std::size_t at = line.find(key); at != std::string_view::npos; at = line.find(key, at + 1)) {
    const std::size_t next = line.find_first_not_of(kBetween, at + key.size());
    if (next != std::string_view::npos && (line[next] == ':' || line[next] == '=')) {
      return true;
    }
  }
  return false;
}

// True if a key stands at the beginning of the line, in quotes or without.
bool begins_with_key(std::string_view line) {
  constexpr std::string_view kBlanks = " \t{,";
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  const bool quoted = line.starts_with('"') || line.starts_with('\'');
  std::size_t end =
      std::min(line.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789$_-", quoted ? 1 : 0),
               line.size());
  if (quoted && (end == line.size() || line[end++] != line[0])) {
    return false;
  }
  end = std::min(line.find_first_not_of(" \t", end), line.size());
  return end > 0 && end < line.size() && (line[end] == ':' || line[end] == '=');
}

// These keys, with what follows up to the next one. A key that is written with escapes, or behind
// a question mark, may be any.
std::string lists_of_keys(std::string_view text, std::span<const std::string_view> keys) {
  std::string parts;
  bool inside = false;
  for (const std::string& whole : split(text, '\n')) {
    const std::string line = lower_ascii(whole);
    const bool named = line.find_first_of("\\?") != std::string::npos ||
                       std::any_of(keys.begin(), keys.end(),
                                   [&line](std::string_view key) { return has_key(line, key); });
    inside = named || (inside && !begins_with_key(line));
    parts += inside ? whole + "\n" : "";
  }
  return parts;
}

// A spell checker's words may change. What it imports, and the plugins and reporters that it loads,
// may be code.
std::string imports_of_speller(std::string_view text) {
  constexpr std::array<std::string_view, 4> kKeys = {"import", "plugins", "reporters", "parser"};
  return lists_of_keys(text, kKeys);
}

// TOML and configparser's INI, by lines: tables and sections of these tools, and behind a key of
// theirs all up to the next table. A key may be written with escapes.
std::string tables_of_tools(std::string_view text) {
  const std::vector<std::string_view> tables = {"mypy",       "pylint",     "flake8",
                                                "tool.uv",    "sqlfluff",   "hatch.env.",
                                                "hatch.env]", "activation", "\\u"};
  const std::vector<std::string_view> keys = {"plugin",     "init-hook",  "init_hook", "mypy.",
                                              "pylint.",    "flake8.",    "uv.",       "sqlfluff.",
                                              "hatch.env.", "activation", "\\u"};
  std::string parts;
  bool inside = false;
  for (const std::string& whole : split(text, '\n')) {
    const std::string line = lower_ascii(whole);
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin != std::string::npos && line[begin] == '[' && line.find('=') == std::string::npos &&
        line.find(']') != std::string::npos) {
      std::string header = line;
      header.erase(std::remove_if(header.begin(), header.end(),
                                  [](char c) { return c == ' ' || c == '"' || c == '\''; }),
                   header.end());
      inside = has_any(header, tables);
    } else {
      inside = inside || has_any(line, keys);
    }
    if (inside && begin != std::string::npos && line[begin] != '#') {
      parts += whole + "\n";
    }
  }
  return parts;
}

// As JSON pointers. "scripts" of a package run on purpose. The last is Jest's, which also names
// sources and tests that it only looks at.
constexpr std::array<const char*, 28> kPackageKeys = {"/prettier",
                                                      "/eslintConfig",
                                                      "/stylelint",
                                                      "/xo",
                                                      "/commitlint",
                                                      "/remarkConfig",
                                                      "/husky",
                                                      "/lint-staged",
                                                      "/nano-staged",
                                                      "/pre-push",
                                                      "/pre-commit",
                                                      "/gitHooks",
                                                      "/ghooks",
                                                      "/simple-git-hooks",
                                                      "/lefthook",
                                                      "/volta",
                                                      "/devEngines",
                                                      "/standard",
                                                      "/packageManager",
                                                      "/cspell",
                                                      "/babel",
                                                      "/graphql",
                                                      "/relay",
                                                      "/apollo",
                                                      "/textlint",
                                                      "/cosmiconfig",
                                                      "/nx",
                                                      "/jest"};

// Code that any call of composer runs or loads, and the places of that code.
constexpr std::array<const char*, 6> kComposerKeys = {"/config",
                                                      "/scripts/command",
                                                      "/scripts/init",
                                                      "/scripts/pre-command-run",
                                                      "/scripts/pre-file-download",
                                                      "/scripts/pre-pool-create"};

// Code that a language server loads, and other files of its configuration.
constexpr std::array<const char*, 4> kScriptKeys = {"/compilerOptions/plugins", "/lint/plugins",
                                                    "/extends", "/workspace"};

bool speaks_of(std::string_view text, std::span<const char* const> keys) {
  return text.find("\\u") != std::string_view::npos ||
         std::any_of(keys.begin(), keys.end(), [text](std::string_view key) {
           return text.find(key.substr(key.rfind('/') + 1)) != std::string_view::npos;
         });
}

// The values of these keys. What this parser refuses, such as a comma too many, another may take.
std::string keys_of_json(std::string_view text, std::span<const char* const> keys) {
  constexpr int kDeepest = 64;
  bool deep = false;
  const auto json = nlohmann::json::parse(
      text,
      [&deep](int depth, nlohmann::json::parse_event_t, const nlohmann::json&) {
        deep = deep || depth > kDeepest;
        return depth <= kDeepest;
      },
      false, true);
  if (json.is_discarded() || deep || !json.is_object()) {
    return speaks_of(text, keys) ? std::string{text} : "";
  }
  std::string parts;
  for (const char* key : keys) {
    if (const nlohmann::json::json_pointer at{key}; json.contains(at)) {
      parts += std::string{key} + ": " +
               json.at(at).dump(0, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    }
  }
  return parts;
}

// Each line, in small letters and with its end, that `counts`; of a call that begins there, all of
// it.
std::string calls_where(std::string_view text,
                        const std::function<bool(std::string_view)>& counts) {
  std::string parts;
  std::ptrdiff_t open = 0;
  for (const std::string& line : split(text, '\n')) {
    if (open <= 0 && !counts(lower_ascii(line) + "\n")) {
      continue;
    }
    parts += line + "\n";
    open = std::max<std::ptrdiff_t>(open, 0) + std::count(line.begin(), line.end(), '(') -
           std::count(line.begin(), line.end(), ')');
  }
  return parts;
}

// Each line with one of these words, likewise.
std::string calls_with(std::string_view text, const std::vector<std::string_view>& words) {
  return calls_where(text, [&words](std::string_view line) { return has_any(line, words); });
}

// True if CMake's include() takes in a file that is judged by its own name: a module, or a `.cmake`
// whose place no variable tells but those of the sources.
bool includes_judged(std::string_view argument) {
  constexpr std::array<std::string_view, 5> kSources = {
      "${cmake_current_source_dir}", "${cmake_source_dir}", "${project_source_dir}",
      "${cmake_current_list_dir}", "${cmake_module_path}"};
  for (const std::string_view source : kSources) {
    if (argument.starts_with(source)) {
      argument.remove_prefix(source.size());
      break;
    }
  }
  constexpr std::string_view kOfModules = "abcdefghijklmnopqrstuvwxyz0123456789_";
  return !argument.empty() && argument.find('$') == std::string_view::npos &&
         (argument.ends_with(".cmake") ||
          argument.find_first_not_of(kOfModules) == std::string_view::npos);
}

bool includes_unjudged(std::string_view line) {
  constexpr std::string_view kInclude = "include";
  constexpr std::string_view kBlanks = " \t";
  for (std::size_t at = line.find(kInclude); at != std::string_view::npos;
       at = line.find(kInclude, at + 1)) {
    const bool whole = at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t' ||
                       line[at - 1] == ')' || line[at - 1] == ']';
    std::string_view rest = line.substr(at + kInclude.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
    if (!whole || !rest.starts_with('(')) {
      continue;
    }
    rest.remove_prefix(1);
    rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
    const bool quoted = rest.starts_with('"');
    rest.remove_prefix(quoted ? 1 : 0);
    if (!includes_judged(rest.substr(0, rest.find_first_of(quoted ? "\"" : ") \t\n")))) {
      return true;
    }
  }
  return false;
}

// Scripts that an editor runs as it configures the project: what makes them run other programs, or
// take in what is not in the project, or not judged there.
std::string calls_of_build(std::string_view name, std::string_view text) {
  if (name == "meson.build") {
    return calls_with(text, {"run_command", "postconf_script", "subproject", "configure_file",
                             "find_program", "find_installation", ".run("});
  }
  const std::vector<std::string_view> words = {
      "execute_process",   "exec_program",       "try_run",
      "try_compile",       "_source_runs",       "load_command",
      "cmake_language",    "fetchcontent",       "cpmaddpackage",
      "(download",         " download ",         "_launcher",
      "_compiler ",        "_compiler\n",        "_compiler\"",
      "variable_watch",    "toolchain_file",     "make_rules",
      "project_include",   "_include_before",    "_executable ",
      "cmake_prefix_path", "cmake_program_path", "_root_dir "};
  return calls_where(text, [&words](std::string_view line) {
    return has_any(line, words) || includes_unjudged(line);
  });
}

// `name` is folded.
bool names_what_it_checks(std::string_view name) {
  constexpr std::array<std::string_view, 11> kNames = {
      ".rubocop.yml",      ".standard.yml",     ".erb_lint.yml",   ".erb-lint.yml",
      ".haml-lint.yml",    ".slim-lint.yml",    ".solargraph.yml", "phpstan.neon",
      "phpstan.neon.dist", "phpstan.dist.neon", ".ansible-lint"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

std::string requirements_in(std::string_view text) {
  constexpr std::array<std::string_view, 13> kKeys = {"require",
                                                      "requires",
                                                      "require_paths",
                                                      "plugins",
                                                      "inherit_from",
                                                      "inherit_gem",
                                                      "extends",
                                                      "includes",
                                                      "bootstrapfiles",
                                                      "rulesdir",
                                                      "services",
                                                      "reporters",
                                                      "autoload_directories"};
  return lists_of_keys(text, kKeys);
}

}  // namespace

bool names_programs(std::string_view attributes) {
  if (attributes.find('\0') != std::string_view::npos) {
    return true;
  }
  const std::vector<std::string> lines = split(attributes, '\n');
  return std::any_of(lines.begin(), lines.end(),
                     [](const std::string& line) { return line_names_programs(line); });
}

std::string tool_settings_in(std::string_view name, std::string_view text) {
  if (name == "package.json") {
    return keys_of_json(text, kPackageKeys);
  }
  if (name == "composer.json") {
    return keys_of_json(text, kComposerKeys);
  }
  if (name.starts_with("tsconfig") || name.starts_with("jsconfig") || name.starts_with("deno.")) {
    return keys_of_json(text, kScriptKeys);
  }
  if (is_speller_config(name)) {
    return imports_of_speller(text);
  }
  if (name == "cargo.toml") {
    return calls_with(text,
                      {"build", "proc-macro", "proc_macro", "plugin", "\\u", R"(""")", "'''"});
  }
  if (name == "pom.xml") {
    return calls_with(text, {"m2e"}).empty() ? "" : std::string{text};
  }
  if (name == "cmakelists.txt" || name == "meson.build" || name.ends_with(".cmake")) {
    return calls_of_build(name, text);
  }
  return tables_of_tools(text);
}

std::string leading_settings_in(std::string_view name, std::string_view text) {
  if (name == "package.json") {
    return keys_of_json(text, std::span{kPackageKeys}.first(kPackageKeys.size() - 1));
  }
  if (is_tool_file(name)) {
    return tool_settings_in(name, text);
  }
  return names_what_it_checks(name) ? requirements_in(text) : std::string{text};
}

}  // namespace shadow::sensitive
