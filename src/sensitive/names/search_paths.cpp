// SPDX-License-Identifier: MIT
#include "sensitive/names/search_paths.hpp"

#include "sensitive/names/known_variables.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

namespace shadow::sensitive {

namespace {

constexpr std::string_view kNameLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

std::string without_quotes(std::string_view line) {
  static constexpr std::string_view kQuotes = "\"'`";
  std::string bare{line};
  bare.erase(std::remove_if(bare.begin(), bare.end(),
                            [](char c) { return kQuotes.find(c) != std::string_view::npos; }),
             bare.end());
  return bare;
}

// Where the next assignment of the line begins, or its end.
std::size_t end_of_value(std::string_view line, std::size_t begin) {
  const std::string_view capitals = kNameLetters.substr(0, 26);
  for (std::size_t at = line.find('=', begin + 1); at != std::string_view::npos;
       at = line.find('=', at + 1)) {
    const std::size_t blank = line.substr(0, at).find_last_not_of(kNameLetters);
    if (blank != std::string_view::npos && blank > begin && line[blank] == ' ' && blank + 1 < at &&
        capitals.find(line[blank + 1]) != std::string_view::npos) {
      return blank;
    }
  }
  return line.size();
}

std::optional<ValuePart> form_of_value(VariableUse use) {
  ValuePart form;
  form.below = use == VariableUse::Directory || use == VariableUse::Directories ||
               use == VariableUse::SearchPath || use == VariableUse::ModulePath;
  form.right_in = use == VariableUse::SearchPath;
  form.if_fresh = use == VariableUse::ModulePath;
  return use == VariableUse::PythonPath ? std::nullopt : std::optional{form};
}

// "NAME=", "NAME := ", "NAME: ", "NAME] = "; "path_add NAME ", "set -gx NAME ", "setenv NAME ". Not
// "$NAME".
bool sets_variable(std::string_view line, std::size_t begin, std::size_t end) {
  const std::size_t name = line.find_last_not_of('{', begin == 0 ? 0 : begin - 1);
  if (begin > 0 && name != std::string_view::npos && line[name] == '$') {
    return false;
  }
  constexpr std::string_view kSets = "=:+?";
  const std::size_t next = line.find_first_not_of(" \t])", end);
  if (next != std::string_view::npos && kSets.find(line[next]) != std::string_view::npos) {
    return true;
  }
  if (line.substr(begin, end - begin) == "PATH_add") {
    return true;
  }
  constexpr std::array<std::string_view, 8> kBefore = {"path_add", "setenv", "env", "set",
                                                       "x",        "gx",     "xg",  "Ux"};
  const std::size_t last = line.substr(0, begin).find_last_of(kNameLetters);
  if (last == std::string_view::npos) {
    return false;
  }
  const std::size_t first = line.substr(0, last + 1).find_last_not_of(kNameLetters) + 1;
  const std::string_view before = line.substr(first, last + 1 - first);
  return std::find(kBefore.begin(), kBefore.end(), before) != kBefore.end();
}

// A value: "lib", "./lib", "-Ilib", "$PWD/lib", "{{config_root}}/lib", "lib/?.lua". What stands
// behind a variable or a command may be relative to the project.
class ValueReader {
 public:
  explicit ValueReader(std::string_view text) : text_{text} {}

  std::vector<std::string> read() {
    constexpr std::string_view kParts = " \t\r\n;|&<>=:,![]";
    while (!text_.empty()) {
      const std::size_t end = std::min(text_.find_first_of(kParts), text_.size());
      take(text_.substr(0, end));
      text_.remove_prefix(std::min(end + 1, text_.size()));
    }
    return std::move(found_);
  }

