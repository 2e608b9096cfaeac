// SPDX-License-Identifier: MIT
#include "sensitive/parts/tool_tables.hpp"

#include "base/ascii.hpp"
#include "base/words.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace shadow::sensitive {

namespace {

// In small letters, without blanks and quotes, as are the names that they are looked for in.
constexpr std::array<std::string_view, 18> kToolTables = {
    "mypy",       "pylint", "flake8",  "tool.uv", "sqlfluff",         "hatch.env.",
    "activation", "robot",  "robocop", "pylama",  "autohooks",        "esbonio",
    "jupytext",   "fixit",  "refurb",  "\\",      "requires-plugins", "django-stubs"};
// Anywhere in a key, or in a line of INI. A key may be written with escapes.
constexpr std::array<std::string_view, 20> kToolKeys = {
    "plugin",        "init-hook",   "init_hook",      "mypy.",           "pylint.",
    "flake8.",       "uv.",         "sqlfluff.",      "hatch.env.",      "activation",
    "\\u",           "\\x",         "interpreter",    "backend-path",    "_bump_hooks",
    "_commit_hooks", "setup_hooks", "contract_types", "replace_command", "include_script"};
// In a table within a line.
constexpr std::array<std::string_view, 3> kInlineTables = {"uv=", "env=", "env."};
constexpr std::string_view kBlanksAndQuotes = " \t\r\n\v\f\"'";

std::string bare_name(std::string_view text) {
  std::string name = lower_ascii(text);
  name.erase(
      std::remove_if(name.begin(), name.end(),
                     [](char c) { return kBlanksAndQuotes.find(c) != std::string_view::npos; }),
      name.end());
  return name;
}

// Without the texts in quotes that are no keys: a dependency, a description.
std::string without_values(std::string_view statement) {
  if (statement.find(R"(""")") != std::string_view::npos ||
      statement.find("'''") != std::string_view::npos) {
    return std::string{statement};
  }
  std::string rest;
  for (std::size_t at = 0; at < statement.size();) {
    const char quote = statement[at];
    if (quote != '"' && quote != '\'') {
      rest += statement[at++];
      continue;
    }
    const std::size_t begin = at++;
    while (at < statement.size() && statement[at] != quote) {
      at += quote == '"' && statement[at] == '\\' ? 2U : 1U;
    }
    at = std::min(at + 1, statement.size());
    const std::size_t next = statement.find_first_not_of(" \t", at);
    const bool key =
        next != std::string_view::npos && (statement[next] == '=' || statement[next] == '.');
    rest += key ? statement.substr(begin, at - begin) : std::string_view{};
  }
  return rest;
}

// Of tables that list packages each key is the name of one.
bool lists_packages(std::string_view table) {
  return (table.starts_with("tool.poetry.") && table.ends_with("dependencies.")) ||
         table.starts_with("tool.pdm.dev-dependencies.") ||
         table.starts_with("dependency-groups.") ||
         table.starts_with("project.optional-dependencies.");
}

// A package of the workspace itself, or the table of them by itself.
bool is_of_workspace(std::string_view name, std::string_view statement) {
  const std::string bare =
      statement.find_first_of("\"'") == std::string_view::npos ? bare_name(statement) : "";
  return name.starts_with("tool.uv.sources.") &&
         (bare.starts_with('[') || bare.ends_with("={workspace=true}") ||
          bare.ends_with(".workspace=true"));
}

bool counts_in_pyproject(std::string_view table, std::string_view name,
                         std::string_view statement) {
  const bool header = statement.front() == '[';
  if (is_of_workspace(name, statement) ||
      (lists_packages(table) && name.find('\\') == std::string_view::npos)) {
    return false;
  }
  if (header) {
    return has_part(name, kToolTables);
  }
  const std::string keys = lower_ascii(without_values(statement));
  const std::string bare =
      statement.find('{') != std::string_view::npos ? bare_name(statement) : std::string{};
  return has_part(name, kToolTables) || has_part(name, kToolKeys) || has_part(keys, kToolKeys) ||
         has_part(bare, kToolTables) || has_part(bare, kInlineTables);
}

// https://doc.rust-lang.org/cargo/reference/manifest.html: the build script, and what makes a
// library one that the compiler loads. [project] is [package] of old.
bool counts_in_crate(std::string_view /*table*/, std::string_view name,
                     std::string_view statement) {
  constexpr std::array<std::string_view, 4> kOfPackage = {"build", "metabuild", "\\u", "\\x"};
  // A value with any escape may say one of these, also over several lines.
  constexpr std::array<std::string_view, 4> kOfLibrary = {"proc-macro", "proc_macro", "plugin",
                                                          "\\"};
  const bool header = statement.front() == '[';
  if (name.find('\\') != std::string_view::npos) {
    return true;
  }
  if (name.starts_with("package.") || name.starts_with("project.")) {
    const std::string_view key = name.substr(name.find('.') + 1);
    return !header &&
           (key.starts_with("build.") || key.starts_with("metabuild.") ||
            (key.empty() && has_part(lower_ascii(without_values(statement)), kOfPackage)));
  }
  return !header && name.starts_with("lib.") && has_part(lower_ascii(statement), kOfLibrary);
}

// One statement of TOML after another: a header, or a key with its value, over several lines where
// brackets or quotes are open.
class TomlReader {
 public:
  // Whether a statement counts, by its table and its name, each with a dot at the end.
  using Counts = bool (*)(std::string_view table, std::string_view name,
                          std::string_view statement);

