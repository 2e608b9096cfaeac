// SPDX-License-Identifier: MIT
#include "sensitive/scripts/shell_values.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace shadow::sensitive {

namespace {

constexpr std::size_t kMostNames = 1'000;
constexpr std::size_t kMostValues = 16;  // of a name
constexpr std::size_t kMostLines = 16;   // that one line becomes
constexpr std::size_t kLongest = 1'024;  // of a line, with its values
constexpr std::size_t kMostAssignments = 5'000;
constexpr std::string_view kOfName =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
constexpr std::string_view kBlanks = " \t\r";

std::string without_quotes(std::string_view text) {
  std::string plain{text};
  std::erase_if(plain, [](char c) { return c == '"' || c == '\''; });
  return plain;
}

// Where the word ends that begins the text: at a blank or a sign of the shell that is neither
// quoted nor in brackets.
std::size_t end_of_word(std::string_view text) {
  std::size_t depth = 0;
  char quote = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\\') {
      ++at;
    } else if (quote == '\'' ? c == quote : c == '"' && depth == 0) {
      quote = quote == 0 ? c : '\0';
    } else if (quote != '\'' && (c == '(' || c == '{')) {
      ++depth;
    } else if (quote != '\'' && depth > 0 && (c == ')' || c == '}')) {
      --depth;
    } else if (quote == 0 && depth == 0) {
      if (c == '\'') {
        quote = c;
      } else if (std::string_view{" \t\r;&|)}<>"}.find(c) != std::string_view::npos) {
        return at;
      }
    }
  }
  return text.size();
}

std::vector<std::string_view> words_in(std::string_view text) {
  std::vector<std::string_view> words;
  while (words.size() < kMostValues) {
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    const std::size_t end = end_of_word(text);
    if (end == 0) {
      break;
    }
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return words;
}

struct Variable {
  std::string_view name;
  std::string_view otherwise;  // "x" of "${NAME:-x}"
  std::size_t end = 0;         // behind it
};

// "$NAME", "${NAME}", "${NAME:-x}", "${NAME[@]}", and "$(NAME)" of make. `text` begins with "$".
std::optional<Variable> variable_in(std::string_view text) {
  constexpr std::string_view kOpen = "({";
  const bool open = text.size() > 1 && kOpen.find(text[1]) != std::string_view::npos;
  const std::size_t begin = open ? 2 : 1;
  const std::size_t end = std::min(text.find_first_not_of(kOfName, begin), text.size());
  if (end == begin) {
    return std::nullopt;
  }
  Variable found{text.substr(begin, end - begin), {}, end};
  if (!open) {
    return found;
  }
  const char close = text[1] == '(' ? ')' : '}';
  const std::size_t closed = begin + end_of_word(text.substr(begin));
  const std::string_view rest = text.substr(end, closed - end);
  if (closed >= text.size() || text[closed] != close) {
    return std::nullopt;
  }
  found.end = closed + 1;
  for (const std::string_view sign : {":-", ":=", "-", "="}) {
    if (rest.starts_with(sign)) {
      found.otherwise = rest.substr(sign.size());
      return found;
    }
  }
  const bool whole = rest.empty() || rest == "[@]" || rest == "[*]";
  return whole ? std::optional{found} : std::nullopt;
}

void append(std::vector<std::string>& lines, std::string_view text) {
  for (std::string& line : lines) {
    line += text;
  }
}

// Each line with each of the values.
std::vector<std::string> combined(const std::vector<std::string>& lines,
                                  const std::vector<std::string>& values) {
  std::vector<std::string> all;
  for (const std::string& line : lines) {
    for (const std::string& value : values) {
      if (all.size() < kMostLines && line.size() + value.size() <= kLongest) {
        all.push_back(line + value);
      }
    }
  }
  return all;
}

}  // namespace

ShellValues::ShellValues(std::string_view text) : left_{kMostAssignments} {
  for (const std::string& line : split(text, '\n')) {
    if (line.size() <= kLongest) {
      take_line(line);
    }
  }
}