 private:
  void take(std::string_view word) {
    for (const std::string_view home : {"$HOME/", "${HOME}/"}) {
      if (word.starts_with(home)) {
        found_.push_back("~/" + std::string{word.substr(home.size())});
        return;
      }
    }
    const std::size_t dollar = word.find('$');
    const std::size_t closed = word.find_last_of("})");
    if (dollar == std::string_view::npos && closed == std::string_view::npos) {
      if (word.size() > 2 && word.front() == '-') {
        add(word.substr(2));
      }
      add(word);
      return;
    }
    const std::size_t end =
        closed != std::string_view::npos
            ? closed + 1
            : std::min(word.find_first_not_of(kNameLetters, dollar + 1), word.size());
    std::string_view rest = word.substr(end);
    rest.remove_prefix(std::min(rest.find_first_not_of('/'), rest.size()));
    constexpr std::array<std::string_view, 5> kHere = {"PWD", "pwd", "cwd", "config_root",
                                                       "toplevel"};
    const std::string_view head = word.substr(0, end);
    const bool here = std::any_of(kHere.begin(), kHere.end(), [head](std::string_view one) {
      return head.find(one) != std::string_view::npos;
    });
    if (rest.empty() && !here && dollar == std::string_view::npos) {
      rest = word.substr(0, word.find_last_not_of("})") + 1);  // "lib}}" of JSON
    }
    add(rest.empty() && here ? "." : rest);
  }

  // Lua's are patterns.
  void add(std::string_view word) {
    const std::size_t star = word.find_first_of("*?");
    if (star != std::string_view::npos) {
      const std::size_t slash = word.rfind('/', star);
      word = slash == std::string_view::npos ? "." : word.substr(0, slash);
    }
    while (word.size() > 1 && word.ends_with('/')) {
      word.remove_suffix(1);
    }
    if (!word.empty()) {
      found_.emplace_back(word);
    }
  }