  TomlReader(std::string_view text, Counts counts) : text_{text}, counts_{counts} {}

  std::string read() {
    while (skip()) {
      const std::size_t begin = at_;
      const std::size_t sign = take_statement();
      take(text_.substr(begin, at_ - begin), sign - begin);
    }
    return parts_;
  }

 private:
  // Blanks, comments and a mark of the encoding. False at the end.
  bool skip() {
    constexpr std::string_view kBetween = " \t\r\n\v\f\xef\xbb\xbf";
    while ((at_ = text_.find_first_not_of(kBetween, at_)) != std::string_view::npos &&
           text_[at_] == '#') {
      at_ = text_.find_first_of("\r\n", at_);
    }
    return at_ < text_.size();
  }

  // Up to the end of its last line. The result is where its name ends.
  std::size_t take_statement() {
    const char end_of_name = text_[at_] == '[' ? ']' : '=';
    std::size_t sign = std::string_view::npos;
    int open = 0;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == end_of_name) {
        sign = std::min(sign, at_);
      }
      if (c == '"' || c == '\'') {
        take_quoted(c);
      } else if (c == '#') {
        at_ = std::min(text_.find_first_of("\r\n", at_), text_.size()) - 1;
      } else if (c == '[' || c == '{') {
        ++open;
      } else if (c == ']' || c == '}') {
        --open;
      } else if ((c == '\n' || c == '\r') && open <= 0) {
        break;
      }
    }
    at_ = std::min(at_, text_.size());
    return std::min(sign, at_);
  }

  // At the quote that opens it; then at the one that closes it.
  void take_quoted(char quote) {
    const std::string three(3, quote);
    const bool lines = text_.substr(at_).starts_with(three);
    const std::string_view end =
        lines ? std::string_view{three} : std::string_view{three}.substr(2);
    for (at_ += end.size(); at_ < text_.size() && !text_.substr(at_).starts_with(end); ++at_) {
      if (!lines && text_[at_] == '\n') {
        --at_;  // no TOML: the line ends all the same
        return;
      }
      at_ += quote == '"' && text_[at_] == '\\' ? 1U : 0U;
    }
    at_ += end.size() - 1;
  }

  void take(std::string_view statement, std::size_t sign) {
    std::string name = bare_name(statement.substr(0, sign));
    if (statement.front() == '[') {
      table_ = name.substr(std::min(name.find_first_not_of('['), name.size())) + ".";
      add(statement, counts_(table_, table_, statement));
      return;
    }
    name = (table_.empty() ? "" : table_) + name + ".";
    add(statement, counts_(table_, name, statement));
  }

  void add(std::string_view statement, bool counts) {
    parts_ += counts ? std::string{statement} + "\n" : "";
  }

  std::string_view text_;
  Counts counts_;
  std::size_t at_ = 0;
  std::string table_;
  std::string parts_;
};

// configparser takes off what Unicode calls blank, which is also beyond ASCII. Whether an indented
// header is one, or goes on with a value, what is before it decides: it can only open a section
// here.
enum class IniHeader : std::uint8_t { None, OfTool, OfOther };

IniHeader header_of_ini(std::string_view line) {
  const auto begin =
      std::find_if(line.begin(), line.end(), [](char c) { return c > ' ' && c < 0x7f; });
  const std::string_view rest = line.substr(static_cast<std::size_t>(begin - line.begin()));
  const std::size_t end = rest.rfind(']');
  if (!rest.starts_with('[') || end == std::string_view::npos || end < 2) {
    return IniHeader::None;
  }
  // What [DEFAULT] says holds in each section.
  const std::string name = bare_name(rest.substr(1, end - 1));
  if (has_part(name + ".", kToolTables) || name.starts_with("default")) {
    return IniHeader::OfTool;
  }
  return begin == line.begin() ? IniHeader::OfOther : IniHeader::None;
}

}  // namespace

std::string tables_of_toml(std::string_view text) {
  return TomlReader{text, counts_in_pyproject}.read();
}

std::string crate_settings_in(std::string_view text) {
  return TomlReader{text, counts_in_crate}.read();
}

std::string sections_of_ini(std::string_view text) {
  std::string parts;
  bool inside = false;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    const IniHeader header = header_of_ini(line);
    inside = header == IniHeader::OfTool ||
             (header == IniHeader::None && (inside || has_part(lower_ascii(line), kToolKeys)));
    const std::size_t first = line.find_first_not_of(" \t");
    if (inside && first != std::string_view::npos && line[first] != '#') {
      parts += std::string{line} + "\n";
    }
  }
  return parts;
}

}  // namespace shadow::sensitive
