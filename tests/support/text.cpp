// SPDX-License-Identifier: MIT
#include "support/text.hpp"

#include <array>
#include <vector>

namespace shadow::test {

namespace {

constexpr std::array kLines{"alpha",    "beta",   "",          "  gamma()",
                            "}",        "{",      "return 1;", "\tdelta",
                            "-- x",     "++ y",   "@@ z",      "\\ No newline at end of file",
                            "\xff\xfe", "epsilon"};

std::string random_line(Chance& chance) {
  std::string line = chance.any(kLines);
  if (chance.one_in(3)) {
    line += std::to_string(chance.below(50));
  }
  return line;
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    const std::size_t next = end == std::string::npos ? text.size() : end + 1;
    lines.push_back(text.substr(at, next - at));
    at = next;
  }
  return lines;
}

}  // namespace

std::string random_text(Chance& chance, std::size_t most_lines) {
  const std::size_t count = chance.below(most_lines + 1);
  const std::string end = chance.one_in(4) ? "\r\n" : "\n";
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += random_line(chance) + end;
  }
  if (!text.empty() && chance.one_in(4)) {
    text.resize(text.size() - end.size());
  }
  return text;
}

std::string edited_text(Chance& chance, const std::string& text) {
  std::vector<std::string> lines = split_lines(text);
  const std::string end = text.find("\r\n") != std::string::npos ? "\r\n" : "\n";
  for (std::size_t i = 1 + chance.below(5); i > 0; --i) {
    const std::size_t at = chance.below(lines.size() + 1);
    const auto here = lines.begin() + static_cast<std::ptrdiff_t>(at);
    switch (chance.below(4)) {
      case 0:
        lines.insert(here, random_line(chance) + end);
        break;
      case 1:
        lines.insert(here, {random_line(chance) + end, random_line(chance) + end});
        break;
      case 2:
        if (at < lines.size()) {
          lines.erase(here);
        }
        break;
      default:
        if (at < lines.size()) {
          *here = random_line(chance) + end;
        }
        break;
    }
  }
  std::string result;
  for (const std::string& line : lines) {
    if (!result.empty() && result.back() != '\n') {
      result += end;
    }
    result += line;
  }
  if (chance.one_in(6) && !result.empty() && result.back() == '\n') {
    result.pop_back();
  }
  return result;
}

}  // namespace shadow::test