  std::string_view text_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<ValuePart> VariableReader::read(std::string_view line) {
  constexpr int kMostValues = 16;  // each is read to its end, which may be that of the line
  const std::string bare = without_quotes(line);
  std::vector<ValuePart> found;
  const auto take = [&](std::string_view text, const ValuePart& form) {
    for (std::string& path : ValueReader{text}.read()) {
      found.push_back(form);
      found.back().path = std::move(path);
    }
  };
  std::size_t begin = 0;
  int values = 0;
  if (form_) {
    take(bare, *form_);
  }
  for (; (begin = bare.find_first_of(kNameLetters, begin)) != std::string::npos;) {
    const std::size_t end = std::min(bare.find_first_not_of(kNameLetters, begin), bare.size());
    const std::string_view name = std::string_view{bare}.substr(begin, end - begin);
    const KnownVariable* known = find_known_variable(name);
    if (const auto form =
            known != nullptr && values < kMostValues && sets_variable(bare, begin, end)
                ? form_of_value(known->use)
                : std::nullopt) {
      take(std::string_view{bare}.substr(end, end_of_value(bare, end) - end), *form);
      form_ = form;
      ++values;
    }
    begin = end;
  }
  // A list in brackets, or of lines that end so.
  constexpr std::string_view kOpen = "\\[({,:=";
  const std::size_t last = bare.find_last_not_of(" \t\r");
  if (last == std::string::npos || kOpen.find(bare[last]) == std::string_view::npos) {
    form_.reset();
  }
  return found;
}

namespace {

// From a directory "a", "../bin" is "bin" in the one around it, which is any as well.
std::string_view without_steps(std::string_view entry) {
  while (entry.size() > 1 && entry.ends_with('/')) {
    entry.remove_suffix(1);
  }
  while (entry.starts_with("./") || entry.starts_with("../")) {
    entry.remove_prefix(entry.find('/'));
    entry.remove_prefix(std::min(entry.find_first_not_of('/'), entry.size()));
  }
  return entry == "." || entry == ".." ? std::string_view{} : entry;
}

// "${PATH:+x:}" and "$(a:b)" have no entries of their own.
std::string without_expansions(std::string_view value) {
  std::string rest;
  int depth = 0;
  for (const char letter : value) {
    const bool opens = letter == '{' || letter == '(';
    depth += opens ? 1 : 0;
    if (depth == 0) {
      rest += letter;
    }
    depth -= depth > 0 && (letter == '}' || letter == ')') ? 1 : 0;
  }
  return rest;
}

// The value that begins the text, up to what ends it outside of quotes. `quote`: the one in which
// it begins, or 0.
std::string shell_value(std::string_view text, char quote) {
  constexpr std::string_view kEnd = " \t\r;|&";
  std::string value;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == quote || (quote == 0 && (c == '"' || c == '\''))) {
      quote = quote == 0 ? c : '\0';
    } else if (c == '\\' && quote != '\'' && at + 1 < text.size()) {
      value += text[++at];
    } else if (quote == 0 && kEnd.find(c) != std::string_view::npos) {
      break;
    } else {
      value += c;
    }
  }
  return value;
}

// What "PATH=" gives a value, in which "PYTHONPATH=" is another; empty if the line does not.
std::string value_of_path(std::string_view line) {
  constexpr std::string_view kPath = "PATH=";
  std::size_t at = line.find(kPath);
  while (at != std::string_view::npos && at > 0 &&
         kNameLetters.find(line[at - 1]) != std::string_view::npos) {
    at = line.find(kPath, at + 1);
  }
  if (at == std::string_view::npos) {
    return {};
  }
  const char before = at == 0 ? ' ' : line[at - 1];
  return without_expansions(
      shell_value(line.substr(at + kPath.size()), before == '"' || before == '\'' ? before : '\0'));
}

}  // namespace

// "PATH_add bin", "load_prefix install", "export PATH=$PWD/bin:$PATH", "_.path = [...]"; not
// "PYTHONPATH=src".
bool puts_on_path(std::string_view line) {
  constexpr std::array<std::string_view, 9> kOthers = {
      "_.path",        "fpath",       "runtimepath",  "rtp",          "packpath",
      "fish_add_path", "load_prefix", "package.path", "package.cpath"};
  if (std::any_of(kOthers.begin(), kOthers.end(), [line](std::string_view one) {
        return line.find(one) != std::string_view::npos;
      })) {
    return true;
  }
  constexpr std::string_view kPath = "PATH";
  for (std::size_t at = line.find(kPath); at != std::string_view::npos;
       at = line.find(kPath, at + 1)) {
    const char before = at == 0 ? ' ' : line[at - 1];
    const bool inside = (before >= 'A' && before <= 'Z') || before == '_';
    const std::string_view behind = line.substr(at + kPath.size());
    if (!inside && (behind.starts_with("_add") || behind.starts_with("=") ||
                    behind.starts_with("+=") || behind.starts_with(" "))) {
      return true;
    }
  }
  return false;
}

std::vector<std::string> relative_entries_of_list(std::string_view list) {
  constexpr std::string_view kEvaluated = "$`{}()*?[";
  std::vector<std::string> found;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(':', begin), list.size());
    const std::string_view entry = without_steps(list.substr(begin, end - begin));
    begin = end + 1;
    if (entry.empty()) {
      found.emplace_back(".");
    } else if (entry.front() != '/' && entry.front() != '~' &&
               entry.find_first_of(kEvaluated) == std::string_view::npos) {
      found.emplace_back(entry);
    }
  }
  return found;
}

std::vector<std::string> relative_entries(std::string_view line) {
  constexpr std::string_view kParts = " \t\"'=:;()";
  const std::string value = value_of_path(line);
  std::vector<std::string> found;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find_first_of(kParts), line.size());
    std::string_view entry = line.substr(0, end);
    while (entry.starts_with("./")) {
      entry.remove_prefix(2);
    }
    const bool relative = entry.find('/') != std::string_view::npos || entry.size() < end;
    constexpr std::string_view kNone = "/~$";
    if (relative && !entry.empty() && kNone.find(entry.front()) == std::string_view::npos &&
        entry.find('$') == std::string_view::npos && !entry.starts_with("../")) {
      found.emplace_back(entry);
    }
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  if (!value.empty()) {
    for (std::string& entry : relative_entries_of_list(value)) {
      if (std::find(found.begin(), found.end(), entry) == found.end()) {
        found.push_back(std::move(entry));
      }
    }
  }
  return found;
}

}  // namespace shadow::sensitive