std::vector<std::string> ShellValues::put_in(std::string_view line) const {
  std::vector<std::string> lines = {{}};
  bool any = false;
  if (line.size() > kLongest) {
    return {};
  }
  while (!line.empty()) {
    const std::size_t at = std::min(line.find('$'), line.size());
    append(lines, line.substr(0, at));
    line.remove_prefix(at);
    const auto variable = line.empty() ? std::nullopt : variable_in(line);
    std::vector<std::string> values =
        variable ? values_of(variable->name) : std::vector<std::string>{};
    if (variable && values.empty() && !variable->otherwise.empty()) {
      values.push_back(without_quotes(variable->otherwise));
    }
    if (values.empty()) {
      append(lines, line.substr(0, 1));
      line.remove_prefix(std::min<std::size_t>(1, line.size()));
      continue;
    }
    any = true;
    lines = combined(lines, values);
    line.remove_prefix(variable->end);
  }
  std::transform(lines.begin(), lines.end(), lines.begin(), without_quotes);
  return any ? lines : std::vector<std::string>{};
}

void ShellValues::take_line(std::string_view line) {
  if (line.find('=') != std::string_view::npos) {
    take_assignments(line);
  }
  if (line.find("for ") != std::string_view::npos) {
    take_loop(line);
  }
}

// "A=x B="$C/y"", "export A=x", "A=(x y)"; of make "A = x y", "A := x", "A ?= x".
void ShellValues::take_assignments(std::string_view line) {
  for (std::size_t at = line.find('='); at != std::string_view::npos && left_ > 0;
       at = line.find('=', at + 1)) {
    std::size_t end = at;
    while (end > 0 && std::string_view{":?+"}.find(line[end - 1]) != std::string_view::npos) {
      --end;
    }
    const bool blank = end > 0 && kBlanks.find(line[end - 1]) != std::string_view::npos;
    if (blank) {
      end = line.find_last_not_of(kBlanks, end - 1) + 1;
    }
    const std::size_t begin =
        end == 0 ? 0 : line.find_last_not_of(kOfName, end - 1) + 1;  // npos + 1 is 0
    const std::string name{line.substr(begin, end - begin)};
    const bool alone = line.find_first_not_of(kBlanks) == begin;
    const bool starts =
        begin == 0 || std::string_view{" \t;&|({`"}.find(line[begin - 1]) != std::string_view::npos;
    if (name.empty() || !starts || (blank && !alone)) {
      continue;
    }
    --left_;
    const std::string_view value = line.substr(at + 1);
    if (blank || value.starts_with(' ')) {
      for (const std::string_view word : words_in(value)) {
        take_word(name, word);
      }
    } else {
      take_value(name, value.substr(0, end_of_word(value)));
    }
  }
}

// "for A in x y; do".
void ShellValues::take_loop(std::string_view line) {
  const std::size_t at = line.find("for ");
  const std::vector<std::string_view> words = words_in(line.substr(at));
  if (words.size() > 3 && words[2] == "in") {
    for (std::size_t i = 3; i < words.size() && words[i] != "do"; ++i) {
      take_word(std::string{words[1]}, words[i]);
    }
  }
}

void ShellValues::take_value(const std::string& name, std::string_view value) {
  if (value.starts_with('(') && value.ends_with(')')) {
    for (const std::string_view word : words_in(value.substr(1, value.size() - 2))) {
      take_word(name, word);
    }
  } else {
    take_word(name, value);
  }
}

void ShellValues::take_word(const std::string& name, std::string_view value) {
  const std::vector<std::string> known = put_in(value);
  if (known.empty()) {
    add(name, without_quotes(value));
  }
  for (const std::string& one : known) {
    add(name, one);
  }
}

void ShellValues::add(const std::string& name, std::string value) {
  if (value.empty() || (values_.size() >= kMostNames && !values_.contains(name))) {
    return;
  }
  std::vector<std::string>& values = values_[name];
  if (values.size() < kMostValues &&
      std::find(values.begin(), values.end(), value) == values.end()) {
    values.push_back(std::move(value));
  }
}

std::vector<std::string> ShellValues::values_of(std::string_view variable) const {
  const auto found = values_.find(variable);
  return found == values_.end() ? std::vector<std::string>{} : found->second;
}

}  // namespace shadow::sensitive
