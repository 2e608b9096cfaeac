// SPDX-License-Identifier: MIT
#include "git/patterns/ignore_pattern.hpp"

#include "sys/files/beneath.hpp"

namespace shadow::git {
namespace {

// Blanks at the end do not count unless a backslash stands before them.
std::string_view without_trailing_blanks(std::string_view line) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\') {
      if (++i == line.size()) {
        return line;  // git gives up here and keeps the blanks
      }
      end = i + 1;
    } else if (line[i] != ' ') {
      end = i + 1;
    }
  }
  return line.substr(0, end);
}

}  // namespace

std::optional<IgnorePattern> IgnorePattern::parse(std::string_view line) {
  if (line.empty() || line[0] == '#') {
    return std::nullopt;
  }
  if (line.back() == '\r') {
    line.remove_suffix(1);
  }
  line = line.substr(0, line.find('\0'));  // git's strings end there
  line = without_trailing_blanks(line);
  IgnorePattern pattern;
  if (!line.empty() && line[0] == '!') {
    pattern.negative_ = true;
    line.remove_prefix(1);
  }
  if (!line.empty() && line.back() == '/') {
    pattern.directories_only_ = true;
    line.remove_suffix(1);
  }
  if (line.empty()) {
    return std::nullopt;
  }
  pattern.base_name_only_ = line.find('/') == std::string_view::npos;
  if (line[0] == '/') {
    line.remove_prefix(1);
  }
  // The part before the first special byte is compared by itself, and what follows is read as if
  // the pattern began there: "a**" matches "a/b" for that reason, in git too.
  std::size_t literal = 0;
  while (literal < line.size() && !Glob::is_special(line[literal])) {
    ++literal;
  }
  pattern.literal_ = line.substr(0, literal);
  pattern.all_literal_ = literal == line.size();
  GlobOptions options;
  options.wide_stars = !pattern.base_name_only_;
  pattern.rest_ = Glob{line.substr(literal), options};
  return pattern;
}

bool IgnorePattern::matches(std::string_view path, bool directory) const {
  if (directories_only_ && !directory) {
    return false;
  }
  std::string_view text = base_name_only_ ? sys::split_path(path).name : path;
  if (text.substr(0, literal_.size()) != literal_) {
    return false;
  }
  text.remove_prefix(literal_.size());
  return all_literal_ ? text.empty() : rest_.matches(text);
}

}  // namespace shadow::git
