// SPDX-License-Identifier: MIT
#include "sensitive/names/behind_variables.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace shadow::sensitive {

namespace {

class NamesBehindVariables {
 public:
  explicit NamesBehindVariables(std::string_view line) : line_{line} {}

  std::vector<std::string> take() {
    std::vector<bool> open;  // true for a bracket of a variable or a command
    for (std::size_t at = 0; at < line_.size(); ++at) {
      const bool variable = at > 0 && line_[at - 1] == '$';
      if (line_[at] == '(' || line_[at] == '{') {
        open.push_back(variable);
      } else if ((line_[at] == ')' || line_[at] == '}') && !open.empty()) {
        if (open.back()) {
          take_behind(at + 1);
        }
        open.pop_back();
      } else if (variable) {
        take_behind(std::min(line_.find_first_not_of(kOfNames, at), line_.size()));
      }
    }
    return std::move(found_);
  }

 private:
  static constexpr std::string_view kOfNames =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

  void take_behind(std::size_t end) {
    constexpr std::string_view kQuotes = "\"'\\";
    constexpr std::string_view kParts = " \t\r;|&()<>{}\"'`$=:,\\";
    const std::size_t next = line_.find_first_not_of(kQuotes, end);
    if (next != std::string_view::npos && line_[next] == '/') {
      const std::string_view rest = line_.substr(next + 1);
      found_.emplace_back(rest.substr(0, std::min(rest.find_first_of(kParts), rest.size())));
    }
  }

  std::string_view line_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> names_behind_variables(std::string_view line) {
  return NamesBehindVariables{line}.take();
}

}  // namespace shadow::sensitive
